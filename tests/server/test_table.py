"""A table on a real server, step by step as specs/network.md has them."""

import hashlib
import json
import os
import time
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from ledger import lobby
from ledger.game.times import utc_now
from ledger.lobby import Link
from rules import SYSTEMS
from tests.server.served import Plain, Server, roomy
from verifier import VerifierKey, verify
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.checkpoints.note import parse_note, signed_by
from verifier.log.merkle import leaf_hash, root_of, verify_inclusion
from verifier.log.plainjson import encode
from verifier.opening import SentOpening, parse_received


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with roomy(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def party(tmp_path: Path, server: Server) -> Iterator["_Parties"]:
    parties = _Parties(tmp_path, server.address)
    yield parties
    for each in parties.made:
        each.close()


class _Parties:
    def __init__(self, root: Path, address: str) -> None:
        self._root, self._address = root, address
        self.made: list[Plain] = []

    def __call__(self, name: str) -> Plain:
        found = Plain(self._root / name, name, self._address)
        self.made.append(found)
        return found


def _begun(party: "_Parties") -> tuple[Plain, Plain]:
    alice, bob = party("alice"), party("bob")
    links = alice.open_table("dice-1")
    assert alice.sit(links["player"]).status_code == 201
    assert bob.sit(links["player"]).status_code == 201
    assert bob.sit(links["player"]).status_code == 200
    assert alice.start().status_code == 201
    assert alice.start().status_code == 200
    alice.enter()
    bob.enter()
    return alice, bob


def test_from_the_link_to_dice(party: "_Parties") -> None:
    alice, bob = _begun(party)
    alice.act("roll", alice.typed("4d6kh3 for Strength"))
    taken = bob.open()
    assert taken.status_code == 201, taken.text
    received = parse_received(encode(taken.json()["received"]))
    assert (received.author, received.receiver) == ("bob", "keeper")
    assert bob.open().status_code == 200
    assert alice.open().status_code == 201
    bob.fetch()
    assert bob.view.replay.session.phase == "idle"
    bob.act("roll", bob.typed())
    assert alice.open().status_code == 201
    assert bob.open().status_code == 201
    alice.fetch()
    log = b"".join(line + b"\n" for line in alice.view.lines(0))
    report, _ = verify(log)
    assert report.verdict == "holds"
    assert report.state is not None
    assert len(report.state["rolls"]) == 2


# --- who may read ----------------------------------------------------------------------------------------------------


def test_without_the_link_there_is_nothing(party: "_Parties") -> None:
    """A game asked for by somebody without its secret is answered as one that does not exist, byte for byte."""
    alice, _ = _begun(party)
    assert alice.link is not None
    eve = party("eve")
    known = [f"/v1/tables/{alice.link.table.hex()}", f"/v1/games/{alice.game.hex()}"]
    unknown = [f"/v1/tables/{os.urandom(32).hex()}", f"/v1/games/{os.urandom(32).hex()}"]
    rests = {
        "/v1/tables": ["", "/stream", "/seats", "/start", "/delete"],
        "/v1/games": [
            *("/log", "/stream", "/lines", "/openings", "/received", "/catch-up", "/checkpoint"),
            *("/tile/0/000.p/1", "/tile/entries/000.p/1", "/anchor"),
        ],
    }
    for token in (b"", os.urandom(32), alice.link.secret):
        eve.token = token
        for there, nowhere in zip(known, unknown, strict=True):
            for rest in rests[there.rpartition("/")[0]]:
                posts = rest in ("/seats", "/start", "/delete", "/lines", "/openings", "/received", "/catch-up")
                ask = (lambda path: eve.post(path, b"{}")) if posts else eve.get
                found, other = ask(there + rest), ask(nowhere + rest)
                assert (found.status_code, found.content) == (other.status_code, other.content), rest
                assert found.status_code == 404, rest
                assert found.headers["content-type"] == "application/problem+json"
                assert found.json()["code"] == "not-found"


def test_a_table_s_link_opens_no_other_game(party: "_Parties") -> None:
    alice, _ = _begun(party)
    carol = party("carol")
    links = carol.open_table("dice-1")
    carol.sit(links["player"])
    assert carol.get(alice.path("log")).status_code == 404
    alice.token = carol.token
    assert alice.get(alice.path("log")).status_code == 404


def test_a_party_reads_by_its_signature(party: "_Parties") -> None:
    alice, bob = _begun(party)
    link_token = bob.token
    bob.token = b""
    path = bob.path("access")
    good = lobby.new_access(bob.identity, bob.game, utc_now())
    answer = bob.post(path, bytes(good))
    assert answer.status_code == 200
    bob.token = bytes.fromhex(answer.json()["token"])
    assert bob.token != link_token
    assert bob.get(bob.path("log")).status_code == 200
    eve = party("eve")
    stranger = lobby.new_access(eve.identity, bob.game, utc_now())
    posing = msgspec.structs.replace(stranger, party="bob")
    other_game = lobby.new_access(bob.identity, os.urandom(32), utc_now())
    for access in (stranger, posing, other_game):
        assert eve.post(path, bytes(access)).json()["code"] == "not-found"
    early = lobby.new_access(bob.identity, bob.game, "2020-01-01T00:00:00.000Z")
    refused = eve.post(path, bytes(early))
    assert (refused.status_code, refused.json()["code"]) == (403, "access.time")
    assert alice.get(alice.path("log")).status_code == 200


# --- the lobby -------------------------------------------------------------------------------------------------------


def test_what_a_lobby_refuses(party: "_Parties") -> None:
    alice, eve = party("alice"), party("eve")
    links = alice.open_table("dice-1", ("player", "judge", "spectator"))
    alice.sit(links["player"])
    path = f"/v1/tables/{links['player'].table.hex()}"

    def code(answer: httpx.Response) -> tuple[int, str]:
        return answer.status_code, answer.json()["code"]

    eve.token = links["spectator"].token
    seat = lobby.new_seat(eve.identity, links["player"])
    forged = [
        msgspec.structs.replace(seat, sig="00" * 64),
        msgspec.structs.replace(seat, invitation=seat.sig),
        msgspec.structs.replace(seat, role="judge"),
        msgspec.structs.replace(seat, key=str(alice.identity.key)),
        msgspec.structs.replace(seat, table="00" * 32),
    ]
    for each in forged:
        assert code(eve.post(f"{path}/seats", bytes(each))) == (403, "table.seat")
    assert code(eve.post(f"{path}/seats", b" " + bytes(seat))) == (400, "malformed")
    other = lobby.new_start(eve.identity, links["player"].table, alice.table().seats)
    assert code(eve.post(f"{path}/start", bytes(other))) == (403, "table.host")
    unseated = lobby.new_start(alice.identity, links["player"].table, [*alice.table().seats, seat])
    assert code(alice.post(f"{path}/start", bytes(unseated))) == (403, "table.start")
    assert alice.start().status_code == 201
    assert code(eve.post(f"{path}/seats", bytes(seat))) == (409, "table.started")
    namesake = party("alice2")
    assert namesake.identity.key.name == "alice2"


def test_a_name_is_taken_by_the_first_key(party: "_Parties", tmp_path: Path) -> None:
    alice = party("alice")
    links = alice.open_table("dice-1")
    assert alice.sit(links["player"]).status_code == 201
    other = Plain(tmp_path / "other", "alice", str(alice.http.base_url))
    party.made.append(other)
    refused = other.sit(links["player"])
    assert (refused.status_code, refused.json()["code"]) == (409, "table.name")


@pytest.mark.long
def test_terms_that_are_not_the_server_s(party: "_Parties") -> None:
    alice = party("alice")
    link = Link("", bytes(32), "player", os.urandom(32))
    options = msgspec.convert({}, SYSTEMS["dice-1"].options)
    keeper = VerifierKey.parse(alice.http.get("/v1/server").json()["keeper"])

    def terms(keeper: VerifierKey, system: str, time: str) -> lobby.TableTerms:
        return lobby.new_terms(
            alice.identity, keeper, system, options, [link.invitation], nonce=os.urandom(32), time=time
        )

    good = terms(keeper, "dice-1", utc_now())
    bad = [
        terms(alice.identity.key, "dice-1", utc_now()),
        terms(keeper, "dice-9", utc_now()),
        terms(keeper, "dice-1", "2020-01-01T00:00:00.000Z"),
        msgspec.structs.replace(good, title="another"),
    ]
    for each in bad:
        answer = alice.post("/v1/tables", bytes(each))
        assert (answer.status_code, answer.json()["code"]) == (403, "table.terms")
    assert alice.post("/v1/tables", bytes(good)).status_code == 201
    assert alice.post("/v1/tables", bytes(good)).status_code == 200


# --- lines -----------------------------------------------------------------------------------------------------------


def test_losing_a_race(party: "_Parties") -> None:
    alice, bob = _begun(party)
    for each in (alice, bob):
        each.fetch()
    first = alice.seat.sign(alice.view, "roll", alice.typed())
    second = bob.seat.sign(bob.view, "roll", bob.typed("d6"))
    taken = alice.offer(first)
    assert taken.status_code == 201
    lost = bob.offer(second)
    assert lost.status_code == 409
    problem = lost.json()
    assert problem["code"].startswith("chain.")
    assert problem["size"] == bob.view.replay.size + 1
    again = alice.offer(first)
    assert (again.status_code, again.json()["seq"]) == (200, taken.json()["seq"])


def test_refusals_name_code_and_clause_in_the_reader_s_language(party: "_Parties") -> None:
    alice, bob = _begun(party)
    bob.fetch()
    line = bob.seat.sign(bob.view, "roll", bob.typed())
    event = msgspec.json.decode(line)
    event["sig"] = "00" * 64
    forged = encode(event)
    refused = bob.offer(forged)
    assert refused.status_code == 422
    assert refused.json()["code"] == "event.signature" or refused.json()["code"].startswith("signature")
    assert refused.headers["content-type"] == "application/problem+json"
    japanese = bob.http.post(
        bob.path("lines"), content=forged, headers={**bob.headers, "Accept-Language": "fr, ja;q=0.9, en;q=0.1"}
    )
    assert japanese.json()["code"] == refused.json()["code"]
    assert japanese.json()["detail"] != refused.json()["detail"]
    assert alice.get(alice.path("log?from=-1")).status_code == 400


def test_the_keeper_s_events_are_taken_from_nobody(party: "_Parties") -> None:
    alice, _ = _begun(party)
    alice.fetch()
    line = alice.seat.sign(alice.view, "roll", alice.typed())
    event = msgspec.json.decode(line)
    event["author"] = "keeper"
    answer = alice.offer(encode(event))
    assert answer.status_code == 422


def test_openings_for_others_are_refused(party: "_Parties") -> None:
    alice, bob = _begun(party)
    alice.act("roll", alice.typed())
    bob.fetch()
    opening = bob.seat.opening(bob.view)
    pending = bob.view.replay.pending
    assert pending is not None
    for forged in (
        msgspec.structs.replace(opening, author="alice"),
        msgspec.structs.replace(opening, author="keeper"),
        msgspec.structs.replace(opening, link="11" * 32),
        msgspec.structs.replace(opening, sig="00" * 64),
    ):
        answer = alice.post(alice.path("openings"), bytes(SentOpening.of(bob.game, pending.request, forged)))
        assert answer.status_code == 422, answer.text
    moved = alice.post(alice.path("openings"), bytes(SentOpening.of(bob.game, bob.game, opening)))
    assert moved.status_code == 422
    assert bob.open().status_code == 201


def test_a_receipt_that_comes_when_the_dice_are_shown_is_no_mistake(party: "_Parties") -> None:
    alice, bob = _begun(party)
    alice.act("roll", alice.typed())
    assert bob.open().status_code == 201
    alice.fetch()
    opening = alice.seat.opening(alice.view, [sent.opening for sent in alice.openings()])
    pending = alice.view.replay.pending
    assert pending is not None
    bob.fetch()
    receipt = bob.seat.acknowledge(bob.view, opening)
    sent = bytes(SentOpening.of(alice.game, pending.request, opening))
    assert bob.post(bob.path("received"), bytes(receipt)).status_code == 422
    assert alice.post(alice.path("openings"), sent).status_code == 201
    assert bob.post(bob.path("received"), bytes(receipt)).status_code == 200
    other = msgspec.structs.replace(receipt, link="00" * 32)
    assert bob.post(bob.path("received"), bytes(other)).status_code == 422


# --- the stream ------------------------------------------------------------------------------------------------------


def test_the_stream_has_all_lines_in_order_and_resumes(party: "_Parties") -> None:
    alice, bob = _begun(party)
    alice.fetch()
    lines = [data for name, data in bob.stream_start() if name == "line"]
    assert lines == list(alice.view.lines(0))
    with bob.http.stream("GET", bob.path("stream"), headers={**bob.headers, "Last-Event-ID": "3"}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        ids = []
        for line in answer.iter_lines():
            if line.startswith("id: "):
                ids.append(int(line.removeprefix("id: ")))
            if line.startswith("event: here"):
                break
    assert ids == list(range(4, alice.view.replay.size))


def test_the_stream_of_a_closed_game_ends_and_says_that_nothing_more_comes(party: "_Parties") -> None:
    """For who follows when it is closed, and for who comes later; in time, not at the next comment."""
    alice, bob = _begun(party)
    assert alice.link is not None
    path = f"/v1/tables/{alice.link.table.hex()}/close"
    closing = bytes(lobby.new_closing(alice.identity, alice.link.table, alice.game))

    def told(reader: Plain) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        with reader.http.stream("GET", reader.path("stream?from=0"), headers=reader.headers) as answer:
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    found.append((line.removeprefix("event: "), ""))
                elif line.startswith("data: "):
                    found[-1] = (found[-1][0], line.removeprefix("data: "))
                    if reader is bob and found[-1][0] == "here":
                        assert alice.post(path, closing).status_code in (200, 201)
        return found

    began = time.monotonic()
    at_the_end, later = told(bob), told(alice)
    assert time.monotonic() - began < 10
    for each in (at_the_end, later):
        assert each[-1] == ("bye", '{"retry":null}')
        names = [name for name, _ in each]
        close = max(at for at, name in enumerate(names) if name == "line")
        assert json.loads(each[close][1])["type"] == "close"
        assert "checkpoint" in names[close:]


def test_who_follows_is_told_who_comes_and_who_goes(party: "_Parties") -> None:
    alice, bob = _begun(party)
    for each in (alice, bob):
        access = lobby.new_access(each.identity, each.game, utc_now())
        each.token = bytes.fromhex(each.post(each.path("access"), bytes(access)).json()["token"])
    told = []
    with alice.http.stream("GET", alice.path("stream?from=99"), headers=alice.headers) as answer:
        lines = (line for line in answer.iter_lines() if line.startswith('data: {"here"'))
        told.append(next(lines))
        with bob.http.stream("GET", bob.path("stream?from=99"), headers=bob.headers) as others:
            next(others.iter_lines())
            told += [next(lines), next(lines)]
        told.append(next(lines))
    assert [json.loads(each.removeprefix("data: "))["here"] for each in told] == [
        ["alice"],
        ["alice"],
        ["alice", "bob"],
        ["alice"],
    ]


def test_the_stream_tells_at_once_what_comes(party: "_Parties") -> None:
    alice, bob = _begun(party)
    names = []
    with bob.http.stream("GET", bob.path(f"stream?from={bob.view.replay.size}"), headers=bob.headers) as answer:
        lines = answer.iter_lines()
        for line in lines:
            if line.startswith("event: here"):
                break
        alice.act("roll", alice.typed())
        alice2 = Plain(alice.home.root.parent, "alice", str(alice.http.base_url))
        assert bob.open().status_code == 201
        assert alice.open().status_code == 201
        for line in lines:
            if line.startswith("event: "):
                names.append(line.removeprefix("event: "))
            if names.count("line") == 2 and names[-1] == "checkpoint":
                break
        alice2.close()
    assert names == ["line", "checkpoint", "opening", "received", "opening", "received", "line", "checkpoint"]


# --- tile logs -------------------------------------------------------------------------------------------------------


def test_the_tile_log_is_the_log(party: "_Parties") -> None:
    alice, _ = _begun(party)
    alice.fetch()
    size = alice.view.replay.size
    assert alice.view.checkpoint is not None
    assert alice.view.checkpoint.head.size == size
    tile = alice.get(alice.path(f"tile/0/000.p/{size}")).content
    leaves = [tile[at : at + 32] for at in range(0, len(tile), 32)]
    assert leaves == [leaf_hash(line) for line in alice.view.lines(0)]
    assert root_of(leaves) == alice.view.checkpoint.head.root
    entries = alice.get(alice.path(f"tile/entries/000.p/{size}")).content
    for line in alice.view.lines(0):
        assert entries.startswith(len(line).to_bytes(2, "big") + line)
        entries = entries[2 + len(line) :]
    assert alice.get(alice.path(f"tile/0/000.p/{size + 1}")).status_code == 404
    assert alice.get(alice.path("tile/0/../../x")).status_code == 404


# --- closing and deleting ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("waiting", [False, True], ids=["idle", "waiting"])
def test_a_host_has_its_game_closed(party: "_Parties", waiting: bool) -> None:
    """Then its final checkpoint stands in the anchor log, which anybody reads and nobody learns from."""
    alice, bob = _begun(party)
    assert alice.link is not None
    path = f"/v1/tables/{alice.link.table.hex()}/close"
    refused = bob.post(path, bytes(lobby.new_closing(bob.identity, alice.link.table, alice.game)))
    assert (refused.status_code, refused.json()["code"]) == (403, "table.host")
    assert alice.get(alice.path("anchor")).status_code == 404
    if waiting:
        alice.act("roll", alice.typed())
    wish = bytes(lobby.new_closing(alice.identity, alice.link.table, alice.game))
    closed = alice.post(path, wish)
    assert closed.status_code == 201, closed.text
    assert alice.post(path, wish).status_code == 200
    bob.fetch()
    assert bob.view.replay.session.phase == "closed"
    final = parse_checkpoint(closed.json()["checkpoint"].encode())
    assert final.head.size == bob.view.replay.size == closed.json()["seq"] + 1
    anchor = bob.get(bob.path("anchor")).json()
    salt = bytes.fromhex(anchor["salt"])
    entry = hashlib.sha256(b"rollproof/v1/anchor\n" + salt + final.head.text.encode()).digest()
    origin, size, root = anchor["checkpoint"].split("\n")[:3]
    keeper = bob.view.replay.terms.keys["keeper"]
    assert origin == f"rollproof/v1/anchors/{hashlib.sha256(str(keeper).encode()).hexdigest()}"
    assert signed_by(parse_note(anchor["checkpoint"].encode()), keeper) is not None
    proof = [bytes.fromhex(each) for each in anchor["proof"]]
    assert verify_inclusion(leaf_hash(entry), anchor["index"], int(size), proof, b64decode(root))
    bob.token = b""
    assert bob.get("/v1/anchors/checkpoint").text == anchor["checkpoint"]
    entries = bob.get(f"/v1/anchors/tile/entries/000.p/{size}").content
    assert b"\x00\x20" + entry in entries


def test_a_host_has_its_table_deleted(party: "_Parties", server: Server) -> None:
    alice, bob = _begun(party)
    assert alice.link is not None
    path = f"/v1/tables/{alice.link.table.hex()}"
    not_host = bob.post(f"{path}/delete", bytes(lobby.new_delete(bob.identity, alice.link.table)))
    assert (not_host.status_code, not_host.json()["code"]) == (403, "table.host")
    assert alice.post(f"{path}/delete", bytes(lobby.new_delete(alice.identity, alice.link.table))).status_code == 200
    for where in (path, alice.path("log"), alice.path("checkpoint")):
        gone = alice.get(where)
        assert (gone.status_code, gone.json()["code"]) == (410, "deleted")
    for database in (server.root / "home").glob("*.db"):
        held = database.read_bytes()
        for secret in (alice.link.token, *alice.view.lines(1)):
            assert secret not in held
