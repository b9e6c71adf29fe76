"""`rollproof demo`: the whole of it at work."""

import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import complete_system, find_system
from ledger.cli.call import Call

_NAME = "rollproof"


@command(app, "demo", examples=["rollproof demo", "rollproof demo --system magic", "rollproof demo --all --dir demo"])
def demo(
    call: Call,
    directory: Annotated[
        Path, typer.Option("--dir", metavar="DIR", file_okay=False, help="Folder for the logs.")
    ] = Path("rollproof-demo"),
    system: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Another game: its name, or the id.", autocompletion=complete_system),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Every game (or the one named), and every kind of tampering with it.")
    ] = False,
) -> None:
    """Play a game, say why each check matters, and catch a cheat.

    Keys and dice are fresh. The demo leaves its logs, and its last lines say how to look at them.

    Exit code: 0 only if the game verifies and each attempt to cheat is found and named rightly.
    """
    from ledger.demo import run, run_all
    from rules import SYSTEMS

    program, lines = _program(), list[str]()

    def say(text: str) -> None:
        if call.out.json:
            lines.append(text)
        elif text.startswith(f"  {program} "):
            call.out.line(text)
        else:
            call.out.say(text)

    chosen = None if system is None else find_system(system)
    if every:
        held = run_all(directory, say, SYSTEMS if chosen is None else (chosen,))
    else:
        held = run(directory, say, system=chosen, program=program)
    if call.out.json:
        call.out.value({"holds": held, "directory": str(directory), "said": lines})
    raise typer.Exit(0 if held else 1)


def _program() -> str:
    """Return the command that starts this program: its name if the shell finds it, else the path of this call."""
    called = Path(sys.argv[0])
    name = called.stem if called.suffix == ".exe" else called.name
    if name != _NAME or not called.exists():
        return _NAME
    found = shutil.which(_NAME)
    return _NAME if found is not None and Path(found).resolve() == called.resolve() else shlex.quote(sys.argv[0])
