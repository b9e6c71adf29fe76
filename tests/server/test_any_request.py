"""Requests by somebody who knows the paths, the tables and their tokens, and sends anything (specs/network.md).

What a server describes at /v1/openapi.json is asked for with what is meant and with what is not: in paths, queries,
headers and bodies. Nothing is answered with 500, everything refused is in the form of a refusal, every answer has its
policies, and the log has no error in it.
"""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import lobby
from ledger.event.links import code_token
from ledger.game.times import utc_now
from ledger.lobby.published import new_publish, new_revoke
from ledger.page.overlay import overlay
from tests.server.event_day import Day, identity
from tests.server.served import ROOMY, Plain, Server, seated, serving, with_limits
from tests.server.test_surface import DATA, NO_ROLL, ROLL, policies
from verifier.log.plainjson import encode
from verifier.opening import SentOpening

pytestmark = pytest.mark.long


class Known(NamedTuple):
    """What there is."""

    paths: list[tuple[str, str, dict[str, Any]]]
    """method, path, operation"""
    there: list[dict[str, Any]]
    """tables, each with its `table`, its `game` and its `tokens`"""
    bodies: dict[str, list[Any]]
    """by the end of a path: what was meant for it once"""


def _bodies(alice: Plain, bob: Plain) -> dict[str, list[Any]]:
    """Signed, and as these tables take them, but for `delete`."""
    assert alice.link is not None
    line = alice.seat.sign(alice.view, "roll", alice.typed())
    bob.fetch()
    return {
        "seats": [json.loads(bytes(lobby.new_seat(alice.identity, alice.link)))],
        "start": [json.loads(bytes(lobby.new_start(alice.identity, alice.link.table, alice.table().seats)))],
        "close": [json.loads(bytes(lobby.new_closing(alice.identity, alice.link.table, alice.game)))],
        "access": [json.loads(bytes(lobby.new_access(bob.identity, bob.game, utc_now())))],
        "lines": [json.loads(line), *(json.loads(each) for each in alice.view.lines(0))],
        "catch-up": [json.loads(each) for each in alice.view.lines(0)],
        "read": [{"line": "4d6kh3 for Strength", "party": "alice", "type": "roll"}],
    }


def _openings(bob: Plain) -> list[Any]:
    """One that is handed in, and the keeper's receipt for it."""
    bob.fetch()
    pending = bob.view.replay.pending
    assert pending is not None
    opening = bob.seat.opening(bob.view, [])
    sent = json.loads(bytes(SentOpening.of(bob.game, pending.request, opening)))
    received = bob.post(bob.path("openings"), encode(sent)).json()["received"]
    return [sent, received]


@contextmanager
def _known(root: Path, server: Server) -> Iterator[Known]:
    """A table that plays, one that is closed, one that has not begun; a published roll, and an event in its round."""
    with (
        seated(root / "playing", server.address, "alice", "bob") as [alice, bob],
        seated(root / "closed", server.address, "carol") as [carol],
        Day(server.address) as day,
    ):
        assert alice.link is not None
        assert carol.link is not None
        begins = day.opening()
        day.begun()
        carol.act("roll", carol.typed("4d6kh3 for Strength"))
        assert carol.open().status_code == 201
        publish = new_publish(carol.identity, carol.game, carol.view.replay.size - 1, names=True, nonce=bytes(32))
        roll = carol.post(carol.path("rolls"), bytes(publish)).json()["roll"]
        closing = bytes(lobby.new_closing(carol.identity, carol.link.table, carol.game))
        assert carol.post(f"/v1/tables/{carol.link.table.hex()}/close", closing).status_code == 201
        waiting = carol.open_table("dice-1", ("player", "judge", "spectator"))
        alice.fetch()
        bodies = _bodies(alice, bob)
        alice.offered(encode(bodies["lines"][0]))
        bodies["openings"] = bodies["received"] = _openings(bob)
        bodies["events"] = [json.loads(begins)]
        bodies["rolls"] = [json.loads(bytes(publish))]
        bodies["revoke"] = [json.loads(bytes(new_revoke(bob.identity, carol.game, roll)))]
        bodies["names"] = [json.loads(day.names_file())]
        bodies["acts"] = [json.loads(day.act(day.olga, "pair", {"byes": [], "round": 2, "tables": []}))]
        bodies["access"].append(json.loads(bytes(lobby.new_access(day.olga, bytes.fromhex(day.event), utc_now()))))
        access = bob.post(bob.path("access"), encode(bodies["access"][0])).json()["token"]
        described = httpx.get(f"{server.address}/v1/openapi.json").json()
        yield Known(
            [
                (method.upper(), path, operation)
                for path, operations in described["paths"].items()
                for method, operation in operations.items()
            ],
            [
                {
                    "table": alice.link.table.hex(),
                    "game": alice.game.hex(),
                    "tokens": [alice.link.token, bytes.fromhex(access)],
                },
                {
                    "table": alice.link.table.hex(),
                    "game": alice.game.hex(),
                    "event": day.event,
                    "roll": roll,
                    "tokens": [bytes.fromhex(day.token), code_token(day.codes[1])],
                },
                {"table": carol.link.table.hex(), "game": carol.game.hex(), "tokens": [carol.link.token]},
                {
                    "table": waiting["player"].table.hex(),
                    "game": "0" * 64,
                    "tokens": [each.token for each in waiting.values()],
                },
            ],
            bodies,
        )


