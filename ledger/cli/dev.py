"""`rollproof dev`: tools for authors of clients (specs/guide/clients.md). Their output is in English only."""

from typing import TYPE_CHECKING, Annotated

import typer

from ledger.cli.app import command, group
from ledger.cli.call import Call
from ledger.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ledger.dev.lie import Lie
    from ledger.dev.trials import LieVerdict

_dev = group("dev", "Try a client that you write: lie to it, kill it.")

_Run = Annotated[
    str | None,
    typer.Option(
        metavar="COMMAND",
        help="The command that starts your client; the link becomes its last argument.",
        show_default=False,
    ),
]
_Patience = Annotated[
    float, typer.Option(metavar="SECONDS", min=1.0, help="Time for each step that the client must take.")
]


@command(
    _dev,
    "lying-server",
    examples=[
        "rollproof dev lying-server --list",
        "rollproof dev lying-server changed-dice --run 'node client.mjs'",
        "rollproof dev lying-server --all --json --run 'node client.mjs'",
        "rollproof dev lying-server forked --port 8707",
    ],
)
def lying_server(
    call: Call,
    lies: Annotated[list[str] | None, typer.Argument(metavar="[LIE]...", help="Names of lies.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All of them, one after the other.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the lies, and what a client owes at each.")] = False,
    without_rules: Annotated[
        bool, typer.Option("--without-rules", help="Your client knows no rules: leave out lies that only these show.")
    ] = False,
    run: _Run = None,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any free one.")] = 0,
    patience: _Patience = 20.0,
    quiet: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0.1, help="If nothing goes wrong for so long after a lie, it was refused."),
    ] = 5.0,
) -> None:
    """Be a server that lies to your client, and say whether it refused.

    A real server runs here, with honest players; what it says passes through this program, which alters it, with the
    keeper's own key if that helps the lie. Your client sits down as bob by the link that it is given, plays by itself,
    and opens for each roll until something is wrong. Then alice asks for dice that build on the lie: a client that
    opens for them, or signs anything, has believed it.

    Without --run the link is printed, and any client that plays by it is tried, even a page.

    Exit code: 0 only if the client did what it owes at each lie.
    """
    from ledger.distribution.optional_dependencies import needs_extra

    needs_extra("httpx", "litestar", "uvicorn", extra="online")
    from ledger.dev.lies import LIES
    from ledger.dev.trials import real_server, try_lie

    known = {name: lie for name, lie in LIES.items() if not (without_rules and lie.rules)}
    if listed:
        _print_lies(call, known.values())
        return
    names = list(known) if every else list(lies or ())
    _check_names(names, LIES, run)
    _check_command(run)

    def invited(link: str) -> None:
        if run is not None:
            return
        if call.out.json:
            call.out.value({"link": link, "name": "bob"})
        else:
            call.out.line(f"Sit down as bob: {link}")

    verdicts = []
    with real_server() as server:
        for name in names:
            verdict = try_lie(server, LIES[name], run, invited, port=port, patience=patience, quiet=quiet)
            verdicts.append(verdict)
            _tell(call, verdict, LIES[name].owes)
    if len(verdicts) > 1 and not call.out.json:
        passed = sum(verdict.passed for verdict in verdicts)
        call.out.line(f"{passed} of {len(verdicts)} as it should be.")
    raise typer.Exit(0 if all(verdict.passed for verdict in verdicts) else 1)


def _print_lies(call: Call, lies: "Iterable[Lie]") -> None:
    for lie in lies:
        if call.out.json:
            call.out.value(
                {"lie": lie.name, "about": lie.about, "owes": lie.owes, "goes_on": lie.goes_on, "rules": lie.rules}
            )
        else:
            call.out.line(f"{lie.name}: {lie.about}. The client {lie.owes}.")


def _check_names(names: list[str], known: "Mapping[str, Lie]", run: str | None) -> None:
    """Check the names of lies, and that one client is given one lie only. Raises UsageError."""
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(f"there is no lie {unknown[0]!r}: rollproof dev lying-server --list says which there are")
    if not names:
        raise UsageError("name a lie, or give --all or --list")
    if run is None and len(names) > 1:
        raise UsageError("several lies take a client that is started anew for each: give --run COMMAND")


def _tell(call: Call, verdict: "LieVerdict", owes: str) -> None:
    if call.out.json:
        call.out.value(verdict)
        return
    call.out.line(f"{'ok' if verdict.passed else 'BAD':3} {verdict.lie}: {verdict.verdict}")
    if not verdict.passed:
        for text in verdict.seen:
            call.out.line(f"    {text}")
        call.out.line(f"    A client {owes}.")


@command(
    _dev,
    "crash-storage",
    examples=["rollproof dev crash-storage --run 'node bot.mjs'"],
)
def crash_storage(
    call: Call,
    run: _Run = None,
    rolls: Annotated[int, typer.Option(min=1, max=50, help="How many rolls it must get through.")] = 3,
    patience: _Patience = 30.0,
) -> None:
    """Kill your client again and again, and say whether what it stores brings it back.

    It is killed at each thing that it posts (seat, join, commit, each opening), twice: before the server has it, and
    when the server has it but the client has no answer. Each time it is started again, with the same link, and with the
    same folder in ROLLPROOF_CLIENT_DIR for what it stores. It must go on with its seat: send again byte for byte what
    may not have come, open each link for one request, and get through all rolls.

    Exit code: 0 only if it does.
    """
    from ledger.distribution.optional_dependencies import needs_extra

    needs_extra("httpx", "litestar", "uvicorn", extra="online")
    from ledger.dev.trials import crash_client, real_server

    if run is None:
        raise UsageError("give the command that starts your client: --run COMMAND")
    _check_command(run)

    def say_killed(kill: str) -> None:
        if not call.out.json:
            call.out.line(f"killed at {kill}")

    with real_server() as server:
        verdict = crash_client(server, run, rolls=rolls, patience=patience, on_kill=say_killed)
    if call.out.json:
        call.out.value(verdict)
    else:
        outcome = "it went on with its seat" if verdict.passed else "it did NOT go on as it should"
        call.out.line(f"{len(verdict.kills)} kills, {verdict.rolls} of {rolls} rolls: {outcome}")
        for text in verdict.seen:
            call.out.line(f"    {text}")
    raise typer.Exit(0 if verdict.passed else 1)


def _check_command(run: str | None) -> None:
    """Refuse a command that a shell would not take apart. Raises UsageError."""
    import shlex

    try:
        if run is None or shlex.split(run):
            return
    except ValueError:
        pass
    raise UsageError("--run takes a command, such as 'node client.mjs'")
