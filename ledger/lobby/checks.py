"""Check the signed messages of a table: who signed them, and whether they may (specs/network.md, "The table")."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from ledger.lobby.links import Link
from ledger.lobby.signed import (
    ACCESS_LABEL,
    ADMIT_LABEL,
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
    Contributing,
    Delete,
    Invitation,
    Invite,
    LobbyError,
    LobbySeat,
    ReplaceWish,
    SealedBy,
    Signed,
    Start,
    TableTerms,
    Unseat,
)
from rules import SYSTEMS, Role, System
from rules.base import LateRole, given
from rules.data.bounds import MAX_PARTIES
from rules.data.language import N_, Message
from verifier import Failure, Replay, VerifierKey
from verifier.log.format import FORMAT, Open, Party, decode_options
from verifier.log.identity import holds, is_small_order, looks_alike
from verifier.log.merkle import leaf_hash
from verifier.log.succession import SuccessionError, check_succession
from verifier.log.terms import Terms, read_terms

__all__ = [
    "MAX_CLOCK_SKEW",
    "EventZero",
    "asking",
    "check_access",
    "check_admit",
    "check_asks",
    "check_closing",
    "check_delete",
    "check_free",
    "check_goes_on",
    "check_invite",
    "check_link",
    "check_newcomer",
    "check_opened",
    "check_replace",
    "check_seat",
    "check_start",
    "check_terms",
    "check_unseat",
    "ended_tokens",
    "event_zero_terms",
    "goes_on",
    "invitations_of",
    "is_ended",
    "look_alike_of",
]


MAX_CLOCK_SKEW = timedelta(minutes=5)
"""how far the time of terms and of an access may be from the server's clock"""


def _signed(key: bytes, label: bytes, what: Signed, sig: str) -> bool:
    return holds(key, bytes.fromhex(sig), what.message(label))


def _check_host(terms: TableTerms, label: bytes, what: Start | Delete | Closing | Unseat | Invite) -> None:
    if what.table != terms.id.hex():
        raise LobbyError("table.host", Message("this was signed for another table"))
    if not _signed(terms.host_key.public_bytes, label, what, what.sig):
        raise LobbyError("table.host", Message("the signature is not {host}'s, the host's", host=terms.host_key.name))


def check_signed(terms: TableTerms) -> None:
    """Verify the host's signature under these terms. Raises LobbyError (`table.terms`)."""
    if not _signed(terms.host_key.public_bytes, TABLE_LABEL, terms, terms.sig):
        raise LobbyError("table.terms", Message("the signature is not {host}'s, the host's", host=terms.host_key.name))


def invitations_of(terms: TableTerms, invites: Iterable[Invite], role: str) -> list[Invitation]:
    """The invitations of a role's links: that of the terms, then those of the host's new ones, the latest last.

    What the server put among them is nobody's, and left out.
    """
    first = terms.invitation(role)
    if first is None:
        return []
    found = {0: first}
    for invite in invites:
        if invite.link.role == role and invite.table == terms.id.hex():
            key = bytes.fromhex(invite.link.key)
            safe = role == "spectator" or not is_small_order(key)
            if safe and _signed(terms.host_key.public_bytes, INVITE_LABEL, invite, invite.sig):
                found.setdefault(invite.count, invite.link)
    return [found[count] for count in sorted(found)]


def is_ended(terms: TableTerms, invites: Iterable[Invite], invitation: Invitation) -> bool:
    """Return True if the host has made a new link in the place of this one."""
    return invitation != invitations_of(terms, invites, invitation.role)[-1]


