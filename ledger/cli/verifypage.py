"""`rollproof verify-page`: the second verifier, as one file for a browser."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.app import Call, app, command

__all__: list[str] = []


@command(
    app,
    "verify-page",
    examples=["rollproof verify-page --out verify.html", "rollproof verify-page --out - | sha256sum"],
)
def verify_page(
    call: Call,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE.html",
            help="Where the page is written; - is standard output.",
            show_default=False,
        ),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace FILE.html if it exists.")] = False,
) -> None:
    """Write a page that verifies logs in a browser: one file, offline, for players who install nothing.

    It is a second verifier, written from the specification alone (specs/web.md). It does not know the rules of the
    games; verify does. A version writes the same file each time: compare the SHA-256 of a page that you were given.
    """
    _ = call.translate
    from hashlib import sha256

    from ledger.cli.files import write_files
    from verifier.shell.webpage import build_page

    page = build_page().encode()
    if out == Path("-"):
        sys.stdout.buffer.write(page)
        return
    write_files({out: lambda stream: stream.write(page)}, force=force)
    digest = sha256(page).hexdigest()
    if call.out.json:
        call.out.value({"file": str(out), "sha256": digest})
    else:
        call.out.say(
            _("{file} is written. Open it in a browser. Its SHA-256: {digest}").format(file=out, digest=digest)
        )
