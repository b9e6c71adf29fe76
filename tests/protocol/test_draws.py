"""Dice that depend on dice, and game masters who roll (specs/dice.md, "Dice from the seed"; specs/protocol.md).

No system of this project has either yet, so the small one of tests/highroll plays.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

import rules
from ledger.errors import RefusedError
from rules import Role
from rules.data.bounds import MAX_DICE
from tests import highroll
from tests.highroll import HighRoll
from tests.oracles import reference
from tests.support.table import Forger, Table, error_in, joined, opening_of, report_on, reveal_body, seed_of
from verifier import verify
from verifier.dice.derivation import draw

MakeTable = Callable[..., Table]
ROLES: Mapping[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "gail": "gm", "dana": "judge"}


class PlayersAlone(HighRoll):
    """High Roll whose game masters do not roll."""

    id = "highroll-players"
    rollers: frozenset[Role] = frozenset({"player"})


@pytest.fixture
def make_high_roll(make_table: MakeTable, monkeypatch: pytest.MonkeyPatch) -> MakeTable:
    """Tables at which High Roll is played."""

    def make(system: type[HighRoll] = HighRoll, **terms: Any) -> Table:
        monkeypatch.setitem(rules._HOMES, system.id, f"{system.__module__}:{system.__name__}")
        monkeypatch.setattr("tests.support.table.SYSTEM", system.id)
        monkeypatch.setattr("tests.support.table.Options", lambda planechase: highroll.Options())
        return make_table(**({"roles": ROLES} | terms)).begin(8)

    return make


@pytest.fixture
def table(make_high_roll: MakeTable) -> Table:
    return make_high_roll()


def exploding(first: int, sides: int) -> Callable[[list[int]], list[int]]:
    """What comes after some naturals, for the oracle: told from all of them anew each time."""

    def further(naturals: list[int]) -> list[int]:
        drawn, more = 0, first
        while drawn < len(naturals):
            drawn, more = drawn + more, sum(n == sides for n in naturals[drawn : drawn + more])
        return [sides] * more

    return further


def body_of(table: Table, seq: int) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(table.lines[seq])["body"]
    return body


def oracles(seed: bytes, first: int, sides: int) -> list[int]:
    return reference.naturals_of(seed, [sides] * first, exploding(first, sides))


def test_a_reveal_lists_all_dice_that_were_drawn(table: Table) -> None:
    table.act("alice", "roll", {"dice": "200d6!"})
    table.hand_in_all()
    expected = oracles(
        seed_of(table.view.replay, [opening_of(table, name) for name in ROLES if name != "dana"]), 200, 6
    )
    table.reveal()
    shown = body_of(table, -1)
    assert (shown["naturals"], shown["sides"]) == (expected, [6] * len(expected))
    assert len(expected) == 200 + expected.count(6) > 200
    seq = len(table.lines) - 2
    table.act("alice", "resolve", {"roll": seq, "total": sum(expected)})
    report = report_on(table.lines)
    assert report.verdict == "holds"
    assert report.state is not None
    assert [die["naturals"] for die in report.state["rolls"][-1]["dice"]] == [[natural] for natural in expected]


def test_a_die_too_many_or_too_few_is_found_by_who_knows_the_rules(table: Table) -> None:
    """The naturals are right for the sides that stand there, so the dice themselves are fair; there are not enough."""
    host = Forger(table.identities["host"])
    table.act("alice", "roll", {"dice": "200d6!"})
    openings = [opening_of(table, name) for name in ROLES if name != "dana"]
    seed, right = seed_of(table.view.replay, openings), reveal_body(table.view.replay, openings)
    count = len(right["sides"])
    for sides in ([6] * 200, [6] * (count - 1), [6] * (count + 1), [6] * (count - 1) + [7], [7] + [6] * (count - 1)):
        naturals = list(draw(seed, tuple(sides)))
        wrong = host.event(table.lines, "reveal", right | {"naturals": naturals, "sides": sides})
        with pytest.raises(RefusedError) as caught:
            table.ledger.append(table.game, wrong)
        assert caught.value.code == "reveal.sides"
        error = error_in([*table.lines, wrong])
        assert (error.code, error.step, error.fault) == ("reveal.sides", 23, "host")
    # Wrong naturals come first, whatever the sides.
    for sides, naturals in (([6] * 200, [6] * 200), (right["sides"], [*right["naturals"][:-1], 6])):
        wrong = host.event(table.lines, "reveal", right | {"naturals": naturals, "sides": sides})
        error = error_in([*table.lines, wrong])
        assert (error.code, error.step, error.fault) == ("reveal.naturals", 22, "host")
    table.ledger.append(table.game, host.event(table.lines, "reveal", right))


@pytest.mark.parametrize("first", [1, 300, 999, 1000])
def test_dice_that_explode_always_end_at_the_bound(table: Table, first: int) -> None:
    """A die of one side shows its highest number each time; of the dice asked for at once those beyond are left out."""
    seq = table.request("alice", "roll", {"dice": f"{first}d1!"})
    shown = body_of(table, seq + 1)
    assert shown["sides"] == shown["naturals"] == [1] * MAX_DICE
    report = report_on(table.lines)
    assert report.verdict == "holds"
    for count in (MAX_DICE - 1, MAX_DICE + 1):
        wrong = Forger(table.identities["host"]).event(
            table.lines[: seq + 1], "reveal", shown | {"naturals": [1] * count, "sides": [1] * count}
        )
        code = "reveal.sides" if count < MAX_DICE else "body.malformed"
        assert error_in([*table.lines[: seq + 1], wrong]).code == code


def test_rerolled_dice_of_an_exploding_roll_do_not_explode(table: Table) -> None:
    seq = table.request("alice", "roll", {"dice": "2d1!"})
    table.request("alice", "reroll", {"roll": seq, "dice": [1, 1000]})
    assert body_of(table, -1)["sides"] == [1, 1]
    assert report_on(table.lines).verdict == "holds"


def test_a_voided_exploding_roll_shows_what_it_would_have_shown(table: Table) -> None:
    table.act("alice", "roll", {"dice": "200d6!"})
    expected = oracles(
        seed_of(table.view.replay, [opening_of(table, name) for name in ROLES if name != "dana"]), 200, 6
    )
    request = len(table.lines) - 1
    table.hand_in("bob", "gail")
    table.void("dana")
    (roll,) = table.view.replay.voided
    assert (roll.hidden_by, roll.naturals) == (("alice",), ())
    assert "roll.hidden" in [finding.code for finding in report_on(table.lines).findings]
    # Alice gives her link away when she leaves; the game as it stood at the request says which dice came next.
    table.ledger.append(table.game, table.seats["alice"].leave(table.view, "alice"))
    report, replay = verify(joined(table.lines))
    assert report.verdict == "holds"
    assert replay is not None
    (roll,) = replay.voided
    assert (roll.pending.seq, list(roll.naturals), list(roll.sides)) == (request, expected, [6] * len(expected))
    assert len(expected) > 200
    assert "roll.hidden" not in [finding.code for finding in report.findings]


def test_what_a_link_shows_of_voided_rolls_that_are_kept_no_more_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player has voided more rolls than are kept, and then opens: all its earlier links come out."""
    monkeypatch.setattr("verifier.dice.voided.HISTORY", 2)
    w = reference.Writer("voided again and again", {"host": "keeper", "alice": "player", "bob": "player"})
    w.open(system="dice-1", options={})
    w.seat_all(length=9)
    requests = []
    for _ in range(4):
        requests.append(w.request("alice", "roll", {"dice": "d20"}, [20]))
        w.call_off("alice")
    report, replay = verify(w.data)
    assert replay is not None
    assert [roll.naturals for roll in replay.voided] == [(), ()]
    w.request("alice", "roll", {"dice": "d20"}, [20])
    w.reveal()
    report, replay = verify(w.data)
    assert report.verdict == "holds"
    assert replay is not None
    assert [(roll.pending.seq, len(roll.naturals)) for roll in replay.voided] == [(seq, 1) for seq in requests[-2:]]


