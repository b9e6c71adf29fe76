"""The logs of rolls that are taken back (specs/protocol.md, "Taking a roll back"): a name says what must come out."""

from __future__ import annotations

from typing import Any

from tests.make.cases import Cases
from tests.oracles.reference import Writer

TWO = {"host": "keeper", "alice": "player", "bob": "player"}
THREE = {**TWO, "carol": "player"}
JUDGED = {**TWO, "dana": "judge"}
HELD = {**TWO, "gil": "gm"}

CASES = Cases()
log = CASES.log


class Table(Writer):
    """A game of any dice in which everybody sits, and whose latest roll all can take back.

    `late`: who joins later, by itself.
    """

    def __init__(self, label: str, roles: dict[str, str] | None = None, late: tuple[str, ...] = (), **opened: Any):
        super().__init__(f"taken back {label}", dict(roles or TWO))
        terms = {"system": "dice-1", "options": {}, "strike": "all", **opened}
        self.open(**{name: value for name, value in terms.items() if value is not None})
        self.join(*[name for name, role in self.roles.items() if role != "keeper" and name not in late])
        self.commit(*[name for name, role in self.roles.items() if role != "judge" and name not in late], length=40)

    def roll(self, name: str = "alice", dice: str = "d20", sides: int = 20, count: int = 1) -> int:
        number = self.request(name, "roll", {"dice": dice}, [sides] * count)
        self.reveal()
        return number

    def strike(self, roll: int, *names: str) -> int:
        for name in names:
            self.write(name, "strike", {"roll": roll})
        return self.last


# --- logs that hold ---------------------------------------------------------------------------------------------------


@log("holds--taken-back", "alice rolls the wrong die; she and bob take it back, and she rolls another.")
def _() -> Any:
    w = Table("all")
    w.strike(w.roll(), "alice", "bob")
    w.roll(dice="d6", sides=6)
    w.close()
    return w, None


@log("holds--taken-back-when-another-asks", "bob asks for it, and alice, whose roll it is, agrees.")
def _() -> Any:
    w = Table("another asks")
    w.strike(w.roll(), "bob", "alice")
    return w, None


@log("holds--not-taken-back-yet", "alice asks for it, and bob has said nothing: the roll stands.")
def _() -> Any:
    w = Table("not yet")
    w.strike(w.roll(), "alice")
    return w, None


@log("holds--not-taken-back-when-played-on", "alice asks for it, and bob rolls on: her roll stands for good.")
def _() -> Any:
    w = Table("played on")
    w.strike(w.roll(), "alice")
    w.roll("bob")
    return w, None


@log("holds--taken-back-again-and-again", "Three rolls of alice and one of bob are taken back: each is told.")
def _() -> Any:
    w = Table("again")
    for name in ("alice", "alice", "bob", "alice"):
        w.strike(w.roll(name), "alice", "bob")
    return w, None


@log("holds--taken-back-by-three-and-by-two", "carol leaves: from then on two agree. Each set is told.")
def _() -> Any:
    w = Table("three and two", THREE)
    w.strike(w.roll(), "carol", "bob", "alice")
    w.leave("carol", "carol")
    w.strike(w.roll("bob"), "alice", "bob")
    w.strike(w.roll(), "alice", "bob")
    return w, None


@log("holds--taken-back-while-one-is-away", "carol went away before the roll: the other two agree.")
def _() -> Any:
    w = Table("away", THREE)
    w.away("carol", "carol")
    w.strike(w.roll(), "alice", "bob")
    return w, None


@log("holds--taken-back-waits-for-the-judge", "dana judges here: nothing is taken back before she agrees.")
def _() -> Any:
    w = Table("judge waits", JUDGED)
    w.strike(w.roll(), "alice", "bob")
    return w, None


@log("holds--taken-back-with-the-judge", "dana judges here, and agrees first.")
def _() -> Any:
    w = Table("judge", JUDGED)
    w.strike(w.roll(), "dana", "alice", "bob")
    return w, None


