"""`verifier/web`, the verifier in ES modules: its vectors, damaged logs, and the page in Chromium."""
