"""A lost browser against every coalition: an explicit-state model, searched to its end (specs/models/README.md).

The place is bob's, who is honest. Other honest parties sign away whom they believe gone, whenever the rules let them;
they consent only to a key that bob has told them is his. Everything else is the coalition's, and the log's order is
the keeper's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

import state_search
from state_search import Found, Result

Parties = frozenset[str]
NOBODY: Parties = frozenset()
KEEPER, ANNA, BOB, CARL, CORA, JUDGE, ORGANIZER = "keeper", "anna", "bob", "carl", "cora", "judge", "organizer"
"""cora comes later, and nobody honest consents to her; the organizer sits at no table"""
CHEATS = (KEEPER, ANNA, CARL, CORA, JUDGE, ORGANIZER)

OLD, NEW, THEIRS, NO_HAND = "bob's old key", "bob's new key", "a key of the coalition's", "a key that nobody plays with"
RECOVERY, WORD, EVENT = "the recovery key", "all others' word", "the event's word"


@dataclass(frozen=True)
class Rules:
    """The rules of a replacement. Each default is today's; each other value is an attack."""

    away_first: bool = True  # a replace comes, and takes effect, while the party is away only
    back_ends: bool = True  # a replace that waits has ended when the party is back
    join_takes: bool = True  # it takes effect with the new key's own join
    old_key_ends: bool = True  # from the join on nothing of the name's holds by the old key
    recovery_fixed: bool = True  # the recovery key stands in the join of the party's present key
    two_others: bool = True  # others' word are two or more
    all_of_them: bool = True  # all who play are asked, who is away too
    all_joined: bool = True  # no replace before every player of event 0 has joined or left
    no_newcomers: bool = True  # a newcomer's consent counts for nothing
    each_anew: bool = True  # a consent is to one replace
    others_away: bool = True  # others' word reaches only who was signed away by another
    for_good: bool = True  # a name by others' word accepts nothing, whatever brings later keys
    organizer_signs: bool = True  # the event's word is an organizer's
    judge_away: bool = True  # the event's word reaches only whom a judge has signed away
    event_marks: bool = True  # a name by the event's word is one by others' word


@dataclass(frozen=True)
class Game:
    """Who sits there, who cheats. Bob is honest, and a guest of the keeper's."""

    players: tuple[str, ...]  # of event 0
    coalition: Parties
    recovery: bool = True  # bob's join named a recovery key
    stolen: Parties = NOBODY  # what the coalition has: OLD (the signing key), RECOVERY
    judge: bool = False  # there is a judge
    late: bool = False  # cora is there too
    event: bool = False  # it is a table of an event, which has an organizer and a judge
    rules: Rules = Rules()

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(party for party in self.players if party != BOB)

    def honest(self, party: str) -> bool:
        return party not in self.coalition


class State(NamedTuple):
    """One state of the world."""

    joined: Parties  # players of event 0 who have joined
    lost: bool = False  # bob's old browser is gone for good
    hand: str = OLD  # who has the name
    away: str = ""  # by whose word it is away: "" not at all, "its own", "another's", "a judge's"
    gone: Parties = NOBODY  # others who are away
    way: str = ""  # of the replace that waits
    key: str = ""  # to which it goes
    consents: Parties = NOBODY
    by_word: bool = False  # the name has gone on by others' word
    outlived: bool = False  # the party was back while it waited
    replaces: int = 0
    backs: int = 0


@dataclass(frozen=True)
class Event:
    """Something that a claim is about."""

    claim: str
    what: str = ""


Step = tuple[str, State]
REPLACES, BACKS = 2, 2


def steps(game: Game, state: State) -> Iterator[Step]:
    if not state.lost and state.hand == OLD:
        yield "bob's browser is lost", state._replace(lost=True)
    for party in game.others:
        if party not in state.joined:
            yield f"{party} joins", state._replace(joined=state.joined | {party})
        elif party in state.gone:
            yield f"{party} is back", state._replace(gone=state.gone - {party})
        else:
            yield f"{party} is away", state._replace(gone=state.gone | {party})
    yield from away(game, state)
    yield from replace(game, state)
    yield from consents(game, state)
    yield from joins(game, state)
    if state.hand != OLD and not game.rules.old_key_ends and (not state.lost or OLD in game.stolen):
        yield "the old key signs an event", state


