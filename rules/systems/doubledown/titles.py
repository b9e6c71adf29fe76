"""Names of the events and of values in them (specs/doubledown.md)."""

from collections.abc import Mapping

from rules.data.language import N_

__all__ = ["TITLES"]

TITLES: Mapping[str, str] = {
    "roll": N_("a roll"),
    "reroll": N_("doubling down"),
    "modify": N_("a part in a group's roll"),
    "resolve": N_("the first die stands"),
    "declare sheet": N_("a character sheet"),
    "declare confirm": N_("a sheet is confirmed"),
    "declare call": N_("a call for a roll"),
    "declare withdraw": N_("a call is off"),
    "declare rest": N_("a character rested"),
    "declare roller": N_("who rolls for the group"),
    "declare vote": N_("a vote on doubling down"),
    "declare spend": N_("a purchase with boons or banes"),
    "buy stress": N_("stress"),
    "buy tag": N_("a tag that is recovered"),
    "buy drive": N_("drive"),
    "buy story": N_("a turn of the story"),
    "buy tension": N_("tension"),
    "buy complication": N_("a complication"),
}
"""`TYPE` or `TYPE KIND` → name of the event; `MEMBER VALUE` → name of a value that does not explain itself"""
