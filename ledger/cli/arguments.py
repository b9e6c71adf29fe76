"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.app import complete_game

__all__ = ["BodyOption", "Game", "GamePin", "KeyPins", "Links", "Logs"]

Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="The game: its id, the beginning of it (4 digits or more), or its title.",
        autocompletion=complete_game,
        show_default=False,
    ),
]
Links = Annotated[
    int,
    typer.Option("--links", metavar="N", min=1, max=65_536, help="Links of the seed chain: rolls that it lasts for."),
]
BodyOption = Annotated[
    str | None,
    typer.Option("--body", metavar="JSON", help="The whole body in JSON (or @FILE), instead of the other options."),
]


def _path(text: str) -> Path:
    if not text:
        raise typer.BadParameter("an empty argument names no file")
    return Path(text)


Logs = Annotated[
    list[Path], typer.Argument(metavar="FILE|DIR…", parser=_path, help="Logs, or folders of *.jsonl files.")
]
GamePin = Annotated[
    str | None, typer.Option("--game", metavar="ID", help="The game's id, 64 hex digits: the log must be of this game.")
]
KeyPins = Annotated[
    list[str] | None, typer.Option("--key", metavar="KEY", help="A party's verifier key that you know; repeatable.")
]
