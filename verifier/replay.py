"""A log, line by line: steps 5 to 23 of specs/verification.md. The numbers in the comments are the specification's.

A Replay is the only judge of what may be appended: verifiers run files through it, and the ledger offers it each
new line. It reads no file, clock or database. A line that it refuses leaves it as it was.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from rules import SYSTEMS, Body, Event, Ruling, Session, Violation
from rules.base import given
from rules.language import N_
from rules.session import REQUESTS, TRANSITIONS
from verifier.chain import ZERO_HASH, MerkleTree, leaf_hash
from verifier.derivation import draw, opening_message, roll_seed, walk_down
from verifier.errors import Failure
from verifier.format import (
    FORMAT,
    MAX_LINE,
    PROTOCOL_BODIES,
    AwayBody,
    Close,
    Commit,
    Disclose,
    Envelope,
    LeaveBody,
    Open,
    Opening,
    Reveal,
    RevealGlance,
    Void,
    decode_body,
    decode_envelope,
    decode_options,
    encode,
    from_hex,
    glance,
    signature_of,
)
from verifier.signatures import Check, SignatureCheck, verify_now
from verifier.terms import Pins, Terms, check_pins, read_terms
from verifier.voided import Count, Pending, VoidedRoll, VoidedRolls, in_order

__all__ = ["Chain", "Pending", "Replay"]

Signed = tuple[bytes, bytes]
"""a signature and its message"""

_COPIED = (
    *(
        "chains",
        "contributor_sets",
        "voids",
        "closers",
        "named_missing",
        "opened_and_voided",
        "struck",
        "corrected",
        "removed",
        "signed_away",
    ),
    *("_tips", "_sets"),
)
"""what a copy has of its own"""
_TRUSTED_BODIES: Mapping[str, type[Body]] = {**PROTOCOL_BODIES, "reveal": RevealGlance}


class Chain(Struct, frozen=True):
    """What is known of a contributor's seed chain."""

    tip: bytes
    length: int
    next: int
    """the index that the next request uses"""
    known: int
    """the highest index whose link is known"""
    link: bytes
    """the link at `known`"""


