"""What is offered about a roll that all can take back (specs/protocol.md, "Taking a roll back")."""

import pytest

from ledger.analysis.advice import actions_of
from tests.make.taken_back import JUDGED, Table
from verifier import Failure, Replay


def played(w: Table) -> Replay:
    replay = Replay()
    for line in w.lines:
        replay.step(line)
    return replay


def offered_to(w: Table) -> list[str]:
    """Whom the rules offer to take a roll back, as a page and a command get it."""
    replay = played(w)
    return [
        name
        for name in replay.terms.roles
        if any(action["type"] == "strike" for action in actions_of(replay, name, str).actions)
    ]


def taken(w: Table, name: str, roll: int) -> bool:
    """Whether the log takes this party's strike now."""
    replay = played(w)
    try:
        replay.step(_canonical(w, name, roll))
    except Failure as failure:
        return failure.code not in ("state.strike", "author.role")
    return True


def _canonical(w: Table, name: str, roll: int) -> bytes:
    w.strike(roll, name)
    return w.lines.pop()


@pytest.mark.parametrize("roles", [None, JUDGED, {**JUDGED, "timer": "judge", "walt": "witness"}])
def test_it_is_offered_to_just_those_whose_strike_is_taken(roles: dict[str, str] | None) -> None:
    timer = {"judge": "timer"} if roles and "timer" in roles else {}
    w = Table("offers", roles, **timer)
    assert offered_to(w) == []
    number = w.roll()
    agree = [name for name, role in w.roles.items() if role in ("player", "judge") and name != "timer"]
    for done in range(len(agree) + 1):
        assert offered_to(w) == agree[done:], done
        assert [name for name in w.roles if taken(w, name, number)] == agree[done:]
        if done < len(agree):
            w.strike(number, agree[done])
    assert played(w).session.view()["rolls"][-1]["status"] == "struck"


def test_it_is_offered_no_more_when_somebody_played_on() -> None:
    w = Table("played on offers")
    w.strike(w.roll(), "alice")
    assert offered_to(w) == ["bob"]
    w.roll("bob")
    assert offered_to(w) == ["alice", "bob"], "bob's roll, and nobody has said so"
