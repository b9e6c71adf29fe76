"""Writes `specs/vectors/bundles.json`: `python -m tests.make.bundles`, or with `--check` compares what is there.

The whole event of `event.json` with its games, as one bundle that holds, and bundles in which something is forged, gone
or wrong. What must be found is stated by hand, in its order.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tests.make.event import NAMES, EventWriter, key_of, salt
from tests.make.parts import request, whole_roll
from tests.make.vectors import HERE, pretty
from tests.oracles import reference_event as oracle
from tests.oracles.reference import Writer, canonical, leaf, private_key
from tests.support.event import Event, bundle, close_of, names_file, signed, sound_event
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint
from verifier.checkpoints.note import MAX_NOTE
from verifier.event.names import MAX_NAMES
from verifier.log.merkle import root_of
from verifier.rosters.roster import MAX_ROSTER

FILE = HERE / "bundles.json"

Errors = list[tuple[str, int | None, str | None]]
Files = list[tuple[str, bytes]]
Case = tuple[str, bytes, str, Errors]
"""about, bundle, verdict, and errors: code, line, fault"""


def logs(event: Event) -> dict[str, bytes]:
    """The logs of all games, by id."""
    return {game: event.log_of(game) for game in event.games}


def with_games(event: Event, games: dict[str, bytes]) -> bytes:
    """The bundle with these logs."""
    return bundle([("event.jsonl", event.writer.data), *((f"games/{g}.jsonl", data) for g, data in games.items())])


def numbers(event: Event, kind: str) -> list[int]:
    """The lines of a type."""
    return [at for at, text in enumerate(event.writer.lines) if json.loads(text)["type"] == kind]


def game_at(event: Event, line: int, table: int) -> str:
    """The game that an `opened` line names for a table."""
    for text in event.writer.lines:
        value = json.loads(text)
        if value["type"] == "opened" and value["body"]["act"]["line"] == line:
            return next(str(g["game"]) for g in value["body"]["act"]["games"] if g["table"] == table)
    raise AssertionError(table)


def receipt(event: Event, size: int, root: bytes) -> bytes:
    """A checkpoint by the keeper."""
    key = VerifierKey.parse(key_of("hall"))
    return bytes(sign_checkpoint(Checkpoint(leaf(event.writer.lines[0]), size, root), key, private_key("hall").sign))


def _logs(event: Event) -> Iterator[Case]:
    start = numbers(event, "start")[0]
    whole, (one, other, *_) = logs(event), event.games
    yield "all is well", bundle(event.files()), "holds", []
    swapped = with_games(event, {**whole, one: event.log_of(other), other: event.log_of(one)})
    yield "two logs swapped", swapped, "fails", [("table.fails", start, "file"), ("table.terms", start, "hall")] * 2
    stranger = with_games(event, {**whole, "a" * 64: event.log_of(one)})
    yield "a game that the event did not open", stranger, "fails", [("bundle.stranger", None, "file")]
    missing = with_games(event, dict(list(whole.items())[1:]))
    yield "a game that is missing", missing, "fails", [("table.missing", start, "file")]
    cut = with_games(event, {**whole, one: whole[one][:-40]})
    yield "a log that is cut inside a line", cut, "fails", [("table.fails", start, "file")]
    changed = with_games(event, {**whole, one: whole[one].replace(b'"type":"close"', b'"type":"leave"')})
    yield "a line of a log that was changed", changed, "fails", [("table.fails", start, "file")]
    alone: Errors = [("table.missing", line, "file") for line in _opened_by(event)]
    yield "an event log without games", with_games(event, {}), "fails", alone
    empty = with_games(event, {**whole, one: b""})
    found: Errors = [("table.fails", start, "file"), ("table.terms", start, "hall")]
    yield "a log that is empty", empty, "fails", found
    blank = with_games(event, {**whole, one: b"\n"})
    yield "a log of an empty line", blank, "fails", found
    last = with_games(event, {**whole, one: event.games[one][0] + b"\n{}\n"})
    yield "a log whose last line is none", last, "fails", [("table.fails", start, "file")]
    first = json.loads(event.games[one][0])
    forged = with_games(event, {**whole, one: canonical({**first, "sig": "0" * 128}) + b"\n"})
    yield "a log whose first line nobody signed", forged, "fails", [("table.fails", start, "file")]


def _opened_by(event: Event) -> list[int]:
    """The line that opened each game."""
    acts = [json.loads(event.writer.lines[at])["body"]["act"] for at in numbers(event, "opened")]
    return [act["line"] for act in acts for _ in act["games"]]


def _files(event: Event) -> Iterator[Case]:
    data, wrong = bundle(event.files()), ("bundle.file", None, "file")
    yield (
        "a file that is not what the manifest says",
        data[:-30] + data[-30:].replace(b"close", b"CLOSE"),
        "fails",
        [wrong],
    )
    yield "a bundle whose end is cut off", data[:-100], "fails", [wrong]
    behind = sum(len(event.log_of(game)) for game in list(event.games)[1:])
    yield "a bundle that is cut in the first of its games", data[: -behind - 100], "fails", [wrong]
    entries = json.loads(data.partition(b"\n")[0])["files"]
    entries[-1]["size"] += 1
    longer = _manifest(entries) + data.partition(b"\n")[2]
    yield "a file with fewer bytes than the manifest says, and with their hash", longer, "fails", [wrong]
    yield "bytes behind the last file", bundle(event.files(), b"x"), "fails", [wrong]
    head, _, rest = data.partition(b"\n")
    cut = rest[: len(event.writer.data) - 40]
    size = len(event.writer.lines)
    yield "an event log that is cut off", head + b"\n" + cut, "fails", [("line.unterminated", size - 1, "file"), wrong]
    entry = {"name": "event.jsonl", "sha256": "0" * 64, "size": 2**53 - 1}
    more = canonical({"bundle": "rollproof/bundle/v1", "files": [entry]}) + b"\n" + b"x" * 10
    yield "more bytes than there are", more, "unreadable", [("file.not-a-log", 0, "file"), wrong]
    none = bundle([("event.jsonl", b"")])
    yield "an event log that is empty", none, "unreadable", [("file.empty", 0, "file")]
    log = bundle([("event.jsonl", event.log_of(next(iter(event.games))))])
    yield "the log of a game in the event's place", log, "unreadable", [("file.not-a-log", 0, "file")]


def _names(event: Event) -> Iterator[Case]:
    names = {n: (name, salt(n)) for n, name in NAMES.items()}
    wrong = ("bundle.names", None, "file")

    def beside(data: bytes) -> bytes:
        return bundle([*event.files(), ("names.json", data)])

    yield "the names", beside(names_file(event.writer.id, names)), "holds", []
    other = names_file(event.writer.id, {**names, 2: ("Mallory", salt(2))})
    yield "a name that was not registered", beside(other), "fails", [wrong]
    stranger = names_file(event.writer.id, {4_999: ("Mallory", salt(2))})
    yield "the name of nobody's number", beside(stranger), "fails", [wrong]
    yield "the names of another event", beside(names_file("b" * 64, {})), "fails", [wrong]
    yield "a names file that is none", beside(b"[]\n"), "fails", [wrong]
    line = names_file(event.writer.id, names)
    value = json.loads(line)
    twice = {**value, "names": [value["names"][0], *value["names"]]}
    yield "a number twice in the names file", beside(canonical(twice) + b"\n"), "fails", [wrong]
    blank = line.replace(b'","number"', b'", "number"', 1)
    yield "a names file that is not canonical", beside(blank), "fails", [wrong]
    value["names"].reverse()
    yield "names out of order", beside(canonical(value) + b"\n"), "fails", [wrong]


def _checkpoints(event: Event) -> Iterator[Case]:
    lines, files = event.writer.lines, event.files()
    root = root_of([leaf(line) for line in lines])
    head = receipt(event, len(lines), root)
    cut = b"".join(line + b"\n" for line in lines[:-1])
    yield "a checkpoint of the event", bundle([("event.checkpoint", head), *files]), "holds", []
    short = bundle([("event.checkpoint", head), ("event.jsonl", cut), *files[1:]])
    yield "an event whose end is cut off", short, "fails", [("receipt.short", None, "file")]
    forked = bundle([("event.checkpoint", receipt(event, len(lines), bytes(32))), *files])
    yield "two histories of an event", forked, "fails", [("receipt.forked", None, "hall")]
    data = bundle([("event.checkpoint", head), *files])
    at = data.index(b"\n") + 1
    yield "a checkpoint that was changed", data[:at] + b"R" + data[at + 1 :], "fails", [("bundle.file", None, "file")]
    yield (
        "a checkpoint that is none",
        bundle([("event.checkpoint", b"x\n"), *files]),
        "fails",
        [("receipt.malformed", None, "file")],
    )
    name, data = files[1]
    beside = [*files[:1], (name.replace("jsonl", "checkpoint"), head), (name, data), *files[2:]]
    start = numbers(event, "start")[0]
    yield "a checkpoint of the event beside a game", bundle(beside), "fails", [("table.fails", start, "file")]


def reopened(event: Event, change: Callable[[dict[str, Any]], dict[str, Any]], *, sealed: bool = False) -> bytes:
    """The event up to its first `opened` line, in which the keeper names a game with other terms for table 11."""
    at = numbers(event, "opened")[0]
    writer = event.writer.copy(at)
    line = at - 1
    first, other = (event.games[game_at(event, line, table)] for table in (11, 14))
    zero = {name: value for name, value in json.loads(first[0]).items() if name != "sig"}
    head = signed(change(zero))
    log = [head, close_of(head, zero["time"])]
    ids = [leaf(head).hex(), leaf(other[0]).hex()]
    writer.write(
        None, "opened", {"games": [{"game": g, "table": t} for g, t in zip(ids, (11, 14), strict=True)], "line": line}
    )
    if sealed:
        root = root_of([leaf(each) for each in log])
        games = [{"game": ids[0], "root": root.hex(), "size": 2, "table": 11}]
        writer.write(None, "seal", {"games": games, "round": 1})
    made = Event(writer, {ids[0]: log, ids[1]: other})
    return bundle(made.files())


def _terms(event: Event) -> Iterator[Case]:
    start = numbers(event, "start")[0]
    mallory = str(VerifierKey("p2", private_key("mallory").public_key().public_bytes_raw()))

    def of_body(change: Callable[[dict[str, Any]], dict[str, Any]]) -> bytes:
        return reopened(event, lambda zero: {**zero, "body": {**zero["body"], **change(zero["body"])}})

    changes: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
        "players in another order": lambda b: {
            "parties": [b["parties"][0], *reversed(b["parties"][1:3]), *b["parties"][3:]]
        },
        "another key for a player": lambda b: {"parties": [*b["parties"][:2], {"key": mallory, "role": "player"}]},
        "no judges": lambda b: {"parties": b["parties"][:3]},
        "another nonce": lambda _: {"nonce": "0" * 64},
        "another title": lambda _: {"title": "Spring Open, round 1, table 12"},
        "other contributors": lambda _: {"contributors": "roller"},
        "other options": lambda _: {"options": {"planechase": True}},
        "somebody else may sign away": lambda _: {"away": "others"},
        "a judge of the keeper's": lambda _: {"judge": "dana"},
    }
    for about, change in changes.items():
        yield f"a table with {about}", of_body(change), "fails", [("table.terms", start, "hall")]
    later = reopened(event, lambda zero: {**zero, "time": "2026-11-20T23:00:00.000Z"})
    both: Errors = [("table.fails", start, "hall"), ("table.terms", start, "hall")]  # its close is dated before it
    yield "a table dated otherwise than its start", later, "fails", both
    yield "a game that is sealed", reopened(event, lambda zero: zero, sealed=True), "holds", []


class PlayedTable(Writer):
    """The game of a table whose players have sat down."""

    def __init__(self, writer: EventWriter, line: int, number: int) -> None:
        event, errors = oracle.verify(writer.data)
        assert errors == []
        zero = oracle.event_zero(event, line, number)
        parties = {each["key"].partition("+")[0]: each["role"] for each in zero["body"]["parties"]}
        super().__init__(f"event table {number}", parties)
        self.append(signed(zero))
        self.players = [name for name, role in parties.items() if role == "player"]


def start_round(writer: EventWriter) -> int:
    """Pair and start a round of one table, 11; the line of its start."""
    writer.write("olga", "pair", {"byes": [], "round": 1, "tables": [{"sides": [[1], [2]], "table": 11}]})
    return writer.write("olga", "start", {"minutes": 50, "round": 1})


def _body(writer: EventWriter, line: int) -> Any:
    """The body of a line."""
    return json.loads(writer.lines[line])["body"]


def _played(writer: EventWriter, line: int, play: Callable[[PlayedTable], object], **hands: str) -> bytes:
    """The bundle of an event with the game of table 11, as it was played; `hands`: by whose secrets players sign."""
    game = PlayedTable(writer, line, 11)
    game.hands |= hands
    game.join(*game.players)
    play(game)
    opened = [{"game": game.game.hex(), "table": 11}]
    writer.write(None, "opened", {"games": opened, "line": line})
    return bundle(Event(writer, {game.game.hex(): game.lines}).files())


def _corrected(game: PlayedTable, body: Any) -> None:
    """Dana signs p2 away, and p2 goes on under the key of a correction."""
    game.join("dana")
    game.away("dana", "p2")
    game.write("hall", "replace", {"correction": body, "key": body["act"]["key"]})


def _acts(event: Event) -> Iterator[Case]:
    """Organizers' acts in the games of tables."""
    pair = numbers(event, "pair")[0]
    judy, newer = {"key": key_of("judy"), "role": "judge"}, {"number": 2, "reason": "as seen at the desk"}

    def begun() -> tuple[EventWriter, int]:
        writer = event.writer.copy(pair)
        return writer, start_round(writer)

    writer, start = begun()
    seen = _body(writer, writer.write("olga", "appoint", judy))
    key = _body(writer, writer.write("olga", "correct-key", {**newer, "key": key_of("p2", "p2 new")}))

    def whole(game: PlayedTable) -> None:
        game.admit("judy", "judge", appointment=seen)
        _corrected(game, key)
        game.go_on("p2", "p2 new")
        game.join("p2")
        game.close()

    yield "a judge who came later, and a corrected key", _played(writer, start, whole), "holds", []
    wrong = ("table.act", start, "hall")
    writer, start = begun()
    unseen = writer.act("olga", "appoint", judy)
    no_judge = _played(writer, start, lambda game: (game.admit("judy", "judge", appointment=unseen), game.close()))
    yield "a judge by an act that the event does not have", no_judge, "fails", [wrong]
    writer, start = begun()
    hidden = writer.act("olga", "correct-key", {**newer, "key": key_of("p2", "p2 new")})
    no_key = _played(writer, start, lambda game: _corrected(game, hidden))
    yield "a key by an act that the event does not have", no_key, "fails", [wrong]
    writer, start = begun()
    again = writer.act("olga", "appoint", judy)
    writer.write("olga", "appoint", judy)
    other = _played(writer, start, lambda game: game.admit("judy", "judge", appointment=again))
    yield "a judge by another act than the one that the event has", other, "fails", [wrong]
    writer, start = begun()
    both = [writer.act("olga", "appoint", judy), writer.act("olga", "correct-key", {**newer, "key": key_of("p2", "x")})]

    def two(game: PlayedTable) -> None:
        _corrected(game, both[1])
        game.admit("judy", "judge", appointment=both[0])

    yield "two acts that the event does not have", _played(writer, start, two), "fails", [wrong] * 2

    def broken(game: PlayedTable) -> None:
        game.admit("judy", "judge", appointment=unseen)
        game.write("hall", "admit", {"appointment": unseen, "key": key_of("judy"), "role": "judge"})

    writer, start = begun()
    found: Errors = [("table.fails", start, "hall"), wrong]
    yield "such an act in a log that does not hold", _played(writer, start, broken), "fails", found
    writer = event.writer.copy(pair)
    before = _body(writer, writer.write("olga", "appoint", judy))
    writer.write("olga", "dismiss", {"name": "judy", "reason": "she went home"})
    start = start_round(writer)
    gone = _played(writer, start, lambda game: game.admit("judy", "judge", appointment=before))
    yield "a judge who was dismissed before the table was opened", gone, "fails", [("table.act", start, "hall")]
    writer = event.writer.copy(pair)
    old = _body(writer, writer.write("olga", "correct-key", {**newer, "key": key_of("p2", "p2 new")}))
    writer.write("olga", "correct-key", {**newer, "key": key_of("p2", "p2 newer")})
    start = start_round(writer)
    former = _played(writer, start, lambda game: _corrected(game, old), p2="p2 newer")
    yield "a key that another has followed before the table was opened", former, "fails", [("table.act", start, "hall")]


