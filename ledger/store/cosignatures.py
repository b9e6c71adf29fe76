"""The choice of the cosignatures that are stored with a checkpoint (specs/checkpoints.md,
"Cosignatures in a store").
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from verifier import VerifierKey
from verifier.checkpoints.checkpoint import CosignerKey, SignedCheckpoint
from verifier.checkpoints.note import MAX_SIGNATURES, NoteSignature, signed_by
from verifier.checkpoints.policy import WitnessKey
from verifier.log.terms import Terms

__all__ = ["CheckpointUpdate", "merge_cosignatures", "with_own"]


class CheckpointUpdate(NamedTuple):
    """The checkpoint that is stored now, and the number of given lines that were left out."""

    checkpoint: SignedCheckpoint
    unknown: int = 0
    """lines by keys that belong to no witness of the game and were not given by the caller"""
    wrong: int = 0
    """lines by such a key that do not verify"""


def merge_cosignatures(
    given: SignedCheckpoint, stored: SignedCheckpoint | None, terms: Terms, cosigners: Collection[WitnessKey]
) -> CheckpointUpdate:
    """Return the keeper's line and the verified cosignatures of `given`, together with those of `stored`.

    `stored` has the same head. `cosigners` are keys that the caller gives; they win over a key of the game with the
    same name and key id, because 4 bytes of key id can be found by trying. A key whose lines cannot be checked here
    counts as unknown.
    """
    keeper = terms.keys[terms.keeper]
    witnesses = [key for name, key in terms.keys.items() if terms.roles[name] == "witness"]
    own = _by_id(key for key in cosigners if key.can_check)
    known: dict[tuple[str, bytes], WitnessKey | VerifierKey] = {
        **_by_id(CosignerKey(key.name, key.public_bytes) for key in witnesses),
        **own,
        (keeper.name, keeper.key_id): keeper,
    }
    text = given.head.text.encode()
    before = () if stored is None else stored.signatures
    lines: dict[tuple[str, bytes], NoteSignature] = {}
    for line in before:
        key = own.get((line.name, line.key_id))
        if key is None or key.verify(line.signature, text):
            lines[line.name, line.key_id] = line
    unknown = wrong = 0
    for line in given.signatures:
        checked_by = known.get((line.name, line.key_id))
        if line in before:
            continue
        if checked_by is None:
            unknown += 1
        elif not checked_by.verify(line.signature, text):
            wrong += 1
        else:
            lines.setdefault((line.name, line.key_id), line)
    # If there are too many, those of the game's own witnesses are dropped: the keeper chose them, as many as it liked.
    of_game = {each for each in known if each not in own and each != (keeper.name, keeper.key_id)}
    first = sorted(lines, key=lambda each: (each != (keeper.name, keeper.key_id), each in of_game))
    kept = tuple(lines[each] for each in first[:MAX_SIGNATURES])
    return CheckpointUpdate(SignedCheckpoint(given.head, kept), unknown, wrong)


def with_own(checkpoint: SignedCheckpoint, keeper: VerifierKey, own: NoteSignature) -> CheckpointUpdate:
    """Return the checkpoint with a cosignature just made, for the file that it came from.

    The new cosignature always gets a place. Other lines are copied unchecked; `unknown` counts those without a place.
    """
    signed = signed_by(checkpoint.note, keeper)
    assert signed is not None
    ours = {(line.name, line.key_id) for line in (signed, own)}
    others = [line for line in checkpoint.signatures if (line.name, line.key_id) not in ours]
    kept = others[: MAX_SIGNATURES - 2]
    return CheckpointUpdate(SignedCheckpoint(checkpoint.head, (signed, *kept, own)), len(others) - len(kept))


def _by_id(keys: Iterable[WitnessKey]) -> dict[tuple[str, bytes], WitnessKey]:
    return {(key.name, key.key_id): key for key in keys}
