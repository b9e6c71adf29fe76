"""Honest seats against a coalition that has the keeper: a random search for an honest party that is named.

The coalition carries everything. It shows each honest seat whatever log, checkpoint and openings it likes, in whatever
order, drops what it likes, makes up what its keys allow, and keeps any number of histories. What the honest sign and
open is all that it has of them. Everything follows from the seed, but for the keys and secrets.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Protocol

import msgspec

from ledger.errors import LedgerError
from ledger.game.party_view import LogView
from ledger.seats.identity import Identity
from ledger.seats.seat import Seat
from ledger.seats.seed_chain import SeedChain
from rules import SYSTEMS, Role
from rules.protocol import Phase
from tests.support.table import Clock, Forger, as_json, joined, reveal_body, seat_in
from tests.web.browsers import Browsers
from verifier import Failure, Pins, Replay, VerifierKey, verify
from verifier.checkpoints.checkpoint import Checkpoint, parse_checkpoint, sign_checkpoint
from verifier.disputes.attestation import File
from verifier.disputes.compare import compare
from verifier.disputes.evidence import Evidence, Statement, verify_evidence
from verifier.log.bodies import PROTOCOL_BODIES, Opening
from verifier.log.format import decode_body
from verifier.log.merkle import leaf_hash, root_of
from verifier.log.plainjson import encode

__all__ = ["COALITION", "HONEST", "Search"]

SYSTEM = "dice-1"
ROLES: Mapping[str, Role] = {
    "host": "keeper",
    "alice": "player",
    "bob": "player",
    "carol": "player",
    "dana": "judge",
    "walt": "witness",
    "gil": "gm",
}
COALITION = ("host", "bob")
HONEST = ("alice", "carol", "dana", "walt", "gil")
PAGES = ("carol", "walt", "gil")
"""of the honest, who plays with the page, which knows no rules; the others have the program"""

STEPS = 200
"""of one search"""
MAX_HISTORIES = 7


class Player(Protocol):
    """An honest party's program, which is shown a log."""

    key: VerifierKey

    def does(self, what: str, shown: "Shown", given: Mapping[str, Any]) -> str | None:
        """What it signs or opens, as it travels; None where it does nothing."""

    def close(self) -> None:
        """End it."""


class Shown(msgspec.Struct):
    """What the coalition shows an honest seat."""

    lines: list[bytes]
    checkpoint: str | None
    openings: list[str]


class Program:
    """The seat of the `rollproof` program: it knows the rules, and says so."""

    def __init__(self, folder: Path, name: str, clock: Clock) -> None:
        identity = Identity.generate(name)
        self.key = identity.key
        self.seat: Seat = seat_in(folder, identity, clock)

    def does(self, what: str, shown: Shown, given: Mapping[str, Any]) -> str | None:
        try:
            note = None if shown.checkpoint is None else parse_checkpoint(shown.checkpoint.encode())
            view = LogView(shown.lines, note)
            return self._done(what, view, [opening_in(each) for each in shown.openings], given)
        except (Failure, LedgerError, msgspec.ValidationError):
            return None

    def _done(self, what: str, view: LogView, openings: list[Opening], given: Mapping[str, Any]) -> str | None:
        replay, seat = view.replay, self.seat
        others = [each for each in openings if each.author in replay.terms.keys and _holds(replay, each)]
        match what:
            case "enter" if seat.name not in replay.session.parties.joined:
                return seat.join(view).decode()
            case "enter":
                return seat.commit(view, 16).decode()
            case "sign":
                body = decode_body(encode(given["body"]), schema_of(given["type"]), given["type"])
                return seat.sign(view, given["type"], body).decode()
            case "tend":
                due = seat.tend(view)
                return due[0](view).decode() if due else None
            case "show":
                return seat.show(view, given["request"]).decode()
            case "open":
                return travelling(replay, seat.opening(view, others))
            case "void":
                return seat.void(view, given["missing"]).decode()
            case "decline":
                seat.decline(view)
                return None
            case _:
                opening = next((each for each in others if each.author == given["author"]), None)
                return None if opening is None else bytes(seat.acknowledge(view, opening)).decode()

    def close(self) -> None:
        self.seat.close()


