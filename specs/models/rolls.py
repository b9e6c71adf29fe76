"""The roll against every coalition: an explicit-state model, searched to its end (specs/models/README.md).

Knowledge is symbolic. A coalition has the links of its own members, and an honest party's link from the moment at which
that party lets it out; it knows the dice of a request just when it has the links of all its contributors. What an
honest party sends, the coalition reads at once; others get it late, out of order, or never.

Honest parties do whatever their seats allow (specs/seats.md), at any time. Everything else is the coalition's: what it
signs, what it holds back, and, where the keeper is in it, what comes into the log.

This file says what can happen. What must hold of it is in `rolls_claims.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Parties = frozenset[str]
NOBODY: Parties = frozenset()
KEEPER, JUDGE, ANNA, BOB, WITNESS = "keeper", "judge", "anna", "bob", "witness"
ROLLERS = (ANNA, BOB)


@dataclass(frozen=True)
class Rules:
    """The rules that honest parties follow, and the log's. Each default is today's; each other value is an attack."""

    keeper_voids: bool = False  # the keeper's word voids, and whom it names is at fault
    judge_asks: str = (
        "closer"  # before it voids: the closer, who then opens no more; or "named", whoever is to be named
    )
    keeper_asked: bool = False  # with "named": a judge also voids where only the keeper's opening is missing
    late_receipts: bool = False  # a receipt is also given for an opening that comes after one's own void or disclose
    renewal_shows_link: bool = True  # a commit that replaces a chain shows its next link
    renews_early: bool = False  # a chain is replaced while it has unused links
    calls_alone: bool = False  # where all others may sign a party away, one is enough if the rest are away
    names_received: bool = False  # a void also names those for whose openings its author gave receipts
    names_closer: bool = False  # the keeper's judge names the closer while others keep it waiting
    turns: bool = True  # the closer's turn has a time of its own, when all others have opened
    old_voids: bool = False  # a void counts again when the party that it names is back
    heard: bool = True  # the keeper calls nobody away who is connected, and let one turn pass
    closer_waits: bool = True  # a closer's void says who is gone only when the roll has waited, or who was off then
    asks_openings: bool = True  # and only of whom the keeper has no opening
    newcomer_judges: bool = False  # a judge who came later judges before the others have consented
    newcomer_calls: bool = False  # whoever came later signs others away before the others have consented
    present_consent: bool = False  # who is away is not asked for consent
    closer_first: bool = False  # the closer opens before it has the others' openings
    keyed_by_keeper: bool = False  # the seed is keyed by the keeper's link: nothing is assumed of it if that is known


@dataclass(frozen=True)
class Game:
    """Who sits at the table, who of them cheats, and how.

    `stolen`: honest parties whose signing key the coalition has, without links; `restored`: honest parties whose whole
    machine is put back, unnoticed. `renewals`: honest parties may replace their chains.
    """

    parties: tuple[str, ...]  # in party order
    policy: str  # "all", "roller" or "list": the keeper, bob, and the witness if there is one
    coalition: Parties
    stolen: Parties = NOBODY
    restored: Parties = NOBODY
    renewals: bool = False
    away_by_others: bool = False  # event 0 has "away": "others"
    keepers_judge: bool = False  # the judge is the keeper's: both cheat, or neither
    late: Parties = NOBODY  # of the witness and the judge: who is not there from the start, and may be admitted
    requests: int = 2
    rules: Rules = Rules()

    def honest(self, party: str) -> bool:
        return party in self.parties and party not in self.coalition

    def signs_for(self, party: str) -> bool:
        """Whether the coalition can sign as this party."""
        return party in self.coalition or party in self.stolen

    def may_contribute(self) -> list[str]:
        if self.policy == "list":
            return [party for party in self.parties if party in (KEEPER, BOB, WITNESS) and party not in self.late]
        return [party for party in self.parties if party != JUDGE]

    def contributors(self, author: str, away: Parties) -> tuple[str, ...]:
        """Those of a roll by this author, in party order."""
        able = self.may_contribute()
        if self.policy == "roller":
            able = [party for party in able if party in (KEEPER, WITNESS, author)]
        return tuple(party for party in able if party not in away)

    def closer(self, author: str, away: Parties) -> str:
        able = self.contributors(author, away)
        return author if author in able else [party for party in able if party != KEEPER][-1]


class Void(NamedTuple):
    author: str
    missing: Parties


class State(NamedTuple):
    """One state of the world: the log's, what parties remember, what the coalition has."""

    phase: str = "idle"
    requests: int = 0  # made so far
    author: str = ""  # of the latest request
    away: Parties = NOBODY  # and who may come later, and has not committed
    settled: Parties = NOBODY  # who came later, and all others have consented
    opened: Parties = NOBODY  # honest contributors who opened for the request, as they remember it
    out: Parties = NOBODY  # those whose opening for the request has left them, whatever they remember
    held: frozenset[tuple[str, str]] = (
        frozenset()
    )  # (contributor, honest party that has its opening, and gave a receipt)
    voids: frozenset[Void] = frozenset()  # signed for the request
    void: Void | None = None  # the one in the log
    refused: Parties = NOBODY  # honest parties who recorded that they open no more for the request
    said_no: Parties = NOBODY  # who told an honest judge that they have not opened
    disclosed: Parties | None = None  # whose openings an honest keeper's disclose or close lists
    known: Parties = NOBODY  # honest parties whose link for the request (between rolls: for the next) the coalition has
    renewing: Parties = NOBODY  # honest parties whose commit is signed and not in the log: their old chain is used up
    replaced: Parties = NOBODY  # honest parties whose chain in the log is the coalition's
    stopped: Parties = NOBODY  # seats that sign and open nothing more
    # With the keeper's judge:
    off: Parties = NOBODY  # honest parties whose machine is off
    was_off: Parties = NOBODY  # or was: that happens once
    named: Parties = NOBODY  # by the void of the latest request, the judge's or the closer's that has waited
    turn: Parties = NOBODY  # of these, by the judge
    twice: Parties = NOBODY  # by those of the two latest
    slept: Parties = NOBODY  # honest parties that were off when the latest request was voided
    slept_twice: Parties = NOBODY  # and the one before, with no `back` in between
    backs: Parties = NOBODY  # who is back since the latest request


