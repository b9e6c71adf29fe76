"""The event: the vectors, the oracle that was written from the page alone, and the verifier agree."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.make import bundles
from tests.make import event as make
from tests.make.bundles import bundle_of
from tests.oracles import reference as ref
from tests.oracles import reference_event as oracle
from tests.support.bundles import bundled
from verifier import Failure
from verifier.event.replay import EventReplay
from verifier.event.tables import difference, event_zero
from verifier.event.verification import verify_event

VECTORS = json.loads(make.FILE.read_text())
BUNDLES = json.loads(bundles.FILE.read_text())
WHOLE = [line.encode() for line in VECTORS["event"]]


def data_of(case: dict[str, Any]) -> bytes:
    lines = WHOLE[: case["keep"]] + [line.encode() for line in case["lines"]]
    return b"".join(line + b"\n" for line in lines)


def told(data: bytes) -> dict[str, Any] | None:
    error = verify_event(data)[0].error
    if error is None:
        return None
    return {name: getattr(error, name) for name in ("code", "seq", "fault", "clause", "step")}


def test_the_whole_event_holds_with_the_root_that_the_vectors_say() -> None:
    report, replay = verify_event(b"".join(line + b"\n" for line in WHOLE))
    assert (report.verdict, report.error) == ("holds", None)
    assert report.head is not None
    assert report.head.root == VECTORS["root"]
    assert replay is not None
    assert replay.closed


@bundled("case", VECTORS["cases"], lambda case: str(case["about"]))
def test_a_case_of_the_vectors(case: dict[str, Any]) -> None:
    assert told(data_of(case)) == case["error"]


def test_each_rule_has_a_case() -> None:
    rules = {case["error"]["clause"] for case in VECTORS["cases"] if case["error"]}
    made = {f"E{n}" for n in range(1, 32)} - {"E6"}
    assert made <= rules | {"E4"}
    assert len(VECTORS["cases"]) > 90


def games_of(data: bytes) -> Iterator[tuple[oracle.Event, int, bytes]]:
    """The games of a bundle whose event holds: the event, the line that opened the table, and the log."""
    manifest, _, rest = data.partition(b"\n")
    event = oracle.Event()
    for file in json.loads(manifest)["files"]:
        content, rest = rest[: file["size"]], rest[file["size"] :]
        if file["name"] == "event.jsonl":
            event, errors = oracle.verify(content)
            if errors:
                return
        game = file["name"].removeprefix("games/").removesuffix(".jsonl")
        if game in event.games and content.startswith(b"{"):
            yield event, event.games[game][0], content


@pytest.mark.parametrize("case", BUNDLES["cases"], ids=lambda case: case["about"])
def test_acts_in_the_games_of_a_bundle(case: dict[str, Any]) -> None:
    games = games_of(bundle_of(BUNDLES, case)) if case["verdict"] != "unreadable" else ()
    found = [line for event, line, log in games for _ in oracle.strange_acts(event, line, log)]
    assert found == [error["seq"] for error in case["errors"] if error["code"] == "table.act"]


@pytest.mark.long
def test_cases_that_are_too_long_for_a_file() -> None:
    for about, _keep, log, error in make.made(make.whole()):
        if len(log.lines) >= 100:
            found = told(log.data)
            assert (found and found["code"]) == (error and error.code), about


@pytest.mark.parametrize("table", VECTORS["tables"], ids=lambda table: f"{table['line']}-{table['table']}")
def test_event_0_of_a_table(table: dict[str, Any]) -> None:
    replay = EventReplay()
    for line in WHOLE:
        replay.step(line)
    opening = replay.state.openings[table["line"]]
    zero = event_zero(replay.terms, opening, opening.tables[table["table"]])
    assert zero == table["event"]
    signed = ref.canonical({**zero, "sig": "0" * 128})
    assert difference(signed, zero) is None
    for member, value in (("time", "2026-11-20T10:00:00.000Z"), ("author", "mallory")):
        found = difference(ref.canonical({**zero, "sig": "0" * 128, member: value}), zero)
        assert found is not None
        assert found.member == member
    for member in zero["body"]:
        body = {name: each for name, each in zero["body"].items() if name != member}
        found = difference(ref.canonical({**zero, "sig": "0" * 128, "body": body}), zero)
        assert found is not None
        assert found.member == f"body.{member}"


def mutated(random: Random, value: Any) -> Any:
    """A value with one thing in it changed."""
    match value:
        case dict() if value:
            name = random.choice(list(value))
            if random.random() < 0.1:
                return {key: each for key, each in value.items() if key != name}
            return {**value, name: mutated(random, value[name])}
        case list() if value:
            at = random.randrange(len(value))
            return [*value[:at], mutated(random, value[at]), *value[at + 1 :]]
        case bool():
            return not value
        case int():
            return value + random.choice([-1, 1, 3, 9_999])
        case str():
            return random.choice([value[:-1], value.upper(), "p1", "dana", "olga", "all", "0" * 64, value + "x"])
    return value


@pytest.mark.long
def test_the_oracle_and_the_verifier_agree_on_random_acts() -> None:
    """Acts of the whole event, some changed, signed as they are, at any place: taken or refused alike."""
    random, whole = Random(30), make.whole()
    bodies = [json.loads(line) for line in whole.lines[1:]]
    refused, codes = 0, set()
    for _ in range(200):
        keep = random.randrange(4, len(whole.lines) + 1)
        log = whole.copy(keep)
        for _ in range(random.choice([1, 1, 2, 3])):
            event = random.choice(bodies)
            act = mutated(random, event["body"]["act"]) if random.random() < 0.6 else event["body"]["act"]
            by = event["body"].get("by")
            if by is not None and random.random() < 0.2:
                by = random.choice(["olga", "dana", "henry", "p1", "p2", "p3", "p4", "mallory"])
            if event["type"] == "check-in" and by and by.startswith("p") and isinstance(act.get("number"), int):
                act = {**make.check_in(log, 1), **act} if random.random() < 0.5 else act
            log.write(by, event["type"], act)
        _, found = oracle.verify(log.data)
        mine = told(log.data)
        theirs = (
            {name: getattr(found[0], name) for name in ("code", "seq", "fault", "clause", "step")} if found else None
        )
        assert mine == theirs, log.lines[keep:]
        refused += bool(found)
        codes |= {each.code for each in found}
    assert refused > 60
    assert len(codes) > 12, codes


def test_a_line_that_is_refused_leaves_the_event_as_it_was() -> None:
    """Each line of the event goes on as before, after each case that is refused has been offered in front of it."""
    by_keep: dict[int, list[bytes]] = {}
    for case in VECTORS["cases"]:
        if case["error"] is not None and len(case["lines"]) == 1:
            by_keep.setdefault(case["keep"], []).append(case["lines"][0].encode())
    replay, offered = EventReplay(), 0
    for at, line in enumerate(WHOLE):
        for wrong in by_keep.get(at, ()):
            with pytest.raises(Failure):
                replay.step(wrong)
            offered += 1
        replay.step(line)
    assert replay.tree.root().hex() == VECTORS["root"]
    assert offered > 60
