"""Public witnesses over HTTP, from both sides (specs/network.md, "Witnesses"; c2sp.org/tlog-witness)."""

import asyncio
import json
import random
import signal
import socket
import sqlite3
import threading
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest

from ledger import lobby
from ledger.errors import StoreError, UsageError, WitnessError
from ledger.home import Home
from ledger.seats.identity import Identity
from ledger.server import cosigning
from ledger.server.cosigned import AnchorLog
from ledger.server.cosigning import Cosigning, PublicWitness, witnesses_of
from ledger.server.limits import Limits
from ledger.server.witnessing import make_witness_app
from ledger.store.storage import SqliteStorage
from ledger.transparency.anchors import ANCHORS_KIND, Anchors, anchor_entry, anchor_origin, head_text
from ledger.transparency.witness import Witness
from tests.make import notes as make_notes
from tests.server.machines import machines, until
from tests.server.served import PASSPHRASE, Plain, Server, with_limits
from tests.support.cli import QUICK, Cli, make_identity
from verifier import VerifierKey, verify
from verifier.checkpoints.checkpoint import CosignerKey, SignedCheckpoint, cosign, parse_checkpoint
from verifier.checkpoints.event_proof import Request, make_request
from verifier.checkpoints.head import SignedHead, TreeHead, parse_signed_head
from verifier.checkpoints.note import parse_signatures, signature_line, signed_by
from verifier.checkpoints.policy import parse_policy
from verifier.log.merkle import consistency_proof, leaf_hash, root_of

NOTES: dict[str, Any] = json.loads((make_notes.VECTORS / "notes.json").read_bytes())
FIRST = (make_notes.VECTORS / "logs" / NOTES["log"]).read_bytes().split(b"\n")[0]
HOST = VerifierKey.parse(NOTES["keys"]["host"]["verifier_key"])
WALT = CosignerKey.parse(NOTES["keys"]["walt"]["cosigner_key"])
ORIGIN = f"rollproof/v1/{make_notes.GAME}"
MANY = Limits(posts=100_000, burst=100_000, refused=100_000)


def identity(name: str) -> Identity:
    return Identity(name, make_notes.secret(name))


# --- answering, in this process --------------------------------------------------------------------------------------

Post = Callable[[str, bytes], httpx.Response]


class Served:
    """A witness's application, without a network."""

    def __init__(self, witness: Witness, keepers: tuple[VerifierKey, ...] = (HOST,), limits: Limits = MANY) -> None:
        self.log: list[tuple[str, dict[str, Any]]] = []
        self.app: Any = make_witness_app(witness, keepers, limits, lambda name, **told: self.log.append((name, told)))

    def ask(self, method: str, path: str, content: bytes | AsyncIterator[bytes] = b"") -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://witness.example") as http:
                return await http.request(method, path, content=content)

        return asyncio.run(send())

    def post(self, path: str, content: bytes) -> httpx.Response:
        return self.ask("POST", path, content)


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Witness]:
    with closing(Witness(identity("walt"), tmp_path / "witness.db", lambda: make_notes.TIME)) as made:
        yield made


@pytest.mark.parametrize("case", NOTES["requests"], ids=lambda case: case["about"])
def test_requests_of_the_vectors(case: dict[str, Any], witness: Witness) -> None:
    served = Served(witness)
    if case["known"]:
        assert served.post("/add-game", FIRST).status_code == 200
    for before in case["before"]:
        assert served.post("/add-checkpoint", before.encode()).status_code == 200
    held = witness.held(ORIGIN)
    answer = served.post("/add-checkpoint", case["request"].encode())
    assert answer.status_code == case["status"]
    if answer.status_code == 200:
        head = parse_signed_head(case["request"].partition("\n\n")[2].encode()).head
        lines = parse_signatures(answer.text)
        assert signed_by(SignedHead(head, lines).note, WALT) == lines[0]
        kept = served.ask("GET", f"/{sha256(ORIGIN.encode()).hexdigest()}/checkpoint")
        latest = parse_signed_head(kept.content)
        assert latest.head == head
        assert signed_by(latest.note, WALT) == lines[0]
        assert signed_by(latest.note, HOST) is not None
        return
    assert witness.held(ORIGIN) == held
    if answer.status_code == 409:
        assert answer.headers["content-type"] == "text/x.tlog.size"
        assert answer.text == f"{held.head.size if held else 0}\n"
    else:
        assert answer.headers["content-type"].startswith("text/plain")


