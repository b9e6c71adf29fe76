"""A client of a server, written from `specs/` alone: it shares no code with the packages that it tries.

Names of pages in comments are pages of `specs/`. It is slow and plain, knows one system (`dice-1`, and of its
notation sums of `NdS`, `khN`, `klN` and numbers), and keeps in memory what seats.md wants on a disk.
"""

import base64
import datetime
import hashlib
import hmac
import json
import os
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address
from typing import Any

import httpx
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

ZEROS = "0" * 64
MAX_SAFE_INTEGER = 2**53 - 1
MAX_LINE = 65_535
MAX_TEXT = 500
MAX_ANSWER = 1_100 * 65_536  # bytes of an answer
MAX_DEPTH = 64  # levels of JSON
MAX_SENT = 2**20  # bytes of what has come of a stream and is not yet taken
MAX_PARTIES = 64
MAX_CHAIN = 65_536
MAX_WORD = 64  # lines, after which the host's word for who comes later has lapsed
ROLES = ("player", "gm", "judge", "witness")
EVENT = frozenset({"author", "body", "game", "prev", "seq", "sig", "time", "type"})
OPENING = frozenset({"author", "index", "link", "sig"})
TERMS = frozenset(  # and `admits`, `away`, `judge`, `posts`, `public`, `sealed`, `strike`
    ("contributors", "format", "host", "invitations", "keeper", "nonce", "options", "sig", "system", "time", "title")
)
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")

# log.md, "Identities": encodings of points of small order, sign bit ignored.
SMALL_ORDER = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493

# protocol.md, "The state table": the phases before an event.
SUCCESSION = {"format", "key", "named", "new", "new_sig", "recovery", "sig", "time"}
PHASES = {
    "commit": {"idle"},
    "join": {"idle"},
    "roll": {"idle"},
    "reveal": {"pending"},
    "void": {"pending"},
    "disclose": {"voided"},
    "resolve": {"idle"},
    "declare": {"idle"},
    "ruling": {"idle"},
    "away": {"idle"},
    "back": {"idle"},
    "leave": {"idle"},
    "admit": {"idle"},
    "replace": {"idle"},
    "consent": {"idle"},
    "object": {"idle"},
    "strike": {"idle"},
    "close": {"idle", "pending"},
}
KEEPERS = {"reveal", "disclose", "admit", "replace", "close"}


PATIENCE = 30  # seconds that this client waits for what has to come; people wait longer


@dataclass
class Asked:
    """A new key of a party, which waits for its join."""

    seq: int
    key: str
    public: bytes
    recovered: bool
    consents: set[str] = field(default_factory=set)


class Wrong(Exception):
    """Something does not hold: the client tells its owner, and signs and opens nothing."""


class Refused(Exception):
    """The server refused: a problem (RFC 9457)."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')}")
        self.status, self.problem = status, problem
        self.code: str = problem.get("code", "")


class NoAnswer(httpx.TransportError):
    """What came is longer, deeper, packed, or elsewhere: none of this protocol, and so no answer."""


def too_deep(text: bytes | bytearray) -> bool:
    """Whether JSON nests deeper than this protocol has it; counted before anything decodes it."""
    depth, quoted, skipped = 0, False, False
    for byte in text:
        if skipped:
            skipped = False
        elif quoted:
            skipped, quoted = byte == 0x5C, byte != 0x22
        elif byte == 0x22:
            quoted = True
        elif byte in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif byte in b"]}":
            depth -= 1
    return False


def check(holds: object, what: str) -> None:
    if not holds:
        raise Wrong(what)


# --- bytes (README.md, "Conventions") ---------------------------------------------------------------------


def u64(n: int) -> bytes:
    return n.to_bytes(8, "big")


def lp(s: str) -> bytes:
    return bytes([len(s)]) + s.encode("ascii")


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def unhex(text: object, size: int) -> bytes:
    """The bytes of lower-case hexadecimal of a size."""
    check(
        isinstance(text, str) and re.fullmatch("[0-9a-f]*", text) and len(text) == 2 * size, f"no {size} bytes in hex"
    )
    return bytes.fromhex(str(text))


def unbase64(text: str) -> bytes:
    """The bytes of canonical base64, with padding."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Wrong("no base64") from error
    check(base64.b64encode(data).decode() == text, "base64 that is not canonical")
    return data


# --- canonical form (log.md) ------------------------------------------------------------------------------


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def parse(line: bytes) -> dict[str, Any]:
    """The object of a line in canonical form."""
    try:
        value = json.loads(line.decode("utf-8"))
        same = canonical(value) == line
    except (ValueError, RecursionError) as error:
        raise Wrong("no JSON") from error
    check(same, "not in canonical form")
    check(isinstance(value, dict), "no object")
    check_values(value, 1)
    result: dict[str, Any] = value
    return result


def check_values(value: object, depth: int) -> None:
    """No null, no fractions, no integers that are too large, not too deep."""
    check(depth <= 64, "too deep")
    if isinstance(value, dict):
        for item in value.values():
            check_values(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            check_values(item, depth + 1)
    elif isinstance(value, bool | str):
        pass
    else:
        check(isinstance(value, int) and abs(value) <= MAX_SAFE_INTEGER, "null, a fraction or too large")


# --- keys and signatures (log.md) -------------------------------------------------------------------------


def small_order(point: bytes) -> bool:
    return (point[:31] + bytes([point[31] & 0x7F])).hex() in SMALL_ORDER


def signature_holds(public: bytes, message: bytes, signature: bytes) -> bool:
    """log.md, "Signatures": the checks 1 to 3 by ourselves, 4 by the library."""
    if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= GROUP_ORDER:
        return False
    for point in (public, signature[:32]):
        if int.from_bytes(point, "little") % 2**255 >= 2**255 - 19 or small_order(point):
            return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(name: str, public: bytes) -> bytes:
    return sha256(name.encode() + b"\n\x01" + public)[:4]


def verifier_key(name: str, public: bytes) -> str:
    return "+".join((name, key_id(name, public).hex(), base64.b64encode(b"\x01" + public).decode()))


def parse_key(vkey: object) -> tuple[str, bytes]:
    """Name and public key of a verifier key."""
    check(isinstance(vkey, str), "no verifier key")
    name, _, rest = str(vkey).partition("+")
    _, _, data = rest.partition("+")
    check(NAME.fullmatch(name) and name != "file", "no name")
    raw = unbase64(data)
    check(len(raw) == 33 and raw[0] == 1 and not small_order(raw[1:]), "no key")
    check(verifier_key(name, raw[1:]) == vkey, "a verifier key with another key id")
    return name, raw[1:]


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name not in names}


def signed_by(public: bytes, label: str, value: dict[str, Any], member: str = "sig") -> bool:
    """Whether an object of network.md is signed: label, then the object without the members that hold signatures."""
    message = f"rollproof/v1/{label}\n".encode() + canonical(without(value, "sig", "invitation"))
    return signature_holds(public, message, unhex(value.get(member), 64))


# --- links (network.md) -----------------------------------------------------------------------------------


