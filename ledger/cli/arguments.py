"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.cli.call import complete_game

__all__ = [
    "LINKS",
    "PARTY",
    "BodyOption",
    "FileOrGame",
    "Game",
    "GameOrFile",
    "GamePin",
    "KeyPins",
    "Links",
    "LogOfGame",
    "Logs",
    "RequestOnly",
    "complete_system",
    "find_system",
    "game_argument",
]

PARTY = "NAME|KEY|FILE"
"""how a party can be named: an identity here, a verifier key, a file with one"""


def game_argument(metavar: str, help: str) -> Any:
    """Return an argument that can be a stored game, whose id is completed."""
    return typer.Argument(metavar=metavar, help=help, autocompletion=complete_game, show_default=False)


_GAME = "The game: its id, the beginning of it (4 digits or more), or its title"
Game = Annotated[str, game_argument("GAME", f"{_GAME}.")]
GameOrFile = Annotated[str, game_argument("GAME|FILE", f"{_GAME}; or a log's file.")]
FileOrGame = Annotated[str, game_argument("FILE|GAME", "A log, or a stored game.")]
LogOfGame = Annotated[str, game_argument("FILE|GAME", "The game's log.")]
LINKS = 1_024
"""links of a seed chain, where nobody says how many"""

Links = Annotated[
    int,
    typer.Option("--links", metavar="N", min=1, max=65_536, help="Links of the seed chain: rolls that it lasts for."),
]
BodyOption = Annotated[
    str | None,
    typer.Option("--body", metavar="JSON", help="The whole body in JSON (or @FILE), instead of other options."),
]
RequestOnly = Annotated[
    bool, typer.Option("--request-only", help="Stop after the request; others open and reveal with their own commands.")
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


def find_system(text: str) -> str:
    """Return the id of the system that a game's name, an id or the beginning of one names. Raises UsageError."""
    from ledger.errors import UsageError
    from rules import SYSTEMS, games

    if text in SYSTEMS or text in games():
        return games().get(text, text)
    found = [id_ for id_ in SYSTEMS if id_.startswith(text)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{text!r} fits several rules systems: {', '.join(found)}. Give more of the id.")
    raise UsageError(f"there are no rules {text!r}; there are {', '.join(games())} ({', '.join(SYSTEMS)})")


def complete_system(incomplete: str) -> list[str]:
    """Names of games, and ids of systems."""
    from rules import SYSTEMS, games

    return [name for name in (*games(), *SYSTEMS) if name.startswith(incomplete)]