def test_a_witness_that_was_put_back_cosigns_no_second_history(tmp_path: Path) -> None:
    """Its database alone: a file elsewhere says that it has cosigned more."""
    keeper, count, kept = Identity.generate("keeper"), tmp_path / "state" / "walt.cosigned", tmp_path / "kept.db"
    leaves = [leaf_hash(b"%d" % number) for number in range(3)]
    other = [*leaves[:2], leaf_hash(b"another")]

    def asked(old: int, of: list[bytes]) -> Request:
        text = head_text(anchor_origin(keeper.key), of)
        note = f"{text}\n{signature_line(keeper.key, keeper.sign(text.encode())).line}".encode()
        return Request(old, tuple(consistency_proof(of, old)) if old else (), parse_signed_head(note))

    def copied(source: Path, target: Path) -> None:
        with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target)) as two:
            one.backup(two)

    with closing(Witness(identity("walt"), tmp_path / "witness.db", count=count)) as witness:
        witness.follow(keeper.key)
        witness.cosign(asked(0, leaves[:2]))
        copied(tmp_path / "witness.db", kept)
        witness.cosign(asked(2, leaves))
        witness.cosign(asked(3, leaves))
        copied(kept, tmp_path / "witness.db")
        for again in (other, leaves):
            with pytest.raises(WitnessError, match="was put back") as refused:
                witness.cosign(asked(2, again))
            assert refused.value.status == 503


def test_a_witness_whose_count_is_not_at_hand_gives_no_cosignature(tmp_path: Path) -> None:
    """Else whoever can spoil that file could put the database back unnoticed."""
    keeper, count = Identity.generate("keeper"), tmp_path / "state" / "walt.cosigned"
    text = head_text(anchor_origin(keeper.key), [leaf_hash(b"")])
    note = f"{text}\n{signature_line(keeper.key, keeper.sign(text.encode())).line}".encode()
    asked = Request(0, (), parse_signed_head(note))
    with closing(Witness(identity("walt"), tmp_path / "witness.db", count=count)) as witness:
        witness.follow(keeper.key)
        count.parent.write_text("no folder")
        with pytest.raises(StoreError, match="cannot be read"):
            witness.cosign(asked)
        count.parent.unlink()
        count.parent.mkdir()
        for spoilt in (b"many\n", b"", b"\xff"):
            count.write_bytes(spoilt)
            with pytest.raises(StoreError, match="cannot be read"):
                witness.cosign(asked)
        assert witness.held(anchor_origin(keeper.key)) is None
        count.unlink()
        count.parent.rmdir()
        count.parent.symlink_to(tmp_path / "nowhere")
        with pytest.raises(StoreError, match="cannot be written"):
            witness.cosign(asked)


def test_what_is_not_known_is_not_served(witness: Witness) -> None:
    served = Served(witness)
    for path in (f"/{'0' * 64}/checkpoint", f"/{sha256(ORIGIN.encode()).hexdigest()}/checkpoint", "/x/checkpoint"):
        assert served.ask("GET", path).status_code == 404
    assert served.ask("GET", "/health").text == "ok\n"
    assert served.ask("GET", "/else").status_code == 404
    assert served.ask("GET", "/add-checkpoint").status_code == 405


def test_games_of_the_keepers_that_are_served_alone_are_taken(witness: Witness) -> None:
    others = Served(witness, (identity("zoe").key,))
    assert others.post("/add-game", FIRST).status_code == 403
    assert others.post("/add-checkpoint", NOTES["requests"][0]["request"].encode()).status_code == 404
    served = Served(witness)
    for body in (b"", b"{}", FIRST + b"\n", FIRST.replace(b"1", b"2", 1), b"\xff" * 100):
        assert served.post("/add-game", body).status_code == 400
    assert served.post("/add-game", b"x" * 70_000).status_code == 413
    for _ in range(2):
        assert served.post("/add-game", FIRST).status_code == 200
    assert [name for name, _ in served.log] == ["game", "game"]


