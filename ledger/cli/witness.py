"""`rollproof witness`: cosign checkpoints, and ask others to (specs/checkpoints.md, "Witness")."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from ledger.cli.app import command, group
from ledger.cli.arguments import FileOrGame
from ledger.cli.call import Call
from ledger.cli.checkpoints import CheckpointedLog, CheckpointFile, Out, give
from ledger.cli.output import printable
from ledger.errors import UsageError, WitnessError

if TYPE_CHECKING:
    from ledger.transparency.witness import Witness

_witness = group("witness", "Cosign the checkpoints of games, as a witness; or ask one to.")


@command(_witness, "key", signed=True, examples=["rollproof witness key --as walt"])
def key(call: Call) -> None:
    """Print the key of an identity as a witness, for policy files."""
    from verifier.checkpoints.checkpoint import CosignerKey

    public = call.home.key(call.acting)
    text = str(CosignerKey(public.name, public.public_bytes))
    if call.out.json:
        call.out.value({"name": public.name, "key": text})
    else:
        call.out.line(text)


@command(
    _witness,
    "cosign",
    signed=True,
    examples=["rollproof witness cosign table-12.jsonl --as walt", "rollproof witness cosign table-12.jsonl --add"],
)
def cosign(
    call: Call,
    what: Annotated[Path, typer.Argument(metavar="FILE", help="A log, with its checkpoint beside it.")],
    checkpoint: CheckpointFile = None,
    add: Annotated[
        bool, typer.Option("--add", help="Write the cosignature into the checkpoint's file, below what is there.")
    ] = False,
) -> None:
    """Verify a log and cosign its checkpoint, if it extends all that you cosigned of this game.

    Prints the cosignature. Exit code: 0 cosigned, 1 not.
    """
    _ = call.translate
    from ledger.cli.files import write_files
    from ledger.cli.verify import show_report
    from ledger.store.cosignatures import with_own
    from verifier import verify
    from verifier.checkpoints.event_proof import make_request
    from verifier.shell.files import path_text, sidecar_of

    sidecar = checkpoint or sidecar_of(what)
    log = CheckpointedLog(call, str(what), sidecar)
    report, _replay = verify(log.data, name=path_text(what), receipts={path_text(sidecar): bytes(log.checkpoint)})
    if report.verdict != "holds":
        show_report(call.out, report)
        call.out.note(f"{printable(what)} was not cosigned")
        raise typer.Exit(1)
    with _acting(call) as witness:
        game = witness.admit(log.lines[0])
        held = witness.held(log.checkpoint.head.origin)
        size = held.head.size if held is not None else 0
        if size > log.checkpoint.head.size:
            _refuse(
                call,
                WitnessError(
                    f"{size} events of this game are cosigned already, and this checkpoint is for "
                    f"{log.checkpoint.head.size}: a witness does not go back",
                    409,
                    held,
                ),
            )
        try:
            line = witness.cosign(make_request(log.leaves, size, log.checkpoint.of_log))
        except WitnessError as error:
            _refuse(call, error)
    if add:
        signed = with_own(log.checkpoint, log.keeper, line)
        write_files({sidecar: lambda stream: stream.write(bytes(signed.checkpoint))}, force=True)
        if signed.unknown:
            text = _("{file} was full: {count} signature lines by others made room for this one")
            call.out.note(text.format(file=printable(sidecar), count=signed.unknown))
    if call.out.json:
        call.out.value({"game": game.hex(), "size": log.checkpoint.head.size, "cosignature": line.line})
    else:
        call.out.line(line.line.removesuffix("\n"))


@command(
    _witness,
    "request",
    examples=["rollproof witness request 9c31 --old 12 | ssh witness.example rollproof witness answer -"],
)
def request(
    call: Call,
    what: FileOrGame,
    old: Annotated[int, typer.Option(metavar="N", min=0, help="How many events the witness cosigned before.")] = 0,
    checkpoint: CheckpointFile = None,
    out: Out = None,
) -> None:
    """Write a request to a witness (add-checkpoint of c2sp.org/tlog-witness), to be sent in any way you like."""
    from verifier.checkpoints.event_proof import make_request

    log = CheckpointedLog(call, what, checkpoint)
    if old > log.checkpoint.head.size:
        raise UsageError(f"the checkpoint is for {log.checkpoint.head.size} events, fewer than the {old} of --old")
    give(call, make_request(log.leaves, old, log.checkpoint.of_log), out, force=False)


@command(
    _witness,
    "answer",
    signed=True,
    examples=[
        "rollproof witness answer request.txt --as walt > answer.txt",
        "rollproof witness answer --game event-0.json request.txt --as walt",
    ],
)
def answer(
    call: Call,
    file: Annotated[Path, typer.Argument(metavar="FILE|-", help="The request; - is standard input.")] = Path("-"),
    game: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The game's log, or its first line: from it a witness knows the keeper."),
    ] = None,
) -> None:
    """Answer a request as a witness: print the cosignature, or why there is none.

    A game must be known: from `witness cosign`, or from --game. Exit code: 0 cosigned, 1 refused.
    """
    from ledger.cli.files import read_bounded
    from verifier.checkpoints.event_proof import MAX_PROOF_FILE
    from verifier.log.format import MAX_LINE

    data = read_bounded(file, MAX_PROOF_FILE)
    with _acting(call) as witness:
        if game is not None:
            witness.admit(read_bounded(game, MAX_LINE + 1).partition(b"\n")[0])
        try:
            line = witness.answer(data)
        except WitnessError as error:
            _refuse(call, error)
    if call.out.json:
        call.out.value({"cosignature": line.line})
    else:
        call.out.line(line.line.removesuffix("\n"))


@command(
    _witness,
    "serve",
    signed=True,
    examples=[
        "rollproof witness serve --policy keepers.policy --as walt",
        "rollproof witness serve --policy keepers.policy --host 0.0.0.0 --port 443 --tls-cert fullchain.pem "
        "--tls-key privkey.pem --as walt",
    ],
)
def serve(
    call: Call,
    policy: Annotated[
        Path, typer.Option("--policy", metavar="FILE", help="A policy file: its log lines are the keepers you serve.")
    ],
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65_535, help="0: any free one.")] = 8707,
    tls_cert: Annotated[Path | None, typer.Option("--tls-cert", metavar="FILE", help="Certificate chain, PEM.")] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="Its key, PEM.")] = None,
    proxies: Annotated[
        str, typer.Option("--proxies", metavar="ADDRESSES", help="Proxies whose X-Forwarded-For is believed.")
    ] = "127.0.0.1",
    limits: Annotated[
        Path | None, typer.Option("--limits", metavar="FILE", help="Other bounds than the usual ones, as JSON.")
    ] = None,
) -> None:
    """Cosign over HTTP (c2sp.org/tlog-witness), as a public witness; stop it with Ctrl-C.

    Servers of the keepers that the policy names send their requests without being asked. You do not become a party of
    their games.
    """
    from ledger.cli.passphrase import passphrase
    from ledger.cli.server_options import read_limits
    from ledger.distribution.optional_dependencies import needs_extra
    from verifier.checkpoints.checkpoint import CosignerKey
    from verifier.shell.files import read_policy

    name, keepers, bounds = call.acting, read_policy(policy).keepers, read_limits(limits)
    if not keepers:
        raise UsageError(f"{printable(policy)} names no keeper to serve: log VKEY")
    needs_extra("litestar", "uvicorn", "structlog", extra="online")
    from ledger.server.run import WitnessSettings, serve_witness

    public = call.home.key(name)
    own = str(CosignerKey(public.name, public.public_bytes))
    settings = WitnessSettings(
        host=host,
        port=port,
        proxies=proxies,
        tls_cert=tls_cert,
        tls_key=tls_key,
        limits=bounds,
        keepers=keepers,
    )

    def started(listening: str) -> None:
        if call.out.json:
            call.out.value({"address": listening, "key": own, "keepers": [str(keeper) for keeper in keepers]})
            return
        text = call.translate("{name} cosigns at {address}. Stop with Ctrl-C. In policies of those whom it serves:")
        call.out.say(text.format(name=name, address=listening))
        call.out.line(f"witness {name} {own} {listening}")

    serve_witness(call.home, name, passphrase(name), settings, started)


@contextmanager
def _acting(call: Call) -> Iterator["Witness"]:
    from ledger.cli.passphrase import passphrase

    name = call.acting
    with closing(call.home.witness(name, passphrase(name))) as witness:
        yield witness


def _refuse(call: Call, error: WitnessError) -> NoReturn:
    """Say why there is no cosignature, and show what is held. Raises Exit."""
    held = "" if error.held is None else bytes(error.held).decode()
    if call.out.json:
        size = error.held.head.size if error.held is not None else 0
        call.out.value({"cosignature": None, "status": error.status, "problem": str(error), "held": held, "size": size})
    elif held:
        call.out.note("cosigned already:")
        call.out.line(held.removesuffix("\n"))
    call.out.note(str(error))
    raise typer.Exit(1)
