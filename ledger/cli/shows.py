"""`rollproof demo`: the whole of it at work."""

from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.app import Call, app, command


@command(app, "demo", examples=["rollproof demo", "rollproof demo --dir /tmp/demo"])
def demo(
    call: Call,
    directory: Annotated[
        Path, typer.Option("--dir", metavar="DIR", file_okay=False, help="Where the logs are left.")
    ] = Path("rollproof-demo"),
) -> None:
    """Play a game, verify it, then tamper with it.

    Keys and dice are fresh; every attempt at tampering must be found out.

    Exit code: 0 only if the game verifies and every attempt is found out for what it is.
    """
    from ledger.demo import run

    lines: list[str] = []
    held = run(directory, lines.append if call.out.json else call.out.say)
    if call.out.json:
        call.out.value({"holds": held, "directory": str(directory), "said": lines})
    raise typer.Exit(0 if held else 1)
