"""The protocol's events without cryptography: bodies, and who may write what, when (specs/protocol.md).

phase          event                                     author                      phase after
new            open                                      keeper                      idle
idle           join, leave, back                         everybody but keeper        idle
idle           away                                      everybody                   idle
idle           commit                                    everybody but judges        idle
idle           roll, reroll                              the system's rollers        pending
pending        reveal                                    keeper                      idle
pending        void                                      closer, judge               voided
voided         disclose                                  keeper                      idle
idle           ignore, store, modify, resolve, declare   player, gm                  idle
idle           ruling                                    judge                       idle
idle           admit, replace                            keeper                      idle
idle           consent                                   player, gm, witness         idle
idle           seal, show                                holders by event 0          idle
idle           strike                                    player, gm, judge           idle
idle           object                                    player, gm, witness         idle
idle, pending  close                                     keeper                      closed
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from rules.base import Body, LateRole, Role
from rules.data.bounds import Count, Name
from rules.data.language import Message

__all__ = [
    "ACTS",
    "PLAY_NOTHING",
    "PRESENCE",
    "REQUESTS",
    "ROLE_WORDS",
    "TRANSITIONS",
    "Admit",
    "Away",
    "Back",
    "Consent",
    "Join",
    "Leave",
    "Phase",
    "Replace",
    "Strike",
    "Transition",
    "keeper_of",
    "roles_problem",
]


class Phase(StrEnum):
    """The phase of a game, as in the table above and in the state."""

    NEW = "new"
    IDLE = "idle"
    PENDING = "pending"
    VOIDED = "voided"
    CLOSED = "closed"


class Join(Body, frozen=True):
    """Body of `join`, `{}`: the author agrees to everything in event 0."""


class Leave(Body, frozen=True):
    """Body of `leave`: the party that leaves, which is the author or, if a judge writes it, anybody."""

    party: Name


class Away(Body, frozen=True):
    """Body of `away`: the party that contributes to no roll from now on. Somebody else may write it."""

    party: Name


class Back(Body, frozen=True):
    """Body of `back`: the party that is back, and whether it accepts the rolls that were made without it."""

    party: Name
    accept: Literal["rolls"] | UnsetType = UNSET


class Admit(Body, frozen=True):
    """Body of `admit`: the verifier key of a new party (log.md, "Identities") and its role."""

    key: str
    role: LateRole


class Replace(Body, frozen=True):
    """Body of `replace`: the new verifier key of a party, whose name it has."""

    key: str


class Consent(Body, frozen=True):
    """Body of `consent`: the number of the `admit` or `replace` that the author consents to."""

    admit: Count


class Strike(Body, frozen=True):
    """Body of `strike`: the number of the request of the roll that the author agrees to take back."""

    roll: Count


class Transition(msgspec.Struct, frozen=True):
    """A row of the table above: the phases in which an event may come, the roles that may write it, the next phase."""

    before: frozenset[Phase]
    roles: frozenset[Role]
    after: Phase


REQUESTS = frozenset({"roll", "reroll"})
ACTS = frozenset({"ignore", "store", "modify", "resolve", "declare"})
PRESENCE = frozenset({"leave", "away", "back"})
"""types of events that change who is at the table"""
PLAY_NOTHING = frozenset({"join", "commit", "seal", "object", "strike"})
"""types of events that play on no roll, so that the latest one can still be taken back"""

_KEEPER: frozenset[Role] = frozenset({"keeper"})
_PLAYERS: frozenset[Role] = frozenset({"player", "gm"})
ROLE_WORDS: Mapping[Role, Message] = {
    "keeper": Message("keeper"),
    "player": Message("player"),
    "gm": Message("gm"),
    "judge": Message("judge"),
    "witness": Message("witness"),
}
_GUESTS: frozenset[Role] = frozenset({"player", "gm", "judge", "witness"})

_IDLE, _PENDING = frozenset({Phase.IDLE}), frozenset({Phase.PENDING})

TRANSITIONS: Mapping[str, Transition] = {
    "open": Transition(frozenset({Phase.NEW}), _KEEPER, Phase.IDLE),
    "join": Transition(_IDLE, _GUESTS, Phase.IDLE),
    "leave": Transition(_IDLE, _GUESTS, Phase.IDLE),
    "away": Transition(_IDLE, _GUESTS | _KEEPER, Phase.IDLE),
    "back": Transition(_IDLE, _GUESTS, Phase.IDLE),
    "admit": Transition(_IDLE, _KEEPER, Phase.IDLE),
    "replace": Transition(_IDLE, _KEEPER, Phase.IDLE),
    "consent": Transition(_IDLE, frozenset({"player", "gm", "witness"}), Phase.IDLE),
    "object": Transition(_IDLE, frozenset({"player", "gm", "witness"}), Phase.IDLE),
    "strike": Transition(_IDLE, frozenset({"player", "gm", "judge"}), Phase.IDLE),
    "seal": Transition(_IDLE, _PLAYERS, Phase.IDLE),
    "show": Transition(_IDLE, _PLAYERS, Phase.IDLE),
    "commit": Transition(_IDLE, frozenset({"keeper", "player", "gm", "witness"}), Phase.IDLE),
    **{request: Transition(_IDLE, _PLAYERS, Phase.PENDING) for request in sorted(REQUESTS)},
    "reveal": Transition(_PENDING, _KEEPER, Phase.IDLE),
    "void": Transition(_PENDING, _GUESTS, Phase.VOIDED),
    "disclose": Transition(frozenset({Phase.VOIDED}), _KEEPER, Phase.IDLE),
    **{act: Transition(_IDLE, _PLAYERS, Phase.IDLE) for act in sorted(ACTS)},
    "ruling": Transition(_IDLE, frozenset({"judge"}), Phase.IDLE),
    "close": Transition(_IDLE | _PENDING, _KEEPER, Phase.CLOSED),
}


def keeper_of(roles: Mapping[str, Role]) -> str:
    """Return the name of the party that keeps the log."""
    return next(name for name, role in roles.items() if role == "keeper")


def roles_problem(roles: Mapping[str, Role], used: frozenset[Role]) -> Message | None:
    """Return why these parties cannot play; None if they can. `used` are the system's further roles.

    There is one keeper and at least one player, and a gm only if the system has that role (specs/protocol.md,
    "Parties").
    """
    taken = list(roles.values())
    if taken.count("keeper") != 1 or "player" not in taken:
        return Message("a game has exactly one keeper and at least one player")
    for name, role in roles.items():
        if role == "gm" and role not in used:
            return Message("these rules have no gm, but {name} is one", name=name)
    return None
