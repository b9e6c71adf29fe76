"""Checks of a `replace`: whether a party may go on under a new key (steps 15 and 16 of specs/verification.md)."""

from msgspec import UNSET

from rules import Session
from rules.base import given
from rules.data.language import N_, Message
from verifier.errors import Failure, KeyFormatError
from verifier.log.bodies import Correction, ReplaceBody
from verifier.log.conduct import Conduct
from verifier.log.event_word import correction_fits
from verifier.log.identity import VerifierKey
from verifier.log.terms import Terms

__all__ = ["check_correction", "check_new_key", "signer_away"]


def check_new_key(body: ReplaceBody, terms: Terms, session: Session, conduct: Conduct) -> VerifierKey:
    """Return the new key, if the party is away, and nobody else has the key. Raises Failure.

    A succession names the party's keys as they are; its signatures are for the caller to verify.
    """
    succession = given(body.succession, None)
    try:
        key = VerifierKey.parse(body.key)
    except KeyFormatError as error:  # 15
        raise _no_replacement(error) from None
    if key.name not in session.parties.away:
        raise _no_replacement(Message("{name} is no party that is away", name=key.name))
    if succession is None and key.name not in session.parties.signed_away:
        raise _no_replacement(Message("nobody else has signed {name} away", name=key.name))
    if body.correction is not UNSET and terms.roles.get(signer_away(key.name, session, conduct)) != "judge":
        raise _no_replacement(Message("no judge has signed {name} away", name=key.name))
    owner = terms.owner_of(key.public_bytes)
    for asked in session.parties.asked.values():
        other = VerifierKey.parse(asked.key)
        if other.public_bytes == key.public_bytes and other.name != key.name:
            owner = other.name
    if owner is not None:  # 16
        text = N_("The new key of {name} is one that {other} has, had or is to have.")
        raise Failure(16, "replace.key", text, name=key.name, other=owner)
    if succession is not None:
        named = conduct.recovery.get(key.name)
        stated = succession.key, succession.new, succession.recovery
        if stated != (str(terms.keys[key.name]), body.key, named):
            text = N_(
                "The succession is not from {name}'s present key to this one, by the recovery key of {name}'s join."
            )
            raise Failure(16, "replace.succession", text, name=key.name)
    return key


def check_correction(body: ReplaceBody, key: VerifierKey, terms: Terms) -> Correction:
    """Return the correction of a `replace` that has one, which gives the party this key (step 16). Raises Failure.

    The signature is for the caller to verify.
    """
    correction = given(body.correction, None)
    if correction is None or body.succession is not UNSET or not correction_fits(correction, key, terms):
        text = N_(
            "The correction is no act by which an organizer of this table's event gave {name} this key, or stands "
            "beside a succession."
        )
        raise Failure(16, "replace.correction", text, name=key.name)
    return correction


def signer_away(name: str, session: Session, conduct: Conduct) -> str:
    """Return who else signed a party away that is away; empty if it was nobody else."""
    return conduct.signed_away[name][0] if name in session.parties.signed_away else ""


def _no_replacement(problem: Message) -> Failure:
    return Failure(15, "state.replace", "Nobody goes on under this key: {problem}.", problem=problem)
