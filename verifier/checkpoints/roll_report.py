"""The report on the proof of one roll (specs/roll-proof.md)."""

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec import Struct

from rules.base import Ruling
from rules.data.language import Translate
from verifier.errors import Failure, Finding
from verifier.language import join_names
from verifier.log.bodies import Reveal
from verifier.log.format import Envelope
from verifier.log.terms import Pins, Terms
from verifier.report import Report

__all__ = [
    "ProvenRoll",
    "report_failure",
    "report_roll",
]


class ProvenRoll(Struct, frozen=True):
    """The facts about a roll that its proof has shown so far."""

    terms: Terms
    request: Envelope
    reveal: Reveal
    size: int
    rulings: tuple[tuple[Envelope, Ruling], ...]
    strikes: tuple[Envelope, ...]
    names: bool
    """whether a page shows the names of the parties"""
    counted: bool = False
    """whether the links and the number of the roll could not be chosen: each party opened the link that the number
    requires, and the keeper's is from the chain of event 1
    """

    @property
    def contributors(self) -> list[str]:
        """The parties that contributed to the dice."""
        return [opening.author for opening in self.reveal.openings]

    @property
    def shown(self) -> dict[str, str]:
        """For each party what a page calls it: its name or, if names are hidden, its role and place."""
        roles = self.terms.roles
        if self.names:
            return {name: name for name in roles}
        places: dict[str, list[str]] = {}
        for name, role in roles.items():
            places.setdefault(role, []).append(name)
        return {
            name: role if len(places[role]) == 1 else f"{role} {places[role].index(name) + 1}"
            for name, role in roles.items()
        }


def report_failure(name: str, game: str | None, failure: Failure, _: Translate) -> Report:
    """Return the report on a proof that does not hold; `game` is the game's id in hex, None if it is not known."""
    verdict: Literal["unreadable", "fails"] = "unreadable" if failure.code == "roll-proof.malformed" else "fails"
    finding = Finding(
        failure.code, "error", failure.step, None, "file", None, failure.message(_), failure.expected, failure.actual
    )
    nothing = _("A proof of a roll that does not hold shows nothing.")
    return Report(name, verdict, game, 0, 0, None, (finding,), "", (), (nothing,), None, kind="roll")


def report_roll(name: str, roll: ProvenRoll, pins: Pins, _: Translate) -> Report:
    """Return the report on a proof that holds."""
    terms, request, reveal = roll.terms, roll.request, roll.reveal
    names = join_names(roll.contributors, _)
    trust = _("Nobody could choose or predict these dice unless ALL of {names} worked together.").format(names=names)
    checked = [
        _("Event 0, which fixes the game and the keys; that {keeper} signed that these lines stand in it.").format(
            keeper=terms.keeper
        ),
        _(
            "The request, signed by {author}; the openings of {names} for this very roll; what they had committed to."
        ).format(author=request.author, names=names),
        _("The dice, which follow from these links: {dice}.").format(
            dice=", ".join(f"d{sides}: {natural}" for sides, natural in zip(reveal.sides, reveal.naturals, strict=True))
        ),
    ]
    not_checked = [
        _("Whether these were the dice that the game's rules take for this request, and what they come to."),
        _(
            "Whether the rest of the game holds, and what was ruled about it after event {last}: ask for the log."
        ).format(last=roll.size - 1),
        _("Which of several rolls somebody chose to show."),
    ]
    if not any(key.name == terms.keeper for key in pins.keys):
        not_checked.insert(0, _("Whose keys these are: a stranger can play a game with himself under any names."))
    body = msgspec.json.decode(request.body)
    state = {
        "asked": body,
        "author": request.author,
        "contributors": roll.contributors,
        "naturals": list(reveal.naturals),
        "request": request.seq,
        "rulings": [
            {"seq": event.seq, "judge": event.author, **msgspec.to_builtins(each)} for event, each in roll.rulings
        ],
        "shown": roll.shown,
        "strikes": [{"seq": event.seq, "author": event.author} for event in roll.strikes],
        "sides": list(reveal.sides),
        "system": terms.system,
        "time": request.time,
        "title": terms.title,
    }
    findings = tuple(_notices(roll, _))
    return Report(
        name,
        "holds",
        terms.game.hex(),
        0,
        0,
        None,
        findings,
        trust,
        tuple(checked),
        tuple(not_checked),
        state,
        kind="roll",
    )


def _notices(roll: ProvenRoll, _: Translate) -> Iterable[Finding]:
    may = roll.terms.contributors_of(roll.request.author, frozenset())
    absent = [name for name in may if name not in roll.contributors]
    if absent:
        text = _("{names} had no part in these dice, and the proof does not say why.").format(
            names=join_names(absent, _)
        )
        yield Finding("roll-proof.absent", "notice", 56, roll.request.seq, None, None, text)
    if not roll.counted:
        text = _(
            "That this roll took these links of their chains, and its number, is {keeper}'s word: the log shows it."
        )
        text = text.format(keeper=roll.terms.keeper)
        yield Finding("roll-proof.numbers", "notice", 56, roll.request.seq, None, None, text)
    for event, ruling in roll.rulings:
        text = _("A ruling of {judge} about this roll: {ruling}. {text}")
        text = text.format(judge=event.author, ruling=ruling.ruling, text=ruling.text)
        yield Finding("roll-proof.ruling", "notice", 55, event.seq, None, None, text)
    for event in roll.strikes:
        text = _(
            "{party} agreed to take this roll back: where all who played did, nothing came of it. The log shows "
            "whether they did."
        )
        yield Finding("roll-proof.strike", "notice", 55, event.seq, None, None, text.format(party=event.author))
