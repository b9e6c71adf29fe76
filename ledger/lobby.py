"""A table before its event 0: links, terms, seats, start (specs/network.md, "Links", "The table", "Paths").

What host, players and server sign and check, for client and server alike. No input, no output, no clock, no chance:
secrets, nonces and times are given. Everything that comes from elsewhere passes `parse_…` (its form) and `check_…`
(who signed it, and whether it may be), in this order:

    parse_link, parse_terms, check_link     a client, before it shows a table as its host's
    parse_terms, check_terms                a server, before it takes a table
    parse_seat, check_seat, check_free      a server, before it takes a seat; a client, of every party of a start
    parse_start, check_start                a server, before it writes event 0
    check_opened                            a client, before it joins

Each raises LobbyError, with the code of specs/network.md, "Refusals".
"""

import hashlib
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Literal, Protocol, TypeVar

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import UNSET, Meta, Struct, UnsetType

from ledger.errors import RefusedError
from rules import SYSTEMS, Body, Role
from rules.base import given
from rules.bounds import MAX_PARTIES, Name, Text
from rules.jsontext import UNREADABLE
from rules.language import N_, Message
from rules.schema import schema_problem
from verifier import Failure, KeyFormatError, Replay, VerifierKey
from verifier.format import FORMAT, Hex32, Hex64, Open, Party, Time, check_canonical, decode_options, encode
from verifier.identity import holds, is_small_order
from verifier.merkle import leaf_hash
from verifier.plainjson import strict_json
from verifier.terms import read_terms

__all__ = [
    "INVITED",
    "MAX_AFTER",
    "MAX_CLOCK_SKEW",
    "Access",
    "Closing",
    "Contributing",
    "Delete",
    "EventZero",
    "Invitation",
    "InvitedRole",
    "Link",
    "LobbyError",
    "LobbySeat",
    "SeatRole",
    "ServersJudge",
    "Signer",
    "Start",
    "TableState",
    "TableTerms",
    "check_access",
    "check_closing",
    "check_delete",
    "check_free",
    "check_link",
    "check_opened",
    "check_seat",
    "check_start",
    "check_terms",
    "event_zero_terms",
    "new_access",
    "new_closing",
    "new_delete",
    "new_seat",
    "new_start",
    "new_terms",
    "parse_access",
    "parse_closing",
    "parse_delete",
    "parse_link",
    "parse_seat",
    "parse_start",
    "parse_table",
    "parse_terms",
    "token_hash",
]

SeatRole = Literal["player", "gm", "judge", "witness"]
InvitedRole = Literal["player", "gm", "judge", "witness", "spectator"]
INVITED: tuple[InvitedRole, ...] = ("player", "gm", "judge", "witness", "spectator")
"""the roles that a link can be for"""

MAX_CLOCK_SKEW = timedelta(minutes=5)
"""how far the time of terms and of an access may be from the server's clock"""

MAX_AFTER = 604_800
"""seconds: the longest that a server's judge can be told to wait"""

Contributing = Literal["all", "roller"] | Annotated[tuple[Name, ...], Meta(min_length=2, max_length=MAX_PARTIES)]
"""who contributes, as in event 0"""

_NO_KEY = "0" * 64
"""instead of an invitation key, for spectators"""
_TABLE_LABEL = b"rollproof/v1/table\n"
_SEAT_LABEL = b"rollproof/v1/seat\n"
_INVITATION_LABEL = b"rollproof/v1/invitation\n"
_START_LABEL = b"rollproof/v1/start\n"
_ACCESS_LABEL = b"rollproof/v1/access\n"
_DELETE_LABEL = b"rollproof/v1/delete\n"
_CLOSE_LABEL = b"rollproof/v1/close\n"
_TOKEN_INFO = b"rollproof/v1/token\n"
_INVITATION_INFO = b"rollproof/v1/invitation key\n"
_SIGNATURES = frozenset({"sig", "invitation"})
"""members that no signature is over"""


class LobbyError(RefusedError):
    """What a server or a client refuses of a table. `code` is that of specs/network.md, "Refusals"."""

    def __init__(self, code: str, problem: Message) -> None:
        super().__init__(problem, code, None)


