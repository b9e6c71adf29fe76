"""What the events and the words in them are called (specs/wh40k.md)."""

from collections.abc import Mapping

from rules.language import N_

__all__ = ["TITLES"]

TITLES: Mapping[str, str] = {
    "roll free": N_("dice for anything but attacks"),
    "roll attack": N_("attacks, and their first dice"),
    "roll move": N_("a random Move"),
    "roll attacks": N_("a random number of attacks"),
    "roll hit": N_("a hit roll"),
    "roll strength": N_("a random Strength"),
    "roll wound": N_("a wound roll"),
    "roll save": N_("a saving throw"),
    "roll damage": N_("a damage roll"),
    "roll ignore": N_("dice to ignore wounds"),
    "roll mortal": N_("how many mortal wounds"),
    "reroll": N_("dice are rerolled"),
    "modify": N_("further changes of a roll"),
    "resolve": N_("a step without dice"),
    "declare phase": N_("a phase begins"),
    "declare unit": N_("a unit"),
    "declare gone": N_("a unit is gone"),
    "declare wounds": N_("wounds of a model"),
    "declare move": N_("a unit moves"),
    "declare characteristic": N_("a characteristic is worked out"),
    "declare attacks": N_("attacks"),
    "declare rules": N_("more rules for attacks under way"),
    "declare always": N_("what is always rerolled"),
    "declare mortal": N_("mortal wounds"),
    "declare reroll": N_("a further reroll rule"),
    "declare replace": N_("a die counts as another"),
    "declare waive": N_("a reroll is done without"),
    "op set": N_("is set to"),
    "op divide": N_("divided by"),
    "op multiply": N_("multiplied by"),
    "op add": N_("plus"),
    "op worsen": N_("worse by"),
    "op subtract": N_("minus"),
    "op improve": N_("better by"),
    "op floor": N_("at least"),
    "op treat": N_("is treated as"),
    "does extra_hits": N_("more hits"),
    "does extra_attacks": N_("more attacks"),
    "does wound": N_("it wounds"),
    "does mortal": N_("mortal wounds"),
    "does improve_ap": N_("a better Armour Penetration"),
    "does slay": N_("a model is slain"),
    "kind reroll": N_("lets dice be rerolled"),
    "kind trigger": N_("is set off by a result"),
    "kind auto-hit": N_("hits without a roll"),
    "kind blast": N_("Blast"),
}
"""by `TYPE`, or `TYPE KIND`; and by `MEMBER VALUE` what a value of a member is called that does not speak for itself"""
