"""Audits beyond one machine, and seasons as data."""
