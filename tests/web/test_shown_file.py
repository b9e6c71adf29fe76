"""A show of a secret roll in a file beside the log: the verify page says what `check-show` says (specs/web.md)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.reference import canonical, leaf
from tests.protocol.test_secret_rolls import table
from tests.web.test_verifier import NODE, beside
from verifier import Failure, NoteError
from verifier.shown_roll import check_shown, parse_shown


def cases(folder: Path) -> tuple[Path, list[bytes], list[bytes]]:
    """A log, its lines, and files beside it, right and wrong."""
    w = table("shown file")
    numbers = [
        w.roll_secret("gil", "gil", "2d6", [6, 6], hidden=w.hide("gil", "a trap")),
        w.roll_secret("alice", "gil", "d20", [20], source="Stealth"),
        w.ask_secret("alice", "gil", "d20", [20]),
    ]
    w.call_off("alice")
    w.show(numbers[2])
    w.close()
    lines = w.data.split(b"\n")[:-1]
    files: list[dict[str, Any]] = []
    for number, text in zip(numbers, ("a trap", None, None), strict=True):
        body = w.show_body(number, text)
        more: dict[str, Any] = {name: body[name] for name in ("secret", "salt", "text") if name in body}
        files.append(
            {"format": "rollproof/show/v1", "game": w.game.hex(), "request": leaf(lines[number]).hex(), **more}
        )
    own, blind, _ = files
    files += [
        {**own, "secret": w.secret("gil", 2).hex()},
        {**own, "text": "a door"},
        {**own, "salt": "ab" * 32},
        {**own, "request": blind["request"]},
        {**own, "request": leaf(lines[1]).hex()},
        {**own, "game": "ab" * 32},
        {**blind, "salt": "ab" * 32, "text": "more"},
        {**blind, "salt": "ab" * 32},
        {name: value for name, value in own.items() if name not in ("salt", "text")},
        {**own, "text": ""},
        {**own, "text": "left\u202eright"},
        {**own, "more": 1},
        {**own, "secret": "AB" * 32},
        {**own, "format": "rollproof/show/v2"},
    ]
    sent = [canonical(each) for each in files]
    sent += [
        sent[0] + b"\n",
        sent[0] + b" ",
        json.dumps(own).encode(),
        b"",
        b"{}",
        b"[" * 5_000,
        sent[0][:-1] + b"\xff",
    ]
    path = folder / "log.jsonl"
    path.write_bytes(w.data)
    return path, lines, sent


def told(lines: list[bytes], sent: bytes) -> tuple[str, list[str]]:
    """What Python says of a file."""
    try:
        shown = parse_shown(sent)
    except NoteError:
        return "unreadable", ["x.show is not a show of a secret roll (specs/protocol.md)."]
    try:
        found = check_shown(lines, shown)
    except (Failure, NoteError) as problem:
        return "fails", [f"x.show does not hold: {problem}"]
    came = "its dice are not known: no link of it, or not all"
    if found.naturals is not None:
        came = ", ".join(map(str, found.naturals))
    words = [f"x.show holds: {found.holder}'s secret roll of event {found.request}: {came}"]
    return "holds", words + ([] if found.text is None else [f"It was for: {found.text}"])


@pytest.mark.skipif(NODE is None, reason="node is not here")
def test_the_page_says_of_a_shown_roll_what_the_command_says(tmp_path: Path) -> None:
    log, lines, sent = cases(tmp_path)
    texts = [each.decode("latin-1") if b"\xff" in each else each.decode() for each in sent]
    known: dict[str, Any] = {"game": None, "keys": [], "index": None}
    [here] = beside(
        [{**known, "log": str(log), "files": [{"name": "x.show", "text": text} for text in texts]}], tmp_path
    )
    verdicts = []
    for text, mine in zip(texts, here, strict=True):
        verdict, words = told(lines, text.encode())
        plain = [each.removesuffix(".") for each in mine["words"]]
        assert (mine["verdict"], plain) == (verdict, [each.removesuffix(".") for each in words]), text
        verdicts.append(verdict)
    assert (verdicts.count("holds"), verdicts.count("fails"), verdicts.count("unreadable")) == (4, 9, 11)


@pytest.mark.skipif(NODE is None, reason="node is not here")
def test_such_a_file_is_known_by_its_content_and_needs_a_log_that_holds(tmp_path: Path) -> None:
    log, _, sent = cases(tmp_path)
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(log.read_bytes().replace(b'"sealed":"kept"', b'"sealed":"none"'))
    known: dict[str, Any] = {"game": None, "keys": [], "index": None}
    file = [{"name": "anything", "text": sent[0].decode()}]
    asked: list[dict[str, Any]] = [{**known, "log": each, "files": file} for each in (str(log), None, str(bad))]
    [[good], [without], [broken]] = beside(asked, tmp_path)
    assert good["verdict"] == "holds"
    assert without["words"] == ["A show of a secret roll is checked against a log: choose the log too."]
    assert (broken["verdict"], "does not hold" in broken["words"][0]) == ("unreadable", True)
