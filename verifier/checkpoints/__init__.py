"""Signed tree heads, receipts, witnesses, and the proof of one event (specs/checkpoints.md)."""
