"""`rollproof import`: import logs from files."""

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import GamePin, KeyPins, Logs
from ledger.cli.call import Call
from ledger.cli.checkpoints import CosignersFile, cosigners_of, tell_left_out
from ledger.cli.output import printable
from ledger.cli.play import Play
from ledger.cli.verify import each_file, pins_of, show_report
from ledger.errors import ForkError, NotTakenError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Collection

    from verifier import Pins, Report
    from verifier.checkpoints.policy import WitnessKey

__all__: list[str] = []

LARGE = 64_000_000
"""bytes from which on a file is verified before it is read as a whole"""


@command(
    app,
    "import",
    examples=[
        "rollproof import table-12.jsonl",
        "rollproof import round-3/",
        "rollproof import --key alice+4f… table-12.jsonl",
        "rollproof import --policy league.policy table-12.jsonl",
    ],
)
def import_(call: Call, files: Logs, game: GamePin = None, key: KeyPins = None, policy: CosignersFile = None) -> None:
    """Take logs from files into the store, if they verify; each with the checkpoint beside it.

    A log that fails is refused, and the store stays as it was. A log that continues a stored game adds its new events;
    events of yours that the keeper has not taken, because others came first, are removed, and the answer names them.
    Cosignatures of the checkpoint are kept if they can be checked and hold: those of the game's own witnesses, and of
    those that the policy names. Exit code: 0 all taken, 1 at least one does not hold, 2 at least one could not be read.
    """
    _ = call.translate
    from verifier import NoteError
    from verifier.shell.files import leads_out, path_text, read_sidecar, sentence

    pins, cosigners, worst = pins_of(game, key), cosigners_of(call, policy), 0
    for path in each_file(files):
        try:
            if leads_out(path, files):
                text = _("{path}: this link leads out of the folder, and is not followed")
                call.out.problem(text.format(path=path_text(path)), 2)
                worst = 2
                continue
            if not stat.S_ISREG(path.stat().st_mode):
                # Nobody may ever write to a pipe.
                call.out.problem(_("{path}: this is no regular file").format(path=printable(str(path))), 2)
                worst = 2
                continue
            if path.stat().st_size > LARGE and not _holds(call, path, pins):
                worst = max(worst, 1)
                continue
            data, checkpoint = path.read_bytes(), read_sidecar(path)
        except (OSError, NoteError) as error:
            call.out.problem(sentence(error, _), 2)
            worst = 2
            continue
        worst = max(worst, _import_one(call, path, data, pins, checkpoint, cosigners))
    raise typer.Exit(worst)


def _holds(call: Call, path: Path, pins: "Pins") -> bool:
    """Verify a large file line by line, without reading it whole; print a problem and return False if it fails."""
    _ = call.translate
    from verifier import verify

    name = printable(str(path))
    with path.open("rb") as stream:
        report, _replay = verify(stream, name=name, pins=pins, jobs=os.cpu_count() or 1, translate=_)
    if report.verdict != "holds":
        _kept_out(call, report)
    return report.verdict == "holds"


def _kept_out(call: Call, report: "Report") -> None:
    _ = call.translate
    show_report(call.out, report)
    call.out.note(_("{file} was kept out; the store is as it was").format(file=report.file))


def _import_one(
    call: Call,
    path: Path,
    data: bytes,
    pins: "Pins",
    checkpoint: bytes | None,
    cosigners: "Collection[WitnessKey]",
) -> int:
    _ = call.translate
    import msgspec

    from rules.data.language import counted
    from verifier.shell.files import sidecar_of

    name = printable(str(path))
    try:
        report, added, untaken, taken = call.ledger.importer.import_log(
            data,
            name=name,
            pins=pins,
            checkpoint=checkpoint,
            translate=_,
            is_here=call.home.has,
            cosigners=cosigners,
        )
    except (ForkError, NotTakenError) as error:
        call.out.problem(str(error), 1)
        return 1
    except RefusedError as error:
        call.out.problem(f"{name}: {error.message(_)}", 1)
        return 1
    if report.verdict != "holds":
        _kept_out(call, report)
    elif call.out.json:
        dropped = [msgspec.json.decode(line) for line in untaken]
        call.out.value({"file": name, "game": report.game, "events": report.events, "added": added, "untaken": dropped})
    else:
        text = _("{file}: game {game}, {events}, new: {added}")
        events = counted(report.events, "event").message(_)
        call.out.say(text.format(file=name, game=report.game, events=events, added=added))
        for line in untaken:
            event = msgspec.json.decode(line)
            text = _("{author}'s {type}, event {seq} here, was not taken: another event came first. Run it again.")
            call.out.say(text.format(author=event["author"], type=event["type"], seq=event["seq"]))
    if taken is not None:
        tell_left_out(call, str(sidecar_of(path)), taken)
    if added and report.game is not None:
        _tell_taken(call, bytes.fromhex(report.game))
    return report.exit_code


def _tell_taken(call: Call, game: bytes) -> None:
    """Have a keeper on this machine sign for the imported events; else print which events are not taken."""
    _ = call.translate
    play = Play(call, game)
    if play.keeper_here:
        play.close_books()
        for note in play.notes:
            call.out.note(note)
    elif (taken := play.ledger.taken(game)) < play.replay.size:
        text = _(
            "it is not known whether {keeper}, the keeper, has taken the events from {seq} on: only their authors "
            "vouch for them"
        )
        call.out.note(text.format(keeper=play.replay.terms.keeper, seq=taken))