def check_invite(terms: TableTerms, invites: Iterable[Invite], invite: Invite) -> bool:
    """Verify a new link for a role that has one; return False if it is known already. Raises LobbyError."""
    _check_host(terms, INVITE_LABEL, invite)
    invitation = invite.link
    if terms.invitation(invitation.role) is None:
        text = N_("this table has no link for the role {role}")
        raise LobbyError("table.host", Message(text, role=invitation.role))
    if invitation.role != "spectator" and is_small_order(bytes.fromhex(invitation.key)):
        raise LobbyError("table.host", Message("an invitation key is of small order: anybody can sign with it"))
    known = [each for each in invites if each.link.role == invitation.role]
    if invite in known:
        return False
    if any(each.count >= invite.count for each in known):
        raise LobbyError("table.invite", Message("another new link for this role was made meanwhile: make it anew"))
    return True


def check_unseat(terms: TableTerms, unseat: Unseat) -> None:
    """Verify that the host takes somebody out of its table. Raises LobbyError (`table.host`)."""
    _check_host(terms, UNSEAT_LABEL, unseat)


def look_alike_of(name: str, names: Iterable[str]) -> str | None:
    """One of these names that looks like another one, and is not it."""
    return next((each for each in names if each != name and looks_alike(each, name)), None)


def check_link(link: Link, terms: TableTerms, invites: Iterable[Invite] = ()) -> None:
    """Verify that the terms are the host's and of the link's table, and that the host made the link.

    Raises LobbyError.
    """
    if terms.id != link.table:
        text = N_("the server shows another table than the one that the link is for")
        raise LobbyError("table.terms", Message(text))
    check_signed(terms)
    if link.invitation not in invitations_of(terms, invites, link.role):
        text = N_("the link's secret is not that of the table's {role} link: copy the link whole, or ask for a new one")
        raise LobbyError("table.terms", Message(text, role=link.role))


def check_terms(
    terms: TableTerms,
    keeper: VerifierKey,
    now: str,
    judge: VerifierKey | None = None,
    posts: str | None = None,
    public: str | None = None,
) -> None:
    """Verify that a server with this keeper and judge takes a table `now` (a time in the log's form).

    `posts`: where it posts results of this host's tables; `public`: where everybody can read closed games; None:
    nowhere. Raises LobbyError.
    """
    if terms.keeper != str(keeper):
        text = N_("the table names another keeper than this server's, which is {keeper}")
        raise LobbyError("table.terms", Message(text, keeper=keeper))
    if terms.judge is not UNSET and terms.judge.key != str(judge):
        text = N_("the table names another judge than this server's, which is {judge}")
        raise LobbyError("table.terms", Message(text, judge=judge or Message("none")))
    _check_places(terms, posts, public)
    _check_listed(terms)
    system = SYSTEMS.get(terms.system)
    if system is None:
        raise LobbyError("table.terms", Message("there are no rules {system} here", system=terms.system))
    _check_admits(terms, system)
    _check_sealed(terms, system)
    try:
        decode_options(terms.options, system.options)
    except Failure as failure:
        raise LobbyError("table.terms", failure) from None
    for invitation in terms.invitations:
        if invitation.role == "gm" and "gm" not in system.roles:
            raise LobbyError("table.terms", Message("these rules have no gm, but there is a link for one"))
        if invitation.role != "spectator" and is_small_order(bytes.fromhex(invitation.key)):
            raise LobbyError("table.terms", Message("an invitation key is of small order: anybody can sign with it"))
    if apart(terms.time, now) > MAX_CLOCK_SKEW:
        text = N_("the table is dated {time}, and the clock here says {now}: set the clock right")
        raise LobbyError("table.terms", Message(text, time=terms.time, now=now))
    check_signed(terms)


def _check_places(terms: TableTerms, posts: str | None, public: str | None) -> None:
    """Verify that the server shows others no more, and nowhere else, than it does. Raises LobbyError."""
    if terms.posts is not UNSET and terms.posts != posts:
        raise LobbyError(
            "table.terms", Message("this server posts no results of this table to {place}", place=terms.posts)
        )
    if terms.public is not UNSET and terms.public != public:
        text = N_("this server makes no closed games public at {address}")
        raise LobbyError("table.terms", Message(text, address=terms.public))


