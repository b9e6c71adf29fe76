"""The trial of two machines tells what it is to tell; the trial itself is slow."""

import asyncio
import os
from base64 import b64encode

import pytest

from ledger.seats.identity import Identity
from tests.bench.hosts_trial import Table, checked, trial
from tests.bench.posting import Game
from tests.bench.scribe import game
from tests.support.postgres import programs
from verifier.checkpoints.note import signature_line
from verifier.log.merkle import MerkleTree, leaf_hash


def note(id_: bytes, lines: list[bytes]) -> str:
    """A checkpoint over these lines, by anybody."""
    tree = MerkleTree()
    for line in lines:
        tree.append(leaf_hash(line))
    text = f"rollproof/v1/{id_.hex()}\n{len(lines)}\n{b64encode(tree.root()).decode()}\n"
    anybody = Identity.generate("host")
    return f"{text}\n{signature_line(anybody.key, anybody.sign(text.encode())).line}"


def test_lines_that_are_lost_logs_that_break_and_what_was_signed_twice_are_told() -> None:
    log, *_ = game(40)
    lines = log.splitlines()
    id_ = leaf_hash(lines[0])
    table = Table(Game([], id_, id_, len(lines), leaf_hash(lines[-1]), ""), [], 0, asyncio.Event(), 0.0)
    table.taken = {7: leaf_hash(lines[7])}
    table.notes = {note(id_, lines[:9])}
    assert checked(table, log) == (0, False, 0)
    table.taken[9] = leaf_hash(lines[7])
    table.taken[len(lines)] = leaf_hash(lines[7])
    table.notes |= {note(id_, [*lines[:8], lines[0]]), note(id_, [*lines, lines[0]])}
    assert checked(table, log) == (2, False, 2)
    assert checked(table, log.replace(b'"type":"reveal"', b'"type":"revealed"', 1))[1]


@pytest.mark.slow
@pytest.mark.skipif(programs() is None or os.getuid() != 0, reason="needs PostgreSQL, and network namespaces")
def test_a_short_trial_holds() -> None:
    found = trial(4, 4, 0.0)
    assert found.holds, found.told
    assert found.rolls > 20
