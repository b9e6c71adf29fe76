"""The signed messages of a table, and how they are read (specs/network.md, "The table")."""

import hashlib
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ledger.errors import RefusedError
from rules import Body
from rules.base import LateRole
from rules.data.bounds import MAX_PARTIES, Called, Name, RequiredText, Text
from rules.data.jsontext import UNREADABLE
from rules.data.language import Message
from rules.data.schema import schema_problem
from verifier import Failure, KeyFormatError, VerifierKey
from verifier.log.bodies import Contributing, Hex32, Hex64, Permissions, Succession, Time, Word
from verifier.log.format import check_canonical
from verifier.log.plainjson import encode, strict_json

__all__ = [
    "ACCESS_LABEL",
    "CLOSE_LABEL",
    "DELETE_LABEL",
    "INVITATION_LABEL",
    "INVITE_LABEL",
    "MAX_AFTER",
    "MAX_INVITES",
    "NO_KEY",
    "REPLACE_LABEL",
    "SEAT_LABEL",
    "START_LABEL",
    "TABLE_LABEL",
    "UNSEAT_LABEL",
    "Access",
    "AdmitWord",
    "Closing",
    "Delete",
    "Invitation",
    "Invite",
    "InvitedRole",
    "LobbyError",
    "LobbySeat",
    "ReplaceWish",
    "SeatRole",
    "ServersJudge",
    "Signed",
    "Start",
    "StartParty",
    "TableState",
    "TableTerms",
    "Unseat",
    "malformed_error",
    "parse_access",
    "parse_admit",
    "parse_closing",
    "parse_delete",
    "parse_invite",
    "parse_replace",
    "parse_seat",
    "parse_signed",
    "parse_start",
    "parse_table",
    "parse_terms",
    "parse_unseat",
]


SeatRole = Literal["player", "gm", "judge", "witness"]
InvitedRole = Literal["player", "gm", "judge", "witness", "spectator"]
INVITED: tuple[InvitedRole, ...] = ("player", "gm", "judge", "witness", "spectator")
"""the roles that a link can be for"""

MAX_INVITES = 64
"""new links of one role"""

MAX_AFTER = 604_800
"""seconds: the longest that a server's judge can be told to wait"""

NO_KEY = "0" * 64
"""instead of an invitation key, for spectators"""
TABLE_LABEL = b"rollproof/v1/table\n"
SEAT_LABEL = b"rollproof/v1/seat\n"
INVITATION_LABEL = b"rollproof/v1/invitation\n"
START_LABEL = b"rollproof/v1/start\n"
ACCESS_LABEL = b"rollproof/v1/access\n"
DELETE_LABEL = b"rollproof/v1/delete\n"
CLOSE_LABEL = b"rollproof/v1/close\n"
INVITE_LABEL = b"rollproof/v1/invite\n"
UNSEAT_LABEL = b"rollproof/v1/unseat\n"
REPLACE_LABEL = b"rollproof/v1/replace\n"
_SIGNATURES = frozenset({"sig", "invitation"})
"""members that no signature is over"""


class LobbyError(RefusedError):
    """A server or a client refuses something of a table. `code` is that of specs/network.md, "Refusals"."""

    def __init__(self, code: str, problem: Message) -> None:
        super().__init__(problem, code, None)


class Signed(Body, frozen=True):
    """A message that a key signs, in canonical form, under a label of its kind."""

    def __bytes__(self) -> bytes:
        """Return the canonical form, as it is sent, without line feed."""
        return encode(self)

    def message(self, label: bytes) -> bytes:
        """Return the bytes that a signature over this signs."""
        members = {name: getattr(self, name) for name in self.__struct_fields__ if name not in _SIGNATURES}
        return label + encode({name: value for name, value in members.items() if value is not UNSET})


class Invitation(Body, frozen=True):
    """The public part of the link of a role."""

    key: Hex32
    """the public invitation key; zeros for spectators, who have no seat"""
    role: InvitedRole
    token: Hex32
    """SHA-256 of the token"""


class ServersJudge(Body, frozen=True):
    """The judge that the server runs, and after how many seconds it calls off a roll that waits."""

    after: Annotated[int, Meta(ge=1, le=MAX_AFTER)]
    key: str

    @property
    def party_key(self) -> VerifierKey:
        """Its key."""
        return VerifierKey.parse(self.key)


