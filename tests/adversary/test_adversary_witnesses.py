"""Attacks with witnesses, sidecars and names that worked once (specs/checkpoints.md, log.md, verification.md)."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.seats.identity import Identity
from ledger.store.cosignatures import merge_cosignatures, with_own
from ledger.store.ledger import Ledger
from rules import Role
from rules.data.bounds import MAX_PARTIES
from tests.conftest import SPECS
from tests.make import notes as make_notes
from tests.make.notes import SIZE, checkpoint, cosigned, cosigner_key, text_of
from tests.support.cli import PASSPHRASE, Cli, make_identity, state_of
from tests.support.table import Clock, Table, joined
from verifier import Finding, NoteError, Pins, VerifierKey, verify
from verifier.checkpoints.checkpoint import (
    Checkpoint,
    CosignerKey,
    SignedCheckpoint,
    cosign,
    parse_checkpoint,
    sign_checkpoint,
)
from verifier.checkpoints.event_proof import Expected, check_proof, proof_report, render_proven
from verifier.checkpoints.note import MAX_SIGNATURES, NoteSignature
from verifier.checkpoints.policy import Policy, parse_policy
from verifier.log.identity import looks_alike
from verifier.log.terms import Terms
from verifier.shell.command import run as run_verifier

WITNESSES = "".join(f"witness {name} {cosigner_key(name)}\n" for name in ("walt", "gail", "zoe"))
HISTORIES = ((make_notes.LOG, make_notes.LEAVES), (make_notes.OTHER, make_notes.OTHERS))
"""two histories of one game, both by its keeper"""


# --- two views under one policy --------------------------------------------------------------------------------------


def codes(policy: str, history: int, witness: str) -> list[tuple[str, str]]:
    """What is found with one history that one witness, and no other, cosigned."""
    lines, leaves = HISTORIES[history]
    size = len(lines)
    note = checkpoint(size, leaves, cosigned(text_of(size, leaves), witness))
    report = verify(joined(lines), receipts={"mine": note.encode()}, policy=parse_policy(policy.encode()))[0]
    return [(f.code, f.severity) for f in report.findings if f.step == 27]


def test_two_histories_that_both_meet_a_policy_are_said_to_be_possible() -> None:
    """Walt sees the one, gail the other; both are honest, and whoever asks for `any` of them sees no fork."""
    split = WITNESSES + "group g any walt gail\nquorum g\n"
    assert codes(split, 0, "walt") == codes(split, 1, "gail") == [("policy.split", "notice")]
    both = WITNESSES + "group g all walt gail\nquorum g\n"
    assert codes(both, 0, "walt") == codes(both, 1, "gail") == [("policy.unmet", "error")]
    one = WITNESSES + "quorum walt\n"
    assert (codes(one, 0, "walt"), codes(one, 1, "gail")) == ([], [("policy.unmet", "error")])
    assert codes("quorum none\n", 0, "walt") == [("policy.split", "notice")]


def test_a_split_policy_is_named_wherever_it_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy, log = tmp_path / "split.policy", tmp_path / "log.jsonl"
    policy.write_text(WITNESSES + "group g 1 walt gail\nquorum g\n")
    log.write_bytes(joined(make_notes.LOG))
    note = checkpoint(SIZE, make_notes.LEAVES, cosigned(text_of(SIZE)))
    log.with_name("log.jsonl.checkpoint").write_text(note)
    assert run_verifier([str(log), "--policy", str(policy)]) == 0
    assert "notice policy.split" in capsys.readouterr().out
    assert run_verifier([str(log), "--policy", str(policy), "--summary"]) == 0
    assert "policy.split" in capsys.readouterr().err
    data = parse_policy(policy.read_bytes())
    leaves = b"".join(f"{make_notes.b64(each)}\n".encode() for each in make_notes.path(4, make_notes.LEAVES))
    extra = make_notes.b64(make_notes.LOG[4])
    proof = f"c2sp.org/tlog-proof@v1\nextra {extra}\nindex 4\n".encode() + leaves + b"\n" + note.encode()
    keeper = VerifierKey.parse(make_notes.verifier_key("host"))
    expected = Expected(make_notes.LEAVES[0], keeper, 4, policy=data)
    proven = check_proof(proof, expected)
    assert "notice policy.split: " in render_proven(proven, expected)
    assert [each["code"] for each in proof_report(proven, expected)["notices"]] == ["policy.split"]
    sound = Expected(make_notes.LEAVES[0], keeper, 4, policy=parse_policy((WITNESSES + "quorum walt\n").encode()))
    assert "policy.split" not in render_proven(proven, sound)
    assert proof_report(proven, sound)["notices"] == []


class Tree(NamedTuple):
    """A witness, or K of members."""

    size: int
    """witnesses in it"""
    least: int = 0
    members: tuple["Tree", ...] = ()


@cache
def trees(size: int) -> list[Tree]:
    """All trees of so many witnesses, whatever order they stand in, without groups of one member."""
    if size == 1:
        return [Tree(1)]
    return [
        Tree(size, least, members)
        for count in range(2, size + 1)
        for members in sorted(set(_members(size, count)))
        for least in range(1, count + 1)
    ]


def _members(size: int, count: int) -> Iterator[tuple[Tree, ...]]:
    for sizes in combinations_with_replacement(range(1, size), count):
        if sum(sizes) == size:
            yield from _one_of_each(sizes)


def _one_of_each(sizes: tuple[int, ...]) -> Iterator[tuple[Tree, ...]]:
    if not sizes:
        yield ()
        return
    for first in trees(sizes[0]):
        for others in _one_of_each(sizes[1:]):
            yield (first, *others)


@cache
def key_line(number: int) -> str:
    return f"witness w{number} {CosignerKey(f'w{number}', hashlib.sha256(bytes([number])).digest())}\n"


def policy_of(tree: Tree) -> Policy:
    lines: list[str] = [key_line(number) for number in range(tree.size)]

    def define(node: Tree, first: int) -> str:
        if not node.members:
            return f"w{first}"
        names = []
        for member in node.members:
            names.append(define(member, first))
            first += member.size
        name = f"g{len(lines)}"
        lines.append(f"group {name} {node.least} {' '.join(names)}\n")
        return name

    quorum = define(tree, 0)
    return parse_policy("".join([*lines, f"quorum {quorum}\n"]).encode())


def met(tree: Tree, there: int, first: int = 0) -> bool:
    """Whether the witnesses of these bits meet it."""
    if not tree.members:
        return bool(there >> first & 1)
    count = 0
    for member in tree.members:
        count += met(member, there, first)
        first += member.size
    return count >= tree.least


def split_by_trying(tree: Tree) -> bool:
    """Whether some set and all that are not in it both meet the policy; more witnesses never make it unmet."""
    everybody = (1 << tree.size) - 1
    return any(met(tree, some) and met(tree, everybody & ~some) for some in range(everybody + 1))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_split_is_told_exactly(size: int) -> None:
    both = set()
    for tree in trees(size):
        policy = policy_of(tree)
        assert (policy.split is not None) == split_by_trying(tree), tree
        both.add(policy.split is not None)
    assert both == ({False} if size == 1 else {False, True})


def test_more_than_half_is_never_split() -> None:
    for count in range(1, 9):
        for least in range(1, count + 1):
            policy = policy_of(Tree(count, least, (Tree(1),) * count))
            assert (policy.split is None) == (2 * least > count)
            sets = [set(some) for some in combinations(range(count), least)]
            assert (policy.split is None) == all(one & other for one in sets for other in sets)


@pytest.mark.parametrize("text", ["", "# nothing\n", WITNESSES])
def test_a_policy_without_a_quorum_is_none(text: str) -> None:
    with pytest.raises(NoteError, match="no quorum line"):
        parse_policy(text.encode())


# --- sidecars that anybody can write ---------------------------------------------------------------------------------

WITNESSED: Mapping[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "wendy": "witness"}


@pytest.fixture
def witnessed(make_table: Callable[..., Table]) -> Table:
    """A game with a witness among its parties, and a stored checkpoint without cosignatures."""
    table = make_table(roles=WITNESSED).begin()
    table.ledger.sign_checkpoint(table.game, table.seats["host"])
    return table


def stored(table: Table) -> SignedCheckpoint:
    found = table.ledger.checkpoint(table.game)
    assert found is not None
    return found


def with_lines(checkpoint: SignedCheckpoint, *lines: NoteSignature) -> SignedCheckpoint:
    return SignedCheckpoint(checkpoint.head, (*checkpoint.signatures, *lines))


def by(identity: Identity, checkpoint: SignedCheckpoint, time: int = make_notes.TIME) -> NoteSignature:
    return cosign(checkpoint.head, identity.cosigner_key, time, identity.sign)


def garbage(key: CosignerKey) -> NoteSignature:
    return NoteSignature(key.name, key.key_id, bytes([1]) * 72)


def test_junk_replaces_no_cosignature_and_keeps_none_out(witnessed: Table) -> None:
    """Whoever hands the sidecar on writes below it what they like; no key is needed."""
    league, ledger = Identity.generate("league"), witnessed.ledger
    plain = stored(witnessed)
    genuine = by(league, plain)
    junk = [NoteSignature(f"j{n}", bytes(4), b"junk") for n in range(MAX_SIGNATURES - len(plain.signatures))]
    taken = ledger.take_checkpoint(with_lines(plain, *junk))
    assert (taken.checkpoint, taken.unknown, taken.wrong) == (plain, len(junk), 0)
    assert ledger.take_checkpoint(with_lines(plain, genuine)).unknown == 1, "nobody has given the league's key"
    assert stored(witnessed) == plain
    taken = ledger.take_checkpoint(with_lines(plain, genuine), [league.cosigner_key])
    assert (taken.checkpoint, taken.unknown, taken.wrong) == (with_lines(plain, genuine), 0, 0)
    for known in ([], [league.cosigner_key]):
        for lines in ([garbage(league.cosigner_key)], [garbage(league.cosigner_key), *junk[1:]]):
            taken = ledger.take_checkpoint(with_lines(plain, *lines), known)
            assert stored(witnessed) == taken.checkpoint == with_lines(plain, genuine)
            assert (taken.unknown, taken.wrong) == (len(lines) - len(known), len(known))
    assert ledger.take_checkpoint(stored(witnessed)).unknown == 0, "what is there is not told as left out"


def test_a_witness_of_the_game_is_known_by_its_key_of_event_0(witnessed: Table) -> None:
    wendy, plain = witnessed.identities["wendy"], stored(witnessed)
    other = Identity.generate("wendy")
    for line in (garbage(wendy.cosigner_key), by(other, plain)):
        assert witnessed.ledger.take_checkpoint(with_lines(plain, line)).checkpoint == plain
    alices = by(witnessed.identities["alice"], plain)
    assert witnessed.ledger.take_checkpoint(with_lines(plain, alices)).unknown == 1, "a player is no witness"
    twice = with_lines(plain, by(wendy, plain), garbage(wendy.cosigner_key), by(wendy, plain, 2_000_000_000))
    taken = witnessed.ledger.take_checkpoint(twice)
    assert (taken.checkpoint, taken.wrong) == (with_lines(plain, by(wendy, plain)), 1)


def test_an_imported_sidecar_is_sifted(witnessed: Table, tmp_path: Path) -> None:
    wendy, plain = witnessed.identities["wendy"], stored(witnessed)
    league = Identity.generate("league")
    sidecar = with_lines(plain, garbage(wendy.cosigner_key), by(league, plain))
    other = Ledger(tmp_path / "other.db", Clock())
    taken = other.importer.import_log(witnessed.log, name="log", checkpoint=bytes(sidecar)).checkpoint
    assert taken is not None
    assert (other.checkpoint(witnessed.game), taken.unknown, taken.wrong) == (plain, 1, 1)
    more = with_lines(plain, by(wendy, plain), by(league, plain))
    other.importer.import_log(witnessed.log, name="log", checkpoint=bytes(more), cosigners=[league.cosigner_key])
    assert {line.name for line in other.checkpoint(witnessed.game).signatures} == {"host", "wendy", "league"}  # type: ignore[union-attr]
    other.close()


def test_the_keeper_shuts_no_witness_out_with_witnesses_of_its_own() -> None:
    """As many parties as there are lines, all the keeper's; and one with the name and key id of the league's key."""
    league, host = Identity.generate("league"), Identity.generate("host")
    crowd = [Identity.generate(f"w{n}") for n in range(MAX_PARTIES - 1)]
    keys = {each.name: each.key for each in (host, *crowd)}
    roles: dict[str, Role] = {name: "keeper" if name == "host" else "witness" for name in keys}
    terms = Terms(bytes(32), "", "", keys, roles, "all", "host")
    head = Checkpoint(bytes(32), 7, bytes(32))
    plain = sign_checkpoint(head, host.key, host.sign)
    full = merge_cosignatures(with_lines(plain, *(by(each, plain) for each in crowd)), None, terms, ()).checkpoint
    assert len(full.signatures) == MAX_SIGNATURES
    taken = merge_cosignatures(with_lines(plain, by(league, plain)), full, terms, [league.cosigner_key]).checkpoint
    assert len(taken.signatures) == MAX_SIGNATURES
    assert [line.name for line in taken.signatures[:2]] == ["host", "league"]

    class SameId(CosignerKey):
        """4 bytes of a hash can be found by trying."""

        key_id = league.cosigner_key.key_id

    false = Identity.generate("league")
    forged = cosign(head, SameId("league", false.key.public_bytes), 1, false.sign)
    known = {**keys, "league": false.key}
    genuine = merge_cosignatures(with_lines(plain, by(league, plain)), None, terms, [league.cosigner_key])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ledger.store.cosignatures.CosignerKey", SameId)
        terms = Terms(bytes(32), "", "", known, {**roles, "league": "witness"}, "all", "host")
        assert merge_cosignatures(with_lines(plain, forged), None, terms, ()).checkpoint == with_lines(plain, forged)
        false_one = merge_cosignatures(with_lines(plain, forged), None, terms, ()).checkpoint
        assert (
            merge_cosignatures(with_lines(plain, forged), genuine.checkpoint, terms, ()).checkpoint
            == genuine.checkpoint
        )
        for given in (with_lines(plain, by(league, plain)), with_lines(plain, forged, by(league, plain))):
            taken = merge_cosignatures(given, false_one, terms, [league.cosigner_key]).checkpoint
            assert taken == genuine.checkpoint


def test_a_witness_adds_its_line_to_a_file_that_is_full() -> None:
    host, walt = Identity.generate("host"), Identity.generate("walt")
    plain = sign_checkpoint(Checkpoint(bytes(32), 7, bytes(32)), host.key, host.sign)
    junk = [NoteSignature(f"j{n}", bytes(4), b"junk") for n in range(MAX_SIGNATURES - 2)]
    full = SignedCheckpoint(plain.head, (*junk, garbage(walt.cosigner_key), *plain.signatures))
    taken = with_own(full, host.key, by(walt, plain))
    assert (len(taken.checkpoint.signatures), taken.unknown) == (MAX_SIGNATURES, 0)
    assert parse_checkpoint(bytes(taken.checkpoint)).signatures[-1] == by(walt, plain)
    assert garbage(walt.cosigner_key) not in taken.checkpoint.signatures
    more = SignedCheckpoint(plain.head, (NoteSignature("j", bytes(4), b"junk"), *junk, *plain.signatures))
    assert with_own(more, host.key, by(walt, plain)).unknown == 1


def test_the_command_line_says_what_was_left_out(
    witnessed: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cli, plain, log = Cli(tmp_path / "home", capsys, monkeypatch), stored(witnessed), tmp_path / "log.jsonl"
    league, wendy = Identity.generate("league"), witnessed.identities["wendy"]
    log.write_bytes(witnessed.log)
    sidecar = log.with_name("log.jsonl.checkpoint")
    sidecar.write_bytes(bytes(with_lines(plain, by(league, plain), garbage(wendy.cosigner_key))))
    told = cli("import", log)
    assert told.code == 0
    assert "by keys that are not known here: 1" in told.err
    assert "that do not hold: 1" in told.err
    policy, game = tmp_path / "league.policy", witnessed.game.hex()
    policy.write_text(f"witness l {league.cosigner_key}\nwitness w {wendy.cosigner_key}\ngroup g any l w\nquorum g\n")
    again = cli("import", log, "--policy", policy)
    assert "not known" not in again.err
    assert "policy.split" in again.err
    assert cli.ok("checkpoint", game) == bytes(with_lines(plain, by(league, plain))).decode()
    sidecar.write_text(garbage(league.cosigner_key).line)
    assert "left out" in cli("checkpoint", game, "--add", sidecar).err
    assert cli.ok("checkpoint", game) == bytes(with_lines(plain, by(league, plain))).decode()


# --- names for keys --------------------------------------------------------------------------------------------------


def expecting(table: Table, *keys: VerifierKey) -> Finding | None:
    return verify(table.log, pins=Pins(keys=keys))[0].error


def test_a_key_that_the_caller_expects_is_a_partys(make_table: Callable[..., Table]) -> None:
    """The log of a1ice was said to hold for whoever gave alice's key."""
    alice, a1ice = Identity.generate("alice"), Identity.generate("a1ice")
    others = {name: Identity.generate(name) for name in ("host", "bob")}
    roles: dict[str, Role] = {"host": "keeper", "a1ice": "player", "bob": "player"}
    posing = make_table(roles=roles, identities=others | {"a1ice": a1ice})
    renamed = make_table(roles=roles, identities=others | {"a1ice": Identity("a1ice", alice._private_key)})
    zoe, bob = Identity.generate("zoe").key, Identity.generate("bob").key
    cases = [
        (posing, alice.key, "a1ice looks like alice, and has another key"),
        (renamed, alice.key, "alice's key plays as a1ice."),
        (posing, zoe, "no party is called zoe."),
        (posing, bob, "The bob of this log has another key"),
    ]
    for table, key, told in cases:
        error = expecting(table, table.keys["host"], key)
        assert error is not None
        assert (error.code, error.seq, error.fault, error.expected) == ("expect.key", 0, "file", str(key))
        assert told in error.message
    assert expecting(posing, *posing.keys.values()) is None


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("alice", "a1ice", True),
        ("alice", "al1ce", True),
        ("bob", "b0b", True),
        ("sue", "5ue", True),
        ("zoe", "2oe", True),
        ("mark", "r.nark", True),
        ("walt", "vvalt", True),
        ("dana", "d-a.n_a", True),
        ("alice", "alice2", False),
        ("bob", "bod", False),
        ("-", "_", True),
    ],
)
def test_names_that_look_alike(one: str, other: str, alike: bool) -> None:
    assert looks_alike(one, other) == looks_alike(other, one) == alike


