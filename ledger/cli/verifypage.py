"""`rollproof verify-page`: a page that verifies logs, rules included, as one file for a browser."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.app import app, command
from ledger.cli.call import Call

__all__: list[str] = []


@command(
    app,
    "verify-page",
    examples=[
        "rollproof verify-page --out verify.html",
        "rollproof verify-page --small --out verify.html",
        "rollproof verify-page --out - | sha256sum",
    ],
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
    small: Annotated[bool, typer.Option("--small", help="Without the rules of the games: 0.4 MB, not 9.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE.html if it exists.")] = False,
) -> None:
    """Write a page that verifies logs in a browser: one file, offline, for players who install nothing.

    A second verifier, written from the specification alone (specs/web.md), checks signatures, chain and dice; the same
    Python as that of verify, which is in the file, checks the rules of the games. A version writes the same file each
    time: compare the SHA-256 of a page that you were given.
    """
    _ = call.translate
    from hashlib import sha256

    from ledger.browser.verify_page import verify_page as build_page
    from ledger.cli.files import write_files

    page = build_page(rules=not small)
    if out == Path("-"):
        sys.stdout.buffer.write(page)
        return
    write_files({out: lambda stream: stream.write(page)}, force=force)
    digest = sha256(page).hexdigest()
    if call.out.json:
        call.out.value({"file": str(out), "sha256": digest, "bytes": len(page)})
    else:
        call.out.say(
            _("{file} is written ({size} kB). Open it in a browser. Its SHA-256: {digest}").format(
                file=out, size=len(page) // 1000, digest=digest
            )
        )
