"""Sentences for the system's events (rules/data/sentences.py)."""

from rules.data.language import N_
from rules.data.sentences import Say, Sentences

__all__ = ["SENTENCES"]

_TARGET = (
    Say(N_("{least} to {most}"), "least most"),
    Say(N_("{least} or more"), "least !most"),
    Say(N_("{most} or less"), "most !least"),
)
_PURPOSE = (Say(N_("for {source}"), "source"),)

SENTENCES: Sentences = {
    "roll": (
        Say(N_("{dice} for {source}, in secret: {sealed} alone sees the dice"), "sealed source"),
        Say(N_("{dice} for what is hidden, in secret: {sealed} alone sees the dice"), "sealed hidden"),
        Say(N_("{dice}, in secret: {sealed} alone sees the dice"), "sealed"),
        Say(N_("[Answer|answers] {@call} with {dice}"), "call dice"),
        Say(N_("[Answer|answers] {@call}"), "call"),
        Say(N_("[Draw {draw} from {deck} to your hand|draws {draw} from {deck} to hand]"), "deck draw hand", _PURPOSE),
        Say(N_("[Draw from {deck} to your hand|draws from {deck} to hand]"), "deck hand", _PURPOSE),
        Say(N_("[Draw|draws] {draw} from {deck}"), "deck draw", _PURPOSE),
        Say(N_("[Draw|draws] from {deck}"), "deck", _PURPOSE),
        Say(N_("{dice} for {source}"), "source", (*_TARGET, Say(N_("by the table {table}"), "table"))),
        Say(N_("{dice}"), "", (*_TARGET, Say(N_("by the table {table}"), "table"))),
    ),
    "declare call": (
        Say(
            N_("[Call|calls] for {source}"),
            "",
            (Say(N_("{dice}"), "dice"), *_TARGET, Say(N_("for {parties}"), "parties")),
        ),
    ),
    "declare withdraw": (Say(N_("[Take|takes] back {@call}")),),
    "declare deck": (Say(N_("[Make|makes] the deck {deck}: {items}")),),
    "declare cards": (Say(N_("[Make|makes] the deck {deck}: {cards}")),),
    "declare play": (Say(N_("[Play|plays] {items}, of {deck}")),),
    "declare return": (Say(N_("[Put|puts] {item} back into {deck}")),),
    "declare shuffle": (Say(N_("[Shuffle|shuffles] {deck}, with all back in it that nobody holds")),),
    "declare remove": (Say(N_("[Remove|removes] the deck {deck}")),),
    "resolve": (
        Say(
            N_("[Say|says] what came out ({@roll})"),
            "",
            (Say(N_("totals {totals}"), "totals"), Say(N_("passed: {passed}"), "passed")),
        ),
    ),
    "Item": (Say(N_("{count} × {item}"), "count"), Say(N_("{item}"))),
    "Row": (Say(N_("{range}: {effect}")),),
}
