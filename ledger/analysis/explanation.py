"""One roll from commitment to outcome, with every number in between (specs/explanations.md).

Derives the dice a second time from a verified log, a step at a time and in the words of specs/dice.md.
"""

import hmac
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from rules import Event, Session
from rules.base import Reason, Ruling
from rules.protocol import ACTS, PRESENCE, REQUESTS, Strike
from rules.records import RollRecord
from rules.sealing import SecretRoll
from verifier import Replay
from verifier.dice.derivation import DICE_LABEL, link_message, opening_message, sealed_seed_message, seed_message
from verifier.dice.pending import PendingRoll, in_order
from verifier.log.bodies import (
    AwayBody,
    Close,
    Commit,
    Disclose,
    LeaveBody,
    ObjectBody,
    Opening,
    Reveal,
    ShowBody,
    Void,
)
from verifier.log.format import EVENT_LABEL, decode_envelope
from verifier.log.line_checks import Chain
from verifier.log.signatures import trust
from verifier.shell.typed import file_word

__all__ = [
    "ByHand",
    "Draw",
    "DrawnDie",
    "Explanation",
    "KnownLink",
    "OpenedLink",
    "ShownLink",
    "SignedEvent",
    "explain",
]

_SPKI = "302a300506032b6570032100"
"""the bytes before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410), hex"""
_VERIFIED = "Signature Verified Successfully"


class ByHand(Struct, frozen=True):
    """A command line for a shell, and the end of what it prints."""

    command: str
    prints: str


class SignedEvent(Struct, frozen=True):
    """An event of the log: who signed it, when, and its leaf hash (hex)."""

    seq: int
    author: str
    type: str
    time: str
    leaf: str
    by_hand: tuple[ByHand, ...]


class KnownLink(Struct, frozen=True):
    """A link (hex), and the event that shows it."""

    seq: int
    index: int
    link: str


class OpenedLink(Struct, frozen=True):
    """An opening, and the known link that it must lead to."""

    author: str
    index: int
    link: str
    known: KnownLink
    by_hand: tuple[ByHand, ...]


class ShownLink(Struct, frozen=True):
    """A link (hex) of a request without dice that was shown later, by a later link that leads down to it."""

    author: str
    index: int
    link: str
    shown: KnownLink
    """where `index` is the same, this is the link itself"""
    known: KnownLink
    """the link known at the request, which it must lead to"""
    by_hand: tuple[ByHand, ...]


class DrawnDie(Struct, frozen=True):
    """A die: the bytes of the stream that gave it (hex), and the rejected bytes before them."""

    sides: int
    bytes: str
    number: int
    limit: int
    natural: int
    passed_over: tuple[str, ...] = ()


class Draw(Struct, frozen=True):
    """A request, and how it ended."""

    request: SignedEvent
    roll_index: int
    contributors: tuple[str, ...]
    committed: tuple[KnownLink, ...]
    """for each contributor, its tip"""
    end: int | None = None
    ended: str | None = None
    by: str | None = None
    """the author of the event that ended it"""
    missing: tuple[str, ...] = ()
    """of a void: the parties that had not opened, according to its author"""
    disclosed: int | None = None
    """of a void: the number of the keeper's `disclose`"""
    openings: tuple[OpenedLink, ...] = ()
    shown: tuple[ShownLink, ...] = ()
    hidden_by: tuple[str, ...] = ()
    """of a request that ended without dice: the parties whose links are not known"""
    seed: str | None = None
    seed_by_hand: ByHand | None = None
    blocks: tuple[ByHand, ...] = ()
    dice: tuple[DrawnDie, ...] = ()
    secret: SecretRoll | None = None
    """of a secret roll: its holder, and the tag that it used"""
    without: tuple[str, ...] = ()
    """the parties that did not contribute, because another party had signed them away"""
    unaccepted: tuple[str, ...] = ()
    """those of them that have not accepted it by the end of the log"""

    @property
    def links(self) -> dict[str, str]:
        """The links of the request that are known (hex), by contributor."""
        opened = {each.author: each.link for each in self.openings}
        return opened | {each.author: each.link for each in self.shown}


class Explanation(Struct, frozen=True):
    """The origin and the outcome of one event of a log."""

    event: SignedEvent
    roll: int | None
    events: tuple[int, ...]
    """all events that concern the roll, in order"""
    draws: tuple[Draw, ...]
    told: tuple[Reason, ...]
    """how the rules derived the results from the naturals"""
    session: Session
    """at the end of the log"""


def explain(read: Callable[[], Iterable[bytes]], seq: int, file: str) -> Explanation:
    """Explain event `seq` of a verified log.

    `read` returns the lines without line feeds each time it is called; `file` is the name of the log in the commands.

    Raises ValueError if the log has no such event.
    """
    roll, events = _events_of_roll(read(), seq)
    return _Course(roll, frozenset(events), seq, file).run(read())


