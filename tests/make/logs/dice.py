"""Logs in which dice are drawn in another way than dice.md says."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.make.cases import Cases
from tests.make.parts import DELINA, PIXIE, first_seed, request, resolve, table
from tests.oracles import reference as ref
from tests.oracles.reference import Writer

CASES = Cases()
log = CASES.log


def wrong_dice(label: str, dice: str, naturals: Callable[[bytes, list[int]], list[int]]) -> tuple[Writer, int]:
    """The keeper writes naturals that it got in another way; the first game in which that matters."""

    def make(label: str) -> Writer:
        w = table(label)
        number = request(w, "alice", {"source": "Some dice", "dice": dice, "use": "Add them up."})
        claimed = naturals(w.seed(w.openings()), w.sides)
        w.reveal(naturals=claimed)
        resolve(w, number)
        w.close()
        return w

    def matters(w: Writer) -> bool:
        claimed = next(e for e in map(json.loads, w.lines) if e["type"] == "reveal")["body"]["naturals"]
        return bool(claimed != w.naturals)

    w = first_seed(label, matters, make)
    return w, w.last - 2


@log("reveal.naturals--changed", "The keeper writes a 20.", "host")
def _() -> Any:
    return wrong_dice("changed", "1d20", lambda seed, sides: [20])


@log("reveal.naturals--out-of-range", "The keeper writes 21 for a d20.", "host")
def _() -> Any:
    return wrong_dice("range", "1d20", lambda seed, sides: [21])


@log("reveal.naturals--one-too-many", "The keeper draws two dice for a request of one.", "host")
def _() -> Any:
    return wrong_dice("too many", "1d20", lambda seed, sides: ref.naturals_of(seed, [*sides, 20]))


@log("reveal.naturals--one-too-few", "The keeper leaves a die out.", "host")
def _() -> Any:
    return wrong_dice("too few", "2d20", lambda seed, sides: ref.naturals_of(seed, sides)[:1])


@log("reveal.naturals--none", "The keeper shows no dice.", "host")
def _() -> Any:
    return wrong_dice("none", "1d20", lambda seed, sides: [])


@log("reveal.naturals--order-changed", "The keeper swaps two dice of different kinds.", "host")
def _() -> Any:
    return wrong_dice("order", "1d20+1d6", lambda seed, sides: list(reversed(ref.naturals_of(seed, sides))))


@log(
    "reveal.naturals--modulo-without-rejection",
    "The keeper takes v mod 20 of a byte that must be passed over.",
    "host",
)
def _() -> Any:
    return wrong_dice("modulo", "1d20", lambda seed, sides: [ref.block(seed, 0)[0] % 20 + 1])


@log("reveal.naturals--modulo-without-rejection-d1000", "The same for two bytes of a d1000.", "host")
def _() -> Any:
    def biased(seed: bytes, sides: list[int]) -> list[int]:
        return [int.from_bytes(ref.block(seed, 0)[:2], "big") % 1000 + 1]

    return wrong_dice("modulo 1000", "1d1000", biased)


@log(
    "reveal.naturals--one-byte-too-many-for-d256",
    "The keeper takes two bytes for a d256, where one holds 255.",
    "host",
)
def _() -> Any:
    def wide(seed: bytes, sides: list[int]) -> list[int]:
        return [int.from_bytes(ref.block(seed, 0)[:2], "big") % 256 + 1]

    return wrong_dice("width", "1d256", wide)


@log("reveal.naturals--zero-based-block", "The keeper starts the stream at block 1.", "host")
def _() -> Any:
    return wrong_dice("block 1", "1d20", lambda seed, sides: [ref.block(seed, 1)[0] % 20 + 1])


@log("reveal.naturals--little-endian", "The keeper reads the bytes of a d1000 the wrong way round.", "host")
def _() -> Any:
    def little(seed: bytes, sides: list[int]) -> list[int]:
        return [int.from_bytes(ref.block(seed, 0)[:2], "little") % 1000 + 1]

    return wrong_dice("little", "1d1000", little)


@log("reveal.naturals--without-plus-one", "The keeper writes v mod N, where that is not 0.", "host")
def _() -> Any:
    return wrong_dice("plus one", "1d6", lambda seed, sides: [max(1, ref.naturals_of(seed, sides)[0] - 1)])


@log("reveal.naturals--new-stream-for-each-die", "The keeper starts the stream anew for each die.", "host")
def _() -> Any:
    return wrong_dice("anew", "2d20", lambda seed, sides: ref.naturals_of(seed, sides[:1]) * 2)


@log(
    "reveal.naturals--key-and-message-swapped",
    "The game's id is the message of the seed's HMAC, and the rest the key.",
    "host",
)
def _() -> Any:
    return other_seed("hmac swapped", lambda w, links: ref.mac(ref.seed_message(0, links), w.game))


def other_seed(label: str, seed: Callable[[Writer, list[tuple[str, bytes]]], bytes]) -> tuple[Writer, int]:
    """The keeper makes the seed in another way."""
    w = table(label)
    number = request(w, "alice", {**DELINA, "dice": "1d1000"})
    links = [(o["author"], bytes.fromhex(o["link"])) for o in w.openings()]
    flawed = w.reveal(naturals=ref.naturals_of(seed(w, links), [1000]))
    resolve(w, number)
    w.close()
    return w, flawed


@log("reveal.naturals--the-roll-s-number-left-out", "The seed's message has no number of the roll.", "host")
def _() -> Any:
    def without(w: Writer, links: list[tuple[str, bytes]]) -> bytes:
        return ref.mac(w.game, ref.seed_message(0, links).replace(ref.u64(0), b"", 1))

    return other_seed("no number", without)


@log("reveal.naturals--names-left-out", "The seed's message has links alone, without the names.", "host")
def _() -> Any:
    def without(w: Writer, links: list[tuple[str, bytes]]) -> bytes:
        return ref.mac(w.game, ref.SEED_LABEL + ref.u64(0) + b"".join(link for _, link in links))

    return other_seed("no names", without)


@log("reveal.naturals--id-in-hex", "The key of the seed's HMAC is the id as it is printed, 64 digits.", "host")
def _() -> Any:
    return other_seed("hex id", lambda w, links: ref.mac(w.game.hex().encode(), ref.seed_message(0, links)))


def other_dice(label: str, dice: str, sides: list[int]) -> tuple[Writer, int]:
    """The keeper draws other dice than were asked for, and shows what the links give for them."""
    w = table(label)
    request(w, "alice", {**DELINA, "dice": dice})
    flawed = w.reveal(sides=sides, naturals=ref.naturals_of(w.seed(w.openings()), sides))
    w.commit("host")
    return w, flawed


@log("reveal.sides--another-die", "The keeper draws a d6 for a d20.", "host")
def _() -> Any:
    return other_dice("another die", "1d20", [6])


@log("reveal.sides--one-too-many", "The keeper draws two dice for a request of one.", "host")
def _() -> Any:
    return other_dice("one die more", "1d20", [20, 20])


@log("reveal.sides--one-too-few", "The keeper draws one die for a request of two.", "host")
def _() -> Any:
    return other_dice("one die less", "2d20", [20])


@log("reveal.sides--none", "The keeper draws nothing.", "host")
def _() -> Any:
    return other_dice("no die", "1d20", [])


@log("reveal.sides--out-of-order", "The keeper draws the d6 before the d20.", "host")
def _() -> Any:
    return other_dice("dice order", "1d20+1d6", [6, 20])


@log("reveal.sides--a-die-of-one-side-more", "A die of one side takes no bytes, and is a die all the same.", "host")
def _() -> Any:
    return other_dice("d1 more", "1d20", [20, 1])


@log(
    "reveal.naturals--keyed-by-the-keeper-s-link",
    "The key of the seed's HMAC is the keeper's link, and the message has the others' after the id.",
    "host",
)
def _() -> Any:
    def keyed(w: Writer, links: list[tuple[str, bytes]]) -> bytes:
        message = ref.seed_message(0, links[1:]).removeprefix(ref.SEED_LABEL)
        return ref.mac(links[0][1], ref.SEED_LABEL + w.game + message)

    return other_seed("keeper's key", keyed)


@log("reveal.naturals--the-keeper-s-link-left-out", "The seed has the links of all but the keeper.", "host")
def _() -> Any:
    return other_seed("no keeper's", lambda w, links: ref.make_seed(w.game, 0, links[1:]))


@log("reveal.naturals--the-keeper-s-link-last", "The seed has all links, the keeper's after the others'.", "host")
def _() -> Any:
    return other_seed("keeper's last", lambda w, links: ref.make_seed(w.game, 0, [*links[1:], links[0]]))


@log(
    "rules.violation--706.6-not-the-lowest",
    "alice ignores the higher die; the lower one is ignored without a choice.",
    "host",
    "706.6",
)
def _() -> Any:
    def make(label: str) -> Writer:
        w = table(label)
        number = request(w, "alice", PIXIE)
        w.reveal()
        w.write("alice", "ignore", {"roll": number, "dice": [w.naturals.index(max(w.naturals)) + 1]})
        w.close()
        return w

    w = first_seed("706.6", lambda w: w.naturals[0] != w.naturals[1], make)
    return w, w.last - 1
