"""`rollproof checkpoint`, `receipt`, `prove`, `check-proof`, `witness`; receipts in `verify`, `export`, `import`."""

import json
import shutil
from pathlib import Path

import pytest

from ledger.home import Home
from tests.make import notes as make_notes
from tests.oracles.reference import leaf
from tests.support.cli import PASSPHRASE, QUICK, Cli, make_home
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.shell.command import run as run_verifier

GAME = "Table 12"
ROLL = ("roll", GAME, "d20 Delina, Wild Mage: compare", "--as", "alice")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch)


@pytest.fixture
def log(cli: Cli, tmp_path: Path) -> Path:
    cli.ok(*ROLL)
    file = tmp_path / "game.jsonl"
    cli.ok("export", GAME, "--out", file)
    return file


@pytest.fixture
def witness(cli: Cli) -> str:
    Home(cli.home).new_identity("walt", PASSPHRASE.encode(), QUICK)
    return cli.ok("witness", "key", "--as", "walt").strip()


def size_in(note: str) -> int:
    return parse_checkpoint(note.encode()).head.size


def sidecar(log: Path) -> Path:
    return log.with_name(log.name + ".checkpoint")


# --- receipts --------------------------------------------------------------------------------------------------------


def test_every_event_gives_a_receipt(cli: Cli) -> None:
    told = cli.value(*ROLL)
    assert size_in(told["checkpoint"]) == told["events"][-1]["seq"] + 1
    assert cli.ok("receipt", GAME, "--as", "alice") == told["checkpoint"]
    assert cli.ok("receipt", GAME, "--as", "bob") == told["checkpoint"]  # who opened
    assert size_in(cli.ok("receipt", GAME, "--as", "dana")) < size_in(told["checkpoint"])
    assert cli.ok("checkpoint", GAME) == told["checkpoint"]
    assert cli.value("checkpoint", GAME)["note"] == told["checkpoint"]


def test_without_the_keeper_events_stand_and_are_signed_later(cli: Cli) -> None:
    before = cli.ok("checkpoint", GAME)
    cli.only("alice")
    told = cli.value("away", GAME, "--as", "alice")
    assert told["checkpoint"] == before
    assert any("rollproof checkpoint" in note and "--as host" in note for note in told["notes"])
    assert cli.ok("checkpoint", GAME, "--as", "alice") == before
    cli.only("host")
    signed = cli.ok("checkpoint", GAME, "--as", "host")
    assert size_in(signed) == size_in(before) + 1


def test_a_receipt_stops_who_holds_it_on_a_shorter_log(cli: Cli, tmp_path: Path) -> None:
    shutil.copy(cli.home / "ledger.db", tmp_path / "old.db")
    late = cli.value(*ROLL)["checkpoint"]
    (tmp_path / "late.checkpoint").write_text(late)
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        (cli.home / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "old.db", cli.home / "ledger.db")
    cli.only("dana")
    problem = cli.refused("receipt", GAME, "--as", "dana", "--take", tmp_path / "late.checkpoint")
    assert "its end is missing" in problem
    ruling = ("ruling", GAME, "uphold", "--subject", "0", "--text", "It stands.", "--as", "dana")
    assert "dana holds a receipt of host" in cli.refused(*ruling)


