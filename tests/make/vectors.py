"""Writes `specs/vectors/`: `python -m tests.make.vectors`, or with `--check` compares what is there.

Every log is made by `reference.Writer` with the keys that its story needs, and judged by `reference.verify`.
The name of a file says what must come out, and the maker fails if it does not.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.make import absence, called, event_word, replaced, secret_rolls, taken_back
from tests.make.cases import Cases
from tests.oracles import reference as ref
from tests.oracles.reference import Writer, canonical, leaf

HERE = Path(__file__).resolve().parents[2] / "specs" / "vectors"

TABLE = {"host": "keeper", "alice": "player", "bob": "player"}
JUDGED = {**TABLE, "dana": "judge"}
WATCHED = {**TABLE, "walt": "witness"}
DELINA = {"source": "Delina, Wild Mage", "dice": "1d20", "use": "1-14: one token. 15 or more: one more."}
PIXIE = {
    "source": "Pixie Guide and a d20 spell",
    "dice": "1d20",
    "use": "10 or more: draw a card",
    "ignores": [{"source": "Pixie Guide", "which": "lowest", "extra": 1}],
}
CHAOS = {
    "source": "Wand of Wonder",
    "dice": "1d20",
    "table": [
        {"range": "1–9", "effect": "Exile the top card of each library."},
        {"range": "10-19", "effect": "Exile the top two cards."},
        {"range": "20+", "effect": "Exile the top three cards."},
    ],
}


CASES = Cases(
    case for module in (secret_rolls, absence, called, replaced, event_word, taken_back) for case in module.CASES
)
log = CASES.log


# --- parts of games -----------------------------------------------------------------------------------


def table(
    label: str,
    roles: dict[str, str] | None = None,
    contributors: Any = "all",
    length: int = 5,
    checks: Iterable[str] = (),
    **opened: Any,
) -> Writer:
    """A game in which everybody has joined and everybody who may contribute has committed.

    `checks` are those who say in their join that their programs know the rules.
    """
    w = Writer(label, dict(roles or TABLE), contributors)
    w.open(**opened)
    w.seat_all(length, checks)
    return w


def sides_of(body: dict[str, Any]) -> list[int]:
    """The dice of a simple roll, extra ones included."""
    if body["dice"] == "planar":
        return [6]
    sides: list[int] = []
    for term in body["dice"].split("+"):
        number, _, kind = term.partition("d")
        sides += [int(kind)] * int(number or 1)
    extra: int = sum(entry.get("extra", 0) for entry in body.get("ignores", []))
    return sides + sides[:1] * extra


def roll(w: Writer, who: str = "alice", body: dict[str, Any] | None = None, **how: Any) -> int:
    body = body or DELINA
    return w.request(who, "roll", body, sides_of(body), **how)


def resolve(w: Writer, number: int, who: str = "alice", **claims: Any) -> int:
    return w.write(who, "resolve", {"roll": number, **claims})


def whole_roll(w: Writer, who: str = "alice", body: dict[str, Any] | None = None) -> int:
    """A roll from request to resolve; gives the request's number."""
    number = roll(w, who, body)
    w.reveal()
    resolve(w, number, who)
    return number


def whole_roll_again(w: Writer, who: str) -> int:
    """The roll of PIXIE, made again; it is resolved without the die that is ignored, which it is at once if lower."""
    number = roll(w, who, PIXIE)
    w.reveal()
    if len(set(w.naturals)) == 1:
        w.write(who, "ignore", {"roll": number, "dice": [1]})
    resolve(w, number, who)
    return number


def whole_game(label: str) -> Writer:
    w = table(label)
    whole_roll(w)
    whole_roll(w, "bob", CHAOS)
    w.close()
    return w


def lines_of(w: Writer) -> list[bytes]:
    return list(w.lines)


def joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def edited(line: bytes, **members: Any) -> bytes:
    """A line with other members, canonical again, signature as it was."""
    return canonical({**json.loads(line), **members})


def first_seed(label: str, wanted: Callable[[Writer], bool], make: Callable[[str], Writer]) -> Writer:
    """The first game of a numbered series that has a property."""
    for n in range(10_000):
        w = make(f"{label} {n}")
        if wanted(w):
            return w
    raise AssertionError(label)


# --- logs that hold -----------------------------------------------------------------------------------


@log("holds--all-contributors", "A closed game of three; every party contributes to both rolls.")
def _() -> Any:
    w = table("all")
    number = roll(w, "alice", CHAOS)
    w.reveal()
    row = 1 if w.naturals[0] <= 9 else 2 if w.naturals[0] <= 19 else 3
    resolve(w, number, results=w.naturals, rows=[row], doubles=False)
    number = roll(w, "bob", {"source": "Three dice", "dice": "2d6+1d8", "use": "Add them up."})
    w.reveal()
    resolve(w, number, "bob", results=w.naturals)
    w.close()
    return w


@log("holds--roller", "A closed game of `roller`: the keeper and whoever rolls contribute.")
def _() -> Any:
    w = table("roller", contributors="roller")
    whole_roll(w, "alice")
    whole_roll(w, "bob")
    whole_roll(w, "alice")
    w.close()
    return w


@log("holds--roller-with-witness", "A closed game of `roller` with a witness, who contributes to every roll.")
def _() -> Any:
    w = table("roller witness", WATCHED, "roller")
    whole_roll(w, "alice")
    whole_roll(w, "bob")
    w.close()
    return w


@log("holds--list-with-witness", "Only host and the witness walt contribute; alice and bob never commit.")
def _() -> Any:
    w = table("list", WATCHED, ["host", "walt"])
    whole_roll(w, "alice")
    whole_roll(w, "bob", CHAOS)
    w.close()
    return w


@log(
    "holds--list-keeper-last",
    "The keeper is last in party order, and so its opening is; alice and zoe contribute.",
)
def _() -> Any:
    w = table("keeper last", {"alice": "player", "bob": "player", "zoe": "keeper"}, ["alice", "zoe"])
    whole_roll(w, "bob")
    w.close()
    return w


@log(
    "holds--void-and-again",
    "bob does not open; alice calls her roll off and makes it again; his link of both is opened, two on.",
)
def _() -> Any:
    w = table("void again")
    roll(w)
    w.call_off("alice", ["bob"])
    whole_roll(w)
    w.close()
    return w


@log("holds--void-nobody-opened", "bob does not open, twice; each time alice calls off. The third time both open.")
def _() -> Any:
    w = table("void nobody")
    for _ in range(2):
        roll(w)
        w.call_off("alice", ["bob"])
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--void-by-the-roller-alone",
    "A void in a game of `roller`: bob had only the keeper to wait for, names nobody, and keeps his link secret.",
)
def _() -> Any:
    w = table("void roller", contributors="roller")
    roll(w, "bob")
    w.call_off("bob")
    w.close()
    return w


@log(
    "holds--void-of-a-reroll",
    "A reroll is voided and made again; the reroll effect is unanswered in between.",
)
def _() -> Any:
    return reroll_game("void of reroll", fails=True)


@log(
    "holds--void-by-a-judge",
    "Everybody but the keeper opened, and it does not reveal: the judge voids. What the dice were is known to all.",
)
def _() -> Any:
    w = table("void by judge", JUDGED)
    roll(w)
    w.void("dana")
    w.disclose()
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--void-by-a-judge-that-names-two",
    "The judge names alice and the keeper; bob's opening and the keeper's are disclosed all the same.",
)
def _() -> Any:
    w = table("void by judge names", JUDGED)
    roll(w, "bob")
    w.void("dana", ["host", "alice"])
    w.disclose(["alice"])
    w.close()
    return w


@log(
    "holds--void-by-the-keeper-s-judge",
    "Event 0 names dana as the keeper's judge; dana and another judge void a roll each, and alice one.",
)
def _() -> Any:
    w = table("void by the keeper's judge", {**JUDGED, "erin": "judge"}, judge="dana")
    for judge in ("dana", "erin"):
        roll(w)
        w.void(judge, ["alice"])
        w.disclose()
    roll(w)
    w.call_off("alice", [])
    whole_roll(w)
    w.close()
    return w


@log("holds--keeper-s-judge-does-nothing", "Event 0 names dana as the keeper's judge; no roll is called off.")
def _() -> Any:
    w = table("keeper's judge", JUDGED, judge="dana")
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--void-by-a-closer-that-does-not-roll",
    "alice rolls and does not contribute; bob is the last contributor in party order, and calls her roll off.",
)
def _() -> Any:
    w = table("void by bob", {**TABLE, "carol": "player"}, ["host", "alice", "bob"])
    roll(w, "carol", PIXIE)
    w.call_off("bob", ["alice"])
    whole_roll_again(w, "carol")
    w.close()
    return w


@log(
    "holds--void-by-a-closer-before-the-keeper",
    "The keeper is last in party order, so the contributor before it is the closer.",
)
def _() -> Any:
    w = table("void by zoe", {"alice": "player", "bob": "player", "zoe": "keeper"}, ["alice", "zoe"])
    roll(w, "bob")
    w.call_off("alice")
    whole_roll(w, "bob")
    w.close()
    return w


@log("holds--void-by-a-witness", "walt, the last contributor in party order, calls off the roll of who has no part.")
def _() -> Any:
    w = table("void by walt", WATCHED, ["host", "walt"])
    roll(w, "bob")
    w.call_off("walt")
    w.close()
    return w


@log(
    "holds--void-by-a-closer-that-had-opened",
    "alice opens for two of three rolls that she calls off, and the keeper discloses what she opened.",
)
def _() -> Any:
    w = table("void opened")
    roll(w)
    w.call_off("alice", ["bob"])
    for _ in range(2):
        roll(w)
        w.void("alice")
        w.disclose()
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--void-by-two-closers-that-had-opened",
    "bob, then alice, opens and calls off; a judge's void of a roll for which alice had opened is none of it.",
)
def _() -> Any:
    w = table("void opened by two", {**JUDGED, "carol": "player"})
    for who in ("bob", "alice"):
        roll(w, who, PIXIE)
        w.void(who)
        w.disclose()
    roll(w, "alice", PIXIE)
    w.void("dana")
    w.disclose()
    return w


@log(
    "holds--void-by-a-closer-that-opens-later",
    "The keeper takes alice's void and leaves her opening out; her next link gives the burned one away: no proof.",
)
def _() -> Any:
    w = table("void opened later")
    roll(w)
    w.void("alice")
    w.disclose(["alice"])
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--void-undisclosed",
    "The log ends with alice's void: the keeper has not said what it has, and no link is known.",
)
def _() -> Any:
    w = table("undisclosed")
    roll(w)
    w.void("alice", ["bob"])
    return w


@log(
    "holds--void-hidden",
    "alice and bob say nothing of their links of two rolls that were called off, nor do later openings: hidden.",
)
def _() -> Any:
    w = table("hidden")
    whole_roll(w, "bob")
    roll(w)
    w.call_off("alice", ["bob"])
    roll(w)
    w.call_off("alice", ["bob"])
    w.close()
    return w


@log("holds--void-known-by-burned-in-a-leave", "bob, who did not open for two rolls, leaves with his burned link.")
def _() -> Any:
    w = table("burned in leave", JUDGED)
    for _ in range(2):
        roll(w)
        w.void("dana", ["bob"])
        w.disclose(["bob"])
    w.leave("bob", "bob", burned=w.burned("bob"))
    w.close()
    return w


@log("holds--void-known-by-burned-in-an-away", "bob, who did not open, is away and gives his burned link.")
def _() -> Any:
    w = table("burned in away", JUDGED)
    roll(w)
    w.void("dana", ["bob"])
    w.disclose(["bob"])
    w.away("bob", "bob", burned=w.burned("bob"))
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--void-known-by-the-link-of-a-commit",
    "alice replaces her chain after two voids: its next link gives away the two burned ones below it.",
)
def _() -> Any:
    w = table("known by commit")
    for _ in range(2):
        roll(w)
        w.call_off("alice")
    w.commit("alice")
    w.close()
    return w


@log(
    "holds--void-known-after-a-renewal-and-hidden-before-none",
    "A void with the old chain, a new chain, a void with the new one: the first is known, the second hidden.",
)
def _() -> Any:
    w = table("known and hidden")
    roll(w)
    w.call_off("alice")
    w.commit("alice")
    roll(w)
    w.call_off("alice")
    w.close()
    return w


@log(
    "holds--owed-while-another-rolls",
    "alice called off; bob rolls before she asks for her dice again, and is not kept from it.",
)
def _() -> Any:
    w = table("owed meanwhile")
    roll(w)
    w.call_off("alice")
    whole_roll(w, "bob", CHAOS)
    whole_roll(w)
    w.close()
    return w


@log("holds--owed-released-by-a-ruling", "The judge rules the voided request void: alice asks for other dice.")
def _() -> Any:
    w = table("owed released", JUDGED)
    number = roll(w)
    w.call_off("alice", ["bob"])
    w.write("dana", "ruling", {"ruling": "void", "subject": number, "text": "The spell was countered."})
    whole_roll(w, "alice", CHAOS)
    w.close()
    return w


@log(
    "holds--owed-that-the-rules-allow-no-more",
    "The judge rules the roll void whose die alice was to reroll: nothing can be rerolled, and she rolls anew.",
)
def _() -> Any:
    w = table("owed no more", JUDGED)
    body = {
        "source": "Two dice",
        "dice": "2d20",
        "use": "Add them up.",
        "effects": [{"source": "Monitor Monitor", "kind": "reroll", "scope": "one", "optional": True}],
    }
    number = roll(w, "alice", body)
    w.reveal()
    w.request("alice", "reroll", {"roll": number, "effect": 1, "dice": [2]}, [20])
    w.call_off("alice")
    w.write("dana", "ruling", {"ruling": "void", "subject": number, "text": "Announced too late"})
    whole_roll(w, "alice", CHAOS)
    w.close()
    return w


@log("holds--leaves-owing-a-roll", "alice calls off what bob asked for, and bob leaves: the notice `roll.owed`.")
def _() -> Any:
    w = table("leaves owing", {**TABLE, "carol": "player"})
    whole_roll(w, "bob")
    roll(w, "bob", CHAOS)
    w.call_off("bob", ["alice"])
    whole_roll(w)
    w.leave("bob", "bob")
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--two-leave-owing",
    "bob's roll is called off, and again when he has asked anew: it is the later request that he owes when dana takes "
    "him out. alice, who owes one too, leaves by herself.",
)
def _() -> Any:
    w = table("two owing", {**JUDGED, "carol": "player", "dora": "player"}, length=10)
    for who in ("bob", "alice", "bob"):
        roll(w, who, CHAOS if who == "bob" else None)
        w.call_off(who)
    w.leave("dana", "bob")
    w.leave("alice", "alice")
    whole_roll(w, "carol")
    w.close()
    return w


def _rerolled_in_vain(label: str) -> Writer:
    """Alice's reroll was called off, and the roll whose die it was is void: she owes what no rule allows."""
    w = table(label, {**JUDGED, "carol": "player"}, length=10)
    effects = [{"source": "Monitor Monitor", "kind": "reroll", "scope": "one", "optional": True}]
    number = roll(w, "alice", {"source": "Two dice", "dice": "2d20", "use": "Add them up.", "effects": effects})
    w.reveal()
    w.request("alice", "reroll", {"roll": number, "effect": 1, "dice": [2]}, [20])
    w.call_off("alice")
    w.write("dana", "ruling", {"ruling": "void", "subject": number, "text": "Announced too late"})
    return w


@log(
    "holds--leaves-owing-what-the-rules-allow-no-more",
    "The roll whose die alice was to reroll is void, so she rolled anew; the reroll is owed still when she leaves.",
)
def _() -> Any:
    w = _rerolled_in_vain("owing no more")
    whole_roll(w, "alice", CHAOS)
    w.leave("alice", "alice")
    w.close()
    return w


@log(
    "holds--owes-what-was-voided-last-alone",
    "alice owed a reroll that no rule allows; what she asked for instead was called off and made again.",
)
def _() -> Any:
    w = _rerolled_in_vain("owing the last")
    roll(w, "alice", CHAOS)
    w.call_off("alice")
    whole_roll(w, "alice", CHAOS)
    w.leave("alice", "alice")
    w.close()
    return w


@log("signature.invalid--leaves-owing", "alice's key signed that bob leaves: he has not, and owes his roll.", "file")
def _() -> Any:
    w = table("forged leave", {**TABLE, "carol": "player"})
    roll(w, "bob", CHAOS)
    w.call_off("bob")
    return w, w.leave("bob", "bob", how={"signer": "alice"})


@log(
    "holds--leaves-owing-nothing",
    "bob's roll was called off and made again; alice's was called off, and the judge ruled it void; both leave.",
)
def _() -> Any:
    w = table("owing nothing", {**JUDGED, "carol": "player"}, length=10)
    roll(w, "bob", CHAOS)
    w.call_off("bob")
    whole_roll(w, "bob", CHAOS)
    number = roll(w, "alice")
    w.call_off("alice")
    w.write("dana", "ruling", {"ruling": "void", "subject": number, "text": "The spell was countered."})
    w.leave("bob", "bob")
    w.leave("dana", "alice")
    w.close()
    return w


@log("holds--closed-while-a-roll-was-owed", "bob has not left: nothing is told but the void, and that he goes away.")
def _() -> Any:
    w = table("closed owing")
    roll(w, "bob", CHAOS)
    w.call_off("bob")
    w.away("bob", "bob")
    w.close()
    return w


@log("holds--owed-in-another-layout", "alice's second request is the first, member by member: its line is another.")
def _() -> Any:
    w = table("owed twice")
    for _ in range(3):
        roll(w, "alice", CHAOS)
        w.call_off("alice")
    roll(w, "alice", dict(reversed(CHAOS.items())))
    w.reveal()
    w.close()
    return w


@log("holds--left-without-dice", "The keeper closes while alice's request waits, and shows all that it has.")
def _() -> Any:
    w = table("left alone")
    whole_roll(w, "bob")
    roll(w)
    w.close(openings=w.openings())
    return w


@log(
    "holds--left-without-dice-and-openings",
    "The keeper closes while a request waits, and has no opening but its own; of the void before it had no other.",
)
def _() -> Any:
    w = table("left alone hidden")
    roll(w)
    w.void("alice", ["bob"])
    w.disclose(["alice", "bob"])
    roll(w)
    w.close(openings=[w.opening("host")])
    return w


@log("holds--left-without-dice-hidden", "The keeper closes over a request, with the roller's opening and its own.")
def _() -> Any:
    w = table("left alone but alice")
    roll(w)
    w.close(openings=[w.opening("host"), w.opening("alice")])
    return w


@log(
    "holds--left-without-dice-after-a-void",
    "bob's opening in the close gives his burned link of the void before as well; alice's is given by nobody.",
)
def _() -> Any:
    w = table("left alone void")
    roll(w)
    w.void("alice", ["bob"])
    w.disclose(["alice", "bob"])
    roll(w)
    w.close(openings=w.openings(["alice"]))
    return w


@log("holds--away-and-back", "bob is away for one roll; his chain waits for him.")
def _() -> Any:
    w = table("away")
    w.away("bob", "bob")
    whole_roll(w)
    w.back("bob", "bob")
    whole_roll(w, "bob")
    w.close()
    return w


@log("holds--away-and-gone", "bob is away, and leaves without coming back.")
def _() -> Any:
    w = table("away gone")
    w.away("bob", "bob")
    w.leave("bob", "bob")
    whole_roll(w)
    w.close()
    return w


@log("holds--away-by-a-judge", "The judge signs bob away, and back.")
def _() -> Any:
    w = table("away by judge", JUDGED)
    w.away("dana", "bob")
    whole_roll(w)
    w.back("dana", "bob")
    whole_roll(w)
    w.close()
    return w


FOUR = {**JUDGED, "carol": "player"}


@log("holds--away-by-a-judge-twice", "The judge signs bob away twice, and carol before: a notice for each of the two.")
def _() -> Any:
    w = table("away by judge twice", FOUR)
    w.away("dana", "carol")
    for _ in range(2):
        w.away("dana", "bob")
        w.back("bob", "bob")
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--away-by-the-others",
    "Event 0 lets them: alice, the keeper and carol sign bob away; with the third word it takes effect.",
)
def _() -> Any:
    w = table("away by others", FOUR, away="others")
    w.away("alice", "bob", effect=False)
    w.away("host", "bob", effect=False)
    w.away("carol", "bob")
    whole_roll(w)
    w.back("bob", "bob")
    whole_roll(w, "bob")
    w.close()
    return w


@log(
    "holds--away-not-by-all-others",
    "carol does not say that bob is away, so he is not, and opens for the next roll.",
)
def _() -> Any:
    w = table("away not by all", FOUR, away="others")
    w.away("alice", "bob", effect=False)
    w.away("host", "bob", effect=False)
    whole_roll(w)
    w.close()
    return w


@log("holds--away-calls-forgotten", "bob writes an event before the last word: the words before count no more.")
def _() -> Any:
    w = table("calls forgotten", FOUR, away="others")
    w.away("alice", "bob", effect=False)
    w.away("host", "bob", effect=False)
    w.commit("bob")
    w.away("carol", "bob", effect=False)
    whole_roll(w)
    w.away("alice", "bob", effect=False)
    w.away("host", "bob")
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--away-by-the-keeper-alone-of-all-others",
    "alice and carol are away: the keeper alone is all others, and takes nobody out; bob has his part in the dice.",
)
def _() -> Any:
    w = table("away by the keeper alone", FOUR, away="others")
    w.away("alice", "alice")
    w.away("carol", "carol")
    w.away("host", "bob", effect=False)
    whole_roll(w, "bob")
    w.close()
    return w


@log(
    "holds--away-calls-begin-anew",
    "carol, who was waited for, leaves: all words about bob begin anew, so that nothing but a word takes effect.",
)
def _() -> Any:
    w = table("calls anew", FOUR, away="others")
    w.away("alice", "bob", effect=False)
    w.away("host", "bob", effect=False)
    w.leave("carol", "carol")
    whole_roll(w)
    w.away("alice", "bob", effect=False)
    w.away("host", "bob")
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--away-calls-begin-anew-when-another-is-away",
    "carol is away from then on: alice's word about bob counts no more, so the keeper's alone takes nobody out.",
)
def _() -> Any:
    w = table("calls anew when away", FOUR, away="others")
    w.away("alice", "bob", effect=False)
    w.away("carol", "carol")
    w.away("host", "bob", effect=False)
    whole_roll(w)
    w.away("alice", "bob")
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--away-waits-for-nobody-who-is-away",
    "carol is away herself, so alice and the keeper are all who are asked about bob; walt has no part in a list.",
)
def _() -> Any:
    w = table("calls of who is here", {**FOUR, "walt": "witness"}, ["host", "alice", "bob", "carol"], away="others")
    w.away("carol", "carol")
    w.away("host", "bob", effect=False)
    w.away("alice", "bob")
    whole_roll(w)
    w.close()
    return w


@log("holds--continues", "Event 0 names the game that this one goes on from.")
def _() -> Any:
    before = whole_game("before")
    root = ref.root([leaf(line) for line in before.lines]).hex()
    w = table("continues", continues={"game": before.game.hex(), "root": root, "size": len(before.lines)})
    whole_roll(w)
    w.close()
    return w


