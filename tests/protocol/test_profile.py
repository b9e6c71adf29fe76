"""Profiles: the file that gives a person back, and the succession of keys (specs/profile.md)."""

import json
import re
import time
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from ledger.errors import IdentityError
from ledger.seats.identity import Identity
from ledger.seats.profile import ProfileError, new_profile, parse_profile, read_profile, succeed
from tests.conftest import SPECS
from tests.make import profiles
from verifier import VerifierKey
from verifier.log.bodies import Succession
from verifier.log.succession import SuccessionError, follow, parse_succession, parse_successions, succession_message

VECTORS = json.loads((SPECS / "vectors" / "profiles.json").read_bytes())
FILES = [case for case in VECTORS["files"] if case["code"] != "profile.server"]
"""a program is at no server, and takes a file of any"""
PASSPHRASE = b"seven songs in a row"
TIME = "2026-11-20T19:00:00.000Z"


@pytest.mark.parametrize("case", FILES, ids=lambda case: case["about"])
def test_files(case: dict[str, Any]) -> None:
    code = None
    try:
        opened = read_profile(case["file"].encode(), case["passphrase"].encode())
        assert opened.recovery.public_key().public_bytes_raw().hex() == json.loads(case["file"])["recovery"]
    except IdentityError as error:
        code = getattr(error, "code", str(error))
    assert code == case["code"]


@pytest.mark.parametrize("case", VECTORS["successions"], ids=lambda case: case["about"])
def test_successions(case: dict[str, Any]) -> None:
    code = None
    try:
        parse_succession(case["line"].encode())
    except SuccessionError as error:
        code = error.code
    assert code == case["code"]


@pytest.mark.parametrize("case", VECTORS["following"], ids=lambda case: case["about"])
def test_following(case: dict[str, Any]) -> None:
    found = follow(parse_successions("".join(case["lines"]).encode()))
    assert found.newest == case["newest"]
    assert [*found.split] == case["split"]
    assert [*found.joined] == case["joined"]


def test_a_file_of_successions_is_used_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (case["line"].encode().removesuffix(b"\n") for case in VECTORS["successions"][:3:2])
    good = b"%b\n%b\n" % (first, second)
    monkeypatch.setattr("verifier.log.succession.MAX_SUCCESSIONS_FILE", len(good))
    for data, count in ((b"", 0), (first, 1), (good[:-1], 2), (good, 2)):
        assert len(parse_successions(data)) == count
    for data in (b"\n", b"%b\n\n" % first, b"\n%b" % first, b"%b\n{}" % first, b"%b\n%b" % (first, second[:-1])):
        with pytest.raises(SuccessionError):
            parse_successions(data)
    monkeypatch.setattr("verifier.log.succession.MAX_SUCCESSIONS_FILE", len(good) - 1)
    with pytest.raises(SuccessionError, match="longer"):
        parse_successions(good)


@pytest.mark.long
def test_a_long_way_is_gone_through_once() -> None:
    """A file of 16 MB has some 20,000 in a row: with the square of that a season would stand still."""
    keys = [str(VerifierKey("anna", number.to_bytes(32, "big"))) for number in range(1_000, 21_000)]
    row = [
        Succession("rollproof/succession/v1", key, "0" * 128, new, "0" * 128, "ab" * 32, "0" * 128, TIME)
        for key, new in pairwise(keys)
    ]
    began = time.process_time()
    found = follow(reversed(row))
    assert time.process_time() - began < 5
    assert set(found.newest.values()) == {VerifierKey.parse(keys[-1]).public_bytes.hex()}
    assert len(found.newest) == len(row)


def test_the_vectors_are_those_of_the_page() -> None:
    page = (SPECS / "profile.md").read_text(encoding="utf-8")
    codes = set(re.findall(r"^\| `(profile\.\w+|succession\.\w+)` \|", page, re.MULTILINE))
    assert codes == {case["code"] for kind in ("files", "successions") for case in VECTORS[kind] if case["code"]}


@pytest.mark.long
def test_the_vectors_are_made_from_the_page() -> None:
    assert profiles.all_cases() == VECTORS


