"""What is told to be typed is pasted into a shell: whatever titles, names and files are called, nothing else runs."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import REPOSITORY, Cli, make_home
from tests.support.table import Forger, Table, joined
from verifier.shell.typed import NOT_SHOWN, command

LOGS = REPOSITORY / "specs" / "vectors" / "logs"
HOLDS = LOGS / "holds--as-expected.jsonl"
CANARY = "PWNED"
HOSTILE = {
    "a semicolon": f"t;touch {CANARY} #",
    "a substitution": f"$(touch {CANARY})",
    "backticks": f"`touch {CANARY}`",
    "a quotation mark": f"'; touch {CANARY}; '",
    "two quotation marks": f'"; touch {CANARY}; "',
    "a script for sed": f"-e1e touch {CANARY};",
    "an option": f"--out=x; touch {CANARY}",
    "a pipe": f"x | touch {CANARY}",
    "and": f"x && touch {CANARY}",
    "a redirection": f"x > {CANARY}",
    "history": f"!!; touch {CANARY}",
    "Japanese": f"卓；;touch {CANARY} #",
    "Hebrew": f"שולחן;touch {CANARY} #",
    "a variable": f"${{IFS}};touch {CANARY}",
    "a file": f"@x;touch {CANARY}",
}
NAMES_OF_FILES = HOSTILE | {
    "a line feed": f"x\ntouch {CANARY}\n",
    "an escape": f"x\x1b[2J;touch {CANARY}",
    "no text": os.fsdecode(b"x\xff;touch " + CANARY.encode()),
    "a text that runs left": f"x\u202e;touch {CANARY} #",
}
SUGGESTED = re.compile(r"(?:rollproof(?:-verify)?|openssl|sed|printf|\{ printf) .*")


def some(cases: Mapping[str, str]) -> list[Any]:
    """Those that were found to run something at first; the others take minutes."""
    first = ("a semicolon", "a substitution", "a script for sed", "Japanese", "an escape")
    return [pytest.param(each, marks=pytest.mark.long if each in first else pytest.mark.slow) for each in cases]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with parties, and a game of Magic that waits for dice."""
    return make_home(tmp_path_factory.mktemp("made") / "home")


@pytest.fixture
def cli(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Cli]:
    shutil.copytree(made, tmp_path / "home")
    (tmp_path / "bin").mkdir()
    for name in ("rollproof", "rollproof-verify"):
        stub = tmp_path / "bin" / name
        stub.write_text("#!/bin/sh\n")
        stub.chmod(0o755)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    cli = Cli(tmp_path / "home", capsys, monkeypatch)
    monkeypatch.setenv("ROLLPROOF_LINKS", "16")
    yield cli
    assert not list(tmp_path.rglob(CANARY)), "something ran"


def paste(cli: Cli, told: str) -> int:
    """Paste every command into a real shell, as somebody would copy it: from its name to the end of its line."""
    path = f"{cli.home.parent / 'bin'}:/usr/bin:/bin"
    pasted = [found[0] for line in told.splitlines() if (found := SUGGESTED.search(line))]
    for line in pasted:
        words = ("sh", "-c", line)
        subprocess.run(words, env={"PATH": path}, capture_output=True, timeout=30, stdin=subprocess.DEVNULL)
    assert not Path(CANARY).exists(), pasted
    return len(pasted)


def run(cli: Cli, *words: str | Path) -> int:
    """A command in both languages, and what it tells pasted; how many commands were told."""
    count = 0
    for language in ("en", "ja"):
        told = cli(*words, "--lang", language)
        assert told.code != 70, told
        count += paste(cli, told.out + told.err)
    return count


@pytest.mark.parametrize("about", some(HOSTILE))
def test_a_hostile_title(cli: Cli, about: str) -> None:
    title = HOSTILE[about]
    parties = ("--keeper", "host", "--player", "alice", "--player", "bob", "--judge", "dana", "--links", "16")
    assert cli("new", *parties, f"--title={title}").code == 0
    cli.only("alice")
    assert run(cli, "join", "--as", "alice", "--", title) or cli("state", "--", title).code == 0
    told = [
        run(cli, name, *options, "--", title, *more)
        for name, options, more in (
            ("state", (), ()), ("log", (), ()), ("explain", (), ("0",)), ("explain", (), ("1",)), ("games", (), ()),
            ("do", ("--as", "alice"), ()), ("do", ("--as", "alice"), ("99",)), ("roll", ("--as", "alice"), ("d20",)),
            ("commit", ("--as", "bob"), ()), ("checkpoint", ("--as", "host"), ()), ("verify", (), ()),
            ("compare", (), (str(HOLDS),)), ("code", (), ()), ("export", (), ()), ("prove", (), ("1",)),
            ("open", ("--as", "alice"), ()), ("reveal", ("--as", "host"), ()), ("watch", (), ()), ("start", (), ()),
            ("close", ("--as", "host"), ()), ("void", ("--as", "dana"), ()), ("leave", ("--as", "dana"), ()),
            ("ruling", ("--as", "dana", "--subject", "1", "--text", title), ("uphold",)), ("stats", (), ()),
        )
    ]  # fmt: skip
    assert sum(told) > 10


