"""`rollproof games`, `log`, `state`, `export`, `import`, `rebuild`: show, export and import stored games."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NamedTuple

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import GameOrFile, game_argument
from ledger.cli.call import Call
from ledger.cli.codes import code_line, code_now
from ledger.cli.describe import full_name, show_session, summary
from ledger.cli.event_sources import refuse_event
from ledger.cli.hints import idle_lines, next_lines
from ledger.cli.isolation import isolated
from ledger.cli.language import N_, Translate
from ledger.cli.output import Output, printable
from ledger.cli.play import Play
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from verifier import Replay


@command(
    app,
    "games",
    reads=True,
    examples=["rollproof games", "rollproof games 'Round 3'", "rollproof games --json"],
)
def games(
    call: Call,
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="Only games with this in their id, title, rules, phase or server."),
    ] = None,
) -> None:
    """List the stored games, with the server that keeps each, if one does."""
    _ = call.translate
    servers = _servers(call)
    rows = [row | {"server": servers.get(row["game"])} for row in call.home.games()]
    if text:
        wanted = text.casefold()
        told = ("game", "title", "system", "phase", "server")
        rows = [row for row in rows if any(wanted in (row[column] or "").casefold() for column in told)]
    if call.out.json:
        call.out.value(rows)
    elif rows:
        columns = [_("id"), _("title"), _("system"), _("phase"), _("events"), _("changed (UTC)")]
        more = [_("server")] if servers else []
        call.out.table([*columns, *more], ((*_game_row(row, _), row["server"] or "")[: 6 + len(more)] for row in rows))
    else:
        call.out.say(_("No game fits.") if text else _("There is no game here yet. Open one with: rollproof new"))


def _servers(call: Call) -> dict[str, str]:
    """Return the address of the server that keeps a game, by its id."""
    if not (call.home.root / "remotes").is_dir():
        return {}  # without the packages for servers too
    from ledger.client.remotes import Remotes

    return {remote.game: remote.address for remote in Remotes(call.home).all() if remote.game is not None}


def _game_row(row: Mapping[str, Any], _: Translate) -> tuple[object, ...]:
    return (row["game"][:12], row["title"], row["system"], _(row["phase"]), row["events"], _minute(row["changed"]))


@command(
    app,
    "log",
    reads=True,
    examples=[
        "rollproof log 9c31",
        "rollproof log 9c31 --type roll --type reveal --limit 20",
        "rollproof log 9c31 --json",
        "rollproof log table-12.jsonl",
    ],
)
def log(
    call: Call,
    game: GameOrFile,
    type: Annotated[
        list[str] | None, typer.Option(metavar="TYPE", help="Only events of this type; repeatable.")
    ] = None,
    author: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only events of this party; repeatable.")
    ] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the latest N.")] = None,
) -> None:
    """Show a game's events, one a line.

    Of a file, the events that hold are shown; exit code 1 if these are not all. On a terminal long texts are cut; in a
    pipe, and with --json, they are whole.
    """
    _ = call.translate
    import msgspec

    from rules.protocol import TRANSITIONS

    unknown = [name for name in type or () if name not in TRANSITIONS]
    if unknown:
        raise UsageError(f"--type: there is no event {unknown[0]!r}; there are {', '.join(TRANSITIONS)}")
    refuse_event(call, game, "event", "log")
    shown = _ShownRoll.named(call, game)
    decoded = map(msgspec.json.decode, shown.lines)
    chosen = (e for e in decoded if (not type or e["type"] in type) and (not author or e["author"] in author))
    events: deque[dict[str, Any]] = deque(chosen, maxlen=limit)
    if call.out.json:
        call.out.value({"game": shown.replay.terms.game.hex(), "events": list(events)})
    else:
        system = shown.replay.terms.system
        from verifier.shell.display import known_rolls

        known = known_rolls(shown.replay.session)
        told = ((e, call.out.cut(summary(e, system, _, known), beside=_BESIDE)) for e in events)
        called = shown.replay.terms.called
        rows = ((e["seq"], _second(e["time"]), full_name(e["author"], called), e["type"], what) for e, what in told)
        call.out.table([_("event"), _("time (UTC)"), _("author"), _("type"), _("what")], rows)
    shown.end()


_BESIDE = 48
"""columns that the others of a log's table take"""


