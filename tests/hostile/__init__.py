"""Logs that cost as much as the rules allow (specs/rules.md, "Bounds of work"), and what they may cost."""
