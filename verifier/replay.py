"""The replay of a log, line by line, in the order of specs/verification.md, which numbers the steps.

A Replay is the only judge of what may be appended: verifiers replay files with it, and the ledger submits each new line
to it. It reads no file, clock or database. A line that it refuses leaves it unchanged.

The file is longer than others, for one reader goes through the steps with the page beside it: each check stands where
its number comes, and what takes more than some lines is a function of `verifier.log`.
"""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, UnsetType

from rules import SYSTEMS, Body, Event, Phase, Ruling, Session, Violation
from rules.base import given
from rules.data.language import N_, Message
from rules.parties import NewKey
from rules.protocol import ACTS, REQUESTS, Strike
from verifier.dice.pending import Accused, PendingRoll
from verifier.dice.voided import VoidedRoll, VoidedRolls
from verifier.errors import Failure
from verifier.log.bodies import (
    AdmitBody,
    AwayBody,
    Close,
    Commit,
    Disclose,
    JoinBody,
    LeaveBody,
    ObjectBody,
    Open,
    Opening,
    ReplaceBody,
    Reveal,
    SealBody,
    ShowBody,
    Void,
)
from verifier.log.conduct import Conduct, LateArrival, Replacement, TakenBack
from verifier.log.contributors import ContributorSets, parties_without_part
from verifier.log.event_body import decode_event_body
from verifier.log.event_word import appointment_fits
from verifier.log.fast_path import TRUSTED, FastChecks
from verifier.log.first_line import check_first_line
from verifier.log.format import MAX_LINE, MAX_WORD, Envelope, decode_body, decode_options
from verifier.log.identity import VerifierKey
from verifier.log.line_checks import Chain, CheckContext, LineChecks
from verifier.log.merkle import ZERO_HASH, MerkleTree, leaf_hash
from verifier.log.new_keys import check_correction, check_new_key, signer_away
from verifier.log.plainjson import encode
from verifier.log.secret_checks import check_seal, check_secret, check_show, check_shown_dice
from verifier.log.signatures import Check, verify_now
from verifier.log.terms import Pins, Terms, admit_party, check_pins, read_terms, replace_key

__all__ = ["Replay"]


