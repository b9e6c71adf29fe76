"""The data of an organized event (specs/event.md): acts, the keeper's lines, names, lists as CSV, the bundle."""
