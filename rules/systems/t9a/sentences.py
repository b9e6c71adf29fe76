"""Sentences for the system's events (rules/data/sentences.py)."""

from rules.data.language import N_
from rules.data.sentences import Say, Sentences

__all__ = ["SENTENCES"]

_TERMS = (
    Say(N_("Maximised ({maximised})"), "maximised"),
    Say(N_("Minimised ({minimised})"), "minimised"),
    Say(N_("{modifiers}"), "modifiers"),
    Say(N_("on {target}"), "target"),
    Say(N_("on no target"), "target="),
    Say(N_("{always}"), "always"),
    Say(N_("0° is {zero}"), "zero"),
    Say(N_("{rerolls}"), "rerolls"),
    Say(N_("at once"), "at_once"),
)
_CLAIMS = (
    Say(N_("totals {totals}"), "totals?"),
    Say(N_("successes {successes}"), "successes?"),
    Say(N_("degrees {directions}"), "directions?"),
    Say(N_("faces {faces}"), "faces?"),
)

SENTENCES: Sentences = {
    "roll": (
        Say(N_("a direction for {source}"), "dice=direction", _TERMS),
        Say(N_("a direction by a D6 for {source}"), "dice=direction-d6", _TERMS),
        Say(N_("{times} dice for {source}, for successes"), "of=successes dice=1d6 times", _TERMS),
        Say(N_("{times} dice for {source}, for failures"), "of=failures dice=1d6 times", _TERMS),
        Say(N_("{times} throws of {dice} for {source}, for successes"), "of=successes times", _TERMS),
        Say(N_("{times} throws of {dice} for {source}, for failures"), "of=failures times", _TERMS),
        Say(N_("a die for each success, for {source}"), "of=successes dice=1d6", _TERMS),
        Say(N_("a die for each failure, for {source}"), "of=failures dice=1d6", _TERMS),
        Say(N_("{dice} for each success, for {source}"), "of=successes dice", _TERMS),
        Say(N_("{dice} for each failure, for {source}"), "of=failures dice", _TERMS),
        Say(N_("{times} dice for {source}"), "times>1 dice=1d6", _TERMS),
        Say(N_("{times} dice for {source}"), "times>1 dice=d6", _TERMS),
        Say(N_("{times} throws of {dice} for {source}"), "times>1 dice", _TERMS),
        Say(N_("{dice} for {source}"), "dice", _TERMS),
        Say(N_("no dice for {source}"), "", _TERMS),
    ),
    "declare reroll": (Say(N_("[Add|adds] a reroll rule ({@roll}): {rule}")),),
    "modify": (Say(N_("[Add|adds] a modifier ({@roll}): {modifier}")),),
    "reroll": (
        Say(N_("[Reroll|rerolls] {@throws} ({@roll}), by {@rule}"), "throws"),
        Say(N_("[Reroll|rerolls] {@dice} ({@roll}), by {@rule}"), "dice"),
        Say(N_("[Reroll|rerolls] all that {@rule} allows ({@roll})")),
    ),
    "ignore": (
        Say(N_("[Keep|keeps] the first result of {@throws} ({@roll})"), "throws"),
        Say(N_("[Keep|keeps] the first result of {@dice} ({@roll})"), "dice"),
        Say(N_("[Keep|keeps] no first result ({@roll})")),
    ),
    "resolve": (Say(N_("[Keep|keeps] the dice ({@roll})"), "", _CLAIMS),),
    "Always": (
        Say(N_("a natural {success} always succeeds, a natural {failure} always fails"), "success failure"),
        Say(N_("a natural {success} always succeeds"), "success"),
        Say(N_("a natural {failure} always fails"), "failure"),
        Say(N_("no natural decides by itself")),
    ),
    "Modifier": (
        Say(N_("× {multiply} {source}"), "multiply"),
        Say(N_("{add:+d} {source}")),
    ),
    "RerollRule": tuple(
        Say(
            text,
            f"which={which} {may}",
            (
                Say(N_("{pick} at most"), "pick may"),
                Say(N_("{pick} of them"), "pick !may"),
                Say(N_("dropped dice too"), "dropped"),
                Say(N_("the first result may stand"), "first"),
            ),
        )
        for which, may, text in (
            ("failed", "may", N_("{source}: may reroll failed rolls")),
            ("successful", "may", N_("{source}: may reroll successful rolls")),
            ("any", "may", N_("{source}: may reroll any dice")),
            ("throw", "may", N_("{source}: may reroll the whole throw")),
            ("natural", "may", N_("{source}: may reroll natural {naturals}")),
            ("failed", "!may", N_("{source}: must reroll failed rolls")),
            ("successful", "!may", N_("{source}: must reroll successful rolls")),
            ("any", "!may", N_("{source}: must reroll any dice")),
            ("throw", "!may", N_("{source}: must reroll the whole throw")),
            ("natural", "!may", N_("{source}: must reroll natural {naturals}")),
        )
    ),
}
