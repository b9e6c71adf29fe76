"""Notes, checkpoints, receipts, policies, proofs and witnesses, against specs/checkpoints.md and its vectors."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import WitnessError
from ledger.seats.identity import Identity
from ledger.transparency.witness import Witness
from tests.conftest import SPECS
from tests.make import notes as make_notes
from tests.oracles.reference import key_id as reference_key_id
from tests.oracles.reference import leaf, root
from verifier import NoteError, VerifierKey, verify
from verifier.checkpoints.checkpoint import (
    Checkpoint,
    CosignerKey,
    cosign,
    keeper_signed,
    parse_checkpoint,
    sign_checkpoint,
)
from verifier.checkpoints.event_proof import (
    MAX_PROOF_FILE,
    Expected,
    ProofFailure,
    check_proof,
    parse_proof,
    parse_request,
)
from verifier.checkpoints.note import MAX_NOTE, Note, format_note, key_name_is_valid, parse_note, signed_by
from verifier.checkpoints.policy import parse_policy
from verifier.checkpoints.receipts import MAX_RECEIPTS, Receipts
from verifier.log.format import MAX_LINE
from verifier.log.identity import decode_base64
from verifier.log.merkle import (
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    root_of,
    verify_consistency,
    verify_inclusion,
)

VECTORS = Path(__file__).parents[2] / "specs" / "vectors"
NOTES: dict[str, Any] = json.loads((VECTORS / "notes.json").read_bytes())
LOG = (VECTORS / "logs" / NOTES["log"]).read_bytes()
KEYS = {name: VerifierKey.parse(keys["verifier_key"]) for name, keys in NOTES["keys"].items()}


def by_case(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", NOTES[name], ids=lambda case: str(case["about"]))


def identity(name: str) -> Identity:
    return Identity(name, make_notes.secret(name))


# --- the vectors -----------------------------------------------------------------------------------------------------


def test_the_vectors_are_what_the_page_makes() -> None:
    assert make_notes.differing(make_notes.all_files()) == []


def test_one_of_each_kind_holds() -> None:
    """The files in notes/, put together as their kinds go together."""
    data = {path.name: path.read_bytes() for path in (VECTORS / "notes").iterdir()}
    policy = parse_policy(data["league.policy"])
    receipts = {name: data[name] for name in ("checkpoint", "cosigned.checkpoint")}
    assert verify(LOG, receipts=receipts, policy=policy)[0].verdict == "holds"
    keys = [VerifierKey.parse(line) for line in data["keys"].decode().splitlines()]
    proven = check_proof(data["event-4.tlog-proof"], Expected(leaf(LOG.split(b"\n")[0]), keys[0], 4, keys=tuple(keys)))
    assert proven.author_checked
    assert bytes(parse_request(data["request"])) == data["request"]


@pytest.mark.parametrize("case", NOTES["trees"], ids=lambda case: str(case["size"]))
def test_tree(case: dict[str, Any]) -> None:
    leaves = [leaf_hash(bytes.fromhex(each)) for each in NOTES["leaves"][: case["size"]]]
    root = decode_base64(case["root"])
    assert root == root_of(leaves)
    for index, texts in enumerate(case["inclusion"]):
        hashes = [each for text in texts if (each := decode_base64(text)) is not None]
        assert inclusion_proof(leaves, index) == hashes
        assert verify_inclusion(leaves[index], index, len(leaves), hashes, root)
    for old, texts in enumerate(case["consistency"], 1):
        hashes = [each for text in texts if (each := decode_base64(text)) is not None]
        assert consistency_proof(leaves, old) == hashes
        assert verify_consistency(old, len(leaves), root_of(leaves[:old]), root, hashes)


@by_case("checkpoints")
def test_checkpoint(case: dict[str, Any]) -> None:
    data = case["note"].encode() if "note" in case else bytes.fromhex(case["hex"])
    if case["read"] is None:
        with pytest.raises(NoteError):
            parse_checkpoint(data)
        return
    found = parse_checkpoint(data)
    head = {"game": found.head.game.hex(), "size": found.head.size, "root": found.head.root.hex()}
    assert head == case["read"]
    assert keeper_signed(found, KEYS["host"]) == case["by_keeper"]
    assert bytes(found) == data


def test_cosignature() -> None:
    case = NOTES["cosignature"]
    key = CosignerKey.parse(case["key"])
    head = parse_checkpoint((case["note"] + "\n" + case["line"]).encode()).head
    assert cosign(head, key, case["time"], identity("walt").sign).line == case["line"]
    assert str(identity("walt").cosigner_key) == case["key"]


@by_case("receipts")
def test_receipt(case: dict[str, Any]) -> None:
    log = b"".join(LOG.splitlines(keepends=True)[: case["lines"]])
    receipts = {str(number): note.encode() for number, note in enumerate(case["receipts"])}
    policy = parse_policy(case["policy"].encode()) if "policy" in case else None
    report, _ = verify(log, receipts=receipts, policy=policy)
    found = [finding for finding in report.findings if finding.severity == "error"]
    assert [{"code": f.code, "step": f.step, "fault": f.fault} for f in found] == case["findings"]
    assert report.verdict == ("fails" if case["findings"] else "holds")
    assert report.valid_prefix == case["lines"]
    assert all(finding.seq is None for finding in found)


@by_case("policies")
def test_policy(case: dict[str, Any]) -> None:
    if case["checkpoints"] is None:
        with pytest.raises(NoteError):
            parse_policy(case["policy"].encode())
        return
    policy = parse_policy(case["policy"].encode())
    for each in case["checkpoints"]:
        missing = policy.missing([parse_checkpoint(each["note"].encode())])
        assert (missing is None) == each["met"]


@by_case("proofs")
def test_proof(case: dict[str, Any]) -> None:
    asked = case["expected"]
    expected = Expected(
        game=bytes.fromhex(asked["game"]),
        keeper=VerifierKey.parse(asked["keeper"]),
        index=asked["index"],
        size=asked.get("size"),
        line=asked["line"].encode() if "line" in asked else None,
        keys=tuple(map(VerifierKey.parse, asked.get("keys", ()))),
        policy=parse_policy(asked["policy"].encode()) if "policy" in asked else None,
    )
    data = case["proof"].encode()
    if case["result"] != "holds":
        with pytest.raises(ProofFailure) as caught:
            check_proof(data, expected)
        assert f"{caught.value.step} {caught.value.code}" == case["result"]
        return
    proven = check_proof(data, expected)
    assert proven.line == LOG.split(b"\n")[asked["index"]]
    assert proven.author_checked == ("keys" in asked or proven.event.author == "host")
    assert bytes(parse_proof(data)) == data


@by_case("requests")
def test_request(case: dict[str, Any], tmp_path: Path) -> None:
    witness = Witness(identity("walt"), tmp_path / "witness.db", lambda: make_notes.TIME)
    game = leaf(LOG.split(b"\n")[0])
    origin = f"rollproof/v1/{game.hex()}"
    if case["known"]:
        assert witness.admit(LOG.split(b"\n")[0]) == game
    for before in case["before"]:
        witness.answer(before.encode())
    held = witness.held(origin)
    if case["status"] != 200:
        with pytest.raises(WitnessError) as caught:
            witness.answer(case["request"].encode())
        assert caught.value.status == case["status"]
        assert witness.held(origin) == held
        return
    line = witness.answer(case["request"].encode())
    asked = parse_request(case["request"].encode())
    assert bytes(asked) == case["request"].encode()
    note = Note(asked.checkpoint.head.text, (*asked.checkpoint.signatures, line))
    assert signed_by(note, CosignerKey.parse(NOTES["keys"]["walt"]["cosigner_key"])) == line
    now = witness.held(origin)
    assert now is not None
    assert now.head == asked.checkpoint.head
    witness.close()


def test_the_example_of_the_note_specification() -> None:
    """c2sp.org/signed-note, "Example": its key, its note, and the key id that both have."""
    name, key_id, encoded = ["example.com/foo", "530d903a", "AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"]
    key = decode_base64(encoded)
    assert key is not None
    assert reference_key_id(name, key[1:]).hex() == key_id
    signature = "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM="
    data = f"This is an example message.\n\n— {name} {signature}\n".encode()
    note = parse_note(data)
    [line] = note.signatures
    assert (line.name, line.key_id.hex()) == (name, key_id)
    Ed25519PublicKey.from_public_bytes(key[1:]).verify(line.signature, note.text.encode())
    assert format_note(note) == data


# --- trees, against the recursive definition -------------------------------------------------------------------------


def some_leaves(count: int) -> list[bytes]:
    return [leaf(number.to_bytes(4, "big")) for number in range(count)]


@given(st.data())
def test_inclusion_is_as_defined(data: st.DataObject) -> None:
    leaves = some_leaves(data.draw(st.integers(1, 300), "size"))
    index = data.draw(st.integers(0, len(leaves) - 1), "index")
    hashes, head = inclusion_proof(leaves, index), root_of(leaves)
    assert hashes == make_notes.path(index, leaves)
    assert head == root(leaves)
    assert verify_inclusion(leaves[index], index, len(leaves), hashes, head)
    other = data.draw(st.integers(0, len(leaves) + 3), "other")
    assert verify_inclusion(leaves[index], other, len(leaves), hashes, head) == (other == index)
    assert not verify_inclusion(leaf(b"x"), index, len(leaves), hashes, head)
    assert not verify_inclusion(leaves[index], index, len(leaves), [*hashes, head], head)
    for position in range(len(hashes)):
        assert not verify_inclusion(leaves[index], index, len(leaves), hashes[:position] + hashes[position + 1 :], head)
        changed = [*hashes[:position], head, *hashes[position + 1 :]]
        assert not verify_inclusion(leaves[index], index, len(leaves), changed, head)


@given(st.data())
def test_consistency_is_as_defined(data: st.DataObject) -> None:
    leaves = some_leaves(data.draw(st.integers(1, 300), "size"))
    old = data.draw(st.integers(1, len(leaves)), "old")
    hashes, before, after = consistency_proof(leaves, old), root_of(leaves[:old]), root_of(leaves)
    assert hashes == make_notes.proof(old, leaves)
    assert verify_consistency(old, len(leaves), before, after, hashes)
    assert not verify_consistency(old, len(leaves), leaf(b"x"), after, hashes)
    assert not verify_consistency(old, len(leaves), before, leaf(b"x"), hashes)
    assert not verify_consistency(old, len(leaves), before, after, [*hashes, after])
    for position in range(len(hashes)):
        assert not verify_consistency(old, len(leaves), before, after, hashes[:position] + hashes[position + 1 :])
        changed = [*hashes[:position], leaf(b"x"), *hashes[position + 1 :]]
        assert not verify_consistency(old, len(leaves), before, after, changed)


@given(st.integers(2, 200), st.data())
def test_no_fork_has_a_proof(size: int, data: st.DataObject) -> None:
    """Another first part never leads to this tree, whatever of its hashes are given as the proof."""
    leaves = some_leaves(size)
    old = data.draw(st.integers(1, size - 1))
    forked = [*leaves[: old - 1], leaf(b"forked")]
    for hashes in (consistency_proof(leaves, old), consistency_proof(forked + leaves[old:], old)):
        assert not verify_consistency(old, size, root_of(forked), root_of(leaves), hashes)


@given(st.integers(1, 64), st.integers(65, 300), st.data())
def test_a_proof_for_a_lower_tree_is_none_for_a_higher_one(small: int, large: int, data: st.DataObject) -> None:
    """The size says how long a proof is: a root of a small tree is not one of a large tree."""
    leaves = some_leaves(small)
    index, old = data.draw(st.integers(0, small - 1)), data.draw(st.integers(1, small))
    head = root_of(leaves)
    assert not verify_inclusion(leaves[index], index, large, inclusion_proof(leaves, index), head)
    assert not verify_consistency(old, large, root_of(leaves[:old]), head, consistency_proof(leaves, old))


def test_proofs_of_what_is_not_there() -> None:
    leaves = some_leaves(5)
    for index in (-1, 5):
        with pytest.raises(IndexError):
            inclusion_proof(leaves, index)
    for old in (0, 6):
        with pytest.raises(IndexError):
            consistency_proof(leaves, old)
    assert not verify_inclusion(leaves[0], 0, 0, [], root_of([]))
    assert not verify_consistency(0, 5, root_of([]), root_of(leaves), [])
    assert not verify_consistency(5, 4, root_of(leaves), root_of(leaves[:4]), [])


# --- bytes of all kinds ----------------------------------------------------------------------------------------------

CHECKPOINTS = [case["note"] for case in NOTES["checkpoints"] if "note" in case and len(case["note"]) < 10_000]
PROOFS = [case["proof"] for case in NOTES["proofs"] if len(case["proof"]) < 10_000]
REQUESTS = [case["request"] for case in NOTES["requests"]]
POLICIES = [case["policy"] for case in NOTES["policies"] if len(case["policy"]) < 2_000]


@st.composite
def damaged(draw: st.DrawFn, texts: list[str]) -> bytes:
    """A text with some bytes dropped, doubled, replaced; or any bytes."""
    data = bytearray(draw(st.sampled_from(texts)).encode())
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 80)))
        data[start:end] = draw(st.one_of(st.binary(max_size=4), st.just(bytes(data[start:end] * 2)), st.just(b"\n")))
    return bytes(data)


@given(st.one_of(st.binary(), damaged(CHECKPOINTS)))
def test_notes_and_checkpoints_of_any_bytes(data: bytes) -> None:
    try:
        note = parse_note(data)
    except NoteError:
        with pytest.raises(NoteError):
            parse_checkpoint(data)
        return
    assert format_note(note) == data
    try:
        found = parse_checkpoint(data)
    except NoteError:
        pass
    else:
        assert bytes(found) == data
        keeper_signed(found, KEYS["host"])


@given(st.one_of(st.binary(), damaged(PROOFS)))
def test_proofs_of_any_bytes(data: bytes) -> None:
    expected = Expected(leaf(LOG.split(b"\n")[0]), KEYS["host"], 4)
    try:
        proven = check_proof(data, expected)
    except ProofFailure:
        pass
    else:
        assert proven.line == LOG.split(b"\n")[4]


@given(st.one_of(st.binary(), damaged(REQUESTS)))
def test_requests_of_any_bytes(data: bytes) -> None:
    try:
        found = parse_request(data)
    except NoteError:
        pass
    else:
        assert bytes(found) == data


@given(st.one_of(st.binary(), damaged(POLICIES)))
def test_policies_of_any_bytes(data: bytes) -> None:
    try:
        policy = parse_policy(data)
    except NoteError:
        pass
    else:
        policy.missing([parse_checkpoint(CHECKPOINTS[0].encode())])


def test_bounds() -> None:
    head = Checkpoint(bytes(32), 1, bytes(32))
    signed = sign_checkpoint(head, KEYS["host"], identity("host").sign)
    extra = b"A" * 4 * (MAX_PROOF_FILE // 4)
    for parse, data in (
        (parse_checkpoint, bytes(signed) + f"— walt {'A' * MAX_NOTE}\n".encode()),
        (parse_proof, PROOFS[0].encode().replace(b"extra ", b"extra " + extra, 1)),
        (parse_request, b"old 0\n" + extra + REQUESTS[0].encode()),
        (parse_policy, b"#" * MAX_NOTE + b"\nquorum none\n"),
    ):
        with pytest.raises(NoteError, match="longer than"):
            parse(data)
    with pytest.raises(ValueError, match="at most"):
        verify(LOG, receipts={str(number): b"" for number in range(MAX_RECEIPTS + 1)})
    Receipts({str(number): b"" for number in range(MAX_RECEIPTS)})
    assert parse_policy(b"quorum none\n" + b"#" * (MAX_NOTE - 13) + b"\n").quorum == "none"


def test_a_proof_has_as_many_bytes_as_it_may() -> None:
    """However its bytes divide: names of keys have any length, base64 has not."""
    data = PROOFS[0].encode().replace(b"extra ", b"extra " + b"A" * 4 * 80_000, 1)
    name = MAX_PROOF_FILE - len(data) - len("—  AAAAAAA=\n".encode())
    for longer in (0, 1):
        proof = data + f"— {'w' * (name + longer)} AAAAAAA=\n".encode()
        assert len(proof) == MAX_PROOF_FILE + longer
        if longer:
            with pytest.raises(NoteError, match="longer than"):
                parse_proof(proof)
        else:
            assert bytes(parse_proof(proof)) == proof


def test_an_event_that_is_proven_has_the_length_of_a_line_at_most() -> None:
    bare = b"".join(line for line in PROOFS[0].encode().splitlines(keepends=True) if not line.startswith(b"extra "))
    expected = Expected(leaf(LOG.split(b"\n")[0]), KEYS["host"], 4)
    for size, step in ((MAX_LINE, "P7"), (MAX_LINE + 1, "P6")):
        with pytest.raises(ProofFailure) as caught:
            check_proof(bare, msgspec.structs.replace(expected, line=b"x" * size))
        assert caught.value.step == step


def test_a_key_of_a_policy_has_a_name_that_can_be_shown() -> None:
    """Names of the policy may be any bytes; those of keys are UTF-8."""
    walt = NOTES["keys"]["walt"]["cosigner_key"].encode()
    assert list(parse_policy(b"witness \xff " + walt + b"\nquorum \xff\n").witnesses) == ["\udcff"]
    for line in (b"witness w \xff" + walt, b"log \xff" + str(KEYS["host"]).encode()):
        with pytest.raises(NoteError, match="not UTF-8"):
            parse_policy(line + b"\nquorum none\n")


def test_a_fork_is_told_with_both_roots() -> None:
    """That of the receipt, and that of the log; there is none beyond the log."""
    [forked] = verify(LOG, receipts={"theirs": make_notes.checkpoint(8, make_notes.OTHERS).encode()})[0].findings
    assert forked.expected == root(make_notes.OTHERS[:8]).hex()
    assert forked.actual == root(make_notes.LEAVES[:8]).hex()
    two = {
        str(n): make_notes.checkpoint(9, leaves).encode()
        for n, leaves in enumerate((make_notes.LEAVES, make_notes.OTHERS))
    }
    cut = b"".join(LOG.splitlines(keepends=True)[:3])
    told = [finding for finding in verify(cut, receipts=two)[0].findings if finding.severity == "error"]
    assert [finding.actual for finding in told] == [None, None]


def test_a_policy_says_nothing_about_a_log_that_does_not_hold() -> None:
    """Witnesses sign for whole logs: whether they signed for the one that this should be is not known."""
    lines = LOG.splitlines(keepends=True)
    changed = b"".join([*lines[:8], lines[8].replace(b'"naturals":[', b'"naturals":[1'), *lines[9:]])
    for policy in (f"witness w {NOTES['keys']['walt']['cosigner_key']}\nquorum w\n", "quorum none\n"):
        report, _ = verify(changed, policy=parse_policy(policy.encode()))
        assert [finding.code for finding in report.findings] == ["signature.invalid"]
        assert not any("Policy" in text for text in report.checked)


def test_what_the_keeper_signs_is_never_two_things() -> None:
    """No message of an event, an opening, a checkpoint or a cosignature begins as one of another kind does."""
    from verifier.dice.derivation import OPENING_LABEL
    from verifier.log.format import EVENT_LABEL

    text = Checkpoint(bytes(range(32)), 1, bytes(32)).text.encode()
    begins = {EVENT_LABEL, OPENING_LABEL, text.partition(b"\n")[0] + b"\n", b"cosignature/v1\n"}
    assert len(begins) == 4
    assert all(each.endswith(b"\n") and each.count(b"\n") == 1 for each in begins)


def test_a_receipt_takes_no_memory_of_the_log() -> None:
    """Roots are taken as the lines go by: a stream that can be read once is enough."""
    import io

    class Once(io.BytesIO):
        def seek(self, *_: Any) -> int:
            raise AssertionError("a stream is read once")

    report, _ = verify(Once(LOG), receipts={"mine": make_notes.checkpoint(7).encode()})
    assert report.verdict == "holds"
    assert any("mine" in text for text in report.checked)


def test_receipts_beyond_the_valid_prefix_are_told_as_not_checked() -> None:
    lines = LOG.splitlines(keepends=True)
    changed = b"".join([*lines[:8], lines[8].replace(b'"naturals":[', b'"naturals":[1'), *lines[9:]])
    report, _ = verify(changed, receipts={"mine": make_notes.checkpoint(11).encode()})
    assert [finding.code for finding in report.findings if finding.severity == "error"] == ["signature.invalid"]
    assert any("mine" in text for text in report.not_checked)
    later, _ = verify(changed, receipts={"mine": make_notes.checkpoint(7, make_notes.OTHERS).encode()})
    assert [f.code for f in later.findings if f.severity == "error"] == ["signature.invalid", "receipt.forked"]


SPACES = {*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}


def test_a_key_name_has_no_space_of_those_that_the_page_lists() -> None:
    """Of all code points, these, the plus sign and the controls that no note has are refused, and no others."""
    page = (
        " ".join((SPECS / "checkpoints.md").read_text().split())
        .partition("White_Space, which are ")[2]
        .partition(";")[0]
    )
    listed: set[int] = set()
    for part in page.replace(" and ", ", ").split(", "):
        first, _, last = part.replace("U+", "").partition("–")
        listed |= set(range(int(first, 16), int(last or first, 16) + 1))
    assert listed == SPACES
    refused = {code for code in range(0x110000) if not key_name_is_valid(f"a{chr(code)}b")}
    assert refused == SPACES | {ord("+"), *range(0x20), *range(0x7F, 0xA0)}