def test_bodies_are_bounded(witness: Witness) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield bytes(65_536)

    served = Served(witness)
    assert served.ask("POST", "/add-checkpoint", endless()).status_code == 413
    assert served.post("/add-checkpoint", bytes(400_000)).status_code == 413


def test_who_asks_too_often_waits(witness: Witness) -> None:
    served = Served(witness, limits=Limits(refused=3))
    codes = [served.post("/add-checkpoint", b"x").status_code for _ in range(6)]
    assert codes == [400] * 4 + [429] * 2


class _Anchored:
    """An anchor log whose entries nobody has to play for."""

    def __init__(self, folder: Path, keeper: Identity, label: str = "") -> None:
        self.keeper, self.label = keeper, label
        self.storage = SqliteStorage(folder / f"anchors{label}.db", kind=ANCHORS_KIND, mode=0o600)
        self.anchors = Anchors(self.storage, keeper.key)

    def add(self, count: int = 1) -> None:
        """Games that were closed."""
        finals: list[SignedCheckpoint] = []
        for _ in range(count):
            first = f"{self.label}{self.anchors.size + len(finals)}".encode()
            note = f"rollproof/v1/{leaf_hash(first).hex()}\n1\n{make_notes.b64(leaf_hash(first))}\n\n— x AAAAAAAA\n"
            finals.append(parse_checkpoint(note.encode()))
        self.anchors.add(finals, self.sign)

    def sign(self, origin: str, leaves: Any) -> bytes:
        text = head_text(origin, leaves)
        return f"{text}\n{signature_line(self.keeper.key, self.keeper.sign(text.encode())).line}".encode()

    def request(self, old: int) -> bytes:
        found = self.anchors.head()
        assert found is not None
        return bytes(make_request(found[1], old, found[0]))


@pytest.fixture
def anchored(tmp_path: Path) -> Iterator[Callable[..., _Anchored]]:
    with ExitStack() as stack:

        def make(label: str = "", keeper: Identity | None = None) -> _Anchored:
            made = _Anchored(tmp_path, keeper or identity("host"), label)
            stack.enter_context(closing(made.storage))
            return made

        yield make


def test_a_game_is_in_the_anchor_log_once_and_shown_under_a_signed_head_alone(
    anchored: Callable[..., _Anchored],
) -> None:
    log = anchored()
    anchors, made = log.anchors, list[int]()

    def final(number: int) -> SignedCheckpoint:
        first = leaf_hash(b"%d" % number)
        return parse_checkpoint(f"rollproof/v1/{first.hex()}\n1\n{make_notes.b64(first)}\n\n— x AAAAAAAA\n".encode())

    def cut_off(origin: str, leaves: Any) -> bytes:
        if len(leaves) > len(made):
            raise StoreError("the disk is full")
        return log.sign(origin, leaves)

    assert (anchors.head(), anchors.checkpoint) == (None, None)
    for number in range(2):
        game = final(number).head.game.hex()
        assert anchors.of(game) is None
        with pytest.raises(StoreError):
            anchors.add([final(number)], cut_off)
        assert anchors.size == number + 1
        assert anchors.of(game) is None, "no head that the keeper has signed has it"
        for _ in range(2):
            anchors.add([final(number)], log.sign)
            found = anchors.of(game)
            assert found is not None
            assert (found.index, anchors.size) == (number, number + 1)
        made.append(number)


def test_an_anchor_log_that_was_forked_is_refused(witness: Witness, anchored: Callable[..., _Anchored]) -> None:
    one, other, served = anchored("one"), anchored("other"), Served(witness)
    one.add(3)
    other.add(3)
    assert served.post("/add-checkpoint", one.request(0)).status_code == 200
    assert served.post("/add-checkpoint", other.request(0)).status_code == 409
    assert served.post("/add-checkpoint", other.request(3)).status_code == 422
    other.add(2)
    assert served.post("/add-checkpoint", other.request(3)).status_code == 422
    assert [name for name, _ in served.log] == ["contradiction"] * 2
    one.add(2)
    assert served.post("/add-checkpoint", one.request(3)).status_code == 200
    held = witness.held(one.anchors.origin)
    assert held is not None
    assert (held.head.size, held.head.root) == (5, root_of(one.anchors.leaves(0, 5)))


