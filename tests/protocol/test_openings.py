"""Openings that travel: two machines, one game (specs/protocol.md, "An opening by itself")."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import RefusedError
from ledger.home import Home
from ledger.store.ledger import Ledger
from tests.make.openings import FILE, VECTORS, all_files
from tests.support.cli import PASSPHRASE, REPOSITORY, make_identity, state_of
from tests.support.table import Forger, Table, joined, opening_of
from verifier import Failure, NoteError, verify
from verifier.dice.voided import VoidedRoll
from verifier.log.bodies import Opening
from verifier.opening import (
    SentOpening,
    check_received,
    check_received_now,
    check_sent,
    parse_received,
    parse_sent,
    proof_of,
)

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
    words = {"game": "for game", "request": "does not have the request"}
    if flaw in words:
        assert words[flaw] in str(caught.value)
    else:
        assert isinstance(caught.value, Failure)
        assert caught.value.code == flaw


@pytest.mark.parametrize("case", CASES["receipts"], ids=lambda case: str(case["about"]))
def test_vector_of_a_receipt(case: dict[str, Any]) -> None:
    """Of a roll that waits, for who follows the game, and for who has the log."""
    _, replay = verify(joined(LINES))
    assert replay is not None
    for check in (lambda receipt: check_received(LINES, receipt), lambda receipt: check_received_now(replay, receipt)):
        try:
            receipt = parse_received(case["sent"].encode())
            check(receipt)
        except NoteError:
            assert not case["holds"]
        else:
            assert case["holds"]
            assert bytes(receipt).removesuffix(b"\n") == case["sent"].encode().removesuffix(b"\n")


@pytest.mark.parametrize("case", CASES["proofs"], ids=lambda case: str(case["about"]))
def test_vector_of_what_a_receipt_proves(case: dict[str, Any]) -> None:
    lines = [*LINES, *case["more"].encode().splitlines()]
    report, replay = verify(joined(lines))
    assert (report.verdict, replay is None) == ("holds", False)
    assert replay is not None
    receipt = parse_received(case["sent"].encode())
    if case["proves"] == "none":
        for check in (lambda: check_received(lines, receipt), lambda: check_received_now(replay, receipt)):
            with pytest.raises(NoteError):
                check()
        return
    found = check_received(lines, receipt)
    assert proof_of(receipt, found, "host") == case["proves"]
    assert found.settled == ("reveal" in case["more"] or "disclose" in case["more"] or "close" in case["more"])
    if found.settled:
        with pytest.raises(NoteError, match="does not have the request"):
            check_received_now(replay, receipt)
    else:
        check_received_now(replay, receipt)


def test_an_empty_log_has_no_request() -> None:
    with pytest.raises(NoteError, match="does not have the request"):
        check_sent([], parse_sent(CASES["openings"][0]["sent"].encode()))


def test_one_whom_a_void_names_holds_the_opening(pending: Table) -> None:
    bobs = pending.open("bob")
    request = pending.view.replay.pending
    assert request is not None
    sent = SentOpening.of(pending.game, request.request, bobs)
    pending.void("dana", "bob")
    found = check_sent(pending.lines, sent)
    assert (found.how, found.by, found.used, found.named) == ("void", "dana", False, True)


def test_where_nothing_waits_no_opening_is_right(pending: Table) -> None:
    opening = Opening(**opening_of(pending, "alice"))
    pending.view.replay.check_opening(opening)
    pending.void("alice", "bob")
    with pytest.raises(Failure) as caught:
        pending.view.replay.check_opening(opening)
    assert (caught.value.step, caught.value.code) == (17, "opening.set")


def test_the_keepers_own_opening_is_not_taken(pending: Table) -> None:
    opening = Opening(**opening_of(pending, "host"))  # as a keeper's bug would
    with pytest.raises(RefusedError, match="opens last"):
        pending.ledger.hand_in(pending.game, opening)


def test_who_opened_and_then_voided_is_shown_by_its_own_two_signatures(pending: Table) -> None:
    """A closer must not do both; its opening and its void together are proof, whoever holds the opening."""
    alices = Opening(**opening_of(pending, "alice"))
    waiting = pending.view.replay.pending
    assert waiting is not None
    sent = SentOpening.of(pending.game, waiting.request, alices)
    void = Forger(pending.identities["alice"]).event(pending.lines, "void", {"missing": ["bob"], "roll_index": 0})
    pending.ledger.append(pending.game, void)
    found = check_sent(pending.lines, sent)
    assert (found.how, found.by, found.used, found.named) == ("void", "alice", False, False)
    pending.disclose()
    found = check_sent(pending.lines, sent)
    assert (found.how, found.by, found.used, found.named) == ("void", "alice", False, False)


def test_an_opening_that_is_proof_is_told_so(
    pending: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ledger.cli import run

    waiting = pending.view.replay.pending
    assert waiting is not None
    opening, log = tmp_path / "alice.opening", tmp_path / "log.jsonl"
    opening.write_bytes(bytes(SentOpening.of(pending.game, waiting.request, Opening(**opening_of(pending, "alice")))))
    void = Forger(pending.identities["alice"]).event(pending.lines, "void", {"missing": [], "roll_index": 0})
    pending.ledger.append(pending.game, void)
    openings = [opening_of(pending, name) for name in ("host", "alice", "bob")]
    host = Forger(pending.identities["host"])
    for disclosed in (openings, openings[:1]):
        body = {"openings": disclosed, "roll_index": 0}
        log.write_bytes(joined([*pending.lines, host.event(pending.lines, "disclose", body)]))
        assert run(["check-opening", str(opening), str(log), "--home", str(tmp_path)]) == 0
        said = capsys.readouterr().out
        assert "by alice: who opens a roll may not call it off. That is proof." in said, "disclosed or not"


def test_an_opening_that_was_disclosed_is_told_so(
    pending: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ledger.cli import run

    waiting = pending.view.replay.pending
    assert waiting is not None
    opening, log = tmp_path / "bob.opening", tmp_path / "log.jsonl"
    opening.write_bytes(bytes(SentOpening.of(pending.game, waiting.request, Opening(**opening_of(pending, "bob")))))
    pending.hand_in("bob")
    void = pending.void("alice", "bob")
    log.write_bytes(pending.log)
    assert run(["check-opening", str(opening), str(log), "--home", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert f"Event {void.seq}, by alice, voids that roll; the opening stands in the keeper's disclose after it." in said


def test_an_opening_that_a_close_leaves_out_is_told_so(pending: Table) -> None:
    bobs = Opening(**opening_of(pending, "bob"))
    waiting = pending.view.replay.pending
    assert waiting is not None
    sent = SentOpening.of(pending.game, waiting.request, bobs)
    lines = {}
    for given in ((), (bobs,)):
        close = pending.seats["host"].close_game(pending.view, given)
        lines[len(given)] = [*pending.lines, close]
    pending.ledger.append(pending.game, lines[0][-1])
    for used, log in enumerate(lines.values()):
        found = check_sent(log, sent)
        assert (found.how, found.by, found.used, found.named) == ("close", "host", bool(used), False)


# --- the command line: hosts and guests --------------------------------------------------------------------------


class Machine:
    """A home of its own, driven by processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.variables: dict[str, str] = {}

    def __call__(self, *words: object, code: int = 0) -> str:
        environment = {"PYTHONPATH": str(REPOSITORY), "ROLLPROOF_HOME": str(self.folder), "ROLLPROOF_LANG": "en"}
        environment["ROLLPROOF_STATE"] = str(state_of(self.folder))
        run = subprocess.run(
            [sys.executable, "-c", "from ledger.cli import main; main()", *map(str, words)],
            env=environment | {"ROLLPROOF_PASSPHRASE": PASSPHRASE} | self.variables,
            capture_output=True,
            text=True,
        )
        assert run.returncode == code, (words, run.stdout, run.stderr)
        assert "Traceback" not in run.stderr
        return run.stdout + run.stderr


