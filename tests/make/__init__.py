"""Makers of what stands in specs/: vectors, and the page of clauses. Tools, not tests."""
