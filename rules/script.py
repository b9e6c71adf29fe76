"""Rules scripts: games without cryptography, whose dice stand in a file (specs/rules.md, "Rules script")."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules import SYSTEMS, Body, Event, Role, Ruling, Session, System, Violation
from rules.base import BodyError, next_wave
from rules.data.bounds import MAX_PARTIES, MAX_SCRIPT_EVENTS, MAX_SCRIPTS, Integer, Name, Positive
from rules.data.jsontext import UNREADABLE, json_problem, quote_value
from rules.data.language import N_, Message, counted
from rules.data.schema import Path, schema_problem, where
from rules.protocol import ACTS, REQUESTS, Away, Back, Join, Leave, roles_problem

__all__ = [
    "FILE_FORMAT",
    "FORMAT",
    "Outcome",
    "Script",
    "ScriptError",
    "ScriptEvent",
    "ScriptFile",
    "differences",
    "read",
    "read_file",
    "run",
    "start",
    "step",
]

FORMAT = "rollproof/script/v1"
FILE_FORMAT = "rollproof/scripts/v1"

_T = TypeVar("_T")

_SCRIPT_NAME = N_("a name of a script: 1 to 100 of a to z, 0 to 9 and hyphen, with or without .violates behind them")
ScriptName = Annotated[str, Meta(pattern=r"\A[a-z0-9-]{1,100}(\.violates)?\Z", description=_SCRIPT_NAME)]


class ScriptError(Message, ValueError):
    """Raised for a script that cannot be read or run. The message says where and why."""


class ScriptEvent(Body, frozen=True):
    """An event of a script. Its body is decoded when the event is played."""

    author: Name
    type: str
    body: msgspec.Raw = msgspec.Raw(b"{}")
    naturals: tuple[Positive, ...] | UnsetType = UNSET


class ExpectedViolation(Body, frozen=True):
    """The violation that a script expects: event, clause and, where it matters, finding code."""

    seq: Integer
    clause: str | None
    code: str | UnsetType = UNSET


class Expectation(Body, frozen=True):
    """The outcome that a script expects: a violation, or members of the state after its last event."""

    violation: ExpectedViolation | UnsetType = UNSET
    state: dict[str, Any] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.violation is UNSET) == (self.state is UNSET):
            raise BodyError("a script expects either a violation or a state")


class Script(Body, frozen=True):
    """A script in its file format. Its options are decoded when it is played."""

    format: str
    system: str
    options: msgspec.Raw
    parties: Annotated[dict[Name, Role], Meta(min_length=2, max_length=MAX_PARTIES)]
    events: Annotated[tuple[ScriptEvent, ...], Meta(max_length=MAX_SCRIPT_EVENTS)]
    about: str | UnsetType = UNSET
    expect: Expectation | UnsetType = UNSET


class ScriptFile(Body, frozen=True):
    """A file of several scripts, by their names."""

    format: str
    scripts: Annotated[dict[ScriptName, Script], Meta(min_length=1, max_length=MAX_SCRIPTS)]


class _Format(msgspec.Struct):
    """The format that a file names, whatever else stands in it."""

    format: str | UnsetType = UNSET


class Outcome(msgspec.Struct, frozen=True):
    """The end of a script: the session after the last allowed event, and the violation with its event, if there was
    one.
    """

    session: Session
    seq: int
    violation: Violation | None


class Empty(Body, frozen=True):
    """The body `{}`."""


_PROTOCOL: Mapping[str, type[Body]] = {
    "join": Join,
    "leave": Leave,
    "away": Away,
    "back": Back,
    "ruling": Ruling,
    "close": Empty,
    "void": Empty,
}


def read(data: bytes) -> Script:
    """Parse a script: UTF-8 JSON in which no object has a member twice. Raises ScriptError.

    Options and bodies are decoded only when the script is run.
    """
    _check_json(data)
    return _checked(_parse(data, Script))


def read_file(data: bytes) -> Mapping[str, Script]:
    """Parse a file of several scripts, or of one: its scripts by name, in the order of the file. Raises ScriptError.

    The name of the script is empty if the file is one script. An error says in which of several scripts it is.
    """
    _check_json(data)
    found = _parse(data, _Format).format
    if found is UNSET:
        raise ScriptError("its format is missing; this program reads {known}", known=f"{FORMAT}, {FILE_FORMAT}")
    if found == FORMAT:
        return {"": _checked(_parse(data, Script))}
    if found != FILE_FORMAT:
        raise _unknown_format(found, f"{FORMAT}, {FILE_FORMAT}")
    scripts = _parse(data, ScriptFile).scripts
    events = sum(len(script.events) for script in scripts.values())
    if events > MAX_SCRIPT_EVENTS:
        text = N_("its scripts have {events} events together; {most} are allowed")
        raise ScriptError(text, events=events, most=MAX_SCRIPT_EVENTS)
    for name, script in scripts.items():
        try:
            _checked(script)
        except ScriptError as error:
            raise ScriptError("{script}: {problem}", script=name, problem=error) from None
    return scripts


def _check_json(data: bytes) -> None:
    problem = json_problem(data, doubled=True)
    if problem is not None:
        raise ScriptError("this is no rules script: {problem}", problem=problem)


def _parse(data: bytes, type_: type[_T]) -> _T:
    try:
        return msgspec.json.decode(data, type=type_)
    except UNREADABLE as error:
        text = N_("this is no rules script: {problem}")
        raise ScriptError(text, problem=schema_problem(error, data, type_)) from None


def _checked(script: Script) -> Script:
    """Return the script itself if this program knows its format and system, and its parties can play."""
    if script.format != FORMAT:
        raise _unknown_format(script.format, FORMAT)
    if script.system not in SYSTEMS:
        text = N_("its system is {actual}; this program knows {known}")
        raise ScriptError(text, actual=quote_value(script.system), known=", ".join(sorted(SYSTEMS)))
    problem = roles_problem(script.parties, SYSTEMS[script.system].roles)
    if problem is not None:
        raise ScriptError("its parties are not valid: {problem}", problem=problem)
    return script


def _unknown_format(actual: str, known: str) -> ScriptError:
    return ScriptError("its format is {actual}; this program reads {known}", actual=quote_value(actual), known=known)


def run(script: Script) -> Outcome:
    """Play a script to its end or to its first violation. Raises ScriptError if dice and naturals do not match."""
    session = start(script)
    for seq, line in enumerate(script.events, 1):
        try:
            session = step(session, seq, line)
        except Violation as violation:
            return Outcome(session, seq, violation)
    return Outcome(session, len(script.events), None)


def start(script: Script) -> Session:
    """Return the session before the first event. Raises ScriptError if the system does not accept the options."""
    system = SYSTEMS[script.system]
    session = Session.start(system, _options(script, system), script.parties)
    if any(event.type == "join" for event in script.events):
        return session
    return session.with_joined(script.parties)


def differences(script: Script, outcome: Outcome) -> list[Message]:
    """Return how the outcome differs from the expectation, in words; empty if it does not or nothing is expected."""
    expect, violation = script.expect, outcome.violation
    if isinstance(expect, UnsetType):
        return []
    actual = None if violation is None else _refusal(outcome.seq, violation.clause, violation.code)
    if isinstance(expect.state, dict):
        if actual is None:
            return _differ((), expect.state, outcome.session.view())
        text = N_("the script expects a state, but {actual}: {problem}")
        return [Message(text, actual=actual, problem=violation)]
    wanted = expect.violation
    assert isinstance(wanted, ExpectedViolation)
    code = None if isinstance(wanted.code, UnsetType) else wanted.code
    expected = _refusal(wanted.seq, wanted.clause, code)
    if violation is None:
        return [Message("the script expects that {expected}, but all its events are allowed", expected=expected)]
    if (wanted.seq, wanted.clause) == (outcome.seq, violation.clause) and code in (None, violation.code):
        return []
    text = N_("the script expects that {expected}, but {actual}: {problem}")
    return [Message(text, expected=expected, actual=actual, problem=violation)]


def _refusal(seq: int, clause: str | None, code: str | None) -> Message:
    """Return a clause such as `event 3 breaks 706.6 (rules.violation)`."""
    if clause is None:
        text = N_("event {seq} breaks no clause of the rules, but the protocol")
        with_code = N_("event {seq} breaks no clause of the rules, but the protocol ({code})")
    else:
        text = N_("event {seq} breaks {clause}")
        with_code = N_("event {seq} breaks {clause} ({code})")
    return Message(with_code if code else text, seq=seq, clause=clause, code=code)


def step(session: Session, seq: int, line: ScriptEvent) -> Session:
    """Return the session after one event of a script.

    Raises Violation, and ScriptError if dice and naturals do not match.
    """
    if line.author not in session.parties.roles:
        raise ScriptError("event {seq}: {author} is none of the parties", seq=seq, author=line.author)
    if line.type not in {*_PROTOCOL, *REQUESTS, *ACTS}:
        known = ", ".join(sorted({*_PROTOCOL, *session.system.bodies}))
        text = N_("event {seq}: there is no event {type} in a script; there are {known}")
        raise ScriptError(text, seq=seq, type=quote_value(line.type), known=known)
    event = Event(seq, line.author, line.type, _body(session.system, line), _canonical(line.body))
    session.check_role(event.author, event.type)
    session.check_state(event)
    if event.type == "void":
        return _void(session, event)
    session = session.apply(event)
    if line.type not in REQUESTS:
        if line.naturals is not UNSET:
            raise ScriptError("event {seq}: {type} draws no dice, so it has no naturals", seq=seq, type=line.type)
        return session
    return session if isinstance(line.naturals, UnsetType) else _reveal(session, seq, line.naturals)


def _void(session: Session, event: Event) -> Session:
    """Apply a void together with the keeper's disclose, which scripts leave out."""
    assert session.request is not None, "step 15 lets a void through only while a request waits"
    if event.author != session.request.author and session.parties.roles[event.author] != "judge":
        text = N_("only {author}, whose roll it is, or a judge can void it")
        raise Violation(None, text, code="state.void", author=session.request.author)
    session = session.apply(event)
    return session.apply(Event(event.seq, session.parties.keeper, "disclose", Empty()))


