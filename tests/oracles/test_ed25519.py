"""Which signatures are valid (specs/log.md, "Signatures"): our rule, libsodium's, and the curve in plain integers."""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.exceptions import BadSignatureError, CryptoError
from nacl.signing import VerifyKey

from tests.make import signatures as make_signatures
from tests.support import curve
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import Checkpoint as Head
from verifier.checkpoints.checkpoint import CosignerKey, cosign
from verifier.log import ed25519_backend as equations
from verifier.log import identity
from verifier.log.ed25519_backend import ASKED, Equation, by_libsodium, by_openssl
from verifier.log.identity import holds

Triple = tuple[bytes, bytes, bytes]
"""public key, signature, message"""

VECTORS: list[dict[str, Any]] = json.loads(make_signatures.FILE.read_bytes())["signatures"]


def triple(vector: dict[str, Any]) -> Triple:
    return bytes.fromhex(vector["public_key"]), bytes.fromhex(vector["signature"]), bytes.fromhex(vector["message"])


@pytest.fixture(params=["openssl", "libsodium"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Equation:
    """The library that check 4 is left to."""
    found = by_openssl if request.param == "openssl" else by_libsodium()
    assert found is not None, "libsodium answers as it must"
    monkeypatch.setattr(identity, "equation", lambda: found)
    return found


def libsodium_holds(key: bytes, signature: bytes, message: bytes) -> bool:
    try:
        VerifyKey(key).verify(message, signature)
    except (BadSignatureError, ValueError):  # ValueError: a signature of another length
        return False
    return True


@pytest.mark.long
def test_the_vectors_are_those_that_are_made() -> None:
    assert make_signatures.FILE.read_bytes() == make_signatures.make()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
@pytest.mark.usefixtures("library")
def test_every_reader_judges_a_vector_as_it_says(vector: dict[str, Any]) -> None:
    assert holds(*triple(vector)) == vector["valid"], vector["why"]
    assert libsodium_holds(*triple(vector)) == vector["valid"], vector["why"]


@pytest.mark.long
def test_the_vectors_show_what_the_equation_alone_would_take() -> None:
    """Fourteen encodings as R and as A, most of which fit: refusing them is what these vectors are about."""
    small = [v for v in VECTORS if v["name"].startswith(("R is ", "A is ")) and "…" in v["name"]]
    assert len(small) == 2 * len(curve.SMALL_ENCODINGS) == 28
    fit = [v for v in small if curve.equation(*triple(v))]
    assert len(fit) == 14 + 8, "every A; every R that its point has as its encoding"


@pytest.mark.usefixtures("library")
def test_refused_points_are_the_small_ones_and_the_non_canonical_ones() -> None:
    key = Ed25519PrivateKey.generate()
    public, signature = key.public_key().public_bytes_raw(), key.sign(b"message")
    assert holds(public, signature, b"message")
    refused = {*curve.SMALL_ENCODINGS, *curve.NON_CANONICAL}
    assert len(refused) == 48
    for point in refused:
        assert not holds(public, point + signature[32:], b"message")
        assert not holds(point, signature, b"message")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("length", [0, 31, 32, 63, 65, 96])
def test_a_signature_of_another_length_does_not_hold(length: int) -> None:
    key = Ed25519PrivateKey.generate()
    signature = (key.sign(b"message") * 2)[:length]
    assert not holds(key.public_key().public_bytes_raw(), signature, b"message")


@pytest.mark.long
def test_the_keys_of_notes_and_cosignatures_judge_by_the_same_rule() -> None:
    """A signature with an R of small order fits the equation; no kind of key takes it."""
    signer = make_signatures.Signer("mixed", curve.EIGHTH)
    assert any(signer.key.hex() == v["public_key"] for v in VECTORS)
    small = next(triple(v) for v in VECTORS if v["name"] == "R is 26e8…05")
    assert curve.equation(*small)
    assert not VerifierKey("alice", small[0]).verify(small[1], small[2])

    head, time = Head(bytes(32), 1, bytes(32)), 1_700_000_000
    witness = CosignerKey("walt", signer.key)

    def sign(message: bytes) -> bytes:
        """With each R of small order in turn; one of them fits."""
        k = [curve.challenge(signer.key, r, message) % curve.L for r in map(curve.encode, curve.SMALL)]
        tried = [
            make_signatures.joined(curve.encode(point), k * signer.a % curve.L)
            for point, k in zip(curve.SMALL, k, strict=True)
        ]
        return next((s for s in tried if curve.equation(signer.key, s, message)), bytes(64))

    lines = [(at, cosign(head, witness, at, sign)) for at in range(time, time + 8)]
    fitting = [line for _, line in lines if line.signature[8:] != bytes(64)]
    assert fitting, "one time in eight fits, and each time has eight chances"
    assert not any(witness.verify(line.signature, head.text.encode()) for line in fitting)


SCALARS = (0, 1, curve.L - 1, curve.L, curve.L + 1, 2**252 - 1, 2**252, 2**253, 2**255 - 1, 2**256 - 1)


PARTS = [*curve.SMALL_ENCODINGS, *curve.NON_CANONICAL, *(s.to_bytes(32, "little") for s in SCALARS)]


def damaged(source: random.Random, count: int) -> Iterator[Triple]:
    """Signatures with bits flipped or parts replaced, and now and then a good one."""
    secrets = [Ed25519PrivateKey.from_private_bytes(source.randbytes(32)) for _ in range(20)]
    known = [triple(vector) for vector in VECTORS]
    for _ in range(count):
        if source.random() < 0.6:
            secret = source.choice(secrets)
            message = source.randbytes(source.randrange(80))
            made = secret.public_key().public_bytes_raw(), secret.sign(message), message
        else:
            made = source.choice(known)
        key, signature, message_ = map(bytearray, made)
        damage(source, key, signature, message_)
        yield bytes(key), bytes(signature), bytes(message_)


def damage(source: random.Random, key: bytearray, signature: bytearray, message: bytearray) -> None:
    kind = source.choice(("none", "flip", "flip", "flip all", "R", "S", "A", "S + nL"))
    match kind:
        case "flip":
            flip(source, source.choice((key, signature, message or signature)))
        case "flip all":
            for part in (key, signature, message or key):
                flip(source, part)
        case "R":
            signature[:32] = source.choice(PARTS)
        case "S":
            signature[32:] = source.choice(PARTS)
        case "A":
            key[:] = source.choice(PARTS)
        case "S + nL":
            s = int.from_bytes(signature[32:], "little") + source.randrange(1, 8) * curve.L
            signature[32:] = (s % 2**256).to_bytes(32, "little")


def flip(source: random.Random, data: bytearray) -> None:
    for _ in range(source.choice((1, 1, 1, 2, 5))):
        bit = source.randrange(8 * len(data))
        data[bit // 8] ^= 1 << bit % 8


def agree(seed: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fast, held = by_libsodium(), 0
    assert fast is not None
    for key, signature, message in damaged(random.Random(seed), count):
        answers = [libsodium_holds(key, signature, message)]
        for library in (by_openssl, fast):
            monkeypatch.setattr(identity, "equation", lambda library=library: library)
            answers.append(holds(key, signature, message))
        held += answers[0]
        assert len(set(answers)) == 1, (answers, key.hex(), signature.hex(), message.hex())
    assert 0.02 * count < held < 0.5 * count, "damaged ones and good ones"


def test_damaged_signatures_are_judged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    agree(1, 2_000, monkeypatch)


@pytest.mark.slow
def test_a_million_damaged_signatures_are_judged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    agree(2, 1_000_000, monkeypatch)


def test_what_libsodium_is_asked_about_is_in_the_vectors() -> None:
    asked = {
        (bytes.fromhex(a.public_key), bytes.fromhex(a.signature), bytes.fromhex(a.message)): a.valid for a in ASKED
    }
    assert asked.items() <= {triple(vector): vector["valid"] for vector in VECTORS}.items()
    assert set(asked.values()) == {True, False}


def test_without_libsodium_the_other_library_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nacl.bindings", None)
    assert by_libsodium() is None


@pytest.mark.parametrize("answer", [True, False])
def test_a_library_that_answers_otherwise_is_not_used(answer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one with the cofactor takes what ours does not, and one that refuses points of mixed order what ours takes."""

    def otherwise(signed: bytes, public_key: bytes) -> bytes:
        if answer:
            return signed
        raise CryptoError

    monkeypatch.setattr("nacl.bindings.crypto_sign_open", otherwise)
    equations.equation.cache_clear()
    try:
        assert by_libsodium() is None
        assert equations.equation() is by_openssl
    finally:
        equations.equation.cache_clear()
