"""All commands in one list: those that all games share, under four headings, and a group for each game."""

from collections.abc import Mapping
from typing import Any

from ledger.cli.app import CommandGroup

__all__ = ["HEADINGS", "Root"]

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "Play": (
        *(
            "demo",
            "docs",
            "identity",
            "new",
            "join",
            "start",
            "unseat",
            "link",
            "watch",
            "roll",
            "do",
            "state",
            "log",
            "code",
            "games",
            "open",
            "reveal",
            "receive",
        ),
        *(
            "show",
            "void",
            "decline",
            "disclose",
            "commit",
            "admit",
            "replace",
            "consent",
            "strike",
            "away",
            "back",
            "leave",
            "close",
        ),
    ),
    "Judge": ("ruling", "explain", "rules", "compare", "check-opening", "check-show"),
    "Organize": (
        "serve",
        "backup",
        "restore",
        "unpublish",
        "event",
        "export",
        "import",
        "roster",
        "witness",
        "report",
        "stats",
        "rebuild",
    ),
    "Verify": (
        "verify",
        "verify-page",
        "web-manifest",
        "version",
        "sdk",
        "dev",
        "share",
        "prove",
        "check-proof",
        "checkpoint",
        "receipt",
    ),
}
"""the commands that all games share, by their headings in the help, in the order in which people need them"""


class Root(CommandGroup):
    """The commands that all games share, under four headings; and a command for each game of the list of systems."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the shared commands, then the games."""
        from rules import games

        return [*(name for names in HEADINGS.values() for name in names), *games()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a shared command, else the group of a game."""
        found = super().get_command(ctx, cmd_name)
        if found is not None or not cmd_name.isidentifier():
            return found
        from ledger.cli.game_commands import game_command  # not above: most commands are of no game

        return game_command(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """A section for each heading."""
        from rules import games

        for heading, names in HEADINGS.items():
            self.section(formatter, heading, [self.commands[name] for name in names])
        with formatter.section("Commands of one game"):
            formatter.write_dl([(", ".join(games()), "with help of its own: rollproof magic --help")])

    def get_params(self, ctx: Any) -> list[Any]:
        """Without the rarer of the two options for completion."""
        found: list[Any] = super().get_params(ctx)
        for parameter in found:
            if parameter.name == "install_completion":
                parameter.help = "Have your shell complete commands."
            parameter.hidden = getattr(parameter, "hidden", False) or parameter.name == "show_completion"
        return found
