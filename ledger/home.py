"""The files of a person's games and identities on this machine.

    HOME/ledger.db                      all games, no secrets
    HOME/identities/NAME/key.json       NAME's signing key, sealed under a passphrase
    HOME/identities/NAME/key.txt        NAME's verifier key
    HOME/identities/NAME/profile.json   the file that makes NAME a new key when this one is lost, once it was asked for
    HOME/identities/NAME/successions    how NAME came to its key, where it had another before
    HOME/identities/NAME/memory         a copy of the counter of what NAME's seat remembers
    HOME/identities/NAME/witness.db     what NAME cosigned, where NAME is a witness
    HOME/events.db                      the logs of organized events
    HOME/events/ID.names.json           the names and salts of an event's players; can be deleted

What seats remember stands elsewhere: where nobody copies, backs up or syncs it (specs/seats.md).
"""

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.errors import IdentityError, MemoryLostError, MissingError, StoreError, UsageError
from verifier.shell.secrecy import secret_variable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future

    from ledger.seats.identity import Identity
    from ledger.seats.key_file import Cost
    from ledger.seats.memory import SeatMemory
    from ledger.seats.records import Memories
    from ledger.seats.seat import Seat
    from ledger.seats.snapshots import Snapshots
    from ledger.store.event_logs import EventLogs
    from ledger.store.ledger import Ledger
    from ledger.transparency.witness import Witness
    from verifier import VerifierKey

__all__ = ["HOME_VARIABLE", "Home", "default_home"]

HOME_VARIABLE = "ROLLPROOF_HOME"
MEMORY_VARIABLE = "ROLLPROOF_MEMORY"

_PROFILE = "profile.json"
_SUCCESSIONS = "successions"

# What needs cryptography or a database is imported where it is used: completion and help start faster without.


def default_home() -> Path:
    """Return the folder by the platform's convention for a program's data."""
    if os.name == "posix" and sys.platform != "darwin":
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "rollproof"
    from typer import get_app_dir

    return Path(get_app_dir("rollproof"))


