"""The rules systems on the command line. A system is a module here (how its options become bodies, how its state reads)
and a line in MODULES.
"""

import json
from collections.abc import Callable, Mapping
from copy import copy
from functools import reduce
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, get_args

from typer.models import OptionInfo

from ledger.cli import doubledown, magic, plain, t9a, wh40k
from ledger.cli.language import _
from ledger.cli.place import Place, Section
from ledger.errors import UsageError

if TYPE_CHECKING:
    from rules import Body

__all__ = [
    "MODULES",
    "SystemCommands",
    "commands_of",
    "complete_system",
    "convert",
    "declarations",
    "examples",
    "find",
    "makers",
    "options_body",
    "typed_body",
]

Maker = Callable[..., dict[str, Any]]
SEVERAL = "Options of several games"
"""the heading of options that more than one system has"""


class SystemCommands(Protocol):
    """What a system's module has."""

    NAME: str
    """the game's name, over its options in help"""
    BODIES: Mapping[str, Maker]
    """for each event: its options as keyword-only parameters, after the Place; returns the body's members"""
    EXAMPLES: Mapping[str, tuple[str, ...]]

    def next_command(self, choice: str, view: Mapping[str, Any], game: str) -> str | None:
        """What to type for a choice that is waited for: from the choice, the state and the game."""

    def due(self, view: Mapping[str, Any], game: str) -> list[str]:
        """What players have still to do besides the open roll."""

    def roll_notes(self, roll: Mapping[str, Any]) -> list[str]:
        """What a roll of the state comes to, and what can still be done to it."""

    def summarize(self, event: Mapping[str, Any]) -> str | None:
        """What an event of the system's own types says, shortly, in the language of the run, for one line of a log.

        `event` is as the log has it: author, body, seq, time, type and so on, as JSON values; every body is valid.
        None leaves it to the members' names and values.
        """

    def sections(self, view: Mapping[str, Any]) -> list[Section]:
        """The system's own part of the state."""


MODULES: Mapping[str, SystemCommands] = {
    "mtg-706-2023-11-17": magic,
    "t9a-2022": t9a,
    "doubledown-1": doubledown,
    "wh40k-9e": wh40k,
}
"""by the system's id"""


def commands_of(system: str) -> SystemCommands:
    """The module of a system; one that has none gets by with JSON."""
    return MODULES.get(system, plain)


def makers(event: str) -> list[Maker]:
    """The systems' functions for an event; before several of them one with all their options, of which a command is
    made: what several systems call by one name is one option there, with the help of each.
    """
    found = {module.NAME: module.BODIES[event] for module in MODULES.values() if event in module.BODIES}
    return [_together(found), *found.values()] if len(found) > 1 else [*found.values()]


def _together(found: Mapping[str, Maker]) -> Maker:
    def maker(*_at: Place, **_options: Any) -> dict[str, Any]:
        raise TypeError("this stands for the options of several systems; none has it")

    options: dict[str, dict[str, Parameter]] = {}
    for name, function in found.items():
        for parameter in signature(function).parameters.values():
            if parameter.kind is parameter.KEYWORD_ONLY:
                options.setdefault(parameter.name, {})[name] = parameter
    maker.__doc__ = next(iter(found.values())).__doc__
    maker.__signature__ = Signature(  # type: ignore[attr-defined]
        [_headed(reduce(_merged, of.values()), of) for of in options.values()]
    )
    return maker


def _headed(option: Parameter, of: Mapping[str, Parameter]) -> Parameter:
    """An option with the help of all the games that have it, under the name of the game if it is one."""
    told: dict[str, list[str]] = {}
    for name, parameter in of.items():
        words = (get_args(parameter.annotation)[1].help or "").removeprefix(f"{name}: ")
        told.setdefault(words[:1].lower() + words[1:], []).append(name)
    type_, info = get_args(option.annotation)
    info = copy(info)
    if len(told) == 1 and len(of) > 1:
        (words,) = told
        info.help = words[:1].upper() + words[1:]
    else:
        info.help = " ".join(f"{', '.join(names)}: {words}" for words, names in told.items())
    info.rich_help_panel = SEVERAL if len(of) > 1 else next(iter(of))
    return option.replace(annotation=Annotated[type_, info])


def _merged(one: Parameter, other: Parameter) -> Parameter:
    """An option of two systems: the type of the first, the names and what stands for a value of both."""
    type_, info = get_args(one.annotation)
    more = get_args(other.annotation)[1]
    merged = copy(info)
    if isinstance(info, OptionInfo):
        # Inside Annotated, typer takes the first name for the default and sorts it out later.
        merged.default, *merged.param_decls = dict.fromkeys((*_names(one), *_names(other)))
    shapes = "|".join(filter(None, (info.metavar, more.metavar))).split("|")
    merged.metavar = "|".join(dict.fromkeys(shapes)) or None
    # An option that only one of them requires can be left out; that one says so itself.
    default = other.default if one.default is one.empty else one.default
    return one.replace(annotation=Annotated[type_, merged], default=default)


