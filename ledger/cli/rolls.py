"""What players do with dice: `rollproof roll`, `reroll`, `ignore`, `modify`, `store`, `resolve`, `declare`.

And how the dice come to be: `open`, `reveal`, `void`.
"""

import sys
from functools import partial
from typing import Annotated, Any

import typer

from ledger.cli.app import Call, app, command, group
from ledger.cli.arguments import BodyOption, Game
from ledger.cli.language import _
from ledger.cli.place import Place
from ledger.cli.play import Play
from ledger.cli.systems import commands_of, declarations, examples, makers, typed_body
from ledger.errors import UsageError

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


@command(app, "open", signed=True, examples=["rollproof open 9c31 --as bob"])
def open_(call: Call, game: Game) -> None:
    """Open your next link for the roll that waits. Asked again, it is the same opening."""
    play, name = Play(call, game), call.acting
    play.check_party(name)
    if name == play.replay.terms.keeper:
        raise UsageError(f"{name} keeps the log and opens last, with: rollproof reveal {play.short} --as {name}")
    if play.replay.pending is None:
        raise UsageError("no roll waits for dice in this game, so there is nothing to open")
    with play.seat(name) as seat:
        play.hand_in(seat)
    play.tell()


@command(app, "reveal", signed=True, examples=["rollproof reveal 9c31 --as host"])
def reveal(call: Call, game: Game) -> None:
    """Show the dice, as the keeper, when everybody else has opened."""
    play = Play(call, game)
    number = _check_keeper(play, call.acting, "reveal")
    waiting = play.awaited()
    if waiting:
        commands = "; ".join(f"rollproof open {play.short} --as {name}" for name in waiting)
        raise UsageError(f"the dice wait for {' and '.join(waiting)} to open. First comes: {commands}")
    with play.seat(call.acting) as seat:
        play.reveal(seat)
    play.tell(number)


@command(app, "void", signed=True, examples=["rollproof void 9c31 --as host"])
def void(call: Call, game: Game, yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False) -> None:
    """End the roll that waits without dice, as the keeper.

    The void names who failed to open, or the keeper itself where nobody else did, and counts in every verification.
    """
    play = Play(call, game)
    number = _check_keeper(play, call.acting, "void")
    waiting = play.awaited()
    if not yes and sys.stdin.isatty():
        text = _(
            "Roll {roll} will be void, its links burned, and the log will name who failed to open: {names}. Void it?"
        )
        typer.confirm(text.format(roll=number, names=", ".join(waiting or [call.acting])), abort=True, err=True)
    with play.seat(call.acting) as seat:
        # Nobody is named who opened while the keeper made up its mind.
        if play.awaited() != waiting:
            raise UsageError(f"somebody has opened meanwhile; look again: rollproof state {play.short}")
        play.append(lambda view: seat.void(view, play.ledger.openings(play.game)))
    play.tell(number)


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
    return commands_of(play.session.system.id).due(play.session.view(), play.short)


def _check_keeper(play: Play, name: str, does: str) -> int:
    """The number of the request that waits. Raises UsageError where none does, or `name` is not the keeper."""
    play.check_party(name)
    replay = play.replay
    if name != replay.terms.keeper:
        raise UsageError(f"only the keeper can {does}: --as {replay.terms.keeper}")
    if replay.pending is None:
        raise UsageError(f"no roll waits for dice in this game, so there is nothing to {does}")
    return replay.pending.seq
