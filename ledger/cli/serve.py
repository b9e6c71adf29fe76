"""`rollproof serve`: keep games for people on other machines (specs/network.md)."""

import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import Call, app, command
from ledger.cli.output import printable
from ledger.cli.passphrase import ask_new, passphrase, passphrase_if_set
from ledger.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.server.limits import Limits
    from ledger.server.public_games import PublicGames
    from ledger.server.webhook import PostingTo

__all__ = ["KEEPER", "Memory", "MemoryFile", "memory_address", "option", "postgres_address", "read_limits", "secret_of"]

KEEPER = "keeper"
"""the name of the keeper where nobody gave another"""

_JUDGE = "timer"
"""the name of the judge that tables may have, where nobody gave another"""

DEVELOPERS = 100_000
"""tables in an hour, and refused posts in a minute, with --developer"""

_MAX_SECRET = 1_000
"""bytes of a file with a passphrase, or the address of a database"""


def option(flag: str, metavar: str | None, help: str, **more: Any) -> Any:
    """Return an option that an environment variable can set, too."""
    variable = f"ROLLPROOF_{flag.replace('-', '_').upper()}"
    return typer.Option(f"--{flag}", metavar=metavar, envvar=variable, help=help, **more)


Memory = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="URL",
        help="postgresql://… of a cluster of its own, in which the keeper's seat remembers (else ROLLPROOF_MEMORY, "
        "else a file on this machine).",
    ),
]
MemoryFile = Annotated[Path | None, option("memory-file", "FILE", "The same in a file's first line.")]


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
def serve(
    call: Call,
    host: Annotated[str, option("host", "HOST", "Where to listen.")] = "127.0.0.1",
    port: Annotated[int, option("port", "N", "0: any free one.", min=0, max=65_535)] = 8706,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="URL",
            help="postgresql://… for many tables (else ROLLPROOF_DATABASE, else SQLite, in the home).",
        ),
    ] = None,
    database_file: Annotated[
        Path | None, option("database-file", "FILE", "The same in a file's first line: for one with a password.")
    ] = None,
    memory: Memory = None,
    memory_file: MemoryFile = None,
    address: Annotated[str | None, option("address", "URL", "How the others reach it, if not at HOST.")] = None,
    keeper: Annotated[str, option("keeper", "NAME", "The keeper's identity; made if not there.")] = KEEPER,
    judge: Annotated[
        str, option("judge", "NAME", "The identity of the judge that tables may have; made if not there.")
    ] = _JUDGE,
    passphrase_file: Annotated[
        Path | None,
        option("passphrase-file", "FILE", "The passphrase of keeper and judge, in a file's first line."),
    ] = None,
    tls_cert: Annotated[Path | None, option("tls-cert", "FILE", "Certificate chain, PEM.")] = None,
    tls_key: Annotated[Path | None, option("tls-key", "FILE", "Its key, PEM.")] = None,
    proxies: Annotated[
        str, option("proxies", "ADDRESSES", "Proxies whose X-Forwarded-For is believed, with commas.")
    ] = "127.0.0.1",
    keep_days: Annotated[
        int | None, option("keep-days", "N", "Delete closed games after so many days (else never).", min=1)
    ] = None,
    witnesses: Annotated[
        Path | None,
        option("witnesses", "FILE", "A policy file: its witnesses with an address cosign the log of closed games."),
    ] = None,
    witness_games: Annotated[
        bool, option("witness-games", None, "They cosign each game, too, and so learn its title and names.")
    ] = False,
    organizer: Annotated[
        list[str] | None,
        option("organizer", "KEY", "Whose verifier key may begin an event here (rollproof event new). Repeatable."),
    ] = None,
    webhook: Annotated[
        str | None,
        option("webhook", "URL", "Post results there, at tables whose terms say so. With --address."),
    ] = None,
    webhook_file: Annotated[
        Path | None, option("webhook-file", "FILE", "The same in a file's first line: whoever has the URL can post.")
    ] = None,
    webhook_name: Annotated[
        str | None, option("webhook-name", "TEXT", "What players are told that it is (else the URL's host).")
    ] = None,
    webhook_host: Annotated[
        list[str] | None,
        option("webhook-host", "KEY", "Whose tables alone may be posted, by the host's verifier key. Repeatable."),
    ] = None,
    webhook_private: Annotated[
        bool, option("webhook-private", None, "It may be at a private address, and without TLS.")
    ] = False,
    public_folder: Annotated[
        Path | None,
        option("public-folder", "DIR", "Write closed games of tables whose terms say so there, for any web server."),
    ] = None,
    public_address: Annotated[
        str | None, option("public-address", "URL", "Where that web server shows the folder.")
    ] = None,
    only_own_pages: Annotated[
        bool, option("only-own-pages", None, "No page of another site may ask or post anything here.")
    ] = False,
    developer: Annotated[
        bool, option("developer", None, "For a client's tests, on this machine alone: as many tables as wanted.")
    ] = False,
    limits: Annotated[Path | None, option("limits", "FILE", "Other bounds than the usual ones, as JSON.")] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Say what is wrong with all this, and serve nothing. Exit code: 0 ready, 1 not."),
    ] = False,
    hall: Annotated[
        bool, typer.Option("--hall", help="With --check: in a hall without internet, do phones find this server?")
    ] = False,
) -> None:
    """Serve tables to people on other machines, as their keeper; stop it with Ctrl-C.

    Games are kept in the home. The keeper's passphrase, which its judge has too, is found as for `rollproof identity
    new`, or in a file. A server gives entropy like every party, and can neither choose nor predict a roll; its page
    says what else it cannot do.
    """
    from ledger.lobby.addresses import server_address
    from ledger.optional_dependencies import needs_extra
    from verifier import VerifierKey
    from verifier.shell.files import read_policy

    if judge == keeper:
        raise UsageError("keeper and judge are two identities: give --judge another name")
    if witness_games and witnesses is None:
        raise UsageError("--witness-games goes with --witnesses: say who cosigns them")
    if hall and not check:
        raise UsageError("--hall goes with --check: it looks, and serves nothing")
    call.home = call.home.remembering(memory_address(call, memory, memory_file))
    to = (webhook, webhook_file, webhook_name, webhook_host or ())
    posting = partial(_posting, call, *to, address, private=webhook_private)
    public = partial(_public, public_folder, public_address)
    if check:
        needs_extra("litestar", "uvicorn", "structlog", extra="online")  # the checks import the server's modules
        from ledger.cli.serve_check import check_all
        from ledger.server.configuration import ServerConfiguration

        check_all(
            call,
            ServerConfiguration(
                home=call.home,
                keeper=keeper,
                judge=judge,
                host=host,
                port=port,
                address=lambda: None if address is None else server_address(address),
                database=lambda: postgres_address(call, database, database_file),
                limits=lambda: read_limits(limits),
                witnesses=lambda: None if witnesses is None else read_policy(witnesses),
                passphrase=lambda: _passphrase_at_hand(call, keeper, passphrase_file),
                proxies=proxies,
                tls_cert=tls_cert,
                tls_key=tls_key,
                organizers=tuple(organizer or ()),
                hall=hall,
                posting=posting,
                public=public,
            ),
        )
    shown_as = None if address is None else server_address(address)
    games, bounds = postgres_address(call, database, database_file), read_limits(limits)
    if developer:
        bounds = _for_developers(bounds, host, address)
    policy = None if witnesses is None else read_policy(witnesses)
    needs_extra("litestar", "uvicorn", "structlog", "prometheus_client", "PIL", extra="online")
    from ledger.server.cosigning import witnesses_of
    from ledger.server.run import Settings, serve

    _check_apart(call, games)
    asked = () if policy is None else witnesses_of(policy)
    secret = _passphrase(call, keeper, passphrase_file)
    if judge not in call.home.names():
        call.home.check_new(judge)
        call.home.new_identity(judge, secret)
    settings = Settings(
        host=host,
        port=port,
        address=shown_as,
        database=games,
        proxies=proxies,
        tls_cert=tls_cert,
        tls_key=tls_key,
        limits=bounds,
        keep_days=keep_days,
        judge=judge,
        witnesses=asked,
        witness_games=witness_games,
        organizers=tuple(VerifierKey.parse(key) for key in organizer or ()),
        other_sites=not only_own_pages,
        posting=posting(),
        public=public(),
    )

    def started(listening: str) -> None:
        shown = settings.address or listening
        if call.out.json:
            call.out.value({"address": shown, "keeper": str(call.home.key(keeper)), "listening": listening})
        else:
            call.out.say(
                call.translate("Open {address} in a browser. {keeper} keeps the tables. Stop with Ctrl-C.").format(
                    address=shown, keeper=keeper
                )
            )

    serve(call.home, keeper, secret, settings, started)


