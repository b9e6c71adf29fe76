"""What several systems share, each idea once (specs/rules.md)."""