class Signer(Protocol):
    """Whoever signs with a party's key: a `ledger.identity.Identity`."""

    @property
    def key(self) -> VerifierKey:
        """The key that it signs with."""

    def sign(self, message: bytes) -> bytes:
        """64 bytes, Ed25519."""


# --- what is signed -----------------------------------------------------------------------------------


class _Signed(Body, frozen=True):
    def __bytes__(self) -> bytes:
        """The canonical form, as it travels, without line feed."""
        return encode(self)

    def message(self, label: bytes) -> bytes:
        """What a signature over this is over."""
        members = {name: getattr(self, name) for name in self.__struct_fields__ if name not in _SIGNATURES}
        return label + encode({name: value for name, value in members.items() if value is not UNSET})


class Invitation(Body, frozen=True):
    """What everybody may know of the link of a role."""

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


class TableTerms(_Signed, frozen=True):
    """What a table is opened with: signed by the host."""

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
    away: Literal["others"] | UnsetType = UNSET
    judge: ServersJudge | UnsetType = UNSET

    @property
    def id(self) -> bytes:
        """The table's id, 32 bytes."""
        return hashlib.sha256(bytes(self)).digest()

    @property
    def host_key(self) -> VerifierKey:
        """The key of whoever opened the table."""
        return VerifierKey.parse(self.host)

    @property
    def keeper_key(self) -> VerifierKey:
        """The key of whoever keeps its game."""
        return VerifierKey.parse(self.keeper)

    @property
    def reserved(self) -> dict[SeatRole | Literal["keeper"], VerifierKey]:
        """The server's own parties, by role: keeper, and judge if there is one."""
        keeper: dict[SeatRole | Literal["keeper"], VerifierKey] = {"keeper": self.keeper_key}
        return keeper if self.judge is UNSET else keeper | {"judge": self.judge.party_key}

    def invitation(self, role: str) -> Invitation | None:
        """That of a role; None where the role has no link."""
        return next((invitation for invitation in self.invitations if invitation.role == role), None)


class LobbySeat(_Signed, frozen=True):
    """A seat at a table, taken: signed by the party and by the invitation key of the role."""

    format: Literal["rollproof/seat/v1"]
    invitation: Hex64
    key: str
    role: SeatRole
    sig: Hex64
    table: Hex32

    @property
    def party_key(self) -> VerifierKey:
        """The key of whoever sits here."""
        return VerifierKey.parse(self.key)

    @property
    def name(self) -> str:
        """The name in its key."""
        return self.party_key.name


class StartParty(Body, frozen=True):
    """Who plays."""

    key: str
    role: SeatRole


class Start(_Signed, frozen=True):
    """The start of the game: signed by the host."""

    format: Literal["rollproof/start/v1"]
    parties: Annotated[tuple[StartParty, ...], Meta(min_length=1, max_length=MAX_PARTIES - 1)]
    sig: Hex64
    table: Hex32


class Access(_Signed, frozen=True):
    """The wish of a party to read its game."""

    format: Literal["rollproof/access/v1"]
    game: Hex32
    party: Name
    sig: Hex64
    time: Time


class Delete(_Signed, frozen=True):
    """The end of what the server has of a table: signed by the host."""

    format: Literal["rollproof/delete/v1"]
    sig: Hex64
    table: Hex32


class Closing(_Signed, frozen=True):
    """The wish of the host that the keeper close the game."""

    format: Literal["rollproof/close/v1"]
    game: Hex32
    sig: Hex64
    table: Hex32


class TableState(Struct, frozen=True):
    """A table as a server tells it. Nothing in it is checked: `terms` goes to `parse_terms`, and so on."""

    game: Hex32 | None
    here: tuple[Name, ...]
    """who has a stream open: advice"""
    seats: tuple[LobbySeat, ...]
    """in the order of their coming"""
    start: Start | None
    terms: str
    """the line"""


_Kind = TypeVar("_Kind", bound=Body)


