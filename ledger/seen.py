"""What a party has seen of its games: heads, and receipts (specs/checkpoints.md, "Who keeps what").

Receipts are the checkpoints that it was given. They stand in the party's own database, beside its seeds. Nothing in
them is secret, and they survive a crash of the program, not of the machine.
"""

from pathlib import Path

from ledger.database import SEEDS_KIND, data_version, open_database, reading, transaction, writing
from ledger.errors import BehindError, ForkError, UsageError
from ledger.view import View
from verifier import Replay
from verifier.chain import MerkleTree
from verifier.checkpoint import SignedCheckpoint, keeper_signed, parse_checkpoint

__all__ = ["SeenStore"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS seen (
    game TEXT PRIMARY KEY, size INTEGER NOT NULL, leaf TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS receipts (
    game TEXT NOT NULL, size INTEGER NOT NULL, root TEXT NOT NULL, note TEXT NOT NULL, leaf TEXT NOT NULL,
    PRIMARY KEY (game, size, root)) STRICT;

CREATE INDEX IF NOT EXISTS receipts_compared ON receipts (game, size) WHERE leaf != '';

CREATE INDEX IF NOT EXISTS receipts_to_compare ON receipts (game, size) WHERE leaf = '';

CREATE TRIGGER IF NOT EXISTS receipts_no_delete BEFORE DELETE ON receipts
BEGIN SELECT RAISE(ABORT, 'receipts are evidence'); END"""


class SeenStore:
    """One party's heads and receipts, of all its games.

    A receipt is compared with a log once: then the leaf hash of its last line is noted, which stands for all lines
    before it, and whatever log is shown later must have that line there.
    """

    def __init__(self, path: Path, name: str) -> None:
        """Open or create. Raises StoreError."""
        self._database = open_database(path, _SCHEMA, kind=SEEDS_KIND, mode=0o600, durable=False)
        self._path = path
        self._name = name
        self._checked: dict[bytes, tuple[Replay, int]] = {}
        """by game: the replay that agreed with everything, and the version of the database then"""

    def close(self) -> None:
        self._database.close()

    def check(self, view: View) -> None:
        """Raises ForkError (BehindError: too short) unless the game as shown extends all that the party saw of it."""
        game, version = view.replay.terms.game, data_version(self._database)
        # A replay only grows: what it once extended it extends, as long as nobody else has written here.
        if self._checked.get(game) == (view.replay, version):
            return
        self._check_head(view)
        self._check_receipts(view)
        self._checked[game] = view.replay, version

    def note(self, view: View) -> None:
        """Remember the head on show, which the party has signed or is about to sign on."""
        game, size = view.replay.terms.game, view.replay.size
        with writing():
            self._database.execute(
                "INSERT INTO seen VALUES (?1, ?2, ?3) ON CONFLICT (game) DO UPDATE SET size = ?2, "
                "leaf = ?3 WHERE size < ?2",
                (game.hex(), size, view.replay.head.hex()),
            )
        if game in self._checked and self._checked[game][0] is not view.replay:
            del self._checked[game]

    def keep(self, receipt: SignedCheckpoint, view: View) -> None:
        """Keep a receipt for good, and compare it with the game as it is shown.

        Raises UsageError where it is not the keeper's for this game (it is not kept then); ForkError, BehindError where
        it contradicts what is shown, and is kept as evidence.
        """
        terms = view.replay.terms
        if receipt.head.game != terms.game:
            raise UsageError(f"this is a receipt of game {receipt.head.game.hex()}, not of {terms.game.hex()}")
        if not keeper_signed(receipt, terms.keys[terms.keeper]):
            raise UsageError(
                f"this receipt has no signature of {terms.keeper}, the keeper, that holds: it is worthless"
            )
        row = (terms.game.hex(), receipt.head.size, receipt.head.root.hex(), bytes(receipt).decode())
        with transaction(self._database):
            self._database.execute("INSERT OR IGNORE INTO receipts VALUES (?, ?, ?, ?, '')", row)
        self._checked.pop(terms.game, None)
        self.check(view)

    def latest(self, game: bytes) -> SignedCheckpoint | None:
        """The receipt for the most events; None where the party holds none."""
        with reading(self._path):
            row = self._database.execute(
                "SELECT note FROM receipts WHERE game = ? ORDER BY size DESC LIMIT 1", (game.hex(),)
            ).fetchone()
        return parse_checkpoint(row[0].encode()) if row else None

    def _check_head(self, view: View) -> None:
        with reading(self._path):
            row = self._database.execute(
                "SELECT size, leaf FROM seen WHERE game = ?", (view.replay.terms.game.hex(),)
            ).fetchone()
        if row is None:
            return
        size, leaf = row
        if view.replay.size < size:
            raise BehindError(
                f"{self._name} has seen {size} events of this game, but this log has {view.replay.size}: its end is "
                f"missing. Get the whole log before {self._name} signs anything."
            )
        if view.leaf(size - 1).hex() != leaf:
            raise ForkError(
                f"this log differs from what {self._name} saw, at event {size - 1} or before: it was forked. "
                f"Keep both versions and ask a judge; {self._name} signs nothing on this one."
            )

    def _check_receipts(self, view: View) -> None:
        game = view.replay.terms.game.hex()
        with reading(self._path):
            last = self._database.execute(
                "SELECT size, leaf FROM receipts WHERE game = ? AND leaf != '' ORDER BY size DESC LIMIT 1", (game,)
            ).fetchone()
            new = self._database.execute(
                "SELECT size, root FROM receipts WHERE game = ? AND leaf = '' ORDER BY size", (game,)
            ).fetchall()
        if last is not None:
            size, leaf = last
            if size > view.replay.size:
                raise self._short(view, size)
            if view.leaf(size - 1).hex() != leaf:
                raise self._fork(view, size)
        # Only on a log that has all of the above: what is compared now stands in one line with it.
        within = [(size, root) for size, root in new if size <= view.replay.size]
        if within:
            self._compare(view, within)
        if len(within) < len(new):
            raise self._short(view, new[-1][0])

    def _compare(self, view: View, receipts: list[tuple[int, str]]) -> None:
        """Note those receipts, size and root, that the log agrees with. Raises ForkError where it contradicts one."""
        roots = _roots(view, {size for size, _ in receipts})
        for size, root in receipts:
            if roots[size].hex() != root:
                raise self._fork(view, size)
        game = view.replay.terms.game.hex()
        with transaction(self._database):
            for size, root in receipts:
                self._database.execute(
                    "UPDATE receipts SET leaf = ? WHERE game = ? AND size = ? AND root = ?",
                    (view.leaf(size - 1).hex(), game, size, root),
                )

    def _short(self, view: View, size: int) -> BehindError:
        return BehindError(
            f"{self._holds(view)} for {size} events of this game, but this log has {view.replay.size}: its end is "
            f"missing. Get the whole log before {self._name} signs anything."
        )

    def _fork(self, view: View, size: int) -> ForkError:
        return ForkError(
            f"{self._holds(view)} for another history of this game, among its first {size} events: it was forked. "
            f"Keep receipt and log and show both to a judge; {self._name} signs nothing on this one."
        )

    def _holds(self, view: View) -> str:
        return f"{self._name} holds a receipt of {view.replay.terms.keeper}, the keeper,"


def _roots(view: View, sizes: set[int]) -> dict[int, bytes]:
    """The roots of the game's first lines, by their number."""
    if sizes == {view.replay.size}:  # the head on show, as with every receipt of an event just made
        return {view.replay.size: view.replay.tree.root()}
    tree, roots = MerkleTree(), {}
    for seq in range(max(sizes)):
        tree.append(view.leaf(seq))
        if tree.size in sizes:
            roots[tree.size] = tree.root()
    return roots
