"""`rollproof docs`: the documentation, in a browser, from the package itself."""

from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from ledger.cli.app import app, command
from ledger.cli.call import Call
from ledger.errors import UsageError

__all__: list[str] = []


@command(
    app,
    "docs",
    reads=True,
    examples=["rollproof docs", "rollproof docs --port 8080", "rollproof docs --out handbook"],
)
def docs(
    call: Call,
    port: Annotated[int, typer.Option(metavar="PORT", help="0: any free one.", min=0, max=65535)] = 8707,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write the files to this folder instead.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Show the documentation in a browser: guide, specification, reference. Nothing comes from another host.

    Only programs on this machine can read it, until you stop it.
    """
    from ledger.page.documentation import VERIFY, documentation_server, read_documentation

    _ = call.translate
    files = read_documentation()
    if out is not None:
        from ledger.browser.verify_page import verify_page
        from ledger.cli.files import write_files

        files[VERIFY] = verify_page()
        for name in files:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
        write_files({out / name: partial(_write, data) for name, data in files.items()}, force=force)
        _answer(call, _("{count} files are written. Begin with {file}"), count=len(files), file=str(out / "index.html"))
        return
    try:
        server = documentation_server(files, port)
    except OSError:
        raise UsageError(
            f"nobody can listen at 127.0.0.1 port {port}: is it in use? Name another with --port"
        ) from None
    try:
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        _answer(call, _("Open {address} in a browser. Ctrl-C ends it."), address=address)
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


def _answer(call: Call, text: str, **values: object) -> None:
    if call.out.json:
        call.out.value(values)
    else:
        call.out.say(text.format(**values))


def _write(data: bytes, stream: BinaryIO) -> object:
    return stream.write(data)