def _ended(event: Event) -> Iterator[Case]:
    """Acts that count at an open table, and that the event's log ended before or after the table took them at seven."""
    correct = {"number": 2, "reason": "as seen at the desk"}
    for when, hour in (("before", 18), ("after", 20)):
        writer = event.writer.copy(numbers(event, "pair")[0])
        start = start_round(writer)
        judge = _body(writer, writer.write("olga", "appoint", {"key": key_of("judy"), "role": "judge"}))
        old = _body(writer, writer.write("olga", "correct-key", {**correct, "key": key_of("p2", "p2 new")}))
        writer.clock = writer.clock.replace(hour=hour)
        writer.write("olga", "correct-key", {**correct, "key": key_of("p2", "p2 newer")})
        writer.write("olga", "dismiss", {"name": "judy", "reason": "she went home"})

        def play(game: PlayedTable, judge: Any = judge, old: Any = old) -> None:
            game.admit("judy", "judge", appointment=judge)
            _corrected(game, old)

        about = f"a judge and a key that the event ended {when} the table took them"
        yield about, _played(writer, start, play, p2="p2"), "holds", []
    writer = event.writer.copy(numbers(event, "pair")[0])
    start = start_round(writer)
    judge = _body(writer, writer.write("olga", "appoint", {"key": key_of("judy"), "role": "judge"}))
    writer.clock = writer.clock.replace(hour=20)
    writer.write("olga", "dismiss", {"name": "judy", "reason": "she went home"})
    dismissed = writer.clock

    def play_then(game: PlayedTable) -> None:
        game.clock = dismissed
        game.admit("judy", "judge", appointment=judge)

    yield (
        "a judge whom the event dismissed in the moment in which the table took her",
        _played(writer, start, play_then),
        "holds",
        [],
    )