def _parse(data: bytes, kind: type[_Kind], what: Message) -> _Kind:
    """Raises LobbyError, `malformed`."""
    try:
        check_canonical(data, strict_json(data))
        return msgspec.json.decode(data, type=kind)
    except UNREADABLE as error:
        problem: Message = schema_problem(error, data, kind)
    except Failure as failure:
        problem = failure
    raise _malformed(what, problem) from None


def _malformed(what: Message, problem: Message) -> LobbyError:
    return LobbyError("malformed", Message("{what} cannot be read: {problem}", what=what, problem=problem))


def _check_keys(what: Message, *keys: str) -> None:
    for key in keys:
        try:
            VerifierKey.parse(key)
        except KeyFormatError as problem:
            raise _malformed(what, problem) from None


def parse_terms(line: bytes) -> TableTerms:
    """Read the terms of a table, without line feed. Raises LobbyError (`malformed`)."""
    what = Message("the table")
    terms = _parse(line, TableTerms, what)
    _check_keys(what, terms.host, terms.keeper, *([] if terms.judge is UNSET else [terms.judge.key]))
    if not bytes(terms.options).startswith(b"{"):
        raise _malformed(what, Message("its options are no object"))
    roles = [invitation.role for invitation in terms.invitations]
    if len(set(roles)) != len(roles):
        raise _malformed(what, Message("two invitations are for one role"))
    for invitation in terms.invitations:
        if (invitation.key == _NO_KEY) != (invitation.role == "spectator"):
            raise _malformed(what, Message("spectators have no invitation key, and all others have one"))
    return terms


def parse_seat(data: bytes) -> LobbySeat:
    """Read a seat. Raises LobbyError (`malformed`)."""
    what = Message("the seat")
    seat = _parse(data, LobbySeat, what)
    _check_keys(what, seat.key)
    return seat


def parse_start(data: bytes) -> Start:
    """Read a start. Raises LobbyError (`malformed`)."""
    what = Message("the start")
    start = _parse(data, Start, what)
    _check_keys(what, *(party.key for party in start.parties))
    return start


def parse_access(data: bytes) -> Access:
    """Read an access. Raises LobbyError (`malformed`)."""
    return _parse(data, Access, Message("the access"))


def parse_delete(data: bytes) -> Delete:
    """Read the wish to delete a table. Raises LobbyError (`malformed`)."""
    return _parse(data, Delete, Message("the deletion"))


def parse_closing(data: bytes) -> Closing:
    """Read the wish to close a game. Raises LobbyError (`malformed`)."""
    return _parse(data, Closing, Message("the wish to close"))


def parse_table(data: bytes) -> TableState:
    """Read a server's answer about a table; its seats and start have their form. Raises LobbyError (`malformed`)."""
    what = Message("the table")
    try:
        state = msgspec.json.decode(data, type=TableState)
    except UNREADABLE as error:
        raise _malformed(what, schema_problem(error, data, TableState)) from None
    parties = () if state.start is None else state.start.parties
    _check_keys(what, *(seat.key for seat in state.seats), *(party.key for party in parties))
    return state


# --- links --------------------------------------------------------------------------------------------

_LINK = re.compile(r"(https?://[^\s#?]+?)/t/([0-9a-f]{64})#([a-z]+)\.([A-Za-z0-9_-]{43})")


class Link(Struct, frozen=True):
    """A way to a table, for one role. Whoever has it can take a seat, or read: it is a secret."""

    address: str
    """the server's, without a slash at the end"""
    table: bytes
    role: InvitedRole
    secret: bytes
    """32 bytes"""

    def __str__(self) -> str:
        secret = urlsafe_b64encode(self.secret).rstrip(b"=").decode()
        return f"{self.address}/t/{self.table.hex()}#{self.role}.{secret}"

    @property
    def token(self) -> bytes:
        """32 bytes, which the server is shown."""
        return _derived(self.secret, _TOKEN_INFO)

    @property
    def invitation_key(self) -> Ed25519PrivateKey:
        """What signs seats of this role. The server never has it."""
        return Ed25519PrivateKey.from_private_bytes(_derived(self.secret, _INVITATION_INFO))

    @property
    def invitation(self) -> Invitation:
        """What the table's terms have of this link."""
        spectator = self.role == "spectator"
        key = _NO_KEY if spectator else self.invitation_key.public_key().public_bytes_raw().hex()
        return Invitation(key, self.role, token_hash(self.token))


