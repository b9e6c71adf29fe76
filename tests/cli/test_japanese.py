"""The catalogues of all languages; what is told in Japanese, in the terms of the Comprehensive Rules of 2023-11-17."""

import ast
import json
import re
import string
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.home import Home
from rules import SYSTEMS, System, Violation
from rules.data.language import Listed, Message, Translate
from rules.script import read, run
from tests.make.words import Id, catalogue, found, made, of_pages
from tests.support.bundles import bundled
from tests.support.cli import PASSPHRASE, QUICK, Cli
from tests.support.scripts import SCRIPTS, Vector, scripts
from verifier import KeyFormatError, Pins, Report, VerifierKey, render, verify
from verifier.language import DOMAIN, LOCALE_FOLDER, languages, translator
from verifier.shell.command import run as run_command
from verifier.shell.options import OPTIONS

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "specs" / "vectors"
LOGS = {entry["file"]: entry for entry in json.loads((VECTORS / "logs" / "index.json").read_text())}
MAGIC = SYSTEMS["mtg-706-2023-11-17"]
MAPPINGS = tomllib.loads((LOCALE_FOLDER / "babel.toml").read_text())["mappings"]
PATTERNS = [pattern for part in MAPPINGS if part["method"] == "python" for pattern in part["pattern"]]
JA = translator("ja")

WORD = re.compile(r"[A-Za-z]{2,}")
FORMS = re.compile(r"\{(\w+):[^{}|]*\|[^{}|]*\}")
CODE = re.compile(r"`[^`]*`")
PUT_IN = re.compile(r"\{(?!effect\})[^}]*\}")
"""values, which are translated by themselves; `effect {effect}` is a term all the same"""
TERMS = {
    r"\bnaturals?\b(?! result)": "出た目",
    r"\bnatural results?\b": "出た目",
    r"(?<!natural )(?<!stored )\bresults?\b(?! table)": "出目",
    r"\bresults table\b|\bthe table says\b|\btable rows?\b": "結果テーブル",
    r"\bdoubles\b(?! down)": "ゾロ目",
    r"\bplanar die\b": "次元ダイス",
    r"\bignored?\b": "無視",
    r"\bmodifiers?\b": "修整",
    r"\bmana cost\b": "マナ・コスト",
    r"\bmana abilities\b": "マナ能力",
    r"\bcosts?\b": "コスト",
    r"\bstored results?\b": "保存された出目",
    r"\breroll(s|ing)?\b": "振り直",
    r"\b[Rr]oll again\b": "振り直",
    r"\b(a|no) permanent\b": "パーマネント",
    r"\btriggered ability\b": "誘発型能力",
    r"\beffect \{effect\}|\beffects\b": "効果",
    r"\bkeeper\b": "記録係",
    r"\bjudge\b": "ジャッジ",
}
"""what an English message speaks of → the term of the Japanese rules"""


@cache
def extracted() -> dict[str, str]:
    """The messages of Python that Babel finds, and where one of each stands."""
    return {text: place for (_, text), places in found().items() for place in places if not of_pages(place)}


CATALOGUES: dict[str, dict[Id, str]] = {
    each: {(message.context, str(message.id)): str(message.string) for message in catalogue(each) if message.id}
    for each in languages()
}


# --- the catalogues -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
def test_no_message_is_left_untranslated_and_no_translation_left_over(language: str) -> None:
    messages = CATALOGUES[language]
    assert {id_: places for id_, places in found().items() if not messages.get(id_)} == {}
    assert set(messages) - set(found()) == set()
    assert len(extracted()) > 200
    assert len(found()) - len(extracted()) > 200


@pytest.mark.parametrize("language", languages())
def test_no_translation_is_fuzzy(language: str) -> None:
    assert [message.id for message in catalogue(language) if message.id and message.fuzzy] == []


@pytest.mark.parametrize("language", languages())
def test_a_translation_has_the_placeholders_of_the_english(language: str) -> None:
    words = CATALOGUES[language]
    assert [text for (_, text), told in words.items() if placeholders(told) != placeholders(text)] == []


