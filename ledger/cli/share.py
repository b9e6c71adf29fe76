"""`rollproof share`: share one roll as a file, in a link, or under a short link of its server (specs/roll-proof.md)."""

from typing import Annotated

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import FileOrGame
from ledger.cli.call import Call
from ledger.cli.checkpoints import CheckpointedLog, CheckpointFile, Out, give
from ledger.cli.output import command_line
from ledger.cli.play import Play
from ledger.errors import MissingError, TurnError, UsageError

__all__: list[str] = []

_AT_A_SERVER = "At a server"


@command(
    app,
    "share",
    signed=True,
    examples=[
        "rollproof share tavern 7 --out my-critical.roll",
        "rollproof share tavern.jsonl 7 --names --out my-critical.roll",
        "rollproof share tavern 7 --link https://dice.example.org",
        "rollproof share tavern 7 --publish --as alice",
        "rollproof share tavern 7 --revoke --as alice",
        "rollproof verify my-critical.roll",
    ],
)
def share(
    call: Call,
    what: FileOrGame,
    roll: Annotated[
        int, typer.Argument(metavar="ROLL", min=0, help="The number of the event that asked for the dice.")
    ],
    names: Annotated[bool, typer.Option("--names", help="A page that shows the roll shows the names too.")] = False,
    link: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Print a link to the page of this server, with the proof in it."),
    ] = None,
    publish: Annotated[
        bool,
        typer.Option(
            "--publish",
            help="Have the game's server show the roll, and print a short link.",
            rich_help_panel=_AT_A_SERVER,
        ),
    ] = False,
    revoke: Annotated[
        bool,
        typer.Option(
            "--revoke",
            help="Take your short links to this roll back: they show nothing from then on.",
            rich_help_panel=_AT_A_SERVER,
        ),
    ] = False,
    checkpoint: CheckpointFile = None,
    out: Out = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Write the proof of one roll: for somebody who does not have the log.

    It has the request, the dice, what everybody opened for them and had committed to, event 0, what judges ruled about
    the roll, and the keeper's checkpoint. It is checked with rollproof verify FILE, and by the page of rollproof
    verify-page. Whoever has it can read the names in it: they are part of what was signed. It contains no other roll.

    A link has all of the proof behind its #, which no browser sends to a server. So nobody can take back a link that
    was given away. With --publish the game's server keeps the proof of a roll that you asked for, shows it to whoever
    has the link, with a card for chats, until you take it back. Everybody at the table sees that it is published.
    """
    from ledger.lobby.addresses import server_address
    from verifier.checkpoints.roll_proof import make_roll_proof, roll_link

    if publish or revoke:
        if publish and revoke:
            raise UsageError("--publish makes a link and --revoke ends it: give one of them")
        if link is not None or out is not None or checkpoint is not None:
            raise UsageError("--publish and --revoke are for the game's server: --link, --out, --checkpoint are not")
        _publish(call, what, roll, names=names) if publish else _revoke(call, what, roll)
        return
    address = None if link is None else server_address(link)
    log = CheckpointedLog(call, what, checkpoint)
    proof = make_roll_proof(log.lines, roll, log.checkpoint, names=names)
    if address is None:
        give(call, proof, out, force)
        return
    if out is not None:
        raise UsageError("--link prints the link: give --out without it for the file")
    _tell(call, roll_link(address, proof))


def _tell(call: Call, link: str) -> None:
    if call.out.json:
        call.out.value({"link": link})
    else:
        call.out.line(link)


def _served(call: Call, what: str) -> Play:
    """Return a game that a server keeps. Raises UsageError, TurnError, MissingError."""
    play = Play(call, what)
    if play.carrier is None:
        raise MissingError(
            "no server keeps this game, so none can show its rolls: "
            + command_line("share", play.short, "ROLL", "--out", "FILE")
        )
    return play


def _publish(call: Call, what: str, roll: int, *, names: bool) -> None:
    """Have the game's server show a roll. Raises LedgerError."""
    play, me = _served(call, what), call.acting
    play.check_party(me)
    _check_own(play, me, roll)
    with play.seat(me) as seat:
        wish = seat.publish(play.game, roll, names=names)
    assert play.carrier is not None
    connection = play.carrier.connection
    made = call.remoted.run(connection.publish(wish))
    link = f"{connection.address}/r/{made}"
    if made != wish.id:
        raise UsageError(f"{connection.address} gave another link than the one that was signed: nothing is shown by it")
    _tell(call, link)
    if not call.out.json:
        call.out.note(
            call.translate(
                "Anybody who has this link sees the roll. Its proof has the names of the parties in it, even if "
                "the page does not show them. To take it back:"
            )
            + " "
            + command_line("share", play.short, str(roll), "--revoke", "--as", me)
        )


def _check_own(play: Play, me: str, roll: int) -> None:
    """Raises UsageError, TurnError where the server would not show a roll to anybody."""
    from verifier.log.format import glance

    line = next(play.ledger.lines(play.game, roll, roll + 1), None)
    if line is None:
        raise UsageError(f"there is no event {roll} in this game")
    event = glance(line)
    if event.type == "reveal":
        raise UsageError(f"event {roll} shows the dice of a roll, and the roll's number is {roll - 1}")
    if event.author != me:
        raise TurnError(f"event {roll} is {event.author}'s: who asked for a roll publishes it")


def _revoke(call: Call, what: str, roll: int) -> None:
    """Take all links of the party to a roll back. Raises LedgerError."""
    play, me = _served(call, what), call.acting
    play.check_party(me)
    assert play.carrier is not None
    connection = play.carrier.connection
    shown = call.remoted.run(connection.published(play.game)).rolls
    mine = [each.roll for each in shown if (each.party, each.request) == (me, roll)]
    if not mine:
        raise MissingError(f"{me} has published no roll {roll} of this game, or has taken it back")
    with play.seat(me) as seat:
        wishes = [seat.revoke(play.game, each) for each in mine]
    for wish in wishes:
        call.remoted.run(connection.revoke(wish))
    links = [f"{connection.address}/r/{each}" for each in mine]
    if call.out.json:
        call.out.value({"revoked": links})
    for link in () if call.out.json else links:
        call.out.say(call.translate("{link} shows nothing any more.").format(link=link))
