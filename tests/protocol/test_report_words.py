"""What a report says in words: whom, which dice and which line its findings are about (specs/verification.md)."""

import json
import re

import pytest

from tests.conftest import SPECS
from tests.make.parts import JUDGED, key_of, request, table
from verifier import Pins, VerifierKey, render, verify

LOGS = SPECS / "vectors" / "logs"

LEFT = "host closed the game while the roll that alice asked for waited: it was left without dice."
ALONE = "hall, the keeper, let judy in alone: judy may be hall's own hand."


@pytest.mark.parametrize(
    ("log", "code", "message"),
    [
        (
            "holds--appointed-judge",
            "party.admitted",
            "hall, the keeper, let judy in as a judge: olga, an organizer of the event, signed it.",
        ),
        (
            "holds--judge-without-an-appointment",
            "party.admitted",
            f"{ALONE} Everybody who had to consent has consented (event 9).",
        ),
        ("holds--left-without-dice", "roll.left", f"{LEFT} It would have shown 19."),
        ("holds--left-without-dice-hidden", "roll.left", LEFT),
    ],
)
def test_a_notice_names_whose_word_it_was_and_the_dice_as_far_as_they_are_known(
    log: str, code: str, message: str
) -> None:
    report, _ = verify((LOGS / f"{log}.jsonl").read_bytes())
    assert [each.message for each in report.findings if each.code == code] == [message]


@pytest.mark.parametrize(("dice", "more"), [(20, False), (21, True)])
def test_a_notice_lists_twenty_dice_and_says_that_there_are_more(dice: int, more: bool) -> None:
    w = table("many dice")
    body = {"source": "x", "dice": f"{dice}d6", "use": "y"}
    number = request(w, "alice", body, [6] * dice)
    w.void("alice", [])
    w.disclose()
    report, _ = verify(w.data)
    (notice,) = [each for each in report.findings if each.code == "roll.voids"]
    found = re.search(rf"would have shown: (.*) \(event {number}\)", notice.message)
    assert found is not None
    shown = found[1].split(", ")
    assert (len(shown), shown[-1] == "…") == (20 + more, more)


@pytest.mark.parametrize(
    ("log", "lines"),
    [
        (
            "file.not-a-log--other-json",
            [
                "  error file.not-a-log (event 0, fault: file)",
                "    The file is not a Rollproof log: its first line opens no game.",
            ],
        ),
        (
            "time.backwards--player",
            [
                "  error time.backwards (event 6, fault: bob)",
                "    The time 2026-11-20T19:00:06.249Z is before that of the event before, 2026-11-20T19:00:06.250Z. "
                "host, the keeper, accepted it all the same.",
                "    expected 2026-11-20T19:00:06.250Z",
                "    found    2026-11-20T19:00:06.249Z",
                "  game fc0efd38dd01b59c49a4ecd6201713aa67ccb07fecebbefaaaa25bda195ec97f",
            ],
        ),
        (
            "rules.violation--another-checks",
            [
                "  error rules.violation (event 8, fault: host, rule 706.3b)",
                "    Roll 6 of alice is not finished: resolve it first. bob signed it; bob's program need not know the "
                "rules. host, the keeper, knows them, and accepted it all the same.",
                "  game 6e57a8879d6dffec692b626562f838a7f013fdbe128a1c03b003140bfa835bcc",
            ],
        ),
        (
            "holds--taken-by-a-checkpoint",
            [
                "  notice log.unfinished",
                "    The game is not closed: it may go on, or its end may be missing from this file.",
            ],
        ),
    ],
)
def test_a_finding_is_told_with_its_line_its_fault_its_rule_and_what_was_expected(log: str, lines: list[str]) -> None:
    report, _ = verify((LOGS / f"{log}.jsonl").read_bytes())
    assert render(report).splitlines()[1 : len(lines) + 1] == lines


def test_what_follows_a_line_that_does_not_hold_is_told_as_not_checked() -> None:
    report, _ = verify((LOGS / "rules.violation--another-checks.jsonl").read_bytes())
    assert "Anything from event 8 on: it rests on an event that does not hold." in report.not_checked


@pytest.mark.parametrize("most", [1, 3])
def test_of_many_changes_at_a_table_the_first_are_kept_and_all_are_counted(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """A judge that signs somebody away over and over fills no report (specs/event.md, "Changes at tables")."""
    monkeypatch.setattr("verifier.log.conduct.MAX_CHANGES", most)
    w = table("many changes", JUDGED)
    for _ in range(3):
        w.away("dana", "alice")
        w.back("alice", "alice")
    report, replay = verify(w.data)
    assert (report.verdict, replay is None) == ("holds", False)
    assert replay is not None
    assert replay.conduct.changed == 3
    assert [each.event for each in replay.conduct.changes] == [7, 9, 11][:most]


POSING = "The {name} of this log has another key than the {name} you know: somebody may be posing."


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ("bob-is-another", POSING.format(name="bob")),
        ("of-a-replaced-party", POSING.format(name="bob")),
        ("late-party-with-another-key", POSING.format(name="walt")),
        ("late-party-that-has-not-joined", "walt was let in with the key that you know, and has not joined."),
        ("bob-s-key-under-another-name", "zoe is no party of this log: zoe's key plays as bob."),
        (
            "nobody-of-that-name",
            "Nobody in this log has the key of zoe that you know, and no party is called zoe.",
        ),
    ],
)
def test_of_an_expected_key_that_no_party_has_the_report_says_who_comes_nearest(log: str, message: str) -> None:
    """A name with another key, a key with another name, nobody at all: what to do about each is another matter."""
    file = f"expect.key--{log}.jsonl"
    (entry,) = [each for each in json.loads((LOGS / "index.json").read_bytes()) if each["file"] == file]
    keys = tuple(map(VerifierKey.parse, entry["expect"]["keys"]))
    report, _ = verify((LOGS / file).read_bytes(), pins=Pins(keys=keys))
    assert [each.message for each in report.findings if each.severity == "error"] == [message]


def test_a_name_that_looks_like_an_expected_one_is_told() -> None:
    expected = VerifierKey.parse(key_of("b0b", "another hand"))
    report, _ = verify(table("looks like").data, pins=Pins(keys=(expected,)))
    (error,) = [each for each in report.findings if each.severity == "error"]
    assert error.message == (
        "Nobody in this log has the key of b0b that you know. bob looks like b0b, and has another key: somebody may be "
        "posing."
    )
