"""Forks: two histories of one game, and the parties that signed both (specs/disputes.md)."""
