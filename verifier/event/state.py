"""The state of an event: its people, rounds, tables and games (specs/event.md).

What an act does to it, and when it is refused, is in `rules` and the modules that its table names.
"""

import re
from collections.abc import Collection
from typing import Literal, NamedTuple

from rules.data.language import N_
from verifier.event.acts import PLAYER_NAME, PenaltyKind, player_name
from verifier.event.records import EventTable, OpenedTable, Person, RegisteredPlayer, Round, TableOpening
from verifier.event.refusals import refuse
from verifier.event.terms import EventTerms
from verifier.log.bodies import SignedAct
from verifier.log.identity import VerifierKey

__all__ = ["STAFF", "ActLine", "EventState"]

STAFF = frozenset({"organizer", "head", "judge"})


class ActLine(NamedTuple):
    """The line in which an act stands."""

    by: str
    """the author of the act"""
    seq: int
    """the number of the line"""
    time: str
    upon: int
    """the number of the line that the author had seen last"""


class EventState:
    """The state of an event after its acts so far."""

    def __init__(self, terms: EventTerms) -> None:
        self.terms = terms
        self.people: dict[str, Person] = {}
        """name → member of staff, also after the end of office, in the order of the appointments"""
        self.players: dict[int, RegisteredPlayer] = {}
        self.rounds: list[Round] = []
        self.openings: dict[int, TableOpening] = {}
        """number of the line that opens tables → opening"""
        self.games: dict[str, tuple[TableOpening, OpenedTable]] = {}
        """id of a game → its opening and table"""
        self.slips: dict[int, tuple[int, EventTable]] = {}
        """line of a slip → round and table"""
        self.calls: dict[int, tuple[Literal["call", "appeal", "answer"], int, int, bool]] = {}
        """line → kind, round, table, and whether it was followed up"""
        self.answered_by: dict[int, str] = {}
        """line of an answer → its author"""
        self.appeals: dict[int, int] = {}
        """line of an appeal → line of the answer that it is about"""
        self.penalties: dict[int, tuple[int, PenaltyKind]] = {}
        """line → player and penalty, for penalties that stand"""
        self.counts: dict[str, tuple[int, int]] = {}
        """code of a notice → number of occurrences, and the first line"""
        self.words: dict[int, SignedAct] = {}
        """line of an `appoint` or `correct-key` → its body, by which it counts at tables that are open"""
        self.ended: dict[int, str] = {}
        """line of an `appoint` or `correct-key` → time of the line that ended it: a `dismiss`, or a later correction"""
        self.closed = False
        self.ever_known: list[VerifierKey] = [terms.keeper_key]
        """every key that anybody in the log has had"""
        self.public = {terms.keeper_key.public_bytes}
        """their public bytes"""
        self.claims: set[str] = set()
        """claim codes of registered players"""
        for text in terms.body.organizers:
            key = VerifierKey.parse(text)
            self.people[key.name] = Person(key, "organizer", 0)
            self.know(key)

    def know(self, key: VerifierKey) -> None:
        """Record a key, so that nobody else can have it."""
        self.public.add(key.public_bytes)
        self.ever_known.append(key)

    def role_of(self, name: str) -> str | None:
        """Return `organizer`, `head`, `judge` or `player`; None for anybody else."""
        person = self.people.get(name)
        if person is not None:
            return person.role if person.until is None else None
        player = self.player_named(name)
        return None if player is None or player.key is None else "player"

    def player_named(self, name: str) -> RegisteredPlayer | None:
        """Return the registered player with a name such as `p17`; None without one."""
        if not re.fullmatch(PLAYER_NAME, name):
            return None
        player = self.players.get(int(name[1:]))
        return player if player is not None and player_name(player.number) == name else None

    def key_of(self, name: str) -> VerifierKey | None:
        """Return the current key of staff in office, or of a player who has checked in; None for anybody else."""
        person = self.people.get(name)
        if person is not None:
            return person.key if person.until is None else None
        player = self.player_named(name)
        return None if player is None else player.key

    @property
    def round(self) -> Round | None:
        """The latest round; None before the first."""
        return self.rounds[-1] if self.rounds else None

    def registered(self, number: int) -> RegisteredPlayer:
        """Return the player with this number (E11). Raises Failure."""
        player = self.players.get(number)
        if player is None:
            refuse(11, "player.unknown", N_("Player {number} is not registered."), number=number)
        return player

    def round_in(self, number: int, states: Collection[str]) -> Round:
        """Return the round with this number, which must be in one of these states (E16). Raises Failure."""
        found = self.rounds[number - 1] if number <= len(self.rounds) else None
        if found is None or found.state not in states:
            refuse(16, "round.state", N_("It cannot be written for round {round} as that stands."), round=number)
        return found

    def table_in(self, round_: Round, number: int) -> EventTable:
        """Return a table of the round (E17). Raises Failure."""
        found = round_.tables.get(number)
        if found is None:
            text = N_("Round {round} has no table {table}.")
            refuse(17, "table.unknown", text, round=round_.number, table=number)
        return found

    def side_of(self, by: str, table: EventTable) -> int:
        """Return the position of the author's side (E22). Raises Failure."""
        player = self.player_named(by)
        side = None if player is None else table.side_of(player.number)
        if side is None:
            refuse(22, "act.seat", N_("{by} does not sit at table {table}."), by=by, table=table.number)
        return side

    def count(self, code: str, seq: int, more: int = 1) -> None:
        """Count a notice, `more` times, and keep the line of the first."""
        count, first = self.counts.get(code, (0, seq))
        if more:
            self.counts[code] = (count + more, first)
