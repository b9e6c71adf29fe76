"""A state that is worked out with what was said of rolls before is the one that is worked out anew."""

from pathlib import Path

import pytest

from ledger.analysis.advice import KeptRolls, state_of
from ledger.analysis.advice import _rolls as rolls_told
from rules import SYSTEMS
from rules.base import Violation
from rules.script import ScriptError, read, start, step
from tests.conftest import SPECS
from tests.hostile.bombs import BOMBS
from tests.support.bundles import bundled
from tests.support.scripts import scripts
from verifier import Replay
from verifier.errors import Failure

LOGS = sorted((SPECS / "vectors" / "logs").glob("holds--*.jsonl"))


def follow(log: bytes) -> None:
    """Ask for the state after each event, with and without what was said before."""
    replay = Replay()
    kept: KeptRolls = {}
    for line in log.splitlines():
        try:
            replay.follow(line)
        except Failure:
            break  # an offer, which is the last line
        fresh = state_of(replay, 50, str)
        assert state_of(replay, 50, str, kept) == fresh
        assert list(kept) == [roll.roll for roll in fresh.rolls]
    session = replay.session
    assert {"rolls", *session.system.view_rest(session.game)} == set(session.system.view(session.game))


@bundled("path", LOGS, lambda path: path.stem)
def test_what_was_said_of_rolls_is_kept(path: Path) -> None:
    follow(path.read_bytes())


@pytest.mark.parametrize("name", sorted(BOMBS))
def test_it_is_kept_in_hostile_logs(name: str) -> None:
    follow(BOMBS[name][1](6_000))


@pytest.mark.long
def test_it_is_kept_in_every_script() -> None:
    """Thirty of them differ where the rolls of a system are said to stand alone that do not."""
    for vector in scripts():
        script = read(vector.data)
        session = start(script)
        kept: KeptRolls = {}
        for seq, event in enumerate(script.events, 1):
            try:
                session = step(session, seq, event)
            except (Violation, ScriptError):
                break
            settled, opened = session.system.rolls(session.game)
            latest = [*settled, *opened][-50:]
            assert rolls_told(session, latest, str, kept) == rolls_told(session, latest, str, None), str(vector)


def test_a_roll_that_stands_alone_is_said_once() -> None:
    assert {name for name, system in SYSTEMS.items() if system.rolls_stand_alone} == {"dice-1", "t9a-2022"}
    replay = Replay()
    kept: KeptRolls = {}
    for line in BOMBS["dice-repeated-groups"][1](20_000).splitlines():
        replay.follow(line)
        before = state_of(replay, 50, str, kept)
    again = state_of(replay, 50, str, kept)
    assert before.rolls
    assert all(one is other for one, other in zip(before.rolls, again.rolls, strict=True))