# --- game masters --------------------------------------------------------------------------------------------------


def test_a_game_master_rolls_where_its_system_lets_it(make_high_roll: MakeTable) -> None:
    table = make_high_roll(contributors="roller")
    replay = table.view.replay
    assert [name for name in ROLES if replay.terms.may_contribute(name)] == ["host", "alice", "bob", "gail"]
    assert set(replay.chains) == {"host", "alice", "bob", "gail"}, "a roller may commit"
    table.act("gail", "roll", {"dice": "d6!"})
    pending = table.view.replay.pending
    assert pending is not None
    assert (pending.contributors, pending.closer) == (("host", "gail"), "gail")
    table.hand_in_all()
    table.reveal()
    seq = pending.seq
    table.act("gail", "resolve", {"roll": seq})
    report = report_on(table.lines)
    assert report.verdict == "holds"
    assert "unless ALL of host and gail worked together" in report.trust
    assert "alice and bob had no part in these dice" in report.trust


def test_a_game_master_calls_its_own_roll_off_and_owes_it(make_high_roll: MakeTable) -> None:
    table = make_high_roll(contributors="roller")
    table.act("gail", "roll", {"dice": "d6!"})
    table.void("gail")
    assert table.state["owes"] == {"gail": len(table.lines) - 3}
    with pytest.raises(RefusedError) as caught:
        table.act("gail", "roll", {"dice": "d6"})
    assert caught.value.code == "state.owed"
    table.request("gail", "roll", {"dice": "d6!"})
    assert report_on(table.lines).verdict == "holds"


@pytest.mark.parametrize("contributors", ["all", "roller"])
def test_a_game_master_does_not_roll_where_its_system_does_not_let_it(
    make_high_roll: MakeTable, contributors: str
) -> None:
    table = make_high_roll(PlayersAlone, contributors=contributors)
    gail = Forger(table.identities["gail"])
    assert ("gail" in table.view.replay.chains) == (contributors == "all")
    for kind, body in (("roll", {"dice": "d6"}), ("reroll", {"roll": 1, "dice": [1]})):
        line = gail.event(table.lines, kind, body)
        with pytest.raises(RefusedError) as caught:
            table.ledger.append(table.game, line)
        assert caught.value.code == "author.role"
        error = error_in([*table.lines, line])
        assert (error.code, error.step, error.fault) == ("author.role", 13, "gail")
    if contributors == "roller":
        commit = gail.event(table.lines, "commit", {"length": 2, "tip": "00" * 32})
        assert error_in([*table.lines, commit]).code == "commit.not-contributor"
