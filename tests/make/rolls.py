"""Make the vectors of specs/roll-proof.md from that page alone; results are stated by hand.

python -m tests.make.rolls             # writes specs/vectors/rolls.json
python -m tests.make.rolls --check     # writes nothing, exits 1 if it differs
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

from tests.make.notes import VECTORS, Json, b64, path, signed
from tests.oracles import reference as ref

FILE = VECTORS / "rolls.json"


class Table:
    """A game of any dice with a judge, two rolls in, and whoever came later; all keys are at hand."""

    def __init__(self, label: str, contributors: Any = "all", **members: Any) -> None:
        self.w = w = ref.Writer(
            label, {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"}, contributors
        )
        w.open(**{"system": "dice-1", "options": {}, "title": "tavern", **members})
        w.commit("host", length=9)
        w.join("alice", "bob", "dana")
        w.commit("alice", "bob", length=9)

    def roll(self, name: str, dice: str, sides: list[int], source: str = "") -> int:
        """A roll and its dice; the number of the request."""
        body = {"dice": dice} | ({"source": source} if source else {})
        number = self.w.request(name, "roll", body, sides)
        self.w.reveal()
        return number

    def note(self, size: int, key: str = "", game: str = "", lines: list[bytes] | None = None) -> str:
        """A checkpoint of the first lines, by the key of `key`, in the keeper's name."""
        leaves = [ref.leaf(line) for line in (lines or self.w.lines)[:size]]
        text = f"rollproof/v1/{game or self.w.game.hex()}\n{size}\n{b64(ref.root(leaves))}\n"
        return text + "\n" + signed(text, "host", key)

    def proof(
        self,
        request: int,
        *,
        size: int = 0,
        names: bool = False,
        without: Iterable[int] = (),
        more: Iterable[int] = (),
        lines: list[bytes] | None = None,
        **members: Any,
    ) -> Json:
        """The proof of a roll, and what replaces its members; `lines`: the log in another form."""
        all_lines = lines or self.w.lines
        size = size or len(all_lines)
        events: list[Json] = [
            json.loads(line) if line.startswith(b"{") else {"type": "none"} for line in all_lines[:size]
        ]
        authors = {opening["author"] for opening in events[request + 1]["body"].get("openings", [])}
        commits = {event["author"]: event["seq"] for event in events[:request] if event["type"] == "commit"}
        chosen = {0, request, request + 1, *more, *(seq for name, seq in commits.items() if name in authors)}
        chosen |= {event["seq"] for event in events if event["type"] == "admit"}
        chosen |= {
            event["seq"]
            for event in events
            if event["type"] == "ruling" and event["body"].get("subject") in (request, request + 1)
        }
        chosen |= {e["seq"] for e in events if e["type"] == "strike" and e["body"].get("roll") == request}
        leaves = [ref.leaf(line) for line in all_lines[:size]]
        shown = [
            {"index": n, "line": all_lines[n].decode(), "proof": [each.hex() for each in path(n, leaves)]}
            for n in sorted(chosen - set(without))
        ]
        found = {
            "checkpoint": self.note(size, lines=all_lines),
            "format": "rollproof/roll/v1",
            "lines": shown,
            "names": names,
        }
        return found | members

    def signed(self, number: int, change: Callable[[Json], None], key: str = "") -> list[bytes]:
        """The log with one line changed, signed by its author, or with another key; later lines as they are."""
        event = {name: value for name, value in json.loads(self.w.lines[number]).items() if name != "sig"}
        change(event)
        sig = ref.private_key(key or event["author"]).sign(b"rollproof/v1/event\n" + ref.canonical(event)).hex()
        return [*self.w.lines[:number], ref.canonical(event | {"sig": sig}), *self.w.lines[number + 1 :]]


