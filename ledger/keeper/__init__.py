"""The keeper's program, which serves parties on this machine and on others (specs/protocol.md)."""
