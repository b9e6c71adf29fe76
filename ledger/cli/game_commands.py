"""The commands of one game, made from its schemas when they are asked for: `rollproof magic roll GAME …`.

A command for each type of event, or for each kind of body where a type has several (`wh40k declare unit`); `new` with
the game's own options. Nothing here names a system.
"""

from collections.abc import Callable, Mapping
from functools import partial
from inspect import Parameter, getdoc
from typing import Annotated, Any

import typer

from ledger.cli.app import SETTINGS, CommandGroup, LazyCommand, made_command
from ledger.cli.arguments import BodyOption, Game, RequestOnly
from ledger.cli.argv import parse_notation, read_member
from ledger.cli.call import Call
from ledger.cli.language import Translate
from ledger.errors import UsageError
from ledger.forms.form import Form, forms, option_members
from ledger.forms.members import Member
from rules.base import System

__all__ = ["game_command", "given_members"]

_TYPES = {
    "roll": "Ask for dice, and show them if everybody needed is here.",
    "reroll": "Reroll dice.",
    "ignore": "Ignore dice of the open roll.",
    "modify": "Apply something to a roll, or decline it.",
    "store": "Store the results of the open roll.",
    "resolve": "End a roll, or take a step that it left open.",
    "declare": "Declare what the dice do not show.",
}
_FILLED_IN = "If you leave out a needed value, the only possible one is filled in; else a terminal asks you for it."
_MEMBERS, _CLAIMS, _OPTIONS = "What it says", "Announced results, to record them", "Options of the game"
_EXAMPLE_GAME = "9c31"


def game_command(name: str) -> Any:
    """Return the group of a game's commands; None if no system has this name."""
    from rules import SYSTEMS, games

    if name not in games():
        return None
    system = SYSTEMS[games()[name]]
    found = CommandGroup(
        name=name, help=f"{system.title}: the commands of this game.", context_settings=SETTINGS, rich_markup_mode=None
    )
    found.add_command(LazyCommand(partial(_new, system.id), name="new", help=_opens(system)))
    for event in system.bodies:
        found.add_command(_of_type(forms(system, event)), event)
    return found


def _group(name: str, help: str) -> CommandGroup:
    return CommandGroup(name=name, help=help, context_settings=SETTINGS, rich_markup_mode=None)


def _of_type(kinds: tuple[Form, ...]) -> Any:
    first = kinds[0]
    if first.tag is None:
        return LazyCommand(partial(_command, first), name=first.type, help=_own(first))
    found = _group(first.type, _TYPES[first.type])
    for form in kinds:
        found.add_command(LazyCommand(partial(_command, form), name=form.tag, help=_own(form)))
    return found


def _command(form: Form) -> Any:
    own, parameters = _own(form), _parameters(form)

    def act(call: Call, game: Game, body: BodyOption = None, **given: Any) -> None:
        from ledger.cli.event_input import perform, tell_reading, whole_body
        from ledger.cli.play import Play

        play, only = Play(call, game), given.pop("request_only", False)
        _check_game(play.session.system, form)
        line = " ".join(given.pop("notation", None) or ())
        members = _members(call, form, body, line, given)
        if body is None:
            members = play.when_settled(lambda: whole_body(play, form.type, members, form))
            tell_reading(play, form.type, members)
        perform(play, form.type, members, only=only)

    act.__doc__ = own
    return made_command(act, form.words[-1], examples=_examples(form), signed=True, help=own, parameters=parameters)


def _check_game(system: System[Any], form: Form) -> None:
    """Raises UsageError where the game is of another system."""
    if system.id != form.system.id:
        words = " ".join((form.type,) if form.type in system.bodies else ())
        raise UsageError(f"this is a game of {system.name}: rollproof {system.name} {words}".rstrip())


def _own(form: Form) -> str:
    doc = getdoc(form.schema)
    inherited = {getdoc(base) for base in form.schema.__mro__[1:]}
    told = _TYPES[form.type]
    if form.tag is not None:
        own = doc is not None and doc not in inherited and not doc.startswith("`")
        told = doc.split("\n\n")[0] if own and doc else f"{form.type.capitalize()} {form.tag}."
    return f"{told}\n\n{_FILLED_IN}"


