"""One word for one thing in what is said of an event, by its page and by the verifier (specs/languages.md)."""

import re

import pytest

from tests.conftest import SPECS
from tests.make.words import found, words

LISTED = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
OF_EVENTS = re.compile("ledger/web/|verifier/web/(event/|page/event|changes)")
VALUE = re.compile(r"\{[^}]*\}|rollproof .*|\bcall (?:it|the roll) off")
"""what is put in, what is typed, and the end of a roll without dice, which is no call for a judge"""


def terms(language: str) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """What an English sentence speaks of, and what the other then has: the table of languages.md."""
    text = (SPECS / "languages.md").read_text(encoding="utf-8")
    table = text[text.index("\n## An organized event\n") :]
    rows = [row for row in LISTED.findall(table) if row[0] not in ("English", "---")]
    column = {"de": 1, "ja": 2}[language]
    return [(_any_of(row[0]), _any_of(row[column])) for row in rows]


def _any_of(words: str) -> re.Pattern[str]:
    """Any of several words; … stands for what else a word can end with, or begin with."""
    found = [re.escape(word.strip()).replace("…", r"\w*") for word in words.split(",")]
    return re.compile("|".join(rf"(?<!\w){each}(?!\w)" if each.isascii() else each for each in found), re.IGNORECASE)


@pytest.mark.parametrize("language", ["de", "ja"])
def test_a_thing_of_an_event_has_one_word_everywhere(language: str) -> None:
    ids = {text for (_, text), places in found().items() if any(map(OF_EVENTS.match, places))}
    files = [file for path, file in words(language).items() if path.endswith("-event.js")]
    said = [(text, told) for file in files for text, told in file.items() if text in ids]
    listed = terms(language)
    assert len(listed) > 15
    wrong: dict[str, str] = {}
    for english, other in listed:
        speaking = [(text, word) for text, word in said if english.search(VALUE.sub("", text))]
        assert speaking, f"nothing speaks of {english.pattern}"
        wrong |= {text: f"{word} ({other.pattern})" for text, word in speaking if not other.search(word)}
    assert wrong == {}
