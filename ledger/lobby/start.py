"""Checks of a start by the host and of event 0, and what event 0 holds as it was agreed to."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET, Struct, UnsetType

from ledger.lobby.seats import check_seat
from ledger.lobby.signatures import check_host, check_signed
from ledger.lobby.signed import START_LABEL, Contributing, Invite, LobbyError, LobbySeat, SealedBy, Start, TableTerms
from rules import SYSTEMS, Role
from rules.base import LateRole, given
from rules.data.bounds import MAX_PARTIES
from rules.data.language import N_, Message
from verifier import Failure, Replay, VerifierKey
from verifier.log.format import FORMAT, Open, Party
from verifier.log.merkle import leaf_hash
from verifier.log.terms import read_terms

__all__ = ["EventZero", "check_opened", "check_start", "event_zero_terms"]


def check_start(terms: TableTerms, seats: Iterable[LobbySeat], start: Start, invites: Sequence[Invite] = ()) -> None:
    """Verify that the host starts with parties who have seats here, and who can play. Raises LobbyError.

    Every seat that it needs is checked too.
    """
    check_host(terms, START_LABEL, start)
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


def _not_agreed(problem: Message) -> LobbyError:
    text = N_("the server began another game than the one that was agreed to: {problem}. Nothing was signed in it")
    return LobbyError("table.opened", Message(text, problem=problem))


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
