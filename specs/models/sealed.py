"""Secret rolls against every coalition: an explicit-state model, searched to its end (specs/models/README.md).

A secret roll takes a secret of its holder's besides the links of its contributors. Knowledge is symbolic, as in
`rolls.py`: a coalition knows the dice of a request just when it has all its links and the secret. Honest parties do
whatever their seats allow (specs/seats.md), at any time; everything else is the coalition's, and the log's order is the
keeper's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import state_search
from state_search import Found, Result, coalitions

Parties = frozenset[str]
NOBODY: Parties = frozenset()
KEEPER, ANNA, GM, JUDGE = "keeper", "anna", "gm", "judge"
PARTIES = (KEEPER, ANNA, GM, JUDGE)
ASKING = (ANNA, GM)
"""who asks for a secret roll: the holder for one of its own, or anna for a blind one"""


@dataclass(frozen=True)
class Rules:
    """The rules of secret rolls. Each default is today's; each other value is an attack."""

    secret_in_seed: bool = True  # the seed takes the holder's secret besides the links
    tags_first: bool = True  # the tag of the secret stood in the log before the request
    in_order: bool = True  # a request takes the unused tag with the lowest number
    void_shows: bool = True  # the holder's own void has the secret
    owes: bool = True  # after another's void no further request names the holder before the secret is shown
    seal_shows: bool = True  # a further seal takes the secret of the last tag before it
    record: bool = True  # nothing of the game hangs on a secret roll
    purpose_first: bool = True  # a hidden purpose stands in the request, as a hash
    file_holds: bool = True  # a show holds as a file beside the log, after the close too
    show_taken: bool = True  # a valid show is refused in no state between rolls
    owed_lapses: bool = True  # an owed request that its holder cannot take holds its author up no more


@dataclass(frozen=True)
class Game:
    """Who contributes, who cheats. `stolen`: the coalition has the holder's signing key, and none of its secrets."""

    policy: str  # "all", or "list": the keeper and anna
    coalition: Parties
    stolen: bool = False
    requests: int = 2
    rules: Rules = Rules()

    @property
    def contributors(self) -> tuple[str, ...]:
        return (KEEPER, ANNA, GM) if self.policy == "all" else (KEEPER, ANNA)

    def closer(self, author: str) -> str:
        return author if author in self.contributors else self.contributors[-1]

    def signs_as_gm(self) -> bool:
        return self.stolen or GM in self.coalition


class State(NamedTuple):
    """One state of the world."""

    phase: str = "idle"
    made: int = 0
    author: str = ""
    known: Parties = NOBODY  # honest contributors whose links for the request have left them
    refused: bool = False  # the closer told an honest judge that it has not opened, and opens no more
    shown: bool = False  # the secret of the latest request is in the log, or in a file
    disliked: bool = False  # it was called off when the coalition knew its dice
    owed_secret: bool = False  # it was called off by another than its holder, and its secret is not in the log
    owes: str = ""  # who owes the request that was called off
    left: bool = False  # the holder has left
    thiefs: bool = False  # the latest seal is the thief's, who has its secrets


@dataclass(frozen=True)
class Event:
    """Something that a claim is about."""

    claim: str
    what: str
    roller: str = ""


Step = tuple[str, State]


def has_secret(game: Game, state: State) -> bool:
    """Whether the coalition has the secret of the latest request."""
    return GM in game.coalition or state.shown or state.thiefs or not game.rules.secret_in_seed


def has_links(game: Game, state: State) -> bool:
    return (game.coalition | state.known).issuperset(game.contributors)


def dice_known(game: Game, state: State) -> bool:
    return has_secret(game, state) and has_links(game, state)


def steps(game: Game, state: State) -> Iterator[Step]:
    match state.phase:
        case "idle":
            yield from idle(game, state)
        case "pending":
            yield from pending(game, state)
        case "voided":
            yield "the keeper discloses", state._replace(phase="idle")
        case "closed" if game.rules.file_holds and wants_to_show(state):
            yield "the holder shows it in a file", state._replace(shown=True)


def wants_to_show(state: State) -> bool:
    return state.made > 0 and not state.shown and not state.thiefs


def idle(game: Game, state: State) -> Iterator[Step]:
    yield "the keeper closes the game", state._replace(phase="closed")
    if not state.left:
        yield "the holder leaves", state._replace(left=True)
    if wants_to_show(state):
        if game.rules.show_taken or not state.owes:
            yield "the holder shows it", state._replace(shown=True, owed_secret=False)
        if game.rules.file_holds:
            yield "the holder shows it in a file", state._replace(shown=True)
    if game.stolen and not game.rules.seal_shows and not state.thiefs:
        yield "a thief seals in the holder's name", state._replace(thiefs=True)
    held_up = state.owed_secret and game.rules.owes
    if state.made == game.requests or state.left or held_up:
        return
    for author in ASKING:
        if state.owes in ("", author):
            yield f"{author} asks for a secret roll", State("pending", state.made + 1, author, thiefs=state.thiefs)