@pytest.fixture
def machines(set_up: Path, tmp_path: Path) -> tuple[Machine, Machine]:
    """The host's, with alice, and bob's; both have the game, and everybody has joined."""
    shutil.copytree(set_up, tmp_path, dirs_exist_ok=True)
    return Machine(tmp_path / "hosts"), Machine(tmp_path / "bobs")


@pytest.fixture(scope="module")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two machines, in a folder."""
    tmp_path = tmp_path_factory.mktemp("set-up")
    hosts, bobs = Machine(tmp_path / "hosts"), Machine(tmp_path / "bobs")
    for name in ("host", "alice"):
        make_identity(hosts.folder, name)
    make_identity(bobs.folder, "bob")
    key = tmp_path / "bob.key"
    key.write_text(bobs("identity", "show", "bob"))
    hosts("new", "--system", "mtg", "--keeper", "host", "--player", "alice", "--player", key, "--title", "t")
    hosts("join", "t", "--as", "alice")
    share(hosts, bobs, tmp_path / "1.jsonl")
    assert "rollproof export" in bobs("join", "t", "--as", "bob")
    share(bobs, hosts, tmp_path / "2.jsonl")
    share(hosts, bobs, tmp_path / "3.jsonl")
    return tmp_path


def share(giver: Machine, taker: Machine, path: Path) -> None:
    giver("export", "t", "--out", path, "--force")
    taker("import", path)


def voided(log: Path) -> list[VoidedRoll]:
    report, replay = verify(log.read_bytes())
    assert report.verdict == "holds"
    assert replay is not None
    return list(replay.voided)


@pytest.mark.slow
def test_a_roll_across_two_machines(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    """Alice rolls, and opens when she has bob's opening; then host reveals."""
    hosts, bobs = machines
    opening, log = tmp_path / "bob.opening", tmp_path / "log.jsonl"
    said = hosts("roll", "t", "d20 Delina: count it", "--as", "alice", code=75)
    assert "--as bob --out bob.opening" in said
    assert "--as alice --opening bob.opening" in said
    assert "--as host\n" in said, "who rolls has taken it"
    share(hosts, bobs, log)
    said = bobs("open", "t", "--as", "bob")
    assert "wait for alice" not in said, "who knows here whether she has opened?"
    assert "--out bob.opening" in said
    said = bobs("open", "t", "--as", "bob", "--out", opening)
    assert "--as host --opening bob.opening" in said
    assert "--as alice --opening bob.opening" in said
    kept = opening.read_bytes()
    assert "exists" in bobs("open", "t", "--as", "bob", "--out", opening, code=64)
    assert "wait for bob and alice" in hosts("reveal", "t", "--as", "host", code=75)
    assert "alice opens when bob has opened" in hosts("open", "t", "--as", "alice", code=75)
    other = kept.replace(b'"index":1', b'"index":2')
    for wrong, words, code in ((kept[:-20], "no opening", 66), (other, "not bob's", 65)):
        opening.write_bytes(wrong)
        assert words in hosts("open", "t", "--as", "alice", "--opening", opening, code=code)
        assert words in hosts("reveal", "t", "--as", "host", "--opening", opening, code=code)
    opening.write_bytes(kept)
    assert "wait for host to reveal" in hosts("open", "t", "--as", "alice", "--opening", opening)
    assert "alice, Delina: d20" in hosts("reveal", "t", "--as", "host")
    share(hosts, bobs, log)
    assert "It stands in event" in bobs("check-opening", opening, "t")
    hosts("magic", "resolve", "t", "--as", "alice")
    hosts("roll", "t", "d6 Clown: count it", "--as", "alice", code=75)
    assert "another request" in hosts("open", "t", "--as", "alice", "--opening", opening, code=66)
    assert "another request" in hosts("reveal", "t", "--as", "host", "--opening", opening, code=66)


