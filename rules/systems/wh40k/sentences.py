"""Sentences for the system's events (rules/data/sentences.py)."""

from rules.data.language import N_
from rules.data.sentences import Say, Sentences

__all__ = ["SENTENCES"]

_REROLL = (
    Say(N_("one die at a time"), "apart"),
    Say(N_("at most {most}"), "most"),
    Say(N_("always"), "always"),
    Say(N_("by {by}"), "by"),
)
_WHEN = (Say(N_("only where it is {when}"), "when"),)
_GROUP = (
    Say(N_("models {~bearers}"), "bearers"),
    Say(N_("once"), "once"),
    Say(N_("{modifiers}"), "modifiers"),
    Say(N_("{abilities}"), "abilities"),
    Say(N_("{announced}"), "announced"),
)
_ANNOUNCED = (
    Say(N_("hit {hit}"), "hit?"),
    Say(N_("wound {wound}"), "wound?"),
    Say(N_("S {S}"), "S?"),
    Say(N_("T {T}"), "T?"),
    Say(N_("AP {AP}"), "AP?"),
)
_CHARACTERISTIC = (
    Say(N_("{modifiers}"), "modifiers"),
    Say(N_("said to be {value}"), "value?"),
)
_ATTACKS = (Say(N_("[Shoot or fight with {unit}|attacks with {unit}]: {groups}")),)
_OPS = (
    ("add", N_("+{amount} ({source})"), N_("{on} +{amount} ({source})")),
    ("subtract", N_("-{amount} ({source})"), N_("{on} -{amount} ({source})")),
    ("multiply", N_("x{amount} ({source})"), N_("{on} x{amount} ({source})")),
    ("divide", N_("/{amount} ({source})"), N_("{on} /{amount} ({source})")),
    ("set", N_("set to {amount} ({source})"), N_("{on} set to {amount} ({source})")),
    ("treat", N_("treated as {amount} ({source})"), N_("{on} treated as {amount} ({source})")),
    ("improve", N_("improved by {amount} ({source})"), N_("{on} improved by {amount} ({source})")),
    ("worsen", N_("worsened by {amount} ({source})"), N_("{on} worsened by {amount} ({source})")),
    ("floor", N_("at least {amount} ({source})"), N_("{on} at least {amount} ({source})")),
)

