"""Names of the events and of values in them (specs/mtg.md)."""

from collections.abc import Mapping

from rules.data.language import N_

__all__ = ["TITLES"]

TITLES: Mapping[str, str] = {
    "roll": N_("a roll"),
    "reroll": N_("dice are rolled again"),
    "ignore": N_("dice are ignored"),
    "modify": N_("an effect is applied or declined"),
    "resolve": N_("the end of a roll"),
    "declare effect": N_("an effect that would modify the roll"),
    "declare standing": N_("an effect that stands from now on"),
    "declare trigger": N_("an ability that triggers on rolls"),
    "declare permanent": N_("a permanent that can store results or has standing effects"),
    "declare gone": N_("a permanent has left the battlefield"),
    "declare ends": N_("an effect or ability has ended"),
    "call heads": N_("heads"),
    "call tails": N_("tails"),
    "kind reroll": N_("the die is rolled again"),
    "kind adjust": N_("the result is adjusted"),
    "kind exchange": N_("the result is exchanged"),
    "scope each": N_("each die"),
    "scope one": N_("one die"),
    "scope any": N_("any number of dice"),
    "which lowest": N_("the lowest"),
    "which highest": N_("the highest"),
    "which any": N_("any, as the player chooses"),
    "which pair": N_("one of each pair"),
    "again may": N_("“You may roll again.”"),
    "again True": N_("“Roll again.”"),
    "again False": N_("“You may roll again.” is declined"),
    "choice apply": N_("it is applied"),
    "choice decline": N_("it is declined"),
    "on rolled": N_("whenever dice are rolled"),
    "on die": N_("for each die"),
    "on result": N_("a certain result"),
    "on natural": N_("a certain natural result"),
    "on highest": N_("the highest natural result that the die can show"),
    "on won": N_("a coin flip that is won"),
    "on lost": N_("a coin flip that is lost"),
    "whose you": N_("the controller's"),
    "whose opponents": N_("the opponents'"),
    "whose any": N_("everybody's"),
}
"""`TYPE` or `TYPE KIND` → name of the event; `MEMBER VALUE` → name of a value that does not explain itself"""
