"""The application and its commands: everything that all commands have in common is added here.

Modules of this package import typer and the standard library when they are loaded, and everything else (keys,
databases, rules, tables) inside the functions that need it: help and completion answer at once.
"""

import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import ArgumentInfo

from ledger.cli.call import ACTING_VARIABLE, Call, complete_identity
from ledger.cli.language import LANGUAGE_VARIABLE, translator
from ledger.cli.output import Output
from ledger.cli.pages import PageContext
from ledger.home import HOME_VARIABLE, Home

__all__ = [
    "SETTINGS",
    "CommandGroup",
    "Language",
    "LazyCommand",
    "app",
    "command",
    "group",
    "made_command",
]

SETTINGS = {"help_option_names": ["-h", "--help"]}

Language = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="LANG",
        help=f"Language of messages: en, de, ja (else {LANGUAGE_VARIABLE}, else the locale's).",
    ),
]


class LazyCommand(TyperCommand):
    """A command as a list of commands needs it; `whole` makes it with its options, which takes longer."""

    def __init__(self, whole: Callable[[], Any], **settings: Any) -> None:
        super().__init__(**settings)
        self.whole = whole


class CommandGroup(TyperGroup):
    """Makes the one of its commands that is run. Lists them, each on a line, in the order in which they were added."""

    context_class = PageContext

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """In the order in which they were added."""
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command itself; None if there is none."""
        found = super().get_command(ctx, cmd_name)
        return found.whole() if isinstance(found, LazyCommand) else found

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """One section."""
        self.section(formatter, "Commands", [self.commands[name] for name in self.list_commands(ctx)])

    @staticmethod
    def section(formatter: Any, heading: str, commands: Sequence[Any]) -> None:
        """Commands under a heading, each with the first sentence of its help."""
        rows = [(told.name, _first_sentence(told)) for told in commands if not told.hidden]
        if rows:
            with formatter.section(heading):
                formatter.write_dl(rows)


_ONE_LINE = 62
"""columns for the description of a command in a list, on a terminal of 80 columns"""


def _first_sentence(command: Any) -> str:
    """Return the first sentence of a command's help; a long one only up to its first colon or semicolon."""
    text = " ".join((command.help or "").split("\n\n")[0].split()).partition(". ")[0].rstrip(".")
    return text if len(text) <= _ONE_LINE else re.split("[;:] ", text)[0]


class _Headed(TyperCommand):
    """A command whose help lists its options under their headings."""

    context_class = PageContext

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                heading = getattr(parameter, "rich_help_panel", None)
                if parameter.param_type_name == "argument":
                    heading = "Arguments"
                sections.setdefault(heading or "Options", []).append(record)
        sections["Options"] = sections.pop("Options")  # the options that all commands have come last
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


app = typer.Typer(
    name="rollproof",
    help="Provably fair dice for tabletop play: signed, and checked by the rules.",
    # Plain help, the same on a terminal and in a pipe; no boxes around errors, no tracebacks in colour.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


def group(name: str, help: str) -> typer.Typer:
    """A command with subcommands."""
    subcommands = typer.Typer(cls=CommandGroup, help=help, context_settings=SETTINGS)
    app.add_typer(subcommands, name=name)
    return subcommands


def command(
    parent: typer.Typer,
    name: str,
    *,
    examples: Sequence[str],
    signed: bool = False,
    reads: bool = False,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command from a function that takes a Call and the command's own arguments by name.

    `signed` adds --as; a command that only `reads` works in a home that is not writable.
    """

    def register(function: Callable[..., None]) -> Callable[..., None]:
        def whole() -> Any:
            return made_command(function, name, examples=examples, signed=signed, reads=reads)

        make: Any = partial(LazyCommand, whole)
        parent.command(name, cls=make, help=inspect.getdoc(function))(lambda: None)
        return function

    return register


def made_command(
    function: Callable[..., None],
    name: str,
    *,
    examples: Sequence[str],
    signed: bool = False,
    reads: bool = False,
    help: str | None = None,
    parameters: Sequence[inspect.Parameter] = (),
) -> Any:
    """Return the command. `parameters` are added to those of the function, which receives their values as keyword
    arguments. A parameter whose type is a NamedTuple stands for a group of options, which are its fields.
    """
    taken = [*_own_parameters(function), *parameters]
    groups = {parameter.name: parameter.annotation for parameter in taken if _is_group(parameter)}
    all_parameters = _flat(taken, signed=signed)

    def run(context: typer.Context, **given: Any) -> None:
        home, plain, json = given.pop("home"), given.pop("no_color"), given.pop("as_json")
        given_language = given.pop("lang") or context.find_root().params.get("lang")
        language = given_language or os.environ.get(LANGUAGE_VARIABLE) or None
        out = Output(json=json, color=not plain, translate=translator(language))
        call = Call(Home.locate(home), out, language, given.pop("acting", None), reads=reads)
        grouped = {name: kind(*(given.pop(field) for field in kind._fields)) for name, kind in groups.items()}
        call.run(partial(function, call, **given, **grouped))

    run.__doc__, run.__name__ = help or inspect.getdoc(function), name
    first = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    run.__signature__ = inspect.Signature([first, *all_parameters.values()])  # type: ignore[attr-defined]
    run.__annotations__ = {"context": typer.Context} | {k: p.annotation for k, p in all_parameters.items()}
    epilog = "\b\nExamples:\n" + "\n".join(f"  {example}" for example in examples)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    alone.command(name, cls=_Headed, epilog=epilog, context_settings=_settings(all_parameters))(run)
    return typer.main.get_command(alone)


def _settings(parameters: Mapping[str, inspect.Parameter]) -> dict[str, Any]:
    """Return settings by which an argument with ± in its metavar may be a negative number, and no option: -2."""
    infos = [getattr(parameter.annotation, "__metadata__", (None,))[0] for parameter in parameters.values()]
    negative = any(isinstance(info, ArgumentInfo) and "±" in str(info.metavar) for info in infos)
    return {**SETTINGS, "ignore_unknown_options": negative}


def _own_parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return the parameters of a command's function but the Call."""
    _, *own = inspect.signature(function).parameters.values()
    return [parameter for parameter in own if parameter.kind is not parameter.VAR_KEYWORD]


def _is_group(parameter: inspect.Parameter) -> bool:
    return hasattr(parameter.annotation, "_fields")


def _flat(taken: Sequence[inspect.Parameter], *, signed: bool) -> dict[str, inspect.Parameter]:
    """Return the parameters that are typed: these, a group's in its place, then those that all commands have."""
    found: list[inspect.Parameter] = []
    for parameter in taken:
        found += inspect.signature(parameter.annotation).parameters.values() if _is_group(parameter) else [parameter]
    for common in (_signed, _common) if signed else (_common,):
        found += inspect.signature(common).parameters.values()
    parameters: dict[str, inspect.Parameter] = {}
    for parameter in found:
        parameters.setdefault(parameter.name, parameter.replace(kind=parameter.KEYWORD_ONLY))
    return parameters


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
            help=f"The identity that acts (else {ACTING_VARIABLE}, else your only one).",
        ),
    ] = None,
) -> None:
    """Options of every command that signs."""
