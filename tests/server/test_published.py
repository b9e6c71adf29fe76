"""Links to one roll that a server keeps (specs/roll-proof.md): who publishes, who revokes, and what is shown."""

import html
import json
import os
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psycopg
import pytest
from PIL import Image

from ledger import lobby
from ledger.lobby.published import new_publish, new_revoke
from ledger.server.cards import Card, card_of, head_of, notation, oembed_of
from ledger.server.pictures import picture_of
from rules.base import Ruling
from rules.protocol import Strike
from tests.make import rolls as make_rolls
from tests.oracles import reference as ref
from tests.server.machines import machines
from tests.server.served import Plain, Server, seated, serving, with_limits
from tests.server.test_surface import DATA, ROLL, policies
from tests.support.cli import Cli
from tests.support.postgres import cluster
from verifier.checkpoints.roll_proof import verify_roll_proof

PURPOSE = "</title><script>alert(1)</script>\"'&"
"""what somebody rolls for who means harm"""


class Scene(NamedTuple):
    """A table where alice has rolled, and bob."""

    address: str
    alice: Plain
    bob: Plain
    rolls: dict[str, int]

    def publish(self, by: Plain, request: int, *, names: bool = False, **replaced: Any) -> httpx.Response:
        """Publish a roll; `replaced`: members that are put in the place of those that were signed."""
        made = new_publish(by.identity, by.game, request, names=names, nonce=os.urandom(32))
        return by.post(by.path("rolls"), ref.canonical(json.loads(bytes(made)) | replaced))

    def published(self, by: Plain, request: int, *, names: bool = False) -> str:
        answer = self.publish(by, request, names=names)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["roll"])

    def revoke(self, by: Plain, roll: str, *, at: str = "", **replaced: Any) -> httpx.Response:
        """Revoke a link, at the path of a link."""
        body = json.loads(bytes(new_revoke(by.identity, by.game, roll))) | replaced
        return httpx.post(f"{self.address}/v1/rolls/{at or roll}/revoke", content=ref.canonical(body))

    def get(self, path: str, **headers: str) -> httpx.Response:
        """As anybody, with no token."""
        return httpx.get(self.address + path, headers={"Accept-Encoding": "identity", **headers})


def rolled(by: Plain, others: list[Plain], line: str) -> int:
    """Roll; the number of the request."""
    by.fetch()
    request = by.view.replay.size
    by.act("roll", by.typed(line))
    for each in [*others, by]:
        assert each.open().status_code == 201
    by.fetch()
    return request


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    root = tmp_path_factory.mktemp("published")
    with serving(root) as server, seated(root, server.address, "alice", "bob") as [alice, bob]:
        rolls = {
            "alice": rolled(alice, [bob], f"4d6kh3 for {PURPOSE}"),
            "bob": rolled(bob, [alice], "d20 for the door"),
        }
        alice.fetch()
        yield Scene(server.address, alice, bob, rolls)


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.slow
def test_a_roll_is_published_shown_and_revoked(scene: Scene) -> None:
    alice, request = scene.alice, scene.rolls["alice"]
    made = bytes(new_publish(alice.identity, alice.game, request, names=False, nonce=bytes(32)))
    first, again = (alice.post(alice.path("rolls"), made) for _ in range(2))
    assert (first.status_code, again.status_code, first.json()) == (201, 200, again.json())
    roll = first.json()["roll"]
    told = {"names": False, "party": "alice", "request": request, "roll": roll}
    assert scene.bob.get(scene.bob.path("rolls")).json() == {"rolls": [told]}

    proof = scene.get(f"/v1/rolls/{roll}")
    policies(proof.headers, DATA, elsewhere=True)
    report = verify_roll_proof(proof.content)
    assert report.state is not None
    assert (report.verdict, report.state["request"], report.state["shown"]["alice"]) == ("holds", request, "player 1")

    page = scene.get(f"/r/{roll}")
    policies(page.headers, ROLL)
    assert "<script>alert" not in page.text
    head = page.text.partition("<style>")[0]
    assert html.escape(PURPOSE) in head
    assert "alice" not in head
    assert scene.get(f"/r/{roll}", **{"If-None-Match": page.headers["etag"]}).status_code == 304
    packed = scene.get(f"/r/{roll}", **{"Accept-Encoding": "gzip"})
    assert (packed.headers["content-encoding"], packed.text) == ("gzip", page.text)

    picture = scene.get(f"/r/{roll}/card.png")
    assert picture.headers["content-type"] == "image/png"
    assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
    assert Image.open(BytesIO(picture.content)).size == (1200, 630)

    card = scene.get(f"/v1/oembed?url={scene.address}/r/{roll}&maxwidth=300")
    policies(card.headers, DATA, elsewhere=True)
    assert (card.json()["width"], card.json()["type"], "thumbnail_url" in card.json()) == (300, "rich", False)
    assert "<script" not in card.json()["html"]
    assert 'sandbox="allow-scripts"' in card.json()["html"]
    for wrong in (f"https://evil.example/r/{roll}", f"{scene.address}/r/{roll}0", "", f"{scene.address}/t/{roll}"):
        assert scene.get(f"/v1/oembed?url={wrong}").status_code == 404, wrong
    assert scene.get(f"/v1/oembed?url={scene.address}/r/{roll}&format=xml").status_code == 501

    assert code(scene.revoke(scene.bob, roll)) == (403, "roll.party")
    assert [scene.revoke(alice, roll).status_code for _ in range(2)] == [200, 200]
    for path in (f"/r/{roll}/card.png", f"/v1/rolls/{roll}", f"/v1/oembed?url={scene.address}/r/{roll}"):
        assert code(scene.get(path)) == (410, "deleted"), path
    gone = scene.get(f"/r/{roll}", **{"Accept-Language": "de"})
    assert (gone.status_code, "zurückgenommen" in gone.text) == (410, True)
    assert code(alice.post(alice.path("rolls"), made)) == (410, "deleted"), "it is revoked for good"
    assert scene.get(f"/r/{'0' * 32}").status_code == 404
    assert scene.bob.get(scene.bob.path("rolls")).json() == {"rolls": []}


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """The address of a database of PostgreSQL; None: those of SQLite, in the server's home."""
    if request.param == "sqlite":
        yield None
        return
    with cluster() as postgres:
        if postgres is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        yield postgres.make("published")


