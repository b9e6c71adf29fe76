"""The systems: one package for each game (specs/rules.md)."""
