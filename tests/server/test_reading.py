"""What is typed into actions is read as the bodies that were meant, in every state (specs/network.md, "Advice")."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from ledger.analysis.advice import actions_of, state_of
from ledger.forms.form import _PROTOCOL_NOTATIONS as RULED
from ledger.forms.form import forms
from ledger.forms.reading import AskedAction, AskedField, read_action, read_line
from ledger.server.advice import read
from ledger.server.problems import Problem
from rules import SYSTEMS, Body, Role, Session, System
from rules.actions import fits
from rules.base import NotationError
from rules.offered import offered
from tests.support.sessions import scripts_of, sessions
from verifier.language import translator

ROLES: dict[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "judy": "judge"}
JAPANESE = translator("ja")


def made_options(system: System[Any]) -> Body:
    found: Body = msgspec.convert(dict.fromkeys(system.options.__struct_fields__, True), system.options)
    return found


def roles_of(system: System[Any]) -> dict[str, Role]:
    return {**ROLES, **({"gina": "gm"} if "gm" in system.roles else {})}


def states(system: str, few: int | None = None) -> Iterator[tuple[Session, int]]:
    """Every state of the system's scripts, or of a few of them: the session, and the number of the next event."""
    found = scripts_of(system)
    for script in found if few is None else Random(system).sample(found, few):
        yield from ((stepped.session, stepped.seq + 1) for stepped in sessions(script))


def view_of(session: Session, seq: int) -> Any:
    """What advice looks at."""
    return SimpleNamespace(
        replay=SimpleNamespace(session=session, size=seq, terms=SimpleNamespace(roles=session.parties.roles))
    )


def asked(view: Any, **members: Any) -> Any:
    """The answer to a `read`, as JSON. Raises Problem."""
    return msgspec.json.decode(msgspec.json.encode(read(view, msgspec.json.encode(members), JAPANESE)))


def answered(view: Any, **members: Any) -> Any:
    """The answer, or the Problem."""
    try:
        return asked(view, **members)
    except Problem as problem:
        return problem


def filled_in(action: Mapping[str, Any]) -> dict[str, Any]:
    """A request that fills each needed field in by its first option, or its example."""
    typed, given = {}, {}
    for field in action["fields"]:
        if not field["required"]:
            continue
        match field["kind"]:
            case "free":
                typed[field["name"]] = field["typed"]["example"]
            case "one-of":
                given[field["name"]] = field["options"][0]["value"]
            case "range":
                given[field["name"]] = field["least"]
            case "some-of":
                given[field["name"]] = [option["value"] for option in field["options"][: field["least"]]]
            case "records":
                inner = filled_in({"fields": field["fields"]})
                given[field["name"]] = [{**inner["given"], **inner["typed"]}] * field["least"]
    return {"typed": typed, "given": given}


@pytest.mark.parametrize("system", [pytest.param(each, marks=pytest.mark.long) for each in SYSTEMS])
@pytest.mark.slow
def test_each_action_can_be_filled_in_by_its_examples(system: str) -> None:
    check_actions(system, list(states(system)), count=150)


@pytest.mark.parametrize("system", SYSTEMS)
def test_some_actions_can_be_filled_in_by_their_examples(system: str) -> None:
    check_actions(system, list(states(system, few=25)), count=8)


def check_actions(system: str, found: Sequence[tuple[Session, int]], count: int) -> None:
    random, read_, refused = Random(system), Counter[str](), Counter[str]()
    for session, seq in random.sample(found, min(count, len(found))):
        view = view_of(session, seq)
        state_of(view.replay, 50, JAPANESE)
        for party in session.parties.roles:
            actions = offered(session, party, seq)
            told = msgspec.json.decode(msgspec.json.encode(actions_of(view.replay, party, JAPANESE)))["actions"]
            for action, as_told in zip(actions, told, strict=True):
                line = [{"line": as_told["line"]["example"]}] if "line" in as_told else []
                for request in (*line, filled_in(as_told)):
                    answer = answered(view, action=as_told, party=party, **request)
                    if isinstance(answer, Problem):
                        assert (answer.status, answer.code) == (422, "notation"), answer
                        assert msgspec.json.decode(answer.body(JAPANESE))["detail"]
                        refused[action.label.template] += 1
                        continue
                    read_[action.label.template] += 1
                    if "line" not in request:
                        assert fits(action, answer["body"]), (action, answer)
    never = refused.keys() - read_.keys()
    assert len(read_) > 3
    assert not never, never