def stored(server: Server, database: str | None) -> bytes:
    """All that the server has of published rolls."""
    if database is None:
        return b"".join(path.read_bytes() for path in (server.root / "home").glob("tables.db*"))
    with psycopg.connect(database) as connection:
        return repr(connection.execute("SELECT * FROM published").fetchall()).encode()


@pytest.mark.slow
def test_an_operator_takes_a_roll_down_and_says_why(
    database: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the server runs: every link to the roll says so, and its party publishes it here no more."""
    reason = "<b>It insults somebody.</b>"
    where = () if database is None else ("--database", database)
    with serving(tmp_path, *where) as server, seated(tmp_path, server.address, "alice", "bob") as [alice, bob]:
        scene = Scene(server.address, alice, bob, {})
        first, other = rolled(alice, [bob], "d20 for an insult"), rolled(alice, [bob], "d20")
        roll, named = scene.published(alice, first), scene.published(alice, first, names=True)
        kept, revoked = scene.published(alice, other), scene.published(alice, other)
        assert scene.revoke(alice, revoked).status_code == 200
        cli = Cli(server.root / "home", capsys, monkeypatch)
        for wrong in ("0" * 32, revoked):
            assert "taken back" in cli.refused("unpublish", wrong, *where, "--reason", "no", code=66)
        assert "reason" in cli.refused("unpublish", roll, *where, "--reason", " ", code=64)
        assert scene.get(f"/r/{roll}").status_code == 200
        told = cli.value("unpublish", f"{server.address}/r/{roll}", *where, "--reason", reason)
        assert set(told["rolls"]) == {roll, named}
        for path in (f"/r/{roll}", f"/r/{named}"):
            page = scene.get(path)
            assert (page.status_code, html.escape(reason) in page.text, reason in page.text) == (410, True, False)
        for path in (f"/r/{roll}/card.png", f"/v1/rolls/{named}"):
            answer = scene.get(path)
            assert (code(answer), reason in answer.json()["detail"]) == ((410, "deleted"), True)
        assert code(scene.publish(alice, first)) == (410, "deleted"), "under no other link"
        assert scene.get(f"/r/{kept}").status_code == 200
        assert [each["roll"] for each in alice.get(alice.path("rolls")).json()["rolls"]] == [kept]
        kept_there = stored(server, database)
        assert (kept.encode() in kept_there, b"an insult" in kept_there) == (True, False)
        assert len(list(alice.view.lines(0))) > other, "the log keeps it"


@pytest.mark.long
def test_nobody_publishes_or_revokes_what_is_not_theirs(scene: Scene, tmp_path: Path) -> None:
    alice, bob, rolls = scene.alice, scene.bob, scene.rolls
    assert code(scene.publish(alice, rolls["bob"])) == (403, "roll.party")
    assert code(scene.publish(alice, rolls["alice"], party="bob")) == (403, "roll.party")
    assert code(scene.publish(alice, rolls["bob"], party="bob")) == (403, "roll.party")
    assert code(scene.publish(alice, rolls["alice"], names=True, nonce="0" * 64)) == (403, "roll.party")
    assert code(scene.publish(alice, rolls["alice"] + 1)) == (403, "roll.party"), "the reveal is the keeper's"
    joined = next(at for at, line in enumerate(alice.view.lines(0)) if b'"author":"alice"' in line)
    assert code(scene.publish(alice, joined)) == (422, "roll.none")
    assert code(scene.publish(alice, 9_999)) == (422, "roll.none")
    made = bytes(new_publish(alice.identity, alice.game, rolls["alice"], names=False, nonce=bytes(32)))
    assert httpx.post(scene.address + alice.path("rolls"), content=made).status_code == 404, "without a token"
    with seated(tmp_path, scene.address, "alice") as [other]:
        assert code(other.post(other.path("rolls"), made)) == (403, "roll.party"), "signed for another game"
    roll = scene.published(bob, rolls["bob"])
    assert code(scene.revoke(alice, roll, party="bob")) == (403, "roll.party")
    assert code(scene.revoke(bob, "0" * 32, at=roll)) == (403, "roll.party"), "signed for another link"
    assert code(scene.revoke(bob, "0" * 32)) == (404, "not-found")
    assert scene.get(f"/r/{roll}").status_code == 200
    assert scene.revoke(bob, roll).status_code == 200


@pytest.mark.long
def test_names_are_shown_where_it_was_published_with_them(scene: Scene) -> None:
    roll = scene.published(scene.bob, scene.rolls["bob"], names=True)
    title = re.search("<title>(.*)</title>", scene.get(f"/r/{roll}").text)
    assert title is not None
    assert title[1].startswith("bob: the door: ")
    card = scene.get(f"/v1/oembed?url={scene.address}/r/{roll}").json()
    assert (card["title"], card["thumbnail_url"]) == (title[1], f"{scene.address}/r/{roll}/card.png")
    assert scene.revoke(scene.bob, roll).status_code == 200


@pytest.mark.long
def test_game_address_and_proof_have_their_bounds_and_end_with_the_table(tmp_path: Path) -> None:
    limits = {"MAX_PUBLISHED": 2, "MAX_PUBLISHED_HOUR": 5, "MAX_PUBLISHED_BYTES": 7_000}
    with (
        serving(tmp_path, *with_limits(tmp_path, limits)) as server,
        seated(tmp_path, server.address, "alice", "bob") as [alice, bob],
    ):
        scene = Scene(server.address, alice, bob, {})
        request, long = rolled(alice, [bob], "d20"), rolled(alice, [bob], "900d6")
        assert code(scene.publish(alice, long)) == (413, "too-large")
        assert scene.revoke(alice, scene.published(alice, request)).status_code == 200
        kept = scene.published(alice, request)
        told = [scene.publish(alice, request).json() for _ in range(3)]
        assert ["game" in each["detail"] for each in told] == [True, True, False], "the last is the address's bound"
        assert {each["code"] for each in told} == {"too-many"}
        assert alice.link is not None
        delete = bytes(lobby.new_delete(alice.identity, alice.link.table))
        assert alice.post(f"/v1/tables/{alice.link.table.hex()}/delete", delete).status_code == 200
        assert code(scene.get(f"/v1/rolls/{kept}")) == (410, "deleted")
        assert scene.revoke(alice, kept).status_code == 200, "nothing is left to revoke"


@pytest.mark.long
def test_a_ruling_that_comes_later_is_shown(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        alice, dana = (Plain(tmp_path / name, name, server.address) for name in ("alice", "dana"))
        links = alice.open_table("dice-1", ("player", "judge"))
        assert [alice.sit(links["player"]).status_code, dana.sit(links["judge"]).status_code] == [201, 201]
        assert alice.start().status_code == 201
        for each in (alice, dana):
            each.enter()
        scene = Scene(server.address, alice, dana, {})
        request = rolled(alice, [], "d20")
        roll = scene.published(alice, request)
        before = scene.get(f"/r/{roll}/card.png").content
        dana.act("ruling", Ruling("void", request, "cocked"))
        assert "a judge ruled the roll void" in scene.get(f"/r/{roll}").text.partition("<style>")[0]
        assert scene.get(f"/r/{roll}/card.png").content != before
        report = verify_roll_proof(scene.get(f"/v1/rolls/{roll}").content)
        assert [finding.code for finding in report.findings] == ["roll-proof.ruling"]
        for each in (alice, dana):
            each.close()


@pytest.mark.long
def test_that_a_roll_was_taken_back_is_shown(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        alice, bob = (Plain(tmp_path / name, name, server.address) for name in ("alice", "bob"))
        links = alice.open_table("dice-1", ("player",), strike="all")
        assert [each.sit(links["player"]).status_code for each in (alice, bob)] == [201, 201]
        assert alice.start().status_code == 201
        for each in (alice, bob):
            each.enter()
        scene = Scene(server.address, alice, bob, {})
        request = rolled(alice, [bob], "d20")
        roll = scene.published(alice, request)
        before = scene.get(f"/r/{roll}/card.png").content
        for each in (bob, alice):
            each.act("strike", Strike(request))
        assert "somebody agreed to take the roll back" in scene.get(f"/r/{roll}").text.partition("<style>")[0]
        assert scene.get(f"/r/{roll}/card.png").content != before
        report = verify_roll_proof(scene.get(f"/v1/rolls/{roll}").content)
        assert [finding.code for finding in report.findings] == ["roll-proof.strike"] * 2
        for each in (alice, bob):
            each.close()


@pytest.mark.long
def test_commands_publish_and_revoke(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as server, machines(tmp_path, "alice") as [alice]:
        table = alice.value(f"dice new --at {server.address} --as alice")["table"]
        game = alice.value(f"start {table} --as alice")["game"]
        roll = alice.value(f"roll {game} '4d6kh3 for Strength' --as alice")["seq"]
        _, link, beside = alice.result(f"share {game} {roll} --publish --as alice")
        link = link.strip()
        assert re.fullmatch(rf"{re.escape(server.address)}/r/[0-9a-f]{{32}}", link)
        assert "--revoke" in beside, "how it is taken back"
        assert 'content="Strength: ' in httpx.get(link).text
        named = alice.value(f"share {game} {roll} --publish --names --as alice")["link"]
        assert 'content="alice: Strength: ' in httpx.get(named).text
        assert f"the roll's number is {roll}" in alice(f"share {game} {roll + 1} --publish --as alice", code=64)
        assert "who asked for a roll publishes it" in alice(f"share {game} 0 --publish --as alice", code=65)
        alice(f"share {game} {roll} --publish --revoke --as alice", code=64)
        alice(f"share {game} {roll} --publish --out x.roll --as alice", code=64)
        assert "shows nothing any more" in alice(f"share {game} {roll} --revoke --as alice")
        assert [httpx.get(each).status_code for each in (link, named)] == [410, 410]
        assert "has taken it back" in alice(f"share {game} {roll} --revoke --as alice", code=66)


# --- cards, without a server ------------------------------------------------------------------------------------------


def test_a_card_is_made_of_the_report_alone() -> None:
    table = make_rolls.Table("cards")
    request = table.roll("alice", "4d6kh3", [6] * 4, "\u05d0 <b>")
    proof = table.proof(request)
    plain, named = (card_of(ref.canonical(proof | {"names": names}) + b"\n", str) for names in (False, True))
    assert plain is not None
    assert named is not None
    assert re.fullmatch("\u2068\u05d0 <b>\u2069: [1-6], [1-6], [1-6], [1-6]", plain.title)
    assert named.title == f"alice: {plain.title}"
    assert "player 1" in plain.description
    assert not any(name in f"{plain}" for name in ("alice", "bob", "host"))
    head = head_of(named, "https://dice.example.org", "0" * 32)
    assert "<b>" not in head
    assert head.count("&lt;b&gt;") == 3
    assert "<b>" not in oembed_of(named, "https://dice.example.org", "0" * 32, None, None).html
    for each in proof["lines"]:
        each["line"] = each["line"].replace("4d6kh3", "5d6kh3")
    assert card_of(ref.canonical(proof) + b"\n", str) is None, "what does not hold has none"


def test_a_ruling_stands_in_the_card() -> None:
    table = make_rolls.Table("cards with a ruling")
    request = table.roll("alice", "d20", [20])
    table.w.write("dana", "ruling", {"ruling": "uphold", "subject": request, "text": "fine"})
    card = card_of(ref.canonical(table.proof(request)) + b"\n", str)
    assert card is not None
    assert (card.ruled, "a judge ruled" in card.description) == (True, True)


@pytest.mark.parametrize(
    ("sides", "told"),
    [([6] * 4, "4d6"), ([20], "d20"), ([6, 6, 8, 6], "2d6, d8, d6"), ([4, 6] * 9, "d4, d6, " * 5 + "d4, d6 …")],
)
def test_dice_are_told_in_notation(sides: list[int], told: str) -> None:
    assert notation(sides) == told


@pytest.mark.parametrize(
    "dice",
    [
        ((6, 1),),
        tuple((sides, sides) for sides in (2, 3, 4, 6, 8, 10, 12, 20, 100)),
        tuple((6, at % 6 + 1) for at in range(1_000)),
        tuple((2**53 - 1, 2**53 - 1 - at) for at in range(1_000)),
        (),
    ],
    ids=["one", "kinds", "many", "large", "none"],
)
def test_a_picture_is_made_of_any_dice(dice: tuple[tuple[int, int], ...]) -> None:
    picture = picture_of(Card("", "", dice, ruled=False))
    assert Image.open(BytesIO(picture)).size == (1200, 630)
    assert len(picture) < 60_000
