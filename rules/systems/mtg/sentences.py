"""Sentences for the system's events (rules/data/sentences.py)."""

from rules.data.language import N_
from rules.data.sentences import Say, Sentences

__all__ = ["SENTENCES"]

_TERMS = (
    Say(N_("{modifiers}"), "modifiers"),
    Say(N_("{ignores}"), "ignores"),
    Say(N_("nothing is ignored"), "ignores="),
    Say(N_("{effects}"), "effects"),
    Say(N_("results table: {table}"), "table"),
    Say(N_("use: {use}"), "use"),
    Say(N_("doubles: {doubles}"), "doubles"),
    Say(N_("to be stored on {store}"), "store"),
    Say(N_("calls {call}"), "call"),
    Say(N_("standing effects left out: {without}"), "without"),
)
_PAID = (
    Say(N_("{amount:+d}"), "amount"),
    Say(N_("paid"), "paid"),
    Say(N_("mana abilities: {mana_abilities}"), "mana_abilities"),
    Say(N_("mana abilities: none"), "mana_abilities="),
)
_WHOSE = (
    Say(N_("rolls of opponents"), "whose=opponents"),
    Say(N_("rolls of any player"), "whose=any"),
    Say(N_("as long as {permanent} is there"), "permanent"),
)
_CLAIMS = (
    Say(N_("results {results}"), "results?"),
    Say(N_("rows {rows}"), "rows?"),
    Say(N_("doubles"), "doubles=true"),
    Say(N_("no doubles"), "doubles=false"),
    Say(N_("total {total}"), "total?"),
    Say(N_("highest {highest}"), "highest?"),
    Say(N_("lowest {lowest}"), "lowest?"),
    Say(N_("heads: {heads}"), "heads?"),
    Say(N_("flips won: {won}"), "won?"),
    Say(N_("the highest total: {best}"), "best?"),
)
_EFFECT = (
    Say(N_("one die"), "scope=one"),
    Say(N_("one die or more"), "scope=any"),
    Say(N_("every die"), "scope=each"),
    Say(N_("optional"), "optional"),
    Say(N_("cost: {cost}"), "cost"),
    Say(N_("mana cost: {mana_cost}"), "mana_cost"),
    Say(N_("for this roll alone"), "once"),
    Say(N_("{only} alone"), "only"),
)
_IGNORES = (
    Say(N_("dice added: {extra} (d{sides})"), "extra>0 sides"),
    Say(N_("dice added: {extra}"), "extra>0 !sides"),
    Say(N_("dice to ignore: {count}"), "count>1"),
    Say(N_("{only} alone"), "only"),
)

