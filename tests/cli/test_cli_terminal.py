"""`rollproof` on a terminal and in a pipe: prompts, narrow lines, colour, readers that go away."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import LIMIT, PASSPHRASE, REPOSITORY, make_home, on_terminal

GAME = "Table 12"
ROLL = ("roll", GAME, "d20 Delina, Wild Mage: count the copies", "--as", "alice")
ESCAPE = "\x1b"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared by these tests, each of which rolls for itself."""
    return make_home(tmp_path_factory.mktemp("begun") / "home", links=64)


def env(home: Path, **variables: str) -> dict[str, str]:
    return {"ROLLPROOF_HOME": str(home), "ROLLPROOF_LANG": "en", **variables}


def lines_of(text: str) -> list[str]:
    """Lines as they look: without escape sequences for bold."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()


@pytest.mark.long
def test_passphrases_are_asked_for_hidden_one_party_after_the_other(home: Path) -> None:
    answers = [("Passphrase of alice", PASSPHRASE), ("of host", PASSPHRASE), ("Passphrase of bob", PASSPHRASE)]
    code, shown = on_terminal(*ROLL, env=env(home), answers=answers)
    assert code == 0
    assert PASSPHRASE not in shown
    prompts = [shown.index(f"Passphrase of {name}") for name in ("alice", "host", "bob")]
    assert prompts == sorted(prompts)
    assert "= " in shown, "the dice are shown, and nothing is left to be done"


@pytest.mark.long
def test_a_party_can_wait_and_a_void_is_confirmed(home: Path) -> None:
    answers = [("Passphrase of alice", PASSPHRASE), ("of host", PASSPHRASE), ("Passphrase of bob", "")]
    code, shown = on_terminal(*ROLL, env=env(home), answers=answers)
    assert code == 75
    assert "--as bob" in shown
    with_passphrase = env(home, ROLLPROOF_PASSPHRASE=PASSPHRASE)
    code, shown = on_terminal("void", GAME, "--as", "alice", env=with_passphrase, answers=[("Void it?", "n")])
    assert code == 130
    assert "the log says that alice did it." in " ".join(shown.split())
    code, shown = on_terminal("void", GAME, "--as", "alice", env=with_passphrase, answers=[("Void it?", "y")])
    assert code == 0
    code, _ = on_terminal(*ROLL, env=with_passphrase)
    assert code == 0
    code, shown = on_terminal("void", GAME, "--as", "alice", "--yes", env=with_passphrase)
    assert code == 65
    assert "nothing to void" in shown


@pytest.mark.long
def test_to_leave_is_confirmed(home: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(home, tmp_path / "home"))
    with_passphrase = env(own, ROLLPROOF_PASSPHRASE=PASSPHRASE)
    asked = ("leave", GAME, "--as", "bob")
    code, shown = on_terminal(*asked, env=with_passphrase, answers=[("nobody can undo that. Leave?", "n")])
    assert code == 130
    assert "bob leaves the game for good" in " ".join(shown.split())
    taking = ("leave", GAME, "--party", "bob", "--as", "dana")
    code, shown = on_terminal(*taking, env=with_passphrase, answers=[("Take bob out?", "n")])
    assert code == 130
    code, shown = on_terminal("do", GAME, "--as", "bob", env=with_passphrase)
    assert code == 0, "he is still there"
    assert "leave the game" in shown
    code, shown = on_terminal(*asked, "--yes", env=with_passphrase)
    assert code == 0
    assert "Leave?" not in shown


@pytest.mark.long
def test_a_new_passphrase_is_typed_twice(tmp_path: Path) -> None:
    answers = [("New passphrase for zoe", PASSPHRASE), ("Repeat for confirmation", PASSPHRASE)]
    code, shown = on_terminal("identity", "new", "zoe", env=env(tmp_path / "home"), answers=answers)
    assert code == 0
    assert "zoe+" in shown
    assert PASSPHRASE not in shown


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [("state", GAME), ("log", GAME), ("games",), ("identity", "list"), ("rules", "show", "mtg"), ("verify", GAME)],
)
def test_sixty_columns_are_enough(home: Path, words: tuple[str, ...]) -> None:
    code, shown = on_terminal(*words, env=env(home))
    assert code == 0
    long = [line for line in lines_of(shown) if len(line) > 60 and " " in line.strip()]
    assert all(line.startswith("  rollproof ") for line in long), shown
    assert not any("─" <= character <= "╿" for character in shown), "no box characters"
    if words[0] != "log":
        assert "…" not in shown, "nothing is cut"


LONG = "count the copies of " + " and ".join(f"token {n}" for n in range(30))


@pytest.mark.long
def test_a_long_event_is_cut_on_a_terminal_and_nowhere_else(home: Path) -> None:
    passphrase = env(home, ROLLPROOF_PASSPHRASE=PASSPHRASE)
    roll = ("roll", GAME, f"d20 x: {LONG}", "--as", "alice")
    _, shown = on_terminal(*roll, env=passphrase)
    (start,) = [at for at, line in enumerate(lines_of(shown)) if "alice, roll" in line]
    assert "token 1 and" in " ".join(lines_of(shown))
    assert " …" in " ".join(lines_of(shown)[start : start + 3])
    assert "token 29" not in shown
    latest = ("log", GAME, "--type", "roll", "--limit", "1")
    cut = on_terminal(*latest, env=env(home))[1]
    assert "…" in cut
    assert len(lines_of(cut)) < 9
    for arguments in (latest, (*latest, "--json")):
        with piped(*arguments, home=home) as process:
            assert process.stdout is not None
            whole = process.stdout.read().decode()
        assert LONG in whole
        assert "…" not in whole


@pytest.mark.long
def test_a_command_to_type_is_never_broken(home: Path) -> None:
    passphrase = env(home, ROLLPROOF_PASSPHRASE=PASSPHRASE)
    roll = ("roll", GAME, "2d20 Delina: compare | may reroll one: Luck", "--as", "alice")
    _, shown = on_terminal(*roll, env=passphrase, columns=30)
    commands = [line for line in lines_of(shown) if line.startswith("  rollproof magic ")]
    assert len(commands) == 2
    assert all(line.endswith(" --as alice") for line in commands)
    on_terminal("magic", "modify", GAME, "--choice", "decline", "--as", "alice", env=passphrase)


@pytest.mark.long
def test_what_is_left_out_is_asked_for(home: Path) -> None:
    passphrase = env(home, ROLLPROOF_PASSPHRASE=PASSPHRASE)
    on_terminal("roll", GAME, "2d20 Delina: compare | may reroll one: Luck", "--as", "alice", env=passphrase)
    answers = [("Which? Its number", "9"), ("a number from 1 to", "1"), ("1 of 1", "3"), ("not offered", "2")]
    code, shown = on_terminal("do", GAME, "1", "--as", "alice", env=passphrase, answers=answers[2:])
    assert code == 0, shown
    assert "alice, reroll" in shown
    assert "that is not offered" in shown
    on_terminal("roll", GAME, "2d20 Delina: compare | may adjust +1: Luck", "--as", "alice", env=passphrase)
    code, shown = on_terminal("magic", "modify", GAME, "--as", "alice", env=passphrase, answers=answers[:2])
    assert code == 0, shown
    assert "applies effect 1 to every die" in " ".join(shown.split())


@pytest.mark.long
def test_a_line_is_asked_for_until_it_can_be_read(tmp_path: Path) -> None:
    passphrase = env(make_home(tmp_path / "home"), ROLLPROOF_PASSPHRASE=PASSPHRASE)
    answers = [("for example", "d20"), ("does not say", "d20 Delina: compare")]
    code, shown = on_terminal("roll", GAME, "--as", "bob", env=passphrase, answers=answers, columns=200)
    assert code == 0, shown
    assert "bob, roll" in shown


@pytest.mark.long
def test_no_colour_and_no_bold_where_none_is_wanted(home: Path) -> None:
    assert ESCAPE in on_terminal("games", env=env(home))[1]
    assert ESCAPE not in on_terminal("games", env=env(home, NO_COLOR="1"))[1]
    assert ESCAPE not in on_terminal("games", "--no-color", env=env(home))[1]
    assert ESCAPE not in on_terminal("games", env=env(home, TERM="dumb"))[1]


def piped(*arguments: str, home: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", "from ledger.cli import main; main()", *arguments]
    variables = {"PATH": "", **env(home)}
    return subprocess.Popen(
        command, cwd=REPOSITORY, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


@pytest.mark.long
def test_a_pipe_gets_plain_lines_one_a_row(home: Path) -> None:
    with piped("log", GAME, home=home) as process:
        assert process.stdout is not None
        text = process.stdout.read().decode()
    with piped("export", GAME, home=home) as process:
        assert process.stdout is not None
        count = len(process.stdout.readlines())
    assert ESCAPE not in text
    assert len(text.splitlines()) == count + 1


@pytest.mark.long
def test_a_reader_that_goes_away_is_no_error_to_speak_of(home: Path) -> None:
    with piped("export", GAME, home=home) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(LIMIT) == 141


def test_what_a_terminal_cannot_show_is_shown_by_its_number(home: Path) -> None:
    command = [sys.executable, "-c", "from ledger.cli import main; main()", "rules", "show", "mtg"]
    shown = subprocess.run(
        command,
        cwd=REPOSITORY,
        env={"PATH": "", "PYTHONIOENCODING": "ascii", **env(home)},
        capture_output=True,
        check=True,
    )
    assert b"706.3c" in shown.stdout
