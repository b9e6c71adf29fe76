"""The lines of a log: form, hashes, signatures, terms, and the checks of single lines (specs/log.md)."""
