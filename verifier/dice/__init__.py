"""Derivation of dice from links, and rolls that ended without dice (specs/dice.md)."""
