"""Double Down on the command line: options to bodies (specs/doubledown.md, "Bodies"). Words: doubledown_words.

Each function of BODIES has the options of one event as its keyword-only parameters and returns the body's members.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.doubledown_events import summarize
from ledger.cli.doubledown_texts import named, outcome_name, purchase, short_name, stars, whole
from ledger.cli.doubledown_words import due, next_command, roll_notes, sections, seen, sheet_line, together
from ledger.cli.isolation import isolated, isolated_in
from ledger.cli.place import Place, numbers, present
from ledger.errors import UsageError

if TYPE_CHECKING:
    from rules.doubledown.state import Call, Sheet

__all__ = ["BODIES", "EXAMPLES", "NAME", "due", "next_command", "roll_notes", "sections", "summarize"]

NAME = "Double Down"

# --- options that several events have ------------------------------------------------------------------------------

_Roll = Annotated[int | None, typer.Argument(metavar="ROLL", min=1, help="Number of the roll; default: the open one.")]
_CALL = "Double Down: the number of the GM's call; default: the only one that names you."
_Call = Annotated[int | None, typer.Argument(metavar="CALL", min=1, help=_CALL)]
_Tag = Annotated[
    str | None, typer.Option(metavar="TAG", help="Double Down: a tag of yours, which is exhausted for its stars.")
]
_Irrelevant = Annotated[
    bool,
    typer.Option(
        "--irrelevant", help="Double Down: the tag does not bear on the attempt, so it adds one star less (with --tag)."
    ),
]
_Spent = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="Double Down: how much drive you spend; each adds 1, 5 at most.")
]


# --- from the call to the roll -------------------------------------------------------------------------------------


def modify(
    place: Place,
    *,
    roll: _Call = None,
    roller: Annotated[
        str | None, typer.Option(metavar="NAME", help="Double Down: who is to roll for the group; all must agree.")
    ] = None,
    stat: Annotated[bool, typer.Option("--stat", help="Double Down: your base stat counts for the group.")] = False,
    stress: Annotated[
        bool, typer.Option("--stress", help="Double Down: your stress track counts for the group.")
    ] = False,
    tag: _Tag = None,
    irrelevant: _Irrelevant = False,
    drive: _Spent = None,
) -> dict[str, Any]:
    """Double Down: say what you give to a group roll, and who is to roll.

    Everybody in the group but the roller does. All together give one stat, one stress track, one tag and 5 drive at
    most; without a stat or stress track from others, the roller's counts. Said again, it replaces what you said before.
    """
    if roller is None:
        raise UsageError("say who is to roll for the group: --roller NAME (everybody must name the same)")
    return {
        "call": _call_of(place, roll, group=True),
        "roller": roller,
        **present(stat=stat or None, stress=stress or None),
        **_gives(tag, irrelevant, drive),
    }


def roll(
    place: Place,
    *,
    dice: Annotated[str | None, typer.Argument(metavar="CALL", help=_CALL)] = None,
    tag: _Tag = None,
    irrelevant: _Irrelevant = False,
    drive: _Spent = None,
) -> dict[str, Any]:
    """Double Down: make the roll that the GM called you for.

    It is one d20; stat and stress track are added by themselves. The tag is exhausted and the drive spent when the die
    shows.
    """
    call = None if dice is None else whole(dice, "CALL", "the number of a call, for example 1: the die is always a d20")
    return {"call": _call_of(place, call, group=False), **_gives(tag, irrelevant, drive)}


def reroll(place: Place, *, roll: _Roll = None) -> dict[str, Any]:
    """Double Down: this is doubling down on the open roll, once.

    A second d20 with the same modifier and difficulty moves the outcome: success up one tier, critical success up two,
    failure down one, critical failure down two.
    """
    return {"roll": place.roll(roll)}


def resolve(
    place: Place,
    *,
    roll: _Roll = None,
    outcome: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Double Down: the outcome as announced, 'critical success'.")
    ] = None,
    boons: Annotated[int | None, typer.Option(metavar="N", help="Double Down: the boons as announced.")] = None,
    banes: Annotated[int | None, typer.Option(metavar="N", help="Double Down: the banes as announced.")] = None,
    damage: Annotated[int | None, typer.Option(metavar="N", help="Double Down: the damage as announced.")] = None,
    drive: Annotated[
        int | None,
        typer.Option(metavar="N", help="Double Down: the drive that the roller gains, as announced: 0 or 1."),
    ] = None,
) -> dict[str, Any]:
    """Double Down: let the roll stand, or end it after doubling down.

    Boons or banes, damage and drive follow; --outcome, --boons, --banes, --damage, --drive put what was announced on
    record.
    """
    claims = present(outcome=outcome_name(outcome), boons=boons, banes=banes, damage=damage, drive=drive)
    return {"roll": place.roll(roll), **claims}


# --- declarations of players ---------------------------------------------------------------------------------------


def declare_sheet(
    place: Place,
    *,
    name: Annotated[str | None, typer.Option(metavar="TEXT", help="The character's name.")] = None,
    stat: Annotated[
        list[str] | None, typer.Option(metavar="STAT=STARS", help="A base stat, 1 to 5 stars: agility=3; repeatable.")
    ] = None,
    track: Annotated[
        str | None,
        typer.Option(
            metavar="N,N", help="The stress track as printed: its stars with no stress taken, with one, …: 1,1,2,3."
        ),
    ] = None,
    stress: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=1_000, help="Stress taken; default: as it is in play, at first 0."),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TAG=STARS[:exhausted|:ready]",
            help="A tag, 1 to 5 stars: rogue=2; default: exhausted if it is in play; repeatable.",
        ),
    ] = None,
    drive: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=1_000, help="Drive; default: as it is in play, at first 0.")
    ] = None,
) -> dict[str, Any]:
    """Double Down: propose your character sheet, for a GM to confirm.

    All stats and tags are given each time. Names of stats and tags are written in small letters, with '-' for a space.
    """
    if not name or not stat or track is None:
        text = "a sheet needs --name, at least one --stat STAT=STARS, and --track, the stars of the stress track"
        raise UsageError(f"{text}: --name Ash --stat agility=3 --track 1,1,2,3")
    now: Sheet | None = place.session.game.sheets.get(place.author)
    return {
        "what": "sheet",
        "character": name,
        "stats": named((stars(text, "--stat") for text in stat), "--stat"),
        "track": numbers(track, "--track"),
        "stress": _carried(place, "stress", stress, now.stress if now else 0),
        "tags": named((_tag(place, text, now) for text in tag or ()), "--tag"),
        "drive": _carried(place, "drive", drive, now.drive if now else 0),
    }


def declare_vote(
    place: Place,
    *,
    roll: _Roll = None,
    double: Annotated[
        bool | None, typer.Option("--double/--stand", help="Double down, or let the first die stand.")
    ] = None,
) -> dict[str, Any]:
    """Double Down: vote whether your group doubles down.

    More than half decide; the roller breaks a tie.
    """
    if double is None:
        raise UsageError("say what you vote for: --double or --stand")
    return {"what": "vote", "roll": place.roll(roll), "double": double}


def declare_spend(
    place: Place,
    *,
    buys: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ROLL] BUY…",
            help="The roll's number (default: the only one with something of yours left), and what is bought. "
            "Boons: stress[=N][@NAME], 1 each; tag=TAG[@NAME], 2; drive[=N][@NAME], 2 each; story=N:TEXT, N. "
            "Banes: stress[=N][@NAME], 1 each; tension[=N], 2 each; complication=N:TEXT, N. "
            "NAME is the player of the character; default: who rolled.",
        ),
    ] = None,
) -> dict[str, Any]:
    """Double Down: spend boons, if you rolled, or banes, as a GM.

    Spend all at once or in parts, now or later. Boons recover stress and tags, gain drive, or buy a story reward; banes
    inflict stress, add tension, or buy a complication.
    """
    first, *others = buys or [""]
    numbered = first.isascii() and first.isdecimal()
    wanted = others if numbered else buys
    if not wanted:
        raise UsageError("say what is bought, for example: drive=2 stress=1@bob tag=rogue story=3:'A way in'")
    number = int(first) if numbered else _owed_roll(place)
    return {"what": "spend", "roll": number, "buys": [purchase(text) for text in wanted]}


# --- declarations of the GM ----------------------------------------------------------------------------------------


def declare_confirm(
    place: Place,
    *,
    player: Annotated[
        str | None, typer.Argument(metavar="PLAYER", help="Whose sheet; default: the only one that waits.")
    ] = None,
) -> dict[str, Any]:
    """Double Down: confirm a player's sheet, as a GM."""
    proposed: Mapping[str, Sheet] = place.session.game.proposed
    player = _only(player, list(proposed), "no sheet waits for a GM", "the sheets of {} wait: say whose")
    if player in proposed:
        place.notes.append(sheet_line(player, isolated_in(seen(proposed[player]))))
    return {"what": "confirm", "player": player}


