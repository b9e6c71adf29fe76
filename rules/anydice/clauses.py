"""The clauses in our own words, and how a log is held to each (specs/dice-1.md, "Clauses")."""

from rules.base import Clause

__all__ = ["CLAUSES"]


def _clause(number: str, asks: str, enforced: str, holds: str, violates: str = "", unviolable: str = "") -> Clause:
    path = f"dice/{number}--"
    return Clause(number, asks, enforced, path + holds, f"{path}{violates}.violates" if violates else "", unviolable)


CLAUSES = (
    _clause(
        "D1",
        "Dice are written in the notation.",
        "Any other text is refused, with the place and what would be right.",
        "ability-score",
        "unknown-letter",
    ),
    _clause(
        "D2",
        "There is an end to it.",
        "Too many dice, repetitions or faces, and numbers that could be too large, are refused.",
        "thousand-dice",
        "a-die-too-many",
    ),
    _clause(
        "D3",
        "Dice are rerolled as written, once or until they no longer match.",
        "The further dice come from the roll's one stream; rerolls without end are refused.",
        "until-no-longer",
        "for-ever",
    ),
    _clause(
        "D4",
        "Dice explode as written, all together, wave by wave.",
        "The further dice come from the roll's one stream; explosions without end are refused.",
        "wave-by-wave",
        "for-ever",
    ),
    _clause(
        "D5",
        "What keep and drop leave counts.",
        "Computed; advantage for several dice is refused.",
        "keep-then-drop",
        "advantage-of-two",
    ),
    _clause(
        "D6",
        "Successes are counted, failures taken away.",
        "Computed; failures and doubles without successes are refused.",
        "shadowrun-pool",
        "failures-alone",
    ),
    _clause(
        "D7",
        "The total is computed, divisions rounded as written.",
        "An announced total must agree.",
        "rounding",
        "wrong-total",
    ),
    _clause(
        "D8",
        "A roll passes or fails against its target.",
        "Computed; an announced pass must agree.",
        "at-least-and-at-most",
        "said-to-pass",
    ),
    _clause(
        "D9",
        "A table says what a total means.",
        "Ranges that overlap, run backward or are none are refused; the row is computed.",
        "three-outcomes",
        "overlap",
    ),
    _clause(
        "D10",
        "A gm calls, who is called answers, once.",
        "Calls by players, and answers of others, twice or without dice, are refused.",
        "everybody-saves",
        "not-called",
    ),
    _clause(
        "D11",
        "A deck is a declared list; who declared it and a gm handle it.",
        "Another's deck, and what is not out, are refused.",
        "put-back",
        "anothers-deck",
    ),
    _clause(
        "D12",
        "Items are drawn without replacement, each equally likely.",
        "Each is a die of as many sides as are left; more than are left are refused.",
        "initiative",
        "more-than-left",
    ),
)
