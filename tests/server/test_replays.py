"""What was signed for one table, game or server is worth nothing at another, and so is a token (specs/network.md).

The other table has the same host, the same players and even the same links, so nothing but what is signed keeps the
two apart.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import msgspec
import pytest

from ledger import lobby
from ledger.game.times import utc_now
from ledger.lobby import Link
from rules import SYSTEMS
from tests.server.served import Plain, Server, roomy
from tests.server.test_surface import PATHS
from verifier import VerifierKey
from verifier.log.plainjson import encode
from verifier.opening import SentOpening

pytestmark = pytest.mark.long

SECRET = os.urandom(32)


class Signed(NamedTuple):
    """All that was signed at a table, by the end of the path that took it."""

    table: str
    game: str
    terms: bytes
    bodies: dict[str, bytes]


def _terms(host: Plain) -> lobby.TableTerms:
    keeper = VerifierKey.parse(host.http.get("/v1/server").json()["keeper"])
    invitations = [Link("", bytes(32), "player", SECRET).invitation]
    options = msgspec.convert({}, SYSTEMS["dice-1"].options)
    return lobby.new_terms(
        *(host.identity, keeper, "dice-1", options, invitations), nonce=os.urandom(32), time=utc_now(), title="Tavern"
    )


def _sat(host: Plain) -> tuple[bytes, bytes]:
    """A new table, with its host in a seat; the terms and the seat."""
    terms = _terms(host)
    assert host.post("/v1/tables", bytes(terms)).status_code == 201
    host.link = Link(str(host.http.base_url), terms.id, "player", SECRET)
    host.token = host.link.token
    seat = bytes(lobby.new_seat(host.identity, host.link))
    assert host.post(f"/v1/tables/{terms.id.hex()}/seats", seat).status_code == 201
    return bytes(terms), seat


def _played(host: Plain) -> Signed:
    """A table with a game and a roll that waits, and all that is signed at one; only the delete was not sent."""
    terms, seat = _sat(host)
    assert host.link is not None
    table = host.link.table
    start = bytes(lobby.new_start(host.identity, table, host.table().seats))
    assert host.post(f"/v1/tables/{table.hex()}/start", start).status_code == 201
    host.enter(64)
    line = host.seat.sign(host.view, "roll", host.typed())
    host.offered(line)
    pending = host.view.replay.pending
    assert pending is not None
    opening = bytes(SentOpening.of(host.game, pending.request, host.seat.opening(host.view, [])))
    received = host.post(host.path("openings"), opening).json()["received"]
    host.fetch()
    bodies = {
        "seats": seat,
        "start": start,
        "close": bytes(lobby.new_closing(host.identity, table, host.game)),
        "delete": bytes(lobby.new_delete(host.identity, table)),
        "unseat": bytes(lobby.new_unseat(host.identity, table, host.identity.key)),
        "invites": bytes(lobby.new_invite(host.identity, host.link, 1)),
        "access": bytes(lobby.new_access(host.identity, host.game, utc_now())),
        "lines": line,
        "openings": opening,
        "received": encode(received),
    }
    return Signed(table.hex(), host.game.hex(), terms, bodies)


@pytest.fixture(scope="module", params=["same-server", "other-server"])
def two(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Signed, Plain]]:
    """What was signed at one table, and its host at another, where a roll waits as well."""
    root = tmp_path_factory.mktemp("tables")
    with roomy(root / "one") as one, roomy(root / "two") as other:
        first = Plain(root / "alice", "alice", one.address)
        there = one if request.param == "same-server" else other
        try:
            signed = _played(first)
            second = _again(first, there)
            with second.http:
                _played_until_open(second)
                yield signed, second
        finally:
            first.close()


def _again(first: Plain, server: Server) -> Plain:
    """The same party with the same seat, at another table, which may be another server's."""
    second: Plain = object.__new__(Plain)
    second.__dict__.update(first.__dict__)
    second.http = httpx.Client(base_url=server.address, timeout=30)
    second.view = type(first.view)()
    return second


def _played_until_open(host: Plain) -> None:
    """A table with a game and a roll that waits for its opening."""
    _sat(host)
    assert host.start().status_code == 201
    host.enter(64)
    host.offered(host.seat.sign(host.view, "roll", host.typed()))


