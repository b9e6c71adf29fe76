"""`rollproof serve`: keep games for people on other machines (specs/network.md)."""

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ledger.cli.app import app, command
from ledger.cli.call import Call
from ledger.cli.passphrase import ask_new, passphrase, passphrase_if_set
from ledger.cli.server_options import (
    KEEPER,
    Memory,
    MemoryFile,
    first_line,
    memory_address,
    option,
    postgres_address,
    read_limits,
)
from ledger.errors import UsageError

if TYPE_CHECKING:
    from ledger.server.configuration import ServerConfiguration
    from ledger.server.limits import Limits
    from ledger.server.public_games import PublicGames
    from ledger.server.webhook import PostingTo
    from verifier.checkpoints.policy import Policy

__all__: list[str] = []

_JUDGE = "timer"
"""the name of the judge that tables may have, where nobody gave another"""

DEVELOPERS = 100_000
"""tables in an hour, and refused posts in a minute, with --developer"""


class _ServerOptions(NamedTuple):
    """The options of a server."""

    host: Annotated[str, option("host", "HOST", "Where to listen.")] = "127.0.0.1"
    port: Annotated[int, option("port", "N", "0: any free one.", min=0, max=65_535)] = 8706
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="URL",
            help="postgresql://… for many tables (else ROLLPROOF_DATABASE, else SQLite, in the home).",
        ),
    ] = None
    database_file: Annotated[
        Path | None, option("database-file", "FILE", "The same in a file's first line: for one with a password.")
    ] = None
    memory: Memory = None
    memory_file: MemoryFile = None
    address: Annotated[str | None, option("address", "URL", "Where the others reach it, if not at HOST.")] = None
    keeper: Annotated[str, option("keeper", "NAME", "The keeper's identity; made if not there.")] = KEEPER
    judge: Annotated[
        str, option("judge", "NAME", "The identity of the judge that tables may have; made if not there.")
    ] = _JUDGE
    passphrase_file: Annotated[
        Path | None,
        option("passphrase-file", "FILE", "The passphrase of keeper and judge, in a file's first line."),
    ] = None
    tls_cert: Annotated[Path | None, option("tls-cert", "FILE", "Certificate chain, PEM.")] = None
    tls_key: Annotated[Path | None, option("tls-key", "FILE", "Its key, PEM.")] = None
    proxies: Annotated[
        str, option("proxies", "ADDRESSES", "Proxies whose X-Forwarded-For is believed, with commas.")
    ] = "127.0.0.1"
    keep_days: Annotated[
        int | None, option("keep-days", "N", "Delete closed games after so many days (else never).", min=1)
    ] = None
    witnesses: Annotated[
        Path | None,
        option("witnesses", "FILE", "A policy file: its witnesses with an address cosign the log of closed games."),
    ] = None
    witness_games: Annotated[
        bool, option("witness-games", None, "These witnesses cosign each game, too, and so learn its title and names.")
    ] = False
    organizer: Annotated[
        list[str] | None,
        option(
            "organizer",
            "KEY",
            "Verifier key of somebody who may begin an event (rollproof event new). Repeatable.",
        ),
    ] = None
    webhook_file: Annotated[
        Path | None,
        option("webhook-file", "FILE", "Post results to the URL in its first line, a secret. With --address."),
    ] = None
    webhook_name: Annotated[
        str | None, option("webhook-name", "TEXT", "Its name, as players read it (else the URL's host).")
    ] = None
    webhook_host: Annotated[
        list[str] | None,
        option("webhook-host", "KEY", "Post only tables of the host with this verifier key. Repeatable."),
    ] = None
    webhook_private: Annotated[
        bool, option("webhook-private", None, "The webhook may be at a private address, and without TLS.")
    ] = False
    public_folder: Annotated[
        Path | None,
        option("public-folder", "DIR", "Write closed games there if their table's terms say so, for any web server."),
    ] = None
    public_address: Annotated[
        str | None, option("public-address", "URL", "Where that web server shows the folder.")
    ] = None
    only_own_pages: Annotated[
        bool, option("only-own-pages", None, "No page of another site may ask or post anything here.")
    ] = False
    developer: Annotated[
        bool, option("developer", None, "For a client's tests, on this machine alone: as many tables as wanted.")
    ] = False
    limits: Annotated[Path | None, option("limits", "FILE", "Other bounds than the usual ones, as JSON.")] = None
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Say what is wrong with the settings, and serve nothing. Exit code: 0 ready, 1 not."
        ),
    ] = False
    hall: Annotated[
        bool, typer.Option("--hall", help="With --check: in a hall without internet, do phones find this server?")
    ] = False

    def shown_as(self) -> str | None:
        """Return the address at which others reach it. Raises UsageError."""
        from ledger.lobby.addresses import server_address

        return None if self.address is None else server_address(self.address)

    def games(self, call: Call) -> str | None:
        """Return the address of the database; None for SQLite. Raises UsageError, OSError."""
        return postgres_address(call, self.database, self.database_file)

    def policy(self) -> "Policy | None":
        """Read the witnesses' policy. Raises OSError, NoteError."""
        from verifier.shell.files import read_policy

        return None if self.witnesses is None else read_policy(self.witnesses)