@log("holds--corrected-twice", "Two judges correct results, one without saying which; the notices are theirs.")
def _() -> Any:
    w = table("corrected", {**JUDGED, "erin": "judge"})
    first = whole_roll(w)
    right = {"ruling": "correct", "subject": first, "text": "A bonus was left out."}
    w.write("dana", "ruling", right)
    w.write("erin", "ruling", {**right, "results": [{"die": 1, "result": 9}]})
    w.write("dana", "ruling", {**right, "results": [{"die": 1, "result": 10}]})
    w.close()
    return w


@log("holds--reroll", "One of two dice is rerolled: a second request, with its own links and index.")
def _() -> Any:
    return reroll_game("reroll", fails=False)


def reroll_game(label: str, fails: bool) -> Writer:
    w = table(label)
    body = {
        "source": "Two dice",
        "dice": "2d20",
        "use": "Add them up.",
        "effects": [{"source": "Monitor Monitor", "kind": "reroll", "scope": "one", "optional": True}],
    }
    number = roll(w, "alice", body)
    w.reveal()
    again = {"roll": number, "effect": 1, "dice": [2]}
    w.request("alice", "reroll", again, [20])
    if fails:
        w.call_off("alice", ["bob"])
        w.request("alice", "reroll", again, [20])
    w.reveal()
    resolve(w, number)
    w.close()
    return w


@log(
    "holds--chain-renewal",
    "Chains of two links, one for a roll and one for the next commit; bob's has three, so he commits less often.",
)
def _() -> Any:
    w = table("renewal", length=2)
    w.commit("bob", length=3)
    whole_roll(w)
    w.commit("host", "alice", length=2)
    whole_roll(w, "bob")
    w.commit("host", "alice", "bob", length=2)
    whole_roll(w)
    w.close()
    return w


@log("holds--chain-replaced-unused", "alice replaces a chain of which nothing was opened, by its link 1; and again.")
def _() -> Any:
    w = table("replaced unused")
    w.commit("alice", "alice")
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--renewal-after-void",
    "A void, then a new chain for bob only: his index starts again at 1, the others' go on.",
)
def _() -> Any:
    w = table("renewal void")
    roll(w)
    w.call_off("alice", ["bob"])
    w.commit("bob")
    whole_roll(w)
    w.close()
    return w


@log("holds--leave", "bob leaves with his roll open; the next roll is the keeper's and alice's alone.")
def _() -> Any:
    w = table("leave")
    roll(w, "bob")
    w.reveal()
    w.leave("bob", "bob")
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--judge-takes-out-who-never-joined",
    "carol never joins; the judge takes her out; then alice can roll.",
)
def _() -> Any:
    w = Writer("never joined", {**JUDGED, "carol": "player"})
    w.open()
    w.join("alice", "bob", "dana")
    w.commit("host", "alice", "bob")
    w.leave("dana", "carol")
    whole_roll(w)
    w.close()
    return w


@log("holds--rulings", "A judge corrects a result, upholds one, gives a penalty and rules a roll void.")
def _() -> Any:
    w = table("rulings", JUDGED)
    first = whole_roll(w)
    results = [{"die": 1, "result": 7}]
    text = "The die is not what the card asks for."
    w.write("dana", "ruling", {"ruling": "correct", "subject": first, "text": text, "results": results})
    w.write("dana", "ruling", {"ruling": "uphold", "subject": 1, "text": "Both agreed to digital dice."})
    w.write("dana", "ruling", {"ruling": "penalty", "subject": first, "text": "Warning.", "party": "alice"})
    second = whole_roll(w, "bob")
    w.write("dana", "ruling", {"ruling": "void", "subject": second, "text": "Rolled for a countered spell."})
    w.write("dana", "ruling", {"ruling": "void", "subject": 0, "text": "Not about a roll."})
    w.close()
    return w


@log(
    "holds--struck-by-two-judges",
    "Two judges rule rolls void; the notices stand in the order of their numbers, not of the parties.",
)
def _() -> Any:
    w = table("two judges", {**JUDGED, "erin": "judge"})
    first, second, third = whole_roll(w), whole_roll(w, "bob"), whole_roll(w)
    w.write("erin", "ruling", {"ruling": "void", "subject": first, "text": "Rolled twice."})
    w.write("dana", "ruling", {"ruling": "void", "subject": second, "text": "Rolled too early."})
    w.write("erin", "ruling", {"ruling": "void", "subject": third, "text": "Rolled three times."})
    w.close()
    return w


@log(
    "holds--rulings-without-effect",
    "dana rules one roll void, erin rules on that roll and on dana's ruling: only what changes something is counted.",
)
def _() -> Any:
    w = table("without effect", {**JUDGED, "erin": "judge"})
    first = whole_roll(w)
    results = [{"die": 1, "result": 7}]

    def rule(judge: str, ruling: str, subject: int, **members: Any) -> int:
        return w.write(judge, "ruling", {"ruling": ruling, "subject": subject, "text": "As I see it.", **members})

    rule("erin", "correct", first)
    rule("erin", "correct", first, results=[])
    rule("erin", "correct", first + 1, results=results)
    rule("erin", "void", first + 1)
    void = rule("dana", "void", first)
    rule("erin", "void", first)
    rule("erin", "void", void)
    rule("erin", "correct", first, results=results)
    rule("erin", "correct", void, results=results)
    called_off = roll(w)
    w.call_off("alice", ["bob"])
    rule("dana", "void", called_off)
    rule("erin", "void", called_off)
    w.close()
    return w


@log(
    "holds--voids-in-another-order",
    "bob calls off, then dana, then alice, then bob: notices of one code stand in the order of their numbers.",
)
def _() -> Any:
    w = table("voids in order", JUDGED)
    for author, roller in (("bob", "bob"), ("dana", "alice"), ("alice", "alice"), ("bob", "bob")):
        roll(w, roller)
        w.call_off(author)
    w.close()
    return w


@log(
    "holds--ruling-on-a-pending-game-s-open-roll",
    "A judge rules the open roll void before alice resolved it.",
)
def _() -> Any:
    w = table("ruling open", JUDGED)
    number = roll(w)
    w.reveal()
    w.write("dana", "ruling", {"ruling": "void", "subject": number, "text": "The ability was not on the stack."})
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--unfinished",
    "The log of a closed game, cut at the end of a line: it holds, and says it may go on.",
)
def _() -> Any:
    w = whole_game("unfinished")
    return joined(w.lines[:-3])


@log("holds--pending-at-the-end", "The keeper stops after alice's request: it never shows the dice.")
def _() -> Any:
    w = table("pending")
    whole_roll(w, "bob")
    roll(w)
    return w


@log("holds--unsealed", "alice writes on in her own copy: the keeper has not signed over her last two events.")
def _() -> Any:
    w = table("unsealed")
    number = roll(w)
    w.reveal()
    resolve(w, number)
    w.write("bob", "declare", {"what": "trigger", "source": "Brazen Dwarf", "on": "rolled"})
    return w


@log("holds--only-the-open", "Nothing but event 0.")
def _() -> Any:
    w = Writer("only open", TABLE)
    w.open(title="Round 3, table 12")
    return w


@log("holds--nobody-rolled", "Opened, joined and closed without a commit.")
def _() -> Any:
    w = Writer("nobody", TABLE)
    w.open()
    w.join("alice", "bob")
    w.close()
    return w


@log("holds--ignored-die", "One die more than the instruction says, both equal; alice chooses which one is ignored.")
def _() -> Any:
    def make(label: str) -> Writer:
        w = table(label)
        number = roll(w, "alice", PIXIE)
        w.reveal()
        w.write("alice", "ignore", {"roll": number, "dice": [2]})
        resolve(w, number, results=w.naturals[:1])
        w.close()
        return w

    return first_seed("ignored", lambda w: w.naturals[0] == w.naturals[1], make)


@log("holds--ignored-at-once", "One die more than the instruction says; the lower one is ignored without an event.")
def _() -> Any:
    def make(label: str) -> Writer:
        w = table(label)
        number = roll(w, "alice", PIXIE)
        w.reveal()
        resolve(w, number, results=[max(w.naturals)])
        w.close()
        return w

    return first_seed("ignored at once", lambda w: w.naturals[0] != w.naturals[1], make)


@log("holds--a-roll-that-stands", "Nothing is left to choose: bob's request settles alice's roll, the close bob's.")
def _() -> Any:
    w = table("stands")
    roll(w)
    w.reveal()
    roll(w, "bob")
    w.reveal()
    w.close()
    return w


@log("holds--planar-die", "A Planechase game: the planar die has six sides in the draw.")
def _() -> Any:
    w = table("planar", options={"planechase": True})
    whole_roll(w, "alice", {"source": "Special action", "dice": "planar"})
    w.close()
    return w


@log(
    "holds--rejected-bytes",
    "A roll of 4d20 in whose stream at least two bytes are 240 or more and passed over.",
)
def _() -> Any:
    def make(label: str) -> Writer:
        w = table(label)
        whole_roll(w, "alice", {"source": "Four dice", "dice": "4d20", "use": "Add them up."})
        w.close()
        return w

    return first_seed("rejected", lambda w: rejections(w, [20] * 4) >= 2, make)


def rejections(w: Writer, sides: list[int]) -> int:
    """How many values the first reveal of a log passed over."""
    event = next(e for e in map(json.loads, w.lines) if e["type"] == "reveal")
    links = [(opening["author"], bytes.fromhex(opening["link"])) for opening in event["body"]["openings"]]
    seed = ref.make_seed(w.game, event["body"]["roll_index"], links)
    return sum(len(die.tried) - 1 for die in ref.draw(seed, sides))


@log("holds--odd-dice", "One roll of dice with 1, 2, 100, 256, 257, 1000 and 2^53-1 sides.")
def _() -> Any:
    w = table("odd dice")
    dice = f"1d1+1d2+1d100+1d256+1d257+1d1000+1d{2**53 - 1}"
    number = roll(w, "alice", {"source": "All kinds", "dice": dice, "use": "Nothing."})
    w.reveal()
    resolve(w, number, results=w.naturals)
    w.close()
    return w


@log("holds--many-dice", "One hundred dice of one request, from several blocks of the stream.")
def _() -> Any:
    w = table("many dice")
    number = roll(w, "alice", {"source": "One hundred", "dice": "100d6", "use": "Add them up."})
    w.reveal()
    resolve(w, number, results=w.naturals)
    w.close()
    return w


@log("holds--equal-times", "All events have one time: not earlier than the one before is enough.")
def _() -> Any:
    w = Writer("equal times", TABLE)
    now = "2026-11-20T19:00:00.000Z"
    w.write("host", "open", w.open_body(), time=now)
    w.write("alice", "join", {}, time=now)
    w.write("bob", "join", {}, time=now)
    w.write("host", "close", {}, time=now)
    return w


@log(
    "holds--leap-day-and-last-millisecond",
    "Times at the edges: 29 February 2028, and the last of the year 9999.",
)
def _() -> Any:
    w = Writer("edge times", TABLE)
    w.write("host", "open", w.open_body(), time="0001-01-01T00:00:00.000Z")
    w.write("alice", "join", {}, time="2028-02-29T23:59:59.999Z")
    w.write("bob", "join", {}, time="9999-12-31T23:59:59.999Z")
    w.write("host", "close", {}, time="9999-12-31T23:59:59.999Z")
    return w


@log(
    "holds--names-and-texts-at-their-bounds",
    "Names of 1 and 32 characters, texts of 500 with every kind of character.",
)
def _() -> Any:
    long = "a0123456789._-" + "z" * 18
    w = table(
        "bounds",
        {"0": "keeper", long: "player", "dana": "judge"},
        title="\"\\/<>&' \u00e9\u00df\u3042\U0001f3b2" + "\u20ac" * 487,
    )
    number = roll(
        w,
        long,
        {
            **DELINA,
            "source": "\U0001f3b2" * 500,
            "use": "\u2010\u200c\u2027\u200d\u202f\u205f\u2070\u2764\ufe0f\u200d~\u00a0\u061b1\ufe0f\u20e3",
        },
    )
    w.reveal()
    resolve(w, number, long)
    w.write("dana", "ruling", {"ruling": "uphold", "subject": number, "text": "x" * 500})
    w.close()
    return w


@log(
    "holds--copy-shown-to-alice",
    "A keeper shows two histories: in alice's copy bob leaves. The copy holds by itself.",
)
def _() -> Any:
    return forks()[0]


@log(
    "holds--copy-shown-to-bob",
    "The other history, in which alice leaves; same game, size and length, another root.",
)
def _() -> Any:
    return forks()[1]


def forks() -> tuple[bytes, bytes]:
    copies = []
    for out, stays in (("bob", "alice"), ("alice", "bob")):
        w = table("fork")
        w.leave(out, out)
        whole_roll(w, stays)
        w.close()
        copies.append(w.data)
    return copies[0], copies[1]


@log("holds--line-of-65535-bytes", "alice's request is exactly MAX_LINE bytes long.")
def _() -> Any:
    return big_line(ref.MAX_LINE)


def big_line(size: int) -> Writer:
    """A game with a request, valid but for its length, of a given number of bytes; it is voided."""
    w = table(f"line of {size}")
    rows = [{"range": str(n + 1), "effect": "\U0001f3b2" * 150} for n in range(100)]
    body = {"source": "A very long table", "dice": "1d100", "table": rows}
    short = size - len(canonical(w.event("alice", "roll", body)))
    assert 0 <= short <= 34_000, short
    for row in rows:
        more = min(340, short)
        row["effect"] += "x" * more
        short -= more
    roll(w, "alice", body)
    assert len(w.lines[-1]) == size
    w.call_off("alice", ["bob"])
    w.close()
    return w


# --- the file -----------------------------------------------------------------------------------------


@log("file.empty--no-bytes", "A file without a byte.", "file")
def _() -> Any:
    return b"", 0


@log("file.not-a-log--other-text", "The result of a game, as a sentence.", "file")
def _() -> Any:
    return b"alice rolled a 20\n", 0


@log("file.not-a-log--other-json", "A JSON file of another kind.", "file")
def _() -> Any:
    return b'{"rolls":[20,20,20]}\n', 0


@log("file.not-a-log--begins-later", "The `open` of a game was cut off: the first line is a join.", "file")
def _() -> Any:
    return joined(whole_game("headless").lines[1:]), 0


@log("file.not-a-log--empty-first-line", "A game after an empty line.", "file")
def _() -> Any:
    return b"\n" + whole_game("empty first").data, 0


@log("file.not-a-log--byte-order-mark", "A whole game after a byte order mark.", "file")
def _() -> Any:
    return b"\xef\xbb\xbf" + whole_game("bom first").data, 0


@log("file.not-a-log--invalid-utf-8", "A byte FF in the title of event 0.", "file")
def _() -> Any:
    w = whole_game("utf-8 first")
    return w.data.replace(b'"title":""', b'"title":"\xff"', 1), 0


@log("file.not-a-log--not-a-number", "Event 0 has NaN, which is no JSON.", "file")
def _() -> Any:
    return first_line("nan", b"NaN"), 0


@log("file.not-a-log--nested-65-deep", "Event 0 nests 65 levels deep.", "file")
def _() -> Any:
    return nested_open(65)[0], 0


@log("file.not-a-log--nested-very-deep", "Event 0 nests 30,000 levels deep.", "file")
def _() -> Any:
    return first_line("very deep", b"[" * 30_000 + b"]" * 30_000), 0


@log("file.not-a-log--first-line-of-65536-bytes", "The first line is an event 0 of MAX_LINE + 1 bytes.", "file")
def _() -> Any:
    w = Writer("long open", TABLE)
    short = ref.MAX_LINE + 1 - len(canonical(w.event("host", "open", w.open_body())))
    w.open(title="x" * short)
    assert len(w.lines[0]) == ref.MAX_LINE + 1
    w.join("alice", "bob")
    return w, 0


@log("file.not-a-log--type-twice-the-last-wrong", "`type` stands twice in event 0, and the last is no string.", "file")
def _() -> Any:
    w = Writer("type last wrong", TABLE)
    w.append(canonical(w.event("host", "open", w.open_body()))[:-1] + b',"type":1}')
    w.join("alice", "bob")
    return w, 0


def first_line(label: str, option: bytes) -> bytes:
    """A game whose event 0 has another text for the value of its option, and over which the keeper goes on."""
    w = Writer(f"first line {label}", TABLE)
    w.append(
        canonical(w.event("host", "open", w.open_body())).replace(b'"planechase":false', b'"planechase":' + option)
    )
    w.join("alice", "bob")
    w.commit("host")
    return w.data


def nested_open(levels: int) -> tuple[Writer, int]:
    """A game whose event 0, signed, nests so deep: the event, its body, the options, and arrays."""
    value: Any = []
    for _ in range(levels - 4):
        value = [value]
    w = Writer(f"nested {levels}", TABLE)
    w.open(options={"planechase": value})
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log("file.version--v2", "A game of a format that this one does not know: `rollproof/v2`.", "file")
def _() -> Any:
    w = Writer("v2", TABLE)
    w.open(format="rollproof/v2")
    return w, 0


@log("file.system--other-edition", "A game by the rules of another edition, all signatures right.", "file")
def _() -> Any:
    w = Writer("edition", TABLE)
    w.open(system="mtg-706-2099-01-01")
    w.join("alice", "bob")
    return w, 0


# --- lines --------------------------------------------------------------------------------------------


@log("line.unterminated--cut-inside-the-last-line", "Anyone cuts a file inside its last line.", "file")
def _() -> Any:
    w = whole_game("cut")
    return w.data[:-40], w.last


@log("line.unterminated--no-line-feed-at-the-end", "A whole game, but for the last line feed.", "file")
def _() -> Any:
    w = whole_game("no line feed")
    return w.data[:-1], w.last


@log("line.unterminated--first-line", "A whole first line without its line feed.", "file")
def _() -> Any:
    w = Writer("one line", TABLE)
    w.open()
    return w.data[:-1], 0


@log("line.unterminated--second-line-of-one-byte", "One byte after event 0, without a line feed: it counts.", "file")
def _() -> Any:
    w = Writer("two lines", TABLE)
    w.open()
    return w.data + b"{", 1


@log("line.too-long--65536-bytes", "alice signs a request of MAX_LINE + 1 bytes, the keeper takes it.", "file")
def _() -> Any:
    w = big_line(ref.MAX_LINE + 1)
    return w, next(n for n, line in enumerate(w.lines) if len(line) > ref.MAX_LINE)


def oddly_written(label: str, how: Callable[[bytes], bytes], type_: str = "resolve") -> tuple[bytes, int]:
    """Alice's program writes a signed event oddly; the keeper takes it and closes over it."""
    w = table(label)
    number = roll(w)
    w.reveal()
    line = canonical(w.event("alice", type_, {"roll": number}))
    changed = how(line)
    assert changed != line
    flawed = w.append(changed)
    w.close()
    return w.data, flawed


@log("line.malformed--no-json", "A line is cut short, and the keeper signs over it.", "host")
def _() -> Any:
    return oddly_written("no json", lambda line: line[:-1])


@log("line.malformed--empty-line", "An empty line between two events; the keeper signs over it.", "host")
def _() -> Any:
    return oddly_written("empty line", lambda line: b"")


@log("line.malformed--array", "A line that is an array.", "host")
def _() -> Any:
    return oddly_written("array", lambda line: b"[" + line + b"]")


@log("line.malformed--invalid-utf-8", "A byte FF in a string.", "host")
def _() -> Any:
    return oddly_written("utf-8", lambda line: line.replace(b'"resolve"', b'"resolve\xff"'))


@log("line.malformed--lone-surrogate", "Half of a surrogate pair, escaped.", "host")
def _() -> Any:
    return oddly_written("surrogate", lambda line: line.replace(b'"resolve"', b'"resolve\\ud83c"'))


@log("line.malformed--lone-surrogate-that-does-not-count", "It stands in the first of two members `type`.", "host")
def _() -> Any:
    return oddly_written("surrogate twice", lambda line: line.replace(b'"type":', b'"type":"\\udfb2","type":'))


@log("line.malformed--lone-surrogate-in-a-name", "A member's name is half of a surrogate pair.", "host")
def _() -> Any:
    return oddly_written("surrogate name", lambda line: line.replace(b'{"roll":', b'{"\\ud83c":1,"roll":'))


@log("line.malformed--lone-surrogate-in-event-0", "Half of a surrogate pair, escaped, in the title.", "host")
def _() -> Any:
    w = Writer("surrogate in 0", TABLE)
    w.append(canonical(w.event("host", "open", w.open_body())).replace(b'"title":""', b'"title":"\\ud83c"'))
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log("line.malformed--1e400-in-event-0", "Event 0 has a number that no machine's can hold.", "host")
def _() -> Any:
    return first_line("1e400", b"1E400"), 0


@log("line.malformed--5000-digits-in-event-0", "Event 0 has an integer of 5,000 digits.", "host")
def _() -> Any:
    return first_line("digits", b"7" * 5_000), 0


@log("line.malformed--number-that-does-not-count", "1E400 stands in the first of two members `seq`.", "host")
def _() -> Any:
    return oddly_written("number twice", lambda line: line.replace(b'"seq":', b'"seq":1E400,"seq":'))


@log("line.malformed--seq-twice-the-last-wrong", "`seq` stands twice; the last is a string.", "host")
def _() -> Any:
    return oddly_written("seq last wrong", lambda line: line.replace(b',"sig":', b',"seq":"7","sig":'))


@log("line.malformed--nested-65-deep", "alice's resolve has arrays that nest 65 levels deep.", "host")
def _() -> Any:
    return oddly_written(
        "deep 65", lambda line: line.replace(b'"roll":', b'"again":' + b"[" * 63 + b"]" * 63 + b',"roll":')
    )


@log("line.malformed--nested-very-deep", "A line behind the last is arrays that nest 30,000 levels deep.", "file")
def _() -> Any:
    w = table("very deep")
    w.append(b"[" * 30_000 + b"]" * 30_000)
    return w, len(w.lines) - 1


@log("line.malformed--nested-65-deep-where-it-does-not-count", "It stands in the first of two members `roll`.", "host")
def _() -> Any:
    return oddly_written(
        "deep twice", lambda line: line.replace(b'"roll":', b'"roll":' + b"[" * 63 + b"]" * 63 + b',"roll":')
    )


@log("body.malformed--nested-64-deep", "alice's resolve has arrays that nest 64 levels deep.", "host")
def _() -> Any:
    w = table("deep 64")
    number = roll(w)
    w.reveal()
    value: Any = []
    for _ in range(61):
        value = [value]
    flawed = resolve(w, number, again=value)
    w.close()
    return w, flawed


@log("body.malformed--nested-64-deep-in-event-0", "Event 0 nests 64 levels deep.", "host")
def _() -> Any:
    return nested_open(64)


@log("line.malformed--byte-order-mark", "A byte order mark before a line.", "host")
def _() -> Any:
    return oddly_written("bom", lambda line: b"\xef\xbb\xbf" + line)


def oddly_ruled(label: str, body: dict[str, Any], old: str, new: str) -> tuple[bytes, int]:
    """A judge's program signs a ruling and writes it oddly; the keeper closes over it."""
    w = table(label, JUDGED)
    assert whole_roll(w) == 7
    event = w.event("dana", "ruling", {"ruling": "uphold", "subject": 7, "text": "Fine.", **body})
    written = canonical(event).decode()
    assert written.count(old) == 1
    flawed = w.append(written.replace(old, new).encode())
    w.close()
    return w.data, flawed


