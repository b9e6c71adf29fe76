"""The event's word: an organizer's act in an `admit` or `replace` (specs/protocol.md, "The event's word")."""

from verifier.log.bodies import Appointment, Correction
from verifier.log.format import act_message
from verifier.log.identity import VerifierKey, holds
from verifier.log.terms import Terms

__all__ = ["act_holds", "appointment_fits", "correction_fits"]


def appointment_fits(appointment: Appointment, key: str, terms: Terms) -> bool:
    """Return whether an organizer of the event could have appointed this key as a judge; without the signature."""
    act = appointment.act
    return appointment.by in terms.organizers and act.role in ("head", "judge") and act.key == key


def correction_fits(correction: Correction, key: VerifierKey, terms: Terms) -> bool:
    """Return whether an organizer of the event could have given a player this key; without the signature."""
    act = correction.act
    return correction.by in terms.organizers and act.key == str(key) and key.name == f"p{act.number}"


def act_holds(signed: Appointment | Correction, terms: Terms) -> bool:
    """Verify the organizer's signature under an act that fits."""
    kind = "appoint" if isinstance(signed, Appointment) else "correct-key"
    message = act_message(signed.act, signed.at, signed.by, terms.event, kind, signed.upon)
    return holds(terms.organizers[signed.by].public_bytes, bytes.fromhex(signed.sig), message)