REFUSED: dict[str, tuple[int, ...]] = {
    "seats": (403,),
    "start": (403,),
    "close": (403,),
    "delete": (403,),
    "access": (404,),
    "lines": (409, 422),
    "openings": (422,),
    "received": (422,),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_was_signed_for_one_table_is_refused_at_another(two: tuple[Signed, Plain], what: str) -> None:
    signed, host = two
    assert host.link is not None
    before = host.get(host.path("log")).content, host.table()
    topic = f"/v1/tables/{host.link.table.hex()}" if what in ("seats", "start", "close", "delete") else None
    answer = host.post(f"{topic}/{what}" if topic else host.path(what), signed.bodies[what])
    assert answer.status_code in REFUSED[what], answer.text
    assert (host.get(host.path("log")).content, host.table()) == before


def test_what_was_signed_for_one_lobby_is_refused_in_another(two: tuple[Signed, Plain]) -> None:
    """Where both are refused for the game that has begun, the signature would not be looked at."""
    signed, host = two
    before = host.link
    try:
        _sat(host)
        assert host.link is not None
        for what in ("unseat", "invites"):
            answer = host.post(f"/v1/tables/{host.link.table.hex()}/{what}", signed.bodies[what])
            assert answer.status_code == 403, answer.text
        own = bytes(lobby.new_unseat(host.identity, host.link.table, host.identity.key))
        assert host.post(f"/v1/tables/{host.link.table.hex()}/unseat", own).status_code == 200
    finally:
        host.link = before


def test_the_terms_of_one_server_are_refused_at_another(two: tuple[Signed, Plain]) -> None:
    signed, host = two
    answer = host.post("/v1/tables", signed.terms)
    here = VerifierKey.parse(host.http.get("/v1/server").json()["keeper"])
    if lobby.parse_terms(signed.terms).keeper == str(here):
        assert (answer.status_code, answer.json()) == (200, {"table": signed.table}), "it stands, and is no other"
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "table.terms")


def test_what_was_signed_is_good_where_it_was_meant(tmp_path: Path) -> None:
    """Else the refusals above would show nothing."""
    with roomy(tmp_path / "server") as server:
        host = Plain(tmp_path / "alice", "alice", server.address)
        try:
            signed = _played(host)
            for what in ("seats", "start", "access", "openings", "received", "lines", "close", "delete"):
                topic = (
                    f"tables/{signed.table}"
                    if what in ("seats", "start", "close", "delete")
                    else f"games/{signed.game}"
                )
                answer = host.post(f"/v1/{topic}/{what}", signed.bodies[what])
                assert answer.status_code in (200, 201), (what, answer.text)
        finally:
            host.close()


# --- tokens ----------------------------------------------------------------------------------------------------------


def _asks(party: Plain, table: str, game: str) -> Iterator[tuple[str, Callable[[], httpx.Response]]]:
    """Each path of a table or a game, asked for with a party's token."""
    for method, path in sorted(PATHS):
        if ("{table:str}" not in path and "{game:str}" not in path) or path.startswith(("/t/", "/o/")):
            continue
        if path.endswith("/access"):
            continue  # whose signature holds is given a token of its own
        whole = path.replace("{table:str}", table).replace("{game:str}", game).replace("{path:path}", "0/000.p/1")
        whole += {"actions": "?party=alice", "explain": "?roll=1"}.get(whole.rpartition("/")[2], "")
        yield (
            f"{method} {whole}",
            lambda whole=whole, method=method: (  # type: ignore[misc]
                party.get(whole) if method == "GET" else party.post(whole, b"{}")
            ),
        )


def test_a_token_opens_nothing_of_another_table(tmp_path: Path) -> None:
    """Neither a link's, nor a party's own; not by another link of the same table's host, and not its deletion."""
    with roomy(tmp_path / "server") as server:
        parties = [Plain(tmp_path / name, name, server.address) for name in ("alice", "bob")]
        try:
            tokens: list[list[bytes]] = []
            for party in parties:
                links = party.open_table("dice-1", ("player", "spectator"))
                party.sit(links["player"])
                assert party.start().status_code == 201
                party.enter(64)
                wish = bytes(lobby.new_access(party.identity, party.game, utc_now()))
                own = bytes.fromhex(party.post(party.path("access"), wish).json()["token"])
                tokens.append([links["player"].token, links["spectator"].token, own])
            alice, bob = parties
            assert bob.link is not None
            seen: list[str] = []
            for token in [*tokens[0], os.urandom(32), b""]:
                alice.token = token
                for path, ask in _asks(alice, bob.link.table.hex(), bob.game.hex()):
                    answer = ask()
                    assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), path
                    seen.append(path)
            assert len(seen) == 5 * len(set(seen))
            assert len(set(seen)) > 20
        finally:
            for party in parties:
                party.close()


def test_a_spectator_s_token_seats_and_signs_nobody(tmp_path: Path) -> None:
    """It reads; what is to be taken has to be signed by a key that the link does not give."""
    with roomy(tmp_path / "server") as server:
        alice, eve = (Plain(tmp_path / name, name, server.address) for name in ("alice", "eve"))
        try:
            links = alice.open_table("dice-1", ("player", "spectator"))
            alice.sit(links["player"])
            eve.link, eve.token = links["spectator"], links["spectator"].token
            forged = lobby.new_seat(eve.identity, Link("", links["player"].table, "player", links["spectator"].secret))
            table = f"/v1/tables/{links['player'].table.hex()}"
            assert eve.post(f"{table}/seats", bytes(forged)).status_code == 403
            start = lobby.new_start(eve.identity, links["player"].table, alice.table().seats)
            assert eve.post(f"{table}/start", bytes(start)).status_code == 403
            assert eve.post(f"{table}/delete", bytes(lobby.new_delete(eve.identity, eve.link.table))).status_code == 403
            assert eve.get(table).status_code == 200
        finally:
            alice.close()
            eve.close()