@log("holds--taken-back-without-the-keepers-judge", "The keeper's judge agrees to nothing, and is not waited for.")
def _() -> Any:
    w = Table("timer", {**TWO, "timer": "judge"}, judge="timer")
    w.strike(w.roll(), "alice", "bob")
    return w, None


@log("holds--taken-back-with-the-game-master", "gil leads the game: he agrees, too.")
def _() -> Any:
    w = Table("gm", HELD)
    w.strike(w.roll(), "alice", "bob", "gil")
    return w, None


@log("holds--taken-back-without-a-witness", "walt contributes, and has no say.")
def _() -> Any:
    w = Table("witness", {**TWO, "walt": "witness"})
    w.strike(w.roll(), "alice", "bob")
    return w, None


@log("holds--taken-back-by-a-newcomer-too", "carol came later and rolled: she agrees, whoever has consented to her.")
def _() -> Any:
    w = Table("newcomer", admits=["player"])
    w.admit("carol", "player")
    w.join("carol")
    w.commit("carol", length=40)
    w.strike(w.roll("carol"), "alice", "bob", "carol")
    return w, None


@log("holds--not-taken-back-without-the-newcomer", "carol came later and rolled: without her word her roll stands.")
def _() -> Any:
    w = Table("newcomer stands", admits=["player"])
    w.admit("carol", "player")
    w.join("carol")
    w.commit("carol", length=40)
    w.strike(w.roll("carol"), "alice", "bob")
    return w, None


@log("holds--taken-back-while-a-newcomer-looks-on", "carol came later: of another's roll she is not asked.")
def _() -> Any:
    w = Table("newcomer looks on", admits=["player"])
    w.admit("carol", "player")
    w.join("carol")
    w.commit("carol", length=40)
    w.strike(w.roll(), "alice", "bob")
    return w, None


@log(
    "holds--taken-back-without-one-who-has-not-joined",
    "All have consented to carol, who never came: alice and bob agree.",
)
def _() -> Any:
    w = Table("settled and absent", admits=["player"])
    w.consent(w.admit("carol", "player"), "alice", "bob")
    w.strike(w.roll(), "alice", "bob")
    return w, None


@log("holds--not-taken-back-without-one-who-joined-since", "The same carol joins behind the roll: her word is missing.")
def _() -> Any:
    w = Table("settled and come", admits=["player"])
    w.consent(w.admit("carol", "player"), "alice", "bob")
    number = w.roll()
    w.join("carol")
    w.strike(number, "alice", "bob")
    return w, None


@log("holds--taken-back-when-a-judge-joins-between", "dana joins behind alice's word: she is waited for, too.")
def _() -> Any:
    w = Table("judge joins", JUDGED, late=("dana",))
    number = w.roll()
    w.strike(number, "alice")
    w.join("dana")
    w.strike(number, "bob", "dana")
    return w, None


@log("holds--taken-back-behind-a-commit-and-a-seal", "Programs commit and seal by themselves: nothing is played on.")
def _() -> Any:
    w = Table("commit and seal", HELD, sealed="kept")
    number = w.roll()
    w.commit("bob", length=40)
    w.strike(number, "alice")
    w.seal("gil", 4)
    w.commit("host", length=40)
    w.strike(number, "bob", "gil")
    return w, None


@log("holds--taken-back-behind-an-object", "bob shows what was called missing, and agrees then.")
def _() -> Any:
    w = Table("object", {**TWO, "timer": "judge"}, judge="timer")
    first = w.request("alice", "roll", {"dice": "d20"}, [20])
    w.void("timer", ["bob"])
    w.disclose(["bob"])
    late = w.opening("bob", index=w.used["bob"])
    second = w.roll()
    w.write("bob", "object", {"opening": late, "request": first})
    w.strike(second, "bob", "alice")
    return w, None


