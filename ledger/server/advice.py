"""Advice: what the rules make of a log, for clients that have none of their own (specs/network.md, "Advice").

It is worked out in one thread of its own, on games as they stood when somebody asked: nobody who writes waits for it.
Whoever asks has a turn. What many ask for at the same moment, the state after each line, is worked out once.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from ledger.errors import UsageError
from ledger.forms.form import form_of
from ledger.forms.readback import read_back
from ledger.forms.reading import line_for, read_action, read_line, schema_of, typed_for
from ledger.network.wire import (
    AdvisedDie,
    AdvisedRoll,
    AdvisedState,
    AdvisedTable,
    AdvisedWait,
    Explained,
    OfferedActions,
    ReadBody,
    ReadRequest,
    Reasoned,
)
from ledger.server.admission import Quiet
from ledger.server.limits import Caller, Gate
from ledger.server.problems import Problem, not_found
from ledger.server.turns import Turns
from ledger.store.events import GameView
from ledger.store.ledger import Ledger
from rules import Event, Session
from rules.actions import Action, as_json
from rules.base import NotationError, System, Table
from rules.data.jsontext import UNREADABLE
from rules.data.language import Message, Translate
from rules.data.schema import schema_problem
from rules.offered import offered
from rules.records import RollRecord
from verifier.shell.display import die_text, roll_text, struck_through

__all__ = ["DEFAULT_ROLLS", "MAX_ROLLS", "Advice", "actions_of", "explained", "read", "state_of"]

DEFAULT_ROLLS = 50
MAX_ROLLS = 200
"""rolls of one state"""

MAX_DICE_TOLD = 2_500
"""dice of the rolls of one state: some 350 kB"""

MAX_LINE = 10_000
"""characters of a line, or of what was typed for one field; no notation of an ordinary event is as long"""
MAX_TOLD = 1_000
"""characters of what is said of it"""
MAX_KEPT = 128
"""answers that are kept"""
MAX_KEPT_BYTES = 131_072
"""of one that is kept"""

Answer = Callable[[GameView], Any]


class Advice:
    """Answers, for the event loop."""

    def __init__(self, ledger: Ledger, gate: Gate, quiet: Quiet) -> None:
        self._ledger = ledger
        self._turns = Turns("advice", 1, gate, quiet)
        self._kept: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        """by what was asked, and the size of the game; used in the thread alone"""

    def close(self) -> None:
        """Answer no more."""
        self._turns.close()

    def forget(self, game: bytes) -> None:
        """Keep nothing of a game; from any thread."""
        self._turns.soon(lambda: self._forget(game))

    def _forget(self, game: bytes) -> None:
        for key in [key for key in self._kept if key[0] == game]:
            del self._kept[key]

    async def state(self, caller: Caller, game: bytes, rolls: int, language: str, translate: Translate) -> bytes:
        """JSON of the state. Raises Problem."""
        key = ("state", rolls, language)
        return await self._answer(caller, game, key, lambda view: state_of(view, rolls, translate))

    async def actions(self, caller: Caller, game: bytes, party: str, language: str, translate: Translate) -> bytes:
        """JSON of what a party can do. Raises Problem."""
        key = ("actions", party, language)
        return await self._answer(caller, game, key, lambda view: actions_of(view, party, translate))

    async def explain(self, caller: Caller, game: bytes, roll: int, language: str, translate: Translate) -> bytes:
        """JSON of how the dice of a roll came to what they came to. Raises Problem."""
        key = ("explain", roll, language)
        return await self._answer(caller, game, key, lambda view: explained(view, roll, translate))

    async def read(self, caller: Caller, game: bytes, body: bytes, translate: Translate) -> bytes:
        """JSON of the body that was meant. Raises Problem."""
        return await self._answer(caller, game, None, lambda view: read(view, body, translate))

    async def _answer(self, caller: Caller, game: bytes, key: tuple[object, ...] | None, answer: Answer) -> bytes:
        return await self._turns.ask(caller, lambda: self._work(game, key, answer))

    def _work(self, game: bytes, key: tuple[object, ...] | None, answer: Answer) -> bytes:
        """In the thread."""
        if key is not None:
            known = self._kept.get((game, self._ledger.size(game), *key))
            if known is not None:
                return known
        try:
            view = self._ledger.view(game)
        except UsageError:
            raise not_found() from None
        found = msgspec.json.encode(answer(view), order="sorted")
        if key is not None and len(found) <= MAX_KEPT_BYTES:
            self._kept[game, view.replay.size, *key] = found
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        return found


# --- the state -------------------------------------------------------------------------------------------------------


def state_of(view: GameView, rolls: int, translate: Translate) -> AdvisedState:
    """A game as its rules have it, with the latest so many rolls."""
    session, system = view.replay.session, view.replay.session.system
    settled, opened = system.rolls(session.game)
    latest = _within_bounds([*settled, *opened][-rolls:])
    waits = session.waits_for()
    own = {name: value for name, value in system.view(session.game).items() if name != "rolls"}
    return AdvisedState(
        own={name: value[-rolls:] if isinstance(value, list) else value for name, value in own.items()},
        phase=str(session.phase),
        rolls=tuple(_roll(session, roll, translate) for roll in latest),
        size=view.replay.size,
        tables=tuple(_table(table, translate) for table in system.tables(session.game) if table.rows),
        waits=None if waits is None else AdvisedWait(translate(waits.choice), waits.party),
    )


def _within_bounds(rolls: Sequence[RollRecord]) -> Sequence[RollRecord]:
    """The latest of these, of not more dice than a state has; the last one however many it has."""
    dice = 0
    for at in range(len(rolls) - 1, -1, -1):
        dice += len(rolls[at].dice)
        if dice > MAX_DICE_TOLD and at < len(rolls) - 1:
            return rolls[at + 1 :]
    return rolls


def _roll(session: Session, roll: RollRecord, translate: Translate) -> AdvisedRoll:
    notes = (*struck_through(roll), *session.system.notes(session.game, roll.roll))
    own = session.system.view_roll(session.game, roll.roll) or {}
    return AdvisedRoll(
        dice=tuple(
            AdvisedDie(die.die, die.naturals, die.result, die.sides, die.status, die_text(die, translate))
            for die in roll.dice
        ),
        notation=roll.notation,
        notes=tuple(note.message(translate) for note in notes),
        own={name: value for name, value in own.items() if name != "dice"},
        player=roll.player,
        roll=roll.roll,
        source=roll.source,
        status=roll.status,
        summary=None if roll.summary is None else roll.summary.message(translate),
        text=roll_text(roll, translate),
    )


def _table(table: Table, translate: Translate) -> AdvisedTable:
    return AdvisedTable(
        columns=tuple(column.message(translate) for column in table.columns),
        rows=tuple(
            tuple(cell.message(translate) if isinstance(cell, Message) else cell for cell in row) for row in table.rows
        ),
        title=table.title.message(translate),
    )


def explained(view: GameView, roll: int, translate: Translate) -> Explained:
    """How the dice of a roll that the state keeps came to what they came to. Raises Problem."""
    session = view.replay.session
    settled, opened = session.system.rolls(session.game)
    if not any(each.roll == roll for each in (*opened, *settled)):
        raise not_found()
    told = session.system.explain(session.game, roll)
    return Explained(tuple(Reasoned(each.clause, each.message(translate)) for each in told), view.replay.size)


# --- what can be done ------------------------------------------------------------------------------------------------


def actions_of(view: GameView, party: str, translate: Translate) -> OfferedActions:
    """What a party can do now. Raises Problem where it is none of the game's."""
    replay = view.replay
    if party not in replay.terms.roles:
        raise not_found()
    found = offered(replay.session, party, replay.size)
    return OfferedActions(tuple(_action(replay.session.system, each, translate) for each in found), replay.size)


