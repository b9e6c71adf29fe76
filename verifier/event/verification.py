"""Verification of an event log from its first byte to its last (specs/event.md, "Verification").

It takes bytes and opens nothing.
"""

import io
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, BinaryIO

from msgspec.structs import replace

from rules.data.language import N_, Translate
from verifier.checkpoints.policy import Policy
from verifier.checkpoints.receipts import Receipts
from verifier.errors import Failure, Finding, TimeLimit
from verifier.event.acts import LINE_LABEL
from verifier.event.records import Round
from verifier.event.refusals import STEP
from verifier.event.replay import EventReplay, check_event_line
from verifier.event.state import EventState
from verifier.log.format import decode_envelope, signed_message
from verifier.log.identity import holds
from verifier.log.terms import Pins
from verifier.report import Head, Report, not_judged
from verifier.verification import read_lines, verdict_of

__all__ = ["event_state", "judge_event", "verify_event"]

_NOTICES: Mapping[str, str] = {
    "event.desk": N_("Players whom staff checked in, without a claim code: {count}."),
    "event.tablet": N_("Players who were checked in on a device of staff's: {count}."),
    "event.rekeyed": N_("Keys of players that an organizer replaced: {count}."),
    "event.repaired": N_("Tables that were cancelled or changed after their round had started: {count}."),
    "event.judged": N_("Match results that staff set: {count}."),
    "event.by-hand": N_("Tables at which dice were thrown by hand, without proof: {count}."),
    "event.corrected": N_("Match results, penalties and drops that were corrected: {count}."),
    "event.left": N_("Tables that were left without a match result when their round ended: {count}."),
}


def verify_event(
    log: bytes | BinaryIO,
    *,
    name: str = "event",
    pins: Pins | None = None,
    translate: Translate = str,
    receipts: Mapping[str, bytes] | None = None,
    policy: Policy | None = None,
) -> tuple[Report, EventReplay | None]:
    """Verify one event log. Return the report, and the replay of the valid prefix or None if nothing could be read.

    As in `verifier.verify`, nothing in the log makes this function raise; an OSError of the stream is passed on.
    """
    stream = io.BytesIO(log) if isinstance(log, bytes) else log
    replay = EventReplay()
    try:
        return judge_event(stream, replay, name, pins or Pins(), translate, Receipts(receipts or {}, policy))
    except MemoryError:
        message = translate(N_("There was not enough memory to verify this log to its end."))
        code, size = "limit.memory", replay.size
    except TimeLimit as limit:
        code, message, size = "limit.time", limit.message(translate), replay.size
    report = not_judged(name, "unfinished", code, message, translate, events=size, valid_prefix=size)
    return replace(report, kind="event"), None


def judge_event(
    stream: BinaryIO, replay: EventReplay, name: str, pins: Pins, translate: Translate, receipts: Receipts
) -> tuple[Report, EventReplay | None]:
    """Replay a stream to its end, or to the line that fails, and return the report."""
    lines = read_lines(stream)
    first = next(lines, None)
    try:
        check_event_line(first)
    except Failure as failure:
        return _unreadable(name, failure, translate), None
    assert first is not None
    for line in chain([first], lines):
        try:
            if not line.endswith(b"\n"):
                raise Failure(4, "line.unterminated", "The last line has no line feed: the file was cut inside it.")
            replay.step(line[:-1])
            if replay.size == 1:
                _check_pins(replay.state, pins, ended=False)
        except Failure as failure:
            if failure.step == 3:
                return _unreadable(name, failure, translate), None
            if failure.code.startswith("expect."):
                return _report(
                    name, replay, 1 + _count(lines), [_error(failure, 0, "file", translate)], translate
                ), replay
            error = _error(failure, replay.size, _fault(replay, line, failure), translate)
            return _report(name, replay, replay.size + 1 + _count(lines), [error], translate), replay
        receipts.note(replay)
    errors, notices, checked, not_checked = [], event_notices(replay, translate), [], []
    try:
        _check_pins(replay.state, pins, ended=True)
    except Failure as failure:
        errors.append(replace(_error(failure, 0, "file", translate), seq=None))
    judged = receipts.judge(replay, replay.size, translate, ended=True)
    errors += judged.findings
    notices += judged.notices
    checked += [*judged.checked]
    not_checked += [*judged.not_checked]
    report = _report(name, replay, replay.size, errors, translate, notices)
    return replace(report, checked=(*report.checked, *checked), not_checked=(*not_checked, *report.not_checked)), replay


def _count(lines: Iterator[bytes]) -> int:
    return sum(1 for _ in lines)


def _unreadable(name: str, failure: Failure, translate: Translate) -> Report:
    finding = _error(failure, 0, "file", translate)
    nothing = translate(N_("Nothing in the file could be judged."))
    return Report(name, "unreadable", None, 0, 0, None, (finding,), "", (), (nothing,), None, "event")


def _error(failure: Failure, seq: int, fault: str, translate: Translate) -> Finding:
    text = failure.message(translate)
    return Finding(
        failure.code, "error", failure.step, seq, fault, failure.clause, text, failure.expected, failure.actual
    )


