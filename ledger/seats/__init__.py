"""A party's seat: its key, its seed chains, its memory, and its checks before it signs (specs/seats.md)."""
