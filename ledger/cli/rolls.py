"""What players do with dice: `rollproof roll`, `reroll`, `ignore`, `modify`, `store`, `resolve`, `declare`."""

from functools import partial
from typing import Annotated, Any

import typer

from ledger.cli.app import Call, app, command, group
from ledger.cli.arguments import BodyOption, Game
from ledger.cli.isolation import isolated_in
from ledger.cli.place import Place
from ledger.cli.play import Play
from ledger.cli.systems import commands_of, declarations, examples, makers, typed_body

_Only = Annotated[
    bool, typer.Option("--request-only", help="Stop after the request; others open and reveal with their own commands.")
]


@command(app, "roll", signed=True, options_of=partial(makers, "roll"), examples=examples("roll"))
def roll(call: Call, game: Game, body: BodyOption = None, request_only: _Only = False, **options: Any) -> None:
    """Ask for dice, and show them if everybody needed is here.

    The request is signed and in the log before anything is opened. Then every contributor whose identity and passphrase
    are on this machine opens, each by itself, and the keeper reveals. Who is elsewhere is told what to run.
    """
    _request(call, game, "roll", body, request_only, options)


@command(app, "reroll", signed=True, options_of=partial(makers, "reroll"), examples=examples("reroll"))
def reroll(call: Call, game: Game, body: BodyOption = None, request_only: _Only = False, **options: Any) -> None:
    """Reroll dice of the open roll, or stored results.

    Dice are rerolled by an effect of the roll. What happens then is as with `rollproof roll`.
    """
    _request(call, game, "reroll", body, request_only, options)


@command(app, "ignore", signed=True, options_of=partial(makers, "ignore"), examples=examples("ignore"))
def ignore(call: Call, game: Game, body: BodyOption = None, **options: Any) -> None:
    """Ignore dice of the open roll."""
    _act(call, game, "ignore", body, options)


@command(app, "modify", signed=True, options_of=partial(makers, "modify"), examples=examples("modify"))
def modify(call: Call, game: Game, body: BodyOption = None, **options: Any) -> None:
    """Apply an effect to the open roll, or decline it."""
    _act(call, game, "modify", body, options)


@command(app, "store", signed=True, options_of=partial(makers, "store"), examples=examples("store"))
def store(call: Call, game: Game, body: BodyOption = None, **options: Any) -> None:
    """Store the results of the open roll."""
    _act(call, game, "store", body, options)


@command(app, "resolve", signed=True, options_of=partial(makers, "resolve"), examples=examples("resolve"))
def resolve(call: Call, game: Game, body: BodyOption = None, **options: Any) -> None:
    """Finish the open roll, or deal with an owed trigger.

    What was announced at the table (--results, --rows, --doubles) can be put on record: it must agree with the dice.
    """
    _act(call, game, "resolve", body, options)


_declare = group(
    "declare",
    "Declare what the dice do not show: rollproof declare WHAT GAME, with options. Each WHAT says which games have it. "
    "With --body, any WHAT takes the whole body in JSON, its member `what` included: so does one that has no options.",
)


def _declaration(what: str) -> None:
    """Make the command `declare WHAT` of what the systems have for it."""
    event = f"declare {what}"

    def declare(call: Call, game: Game, body: BodyOption = None, **options: Any) -> None:
        _act(call, game, event, body, options)

    declare.__doc__ = makers(event)[0].__doc__
    command(_declare, what, signed=True, options_of=partial(makers, event), examples=examples(event))(declare)


for _what in declarations():
    _declaration(_what)


def _request(call: Call, game: str, type: str, body: str | None, only: bool, options: dict[str, Any]) -> None:
    play = Play(call, game)
    place = Place(play.session, call.acting)
    play.request(type, typed_body(type, place, body, options), only=only)
    play.notes = [*place.notes, *play.notes]
    play.tell(play.written[0])


def _act(call: Call, game: str, event: str, body: str | None, options: dict[str, Any]) -> None:
    play = Play(call, game)
    place = Place(play.session, call.acting)
    typed, opened = typed_body(event, place, body, options), place.open_roll
    named = getattr(typed, "roll", None)
    subject = named if isinstance(named, int) else opened.roll if opened else None
    play.act(event.split()[0], typed)
    play.notes += [*place.notes, *_owed(play)]
    play.tell(subject)


def _owed(play: Play) -> list[str]:
    """What this event made due."""
    return commands_of(play.session.system.id).due(isolated_in(play.session.view()), play.short)