def _changes(event: Event) -> Iterator[Case]:
    """What judges change at a table: test_event_bundle.py states what a report says of it."""
    writer = event.writer.copy(numbers(event, "pair")[0])
    start = start_round(writer)
    key = _body(
        writer,
        writer.write(
            "olga", "correct-key", {"key": key_of("p2", "p2 new"), "number": 2, "reason": "as seen at the desk"}
        ),
    )

    def play(game: PlayedTable) -> None:
        game.join("dana")
        game.commit("hall", "p1", "p2", length=10)
        first, second = whole_roll(game, "p1"), whole_roll(game, "p2")
        text = "The die was read wrong."
        results = [{"die": 1, "result": 7}]
        game.write("dana", "ruling", {"results": results, "ruling": "correct", "subject": first, "text": text})
        void = {"ruling": "void", "subject": second, "text": "It was for a countered spell."}
        game.write("dana", "ruling", void)
        game.write("dana", "ruling", void)
        game.write("dana", "ruling", {**void, "ruling": "uphold", "subject": first})
        request(game, "p1")
        game.call_off("dana", ["p2"])
        game.away("dana", "p2")
        game.write("hall", "replace", {"correction": key, "key": key["act"]["key"]})
        game.go_on("p2", "p2 new")
        game.join("p2")
        game.leave("dana", "p2")
        game.close()

    yield "a table at which a judge changed rolls and parties", _played(writer, start, play), "holds", []


