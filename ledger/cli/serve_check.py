"""`rollproof serve --check`: find problems of a server's configuration before it is used."""

from typing import TYPE_CHECKING, NoReturn

import typer

from ledger.cli.call import Call
from ledger.cli.failures import failure_text

if TYPE_CHECKING:
    from ledger.server.checking import CheckResult
    from ledger.server.configuration import ServerConfiguration

__all__ = ["check_all"]


def check_all(call: Call, asked: "ServerConfiguration") -> NoReturn:
    """Print the finding of each check. Raises Exit: 0 if nothing is wrong, else 1."""
    from ledger.server.checking import check

    _ = call.translate
    marks = {"ok": _("ok"), "warning": _("warning"), "wrong": _("WRONG")}
    findings = list(check(asked))
    wrong = any(found.level == "wrong" for found in findings)
    if call.out.json:
        rows = [{"check": each.check, "level": each.level, "message": _finding_text(call, each)} for each in findings]
        call.out.value({"ready": not wrong, "checks": rows})
    else:
        for each in findings:
            call.out.say(f"{marks[each.level]}: {each.check}: {_finding_text(call, each)}")
        call.out.say(_("Not ready: see what is wrong above.") if wrong else _("Ready: nothing is wrong."))
    raise typer.Exit(int(wrong))


def _finding_text(call: Call, found: "CheckResult") -> str:
    if isinstance(found.problem, Exception):
        return failure_text(found.problem, call.translate) or str(found.problem)
    return found.problem.message(call.translate)
