"""The store of logs: their lines byte for byte, replays of them, read tables, and the databases underneath."""
