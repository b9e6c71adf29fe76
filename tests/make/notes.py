"""Make the vectors of specs/checkpoints.md from that page alone; results are stated by hand, case by case.

python -m tests.make.notes             # writes specs/vectors/notes.json and codes.json, and what is in notes/
python -m tests.make.notes --check     # writes nothing, exits 1 if it differs
"""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.oracles import reference as ref

VECTORS = Path(__file__).resolve().parents[2] / "specs" / "vectors"
ALICES, BOBS = "holds--copy-shown-to-alice.jsonl", "holds--copy-shown-to-bob.jsonl"
COMMON = 6
"""lines that the two histories share"""
TIME = 1_800_000_000
Json = dict[str, Any]


def secret(name: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(ref.sha256(f"rollproof vectors key {name}".encode()))


def public(name: str) -> bytes:
    return secret(name).public_key().public_bytes_raw()


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


# --- RFC 6962, 2.1.1 and 2.1.2, word for word ----------------------------------------------------------------------


def split(n: int) -> int:
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH(m, D[n])."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), ref.root(leaves[k:])]
    return [*path(m - k, leaves[k:]), ref.root(leaves[:k])]


def proof(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PROOF(m, D[n])."""
    return subproof(m, leaves, True)


def subproof(m: int, leaves: Sequence[bytes], known: bool) -> list[bytes]:
    if m == len(leaves):
        return [] if known else [ref.root(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], known), ref.root(leaves[k:])]
    return [*subproof(m - k, leaves[k:], False), ref.root(leaves[:k])]


# --- notes -----------------------------------------------------------------------------------------------------------


def line(name: str, key_id: bytes, signature: bytes) -> str:
    return f"— {name} {b64(key_id + signature)}\n"


def signed(text: str, name: str = "host", key: str = "") -> str:
    """A signature line of type 0x01 in `name`, made with the key of `key`."""
    return line(name, ref.key_id(name, public(name)), secret(key or name).sign(text.encode()))


def cosigner_id(name: str, key: bytes) -> bytes:
    return ref.sha256(name.encode() + b"\n\x04" + key)[:4]


def cosigned(text: str, name: str = "walt", time: int = TIME) -> str:
    signature = secret(name).sign(f"cosignature/v1\ntime {time}\n{text}".encode())
    return line(name, cosigner_id(name, public(name)), ref.u64(time) + signature)


def cosigner_key(name: str) -> str:
    return f"{name}+{cosigner_id(name, public(name)).hex()}+{b64(bytes([4]) + public(name))}"


def verifier_key(name: str) -> str:
    return ref.verifier_key(name, public(name))


def lines_of(file: str) -> list[bytes]:
    return (VECTORS / "logs" / file).read_bytes().split(b"\n")[:-1]


LOG, OTHER = lines_of(ALICES), lines_of(BOBS)
LEAVES, OTHERS = [ref.leaf(each) for each in LOG], [ref.leaf(each) for each in OTHER]
GAME = LEAVES[0].hex()
SIZE = len(LOG)


def text_of(size: int, leaves: Sequence[bytes] = LEAVES, game: str = GAME) -> str:
    return f"rollproof/v1/{game}\n{size}\n{b64(ref.root(leaves[:size]))}\n"


def checkpoint(size: int, leaves: Sequence[bytes] = LEAVES, *more: str) -> str:
    text = text_of(size, leaves)
    return text + "\n" + signed(text) + "".join(more)


# --- the cases -------------------------------------------------------------------------------------------------------


def tree_cases() -> list[Json]:
    leaves = [ref.leaf(bytes.fromhex(each)) for each in TREE]
    cases: list[Json] = []
    for size in range(1, len(leaves) + 1):
        of = leaves[:size]
        cases.append(
            {
                "size": size,
                "root": b64(ref.root(of)),
                "inclusion": [[b64(each) for each in path(index, of)] for index in range(size)],
                "consistency": [[b64(each) for each in proof(old, of)] for old in range(1, size + 1)],
            }
        )
    return cases


# The leaves of the Certificate Transparency reference implementation.
TREE = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]


def checkpoint_cases() -> list[Json]:
    text = text_of(SIZE)
    good = checkpoint(SIZE)
    host = signed(text)
    head = {"game": GAME, "size": SIZE, "root": ref.root(LEAVES).hex()}
    cases: list[Json] = []

    def named(character: str) -> str:
        """A line by a key that nobody knows, whose name has the character."""
        return line(f"w{character}w", bytes(4), bytes(64))

    def case(about: str, note: str | bytes, read: Json | None, by_keeper: bool = False) -> None:
        given = {"note": note} if isinstance(note, str) else {"hex": note.hex()}
        cases.append({"about": about, **given, "read": read, "by_keeper": by_keeper})

    case("by the keeper", good, head, True)
    case("by the keeper, cosigned", good + cosigned(text), head, True)
    case("other signatures before the keeper's", f"{text}\n{cosigned(text)}{signed(text, 'alice')}{host}", head, True)
    first = {"game": GAME, "size": 1, "root": GAME}
    case("the first line alone: its root is the game id", checkpoint(1), first, True)
    case("64 signatures", f"{text}\n{host}" + cosigned(text) * 63, head, True)
    case("by a player only", f"{text}\n{signed(text, 'alice')}", head)
    case("in the keeper's name, by another's key", f"{text}\n{signed(text, 'host', 'alice')}", head)
    own = line("host", ref.key_id("host", public("alice")), secret("alice").sign(text.encode()))
    case("in the keeper's name and another's key id", f"{text}\n{own}", head)
    renamed = line("h", ref.key_id("host", public("host")), secret("host").sign(text.encode()))
    case("the keeper's key and signature under another name", f"{text}\n{renamed}", head)
    case("a bad signature by the keeper beside a good one", f"{text}\n{signed(text, 'host', 'alice')}{host}", head)
    case("a good signature by the keeper, doubled", f"{text}\n{host}{host}", head, True)
    other = signed(text_of(SIZE - 1))
    case("the keeper's signature of another checkpoint", f"{text}\n{other}", head)
    for code in (0x7E, 0xA1, 0x180E, 0x200B, 0x2065, 0xFEFF, 0x10FFFF):
        case(f"a name with U+{code:04X}", f"{text}\n{named(chr(code))}{host}", head, True)
    event = line(
        "host", ref.key_id("host", public("host")), secret("host").sign(b"rollproof/v1/event\n" + text.encode())
    )
    case("signed under the label of events", f"{text}\n{event}", head)
    case("the keeper's key as a cosigner", f"{text}\n{cosigned(text, 'host')}", head)

    def broken(about: str, note: str | bytes) -> None:
        case(about, note, None)

    broken("empty", "")
    broken("no line feed at the end", good[:-1])
    broken("no signatures", text)
    broken("no signature below the empty line", text + "\n")
    broken("no empty line", text + host)
    broken("a second empty line above the signatures", f"{text}\n\n{host}")
    broken("an empty line after the signatures", good + "\n")
    broken("a line with blanks only for the empty one", f"{text} \n{host}")
    broken("a hyphen for the dash", f"{text}\n{host.replace('— ', '- ')}")
    broken("an en dash for the dash", f"{text}\n{host.replace('— ', '– ')}")
    broken("no name", f"{text}\n{host.replace('— host ', '—  ')}")
    broken("a name with a plus sign", f"{text}\n{host.replace(' host ', ' ho+st ')}")
    broken("a name with a no-break space", text + "\n" + host.replace(" host ", " ho\u00a0st "))
    for code in (0x01, 0x1F, 0x7F, 0x80, 0x85, 0x9F, 0x1680, 0x2028, 0x3000):
        broken(f"a name with U+{code:04X}", f"{text}\n{named(chr(code))}{host}")
    broken("two blanks after the name", f"{text}\n{host.replace(' host ', ' host  ')}")
    broken("a blank at the end of a signature line", f"{text}\n{host[:-1]} \n")
    broken("no base64 padding", f"{text}\n— walt {b64(bytes(6) + b'x').rstrip('=')}\n")
    broken("unused bits of base64 that are not zero", f"{text}\n— walt {b64(bytes(7))[:-3]}B==\n")
    broken("the other base64 alphabet", f"{text}\n— walt {base64.urlsafe_b64encode(bytes([0xFF]) * 9).decode()}\n")
    broken("a key id and no signature", f"{text}\n— walt {b64(bytes(4))}\n")
    broken("65 signatures", f"{text}\n{host}" + cosigned(text) * 64)
    broken("a carriage return", good.replace("\n", "\r\n"))
    broken("a tab", good.replace(" host ", "\thost "))
    broken("a null", good.replace("host", "ho\x00st"))
    broken("not UTF-8", good.encode().replace(b"host", b"ho\xff"))

    def worded(about: str, changed: str) -> None:
        broken(about, f"{changed}\n{signed(changed)}")

    lines = text.split("\n")
    worded("two lines", "\n".join(lines[:2]) + "\n")
    worded("an extension line", text + "extension\n")
    worded("an empty line below the root", text + "\n")
    worded("the origin of another program", text.replace("rollproof/v1", "example.com"))
    worded("another version", text.replace("rollproof/v1", "rollproof/v2"))
    worded("the game id in upper case", text.replace(GAME, GAME.upper()))
    worded("a game id of 63 digits", text.replace(GAME, GAME[1:]))
    worded("a blank after the origin", text.replace(GAME, GAME + " "))
    for about, size in (
        ("size zero", "0"),
        ("a size with a leading zero", "011"),
        ("a size with a plus sign", "+11"),
        ("a size below zero", "-1"),
        ("a size with a blank", " 11"),
        ("a size in another script", "１１"),
        ("a size above 2^53 - 1", str(2**53)),
        ("no size", ""),
    ):
        worded(about, f"{lines[0]}\n{size}\n{lines[2]}\n")
    for about, root in (
        ("a root of 31 bytes", b64(bytes(31))),
        ("a root in hex", ref.root(LEAVES).hex()),
        ("a root without padding", lines[2].rstrip("=")),
    ):
        worded(about, f"{lines[0]}\n{lines[1]}\n{root}\n")
    return cases


def finding(code: str, fault: str = "file", step: int = 26) -> Json:
    return {"code": code, "step": step, "fault": fault}


def receipt_cases() -> list[Json]:
    cases: list[Json] = []

    def case(about: str, lines: int, receipts: list[str], findings: list[Json], policy: str | None = None) -> None:
        asked = {} if policy is None else {"policy": policy}
        cases.append({"about": about, "lines": lines, "receipts": receipts, **asked, "findings": findings})

    forked, text = finding("receipt.forked", "host"), text_of(SIZE)
    other_game = f"rollproof/v1/{'0' * 64}\n3\n{b64(bytes(32))}\n"
    case("the whole log", SIZE, [checkpoint(SIZE)], [])
    case("a part of it", SIZE, [checkpoint(3), checkpoint(1)], [])
    case("cut short", SIZE - 2, [checkpoint(SIZE)], [finding("receipt.short")])
    case(
        "cut short, by two receipts", SIZE - 2, [checkpoint(SIZE), checkpoint(SIZE - 1)], [finding("receipt.short")] * 2
    )
    case("what both histories share", SIZE, [checkpoint(COMMON, OTHERS)], [])
    case("the other history", SIZE, [checkpoint(SIZE, OTHERS)], [forked])
    case("a part of the other history", SIZE, [checkpoint(COMMON + 1, OTHERS)], [forked])
    case(
        "the other history, and nothing that the keeper signed of this one",
        COMMON + 1,
        [checkpoint(COMMON + 1, OTHERS)],
        [finding("receipt.forked")],
    )
    case(
        "the same, with a receipt of this one",
        COMMON + 1,
        [checkpoint(COMMON + 1, OTHERS), checkpoint(COMMON + 1)],
        [forked],
    )
    case(
        "the same, with a shorter receipt of this one",
        COMMON + 1,
        [checkpoint(COMMON + 1, OTHERS), checkpoint(COMMON)],
        [finding("receipt.forked")],
    )
    third = text_of(COMMON + 1, [*LEAVES[:COMMON], ref.leaf(b"a third")])
    case(
        "two that contradict each other, and neither is this history",
        COMMON + 1,
        [checkpoint(COMMON + 1, OTHERS), f"{third}\n{signed(third)}"],
        [forked] * 2,
    )
    case(
        "another history, with a longer receipt of this one",
        COMMON + 2,
        [checkpoint(COMMON + 1, OTHERS), checkpoint(COMMON + 2)],
        [forked],
    )
    case("two that contradict each other, both too long", 3, [checkpoint(9), checkpoint(9, OTHERS)], [forked] * 2)
    text12 = f"rollproof/v1/{GAME}\n{SIZE + 1}\n{b64(bytes(32))}\n"
    case("more events than a closed game can have", SIZE, [f"{text12}\n{signed(text12)}"], [forked])
    other9 = other_game.replace("\n3\n", "\n9\n")
    case(
        "cut short, beside a receipt of another game with the same size",
        3,
        [checkpoint(9), f"{other9}\n{signed(other9)}"],
        [finding("receipt.short"), finding("receipt.game")],
    )
    case("of another game", SIZE, [f"{other_game}\n{signed(other_game)}"], [finding("receipt.game")])
    case("signed by a player", SIZE, [f"{text}\n{signed(text, 'alice')}"], [finding("receipt.signature")])
    case(
        "signed by a stranger as host", SIZE, [f"{text}\n{signed(text, 'host', 'zoe')}"], [finding("receipt.signature")]
    )
    case("no checkpoint", SIZE, ["hello\n"], [finding("receipt.malformed")])
    case(
        "everything at once",
        3,
        ["hello\n", checkpoint(SIZE), checkpoint(2)],
        [finding("receipt.malformed"), finding("receipt.short")],
    )
    unmet = finding("policy.unmet", step=27)
    one = f"witness w {cosigner_key('walt')}\nquorum w\n"
    case("a policy that is met", SIZE, [checkpoint(SIZE, LEAVES, cosigned(text))], [], one)
    case("a policy and no cosignature", SIZE, [checkpoint(SIZE)], [unmet], one)
    case("a policy and no receipt", SIZE, [], [unmet], one)
    case("a policy, and only a part is cosigned", SIZE, [checkpoint(3, LEAVES, cosigned(text_of(3)))], [unmet], one)
    case(
        "a policy, and the cosignature is of another size",
        SIZE,
        [checkpoint(SIZE, LEAVES, cosigned(text_of(3)))],
        [unmet],
        one,
    )
    case(
        "a policy, and cosigned is the other history",
        SIZE,
        [checkpoint(SIZE, OTHERS, cosigned(text_of(SIZE, OTHERS)))],
        [forked, unmet],
        one,
    )
    case(
        "a policy, and cosigned is what the keeper did not sign",
        SIZE,
        [f"{text}\n{cosigned(text)}"],
        [finding("receipt.signature"), unmet],
        one,
    )
    case("a policy with this keeper", SIZE, [], [], f"log {verifier_key('host')}\nquorum none\n")
    case("a policy with another keeper", SIZE, [], [unmet], f"log {verifier_key('zoe')}\nquorum none\n")
    return cases


def policy_cases() -> list[Json]:
    text = text_of(SIZE)
    keys = "".join(f"witness {name[0]} {cosigner_key(name)}\n" for name in ("walt", "gail", "zoe"))
    walt, gail, zoe = (cosigned(text, name) for name in ("walt", "gail", "zoe"))
    cases: list[Json] = []

    def case(about: str, policy: str, met: list[tuple[list[str], bool]] | None) -> None:
        found = (
            None
            if met is None
            else [{"note": checkpoint(SIZE, LEAVES, *lines), "met": is_met} for lines, is_met in met]
        )
        cases.append({"about": about, "policy": policy, "checkpoints": found})

    case("no quorum asked", "quorum none\n", [([], True)])
    case("one witness", keys + "quorum w\n", [([walt], True), ([gail, zoe], False), ([], False)])
    case(
        "two of three",
        keys + "group a 2 w g z\nquorum a\n",
        [([walt, zoe], True), ([zoe], False), ([walt, walt], False)],
    )
    case("all", keys + "group a all w g z\nquorum a\n", [([walt, gail, zoe], True), ([walt, gail], False)])
    case("any", keys + "group a any w g z\nquorum a\n", [([zoe], True), ([], False)])
    nested = "group two any w g\ngroup a all two z\nquorum a\n"
    case("groups in groups", keys + nested, [([gail, zoe], True), ([walt, gail], False), ([zoe], False)])
    spaced = f"# a comment\n\n \t\n  witness\tw  {cosigner_key('walt')} https://example.com/\n\tquorum w \n"
    case("comments, blanks, tabs and an address", spaced, [([walt], True), ([gail], False)])
    forged = line("walt", cosigner_id("walt", public("walt")), ref.u64(TIME) + bytes(64))
    case("a signature that does not hold beside one that does", keys + "quorum w\n", [([walt, forged], False)])
    case("time zero", keys + "quorum w\n", [([cosigned(text, "walt", 0)], False)])
    case("a time above 2^63 - 1", keys + "quorum w\n", [([cosigned(text, "walt", 2**63)], False)])
    case("letters beyond ASCII in a comment", "# \u00e9\nquorum none\n", [([], True)])
    keepers = f"log {verifier_key('host')}\nlog {verifier_key('zoe')} https://example.com/\n"
    case("two keepers", f"{keepers}quorum none\n", [([], True)])

    def chain(count: int) -> str:
        """Groups, each a member of the next."""
        members = ["w", *(f"g{i}" for i in range(count - 1))]
        return keys + "".join(f"group g{i} 1 {member}\n" for i, member in enumerate(members)) + f"quorum g{count - 1}\n"

    case("64 groups", chain(64), [([walt], True), ([gail, zoe], False)])

    def broken(about: str, policy: str) -> None:
        case(about, policy, None)

    walt_line = f"witness w {cosigner_key('walt')}\n"
    small = bytes(32)
    broken("empty", "")
    broken("no quorum", keys)
    broken("a quorum without a name", keys + "quorum\n")
    broken("a quorum of two names", keys + "quorum w g\n")
    broken("two quorums", keys + "quorum w\nquorum w\n")
    broken("a quorum of nobody known", keys + "quorum x\n")
    broken("a quorum before its witness", "quorum w\n" + keys)
    broken("another word", "wittness\nquorum none\n")
    broken("a witness without a key", "witness w\nquorum none\n")
    broken("a keeper's key for a witness", f"witness w {verifier_key('walt')}\nquorum w\n")
    broken("a witness's key for a keeper", f"log {cosigner_key('host')}\nquorum none\n")
    broken(
        "a key id that does not fit",
        walt_line.replace(cosigner_id("walt", public("walt")).hex(), "00000000") + "quorum w\n",
    )
    broken(
        "a key of small order",
        f"witness w walt+{cosigner_id('walt', small).hex()}+{b64(bytes([4]) + small)}\nquorum w\n",
    )
    for code in (0x80, 0x85, 0x9F, 0xA0, 0x2029):
        name = f"w{chr(code)}w"
        key = f"{name}+{cosigner_id(name, public('walt')).hex()}+{b64(bytes([4]) + public('walt'))}"
        broken(f"a key with U+{code:04X} in its name", f"witness w {key}\nquorum w\n")
    broken("a witness twice", walt_line * 2 + "quorum w\n")
    broken("one key under two names", walt_line + walt_line.replace("witness w", "witness x") + "quorum w\n")
    broken("a witness called none", f"witness none {cosigner_key('walt')}\nquorum none\n")
    broken("a group called as a witness", keys + "group w any g\nquorum w\n")
    broken("a group called as another", keys + "group a any w\ngroup a any g\nquorum a\n")
    broken("a witness called as a group", f"{keys}group a any w\nwitness a {cosigner_key('host')}\nquorum a\n")
    broken("a keeper without a key", "log\nquorum none\n")
    broken(
        "a keeper with two addresses", f"log {verifier_key('host')} https://a.example https://b.example\nquorum none\n"
    )
    broken("a keeper twice", f"{keepers}log {verifier_key('host')}\nquorum none\n")
    broken("a witness with two addresses", f"{walt_line[:-1]} https://a.example https://b.example\nquorum w\n")
    broken("a group without a number", keys + "group a\nquorum a\n")
    broken("a group without members", keys + "group a any\nquorum a\n")
    broken("a group of a word", keys + "group a most w g\nquorum a\n")
    broken("a group's number in another script", keys + "group a \uff12 w g\nquorum a\n")
    broken("a group's number with a sign", keys + "group a +2 w g\nquorum a\n")
    broken("a group's number of 5,000 digits", f"{keys}group a {'1' * 5_000} w g\nquorum a\n")
    broken("a group of zero", keys + "group a 0 w g\nquorum a\n")
    broken("a group of more than its members", keys + "group a 3 w g\nquorum a\n")
    broken("a group's number with a leading zero", keys + "group a 01 w g\nquorum a\n")
    broken("a member in two groups", keys + "group a any w g\ngroup b any w z\nquorum a\n")
    broken("a member twice", keys + "group a 2 w w\nquorum a\n")
    broken("a group in itself", keys + "group a any a w\nquorum a\n")
    broken("none as a member", keys + "group a any none w\nquorum a\n")
    broken("no line feed at the end", "quorum none")
    broken("a carriage return", "quorum none\r\n")
    for code in (0x00, 0x1B, 0x7F):
        broken(f"a comment with U+{code:04X}", f"# {chr(code)}\nquorum none\n")
    broken("65 groups", chain(65))
    return cases


def tlog_proof(index: int, size: int = SIZE, extra: bytes | None = None, hashes: list[bytes] | None = None) -> str:
    found = path(index, LEAVES[:size]) if hashes is None else hashes
    carried = LOG[index] if extra is None else extra
    lines = "".join(b64(each) + "\n" for each in found)
    return f"c2sp.org/tlog-proof@v1\nextra {b64(carried)}\nindex {index}\n{lines}\n{checkpoint(size)}"


def proof_cases() -> list[Json]:
    cases: list[Json] = []
    known = {"game": GAME, "keeper": verifier_key("host"), "index": 4}
    good, text = tlog_proof(4), text_of(SIZE)
    bare = "\n".join(each for each in good.split("\n") if not each.startswith("extra "))
    own = LOG[4].decode()

    def case(about: str, given: str, result: str, **expected: Any) -> None:
        cases.append({"about": about, "proof": given, "expected": {**known, **expected}, "result": result})

    case("event 4, alice's", good, "holds")
    case("its size and line known too", good, "holds", size=SIZE, line=own)
    case("its author's key known too", good, "holds", keys=[verifier_key("alice")])
    case("the line beside the proof", bare, "holds", line=own)
    case("the first event", tlog_proof(0), "holds", index=0)
    case("the last event", tlog_proof(SIZE - 1), "holds", index=SIZE - 1)
    case("a log of one line", tlog_proof(0, 1), "holds", index=0)
    case("a policy that is met", good + cosigned(text), "holds", policy=f"witness w {cosigner_key('walt')}\nquorum w\n")
    case("a policy that is not met", good, "P10 policy.unmet", policy=f"witness w {cosigner_key('walt')}\nquorum w\n")
    case("a policy with other keepers", good, "P10 policy.unmet", policy=f"log {verifier_key('zoe')}\nquorum none\n")
    case("a wrong author's key", good, "P9 proof.author", keys=[ref.verifier_key("alice", public("zoe"))])
    case("another game", good, "P2 proof.game", game="0" * 64)
    case("another keeper", good, "P3 proof.signature", keeper=verifier_key("alice"))
    case("the keeper's name, another key", good, "P3 proof.signature", keeper=ref.verifier_key("host", public("zoe")))
    case("another size asked", good, "P4 proof.size", size=SIZE - 1)
    case("another number asked", good, "P5 proof.index", index=5)
    case("a number that is not in the tree", good.replace("index 4", f"index {SIZE}"), "P5 proof.index", index=SIZE)
    case("no line anywhere", bare, "P6 proof.event")
    case("another line beside the proof", good, "P6 proof.event", line=LOG[5].decode())
    case("another event in the proof", tlog_proof(4, extra=LOG[5]), "P7 proof.inclusion")
    case("another event beside the proof", bare, "P7 proof.inclusion", line=LOG[5].decode())
    case("an edited event", tlog_proof(4, extra=LOG[4].replace(b"1", b"2", 1)), "P7 proof.inclusion")
    case("the line with its line feed", tlog_proof(4, extra=LOG[4] + b"\n"), "P7 proof.inclusion")
    case("a hash too few", tlog_proof(4, hashes=path(4, LEAVES)[:-1]), "P7 proof.inclusion")
    case("a hash too many", tlog_proof(4, hashes=[*path(4, LEAVES), bytes(32)]), "P7 proof.inclusion")
    case("hashes in another order", tlog_proof(4, hashes=path(4, LEAVES)[::-1]), "P7 proof.inclusion")
    case("the hashes of another event", tlog_proof(4, hashes=path(5, LEAVES)), "P7 proof.inclusion")
    case("63 hashes", tlog_proof(4, hashes=[bytes(32)] * 63), "P7 proof.inclusion")
    inner = ref.sha256(b"\x01" + LEAVES[4] + LEAVES[5])
    case(
        "an inner node for a leaf",
        tlog_proof(2, extra=LEAVES[4] + LEAVES[5], hashes=[inner]),
        "P7 proof.inclusion",
        index=2,
    )
    misplaced = [LEAVES[0], *LEAVES[1:4], LEAVES[5], LEAVES[4], *LEAVES[6:]]
    lines = "".join(b64(each) + "\n" for each in path(4, misplaced))
    moved = f"c2sp.org/tlog-proof@v1\nextra {b64(LOG[5])}\nindex 4\n{lines}\n{checkpoint(SIZE, misplaced)}"
    case("an event that the keeper put elsewhere in a tree", moved, "P8 proof.event")
    foreign = lines_of("holds--all-contributors.jsonl")[4]
    mixed = [*LEAVES[:4], ref.leaf(foreign), *LEAVES[5:]]
    lines = "".join(b64(each) + "\n" for each in path(4, mixed))
    strange = f"c2sp.org/tlog-proof@v1\nextra {b64(foreign)}\nindex 4\n{lines}\n{checkpoint(SIZE, mixed)}"
    case("an event of another game that the keeper put into a tree", strange, "P8 proof.event")
    junk = [LEAVES[0], ref.leaf(b"hello")]
    lines = "".join(b64(each) + "\n" for each in path(1, junk))
    signed_junk = f"c2sp.org/tlog-proof@v1\nextra {b64(b'hello')}\nindex 1\n{lines}\n{checkpoint(2, junk)}"
    case("no event, signed by the keeper all the same", signed_junk, "P8 proof.event", index=1)

    def broken(about: str, given: str) -> None:
        case(about, given, "P1 proof.malformed")

    broken("empty", "")
    broken("another header", good.replace("@v1", "@v2"))
    broken("no index", good.replace("index 4\n", ""))
    broken("the header alone", f"c2sp.org/tlog-proof@v1\n\n{checkpoint(SIZE)}")
    broken("the header and a line of extra", f"c2sp.org/tlog-proof@v1\nextra {b64(LOG[4])}\n\n{checkpoint(SIZE)}")
    broken("an index without a number", good.replace("index 4", "index"))
    broken("extra after the index", bare.replace("index 4\n", f"index 4\nextra {b64(LOG[4])}\n"))
    broken("extra twice", good.replace("extra ", f"extra {b64(LOG[4])}\nextra ", 1))
    broken("extra that is not base64", good.replace("extra ", "extra !", 1))
    broken("an index with a leading zero", good.replace("index 4", "index 04"))
    broken("a negative index", good.replace("index 4", "index -4"))
    broken("no checkpoint", good.partition("\n\n")[0] + "\n\n")
    broken("no empty line", good.partition("\n\n")[0] + "\n")
    broken("a hash of 31 bytes", tlog_proof(4, hashes=[bytes(31)]))
    broken("64 hashes", tlog_proof(4, hashes=[bytes(32)] * 64))
    broken("a carriage return", good.replace("index 4\n", "index 4\r\n"))
    return cases


def request(old: int, size: int, leaves: Sequence[bytes] = LEAVES, hashes: Sequence[bytes] | None = None) -> str:
    found = (proof(old, leaves[:size]) if 0 < old <= size else []) if hashes is None else hashes
    lines = "".join(b64(each) + "\n" for each in found)
    return f"old {old}\n{lines}\n{checkpoint(size, leaves)}"


def request_cases() -> list[Json]:
    cases: list[Json] = []
    text = text_of(5)

    def case(about: str, status: int, asked: str, *before: str, known: bool = True) -> None:
        cases.append({"about": about, "before": list(before), "known": known, "request": asked, "status": status})

    case("the first", 200, request(0, 5))
    case("a later one", 200, request(5, 8), request(0, 5))
    case("the same again", 200, request(5, 5), request(0, 5))
    case("from one line on", 200, request(1, SIZE), request(0, 1))
    case("from a size that is a power of two", 200, request(4, 7), request(0, 4))
    case("a game that it does not know", 404, request(0, 5), known=False)
    case("a player's signature", 403, f"old 0\n\n{text}\n{signed(text, 'alice')}")
    case("a signature of the keeper that does not hold", 403, f"old 0\n\n{text}\n{signed(text, 'host', 'zoe')}")
    case("from zero again", 409, request(0, 8), request(0, 5))
    case("from a size that it did not cosign", 409, request(4, 8), request(0, 5))
    case("from a size before anything is cosigned", 409, request(4, 8))
    case("a shorter one", 409, request(3, 4), request(0, 5))
    case("another history of the same size", 422, request(8, 8, OTHERS), request(0, 8))
    case("another history that is longer", 422, request(8, SIZE, OTHERS), request(0, 8))
    case("a proof where none is due", 422, request(0, 5, hashes=[bytes(32)]))
    case("a proof for the same size", 422, request(5, 5, hashes=[bytes(32)]), request(0, 5))
    case("no proof", 422, request(5, 8, hashes=[]), request(0, 5))
    case("a hash too many", 422, request(5, 8, hashes=[*proof(5, LEAVES[:8]), bytes(32)]), request(0, 5))
    case("a hash too few", 422, request(5, 8, hashes=proof(5, LEAVES[:8])[:-1]), request(0, 5))
    case("an old size above the checkpoint's", 400, request(9, 8), request(0, 5))
    case("an old size with a leading zero", 400, request(0, 5).replace("old 0", "old 00"))
    case("no old size", 400, request(0, 5).replace("old 0\n", "\n", 1))
    case("another word for old", 400, request(0, 5).replace("old 0", "new 0"))
    case("64 hashes", 400, request(0, 5, hashes=[bytes(32)] * 64))
    case("a hash of 31 bytes", 400, request(0, 5, hashes=[bytes(31)]))
    case("no checkpoint", 400, "old 0\n\n")
    case("empty", 400, "")
    return cases


def code(text: str) -> str:
    """disputes.md, "The code of a table"."""
    digits = str(int(ref.sha256(b"rollproof/v1/code\n" + text.encode()).hex(), 16) % 10**30).zfill(30)
    return " ".join(re.findall(".{5}", digits))


def code_cases() -> list[Json]:
    """Every size of the log and of its other history; the first game of a series whose code begins with zeros."""
    texts = [text_of(size, leaves) for leaves in (LEAVES, OTHERS) for size in range(1, SIZE + 1)]
    made = (
        f"rollproof/v1/{ref.sha256(str(number).encode()).hex()}\n{2**53 - 1}\n{b64(bytes(32))}\n" for number in count()
    )
    zeros = next(text for text in made if code(text).startswith("000"))
    return [{"text": text, "code": code(text)} for text in (*dict.fromkeys(texts), zeros)]


def vectors() -> Json:
    names = ("host", "alice", "walt", "gail", "zoe")
    return {
        "log": ALICES,
        "keys": {name: {"verifier_key": verifier_key(name), "cosigner_key": cosigner_key(name)} for name in names},
        "leaves": TREE,
        "trees": tree_cases(),
        "checkpoints": checkpoint_cases(),
        "cosignature": {
            "note": text_of(SIZE),
            "time": TIME,
            "key": cosigner_key("walt"),
            "line": cosigned(text_of(SIZE)),
        },
        "receipts": receipt_cases(),
        "policies": policy_cases(),
        "proofs": proof_cases(),
        "requests": request_cases(),
    }


def all_files() -> dict[str, bytes]:
    """Every file by its path under specs/vectors/. Those in notes/ are of one kind each, for programs to begin with."""
    text = text_of(SIZE)
    league = "".join(f"witness {name} {cosigner_key(name)}\n" for name in ("walt", "gail", "zoe"))
    singles = {
        "checkpoint": checkpoint(SIZE),
        "cosigned.checkpoint": checkpoint(SIZE, LEAVES, cosigned(text), cosigned(text, "gail")),
        "event-4.tlog-proof": tlog_proof(4),
        "keys": "".join(f"{verifier_key(name)}\n" for name in ("host", "alice", "bob")),
        "league.policy": f"log {verifier_key('host')}\n{league}group two 2 walt gail zoe\nquorum two\n",
        "request": request(5, SIZE),
    }
    index = json.dumps(vectors(), indent=1, ensure_ascii=True) + "\n"
    codes = json.dumps(code_cases(), indent=1, ensure_ascii=True) + "\n"
    return {
        "notes.json": index.encode(),
        "codes.json": codes.encode(),
        **{f"notes/{name}": text.encode() for name, text in singles.items()},
    }


def differing(files: dict[str, bytes]) -> list[str]:
    """The names of the files that are not there as given, and of those that are one too many."""
    kept = {f"notes/{path.name}" for path in (VECTORS / "notes").glob("*")}
    wrong = [
        name for name, data in files.items() if not (VECTORS / name).exists() or (VECTORS / name).read_bytes() != data
    ]
    return sorted(kept - set(files)) + wrong


def main() -> int:
    files = all_files()
    names = differing(files)
    for name in names:
        print(name)
        if "--check" in sys.argv[1:]:
            continue
        if name in files:
            (VECTORS / name).parent.mkdir(exist_ok=True)
            (VECTORS / name).write_bytes(files[name])
        else:
            (VECTORS / name).unlink()
    return 1 if names and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
