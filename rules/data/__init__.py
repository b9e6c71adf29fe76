"""Bounds, text, JSON, schemas and messages: the basic types of event bodies (specs/README.md, specs/log.md)."""
