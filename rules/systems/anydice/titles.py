"""Names of the events and of values in them (specs/dice-1.md)."""

from collections.abc import Mapping

from rules.data.language import N_

__all__ = ["TITLES"]

TITLES: Mapping[str, str] = {
    "roll": N_("a roll"),
    "declare call": N_("a call for a roll"),
    "declare withdraw": N_("a call is off"),
    "declare deck": N_("a deck or bag"),
    "declare cards": N_("ready-made cards"),
    "declare play": N_("items are played from the hand"),
    "declare return": N_("what was drawn goes back"),
    "declare shuffle": N_("all goes back that nobody holds"),
    "declare remove": N_("the deck is gone"),
    "resolve": N_("what was announced"),
    "cards 52": N_("52 playing cards"),
    "cards 54": N_("52 playing cards and two jokers"),
    "cards tarot": N_("78 tarot cards"),
}
"""`TYPE` or `TYPE KIND` → name of the event; `MEMBER VALUE` → name of a value that does not explain itself"""