def placeholders(text: str) -> set[tuple[str, str | None, str | None]]:
    """The values of a template; `{count:hit|hits}` is a word of a page that needs `count`."""
    parsed = string.Formatter().parse(FORMS.sub(r"{\1}", text))
    return {(name, spec, conversion) for _, name, spec, conversion in parsed if name}


def test_what_is_made_of_the_catalogues_is_as_it_was_made() -> None:
    assert [path.relative_to(ROOT) for path, data in made() if path.read_bytes() != data] == []


@pytest.mark.parametrize("language", languages())
def test_the_compiled_catalogue_has_what_python_tells_and_no_more(language: str) -> None:
    with (LOCALE_FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as stream:
        compiled: dict[str, str] = dict(GNUTranslations(stream)._catalog)  # type: ignore[attr-defined]
    compiled.pop("")
    assert compiled == {text: CATALOGUES[language][None, text] for text in extracted()}


def test_the_help_of_each_program_names_every_language(cli: Cli) -> None:
    offered = ", ".join(("en", *languages()))
    told = [cli.ok("--help"), cli.ok("log", "--help"), *(each.help for each in OPTIONS if each.name == "lang")]
    assert len(told) == 3
    assert [text for text in told if f"Language of messages: {offered}" not in re.sub(r"\s+", " ", text)] == []


def test_german_speaks_as_players_do() -> None:
    """The terms of the German rulebooks, and nobody is called Sie."""
    words = {text: told for (_, text), told in CATALOGUES["de"].items()}
    terms = {"the planar die": "Weltenwürfel", "mana cost: {mana_cost}": "Manakosten", "mortal wounds": "Verwundungen"}
    assert {text: word for text, word in terms.items() if word not in words[text]} == {}
    assert [
        word
        for word in words.values()
        if re.search(r"\bSie (?:können|haben|müssen|dürfen|sind)\b|\bIhr(?:e|en|em)? Browser", word)
    ] == []
    assert translator("de")("error") == "Fehler"


@pytest.mark.long
def test_no_sentence_stands_where_the_extraction_does_not_find_it() -> None:
    found_in = [pattern for pattern in PATTERNS if pattern.startswith(("verifier/", "rules/"))]
    # The demonstration's scenes are told in English.
    files = sorted({path for pattern in found_in for path in files_of(pattern) if path.name != "scene.py"})
    found = [f"{path.relative_to(ROOT)}: {text}" for path in files for text in sentences(ast.parse(path.read_text()))]
    assert [line for line in found if line.split(": ", 1)[1] not in extracted()] == []


def files_of(pattern: str) -> list[Path]:
    """The files of one of Babel's patterns, in which `**` stands within a folder's name and the file's, too."""
    return sorted(ROOT.glob(pattern.replace("**.", "**/*.")))


def translated() -> list[System[Any]]:
    """The systems of which pybabel finds the messages."""
    return [system for system in SYSTEMS.values() if f"{type(system).__module__.replace('.', '/')}/**.py" in PATTERNS]


def scripts_of(system: System[Any]) -> tuple[Vector, ...]:
    """The scripts of its clauses."""
    (folder,) = {clause.holds.partition("/")[0] for clause in system.clauses}
    return scripts(folder)


def refused_scripts(system: System[Any]) -> list[Vector]:
    """The scripts that violate its clauses."""
    return [vector for vector in scripts_of(system) if vector.violates]


# What is for those who type commands or compare scripts is English in every language, and so are words of a notation.
ENGLISH_CALLS = {"ArgumentParser", "add_argument", "add_argument_group", "ArgumentTypeError", "TypeError", "error"}
ENGLISH_CALLS |= {
    "word",
    "CommandOption",
    "UsageProblem",
    "AttributeError",
    "Failed",
    "PageError",
    "refusal",
    "_only",
    "Notation",
}
ENGLISH_CALLS |= {"ModuleError", "Notation"}
ENGLISH_NAMES = {
    "DESCRIPTION",
    "_ARGUMENTS",
    "_DESCRIPTION",
    "_PROOF",
    "stopped",
    "stopped_answer",
    "EPILOG",
    "_TELLS_OF_WARD",
    "_WARD",
    "differences",
    "_differ",
    "NOTATIONS",
    "WHO",
    "WHAT",
    "write_ignore",
    "_SAYS",
    "_CALL",
    "_SHEET",
    "_GROUP",
    "_FREE",
    "_NAMES",
    "_an_ability",
    "known",
}
ENGLISH_TEXTS = {
    "reroll or resolve",
    "ignore or resolve",
    "reroll or waive",
    "double down or resolve",
    "name the roller",
    "Illegal trailing comma",
}
ENGLISH_TEXTS |= {"feel no pain", "attacks or hit", ", which counts as ", ": hits without a roll"}
"""choices and steps of the state, a roll's one-line summary, and what sets attacks apart: the same in every language"""


def sentences(node: ast.AST) -> Iterator[str]:
    """Texts of three words or more in a syntax tree, but docstrings and what stays English."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assert():
            return
        case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]) if name in ENGLISH_NAMES:
            return
        case ast.AnnAssign(target=ast.Name(id=name)) if name in ENGLISH_NAMES:
            return
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in ENGLISH_CALLS:
            return
        case ast.Call(func=ast.Name(id="Say"), args=[told, _, *further]):  # its second says which members it needs
            for part in (told, *further):
                yield from sentences(part)
            return
        case ast.Constant(value=str(text)) if text not in ENGLISH_TEXTS and re.search(
            r"[a-z]+[ ,:;]+[a-z]+[ ,:;]+[a-z]+", text
        ):
            yield text
    for child in ast.iter_child_nodes(node):
        yield from sentences(child)


# --- the terms ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("english", "japanese"), TERMS.items())
def test_a_term_of_the_rules_is_always_the_same_in_japanese(english: str, japanese: str) -> None:
    ours = [text for text, place in extracted().items() if place.startswith("rules")]
    speaking = [text for text in ours if re.search(english, PUT_IN.sub("", CODE.sub("", text)))]
    assert speaking
    assert [text for text in speaking if japanese not in JA(text)] == []


def test_a_message_about_natural_results_never_calls_them_results() -> None:
    natural = [text for text in extracted() if "natural" in text and "result" not in text.replace("natural result", "")]
    assert natural
    assert [JA(text) for text in natural if "出目" in JA(text)] == []


def test_dice_have_one_name_and_nothing_is_rounded_that_is_not() -> None:
    """次元ダイス is a term of its own; where a claim leaves the table's range, it is not rounded. Divisions are."""
    told = [JA(text) for text, place in extracted().items() if "rules/systems/anydice/" not in place]
    assert [text for text in told if re.search("(?<!次元)ダイス|丸め", text)] == []


def lines(vector: Vector) -> Iterator[str]:
    """What a script of Magic has told, each line with the clause that stands beside it."""
    outcome = run(read(vector.data))
    if outcome.violation is not None:
        yield f"{outcome.violation.clause} {outcome.violation.message(JA)}"
    for roll in outcome.session.view()["rolls"]:
        for step in MAGIC.explain(outcome.session.game, roll["roll"]):
            yield f"{step.clause} {step.message(JA)}"


def test_a_line_has_a_clause_once_and_tells_in_which_way_dice_are_rolled_again() -> None:
    """「振り直す。」 in quotation marks is a table's; a reroll is told by its clause."""
    told = [line for vector in refused_scripts(MAGIC) for line in lines(vector)]
    told += [f"{clause.number} {JA(text)}" for clause in MAGIC.clauses for text in (clause.asks, clause.enforced)]
    assert len(told) > 1000
    for line in told:
        clauses = re.findall(r"706\.\d\w?", line)
        assert len(clauses) == len(set(clauses)), line
        if "振り直" in line and "「振り直" not in line:
            assert {"706.2b", "706.8b", "706.2", "706.7", "706.8c"} & set(clauses), line


# --- what is told -------------------------------------------------------------------------------------------------


def words_of_values(values: Iterable[Any]) -> set[str]:
    """The Latin words that come from values: names, notation, cards, and msgspec's own sentences."""
    found: set[str] = set()
    for value in values:
        if isinstance(value, Listed):
            found |= words_of_values(value.parts)
        elif isinstance(value, Message):
            found |= words_of_values(value.values.values())
        else:
            found |= set(WORD.findall(str(value)))
    return found


def latin(text: str) -> set[str]:
    return set(WORD.findall(CODE.sub("", text)))


@bundled("vector", [vector for system in translated() for vector in refused_scripts(system)])
def test_every_violation_of_a_translated_system_is_told_in_japanese(vector: Vector) -> None:
    violation = run(read(vector.data)).violation
    assert violation is not None
    said = violation.message(JA)
    assert re.search(r"[\u3040-\u30ff]", said)
    # What is typed stands in the English as well, and looks different: `4d6kh3`, `ro or rr`.
    typed = set() if vector.folder == "mtg" else set(WORD.findall(" ".join(map(str, templates(violation)))))
    assert latin(said) - words_of_values(violation.values.values()) - typed - {"ID"} == set()
    assert str(violation) == violation.message() != said


def templates(told: Message) -> Iterator[str]:
    """The template of a message, and those of the messages in it."""
    yield told.template
    for value in told.parts if isinstance(told, Listed) else told.values.values():
        if isinstance(value, Message):
            yield from templates(value)


def report_on(file: str, translate: Translate = str) -> Report:
    expect = LOGS[file].get("expect", {})
    game = expect.get("game")
    pins = Pins(bytes.fromhex(game) if game else None, tuple(map(VerifierKey.parse, expect.get("keys", ()))))
    return verify((VECTORS / "logs" / file).read_bytes(), name=file, pins=pins, translate=translate)[0]


SCHEMA_CODES = ("line.malformed", "body.malformed")
"""whose findings end with a sentence of msgspec's"""
WORDS_OF_OURS = "Rollproof rollproof --key name+hash+base64 Ed25519 mtg-706-2023-11-17 ID"
KEY = re.compile(r"\+[0-9A-Za-z+/=]{40,}")
MAGIC_LOGS = [file for file, entry in LOGS.items() if b'"system":"mtg' in (VECTORS / "logs" / file).read_bytes()[:4000]]


@bundled("file", LOGS)
def test_a_report_in_japanese_differs_in_its_words_only(file: str) -> None:
    english, japanese = (msgspec.to_builtins(report_on(file, translate)) for translate in (str, JA))
    assert without_words(japanese) == without_words(english)


def without_words(report: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in report.items() if name not in ("trust", "checked", "not_checked")}
    found = [{name: value for name, value in told.items() if name != "message"} for told in report["findings"]]
    return kept | {"findings": found, "rolls": {roll: told["fair"] for roll, told in report["rolls"].items()}}


OFFERED_BODIES = {"holds--offer-of-a-body.jsonl", "holds--offer-of-a-secret-roll-in-magic.jsonl"}
"""logs of which the report has a problem of a schema, in English"""


@bundled("file", MAGIC_LOGS)
def test_a_report_on_a_log_of_magic_is_told_in_japanese(file: str) -> None:
    report = report_on(file, JA)
    told = [report.trust, *report.checked, *report.not_checked]
    of_schema = {*SCHEMA_CODES} | ({"log.offer"} if file in OFFERED_BODIES else set())
    told += [finding.message for finding in report.findings if finding.code not in of_schema]
    known = latin((VECTORS / "logs" / file).read_bytes().decode(errors="replace")) | set(WORD.findall(WORDS_OF_OURS))
    known |= {key.partition("+")[0] for key in LOGS[file].get("expect", {}).get("keys", [])}
    assert {word for text in told for word in latin(KEY.sub("", text))} - known == set()


def test_a_whole_report_is_rendered_in_japanese() -> None:
    text = render(report_on("void.missing--twice.jsonl", JA), JA)
    assert "不成立" in text
    assert "責任: alice" in text
    assert "信頼: このログは成り立ちません。イベント6までについて: host、alice、bobの全員が共謀しないかぎり" in text


def test_a_sentence_that_begins_with_a_name_leaves_the_name_as_it_is() -> None:
    file = next(file for file in LOGS if file.startswith("state.joined-twice"))
    assert report_on(file).findings[0].message.startswith("bob has joined already.")
    assert report_on(file, JA).findings[0].message.startswith("bobはすでに参加しています。")


@pytest.mark.parametrize("system", translated(), ids=lambda system: system.id)
def test_the_clauses_of_a_translated_system_are_told_in_japanese(system: System[Any]) -> None:
    texts = [text for clause in system.clauses for text in (clause.asks, clause.enforced, clause.unviolable) if text]
    assert [text for text in [system.title, *texts] if JA(text) == text] == []


@pytest.mark.long
@pytest.mark.parametrize("system", translated(), ids=lambda system: system.id)
def test_what_a_translated_system_tells_of_its_rolls_is_in_japanese(system: System[Any]) -> None:
    told: set[str] = set()
    for vector in scripts_of(system):
        session = run(read(vector.data)).session
        for table in system.tables(session.game):
            told |= {text for one in (table.title, *table.columns) for text in templates(one)}
        for roll in session.view()["rolls"]:
            steps = (*system.explain(session.game, roll["roll"]), *system.notes(session.game, roll["roll"]))
            told |= {text for one in steps for text in templates(one)}
        settled, opened = system.rolls(session.game)
        summaries = filter(None, map(system.summary, (*settled, *opened)))
        told |= {text for summary in summaries for text in templates(summary)}
    with_words = {text for text in told if WORD.search(re.sub(r"\{[^}]*\}", "", text))}
    assert len(with_words) > 20
    assert {text for text in with_words if JA(text) == text} == set()


@pytest.mark.long
@pytest.mark.parametrize("system", translated(), ids=lambda system: system.id)
def test_what_players_can_do_is_offered_in_japanese(system: System[Any]) -> None:
    offered: set[str] = set()
    for vector in scripts_of(system):
        session = run(read(vector.data)).session
        for party in () if session.phase == "pending" else ("alice", "bob", "carol", "gil"):
            for action in system.actions(session.game, party):
                for label in (action.label, *(field.label for field in action.fields)):
                    offered |= set(templates(label))
    with_words = {text for text in offered if WORD.search(re.sub(r"\{[^}]*\}", "", text))}
    assert len(with_words) > 5
    assert {text for text in with_words if JA(text) == text} == set()


def test_an_invalid_key_is_explained_in_japanese() -> None:
    with pytest.raises(KeyFormatError) as caught:
        VerifierKey.parse("alice")
    assert caught.value.message(JA) == "'alice'は検証鍵ではありません。形式はname+hash+base64です"


def test_every_system_is_translated() -> None:
    assert translated() == list(SYSTEMS.values())


# --- how a language is chosen -------------------------------------------------------------------------------------


def test_a_violation_in_a_language_without_a_catalogue_is_english() -> None:
    violation = Violation("706.6", "die {die} is ignored already", die=2)
    assert violation.message(translator("eo")) == "die 2 is ignored already"
    assert violation.message(JA) == "2番のサイコロはすでに無視されています"


def test_without_a_language_it_is_the_locales(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert translator()("error") == "エラー"
    assert translator("en")("error") == "error"


def test_the_command_answers_in_the_language_that_it_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(VECTORS / "logs" / "void.missing--twice.jsonl")
    assert run_command(["--lang", "ja", file]) == 1
    assert "不成立" in capsys.readouterr().out
    assert run_command(["--lang", "ja", "--json", file]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["findings"][0]["code"]) == ("fails", "void.missing")


# --- the command line ---------------------------------------------------------------------------------------------


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A home with a game of Magic in which alice has a roll open, with an effect to answer and a trigger."""
    cli = Cli(tmp_path, capsys, monkeypatch)
    for name in ("host", "alice", "bob"):
        Home(cli.home).new_identity(name, PASSPHRASE.encode(), QUICK)
    game = cli.value("new", "--keeper", "host", "--player", "alice", "--player", "bob", "--title", "12")["game"]
    for name in ("alice", "bob"):
        cli.ok("join", game, "--as", name)
    cli.ok("magic", "declare", "trigger", "12", "whenever you roll a natural 1+: A", "--as", "alice")
    cli.ok("magic", "declare", "permanent", "12", "centaur: C", "--as", "alice")
    cli.ok("roll", "12", "2d6 B | store on centaur", "--as", "alice")
    cli.ok("magic", "declare", "effect", "12", "may reroll one: K", "--as", "bob")
    return cli


COMMAND = re.compile(r"rollproof .*$", re.MULTILINE)


def test_the_state_of_a_game_of_magic_is_shown_in_japanese(cli: Cli) -> None:
    shown = cli.ok("state", "12", "--lang", "ja")
    for told in ("参加者", "記録係", "プレイヤー", "出た目", "誘発する能力", "次にすること"):
        assert told in shown
    assert "1番の効果、K: 振り直す(706.2b)、サイコロ1個、任意" in shown
    lines = [line for line in COMMAND.sub("", shown).splitlines() if not line.startswith(("ゲーム ", "mtg-706"))]
    known = {"host", "alice", "bob", "centaur", "ID", "dice"}  # the last is typed: dice=1
    assert set(WORD.findall("\n".join(lines))) - known == set()


def test_who_has_left_is_told_so_in_japanese(cli: Cli) -> None:
    """In English what remains is `left` too: the two have two words."""
    cli.ok("leave", "12", "--as", "bob")
    (row,) = re.findall(r"^bob +プレイヤー +(\S+)", cli.ok("state", "12", "--lang", "ja"), re.MULTILINE)
    assert row == "離脱"


def test_the_state_in_json_is_the_same_in_every_language(cli: Cli) -> None:
    assert cli.ok("state", "12", "--json", "--lang", "ja") == cli.ok("state", "12", "--json", "--lang", "en")


def test_the_clauses_of_magic_are_shown_in_japanese(cli: Cli) -> None:
    shown = cli.ok("rules", "show", "mtg", "--lang", "ja")
    assert all(clause.number in shown and JA(clause.asks) in shown for clause in MAGIC.clauses)
    names = {name for clause in MAGIC.clauses for name in (clause.holds, clause.violates) if name}
    for name in sorted([*names, "specs/vectors/scripts", "FILE--NAME", "FILE.json", "NAME"], key=len, reverse=True):
        shown = shown.replace(name, "")
    assert set(WORD.findall(shown)) - {"mtg", "dN"} == set()
    assert cli.ok("rules", "show", "mtg", "--json", "--lang", "ja") == cli.ok("rules", "show", "mtg", "--json")


def test_a_refusal_is_told_in_japanese(cli: Cli) -> None:
    refused = cli.refused("roll", "12", "2d6 X: y", "--as", "bob", "--lang", "ja")
    assert refused == "aliceのロール8が終わっていません。先に解決してください(ルール 706.3b)"


def test_the_language_is_an_option_of_the_command_of_the_application_or_a_variable(cli: Cli) -> None:
    script = (SCRIPTS / "mtg" / "706.6.json", "--only", "beyond-the-demands.violates")
    english, japanese = cli.ok("rules", "check", *script), cli.ok("rules", "check", *script, "--lang", "ja")
    assert english.isascii()
    assert "無視するサイコロを選ぶ余地はありません" in japanese
    assert cli.ok("--lang", "ja", "rules", "check", *script) == japanese
    assert cli.ok("rules", "check", *script) == english
    cli.monkeypatch.setenv("ROLLPROOF_LANG", "ja")
    assert cli.ok("rules", "check", *script) == japanese
    assert cli.ok("rules", "check", *script, "--lang", "en") == english


def test_a_stored_game_is_verified_in_japanese(cli: Cli) -> None:
    assert "成立" in cli("verify", "12", "--lang", "ja").out