@log("line.malformed--fraction", "A judge writes `7.0` for an integer; it signed 7.", "host")
def _() -> Any:
    return oddly_ruled("fraction", {}, '"subject":7,', '"subject":7.0,')


@log("line.malformed--exponent", "A judge writes `7e0` for an integer; it signed 7.", "host")
def _() -> Any:
    return oddly_ruled("exponent", {}, '"subject":7,', '"subject":7e0,')


@log("line.malformed--integer-out-of-bounds", "A judge corrects a result to 2^53, and signs that.", "host")
def _() -> Any:
    w = table("2^53", JUDGED)
    number = whole_roll(w)
    results = [{"die": 1, "result": 2**53}]
    body = {"ruling": "correct", "subject": number, "text": "Fine.", "results": results}
    flawed = w.write("dana", "ruling", body)
    w.close()
    return w, flawed


@log("line.malformed--upper-case-hex", "The signature in upper case.", "host")
def _() -> Any:
    def change(line: bytes) -> bytes:
        return canonical({**json.loads(line), "sig": json.loads(line)["sig"].upper()})

    return oddly_written("upper case", change)


def signed_oddly(label: str, **members: Any) -> tuple[bytes, int]:
    """Bob joins by an event that is signed with odd members; the keeper goes on."""
    w = Writer(label, TABLE)
    w.open()
    w.join("alice")
    flawed = w.write("bob", "join", {}, **members)
    w.commit("host")
    return w.data, flawed


@log("line.malformed--member-added", "bob's join has and signs a ninth member.", "host")
def _() -> Any:
    return signed_oddly("ninth member", note="hello")


@log("line.malformed--member-added-to-event-0", "Event 0 has a ninth member; the keeper plays on over it.", "host")
def _() -> Any:
    w = Writer("ninth member of 0", TABLE)
    w.append(canonical(w.event("host", "open", w.open_body(), note="hello")))
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log("line.malformed--fraction-in-event-0", "Event 0 has a fraction, and nobody but bob signed over it.", "file")
def _() -> Any:
    w = Writer("fraction in 0", TABLE)
    line = canonical(w.event("host", "open", w.open_body(options={"planechase": 5}, title="Half")))
    w.append(line.replace(b'"planechase":5', b'"planechase":0.5'))
    w.join("bob")
    return w, 0


@log("line.malformed--member-missing", "bob's join has no `time`.", "host")
def _() -> Any:
    w = Writer("no time", TABLE)
    w.open()
    w.join("alice")
    event = w.event("bob", "join", {})
    del event["time"], event["sig"]
    event["sig"] = ref.private_key("bob").sign(ref.EVENT_LABEL + canonical(event)).hex()
    flawed = w.append(canonical(event))
    w.commit("host")
    return w, flawed


@log("line.malformed--no-such-date", "bob's join is of 29 February 2026.", "host")
def _() -> Any:
    return signed_oddly("no such date", time="2026-02-29T19:00:00.000Z")


@log("line.malformed--leap-second", "bob's join is of second 60.", "host")
def _() -> Any:
    return signed_oddly("leap second", time="2026-12-31T23:59:60.000Z")


@log("line.malformed--time-with-offset", "bob's join has a time with an offset.", "host")
def _() -> Any:
    return signed_oddly("offset", time="2026-11-20T19:00:02.500+00:00")


@log("line.malformed--author-in-upper-case", "An event of `Bob`.", "host")
def _() -> Any:
    return signed_oddly("upper case author", author="Bob")


@log("line.malformed--seq-is-a-string", "bob's join has `seq` as a string.", "host")
def _() -> Any:
    return signed_oddly("seq string", seq="2")


@log("line.malformed--seq-is-true", "The event 1 has `seq` true, which some languages take for 1.", "host")
def _() -> Any:
    w = Writer("seq true", TABLE)
    w.open()
    flawed = w.write("alice", "join", {}, seq=True)
    w.commit("host")
    return w, flawed


@log("line.malformed--negative-seq", "bob's join has `seq` -1.", "host")
def _() -> Any:
    return signed_oddly("seq -1", seq=-1)


@log(
    "line.malformed--last-line-nobody-signed-over",
    "The last line is no JSON, and no key stands behind it.",
    "file",
)
def _() -> Any:
    w = table("garbage")
    w.append(b"{}" + b"}")
    return w, w.last


@log("line.not-canonical--carriage-return", "A carriage return before a line feed.", "host")
def _() -> Any:
    return oddly_written("cr", lambda line: line + b"\r")


@log("line.not-canonical--blank", "A blank after a comma.", "host")
def _() -> Any:
    return oddly_written("blank", lambda line: line.replace(b',"game"', b', "game"'))


@log("line.not-canonical--members-reordered", "`type` comes first.", "host")
def _() -> Any:
    return oddly_written("reordered", lambda line: b'{"type":"resolve",' + line[1:].replace(b',"type":"resolve"', b""))


@log("line.not-canonical--name-twice", "`roll` stands twice in the body: two readers, two rolls.", "host")
def _() -> Any:
    return oddly_written("twice", lambda line: line.replace(b'{"roll":', b'{"roll":1,"roll":'))


@log("line.not-canonical--seq-twice-the-first-wrong", "`seq` stands twice; the first is a string.", "host")
def _() -> Any:
    return oddly_written("seq first wrong", lambda line: line.replace(b'"seq":', b'"seq":"7","seq":'))


@log("line.not-canonical--type-twice-in-event-0", "`type` stands twice in event 0; the first is a number.", "host")
def _() -> Any:
    w = Writer("type first wrong", TABLE)
    w.append(canonical(w.event("host", "open", w.open_body())).replace(b'"type":"open"', b'"type":1,"type":"open"'))
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log("line.not-canonical--needless-escape", "A letter as an escape.", "host")
def _() -> Any:
    return oddly_written("escape", lambda line: line.replace(b'"resolve"', b'"\\u0072esolve"'))


@log("line.not-canonical--minus-zero", "A judge writes `-0` for 0; it signed 0.", "host")
def _() -> Any:
    return oddly_ruled("minus zero", {"subject": 0}, '"subject":0,', '"subject":-0,')


@log("line.not-canonical--null", "A ruling's `party` is null, and signed so: no value of a line has a null.", "host")
def _() -> Any:
    w = table("null", JUDGED)
    event = w.event("dana", "ruling", {"party": "", "ruling": "uphold", "subject": 1, "text": "Fine."})
    del event["sig"]
    unsigned = canonical(event).replace(b'"party":""', b'"party":null')
    sig = ref.private_key("dana").sign(ref.EVENT_LABEL + unsigned).hex()
    flawed = w.append(unsigned.replace(b',"time":', b',"sig":"' + sig.encode() + b'","time":'))
    w.close()
    return w, flawed


@log("line.not-canonical--first-line", "The keeper writes event 0 with a blank, and plays on over it.", "host")
def _() -> Any:
    w = Writer("blank open", TABLE)
    w.append(canonical(w.event("host", "open", w.open_body())).replace(b'{"author"', b'{ "author"'))
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log(
    "line.not-canonical--nobody-signed-over",
    "Anyone adds a blank to a line; nothing after it fits any more.",
    "file",
)
def _() -> Any:
    w = whole_game("blank by anyone")
    lines = lines_of(w)
    lines[4] = lines[4].replace(b':"', b': "', 1)
    return joined(lines), 4


# --- the chain of lines -------------------------------------------------------------------------------


@log("chain.seq--line-dropped", "Anyone drops a line.", "file")
def _() -> Any:
    lines = lines_of(whole_game("dropped"))
    del lines[6]
    return joined(lines), 6


@log("chain.seq--line-doubled", "Anyone doubles a line.", "file")
def _() -> Any:
    lines = lines_of(whole_game("doubled"))
    lines.insert(6, lines[5])
    return joined(lines), 6


@log("chain.seq--lines-swapped", "Anyone swaps two lines.", "file")
def _() -> Any:
    lines = lines_of(whole_game("swapped"))
    lines[4], lines[5] = lines[5], lines[4]
    return joined(lines), 4


@log("chain.seq--signed-with-a-gap", "The keeper signs an event with a number too high by one.", "file")
def _() -> Any:
    w = table("gap")
    flawed = w.write("host", "close", {}, seq=w.last + 2)
    return w, flawed


@log("chain.seq--first-is-one", "The keeper numbers from 1.", "file")
def _() -> Any:
    w = Writer("from one", TABLE)
    w.write("host", "open", w.open_body(), seq=1)
    return w, 0


@log(
    "chain.game--line-of-another-game",
    "Anyone puts in the line with the same number of another game.",
    "file",
)
def _() -> Any:
    lines = lines_of(whole_game("one game"))
    lines[7] = whole_game("another game").lines[7]
    return joined(lines), 7


@log(
    "chain.game--signed-for-another-game",
    "alice's valid join of another game, as the keeper of both chains it.",
    "file",
)
def _() -> Any:
    w = Writer("this game", TABLE)
    w.open()
    flawed = w.write("alice", "join", {}, game=leaf(b"another game").hex())
    w.join("bob")
    return w, flawed


@log("chain.game--open-names-a-game", "Event 0 has something else than zeros for `game`.", "file")
def _() -> Any:
    w = Writer("open names", TABLE)
    w.write("host", "open", w.open_body(), game="11" * 32)
    return w, 0


@log("chain.prev--line-edited-and-left", "Anyone drops a line and numbers the others anew.", "file")
def _() -> Any:
    lines = lines_of(whole_game("renumbered"))
    del lines[6]
    lines = [edited(line, seq=number) for number, line in enumerate(lines)]
    return joined(lines), 6


@log("chain.prev--lines-swapped-and-renumbered", "Anyone swaps two lines and their numbers.", "file")
def _() -> Any:
    lines = lines_of(whole_game("swapped anew"))
    lines[4], lines[5] = lines[5], lines[4]
    lines = [edited(line, seq=number) for number, line in enumerate(lines)]
    return joined(lines), 4


@log(
    "chain.prev--of-the-other-history",
    "A keeper with two histories puts bob's event of the one into the other.",
    "file",
)
def _() -> Any:
    one = Writer("two histories", JUDGED)
    one.open()
    one.join("alice", "bob", "dana")
    two = Writer("two histories", JUDGED)
    two.open()
    two.join("bob", "alice", "dana")
    one.commit("host")
    two.commit("host")
    two.commit("bob")
    flawed = one.append(two.lines[-1])
    return one, flawed


@log("chain.prev--event-0", "Event 0 has something else than zeros for `prev`.", "file")
def _() -> Any:
    w = Writer("open prev", TABLE)
    w.write("host", "open", w.open_body(), prev="11" * 32)
    return w, 0


# --- types, bodies, terms -----------------------------------------------------------------------------


def after_joining(label: str, author: str, type_: str, body: dict[str, Any], /, **how: Any) -> tuple[Writer, int]:
    """A game with a judge, committed; then one event, then the keeper closes."""
    w = table(label, JUDGED)
    flawed = w.write(author, type_, body, **how)
    w.close()
    return w, flawed


@log("type.unknown--concede", "alice signs an event of a type that there is not.", "alice")
def _() -> Any:
    return after_joining("concede", "alice", "concede", {})


@log(
    "type.unknown--by-a-stranger-s-hand",
    "bob signs as alice, with his key, a type that there is not.",
    "host",
)
def _() -> Any:
    return after_joining("concede as", "alice", "concede", {}, signer="bob")


@log("type.unknown--upper-case", "`Close` is not `close`.", "host")
def _() -> Any:
    w = table("Close")
    flawed = w.write("host", "Close", {})
    return w, flawed


BAD_BODIES: list[tuple[str, str, str, str, dict[str, Any]]] = [
    ("member-added", "alice", "leave", "a member too many", {"party": "alice", "why": "hungry"}),
    ("member-missing", "alice", "leave", "no member", {}),
    ("member-in-an-empty-body", "host", "close", "a member in a body that has none", {"reason": "done"}),
    ("chain-of-no-links", "alice", "commit", "a chain of no links", {"length": 0, "tip": "11" * 32}),
    ("chain-of-one-link", "alice", "commit", "a chain of one link, which could be used for no roll",
     {"length": 1, "tip": "11" * 32}),
    ("link-too-short", "alice", "commit", "a link of 31 bytes", {"length": 4, "link": "11" * 31, "tip": "11" * 32}),
    ("burned-too-short", "alice", "leave", "a burned link of 31 bytes", {"party": "alice", "burned": "11" * 31}),
    ("burned-in-a-back", "alice", "back", "a burned link, which is given when one goes",
     {"party": "alice", "burned": "11" * 32}),
    ("burned-in-a-close", "host", "close", "a burned link of the keeper's, which its disclose has given",
     {"burned": "11" * 32}),
    ("away-is-nobody", "alice", "away", "nobody", {}),
    ("openings-is-an-object", "host", "close", "openings that are no array", {"openings": {}}),
    ("disclose-without-openings", "host", "disclose", "no openings", {"roll_index": 0}),
    ("missing-is-missing", "alice", "void", "no `missing`", {"roll_index": 0}),
    ("failed-as-before", "alice", "void", "a member of another version",
     {"roll_index": 0, "missing": [], "failed": ["bob"]}),
    ("missing-is-no-name", "alice", "void", "who is missing has no name", {"roll_index": 0, "missing": ["Bob"]}),
    ("chain-too-long", "alice", "commit", "a chain longer than MAX_CHAIN", {"length": 65537, "tip": "11" * 32}),
    ("tip-too-short", "alice", "commit", "a tip of 31 bytes", {"length": 4, "tip": "11" * 31}),
    ("length-is-true", "alice", "commit", "`true` for a number", {"length": True, "tip": "11" * 32}),
    ("text-with-reordering-character", "dana", "ruling", "a text that shows backwards",
     {"ruling": "uphold", "subject": 1, "text": "ok \u202e kcab"}),
    ("text-with-arabic-letter-mark", "dana", "ruling", "U+061C in a text",
     {"ruling": "uphold", "subject": 1, "text": "ok\u061c"}),
    ("text-with-zero-width-space", "dana", "ruling", "U+200B in a text",
     {"ruling": "uphold", "subject": 1, "text": "o\u200bk"}),
    ("text-with-left-to-right-mark", "dana", "ruling", "U+200E in a text",
     {"ruling": "uphold", "subject": 1, "text": "ok\u200e"}),
    ("text-with-right-to-left-mark", "dana", "ruling", "U+200F in a text",
     {"ruling": "uphold", "subject": 1, "text": "ok\u200f"}),
    ("text-with-word-joiner", "dana", "ruling", "U+2060 in a text",
     {"ruling": "uphold", "subject": 1, "text": "o\u2060k"}),
    ("text-with-byte-order-mark", "dana", "ruling", "U+FEFF in a text",
     {"ruling": "uphold", "subject": 1, "text": "\ufeffok"}),
    *((f"text-with-{about}", "dana", "ruling", f"U+{ord(character):04X} in a text",
       {"ruling": "uphold", "subject": 1, "text": f"o{character}k"})
      for about, character in {
          "soft-hyphen": "\xad", "grapheme-joiner": "\u034f", "hangul-filler": "\u115f",
          "invisible-times": "\u2062", "digit-shapes": "\u206f", "hangul-filler-letter": "\u3164",
          "variation-selector": "\ufe00", "tag": "\U000e0041", "unassigned-ignorable": "\U000e0fff",
          "joiner-behind-ascii": "\u200d", "emoji-style-behind-ascii": "\ufe0f"}.items()),
    ("text-of-501", "dana", "ruling", "a text too long by one", {"ruling": "uphold", "subject": 1, "text": "x" * 501}),
    ("required-text-empty", "dana", "ruling", "a ruling without reason",
     {"ruling": "uphold", "subject": 1, "text": ""}),
    ("unknown-ruling", "dana", "ruling", "a ruling that there is not", {"ruling": "pardon", "subject": 1, "text": "x"}),
    ("roll-without-source", "alice", "roll", "a system's body without a required member",
     {"dice": "1d20", "use": "x"}),
    ("member-of-the-system-s-added", "alice", "roll", "a system's body with a member too many",
     {**DELINA, "luck": 3}),
]  # fmt: skip


def _bad_body(name: str, author: str, type_: str, about: str, body: dict[str, Any]) -> None:
    fault = "host" if type_ in ref.SYSTEM_TYPES else author

    @log(f"body.malformed--{name}", f"A `{type_}` of {author}'s: {about}.", fault)
    def _() -> Any:
        w, flawed = after_joining(f"body {name}", author, type_, body)
        return w, flawed


for _bad in BAD_BODIES:
    _bad_body(*_bad)


@log("body.malformed--missing-of-65", "A void that names more than MAX_PARTIES.", "alice")
def _() -> Any:
    w = table("missing 65")
    roll(w)
    return w, w.void("alice", ["bob"] * 65)


@log("body.malformed--openings-of-65", "A reveal with more openings than MAX_PARTIES.", "host")
def _() -> Any:
    w = table("openings 65")
    roll(w)
    openings = w.openings()
    w.naturals = [1]
    body = {"roll_index": 0, "openings": (openings * 22)[:65], "naturals": [1], "sides": [20]}
    return w, w.write("host", "reveal", body)


@log("body.malformed--openings-of-65-in-a-disclose", "A disclose with more openings than MAX_PARTIES.", "host")
def _() -> Any:
    w = table("openings 65 disclose")
    roll(w)
    w.void("alice")
    return w, w.disclose(openings=[w.opening("host", index=1)] * 65)


@log("body.malformed--openings-of-65-in-a-close", "A close with more openings than MAX_PARTIES.", "host")
def _() -> Any:
    w = table("openings 65 close")
    roll(w)
    return w, w.close(openings=[w.opening("host")] * 65)


@log("body.malformed--reveal-without-sides", "A reveal that does not say which dice were drawn.", "host")
def _() -> Any:
    w = table("no sides")
    roll(w)
    return w, w.write("host", "reveal", {"roll_index": 0, "openings": w.openings(), "naturals": [1]})


@log("body.malformed--sides-of-1001", "A reveal with more sides than MAX_DICE.", "host")
def _() -> Any:
    w = table("sides 1001")
    roll(w)
    return w, w.reveal(sides=[20] * 1_001)


@log("body.malformed--no-sides-on-a-die", "A reveal of a die with 0 sides.", "host")
def _() -> Any:
    w = table("side 0")
    roll(w)
    return w, w.reveal(sides=[0])


@log("body.malformed--openings-in-a-void", "alice's void has openings, as a keeper's once had.", "alice")
def _() -> Any:
    w = table("openings in void")
    roll(w)
    return w, w.void("alice", openings=[])


@log("opening.set--of-64", "A reveal with as many openings as a body can have, 61 too many.", "host")
def _() -> Any:
    w = table("openings 64")
    roll(w)
    body = {"roll_index": 0, "openings": (w.openings() * 22)[:64], "naturals": [1], "sides": [20]}
    return w, w.write("host", "reveal", body)


@log("void.missing--of-64", "A void that names as many as a body can have.", "alice")
def _() -> Any:
    w = table("missing 64")
    roll(w)
    return w, w.void("alice", ["bob"] * 64)


@log(
    "body.malformed--options-of-no-system",
    "Event 0 has an option that the system has not; host signed it.",
    "host",
)
def _() -> Any:
    w = Writer("bad option", TABLE)
    w.open(options={"planechase": False, "loaded": True})
    w.join("alice", "bob")
    return w, 0


@log("body.malformed--one-party", "Event 0 names the keeper alone.", "host")
def _() -> Any:
    w = Writer("one party", {"host": "keeper"})
    w.open()
    return w, 0


@log("body.malformed--list-of-one", "A list of contributors with one name.", "host")
def _() -> Any:
    return bad_terms("list of one", TABLE, ["host"])


@log("body.malformed--list-of-65", "A list of contributors with more names than MAX_PARTIES.", "host")
def _() -> Any:
    return bad_terms("list of 65", TABLE, ["host"] * 65)


@log("body.malformed--contributors-another-word", "`contributors` is neither `all` nor `roller` nor a list.", "host")
def _() -> Any:
    return bad_terms("word", TABLE, "none")


@log("body.malformed--unknown-role", "bob is a dealer, which is none of the five roles.", "host")
def _() -> Any:
    return bad_terms("dealer", {"host": "keeper", "alice": "player", "bob": "dealer"})


@log("body.malformed--away-another-word", "`away` says another word than `others`.", "host")
def _() -> Any:
    return bad_terms("away word", TABLE, away="keeper")


@log("body.malformed--keeper-s-judge-is-no-name", "Event 0 names the keeper's judge by no name.", "host")
def _() -> Any:
    return bad_terms("judge is no name", JUDGED, judge="the judge")


@log("body.malformed--continues-nothing", "The game that this one goes on from has no line.", "host")
def _() -> Any:
    return bad_terms("continues nothing", TABLE, continues={"game": "11" * 32, "root": "22" * 32, "size": 0})


@log("body.malformed--continues-without-size", "Of the game that this one goes on from there is no size.", "host")
def _() -> Any:
    return bad_terms("continues no size", TABLE, continues={"game": "11" * 32, "root": "22" * 32})


@log("body.malformed--open-with-a-ninth-member", "Event 0 has a member too many in its body.", "host")
def _() -> Any:
    w = Writer("open member", TABLE)
    w.open(stakes="a booster")
    return w, 0


def bad_terms(label: str, roles: dict[str, str], contributors: Any = "all", **opened: Any) -> tuple[Writer, int]:
    w = Writer(f"terms {label}", roles, contributors)
    w.open(**opened)
    w.join(*[name for name, role in roles.items() if role != "keeper"])
    return w, 0


@log("open.terms--two-keepers", "Two keepers; the first signed.", "host")
def _() -> Any:
    return bad_terms("keepers", {**TABLE, "hostess": "keeper"})


@log(
    "open.terms--two-keepers-and-a-stranger-signed",
    "Two keepers: nobody is the keeper, so that host goes on over what zoe signed is nobody's fault.",
    "file",
)
def _() -> Any:
    w = Writer("terms keepers stranger", {**TABLE, "hostess": "keeper"})
    w.write("zoe", "open", w.open_body())
    w.join("alice", "bob")
    w.commit("host", "hostess")
    return w, 0


@log("open.terms--no-keeper", "No keeper; alice signed.", "alice")
def _() -> Any:
    w = Writer("terms no keeper", {"alice": "player", "bob": "player"})
    w.write("alice", "open", w.open_body())
    return w, 0


@log("open.terms--no-player", "No player.", "host")
def _() -> Any:
    return bad_terms("no player", {"host": "keeper", "walt": "witness"})


@log("open.terms--game-master-in-magic", "A role that the system does not use.", "host")
def _() -> Any:
    return bad_terms("gm", {**TABLE, "gail": "gm"})


@log("open.terms--one-name-twice", "Two parties with one name and two keys.", "host")
def _() -> Any:
    return bad_terms(
        "names", TABLE, parties=parties([("host", "keeper"), ("alice", "player"), ("alice", "player", "bob")])
    )


@log(
    "open.terms--the-author-s-name-twice",
    "Two parties are called host: a name with two keys is nobody's, so nobody is at fault for what host signed.",
    "file",
)
def _() -> Any:
    entries = parties([("host", "keeper"), ("alice", "player"), ("host", "player", "bob")])
    w = Writer("terms host twice", TABLE)
    w.open(parties=entries)
    w.join("alice")
    w.commit("host")
    return w, 0


