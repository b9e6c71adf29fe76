"""What a hint suggests works as it is typed, in every state and for the party that it names."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

import rules
from ledger.cli.hints import hints
from ledger.cli.suggestions import suggest
from rules import Session, Violation
from rules.actions import Action, Free, Records, fits
from rules.offered import offered
from rules.protocol import REQUESTS
from rules.script import ScriptEvent, step
from tests import highroll
from tests.support.actions import without_claims
from tests.support.cli_typed import Typed, Typist
from tests.support.sessions import scripts_of, sessions

ROLES: dict[str, rules.Role] = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"}
STATES = 60
"""of each system's scripts that are looked at"""
SYSTEMS = [highroll.HighRoll.id, *rules.SYSTEMS]


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rules._HOMES, highroll.HighRoll.id, "tests.highroll:HighRoll")


def free_clauses(action: Action) -> set[str]:
    """Clauses under which a field that people fill in freely can be refused."""
    fields = [*action.fields]
    found: set[str] = set()
    while fields:
        domain = fields.pop().domain
        if isinstance(domain, Free):
            found |= set(domain.clauses)
        elif isinstance(domain, Records):
            fields += domain.fields
    return found


def typed_and_taken(typist: Typist, party: str, action: Action, arguments: tuple[str, ...]) -> Typed | None:
    """What a suggested command writes; None where a rule refuses the example for what people write themselves."""
    typed = typist(*arguments)
    assert (typed.party, typed.type) == (party, action.type), arguments
    if typed.type in typist.session.system.bodies:
        told = without_claims(typist.session, typed.type, typed.body)
        assert fits(action, told), (arguments, typed, action)
    try:
        typist.take(typed)
    except Violation as violation:
        refused = violation
    else:
        return typed
    assert refused.clause in free_clauses(action), (arguments, typed, str(refused))
    return None


def shown(session: Session, seq: int, typed: Typed, random: Random) -> Session:
    """The session after the event, with dice if it asks for some."""
    line = ScriptEvent(typed.party, typed.type, msgspec.Raw(msgspec.json.encode(typed.body)))
    after = step(session, seq, line)
    if typed.type not in REQUESTS:
        return after
    naturals: list[int] = []
    while len(sides := after.sides_drawn(tuple(naturals))) > len(naturals):
        naturals += [random.randint(1, n) for n in sides[len(naturals) :]]
    return step(session, seq, msgspec.structs.replace(line, naturals=tuple(naturals)))


def roles_of(system: rules.System[object]) -> dict[str, rules.Role]:
    return ROLES | ({"gina": "gm"} if "gm" in system.roles else {})


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_played_by_typing_what_is_suggested(system: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random, tried = Random(f"{system} {seed}"), Counter[str]()
    found = rules.SYSTEMS[system]
    options = msgspec.convert(dict.fromkeys(found.options.__struct_fields__, True), found.options)
    session = Session.start(found, options, roles_of(found))
    for seq in range(1, 40):
        typist = Typist(session, seq, monkeypatch)
        offers = [(name, action) for name in session.parties.roles for action in offered(session, name, seq)]
        rare = ("leave", "away", "ruling")
        due = [each for each in offers if each[1].due]
        if not offers:  # everybody has left
            break
        party, action = random.choice(due if due and random.random() < 0.7 else offers)
        if action.type in rare and random.random() < 0.9:
            continue
        arguments = tuple(suggest(found, offered(session, party, seq), action, "GAME", party))
        if action.type == "ruling":
            continue
        typed = typed_and_taken(typist, party, action, arguments)
        if typed is not None:
            session = shown(session, seq, typed, random)
            tried[action.label.template] += 1
    assert len(tried) > 3, tried


def states_of_scripts(system: str) -> Iterator[tuple[Session, int]]:
    """Every state of the system's scripts: the session, and the number of the next event."""
    for script in scripts_of(system):
        yield from ((stepped.session, stepped.seq + 1) for stepped in sessions(script))


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS[1:])
def test_every_hint_works_as_typed(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    random, tried = Random(system), 0
    states = list(states_of_scripts(system))
    for session, seq in random.sample(states, min(STATES, len(states))):
        typist = Typist(session, seq, monkeypatch)
        for hint in hints(session, seq, "GAME"):
            typed_and_taken(typist, hint.party, hint.action, hint.arguments)
            tried += 1
        waits = session.waits_for()
        if waits is not None and session.phase == "idle":
            assert any(hint.party == waits.party for hint in hints(session, seq, "GAME"))
    never = all(session.waits_for() is None for session, _ in states if session.phase == "idle")
    assert tried > STATES / 4 or never


def test_a_roll_that_stands_is_not_asked_to_be_settled() -> None:
    session = Session.start(highroll.HighRoll(), highroll.Options(), ROLES)
    session = session.with_joined(ROLES)
    roll = ScriptEvent("alice", "roll", msgspec.Raw(b'{"dice":"2d6"}'), (1, 2))
    again = ScriptEvent("alice", "reroll", msgspec.Raw(b'{"roll":1,"dice":[1]}'), (5,))
    session = step(session, 1, roll)
    assert [hint.arguments[:2] for hint in hints(session, 3, "GAME")] == [
        ("highroll", "reroll"),
        ("highroll", "resolve"),
    ]
    assert hints(step(session, 3, again), 5, "GAME") == []


def test_an_owed_request_is_suggested_as_the_command_that_it_was() -> None:
    session = Session.start(highroll.HighRoll(), highroll.Options(), ROLES)
    session = session.with_joined(ROLES)
    session = step(session, 1, ScriptEvent("alice", "roll", msgspec.Raw(b'{"dice":"2d6"}')))
    session = step(session, 2, ScriptEvent("alice", "void", msgspec.Raw(b"{}")))
    (hint,) = hints(session, 4, "GAME")
    assert hint.arguments == ("roll", "GAME", "--as", "alice")
