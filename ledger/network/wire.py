"""A server's answers and stream events, for client and server alike.

See specs/network.md, "Paths", "The stream", "Refusals", "Advice".

Nothing in it is checked: a client passes it to the modules that check it (`ledger.lobby`, `verifier`, its seat).
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ledger.forms.reading import AskedAction
from rules.data.bounds import Count, Name, Positive
from verifier.log.bodies import Hex32, Time

__all__ = [
    "AdvisedDie",
    "AdvisedRoll",
    "AdvisedState",
    "AdvisedTable",
    "AdvisedWait",
    "Anchored",
    "Bye",
    "CosignedBy",
    "EventAsItStands",
    "EventCosigned",
    "EventToken",
    "EventTokens",
    "Explained",
    "Here",
    "NewEvent",
    "NewRoll",
    "NewTable",
    "OEmbed",
    "OfferedActions",
    "OpeningReceived",
    "PostsTold",
    "Problem",
    "PublishedRoll",
    "PublishedRolls",
    "ReadBody",
    "ReadRequest",
    "Reasoned",
    "Server",
    "Started",
    "TakenAct",
    "TakenLine",
    "Token",
    "WitnessTold",
]

RollId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
"""as `ledger.lobby` has it, which a browser does not load"""


class WitnessTold(Struct, frozen=True):
    """A public witness that a server asks."""

    games: bool
    """for each game, not for the anchor log alone"""
    key: str
    """verifier key"""
    url: str


class PostsTold(Struct, frozen=True):
    """The channel to which a server posts results."""

    everybody: bool
    """of anybody's tables, else of those of hosts whom its operator named"""
    name: str


class Server(Struct, frozen=True):
    """`GET /v1/server`."""

    judge: str | None
    """verifier key of the server's judge; None where it has none"""
    keep_days: Count | None
    """how long closed games stay; None for ever"""
    keeper: str
    """verifier key"""
    limits: Mapping[str, int]
    name: str
    posts: PostsTold | None
    """where it posts results, at tables whose terms say so; None: nowhere"""
    public: str | None
    """the address at which everybody can read closed games, of tables whose terms say so; None: nowhere"""
    systems: tuple[str, ...]
    time: Time
    witnesses: tuple[WitnessTold, ...]


class NewTable(Struct, frozen=True):
    """`POST /v1/tables`."""

    table: Hex32


class NewRoll(Struct, frozen=True):
    """`POST /v1/games/GAME/rolls`."""

    roll: RollId


class PublishedRoll(Struct, frozen=True):
    """A roll of a game that is published."""

    names: bool
    party: Name
    """who published it"""
    request: Count
    roll: RollId


class PublishedRolls(Struct, frozen=True):
    """`GET /v1/games/GAME/rolls`."""

    rolls: tuple[PublishedRoll, ...]


class OEmbed(Struct, frozen=True):
    """`GET /v1/oembed`: oEmbed 1.0."""

    height: Positive
    html: str
    provider_name: str
    provider_url: str
    title: str
    type: Literal["rich"]
    version: Literal["1.0"]
    width: Positive
    thumbnail_height: Positive | UnsetType = UNSET
    thumbnail_url: str | UnsetType = UNSET
    thumbnail_width: Positive | UnsetType = UNSET


class NewEvent(Struct, frozen=True):
    """`POST /v1/events`."""

    event: Hex32


class TakenAct(Struct, frozen=True):
    """`POST /v1/events/EVENT/acts`."""

    seq: Count
    """the number of the line"""


class EventToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A token by which a party reads an event."""

    party: Name
    """a registered player's, `wall`, or `stream`"""
    token: Hex32
    """SHA-256 of the token"""