def writes(game: Game, state: State) -> bool:
    """Whether somebody can sign with the key that has the name: bob, or who has it in his place."""
    return state.hand in (NEW, THEIRS) or (state.hand == OLD and (not state.lost or OLD in game.stolen))


def ended(game: Game, state: State) -> State:
    """After the party is back: what waits has ended."""
    if not game.rules.back_ends:
        return state._replace(outlived=bool(state.way))
    return _without_replace(game, state)


def _without_replace(game: Game, state: State) -> State:
    consents = NOBODY if game.rules.each_anew else state.consents
    return state._replace(way="", key="", consents=consents, outlived=False)


def away(game: Game, state: State) -> Iterator[Step]:
    if not state.away:
        if writes(game, state):
            yield "the name signs itself away", state._replace(away="its own")
        callers = [party for party in game.others if party in state.joined and party not in state.gone]
        if len(callers) >= 1:  # with the keeper they are two
            yield "all others sign the name away", state._replace(away="another's")
        if game.judge:
            yield "the judge signs the name away", state._replace(away="a judge's")
        return
    if state.backs < BACKS:
        back = ended(game, state._replace(away="", backs=state.backs + 1))
        if writes(game, state):
            yield "the name is back", back
        if game.judge:
            yield "the judge calls the name back", back


def replace(game: Game, state: State) -> Iterator[Step]:
    """The keeper writes a replace: an honest one takes what it is offered, too."""
    if state.replaces == REPLACES or (game.rules.away_first and not state.away):
        return
    if game.rules.all_joined and state.joined != frozenset(game.others):
        return
    for way, key in offers(game, state):
        if way == EVENT and game.rules.judge_away and state.away != "a judge's":
            continue
        made = _without_replace(game, state)._replace(way=way, key=key, replaces=state.replaces + 1)
        if not game.rules.join_takes and way == RECOVERY:
            made = taken(game, made)
        yield f"the keeper replaces the name by {way}, with {key}", made


def offers(game: Game, state: State) -> Iterator[tuple[str, str]]:
    """Which successions there are, and new keys."""
    if state.hand == THEIRS:
        yield RECOVERY, THEIRS  # its join named one
    elif game.recovery:
        if state.lost and state.hand == OLD:
            yield RECOVERY, NEW
        else:
            yield RECOVERY, NO_HAND  # bob told his league of a key: everybody can read it
        if RECOVERY in game.stolen:
            yield RECOVERY, THEIRS
    if not game.rules.recovery_fixed and OLD in game.stolen and state.hand == OLD:
        yield RECOVERY, THEIRS  # a thief of the signing key names one of its own
    if state.lost and state.hand == OLD:
        yield WORD, NEW
    yield WORD, THEIRS
    if game.event:
        yield from corrections(game, state)


def corrections(game: Game, state: State) -> Iterator[tuple[str, str]]:
    """What an organizer signs: an honest one only a key of which bob has said that it is his."""
    if state.lost and state.hand == OLD:
        yield EVENT, NEW
    if ORGANIZER in game.coalition or not game.rules.organizer_signs:
        yield EVENT, THEIRS


def consents(game: Game, state: State) -> Iterator[Step]:
    if state.way != WORD:
        return
    for party in (*game.others, *((CORA,) if game.late else ())):
        here = party == CORA or (party in state.joined and party not in state.gone)
        if here and party not in state.consents and (not game.honest(party) or state.key == NEW):
            yield f"{party} consents to {state.key}", state._replace(consents=state.consents | {party})


def joins(game: Game, state: State) -> Iterator[Step]:
    if state.key in ("", NO_HAND) or (game.rules.away_first and not state.away):
        return
    if state.way == WORD:
        rules = game.rules
        if rules.others_away and state.away == "its own":
            return
        asked = frozenset(party for party in game.others if party in state.joined)
        if not rules.all_of_them:
            asked -= state.gone
        said = state.consents if not rules.no_newcomers else state.consents - {CORA}
        if not asked <= said or len(said) < (2 if rules.two_others else 1):
            return
    yield f"{state.key} joins", taken(game, state)