def test_verify_finds_what_was_cut_off(cli: Cli, log: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.checkpoint"
    assert "written" in cli.ok("receipt", GAME, "--as", "alice", "--out", mine)
    assert "Receipts" in cli.ok("verify", log, "--receipt", mine)
    short = tmp_path / "short.jsonl"
    short.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    assert cli("verify", short).code == 0
    result = cli("verify", short, "--receipt", mine, "--json")
    assert result.code == 1
    assert result.json["findings"][0]["code"] == "receipt.short"
    shutil.copy(sidecar(log), sidecar(short))
    assert cli("verify", short).code == run_verifier([str(short)]) == 1
    summary = cli("verify", short, log, "--summary")
    assert "receipt.short" in summary.out
    assert "event None" not in summary.out


@pytest.mark.parametrize(("given", "code"), [(998, 0), (999, 66)])
def test_more_receipts_than_one_verification_takes_are_refused(
    cli: Cli, log: Path, tmp_path: Path, given: int, code: int
) -> None:
    receipts = [tmp_path / f"{number}.checkpoint" for number in range(given)]
    for receipt in receipts:
        shutil.copy(sidecar(log), receipt)
    result = cli("verify", log, *(word for receipt in receipts for word in ("--receipt", str(receipt))))
    assert result.code == code
    refusal = f"{given} files were given with --receipt, and one verification takes 998 at most"
    assert (refusal in result.err) == (code != 0)
    shutil.copy(log, tmp_path / "another.jsonl")
    result = cli("verify", log, tmp_path / "another.jsonl", *(w for one in receipts for w in ("--receipt", str(one))))
    assert result.code == (2 if code else 0)
    assert (refusal in result.err) == (code != 0)


def test_receipts_find_their_logs_among_many(cli: Cli, log: Path, tmp_path: Path) -> None:
    vectors = Path(__file__).parents[2] / "specs" / "vectors" / "logs"
    folder = tmp_path / "tables"
    folder.mkdir()
    shutil.copy(log, folder / "a.jsonl")
    shutil.copy(vectors / make_notes.ALICES, folder / "b.jsonl")
    mine, other = tmp_path / "mine", tmp_path / "other"
    mine.write_text(cli.ok("receipt", GAME, "--as", "alice"))
    other.write_text(make_notes.checkpoint(9))
    assert cli("verify", folder, "--receipt", mine, "--receipt", other).code == 0
    assert run_verifier([str(folder), "--receipt", str(mine), "--receipt", str(other)]) == 0
    (folder / "b.jsonl").unlink()
    result = cli("verify", folder, "--receipt", mine, "--receipt", other)
    assert result.code == 2
    assert "other is a receipt of a game that is none of these" in result.err
    assert cli("verify", folder / "a.jsonl", "--receipt", other).code == 1  # for one log it is meant


def test_missing_and_broken_files_beside_a_log(cli: Cli, log: Path, tmp_path: Path) -> None:
    assert "No such file" in cli.refused("verify", log, "--receipt", tmp_path / "none")
    assert run_verifier([str(log), "--receipt", str(tmp_path / "none")]) == 66
    (tmp_path / "policy").write_text("quorum x\n")
    assert "line 1 of the policy" in cli.refused("verify", log, "--policy", tmp_path / "policy")
    assert run_verifier([str(log), "--policy", str(tmp_path / "policy")]) == 66
    sidecar(log).write_text("hello\n")
    assert "is not a checkpoint of a game" in cli("verify", log).out
    sidecar(log).unlink()
    sidecar(log).mkdir()
    assert cli("verify", log).code == 2


# --- export and import -----------------------------------------------------------------------------------------------


def test_the_checkpoint_goes_out_and_comes_in_with_the_log(cli: Cli, log: Path, tmp_path: Path) -> None:
    assert sidecar(log).read_text() == cli.ok("checkpoint", GAME)
    other = ("--home", tmp_path / "other")
    cli.ok("import", log, *other)
    assert cli.ok("checkpoint", GAME, *other) == sidecar(log).read_text()
    again = tmp_path / "again.jsonl"
    cli.ok("export", GAME, "--out", again, *other)
    assert again.read_bytes() == log.read_bytes()
    assert sidecar(again).read_bytes() == sidecar(log).read_bytes()


def test_an_export_writes_both_files_or_none(cli: Cli, log: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.jsonl"
    sidecar(new).write_text("something of mine")
    assert f"{sidecar(new)} exists" in cli.refused("export", GAME, "--out", new)
    assert not new.exists()
    assert sidecar(new).read_text() == "something of mine"
    cli.ok("export", GAME, "--out", new, "--force")
    assert new.read_bytes() == log.read_bytes()
    assert sidecar(new).read_bytes() == sidecar(log).read_bytes()
    assert sorted(path.name for path in tmp_path.glob(".*")) == []


def test_a_log_without_a_checkpoint_goes_out_alone(cli: Cli, log: Path, tmp_path: Path) -> None:
    other = ("--home", tmp_path / "other")
    bare = tmp_path / "bare.jsonl"
    shutil.copy(log, bare)
    cli.ok("import", bare, *other)
    assert "no checkpoint" in cli.ok("export", GAME, "--out", log, "--force", *other)
    assert not sidecar(log).exists()
    assert "has to sign one" in cli.refused("checkpoint", GAME, *other)


def test_an_import_with_a_strangers_checkpoint_is_kept_out(cli: Cli, log: Path, tmp_path: Path) -> None:
    note = parse_checkpoint(sidecar(log).read_bytes())
    sidecar(log).write_text(note.head.text + "\n" + make_notes.signed(note.head.text, "host"))
    result = cli("import", log, "--home", tmp_path / "other")
    assert result.code == 1
    assert "receipt.signature" in result.out
    assert "kept out" in result.err


# --- witnesses and policies ------------------------------------------------------------------------------------------


def test_a_witness_cosigns_and_a_policy_asks_for_it(cli: Cli, log: Path, witness: str, tmp_path: Path) -> None:
    policy = tmp_path / "policy"
    policy.write_text(f"witness league {witness}\nquorum league\n")
    failed = cli("verify", log, "--policy", policy)
    assert failed.code == 1
    assert "Missing: league" in failed.out
    line = cli.ok("witness", "cosign", log, "--as", "walt", "--add")
    assert sidecar(log).read_text().endswith(line)
    assert "Policy: the cosignatures" in cli.ok("verify", log, "--policy", policy)
    assert run_verifier(["--policy", str(policy), str(log)]) == 0
    assert cli.ok("checkpoint", GAME, "--add", sidecar(log), "--policy", policy) == sidecar(log).read_text()
    assert "HOLDS" in cli.ok("verify", GAME, "--policy", policy)
    cli.ok("magic", "resolve", GAME, "--as", "alice")
    assert cli("verify", GAME, "--policy", policy).code == 1


def test_a_witness_answers_requests(cli: Cli, log: Path, witness: str, tmp_path: Path) -> None:
    asked = tmp_path / "request"
    assert witness
    cli.ok("witness", "request", GAME, "--out", asked)
    refused = cli("witness", "answer", asked, "--as", "walt")
    assert refused.code == 1
    assert "show it the log first" in refused.err
    answer = tmp_path / "answer"
    answer.write_text(cli.ok("witness", "answer", asked, "--game", log, "--as", "walt"))
    unknown = cli("checkpoint", GAME, "--add", answer)
    assert unknown.out == sidecar(log).read_text()
    assert "by keys that are not known here: 1" in unknown.err
    policy = tmp_path / "policy"
    policy.write_text(f"witness league {witness}\nquorum league\n")
    assert "walt" in cli.ok("checkpoint", GAME, "--add", answer, "--policy", policy)
    size = size_in(sidecar(log).read_text())
    cli.ok("magic", "resolve", GAME, "--as", "alice")
    cli.ok("witness", "request", GAME, "--old", str(size), "--out", tmp_path / "next")
    assert cli.value("witness", "answer", tmp_path / "next", "--as", "walt")["cosignature"].startswith("— walt ")
    behind = cli("witness", "answer", tmp_path / "next", "--as", "walt", "--json")
    assert behind.code == 1
    assert (behind.json["status"], behind.json["size"]) == (409, size + 1)
    back = cli("witness", "cosign", log, "--as", "walt")
    assert back.code == 1
    assert "does not go back" in back.err


def test_a_witness_cosigns_no_log_that_fails(cli: Cli, log: Path, witness: str) -> None:
    assert witness
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]))
    assert "its end is missing" in cli.refused("witness", "cosign", log, "--as", "walt")
    log.write_bytes(b"".join([lines[0], *lines[2:]]))
    assert "end is missing" in cli.refused("witness", "cosign", log, "--as", "walt")
    sidecar(log).unlink()
    assert "name the checkpoint" in cli.refused("witness", "cosign", log, "--as", "walt")
    # The keeper signs for what breaks the protocol.
    wrong = Path(__file__).parents[2] / "specs" / "vectors" / "logs" / "author.role--judge-commits.jsonl"
    shutil.copy(wrong, log)
    leaves = [leaf(line) for line in wrong.read_bytes().split(b"\n")[:-1]]
    text = make_notes.text_of(len(leaves), leaves, leaves[0].hex())
    sidecar(log).write_text(f"{text}\n{make_notes.signed(text)}")
    result = cli("witness", "cosign", log, "--as", "walt")
    assert result.code == 1
    assert "author.role" in result.out
    assert "was not cosigned" in result.err


