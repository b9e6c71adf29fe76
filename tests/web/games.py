"""Games made up for `verifier/web`: random ones, damaged and signed again by the keys that they need.

Written from `specs/` with keys that everybody knows, and nothing of the product: what comes out is judged elsewhere.
"""

import hashlib
import hmac
import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

__all__ = ["Maker", "damaged", "encode", "long_game", "random_game"]

ROLES = {"host": "keeper", "alice": "player", "bob": "player", "carol": "player", "gail": "gm", "dana": "judge"}
ROLES |= {"erin": "judge", "walt": "witness"}
SYSTEM = "dice-1"
DICE = {"d6": [6], "2d20": [20, 20], "d100": [100], "d3+d7": [3, 7]}


def encode(value: object) -> bytes:
    """Canonical form of what these games have in them: ASCII names, so the order of code points is that of bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def leaf(line: bytes) -> bytes:
    return hashlib.sha256(b"\0" + line).digest()


def lp(name: str) -> bytes:
    return bytes([len(name)]) + name.encode()


def u64(number: int) -> bytes:
    return number.to_bytes(8)


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


@dataclass(frozen=True)
class Signer:
    name: str
    private: Ed25519PrivateKey
    verifier_key: str

    @staticmethod
    def of(name: str) -> "Signer":
        private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"web games key {name}".encode()).digest())
        public = b"\1" + private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        key_id = hashlib.sha256(name.encode() + b"\n" + public).hexdigest()[:8]
        return Signer(name, private, f"{name}+{key_id}+{b64encode(public).decode()}")


SIGNERS = {name: Signer.of(name) for name in [*ROLES, "zoe"]}
BY_KEY = {signer.verifier_key: signer for signer in SIGNERS.values()}


def sign(event: dict[str, Any], by: str | None = None) -> dict[str, Any]:
    """The event, signed by its author or somebody else."""
    unsigned = {name: value for name, value in event.items() if name != "sig"}
    signer = SIGNERS.get(by or str(event.get("author")), SIGNERS["zoe"])
    sig = signer.private.sign(b"rollproof/v1/event\n" + encode(unsigned))
    return {**unsigned, "sig": sig.hex()}


@dataclass
class Chain:
    links: list[bytes]
    next: int = 1


@dataclass
class Waiting:
    """A request, and what its contributors open for it."""

    seq: int
    author: str
    request: bytes
    index: int
    shares: dict[str, int]
    links: dict[str, bytes]
    dice: str
    body: dict[str, Any] = field(default_factory=dict)
    type: str = "roll"


@dataclass
class Maker:
    """A game that grows by events which are mostly allowed: it knows just enough of the protocol for that."""

    random: Random
    parties: list[str]
    contributors: Any = "all"
    away_by_others: bool = False
    judge: str | None = None
    title: str = ""
    lines: list[bytes] = field(default_factory=list)
    game: bytes = b""
    requests: int = 0
    chains: dict[str, Chain] = field(default_factory=dict)
    joined: set[str] = field(default_factory=lambda: {"host"})
    left: set[str] = field(default_factory=set)
    away: set[str] = field(default_factory=set)
    owed: dict[str, Waiting] = field(default_factory=dict)
    phase: str = "idle"
    waiting: Waiting | None = None
    drawn: int = 0
    clock: int = 0

    def write(self, author: str, type: str, body: dict[str, Any]) -> None:
        """Append an event, signed and in its place."""
        self.clock += 1
        seconds, thousandths = divmod(self.clock * 250, 1000)
        minutes, seconds = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        days, hours = divmod(hours, 24)
        time = f"2026-11-{1 + days:02}T{hours:02}:{minutes:02}:{seconds:02}.{thousandths:03}Z"
        event = {"author": author, "body": body, "seq": len(self.lines), "time": time, "type": type}
        event |= {"game": self.game.hex() or "0" * 64, "prev": leaf(self.lines[-1]).hex() if self.lines else "0" * 64}
        self.lines.append(encode(sign(event)))
        if not self.game:
            self.game = leaf(self.lines[0])

    def open(self) -> None:
        body: dict[str, Any] = {
            "contributors": self.contributors,
            "format": "rollproof/v1",
            "nonce": self.random.randbytes(32).hex(),
            "options": {},
            "parties": [{"key": SIGNERS[name].verifier_key, "role": ROLES[name]} for name in self.parties],
            "system": SYSTEM,
            "title": self.title,
        }
        body |= {"away": "others"} if self.away_by_others else {}
        self.write("host", "open", body | ({} if self.judge is None else {"judge": self.judge}))

    def chain(self, name: str, length: int) -> Chain:
        links = [self.random.randbytes(32)]
        for i in range(length, 0, -1):
            links.append(mac(links[-1], b"rollproof/v1/link\n" + self.game + lp(name) + u64(i)))
        return Chain(links[::-1])

    def commit(self, name: str, length: int) -> None:
        old = self.chains.get(name)
        new = self.chain(name, length)
        body: dict[str, Any] = {"length": length, "tip": new.links[0].hex()}
        if old is not None:
            body["link"] = old.links[min(old.next, len(old.links) - 1)].hex()
        self.write(name, "commit", body)
        self.chains[name] = new

    def contributing(self, roller: str) -> list[str]:
        here = [name for name in self.parties if name not in self.left | self.away]
        if self.contributors == "all":
            return [name for name in here if ROLES[name] != "judge"]
        if self.contributors == "roller":
            return [name for name in here if ROLES[name] in ("keeper", "witness") or name == roller]
        return [name for name in here if name in self.contributors]

    def request(self, roller: str, dice: str, body: dict[str, Any] | None = None) -> None:
        body = body or {"dice": dice, "source": "A game"}
        shares: dict[str, int] = {}
        links: dict[str, bytes] = {}
        for name in self.contributing(roller):
            chain = self.chains.get(name) or self.chain(name, 3)
            at = min(chain.next, len(chain.links) - 1)
            shares[name], links[name] = chain.next, chain.links[at]
            chain.next += 1
        self.write(roller, "roll", body)
        self.waiting = Waiting(
            len(self.lines) - 1, roller, leaf(self.lines[-1]), self.requests, shares, links, dice, body
        )
        self.requests += 1
        self.phase = "pending"

    def opening(self, name: str) -> dict[str, Any]:
        assert self.waiting is not None
        index, link = self.waiting.shares[name], self.waiting.links[name]
        message = b"rollproof/v1/opening\n" + self.game + self.waiting.request + lp(name) + u64(index) + link
        return {
            "author": name,
            "index": max(1, index),
            "link": link.hex(),
            "sig": SIGNERS[name].private.sign(message).hex(),
        }

    def naturals(self, sides: list[int]) -> list[int]:
        assert self.waiting is not None
        shares = b"".join(lp(name) + link for name, link in self.waiting.links.items())
        seed = mac(self.game, b"rollproof/v1/seed\n" + u64(self.waiting.index) + shares)
        stream = b"".join(mac(seed, b"rollproof/v1/dice\n" + u64(counter)) for counter in range(8))
        naturals = []
        for n in sides:
            size = (n - 1).bit_length() + 7 >> 3
            limit = 256**size - 256**size % n
            while True:
                value, stream = int.from_bytes(stream[:size]), stream[size:]
                if value < limit:
                    naturals.append(value % n + 1)
                    break
        return naturals

    def reveal(self) -> None:
        assert self.waiting is not None
        sides = DICE.get(self.waiting.dice, [6])
        openings = [self.opening(name) for name in self.waiting.shares]
        body = {
            "naturals": self.naturals(sides),
            "openings": openings,
            "roll_index": self.waiting.index,
            "sides": sides,
        }
        self.write("host", "reveal", body)
        self.phase = "idle"
        self.drawn += 1

    def closer(self) -> str:
        assert self.waiting is not None
        if self.waiting.author in self.waiting.shares:
            return self.waiting.author
        return next((name for name in reversed(self.waiting.shares) if name != "host"), self.waiting.author)

    def some_openings(self) -> list[dict[str, Any]]:
        assert self.waiting is not None
        return [self.opening(name) for name in self.waiting.shares if name == "host" or self.random.random() < 0.5]

    def void(self, author: str) -> None:
        assert self.waiting is not None
        missing = [name for name in self.waiting.shares if self.random.random() < 0.2]
        self.write(author, "void", {"missing": missing, "roll_index": self.waiting.index})
        self.owed[self.waiting.author] = self.waiting
        self.phase = "voided"

    def bytes(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)


def burned(maker: Maker, name: str) -> dict[str, Any]:
    chain = maker.chains.get(name)
    if chain is None or chain.next < 2 or maker.random.random() < 0.5:
        return {}
    return {"burned": chain.links[min(chain.next - 1, len(chain.links) - 1)].hex()}


def presence(maker: Maker) -> None:
    """An event about who is here, allowed or not."""
    random = maker.random
    kind = random.choice(["away", "away", "away", "back", "back", "leave"])
    party = random.choice(sorted(maker.away) or maker.parties) if kind == "back" else random.choice(maker.parties)
    judges = [name for name in maker.parties if ROLES[name] == "judge"] or [party]
    author = random.choice([party, party, random.choice(judges), random.choice(maker.parties)])
    body: dict[str, Any] = {"party": party}
    if kind != "back" and author == party:
        body |= burned(maker, author)
    maker.write(author, kind, body)
    if kind == "away" and (author == party or ROLES[author] == "judge"):
        maker.away.add(party)
    elif kind == "away" and random.random() < 0.5:
        callers = [name for name in maker.parties if ROLES[name] != "judge" and name not in (party, author)]
        for caller in callers:
            if caller not in maker.left | maker.away:
                maker.write(caller, "away", {"party": party})
        maker.away.add(party)
    elif kind == "back":
        maker.away.discard(party)
    elif kind == "leave" and party != "host":
        maker.left.add(party)
        maker.away.discard(party)
        maker.owed.pop(party, None)


def ruling(maker: Maker) -> None:
    random = maker.random
    judges = [name for name in maker.parties if ROLES[name] == "judge"] or ["alice"]
    kind = random.choice(["void", "void", "correct", "uphold", "penalty"])
    subject = random.randrange(len(maker.lines) + (random.random() < 0.05))
    owed = random.choice(list(maker.owed.values())) if maker.owed else None
    if owed is not None and random.random() < 0.3:
        subject = owed.seq
    body: dict[str, Any] = {"ruling": kind, "subject": subject, "text": "Seen."}
    if kind == "penalty" or random.random() < 0.03:
        body["party"] = random.choice(maker.parties)
    if kind == "void" and owed is not None and owed.seq == subject:
        maker.owed.pop(owed.author, None)
    maker.write(random.choice(judges), "ruling", body)


def step(maker: Maker) -> None:
    """One more event, or a few."""
    random = maker.random
    waiting = maker.waiting
    if maker.phase == "pending" and waiting is not None and random.random() < 0.97:
        chance = random.random()
        judges = [name for name in maker.parties if ROLES[name] == "judge"]
        if chance < 0.6:
            maker.reveal()
        elif chance < 0.9:
            maker.void(random.choice([maker.closer(), maker.closer(), *judges, random.choice(maker.parties)][:3]))
        else:
            maker.write("host", "close", {"openings": maker.some_openings()})
            maker.phase = "closed"
    elif maker.phase == "voided" and waiting is not None and random.random() < 0.97:
        body = {"openings": maker.some_openings(), "roll_index": waiting.index}
        maker.write("host", "disclose", body)
        maker.phase = "idle"
    else:
        begin(maker)


def begin(maker: Maker) -> None:
    random = maker.random
    here = [name for name in maker.parties if name not in maker.left | maker.away] or ["host"]
    rollers = [name for name in here if ROLES[name] in ("player", "gm")] or ["alice"]
    spent = [
        name for name in here if name in maker.chains and maker.chains[name].next >= len(maker.chains[name].links) - 1
    ]
    chance = random.random()
    if spent and chance < 0.8:
        maker.commit(spent[0], random.randrange(2, 6))
    elif chance < 0.62:
        roller = random.choice(rollers)
        owed = maker.owed.get(roller)
        if owed is not None and random.random() < 0.9:
            del maker.owed[roller]
            maker.request(roller, owed.dice, owed.body)
        else:
            maker.request(roller, random.choice(list(DICE)))
    elif chance < 0.8:
        presence(maker)
    elif chance < 0.9:
        ruling(maker)
    elif chance < 0.95:
        maker.commit(random.choice(here), random.randrange(2, 6))
    elif chance < 0.98:
        maker.write(random.choice(maker.parties), random.choice(["join", "reveal", "declare", "close", "back"]), {})
    else:
        maker.write("host", "close", {})
        maker.phase = "closed"


def random_game(random: Random) -> Maker:
    """A game of a few parties, mostly as the protocol allows it."""
    parties = [
        "host",
        "alice",
        *random.sample(["bob", "carol", "gail", "walt"], random.randrange(1, 4)),
        "dana",
        "erin",
    ]
    parties = parties[: random.randrange(len(parties) - 2, len(parties) + 1)]
    random.shuffle(parties)
    listed = [name for name in parties if ROLES[name] != "judge" and (name == "host" or random.random() < 0.6)]
    contributors = random.choice(["all", "all", "roller", listed if len(listed) > 1 else "all"])
    maker = Maker(random, parties, contributors, away_by_others=random.random() < 0.4)
    maker.judge = "erin" if "erin" in parties and random.random() < 0.3 else None
    maker.open()
    for name in parties:
        if name != "host" and random.random() < 0.97:
            maker.write(name, "join", {})
            maker.joined.add(name)
    for name in parties:
        contributes = ROLES[name] != "judge" and (contributors in ("all", "roller") or name in contributors)
        if name in maker.joined and contributes and random.random() < 0.99:
            maker.commit(name, random.randrange(3, 8))
    for _ in range(random.randrange(1, 25)):
        step(maker)
    return maker


def long_game(random: Random, events: int) -> bytes:
    """A game of three in which alice and bob roll, about as many events as asked for."""
    maker = Maker(random, ["host", "alice", "bob"])
    maker.open()
    for name in ("alice", "bob"):
        maker.write(name, "join", {})
    for name in maker.parties:
        maker.commit(name, min(65_536, events))
    while len(maker.lines) < events - 1:
        maker.request(random.choice(["alice", "bob"]), "2d20")
        maker.reveal()
    maker.write("host", "close", {})
    return maker.bytes()


def change(random: Random, value: Any) -> Any:
    """Something else in the place of a JSON value."""
    if isinstance(value, dict) and value and random.random() < 0.85:
        name = random.choice(list(value))
        if random.random() < 0.15:
            return {key: each for key, each in value.items() if key != name}
        if random.random() < 0.05:
            return {**value, random.choice(["zz", "", "sig", "burned", "é"]): 1}
        return {**value, name: change(random, value[name])}
    if isinstance(value, list) and value and random.random() < 0.85:
        at = random.randrange(len(value))
        return random.choice(
            [
                [*value[:at], change(random, value[at]), *value[at + 1 :]],
                value[:at] + value[at + 1 :],
                [*value, value[at]],
                value[::-1],
            ]
        )
    if isinstance(value, str) and value and random.random() < 0.8:
        at = random.randrange(len(value))
        return value[:at] + random.choice(["0", "f", "A", "", value[at] * 2, "\u202e"]) + value[at + 1 :]
    if isinstance(value, int) and not isinstance(value, bool) and random.random() < 0.8:
        return random.choice([value + 1, value - 1, 0, -1, 2**53 - 1, 2**53, value * 2])
    return random.choice([None, True, 0, 1, "", "alice", "bob", "zoe", "void", [], {}, 1.5, "0" * 64])


def signed_again(lines: list[bytes], start: int, random: Random) -> list[bytes]:
    """Lines from `start` on in their places again: numbers, links and signatures as whoever has all keys makes them."""
    changed = lines[:start]
    for line in lines[start:]:
        try:
            event = json.loads(line)
        except ValueError:
            changed.append(line)
            continue
        if not isinstance(event, dict):
            changed.append(line)
            continue
        if changed:
            event["prev"] = leaf(changed[-1]).hex()
            event["game"] = leaf(changed[0]).hex()
            event["seq"] = len(changed)
        changed.append(encode(sign(event)))
    return changed


def damaged(random: Random, maker: Maker) -> bytes:
    """The game with something changed in it, and mostly signed again behind the change."""
    lines = list(maker.lines)
    at = random.randrange(len(lines))
    chance = random.random()
    resign = random.random() < 0.8
    if chance < 0.35:
        event = json.loads(lines[at])
        event = {**event, "body": change(random, event["body"])}
        lines[at] = encode(sign(event) if random.random() < 0.9 else event)
    elif chance < 0.5:
        event = change(random, json.loads(lines[at]))
        lines[at] = encode(sign(event) if isinstance(event, dict) and random.random() < 0.8 else event)
        resign = resign and random.random() < 0.5
    elif chance < 0.7:
        other = random.randrange(len(lines))
        mixed: list[Callable[[], list[bytes]]] = [
            lambda: lines[:at] + lines[at + 1 :],
            lambda: lines[: at + 1] + lines[at:],
            lambda: [*lines[:at], lines[other], *lines[at + 1 :]],
            lambda: [*lines[:at], *lines[at : at + 2][::-1], *lines[at + 2 :]],
            lambda: lines[: at + 1],
        ]
        lines = random.choice(mixed)()
    elif chance < 0.8:
        flipped = bytearray(lines[at])
        flipped[random.randrange(len(flipped))] ^= 1 << random.randrange(8)
        lines[at] = bytes(flipped)
        resign = False
    elif chance < 0.85:
        text = lines[at].decode()
        place = random.randrange(len(text))
        lines[at] = (
            text[:place] + random.choice([" ", "\\u0041", "\r", "\\ud800", "1E400", "null"]) + text[place:]
        ).encode()
        resign = False
    if resign and lines:
        lines = signed_again(lines, random.randrange(at + 1) if random.random() < 0.2 else min(at, len(lines)), random)
    data = b"".join(line + b"\n" for line in lines)
    if random.random() < 0.02:
        data = data[: random.randrange(len(data) + 1)]
    return data
