"""The log of an organized event: acts, rules, replay, tables and bundle (specs/event.md)."""
