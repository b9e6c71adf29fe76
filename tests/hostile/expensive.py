"""A search for logs that cost much (targeted property tests, one for each system).

A game is made from what is offered, with much of everything: dice, entries of lists, text; an event may be brought
again and again, a request voided. What is aimed at is work for each byte, counted by the lines of rules that are run,
so that a search can be repeated; what the worst of it takes in time, against ordinary games, is what is printed.
"""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from hypothesis import strategies as st

import rules
from rules import Violation
from rules.offered import offered
from tests.hostile.forge import ROLES, Forge
from tests.hostile.ordinary import SYSTEMS
from tests.rules.test_actions_dice import GRAMMARS as DICE
from tests.rules.test_actions_doubledown import GRAMMARS as DOUBLEDOWN
from tests.rules.test_actions_mtg import GRAMMARS as MAGIC
from tests.rules.test_actions_mtg import MagicProps
from tests.rules.test_actions_t9a import GRAMMARS as AGE
from tests.rules.test_actions_wh40k import GRAMMARS as WAR
from tests.support.actions import Props
from verifier import verify

__all__ = ["STEPS", "expensive", "work"]

STEPS = st.lists(st.tuples(st.integers(0, 2**16 - 1), st.integers(0, 6), st.integers(1, 12)), min_size=3, max_size=25)
"""of a game, what each step is made from: a choice, how much of everything, and how often"""
Steps = Sequence[tuple[int, int, int]]

_PROPS: Mapping[str, Callable[[Random], Props]] = {
    "mtg-706-2023-11-17": lambda random: MagicProps(MAGIC, random),
    "t9a-2022": lambda random: Props(AGE, random),
    "doubledown-1": lambda random: Props(DOUBLEDOWN, random),
    "wh40k-9e": lambda random: Props(WAR, random),
    "dice-1": lambda random: Props(DICE, random),
}
_TEXTS = frozenset({"source", "effect", "use", "doubles", "cost", "mana_cost", "text", "name", "item", "weapon"})
_MUCH = (1, 3, 10, 29, 99, 300, 990)
_MOST_BYTES = 30_000


def expensive(system: str, steps: Steps) -> Forge:
    """A game of a system that is made from these steps."""
    _, options, _ = SYSTEMS[system](Random(0))
    roles = ROLES if system not in ("doubledown-1", "dice-1") else {**ROLES, "gil": "gm"}
    forge = Forge(system, options, roles)
    for choice, much, times in steps:
        if forge.bytes > _MOST_BYTES:
            break
        random = Random(choice)
        for _ in range(times):
            if not _step(forge, _PROPS[system](random), random, _MUCH[much]):
                break
    return forge


def _step(forge: Forge, props: Props, random: Random, much: int) -> bool:
    """One event of somebody who can do something; whether it was taken."""
    found = [
        (party, action)
        for party in forge.roles
        for action in offered(forge.session, party, forge.seq)
        if action.type not in ("leave", "away", "back", "join", "close")
    ]
    if not found or forge.session.phase != "idle":
        return False
    weights = [8 if action.due else 3 for _, action in found]
    party, action = random.choices(found, weights)[0]
    body, _ = props._drawn(action, {}, optional=random.random() < 0.7)
    end = "void" if random.random() < 0.1 else "reveal"
    for told in (_more(body, random, much), body):
        try:
            forge.act(party, action.type, told, end=end)
        except (Violation, ValueError, TypeError):
            continue
        return True
    return False


def _more(value: Any, random: Random, much: int, name: str = "") -> Any:
    """The value with much more in it: dice, entries, text."""
    match value:
        case dict():
            return {key: _more(inner, random, much, key) for key, inner in value.items()}
        case [dict(), *_]:
            times = random.choice([1, 2, much])
            return [_more(inner, random, much, name) for inner in value * times][:100]
        case str() if name in _TEXTS:
            return value[:1] * random.choice([1, 1, 30, 468])
        case str() if name == "dice":
            return re.sub(r"^\d*d", f"{much}d", value)
        case int() if name == "times" and not isinstance(value, bool):
            return much
        case _:
            return value


_RULES = str(Path(rules.__file__).parent)


def work(log: bytes) -> int:
    """How many lines of the rules are run to verify a log and tell the state."""
    count = 0

    def line(_frame: FrameType, event: str, _value: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, _event: str, _value: object) -> Any:
        return line if frame.f_code.co_filename.startswith(_RULES) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        report, _ = verify(log, jobs=1)
    finally:
        sys.settrace(before)
    assert report.verdict == "holds", report.findings[0].message
    return count
