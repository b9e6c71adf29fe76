"""The protocol's state table, without cryptography: who may write what, when (specs/protocol.md).

    phase     event                                         author                phase after
    new       open                                          keeper                idle
    idle      join, leave                                   everybody but keeper  idle
    idle      commit                                        everybody but judges  idle
    idle      roll, reroll                                  player                pending
    pending   reveal, void                                  keeper                idle
    idle      ignore, store, modify, resolve, declare       player, gm            idle
    idle      ruling                                        judge                 idle
    idle      close                                         keeper                closed

A Session is immutable. It stands between the log (or a rules script) and the rules system.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import UNSET

from rules.base import Body, Event, Role, Ruling, System, Violation, WaitsFor, given, keep
from rules.bounds import Name
from rules.language import N_, Message, one_of

__all__ = [
    "ACTS",
    "REQUESTS",
    "TRANSITIONS",
    "Close",
    "Join",
    "Leave",
    "Phase",
    "Session",
    "Transition",
    "keeper",
    "roles_problem",
]


class Phase(StrEnum):
    """Where a game stands, as the table above and the state have it."""

    NEW = "new"
    IDLE = "idle"
    PENDING = "pending"
    CLOSED = "closed"


class Join(Body, frozen=True):
    """`{}`: agreement to everything in event 0."""


class Leave(Body, frozen=True):
    """Who leaves: the author, or whom a judge takes out."""

    party: Name


class Close(Body, frozen=True):
    """`{}`: the game is over."""


class Transition(msgspec.Struct, frozen=True):
    """A row of the table above: the phase that an event needs, the roles that may write it, the phase after it."""

    before: Phase
    roles: frozenset[Role]
    after: Phase


REQUESTS = frozenset({"roll", "reroll"})
ACTS = frozenset({"ignore", "store", "modify", "resolve", "declare"})

_KEEPER: frozenset[Role] = frozenset({"keeper"})
_PLAYER: frozenset[Role] = frozenset({"player"})
_ROLE_WORDS: Mapping[Role, Message] = {
    "keeper": Message("keeper"),
    "player": Message("player"),
    "gm": Message("gm"),
    "judge": Message("judge"),
    "witness": Message("witness"),
}
_GUESTS: frozenset[Role] = frozenset({"player", "gm", "judge", "witness"})

TRANSITIONS: Mapping[str, Transition] = {
    "open": Transition(Phase.NEW, _KEEPER, Phase.IDLE),
    "join": Transition(Phase.IDLE, _GUESTS, Phase.IDLE),
    "leave": Transition(Phase.IDLE, _GUESTS, Phase.IDLE),
    "commit": Transition(Phase.IDLE, frozenset({"keeper", "player", "gm", "witness"}), Phase.IDLE),
    **{request: Transition(Phase.IDLE, _PLAYER, Phase.PENDING) for request in sorted(REQUESTS)},
    "reveal": Transition(Phase.PENDING, _KEEPER, Phase.IDLE),
    "void": Transition(Phase.PENDING, _KEEPER, Phase.IDLE),
    **{act: Transition(Phase.IDLE, frozenset({"player", "gm"}), Phase.IDLE) for act in sorted(ACTS)},
    "ruling": Transition(Phase.IDLE, frozenset({"judge"}), Phase.IDLE),
    "close": Transition(Phase.IDLE, _KEEPER, Phase.CLOSED),
}


class Ruled(msgspec.Struct, frozen=True):
    """A ruling as the state keeps it."""

    seq: int
    judge: str
    ruling: str
    subject: int
    text: str
    party: str | None
    results: tuple[tuple[int, int], ...] | None


class Session(msgspec.Struct, frozen=True):
    """A game after its event 0 and any number of further events."""

    system: System[Any]
    roles: Mapping[str, Role]
    """name → role, in party order"""
    game: Any
    """the system's own state"""
    joined: frozenset[str]
    left: frozenset[str] = frozenset()
    phase: Phase = Phase.IDLE
    requests: int = 0
    draw: tuple[int, ...] = ()
    """sides of the dice that the pending request draws"""
    rulings: tuple[Ruled, ...] = ()

    @classmethod
    def start(cls, system: System[Any], options: Body, roles: Mapping[str, Role]) -> "Session":
        """The session that an `open` with these terms begins; only the keeper has joined."""
        return cls(system, roles, system.start(options, roles), frozenset({keeper(roles)}))

    @property
    def keeper(self) -> str:
        """The name of the party that keeps the log."""
        return keeper(self.roles)

    def present(self, *roles: Role) -> list[str]:
        """The parties of these roles that have not left, in party order."""
        return [name for name, role in self.roles.items() if role in roles and name not in self.left]

    def check_role(self, author: str, type: str) -> None:
        """Step 13: the author's role may write this type. Raises Violation `author.role`."""
        role, may = self.roles[author], TRANSITIONS[type].roles
        if role not in may:
            raise Violation(
                None,
                "{author} is a {role}; only a {may} may write {type}",
                code="author.role",
                author=author,
                role=_ROLE_WORDS[role],
                may=one_of(_ROLE_WORDS[role] for role in sorted(may) if role != "gm" or role in self.system.roles),
                type=type,
            )

    def check_state(self, event: Event) -> None:
        """Step 15: the phase allows the event, and its author is at the table.

        Raises Violation `state.*`, `ruling.*`.
        """
        if self.phase is not TRANSITIONS[event.type].before:
            raise self._wrong_phase(event)
        if event.type == "join" or event.author in self.left or event.author not in self.joined:
            self._check_presence(event)
        match event.body:
            case Leave(party=party):
                self._check_leave(event.author, party)
            case Ruling():
                self._check_ruling(event, event.body)
            case _ if event.type in REQUESTS:
                self._check_agreed()

    def apply(self, event: Event, naturals: tuple[int, ...] = ()) -> "Session":
        """The session after an event that passed the checks above.

        Raises Violation (step 23) where the rules forbid it.

        `naturals` are those of a reveal, one for each die of `draw`.
        """
        change = msgspec.structs.replace
        after = TRANSITIONS[event.type].after
        match event.type:
            case "join":
                return change(self, joined=self.joined | {event.author})
            case "leave":
                assert isinstance(event.body, Leave)
                party = event.body.party
                return change(self, left=self.left | {party}, game=self.system.leave(self.game, party))
            case "roll" | "reroll":
                game, draw = self.system.request(self.game, event)
                return change(self, game=game, draw=draw, phase=after, requests=self.requests + 1)
            case "reveal":
                return change(self, game=self.system.reveal(self.game, naturals), draw=(), phase=after)
            case "void":
                return change(self, game=self.system.void(self.game), draw=(), phase=after)
            case "ruling":
                assert isinstance(event.body, Ruling)
                game = self.system.rule(self.game, event.body)
                return change(self, game=game, rulings=keep(self.rulings, _ruled(event, event.body)))
            case _ if event.type in ACTS:
                return change(self, game=self.system.act(self.game, event))
            case _:
                return change(self, phase=after)

    def waits_for(self) -> WaitsFor | None:
        """Whose choice the game waits for, if a roll is open."""
        return WaitsFor(self.keeper, "reveal") if self.phase is Phase.PENDING else self.system.waits_for(self.game)

    def view(self) -> dict[str, Any]:
        """The state as JSON values (specs/rules.md, "State")."""
        rulings: list[dict[str, Any]] = []
        for ruled in self.rulings:
            results = ruled.results
            rulings.append(
                msgspec.to_builtins(ruled)
                | {"results": None if results is None else [{"die": d, "result": r} for d, r in results]}
            )
        view = {
            "system": self.system.id,
            "phase": str(self.phase),
            "joined": [name for name in self.roles if name in self.joined],
            "left": [name for name in self.roles if name in self.left],
            "requests": self.requests,
            "waits_for": msgspec.to_builtins(self.waits_for()),
            "rulings": rulings,
            **self.system.view(self.game),
        }
        values: dict[str, Any] = _as_json(view)
        return values

    def view_roll(self, number: int) -> dict[str, Any] | None:
        """One roll of `view()["rolls"]`, without the work for the others; None where the state does not keep it."""
        roll: dict[str, Any] | None = _as_json(self.system.view_roll(self.game, number))
        return roll

    def _wrong_phase(self, event: Event) -> Violation:
        if self.phase is Phase.CLOSED:
            return Violation(None, "the game is closed: nothing can be added", code="state.closed")
        if self.phase is Phase.PENDING:
            text = N_("a roll waits for its dice: only its reveal or void can come now, not {type}")
            return Violation(None, text, code="state.pending", type=event.type)
        text = N_("no roll waits for dice, so there is nothing to {type}")
        return Violation(None, text, code="state.not-pending", type=event.type)

    def _check_presence(self, event: Event) -> None:
        author = event.author
        if event.type == "join" and author in self.joined:
            raise Violation(None, "{author} has joined already", code="state.joined-twice", author=author)
        if author in self.left:
            raise Violation(None, "{author} has left the game", code="state.left", author=author)
        if event.type != "join" and author not in self.joined:
            text = N_("{author} has not joined: a party's first event is its join")
            raise Violation(None, text, code="state.not-joined", author=author)

    def _check_leave(self, author: str, party: str) -> None:
        problem = None
        if party not in self.roles:
            problem = N_("{party} is no party of this game")
        elif party == self.keeper:
            problem = N_("{party} keeps the log and cannot leave; close the game instead")
        elif party in self.left:
            problem = N_("{party} has left already")
        elif author != party and self.roles[author] != "judge":
            problem = N_("only {party} or a judge can take {party} out of the game")
        if problem:
            raise Violation(None, problem, code="state.leave", party=party)

    def _check_agreed(self) -> None:
        if len(self.joined) == len(self.roles):
            return
        missing = [name for name in self.present("player", "gm") if name not in self.joined]
        if missing:
            text = N_("nobody rolls before every player has agreed to the digital dice: {missing} must join first")
            raise Violation(self.system.agreement, text, code="state.not-agreed", missing=", ".join(missing))

    def _check_ruling(self, event: Event, ruling: Ruling) -> None:
        if not 0 <= ruling.subject < event.seq:
            text = N_("a ruling is about an earlier event; {subject} is none")
            raise Violation(None, text, code="ruling.subject", subject=ruling.subject)
        has_party, has_results = ruling.party is not UNSET, ruling.results is not UNSET
        if has_party != (ruling.ruling == "penalty"):
            raise Violation(None, "a penalty, and nothing else, names a party", code="ruling.form")
        if has_results and ruling.ruling != "correct":
            raise Violation(None, "only a correction names results", code="ruling.form")
        corrected = [ruled.die for ruled in given(ruling.results, ())]
        if len(set(corrected)) < len(corrected):
            raise Violation(None, "a correction names each die once", code="ruling.form")
        if has_party and ruling.party not in self.roles:
            raise Violation(None, "{party} is no party of this game", code="ruling.form", party=ruling.party)


def keeper(roles: Mapping[str, Role]) -> str:
    """The name of the party that keeps the log."""
    return next(name for name, role in roles.items() if role == "keeper")


def roles_problem(roles: Mapping[str, Role], used: frozenset[Role]) -> Message | None:
    """Why these parties cannot play by rules that use the further roles `used`; None where they can.

    One keeper, one player or more, and a gm only where the rules have one (specs/protocol.md, "Parties").
    """
    told = list(roles.values())
    if told.count("keeper") != 1 or "player" not in told:
        return Message("a game has exactly one keeper and at least one player")
    for name, role in roles.items():
        if role == "gm" and role not in used:
            return Message("these rules have no gm, but {name} is one", name=name)
    return None


def _as_json(value: Any) -> Any:
    """Through the codec, so that these are JSON's own types: lists, not tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _ruled(event: Event, ruling: Ruling) -> Ruled:
    results = given(ruling.results, None)
    return Ruled(
        seq=event.seq,
        judge=event.author,
        ruling=ruling.ruling,
        subject=ruling.subject,
        text=ruling.text,
        party=given(ruling.party, None),
        results=None if results is None else tuple((r.die, r.result) for r in results),
    )
