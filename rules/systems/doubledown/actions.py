"""Actions of players and GMs, and the party that the game waits for (specs/doubledown.md, "Actions" and "State")."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from rules.actions import Action, Field, Free, OneOf, Range, SomeOf, options
from rules.base import Event, Violation, WaitsFor
from rules.data.bounds import MAX_ITEMS, MAX_SAFE_INTEGER
from rules.data.language import N_, Message
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown import calls, rolling, voting
from rules.systems.doubledown.state import Game, Roll, RollCall, Sheet
from rules.systems.doubledown.tables import COSTS, DIFFICULTIES, Kind

__all__ = ["actions", "waits_for"]

_YES = OneOf(options([True]))
_TEXT = Free("text")


def actions(game: Game, party: str) -> tuple[Action, ...]:
    """Return what a party can do now, due actions first."""
    found: list[Action] = []
    if party in game.seated:
        found += [*_of_rolls(game, party), *_of_calls(game, party), _SHEET]
    if party in game.gms:
        found += [*_ties(game), *_of_gm(game)]
    found += _spending(game, party)
    return tuple(sorted(found, key=lambda action: not action.due))


def waits_for(game: Game) -> WaitsFor | None:
    """Return the first party whose choice is due; None if none is."""
    waited = (*_rolls_wait(game), *_owed_wait(game), *_calls_wait(game))
    return next(iter(waited), None)


# --- open rolls ------------------------------------------------------------------------------------------------------


def _of_rolls(game: Game, party: str) -> Iterator[Action]:
    for roll in game.opened:
        body = {"roll": roll.roll}
        voters = voting.voters(game, roll)
        if party in voters and party not in roll.votes:
            double = Field("double", Message("whether to double down"), OneOf(options([True, False])))
            text = Message("vote whether to double down on roll {roll}", roll=roll.roll)
            yield Action("declare", text, "R9", (double,), {"what": "vote", **body}, due=True)
        if party == roll.player and not voters:
            if not roll.stands:
                yield Action("reroll", Message("double down on roll {roll}", roll=roll.roll), "R4", (), body, due=True)
            if roll.stands:
                text = Message("put on record what roll {roll} comes to", roll=roll.roll)
                yield Action("resolve", text, "R4", (), body)
            elif roll.decided is None:
                text = Message("let the die of roll {roll} stand", roll=roll.roll)
                yield Action("resolve", text, "R4", (), body, due=True)


def _rolls_wait(game: Game) -> Iterator[WaitsFor]:
    for roll in game.opened:
        voters = voting.voters(game, roll)
        if voters:
            silent = (name for name in voters if name not in roll.votes)
            yield WaitsFor(next(silent, roll.player), N_("vote"))
        elif not roll.stands:
            yield WaitsFor(roll.player, N_("double down") if roll.decided else N_("double down or resolve"))


# --- sheets and calls, by a GM ---------------------------------------------------------------------------------------

_SHEET = Action(
    "declare",
    Message("propose a sheet for your character"),
    "R2",
    (
        Field("character", Message("the character's name"), _TEXT),
        Field("stats", Message("the base stats with their stars"), Free("stats", ("R2",))),
        Field("track", Message("the stress track's stars"), Free("track", ("R2",))),
        Field("stress", Message("the stress taken"), Free("number", ("R2",))),
        Field("tags", Message("the tags with their stars"), Free("tags", ("R2",))),
        Field("drive", Message("the drive held"), Range(0, 1_000)),
    ),
    {"what": "sheet"},
)


def _of_gm(game: Game) -> Iterator[Action]:
    if game.proposed:
        whose = Field("player", Message("whose sheet"), OneOf(options(game.proposed)))
        yield Action("declare", Message("confirm a sheet"), "R2", (whose,), {"what": "confirm"})
    if len(game.calls) < MAX_ITEMS:
        yield from _new_calls(game)
    if game.calls:
        numbers = options((called.call, _call_words(called)) for called in game.calls)
        call = Field("call", Message("the call"), OneOf(numbers))
        yield Action("declare", Message("take a call back"), "R1", (call,), {"what": "withdraw"})
    for player, sheet in game.sheets.items():
        tags = SomeOf(options(sheet.tags), 0, len(sheet.tags))
        field = Field("tags", Message("the tags that are recovered"), tags, required=False, default=list(sheet.tags))
        text = Message("let {character} rest, of {player}", character=sheet.character, player=player)
        yield Action("declare", text, "R2", (field,), {"what": "rest", "player": player})


def _new_calls(game: Game) -> Iterator[Action]:
    """Yield the calls that a GM can make: by a stat that is on every sheet, and by one that is only on some."""
    if not game.sheets:
        return
    counts = Counter(stat for sheet in game.sheets.values() for stat in sheet.stats)
    common = sorted(stat for stat, count in counts.items() if count == len(game.sheets))
    fields = (
        Field("source", Message("what is attempted"), _TEXT),
        Field("difficulty", Message("the difficulty"), Range(DIFFICULTIES[0].difficulty, MAX_SAFE_INTEGER)),
        Field("players", Message("who may roll"), SomeOf(options(game.sheets), 1, len(game.sheets))),
        Field("support", Message("a support roll"), _YES, required=False),
        Field("combat", Message("in combat"), _YES, required=False),
    )
    if common:
        stat = Field("stat", Message("the base stat"), OneOf(options(common)))
        yield Action("declare", Message("call for a roll"), "R1", (stat, *fields), {"what": "call"})
    if len(common) < len(counts):
        stat = Field("stat", Message("the base stat, on the sheet of one of them"), Free("id", ("R1",)))
        text = Message("call for a roll by a stat that not everybody has")
        yield Action("declare", text, "R1", (stat, *fields), {"what": "call"})


def _call_words(called: RollCall) -> Message:
    return Message("{source}: {stat} against {n}", source=called.source, stat=called.stat, n=called.difficulty)


# --- from a call to its roll -----------------------------------------------------------------------------------------


def _of_calls(game: Game, party: str) -> Iterator[Action]:
    for called in game.calls:
        if party not in called.players:
            continue
        gives = called.contributions
        others = [gives[name] for name in called.players if name in gives and name != party]
        sheet = game.sheets[party]
        if _may_roll(game, called, party):
            text = Message("make roll {source}", source=called.source)
            yield from _giving("roll", text, called, sheet, others, (), due=True)
        if called.group:
            own = []
            if called.stat in sheet.stats and not any(c.stat for c in others):
                own.append(Field("stat", Message("your base stat counts"), _YES, required=False))
            if not any(c.stress for c in others):
                own.append(Field("stress", Message("your stress track counts"), _YES, required=False))
            roller = Field("roller", Message("who is to roll"), OneOf(options(called.players)))
            text = Message("contribute to {source}", source=called.source)
            due = party in _contributors(game, called)
            yield from _giving("modify", text, called, sheet, others, (roller, *own), due=due)


def _giving(
    type: str,
    text: Message,
    called: RollCall,
    sheet: Sheet,
    others: list[Any],
    fields: tuple[Field, ...],
    *,
    due: bool,
) -> Iterator[Action]:
    """Yield the actions in which a participant contributes something, without a tag and with one."""
    body = {"call": called.call}
    room = min(calls.MOST_DRIVE - sum(c.drive for c in others), sheet.drive)
    drive = Field("drive", Message("drive to spend"), Range(1, room), required=False)
    fields += (drive,) if room > 0 else ()
    clause = "R9" if type == "modify" else "R2"
    yield Action(type, text, clause, fields, body, due=due)
    ready = [name for name, tag in sheet.tags.items() if not tag.exhausted]
    if ready and not any(c.tag for c in others):
        which = Field("tag", Message("the tag to exhaust"), OneOf(options(ready)))
        irrelevant = Field("irrelevant", Message("it does not bear on the attempt"), _YES, required=False)
        with_tag = Message("{action}, with a tag", action=text)
        yield Action(type, with_tag, clause, (*fields, which, irrelevant), body, due=due)


def _ties(game: Game) -> Iterator[Action]:
    for called in game.calls:
        names = calls.names_of(game, called)
        if calls.is_tied(game, called, names):
            player = Field("player", Message("who rolls"), OneOf(options(dict.fromkeys(names.values()))))
            text = Message("say who rolls for {source}", source=called.source)
            body = {"what": "roller", "call": called.call}
            yield Action("declare", text, "R9", (player,), body, due=_waits_for_gm(game, called))


def _may_roll(game: Game, called: RollCall, party: str) -> bool:
    try:
        rolling.request(game, Event(0, party, "roll", b.RollBody(call=called.call)))
    except Violation:
        return False
    return True


def _rollers(game: Game, called: RollCall) -> list[str]:
    return [name for name in game.present(called.players) if _may_roll(game, called, name)]


def _contributors(game: Game, called: RollCall) -> list[str]:
    """Return the parties for whom a `modify` is due, because nobody may roll before."""
    present = game.present(called.players)
    if not called.group or _rollers(game, called) or _is_busy(game, called):
        return []
    missing = [name for name in present if _is_missing(game, called, name) or _is_stale(game, called, name)]
    return missing or ([] if _gm_says(game, called) else list(present))


def _waits_for_gm(game: Game, called: RollCall) -> bool:
    """Return whether a GM's decision of a tie is due."""
    if _rollers(game, called) or _is_busy(game, called) or not _gm_says(game, called):
        return False
    return not any(_is_stale(game, called, name) for name in game.present(called.players))


