"""`rollproof games`, `log`, `state`, `export`, `import`, `rebuild`: what is stored, going out and coming in."""

import os
import tempfile
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import Call, app, command
from ledger.cli.arguments import Game, GamePin, KeyPins, Logs
from ledger.cli.describe import show_session, summary, waiting_lines
from ledger.cli.language import N_, _
from ledger.cli.play import Play
from ledger.cli.verify import each_file, pins_of, show_report
from ledger.errors import ForkError, UsageError

if TYPE_CHECKING:
    from verifier import Pins, Replay


@command(
    app, "games", examples=["rollproof games", "rollproof games 'Round 3'", "rollproof games --json | jq -r .[].game"]
)
def games(
    call: Call,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="Only games with this in their id, title, rules or phase.")
    ] = None,
) -> None:
    """List the stored games."""
    rows = call.home.games()
    if text:
        wanted = text.casefold()
        told = ("game", "title", "system", "phase")
        rows = [row for row in rows if any(wanted in row[column].casefold() for column in told)]
    if call.out.json:
        call.out.value(rows)
    elif rows:
        columns = ("title", "system", "phase", "events")
        call.out.table(
            ["id", *columns, "changed (UTC)"],
            ([row["game"][:12], *(row[column] for column in columns), _minute(row["changed"])] for row in rows),
        )
    else:
        call.out.say("No game fits." if text else "There is no game here yet. Open one with: rollproof new")


@command(
    app,
    "log",
    examples=[
        "rollproof log 9c31",
        "rollproof log 9c31 --type roll --type reveal --limit 20",
        "rollproof log 9c31 --json",
    ],
)
def log(
    call: Call,
    game: Game,
    type: Annotated[
        list[str] | None, typer.Option(metavar="TYPE", help="Only events of this type; repeatable.")
    ] = None,
    author: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only events of this party; repeatable.")
    ] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the latest N.")] = None,
) -> None:
    """Show a game's events, one a line."""
    import msgspec

    from rules.session import TRANSITIONS

    unknown = [name for name in type or () if name not in TRANSITIONS]
    if unknown:
        raise UsageError(f"--type: there is no event {unknown[0]!r}; there are {', '.join(TRANSITIONS)}")
    play = Play(call, game)
    decoded = (msgspec.json.decode(line) for line in play.ledger.lines(play.game))
    chosen = (e for e in decoded if (not type or e["type"] in type) and (not author or e["author"] in author))
    events: deque[dict[str, Any]] = deque(chosen, maxlen=limit)
    if call.out.json:
        call.out.value({"game": play.game.hex(), "events": list(events)})
    else:
        rows = ((e["seq"], _second(e["time"]), e["author"], e["type"], summary(e)) for e in events)
        call.out.table(["event", "time (UTC)", "author", "type", "what"], rows)


def _minute(time: str) -> str:
    return time[:16].replace("T", " ")


def _second(time: str) -> str:
    return time[:19].replace("T", " ")


@command(app, "state", examples=["rollproof state 9c31", "rollproof state 9c31 --json | jq .rolls[-1]"])
def state(
    call: Call,
    game: Game,
    rolls: Annotated[int, typer.Option(metavar="N", min=1, help="Show the latest N rolls.")] = 10,
) -> None:
    """Show a game as it stands.

    Parties, rolls, whose choice it is, triggers, permanents, rulings; with --json all that specs/rules.md lists.
    """
    play = Play(call, game)
    replay, session, out = play.replay, play.session, call.out
    if out.json:
        out.value(session.view())
        return
    terms = replay.terms
    out.say(_("Game {game}").format(game=play.game.hex()) + (f", {terms.title}" if terms.title else ""))
    text = _("{system}, {phase}, {events} events, root {root}")
    root = replay.tree.root().hex()
    out.say(text.format(system=terms.system, phase=_(str(session.phase)), events=replay.size, root=root))
    out.heading(_("Parties"))
    out.table([_("name"), _("role"), _("at the table"), _("links left"), _("failed to open")], _parties(replay))
    show_session(out, session, rolls)
    lines = waiting_lines(replay, play.awaited(), play.short)
    if lines:
        out.heading(_("Next"))
    for line in lines:
        out.say(line)


