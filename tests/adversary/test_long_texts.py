"""A text of 64 kB at every place for a text: bodies, requests of a server, words of a command. Refused, and shortly."""

import json
import subprocess
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rules
from ledger import lobby
from ledger.cli import command_tree
from ledger.cli.app import LazyCommand
from ledger.cli.game_commands import game_command
from ledger.network.wire import ReadRequest
from rules import SYSTEMS
from tests.server.served import Plain, roomy, seated
from tests.support.cli import Cli, make_home
from tests.support.table import Forger
from tests.support.text_places import Place, text_places
from tests.web.games import Maker
from tests.web.test_verifier import NODE, compare_logs
from verifier import Failure
from verifier.event.acts import ACTS
from verifier.log.bodies import PROTOCOL_BODIES
from verifier.log.format import decode_body
from verifier.log.plainjson import encode
from verifier.opening import ReceivedOpening, SentOpening
from verifier.shell.stdio import abridge
from verifier.shell.typed import command

pytestmark = pytest.mark.long

LONG = 60_000
"""bytes: with what stands around it, a line has room for no more"""
TEXTS = {
    "a word": "x" * LONG,
    "digits": "9" * LONG,
    "dice": "1d6+" * (LONG // 4),
    "brackets": "(" * LONG,
    "words": "a " * (LONG // 2),
    "lines": "a\n" * (LONG // 2),
    "Japanese": "卓" * (LONG // 3),
    "joined": "é\u200d" * (LONG // 5),
    "a script": "<script>" * (LONG // 8),
}
TAKEN = {
    *((type_, "key") for type_ in ("admit", "appoint", "check-in", "correct-key", "replace")),
    *(("replace", path) for path in ("succession/key", "succession/new")),
    ("admit", "appointment/act/key"),
    ("replace", "correction/act/key"),
    *(
        ("open", path)
        for path in ("event/organizers/0", "format", "host", "keeper", "organizers/0", "parties/0/key", "system")
    ),
    *(("open", path) for path in ("event", "options/*")),
}
"""keys, names of formats and systems, and the options of an event's system: looked at behind the schema"""
TELLS = 1_000
"""characters of what is told of a text, at most"""


def bodies() -> Iterator[tuple[str, str, Any]]:
    """System, type and schema of every body."""
    for system, found in SYSTEMS.items():
        yield from ((system, type_, schema) for type_, schema in found.bodies.items())
        yield system, "options", found.options
    yield from (("", type_, schema) for type_, schema in PROTOCOL_BODIES.items())
    yield from (("event", type_, schema) for type_, schema in ACTS.items())


QUICK = ("a word", "lines", "joined")
"""one of each way to go through a text; the others in the slow run"""


@pytest.mark.parametrize("about", [pytest.param(a, marks=[] if a in QUICK else pytest.mark.slow) for a in TEXTS])
def test_no_schema_takes_one(about: str) -> None:
    taken, count, longest = set(), 0, 0
    for _, type_, schema in bodies():
        for place in text_places(schema, TEXTS[about]):
            count += 1
            raw = encode(place.body)
            try:
                decode_body(raw, schema, type_)
            except Failure as failure:
                longest = max(longest, len(str(failure)))
            else:
                taken.add((type_, place.path))
    assert count > 500
    assert longest < TELLS
    assert taken <= TAKEN


def place_log(system: str, type_: str, place: Place) -> bytes:
    """A log in which somebody signs such a body, and the keeper over it."""
    maker = Maker(Random(1), ["host", "alice", "dana"])
    if type_ in ("open", "options"):
        maker.open()
        opened = json.loads(maker.lines.pop())["body"]
        maker.game = b""
        body = {**opened, "system": system, "options": place.body} if type_ == "options" else {**opened, **place.body}
        maker.write("host", "open", body)
        return maker.bytes()
    maker.open()
    for name in ("alice", "dana"):
        maker.write(name, "join", {})
    for name in ("alice", "host"):
        maker.commit(name, 4)
    if type_ in ("reveal", "void", "disclose"):
        maker.request("alice", "d6")
    author = {"ruling": "dana", "alice": "alice"}.get(type_, "host" if type_ in OF_KEEPERS else "alice")
    maker.write(author, type_, place.body)
    maker.write("host", "close", {})
    return maker.bytes()


OF_KEEPERS = ("reveal", "disclose", "close", "admit")


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_both_verifiers_say_the_same_of_a_log_with_one(tmp_path: Path) -> None:
    logs = [
        place_log(system, type_, place)
        for system, type_, schema in bodies()
        if system in ("", "dice-1") or type_ == "options"
        for place in text_places(schema, TEXTS["a script"])
    ]
    outcomes = compare_logs(logs, tmp_path)
    assert outcomes["holds"] == 0
    assert sum(outcomes.values()) > 100


# --- a server --------------------------------------------------------------------------------------------------------

REQUESTS: dict[str, Any] = {
    "tables": lobby.TableTerms,
    "tables/TABLE/seats": lobby.LobbySeat,
    "tables/TABLE/unseat": lobby.Unseat,
    "tables/TABLE/invites": lobby.Invite,
    "tables/TABLE/start": lobby.Start,
    "tables/TABLE/admit": lobby.AdmitWord,
    "tables/TABLE/close": lobby.Closing,
    "tables/TABLE/delete": lobby.Delete,
    "games/GAME/access": lobby.Access,
    "games/GAME/openings": SentOpening,
    "games/GAME/received": ReceivedOpening,
    "games/GAME/read": ReadRequest,
}


def test_a_server_refuses_one(tmp_path: Path) -> None:
    with roomy(tmp_path / "server") as server, seated(tmp_path, server.address, "alice", "bob") as [alice, _bob]:
        alice.fetch()
        lines, forger = list(alice.view.lines(0)), Forger(alice.identity)
        sent = [
            (alice.path("lines"), forger.event(lines, type_, place.body))
            for system, type_, schema in bodies()
            if system in ("", "dice-1") and type_ != "options"
            for place in text_places(schema, TEXTS["a script"])
        ]
        sent += [(f"/v1/{path}", body) for path, schema in REQUESTS.items() for body in bodies_of(schema)]
        sent += [(alice.path("read"), encode(body)) for body in read_bodies(alice)]
        told = [(path, body, answer(alice, path, body)) for path, body in sent]
        assert len(told) > 200
        odd = [
            (path, body[:200], status) for path, body, (status, length) in told if length > 2_000 or status // 100 != 4
        ]
        assert odd == []
        assert alice.get(alice.path("checkpoint")).status_code == 200
        assert alice.get(alice.path("state")).json()["size"] == len(lines)


def bodies_of(schema: Any) -> Iterator[bytes]:
    yield from (encode(place.body) for place in text_places(schema, TEXTS["a script"]))


def read_bodies(party: Plain) -> Iterator[dict[str, Any]]:
    """Every field of every action that is offered, and a line for every type of an event, typed at such a length."""
    offered = party.get(party.path(f"actions?party={party.name}")).json()["actions"]
    for text in TEXTS.values():
        for action in offered:
            for field in action["fields"]:
                yield {"action": action, "typed": {field["name"]: text}, "party": party.name}
                yield {"action": action, "typed": {field["name"]: [text]}, "party": party.name}
            yield {"action": action, "line": text, "party": party.name}
        for type_ in ("roll", "declare", "resolve", "ruling", "join"):
            yield {"line": text, "party": party.name, "type": type_}


def answer(party: Plain, path: str, body: bytes) -> tuple[int, int]:
    """Status and length of what a server says to a body."""
    assert party.link is not None
    path = path.replace("TABLE", party.link.table.hex()).replace("GAME", party.game.hex())
    told = party.post(path, body)
    assert told.elapsed.total_seconds() < 20
    return told.status_code, len(told.content)


# --- a command line --------------------------------------------------------------------------------------------------


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(make_home(tmp_path / "home"), capsys, monkeypatch)


TELLS_BESIDE = 5_000
"""characters on standard error, at most"""
LEFT_OUT = {"serve", "demo", "watch", "play"}
"""commands that go on until they are stopped"""


def commands_of(group: Any, *above: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, found in group.commands.items():
        if hasattr(found, "commands"):
            yield from commands_of(found, *above, name)
        elif name not in LEFT_OUT:
            yield (*above, name), found.whole() if isinstance(found, LazyCommand) else found


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    yield from commands_of(command_tree())
    for name in rules.games():
        yield from commands_of(game_command(name), name)


def words_of(command: Any) -> Iterator[tuple[str, list[str]]]:
    """For each word that a command takes: its name, and a command line with `LONG` in its place."""
    needed = [each for each in command.params if each.required]

    def given(parameter: Any, value: str) -> list[str]:
        return [value] if parameter.param_type_name == "argument" else [parameter.opts[0], value]

    for parameter in command.params:
        if getattr(parameter, "is_flag", False) or parameter.name in ("help", "home"):
            continue
        around = [word for each in needed if each is not parameter for word in given(each, "x")]
        yield str(parameter.name), [*around, *given(parameter, "LONG")]


def test_no_command_fails_over_one(cli: Cli) -> None:
    count, odd, texts = 0, [], cycle(TEXTS.items())
    for words, command_ in commands():
        for name, line in words_of(command_):
            about, text = next(texts)
            began = time.process_time()
            told = cli(*words, *(text if word == "LONG" else word for word in line))
            spent = time.process_time() - began
            count += 1
            if told.code == 70 or "Traceback" in told.err or len(told.err) > TELLS_BESIDE or spent > 5:
                odd.append((words, name, about, told.code, len(told.err), round(spent, 2), told.err[:300]))
    assert odd == []
    assert count > 500


def test_what_is_told_of_one_has_its_beginning_and_its_end() -> None:
    line = f"rollproof: there is no game {'x' * LONG!r} here. See them with: rollproof games"
    told = abridge(line)
    assert len(told) < 3_000
    assert told.startswith("rollproof: there is no game 'xxx")
    assert told.endswith("xxx' here. See them with: rollproof games")
    assert abridge(line[:4_000]) == line[:4_000]


@pytest.mark.parametrize("before", range(10))
def test_nothing_stands_behind_a_command_that_is_cut(before: int, tmp_path: Path) -> None:
    """Else what was quoted could stand outside of its quotation marks."""
    hostile = "a" * before + "'; touch PWNED; '" * 1_000
    told = abridge(f"rollproof: see: {command('rollproof', 'verify', hostile)} and more")
    assert told.endswith("…")
    pasted = told.partition("see: ")[2].replace("rollproof", "true")
    subprocess.run(["sh", "-c", pasted], cwd=tmp_path, check=False, capture_output=True)
    assert not list(tmp_path.iterdir())
