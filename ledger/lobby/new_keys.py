"""Checks of seats that ask to replace a party's lost key by a new one (specs/protocol.md, "A lost browser")."""

from collections.abc import Iterable

from msgspec import UNSET

from ledger.lobby.signatures import signature_holds
from ledger.lobby.signed import REPLACE_LABEL, LobbyError, LobbySeat, ReplaceWish
from rules.data.language import N_, Message
from verifier import Replay, VerifierKey
from verifier.log.succession import SuccessionError, check_succession
from verifier.log.terms import Terms

__all__ = ["check_goes_on", "check_replace", "goes_on"]


def goes_on(seats: Iterable[LobbySeat], terms: Terms) -> list[LobbySeat]:
    """Return the seats that ask to replace a party's present key."""
    asks = (seat for seat in seats if seat.replaces is not UNSET)
    return [
        seat
        for seat in asks
        if str(terms.keys.get(seat.name)) == seat.replaces and terms.owner_of(seat.party_key.public_bytes) is None
    ]


def check_goes_on(seat: LobbySeat, replay: Replay) -> None:
    """Verify that a seat asks for the place of a party of the game. Raises LobbyError (`table.seat`)."""
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
        text = N_("{name} goes on by its recovery key, or by the consent of those who play: {by} cannot ask for it")
        raise LobbyError("table.seat", Message(text, name=name, by=VerifierKey.parse(wish.by).name))
    if not signature_holds(VerifierKey.parse(wish.by).public_bytes, REPLACE_LABEL, wish, wish.sig):
        raise LobbyError("table.seat", Message("the signature is not {name}'s", name=VerifierKey.parse(wish.by).name))
    asked = session.parties.asked.get(name)
    if asked is not None and not asked.asks and seat.succession is UNSET:
        text = N_("{name} is about to go on by the recovery key: nobody else has to consent")
        raise LobbyError("table.seat", Message(text, name=name))
    return seat