def _posting(
    call: Call,
    given: str | None,
    file: Path | None,
    name: str | None,
    hosts: "Sequence[str]",
    address: str | None,
    *,
    private: bool,
) -> "PostingTo | None":
    """Return the posting of results, to a URL from an option or a file; None without one. Raises UsageError."""
    from ledger.lobby.addresses import server_address
    from ledger.server.webhook import PostingTo, webhook_of
    from verifier import VerifierKey

    if given is not None and file is not None:
        raise UsageError("--webhook and --webhook-file say the same: give one of them")
    url = given if file is None else _first_line(call, file)
    if url is None:
        if name is not None or hosts or private:
            raise UsageError(
                "--webhook-name, --webhook-host and --webhook-private go with --webhook: say where to post"
            )
        return None
    if address is None:
        raise UsageError("--webhook goes with --address: what is posted has a link to its table")
    keys = [VerifierKey.parse(key) for key in hosts]
    return PostingTo(webhook_of(url, name, private=private, hosts=keys), server_address(address), call.translate)


def _public(folder: Path | None, address: str | None) -> "PublicGames | None":
    """Return the folder of public games; None without one. Raises UsageError."""
    from ledger.lobby.addresses import server_address
    from ledger.server.public_games import PublicGames

    if (folder is None) != (address is None):
        raise UsageError("--public-folder and --public-address go together: where to write, and where others read it")
    return None if folder is None or address is None else PublicGames(folder, server_address(address))