class Page:
    """The page's core: it knows no rules. `browsers` is the process that runs it."""

    def __init__(self, browsers: Browsers, who: str, name: str, clock: Clock) -> None:
        self._browsers, self._who, self._clock = browsers, who, clock
        self.key = VerifierKey.parse(browsers("seat", who, name=name))

    def does(self, what: str, shown: Shown, given: Mapping[str, Any]) -> str | None:
        self._clock()
        found: str | None = self._browsers(
            "shown",
            self._who,
            game=leaf_hash(shown.lines[0]).hex(),
            lines=[line.decode() for line in shown.lines],
            checkpoint=shown.checkpoint,
            openings=shown.openings,
            now=int(self._clock.now.timestamp() * 1_000),
            what=what,
            given=given,
        )
        return found

    def close(self) -> None:
        """It leaves nothing behind."""


def schema_of(type: str) -> Any:
    return PROTOCOL_BODIES.get(type) or SYSTEMS[SYSTEM].bodies[type]


def opening_in(text: str) -> Opening:
    return msgspec.convert(json.loads(text)["opening"], Opening)


def travelling(replay: Replay, opening: Opening) -> str:
    assert replay.pending is not None
    sent = {
        "format": "rollproof/opening/v1",
        "game": replay.game.hex(),
        "opening": as_json(opening),
        "request": replay.pending.request.hex(),
    }
    return encode(sent).decode()


def _holds(replay: Replay, opening: Opening) -> bool:
    try:
        replay.check_opening(opening)
    except Failure:
        return False
    return True


