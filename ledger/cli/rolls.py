"""`rollproof roll GAME NOTATION` and `rollproof do GAME`, the commands that players use most, in every game."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import LINKS, Game, RequestOnly
from ledger.cli.call import Call
from ledger.cli.describe import full_name
from ledger.cli.output import command_line, rollproof
from ledger.cli.play import Play
from ledger.errors import UsageError

if TYPE_CHECKING:
    from ledger.forms.form import Form
    from rules.actions import Action
    from rules.base import NotationError


@command(
    app,
    "roll",
    signed=True,
    examples=["rollproof roll 9c31 2d6 for Charge range", "rollproof roll 9c31", "rollproof roll 9c31 @roll.txt"],
)
def roll(
    call: Call,
    game: Game,
    notation: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NOTATION",
            help="What is rolled, as the game writes it (rollproof GAME roll --help); @FILE, or - for standard input. "
            "Left out: the roll that is due.",
            show_default=False,
        ),
    ] = None,
    secret: Annotated[
        bool, typer.Option("--secret", help="Roll in secret: you alone see the dice, and what they are for.")
    ] = False,
    blind_to: Annotated[
        str | None,
        typer.Option("--blind-to", metavar="GM", help="A blind roll: only this game master sees what your dice show."),
    ] = None,
    request_only: RequestOnly = False,
) -> None:
    """Ask for dice, and show them.

    The request is signed and in the log before anything is opened. Then every contributor whose identity and passphrase
    are on this machine opens, each by itself, and the keeper reveals. The answer says what those on other machines must
    run.
    """
    from ledger.cli.event_input import perform, tell_reading, whole_body
    from ledger.forms.form import short_forms

    play, line = Play(call, game), " ".join(notation or ())
    options = [*(["--secret"] if secret else []), *(["--blind-to", blind_to] if blind_to is not None else [])]
    options += ["--request-only"] if request_only else []
    form, members = _read(play, line, short_forms(play.session.system), options) if line else (None, {})
    if secret or blind_to is not None:
        from ledger.cli.secret import roll_in_secret

        if secret and blind_to is not None:
            raise UsageError("a roll is your own secret (--secret), or blind to a game master (--blind-to), not both")
        roll_in_secret(play, members, call.acting if blind_to is None else blind_to, only=request_only)
        return
    body = play.when_settled(lambda: whole_body(play, "roll", members, form))
    if line:
        tell_reading(play, "roll", body)
    perform(play, "roll", body, only=request_only)


def _read(play: Play, line: str, forms: "tuple[Form, ...]", options: Sequence[str]) -> "tuple[Form, dict[str, Any]]":
    """Return the line in the notation of one of the game's rolls; `options` were given beside it. Raises UsageError."""
    from ledger.cli.argv import parse_notation
    from ledger.forms.form import forms as forms_of
    from rules.base import NotationError

    system = play.session.system
    if not forms:
        raise UsageError(f"a roll of {system.name} has no notation: see rollproof {system.name} roll --help")
    read, problems = [], []
    for form in forms:
        try:
            read.append((form, parse_notation(form, line)))
        except NotationError as error:
            assert form.notation is not None
            problems.append(_refusal(play, error.with_example(form.notation.example), options))
    if len(read) == 1:
        return read[0]
    if read:
        raise UsageError("this can be " + " or ".join(f"rollproof {system.name} {' '.join(f.words)}" for f, _ in read))
    named = next((form for form in forms_of(system, "roll") if form.tag == line.casefold()), None)
    if named in forms:
        raise UsageError(problems[forms.index(named)])
    if named is not None:
        raise UsageError(_told_of(play, named))
    raise UsageError(problems[0])


def _refusal(play: Play, problem: "NotationError", options: Sequence[str]) -> str:
    """Return the reason why a line is not read, with a command for each line that would be read in its place."""
    _ = play.call.translate
    if not problem.lines:
        return problem.message(_)
    commands = [command_line("roll", play.short, line, *options, "--as", play.call.acting) for line in problem.lines]
    text = _("{problem}; this would be read:")
    return text.format(problem=problem.problem.message(_)) + "".join(commands)