@log("holds--taken-back-while-another-owes", "alice owes a roll that bob's, which is taken back, changes nothing of.")
def _() -> Any:
    w = Table("owes")
    w.request("alice", "roll", {"dice": "d20"}, [20])
    w.call_off("alice")
    w.strike(w.roll("bob"), "alice", "bob")
    return w, None


@log("holds--taken-back-of-many-dice", "Of thirty dice the first are told.")
def _() -> Any:
    w = Table("many")
    w.strike(w.roll(dice="30d6", sides=6, count=30), "alice", "bob")
    return w, None


@log("holds--taken-back-a-draw", "What was drawn goes back into the deck, and the next draw draws anew.")
def _() -> Any:
    w = Table("draw")
    w.write("alice", "declare", {"what": "deck", "deck": "cards", "items": [{"item": "ace"}, {"item": "ten"}]})
    number = w.request("alice", "roll", {"deck": "cards", "hand": True}, [2])
    w.reveal()
    w.strike(number, "alice", "bob")
    return w, None


@log("holds--taken-back-in-magic", "A d20 of Magic is taken back.")
def _() -> Any:
    w = Table("magic", system="mtg-706-2023-11-17", options={"planechase": False})
    number = w.request(
        "alice", "roll", {"source": "Delina, Wild Mage", "dice": "1d20", "use": "1-14: one token."}, [20]
    )
    w.reveal()
    w.strike(number, "alice", "bob")
    return w, None


@log("holds--taken-back-then-ruled-void", "A judge who rules the same roll void once more changes nothing.")
def _() -> Any:
    w = Table("ruled", JUDGED)
    number = w.roll()
    w.strike(number, "alice", "bob", "dana")
    w.write("dana", "ruling", {"ruling": "void", "subject": number, "text": "Taken back."})
    return w, None


# --- logs that fail ---------------------------------------------------------------------------------------------------


@log("body.malformed--strike-of-some", "Event 0 names who takes back in a word that there is none of.", "host")
def _() -> Any:
    w = Table("some", strike="some")
    return w, 0


@log("body.malformed--strike-without-a-roll", "A strike names the roll.", "alice")
def _() -> Any:
    w = Table("without a roll")
    w.roll()
    return w, w.write("alice", "strike", {})


@log("body.malformed--strike-of-a-negative-number", "A strike names a number from 0 on.", "alice")
def _() -> Any:
    w = Table("negative")
    return w, w.strike(w.roll() - 100, "alice")


@log("body.malformed--strike-with-a-reason", "A strike has no other member.", "alice")
def _() -> Any:
    w = Table("reason")
    return w, w.write("alice", "strike", {"roll": w.roll(), "text": "wrong die"})


@log("author.role--strike-that-the-terms-do-not-have", "Event 0 has no `strike`: a judge alone rules.", "alice")
def _() -> Any:
    w = Table("no terms", strike=None)
    return w, w.strike(w.roll(), "alice")


@log("author.role--witness-strikes", "A witness has no say.", "walt")
def _() -> Any:
    w = Table("witness strikes", {**TWO, "walt": "witness"})
    return w, w.strike(w.roll(), "walt")


@log("author.role--keeper-strikes", "The keeper has no say.", "host")
def _() -> Any:
    w = Table("keeper strikes")
    return w, w.strike(w.roll(), "host")


@log("author.role--keepers-judge-strikes", "The keeper's judge has no say.", "timer")
def _() -> Any:
    w = Table("timer strikes", {**TWO, "timer": "judge"}, judge="timer")
    return w, w.strike(w.roll(), "timer")


@log("state.pending--strike-while-a-roll-waits", "alice's roll has no dice yet.", "alice")
def _() -> Any:
    w = Table("waits")
    return w, w.strike(w.request("alice", "roll", {"dice": "d20"}, [20]), "alice")


@log("state.strike--before-any-roll", "There is no roll.", "alice")
def _() -> Any:
    w = Table("before any")
    return w, w.strike(3, "alice")


