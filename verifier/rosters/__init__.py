"""Whose keys are whose, by an organizer (specs/roster.md)."""
