"""The steps of a roll: `rollproof open`, `receive`, `reveal`, `void`, `check-opening` (specs/protocol.md)."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import Game, LogOfGame
from ledger.cli.call import Call
from ledger.cli.language import Translate
from ledger.cli.outcome import print_outcome
from ledger.cli.output import command_line, printable, rollproof
from ledger.cli.play import Play
from ledger.cli.sources import named_log
from ledger.errors import MissingError, TurnError, UsageError, WaitingError

if TYPE_CHECKING:
    from verifier.opening import CheckedOpening, ReceivedOpening, SentOpening

_Openings = Annotated[
    list[Path] | None,
    typer.Option(
        "--opening",
        metavar="FILE",
        help="An opening that a contributor on another machine sent (`rollproof open … --out FILE`); repeatable.",
    ),
]


@command(
    app,
    "open",
    signed=True,
    examples=["rollproof open 9c31 --as bob", "rollproof open 9c31 --as bob --out bob.opening"],
)
def open_(
    call: Call,
    game: Game,
    opening: _Openings = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the opening, to be sent to the keeper.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Open your next link for the roll that waits. Asked again, it gives the same opening.

    If others are on other machines, send everybody the file that --out writes: they take it with `--opening FILE`. The
    opening is good for this roll alone, and no secret once it is sent. The party that rolls opens after the others.
    """
    from ledger.cli.files import write_files
    from verifier.opening import SentOpening

    play, name = Play(call, game), call.acting
    play.check_party(name)
    keeper, pending = play.replay.terms.keeper, play.replay.pending
    if name == keeper:
        told = rollproof("reveal", play.short, "--as", name)
        raise TurnError(f"{name} keeps the log and opens last, with: {told}")
    if pending is None or play.session.phase != "pending":
        raise TurnError("no roll waits for dice in this game, so there is nothing to open")
    _take(play, opening)
    play.wait_for_others(name)
    with play.seat(name) as seat:
        sent = SentOpening.of(play.game, pending.request, play.table.open(seat))
    if out is not None:
        write_files({out: lambda stream: stream.write(bytes(sent))}, force=force)
    if play.carrier is not None:
        play.carry_on()
    elif not play.keeper_here:
        play.away = _send(keeper, name, pending.closer, play.short, out, call.translate)
    print_outcome(play, opening=bytes(sent).decode())


def _send(keeper: str, name: str, closer: str, game: str, out: Path | None, _: Translate) -> str:
    """Say how to send an opening to the other machines."""
    if out is None:
        text = _("{keeper} keeps the log and is not here: {keeper} needs the opening. Write it to a file, and send it:")
        return text.format(keeper=keeper) + command_line("open", game, "--as", name, "--out", f"{name}.opening")
    text = _("Send {file} to {keeper}, who keeps the log and takes it with:")
    told = text.format(file=printable(str(out)), keeper=keeper)
    told += command_line("reveal", game, "--as", keeper, "--opening", Path(out.name))
    if name == closer:
        return told
    text = _("Send it to all others too. {closer}, who opens after them, takes it with:")
    return f"{told}\n{text.format(closer=closer)}" + command_line(
        "open", game, "--as", closer, "--opening", Path(out.name)
    )


@command(
    app,
    "reveal",
    signed=True,
    examples=["rollproof reveal 9c31 --as host", "rollproof reveal 9c31 --as host --opening bob.opening"],
)
def reveal(call: Call, game: Game, opening: _Openings = None) -> None:
    """Show the dice, as the keeper, when everybody else has opened."""
    play = Play(call, game)
    number = _check_keeper(play, call.acting, "reveal")
    _take(play, opening)
    waiting = play.table.kept.awaited
    if waiting:
        raise WaitingError(
            f"the dice wait for {' and '.join(waiting)} to open. First comes: {_commands(play, waiting)}"
        )
    with play.seat(call.acting) as seat:
        play.table.write(seat, "reveal")
    print_outcome(play, number)


