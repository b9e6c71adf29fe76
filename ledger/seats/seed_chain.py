"""A contributor's own seed chain, with all its links (specs/dice.md, "Seed chains")."""

from ledger.errors import SeedError
from verifier.dice.derivation import chain_step

__all__ = ["DEFAULT_CHAIN_LENGTH", "SeedChain"]

DEFAULT_CHAIN_LENGTH = 1_024


class SeedChain:
    """All links of one chain, from the tip (index 0) to the secret (index `length`)."""

    def __init__(self, game: bytes, name: str, length: int, secret: bytes) -> None:
        links = [secret]
        for index in range(length, 0, -1):
            links.append(chain_step(links[-1], game, name, index))
        self._links = b"".join(reversed(links))  # one object: a keeper has a chain in each of many games

    @property
    def tip(self) -> bytes:
        """The commitment, 32 bytes."""
        return self._links[:32]

    @property
    def length(self) -> int:
        """The number of rolls that the chain lasts for."""
        return len(self._links) // 32 - 1

    def link(self, index: int) -> bytes:
        """32 bytes; `index` from 0, the tip, to the length. Raises SeedError for any other."""
        if not 0 <= index <= self.length:
            raise SeedError(f"this seed chain has links 0 to {self.length}, not {index}")
        return self._links[32 * index : 32 * index + 32]
