"""Analyses of a verified log: its rolls, how each came about, and how unusual the dice are."""
