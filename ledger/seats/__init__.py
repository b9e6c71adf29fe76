"""A party's seat: its key, its seed chains, what it remembers, and what it checks before it signs (specs/seats.md)."""
