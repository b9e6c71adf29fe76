"""Compare what reads profiles and successions with an oracle that was written from profile.md alone."""

import base64
import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ledger.errors import IdentityError
from ledger.seats import profile
from tests.conftest import SPECS
from tests.oracles import profile_oracle as oracle
from verifier.log.succession import SuccessionError, follow, parse_successions

VECTORS = json.loads((SPECS / "vectors" / "profiles.json").read_bytes())
TIMES = ("2026-11-20T19:00:00.000Z", "2026-11-20T19:00:01.000Z")
PASSPHRASE = "seven songs in a row"
SALT = "ab" * 16
Value = dict[str, Any]


def code_of(read: Callable[[], object]) -> str | None:
    try:
        read()
    except oracle.Refused as refused:
        return refused.code
    return None


@pytest.mark.parametrize("case", VECTORS["files"], ids=lambda case: case["about"])
def test_files(case: Value) -> None:
    data = case["file"].encode()
    assert code_of(lambda: oracle.read_profile(data, case["passphrase"], case["server"])) == case["code"]


@pytest.mark.parametrize("case", VECTORS["successions"], ids=lambda case: case["about"])
def test_successions(case: Value) -> None:
    assert code_of(lambda: oracle.read_successions(case["line"].encode())) == case["code"]


@pytest.mark.parametrize("case", VECTORS["following"], ids=lambda case: case["about"])
def test_following(case: Value) -> None:
    found = oracle.follow(oracle.read_successions("".join(case["lines"]).encode()))
    assert found == oracle.Followed(case["newest"], set(case["split"]), set(case["joined"]))


# --- sets that nobody thought of --------------------------------------------------------------------------------------


class Person:
    """A key, and the recovery keys that it has named: an owner has one, a thief makes a second."""

    def __init__(self, name: str, number: int) -> None:
        self.secret = secret_of("key", number)
        public = self.secret.public_key().public_bytes_raw()
        typed = b"\x01" + public
        key_id = hashlib.sha256(name.encode() + b"\n" + typed).hexdigest()[:8]
        self.public = public.hex()
        self.key = f"{name}+{key_id}+{base64.b64encode(typed).decode()}"
        self.recovery = [secret_of("recovery", number), secret_of("thief", number)]


def secret_of(what: str, number: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"{what} {number}".encode()).digest())


ANNA = [Person("anna", number) for number in range(6)]
NORA = [Person("nora", number) for number in range(6)]
"""the same keys under another name"""


def naming(key: str, recovery: str) -> bytes:
    told = {"format": "rollproof/recovery/v1", "key": key, "recovery": recovery}
    return b"rollproof/v1/recovery\n" + oracle.canonical(told)


@cache
def signed(old: Person, new: Person, owner: int = 0, time: str = TIMES[0], recovery: str | None = None) -> bytes:
    """A succession in canonical form; with `recovery` all keys sign, but it is another one that they name."""
    hand = old.recovery[owner]
    told = {
        "format": "rollproof/succession/v1",
        "key": old.key,
        "new": new.key,
        "recovery": recovery or hand.public_key().public_bytes_raw().hex(),
        "time": time,
    }
    message = b"rollproof/v1/succession\n" + oracle.canonical(told)
    signatures = {
        "named": old.secret.sign(naming(old.key, told["recovery"])).hex(),
        "new_sig": new.secret.sign(message).hex(),
        "sig": hand.sign(message).hex(),
    }
    return oracle.canonical(told | signatures)


def any_line(chance: random.Random) -> bytes:
    names = NORA if chance.random() < 0.1 else ANNA
    old, new = chance.sample(names[: chance.randint(2, 6)], 2)
    return signed(old, new, int(chance.random() < 0.1), chance.choice(TIMES))


SIGNATURES = ("named", "new_sig", "sig")


def another_digit(chance: random.Random, value: Value) -> Value:
    member = chance.choice((*SIGNATURES, "recovery"))
    at = chance.randrange(len(value[member]))
    return value | {member: value[member][:at] + chance.choice("0123456789abcdef") + value[member][at + 1 :]}


def another_type(chance: random.Random, value: Value) -> Value:
    odd: tuple[Any, ...] = (
        "",
        "anna",
        "AB" * 64,
        "ab" * 63,
        "ab" * 65,
        1,
        True,
        [],
        {},
        "2026-02-30T19:00:00.000Z",
        TIMES[0] + "\n",
    )
    return value | {chance.choice([*value]): chance.choice(odd)}


