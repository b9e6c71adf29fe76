"""Vectors of every size, of which the large ones are tried by the longer tests."""

LARGE = 24_000
"""bytes"""