@pytest.mark.parametrize("about", some(NAMES_OF_FILES))
def test_a_hostile_name_of_a_file(cli: Cli, about: str) -> None:
    name = NAMES_OF_FILES[about].replace("/", "")
    log, out = Path(name + ".jsonl"), Path(name + ".out")
    log.write_bytes(HOLDS.read_bytes())
    folder = Path("folder")
    folder.mkdir()
    (folder / log.name).write_bytes(HOLDS.read_bytes())
    told = [
        run(cli, *words)
        for words in (
            ("verify", "--", log), ("verify", folder), ("explain", "--", log, "4"), ("explain", "--", log, "99"),
            ("compare", "--", log, HOLDS), ("state", "--", log), ("log", "--", log), ("code", "--", log),
            ("stats", "--", log), ("import", "--", log), ("check-opening", "--", log, log),
            ("rules", "check", "--", log),
            ("export", "--out", out, "--", "Table 12"), ("identity", "import", "--pem", log, "zoe"),
            ("identity", "take", "--", log), ("identity", "new", "--", name), ("identity", "show", "--", name),
            ("witness", "cosign", "--as", "dana", "--", log), ("witness", "answer", "--as", "dana", "--", log),
            ("report", "--out", out, "--", log), ("verify", "--receipt", log, "--", log), ("join", "--", name),
            ("new", "--keeper", name, "--player", name), ("state", "--as", name, "Table 12"), ("watch", "--", name),
            ("prove", "--out", out, "--", log, "1"), ("check-proof", "--key", name, "--", log), ("start", "--", name),
            ("checkpoint", "--as", "host", "--", name), ("receipt", "--as", "alice", "--", name),
            ("roll", "--as", "alice", "Table 12", name), ("serve", "--keeper", name, "--judge", name),
            ("open", "--as", "alice", "--out", out, "Table 12"),
            ("open", "--as", "alice", "--opening", log, "Table 12"),
            ("identity", "move", "alice", "--out", out), ("identity", "forget", "--", name),
        )
    ]  # fmt: skip
    assert sum(told) > 4 or NOT_SHOWN in command(name)


@pytest.mark.parametrize("about", ["a script for sed", "a substitution", "a quotation mark"])
@pytest.mark.long
def test_a_fork_is_compared_by_the_files_whatever_they_are_called(cli: Cli, table: Table, about: str) -> None:
    names = [f"{HOSTILE[about]}{n}.jsonl" for n in (1, 2)]
    for name, author in zip(names, ("alice", "bob"), strict=True):
        lines = list(table.lines)
        forger = Forger(table.identities[author])
        lines.append(forger.event(lines, "declare", {"what": "trigger", "source": "x", "on": "rolled"}))
        lines.append(Forger(table.identities["host"]).event(lines, "close", {}))
        Path(name).write_bytes(joined(lines))
    told = cli("verify", "--", ".")
    assert "FORKED" in told.out
    assert run(cli, "verify", "--", *names) == 2
    assert run(cli, "compare", "--", *names) == 2
    assert run(cli, "explain", "--", names[0], str(len(table.lines))) > 0


@pytest.mark.parametrize("word", NAMES_OF_FILES.values(), ids=NAMES_OF_FILES)
@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_a_shell_reads_each_word_as_it_is(word: str, shell: str) -> None:
    told = command("printf", "%s\\n", "a b", word, Path(word))
    shown = word.isprintable()
    file = f"./{word}" if word.startswith("-") else word
    expected = f"a b\n{word}\n{file}\n" if shown else f"a b\n{NOT_SHOWN}\n{NOT_SHOWN}\n"
    assert "\n" not in told
    assert subprocess.run([shell, "-c", told], capture_output=True, check=True).stdout == expected.encode()
