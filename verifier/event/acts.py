"""The acts of an event log: their schemas, and the messages that their authors sign (specs/event.md,
"Lines", "Acts").
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from rules import Body
from rules.data.bounds import Count, Name, Positive, RequiredText, Text
from rules.data.language import N_
from rules.data.text import TEXT_PATTERN
from verifier.log.bodies import Appoint, CorrectKey, Hex32, Hex64, Number, SignedAct
from verifier.log.format import decode_body
from verifier.log.plainjson import encode

__all__ = [
    "ACTS",
    "CLAIM_LABEL",
    "EVENT_FORMAT",
    "KEEPER_ACTS",
    "LINE_LABEL",
    "MAX_BEHIND",
    "MAX_EVENT_LINES",
    "MAX_ROUNDS",
    "MAX_TABLE",
    "PLAYER_NAME",
    "ActFile",
    "Agree",
    "Answer",
    "Appeal",
    "CheckIn",
    "CorrectDrop",
    "CorrectPairing",
    "CorrectPenalty",
    "CorrectResult",
    "DiceByHand",
    "Dismiss",
    "Drop",
    "End",
    "EventClose",
    "EventOpen",
    "Extend",
    "JudgeCall",
    "Left",
    "Opened",
    "OpenedGame",
    "Pair",
    "Pairing",
    "Pause",
    "Penalty",
    "PenaltyKind",
    "Register",
    "Registered",
    "SealTables",
    "SealedGame",
    "SideResult",
    "Slip",
    "StartRound",
    "claim_message",
    "decode_act",
    "player_name",
]

EVENT_FORMAT = "rollproof/event/v1"
LINE_LABEL = b"rollproof/v1/event log\n"
CLAIM_LABEL = b"rollproof/v1/claim\n"
MAX_ROUNDS = 200
MAX_TABLE = 9_999
MAX_BEHIND = 1_024
"""lines that may lie between an act and the line that its author had seen last"""
MAX_EVENT_LINES = 1_000_000

RoundNumber = Annotated[int, Meta(ge=1, le=MAX_ROUNDS)]
TableNumber = Annotated[int, Meta(ge=1, le=MAX_TABLE)]
Reason = RequiredText
_TITLE = N_("a text without line breaks, control characters and marks that reorder it or are not seen")
Title = Annotated[str, Meta(min_length=1, max_length=400, pattern=TEXT_PATTERN, description=_TITLE)]
Side = Annotated[tuple[Number, ...], Meta(min_length=1, max_length=8)]
PenaltyKind = Literal["warning", "game-loss", "match-loss", "disqualification"]
ResultName = Literal["conceded", "drawn", "points", "won"]
_SMALL = Annotated[int, Meta(ge=0, le=99)]


def player_name(number: int) -> str:
    """Return the name of the player with a number, in lines and in games: `p17`."""
    return f"p{number}"


PLAYER_NAME = r"p[0-9]+"
"""pattern of players' names, which nobody else may have"""


class EventOpen(Body, frozen=True):
    """Line 0: the terms of the event."""

    contributors: Literal["all", "roller"]
    event: str
    keeper: str
    nonce: Hex32
    options: dict[str, Any]
    organizers: Annotated[tuple[str, ...], Meta(min_length=1, max_length=8)]
    results: Annotated[tuple[ResultName, ...], Meta(min_length=1, max_length=4)]
    rounds: RoundNumber
    system: str
    title: Title
    away: Literal["others"] | UnsetType = UNSET


class Dismiss(Body, frozen=True):
    """The end of a person's office."""

    name: Name
    reason: Reason


class Registered(Body, frozen=True):
    """A registered player: number, salted hash of the name, and public key of the claim code."""

    name: Hex32
    number: Number
    claim: Hex32 | UnsetType = UNSET


class Register(Body, frozen=True):
    """The registration of players."""

    players: Annotated[tuple[Registered, ...], Meta(min_length=1, max_length=300)]


class CheckIn(Body, frozen=True):
    """The check-in of a player with a key."""

    key: str
    number: Number
    claim: Hex64 | UnsetType = UNSET
    tablet: RequiredText | UnsetType = UNSET
    """present if the key is on a device of staff's; it says who sits there"""


class Drop(Body, frozen=True):
    """The withdrawal of a player from all further rounds."""

    number: Number
    reason: Reason


class Pairing(Body, frozen=True):
    """The players of a table: sides of one or more players each."""

    sides: Annotated[tuple[Side, ...], Meta(min_length=1, max_length=8)]
    table: TableNumber


Pairings = Annotated[tuple[Pairing, ...], Meta(max_length=600)]
Byes = Annotated[tuple[Number, ...], Meta(max_length=1_000)]


class Pair(Body, frozen=True):
    """Tables and byes of a round. Further lines may add more."""

    byes: Byes
    round: RoundNumber
    tables: Pairings


class StartRound(Body, frozen=True):
    """The start of a round and all its tables."""

    minutes: Annotated[int, Meta(ge=1, le=1_440)]
    round: RoundNumber


class OpenedGame(Body, frozen=True):
    """The game of a table."""

    game: Hex32
    table: TableNumber


class Opened(Body, frozen=True):
    """The games that the keeper opened for the tables of a line."""

    games: Annotated[tuple[OpenedGame, ...], Meta(min_length=1, max_length=300)]
    line: Count


class Extend(Body, frozen=True):
    """More time for a table."""

    minutes: Annotated[int, Meta(ge=1, le=600)]
    reason: Reason
    round: RoundNumber
    table: TableNumber


