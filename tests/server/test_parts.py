"""Parts of the server by themselves: tiles, readers, limits (specs/network.md)."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
import structlog

from ledger import lobby
from ledger.event.acts import parse_act
from ledger.keeper.calling_away import HEARD
from ledger.keeper.operations import NewLine, NewOpening
from ledger.lobby.published import parse_publish, parse_revoke
from ledger.network.bearer import authorization_of, token_in
from ledger.network.wire import EventTokens
from ledger.server import hub as hub_module
from ledger.server.admission import Quiet
from ledger.server.hub import Hub, StreamItem, Subscription
from ledger.server.limits import Gate, Limits
from ledger.server.metrics import Metrics
from ledger.server.openapi import EXAMPLES
from ledger.server.problems import Problem
from ledger.server.readers import Readers
from ledger.server.sent_items import SentItems
from ledger.server.sse import EventStream
from ledger.transparency.tiles import Kept, Nodes, Tile, covers, entry, hash_tile, parse_tile, tile_path
from tests.support.cli import REPOSITORY
from verifier.event.names import parse_names
from verifier.log.bodies import Opening
from verifier.log.format import glance
from verifier.log.merkle import leaf_hash, root_of
from verifier.log.plainjson import encode
from verifier.opening import SentOpening, parse_received, parse_sent

SPECS = REPOSITORY / "specs"
VECTORS = SPECS / "vectors"


@pytest.mark.parametrize(
    ("path", "tile"),
    [
        ("0/000", Tile(0, 0, 256)),
        ("0/005.p/3", Tile(0, 5, 3)),
        ("1/x001/234", Tile(1, 1234, 256)),
        ("6/000", Tile(6, 0, 256)),
        ("entries/x001/x234/067", Tile(None, 1_234_067, 256)),
        ("entries/000.p/255", Tile(None, 0, 255)),
    ],
)
def test_tile_paths(path: str, tile: Tile) -> None:
    assert parse_tile(path) == tile
    assert tile_path(tile) == path


@pytest.mark.parametrize(
    "path",
    [
        *("", "0", "0/0", "0/0000", "0/x000/001", "0/x001", "0/001/002", "-1/000", "00/000", "7/000"),
        *("0/000.p/0", "0/000.p/256", "0/000.p/00", "0/000/", "/0/000", "0/000.p/3/..", "entries/../000", "0/٠٠٠"),
    ],
)
def test_no_tiles(path: str) -> None:
    assert parse_tile(path) is None


@pytest.mark.parametrize("groups", [6, 1_500, 100_000])
def test_a_number_of_a_tile_has_a_bound(groups: int) -> None:
    """Python refuses to read one of more than 4,300 digits."""
    assert parse_tile("0/x001/" + "x234/" * (groups - 2) + "567") == (
        None if groups > 6 else Tile(0, 1234234234234567, 256)
    )
    assert parse_tile("entries/" + "x999/" * groups + "999") is None


def test_tiles_hash_what_they_stand_for() -> None:
    lines = [str(number).encode() for number in range(600)]
    leaves = [leaf_hash(line) for line in lines]

    asked: list[tuple[int, int]] = []

    def part(start: int, stop: int) -> list[bytes]:
        asked.append((start, stop))
        return leaves[start:stop]

    kept: Kept = {}
    nodes = Nodes(part, kept)
    assert hash_tile(Tile(0, 1, 256), nodes) == b"".join(leaves[256:512])
    assert hash_tile(Tile(0, 2, 88), nodes) == b"".join(leaves[512:])
    assert not covers(Tile(0, 2, 89), 600)
    roots = root_of(leaves[:256]) + root_of(leaves[256:512])
    assert hash_tile(Tile(1, 0, 2), nodes) == roots
    assert not covers(Tile(1, 0, 3), 600)
    asked.clear()
    assert hash_tile(Tile(1, 0, 2), nodes) == hash_tile(Tile(1, 0, 2), Nodes(part, kept)) == roots
    assert not asked, "what is above full tiles is worked out once"
    assert [entry(line) for line in lines[512:514]] == [b"\x00\x03512", b"\x00\x03513"]
    assert covers(Tile(None, 2, 88), 600)
    assert not covers(Tile(None, 2, 89), 600)


def test_the_root_over_a_full_tile_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each tile of level 1 would hash 65,536 lines anew."""
    leaves = [leaf_hash(b"%d" % number) for number in range(3 * 256)]
    kept: Kept = {}
    first = hash_tile(Tile(1, 0, 2), Nodes(lambda start, stop: leaves[start:stop], kept))
    worked_out = list[int]()

    def counted(hashes: Sequence[bytes]) -> bytes:
        worked_out.append(len(hashes))
        return root_of(hashes)

    monkeypatch.setattr("ledger.transparency.tiles.root_of", counted)
    assert hash_tile(Tile(1, 0, 2), Nodes(lambda start, stop: leaves[start:stop], kept)) == first
    assert worked_out == []
    hash_tile(Tile(1, 0, 3), Nodes(lambda start, stop: leaves[start:stop], kept))
    assert worked_out == [256]


