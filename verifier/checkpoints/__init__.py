"""Checkpoints: signed tree heads, receipts, witnesses, and proofs of single events and rolls (specs/checkpoints.md)."""