class EventTokens(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /v1/events/EVENT/tokens`."""

    tokens: Annotated[tuple[EventToken, ...], Meta(min_length=1, max_length=500)]


class EventAsItStands(Struct, frozen=True):
    """`GET /v1/events/EVENT`."""

    event: Hex32
    lines: Positive
    root: Hex32
    state: msgspec.Raw
    """as in a report (specs/event.md)"""
    time: Time
    """the server's"""


class CosignedBy(Struct, frozen=True):
    """The latest checkpoint of an event's log that a witness cosigned."""

    key: str
    """of the policy by which the server asks"""
    note: str | None
    """a checkpoint with the keeper's line and the witness's; None: nothing yet"""


class EventCosigned(Struct, frozen=True):
    """`GET /v1/events/EVENT/cosigned`."""

    cosigned: tuple[CosignedBy, ...]


class WaitingTable(Struct, frozen=True):
    """A table of an event whose roll waits."""

    table: int
    game: Hex32
    request: int
    """the number of its request"""
    time: str
    """of the request, as its author dated it"""
    parties: tuple[str, ...]
    """whose turn it is to open, the keeper aside"""


class UnseatedTable(Struct, frozen=True):
    """A table of an event at which players have not sat down."""

    table: int
    game: Hex32
    parties: tuple[str, ...]
    """these players"""


class NewPhones(Struct, frozen=True):
    """A table of an event with players whose new phones are not in its game yet."""

    table: int
    game: Hex32
    parties: tuple[str, ...]
    """these players"""


class EventWaiting(Struct, frozen=True):
    """`GET /v1/events/EVENT/waiting`."""

    missing: tuple[UnseatedTable, ...]
    """by number of the table"""
    phones: tuple[NewPhones, ...]
    """by number of the table"""
    waiting: tuple[WaitingTable, ...]
    """the longest wait first"""


class Started(Struct, frozen=True):
    """`POST /v1/tables/TABLE/start`."""

    game: Hex32


class Token(Struct, frozen=True):
    """`POST /v1/games/GAME/access`."""

    token: Hex32


class TakenLine(Struct, frozen=True):
    """`POST /v1/games/GAME/lines`, `admit` and `close` of a table; without `seq` the event `checkpoint` of a stream."""

    checkpoint: str
    """note"""
    seq: Count | UnsetType = UNSET


class OpeningReceived(Struct, frozen=True):
    """`POST /v1/games/GAME/openings`."""

    received: msgspec.Raw
    """the keeper's receipt: an object; null where the roll was ended before the keeper had signed one"""


class Anchored(Struct, frozen=True):
    """`GET /v1/games/GAME/anchor`."""

    checkpoint: str
    final: str
    index: Count
    proof: tuple[Hex32, ...]
    salt: Hex32


class AdvisedDie(Struct, frozen=True):
    """A die of a roll, as the rules have it."""

    die: Positive
    """its number in the roll"""
    naturals: tuple[Positive, ...]
    result: int | None
    sides: Positive
    status: str
    """`counted` or `ignored`"""
    text: str


class AdvisedRoll(Struct, frozen=True):
    """A roll, as the rules have it."""

    dice: tuple[AdvisedDie, ...]
    notation: str
    notes: tuple[str, ...]
    own: Mapping[str, Any]
    """what the system's page gives a roll besides its dice"""
    player: str
    roll: Count
    source: str
    status: str
    summary: str | None
    text: str


class AdvisedTable(Struct, frozen=True):
    """A part of a state."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | None, ...], ...]
    title: str


class AdvisedWait(Struct, frozen=True):
    """The choice that the game waits for, and its party."""

    choice: str
    party: str


class AdvisedState(Struct, frozen=True):
    """`GET /v1/games/GAME/state`."""

    own: Mapping[str, Any]
    """what the system's page gives the state besides its rolls"""
    phase: str
    rolls: tuple[AdvisedRoll, ...]
    size: Count
    tables: tuple[AdvisedTable, ...]
    waits: AdvisedWait | None


class OfferedActions(Struct, frozen=True):
    """`GET /v1/games/GAME/actions`."""

    actions: tuple[Mapping[str, Any], ...]
    """as specs/rules.md, "Actions", has them"""
    size: Count


class ReadRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /v1/games/GAME/read`: an action with `line` or `typed`, or a `line` with `type`."""

    action: AskedAction | UnsetType = UNSET
    given: Mapping[str, Any] | UnsetType = UNSET
    """JSON values of the action's fields that were chosen"""
    kind: str | UnsetType = UNSET
    line: str | UnsetType = UNSET
    party: str | UnsetType = UNSET
    """whose event it would be"""
    type: str | UnsetType = UNSET
    typed: Mapping[str, str | tuple[str, ...]] | UnsetType = UNSET


class ReadBody(Struct, frozen=True):
    """`POST /v1/games/GAME/read`."""

    body: Mapping[str, Any]
    reading: str | None
    words: str | None


class Reasoned(Struct, frozen=True):
    """A step from naturals to outcome."""

    clause: str | None
    text: str


class Explained(Struct, frozen=True):
    """`GET /v1/games/GAME/explain`."""

    reasons: tuple[Reasoned, ...]
    size: Count


class Here(Struct, frozen=True):
    """The event `here`."""

    here: tuple[Name, ...]


class Bye(Struct, frozen=True):
    """The event `bye`."""

    retry: Positive | None
    """seconds; null: the game is closed, and nothing more comes"""


class Problem(Struct, frozen=True):
    """A refusal, `application/problem+json` (RFC 9457)."""

    type: str
    title: str
    status: Positive
    detail: str
    code: str
    clause: str | UnsetType = UNSET
    head: Hex32 | UnsetType = UNSET
    """leaf hash of the last line, where a race was lost"""
    size: Count | UnsetType = UNSET