class Pause(Body, frozen=True):
    """A pause of the round's clock."""

    minutes: Annotated[int, Meta(ge=1, le=600)]
    reason: Reason
    round: RoundNumber


class DiceByHand(Body, frozen=True):
    """The statement that a table throws its dice by hand, without proof."""

    round: RoundNumber
    table: TableNumber
    text: RequiredText


class JudgeCall(Body, frozen=True):
    """A player's call for a judge."""

    round: RoundNumber
    table: TableNumber
    text: Text


class Answer(Body, frozen=True):
    """The answer to a call or an appeal."""

    call: Count
    text: RequiredText


class Appeal(Body, frozen=True):
    """A player's appeal to the head judge."""

    answer: Count
    text: Text


class SideResult(Body, frozen=True):
    """The result of one side."""

    conceded: Annotated[int, Meta(ge=0, le=1)] | UnsetType = UNSET
    drawn: _SMALL | UnsetType = UNSET
    points: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)] | UnsetType = UNSET
    won: _SMALL | UnsetType = UNSET

    def members(self) -> dict[str, int]:
        """Return the members that are present, by name."""
        found: dict[str, int] = msgspec.to_builtins(self)
        return found


Results = Annotated[tuple[SideResult, ...], Meta(min_length=1, max_length=8)]


class Slip(Body, frozen=True):
    """A result: a claim by a player, or a decision by staff."""

    round: RoundNumber
    sides: Results
    table: TableNumber
    reason: Reason | UnsetType = UNSET


class Agree(Body, frozen=True):
    """A player's agreement to another side's slip."""

    slip: Count


class Penalty(Body, frozen=True):
    """A penalty for a player."""

    number: Number
    penalty: PenaltyKind
    text: RequiredText


class CorrectPairing(Body, frozen=True):
    """A change of the current round's tables: some are cancelled, others are new or replaced."""

    cancelled: Annotated[tuple[TableNumber, ...], Meta(max_length=600)]
    reason: Reason
    round: RoundNumber
    tables: Pairings
    byes: Byes | UnsetType = UNSET


class CorrectResult(Body, frozen=True):
    """Another result in place of the one that stands."""

    reason: Reason
    round: RoundNumber
    sides: Results
    table: TableNumber


class CorrectPenalty(Body, frozen=True):
    """Another penalty in place of the one that stands; without a new one it is withdrawn."""

    line: Count
    reason: Reason
    penalty: PenaltyKind | UnsetType = UNSET


class CorrectDrop(Body, frozen=True):
    """The return of a player who had dropped."""

    number: Number
    reason: Reason


class SealedGame(Body, frozen=True):
    """Size and root of a game's log."""

    game: Hex32
    root: Hex32
    size: Positive
    table: TableNumber


class SealTables(Body, frozen=True):
    """The keeper's statement of how far games have come."""

    games: Annotated[tuple[SealedGame, ...], Meta(min_length=1, max_length=300)]
    round: RoundNumber


class Left(Body, frozen=True):
    """A table without a result."""

    reason: Reason
    table: TableNumber


class End(Body, frozen=True):
    """The end of a round."""

    left: Annotated[tuple[Left, ...], Meta(max_length=600)]
    round: RoundNumber


class EventClose(Body, frozen=True):
    """The end of the event."""


ACTS: Mapping[str, type[Body]] = {
    "open": EventOpen,
    "appoint": Appoint,
    "dismiss": Dismiss,
    "register": Register,
    "check-in": CheckIn,
    "drop": Drop,
    "pair": Pair,
    "start": StartRound,
    "opened": Opened,
    "extend": Extend,
    "pause": Pause,
    "by-hand": DiceByHand,
    "call": JudgeCall,
    "answer": Answer,
    "appeal": Appeal,
    "slip": Slip,
    "agree": Agree,
    "penalty": Penalty,
    "correct-pairing": CorrectPairing,
    "correct-result": CorrectResult,
    "correct-penalty": CorrectPenalty,
    "correct-drop": CorrectDrop,
    "correct-key": CorrectKey,
    "seal": SealTables,
    "end": End,
    "close": EventClose,
}
KEEPER_ACTS = frozenset({"opened", "seal"})
"""types that the keeper writes itself; all others are acts by other people"""


class KeeperAct(Body, frozen=True):
    """The body of a line that the keeper writes itself."""

    act: msgspec.Raw


class ActFile(SignedAct, frozen=True):
    """An act on its way to the keeper."""

    event: Hex32
    type: str

    @property
    def signed(self) -> SignedAct:
        """The body of the line for this act."""
        return SignedAct(self.at, self.by, self.sig, self.upon, self.act)


def claim_message(event: str, key: str) -> bytes:
    """Return the message that a claim code's key signs: the verifier key of its holder; `event` is in hex."""
    return CLAIM_LABEL + encode({"event": event, "key": key})


def decode_act(type: str, body: msgspec.Raw) -> tuple[Any, SignedAct | None]:
    """Decode the act of a line, and its signature, which is None in the keeper's own lines (step 9). Raises Failure."""
    if type in KEEPER_ACTS:
        kept: KeeperAct = decode_body(body, KeeperAct, type)
        return decode_body(kept.act, ACTS[type], type), None
    signed: SignedAct = decode_body(body, SignedAct, type)
    return decode_body(signed.act, ACTS[type], type), signed