def _canonical(body: msgspec.Raw) -> bytes:
    """Return the canonical form of a request's body, by which it is compared with an owed one."""
    return msgspec.json.encode(msgspec.json.decode(body), order="sorted")


def _body(system: System[Any], line: ScriptEvent) -> Body:
    """Decode the body of an event (step 9 of the verification). Raises Violation `body.malformed`."""
    schema = _PROTOCOL.get(line.type) or system.bodies.get(line.type)
    if schema is None:
        text = N_("{system} has no {type}; it has {known}")
        known = ", ".join(sorted(system.bodies))
        raise Violation(None, text, code="body.malformed", system=system.id, type=line.type, known=known)
    try:
        return _decode(line.body, schema)
    except UNREADABLE as error:
        text = N_("the body of this {type} is not as the specification has it: {problem}")
        problem = schema_problem(error, line.body, schema)
        raise Violation(None, text, code="body.malformed", type=line.type, problem=problem) from None


def _reveal(session: Session, seq: int, naturals: tuple[int, ...]) -> Session:
    waves, count = session.waves(), 0
    wave = next(waves)
    while wave:  # each is looked at before it decides which dice come next
        drawn = naturals[count : count + len(wave)]
        for position, (sides, natural) in enumerate(zip(wave, drawn, strict=False), count + 1):
            if natural > sides:
                text = N_("event {seq}: natural {position} is {natural}, but the die has {sides} sides")
                raise ScriptError(text, seq=seq, position=position, natural=natural, sides=sides)
        count += len(wave)
        wave = next_wave(waves, drawn) if len(drawn) == len(wave) else ()
    if len(naturals) != count:
        text = N_("event {seq} draws {dice} but has {given}")
        dice, given = counted(count, "die"), counted(len(naturals), "natural")
        raise ScriptError(text, seq=seq, dice=dice, given=given)
    return session.apply(Event(seq, session.parties.keeper, "reveal", Empty()), naturals)


