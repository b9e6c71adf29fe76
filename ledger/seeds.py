"""A party's seed chains and its record of what it opened (specs/dice.md; specs/security.md, "Secrets at rest").

The record is durable before an opening leaves: a link that was opened for one request is never opened for another,
whatever crashes in between.
"""

import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ledger.database import SEEDS_KIND, append_only, open_database, reading, transaction
from ledger.errors import SeedError
from verifier.derivation import chain_step

__all__ = ["DEFAULT_CHAIN_LENGTH", "SeedChain", "SeedStore"]

DEFAULT_CHAIN_LENGTH = 1_024

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS chains (
    game TEXT NOT NULL, tip TEXT NOT NULL, length INTEGER NOT NULL, sealed BLOB NOT NULL,
    PRIMARY KEY (game, tip)) STRICT;

CREATE TABLE IF NOT EXISTS openings (
    game TEXT NOT NULL, tip TEXT NOT NULL, link_index INTEGER NOT NULL, request TEXT NOT NULL,
    PRIMARY KEY (game, tip, link_index), UNIQUE (game, request),
    FOREIGN KEY (game, tip) REFERENCES chains (game, tip)) STRICT;

{append_only("chains")};

{append_only("openings")}"""


class SeedChain:
    """All links of one chain, from the tip (index 0) to the secret (index `length`)."""

    def __init__(self, game: bytes, name: str, length: int, secret: bytes) -> None:
        links = [secret]
        for index in range(length, 0, -1):
            links.append(chain_step(links[-1], game, name, index))
        self._links = links[::-1]

    @property
    def tip(self) -> bytes:
        return self._links[0]

    @property
    def length(self) -> int:
        return len(self._links) - 1

    def link(self, index: int) -> bytes:
        """32 bytes; `index` from 0, the tip, to the length. Raises SeedError for any other."""
        if not 0 <= index <= self.length:
            raise SeedError(f"this seed chain has links 0 to {self.length}, not {index}")
        return self._links[index]


class SeedStore:
    """One party's database of chains and openings. `key` (32 bytes) seals the secrets."""

    def __init__(self, path: Path, name: str, key: bytes) -> None:
        """Open or create. Raises StoreError."""
        self._database = open_database(path, _SCHEMA, kind=SEEDS_KIND, mode=0o600)
        self._path = path
        self._name = name
        self._aead = ChaCha20Poly1305(key)
        self._chains: dict[tuple[bytes, bytes], SeedChain] = {}

    def close(self) -> None:
        self._database.close()

    def new_chain(self, game: bytes, length: int) -> SeedChain:
        """Draw a secret, store it, and only then hand out its chain."""
        secret = secrets.token_bytes(32)
        chain = SeedChain(game, self._name, length, secret)
        nonce = secrets.token_bytes(12)
        sealed = nonce + self._aead.encrypt(nonce, secret, game + chain.tip)
        with transaction(self._database):
            self._database.execute(
                "INSERT INTO chains VALUES (?, ?, ?, ?)", (game.hex(), chain.tip.hex(), length, sealed)
            )
        self._chains[game, chain.tip] = chain
        return chain

    def open_link(self, game: bytes, tip: bytes, index: int, request: bytes) -> bytes:
        """The link `index` of the chain with that tip, for this request and no other ever.

        Asked again for the same request, it is the same link again. Raises SeedError where the chain's secret
        is not here, or the link was opened for another request.
        """
        chain = self._chain(game, tip)
        with transaction(self._database):
            row = self._database.execute(
                "SELECT request FROM openings WHERE game = ? AND tip = ? AND link_index = ?",
                (game.hex(), tip.hex(), index),
            ).fetchone()
            if row is None:
                row = self._database.execute(
                    "SELECT link_index FROM openings WHERE game = ? AND request = ?", (game.hex(), request.hex())
                ).fetchone()
                if row is not None:
                    raise SeedError(
                        f"{self._name} opened link {row[0]} for this request and will not open link "
                        f"{index} for it too: "
                        f"the log is not the one that {self._name} saw. Keep both versions and ask a judge."
                    )
                self._database.execute(
                    "INSERT INTO openings VALUES (?, ?, ?, ?)", (game.hex(), tip.hex(), index, request.hex())
                )
            elif row[0] != request.hex():
                raise SeedError(
                    f"{self._name} opened link {index} for another request and never opens it twice: "
                    f"somebody shows two histories of this game. Keep both versions and ask a judge."
                )
        return chain.link(index)

    def link(self, game: bytes, tip: bytes, index: int) -> bytes:
        """A link that is used up: of a voided roll. Raises SeedError."""
        return self._chain(game, tip).link(index)

    def check_unopened(self, game: bytes, request: bytes) -> None:
        """Raises SeedError where the party has opened for this request."""
        row = self._database.execute(
            "SELECT 1 FROM openings WHERE game = ? AND request = ?", (game.hex(), request.hex())
        ).fetchone()
        if row is not None:
            raise SeedError(f"{self._name} has opened for this roll, and cannot call it off any more: a judge can")

    def _chain(self, game: bytes, tip: bytes) -> SeedChain:
        chain = self._chains.get((game, tip))
        if chain is None:
            with reading(self._path):
                row = self._database.execute(
                    "SELECT length, sealed FROM chains WHERE game = ? AND tip = ?", (game.hex(), tip.hex())
                ).fetchone()
            if row is None:
                raise SeedError(
                    f"the secret of {self._name}'s seed chain is not on this machine. Open from the "
                    f"machine that made the "
                    f"commitment, or commit to a new chain between rolls."
                )
            length, sealed = row
            try:
                secret = self._aead.decrypt(sealed[:12], sealed[12:], game + tip)
            except InvalidTag:
                raise SeedError(
                    f"the stored seed chain of {self._name} is damaged, or belongs to another key"
                ) from None
            chain = self._chains[game, tip] = SeedChain(game, self._name, length, secret)
        return chain
