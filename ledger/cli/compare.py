"""`rollproof compare`: two logs of one game, or a log and a receipt (specs/disputes.md)."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import game_argument
from ledger.cli.call import Call
from ledger.cli.describe import event_line
from ledger.cli.language import Translate
from ledger.cli.output import Output, command_line, printable
from ledger.cli.sources import named_log
from ledger.cli.verify import show_report
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from verifier.disputes.attestation import Attestation, File
    from verifier.disputes.compare import Comparison, DoubleSigner, Fork
    from verifier.disputes.evidence import Evidence
    from verifier.log.format import Envelope

_What = Annotated[str, game_argument("FILE|GAME", "A log, or a receipt of one.")]


@command(
    app,
    "compare",
    reads=True,
    examples=[
        "rollproof compare mine.jsonl theirs.jsonl",
        "rollproof compare 9c31 theirs.jsonl --evidence fork.evidence",
        "rollproof compare theirs.jsonl mine.checkpoint --evidence fork.evidence",
    ],
)
def compare(
    call: Call,
    one: _What,
    other: _What,
    evidence: Annotated[
        Path | None, typer.Option("--evidence", metavar="FILE", help="Where evidence of a fork is written.")
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="NAME", help="Evidence against this party (else the keeper).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Compare two logs of one game, or a log and a receipt: one history, or forked, and who signed both.

    Logs are verified first. Exit code: 0 one history; 1 forked, of different games, cut short, or one does not hold; 2
    one is no log.
    """
    _ = call.translate
    if against is not None and evidence is None:
        raise UsageError("--against goes with --evidence: say where the evidence is to be written")
    compared = _compare(call, one, other)
    written = None if evidence is None else _write(compared.found, evidence, against, _, force=force)
    if call.out.json:
        made = None if written is None else {"accused": written.accused, "file": str(evidence)}
        call.out.value(_as_json(compared, made))
    else:
        _tell(call.out, compared)
        _tell_evidence(call.out, compared, written)
        for report in compared.found.reports:
            if report.verdict != "holds":
                show_report(call.out, report)
    if evidence is not None and written is None:
        text = _("{path} is not written: these files do not prove two histories")
        call.out.note(text.format(path=printable(evidence)))
    raise typer.Exit(compared.found.exit_code)


class _Compared(NamedTuple):
    """The comparison of two files, and their names; a receipt is the second."""

    found: "Comparison"
    one: str
    other: str
    typed: tuple[str, str]
    """the two arguments"""
    missing: tuple[str, ...] = ()
    """files that lack the checkpoint which would say more"""
    instead: tuple[str, str] | None = None
    """a file, and the stored game that extends it and was compared instead"""


def _compare(call: Call, one: str, other: str) -> _Compared:
    """Raises UsageError, OSError."""
    _ = call.translate
    from verifier.disputes.attestation import File
    from verifier.disputes.compare import compare, compare_receipt
    from verifier.errors import NoteError
    from verifier.shell.files import read_note

    jobs, receipts = os.cpu_count() or 1, [text for text in (one, other) if _is_receipt(Path(text))]
    if len(receipts) == 2:
        text = _("{one} and {other} are two receipts: compare each with a log, whose event 0 has the keeper's key")
        raise UsageError(text.format(one=printable(one), other=printable(other)))
    if not receipts:
        files = File(*named_log(call, one)), File(*named_log(call, other))
        found = compare(*files, jobs=jobs, translate=_)
        if _is_proven(found):
            return _Compared(found, files[0].name, files[1].name, (one, other))
        return _with_stored(call, _Compared(found, files[0].name, files[1].name, (one, other)), files)
    (receipt,) = receipts
    text = one if receipt == other else other
    log, name = File(*named_log(call, text)), printable(receipt)
    try:
        found = compare_receipt(log, name, read_note(Path(receipt)), jobs=jobs, translate=_)
    except NoteError as error:
        text = _("{name} is not a checkpoint of a game: {problem}.")
        raise MissingError(text.format(name=name, problem=error.message(_))) from None
    return _Compared(found, log.name, name, (text, receipt))