@log("state.strike--of-an-earlier-roll", "bob's roll is the latest, and not alice's.", "alice")
def _() -> Any:
    w = Table("earlier")
    first = w.roll()
    w.roll("bob")
    return w, w.strike(first, "alice")


@log("state.strike--by-its-reveal", "The roll is named by its request.", "alice")
def _() -> Any:
    w = Table("by its reveal")
    return w, w.strike(w.roll() + 1, "alice")


@log("state.strike--of-a-roll-to-come", "Nobody agrees beforehand.", "alice")
def _() -> Any:
    w = Table("to come")
    return w, w.strike(w.roll() + 3, "alice")


@log("state.strike--twice", "alice has agreed already.", "alice")
def _() -> Any:
    w = Table("twice")
    number = w.roll()
    w.strike(number, "alice")
    return w, w.strike(number, "alice")


@log("state.strike--when-it-was-taken-back", "All have taken it back.", "alice")
def _() -> Any:
    w = Table("was taken back")
    number = w.roll()
    w.strike(number, "alice", "bob")
    return w, w.strike(number, "alice")


@log("state.strike--by-a-judge-who-came-when-it-was-taken-back", "It is over when dana joins.", "dana")
def _() -> Any:
    w = Table("over", JUDGED, late=("dana",))
    number = w.roll()
    w.strike(number, "alice", "bob")
    w.join("dana")
    return w, w.strike(number, "dana")


@log("state.strike--behind-a-roll-that-was-called-off", "bob asked for dice: alice's roll was played on.", "bob")
def _() -> Any:
    w = Table("called off")
    number = w.roll()
    w.strike(number, "alice")
    w.request("bob", "roll", {"dice": "d20"}, [20])
    w.call_off("bob")
    return w, w.strike(number, "bob")


@log("state.strike--behind-a-declare", "A deck was declared: that is played on the roll, too.", "bob")
def _() -> Any:
    w = Table("declare")
    number = w.roll()
    w.strike(number, "alice")
    w.write("alice", "declare", {"what": "deck", "deck": "cards", "items": [{"item": "ace"}]})
    return w, w.strike(number, "bob")


@log("state.strike--behind-a-ruling", "dana has ruled on it.", "alice")
def _() -> Any:
    w = Table("behind a ruling", JUDGED)
    number = w.roll()
    w.write("dana", "ruling", {"ruling": "uphold", "subject": number, "text": "It was meant."})
    return w, w.strike(number, "alice")


@log("state.strike--behind-an-away", "carol is signed away behind the roll: she cannot be passed over so.", "bob")
def _() -> Any:
    w = Table("behind an away", {**THREE, "dana": "judge"})
    number = w.roll()
    w.strike(number, "alice")
    w.away("dana", "carol")
    return w, w.strike(number, "bob")


@log("state.strike--behind-a-call", "A call that took no effect yet ends it, too.", "bob")
def _() -> Any:
    w = Table("behind a call", THREE, away="others")
    number = w.roll()
    w.away("alice", "carol", effect=False)
    return w, w.strike(number, "bob")


@log("state.strike--behind-a-back", "carol is back, who had no part in the roll.", "bob")
def _() -> Any:
    w = Table("behind a back", THREE)
    w.away("carol", "carol")
    number = w.roll()
    w.back("carol", "carol")
    return w, w.strike(number, "bob")


@log("state.strike--behind-a-leave", "carol has left behind the roll.", "bob")
def _() -> Any:
    w = Table("behind a leave", THREE)
    number = w.roll()
    w.leave("carol", "carol")
    return w, w.strike(number, "bob")


@log("state.strike--behind-an-admit", "Somebody was let in behind the roll.", "bob")
def _() -> Any:
    w = Table("behind an admit", admits=["player"])
    number = w.roll()
    w.admit("carol", "player")
    return w, w.strike(number, "bob")


@log("state.strike--behind-a-consent", "bob has consented to carol behind the roll.", "bob")
def _() -> Any:
    w = Table("behind a consent", admits=["player"])
    admit = w.admit("carol", "player")
    number = w.roll()
    w.consent(admit, "bob")
    return w, w.strike(number, "bob")


