"""`verifier/web` in Node: every vector, and damaged logs beside the Python verifier, which is a black box here."""

import json
import shutil
import struct
import subprocess
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from ledger.cli import run as run_command
from tests.conftest import SPECS
from tests.web.games import damaged, long_game, random_game
from verifier import VerifierKey, verify
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.checkpoints.event_proof import Expected, ProofFailure, check_proof, render_proven
from verifier.checkpoints.mldsa import MlDsaCosignerKey, cosigned_message
from verifier.checkpoints.policy import parse_policy

Json = dict[str, Any]

WEB = SPECS.parent / "tests" / "web"
NODE = shutil.which("node")
DOMAIN = ("roll", "reroll", "ignore", "store", "modify", "resolve", "declare")
COMPARED = ("code", "severity", "step", "seq", "fault", "clause")

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


def run(*arguments: str | Path) -> str:
    assert NODE is not None
    done = subprocess.run([NODE, WEB / "run.mjs", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def words(findings: list[Json]) -> list[str]:
    """Messages, where they are the same: not of what is wrong inside of a line, nor with what takes the rules.

    That the keeper signed over an event is left out where the keeper is at fault: of its own event Python says it too.
    """
    others = ("line.malformed", "body.malformed", "open.terms", "roll.voids", "roll.left", "reveal.naturals", OFFER)
    told = [finding for finding in findings if finding["code"] not in others]
    return [each["message"].removesuffix(f" {each['fault']}, the keeper, signed over it.") for each in told]


def vector(name: str) -> Any:
    return json.loads((SPECS / "vectors" / name).read_text(encoding="utf-8"))


def compared(findings: list[Json]) -> list[list[Any]]:
    return [[finding[member] for member in COMPARED] for finding in findings]


OFFER = "log.offer"
AFTER_OWED = ("state.contributors", "state.not-committed")
"""what step 15 looks at behind what is owed"""


def refused(findings: list[Json]) -> Json | None:
    """The finding about a line that was not taken: the error, or that it is an offer; None without one."""
    return next((each for each in findings if each["severity"] == "error" or each["code"] == OFFER), None)


def needs_rules(log: bytes, error: Json | None, told: Json) -> bool:
    """Whether the finding takes the rules of the game (specs/web.md), and the web verifier came as far without one."""
    if error is None or error["seq"] is None:
        return False
    if error["code"] == OFFER:
        return bool(told["verdict"] == "holds")
    found = next((finding for finding in told["findings"] if finding["severity"] == "error"), None)
    own = None if found is None else found["seq"]
    if own is not None and own < error["seq"]:
        return False
    if error["step"] == 23:
        return True
    if error["code"] == "state.owed":
        later = found is not None and own == error["seq"] and found["code"] in AFTER_OWED
        return later or any(request["seq"] == error["seq"] for request in told["undecided"])
    if error["code"] != "body.malformed":
        return False
    event = json.loads(log.split(b"\n")[error["seq"]])
    return event["type"] in DOMAIN or event["type"] == "open"


def check_systems(told: Counter[str]) -> None:
    """Check the logs of each system: the same dice, and what holds holds. Only rules can say where one is broken."""
    entries = vector("systems.json")
    told_of = run("logs", *(SPECS / "vectors" / "systems" / entry["file"] for entry in entries))
    reports = [json.loads(line) for line in told_of.splitlines()]
    for entry, mine in zip(entries, reports, strict=True):
        if entry["verdict"] == "holds":
            assert (mine["verdict"], mine["head"]) == ("holds", entry["head"]), entry["file"]
        assert [each["naturals"] for each in mine["rolls"] if each["naturals"]] == entry["rolls"], entry["file"]
        told["logs of systems"] += 1


def check_vectors(results: Json) -> Counter[str]:
    """Compare what came out with what the vectors expect; returns how many of each kind agree or take the rules."""
    told: Counter[str] = Counter()
    for each in vector("logs/index.json"):
        mine = results["logs"][each["file"]]
        log = (SPECS / "vectors" / "logs" / each["file"]).read_bytes()
        error = refused(each["findings"])
        if compared(mine["findings"]) != compared(each["findings"]) and needs_rules(log, error, mine):
            told["logs that take the rules"] += 1
            own = next((one for one in mine["findings"] if one["severity"] == "error"), None)
            if error and own and own["seq"] == error["seq"]:
                assert own["fault"] == error["fault"], each["file"]
            continue
        told["logs"] += 1
        assert compared(mine["findings"]) == compared(each["findings"]), each["file"]
        assert [mine["verdict"], mine["events"], mine["valid_prefix"], mine["trust"]] == [
            each["verdict"],
            each["events"],
            each["valid_prefix"],
            each["trust"],
        ], each["file"]
        if "head" in each:
            assert mine["head"] == each["head"], each["file"]
    check_systems(told)
    check_notes(results["notes"], told)
    check_events(results, told)
    check_mldsa(results["mldsa"], told)
    disputes = vector("disputes.json")["evidence"]
    for each, mine in zip(disputes, results["disputes"], strict=True):
        [finding] = mine["findings"]
        assert [finding["code"], finding["fault"]] == [each["code"], each["fault"]], each["about"]
        told["evidence"] += 1
    for each, mine in zip(vector("rolls.json")["cases"], results["rolls"], strict=True):
        assert mine["codes"] == ([each["code"]] if each["code"] else each["notices"]), each["about"]
        assert all(mine[member] == each[member] for member in ("naturals", "request") if member in each), each["about"]
        told["proofs of one roll"] += 1
    openings = vector("openings.json")
    assert results["openings"]["openings"] == [each["flaw"] for each in openings["openings"]]
    assert results["openings"]["receipts"] == [each["holds"] for each in openings["receipts"]]
    told["openings and receipts for them"] = len(openings["openings"]) + len(openings["receipts"])
    signatures = vector("signatures.json")["signatures"]
    assert results["signatures"]["results"] == [[each["valid"]] * 2 for each in signatures]
    told["signatures"] = len(signatures)
    canonical = vector("canonical.json")["lines"]
    for each, result in zip(canonical, results["canonical"], strict=True):
        assert result == each["result"], each["about"]
    told["canonical lines"] = len(canonical)
    texts = vector("texts.json")["texts"]
    for each, valid in zip(texts, results["texts"], strict=True):
        assert valid == each["valid"], each["about"]
    told["texts"] = len(texts)
    identities = vector("identities.json")
    for each, mine in zip(identities["valid"], results["identities"]["valid"], strict=True):
        assert mine == {member: each[member] for member in ("name", "public_key", "key_id")}
    assert results["identities"]["invalid"] == [None] * len(identities["invalid"])
    told["identities"] = len(identities["valid"]) + len(identities["invalid"])
    check_dice(results["dice"], told)
    return told


def check_events(results: Json, told: Counter[str]) -> None:
    """Check event logs and bundles: what the vectors say, and all else as Python says it."""
    vectors = vector("event.json")
    whole, *cases = results["events"]
    assert (whole["verdict"], whole["head"]["root"]) == ("holds", vectors["root"])
    for each, mine in zip(vectors["cases"], cases, strict=True):
        wanted = [] if each["error"] is None else [each["error"]]
        assert errors_of(mine, "code", "seq", "fault", "clause", "step") == [
            [error[member] for member in ("code", "seq", "fault", "clause", "step")] for error in wanted
        ], each["about"]
    for each, mine in zip(vector("bundles.json")["cases"], results["bundles"], strict=True):
        assert mine["verdict"] == each["verdict"], each["about"]
        wanted = [[error[member] for member in ("code", "seq", "fault")] for error in each["errors"]]
        assert errors_of(mine, "code", "seq", "fault") == wanted, each["about"]
    told["event logs"] = len(results["events"])
    told["bundles"] = len(results["bundles"])


def errors_of(report: Json, *names: str) -> list[list[Any]]:
    return [[each[name] for name in names] for each in report["findings"] if each["severity"] == "error"]


def check_notes(results: Json, told: Counter[str]) -> None:
    notes = vector("notes.json")
    assert all(results["trees"])
    for each, mine in zip(notes["checkpoints"], results["checkpoints"], strict=True):
        assert [mine["read"], mine["by_keeper"]] == [each["read"], bool(each["by_keeper"])], each["about"]
    for each, findings in zip(notes["receipts"], results["receipts"], strict=True):
        members = each["findings"][0].keys() if each["findings"] else ("code",)
        assert [{member: one[member] for member in members} for one in findings] == each["findings"], each["about"]
    for each, met in zip(notes["policies"], results["policies"], strict=True):
        checkpoints = each["checkpoints"]
        assert met == (None if checkpoints is None else [one["met"] for one in checkpoints]), each["about"]
    for each, result in zip(notes["proofs"], results["proofs"], strict=True):
        assert (" ".join(result) if isinstance(result, list) else result) == each["result"], each["about"]
    told["trees"] = len(notes["trees"])
    for kind in ("checkpoints", "receipts", "policies", "proofs"):
        told[kind] = len(notes[kind])


def check_mldsa(results: Json, told: Counter[str]) -> None:
    """Where the platform has no ML-DSA-44, what takes it is neither met nor unmet, and the log is unfinished."""
    vectors, available = vector("mldsa.json"), results["available"]
    assert results["valid"] == [each["valid"] for each in vectors["keys"]]
    for each, mine in zip(vectors["policies"], results["policies"], strict=True):
        unchecked = [] if available else each["unchecked"]
        met = each["met"] and not unchecked
        assert [mine["missing"] is None, mine["unchecked"]] == [met, unchecked], each["about"]
        code = None if met else "policy.unchecked" if unchecked else "policy.unmet"
        verdict = "holds" if met else "unfinished" if unchecked else "fails"
        errors = [[one["code"], one["fault"]] for one in mine["report"]["findings"] if one["severity"] == "error"]
        fault = None if unchecked else "file"
        assert [mine["report"]["verdict"], errors] == [verdict, [[code, fault]] if code else []], each["about"]
        assert mine["proof"] == (code or "holds"), each["about"]
        told["policies with ML-DSA-44"] += 1


def check_dice(results: Json, told: Counter[str]) -> None:
    dice = vector("dice.json")
    rolls = [dice["one_roll_by_hand"], *dice["rolls"]]
    for each, mine in zip(rolls, results["rolls"], strict=True):
        assert [mine["seed_message"], mine["seed"]] == [each["seed_message"], each["seed"]]
        assert mine["messages"] == [opening["message"] for opening in each["openings"]]
        assert mine["tips"] == [each["chains"][opening["author"]]["tip"] for opening in each["openings"]]
    drawn = [*rolls, *dice["streams"], *dice["dependent"]]
    for each, mine in zip(drawn, [*results["rolls"], *results["streams"], *results["dependent"]], strict=True):
        assert mine["naturals"] == each["naturals"], each["about"]
        assert mine["rejected"] == [die["rejected"] for die in each["dice"]], each["about"]
        if each["bytes_used"]:
            assert mine["blocks"] == each["blocks"], each["about"]
    told["dice"] = len(drawn)


@pytest.mark.long
def test_every_vector(record_property: Any) -> None:
    results = json.loads(run("vectors"))
    assert results["signatures"]["platform"], "this Node's WebCrypto is not asked: its equation has the cofactor"
    told = check_vectors(results)
    assert told["logs that take the rules"] == 59, "rules, and bodies and options of systems, are not its affair"
    for kind, count in told.items():
        record_property(f"vectors in Node, {kind}", count)


@pytest.mark.slow
def test_a_line_that_is_taken_on_trial_and_taken_back_leaves_nothing_behind() -> None:
    """The page's core proves each line so, before anything of it counts (`ledger/web/core/follower.js`)."""
    assert NODE is not None
    logs = sorted((SPECS / "vectors" / "logs").glob("holds--*.jsonl"))
    done = subprocess.run([NODE, WEB / "marks.mjs", *logs], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    changed = {Path(file).name: what for file, what in map(json.loads, done.stdout.splitlines())}
    assert len(changed) == len(logs)
    assert {name: what for name, what in changed.items() if what is not None} == {}


def beside(cases: list[Json], folder: Path) -> list[list[Json]]:
    """What the page says of files beside logs, case by case."""
    path = folder / "cases.json"
    path.write_text(json.dumps(cases), encoding="utf-8")
    told: list[list[Json]] = json.loads(run("beside", path))
    return told


def test_proofs_are_told_in_the_words_of_the_command(tmp_path: Path) -> None:
    proofs = vector("notes.json")["proofs"]
    # With the line that stands beside it a proof is checked by its log; here by what the caller knows alone.
    cases = [each for each in proofs if "line" not in each["expected"] and "size" not in each["expected"]]
    asked = []
    for each in cases:
        expected = each["expected"]
        keys = [expected["keeper"], *expected.get("keys", ())]
        known = {"log": None, "game": expected["game"], "keys": keys, "index": expected["index"]}
        asked.append(
            {**known, "policy": expected.get("policy"), "files": [{"name": "p.tlog-proof", "text": each["proof"]}]}
        )
    for each, [mine] in zip(cases, beside(asked, tmp_path), strict=True):
        expected = each["expected"]
        policy = expected.get("policy")
        caller = Expected(
            bytes.fromhex(expected["game"]),
            VerifierKey.parse(expected["keeper"]),
            expected["index"],
            keys=tuple(map(VerifierKey.parse, expected.get("keys", ()))),
            policy=None if policy is None else parse_policy(policy.encode()),
        )
        try:
            told = render_proven(check_proof(each["proof"].encode(), caller), caller)
        except ProofFailure as failure:
            if failure.code == "proof.malformed":
                assert mine["verdict"] == "unreadable"
                continue
            text = f"p.tlog-proof: FAILS (something is wrong; {failure.code}, step {failure.step}): {failure}"
            assert mine["verdict"] == "fails"
            # What is wrong inside of a line each says in words of its own.
            assert text.startswith(mine["words"][0].removesuffix(".")), each["about"]
        else:
            assert [mine["verdict"], "\n".join(mine["words"])] == ["holds", told], each["about"]


@pytest.mark.long
def test_openings_are_told_in_the_words_of_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    vectors = vector("openings.json")
    log = SPECS / "vectors" / "logs" / vectors["log"]
    sent = [each["sent"] for each in (*vectors["openings"], *vectors["receipts"])]
    known: Json = {"log": str(log), "game": None, "keys": [], "index": None}
    [told] = beside([{**known, "files": [{"name": "x.opening", "text": text} for text in sent]}], tmp_path)
    for text, mine in zip(sent, told, strict=True):
        (tmp_path / "x.opening").write_text(text, encoding="utf-8")
        code = run_command(["check-opening", str(tmp_path / "x.opening"), str(log)])
        theirs = capfd.readouterr().out.strip().replace(str(tmp_path / "x.opening"), "x.opening")
        assert code == {"holds": 0, "fails": 1, "unreadable": 66}[mine["verdict"]], text
        if code != 66:
            assert mine["words"] == [theirs]
    cases = []
    for number, each in enumerate(vectors["proofs"]):
        grown = tmp_path / f"{number}.jsonl"
        grown.write_bytes(log.read_bytes() + each["more"].encode())
        cases.append({**known, "log": str(grown), "files": [{"name": "x.received", "text": each["sent"]}]})
    words = {"kept back": "kept it back. That is proof", "named missing": "nevertheless says that bob had not opened"}
    for each, case, [mine] in zip(vectors["proofs"], cases, beside(cases, tmp_path), strict=True):
        (tmp_path / "x.received").write_text(each["sent"], encoding="utf-8")
        code = run_command(["check-opening", str(tmp_path / "x.received"), case["log"]])
        theirs = capfd.readouterr().out.strip().replace(str(tmp_path / "x.received"), "x.received")
        assert (mine["words"], code) == ([theirs], int(each["proves"] == "none")), each["about"]
        assert ("proof" in theirs, words.get(each["proves"], "") in theirs) == (each["proves"] in words, True)


@pytest.mark.long
def test_proofs_and_openings_are_checked_with_the_log(tmp_path: Path) -> None:
    notes = vector("notes.json")
    proofs, log = {each["about"]: each["proof"] for each in notes["proofs"]}, SPECS / "vectors" / "logs" / notes["log"]
    files = [{"name": "a", "text": proofs[name]} for name in ("event 4, alice's", "another event in the proof")]
    sent = [{"name": "b", "text": vector("openings.json")["openings"][0]["sent"]}]
    known: Json = {"game": None, "keys": [], "index": None}
    bad = SPECS / "vectors" / "logs" / "signature.invalid--edited-by-keeper.jsonl"
    cases: list[Json] = [
        {**known, "log": str(log), "files": files},
        {**known, "log": None, "files": files[:1] + sent},
        {**known, "log": str(bad), "files": sent},
    ]
    [[good, wrong], [one, other], [told]] = beside(cases, tmp_path)
    assert good["verdict"] == "holds"
    assert "checked: alice signed the event itself." in good["words"]
    assert wrong["verdict"] == "fails"
    assert "the proof carries another event than the line that was given" in wrong["words"][0]
    assert [one["verdict"], other["verdict"]] == ["unreadable", "unreadable"]
    assert "checked with its log, or with what you know" in one["words"][0]
    assert other["words"] == ["An opening is checked against a log: choose the log too."]
    assert told["words"] == ["log.jsonl does not hold, so nothing can be checked against it."]


@pytest.mark.long
def test_cosignatures_where_the_platform_has_mldsa(tmp_path: Path) -> None:
    """As newer ones do. What is taken here is what the library takes, over messages that Python made."""
    taken = []
    for each in vector("mldsa.json")["policies"]:
        policy, checkpoint = parse_policy(each["policy"].encode()), parse_checkpoint(each["note"].encode())
        head = checkpoint.head
        keys = [key for key in policy.witnesses.values() if isinstance(key, MlDsaCosignerKey)]
        for key, line in product(keys, checkpoint.signatures):
            if (line.name, line.key_id) == (key.name, key.key_id) and key.verify(line.signature, head.text.encode()):
                time = int.from_bytes(line.signature[:8], "big")
                message = cosigned_message(key.name, time, head.text.split("\n")[0], head.size, head.root)
                taken.append([part.hex() for part in (key.public_bytes, line.signature[8:], message)])
    assert len(taken) > 5
    path = tmp_path / "taken.json"
    path.write_text(json.dumps(taken), encoding="utf-8")
    told = json.loads(run("mldsa", path))
    assert told["available"]
    check_mldsa(told, Counter())


def compare_logs(logs: list[bytes], folder: Path) -> Counter[str]:
    """Python and Node say the same of each of these logs."""
    packed = folder / "logs"
    packed.write_bytes(b"".join(struct.pack(">I", len(log)) + log for log in logs))
    outcomes: Counter[str] = Counter()
    for log, line in zip(logs, run("packed", packed).splitlines(), strict=True):
        told = json.loads(line)
        report = msgspec.to_builtins(verify(log)[0])
        error = refused(report["findings"])
        theirs = [report["verdict"], report["events"], report["head"], report["trust"], compared(report["findings"])]
        mine = [told["verdict"], told["events"], told["head"], told["trust"], compared(told["findings"])]
        if theirs != mine and not needs_rules(log, error, told):
            (folder / "differs.jsonl").write_bytes(log)
            raise AssertionError(f"{folder / 'differs.jsonl'}\n{theirs}\n{mine}")
        if theirs == mine:
            assert words(told["findings"]) == words(report["findings"])
        outcomes[error["code"] if error else "holds"] += 1
    return outcomes


def make_logs(seed: int, count: int) -> list[bytes]:
    random = Random(seed)
    logs: list[bytes] = []
    while len(logs) < count:
        game = random_game(random)
        logs += [game.bytes(), *(damaged(random, game) for _ in range(4))]
    return logs


@pytest.mark.long
def test_damaged_logs_are_judged_alike(tmp_path: Path) -> None:
    outcomes = compare_logs(make_logs(1, 300), tmp_path)
    assert outcomes["holds"] > 10
    assert len(outcomes) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_many_damaged_logs_are_judged_alike(seed: int, tmp_path: Path, record_property: Any) -> None:
    logs = make_logs(seed, 5_000)
    outcomes = compare_logs(logs, tmp_path)
    record_property("damaged and signed again logs, beside the Python verifier", sum(outcomes.values()))


@pytest.mark.long
def test_a_log_of_some_hundred_events_goes_through_many_windows(tmp_path: Path) -> None:
    log = long_game(Random(1), 700)
    lines = log.splitlines(keepends=True)
    edited = lines[600].replace(b'"source":"A game"', b'"source":"A lame"') if b"A game" in lines[600] else b""
    at = 600 if edited else 601
    edited = edited or lines[601].replace(b'"source":"A game"', b'"source":"A lame"')
    compare_logs([log, b"".join([*lines[:at], edited, *lines[at + 1 :]]), b"".join(lines[:555])], tmp_path)


@pytest.mark.slow
def test_a_long_log_takes_little_longer_than_its_signatures(tmp_path: Path) -> None:
    """By processor time, because the machine of the tests is not theirs alone."""
    path = tmp_path / "long.jsonl"
    path.write_bytes(long_game(Random(1), 100_000))
    assert NODE is not None
    done = subprocess.run([NODE, WEB / "speed.mjs", path, "3"], capture_output=True, text=True, check=True)
    assert float(done.stdout.split()[-1]) <= 1.5, done.stdout


@pytest.mark.long
@pytest.mark.skipif(
    not all(map(shutil.which, ("openssl", "xxd", "sed"))), reason="what is redone by hand takes openssl, xxd and sed"
)
@pytest.mark.parametrize(
    ("log", "seq"),
    [("holds--rejected-bytes.jsonl", 6), ("holds--void-and-again.jsonl", 6), ("holds--void-and-again.jsonl", 9)],
)
def test_an_explanation_can_be_redone_by_hand(log: str, seq: int, tmp_path: Path) -> None:
    shutil.copy(SPECS / "vectors" / "logs" / log, tmp_path / "a log's copy.jsonl")
    path = tmp_path / "a log's copy.jsonl"
    steps = json.loads(run("explain", path, str(seq)))
    commands = [part["byHand"] for step in steps for part in step["parts"] if "byHand" in part]
    assert len(commands) >= 5
    for command in commands:
        done = subprocess.run(
            ["sh", "-c", command["command"]], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert done.stdout.rstrip().endswith(command["prints"]), command