def _examples(form: Form) -> list[str]:
    start = f"rollproof {' '.join((form.system.name, *form.words))} {_EXAMPLE_GAME}"
    found = []
    if form.notation is not None:
        found.append(f"{start} {_quoted(form.notation.example)}")
    needed = [member for member in form.members if member.required]
    told = [word for member in needed for word in _example(member)]
    if form.notation is None or not found:
        found.append(" ".join((start, *told)))
    if all(member.value.shape in ("N", "NAME") for member in needed) and told:
        found.append(start)
    return list(dict.fromkeys(found))


def _example(member: Member) -> list[str]:
    if member.how in ("flag", "switch"):
        return [member.option]
    text = member.value.example
    return [member.option, _quoted(f"name={text}" if member.how == "named" else text)]


def _quoted(text: str) -> str:
    from shlex import quote

    return text if all(word == quote(word) for word in text.split()) else quote(text)


# --- options ---------------------------------------------------------------------------------------------------------


def _parameters(form: Form) -> list[Parameter]:
    found: list[Parameter] = []
    if form.notation is not None:
        example = form.notation.example.splitlines()[0]
        help_ = f"All of it in a line, for example “{example}”; @FILE, or - for standard input."
        metavar = "NOTATION" if form.is_noted else form.notation.grammar.upper()
        argument = typer.Argument(metavar=metavar, help=help_, show_default=False)
        found.append(_parameter("notation", list[str] | None, argument, None))
    for member in form.members:
        found += _of_member(member, form)
    if form.type in ("roll", "reroll"):
        found.append(Parameter("request_only", Parameter.KEYWORD_ONLY, annotation=RequestOnly, default=False))
    return found


def _of_member(member: Member, form: Form) -> list[Parameter]:
    name, panel = _name(member), _CLAIMS if member.name in form.claims else _MEMBERS
    help_ = _sentence(member)
    if member.required:
        help_ += " [needed]"
    match member.how:
        case "flag":
            return [_parameter(name, bool, typer.Option(member.option, help=help_, rich_help_panel=panel), False)]
        case "switch":
            both = typer.Option(f"{member.option}/{member.emptied}", help=help_, rich_help_panel=panel)
            return [_parameter(name, bool | None, both, None)]
    if member.value.is_object:
        help_ += f" As in: {member.value.example}"
    if member.how in ("several", "named"):
        help_ += " Repeatable."
    choices = member.value.choices
    option = typer.Option(
        member.option,
        metavar=member.shape,
        help=help_.strip(),
        rich_help_panel=panel,
        autocompletion=_completer(member, form, choices),
    )
    found = [_parameter(name, list[str] | None, option, None)]
    if member.may_be_empty:
        none = typer.Option(
            member.emptied, help=f"{member.option}: none.", rich_help_panel=panel, hidden=member.required
        )
        found.append(_parameter(f"{name}_emptied", bool, none, False))
    return found


def _name(member: Member) -> str:
    return f"member_{member.name}"


def _parameter(name: str, type: Any, info: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=Annotated[type, info], default=default)


