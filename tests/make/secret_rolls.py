"""The logs of secret rolls (specs/protocol.md, "Secret rolls"): each name says what must come out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.make.cases import Cases, Make
from tests.oracles import reference as ref
from tests.oracles.reference import Writer

ROLES = {"host": "keeper", "alice": "player", "gil": "gm"}
JUDGED = {**ROLES, "dana": "judge"}
TWO = {**ROLES, "gina": "gm"}

CASES = Cases()
log = CASES.log


def table(
    label: str,
    roles: dict[str, str] | None = None,
    contributors: Any = "all",
    sealed: str | None = "kept",
    seals: bool = True,
    **opened: Any,
) -> Writer:
    """A game of any dice in which everybody has joined and committed, and the game masters have sealed."""
    w = Writer(f"secret {label}", dict(roles or ROLES), contributors)
    w.open(system="dice-1", options={}, **({"sealed": sealed} if sealed else {}), **opened)
    w.seat_all(200, system=ref.AnyDice)
    if seals and sealed:
        for name, role in w.roles.items():
            if role == "gm":
                w.seal(name, 6)
    return w


def own(w: Writer, dice: str = "d20", sides: list[int] | None = None, **members: Any) -> int:
    """Gil's own secret roll."""
    return w.roll_secret("gil", "gil", dice, sides or [20], **members)


# --- logs that hold ---------------------------------------------------------------------------------------------------


@log("holds--secret-roll-shown", "gil rolls in secret, and shows what it came to.")
def _() -> Any:
    w = table("shown")
    w.show(own(w, "2d6 + 3", [6, 6], source="reaction"))
    w.close()
    return w


@log("holds--secret-roll-not-shown", "gil rolls twice in secret, shows one of them, and the game is closed.")
def _() -> Any:
    w = table("not shown")
    own(w)
    w.show(own(w))
    w.close()
    return w


@log(
    "holds--secret-roll-shown-later", "Between a secret roll and its show others roll; two are shown in another order."
)
def _() -> Any:
    w = table("later")
    first, second = own(w), own(w, "d100", [100])
    w.request("alice", "roll", {"dice": "d20"}, [20])
    w.reveal()
    w.show(second)
    w.show(first)
    return w


@log("holds--blind-roll", "alice asks, gil holds: alice sees nothing until gil shows it.")
def _() -> Any:
    w = table("blind")
    w.show(w.roll_secret("alice", "gil", "d20 + 5", [20], source="Stealth"))
    w.close()
    return w


@log("holds--blind-roll-of-roller-and-keeper", "The holder need not contribute: keeper and alice do, gil holds.")
def _() -> Any:
    w = table("blind roller", contributors="roller")
    w.show(w.roll_secret("alice", "gil", "d20", [20]))
    return w


@log("holds--secret-roll-of-a-player", "Event 0 lets players hold secret rolls too.")
def _() -> Any:
    w = table("of a player", {"host": "keeper", "alice": "player", "bob": "player"}, sealed="everyone", seals=False)
    w.seal("alice", 2)
    w.show(w.roll_secret("alice", "alice", "d20", [20]))
    return w


@log("holds--hidden-purpose", "What gil's roll is for is hidden too, and comes out with the dice.")
def _() -> Any:
    w = table("hidden")
    text = "the ogre’s Perception"
    w.show(own(w, hidden=w.hide("gil", text)), text)
    return w


@log("holds--sealed-again", "Both tags for rolls are used; the next seal has the secret of the third, the last one.")
def _() -> Any:
    w = table("again", seals=False)
    w.seal("gil", 3)
    own(w)
    own(w)
    w.seal("gil", 2)
    w.show(own(w))
    return w


@log("holds--sealed-with-tags-left", "gil seals before all tags are used: rolls take the lowest number first.")
def _() -> Any:
    w = table("tags left", seals=False)
    w.seal("gil", 3)
    w.seal("gil", 3)
    numbers = [own(w) for _ in range(4)]
    for number in numbers:
        w.show(number)
    return w


@log("holds--128-unused-tags", "As many unused tags as a holder may have.")
def _() -> Any:
    w = table("many tags", seals=False)
    w.seal("gil", 64)
    w.seal("gil", 64)
    w.seal("gil", 3)
    own(w)
    return w


