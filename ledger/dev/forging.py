"""The key of a real server's keeper, in a cheater's hands."""

import json
from collections.abc import Sequence
from typing import Any

from ledger.seats.identity import Identity
from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint
from verifier.dice.derivation import received_message
from verifier.log.merkle import leaf_hash, root_of
from verifier.log.plainjson import encode
from verifier.opening import ReceivedOpening

__all__ = ["ForgingKeeper", "signed_line"]


def signed_line(identity: Identity, event: dict[str, Any]) -> bytes:
    """Return an event as its author signs it, whatever it says."""
    unsigned = {name: value for name, value in event.items() if name != "sig"}
    sig = identity.sign(b"rollproof/v1/event\n" + encode(unsigned)).hex()
    return encode({**unsigned, "sig": sig})


class ForgingKeeper:
    """Signs as the keeper what no keeper would."""

    def __init__(self, identity: Identity) -> None:
        self.identity = identity

    def line(self, event: dict[str, Any]) -> bytes:
        """Return an event of the keeper's, signed."""
        return signed_line(self.identity, event)

    def note(self, game: str, lines: Sequence[bytes]) -> str:
        """A checkpoint of some lines."""
        head = Checkpoint(bytes.fromhex(game), len(lines), root_of([leaf_hash(line) for line in lines]))
        return bytes(sign_checkpoint(head, self.identity.key, self.identity.sign)).decode()

    def checkpoint(self, game: str, lines: Sequence[bytes]) -> bytes:
        """Return a checkpoint of some lines, as an event of a stream has it."""
        return json.dumps({"checkpoint": self.note(game, lines)}).encode()

    def received(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Return a receipt for an opening, as it travels."""
        opening = sent["opening"]
        message = received_message(
            bytes.fromhex(sent["game"]),
            bytes.fromhex(sent["request"]),
            opening["author"],
            opening["index"],
            bytes.fromhex(opening["link"]),
        )
        receipt = ReceivedOpening(
            author=opening["author"],
            format="rollproof/received/v1",
            game=sent["game"],
            index=opening["index"],
            link=opening["link"],
            receiver=self.identity.name,
            request=sent["request"],
            sig=self.identity.sign(message).hex(),
        )
        found: dict[str, Any] = json.loads(bytes(receipt))
        return found