def _is_proven(found: "Comparison") -> bool:
    """Return True if no more evidence is needed: no fork, or a party signed both sides."""
    return found.fork is None or any(signer.proof for signer in found.fork.signed_both)


def _with_stored(call: Call, compared: _Compared, files: "tuple[File, File]") -> _Compared:
    """Compare again with the locally stored game, if a fork has no known signer of both sides.

    Where it goes on from one of the files, it is compared in that file's place. Raises UsageError, OSError.
    """
    from verifier.disputes.attestation import File
    from verifier.disputes.compare import compare

    found = compared.found
    assert found.fork is not None
    game, seq = found.reports[0].game, found.fork.seq
    missing = tuple(name for name, file in zip(compared.typed, files, strict=True) if _lacks_checkpoint(name, file))
    compared = compared._replace(missing=missing)
    if game is None or seq is None or not call.home.ledger_path.exists():
        return compared
    try:
        stored = File(*named_log(call, game))
    except UsageError:
        return compared
    at, *more = (_line(file, seq) for file in (stored, *files))
    if at not in more:
        return compared
    place = more.index(at)
    both, names, typed_ = list(files), [compared.one, compared.other], list(compared.typed)
    both[place], names[place], typed_[place] = stored, stored.name, game[:12]
    other = compare(both[0], both[1], jobs=os.cpu_count() or 1, translate=call.translate)
    if other.fork is None or other.fork.seq != seq or not _is_proven(other):
        return compared
    instead = (files[place].name, stored.name)
    return _Compared(other, names[0], names[1], (typed_[0], typed_[1]), instead=instead)


def _lacks_checkpoint(typed: str, file: "File") -> bool:
    """Return True if the argument is a file without a checkpoint beside it."""
    return not file.receipts and Path(typed).is_file()


def _line(file: "File", seq: int) -> bytes | None:
    from itertools import islice

    from verifier.verification import read_lines

    with file.open() as stream:
        return next(islice(read_lines(stream), seq, None), None)


def _word(text: str) -> str | Path:
    """Return the argument of a log for use in a command: a file's name may begin like an option."""
    return Path(text) if Path(text).exists() else text


def _is_receipt(path: Path) -> bool:
    """Return True if a file begins like a checkpoint."""
    from verifier.checkpoints.checkpoint import ORIGIN_PREFIX

    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(ORIGIN_PREFIX)) == ORIGIN_PREFIX.encode()


def _write(found: "Comparison", path: Path, against: str | None, _: Translate, *, force: bool) -> "Evidence | None":
    """Write evidence, if there is any. Raises UsageError."""
    from ledger.cli.files import write_files

    known = found.fork.evidence if found.fork else {}
    if against is not None and against not in known:
        raise MissingError(_("there is no evidence against {name} in these files").format(name=against))
    made = (known[name]() for name in ([against] if against else known))
    chosen = next((evidence for evidence in made if evidence is not None), None)
    if chosen is not None:
        write_files({path: lambda stream: stream.write(bytes(chosen))}, force=force)
    return chosen


def _tell(out: Output, compared: _Compared) -> None:
    _ = out.translate
    found, one, other = compared.found, compared.one, compared.other
    answer: dict[str, Any] = {"one": one, "other": other, "common": found.common}
    events = [report.events for report in found.reports]
    match found.outcome:
        case "equal":
            text = _("{one} and {other} are EQUAL: the same {common} events")
        case "prefix":
            answer["longer"], answer["shorter"] = (one, other) if events[0] > found.common else (other, one)
            answer["more"] = max(events) - found.common
            text = _("ONE HISTORY: {longer} goes on where {shorter} ends; events more: {more}")
        case "other-game":
            text = _("{one} and {other} are logs of DIFFERENT GAMES: there is nothing to compare")
        case "short":
            text = _("{one} is CUT SHORT: {other} is for more events, and shows nothing about those that are there")
        case "forked" if len(found.reports) == 1:
            text = _("{one} and {other} are FORKED: no history of the game has both")
        case "forked":
            text = _("{one} and {other} are FORKED at event {common}: two histories of one game")
        case _:
            text = _("{one} and {other} cannot be compared to the end: one of them does not hold")
    if compared.instead is not None:
        file, game = compared.instead
        text_ = _("{file} goes on in {game}, which is stored here: that is compared.")
        out.say(text_.format(file=file, game=game))
    out.say(text.format(**answer))
    if found.fork is not None:
        _tell_fork(out, compared, found.fork)