def test_an_expected_key_counts_in_the_summary_too(
    make_table: Callable[..., Table], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, key = tmp_path / "log.jsonl", str(Identity.generate("a.lice").key)
    log.write_bytes(make_table().log)
    assert run_verifier([str(log), "--key", key, "--summary"]) == 1
    assert "expect.key" in capsys.readouterr().out
    assert run_verifier([str(log), "--key", key]) == 1
    assert "alice looks like a.lice" in capsys.readouterr().out


def rollproof(home: Path, *arguments: str | Path, passphrase: str = PASSPHRASE) -> str:
    """What a command prints, on a machine of its own: a process with its own home."""
    command = [sys.executable, "-c", "from ledger.cli import main; main()", *map(str, arguments)]
    settings = {
        "ROLLPROOF_HOME": str(home),
        "ROLLPROOF_STATE": str(state_of(home)),
        "ROLLPROOF_PASSPHRASE": passphrase,
        "ROLLPROOF_LANG": "en",
        "LANGUAGE": "en",
    }
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SPECS.parent), **settings}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == (75 if arguments[0] == "roll" else 0), "it waits for bob, who is elsewhere"
    return done.stdout + done.stderr


@pytest.mark.long
def test_who_has_the_keepers_name_is_not_the_keeper(tmp_path: Path) -> None:
    """Bob hosts games of his own, as the guide told him, and so has an identity called host."""
    hosts, bobs = tmp_path / "hosts", tmp_path / "bobs"
    for home, names in ((hosts, ("host", "alice")), (bobs, ("bob", "host"))):
        for name in names:
            make_identity(home, name)
    key = rollproof(bobs, "identity", "show", "bob").strip()
    rollproof(hosts, "new", "--keeper", "host", "--player", "alice", "--player", key, "--title", "t", "--links", "8")
    rollproof(hosts, "join", "t", "--as", "alice", "--links", "8")

    def send(name: str, home: Path, to: Path) -> str:
        rollproof(home, "export", "t", "--out", tmp_path / name)
        return rollproof(to, "import", tmp_path / name)

    send("1.jsonl", hosts, bobs)
    told = rollproof(bobs, "join", "t", "--as", "bob", "--links", "8")
    assert "Export the log and send it to host, who keeps the log" in told
    assert "did not sign a checkpoint" not in told
    send("2.jsonl", bobs, hosts)
    send("3.jsonl", hosts, bobs)
    rollproof(hosts, "roll", "t", "d20 x: compare", "--as", "alice")
    shown = rollproof(hosts, "state", "t")
    assert "--as bob --out bob.opening" in shown
    assert "is not the" not in send("5.jsonl", hosts, bobs)
    told = rollproof(bobs, "open", "t", "--as", "bob")
    assert "host keeps the log and is not here" in told
    assert "did not act" not in told
    assert "--as bob --out" not in rollproof(bobs, "state", "t")