def _derived(secret: bytes, info: bytes) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(secret)


def token_hash(token: bytes) -> str:
    """How a token stands in the terms, and in a server's database: hex."""
    return hashlib.sha256(token).hexdigest()


def parse_link(text: str) -> Link:
    """Read a link. Raises LobbyError (`malformed`)."""
    what = Message("the link")
    found = _LINK.fullmatch(text.strip())
    if found is None:
        form = N_("it has the form ADDRESS/t/TABLE#ROLE.SECRET; copy it whole")
        raise _malformed(what, Message(form))
    address, table, role, encoded = found.groups()
    invited = next((known for known in INVITED if known == role), None)
    if invited is None:
        raise _malformed(what, Message("there is no role {role}", role=role))
    secret = urlsafe_b64decode(encoded + "=")
    if urlsafe_b64encode(secret).rstrip(b"=").decode() != encoded:
        raise _malformed(what, Message("its last character is not one that its secret can have; copy it whole"))
    return Link(address.rstrip("/"), bytes.fromhex(table), invited, secret)


# --- signing ------------------------------------------------------------------------------------------

_UNSIGNED = "0" * 128


def new_terms(
    host: Signer,
    keeper: VerifierKey,
    system: str,
    options: Body | msgspec.Raw,
    invitations: Sequence[Invitation],
    *,
    nonce: bytes,
    time: str,
    contributors: Contributing = "all",
    title: str = "",
    others_away: bool = False,
    judge: ServersJudge | None = None,
) -> TableTerms:
    """The terms of a new table. `nonce` is 32 random bytes; an invitation is that of a `Link`, of any table."""
    terms = TableTerms(
        contributors=contributors,
        format="rollproof/table/v1",
        host=str(host.key),
        invitations=tuple(invitations),
        keeper=str(keeper),
        nonce=nonce.hex(),
        options=msgspec.Raw(encode(options)),
        sig=_UNSIGNED,
        system=system,
        time=time,
        title=title,
        away="others" if others_away else UNSET,
        judge=judge or UNSET,
    )
    return msgspec.structs.replace(terms, sig=host.sign(terms.message(_TABLE_LABEL)).hex())


def new_seat(party: Signer, link: Link) -> LobbySeat:
    """A seat of the link's role. Raises LobbyError (`table.seat`) where the link is for spectators."""
    if link.role == "spectator":
        raise LobbyError("table.seat", Message("this link is for spectators, who have no seat"))
    seat = LobbySeat("rollproof/seat/v1", _UNSIGNED, str(party.key), link.role, _UNSIGNED, link.table.hex())
    return msgspec.structs.replace(
        seat,
        invitation=link.invitation_key.sign(seat.message(_INVITATION_LABEL)).hex(),
        sig=party.sign(seat.message(_SEAT_LABEL)).hex(),
    )


def new_start(host: Signer, table: bytes, seats: Iterable[LobbySeat]) -> Start:
    """The start with these seats, in their order."""
    parties = tuple(StartParty(seat.key, seat.role) for seat in seats)
    start = Start("rollproof/start/v1", parties, _UNSIGNED, table.hex())
    return msgspec.structs.replace(start, sig=host.sign(start.message(_START_LABEL)).hex())


def new_access(party: Signer, game: bytes, time: str) -> Access:
    """The wish to read a game now."""
    access = Access("rollproof/access/v1", game.hex(), party.key.name, _UNSIGNED, time)
    return msgspec.structs.replace(access, sig=party.sign(access.message(_ACCESS_LABEL)).hex())


def new_delete(host: Signer, table: bytes) -> Delete:
    """The end of what the server has of a table."""
    delete = Delete("rollproof/delete/v1", _UNSIGNED, table.hex())
    return msgspec.structs.replace(delete, sig=host.sign(delete.message(_DELETE_LABEL)).hex())


