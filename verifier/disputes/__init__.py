"""Two histories of one game, and who signed both (specs/disputes.md)."""
