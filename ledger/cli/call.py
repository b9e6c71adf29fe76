"""One run of a command, whichever it is: its home, its acting party, its output, and how it fails."""

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, NoReturn

import typer

from ledger.cli.language import Translate
from ledger.cli.output import Output, ReaderGone
from ledger.home import Home
from verifier.shell.stopping import stoppable

if TYPE_CHECKING:
    from ledger.cli.remote import ServerAccess
    from ledger.client.game_sync import GameSync
    from ledger.store.ledger import Ledger
    from verifier.shell.exits import Failed

__all__ = ["ACTING_VARIABLE", "Call", "CommandStoppedError", "FailedError", "complete_game", "complete_identity"]

ACTING_VARIABLE = "ROLLPROOF_AS"


class FailedError(Exception):
    """A command failed for a reason that its user can do something about."""

    def __init__(self, failed: "Failed") -> None:
        super().__init__(failed.message)
        self.failed = failed


class CommandStoppedError(Exception):
    """A command was interrupted; `signed` describes each thing that it had signed and written."""

    def __init__(self, signed: Sequence[str]) -> None:
        super().__init__()
        self.signed = signed


class Call:
    """One run of a command: its home, the acting party, its output and language. It closes what it opened."""

    def __init__(
        self,
        home: Home,
        out: Output,
        language: str | None = None,
        acting: str | None = None,
        *,
        reads: bool = False,
    ) -> None:
        """`reads`: the command changes nothing."""
        self.home = home
        self.out = out
        self.language = language
        """None is the locale's"""
        self._acting = acting
        self._reads = reads
        self.closing = ExitStack()
        self.signed: Callable[[], Sequence[str]] = list
        """describes what this run has signed and written so far"""
        self._ledger: Ledger | None = None
        self._remoted: ServerAccess | None = None
        self.secrets: dict[str, bytes] = {}
        """passphrases by identity, so that each is asked for once in a run"""

    @property
    def translate(self) -> Translate:
        """From an English text to the language of this run."""
        return self.out.translate

    @property
    def ledger(self) -> "Ledger":
        """The store of games."""
        if self._ledger is None:
            self._ledger = self.home.ledger(writable=not self._reads or self._follows, snapshots=self.home.snapshots())
            self.closing.callback(self._ledger.close)
        return self._ledger

    @property
    def _follows(self) -> bool:
        """Return True if this home has games on servers, and is writable, so that news can be stored."""
        return (self.home.root / "remotes").exists() and os.access(self.home.root, os.W_OK)

    @property
    def remoted(self) -> "ServerAccess":
        """The servers that keep games of this home. Raises UsageError where the extra `client` is not installed."""
        if self._remoted is None:
            from ledger.cli.remote import ServerAccess  # not above: few commands need a server

            self._remoted = ServerAccess(self.home, self.out, self.language, lambda: self.ledger, self.closing)
        return self._remoted

    def carrier(self, game: bytes) -> "GameSync | None":
        """The way to the server that keeps a game; None for one that is on none, which needs no network at all."""
        if not (self.home.root / "remotes" / f"{game.hex()}.json").exists():
            return None
        return self.remoted.carrier(game)

    def find(self, text: str) -> bytes:
        """Return the id of the stored game that `text` names, after fetching its news. Raises UsageError."""
        from ledger.errors import UsageError

        try:
            game = self.ledger.catalog.find(text)
        except UsageError:
            remote = self.remoted.remotes.find(text) if (self.home.root / "remotes").exists() else None
            if remote is None or remote.game is None:
                raise
            game = bytes.fromhex(remote.game)
        if (not self._reads or self._follows) and self.carrier(game) is not None:
            self.remoted.refresh(game)
        return game

    def acting_if_named(self) -> str | None:
        """Return the acting identity if it was named: --as, else ROLLPROOF_AS."""
        return self._acting or os.environ.get(ACTING_VARIABLE) or None

    @property
    def acting(self) -> str:
        """The acting identity: --as, else ROLLPROOF_AS, else the only identity here. Raises UsageError."""
        from ledger.errors import MissingError, UsageError

        name = self.acting_if_named()
        if name:
            return name
        names = self.home.names()
        if len(names) == 1:
            return names[0]
        if names:
            raise UsageError(f"say who acts: --as {' or --as '.join(names)}")
        raise MissingError("there is no identity here yet. Make one with: rollproof identity new NAME")

    def run(self, do: Callable[[], None]) -> None:
        """Run the command and close what it opened. Raises FailedError for an error that is no bug, StoppedError."""
        try:
            with self.closing:
                try:
                    with stoppable():
                        do()
                except (KeyboardInterrupt, typer.Abort):
                    raise CommandStoppedError(self.signed()) from None
        except (typer.Exit, CommandStoppedError, ReaderGone, BrokenPipeError):
            raise
        except Exception as error:
            self._failed(error)

    def _failed(self, error: Exception) -> NoReturn:
        from ledger.cli.failures import failure_of

        found = failure_of(error, self.translate)
        if found is None:
            raise error
        raise FailedError(found) from error


def complete_game(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of games, with their titles."""
    games = Home.locate(ctx.params.get("home")).games()
    return [(row["game"][:12], row["title"]) for row in games if row["game"].startswith(incomplete)]


def complete_identity(ctx: typer.Context, incomplete: str) -> list[str]:
    """Names of identities."""
    return [name for name in Home.locate(ctx.params.get("home")).names() if name.startswith(incomplete)]