@log("state.strike--behind-a-replace", "The keeper asks for carol's new key behind the roll.", "bob")
def _() -> Any:
    w = Table("behind a replace", {**THREE, "dana": "judge"})
    w.away("dana", "carol")
    number = w.roll()
    w.replace("carol", "carol 2")
    return w, w.strike(number, "bob")


@log("state.strike--behind-a-show", "gil has shown a secret roll behind it.", "bob")
def _() -> Any:
    w = Table("behind a show", HELD, sealed="kept")
    w.seal("gil", 4)
    secret = w.roll_secret("gil", "gil", "d20", [20])
    number = w.roll()
    w.show(secret)
    return w, w.strike(number, "bob")


@log("state.strike--of-a-secret-roll", "What only gil knows is nothing that all take back.", "gil")
def _() -> Any:
    w = Table("secret", HELD, sealed="kept")
    w.seal("gil", 4)
    return w, w.strike(w.roll_secret("gil", "gil", "d20", [20]), "gil")


def rerolled(label: str) -> tuple[Table, int, int]:
    """A roll of Magic of which one die was rerolled; with the numbers of both requests."""
    w = Table(label, system="mtg-706-2023-11-17", options={"planechase": False})
    effect = {"source": "Monitor Monitor", "kind": "reroll", "scope": "one", "optional": True}
    body = {"source": "Two dice", "dice": "2d20", "use": "Add them up.", "effects": [effect]}
    first = w.request("alice", "roll", body, [20, 20])
    w.reveal()
    second = w.request("alice", "reroll", {"roll": first, "effect": 1, "dice": [2]}, [20])
    w.reveal()
    return w, first, second


@log("state.strike--of-a-reroll", "A reroll is no roll of its own.", "alice")
def _() -> Any:
    w, _first, second = rerolled("reroll")
    return w, w.strike(second, "alice")


@log("state.strike--of-a-roll-that-was-rerolled", "Who rerolls a die plays on the roll.", "alice")
def _() -> Any:
    w, first, _second = rerolled("rerolled")
    return w, w.strike(first, "alice")


@log("state.strike--by-a-newcomer", "carol came later, and has no say yet in alice's roll.", "carol")
def _() -> Any:
    w = Table("by a newcomer", admits=["player"])
    w.admit("carol", "player")
    w.join("carol")
    w.commit("carol", length=40)
    return w, w.strike(w.roll(), "carol")


@log("state.newcomer--judge-strikes", "dana came later, and judges nothing yet.", "dana")
def _() -> Any:
    w = Table("new judge", admits=["judge"])
    w.admit("dana", "judge")
    w.join("dana")
    return w, w.strike(w.roll(), "dana")


@log("state.away--who-is-away-strikes", "bob went away before the roll.", "bob")
def _() -> Any:
    w = Table("away strikes", THREE)
    w.away("bob", "bob")
    return w, w.strike(w.roll(), "bob")


@log("state.strike--alone-while-the-other-is-away", "bob is away: nobody takes a roll back alone.", "alice")
def _() -> Any:
    w = Table("alone")
    w.away("bob", "bob")
    return w, w.strike(w.roll(), "alice")


@log("state.strike--alone-with-the-keeper", "alice plays with the keeper alone.", "alice")
def _() -> Any:
    w = Table("one player", {"host": "keeper", "alice": "player"})
    return w, w.strike(w.roll(), "alice")


@log("state.strike--alone-with-the-keepers-judge", "The keeper's judge is no second one.", "alice")
def _() -> Any:
    w = Table("alone with the timer", {"host": "keeper", "alice": "player", "timer": "judge"}, judge="timer")
    return w, w.strike(w.roll(), "alice")


@log("state.closed--strike-behind-the-close", "The game is over.", "alice")
def _() -> Any:
    w = Table("closed")
    number = w.roll()
    w.close()
    return w, w.strike(number, "alice")