def test_an_anchor_log_is_its_keepers(witness: Witness, anchored: Callable[..., _Anchored]) -> None:
    """The origin names the key: nobody else signs for it, and nobody else's is served."""
    zoes, served = anchored("zoe", identity("zoe")), Served(witness)
    zoes.add()
    assert served.post("/add-checkpoint", zoes.request(0)).status_code == 404
    zoes.anchors.origin = anchor_origin(HOST)
    zoes.add()
    assert served.post("/add-checkpoint", zoes.request(0)).status_code == 403


# --- asking, in this process -----------------------------------------------------------------------------------------


class _Told:
    """What the operator was told."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str, dict[str, Any]]] = []

    def __getattr__(self, level: str) -> Callable[..., None]:
        return lambda name, **told: self.said.append((level, name, told))

    @property
    def levels(self) -> list[str]:
        return [level for level, _, _ in self.said]


Handler = Callable[[httpx.Request], Awaitable[httpx.Response]]


class Asking:
    """One anchor log, and a witness that answers as it likes."""

    def __init__(self, anchored: _Anchored, monkeypatch: pytest.MonkeyPatch) -> None:
        self.log = anchored
        self.told = _Told()
        monkeypatch.setattr(cosigning, "FIRST_WAIT", 0.01)
        monkeypatch.setattr(cosigning, "LONGEST_WAIT", 0.02)

    @property
    def cosigned(self) -> bool:
        found = self.log.anchors.head()
        return found is not None and signed_by(found[0].note, WALT) is not None

    def run(self, handler: Handler, url: str = "https://w.example/walt") -> None:
        """Ask until the head is cosigned, and the operator was told."""
        before = self.told.levels.count("info")

        async def sent(request: httpx.Request) -> httpx.Response:
            """As from a network: not read yet."""
            given = await handler(request)
            stream = given.stream
            assert isinstance(stream, httpx.AsyncByteStream)
            return httpx.Response(given.status_code, headers=given.headers, stream=stream)

        async def ask() -> None:
            logger: Any = self.told
            witness = PublicWitness("walt", WALT, url)
            asker = Cosigning((witness,), logger, httpx.MockTransport(sent))
            asker.start()
            asker.changed(AnchorLog(self.log.anchors))
            try:
                async with asyncio.timeout(20):
                    while not (self.cosigned and self.told.levels.count("info") > before):
                        await asyncio.sleep(0.005)
            except TimeoutError:
                raise AssertionError(self.told.said) from None
            finally:
                await asker.stop()

        asyncio.run(ask())


@pytest.fixture
def asking(anchored: Callable[..., _Anchored], monkeypatch: pytest.MonkeyPatch) -> Asking:
    found = Asking(anchored(), monkeypatch)
    found.log.add(3)
    return found


def honest(served: Served) -> Handler:
    async def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.path.startswith("/walt/")
        assert "authorization" not in request.headers
        assert "cookie" not in request.headers
        transport = httpx.ASGITransport(app=served.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://witness.example") as http:
            given = await http.request(request.method, request.url.path.removeprefix("/walt"), content=request.content)
        return httpx.Response(given.status_code, headers=given.headers, content=given.content)

    return answer


def direct(witness: Witness) -> Handler:
    """The same in short, for add-checkpoint."""
    witness.follow(HOST)

    async def answer(request: httpx.Request) -> httpx.Response:
        try:
            return httpx.Response(200, text=witness.answer(request.content).line)
        except WitnessError as error:
            size = error.held.head.size if error.held else 0
            return httpx.Response(error.status, headers={"content-type": "text/x.tlog.size"}, content=f"{size}\n")

    return answer


def test_a_head_is_cosigned_and_shown(asking: Asking, witness: Witness) -> None:
    asking.run(honest(Served(witness)))
    note = asking.log.anchors.checkpoint
    assert note is not None
    assert [line.name for line in parse_signed_head(note).signatures] == ["host", "walt"]
    asking.log.add()
    assert not asking.cosigned  # of another head it says nothing
    asking.run(honest(Served(witness)))  # which a 409 corrects
    held = witness.held(asking.log.anchors.origin)
    assert held is not None
    assert held.head.size == 4
    assert asking.told.levels == ["info", "info"]


def _line(head: TreeHead, name: str = "walt") -> str:
    return cosign(head, CosignerKey(name, identity(name).key.public_bytes), make_notes.TIME, identity(name).sign).line


def _of(request: httpx.Request) -> TreeHead:
    return parse_signed_head(request.content.partition(b"\n\n")[2]).head


def fixed(status: int, body: bytes = b"", **headers: str) -> Handler:
    async def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(status, content=body, headers={k.replace("_", "-"): v for k, v in headers.items()})

    return answer


def made(make: Callable[[httpx.Request], str]) -> Handler:
    async def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, text=make(request))

    return answer


def streamed(body: Callable[[], AsyncIterator[bytes]]) -> Handler:
    async def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=body())

    return answer


async def never(_: httpx.Request) -> httpx.Response:
    await asyncio.sleep(60)
    raise AssertionError


async def away(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("nobody there")


async def drip() -> AsyncIterator[bytes]:
    while True:
        yield b" "
        await asyncio.sleep(0.01)


async def flood() -> AsyncIterator[bytes]:
    while True:
        yield bytes(65_536)


def _bad() -> dict[str, Handler]:
    size = "text/x.tlog.size"
    return {
        "no answer": never,
        "a byte at a time": streamed(drip),
        "an endless one": streamed(flood),
        "nobody": away,
        "nothing": fixed(200),
        "no line": fixed(200, b"hello\n"),
        "no UTF-8": fixed(200, b"\xff\n"),
        "another's line": made(lambda request: _line(_of(request), "gail")),
        "a line for another head": made(lambda request: _line(TreeHead(_of(request).origin, 2, bytes(32)))),
        "a line that does not hold": made(lambda request: signature_line(WALT, bytes(72)).line),
        "a line, and one that does not hold": made(
            lambda request: _line(_of(request)) + signature_line(WALT, bytes(72)).line
        ),
        "compressed": fixed(200, b"\x1f\x8b", content_encoding="gzip"),
        "a redirect": fixed(307, location="https://elsewhere.example/"),
        "an error": fixed(500, b"\x1b[2Jfailed"),
        "unknown": fixed(404),
        "forbidden": fixed(403),
        "a contradiction": fixed(422),
        "a size without its type": fixed(409, b"2\n", content_type="text/plain"),
        "no size": fixed(409, b"two\n", content_type=size),
        "a size without its line feed": fixed(409, b"2", content_type=size),
        "a negative size": fixed(409, b"-1\n", content_type=size),
        "a larger size": fixed(409, b"4\n", content_type=size),
        "the largest": fixed(409, b"9" * 60_000 + b"\n", content_type=size),
        "always another size": fixed(409, b"2\n", content_type=size),
    }


@pytest.mark.parametrize("about", _bad())
def test_answers_that_are_bad_do_no_harm(
    about: str, asking: Asking, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are told, nothing is kept of them, and the next good one counts."""
    monkeypatch.setattr(cosigning, "MAX_WITNESS_TIME", 0.05)
    before, bad, asked = asking.log.anchors.checkpoint, _bad()[about], [0]
    good = direct(witness)

    async def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.host == "w.example"
        asked[0] += 1
        if asked[0] <= 4:
            assert asking.log.anchors.checkpoint == before
            return await bad(request)
        monkeypatch.setattr(cosigning, "MAX_WITNESS_TIME", 20.0)
        return await good(request)

    asking.run(answer)
    assert asking.told.levels[-1] == "info"
    problems = asking.told.said[:-1]
    assert problems
    assert all("exc_info" not in told for _, _, told in problems)
    assert all("\x1b" not in str(told) and len(str(told)) < 1_000 for _, _, told in problems)
    fork = about in ("a contradiction", "a larger size")
    assert {level for level, _, _ in problems} == ({"error"} if fork else {"warning"})
    assert len(problems) == (4 if fork else 1)  # the same once


