"""Hashes of lines: chain and Merkle tree in one (specs/log.md, "Hashes"; RFC 6962, section 2.1)."""

import hashlib
from collections.abc import Sequence

__all__ = [
    "MAX_PROOF",
    "ZERO_HASH",
    "MerkleTree",
    "consistency_proof",
    "inclusion_proof",
    "leaf_hash",
    "root_of",
    "verify_consistency",
    "verify_inclusion",
]

MAX_PROOF = 63
"""hashes that a proof may have, as in c2sp.org/tlog-witness"""

ZERO_HASH = bytes(32)
"""stands for the hash of a line before the first one"""


def leaf_hash(line: bytes) -> bytes:
    """Return SHA-256(0x00 || line), 32 bytes, for a line without its line feed."""
    return hashlib.sha256(b"\x00" + line).digest()


def _node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class MerkleTree:
    """A Merkle tree to which leaves are added one by one.

    It keeps one hash for each perfect subtree, at most log2(size) + 1.
    """

    __slots__ = ("_peaks", "_root", "size")

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []
        self._root: bytes | None = None
        """the result of `root`, until another leaf is added"""

    def append(self, leaf: bytes) -> None:
        """Add a leaf hash."""
        self._root = None
        self.size = size = self.size + 1
        # The number of merges of equal subtrees is the number of trailing zero bits of the new size.
        while not size & 1:
            leaf = _node_hash(self._peaks.pop(), leaf)
            size >>= 1
        self._peaks.append(leaf)

    def root(self) -> bytes:
        """Return the Merkle tree head, 32 bytes. Without leaves it is SHA-256 of the empty string."""
        if not self._peaks:
            return hashlib.sha256(b"").digest()
        if self._root is None:
            *rest, root = self._peaks
            for peak in reversed(rest):
                root = _node_hash(peak, root)
            self._root = root
        return self._root

    def copy(self) -> "MerkleTree":
        """Return an independent copy."""
        tree = MerkleTree()
        tree.size, tree._peaks = self.size, self._peaks.copy()
        return tree


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the Merkle tree head over these leaf hashes, 32 bytes."""
    return _root(leaves, 0, len(leaves))


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the hashes from leaf `index` to the root over all leaves (RFC 6962, section 2.1.1).

    They begin with the sibling of the leaf. Raises IndexError.
    """
    if not 0 <= index < len(leaves):
        raise IndexError(f"leaf {index} of {len(leaves)}")
    proof = []
    start, end = 0, len(leaves)
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            proof.append(_root(leaves, middle, end))
            end = middle
        else:
            proof.append(_root(leaves, start, middle))
            start = middle
    return proof[::-1]


def consistency_proof(leaves: Sequence[bytes], old: int) -> list[bytes]:
    """Return the hashes that show that the tree over all leaves extends that of the first `old` (RFC 6962, 2.1.2).

    Raises IndexError if `old` is not 1 to the number of leaves.
    """
    if not 1 <= old <= len(leaves):
        raise IndexError(f"old size {old} of {len(leaves)}")
    proof = []
    start, end = 0, len(leaves)
    while old != end:
        middle = start + _split(end - start)
        if old <= middle:
            proof.append(_root(leaves, middle, end))
            end = middle
        else:
            proof.append(_root(leaves, start, middle))
            start = middle
    if start:  # otherwise the shared part is the whole old tree, whose root is known
        proof.append(_root(leaves, start, end))
    return proof[::-1]


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Verify that `leaf` is leaf `index` of the tree with `size` leaves and this root (RFC 9162, section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    position, last, node = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if position & 1 or position == last:
            node = _node_hash(sibling, node)
            while not position & 1 and position:  # skip levels on which the last node has no sibling
                position, last = position >> 1, last >> 1
        else:
            node = _node_hash(node, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and node == root


def verify_consistency(old: int, size: int, old_root: bytes, root: bytes, proof: Sequence[bytes]) -> bool:
    """Verify that the tree of `size` leaves extends that of its first `old` leaves (RFC 9162, section 2.1.4.2)."""
    if not 0 < old <= size:
        return False
    if old == size:
        return not proof and old_root == root
    hashes = list(proof) if old & (old - 1) else [old_root, *proof]
    if not hashes:
        return False
    position, last = old - 1, size - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    before = after = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            before, after = _node_hash(sibling, before), _node_hash(sibling, after)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            after = _node_hash(after, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and before == old_root and after == root


def _root(leaves: Sequence[bytes], start: int, end: int) -> bytes:
    tree = MerkleTree()
    for position in range(start, end):
        tree.append(leaves[position])
    return tree.root()


def _split(size: int) -> int:
    """Return the size of the left subtree: the largest power of two below `size`, which is 2 or more."""
    return 1 << (size - 1).bit_length() - 1