def caught(read: Callable[..., Any], *arguments: Any) -> Any:
    """What it gives, or the NotationError."""
    try:
        return read(*arguments)
    except NotationError as problem:
        return problem


@pytest.mark.parametrize("id_", SYSTEMS)
def test_every_example_of_a_line_is_read(id_: str) -> None:
    """It is a whole body; or all that is left is what a state decides, such as the call that is answered."""
    system, whole = SYSTEMS[id_], 0
    for event in system.bodies:
        for form in forms(system, event):
            if form.notation is None:
                continue
            said = form.parsed(form.notation.example)
            body = caught(read_line, system, (), form.type, form.notation.example, form.tag)
            if isinstance(body, NotationError):
                assert body.template.startswith("this is not whole"), (form.words, str(body))
                continue
            assert body == said
            whole += 1
    assert whole


@pytest.mark.long
def test_a_line_by_itself_is_completed_by_what_the_party_can_do() -> None:
    session, seq, party, action = next(
        (session, seq, party, action)
        for session, seq in states("doubledown-1")
        for party in session.parties.roles
        for action in offered(session, party, seq)
        if action.type == "roll" and any(field.name == "drive" for field in action.fields)
    )
    view = view_of(session, seq)
    answer = asked(view, type="roll", line="drive 1", party=party)
    assert answer["body"] == {"call": action.body["call"], "drive": 1}
    assert answer["words"]
    with pytest.raises(Problem) as refused:
        asked(view, type="roll", line="drive 1")
    assert refused.value.code == "notation"


DICE = SYSTEMS["dice-1"]
ROLL = AskedAction("roll", {}, (AskedField("dice", "the dice"), AskedField("source", "what for", required=False)))


@pytest.mark.parametrize(
    ("asked_", "how", "said"),
    [
        (ROLL, {"line": "4d6kh3 + 2 for Strength"}, {"dice": "4d6kh3 + 2", "source": "Strength"}),
        (ROLL, {"typed": {"dice": "d20", "source": "x"}}, {"dice": "d20", "source": "x"}),
        (ROLL, {"typed": {"dice": ["d20"]}, "given": {"source": "@x"}}, {"dice": "d20", "source": "@x"}),
        (AskedAction("ruling", {"ruling": "correct"}, tuple(map(AskedField, ("subject", "text", "results")))),
         {"given": {"subject": 3}, "typed": {"text": "it was cocked", "results": "1=6\n2=5"}},
         {"ruling": "correct", "subject": 3, "text": "it was cocked",
          "results": [{"die": 1, "result": 6}, {"die": 2, "result": 5}]}),
        (AskedAction("declare", {"what": "return", "deck": "a"}, (AskedField("item"),)),
         {"typed": {"item": "@/etc/passwd"}}, {"what": "return", "deck": "a", "item": "@/etc/passwd"}),
    ],
)  # fmt: skip
def test_what_was_typed_becomes_the_body(asked_: AskedAction, how: dict[str, Any], said: dict[str, Any]) -> None:
    assert read_action(DICE, asked_, **how) == said


