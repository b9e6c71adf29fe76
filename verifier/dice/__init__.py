"""From links to dice, and rolls that ended without them (specs/dice.md)."""
