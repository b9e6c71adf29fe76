"""Parts that several systems share (specs/rules.md)."""