def test_a_file_makes_a_new_key_and_its_succession() -> None:
    old, new = Identity.generate("anna"), Identity.generate("anna")
    made = new_profile(old, PASSPHRASE)
    one = succeed(read_profile(bytes(made), PASSPHRASE), new, TIME)
    assert (one.key, one.new) == (str(old.key), str(new.key))
    later = read_profile(bytes(new_profile(new, PASSPHRASE, (one,))), PASSPHRASE)
    assert later.file.successions == (one,)
    assert later.file.recovery != made.recovery


@pytest.mark.parametrize("long", [65_536, 65_537])
def test_a_file_has_a_bound(long: int) -> None:
    """The keys in a succession have no other one."""
    one = Succession("rollproof/succession/v1", "", "0" * 128, "new", "0" * 128, "ab" * 32, "0" * 128, TIME)

    def made(key: str) -> bytes:
        return bytes(replace(own, successions=(replace(one, key=key),)))

    own = new_profile(Identity.generate("anna"), PASSPHRASE)
    file = made("a" * (long - len(made(""))))
    assert len(file) == long
    if long > 65_536:
        with pytest.raises(ProfileError, match="longer than 65536 bytes"):
            parse_profile(file)
    else:
        assert len(parse_profile(file).successions) == 1


def test_a_file_with_a_key_that_is_none_or_a_day_that_is_none_is_malformed() -> None:
    own = new_profile(Identity.generate("anna"), PASSPHRASE)
    one = Succession("rollproof/succession/v1", "a", "0" * 128, "b", "0" * 128, "ab" * 32, "0" * 128, TIME)
    dated = bytes(replace(own, successions=(one,)))
    assert parse_profile(dated).successions == (one,)
    no_day = dated.replace(TIME.encode(), b"2026-02-30T19:00:00.000Z")
    for file in (bytes(replace(own, key="anna")), no_day):
        with pytest.raises(ProfileError) as refused:
            parse_profile(file)
        assert refused.value.code == "profile.malformed"


# --- what a thief tries ------------------------------------------------------------------------------------------


def test_the_file_holds_no_key_that_signs_in_games() -> None:
    """Who has opened the file has the recovery key: no event, opening or checkpoint is signed with it."""
    old = Identity.generate("anna")
    opened = read_profile(bytes(new_profile(old, PASSPHRASE)), PASSPHRASE)
    stolen = opened.recovery
    assert stolen.public_key().public_bytes_raw() != old.key.public_bytes
    for message in (b"rollproof/v1/event\n{}", b"rollproof/v1/opening\n"):
        assert not old.key.verify(stolen.sign(message), message)


def test_a_thief_of_the_signing_key_takes_nobody_over() -> None:
    """It names a recovery key of its own; with the owner's succession that is a split, and neither is followed."""
    old, new, thief = (Identity.generate("anna") for _ in range(3))
    owners = succeed(read_profile(bytes(new_profile(old, PASSPHRASE)), PASSPHRASE), new, TIME)
    thiefs = succeed(read_profile(bytes(new_profile(old, PASSPHRASE)), PASSPHRASE), thief, TIME)
    key = old.key.public_bytes.hex()
    for order in ([owners, thiefs], [thiefs, owners]):
        found = follow(order)
        assert (found.of(key), found.split) == (key, (key,))


def test_a_thief_of_file_and_passphrase_takes_nobody_over_once_the_owner_went_on() -> None:
    old, new, thief = (Identity.generate("anna") for _ in range(3))
    opened = read_profile(bytes(new_profile(old, PASSPHRASE)), PASSPHRASE)
    found = follow([succeed(opened, thief, TIME), succeed(opened, new, TIME)])
    assert found.newest == {}
    assert found.split == (old.key.public_bytes.hex(),)


def test_a_strangers_key_is_taken_for_nobodys_successor() -> None:
    """Mallory has a recovery key, and would like to have bob's luck counted as hers."""
    mallory, bob = Identity.generate("bob"), Identity.generate("bob")
    opened = read_profile(bytes(new_profile(mallory, PASSPHRASE)), PASSPHRASE)
    message = succession_message(str(mallory.key), str(bob.key), opened.file.recovery, TIME)
    forged = Succession(
        "rollproof/succession/v1",
        str(mallory.key),
        opened.file.named,
        str(bob.key),
        mallory.sign(message).hex(),
        opened.file.recovery,
        opened.recovery.sign(message).hex(),
        TIME,
    )
    with pytest.raises(SuccessionError) as refused:
        parse_succession(bytes(forged))
    assert refused.value.code == "succession.new"
