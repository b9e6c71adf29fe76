"""People at a table whose names look alike (specs/network.md, "The table"). It is only a hint."""

import unicodedata
from collections.abc import Iterable, Iterator

from verifier.log.identity import looks_alike

__all__ = ["look_alikes"]

_LIKE_LATIN = {
    "аαɑ": "a",
    "вβ": "b",
    "с": "c",
    "ԁ": "d",
    "еёε": "e",
    "һн": "h",
    "іїιı": "i",
    "ј": "j",
    "кκ": "k",
    "ӏł": "l",
    "м": "m",
    "оοø": "o",
    "рρ": "p",
    "ԛ": "q",
    "ѕ": "s",
    "тτ": "t",
    "у": "y",
    "ѵν": "v",
    "ԝ": "w",
    "хχ": "x",
    "η": "n",
    "υ": "u",
    "ɡ": "g",
}
"""letters of other scripts, and the Latin letter that they look like"""
_LETTERS = str.maketrans({letter: latin for letters, latin in _LIKE_LATIN.items() for letter in letters})
_PAIRS = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"))
_UNSEEN = ("Cf", "M", "P", "Z", "S")
"""categories of Unicode that change little in how a name looks"""


def look_alikes(people: Iterable[tuple[str, str | None]]) -> Iterator[tuple[str, str]]:
    """Yield each person whose name or called name looks like one of somebody before, with the first such person.

    A person is the name of a key and a called name; the names of keys are yielded.
    """
    before: list[tuple[str, set[str]]] = []
    for name, called in people:
        mine = {_skeleton(each) for each in (name, called or "")} - {""}
        other = next((each for each, theirs in before if looks_alike(name, each) or mine & theirs), None)
        if other is not None:
            yield name, other
        before.append((name, mine))


def _skeleton(text: str) -> str:
    """Return what texts that look alike have in common."""
    letters = unicodedata.normalize("NFKD", text).lower()
    seen = "".join(letter for letter in letters if not unicodedata.category(letter).startswith(_UNSEEN))
    seen = seen.translate(_LETTERS)
    for shown, as_ in _PAIRS:
        seen = seen.replace(shown, as_)
    return seen