@log("holds--holder-voids-with-the-secret", "gil calls off its own roll: its secret stands in the void. Then it rolls.")
def _() -> Any:
    w = table("own void")
    number = w.ask_secret("gil", "gil", "d20", [20])
    w.void("gil", ["alice"], secret=w.secret("gil", w.kept[number].number).hex())
    w.disclose(["gil", "alice"])
    w.show(own(w))
    w.close()
    return w


@log("holds--void-by-another-and-secret-shown", "alice calls her blind roll off; gil shows that secret; alice rolls.")
def _() -> Any:
    w = table("blind void")
    number = w.ask_secret("alice", "gil", "d20", [20])
    w.call_off("alice")
    w.show(number)
    w.show(w.roll_secret("alice", "gil", "d20", [20]))
    w.close()
    return w


@log("holds--void-by-another-and-secret-owed", "A judge calls gil's roll off, and gil never shows that secret.")
def _() -> Any:
    w = table("owed secret", JUDGED)
    w.ask_secret("gil", "gil", "d20", [20])
    w.call_off("dana", ["gil"])
    w.request("gil", "roll", {"dice": "d6"}, [6])
    w.reveal()
    w.close()
    return w


@log("holds--what-a-voided-secret-roll-would-have-shown", "All links and the secret of a void are known in the end.")
def _() -> Any:
    w = table("would have")
    number = w.ask_secret("alice", "gil", "3d6", [6, 6, 6])
    w.call_off("alice")
    w.away("alice", "alice", burned=w.burned("alice"))
    w.show(number)
    return w


@log("holds--closed-while-a-secret-roll-waits", "The keeper closes the game over a secret roll.")
def _() -> Any:
    w = table("closed over")
    w.ask_secret("gil", "gil", "d20", [20])
    w.close(openings=w.openings())
    return w


@log(
    "holds--owed-blind-roll-whose-holder-left", "What alice owes waits for gil, who left: she asks for something else."
)
def _() -> Any:
    w = table("holder left")
    w.ask_secret("alice", "gil", "d20", [20])
    w.call_off("alice")
    w.leave("gil", "gil")
    w.request("alice", "roll", {"dice": "d6"}, [6])
    w.reveal()
    return w


@log("holds--shown-when-back", "gil is away, comes back, and shows.")
def _() -> Any:
    w = table("back")
    number = own(w)
    w.away("gil", "gil")
    w.back("gil", "gil")
    w.show(number)
    return w


@log("holds--secret-roll-struck-and-shown", "A judge rules a secret roll void; it is shown all the same.")
def _() -> Any:
    w = table("struck", JUDGED)
    number = own(w)
    w.write("dana", "ruling", {"ruling": "void", "subject": number, "text": "not now"})
    w.show(number)
    return w


@log("holds--128-unshown-rolls", "gil holds as many rolls that are not shown as it may.")
def _() -> Any:
    return full("full")


def full(label: str) -> Writer:
    w = table(label, contributors=["host", "gil"], seals=False)
    w.seal("gil", 64)
    for done in range(128):
        if done in (60, 110):
            w.seal("gil", 64)
        own(w)
    return w


@log("holds--late-gm-holds", "A game master who came later seals and holds; before, nobody could.")
def _() -> Any:
    w = table("late gm", {"host": "keeper", "alice": "player"}, admits=["gm"])
    w.admit("gil", "gm")
    w.join("gil")
    w.seal("gil", 2)
    w.show(w.roll_secret("alice", "gil", "d20", [20]))
    return w


# --- event 0 and bodies -----------------------------------------------------------------------------------------------


@log("open.terms--secret-rolls-in-magic", "Magic takes no secret rolls: the game goes on by results.", "host", "706.2")
def _() -> Any:
    w = Writer("secret magic", {"host": "keeper", "alice": "player"})
    return w, w.open(sealed="everyone")


@log("open.terms--kept-without-a-gm", "Game masters hold, and there is none, now or later.", "host")
def _() -> Any:
    w = Writer("secret no gm", {"host": "keeper", "alice": "player"})
    return w, w.open(system="dice-1", options={}, sealed="kept", admits=["judge"])