def test_a_bug_in_asking_ends_nothing(asking: Asking, witness: Witness, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [0]

    def breaks(*arguments: Any) -> Any:
        calls[0] += 1
        if calls[0] < 3:
            raise IndexError
        return make_request(*arguments)

    monkeypatch.setattr(f"{cosigning.__name__}.make_request", breaks)
    asking.run(direct(witness))
    assert asking.told.levels == ["error", "error", "info"]


@pytest.mark.parametrize("url", ["ftp://w.example", "https://", "w.example", "https://w.example/?a", ""])
def test_addresses_of_witnesses(url: str) -> None:
    policy = f"witness walt {WALT} {url}\nquorum walt\n"
    with pytest.raises(UsageError):
        witnesses_of(parse_policy(policy.encode()))


def test_witnesses_with_an_address_are_asked() -> None:
    gail = NOTES["keys"]["gail"]["cosigner_key"]
    policy = parse_policy(f"witness walt {WALT} https://w.example/walt/\nwitness gail {gail}\nquorum gail\n".encode())
    assert [(each.name, each.url) for each in witnesses_of(policy)] == [("walt", "https://w.example/walt")]


# --- machines --------------------------------------------------------------------------------------------------------


class WitnessServer(Server):
    """A witness's process."""

    verb = ("witness", "serve")


@contextmanager
def running(made: Server) -> Iterator[Server]:
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.stop(signal.SIGKILL)


def _prepared(root: Path, name: str) -> VerifierKey:
    """A home with an identity, before anything is started in it."""
    root.mkdir(parents=True, exist_ok=True)
    return Home(root / "home", root / "state").new_identity(name, PASSPHRASE, QUICK)


def _witness_at(root: Path, name: str, policy: Path, port: int = 0) -> Server:
    return WitnessServer(root, "--policy", str(policy), "--as", name, *with_limits(root), port=port)


def _policy(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@contextmanager
def _game(root: Path, server: Server) -> Iterator[Plain]:
    party = Plain(root, "alice", server.address)
    try:
        links = party.open_table("dice-1")
        assert party.sit(links["player"]).status_code == 201
        assert party.start().status_code == 201
        party.enter(links=64)
        yield party
    finally:
        party.close()


def _close(party: Plain) -> None:
    assert party.link is not None
    wish = bytes(lobby.new_closing(party.identity, party.link.table, party.game))
    assert party.post(f"/v1/tables/{party.link.table.hex()}/close", wish).status_code == 201
    party.fetch()


def _rolled(party: Plain) -> None:
    party.act("roll", party.typed())
    assert party.open().status_code == 201
    party.fetch()


def _anchors(server: Server) -> SignedHead | None:
    answer = httpx.get(f"{server.address}/v1/anchors/checkpoint")
    return parse_signed_head(answer.content) if answer.status_code == 200 else None


def _cosigned_by(server: Server, key: CosignerKey, size: int) -> bool:
    found = _anchors(server)
    return found is not None and found.head.size == size and signed_by(found.note, key) is not None


def _shows(party: Plain, path: str, name: str) -> bool:
    return f"— {name} " in party.get(path).text


@pytest.mark.slow
def test_two_machines_witness_each_other(tmp_path: Path) -> None:
    """Each keeps games and cosigns for the other; each answers again after both witnesses were killed."""
    roots = [tmp_path / name for name in ("north", "south")]
    keepers = [_prepared(root, "keeper") for root in roots]
    for root in roots:
        _prepared(root, "walt")
    policies = [
        _policy(root / "keepers.policy", f"log {keepers[1 - at]}", "quorum none") for at, root in enumerate(roots)
    ]
    with ExitStack() as stack:
        witnesses = [
            stack.enter_context(running(_witness_at(root, "walt", policy)))
            for root, policy in zip(roots, policies, strict=True)
        ]
        keys = [CosignerKey.parse(witness.told["key"]) for witness in witnesses]
        servers = []
        for at, root in enumerate(roots):
            asked = f"witness other {keys[1 - at]} {witnesses[1 - at].address}"
            file = _policy(root / "witnesses.policy", asked, "quorum other")
            servers.append(stack.enter_context(running(Server(root, "--witnesses", str(file), "--witness-games"))))
        for at, server in enumerate(servers):
            with _game(tmp_path / f"alice-{at}", server) as alice:
                _rolled(alice)
                _close(alice)
                until(partial(_cosigned_by, server, keys[1 - at], 1))
                # The game itself, too: whoever has the policy verifies with it.
                note = alice.path("checkpoint")
                until(partial(_shows, alice, note, keys[1 - at].name))
                receipt = alice.get(note).content
                policy = parse_policy((roots[at] / "witnesses.policy").read_bytes())
                log = b"".join(line + b"\n" for line in alice.view.lines(0))
                assert verify(log, receipts={"mine": receipt}, policy=policy)[0].verdict == "holds"
                anchor = alice.get(alice.path("anchor")).json()
                assert f"— {keys[1 - at].name} " in anchor["checkpoint"]
                salt, final = bytes.fromhex(anchor["salt"]), parse_checkpoint(anchor["final"].encode())
                assert len(anchor_entry(salt, final)) == 32
        for at, witness in enumerate(witnesses):
            witness.stop(signal.SIGKILL)
            again = _witness_at(roots[at], "walt", policies[at], port=witness.port)
            witnesses[at] = stack.enter_context(running(again))
        with _game(tmp_path / "bob", servers[0]) as bob:
            _close(bob)
            until(lambda: _cosigned_by(servers[0], keys[1], 2))
        origin = sha256(anchor_origin(keepers[0]).encode()).hexdigest()
        shown = parse_signed_head(httpx.get(f"{witnesses[1].address}/{origin}/checkpoint").content)
        assert shown.head.size == 2
        assert signed_by(shown.note, keepers[0]) is not None
        for each in (*servers, *witnesses):
            assert each.stop() == 0


@pytest.mark.long
def test_a_witness_that_hangs_delays_no_roll(tmp_path: Path) -> None:
    """It takes connections and never answers; the server plays on, and stops when it is told to."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        policy = _policy(tmp_path / "witnesses.policy", f"witness walt {WALT} {address}", "quorum walt")
        begun = Server(tmp_path / "server", "--witnesses", str(policy), "--witness-games")
        with running(begun) as server, _game(tmp_path / "alice", server) as alice:
            for _ in range(3):
                _rolled(alice)
            connection, _ = silent.accept()  # it was asked
            with connection:
                _rolled(alice)
                _close(alice)
                found = _anchors(server)
                assert found is not None
                assert [line.name for line in found.signatures] == ["keeper"]
                assert server.stop() == 0


@pytest.mark.slow
def test_who_plays_takes_the_cosignatures_of_a_policy(tmp_path: Path) -> None:
    """By command line: from the server, those that hold with keys of one's own policy; then the log meets it."""
    keeper = _prepared(tmp_path / "server", "keeper")
    _prepared(tmp_path / "witness", "walt")
    keepers = _policy(tmp_path / "keepers.policy", f"log {keeper}", "quorum none")
    with ExitStack() as stack:
        witness = stack.enter_context(running(_witness_at(tmp_path / "witness", "walt", keepers)))
        key = witness.told["key"]
        asked = _policy(tmp_path / "asked.policy", f"witness walt {key} {witness.address}", "quorum walt")
        begun = Server(tmp_path / "server", "--witnesses", str(asked), "--witness-games")
        server = stack.enter_context(running(begun))
        [alice] = stack.enter_context(machines(tmp_path, "alice"))
        told = httpx.get(f"{server.address}/v1/server").json()["witnesses"]
        assert told == [{"games": True, "key": key, "url": witness.address}]
        alice(f"dice new --at {server.address} --title tavern --as alice")
        alice("start tavern --as alice")
        alice("roll tavern d20 --as alice")
        alice("close tavern --as alice")
        alice(f"verify tavern --policy {asked}", code=1)
        until(lambda: f"— walt {_line_start(key)}" in alice(f"checkpoint tavern --policy {asked}"))
        assert "cosignatures that it asks for are there" in alice(f"verify tavern --policy {asked}")
        gail = NOTES["keys"]["gail"]["cosigner_key"]
        others = _policy(tmp_path / "others.policy", f"witness gail {gail}", "quorum gail")
        alice(f"checkpoint tavern --policy {others}")
        alice(f"verify tavern --policy {others}", code=1)


def _line_start(key: str) -> str:
    """How the base64 of a line by this key begins: with its key id."""
    return b64encode(bytes.fromhex(key.split("+")[1]) + bytes(2)).decode()[:5]


class _Forger(threading.Thread):
    """A keeper with two histories of its anchor log, who asks for one of them as fast as it can."""

    LEAVES: ClassVar = {
        fork: [leaf_hash(b"first"), *(leaf_hash(f"{fork}{number}".encode()) for number in range(400))] for fork in "ab"
    }

    def __init__(self, server: Server, fork: str, cosigned: list[tuple[int, bytes]]) -> None:
        super().__init__()
        self.address, self.key = server.address, CosignerKey.parse(server.told["key"])
        self.leaves, self.cosigned = self.LEAVES[fork], cosigned
        self.chance, self.ended = random.Random(fork), threading.Event()
        self.problem: BaseException | None = None

    def run(self) -> None:
        old = 0
        try:
            with httpx.Client(timeout=5) as http:
                while not self.ended.is_set():
                    try:
                        old = self._ask(http, old)
                    except httpx.TransportError:
                        self.ended.wait(0.02)
        except BaseException as problem:
            self.problem = problem

    def _ask(self, http: httpx.Client, old: int) -> int:
        """What the witness has now, as far as it said."""
        size = min(400, max(1, old + self.chance.randrange(3)))
        host, head = identity("host"), TreeHead(anchor_origin(HOST), size, root_of(self.leaves[:size]))
        signed = SignedHead(head, (signature_line(host.key, host.sign(head.text.encode())),))
        body = bytes(make_request(self.leaves[:size], min(old, size), signed))
        answer = http.post(f"{self.address}/add-checkpoint", content=body)
        if answer.status_code == 409:
            return int(answer.text)
        if answer.status_code == 200:
            assert signed_by(SignedHead(head, parse_signatures(answer.text)).note, self.key) is not None
            self.cosigned.append((size, head.root))
            return size
        assert answer.status_code == 422, answer.text
        self.ended.wait(0.02)
        return old


@pytest.mark.long
@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_a_witness_killed_at_random_moments_cosigns_one_history(tmp_path: Path, kills: int) -> None:
    """A keeper shows it two histories at once, from four sides, while it is killed and started again."""
    chance, root = random.Random(kills), tmp_path / "witness"
    _prepared(root, "walt")
    policy = _policy(root / "keepers.policy", f"log {HOST}", "quorum none")
    cosigned: list[tuple[int, bytes]] = []
    server = _witness_at(root, "walt", policy)
    forgers = [_Forger(server, fork, cosigned) for fork in "aabb"]
    try:
        for forger in forgers:
            forger.start()
        for _ in range(kills):
            time.sleep(chance.uniform(0.1, 0.5))
            server.stop(signal.SIGKILL)
            server = _witness_at(root, "walt", policy, port=server.port)
        time.sleep(0.5)
    finally:
        for forger in forgers:
            forger.ended.set()
            forger.join(30)
        server.stop()
    assert [forger.problem for forger in forgers] == [None] * 4
    beyond = {(size, root) for size, root in cosigned if size > 1}
    assert beyond
    [chosen] = [
        fork for fork, leaves in _Forger.LEAVES.items() if all(root_of(leaves[:size]) == root for size, root in beyond)
    ]
    assert chosen in "ab"


def test_options(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    cli = Cli(tmp_path / "home", capsys, monkeypatch)
    policy = _policy(tmp_path / "none.policy", "quorum none")
    assert "goes with --witnesses" in cli.refused("serve", "--witness-games")
    assert "no witness of this policy has an address" in cli.refused("serve", "--witnesses", policy)
    make_identity(cli.home, "walt")
    assert "names no keeper to serve" in cli.refused("witness", "serve", "--policy", policy, "--as", "walt")
