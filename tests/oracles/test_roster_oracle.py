"""The oracle for rosters: it agrees with what the vectors say by hand, and the verifier with it on random dates."""

import datetime
import json
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.make import disputes as make_disputes
from tests.make.notes import LOG
from tests.oracles import reference, reference_roster
from tests.oracles.test_protocol_games import Dealer, Lost
from verifier import Pins, VerifierKey, verify
from verifier.rosters.roster import RosterError, parse_roster

VECTORS = Path(__file__).parents[2] / "specs" / "vectors"
DISPUTES = json.loads((VECTORS / "disputes.json").read_text())
ORGANIZER = DISPUTES["organizer"]
LOGS = sorted(path for path in (VECTORS / "logs").glob("*.jsonl") if path.stat().st_size < 100_000)


@pytest.mark.parametrize("case", DISPUTES["rosters"], ids=lambda case: case["about"])
def test_the_oracle_finds_what_the_vectors_say_by_hand(case: dict[str, Any]) -> None:
    roster = reference_roster.read_roster(case["roster"].encode(), ORGANIZER)
    if isinstance(roster, str):
        assert case["code"] == roster
        return
    assert case["code"] is None
    data = b"".join(line + b"\n" for line in LOG)
    found = reference_roster.findings(data, len(LOG), roster)
    errors = [{"code": f.code, "seq": f.seq, "fault": f.fault} for f in found if f.severity == "error"]
    notices = [{"code": f.code, "seq": f.seq} for f in found if f.severity == "notice"]
    assert (errors, notices) == (case["findings"], case["notices"])


def a_time(random: Random, times: list[str]) -> str:
    """A time of the log, or a millisecond before or after one."""
    time = datetime.datetime.fromisoformat(random.choice(times))
    time += datetime.timedelta(milliseconds=random.choice([-1, 0, 0, 0, 1]))
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


def a_roster(random: Random, log: list[bytes]) -> str:
    """A roster of most parties' keys, with dates from these lines, that the organizer signed."""
    lines = []
    events = list(map(json.loads, log))
    times = [event["time"] for event in events]
    keys = [party["key"] for party in events[0]["body"]["parties"]]
    keys += [
        event["body"]["key"] for event in events if event["type"] in ("admit", "replace") and random.random() < 0.8
    ]
    for text in dict.fromkeys(keys):
        parsed = reference.parse_verifier_key(text)
        assert not isinstance(parsed, str)
        name, public = parsed
        if random.random() < 0.07:
            continue
        if random.random() < 0.07:
            name = random.choice(["carla", "hosta"]) + name
        since, until = sorted([a_time(random, times[:2]), a_time(random, times)])
        since = "-" if random.random() < 0.7 or since == until else since
        until = "-" if random.random() < 0.3 else until
        lines.append(f"{reference.verifier_key(name, public)} {since} {until}")
    return make_disputes.note(make_disputes.roster(*lines))


def compare(random: Random, log: bytes) -> set[str]:
    """The verifier and the oracle on one log with a random roster; the codes that were found."""
    oracle = reference.verify(log)
    text = a_roster(random, log.split(b"\n")[: oracle.valid_prefix])
    keys = reference_roster.read_roster(text.encode(), ORGANIZER)
    if isinstance(keys, str):
        with pytest.raises(RosterError) as caught:
            parse_roster(text.encode(), VerifierKey.parse(ORGANIZER))
        assert caught.value.code == keys
        return {keys}
    roster = parse_roster(text.encode(), VerifierKey.parse(ORGANIZER))
    report = verify(log, pins=Pins(roster=roster))[0]
    expected = reference_roster.findings(log, oracle.valid_prefix, keys)
    members = ("code", "severity", "step", "seq", "fault", "clause")
    found = [{name: getattr(finding, name) for name in members} for finding in report.findings]
    errors = [f for f in oracle.findings if f.severity == "error"] + [f for f in expected if f.severity == "error"]
    notices = [f for f in oracle.findings if f.severity == "notice"] + [f for f in expected if f.severity == "notice"]
    assert found == [asdict(finding) for finding in [*errors, *notices]], text
    failed = [finding for finding in expected if finding.severity == "error"]
    assert report.verdict == ("fails" if failed and oracle.verdict == "holds" else oracle.verdict)
    return {finding.code for finding in expected}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_verifier_and_oracle_say_the_same_of_the_keys_of_every_vector(part: int) -> None:
    found: set[str] = set()
    for path in LOGS[part::4]:
        log = path.read_bytes()
        if reference.verify(log).valid_prefix:
            found |= compare(Random(path.name), log)
    assert found >= {"roster.unknown-key", "roster.other-name", "roster.revoked", "roster.ended"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_verifier_and_oracle_say_the_same_of_the_keys_of_random_games(seed: int) -> None:
    log = Dealer(seed).play(25)
    random = Random(f"roster {seed}")
    for _ in range(5):
        compare(random, log)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_verifier_and_oracle_say_the_same_of_the_keys_of_who_lost_a_browser(seed: int) -> None:
    log = Lost(seed).play(60)
    random = Random(f"lost roster {seed}")
    for _ in range(8):
        compare(random, log)
