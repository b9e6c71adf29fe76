"""Breaks `rules/` on purpose, one operator at a time, and looks whether a vector or a test of the rules notices.

`python -m tests.mutants [SYSTEM …]`; what is broken is in `sites`, who looks in `witnesses`, what may go unnoticed in
`known.toml`, with the reason. Each change is tried in a process of its own (`trial`): Linux and macOS only.
"""
