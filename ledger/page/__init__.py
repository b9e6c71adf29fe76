"""The page of the table: its files, and what it knows of the rules (specs/page.md)."""