Step = tuple[str, State]

SERVER = "the others and the keeper"


def dice_known(game: Game, state: State) -> bool:
    """Whether the coalition knows the dice of the request."""
    has = game.coalition | state.known | state.replaced
    if game.rules.keyed_by_keeper and KEEPER in has:
        return True
    return has.issuperset(game.contributors(state.author, state.away))


def steps(game: Game, state: State) -> Iterator[Step]:
    """Everything that can happen next, with a line that says what."""
    yield from by_phase[state.phase](game, state)
    if state.phase != "closed":
        yield from late_openings(game, state)


def idle(game: Game, state: State) -> Iterator[Step]:
    fresh = between(state, state.known)
    if fresh != state:
        yield "time goes by", fresh
        return
    yield from machines(game, state)
    yield from requests(game, state)
    yield from presence(game, state)
    yield from coming(game, state)
    yield from renewals(game, state)


def requests(game: Game, state: State) -> Iterator[Step]:
    if state.requests == game.requests:
        return
    for author in ROLLERS:
        able = game.contributors(author, state.away)
        # A chain that is replaced because it is spent has no link for a request: the guard refuses it.
        spent = not game.rules.renews_early and any(party in state.renewing for party in able)
        if author in state.away or len(able) < 2 or spent:
            continue
        made = state._replace(phase="pending", requests=state.requests + 1, author=author)
        if author in game.coalition or (author not in state.stopped | state.renewing | state.off):
            yield f"{author} rolls", made
        if author in game.stolen:
            yield f"a thief rolls as {author}", made._replace(stopped=state.stopped | {author})


def presence(game: Game, state: State) -> Iterator[Step]:
    for party in ROLLERS:
        there = party not in state.away
        moved = state._replace(away=state.away | {party} if there else state.away - {party})
        word = "away" if there else "back"
        if not there and game.keepers_judge:
            moved = moved._replace(backs=state.backs | {party})
        if party not in state.stopped | state.off:
            yield f"{party} signs itself {word}", moved
        if party in game.stolen:
            yield f"a thief signs {party} {word}", moved._replace(stopped=state.stopped | {party})
        if JUDGE in game.coalition and not game.keepers_judge and judges(game, state):
            yield f"the judge signs {party} {word}", moved
        others = frozenset(game.may_contribute()) - state.away - {party}
        if not game.rules.newcomer_calls:
            others -= game.late - state.settled
        enough = len(others) > 1 or game.rules.calls_alone
        if there and game.away_by_others and enough and others <= game.coalition:
            yield f"all others sign {party} {word}", moved
        if there and game.away_by_others and len(others) > 1 and keeper_calls(game, state, party):
            yield f"the others and the keeper sign {party} {word}", moved


