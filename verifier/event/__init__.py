"""The log of an organized event, its tables and its bundle (specs/event.md): acts, rules, tables, bundle."""