def cases() -> list[Json]:
    """All cases: `code` null where it holds, and then its notices."""
    found: list[Json] = []

    def case(about: str, proof: Json | str, code: str | None, *notices: str, **more: Any) -> None:
        text = proof if isinstance(proof, str) else ref.canonical(proof).decode() + "\n"
        found.append(
            {"about": about, "file": text, "code": code and f"roll-proof.{code}", "notices": list(notices), **more}
        )

    table = Table("a proof of one roll")
    first = table.roll("alice", "4d6kh3", [6] * 4, "Strength")
    second = table.roll("bob", "d20", [20])
    w = table.w

    good = table.proof(first)
    naturals = json.loads(w.lines[first + 1])["body"]["naturals"]
    case("a roll", good, None, naturals=naturals, request=first)
    case("another roll of the game, with names", table.proof(second, names=True), None, request=second)
    case("by a checkpoint that ends with the dice", table.proof(first, size=first + 2), None)
    case("with a line of the log beside it that is not needed", table.proof(first, more=[2]), None)

    def broken(about: str, code: str, *how: Any, **members: Any) -> None:
        case(about, (how[0] if how else good) | members, code)

    case("nothing", "", "malformed")
    case("a log", w.data.decode(), "malformed")
    case("a blank", ref.canonical(good).decode().replace('":', '": ', 1), "malformed")
    broken("a member more", "malformed", more=1)
    broken("another format", "malformed", format="rollproof/roll/v2")
    broken("names that are neither", "malformed", names=1)
    broken("no lines", "malformed", lines=[])
    broken("lines in another order", "malformed", lines=good["lines"][::-1])
    broken("a line twice", "malformed", lines=[good["lines"][0], *good["lines"]])
    broken("no event 0", "malformed", lines=good["lines"][1:])
    broken("a checkpoint that is none", "malformed", checkpoint="rollproof/v1/x\n")
    for about, member in (("a checkpoint", '"checkpoint":"rollproof/v1/'), ("a line", '"line":"')):
        surrogate = ref.canonical(good).decode().replace(member, f"{member}\\ud800", 1)
        case(f"half a pair of surrogates in {about}", surrogate, "malformed")

    # event 0 and the checkpoint
    case("event 0 by another key", table.proof(first, lines=table.signed(0, lambda _: None, "alice")), "open")
    case(
        "event 0 with another title",
        table.proof(first, lines=table.signed(0, lambda e: e["body"].update(title="x"))),
        "checkpoint",
    )
    other = Table("another game")
    other.roll("alice", "d20", [20])
    broken("a checkpoint of another game", "checkpoint", checkpoint=other.note(9))
    broken("a checkpoint that another key signed", "checkpoint", checkpoint=table.note(len(w.lines), "alice"))
    broken("a checkpoint of another history", "line", checkpoint=table.note(len(w.lines), lines=[*w.lines[:-1], b"x"]))
    broken("a checkpoint of fewer lines", "line", checkpoint=table.note(first + 1))

    # lines
    def line(number: int, **members: Any) -> Json:
        lines = [each | (members if each["index"] == number else {}) for each in good["lines"]]
        return good | {"lines": lines}

    shown = {each["index"]: each for each in good["lines"]}
    changed = [*naturals[:-1], naturals[-1] % 6 + 1]
    case(
        "other dice in the line",
        line(
            first + 1,
            line=shown[first + 1]["line"].replace(
                json.dumps(naturals, separators=(",", ":")), json.dumps(changed, separators=(",", ":"))
            ),
        ),
        "line",
    )
    case("a hash more", line(first, proof=[*shown[first]["proof"], "00" * 32]), "line")
    case("a hash less", line(first, proof=shown[first]["proof"][:-1]), "line")
    case(
        "a request that its author did not sign",
        table.proof(first, lines=table.signed(first, lambda _: None, "bob")),
        "line",
    )
    case(
        "a request with other dice, that its author did not sign",
        table.proof(first, lines=table.signed(first, lambda e: e["body"].update(dice="5d6"), "host")),
        "line",
    )

    case(
        "an event that calls itself another",
        table.proof(first, more=[2], lines=table.signed(2, lambda e: e.update(seq=3))),
        "line",
    )
    case(
        "an event that says that it is of another game",
        table.proof(first, more=[2], lines=table.signed(2, lambda e: e.update(game="00" * 32))),
        "line",
    )

    def beside(about: str, line: bytes) -> None:
        """With another line that the keeper took, at the end."""
        lines = [*w.lines, line]
        case(about, table.proof(first, more=[len(w.lines)], lines=lines), "line")

    beside("a line that is no event", b"x")
    beside("a line that is not canonical", json.dumps(w.event("alice", "declare", {})).encode())
    beside("a line that is a byte too long", long_line(w, ref.MAX_LINE + 1))
    beside("a line by nobody of the game", ref.canonical(w.event("mallory", "declare", {})))

    # which lines
    case("without the request", table.proof(first, without=[first]), "lines")
    case("without the dice", table.proof(first, without=[first + 1]), "lines")
    case("with two requests", table.proof(first, more=[second]), "lines")
    case(
        "the dice of another roll behind the request",
        table.proof(
            first, lines=[*w.lines[: first + 1], resealed(w.lines[second + 1], first + 1), *w.lines[first + 2 :]]
        ),
        "lines",
    )
    case(
        "dice by a player",
        table.proof(first, lines=table.signed(first + 1, lambda e: e.update(author="alice"), "alice")),
        "lines",
    )
    case(
        "the end of the game behind the request, with the openings",
        table.proof(first, lines=table.signed(first + 1, lambda e: e.update(type="close"))),
        "lines",
    )
    sealing = Table("a request with a holder that has no name")
    number = sealing.w.request("alice", "roll", {"sealed": 5}, [20])
    sealing.w.reveal()
    case("a request whose `sealed` has no form", sealing.proof(number), "lines")

    # bodies
    def unformed(about: str, number: int, **members: Any) -> None:
        case(
            about,
            table.proof(first, lines=table.signed(number, lambda e: e["body"].update(members))),
            "line",
        )

    unformed("dice with a member more", first + 1, more=1)
    unformed("a commitment with a member more", 1, more=1)
    unformed("the keeper opens its tip", first + 1, openings=opened(table, first, 0))

    # openings
    case(
        "without what bob committed to",
        table.proof(
            first,
            without=[
                each["index"]
                for each in good["lines"]
                if '"author":"bob"' in each["line"] and '"type":"commit"' in each["line"]
            ],
        ),
        "opening",
    )

    def openings(change: Callable[[list[Json]], Any]) -> Json:
        def apply(event: Json) -> None:
            made = change(event["body"]["openings"])
            event["body"]["openings"] = event["body"]["openings"] if made is None else made

        return table.proof(first, lines=table.signed(first + 1, apply))

    later = json.loads(w.lines[second + 1])["body"]["openings"]
    case("the keeper's opening alone", openings(lambda given: given[:1]), "opening")
    case("without the keeper's opening", openings(lambda given: given[1:]), "opening")
    case("openings in another order", openings(lambda given: given[::-1]), "opening")
    case("bob's opening for another roll", openings(lambda given: [*given[:2], later[2]]), "opening")
    case("the keeper's opening for another roll", openings(lambda given: [later[0], *given[1:]]), "opening")
    case(
        "bob's link, with his signature for another roll",
        openings(lambda given: [*given[:2], given[2] | {"sig": later[2]["sig"]}]),
        "opening",
    )
    case("the keeper takes another link than the roll's number allows", chosen(table, first, 5), "opening")
    case("the keeper opens a link that is on no chain of its own", chosen(table, first, 1, bytes(32)), "opening")
    case(
        "the keeper opens a link behind the end of its chain",
        table.proof(second, lines=table.signed(1, lambda e: e["body"].update(length=2))),
        "opening",
    )
    case("an opening by the judge", openings(lambda given: [*given, given[0] | {"author": "dana"}]), "opening")
    case("bob's opening is left out, and so are other dice", without_bob(table, first), None, "roll-proof.absent")
    case(
        "other dice than the links give, signed by the keeper",
        table.proof(first, lines=table.signed(first + 1, lambda e: e["body"].update(naturals=changed))),
        "dice",
    )
    case(
        "another number of the roll, signed by the keeper",
        table.proof(first, lines=table.signed(first + 1, lambda e: e["body"].update(roll_index=1))),
        "dice",
    )

    # rulings, who comes later, chains that were replaced
    ruled = Table("a roll that was ruled void")
    number = ruled.roll("alice", "d20", [20])
    ruled.w.write("dana", "ruling", {"ruling": "void", "subject": number, "text": "cocked"})
    ruled.roll("alice", "d20", [20])
    case("a roll that a judge ruled void", ruled.proof(number), None, "roll-proof.ruling")
    case("a checkpoint from before the ruling", ruled.proof(number, size=number + 2), None)
    other = Table("a ruling on another roll")
    number = other.roll("alice", "d20", [20])
    later = other.roll("alice", "d20", [20])
    other.w.write("dana", "ruling", {"ruling": "void", "subject": later, "text": "cocked"})
    case("a ruling on another roll", other.proof(number, more=[other.w.last]), None)
    unruled = Table("a ruling that has no form")
    number = unruled.roll("alice", "d20", [20])
    unruled.w.write("dana", "ruling", {})
    case("a ruling that has no form", unruled.proof(number, more=[unruled.w.last]), "line")
    anew = Table("a chain that was replaced")
    number = anew.roll("alice", "d20", [20])
    replaced = anew.w.commit("host", length=9)
    case("with a chain beside it that was committed to later", anew.proof(number, more=[replaced]), None)
    number = anew.roll("alice", "d20", [20])
    case("a chain that was replaced", anew.proof(number), None, "roll-proof.numbers")
    twice = Table("a keeper that committed twice before the first roll")
    twice.w.commit("host", length=9)
    number = twice.roll("alice", "d20", [20])
    case("a keeper that committed twice before the first roll", twice.proof(number), None, "roll-proof.numbers")
    struck = Table("a strike", strike="all")
    number = struck.roll("alice", "d20", [20])
    for name in ("alice", "bob", "dana"):
        struck.w.write(name, "strike", {"roll": number})
    case("a roll that was taken back", struck.proof(number), None, *["roll-proof.strike"] * 3)
    case("a checkpoint from before it was taken back", struck.proof(number, size=number + 2), None)
    other = Table("a strike of another roll", strike="all")
    number = other.roll("alice", "d20", [20])
    later = other.roll("alice", "d20", [20])
    other.w.write("bob", "strike", {"roll": later})
    case("a strike of another roll", other.proof(number, more=[other.w.last]), None)
    unknown = Table("a strike that the terms do not have")
    number = unknown.roll("alice", "d20", [20])
    unknown.w.write("alice", "strike", {"roll": number})
    case("a strike in a game that has none", unknown.proof(number), None)
    unstruck = Table("a strike that has no form", strike="all")
    number = unstruck.roll("alice", "d20", [20])
    unstruck.w.write("alice", "strike", {})
    case("a strike that has no form", unstruck.proof(number, more=[unstruck.w.last]), "line")
    posing = Table("a ruling by a player")
    number = posing.roll("alice", "d20", [20])
    posing.w.write("alice", "ruling", {"ruling": "void", "subject": number, "text": "mine"})
    case("a ruling by a player, which is none", posing.proof(number), None)
    posing.w.write("alice", "ruling", {})
    case("a ruling by a player that has no form, and is not used", posing.proof(number, more=[posing.w.last]), None)
    hidden, number = secret_roll()
    case("a secret roll", hidden.proof(number), "lines")
    late = Table("somebody came later", admits=["player"])
    late.w.admit("zoe", "player")
    late.w.join("zoe")
    late.w.commit("zoe", length=9)
    number = late.roll("zoe", "d20", [20])
    case("by somebody who came later", late.proof(number), None)
    case(
        "by somebody who came later, without the admit",
        late.proof(number, without=[n for n, each in enumerate(late.w.lines) if b'"type":"admit"' in each]),
        "line",
    )
    alone = Table("roller alone", contributors="roller")
    number = alone.roll("alice", "d20", [20])
    case("dice of the keeper and who rolled", alone.proof(number), None)
    return found


