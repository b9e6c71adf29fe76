"""Logs of forged keys and signatures (specs/log.md)."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.make.cases import Cases
from tests.make.parts import (
    BODIES,
    DELINA,
    JUDGED,
    PIXIE,
    TWO,
    checkpoint,
    edited,
    joined,
    request,
    resolve,
    roll,
    table,
    whole_game,
)
from tests.oracles import reference as ref
from tests.oracles.reference import Writer, canonical, leaf

CASES = Cases()
log = CASES.log


def after_joining(label: str, author: str, type_: str, body: dict[str, Any], /, **how: Any) -> tuple[Writer, int]:
    """A game with a judge, committed; then one event, then the keeper closes."""
    w = table(label, JUDGED)
    flawed = w.write(author, type_, body, **how)
    w.close()
    return w, flawed


def bad_terms(label: str, roles: dict[str, str], contributors: Any = "all", **opened: Any) -> tuple[Writer, int]:
    w = Writer(f"terms {label}", roles, contributors)
    w.open(**opened)
    w.join(*[name for name, role in roles.items() if role != "keeper"])
    return w, 0


@log(
    "open.terms--one-name-twice-and-one-key-not-valid",
    "Two entries called host, but one has no valid key: host is who has the other, and signed.",
    "host",
)
def _() -> Any:
    entries = parties([("host", "keeper"), ("alice", "player"), ("host", "player", "bob")])
    entries[2]["key"] += "="
    return bad_terms("host twice", TWO, parties=entries)


@log("open.terms--the-first-key-is-none", "The first of the parties has no valid key; the keeper signed.", "host")
def _() -> Any:
    entries = parties([("alice", "player"), ("host", "keeper"), ("bob", "player")])
    entries[0]["key"] += "="
    return bad_terms("first key", TWO, parties=entries)


@log("open.terms--a-party-called-file", "bob's key is that of `file`, which is reserved for the reports.", "host")
def _() -> Any:
    return bad_terms("file", TWO, parties=parties([("host", "keeper"), ("alice", "player"), ("file", "player", "bob")]))


def parties(entries: list[tuple[str, ...]]) -> list[dict[str, str]]:
    """Parties of name, role and, if given, whose key they have."""
    return [
        {
            "key": ref.verifier_key(entry[0], ref.public_key(entry[-1] if len(entry) > 2 else entry[0])),
            "role": entry[1],
        }
        for entry in entries
    ]


@log("open.terms--key-id-of-another-key", "bob's verifier key has the key id of alice's.", "host")
def _() -> Any:
    entries = parties([("host", "keeper"), ("alice", "player"), ("bob", "player")])
    wrong = ref.key_id("alice", ref.public_key("alice")).hex()
    entries[2]["key"] = re.sub(r"\+[0-9a-f]{8}\+", f"+{wrong}+", entries[2]["key"], count=1)
    return bad_terms("key id", TWO, parties=entries)


def weak(number: int, sign: int) -> tuple[Writer, int]:
    """Bob has a key of small order, with which he could deny what he signed."""
    raw = bytearray.fromhex(ref.SMALL_ORDER[number])
    raw[31] |= sign << 7
    entries = parties([("host", "keeper"), ("alice", "player"), ("bob", "player")])
    entries[2]["key"] = ref.verifier_key("bob", bytes(raw))
    w = Writer(f"weak {number} {sign}", TWO)
    w.open(parties=entries)
    w.join("alice")
    # R = A of small order and S = 0 fits every message under the identity, and many under the others.
    sig = {"sig": (bytes(raw) + bytes(32)).hex()}
    w.write("bob", "join", {}, after=sig)
    w.commit("host")
    return w, 0


@log(
    "open.terms--weak-key-identity",
    "bob's key is the neutral element: (key, 0) is his signature of anything.",
    "host",
)
def _() -> Any:
    return weak(1, 0)


@log("open.terms--weak-key-order-8-negative", "bob's key is a point of order 8 with its sign bit set.", "host")
def _() -> Any:
    return weak(2, 1)


@log("open.terms--weak-key-not-canonical", "bob's key is the neutral element, written as p + 1.", "host")
def _() -> Any:
    return weak(6, 0)


@log("signature.invalid--edited-by-anyone", "Anyone edits the last line of a log, without a key.", "file")
def _() -> Any:
    w = table("edited by anyone")
    number = request(w)
    w.reveal()
    flawed = resolve(w, number, results=w.naturals)
    w.lines[-1] = edited(w.lines[-1], body={"roll": number, "results": [w.naturals[0] % 20 + 1]})
    return w, flawed


@log(
    "signature.invalid--edited-in-the-middle-by-anyone",
    "Anyone edits a result in the middle; all after it stays.",
    "file",
)
def _() -> Any:
    w = whole_game("edited middle")
    lines = list(w.lines)
    k = next(n for n, line in enumerate(lines) if b'"type":"reveal"' in line)
    body = json.loads(lines[k])["body"]
    lines[k] = edited(lines[k], body={**body, "naturals": [body["naturals"][0] % 20 + 1]})
    return joined(lines), k


@log(
    "signature.invalid--edited-by-keeper",
    "The keeper changes which die alice ignored and signs its own events again.",
    "host",
)
def _() -> Any:
    w = table("edited by keeper")
    number = request(w, "alice", PIXIE)
    w.reveal()
    event = w.event("alice", "ignore", {"roll": number, "dice": [1]})
    flawed = w.append(edited(canonical(event), body={"roll": number, "dice": [2]}))
    w.close()
    return w, flawed


@log(
    "signature.invalid--request-edited-by-keeper",
    "The keeper changes the use of a request and reveals its dice.",
    "host",
)
def _() -> Any:
    w = table("request edited")
    flawed = request(w)
    w.lines[-1] = edited(w.lines[-1], body={**DELINA, "use": "20 or more: win"})
    w.asked = leaf(w.lines[-1])
    w.reveal()
    return w, flawed


@log(
    "signature.invalid--dropped-and-all-else-mended",
    "Anyone drops a line and mends `seq` and `prev` of the next.",
    "file",
)
def _() -> Any:
    lines = list(whole_game("mended").lines)
    del lines[6]
    for number in range(6, len(lines)):
        lines[number] = edited(lines[number], seq=number, prev=leaf(lines[number - 1]).hex())
    return joined(lines), 6


@log(
    "signature.invalid--dropped-by-keeper",
    "The keeper drops bob's declare, mends alice's next, and signs its own again.",
    "host",
)
def _() -> Any:
    w = table("dropped by keeper")
    before = list(w.lines)
    w.write("bob", "declare", {"what": "trigger", "source": "Brazen Dwarf", "on": "rolled"})
    event = w.event("alice", "declare", {"what": "trigger", "source": "Feywild Trickster", "on": "rolled"})
    w.lines = before
    flawed = w.append(edited(canonical(event), seq=len(before), prev=leaf(before[-1]).hex()))
    w.close()
    return w, flawed


@log("signature.invalid--opening-label", "alice signs an event under the label of openings.", "host")
def _() -> Any:
    return after_joining("opening label", "alice", "leave", {"party": "alice"}, label=ref.OPENING_LABEL)


@log("signature.invalid--no-label", "alice signs an event without a label.", "host")
def _() -> Any:
    return after_joining("no label", "alice", "leave", {"party": "alice"}, label=b"")


@log("signature.invalid--s-not-below-the-order", "alice's signature with the group order added to S.", "host")
def _() -> Any:
    w = table("large s")
    event = w.event("alice", "leave", {"party": "alice"})
    sig = bytes.fromhex(event["sig"])
    order = 2**252 + 27742317777372353535851937790883648493
    large = (int.from_bytes(sig[32:], "little") + order).to_bytes(32, "little")
    flawed = w.append(edited(canonical(event), sig=(sig[:32] + large).hex()))
    w.close()
    return w, flawed


def signed_with(event: dict[str, Any], name: str, nonce: int, r: bytes) -> str:
    """A signature with a nonce and an encoding of R of one's own choice (RFC 8032, 5.1.6)."""
    order = 2**252 + 27742317777372353535851937790883648493
    public = ref.public_key(name)
    k = int.from_bytes(hashlib.sha512(r + public + ref.event_message(event)).digest(), "little")
    s = (nonce + k * scalar_of(ref.secret_of("key", name))) % order
    return (r + s.to_bytes(32, "little")).hex()


