"""The rules in a browser: the files of its worker, the worker's code, and the page that verifies with rules.

driver             the worker's entry: answers requests, JSON in, JSON out
followed           the game that a table's page follows, line by line
cryptography_here  a stand-in for `cryptography`: the browser checks the signatures
loaded             the files that the worker loads
verify_page        the page of `rollproof verify-page`
"""