def _seals(event: Event) -> Iterator[Case]:
    at = numbers(event, "opened")[0] + 1
    game = game_at(event, at - 2, 11)
    first, last = event.games[game]
    cases: list[tuple[str, int, bytes, str, Errors]] = [
        ("shorter", 3, root_of([leaf(first)]), "fails", [("table.short", at - 2, "file")]),
        ("another", 2, root_of([leaf(first), leaf(first)]), "fails", [("table.forked", at - 2, "hall")]),
        ("whole", 2, root_of([leaf(first), leaf(last)]), "holds", []),
    ]
    for about, size, root, verdict, wanted in cases:
        writer = event.writer.copy(at)
        writer.write(
            None, "seal", {"games": [{"game": game, "root": root.hex(), "size": size, "table": 11}], "round": 1}
        )
        games = {id_: log for id_, log in event.games.items() if id_.encode() in writer.data}
        yield f"a sealed game that is {about}", bundle(Event(writer, games).files()), verdict, wanted


def committed(first: bytes, time: str) -> bytes:
    """The keeper's commitment in a game, dated so."""
    members = {"game": leaf(first).hex(), "prev": leaf(first).hex(), "seq": 1, "time": time, "type": "commit"}
    return signed({"author": "hall", "body": {"length": 20, "tip": leaf(b"tip").hex()}, **members})


