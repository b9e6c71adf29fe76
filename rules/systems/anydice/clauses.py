"""The clauses of the system, with how the verifier enforces each (specs/dice-1.md, "Clauses")."""

from rules.base import Clause
from rules.data.language import N_

__all__ = ["CLAUSES"]


def _clause(number: str, asks: str, enforced: str, holds: str, violates: str = "", unviolable: str = "") -> Clause:
    path = f"dice/{number}--"
    return Clause(number, asks, enforced, path + holds, f"{path}{violates}.violates" if violates else "", unviolable)


CLAUSES = (
    _clause(
        "D1",
        N_("Dice are written in the notation."),
        N_("Any other text is refused, with the place and what would be right."),
        "ability-score",
        "unknown-letter",
    ),
    _clause(
        "D2",
        N_("Numbers and sizes have bounds."),
        N_("Too many dice, repetitions or faces, and numbers that could be too large, are refused."),
        "thousand-dice",
        "a-die-too-many",
    ),
    _clause(
        "D3",
        N_("Dice are rerolled as written, once or until they no longer match."),
        N_("The further dice come from the roll's one stream; rerolls without end are refused."),
        "until-no-longer",
        "for-ever",
    ),
    _clause(
        "D4",
        N_("Dice explode as written, all together, wave by wave."),
        N_("The further dice come from the roll's one stream; explosions without end are refused."),
        "wave-by-wave",
        "for-ever",
    ),
    _clause(
        "D5",
        N_("The throws that keep and drop leave count."),
        N_("Computed; advantage for several dice is refused."),
        "keep-then-drop",
        "advantage-of-two",
    ),
    _clause(
        "D6",
        N_("Successes are counted, failures taken away."),
        N_("Computed; failures, and what counts twice, are refused without successes."),
        "shadowrun-pool",
        "failures-alone",
    ),
    _clause(
        "D7",
        N_("The total is computed, divisions rounded as written."),
        N_("An announced total must agree."),
        "rounding",
        "wrong-total",
    ),
    _clause(
        "D8",
        N_("A roll passes or fails against its target."),
        N_("Computed; an announced pass must agree."),
        "at-least-and-at-most",
        "said-to-pass",
    ),
    _clause(
        "D9",
        N_("A table says what a total means."),
        N_("Ranges that overlap, run backward or are none are refused; the row is computed."),
        "three-outcomes",
        "overlap",
    ),
    _clause(
        "D10",
        N_("A gm calls, and those called answer, once."),
        N_("Calls by players, and answers of others, twice or without dice, are refused."),
        "everybody-saves",
        "not-called",
    ),
    _clause(
        "D11",
        N_("A deck is a declared list; its declarer and a gm handle it."),
        N_("Another's deck, and an item that is not out, are refused."),
        "put-back",
        "anothers-deck",
    ),
    _clause(
        "D12",
        N_("Items are drawn without replacement, each equally likely."),
        N_("Each is a die with as many sides as items are left; drawing more than are left is refused."),
        "initiative",
        "more-than-left",
    ),
    _clause(
        "D13",
        N_("Items drawn to a hand are held, open to all, until they are played."),
        N_("The hands are replayed; only held items are played."),
        "held-then-played",
        "not-held",
    ),
    _clause(
        "D14",
        N_("A secret roll is one list of dice, known when it is requested."),
        N_("Rerolls, explosions and other sides than the dice have are refused; only the holder computes the dice."),
        "fixed-dice",
        "explodes",
    ),
)
