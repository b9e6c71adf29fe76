"""A witness: cosigns checkpoints that extend what it cosigned, and no others (specs/checkpoints.md, "Witness").

What it cosigned last is on disk before the cosignature leaves; look and record are one transaction.
"""

import os
import time
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

from ledger.database.sqlite import WITNESS_KIND, open_database, reading, transaction
from ledger.errors import StoreError, WitnessError
from ledger.seats.identity import Identity
from ledger.transparency.anchors import anchor_origin
from verifier import NoteError, Replay, VerifierKey
from verifier.checkpoints.checkpoint import ORIGIN_PREFIX, cosign, keeper_signed
from verifier.checkpoints.event_proof import Request, parse_request
from verifier.checkpoints.head import SignedHead, TreeHead, parse_signed_head
from verifier.checkpoints.note import NoteSignature, signed_by
from verifier.event.replay import EventReplay, is_event_line
from verifier.log.merkle import leaf_hash, verify_consistency

__all__ = ["Witness"]


class Witness:
    """One witness with its key and its record of what it cosigned."""

    def __init__(
        self,
        identity: Identity,
        path: Path,
        clock: Callable[[], float] = time.time,
        count: Path | None = None,
    ) -> None:
        """`path`: the witness's own database. `clock` gives seconds since 1970. Raises StoreError.

        `count` is a file elsewhere that says how often it has cosigned: by it a database that was put back is noticed.
        """
        self._identity = identity
        self._count = count
        self._database = open_database(path, "witness", kind=WITNESS_KIND, mode=0o600)
        self._path = path
        self._clock = clock

    @property
    def name(self) -> str:
        """The witness's own."""
        return self._identity.name

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def admit(self, line: bytes, keepers: Iterable[VerifierKey] | None = None) -> bytes:
        """Take a game by its event 0, or an event by its line 0, from which its keeper's key is known for good; its id.

        `keepers`: take it if its keeper is one of them. Raises verifier.Failure where it is none that holds,
        WitnessError where its keeper is none of them, StoreError.
        """
        log, keeper = _log_of(line)
        if keepers is not None and str(keeper) not in map(str, keepers):
            raise WitnessError(f"{self.name} takes no games of {keeper.name} with this key", 403)
        self._know(ORIGIN_PREFIX + log.hex(), keeper)
        return log

    def follow(self, keeper: VerifierKey) -> None:
        """Take the anchor log of a keeper's server: its origin names the key. Raises StoreError."""
        self._know(anchor_origin(keeper), keeper)

    def _know(self, origin: str, keeper: VerifierKey) -> None:
        row = (origin, sha256(origin.encode()).hexdigest(), str(keeper))
        with transaction(self._database):
            self._database.execute("INSERT OR IGNORE INTO logs VALUES (?, ?, ?)", row)

    def held(self, origin: str) -> SignedHead | None:
        """Return the last checkpoint of a log that the witness cosigned, its own line included. Raises StoreError."""
        return self._held("SELECT note FROM cosigned WHERE origin = ?", origin)

    def held_by_hash(self, digest: str) -> SignedHead | None:
        """Return the last cosigned head of the log whose origin has this SHA-256, hex."""
        return self._held("SELECT note FROM cosigned JOIN logs USING (origin) WHERE hash = ?", digest)

    def _held(self, statement: str, value: str) -> SignedHead | None:
        with reading(self._path):
            row = self._database.execute(statement, (value,)).fetchone()
        return parse_signed_head(row[0].encode()) if row else None

    def answer(self, request: bytes) -> NoteSignature:
        """Cosign what a request asks for. Raises WitnessError where it must not, StoreError."""
        try:
            asked = parse_request(request)
        except NoteError as problem:
            raise WitnessError(f"this is no request to a witness: {problem}", 400) from None
        return self.cosign(asked)

    def cosign(self, asked: Request) -> NoteSignature:
        """As `answer`, for a request that was read. The first refusal that shows the keeper's fault is kept."""
        line, number = self._cosign(asked)
        if self._count is not None:
            _write(self._count, number)
        return line

    def _cosign(self, asked: Request) -> tuple[NoteSignature, int]:
        """Return the cosignature, and how many there were."""
        head, origin = asked.checkpoint.head, asked.checkpoint.head.origin
        with transaction(self._database):
            number = self._number()
            keeper = self._keeper(origin)
            if not keeper_signed(asked.checkpoint, keeper):
                raise WitnessError(f"the checkpoint has no signature of {keeper.name}, the keeper, that holds", 403)
            held = self.held(origin)
            size = 0 if held is None else held.head.size
            if asked.old != size:
                raise WitnessError(
                    f"the request goes on from {asked.old} events, but of this log {size} are cosigned: "
                    f"ask again with the proof from {size}",
                    409,
                    held,
                )
            problem = _contradiction(asked, None if held is None else held.head)
            if problem is None:
                self._database.execute("INSERT OR REPLACE INTO counted VALUES (1, ?)", (number + 1,))
                return self._record(asked.checkpoint, keeper), number + 1
            if held is not None and held.head.size == head.size:
                row = (origin, bytes(asked.checkpoint).decode(), bytes(held).decode())
                self._database.execute("INSERT OR IGNORE INTO refused VALUES (?, ?, ?)", row)
        raise WitnessError(problem.format(keeper=keeper.name), 422, held)

    def _number(self) -> int:
        """Return the number of its cosignatures. Raises WitnessError if the database was put back."""
        row = self._database.execute("SELECT number FROM counted").fetchone()
        number: int = row[0] if row else 0
        if self._count is not None and _read(self._count) > number:
            raise WitnessError(
                f"{self._path} was put back: {self.name} has cosigned more than stands there, and cosigns nothing any "
                f"more. Go on under a new name and key",
                503,
            )
        return number

    def _keeper(self, origin: str) -> VerifierKey:
        row = self._database.execute("SELECT keeper FROM logs WHERE origin = ?", (origin,)).fetchone()
        if row is None:
            raise WitnessError(f"{self.name} does not know the log of {origin[:100]!a}: show it the log first", 404)
        return VerifierKey.parse(row[0])

    def _record(self, checkpoint: SignedHead, keeper: VerifierKey) -> NoteSignature:
        """Record the head with the keeper's line and the cosignature, and return the cosignature."""
        head, signed = checkpoint.head, signed_by(checkpoint.note, keeper)
        assert signed is not None
        line = cosign(head, self._identity.cosigner_key, int(self._clock()), self._identity.sign)
        note = bytes(SignedHead(head, (signed, line))).decode()
        self._database.execute(
            "INSERT INTO cosigned VALUES (?1, ?2, ?3) ON CONFLICT (origin) DO UPDATE SET size = ?2, note = ?3",
            (head.origin, head.size, note),
        )
        return line


