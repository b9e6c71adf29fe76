"""Hashes of lines: chain and Merkle tree in one (specs/log.md, "Hashes"; RFC 6962, section 2.1)."""

import hashlib

__all__ = ["ZERO_HASH", "MerkleTree", "leaf_hash"]

ZERO_HASH = bytes(32)
"""stands for the line before the first"""


def leaf_hash(line: bytes) -> bytes:
    """32 bytes: SHA-256(0x00 || line), the line without its line feed."""
    return hashlib.sha256(b"\x00" + line).digest()


def _node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class MerkleTree:
    """The tree head over leaves that are added one by one.

    Keeps one hash for each perfect subtree, one more than log2(size) at most.
    """

    __slots__ = ("_peaks", "size")

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []

    def append(self, leaf: bytes) -> None:
        """Add a leaf hash."""
        self._peaks.append(leaf)
        self.size += 1
        # As many subtrees of equal size meet as the new size has trailing zero bits.
        for _ in range((self.size & -self.size).bit_length() - 1):
            right = self._peaks.pop()
            self._peaks[-1] = _node_hash(self._peaks[-1], right)

    def root(self) -> bytes:
        """32 bytes: the Merkle tree head; of no leaves SHA-256 of nothing."""
        if not self._peaks:
            return hashlib.sha256(b"").digest()
        *rest, root = self._peaks
        for peak in reversed(rest):
            root = _node_hash(peak, root)
        return root

    def copy(self) -> "MerkleTree":
        tree = MerkleTree()
        tree.size, tree._peaks = self.size, self._peaks.copy()
        return tree