@pytest.mark.slow
def test_the_closer_calls_a_roll_off_and_what_was_opened_is_disclosed(
    machines: tuple[Machine, Machine], tmp_path: Path
) -> None:
    """Bob's opening does not come; alice, who has not opened, voids. It comes after that, and does not change it."""
    hosts, bobs = machines
    opening, log = tmp_path / "bob.opening", tmp_path / "log.jsonl"
    hosts("roll", "t", "d20 Delina: count it", "--as", "alice", code=75)
    share(hosts, bobs, log)
    bobs("open", "t", "--as", "bob", "--out", opening)
    assert "for alice to call off, not for host" in hosts("void", "t", "--as", "host", "--yes", code=65)
    assert "for alice to call off, not for bob" in bobs("void", "t", "--as", "bob", "--yes", code=65)
    said = hosts("void", "t", "--as", "alice", "--missing", "bob", "--yes")
    assert "had not opened, says alice: bob" in said
    assert "opened for it: host" in said
    share(hosts, bobs, log)
    told = json.loads(bobs("check-opening", opening, log, "--json"))
    assert told["holds"]
    found = told["found"]
    assert (found["how"], found["by"], found["used"], found["named"]) == ("void", "alice", False, True)
    said = bobs("check-opening", opening, log)
    assert "by alice, voids that roll and names bob as missing. Ask both how it was sent." in said
    assert "had not opened, says alice: bob" in bobs("log", "t")
    said = hosts("roll", "t", "d6 Clown: count it", "--as", "alice", code=65)
    assert "asks for the same again before anything else" in said
    hosts("roll", "t", "d20 Delina: count it", "--as", "alice", code=75)
    share(hosts, bobs, log)
    bobs("open", "t", "--as", "bob", "--out", opening, "--force")
    hosts("open", "t", "--as", "alice", "--opening", opening)
    hosts("reveal", "t", "--as", "host")
    # Bob's next link gave the burned one away, and alice's gave hers: what was voided is known.
    share(hosts, bobs, log)
    (roll,) = voided(log)
    assert (roll.pending.seq, roll.sides, len(roll.naturals)) == (6, (20,), 1)