def _log_of(line: bytes) -> tuple[bytes, VerifierKey]:
    """Return the id and the keeper of a log by its first line. Raises verifier.Failure."""
    if is_event_line(line):
        event = EventReplay()
        event.step(line)
        return leaf_hash(line), event.terms.keeper_key
    replay = Replay()
    replay.step(line)
    terms = replay.terms
    return terms.game, terms.keys[terms.keeper]


def _read(path: Path) -> int:
    try:
        return int(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        return 0
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from None


def _write(path: Path, number: int) -> None:
    """Within one sector, and always as long: all or nothing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb", buffering=0) as file:
            file.write(b"%020d\n" % number)
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}") from None


def _contradiction(asked: Request, held: TreeHead | None) -> str | None:
    """Return why the checkpoint does not follow from the held one (status 422), or None if it does."""
    head = asked.checkpoint.head
    if held is None:
        return None if not asked.hashes else "nothing is cosigned of this log yet, so there is nothing to prove"
    if verify_consistency(held.size, head.size, held.root, head.root, asked.hashes):
        return None
    if held.size == head.size and held.root != head.root:
        return (
            "{keeper}, the keeper, signed two histories of this log: another root for "
            f"{head.size} events is cosigned already. Keep both checkpoints and ask a judge"
        )
    return (
        "the checkpoint does not extend what is cosigned, or its proof is wrong. If no right proof can be made of the "
        "log, {keeper}, the keeper, signed two histories of this log"
    )