def secret_roll() -> tuple[Table, int]:
    """A table with a secret roll, and the number of its request."""
    secret = ref.Writer("a secret roll", {"host": "keeper", "alice": "player", "gina": "gm"})
    secret.open(system="dice-1", options={}, title="tavern", sealed="kept")
    secret.commit("host", length=9)
    secret.join("alice", "gina")
    secret.commit("alice", "gina", length=9)
    secret.seal("gina")
    table = Table.__new__(Table)
    table.w = secret
    return table, secret.roll_secret("gina", "gina", "d20", [20])


def long_line(w: ref.Writer, size: int) -> bytes:
    """An event that a player signed, of so many bytes; no rule was asked about it."""
    least = len(ref.canonical(w.event("alice", "declare", {"x": ""})))
    return ref.canonical(w.event("alice", "declare", {"x": "x" * (size - least)}))


def resealed(line: bytes, seq: int) -> bytes:
    """A line of the keeper's, at another place."""
    event = {name: value for name, value in json.loads(line).items() if name != "sig"} | {"seq": seq}
    sig = ref.private_key("host").sign(b"rollproof/v1/event\n" + ref.canonical(event)).hex()
    return ref.canonical(event | {"sig": sig})


def chosen(table: Table, request: int, index: int, link: bytes | None = None) -> Json:
    """The keeper opens another link of its own, for which it signs, and makes the dice that follow."""
    return table.proof(request, lines=remade(table, request, lambda _: opened(table, request, index, link)))