def _completer(member: Member, form: Form, choices: tuple[str, ...]) -> Callable[..., list[str]]:
    """Return a completer: the values of the schema, else those that the rules offer to the acting party."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        found = choices or _offered(ctx, member, form)
        return [text for text in found if text.startswith(incomplete)]

    return complete


def _offered(ctx: typer.Context, member: Member, form: Form) -> tuple[str, ...]:
    from ledger.cli.output import Output
    from ledger.cli.play import Play
    from ledger.home import Home
    from rules.actions import OneOf, SomeOf
    from rules.offered import offered

    # An option that waits for its value has kept the arguments from being read.
    game = ctx.params.get("game") or next(iter(ctx.args), None)
    if not game:
        return ()
    call = Call(Home.locate(ctx.params.get("home")), Output(), acting=ctx.params.get("acting"))
    with call.closing:
        play = Play(call, game)
        actions = offered(play.session, call.acting, play.replay.size)
        fields = [f for a in actions if a.type == form.type for f in a.fields if f.name == member.name]
    domains = [field.domain for field in fields if isinstance(field.domain, OneOf | SomeOf)]
    values = [option.value for domain in domains for option in domain.options]
    return tuple(dict.fromkeys(member.value.write(value) for value in values))


def given_members(members: tuple[Member, ...], given: Mapping[str, Any], translate: Translate) -> dict[str, Any]:
    """JSON values of the options that were given. Raises UsageError."""
    from rules.base import NotationError

    found: dict[str, Any] = {}
    for member in members:
        value, emptied = given.get(_name(member)), given.get(f"{_name(member)}_emptied")
        if emptied and value:
            raise UsageError(f"give {member.option} or {member.emptied}, not both")
        try:
            if emptied:
                found[member.name] = {} if member.how == "named" else []
            elif member.how in ("flag", "switch"):
                found |= {member.name: value} if value is not None and (value or member.how == "switch") else {}
            elif value:
                found[member.name] = read_member(member, value)
        except NotationError as error:
            raise UsageError(error.message(translate)) from None
    return found


def _members(call: Call, form: Form, body: str | None, line: str, given: Mapping[str, Any]) -> dict[str, Any]:
    from ledger.cli.jsonoption import read_json
    from rules.base import NotationError

    members = given_members(form.members, given, call.translate)
    if body is not None:
        if members or line:
            raise UsageError("--body is all of it: put the other options into it")
        found = read_json("--body", body, call.translate)
        return found if not isinstance(found, dict) else {**form.fixed, **found}
    if not line:
        return members
    try:
        said = parse_notation(form, line)
    except NotationError as error:
        assert form.notation is not None
        raise UsageError(error.with_example(form.notation.example).message(call.translate)) from None
    twice = [form.known[name].option for name in members if name in said and said[name] != members[name]]
    if twice:
        raise UsageError(f"{twice[0]} is said twice, in the line and as an option")
    return {**said, **members}


# --- a new game ------------------------------------------------------------------------------------------------------


def _new(system_id: str) -> Any:
    from inspect import signature

    from ledger.cli.new_game import new
    from rules import SYSTEMS

    system = SYSTEMS[system_id]
    members = option_members(system)
    found = [_option_of_game(member) for member in members]
    found += [p for p in signature(new).parameters.values() if p.name not in ("call", "system", "options")]

    def open_game(call: Call, **given: Any) -> None:
        import msgspec

        own = {name: given.pop(name) for name in list(given) if name.startswith("member_")}
        known = {member.name: member for member in members}
        said = given_members(members, own, call.translate)
        # False is left out unless the member is required, or True by default.
        told = {n: v for n, v in said.items() if v is not False or known[n].required or known[n].default is True}
        new(call, system=system_id, options=msgspec.json.encode(told).decode(), **given)

    start = f"rollproof {system.name} new --keeper host --player alice --player bob"
    flags = [member.option for member in members if member.how in ("flag", "switch")]
    examples = [start, *([" ".join((start, *flags))] if flags else [])]
    asked = "" if "player" in system.late else " --if-gone on"
    examples.append(f"rollproof {system.name} new --at https://dice.example.org --as alice{asked}")
    return made_command(open_game, "new", signed=True, examples=examples, help=_opens(system), parameters=found)


def _opens(system: System[Any]) -> str:
    return f"Open a game of {system.title}, as its keeper; or with --at a table at a server."


def _option_of_game(member: Member) -> Parameter:
    """Return the parameter of a game's option; a switch has no --no- form if False is the default."""
    help_ = _sentence(member)
    if member.how == "switch" and member.default is True:
        both = typer.Option(f"{member.option}/{member.emptied}", help=help_, rich_help_panel=_OPTIONS)
        return _parameter(_name(member), bool | None, both, None)
    if member.how in ("flag", "switch"):
        return _parameter(_name(member), bool, typer.Option(member.option, help=help_, rich_help_panel=_OPTIONS), False)
    info = typer.Option(member.option, metavar=member.shape, help=help_, rich_help_panel=_OPTIONS)
    return _parameter(_name(member), list[str] | None, info, None)


def _sentence(member: Member) -> str:
    return f"{member.title[:1].upper()}{member.title[1:]}." if member.title else ""