def _minute(time: str) -> str:
    return time[:16].replace("T", " ")


def _second(time: str) -> str:
    return time[:19].replace("T", " ")


@command(app, "state", reads=True, examples=["rollproof state 9c31", "rollproof state 9c31 --json"])
def state(
    call: Call,
    game: GameOrFile,
    rolls: Annotated[int, typer.Option(metavar="N", min=1, help="Show the latest N rolls.")] = 10,
) -> None:
    """Show a game as it stands.

    It shows parties, rolls, whose choice it is, triggers, permanents and rulings; with --json all that specs/rules.md
    lists.
    """
    _ = call.translate
    refuse_event(call, game, "event", "log" if Path(game).is_file() else "status")
    shown = _ShownRoll.named(call, game)
    replay, session, out = shown.replay, shown.replay.session, call.out
    if out.json:
        out.value(session.view())
        shown.end()
        return
    terms = replay.terms
    out.say(_("Game {game}").format(game=terms.game.hex()) + (f", {isolated(terms.title)}" if terms.title else ""))
    text = _("{system}, {phase}, {events}, root {root}")
    events, root = _events(replay.size, _), replay.tree.root().hex()
    out.say(text.format(system=terms.system, phase=_(str(session.phase)), events=events, root=root))
    out.say(code_line(replay.size, code_now(replay), _))
    out.heading(_("Parties"))
    out.table([_("name"), _("role"), _("at the table"), _("links left")], _parties(replay, _))
    show_session(out, session, rolls)
    _show_voided(out, replay, rolls)
    lines = [] if shown.play is None else next_lines(shown.play) or idle_lines(shown.play)
    if lines:
        out.heading(_("Next"))
    for line in lines:
        out.say(line)
    shown.end()


class _ShownRoll(NamedTuple):
    """A game to show: a stored one, or the valid part of a file."""

    replay: "Replay"
    lines: Iterator[bytes]
    play: Play | None
    """None of a file: nobody goes on in it"""
    holds: bool = True

    @classmethod
    def named(cls, call: Call, text: str) -> "_ShownRoll":
        """Open a file, else a stored game. Print on standard error where a file fails. Raises UsageError."""
        if not Path(text).is_file():
            play = Play(call, text)
            return cls(play.replay, play.ledger.view(play.game).lines(0), play)
        from ledger.cli.sources import named_log

        source, _ = named_log(call, text), call.translate
        report, replay = source.verified(_)
        if report.error is not None:
            told = _("{file}: {problem} Shown is what stands before event {seq}.")
            call.out.note(told.format(file=source.name, problem=report.error.message, seq=report.valid_prefix))
        if replay is None or not replay.size:
            raise MissingError(_("{file}: there is no game in it to show").format(file=source.name))
        return cls(replay, source.lines(replay.size), None, report.error is None)

    def end(self) -> None:
        """Exit code 1 where the file does not hold."""
        if not self.holds:
            raise typer.Exit(1)


def _show_voided(out: Output, replay: "Replay", latest: int) -> None:
    _ = out.translate
    from verifier.shell.display import VOIDED_COLUMNS, voided_row

    voided = list(replay.voided)
    if voided:
        some = _("Rolls without dice (the latest {latest} of {count})").format(latest=latest, count=len(voided))
        out.heading(some if len(voided) > latest else _("Rolls without dice"))
        rows = (voided_row(roll, replay, _) for roll in voided[-latest:])
        out.table([_(column) for column in VOIDED_COLUMNS], rows)


_PHASES = (N_("new"), N_("idle"), N_("pending"), N_("voided"), N_("closed"))
"""as the state names them, listed to be translated"""


def _parties(replay: "Replay", _: Translate) -> list[tuple[object, ...]]:
    session = replay.session
    rows: list[tuple[object, ...]] = []
    for name, role in replay.terms.roles.items():
        chain, there = replay.chains.get(name), _("yes") if name in session.parties.joined else _("not yet")
        if name in session.parties.left | session.parties.away:
            there = _("has left") if name in session.parties.left else _("away")
        rows.append((full_name(name, replay.terms.called), _(role), there, chain.length - chain.next if chain else ""))
    return rows


