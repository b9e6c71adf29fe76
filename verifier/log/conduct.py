"""What a log tells of its parties besides the dice: for the notices and the trust statement (specs/verification.md)."""

from collections.abc import Collection
from typing import Any, TypeVar

from msgspec import UNSET, Struct

from rules import Body, Ruling
from rules.session import Back
from verifier.dice.pending import PendingRoll
from verifier.dice.voided import Count, VoidedRoll
from verifier.log.format import JoinBody

__all__ = ["Conduct"]

_Key = TypeVar("_Key")


class Conduct(Struct):
    """Counted as events are taken, each in the order of its first."""

    contributor_sets: dict[tuple[str, ...], int] = {}
    """contributors → number of rolls revealed with them"""
    voids: dict[str, Count] = {}
    """by author"""
    closers: dict[str, tuple[str, ...]] = {}
    """by author of voids: who was to close their rolls, where the author is the closer or names it"""
    named_missing: dict[str, tuple[str, ...]] = {}
    """by author of voids: whom they named"""
    opened_and_voided: dict[str, Count] = {}
    """by closer: rolls that it voided, with its own opening in the disclose"""
    objections: dict[str, Count] = {}
    """by party: openings that it shows of which the keeper's judge says that they did not come"""
    struck: dict[str, Count] = {}
    corrected: dict[str, Count] = {}
    """by judge"""
    late: dict[str, tuple[int, bool]] = {}
    """party → which event admitted it, and whether by the host's word"""
    secret: dict[tuple[str, str], Count] = {}
    """by holder and who asked: secret rolls that were revealed"""
    shown_secret: dict[tuple[str, str], int] = {}
    """the same: how many of them the holder has shown"""
    removed: dict[str, tuple[str, int]] = {}
    """party → who took it out, and by which event"""
    signed_away: dict[str, tuple[str, Count]] = {}
    """party → by whom last, and how often"""
    without: dict[int, tuple[str, ...]] = {}
    """by request: who had no part in a revealed roll because somebody else had signed them away"""
    accepted: dict[str, int] = {}
    """by party: its latest event that accepts the rolls that were made without it"""
    left_waiting: VoidedRoll | None = None
    """the roll that waited when the game was closed"""
    checks: tuple[str, ...] = ()
    """who said in its join that its program knows the rules"""

    def copy(self) -> "Conduct":
        """An independent copy."""
        known = (getattr(self, name) for name in self.__struct_fields__)
        copied: list[Any] = [each.copy() if isinstance(each, dict) else each for each in known]
        return Conduct(*copied)

    def revealed(self, roll: PendingRoll) -> None:
        """A roll was revealed."""
        self.contributor_sets[roll.contributors] = self.contributor_sets.get(roll.contributors, 0) + 1
        if roll.without:
            self.without[roll.seq] = roll.without

    def unaccepted(self, request: int) -> tuple[str, ...]:
        """Without whom a roll was made who has not accepted it (specs/protocol.md, "Rolls without somebody")."""
        return tuple(name for name in self.without.get(request, ()) if self.accepted.get(name, -1) < request)

    def made_without(self) -> dict[str, tuple[Count, int]]:
        """By party, in the order of the first: of how many rolls it had no part, and how many of them it accepted."""
        found: dict[str, tuple[Count, int]] = {}
        for request, names in self.without.items():
            for name in names:
                count, accepted = found.get(name, (Count(0, request), 0))
                accepted += request < self.accepted.get(name, -1)
                found[name] = Count(count.count + 1, count.first), accepted
        return found

    def voided(self, roll: VoidedRoll) -> None:
        """A roll was voided."""
        _count(self.voids, roll.by, roll.ended)
        _add(self.named_missing, roll.by, roll.missing)
        _add(self.closers, roll.by, tuple({roll.pending.closer} & {roll.by, *roll.missing}))

    def disclosed(self, roll: VoidedRoll, opened: Collection[str]) -> None:
        """The keeper disclosed the openings of these for a roll that was voided."""
        if roll.by in opened:  # a judge opens nothing
            _count(self.opened_and_voided, roll.by, roll.ended)

    def objected_to(self, party: str, seq: int) -> None:
        """A party showed an opening that the keeper's judge called missing."""
        _count(self.objections, party, seq)

    def kept_secret(self, holder: str, author: str, seq: int) -> None:
        """A secret roll that `author` asked for was revealed: its holder alone knows the dice."""
        _count(self.secret, (holder, author), seq)

    def shown(self, holder: str, author: str) -> None:
        """A holder showed a secret roll that `author` asked for."""
        self.shown_secret[holder, author] = self.shown_secret.get((holder, author), 0) + 1

    def admitted(self, party: str, seq: int, *, by_host: bool) -> None:
        """The keeper let a party in."""
        self.late[party] = seq, by_host

    def gone(self, party: str, author: str, seq: int) -> None:
        """Somebody else took a party out."""
        self.removed[party] = author, seq

    def away(self, party: str, author: str, seq: int) -> None:
        """Somebody else signed a party away, and it took effect."""
        known = self.signed_away.get(party)
        count = Count(1, seq) if known is None else Count(known[1].count + 1, known[1].first)
        self.signed_away[party] = author, count

    def said(self, body: Body, author: str, seq: int) -> None:
        """A party joined, came back or ruled."""
        if isinstance(body, JoinBody) and body.checks is not UNSET:
            self.checks += (author,)
        if isinstance(body, Back) and body.accept is not UNSET:
            self.accepted[author] = seq
        if isinstance(body, Ruling) and body.ruling == "void":
            _count(self.struck, author, seq)
        if isinstance(body, Ruling) and body.ruling == "correct" and body.results is not UNSET:
            _count(self.corrected, author, seq)


def _count(counts: dict[_Key, Count], name: _Key, seq: int) -> None:
    old = counts.get(name)
    counts[name] = Count(old.count + 1, old.first) if old else Count(1, seq)


def _add(names: dict[str, tuple[str, ...]], author: str, more: tuple[str, ...]) -> None:
    known = names.get(author, ())
    names[author] = known + tuple(name for name in more if name not in known)