def new_closing(host: Signer, table: bytes, game: bytes) -> Closing:
    """The wish that the keeper close a table's game."""
    closing = Closing("rollproof/close/v1", game.hex(), _UNSIGNED, table.hex())
    return msgspec.structs.replace(closing, sig=host.sign(closing.message(_CLOSE_LABEL)).hex())


# --- checking -----------------------------------------------------------------------------------------


def _signed(key: bytes, label: bytes, what: _Signed, sig: str) -> bool:
    return holds(key, bytes.fromhex(sig), what.message(label))


def _check_host(terms: TableTerms, label: bytes, what: Start | Delete | Closing) -> None:
    if what.table != terms.id.hex():
        raise LobbyError("table.host", Message("this was signed for another table"))
    if not _signed(terms.host_key.public_bytes, label, what, what.sig):
        raise LobbyError("table.host", Message("the signature is not {host}'s, the host's", host=terms.host_key.name))


def check_signed(terms: TableTerms) -> None:
    """Whether the host signed these terms. Raises LobbyError (`table.terms`)."""
    if not _signed(terms.host_key.public_bytes, _TABLE_LABEL, terms, terms.sig):
        raise LobbyError("table.terms", Message("the signature is not {host}'s, the host's", host=terms.host_key.name))


def check_link(link: Link, terms: TableTerms) -> None:
    """Whether the terms are those of the table that the link is for, and the host's. Raises LobbyError."""
    if terms.id != link.table:
        text = N_("the server shows another table than the one that the link is for")
        raise LobbyError("table.terms", Message(text))
    check_signed(terms)
    if terms.invitation(link.role) != link.invitation:
        text = N_("the link's secret is not that of the table's {role} link: copy the link whole, or ask for a new one")
        raise LobbyError("table.terms", Message(text, role=link.role))


def check_terms(terms: TableTerms, keeper: VerifierKey, now: str, judge: VerifierKey | None = None) -> None:
    """Whether a server with this keeper, and this judge, takes a table now (a time in the log's form).

    Raises LobbyError.
    """
    if terms.keeper != str(keeper):
        text = N_("the table names another keeper than this server's, which is {keeper}")
        raise LobbyError("table.terms", Message(text, keeper=keeper))
    if terms.judge is not UNSET and terms.judge.key != str(judge):
        text = N_("the table names another judge than this server's, which is {judge}")
        raise LobbyError("table.terms", Message(text, judge=judge or Message("none")))
    _check_listed(terms)
    system = SYSTEMS.get(terms.system)
    if system is None:
        raise LobbyError("table.terms", Message("there are no rules {system} here", system=terms.system))
    try:
        decode_options(terms.options, system.options)
    except Failure as failure:
        raise LobbyError("table.terms", failure) from None
    for invitation in terms.invitations:
        if invitation.role == "gm" and "gm" not in system.roles:
            raise LobbyError("table.terms", Message("these rules have no gm, but there is a link for one"))
        if invitation.role != "spectator" and is_small_order(bytes.fromhex(invitation.key)):
            raise LobbyError("table.terms", Message("an invitation key is of small order: anybody can sign with it"))
    if _apart(terms.time, now) > MAX_CLOCK_SKEW:
        text = N_("the table is dated {time}, and the clock here says {now}: set the clock right")
        raise LobbyError("table.terms", Message(text, time=terms.time, now=now))
    check_signed(terms)


def _check_listed(terms: TableTerms) -> None:
    """A list of contributors, as far as it can be judged before anybody sits there. Raises LobbyError."""
    listed = terms.contributors
    if isinstance(listed, str):
        return
    names = {role: key.name for role, key in terms.reserved.items()}
    if len(set(listed)) != len(listed) or names["keeper"] not in listed or names.get("judge") in listed:
        text = N_("contributors are named once each, {keeper}, the keeper, among them, and no judge")
        raise LobbyError("table.terms", Message(text, keeper=names["keeper"]))


