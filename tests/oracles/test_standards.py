"""The standards that this builds on, by their own vectors, and a second opinion on canonical form."""

import hashlib
import hmac
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import rfc8785

from ledger.seats.identity import Identity
from tests.oracles import reference
from tests.support.bundles import bundled
from tests.support.table import ROLL, Table, identity_from
from verifier import Failure, VerifierKey
from verifier.dice import derivation
from verifier.log.format import check_canonical
from verifier.log.merkle import MerkleTree, leaf_hash, verify_consistency, verify_inclusion
from verifier.log.plainjson import encode

VECTORS = Path(__file__).parents[2] / "specs" / "vectors"
HOLDING = sorted((VECTORS / "logs").glob("holds--*.jsonl"))

# --- RFC 8785: canonical JSON --------------------------------------------------------------------------------------

# The examples of RFC 8785 that have no fraction and no null: 3.2.2 (strings), 3.2.3 (sorting), 3.2.2.1 (literals).
RFC_8785: list[tuple[Any, str]] = [
    (
        {"string": '\u20ac$\u000f\nA\'B"\\\\"/'},
        '{"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ),
    ({"literals": [True, False]}, '{"literals":[true,false]}'),
    (
        {"\u20ac": "Euro Sign", "\r": "Carriage Return", "1": "One", "\u0080": "Control", "ö": "O umlaut"},
        '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"O umlaut","€":"Euro Sign"}',
    ),
    (
        {"\ufb33": "Hebrew Letter Dalet With Dagesh", "</script>": "Browser Challenge"},
        '{"</script>":"Browser Challenge","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    ),
    ([56, {"d": True, "10": 1, "1": []}], '[56,{"1":[],"10":1,"d":true}]'),
    ({"a": 9007199254740991, "b": -9007199254740991, "c": 0}, '{"a":9007199254740991,"b":-9007199254740991,"c":0}'),
]


@pytest.mark.parametrize(("value", "expected"), RFC_8785)
def test_rfc_8785_examples_come_out_as_they_stand_there(value: Any, expected: str) -> None:
    canonical = encode(value)
    assert canonical == expected.encode()
    assert canonical == rfc8785.dumps(value) == reference.canonical(value)
    check_canonical(canonical, value)


@bundled("path", HOLDING, lambda path: path.stem)
def test_a_second_library_finds_every_line_of_a_holding_log_canonical(path: Path) -> None:
    for line in path.read_bytes().splitlines():
        assert rfc8785.dumps(json.loads(line)) == line


def test_a_second_library_finds_every_line_of_a_fresh_game_canonical(make_table: Callable[..., Table]) -> None:
    table = make_table(title='É "quoted" \\ 🎲 \u00a0 \ufffd').begin()
    table.roll("alice", source="Déjà vu – “x” 𝔘\u200d")
    table.act("bob", "roll", ROLL)
    table.void()
    table.act("dana", "ruling", {"ruling": "penalty", "subject": 3, "party": "bob", "text": "Slow / late"})
    for line in table.lines:
        assert rfc8785.dumps(json.loads(line)) == line


@pytest.mark.parametrize(
    "line",
    [
        b'{"a": 1}',
        b'{"b":1,"a":2}',
        b'{"a":1,"a":1}',
        b'{"a":"\\u0041"}',
        b'{"a":"\\/"}',
        b'{"a":01}',
        b'{"a":-0}',
        b'{"a":"\\u000A"}',
        b'{"a":1}\n',
        b'\xef\xbb\xbf{"a":1}',
    ],
)
def test_what_a_lenient_reader_takes_is_not_canonical(line: bytes) -> None:
    try:
        value = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return
    with pytest.raises(Failure, match="canonical") as caught:
        check_canonical(line, value)
    assert (caught.value.step, caught.value.code) == (6, "line.not-canonical")


# --- RFC 4231: HMAC-SHA256 -----------------------------------------------------------------------------------------

RFC_4231 = [
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (bytes(range(1, 26)), b"\xcd" * 50, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
        b"hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
]


@pytest.mark.parametrize(("key", "data", "mac"), RFC_4231)
def test_rfc_4231_vectors_hold_for_the_step_of_a_chain(
    monkeypatch: pytest.MonkeyPatch, key: bytes, data: bytes, mac: str
) -> None:
    monkeypatch.setattr(derivation, "_link_head", lambda *_: data[:-8])
    assert derivation.chain_step(key, b"", "", int.from_bytes(data[-8:], "big")).hex() == mac


@pytest.mark.parametrize(("key", "data", "mac"), RFC_4231)
def test_rfc_4231_vectors_hold_for_the_seed_of_a_roll(
    monkeypatch: pytest.MonkeyPatch, key: bytes, data: bytes, mac: str
) -> None:
    monkeypatch.setattr(derivation, "SEED_LABEL", data)
    monkeypatch.setattr(derivation, "_u64", lambda _: b"")
    assert derivation.roll_seed(key, 0, ()).hex() == mac


@pytest.mark.parametrize(("key", "data", "mac"), RFC_4231)
def test_rfc_4231_vectors_hold_for_the_blocks_of_a_stream(
    monkeypatch: pytest.MonkeyPatch, key: bytes, data: bytes, mac: str
) -> None:
    monkeypatch.setattr(derivation, "DICE_LABEL", data)
    monkeypatch.setattr(derivation, "_u64", lambda _: b"")
    # 2**256 sides would take 32 bytes and reject none: as a number, the block itself.
    (natural,) = derivation.draw(key, (2**256,))
    assert (natural - 1).to_bytes(32, "big").hex() == mac


def test_the_messages_of_a_chain_a_seed_and_an_opening_are_put_together_as_the_page_says() -> None:
    game, link, request = b"g" * 32, b"l" * 32, b"r" * 32
    assert derivation.link_message(game, "bob", 1) == b"rollproof/v1/link\n" + game + b"\x03bob" + b"\0" * 7 + b"\x01"
    opened = b"rollproof/v1/opening\n" + game + request + b"\x03bob" + (258).to_bytes(8, "big") + link
    assert derivation.opening_message(game, request, "bob", 258, link) == opened
    seed = derivation.roll_seed(game, 3, [("bob", link), ("alice", request)])
    message = b"rollproof/v1/seed\n" + (3).to_bytes(8, "big") + b"\x03bob" + link + b"\x05alice" + request
    assert seed == hmac.digest(game, message, "sha256")
    assert seed != derivation.roll_seed(game, 3, [("alice", request), ("bob", link)])


# --- RFC 8032: Ed25519 ---------------------------------------------------------------------------------------------

RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        b"",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bb"
        "e24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        b"\x72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302"
        "aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        b"\xaf\x82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed"
        "28dc027beceea1ec40a",
    ),
    (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        hashlib.sha512(b"abc").digest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac"
        "17ad9bef1177331a704",
    ),
]


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_rfc_8032_vectors_hold_for_identities_and_verifier_keys(
    secret: str, public: str, message: bytes, signature: str
) -> None:
    identity = identity_from("alice", bytes.fromhex(secret))
    assert identity.key.public_bytes.hex() == public
    assert identity.sign(message).hex() == signature
    key = VerifierKey.parse(str(identity.key))
    assert key.verify(bytes.fromhex(signature), message)
    assert not key.verify(bytes.fromhex(signature), message + b"\0")
    assert not key.verify(bytes(64), message)


def test_a_signature_whose_s_is_not_below_the_group_order_is_refused() -> None:
    identity = Identity.generate("alice")
    signature = identity.sign(b"message")
    order = 2**252 + 27742317777372353535851937790883648493
    s = int.from_bytes(signature[32:], "little") + order
    assert s < 2**256
    assert identity.key.verify(signature, b"message")
    assert not identity.key.verify(signature[:32] + s.to_bytes(32, "little"), b"message")


@pytest.mark.parametrize("length", [0, 63, 65, 128])
def test_a_signature_of_another_length_is_refused(length: int) -> None:
    assert not Identity.generate("alice").key.verify(bytes(length), b"message")


# --- RFC 6962: Merkle trees ----------------------------------------------------------------------------------------

# The tree of the certificate-transparency project's tests: inputs, and the root of each beginning.
LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def test_rfc_6962_trees_have_the_roots_of_their_vectors() -> None:
    tree = MerkleTree()
    roots = [tree.root().hex()]
    for data in LEAVES:
        tree.append(leaf_hash(bytes.fromhex(data)))
        roots.append(tree.root().hex())
    assert roots == ROOTS
    assert tree.size == len(LEAVES)


def test_the_tree_has_the_root_that_the_recursive_definition_gives_for_every_size() -> None:
    tree = MerkleTree()
    leaves: list[bytes] = []
    for n in range(200):
        assert tree.root() == reference.root(leaves)
        copy = tree.copy()
        leaves.append(leaf_hash(str(n).encode()))
        tree.append(leaves[-1])
        assert (copy.size, copy.root()) == (n, reference.root(leaves[:-1])), "a copy stays as it was"


def test_a_place_outside_of_a_tree_is_proven_by_nothing() -> None:
    leaf = leaf_hash(b"alone")
    assert verify_inclusion(leaf, 0, 1, [], leaf)
    assert verify_consistency(1, 1, leaf, leaf, [])
    for index, size in ((-1, 1), (1, 1), (0, 0), (-1, 0)):
        assert not verify_inclusion(leaf, index, size, [], leaf)
    for old, size in ((2, 1), (1, 0), (0, 1), (0, 0), (-1, 1)):
        assert not verify_consistency(old, size, leaf, leaf, [])


def test_a_leaf_is_no_inner_node() -> None:
    left, right = leaf_hash(b"left"), leaf_hash(b"right")
    tree = MerkleTree()
    tree.append(left)
    tree.append(right)
    assert leaf_hash(left + right) != tree.root()
    assert tree.root() == hashlib.sha256(b"\x01" + left + right).digest()