def scalar_of(secret: bytes) -> int:
    """The scalar whose multiple of the base point is the public key (RFC 8032, 5.1.5)."""
    return int.from_bytes(hashlib.sha512(secret).digest()[:32], "little") & ((1 << 254) - 8) | (1 << 254)


@log(
    "signature.invalid--r-is-the-identity",
    "Nonce 0: R equals the encoding of [S]B - [k]A, but it is one of small order, on which libraries differ.",
    "host",
)
def _() -> Any:
    w = table("r is the identity")
    event = w.event("alice", "leave", {"party": "alice"})
    flawed = w.append(canonical({**event, "sig": signed_with(event, "alice", 0, b"\x01" + bytes(31))}))
    w.close()
    return w, flawed


@log(
    "signature.invalid--r-not-canonical",
    "The same, with R written as y = p + 1: the point is right, its encoding is not.",
    "host",
)
def _() -> Any:
    w = table("r not canonical")
    event = w.event("alice", "leave", {"party": "alice"})
    sig = signed_with(event, "alice", 0, b"\xee" + b"\xff" * 30 + b"\x7f")
    flawed = w.append(canonical({**event, "sig": sig}))
    w.close()
    return w, flawed


@log(
    "signature.invalid--good-only-with-cofactor",
    "alice adds the point of order 2 to R: 8 times both sides are equal, the sides are not.",
    "host",
)
def _() -> Any:
    w = table("cofactor")
    event = w.event("alice", "leave", {"party": "alice"})
    secret = ref.secret_of("nonce of a signature")
    r = int.from_bytes(Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw(), "little")
    # (x, y) + (0, -1) = (-x, -y); the top bit of an encoding is the lowest bit of x.
    p, top = 2**255 - 19, 1 << 255
    negated = (p - r % top) | ((r & top) ^ top)
    flawed = w.append(
        canonical({**event, "sig": signed_with(event, "alice", scalar_of(secret), negated.to_bytes(32, "little"))})
    )
    w.close()
    return w, flawed