@pytest.mark.long
def test_the_closer_is_on_another_machine_than_the_keeper(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    """Bob rolls: the openings of those on the host's machine come to him first, and his goes to the host."""
    hosts, bobs = machines
    log, alices, bobs_own = tmp_path / "log.jsonl", tmp_path / "alice.opening", tmp_path / "bob.opening"
    bobs("roll", "t", "d20 Delina: count it", "--as", "bob", code=75)
    share(bobs, hosts, log)
    hosts("open", "t", "--as", "alice", "--out", alices)
    said = hosts("open", "t", "--as", "alice")
    assert "--as bob --opening alice.opening --out bob.opening" in said
    assert "--as host --opening bob.opening" in said
    hosts("export", "t", "--out", log, "--force")
    bobs("import", log)
    assert "bob opens when alice has opened" in bobs("open", "t", "--as", "bob", code=75)
    said = bobs("open", "t", "--as", "bob", "--opening", alices, "--out", bobs_own)
    assert "--as host --opening bob.opening" in said
    assert "opens after them" not in said
    assert "bob, Delina: d20" in hosts("reveal", "t", "--as", "host", "--opening", bobs_own)


@pytest.mark.long
def test_the_keepers_own_machine_discloses_later_with_openings_that_came(
    machines: tuple[Machine, Machine], tmp_path: Path
) -> None:
    """Bob calls off from his machine: there the keeper cannot disclose, and does so with `disclose` on its own."""
    hosts, bobs = machines
    log, alices = tmp_path / "log.jsonl", tmp_path / "alice.opening"
    bobs("roll", "t", "d20 Delina: count it", "--as", "bob", code=75)
    share(bobs, hosts, log)
    share(hosts, bobs, log)
    assert "nothing to disclose" in hosts("disclose", "t", "--as", "host", code=65)
    hosts("open", "t", "--as", "alice", "--out", alices)
    said = bobs("void", "t", "--as", "bob", "--yes")
    assert "rollproof disclose" in said
    assert "nothing to open" in bobs("open", "t", "--as", "bob", code=65), "who voids a roll must not open for it"
    assert "nothing to void" in bobs("void", "t", "--as", "bob", "--yes", code=65)
    share(bobs, hosts, log)
    assert "nothing to reveal" in hosts("reveal", "t", "--as", "host", code=65)
    assert "only the keeper" in hosts("disclose", "t", "--as", "alice", code=65)
    said = hosts("disclose", "t", "--as", "host", "--opening", alices)
    assert "opened for it: host, alice" in said
    share(hosts, bobs, log)
    found = json.loads(bobs("check-opening", alices, "t", "--json"))["found"]
    assert (found["how"], found["by"], found["used"], found["named"]) == ("void", "bob", True, False)


@pytest.mark.slow
def test_a_receipt_for_an_opening_shows_who_kept_it_back(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    """Alice has bob's opening and signs so; then her program does not call the roll off and say that bob did not open.

    Another one does, with her key: her two statements are proof. The keeper disclosed the opening, and is not blamed.
    """
    hosts, bobs = machines
    opening, log = tmp_path / "bob.opening", tmp_path / "log.jsonl"
    alices, keepers = tmp_path / "alice.received", tmp_path / "host.received"
    hosts("roll", "t", "d20 Delina: count it", "--as", "alice", code=75)
    share(hosts, bobs, log)
    bobs("open", "t", "--as", "bob", "--out", opening)
    for name, receipt in (("alice", alices), ("host", keepers)):
        assert "Send" in hosts("receive", "t", opening, "--as", name, "--out", receipt)
        assert f"bob keeps {name}'s receipt" in bobs("receive", "t", receipt, "--as", "bob")
    assert "not for alice's" in hosts("receive", "t", keepers, "--as", "alice", code=66)
    said = hosts("void", "t", "--as", "alice", "--missing", "bob", "--yes", code=65)
    assert "alice gave a receipt for the opening of bob" in said
    assert "That is proof" not in bobs("check-opening", alices, "t"), "nothing was voided"
    hosts("export", "t", "--out", log, "--force")
    lines = log.read_bytes().splitlines()
    void = Forger(Home(hosts.folder).identity("alice", PASSPHRASE.encode())).event(
        lines, "void", {"missing": ["bob"], "roll_index": 0}
    )
    log.write_bytes(joined([*lines, void]))
    hosts("import", log)
    hosts("disclose", "t", "--as", "host")
    assert "another request" in hosts("receive", "t", opening, "--as", "host", "--out", tmp_path / "late", code=66)
    share(hosts, bobs, log)
    assert "alice nevertheless says that bob had not opened. That is proof." in bobs("check-opening", alices, "t")
    said = bobs("check-opening", keepers, "t")
    assert "host received link 1 of bob" in said
    assert "proof" not in said, "the keeper disclosed it"
    forged = keepers.read_bytes().replace(b'"receiver":"host"', b'"receiver":"alice"')
    keepers.write_bytes(forged)
    assert "the signature is not alice's" in bobs("check-opening", keepers, "t", code=1)


@pytest.mark.slow
def test_a_judge_calls_a_roll_off(tmp_path: Path) -> None:
    """The closer has opened and bob is gone: the judge voids, and everything that came is disclosed."""
    machine = Machine(tmp_path / "hosts")
    for name in ("host", "alice", "bob", "dana"):
        make_identity(machine.folder, name)
    machine("new", "--keeper", "host", "--player", "alice", "--player", "bob", "--judge", "dana", "--title", "t")
    for name in ("alice", "bob", "dana"):
        machine("join", "t", "--as", name)
    machine("roll", "t", "d20 Delina: x", "--as", "alice", "--request-only", code=75)
    machine("open", "t", "--as", "bob")
    machine("open", "t", "--as", "alice", "--out", tmp_path / "alice.opening")
    assert "the keeper may know the dice" in machine("void", "t", "--as", "alice", "--yes", code=65)
    assert "contributes nothing" in machine("void", "t", "--as", "dana", "--missing", "dana", "--yes", code=64)
    said = machine("void", "t", "--as", "dana", "--missing", "bob", "--yes")
    assert "had not opened, says dana: bob" in said
    assert "opened for it: host, alice, bob" in said
    told = machine("verify", "t")
    assert "dana voided 1 roll. Who had not opened, by dana's word: bob." in told
    assert "fault" not in told
    machine("export", "t", "--out", tmp_path / "log.jsonl")
    (roll,) = voided(tmp_path / "log.jsonl")
    assert (roll.pending.seq, roll.sides, len(roll.naturals)) == (7, (20,), 1)


@pytest.mark.long
def test_who_came_second_comes_again(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    """Two write at the same time: the second import is refused in words, and its author goes on after an import."""
    hosts, bobs = machines
    hosts("magic", "declare", "trigger", "t", "--as", "alice", "--source", "a dwarf", "--on", "rolled")
    bobs("magic", "declare", "trigger", "t", "--as", "bob", "--source", "a clown", "--on", "rolled")
    bobs("magic", "declare", "trigger", "t", "--as", "bob", "--source", "another", "--on", "rolled")
    bobs("export", "t", "--out", tmp_path / "bobs.jsonl")
    assert "another event came first" in hosts("import", tmp_path / "bobs.jsonl", code=1)
    hosts("export", "t", "--out", tmp_path / "hosts.jsonl")
    said = bobs("import", tmp_path / "hosts.jsonl")
    assert "bob's declare, event" in said
    assert said.count("was not taken") == 2, "what he wrote upon it too"
    bobs("magic", "declare", "trigger", "t", "--as", "bob", "--source", "a clown", "--on", "rolled")
    share(bobs, hosts, tmp_path / "again.jsonl")
    assert "a clown" in hosts("log", "t")
    hosts("verify", "t")
    bobs("verify", "t")
    assert "a dwarf" in bobs("state", "t"), "the read tables and the state are those of the log"
    said = bobs("compare", "t", tmp_path / "bobs.jsonl", code=1)
    assert "no proof against bob" in said


@pytest.mark.long
def test_nobody_signs_upon_what_another_wrote_until_the_keeper_has(
    machines: tuple[Machine, Machine], tmp_path: Path
) -> None:
    """Alice and bob are on one machine, the keeper on another: whose machine it is does not matter."""
    hosts, bobs = machines
    declare = ("magic", "declare", "trigger", "t", "--on", "rolled")
    bobs(*declare, "--as", "bob", "--source", "a clown")
    log = tmp_path / "bobs.jsonl"
    bobs("export", "t", "--out", log)
    hosts.variables["ROLLPROOF_PASSPHRASE_HOST"] = ""
    hosts("import", log)
    said = hosts(*declare, "--as", "alice", "--source", "a dwarf", code=75)
    assert "whether host, the keeper, has taken event 6 of bob. Until it has, alice signs nothing" in said
    assert "rollproof checkpoint" in said
    del hosts.variables["ROLLPROOF_PASSPHRASE_HOST"]
    hosts(*declare, "--as", "alice", "--source", "a dwarf")
    hosts(*declare, "--as", "alice", "--source", "another")
    share(hosts, bobs, tmp_path / "hosts.jsonl")
    bobs(*declare, "--as", "bob", "--source", "a giant")


def test_a_log_that_does_not_hold_checks_nothing(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"\n".join([*LINES[:3], *LINES[4:]]) + b"\n")
    (tmp_path / "x.opening").write_text(CASES["openings"][0]["sent"])
    said = Machine(tmp_path / "home")("check-opening", tmp_path / "x.opening", bad, code=1)

    assert "does not hold" in said


def test_a_large_file_that_does_not_hold_is_not_read_whole(cli_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ledger.cli import importing, run

    monkeypatch.setattr(importing, "LARGE", 1_000)
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
    store.importer.import_log(table.log, name="log")
    lines, forger = table.lines, Forger(table.identities["bob"])
    body = {"what": "trigger", "source": "a clown", "on": "rolled"}
    early = forger.event(lines, "declare", body)
    late = forger.event([*lines, early], "declare", body, time="9999-12-31T23:59:59.999Z")
    data = b"".join(line + b"\n" for line in [*lines, early, late])
    with pytest.raises(RefusedError, match="ahead of the clock") as caught:
        store.importer.import_log(data, name="ahead", is_here=lambda key: str(key) == str(table.keys["host"]))
    assert caught.value.code == "time.ahead"
    assert list(store.lines(table.game)) == lines
    assert store.view(table.game).replay.size == len(lines)
    assert store.importer.import_log(data, name="ahead").added == 2, "whoever follows a game takes what its keeper took"
    store.close()