def _check_apart(call: Call, games: str | None) -> None:
    """Raises StoreError where games and memory are in one cluster."""
    if games is not None and call.home.memory_address is not None:
        from ledger.store.inspection import check_apart

        check_apart(call.home.memory_address, games)


def postgres_address(call: Call, given: str | None, file: Path | None) -> str | None:
    """The address of the database; None for SQLite. Raises UsageError, OSError."""
    return _postgres(call, "database", given, file)


def memory_address(call: Call, given: str | None, file: Path | None) -> str | None:
    """The address of the service in which seats remember; None for files. Raises UsageError, OSError, MissingError."""
    from ledger.optional_dependencies import needs_extra

    found = _postgres(call, "memory", given, file)
    if found is not None:
        needs_extra("psycopg", extra="postgres")
    return found


def _postgres(call: Call, what: str, given: str | None, file: Path | None) -> str | None:
    """The address of a PostgreSQL database, from an option, a file or the environment. Raises UsageError, OSError."""
    from urllib.parse import urlsplit

    from verifier.shell.secrecy import secret_variable

    if given is not None and file is not None:
        raise UsageError(f"--{what} and --{what}-file say the same: give one of them")
    if given is not None and re.search("://[^/@]*:[^/@]*@|password=", given):
        raise UsageError(
            "a password on the command line is shown to everybody on this machine: put the database's address into a "
            f"file that nobody else can read (--{what}-file FILE), or into ROLLPROOF_{what.upper()}"
        )
    found = _first_line(call, file) if file is not None else given or secret_variable(f"ROLLPROOF_{what.upper()}")
    try:
        if found is None or urlsplit(found).scheme in ("postgresql", "postgres"):
            return found or None
    except ValueError:
        pass
    raise UsageError(f"--{what} takes the address of a PostgreSQL database: postgresql://…")


def _first_line(call: Call, file: Path) -> str:
    """The first line of a file with a secret, about which its owner is warned if others can read it. Raises OSError."""
    from ledger.cli.files import read_bounded
    from verifier.shell.typed import command as shell_command

    data = read_bounded(file, _MAX_SECRET)
    if os.name == "posix" and file != Path("-") and file.stat().st_mode & 0o007:
        told = shell_command("chmod", "o=", file)
        call.out.note(f"{printable(file)} has a secret in it, and everybody on this machine can read it: {told}")
    return os.fsdecode(data).partition("\n")[0].rstrip("\r")


def read_limits(path: Path | None) -> "Limits":
    """A server's bounds from a file; the usual ones without. Raises UsageError, OSError."""
    import msgspec

    from ledger.cli.files import read_bounded
    from ledger.server.limits import Limits

    if path is None:
        return Limits()
    try:
        return msgspec.json.decode(read_bounded(path, 65_536), type=Limits)
    except msgspec.MsgspecError as problem:
        raise UsageError(f"{path} has no limits: {problem}") from None


def _for_developers(bounds: "Limits", host: str, address: str | None) -> "Limits":
    """Lift the bounds that a client's tests meet. Raises UsageError where others can reach the server."""
    import msgspec

    if host not in ("127.0.0.1", "::1", "localhost") or address is not None:
        raise UsageError(
            "--developer is for tests on this machine: leave out --host and --address. For others choose bounds with "
            "--limits FILE"
        )
    return msgspec.structs.replace(bounds, tables=DEVELOPERS, refused=DEVELOPERS)


def _passphrase_at_hand(call: Call, keeper: str, file: Path | None) -> bytes | None:
    """The keeper's, if it can be had without asking anybody. Raises OSError."""
    return passphrase_if_set(keeper) if file is None else os.fsencode(_first_line(call, file))


def secret_of(call: Call, name: str, file: Path | None) -> bytes:
    """The passphrase of an identity: from a file, the environment, or a prompt. Raises PassphraseError, OSError."""
    return passphrase(name) if file is None else os.fsencode(_first_line(call, file))


def _passphrase(call: Call, keeper: str, file: Path | None) -> bytes:
    """Return the keeper's passphrase; the first start creates the identity."""
    new = keeper not in call.home.names()
    if new:
        call.home.check_new(keeper)
    if file is not None:
        secret = os.fsencode(_first_line(call, file))
    else:
        secret = ask_new(keeper) if new else passphrase(keeper)
    if new:
        call.home.new_identity(keeper, secret)
    return secret
