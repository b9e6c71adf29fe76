"""Names of the events and of values in them (specs/t9a.md)."""

from collections.abc import Mapping

from rules.data.language import N_

__all__ = ["TITLES"]

TITLES: Mapping[str, str] = {
    "roll": N_("a roll"),
    "reroll": N_("dice are rerolled"),
    "ignore": N_("the first results stand"),
    "modify": N_("a further modifier"),
    "resolve": N_("the end of a roll"),
    "declare reroll": N_("a further reroll rule"),
    "which failed": N_("those that failed"),
    "which successful": N_("those that succeeded"),
    "which natural": N_("those with certain naturals"),
    "which any": N_("any"),
    "which throw": N_("the whole throw"),
    "of successes": N_("what succeeded"),
    "of failures": N_("what failed"),
}
"""`TYPE` or `TYPE KIND` → name of the event; `MEMBER VALUE` → name of a value that does not explain itself"""
