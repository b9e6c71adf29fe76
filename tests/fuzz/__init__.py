"""Fuzzing: whatever bytes come, only the project's own errors come out.

A target takes bytes, reads them with one part of the program, and raises where something else than that part's own
errors came out. `python -m tests.fuzz` looks for such inputs, guided by coverage; what was found is kept in
`specs/vectors/fuzz` and tried with every test run.
"""
