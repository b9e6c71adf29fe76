"""The logs of somebody who does not come back (specs/protocol.md, "Rolls without somebody"): each name says what must
come out.
"""

from __future__ import annotations

from typing import Any

from tests.make.cases import Cases
from tests.oracles import reference as ref
from tests.oracles.reference import Writer

ROLES = {"host": "keeper", "alice": "player", "bob": "player"}
JUDGED = {**ROLES, "dana": "judge"}
THREE = {**ROLES, "carol": "player"}

CASES = Cases()
log = CASES.log


def table(
    label: str,
    roles: dict[str, str] | None = None,
    contributors: Any = "all",
    away: str | None = "others",
    **opened: Any,
) -> Writer:
    """A game of any dice in which everybody has joined and committed, and the others may sign a party away."""
    w = Writer(f"absence {label}", dict(roles or ROLES), contributors)
    w.open(system="dice-1", options={}, **({"away": away} if away else {}), **opened)
    w.seat_all(200, system=ref.AnyDice)
    return w


def roll(w: Writer, who: str = "alice") -> int:
    """A roll from request to reveal; gives the request's number."""
    number = w.request(who, "roll", {"dice": "d20"}, [20])
    w.reveal()
    return number


def without_bob(w: Writer, *callers: str) -> None:
    """The others sign bob away."""
    names = callers or ("alice", "host")
    for name in names[:-1]:
        w.away(name, "bob", effect=False)
    w.away(names[-1], "bob")


# --- rolls without somebody -------------------------------------------------------------------------------------------


@log("holds--without-bob", "The others sign bob away, and roll twice; he comes back and accepts nothing.")
def _() -> Any:
    w = table("not accepted")
    roll(w)
    without_bob(w)
    roll(w)
    roll(w)
    w.back("bob", "bob")
    roll(w, "bob")
    w.close()
    return w


@log("holds--without-bob-who-accepts", "bob comes back and accepts two rolls; a third one is made without him later.")
def _() -> Any:
    w = table("accepted")
    without_bob(w)
    roll(w)
    roll(w)
    w.back("bob", "bob", accept="rolls")
    without_bob(w)
    roll(w)
    w.close()
    return w


@log("holds--without-bob-who-accepts-later", "bob accepts only when he comes back for the second time: all until then.")
def _() -> Any:
    w = table("accepted later")
    without_bob(w)
    roll(w)
    w.back("bob", "bob")
    w.away("bob", "bob")
    roll(w)
    w.back("bob", "bob", accept="rolls")
    w.close()
    return w


@log("holds--without-bob-by-his-own-word", "bob signs himself away: the roll meanwhile is as any other.")
def _() -> Any:
    w = table("own word")
    w.away("bob", "bob")
    roll(w)
    w.back("bob", "bob", accept="rolls")
    w.close()
    return w


@log("holds--without-bob-by-a-judge", "The judge signs bob away, and says that he is back.")
def _() -> Any:
    w = table("by a judge", JUDGED, away=None)
    w.away("dana", "bob")
    roll(w)
    w.back("dana", "bob")
    w.close()
    return w


@log(
    "holds--without-bob-in-rolls-of-his-own-alone",
    "With `roller` bob has a part in his own rolls: none was without him.",
)
def _() -> Any:
    w = table("roller", THREE, "roller")
    without_bob(w, "alice", "carol", "host")
    roll(w)
    roll(w, "carol")
    w.back("bob", "bob")
    roll(w, "bob")
    w.close()
    return w


@log(
    "holds--without-bob-and-walt", "With `roller` the witness has a part in every roll: alice's is without walt alone."
)
def _() -> Any:
    w = table("witness", {**ROLES, "walt": "witness", "dana": "judge"}, "roller")
    w.away("dana", "walt")
    w.away("dana", "bob")
    roll(w)
    w.close()
    return w


@log(
    "holds--without-bob-and-not-carol",
    "carol went by her own word, bob was signed away: the roll is without bob alone.",
)
def _() -> Any:
    w = table("not carol", {**THREE, "dana": "judge"})
    w.away("carol", "carol")
    w.away("dana", "bob")
    roll(w)
    w.close()
    return w