def taken(game: Game, state: State) -> State:
    """After the new key took the place of the old one."""
    said = state.way == WORD or (state.way == EVENT and game.rules.event_marks)
    by_word = said or (state.by_word and game.rules.for_good)
    return _without_replace(game, state)._replace(hand=state.key, by_word=by_word)


def events(before: State, label: str, after: State, words: bool) -> Iterator[Event]:
    """What claims are about, in one step. `words`: others' word has brought the name a key before."""
    if before.hand != after.hand or (label.endswith("joins") and before.key == after.hand):
        yield from changed(before, after)
    if label == "the old key signs an event":
        yield Event("two")
    if after.hand in (NEW, THEIRS) and not after.away and words and not after.by_word:
        yield Event("accept")


def changed(before: State, after: State) -> Iterator[Event]:
    if not before.away or before.outlived:
        yield Event("present")
    if after.hand == NO_HAND:
        yield Event("dead")
    if after.hand == THEIRS and before.hand != THEIRS:
        yield Event("take", before.way)
    if after.hand == NEW:
        yield Event("return", before.way)
    if before.way in (WORD, EVENT) and before.away == "its own":
        yield Event("own word")


Node = tuple[State, bool]


def search(game: Game) -> Found[Event]:
    """A state goes with whether others' word has brought the name a key: what the rules remember of it is `by_word`."""
    joined = frozenset(game.others) - ({game.others[-1]} if len(game.others) > 2 else NOBODY)
    start: Node = State(joined), False

    def moves(node: Node) -> Iterator[tuple[str, Node, Iterable[Event]]]:
        state, words = node
        for label, then in steps(game, state):
            after = then, words or (label.endswith("joins") and state.way in (WORD, EVENT) and then.hand == state.key)
            yield label, after, events(state, label, then, after[1])

    return state_search.search(start, moves)


def possible(game: Game) -> set[Event]:
    """What the pages say that there is in this game, all of which the search must find, and nothing else."""
    found = set()
    word = len(game.others) >= 2
    if game.recovery:
        found.add(Event("return", RECOVERY))
        if RECOVERY in game.stolen:
            found.add(Event("take", RECOVERY))
    if word:
        found.add(Event("return", WORD))
        if game.coalition.issuperset(game.others):
            found.add(Event("take", WORD))
    if game.event:
        found.add(Event("return", EVENT))
        if ORGANIZER in game.coalition:
            found.add(Event("take", EVENT))
    return found


CLAIMS = {
    "take": "only a thief of the recovery key, all others who play, two or more, or an organizer of the event behind a "
    "judge's word take an honest player's place",
    "return": "who has lost a browser comes back by its recovery key, by others' word where two others play, or by the "
    "event's word",
    "present": "nobody who is there is replaced: whoever can write ends what waits",
    "dead": "no succession that was told to others ends a living seat",
    "two": "a name has one key at a time",
    "own word": "others' word reaches nobody whom no other's word has signed away",
    "accept": "a name that has gone on by others' word accepts no rolls, by whatever key",
}
TABLES = ((ANNA, BOB), (ANNA, BOB, CARL), (ANNA, BOB, CARL, "dora"))


def games(large: bool) -> Iterator[Game]:
    """Every coalition at each table, with what it may have stolen."""
    for players in TABLES if large else TABLES[:2]:
        cheats = [party for party in CHEATS if party in players or party in (KEEPER, CORA, JUDGE, ORGANIZER)]
        for size in range(len(cheats) + 1):
            for coalition in combinations(cheats, size):
                for recovery, *stolen in product((True, False), ("", OLD), ("", RECOVERY)):
                    if recovery or RECOVERY not in stolen:
                        for event in (True, *((False,) if ORGANIZER not in coalition else ())):
                            yield Game(
                                players, frozenset(coalition), recovery, frozenset(filter(None, stolen)),
                                judge=event or JUDGE in coalition, late=CORA in coalition, event=event,
                            )  # fmt: skip