def declare_call(
    _place: Place,
    *,
    source: Annotated[str | None, typer.Argument(metavar="TEXT", help="What is attempted.")] = None,
    stat: Annotated[str | None, typer.Option(metavar="STAT", help="The base stat.")] = None,
    difficulty: Annotated[int | None, typer.Option(metavar="N", help="The difficulty, 10 or more.")] = None,
    players: Annotated[
        list[str] | None,
        typer.Option("--for", metavar="NAME", help="Who may roll; given for several players it is a group roll."),
    ] = None,
    support: Annotated[
        bool, typer.Option("--support", help="A support roll: a plain success gives half the boons.")
    ] = False,
    combat: Annotated[bool, typer.Option("--combat", help="The outcome deals damage.")] = False,
) -> dict[str, Any]:
    """Double Down: call for a roll, as a GM."""
    if not source or stat is None or difficulty is None or not players:
        text = "a call says what is attempted, by which stat, how difficult it is and who may roll"
        raise UsageError(f"{text}: 'Cross the bridge' --stat agility --difficulty 14 --for alice")
    return {
        "what": "call",
        "source": source,
        "stat": short_name(stat, "--stat"),
        "difficulty": difficulty,
        "players": players,
        **present(support=support or None, combat=combat or None),
    }


def declare_withdraw(
    place: Place,
    *,
    number: Annotated[
        int | None, typer.Argument(metavar="CALL", min=1, help="The number of the call; default: the only one.")
    ] = None,
) -> dict[str, Any]:
    """Double Down: take a call back, as a GM."""
    if number is None:
        number = _only_call(place.session.game.calls, "no call stands, so there is none to withdraw")
    return {"what": "withdraw", "call": number}


