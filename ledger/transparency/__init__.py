"""Logs that others watch over: witnesses, the anchor log and tiles (specs/checkpoints.md, specs/network.md)."""