def pending(game: Game, state: State) -> Iterator[Step]:
    closer = game.closer(state.author)
    others = [party for party in game.contributors if party not in (KEEPER, closer)]
    for party in game.contributors:
        if party in game.coalition | state.known or party == KEEPER:
            continue
        ready = party != closer or all(other in game.coalition | state.known for other in others)
        if ready and not (party == closer and state.refused):
            yield f"{party} opens", state._replace(known=state.known | {party})
    if all(party in game.coalition | state.known for party in game.contributors if party != KEEPER):
        yield "the keeper reveals", state._replace(phase="idle", known=state.known | {KEEPER})
    yield from voids(game, state, closer)
    yield "the keeper closes the game", state._replace(phase="closed")


def voids(game: Game, state: State, closer: str) -> Iterator[Step]:
    disliked = dice_known(game, state)
    called_off = state._replace(phase="voided", owes=state.author, disliked=disliked)
    # A closer that has opened signs no void, if it is honest.
    if closer in game.coalition or closer not in state.known:
        if closer != GM:
            yield f"{closer} calls the roll off", called_off._replace(owed_secret=not state.shown)
        elif game.rules.void_shows:
            yield "the holder calls its roll off, with its secret", called_off._replace(shown=True)
        else:
            yield "the holder calls its roll off", called_off
    if closer == GM and game.stolen and GM not in game.coalition and not game.rules.void_shows:
        yield "a thief calls the roll off in the holder's name", called_off
    told = closer in game.coalition or state.refused
    if closer not in game.coalition | state.known and not state.refused:
        yield f"{closer} tells the judge that it has not opened", state._replace(refused=True)
    if JUDGE in game.coalition or told:
        yield "the judge calls the roll off", called_off._replace(owed_secret=not state.shown)


def events(game: Game, before: State, label: str, after: State) -> Iterator[Event]:
    """What claims are about, in one step."""
    if before.phase == "pending" and after.phase == "voided" and after.disliked:
        yield Event("repeat", label.split(" calls")[0], before.author)
    if label.endswith("asks for a secret roll") and before.disliked and not before.shown:
        yield Event("unseen", "a roll that was called off with its dice known stays hidden, and the next is asked for")
    if label.startswith("a thief"):
        yield Event("pose", label)
    if after.phase == "pending":
        yield from dice(game, after)
    if label == "the keeper reveals":
        yield from picks(game.rules)
    yield from kept_from(game.rules, after)


def dice(game: Game, state: State) -> Iterator[Event]:
    """Who knows the dice of the request, and who chose them."""
    if dice_known(game, state) and GM not in game.coalition and not state.shown:
        yield Event("predict", "before the holder has shown it")
    afterwards = not game.rules.tags_first or not game.rules.in_order
    if GM in game.coalition and afterwards and has_links(game, state):
        yield Event("choose", "the holder, when it has seen the links", state.author)
    if dice_known(game, state) and game.coalition.issuperset(game.contributors):
        yield Event("choose", "all its contributors, and the holder", state.author)


def picks(rules: Rules) -> Iterator[Event]:
    """What a holder that knows its dice still decides."""
    if not rules.record:
        yield Event("pick", "the holder, which of its rolls counts")
    if not rules.purpose_first:
        yield Event("pick", "the holder, what its roll was for")


def kept_from(rules: Rules, state: State) -> Iterator[Event]:
    """Who is kept from showing a roll, or from asking for one."""
    if state.phase == "closed" and wants_to_show(state) and KEEPER in state.known and not rules.file_holds:
        yield Event("gag", "who holds a roll can show it to nobody")
    if state.phase == "idle" and state.owed_secret and not rules.show_taken:
        yield Event("gag", "who owes a secret cannot show it")
    if state.phase == "idle" and state.owes and state.left and not rules.owed_lapses:
        yield Event("stuck", f"{state.owes} owes a roll that nobody can take", state.owes)


def search(game: Game) -> Found[Event]:
    def moves(state: State) -> Iterator[tuple[str, State, Iterable[Event]]]:
        for label, then in steps(game, state):
            yield label, then, events(game, state, label, then)

    return state_search.search(State(), moves)


def expected(game: Game, event: Event) -> bool:
    """Whether the pages say that this coalition can do this (specs/security.md)."""
    cheats = game.coalition
    match event.claim:
        case "choose":
            return cheats.issuperset({*game.contributors, GM})
        case "repeat":
            judged = event.what == "the judge" and JUDGE in cheats
            return cheats >= {KEEPER, GM} and (game.closer(event.roller) in cheats or judged)
        case _:
            return False


def must_find(game: Game) -> set[Event]:
    """What the coalition must be able to do, so that the model is known to see it."""
    found = set()
    for roller in ASKING:
        closer = game.closer(roller)
        if game.coalition >= {KEEPER, GM, closer}:
            found.add(Event("repeat", closer if closer != GM else "the holder", roller))
        if game.coalition >= {KEEPER, GM, JUDGE}:
            found.add(Event("repeat", "the judge", roller))
        if game.coalition.issuperset({*game.contributors, GM}):
            found.add(Event("choose", "all its contributors, and the holder", roller))
    return found


