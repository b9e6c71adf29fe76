"""The terms of a game, which its event 0 sets: step 10 of specs/verification.md."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from rules import Role, System
from rules.base import given
from rules.language import N_, Message
from rules.session import keeper, roles_problem
from verifier.errors import Failure, KeyFormatError
from verifier.format import Continued, Open
from verifier.identity import VerifierKey, looks_alike

if TYPE_CHECKING:
    from verifier.rosters.roster import Roster

__all__ = ["Pins", "Terms", "check_pins", "read_terms"]


class Pins(Struct, frozen=True):
    """What the caller knows from elsewhere: the game's id (32 bytes), verifier keys, an organizer's roster."""

    game: bytes | None = None
    keys: tuple[VerifierKey, ...] = ()
    roster: "Roster | None" = None


class Terms(Struct, frozen=True):
    """Event 0, checked."""

    game: bytes
    title: str
    system: str
    keys: Mapping[str, VerifierKey]
    roles: Mapping[str, Role]
    contributors: str | tuple[str, ...]
    keeper: str
    rollers: frozenset[Role] = frozenset({"player"})
    """the roles that ask for dice in this system"""
    others_away: bool = False
    """whether all other contributors together may sign a party away"""
    continues: Continued | None = None
    keepers_judge: str | None = None
    """the judge that whoever runs the keeper runs too"""

    def may_contribute(self, name: str) -> bool:
        """Whether `name` is a contributor of some roll."""
        match self.contributors:
            case "all":
                return self.roles[name] != "judge"
            case "roller":
                return self.roles[name] in {"keeper", "witness", *self.rollers}
            case listed:
                return name in listed

    def contributors_of(self, roller: str, absent: frozenset[str]) -> tuple[str, ...]:
        """The contributors of a roll, in party order (specs/protocol.md, "Contributors of a roll").

        `absent` are those who left or are away.
        """
        present = [name for name in self.roles if name not in absent]
        if self.contributors == "roller":
            return tuple(n for n in present if n == roller or self.roles[n] in ("keeper", "witness"))
        return tuple(n for n in present if self.may_contribute(n))

    def closer(self, roller: str, contributors: Sequence[str]) -> str:
        """Who opens last before the keeper, and until then may call the roll off (specs/protocol.md)."""
        return roller if roller in contributors else [name for name in contributors if name != self.keeper][-1]


def read_terms(body: Open, leaf: bytes, system: System[Any]) -> Terms:
    """Step 10: the terms of event 0, which has this leaf hash. Raises Failure."""
    keys: dict[str, VerifierKey] = {}
    roles: dict[str, Role] = {}
    for party in body.parties:
        try:
            key = VerifierKey.parse(party.key)
        except KeyFormatError as error:
            raise _no_terms(error) from None
        if key.name in keys:
            raise _no_terms(Message("two parties are called {name}", name=key.name))
        if any(key.public_bytes == other.public_bytes for other in keys.values()):
            raise _no_terms(Message("{name} has the same key as another party", name=key.name))
        keys[key.name], roles[key.name] = key, party.role
    problem = roles_problem(roles, system.roles)
    if problem is not None:
        raise _no_terms(problem)
    if not isinstance(body.contributors, str):
        _check_listed(body.contributors, roles)
    judge = given(body.judge, None)
    if judge is not None and roles.get(judge) != "judge":
        raise _no_terms(Message("{name}, whom the keeper runs as a judge, is none here", name=judge))
    return Terms(
        leaf,
        body.title,
        body.system,
        keys,
        roles,
        body.contributors,
        keeper(roles),
        system.rollers,
        body.away == "others",
        given(body.continues, None),
        judge,
    )


def check_pins(pins: Pins, terms: Terms) -> None:
    """Step 10: the terms are those that the caller knows. Raises Failure."""
    if pins.game is not None and pins.game != terms.game:
        text = N_("This is the log of game {actual}, not of the one asked for.")
        raise Failure(10, "expect.game", text, expected=pins.game.hex(), actual=terms.game.hex())
    for key in pins.keys:
        if str(terms.keys.get(key.name)) != str(key):
            raise _not_expected(key, terms)


def _not_expected(key: VerifierKey, terms: Terms) -> Failure:
    """That a key which the caller expects is no party's: which of three things it is."""
    actual = terms.keys.get(key.name)
    if actual is not None:
        text = N_("The {name} of this log has another key than the {name} you know: somebody may be posing.")
        return Failure(10, "expect.key", text, name=key.name, expected=key, actual=actual)
    actual = next((other for other in terms.keys.values() if other.public_bytes == key.public_bytes), None)
    if actual is not None:
        text = N_("{name} is no party of this log: {name}'s key plays as {other}.")
        return Failure(10, "expect.key", text, name=key.name, other=actual.name, expected=key, actual=actual)
    alike = next((other for other in terms.keys.values() if looks_alike(other.name, key.name)), None)
    if alike is not None:
        text = N_(
            "Nobody in this log has the key of {name} that you know. {other} looks like {name}, and has another key: "
            "somebody may be posing."
        )
        return Failure(10, "expect.key", text, name=key.name, other=alike.name, expected=key, actual=alike)
    text = N_("Nobody in this log has the key of {name} that you know, and no party is called {name}.")
    return Failure(10, "expect.key", text, name=key.name, expected=key)


def _no_terms(problem: Message) -> Failure:
    return Failure(10, "open.terms", "The game's terms are not valid: {problem}.", problem=problem)


def _check_listed(listed: tuple[str, ...], roles: Mapping[str, Role]) -> None:
    """Step 10: a list of contributors."""
    in_order = [name for name in roles if name in listed]
    if list(listed) != in_order or len(listed) < 2 or "keeper" not in [roles[name] for name in in_order]:
        text = N_("contributors are parties in party order, each once, the keeper and at least one other")
        raise _no_terms(Message(text))
    if any(roles[name] == "judge" for name in listed):
        raise _no_terms(Message("a judge contributes to no roll"))
