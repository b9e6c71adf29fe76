"""Attacks with witnesses, sidecars and names that worked once (specs/checkpoints.md, log.md, verification.md)."""

import hashlib
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import make_notes
from tests.make_notes import SIZE, checkpoint, cosigned, cosigner_key, text_of
from tests.table import joined
from verifier import NoteError, VerifierKey, verify
from verifier.__main__ import run as run_verifier
from verifier.checkpoint import CosignerKey
from verifier.policy import Policy, parse_policy
from verifier.proof import Expected, check_proof, proof_report, render_proven

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
