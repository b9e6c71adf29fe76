"""Checks of a start by the host and of event 0, and what event 0 holds as it was agreed to."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from ledger.lobby.seats import check_seat
from ledger.lobby.signatures import check_host, check_signed
from ledger.lobby.signed import START_LABEL, Invite, LobbyError, LobbySeat, Start, TableTerms
from rules import SYSTEMS, Role
from rules.data.bounds import MAX_PARTIES
from rules.data.language import N_, Message
from verifier import Failure, Replay, VerifierKey
from verifier.log.bodies import Contributing, Open, Party
from verifier.log.format import FORMAT
from verifier.log.merkle import leaf_hash
from verifier.log.terms import read_terms

__all__ = ["agreed_open", "check_opened", "check_start"]


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
            raise LobbyError("table.start", Message("{name} has another name at its seat", name=seat.name))
        check_seat(terms, seat, invites)
    system = SYSTEMS.get(terms.system)
    if system is None:
        raise LobbyError("table.start", Message("there are no rules {system} here", system=terms.system))
    names = [key.name for key, _ in _parties(terms, start)]
    if len(names) > MAX_PARTIES:
        raise LobbyError("table.start", Message("a game has at most {most} parties", most=MAX_PARTIES))
    missing = [] if isinstance(terms.contributors, str) else [name for name in terms.contributors if name not in names]
    if missing:
        text = N_("{names} is to contribute to the rolls, but does not play")
        raise LobbyError("table.start", Message(text, names=", ".join(missing)))
    try:
        read_terms(agreed_open(terms, start), bytes(32), system)
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
    opened, agreed = event.body, agreed_open(terms, start)
    assert isinstance(opened, Open)
    for member in _AGREED:
        if getattr(opened, member) != getattr(agreed, member):
            raise _not_agreed(Message("{member} is not what was agreed to", member=member))


_AGREED = sorted({*Open.__struct_fields__} - {"nonce"})
"""the members of event 0 that were agreed to: all but the keeper's own"""


def _not_agreed(problem: Message) -> LobbyError:
    text = N_("the server began another game than the one that was agreed to: {problem}. Nothing was signed in it")
    return LobbyError("table.opened", Message(text, problem=problem))


def agreed_open(terms: TableTerms, start: Start) -> Open:
    """Return the body of event 0 as it was agreed to, when `check_start` has passed. Its nonce is the keeper's."""
    called = _called(start)
    return Open(
        format=FORMAT,
        system=terms.system,
        options=terms.options,
        parties=tuple(Party(str(key), role, called.get(key.name, UNSET)) for key, role in _parties(terms, start)),
        contributors=_contributors(terms, start),
        nonce="0" * 64,
        title=terms.title,
        judge=_judge(terms),
        host=UNSET if terms.admits is UNSET else terms.host,
        **msgspec.structs.asdict(terms.permissions()),
    )


def _parties(terms: TableTerms, start: Start) -> tuple[tuple[VerifierKey, Role], ...]:
    servers = ((key, role) for role, key in terms.reserved.items())
    playing = ((VerifierKey.parse(party.key), party.role) for party in start.parties)
    return (*servers, *playing)


def _called(start: Start) -> dict[str, str]:
    """Return the called names of the playing parties, by name."""
    return {VerifierKey.parse(each.key).name: each.called for each in start.parties if each.called is not UNSET}


def _contributors(terms: TableTerms, start: Start) -> Contributing:
    """Return the contributors; named ones in party order."""
    listed = terms.contributors
    if listed == "all" or listed == "roller":
        return listed
    return tuple(key.name for key, _ in _parties(terms, start) if key.name in listed)


def _judge(terms: TableTerms) -> str | UnsetType:
    """Return the name of the server's judge."""
    return UNSET if terms.judge is UNSET else terms.judge.party_key.name
