"""No byte of a file reaches a terminal raw, whoever wrote or signed it: texts of logs, names of files, rosters."""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.cli.output import Output
from rules.data.unseen import UNSEEN
from tests.support.cli import REPOSITORY, Cli, make_home
from verifier.log.plainjson import encode
from verifier.shell.command import run as run_verifier

VECTORS = REPOSITORY / "specs" / "vectors"
HOLDS = VECTORS / "logs" / "holds--as-expected.jsonl"
HOSTILE = "x\x1b[2J\x9b31m\x07\u202e\u2066\u200fy\nt.jsonl: HOLDS\r\u2028\ufeff"
RAW = re.compile(f"[{UNSEEN}]")
SHOWN = re.compile("\u2068[^\u2068\u2069]*\u2069|\n")
"""what the programs themselves put around a text, and the end of a line"""


def texts_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all texts in a JSON value, names of members too."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, dict):
        for name, member in value.items():
            yield (*path, name)
            yield from texts_of(member, (*path, name))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from texts_of(item, (*path, number))


def changed(value: Any, path: tuple[Any, ...], *, name: bool) -> Any:
    """The value with a hostile text in a place; `name`: as the member's name."""
    head, *rest = path
    copy = value.copy()
    if rest:
        copy[head] = changed(value[head], tuple(rest), name=name)
    elif name:
        copy[HOSTILE] = copy.pop(head)
    else:
        copy[head] = HOSTILE
    return copy


def raw_json(value: Any) -> bytes:
    """JSON in which all stands raw that JSON lets stand raw."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def hostile_logs(folder: Path) -> list[Path]:
    """A log for each text of one: that text is hostile."""
    lines = HOLDS.read_bytes().splitlines()
    paths: list[Path] = []
    for number in (0, 1, 3, 6, 7):
        event = json.loads(lines[number])
        for place in set(texts_of(event)):
            for name in (False, True):
                if name and isinstance(place[-1], int):
                    continue
                other = [*lines]
                other[number] = raw_json(changed(event, place, name=name))
                path = folder / f"{len(paths)}.jsonl"
                path.write_bytes(b"\n".join(other) + b"\n")
                paths.append(path)
    return paths


def assert_safe(said: str, words: object) -> None:
    found = RAW.search(SHOWN.sub("", said))
    assert found is None, (words, said[max(0, found.start() - 60) : found.end() + 60])
    assert not any(line.startswith("t.jsonl") for line in said.splitlines()), (words, said)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch)


def check(cli: Cli, *words: str | Path) -> None:
    for extra in ((), ("--json",)):
        result = cli(*words, *extra)
        assert_safe(result.out + result.err, words)
        assert result.code != 70, (words, result)


@pytest.mark.long
def test_the_texts_of_logs(cli: Cli, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    logs = hostile_logs(folder)
    assert len(logs) > 60
    check(cli, "verify", folder, "--jobs", "1", "--rolls")
    check(cli, "verify", folder, "--jobs", "1", "--summary")
    assert run_verifier([str(folder), "--jobs", "1"]) == 2
    said = capsys.readouterr()
    assert_safe(said.out + said.err, "rollproof-verify")
    check(cli, "stats", folder)
    check(cli, "report", folder, "--out", tmp_path / "page.html", "--force")
    check(cli, "import", folder)
    for log in logs[::7]:
        for words in (
            ("log", log),
            ("state", log),
            ("explain", log, "1"),
            ("compare", HOLDS, log),
            ("prove", log, "1"),
        ):
            check(cli, *words)


@pytest.mark.long
@pytest.mark.parametrize("name", [HOSTILE, "\udcff\udc9b31m"])
def test_names_of_files(cli: Cli, tmp_path: Path, name: str) -> None:
    log = tmp_path / f"{name}.jsonl".replace("/", "")
    shutil.copy(HOLDS, log)
    other = tmp_path / f"{name}.other"
    other.write_bytes(b"nothing")
    cli.monkeypatch.chdir(tmp_path)
    for path in (log, other):
        file = path.name.encode(errors="surrogateescape").decode(errors="surrogateescape")
        for words in (
            *(("verify", file), ("log", file), ("state", file), ("explain", file, "6"), ("stats", file)),
            *(("compare", file, str(HOLDS)), ("import", file), ("prove", file, "1"), ("rules", "check", file)),
            *(
                ("check-opening", file, file),
                ("verify", str(HOLDS), "--policy", file),
                ("roll", "Table 12", f"@{file}"),
            ),
            ("verify", str(HOLDS), "--receipt", file),
            ("report", file, "--out", f"{file}.html", "--force"),
            ("export", "Table 12", "--out", f"{file}.out", "--force"),
            ("verify", f"no{file}"),
            ("log", f"no{file}"),
        ):
            check(cli, *words)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["roster", "policy", "checkpoint", "opening", "script"])
def test_what_stands_beside_logs(cli: Cli, tmp_path: Path, kind: str) -> None:
    key = (VECTORS / "notes" / "keys").read_text().split()[0]
    files = {
        "roster": VECTORS / "disputes" / "open.roster",
        "policy": next((VECTORS / "notes").glob("*policy*")),
        "checkpoint": next((VECTORS / "notes").rglob("*checkpoint*")),
        "opening": next((VECTORS / "openings").glob("*.opening")),
        "script": VECTORS / "scripts" / "mtg" / "706.3.json",
    }
    commands: dict[str, tuple[tuple[str, ...], ...]] = {
        "roster": (
            ("verify", str(HOLDS), "--roster", "FILE", "--organizer", key),
            ("roster", "show", "FILE", "--organizer", key),
        ),
        "policy": (("verify", str(HOLDS), "--policy", "FILE"),),
        "checkpoint": (("verify", str(HOLDS), "--receipt", "FILE"), ("compare", str(HOLDS), "FILE")),
        "opening": (("check-opening", "FILE", str(HOLDS)),),
        "script": (("rules", "check", "FILE"),),
    }
    whole = files[kind].read_bytes()
    for number, part in enumerate(sorted(set(re.findall(rb"[\w.+/=-]{3,}", whole)))[:60]):
        file = tmp_path / f"{number}.file"
        file.write_bytes(whole.replace(part, HOSTILE.replace("\n", " ").encode()))
        for words in commands[kind]:
            check(cli, *(word.replace("FILE", str(file)) for word in words))


def test_what_cannot_be_read_is_told_on_one_line(cli: Cli, tmp_path: Path) -> None:
    """Of a key, a seat that was moved, limits: an unknown member's name is a stranger's text."""
    file = tmp_path / "file"
    file.write_bytes(encode({HOSTILE: 1}) + b"\n" + encode({HOSTILE: 1}) + b"\n")
    check(cli, "identity", "take", file)
    check(cli, "serve", "--limits", file)
    key = next(cli.home.rglob("alice/key.json"))
    key.write_bytes(encode({HOSTILE: 1}) + b"\n")
    check(cli, "identity", "list")
    check(cli, "commit", "Table 12", "--as", "alice")


def test_what_is_copied_in_a_pipe_is_shown_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """An export is written byte for byte, unless it goes to a screen."""
    Output().line(HOSTILE)
    assert capsys.readouterr().out == f"{HOSTILE}\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        Output().line(HOSTILE.replace("\n", ""))
        Output().say(HOSTILE)
        Output().heading(HOSTILE.replace("\n", ""))
        Output(color=False).table(["a"], [[HOSTILE.replace("\n", "")]])
        said = re.sub("\x1b\\[[0-9;]*m", "", capsys.readouterr().out)
    assert RAW.search(SHOWN.sub("", said)) is None
