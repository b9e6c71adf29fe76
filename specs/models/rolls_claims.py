"""What must hold of the roll, and what each coalition must be able to do: the claims on the model in `rolls.py`.

An event is something that a claim is about. `check` searches each game for its events, and compares them with what the
pages say that this coalition can do, both ways. `attacks` takes rules away, and searches for what is then possible.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import state_search
from rolls import (
    ANNA,
    BOB,
    JUDGE,
    KEEPER,
    NOBODY,
    ROLLERS,
    SERVER,
    WITNESS,
    Game,
    Parties,
    Rules,
    State,
    dice_known,
    holds,
    reveals,
    steps,
)
from state_search import Result, coalitions

HERE = ", of one who is here and let no two turns pass"
GONE = ", of one who is gone or let two turns pass"


@dataclass(frozen=True)
class Event:
    """Something that a claim is about, and the contributors of the roll that it happened to."""

    claim: str
    what: str
    roller: str = ""
    contributors: Parties = NOBODY


def events(game: Game, before: State, label: str, after: State) -> Iterator[Event]:
    """What claims are about, in one step."""
    gone = after.away - before.away
    if gone and not label.startswith((min(gone), "a thief")):
        party = min(gone)
        # Who was off when the roll was called off, and had not opened for it; and is off, or was so twice.
        let_pass = party in before.slept and (party in before.off or party in before.slept_twice)
        let_pass = let_pass and party not in before.backs
        who = label.partition(" sign")[0]
        yield Event("remove", who + (GONE if let_pass else HERE) if who == SERVER else who, min(gone))
    if before.phase == "pending" and after.phase != "pending" and dice_known(game, before):
        yield from ended(game, before, after)
    if after.phase == "pending" and dice_known(game, after):
        yield from early(game, after)
    if after.phase == "pending":
        yield from bound(game, after)
    if after.author:
        yield from blame(game, after)


def ended(game: Game, before: State, after: State) -> Iterator[Event]:
    """What becomes of a request whose dice the coalition knows."""
    able = frozenset(game.contributors(before.author, before.away))
    closer = game.closer(before.author, before.away)
    if after.void:
        author = after.void.author
        yield Event("repeat", "closer" if author == closer else author, before.author, able)
        names_closer = author == JUDGE and closer in after.void.missing and game.signs_for(closer)
        if not game.signs_for(author) and not names_closer:
            yield Event("visible", f"{author}, who is honest, repeats it", before.author)
    elif after.phase == "closed":
        yield Event("leave", "closed", before.author, able)


def early(game: Game, state: State) -> Iterator[Event]:
    """Who was not asked for the dice that the coalition knows."""
    able = frozenset(game.contributors(state.author, state.away))
    # Honest contributors who have not opened and still can, or in whose place the coalition opens.
    blind = (able - game.coalition - state.out - state.stopped - state.renewing - {KEEPER}) | (able & state.replaced)
    if game.honest(KEEPER) and KEEPER not in state.known:
        blind |= {KEEPER}
    if blind:
        yield Event("predict", "before " + min(blind) + " has opened", state.author, able)
    elif able <= game.coalition:
        yield Event("choose", "all its contributors", state.author, able)


def bound(game: Game, state: State) -> Iterator[Event]:
    """An honest closer that can call its roll off no more, and still waits for somebody."""
    able = game.contributors(state.author, state.away)
    closer = game.closer(state.author, state.away)
    if game.honest(closer) and closer in state.opened:
        for party in able:
            if party not in (KEEPER, closer) and (party, closer) not in state.held:
                yield Event("bound", f"{closer} has opened, and waits for {party}", state.author)


def blame(game: Game, state: State) -> Iterator[Event]:
    """Statements that show an honest party to have broken a rule."""
    for void in state.voids:
        honest = game.honest(void.author)
        if honest and void.author in state.out:
            yield Event("blame", f"{void.author}: an opening and a void")
        if honest and not game.signs_for(void.author):
            for party in sorted(void.missing):
                by = KEEPER if game.keepers_judge and void.author == JUDGE else void.author
                if (party, by) in state.held:
                    yield Event("blame", f"{void.author}: a receipt for an opening that its void calls missing")
        if game.rules.keeper_voids and void.author == KEEPER and state.void == void:
            for party in sorted(void.missing):
                yield Event("blame", f"{party}: named by the keeper's void")
    if game.honest(KEEPER) and state.disclosed is not None and holds(state) - state.disclosed:
        yield Event("blame", "keeper: a receipt for an opening that its disclose lacks")


class Searched(NamedTuple):
    """What was found in one game, as in `state_search.Found`."""

    states: int
    events: dict[Event, tuple[str, ...]]
    stuck: bool  # a request that waits can come to no reveal although nobody has called it off


def search(game: Game, progress: bool = False) -> Searched:
    """All states; `progress` also asks whether each request that nobody calls off can come to dice."""
    start = State(away=game.late - {JUDGE})
    before: dict[State, list[State]] = {}

    def moves(state: State) -> Iterator[tuple[str, State, Iterable[Event]]]:
        for label, then in steps(game, state):
            if progress:
                before.setdefault(then, []).append(state)
            yield label, then, events(game, state, label, then)

    found = state_search.search(start, moves)
    stuck = bool(progress and _stuck(game, (start, *before), before))
    return Searched(found.states, found.events, stuck)


def _stuck(game: Game, states: Iterable[State], before: dict[State, list[State]]) -> list[State]:
    """States that wait, with nobody who has called off or refused, from which no reveal can be reached."""
    able = {state for state in states if state.phase == "pending"
            and reveals(game, state, game.contributors(state.author, state.away))}  # fmt: skip
    queue = deque(able)
    while queue:
        for state in before.get(queue.popleft(), ()):
            if state not in able:
                able.add(state)
                queue.append(state)
    waits = [state for state in states if state.phase == "pending" and not state.voids and not state.refused]
    return [state for state in waits if state not in able]


CLAIMS = {
    "predict": "no dice are known before every honest contributor has opened",
    "choose": "only all contributors of a roll together choose its dice",
    "repeat": "a roll whose dice were known is repeated only by keeper and closer, or by keeper and judge",
    "leave": "a roll whose dice were known is left only by the keeper, who closes the game",
    "remove": "a contributor is signed away only by itself, a judge, or two or more where event 0 says so; with the "
    "keeper's judge and an honest server only who is gone, or let two turns in a row pass and is not back since",
    "bound": "as long as somebody else but the keeper has not opened, an honest closer can call the roll off",
    "blame": "no statements show an honest party to have broken a rule",
    "visible": "whoever repeats a roll signs the void, or is the closer whom a judge's void names",
    "progress": "among honest parties every request that nobody calls off can come to its dice",
}
POLICIES = ("all", "roller", "list")


def expected(game: Game, event: Event) -> bool:
    """Whether the page says that this coalition can do this (specs/security.md)."""
    keeper = KEEPER in game.coalition
    judge = JUDGE in game.coalition and (JUDGE not in game.late or consents(game))
    match event.claim:
        case "choose":
            return event.contributors <= game.coalition
        case "repeat":
            able = [party for party in game.parties if party in event.contributors]
            closer = event.roller if event.roller in able else [party for party in able if party != KEEPER][-1]
            return keeper and (closer in game.coalition or (judge and event.what == JUDGE))
        case "leave":
            return keeper
        case "remove" if game.keepers_judge and not keeper:
            gone = event.roller in game.coalition or event.what.endswith(GONE)
            return event.what.startswith(SERVER) and gone
        case "remove":
            calling = game.coalition - (NOBODY if consents(game) else game.late)
            return judge if event.what == "the judge" else game.away_by_others and len(calling) > 1
        case _:
            return False


def consents(game: Game) -> bool:
    """Whether all who are asked for their consent cheat."""
    return game.coalition >= set(ROLLERS)


def must_find(game: Game) -> set[Event]:
    """What the coalition must be able to do where nobody is away, so that the model is known to see it."""
    found = set()
    for roller in ROLLERS:
        able = frozenset(game.contributors(roller, NOBODY))
        closer = game.closer(roller, NOBODY)
        if able <= game.coalition:
            found.add(Event("choose", "all its contributors", roller, able))
        if game.coalition >= {KEEPER, closer}:
            found.add(Event("repeat", "closer", roller, able))
        if game.coalition >= {KEEPER, JUDGE} and (JUDGE not in game.late or consents(game)):
            found.add(Event("repeat", JUDGE, roller, able))
        if KEEPER in game.coalition:
            found.add(Event("leave", "closed", roller, able))
        if JUDGE in game.coalition and not game.keepers_judge and (JUDGE not in game.late or consents(game)):
            found.add(Event("remove", "the judge", roller))
        if game.keepers_judge and game.honest(KEEPER) and roller in able and len(game.may_contribute()) > 2:
            found.add(Event("remove", SERVER + (HERE if roller in game.coalition else GONE), roller))
    return found


def table(found: Mapping[tuple[str, Parties], Iterable[Event]]) -> Iterator[str]:
    """The smallest coalitions that can do each thing, as computed: for each policy and roll."""
    yield f"{'contributors':<13}{'who rolls':<11}{'what':<30}smallest coalitions"
    words = {
        "choose": "choose the dice",
        "repeat": "know, and repeat it (void)",
        "leave": "know, and leave it (close)",
        "remove": "sign the roller away",
    }
    for policy in POLICIES:
        for roller in ROLLERS:
            for claim, word in words.items():
                able = {
                    coalition
                    for (of, coalition), events in found.items()
                    for event in events
                    if of == policy and (event.claim, event.roller) == (claim, roller) and in_full(policy, event, found)
                }
                least = [some for some in able if not any(other < some for other in able)]
                who = " or ".join(sorted(" + ".join(sorted(some)) for some in least)) or "nobody"
                yield f"{policy:<13}{roller:<11}{word:<30}{who}"


def phone_dies(served: Mapping[Parties, Iterable[Event]]) -> Iterator[str]:
    """*If somebody's phone dies?* (specs/page.md): the smallest coalitions, by answer; contributors `all`.

    `served`: what each coalition can do where the others go on without who is gone.
    """
    two = (KEEPER, ANNA, BOB)
    waits = {some: search(Game(two, "all", some)).events for some in coalitions(two)}
    yield f"{'if a phone dies':<17}{'what':<30}smallest coalitions, of the roll of {ANNA}"
    words = {"repeat": "know, and repeat it (void)", "remove": f"sign {ANNA} away"}
    for answer, found in (("go on", served), ("wait", waits)):
        for claim, word in words.items():
            able = [
                some
                for some, events in found.items()
                for event in events
                if (event.claim, event.roller) == (claim, ANNA)
            ]
            least = {some for some in able if not any(other < some for other in able)}
            who = " or ".join(sorted(" + ".join(sorted(some)) or "no cheat is needed" for some in least)) or "nobody"
            yield f"{answer:<17}{word:<30}{who}"


def in_full(policy: str, event: Event, found: Mapping[tuple[str, Parties], Iterable[Event]]) -> bool:
    """Whether the roll had all contributors that it has when nobody is away."""
    parties = sorted({party for _, coalition in found for party in coalition}, key=ORDER.index)
    full = frozenset(Game(tuple(parties), policy, NOBODY).contributors(event.roller, NOBODY))
    return event.claim == "remove" or event.contributors == full


ORDER = (KEEPER, ANNA, BOB, WITNESS, JUDGE)
SMALL = (KEEPER, ANNA, BOB, JUDGE)
LATE = (
    (SMALL, frozenset({JUDGE})),
    ((KEEPER, ANNA, BOB, WITNESS), frozenset({WITNESS})),
)
"""who sits at the table, and who of them comes later"""


def check(large: bool) -> tuple[list[Result], list[str]]:
    """Each claim over all coalitions and policies, and the table of what coalitions can do."""
    parties = ORDER if large else SMALL
    bad: dict[str, tuple[str, ...]] = {}
    found: dict[tuple[str, Parties], Iterable[Event]] = {}
    states, waiting = 0, 0
    for by_others, policy in product((False, True), POLICIES):
        for coalition in coalitions(parties):
            game = Game(parties, policy, coalition, renewals=True, away_by_others=by_others, requests=3 if large else 2)
            result = search(game, progress=not coalition)
            states += result.states
            waiting += 0 if coalition else result.states
            if not by_others:
                found[policy, coalition] = result.events
            who = f"{policy}; {' + '.join(sorted(coalition)) or 'nobody'} cheat"
            compare(game, result, who, bad)
    served: dict[Parties, Iterable[Event]] = {}
    for policy, coalition in product(POLICIES, coalitions(parties)):
        if (KEEPER in coalition) == (JUDGE in coalition):
            game = Game(parties, policy, coalition, away_by_others=True, keepers_judge=True, requests=2)
            result = search(game)
            states += result.states
            served |= {coalition: result.events} if policy == "all" else {}
            who = f"{policy}, the keeper's judge; {' + '.join(sorted(coalition)) or 'nobody'} cheat"
            compare(game, result, who, bad)
    for policy, (seats, late), coalition in product(POLICIES, LATE, coalitions(ORDER)):
        if coalition <= set(seats):
            game = Game(seats, policy, coalition, away_by_others=True, late=late, requests=3 if large else 2)
            result = search(game)
            states += result.states
            who = f"{policy}, {' and '.join(sorted(late))} later; {' + '.join(sorted(coalition)) or 'nobody'} cheat"
            compare(game, result, who, bad)
    results = [
        Result(text, waiting if claim == "progress" else states, claim not in bad, bad.get(claim, ()))
        for claim, text in CLAIMS.items()
    ]
    results.append(thief(parties))
    return results, [*table(found), "", *phone_dies(served)]


def compare(game: Game, result: Searched, who: str, bad: dict[str, tuple[str, ...]]) -> None:
    """Note in `bad`, by claim, the first game in which a coalition can do more, or less, than the page says."""
    for event, trace in result.events.items():
        if not expected(game, event):
            bad.setdefault(event.claim, (who, f"{event.what} {event.roller}".strip(), *trace))
    for event in must_find(game) - result.events.keys():
        bad.setdefault(event.claim, (who, "the model does not find what this coalition can do", str(event)))
    if result.stuck:
        bad.setdefault("progress", (who,))


def thief(parties: tuple[str, ...]) -> Result:
    """A stolen signing key without links, no renewal under way: what the thief cannot do."""
    states = 0
    trace: tuple[str, ...] = ()
    for policy in POLICIES:
        for coalition in coalitions(parties):
            if ANNA in coalition:
                continue
            result = search(Game(parties, policy, coalition, stolen=frozenset({ANNA})))
            states += result.states
            for event in result.events:
                if event.claim == "predict":
                    trace = trace or (policy, *result.events[event])
    return Result(
        "a stolen signing key, without links, replaces no chain and predicts no dice", states, not trace, trace
    )


class Attack(NamedTuple):
    """A rule taken away, or something that is assumed not to happen: and what is then found."""

    what: str
    game: Game
    claim: str
    names: str  # what the event's words begin with
    roller: str = ""  # whose roll, if not anybody's


def _with(coalition: Iterable[str], policy: str = "all", **rules: object) -> Game:
    return Game(SMALL, policy, frozenset(coalition), rules=Rules(**rules))  # type: ignore[arg-type]


def _served(coalition: Iterable[str], **rules: object) -> Game:
    """At a table with the server's judge, where the others may sign a party away."""
    return Game(
        SMALL, "all", frozenset(coalition), away_by_others=True, keepers_judge=True, rules=Rules(**rules)  # type: ignore[arg-type]
    )  # fmt: skip