@log(
    "open.terms--one-name-twice-and-one-key-not-valid",
    "Two entries called host, but one has no valid key: host is who has the other, and signed.",
    "host",
)
def _() -> Any:
    entries = parties([("host", "keeper"), ("alice", "player"), ("host", "player", "bob")])
    entries[2]["key"] += "="
    return bad_terms("host twice", TABLE, parties=entries)


@log("open.terms--a-party-called-file", "bob's key is that of `file`, which is reserved for the reports.", "host")
def _() -> Any:
    return bad_terms(
        "file", TABLE, parties=parties([("host", "keeper"), ("alice", "player"), ("file", "player", "bob")])
    )


@log("open.terms--one-key-twice", "Two parties with one key: one hand plays both.", "host")
def _() -> Any:
    return bad_terms(
        "keys", TABLE, parties=parties([("host", "keeper"), ("alice", "player"), ("bob", "player", "alice")])
    )


def parties(entries: list[tuple[str, ...]]) -> list[dict[str, str]]:
    """Parties of name, role and, if given, whose key they have."""
    return [
        {
            "key": ref.verifier_key(entry[0], ref.public_key(entry[-1] if len(entry) > 2 else entry[0])),
            "role": entry[1],
        }
        for entry in entries
    ]


@log("open.terms--key-id-of-another-key", "bob's verifier key has the key id of alice's.", "host")
def _() -> Any:
    entries = parties([("host", "keeper"), ("alice", "player"), ("bob", "player")])
    wrong = ref.key_id("alice", ref.public_key("alice")).hex()
    entries[2]["key"] = re.sub(r"\+[0-9a-f]{8}\+", f"+{wrong}+", entries[2]["key"], count=1)
    return bad_terms("key id", TABLE, parties=entries)


def weak(number: int, sign: int) -> tuple[Writer, int]:
    """Bob has a key of small order, with which he could deny what he signed."""
    raw = bytearray.fromhex(ref.SMALL_ORDER[number])
    raw[31] |= sign << 7
    entries = parties([("host", "keeper"), ("alice", "player"), ("bob", "player")])
    entries[2]["key"] = ref.verifier_key("bob", bytes(raw))
    w = Writer(f"weak {number} {sign}", TABLE)
    w.open(parties=entries)
    w.join("alice")
    # R = A of small order and S = 0 fits every message under the identity, and many under the others.
    sig = {"sig": (bytes(raw) + bytes(32)).hex()}
    w.write("bob", "join", {}, after=sig)
    w.commit("host")
    return w, 0


@log(
    "open.terms--weak-key-identity",
    "bob's key is the neutral element: (key, 0) is his signature of anything.",
    "host",
)
def _() -> Any:
    return weak(1, 0)


@log("open.terms--weak-key-order-8-negative", "bob's key is a point of order 8 with its sign bit set.", "host")
def _() -> Any:
    return weak(2, 1)


@log("open.terms--weak-key-not-canonical", "bob's key is the neutral element, written as p + 1.", "host")
def _() -> Any:
    return weak(6, 0)


@log("open.terms--contributors-out-of-order", "The list of contributors is not in party order.", "host")
def _() -> Any:
    return bad_terms("order", TABLE, ["alice", "host"])


@log("open.terms--contributors-without-the-keeper", "The list of contributors lacks the keeper.", "host")
def _() -> Any:
    return bad_terms("without", TABLE, ["alice", "bob"])


@log("open.terms--contributor-twice", "A contributor stands twice in the list.", "host")
def _() -> Any:
    return bad_terms("contributor twice", TABLE, ["host", "alice", "alice"])


@log("open.terms--the-keeper-twice-and-nobody-else", "The list has two names, and they are one.", "host")
def _() -> Any:
    return bad_terms("keeper twice", TABLE, ["host", "host"])


@log("open.terms--judge-contributes", "A judge is in the list of contributors.", "host")
def _() -> Any:
    return bad_terms("judge", JUDGED, ["host", "dana"])


@log("open.terms--keeper-s-judge-is-a-player", "Event 0 names alice as the keeper's judge, who plays.", "host")
def _() -> Any:
    return bad_terms("judge plays", JUDGED, judge="alice")


@log("open.terms--keeper-s-judge-is-nobody", "Event 0 names erin as the keeper's judge, who is no party.", "host")
def _() -> Any:
    return bad_terms("judge is nobody", JUDGED, judge="erin")


@log("open.terms--contributor-unknown", "The list of contributors names somebody who is no party.", "host")
def _() -> Any:
    return bad_terms("unknown", TABLE, ["host", "alice", "zoe"])


@log("open.terms--second-open", "The keeper opens again in the middle, to change the terms.", "host")
def _() -> Any:
    w = table("second open")
    flawed = w.write("host", "open", w.open_body(contributors="roller"))
    w.close()
    return w, flawed


@log(
    "open.terms--open-by-a-player-in-the-middle",
    "A player signs an `open`: as no later event may be one, step 10 says so.",
    "alice",
)
def _() -> Any:
    w = table("player opens")
    flawed = w.write("alice", "open", w.open_body())
    return w, flawed


@log("expect.game--another-game", "A whole, valid game; the caller expects another (see `expect`).", "file")
def _() -> Any:
    return whole_game("not expected"), 0, {"game": leaf(b"the game the caller means").hex(), "keys": []}


@log(
    "expect.key--bob-is-another",
    "A whole, valid game; the caller knows another key as bob's (see `expect`).",
    "file",
)
def _() -> Any:
    other = ref.verifier_key("bob", ref.public_key("zoe"))
    return (
        whole_game("other key"),
        0,
        {"game": None, "keys": [ref.verifier_key("alice", ref.public_key("alice")), other]},
    )


@log("expect.key--nobody-of-that-name", "A whole, valid game; the caller expects zoe's key, who is no party.", "file")
def _() -> Any:
    keys = [ref.verifier_key(name, ref.public_key(name)) for name in ("alice", "zoe")]
    return whole_game("no zoe"), 0, {"game": None, "keys": keys}


@log("expect.key--bob-s-key-under-another-name", "A whole, valid game; the caller expects bob's key as zoe's.", "file")
def _() -> Any:
    return whole_game("bob as zoe"), 0, {"game": None, "keys": [ref.verifier_key("zoe", ref.public_key("bob"))]}


@log("holds--all-contributors-collude", "host, alice and bob together seek links that give a 20: no log can show it.")
def _() -> Any:
    def make(label: str) -> Writer:
        w = Writer("collude", TABLE)
        w.open()
        w.join("alice", "bob")
        w.label = label
        w.commit("host", "alice", "bob", length=2)
        whole_roll(w)
        w.close()
        return w

    return first_seed("collude", lambda w: w.naturals == [20], make)


@log("holds--as-expected", "A whole, valid game; the caller expects its id and two of its keys (see `expect`).")
def _() -> Any:
    w = whole_game("expected")
    keys = [ref.verifier_key(name, ref.public_key(name)) for name in ("alice", "host")]
    return w, None, {"game": w.game.hex(), "keys": keys}


# --- authors and signatures ---------------------------------------------------------------------------


@log(
    "author.unknown--stranger",
    "zoe, who is no party, signs a roll with her key; the keeper signs over it.",
    "host",
)
def _() -> Any:
    return after_joining("stranger", "zoe", "join", {})


@log("author.unknown--nobody-signed-over", "zoe adds an event at the end.", "file")
def _() -> Any:
    w = table("stranger last")
    flawed = w.write("zoe", "join", {})
    return w, flawed


@log(
    "author.unknown--open-by-a-stranger",
    "Event 0 is signed by somebody who is no party; then the keeper goes on.",
    "host",
)
def _() -> Any:
    w = Writer("stranger opens", TABLE)
    w.write("zoe", "open", w.open_body())
    w.join("alice", "bob")
    w.commit("host")
    return w, 0


@log("signature.invalid--edited-by-anyone", "Anyone edits the last line of a log, without a key.", "file")
def _() -> Any:
    w = table("edited by anyone")
    number = roll(w)
    w.reveal()
    flawed = resolve(w, number, results=w.naturals)
    w.lines[-1] = edited(w.lines[-1], body={"roll": number, "results": [w.naturals[0] % 20 + 1]})
    return w, flawed


@log(
    "signature.invalid--edited-in-the-middle-by-anyone",
    "Anyone edits a result in the middle; all after it stays.",
    "file",
)
def _() -> Any:
    w = whole_game("edited middle")
    lines = lines_of(w)
    k = next(n for n, line in enumerate(lines) if b'"type":"reveal"' in line)
    body = json.loads(lines[k])["body"]
    lines[k] = edited(lines[k], body={**body, "naturals": [body["naturals"][0] % 20 + 1]})
    return joined(lines), k


@log(
    "signature.invalid--edited-by-keeper",
    "The keeper changes which die alice ignored and signs its own events again.",
    "host",
)
def _() -> Any:
    w = table("edited by keeper")
    number = roll(w, "alice", PIXIE)
    w.reveal()
    event = w.event("alice", "ignore", {"roll": number, "dice": [1]})
    flawed = w.append(edited(canonical(event), body={"roll": number, "dice": [2]}))
    w.close()
    return w, flawed


@log(
    "signature.invalid--request-edited-by-keeper",
    "The keeper changes the use of a request and reveals its dice.",
    "host",
)
def _() -> Any:
    w = table("request edited")
    flawed = roll(w)
    w.lines[-1] = edited(w.lines[-1], body={**DELINA, "use": "20 or more: win"})
    w.asked = leaf(w.lines[-1])
    w.reveal()
    return w, flawed


@log(
    "signature.invalid--dropped-and-all-else-mended",
    "Anyone drops a line and mends `seq` and `prev` of the next.",
    "file",
)
def _() -> Any:
    lines = lines_of(whole_game("mended"))
    del lines[6]
    for number in range(6, len(lines)):
        lines[number] = edited(lines[number], seq=number, prev=leaf(lines[number - 1]).hex())
    return joined(lines), 6


@log(
    "signature.invalid--dropped-by-keeper",
    "The keeper drops bob's declare, mends alice's next, and signs its own again.",
    "host",
)
def _() -> Any:
    w = table("dropped by keeper")
    before = lines_of(w)
    w.write("bob", "declare", {"what": "trigger", "source": "Brazen Dwarf", "on": "rolled"})
    event = w.event("alice", "declare", {"what": "trigger", "source": "Feywild Trickster", "on": "rolled"})
    w.lines = before
    flawed = w.append(edited(canonical(event), seq=len(before), prev=leaf(before[-1]).hex()))
    w.close()
    return w, flawed


@log("signature.invalid--key-of-another-party", "bob writes an event as alice with his own key.", "host")
def _() -> Any:
    return after_joining("as alice", "alice", "leave", {"party": "alice"}, signer="bob")


@log(
    "signature.invalid--key-of-another-party-last",
    "bob writes an event as alice with his own key, in his own copy.",
    "file",
)
def _() -> Any:
    w = table("as alice last")
    flawed = w.write("alice", "leave", {"party": "alice"}, signer="bob")
    return w, flawed


@log(
    "signature.invalid--keeper-acts-as-player",
    "The keeper makes a roll in alice's name, with its own key.",
    "host",
)
def _() -> Any:
    w = table("keeper as alice")
    flawed = roll(w, signer="host")
    w.reveal()
    return w, flawed


@log("signature.invalid--opening-label", "alice signs an event under the label of openings.", "host")
def _() -> Any:
    return after_joining("opening label", "alice", "leave", {"party": "alice"}, label=ref.OPENING_LABEL)


@log("signature.invalid--no-label", "alice signs an event without a label.", "host")
def _() -> Any:
    return after_joining("no label", "alice", "leave", {"party": "alice"}, label=b"")


@log("signature.invalid--s-not-below-the-order", "alice's signature with the group order added to S.", "host")
def _() -> Any:
    w = table("large s")
    event = w.event("alice", "leave", {"party": "alice"})
    sig = bytes.fromhex(event["sig"])
    order = 2**252 + 27742317777372353535851937790883648493
    large = (int.from_bytes(sig[32:], "little") + order).to_bytes(32, "little")
    flawed = w.append(edited(canonical(event), sig=(sig[:32] + large).hex()))
    w.close()
    return w, flawed


def signed_with(event: dict[str, Any], name: str, nonce: int, r: bytes) -> str:
    """A signature with a nonce and an encoding of R of one's own choice (RFC 8032, 5.1.6)."""
    order = 2**252 + 27742317777372353535851937790883648493
    public = ref.public_key(name)
    k = int.from_bytes(hashlib.sha512(r + public + ref.event_message(event)).digest(), "little")
    s = (nonce + k * scalar_of(ref.secret_of("key", name))) % order
    return (r + s.to_bytes(32, "little")).hex()


def scalar_of(secret: bytes) -> int:
    """The scalar whose multiple of the base point is the public key (RFC 8032, 5.1.5)."""
    return int.from_bytes(hashlib.sha512(secret).digest()[:32], "little") & ((1 << 254) - 8) | (1 << 254)


@log(
    "signature.invalid--r-is-the-identity",
    "Nonce 0: R equals the encoding of [S]B - [k]A, but it is one of small order, on which libraries differ.",
    "host",
)
def _() -> Any:
    w = table("r is the identity")
    event = w.event("alice", "leave", {"party": "alice"})
    flawed = w.append(canonical({**event, "sig": signed_with(event, "alice", 0, b"\x01" + bytes(31))}))
    w.close()
    return w, flawed


@log(
    "signature.invalid--r-not-canonical",
    "The same, with R written as y = p + 1: the point is right, its encoding is not.",
    "host",
)
def _() -> Any:
    w = table("r not canonical")
    event = w.event("alice", "leave", {"party": "alice"})
    sig = signed_with(event, "alice", 0, b"\xee" + b"\xff" * 30 + b"\x7f")
    flawed = w.append(canonical({**event, "sig": sig}))
    w.close()
    return w, flawed


@log(
    "signature.invalid--good-only-with-cofactor",
    "alice adds the point of order 2 to R: 8 times both sides are equal, the sides are not.",
    "host",
)
def _() -> Any:
    w = table("cofactor")
    event = w.event("alice", "leave", {"party": "alice"})
    secret = ref.secret_of("nonce of a signature")
    r = int.from_bytes(Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw(), "little")
    # (x, y) + (0, -1) = (-x, -y); the top bit of an encoding is the lowest bit of x.
    p, top = 2**255 - 19, 1 << 255
    negated = (p - r % top) | ((r & top) ^ top)
    flawed = w.append(
        canonical({**event, "sig": signed_with(event, "alice", scalar_of(secret), negated.to_bytes(32, "little"))})
    )
    w.close()
    return w, flawed


@log("signature.invalid--zeros", "A signature of zeros.", "host")
def _() -> Any:
    return after_joining("zeros", "alice", "leave", {"party": "alice"}, after={"sig": "00" * 64})


@log("signature.invalid--event-0-edited", "Anyone edits the terms of a game of one line.", "file")
def _() -> Any:
    w = Writer("terms edited", TABLE)
    w.open()
    body = w.open_body(contributors="roller")
    return joined([edited(w.lines[0], body=body)]), 0


@log(
    "signature.invalid--key-not-on-the-curve",
    "bob's key is no point of the curve, so nothing can be signed by it.",
    "host",
)
def _() -> Any:
    entries = parties([("host", "keeper"), ("alice", "player"), ("bob", "player")])
    entries[2]["key"] = ref.verifier_key("bob", (2).to_bytes(32, "little"))
    w = Writer("no point", TABLE)
    w.open(parties=entries)
    w.join("alice")
    flawed = w.join("bob")
    w.commit("host")
    return w, flawed


ROLES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("player-closes", "alice", "close", {}),
    ("player-rules", "alice", "ruling", {"ruling": "uphold", "subject": 1, "text": "I was right."}),
    ("keeper-rolls", "host", "roll", DELINA),
    ("keeper-joins", "host", "join", {}),
    ("keeper-leaves", "host", "leave", {"party": "host"}),
    ("judge-rolls", "dana", "roll", DELINA),
    ("judge-commits", "dana", "commit", {"length": 4, "tip": "11" * 32}),
    ("judge-discloses", "dana", "disclose", {"openings": [], "roll_index": 0}),
    ("keeper-signs-a-player-away", "host", "away", {"party": "bob"}),
    ("keeper-is-back", "host", "back", {"party": "host"}),
]


def _bad_role(name: str, author: str, type_: str, body: dict[str, Any]) -> None:
    @log(f"author.role--{name}", f"{author} signs a `{type_}`, which the role may not write.", author)
    def _() -> Any:
        return after_joining(f"role {name}", author, type_, body)


for _role in ROLES:
    _bad_role(*_role)


@log("author.role--keeper-s-judge-rules", "dana, whom event 0 names as the keeper's judge, gives a ruling.", "dana")
def _() -> Any:
    w = table("keeper's judge rules", JUDGED, judge="dana")
    number = whole_roll(w)
    flawed = w.write("dana", "ruling", {"ruling": "correct", "subject": number, "text": "It was a 20."})
    w.close()
    return w, flawed


@log("author.role--keeper-s-judge-takes-out", "dana, the keeper's judge by event 0, takes bob out.", "dana")
def _() -> Any:
    w = table("keeper's judge takes out", JUDGED, judge="dana")
    flawed = w.write("dana", "leave", {"party": "bob"})
    w.close()
    return w, flawed


@log("author.role--player-reveals", "alice has got all openings and signs the reveal herself.", "alice")
def _() -> Any:
    w = table("player reveals")
    roll(w)
    openings = w.openings()
    naturals = ref.naturals_of(w.seed(openings), w.sides)
    body = {"roll_index": 0, "openings": openings, "naturals": naturals, "sides": w.sides}
    flawed = w.write("alice", "reveal", body)
    w.close()
    return w, flawed


@log("author.role--keeper-voids", "The keeper has all openings, does not like the dice and voids.", "host")
def _() -> Any:
    w = table("keeper voids")
    roll(w)
    flawed = w.void("host", ["bob"])
    w.disclose(["bob"])
    return w, flawed


@log(
    "author.role--player-discloses", "alice voids and discloses herself, with the openings that she was sent.", "alice"
)
def _() -> Any:
    w = table("player discloses")
    roll(w)
    w.void("alice")
    body = {"openings": w.burned_openings(["host", "alice"]), "roll_index": 0}
    return w, w.write("alice", "disclose", body)


@log("author.role--judge-resolves", "A judge resolves alice's roll.", "dana")
def _() -> Any:
    w = table("judge resolves", JUDGED)
    number = roll(w)
    w.reveal()
    flawed = resolve(w, number, "dana")
    w.close()
    return w, flawed


@log("author.role--witness-rolls", "walt, a witness, rolls.", "walt")
def _() -> Any:
    w = table("witness rolls", WATCHED)
    flawed = roll(w, "walt")
    w.reveal()
    return w, flawed


@log("author.role--open-by-player", "A player who is a party signs event 0.", "alice")
def _() -> Any:
    w = Writer("player opens first", TABLE)
    w.write("alice", "open", w.open_body())
    return w, 0


@log("time.backwards--keeper", "The keeper dates its reveal before the request.", "host")
def _() -> Any:
    w = table("time keeper")
    number = roll(w)
    flawed = w.reveal(how={"time": "2026-11-20T18:59:59.999Z"})
    resolve(w, number)
    w.close()
    return w, flawed


@log("time.backwards--player", "bob dates an event one millisecond before the one before.", "bob")
def _() -> Any:
    w = table("time player")
    time = json.loads(w.lines[-1])["time"]
    early = time[:-4] + f"{int(time[-4:-1]) - 1:03d}Z"
    assert early < time
    flawed = w.write("bob", "commit", {"length": 2, "tip": "22" * 32}, time=early)
    w.close()
    return w, flawed


# --- the state ----------------------------------------------------------------------------------------


@log("state.closed--commit-after-close", "The keeper writes after its close.", "host")
def _() -> Any:
    w = whole_game("after close")
    flawed = w.commit("host")
    return w, flawed


@log("state.closed--roll-after-close", "alice rolls after the close, and the keeper reveals.", "alice")
def _() -> Any:
    w = whole_game("roll after close")
    flawed = roll(w)
    w.reveal()
    return w, flawed


@log("state.closed--two-closes", "The keeper closes twice.", "host")
def _() -> Any:
    w = whole_game("two closes")
    flawed = w.close()
    return w, flawed


@log(
    "state.pending--keeper-commits-after-openings",
    "Grinding: with the openings at hand the keeper commits a new chain, then reveals from it.",
    "host",
)
def _() -> Any:
    w = table("grinding")
    number = roll(w)
    request = leaf(w.lines[-1])
    others = {name: w.opening(name) for name in ("alice", "bob")}
    flawed = w.commit("host")
    w.reveal([w.opening("host", request=request), others["alice"], others["bob"]])
    resolve(w, number)
    w.close()
    return w, flawed


@log(
    "state.pending--player-commits-while-pending",
    "alice puts in a new chain while her request waits.",
    "alice",
)
def _() -> Any:
    w = table("player grinds")
    roll(w)
    flawed = w.commit("alice")
    w.reveal()
    return w, flawed


@log("state.pending--roll-while-pending", "bob rolls while alice's request waits.", "bob")
def _() -> Any:
    w = table("roll pending")
    roll(w)
    flawed = roll(w, "bob")
    w.reveal()
    return w, flawed


@log(
    "state.pending--request-replaced",
    "alice changes her mind: a second request in place of the first that waits.",
    "alice",
)
def _() -> Any:
    w = table("replaced")
    roll(w)
    flawed = roll(w, "alice", {**DELINA, "dice": "1d6"})
    w.reveal()
    return w, flawed


@log("state.pending--leave-while-pending", "bob runs from alice's roll.", "bob")
def _() -> Any:
    w = table("leave pending")
    roll(w)
    flawed = w.leave("bob", "bob")
    w.reveal()
    return w, flawed


@log("state.pending--disclose-while-pending", "The keeper discloses, and nobody called the roll off.", "host")
def _() -> Any:
    w = table("disclose pending")
    roll(w)
    body = {"openings": w.openings(), "roll_index": 0}
    return w, w.write("host", "disclose", body)


@log("state.close--no-openings-while-pending", "The keeper closes over a request as if none waited.", "host")
def _() -> Any:
    w = table("close pending")
    roll(w)
    return w, w.close()


@log("state.close--openings-where-nothing-waits", "The keeper's close has openings, and no request waits.", "host")
def _() -> Any:
    w = table("close openings")
    whole_roll(w)
    return w, w.close(openings=[])


def voided(label: str, roles: dict[str, str] | None = None) -> Writer:
    """A game in which alice has just called her roll off."""
    w = table(label, roles)
    roll(w)
    w.void("alice", ["bob"])
    return w


@log("state.voided--the-same-request-at-once", "alice asks again before the keeper has disclosed.", "alice")
def _() -> Any:
    w = voided("voided roll")
    return w, roll(w)


@log("state.voided--reveal", "The keeper reveals what alice called off.", "host")
def _() -> Any:
    w = voided("voided reveal")
    return w, w.reveal(w.burned_openings())


@log("state.voided--second-void", "The judge voids what alice called off.", "dana")
def _() -> Any:
    w = voided("voided twice", JUDGED)
    return w, w.void("dana")


