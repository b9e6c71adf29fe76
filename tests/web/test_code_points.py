"""Every code point, in names of keys and in texts: Python and `verifier/web` take the same ones."""

import json
import re
from base64 import b64encode
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from ledger.lobby import look_alikes
from rules.data.text import TEXT_PATTERN
from rules.data.unseen import UNICODE
from tests.conftest import SPECS
from tests.web.test_verifier import run
from verifier.checkpoints.checkpoint import CosignerKey
from verifier.checkpoints.note import parse_note
from verifier.errors import NoteError

POINTS = [code for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]


BLOCK = 1_024
"""code points that are tried together: where all are taken, each of them is"""


def takes_note_name(text: str) -> bool:
    return parses(f"text\n\n— a{text}b {b64encode(bytes(8)).decode()}\n")


def takes_note_text(text: str) -> bool:
    return parses(f"a{text}b\n\n— walt {b64encode(bytes(8)).decode()}\n")


def parses(note: str) -> bool:
    try:
        parse_note(note.encode())
    except NoteError:
        return False
    return True


def takes_key(text: str) -> bool:
    try:
        CosignerKey(f"a{text}b", b"\x01" * 32)
    except NoteError:
        return False
    return True


def refused(takes: Callable[[str], bool]) -> list[list[int]]:
    """The code points that are not taken: first and last of each run."""
    found: list[int] = []
    for at in range(0, len(POINTS), BLOCK):
        block = POINTS[at : at + BLOCK]
        if not takes("".join(map(chr, block))):
            found += [code for code in block if not takes(chr(code))]
    return ranges(found)


def ranges(codes: list[int]) -> list[list[int]]:
    """First and last of each run."""
    runs: list[list[int]] = []
    for code in codes:
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return runs


@pytest.mark.long
def test_notes_and_keys_refuse_the_same_code_points() -> None:
    told: dict[str, Any] = json.loads(run("points"))
    mine = {"name": refused(takes_note_name), "text": refused(takes_note_text), "key": refused(takes_key)}
    assert {place: told[place] for place in mine} == mine
    assert mine["text"] == [[0x00, 0x09], [0x0B, 0x1F], [0x7F, 0x9F]]
    spaces = [[0x1680, 0x1680], [0x2000, 0x200A], [0x2028, 0x2029], [0x202F, 0x202F], [0x205F, 0x205F], [0x3000] * 2]
    assert mine["name"] == mine["key"] == [[0x00, 0x20], [0x2B, 0x2B], [0x7F, 0xA0], *spaces]


@pytest.mark.long
def test_texts_refuse_the_same_code_points() -> None:
    """The table is that of the version of Unicode that the page names: Node's own is compared where it has that one."""
    told: dict[str, Any] = json.loads(run("points"))
    vectors = json.loads((SPECS / "vectors" / "texts.json").read_text(encoding="utf-8"))
    text = re.compile(TEXT_PATTERN)
    behind = ranges([code for code in POINTS if text.match(f"\u00e9{chr(code)}") is None])
    ascii_ = ranges([code for code in POINTS if text.match(f"a{chr(code)}b") is None])
    assert told["unseen"] == behind == vectors["refused"]
    assert (
        told["ascii"] == ascii_ == merged([*vectors["refused"], *([code, code] for code in (0x200C, 0x200D, 0xFE0F))])
    )
    assert told["shown"] == vectors["refused"]
    if UNICODE.startswith(f"{told['unicode']}."):
        assert told["ignorable"] == vectors["default_ignorable"]
    else:
        differ = merged(told["ignorable"]) != merged(vectors["default_ignorable"])
        print(f"Node has Unicode {told['unicode']}, the table {UNICODE}; they {'differ' if differ else 'are equal'}")


def merged(found: list[list[int]]) -> list[list[int]]:
    return ranges(sorted({code for first, last in found for code in range(first, last + 1)}))


@pytest.mark.long
def test_people_look_alike_to_page_and_program() -> None:
    source = (SPECS.parent / "ledger" / "web" / "core" / "called.js").read_text(encoding="utf-8")
    letters = re.findall(r"^    (\S): '(\w)',", source, re.MULTILINE)
    assert len(letters) > 30
    texts = [
        "Ｚｏｅ",
        "zo\u00eb",
        "Z\u03bf\u0435",
        "\u674e\u200c",
        "\u674e\ufe0f",
        "vvilma",
        "Wilma",
        "rn",
        "M",
        "| l",
        "I",
    ]
    called = [text for pair in letters for text in pair] + texts
    keys = map("".join, product("abcdefghjk", repeat=3))
    people = list(zip(keys, called, strict=False))
    found = dict(look_alikes(people))
    assert len(found) > len(letters)
    assert json.loads(run("alike", json.dumps(people))) == [[name, found.get(name)] for name, _ in people]