def judges(game: Game, state: State) -> bool:
    """Whether the judge may judge: it is there from the start, or the others have consented."""
    return JUDGE not in game.late or JUDGE in state.settled or game.rules.newcomer_judges


def coming(game: Game, state: State) -> Iterator[Step]:
    """Who may come later comes; and the others consent, where they all cheat: who is honest consents to nobody here."""
    for party in sorted(game.late - state.settled):
        if party in state.away:
            yield f"{party} comes later, and commits", state._replace(away=state.away - {party})
        asked = frozenset(other for other in game.parties if other not in (KEEPER, JUDGE)) - (game.late - state.settled)
        if game.rules.present_consent:
            asked -= state.away
        if asked and asked <= game.coalition:
            yield f"all who are asked consent to {party}", state._replace(settled=state.settled | {party})


def keeper_calls(game: Game, state: State, party: str) -> bool:
    """Whether an honest keeper calls a party away when all others have (specs/network.md, "Signed away")."""
    if not game.keepers_judge or not game.honest(KEEPER) or party not in state.named:
        return False
    if party in state.backs and not game.rules.old_voids:
        return False
    # Who cheats is connected or not, as it likes; who is honest is, if its machine is on.
    return party in state.twice or not (game.rules.heard and game.honest(party) and party not in state.off)


def machines(game: Game, state: State) -> Iterator[Step]:
    """A player's machine goes off, once, and comes back."""
    for party in ROLLERS if game.keepers_judge else ():
        if game.honest(party) and party not in state.was_off:
            changed = state._replace(off=state.off | {party}, was_off=state.was_off | {party})
            yield f"the machine of {party} goes off", changed
        if party in state.off:
            yield f"the machine of {party} is on again", state._replace(off=state.off - {party})


def renewals(game: Game, state: State) -> Iterator[Step]:
    for party in game.may_contribute():
        if party in game.stolen and party not in state.replaced and (
            not game.rules.renewal_shows_link or party in state.known
        ):  # fmt: skip
            yield (
                f"a thief replaces the chain of {party}",
                state._replace(
                    replaced=state.replaced | {party}, stopped=state.stopped | {party}, known=state.known - {party},
                    renewing=state.renewing - {party},
                ),
            )  # fmt: skip
        if not game.renewals or not game.honest(party) or party in state.stopped | state.replaced:
            continue
        if party not in state.renewing:
            known = state.known | {party} if game.rules.renewal_shows_link else state.known
            yield f"{party} signs a commit", state._replace(renewing=state.renewing | {party}, known=known)
        else:
            yield (
                f"the commit of {party} comes into the log",
                state._replace(renewing=state.renewing - {party}, known=state.known - {party}),
            )


def pending(game: Game, state: State) -> Iterator[Step]:
    able = game.contributors(state.author, state.away)
    closer = game.closer(state.author, state.away)
    yield from openings(game, state, able, closer)
    yield from voids(game, state, able, closer)
    yield from endings(game, state, able)
    yield from machines(game, state)


def openings(game: Game, state: State, able: Sequence[str], closer: str) -> Iterator[Step]:
    others = [party for party in able if party not in (KEEPER, closer)]
    voided = {void.author for void in state.voids}
    for party in able:
        if not game.honest(party) or party == KEEPER:
            continue
        idle_seat = state.stopped | state.renewing | state.replaced | state.refused | state.opened | state.off
        if party in idle_seat or (party in voided and party not in game.restored):
            continue
        if party != closer or game.rules.closer_first or all((other, party) in state.held for other in others):
            opened = state.opened | {party}
            yield f"{party} opens", state._replace(opened=opened, out=state.out | {party}, known=state.known | {party})
    for party in able:
        for receiver in (closer, KEEPER, JUDGE):
            if delivers(game, state, party, receiver) and not is_late(state, receiver):
                yield f"{receiver} gets the opening of {party}", state._replace(held=state.held | {(party, receiver)})
    for party in game.restored & state.opened:
        yield f"the machine of {party} is put back", state._replace(opened=state.opened - {party})
    if KEEPER in game.restored and KEEPER not in state.known and reveals(game, state, able):
        yield "the keeper reveals, and its machine is put back", state._replace(known=state.known | {KEEPER})