@pytest.mark.parametrize(
    ("asked_", "how", "words"),
    [
        (ROLL, {}, "this must be said too: the dice"),
        (ROLL, {"typed": {"nothing": "x"}}, "nothing"),
        (ROLL, {"line": "d20", "given": {"deck": "a"}}, "deck"),
        (AskedAction("roll", {"dice": "d6"}), {"line": "d20"}, "dice is decided here"),
        (AskedAction("roll", {"deck": 3}), {}, "deck must be"),
        (AskedAction("leap"), {}, "leap"),
        (AskedAction("open"), {}, "open"),
        (AskedAction("ruling", {"ruling": "correct"}, (AskedField("results"),)), {"typed": {"results": "1:6"}}, "2=15"),
        (AskedAction("declare", {"what": "nothing"}), {}, "what"),
        (AskedAction("roll", {}, (AskedField("draw"),)), {"typed": {"draw": []}}, "nothing typed"),
        (AskedAction("roll", {}, (AskedField("draw"),)), {"typed": {"draw": "three"}}, "a whole number"),
    ],
)
def test_what_cannot_be_read_says_what_would_be_right(asked_: AskedAction, how: dict[str, Any], words: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_action(DICE, asked_, **how)
    assert words in str(refused.value)


HOSTILE = (
    "(" * 10_000,
    "9" * 10_000,
    "1d" * 5_000,
    "+".join(["999d999"] * 1_200),
    "a" * 10_000,
    " " * 10_000,
    "a " * 5_000,
    ", " * 5_000,
    "| " * 5_000,
    "; " * 5_000,
    "'\"" * 5_000,
    "“" * 10_000,
    "1-999," * 1_600,
    "reroll " * 1_400,
    "hit +1 x, " * 1_000,
    'M6" ' * 2_500,
    "may " * 2_500,
    "\x00\u202e\ud7ff" * 3_000,
    "[" * 10_000,
    '{"a":' * 2_000,
    "1–14: " * 1_600,
    "d6!" * 3_000,
    "1" + " " * 9_998 + "x",
    ("x" * 99 + " ") * 100,
    "\n" * 10_000,
    '"a" ' * 2_500,
    "\ue0005\ue001 x",
    'M6" ' * 2_499 + "none",
    "a: " + "1 " * 4_000,
    "(pts " * 2_000,
)


def seconds(parse: Callable[[str], object], text: str) -> float:
    """The processor time that a text takes."""
    begun = time.process_time()
    caught(parse, text)
    return time.process_time() - begun


@pytest.mark.long
@pytest.mark.parametrize("id_", SYSTEMS)
def test_no_text_takes_long_or_ends_in_anything_but_words(id_: str) -> None:
    """Each text in each notation: read, or refused in words. What grows with the square of a text's length is no
    matter of a slow machine: 10,000 characters took more than a second.
    """
    system, slowest = SYSTEMS[id_], (0.0, "", "")
    parsers = {
        (notation.grammar, notation.parse): notation.parse for notation in (*system.notations.values(), *RULED.values())
    }
    for (grammar, _), parse in parsers.items():
        for text in HOSTILE:
            took = seconds(parse, text)
            if took > 0.3:  # the collector of a process with many tests takes its time too, but not three times
                took = min(took, seconds(parse, text), seconds(parse, text))
            slowest = max(slowest, (took, grammar, text[:20]))
    assert slowest[0] < 0.7, slowest


@pytest.mark.parametrize("id_", SYSTEMS)
def test_what_is_wrong_is_told_shortly(id_: str) -> None:
    system = SYSTEMS[id_]
    session = Session.start(system, made_options(system), roles_of(system))
    for event in system.bodies:
        for form in forms(system, event):
            for member in form.members:
                fields = [{"name": member.name}]
                action = {"type": event, "body": form.fixed, "fields": fields}
                answer = answered(view_of(session, 1), action=action, typed={member.name: "(\u202e[x" * 2_000})
                if isinstance(answer, Problem):
                    assert len(msgspec.json.decode(answer.body(JAPANESE))["detail"]) < 1_100


def test_a_text_that_is_too_long_is_refused() -> None:
    session = Session.start(DICE, made_options(DICE), ROLES)
    answer = answered(view_of(session, 1), type="roll", line="d" * 10_001)
    assert answer.code == "notation"
    assert "10001" in str(answer)
