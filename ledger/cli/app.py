"""The application, and how a command is made: what every command has in common is added here and nowhere else.

Modules of this package import typer and the standard library when they are loaded, and everything else (keys,
databases, rules, tables) inside the functions that need it: help and completion answer at once.
"""

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import ArgumentInfo

from ledger.cli.language import LANGUAGE_VARIABLE, choose
from ledger.cli.output import Output
from ledger.home import HOME_VARIABLE, Home

if TYPE_CHECKING:
    from ledger.store import Ledger

__all__ = ["ACTING_VARIABLE", "Call", "Language", "app", "command", "complete_game", "complete_identity", "group"]

ACTING_VARIABLE = "ROLLPROOF_AS"

_ORDER = (
    *("demo", "identity", "new", "join"),
    *(
        "roll",
        "reroll",
        "ignore",
        "modify",
        "store",
        "resolve",
        "declare",
        "open",
        "receive",
        "reveal",
        "void",
        "decline",
        "disclose",
    ),
    *(
        "ruling",
        "commit",
        "away",
        "back",
        "leave",
        "close",
        "games",
        "state",
        "log",
        "export",
        "import",
        "verify",
        "explain",
    ),
    *("checkpoint", "receipt", "prove", "check-proof", "witness", "rules"),
)
_SETTINGS = {"help_option_names": ["-h", "--help"]}


Language = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="LANG",
        help=f"Language of what is told: en, ja (else {LANGUAGE_VARIABLE}, else the locale's).",
    ),
]


class _Named(TyperCommand):
    """A command as a list of commands needs it; `whole` makes it with its options, which takes longer."""

    def __init__(self, whole: Callable[[], Any], **settings: Any) -> None:
        super().__init__(**settings)
        self.whole = whole


class _Group(TyperGroup):
    """Makes the one of its commands that is run."""

    _listing = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = super().get_command(ctx, cmd_name)
        return found.whole() if isinstance(found, _Named) and not self._listing else found

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        self._listing = True
        try:
            super().format_commands(ctx, formatter)
        finally:
            self._listing = False


class _InOrder(_Group):
    """Lists its commands in the order in which people come to need them."""

    def list_commands(self, ctx: Any) -> list[str]:
        known = [name for name in _ORDER if name in self.commands]
        return known + [name for name in super().list_commands(ctx) if name not in known]


class _Headed(TyperCommand):
    """A command whose help has the options of each game under the game's name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                heading = getattr(parameter, "rich_help_panel", None)
                if parameter.param_type_name == "argument":
                    heading = "Arguments"
                elif heading:
                    words = record[1].removeprefix(f"{heading}: ")
                    record = (record[0], words[:1].upper() + words[1:])
                sections.setdefault(heading or "Options", []).append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


app = typer.Typer(
    name="rollproof",
    cls=_InOrder,
    help="Provably fair dice for tabletop play: committed seeds, a signed log, a verifier that knows the rules.",
    # Plain help, the same on a terminal and in a pipe; no boxes around errors, no tracebacks in colour.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=_SETTINGS,
)


class Call:
    """One run of a command: where the games are, who acts, how to answer. Closes what it opened."""

    def __init__(self, home: Home, out: Output, acting: str | None = None) -> None:
        self.home = home
        self.out = out
        self._acting = acting
        self.closing = ExitStack()
        self._ledger: Ledger | None = None

    @property
    def ledger(self) -> "Ledger":
        """The store of games."""
        if self._ledger is None:
            self._ledger = self.home.ledger()
            self.closing.callback(self._ledger.close)
        return self._ledger

    def acting_if_named(self) -> str | None:
        """Who acts, if somebody said so: --as, else ROLLPROOF_AS."""
        return self._acting or os.environ.get(ACTING_VARIABLE) or None

    @property
    def acting(self) -> str:
        """Who acts: --as, else ROLLPROOF_AS, else the only identity here. Raises UsageError."""
        from ledger.errors import UsageError

        name = self.acting_if_named()
        if name:
            return name
        names = self.home.names()
        if len(names) == 1:
            return names[0]
        if names:
            raise UsageError(f"say who acts: --as {' or --as '.join(names)}")
        raise UsageError("there is no identity here yet. Make one with: rollproof identity new NAME")


def group(name: str, help: str) -> typer.Typer:
    """A command with subcommands."""
    subcommands = typer.Typer(cls=_Group, help=help, context_settings=_SETTINGS)
    app.add_typer(subcommands, name=name)
    return subcommands


def command(
    parent: typer.Typer,
    name: str,
    *,
    examples: Sequence[str],
    signed: bool = False,
    options_of: Callable[[], Sequence[Callable[..., Any]]] = tuple,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of a function that takes a Call and the command's own arguments by name.

    `signed` adds --as. `options_of` gives functions whose keyword-only parameters become options of the command too;
    what was given for them comes in as further keyword arguments. That is how each rules system brings its own options;
    what it says of the command in its docstring is added to the help. It is asked when the command is run.
    """

    def whole(function: Callable[..., None]) -> Any:
        makers = options_of()
        parameters = _parameters(function, makers, signed)

        def run(**given: Any) -> None:
            home, plain, json = given.pop("home"), given.pop("no_color"), given.pop("as_json")
            if given["lang"] is not None:
                choose(given["lang"])
            del given["lang"]
            call = Call(Home.locate(home), Output(json=json, color=not plain), given.pop("acting", None))
            with call.closing:
                function(call, **given)

        docs = [inspect.getdoc(told) for told in (function, *makers)]
        run.__doc__, run.__name__ = "\n\n".join(dict.fromkeys(filter(None, docs))), function.__name__
        run.__signature__ = inspect.Signature(list(parameters.values()))  # type: ignore[attr-defined]
        run.__annotations__ = {key: parameter.annotation for key, parameter in parameters.items()}
        epilog = "\b\nExamples:\n" + "\n".join(f"  {example}" for example in examples)
        alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        alone.command(name, cls=_Headed, epilog=epilog, context_settings=_settings(parameters))(run)
        return typer.main.get_command(alone)

    def register(function: Callable[..., None]) -> Callable[..., None]:
        make: Any = partial(_Named, partial(whole, function))
        parent.command(name, cls=make, help=inspect.getdoc(function))(lambda: None)
        return function

    return register