def _events_of_roll(lines: Iterable[bytes], seq: int) -> tuple[int | None, list[int]]:
    """Return the number of the roll that event `seq` belongs to, and all events that concern the roll.

    Without a roll: None, and the event alone.
    """
    replay = Replay()
    rolls = array("q")  # of each event, the roll; -1 for none
    before: tuple[RollRecord, ...] = ()
    for line in lines:
        event = replay.step(line, trust)
        after = _open_rolls(replay)
        rolls.append(_roll_of(event, before, after, rolls))
        before = after
    if not 0 <= seq < len(rolls):
        raise ValueError(f"there is no event {seq}")
    if rolls[seq] == -1:
        return None, [seq]
    return rolls[seq], [number for number, roll in enumerate(rolls) if roll == rolls[seq]]


def _open_rolls(replay: Replay) -> tuple[RollRecord, ...]:
    session = replay.session if replay.size else None
    return session.system.rolls(session.game)[1] if session else ()


def _roll_of(event: Event, before: tuple[RollRecord, ...], after: tuple[RollRecord, ...], rolls: Sequence[int]) -> int:
    """Return the roll that an event concerns, or -1.

    It follows from the rolls that are open before and after the event, and from the rolls of earlier events.
    """
    if isinstance(event.body, Ruling):
        return rolls[event.body.subject]
    if isinstance(event.body, Strike):
        return rolls[event.body.roll]
    if event.type in REQUESTS:
        named = getattr(event.body, "roll", None) if event.type == "reroll" else None
        return next((roll.roll for roll in after if roll.roll == named), after[-1].roll if after else event.seq)
    if isinstance(event.body, Reveal | Void | Disclose):
        return rolls[-1]  # the request stands just before
    if isinstance(event.body, Close) and event.body.openings is not UNSET:
        return rolls[-1]
    if isinstance(event.body, ShowBody):
        return rolls[event.body.request]
    if event.type in ACTS or event.type in PRESENCE:
        kept = {id(roll) for roll in after}
        return next((roll.roll for roll in before if id(roll) not in kept), -1)
    return -1


