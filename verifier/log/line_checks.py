"""Checks of the signatures, links and dice of a line, in the order of specs/verification.md (steps 5, 6, 12 to 22)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from rules import Body
from rules.data.language import N_
from verifier.dice.derivation import draw, opening_message, roll_seed, walk_down
from verifier.dice.pending import PendingRoll, in_order
from verifier.errors import Failure
from verifier.log.bodies import PROTOCOL_BODIES, AdmitBody, Appointment, Correction, Opening, Reveal, Succession, Word
from verifier.log.event_word import act_holds
from verifier.log.format import Envelope, admission_message, decode_envelope, signed_message
from verifier.log.identity import VerifierKey
from verifier.log.signatures import Check, SignatureCheck
from verifier.log.succession import SuccessionError, check_succession
from verifier.log.terms import Terms

__all__ = ["NOT_ON_CHAIN", "Chain", "CheckContext", "LineChecks"]


class Chain(Struct, frozen=True):
    """The known facts about a contributor's seed chain."""

    tip: bytes
    length: int
    next: int
    """the index of the link for the next request"""
    known: int
    """the highest index whose link is known"""
    link: bytes
    """the link at `known`"""


NOT_ON_CHAIN = N_("The link that {author} opened is not on the chain that {author} committed to.")


class CheckContext(NamedTuple):
    """The context in which a line is checked."""

    game: bytes
    """the game's id"""
    keys: Mapping[str, VerifierKey]
    chains: Mapping[str, Chain]
    seq: int
    """the number of the line"""


class LineChecks:
    """All checks of a line. `check` is called with each signature in turn, and may postpone it."""

    __slots__ = ("_check",)
    bodies: Mapping[str, type[Body]] = PROTOCOL_BODIES
    """the protocol's bodies by event type"""

    def __init__(self, check: Check) -> None:
        self._check = check

    def read(self, line: bytes) -> Envelope:
        """Decode the envelope (steps 5 and 6). Raises Failure."""
        return decode_envelope(line)

    def event(self, key: VerifierKey, line: bytes, envelope: Envelope, body: Body) -> None:  # noqa: ARG002
        """Verify the author's signature (step 12). Raises Failure."""
        self._signed(key, envelope.seq, bytes.fromhex(envelope.sig), signed_message(envelope))

    def _signed(self, key: VerifierKey, seq: int, signature: bytes, message: bytes) -> None:
        self._check(SignatureCheck(key.public_bytes, signature, message, key.name, 12, seq))

    def word(self, table: CheckContext, host: VerifierKey, admitted: AdmitBody, word: Word) -> None:
        """Verify the host's signature under its word for an admission (step 16). Raises Failure."""
        message = admission_message(table.game.hex(), word.head, admitted.key, admitted.role)
        name = VerifierKey.parse(admitted.key).name
        self._check(SignatureCheck(host.public_bytes, bytes.fromhex(word.sig), message, name, 16, table.seq))

    def succession(self, succession: Succession) -> None:
        """Verify a succession (step 16), all of its signatures at once. Raises Failure."""
        try:
            check_succession(succession)
        except SuccessionError as error:
            text = N_("The succession does not hold: {problem}.")
            raise Failure(16, "replace.succession", text, problem=error) from None

    def event_word(self, terms: Terms, signed: Appointment | Correction, name: str) -> None:
        """Verify the signature under an organizer's act about a party (step 16). Raises Failure."""
        if not act_holds(signed, terms):
            code = "admit.appointment" if isinstance(signed, Appointment) else "replace.correction"
            text = N_("The signature of the act about {name} is not that of {by}, an organizer of this table's event.")
            raise Failure(16, code, text, name=name, by=signed.by)

    def link(self, table: CheckContext, name: str, index: int, link: str, code: str) -> None:
        """Verify that link `index` (hex) leads to the last known link of the party's chain (step 16).

        Raises Failure with `code`.
        """
        chain = table.chains[name]
        if walk_down(bytes.fromhex(link), table.game, name, index, chain.known) != chain.link:
            text = N_("The link that {author} gives is not on the chain that {author} committed to.")
            raise Failure(16, code, text, author=name, actual=link)

    def openings(self, table: CheckContext, pending: PendingRoll, openings: Sequence[Opening]) -> dict[str, bytes]:
        """Verify the openings of a reveal, and return their links by name. Raises Failure.

        Each of steps 18, 19 and 20 is made for all openings before the next step.
        """
        game, keys, chains, seq = table
        links: dict[str, bytes] = {}
        for opening in openings:  # 18
            name, link, signature = opening.author, bytes.fromhex(opening.link), bytes.fromhex(opening.sig)
            links[name] = link
            message = opening_message(game, pending.request, name, opening.index, link)
            self._check(SignatureCheck(keys[name].public_bytes, signature, message, name, 18, seq))
        for opening in openings:  # 19
            name, expected = opening.author, chains[opening.author].next
            if opening.index != expected:
                text = N_("{author} opened link {actual}; this roll takes link {expected}.")
                named = {"author": name, "opening": name}
                raise Failure(19, "opening.index", text, **named, expected=expected, actual=opening.index)
        for opening in openings:  # 20
            name, chain = opening.author, chains[opening.author]
            if walk_down(links[name], game, name, opening.index, chain.known) != chain.link:
                raise Failure(20, "opening.link", NOT_ON_CHAIN, author=name, opening=name, actual=opening.link)
        return links

    def opening_after(self, table: CheckContext, roll: PendingRoll, index: int, opening: Opening) -> bytes:
        """Verify one opening, of link `index`, after the end of its roll. Return its link.

        Raises Failure (steps 18, 19, 20).
        """
        game, keys, chains, seq = table
        name, link, signature = opening.author, bytes.fromhex(opening.link), bytes.fromhex(opening.sig)
        message = opening_message(game, roll.request, name, opening.index, link)
        self._check(SignatureCheck(keys[name].public_bytes, signature, message, name, 18, seq))
        if opening.index != index:
            text = N_("{author} opened link {actual}; this roll takes link {expected}.")
            raise Failure(19, "opening.index", text, author=name, opening=name, expected=index, actual=opening.index)
        chain = chains[name]
        high, low = (link, index), (chain.link, chain.known)
        if chain.known > index:  # it has opened links for later rolls
            high, low = low, high
        if walk_down(high[0], game, name, high[1], low[1]) != low[0]:
            raise Failure(20, "opening.link", NOT_ON_CHAIN, author=name, opening=name, actual=opening.link)
        return link

    def naturals(self, game: bytes, pending: PendingRoll, links: Mapping[str, bytes], reveal: Reveal) -> None:
        """Verify that the links give the naturals of a reveal, for dice with its sides (step 22). Raises Failure."""
        seed = roll_seed(game, pending.roll_index, in_order(pending.contributors, links))
        naturals = draw(seed, reveal.sides)
        if naturals != reveal.naturals:
            text = N_("The links give other dice than the reveal says.")
            raise Failure(22, "reveal.naturals", text, expected=list(naturals), actual=list(reveal.naturals))
