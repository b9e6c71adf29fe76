"""Databases as this package opens them: what was acknowledged stays, and a side that is gone is noticed.

schemas    the tables of each kind, from SQL files
sqlite     a file on this machine
postgres   connections to a server
"""
