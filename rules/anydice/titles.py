"""What the events and the words in them are called (specs/dice-1.md)."""

from collections.abc import Mapping

from rules.language import N_

__all__ = ["TITLES"]

TITLES: Mapping[str, str] = {
    "roll": N_("a roll"),
    "declare call": N_("a call for a roll"),
    "declare withdraw": N_("a call is off"),
    "declare deck": N_("a deck or bag"),
    "declare return": N_("what was drawn goes back"),
    "declare shuffle": N_("all that was drawn goes back"),
    "declare remove": N_("the deck is gone"),
    "resolve": N_("what was announced"),
}
"""by `TYPE`, or `TYPE KIND`; and by `MEMBER VALUE` what a value of a member is called that does not speak for itself"""
