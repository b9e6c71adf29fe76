"""Advice about a game from its rules: for a server that answers, or a browser that runs the rules itself.

The answers are those of specs/network.md, "Advice". Each is derived from a replay and changes nothing in it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from ledger.errors import MissingError, UsageError
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
from rules import Event, Session
from rules.actions import Action, as_json
from rules.base import NotationError, System, Table
from rules.data.language import Message, Translate
from rules.offered import offered
from rules.records import DieRecord, RollRecord
from verifier.replay import Replay
from verifier.shell.display import die_text, roll_text, struck_through

__all__ = ["MAX_ROLLS", "KeptRolls", "actions_of", "explain_roll", "read", "refusal", "shortly", "state_of"]

MAX_ROLLS = 200
"""the most rolls of one state"""

MAX_DICE_SENT = 2_500
"""the most dice in the rolls of one state: some 350 kB"""

MAX_LINE = 10_000
"""the most characters of a line, or of the input of one field; no notation at an ordinary event is as long"""
MAX_TOLD = 1_000
"""the most characters of an error message about such input"""
_MISSING = "the game has no such party or roll"


# --- the state -------------------------------------------------------------------------------------------------------


KeptRolls = dict[int, tuple[RollRecord, AdvisedRoll]]
"""by roll number: the record of a roll and its description in the latest state, in one language"""


def state_of(replay: Replay, rolls: int, translate: Translate, kept: KeptRolls | None = None) -> AdvisedState:
    """Return the state of a game as its rules see it, with the latest `rolls` rolls."""
    session, system = replay.session, replay.session.system
    settled, opened = system.rolls(session.game)
    latest = _within_bounds([*settled, *opened][-rolls:])
    waits = session.waits_for()
    own = system.view_rest(session.game)
    return AdvisedState(
        own={name: value[-rolls:] if isinstance(value, list) else value for name, value in own.items()},
        phase=str(session.phase),
        rolls=_rolls(session, latest, translate, kept),
        size=replay.size,
        tables=tuple(_table(table, translate) for table in system.tables(session.game) if table.rows),
        waits=None if waits is None else AdvisedWait(translate(waits.choice), waits.party),
    )


def _within_bounds(rolls: Sequence[RollRecord]) -> Sequence[RollRecord]:
    """Return the latest of these rolls, with no more than MAX_DICE_SENT dice; the last one in any case."""
    dice = 0
    for at in range(len(rolls) - 1, -1, -1):
        dice += len(rolls[at].dice)
        if dice > MAX_DICE_SENT and at < len(rolls) - 1:
            return rolls[at + 1 :]
    return rolls


def _rolls(
    session: Session, latest: Sequence[RollRecord], translate: Translate, kept: KeptRolls | None
) -> tuple[AdvisedRoll, ...]:
    if kept is None:
        return tuple(_roll(session, roll, translate, None) for roll in latest)
    known = dict(kept)
    kept.clear()
    for roll in latest:
        record, earlier = known.get(roll.roll, (None, None))
        kept[roll.roll] = roll, _roll(session, roll, translate, earlier if record is roll else None)
    return tuple(description for _, description in kept.values())


def _roll(session: Session, roll: RollRecord, translate: Translate, earlier: AdvisedRoll | None) -> AdvisedRoll:
    """Return the description of a roll; `earlier` is the description made of the same record before, if any."""
    if earlier is not None and session.system.rolls_stand_alone:
        return earlier
    notes = (*struck_through(roll), *session.system.notes(session.game, roll.roll))
    summary = session.system.summary(roll)
    own = session.system.view_roll(session.game, roll.roll) or {}
    return AdvisedRoll(
        dice=earlier.dice if earlier is not None else tuple(_die(die, translate) for die in roll.dice),
        notation=roll.notation,
        notes=tuple(note.message(translate) for note in notes),
        own={name: value for name, value in own.items() if name != "dice"},
        player=roll.player,
        roll=roll.roll,
        source=roll.source,
        status=roll.status,
        summary=None if summary is None else summary.message(translate),
        text=earlier.text if earlier is not None else roll_text(roll, session.system, translate),
    )


def _die(die: DieRecord, translate: Translate) -> AdvisedDie:
    return AdvisedDie(die.die, die.naturals, die.result, die.sides, die.status, die_text(die, translate))


def _table(table: Table, translate: Translate) -> AdvisedTable:
    return AdvisedTable(
        columns=tuple(column.message(translate) for column in table.columns),
        rows=tuple(
            tuple(cell.message(translate) if isinstance(cell, Message) else cell for cell in row) for row in table.rows
        ),
        title=table.title.message(translate),
    )


def explain_roll(replay: Replay, roll: int, translate: Translate) -> Explained:
    """Return how the results of a roll's dice follow from the naturals, for a roll that the state keeps.

    Raises MissingError.
    """
    session = replay.session
    settled, opened = session.system.rolls(session.game)
    if not any(each.roll == roll for each in (*opened, *settled)):
        raise MissingError(_MISSING)
    reasons = session.system.explain(session.game, roll)
    return Explained(tuple(Reasoned(each.clause, each.message(translate)) for each in reasons), replay.size)


# --- actions -----------------------------------------------------------------------------------------------------


def actions_of(replay: Replay, party: str, translate: Translate) -> OfferedActions:
    """Return the actions that a party can take now. Raises MissingError if the game has no such party."""
    if party not in replay.terms.roles:
        raise MissingError(_MISSING)
    found = offered(replay.session, party, replay.size)
    return OfferedActions(tuple(_action(replay.session.system, each, translate) for each in found), replay.size)


def _action(system: System[Any], action: Action, translate: Translate) -> Mapping[str, Any]:
    form, offer = form_of(system, action.type, action.body), as_json(action, translate)
    for field, field_offer in zip(action.fields, offer["fields"], strict=True):
        typed = typed_for(form, field)
        if typed is not None:
            field_offer["typed"] = typed
    line = line_for(form, action)
    return offer if line is None else {**offer, "line": line}


# --- typed input -------------------------------------------------------------------------------------------------


def read(replay: Replay, asked: ReadRequest, translate: Translate) -> ReadBody:
    """Return the body that the input means, and the system's words for it. Raises NotationError, UsageError."""
    session, party = replay.session, "" if asked.party is UNSET else asked.party
    _check_length(asked)
    type_, meant = _meant(replay, asked, party)
    schema = schema_of(form_of(session.system, type_, meant), meant)
    words: Message | None = None
    reading: Message | None = None
    if type_ in session.system.bodies:
        words = session.system.summarize(Event(replay.size, party, type_, schema))
        actions = offered(session, party, replay.size) if party in replay.terms.roles else ()
        reading = read_back(session.system, actions, type_, msgspec.to_builtins(schema))
    texts = (None if one is None else one.message(translate) for one in (reading, words))
    return ReadBody(meant, *texts)