def check_seat(terms: TableTerms, seat: LobbySeat) -> None:
    """Whether a seat is one at this table, by its party and by the link of its role. Raises LobbyError."""
    if seat.table != terms.id.hex():
        raise LobbyError("table.seat", Message("this is a seat at another table"))
    key = seat.party_key
    invitation = terms.invitation(seat.role)
    if invitation is None:
        raise LobbyError("table.seat", Message("this table has no link for the role {role}", role=seat.role))
    for other in terms.reserved.values():
        if key.public_bytes == other.public_bytes:
            text = N_("the key of {name} is that of {other}, whom the server runs")
            raise LobbyError("table.seat", Message(text, name=key.name, other=other.name))
    if not _signed(bytes.fromhex(invitation.key), _INVITATION_LABEL, seat, seat.invitation):
        text = N_("{name} has not the link of the role {role}: the invitation does not hold")
        raise LobbyError("table.seat", Message(text, name=key.name, role=seat.role))
    if not _signed(key.public_bytes, _SEAT_LABEL, seat, seat.sig):
        raise LobbyError("table.seat", Message("the signature is not {name}'s", name=key.name))
    if any(key.name == other.name for other in terms.reserved.values()):
        text = N_("{name} is the name of the server's keeper or judge: choose another")
        raise LobbyError("table.name", Message(text, name=key.name))


def check_free(seats: Iterable[LobbySeat], seat: LobbySeat) -> bool:
    """Whether a seat is new among those that were taken; False where it stands. Raises LobbyError."""
    key = seat.party_key
    for other in seats:
        taken = other.party_key
        if (other.key, other.role) == (seat.key, seat.role):
            return False
        if taken.public_bytes == key.public_bytes:
            text = N_("{name} has a seat here already, as {role}")
            raise LobbyError("table.seat", Message(text, name=taken.name, role=other.role))
        if taken.name == key.name:
            text = N_("somebody else is called {name} at this table: choose another name")
            raise LobbyError("table.name", Message(text, name=key.name))
    return True


def check_start(terms: TableTerms, seats: Iterable[LobbySeat], start: Start) -> None:
    """Whether the host starts with parties who have seats here, and who can play. Raises LobbyError.

    Every seat that it needs is checked too.
    """
    _check_host(terms, _START_LABEL, start)
    taken = {(seat.key, seat.role): seat for seat in seats}
    for party in start.parties:
        seat = taken.get((party.key, party.role))
        if seat is None:
            name = VerifierKey.parse(party.key).name
            raise LobbyError("table.start", Message("{name} has no seat as {role}", name=name, role=party.role))
        check_seat(terms, seat)
    system = SYSTEMS.get(terms.system)
    if system is None:
        raise LobbyError("table.start", Message("there are no rules {system} here", system=terms.system))
    names = [key.name for key, _ in _parties(terms, start)]
    if len(names) > MAX_PARTIES:
        raise LobbyError("table.start", Message("a game has at most {most} parties", most=MAX_PARTIES))
    missing = [] if isinstance(terms.contributors, str) else [name for name in terms.contributors if name not in names]
    if missing:
        text = N_("{names} is to contribute to the rolls, and does not play")
        raise LobbyError("table.start", Message(text, names=", ".join(missing)))
    try:
        read_terms(_open_body(terms, start), bytes(32), system)
    except Failure as failure:
        raise LobbyError("table.start", failure) from None


def _parties(terms: TableTerms, start: Start) -> tuple[tuple[VerifierKey, Role], ...]:
    servers = ((key, role) for role, key in terms.reserved.items())
    playing = ((VerifierKey.parse(party.key), party.role) for party in start.parties)
    return (*servers, *playing)


def _contributors(terms: TableTerms, start: Start) -> Contributing:
    """In party order, where they are named."""
    listed = terms.contributors
    if isinstance(listed, str):
        return listed
    return tuple(key.name for key, _ in _parties(terms, start) if key.name in listed)


def _judge(terms: TableTerms) -> str | UnsetType:
    """The name of the server's judge."""
    return UNSET if terms.judge is UNSET else terms.judge.party_key.name