@pytest.mark.parametrize("path", ["0/000.p/0", "0/000.p/256", "0/000.p/257", "0/000.p/999", "0/000.p/01", "0/000.p/-1"])
def test_widths_that_no_tile_has(path: str) -> None:
    assert parse_tile(path) is None


def test_tiles_agree_at_every_width_and_while_the_log_grows() -> None:
    """A tile of any width is the beginning of every wider one, the same whenever it is asked for, and is not there
    before its last hash is.
    """
    leaves = [leaf_hash(b"%d" % number) for number in range(520)]
    kept: Kept = {}
    for index in (0, 1, 2):
        for width in (1, 2, 3, 7, 8, 127, 200, 255, 256):
            tile, stop = Tile(0, index, width), index * 256 + width
            known = b"".join(leaves[index * 256 : stop])
            for size in (stop - 1, stop, stop + 1, 520):
                assert covers(tile, size) is (stop <= size)
                if stop <= size <= 520:
                    grown = Nodes(lambda start, stop, size=size: leaves[:size][start:stop], kept)  # type: ignore[misc]
                    assert hash_tile(tile, grown) == known
    assert not covers(Tile(1, 0, 1), 255)
    assert covers(Tile(1, 0, 1), 256)
    assert not covers(Tile(1, 0, 3), 767)
    nodes = Nodes(lambda start, stop: leaves[start:stop], kept)
    assert hash_tile(Tile(1, 0, 1), nodes) == root_of(leaves[:256])
    assert hash_tile(Tile(1, 0, 2), nodes) == root_of(leaves[:256]) + root_of(leaves[256:512])


def test_a_reader_that_is_too_slow_is_cut_off_alone() -> None:
    async def follow() -> None:
        hub = Hub(waiting=3, behind=1_000)
        with hub.follow(b"game", "bob") as slow, hub.follow(b"game", "alice") as quick, hub.follow(b"other") as other:
            assert hub.here(b"game") == ["alice", "bob"]
            for number in range(5):
                hub.publish(b"game", [StreamItem(b"%d" % number, number)])
                assert [item.seq for item in await quick.take(1, 100)] == [number]
            assert slow.ended
            assert await slow.take(1, 100) == []
            assert not quick.ended
            assert await other.take(0, 100) == []
        assert hub.count == 0
        assert hub.readers(b"game") == 0

    asyncio.run(follow())


