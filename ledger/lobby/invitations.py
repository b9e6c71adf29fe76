"""Checks of links into a table, and of the host's new links in their place (specs/network.md, "Links")."""

from collections.abc import Iterable, Sequence

from ledger.lobby.links import Link
from ledger.lobby.signatures import check_host, check_signed, signature_holds
from ledger.lobby.signed import INVITATION_LABEL, INVITE_LABEL, Invitation, Invite, LobbyError, LobbySeat, TableTerms
from rules.data.language import N_, Message
from verifier.log.identity import is_small_order

__all__ = ["check_invite", "check_link", "ended_tokens", "invitations_of", "is_ended", "is_invited"]


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


def invitations_of(terms: TableTerms, invites: Iterable[Invite], role: str) -> list[Invitation]:
    """Return the invitations of a role's links: that of the terms, then those of the host's new ones, the latest last.

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
            if safe and signature_holds(terms.host_key.public_bytes, INVITE_LABEL, invite, invite.sig):
                found.setdefault(invite.count, invite.link)
    return [found[count] for count in sorted(found)]


def is_ended(terms: TableTerms, invites: Iterable[Invite], invitation: Invitation) -> bool:
    """Return True if the host has replaced this link by a new one."""
    return invitation != invitations_of(terms, invites, invitation.role)[-1]


def check_invite(terms: TableTerms, invites: Iterable[Invite], invite: Invite) -> bool:
    """Verify a new link for a role that has one; return False if it is known already. Raises LobbyError."""
    check_host(terms, INVITE_LABEL, invite)
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


def ended_tokens(terms: TableTerms, invites: Sequence[Invite], seats: Sequence[LobbySeat]) -> list[str]:
    """Return the hashes of the tokens of links that were replaced, and by which nobody sits any more."""
    return [
        each.token
        for first in terms.invitations
        for each in invitations_of(terms, invites, first.role)[:-1]
        if not any(seat.role == each.role and is_invited(each, seat) for seat in seats)
    ]


def is_invited(invitation: Invitation, seat: LobbySeat) -> bool:
    """Return True if a seat is signed by the key of an invitation."""
    return signature_holds(bytes.fromhex(invitation.key), INVITATION_LABEL, seat, seat.invitation)
