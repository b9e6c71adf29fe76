"""Checks of a table's terms, before a server takes it (specs/network.md, "The table")."""

from typing import Any

from msgspec import UNSET

from ledger.lobby.signatures import check_signed
from ledger.lobby.signed import LobbyError, TableTerms
from ledger.lobby.times import MAX_CLOCK_SKEW, time_between
from rules import SYSTEMS, System
from rules.base import given
from rules.data.language import N_, Message
from verifier import Failure, VerifierKey
from verifier.log.format import decode_options
from verifier.log.identity import is_small_order
from verifier.log.terms import admits_problem

__all__ = ["check_terms"]


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
    if time_between(terms.time, now) > MAX_CLOCK_SKEW:
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
    """Verify a list of contributors, as far as possible before anybody is seated. Raises LobbyError."""
    listed = terms.contributors
    if isinstance(listed, str):
        return
    names = {role: key.name for role, key in terms.reserved.items()}
    if len(set(listed)) != len(listed) or names["keeper"] not in listed or names.get("judge") in listed:
        text = N_("contributors are named once each, {keeper}, the keeper, among them, and no judge")
        raise LobbyError("table.terms", Message(text, keeper=names["keeper"]))


def _check_admits(terms: TableTerms, system: System[Any]) -> None:
    """Verify the roles in which parties may come later. Raises LobbyError."""
    admits = given(terms.admits, ())
    problem = admits_problem(admits, system)
    if problem is not None:
        raise LobbyError("table.terms", problem)
    for role in admits:
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