class TableTerms(Signed, Permissions, frozen=True):
    """The terms of a table, signed by its host. What it permits is what its game will permit."""

    contributors: Contributing
    format: Literal["rollproof/table/v1"]
    host: str
    invitations: Annotated[tuple[Invitation, ...], Meta(min_length=1, max_length=len(INVITED))]
    keeper: str
    nonce: Hex32
    options: msgspec.Raw
    sig: Hex64
    system: str
    time: Time
    title: Text
    judge: ServersJudge | UnsetType = UNSET
    posts: RequiredText | UnsetType = UNSET
    """where the server posts each result, as it calls the place"""
    public: RequiredText | UnsetType = UNSET
    """the address at which everybody can read the closed game, as the server says it"""

    @property
    def id(self) -> bytes:
        """The table's id, 32 bytes."""
        return hashlib.sha256(bytes(self)).digest()

    @property
    def host_key(self) -> VerifierKey:
        """Return the key of the table's host."""
        return VerifierKey.parse(self.host)

    @property
    def keeper_key(self) -> VerifierKey:
        """Return the key of the game's keeper."""
        return VerifierKey.parse(self.keeper)

    @property
    def reserved(self) -> dict[SeatRole | Literal["keeper"], VerifierKey]:
        """The server's own parties, by role: keeper, and judge if there is one."""
        keeper: dict[SeatRole | Literal["keeper"], VerifierKey] = {"keeper": self.keeper_key}
        return keeper if self.judge is UNSET else keeper | {"judge": self.judge.party_key}

    def invitation(self, role: str) -> Invitation | None:
        """Return the invitation of a role; None if the role has no link."""
        return next((invitation for invitation in self.invitations if invitation.role == role), None)


class LobbySeat(Signed, frozen=True):
    """A seat at a table, taken: signed by the party and by the invitation key of the role."""

    format: Literal["rollproof/seat/v1"]
    invitation: Hex64
    key: str
    role: SeatRole
    sig: Hex64
    table: Hex32
    called: Called | UnsetType = UNSET
    replaces: str | UnsetType = UNSET
    """the present key of a party whose browser is lost, and that asks to go on under this seat's key"""
    succession: Succession | UnsetType = UNSET
    """from that key to this one"""

    @property
    def party_key(self) -> VerifierKey:
        """Return the key of the seated party."""
        return VerifierKey.parse(self.key)

    @property
    def name(self) -> str:
        """The name in its key."""
        return self.party_key.name


class Unseat(Signed, frozen=True):
    """A message by the host that takes a key's seat away, for good."""

    format: Literal["rollproof/unseat/v1"]
    key: str
    sig: Hex64
    table: Hex32


class Invite(Signed, frozen=True):
    """A new link of a role, which ends those before it: signed by the host."""

    count: Annotated[int, Meta(ge=1, le=MAX_INVITES)]
    """the latest is the one with the highest"""
    format: Literal["rollproof/invite/v1"]
    link: Invitation
    sig: Hex64
    table: Hex32


class StartParty(Body, frozen=True):
    """A party of the game."""

    key: str
    role: SeatRole
    called: Called | UnsetType = UNSET


class Start(Signed, frozen=True):
    """The start of the game: signed by the host."""

    format: Literal["rollproof/start/v1"]
    parties: Annotated[tuple[StartParty, ...], Meta(min_length=1, max_length=MAX_PARTIES - 1)]
    sig: Hex64
    table: Hex32


class AdmitWord(Signed, frozen=True):
    """The host's word that somebody who asks may come in when the game has begun: signed by the host."""

    format: Literal["rollproof/admit/v1"]
    game: Hex32
    head: Hex32
    """the leaf hash of the line that it was given on"""
    key: str
    role: LateRole
    sig: Hex64

    @property
    def party_key(self) -> VerifierKey:
        """Return the key of the admitted party."""
        return VerifierKey.parse(self.key)

    @property
    def word(self) -> Word:
        """As an `admit` has it."""
        return Word(self.head, self.sig)


class ReplaceWish(Signed, frozen=True):
    """A wish that an asking key replace a party's lost one."""

    by: str
    """the verifier key of the wishing party"""
    format: Literal["rollproof/replace/v1"]
    game: Hex32
    key: str
    sig: Hex64

    @property
    def party_key(self) -> VerifierKey:
        """The key that asks."""
        return VerifierKey.parse(self.key)


class Access(Signed, frozen=True):
    """The wish of a party to read its game."""

    format: Literal["rollproof/access/v1"]
    game: Hex32
    party: Name
    sig: Hex64
    time: Time


class Delete(Signed, frozen=True):
    """The end of what the server has of a table: signed by the host."""

    format: Literal["rollproof/delete/v1"]
    sig: Hex64
    table: Hex32


class Closing(Signed, frozen=True):
    """The wish of the host that the keeper close the game."""

    format: Literal["rollproof/close/v1"]
    game: Hex32
    sig: Hex64
    table: Hex32


class TableState(Struct, frozen=True):
    """A table as a server shows it. Nothing in it is checked: `terms` goes to `parse_terms`, and so on."""

    game: Hex32 | None
    here: tuple[Name, ...]
    """who has a stream open: advice"""
    invites: tuple[Invite, ...]
    """new links, in the order of their coming"""
    seats: tuple[LobbySeat, ...]
    """in the order of their coming"""
    start: Start | None
    terms: str
    """the line"""


_Kind = TypeVar("_Kind", bound=Body)