@log("body.malformed--sealed-never", "A game without secret rolls says nothing of them.", "host")
def _() -> Any:
    w = Writer("secret never", dict(ROLES))
    return w, w.open(system="dice-1", options={}, sealed="never")


@log("body.malformed--secret-roll-in-magic", "No body in Magic has a holder.", "file", "706.2")
def _() -> Any:
    w = Writer("secret magic roll", {"host": "keeper", "alice": "player"})
    w.open()
    w.join("alice")
    w.commit("host", "alice")
    body = {"source": "a spell", "dice": "1d20", "use": "secret", "sealed": "alice", "sides": [20]}
    number = w.request("alice", "roll", body, [20])
    w.join("alice")
    return w, number


BODIES: dict[str, dict[str, Any]] = {
    "no-sides": {"dice": "d20", "sealed": "gil"},
    "no-dice": {"sides": [20], "sealed": "gil"},
    "sides-without-a-holder": {"dice": "d20", "sides": [20]},
    "no-die": {"dice": "d20", "sides": [], "sealed": "gil"},
    "holder-no-name": {"dice": "d20", "sides": [20], "sealed": "Gil"},
    "with-a-target": {"dice": "d20", "sides": [20], "sealed": "gil", "least": 10},
    "with-a-table": {"dice": "d20", "sides": [20], "sealed": "gil", "table": [{"range": "20", "effect": "hit"}]},
    "answers-a-call": {"call": 9, "dice": "d20", "sides": [20], "sealed": "gil"},
    "draws-from-a-deck": {"deck": "bag", "sides": [20], "sealed": "gil"},
    "hidden-and-said": {"dice": "d20", "sides": [20], "sealed": "gil", "hidden": "ab" * 32, "source": "both"},
    "hidden-no-hash": {"dice": "d20", "sides": [20], "sealed": "gil", "hidden": "ab"},
}


def malformed(name: str, body: dict[str, Any]) -> None:
    protocol = name in ("no-sides", "no-die", "holder-no-name", "hidden-no-hash")

    @log(f"body.malformed--secret-roll-{name}", "No secret roll.", "gil" if protocol else "host")
    def _() -> Any:
        w = table(name)
        number = w.request("gil", "roll", body, [])
        w.commit("host", length=5)
        return w, number


for _name, _body in BODIES.items():
    malformed(_name, _body)


@log("body.malformed--seal-of-one-tag", "The last tag is used for no roll, so one is not enough.", "gil")
def _() -> Any:
    w = table("one tag", seals=False)
    return w, w.seal("gil", 1)


@log("body.malformed--seal-of-65-tags", "A seal has 64 tags at most.", "gil")
def _() -> Any:
    w = table("65 tags", seals=False)
    return w, w.seal("gil", 65)


@log("body.malformed--show-without-a-secret", "A show has a secret.", "gil")
def _() -> Any:
    w = table("no secret")
    body = w.show_body(own(w))
    del body["secret"]
    return w, w.write("gil", "show", body)


# --- who may ----------------------------------------------------------------------------------------------------------


@log("author.role--seal-in-a-game-without-secret-rolls", "Event 0 says nothing of secret rolls.", "gil")
def _() -> Any:
    w = table("none kept", sealed=None)
    return w, w.seal("gil")


@log("author.role--player-seals", "Game masters alone hold here.", "alice")
def _() -> Any:
    w = table("player seals")
    return w, w.seal("alice")


@log("author.role--judge-seals", "A judge holds no rolls, whoever else does.", "dana")
def _() -> Any:
    w = table("judge seals", JUDGED, sealed="everyone")
    return w, w.seal("dana")


@log("author.role--keeper-shows", "What gil holds nobody else shows.", "host")
def _() -> Any:
    w = table("keeper shows")
    return w, w.write("host", "show", w.show_body(own(w)))


@log("state.not-joined--seals-first", "A party's first event is its join.", "gina")
def _() -> Any:
    w = table("first", admits=["gm"])
    w.admit("gina", "gm")
    return w, w.seal("gina")


@log("state.away--holder-shows", "Who is away says first that it is back.", "gil")
def _() -> Any:
    w = table("away shows")
    number = own(w)
    w.away("gil", "gil")
    return w, w.show(number)


