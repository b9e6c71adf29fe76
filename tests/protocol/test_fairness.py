"""`report.rolls`: whether the dice of each roll were fair, with the reason (specs/verification.md, "The report")."""

import json

import msgspec
import pytest

from tests.conftest import SPECS
from verifier import verify

LOGS = SPECS / "vectors" / "logs"


@pytest.mark.parametrize(
    ("log", "rolls"),
    [
        ("holds--as-expected", [(True, "fair")] * 2),
        ("holds--void-and-again", [(False, "no dice, alice called it off"), (True, "fair")]),
        ("holds--corrected-twice", [(True, "the dice were fair; a judge put another result in their place")]),
        (
            "holds--without-bob-who-accepts",
            [(True, "fair; without bob, who accepted it")] * 2 + [(True, "fair; without bob")],
        ),
        ("holds--reroll-without-bob", [(True, "fair; without bob")]),
        ("signature.invalid--edited-by-keeper", [(True, "fair")]),
    ],
)
def test_each_roll_has_its_word_and_reason(log: str, rolls: list[tuple[bool, str]]) -> None:
    data = (LOGS / f"{log}.jsonl").read_bytes()
    report, _ = verify(data)
    assert [(roll.fair, roll.reason) for roll in report.rolls.values()] == rolls
    requests = [seq for seq, line in enumerate(data.splitlines()) if b'"type":"roll"' in line]
    assert list(report.rolls) == requests[: len(rolls)]
    assert json.loads(msgspec.json.encode(report))["rolls"][str(requests[0])] == {
        "fair": rolls[0][0],
        "reason": rolls[0][1],
    }


def test_what_is_no_log_has_no_rolls() -> None:
    report, _ = verify(b"{}\n")
    assert report.rolls == {}
