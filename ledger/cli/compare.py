"""`rollproof compare`: two files of one game (specs/disputes.md)."""

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import Call, app, command, complete_game
from ledger.cli.describe import event_line
from ledger.cli.language import _
from ledger.cli.output import Output, printable, typed
from ledger.cli.verify import show_report
from ledger.errors import UsageError

if TYPE_CHECKING:
    from verifier.compare import Comparison, File, Fork, Signer
    from verifier.evidence import Evidence
    from verifier.format import Envelope

_Log = Annotated[
    str, typer.Argument(metavar="FILE|GAME", autocompletion=complete_game, show_default=False, help="A log.")
]


@command(
    app,
    "compare",
    examples=[
        "rollproof compare mine.jsonl theirs.jsonl",
        "rollproof compare 9c31 theirs.jsonl --evidence fork.evidence",
    ],
)
def compare(
    call: Call,
    one: _Log,
    other: _Log,
    evidence: Annotated[
        Path | None, typer.Option("--evidence", metavar="FILE", help="Where evidence of a fork is written.")
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="NAME", help="Evidence against this party (else the keeper).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Compare two logs of one game: the same, one longer, or forked, and who signed both histories.

    Both are verified first. Exit code: 0 one history; 1 forked, of different games, or one does not hold; 2 one could
    not be read.
    """
    from verifier.compare import compare as compared

    files = _file(call, one), _file(call, other)
    found = compared(*files, jobs=os.cpu_count() or 1, translate=_)
    written = None if evidence is None else _write(found, evidence, against, force=force)
    if call.out.json:
        call.out.value(_as_json(found, written))
    else:
        _tell(call.out, found, written)
    raise typer.Exit(found.exit_code)


def _file(call: Call, text: str) -> "File":
    """A log to compare. Raises UsageError."""
    from verifier.compare import File
    from verifier.files import Beside

    path = Path(text)
    if path.is_file():
        return File(printable(text), lambda: path.open("rb"), Beside().of(path))
    try:
        id_ = call.ledger.find(text) if call.home.ledger_path.exists() else None
    except UsageError:
        id_ = None
    if id_ is None:
        raise UsageError(_("{what}: there is no such log or stored game").format(what=printable(text)))
    stream = io.BytesIO()
    call.ledger.export(id_, stream)
    checkpoint = call.ledger.checkpoint(id_)
    name = _("game {game}").format(game=id_.hex()[:12])
    return File(name, lambda: io.BytesIO(stream.getvalue()), {name: bytes(checkpoint)} if checkpoint else {})


def _write(found: "Comparison", path: Path, against: str | None, *, force: bool) -> "Evidence | None":
    """Write evidence, if there is any. Raises UsageError."""
    from ledger.cli.files import write_files

    known = found.fork.evidence if found.fork else {}
    if against is not None and against not in known:
        raise UsageError(_("there is no evidence against {name} in these files").format(name=against))
    if not known:
        return None
    chosen = known[against or next(iter(known))]
    write_files({path: lambda stream: stream.write(bytes(chosen))}, force=force)
    return chosen


def _tell(out: Output, found: "Comparison", written: "Evidence | None") -> None:
    one, other = found.reports
    told = {"one": one.file, "other": other.file, "common": found.common}
    match found.outcome:
        case "equal":
            text = _("{one} and {other} are EQUAL: the same {common} events")
        case "prefix":
            longer, shorter = (one, other) if one.events > other.events else (other, one)
            told |= {"longer": longer.file, "shorter": shorter.file, "more": longer.events - shorter.events}
            text = _("ONE HISTORY: {longer} goes on where {shorter} ends; events more: {more}")
        case "other-game":
            text = _("{one} and {other} are logs of DIFFERENT GAMES: there is nothing to compare")
        case "forked":
            text = _("{one} and {other} are FORKED at event {common}: two histories of one game")
        case _:
            text = _("{one} and {other} cannot be compared to the end: one of them does not hold")
    out.say(text.format(**told))
    if found.fork is not None:
        _tell_fork(out, found, found.fork)
    if written is not None:
        text = _("Evidence against {name} is written. Anybody can check it alone, with rollproof verify.")
        out.say(text.format(name=written.accused))
    elif found.outcome == "forked" and found.fork is not None and found.fork.evidence:
        names = ", ".join(found.fork.evidence)
        text = _("There is evidence against {names}. Write it to a file with:")
        out.say(text.format(names=names) + typed(f"rollproof compare {one.file} {other.file} --evidence FILE"))
    for report in found.reports:
        if report.verdict != "holds":
            show_report(out, report)


def _tell_fork(out: Output, found: "Comparison", fork: "Fork") -> None:
    for report, event in zip(found.reports, fork.events, strict=True):
        out.say("  " + _("in {file}: {event}").format(file=report.file, event=_event_line(event, found)))
    for signer in fork.signed_both:
        out.say("  " + _signer_line(signer, found))
    if not any(signer.proof for signer in fork.signed_both):
        text = _("Nobody has signed over both yet, so the files do not show who made the second history.")
        out.say("  " + text)


def _signer_line(signer: "Signer", found: "Comparison") -> str:
    one, other = found.reports
    told = {"name": signer.name, "one": one.file, "other": other.file, "a": signer.seqs[0], "b": signer.seqs[1]}
    if signer.proof:
        text = _("{name} signed both: event {a} of {one} and event {b} of {other}. This is proof against {name}.")
    else:
        text = _(
            "{name} signed event {a} of {one} and event {b} of {other}. This is no proof against {name}: an event that "
            "the keeper did not take is signed anew."
        )
    return text.format(**told)


def _event_line(event: "Envelope", found: "Comparison") -> str:
    import msgspec

    members = {"seq": event.seq, "author": event.author, "type": event.type, "body": msgspec.json.decode(event.body)}
    state = found.reports[0].state
    return event_line(members, state["system"] if state else "")


def _as_json(found: "Comparison", written: "Evidence | None") -> dict[str, Any]:
    import msgspec

    fork = found.fork
    return {
        "outcome": found.outcome,
        "common": found.common,
        "files": msgspec.to_builtins(found.reports),
        "fork": None
        if fork is None
        else {
            "seq": fork.seq,
            "events": [msgspec.json.decode(msgspec.json.encode(event)) for event in fork.events],
            "signed_both": msgspec.to_builtins(fork.signed_both),
            "evidence": list(fork.evidence),
        },
        "evidence": None if written is None else written.accused,
    }