def _meant(replay: Replay, asked: ReadRequest, party: str) -> tuple[str, dict[str, Any]]:
    """Return the type of the event, and its body. Raises NotationError, UsageError."""
    session, line = replay.session, None if asked.line is UNSET else asked.line
    if asked.action is not UNSET and asked.type is UNSET and (line is None or asked.typed is UNSET):
        typed, given = ({} if each is UNSET else each for each in (asked.typed, asked.given))
        return asked.action.type, read_action(session.system, asked.action, line, typed, given)
    if asked.action is UNSET and asked.type is not UNSET and line is not None:
        actions = offered(session, party, replay.size)
        kind = None if asked.kind is UNSET else asked.kind
        return asked.type, read_line(session.system, actions, asked.type, line, kind)
    raise UsageError(Message("give an action with a line or the typed text, or a line and a type"))


def refusal(problem: NotationError, translate: Translate) -> tuple[str, tuple[str, ...]]:
    """Return the reason why input cannot be read, and the lines that would be read instead."""
    return shortly(problem.problem.message(translate)), tuple(line for line in problem.lines if len(line) <= MAX_TOLD)


def shortly(text: str) -> str:
    """Return an error message without its middle if it is too long.

    The middle is the input; what is wrong stands at the beginning, and what would be right at the end.
    """
    return text if len(text) <= MAX_TOLD else f"{text[: MAX_TOLD // 2]} … {text[-MAX_TOLD // 2 :]}"


def _check_length(asked: ReadRequest) -> None:
    """Raise NotationError if a line or a typed field is too long."""
    texts = [] if asked.line is UNSET else [asked.line]
    for typed in () if asked.typed is UNSET else asked.typed.values():
        texts += [typed] if isinstance(typed, str) else typed
    longest = max(map(len, texts), default=0)
    if longest > MAX_LINE:
        raise NotationError(
            "the typed text has {count} characters; at most {most} are allowed", count=longest, most=MAX_LINE
        )