def test_answers_that_are_none(cli: Cli, log: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    for data in (b"", b"hello\n", "— walt x\n".encode(), b"\xff"):
        answer.write_bytes(data)
        assert "no signature lines" in cli.refused("checkpoint", GAME, "--add", answer)
    assert log.exists()


# --- proofs ----------------------------------------------------------------------------------------------------------


def known(cli: Cli, index: int) -> tuple[str, ...]:
    host = cli.ok("identity", "show", "host").strip()
    game = cli.value("games")[0]["game"]
    return ("--game", game, "--keeper", host, "--index", str(index))


def test_one_event_is_proven_and_checked(cli: Cli, log: Path, tmp_path: Path) -> None:
    proof = tmp_path / "event.tlog-proof"
    cli.ok("prove", log, "7", "--out", proof)
    assert cli.ok("prove", GAME, "7") == proof.read_text()
    asked = known(cli, 7)
    text = cli.ok("check-proof", proof, *asked)
    assert text.startswith("HOLDS: host signed that this is event 7")
    assert "not checked: that alice signed it" in text
    alice = cli.ok("identity", "show", "alice").strip()
    assert "checked: alice signed the event itself." in cli.ok("check-proof", proof, *asked, "--key", alice)
    line = tmp_path / "line.json"
    line.write_bytes(log.read_bytes().splitlines(keepends=True)[7])
    told = cli.value("check-proof", proof, line, *asked, "--size", "9")
    assert (told["verdict"], told["event"]) == ("holds", json.loads(line.read_bytes()))
    assert run_verifier(["--proof", str(proof), *asked, str(line)]) == 0
    assert run_verifier(["--proof", str(proof), *asked, "--json"]) == 0


def test_a_proof_of_something_else_fails(cli: Cli, log: Path, tmp_path: Path) -> None:
    proof = tmp_path / "event.tlog-proof"
    cli.ok("prove", log, "7", "--out", proof)
    result = cli("check-proof", proof, *known(cli, 6))
    assert (result.code, "proof.index, step P5" in result.out) == (1, True)
    told = cli("check-proof", proof, *known(cli, 7), "--size", "8", "--json")
    assert (told.code, told.json["code"], told.json["step"]) == (1, "proof.size", "P4")
    assert cli("check-proof", log, *known(cli, 7)).code == 2
    assert run_verifier(["--proof", str(log), *known(cli, 7)]) == 2
    assert run_verifier(["--proof", str(tmp_path / "none"), *known(cli, 7)]) == 66
    assert "so there is no event 9" in cli.refused("prove", log, "9")


def test_the_verifier_wants_to_know_what_a_proof_is_about(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verifier(["--proof", str(log)]) == 64
    assert "--keeper" in capsys.readouterr().err


def test_no_proof_is_made_of_a_log_that_its_checkpoint_is_not_about(cli: Cli, log: Path, tmp_path: Path) -> None:
    vectors = Path(__file__).parents[2] / "specs" / "vectors" / "logs"
    own = tmp_path / "own.jsonl"
    shutil.copy(vectors / make_notes.ALICES, own)
    sidecar(own).write_text(make_notes.checkpoint(9, make_notes.OTHERS))
    assert "another history" in cli.refused("prove", own, "3")
    assert "of another game" in cli.refused("prove", own, "3", "--checkpoint", sidecar(log))
    text = make_notes.text_of(9)
    sidecar(own).write_text(f"{text}\n{make_notes.signed(text, 'alice')}")
    assert "no signature of host" in cli.refused("prove", own, "3")
    sidecar(own).write_text(make_notes.checkpoint(9))
    proof = tmp_path / "own.tlog-proof"
    cli.ok("prove", own, "3", "--out", proof)
    game = leaf(own.read_bytes().split(b"\n")[0]).hex()
    keeper = make_notes.verifier_key("host")
    assert "HOLDS" in cli.ok("check-proof", proof, "--game", game, "--keeper", keeper, "--index", "3")


def test_files_are_not_written_over(cli: Cli, log: Path) -> None:
    assert "exists" in cli.refused("prove", log, "3", "--out", log)
    assert "exists" in cli.refused("receipt", GAME, "--as", "alice", "--out", log)
    assert "exists" in cli.refused("checkpoint", GAME, "--out", log)
    assert PASSPHRASE not in log.read_text()
