"""Turn every error of every command into one sentence and one exit code."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ledger.cli.language import N_, Translate
from ledger.cli.output import printable, rollproof
from ledger.errors import Advice, LedgerError, RefusedError
from verifier.shell.exits import Failed

if TYPE_CHECKING:
    from ledger.forms.form import Form

__all__ = ["failure_of", "failure_text"]

_HINTS = {
    "state.pending": N_(
        "contributors do `rollproof open GAME`, then the keeper `rollproof reveal GAME`; `void GAME` calls it off"
    ),
    "state.voided": N_("that is `rollproof disclose GAME --as KEEPER`"),
    "state.away": N_("that is `rollproof back GAME --as NAME`"),
    "state.not-agreed": N_("each joins with `rollproof join GAME --as NAME`"),
    "state.not-joined": N_("that is `rollproof join GAME --as NAME`"),
    "state.not-committed": N_(
        "that is `rollproof commit GAME --as NAME`; without who is gone the others go on with "
        "`rollproof away GAME --party NAME`, where the table lets them"
    ),
}
"""command that helps, by the code of a finding"""
_LEAST = 4
"""digits of an id's beginning that name a game"""
_ADVICE: Mapping[Advice, str] = {
    "identity.make": N_(". Make one with: {command}"),
    "identity.take": N_(": {command}"),
    "identity.forget": N_(": {command}"),
    "games.list": N_(". See them with: {command}"),
    "extra.install": N_(". Install it with: {command}"),
    "keeper.take": N_(
        ". Get {name}'s log with its .checkpoint beside it and import it (where {name} is on this machine: "
        "{command}), then type this again"
    ),
}
"""command that helps, by the kind of advice"""


def failure_of(error: Exception, _: Translate, typed: Sequence[str] = ()) -> Failed | None:
    """Describe an error; None for a bug. `typed`: the arguments that led to it."""
    sentence = failure_text(error, _, typed)
    if sentence is None:
        return None
    if isinstance(error, RefusedError):
        return Failed("refused", sentence, error.code, error.clause)
    return Failed(_kind(error), sentence)


def failure_text(error: Exception, _: Translate, typed: Sequence[str] = ()) -> str | None:
    """Return one sentence: what went wrong and what to do; None for a bug."""
    if isinstance(error, typer.TyperException):
        return _usage(error, typed)
    if isinstance(error, RefusedError):
        return _refused(error, _)
    if isinstance(error, LedgerError):
        return error.message(_) + (_advice(error, error.advice, _) if error.advice else "")
    if _of_database(error):
        return f"the database cannot be used: {error}"
    if isinstance(error, OSError):
        where = f"{printable(str(error.filename))}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    if isinstance(error, MemoryError):
        return _("there is not enough memory for this")
    return _other(error, _)


def _advice(error: LedgerError, advice: Advice, _: Translate) -> str:
    return _(_ADVICE[advice]).format(name=error.name, command=_command(error, advice))


def _command(error: LedgerError, advice: Advice) -> str:
    """Return the command that the advice recommends."""
    match advice:
        case "identity.make":
            return rollproof("identity", "new", error.name)
        case "identity.take":
            return rollproof("identity", "take", "FILE")
        case "identity.forget":
            return rollproof("identity", "forget", error.name)
        case "games.list":
            return rollproof("games")
        case "keeper.take":
            return rollproof("checkpoint", error.game, "--as", error.name)
        case "extra.install":
            return _install(error.name)


def _install(extra: str) -> str:
    """Return the command that installs an extra, by the pip of the running Python."""
    import sys

    from ledger.distribution.optional_dependencies import requirements
    from verifier.shell.typed import command

    return f"{command(sys.executable or 'python', '-m', 'pip', 'install')} {requirements(extra)}"


def _kind(error: Exception) -> str:
    if isinstance(error, LedgerError):
        return error.kind
    if isinstance(error, (FileNotFoundError, NotADirectoryError, IsADirectoryError)):
        return "missing"
    if isinstance(error, (OSError, MemoryError)) or _of_database(error):
        return "machine"
    if isinstance(error, typer.TyperException):
        return "usage"
    from rules import Violation
    from verifier import Failure, KeyFormatError, VerifierError

    if isinstance(error, (Violation, Failure)):
        return "refused"
    # All other errors are about a malformed file.
    return "missing" if isinstance(error, VerifierError) and not isinstance(error, KeyFormatError) else "usage"


def _of_database(error: Exception) -> bool:
    from sqlite3 import Error  # not above: help starts faster without it

    return isinstance(error, Error)


def _usage(error: typer.TyperException, typed: Sequence[str]) -> str:
    context: Any = getattr(error, "ctx", None)
    message = error.format_message().strip().rstrip(".")
    path = context.command_path if context else "rollproof"
    option = getattr(error, "option_name", None)
    if path == "rollproof roll" and isinstance(option, str):
        return _of_a_game(option, typed) or f"{message}. See: {path} --help"
    return f"{message}. See: {path} --help"


def _of_a_game(option: str, typed: Sequence[str]) -> str | None:
    """Return the game's own roll command that has this option; None if no game has it."""
    from ledger.forms.form import forms
    from rules import SYSTEMS

    having = [form for system in SYSTEMS.values() for form in forms(system, "roll") if _has(form, option)]
    if not having:
        return None
    game = _system_of(typed)
    here = [form for form in having if game in (None, form.system)]
    message = f"No such option: {option}"
    if game is not None and not here:
        names = " or ".join(dict.fromkeys(form.system.name for form in having))
        see = rollproof(game.name, "roll", "--help")
        return f"{message} in this game, which is of {game.name}; a roll of {names} has it. See: {see}"
    if game is not None and len(here) == 1:
        words = (game.name, *here[0].words, *typed[typed.index("roll") + 1 :])
        return f"{message} of every game's roll; a roll of {game.name} has it: {rollproof(*words)}"
    return f"{message}. See: {', '.join(rollproof(form.system.name, *form.words, '--help') for form in here)}"


def _has(form: "Form", option: str) -> bool:
    return option in [member.option for member in form.members]


def _system_of(typed: Sequence[str]) -> Any:
    """Return the rules of the game of this home that was typed; None if none was, or games of several."""
    from ledger.home import Home
    from rules import SYSTEMS

    words = [part for word in typed for part in (word.split("=", 1) if word.startswith("--home=") else [word])]
    homes = [words[number] for number, word in enumerate(words[:-1], 1) if word == "--home"]
    try:
        rows = Home.locate(Path(homes[-1]) if homes else None).games()
    except LedgerError:
        return None
    found = {
        row["system"]
        for row in rows
        for word in typed
        if word == row["title"] or (len(word) >= _LEAST and row["game"].startswith(word.lower()))
    }
    return SYSTEMS.get(found.pop()) if len(found) == 1 else None


def _refused(error: RefusedError, _: Translate) -> str:
    message = error.message(_).rstrip(".。") + _rule(error.clause, _)
    hint = _HINTS.get(error.code)
    return f"{message}: {_(hint)}" if hint else message


def _rule(clause: str | None, _: Translate) -> str:
    # The clause `ruling` is the protocol's own, of no printed rules.
    return _(" (rule {clause})").format(clause=clause) if clause and clause != "ruling" else ""


def _other(error: Exception, _: Translate) -> str | None:
    # Loaded by now, if the error is one of theirs.
    from rules import Violation
    from rules.data.language import Message
    from verifier import VerifierError

    if isinstance(error, Violation):
        return error.message(_) + _rule(error.clause, _)
    if isinstance(error, Message):
        return error.message(_)
    return str(error) if isinstance(error, VerifierError) else None