# --- what is sent ----------------------------------------------------------------------------------------------------

ODD_TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["", "0", "-1", "9" * 5_000, "1e9", "NaN", "\0", "\ud7ff", "%00", "../..", "a" * 5_000, "٠", "²"]),
    st.integers(-(10**30), 10**30).map(str),
)
NUMBERS = st.one_of(st.integers(0, 12), st.sampled_from([2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**100])).map(str)
TILES = st.sampled_from(
    [
        *("0/000", "0/000.p/3", "entries/000.p/2", "1/000", "6/x999/x999/x999/x999/x999/999"),
        *("0/" + "x999/" * 2_000 + "999", "entries/x123/456.p/255", "0/000.p/999"),
    ]
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), ODD_TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(ODD_TEXTS, inner, max_size=4)),
    max_leaves=8,
)
NESTED = st.sampled_from([b"[" * 30_000, b'{"a":' * 10_000 + b"1" + b"}" * 10_000, b"[" * 5_000 + b"]" * 5_000])
HEADERS = {
    "Accept-Language": st.one_of(ODD_TEXTS, st.sampled_from(["ja", "en;q=nan, ja;q=inf", "ja;q=-1", ",;q=,"])),
    "Last-Event-ID": st.one_of(NUMBERS, ODD_TEXTS),
    "If-None-Match": ODD_TEXTS,
    "Content-Type": st.sampled_from(["text/plain", "multipart/form-data", "application/json; charset=x", ""]),
    "Accept": st.sampled_from(["text/html", "*/*;q=x", ""]),
    "Accept-Encoding": st.sampled_from(["gzip, br", "identity;q=0"]),
    "Range": st.sampled_from(["bytes=0-1", "bytes=-"]),
    "Cookie": ODD_TEXTS,
    "Origin": st.sampled_from(["null", "https://elsewhere.example"]),
    "Sec-Fetch-Site": st.sampled_from(["cross-site", "none"]),
    "X-Forwarded-For": st.sampled_from(["", "x", "203.0.113.9", "[::1", ":::", "1.2.3.4:99999"]),
    "X-Forwarded-Proto": st.sampled_from(["https", "x"]),
    "X-HTTP-Method-Override": st.just("DELETE"),
    "Upgrade": st.just("websocket"),
    "Expect": st.just("100-continue"),
}


def _changed(draw: st.DrawFn, value: Any) -> Any:
    """A value with one thing in it changed."""
    if isinstance(value, dict) and value and draw(st.booleans()):
        name = draw(st.sampled_from(sorted(value)))
        what = draw(st.sampled_from(["drop", "change", "into", "more"]))
        if what == "drop":
            return {key: each for key, each in value.items() if key != name}
        if what == "more":
            return {**value, draw(ODD_TEXTS): draw(JSON)}
        return {**value, name: draw(JSON) if what == "change" else _changed(draw, value[name])}
    if isinstance(value, list) and value and draw(st.booleans()):
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], _changed(draw, value[at]), *value[at + 1 :]]
    return draw(JSON)


def _body(draw: st.DrawFn, known: Known, path: str, operation: dict[str, Any]) -> bytes:
    kind = draw(st.sampled_from(["meant", "changed", "changed", "json", "bytes", "nested"]))
    if kind == "bytes":
        return draw(st.binary(max_size=200))
    if kind == "nested":
        return draw(NESTED)
    if kind == "json":
        return json.dumps(draw(JSON)).encode("utf-8", "surrogatepass")
    [content] = operation["requestBody"]["content"].values()
    meant = [*known.bodies.get(path.rpartition("/")[2], []), content.get("example", {})]
    value = draw(st.sampled_from(meant))
    if kind == "changed":
        value = _changed(draw, value)
    try:
        return encode(value)
    except (TypeError, ValueError, OverflowError):
        return json.dumps(value).encode("utf-8", "surrogatepass")