def test_who_followed_and_does_not_any_more_has_left_and_is_heard_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(hub_module, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(hub_module, "MAX_TOPICS", 2)
    hub = Hub(10, 1_000)
    with hub.follow(b"game", "bob"):
        with hub.follow(b"game", "bob"), hub.follow(b"game"):
            assert hub.left(b"game") == {}
        assert hub.left(b"game") == {}, "another of his streams is open"
        now = 120.0
        assert hub.heard(b"game") == {"bob"}
    assert hub.left(b"game") == {"bob": 120.0}
    now = 120.0 + HEARD
    assert hub.heard(b"game") == {"bob"}
    now += 0.1
    assert hub.heard(b"game") == frozenset()
    assert hub.left(b"game") == {"bob": 120.0}, "it stays known"
    with hub.follow(b"game", "bob"):
        assert hub.left(b"game") == {}, "he is back"
    for topic in (b"second", b"third"):
        with hub.follow(topic, "alice"):
            pass
    assert (hub.left(b"game"), set(hub.left(b"third"))) == ({}, {"alice"})


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_posts_are_bounded_for_each_address() -> None:
    clock = _Clock()
    gate = Gate(Limits(posts=2, burst=3), clock)
    for _ in range(3):
        gate.post("203.0.113.7")
    with pytest.raises(Problem) as refused:
        gate.post("203.0.113.7")
    assert (refused.value.status, refused.value.code, refused.value.retry) == (429, "too-many", 1)
    gate.post("203.0.113.8")
    clock.now += 0.5
    gate.post("203.0.113.7")
    with pytest.raises(Problem):
        gate.post("203.0.113.7")


def test_a_network_of_version_6_is_one_caller() -> None:
    gate = Gate(Limits(posts=1, burst=2), _Clock())
    gate.post("2001:db8::1")
    gate.post("2001:db8::ffff:2")
    with pytest.raises(Problem):
        gate.post("2001:db8:0:0:9::3")
    gate.post("2001:db8:0:1::1")


def test_who_sends_what_is_refused_again_and_again_waits() -> None:
    clock = _Clock()
    gate = Gate(Limits(refused=3), clock)
    for _ in range(4):
        gate.post("203.0.113.7")
        gate.refused("203.0.113.7")
    with pytest.raises(Problem) as refused:
        gate.post("203.0.113.7")
    assert refused.value.retry == 60
    gate.post("203.0.113.8")
    clock.now += 60
    gate.post("203.0.113.7")


def test_streams_are_bounded_for_each_address_and_table() -> None:
    gate = Gate(Limits(streams=2, readers=10), _Clock())
    with gate.stream("a", 0), gate.stream("a", 0):
        with pytest.raises(Problem), gate.stream("a", 0):
            pass
        with gate.stream("b", 9):
            pass
        with pytest.raises(Problem), gate.stream("b", 10):
            pass
    with gate.stream("a", 0):
        pass


def test_streams_of_an_address_are_shared_among_its_tables_and_holders() -> None:
    """Whoever has most gives way, its oldest first, until it has hardly more than the newcomer."""
    gate = Gate(Limits(streams=6), _Clock())
    ended: list[str] = []

    def opened(topic: bytes, holder: str) -> bool:
        try:
            place = stack.enter_context(gate.stream("a", 0, topic, holder))
        except Problem:
            return False
        number = f"{holder} {sum(each.startswith(holder) for each in names)}"
        names.append(number)
        place.end = lambda: ended.append(number)
        return True

    names: list[str] = []
    with ExitStack() as stack:
        assert all(opened(b"T", "mallory") for _ in range(6))
        assert not opened(b"T", "mallory"), "nobody gives way to itself"
        assert all(opened(b"U", "alice") for _ in range(3))
        assert ended == ["mallory 0", "mallory 1", "mallory 2"]
        assert not opened(b"U", "alice"), "both tables have three"
        assert opened(b"T", "bob"), "at one table the holders share"
        assert opened(b"U", "carol")
        assert ended[3:] == ["mallory 3", "alice 0"]
        assert not opened(b"U", "carol"), "two and one: it would only be the other way round"
        assert all(opened(b"V", "dora") for _ in range(2))
        assert ended[5:] == ["mallory 4", "alice 1"]
        assert not opened(b"V", "dora"), "all three tables have two"
    with ExitStack() as stack:
        assert all(opened(b"T", "mallory") for _ in range(6)), "whatever was ended, each leaves once"


def test_addresses_that_do_nothing_are_forgotten() -> None:
    clock = _Clock()
    gate = Gate(Limits(), clock)
    for number in range(5_000):
        clock.now += 1
        gate.post(f"198.51.{number // 250}.{number % 250}")
    assert len(gate._callers) <= gate.SWEEP + 10


def test_the_examples_of_the_paths_are_vectors() -> None:
    """Each is read as the server reads it, and stands in specs/vectors, where its signatures are checked."""
    examples = {path: encode(example) for path, example in json.loads(EXAMPLES.read_bytes()).items()}
    readers: dict[str, Callable[[bytes], object]] = {
        "/v1/tables": lobby.parse_terms,
        "/v1/tables/{table}/seats": lobby.parse_seat,
        "/v1/tables/{table}/unseat": lobby.parse_unseat,
        "/v1/tables/{table}/invites": lobby.parse_invite,
        "/v1/tables/{table}/start": lobby.parse_start,
        "/v1/tables/{table}/admit": lobby.parse_admit,
        "/v1/tables/{table}/replace": lobby.parse_replace,
        "/v1/tables/{table}/close": lobby.parse_closing,
        "/v1/tables/{table}/delete": lobby.parse_delete,
        "/v1/events": parse_act,
        "/v1/events/{event}/acts": parse_act,
        "/v1/events/{event}/access": lobby.parse_access,
        "/v1/events/{event}/tokens": partial(msgspec.json.decode, type=EventTokens),
        "/v1/events/{event}/names": parse_names,
        "/v1/games/{game}/access": lobby.parse_access,
        "/v1/games/{game}/lines": glance,
        "/v1/games/{game}/openings": parse_sent,
        "/v1/games/{game}/received": parse_received,
        "/v1/games/{game}/rolls": parse_publish,
        "/v1/rolls/{roll}/revoke": parse_revoke,
    }
    assert set(examples) == set(readers)
    vectors = VECTORS / "network.json", *(VECTORS / "openings").iterdir(), *(VECTORS / "logs").glob("holds--pending*")
    known = "".join(path.read_text(encoding="utf-8") for path in vectors)
    for path, example in examples.items():
        readers[path](example)
        if path.startswith("/v1/events"):
            continue  # acts of the event of event.json, whose lines have them
        assert example.decode() in known or json.dumps(example.decode())[1:-1] in known, path


def test_a_reader_is_cut_off_by_bytes_too_and_what_several_wait_for_is_there_once() -> None:
    async def follow() -> None:
        hub = Hub(waiting=1_000, behind=100)
        with hub.follow(b"game") as slow, hub.follow(b"game") as quick:
            items = [StreamItem(bytes(40), seq) for seq in range(3)]
            hub.publish(b"game", items[:2])
            assert await quick.take(1, 60) == items[:1], "as much as makes a piece"
            assert (await quick.take(1, 30))[0] is items[1], "one event at least, and nobody's copy"
            hub.publish(b"game", items[2:])
            assert slow.ended
            assert not quick.ended
            assert await slow.take(1, 100) == []
            assert await quick.take(1, 100) == items[2:]

    asyncio.run(follow())


def test_a_reader_that_goes_is_forgotten_at_once() -> None:
    hub = Hub(10, 1_000)

    async def events(subscription: Subscription) -> AsyncIterator[bytes]:
        yield b": here\n\n"
        await subscription.take(60, 1)

    async def receive() -> Any:
        await asyncio.sleep(0.05)
        return {"type": "http.disconnect"}

    async def send(_: Any) -> None: ...

    async def serve() -> None:
        async with asyncio.timeout(5):
            await EventStream(hub.follow(b"game"), events)._send_all(cast(Any, {}), receive, send)

    asyncio.run(serve())
    assert hub.count == 0


def test_a_line_that_comes_while_lines_are_read_is_in_neither_the_lines_nor_their_number() -> None:
    class Growing:
        count = 4

        def size(self, _: bytes) -> int:
            self.count += 1
            return self.count - 1

        def lines(self, _: bytes, start: int, stop: int) -> list[bytes]:
            self.count += 1
            return [b""] * (min(stop, self.count) - start)

    readers = Readers(cast("Any", Growing()), Gate(Limits()), Quiet(), Metrics(), structlog.get_logger())
    lines = asyncio.run(readers.lines(("", ""), bytes(32), 0, 100))
    assert lines.whole is not None
    assert len(lines.whole) == lines.size == 4


def test_what_came_for_a_request_is_told_behind_its_line() -> None:
    """Another process wrote the request: its line is told first, and then what came for it, once."""
    lines = (VECTORS / "systems" / "dice--holds.jsonl").read_bytes().splitlines()[:4]
    opening = Opening("alice", 1, "0" * 64, "0" * 128)
    shown = SentItems(3, 3, lines[:3])
    sent = NewOpening(SentOpening.of(bytes(32), leaf_hash(lines[3]), opening))
    assert shown.item(sent) == []
    assert len(shown.item(NewLine(3, lines[3]))) == 1
    assert len(shown.item(sent)) == 1
    assert shown.item(sent) == []
    before = NewOpening(SentOpening.of(bytes(32), leaf_hash(lines[2]), opening))
    assert len(shown.item(before)) == 1, "of an earlier line it may come later"


# --- the token of a request ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_a_token_is_read_as_it_is_written_whatever_case_it_has(scheme: str) -> None:
    token = bytes(range(32))
    assert authorization_of(token) == f"Bearer {token.hex()}"
    for digits in (token.hex(), token.hex().upper()):
        assert token_in(f"{scheme} {digits}") == token


@pytest.mark.parametrize(
    "header",
    ["", "ab" * 32, f"Basic {'ab' * 32}", f"Bearer {'ab' * 31}", f"Bearer {'ab' * 33}", f"Bearer {'ab' * 32}\n"],
)
def test_a_header_of_another_form_has_no_token(header: str) -> None:
    assert token_in(header) is None