def from_secret(secret: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(secret)


def public_of(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


def is_address(text: str) -> bool:
    scheme, found, rest = text.partition("://")
    host, *steps = rest.split("/")
    if (
        not found
        or scheme not in ("http", "https")
        or any(re.fullmatch(r"[\w.~-]+", s, re.ASCII) is None for s in steps)
    ):
        return False
    name, colon, port = host.rpartition(":") if re.search(r":[^\]]*$", host) else (host, "", "")
    if colon and (re.fullmatch("[1-9][0-9]{0,4}", port) is None or int(port) > 65_535):
        return False
    if {".", ".."} & set(steps):
        return False
    labels = name.split(".")
    with suppress(ValueError):
        if name.startswith("["):
            return name.endswith("]") and "%" not in name and bool(IPv6Address(name[1:-1]))
        if labels[-1].isdecimal() or re.fullmatch("0[xX][0-9a-fA-F]*", labels[-1]):
            return bool(IPv4Address(name))
        return len(name) <= 253 and all(
            re.fullmatch("[A-Za-z0-9-]{1,63}", label) and label[0] != "-" != label[-1] for label in labels
        )
    return False


@dataclass(frozen=True)
class Link:
    address: str
    table: str
    role: str
    secret: bytes

    @classmethod
    def parse(cls, text: str) -> "Link":
        match = re.fullmatch(r"(https?://[^#]+)/t/([0-9a-f]{64})#([a-z]+)\.([A-Za-z0-9_-]{43})", text)
        check(match and match[3] in (*ROLES, "spectator"), "no link")
        assert match is not None
        check(is_address(match[1]), "no address")
        secret = base64.urlsafe_b64decode(match[4] + "=")
        check(base64.urlsafe_b64encode(secret).decode() == match[4] + "=", "a secret that is not canonical")
        return cls(match[1], match[2], match[3], secret)

    def __str__(self) -> str:
        secret = base64.urlsafe_b64encode(self.secret).decode().rstrip("=")
        return f"{self.address}/t/{self.table}#{self.role}.{secret}"

    @property
    def token(self) -> bytes:
        return from_secret(self.secret, b"rollproof/v1/token\n")

    @property
    def invitation_key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(from_secret(self.secret, b"rollproof/v1/invitation key\n"))

    def invitation(self) -> dict[str, str]:
        """What the terms say of it."""
        key = ZEROS if self.role == "spectator" else public_of(self.invitation_key).hex()
        return {"key": key, "role": self.role, "token": sha256(self.token).hex()}


# --- Merkle trees (RFC 6962, 2.1) -------------------------------------------------------------------------


def leaf_hash(line: bytes) -> bytes:
    return sha256(b"\x00" + line)


def inner(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right)


def tree_root(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return inner(tree_root(leaves[:k]), tree_root(leaves[k:]))


def root_by_proof(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """The root that an inclusion proof leads to, recursively as RFC 6962 defines PATH."""
    if size == 1:
        check(index == 0 and not proof, "an inclusion proof of another length")
        return leaf
    check(proof and 0 <= index < size, "an inclusion proof of another length")
    k = 1
    while 2 * k < size:
        k *= 2
    if index < k:
        return inner(root_by_proof(leaf, index, k, proof[:-1]), proof[-1])
    return inner(proof[-1], root_by_proof(leaf, index - k, size - k, proof[:-1]))


# --- checkpoints (checkpoints.md) -------------------------------------------------------------------------


@dataclass(frozen=True)
class Checkpoint:
    text: str
    origin: str
    size: int
    root: bytes

    @classmethod
    def parse(cls, note: str, name: str, public: bytes) -> "Checkpoint":
        """A note with a checkpoint that the keeper signed."""
        head, _, tail = note.rpartition("\n\n")
        text = head + "\n"
        check(tail.endswith("\n"), "no note")
        held = 0
        for line in tail.removesuffix("\n").split("\n"):
            match = re.fullmatch(r"— ([^\s+]+) (\S+)", line)
            check(match, "no signature line")
            assert match is not None
            raw = unbase64(match[2])
            if match[1] == name and raw[:4] == key_id(name, public):
                check(signature_holds(public, text.encode(), raw[4:]), "the signature of a checkpoint does not hold")
                held += 1
        check(held, "the keeper has not signed the checkpoint")
        fields = text.split("\n")
        check(len(fields) == 4 and re.fullmatch("[1-9][0-9]{0,15}", fields[1]), "no checkpoint")
        root = unbase64(fields[2])
        check(len(root) == 32, "a root of another length")
        return cls(text, fields[0], int(fields[1]), root)


# --- dice (dice.md, dice-1.md) ----------------------------------------------------------------------------


def lower_link(link: bytes, game: bytes, name: str, i: int) -> bytes:
    """Link number i - 1 from link number i."""
    return mac(link, b"rollproof/v1/link\n" + game + lp(name) + u64(i))


def new_chain(game: bytes, name: str, length: int) -> list[bytes]:
    """Links 0 (the tip) to `length`."""
    links = [os.urandom(32)]
    for i in range(length, 0, -1):
        links.append(lower_link(links[-1], game, name, i))
    return links[::-1]


def opening_message(game: bytes, request: bytes, name: str, index: int, link: bytes) -> bytes:
    return b"rollproof/v1/opening\n" + game + request + lp(name) + u64(index) + link


def received_message(game: bytes, request: bytes, name: str, index: int, link: bytes) -> bytes:
    return b"rollproof/v1/received\n" + game + request + lp(name) + u64(index) + link


def seed_of(game: bytes, roll_index: int, links: Sequence[tuple[str, bytes]]) -> bytes:
    message = b"rollproof/v1/seed\n" + u64(roll_index)
    for name, link in links:
        message += lp(name) + link
    return mac(game, message)


def stream_of(seed: bytes) -> Iterator[int]:
    c = 0
    while True:
        yield from mac(seed, b"rollproof/v1/dice\n" + u64(c))
        c += 1


def draw(stream: Iterator[int], sides: int) -> int:
    k = 0
    while 256**k < sides:
        k += 1
    limit = 256**k - 256**k % sides
    while True:
        v = int.from_bytes(bytes(next(stream) for _ in range(k)), "big")
        if v < limit:
            return v % sides + 1


Term = tuple[int, int, int, str, int]  # sign, how many, sides (0: a number), "kh", "kl" or "", how many to keep


def terms_of(dice: str) -> list[Term]:
    """dice-1.md, "The notation": as much of it as this client knows."""
    found: list[Term] = []
    for sign, text in re.findall(r"(^|[+-]) *([^+-]+)", dice):
        match = re.fullmatch(r"([0-9]*)d([0-9]+)(?:(kh|kl)([0-9]*))?|([0-9]+)", text.strip(" "))
        check(match, f"dice that this client does not know: {dice}")
        assert match is not None
        factor = -1 if sign == "-" else 1
        if match[5]:
            found.append((factor, int(match[5]), 0, "", 0))
        else:
            found.append((factor, int(match[1] or 1), int(match[2]), match[3] or "", int(match[4] or 1)))
    return found


def sides_of(dice: str) -> list[int]:
    return [sides for _, count, sides, _, _ in terms_of(dice) if sides for _ in range(count)]


def total_of(dice: str, naturals: Sequence[int]) -> int:
    left, total = list(naturals), 0
    for sign, count, sides, keep, kept in terms_of(dice):
        if not sides:
            total += sign * count
            continue
        thrown, left = left[:count], left[count:]
        if keep:
            thrown = sorted(thrown, reverse=keep == "kh")[:kept]
        total += sign * sum(thrown)
    return total


# --- server-sent events (HTML Living Standard, 9.2) -------------------------------------------------------


@dataclass(frozen=True)
class Sent:
    event: str
    data: str
    id: str


def server_sent(chunks: Iterator[bytes]) -> Iterator[Sent]:
    """The events of a stream, and its comments as events without a name; lines end with LF, CR LF or CR."""
    buffer, last_id = b"", ""
    event, data = "", list[str]()
    for chunk in chunks:
        buffer += chunk
        check(len(buffer) <= MAX_SENT, "an event that is longer than any of the protocol")
        while match := re.search(rb"\r\n|\n|\r(?!\Z)", buffer):
            line, buffer = buffer[: match.start()].decode(), buffer[match.end() :]
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if line.startswith(":"):
                yield Sent("", value, last_id)
            elif line == "":
                if data:
                    yield Sent(event or "message", "\n".join(data), last_id)
                event, data = "", []
            elif name == "event":
                event = value
            elif name == "data":
                data.append(value)
            elif name == "id":
                last_id = value


# --- the log, as this client has verified it --------------------------------------------------------------


@dataclass
class Chain:
    """What is known of a party's chain: the highest link that was seen, and how many requests it was asked for."""

    length: int
    known: int
    link: bytes
    requests: int = 0


@dataclass
class Roll:
    """A request, and what became of it."""

    seq: int
    author: str
    body: dict[str, Any]
    request: bytes
    roll_index: int
    contributors: list[str]
    indexes: dict[str, int] = field(default_factory=dict)  # of the links that it takes
    status: str = "pending"
    naturals: list[int] = field(default_factory=list)


class Log:
    """A log whose every line is verified before it is in it."""

    def __init__(self, game: str) -> None:
        self.game = unhex(game, 32)
        self.lines: list[bytes] = []
        self.leaves: list[bytes] = []
        self.events: list[dict[str, Any]] = []
        self.called: dict[str, str] = {}
        self.accused: dict[str, Roll] = {}  # party -> the roll that the server's judge voided, naming it
        self.parties: dict[str, tuple[str, bytes]] = {}  # name -> role and public key, in party order
        self.keys: dict[str, str] = {}  # name -> verifier key
        self.keeper = ""
        self.phase = "new"
        self.joined: set[str] = set()
        self.absent: set[str] = set()
        self.gone: set[str] = set()
        self.chains: dict[str, Chain] = {}
        self.tips: set[str] = set()
        self.admitted: dict[int, str] = {}  # number of an `admit` -> whom it let in
        self.worded: set[str] = set()  # who was let in by the host's word
        self.newcomers: dict[str, set[str]] = {}  # who came later -> who has consented; until all have
        self.recovery: dict[str, str | None] = {}  # the recovery key of each party's join
        self.asked: dict[str, Asked] = {}  # new keys that wait for their join
        self.former: set[bytes] = set()  # public keys that parties had
        self.signed_away: set[str] = set()
        self.since: dict[str, int] = {}  # the join of who goes on under a new key
        self.rolls: list[Roll] = []
        self.owed: dict[str, dict[str, Any]] = {}  # what whose request was voided must ask for again
        self.taken = 0  # how many lines the keeper has signed over
        self.latest: Roll | None = None  # the roll that can be taken back, as long as it can
        self.struck: set[str] = set()  # who has agreed
        self.taken_back: list[Roll] = []

    def append(self, line: bytes) -> None:
        check(len(line) <= MAX_LINE, "a line that is too long")
        event = parse(line)
        check(event.keys() == EVENT, "other members than an event's")
        check(isinstance(event["body"], dict) and isinstance(event["author"], str), "no event")
        check(TIME.fullmatch(str(event["time"])), "no time")
        datetime.datetime.fromisoformat(event["time"])  # a date that exists
        seq = len(self.lines)
        check(event["seq"] == seq and event["seq"] is not False, f"line {seq} has another number")
        first = seq == 0
        check(event["prev"] == (ZEROS if first else self.leaves[-1].hex()), f"line {seq} does not follow")
        check(event["game"] == (ZEROS if first else self.game.hex()), f"line {seq} is of another game")
        check(first == (event["type"] == "open"), f"line {seq} opens")
        if first:
            check(leaf_hash(line) == self.game, "event 0 of another game")
            self.open(event["body"])
            check(event["author"] == self.keeper, "event 0 is not by the keeper")
        else:
            check(event["time"] >= self.events[-1]["time"], f"line {seq} is earlier than the line before")
        check(event["author"] in self.parties, f"line {seq} is by nobody of this game")
        role, public = self.parties[event["author"]]
        if event["type"] == "join" and event["author"] in self.asked:
            public = self.asked[event["author"]].public
        message = b"rollproof/v1/event\n" + canonical(without(event, "sig"))
        check(signature_holds(public, message, unhex(event["sig"], 64)), f"the signature of line {seq} does not hold")
        if not first:
            self.take(event, role, leaf_hash(line))
        self.lines.append(line)
        self.leaves.append(leaf_hash(line))
        self.events.append(event)
        if event["author"] == self.keeper:
            self.taken = len(self.lines)

    def open(self, body: dict[str, Any]) -> None:
        check(body["format"] == "rollproof/v1", "a format that this client does not know")
        check(body["system"] == "dice-1" and body["options"] == {}, "a system that this client does not know")
        self.contributors: str | list[str] = body["contributors"]
        self.servers_judge: str | None = body.get("judge")
        check(body.get("strike", "all") == "all", "a strike of others than all")
        self.strikes = "strike" in body
        check_admits(body)
        self.admits: list[str] = body.get("admits", [])
        self.host: str | None = body.get("host")
        check(len(set(self.admits)) == len(self.admits), "a role to come later in, twice")
        check(self.host is None or self.admits, "a host of a game to which nobody comes later")
        unhex(body["nonce"], 32)
        check(2 <= len(body["parties"]) <= MAX_PARTIES, "parties")
        publics = set()
        for party in body["parties"]:
            name, public = parse_key(party["key"])
            check(party.keys() - {"called"} == {"key", "role"} and party["role"] in (*ROLES, "keeper"), "a role")
            self.call(name, party)
            check(name not in self.parties and public not in publics, "a party twice")
            publics.add(public)
            self.parties[name] = (party["role"], public)
            self.keys[name] = party["key"]
        for name, text in self.called.items():
            check(text not in self.parties or text == name, "somebody is called by another's name")
        roles = [role for role, _ in self.parties.values()]
        check(roles.count("keeper") == 1 and "player" in roles, "no keeper, or no player")
        self.keeper = next(name for name, (role, _) in self.parties.items() if role == "keeper")
        if self.host is not None:
            check(parse_key(self.host)[1] != self.parties[self.keeper][1], "a host with the keeper's key")
        if self.contributors not in ("all", "roller"):
            may = [name for name, (role, _) in self.parties.items() if role != "judge" and name in self.contributors]
            check(may == self.contributors and self.keeper in may and len(may) >= 2, "contributors")
        judge = self.servers_judge
        check(judge is None or self.parties.get(judge, ("",))[0] == "judge", "a judge who is none")
        self.joined = {self.keeper}
        self.phase = "idle"

    def call(self, name: str, party: dict[str, Any]) -> None:
        """log.md, "Called names"."""
        if "called" in party:
            check(is_called(party["called"]) and party["called"] not in self.called.values(), "a called name")
            self.called[name] = party["called"]

    def contributors_of(self, author: str) -> list[str]:
        later = {name for name in self.admitted.values() if name not in self.chains and name != author}
        out = self.gone | self.absent | later
        here = [(name, role) for name, (role, _) in self.parties.items() if name not in out]
        if self.contributors == "all":
            return [name for name, role in here if role != "judge"]
        if self.contributors != "roller":
            return [name for name, _ in here if name in self.contributors]
        return [name for name, role in here if role in ("keeper", "witness") or name == author]

    def closer(self, roll: Roll) -> str:
        if roll.author in roll.contributors:
            return roll.author
        return [name for name in roll.contributors if name != self.keeper][-1]

    def waiting(self) -> Roll | None:
        return self.rolls[-1] if self.phase == "pending" else None

    def descends(self, name: str, index: int, link: bytes) -> bool:
        """Whether a link leads down to the one that is known."""
        chain = self.chains[name]
        if not chain.known <= index <= chain.length:
            return False
        for i in range(index, chain.known, -1):
            link = lower_link(link, self.game, name, i)
        return link == chain.link

    def know(self, name: str, index: int, link: bytes) -> None:
        chain = self.chains[name]
        if index > chain.known:
            chain.known, chain.link = index, link

    def check_opening(self, opening: dict[str, Any], roll: Roll) -> None:
        """An opening for the roll that waits, or was just voided."""
        check(isinstance(opening, dict) and opening.keys() == OPENING, "no opening")
        name = opening["author"]
        check(name in roll.contributors, "an opening by somebody who does not contribute")
        check(opening["index"] == self.chains[name].requests, f"{name}'s opening has another number")
        link = unhex(opening["link"], 32)
        check(self.descends(name, opening["index"], link), f"{name}'s link is not the one committed to")
        message = opening_message(self.game, roll.request, name, opening["index"], link)
        check(signature_holds(self.parties[name][1], message, unhex(opening["sig"], 64)), f"{name} has not signed this")

    def take(self, event: dict[str, Any], role: str, leaf: bytes) -> None:  # noqa: C901
        """One line after event 0, as protocol.md has it."""
        author, body, kind = event["author"], event["body"], event["type"]
        check(kind in PHASES and self.phase in PHASES[kind], f"{kind} while {self.phase}")
        check(kind == "commit" or (kind in KEEPERS) == (role == "keeper"), f"{kind} by {author}")
        again = kind == "join" and author in self.asked
        check((kind == "join") == (author not in self.joined) or again, f"{author} has joined, or has not")
        check(author not in self.gone, f"{author} has left")
        check(author != self.servers_judge or kind in ("join", "void"), f"{kind} by the server's judge")
        own = kind == "join" or (kind == "leave" and body.get("party") == author)
        check(role != "judge" or author not in self.newcomers or own, f"{kind} by a judge who is a newcomer")
        if kind == "join":
            check(body.keys() <= {"checks", "recovery"} and body.get("checks", "rules") == "rules", "no join")
            self.take_join(author, body)
        elif kind == "commit":
            self.take_commit(author, body)
        elif kind == "roll":
            check(role in ("player", "gm"), f"{author} does not roll")
            self.take_request(event, leaf)
        elif kind == "reveal":
            self.take_reveal(body)
        elif kind == "void":
            self.take_void(author, role, body)
        elif kind in ("disclose", "close"):
            self.take_end(kind, body)
        elif kind in ("leave", "away", "back"):
            self.take_presence(kind, author, role, body)
        elif kind == "admit":
            self.take_admit(body)
        elif kind == "replace":
            self.take_replace(body)
        elif kind == "consent":
            self.take_consent(author, role, body)
        elif kind == "object":
            self.take_object(author, role, body)
        elif kind == "strike":
            self.take_strike(author, role, body)
        if kind not in ("join", "commit", "seal", "object", "strike", "reveal"):
            self.latest = None
        if kind != "back":
            self.accused.pop(author, None)

    def take_strike(self, author: str, role: str, body: dict[str, Any]) -> None:
        """protocol.md, "Taking a roll back"."""
        check(self.strikes and role in ("player", "gm", "judge"), f"a strike by {author}")
        check(body.keys() == {"roll"} and self.latest is not None, "no strike")
        roll = self.latest
        assert roll is not None
        check(type(body["roll"]) is int and body["roll"] == roll.seq, "a strike of another roll than the latest")
        agree = {
            name
            for name, (each, _) in self.parties.items()
            if each in ("player", "gm", "judge")
            and name != self.servers_judge
            and name in self.joined - self.gone - self.absent
            and (name not in self.newcomers or name == roll.author)
        }
        check(author in agree and author not in self.struck, f"a strike by {author}, who has no say or has said it")
        check(len(agree) >= 2, "a strike alone")
        self.struck.add(author)
        if agree <= self.struck:
            self.latest, roll.status = None, "taken back"
            self.taken_back.append(roll)

    def take_object(self, author: str, role: str, body: dict[str, Any]) -> None:
        """The opening of which the server's judge said that it did not come."""
        check(author in self.accused, f"{author} was not named for a roll")
        roll: Roll = self.accused[author]
        check(body.keys() == {"opening", "request"} and role in ("player", "gm", "witness"), "no object")
        check(roll.seq == body["request"], f"{author} was not named for this roll")
        opening: dict[str, Any] = body["opening"]
        check(isinstance(opening, dict) and opening.keys() == OPENING and opening["author"] == author, "no own opening")
        chain, index, link = self.chains[author], opening["index"], unhex(opening["link"], 32)
        check(index == roll.indexes[author], "an opening with another number")
        message = opening_message(self.game, roll.request, author, index, link)
        check(signature_holds(self.parties[author][1], message, unhex(opening["sig"], 64)), f"{author} has not signed")
        if index > chain.known:
            check(self.descends(author, index, link), "a link that was not committed to")
            self.know(author, index, link)
            return
        below = chain.link
        for i in range(chain.known, index, -1):
            below = lower_link(below, self.game, author, i)
        check(below == link, "a link that was not committed to")

    def take_admit(self, body: dict[str, Any]) -> None:
        self.all_joined()
        check(body.keys() - {"called", "word"} == {"key", "role"}, "no admit")
        check(body["role"] in self.admits, "nobody who may come later")
        name, public = parse_key(body["key"])
        check(len(self.parties) < MAX_PARTIES, "too many parties")
        for other, (_, key) in self.parties.items():
            check(look_of(name) != look_of(other) and public != key, f"a newcomer who is {other}, or looks like it")
        check(public not in self.former, "a newcomer with a key that a party had")
        check(all(public != asked.public for asked in self.asked.values()), "a newcomer with a key that is to come")
        check(name not in self.called.values() and body.get("called") not in self.parties, "called by another's name")
        self.call(name, body)
        if "word" in body:
            word = body["word"]
            check(word.keys() == {"head", "sig"} and self.host is not None, "no word")
            check(unhex(word["head"], 32) in self.leaves[-MAX_WORD:], "a word that has lapsed")
            said = {
                "format": "rollproof/admit/v1",
                "game": self.game.hex(),
                "head": word["head"],
                "key": body["key"],
                "role": body["role"],
                "sig": word["sig"],
            }
            check(signed_by(parse_key(self.host)[1], "admit", said), "a word that is not the host's")
            self.worded.add(name)
        self.admitted[len(self.lines)] = name
        self.parties[name] = (body["role"], public)
        self.keys[name] = body["key"]
        self.newcomers[name] = set()

    def take_join(self, author: str, body: dict[str, Any]) -> None:
        asked = self.asked.pop(author, None)
        if asked is not None:
            words = [name for name in self.who_consents() if name != author]
            check(asked.recovered or (len(words) > 1 and asked.consents >= set(words)), "a join without consents")
            role, public = self.parties[author]
            self.former.add(public)
            self.parties[author] = (role, asked.public)
            self.keys[author] = asked.key
            self.since[author] = len(self.lines)
            self.chains.pop(author, None)
            self.accused.pop(author, None)
        if "recovery" in body:
            unhex(body["recovery"], 32)
        self.recovery[author] = body.get("recovery")
        self.joined.add(author)

    def who_consents(self) -> list[str]:
        """Who has joined, has not left and is no newcomer, of players, game masters and witnesses."""
        return [
            name
            for name, (role, _) in self.parties.items()
            if role in ("player", "gm", "witness")
            and name in self.joined
            and name not in self.gone
            and name not in self.newcomers
        ]

    def take_replace(self, body: dict[str, Any]) -> None:
        self.all_joined()
        check(body.keys() - {"succession"} == {"key"}, "no replace")
        name, public = parse_key(body["key"])
        succession = body.get("succession")
        check(name in self.absent, "a replace of somebody who is here")
        check(succession is not None or name in self.signed_away, "a replace of somebody whom nobody signed away")
        known = {key for _, key in self.parties.values()} | self.former
        waiting = {asked.public for other, asked in self.asked.items() if other != name}
        check(public not in known | waiting, "a replace to a key that is another's, or that was there")
        if succession is not None:
            check(succession["key"] == self.keys[name] and succession["new"] == body["key"], "another succession")
            check(succession["recovery"] == self.recovery[name], "another recovery key")
            check(succession_holds(succession), "a succession that does not hold")
        self.asked[name] = Asked(len(self.lines), body["key"], public, succession is not None)

    def take_consent(self, author: str, role: str, body: dict[str, Any]) -> None:
        check(body.keys() == {"admit"} and type(body["admit"]) is int, "no consent")
        check(role in ("player", "gm", "witness") and author not in self.newcomers, f"a consent by {author}")
        for asked in self.asked.values():
            if asked.seq == body["admit"] and not asked.recovered:
                check(author not in asked.consents, "a consent that was given before")
                asked.consents.add(author)
                return
        name = self.admitted.get(body["admit"], "")
        check(name in self.newcomers and name not in self.gone, "a consent to nobody who is a newcomer")
        check(author not in self.newcomers[name], "a consent that was given before")
        self.newcomers[name].add(author)
        self.settle()

    def settle(self) -> None:
        """Behind a `consent` or `leave`: who is a newcomer no more, in party order."""
        for name in list(self.newcomers):
            asked = {
                other
                for other, (role, _) in self.parties.items()
                if role in ("player", "gm", "witness")
                and other in self.joined
                and other not in self.gone
                and other not in self.newcomers
            }
            if self.newcomers[name] and asked <= self.newcomers[name]:
                del self.newcomers[name]

    def all_joined(self) -> None:
        """Every player and gm of event 0 that has not left."""
        later = set(self.admitted.values())
        for name, (role, _) in self.parties.items():
            waited = role in ("player", "gm") and name not in later
            check(not waited or name in self.joined | self.gone, f"{name} has not joined")

    def take_void(self, author: str, role: str, body: dict[str, Any]) -> None:
        roll = self.rolls[-1]
        check(body["roll_index"] == roll.roll_index, "a void of another roll")
        check(role == "judge" or author == self.closer(roll), "a void by somebody who does not close the roll")
        roll.status, self.phase = "void", "voided"
        if author == self.servers_judge:
            self.accused |= dict.fromkeys(body["missing"], roll)
        self.owed[roll.author] = roll.body

    def take_end(self, kind: str, body: dict[str, Any]) -> None:
        """A disclose, or a close."""
        check(kind == "disclose" or ("openings" in body) == (self.phase == "pending"), "openings of a close")
        if "openings" in body:
            self.take_openings(body["openings"], self.rolls[-1], all_of_them=False)
            self.rolls[-1].status = "void"
        self.phase = "idle" if kind == "disclose" else "closed"

    def take_presence(self, kind: str, author: str, role: str, body: dict[str, Any]) -> None:
        """A leave, an away (not by the others, which this client does not know) or a back."""
        party = body["party"]
        check(author == party or role == "judge", "a party taken out by another")
        check(party in self.parties and party != self.keeper, "nobody who could leave")
        if "burned" in body:
            check(author in self.chains, "a burned link of no chain")
            index, link = self.chains[author].requests, unhex(body["burned"], 32)
            check(author == party and self.descends(author, index, link), "a burned link of another chain")
            self.know(author, index, link)
        if kind != "away":
            self.asked.pop(party, None)
            self.signed_away.discard(party)
        if kind == "leave":
            self.gone.add(party)
            self.owed.pop(party, None)
            self.settle()
        elif kind == "away":
            self.absent.add(party)
            if author != party:
                self.signed_away.add(party)
        else:
            check(body.keys() - {"accept"} == {"party"} and body.get("accept", "rolls") == "rolls", "no back")
            check("accept" not in body or author == party, "rolls that another accepts")
            self.absent.discard(party)

    def take_commit(self, author: str, body: dict[str, Any]) -> None:
        before = self.chains.get(author)
        check(body.keys() == ({"length", "link", "tip"} if before else {"length", "tip"}), "members of a commit")
        check(2 <= body["length"] <= MAX_CHAIN, "a chain of another length")
        check(body["tip"] not in self.tips, "a tip that was there before")
        if before:
            check(self.descends(author, before.requests + 1, unhex(body["link"], 32)), "a link of another chain")
        self.tips.add(body["tip"])
        self.chains[author] = Chain(body["length"], 0, unhex(body["tip"], 32))

    def take_request(self, event: dict[str, Any], leaf: bytes) -> None:
        self.all_joined()
        owed = self.owed.pop(event["author"], event["body"])
        check(owed == event["body"], f"{event['author']} owes another request")
        contributors = self.contributors_of(event["author"])
        check(len(contributors) >= 2, "a roll with one contributor")
        for name in contributors:
            check(name in self.chains, f"{name} has no chain")
            self.chains[name].requests += 1
            check(self.chains[name].requests < self.chains[name].length, f"{name}'s chain is used up")
        sides_of(event["body"]["dice"])
        roll = Roll(event["seq"], event["author"], event["body"], leaf, len(self.rolls), contributors)
        roll.indexes = {name: self.chains[name].requests for name in contributors}
        self.rolls.append(roll)
        self.phase = "pending"

    def take_openings(self, openings: list[dict[str, Any]], roll: Roll, *, all_of_them: bool) -> None:
        authors = [opening["author"] for opening in openings]
        if all_of_them:
            check(authors == roll.contributors, "openings of others than the contributors, or in another order")
        else:
            check(authors == [name for name in roll.contributors if name in authors], "openings in another order")
            check(self.keeper in authors, "the keeper's own opening is missing")
        for opening in openings:
            self.check_opening(opening, roll)
        for opening in openings:
            self.know(opening["author"], opening["index"], unhex(opening["link"], 32))

    def take_reveal(self, body: dict[str, Any]) -> None:
        roll = self.rolls[-1]
        check(body.keys() == {"naturals", "openings", "roll_index", "sides"}, "members of a reveal")
        check(body["roll_index"] == roll.roll_index, "a reveal of another roll")
        self.take_openings(body["openings"], roll, all_of_them=True)
        links = [(opening["author"], unhex(opening["link"], 32)) for opening in body["openings"]]
        stream = stream_of(seed_of(self.game, roll.roll_index, links))
        sides = sides_of(roll.body["dice"])
        check(body["sides"] == sides, "other dice than were asked for")
        check(body["naturals"] == [draw(stream, n) for n in sides], "the dice are not those of the seed")
        roll.status, roll.naturals, self.phase = "revealed", body["naturals"], "idle"
        if self.strikes:
            self.latest, self.struck = roll, set()

    def check_checkpoint(self, checkpoint: Checkpoint) -> None:
        """That the log has all that a checkpoint says."""
        check(checkpoint.origin == f"rollproof/v1/{self.game.hex()}", "a checkpoint of another game")
        check(checkpoint.size <= len(self.lines), "the log is shorter than a checkpoint says")
        check(checkpoint.root == tree_root(self.leaves[: checkpoint.size]), "a checkpoint of another history")
        self.taken = max(self.taken, checkpoint.size)


# --- the table (network.md) -------------------------------------------------------------------------------


def is_text(value: object) -> bool:
    """log.md, "Text"."""
    refused = (
        "[\x00-\x1f\x7f-\x9f\u2028\u2029\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
        "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufff8"
        "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    )
    if not isinstance(value, str) or len(value) > MAX_TEXT or re.search(refused, value):
        return False
    # Keycaps, and joiners that stand where they may, are made visible; none is left.
    rest = re.sub("[0-9#*]\ufe0f\u20e3", "\u20e3", value)
    rest = re.sub("(?<=[^\x00-\x7f\u200c\u200d\ufe0f])(?:\ufe0f\u200d?|\u200c|\u200d)", "", rest)
    return re.search("[\u200c\u200d\ufe0f]", rest) is None


def check_terms(line: bytes, link: Link, invites: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """The terms of a table, as whoever comes with a link has to check them."""
    check(sha256(line).hex() == link.table, "the terms of another table")
    terms = parse(line)
    optional = {"admits", "away", "judge", "posts", "public", "sealed", "strike"}
    check(terms.keys() - optional == TERMS and terms["format"] == "rollproof/table/v1", "no terms")
    check_admits(terms)
    check(terms.get("away", "others") == "others", "no terms")
    for place in ("posts", "public"):
        check(place not in terms or (is_text(terms[place]) and terms[place] != ""), "no terms")
    check(terms.get("sealed", "kept") in ("kept", "everyone"), "no terms")
    check(terms.get("strike", "all") == "all", "no terms")
    if terms["contributors"] not in ("all", "roller"):
        names = terms["contributors"]
        check(isinstance(names, list) and 2 <= len(names) <= MAX_PARTIES, "no contributors")
        check(all(NAME.fullmatch(name) for name in names), "no contributors")
    if "judge" in terms:
        judge = terms["judge"]
        check(judge.keys() == {"after", "key"} and 1 <= judge["after"] <= 604_800, "no judge")
        parse_key(judge["key"])
    check(isinstance(terms["options"], dict) and isinstance(terms["system"], str), "no terms")
    check(is_text(terms["title"]) and TIME.fullmatch(str(terms["time"])), "no terms")
    unhex(terms["nonce"], 32)
    parse_key(terms["keeper"])
    roles = []
    for invitation in terms["invitations"]:
        check(invitation.keys() == {"key", "role", "token"}, "no invitation")
        check((unhex(invitation["key"], 32).hex() == ZEROS) == (invitation["role"] == "spectator"), "no invitation")
        unhex(invitation["token"], 32)
        roles.append(invitation["role"])
    check(roles and len(roles) == len(set(roles)) and set(roles) <= {*ROLES, "spectator"}, "roles of the invitations")
    check(signed_by(parse_key(terms["host"])[1], "table", terms), "the terms are not the host's")
    check(link.invitation() in made_links(link.table, terms, invites, link.role), "the terms do not know this link")
    return terms


def check_admits(value: dict[str, Any]) -> None:
    """The form of `admits`, in terms and in event 0."""
    if "admits" in value:
        admits = value["admits"]
        check(isinstance(admits, list) and 1 <= len(admits) <= 4, "nobody, or too many, who may come later")
        check(all(isinstance(role, str) and role in ROLES for role in admits), "no role to come later in")


def made_links(table: str, terms: dict[str, Any], invites: Sequence[dict[str, Any]], role: str) -> list[dict[str, Any]]:
    """Of a role: the link of the terms, and those that the host made in its place, the latest last."""
    found: dict[int, dict[str, Any]] = {}
    for each in terms["invitations"]:
        if each["role"] == role:
            found[0] = each
    for invite in invites if found else ():
        check(invite.keys() == {"count", "format", "link", "sig", "table"}, "no invite")
        count, link = invite["count"], invite["link"]
        check(link.keys() == {"key", "role", "token"} and type(count) is int and 1 <= count <= 64, "no invite")
        fits = invite["format"] == "rollproof/invite/v1" and invite["table"] == table and link["role"] == role
        if fits and signed_by(parse_key(terms["host"])[1], "invite", invite):
            found.setdefault(count, link)
    return [found[count] for count in sorted(found)]


def check_opened(
    table: str,
    terms: dict[str, Any],
    seats: Sequence[dict[str, Any]],
    start: dict[str, Any],
    line: bytes,
    game: str,
    invites: Sequence[dict[str, Any]] = (),
) -> None:
    """Event 0 against the table, before anything is signed in the game."""
    check(game == leaf_hash(line).hex(), "event 0 of another game")
    check(start.keys() == {"format", "parties", "sig", "table"}, "no start")
    check(start["format"] == "rollproof/start/v1" and start["table"] == table, "the start of another table")
    check(signed_by(parse_key(terms["host"])[1], "start", start), "the start is not the host's")
    roles = [each["role"] for each in terms["invitations"] if each["role"] != "spectator"]
    invitations = {role: [each["key"] for each in made_links(table, terms, invites, role)] for role in roles}
    seated = []
    for seat in seats:
        if "replaces" in seat:
            continue  # it asks for the place of a party
        check(seat.keys() - {"called"} == {"format", "invitation", "key", "role", "sig", "table"}, "no seat")
        check("called" not in seat or is_called(seat["called"]), "no called name")
        if seat["format"] != "rollproof/seat/v1" or seat["table"] != table or seat["role"] not in invitations:
            continue
        keys = [unhex(key, 32) for key in invitations[seat["role"]]]
        if signed_by(parse_key(seat["key"])[1], "seat", seat) and any(
            signed_by(key, "invitation", seat, "invitation") for key in keys
        ):
            seated.append({name: seat[name] for name in ("called", "key", "role") if name in seat})
    for party in start["parties"]:
        check(party in seated, "a party without a seat")
    event = parse(line)
    parties = [{"key": terms["keeper"], "role": "keeper"}]
    if "judge" in terms:
        parties.append({"key": terms["judge"]["key"], "role": "judge"})
    parties += start["parties"]
    contributors = terms["contributors"]
    if contributors not in ("all", "roller"):
        names = [parse_key(party["key"])[0] for party in parties]
        check(set(contributors) <= set(names), "a contributor who does not play")
        contributors = [name for name in names if name in contributors]
    expected = {
        "contributors": contributors,
        "format": "rollproof/v1",
        "nonce": event["body"].get("nonce"),
        "options": terms["options"],
        "parties": parties,
        "system": terms["system"],
        "title": terms["title"],
    }
    expected |= {member: terms[member] for member in ("away", "sealed", "strike") if member in terms}
    if "judge" in terms:
        expected["judge"] = parse_key(terms["judge"]["key"])[0]
    if "admits" in terms:
        expected["admits"], expected["host"] = terms["admits"], terms["host"]
    unhex(expected["nonce"], 32)
    check(canonical(event["body"]) == canonical(expected), "event 0 is not what was agreed to")
    Log(game).append(line)


# --- who comes later (network.md) -------------------------------------------------------------------------


def is_called(text: object) -> bool:
    """log.md, "Called names", as far as this client looks: what else is no text it does not show."""
    return isinstance(text, str) and 1 <= len(text) <= 40 and text == text.strip(" ") and text.isprintable()


def look_of(name: str) -> str:
    """verification.md, "Procedure": names look alike where this is the same."""
    changes = ("[._-]", ""), ("rn", "m"), ("vv", "w"), ("0", "o"), ("[1i]", "l"), ("2", "z"), ("5", "s")
    for what, becomes in changes:
        name = re.sub(what, becomes, name)
    return name


def admits_hold(terms: dict[str, Any]) -> bool:
    """Whether a server takes what terms say of who comes later."""
    admits, host, keeper = terms.get("admits"), parse_key(terms["host"]), parse_key(terms["keeper"])
    if admits is None:
        return True
    linked = {each["role"] for each in terms["invitations"]}
    taken = {"judge", "witness"}  # rules.md, "Systems": by every game; the others by these systems
    if terms["system"] in ("dice-1", "doubledown-1"):
        taken |= {"player", "gm"}
    return len(set(admits)) == len(admits) and set(admits) <= linked & taken and host[1] != keeper[1]


def ask_flaw(text: bytes, table: str, terms: dict[str, Any], parties: Sequence[str]) -> str | None:
    """Why a server refuses a seat that asks to come into a game of these parties (verifier keys).

    The page gives no order of the codes. The vectors have the seat itself before the roles of `admits`.
    """
    try:
        seat = parse(text)
        check(seat.keys() - {"called"} == {"format", "invitation", "key", "role", "sig", "table"}, "no seat")
        check("called" not in seat or is_called(seat["called"]), "no called name")
        check(seat["format"] == "rollproof/seat/v1" and seat["role"] in ROLES, "no seat")
        unhex(seat["invitation"], 64), unhex(seat["sig"], 64), unhex(seat["table"], 32)
        name, public = parse_key(seat["key"])
    except Wrong:
        return "malformed"
    links = made_links(table, terms, (), seat["role"])
    if seat["table"] != table or not links or not signed_by(public, "seat", seat):
        return "table.seat"
    if not signed_by(unhex(links[-1]["key"], 32), "invitation", seat, "invitation"):
        return "table.seat"
    if seat["role"] not in terms.get("admits", ()):
        return "table.started"
    known = [parse_key(party) for party in parties]
    if any(public == key for _, key in known):
        return "table.seat"
    if name == "file" or any(look_of(name) == look_of(other) for other, _ in known):
        return "table.name"
    return None


def word_flaw(text: bytes, terms: dict[str, Any], game: str) -> str | None:
    """Why a server refuses a word of the host, before it looks for the seat that asks and at the log."""
    try:
        word = parse(text)
        check(word.keys() == {"format", "game", "head", "key", "role", "sig"}, "no word")
        check(word["format"] == "rollproof/admit/v1" and word["role"] in ROLES, "no word")
        unhex(word["game"], 32), unhex(word["head"], 32), unhex(word["sig"], 64)
        parse_key(word["key"])
    except Wrong:
        return "malformed"
    if word["game"] != game or not signed_by(parse_key(terms["host"])[1], "admit", word):
        return "table.host"
    return None


def succession_holds(value: dict[str, Any]) -> bool:
    """profile.md, "The succession": the signatures of the old key, the recovery key and the new one."""
    (name, old), (other, new) = parse_key(value["key"]), parse_key(value["new"])
    recovery = unhex(value["recovery"], 32)
    check(value.keys() == SUCCESSION and value["format"] == "rollproof/succession/v1", "no succession")
    check(name == other and len({old, new, recovery}) == 3, "a succession of one key, or of two names")
    naming = {"format": "rollproof/recovery/v1", "key": value["key"], "recovery": value["recovery"]}
    named = b"rollproof/v1/recovery\n" + canonical(naming)
    told = b"rollproof/v1/succession\n" + canonical(without(without(without(value, "named"), "new_sig"), "sig"))
    return (
        signature_holds(old, named, unhex(value["named"], 64))
        and signature_holds(recovery, told, unhex(value["sig"], 64))
        and signature_holds(new, told, unhex(value["new_sig"], 64))
    )


# --- the client -------------------------------------------------------------------------------------------


class Client:
    """One party, or a spectator, of one table."""

    def __init__(
        self,
        name: str,
        address: str,
        key: Ed25519PrivateKey | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.name = name
        self.key = key or Ed25519PrivateKey.generate()
        self.vkey = verifier_key(name, public_of(self.key))
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=20, transport=transport)
        self.token: bytes | None = None
        self.link: Link | None = None
        self.table = ""
        self.terms: dict[str, Any] = {}
        self.log: Log | None = None
        self.receipts: list[Checkpoint] = []
        self.chain: list[bytes] = []  # our links, by number
        self.opened: dict[int, bytes] = {}  # number of a link -> the request that it was opened for
        self.voided: set[bytes] = set()
        self.signed: set[bytes] = set()
        self.openings: dict[str, dict[str, Any]] = {}  # for the roll that waits
        self.received: list[dict[str, Any]] = []  # receipts for openings, of the roll that waits
        self.here: list[str] = []
        self.ended = False  # the game is closed, and the server has said so
        self.stream: httpx.Response | None = None
        self.sent: Iterator[Sent] = iter(())

    def close(self) -> None:
        self.leave_stream()
        self.http.close()

    # --- requests -----------------------------------------------------------------------------------------

    def request(
        self, method: str, path: str, body: bytes | None = None, type: str = "application/json"
    ) -> httpx.Response:
        """A request; after 429, 503 and no answer again, as "Refusals" says."""
        headers = {"Content-Type": type} if body is not None else {}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token.hex()}"
        delay = 0.5
        for tries_left in range(3, -1, -1):
            try:
                answer = self.whole(method, path, body, headers)
            except httpx.TransportError:
                if not tries_left:
                    raise
            else:
                if answer.status_code not in (429, 503) or not tries_left:
                    break
                if answer.json()["code"] in ("keeper.behind", "keeper.away", "keeper.stopped"):
                    break
                delay = float(answer.headers.get("Retry-After", delay))
            time.sleep(min(delay, 30) * random.uniform(0.5, 1))
            delay *= 2
        if answer.status_code >= 400:
            check(answer.headers["Content-Type"].split(";")[0] == "application/problem+json", "no problem")
            problem = answer.json()
            check(problem["type"] == f"urn:rollproof:problem:{problem['code']}", "a problem of another type")
            check(problem["status"] == answer.status_code and problem["title"] and problem["detail"], "no problem")
            raise Refused(answer.status_code, problem)
        return answer

    def whole(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> httpx.Response:
        """An answer, read as far as one of this protocol can go."""
        headers = {**headers, "Accept-Encoding": "identity"}
        with self.http.stream(method, path, content=body, headers=headers) as answer:
            if (
                answer.status_code in range(300, 400)
                or answer.headers.get("Content-Encoding", "identity") != "identity"
            ):
                raise NoAnswer("sent elsewhere, or packed")
            data = bytearray()
            # Whoever records what is sent has read it already.
            for piece in [answer.content] if answer.is_stream_consumed else answer.iter_raw(65_536):
                data += piece
                if len(data) > MAX_ANSWER:
                    raise NoAnswer("an answer that is longer than any of the protocol")
        if "json" in answer.headers.get("Content-Type", "") and any(too_deep(line) for line in data.split(b"\n")):
            raise NoAnswer("an answer that is deeper than any of the protocol")
        return httpx.Response(answer.status_code, headers=answer.headers, content=bytes(data), request=answer.request)

    def get(self, path: str) -> httpx.Response:
        return self.request("GET", path)

    def post(self, path: str, value: object) -> httpx.Response:
        return self.request("POST", path, canonical(value))

    def sign(self, label: str, value: dict[str, Any]) -> dict[str, Any]:
        message = f"rollproof/v1/{label}\n".encode() + canonical(value)
        return {**value, "sig": self.key.sign(message).hex()}

    # --- the table ----------------------------------------------------------------------------------------

    def open_table(
        self, roles: Sequence[str], *, title: str = "", contributors: str = "all", admits: Sequence[str] = ()
    ) -> dict[str, str]:
        """Open a table as its host: the link of each role."""
        keeper = self.get("/v1/server").json()["keeper"]
        secrets = [Link(self.address, "", role, os.urandom(32)) for role in roles]
        terms = self.sign(
            "table",
            {
                **({"admits": list(admits)} if admits else {}),
                "contributors": contributors,
                "format": "rollproof/table/v1",
                "host": self.vkey,
                "invitations": [link.invitation() for link in secrets],
                "keeper": keeper,
                "nonce": os.urandom(32).hex(),
                "options": {},
                "system": "dice-1",
                "time": now(),
                "title": title,
            },
        )
        answer = self.post("/v1/tables", terms)
        table = sha256(canonical(terms)).hex()
        check(answer.status_code == 201 and answer.json() == {"table": table}, "another table")
        return {link.role: str(Link(self.address, table, link.role, link.secret)) for link in secrets}

    def visit(self, link: str) -> dict[str, Any]:
        """Come with a link; the table, whose terms were checked against it."""
        self.link = Link.parse(link)
        check(self.link.address == self.address.rstrip("/"), "a link to another server")
        self.table, self.token = self.link.table, self.link.token
        return self.look()

    def look(self) -> dict[str, Any]:
        assert self.link is not None
        state: dict[str, Any] = self.get(f"/v1/tables/{self.table}").json()
        check(state.keys() == {"game", "here", "invites", "seats", "start", "terms"}, "no table")
        terms = check_terms(state["terms"].encode(), self.link, state["invites"])
        self.terms = terms
        return state

    def sit(self, **asks: Any) -> httpx.Response:
        """Take a seat; `asks`: what a seat has that asks to go on in the place of a lost key."""
        assert self.link is not None
        seat = {"format": "rollproof/seat/v1", "key": self.vkey, "role": self.link.role, "table": self.table, **asks}
        message = b"rollproof/v1/invitation\n" + canonical(seat)
        seat = {**self.sign("seat", seat), "invitation": self.link.invitation_key.sign(message).hex()}
        return self.post(f"/v1/tables/{self.table}/seats", seat)

    def start(self) -> str:
        """As the host: start with all who have a seat. The game's id."""
        parties = [{"key": seat["key"], "role": seat["role"]} for seat in self.look()["seats"]]
        start = self.sign("start", {"format": "rollproof/start/v1", "parties": parties, "table": self.table})
        game: str = self.post(f"/v1/tables/{self.table}/start", start).json()["game"]
        return game

    # --- the log ------------------------------------------------------------------------------------------

    @property
    def game(self) -> Log:
        check(self.log is not None, "no game yet")
        assert self.log is not None
        return self.log

    def path(self, rest: str) -> str:
        return f"/v1/games/{self.game.game.hex()}/{rest}"

    def enter(self) -> None:
        """Read the log from its first line, and compare event 0 with the terms."""
        state = self.look()
        check(state["game"], "the game has not begun")
        self.log = Log(state["game"])
        self.fetch()
        check_opened(
            self.table, self.terms, state["seats"], state["start"], self.log.lines[0], state["game"], state["invites"]
        )

    def fetch(self) -> None:
        """What is lacking, by `log`; then the keeper's checkpoint."""
        while True:
            answer = self.get(self.path(f"log?from={len(self.game.lines)}"))
            check(answer.headers["Content-Type"].split(";")[0] == "application/jsonl", "no JSON Lines")
            body = answer.content
            check(not body or body.endswith(b"\n"), "a last line without a line feed")
            for line in body.split(b"\n")[:-1]:
                self.take_line(line)
            size = int(answer.headers["Rollproof-Size"])
            check(len(self.game.lines) <= size, "the server has fewer lines than it had: it needs to catch up")
            if len(self.game.lines) == size:
                break
            check(body, "an answer without lines, though there are some")
        if self.take_checkpoint(self.get(self.path("checkpoint")).text).size > len(self.game.lines):
            self.fetch()  # lines have come in between

    def catch_up(self) -> httpx.Response:
        """Give a server whose database was put back what we have."""
        log = b"".join(line + b"\n" for line in self.game.lines)
        return self.request("POST", self.path("catch-up"), log, "application/jsonl")

    def take_line(self, line: bytes) -> None:
        waiting = self.game.waiting()
        event = json.loads(line)
        mine = self.log is not None and self.log.keys.get(self.name) == self.vkey
        other = event.get("type") == "join" and self.log is not None and self.name in self.log.asked
        if event.get("author") == self.name and mine and not other:
            check(leaf_hash(line) in self.signed, "an event in our name that we did not sign")
        self.game.append(line)
        if event["type"] == "roll":
            self.openings, self.received = {}, []
        if waiting and event["type"] in ("reveal", "disclose"):
            self.check_kept(event["body"]["openings"])

    def check_kept(self, openings: list[dict[str, Any]]) -> None:
        """What we opened, and what the keeper gave a receipt for, is in it."""
        for receipt in self.received:
            if receipt["receiver"] == self.game.keeper:
                found = [each["link"] for each in openings if each["author"] == receipt["author"]]
                check(found == [receipt["link"]], f"the keeper kept {receipt['author']}'s opening back")

    def take_checkpoint(self, note: str) -> Checkpoint:
        """The keeper's checkpoint; kept until the log has as much."""
        public = self.game.parties[self.game.keeper][1]
        checkpoint = Checkpoint.parse(note, self.game.keeper, public)
        check(checkpoint.origin == f"rollproof/v1/{self.game.game.hex()}", "a checkpoint of another game")
        self.receipts.append(checkpoint)
        self.check_receipts()
        return checkpoint

    def check_receipts(self) -> None:
        """Each against the log, as soon as that is long enough; of those that agree the largest is kept."""
        held = [receipt for receipt in self.receipts if receipt.size <= len(self.game.lines)]
        for receipt in held:
            self.game.check_checkpoint(receipt)
        largest = max(held, key=lambda receipt: receipt.size, default=None)
        self.receipts = [receipt for receipt in self.receipts if receipt is largest or receipt not in held]

    def guard(self) -> None:
        """seats.md, "Before it signs or opens", as far as it is not looked at whenever a line comes."""
        self.check_receipts()
        check(
            all(receipt.size <= len(self.game.lines) for receipt in self.receipts), "the log is shorter than receipts"
        )
        asked = self.game.asked.get(self.name)
        key = self.game.parties.get(self.name, ("", b""))[1]
        if asked is not None and asked.public == public_of(self.key):
            key = asked.public  # it is about to take its place
        check(key == public_of(self.key), "this party is not in the game")
        ahead = datetime.timedelta(minutes=5)
        check(self.game.events[-1]["time"] <= stamp(datetime.datetime.now(datetime.UTC) + ahead), "the log is ahead")

    # --- the stream ---------------------------------------------------------------------------------------

    def follow(self, until: Callable[[], object]) -> None:
        """Take what the stream brings, until something holds; connects where it is not connected."""
        deadline = time.monotonic() + PATIENCE
        while not until():
            check(time.monotonic() < deadline, "what was waited for did not come")
            if self.stream is None:
                self.join_stream()
            sent = next(self.sent, None)
            if sent is not None and sent.event == "bye" and json.loads(sent.data)["retry"] is None:
                check(self.game.phase == "closed" and self.game.taken == len(self.game.lines), "an end before the end")
                self.ended = True
            elif sent is None or sent.event == "bye" or too_deep(sent.data.encode()):
                self.leave_stream()
                time.sleep(json.loads(sent.data)["retry"] if sent and sent.event == "bye" else 0.5)
            else:
                self.take_sent(sent)

    def follow_to(self, size: int) -> None:
        """Take what the stream brings until the log has so many lines."""
        self.follow(lambda: len(self.game.lines) >= size)

    def join_stream(self) -> None:
        assert self.token is not None
        headers = {"Authorization": f"Bearer {self.token.hex()}", "Accept": "text/event-stream"}
        path = self.path(f"stream?from={len(self.game.lines)}")
        self.stream = self.http.send(self.http.build_request("GET", path, headers=headers), stream=True)
        check(self.stream.status_code == 200, "no stream")
        check(self.stream.headers["Content-Type"].split(";")[0] == "text/event-stream", "no stream")
        self.sent = server_sent(self.stream.iter_raw())

    def leave_stream(self) -> None:
        if self.stream is not None:
            self.stream.close()
        self.stream = None

    def take_sent(self, sent: Sent) -> None:
        if sent.event == "line":
            number = int(sent.id)
            check(number <= len(self.game.lines), "a line was left out")
            if number < len(self.game.lines):  # fetched already
                check(self.game.lines[number] == sent.data.encode(), "a log that does not go on from what we saw")
            else:
                self.take_line(sent.data.encode())
        elif sent.event == "checkpoint":
            self.take_checkpoint(json.loads(sent.data)["checkpoint"])
        elif sent.event == "opening":
            self.take_opening(parse(sent.data.encode()))
        elif sent.event == "received":
            self.take_received(parse(sent.data.encode()))
        elif sent.event == "here":
            self.here = json.loads(sent.data)["here"]

    # --- lines --------------------------------------------------------------------------------------------

    def line(self, type: str, body: dict[str, Any]) -> bytes:
        """The next line of the log, signed."""
        self.guard()
        for event in self.game.events[self.game.taken :]:
            check(event["author"] == self.name, "the last line is not taken, and is not ours")
        event = {
            "author": self.name,
            "body": body,
            "game": self.game.game.hex(),
            "prev": self.game.leaves[-1].hex(),
            "seq": len(self.game.lines),
            "time": max(now(), self.game.events[-1]["time"]),
            "type": type,
        }
        line = canonical(self.sign("event", event))
        self.signed.add(leaf_hash(line))
        return line

    def offer(self, line: bytes) -> httpx.Response:
        """Offer a line; the receipt is checked. The line itself comes by the stream or by `fetch`."""
        answer = self.request("POST", self.path("lines"), line)
        told = answer.json()
        check(told.keys() == {"checkpoint", "seq"} and told["seq"] == json.loads(line)["seq"], "another line's receipt")
        checkpoint = self.take_checkpoint(told["checkpoint"])
        check(checkpoint.size > told["seq"], "a receipt that does not have the line")
        if told["seq"] == len(self.game.lines):
            self.take_line(line)
        check(self.game.lines[told["seq"]] == line, "another line stands there")
        self.check_receipts()
        return answer

    def write(self, type: str, body: dict[str, Any]) -> int:
        """Sign and offer, and where another was first sign anew. The number of the line."""
        while True:
            line = self.line(type, body)
            try:
                self.offer(line)
            except Refused as refused:
                if refused.status != 409 or not refused.code.startswith("chain."):
                    raise
                self.lost(refused)
            else:
                return len(self.game.lines) - 1

    def lost(self, refused: Refused) -> None:
        """Losing a race: fetch what is lacking."""
        size, head = refused.problem["size"], unhex(refused.problem["head"], 32)
        check(size >= len(self.game.lines), "a log that is shorter than what we saw")
        self.fetch()
        check(self.game.leaves[size - 1] == head, "another head than the log has")

    def join(self) -> None:
        if self.name in self.game.admitted.values():
            assert self.link is not None
            check(self.name in self.game.worded, "the keeper let us in alone")
            check(self.game.parties[self.name][0] == self.link.role, "let in, in another role than we asked for")
        self.write("join", {})

    def admit(self, key: str, role: str) -> int:
        """As the host: let somebody in who asks. The number of the `admit`, which comes by the stream or by `fetch`."""
        check(self.game.taken == len(self.game.lines) and self.game.phase == "idle", "not the time for a word")
        word = {
            "format": "rollproof/admit/v1",
            "game": self.game.game.hex(),
            "head": self.game.leaves[-1].hex(),
            "key": key,
            "role": role,
        }
        told = self.post(f"/v1/tables/{self.table}/admit", self.sign("admit", word)).json()
        check(told.keys() == {"checkpoint", "seq"}, "no receipt")
        check(self.take_checkpoint(told["checkpoint"]).size > told["seq"], "a receipt that does not have the line")
        seq: int = told["seq"]
        return seq

    def replace(self, key: str) -> int:
        """Wish that who asks go on under this key. The number of the `replace`."""
        game = self.game.game.hex()
        wish = {"by": self.vkey, "format": "rollproof/replace/v1", "game": game, "key": key}
        told = self.post(f"/v1/tables/{self.table}/replace", self.sign("replace", wish)).json()
        check(told.keys() == {"checkpoint", "seq"}, "no receipt")
        check(self.take_checkpoint(told["checkpoint"]).size > told["seq"], "a receipt that does not have the line")
        seq: int = told["seq"]
        return seq

    def consent(self, name: str) -> int:
        """To the admission of somebody."""
        seq = next(seq for seq, admitted in self.game.admitted.items() if admitted == name)
        return self.write("consent", {"admit": seq})

    def strike(self) -> int:
        """Agree that the latest roll is taken back."""
        assert self.game.latest is not None
        return self.write("strike", {"roll": self.game.latest.seq})

    def commit(self, length: int) -> None:
        body: dict[str, Any] = {"length": length}
        if self.chain:
            body["link"] = self.chain[self.game.chains[self.name].requests + 1].hex()
        self.chain, self.opened = new_chain(self.game.game, self.name, length), {}
        body["tip"] = self.chain[0].hex()
        self.write("commit", body)

    def void(self, missing: Sequence[str] = ()) -> None:
        roll = self.game.waiting()
        assert roll is not None
        check(roll.request not in self.opened.values(), "the closer opened, and voids no more")
        self.voided.add(roll.request)
        self.write("void", {"missing": list(missing), "roll_index": roll.roll_index})

    # --- openings -----------------------------------------------------------------------------------------

    def take_opening(self, sent: dict[str, Any]) -> None:
        """Another's opening, checked and answered with a receipt."""
        roll = self.waits_for(sent, {"format", "game", "opening", "request"}, "rollproof/opening/v1")
        if roll is None:
            return
        opening = sent["opening"]
        self.game.check_opening(opening, roll)
        author = opening["author"]
        check(author != self.game.keeper, "the keeper opens last")
        if author == self.name:
            check(self.opened.get(opening["index"]) == roll.request, "an opening in our name that we did not make")
        if author in self.openings:
            check(self.openings[author] == opening, f"two openings by {author}")
            return
        self.openings[author] = opening
        if author != self.name and self.name in self.game.parties and roll.request not in self.voided:
            link = unhex(opening["link"], 32)
            message = received_message(self.game.game, roll.request, author, opening["index"], link)
            receipt = {
                "author": author,
                "format": "rollproof/received/v1",
                "game": sent["game"],
                "index": opening["index"],
                "link": opening["link"],
                "receiver": self.name,
                "request": sent["request"],
                "sig": self.key.sign(message).hex(),
            }
            try:
                self.post(self.path("received"), receipt)
            except Refused as refused:  # the roll may have been ended by now
                check(refused.status in (409, 422), str(refused))

    def take_received(self, receipt: dict[str, Any]) -> None:
        """A receipt for an opening of the roll that waits."""
        members = {"author", "format", "game", "index", "link", "receiver", "request", "sig"}
        roll = self.waits_for(receipt, members, "rollproof/received/v1")
        if roll is None:
            return
        link = unhex(receipt["link"], 32)
        message = received_message(self.game.game, roll.request, receipt["author"], receipt["index"], link)
        public = self.game.parties[receipt["receiver"]][1]
        check(signature_holds(public, message, unhex(receipt["sig"], 64)), "a receipt that does not hold")
        if receipt not in self.received:
            self.received.append(receipt)

    def waits_for(self, sent: dict[str, Any], members: set[str], format: str) -> Roll | None:
        """The roll that waits, if this is for it."""
        check(sent.keys() == members and sent["format"] == format, f"no {format}")
        check(sent["game"] == self.game.game.hex(), "of another game")
        roll = self.game.waiting()
        return roll if roll and roll.request.hex() == sent["request"] else None

    def may_open(self) -> bool:
        """Whether it is our turn: the closer comes last, the keeper's checkpoint of the request before anybody."""
        roll = self.game.waiting()
        if roll is None or self.name not in roll.contributors or roll.request in self.voided:
            return False
        if self.game.taken <= roll.seq:
            return False
        others = {name for name in roll.contributors if name not in (self.name, self.game.keeper)}
        return self.game.closer(roll) != self.name or others <= self.openings.keys()

    def open(self) -> httpx.Response:
        """Open for the roll that waits; the same again where it was opened already."""
        self.guard()
        roll = self.game.waiting()
        check(roll and self.may_open(), "not to be opened for")
        assert roll is not None
        index = self.game.chains[self.name].requests
        check(index > max(self.opened, default=0) or self.opened.get(index) == roll.request, "a link used before")
        self.opened[index] = roll.request
        link = self.chain[index]
        message = opening_message(self.game.game, roll.request, self.name, index, link)
        opening = {"author": self.name, "index": index, "link": link.hex(), "sig": self.key.sign(message).hex()}
        sent = {
            "format": "rollproof/opening/v1",
            "game": self.game.game.hex(),
            "opening": opening,
            "request": roll.request.hex(),
        }
        answer = self.post(self.path("openings"), sent)
        receipt = answer.json()["received"]
        if receipt is not None:
            check(receipt["receiver"] == self.game.keeper and receipt["author"] == self.name, "another receipt")
            check((receipt["index"], receipt["link"]) == (index, link.hex()), "a receipt for another opening")
            self.take_received(receipt)
        return answer

    # --- the host's wishes, access, the tile log, the anchor -------------------------------------------------

    def end(self) -> httpx.Response:
        """As the host: have the game closed."""
        wish = {"format": "rollproof/close/v1", "game": self.game.game.hex(), "table": self.table}
        return self.post(f"/v1/tables/{self.table}/close", self.sign("close", wish))

    def delete(self) -> httpx.Response:
        """As the host: have all deleted."""
        wish = {"format": "rollproof/delete/v1", "table": self.table}
        return self.post(f"/v1/tables/{self.table}/delete", self.sign("delete", wish))

    def access(self, time: str | None = None) -> bytes:
        """A token of our own for the game."""
        game = self.game.game.hex()
        wish = {"format": "rollproof/access/v1", "game": game, "party": self.name, "time": time or now()}
        answer = self.post(f"/v1/games/{game}/access", self.sign("access", wish))
        return unhex(answer.json()["token"], 32)

    def tiles(self, base: str, origin: str) -> tuple[Checkpoint, list[bytes]]:
        """A tile log read whole (c2sp.org/tlog-tiles): its checkpoint and its entries, which agree."""
        name, public = parse_key(self.terms["keeper"])
        checkpoint = Checkpoint.parse(self.get(f"{base}/checkpoint").text, name, public)
        check(checkpoint.origin == origin, "another origin")
        entries: list[bytes] = []
        for n, width in tiles_of(checkpoint.size):
            data = self.get(f"{base}/tile/entries/{tile_name(n, width)}").content
            found = []
            while data:
                length = int.from_bytes(data[:2], "big")
                check(len(data) >= 2 + length, "an entry that is cut short")
                found.append(data[2 : 2 + length])
                data = data[2 + length :]
            hashes = self.get(f"{base}/tile/0/{tile_name(n, width)}").content
            check(len(found) == width, "a tile of another width")
            check(hashes == b"".join(leaf_hash(entry) for entry in found), "other hashes than of the entries")
            entries += found
        check(tree_root([leaf_hash(entry) for entry in entries]) == checkpoint.root, "another root")
        return checkpoint, entries

    def anchor(self) -> dict[str, Any]:
        """Where the game's final checkpoint stands in the anchor log, checked."""
        told: dict[str, Any] = self.get(self.path("anchor")).json()
        check(told.keys() == {"checkpoint", "final", "index", "proof", "salt"}, "no anchor")
        name, public = parse_key(self.terms["keeper"])
        final = Checkpoint.parse(told["final"], name, public)
        self.game.check_checkpoint(final)
        check(final.size == len(self.game.lines) and self.game.phase == "closed", "not the final checkpoint")
        entry = sha256(b"rollproof/v1/anchor\n" + unhex(told["salt"], 32) + final.text.encode())
        anchors = Checkpoint.parse(told["checkpoint"], name, public)
        check(anchors.origin == self.anchor_origin(), "another log")
        proof = [unhex(each, 32) for each in told["proof"]]
        check(root_by_proof(leaf_hash(entry), told["index"], anchors.size, proof) == anchors.root, "no such entry")
        return {**told, "entry": entry}

    def anchor_origin(self) -> str:
        return "rollproof/v1/anchors/" + sha256(self.terms["keeper"].encode()).hex()


def tiles_of(size: int) -> Iterator[tuple[int, int]]:
    """Number and width of the tiles of the lowest level."""
    for n in range(0, size, 256):
        yield n // 256, min(256, size - n)


def tile_name(n: int, width: int) -> str:
    """`x001/x234/067`, and `.p/W` where the tile is not full."""
    name = f"{n % 1000:03}"
    while n >= 1000:
        n //= 1000
        name = f"x{n % 1000:03}/{name}"
    return name if width == 256 else f"{name}.p/{width}"


def stamp(moment: datetime.datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


def now() -> str:
    return stamp(datetime.datetime.now(datetime.UTC))