def opened(table: Table, request: int, index: int, link: bytes | None = None) -> list[Json]:
    """The openings of a roll with another link of the keeper's, for which it signs."""
    w = table.w
    asked = ref.leaf(w.lines[request])
    link = link or w.chains["host"][index]
    sig = ref.private_key("host").sign(ref.opening_message(w.game, asked, "host", index, link)).hex()
    others = json.loads(w.lines[request + 1])["body"]["openings"][1:]
    return [{"author": "host", "index": index, "link": link.hex(), "sig": sig}, *others]


def without_bob(table: Table, request: int) -> Json:
    """The keeper leaves bob out, and makes the dice of the others. The proof says that bob is not there."""
    return table.proof(request, lines=remade(table, request, lambda given: given[:2]))


def remade(table: Table, request: int, change: Callable[[list[Json]], list[Json]]) -> list[bytes]:
    """The log with other openings in a reveal, and the dice that follow from them."""
    w = table.w

    def apply(event: Json) -> None:
        body = event["body"]
        body["openings"] = change(body["openings"])
        links = [(each["author"], bytes.fromhex(each["link"])) for each in body["openings"]]
        body["naturals"] = ref.naturals_of(ref.make_seed(w.game, body["roll_index"], links), body["sides"])

    return table.signed(request + 1, apply)


def main() -> int:
    text = json.dumps({"cases": cases()}, indent=1, ensure_ascii=False) + "\n"
    if "--check" in sys.argv:
        return int(not FILE.exists() or FILE.read_text() != text)
    FILE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