def check(large: bool) -> list[Result]:
    """Each claim over all coalitions, both ways: nothing that the pages exclude, and all that they say there is."""
    bad: dict[str, tuple[str, ...]] = {}
    states = 0
    for game in games(large):
        result = search(game)
        states += result.states
        who = f"{' + '.join(sorted(game.coalition)) or 'nobody'} cheat; stolen: {', '.join(game.stolen) or 'nothing'}"
        there = possible(game)
        for event, trace in result.events.items():
            if event not in there:
                bad.setdefault(event.claim, (who, *trace))
        for event in there - result.events.keys():
            bad.setdefault(event.claim, (who, "the model does not find what the pages say", str(event)))
    return [Result(text, states, claim not in bad, bad.get(claim, ())) for claim, text in CLAIMS.items()]


class Attack(NamedTuple):
    """A rule taken away: and what is then found."""

    what: str
    game: Game
    claim: str


def _lacking(
    coalition: Iterable[str], players: int = 3, stolen: Iterable[str] = (), event: bool = False, **rules: bool
) -> Game:
    cheats = frozenset(coalition)
    return Game(TABLES[players - 2], cheats, stolen=frozenset(stolen), judge=event or JUDGE in cheats,
                late=CORA in cheats, event=event, rules=Rules(**rules))  # fmt: skip


OLD_RULES = (
    Attack("a replace comes whoever is there: a thief of the recovery key takes the place of who plays",
           _lacking([KEEPER], stolen=[RECOVERY], away_first=False), "present"),
    Attack("a replace goes on waiting when the party is back, and away again: whoever came back is not lost",
           _lacking([KEEPER, ANNA, CARL], back_ends=False), "present"),
    Attack("a succession takes effect at once: the keeper ends a living seat with one that anybody can read",
           _lacking([KEEPER], join_takes=False), "dead"),
    Attack("the old key goes on signing: two write in one name",
           _lacking([], old_key_ends=False, stolen=[OLD]), "two"),
    Attack("a recovery key can be named later: a thief of the signing key takes the place",
           _lacking([KEEPER], stolen=[OLD], recovery_fixed=False), "take"),
    Attack("one other's word is enough: who plays against bob gives his place away",
           _lacking([KEEPER, ANNA], 2, two_others=False), "take"),
    Attack("who is away is not asked: the others give a place away while somebody honest is gone",
           _lacking([KEEPER, ANNA, CARL], 4, all_of_them=False), "take"),
    Attack("not all have joined: two who have give a place away before an honest one comes",
           _lacking([KEEPER, ANNA, CARL], 4, all_joined=False), "take"),
    Attack("a newcomer's word counts: the keeper's friend is the second of two others",
           _lacking([KEEPER, ANNA, CORA], 2, no_newcomers=False), "take"),
    Attack("a consent holds for a later replace: what was said for bob's own key is used for another",
           _lacking([KEEPER, CARL], each_anew=False), "take"),
    Attack("others' word reaches who is away by its own: a break is enough to lose a place",
           _lacking([KEEPER, ANNA, CARL], others_away=False), "own word"),
    Attack("a recovery key makes others' word forgotten: the third key accepts what bob did not roll",
           _lacking([KEEPER, ANNA, CARL], for_good=False), "accept"),
    Attack("the event's word needs no organizer: keeper and judge give the place to a key of theirs",
           _lacking([KEEPER, JUDGE], 2, event=True, organizer_signs=False), "take"),
    Attack("the event's word reaches who is away by its own: a break is enough to lose a place to an organizer",
           _lacking([KEEPER, ORGANIZER], 2, event=True, judge_away=False), "own word"),
    Attack("a name by the event's word is as any other: an organizer's key accepts what bob did not roll",
           _lacking([KEEPER, ORGANIZER], 2, event=True, event_marks=False), "accept"),
)  # fmt: skip


def attacks() -> list[Result]:
    """Each is good if it is found, and not found with the rule; with the shortest way there."""
    results = []
    for attack in OLD_RULES:
        found = search(attack.game)
        unexpected = [way for event, way in found.events.items() if event.claim == attack.claim
                      and event not in possible(attack.game)]  # fmt: skip
        results.append(Result(attack.what, found.states, bool(unexpected), min(unexpected, key=len, default=())))
    return results
