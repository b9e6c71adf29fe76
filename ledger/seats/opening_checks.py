"""A roll that waits, and others' openings for it, as a seat checks them before it opens or signs."""

from collections.abc import Collection, Iterable, Sequence

from ledger.errors import RefusedError, TurnError, WaitingError
from ledger.game.party_view import View
from ledger.game.signature_cache import verify_once
from ledger.seats.fork_guard import check_taken
from ledger.seats.memory import Turn
from rules.protocol import Phase
from verifier import Failure
from verifier.dice.pending import PendingRoll
from verifier.log.bodies import Opening

__all__ = ["check_all_opened", "check_openings", "pending_or_voided", "taken_roll", "waiting_roll"]


def waiting_roll(view: View) -> PendingRoll:
    """Return the pending roll. Raises TurnError."""
    if view.replay.session.phase is not Phase.PENDING:
        raise TurnError("no roll waits for dice in this game")
    return pending_or_voided(view)


def taken_roll(turn: Turn, view: View, name: str) -> PendingRoll:
    """Return the pending roll, whose request the keeper has taken: no other can come in its place.

    Raises TurnError, UntakenError.
    """
    pending = waiting_roll(view)
    if name != view.replay.terms.keeper:
        check_taken(turn, view, name, whole=True)
    return pending


def pending_or_voided(view: View) -> PendingRoll:
    """Return the roll that is pending, or was just voided. Raises TurnError."""
    if view.replay.pending is None:
        raise TurnError("no roll waits for dice in this game")
    return view.replay.pending


def check_openings(view: View, openings: Iterable[Opening]) -> None:
    """Verify openings for the pending roll, or the one that was just voided. Raises RefusedError."""
    for opening in openings:
        try:
            view.replay.check_opening(opening, verify_once)
        except Failure as failure:
            raise RefusedError(failure, failure.code, failure.clause) from None


def check_all_opened(view: View, name: str, openings: Sequence[Opening], *, but: Collection[str]) -> dict[str, Opening]:
    """Verify that all contributors to the pending roll `but` these have opened, before `name` opens.

    Returns their openings by name. Raises WaitingError where one is missing, RefusedError for one that does not hold.
    """
    pending = waiting_roll(view)
    received = {opening.author: opening for opening in openings if opening.author not in but}
    missing = [each for each in pending.contributors if each not in received and each not in but]
    if missing:
        raise WaitingError(
            f"{name} opens when {' and '.join(missing)} {'have' if len(missing) > 1 else 'has'} opened; until "
            f"then the dice wait"
        )
    check_openings(view, received.values())
    return received