@log("state.voided--keeper-commits", "The keeper puts in a new chain before it has disclosed.", "host")
def _() -> Any:
    w = voided("voided commit")
    return w, w.commit("host")


@log("state.voided--close", "The keeper closes, so as to disclose nothing.", "host")
def _() -> Any:
    w = voided("voided close")
    return w, w.close(openings=[])


@log("state.voided--leave", "bob runs before he is named.", "bob")
def _() -> Any:
    w = voided("voided leave")
    return w, w.leave("bob", "bob")


@log("state.not-voided--nothing-rolled", "The keeper discloses in a game without a roll.", "host")
def _() -> Any:
    w = table("disclose nothing")
    return w, w.write("host", "disclose", {"openings": [], "roll_index": 0})


@log("state.not-voided--second-disclose", "The keeper discloses more, once it has disclosed.", "host")
def _() -> Any:
    w = voided("disclose twice")
    w.disclose(["alice", "bob"])
    return w, w.disclose(["alice"])


@log("state.not-voided--after-a-reveal", "The keeper discloses what it has revealed.", "host")
def _() -> Any:
    w = table("disclose revealed")
    roll(w)
    w.reveal()
    return w, w.disclose()


@log("state.void--by-another-player", "bob, who has opened, calls alice's roll off.", "bob")
def _() -> Any:
    w = table("void by another")
    roll(w)
    return w, w.void("bob")


@log(
    "state.void--by-the-roller-that-does-not-contribute",
    "carol rolls; the closer is bob, the last in the list.",
    "carol",
)
def _() -> Any:
    w = table("void by roller", {**TABLE, "carol": "player"}, ["host", "alice", "bob"])
    roll(w, "carol")
    return w, w.void("carol")


@log("state.void--by-a-contributor-before-the-last", "carol rolls; alice contributes, but bob is after her.", "alice")
def _() -> Any:
    w = table("void by alice", {**TABLE, "carol": "player"}, ["host", "alice", "bob"])
    roll(w, "carol")
    return w, w.void("alice")


@log("state.void--by-a-witness", "walt is the last in party order, but alice rolls and contributes.", "walt")
def _() -> Any:
    w = table("void by witness", WATCHED)
    roll(w)
    return w, w.void("walt")


def taken(w: Writer, flawed: int) -> int:
    """The keeper goes on behind a request that it should have refused."""
    w.reveal()
    return flawed


@log("state.owed--another-request", "alice called her roll off, and asks for other dice.", "host")
def _() -> Any:
    w = voided("owed other")
    w.disclose(["alice", "bob"])
    return w, taken(w, roll(w, "alice", CHAOS))


@log("state.owed--one-word-changed", "The dice are the same; what they are for is not.", "host")
def _() -> Any:
    w = voided("owed word")
    w.disclose(["alice", "bob"])
    return w, taken(w, roll(w, "alice", {**DELINA, "use": "1-14: one token. 15 or more: two more."}))


@log("state.owed--after-another-s-roll", "bob rolled in between; alice owes what she owed.", "host")
def _() -> Any:
    w = voided("owed later")
    w.disclose(["alice", "bob"])
    whole_roll(w, "bob")
    return w, taken(w, roll(w, "alice", CHAOS))


@log("state.owed--called-off-by-a-judge", "The judge voided; the request is owed all the same.", "host")
def _() -> Any:
    w = table("owed by judge", JUDGED)
    roll(w)
    w.call_off("dana")
    return w, taken(w, roll(w, "alice", CHAOS))


@log("state.owed--a-ruling-of-another-kind", "The judge upholds the voided request; that releases nobody.", "host")
def _() -> Any:
    w = table("owed upheld", JUDGED)
    number = roll(w)
    w.call_off("alice")
    w.write("dana", "ruling", {"ruling": "uphold", "subject": number, "text": "It was announced."})
    return w, taken(w, roll(w, "alice", CHAOS))


@log("state.owed--a-ruling-about-the-void", "The subject of the ruling is the void, not the request.", "host")
def _() -> Any:
    w = table("owed void ruled", JUDGED)
    roll(w)
    number = w.void("alice")
    w.disclose(["alice"])
    w.write("dana", "ruling", {"ruling": "void", "subject": number, "text": "It was announced."})
    return w, taken(w, roll(w, "alice", CHAOS))


@log("state.away--rolls", "bob is away, and rolls.", "bob")
def _() -> Any:
    w = table("away rolls")
    w.away("bob", "bob")
    return w, roll(w, "bob")


@log("state.away--commits", "bob is away, and commits; he says first that he is back.", "bob")
def _() -> Any:
    w = table("away commits")
    w.away("bob", "bob")
    return w, w.commit("bob")


@log("state.away--away-again", "bob is away, and says so again.", "bob")
def _() -> Any:
    w = table("away again")
    w.away("bob", "bob")
    return w, w.away("bob", "bob")


PRESENCE: list[tuple[str, str, str, str, str]] = [
    ("player-signs-another-away", "alice", "away", "bob", "event 0 does not let her"),
    ("judge-signs-the-keeper-away", "dana", "away", "host", "the keeper is never away"),
    ("judge-is-away", "dana", "away", "dana", "a judge has no part in the dice"),
    ("stranger-is-away", "dana", "away", "zoe", "that is no party"),
    ("back-and-not-away", "bob", "back", "bob", "he is here"),
    ("stranger-is-back", "dana", "back", "zoe", "that is no party"),
]


def _bad_presence(name: str, author: str, type_: str, party: str, about: str) -> None:
    @log(f"state.presence--{name}", f"{author} writes that {party} is {type_}: {about}.", author)
    def _() -> Any:
        return after_joining(f"presence {name}", author, type_, {"party": party})


for _presence in PRESENCE:
    _bad_presence(*_presence)


@log("state.presence--away-already", "The judge signs bob away, who is away.", "dana")
def _() -> Any:
    w = table("away already", JUDGED)
    w.away("bob", "bob")
    return w, w.away("dana", "bob")


@log("state.presence--away-and-gone", "The judge signs bob away, who has left.", "dana")
def _() -> Any:
    w = table("away gone already", JUDGED)
    w.leave("bob", "bob")
    return w, w.away("dana", "bob")


@log("state.presence--away-before-joining", "The judge signs carol away, who never joined.", "dana")
def _() -> Any:
    w = Writer("away not joined", {**JUDGED, "carol": "player"})
    w.open()
    w.join("alice", "bob", "dana")
    return w, w.away("dana", "carol")


@log("state.presence--back-by-another", "alice says that bob is back.", "alice")
def _() -> Any:
    w = table("back by another")
    w.away("bob", "bob")
    return w, w.back("alice", "bob")


@log(
    "state.presence--back-by-another-where-others-may", "Others may say together who is away, not who is back.", "alice"
)
def _() -> Any:
    w = table("back by others", away="others")
    w.away("bob", "bob")
    return w, w.back("alice", "bob")


@log("state.presence--called-twice", "alice says twice that bob is away: one word is one.", "alice")
def _() -> Any:
    w = table("called twice", FOUR, away="others")
    w.away("alice", "bob", effect=False)
    return w, w.away("alice", "bob")


@log("state.presence--call-by-a-keeper-twice", "The keeper says twice that bob is away.", "host")
def _() -> Any:
    w = table("keeper called twice", FOUR, away="others")
    w.away("host", "bob", effect=False)
    return w, w.away("host", "bob")


@log(
    "state.presence--call-by-who-has-no-part", "carol contributes to no roll of this game, so she has no word.", "carol"
)
def _() -> Any:
    w = table("call without part", FOUR, ["host", "alice", "bob"], away="others")
    return w, w.away("carol", "bob", effect=False)


@log("state.away--call-by-who-is-away", "alice is away herself, and says that bob is.", "alice")
def _() -> Any:
    w = table("call from afar", FOUR, away="others")
    w.away("alice", "alice")
    return w, w.away("alice", "bob", effect=False)


@log("state.contributors--all-but-the-keeper-away", "alice and bob are away: carol, who has no part, rolls.", "carol")
def _() -> Any:
    w = table("all away", {**TABLE, "carol": "player"}, ["host", "alice", "bob"])
    w.away("alice", "alice")
    w.away("bob", "bob")
    return w, roll(w, "carol")


@log(
    "state.not-pending--second-reveal",
    "Silent repeat: the keeper writes a second reveal for one request.",
    "host",
)
def _() -> Any:
    w = table("second reveal")
    number = roll(w)
    request = leaf(w.lines[-1])
    w.reveal()
    again = [w.opening(name, request=request) for name in w.contributors()]
    flawed = w.reveal(again)
    resolve(w, number)
    return w, flawed


@log("state.not-pending--void-after-reveal", "alice calls her roll off when she has seen the dice.", "alice")
def _() -> Any:
    w = table("void after")
    roll(w)
    w.reveal()
    return w, w.void("alice", ["bob"])


@log("state.not-pending--void-without-request", "The judge voids where nothing was asked for.", "dana")
def _() -> Any:
    w = table("void of nothing", JUDGED)
    return w, w.write("dana", "void", {"missing": [], "roll_index": 0})


@log("state.not-pending--reveal-without-request", "The keeper reveals a roll that nobody asked for.", "host")
def _() -> Any:
    w = table("no request")
    w.roller = "alice"
    body = {"roll_index": 0, "openings": w.openings(), "naturals": [20], "sides": [20]}
    flawed = w.write("host", "reveal", body)
    return w, flawed


@log("state.not-joined--commit-before-join", "bob commits and never joined.", "bob")
def _() -> Any:
    w = Writer("not joined", TABLE)
    w.open()
    w.join("alice")
    flawed = w.commit("bob")
    return w, flawed


@log("state.not-joined--judge-rules-before-join", "A judge rules and never joined.", "dana")
def _() -> Any:
    w = Writer("judge not joined", JUDGED)
    w.open()
    w.join("alice", "bob")
    flawed = w.write("dana", "ruling", {"ruling": "uphold", "subject": 1, "text": "Fine."})
    return w, flawed


@log("state.not-joined--leave-before-join", "bob leaves before he joined.", "bob")
def _() -> Any:
    w = Writer("leave not joined", TABLE)
    w.open()
    flawed = w.leave("bob", "bob")
    return w, flawed


@log("state.joined-twice--player", "alice joins twice.", "alice")
def _() -> Any:
    return after_joining("joined twice", "alice", "join", {})


@log(
    "state.joined-twice--after-leaving",
    "bob leaves and joins again: he joined before, and that comes first.",
    "bob",
)
def _() -> Any:
    w = table("join again")
    w.leave("bob", "bob")
    flawed = w.join("bob")
    return w, flawed


@log("state.left--commit", "bob leaves and commits again.", "bob")
def _() -> Any:
    w = table("left")
    w.leave("bob", "bob")
    flawed = w.commit("bob")
    return w, flawed


@log("state.left--roll", "bob was taken out by the judge and rolls.", "bob")
def _() -> Any:
    w = table("left roll", JUDGED)
    w.leave("dana", "bob")
    flawed = roll(w, "bob")
    return w, flawed


@log("state.left--leaves-again", "bob leaves twice.", "bob")
def _() -> Any:
    w = table("leaves again")
    w.leave("bob", "bob")
    flawed = w.leave("bob", "bob")
    return w, flawed


@log(
    "state.left--join-after-being-taken-out",
    "carol never joined, is taken out by the judge, and joins then.",
    "carol",
)
def _() -> Any:
    w = Writer("taken out", {**JUDGED, "carol": "player"})
    w.open()
    w.join("alice", "bob", "dana")
    w.leave("dana", "carol")
    flawed = w.join("carol")
    return w, flawed


@log("state.leave--player-takes-out-another", "alice takes bob out.", "alice")
def _() -> Any:
    return after_joining("takes out", "alice", "leave", {"party": "bob"})


@log("state.leave--judge-takes-out-the-keeper", "The judge takes the keeper out.", "dana")
def _() -> Any:
    return after_joining("keeper out", "dana", "leave", {"party": "host"})


@log("state.leave--no-party", "The judge takes out somebody who is no party.", "dana")
def _() -> Any:
    return after_joining("no party", "dana", "leave", {"party": "zoe"})


@log("state.leave--taken-out-twice", "The judge takes bob out twice.", "dana")
def _() -> Any:
    w = table("out twice", JUDGED)
    w.leave("dana", "bob")
    flawed = w.leave("dana", "bob")
    return w, flawed


@log(
    "state.not-agreed--bob-has-not-joined",
    "alice rolls before bob agreed to digital dice; bob does not even contribute.",
    "alice",
    "706.1b",
)
def _() -> Any:
    w = Writer("not agreed", TABLE, ["host", "alice"])
    w.open()
    w.join("alice")
    w.commit("host", "alice")
    flawed = roll(w)
    w.reveal()
    return w, flawed


@log(
    "state.contributors--keeper-alone",
    "All other contributors left: the keeper would choose the dice alone.",
    "alice",
)
def _() -> Any:
    w = table("keeper alone", WATCHED, ["host", "walt"])
    w.leave("walt", "walt")
    flawed = roll(w)
    w.reveal()
    return w, flawed


@log("state.not-committed--never", "alice rolls; bob never committed.", "alice")
def _() -> Any:
    w = Writer("never committed", TABLE)
    w.open()
    w.join("alice", "bob")
    w.commit("host", "alice")
    flawed = roll(w)
    return w, flawed


@log("state.not-committed--the-last-link-is-kept", "Chains of two links: the second is for the next commit.", "alice")
def _() -> Any:
    w = table("used up", length=2)
    whole_roll(w)
    flawed = roll(w)
    w.reveal()
    return w, flawed


@log(
    "state.not-committed--used-up-by-a-void",
    "bob's only link for rolls was burned by a void that he did not open for.",
    "alice",
)
def _() -> Any:
    w = table("burned")
    w.commit("bob", length=2)
    roll(w)
    w.call_off("alice", ["bob"])
    return w, roll(w)


RULINGS: list[tuple[str, str, dict[str, Any]]] = [
    ("ruling.subject--itself", "about itself", {"ruling": "uphold", "subject": 9, "text": "x"}),
    ("ruling.subject--later", "about an event to come", {"ruling": "void", "subject": 11, "text": "x"}),
    ("ruling.subject--negative", "about event -1", {"ruling": "uphold", "subject": -1, "text": "x"}),
    ("ruling.form--penalty-for-nobody", "a penalty for nobody", {"ruling": "penalty", "subject": 1, "text": "x"}),
    ("ruling.form--penalty-for-a-stranger", "a penalty for somebody who is no party",
     {"ruling": "penalty", "subject": 1, "text": "x", "party": "zoe"}),
    ("ruling.form--party-without-penalty", "a party where nobody is punished",
     {"ruling": "uphold", "subject": 1, "text": "x", "party": "bob"}),
    ("ruling.form--results-without-correct", "results in a ruling of `void`",
     {"ruling": "void", "subject": 1, "text": "x", "results": [{"die": 1, "result": 20}]}),
]  # fmt: skip


def _bad_ruling(name: str, about: str, body: dict[str, Any]) -> None:
    @log(name, f"A judge's ruling: {about}.", "dana")
    def _() -> Any:
        w, flawed = after_joining(name, "dana", "ruling", body)
        assert flawed <= 9
        return w, flawed


for _ruling in RULINGS:
    _bad_ruling(*_ruling)


# --- commitments --------------------------------------------------------------------------------------


@log(
    "commit.not-contributor--player-outside-the-list",
    "alice commits where only host and walt contribute.",
    "alice",
)
def _() -> Any:
    w = table("outside", WATCHED, ["host", "walt"])
    flawed = w.commit("alice")
    return w, flawed


@log("commit.tip-reused--identical", "alice commits the same chain again, to have its links back.", "alice")
def _() -> Any:
    w = table("identical")
    whole_roll(w)
    body = {"length": 5, "link": w.next_link("alice").hex(), "tip": w.chains["alice"][0].hex()}
    flawed = w.write("alice", "commit", body)
    w.used["alice"] = 0
    roll(w)
    w.reveal()
    return w, flawed


@log("commit.tip-reused--mirrored", "bob commits alice's tip, to mirror her openings.", "bob")
def _() -> Any:
    w = Writer("mirrored", TABLE)
    w.open()
    w.join("alice", "bob")
    w.commit("host", "alice")
    flawed = w.write("bob", "commit", {"length": 4, "tip": w.chains["alice"][0].hex()})
    return w, flawed


@log("commit.tip-reused--own-earlier", "The keeper commits a tip of its own from two chains ago.", "host")
def _() -> Any:
    w = table("own earlier")
    tip = w.chains["host"][0].hex()
    w.commit("host")
    flawed = w.write("host", "commit", {"length": 3, "link": w.next_link("host").hex(), "tip": tip})
    return w, flawed


def bad_link(label: str, change: Callable[[Writer, dict[str, Any]], dict[str, Any]]) -> tuple[Writer, int]:
    """Bob's link 1 was opened in a roll, his link 2 burned; his commit's link should be number 3."""
    w = table(f"bad link {label}")
    whole_roll(w)
    roll(w)
    w.call_off("alice", ["bob"])
    old = Writer(w.label, w.roles)
    old.chains["bob"] = w.chains["bob"]
    flawed = w.write("bob", "commit", change(old, w.commit_body("bob")))
    w.commit("host")
    return w, flawed


@log("commit.link--left-out", "A thief of bob's signing key replaces his chain, without a link of it.", "bob")
def _() -> Any:
    return bad_link("none", lambda w, body: {name: body[name] for name in ("length", "tip")})


@log("commit.link--opened-before", "A thief of bob's signing key gives the link that was opened last.", "bob")
def _() -> Any:
    return bad_link("opened", lambda w, body: {**body, "link": w.chains["bob"][1].hex()})


@log("commit.link--burned", "bob gives his burned link: others may have it, if he opened.", "bob")
def _() -> Any:
    return bad_link("burned", lambda w, body: {**body, "link": w.chains["bob"][2].hex()})


@log("commit.link--one-too-far", "bob gives link 4, where 3 is next.", "bob")
def _() -> Any:
    return bad_link("far", lambda w, body: {**body, "link": w.chains["bob"][4].hex()})


@log("commit.link--of-no-chain", "A link that leads nowhere.", "bob")
def _() -> Any:
    return bad_link("nowhere", lambda w, body: {**body, "link": ref.secret_of("wrong").hex()})


@log("commit.link--nothing-to-replace", "alice's first commit has a link.", "alice")
def _() -> Any:
    w = Writer("link of nothing", TABLE)
    w.open()
    w.join("alice", "bob")
    return w, w.write("alice", "commit", {**w.commit_body("alice"), "link": w.chains["alice"][1].hex()})


@log(
    "commit.link--of-the-chain-before-the-last", "alice has replaced her chain, and gives its link once more.", "alice"
)
def _() -> Any:
    w = table("link twice")
    link = w.next_link("alice").hex()
    w.commit("alice")
    return w, w.write("alice", "commit", {**w.commit_body("alice"), "link": link})


@log("holds--commit-gives-the-last-link", "All links for rolls are used; the last one replaces the chain.")
def _() -> Any:
    w = table("last link", length=3)
    for _ in range(2):
        whole_roll(w)
    w.commit("host", "alice", "bob")
    whole_roll(w)
    w.close()
    return w


def burned(label: str) -> Writer:
    """Bob's link 1 is burned and in nobody's hands."""
    w = table(f"burned {label}", JUDGED)
    roll(w)
    w.call_off("dana", ["bob"])
    return w


@log("burned.link--wrong", "bob leaves, and gives something else than his burned link.", "bob")
def _() -> Any:
    w = burned("wrong")
    return w, w.leave("bob", "bob", burned=ref.secret_of("wrong").hex())


@log("burned.link--the-next", "bob leaves, and gives link 2, which was asked for in no roll.", "bob")
def _() -> Any:
    w = burned("next")
    return w, w.leave("bob", "bob", burned=w.next_link("bob").hex())


@log("burned.link--the-tip", "bob gives his tip, as if nothing were burned.", "bob")
def _() -> Any:
    w = burned("tip")
    return w, w.leave("bob", "bob", burned=w.chains["bob"][0].hex())


@log("burned.link--in-another-s-leave", "The judge takes bob out and gives his burned link.", "dana")
def _() -> Any:
    w = burned("judge")
    return w, w.leave("dana", "bob", burned=w.burned("bob"))


@log("burned.link--in-another-s-away", "The judge signs bob away and gives his burned link.", "dana")
def _() -> Any:
    w = burned("judge away")
    return w, w.away("dana", "bob", burned=w.burned("bob"))


@log("burned.link--in-a-call", "alice, whose own link is burned, gives it with her word that bob is away.", "alice")
def _() -> Any:
    w = table("burned in call", FOUR, away="others")
    roll(w)
    w.call_off("alice")
    return w, w.away("alice", "bob", effect=False, burned=w.burned("alice"))


@log(
    "burned.link--opened-in-a-reveal",
    "alice leaves with her link of the last roll, which was shown: none is burned.",
    "alice",
)
def _() -> Any:
    w = table("burned revealed")
    whole_roll(w)
    return w, w.leave("alice", "alice", burned=w.burned("alice"))


@log("burned.link--known-by-the-disclose", "alice's burned link stands in the disclose.", "alice")
def _() -> Any:
    w = burned("disclosed")
    return w, w.leave("alice", "alice", burned=w.burned("alice"))


@log(
    "burned.link--known-by-a-commit",
    "bob replaced his chain: his burned link is known, and the new chain has none.",
    "bob",
)
def _() -> Any:
    w = burned("replaced")
    link = w.burned("bob")
    w.commit("bob")
    return w, w.leave("bob", "bob", burned=link)


@log("burned.link--without-a-chain", "dana, a judge, has no chain.", "dana")
def _() -> Any:
    return after_joining("burned no chain", "dana", "leave", {"party": "dana", "burned": "11" * 32})


# --- openings -----------------------------------------------------------------------------------------


@log("roll.index--too-high", "The keeper counts one request too many, to get another seed.", "host")
def _() -> Any:
    w = table("index high")
    number = roll(w)
    w.requests += 1
    flawed = w.reveal()
    resolve(w, number)
    return w, flawed


@log("roll.index--voids-not-counted", "The keeper does not count the voided request before.", "host")
def _() -> Any:
    w = table("index low")
    roll(w)
    w.call_off("alice", ["bob"])
    roll(w)
    w.requests -= 1
    flawed = w.reveal()
    return w, flawed


@log("roll.index--of-a-void", "A void with the number of another request.", "alice")
def _() -> Any:
    w = table("void index")
    roll(w)
    return w, w.void("alice", ["bob"], roll_index=1)


@log("roll.index--of-a-disclose", "A disclose with the number of another request.", "host")
def _() -> Any:
    w = voided("disclose index")
    return w, w.disclose(["alice", "bob"], roll_index=1)


@log(
    "opening.set--one-left-out",
    "The keeper reveals without bob's opening, as if he were no contributor.",
    "host",
)
def _() -> Any:
    w = table("left out")
    roll(w)
    flawed = w.reveal([o for o in w.openings() if o["author"] != "bob"])
    return w, flawed


@log("opening.set--one-who-left", "The keeper takes in an opening of bob, who left.", "host")
def _() -> Any:
    w = table("who left")
    w.leave("bob", "bob")
    roll(w)
    flawed = w.reveal([*w.openings(), w.opening("bob")])
    return w, flawed