def _check_listed(terms: TableTerms) -> None:
    """A list of contributors, as far as it can be judged before anybody sits there. Raises LobbyError."""
    listed = terms.contributors
    if isinstance(listed, str):
        return
    names = {role: key.name for role, key in terms.reserved.items()}
    if len(set(listed)) != len(listed) or names["keeper"] not in listed or names.get("judge") in listed:
        text = N_("contributors are named once each, {keeper}, the keeper, among them, and no judge")
        raise LobbyError("table.terms", Message(text, keeper=names["keeper"]))


def _check_admits(terms: TableTerms, system: System[Any]) -> None:
    """In which roles somebody may come later. Raises LobbyError."""
    admits = given(terms.admits, ())
    if len(set(admits)) < len(admits):
        raise LobbyError("table.terms", Message("each role that may come later stands there once"))
    for role in admits:
        if role not in {"witness", "judge"} | system.late:
            raise LobbyError("table.terms", Message("in these rules no {role} comes later", role=role))
        if terms.invitation(role) is None:
            text = N_("a {role} may come later, and there is no link for one")
            raise LobbyError("table.terms", Message(text, role=role))
    if admits and terms.host_key.public_bytes == terms.keeper_key.public_bytes:
        raise LobbyError("table.terms", Message("the host has the keeper's key"))


def _check_sealed(terms: TableTerms, system: System[Any]) -> None:
    """Verify who may hold secret rolls. Raises LobbyError."""
    if terms.sealed is UNSET:
        return
    if not system.seals:
        raise LobbyError("table.terms", Message("in these rules no roll is secret"))
    if terms.sealed == "kept" and terms.invitation("gm") is None:
        raise LobbyError("table.terms", Message("game masters may roll in secret, and there is no link for one"))


def check_seat(terms: TableTerms, seat: LobbySeat, invites: Iterable[Invite] = (), *, latest: bool = False) -> None:
    """Verify that a seat is of this table, signed by its party and by a link of its role, or by the latest link.

    Raises LobbyError.
    """
    if seat.table != terms.id.hex():
        raise LobbyError("table.seat", Message("this is a seat at another table"))
    key = seat.party_key
    invitations = invitations_of(terms, invites, seat.role)
    if not invitations:
        raise LobbyError("table.seat", Message("this table has no link for the role {role}", role=seat.role))
    for other in terms.reserved.values():
        if key.public_bytes == other.public_bytes:
            text = N_("the key of {name} is that of {other}, whom the server runs")
            raise LobbyError("table.seat", Message(text, name=key.name, other=other.name))
    by = [each for each in invitations if _invited(each, seat)]
    if latest and by and by[-1] != invitations[-1]:
        text = N_(
            "the host has made a new link for the role {role}, and this one seats nobody any more: ask for the new one"
        )
        raise LobbyError("table.seat", Message(text, role=seat.role))
    if not by:
        text = N_("{name} has not the link of the role {role}: the invitation does not hold")
        raise LobbyError("table.seat", Message(text, name=key.name, role=seat.role))
    if not _signed(key.public_bytes, SEAT_LABEL, seat, seat.sig):
        raise LobbyError("table.seat", Message("the signature is not {name}'s", name=key.name))
    if any(key.name == other.name for other in terms.reserved.values()):
        text = N_("{name} is the name of the server's keeper or judge: choose another")
        raise LobbyError("table.name", Message(text, name=key.name))
    for other in terms.reserved.values():
        _check_called(seat, other.name, UNSET)


def _invited(invitation: Invitation, seat: LobbySeat) -> bool:
    return _signed(bytes.fromhex(invitation.key), INVITATION_LABEL, seat, seat.invitation)


def ended_tokens(terms: TableTerms, invites: Sequence[Invite], seats: Sequence[LobbySeat]) -> list[str]:
    """Hashes of the tokens of links that were replaced, and by which nobody sits any more."""
    return [
        each.token
        for first in terms.invitations
        for each in invitations_of(terms, invites, first.role)[:-1]
        if not any(seat.role == each.role and _invited(each, seat) for seat in seats)
    ]