def _names(option: Parameter) -> list[str]:
    info = get_args(option.annotation)[1]
    told = [name for name in (info.default, *(info.param_decls or ())) if isinstance(name, str)]
    return told or [f"--{option.name.replace('_', '-')}"]


def declarations() -> list[str]:
    """What can be declared, in any system."""
    events = [event for module in MODULES.values() for event in module.BODIES if event.startswith("declare ")]
    return [event.removeprefix("declare ") for event in dict.fromkeys(events)]


def examples(event: str) -> list[str]:
    """What is typed for an event, of all systems, for help."""
    return [example for module in MODULES.values() for example in module.EXAMPLES.get(event, ())]


def find(prefix: str) -> str:
    """The id of the only system that begins so. Raises UsageError."""
    from rules import SYSTEMS

    found = [id_ for id_ in SYSTEMS if id_.startswith(prefix)]
    if prefix in found:
        return prefix
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{prefix!r} fits several rules systems: {', '.join(found)}. Give more of the id.")
    raise UsageError(f"there are no rules {prefix!r}; there are {', '.join(SYSTEMS)}")


def complete_system(incomplete: str) -> list[str]:
    """Ids of systems."""
    from rules import SYSTEMS

    return [id_ for id_ in SYSTEMS if id_.startswith(incomplete)]


def options_body(system: str, json_text: str | None, given: Mapping[str, Any]) -> "Body":
    """The options of a new game, from a command's options or from JSON instead. Raises UsageError."""
    from rules import SYSTEMS

    members = _members("options", system, (), "--options", json_text, given)
    body: Body = convert(members, SYSTEMS[system].options, _("the options of {system}").format(system=system))
    return body


def typed_body(event: str, place: Place, json_text: str | None, given: Mapping[str, Any]) -> "Body":
    """The body of an event, from a command's options or from JSON instead. Raises UsageError, Violation."""
    system, type_ = place.session.system, event.split()[0]
    if type_ not in system.bodies:
        raise UsageError(f"{system.id} has no {type_}")
    members = _members(event, system.id, (place,), "--body", json_text, given)
    body: Body = convert(members, system.bodies[type_], _("this {type}").format(type=type_))
    return body


def _members(
    event: str, system: str, at: tuple[Place, ...], option: str, json_text: str | None, given: Mapping[str, Any]
) -> Any:
    """JSON values: those of the option, or what the system's function makes of the other options."""
    if json_text is not None:
        extra = _given(makers(event), given)
        if extra:
            raise UsageError(f"{option} is all of it: put {' and '.join(extra)} into it")
        return _read_json(option, json_text)
    maker = commands_of(system).BODIES.get(event)
    if maker is not None:
        return maker(*at, **_own(system, event, maker, given))
    if event == "options":
        return {}
    if system in MODULES:
        own = [known for known in commands_of(system).BODIES if known.split()[0] == event.split()[0]]
        raise UsageError(f"{system} has no {event}" + (f"; it has {', '.join(own)}" if own else ""))
    raise UsageError(f"there are no options for {event} in {system} yet: give it in JSON with {option}")


def _own(system: str, event: str, maker: Maker, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that this system has; another system's must not be given."""
    own = _defaults(maker)
    for name in _given(makers(event), given):
        if name not in own:
            raise UsageError(f"--{name.replace('_', '-')} means nothing for {event} in {system}: leave it out")
    return {name: value for name, value in given.items() if name in own}


def _given(of: list[Maker], given: Mapping[str, Any]) -> list[str]:
    """The names of options that have another value than their default."""
    defaults = {name: default for maker in of for name, default in _defaults(maker).items()}
    return [name for name, value in given.items() if value != [] and value != defaults[name]]


def _defaults(maker: Maker) -> dict[str, Any]:
    return {p.name: p.default for p in signature(maker).parameters.values() if p.kind is p.KEYWORD_ONLY}


def _read_json(option: str, text: str) -> Any:
    """What an option has, as JSON itself or as @FILE. Raises UsageError."""
    from rules.jsontext import json_problem

    data = Path(text[1:]).read_bytes() if text.startswith("@") else text.encode(errors="surrogateescape")
    problem = json_problem(data, doubled=True)
    if problem is not None:
        said = _("{option} cannot be read: {problem}")
        raise UsageError(said.format(option=option, problem=problem.message(_)))
    return json.loads(data)


def convert(members: Any, type_: Any, what: str) -> Any:
    """A body of this type from JSON values. Raises UsageError."""
    import msgspec

    from rules.jsontext import UNREADABLE
    from rules.schema import value_problem

    try:
        return msgspec.convert(members, type_)
    except UNREADABLE as error:
        problem = value_problem(error, members, type_)
        text = _("{what} cannot be written: {problem}")
        raise UsageError(text.format(what=what, problem=problem.message(_))) from None