@command(
    app,
    "serve",
    examples=[
        "rollproof serve",
        "rollproof serve --host 0.0.0.0 --port 443 --tls-cert fullchain.pem --tls-key privkey.pem "
        "--address https://dice.example.org",
        "rollproof serve --check --address https://dice.example.org",
        "rollproof serve --check --hall --address https://dice.example.org --tls-cert cert.pem --tls-key key.pem",
    ],
)
def serve(call: Call, *, server: _ServerOptions) -> None:
    """Serve tables to people on other machines, as their keeper; stop it with Ctrl-C.

    Games are kept in the home. The keeper's passphrase, which its judge has too, is found as for
    `rollproof identity new`, or in a file. A server contributes to the dice like every party, and can neither choose
    nor predict a roll. Its page says what else it cannot do.
    """
    from ledger.distribution.optional_dependencies import needs_extra

    if server.judge == server.keeper:
        raise UsageError("keeper and judge are two identities: give --judge another name")
    if server.witness_games and server.witnesses is None:
        raise UsageError("--witness-games goes with --witnesses: say who cosigns them")
    if server.hall and not server.check:
        raise UsageError("--hall goes with --check: it looks, and serves nothing")
    call.home = call.home.remembering(memory_address(call, server.memory, server.memory_file))
    if server.check:
        needs_extra("litestar", "uvicorn", "structlog", extra="online")  # the checks import the server's modules
        from ledger.cli.serve_check import check_all

        check_all(call, _configuration(call, server))
    # What can be wrong is looked at before the passphrase is asked for.
    shown_as, games, bounds = server.shown_as(), server.games(call), _limits(server)
    policy = server.policy()
    needs_extra("litestar", "uvicorn", "structlog", "prometheus_client", "PIL", extra="online")
    from ledger.server.cosigning import witnesses_of
    from ledger.server.run import Settings, serve
    from verifier import VerifierKey

    _check_apart(call, games)
    asked = () if policy is None else witnesses_of(policy)
    secret = _open_parties(call, server)
    settings = Settings(
        host=server.host,
        port=server.port,
        address=shown_as,
        database=games,
        proxies=server.proxies,
        tls_cert=server.tls_cert,
        tls_key=server.tls_key,
        limits=bounds,
        keep_days=server.keep_days,
        judge=server.judge,
        witnesses=asked,
        witness_games=server.witness_games,
        organizers=tuple(VerifierKey.parse(key) for key in server.organizer or ()),
        other_sites=not server.only_own_pages,
        posting=_posting(call, server),
        public=_public(server),
    )

    def started(listening: str) -> None:
        _say_started(call, server.keeper, settings.address or listening, listening)

    serve(call.home, server.keeper, secret, settings, started)


