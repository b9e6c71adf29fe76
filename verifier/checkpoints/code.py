"""The code of a table, which people read to each other to compare their logs (specs/disputes.md).

>>> head = Checkpoint(bytes(32), 1, bytes(32))
>>> table_code(head)
'21132 75427 34577 35200 94878 07054'
>>> parse_code("1: 21132-75427 34577 35200 94878 07054") == (1, table_code(head))
True
"""

import re
import unicodedata
from hashlib import sha256

from rules.data.bounds import MAX_SAFE_INTEGER
from verifier.checkpoints.checkpoint import Checkpoint
from verifier.log.identity import VerifierKey

__all__ = ["key_code", "parse_code", "table_code"]

DIGITS = 30
GROUP = 5

CODE_LABEL = b"rollproof/v1/code\n"
_BETWEEN = re.compile(r"[\s\-\u2010-\u2015\u2212]+")


def table_code(head: Checkpoint) -> str:
    """Return the code for the first lines of a game, whose tree head is `head`: six groups of five digits."""
    return _code_of(head.text)


def key_code(key: VerifierKey) -> str:
    """Return the code of a key, by which people tell it from another: six groups of five digits."""
    return _code_of(f"{key}\n")


def _code_of(text: str) -> str:
    number = int.from_bytes(sha256(CODE_LABEL + text.encode()).digest(), "big") % 10**DIGITS
    return _grouped(f"{number:0{DIGITS}}")


def parse_code(text: str) -> tuple[int | None, str] | None:
    """Parse a code, with the number of lines before it if there is one. Return None for any other text.

    The code is returned as `table_code` writes it.
    """
    size, colon, code = text.replace("\uff1a", ":").rpartition(":")
    count, digits = (_digits(part) for part in (size, code))
    if digits is None or len(digits) != DIGITS or (colon and (not count or len(count) > 16)):
        return None
    number = int(count) if count else None
    return None if number is not None and not 1 <= number <= MAX_SAFE_INTEGER else (number, _grouped(digits))


def _digits(text: str) -> str | None:
    """Return the decimal digits of a text; None if it has none, or others than digits, blanks and hyphens."""
    found = _BETWEEN.sub("", text)
    return "".join(str(unicodedata.decimal(each)) for each in found) if found.isdecimal() else None


def _grouped(digits: str) -> str:
    return " ".join(digits[at : at + GROUP] for at in range(0, DIGITS, GROUP))