def _is_missing(game: Game, called: RollCall, name: str) -> bool:
    """Return whether a participant has named no roller and would not become the roller itself.

    The roller needs no `modify`: its contribution is part of its roll.
    """
    return name not in calls.names_of(game, called) and not calls.is_chosen(game, called, name)


def _gm_says(game: Game, called: RollCall) -> bool:
    """Return whether the participants are tied and a present GM has to name the roller."""
    names = calls.names_of(game, called)
    said = called.roller is not None and called.roller in game.present(called.players)
    return calls.is_tied(game, called, names) and not said and any(name not in game.away for name in game.gms)


def _is_busy(game: Game, called: RollCall) -> bool:
    """Return whether the roller of this call has another roll to finish first."""
    for name in game.present(called.players):
        own = game.own(name)
        if own is not None and not own.stands and calls.is_chosen(game, called, name):
            return True
    return False


def _is_stale(game: Game, called: RollCall, name: str) -> bool:
    """Return whether a participant can no longer give what it has promised."""
    if name not in called.contributions:
        return False
    try:
        calls.check_still_there(game, called, name)
    except Violation:
        return True
    return False


def _calls_wait(game: Game) -> Iterator[WaitsFor]:
    for called in game.calls:
        for name in _rollers(game, called):
            yield WaitsFor(name, N_("roll"))
        for name in _contributors(game, called):
            yield WaitsFor(name, N_("contribute"))
        if _waits_for_gm(game, called):
            yield from (WaitsFor(name, N_("name the roller")) for name in game.gms if name not in game.away)