def _dates(event: Event) -> Iterator[Case]:
    """Games whose last line but the close is dated before, at and after the end of their round; one without a close."""
    at = numbers(event, "opened")[0]
    writer = event.writer.copy(at + 1)
    for table in (11, 14):
        slip = {"reason": "as seen", "round": 1, "sides": [{"won": 2}, {"won": 0}], "table": table}
        writer.write("dana", "slip", slip)
    before = writer.now()
    ended = json.loads(writer.lines[writer.write("olga", "end", {"left": [], "round": 1})])["time"]
    after = writer.now()
    one, other = (game_at(event, at - 1, table) for table in (11, 14))
    first = event.games[one][0]

    def with_line(time: str, *, closed: bool = True) -> bytes:
        line = committed(first, time)
        log = [first, line, *([close_of(first, after, line, 2)] if closed else [])]
        return bundle(Event(writer, {one: log, other: event.games[other]}).files())

    yield "a game that ended before its round, and was closed behind it", with_line(before), "holds", []
    yield "a game that ended with its round", with_line(ended), "holds", []
    yield "a game that went on after its round", with_line(after), "holds", []
    yield "a game that nobody closed", with_line(before, closed=False), "holds", []


def _unopened(event: Event) -> Iterator[Case]:
    at = numbers(event, "opened")[0]
    writer = event.writer.copy(at)
    yield "a table that is not opened yet", bundle([("event.jsonl", writer.data)]), "holds", []
    for table in (11, 14):
        slip = {"reason": "as seen", "round": 1, "sides": [{"won": 2}, {"won": 0}], "table": table}
        writer.write("dana", "slip", slip)
    writer.write("olga", "end", {"left": [], "round": 1})
    unopened = bundle([("event.jsonl", writer.data)])
    yield "a table that was never opened", unopened, "fails", [("table.unopened", at - 1, "hall")] * 2
    writer = event.writer.copy(at)
    writer.write(
        "olga", "correct-pairing", {"cancelled": [11], "reason": "as seen", "round": 1, "tables": [], "byes": [1, 2]}
    )
    slip = {"reason": "as seen", "round": 1, "sides": [{"won": 2}, {"won": 0}], "table": 14}
    writer.write("dana", "slip", slip)
    writer.write("olga", "end", {"left": [], "round": 1})
    unopened = bundle([("event.jsonl", writer.data)])
    yield "a table that was cancelled before it was opened", unopened, "fails", [("table.unopened", at - 1, "hall")]