class Replay:
    """A game up to some line. Start with no line; feed lines to `step`."""

    terms: Terms
    """set by event 0"""
    session: Session
    """from event 0 on"""
    voided: VoidedRolls
    """from event 0 on"""

    def __init__(self, pins: Pins | None = None) -> None:
        self.pins = pins or Pins()
        self.tree = MerkleTree()
        self.head = ZERO_HASH
        self.time = ""
        self.game = ZERO_HASH
        """the game's id, from event 0 on"""
        self.chains: dict[str, Chain] = {}
        self.pending: Pending | None = None
        self.sealed = -1
        """seq of the last event that the keeper signed"""
        self.contributor_sets: dict[tuple[str, ...], int] = {}
        """contributors → number of rolls made with them"""
        self.voids: dict[str, Count] = {}
        """by author"""
        self.closers: dict[str, tuple[str, ...]] = {}
        """by author of voids: whose rolls they were to close"""
        self.named_missing: dict[str, tuple[str, ...]] = {}
        """by author of voids: whom they named"""
        self.opened_and_voided: dict[str, Count] = {}
        """by closer: rolls that it voided, with its own opening in the disclose"""
        self.struck: dict[str, Count] = {}
        self.corrected: dict[str, Count] = {}
        """by judge"""
        self.removed: dict[str, tuple[str, int]] = {}
        """party → who took it out, and by which event"""
        self.signed_away: dict[str, tuple[str, Count]] = {}
        """party → by whom last, and how often"""
        self.left_waiting: VoidedRoll | None = None
        """the roll that waited when the game was closed"""
        self._tips: set[bytes] = set()
        self._sets: dict[str, tuple[frozenset[str], frozenset[str], tuple[str, ...]]] = {}
        """roller → who has left, who is away, and who contributes then"""

    @property
    def size(self) -> int:
        """The number of events so far; also the next event's seq."""
        return self.tree.size

    def copy(self) -> "Replay":
        """An independent copy."""
        other = Replay(self.pins)
        other.__dict__.update(self.__dict__)
        other.tree = self.tree.copy()
        for name in _COPIED:
            setattr(other, name, getattr(self, name).copy())
        if self.size:
            other.voided = self.voided.copy()
        return other

    def step(self, line: bytes, check: Check = verify_now) -> Event:
        """Take the next line, without its line feed. Raises Failure, and is then unchanged.

        `check` is called with each signature as the line comes to it; it may keep it for later.
        """
        if len(line) > MAX_LINE:  # 4
            raise Failure(4, "line.too-long", "This line is too long: at most {most} bytes.", most=MAX_LINE)
        try:
            return self._take_event(line, check)
        except Failure:
            decode_envelope(line)  # 5, 6: what the quick look passed over comes first
            raise

    def follow(self, line: bytes) -> Event:
        """Take the next line of a log that was verified before, up to here at least. Raises Failure.

        For whoever keeps verified lines and wants the state that they lead to. The chain and the rules are checked, so
        a line that is not the one that was verified is found out, by the next line or the head; signatures, links and
        dice are taken as they stand.
        """
        return self._take_event(line, None)

    def _take_event(self, line: bytes, check: Check | None) -> Event:
        """Steps 5 to 23; without a `check` those that `follow` has."""
        envelope, leaf = glance(line), leaf_hash(line)  # 5
        self._check_chain(envelope)  # 7
        body = self._decode_body(envelope, PROTOCOL_BODIES if check else _TRUSTED_BODIES)  # 8, 9
        signed = signature_of(line, envelope, body) if check else (b"", b"")  # 5, 6
        raw = bytes(envelope.body) if envelope.type in REQUESTS else b""
        event = Event(envelope.seq, envelope.author, envelope.type, body, raw)
        try:
            if isinstance(body, Open):
                self._open(envelope, body, leaf, signed, check)  # 10 to 13
            else:
                self._check_author(envelope, self.terms, signed, check)  # 11, 12
                self._take(event, envelope, leaf, check)  # 13 to 23
        except Violation as violation:
            raise _failure(violation) from None
        self.head, self.time = leaf, envelope.time
        self.tree.append(leaf)
        if event.author == self.terms.keeper:
            self.sealed = event.seq
        return event

    def _check_chain(self, envelope: Envelope) -> None:
        if envelope.seq != self.tree.size:
            raise Failure(
                7,
                "chain.seq",
                "Event {expected} should stand here, but this is event {actual}: lines are missing, "
                "doubled or out of order.",
                expected=self.size,
                actual=envelope.seq,
            )
        if envelope.game != self.game.hex():
            text = N_("This event belongs to another game, {actual}.")
            raise Failure(7, "chain.game", text, expected=self.game.hex(), actual=envelope.game)
        if envelope.prev != self.head.hex():
            raise Failure(
                7,
                "chain.prev",
                "This event does not follow the line before it: that line was changed, or lines were "
                "dropped or swapped.",
                expected=self.head.hex(),
                actual=envelope.prev,
            )

    def _decode_body(self, envelope: Envelope, protocol: Mapping[str, type[Body]]) -> Body:
        """Steps 8 and 9, and that of the file only the first event is an open; `protocol` are the protocol's bodies."""
        kind = envelope.type
        if kind not in TRANSITIONS:
            raise Failure(8, "type.unknown", "There is no event type {type!r}.", type=kind)
        schema: Any = protocol.get(kind)
        if schema is None and self.tree.size:
            schema = self.session.system.bodies.get(kind)
        if schema is None:
            raise Failure(9, "body.malformed", "A log cannot have {type} here.", type=kind)
        body: Body = decode_body(envelope.body, schema, kind)
        if isinstance(body, Open) != (self.tree.size == 0):
            if isinstance(body, Open):
                known = SYSTEMS.get(body.system)
                decode_options(body.options, known.options if known else dict)
            raise Failure(10, "open.terms", "A log begins with its only open; this is event {seq}.", seq=self.size)
        return body

    # --- event 0 ---------------------------------------------------------------------------------------------------

    def _open(self, envelope: Envelope, body: Open, leaf: bytes, signed: Signed, check: Check | None) -> None:
        if body.format != FORMAT:
            raise Failure(
                2,
                "file.version",
                "The log has format {format!r}; this program reads {expected}.",
                format=body.format,
                expected=FORMAT,
            )
        system = SYSTEMS.get(body.system)
        if system is None:
            text = N_("The log was made for the rules {system!r}, which this program does not have.")
            raise Failure(3, "file.system", text, system=body.system, expected=", ".join(sorted(SYSTEMS)))
        options = decode_options(body.options, system.options)
        terms = read_terms(body, leaf, system)  # 10
        check_pins(self.pins, terms)
        self._check_author(envelope, terms, signed, check)  # 11, 12
        callers = frozenset(filter(terms.may_contribute, terms.roles)) if terms.others_away else frozenset[str]()
        session = Session.start(system, options, terms.roles, callers)
        session.check_role(envelope.author, "open")  # 13
        self.terms, self.session, self.game, self.voided = terms, session, leaf, VoidedRolls(leaf)

    def _check_author(self, envelope: Envelope, terms: Terms, signed: Signed, check: Check | None) -> None:
        key = terms.keys.get(envelope.author)
        if key is None:
            text = N_("{actual} is no party of this game: {expected}.")
            raise Failure(11, "author.unknown", text, expected=", ".join(terms.keys), actual=envelope.author)
        if check is not None:
            check(SignatureCheck(key.public_bytes, *signed, key.name, 12, envelope.seq))

    # --- all other events ------------------------------------------------------------------------------------------

    def _take(self, event: Event, envelope: Envelope, leaf: bytes, check: Check | None) -> None:
        session = self.session
        session.check_role(event.author, event.type)  # 13
        if envelope.time < self.time:
            text = N_("The time {actual} is before that of the event before, {expected}.")
            raise Failure(14, "time.backwards", text, expected=self.time, actual=envelope.time)
        session.check_state(event)  # 15
        match event.body:
            case Commit() as body:
                self._commit(event, body, check)  # 16
            case Reveal() as body:
                self._reveal(event, body, check)  # 17 to 23
            case Void() as body:
                self._void(event, body)  # 15, 17, 21
            case Disclose() as body:
                self._disclose(event, body, check)  # 17 to 20
            case Close() as body:
                self._close(event, body, check)  # 15, 17 to 20
            case LeaveBody() | AwayBody() as body:
                self._leave(event, body, check)  # 16, 23
            case _ if event.type in REQUESTS:
                self._request(event, leaf)  # 15, 23
            case _:
                self.session = session.apply(event)  # 23
                self._note_ruling(event)

    def _request(self, event: Event, leaf: bytes) -> None:
        contributors = self._contributors(event.author)
        if len(contributors) < 2:
            text = N_("Only {names} would contribute to this roll; it takes two.")
            raise Failure(15, "state.contributors", text, names=", ".join(contributors))
        for name in contributors:
            chain = self.chains.get(name)
            if chain is None or chain.next >= chain.length:
                text = N_("{name} has no link left for this roll: {name} must commit to a seed chain first.")
                raise Failure(15, "state.not-committed", text, name=name)
        roll_index = self.session.requests
        self.session = self.session.apply(event)  # 23
        closer = self.terms.closer(event.author, contributors)
        self.pending = Pending(event.seq, leaf, event.author, contributors, roll_index, closer)

    def _contributors(self, roller: str) -> tuple[str, ...]:
        """`Terms.contributors_of`, which asks for the same again and again while nobody comes or goes."""
        left, away = self.session.left, self.session.away
        known = self._sets.get(roller)
        if known is None or known[0] is not left or known[1] is not away:
            known = self._sets[roller] = left, away, self.terms.contributors_of(roller, left | away)
        return known[2]

    def _commit(self, event: Event, body: Commit, check: Check | None) -> None:
        if not self.terms.may_contribute(event.author):
            text = N_("{author} contributes to no roll of this game, so has nothing to commit to.")
            raise Failure(16, "commit.not-contributor", text, author=event.author)
        tip = bytes.fromhex(body.tip)
        if tip in self._tips:
            text = N_(
                "{author} commits to a tip that this game has seen: a copy of another's commitment, "
                "or a chain used twice."
            )
            raise Failure(16, "commit.tip-reused", text, author=event.author, actual=body.tip)
        replaced, link = self.chains.get(event.author), given(body.link, None)
        if (replaced is None) != (link is None):
            text = N_(
                "{author} gives the next link of the chain that a commit replaces, and none where there was none."
            )
            raise Failure(16, "commit.link", text, author=event.author)
        if replaced is not None and link is not None:
            self._check_link(event.author, replaced.next, link, 16, "commit.link", check)
            self.voided.learn(event.author, replaced.next, bytes.fromhex(link))
        self.session = self.session.apply(event)
        self._tips.add(tip)
        self.chains[event.author] = Chain(tip, body.length, 1, 0, tip)

    def _check_link(self, name: str, index: int, link: str, step: int, code: str, check: Check | None) -> None:
        """Whether link `index` (hex) leads to the last known one of the party's chain."""
        chain = self.chains[name]
        if check is None:
            return
        if walk_down(bytes.fromhex(link), self.game, name, index, chain.known) != chain.link:
            text = N_("The link that {author} gives is not on the chain that {author} committed to.")
            raise Failure(step, code, text, author=name, actual=link)

    def _check_burned(self, name: str, burned: str | UnsetType, may: bool, check: Check | None) -> None:
        """Step 16 of a leave or away."""
        if not isinstance(burned, str):
            return
        chain = self.chains.get(name)
        index = 0 if chain is None else chain.next - 1
        if not may or chain is None or chain.known >= index:
            text = N_("{author} has no burned link here that is not known, so there is none to give.")
            raise Failure(16, "burned.link", text, author=name)
        self._check_link(name, index, burned, 16, "burned.link", check)

    def _learn(self, name: str, index: int, link: bytes) -> None:
        """Link `index` of the party's chain is known from now on."""
        chain = self.chains[name]
        self.chains[name] = Chain(chain.tip, chain.length, chain.next, index, link)
        self.voided.learn(name, index, link)

    def _leave(self, event: Event, body: LeaveBody | AwayBody, check: Check | None) -> None:
        author, party = event.author, body.party
        self._check_burned(author, body.burned, author == party, check)
        before = self.session
        self.session = before.apply(event)
        if isinstance(body.burned, str):
            self._learn(author, self.chains[author].next - 1, bytes.fromhex(body.burned))
        if author != party and party in self.session.left:
            self.removed[party] = author, event.seq
        if author != party and party in self.session.away and party not in before.away:
            known = self.signed_away.get(party)
            count = Count(1, event.seq) if known is None else Count(known[1].count + 1, known[1].first)
            self.signed_away[party] = author, count

    def _reveal(self, event: Event, body: Reveal, check: Check | None) -> None:
        pending = self._pending(body.roll_index)  # 17
        authors = tuple(opening.author for opening in body.openings)
        if authors != pending.contributors:
            text = N_("A reveal has one opening of each contributor, in party order.")
            raise Failure(17, "opening.set", text, expected=", ".join(pending.contributors), actual=", ".join(authors))
        links = self._check_openings(pending, body.openings, check)  # 18 to 20
        if check is not None:
            self._check_naturals(pending, links, body)  # 22
        elif not _can_show(body.sides, body.naturals):
            raise Failure(22, "reveal.naturals", "The reveal has naturals that its dice do not have.")
        sides = self.session.sides_drawn(body.naturals)  # 23
        if sides != body.sides:
            text = N_("The reveal has other dice than the request draws.")
            raise Failure(23, "reveal.sides", text, expected=list(sides), actual=list(body.sides))
        self.session = self.session.apply(event, body.naturals)
        self._burn(pending, links)
        sets = self.contributor_sets
        sets[pending.contributors] = sets.get(pending.contributors, 0) + 1

    def _check_naturals(self, pending: Pending, links: Mapping[str, bytes], told: Reveal) -> None:
        seed = roll_seed(self.game, pending.roll_index, in_order(pending.contributors, links))
        naturals = draw(seed, told.sides)
        if naturals != told.naturals:
            text = N_("The links give other dice than the reveal says.")
            raise Failure(22, "reveal.naturals", text, expected=list(naturals), actual=list(told.naturals))

    def _void(self, event: Event, body: Void) -> None:
        assert self.pending is not None, "step 15 lets a void through only while a request is pending"
        closer, author = self.pending.closer, event.author
        if author != closer and self.terms.roles[author] != "judge":  # 15
            text = N_("Only {closer}, who opens last before the keeper, or a judge can void this roll, not {author}.")
            raise Failure(15, "state.void", text, closer=closer, author=author)
        pending = self._pending(body.roll_index)  # 17
        if list(body.missing) != [name for name in pending.contributors if name in body.missing]:  # 21
            text = N_("A void names contributors of its roll as missing, in party order, none twice.")
            raise Failure(21, "void.missing", text, actual=", ".join(body.missing))
        self._add_voided(VoidedRoll(pending, event.seq, author, "void", body.missing))
        self.session = self.session.apply(event)
        _count(self.voids, author, event.seq)
        _add(self.named_missing, author, body.missing)
        _add(self.closers, author, (closer,))

    def _disclose(self, event: Event, body: Disclose, check: Check | None) -> None:
        pending = self._pending(body.roll_index)  # 17
        links = self._check_disclosed(pending, body.openings, check)  # 17 to 20
        self.session = self.session.apply(event)
        roll = self.voided.get(pending.seq)
        if roll is not None and roll.by in links:  # a judge has no link
            _count(self.opened_and_voided, roll.by, roll.ended)
        self._burn(pending, links)

    def _close(self, event: Event, body: Close, check: Check | None) -> None:
        pending = self.pending
        if isinstance(body.openings, UnsetType) != (pending is None):  # 15
            text = N_("A close has the openings of the request that waits, and none where nothing waits.")
            raise Failure(15, "state.close", text)
        if pending is not None:
            links = self._check_disclosed(pending, given(body.openings, ()), check)  # 17 to 20
            self._add_voided(VoidedRoll(pending, event.seq, event.author, "close"))
            self._burn(pending, links)
            self.left_waiting = self.voided.get(pending.seq)
        self.session = self.session.apply(event)

    def _check_disclosed(
        self, pending: Pending, openings: Sequence[Opening], check: Check | None
    ) -> Mapping[str, bytes]:
        """Steps 17 to 20 of openings that need not be all. The links by name."""
        authors = [opening.author for opening in openings]
        expected = {self.terms.keeper, *authors}
        if authors != [name for name in pending.contributors if name in expected]:
            text = N_(
                "Here stand openings of contributors of the roll, in party order, none twice, and {keeper}'s own is "
                "one of them."
            )
            raise Failure(17, "opening.set", text, keeper=self.terms.keeper, actual=", ".join(authors))
        return self._check_openings(pending, openings, check)

    def _add_voided(self, roll: VoidedRoll) -> None:
        """The pending roll has no dice."""
        indexes = {name: self.chains[name].next for name in roll.pending.contributors}
        self.voided.add(roll, indexes, self.session)

    def _pending(self, roll_index: int) -> Pending:
        assert self.pending is not None, "step 15 lets a reveal or void through only while a request is pending"
        if roll_index != self.pending.roll_index:
            text = N_("This is roll {expected} of the game, not roll {actual}.")
            raise Failure(17, "roll.index", text, expected=self.pending.roll_index, actual=roll_index)
        return self.pending

    def check_opening(self, opening: Opening) -> None:
        """Whether an opening can stand in the pending request's reveal or void. Raises Failure (steps 9, 17 to 20).

        An Opening that was made in memory can have members of any form, so it goes through the codec first: a link of
        another length would be another HMAC key.
        """
        opening = decode_body(encode(opening), Opening, "opening")
        pending = self.pending
        if pending is None or opening.author not in pending.contributors:
            raise Failure(17, "opening.set", "Nothing waits for an opening of {author}.", author=opening.author)
        self._check_openings(pending, (opening,), verify_now)

    def _check_openings(self, pending: Pending, openings: Sequence[Opening], check: Check | None) -> dict[str, bytes]:
        """Steps 18, 19, 20, each for all openings before the next. The links by name."""
        if check is None:
            return {opening.author: from_hex(opening.link, 32) for opening in openings}
        game, keys, chains = self.terms.game, self.terms.keys, self.chains
        links: dict[str, bytes] = {}
        for opening in openings:
            name, link, signature = opening.author, bytes.fromhex(opening.link), bytes.fromhex(opening.sig)
            links[name] = link
            message = opening_message(game, pending.request, name, opening.index, link)
            check(SignatureCheck(keys[name].public_bytes, signature, message, name, 18, self.tree.size))
        for opening in openings:
            if opening.index != chains[opening.author].next:
                text = N_("{author} opened link {actual}; this roll takes link {expected}.")
                raise Failure(
                    19,
                    "opening.index",
                    text,
                    author=opening.author,
                    opening=opening.author,
                    expected=chains[opening.author].next,
                    actual=opening.index,
                )
        for opening in openings:
            name, chain = opening.author, chains[opening.author]
            if walk_down(links[name], game, name, opening.index, chain.known) != chain.link:
                text = N_("The link that {author} opened is not on the chain that {author} committed to.")
                raise Failure(20, "opening.link", text, author=name, opening=name, actual=opening.link)
        return links

    def _burn(self, pending: Pending, links: Mapping[str, bytes]) -> None:
        """The pending roll is over; its links are used up for all its contributors, opened or not."""
        self.pending = None
        for name in pending.contributors:
            chain, link = self.chains[name], links.get(name)
            if link is not None:
                self.voided.learn(name, chain.next, link)
            known, link = (chain.known, chain.link) if link is None else (chain.next, link)
            self.chains[name] = Chain(chain.tip, chain.length, chain.next + 1, known, link)

    def _note_ruling(self, event: Event) -> None:
        body = event.body
        if isinstance(body, Ruling) and body.ruling == "void":
            _count(self.struck, event.author, event.seq)
        if isinstance(body, Ruling) and body.ruling == "correct" and body.results is not UNSET:
            _count(self.corrected, event.author, event.seq)


def _add(names: dict[str, tuple[str, ...]], author: str, more: tuple[str, ...]) -> None:
    known = names.get(author, ())
    names[author] = known + tuple(name for name in more if name not in known)


def _can_show(sides: Sequence[int], naturals: Sequence[int]) -> bool:
    """Whether dice with these sides can show these naturals."""
    return len(sides) == len(naturals) and all(n <= most for n, most in zip(naturals, sides, strict=True))


def _failure(violation: Violation) -> Failure:
    step = 23
    if violation.code == "author.role":
        step = 13
    elif violation.code.startswith(("state.", "ruling.")):
        step = 15
    return Failure(step, violation.code, violation.template, clause=violation.clause, **violation.values)


def _count(counts: dict[str, Count], name: str, seq: int) -> None:
    old = counts.get(name)
    counts[name] = Count(old.count + 1, old.first) if old else Count(1, seq)