def _tell_fork(out: Output, compared: _Compared, fork: "Fork") -> None:
    _ = out.translate
    for file, event in zip((compared.one, compared.other), fork.events, strict=False):
        out.say("  " + _("in {file}: {event}").format(file=file, event=_event_line(event, compared.found, _)))
    for signer in fork.signed_both:
        out.say("  " + _signer_line(signer, compared, _))
    if not any(signer.proof for signer in fork.signed_both):
        text = _("Nobody has signed over both in these files, so they do not show who made the second history.")
        out.say("  " + text)
        _tell_missing(out, compared)


def _tell_missing(out: Output, compared: _Compared) -> None:
    """Print which checkpoints would show the keeper's signatures, and where to get them."""
    from verifier.shell.files import path_text, sidecar_of

    _ = out.translate
    if compared.missing:
        files = ", ".join(printable(path_text(sidecar_of(Path(file)))) for file in compared.missing)
        text = _(
            "The keeper signs a whole history in its checkpoint, and the checkpoint is not here: {files}. The "
            "person who exported the log has it beside the log, and every party has one in the game that is "
            "stored on its own machine. Get it, put it there, and compare again."
        )
        out.say("  " + text.format(files=files))
        return
    text = _("A longer log of one of them may show it: anybody who has the game can export it again.")
    out.say("  " + text)


def _signer_line(signer: "DoubleSigner", compared: _Compared, _: Translate) -> str:
    files = (compared.one, compared.other)
    a, b = (_vouch(*pair, _) for pair in zip(signer.signed, files, strict=True))
    if signer.proof:
        text = _("{name} signed both: {a} and {b}. This is proof against {name}.")
    else:
        text = _(
            "{name} signed {a} and {b}. This is no proof against {name}: an event that the keeper did not take is "
            "signed anew."
        )
    return text.format(name=signer.name, a=a, b=b)


def _vouch(vouch: "Attestation", file: str, _: Translate) -> str:
    texts = {
        "event": _("event {number} of {file}"),
        "opening": _("the opening for event {number} of {file}"),
        "checkpoint": _("a checkpoint of {number} events ({file})"),
    }
    return texts[vouch.how].format(number=vouch.number, file=file)


def _tell_evidence(out: Output, compared: _Compared, written: "Evidence | None") -> None:
    _ = out.translate
    fork, (one, other) = compared.found.fork, map(_word, compared.typed)
    if written is not None:
        text = _("Evidence against {name} is written. Anybody can check it alone, with rollproof verify.")
        out.say(text.format(name=written.accused))
    elif fork is not None and fork.evidence:
        text = _("There is evidence against {names}. Write it to a file with:").format(names=", ".join(fork.evidence))
        out.say(text + command_line("compare", one, other, "--evidence", "FILE"))
    elif fork is not None and fork.signed_both and len(compared.found.reports) == 1:
        text = _("The log and the receipt are the evidence. Anybody who has both can check it with:")
        out.say(text + command_line("verify", one, "--receipt", other))


def _event_line(event: "Envelope", found: "Comparison", _: Translate) -> str:
    import msgspec

    members = {"seq": event.seq, "author": event.author, "type": event.type, "body": msgspec.json.decode(event.body)}
    state = found.reports[0].state
    return event_line(members, state["system"] if state else "", _)


def _as_json(compared: _Compared, written: dict[str, str] | None) -> dict[str, Any]:
    import msgspec

    from verifier.shell.files import path_text, sidecar_of

    found = compared.found
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
            "missing": [path_text(sidecar_of(Path(file))) for file in compared.missing],
        },
        "evidence": written,
    }