CLAIMS = {
    "predict": "nobody but its holder knows the dice of a secret roll before they are shown",
    "choose": "only all its contributors and the holder together choose the dice of a secret roll",
    "repeat": "a secret roll whose dice were known is repeated only by keeper and holder, with its closer or a judge",
    "unseen": "what such a roll would have shown comes out, or its holder has no further secret roll",
    "pick": "no holder picks which of its rolls counts, or what it was for, when it knows the dice",
    "gag": "no keeper keeps a holder from showing a roll, in any state, after the close neither",
    "stuck": "nobody is held up by a secret roll that its holder cannot take",
    "pose": "a thief of a holder's signing key neither seals nor calls off in its name",
}
POLICIES = ("all", "list")


def check(large: bool) -> tuple[list[Result], list[str]]:
    """Each claim over all coalitions, with the holder's signing key stolen too; and the table of second rolls."""
    bad: dict[str, tuple[str, ...]] = {}
    able: dict[tuple[str, str], set[Parties]] = {}
    states = 0
    for policy, coalition, stolen in product(POLICIES, coalitions(PARTIES), (False, True)):
        game = Game(policy, coalition, stolen=stolen and GM not in coalition, requests=4 if large else 3)
        result = search(game)
        states += result.states
        who = f"{policy}; {' + '.join(sorted(coalition)) or 'nobody'} cheat"
        for event, trace in result.events.items():
            if event.claim == "repeat" and not stolen:
                able.setdefault((policy, event.roller), set()).add(coalition)
            if not expected(game, event):
                bad.setdefault(event.claim, (who, f"{event.what} {event.roller}".strip(), *trace))
        for event in must_find(game) - result.events.keys():
            bad.setdefault(event.claim, (who, "the model does not find what this coalition can do", str(event)))
    results = [Result(text, states, claim not in bad, bad.get(claim, ())) for claim, text in CLAIMS.items()]
    return results, list(table(able))


def table(able: dict[tuple[str, str], set[Parties]]) -> Iterator[str]:
    """The smallest coalitions that know the dice of a secret roll, and have it asked for again."""
    yield f"{'contributors':<13}{'who asks':<11}{'holder':<8}know, and repeat it (void)"
    for policy, roller in product(POLICIES, ASKING):
        some = able.get((policy, roller), set())
        least = [each for each in some if not any(other < each for other in some)]
        who = " or ".join(sorted(" + ".join(sorted(each)) for each in least)) or "nobody"
        yield f"{policy:<13}{roller:<11}{GM:<8}{who}"


class Attack(NamedTuple):
    """A rule taken away: and what is then found."""

    what: str
    game: Game
    claim: str


def _without(coalition: Iterable[str], policy: str = "all", *, stolen: bool = False, **rules: bool) -> Game:
    return Game(policy, frozenset(coalition), stolen=stolen, rules=Rules(**rules))


OLD = (
    Attack("the seed takes links alone: keeper and anna know gm's dice",
           _without([KEEPER, ANNA], "list", secret_in_seed=False), "predict"),
    Attack("the secret is drawn when it is used: keeper and holder choose dice that anna is part of",
           _without([KEEPER, GM], tags_first=False), "choose"),
    Attack("any unused tag can be taken: keeper and holder choose among as many dice",
           _without([KEEPER, GM], in_order=False), "choose"),
    Attack("the holder's void keeps the secret: it calls off what it does not like, unseen",
           _without([KEEPER, GM], void_shows=False), "unseen"),
    Attack("the holder owes no secret after another's void: with a judge it goes on, unseen",
           _without([KEEPER, GM, JUDGE], owes=False), "unseen"),
    Attack("a seal shows no secret: a thief of the signing key goes on in the holder's name",
           _without([KEEPER], stolen=True, seal_shows=False), "pose"),
    Attack("a void takes no secret: a thief of the signing key calls the holder's rolls off",
           _without([KEEPER], stolen=True, void_shows=False), "pose"),
    Attack("the game hangs on a secret roll: its holder alone picks the one that counts",
           _without([GM], record=False), "pick"),
    Attack("the purpose is said with the dice: the holder says afterwards what they were for",
           _without([GM], purpose_first=False), "pick"),
    Attack("a show stands in the log alone: the keeper takes none, and closes",
           _without([KEEPER], file_holds=False), "gag"),
    Attack("a show waits while something is owed: the holder owes a secret that it cannot show",
           _without([], show_taken=False), "gag"),
    Attack("an owed request stays owed whatever becomes of its holder: anna is held up for good",
           _without([GM], owed_lapses=False), "stuck"),
)  # fmt: skip


def attacks() -> list[Result]:
    """Each is good if it is found; with the shortest way there."""
    results = []
    for attack in OLD:
        found = search(attack.game)
        unexpected = [
            way
            for event, way in found.events.items()
            if event.claim == attack.claim and not expected(attack.game, event)
        ]
        results.append(Result(attack.what, found.states, bool(unexpected), min(unexpected, key=len, default=())))
    return results
