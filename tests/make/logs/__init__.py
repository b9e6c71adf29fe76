"""The logs of `specs/vectors/logs/`: rows in TOML, and functions where a row cannot say it (README.md)."""
