"""Go's own sumdb/note and sumdb/tlog read what we write, and we read what they write (specs/checkpoints.md).

Needs the Go compiler and Debian's golang-golang-x-mod-dev, which .ci/run installs.
"""

import json
import os
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules.lines import read_roll
from tests.conftest import SPECS
from tests.server.served import Plain, serving
from tests.support.table import Table
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import (
    Checkpoint,
    CosignerKey,
    SignedCheckpoint,
    cosign,
    parse_checkpoint,
    sign_checkpoint,
)
from verifier.checkpoints.event_proof import make_proof, parse_proof
from verifier.checkpoints.note import format_note, parse_note, signed_by
from verifier.log.identity import decode_base64
from verifier.log.merkle import (
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    root_of,
    verify_consistency,
    verify_inclusion,
)

Ask = Callable[..., list[dict[str, Any]]]
GOPATH = Path("/usr/share/gocode")
SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65)


@pytest.fixture(scope="module")
def go(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Ask the Go program; requests and answers are JSON objects."""
    if shutil.which("go") is None:
        pytest.skip("no Go compiler here: apt-get install golang-go golang-golang-x-mod-dev")
    if not (GOPATH / "src/golang.org/x/mod/sumdb/tlog").is_dir():
        pytest.skip("no Go module golang.org/x/mod here: apt-get install golang-golang-x-mod-dev")
    folder = tmp_path_factory.mktemp("go")
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": str(GOPATH), "GOCACHE": str(folder / "cache")}
    environment |= {"GOFLAGS": "", "GOTOOLCHAIN": "local"}
    program, source = folder / "go", Path(__file__).parent / "go"
    subprocess.run(["go", "build", "-o", program, "."], cwd=source, env=environment, check=True)

    def ask(*requests: dict[str, Any]) -> list[dict[str, Any]]:
        told = "\n".join(map(json.dumps, requests))
        done = subprocess.run([program], input=told, capture_output=True, text=True, check=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == len(requests)
        return answers

    return ask


def texts(hashes: list[bytes]) -> list[str]:
    return [b64encode(each).decode() for each in hashes]


def some_lines(count: int) -> list[bytes]:
    return [f"line {number} – ligne".encode() for number in range(count)]


@pytest.mark.long
def test_go_opens_a_checkpoint_with_a_cosignature(go: Ask, table: Table) -> None:
    host, dana = table.identities["host"], table.identities["dana"]
    signed = table.seats["host"].checkpoint(table.view)
    witness = CosignerKey("dana", dana.key.public_bytes)
    line = cosign(signed.head, witness, 1_800_000_000, dana.sign)
    cosigned = SignedCheckpoint(signed.head, (*signed.signatures, line))
    [plain, with_witness] = go(
        {"do": "open", "note": bytes(signed).decode(), "key": str(host.key)},
        {"do": "open", "note": bytes(cosigned).decode(), "key": str(host.key)},
    )
    assert plain["error"] == with_witness["error"] == ""
    assert plain["text"] == with_witness["text"] == signed.head.text
    assert (plain["names"], plain["other"]) == (["host"], [])
    assert (with_witness["names"], with_witness["other"]) == (["host"], ["dana"])
    assert (plain["size"], plain["root"]) == (signed.head.size, b64encode(signed.head.root).decode())


@pytest.mark.long
def test_go_refuses_what_was_changed(go: Ask, table: Table) -> None:
    key = str(table.identities["host"].key)
    note = bytes(table.seats["host"].checkpoint(table.view)).decode()
    size = note.split("\n")[1]
    changed = note.replace(f"\n{size}\n", f"\n{int(size) + 1}\n")
    [by_another, tampered] = go(
        {"do": "open", "note": note, "key": str(table.identities["alice"].key)},
        {"do": "open", "note": changed, "key": key},
    )
    assert "no verifiable signatures" in by_another["error"]
    assert "invalid signature" in tampered["error"]


def test_go_takes_every_name_that_the_vectors_take(go: Ask) -> None:
    """What is valid here is valid there; U+007F to U+009F are refused here alone (specs/checkpoints.md)."""
    vectors = json.loads((SPECS / "vectors" / "notes.json").read_text(encoding="utf-8"))
    named = [each for each in vectors["checkpoints"] if each["about"].startswith("a name with U+")]
    key = vectors["keys"]["host"]["verifier_key"]
    answers = go(*({"do": "open", "note": each["note"], "key": key} for each in named))
    taken = {each["about"]: answer["error"] == "" for each, answer in zip(named, answers, strict=True)}
    assert len(taken) > 10
    narrower = {f"a name with U+{code:04X}" for code in (0x7F, 0x80, 0x9F)}
    assert {about for about in taken if taken[about]} == {
        each["about"] for each in named if each["read"] is not None or each["about"] in narrower
    }


def test_a_note_that_go_signed_is_read_here(go: Ask) -> None:
    [made] = go({"do": "generate", "text": "host"})
    key = VerifierKey.parse(made["key"])
    head = Checkpoint(bytes(range(32)), 7, bytes(32))
    [signed] = go({"do": "sign", "secret": made["note"], "text": head.text})
    found = parse_checkpoint(signed["note"].encode())
    assert found.head == head
    assert signed_by(found.note, key) is not None
    assert format_note(parse_note(signed["note"].encode())) == signed["note"].encode()


def test_go_signs_and_we_sign_the_same_bytes(go: Ask) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    [made] = go({"do": "generate", "text": "host"})
    seed = decode_base64(made["note"].split("+", 4)[4])
    assert seed is not None
    secret = Ed25519PrivateKey.from_private_bytes(seed[1:])
    head = Checkpoint(bytes(range(32)), 7, bytes(32))
    [signed] = go({"do": "sign", "secret": made["note"], "text": head.text})
    assert bytes(sign_checkpoint(head, VerifierKey.parse(made["key"]), secret.sign)).decode() == signed["note"]


def test_go_checks_our_inclusion_proofs_and_makes_the_same(go: Ask) -> None:
    lines = some_lines(max(SIZES))
    leaves = [leaf_hash(line) for line in lines]
    cases = [(size, index) for size in SIZES for index in {0, size // 2, size - 1}]
    checks, proofs = [], []
    for size, index in cases:
        proof, root = texts(inclusion_proof(leaves[:size], index)), b64encode(root_of(leaves[:size])).decode()
        line = [lines[index].decode()]
        checks.append({"do": "record", "proof": proof, "size": size, "index": index, "root": root, "lines": line})
        proofs.append({"do": "prove", "index": index, "lines": [each.decode() for each in lines[:size]]})
    assert {answer["error"] for answer in go(*checks)} == {""}
    for check, made, (size, index) in zip(checks, go(*proofs), cases, strict=True):
        assert (made["root"], made["proof"]) == (check["root"], check["proof"])
        hashes = [hash_ for text in made["proof"] if (hash_ := decode_base64(text)) is not None]
        assert verify_inclusion(leaves[index], index, size, hashes, root_of(leaves[:size]))
    wrong = [{**check, "lines": ["another"]} for check in checks]
    assert all(answer["error"] for answer in go(*wrong))


def test_go_checks_our_consistency_proofs_and_makes_the_same(go: Ask) -> None:
    lines = some_lines(max(SIZES))
    leaves = [leaf_hash(line) for line in lines]
    cases = [(old, size) for size in SIZES for old in {1, size // 2, size - 1, size} if 1 <= old <= size]
    checks, proofs = [], []
    for old, size in cases:
        roots = (root_of(leaves[:old]), root_of(leaves[:size]))
        proof = texts(consistency_proof(leaves[:size], old))
        old_root, root = texts(list(roots))
        checks.append({"do": "tree", "proof": proof, "old": old, "old_root": old_root, "size": size, "root": root})
        proofs.append({"do": "prove", "old": old, "lines": [each.decode() for each in lines[:size]]})
    assert {answer["error"] for answer in go(*checks)} == {""}
    for check, made, (old, size) in zip(checks, go(*proofs), cases, strict=True):
        assert made["proof"] == check["proof"]
        hashes = [hash_ for text in made["proof"] if (hash_ := decode_base64(text)) is not None]
        assert verify_consistency(old, size, root_of(leaves[:old]), root_of(leaves[:size]), hashes)
    other = b64encode(leaf_hash(b"another")).decode()
    assert all(answer["error"] for answer in go(*({**check, "old_root": other} for check in checks)))


def test_go_checks_a_proof_of_an_event(go: Ask, table: Table) -> None:
    lines = table.lines
    signed = table.seats["host"].checkpoint(table.view)
    proof = parse_proof(bytes(make_proof([leaf_hash(line) for line in lines], lines[3], 3, signed)))
    [opened] = go({"do": "open", "note": bytes(proof.checkpoint).decode(), "key": str(table.keys["host"])})
    assert opened["error"] == ""
    assert proof.extra is not None
    request = {"do": "record", "proof": texts(list(proof.hashes)), "size": opened["size"], "root": opened["root"]}
    [checked, elsewhere] = go(
        {**request, "index": 3, "lines": [proof.extra.decode()]},
        {**request, "index": 4, "lines": [proof.extra.decode()]},
    )
    assert checked["error"] == ""
    assert elsewhere["error"]


@pytest.mark.long
def test_go_reads_a_served_game_and_the_anchor_log(go: Ask, tmp_path: Path) -> None:
    """Each line is proved and checked by Go from the tiles that a server gives (c2sp.org/tlog-tiles)."""
    with serving(tmp_path / "server") as server:
        alice = Plain(tmp_path / "alice", "alice", server.address)
        alice.sit(alice.open_table("dice-1")["player"])
        alice.start()
        alice.enter(256)
        for _ in range(127):  # more than one tile
            session = alice.view.replay.session
            alice.offered(alice.seat.sign(alice.view, "roll", read_roll(session.system, "d20", session.game, "alice")))
            assert alice.open().status_code == 201
            alice.fetch()
        url = f"{server.address}/v1/games/{alice.game.hex()}"
        request = {"do": "served", "url": url, "token": alice.token.hex(), "key": server.told["keeper"]}
        [read] = go(request)
        alice.close()
    assert read["error"] == ""
    assert read["size"] > 256
    assert [line.encode() for line in read["names"]] == list(alice.view.lines(0))
