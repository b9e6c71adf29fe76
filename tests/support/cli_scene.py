"""Scenes at one machine, typed as people type them, their commands counted (issue “Play light”)."""

import shlex
from collections.abc import Iterable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from ledger.cli import run
from ledger.home import Home
from tests.support.cli import PASSPHRASE, QUICK, Cli, state_of

__all__ = ["GAME", "Scene", "begin"]

GAME = "Scene"


def begin(folder: Path, system: str, *terms: str, parties: Iterable[str] = ("alice", "bob")) -> Path:
    """A home with a game that everybody has joined: a keeper, and players but for `gina`, who is the game master."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()):
        patch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)
        patch.setenv("ROLLPROOF_HOME", str(folder))
        patch.setenv("ROLLPROOF_STATE", str(state_of(folder)))
        for name in ("host", *parties):
            Home(folder).new_identity(name, PASSPHRASE.encode(), QUICK)
        roles = [word for name in parties for word in ("--gm" if name == "gina" else "--player", name)]
        assert run([system, "new", "--keeper", "host", *roles, "--title", GAME, "--links", "200", *terms]) == 0
        for name in parties:
            assert run(["join", GAME, "--as", name, "--links", "200"]) == 0
    return folder


class Scene:
    """Commands as they are typed, without `rollproof`; GAME stands for the game."""

    def __init__(self, cli: Cli) -> None:
        self.cli = cli
        self.typed: list[str] = []

    def __call__(self, line: str) -> str:
        """What the command prints."""
        self.typed.append(line)
        return self.cli.ok(*shlex.split(line.replace("GAME", GAME)))

    @property
    def state(self) -> Any:
        """The state in JSON; looking at it is no command of the scene."""
        return self.cli.value("state", GAME)

    def due(self, party: str) -> list[Any]:
        """What the party is waited for."""
        return [action for action in self.cli.value("do", GAME, "--as", party)["actions"] if action["due"]]

    def go_on(self, party: str, choose: str) -> None:
        """Do what is waited for, while something is: the first action with `choose` in its label, else the first."""
        while due := self.due(party):
            action = next((each for each in due if choose in each["label"]), due[0])
            self(" ".join([action["command"].removeprefix("rollproof "), *_first_choices(action)]))


def _first_choices(action: dict[str, Any]) -> list[str]:
    """What a command of `do` leaves to choose: the first of each, as `NAME=VALUE`."""
    if not action["command"].startswith("rollproof do "):
        return []
    return [f"{field['name']}={_first(field)}" for field in action["fields"] if field["required"]]


def _first(field: dict[str, Any]) -> str:
    values = [option["value"] for option in field.get("options", ())]
    if "least" in field and values:
        return ",".join(map(str, values[: field["least"]]))
    value = values[0] if values else field["least"]
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