def check_free(seats: Iterable[LobbySeat], seat: LobbySeat) -> bool:
    """Verify that a seat is free; return False if it is taken by this very party. Raises LobbyError."""
    key = seat.party_key
    for other in seats:
        taken = other.party_key
        if (other.key, other.role) == (seat.key, seat.role):
            return False
        if taken.public_bytes == key.public_bytes:
            text = N_("{name} has a seat here already, as {role}")
            raise LobbyError("table.seat", Message(text, name=taken.name, role=other.role))
        if seat.replaces is not UNSET or other.replaces is not UNSET:
            continue  # it takes no name
        if taken.name == key.name:
            text = N_("somebody else is called {name} at this table: choose another name")
            raise LobbyError("table.name", Message(text, name=key.name))
        _check_called(seat, taken.name, other.called)
    return True


def _check_called(seat: LobbySeat, name: str, called: str | UnsetType) -> None:
    """Verify that a seat's names differ from another party's, by code points. Raises LobbyError."""
    for mine in (seat.name, seat.called):
        if mine is not UNSET and mine in (name, called):
            text = N_("somebody else is called {name} at this table: choose another name")
            raise LobbyError("table.name", Message(text, name=mine))


def asking(seats: Iterable[LobbySeat], terms: Terms) -> list[LobbySeat]:
    """The seats of those who are no party of the game with these terms, and wait for the host to let them in."""
    return [seat for seat in seats if seat.replaces is UNSET and terms.owner_of(seat.party_key.public_bytes) is None]


def goes_on(seats: Iterable[LobbySeat], terms: Terms) -> list[LobbySeat]:
    """The seats of those who ask to go on in the place of a party's present key."""
    asks = (seat for seat in seats if seat.replaces is not UNSET)
    return [
        seat
        for seat in asks
        if str(terms.keys.get(seat.name)) == seat.replaces and terms.owner_of(seat.party_key.public_bytes) is None
    ]


def check_goes_on(seat: LobbySeat, replay: Replay) -> None:
    """Verify that a seat asks to go on in the place of a party of the game. Raises LobbyError (`table.seat`)."""
    terms, name, role = replay.terms, seat.name, seat.role
    present = str(terms.keys.get(name)) == seat.replaces and terms.roles[name] == role
    if not present or role == "judge" or name in replay.session.parties.left:
        text = N_("nobody in this game goes on as {name}, as {role}, in the place of this key")
        raise LobbyError("table.seat", Message(text, name=name, role=role))
    owner = terms.owner_of(seat.party_key.public_bytes)
    if owner is not None:
        raise LobbyError(
            "table.seat", Message("the new key of {name} is one that {other} has or had", name=name, other=owner)
        )
    if seat.succession is UNSET:
        return
    succession = seat.succession
    stated = succession.key, succession.new, succession.recovery
    if stated != (seat.replaces, seat.key, replay.conduct.recovery.get(name)):
        text = N_("the succession is not from {name}'s key here to the new one, by the recovery key of {name}'s join")
        raise LobbyError("table.seat", Message(text, name=name))
    try:
        check_succession(succession)
    except SuccessionError as problem:
        raise LobbyError("table.seat", problem) from None