class Replay:
    """The state of a game after some lines. It begins without lines; `step` takes the next one."""

    terms: Terms
    """the terms, set by event 0"""
    session: Session
    """the session, set by event 0"""
    voided: VoidedRolls
    """the voided rolls, set by event 0"""

    def __init__(self, pins: Pins | None = None) -> None:
        self.pins = pins or Pins()
        self.tree = MerkleTree()
        self.head = ZERO_HASH
        self.time = ""
        self.game = ZERO_HASH
        """the game's id, set by event 0"""
        self.chains: dict[str, Chain] = {}
        self.pending: PendingRoll | None = None
        self.sealed = -1
        """the seq of the last event that the keeper signed"""
        self.conduct = Conduct()
        self.secret_rolls: dict[int, tuple[PendingRoll, Mapping[str, bytes]]] = {}
        """request → secret roll that was revealed and not shown, with its links"""
        self.accused: dict[str, Accused] = {}
        """party that the keeper's judge called missing → roll; until the party writes anything but a `back`"""
        self.lost: frozenset[str] = frozenset()
        """the parties whose chain is that of an earlier key"""
        self.unsealed: frozenset[str] = frozenset()
        """the parties that have sealed with an earlier key only"""
        self._tips: set[bytes] = set()
        self._contributors = ContributorSets()
        self._recent: tuple[bytes, ...] = ()
        """leaf hashes of the latest MAX_WORD lines, which the host's word may name; empty without a host"""

    @property
    def size(self) -> int:
        """The number of events so far, which is also the next event's seq."""
        return self.tree.size

    @property
    def closed(self) -> bool:
        """True if the game is closed, so that nothing can follow."""
        return self.session.phase is Phase.CLOSED

    def copy(self) -> "Replay":
        """Return an independent copy."""
        other = Replay(self.pins)
        other.__dict__.update(self.__dict__)
        for name in ("tree", "accused", "chains", "conduct", "secret_rolls", "_tips", "_contributors"):
            setattr(other, name, getattr(self, name).copy())
        if self.size:
            other.voided = self.voided.copy()
        return other

    def step(self, line: bytes, check: Check = verify_now) -> Event:
        """Take the next line, without its line feed. Raises Failure, and is then unchanged.

        `check` is called with each signature in turn, and again if the line fails. It may postpone the check.
        """
        try:
            return self._take(line, FastChecks(check))
        except Failure:
            return self._take(line, LineChecks(check))  # finds the first flaw in the order of the steps

    def follow(self, line: bytes) -> Event:
        """Take the next line of a log that has been verified at least up to this line. Raises Failure.

        It serves callers that keep verified lines and need the state after them. Chain and rules are checked, so a line
        that is not the verified one is detected at the latest by the next line or the head. Signatures, links and dice
        are trusted.
        """
        return self._take(line, TRUSTED)

    def check_opening(self, opening: Opening, check: Check = verify_now) -> None:
        """Verify that an opening can be part of the pending request's reveal or void.

        Raises Failure (steps 9, 17 to 20). The opening goes through the codec first, because an object made in memory
        can have members of any form: a link of another length would be another HMAC key.
        """
        opening = decode_body(encode(opening), Opening, "opening")
        pending = self.pending
        if pending is None or opening.author not in pending.contributors:
            raise Failure(17, "opening.set", "Nothing waits for an opening of {author}.", author=opening.author)
        LineChecks(check).openings(self._table(), pending, (opening,))

    # --- every line ------------------------------------------------------------------------------------------------

    def _take(self, line: bytes, checks: LineChecks) -> Event:
        system = self.session.system if self.tree.size else None
        if system is None:
            check_first_line(line)  # 1 to 3
        if len(line) > MAX_LINE:  # 4
            raise Failure(4, "line.too-long", "This line is too long: at most {most} bytes.", most=MAX_LINE)
        envelope = checks.read(line)  # 5, 6
        self._check_chain(envelope)  # 7
        body = decode_event_body(envelope, checks.bodies, system)  # 8, 9
        leaf = leaf_hash(line)
        terms = self._check_open(body, leaf)  # 10
        key = terms.keys.get(envelope.author)
        new_key = self._new_key(envelope)
        if key is None:  # 11
            text = N_("{actual} is no party of this game: {expected}.")
            raise Failure(11, "author.unknown", text, expected=", ".join(terms.keys), actual=envelope.author)
        checks.event(new_key or key, line, envelope, body)  # 12
        raw = bytes(envelope.body) if envelope.type in REQUESTS else b""
        event = Event(envelope.seq, envelope.author, envelope.type, body, raw)
        try:
            session = self.session if self.tree.size else _start(body, terms)
            session.check_role(event.author, event.type)  # 13
            if event.author == terms.keepers_judge and event.type not in ("join", "void"):
                text = N_("{author} is the judge that {keeper} runs, and writes join and void alone, not {type}.")
                raise Failure(13, "author.role", text, author=event.author, keeper=terms.keeper, type=event.type)
            if envelope.time < self.time:  # 14
                text = N_("The time {actual} is before that of the event before, {expected}.")
                raise Failure(14, "time.backwards", text, expected=self.time, actual=envelope.time)
            if self.tree.size:
                session.check_state(event)  # 15
                self._apply(event, leaf, checks)  # 15 to 23
            else:
                self.terms, self.session, self.game, self.voided = terms, session, leaf, VoidedRolls(leaf)
        except Violation as violation:
            raise _failure(violation) from None
        self.head, self.time = leaf, envelope.time
        if self.terms.host is not None:
            self._recent = (*self._recent[1 - MAX_WORD :], leaf)
        self.tree.append(leaf)
        self._wrote(event)
        if event.seq in self.conduct.event_words:
            self.conduct.word_times[event.seq] = envelope.time
        return event

    def _wrote(self, event: Event) -> None:
        """Record what the mere fact shows that this party wrote an event."""
        if event.author == self.terms.keeper:
            self.sealed = event.seq
        if event.type != "back":
            self.accused.pop(event.author, None)

    def _check_chain(self, envelope: Envelope) -> None:
        """Verify the place of the event in the chain (step 7)."""
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

    def _check_open(self, body: Body, leaf: bytes) -> Terms:
        """Return the game's terms, after checking them with event 0 (step 10)."""
        if not isinstance(body, Open):
            return self.terms  # event 0 is an open: step 1
        if self.tree.size:
            raise Failure(10, "open.terms", "A log begins with its only open; this is event {seq}.", seq=self.size)
        terms = read_terms(body, leaf, SYSTEMS[body.system])
        check_pins(self.pins, terms)
        return terms

    # --- steps 15 to 23, by event type -------------------------------------------------------------------------------

    def _apply(self, event: Event, leaf: bytes, checks: LineChecks) -> None:  # noqa: C901 - a branch for each type
        match event.body:
            case _ if event.type in REQUESTS:
                self._request(event, leaf)  # 15, 23
            case _ if event.type in ACTS:
                self.session = self.session.apply(event)  # 23
                if event.type == "declare":
                    self.conduct.declared[event.seq] = None
            case Reveal() as body:
                self._reveal(event, body, checks)  # 17 to 20, 22, 23
            case Commit() as body:
                self._commit(event, body, checks)  # 16, 23
            case LeaveBody() | AwayBody() as body:
                self._leave(event, body, checks)  # 16, 23
            case AdmitBody() as body:
                self._admit(event, body, checks)  # 16
            case ReplaceBody() as body:
                self._replace(event, body, checks)  # 15, 16
            case JoinBody() as body:
                self._join(event, body)
            case Void() as body:
                self._void(event, body)  # 15, 17, 21, 23
            case Disclose() as body:
                self._disclose(event, body, checks)  # 17 to 20, 23
            case ObjectBody() as body:
                self._object(event, body, checks)  # 15, 17 to 20
            case SealBody() as body:
                self._seal(event, body)  # 16
            case ShowBody() as body:
                self._show(event, body)  # 21, 22
            case Close() as body:
                self._close(event, body, checks)  # 15, 17 to 20, 23
            case Strike():
                self._strike(event)
            case Ruling() as body:
                owed = any(request.seq == body.subject for request in self.session.owes.values())
                self.session = self.session.apply(event)  # 23
                self.conduct.ruled(body, event.author, event.seq, owed=owed)
            case body:
                self.session = self.session.apply(event)  # 23
                self.conduct.said(body, event.author, event.seq)

    def _request(self, event: Event, leaf: bytes) -> None:
        contributors = self.contributors(event.author)
        if len(contributors) < 2:  # 15
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
        secret = self.session.secret
        without = parties_without_part(event.author, contributors, self.terms, self.session, self.chains)
        self.pending = PendingRoll(event.seq, leaf, event.author, contributors, roll_index, closer, secret, without)

    def contributors(self, roller: str) -> tuple[str, ...]:
        """Return the parties that would contribute to a roll of this party now."""
        return self._contributors.of(roller, self.terms, self.session, self.chains)

    def _admit(self, event: Event, body: AdmitBody, checks: LineChecks) -> None:
        asked = [each.key for each in self.session.parties.asked.values()]
        terms, word = admit_party(self.terms, body, asked), given(body.word, None)  # 16
        if word is not None:
            if terms.host is None or bytes.fromhex(word.head) not in self._recent:
                text = N_(
                    "The host's word here is not for this game: the game has no host, or the word is not for one "
                    "of its latest {most} lines."
                )
                raise Failure(16, "admit.word", text, most=MAX_WORD)
            checks.word(self._table(), terms.host, body, word)
        name, appointment = terms.late[-1], given(body.appointment, None)
        if appointment is not None:
            if body.role != "judge" or not appointment_fits(appointment, body.key, terms):
                text = N_("The appointment is no act by which an organizer of this table's event made {name} a judge.")
                raise Failure(16, "admit.appointment", text, name=name)
            checks.event_word(terms, appointment, name)
            self.conduct.event_words[event.seq] = appointment
        calls = terms.others_away and terms.may_contribute(name)
        appointed = appointment is not None
        self.session = self.session.apply(event).admit(name, body.role, event.seq, calls=calls, appointed=appointed)
        self.terms = terms
        self._contributors.clear()
        organizer = None if appointment is None else appointment.by
        self.conduct.admitted(name, LateArrival(event.seq, word is not None, organizer))

    def _replace(self, event: Event, body: ReplaceBody, checks: LineChecks) -> None:
        session = self.session
        succession = given(body.succession, None)
        key = check_new_key(body, self.terms, session, self.conduct)  # 15, 16
        if succession is not None:
            checks.succession(succession)  # 16
        asked = NewKey(event.seq, body.key, "others" if succession is None else "recovery")
        if body.correction is not UNSET:
            correction = check_correction(body, key, self.terms)
            checks.event_word(self.terms, correction, key.name)  # 16
            self.conduct.event_words[event.seq] = correction
            by = correction.by, signer_away(key.name, session, self.conduct)
            asked = NewKey(event.seq, body.key, "event", by)
        self.session = session.apply(event).ask(key.name, asked)

    def _new_key(self, envelope: Envelope) -> VerifierKey | None:
        """Return the new key with which a join is signed; None for any other event."""
        asked = self.session.parties.asked.get(envelope.author) if envelope.type == "join" else None
        return None if asked is None else VerifierKey.parse(asked.key)

    def _join(self, event: Event, body: JoinBody) -> None:
        before, party = self.session, event.author
        self.session = before.apply(event)
        if party in before.parties.asked:
            asked = before.parties.asked[party]
            by = tuple(before.parties.key_consents(party)) if asked.asks else asked.by
            self._renew(VerifierKey.parse(asked.key), event.seq, Replacement(party, asked.word, by))
        self.conduct.said(body, party, event.seq)

    def _renew(self, key: VerifierKey, seq: int, replaced: Replacement) -> None:
        """Let a party go on under a new key, with its join, event `seq`."""
        name, chain = key.name, self.chains.get(key.name)
        self.terms = replace_key(self.terms, key)
        if chain is not None:
            self.chains[name] = Chain(chain.tip, chain.next, chain.next, chain.next - 1, chain.link)
            self.lost |= {name}
            self.voided.lose(name)
        if name in self.session.seals:
            self.unsealed |= {name}
        self.conduct.renewed(seq, replaced)

    def _commit(self, event: Event, body: Commit, checks: LineChecks) -> None:
        if not self.terms.may_contribute(event.author):  # 16
            text = N_("{author} contributes to no roll of this game, so has nothing to commit to.")
            raise Failure(16, "commit.not-contributor", text, author=event.author)
        tip = bytes.fromhex(body.tip)
        if tip in self._tips:
            text = N_(
                "{author} commits to a tip that this game has seen: a copy of another's commitment, "
                "or a chain used twice."
            )
            raise Failure(16, "commit.tip-reused", text, author=event.author, actual=body.tip)
        lost = event.author in self.lost
        replaced, link = None if lost else self.chains.get(event.author), given(body.link, None)
        if (replaced is None) != (link is None):
            text = N_(
                "{author} gives the next link of the chain that a commit replaces, and none where there was none."
            )
            raise Failure(16, "commit.link", text, author=event.author)
        if replaced is not None and link is not None:
            checks.link(self._table(), event.author, replaced.next, link, "commit.link")
            self.voided.learn(event.author, replaced.next, bytes.fromhex(link))
        self.session = self.session.apply(event)  # 23
        self._tips.add(tip)
        self.chains[event.author] = Chain(tip, body.length, 1, 0, tip)
        if lost:
            self.lost -= {event.author}
        if replaced is None and event.author in self.terms.late:
            self._contributors.clear()

    def _leave(self, event: Event, body: LeaveBody | AwayBody, checks: LineChecks) -> None:
        author, party, burned = event.author, body.party, given(body.burned, None)
        chain = self.chains.get(author)
        if burned is not None:  # 16
            if author != party or chain is None or chain.known >= chain.next - 1:
                text = N_("{author} has no burned link that is still unknown, so there is none to give here.")
                raise Failure(16, "burned.link", text, author=author)
            checks.link(self._table(), author, chain.next - 1, burned, "burned.link")
        before = self.session
        self.session = before.apply(event)  # 23
        if burned is not None and chain is not None:
            index, link = chain.next - 1, bytes.fromhex(burned)
            self.chains[author] = Chain(chain.tip, chain.length, chain.next, index, link)
            self.voided.learn(author, index, link)
        if author != party and party in self.session.parties.left:
            self.conduct.gone(party, author, event.seq)
        if (owed := before.owes.get(party)) is not None and party in self.session.parties.left:
            self.conduct.owed(party, owed.seq, event.seq)
        if author != party and party in self.session.parties.away and party not in before.parties.away:
            self.conduct.away(party, author, event.seq)

    def _reveal(self, event: Event, body: Reveal, checks: LineChecks) -> None:
        pending = self._pending(body.roll_index)  # 17
        authors = tuple([opening.author for opening in body.openings])
        if authors != pending.contributors:
            text = N_("A reveal has one opening of each contributor, in party order.")
            raise Failure(17, "opening.set", text, expected=", ".join(pending.contributors), actual=", ".join(authors))
        links = checks.openings(self._table(), pending, body.openings)  # 18 to 20
        if pending.secret is not None and body.sides:  # 22
            raise Failure(22, "reveal.naturals", "The reveal of a secret roll has openings, and no dice.")
        checks.naturals(self.game, pending, links, body)  # 22
        sides = self.session.sides_drawn(body.naturals)  # 23
        if sides != body.sides:
            text = N_("The reveal has other dice than the request draws.")
            raise Failure(23, "reveal.sides", text, expected=list(sides), actual=list(body.sides))
        request = self.session.request
        self.session = self.session.apply(event, body.naturals)
        self._burn(pending, links)
        assert request is not None, "a reveal follows a request"
        self.conduct.revealed(pending, request)
        if pending.secret is not None:
            self.secret_rolls[pending.seq] = pending, links
            self.conduct.kept_secret(pending.secret.holder, pending.roller, pending.seq)

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
        secret, stated = pending.secret, given(body.secret, None)
        if (stated is None) == (secret is not None and secret.holder == author):
            text = N_("A void by the holder of a secret roll has its secret, and no other void has one.")
            raise Failure(21, "void.secret", text)
        if secret is not None and stated is not None:
            check_secret(self.game, secret, stated, 21, "void.secret")
        roll = VoidedRoll(pending, event.seq, author, "void", body.missing, secret=bytes.fromhex(stated or ""))
        self._add_voided(roll)
        self.session = self.session.apply(event)  # 23
        self.conduct.voided(roll, judged=self.terms.roles[author] == "judge")
        if author == self.terms.keepers_judge:
            self.accused.update({name: Accused(pending, self.chains[name].next) for name in body.missing})

    def _object(self, event: Event, body: ObjectBody, checks: LineChecks) -> None:
        author, accused = event.author, self.accused.get(event.author)
        if accused is None or accused.roll.seq != body.request:  # 15
            text = N_(
                "Event {request} is no roll that {judge} called off with {author} as missing; or {author} has written "
                "something else since."
            )
            judge = self.terms.keepers_judge or Message("the keeper's judge")
            raise Failure(15, "state.object", text, author=author, request=body.request, judge=judge)
        if body.opening.author != author:  # 17
            text = N_("{author} shows its own opening, not one of {actual}.")
            raise Failure(17, "opening.set", text, author=author, actual=body.opening.author)
        chain = self.chains[author]
        link = checks.opening_after(self._table(), accused.roll, accused.index, body.opening)  # 18 to 20
        self.session = self.session.apply(event)
        self.voided.learn(author, accused.index, link)
        if accused.index > chain.known:
            self.chains[author] = Chain(chain.tip, chain.length, chain.next, accused.index, link)
        self.conduct.objected_to(author, event.seq)

    def _seal(self, event: Event, body: SealBody) -> None:
        author, before = event.author, self.session.seals.get(event.author)
        check_seal(self.game, event.seq, author, body, before, unsealed=author in self.unsealed)  # 16
        self.session = self.session.apply(event)
        self.unsealed -= {author}

    def _show(self, event: Event, body: ShowBody) -> None:
        roll = self.session.seals[event.author].secret[body.request]
        check_show(self.game, event.author, body, roll)  # 21
        if roll.revealed:
            pending, links = self.secret_rolls[body.request]
            check_shown_dice(self.game, body, pending, links)  # 22
            self.conduct.shown(event.author, pending.roller)
        self.session = self.session.apply(event)
        self.secret_rolls.pop(body.request, None)
        self.voided.learn_secret(body.request, bytes.fromhex(body.secret))

    def _strike(self, event: Event) -> None:
        before = self.session
        self.session = before.apply(event)
        if before.latest is not None and self.session.latest is None:
            by, roll = tuple(before.who_agrees()), before.latest
            self.conduct.took_back(event.seq, TakenBack(roll.request, roll.author, by, roll.naturals))

    def _disclose(self, event: Event, body: Disclose, checks: LineChecks) -> None:
        pending = self._pending(body.roll_index)  # 17
        links = self._check_disclosed(pending, body.openings, checks)  # 17 to 20
        self.session = self.session.apply(event)  # 23
        roll = self.voided.get(pending.seq)
        if roll is not None:
            self.conduct.disclosed(roll, links)
        self._burn(pending, links)

    def _close(self, event: Event, body: Close, checks: LineChecks) -> None:
        pending = self.pending
        if isinstance(body.openings, UnsetType) != (pending is None):  # 15
            text = N_("A close has the openings of the request that waits, and no openings if none waits.")
            raise Failure(15, "state.close", text)
        if pending is not None:
            links = self._check_disclosed(pending, given(body.openings, ()), checks)  # 17 to 20
            self._add_voided(VoidedRoll(pending, event.seq, event.author, "close"))
            self._burn(pending, links)
            self.conduct.left_waiting = self.voided.get(pending.seq)
        self.session = self.session.apply(event)  # 23

    def _check_disclosed(
        self, pending: PendingRoll, openings: Sequence[Opening], checks: LineChecks
    ) -> dict[str, bytes]:
        """Verify openings that need not be complete (steps 17 to 20), and return their links by name."""
        authors = [opening.author for opening in openings]
        expected = {self.terms.keeper, *authors}
        if authors != [name for name in pending.contributors if name in expected]:
            text = N_(
                "The openings here must be of contributors of the roll, in party order, none twice, with "
                "{keeper}'s own among them."
            )
            raise Failure(17, "opening.set", text, keeper=self.terms.keeper, actual=", ".join(authors))
        return checks.openings(self._table(), pending, openings)

    # --- chains and the pending roll ---------------------------------------------------------------------------------

    def _table(self) -> CheckContext:
        return CheckContext(self.game, self.terms.keys, self.chains, self.tree.size)

    def _pending(self, roll_index: int) -> PendingRoll:
        """Return the roll that the event is about (step 17)."""
        assert self.pending is not None, "step 15 lets such an event through only while a request is pending"
        if roll_index != self.pending.roll_index:
            text = N_("This is roll {expected} of the game, not roll {actual}.")
            raise Failure(17, "roll.index", text, expected=self.pending.roll_index, actual=roll_index)
        return self.pending

    def _add_voided(self, roll: VoidedRoll) -> None:
        """Record that the pending roll ended without dice."""
        indexes = {name: self.chains[name].next for name in roll.pending.contributors}
        self.voided.add(roll, indexes, self.session)

    def _burn(self, pending: PendingRoll, links: Mapping[str, bytes]) -> None:
        """End the pending roll, and use up the links of all its contributors, opened or not."""
        self.pending = None
        for name in pending.contributors:
            chain, link = self.chains[name], links.get(name)
            if link is not None:
                self.voided.learn(name, chain.next, link)
            known, link = (chain.known, chain.link) if link is None else (chain.next, link)
            self.chains[name] = Chain(chain.tip, chain.length, chain.next + 1, known, link)


def _start(body: Body, terms: Terms) -> Session:
    """Return the session after event 0."""
    assert isinstance(body, Open), "step 10"
    system = SYSTEMS[body.system]
    callers = frozenset(filter(terms.may_contribute, terms.roles)) if terms.others_away else frozenset[str]()
    options = decode_options(body.options, system.options)
    return Session.start(
        system,
        options,
        terms.roles,
        callers,
        terms.admits,
        terms.holders,
        strikes=terms.strikes,
        keepers_judge=terms.keepers_judge,
    )


def _failure(violation: Violation) -> Failure:
    step = 23
    if violation.code == "author.role":
        step = 13
    elif violation.code.startswith(("state.", "ruling.")):
        step = 15
    return Failure(step, violation.code, violation.template, clause=violation.clause, **violation.values)