_PHASES = (N_("new"), N_("idle"), N_("pending"), N_("closed"))
"""as the state names them, listed to be translated"""


def _parties(replay: "Replay") -> list[tuple[object, ...]]:
    session = replay.session
    rows: list[tuple[object, ...]] = []
    for name, role in replay.terms.roles.items():
        chain, voids = replay.chains.get(name), replay.voids.get(name)
        there = _("left") if name in session.left else _("yes") if name in session.joined else _("not yet")
        rows.append(
            (name, _(role), there, chain.length - chain.next + 1 if chain else "", voids.count if voids else "")
        )
    return rows


@command(
    app,
    "export",
    examples=["rollproof export 9c31 --out table-12.jsonl", "rollproof export 9c31 | jq -r .type"],
)
def export(
    call: Call,
    game: Game,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE|-", help="Where to; - is standard output.")] = Path(
        "-"
    ),
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Write a game's log to a file that everybody can verify.

    The log is written byte for byte, all of it or nothing.
    """
    play = Play(call, game)
    if out == Path("-"):
        for line in play.ledger.lines(play.game):
            call.out.line(line.decode())
        return
    _write_atomically(play, out, force)
    replay = play.replay
    root = replay.tree.root().hex()
    if call.out.json:
        call.out.value({"game": play.game.hex(), "file": str(out), "events": replay.size, "root": root})
    else:
        call.out.say(f"{out}: {replay.size} events of game {play.game.hex()}, root {root}")


def _write_atomically(play: Play, path: Path, force: bool) -> None:
    """All of the log or nothing; never over a file that is there, unless told so."""
    refusal = UsageError(f"{path} exists: choose another name, or replace it with --force")
    if path.is_dir():
        raise UsageError(f"{path} is a folder: --out takes the name of a file")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}: make it first, or choose another")
    if path.exists() and not force:
        raise refusal
    descriptor, part = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            play.ledger.export(play.game, stream)
            stream.flush()
            os.fsync(stream.fileno())
        Path(part).chmod(0o666 & ~_umask())
        if force:
            Path(part).replace(path)
        else:
            path.hardlink_to(part)
    except FileExistsError:
        raise refusal from None
    finally:
        Path(part).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@command(
    app,
    "import",
    examples=[
        "rollproof import table-12.jsonl",
        "rollproof import round-3/",
        "rollproof import --key alice+4f… table-12.jsonl",
    ],
)
def import_(call: Call, files: Logs, game: GamePin = None, key: KeyPins = None) -> None:
    """Take logs from files into the store, if they verify.

    A log that fails is kept out and the store stays as it was. A log that continues a stored game adds its new events.
    Exit code: 0 all taken, 1 at least one does not hold, 2 at least one could not be read.
    """
    pins, worst = pins_of(game, key), 0
    for path in each_file(files):
        try:
            data = path.read_bytes()
        except OSError as error:
            call.out.note(f"{path}: {error.strerror or error}")
            worst = 2
            continue
        worst = max(worst, _import_one(call, path, data, pins))
    raise typer.Exit(worst)


def _import_one(call: Call, path: Path, data: bytes, pins: "Pins") -> int:
    from ledger.cli.output import printable

    name = printable(str(path))
    try:
        report, added = call.ledger.import_log(data, name=name, pins=pins)
    except ForkError as error:
        call.out.note(str(error))
        return 1
    if report.verdict != "holds":
        show_report(call.out, report)
        call.out.note(f"{name} was kept out; the store is as it was")
    elif call.out.json:
        call.out.value({"file": name, "game": report.game, "events": report.events, "added": added})
    else:
        call.out.say(f"{name}: game {report.game}, {added} new of {report.events} events")
    return report.exit_code


@command(app, "rebuild", examples=["rollproof rebuild"])
def rebuild(call: Call) -> None:
    """Make the store's read tables again, from its logs."""
    count = call.ledger.rebuild()
    if call.out.json:
        call.out.value({"games": count})
    else:
        call.out.say(f"The read tables of {count} game{'s' if count != 1 else ''} were made again from their logs.")