def _manifests(event: Event) -> Iterator[Case]:
    no_hash = b"0" * 64
    malformed: Errors = [("bundle.malformed", None, None)]
    cut: Errors = [("bundle.file", None, "file")]
    empty: Errors = [("file.empty", 0, "file")]
    texts = {
        "a manifest that is cut": b'{"bundle":',
        "a manifest without files": b'{"bundle":"rollproof/bundle/v1","files":[]}\n',
        "another version": b'{"bundle":"rollproof/bundle/v2","files":[{"name":"event.jsonl","sha256":"%s","size":0}]}\n'
        % no_hash,
        "a manifest that is not canonical": b'{"bundle": "rollproof/bundle/v1","files":[{"name":"event.jsonl",'
        b'"sha256":"%s","size":0}]}\n' % no_hash,
        "a manifest with a member more": b'{"bundle":"rollproof/bundle/v1","files":[{"name":"event.jsonl",'
        b'"sha256":"%s","size":0}],"more":1}\n' % no_hash,
        "a manifest that nests": b'{"bundle":' + b"[" * 2_000,
    }
    for about, text in texts.items():
        yield about, text, "unreadable", malformed
    some = "games/" + "a" * 64
    for names in (
        [f"{some}.jsonl"],
        ["event.jsonl", "../x"],
        ["event.jsonl", "event.jsonl"],
        ["event.jsonl", "event.checkpoint"],
        ["event.jsonl", "names.json", f"{some}.jsonl"],
        ["event.jsonl", "names.json", "names.json"],
        ["event.jsonl", f"{some}.jsonl", f"{some}.jsonl"],
        ["event.jsonl", f"{some}.checkpoint"],
        ["event.jsonl", "games/" + "A" * 64 + ".jsonl"],
        ["event.jsonl", f"{some}.jsonl\n"],
        ["event.jsonl", "/etc/passwd"],
        ["names.json", "event.jsonl"],
    ):
        yield f"files that stand wrong: {names}", bundle([(name, b"") for name in names]), "unreadable", malformed
    for about, name, most in (
        ("a names file", "names.json", MAX_NAMES),
        ("a policy", "event.policy", MAX_NOTE),
        ("a roster", "event.roster", MAX_ROSTER),
        ("a checkpoint of a game", f"{some}.checkpoint", MAX_NOTE),
        ("a checkpoint of the event", "event.checkpoint", MAX_NOTE),
    ):
        yield f"{about} that is too long", _of_size(name, most + 1), "unreadable", malformed
        read = ("fails", cut) if name == "event.checkpoint" else ("unreadable", empty)
        yield f"{about} that is just not too long", _of_size(name, most), *read


