"""Secret rolls: `rollproof roll GAME … --secret`, `--blind-to GM`, `rollproof show`, `rollproof check-show`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import Game, LogOfGame
from ledger.cli.call import Call
from ledger.cli.isolation import isolated
from ledger.cli.language import Translate
from ledger.cli.outcome import print_outcome
from ledger.cli.output import printable, rollproof
from ledger.cli.play import Play
from ledger.cli.sources import named_log
from ledger.errors import MissingError, RefusedError, UsageError
from verifier.shell.exits import EXIT_CODES

if TYPE_CHECKING:
    from ledger.seats.sealing import SecretOutcome
    from rules import Session

__all__ = ["roll_in_secret"]


def roll_in_secret(play: Play, members: Mapping[str, Any], holder: str, *, only: bool) -> None:
    """Request a secret roll of these dice, which only `holder` sees; then carry the roll on with the parties here.

    Raises UsageError if the members are no plain list of dice, RefusedError if protocol or rules forbid the roll.
    """
    from rules import Violation

    system, _ = play.session.system, play.call.translate
    author, dice = play.call.acting, members.get("dice")
    if not system.seals:
        raise UsageError(f"in {system.name} no roll is secret: what its dice come to decides what happens next")
    if not isinstance(dice, str) or members.keys() - {"dice", "source"}:
        raise UsageError("a secret roll is dice and what they are for, without a target, a table, a call or a deck")
    try:
        sides = system.secret_sides(dice)
    except Violation as violation:
        raise RefusedError(violation, violation.code, violation.clause) from None
    body: dict[str, Any] = {"dice": dice, "sealed": holder, "sides": list(sides)}
    purpose = members.get("source")
    if holder != author:
        body |= {"source": purpose} if purpose else {}
    play.tend()
    _check(play, body)
    if holder == author and purpose:
        with play.seat(author) as seat:
            body |= {"hidden": play.in_turn(lambda view: seat.hide(view, str(purpose)))}
    _ask(play, body, only=only)
    request = play.written[0]
    text = _("{holder} alone sees what it came to, and shows it, or not: {command}")
    if play.replay.pending is None:
        play.notes.append(
            text.format(holder=holder, command=rollproof("show", play.short, str(request), "--as", holder))
        )
    print_outcome(play, request, **({"secret": _outcome_of(play, author, request)} if holder == author else {}))
    if play.replay.pending is not None and play.replay.pending.seq in play.written:
        raise typer.Exit(EXIT_CODES["waiting"])


def _check(play: Play, body: Mapping[str, Any]) -> None:
    play.when_settled(lambda: play.check(play.call.acting, "roll", _body(play, body)))


def _body(play: Play, body: Mapping[str, Any]) -> Any:
    from ledger.forms.form import convert_body

    translate = play.call.translate
    return convert_body(
        body, play.session.system.bodies["roll"], translate("this {type}").format(type="roll"), translate
    )


def _ask(play: Play, body: Mapping[str, Any], *, only: bool) -> None:
    play.request("roll", _body(play, body), only=only)


def _outcome_of(play: Play, holder: str, request: int) -> dict[str, Any] | None:
    """Print a secret roll's outcome for its holder, and return it as data; None if it is still pending."""
    import msgspec

    with play.seat(holder) as seat:
        found = next((each for each in seat.keyless.outcomes(play.table.view) if each.request == request), None)
    if found is None:
        return None
    out, _ = play.call.out, play.call.translate
    if not out.json:
        for line in _told(play.session, found, holder, _):
            out.say(_("For {holder}'s eyes alone: {text}").format(holder=holder, text=line))
    data: dict[str, Any] = msgspec.to_builtins(found)
    return data


def _told(session: "Session", found: "SecretOutcome", holder: str, _: Translate) -> list[str]:
    """Describe a secret roll to its holder: its dice, their outcome, and what for; of a blind one who asked, too."""
    notes = session.system.secret_notes(session.game, found.request, found.naturals)
    told = [note.message(_) for note in notes] or [", ".join(map(str, found.naturals))]
    lines = [_("roll {roll}, {text}").format(roll=found.request, text=text) for text in told]
    view = session.view_roll(found.request) or {}
    asked = [found.roller, view.get("source")] if found.roller != holder else [found.text]
    about = ", ".join(isolated(each) for each in asked if each)
    return [f"{line} ({about})" if about else line for line in lines]


