"""Sign the messages of host and parties. The caller gives secrets, nonces and times."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec
from msgspec import UNSET

from ledger.lobby.links import Link
from ledger.lobby.signed import (
    ACCESS_LABEL,
    CLOSE_LABEL,
    DELETE_LABEL,
    INVITATION_LABEL,
    INVITE_LABEL,
    REPLACE_LABEL,
    SEAT_LABEL,
    START_LABEL,
    TABLE_LABEL,
    UNSEAT_LABEL,
    Access,
    AdmitWord,
    Closing,
    Delete,
    Invitation,
    Invite,
    LobbyError,
    LobbySeat,
    ReplaceWish,
    ServersJudge,
    Start,
    StartParty,
    TableTerms,
    Unseat,
)
from rules import Body
from rules.base import LateRole
from rules.data.language import Message
from verifier import VerifierKey
from verifier.log.bodies import ORDINARY, Contributing, Permissions, Succession
from verifier.log.format import ADMIT_LABEL
from verifier.log.plainjson import encode

__all__ = [
    "UNSIGNED",
    "Signer",
    "new_access",
    "new_admit",
    "new_closing",
    "new_delete",
    "new_invite",
    "new_replace",
    "new_seat",
    "new_start",
    "new_terms",
    "new_unseat",
]


UNSIGNED = "0" * 128


class Signer(Protocol):
    """Something that signs with a party's key: a `ledger.seats.identity.Identity`."""

    @property
    def key(self) -> VerifierKey:
        """The key that it signs with."""

    def sign(self, message: bytes) -> bytes:
        """64 bytes, Ed25519."""


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
    judge: ServersJudge | None = None,
    posts: str | None = None,
    public: str | None = None,
    permits: Permissions = ORDINARY,
) -> TableTerms:
    """Return the terms of a new table. `nonce` is 32 random bytes; an invitation is that of a `Link`, of any table."""
    terms = TableTerms(
        contributors=contributors,
        format="rollproof/table/v1",
        host=str(host.key),
        invitations=tuple(invitations),
        keeper=str(keeper),
        nonce=nonce.hex(),
        options=msgspec.Raw(encode(options)),
        sig=UNSIGNED,
        system=system,
        time=time,
        title=title,
        posts=UNSET if posts is None else posts,
        public=UNSET if public is None else public,
        judge=judge or UNSET,
        **msgspec.structs.asdict(permits),
    )
    return msgspec.structs.replace(terms, sig=host.sign(terms.message(TABLE_LABEL)).hex())


def new_seat(
    party: Signer,
    link: Link,
    called: str | None = None,
    *,
    replaces: VerifierKey | None = None,
    succession: Succession | None = None,
) -> LobbySeat:
    """Return a seat of the link's role; `called`: what the party is called.

    `replaces`: the lost key of a party that asks to go on under this one; `succession`: from that key to this one.

    Raises LobbyError (`table.seat`) where the link is for spectators.
    """
    if link.role == "spectator":
        raise LobbyError("table.seat", Message("this link is for spectators, who have no seat"))
    seat = LobbySeat(
        *("rollproof/seat/v1", UNSIGNED, str(party.key), link.role, UNSIGNED, link.table.hex()),
        called=UNSET if called is None else called,
        replaces=UNSET if replaces is None else str(replaces),
        succession=UNSET if succession is None else succession,
    )
    return msgspec.structs.replace(
        seat,
        invitation=link.invitation_key.sign(seat.message(INVITATION_LABEL)).hex(),
        sig=party.sign(seat.message(SEAT_LABEL)).hex(),
    )


def new_unseat(host: Signer, table: bytes, key: VerifierKey) -> Unseat:
    """Return the signed message that takes a key's seat away."""
    unseat = Unseat("rollproof/unseat/v1", str(key), UNSIGNED, table.hex())
    return msgspec.structs.replace(unseat, sig=host.sign(unseat.message(UNSEAT_LABEL)).hex())


def new_invite(host: Signer, link: Link, count: int) -> Invite:
    """Return a new link, signed, which replaces the earlier ones of its role."""
    invite = Invite(count, "rollproof/invite/v1", link.invitation, UNSIGNED, link.table.hex())
    return msgspec.structs.replace(invite, sig=host.sign(invite.message(INVITE_LABEL)).hex())


def new_start(host: Signer, table: bytes, seats: Iterable[LobbySeat]) -> Start:
    """Return the start with these seats, in their order."""
    parties = tuple(StartParty(seat.key, seat.role, seat.called) for seat in seats)
    start = Start("rollproof/start/v1", parties, UNSIGNED, table.hex())
    return msgspec.structs.replace(start, sig=host.sign(start.message(START_LABEL)).hex())


def new_admit(host: Signer, game: bytes, head: bytes, key: VerifierKey, role: LateRole) -> AdmitWord:
    """Return the host's signed admission of `key`, upon the line of `game` with the leaf hash `head`."""
    word = AdmitWord("rollproof/admit/v1", game.hex(), head.hex(), str(key), role, UNSIGNED)
    return msgspec.structs.replace(word, sig=host.sign(word.message(ADMIT_LABEL)).hex())


def new_replace(by: Signer, game: bytes, key: VerifierKey) -> ReplaceWish:
    """Return the signed wish that the asking `key` go on in a game."""
    wish = ReplaceWish(str(by.key), "rollproof/replace/v1", game.hex(), str(key), UNSIGNED)
    return msgspec.structs.replace(wish, sig=by.sign(wish.message(REPLACE_LABEL)).hex())


def new_access(party: Signer, game: bytes, time: str) -> Access:
    """Return a signed request to read a game, dated now."""
    access = Access("rollproof/access/v1", game.hex(), party.key.name, UNSIGNED, time)
    return msgspec.structs.replace(access, sig=party.sign(access.message(ACCESS_LABEL)).hex())


def new_delete(host: Signer, table: bytes) -> Delete:
    """Return a signed request to delete a table."""
    delete = Delete("rollproof/delete/v1", UNSIGNED, table.hex())
    return msgspec.structs.replace(delete, sig=host.sign(delete.message(DELETE_LABEL)).hex())


def new_closing(host: Signer, table: bytes, game: bytes) -> Closing:
    """Return a signed request that the keeper close a table's game."""
    closing = Closing("rollproof/close/v1", game.hex(), UNSIGNED, table.hex())
    return msgspec.structs.replace(closing, sig=host.sign(closing.message(CLOSE_LABEL)).hex())
