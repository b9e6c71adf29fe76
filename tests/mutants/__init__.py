"""Breaks the product on purpose, one place at a time, and looks whether a vector or a test notices (README.md here).

Of `rules/` every operator is changed (`sites`), and shown to `witnesses` in a process of its own (`trial`). Of all else
every guard is changed (`guards`, `scripts`), and shown to the tests that come to it (`record`, `session`). What may go
unnoticed is in `known.toml`, with the reason. Linux and macOS only.
"""
