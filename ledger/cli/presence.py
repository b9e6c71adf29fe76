"""`rollproof leave`, `away` and `back`: who takes part in a game at the moment."""

import sys
from collections.abc import Mapping
from time import monotonic, sleep
from types import MappingProxyType
from typing import Annotated

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import Game
from ledger.cli.call import Call
from ledger.cli.describe import full_name
from ledger.cli.outcome import print_outcome
from ledger.cli.output import command_line
from ledger.cli.play import Play
from ledger.errors import TurnError, UsageError

__all__ = ["sign_presence"]

HEARING = 2.0
"""seconds that a judge's program waits for a party's opening before it calls the party missing"""


@command(
    app,
    "leave",
    signed=True,
    examples=["rollproof leave 9c31 --as alice", "rollproof leave 9c31 --party bob --as dana"],
)
def leave(
    call: Call,
    game: Game,
    party: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whom a judge takes out; default: yourself.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Leave a game for good, or take a party out as a judge.

    A party that leaves while it owes a roll that was called off is named in every report of the game.
    """
    sign_presence(Play(call, game), "leave", party or call.acting, yes=yes)


@command(
    app,
    "away",
    signed=True,
    examples=[
        "rollproof away 9c31 --as alice",
        "rollproof away 9c31 --party bob --as dana",
        "rollproof away 9c31 --party bob --void --as dana",
    ],
)
def away(
    call: Call,
    game: Game,
    party: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whom a judge signs away; default: yourself.")
    ] = None,
    void: Annotated[
        bool, typer.Option("--void", help="As a judge: first call off the roll that waits for NAME, if one does.")
    ] = False,
) -> None:
    """Be away for a while: until you are back no roll waits for you, and you have no part in the dice.

    A judge can sign somebody else away. If the game's terms say so, all other contributors together can too. With
    --void, for a dead phone, a judge first calls off the roll that waits for NAME, and then signs NAME away. Before
    that, the party that opens last must have said to the judge, in a way that does not use the keeper, that it has not
    opened.
    """
    play = Play(call, game)
    if void:
        _call_off_for(play, party)
    sign_presence(play, "away", party or call.acting)


@command(
    app, "back", signed=True, examples=["rollproof back 9c31 --as alice", "rollproof back 9c31 --accept --as alice"]
)
def back(
    call: Call,
    game: Game,
    party: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whom a judge calls back; default: yourself.")
    ] = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="The rolls that were made without you count: in luck and seasons too.")
    ] = False,
) -> None:
    """Be back after having been away.

    Rolls that were made while somebody else had signed you away count in no luck and no season until you accept them.
    """
    sign_presence(Play(call, game), "back", party or call.acting, {"accept": "rolls"} if accept else {})


def _call_off_for(play: Play, party: str | None) -> None:
    """As a judge, void the roll that waits for a party, if one does. Raises TurnError, UsageError."""
    from rules.protocol import Phase

    name, session = play.call.acting, play.session
    if party is None or party == name:
        raise UsageError("--void is for a judge who signs somebody else away: give --party NAME")
    play.check_party(name)
    if session.parties.roles[name] != "judge":
        raise TurnError(f"{name} is no judge of this game: only a judge calls a roll off and signs away in one act")
    if session.phase is not Phase.PENDING:
        return
    _hear_of(play, party)
    if party not in play.table.kept.awaited:
        waiting = " and ".join(play.table.kept.awaited) or play.replay.terms.keeper
        raise TurnError(f"the roll that waits does not wait for {party}, but for {waiting}")
    with play.seat(name) as seat:
        play.table.append(seat, lambda view: seat.void(view, [party]))
    play.carry_on()


def _hear_of(play: Play, party: str) -> None:
    """At a server, give the openings that it has a moment to come: nobody calls a party missing that has opened."""
    if play.carrier is None:
        return
    play.carrier.wait()  # the stream begins with the checkpoint; the openings come behind it
    end = monotonic() + HEARING
    while party in play.table.kept.awaited and monotonic() < end:
        sleep(0.05)
    play.carrier.be_patient()


def sign_presence(
    play: Play, type: str, party: str, members: Mapping[str, str] = MappingProxyType({}), *, yes: bool = False
) -> None:
    """Sign a leave, away or back of a party as the acting identity; the seat adds the openings to disclose.

    Before a leave, say which roll the party owes, and ask at a terminal unless `yes`.
    """
    from ledger.forms.form import convert_body
    from rules.protocol import Back
    from verifier.log.bodies import AwayBody, LeaveBody

    author, translate = play.call.acting, play.call.translate
    schema = {"leave": LeaveBody, "away": AwayBody, "back": Back}[type]
    body = convert_body({"party": party, **members}, schema, translate("this {type}").format(type=type), translate)
    play.when_settled(lambda: play.check(author, type, body))
    if type == "leave":
        _make_sure(play, party, yes=yes)
    with play.seat(author) as seat:
        if type == "back":
            play.append(lambda view: seat.sign(view, type, body))
        else:
            sign = seat.leave if type == "leave" else seat.away
            play.append(lambda view: sign(view, party))
    print_outcome(play)


def _make_sure(play: Play, party: str, *, yes: bool) -> None:
    """Before a leave: say which roll the party owes, and ask at a terminal unless `yes`."""
    _, name = play.call.translate, play.call.acting
    owed = _owed(play, party)
    if owed:
        play.call.out.note(owed)
    if yes or not sys.stdin.isatty():
        return
    text = _("{party} leaves the game for good, and nobody can undo that. Leave?")
    if party != name:
        text = _("{name} takes {party} out of the game for good, and nobody can undo that. Take {party} out?")
    called = play.replay.terms.called
    typer.confirm(text.format(name=full_name(name, called), party=full_name(party, called)), abort=True, err=True)


def _owed(play: Play, party: str) -> str:
    """Say what a report says of a roll that a party owes when it leaves, and how it is made again; or nothing."""
    import msgspec

    from ledger.cli.hints import hints
    from verifier.language import join_sentences

    _, session = play.call.translate, play.session
    request = session.owes.get(party)
    if request is None:
        return ""
    text = _(
        "{party} still owes the roll of event {request}, which was voided: each report of this game will say that "
        "{party} left without making it again."
    )
    who = full_name(party, play.replay.terms.called)
    told, body = text.format(party=who, request=request.seq), msgspec.json.decode(request.raw)
    ways = hints(session, play.replay.size, play.short, _) if party in play.parties_here else []
    again = [way for way in ways if way.party == party and (way.action.type, way.action.body) == (request.type, body)]
    if not again:
        return told
    how = _("It is made again by:{command}").format(command=command_line(*again[0].arguments))
    return join_sentences([told, how], _)