def _late(coalition: Iterable[str], who: str, **rules: object) -> Game:
    """Somebody comes later, where the others may sign a party away."""
    seats = (KEEPER, ANNA, BOB, who)
    return Game(seats, "all", frozenset(coalition), away_by_others=True, late=frozenset({who}), rules=Rules(**rules))  # type: ignore[arg-type]


OLD = (
    Attack("the keeper voids: it repeats a roll alone", _with([KEEPER], keeper_voids=True), "repeat", KEEPER),
    Attack("the keeper voids: an honest player is blamed", _with([KEEPER], keeper_voids=True), "blame", ANNA),
    Attack("the seed is keyed by the keeper's link: nothing is assumed of it when the keeper cheats",
           _with([KEEPER], keyed_by_keeper=True), "predict", "before"),
    Attack("a commit shows no link: a thief of anna's signing key, with the others, chooses dice that she is part of",
           Game(SMALL, "all", frozenset({KEEPER, BOB}), stolen=frozenset({ANNA}),
                rules=Rules(renewal_shows_link=False)), "predict", f"before {ANNA}"),
    Attack("a judge asks only whom it is to name: keeper and bob, who does not roll, repeat anna's roll",
           Game(SMALL, "all", frozenset({KEEPER, BOB}), rules=Rules(judge_asks="named")), "visible", JUDGE, ANNA),
    Attack("a judge asks, and who answers may open later: the keeper alone repeats a roll, the void in hand",
           _with([KEEPER], judge_asks="named"), "visible", JUDGE),
    Attack("a judge voids because the keeper's opening is missing: the keeper alone repeats a roll",
           _with([KEEPER], judge_asks="named", keeper_asked=True), "visible", JUDGE),
    Attack("all others may sign a party away: the keeper does it alone while anna is away",
           Game(SMALL, "all", frozenset({KEEPER}), away_by_others=True, rules=Rules(calls_alone=True)),
           "remove", "all others"),
    Attack("a judge who came later needs no consent: the keeper and its friend repeat a roll",
           _late([KEEPER, JUDGE], JUDGE, newcomer_judges=True), "repeat", JUDGE),
    Attack("who is away is not asked: with anna, the keeper has its judge consented to while bob is away",
           _late([KEEPER, JUDGE, ANNA], JUDGE, present_consent=True), "repeat", JUDGE, BOB),
    Attack("who came later calls without consent: the keeper and its friend sign bob away while anna is away",
           _late([KEEPER, WITNESS], WITNESS, newcomer_calls=True), "remove", "all others", BOB),
    Attack("the closer opens before the others: bob, who does not open, holds anna's roll up for good",
           _with([BOB], closer_first=True), "bound", ANNA, ANNA),
    Attack("receipts are given at any time: an honest closer is blamed for an opening that came after its void",
           _with([BOB], late_receipts=True), "blame", ANNA),
    Attack("receipts are given at any time: an honest judge is blamed",
           _with([BOB], late_receipts=True), "blame", JUDGE),
    Attack("receipts are given at any time: an honest keeper is blamed",
           _with([BOB], late_receipts=True), "blame", KEEPER),
    Attack("a void names whose openings its author has: an honest closer is blamed",
           _with([BOB], names_received=True), "blame", ANNA),
    Attack("a void names whose openings its author has: an honest judge is blamed",
           _with([BOB], names_received=True), "blame", JUDGE),
    Attack("the keeper's judge names whose openings the keeper has: an honest server is blamed",
           _served([BOB], names_received=True), "blame", JUDGE),
    Attack("the keeper's judge names a closer who waits for others: bob, who does not open, signs anna away",
           _served([BOB], names_closer=True), "remove", SERVER + HERE, ANNA),
    Attack("the closer's turn has no time of its own: bob opens in the last moment, twice, and signs anna away",
           _served([BOB], turns=False), "remove", SERVER + HERE, ANNA),
    Attack("a void counts again after a `back`: bob signs anna away, who is back",
           _served([BOB], old_voids=True), "remove", SERVER + HERE, ANNA),
    Attack("a closer's void counts at once: anna calls off at once, and signs bob away, who goes offline later",
           _served([ANNA], closer_waits=False), "remove", SERVER + HERE, BOB),
    Attack("nobody asks whether the keeper has the opening: anna signs bob away, who has opened",
           _served([ANNA], asks_openings=False), "remove", SERVER + HERE, BOB),
    Attack("the keeper calls away whom it hears: bob signs anna away, who let one turn pass and is connected",
           _served([BOB], heard=False), "remove", SERVER + HERE, ANNA),
)  # fmt: skip

