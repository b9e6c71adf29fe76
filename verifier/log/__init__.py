"""The lines of a log: form, hashes, signatures, terms, and what is checked of one line (specs/log.md)."""
