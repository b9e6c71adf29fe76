"""A witness: cosigns checkpoints that extend what it cosigned, and no others (specs/checkpoints.md, "Witness").

What it cosigned last is on disk before the cosignature leaves; look and record are one transaction.
"""

import time
from collections.abc import Callable
from pathlib import Path

from ledger.database import WITNESS_KIND, append_only, open_database, reading, transaction
from ledger.errors import WitnessError
from ledger.identity import Identity
from verifier import NoteError, Replay, VerifierKey
from verifier.checkpoints.checkpoint import Checkpoint, SignedCheckpoint, cosign, keeper_signed, parse_checkpoint
from verifier.checkpoints.event_proof import Request, parse_request
from verifier.checkpoints.note import NoteSignature, signed_by
from verifier.merkle import verify_consistency

__all__ = ["Witness"]

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS games (
    game TEXT PRIMARY KEY, keeper TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS cosigned (
    game TEXT PRIMARY KEY REFERENCES games (game), size INTEGER NOT NULL, note TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS refused (
    game TEXT PRIMARY KEY REFERENCES games (game), note TEXT NOT NULL, held TEXT NOT NULL) STRICT;

{append_only("games")};

{append_only("refused")};

CREATE TRIGGER IF NOT EXISTS cosigned_no_delete BEFORE DELETE ON cosigned
BEGIN SELECT RAISE(ABORT, 'a witness does not forget'); END;

CREATE TRIGGER IF NOT EXISTS cosigned_no_rollback BEFORE UPDATE ON cosigned WHEN new.size < old.size
BEGIN SELECT RAISE(ABORT, 'a witness does not go back'); END"""


class Witness:
    """One witness with its key and its record of what it cosigned."""

    def __init__(self, identity: Identity, path: Path, clock: Callable[[], float] = time.time) -> None:
        """`path`: the witness's own database. `clock` gives seconds since 1970. Raises StoreError."""
        self._identity = identity
        self._database = open_database(path, _SCHEMA, kind=WITNESS_KIND, mode=0o600)
        self._path = path
        self._clock = clock

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def admit(self, line: bytes) -> bytes:
        """Take a game by its event 0, from which its keeper's key is known for good; returns the game's id.

        Raises verifier.Failure where it is none that holds, StoreError.
        """
        replay = Replay()
        replay.step(line)
        terms = replay.terms
        row = (terms.game.hex(), str(terms.keys[terms.keeper]))
        with transaction(self._database):
            self._database.execute("INSERT OR IGNORE INTO games VALUES (?, ?)", row)
        return terms.game

    def held(self, game: bytes) -> SignedCheckpoint | None:
        """What the witness cosigned last of a game, its own line included; None where nothing."""
        with reading(self._path):
            row = self._database.execute("SELECT note FROM cosigned WHERE game = ?", (game.hex(),)).fetchone()
        return parse_checkpoint(row[0].encode()) if row else None

    def answer(self, request: bytes) -> NoteSignature:
        """Cosign what a request asks for. Raises WitnessError where it must not, StoreError."""
        try:
            asked = parse_request(request)
        except NoteError as problem:
            raise WitnessError(f"this is no request to a witness: {problem}", 400) from None
        return self.cosign(asked)

    def cosign(self, asked: Request) -> NoteSignature:
        """As `answer`, for a request that was read. The first refusal that shows the keeper's fault is kept."""
        head, game = asked.checkpoint.head, asked.checkpoint.head.game.hex()
        with transaction(self._database):
            keeper = self._keeper(game)
            if not keeper_signed(asked.checkpoint, keeper):
                raise WitnessError(f"the checkpoint has no signature of {keeper.name}, the keeper, that holds", 403)
            held = self.held(head.game)
            size = 0 if held is None else held.head.size
            if asked.old != size:
                raise WitnessError(
                    f"the request goes on from {asked.old} events, but of this game {size} are cosigned: "
                    f"ask again with the proof from {size}",
                    409,
                    held,
                )
            problem = _contradiction(asked, None if held is None else held.head)
            if problem is None:
                return self._record(asked.checkpoint, keeper)
            if held is not None and held.head.size == head.size:
                row = (game, bytes(asked.checkpoint).decode(), bytes(held).decode())
                self._database.execute("INSERT OR IGNORE INTO refused VALUES (?, ?, ?)", row)
        raise WitnessError(problem.format(keeper=keeper.name), 422, held)

    def _keeper(self, game: str) -> VerifierKey:
        row = self._database.execute("SELECT keeper FROM games WHERE game = ?", (game,)).fetchone()
        if row is None:
            raise WitnessError(f"{self._identity.name} does not know game {game}: show it the log first", 404)
        return VerifierKey.parse(row[0])

    def _record(self, checkpoint: SignedCheckpoint, keeper: VerifierKey) -> NoteSignature:
        """The cosignature, when what it is about is noted: the head, with the keeper's line and this one."""
        head, signed = checkpoint.head, signed_by(checkpoint.note, keeper)
        assert signed is not None
        line = cosign(head, self._identity.cosigner_key, int(self._clock()), self._identity.sign)
        note = bytes(SignedCheckpoint(head, (signed, line))).decode()
        self._database.execute(
            "INSERT INTO cosigned VALUES (?1, ?2, ?3) ON CONFLICT (game) DO UPDATE SET size = ?2, note = ?3",
            (head.game.hex(), head.size, note),
        )
        return line


def _contradiction(asked: Request, held: Checkpoint | None) -> str | None:
    """Why the checkpoint does not follow from the one that is held (status 422)."""
    head = asked.checkpoint.head
    if held is None:
        return None if not asked.hashes else "nothing is cosigned of this game yet, so there is nothing to prove"
    if verify_consistency(held.size, head.size, held.root, head.root, asked.hashes):
        return None
    if held.size == head.size and held.root != head.root:
        return (
            "{keeper}, the keeper, signed two histories of this game: another root for "
            f"{head.size} events is cosigned already. Keep both checkpoints and ask a judge"
        )
    return (
        "the checkpoint does not extend what is cosigned, or its proof is wrong. If no right proof can be made of the "
        "log, {keeper}, the keeper, signed two histories of this game"
    )