# --- boons and banes -------------------------------------------------------------------------------------------------


def _owed_wait(game: Game) -> Iterator[WaitsFor]:
    for roll, kind, _ in game.all_owed():
        if kind == "boons":
            if roll.player not in game.away:
                yield WaitsFor(roll.player, N_("spend boons"))
        else:
            yield from (WaitsFor(name, N_("spend banes")) for name in game.gms if name not in game.away)


def _spending(game: Game, party: str) -> Iterator[Action]:
    for roll, kind, left in game.all_owed():
        if party != roll.player if kind == "boons" else party not in game.gms:
            continue
        for player, sheet in game.sheets.items():
            yield from _for_somebody(roll, kind, left, player, sheet)
        if kind == "banes":
            yield from _bought(roll, kind, "tension", _amount(left // COSTS["banes"]["tension"]))
        word = "story" if kind == "boons" else "complication"
        amount = Field("amount", Message("how large it is"), Range(1, left))
        yield from _bought(roll, kind, word, [amount, Field("text", Message("what it is"), _TEXT)])


def _for_somebody(roll: Roll, kind: Kind, left: int, player: str, sheet: Sheet) -> Iterator[Action]:
    """Yield the purchases for one character. If it is the roller's, naming the player is optional."""
    whose, body = [], {"player": player}
    if player == roll.player:
        text = Message("whose character gets it")
        whose, body = [Field("player", text, OneOf(options([player])), required=False, default=player)], {}
    stress = sheet.stress if kind == "boons" else sheet.room
    yield from _bought(roll, kind, "stress", _amount(min(left, stress)), whose, body)
    if kind == "boons":
        yield from _bought(roll, kind, "drive", _amount(left // COSTS[kind]["drive"]), whose, body)
        tags = [name for name, tag in sheet.tags.items() if tag.exhausted]
        if tags and left >= COSTS[kind]["tag"]:
            tag = Field("tag", Message("the tag"), OneOf(options(tags)))
            yield from _bought(roll, kind, "tag", [tag], whose, body)


def _amount(most: int) -> list[Field]:
    """Return a field for the amount, from 1 to `most`; none if nothing can be bought."""
    return [Field("amount", Message("how much"), Range(1, most), required=False, default=1)] if most > 0 else []


_LABELS = {
    ("boons", "stress"): Message("recover stress"),
    ("boons", "drive"): Message("gain drive"),
    ("boons", "tag"): Message("recover a tag"),
    ("boons", "story"): Message("buy a story reward"),
    ("banes", "stress"): Message("inflict stress"),
    ("banes", "tension"): Message("add tension"),
    ("banes", "complication"): Message("buy a complication"),
}


def _bought(
    roll: Roll,
    kind: Kind,
    buy: str,
    fields: list[Field],
    whose: Iterable[Field] = (),
    body: dict[str, str] | None = None,
) -> Iterator[Action]:
    if not fields:
        return
    what = _LABELS[kind, buy]
    text = Message("{what}, with the {kind} of roll {roll}", what=what, kind=_KINDS[kind], roll=roll.roll)
    if body:
        text = Message("{action}, for {player}", action=text, **body)
    filled = {"what": "spend", "roll": roll.roll, "buy": buy, **(body or {})}
    yield Action("declare", text, "T3" if kind == "boons" else "T4", (*whose, *fields), filled, due=True)


_KINDS = {"boons": Message("boons"), "banes": Message("banes")}