SENTENCES: Sentences = {
    "declare phase": (
        Say(N_("the command phase begins"), "phase=command"),
        Say(N_("the movement phase begins"), "phase=movement"),
        Say(N_("the psychic phase begins"), "phase=psychic"),
        Say(N_("the shooting phase begins"), "phase=shooting"),
        Say(N_("the charge phase begins"), "phase=charge"),
        Say(N_("the fight phase begins"), "phase=fight"),
        Say(N_("the morale phase begins"), "phase=morale"),
    ),
    "declare unit": (Say(N_("[Put|puts] {name} on the table as {unit}: {models}")),),
    "declare gone": (Say(N_("[Take|takes] {unit} off the table")),),
    "declare wounds": (
        Say(N_("model {model} of {unit} has now lost {lost} wound ({source})"), "lost=1"),
        Say(N_("model {model} of {unit} has now lost {lost} wounds ({source})")),
    ),
    "declare move": (
        Say(
            N_("[Move|moves] {unit}"),
            "",
            (Say(N_("{modifiers}"), "modifiers"), Say(N_("again by {source}"), "source")),
        ),
    ),
    "declare characteristic": (
        Say(
            N_("[Ask|asks] what {characteristic} of model {model} of {unit} is"),
            "unit model",
            _CHARACTERISTIC,
        ),
        Say(
            N_("[Ask|asks] what {characteristic} of {unit} is"),
            "unit",
            _CHARACTERISTIC,
        ),
        Say(
            N_("[Ask|asks] what {characteristic} {printed} is"),
            "printed?",
            _CHARACTERISTIC,
        ),
        Say(N_("[Ask|asks] what {characteristic} is"), "", _CHARACTERISTIC),
    ),
    "declare attacks": _ATTACKS,
    "declare rules": (
        Say(
            N_("[Add|adds] rules for attacks {~groups}"),
            "",
            (Say(N_("{modifiers}"), "modifiers"), Say(N_("{abilities}"), "abilities")),
        ),
    ),
    "declare always": (
        Say(N_("[Always reroll {of} of attacks {~groups}|always rerolls {of} of attacks {~groups}]: {reroll}")),
    ),
    "declare mortal": (
        Say(
            N_("[Deal|deals] mortal wounds to {target}, as many as came out ({@roll}), {source}"),
            "roll",
        ),
        Say(N_("[Deal|deals] {count} mortal wound to {target} ({source})"), "count=1"),
        Say(N_("[Deal|deals] {count} mortal wounds to {target} ({source})"), "count"),
        Say(N_("[Deal|deals] mortal wounds to {target} ({source})")),
    ),
    "declare reroll": (Say(N_("[Allow|allows] a reroll ({@roll}): {reroll}")),),
    "declare replace": (Say(N_("[Count|counts] {@die} as {shows} ({@roll}), {source}")),),
    "declare waive": (
        Say(N_("[Leave|leaves] the dice as they are ({@roll})"), "roll"),
        Say(N_("[Use|uses] no Command Re-roll in this phase")),
    ),
    "modify": (Say(N_("[Change|changes] the roll ({@roll}): {modifiers}")),),
    "reroll": (
        Say(
            N_("[Reroll|rerolls] {@dice} with the Command Re-roll ({@roll})"),
            "command dice",
        ),
        Say(N_("[Reroll|rerolls] with the Command Re-roll ({@roll})"), "command"),
        Say(N_("[Reroll|rerolls] {@dice} ({@roll}), by {@reroll}"), "dice"),
        Say(N_("[Reroll|rerolls] what it takes ({@roll}), by {@reroll}")),
    ),
    "resolve": (
        Say(
            N_("[Let|lets] {count} attacks hit without a roll (attacks {~groups})"),
            "groups count",
        ),
        Say(N_("[Let|lets] the attacks hit without a roll (attacks {~groups})"), "groups"),
        Say(N_("model {model} takes {mortal} mortal wounds"), "model mortal>1"),
        Say(N_("model {model} takes {mortal} mortal wound"), "model mortal"),
        Say(N_("model {model} takes the wound, without a save"), "model"),
        Say(
            N_("[Leave|leaves] the dice as they are ({@roll})"),
            "",
            (
                Say(N_("results {results}"), "results?"),
                Say(N_("successes {~passed}"), "passed"),
                Say(N_("no success"), "passed="),
                Say(N_("abilities set off: {triggered}"), "triggered"),
                Say(N_("no ability set off"), "triggered="),
            ),
        ),
    ),
    "roll free": (
        Say(
            N_("{dice} for {source}"),
            "",
            (
                Say(N_("added together"), "sum"),
                Say(N_("as a hit roll"), "test=hit"),
                Say(N_("as a wound roll"), "test=wound"),
                Say(N_("as a save roll"), "test=save"),
                Say(N_("{needs} or less is needed"), "needs? at_most"),
                Say(N_("{needs}+ is needed"), "needs? !at_most"),
                Say(N_("unmodified {passes} always pass"), "passes"),
                Say(N_("unmodified {fails} always fail"), "fails"),
                Say(N_("{modifiers}"), "modifiers"),
                Say(N_("{rerolls}"), "rerolls"),
            ),
        ),
    ),
    "roll off": (
        Say(N_("a roll-off of {players}: {source}"), "players"),
        Say(N_("a roll-off: {source}")),
    ),
    "roll attack": _ATTACKS,
    "roll move": (Say(N_("the Move of {unit}")),),
    "roll attacks": (Say(N_("the number of attacks {group}")),),
    "roll hit": (
        Say(N_("to hit with {count} of attacks {~groups}"), "count"),
        Say(N_("to hit with attacks {~groups}")),
    ),
    "roll extra": (Say(N_("the number of further hits")),),
    "roll strength": (Say(N_("the Strength of the hits")),),
    "roll wound": (Say(N_("to wound")),),
    "roll save": tuple(
        Say(text, when, (Say(N_("from model {model}"), "model"),))
        for when, text in (
            ("invulnerable count>1", N_("{count} invulnerable saves")),
            ("invulnerable count", N_("{count} invulnerable save")),
            ("invulnerable", N_("invulnerable saves")),
            ("count>1", N_("{count} saves")),
            ("count", N_("{count} save")),
            ("", N_("saves")),
        )
    ),
    "roll damage": (Say(N_("the damage")),),
    "roll ignore": (
        Say(N_("to ignore {count} mortal wounds on model {model}"), "count>1"),
        Say(N_("to ignore {count} mortal wound on model {model}"), "count"),
        Say(N_("to ignore damage")),
    ),
    "roll mortal": (Say(N_("the number of mortal wounds")),),
    "Announced": (Say(N_("as announced"), "", _ANNOUNCED),),
    "AutoHit": (Say(N_("hits without a roll ({source})")),),
    "Blast": (Say(N_("blast ({source})")),),
    "Change": tuple(Say(text, f"op={op}", _WHEN) for op, text, _ in _OPS),
    "Modifier": tuple(Say(text, f"op={op}", _WHEN) for op, _, text in _OPS),
    "Fails": (Say(N_("{on} of unmodified {results} fails ({source})")),),
    "Passes": (Say(N_("{on} of unmodified {results} passes ({source})")),),
    "WoundsOn": (Say(N_("wounds on {needs}+ ({source})")),),
    "Group": (
        Say(N_("{weapon} at {target} (ranged, A {A}, S {S}, AP {AP}, D {D})"), "type=ranged", _GROUP),
        Say(N_("{weapon} at {target} (melee, A {A}, S {S}, AP {AP}, D {D})"), "", _GROUP),
    ),
    "Line": (
        Say(
            N_("{count} {name} (M {M}, WS {WS}, BS {BS}, S {S}, T {T}, W {W}, A {A}, Ld {Ld}, Sv {Sv})"),
            "",
            (
                Say(N_("invulnerable {invulnerable}+"), "invulnerable"),
                Say(N_("ignores wounds on {ignores_wounds}+"), "ignores_wounds"),
                Say(N_("ignores mortal wounds on {ignores_mortal}+"), "ignores_mortal"),
            ),
        ),
    ),
    "Reroll": (
        Say(N_("{source} rerolls what failed"), "failed", _REROLL),
        Say(N_("{source} rerolls {results}"), "results", _REROLL),
        Say(N_("{source} rerolls any roll"), "", _REROLL),
    ),
    "RerollAbility": (
        Say(N_("{source} rerolls {of} that failed"), "failed", _REROLL),
        Say(N_("{source} rerolls {of} of {results}"), "results", _REROLL),
        Say(N_("{source} rerolls any {of}"), "", _REROLL),
    ),
    "Trigger": tuple(
        Say(
            text,
            f"does={does}",
            (Say(N_("unmodified"), "unmodified"), Say(N_("and the attack ends"), "instead")),
        )
        for does, text in (
            ("extra_hits amount=1", N_("{on} of {results}: {amount} further hit ({source})")),
            ("extra_hits", N_("{on} of {results}: {amount} further hits ({source})")),
            ("extra_attacks amount=1", N_("{on} of {results}: {amount} further attack ({source})")),
            ("extra_attacks", N_("{on} of {results}: {amount} further attacks ({source})")),
            ("wound", N_("{on} of {results}: wounds without a roll ({source})")),
            ("mortal amount=1", N_("{on} of {results}: {amount} mortal wound later ({source})")),
            ("mortal", N_("{on} of {results}: {amount} mortal wounds later ({source})")),
            ("improve_ap", N_("{on} of {results}: AP improved by {amount} ({source})")),
            ("slay", N_("{on} of {results}: slays the bearer ({source})")),
        )
    ),
    "Triggered": (Say(N_("ability {ability} (dice {~parts})")),),
}