def _manifest(entries: list[dict[str, Any]]) -> bytes:
    return canonical({"bundle": "rollproof/bundle/v1", "files": entries}) + b"\n"


def _of_size(name: str, size: int) -> bytes:
    """The manifest of a bundle with an empty event log and a file of this size; no more."""
    log = {"name": "event.jsonl", "sha256": hashlib.sha256(b"").hexdigest(), "size": 0}
    file, game = {"name": name, "sha256": "0" * 64, "size": size}, {**log, "name": name.replace("checkpoint", "jsonl")}
    if name == "event.checkpoint":
        return _manifest([file, log])
    return _manifest([log, file, *([game] if name.startswith("games/") else [])])


def cases() -> list[Case]:
    """All cases."""
    event = sound_event()
    makers = (
        _logs,
        _files,
        _names,
        _checkpoints,
        _terms,
        _acts,
        _ended,
        _changes,
        _seals,
        _dates,
        _unopened,
        _manifests,
    )
    return [case for make in makers for case in make(event)]


def vectors() -> Any:
    """The file. What several bundles have in common stands there once."""
    parts: dict[str, int] = {}
    found = []
    for about, data, verdict, errors in cases():
        pieces = data.decode().splitlines(keepends=True)
        at = [parts.setdefault(piece, len(parts)) for piece in pieces]
        stated = [{"code": code, "seq": seq, "fault": fault} for code, seq, fault in errors]
        found.append({"about": about, "lines": at, "verdict": verdict, "errors": stated})
    return {
        "about": "specs/event.md, “The bundle”: each bundle is made of these `lines`, one after the other, with their "
        "line feeds. `errors` are what must be found in it, in this order; there are notices besides.",
        "lines": list(parts),
        "cases": found,
    }


def bundle_of(vectors: Any, case: Any) -> bytes:
    """The bundle of a case."""
    return "".join(vectors["lines"][at] for at in case["lines"]).encode()


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description="Write the vectors of bundles.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file differs")
    arguments = parser.parse_args()
    data = pretty(vectors())
    if FILE.exists() and FILE.read_bytes() == data:
        return 0
    print(FILE.name)
    if not arguments.check:
        FILE.write_bytes(data)
    return int(arguments.check)


if __name__ == "__main__":
    sys.exit(main())