@log("opening.set--out-of-order", "The openings are not in party order.", "host")
def _() -> Any:
    w = table("out of order")
    roll(w)
    flawed = w.reveal(list(reversed(w.openings())))
    return w, flawed


@log("opening.set--twice", "alice's opening stands twice, bob's not at all.", "host")
def _() -> Any:
    w = table("opening twice")
    roll(w)
    flawed = w.reveal([w.opening("host"), w.opening("alice"), w.opening("alice")])
    return w, flawed


@log(
    "opening.set--no-contributor-s-in-a-close",
    "The opening of a party that is no contributor stands in a close.",
    "host",
)
def _() -> Any:
    w = table("other in close", contributors="roller")
    roll(w)
    return w, w.close(openings=[w.opening("host"), w.opening("bob")])


@log("opening.set--close-out-of-order", "The openings of a close are not in party order.", "host")
def _() -> Any:
    w = table("close order")
    roll(w)
    return w, w.close(openings=[w.opening("host"), w.opening("bob"), w.opening("alice")])


@log(
    "opening.set--no-contributor-s-in-a-disclose",
    "The opening of a party that is no contributor stands in a disclose.",
    "host",
)
def _() -> Any:
    w = table("other in disclose", contributors="roller")
    roll(w)
    w.void("alice")
    return w, w.disclose(openings=[w.opening("host", index=1), w.opening("bob", index=1)])


@log("opening.set--disclose-out-of-order", "The openings of a disclose are not in party order.", "host")
def _() -> Any:
    w = table("disclose order")
    roll(w)
    w.void("alice")
    return w, w.disclose(openings=[w.opening("bob", index=1), w.opening("host", index=1)])


@log(
    "opening.set--close-without-the-keeper-s",
    "The keeper knows the dice, closes, and keeps its own opening back: what it did not like would be hidden for good.",
    "host",
)
def _() -> Any:
    w = table("close without host")
    roll(w)
    return w, w.close(openings=w.openings(["host"]))


@log("opening.set--close-without-openings", "The keeper closes over a request, as if it had not even its own.", "host")
def _() -> Any:
    w = table("close without any")
    roll(w)
    return w, w.close(openings=[])


@log(
    "opening.set--disclose-without-the-keeper-s",
    "alice calls her roll off for the keeper; bob has opened. The keeper keeps its own opening back.",
    "host",
)
def _() -> Any:
    w = table("disclose without host")
    roll(w)
    w.void("alice")
    flawed = w.disclose(["host", "alice"])
    whole_roll(w)
    return w, flawed


@log("opening.set--disclose-without-openings", "The keeper discloses nothing.", "host")
def _() -> Any:
    w = table("disclose without any")
    roll(w)
    w.void("alice", ["bob"])
    return w, w.disclose(openings=[])


@log("opening.set--disclose-twice", "bob's opening stands twice in a disclose.", "host")
def _() -> Any:
    w = table("disclose twice bob")
    roll(w)
    w.void("alice")
    return w, w.disclose(openings=[w.opening("host", index=1), *[w.opening("bob", index=1)] * 2])


@log(
    "opening.signature--moved-to-another-request",
    "alice opened for a request that the keeper lost on purpose; it uses her opening for her next one.",
    "host",
)
def _() -> Any:
    w = table("moved")
    before = lines_of(w)
    roll(w)
    moved = w.opening("alice")
    w.lines, w.requests = before, 0
    roll(w, "alice", {**DELINA, "use": "Another use."})
    flawed = w.reveal(w.openings(alice=moved))
    return w, flawed


@log("opening.signature--event-label", "alice signs an opening under the label of events.", "host")
def _() -> Any:
    w = table("event label")
    roll(w)
    flawed = w.reveal(w.openings(alice=w.opening("alice", label=ref.EVENT_LABEL)))
    return w, flawed


@log(
    "opening.signature--by-the-keeper",
    "The keeper, who got bob's link otherwise, signs his opening itself.",
    "host",
)
def _() -> Any:
    w = table("keeper opens")
    roll(w)
    flawed = w.reveal(w.openings(bob=w.opening("bob", signer="host")))
    return w, flawed


@log("opening.signature--link-edited", "The keeper changes the link in alice's opening.", "host")
def _() -> Any:
    w = table("link edited")
    roll(w)
    alice = w.opening("alice")
    flawed = w.reveal(w.openings(alice={**alice, "link": w.chains["alice"][2].hex()}))
    return w, flawed


@log("opening.signature--in-a-disclose", "An opening in a disclose is signed by somebody else.", "host")
def _() -> Any:
    w = table("disclose signature")
    roll(w)
    w.void("alice")
    return w, w.disclose(openings=[w.opening("host", index=1), w.opening("bob", index=1, signer="host")])


@log(
    "opening.signature--of-the-void-s-line",
    "The keeper discloses an opening that bob signed over the void, not over the request.",
    "host",
)
def _() -> Any:
    w = table("disclose over void")
    roll(w)
    w.void("alice")
    moved = w.opening("bob", index=1, request=leaf(w.lines[-1]))
    return w, w.disclose(openings=[w.opening("host", index=1), moved])


@log("opening.signature--in-a-close", "An opening in a close is signed by somebody else.", "host")
def _() -> Any:
    w = table("close signature")
    roll(w)
    return w, w.close(openings=[w.opening("host"), w.opening("bob", signer="host")])


@log("opening.signature--keeper-s-own", "The keeper leaves its own opening unsigned.", "host")
def _() -> Any:
    w = table("keeper unsigned")
    roll(w)
    flawed = w.reveal(w.openings(host={**w.opening("host"), "sig": "00" * 64}))
    return w, flawed


@log(
    "opening.index--keeper-repeats-a-roll",
    "Silent repeat: the keeper drops its reveal, and reveals the same request from its next link.",
    "host",
)
def _() -> Any:
    w = table("repeat")
    number = roll(w)
    others = {name: w.opening(name) for name in ("alice", "bob")}
    flawed = w.reveal(w.openings(host=w.opening("host", index=2), **others))
    resolve(w, number)
    w.close()
    return w, flawed


@log(
    "opening.index--all-reloaded",
    "Reload: everybody's data is set back after a roll, and the first links are opened again.",
    "host",
)
def _() -> Any:
    w = table("reload")
    whole_roll(w)
    for name in w.used:
        w.used[name] = 0
    roll(w)
    flawed = w.reveal()
    return w, flawed


@log(
    "opening.index--player-reloaded",
    "Crash: alice's program forgot what it opened and opens link 1 again.",
    "alice",
)
def _() -> Any:
    w = table("crash")
    whole_roll(w)
    roll(w)
    flawed = w.reveal(w.openings(alice=w.opening("alice", index=1)))
    return w, flawed


@log(
    "opening.index--burned-link-opened-after-a-void",
    "bob did not open link 1 in a void, and opens it for the next request.",
    "bob",
)
def _() -> Any:
    w = table("burned link")
    roll(w)
    w.call_off("alice", ["bob"])
    roll(w)
    flawed = w.reveal(w.openings(bob=w.opening("bob", index=1)))
    return w, flawed


@log(
    "opening.index--skipped-ahead",
    "bob opens his link 3 where link 1 is next: the links below become known.",
    "bob",
)
def _() -> Any:
    w = table("ahead")
    roll(w)
    flawed = w.reveal(w.openings(bob=w.opening("bob", index=3)))
    return w, flawed


@log("opening.index--in-a-disclose", "bob signed link 2 for the voided request, where link 1 was next.", "bob")
def _() -> Any:
    w = table("disclose link index")
    roll(w)
    w.void("alice")
    return w, w.disclose(openings=[w.opening("host", index=1), w.opening("bob", index=2)])


@log("opening.index--in-a-close", "bob signed link 2 for the request that waits, where link 1 is next.", "bob")
def _() -> Any:
    w = table("close link index")
    roll(w)
    return w, w.close(openings=[w.opening("host"), w.opening("bob", index=2)])


@log(
    "opening.index--old-number-after-renewal",
    "After a new commit alice goes on counting from the old chain.",
    "alice",
)
def _() -> Any:
    w = table("old number")
    whole_roll(w)
    w.commit("alice")
    roll(w)
    flawed = w.reveal(w.openings(alice=w.opening("alice", index=2)))
    return w, flawed


@log("opening.link--player", "bob opens a link that is not his chain's.", "bob")
def _() -> Any:
    w = table("wrong link")
    roll(w)
    flawed = w.reveal(w.openings(bob=w.opening("bob", link=ref.secret_of("wrong"))))
    return w, flawed


@log("opening.link--keeper", "The keeper, knowing the others' links, opens one that suits it.", "host")
def _() -> Any:
    def make(label: str) -> Writer:
        w = table("better link")
        roll(w)
        w.reveal(w.openings(host=w.opening("host", link=ref.secret_of(label))))
        return w

    w = first_seed("better", lambda w: w.naturals == [20], make)
    return w, w.last


@log("opening.link--of-the-chain-before", "After a new commit alice opens a link of her old chain.", "alice")
def _() -> Any:
    w = table("old chain")
    old = w.chains["alice"]
    w.commit("alice")
    roll(w)
    flawed = w.reveal(w.openings(alice=w.opening("alice", link=old[1])))
    return w, flawed


@log(
    "opening.link--wrong-after-a-void",
    "bob's link after a void leads to his tip in one step: it is link 1 under number 2.",
    "bob",
)
def _() -> Any:
    w = table("two steps")
    roll(w)
    w.call_off("alice", ["bob"])
    roll(w)
    flawed = w.reveal(w.openings(bob=w.opening("bob", link=w.chains["bob"][1])))
    return w, flawed


@log("opening.link--chain-of-another-game", "alice's chain was made for another game.", "alice")
def _() -> Any:
    w = Writer("other game's chain", TABLE)
    w.open()
    w.join("alice", "bob")
    w.commit("host", "bob")
    w.chains["alice"] = ref.make_chain(ref.secret_of("other"), leaf(b"another game"), "alice", 3)
    w.used["alice"] = 0
    w.write("alice", "commit", {"length": 3, "tip": w.chains["alice"][0].hex()})
    roll(w)
    flawed = w.reveal()
    return w, flawed


@log("opening.link--chain-of-another-name", "alice's chain was made with bob's name.", "alice")
def _() -> Any:
    w = Writer("other name's chain", TABLE)
    w.open()
    w.join("alice", "bob")
    w.commit("host", "bob")
    w.chains["alice"] = ref.make_chain(ref.secret_of("other name"), w.game, "bob", 3)
    w.used["alice"] = 0
    w.write("alice", "commit", {"length": 3, "tip": w.chains["alice"][0].hex()})
    roll(w)
    flawed = w.reveal()
    return w, flawed


@log("opening.link--in-a-disclose", "In a disclose, bob's signed opening has a wrong link.", "bob")
def _() -> Any:
    w = table("disclose link")
    roll(w)
    w.void("alice")
    return w, w.disclose(openings=[w.opening("host", index=1), w.opening("bob", index=1, link=ref.secret_of("wrong"))])


@log("opening.link--keeper-s-in-a-disclose", "The keeper discloses another link than its chain has.", "host")
def _() -> Any:
    w = table("disclose keeper's link")
    roll(w)
    w.void("alice")
    return w, w.disclose(openings=[w.opening("host", index=1, link=ref.secret_of("wrong"))])


@log("opening.link--in-a-close", "In a close, bob's signed opening has a wrong link.", "bob")
def _() -> Any:
    w = table("close link")
    roll(w)
    return w, w.close(openings=[w.opening("host"), w.opening("bob", link=ref.secret_of("wrong"))])


@log("void.missing--no-contributor", "carol, who has no part in the dice, is named.", "alice")
def _() -> Any:
    w = table("missing carol", {**TABLE, "carol": "player"}, ["host", "alice", "bob"])
    roll(w)
    return w, w.void("alice", ["carol"])


@log("void.missing--no-party", "zoe, who is no party, is named.", "alice")
def _() -> Any:
    w = table("missing zoe")
    roll(w)
    return w, w.void("alice", ["bob", "zoe"])


@log("void.missing--who-is-away", "bob, who is away, is named.", "alice")
def _() -> Any:
    w = table("missing away")
    w.away("bob", "bob")
    roll(w)
    return w, w.void("alice", ["bob"])


@log("holds--void-that-names-everybody", "The judge names all contributors, the keeper and the roller too: it may.")
def _() -> Any:
    w = table("missing all", JUDGED)
    roll(w)
    w.void("dana", ["host", "alice", "bob"])
    w.disclose()
    w.close()
    return w


@log("void.missing--out-of-order", "Those who are said to be missing are not in party order.", "dana")
def _() -> Any:
    w = table("missing order", JUDGED)
    roll(w)
    return w, w.void("dana", ["bob", "alice"])


@log("void.missing--twice", "bob stands twice among those who are said to be missing.", "alice")
def _() -> Any:
    w = table("missing twice")
    roll(w)
    return w, w.void("alice", ["bob", "bob"])


# --- dice ---------------------------------------------------------------------------------------------


def wrong_dice(label: str, dice: str, naturals: Callable[[bytes, list[int]], list[int]]) -> tuple[Writer, int]:
    """The keeper writes naturals that it got in another way; the first game in which that matters."""

    def make(label: str) -> Writer:
        w = table(label)
        number = roll(w, "alice", {"source": "Some dice", "dice": dice, "use": "Add them up."})
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
    number = roll(w, "alice", {**DELINA, "dice": "1d1000"})
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


@log("reveal.naturals--fewer-sides", "Two naturals, and the sides of one die.", "host")
def _() -> Any:
    w = table("fewer sides")
    roll(w, "alice", {**DELINA, "dice": "2d20"})
    return w, w.reveal(sides=[20])


@log("reveal.naturals--more-sides", "One natural, and the sides of two dice.", "host")
def _() -> Any:
    w = table("more sides")
    roll(w)
    return w, w.reveal(sides=[20, 20])


def other_dice(label: str, dice: str, sides: list[int]) -> tuple[Writer, int]:
    """The keeper draws other dice than were asked for, and shows what the links give for them."""
    w = table(label)
    roll(w, "alice", {**DELINA, "dice": dice})
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


# --- rules --------------------------------------------------------------------------------------------


THUMB = {"source": "Krark's Thumb", "kind": "reroll", "scope": "one", "optional": True}
"""leaves the player who rolls a choice"""


@log("rules.violation--706.3b-another-roll-is-open", "bob rolls before alice answered an effect.", "host", "706.3b")
def _() -> Any:
    w = table("706.3b")
    roll(w, "alice", {"source": "A coin of a die", "dice": "1d20", "effects": [THUMB]})
    w.reveal()
    flawed = roll(w, "bob")
    w.reveal()
    return w, flawed


@log("rules.violation--706.2-false-claim", "alice claims another result than the dice show.", "host", "706.2")
def _() -> Any:
    w = table("706.2")
    number = roll(w)
    w.reveal()
    flawed = resolve(w, number, results=[w.naturals[0] + 1])
    w.close()
    return w, flawed


@log(
    "rules.violation--706.6-not-the-lowest",
    "alice ignores the higher die; the lower one is ignored without a choice.",
    "host",
    "706.6",
)
def _() -> Any:
    def make(label: str) -> Writer:
        w = table(label)
        number = roll(w, "alice", PIXIE)
        w.reveal()
        w.write("alice", "ignore", {"roll": number, "dice": [w.naturals.index(max(w.naturals)) + 1]})
        w.close()
        return w

    w = first_seed("706.6", lambda w: w.naturals[0] != w.naturals[1], make)
    return w, w.last - 1


AGAIN = {
    "source": "An ability",
    "dice": "1d20",
    "table": [{"range": "1–20", "effect": "Draw a card."}, {"range": "21+", "effect": "Roll again.", "again": True}],
}


def corrected_game(label: str, to: int) -> tuple[Writer, int]:
    """A judge gives the first roll's die another result; the number of that roll."""
    w = table(label, JUDGED)
    number = whole_roll(w, "alice", AGAIN)
    results = [{"die": 1, "result": to}]
    text = "The bonus of the class was left out."
    w.write("dana", "ruling", {"ruling": "correct", "subject": number, "text": text, "results": results})
    return w, number


@log("holds--a-correction-makes-a-roll-again", "The row of the corrected result says “Roll again.”: alice does.")
def _() -> Any:
    w, number = corrected_game("correction again", 24)
    again = w.request("alice", "roll", {"source": "An ability", "again": number}, [20])
    w.reveal()
    resolve(w, again)
    w.close()
    return w


@log(
    "rules.violation--706.3b-a-correction-made-a-roll-again",
    "A judge's correction made alice owe a roll again; bob rolls before her.",
    "host",
    "706.3b",
)
def _() -> Any:
    w, _ = corrected_game("correction between", 24)
    flawed = roll(w, "bob")
    w.reveal()
    return w, flawed


@log(
    "rules.violation--ruling-in-the-middle",
    "dana's correction would make alice owe a roll again while bob's roll is open.",
    "host",
    "ruling",
)
def _() -> Any:
    w = table("correction in the middle", JUDGED)
    number = whole_roll(w, "alice", AGAIN)
    other = roll(w, "bob", {"source": "A coin of a die", "dice": "1d20", "effects": [THUMB]})
    w.reveal()
    results = [{"die": 1, "result": 24}]
    body = {"ruling": "correct", "subject": number, "text": "Too early.", "results": results}
    flawed = w.write("dana", "ruling", body)
    resolve(w, other, "bob")
    w.close()
    return w, flawed


@log("holds--an-exchange", "alice rerolls nothing, adds 1, and exchanges the result with a creature's base power.")
def _() -> Any:
    w = table("exchange")
    whacker = {"source": "Vedalken Squirrel-Whacker", "kind": "exchange", "number": 2, "scope": "one", "optional": True}
    bonus = {"source": "A bonus", "kind": "adjust", "amounts": [1]}
    number = roll(w, "alice", {"source": "Clown Car", "dice": "1d6", "use": "odd or even", "effects": [whacker, bonus]})
    w.reveal()
    w.write("alice", "modify", {"roll": number, "effect": 2, "choice": "apply"})
    w.write("alice", "modify", {"roll": number, "effect": 1, "choice": "apply", "dice": [1]})
    resolve(w, number, results=[2])
    w.close()
    return w


@log(
    "holds--effects-of-who-left-end",
    "bob's mandatory effect waits for alice's die; bob leaves, and she need not apply it.",
)
def _() -> Any:
    w = table("effects of who left")
    number = roll(w, "alice", {"source": "Clown Car", "dice": "1d6", "use": "odd or even"})
    w.reveal()
    curse = {"source": "Bob's curse", "kind": "adjust", "amounts": [-1]}
    w.write("bob", "declare", {"what": "effect", "roll": number, "effect": curse})
    w.leave("bob", "bob")
    resolve(w, number)
    w.close()
    return w


@log(
    "rules.violation--706.2b-controller-has-left",
    "alice declares an effect of bob's, who has left.",
    "host",
    "706.2b",
)
def _() -> Any:
    w = table("controller has left")
    w.leave("bob", "bob")
    number = roll(w, "alice", {"source": "Clown Car", "dice": "1d6", "use": "odd or even"})
    w.reveal()
    bonus = {"source": "A bonus", "kind": "adjust", "amounts": [1]}
    flawed = w.write("alice", "declare", {"what": "effect", "roll": number, "effect": bonus, "controller": "bob"})
    w.close()
    return w, flawed


@log(
    "rules.violation--706.2-exchange-first",
    "alice exchanges the result before a mandatory increase is applied to it.",
    "host",
    "706.2",
)
def _() -> Any:
    w = table("exchange first")
    whacker = {"source": "Vedalken Squirrel-Whacker", "kind": "exchange", "number": 2, "scope": "one", "optional": True}
    number = roll(w, "alice", {"source": "Clown Car", "dice": "1d6", "use": "odd or even", "effects": [whacker]})
    w.reveal()
    bonus = {"source": "A bonus", "kind": "adjust", "amounts": [1]}
    w.write("bob", "declare", {"what": "effect", "roll": number, "effect": bonus})
    flawed = w.write("alice", "modify", {"roll": number, "effect": 1, "choice": "apply", "dice": [1]})
    w.close()
    return w, flawed


@log("rules.violation--603-ended-by-another", "bob says that alice's ability is no longer there.", "host", "603")
def _() -> Any:
    w = table("triggers")
    w.write("alice", "declare", {"what": "trigger", "source": "Sixes", "on": "result", "range": "6"})
    flawed = w.write("bob", "declare", {"what": "ends", "trigger": 1})
    w.close()
    return w, flawed


@log(
    "rules.violation--706.8a-more-than-a-permanent-stores",
    "alice stores 101 results on one permanent.",
    "host",
    "706.8a",
)
def _() -> Any:
    w = table("stores")
    w.write("alice", "declare", {"what": "permanent", "permanent": "centaur", "name": "Centaur of Attention"})
    flawed = roll(w, "alice", {"source": "Centaur of Attention", "dice": "101d6", "store": "centaur"})
    w.reveal()
    return w, flawed


@log(
    "rules.violation--706.7-no-planechase",
    "bob rolls the planar die in a game without planes.",
    "host",
    "706.7",
)
def _() -> Any:
    w = table("706.7")
    flawed = roll(w, "bob", {"source": "Special action", "dice": "planar"})
    w.reveal()
    return w, flawed


@log("rules.violation--another-s-resolve", "bob resolves alice's roll.", "host", "706.3b")
def _() -> Any:
    w = table("another's")
    number = roll(w)
    w.reveal()
    flawed = resolve(w, number, "bob")
    w.close()
    return w, flawed


@log("rules.violation--resolve-of-a-voided-roll", "alice resolves a roll that was voided.", "host", "706.3b")
def _() -> Any:
    w = table("resolve voided")
    number = roll(w)
    w.call_off("alice", ["bob"])
    flawed = resolve(w, number)
    w.close()
    return w, flawed


@log(
    "rules.violation--ruling-of-a-die-that-is-not-there",
    "A judge corrects die 2 of a roll of one die.",
    "host",
    "ruling",
)
def _() -> Any:
    w = table("no die", JUDGED)
    number = whole_roll(w)
    results = [{"die": 2, "result": 20}]
    flawed = w.write("dana", "ruling", {"ruling": "correct", "subject": number, "text": "x", "results": results})
    w.close()
    return w, flawed


# --- who is to blame where the rules alone refuse a line ----------------------------------------------


EARLY = {"source": "A coin of a die", "dice": "1d20", "effects": [THUMB]}


def early(label: str, checks: Iterable[str] = ()) -> tuple[Writer, int]:
    """A roll by bob, before alice answered an effect: the rules alone refuse it."""
    w = table(label, checks=checks)
    roll(w, "alice", EARLY)
    w.reveal()
    return w, roll(w, "bob")


def beside(w: Writer, size: int) -> list[tuple[int, str, str]]:
    """The keeper's checkpoint of the first lines: size, root, note."""
    top = ref.root([ref.leaf(line) for line in w.lines[:size]])
    text = f"rollproof/v1/{w.game.hex()}\n{size}\n{base64.b64encode(top).decode()}\n"
    private = ref.private_key(w.keeper)
    made = ref.key_id(w.keeper, ref.public_key(w.keeper)) + private.sign(text.encode())
    return [(size, top.hex(), f"{text}\n— {w.keeper} {base64.b64encode(made).decode()}\n")]


