"""`rollproof rules`: list the systems; run scripts without cryptography, for a judge's “what if” and conformance."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import command, group
from ledger.cli.arguments import complete_system, find_system
from ledger.cli.call import Call
from ledger.cli.describe import notes_of, roll_line, show_session
from ledger.cli.language import Translate
from ledger.cli.output import printable

if TYPE_CHECKING:
    from rules import Session
    from rules.data.language import Message
    from rules.records import RollRecord
    from rules.script import Outcome, Script

LATEST = 10
"""rolls that are explained step by step after a script's state"""

_MAX_FILE = 64_000_000
"""bytes of a file of scripts"""

_rules = group("rules", "Show rules, and check scripts with dice typed in.")


@command(_rules, "list", examples=["rollproof rules list"])
def list_(call: Call) -> None:
    """List the rules systems."""
    _ = call.translate
    from rules import SYSTEMS

    if call.out.json:
        call.out.value([{"system": system.id, "title": system.title} for system in SYSTEMS.values()])
    else:
        call.out.table([_("id"), _("title")], ((system.id, _(system.title)) for system in SYSTEMS.values()))


@command(_rules, "show", examples=["rollproof rules show mtg"])
def show(
    call: Call,
    system: Annotated[
        str, typer.Argument(metavar="ID", help="The rules: the game's name, or the id.", autocompletion=complete_system)
    ],
) -> None:
    """Show the clauses of a rules system, and how each is enforced."""
    _ = call.translate
    import msgspec

    from rules import SYSTEMS

    found = SYSTEMS[find_system(system)]
    if call.out.json:
        clauses = msgspec.to_builtins(found.clauses)
        call.out.value({"system": found.id, "title": found.title, "agreement": found.agreement, "clauses": clauses})
        return
    call.out.say(f"{found.id}: {_(found.title)}")
    call.out.say(_("Scripts named here are in specs/vectors/scripts: FILE--NAME is the script NAME of FILE.json."))
    for clause in found.clauses:
        call.out.say()
        call.out.say(f"{clause.number}  {_(clause.asks)}")
        call.out.say("  " + _("how it is held to: {text}").format(text=_(clause.enforced)))
        call.out.say("  " + _("a script that holds: {name}").format(name=clause.holds))
        if clause.violates:
            call.out.say("  " + _("a script that violates it: {name}").format(name=clause.violates))
        else:
            call.out.say("  " + _("no script can violate it: {why}").format(why=_(clause.unviolable)))


@command(_rules, "schema", examples=["rollproof rules schema magic > magic.schema.json"])
def schema(
    call: Call,
    system: Annotated[
        str,
        typer.Argument(metavar="ID", help="The rules: the game's name, or the id.", autocompletion=complete_system),
    ],
) -> None:
    """Print the JSON Schema of a game's events.

    An object of type and body for each event of the rules, with what each member means; the options of a new game are
    in its $defs as Options. It is made from the same declarations as the commands of the game.
    """
    import msgspec

    from ledger.forms.json_schema import schema_of
    from rules import SYSTEMS

    found = schema_of(SYSTEMS[find_system(system)])
    call.out.line(msgspec.json.format(msgspec.json.encode(found)).decode())


@command(
    _rules,
    "check",
    examples=[
        "rollproof rules check what-if.json",
        "rollproof rules check specs/vectors/scripts/mtg/*.json",
        "rollproof rules check specs/vectors/scripts/mtg/706.6.json --only barbarian-class",
    ],
)
def check(
    call: Call,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Files of a script or of several; - is standard input.")
    ],
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME", help="Of a file of several scripts, this one alone.")
    ] = None,
) -> None:
    """Play rules scripts (specs/rules.md): naturals typed in, the state or the violation out.

    Exit code: 0 it holds, or is as it expects; 1 an event breaks the rules, or is not as expected; 2 it cannot be read.
    """
    raise typer.Exit(max(_check_file(call, path, only, alone=len(files) == 1) for path in files))


