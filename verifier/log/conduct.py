"""The conduct of the parties besides the dice, for notices and the trust statement (specs/verification.md)."""

from collections.abc import Collection
from typing import Any, Literal, NamedTuple, TypeVar

from msgspec import UNSET, Struct

from rules import Body, Event, Ruling
from rules.base import given
from rules.parties import KeyWord
from rules.protocol import Back
from verifier.dice.pending import PendingRoll
from verifier.dice.voided import NoticeCount, VoidedRoll
from verifier.log.bodies import Appointment, Correction, JoinBody

__all__ = ["MAX_CHANGES", "Conduct", "LateArrival", "Replacement", "TableChange", "TakenBack"]

MAX_CHANGES = 1_000
"""changes of one game that are kept"""

_Key = TypeVar("_Key")


class LateArrival(NamedTuple):
    """The coming of a party that event 0 does not name."""

    seq: int
    """the number of the event that admitted it"""
    by_host: bool
    """whether the host gave its word"""
    organizer: str | None
    """the organizer of the event who appointed this judge"""


class Replacement(Struct, frozen=True):
    """A new key of a party that took effect."""

    party: str
    word: KeyWord
    by: tuple[str, ...]
    """whose word it was: the parties that consented to it, or the organizer and the judge; empty if the recovery key
    signed
    """


class TakenBack(Struct, frozen=True):
    """A roll that all who played took back."""

    request: int
    roller: str
    by: tuple[str, ...]
    """the parties that agreed, in party order"""
    naturals: tuple[int, ...]


class TableChange(Struct, frozen=True):
    """An event by which somebody changed a roll, or who plays; None for what it does not have."""

    event: int
    what: Literal["void", "set", "off", "taken-back", "replaced", "removed", "away"]
    by: tuple[str, ...]
    roll: int | None = None
    """the number of the request"""
    declared: int | None = None
    """the number of the `declare`"""
    party: str | None = None
    missing: tuple[str, ...] | None = None
    """the parties that had not opened, by the author's word"""
    results: tuple[tuple[int, int], ...] | None = None
    """dice, and the results that they got"""
    text: str | None = None