SENTENCES: Sentences = {
    "roll": (
        Say(N_("[Roll|rolls] again ({@again})"), "again", _TERMS),
        Say(N_("{dice} in the same ability ({@joins})"), "joins dice", _TERMS),
        Say(N_("[Roll|rolls] in the same ability ({@joins})"), "joins", _TERMS),
        Say(N_("[Choose|chooses] at random: {dice} for {source}"), "random dice", _TERMS),
        Say(N_("[Choose|chooses] at random for {source}"), "random", _TERMS),
        Say(N_("the planar die for {source}"), "dice=planar", _TERMS),
        Say(N_("[Flip|flips] a coin for {source}"), "dice=coin", _TERMS),
        Say(N_("[Flip|flips] a coin for {source}"), "dice=1coin", _TERMS),
        Say(N_("{dice} for {source}"), "dice", _TERMS),
        Say(N_("no dice for {source}"), "", _TERMS),
    ),
    "reroll": (
        Say(
            N_("[Reroll|rerolls] the stored results {~stored} of {permanent} ({source})"),
            "permanent",
            (Say(N_("by {by}"), "by"), *_TERMS[:3], _TERMS[-1]),
        ),
        Say(N_("[Reroll|rerolls] {@dice} ({@roll}), by {@effect}"), "dice", _PAID[1:]),
        Say(N_("[Reroll|rerolls] every die ({@roll}), by {@effect}"), "", _PAID[1:]),
    ),
    "modify": (
        Say(N_("[Decline|declines] {@effect} ({@roll})"), "choice=decline"),
        Say(N_("[Apply|applies] {@effect} to {@dice} ({@roll})"), "dice", _PAID),
        Say(N_("[Apply|applies] {@effect} to every die ({@roll})"), "", _PAID),
    ),
    "ignore": (
        Say(N_("[Ignore|ignores] {@dice} ({@roll})"), "dice"),
        Say(N_("[Ignore|ignores] no die ({@roll})")),
    ),
    "resolve": (
        Say(N_("[Do|does] not roll again ({@roll})"), "again=false", _CLAIMS),
        Say(N_("[End|ends] the roll ({@roll})"), "", _CLAIMS),
    ),
    "declare effect": (
        Say(
            N_("[Add|adds] an effect ({@roll}): {effect}"),
            "",
            (Say(N_("{controller} controls it"), "controller"),),
        ),
    ),
    "declare standing": (
        Say(N_("from now on: {ignore}"), "ignore", _WHOSE),
        Say(N_("from now on: {effect}"), "", _WHOSE),
    ),
    "declare trigger": tuple(
        Say(text, f"on={on} whose={whose}")
        for on, whose, text in (
            ("won", "you", N_("{source}: whenever you win a coin flip")),
            ("won", "opponents", N_("{source}: whenever an opponent wins a coin flip")),
            ("won", "any", N_("{source}: whenever a player wins a coin flip")),
            ("lost", "you", N_("{source}: whenever you lose a coin flip")),
            ("lost", "opponents", N_("{source}: whenever an opponent loses a coin flip")),
            ("lost", "any", N_("{source}: whenever a player loses a coin flip")),
            ("rolled", "you", N_("{source}: whenever you roll one or more dice")),
            ("rolled", "opponents", N_("{source}: whenever an opponent rolls one or more dice")),
            ("rolled", "any", N_("{source}: whenever a player rolls one or more dice")),
            ("die", "you", N_("{source}: whenever you roll a die")),
            ("die", "opponents", N_("{source}: whenever an opponent rolls a die")),
            ("die", "any", N_("{source}: whenever a player rolls a die")),
            ("result", "you", N_("{source}: whenever you roll a result of {range}")),
            ("result", "opponents", N_("{source}: whenever an opponent rolls a result of {range}")),
            ("result", "any", N_("{source}: whenever a player rolls a result of {range}")),
            ("natural", "you", N_("{source}: whenever you roll a natural result of {range}")),
            ("natural", "opponents", N_("{source}: whenever an opponent rolls a natural result of {range}")),
            ("natural", "any", N_("{source}: whenever a player rolls a natural result of {range}")),
            ("highest", "you", N_("{source}: whenever you roll a die's highest natural result")),
            ("highest", "opponents", N_("{source}: whenever an opponent rolls a die's highest natural result")),
            ("highest", "any", N_("{source}: whenever a player rolls a die's highest natural result")),
        )
    ),
    "declare permanent": (Say(N_("{permanent} is there: {name}")),),
    "declare gone": (Say(N_("{permanent} is gone")),),
    "declare ends": (
        Say(N_("{@trigger} has ended"), "trigger"),
        Say(N_("{@standing} has ended"), "standing"),
        Say(N_("{@effect} has ended ({@roll})")),
    ),
    "Modifier": (Say(N_("{amount:+d} ({source})")),),
    "Effect": (
        Say(N_("{source}: reroll (706.2b)"), "kind=reroll", _EFFECT),
        Say(N_("{source}: adjust by {amounts}"), "kind=adjust", _EFFECT),
        Say(N_("{source}: exchange the result with {number}"), "kind=exchange", _EFFECT),
    ),
    "Ignores": (
        Say(N_("ignore the lowest ({source})"), "which=lowest", _IGNORES),
        Say(N_("ignore the highest ({source})"), "which=highest", _IGNORES),
        Say(N_("ignore any ({source})"), "which=any", _IGNORES),
        Say(N_("roll each die twice and ignore one of each pair ({source})"), "which=pair", _IGNORES),
    ),
    "Row": (
        Say(N_("{range}: {effect} (roll again)"), "again=true"),
        Say(N_("{range}: {effect} (you may roll again)"), "again=may"),
        Say(N_("{range}: {effect}")),
    ),
}