@log("state.pending--show-while-a-roll-waits", "A show waits for the dice like everything else.", "gil")
def _() -> Any:
    w = table("show pending")
    number = own(w)
    w.request("alice", "roll", {"dice": "d20"}, [20])
    return w, w.show(number)


@log("state.closed--show-after-the-close", "After the close a show is a file beside the log.", "gil")
def _() -> Any:
    w = table("show closed")
    number = own(w)
    w.close()
    return w, w.show(number)


# --- a sealed request -------------------------------------------------------------------------------------------------


def refused(name: str, about: str, fault: str = "alice") -> Callable[[Make], Make]:
    return log(f"state.sealed--{name}", about, fault)


@refused("no-secret-rolls-here", "Event 0 says nothing of secret rolls.")
def _() -> Any:
    w = table("none here", sealed=None)
    return w, w.ask_secret("alice", "gil", "d20", [20])


@refused("player-holds", "Game masters alone hold here.")
def _() -> Any:
    w = table("player holds")
    return w, w.ask_secret("alice", "alice", "d20", [20])


@refused("another-player-holds", "A holder is the author or a game master, also where players may hold.")
def _() -> Any:
    w = table("another player", {**ROLES, "bob": "player"}, sealed="everyone")
    w.seal("bob")
    return w, w.ask_secret("alice", "bob", "d20", [20])


@refused("nobody-holds", "The holder is no party.")
def _() -> Any:
    w = table("nobody")
    return w, w.ask_secret("alice", "gina", "d20", [20])


@refused("holder-left", "The holder has left.")
def _() -> Any:
    w = table("left")
    w.leave("gil", "gil")
    return w, w.ask_secret("alice", "gil", "d20", [20])


@refused("holder-away", "The holder is away.")
def _() -> Any:
    w = table("holder away")
    w.away("gil", "gil")
    return w, w.ask_secret("alice", "gil", "d20", [20])


@refused("holder-has-not-joined", "The holder was admitted and has not joined.")
def _() -> Any:
    w = table("holder not joined", admits=["gm"])
    w.admit("gina", "gm")
    return w, w.ask_secret("alice", "gina", "d20", [20])


@refused("holder-has-not-sealed", "The holder has no tag.")
def _() -> Any:
    w = table("not sealed", seals=False)
    return w, w.ask_secret("alice", "gil", "d20", [20])


@refused("last-tag", "The last tag of a seal is used for no roll.")
def _() -> Any:
    w = table("last tag", seals=False)
    w.seal("gil", 3)
    own(w)
    own(w)
    return w, w.ask_secret("alice", "gil", "d20", [20])


@refused("holder-owes-a-secret", "A judge called a roll off; its secret comes before the next one.", "gil")
def _() -> Any:
    w = table("owes", JUDGED)
    w.ask_secret("gil", "gil", "d20", [20])
    w.call_off("dana", ["gil"])
    return w, w.ask_secret("gil", "gil", "d20", [20])


@refused("holder-owes-a-secret-to-another", "alice called her roll off; bob's waits for that secret too.", "bob")
def _() -> Any:
    w = table("owes two", {**ROLES, "bob": "player"})
    w.ask_secret("alice", "gil", "d20", [20])
    w.call_off("alice")
    return w, w.ask_secret("bob", "gil", "d20", [20])


@refused("129-unshown", "gil holds 128 rolls that are not shown.", "gil")
def _() -> Any:
    w = full("one too many")
    return w, w.ask_secret("gil", "gil", "d20", [20])


@refused("purpose-hidden-by-another", "alice cannot hide what gil's roll is for: she says it, or nothing.")
def _() -> Any:
    w = table("hides")
    return w, w.ask_secret("alice", "gil", "d20", [20], hidden=w.hide("alice", "what for"))


@log("state.owed--another-secret-roll", "alice owes her blind roll, and gil can take it again.", "host")
def _() -> Any:
    w = table("owed again")
    number = w.ask_secret("alice", "gil", "d20", [20])
    w.call_off("alice")
    w.show(number)
    number = w.request("alice", "roll", {"dice": "d6"}, [6])
    w.reveal()
    return w, number