LIMITS = (
    Attack("keeper and bob with anna's stolen signing key, her renewal held back: they choose dice that she is part of",
           Game(SMALL, "all", frozenset({KEEPER, BOB}), stolen=frozenset({ANNA}), renewals=True),
           "predict", f"before {ANNA}"),
    Attack("the keeper with anna's stolen signing key calls her roll off when it knows the dice",
           Game(SMALL, "all", frozenset({KEEPER}), stolen=frozenset({ANNA})), "repeat", "closer"),
    Attack("anna's whole machine is put back: the keeper repeats her roll",
           Game(SMALL, "all", frozenset({KEEPER}), restored=frozenset({ANNA})), "repeat", "closer"),
    Attack("the keeper's whole machine is put back: anna repeats her roll",
           Game(SMALL, "all", frozenset({ANNA}), restored=frozenset({KEEPER})), "repeat", "closer"),
)  # fmt: skip


def attacks(some: Iterable[Attack]) -> list[Result]:
    """Each is good if it is found; with the shortest way there."""
    results = []
    for attack in some:
        found = search(attack.game)
        traces = [
            trace
            for event, trace in found.events.items()
            if event.claim == attack.claim and event.what.startswith(attack.names) and attack.roller in event.roller
        ]
        results.append(Result(attack.what, found.states, bool(traces), min(traces, key=len, default=())))
    early = Game(SMALL, "all", NOBODY, renewals=True, rules=Rules(renews_early=True))
    if some is OLD:
        stuck = search(early, progress=True)
        results.append(
            Result("a chain is renewed early: a request that comes first waits for ever", stuck.states, stuck.stuck)
        )
    return results