@log("holds--without-two", "bob and carol are signed away; bob accepts, carol does not, and leaves.")
def _() -> Any:
    w = table("two", {**THREE, "dana": "judge"})
    w.away("dana", "carol")
    w.away("dana", "bob")
    roll(w)
    w.back("bob", "bob", accept="rolls")
    roll(w)
    w.leave("dana", "carol")
    roll(w)
    w.close()
    return w


@log(
    "holds--without-bob-a-void-and-a-close",
    "A roll without bob is called off, another waits at the close: none was made.",
)
def _() -> Any:
    w = table("no dice")
    without_bob(w)
    w.request("alice", "roll", {"dice": "d20"}, [20])
    w.call_off("alice")
    w.request("alice", "roll", {"dice": "d20"}, [20])
    w.close(openings=w.openings(["alice"]))
    return w


@log("state.presence--accepted-by-a-judge", "The judge says that bob is back, and accepts the rolls for him.", "dana")
def _() -> Any:
    w = table("accepted by a judge", JUDGED)
    w.away("dana", "bob")
    roll(w)
    return w, w.back("dana", "bob", accept="rolls")


@log("body.malformed--back-accepts-something-else", "bob accepts, but not in the word that there is.", "bob")
def _() -> Any:
    w = table("accepts something")
    w.away("bob", "bob")
    return w, w.back("bob", "bob", accept="all")


# --- openings that the keeper's judge called missing ------------------------------------------------------------------

SERVED = {"host": "keeper", "timer": "judge", "alice": "player", "bob": "player"}


def served(label: str, roles: dict[str, str] | None = None, contributors: Any = "all") -> Writer:
    """A table with the server's judge, called timer."""
    return table(label, roles or SERVED, contributors, judge="timer")


def asked(w: Writer, who: str = "alice") -> int:
    return w.request(who, "roll", {"dice": "d20"}, [20])


def objection(w: Writer, name: str, number: int, **replaced: Any) -> dict[str, Any]:
    """The body of an object: the party's opening for the latest request, when it is over."""
    return {"opening": w.opening(name, index=replaced.pop("index", w.used[name]), **replaced), "request": number}


@log(
    "holds--void-objected-by-the-closer",
    "timer says that alice did not open; alice shows that she had, and asks again.",
)
def _() -> Any:
    w = served("closer objects")
    number = asked(w)
    w.void("timer", ["alice"])
    w.disclose(["alice"])
    w.write("alice", "object", objection(w, "alice", number))
    roll(w)
    w.close()
    return w


@log("holds--void-objected-by-another", "timer says that bob did not open; others roll before bob shows that he had.")
def _() -> Any:
    w = served("another objects", {**SERVED, "carol": "player"})
    number = asked(w)
    w.void("timer", ["bob"])
    w.disclose(["bob", "alice"])
    late = objection(w, "bob", number)
    roll(w, "carol")
    roll(w, "carol")
    w.write("bob", "object", late)
    w.close()
    return w


@log("holds--void-objected-when-back", "bob was signed away for it: he is back, and shows the opening then.")
def _() -> Any:
    w = served("back and object")
    number = asked(w)
    w.void("timer", ["bob"])
    w.disclose(["bob", "alice"])
    late = objection(w, "bob", number)
    without_bob(w)
    w.back("bob", "bob")
    w.write("bob", "object", late)
    w.close()
    return w


@log("holds--void-objected-twice", "timer names alice in two rolls, and alice shows both openings.")
def _() -> Any:
    w = served("twice", {**SERVED, "walt": "witness"})
    for _ in range(2):
        number = asked(w)
        w.void("timer", ["alice"])
        w.disclose(["alice"])
        w.write("alice", "object", objection(w, "alice", number))
    roll(w)
    w.close()
    return w


def called_missing(label: str, name: str = "alice", roles: dict[str, str] | None = None) -> tuple[Writer, int]:
    """A roll that timer voided with a party in `missing`."""
    w = served(label, roles)
    number = asked(w)
    w.void("timer", [name])
    w.disclose([*{"alice", name}])
    return w, number


