"""Rosters: an organizer's statement of whose keys are whose (specs/roster.md)."""
