"""`rollproof leave`, `away` and `back`: who takes part in a game at the moment."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import Game
from ledger.cli.call import Call
from ledger.cli.play import Play

__all__ = ["sign_presence"]


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
) -> None:
    """Leave a game, or take a party out as a judge."""
    sign_presence(Play(call, game), "leave", party or call.acting)


@command(
    app,
    "away",
    signed=True,
    examples=["rollproof away 9c31 --as alice", "rollproof away 9c31 --party bob --as dana"],
)
def away(
    call: Call,
    game: Game,
    party: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whom a judge signs away; default: yourself.")
    ] = None,
) -> None:
    """Be away for a while: until you are back no roll waits for you, and you have no part in the dice.

    A judge can sign somebody else away. Where the game's terms say so, all other contributors together can too.
    """
    sign_presence(Play(call, game), "away", party or call.acting)


@command(
    app, "back", signed=True, examples=["rollproof back 9c31 --as alice", "rollproof back 9c31 --accept --as alice"]
)
def back(
    call: Call,
    game: Game,
    party: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who is back, as a judge says; default: yourself.")
    ] = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="The rolls that were made without you count: in luck and seasons too.")
    ] = False,
) -> None:
    """Be back after having been away.

    Rolls that were made while somebody else had signed you away count in no luck and no season until you accept them.
    """
    sign_presence(Play(call, game), "back", party or call.acting, {"accept": "rolls"} if accept else {})


def sign_presence(play: Play, type: str, party: str, members: Mapping[str, str] = MappingProxyType({})) -> None:
    """Sign a leave, away or back of a party as the acting identity; the seat adds the openings to disclose."""
    from ledger.forms.form import convert_body
    from rules.protocol import Back
    from verifier.log.format import AwayBody, LeaveBody

    author, translate = play.call.acting, play.call.translate
    schema = {"leave": LeaveBody, "away": AwayBody, "back": Back}[type]
    body = convert_body({"party": party, **members}, schema, translate("this {type}").format(type=type), translate)
    play.when_settled(lambda: play.check(author, type, body))
    with play.seat(author) as seat:
        if type == "back":
            play.append(lambda view: seat.sign(view, type, body))
        else:
            sign = seat.leave if type == "leave" else seat.away
            play.append(lambda view: sign(view, party))
    play.tell()
