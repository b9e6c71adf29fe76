"""`rollproof share`: one roll in a file of its own, which anybody verifies (specs/roll-proof.md)."""

from typing import Annotated

import typer

from ledger.cli.app import Call, app, command, complete_game
from ledger.cli.checkpoints import CheckpointFile, Out, Source, give
from ledger.errors import UsageError

__all__: list[str] = []


@command(
    app,
    "share",
    examples=[
        "rollproof share tavern 7 --out my-critical.roll",
        "rollproof share tavern.jsonl 7 --names --out my-critical.roll",
        "rollproof share tavern 7 --link https://dice.example.org",
        "rollproof verify my-critical.roll",
    ],
)
def share(
    call: Call,
    what: Annotated[
        str, typer.Argument(metavar="FILE|GAME", help="A log, or a stored game.", autocompletion=complete_game)
    ],
    roll: Annotated[
        int, typer.Argument(metavar="ROLL", min=0, help="The number of the event that asked for the dice.")
    ],
    names: Annotated[bool, typer.Option("--names", help="A page that shows the roll shows the names too.")] = False,
    link: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Print a link to the page of this server, with the proof in it."),
    ] = None,
    checkpoint: CheckpointFile = None,
    out: Out = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Write the proof of one roll: for somebody who has not the log.

    It has the request, the dice, what everybody opened for them and had committed to, event 0, what judges ruled about
    the roll, and the keeper's checkpoint. It is checked with rollproof verify FILE, and by the page of rollproof
    verify-page. Whoever has it can read the names in it: they are part of what was signed. No other roll is in it.

    A link has all of the proof behind its #, which no browser sends to a server. So what was given away stays given.
    """
    from ledger.lobby.addresses import server_address
    from verifier.checkpoints.roll_proof import make_roll_proof, roll_link

    address = None if link is None else server_address(link)
    log = Source(call, what, checkpoint)
    proof = make_roll_proof(log.lines, roll, log.checkpoint, names=names)
    if address is None:
        give(call, proof, out, force)
        return
    if out is not None:
        raise UsageError("--link prints the link: give --out without it for the file")
    told = roll_link(address, proof)
    if call.out.json:
        call.out.value({"link": told})
    else:
        call.out.line(told)