@log(
    "rules.violation--secret-roll-explodes", "Which dice come is known when a secret roll is asked for.", "host", "D14"
)
def _() -> Any:
    w = table("explodes")
    number = w.ask_secret("gil", "gil", "d6!", [6])
    w.reveal()
    return w, number


@log("rules.violation--secret-roll-of-other-sides", "A d20 has not six sides.", "host", "D14")
def _() -> Any:
    w = table("sides")
    number = w.ask_secret("gil", "gil", "d20", [6])
    w.reveal()
    return w, number


@log("rules.violation--secret-roll-corrected", "No result of a secret roll is corrected.", "host", "ruling")
def _() -> Any:
    w = table("corrected", JUDGED)
    asked = own(w)
    results = [{"die": 1, "result": 3}]
    ruling = {"ruling": "correct", "subject": asked, "text": "cocked", "results": results}
    number = w.write("dana", "ruling", ruling)
    w.commit("host")
    return w, number


@log("rules.violation--shown-secret-roll-corrected", "Nor of one that was shown.", "host", "ruling")
def _() -> Any:
    w = table("shown corrected", JUDGED)
    asked = own(w)
    w.show(asked)
    results = [{"die": 1, "result": 3}]
    ruling = {"ruling": "correct", "subject": asked, "text": "cocked", "results": results}
    number = w.write("dana", "ruling", ruling)
    w.commit("host")
    return w, number


@log("rules.violation--secret-roll-resolved", "No claim is about a secret roll, shown or not.", "host", "D7")
def _() -> Any:
    w = table("resolved")
    asked = own(w)
    w.show(asked)
    number = w.write("gil", "resolve", {"roll": asked})
    w.commit("host")
    return w, number


# --- seal -------------------------------------------------------------------------------------------------------------


@log("seal.tags--129-unused", "One unused tag more than a holder may have.", "gil")
def _() -> Any:
    w = table("129 tags", seals=False)
    w.seal("gil", 64)
    w.seal("gil", 64)
    return w, w.seal("gil", 4)


@log("seal.secret--of-a-first-seal", "There is no seal before, so no secret.", "gil")
def _() -> Any:
    w = table("first secret", seals=False)
    return w, w.seal("gil", secret="ab" * 32)


@log("seal.secret--missing", "A thief of the signing key has not the secret of the last tag.", "gil")
def _() -> Any:
    w = table("no last secret")
    body = w.seal_body("gil")
    del body["secret"]
    return w, w.write("gil", "seal", body)


@log("seal.secret--of-another-tag", "The secret is of a tag that a roll took.", "gil")
def _() -> Any:
    w = table("other secret")
    own(w)
    return w, w.seal("gil", secret=w.secret("gil", 1).hex())


@log("seal.secret--of-the-seal-before-last", "The last secret of the first seal does not do for the third.", "gil")
def _() -> Any:
    w = table("old secret")
    w.seal("gil", 4)
    return w, w.seal("gil", secret=w.secret("gil", 6).hex())


@log("seal.secret--of-another-holder", "A secret is bound to its holder's name.", "gina")
def _() -> Any:
    w = table("anothers secret", TWO)
    return w, w.seal("gina", secret=w.secret("gil", 6).hex())


# --- reveal and void --------------------------------------------------------------------------------------------------


@log(
    "reveal.naturals--of-a-secret-roll",
    "The keeper shows dice of a secret roll as if the links alone gave them.",
    "host",
)
def _() -> Any:
    w = table("told")
    w.ask_secret("gil", "gil", "d20", [20])
    drawn = ref.naturals_of(w.seed(w.openings()), [20])
    return w, w.reveal(naturals=drawn, sides=[20])


@log("void.secret--missing", "The holder calls its own roll off and keeps the secret.", "gil")
def _() -> Any:
    w = table("void keeps")
    w.ask_secret("gil", "gil", "d20", [20])
    return w, w.void("gil")


@log("void.secret--of-another-tag", "The secret in the holder's void is of the next tag.", "gil")
def _() -> Any:
    w = table("void other")
    w.ask_secret("gil", "gil", "d20", [20])
    return w, w.void("gil", secret=w.secret("gil", 2).hex())


