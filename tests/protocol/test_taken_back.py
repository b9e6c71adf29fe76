"""What is offered about a roll that all can take back (specs/protocol.md, "Taking a roll back")."""

from typing import Any

import msgspec
import pytest

from ledger.analysis.advice import actions_of
from rules import SYSTEMS, Event, Session, Violation
from rules.base import Role
from rules.protocol import Away, Back, Join, Leave, Strike
from tests.make.cases import Case
from tests.make.parts import JUDGED, ROWS, TWO, strike
from tests.make.stories import read
from tests.oracles.reference import AnyDice, Writer
from tests.oracles.test_protocol_games import compare
from verifier import Failure, Replay


class Table(Writer):
    """A game of any dice in which everybody sits, and whose latest roll all can take back."""

    def __init__(self, label: str, roles: dict[str, str] | None = None, **opened: Any):
        super().__init__(f"taken back {label}", dict(roles or TWO))
        terms = {"system": "dice-1", "options": {}, "strike": "all", **opened}
        self.open(**{name: value for name, value in terms.items() if value is not None})
        self.seat_all(40, system=AnyDice)

    def roll(self, name: str = "alice") -> int:
        number = self.request(name, "roll", {"dice": "d20"}, [20])
        self.reveal()
        return number

    def strike(self, roll: int, *names: str) -> int:
        return strike(self, roll, *names)


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
    timer: dict[str, Any] = {"judge": "timer"} if roles and "timer" in roles else {}
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


def test_where_the_terms_do_not_have_it_no_roll_is_held_ready() -> None:
    w = Table("offers none", strike=None)
    w.roll()
    assert offered_to(w) == []
    assert played(w).session.latest is None


def test_nobody_is_offered_it_alone() -> None:
    w = Table("offers alone")
    w.away("bob", "bob")
    w.roll()
    assert offered_to(w) == []
    assert played(w).session.view()["strike"] is None


@pytest.mark.parametrize("case", read(ROWS / "taken_back.toml"), ids=lambda case: case.name)
def test_the_state_is_the_one_that_the_oracle_has(case: Case) -> None:
    compare(case.make()[0].data)


# --- every course of events -------------------------------------------------------------------------------------------

ROLES: dict[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "carol": "player", "dana": "judge"}
MOVES: list[tuple[str, str, Any]] = [
    ("alice", "roll", b'{"dice":"d20"}'),
    ("bob", "roll", b'{"dice":"d6"}'),
    *((name, "strike", None) for name in ("alice", "bob", "carol", "dana")),
    ("alice", "strike", "one before"),
    ("carol", "away", Away("carol")),
    ("carol", "back", Back("carol")),
    ("bob", "leave", Leave("bob")),
    ("dana", "join", Join()),
]


def next_of(session: Session, seq: int, move: tuple[str, str, Any], requests: list[int]) -> Session | None:
    """The session after a move, the reveal of a roll included; None where it is refused."""
    author, kind, body = move
    raw = b""
    if kind == "roll":
        raw, body = body, msgspec.json.decode(body, type=session.system.bodies["roll"])
    elif kind == "strike":
        if not requests:
            return None
        body = Strike(requests[-1] if body is None else requests[-1] - 1)
    event = Event(seq, author, kind, body, raw)
    try:
        session.check_role(author, kind)
        session.check_state(event)
        session = session.apply(event)
    except Violation:
        return None
    if kind == "roll":
        session = session.apply(Event(seq + 1, "host", "reveal", Join()), (1,))
    return session


@pytest.mark.slow
def test_no_course_of_events_takes_back_what_not_all_have_agreed_to() -> None:
    """Each course of up to six moves, and what it takes back: by two or more, its author and all who are there."""
    system = SYSTEMS["dice-1"]
    start = Session.start(system, msgspec.convert({}, system.options), ROLES, strikes=True)
    for name in ("alice", "bob", "carol"):
        moved = next_of(start, 1, (name, "join", Join()), [])
        assert moved is not None
        start = moved
    courses: list[tuple[Session, list[tuple[str, str]]]] = [(start, [])]
    taken_back = 0
    for _ in range(6):
        further: dict[bytes, tuple[Session, list[tuple[str, str]]]] = {}
        for session, course in courses:
            requests = [2 * number for number, (_, kind) in enumerate(course, 1) if kind == "roll"]
            for move in MOVES:
                after = next_of(session, 2 * len(course) + 2, move, requests)
                if after is None:
                    continue
                now = [*course, move[:2]]
                before_struck = statuses(session).count("struck")
                if statuses(after).count("struck") > before_struck:
                    taken_back += 1
                    check_agreed(now)
                key = msgspec.json.encode([after.view(), sorted(after.latest.by) if after.latest else None, now[-5:]])
                further[key] = after, now
        courses = list(further.values())
    assert taken_back > 10


def statuses(session: Session) -> list[str]:
    return [roll["status"] for roll in session.view()["rolls"]]


def check_agreed(course: list[tuple[str, str]]) -> None:
    """The last move took a roll back: nothing came between, and all who are there have said so, told from the moves."""
    last = max(number for number, (_, kind) in enumerate(course) if kind == "roll")
    since = course[last + 1 :]
    assert {kind for _, kind in since} <= {"strike", "join"}, course
    said = {name for name, kind in since if kind == "strike"}
    here = {"alice", "bob", "carol"} | {name for name, kind in course if kind == "join"}
    for name, kind in course:
        here = here - {name} if kind in ("away", "leave") else here | {name} if kind == "back" else here
    assert said == here, course
    assert len(said) > 1, course
    assert course[last][0] in said, course