def _open_body(terms: TableTerms, start: Start) -> Open:
    """Event 0's body as it was agreed to, but for the nonce."""
    return Open(
        format=FORMAT,
        system=terms.system,
        options=terms.options,
        parties=tuple(Party(str(key), role) for key, role in _parties(terms, start)),
        contributors=_contributors(terms, start),
        nonce="0" * 64,
        title=terms.title,
        away=terms.away,
        judge=_judge(terms),
    )


class EventZero(Struct, frozen=True):
    """What event 0 is made from: the arguments of `ledger.seat.Seat.open_game`."""

    system: str
    options: msgspec.Raw
    """byte for byte as in the terms"""
    parties: tuple[tuple[VerifierKey, Role], ...]
    """the keeper first"""
    contributors: Contributing
    title: str
    others_away: bool
    judge: str | None
    """the server's"""


def event_zero_terms(terms: TableTerms, start: Start) -> EventZero:
    """What the server makes event 0 from, when `check_start` has passed."""
    return EventZero(
        terms.system,
        terms.options,
        _parties(terms, start),
        _contributors(terms, start),
        terms.title,
        terms.away == "others",
        given(_judge(terms), None),
    )


_AGREED = ("away", "contributors", "format", "judge", "parties", "system", "title")


def check_opened(terms: TableTerms, seats: Iterable[LobbySeat], start: Start, line: bytes, game: bytes) -> None:
    """Whether event 0, a line without its line feed, is what host and parties agreed to, and that of `game`.

    Everything is checked: the host's signatures, every party's seat, the keeper's event and its members. That the
    terms are the link's is `check_link`. Raises LobbyError, for event 0 itself with the code `table.opened`.
    """
    check_signed(terms)
    check_start(terms, seats, start)
    if leaf_hash(line) != game:
        raise _not_agreed(Message("it is not that of the game that was shown"))
    replay = Replay()
    try:
        event = replay.step(line)
    except Failure as failure:
        raise _not_agreed(failure) from None
    opened, agreed = event.body, _open_body(terms, start)
    assert isinstance(opened, Open)
    for member in _AGREED:
        if getattr(opened, member) != getattr(agreed, member):
            raise _not_agreed(Message("{member} is not what was agreed to", member=member))
    if bytes(opened.options) != bytes(agreed.options):
        raise _not_agreed(Message("{member} is not what was agreed to", member="options"))
    if opened.continues is not UNSET:
        raise _not_agreed(Message("{member} is not what was agreed to", member="continues"))


def _not_agreed(problem: Message) -> LobbyError:
    text = N_("the server began another game than the one that was agreed to: {problem}. Nothing was signed in it")
    return LobbyError("table.opened", Message(text, problem=problem))


def check_access(keys: Mapping[str, VerifierKey], game: bytes, access: Access, now: str) -> VerifierKey:
    """Who may read a game of these parties; their key. Raises LobbyError (`not-found`, `access.time`)."""
    key = keys.get(access.party)
    if access.game != game.hex() or key is None or not _signed(key.public_bytes, _ACCESS_LABEL, access, access.sig):
        raise LobbyError("not-found", Message("there is no such thing here, or no access to it"))
    if _apart(access.time, now) > MAX_CLOCK_SKEW:
        text = N_("this was signed at {time}, and the clock here says {now}: set the clock right")
        raise LobbyError("access.time", Message(text, time=access.time, now=now))
    return key


def check_delete(terms: TableTerms, delete: Delete) -> None:
    """Whether the host wants its table deleted. Raises LobbyError (`table.host`)."""
    _check_host(terms, _DELETE_LABEL, delete)


def check_closing(terms: TableTerms, game: bytes, closing: Closing) -> None:
    """Whether the host wants this game of its table closed. Raises LobbyError (`table.host`)."""
    if closing.game != game.hex():
        raise LobbyError("table.host", Message("this was signed for another game"))
    _check_host(terms, _CLOSE_LABEL, closing)


def _apart(time: str, now: str) -> timedelta:
    return abs(_moment(time) - _moment(now))


def _moment(time: str) -> datetime:
    """Raises LobbyError for the 30th of February and its like."""
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        raise LobbyError("malformed", Message("there is no time {time}", time=time)) from None