def _configuration(call: Call, server: _ServerOptions) -> "ServerConfiguration":
    """Return what `--check` looks at."""
    from ledger.server.configuration import ServerConfiguration

    return ServerConfiguration(
        home=call.home,
        keeper=server.keeper,
        judge=server.judge,
        host=server.host,
        port=server.port,
        address=server.shown_as,
        database=partial(server.games, call),
        limits=partial(read_limits, server.limits),
        witnesses=server.policy,
        passphrase=partial(_passphrase_at_hand, call, server),
        proxies=server.proxies,
        tls_cert=server.tls_cert,
        tls_key=server.tls_key,
        organizers=tuple(server.organizer or ()),
        hall=server.hall,
        posting=partial(_posting, call, server),
        public=partial(_public, server),
    )


def _say_started(call: Call, keeper: str, shown: str, listening: str) -> None:
    if call.out.json:
        call.out.value({"address": shown, "keeper": str(call.home.key(keeper)), "listening": listening})
        return
    text = call.translate("Open {address} in a browser. {keeper} keeps the tables. Stop with Ctrl-C.")
    call.out.say(text.format(address=shown, keeper=keeper))


def _posting(call: Call, server: _ServerOptions) -> "PostingTo | None":
    """Return the posting of results to the URL in a file; None without one. Raises UsageError."""
    from ledger.lobby.addresses import server_address
    from ledger.server.webhook import PostingTo, webhook_of
    from verifier import VerifierKey

    if server.webhook_file is None:
        if server.webhook_name is not None or server.webhook_host or server.webhook_private:
            raise UsageError(
                "--webhook-name, --webhook-host and --webhook-private go with --webhook-file: say where to post"
            )
        return None
    if server.address is None:
        raise UsageError("--webhook-file goes with --address: what is posted has a link to its table")
    keys = [VerifierKey.parse(key) for key in server.webhook_host or ()]
    hook = webhook_of(
        first_line(call, server.webhook_file), server.webhook_name, private=server.webhook_private, hosts=keys
    )
    return PostingTo(hook, server_address(server.address), call.translate)


def _public(server: _ServerOptions) -> "PublicGames | None":
    """Return the folder of public games; None without one. Raises UsageError."""
    from ledger.lobby.addresses import server_address
    from ledger.server.public_games import PublicGames

    folder, address = server.public_folder, server.public_address
    if (folder is None) != (address is None):
        raise UsageError("--public-folder and --public-address go together: where to write, and where others read it")
    return None if folder is None or address is None else PublicGames(folder, server_address(address))


def _check_apart(call: Call, games: str | None) -> None:
    """Raises StoreError where games and memory are in one cluster."""
    if games is not None and call.home.memory_address is not None:
        from ledger.store.inspection import check_apart

        check_apart(call.home.memory_address, games)


def _limits(server: _ServerOptions) -> "Limits":
    """Return the bounds; with --developer those that a client's tests meet are lifted.

    Raises UsageError where others could reach such a server; OSError.
    """
    import msgspec

    bounds = read_limits(server.limits)
    if not server.developer:
        return bounds
    if server.host not in ("127.0.0.1", "::1", "localhost") or server.address is not None:
        raise UsageError(
            "--developer is for tests on this machine: leave out --host and --address. For others choose bounds with "
            "--limits FILE"
        )
    return msgspec.structs.replace(bounds, tables=DEVELOPERS, refused=DEVELOPERS)


def _passphrase_at_hand(call: Call, server: _ServerOptions) -> bytes | None:
    """Return the keeper's passphrase if it can be had without asking anybody. Raises OSError."""
    file = server.passphrase_file
    return passphrase_if_set(server.keeper) if file is None else os.fsencode(first_line(call, file))


def _open_parties(call: Call, server: _ServerOptions) -> bytes:
    """Return the passphrase of keeper and judge; the first start makes these identities."""
    keeper = server.keeper
    new = keeper not in call.home.names()
    if new:
        call.home.check_new(keeper)
    if server.passphrase_file is not None:
        secret = os.fsencode(first_line(call, server.passphrase_file))
    else:
        secret = ask_new(keeper) if new else passphrase(keeper)
    if new:
        call.home.new_identity(keeper, secret)
    if server.judge not in call.home.names():
        call.home.check_new(server.judge)
        call.home.new_identity(server.judge, secret)
    return secret
