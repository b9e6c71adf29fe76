"""The settled rolls that a state keeps (specs/rules.md, "State"; specs/README.md, "Bounds"), against a plain list."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.base import keep
from rules.data.bounds import HISTORY, HISTORY_DICE, HISTORY_LOAD
from rules.history import BLOCK, History, find_roll, keep_roll, replace_roll
from rules.systems.anydice.state import Die, Roll


def roll(number: int, dice: int, load: int = 0) -> Roll:
    shown = tuple(Die(die, 6, (1,), 1) for die in range(1, dice + 1))
    return Roll(number, "alice", "a test", f"{dice}d6", "resolved", shown, load=load)


def fits(rolls: list[Roll]) -> bool:
    return sum(len(one.dice) for one in rolls) <= HISTORY_DICE and sum(one.load for one in rolls) <= HISTORY_LOAD


def kept(rolls: list[Roll]) -> list[Roll]:
    """By the words of the specification."""
    rolls = rolls[-HISTORY:]
    while len(rolls) > 1 and not fits(rolls):
        rolls = rolls[1:]
    return rolls


dice = st.lists(st.sampled_from((0, 1, 2, 400, 1000)), max_size=3 * BLOCK)


@given(dice)
def test_the_latest_are_kept(counts: list[int]) -> None:
    history, plain = History[Roll](), list[Roll]()
    for number, count in enumerate(counts):
        one = roll(number, count)
        before, history, plain = history, keep_roll(history, one), kept([*plain, one])
        assert list(history) == plain
        assert len(history) == len(plain)
        assert history.not_in(before) == [one]
        assert find_roll(history, None, number) is one


def test_at_most_so_many_are_kept() -> None:
    history = History[Roll]()
    for number in range(HISTORY + 3 * BLOCK):
        history = keep_roll(history, roll(number, 1))
    assert [one.roll for one in history] == list(range(3 * BLOCK, HISTORY + 3 * BLOCK))
    assert find_roll(history, None, 3 * BLOCK - 1) is None


def test_what_a_history_from_further_back_does_not_have() -> None:
    rolls = [roll(number, 1) for number in range(2 * BLOCK + 2)]
    histories = [History[Roll]()]
    for one in rolls:
        histories.append(keep_roll(histories[-1], one))
    for size, now in enumerate(histories):
        for before in range(size + 1):
            assert now.not_in(histories[before]) == rolls[before:size]


def test_a_list_of_any_kind_keeps_as_many() -> None:
    history = tuple(range(HISTORY))
    assert keep(history[:-1], -1) == (*history[:-1], -1)
    assert keep(history, -1) == (*history[1:], -1)


def test_as_many_dice_as_the_bound_are_kept() -> None:
    history = History[Roll]()
    for number in range(HISTORY_DICE // 1000):
        history = keep_roll(history, roll(number, 1000))
    assert len(history) == HISTORY_DICE // 1000
    assert [one.roll for one in keep_roll(history, roll(10, 1))] == list(range(1, 11))


def test_as_much_load_as_the_bound_is_kept() -> None:
    history = keep_roll(keep_roll(History[Roll](), roll(1, 1, 1)), roll(2, 1, HISTORY_LOAD - 1))
    assert [one.roll for one in history] == [1, 2]
    assert [one.roll for one in keep_roll(history, roll(3, 1, 1))] == [2, 3]


@pytest.mark.parametrize(("dice", "load"), [(HISTORY_DICE + 1, 0), (1, HISTORY_LOAD + 1)])
def test_the_latest_is_kept_always_and_nothing_beside_it_where_it_is_too_much(dice: int, load: int) -> None:
    history = keep_roll(keep_roll(History[Roll](), roll(1, 1)), roll(2, dice, load))
    assert [one.roll for one in history] == [2]


@pytest.mark.parametrize("seed", range(4))
def test_a_long_game_keeps_what_the_words_of_the_specification_keep(seed: int) -> None:
    random, history, plain = Random(seed), History[Roll](), list[Roll]()
    for number in range(200):
        one = roll(number, random.choice((0, 1, 300, 1000)), random.choice((0, 1, 100_000, 300_000)))
        history, plain = keep_roll(history, one), kept([*plain, one])
        if random.random() < 0.3:
            old, new = plain[-1], roll(number, random.choice((0, 1000)), random.choice((0, 1, 500_000)))
            history, plain[-1] = replace_roll(history, old, new), new
        assert list(history) == plain or not fits(plain)
        plain = list(history)


@given(dice.filter(bool), st.data())
def test_one_is_replaced_by_identity(counts: list[int], data: st.DataObject) -> None:
    history = History[Roll]()
    for number, count in enumerate(counts):
        history = keep_roll(history, roll(number, count))
    plain = list(history)
    place = data.draw(st.integers(0, len(plain) - 1))
    new = roll(plain[place].roll, 3)
    changed = replace_roll(history, plain[place], new)
    assert list(changed) == [*plain[:place], new, *plain[place + 1 :]]
    assert changed.not_in(history) == [new]
    assert changed != history
    after = keep_roll(changed, roll(len(counts), 1000))
    assert list(after) == kept([*changed, roll(len(counts), 1000)])