def declare_rest(
    place: Place,
    *,
    player: Annotated[
        str | None, typer.Argument(metavar="PLAYER", help="Whose character rested; default: the only one.")
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(metavar="TAG", help="A tag that is recovered; repeatable; default: all.")
    ] = None,
) -> dict[str, Any]:
    """Double Down: a character rested and recovers exhausted tags, as a GM."""
    sheets: Mapping[str, Sheet] = place.session.game.sheets
    player = _only(player, list(sheets), "nobody has a sheet that a GM confirmed", "say who rested: {}")
    tags = [short_name(text, "--tag") for text in tag or ()]
    if player in sheets:
        held = sheets[player].tags
        recovered = [name for name in tags or held if name in held and held[name].exhausted]
        place.notes.append(f"{player} recovers {together(recovered) or 'nothing: none of these tags is exhausted'}")
    return {"what": "rest", "player": player, **present(tags=tags)}


def declare_count(place: Place, *, roll: _Roll = None) -> dict[str, Any]:
    """Double Down: end a group's vote, as a GM; who has not voted abstains."""
    return {"what": "count", "roll": place.roll(roll)}


BODIES: Mapping[str, Callable[..., dict[str, Any]]] = {
    "roll": roll,
    "reroll": reroll,
    "modify": modify,
    "resolve": resolve,
    "declare sheet": declare_sheet,
    "declare confirm": declare_confirm,
    "declare call": declare_call,
    "declare withdraw": declare_withdraw,
    "declare rest": declare_rest,
    "declare vote": declare_vote,
    "declare count": declare_count,
    "declare spend": declare_spend,
}
"""By event type; what can be declared stands after the type."""

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "roll": (
        "rollproof roll 9c31 --tag rogue --drive 1 --as alice",
        "rollproof roll 9c31 2 --tag loud --irrelevant",
    ),
    "reroll": ("rollproof reroll 9c31",),
    "modify": (
        "rollproof modify 9c31 --roller alice --drive 1 --as bob",
        "rollproof modify 9c31 2 --roller alice --stat --tag four-arms",
    ),
    "resolve": (
        "rollproof resolve 9c31 --outcome 'critical success' --boons 5",
        "rollproof resolve 9c31 --outcome failure --banes 2 --drive 1",
    ),
    "declare sheet": (
        "rollproof declare sheet 9c31 --name Ash --stat agility=3 --stat wits=2 --track 1,1,2,3 "
        "--tag rogue=2 --tag loud=1:exhausted --stress 1 --drive 1 --as alice",
    ),
    "declare confirm": ("rollproof declare confirm 9c31 alice --as gil",),
    "declare call": (
        "rollproof declare call 9c31 'Cross the bridge' --stat agility --difficulty 14 --for alice --as gil",
        "rollproof declare call 9c31 'Lift the gate' --stat toughness --difficulty 19 --for alice --for bob",
        "rollproof declare call 9c31 'Tend to Ash' --stat wits --difficulty 11 --for bob --support",
    ),
    "declare withdraw": ("rollproof declare withdraw 9c31 2 --as gil",),
    "declare rest": ("rollproof declare rest 9c31 alice --tag rogue --as gil",),
    "declare vote": ("rollproof declare vote 9c31 --double --as alice", "rollproof declare vote 9c31 --stand --as bob"),
    "declare count": ("rollproof declare count 9c31 --as gil",),
    "declare spend": (
        "rollproof declare spend 9c31 drive stress=1@bob --as alice",
        "rollproof declare spend 9c31 17 tag=rogue story=3:'A shortcut'",
        "rollproof declare spend 9c31 tension=1 complication=2:'Guards hear it' --as gil",
    ),
}