def _action(system: System[Any], action: Action, translate: Translate) -> Mapping[str, Any]:
    form, told = form_of(system, action.type, action.body), as_json(action, translate)
    for field, as_told in zip(action.fields, told["fields"], strict=True):
        typed = typed_for(form, field)
        if typed is not None:
            as_told["typed"] = typed
    line = line_for(form, action)
    return told if line is None else {**told, "line": line}


# --- what was typed --------------------------------------------------------------------------------------------------


def read(view: GameView, body: bytes, translate: Translate) -> ReadBody:
    """The body that was meant, and the system's words for it. Raises Problem."""
    try:
        asked = msgspec.json.decode(body, type=ReadRequest)
    except UNREADABLE as error:
        raise Problem(400, "malformed", schema_problem(error, body, ReadRequest)) from None
    session, party = view.replay.session, "" if asked.party is UNSET else asked.party
    try:
        _check_length(asked)
        type_, meant = _meant(view, asked, party)
        schema = schema_of(form_of(session.system, type_, meant), meant)
    except NotationError as problem:
        raise Problem(422, "notation", _shortly(problem.message(translate))) from None
    words: Message | None = None
    reading: Message | None = None
    if type_ in session.system.bodies:
        words = session.system.summarize(Event(view.replay.size, party, type_, schema))
        actions = offered(session, party, view.replay.size) if party in view.replay.terms.roles else ()
        reading = read_back(session.system, actions, type_, msgspec.to_builtins(schema))
    told = (None if one is None else one.message(translate) for one in (reading, words))
    return ReadBody(meant, *told)


def _meant(view: GameView, asked: ReadRequest, party: str) -> tuple[str, dict[str, Any]]:
    """The type of the event, and its body. Raises NotationError, Problem."""
    session, line = view.replay.session, None if asked.line is UNSET else asked.line
    if asked.action is not UNSET and asked.type is UNSET and (line is None or asked.typed is UNSET):
        typed, given = ({} if each is UNSET else each for each in (asked.typed, asked.given))
        return asked.action.type, read_action(session.system, asked.action, line, typed, given)
    if asked.action is UNSET and asked.type is not UNSET and line is not None:
        actions = offered(session, party, view.replay.size)
        kind = None if asked.kind is UNSET else asked.kind
        return asked.type, read_line(session.system, actions, asked.type, line, kind)
    raise Problem(400, "malformed", Message("give an action with a line or what was typed, or a line and a type"))


def _shortly(text: str) -> str:
    """What is wrong stands at the beginning, what would be right at the end; between them what was typed."""
    return text if len(text) <= MAX_TOLD else f"{text[: MAX_TOLD // 2]} … {text[-MAX_TOLD // 2 :]}"


def _check_length(asked: ReadRequest) -> None:
    """Raises NotationError."""
    texts = [] if asked.line is UNSET else [asked.line]
    for typed in () if asked.typed is UNSET else asked.typed.values():
        texts += [typed] if isinstance(typed, str) else typed
    longest = max(map(len, texts), default=0)
    if longest > MAX_LINE:
        raise NotationError("what was typed has {count} characters; there can be {most}", count=longest, most=MAX_LINE)
