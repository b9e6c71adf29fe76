"""Openings that travel: two machines, one game (specs/protocol.md, "An opening by itself")."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import RefusedError
from ledger.store import Ledger
from tests.cli import PASSPHRASE, REPOSITORY, state_of
from tests.make_openings import FILE, VECTORS, all_files
from tests.table import Forger, Table, opening_of
from verifier import Failure, NoteError
from verifier.format import Opening
from verifier.sent import SentOpening, check_sent, parse_sent

CASES: dict[str, Any] = json.loads((VECTORS / FILE).read_bytes())
LINES = (VECTORS / "logs" / CASES["log"]).read_bytes().splitlines()


def test_the_vectors_are_what_the_maker_makes() -> None:
    for name, made in all_files().items():
        assert (VECTORS / name).read_bytes() == made


@pytest.mark.parametrize("case", CASES["openings"], ids=lambda case: str(case["about"]))
def test_vector(case: dict[str, Any]) -> None:
    data, flaw = case["sent"].encode(), case["flaw"]
    if flaw == "malformed":
        with pytest.raises(NoteError):
            parse_sent(data)
        return
    sent = parse_sent(data)
    assert bytes(sent).removesuffix(b"\n") == data.removesuffix(b"\n")
    if flaw is None:
        found = check_sent(LINES, sent)
        assert found.used == (found.ended is not None)
        assert not found.named
        return
    with pytest.raises((NoteError, Failure)) as caught:
        check_sent(LINES, sent)
    words = {"game": "for game", "request": "no request"}
    if flaw in words:
        assert words[flaw] in str(caught.value)
    else:
        assert isinstance(caught.value, Failure)
        assert caught.value.code == flaw


def test_one_whom_a_void_names_holds_the_opening(pending: Table) -> None:
    bobs = pending.open("bob")
    request = pending.view.replay.pending
    assert request is not None
    sent = SentOpening.of(pending.game, request.request, bobs)
    pending.void("dana", "bob")
    found = check_sent(pending.lines, sent)
    assert (found.how, found.by, found.used, found.named) == ("void", "dana", False, True)


def test_the_keepers_own_opening_is_not_taken(pending: Table) -> None:
    opening = Opening(**opening_of(pending, "host"))  # as a keeper's bug would
    with pytest.raises(RefusedError, match="opens last"):
        pending.ledger.hand_in(pending.game, opening)


# --- the command line: hosts and guests --------------------------------------------------------------------------


class Machine:
    """A home of its own, driven by processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: object, code: int = 0) -> str:
        environment = {"PYTHONPATH": str(REPOSITORY), "ROLLPROOF_HOME": str(self.folder), "ROLLPROOF_LANG": "en"}
        environment["ROLLPROOF_STATE"] = str(state_of(self.folder))
        run = subprocess.run(
            [sys.executable, "-c", "from ledger.cli import main; main()", *map(str, words)],
            env=environment | {"ROLLPROOF_PASSPHRASE": PASSPHRASE},
            capture_output=True,
            text=True,
        )
        assert run.returncode == code, (words, run.stdout, run.stderr)
        assert "Traceback" not in run.stderr
        return run.stdout + run.stderr


@pytest.fixture
def machines(tmp_path: Path) -> tuple[Machine, Machine]:
    """The host's, with alice, and bob's; both have the game, and everybody has joined."""
    hosts, bobs = Machine(tmp_path / "hosts"), Machine(tmp_path / "bobs")
    for name in ("host", "alice"):
        hosts("identity", "new", name)
    bobs("identity", "new", "bob")
    key = tmp_path / "bob.key"
    key.write_text(bobs("identity", "show", "bob"))
    hosts("new", "--system", "mtg", "--keeper", "host", "--player", "alice", "--player", key, "--title", "t")
    hosts("join", "t", "--as", "alice")
    share(hosts, bobs, tmp_path / "1.jsonl")
    assert "rollproof commit" in bobs("join", "t", "--as", "bob")
    share(bobs, hosts, tmp_path / "2.jsonl")
    share(hosts, bobs, tmp_path / "3.jsonl")
    bobs("commit", "t", "--as", "bob")
    share(bobs, hosts, tmp_path / "4.jsonl")
    share(hosts, bobs, tmp_path / "5.jsonl")
    return hosts, bobs


def share(giver: Machine, taker: Machine, path: Path) -> None:
    giver("export", "t", "--out", path, "--force")
    taker("import", path)