# --- which call, which roll, whose ---------------------------------------------------------------------------------


def _call_of(place: Place, given: int | None, *, group: bool) -> int:
    """The call that is meant: the one given, else the only one that names who acts. Raises UsageError."""
    if given is not None:
        return given
    if place.author not in place.session.game.seated:
        raise UsageError(f"{place.author} is no player of this game: players roll, when a GM calls for it")
    calls: Iterable[Call] = place.session.game.calls
    own = [call for call in calls if place.author in call.players and (call.group or not group)]
    none = f"no GM has called {place.author} for a {'group roll' if group else 'roll'}"
    return _only_call(own, none)


def _only_call(calls: Iterable["Call"], none: str) -> int:
    """The number of the only call. Raises UsageError."""
    found = {call.call: f"{call.call} ({isolated(call.source)})" for call in calls}
    if not found:
        raise UsageError(none)
    if len(found) > 1:
        raise UsageError(f"several calls stand: say the number of one after the game: {', '.join(found.values())}")
    return next(iter(found))


def _owed_roll(place: Place) -> int:
    """The only roll with boons or banes that are left to whoever acts. Raises UsageError."""
    view = place.session.system.view(place.session.game)
    is_gm = place.author in place.session.game.gms
    own = [o for o in view["owed"] if (is_gm if o["party"] is None else o["party"] == place.author)]
    if len(own) == 1:
        return int(own[0]["roll"])
    if own:
        told = ", ".join(f"{o['roll']} ({o['left']} {o['kind']})" for o in own)
        raise UsageError(f"several rolls have something left: say the number of one before what it buys: {told}")
    opened = place.open_roll
    if opened is not None:
        raise UsageError(f"roll {opened.roll} is not resolved yet, so there is nothing to spend")
    raise UsageError(f"{place.author} has no {'banes' if is_gm else 'boons'} left to spend")


def _only(given: str | None, names: list[str], none: str, several: str) -> str:
    """The one given, else the only one there is. Raises UsageError."""
    if given is not None:
        return given
    if not names:
        raise UsageError(none)
    if len(names) > 1:
        raise UsageError(several.format(together(names)))
    return names[0]


# --- what is told, with what is in play ----------------------------------------------------------------------------


def _tag(place: Place, text: str, now: "Sheet | None") -> tuple[str, dict[str, Any]]:
    """A tag of a sheet; exhausted if it says so, else if it is so in play."""
    told, colon, state = text.partition(":")
    if colon and state not in ("exhausted", "ready"):
        raise UsageError(f"--tag takes TAG=STARS, with :exhausted or :ready after it if you like; not {text!r}")
    name, count = stars(told, "--tag")
    held = now.tags.get(name) if now else None
    if not colon and held is not None and held.exhausted:
        place.notes.append(f"{name} stays exhausted, as it is in play")
        state = "exhausted"
    return name, {"stars": count, **present(exhausted=state == "exhausted" or None)}


def _carried(place: Place, what: str, given: int | None, now: int) -> int:
    """What a new sheet has of something that changes in play."""
    if given is not None:
        return given
    if now:
        place.notes.append(f"{what} stays {now}, as it is in play")
    return now


def _gives(tag: str | None, irrelevant: bool, drive: int | None) -> dict[str, Any]:
    if irrelevant and tag is None:
        raise UsageError("--irrelevant is said of a tag: give --tag too")
    tag = None if tag is None else short_name(tag, "--tag")
    return present(tag=tag, irrelevant=irrelevant or None, drive=drive or None)
