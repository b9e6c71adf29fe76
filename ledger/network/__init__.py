"""What a server and its clients share: answers, what goes over the wire, logs at addresses (specs/network.md)."""