@log("holds--offer", "bob's last line is one that the rules refuse, and nobody has signed over it.")
def _() -> Any:
    return early("offer")[0]


@log("holds--offer-by-who-checks", "The same, of a bob whose join says that his program knows the rules.")
def _() -> Any:
    return early("offer checks", ["bob"])[0]


@log("holds--offer-of-a-body", "alice's last line is a body that Magic does not have.")
def _() -> Any:
    w = table("offer body")
    w.write("alice", "roll", {"dice": "1d20", "luck": 3})
    return w


@log("holds--offer-of-what-is-not-owed", "alice called off, and the last line is her request for other dice.")
def _() -> Any:
    w = voided("offer owed")
    w.disclose(["alice", "bob"])
    roll(w, "alice", CHAOS)
    return w


@log("holds--offer-behind-a-receipt", "The keeper's checkpoint is of the lines before the offer.")
def _() -> Any:
    w, flawed = early("offer receipt")
    return w, None, None, beside(w, flawed)


@log("holds--checks", "alice and bob say in their joins that their programs know the rules.")
def _() -> Any:
    w = table("checks", checks=["alice", "bob"])
    whole_roll(w)
    w.close()
    return w


@log(
    "rules.violation--by-who-checks",
    "bob's join says that his program knows the rules: he keeps the fault.",
    "bob",
    "706.3b",
)
def _() -> Any:
    w, flawed = early("checks taken", ["bob"])
    return w, taken(w, flawed)


@log(
    "rules.violation--another-checks",
    "alice's join says so, bob's does not: what bob signed is the keeper's fault.",
    "host",
    "706.3b",
)
def _() -> Any:
    w, flawed = early("another checks", ["alice"])
    return w, taken(w, flawed)


@log("rules.violation--in-a-checkpoint", "The keeper signed a checkpoint with bob's last line.", "host", "706.3b")
def _() -> Any:
    w, flawed = early("checkpoint")
    return w, flawed, None, beside(w, flawed + 1)


@log("rules.violation--in-a-checkpoint-by-who-checks", "The same, of a bob who checks.", "bob", "706.3b")
def _() -> Any:
    w, flawed = early("checkpoint checks", ["bob"])
    return w, flawed, None, beside(w, flawed + 1)


@log(
    "rules.violation--in-a-checkpoint-of-more", "bob goes on behind it; a checkpoint has both lines.", "host", "706.3b"
)
def _() -> Any:
    w, flawed = early("checkpoint more")
    w.commit("bob")
    return w, flawed, None, beside(w, flawed + 2)


@log("rules.violation--two-that-nobody-took", "bob goes on behind it, and nobody signed over either.", "file", "706.3b")
def _() -> Any:
    w, flawed = early("two offers")
    w.write("bob", "declare", {"what": "trigger", "source": "Sixes", "on": "result", "range": "6"})
    return w, flawed


@log("rules.violation--two-that-nobody-took-by-who-checks", "The same, of a bob who checks.", "bob", "706.3b")
def _() -> Any:
    w, flawed = early("two offers checks", ["bob"])
    w.write("bob", "declare", {"what": "trigger", "source": "Sixes", "on": "result", "range": "6"})
    return w, flawed


@log("signature.invalid--in-a-checkpoint", "Somebody signed as alice; the keeper's checkpoint has the line.", "host")
def _() -> Any:
    w = table("forged checkpoint")
    flawed = w.write("alice", "declare", {"what": "trigger", "source": "x", "on": "result", "range": "6"}, signer="bob")
    return w, flawed, None, beside(w, flawed + 1)


@log(
    "state.owed--by-who-checks",
    "alice's join says that her program knows the rules, and she asks for other dice.",
    "alice",
)
def _() -> Any:
    w = table("owed checks", checks=["alice"])
    roll(w)
    w.call_off("alice", ["alice", "bob"])
    return w, taken(w, roll(w, "alice", CHAOS))


@log("body.malformed--by-who-checks", "alice's program knows the rules, and its body is none of Magic's.", "alice")
def _() -> Any:
    w = table("body checks", checks=["alice"])
    flawed = w.write("alice", "roll", {"dice": "1d20", "luck": 3})
    w.close()
    return w, flawed


@log(
    "body.malformed--and-back-in-time",
    "alice's body is none of Magic's, and its time is early: she could see that.",
    "alice",
)
def _() -> Any:
    w = table("body and time")
    flawed = w.write("alice", "roll", {"dice": "1d20", "luck": 3}, time="2026-11-20T18:00:00.000Z")
    w.close()
    return w, flawed


@log("body.malformed--checks-another-word", "A join says that its program checks something else.", "alice")
def _() -> Any:
    w = Writer("checks nothing", dict(TABLE))
    w.open()
    return w, w.write("alice", "join", {"checks": "dice"})


# --- who comes later ----------------------------------------------------------------------------------


def key_of(name: str, of: str | None = None) -> str:
    """The verifier key of this name; `of`: with the public key of another."""
    return ref.verifier_key(name, ref.public_key(of or name))


def late_game(
    label: str, *admits: str, roles: dict[str, str] | None = None, contributors: Any = "all", **opened: Any
) -> Writer:
    """A game in which everybody sits, and that admits others in these roles."""
    return table(label, roles, contributors, length=20, admits=list(admits), **opened)


def with_judge(label: str, consents: Iterable[str] = ("alice", "bob"), **opened: Any) -> tuple[Writer, int]:
    """A game with a judge who came later and has joined; the number of the admit."""
    w = late_game(label, "judge", **opened)
    number = w.admit("dana", "judge")
    w.join("dana")
    w.consent(number, *consents)
    return w, number


def with_witness(label: str, **opened: Any) -> tuple[Writer, int]:
    """A game with a witness who came later, has joined and has committed; the number of the admit."""
    w = late_game(label, "witness", **opened)
    number = w.admit("walt", "witness")
    w.join("walt")
    w.commit("walt", length=20)
    return w, number


@log(
    "holds--late-witness",
    "walt comes later: rolls do not wait for him before he has committed, and have his link from then on.",
)
def _() -> Any:
    w = late_game("late witness", "witness")
    whole_roll(w)
    number = w.admit("walt", "witness")
    whole_roll(w, "bob")
    w.join("walt")
    whole_roll(w)
    w.commit("walt")
    whole_roll(w, "bob")
    w.consent(number, "bob", "alice")
    whole_roll(w)
    w.close()
    return w


@log("holds--late-witness-roller", "The same where the keeper, the roller and the witnesses contribute.")
def _() -> Any:
    w, _number = with_witness("late witness roller", contributors="roller")
    whole_roll(w)
    whole_roll(w, "bob")
    w.close()
    return w


@log(
    "holds--late-judge",
    "dana comes later, by the host's word; alice and bob consent, and dana calls a roll off and rules.",
)
def _() -> Any:
    w = late_game("late judge", "judge", "witness", host=key_of("hetty"))
    number = w.admit("dana", "judge", word=w.word("dana", "judge", "hetty"))
    w.consent(number, "alice")
    w.join("dana")
    w.consent(number, "bob")
    roll(w)
    w.void("dana", ["alice"])
    w.disclose()
    done = whole_roll(w)
    w.write("dana", "ruling", {"ruling": "void", "subject": done, "text": "The card had left play."})
    w.close()
    return w


@log(
    "holds--late-judge-without-the-host",
    "Event 0 has a host, and the keeper lets dana in without its word: told, and valid.",
)
def _() -> Any:
    w, _number = with_judge("late judge alone", host=key_of("hetty"))
    whole_roll(w)
    w.close()
    return w


@log("holds--late-judge-who-leaves", "Nobody has consented; dana joins and leaves.")
def _() -> Any:
    w, _number = with_judge("late judge leaves", ())
    w.leave("dana", "dana")
    whole_roll(w)
    w.close()
    return w


@log("holds--host-is-a-party", "The host's key is alice's: a host may play.")
def _() -> Any:
    w = late_game("host plays", "witness", host=key_of("alice"))
    w.admit("walt", "witness", word=w.word("walt", "witness", "alice"))
    whole_roll(w)
    w.close()
    return w


@log("holds--word-of-64-lines-before", "The host's word was given on the first of the 64 lines before the admit.")
def _() -> Any:
    return word_game("word 64", 64)


def word_game(label: str, lines: int) -> Writer:
    """A witness is admitted by a word that was given so many lines before."""
    w = late_game(label, "witness", host=key_of("hetty"))
    for number in range(lines):
        w.write("alice", "away" if number % 2 == 0 else "back", {"party": "alice"})
    w.admit("walt", "witness", word=w.word("walt", "witness", "hetty", head=-lines))
    w.close()
    return w


@log(
    "holds--consent-complete-when-another-leaves",
    "alice consents, bob leaves without: from then on all have, and dana may rule.",
)
def _() -> Any:
    w, _number = with_judge("consent by leave", ["alice"])
    done = whole_roll(w)
    w.leave("bob", "bob")
    w.write("dana", "ruling", {"ruling": "uphold", "subject": done, "text": "As it was rolled."})
    w.close()
    return w


@log(
    "holds--consent-counts-when-its-author-has-left",
    "alice consents and leaves, bob leaves without: alice's consent is enough where nobody is left to ask.",
)
def _() -> Any:
    w, _number = with_judge("consent by one who left", ["alice"])
    done = whole_roll(w)
    w.leave("alice", "alice")
    w.leave("bob", "bob")
    w.write("dana", "ruling", {"ruling": "uphold", "subject": done, "text": "As it was rolled."})
    w.close()
    return w


@log(
    "holds--who-joins-after-a-consent-is-not-asked",
    "The witness of event 0 joins when all who were there have consented.",
)
def _() -> Any:
    w = Writer("joins after consent", dict(WATCHED), ["host", "alice", "bob"])
    w.open(admits=["judge"])
    w.join("alice", "bob")
    w.commit("host", "alice", "bob")
    number = w.admit("dana", "judge")
    w.join("dana")
    w.consent(number, "alice", "bob")
    w.join("walt")
    done = whole_roll(w)
    w.write("dana", "ruling", {"ruling": "uphold", "subject": done, "text": "As it was rolled."})
    w.close()
    return w


@log(
    "holds--two-newcomers",
    "walt is a party like the others when alice and bob have consented; dana needs his word too.",
)
def _() -> Any:
    w = late_game("two newcomers", "witness", "judge")
    first, second = w.admit("walt", "witness"), w.admit("dana", "judge")
    w.join("walt", "dana")
    w.consent(second, "alice")
    w.consent(first, "alice", "bob")
    w.consent(second, "bob", "walt")
    w.commit("walt")
    done = whole_roll(w)
    w.write("dana", "ruling", {"ruling": "uphold", "subject": done, "text": "As it was rolled."})
    w.close()
    return w


@log("holds--newcomer-is-waited-for-in-no-call", "host and alice sign bob away; walt, a newcomer, need not call.")
def _() -> Any:
    w, _number = with_witness("newcomer no call", away="others")
    w.away("host", "bob", effect=False)
    w.away("alice", "bob")
    whole_roll(w)
    w.close()
    return w


@log("holds--newcomer-is-signed-away", "host, alice and bob sign walt away, a newcomer who lets them wait.")
def _() -> Any:
    w, _number = with_witness("newcomer away", away="others")
    w.away("host", "walt", effect=False)
    w.away("alice", "walt", effect=False)
    w.away("bob", "walt")
    whole_roll(w)
    w.close()
    return w


@log("holds--who-has-consent-calls", "All have consented to walt: without his call bob is not away, with it he is.")
def _() -> Any:
    w, number = with_witness("settled calls", away="others")
    w.consent(number, "alice", "bob")
    w.away("host", "bob", effect=False)
    w.away("alice", "bob", effect=False)
    whole_roll(w, "alice")
    w.away("walt", "bob")
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--who-has-consent-and-has-not-joined-is-in-no-call",
    "All have consented to walt, whom the keeper admitted and who never came: bob is away without his call.",
)
def _() -> Any:
    w = late_game("settled and absent", "witness", away="others")
    w.consent(w.admit("walt", "witness"), "alice", "bob")
    w.away("host", "bob", effect=False)
    w.away("alice", "bob")
    whole_roll(w)
    w.close()
    return w


@log(
    "holds--who-has-consent-and-has-not-joined-is-not-asked",
    "All have consented to walt, who has not joined: dana, a judge who comes later, needs no word of his.",
)
def _() -> Any:
    w = late_game("settled and silent", "witness", "judge")
    w.consent(w.admit("walt", "witness"), "alice", "bob")
    second = w.admit("dana", "judge")
    w.join("dana")
    w.consent(second, "alice", "bob")
    done = whole_roll(w)
    w.write("dana", "ruling", {"ruling": "uphold", "subject": done, "text": "As it was rolled."})
    w.join("walt")
    w.commit("walt")
    whole_roll(w)
    w.close()
    return w


@log(
    "state.newcomer--whom-one-who-joined-since-was-not-asked",
    "All had consented to walt, and he has joined since: dana rules, and his consent is missing.",
    "dana",
)
def _() -> Any:
    w = late_game("settled and asked", "witness", "judge")
    w.consent(w.admit("walt", "witness"), "alice", "bob")
    second = w.admit("dana", "judge")
    w.join("dana")
    done = whole_roll(w)
    w.join("walt")
    w.consent(second, "alice", "bob")
    return w, w.write("dana", "ruling", {"ruling": "uphold", "subject": done, "text": "As it was rolled."})


@log("holds--expected-key-of-a-late-party", "The caller expects walt's key, which comes later and has joined.")
def _() -> Any:
    w, _number = with_witness("late key")
    w.close()
    return w, None, {"game": None, "keys": [key_of("walt")]}


@log(
    "expect.key--late-party-that-has-not-joined",
    "The keeper admits walt's key, and walt has signed nothing: it is not said that he plays.",
    "file",
)
def _() -> Any:
    w = late_game("late key unjoined", "witness")
    w.admit("walt", "witness")
    w.close()
    return w, None, {"game": None, "keys": [key_of("walt")]}


@log(
    "expect.key--late-party-with-another-key",
    "Somebody called walt came later, with another key than the caller expects.",
    "file",
)
def _() -> Any:
    w, _number = with_witness("late other key")
    w.close()
    return w, None, {"game": None, "keys": [key_of("walt", "wendy")]}


@log(
    "expect.key--other-key-in-a-game-that-admits", "alice of event 0 has another key: that is told at event 0.", "file"
)
def _() -> Any:
    w = late_game("other alice", "witness")
    return w, 0, {"game": None, "keys": [key_of("alice", "wendy")]}


for _name, _about, _members in (
    ("admits-a-role-twice", "A role stands twice among those that may come later.", {"admits": ["judge", "judge"]}),
    ("admits-players", "Nobody plays later in these rules.", {"admits": ["judge", "player"]}),
    ("admits-game-masters", "There are none in these rules.", {"admits": ["gm"]}),
    ("host-without-admits", "A host says who comes later, and nobody may.", {"host": key_of("hetty")}),
    ("host-is-no-key", "The host is no verifier key.", {"admits": ["judge"], "host": "hetty"}),
    (
        "host-with-the-keepers-key",
        "The host's key is the keeper's.",
        {"admits": ["judge"], "host": key_of("hetty", "host")},
    ),
):

    def _(label: str = "late " + _name, members: dict[str, Any] = _members) -> Any:
        w = Writer(label, dict(TABLE))
        w.open(**members)
        return w, 0

    log("open.terms--" + _name, _about, "host")(_)


@log("body.malformed--admits-nobody", "The list of roles that may come later is empty.", "host")
def _() -> Any:
    w = Writer("admits nobody", dict(TABLE))
    w.open(admits=[])
    return w, 0


@log("body.malformed--admit-of-a-keeper", "Nobody is admitted as a keeper.", "host")
def _() -> Any:
    w = late_game("admits keeper", "witness")
    return w, w.write("host", "admit", {"key": key_of("walt"), "role": "keeper"})


@log("body.malformed--consent-without-a-number", "A consent names the admit that it is to.", "alice")
def _() -> Any:
    w, _number = with_witness("consent to nothing")
    return w, w.write("alice", "consent", {})


@log("author.role--player-admits", "The keeper alone lets somebody in.", "alice")
def _() -> Any:
    w = late_game("player admits", "witness")
    return w, w.write("alice", "admit", {"key": key_of("walt"), "role": "witness"})


@log("author.role--keeper-consents", "The keeper's own word is no consent.", "host")
def _() -> Any:
    w, number = with_witness("keeper consents")
    return w, w.write("host", "consent", {"admit": number})


@log("author.role--judge-consents", "A judge is not asked.", "dana")
def _() -> Any:
    w, number = with_witness("judge consents", roles=JUDGED)
    return w, w.write("dana", "consent", {"admit": number})


@log("author.unknown--before-its-admit", "walt joins before he is admitted: he is no party yet.", "file")
def _() -> Any:
    w = late_game("before admit", "witness")
    return w, w.join("walt")


@log(
    "signature.invalid--late-party-with-another-key",
    "What walt is said to write is signed with another key than the admit has.",
    "file",
)
def _() -> Any:
    w = late_game("late forged", "witness")
    w.admit("walt", "witness")
    return w, w.write("walt", "join", {}, signer="wendy")


@log(
    "state.not-agreed--admit-before-all-have-joined",
    "bob has neither joined nor left, so nobody comes later yet.",
    "host",
)
def _() -> Any:
    w = Writer("admit too early", dict(TABLE))
    w.open(admits=["judge"])
    w.join("alice")
    return w, w.admit("dana", "judge")


@log("state.pending--admit-while-a-roll-waits", "Nobody is let in while a roll waits.", "host")
def _() -> Any:
    w = late_game("admit pending", "witness")
    roll(w)
    return w, w.admit("walt", "witness")


@log("state.not-joined--late-party-commits-first", "walt's first event is his join, like everybody's.", "walt")
def _() -> Any:
    w = late_game("late commits first", "witness")
    w.admit("walt", "witness")
    return w, w.commit("walt")


def _newcomer_judge(type_: str, body: dict[str, Any]) -> Callable[[], Any]:
    def make() -> Any:
        w, _number = with_judge("newcomer judge " + type_, ["alice"])
        done = whole_roll(w)
        if type_ == "back":
            w.away("alice", "alice")
        if type_ == "void":
            roll(w)
            return w, w.void("dana", ["alice"])
        body.update({"subject": done} if type_ == "ruling" else {})
        return w, w.write("dana", type_, body)

    return make


for _type, _body in (
    ("void", {}),
    ("ruling", {"ruling": "uphold", "text": "As it was rolled."}),
    ("leave", {"party": "bob"}),
    ("away", {"party": "bob"}),
    ("back", {"party": "alice"}),
):
    log(f"state.newcomer--{_type}", "alice has consented to the judge who came later, and bob has not.", "dana")(
        _newcomer_judge(_type, _body)
    )


@log(
    "state.newcomer--whom-one-who-is-away-was-not-asked",
    "bob is away: dana is a newcomer as long as he has not consented.",
    "dana",
)
def _() -> Any:
    w, number = with_judge("consent away", ())
    w.away("bob", "bob")
    w.consent(number, "alice")
    roll(w)
    return w, w.void("dana", ["alice"])


@log(
    "state.newcomer--everybody-left",
    "Nobody has consented, and all who could leave: an empty room consents to nothing.",
    "dana",
)
def _() -> Any:
    w, _number = with_judge("consent of nobody", ())
    w.leave("alice", "alice")
    w.leave("bob", "bob")
    return w, w.write("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": "Nobody is left."})


@log("state.newcomer--consent-to-another-admission", "All have consented to walt, and nobody to dana.", "dana")
def _() -> Any:
    w = late_game("other admission", "witness", "judge")
    first = w.admit("walt", "witness")
    w.admit("dana", "judge")
    w.join("dana")
    w.consent(first, "alice", "bob")
    return w, w.write("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": "I say so."})


@log("state.consent--to-no-admit", "The event that alice consents to admits nobody.", "alice")
def _() -> Any:
    w, number = with_witness("consent no admit")
    return w, w.consent(number + 1, "alice")


@log("state.consent--twice", "alice has consented already.", "alice")
def _() -> Any:
    w, number = with_witness("consent twice")
    w.consent(number, "alice")
    return w, w.consent(number, "alice")


@log("state.consent--to-who-needs-none", "walt is no newcomer any more.", "wendy")
def _() -> Any:
    w, number = with_witness("consent late")
    second = w.admit("wendy", "witness")
    w.join("wendy")
    w.consent(number, "alice", "bob")
    w.consent(second, "alice", "bob", "walt")
    return w, w.consent(number, "wendy")


@log("state.consent--to-who-has-left", "walt has left.", "alice")
def _() -> Any:
    w, number = with_witness("consent left")
    w.leave("walt", "walt")
    return w, w.consent(number, "alice")


@log("state.consent--of-a-newcomer", "Two newcomers cannot consent to each other.", "walt")
def _() -> Any:
    w, _number = with_witness("consent newcomer")
    second = w.admit("wendy", "witness")
    return w, w.consent(second, "walt")


@log("state.consent--to-oneself", "walt does not consent to himself.", "walt")
def _() -> Any:
    w, number = with_witness("consent oneself")
    return w, w.consent(number, "walt")


@log("state.presence--newcomer-calls", "walt came later, and nobody has consented: he signs nobody away.", "walt")
def _() -> Any:
    w, _number = with_witness("newcomer calls", away="others")
    return w, w.away("walt", "bob", effect=False)


@log(
    "commit.not-contributor--late-witness-outside-the-list",
    "A list of contributors has nobody who comes later.",
    "walt",
)
def _() -> Any:
    w = late_game("late list", "witness", contributors=["host", "alice"])
    w.admit("walt", "witness")
    w.join("walt")
    return w, w.commit("walt")


@log("admit.role--not-admitted", "Event 0 admits judges alone.", "host")
def _() -> Any:
    w = late_game("admit role", "judge")
    return w, w.admit("walt", "witness")


@log("admit.role--nobody-is-admitted", "Event 0 says nothing of who may come later.", "host")
def _() -> Any:
    w = table("admit none")
    return w, w.admit("walt", "witness")


def _no_party(key: str) -> Callable[[], Any]:
    def make() -> Any:
        w = late_game("admit party " + key, "witness")
        w.leave("bob", "bob")
        return w, w.write("host", "admit", {"key": key, "role": "witness"})

    return make


for _name, _about, _key in (
    ("name-of-a-party", "alice is a party already.", key_of("alice", "walt")),
    ("name-of-one-who-left", "bob left: his name is nobody else's.", key_of("bob", "walt")),
    ("name-that-looks-like-a-party", "a1ice looks like alice.", key_of("a1ice")),
    ("key-of-a-party", "The key is alice's, under another name.", key_of("walt", "alice")),
    ("key-of-one-who-left", "bob left, and does not come back.", key_of("bob")),
    ("no-key", "That is no verifier key.", "walt"),
):
    log("admit.party--" + _name, _about, "host")(_no_party(_key))


@log("admit.party--no-room", "A game has at most 64 parties.", "host")
def _() -> Any:
    w = Writer("admit room", {"host": "keeper", "alice": "player", **{f"w-{n}": "witness" for n in range(62)}})
    w.open(admits=["judge"])
    w.join("alice")
    return w, w.admit("dana", "judge")


