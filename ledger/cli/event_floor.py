"""`rollproof event`: acts of players, judges and the desk during a round (specs/event.md, "Acts")."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.cli.app import command
from ledger.cli.call import Call
from ledger.cli.event_desk import Event, EventDesk, Force, Out, Reason, RoundNumber, TableNumber, event_group, make_body
from ledger.errors import UsageError

__all__: list[str] = []

_Number = Annotated[
    int, typer.Option("--player", "-p", metavar="N", min=1, max=5_000, help="The player's number.", show_default=False)
]
_Text = Annotated[str, typer.Option("--text", metavar="TEXT", help="In a few words.", show_default=False)]
_Line = Annotated[int, typer.Argument(metavar="LINE", help="The number of the line.", show_default=False)]
_Results = Annotated[
    list[str],
    typer.Argument(
        metavar="RESULT…",
        help="The result of each side, as won=2 or won=1,points=30; a bare number if slips have one word.",
        show_default=False,
    ),
]


def _sign(call: Call, event: str, type: str, members: dict[str, Any], out: Path | None, *, force: bool) -> None:
    from verifier.event.acts import ACTS

    EventDesk(call, event).sign(type, make_body(ACTS[type], members, type), out, force=force)


def _results(desk: EventDesk, texts: list[str]) -> list[dict[str, int]]:
    """Results as they are typed. Raises UsageError."""
    names, found = list(desk.state.terms.body.results), []
    for text in texts:
        parts = [f"{names[0]}={text}"] if len(names) == 1 and "=" not in text else text.split(",")
        side: dict[str, int] = {}
        for part in parts:
            name, _, value = part.partition("=")
            if name not in names or name in side or not value.removeprefix("-").isdecimal() or not value.isascii():
                raise UsageError(f"{text!r} is no result here: give {', '.join(f'{name}=N' for name in names)}")
            side[name] = int(value)
        found.append(side)
    return found


@command(
    event_group,
    "check-in",
    signed=True,
    examples=[
        "rollproof event check-in 'Spring Open' --player 17 --code 3fA9… --out p17.act --as p17",
        "rollproof event check-in 'Spring Open' --player 17 --key p17+0b77e8f4+AQ… --as dana",
    ],
)
def check_in(
    call: Call,
    event: Event,
    number: _Number,
    code: Annotated[str | None, typer.Option(metavar="CODE", help="Your claim code.")] = None,
    key: Annotated[
        str | None, typer.Option(metavar="KEY", help="At the desk: the verifier key of a player without a code.")
    ] = None,
    tablet: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="At the desk, if the key is on a device of staff's: who sits there."),
    ] = None,
    out: Out = None,
    force: Force = False,
) -> None:
    """Check in, with your code and a key that is called p and your number: identity new p17.

    At the desk, staff check in a player without a code, by the key that the player made.
    """
    from ledger.event.acts import claim_signature

    desk = EventDesk(call, event)
    if code is None and key is None and desk.server is not None:
        code = desk.server.remote.code  # it came with the link
    if (code is None) == (key is None):
        raise UsageError("give --code, as the player, or --key, at the desk")
    if code is not None and tablet is not None:
        raise UsageError("--tablet goes with --key, at the desk")
    members: dict[str, Any] = {"key": key, "number": number} | ({} if tablet is None else {"tablet": tablet})
    if code is not None:
        own = str(call.home.key(call.acting))
        members = {"claim": claim_signature(code, desk.event.hex(), own), "key": own, "number": number}
    from verifier.event.acts import CheckIn

    desk.sign("check-in", make_body(CheckIn, members, "check-in"), out, force=force)


@command(
    event_group,
    "drop",
    signed=True,
    examples=["rollproof event drop 'Spring Open' --player 17 --reason 'has to catch a train' --as dana"],
)
def drop(call: Call, event: Event, number: _Number, reason: Reason, out: Out = None, force: Force = False) -> None:
    """Drop a player, or yourself: no further round."""
    _sign(call, event, "drop", {"number": number, "reason": reason}, out, force=force)


@command(
    event_group,
    "extend",
    signed=True,
    examples=["rollproof event extend 'Spring Open' -t 17 --minutes 5 --reason 'a judge call' --as dana"],
)
def extend(
    call: Call,
    event: Event,
    table: TableNumber,
    minutes: Annotated[int, typer.Option(metavar="N", min=1, max=600, help="Minutes more.", show_default=False)],
    reason: Reason,
    round_: RoundNumber = None,
    out: Out = None,
    force: Force = False,
) -> None:
    """Give a table more time, as staff."""
    desk = EventDesk(call, event)
    from verifier.event.acts import Extend

    members = {"minutes": minutes, "reason": reason, "round": desk.round_number(round_), "table": table}
    desk.sign("extend", make_body(Extend, members, "extend"), out, force=force)


@command(
    event_group,
    "pause",
    signed=True,
    examples=["rollproof event pause 'Spring Open' --minutes 15 --reason 'a fire drill' --as olga"],
)
def pause(
    call: Call,
    event: Event,
    minutes: Annotated[int, typer.Option(metavar="N", min=1, max=600, help="How long.", show_default=False)],
    reason: Reason,
    round_: RoundNumber = None,
    out: Out = None,
    force: Force = False,
) -> None:
    """Stop the clock of a round for some minutes, as organizer or head judge."""
    desk = EventDesk(call, event)
    from verifier.event.acts import Pause

    members = {"minutes": minutes, "reason": reason, "round": desk.round_number(round_)}
    desk.sign("pause", make_body(Pause, members, "pause"), out, force=force)


@command(
    event_group,
    "by-hand",
    signed=True,
    examples=["rollproof event by-hand 'Spring Open' -t 17 --text 'no phone; dana sees each throw' --as dana"],
)
def by_hand(
    call: Call,
    event: Event,
    table: TableNumber,
    text: Annotated[str, typer.Option(metavar="TEXT", help="Why, and who sees the dice.", show_default=False)],
    round_: RoundNumber = None,
    out: Out = None,
    force: Force = False,
) -> None:
    """Write down, as staff, that the dice of a table are thrown by hand: the record proves nothing about them."""
    desk = EventDesk(call, event)
    from verifier.event.acts import DiceByHand

    members = {"round": desk.round_number(round_), "table": table, "text": text}
    desk.sign("by-hand", make_body(DiceByHand, members, "by-hand"), out, force=force)


@command(
    event_group,
    "call",
    signed=True,
    examples=["rollproof event call 'Spring Open' -t 17 --text 'a die fell off' --out call.act --as p17"],
)
def call_(
    call: Call,
    event: Event,
    table: TableNumber,
    text: _Text,
    round_: RoundNumber = None,
    out: Out = None,
    force: Force = False,
) -> None:
    """Call a judge to your table."""
    desk = EventDesk(call, event)
    from verifier.event.acts import JudgeCall

    members = {"round": desk.round_number(round_), "table": table, "text": text}
    desk.sign("call", make_body(JudgeCall, members, "call"), out, force=force)


@command(
    event_group,
    "answer",
    signed=True,
    examples=["rollproof event answer 'Spring Open' 31 --text 'the roll stands' --as dana"],
)
def answer(call: Call, event: Event, line: _Line, text: _Text, out: Out = None, force: Force = False) -> None:
    """Answer a call, as staff; answer an appeal, as a head judge or organizer."""
    _sign(call, event, "answer", {"call": line, "text": text}, out, force=force)


@command(
    event_group,
    "appeal",
    signed=True,
    examples=["rollproof event appeal 'Spring Open' 32 --text 'please look again' --out appeal.act --as p17"],
)
def appeal(call: Call, event: Event, line: _Line, text: _Text, out: Out = None, force: Force = False) -> None:
    """Appeal to the head judge against an answer at your table."""
    _sign(call, event, "appeal", {"answer": line, "text": text}, out, force=force)


@command(
    event_group,
    "slip",
    signed=True,
    examples=[
        "rollproof event slip 'Spring Open' 2 1 -t 17 --out slip.act --as p17",
        "rollproof event slip 'Spring Open' won=2 won=0 -t 17 --reason 'no-show' --as dana",
    ],
)
def slip(
    call: Call,
    event: Event,
    results: _Results,
    table: TableNumber,
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="As staff: why you set it.")] = None,
    round_: RoundNumber = None,
    out: Out = None,
    force: Force = False,
) -> None:
    """Write the result of a table, for each side as paired; the other sides agree. Staff give a reason."""
    desk = EventDesk(call, event)
    from verifier.event.acts import Slip

    members = {"round": desk.round_number(round_), "sides": _results(desk, results), "table": table}
    if reason is not None:
        members["reason"] = reason
    desk.sign("slip", make_body(Slip, members, "slip"), out, force=force)


@command(
    event_group,
    "agree",
    signed=True,
    examples=["rollproof event agree 'Spring Open' 40 --out agree.act --as p18"],
)
def agree(call: Call, event: Event, line: _Line, out: Out = None, force: Force = False) -> None:
    """Sign the slip of another side of your table."""
    _sign(call, event, "agree", {"slip": line}, out, force=force)


@command(
    event_group,
    "penalty",
    signed=True,
    examples=["rollproof event penalty 'Spring Open' warning -p 17 --text 'late to the table' --as dana"],
)
def penalty(
    call: Call,
    event: Event,
    kind: Annotated[
        str,
        typer.Argument(
            metavar="PENALTY", help="warning, game-loss, match-loss or disqualification.", show_default=False
        ),
    ],
    number: _Number,
    text: _Text,
    out: Out = None,
    force: Force = False,
) -> None:
    """Give a penalty, as staff. A disqualification drops the player."""
    _sign(call, event, "penalty", {"number": number, "penalty": kind, "text": text}, out, force=force)


@command(
    event_group,
    "correct-result",
    signed=True,
    examples=["rollproof event correct-result 'Spring Open' 1 2 -t 17 --reason 'sides were swapped' --as dana"],
)
def correct_result(
    call: Call,
    event: Event,
    results: _Results,
    table: TableNumber,
    reason: Reason,
    round_: RoundNumber = None,
    out: Out = None,
    force: Force = False,
) -> None:
    """Replace the result of a table, as a head judge or organizer."""
    desk = EventDesk(call, event)
    from verifier.event.acts import CorrectResult

    number = desk.round_number(round_)
    members = {"reason": reason, "round": number, "sides": _results(desk, results), "table": table}
    desk.sign("correct-result", make_body(CorrectResult, members, "correct-result"), out, force=force)


@command(
    event_group,
    "correct-penalty",
    signed=True,
    examples=["rollproof event correct-penalty 'Spring Open' 52 --reason 'another player' --as olga"],
)
def correct_penalty(
    call: Call,
    event: Event,
    line: _Line,
    reason: Reason,
    penalty: Annotated[
        str | None, typer.Option(metavar="PENALTY", help="The new penalty; without it the old one is taken back.")
    ] = None,
    out: Out = None,
    force: Force = False,
) -> None:
    """Change a penalty, or take it back, as a head judge or organizer."""
    members = {"line": line, "reason": reason} | ({} if penalty is None else {"penalty": penalty})
    _sign(call, event, "correct-penalty", members, out, force=force)


@command(
    event_group,
    "correct-drop",
    signed=True,
    examples=["rollproof event correct-drop 'Spring Open' -p 17 --reason 'is back' --as dana"],
)
def correct_drop(
    call: Call, event: Event, number: _Number, reason: Reason, out: Out = None, force: Force = False
) -> None:
    """Let a player who dropped come back, as a head judge or organizer."""
    _sign(call, event, "correct-drop", {"number": number, "reason": reason}, out, force=force)


@command(
    event_group,
    "correct-key",
    signed=True,
    examples=["rollproof event correct-key 'Spring Open' p17+5c3a… -p 17 --reason 'lost phone' --as olga"],
)
def correct_key(
    call: Call,
    event: Event,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The player's new verifier key.", show_default=False)],
    number: _Number,
    reason: Reason,
    out: Out = None,
    force: Force = False,
) -> None:
    """Give a player a new key, as an organizer, after a phone was lost.

    At an open table the new key takes the old key's place when a judge has signed the player away there;
    `rollproof event status` names these tables.
    """
    _sign(call, event, "correct-key", {"key": key, "number": number, "reason": reason}, out, force=force)


@command(
    event_group,
    "correct-pairing",
    signed=True,
    examples=[
        "rollproof event correct-pairing 'Spring Open' new.csv --reason 'wrong opponents' --as olga",
        "rollproof event correct-pairing 'Spring Open' new.csv --cancel 14 --reason 'p28 is not here' --as olga",
    ],
)
def correct_pairing(
    call: Call,
    event: Event,
    reason: Reason,
    file: Annotated[
        Path | None, typer.Argument(metavar="CSV", help="The tables that change or are new, as for pair.")
    ] = None,
    cancel: Annotated[
        list[int] | None, typer.Option("--cancel", metavar="TABLE", help="A table to cancel. Repeatable.")
    ] = None,
    links: Annotated[
        int, typer.Option("--links", metavar="N", min=1, max=65_536, help="Links of seed chains.")
    ] = 1_024,
    out: Out = None,
    force: Force = False,
) -> None:
    """Change the pairings of the round, before or after it has started, as an organizer.

    Tables of the list take the place of those with their numbers. After the start they are opened anew, and their
    earlier games are cancelled: they stay in the record. Byes of the list are added to those of the round; a player at
    a new table has none.
    """
    from ledger.cli.event import open_all
    from ledger.cli.event_lists import read_list
    from verifier.event.acts import CorrectPairing

    desk = EventDesk(call, event)
    number = desk.round_number(None)
    found = read_list(desk, file) if file is not None else None
    tables = () if found is None else found.tables
    seated = {n for each in tables for side in each.sides for n in side}
    current = desk.state.rounds[number - 1]
    byes = (*(n for n in current.byes if n not in seated), *(() if found is None else found.byes))
    members: dict[str, Any] = {"cancelled": cancel or [], "reason": reason, "round": number, "tables": tables}
    if byes != current.byes:
        members["byes"] = byes
    act = make_body(CorrectPairing, members, "correct-pairing")
    desk.sign("correct-pairing", act, out, force=force)
    if desk.keeper_here and out is None and desk.state.rounds[number - 1].state == "running":
        open_all(desk, links)