class Conduct(Struct):
    """Records of what parties did, updated event by event. Each record keeps the order of its first entries."""

    contributor_sets: dict[tuple[str, ...], int] = {}
    """contributors → number of rolls revealed with them"""
    voids: dict[str, NoticeCount] = {}
    """author → voids"""
    closers: dict[str, tuple[str, ...]] = {}
    """author of voids → closers of the rolls, if the author is the closer or names it as missing"""
    named_missing: dict[str, tuple[str, ...]] = {}
    """author of voids → parties that it named as missing"""
    opened_and_voided: dict[str, NoticeCount] = {}
    """closer → rolls that it voided although it had opened, as the disclose shows"""
    objections: dict[str, NoticeCount] = {}
    """party → its openings, shown in objections, that the keeper's judge had called missing"""
    struck: dict[str, NoticeCount] = {}
    corrected: dict[str, NoticeCount] = {}
    """judge → rulings that have an effect; also for `struck`"""
    rolls: dict[int, None] = {}
    """numbers of the revealed requests `roll` that were neither ruled void nor taken back"""
    declared: dict[int, None] = {}
    """numbers of the `declare`s that were not ruled void"""
    taken_back: dict[int, TakenBack] = {}
    """number of the `strike` with which all had agreed → the roll"""
    late: dict[str, LateArrival] = {}
    """party → its coming"""
    replaced: dict[int, Replacement] = {}
    """number of the `join` with which it took effect → the new key"""
    recovery: dict[str, str] = {}
    """party → recovery key (hex) that its join with its present key named"""
    secret: dict[tuple[str, str], NoticeCount] = {}
    """(holder, requester) → secret rolls that were revealed"""
    shown_secret: dict[tuple[str, str], int] = {}
    """(holder, requester) → number of these that the holder has shown"""
    event_words: dict[int, Appointment | Correction] = {}
    """number of an `admit` or `replace` → the act of an organizer of the event that it contains"""
    word_times: dict[int, str] = {}
    """number of such an `admit` or `replace` → its time"""
    removed: dict[str, tuple[str, int]] = {}
    """party → author and number of the event that took it out"""
    left_owing: dict[int, tuple[str, int]] = {}
    """number of a `leave` → the party that left, and the request that it still owed"""
    signed_away: dict[str, tuple[str, NoticeCount]] = {}
    """party → author of the latest event that signed it away, and how often that happened"""
    without: dict[int, tuple[str, ...]] = {}
    """request → parties without a part in the revealed roll because somebody else had signed them away"""
    rerolled: dict[int, int] = {}
    """request of a reroll in `without` → the roll that it rerolled"""
    accepted: dict[str, int] = {}
    """party → number of its latest event that accepts the rolls made without it"""
    changes: list[TableChange] = []
    """what judges and others changed: the first MAX_CHANGES"""
    changed: int = 0
    """how many changes there are"""
    left_waiting: VoidedRoll | None = None
    """the roll that was pending when the game was closed"""
    checks: tuple[str, ...] = ()
    """the parties that declared in their join that their program knows the rules"""

    def copy(self) -> "Conduct":
        """Return an independent copy."""
        known = (getattr(self, name) for name in self.__struct_fields__)
        copied: list[Any] = [each.copy() if isinstance(each, dict | list) else each for each in known]
        return Conduct(*copied)

    def revealed(self, roll: PendingRoll, request: Event) -> None:
        """Record the reveal of a roll."""
        self.contributor_sets[roll.contributors] = self.contributor_sets.get(roll.contributors, 0) + 1
        if request.type == "roll":
            self.rolls[roll.seq] = None
        if roll.without:
            self.without[roll.seq] = roll.without
            rerolled = getattr(request.body, "roll", UNSET)
            if request.type == "reroll" and rerolled is not UNSET:
                self.rerolled[roll.seq] = rerolled

    def unaccepted(self, request: int) -> tuple[str, ...]:
        """Return the parties without which a roll was made and that have not accepted it.

        See specs/protocol.md, "Rolls without somebody".
        """
        return tuple(name for name in self.without.get(request, ()) if self.accepted.get(name, -1) < request)

    def made_without(self) -> dict[str, tuple[NoticeCount, int]]:
        """Return for each party the rolls that were made without it, and how many of them it has accepted."""
        found: dict[str, tuple[NoticeCount, int]] = {}
        for request, names in self.without.items():
            for name in names:
                count, accepted = found.get(name, (NoticeCount(0, request), 0))
                accepted += request < self.accepted.get(name, -1)
                found[name] = NoticeCount(count.count + 1, count.first), accepted
        return found

    def _change(self, change: TableChange) -> None:
        self.changed += 1
        if len(self.changes) < MAX_CHANGES:
            self.changes.append(change)

    def voided(self, roll: VoidedRoll, *, judged: bool) -> None:
        """Record a void; `judged`: by a judge."""
        if judged:
            self._change(TableChange(roll.ended, "off", (roll.by,), roll.pending.seq, missing=roll.missing))
        _count(self.voids, roll.by, roll.ended)
        _add(self.named_missing, roll.by, roll.missing)
        _add(self.closers, roll.by, tuple({roll.pending.closer} & {roll.by, *roll.missing}))

    def disclosed(self, roll: VoidedRoll, opened: Collection[str]) -> None:
        """Record that the keeper disclosed the openings of these parties for a voided roll."""
        if roll.by in opened:  # never true for a judge, who opens nothing
            _count(self.opened_and_voided, roll.by, roll.ended)

    def objected_to(self, party: str, seq: int) -> None:
        """Record that a party showed an opening that the keeper's judge had called missing."""
        _count(self.objections, party, seq)

    def kept_secret(self, holder: str, author: str, seq: int) -> None:
        """Record the reveal of a secret roll, requested by `author`, whose dice only the holder knows."""
        _count(self.secret, (holder, author), seq)

    def shown(self, holder: str, author: str) -> None:
        """Record that a holder showed a secret roll that `author` requested."""
        self.shown_secret[holder, author] = self.shown_secret.get((holder, author), 0) + 1

    def admitted(self, party: str, late: LateArrival) -> None:
        """Record that the keeper admitted a party."""
        self.late[party] = late

    def key_number(self, party: str, seq: int) -> int:
        """Return how many keys a party had before the one with which it signs event `seq`."""
        return sum(each.party == party and since <= seq for since, each in self.replaced.items())

    def renewed(self, seq: int, replaced: Replacement) -> None:
        """Record that a party goes on under a new key with its join, event `seq`."""
        self.replaced[seq], party = replaced, replaced.party
        self._change(TableChange(seq, "replaced", replaced.by or (party,), party=party))
        self.recovery.pop(party, None)
        self.checks = tuple(name for name in self.checks if name != party)

    def gone(self, party: str, author: str, seq: int) -> None:
        """Record that somebody else took a party out."""
        self.removed[party] = author, seq
        self._change(TableChange(seq, "removed", (author,), party=party))

    def owed(self, party: str, request: int, seq: int) -> None:
        """Record that a party left, with event `seq`, while it owed a request."""
        self.left_owing[seq] = party, request

    def away(self, party: str, author: str, seq: int) -> None:
        """Record that somebody else signed a party away, and that it took effect."""
        known = self.signed_away.get(party)
        count = NoticeCount(1, seq) if known is None else NoticeCount(known[1].count + 1, known[1].first)
        self.signed_away[party] = author, count
        self._change(TableChange(seq, "away", (author,), party=party))

    def took_back(self, seq: int, roll: TakenBack) -> None:
        """Record that with event `seq` all who played had taken a roll back."""
        self.taken_back[seq] = roll
        self._change(TableChange(seq, "taken-back", roll.by, roll.request))
        self.rolls.pop(roll.request, None)

    def ruled(self, ruling: Ruling, author: str, seq: int, *, owed: bool) -> None:
        """Record a ruling if it has an effect; `owed`: its subject is a request that its author owes.

        See specs/verification.md, "Rulings with an effect".
        """
        subject, by, text = ruling.subject, (author,), ruling.text
        if ruling.ruling == "void" and subject in self.declared:
            del self.declared[subject]
            _count(self.struck, author, seq)
            self._change(TableChange(seq, "void", by, declared=subject, text=text))
        elif ruling.ruling == "void" and (owed or subject in self.rolls):
            self.rolls.pop(subject, None)
            _count(self.struck, author, seq)
            self._change(TableChange(seq, "void", by, subject, text=text))
        elif ruling.ruling == "correct" and subject in self.rolls and given(ruling.results, ()):
            _count(self.corrected, author, seq)
            results = tuple((one.die, one.result) for one in given(ruling.results, ()))
            self._change(TableChange(seq, "set", by, subject, results=results, text=text))

    def said(self, body: Body, author: str, seq: int) -> None:
        """Record a join or a return."""
        if isinstance(body, JoinBody) and body.checks is not UNSET:
            self.checks += (author,)
        if isinstance(body, JoinBody) and body.recovery is not UNSET:
            self.recovery[author] = body.recovery
        if isinstance(body, Back) and body.accept is not UNSET:
            self.accepted[author] = seq


def _count(counts: dict[_Key, NoticeCount], name: _Key, seq: int) -> None:
    old = counts.get(name)
    counts[name] = NoticeCount(old.count + 1, old.first) if old else NoticeCount(1, seq)


def _add(names: dict[str, tuple[str, ...]], author: str, more: tuple[str, ...]) -> None:
    known = names.get(author, ())
    names[author] = known + tuple(name for name in more if name not in known)