class _Course:
    """A second replay of a log, which collects what concerns one roll."""

    def __init__(self, roll: int | None, events: frozenset[int], seq: int, file: str) -> None:
        self.roll = roll
        self.events = events
        self.seq = seq
        self.file = file
        self.replay = Replay()
        self.known: dict[str, KnownLink] = {}
        self.tips: dict[str, KnownLink] = {}
        self.draws: dict[int, Draw] = {}
        """by the number of the request"""
        self.used: dict[str, dict[int, int]] = {}
        """by party: the links that it used up for the roll and that are not known, as index and request"""
        self.secrets: dict[int, bytes] = {}
        """the known secrets of secret rolls, by the number of the request"""
        self.session: Session | None = None
        """the state after the last event that concerns the roll, if the rules still kept the roll then"""

    def run(self, lines: Iterable[bytes]) -> Explanation:
        explained: SignedEvent | None = None
        for line in lines:
            pending, chains = self.replay.pending, self.replay.chains.copy()
            event = self.replay.step(line, trust)
            if event.seq == self.seq:
                explained = self._signed(line, event)
            if event.seq in self.events and event.type in REQUESTS:
                self._request(line, event)
            if event.seq in self.events and pending is not None:
                self.draws[pending.seq] = self._end(self.draws[pending.seq], pending, event)
            if event.seq in self.events and self.roll is not None:
                settled, opened = self.replay.session.system.rolls(self.replay.session.game)
                if any(roll.roll == self.roll for rolls in (opened, settled) for roll in rolls):
                    self.session = self.replay.session
            self._learn_secret(event, pending)
            for name, known in _links_in(event, chains):
                self._learn(name, known)
            if isinstance(event.body, Commit):
                self.used.pop(event.author, None)  # of a chain whose secret is lost with its key
                self.known[event.author] = self.tips[event.author] = KnownLink(event.seq, 0, event.body.tip)
        assert explained is not None, "explain() looked whether there is such an event"
        draws = tuple(self._at_the_end(draw) for draw in self.draws.values())
        events = tuple(sorted(self.events))
        session, reasons = self.session, tuple[Reason, ...]()
        if session is not None and self.roll is not None:
            reasons = session.system.explain(session.game, self.roll)
        return Explanation(explained, self.roll, events, draws, reasons, self.replay.session)

    def _at_the_end(self, draw: Draw) -> Draw:
        unaccepted = self.replay.conduct.unaccepted(draw.request.seq)
        return replace(_whose_is_hidden(draw), unaccepted=unaccepted)

    def _learn_secret(self, event: Event, pending: PendingRoll | None) -> None:
        """Note the secret of a secret roll if the event shows it, and derive the dice if they are known with it."""
        match event.body:
            case ShowBody(request=request, secret=secret):
                pass
            case Void(secret=str() as secret) if pending is not None:
                request = pending.seq
            case _:
                return
        self.secrets[request] = bytes.fromhex(secret)
        draw = self.draws.get(request)
        if draw is not None and draw.ended == "reveal":
            self.draws[request] = self._with_dice(draw, (), ())
        elif draw is not None:
            self.draws[request] = self._would_have_shown(draw)

    def _learn(self, name: str, known: KnownLink) -> None:
        """Note a link of the party's chain, and the links below it that requests used up."""
        used = self.used.pop(name, {})
        if used:
            steps, links = self._walk(name, known, self.known[name])
        for index, request in used.items():
            draw = self.draws[request]
            if all(opened.author != name for opened in draw.openings):
                shown = ShownLink(name, index, links[index], known, self.known[name], steps)
                draw = replace(draw, shown=(*draw.shown, shown))
            self.draws[request] = self._would_have_shown(draw)
        self.known[name] = known

    def _walk(self, name: str, start: KnownLink, end: KnownLink) -> tuple[tuple[ByHand, ...], dict[int, str]]:
        """Return the steps from one link of a party's chain down to another, and the links between (hex) by index."""
        game, link = self.replay.terms.game, bytes.fromhex(start.link)
        steps, links = list[ByHand](), {start.index: start.link}
        for index in range(start.index, end.index, -1):
            message = link_message(game, name, index)
            below = hmac.digest(link, message, "sha256")
            steps.append(_hmac(link, message, below))
            links[index - 1], link = below.hex(), below
        assert link.hex() == end.link, "the log was verified"
        return tuple(steps), links

    def _signed(self, line: bytes, event: Event) -> SignedEvent:
        envelope = decode_envelope(line)
        where = f"sed -n '{event.seq + 1}p' {file_word(self.file)}"
        leaf = ByHand(f"{{ printf '\\000'; {where} | tr -d '\\n'; }} | openssl dgst -sha256", self.replay.head.hex())
        # The signature is the last member but time and type; no other member `sig` stands before a `time`.
        unsigned = f"""{where} | sed 's/"sig":"[0-9a-f]*","time"/"time"/' | tr -d '\\n'"""
        message = f"{{ printf '{_printed(EVENT_LABEL)}'; {unsigned}; }}"
        signature = self._signature(event.author, message, envelope.sig)
        return SignedEvent(
            event.seq, event.author, event.type, envelope.time, self.replay.head.hex(), (leaf, signature)
        )

    def _signature(self, author: str, message: str, signature: str) -> ByHand:
        """Return the command that checks a signature (hex) over the output of the shell words `message`."""
        key = self.replay.terms.keys[author].public_bytes.hex()
        return ByHand(
            f"printf {_SPKI}{key} | xxd -r -p > key.der; printf {signature} | xxd -r -p > signature; "
            f"{message} > message; openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in message "
            f"-sigfile signature",
            _VERIFIED,
        )

    def _request(self, line: bytes, event: Event) -> None:
        pending = self.replay.pending
        assert pending is not None, "a request waits for its dice"
        for name in pending.contributors:
            self.used.setdefault(name, {})[self.replay.chains[name].next] = event.seq
        tips = tuple(self.tips[name] for name in pending.contributors)
        draw = Draw(self._signed(line, event), pending.roll_index, pending.contributors, tips)
        self.draws[event.seq] = replace(draw, secret=pending.secret, without=pending.without)

    def _end(self, draw: Draw, pending: PendingRoll, event: Event) -> Draw:
        openings = tuple(self._opened(opening, pending, event.seq) for opening in openings_of(event))
        match event.body:
            case Disclose():
                return replace(draw, disclosed=event.seq, openings=openings)
            case Void() as body:
                return replace(draw, end=event.seq, ended="void", by=event.author, missing=body.missing)
        draw = replace(draw, end=event.seq, ended=event.type, by=event.author, openings=openings)
        if not isinstance(event.body, Reveal):
            return draw
        return self._with_dice(draw, event.body.sides, event.body.naturals)

    def _would_have_shown(self, draw: Draw) -> Draw:
        """Return a request without dice together with the dice that it would have had, once all its links are known.

        If the replay does not keep the roll any longer, the seed is derived but no dice.
        """
        if draw.seed is not None or len(draw.links) < len(draw.contributors):
            return draw
        roll = self.replay.voided.get(draw.request.seq)
        dice = ((), ()) if roll is None else (roll.sides, roll.naturals)
        return self._with_dice(draw, *dice)

    def _with_dice(self, draw: Draw, sides: tuple[int, ...], naturals: tuple[int, ...]) -> Draw:
        if draw.secret is not None and not self.secrets.get(draw.request.seq):
            return draw
        links = in_order(draw.contributors, {name: bytes.fromhex(link) for name, link in draw.links.items()})
        key, message = self.replay.terms.game, seed_message(draw.roll_index, links)
        if draw.secret is not None:
            message = sealed_seed_message(
                draw.roll_index, draw.secret.holder, draw.secret.tag.number, self.secrets[draw.request.seq], links
            )
            sides = draw.secret.sides
        seed = _hmac(key, message, hmac.digest(key, message, "sha256"))
        blocks, dice = _dice(bytes.fromhex(seed.prints), sides)
        assert draw.secret is not None or tuple(die.natural for die in dice) == naturals, "the log was verified"
        return replace(draw, seed=seed.prints, seed_by_hand=seed, blocks=blocks, dice=dice)

    def _opened(self, opening: Opening, pending: PendingRoll, seq: int) -> OpenedLink:
        """Return an opening with the steps from its link down to the known one: one step, or more
        after voided rolls.
        """
        game, name, known = self.replay.terms.game, opening.author, self.known[opening.author]
        steps, _ = self._walk(name, KnownLink(seq, opening.index, opening.link), known)
        message = opening_message(game, pending.request, name, opening.index, bytes.fromhex(opening.link))
        signature = self._signature(name, _bytes(message), opening.sig)
        return OpenedLink(name, opening.index, opening.link, known, (*steps, signature))


