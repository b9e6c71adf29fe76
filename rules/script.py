"""Rules scripts: the rules without cryptography, dice typed in (specs/rules.md, "Rules script")."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules import SYSTEMS, Body, Event, Role, Ruling, Session, System, Violation
from rules.base import BodyError
from rules.bounds import MAX_PARTIES, MAX_SCRIPT_EVENTS, Integer, Name, Positive
from rules.language import N_, Message, schema_problem
from rules.session import REQUESTS, TRANSITIONS, Close, Join, Leave

__all__ = ["FORMAT", "Outcome", "Script", "ScriptError", "differences", "read", "run"]

FORMAT = "rollproof/script/v1"


class ScriptError(Message, ValueError):
    """The script cannot be read, or cannot be run as it stands; the message says where and why."""


class ScriptEvent(Body, frozen=True):
    author: Name
    type: str
    body: msgspec.Raw = msgspec.Raw(b"{}")
    naturals: tuple[Positive, ...] | UnsetType = UNSET


class ExpectedViolation(Body, frozen=True):
    seq: Integer
    clause: str | None
    code: str | UnsetType = UNSET


class Expectation(Body, frozen=True):
    violation: ExpectedViolation | UnsetType = UNSET
    state: dict[str, Any] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.violation is UNSET) == (self.state is UNSET):
            raise BodyError("expect either a violation or a state")


class Script(Body, frozen=True):
    format: str
    system: str
    options: msgspec.Raw
    parties: Annotated[dict[Name, Role], Meta(min_length=2, max_length=MAX_PARTIES)]
    events: Annotated[tuple[ScriptEvent, ...], Meta(max_length=MAX_SCRIPT_EVENTS)]
    about: str | UnsetType = UNSET
    expect: Expectation | UnsetType = UNSET


class Outcome(msgspec.Struct, frozen=True):
    """How a script ended: the session after the last event that holds, and the violation, if any, with its event."""

    session: Session
    seq: int
    violation: Violation | None


class Empty(Body, frozen=True):
    """`{}`"""


_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_PROTOCOL: Mapping[str, type[Body]] = {"join": Join, "leave": Leave, "ruling": Ruling, "close": Close, "void": Empty}


def read(data: bytes) -> Script:
    """Read a script. Raises ScriptError."""
    try:
        script = msgspec.json.decode(data, type=Script)
    except _UNREADABLE as error:
        raise ScriptError("this is no rules script: {problem}", problem=schema_problem(error)) from None
    if script.format != FORMAT:
        raise ScriptError("`format` is {actual!r}; this program reads {known!r}", actual=script.format, known=FORMAT)
    if script.system not in SYSTEMS:
        known = ", ".join(sorted(SYSTEMS))
        raise ScriptError("`system` is {actual!r}; this program knows {known}", actual=script.system, known=known)
    roles = list(script.parties.values())
    if roles.count("keeper") != 1 or "player" not in roles:
        raise ScriptError("`parties` needs exactly one keeper and at least one player")
    for name, role in script.parties.items():
        if role == "gm" and role not in SYSTEMS[script.system].roles:
            raise ScriptError("`parties`: {system} has no gm, but {name} is one", system=script.system, name=name)
    return script


def run(script: Script) -> Outcome:
    """Play a script to its end or to its first violation. Raises ScriptError where dice and naturals do not fit."""
    system = SYSTEMS[script.system]
    session = Session.start(system, _options(script, system), script.parties)
    if not any(event.type == "join" for event in script.events):
        session = msgspec.structs.replace(session, joined=frozenset(script.parties))
    for seq, line in enumerate(script.events, 1):
        try:
            session = _step(session, seq, line)
        except Violation as violation:
            return Outcome(session, seq, violation)
    return Outcome(session, len(script.events), None)


def differences(script: Script, outcome: Outcome) -> list[str]:
    """Where the outcome is not the one that the script expects, in words; empty if it is."""
    expect, violation = script.expect, outcome.violation
    if isinstance(expect, UnsetType):
        return []
    if isinstance(expect.state, dict):
        if violation is not None:
            return [
                f"expected a state, but event {outcome.seq} violates {violation.clause or violation.code}: {violation}"
            ]
        return _differ("state", expect.state, outcome.session.view())
    assert isinstance(expect.violation, ExpectedViolation)
    if violation is None:
        return [f"expected event {expect.violation.seq} to violate {expect.violation.clause}, but the script holds"]
    wanted = {"seq": expect.violation.seq, "clause": expect.violation.clause}
    if isinstance(expect.violation.code, str):
        wanted["code"] = expect.violation.code
    actual = {"seq": outcome.seq, "clause": violation.clause, "code": violation.code}
    return _differ("violation", wanted, actual)


def _step(session: Session, seq: int, line: ScriptEvent) -> Session:
    if line.author not in session.roles:
        raise ScriptError("event {seq}: {author} is none of the parties", seq=seq, author=line.author)
    if line.type not in TRANSITIONS or (line.type not in _PROTOCOL and line.type not in session.system.bodies):
        known = ", ".join(sorted({*_PROTOCOL, *session.system.bodies}))
        text = N_("event {seq}: there is no event {type!r} in a script; there are {known}")
        raise ScriptError(text, seq=seq, type=line.type, known=known)
    schema = _PROTOCOL.get(line.type) or session.system.bodies[line.type]
    try:
        body = _decode(line.body, schema)
    except _UNREADABLE as error:
        text = N_("the body of this {type} is not as the specification has it: {problem}")
        raise Violation(None, text, code="body.malformed", type=line.type, problem=schema_problem(error)) from None
    event = Event(seq, line.author, line.type, body)
    session.check_role(event.author, event.type)
    session.check_state(event)
    session = session.apply(event)
    if line.type not in REQUESTS:
        if line.naturals is not UNSET:
            raise ScriptError("event {seq}: {type} draws no dice, so it has no naturals", seq=seq, type=line.type)
        return session
    return session if isinstance(line.naturals, UnsetType) else _reveal(session, seq, line.naturals)


def _reveal(session: Session, seq: int, naturals: tuple[int, ...]) -> Session:
    if len(naturals) != len(session.draw):
        text = N_("event {seq} draws {count} dice but has {given} naturals")
        raise ScriptError(text, seq=seq, count=len(session.draw), given=len(naturals))
    for position, (sides, natural) in enumerate(zip(session.draw, naturals, strict=True), 1):
        if natural > sides:
            text = N_("event {seq}: natural {position} is {natural}, but the die has {sides} sides")
            raise ScriptError(text, seq=seq, position=position, natural=natural, sides=sides)
    return session.apply(Event(seq, session.keeper, "reveal", Empty()), naturals)


def _options(script: Script, system: System[Any]) -> Body:
    try:
        return _decode(script.options, system.options)
    except _UNREADABLE as error:
        raise ScriptError("`options`: {problem}", problem=schema_problem(error)) from None


def _decode(raw: msgspec.Raw, type_: Any) -> Body:
    body: Body = msgspec.json.decode(raw, type=type_)
    return body


def _differ(path: str, expected: Any, actual: Any) -> list[str]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        found = []
        for key, value in expected.items():
            if key not in actual:
                found.append(f"{path}.{key}: expected {value!r}, but there is no such member")
            else:
                found += _differ(f"{path}.{key}", value, actual[key])
        return found
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        return [
            text
            for i, (e, a) in enumerate(zip(expected, actual, strict=True))
            for text in _differ(f"{path}[{i}]", e, a)
        ]
    same = expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
    return [] if same else [f"{path}: expected {expected!r}, found {actual!r}"]
