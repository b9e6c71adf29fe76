"""Profiles in the page's core: one key at many tables, its file, and a new phone (specs/profile.md)."""

import json
import random
from typing import Any

import pytest

from ledger.seats.identity import Identity
from ledger.seats.profile import read_profile
from tests.conftest import SPECS
from tests.server.served import Server
from tests.web.browsers import NODE, Browsers, CoreError
from tests.web.tables import At
from verifier import VerifierKey
from verifier.log.bodies import Succession
from verifier.log.succession import follow, parse_successions

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.usefixtures("all_leave"),
    pytest.mark.long,
]

VECTORS: dict[str, Any] = json.loads((SPECS / "vectors" / "profiles.json").read_bytes())
PASSPHRASE = "seven songs in a row"
TIME = "2026-11-20T19:00:00.000Z"


def test_files_of_the_vectors(browsers: Browsers) -> None:
    told: dict[str, str | None] = {}
    cases = {case["about"]: case for case in VECTORS["files"] if case["server"] is not None}
    for about, case in cases.items():
        try:
            browsers("openProfile", file=case["file"], passphrase=case["passphrase"], server=case["server"])
            told[about] = None
        except CoreError as error:
            told[about] = error.code
    assert told == {about: case["code"] for about, case in cases.items()}


def test_successions_of_the_vectors(browsers: Browsers) -> None:
    told = {case["about"]: browsers("successionFlaw", line=case["line"]) for case in VECTORS["successions"]}
    assert told == {case["about"]: case["code"] for case in VECTORS["successions"]}


def test_following_of_the_vectors(browsers: Browsers) -> None:
    for case in VECTORS["following"]:
        told = browsers("followSuccessions", lines=case["lines"])
        assert told == {name: case[name] for name in ("newest", "split", "joined")}, case["about"]


def test_both_programs_follow_any_set_alike(browsers: Browsers) -> None:
    """Few keys and many successions, so that there are splits, rounds and two with one successor."""
    chance = random.Random(7)
    keys = [str(Identity.generate("anna").key) for _ in range(6)]
    for _ in range(300):
        sets = [
            Succession("rollproof/succession/v1", key, "0" * 128, new, "0" * 128, recovery * 64, "0" * 128, TIME)
            for key, new in (chance.sample(keys, 2) for _ in range(chance.randrange(1, 7)))
            for recovery in chance.choices("ab", (9, 1))
        ]
        found = follow(sets)
        told = browsers("followSuccessions", lines=[bytes(each).decode() for each in sets])
        assert told == {"newest": found.newest, "split": [*found.split], "joined": [*found.joined]}


def public(key: str) -> str:
    return VerifierKey.parse(key).public_bytes.hex()


def test_one_person_at_two_tables_and_on_a_new_phone(server: Server, browsers: Browsers) -> None:
    """Alice's seats of two evenings have one key, bob's own key for this table is another; and her phone is lost."""
    first = At(browsers, server.address, judge=None)
    assert first("me", "alice")["key"] == first.keys["alice"]
    first.roll("alice")
    file = first("keepProfile", "alice", passphrase=PASSPHRASE)["bytes"]
    assert first("keepProfile", "alice", passphrase="another passphrase")["bytes"] == file, "one key, one file"
    assert read_profile(file.encode(), PASSPHRASE.encode()).file.server == server.address, "the program reads it"

    second = At(browsers, server.address, players=(), judge=None, start=False)
    for name, own in (("alice", False), ("bob", True)):
        second.browsers("here", f"{second.prefix} {name}", address=server.address, storage=f"{first.prefix} {name}")
        second("table", name, link=second.links["player"])
        second("sit", name, name=name, own=own)
    assert second("seatKey", "alice") == first.keys["alice"]
    assert second("seatKey", "bob") != first.keys["bob"]
    assert second("me", "bob")["key"] == first.keys["bob"], "the profile is as it was"

    # Another name, and a passphrase to move with: keys of their own.
    third = At(browsers, server.address, players=(), judge=None, start=False)
    third.browsers("here", f"{third.prefix} alice", address=server.address, storage=f"{first.prefix} alice")
    third("table", "alice", link=third.links["player"])
    third("sit", "alice", name="allie")
    assert third("seatKey", "alice") != first.keys["alice"]

    phone = At(browsers, server.address, players=(), judge=None, start=False)
    phone.here("alice")
    with pytest.raises(CoreError) as refused:
        phone("bringIn", "alice", file=file, passphrase="seven songs in a raw")
    assert (refused.value.code, phone("me", "alice")) == ("profile.passphrase", None)
    phone("bringIn", "alice", file=file, passphrase=PASSPHRASE)
    with pytest.raises(CoreError) as refused:
        phone("bringIn", "alice", file=file, passphrase=PASSPHRASE)
    assert refused.value.code == "profile.twice"
    me = phone("me", "alice")
    assert (me["name"], me["kept"], me["successions"]) == ("alice", False, 1)
    phone("table", "alice", link=phone.links["player"])
    phone("sit", "alice", name="alice")
    assert phone("seatKey", "alice") == me["key"] != first.keys["alice"]
    told = parse_successions(phone("successions", "alice")["bytes"].encode())
    assert follow(told).of(public(first.keys["alice"])) == public(me["key"])
    later = phone("keepProfile", "alice", passphrase=PASSPHRASE)["bytes"]
    assert read_profile(later.encode(), PASSPHRASE.encode()).file.successions == told


def test_a_profiles_key_that_sits_here_or_was_taken_out_sits_again_under_another(
    server: Server, browsers: Browsers
) -> None:
    at = At(browsers, server.address, players=("alice",), agree=False)
    assert at("me", "dana")["key"] == at.keys["dana"]
    lobby = At(browsers, server.address, players=(), judge=None, start=False)
    lobby.here("alice")
    lobby("table", "alice", link=lobby.links["player"])
    lobby("sit", "alice", name="alice")
    key = lobby("seatKey", "alice")
    lobby.until("host", "s.table && s.table.seats.length === 1")
    lobby("unseat", "host", key=key)
    lobby.until("alice", "s.table.out")
    lobby("sit", "alice", name="alice")
    assert lobby("seatKey", "alice") != key
    assert lobby("me", "alice")["key"] == key


def test_two_tabs_make_one_profile(server: Server, browsers: Browsers) -> None:
    tables = [At(browsers, server.address, players=(), judge=None, start=False) for _ in range(2)]
    for number, at in enumerate(tables):
        at.browsers("here", f"{at.prefix} tab", address=server.address, storage=f"{tables[0].prefix} alice")
        at("table", "tab", link=at.links["player"])
        assert at("me", "tab") is None, number
    for done in [at.begin("sit", "tab", name="alice") for at in tables]:
        done.result(60)
    assert len({at("seatKey", "tab") for at in tables}) == 1