def _options(script: Script, system: System[Any]) -> Body:
    try:
        return _decode(script.options, system.options)
    except UNREADABLE as error:
        problem = schema_problem(error, script.options, system.options)
        raise ScriptError("its options are not as these rules have them: {problem}", problem=problem) from None


def _decode(raw: msgspec.Raw, type_: Any) -> Body:
    body: Body = msgspec.json.decode(raw, type=type_)
    return body


def _differ(path: Path, expected: Any, actual: Any) -> list[Message]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        found = []
        for key, value in expected.items():
            if key in actual:
                found += _differ((*path, key), value, actual[key])
            else:
                text = N_("the script expects {where} to be {expected}, but there is no such member")
                found.append(Message(text, where=where((*path, key)), expected=quote_value(value)))
        return found
    if isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            text = N_("the script expects {where} to have {expected}, but it has {actual}")
            counts = {"expected": counted(len(expected), "item"), "actual": counted(len(actual), "item")}
            return [Message(text, where=where(path), **counts)]
        pairs = enumerate(zip(expected, actual, strict=True))
        return [text for at, (wanted, found) in pairs for text in _differ((*path, at), wanted, found)]
    if expected == actual and isinstance(expected, bool) == isinstance(actual, bool):
        return []
    text = N_("the script expects {where} to be {expected}, but it is {actual}")
    return [Message(text, where=where(path), expected=quote_value(expected), actual=quote_value(actual))]
