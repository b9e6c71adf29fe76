"""What is promised is still there (specs/promise.md)."""

import copy
import json

import pytest

from tests.make.promise import FILE, changes, surface

PROMISED = json.loads(FILE.read_text())


@pytest.mark.long
def test_nothing_that_was_promised_is_gone() -> None:
    gone, _ = changes(PROMISED, surface())
    assert gone == []


@pytest.mark.parametrize(
    ("kind", "owner", "name"),
    [
        ("commands", "verify", "--receipt"),
        ("commands", "magic roll", "--dice"),
        ("exit_codes", "rollproof", "75"),
        ("json", "verify", "verdict"),
        ("names", "ledger", "open_table"),
        ("signatures", "verifier.verify", "pins"),
        ("paths", "/v1/games/{game:str}/lines", "POST"),
        ("bodies", "SentOpening", "opening"),
        ("formats", "systems", "t9a-2022"),
    ],
)
def test_what_is_taken_away_is_noticed(kind: str, owner: str, name: str) -> None:
    now = copy.deepcopy(PROMISED)
    now[kind][owner].remove(name)
    now[kind][owner].append("--something-new")
    assert changes(PROMISED, now) == ([f"{kind}: {owner}: {name}"], [f"{kind}: {owner}: --something-new"])
    del now[kind][owner]
    assert f"{kind}: {owner}: " in changes(PROMISED, now)[0]