def _told_of(play: Play, form: "Form") -> str:
    """Say how to request a roll that has a name, such as `wound`, instead of a line of dice."""
    from ledger.cli.event_input import actions_of
    from ledger.cli.suggestions import command_told, offered_as
    from ledger.forms.form import form_of

    party, system, _ = play.call.acting, play.session.system, play.call.translate
    actions = actions_of(play, party)
    own = [n for n, a in enumerate(actions, 1) if a.type == "roll" and form_of(system, "roll", a.body) is form]
    if not own:
        text = _("{step} is not to be rolled now; what {party} can do: {command}")
        command = rollproof("do", play.short, "--as", party)
        return text.format(step=form.tag, party=full_name(party, play.replay.terms.called), command=command)
    arguments, _example = offered_as(system, actions, own[0], play.short, party, _)
    text = _("{step} is a step of its own, which needs no line of dice: {command}")
    return text.format(step=form.tag, command=command_told(arguments))


@command(
    app,
    "do",
    signed=True,
    examples=["rollproof do 9c31", "rollproof do 9c31 1", "rollproof do 9c31 2 dice=1,3"],
)
def do(
    call: Call,
    game: Game,
    number: Annotated[
        int | None, typer.Argument(metavar="N", min=1, help="The action to take; without it the actions are listed.")
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=VALUE…", help="Values to fill in, or a line of notation; else you are asked."),
    ] = None,
    request_only: RequestOnly = False,
) -> None:
    """List what you can do now, due first; with a number, do it.

    The numbers are those of the list as the game stands: another event can change them. With --json the list is data:
    the values to fill in, and the command to type.
    """
    from ledger.cli.event_input import actions_of, do_offer, perform, tell_reading

    play = Play(call, game)
    party = call.acting
    play.check_party(party)
    if number is not None:
        play.settle()
    actions = actions_of(play, party)
    if number is None:
        _list(play, party, actions)
        return
    if number > len(actions):
        text = call.translate("there is no {number}; {party} can do {count} things: {command}")
        told = rollproof("do", play.short, "--as", party)
        who = full_name(party, play.replay.terms.called)
        raise UsageError(text.format(number=number, count=len(actions), party=who, command=told))
    action = actions[number - 1]
    if action.type in play.session.system.bodies:
        body = do_offer(play, action, words or [])
        tell_reading(play, action.type, body)
        perform(play, action.type, body, only=request_only)
    else:
        _do_of_protocol(play, action, words or [])


def _list(play: Play, party: str, actions: "tuple[Action, ...]") -> None:
    from ledger.cli.hints import next_lines
    from ledger.cli.suggestions import command_told, offered_as
    from ledger.forms.offers import fields_told
    from rules.actions import as_json

    out, system, _ = play.call.out, play.session.system, play.call.translate
    told = [offered_as(system, actions, n, play.short, party, _) for n in range(1, len(actions) + 1)]
    if out.json:
        listed = [
            {"number": n, **as_json(action, _), "command": command_told(arguments), "example": example}
            for n, (action, (arguments, example)) in enumerate(zip(actions, told, strict=True), 1)
        ]
        out.value({"game": play.game.hex(), "party": party, "actions": listed})
        return
    if not actions:
        out.say(_("There is nothing that {party} can do now.").format(party=full_name(party, play.replay.terms.called)))
        for line in next_lines(play):
            out.say(line)
        return
    for number, (action, (arguments, example)) in enumerate(zip(actions, told, strict=True), 1):
        due, fields = _(" (due)") if action.due else "", fields_told(action, _)
        label = action.label.message(_) + due + (f"; {fields}" if fields else "")
        out.say(f"{number:2}  {label}")
        out.line(f"      {command_told(arguments)}")
        if example is not None:
            out.say("      " + _("as in: {example}").format(example=example))


def _do_of_protocol(play: Play, action: "Action", words: list[str]) -> None:
    """Joining, leaving, rulings and the like: the commands of these names do it."""
    from ledger.cli.event_input import do_offer
    from ledger.cli.joining import join_game
    from ledger.cli.presence import sign_presence
    from ledger.cli.rulings import sign_ruling

    party = str(action.body.get("party", play.call.acting))
    if action.type == "join":
        join_game(play, LINKS)
    elif action.type == "ruling":
        sign_ruling(play, do_offer(play, action, words))
    else:
        sign_presence(play, action.type, party)