@log("state.object--not-named", "timer names bob alone, and alice, who closes, shows her opening.", "alice")
def _() -> Any:
    w, number = called_missing("not named", "bob")
    return w, w.write("alice", "object", objection(w, "alice", number))


@log("state.object--twice", "alice shows her opening a second time.", "alice")
def _() -> Any:
    w, number = called_missing("object twice")
    w.write("alice", "object", objection(w, "alice", number))
    return w, w.write("alice", "object", objection(w, "alice", number))


@log("state.object--after-another-event", "alice writes a commit first: then it is not her next event.", "alice")
def _() -> Any:
    w, number = called_missing("object late")
    body = objection(w, "alice", number)
    w.commit("alice", length=20)
    return w, w.write("alice", "object", body)


@log("state.object--of-another-roll", "alice names an event that is not the roll of which timer named her.", "alice")
def _() -> Any:
    w, number = called_missing("object another")
    return w, w.write("alice", "object", objection(w, "alice", number) | {"request": number - 1})


@log(
    "state.object--of-a-void-by-a-closer", "alice, who closes, names bob: that is no void of the keeper's judge.", "bob"
)
def _() -> Any:
    w = served("void by closer")
    number = asked(w)
    w.void("alice", ["bob"])
    w.disclose(["alice", "bob"])
    return w, w.write("bob", "object", objection(w, "bob", number))


@log(
    "state.object--of-a-void-by-another-judge",
    "dana is a judge, and not the keeper's: bob has nothing to object to.",
    "bob",
)
def _() -> Any:
    w = served("void by judge", {**SERVED, "dana": "judge"})
    number = asked(w)
    w.void("dana", ["bob"])
    w.disclose(["bob"])
    return w, w.write("bob", "object", objection(w, "bob", number))


@log("state.voided--object-before-the-disclose", "alice shows her opening before the keeper has disclosed.", "alice")
def _() -> Any:
    w = served("object early")
    number = asked(w)
    w.void("timer", ["alice"])
    return w, w.write("alice", "object", objection(w, "alice", number))


@log("state.away--object", "bob was signed away, and shows his opening before he says that he is back.", "bob")
def _() -> Any:
    w, number = called_missing("object away", "bob")
    body = objection(w, "bob", number)
    without_bob(w)
    return w, w.write("bob", "object", body)


@log("author.role--object-by-the-keeper", "The keeper objects.", "host")
def _() -> Any:
    w, number = called_missing("object by keeper")
    return w, w.write("host", "object", objection(w, "host", number))


@log("opening.set--object-with-anothers-opening", "alice shows bob's opening.", "alice")
def _() -> Any:
    w, number = called_missing("another's opening")
    return w, w.write("alice", "object", objection(w, "bob", number))


@log("opening.signature--object", "alice's opening was made for another request.", "alice")
def _() -> Any:
    w, number = called_missing("object signature")
    return w, w.write("alice", "object", objection(w, "alice", number, request=bytes(32)))


@log("opening.index--object", "alice shows the opening of a later link.", "alice")
def _() -> Any:
    w, number = called_missing("object index")
    return w, w.write("alice", "object", objection(w, "alice", number, index=w.used["alice"] + 1))


@log("opening.link--object", "alice shows a link that is not on her chain.", "alice")
def _() -> Any:
    w, number = called_missing("object link")
    return w, w.write("alice", "object", objection(w, "alice", number, link=bytes(32)))


@log("opening.link--object-below-a-known-one", "bob has opened for later rolls, and shows another link below.", "bob")
def _() -> Any:
    w, number = called_missing("object link below", "bob", {**SERVED, "carol": "player"})
    body = objection(w, "bob", number, link=bytes(32))
    roll(w, "carol")
    return w, w.write("bob", "object", body)


@log("body.malformed--object-without-an-opening", "alice objects, and shows nothing.", "alice")
def _() -> Any:
    w, number = called_missing("object nothing")
    return w, w.write("alice", "object", {"request": number})