class History:
    """One history of the game, as far as the coalition has made it. The rules may refuse some of it."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self.lines: list[bytes] = []
        self.replay = Replay()
        self.held = True
        """whether all of it holds"""
        for line in lines:
            self.append(line)

    def append(self, line: bytes) -> None:
        self.lines.append(line)
        try:
            if self.held:
                self.replay.step(line)
        except Failure:
            self.held = False

    @property
    def request(self) -> str:
        """The leaf hash of the request that waits, or was voided just now."""
        pending = self.replay.pending
        return "" if pending is None else pending.request.hex()


class Search:
    """One random game. `run` plays it, `named` judges everything that the coalition can then put together."""

    def __init__(self, seed: int, folder: Path, browsers: Browsers | None) -> None:
        self.random = Random(seed)
        self.clock = Clock()
        self.told: Counter[str] = Counter()
        """what came about, for the reader of a test"""
        self.cheats = {name: Forger(Identity.generate(name)) for name in COALITION}
        self.honest: dict[str, Player] = {}
        for name in HONEST:
            if name in PAGES and browsers is not None:
                self.honest[name] = Page(browsers, f"{folder.name} {name}", name, self.clock)
            else:
                self.honest[name] = Program(folder / name, name, self.clock)
        self.chains: dict[str, SeedChain] = {}
        """the coalition's, by tip"""
        self.openings: dict[tuple[str, str], str] = {}
        """what honest parties opened, by request and author, as it travels"""
        self.signed: list[bytes] = []
        """lines that honest parties signed"""
        self.received: set[tuple[str, str, str]] = set()
        """request, receiver and author of receipts for openings, by the honest"""
        self.notes: list[str] = []
        self.histories = [History([self._open()])]
        self.found: list[str] = []
        """what `named` found, as a test keeps it"""

    def close(self) -> None:
        for player in self.honest.values():
            player.close()

    def run(self, steps: int = STEPS) -> None:
        self._begin()
        moves = (
            [self._ask] * 24
            + [self._keep] * 12
            + [self._cheat] * 4
            + [self._swap] * 6
            + [self._fork, self._replay_line]
        )
        for _ in range(steps):
            main = self.random.random() < 0.75
            self.random.choice(moves)(self.histories[0] if main else self.random.choice(self.histories))

    def _begin(self) -> None:
        """Most of them sit down first; who may hold secret rolls seals."""
        history = self.histories[0]
        for name in [*[name for name in ROLES for _ in range(2)], "gil"]:
            if self.random.random() < 0.03:
                continue
            if name in self.honest:
                what = "tend" if name == "gil" and name in history.replay.chains else "enter"
                said = self.honest[name].does(what, Shown(history.lines, self._sign(history.lines), []), {})
                if said is not None:
                    self.signed.append(said.encode())
                    history.append(said.encode())
            elif name == "bob" and name not in history.replay.session.parties.joined:
                self._write(history, "bob", "join", self.random.choice([{}, {"checks": "rules"}]))
            elif name not in history.replay.chains:
                self._write(history, name, "commit", self._new_chain(history, name))

    def _open(self) -> bytes:
        keys = {name: cheat.identity.key for name, cheat in self.cheats.items()}
        keys |= {name: player.key for name, player in self.honest.items()}
        body: dict[str, Any] = {
            "contributors": self.random.choice(["all", "all", "roller"]),
            "format": "rollproof/v1",
            "nonce": self.random.randbytes(32).hex(),
            "options": {},
            "parties": [{"key": str(keys[name]), "role": role} for name, role in ROLES.items()],
            "system": SYSTEM,
            "title": "",
        }
        if self.random.random() < 0.5:
            body["away"] = "others"
        if self.random.random() < 0.8:
            body["sealed"] = "kept"
        event = {"author": "host", "body": body, "game": "0" * 64, "prev": "0" * 64, "seq": 0, "type": "open"}
        return self.cheats["host"].sign({**event, "time": self.clock()})

    # --- what the coalition has of the honest -----------------------------------------------------------------------

    def _ask(self, history: History) -> None:
        """Show an honest seat a log, and have its owner wish for something."""
        name = self.random.choice(HONEST)
        lines = history.lines
        whole = self.random.random() < 0.95
        if not whole:
            lines = lines[: self.random.randint(1, len(lines))]
        what, given = self._wish(name, history)
        said = self._said(name, what, Shown(lines, self._checkpoint(lines), self._openings(history)), given)
        if said is not None and what not in ("open", "acknowledge"):
            self.signed.append(said.encode())
            if whole and self.random.random() < 0.85:
                history.append(said.encode())

    def _swap(self, history: History) -> None:
        """Show an honest seat a request, another in its place, and the first one again, which the keeper takes now."""
        random, base = self.random, history.lines
        if not history.held or history.replay.session.phase is not Phase.IDLE or "bob" not in history.replay.chains:
            return
        time = max(self.clock(), history.replay.time)
        one, other = (
            History([*base, self.cheats["bob"].event(base, "roll", {"dice": dice}, time=time)])
            for dice in ("d20", "2d6")
        )
        if not one.held or not other.held:
            return
        name, first = random.choice(HONEST), random.choice(["acknowledge", "acknowledge", "void", "decline"])
        for shown, taken, what in (
            (one, base, first),
            (other, base, first),
            (one, one.lines, random.choice(["void", "void", "acknowledge", "open"])),
        ):
            given = {"author": "bob", "missing": ["bob"]}
            said = self._said(name, what, Shown(shown.lines, self._sign(taken), self._openings(shown)), given)
            if said is not None and what == "void":
                self.signed.append(said.encode())
        self.told["swap"] += 1

    def _said(self, name: str, what: str, shown: Shown, given: Mapping[str, Any]) -> str | None:
        """What an honest seat does; what it opens and gives receipts for is kept."""
        said = self.honest[name].does(what, shown, given)
        if said is None:
            self.told[f"{what}: nothing"] += 1
            return None
        self.told[f"{'page' if isinstance(self.honest[name], Page) else 'program'} {what}"] += 1
        if what == "open":
            sent = json.loads(said)
            self.openings[sent["request"], name] = said
        elif what == "acknowledge":
            receipt = json.loads(said)
            self.received.add((receipt["request"], name, receipt["author"]))
        return said

    def _wish(self, name: str, history: History) -> tuple[str, dict[str, Any]]:
        replay, random = history.replay, self.random
        pending, session = replay.pending, replay.session
        if session.phase is Phase.PENDING and pending is not None:
            author = random.choice([*pending.contributors, "bob"])
            missing = [each for each in ROLES if random.random() < 0.3]
            what = random.choice(["open", "open", "open", "acknowledge", "acknowledge", "void", "decline"])
            return what, {"author": author, "missing": missing}
        if name not in session.parties.joined or (replay.terms.may_contribute(name) and name not in replay.chains):
            return "enter", {}
        if name == "gil" and random.random() < 0.6:
            held = list(session.seals[name].secret) if name in session.seals else []
            return random.choice([("tend", {}), *[("show", {"request": request}) for request in (*held, *held, 9)]])
        return "sign", self._event(name, history)

    def _event(self, name: str, history: History) -> dict[str, Any]:
        """What an owner, led by the server's advice, may wish to sign; the rules refuse some of it."""
        random, role = self.random, ROLES[name]
        bodies: list[tuple[str, Any]] = [("back", {"party": name})]
        if random.random() < 0.2:
            bodies.append(("away", {"party": name}))
        if random.random() < 0.02:
            bodies.append(("leave", {"party": name}))
        if role == "player":
            bodies += [("roll", {"dice": random.choice(["d20", "2d6", "d6+1"])})] * 6
        if role in ("player", "gm"):
            bodies += [("roll", {"dice": "d20", "sealed": "gil", "sides": [20]})] * 4
        if role == "player" and random.random() < 0.25:
            earlier = random.randrange(len(history.lines))
            bodies = [
                ("roll", {"dice": "d20\u00a0"}),
                ("roll", {"dice": "d20", "source": " x"}),
                ("roll", {"dice": "d20", "call": earlier}),
                ("resolve", {"roll": earlier}),
                ("declare", {"what": "withdraw", "call": earlier}),
                ("declare", {"what": "shuffle", "deck": "tarot"}),
            ]
            bodies += [("away", {"party": random.choice(list(ROLES))})] if random.random() < 0.3 else []
        if role == "witness":
            bodies += [
                ("away", {"party": random.choice(list(ROLES))}),
            ]
        if role == "judge":
            subject = random.randrange(len(history.lines))
            text = {"text": "so be it", "subject": subject}
            bodies += [
                ("ruling", {"ruling": "void", **text}),
                ("ruling", {"ruling": "correct", "results": [{"die": 1, "result": 3}], **text}),
            ]
            bodies += [("leave", {"party": random.choice(list(ROLES))})] if random.random() < 0.05 else []
            bodies += [("away", {"party": random.choice(list(ROLES))})] if random.random() < 0.3 else []
        kind, body = random.choice(bodies)
        return {"type": kind, "body": body}

    def _checkpoint(self, lines: list[bytes]) -> str | None:
        """What the keeper says that it has taken: all that is shown, less, something else, or nothing."""
        choice = self.random.random()
        if choice < 0.03:
            return None
        if choice < 0.04 and self.notes:
            return self.random.choice(self.notes)
        return self._sign(lines if choice < 0.97 else lines[: self.random.randint(1, len(lines))])

    def _sign(self, lines: list[bytes]) -> str:
        host = self.cheats["host"].identity
        head = Checkpoint(leaf_hash(lines[0]), len(lines), root_of([leaf_hash(line) for line in lines]))
        note = bytes(sign_checkpoint(head, host.key, host.sign)).decode()
        self.notes.append(note)
        return note

    def _openings(self, history: History) -> list[str]:
        """Openings that are shown for the request that waits: some dropped, some made up."""
        waiting = [sent for (request, _), sent in self.openings.items() if request == history.request]
        own = [] if history.replay.pending is None else [self._own(history.replay, "bob")]
        found = [each for each in [*waiting, *own] if each is not None and self.random.random() < 0.9]
        if self.openings and self.random.random() < 0.1:
            found.append(self.random.choice(list(self.openings.values())))
        return found

    def _own(self, replay: Replay, name: str) -> str | None:
        """A cheat's opening for the request that waits."""
        pending, chain = replay.pending, replay.chains.get(name)
        if pending is None or chain is None or name not in pending.contributors or chain.next > chain.length:
            return None
        link = self.chains[chain.tip.hex()].link(chain.next)
        if self.random.random() < 0.03:
            link = self.random.randbytes(32)
        made = self.cheats[name].opening(_Game(replay.game), link, chain.next, pending.request)  # type: ignore[arg-type]
        return travelling(replay, msgspec.convert(made, Opening))

    # --- what the coalition writes ----------------------------------------------------------------------------------

    def _keep(self, history: History) -> None:
        """The keeper goes on, mostly as an honest one would."""
        replay, random = history.replay, self.random
        phase = replay.session.phase
        if not history.held or phase is Phase.CLOSED:
            if random.random() < 0.3:  # it signs over what the rules refuse
                self._write(history, "host", "commit", self._new_chain(history, "host"))
        elif phase is Phase.PENDING:
            self._reveal(history)
        elif phase is Phase.VOIDED:
            opened = [each for each in self._opened(history) if random.random() < 0.8 or each["author"] == "host"]
            assert replay.pending is not None
            self._write(history, "host", "disclose", {"openings": opened, "roll_index": replay.pending.roll_index})
        elif "host" not in replay.chains or replay.chains["host"].next >= replay.chains["host"].length:
            self._write(history, "host", "commit", self._new_chain(history, "host"))
        elif random.random() < 0.01:
            self._write(history, "host", "close", {})

    def _reveal(self, history: History) -> None:
        replay, random = history.replay, self.random
        pending = replay.pending
        assert pending is not None
        opened = self._opened(history)
        if len(opened) == len(pending.contributors):
            body = reveal_body(replay, opened)
            if random.random() < 0.05:
                body["naturals"] = [natural % 6 + 1 for natural in body["naturals"]]
            self._write(history, "host", "reveal", body)
        elif random.random() < 0.01:
            self._write(history, "host", "close", {"openings": opened})

    def _opened(self, history: History) -> list[dict[str, Any]]:
        """All openings that the coalition has for the request, in party order."""
        pending = history.replay.pending
        assert pending is not None
        found = []
        for name in pending.contributors:
            own = name in COALITION
            sent = self._own(history.replay, name) if own else self.openings.get((history.request, name))
            if sent is not None:
                found.append(json.loads(sent)["opening"])
        return found

    def _cheat(self, history: History) -> None:
        """The cheating player writes something, right or wrong."""
        replay, random = history.replay, self.random
        if replay.session.phase is Phase.PENDING and replay.pending is not None:
            missing = [name for name in replay.pending.contributors if random.random() < 0.3]
            if random.random() < 0.3:
                self._write(history, "bob", "void", {"missing": missing, "roll_index": replay.pending.roll_index})
            return
        if "bob" not in replay.session.parties.joined:
            self._write(history, "bob", "join", random.choice([{}, {"checks": "rules"}]))
        elif "bob" not in replay.chains or replay.chains["bob"].next >= replay.chains["bob"].length:
            self._write(history, "bob", "commit", self._new_chain(history, "bob"))
        else:
            event = self._event("bob", history)
            if event["type"] != "leave":
                self._write(history, "bob", event["type"], event["body"])

    def _new_chain(self, history: History, name: str) -> dict[str, Any]:
        replay = history.replay
        body: dict[str, Any] = {}
        old = replay.chains.get(name)
        if old is not None:
            body["link"] = self.chains[old.tip.hex()].link(min(old.next, old.length)).hex()
        chain = SeedChain(replay.game, name, self.random.randint(3, 12), self.random.randbytes(32))
        self.chains[chain.tip.hex()] = chain
        return {**body, "length": chain.length, "tip": chain.tip.hex()}

    def _write(self, history: History, name: str, type: str, body: dict[str, Any]) -> None:
        """A line by a cheat. It may not hold; then it is kept all the same, now and then."""
        line = self.cheats[name].event(history.lines, type, body, time=max(self.clock(), history.replay.time))
        after = History([*history.lines, line])
        if after.held:
            history.append(line)
        elif len(self.histories) < MAX_HISTORIES and self.random.random() < 0.3:
            self.histories.append(after)  # what does not hold is a history of its own
        else:
            return
        self.told[f"{name} {type}"] += 1

    def _fork(self, history: History) -> None:
        """Another history, which shares a beginning."""
        if len(self.histories) < MAX_HISTORIES and len(history.lines) > 4:
            self.histories.append(History(history.lines[: self.random.randint(3, len(history.lines))]))

    def _replay_line(self, history: History) -> None:
        """What an honest party signed comes in after all, late or in another history, where it fits."""
        head = leaf_hash(history.lines[-1]).hex()
        fitting = [line for line in self.signed if json.loads(line)["prev"] == head]
        if fitting:
            history.append(self.random.choice(fitting))

    # --- the judgement ----------------------------------------------------------------------------------------------

    def named(self, innocent: Iterable[str] = HONEST) -> list[str]:
        """Whatever names one of these: findings, evidence, statements that contradict each other."""
        those = frozenset(innocent)
        return [*self._by_logs(those), *self._by_two_logs(those), *self._by_statements(those)]

    def _logs(self) -> Iterator[list[bytes]]:
        for history in self.histories:
            lines = history.lines
            yield lines
            yield lines[: self.random.randint(1, len(lines))]
            fitting = [each for each in self.signed if json.loads(each)["prev"] == leaf_hash(lines[-1]).hex()]
            for line in fitting[:3]:
                yield [*lines, line]
                yield [*lines, line, b"junk"]

    def _receipts(self) -> dict[str, bytes]:
        some = self.random.sample(self.notes, min(len(self.notes), 5))
        return {str(number): note.encode() for number, note in enumerate(some)}

    def _by_logs(self, those: frozenset[str]) -> Iterator[str]:
        for lines in self._logs():
            receipts = self._receipts() if self.random.random() < 0.7 else {}
            if self.random.random() < 0.5:
                receipts["whole"] = self._sign(lines).encode()
            report, _ = verify(joined(lines), receipts=receipts)
            self.told[f"log {report.error.code if report.error else 'holds'}"] += 1
            for finding in report.findings:
                self.told[f"fault {finding.fault} {finding.code}"] += finding.fault is not None
                if finding.fault in those:
                    yield f"{finding.code} at event {finding.seq}: {finding.fault}: {finding.message}"

    def _by_two_logs(self, those: frozenset[str]) -> Iterator[str]:
        files = [
            File(str(number), lambda lines=history.lines: BytesIO(joined(lines)), self._receipts())  # type: ignore[misc]
            for number, history in enumerate(self.histories)
        ]
        for one, other in pairwise(files):
            fork = compare(one, other).fork
            if fork is None:
                continue
            self.told["forked"] += 1
            for signer in fork.signed_both:
                if signer.proof and signer.name in those:
                    yield f"{signer.name} signed both of two histories: {signer.signed}"
            for name, make in fork.evidence.items():
                evidence = make()
                self.told[f"evidence against {name}"] += 1
                assert evidence is None or verify_evidence(bytes(evidence)).verdict == "holds"

    def _by_statements(self, those: frozenset[str]) -> Iterator[str]:
        """Evidence put together from single lines, and voids against receipts."""
        for name in those:
            yield from self._by_lines(name)
        voids = [event for event in map(json.loads, self._of_all()) if event["type"] == "void"]
        for void in voids:
            for missing in void["body"]["missing"]:
                if void["author"] in those and (void["prev"], void["author"], missing) in self.received:
                    yield f"{void['author']} gave a receipt for the opening of {missing}, whom its void names"

    def _of_all(self) -> set[bytes]:
        return {line for history in self.histories for line in history.lines} | set(self.signed)

    def _by_lines(self, name: str) -> Iterator[str]:
        """Two lines of one number by one party, each as a statement about itself and about the line before."""
        by_number: dict[int, list[tuple[bytes, ...]]] = {}
        for history in self.histories:
            for number, line in enumerate(history.lines[1:], 1):
                if json.loads(line)["author"] == name:
                    by_number.setdefault(number, []).append((line,))
                    if number > 1:
                        by_number.setdefault(number - 1, []).append((history.lines[number - 1], line))
        opened = self.histories[0].lines[0].decode()
        for number, statements in by_number.items():
            for one in statements:
                for other in statements:
                    if one[0] == other[0]:
                        continue
                    made = tuple(Statement(lines=tuple(line.decode() for line in each)) for each in (one, other))
                    evidence = Evidence(name, "rollproof/evidence/v1", number, opened, made)
                    if verify_evidence(bytes(evidence), pins=Pins()).verdict == "holds":
                        yield f"evidence against {name} about line {number}"


class _Game(msgspec.Struct):
    """What a forger needs to know of a table."""

    game: bytes
