"""Words of the pages: how their templates are found, where their words stand; vendored code is whole."""

import io
import re
import tomllib
from collections.abc import Iterator
from hashlib import sha256

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.frontend import parse_keywords

from tests.conftest import SPECS
from tests.make.words import FIRST, KINDS, ROOT, Id, found, of_pages, placed, words
from verifier.language import LOCALE_FOLDER, languages

WEB = SPECS.parent / "ledger" / "web"


def of_the_pages() -> Iterator[Id]:
    """The messages of all pages."""
    return (id_ for id_, places in found().items() if any(map(of_pages, places)))


def of_the_table() -> list[str]:
    """The templates of the table's page."""
    return [text for (_, text), places in found().items() if any(place.startswith("ledger/web/") for place in places)]


SCRIPT = """\
// say('not this')
/** say('nor this') @param {string} text: 'nor this' */
say('a'); say(b ? 'not this' : 'nor this'); x.say('nor this'); essay('nor this');
say("b's"); say('c\\'s', { name: say('d') });
fails(5, 'p.q', 'e'); fails(5, f(1), 'not this'); fails(5, 'nor this'); x(fails(5) || 6, 'nor this');
const told = { text: 'f', context: 'not this', text: many ? 'nor this' : 'with {count}' };
const other = wide ? 'A whole sentence.' : `not this ${name}`;
say('…'); say('{name}'); say('call');
<p data-say="g">not this</p>
"""


def test_templates_are_found_by_a_call_by_a_member_and_by_their_own_form() -> None:
    keywords = {**DEFAULT_KEYWORDS, **parse_keywords(["say", "fails:3"])}
    told = extract("tests.make.words:templates", io.BytesIO(SCRIPT.encode()), keywords, (), {"apart": ["call"]})
    assert sorted((line, text, context) for line, text, _, context in told) == [
        (3, "a", None),
        (4, "b's", None),
        (4, "c's", None),
        (4, "d", None),
        (5, "e", None),
        (6, "f", None),
        (6, "with {count}", None),
        (7, "A whole sentence.", None),
        (8, "call", "page"),
        (9, "g", None),
    ]


@pytest.mark.parametrize("name", [f"{folder}/{name}.js" for folder, names in FIRST.items() for name in names.split()])
def test_what_speaks_first_is_there(name: str) -> None:
    assert (ROOT / name).is_file()


def test_each_file_has_words_and_each_message_of_a_page_has_a_file() -> None:
    assert set(placed()) == set(KINDS)
    assert all(placed().values())
    assert {id_ for ids in placed().values() for id_ in ids} == set(of_the_pages())


def test_a_text_has_one_meaning_on_the_pages() -> None:
    """Their files have no contexts, and a page puts several files together: what comes last would decide."""
    texts = [text for _, text in of_the_pages()]
    assert [text for text in set(texts) if texts.count(text) > 1] == []


def test_what_stands_apart_is_told_by_python_too() -> None:
    """Another sense needs a first one; a mark that nothing has is left over."""
    mappings = tomllib.loads((LOCALE_FOLDER / "babel.toml").read_text(encoding="utf-8"))["mappings"]
    apart = {text for each in mappings for text in each.get("apart", ())}
    assert {text for context, text in found() if context is not None} == apart
    assert [text for text in apart if all(map(of_pages, found().get((None, text), ())))] == []


def test_scenes_find_all_words_of_theirs_where_a_table_is_open() -> None:
    """A table fetches none of an event's."""
    there = {id_ for kind, ids in placed().items() if "event" not in kind for id_ in ids}
    needed = [
        id_ for id_, places in found().items() if any(place.startswith("ledger/web/ui/scenes/") for place in places)
    ]
    assert len(needed) > 300
    assert [id_ for id_ in needed if id_ not in there] == []


_COUNTS = ("count", "left", "all", "size", "seen", "there", "attacks", "passed", "of20", "shown")
"""values of templates that say how many"""
_BARE = re.compile(rf"\{{({'|'.join(_COUNTS)})\}} (?:\w+ )?(\w+s|dice|are|sit|have)\b")
_FORMS = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")
_VALUE = re.compile(r"\{\w+\}")


def test_what_is_counted_has_a_form_for_one() -> None:
    """`{count} {count:hit|hits}`: nobody reads 1 hits."""
    assert len(of_the_table()) > 1000
    assert [text for text in of_the_table() if _BARE.search(text)] == []


@pytest.mark.parametrize("language", languages())
def test_forms_for_one_and_several_are_about_a_value_and_differ(language: str) -> None:
    for text, told in {text: told for file in words(language).values() for text, told in file.items()}.items():
        for name, one, several in (*_FORMS.findall(text), *_FORMS.findall(told)):
            assert f"{{{name}}}" in text, text
            assert one != several, text
        assert re.findall(r"[{}]", _VALUE.sub("", _FORMS.sub("", told))) == [], told


def test_what_was_vendored_is_unchanged() -> None:
    told = (WEB / "vendor" / "VENDORED.txt").read_text(encoding="utf-8")
    files = {path.name for path in (WEB / "vendor").glob("*.js")}
    named = re.findall(r"^(\S+\.js)$(?:\n    .*)*?\n    sha256    ([0-9a-f]{64})$", told, re.MULTILINE)
    assert {name for name, _ in named} == files
    for name, digest in named:
        assert sha256((WEB / "vendor" / name).read_bytes()).hexdigest() == digest
    for licence in re.findall(r"LICENSE-\w+\.txt", told):
        assert (WEB / "vendor" / licence).is_file()