def _settings(parameters: Mapping[str, inspect.Parameter]) -> dict[str, Any]:
    """An argument that may be a negative number, with ± in its metavar, is no option: -2."""
    infos = [getattr(parameter.annotation, "__metadata__", (None,))[0] for parameter in parameters.values()]
    negative = any(isinstance(info, ArgumentInfo) and "±" in str(info.metavar) for info in infos)
    return {**_SETTINGS, "ignore_unknown_options": negative}


def _parameters(
    function: Callable[..., Any], options_of: Sequence[Callable[..., Any]], signed: bool
) -> dict[str, inspect.Parameter]:
    """The function's own parameters but the Call, then those of the systems, then the common ones."""
    _, *own = inspect.signature(function).parameters.values()
    found = [parameter for parameter in own if parameter.kind is not parameter.VAR_KEYWORD]
    for other in options_of:
        found += [p for p in inspect.signature(other).parameters.values() if p.kind is p.KEYWORD_ONLY]
    for common in (_signed, _common) if signed else (_common,):
        found += inspect.signature(common).parameters.values()
    parameters: dict[str, inspect.Parameter] = {}
    for parameter in found:
        parameters.setdefault(parameter.name, parameter.replace(kind=parameter.KEYWORD_ONLY))
    return parameters


def complete_game(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of games, with their titles."""
    games = Home.locate(ctx.params.get("home")).games()
    return [(row["game"][:12], row["title"]) for row in games if row["game"].startswith(incomplete)]


def complete_identity(ctx: typer.Context, incomplete: str) -> list[str]:
    """Names of identities."""
    return [name for name in Home.locate(ctx.params.get("home")).names() if name.startswith(incomplete)]


def _common(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
    home: Annotated[
        Path | None,
        typer.Option(
            "--home",
            metavar="DIR",
            file_okay=False,
            is_eager=True,
            help=f"Folder of games and identities (else {HOME_VARIABLE}, else your platform's folder for data).",
        ),
    ] = None,
    lang: Language = None,
    no_color: Annotated[
        bool, typer.Option("--no-color", help="No colour, no bold (as does the variable NO_COLOR).")
    ] = False,
) -> None:
    """Options of every command."""


def _signed(
    *,
    acting: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="NAME",
            autocompletion=complete_identity,
            help=f"Who acts (else {ACTING_VARIABLE}, else your only identity).",
        ),
    ] = None,
) -> None:
    """Options of every command that signs."""
