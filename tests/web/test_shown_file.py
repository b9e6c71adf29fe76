"""A show of a secret roll in a file beside the log: the verify page says what `check-show` says (specs/web.md)."""

from pathlib import Path
from typing import Any

import pytest

from tests.protocol.test_secret_rolls import shown_files
from tests.web.test_verifier import NODE, beside
from verifier import Failure, NoteError
from verifier.shown_roll import check_shown, parse_shown


def cases(folder: Path) -> tuple[Path, list[bytes], list[bytes], list[str]]:
    """A log, its lines, files beside it, and what each is."""
    w, files = shown_files()
    path = folder / "log.jsonl"
    path.write_bytes(w.data)
    return path, w.lines, [data for data, _, _ in files], [verdict for _, verdict, _ in files]


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
    log, lines, sent, expected = cases(tmp_path)
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
    assert verdicts == expected


@pytest.mark.skipif(NODE is None, reason="node is not here")
def test_such_a_file_is_known_by_its_content_and_needs_a_log_that_holds(tmp_path: Path) -> None:
    log, _, sent, _ = cases(tmp_path)
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(log.read_bytes().replace(b'"sealed":"kept"', b'"sealed":"none"'))
    known: dict[str, Any] = {"game": None, "keys": [], "index": None}
    file = [{"name": "anything", "text": sent[0].decode()}]
    asked: list[dict[str, Any]] = [{**known, "log": each, "files": file} for each in (str(log), None, str(bad))]
    [[good], [without], [broken]] = beside(asked, tmp_path)
    assert good["verdict"] == "holds"
    assert without["words"] == ["A show of a secret roll is checked against a log: choose the log too."]
    assert (broken["verdict"], "does not hold" in broken["words"][0]) == ("unreadable", True)