def parse_signed(data: bytes, kind: type[_Kind], what: Message) -> _Kind:
    """Read what is signed, in canonical form; `what` it is for people. Raises LobbyError, `malformed`."""
    try:
        check_canonical(data, strict_json(data))
        return msgspec.json.decode(data, type=kind)
    except UNREADABLE as error:
        problem: Message = schema_problem(error, data, kind)
    except Failure as failure:
        problem = failure
    raise malformed_error(what, problem) from None


def malformed_error(what: Message, problem: Message) -> LobbyError:
    """Return the refusal of a malformed message."""
    return LobbyError("malformed", Message("{what} cannot be read: {problem}", what=what, problem=problem))


def _check_keys(what: Message, *keys: str) -> None:
    for key in keys:
        try:
            VerifierKey.parse(key)
        except KeyFormatError as problem:
            raise malformed_error(what, problem) from None


def parse_terms(line: bytes) -> TableTerms:
    """Read the terms of a table, without line feed. Raises LobbyError (`malformed`)."""
    what = Message("the table")
    terms = parse_signed(line, TableTerms, what)
    _check_keys(what, terms.host, terms.keeper, *([] if terms.judge is UNSET else [terms.judge.key]))
    if not bytes(terms.options).startswith(b"{"):
        raise malformed_error(what, Message("its options are no object"))
    roles = [invitation.role for invitation in terms.invitations]
    if len(set(roles)) != len(roles):
        raise malformed_error(what, Message("two invitations are for one role"))
    for invitation in terms.invitations:
        _check_invitation(what, invitation)
    return terms


def _check_invitation(what: Message, invitation: Invitation) -> None:
    if (invitation.key == NO_KEY) != (invitation.role == "spectator"):
        raise malformed_error(what, Message("spectators have no invitation key, and all others have one"))


def parse_seat(data: bytes) -> LobbySeat:
    """Read a seat. Raises LobbyError (`malformed`)."""
    what = Message("the seat")
    seat = parse_signed(data, LobbySeat, what)
    _check_seat_keys(what, seat)
    return seat


def _check_seat_keys(what: Message, seat: LobbySeat) -> None:
    _check_keys(what, seat.key)
    if seat.replaces is UNSET:
        if seat.succession is not UNSET:
            raise malformed_error(what, Message("it has a succession, but does not say whom it replaces"))
        return
    _check_keys(what, seat.replaces)
    if VerifierKey.parse(seat.replaces).name != seat.name:
        raise malformed_error(what, Message("who goes on keeps its name"))
    if seat.called is not UNSET:
        raise malformed_error(what, Message("who goes on is called as before"))


def parse_unseat(data: bytes) -> Unseat:
    """Read who is to have no seat. Raises LobbyError (`malformed`)."""
    what = Message("the wish to take somebody out")
    unseat = parse_signed(data, Unseat, what)
    _check_keys(what, unseat.key)
    return unseat


def parse_invite(data: bytes) -> Invite:
    """Read a new link's invitation. Raises LobbyError (`malformed`)."""
    what = Message("the new link")
    invite = parse_signed(data, Invite, what)
    _check_invitation(what, invite.link)
    return invite


def parse_start(data: bytes) -> Start:
    """Read a start. Raises LobbyError (`malformed`)."""
    what = Message("the start")
    start = parse_signed(data, Start, what)
    _check_keys(what, *(party.key for party in start.parties))
    return start


def parse_admit(data: bytes) -> AdmitWord:
    """Read the host's word for somebody who asks. Raises LobbyError (`malformed`)."""
    what = Message("the word for who comes later")
    word = parse_signed(data, AdmitWord, what)
    _check_keys(what, word.key)
    return word


def parse_replace(data: bytes) -> ReplaceWish:
    """Read the wish that somebody go on under a new key. Raises LobbyError (`malformed`)."""
    what = Message("the wish that somebody go on")
    wish = parse_signed(data, ReplaceWish, what)
    _check_keys(what, wish.by, wish.key)
    return wish


def parse_access(data: bytes) -> Access:
    """Read an access. Raises LobbyError (`malformed`)."""
    return parse_signed(data, Access, Message("the access"))


def parse_delete(data: bytes) -> Delete:
    """Read the wish to delete a table. Raises LobbyError (`malformed`)."""
    return parse_signed(data, Delete, Message("the deletion"))


def parse_closing(data: bytes) -> Closing:
    """Read the wish to close a game. Raises LobbyError (`malformed`)."""
    return parse_signed(data, Closing, Message("the wish to close"))


def parse_table(data: bytes) -> TableState:
    """Read a server's answer about a table; its seats and start have their form. Raises LobbyError (`malformed`)."""
    what = Message("the table")
    try:
        state = msgspec.json.decode(data, type=TableState)
    except UNREADABLE as error:
        raise malformed_error(what, schema_problem(error, data, TableState)) from None
    parties = () if state.start is None else state.start.parties
    for seat in state.seats:
        _check_seat_keys(what, seat)
    _check_keys(what, *(party.key for party in parties))
    return state
