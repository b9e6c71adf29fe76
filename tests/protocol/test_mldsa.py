"""ML-DSA-44 cosignatures in policies, where they can be checked and where not (specs/vectors/mldsa.json)."""

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey

from ledger.store.cosignatures import merge_cosignatures
from tests.make import mldsa as make
from tests.make.notes import ALICES, GAME, VECTORS, b64, tlog_proof, verifier_key
from tests.support.cli import Cli
from verifier import NoteError, Replay, VerifierKey, verify
from verifier.checkpoints import mldsa
from verifier.checkpoints.checkpoint import parse_checkpoint, parse_cosigner_key
from verifier.checkpoints.event_proof import Expected, ProofFailure, check_proof
from verifier.checkpoints.mldsa import MlDsaCosignerKey, cosigned_message
from verifier.checkpoints.policy import parse_policy
from verifier.log.identity import decode_base64

FOUND: dict[str, Any] = json.loads((VECTORS / "mldsa.json").read_bytes())
LOG = (VECTORS / "logs" / ALICES).read_bytes()
CASES = pytest.mark.parametrize("case", FOUND["policies"], ids=lambda case: case["about"])


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library without ML-DSA-44: whoever uses it all the same breaks."""
    monkeypatch.setattr(mldsa, "mldsa_is_available", lambda: False)
    monkeypatch.setattr(mldsa, "_load", lambda _: pytest.fail("it is not there"))


@pytest.mark.parametrize("lack", [ImportError, UnsupportedAlgorithm])
def test_a_library_that_is_older_or_was_built_without_it(
    lack: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(_: bytes) -> None:
        raise lack("not here")

    monkeypatch.setattr(mldsa, "_load", load)
    mldsa.mldsa_is_available.cache_clear()
    assert not mldsa.mldsa_is_available()
    monkeypatch.undo()
    mldsa.mldsa_is_available.cache_clear()
    assert mldsa.mldsa_is_available()


def test_vectors_are_what_the_maker_makes() -> None:
    assert make.file() == make.FILE.read_bytes()


def test_the_message_and_the_line() -> None:
    case = FOUND["cosignature"]
    origin, size, root, _ = case["note"].split("\n")
    signed = cosigned_message("wanda", case["time"], origin, int(size), decode_base64(root) or b"")
    assert signed.hex() == case["message"]
    signature = make.signatures_in(case["line"])[0]
    MLDSA44PublicKey.from_public_bytes(make.public("wanda")).verify(signature, signed)
    key = parse_cosigner_key(case["key"])
    assert isinstance(key, MlDsaCosignerKey)
    assert str(key) == case["key"]


def test_a_cosignature_has_a_time_and_is_of_a_tree_head_whose_origin_has_a_length() -> None:
    key = parse_cosigner_key(make.vkey("wanda"))

    def text(origin: str) -> str:
        return f"{origin}\n7\n{b64(bytes(32))}\n"

    def holds(time: int, origin: str) -> bool:
        signature = make.secret("wanda").sign(make.message("wanda", time, text(origin)))
        return key.verify(time.to_bytes(8, "big") + signature, text(origin).encode())

    assert [holds(time, "log") for time in (0, 1, 2**63 - 1, 2**63)] == [False, True, True, False]
    assert holds(1, "l" * 255)
    for message in (text("l" * 256).encode(), b"hello\n", b"\xff"):
        assert not key.verify((1).to_bytes(8, "big") + bytes(2_420), message)


@pytest.mark.parametrize("case", FOUND["keys"], ids=lambda case: case["about"])
def test_keys(case: dict[str, Any]) -> None:
    if case["valid"]:
        assert str(parse_cosigner_key(case["key"])) == case["key"]
    else:
        with pytest.raises(NoteError):
            parse_cosigner_key(case["key"])


@CASES
def test_policy(case: dict[str, Any]) -> None:
    policy, note = parse_policy(case["policy"].encode()), parse_checkpoint(case["note"].encode())
    assert (policy.missing([note]) is None) == case["met"]
    if not case["met"]:
        assert policy.unchecked([note]) == ()


@CASES
def test_policy_where_it_cannot_be_checked(case: dict[str, Any], lacking: None) -> None:
    policy, note = parse_policy(case["policy"].encode()), parse_checkpoint(case["note"].encode())
    met = policy.missing([note]) is None
    assert met == (case["met"] and not case["unchecked"])
    if not met:
        assert list(policy.unchecked([note])) == case["unchecked"]


def _judged(case: dict[str, Any]) -> tuple[str, int, list[str]]:
    report, _ = verify(LOG, receipts={"mine": case["note"].encode()}, policy=parse_policy(case["policy"].encode()))
    errors = [finding.code for finding in report.findings if finding.severity == "error"]
    assert bool(report.head)
    assert report.valid_prefix == report.events
    return report.verdict, report.exit_code, errors


@CASES
def test_log(case: dict[str, Any]) -> None:
    assert _judged(case) == (("holds", 0, []) if case["met"] else ("fails", 1, ["policy.unmet"]))


@CASES
def test_log_where_it_cannot_be_checked(case: dict[str, Any], lacking: None) -> None:
    """Neither success nor failure, and said."""
    if case["unchecked"]:
        assert _judged(case) == ("unfinished", 3, ["policy.unchecked"])
        receipts = {"mine": case["note"].encode()}
        report, _ = verify(LOG, receipts=receipts, policy=parse_policy(case["policy"].encode()))
        assert [each.fault for each in report.findings if each.severity == "error"] == [None]
    else:
        assert _judged(case) == (("holds", 0, []) if case["met"] else ("fails", 1, ["policy.unmet"]))


def test_another_error_beside_it_fails(lacking: None) -> None:
    case = FOUND["policies"][0]
    receipts = {"mine": case["note"].encode(), "no": b"hello\n"}
    report, _ = verify(LOG, receipts=receipts, policy=parse_policy(case["policy"].encode()))
    assert report.verdict == "fails"


def test_proof_of_one_event(monkeypatch: pytest.MonkeyPatch) -> None:
    case = FOUND["policies"][0]
    lines = "".join(case["note"].partition("\n\n")[2].splitlines(keepends=True)[1:])
    proof = (tlog_proof(4) + lines).encode()
    policy = parse_policy(case["policy"].encode())
    expected = Expected(bytes.fromhex(GAME), VerifierKey.parse(verifier_key("host")), 4, policy=policy)
    check_proof(proof, expected)
    monkeypatch.setattr(mldsa, "mldsa_is_available", lambda: False)
    with pytest.raises(ProofFailure) as caught:
        check_proof(proof, expected)
    assert (caught.value.step, caught.value.code) == ("P10", "policy.unchecked")


def test_by_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    case, cli = FOUND["policies"][0], Cli(tmp_path / "home", capsys, monkeypatch)
    log, policy = tmp_path / "log.jsonl", tmp_path / "pq.policy"
    log.write_bytes(LOG)
    Path(f"{log}.checkpoint").write_text(case["note"], encoding="utf-8")
    policy.write_text(case["policy"])
    assert "the cosignatures that it asks for are there" in cli.ok("verify", "--policy", policy, log)
    monkeypatch.setattr(mldsa, "mldsa_is_available", lambda: False)
    told = cli("verify", "--policy", policy, log)
    assert told.code == 3
    assert "COULD NOT BE FINISHED" in told.out
    assert "ML-DSA-44 to check the cosignatures of wanda" in told.out


@pytest.mark.parametrize("available", [True, False])
def test_a_store_takes_what_it_can_check(available: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mldsa, "mldsa_is_available", lambda: available)
    replay = Replay()
    replay.step(LOG.split(b"\n")[0])
    witness = parse_cosigner_key(FOUND["cosignature"]["key"])
    good, bad = (parse_checkpoint(FOUND["policies"][at]["note"].encode()) for at in (0, 11))
    taken = merge_cosignatures(good, None, replay.terms, [witness])
    assert (len(taken.checkpoint.signatures), taken.unknown, taken.wrong) == ((2, 0, 0) if available else (1, 1, 0))
    taken = merge_cosignatures(bad, None, replay.terms, [witness])
    assert (taken.unknown, taken.wrong) == ((0, 1) if available else (1, 0))


def test_a_split_policy_of_such_witnesses_is_named() -> None:
    keys = "".join(f"witness {name} {make.vkey(name)}\n" for name in ("wanda", "wim"))
    assert parse_policy(f"{keys}group a any wanda wim\nquorum a\n".encode()).split is not None
    assert parse_policy(f"{keys}group a all wanda wim\nquorum a\n".encode()).split is None
