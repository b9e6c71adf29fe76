"""The page of a table: its files, and its data about the rules (specs/page.md)."""