def _fault(replay: EventReplay, line: bytes, failure: Failure) -> str:
    """Return the keeper if it signed the wrong line; `file` if it did not, and for line 0."""
    if not replay.size or failure.step <= 7:
        return "file"
    envelope = decode_envelope(line.removesuffix(b"\n"))
    terms = replay.terms
    signed = holds(terms.keeper_key.public_bytes, bytes.fromhex(envelope.sig), signed_message(envelope, LINE_LABEL))
    return terms.keeper if signed and envelope.author == terms.keeper else "file"


def _check_pins(state: EventState, pins: Pins, *, ended: bool) -> None:
    """Verify the caller's id and, once the log has `ended`, the caller's keys. Raises Failure."""
    terms = state.terms
    if pins.game is not None and pins.game != terms.game:
        text = N_("This is the log of game {actual}, not of the one asked for.")
        raise Failure(10, "expect.game", text, expected=pins.game.hex(), actual=terms.game.hex())
    if not ended:
        return
    known = {str(key) for key in state.ever_known}
    for key in pins.keys:
        if str(key) not in known:
            text = N_("Nobody in this log has the key of {name} that you know, and no party is called {name}.")
            if key.name in {each.name for each in state.ever_known}:
                text = N_("The {name} of this log has another key than the {name} you know: somebody may be posing.")
            raise Failure(10, "expect.key", text, name=key.name, expected=key)


def event_notices(replay: EventReplay, _: Translate) -> list[Finding]:
    """Return the notices about an event log by itself."""
    state, found = replay.state, []
    if not state.closed:
        text = _(N_("The event is not closed: more may follow, or its end is missing."))
        found.append(_notice("event.unfinished", None, text))
    for code, template in _NOTICES.items():
        if code in state.counts:
            count, seq = state.counts[code]
            found.append(_notice(code, seq, _(template).format(count=count)))
    ended = (round_ for round_ in state.rounds if round_.state == "ended")
    claims = sum(table.claim is not None for round_ in ended for table in round_.tables.values())
    if claims:
        text = _(N_("Tables of ended rounds with a slip that not all sides signed: {count}."))
        found.append(_notice("event.unagreed", None, text.format(count=claims)))
    return found


def _notice(code: str, seq: int | None, message: str) -> Finding:
    return Finding(code, "notice", STEP, seq, None, None, message)


def _report(
    name: str,
    replay: EventReplay,
    events: int,
    errors: list[Finding],
    _: Translate,
    notices: list[Finding] | None = None,
) -> Report:
    checked = (_(N_("The keeper's signature on each line, the chain, each act's own signature, and rules E1 to E32.")),)
    not_checked = (
        _(N_("Who is behind a number or a key, and whether what people signed is true.")),
        _(N_("The tables' dice: they are in their own logs, which a bundle has.")),
    )
    if not replay.size:
        return Report(name, "fails", None, events, 0, None, tuple(errors), "", (), not_checked, None, "event")
    trust = _(N_("{keeper} ordered these lines, and could leave acts out, not write or change anybody else's."))
    return Report(
        file=name,
        verdict=verdict_of(errors),
        game=replay.terms.game.hex(),
        events=events,
        valid_prefix=replay.size,
        head=Head(replay.size, replay.head.hex(), replay.tree.root().hex()),
        findings=(*errors, *(notices or ())),
        trust=trust.format(keeper=replay.terms.keeper),
        checked=checked,
        not_checked=not_checked,
        state=event_state(replay.state),
        kind="event",
    )


def event_state(state: EventState) -> dict[str, Any]:
    """Return the `state` of a report on an event."""
    players = list(state.players.values())
    return {
        "title": state.terms.body.title,
        "system": state.terms.body.system,
        "keeper": state.terms.keeper,
        "closed": state.closed,
        "players": {
            "registered": len(players),
            "in": sum(player.state == "in" for player in players),
            "dropped": sum(player.state == "dropped" for player in players),
        },
        "staff": [
            {"name": name, "role": person.role, "since": person.since}
            | ({} if person.until is None else {"until": person.until})
            for name, person in state.people.items()
        ],
        "rounds": [_round_state(state, round_) for round_ in state.rounds],
        "calls": sum(kind != "answer" and not answered for kind, _, _, answered in state.calls.values()),
        "penalties": [
            {"line": line, "number": number, "penalty": penalty}
            for line, (number, penalty) in sorted(state.penalties.items())
        ],
    }


def _round_state(state: EventState, round_: Round) -> dict[str, Any]:
    tables = []
    for table in sorted(round_.tables.values(), key=lambda table: table.number):
        found: dict[str, Any] = {"table": table.number, "sides": [list(side) for side in table.sides]}
        game = None if table.line is None else state.openings[table.line].tables[table.number].game
        if game is not None:
            found["game"] = game
        if table.extended:
            found["extended"] = table.extended
        if table.by_hand is not None:
            found["by_hand"] = table.by_hand
        if table.result is not None:
            found |= {"result": [side.members() for side in table.result], "by": table.by}
        if table.left is not None:
            found["left"] = table.left
        tables.append(found)
    whole = {"round": round_.number, "state": round_.state, "byes": list(round_.byes), "tables": tables}
    return whole | ({"paused": round_.paused} if round_.paused else {})
