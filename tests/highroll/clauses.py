"""The clauses, with scripts that show each."""

from rules.base import Clause

__all__ = ["CLAUSES"]

CLAUSES = (
    Clause("H1", "A roll names its dice.", "Other texts are refused.", "H1--two-dice", "H1--no-dice.violates"),
    Clause("H2", "One reroll.", "A second one is refused.", "H2--once", "H2--twice.violates"),
    Clause("H3", "The sum counts.", "An announcement must agree.", "H3--sum", "H3--wrong-sum.violates"),
    Clause("H4", "Dice explode.", "They are drawn on.", "H4--explodes", "H4--two-kinds.violates"),
)