def delivers(game: Game, state: State, party: str, receiver: str) -> bool:
    """Whether an opening of this party can reach this honest party now."""
    if not game.honest(receiver) or party in (receiver, KEEPER) or (party, receiver) in state.held:
        return False
    return party in state.out or party in game.coalition or party in state.replaced


def is_late(state: State, receiver: str) -> bool:
    """Whether the receiver has voided, or disclosed, so that it gives no receipt any more."""
    return any(void.author == receiver for void in state.voids) or (receiver == KEEPER and state.disclosed is not None)


def late_openings(game: Game, state: State) -> Iterator[Step]:
    if not game.rules.late_receipts or not state.author:
        return
    for party in game.contributors(state.author, state.away):
        for receiver in (game.closer(state.author, state.away), KEEPER, JUDGE):
            if delivers(game, state, party, receiver) and is_late(state, receiver):
                yield f"{receiver} gets {party}'s opening late", state._replace(held=state.held | {(party, receiver)})


def missing(game: Game, state: State, able: Iterable[str], receiver: str) -> Parties:
    """Whom an honest party that voids must name."""
    names = frozenset(party for party in able if party != receiver)
    if game.rules.names_received:
        return names
    return frozenset(party for party in names if (party, receiver) not in state.held)


def voids(game: Game, state: State, able: Sequence[str], closer: str) -> Iterator[Step]:
    signed = {void.author for void in state.voids}
    framed = frozenset(party for party in able if game.honest(party))
    for party in (closer, JUDGE):
        if party in signed or (party == JUDGE and not judges(game, state)):
            continue
        if game.signs_for(party):
            stopped = state.stopped if party in game.coalition else state.stopped | {party}
            yield f"{party} calls the roll off", add_void(state, party, framed)._replace(stopped=stopped)
    if game.honest(closer) and closer not in signed | state.opened | state.stopped | state.off:
        yield f"{closer} calls the roll off", add_void(state, closer, missing(game, state, able, closer) - {closer})
    if game.honest(JUDGE) and JUDGE not in signed and judges(game, state):
        yield from (keepers_judge_voids if game.keepers_judge else judge_voids)(game, state, able, closer)
    if game.rules.keeper_voids and KEEPER in game.coalition and KEEPER not in signed:
        yield "the keeper voids and names others", add_void(state, KEEPER, framed)


def judge_voids(game: Game, state: State, able: Sequence[str], closer: str) -> Iterator[Step]:
    named = [party for party in able if party != KEEPER or game.rules.keeper_asked]
    for party in named if game.rules.judge_asks == "named" else (closer,):
        if party in state.said_no or (party, JUDGE) in state.held:
            continue
        if not game.honest(party):
            yield f"{party} tells the judge that it has not opened", state._replace(said_no=state.said_no | {party})
        elif party not in state.opened | state.stopped and party != KEEPER:
            refused = state.refused | {party} if game.rules.judge_asks == "closer" else state.refused
            yield (
                f"{party} tells the judge that it has not opened",
                state._replace(said_no=state.said_no | {party}, refused=refused),
            )
    if any((party, JUDGE) not in state.held for party in state.said_no):
        yield "the judge voids", add_void(state, JUDGE, missing(game, state, able, JUDGE))


def keepers_judge_voids(game: Game, state: State, able: Sequence[str], closer: str) -> Iterator[Step]:
    """An honest server's judge: a turn is over, and who is here has had the time to open (specs/network.md)."""
    awaited = missing(game, state, able, KEEPER)
    turn = awaited if game.rules.names_closer else awaited - {closer} or awaited
    pressed = {closer} if game.rules.names_closer or (not game.rules.turns and turn == {closer}) else NOBODY
    if not turn or any(game.honest(party) and party not in state.off | pressed for party in turn):
        return
    before, slept = state.turn - state.backs, turn & state.off
    voided = add_void(state, JUDGE, turn)
    yield (
        "the judge voids, and its void comes into the log",
        voided._replace(
            phase="voided", void=Void(JUDGE, turn), named=turn, turn=turn, twice=turn & before, slept=slept,
            slept_twice=slept & state.slept - state.backs, backs=NOBODY,
        ),
    )  # fmt: skip