def another_time(chance: random.Random, value: Value) -> Value:
    times = (
        "0001-01-01T00:00:00.000Z",
        "0000-01-01T00:00:00.000Z",
        "2026-11-20T24:00:00.000Z",
        "٢026-11-20T19:00:00.000Z",
    )
    return value | {"time": chance.choice(times)}


def another_key(chance: random.Random, value: Value) -> Value:
    keys = [each.key for each in (*ANNA, *NORA)] + ["file" + value["key"][4:], value["key"][:-1], value["key"] + "="]
    return value | {chance.choice(("key", "new")): chance.choice(keys)}


def swapped(chance: random.Random, value: Value) -> Value:
    one, two = chance.sample(SIGNATURES, 2)
    return value | {one: value[two], two: value[one]}


def a_larger_scalar(chance: random.Random, value: Value) -> Value:
    """The signature with the group's order added: some libraries take it."""
    member = chance.choice(SIGNATURES)
    scalar = int.from_bytes(bytes.fromhex(value[member][64:]), "little") + oracle.ORDER
    return value | {member: value[member][:64] + scalar.to_bytes(32, "little").hex()}


def of_small_order(chance: random.Random, value: Value) -> Value:
    """A recovery key of small order and its signature, with the sign bit or without; the key has named it."""
    point = bytearray(chance.choice(sorted(oracle.SMALL_ORDER)))
    point[31] |= chance.choice((0, 0x80))
    old = next(each for each in (*ANNA, *NORA) if each.key == value["key"])
    recovery = point.hex()
    named = old.secret.sign(naming(old.key, recovery)).hex()
    return value | {"named": named, "recovery": recovery, "sig": "01" + "00" * 63}


def its_own_recovery_key(chance: random.Random, value: Value) -> Value:
    old, new = (next(each for each in (*ANNA, *NORA) if each.key == value[member]) for member in ("key", "new"))
    return dict(json.loads(signed(old, new, recovery=chance.choice((old, new)).public)))


def a_member_less(chance: random.Random, value: Value) -> Value:
    without = chance.choice([*value])
    return {member: value[member] for member in value if member != without}


def a_member_more(chance: random.Random, value: Value) -> Value:
    return value | {chance.choice(("a", "zz", "ſ", "called")): chance.choice(("", 0, [[]]))}


CHANGES = (
    another_digit,
    another_digit,
    another_type,
    another_time,
    another_key,
    swapped,
    a_larger_scalar,
    of_small_order,
    its_own_recovery_key,
    a_member_less,
    a_member_more,
)


def spoilt(chance: random.Random, line: bytes) -> bytes:
    """Other bytes, of which most say the same to a reader that is not strict."""
    return chance.choice(
        (
            b"",
            b"null",
            b"[" * 1_900,
            b" " + line,
            line + b"\r",
            b"\xef\xbb\xbf" + line,
            line[:-1] + b',"time":"2026-11-20T19:00:00.000Z"}',
            line.replace(b'"key"', b'"k\\u0065y"'),
            line.replace(b"anna", b"\xff"),
            line.replace(b"anna", b"\\ud800"),
            line.replace(b":00.000Z", b":00.0000Z"),
            line[: chance.randrange(len(line))],
        )
    )


def any_file(chance: random.Random) -> bytes:
    """Successions of few keys, so that there are splits, rounds and two with one `new`; in some a damaged line."""
    lines = [any_line(chance) for _ in range(chance.randint(0, 7))]
    if lines and chance.random() < 0.4:
        at = chance.randrange(len(lines))
        changed = chance.choice(CHANGES)(chance, json.loads(lines[at]))
        lines[at] = oracle.canonical(changed) if chance.random() < 0.8 else spoilt(chance, lines[at])
    return b"\n".join(lines) + chance.choice((b"", b"\n", b"\n", b"\n", b"\n\n"))


def judged(data: bytes) -> str | oracle.Followed:
    """What the oracle says."""
    try:
        return oracle.follow(oracle.read_successions(data))
    except oracle.Refused as refused:
        return refused.code


def product_judged(data: bytes) -> str | oracle.Followed:
    try:
        found = follow(parse_successions(data))
    except SuccessionError as error:
        return error.code
    return oracle.Followed(dict(found.newest), set(found.split), set(found.joined))