@log("admit.word--without-a-host", "Event 0 names no host, whose word this could be.", "host")
def _() -> Any:
    w = late_game("word no host", "witness")
    return w, w.admit("walt", "witness", word=w.word("walt", "witness", "hetty"))


@log("admit.word--of-65-lines-before", "The host's word has lapsed: it was given 65 lines before.", "host")
def _() -> Any:
    w = word_game("word 65", 65)
    return w, w.last - 1


@log("admit.word--on-another-history", "The host's word was given on a line that this log does not have.", "host")
def _() -> Any:
    w = late_game("word elsewhere", "witness", host=key_of("hetty"))
    other = late_game("word elsewhere 2", "witness", host=key_of("hetty"))
    return w, w.admit("walt", "witness", word=other.word("walt", "witness", "hetty"))


@log("admit.word--by-somebody-else", "The word is not the host's.", "host")
def _() -> Any:
    w = late_game("word forged", "witness", host=key_of("hetty"))
    return w, w.admit("walt", "witness", word=w.word("walt", "witness", "alice"))


@log("admit.word--for-another-role", "The host let walt in as a witness, not as a judge.", "host")
def _() -> Any:
    w = late_game("word role", "witness", "judge", host=key_of("hetty"))
    return w, w.admit("walt", "judge", word=w.word("walt", "witness", "hetty"))


@log("admit.word--for-another-key", "The host's word is for another walt.", "host")
def _() -> Any:
    w = late_game("word key", "witness", host=key_of("hetty"))
    return w, w.admit("walt", "witness", word=w.word("walt", "witness", "hetty", key=key_of("walt", "wendy")))


# --- the other vectors --------------------------------------------------------------------------------


def canonical_vectors() -> dict[str, Any]:
    """Lines, and what reading one as a JSON value of a log says about it."""
    cases: list[tuple[str, bytes]] = [
        ("an empty object", b"{}"),
        ("every kind of value", b'{"a":[true,false,0,-1,"x",{}]}'),
        ("RFC 8785, 3.2.3: sorting, with the names that both orders agree on",
         '{"\\r":"Carriage Return","1":"One","\u0080":"Control\u007f","\u00f6":"Latin Small Letter O With Diaeresis",'
         '"\u20ac":"Euro Sign","\U0001f600":"Emoji: Grinning Face"}'.encode()),
        ("RFC 8785, 3.2.3, in its order: by UTF-16 units the emoji comes before U+FB33, by code points after it",
         '{"\u20ac":1,"\U0001f600":2,"\ufb33":3}'.encode()),
        ("the same, code point by code point", '{"\u20ac":1,"\ufb33":3,"\U0001f600":2}'.encode()),
        ("RFC 8785, 3.2.2.2: the string of the example",
         '{"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'.encode()),
        ("RFC 8785, 3.2.2: the string of its input, with escapes as it comes",
         b'{"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"}'),
        ("RFC 8785, 3.2.2: its literals", b'{"literals":[null,true,false]}'),
        ("RFC 8785, 3.2.2: its numbers",
         b'{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]}'),
        ("RFC 8785, appendix B: the largest safe integer", b'{"n":9007199254740991}'),
        ("its negative", b'{"n":-9007199254740991}'),
        ("one more", b'{"n":9007199254740992}'),
        ("one less than its negative", b'{"n":-9007199254740992}'),
        ("very many digits", b'{"n":' + b"1" * 5000 + b"}"),
        ("zero", b'{"n":0}'),
        ("minus zero", b'{"n":-0}'),
        ("a leading zero", b'{"n":01}'),
        ("a plus sign", b'{"n":+1}'),
        ("a fraction of zero", b'{"n":1.0}'),
        ("an exponent", b'{"n":1e0}'),
        ("NaN", b'{"n":NaN}'),
        ("Infinity", b'{"n":Infinity}'),
        ("null", b'{"a":null}'),
        ("null in an array", b'{"a":[null]}'),
        ("a name twice", b'{"a":1,"a":1}'),
        ("a name twice, with different values", b'{"a":1,"a":2}'),
        ("a name twice, once by an escape", b'{"a":1,"\\u0061":1}'),
        ("an empty name", b'{"":1}'),
        ("names in another order", b'{"b":1,"a":2}'),
        ("names in order, inside", b'{"a":{"B":1,"a":2,"aa":3,"b":4}}'),
        ("names in another order, inside", b'{"a":{"a":2,"B":1}}'),
        ("a blank before", b' {"a":1}'),
        ("a blank after", b'{"a":1} '),
        ("a blank after a colon", b'{"a": 1}'),
        ("a tabulator in an array", b'{"a":[1,\t2]}'),
        ("a carriage return after", b'{"a":1}\r'),
        ("a form feed after, which JSON has not", b'{"a":1}\x0c'),
        ("a blank in a string", b'{"a":" "}'),
        ("the short escapes", b'{"a":"\\b\\t\\n\\f\\r\\"\\\\"}'),
        ("a short escape written long", b'{"a":"\\u000a"}'),
        ("U+001F", b'{"a":"\\u001f"}'),
        ("U+001F in upper case", b'{"a":"\\u001F"}'),
        ("U+0000", b'{"a":"\\u0000"}'),
        ("a raw U+001F", b'{"a":"\x1f"}'),
        ("a raw U+0000", b'{"a":"\x00"}'),
        ("U+007F stands as itself", b'{"a":"\x7f"}'),
        ("U+007F escaped", b'{"a":"\\u007f"}'),
        ("a solidus", b'{"a":"/"}'),
        ("a solidus escaped", b'{"a":"\\/"}'),
        ("U+2028 stands as itself", '{"a":"\u2028"}'.encode()),
        ("U+2028 escaped", b'{"a":"\\u2028"}'),
        ("U+FFFF, no character, stands as itself", '{"a":"\uffff"}'.encode()),
        ("a character above U+FFFF", '{"a":"\U0001f3b2"}'.encode()),
        ("the same as an escaped pair", b'{"a":"\\ud83c\\udfb2"}'),
        ("a high surrogate alone, escaped", b'{"a":"\\ud83c"}'),
        ("a low surrogate alone, escaped", b'{"a":"\\udfb2"}'),
        ("a pair the wrong way round", b'{"a":"\\udfb2\\ud83c"}'),
        ("a lone surrogate in a name", b'{"\\ud83c":1}'),
        ("a surrogate in UTF-8", b'{"a":"\xed\xa0\xbc"}'),
        ("a character above U+FFFF as two surrogates in UTF-8", b'{"a":"\xed\xa0\xbc\xed\xbe\xb2"}'),
        ("an overlong sequence", b'{"a":"\xc0\xaf"}'),
        ("above U+10FFFF", b'{"a":"\xf4\x90\x80\x80"}'),
        ("a cut sequence", b'{"a":"\xf0\x9f\x8e"}'),
        ("Latin-1", b'{"a":"\xe9"}'),
        ("UTF-16", '{"a":1}'.encode("utf-16-le")),
        ("a byte order mark", b'\xef\xbb\xbf{"a":1}'),
        ("composed and decomposed names are two", '{"e\u0301":1,"\u00e9":2}'.encode()),
        ("a comma too many", b'{"a":1,}'),
        ("a comment", b'{"a":1}//'),
        ("single quotes", b"{'a':1}"),
        ("two values", b'{"a":1}{"a":1}'),
        ("no value", b""),
        ("an unknown escape", b'{"a":"\\x41"}'),
        ("True", b'{"a":True}'),
        ("65 levels", b"[" * 65 + b"]" * 65),
        ("60 levels, and more brackets in a string", b'{"a":' + b"[" * 59 + b'"[[{{"' + b"]" * 59 + b"}"),
        ("65 levels, where they do not count", b'{"a":' + b"[" * 64 + b"]" * 64 + b',"a":1}'),
        ("a number out of bounds, where it does not count", b'{"a":1E400,"a":1}'),
        ("a lone surrogate, where it does not count", b'{"a":"\\udfb2","a":1}'),
        ("a reverse solidus before what looks like a lone surrogate", b'{"a":"\\\\udfb2"}'),
    ]  # fmt: skip
    entries = []
    for about, line in cases:
        entry: dict[str, Any] = {"about": about, "hex": line.hex(), "result": "canonical"}
        try:
            value = ref.decode(line)
        except ref.Malformed:
            entry["result"] = "line.malformed"
        else:
            if not ref.is_canonical(line, value):
                entry["result"] = "line.not-canonical"
        entries.append(entry)
    return {"about": "Is a line, given in hex, canonical? See README.md.", "lines": entries}


def identity_vectors() -> dict[str, Any]:
    names = [
        "host",
        "alice",
        "bob",
        "carol",
        "dana",
        "walt",
        "zoe",
        "hostess",
        "gail",
        "0",
        "a.b_c-9",
        "a" * 32,
    ]
    valid = [
        {
            "name": name,
            "secret_key": ref.secret_of("key", name).hex(),
            "public_key": ref.public_key(name).hex(),
            "key_id": ref.key_id(name, ref.public_key(name)).hex(),
            "verifier_key": ref.verifier_key(name, ref.public_key(name)),
        }
        for name in names
    ]
    rfc = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    public = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(rfc)).public_key().public_bytes_raw()
    valid.append({"name": "rfc8032-test-1", "secret_key": rfc, "public_key": public.hex(),
                  "key_id": ref.key_id("rfc8032-test-1", public).hex(),
                  "verifier_key": ref.verifier_key("rfc8032-test-1", public)})  # fmt: skip
    key = ref.verifier_key("alice", ref.public_key("alice"))
    pub = ref.public_key("alice")
    name, identifier, encoded = key.split("+", 2)

    def with_type(number: int, raw: bytes = pub) -> str:
        blob = bytes([number]) + raw
        short = ref.sha256(b"alice\n" + blob)[:4].hex()
        return "alice+" + short + "+" + base64.b64encode(blob).decode()

    def named(other: str) -> str:
        short = ref.sha256(other.encode() + b"\n\x01" + pub)[:4].hex()
        return other + "+" + short + "+" + encoded

    ending = encoded[:-1]
    others = (ref.verifier_key("alice", ref.public_key(f"alice {n}")) for n in range(1000))
    both = next(other for other in others if "+" in other[15:] and "/" in other[15:])
    invalid = [
        ("an empty string", ""),
        ("a name alone", "alice"),
        ("no key", f"{name}+{identifier}"),
        ("no key after the plus", f"{name}+{identifier}+"),
        ("no name", f"+{identifier}+{encoded}"),
        ("the key id of another name", key.replace("alice", "bob")),
        ("the key id in upper case", f"{name}+{identifier.upper()}+{encoded}"),
        ("the key id cut", f"{name}+{identifier[:6]}+{encoded}"),
        ("a name in upper case", named("Alice")),
        ("a name with a letter of another script", named("\u0430lice")),
        ("a name that begins with a dot", named(".alice")),
        ("a name with a blank", named("al ice")),
        ("a name with a plus", named("al+ice")),
        ("a name of 33 characters", named("a" * 33)),
        ("the reserved name", named("file")),
        ("a line feed after", key + "\n"),
        ("a blank before", " " + key),
        ("another signature type, 0x02", with_type(2)),
        ("a cosignature's type, 0x04", with_type(4)),
        ("a key of 31 bytes", with_type(1, pub[:31])),
        ("a key of 33 bytes", with_type(1, pub + b"\x00")),
        ("padding too much", key + "="),
        ("the URL alphabet", both[:15] + both[15:].replace("/", "_").replace("+", "-")),
        ("a line feed in the base64", f"{name}+{identifier}+{encoded[:20]}\n{encoded[20:]}"),
        ("a character that is none of base64's", f"{name}+{identifier}+{ending}!"),
        ("a base64 cut by one character", f"{name}+{identifier}+{ending}"),
    ]
    for small in ref.SMALL_ORDER:
        for sign, bit in ((0, 0), (1, 0x80)):
            raw = bytearray.fromhex(small)
            raw[31] |= bit
            invalid.append((f"small order, sign bit {sign}", ref.verifier_key("alice", bytes(raw))))
    entries = []
    for about, text in invalid:
        reason = ref.parse_verifier_key(text)
        assert isinstance(reason, str), (about, text)
        entries.append({"about": about, "verifier_key": text, "reason": reason})
    for entry in valid:
        assert not isinstance(ref.parse_verifier_key(entry["verifier_key"]), str)
    return {
        "about": "Identities. Secret keys of vectors are known to everybody.",
        "valid": valid,
        "invalid": entries,
    }


def drawn_dict(drawn: list[ref.Drawn]) -> list[dict[str, Any]]:
    return [
        {
            "sides": die.sides,
            "bytes": die.width,
            "limit": die.limit,
            "tried": [taken.hex() for taken in die.tried],
            "rejected": len(die.tried) - 1,
            "natural": die.natural,
        }
        for die in drawn
    ]


def stream_vector(about: str, seed: bytes, first: list[int], further: ref.Further = ref.no_more) -> dict[str, Any]:
    drawn = ref.draw(seed, first, further)
    sides = [die.sides for die in drawn]
    used = sum(die.width * len(die.tried) for die in drawn)
    blocks = [ref.block(seed, c).hex() for c in range(max(1, -(-used // 32)))]
    return {
        "about": about,
        "seed": seed.hex(),
        "sides": sides,
        "blocks": blocks,
        "bytes_used": used,
        "dice": drawn_dict(drawn),
        "naturals": [die.natural for die in drawn],
    }


def roll_vector(about: str, label: str, dice: str, contributors: Any, length: int, rolls: int) -> dict[str, Any]:
    """Every number of the last of some rolls of a game."""
    w = table(label, contributors=contributors, length=length)
    for _ in range(rolls - 1):
        whole_roll(w)
    roll(w, "alice", {"source": "A vector", "dice": dice, "use": "Nothing."})
    openings = w.openings()
    request = leaf(w.lines[-1])
    opened = [(o["author"], bytes.fromhex(o["link"])) for o in openings]
    seed = ref.make_seed(w.game, rolls - 1, opened)
    chains = {}
    for name in w.contributors():
        links = w.chains[name]
        chains[name] = {
            "length": length,
            "tip": links[0].hex(),
            "links": [link.hex() for link in links],
            "steps": [
                {
                    "key": links[i].hex(),
                    "message": (ref.LINK_LABEL + w.game + ref.lp(name) + ref.u64(i)).hex(),
                    "result": links[i - 1].hex(),
                }
                for i in range(length, 0, -1)
            ],
        }
    messages = [
        {
            **o,
            "message": ref.opening_message(w.game, request, o["author"], o["index"], bytes.fromhex(o["link"])).hex(),
        }
        for o in openings
    ]
    return {
        "about": about,
        "game": w.game.hex(),
        "keeper": "host",
        "contributors": w.contributors(),
        "roll_index": rolls - 1,
        "request_line": w.lines[-1].decode("utf-8"),
        "request": request.hex(),
        "chains": chains,
        "openings": messages,
        "seed_key": w.game.hex(),
        "seed_message": ref.seed_message(rolls - 1, opened).hex(),
        **stream_vector(about, seed, w.sides),
    }


def find_seed(wanted: Callable[[list[ref.Drawn]], bool], sides: list[int], further: ref.Further = ref.no_more) -> bytes:
    for n in range(2_000_000):
        seed = ref.secret_of("seed", n)
        if wanted(ref.draw(seed, sides, further)):
            return seed
    raise AssertionError(sides)


def exploding(first: list[int]) -> ref.Further:
    """Each die that shows its highest number asks for one more of its kind, when all asked for at once are drawn."""

    def further(naturals: list[int]) -> list[int]:
        coming, at = first, 0
        while True:
            shown = naturals[at : at + len(coming)]
            at += len(coming)
            coming = [n for n, natural in zip(coming, shown, strict=True) if natural == n]
            if not coming or at == len(naturals):
                return coming

    return further


def telling(first: list[int]) -> ref.Further:
    """The first die says how many d6 follow."""
    return lambda naturals: [6] * naturals[0] if len(naturals) == len(first) else []


def dependent_vectors() -> list[dict[str, Any]]:
    """Draws in which the dice that come next depend on those before."""
    kinds = {"explode": exploding, "tell": telling}

    def vector(about: str, rule: str, first: list[int], wanted: Callable[[list[int]], bool]) -> dict[str, Any]:
        further = kinds[rule](first)
        seed = find_seed(lambda drawn: wanted([die.natural for die in drawn]), first, further)
        drawn = ref.draw(seed, first, further)
        return {
            "first": first,
            "rule": rule,
            **stream_vector(about, seed, first, further),
            "cut": len(drawn) == ref.MAX_DICE,
        }

    return [
        vector("A d6 that does not explode.", "explode", [6], lambda shown: len(shown) == 1),
        vector("A d6 that explodes once.", "explode", [6], lambda shown: len(shown) == 2),
        vector("A d6 that explodes three times.", "explode", [6], lambda shown: len(shown) == 4),
        vector(
            "Three d6, two of which explode, and one of theirs: the three are drawn before what comes next.",
            "explode",
            [6, 6, 6],
            lambda shown: len(shown) == 6 and shown[:3].count(6) == 2,
        ),
        vector(
            "A d4 and a d20 that both explode: the d4's comes first.",
            "explode",
            [4, 20],
            lambda shown: shown[:2] == [4, 20],
        ),
        vector("A d20 whose further die rejects a byte.", "explode", [20], lambda shown: len(shown) == 3),
        vector("A d1 explodes for ever: at MAX_DICE dice there are no more.", "explode", [1], lambda shown: True),
        vector(
            "700 d2, of which more explode than there is room for: those beyond MAX_DICE are left out.",
            "explode",
            [2] * 700,
            lambda shown: shown[:700].count(2) > 300,
        ),
        vector(
            "999 d1 and a d2 that explodes: 1,000 dice, and no more.",
            "explode",
            [1] * 999 + [2],
            lambda shown: shown[-1] == 2,
        ),
        vector("A d4 that says how many d6 follow.", "tell", [4], lambda shown: len(shown) == 4),
    ]


def dice_vectors() -> dict[str, Any]:
    def rejects(drawn: list[ref.Drawn]) -> bool:
        return len(drawn[0].tried) > 1

    by_hand = roll_vector(
        "One roll by hand (dice.md): roll 0, contributors keeper, alice and bob.",
        "by hand",
        "1d20",
        "all",
        3,
        1,
    )
    links = {o["author"]: o["link"] for o in by_hand["openings"]}
    by_hand["shell"] = {
        "game": by_hand["game"],
        "bobs_link": links["bob"],
        "bobs_tip": by_hand["chains"]["bob"]["tip"],
        "alices_link": links["alice"],
        "hosts_link": links["host"],
        "seed": by_hand["seed"],
        "first_32_bytes": by_hand["blocks"][0],
    }
    plain = ref.secret_of("seed")
    all_kinds = [1, 2, 6, 20, 100, 256, 257, 1000, 65_536, 65_537, 2**53 - 1]
    streams = [stream_vector(f"One d{n}.", plain, [n]) for n in all_kinds]
    streams += [
        stream_vector("All of them from one stream.", plain, all_kinds),
        stream_vector("Dice of one side take no bytes.", plain, [1, 20, 1, 20, 1]),
        stream_vector("No die.", plain, []),
        stream_vector("A die whose seven bytes lie in two blocks.", plain, [256] * 30 + [2**53 - 1]),
        stream_vector("One hundred d6: four blocks or more.", plain, [6] * 100),
    ]
    for n in (3, 6, 20, 100, 1000):
        streams.append(stream_vector(f"A d{n} whose first value is rejected.", find_seed(rejects, [n]), [n]))
    streams.append(
        stream_vector(
            "A d20 that rejects two values in a row, then a d6.",
            find_seed(lambda drawn: len(drawn[0].tried) > 2, [20]),
            [20, 6],
        )
    )
    streams.append(
        stream_vector(
            "A d257 whose first value is rejected: 65535 alone is, as 65535 = 255 * 257.",
            find_seed(rejects, [257]),
            [257],
        )
    )
    return {
        "about": "Chains, openings, seeds and dice with every number in between. See README.md.",
        "one_roll_by_hand": by_hand,
        "rolls": [
            roll_vector("The second roll of a game: index 1, links 2.", "second roll", "2d6+1d8", "all", 4, 2),
            roll_vector("Keeper and roller only.", "roller roll", "1d100", "roller", 2, 1),
            roll_vector("A list: host and bob, alice rolls.", "list roll", "1d1000+1d257", ["host", "bob"], 2, 1),
        ],
        "streams": streams,
        "dependent": dependent_vectors(),
    }


# --- files --------------------------------------------------------------------------------------------


def log_files() -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """All logs, and the index of what must come out of each."""
    files: dict[str, bytes] = {}
    index = []
    for case in CASES:
        made = case.make()
        made = made if isinstance(made, tuple) else (made, None)
        data = made[0] if isinstance(made[0], bytes) else made[0].data
        expect = made[2] if len(made) > 2 else None
        given = expect or {"game": None, "keys": []}
        beside = made[3] if len(made) > 3 else []
        report = ref.verify(data, given["game"], given["keys"], [(size, top) for size, top, _ in beside])
        code = case.name.partition("--")[0]
        errors = [finding for finding in report.findings if finding.severity == "error"]
        got = errors[0] if errors else None
        assert (got.code if got else "holds") == code, (case.name, got)
        if got:
            assert (got.seq, got.fault, got.clause) == (made[1], case.fault, case.clause), (
                case.name,
                got,
                made[1],
            )
        name = case.name + ".jsonl"
        assert name not in files, name
        files["logs/" + name] = data
        entry: dict[str, Any] = {
            "file": name,
            "about": case.about,
            "verdict": report.verdict,
            "events": report.events,
            "valid_prefix": report.valid_prefix,
            "findings": [asdict(finding) for finding in report.findings],
        }
        if expect:
            entry["expect"] = expect
        if beside:
            entry["receipts"] = [note for _, _, note in beside]
        if report.voided:
            entry["voided"] = report.voided
        if report.verdict == "holds":
            entry["head"] = report.head
        entry["trust"] = report.trust
        index.append(entry)
    return files, sorted(index, key=lambda entry: str(entry["file"]))


def pretty(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=True, sort_keys=False) + "\n").encode("ascii")


def all_files() -> dict[str, bytes]:
    """Every vector file by its path under specs/vectors/."""
    files, index = log_files()
    files["logs/index.json"] = pretty(index)
    files["canonical.json"] = pretty(canonical_vectors())
    files["identities.json"] = pretty(identity_vectors())
    files["dice.json"] = pretty(dice_vectors())
    return files


def differing(files: dict[str, bytes]) -> list[str]:
    """The names of the files that are not there as given, and of those in logs/ that are one too many."""
    # Only logs/ is this program's alone; other folders have other owners.
    kept = {path.relative_to(HERE).as_posix() for path in (HERE / "logs").glob("*.json*")}
    wrong = [name for name, data in files.items() if not (HERE / name).exists() or (HERE / name).read_bytes() != data]
    return sorted(kept - set(files)) + wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the test vectors.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs")
    arguments = parser.parse_args()
    files = all_files()
    names = differing(files)
    for name in names:
        print(name)
        path = HERE / name
        if arguments.check:
            continue
        if name in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[name])
        else:
            path.unlink()
    return 1 if arguments.check and names else 0


if __name__ == "__main__":
    sys.exit(main())