def _whose_is_hidden(draw: Draw) -> Draw:
    """Return a draw at the end of the log: links in party order, and the parties whose links are not known."""
    shown = {each.author: each for each in draw.shown}
    hidden = () if draw.end is None else tuple(name for name in draw.contributors if name not in draw.links)
    return replace(draw, shown=tuple(shown[n] for n in draw.contributors if n in shown), hidden_by=hidden)


def _links_in(event: Event, chains: Mapping[str, Chain]) -> Iterator[tuple[str, KnownLink]]:
    """Yield each link that an event shows, with its party; `chains` are the chains before the event."""
    for opening in openings_of(event):
        yield opening.author, KnownLink(event.seq, opening.index, opening.link)
    match event.body:
        case Commit(link=str() as link):
            yield event.author, KnownLink(event.seq, chains[event.author].next, link)
        case ObjectBody(opening=opening) if opening.index > chains[event.author].known:
            yield event.author, KnownLink(event.seq, opening.index, opening.link)
        case LeaveBody(burned=str() as link) | AwayBody(burned=str() as link):
            yield event.author, KnownLink(event.seq, chains[event.author].next - 1, link)


def openings_of(event: Event) -> Sequence[Opening]:
    """Return the openings in an event."""
    return event.body.openings if isinstance(event.body, Reveal | Disclose | Close) and event.body.openings else ()


def _dice(seed: bytes, sides: Iterable[int]) -> tuple[tuple[ByHand, ...], tuple[DrawnDie, ...]]:
    """Return the blocks of a seed's stream and the dice that they give (specs/dice.md, "Dice from the seed")."""
    blocks: list[ByHand] = []
    stream = b""
    dice = []
    for n in sides:
        width = ((n - 1).bit_length() + 7) // 8
        limit = 256**width // n * n
        passed: list[str] = []
        while True:
            while len(stream) < width:
                message = DICE_LABEL + len(blocks).to_bytes(8, "big")
                block = hmac.digest(seed, message, "sha256")
                blocks.append(_hmac(seed, message, block))
                stream += block
            taken, stream = stream[:width], stream[width:]
            number = int.from_bytes(taken, "big")
            if number < limit:
                break
            passed.append(taken.hex())
        dice.append(DrawnDie(n, taken.hex(), number, limit, number % n + 1, tuple(passed)))
    return tuple(blocks), tuple(dice)


def _hmac(key: bytes, message: bytes, result: bytes) -> ByHand:
    return ByHand(f"{_bytes(message)} | openssl dgst -sha256 -mac HMAC -macopt hexkey:{key.hex()}", result.hex())


def _bytes(message: bytes) -> str:
    """Return shell words that print a message: its label, then the rest from hex."""
    label, rest = message.split(b"\n", 1)
    return f"{{ printf '{_printed(label)}\\n'; printf {rest.hex()} | xxd -r -p; }}"


def _printed(label: bytes) -> str:
    return label.decode().replace("\n", "\\n")