def check_replace(wish: ReplaceWish, seats: Iterable[LobbySeat], replay: Replay) -> LobbySeat:
    """Verify a wish for a `replace`, and return the seat that asks. Raises LobbyError (`table.seat`)."""
    session, name = replay.session, wish.party_key.name
    if wish.game != replay.game.hex():
        raise LobbyError("table.seat", Message("this was signed for another game"))
    seat = next((each for each in seats if each.key == wish.key and each.replaces is not UNSET), None)
    if seat is None:
        raise LobbyError("table.seat", Message("{name} does not ask to go on with this key", name=name))
    if seat.succession is not UNSET:
        may = [seat.key]
    else:
        may = [str(replay.terms.keys[each]) for each in session.parties.who_consent() if each != name]
    if wish.by not in may:
        text = N_("{name} goes on by its recovery key's word, or by those who play: not by {by}'s wish")
        raise LobbyError("table.seat", Message(text, name=name, by=VerifierKey.parse(wish.by).name))
    if not _signed(VerifierKey.parse(wish.by).public_bytes, REPLACE_LABEL, wish, wish.sig):
        raise LobbyError("table.seat", Message("the signature is not {name}'s", name=VerifierKey.parse(wish.by).name))
    asked = session.parties.asked.get(name)
    if asked is not None and asked.recovered and seat.succession is UNSET:
        text = N_("{name} is about to go on by the recovery key's word: nobody else's is asked")
        raise LobbyError("table.seat", Message(text, name=name))
    return seat


