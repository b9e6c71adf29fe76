"""One game without database and network: what its keeper holds, what a party sees, checked signatures, times."""