class Sent(NamedTuple):
    """A request."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@st.composite
def requests(draw: st.DrawFn, known: Known) -> Sent:
    """What somebody could send, mostly to what there is."""
    method, path, operation = draw(st.sampled_from(known.paths))
    of_others = "{event}" in path or "{roll}" in path
    one = known.there[1] if of_others else draw(st.sampled_from([known.there[0], *known.there]))
    target = path
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            name = parameter["name"]
            mostly = TILES if name == "path" else st.just(one.get(name, one["game"]))
            value = draw(mostly) if draw(st.integers(0, 9)) else draw(ODD_TEXTS)
            target = target.replace(f"{{{name}}}", quote(value.encode("utf-8", "replace"), safe="/"))
    queries = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
    asked = draw(st.lists(st.sampled_from([*queries, "x"]), max_size=3))
    values = [draw(st.one_of(NUMBERS, NUMBERS, ODD_TEXTS, st.just("alice"))) for _ in asked]
    pairs = [f"{name}={quote(value.encode('utf-8', 'replace'))}" for name, value in zip(asked, values, strict=True)]
    headers = {
        name: quote(draw(HEADERS[name]).encode("utf-8", "replace")[:6_000], safe=" ;,=/*:.[]").strip()
        for name in draw(st.lists(st.sampled_from(sorted(HEADERS)), max_size=2))
    }
    good = draw(st.sampled_from(one["tokens"]))
    token = good if draw(st.integers(0, 9)) else draw(st.one_of(st.binary(min_size=32, max_size=32), st.none()))
    if token is not None:
        headers["Authorization"] = f"Bearer {token.hex()}"
    body = _body(draw, known, path, operation) if method == "POST" else b""
    method = draw(st.sampled_from([method] * 12 + ["POST", "HEAD", "PUT", "OPTIONS"]))
    return Sent(method, target + ("?" + "&".join(pairs) if pairs else ""), headers, body)


# --- what is answered ------------------------------------------------------------------------------------------------


def _check(client: httpx.Client, sent: Sent) -> int:
    """Send it; the status of the answer."""
    extensions = {"target": sent.target.encode("ascii")}
    request = client.build_request(sent.method, "/", headers=sent.headers, content=sent.body, extensions=extensions)
    answer = client.send(request, stream=True)
    try:
        status = answer.status_code
        assert status < 500 or (status == 501 and "/v1/oembed" in sent.target), (sent, answer.read())
        framed = sent.target.startswith("/r/") and answer.headers["content-type"].startswith("text/html")
        if framed:
            assert status in (200, 304, 404, 410)
            policies(answer.headers, ROLL if status in (200, 304) else NO_ROLL)
        elif status >= 400:
            body = answer.read()
            reached = sent.target.startswith("/v1/")
            policies(answer.headers, DATA, elsewhere=reached)
            assert answer.headers["content-type"] == "application/problem+json", sent
            told = json.loads(body) if sent.method != "HEAD" else {"status": status, "code": "", "detail": ""}
            assert told["status"] == status
            assert {"code", "detail"} <= set(told)
        elif answer.headers["content-type"] != "text/event-stream":
            answer.read()
        assert answer.headers["x-content-type-options"] == "nosniff"
        overlaid = sent.target.startswith("/o/") and status in (200, 304)
        if overlaid:
            policies(answer.headers, overlay("en").policy)
        assert framed or overlaid or "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        return status
    finally:
        answer.close()


@pytest.mark.parametrize("examples", [250, pytest.param(20_000, marks=pytest.mark.slow)])
def test_nothing_that_is_sent_makes_a_server_fail(tmp_path: Path, examples: int) -> None:
    statuses: dict[int, int] = {}
    limits = ROOMY | {"MAX_STREAMS": 100_000, "MAX_READERS": 100_000, "MAX_IDLE": 5}
    organizer = str(identity("olga").key)
    with serving(tmp_path / "server", "--organizer", organizer, *with_limits(tmp_path, limits)) as server:
        with _known(tmp_path, server) as known, httpx.Client(base_url=server.address, timeout=60) as client:

            @settings(max_examples=examples)
            @given(requests(known))
            def send(sent: Sent) -> None:
                status = _check(client, sent)
                statuses[status] = statuses.get(status, 0) + 1

            send()
            assert httpx.get(f"{server.address}/health").text == "ok\n"
        server.process.send_signal(signal.SIGTERM)
        _, log = server.process.communicate(timeout=60)
        assert server.process.returncode == 0
    told = [json.loads(line) for line in log.splitlines()]
    assert [each for each in told if each["level"] != "info"] == []
    assert {200, 400, 404} <= set(statuses), statuses
