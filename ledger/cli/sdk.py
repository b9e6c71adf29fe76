"""`rollproof sdk`: the package for developers, for browsers and Node (ledger/sdk/README.md)."""

from pathlib import Path
from typing import Annotated

import typer

from ledger.cli.app import app, command
from ledger.cli.call import Call

__all__: list[str] = []


@command(
    app, "sdk", examples=["rollproof sdk --out rollproof", "rollproof sdk --out rollproof && npm pack ./rollproof"]
)
def sdk(
    call: Call,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="DIR", help="A folder that is not there yet.", show_default=False),
    ],
) -> None:
    """Write a package for developers: a participant at a server's tables, for browsers and Node.

    It has a README, types and examples, and uses the modules that the table's own page runs. Install it with npm
    install ./DIR, or pack it with npm pack ./DIR.
    """
    from ledger.errors import UsageError
    from ledger.page.package import package_files

    if out.exists():
        raise UsageError(f"{out} is there already: give a folder that is not")
    files = package_files()
    for path, data in files.items():
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    if call.out.json:
        call.out.value({"folder": str(out), "files": sorted(files)})
    else:
        call.out.say(call.translate("{path} is written. Begin with its README.md.").format(path=out))