@command(
    app,
    "export",
    reads=True,
    examples=[
        "rollproof export 9c31 --out table-12.jsonl",
        "rollproof export 9c31",
        "rollproof export --parquet season/ tables/round-1 --event 'Spring Open'",
    ],
)
def export(
    call: Call,
    what: Annotated[
        list[str],
        game_argument(
            "GAME|FILE|DIR…",
            "The game: its id, the beginning of it (4 digits or more), or its title; with --parquet logs, "
            "folders of *.jsonl files, or addresses (https://…, s3://…).",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE|-", help="Where to; - (or nothing) is standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    parquet: Annotated[
        str | None,
        typer.Option(
            "--parquet",
            metavar="DIR",
            help="Add the verified games of logs to a season's data in DIR, or at an address (s3://…).",
        ),
    ] = None,
    event: Annotated[
        str | None,
        typer.Option("--event", metavar="NAME", help="With --parquet: their event (else: the folder's name)."),
    ] = None,
) -> None:
    """Write a game's log to a file that everybody can verify; or verified games as data.

    The log is written byte for byte, all of it or nothing. Beside it, in FILE.checkpoint, goes the keeper's last
    checkpoint, with the cosignatures of witnesses.

    With --parquet logs are verified, and games, rolls, dice and rulings of those that hold go into DIR, for stats,
    DuckDB, pandas and others. Older data of the same games is replaced. The exit codes are those of verify.
    """
    if parquet is not None:
        if out is not None or force:
            raise UsageError("--out and --force are for one game's log; --parquet takes DIR alone")
        from ledger.cli.season import export_season

        raise typer.Exit(export_season(call, parquet, what, event))
    if len(what) > 1:
        raise UsageError("one game's log goes to one file; several logs go to --parquet DIR")
    if event is not None:
        raise UsageError("--event goes with --parquet")
    _export_log(call, what[0], Path("-") if out is None else out, force=force)


def _export_log(call: Call, game: str, out: Path, *, force: bool) -> None:
    _ = call.translate
    from ledger.cli.files import write_files
    from verifier.shell.files import sidecar_of

    play = Play(call, game)
    if out == Path("-"):
        for line in play.ledger.view(play.game).lines(0):
            call.out.line(line.decode())
        return
    # The checkpoint first: lines that come in between make the log longer than it says, never shorter.
    checkpoint, sidecar = play.ledger.checkpoint(play.game), sidecar_of(out)
    files: dict[Path, Callable[[BinaryIO], object]] = {out: lambda stream: play.ledger.export(play.game, stream)}
    if checkpoint is not None:
        files[sidecar] = lambda stream: stream.write(bytes(checkpoint))
    write_files(files, force=force)
    if force and checkpoint is None:
        sidecar.unlink(missing_ok=True)  # of the log that was replaced
    replay = play.replay
    root, signed = replay.tree.root().hex(), checkpoint.head.size if checkpoint is not None else 0
    if call.out.json:
        told = {"checkpoint": str(sidecar) if checkpoint is not None else None, "signed": signed}
        call.out.value({"game": play.game.hex(), "file": str(out), "events": replay.size, "root": root, **told})
        return
    text = _("{file}: {events} of game {game}, root {root}")
    events = _events(replay.size, _)
    call.out.say(text.format(file=printable(out), events=events, game=play.game.hex(), root=root))
    if checkpoint is not None:
        text = _("{file}: signed by {keeper}, the keeper, for the log's first {size}")
        call.out.say(text.format(file=printable(sidecar), keeper=replay.terms.keeper, size=_events(signed, _)))
    else:
        text = _("There is no checkpoint by {keeper}, the keeper, to go with it.")
        call.out.say(text.format(keeper=replay.terms.keeper))


def _events(count: int, _: Translate) -> str:
    from rules.data.language import counted

    return counted(count, "event").message(_)


@command(app, "rebuild", examples=["rollproof rebuild"])
def rebuild(call: Call) -> None:
    """Make the store's read tables again, from its logs."""
    _ = call.translate
    count = call.ledger.rebuild(os.cpu_count() or 1)
    if call.out.json:
        call.out.value({"games": count})
    else:
        call.out.say(_("Read tables made again from the logs; games: {count}").format(count=count))
