"""Bounds, text, JSON, schemas and messages: what bodies are made of (specs/README.md, specs/log.md)."""
