"""The rules in a browser: what is loaded there, what runs in its worker, and the page that verifies with rules.

driver             what runs in the worker: JSON in, JSON out
followed           a game that a table's page follows, line by line
cryptography_here  `cryptography`, where the browser checks signatures
loaded             the files that the worker loads
verify_page        the page of `rollproof verify-page`
"""