@log("void.secret--by-who-is-not-the-holder", "alice knows no secret of gil's, and her void has none.", "alice")
def _() -> Any:
    w = table("void by another")
    number = w.ask_secret("alice", "gil", "d20", [20])
    return w, w.void("alice", secret=w.secret("gil", w.kept[number].number).hex())


@log("void.secret--of-an-open-roll", "Only of a secret roll has a void a secret.", "alice")
def _() -> Any:
    w = table("void open")
    w.request("alice", "roll", {"dice": "d20"}, [20])
    return w, w.void("alice", secret="ab" * 32)


# --- show -------------------------------------------------------------------------------------------------------------


@log("state.show--open-roll", "An open roll was shown when it was revealed.", "gil")
def _() -> Any:
    w = table("open shown")
    number = w.request("gil", "roll", {"dice": "d20"}, [20])
    w.reveal()
    return w, w.write("gil", "show", {"request": number, "secret": w.secret("gil", 1).hex(), "naturals": w.naturals})


@log("state.show--by-who-is-not-the-holder", "gina shows what gil holds.", "gina")
def _() -> Any:
    w = table("anothers show", TWO)
    body = w.show_body(own(w))
    return w, w.write("gina", "show", body)


@log("state.show--twice", "What was shown is known.", "gil")
def _() -> Any:
    w = table("twice")
    number = own(w)
    w.show(number)
    return w, w.show(number)


@log("state.show--voided-with-its-secret", "The secret stood in the holder's own void.", "gil")
def _() -> Any:
    w = table("void shown")
    number = w.ask_secret("gil", "gil", "d20", [20])
    w.void("gil", secret=w.secret("gil", 1).hex())
    w.disclose(["gil"])
    return w, w.show(number)


@log("state.show--without-naturals", "A roll that was revealed is shown with its dice.", "gil")
def _() -> Any:
    w = table("no naturals")
    body = w.show_body(own(w))
    del body["naturals"]
    return w, w.write("gil", "show", body)


@log("state.show--naturals-of-a-voided-roll", "A roll that was voided has no dice.", "gil")
def _() -> Any:
    w = table("void naturals")
    number = w.ask_secret("alice", "gil", "d20", [20])
    w.call_off("alice")
    return w, w.show(number, naturals=[20])


@log("state.show--hidden-purpose-kept", "What was hidden comes out with the dice.", "gil")
def _() -> Any:
    w = table("kept purpose")
    return w, w.show(own(w, hidden=w.hide("gil", "a trap")))


@log("state.show--purpose-that-was-not-hidden", "The request hid nothing.", "gil")
def _() -> Any:
    w = table("new purpose")
    return w, w.show(own(w, source="said"), "something else")


@log("state.show--salt-without-text", "Salt and text come together.", "gil")
def _() -> Any:
    w = table("salt alone")
    return w, w.show(own(w, hidden=w.hide("gil", "a trap")), salt="ab" * 32)


@log("show.secret--of-another-tag", "The secret is of the tag after the one that the roll took.", "gil")
def _() -> Any:
    w = table("wrong secret")
    return w, w.show(own(w), secret=w.secret("gil", 2).hex())


@log("show.text--another", "gil says that the roll was for something else than it hid.", "gil")
def _() -> Any:
    w = table("wrong text")
    number = own(w, hidden=w.hide("gil", "the left door"))
    return w, w.write("gil", "show", {**w.show_body(number, "the left door"), "text": "the right door"})


@log("show.text--another-salt", "The salt is another one.", "gil")
def _() -> Any:
    w = table("wrong salt")
    number = own(w, hidden=w.hide("gil", "a door"))
    return w, w.show(number, "a door", salt="ab" * 32)


@log("show.naturals--other-dice", "gil shows a 20 that it did not roll.", "gil")
def _() -> Any:
    w = table("wrong dice")
    number = own(w)
    came = w.show_body(number)["naturals"]
    return w, w.show(number, naturals=[came[0] % 20 + 1])


@log("show.naturals--one-die-less", "gil leaves a die out.", "gil")
def _() -> Any:
    w = table("fewer dice")
    number = own(w, "2d20", [20, 20])
    return w, w.show(number, naturals=w.show_body(number)["naturals"][:1])