class Home:
    """A folder with a ledger and identities. Nothing is written before it is needed."""

    def __init__(self, root: Path, state: Path | None = None, memory: str | None = None) -> None:
        """`state` is where seats keep what they remember; else that of ROLLPROOF_STATE, else the platform's.

        `memory`: the address of a service that they remember in instead (specs/seats.md, "In a service").
        """
        self.root = root
        self._state = state
        self.memory_address = memory
        self._opened: dict[tuple[bytes, bytes], Identity] = {}
        """identities by key file and passphrase: to derive a key takes a tenth of a second"""
        self._opening: dict[tuple[bytes, bytes], Future[Identity]] = {}
        """those that threads of their own open"""

    @property
    def state(self) -> Path:
        """The folder of the seats' memories."""
        from ledger.seats.memory_places import default_state

        return self._state or default_state()

    @classmethod
    def locate(cls, given: Path | None = None) -> "Home":
        """Return the home in the given folder, else in that of ROLLPROOF_HOME, else in the platform's.

        Seats remember in the service of ROLLPROOF_MEMORY, if it names one.
        """
        variable = os.environ.get(HOME_VARIABLE)
        return cls(
            given or (Path(variable) if variable else default_home()), memory=secret_variable(MEMORY_VARIABLE) or None
        )

    def remembering(self, memory: str | None) -> "Home":
        """Return the same home with its seats' memories in a service; None: in files."""
        return Home(self.root, self._state, memory)

    @property
    def ledger_path(self) -> Path:
        """The store of games."""
        return self.root / "ledger.db"

    def names(self) -> list[str]:
        """Return the identities here, sorted."""
        return sorted(path.parent.name for path in self._identities.glob("*/key.txt"))

    def key(self, name: str) -> "VerifierKey":
        """Return the public key of an identity here. Raises IdentityError."""
        from ledger.seats.identity import Identity

        return Identity.read_key(self._folder(name))

    def has(self, key: "VerifierKey") -> bool:
        """Return True if this very key is here, under its name. Raises IdentityError for a damaged key.

        Whether a party of a game is here is asked with its key of event 0: a name is anybody's.
        """
        return key.name in self.names() and str(self.key(key.name)) == str(key)

    def check_new(self, name: str) -> None:
        """Raises IdentityError where no new identity can have this name."""
        if (self._folder(name) / "key.json").exists():
            raise IdentityError(
                f"there is an identity {name} here already: choose another name (games that {name} signed need the key)"
            )

    def new_identity(self, name: str, passphrase: bytes, cost: "Cost | None" = None) -> "VerifierKey":
        """Make a key pair. Raises IdentityError where the name is taken or none, or the passphrase too short."""
        from ledger.seats.identity import Identity, check_passphrase

        self._folder(name)
        check_passphrase(passphrase)
        return self.add_identity(Identity.generate(name), passphrase, cost)

    def add_identity(
        self, identity: "Identity", passphrase: bytes, cost: "Cost | None" = None, since: str = ""
    ) -> "VerifierKey":
        """Store a key pair; `cost` is what it takes to try a passphrase (default: what is written everywhere).

        A key that is not new takes part only in games that were opened after `since`, a time. Raises IdentityError
        where its name is taken, or the passphrase too short.
        """
        from ledger.seats.key_file import COST

        folder = self._folder(identity.name)
        if self.memory_address is not None:  # before there is a key that remembers nothing
            from ledger.seats.service_checks import probe_service

            probe_service(self.memory_address)
        self._create(self._identities)
        identity.save(folder, passphrase, cost or COST)
        self._begin(identity, since=since)
        return identity.key

    def weak(self, name: str) -> bool:
        """Return True if its passphrase can be guessed faster than that of a new identity. Raises IdentityError."""
        from ledger.seats.identity import Identity

        return Identity.read_file(self._folder(name)).kdf.is_weak

    def _begin(self, identity: "Identity", *, since: str = "", taken: "Memories | None" = None) -> None:
        from ledger.seats.memory_places import begin_memory

        if self.memory_address is not None:
            from ledger.seats.service_opening import begin_service_memory

            folder = self._folder(identity.name)
            begin_service_memory(identity, folder, self.state, self.memory_address, since=since, taken=taken).close()
            return
        begin_memory(identity, self._folder(identity.name), self.state, since=since, taken=taken).close()

    def move(self, name: str, passphrase: bytes) -> bytes:
        """End a seat on this machine, for good; the file with which it begins on another.

        Raises IdentityError, MemoryLostError, StoreError.
        """
        from ledger.seats.identity import Identity
        from ledger.seats.transfer import pack

        identity = self.identity(name, passphrase)
        with closing(self.memory(identity)) as memory:
            return pack(Identity.read_file(self._folder(name)), identity, memory.leave())

    def take(self, data: bytes, passphrase_of: "Callable[[str], bytes]") -> str:
        """Begin a seat here that was moved; returns its name. `passphrase_of` gives the passphrase of its key.

        Raises IdentityError where the file is none, was taken here before, or another key has the name; StoreError.
        """
        from ledger.seats.identity import Identity
        from ledger.seats.memory_places import has_left
        from ledger.seats.transfer import read_moved, unpack

        file, sealed = read_moved(data)
        name, folder = file.name, self._folder(file.name)
        identity = Identity.open(file, passphrase_of(name))
        memories = unpack(file, sealed, identity)
        if folder.exists() and str(self.key(name)) != str(identity.key):
            raise IdentityError(f"there is another identity {name} here, with another key: it is left as it is")
        self._check_named(identity, taking=True)
        if not has_left(identity, folder, self.state, memories):
            raise IdentityError(f"{name}'s seat is on this machine, or this file was taken here before")
        if self.memory_address is not None:
            from ledger.seats.service_opening import has_left_service

            if not has_left_service(identity, self.memory_address, memories):
                raise IdentityError(f"{name}'s seat is in the service, or this file was taken there before")
        if not folder.exists():
            self._create(self._identities)
            Identity.store(folder, file)
        self._begin(identity, taken=memories)
        return name

    def back_up(self, name: str, passphrase: bytes) -> bytes:
        """Return the profile's file of an identity: the same each time. Raises IdentityError, StoreError."""
        from ledger.seats.identity import write_once
        from ledger.seats.profile import new_profile
        from verifier.log.succession import parse_successions

        identity, path = self.identity(name, passphrase), self._folder(name) / _PROFILE
        if not path.exists():
            file = new_profile(identity, passphrase, parse_successions(self.successions(name)))
            write_once(path, bytes(file))
        return path.read_bytes()

    def restore(self, data: bytes, passphrase_of: "Callable[[str], bytes]", time: str) -> "VerifierKey":
        """Make a new key that goes on where the key of a profile's file ended, with its succession beside it.

        Raises IdentityError where the file is none, does not open, or the name is taken here.
        """
        from ledger.seats.identity import Identity
        from ledger.seats.key_file import COST
        from ledger.seats.profile import parse_profile, read_profile, succeed

        name = parse_profile(data).party_key.name
        if (self._folder(name) / "key.json").exists():
            raise IdentityError(
                f"{name} has a key here, which is not lost: a file goes on where {name} has none "
                f"(another home: set {HOME_VARIABLE})"
            )
        secret = passphrase_of(name)
        opened = read_profile(data, secret)
        identity = Identity.generate(name)
        chain = (*opened.file.successions, succeed(opened, identity, time))
        self._create(self._identities)
        identity.save(self._folder(name), secret, COST, {_SUCCESSIONS: b"".join(map(bytes, chain))})
        self._begin(identity)
        return identity.key

    def successions(self, name: str) -> bytes:
        """Return the successions that led to an identity's key, one a line. Raises IdentityError."""
        self.key(name)
        path = self._folder(name) / _SUCCESSIONS
        return path.read_bytes() if path.exists() else b""

    def forget(self, name: str, passphrase: bytes, since: str) -> None:
        """Begin an empty memory instead of a lost one, for games that are opened later than `since`.

        Raises IdentityError, StoreError; UsageError where nothing is lost.
        """
        identity = self.identity(name, passphrase)
        try:
            with closing(self.memory(identity)) as memory:
                lost = memory.left
        except MemoryLostError:
            lost = True
        if not lost:
            raise UsageError(f"{name}'s memory is here and whole: there is nothing to begin anew")
        self._begin(identity, since=since)

    def memory(self, identity: "Identity") -> "SeatMemory":
        """Open the memory of an identity's seat; the caller closes it. Raises MemoryLostError, StoreError."""
        from ledger.seats.memory_places import open_memory

        self._check_named(identity)
        if self.memory_address is not None:
            from ledger.seats.service_opening import open_service_memory

            return open_service_memory(identity, self._folder(identity.name), self.state, self.memory_address)
        return open_memory(identity, self._folder(identity.name), self.state)

    def _check_named(self, identity: "Identity", *, taking: bool = False) -> None:
        """Raises UsageError where an identity remembers in another kind of place than was said: nothing is lost.

        With `taking`, a file may be here that the seat has left.
        """
        from ledger.seats.memory_places import has_file, is_in_service

        name, in_service = identity.name, is_in_service(identity, self._folder(identity.name))
        if in_service and self.memory_address is None:
            raise UsageError(f"{name} remembers in a service: say in {MEMORY_VARIABLE} where that is")
        if not in_service and self.memory_address is not None and not taking and has_file(identity, self.state):
            raise UsageError(
                f"{name} remembers in a file of this machine: name no service, and unset {MEMORY_VARIABLE}"
            )

    def seat(
        self,
        name: str,
        passphrase: bytes,
        snapshots: "Snapshots | None" = None,
        clock: "Callable[[], str] | None" = None,
    ) -> "Seat":
        """Return the seat of one party, for the caller to close. Raises IdentityError, MemoryLostError, StoreError.

        `snapshots`: where it leaves those of long games, for the next that takes them up; `clock` gives the time, None:
        the machine's.
        """
        from ledger.game.times import utc_now
        from ledger.seats.seat import Seat

        identity = self.identity(name, passphrase)
        return Seat(identity, self.memory(identity), clock or utc_now, snapshots, self._recovery(name))

    def _recovery(self, name: str) -> str | None:
        """Return the recovery key (hex) that an identity's file has, if it was asked for."""
        from ledger.seats.profile import parse_profile

        path = self._folder(name) / _PROFILE
        return parse_profile(path.read_bytes()).recovery if path.exists() else None

    def snapshots(self) -> "Snapshots":
        """Return the snapshots of games that the seats on this machine left."""
        from ledger.seats.snapshots import Snapshots

        return Snapshots(self.state, self.has)

    def identity(self, name: str, passphrase: bytes) -> "Identity":
        """Return an identity with its private key, derived once for each file and passphrase. Raises IdentityError."""
        from ledger.seats.identity import Identity

        folder = self._folder(name)
        opened = bytes(Identity.read_file(folder)), passphrase
        if opened not in self._opened:
            begun = self._opening.pop(opened, None)
            self._opened[opened] = Identity.load(folder, passphrase) if begun is None else begun.result()
        return self._opened[opened]

    def open_ahead(self, passphrases: "Mapping[str, bytes]") -> None:
        """Begin to open identities by their passphrases, each in a thread, for `identity` to return them.

        What is wrong with one is raised there. A derivation lets go of the interpreter, so it takes another core.
        """
        from concurrent.futures import ThreadPoolExecutor

        from ledger.seats.identity import Identity

        threads = ThreadPoolExecutor()
        for name, passphrase in passphrases.items():
            folder = self._folder(name)
            opened = bytes(Identity.read_file(folder)), passphrase
            if opened not in self._opened and opened not in self._opening:
                self._opening[opened] = threads.submit(Identity.load, folder, passphrase)
        threads.shutdown(wait=False)

    def witness(self, name: str, passphrase: bytes) -> "Witness":
        """Return an identity as a witness, for the caller to close. Raises IdentityError, StoreError."""
        from ledger.seats.identity import Identity
        from ledger.transparency.witness import Witness

        folder = self._folder(name)
        identity = Identity.load(folder, passphrase)
        count = self.state / f"{identity.key.public_bytes.hex()}.cosigned"
        return Witness(identity, folder / "witness.db", count=count)

    def ledger(self, *, writable: bool = True, snapshots: "Snapshots | None" = None) -> "Ledger":
        """Return the store of games, for the caller to close. If not `writable`, nothing is made or changed.

        With `snapshots` long games are taken up from them. Raises StoreError; MissingError where there is nothing to
        read.
        """
        from ledger.store.ledger import Ledger

        if writable:
            self._create(self.root)
        elif not self.ledger_path.exists():
            raise MissingError(f"there are no games in {self.root}")
        return Ledger(self.ledger_path, writable=writable, snapshots=snapshots)

    @property
    def events_path(self) -> Path:
        """Return the path of the database of event logs, which need not exist."""
        return self.root / "events.db"

    def event_logs(self) -> "EventLogs":
        """Return the store of event logs, for the caller to close. Raises StoreError."""
        from ledger.database.sqlite import EVENTS_KIND
        from ledger.store.event_logs import EventLogs
        from ledger.store.storage import SqliteStorage

        self._create(self.root)
        storage = SqliteStorage(self.events_path, kind=EVENTS_KIND, mode=0o600)
        return EventLogs(storage)

    def names_path(self, event: bytes) -> Path:
        """Return the path of the names of an event's players, if they are here."""
        return self.root / "events" / f"{event.hex()}.names.json"

    def event_server_path(self, event: bytes) -> Path:
        """Return the path of the file that names the server of an event."""
        return self.root / "events" / f"{event.hex()}.server.json"

    def games(self) -> list[dict[str, Any]]:
        """Return the rows of the read table `games`, in order of opening, without any replay. Raises StoreError."""
        if not self.ledger_path.exists():
            return []
        import sqlite3

        from ledger.database.sqlite import open_to_read, reading

        with closing(open_to_read(self.ledger_path)) as connection, reading(self.ledger_path):
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute("SELECT * FROM games ORDER BY opened, game")]

    @property
    def _identities(self) -> Path:
        return self.root / "identities"

    def _folder(self, name: str) -> Path:
        # The name becomes part of a path: nothing but a party's name may.
        from verifier.log.identity import valid_name

        if not valid_name(name):
            raise UsageError(
                f"{name!r} is no name for a party: use 1 to 32 of a-z, 0-9, '.', '_', '-', a letter or digit first "
                f"(and not 'file')"
            )
        return self._identities / name

    def _create(self, folder: Path) -> None:
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{folder} cannot be made: {error.strerror or error}") from None
