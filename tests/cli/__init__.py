"""The command line: what is typed, what is shown, in English and Japanese."""
