"""A program that is struck: a host and its players in one process. It tells what was acknowledged as soon as it is."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ledger.keeper.operations import Acceptance, HandIn, OpeningOutcome, Operation, Outcome
from ledger.seats.identity import Identity
from rules.systems.mtg.bodies import Options, ResolveBody, RollBody
from tests.support.hosted import Hosted
from tests.support.table import SYSTEM, identity_from, private_bytes

__all__ = ["PROGRAM", "Telling", "main", "prepare", "roll_everywhere"]

PROGRAM = "from tests.support.hosted_child import main; main()"
GAMES = 3
ROLL = RollBody(source="Delina", dice="1d20", use="attack")


class Telling(Hosted):
    """Prints `line GAME SEQ LEAF` and `opening GAME REQUEST AUTHOR`."""

    def process(self, *operations: Operation) -> tuple[Outcome, ...]:
        outcomes = super().process(*operations)
        told = []
        for operation, outcome in zip(operations, outcomes, strict=True):
            match operation, outcome:
                case _, Acceptance(receipt):
                    told.append(f"line {receipt.game} {receipt.seq} {receipt.leaf}")
                case HandIn(sent), OpeningOutcome():
                    told.append(f"opening {sent.game} {sent.request} {sent.opening.author}")
        os.write(1, "".join(f"{line}\n" for line in told).encode())
        return outcomes


def prepare(folder: Path) -> None:
    """Games in which everybody has joined and committed, and all keys beside them."""
    folder.mkdir()
    hosted = Hosted(folder)
    hosted.process(*(hosted.terms(SYSTEM, Options(planechase=False), title=str(n)) for n in range(GAMES)))
    hosted.settle()
    hosted.close()
    keys = {name: private_bytes(identity).hex() for name, identity in hosted.identities.items()}
    (folder / "keys.json").write_text(json.dumps(keys))


def identities(folder: Path) -> dict[str, Identity]:
    keys = json.loads((folder / "keys.json").read_text())
    return {name: identity_from(name, bytes.fromhex(secret)) for name, secret in keys.items()}


def opened(folder: Path) -> Telling:
    """All programs start again, the keeper's first."""
    hosted = Telling(folder, identities=identities(folder))
    hosted.host.resume()
    hosted.hear_all()
    return hosted


def roll_everywhere(hosted: Hosted) -> None:
    """A roll in each game, whatever waits there done before; in the end it is resolved."""
    hosted.settle()
    resolve(hosted)
    hosted.process(*(clients["alice"].act("roll", ROLL) for clients in hosted.clients.values()))
    hosted.settle()
    resolve(hosted)


def resolve(hosted: Hosted) -> None:
    """The rolls that are open."""
    operations = []
    for clients in hosted.clients.values():
        session = clients["alice"].view.replay.session
        operations += [
            clients["alice"].act("resolve", ResolveBody(roll=roll.roll))
            for roll in session.system.rolls(session.game)[1]
        ]
    hosted.process(*operations)


def main(arguments: Sequence[str] = ()) -> None:
    """Play in the folder that is named."""
    hosted = opened(Path((arguments or sys.argv[1:])[0]))
    roll_everywhere(hosted)
    hosted.close()