def _check_file(call: Call, path: Path, only: str | None, *, alone: bool) -> int:
    """Check the scripts of a file, and return the exit code. `alone`: no other file is checked."""
    _ = call.translate
    from ledger.cli.files import read_whole
    from rules.data.jsontext import quote_value
    from rules.script import ScriptError, read_file
    from verifier import NoteError

    try:
        scripts = read_file(read_whole(path, _MAX_FILE))
        if only is not None and only not in scripts:
            raise ScriptError("it has no script {name}", name=quote_value(only))
    except OSError as error:
        call.out.problem(f"{printable(path)}: {error.strerror or error}", 2)
        return 2
    except NoteError as error:  # it names the file
        call.out.problem(error.message(_), 2)
        return 2
    except ScriptError as error:
        call.out.problem(f"{printable(path)}: {error.message(_)}", 2)
        return 2
    asked = scripts if only is None else {only: scripts[only]}
    worst = 0
    for name, script in asked.items():
        try:
            worst = max(worst, _check_script(call, path, name, script, alone=alone and len(asked) == 1))
        except ScriptError as error:
            call.out.problem(f"{_label(path, name)}: {error.message(_)}", 2)
            worst = 2
    return worst


def _label(path: Path, name: str) -> str:
    return f"{printable(path)}: {name}" if name else printable(path)


def _check_script(call: Call, path: Path, name: str, script: "Script", *, alone: bool) -> int:
    """Check a script, and return the exit code. The state is shown of one that is checked `alone`.

    Raises ScriptError.
    """
    _ = call.translate
    from rules.script import differences, run

    outcome = run(script)
    different = differences(script, outcome)
    met = not different if _expects(script) else outcome.violation is None
    if call.out.json:
        call.out.value({"file": str(path), "script": name or None} | _as_json(outcome, different, met, _))
        return 0 if met else 1
    if not alone:
        verdict = (_("as expected") if _expects(script) else _("holds")) if met else _("FAILS")
        call.out.say(f"{_label(path, name)}: {verdict}")
    violation = outcome.violation
    if violation is not None and not different and (alone or not met):
        text = _("event {seq} breaks {rule}: {problem}")
        rule = violation.clause or violation.code
        call.out.say(text.format(seq=outcome.seq, rule=rule, problem=violation.message(_)))
    for difference in different:
        call.out.say(difference.message(_))
    if alone:
        if _expects(script) and met:
            call.out.say(_("This is what the script expects."))
        if violation is None:
            call.out.say(_allowed(outcome.seq, _))
            show_session(call.out, outcome.session, latest=50)
            for line in _details(outcome.session, _):
                call.out.say(line)
    return 0 if met else 1


def _allowed(events: int, _: Translate) -> str:
    if not events:
        return _("The script has no events. The state:")
    if events == 1:
        return _("The event is allowed. The state after it:")
    return _("All {count} events are allowed. The state after them:").format(count=events)


def _details(session: "Session", _: Translate) -> list[str]:
    """Explain the latest rolls step by step with clauses; then the open choices, and whose choice it is."""
    settled, opened = session.system.rolls(session.game)
    latest = [*settled, *opened][-LATEST:]
    lines = [line for roll in latest for line in _steps(session, roll, _)]
    waits = session.waits_for()
    if waits is not None:
        lines.append(_("{party} goes on ({choice})").format(party=waits.party, choice=_(waits.choice)))
    return ["", *lines] if lines else []


def _steps(session: "Session", roll: "RollRecord", _: Translate) -> Iterator[str]:
    """Yield a roll and the steps to its outcome: each modifier and reroll with its source."""
    yield roll_line(roll, session.system, _)
    for step in session.system.explain(session.game, roll.roll):
        words = step.message(_)
        yield f"  {step.clause}: {words}" if step.clause else f"  {words}"
    if roll.status == "open":
        yield from (f"  {note}" for note in notes_of(session, roll.roll, _))


def _expects(script: "Script") -> bool:
    from msgspec import UNSET

    return script.expect is not UNSET


def _as_json(outcome: "Outcome", different: list["Message"], met: bool, _: Translate) -> dict[str, Any]:
    violation = outcome.violation
    words = violation and {
        "seq": outcome.seq,
        "code": violation.code,
        "clause": violation.clause,
        "message": violation.message(_),
    }
    return {
        "holds": met,
        "violation": words,
        "differences": [difference.message(_) for difference in different],
        "state": outcome.session.view(),
    }
