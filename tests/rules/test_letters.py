"""What notations take for a letter, a number or a digit is the same on every version of Python (specs/rules.md).

That a browser reads `LINES` as this Python does is shown by `tests/web/test_page_seat_rules.py`.
"""

import re
import sys
from hashlib import sha256

from ledger.forms.reading import read_line
from rules import SYSTEMS
from rules.base import NotationError
from rules.data.letters import LETTER, WORD

LINES = {
    "dice-1": [
        "d20 \U00010d50lm",
        "\U00010d50lm: d20",
        "d20 for \U00010d50lm",
        "\U0001ccf2d6",
        "d\u0666",
        "\uff12d\uff16",
    ],
    "t9a-2022": ["\u0663d6 for combat", "3d\u0666", "2d6 vs \u0667", "\uff12d6 vs \uff17"],
    "mtg-706-2023-11-17": ["d20 for \U00011f04\u8868", "2 coins \U00011f04\u8868", "\U0001ccf2d20"],
    "wh40k-9e": ["2d6 \U00010d50lm", "roll off\U00010d50", "\U0001ccf2d6", "2d6 for \u0264lm", "2d6 for \u019blm"],
    "doubledown-1": ["\U00010d50gility 14", "agility \U0001ccf2", "\ua7cbgility", "d\u1c89"],
}
"""with letters and digits that Unicode got later than 14.0, letters that got a capital then, digits of other scripts,
and full-width ones
"""

TAKEN = {
    ("dice-1", "d20 for \U00010d50lm"),
    ("dice-1", "\uff12d\uff16"),
    ("mtg-706-2023-11-17", "d20 for \U00011f04\u8868"),
    ("t9a-2022", "2d6 vs \u0667"),
    ("wh40k-9e", "2d6 for \u0264lm"),
    ("wh40k-9e", "2d6 for \u019blm"),
}
"""of these; in the last one nothing is a number: `vs ٧` is what it is for"""


def test_letters_and_words_are_those_of_the_pinned_version() -> None:
    """Compared over all code points, by the hash of those that match: another version of Python has the same."""
    told = []
    for pattern in (re.compile(LETTER), re.compile(WORD)):
        found = [code for code in range(sys.maxunicode + 1) if pattern.fullmatch(chr(code))]
        told.append((len(found), sha256(",".join(map(str, found)).encode()).hexdigest()[:16]))
    assert told == [(132887, "69ef87722322783f"), (133548, "769b89cf522363f6")]


def test_no_later_letter_is_another_case_of_an_ascii_one() -> None:
    """So a keyword is read the same, whatever the platform knows of upper and lower case."""
    folded = {
        code
        for code in range(0x80, sys.maxunicode + 1)
        if chr(code).casefold().isascii() or chr(code).lower().isascii()
    }
    assert folded == {0xDF, 0x17F, 0x1E9E, 0x212A, *range(0xFB00, 0xFB07)}


def test_lines_with_such_characters_are_read_by_the_pinned_version() -> None:
    taken = set()
    for system, lines in LINES.items():
        for line in lines:
            try:
                read_line(SYSTEMS[system], (), "roll", line, None)
            except NotationError:
                continue
            taken.add((system, line))
    assert taken == TAKEN
