"""The vectors of specs/vectors, made without this code, against this code."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rules import SYSTEMS
from rules.script import differences, read, run
from tests.make import systems
from tests.support.bundles import bundled
from tests.support.scripts import Vector, scripts
from tests.support.workers import LatestFirst
from verifier import Failure, KeyFormatError, Pins, Report, VerifierKey, verify
from verifier.dice import derivation
from verifier.log.format import decode_envelope
from verifier.log.line_checks import LineChecks
from verifier.log.plainjson import encode

VECTORS = Path(__file__).parents[2] / "specs" / "vectors"
LOGS = {entry["file"]: entry for entry in json.loads((VECTORS / "logs" / "index.json").read_text())}
CANONICAL = json.loads((VECTORS / "canonical.json").read_text())["lines"]
IDENTITIES = json.loads((VECTORS / "identities.json").read_text())
DICE = json.loads((VECTORS / "dice.json").read_text())
ROLLS = [DICE["one_roll_by_hand"], *DICE["rolls"]]
SYSTEMS_LOGS = json.loads((VECTORS / "systems.json").read_text())
MAGIC = SYSTEMS["mtg-706-2023-11-17"]


def about(vectors: Iterable[dict[str, Any]]) -> list[Any]:
    return [pytest.param(vector, id=vector["about"][:60]) for vector in vectors]


def verify_vector(entry: dict[str, Any], jobs: int = 1) -> Report:
    expect = entry.get("expect", {})
    game = expect.get("game")
    pins = Pins(bytes.fromhex(game) if game else None, tuple(map(VerifierKey.parse, expect.get("keys", ()))))
    log = (VECTORS / "logs" / entry["file"]).read_bytes()
    receipts = {f"receipt {number}": note.encode() for number, note in enumerate(entry.get("receipts", ()))}
    return verify(log, name=entry["file"], pins=pins, jobs=jobs, receipts=receipts)[0]


# --- logs of each system ------------------------------------------------------------------------------------------


def test_the_systems_vectors_are_what_their_maker_makes() -> None:
    """The maker asks each system's oracle, which shares nothing with the rules here."""
    made = systems.files()
    assert {entry["system"] for entry in SYSTEMS_LOGS} == set(SYSTEMS) - {MAGIC.id}
    assert {path.name for path in (VECTORS / "systems").iterdir()} == {entry["file"] for entry in SYSTEMS_LOGS}
    for name, data in made.items():
        assert (VECTORS / name).read_bytes() == data, name


@pytest.mark.parametrize("entry", SYSTEMS_LOGS, ids=lambda entry: str(entry["file"]))
def test_a_log_of_each_system_gives_what_its_vector_says(entry: dict[str, Any]) -> None:
    report, _ = verify((VECTORS / "systems" / entry["file"]).read_bytes())
    assert (report.verdict, report.events, report.valid_prefix) == (
        entry["verdict"],
        entry["events"],
        entry["valid_prefix"],
    )
    errors = [(each.code, each.seq, each.clause, each.fault) for each in report.findings if each.severity == "error"]
    if entry["verdict"] == "fails":
        assert errors == [(entry["code"], entry["valid_prefix"], entry["clause"], entry["fault"])]
    else:
        assert errors == []
        assert report.head is not None
        assert {"size": report.head.size, "leaf": report.head.leaf, "root": report.head.root} == entry["head"]
    assert report.state is not None
    assert [[n for die in each["dice"] for n in die["naturals"]] for each in report.state["rolls"]] == entry["rolls"]


# --- logs ---------------------------------------------------------------------------------------------------------


@bundled("file", LOGS)
def test_a_log_gives_the_report_that_its_vector_says(file: str) -> None:
    entry = LOGS[file]
    report = verify_vector(entry)
    told = [
        {name: getattr(finding, name) for name in ("code", "severity", "step", "seq", "fault", "clause")}
        for finding in report.findings
    ]
    assert told == entry["findings"]
    assert (report.verdict, report.valid_prefix) == (entry["verdict"], entry["valid_prefix"])
    assert report.trust == entry["trust"]
    if "head" in entry:
        assert report.head is not None
        assert {"size": report.head.size, "leaf": report.head.leaf, "root": report.head.root} == entry["head"]


@bundled("file", LOGS)
def test_the_steps_alone_and_others_who_check_signatures_give_the_same_report(file: str) -> None:
    """All logs here are so short that no process is started for their signatures: so the batches are short, too."""
    report = verify_vector(LOGS[file])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("verifier.replay.FastChecks", LineChecks)
        assert verify_vector(LOGS[file]) == report
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("BATCH", 2), ("FEW", 1), ("Workers", LatestFirst)):
            patch.setattr(f"verifier.log.signatures.{name}", value)
        assert verify_vector(LOGS[file], jobs=4) == report


def test_the_index_names_every_log_and_no_other() -> None:
    assert sorted(LOGS) == sorted(path.name for path in (VECTORS / "logs").glob("*.jsonl"))


