"""Words of the table page: each template has its own in every language, with equal values; vendored code is whole."""

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path, PurePosixPath

import pytest

from ledger.page.assets import EVENT_JOINED, JOINED, page
from tests.conftest import SPECS
from tests.server.test_page import joined_modules
from verifier.language import languages

WEB = SPECS.parent / "ledger" / "web"
VERIFIER = SPECS.parent / "verifier" / "web"

_TEXT = r"'((?:[^'\\\n]|\\.)+)'|\"((?:[^\"\\\n]|\\.)+)\""
_CALLS = re.compile(rf"(?<![\w.$])(?:t|mark|say|new Cheated\(say|new Told|message)\(\s*(?:{_TEXT})\s*[,)]")
_MESSAGES = re.compile(rf"\btext:\s*(?:{_TEXT})")
_LITERAL = re.compile(_TEXT)
_COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*$", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(rf"^  (?:{_TEXT}):\s*(?:{_TEXT}),$", re.MULTILINE)
_VALUE = re.compile(r"\{\w+\}")
_SAME = {"…", "{text}", "{rolls}"}
"""what is the same in every language"""


def _plain(first: str, second: str) -> str:
    return re.sub(r"\\(.)", r"\1", first or second)


def templates() -> Iterator[tuple[str, str]]:
    """Each template with the file in which it stands."""
    for path in sorted([*(WEB / "ui").rglob("*.js"), *(WEB / "core").rglob("*.js")]):
        if path.name.startswith("words-"):
            continue
        code = _COMMENT.sub("", path.read_text(encoding="utf-8"))
        where = f"{path.parent.name}/{path.name}"
        for pattern in (_CALLS, _MESSAGES):
            for match in pattern.finditer(code):
                yield _plain(match[1], match[2]), where
        if path.parent.name == "core":  # it hands sentences on to what refuses
            for match in _LITERAL.finditer(code):
                text = _plain(match[1], match[2])
                if " " in text and text.endswith(".") and re.match("[A-Z{]", text):
                    yield text, where


def words_of(path: Path) -> dict[str, str]:
    """A file of words of another language."""
    code = path.read_text(encoding="utf-8")
    return {_plain(m[1], m[2]): _plain(m[3], m[4]) for m in _ENTRY.finditer(code)}


PARTS = ("", "-game", "-event")
"""what is fetched by the first page, and besides by a table, and besides by an event"""
PART = {each: {part: words_of(WEB / "ui" / f"words-{each}{part}.js") for part in PARTS} for each in languages()}
SCENES = {language: words_of(WEB / "ui" / "scenes" / f"words-{language}.js") for language in languages()}
OWN = {each: {**PART[each][""], **PART[each]["-game"], **PART[each]["-event"], **SCENES[each]} for each in languages()}
KNOWN = {each: {**words_of(VERIFIER / f"words-{each}.js"), **OWN[each]} for each in languages()}


@pytest.mark.parametrize("language", languages())
def test_each_template_has_its_words(language: str) -> None:
    found = sorted(set(templates()))
    assert len(found) > 200
    assert [(text, where) for text, where in found if text not in KNOWN[language] and text not in _SAME] == []


_FIRST = {
    "ui": "about fields files glossary home html main moved open parts person profile qr sit systems top words",
    "core": "code errors here links profile transport",
}
"""modules of the table's page that speak before a table is opened; the words of all others come with a table"""


def _page_of(where: str) -> str:
    """The part of the words in which a module's templates stand at the latest."""
    folder, name = where.removesuffix(".js").split("/")
    if name in _FIRST.get(folder, "").split():
        return ""
    return "-event" if where in _of_events() else "-game"


@cache
def _of_events() -> set[str]:
    table, event = (set(joined_modules(page().files[name].data.decode())) for name in (JOINED, EVENT_JOINED))
    return {"/".join(PurePosixPath(path).parts[-2:]) for path in event - table}


@pytest.mark.parametrize("language", languages())
def test_words_stand_where_their_page_finds_them_and_nowhere_else(language: str) -> None:
    needed: dict[str, int] = {}
    for text, where in templates():
        if not where.startswith("scenes/") and text not in _SAME:
            needed[text] = min(needed.get(text, 2), PARTS.index(_page_of(where)))
    misplaced = [
        (text, PARTS[at])
        for text, at in needed.items()
        if [part for part in PARTS if text in PART[language][part]] != [PARTS[at]]
    ]
    assert misplaced == []


@pytest.mark.parametrize("language", languages())
def test_words_of_scenes_come_with_a_table(language: str) -> None:
    """A table fetches none of an event's."""
    there = {**words_of(VERIFIER / f"words-{language}.js"), **PART[language][""], **PART[language]["-game"]}
    there |= SCENES[language]
    assert [
        text
        for text, where in templates()
        if where.startswith("scenes/") and text not in there | dict.fromkeys(_SAME, "")
    ] == []


@pytest.mark.parametrize("language", languages())
def test_values_are_the_same_in_both_languages(language: str) -> None:
    own = OWN[language].items()
    assert [text for text, told in own if set(_VALUE.findall(text)) != set(_VALUE.findall(told))] == []


@pytest.mark.parametrize("language", languages())
def test_a_text_has_the_same_words_in_each_file_that_has_it(language: str) -> None:
    """A page puts several files together: what comes last would decide."""
    verifier = [words_of(VERIFIER / f"words-{language}{part}.js") for part in ("", "-event")]
    files = [*PART[language].values(), SCENES[language], *verifier]
    said: dict[str, set[str]] = {}
    for text, told in (item for file in files for item in file.items()):
        said.setdefault(text, set()).add(told)
    assert {text: told for text, told in said.items() if len(told) > 1} == {}


_COUNTS = ("count", "left", "all", "size", "seen", "there", "attacks", "passed", "of20", "shown")
"""values of templates that say how many"""
_BARE = re.compile(rf"\{{({'|'.join(_COUNTS)})\}} (?:\w+ )?(\w+s|dice|are|sit|have)\b")
_FORMS = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")


def test_what_is_counted_has_a_form_for_one() -> None:
    """`{count} {count:hit|hits}`: nobody reads 1 hits."""
    assert [(text, where) for text, where in templates() if _BARE.search(text)] == []


@pytest.mark.parametrize("language", languages())
def test_forms_for_one_and_several_are_about_a_value_and_differ(language: str) -> None:
    for text, told in OWN[language].items():
        for name, one, several in (*_FORMS.findall(text), *_FORMS.findall(told)):
            assert f"{{{name}}}" in text, text
            assert one != several, text
        assert re.findall(r"[{}]", _VALUE.sub("", _FORMS.sub("", told))) == [], told


@pytest.mark.parametrize("language", languages())
def test_no_words_without_their_template(language: str) -> None:
    assert sorted(set(OWN[language]) - {text for text, _ in templates()}) == []


def test_what_was_vendored_is_unchanged() -> None:
    told = (WEB / "vendor" / "VENDORED.txt").read_text(encoding="utf-8")
    files = {path.name for path in (WEB / "vendor").glob("*.js")}
    named = re.findall(r"^(\S+\.js)$(?:\n    .*)*?\n    sha256    ([0-9a-f]{64})$", told, re.MULTILINE)
    assert {name for name, _ in named} == files
    for name, digest in named:
        assert sha256((WEB / "vendor" / name).read_bytes()).hexdigest() == digest
    for licence in re.findall(r"LICENSE-\w+\.txt", told):
        assert (WEB / "vendor" / licence).is_file()
