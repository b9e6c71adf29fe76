"""Where a person's games and identities are on this machine.

    HOME/ledger.db                      all games, no secrets
    HOME/identities/NAME/key.json       NAME's signing key, sealed under a passphrase
    HOME/identities/NAME/key.txt        NAME's verifier key
    HOME/identities/NAME/seeds.db       NAME's seed chains, record of openings and receipts
    HOME/identities/NAME/witness.db     what NAME cosigned, where NAME is a witness

Each identity is a folder of its own: moving one to another machine moves everything that acts as that party.
"""

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.errors import IdentityError, StoreError

if TYPE_CHECKING:
    from ledger.identity import Identity
    from ledger.keyfile import Cost
    from ledger.seat import Seat
    from ledger.seen import SeenStore
    from ledger.store import Ledger
    from ledger.witness import Witness
    from verifier import VerifierKey

__all__ = ["HOME_VARIABLE", "Home", "default_home"]

HOME_VARIABLE = "ROLLPROOF_HOME"

# What needs cryptography or a database is imported where it is used: completion and help start faster without.


def default_home() -> Path:
    """The folder by the platform's convention for a program's data."""
    if os.name == "posix" and sys.platform != "darwin":
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "rollproof"
    from typer import get_app_dir

    return Path(get_app_dir("rollproof"))


class Home:
    """A folder with a ledger and identities. Nothing is written before something is asked for that needs it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def locate(cls, given: Path | None = None) -> "Home":
        """The folder that was given, else that of ROLLPROOF_HOME, else the platform's."""
        variable = os.environ.get(HOME_VARIABLE)
        return cls(given or (Path(variable) if variable else default_home()))

    @property
    def ledger_path(self) -> Path:
        return self.root / "ledger.db"

    def names(self) -> list[str]:
        """The identities here, sorted."""
        return sorted(path.parent.name for path in self._identities.glob("*/key.txt"))

    def key(self, name: str) -> "VerifierKey":
        """The public key of an identity here. Raises IdentityError."""
        from ledger.identity import Identity

        return Identity.read_key(self._folder(name))

    def has(self, key: "VerifierKey") -> bool:
        """Whether this very key is here, under its name. Raises IdentityError where what has the name is damaged.

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
        from ledger.identity import Identity, check_passphrase

        self._folder(name)
        check_passphrase(passphrase)
        return self.add_identity(Identity.generate(name), passphrase, cost)

    def add_identity(self, identity: "Identity", passphrase: bytes, cost: "Cost | None" = None) -> "VerifierKey":
        """Store a key pair; `cost` is what it takes to try a passphrase (default: what is written everywhere).

        Raises IdentityError where its name is taken, or the passphrase too short.
        """
        from ledger.keyfile import COST

        folder = self._folder(identity.name)
        self._create(self._identities)
        identity.save(folder, passphrase, cost or COST)
        return identity.key

    def weak(self, name: str) -> bool:
        """Whether passphrases for an identity here are tried faster than for one made now. Raises IdentityError."""
        from ledger.identity import Identity

        return Identity.read_file(self._folder(name)).kdf.is_weak

    def seat(self, name: str, passphrase: bytes) -> "Seat":
        """The seat of one party; whoever takes it closes it. Raises IdentityError, StoreError."""
        from ledger.identity import Identity
        from ledger.seat import Seat

        folder = self._folder(name)
        return Seat(Identity.load(folder, passphrase), folder / "seeds.db")

    def identity(self, name: str, passphrase: bytes) -> "Identity":
        """An identity with its private key. Raises IdentityError."""
        from ledger.identity import Identity

        return Identity.load(self._folder(name), passphrase)

    def witness(self, name: str, passphrase: bytes) -> "Witness":
        """An identity as a witness; whoever takes it closes it. Raises IdentityError, StoreError."""
        from ledger.identity import Identity
        from ledger.witness import Witness

        folder = self._folder(name)
        return Witness(Identity.load(folder, passphrase), folder / "witness.db")

    def seen(self, name: str) -> "SeenStore":
        """What one party has seen: heads and receipts; whoever takes it closes it. Raises IdentityError, StoreError."""
        from ledger.seen import SeenStore

        self.key(name)
        return SeenStore(self._folder(name) / "seeds.db", name)

    def ledger(self) -> "Ledger":
        """The store of games; whoever takes it closes it. Raises StoreError."""
        from ledger.store import Ledger

        self._create(self.root)
        return Ledger(self.ledger_path)

    def games(self) -> list[dict[str, Any]]:
        """The rows of the read table `games`, in the order of their opening; nothing is replayed. Raises StoreError."""
        if not self.ledger_path.exists():
            return []
        import sqlite3

        try:
            with closing(sqlite3.connect(f"{self.ledger_path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
                connection.row_factory = sqlite3.Row
                return [dict(row) for row in connection.execute("SELECT * FROM games ORDER BY opened, game")]
        except sqlite3.Error as error:
            raise StoreError(f"{self.ledger_path} cannot be read: {error}") from None

    @property
    def _identities(self) -> Path:
        return self.root / "identities"

    def _folder(self, name: str) -> Path:
        # The name becomes part of a path: nothing but a party's name may.
        from verifier.identity import valid_name

        if not valid_name(name):
            raise IdentityError(
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