def closers_void(game: Game, state: State, able: Sequence[str], void: Void) -> Iterator[Step]:
    """A closer's void comes into the log of an honest server, and says who is gone (specs/network.md, "Signed away").

    That takes that the roll has waited: whoever is here, and whose turn it is, has opened by then. Of a roll that has
    not waited only those count who were off when it was called off.
    """
    closer = game.closer(state.author, state.away)
    here = [party for party in able if party not in state.off | {closer, KEEPER} and game.honest(party)]
    waited = all((party, KEEPER) in state.held for party in here)
    named = void.missing - {closer, KEEPER}
    if game.rules.closer_waits and not waited:
        named &= state.off
        if not named:
            return
    if game.rules.asks_openings:
        named = frozenset(party for party in named if (party, KEEPER) not in state.held)
    slept = frozenset(party for party in named & state.off if (party, KEEPER) not in state.held)
    yield (
        f"the void of {void.author} comes into the log, when the roll has waited or who is missing is off",
        state._replace(
            phase="voided", void=void, named=named, turn=NOBODY, twice=NOBODY, slept=slept,
            slept_twice=slept & state.slept - state.backs, backs=NOBODY,
        ),
    )  # fmt: skip


def add_void(state: State, author: str, names: Parties) -> State:
    return state._replace(voids=state.voids | {Void(author, names)})


def reveals(game: Game, state: State, able: Iterable[str]) -> bool:
    """Whether the keeper can have all openings but its own."""
    others = [party for party in able if party != KEEPER]
    if game.honest(KEEPER):
        return all((party, KEEPER) in state.held for party in others)
    return all(party in state.out | game.coalition | state.replaced for party in others)


def endings(game: Game, state: State, able: Sequence[str]) -> Iterator[Step]:
    if reveals(game, state, able):
        yield "the keeper reveals", over(state)
    for void in sorted(state.voids, key=str):
        yield f"the void of {void.author} comes into the log", unnamed(state)._replace(phase="voided", void=void)
        served = game.keepers_judge and game.honest(KEEPER)
        if served and void.author == game.closer(state.author, state.away):
            yield from closers_void(game, state, able, void)
    listed = holds(state) if game.honest(KEEPER) else NOBODY
    yield "the keeper closes the game", state._replace(phase="closed", disclosed=listed)


def over(state: State) -> State:
    """After a reveal: links of the roll are used up, those of chains that are being replaced are still out."""
    return unnamed(between(state, state.known & state.renewing))


def between(state: State, known: Parties) -> State:
    """What stays between rolls."""
    return State(requests=state.requests, away=state.away, settled=state.settled, known=known, renewing=state.renewing,
                 replaced=state.replaced, stopped=state.stopped, off=state.off, was_off=state.was_off,
                 named=state.named, turn=state.turn, twice=state.twice, slept=state.slept,
                 slept_twice=state.slept_twice,
                 backs=state.backs)  # fmt: skip


def unnamed(state: State) -> State:
    """The latest request was not voided by the keeper's judge."""
    return state._replace(named=NOBODY, turn=NOBODY, twice=NOBODY, slept=NOBODY, slept_twice=NOBODY, backs=NOBODY)


def holds(state: State) -> Parties:
    return frozenset(party for party, receiver in state.held if receiver == KEEPER)


def voided(game: Game, state: State) -> Iterator[Step]:
    listed = holds(state) if game.honest(KEEPER) else NOBODY
    known = state.known & state.renewing
    yield "the keeper discloses", state._replace(phase="idle", disclosed=listed, known=known, opened=NOBODY)


def closed(game: Game, state: State) -> Iterator[Step]:
    yield from late_openings(game, state)


by_phase: dict[str, Callable[[Game, State], Iterator[Step]]] = {
    "idle": idle,
    "pending": pending,
    "voided": voided,
    "closed": closed,
}