@log("signature.invalid--event-0-edited", "Anyone edits the terms of a game of one line.", "file")
def _() -> Any:
    w = Writer("terms edited", TWO)
    w.open()
    body = w.open_body(contributors="roller")
    return joined([edited(w.lines[0], body=body)]), 0


@log(
    "signature.invalid--key-not-on-the-curve",
    "bob's key is no point of the curve, so nothing can be signed by it.",
    "host",
)
def _() -> Any:
    entries = parties([("host", "keeper"), ("alice", "player"), ("bob", "player")])
    entries[2]["key"] = ref.verifier_key("bob", (2).to_bytes(32, "little"))
    w = Writer("no point", TWO)
    w.open(parties=entries)
    w.join("alice")
    flawed = w.join("bob")
    w.commit("host")
    return w, flawed


def refused_by_rules(label: str) -> Writer:
    """A game in which bob asks for what the rules refuse; his program need not know them."""
    w = table(label)
    roll(w, "alice", BODIES["thumb"])
    request(w, "bob")
    return w


def behind_a_long_line(label: str, size: int) -> tuple[Writer, int]:
    """Behind that a line of bob's with so many bytes, and the keeper's close."""
    w = refused_by_rules(label)
    flawed = w.last
    short = size - len(canonical(w.event("bob", "leave", {"party": ""})))
    w.write("bob", "leave", {"party": "x" * short})
    assert len(w.lines[-1]) == size
    w.close()
    return w, flawed


@log(
    "rules.violation--signed-over-behind-65535-bytes",
    "bob asks for what the rules refuse, then writes a line of MAX_LINE bytes, and the keeper signs over both.",
    "host",
    "706.3b",
)
def _() -> Any:
    return behind_a_long_line("behind a long line", ref.MAX_LINE)


@log(
    "rules.violation--behind-it-65536-bytes",
    "The line between is one byte too long: no reader follows the chain through it.",
    "file",
    "706.3b",
)
def _() -> Any:
    return behind_a_long_line("behind too long a line", ref.MAX_LINE + 1)


@log(
    "rules.violation--put-into-an-honest-history",
    "Anyone puts a request of bob's, which the keeper did not take, in the place of another line; its own later lines "
    "and its checkpoint of the log as it was accuse the keeper of nothing.",
    "file",
    "706.3b",
)
def _() -> Any:
    w = table("honest history")
    roll(w, "alice", BODIES["thumb"])
    flawed, forged = len(w.lines), canonical(w.event("bob", "roll", DELINA))
    w.away("alice", "alice")
    w.back("alice", "alice")
    w.commit("host")
    w.leave("alice", "alice")
    lines = [*w.lines[:flawed], forged, *w.lines[flawed + 1 :]]
    return joined(lines), flawed, None, [checkpoint(w, len(w.lines))]