def check_asks(
    terms: TableTerms,
    seat: LobbySeat,
    parties: Mapping[str, VerifierKey],
    called: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Verify that a game with these parties, who are `called` so, could take in a seat later.

    Raises LobbyError.
    """
    name, key = seat.name, seat.party_key
    if seat.role not in given(terms.admits, ()):
        text = N_("the game has begun without {name}, and no {role} comes later")
        raise LobbyError("table.started", Message(text, name=name, role=seat.role))
    for other in parties.values():
        if key.public_bytes == other.public_bytes:
            raise LobbyError(
                "table.seat", Message("{name} plays here already, as {other}", name=name, other=other.name)
            )
        if name == other.name:
            text = N_("somebody else is called {name} at this table: choose another name")
            raise LobbyError("table.name", Message(text, name=name))
        if looks_alike(name, other.name):
            text = N_("{name} looks like {other}, who plays here: choose another name")
            raise LobbyError("table.name", Message(text, name=name, other=other.name))
        _check_called(seat, other.name, called.get(other.name, UNSET))


def check_admit(terms: TableTerms, game: bytes, word: AdmitWord) -> None:
    """Verify that the host lets somebody into this game of its table. Raises LobbyError (`table.host`)."""
    if word.game != game.hex():
        raise LobbyError("table.host", Message("this was signed for another game"))
    if not _signed(terms.host_key.public_bytes, ADMIT_LABEL, word, word.sig):
        raise LobbyError("table.host", Message("the signature is not {host}'s, the host's", host=terms.host_key.name))


def check_newcomer(replay: Replay, key: VerifierKey, role: Role, called: str | UnsetType = UNSET) -> bool:
    """Verify that the host has let this key in, in this role and called so; return False if nobody has yet.

    Raises LobbyError (`table.opened`) where the keeper did alone, or otherwise.
    """
    name = key.name
    known = replay.terms.keys.get(name)
    if known is None:
        return False
    late = replay.conduct.late.get(name)
    if str(known) != str(key) or replay.terms.roles[name] != role or replay.terms.called.get(name, UNSET) != called:
        text = N_("the server let in another {name} than the one who asked")
        raise LobbyError("table.opened", Message(text, name=name))
    if late is not None and not late[1]:
        text = N_("the server let {name} in without the host's word: nothing was signed. Ask the host")
        raise LobbyError("table.opened", Message(text, name=name))
    return True


def check_start(terms: TableTerms, seats: Iterable[LobbySeat], start: Start, invites: Sequence[Invite] = ()) -> None:
    """Verify that the host starts with parties who have seats here, and who can play. Raises LobbyError.

    Every seat that it needs is checked too.
    """
    _check_host(terms, START_LABEL, start)
    taken = {(seat.key, seat.role): seat for seat in seats if seat.replaces is UNSET}
    for party in start.parties:
        seat = taken.get((party.key, party.role))
        if seat is None:
            name = VerifierKey.parse(party.key).name
            raise LobbyError("table.start", Message("{name} has no seat as {role}", name=name, role=party.role))
        if party.called != seat.called:
            raise LobbyError("table.start", Message("{name} is called otherwise at its seat", name=seat.name))
        check_seat(terms, seat, invites)
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


def _called(start: Start) -> dict[str, str]:
    """By name, what those who play are called."""
    return {VerifierKey.parse(each.key).name: each.called for each in start.parties if each.called is not UNSET}


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
    called = _called(start)
    return Open(
        format=FORMAT,
        system=terms.system,
        options=terms.options,
        parties=tuple(Party(str(key), role, called.get(key.name, UNSET)) for key, role in _parties(terms, start)),
        contributors=_contributors(terms, start),
        nonce="0" * 64,
        title=terms.title,
        away=terms.away,
        judge=_judge(terms),
        admits=terms.admits,
        host=UNSET if terms.admits is UNSET else terms.host,
        sealed=terms.sealed,
        strike=terms.strike,
    )


class EventZero(Struct, frozen=True):
    """The content of event 0: the arguments of `ledger.seats.seat.Seat.open_game`."""

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
    admits: tuple[LateRole, ...]
    host: VerifierKey | None
    """whose word says who comes later, where somebody may"""
    called: Mapping[str, str]
    """by name, what those who play are called"""
    sealed: SealedBy | None
    """who may hold secret rolls"""
    strikes: bool
    """all who play can take the latest roll back together"""


def event_zero_terms(terms: TableTerms, start: Start) -> EventZero:
    """Return the content of event 0, when `check_start` has passed."""
    return EventZero(
        terms.system,
        terms.options,
        _parties(terms, start),
        _contributors(terms, start),
        terms.title,
        terms.away == "others",
        given(_judge(terms), None),
        given(terms.admits, ()),
        None if terms.admits is UNSET else terms.host_key,
        _called(start),
        given(terms.sealed, None),
        terms.strike == "all",
    )


_AGREED = (
    "admits",
    "away",
    "contributors",
    "format",
    "host",
    "judge",
    "parties",
    "sealed",
    "strike",
    "system",
    "title",
)


def check_opened(
    terms: TableTerms,
    seats: Iterable[LobbySeat],
    start: Start,
    line: bytes,
    game: bytes,
    invites: Sequence[Invite] = (),
) -> None:
    """Verify that event 0, a line without its line feed, is of `game` and what host and parties agreed to.

    Everything is checked: the host's signatures, every party's seat, the keeper's event and its members. That the
    terms are the link's is `check_link`. Raises LobbyError, for event 0 itself with the code `table.opened`.
    """
    check_signed(terms)
    check_start(terms, seats, start, invites)
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
    """Return the key of the party that asks to read a game. Raises LobbyError (`not-found`, `access.time`)."""
    key = keys.get(access.party)
    if access.game != game.hex() or key is None or not _signed(key.public_bytes, ACCESS_LABEL, access, access.sig):
        raise LobbyError("not-found", Message("there is no such thing here, or no access to it"))
    if apart(access.time, now) > MAX_CLOCK_SKEW:
        text = N_("this was signed at {time}, and the clock here says {now}: set the clock right")
        raise LobbyError("access.time", Message(text, time=access.time, now=now))
    return key


def check_delete(terms: TableTerms, delete: Delete) -> None:
    """Verify that the host wants its table deleted. Raises LobbyError (`table.host`)."""
    _check_host(terms, DELETE_LABEL, delete)


def check_closing(terms: TableTerms, game: bytes, closing: Closing) -> None:
    """Verify that the host wants this game of its table closed. Raises LobbyError (`table.host`)."""
    if closing.game != game.hex():
        raise LobbyError("table.host", Message("this was signed for another game"))
    _check_host(terms, CLOSE_LABEL, closing)


def apart(time: str, now: str) -> timedelta:
    return abs(moment(time) - moment(now))


def moment(time: str) -> datetime:
    """Raises LobbyError for the 30th of February and its like."""
    try:
        return datetime.fromisoformat(time)
    except ValueError:
        raise LobbyError("malformed", Message("there is no time {time}", time=time)) from None