@command(
    app,
    "void",
    signed=True,
    examples=["rollproof void 9c31 --as alice", "rollproof void 9c31 --missing bob --as dana"],
)
def void(
    call: Call,
    game: Game,
    missing: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A party that did not open, as far as you know; repeatable. It is your statement.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Call off the roll that waits: as a judge, or as the party that opens last before the keeper and has not opened.

    A judge first asks the party that is said to be missing, in a way that does not use the keeper. The request stays
    owed: its author makes the same one again. The keeper then discloses what was opened.
    """
    _ = call.translate
    play, name = Play(call, game), call.acting
    play.check_party(name)
    replay, pending = play.replay, play.replay.pending
    if pending is None or replay.session.phase != "pending":
        raise TurnError("no roll waits for dice in this game, so there is nothing to void")
    judges = [each for each, role in replay.terms.roles.items() if role == "judge"]
    if name not in (pending.closer, *judges):
        allowed = " or ".join([pending.closer, *judges])
        raise TurnError(f"this roll is for {allowed} to call off, not for {name}")
    unknown = [each for each in missing or () if each not in pending.contributors]
    if unknown:
        raise UsageError(f"--missing: {unknown[0]} contributes nothing to this roll")
    if not yes and sys.stdin.isatty():
        text = _("Roll {roll} will have no dice, its links are burned, and the log says that {name} did it. Void it?")
        typer.confirm(text.format(roll=pending.seq, name=name), abort=True, err=True)
    with play.seat(name) as seat:
        play.table.append(seat, lambda view: seat.void(view, missing or ()))  # who waits for it, waits no longer
    play.carry_on()
    print_outcome(play, pending.seq)


@command(app, "decline", signed=True, examples=["rollproof decline 9c31 --as alice"])
def decline(call: Call, game: Game) -> None:
    """Never open for the roll that waits: as the party that opens last before the keeper, for a judge who asks.

    `rollproof void` does the same and calls the roll off. This is for a party that cannot write to the log.
    """
    _ = call.translate
    play, name = Play(call, game), call.acting
    play.check_party(name)
    if play.replay.pending is None:
        raise TurnError("no roll waits for dice in this game")
    with play.seat(name) as seat:
        play.in_turn(seat.decline)
    text = _("{name} has not opened for roll {roll}, and never will. Tell that to the judge.")
    play.notes.append(text.format(name=name, roll=play.replay.pending.seq))
    print_outcome(play)


@command(
    app,
    "disclose",
    signed=True,
    examples=["rollproof disclose 9c31 --as host", "rollproof disclose 9c31 --as host --opening bob.opening"],
)
def disclose(call: Call, game: Game, opening: _Openings = None) -> None:
    """Disclose a voided roll, as the keeper: your own link of it, and all that was opened for it."""
    play, name = Play(call, game), call.acting
    play.check_party(name)
    if name != play.replay.terms.keeper:
        raise TurnError(f"only the keeper can disclose: --as {play.replay.terms.keeper}")
    if play.session.phase != "voided":
        raise TurnError("no roll was voided, so there is nothing to disclose")
    _take(play, opening)
    with play.seat(name) as seat:
        play.table.write(seat, "disclose")
    print_outcome(play)


@command(
    app,
    "receive",
    signed=True,
    examples=[
        "rollproof receive 9c31 bob.opening --as alice --out bob-alice.received",
        "rollproof receive 9c31 bob-alice.received --as bob",
    ],
)
def receive(
    call: Call,
    game: Game,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An opening that was sent, or a receipt for your own.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write your receipt, for the party that opened.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Take an opening that somebody sent, and give a signed receipt for it; or keep the receipt for your own.

    Openings go to everybody, so that nobody can say that one never came. Anybody who has one can pass the file on.
    """
    _ = call.translate
    from ledger.cli.files import write_files

    play, name = Play(call, game), call.acting
    play.check_party(name)
    received = _received(file)
    if received is not None:
        with play.seat(name) as seat:
            seat.keyless.keep_received(received, play.ledger.view(play.game))
        text = _("{name} keeps {receiver}'s receipt for the opening with link {index}.")
        play.notes.append(text.format(name=name, receiver=received.receiver, index=received.index))
        print_outcome(play)
        return
    _take(play, [file])
    opening = _read(file, _).opening
    if out is not None:
        with play.seat(name) as seat:
            line = bytes(play.in_turn(lambda view: seat.acknowledge(view, opening)))
        write_files({out: lambda stream: stream.write(line)}, force=force)
        text = _("Send {file} to {author}: it shows that {name} has the opening.")
        play.notes.append(text.format(file=printable(str(out)), author=opening.author, name=name))
    print_outcome(play)


@command(
    app,
    "check-opening",
    reads=True,
    examples=["rollproof check-opening bob.opening table-12.jsonl", "rollproof check-opening bob.opening 9c31"],
)
def check_opening(
    call: Call,
    opening: Annotated[
        Path, typer.Argument(metavar="OPENING", help="An opening that somebody sent or kept, or a receipt for one.")
    ],
    log: LogOfGame,
) -> None:
    """Check an opening against a log: whose it is, for which roll, and what became of that roll.

    This is for a party that a void names. It shows who signed the opening and for which roll, not when. Exit code: 0 it
    holds, 1 it does not, or the log does not; 2 that is no log.
    """
    _ = call.translate
    from verifier import Failure, NoteError
    from verifier.opening import SentOpening, check_received, check_sent, proof_of

    source = named_log(call, log)
    sent = _received(opening) or _read(opening, _)
    report, replay = source.verified(_)
    name = printable(str(opening))
    if report.verdict != "holds" or replay is None:
        text = _("{log} does not hold, so nothing can be checked against it: {command}")
        told = rollproof("verify", Path(log) if Path(log).exists() else log)
        call.out.problem(text.format(log=source.name, command=told), report.exit_code)
        raise typer.Exit(report.exit_code)
    try:
        lines = source.lines(replay.size)
        found = check_sent(lines, sent) if isinstance(sent, SentOpening) else check_received(lines, sent)
    except (Failure, NoteError) as problem:
        _answer(call, sent, None, _("{file} does not hold: {problem}").format(file=name, problem=problem.message(_)))
        raise typer.Exit(1) from None
    if isinstance(sent, SentOpening):
        _answer(call, sent, found, _told(name, sent, found, _))
    else:
        _answer(call, sent, found, _told_received(name, sent, found, proof_of(sent, found, replay.terms.keeper), _))


def _told(name: str, sent: "SentOpening", found: "CheckedOpening", _: Translate) -> str:
    """Describe a valid opening, and what became of its roll."""
    author = sent.opening.author
    text = _("{file} holds: {author} opened link {index} for roll {roll}.")
    told = text.format(file=name, author=author, index=sent.opening.index, roll=found.roll)
    if found.how is None:
        return told + " " + _("The roll still waits.")
    if found.how == "void" and found.by == author:
        text = _("Event {ended} voids that roll, by {author}: who opens a roll may not call it off. That is proof.")
    elif found.how == "void" and found.used:
        text = _("Event {ended}, by {by}, voids that roll; the opening stands in the keeper's disclose after it.")
    elif found.used:
        text = _("It stands in event {ended}, a {how}.")
    elif found.named:
        text = _("Event {ended}, by {by}, voids that roll and names {author} as missing. Ask both how it was sent.")
    else:
        text = _("Event {ended}, a {how}, ended that roll without it.")
    return told + " " + text.format(ended=found.ended, how=found.how, author=author, by=found.by)


def _told_received(
    name: str, received: "ReceivedOpening", found: "CheckedOpening", proof: str | None, _: Translate
) -> str:
    """Describe a valid receipt, and what became of its roll."""
    text = _("{file} holds: {receiver} received link {index} of {author} for roll {roll}.")
    told = text.format(
        file=name, receiver=received.receiver, index=received.index, author=received.author, roll=found.roll
    )
    if proof is not None:
        text = _(
            "Event {ended}, a {how}, and what follows it lack the opening: {receiver} kept it back. That is proof."
        )
        if proof == "named missing":
            text = _("In event {ended} {receiver} nevertheless says that {author} had not opened. That is proof.")
        names = {"receiver": received.receiver, "author": received.author}
        return told + " " + text.format(ended=found.ended, how=found.how, **names)
    return told


def _answer(call: Call, sent: "SentOpening | ReceivedOpening", found: "CheckedOpening | None", text: str) -> None:
    import msgspec

    if call.out.json:
        opening: dict[str, Any] = msgspec.to_builtins(getattr(sent, "opening", sent))
        values = None if found is None else msgspec.to_builtins(found)
        call.out.value({"holds": found is not None, "opening": opening, "found": values, "message": text})
    else:
        call.out.say(text)


def _received(path: Path) -> "ReceivedOpening | None":
    """Read a receipt for an opening; None if the file is something else. Raises OSError."""
    from ledger.cli.files import read_bounded
    from verifier import NoteError
    from verifier.opening import MAX_SENT, parse_received

    try:
        return parse_received(read_bounded(path, MAX_SENT))
    except NoteError:
        return None


def _read(path: Path, _: Translate) -> "SentOpening":
    """Raises UsageError, OSError."""
    from ledger.cli.files import read_bounded
    from verifier import NoteError
    from verifier.opening import MAX_SENT, parse_sent

    try:
        return parse_sent(read_bounded(path, MAX_SENT))
    except NoteError as error:
        text = _("{file} is no opening: {problem}")
        raise MissingError(text.format(file=printable(str(path)), problem=error.message(_))) from None


def _take(play: Play, paths: list[Path] | None) -> None:
    """Take openings that were sent. Raises UsageError, RefusedError, OSError."""
    _ = play.call.translate
    sent = [(path, _read(path, _)) for path in paths or ()]
    for path, each in sent:
        if each.game != play.game.hex():
            raise MissingError(_("{file} is for game {game}").format(file=printable(str(path)), game=each.game))
        pending = play.replay.pending
        if pending is None or each.request != pending.request.hex():
            text = _("{file} is for another request than the one that waits: {author} must open for this one")
            raise MissingError(text.format(file=printable(str(path)), author=each.opening.author))
        play.ledger.hand_in(play.game, each.opening)


def _commands(play: Play, names: Sequence[str]) -> str:
    """Return the commands that come first, with the machine of each."""
    told = []
    for name in names:
        words = ("open", play.short, "--as", name)
        here = play.is_here(name)
        told.append(
            rollproof(*words) if here else f"{rollproof(*words, '--out', f'{name}.opening')}, on {name}'s machine"
        )
    return "; ".join(told)


def _check_keeper(play: Play, name: str, does: str) -> int:
    """Return the number of the request that waits. Raises UsageError if none does, or `name` is not the keeper."""
    play.check_party(name)
    replay = play.replay
    if name != replay.terms.keeper:
        raise TurnError(f"only the keeper can {does}: --as {replay.terms.keeper}")
    if replay.pending is None or replay.session.phase != "pending":
        raise TurnError(f"no roll waits for dice in this game, so there is nothing to {does}")
    return replay.pending.seq