def test_every_code_of_the_specification_has_a_log() -> None:
    page = (VECTORS.parent / "verification.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("|")]
    codes = {code for row in rows for code in re.findall(r"`([a-z]+\.[a-z-]+)`", row)}
    assert len(codes) > 40
    found = {finding["code"] for entry in LOGS.values() for finding in entry["findings"]}
    # What is found beside a log, and not in it (steps 26 and 27), has its vectors in notes.json.
    notes: dict[str, Any] = json.loads((VECTORS / "notes.json").read_bytes())
    found |= {finding["code"] for entry in notes["receipts"] for finding in entry["findings"]}
    disputes: dict[str, Any] = json.loads((VECTORS / "disputes.json").read_bytes())
    found |= {finding["code"] for entry in disputes["rosters"] for finding in entry["findings"]}
    found |= {entry["code"] for entry in disputes["rosters"]}
    # About a policy (test_mldsa) or a roster that a log is given; about no log; and what no log decides (test_audit).
    beside = {"file.unopened", "limit.memory", "limit.time", "process.died", "process.broke"}
    assert codes - found == {"policy.split", "policy.unchecked", "roster.ended"} | beside


# --- canonical form -----------------------------------------------------------------------------------------------

PLAIN = {"author": "a", "body": {"value": 0}, "game": "0" * 64, "prev": "0" * 64, "seq": 0, "sig": "0" * 128}
EVENT = encode(PLAIN | {"time": "2026-11-20T19:00:00.000Z", "type": "join"})


@bundled("vector", CANONICAL, lambda vector: str(vector["about"]))
def test_a_value_in_an_event_is_canonical_exactly_when_its_vector_says(vector: dict[str, Any]) -> None:
    line = EVENT.replace(b'{"value":0}', b'{"value":' + bytes.fromhex(vector["hex"]) + b"}")
    try:
        decode_envelope(line)
        result = "canonical"
    except Failure as failure:
        result = failure.code
    assert result == vector["result"]


# --- identities ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", [pytest.param(v, id=v["verifier_key"][:40]) for v in IDENTITIES["valid"]])
def test_a_verifier_key_is_read_and_written_as_in_its_vector(vector: dict[str, Any]) -> None:
    key = VerifierKey.parse(vector["verifier_key"])
    assert (key.name, key.public_bytes.hex(), key.key_id.hex()) == (
        vector["name"],
        vector["public_key"],
        vector["key_id"],
    )
    assert str(VerifierKey(key.name, key.public_bytes)) == vector["verifier_key"]


@pytest.mark.parametrize("vector", about(IDENTITIES["invalid"]))
def test_an_invalid_verifier_key_is_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(KeyFormatError):
        VerifierKey.parse(vector["verifier_key"])


# --- dice ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("roll", about(ROLLS))
def test_every_link_of_a_chain_leads_to_the_one_below_as_in_its_vector(roll: dict[str, Any]) -> None:
    game = bytes.fromhex(roll["game"])
    for name, chain in roll["chains"].items():
        links = [bytes.fromhex(link) for link in chain["links"]]
        assert links[0].hex() == chain["tip"]
        for index in range(1, len(links)):
            assert derivation.chain_step(links[index], game, name, index) == links[index - 1]
            assert derivation.walk_down(links[index], game, name, index, 0) == links[0]
        for step in chain["steps"]:
            index = links.index(bytes.fromhex(step["key"]))
            assert derivation.link_message(game, name, index).hex() == step["message"]


@pytest.mark.parametrize("roll", about(ROLLS))
def test_openings_seed_and_dice_are_those_of_their_vector(roll: dict[str, Any]) -> None:
    game, request = bytes.fromhex(roll["game"]), bytes.fromhex(roll["request"])
    links = {}
    for opening in roll["openings"]:
        links[opening["author"]] = link = bytes.fromhex(opening["link"])
        message = derivation.opening_message(game, request, opening["author"], opening["index"], link)
        assert message.hex() == opening["message"]
    seed = derivation.roll_seed(game, roll["roll_index"], links.items())
    assert seed.hex() == roll["seed"]
    assert list(derivation.draw(seed, roll["sides"])) == roll["naturals"]


@pytest.mark.parametrize("stream", about(DICE["streams"]))
def test_a_stream_gives_the_dice_of_its_vector(stream: dict[str, Any]) -> None:
    assert list(derivation.draw(bytes.fromhex(stream["seed"]), stream["sides"])) == stream["naturals"]


# --- rules scripts ------------------------------------------------------------------------------------------------


@bundled("vector", scripts())
def test_a_rules_script_ends_as_it_says(vector: Vector) -> None:
    script = read(vector.data)
    assert script.about
    expect = vector.value.get("expect")
    assert expect, "a vector without expectation shows nothing"
    assert vector.violates == ("violation" in expect)
    assert differences(script, run(script)) == []


@pytest.mark.parametrize("clause", [clause.number for clause in MAGIC.clauses])
@pytest.mark.parametrize("violates", [False, True], ids=["holds", "violated"])
def test_every_clause_of_magic_has_a_script_that_holds_and_one_that_is_violated(clause: str, violates: bool) -> None:
    found = [
        vector
        for vector in scripts("mtg")
        if vector.clause == clause and ("violation" in vector.value["expect"]) is violates
    ]
    unviolable = {told.number for told in MAGIC.clauses if told.unviolable}
    assert found or (violates and clause in unviolable)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_clause_that_a_script_violates_is_one_that_its_system_lists(system: str) -> None:
    values = [vector.value for vector in scripts()]
    expectations = [value["expect"] for value in values if value["system"] == system]
    violated = {e["violation"]["clause"] for e in expectations if "violation" in e}
    assert violated - {None, "ruling"} <= {clause.number for clause in SYSTEMS[system].clauses}