@command(
    app,
    "show",
    signed=True,
    examples=[
        "rollproof show 9c31 --as gil",
        "rollproof show 9c31 12 --as gil",
        "rollproof show 9c31 12 --as gil --out 12.show",
    ],
)
def show(
    call: Call,
    game: Game,
    request: Annotated[
        int | None,
        typer.Argument(
            metavar="SEQ", min=0, help="The secret roll to show; without it yours are listed, for you alone."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write it as a file beside the log, which needs no keeper."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Show everybody the dice of a secret roll of yours; without SEQ, list your secret rolls, which only you see.

    A show says how many others of yours are not shown, so others see if you show only those that you like. If the
    keeper accepts no show, or the game is over, the file of --out shows the same (rollproof check-show FILE LOG).
    """
    import msgspec

    from ledger.cli.files import write_files
    from rules.data.language import counted

    play, name, _ = Play(call, game), call.acting, call.translate
    play.check_party(name)
    if request is None:
        with play.seat(name) as seat:
            found = seat.keyless.outcomes(play.table.view)
        if call.out.json:
            call.out.value({"game": play.game.hex(), "holder": name, "rolls": msgspec.to_builtins(found)})
            return
        for each in found:
            for line in _told(play.session, each, name, _):
                call.out.say(line)
        if not found:
            call.out.say(_("{name} holds no secret roll that is not shown.").format(name=name))
        return
    number = request
    if out is not None:
        with play.seat(name) as seat:
            shown = seat.show_file(play.table.view, number)
        write_files({out: lambda stream: stream.write(shown)}, force=force)
        told = rollproof("check-show", out, play.short)
        call.out.say(
            _("{file} shows the roll to whoever has the log: {command}").format(file=printable(str(out)), command=told)
        )
        return
    with play.seat(name) as seat:
        play.append(lambda view: seat.show(view, number))
    holder = play.session.seals[name]
    text = _("Not shown: {rolls} more that {name} holds in secret.")
    play.notes.append(text.format(name=name, rolls=counted(len(holder.unshown), "roll").message(_)))
    print_outcome(play, number)


@command(
    app,
    "check-show",
    reads=True,
    examples=["rollproof check-show 12.show table-12.jsonl", "rollproof check-show 12.show 9c31"],
)
def check_show(
    call: Call,
    show: Annotated[Path, typer.Argument(metavar="SHOW", help="The file of a secret roll that its holder shows.")],
    log: LogOfGame,
) -> None:
    """Check a show of a secret roll against a log: whose it is, and what it came to.

    A show holds whoever keeps the log, even after the close. Exit code: 0 it holds, 1 it does not, or the log does not;
    2 that is no log.
    """
    import msgspec

    from ledger.cli.files import read_bounded
    from verifier import Failure, NoteError
    from verifier.shown_roll import MAX_SHOWN, check_shown, parse_shown

    _ = call.translate
    source, name = named_log(call, log), printable(str(show))
    try:
        shown = parse_shown(read_bounded(show, MAX_SHOWN + 1))
    except NoteError as error:
        text = _("{file} shows no secret roll: {problem}")
        raise MissingError(text.format(file=name, problem=error.message(_))) from None
    report, replay = source.verified(_)
    if report.verdict != "holds" or replay is None:
        text = _("{log} does not hold, so nothing can be checked against it: {command}")
        told = rollproof("verify", Path(log) if Path(log).exists() else log)
        call.out.problem(text.format(log=source.name, command=told), report.exit_code)
        raise typer.Exit(report.exit_code)
    try:
        found = check_shown(source.lines(replay.size), shown)
    except (Failure, NoteError) as problem:
        message = _("{file} does not hold: {problem}").format(file=name, problem=problem.message(_))
        _answer(call, None, message)
        raise typer.Exit(1) from None
    came = (
        _("its dice are not known: no link of it, or not all")
        if found.naturals is None
        else ", ".join(map(str, found.naturals))
    )
    text = _("{file} holds: {holder}'s secret roll of event {request}: {came}")
    message = text.format(file=name, holder=found.holder, request=found.request, came=came)
    _answer(call, msgspec.to_builtins(found), message + (f" ({isolated(found.text)})" if found.text else ""))


def _answer(call: Call, found: dict[str, Any] | None, message: str) -> None:
    if call.out.json:
        call.out.value({"holds": found is not None, "found": found, "message": message})
    else:
        call.out.say(message)
