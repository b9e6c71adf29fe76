"""`rollproof version`: print the version, and compare its files with those of the release (specs/releases.md)."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import app, command
from ledger.cli.call import Call
from ledger.cli.language import N_
from ledger.cli.output import printable
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from ledger.distribution.release import ReleaseList
    from verifier.shell.installed import Difference

__all__: list[str] = []

_MOST = 20
"""differences that are printed"""
_KINDS = {
    "changed": N_("DIFFERS: {path} is not the file of the list"),
    "missing": N_("DIFFERS: {path} is missing"),
    "added": N_("DIFFERS: {path} is not in the list"),
}


@command(
    app,
    "version",
    reads=True,
    examples=[
        "rollproof version",
        "rollproof version --verify",
        "rollproof version --verify --list rollproof-1.0.0.release --key release+4f5a1c0e+AbC…",
    ],
)
def version(
    call: Call,
    verify: Annotated[bool, typer.Option("--verify", help="Compare the installed files with a list.")] = False,
    list_file: Annotated[
        Path | None,
        typer.Option("--list", metavar="FILE", help="The signed list of a release; else the list that pip wrote."),
    ] = None,
    key: Annotated[
        str | None, typer.Option("--key", metavar="KEY", help="The key that must have signed the list.")
    ] = None,
) -> None:
    """Print the version; with --verify, check whether the program is the one that was released.

    A program that was changed can print anything. The guide says how to check without it.
    """
    from ledger.distribution.version import own_version
    from verifier.shell.installed import find_replaced, pip_differences, site_folder

    number, site = own_version(), site_folder()
    if (list_file is None) != (key is None):
        raise UsageError("--list and --key belong together: a list is worth what the key that signed it is worth")
    if not verify and list_file is None:
        told: dict[str, Any] = {"version": number, "folder": str(site)}
        call.out.value(told) if call.out.json else call.out.say(f"rollproof {number}, {printable(str(site))}")
        return
    if list_file is not None and key is not None and find_replaced(site) is None:
        raise typer.Exit(_judge(call, number, site, list_file, key))
    count, found = pip_differences(site)
    if not count:
        raise MissingError(
            N_("pip has no list of this program's files, since it runs from a checkout: give --list FILE --key KEY")
        )
    _ = call.translate
    text = _("{count} files were compared with the list that pip wrote when it installed them; nobody signed it.")
    lines = [text.format(count=count)]
    if list_file is not None:
        lines.append(
            _("The signed list was not read: with another package's files the program cannot check signatures.")
        )
    made = {} if found else _made_here()
    lines += [
        _("{file}, as this program writes it, has the SHA-256 {digest}").format(file=name, digest=digest)
        for name, digest in made.items()
    ]
    raise typer.Exit(_answer(call, number, site, lines, found, []))


def _judge(call: Call, number: str, site: Path, path: Path, key: str) -> int:
    """Compare everything with a list; returns the exit code. Raises KeyFormatError, OSError."""
    from verifier import NoteError

    try:
        released = _read_list(path, key)
    except NoteError as error:
        text = call.translate("NOTHING WAS COMPARED: {file} is no list that this key signed: {problem}.")
        told = text.format(file=printable(str(path)), problem=error.message(call.translate))
        if call.out.json:
            call.out.value({"version": number, "folder": str(site), "holds": None, "problems": [told]})
        else:
            call.out.say(told)
        return 2
    return _compare(call, number, site, released, path.absolute().parent)


def _read_list(path: Path, key: str) -> "ReleaseList":
    """Read a list that the key has signed. Raises NoteError, KeyFormatError, OSError."""
    from ledger.cli.files import read_bounded
    from ledger.distribution.release import parse_release
    from verifier import NoteError, VerifierKey
    from verifier.checkpoints.note import MAX_NOTE, parse_note, signed_by

    signer = VerifierKey.parse(key)
    note = parse_note(read_bounded(path, MAX_NOTE))
    if signed_by(note, signer) is None:
        raise NoteError(N_("{name} has not signed it"), name=signer.name)
    return parse_release(note.text)


def _compare(call: Call, number: str, site: Path, released: "ReleaseList", beside: Path) -> int:
    """Compare everything with a list; returns the exit code."""
    from verifier.shell.installed import differences

    _ = call.translate
    problems = []
    if released.version != number:
        problems.append(
            _("DIFFERS: the list is of version {list}, and version {installed} is installed").format(
                list=released.version, installed=number
            )
        )
    found = differences(site, released.installed)
    lines = [_("{count} installed files were compared with the signed list.").format(count=len(released.installed))]
    if not found:
        for name, digest in _made_here().items():
            if released.files.get(name) not in (None, digest):
                problems.append(_("DIFFERS: this program writes another {file} than the list has").format(file=name))
    for name, digest in released.files.items():
        path = beside / name
        if not path.is_file():
            lines.append(_("{file} is not beside the list and was not looked at.").format(file=name))
        elif _hash(path) != digest:
            problems.append(_("DIFFERS: {file}, beside the list, is not the file of the list").format(file=name))
        else:
            lines.append(_("{file}, beside the list, is the file of the list.").format(file=name))
    return _answer(call, number, site, lines, found, problems)


def _made_here() -> dict[str, str]:
    """Return the files of a release that the program itself can write, by their SHA-256."""
    from hashlib import sha256

    from ledger.browser.verify_page import verify_page
    from ledger.cli.webmanifest import manifest_text

    return {
        "verify.html": sha256(verify_page()).hexdigest(),
        "web-manifest.txt": sha256(manifest_text().encode()).hexdigest(),
    }


def _hash(path: Path) -> str:
    from hashlib import file_digest

    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def _answer(
    call: Call, number: str, site: Path, lines: list[str], found: "list[Difference]", problems: list[str]
) -> int:
    """Print what was compared, what differs, its owner, and what to do; return the exit code."""
    _ = call.translate
    code = 1 if found or problems else 0
    if call.out.json:
        rows = [one._asdict() for one in found]
        told = {"version": number, "folder": str(site), "holds": not code, "compared": lines}
        call.out.value({**told, "differences": rows, "problems": problems})
        return code
    for line in [f"rollproof {number}, {printable(str(site))}", *lines, *problems]:
        call.out.say(line)
    for one in found[:_MOST]:
        text = _(_KINDS[one.kind]).format(path=printable(one.path))
        call.out.say(text + (_("; {owner} has a file of this name").format(owner=one.owner) if one.owner else ""))
    if len(found) > _MOST:
        call.out.say(_("and {count} more").format(count=len(found) - _MOST))
    if not code:
        call.out.say(_("HOLDS: nothing differs."))
    else:
        what_now = _(
            "Do not play with it. Install Rollproof anew in an environment of its own, with pipx or uv tool, from a "
            "file whose hash you have checked. Your games and keys are elsewhere and stay as they are."
        )
        call.out.say(what_now)
    return code