def test_both_judge_and_follow_any_successions_alike() -> None:
    chance, seen = random.Random(28), Counter[str]()
    for _ in range(600):
        data = any_file(chance)
        expected = judged(data)
        assert product_judged(data) == expected, data.decode(errors="replace")
        if isinstance(expected, str):
            seen[expected] += 1
            continue
        stated = {name: bool(getattr(expected, name)) for name in ("newest", "split", "joined")}
        stated["further"] = bool(expected.newest.keys() & {line_new(line) for line in data.split()})
        stated["round"] = not any((expected.newest, expected.split, expected.joined)) and data.count(b"{") > 0
        seen.update(name for name, is_so in stated.items() if is_so)
    codes = {f"succession.{code}" for code in ("malformed", "named", "recovery", "new")}
    assert codes | {"newest", "split", "joined", "further", "round"} <= seen.keys(), seen


def line_new(line: bytes) -> str:
    return oracle.verifier_key(json.loads(line)["new"]).public.hex()


# --- files ------------------------------------------------------------------------------------------------------------


def sealed(told: Value, secret: Ed25519PrivateKey) -> Value:
    """A file as its owner would make it, whatever stands in it."""
    box = AESGCM(oracle.sealing_key(PASSPHRASE, bytes.fromhex(SALT), 600_000))
    data = box.encrypt(bytes.fromhex("cd" * 12), secret.private_bytes_raw(), oracle.canonical(told))
    return told | {"sealed": data.hex()}


def any_profile(chance: random.Random) -> bytes:
    """A file of the last of some keys; many have one thing in them that is not so, sealed with the rest or changed."""
    way = chance.sample(ANNA, chance.randint(1, 4))
    owner = way[-1]
    successions = [json.loads(signed(old, new)) for old, new in pairwise(way)]
    recovery = owner.recovery[0].public_key().public_bytes_raw().hex()
    told: Value = {
        "format": "rollproof/profile/v1",
        "iterations": 600_000,
        "key": owner.key,
        "named": owner.secret.sign(naming(owner.key, recovery)).hex(),
        "nonce": "cd" * 12,
        "recovery": recovery,
        "salt": SALT,
        "successions": successions,
    }
    if chance.random() < 0.3:
        told |= {"called": chance.choice(("Anna", "アンナ", "", " A", "A\u200d", "é\u200d", "1\ufe0f\u20e3", "A" * 41))}
    if chance.random() < 0.3:
        told |= {"server": chance.choice(("", "https://dice.example.org", "x\u2028", "s" * 501))}
    secret = owner.recovery[int(chance.random() < 0.1)]
    damage = chance.randrange(8)
    if damage == 0 and successions:
        at = chance.randrange(len(successions))
        successions[at] = chance.choice(CHANGES)(chance, successions[at])
    elif damage == 1:
        chance.shuffle(successions)
        del successions[: chance.randrange(2)]
    elif damage == 2:
        told |= {"named": chance.choice(ANNA).secret.sign(naming(owner.key, recovery)).hex()}
    elif damage == 3:
        told |= {chance.choice([*told]): chance.choice(("", "ab" * 32, 0, True, [], [1], [[]], {}))}
    made = sealed(told, secret)
    if damage == 4:
        made |= chance.choice(
            (
                {"called": "Mallory"},
                {"successions": []},
                {"nonce": "00" * 12},
                {"key": NORA[0].key},
                {"sealed": "ab" * 48},
            )
        )
    line = oracle.canonical(made)
    if damage == 5:
        line = chance.choice((spoilt(chance, line), line.replace(b"600000", b"6e5"), b'"' + b"a" * 65_536 + b'"'))
    return line + chance.choice((b"", b"\n", b"\n", b"\n", b"\n\n"))


def test_both_read_any_file_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of the passphrase is worked out once: the vectors have it worked out anew by both."""
    monkeypatch.setattr(profile, "_cipher", cache_of_ciphers())
    chance, seen = random.Random(29), Counter[str | None]()
    for _ in range(400):
        data = any_profile(chance)
        expected = code_of(lambda data=data: oracle.read_profile(data, PASSPHRASE, None))  # type: ignore[misc]
        found = None
        try:
            profile.read_profile(data, PASSPHRASE.encode())
        except IdentityError as error:
            found = getattr(error, "code", str(error))
        assert found == expected, data.decode(errors="replace")
        seen[expected] += 1
    kinds = ("malformed", "passphrase", "key", "named", "successions")
    assert {None, *(f"profile.{kind}" for kind in kinds)} <= seen.keys(), seen


def cache_of_ciphers() -> Callable[[profile.ProfileFile, bytes], AESGCM]:
    def cipher(file: profile.ProfileFile, passphrase: bytes) -> AESGCM:
        return AESGCM(oracle.sealing_key(passphrase.decode(), bytes.fromhex(file.salt), file.iterations))

    return cipher
