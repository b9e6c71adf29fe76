"""A keeper's program: what it does for parties on this machine and on others (specs/protocol.md)."""