def test_a_roll_across_two_machines(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    hosts, bobs = machines
    opening, log = tmp_path / "bob.opening", tmp_path / "log.jsonl"
    said = hosts("roll", "t", "d20", "--as", "alice", "--source", "Delina", "--use", "count it")
    assert "--as bob --out bob.opening" in said
    assert "--as host --opening bob.opening" in said
    share(hosts, bobs, log)
    said = bobs("open", "t", "--as", "bob")
    assert "wait for alice" not in said, "who knows here whether she has opened?"
    assert "--out bob.opening" in said
    assert "Send " in bobs("open", "t", "--as", "bob", "--out", opening)
    kept = opening.read_bytes()
    assert "exists" in bobs("open", "t", "--as", "bob", "--out", opening, code=2)
    assert "wait for bob" in hosts("reveal", "t", "--as", "host", code=2)
    for wrong, words in ((kept[:-20], "no opening"), (kept.replace(b'"index":1', b'"index":2'), "not bob's")):
        opening.write_bytes(wrong)
        assert words in hosts("reveal", "t", "--as", "host", "--opening", opening, code=2)
    opening.write_bytes(kept)
    assert "alice, Delina: d20" in hosts("reveal", "t", "--as", "host", "--opening", opening)
    share(hosts, bobs, log)
    assert "It stands in event" in bobs("check-opening", opening, "t")
    hosts("resolve", "t", "--as", "alice")
    hosts("roll", "t", "d6", "--as", "alice", "--source", "Clown", "--use", "count it")
    assert "another request" in hosts("reveal", "t", "--as", "host", "--opening", opening, code=2)
    share(hosts, bobs, log)
    bobs("open", "t", "--as", "bob", "--out", tmp_path / "late.opening")
    hosts("void", "t", "--as", "host", "--yes")
    share(hosts, bobs, log)
    told = json.loads(bobs("check-opening", tmp_path / "late.opening", log, "--json"))
    assert (told["holds"], told["found"]["blamed"]) == (True, True)
    assert "failed to open" in bobs("log", "t")


def test_who_came_second_comes_again(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    """Two write at the same time: the second import is refused in words, and its author goes on after an import."""
    hosts, bobs = machines
    hosts("declare", "trigger", "t", "--as", "alice", "--source", "a dwarf", "--on", "rolled")
    bobs("declare", "trigger", "t", "--as", "bob", "--source", "a clown", "--on", "rolled")
    said = bobs("declare", "trigger", "t", "--as", "bob", "--source", "another", "--on", "rolled", code=2)
    assert "not known to have taken" in said, "nobody signs upon what may not be taken"
    bobs("export", "t", "--out", tmp_path / "bobs.jsonl")
    assert "another event came first" in hosts("import", tmp_path / "bobs.jsonl", code=1)
    hosts("export", "t", "--out", tmp_path / "hosts.jsonl")
    said = bobs("import", tmp_path / "hosts.jsonl")
    assert "bob's declare, event" in said
    assert "was not taken" in said
    bobs("declare", "trigger", "t", "--as", "bob", "--source", "a clown", "--on", "rolled")
    share(bobs, hosts, tmp_path / "again.jsonl")
    assert "a clown" in hosts("log", "t")
    hosts("verify", "t")
    bobs("verify", "t")
    assert "a dwarf" in bobs("state", "t"), "the read tables and the state are those of the log"
    said = bobs("compare", "t", tmp_path / "bobs.jsonl", code=1)
    assert "no proof against bob" in said


def test_a_request_is_opened_when_the_keeper_has_taken_it(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    hosts, bobs = machines
    said = bobs("roll", "t", "d20", "--as", "bob", "--source", "Delina", "--use", "count it")
    assert "Send host" in said
    share(bobs, hosts, tmp_path / "request.jsonl")
    share(hosts, bobs, tmp_path / "back.jsonl")
    bobs("open", "t", "--as", "bob", "--out", tmp_path / "bob.opening")
    hosts("open", "t", "--as", "alice")
    assert "bob, Delina: d20" in hosts("reveal", "t", "--as", "host", "--opening", tmp_path / "bob.opening")


def test_the_keeper_that_voids_takes_openings_too(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    hosts, bobs = machines
    hosts("roll", "t", "d20", "--as", "alice", "--source", "Delina", "--use", "count it")
    share(hosts, bobs, tmp_path / "log.jsonl")
    bobs("open", "t", "--as", "bob", "--out", tmp_path / "bob.opening")
    assert "failed to open: host" in hosts("void", "t", "--as", "host", "--yes", "--opening", tmp_path / "bob.opening")


def test_a_log_that_does_not_hold_checks_nothing(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"\n".join([*LINES[:3], *LINES[4:]]) + b"\n")
    (tmp_path / "x.opening").write_text(CASES["openings"][0]["sent"])
    said = Machine(tmp_path / "home")("check-opening", tmp_path / "x.opening", bad, code=2)

    assert "does not hold" in said


def test_a_large_file_that_does_not_hold_is_not_read_whole(cli_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ledger.cli import run, taking

    monkeypatch.setattr(taking, "LARGE", 1_000)
    monkeypatch.setenv("ROLLPROOF_HOME", str(cli_home))
    bad, good = cli_home / "bad.jsonl", cli_home / "good.jsonl"
    bad.write_bytes(b"\n".join([*LINES[:3], *LINES[4:]]) + b"\n")
    good.write_bytes(b"\n".join(LINES) + b"\n")
    read: list[Path] = []
    whole = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or whole(path))  # type: ignore[func-returns-value]
    assert run(["import", str(bad), str(good)]) == 1
    assert read == [good]


@pytest.fixture
def cli_home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


def test_the_keeper_takes_no_event_from_the_future(table: Table, tmp_path: Path) -> None:
    store = Ledger(tmp_path / "keepers.db", table.clock)
    store.import_log(table.log, name="log")
    lines = table.lines
    late = Forger(table.identities["bob"]).event(
        lines, "declare", {"what": "trigger", "source": "a clown", "on": "rolled"}, time="9999-12-31T23:59:59.999Z"
    )
    data = b"".join(line + b"\n" for line in [*lines, late])
    with pytest.raises(RefusedError, match="ahead of the clock") as caught:
        store.import_log(data, name="ahead", is_here=lambda key: str(key) == str(table.keys["host"]))
    assert caught.value.code == "time.ahead"
    assert list(store.lines(table.game)) == lines
    assert store.view(table.game).replay.size == len(lines)
    assert store.import_log(data, name="ahead").added == 1, "whoever follows a game takes what its keeper took"
    store.close()
