"""The state of an event, and the rules for its acts (specs/event.md, "Rules": E1 to E31)."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Literal, NoReturn

from msgspec import UNSET

from rules.base import given
from rules.data.language import N_
from verifier.errors import Failure, KeyFormatError
from verifier.event.acts import (
    PLAYER_NAME,
    Agree,
    Answer,
    Appeal,
    Appoint,
    CheckIn,
    CorrectDrop,
    CorrectKey,
    CorrectPairing,
    CorrectPenalty,
    CorrectResult,
    DiceByHand,
    Dismiss,
    Drop,
    End,
    EventClose,
    Extend,
    JudgeCall,
    Opened,
    Pair,
    Pairing,
    Pause,
    Penalty,
    PenaltyKind,
    Register,
    SealTables,
    SideResult,
    SignedAct,
    Slip,
    StartRound,
    claim_message,
    player_name,
)
from verifier.event.records import Claim, EventTable, OpenedTable, Person, RegisteredPlayer, Round, TableOpening
from verifier.event.terms import EventTerms
from verifier.log.identity import VerifierKey, holds

__all__ = ["STEP", "EventState"]

STEP = 29
"""the step of specs/verification.md in which the rules are applied"""
MAX_AT_TABLE = 32
"""players that a table may have"""

STAFF = frozenset({"organizer", "head", "judge"})
_ORGANIZER = frozenset({"organizer"})
_SENIOR = frozenset({"organizer", "head"})
_BY: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("appoint", "dismiss", "register", "pair", "start", "end", "close"), _ORGANIZER),
    **dict.fromkeys(("correct-pairing", "correct-key"), _ORGANIZER),
    **dict.fromkeys(("correct-result", "correct-penalty", "correct-drop"), _SENIOR),
    **dict.fromkeys(("pause",), _SENIOR),
    **dict.fromkeys(("extend", "by-hand", "answer", "penalty"), STAFF),
    **dict.fromkeys(("check-in", "drop", "slip"), STAFF | {"player"}),
    **dict.fromkeys(("call", "appeal", "agree"), frozenset({"player"})),
}
"""type of act → roles that may write it (E3)"""


class EventState:
    """The state of an event. `apply` takes one act whose signature is valid."""

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
        self.closed = False
        self.ever_known: list[VerifierKey] = [terms.keeper_key]
        """every key that anybody in the log has had"""
        self._public = {terms.keeper_key.public_bytes}
        self._claims: set[str] = set()
        for text in terms.body.organizers:
            key = VerifierKey.parse(text)
            self.people[key.name] = Person(key, "organizer", 0)
            self._know(key)

    def _know(self, key: VerifierKey) -> None:
        """Record a key, so that nobody else can have it."""
        self._public.add(key.public_bytes)
        self.ever_known.append(key)

    # --- people ----------------------------------------------------------------------------------------------------

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

    def check_author(self, type: str, act: Any, by: str) -> VerifierKey:
        """Verify that the author may write the act (E2 and E3), and return the key for its signature.
        Raises Failure.
        """
        if isinstance(act, CheckIn) and re.fullmatch(PLAYER_NAME, by):
            role, key = "player", _own_key(act, by)
        else:
            role, key = self.role_of(by) or "", self.key_of(by)
        if not role or key is None:
            _refuse(2, "act.author", N_("{by} is nobody who takes part in this event."), by=by)
        if role not in _BY[type]:
            _refuse(3, "act.role", N_("{by} ({role}) does not write {type}."), by=by, role=role, type=type)
        if role == "player" and isinstance(act, (CheckIn, Drop)) and player_name(act.number) != by:
            text = N_("{by} is not player {number}: players act for themselves.")
            _refuse(3, "act.role", text, by=by, number=act.number)
        return key

    # --- acts ------------------------------------------------------------------------------------------------------

    def apply(self, act: Any, signed: SignedAct | None, seq: int, time: str, upon: int) -> None:
        """Take an act in line `seq`, signed upon line `upon`. Raises Failure, and is then unchanged."""
        apply: Callable[[Any, str, int, str], None]
        by = self.terms.keeper if signed is None else signed.by
        if isinstance(act, StartRound):
            self._start(act, upon, seq, time)
            return
        apply = getattr(self, _METHODS[type(act)])
        apply(act, by, seq, time)

    def _count(self, code: str, seq: int, more: int = 1) -> None:
        count, first = self.counts.get(code, (0, seq))
        if more:
            self.counts[code] = (count + more, first)

    def _appoint(self, act: Appoint, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        try:
            key = VerifierKey.parse(act.key)
        except KeyFormatError as error:
            _refuse(8, "appoint.person", N_("Nobody can be appointed with this key: {problem}."), problem=error)
        taken = key.name in self.people or key.name == self.terms.keeper or key.public_bytes in self._public
        if taken or re.fullmatch(PLAYER_NAME, key.name):
            text = N_("{name} cannot be appointed: the name or the key is a player's, or was somebody's before.")
            _refuse(8, "appoint.person", text, name=key.name)
        self.people[key.name] = Person(key, act.role, seq)
        self._know(key)

    def _dismiss(self, act: Dismiss, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        person = self.people.get(act.name)
        if person is None or person.until is not None:
            _refuse(9, "appoint.person", N_("{name} has no office here that could end."), name=act.name)
        others = [each for each in self.people.values() if each is not person and each.until is None]
        if not any(each.role == "organizer" for each in others):
            _refuse(9, "appoint.person", N_("{name} is the last organizer: an event has one."), name=act.name)
        person.until = seq

    def _register(self, act: Register, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        numbers, claims = set(self.players), set(self._claims)
        for each in act.players:
            claim = given(each.claim, None)
            if each.number in numbers or claim in claims:
                text = N_("Player {number} is registered already, or has somebody else's claim code.")
                _refuse(10, "player.number", text, number=each.number)
            numbers.add(each.number)
            if claim is not None:
                claims.add(claim)
        for each in act.players:
            self.players[each.number] = RegisteredPlayer(each.number, each.name, given(each.claim, None))
        self._claims = claims

    def _registered(self, number: int) -> RegisteredPlayer:
        """Return the player with this number (E11)."""
        player = self.players.get(number)
        if player is None:
            _refuse(11, "player.unknown", N_("Player {number} is not registered."), number=number)
        return player

    def _new_key(self, text: str, number: int) -> VerifierKey:
        """Parse a key that the player with this number can have (E13)."""
        try:
            key = VerifierKey.parse(text)
        except KeyFormatError as error:
            _refuse(
                13, "player.key", N_("Player {number} cannot have this key: {problem}."), number=number, problem=error
            )
        if key.name != player_name(number) or key.public_bytes in self._public:
            template = N_("Player {number} cannot have this key: it has another name than p{number}, or is somebody's.")
            _refuse(13, "player.key", template, number=number)
        return key

    def _check_in(self, act: CheckIn, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        player = self._registered(act.number)
        if player.state != "registered":
            _refuse(12, "player.state", _STATES[player.state], number=act.number)
        key, claim = self._new_key(act.key, act.number), given(act.claim, None)
        desk = by != player_name(act.number)
        if desk:
            right = claim is None
        else:
            right = claim is not None and player.claim is not None and act.tablet is UNSET
            if right:
                assert claim is not None
                assert player.claim is not None
                message = claim_message(self.terms.game.hex(), act.key)
                right = holds(bytes.fromhex(player.claim), bytes.fromhex(claim), message)
        if not right:
            text = N_("The claim code of player {number} did not sign this key.")
            _refuse(14, "player.claim", text, number=act.number)
        player.key, player.state, player.desk = key, "in", desk
        self._know(key)
        self._count("event.desk", seq, int(desk))
        self._count("event.tablet", seq, int(act.tablet is not UNSET))

    def _drop(self, act: Drop, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        player = self._registered(act.number)
        if player.state == "dropped":
            _refuse(12, "player.state", _STATES["dropped"], number=act.number)
        self._take_out(player)

    def _take_out(self, player: RegisteredPlayer) -> None:
        if player.state != "dropped":
            player.before, player.state = player.state, "dropped"

    def _correct_drop(self, act: CorrectDrop, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        player = self._registered(act.number)
        if player.state != "dropped":
            _refuse(12, "player.state", N_("Player {number} has not dropped."), number=act.number)
        player.state = player.before
        self._count("event.corrected", seq)

    def _correct_key(self, act: CorrectKey, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        player = self._registered(act.number)
        if player.state != "in":
            _refuse(12, "player.state", N_("Player {number} is not checked in."), number=act.number)
        player.key = self._new_key(act.key, act.number)
        self._know(player.key)
        self._count("event.rekeyed", seq)

    def _penalty(self, act: Penalty, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        player = self._registered(act.number)
        self.penalties[seq] = (act.number, act.penalty)
        if act.penalty == "disqualification":
            self._take_out(player)

    def _correct_penalty(self, act: CorrectPenalty, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        found = self.penalties.get(act.line)
        if found is None:
            _refuse(29, "penalty.unknown", N_("Line {line} is no penalty that stands."), line=act.line)
        del self.penalties[act.line]
        penalty = given(act.penalty, None)
        if penalty is not None:
            self.penalties[seq] = (found[0], penalty)
            if penalty == "disqualification":
                self._take_out(self.players[found[0]])
        self._count("event.corrected", seq)

    # --- rounds ----------------------------------------------------------------------------------------------------

    def _pair(self, act: Pair, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        latest = self.round
        current = latest if latest is not None and latest.state == "pairing" else None
        due = len(self.rounds) if current is not None else len(self.rounds) + 1
        running = latest is not None and latest.state == "running"
        if running or act.round != due or act.round > self.terms.body.rounds:
            text = N_("Round {round} cannot be paired now: the next one is round {due}, when no round runs.")
            _refuse(15, "round.order", text, round=act.round, due=due)
        known: Collection[int] = current.tables if current is not None else ()
        self._check_tables(act.tables, known)
        seated = [] if current is None else [*current.byes, *(n for t in current.tables.values() for n in t.players)]
        self._check_players([*seated, *act.byes, *_players(act.tables)], [*act.byes, *_players(act.tables)])
        if current is None:
            current = Round(act.round)
            self.rounds.append(current)
        current.tables.update({each.table: EventTable(each.table, each.sides) for each in act.tables})
        current.byes += act.byes
        current.paired = seq

    def _check_tables(self, tables: Iterable[Pairing], known: Collection[int]) -> None:
        """Verify that each table occurs once, is not in `known`, and does not have too many players (E18)."""
        seen: set[int] = set()
        for each in tables:
            if each.table in seen or each.table in known:
                _refuse(18, "pairing.table", N_("Table {table} stands in the round twice."), table=each.table)
            if sum(map(len, each.sides)) > MAX_AT_TABLE:
                text = N_("Table {table} has more than {most} players.")
                _refuse(18, "pairing.table", text, table=each.table, most=MAX_AT_TABLE)
            seen.add(each.table)

    def _check_players(self, whole: Iterable[int], new: Iterable[int]) -> None:
        """Verify that nobody occurs twice in the `whole` round, and that all `new` players are in (E19)."""
        seen: set[int] = set()
        for number in whole:
            if number in seen:
                _refuse(19, "pairing.player", N_("Player {number} stands in the round twice."), number=number)
            seen.add(number)
        for number in new:
            player = self.players.get(number)
            if player is None or player.state != "in":
                text = N_("Player {number} cannot be paired: not checked in, or dropped.")
                _refuse(19, "pairing.player", text, number=number)

    def _start(self, act: StartRound, upon: int, seq: int, time: str) -> None:
        current = self.round
        if current is None or current.state != "pairing" or current.number != act.round or not current.tables:
            text = N_("Round {round} cannot start: it is not the one that is being paired, or has no table.")
            _refuse(15, "round.order", text, round=act.round)
        if upon < current.paired:
            text = N_("Who starts round {round} had not seen its last pairings, which are in line {line}.")
            _refuse(20, "round.unseen", text, round=act.round, line=current.paired)
        current.state, current.minutes, current.started = "running", act.minutes, time
        self._open_tables(current, list(current.tables), seq, time)

    def _open_tables(self, round_: Round, numbers: Iterable[int], seq: int, time: str) -> None:
        opened = {}
        for number in numbers:
            table = round_.tables[number]
            table.line = seq
            keys = tuple(key for n in table.players if (key := self.players[n].key) is not None)
            opened[number] = OpenedTable(number, table.sides, keys)
        judges = tuple(p.key for p in self.people.values() if p.until is None and p.role != "organizer")
        self.openings[seq] = TableOpening(seq, time, round_.number, judges, opened)

    def _opened(self, act: Opened, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        opening = self.openings.get(act.line)
        tables, games = set[int](), set[str]()
        for each in act.games:
            found = None if opening is None else opening.tables.get(each.table)
            if found is None or found.game is not None or each.table in tables:
                text = N_("Line {line} does not open table {table}, or its game was named before.")
                _refuse(21, "table.line", text, line=act.line, table=each.table)
            if each.game in self.games or each.game in games:
                _refuse(21, "table.line", N_("Game {game} is that of another table."), game=each.game[:12])
            tables.add(each.table)
            games.add(each.game)
        assert opening is not None
        for each in act.games:
            opening.tables[each.table].game = each.game
            self.games[each.game] = opening, opening.tables[each.table]

    def _seal(self, act: SealTables, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        self._in(act.round, ("running", "ended"))
        sizes: dict[str, int] = {}
        for each in act.games:
            opening, opened = self.games.get(each.game, (None, None))
            if opening is None or opened is None or (opening.round, opened.table) != (act.round, each.table):
                text = N_("Game {game} was not opened for table {table} of round {round}.")
                _refuse(28, "table.seal", text, game=each.game[:12], table=each.table, round=act.round)
            if each.size <= sizes.get(each.game, opened.size):
                text = N_("Game {game} is sealed already, with as many events or more.")
                _refuse(28, "table.seal", text, game=each.game[:12])
            sizes[each.game] = each.size
        for each in act.games:
            _, opened = self.games[each.game]
            opened.size, opened.root = each.size, each.root

    def _in(self, number: int, states: Collection[str]) -> Round:
        """Return the round with this number, which must be in one of these states (E16)."""
        found = self.rounds[number - 1] if number <= len(self.rounds) else None
        if found is None or found.state not in states:
            _refuse(16, "round.state", N_("It cannot be written for round {round} as that stands."), round=number)
        return found

    def _table(self, round_: Round, number: int) -> EventTable:
        """Return a table of the round (E17)."""
        found = round_.tables.get(number)
        if found is None:
            text = N_("Round {round} has no table {table}.")
            _refuse(17, "table.unknown", text, round=round_.number, table=number)
        return found

    def _seat(self, by: str, table: EventTable) -> int:
        """Return the position of the author's side (E22)."""
        player = self.player_named(by)
        side = None if player is None else table.side_of(player.number)
        if side is None:
            _refuse(22, "act.seat", N_("{by} does not sit at table {table}."), by=by, table=table.number)
        return side

    def _extend(self, act: Extend, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        self._table(self._in(act.round, ("running",)), act.table).extended += act.minutes

    def _pause(self, act: Pause, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        self._in(act.round, ("running",)).paused += act.minutes

    def _by_hand(self, act: DiceByHand, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        table = self._table(self._in(act.round, ("running",)), act.table)
        self._count("event.by-hand", seq, int(table.by_hand is None))
        table.by_hand = act.text

    def _call(self, act: JudgeCall, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        self._seat(by, self._table(self._in(act.round, ("running",)), act.table))
        self.calls[seq] = "call", act.round, act.table, False

    def _answer(self, act: Answer, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        found = self.calls.get(act.call)
        if found is None or found[0] == "answer" or found[3]:
            _refuse(23, "call.unknown", N_("Line {line} is no call that waits for an answer."), line=act.call)
        kind, number, table, _ = found
        if kind == "appeal" and (self.role_of(by) == "judge" or self.answered_by[self.appeals[act.call]] == by):
            text = N_("{by} cannot answer this appeal: a head judge or organizer does, who did not give the answer.")
            _refuse(24, "call.head", text, by=by)
        self.calls[act.call] = kind, number, table, True
        self.calls[seq] = "answer", number, table, kind == "appeal"
        self.answered_by[seq] = by

    def _appeal(self, act: Appeal, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        found = self.calls.get(act.answer)
        if found is None or found[0] != "answer" or found[3]:
            _refuse(23, "call.unknown", N_("Line {line} is no answer that can be appealed."), line=act.answer)
        kind, number, table, _ = found
        round_ = self.rounds[number - 1]
        self._seat(by, self._table(round_, table))
        self.calls[act.answer] = kind, number, table, True
        self.calls[seq] = "appeal", number, table, False
        self.appeals[seq] = act.answer

    # --- results ---------------------------------------------------------------------------------------------------

    def _check_form(self, table: EventTable, sides: tuple[SideResult, ...]) -> None:
        """Verify the form of a slip, without its reason (E26)."""
        names = sorted(self.terms.body.results)
        if len(sides) != len(table.sides) or any(sorted(side.members()) != names for side in sides):
            text = N_("A slip of table {table} has {count} sides, each with: {names}.")
            _refuse(26, "slip.form", text, table=table.number, count=len(table.sides), names=", ".join(names))

    def _slip(self, act: Slip, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        table = self._table(self._in(act.round, ("running", "ended")), act.table)
        staff = self.role_of(by) in STAFF
        side = None if staff else self._seat(by, table)
        if table.result is not None:
            _refuse(25, "slip.stands", N_("Table {table} has a match result that stands."), table=act.table)
        self._check_form(table, act.sides)
        if staff != (act.reason is not UNSET):
            _refuse(26, "slip.form", N_("A slip has a reason just where a judge or organizer writes it."))
        if side is None:
            table.result, table.by, table.claim = act.sides, by, None
            self._count("event.judged", seq)
        elif len(table.sides) == 1:
            table.result, table.by, table.claim = act.sides, by, None
        else:
            table.claim = Claim(seq, act.sides, frozenset({side}))
        self.slips[seq] = act.round, table

    def _agree(self, act: Agree, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        found = self.slips.get(act.slip)
        table = None if found is None else self.rounds[found[0] - 1].tables.get(found[1].number)
        if found is None or table is not found[1]:
            _refuse(27, "slip.side", N_("Line {line} is no slip of a table of this event."), line=act.slip)
        side = self._seat(by, table)
        if table.result is not None:
            _refuse(25, "slip.stands", N_("Table {table} has a match result that stands."), table=table.number)
        claim = table.claim
        if claim is None or claim.seq != act.slip or side in claim.signed:
            text = N_("{by} cannot agree to slip {line}: a later one took its place, or {by}'s side has signed it.")
            _refuse(27, "slip.side", text, by=by, line=act.slip)
        signed = claim.signed | {side}
        table.claim = Claim(claim.seq, claim.sides, signed)
        if len(signed) == len(table.sides):
            table.result, table.by, table.claim = claim.sides, by, None

    def _correct_result(self, act: CorrectResult, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        table = self._table(self._in(act.round, ("running", "ended")), act.table)
        if table.result is None:
            text = N_("Table {table} has no match result that could be corrected.")
            _refuse(25, "slip.stands", text, table=act.table)
        self._check_form(table, act.sides)
        table.result, table.by = act.sides, by
        self._count("event.corrected", seq)

    def _correct_pairing(self, act: CorrectPairing, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        current = self._in(act.round, ("pairing", "running"))
        new = [each.table for each in act.tables]
        self._check_tables(act.tables, ())
        cancelled: set[int] = set()
        for number in act.cancelled:
            if number not in current.tables or number in new or number in cancelled:
                text = N_("Table {table} cannot be cancelled: it is not in the round, or stands there twice.")
                _refuse(18, "pairing.table", text, table=number)
            cancelled.add(number)
        gone = cancelled | set(new)
        kept = [n for t in current.tables.values() if t.number not in gone for n in t.players]
        byes = given(act.byes, current.byes)
        named = [*_players(act.tables), *given(act.byes, ())]
        self._check_players([*kept, *byes, *_players(act.tables)], named)
        running = current.state == "running"
        changed = [number for number in gone if number in current.tables]
        for number in changed:
            line = current.tables.pop(number).line
            if line is not None:
                self.openings[line].tables[number].cancelled = True
        current.tables.update({each.table: EventTable(each.table, each.sides) for each in act.tables})
        current.byes, current.paired = byes, seq
        if running:
            self._open_tables(current, new, seq, time)
            self._count("event.repaired", seq, len(changed))

    def _end(self, act: End, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        current = self._in(act.round, ("running",))
        left: dict[int, str] = {}
        for each in act.left:
            self._table(current, each.table)
        for each in act.left:
            if each.table in left:
                _refuse(30, "round.left", N_("Table {table} is left twice."), table=each.table)
            left[each.table] = each.reason
        for table in current.tables.values():
            if (table.result is None) != (table.number in left):
                text = N_("Table {table} must have a match result or be left with a reason, and not both.")
                _refuse(30, "round.left", text, table=table.number)
        for number, reason in left.items():
            current.tables[number].left = reason
        current.state, current.ended = "ended", time
        self._count("event.left", seq, len(left))

    def _close(self, act: EventClose, by: str, seq: int, time: str) -> None:  # noqa: ARG002
        if self.round is not None and self.round.state != "ended":
            text = N_("Round {round} has not ended: the event cannot close.")
            _refuse(31, "round.running", text, round=self.round.number)
        self.closed = True


def _own_key(act: CheckIn, by: str) -> VerifierKey | None:
    """Return the key that a player checks in with, if it has the player's name; else None."""
    try:
        key = VerifierKey.parse(act.key)
    except KeyFormatError:
        return None
    return key if key.name == by else None


_STATES = {
    "in": N_("Player {number} is checked in already."),
    "dropped": N_("Player {number} has dropped."),
}
_METHODS: Mapping[type, str] = {
    Appoint: "_appoint",
    Dismiss: "_dismiss",
    Register: "_register",
    CheckIn: "_check_in",
    Drop: "_drop",
    Pair: "_pair",
    Opened: "_opened",
    Extend: "_extend",
    Pause: "_pause",
    DiceByHand: "_by_hand",
    JudgeCall: "_call",
    Answer: "_answer",
    Appeal: "_appeal",
    Slip: "_slip",
    Agree: "_agree",
    Penalty: "_penalty",
    CorrectPairing: "_correct_pairing",
    CorrectResult: "_correct_result",
    CorrectPenalty: "_correct_penalty",
    CorrectDrop: "_correct_drop",
    CorrectKey: "_correct_key",
    SealTables: "_seal",
    End: "_end",
    EventClose: "_close",
}


def _players(tables: Iterable[Pairing]) -> list[int]:
    return [number for each in tables for side in each.sides for number in side]


def _refuse(rule: int, code: str, template: str, **values: Any) -> NoReturn:
    raise Failure(STEP, code, template, clause=f"E{rule}", **values)
