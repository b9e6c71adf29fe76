"""The protocol's state table, without cryptography: who may write what, when (specs/protocol.md).

    phase          event                                     author                      phase after
    new            open                                      keeper                      idle
    idle           join, leave, back                         everybody but keeper        idle
    idle           away                                      everybody                   idle
    idle           commit                                    everybody but judges        idle
    idle           roll, reroll                              whom the system lets roll   pending
    pending        reveal                                    keeper                      idle
    pending        void                                      closer, judge               voided
    voided         disclose                                  keeper                      idle
    idle           ignore, store, modify, resolve, declare   player, gm                  idle
    idle           ruling                                    judge                       idle
    idle, pending  close                                     keeper                      closed

A Session is immutable. It stands between the log (or a rules script) and the rules system. Links, openings and who
closes a roll are not its affair (verifier.replay).
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import UNSET

from rules.base import Body, Event, Role, Ruling, System, Violation, WaitsFor, given, keep
from rules.bounds import MAX_DICE, Name
from rules.language import N_, Message, one_of

__all__ = [
    "ACTS",
    "PRESENCE",
    "REQUESTS",
    "TRANSITIONS",
    "Away",
    "Back",
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
    VOIDED = "voided"
    CLOSED = "closed"


class Join(Body, frozen=True):
    """`{}`: agreement to everything in event 0."""


class Leave(Body, frozen=True):
    """Who leaves: the author, or whom a judge takes out."""

    party: Name


class Away(Body, frozen=True):
    """Who contributes to no roll from here on: the author, or whom somebody else signs away."""

    party: Name


class Back(Body, frozen=True):
    """Who is back."""

    party: Name


class Transition(msgspec.Struct, frozen=True):
    """A row of the table above: the phases that an event needs, the roles that may write it, the phase after it."""

    before: frozenset[Phase]
    roles: frozenset[Role]
    after: Phase


REQUESTS = frozenset({"roll", "reroll"})
ACTS = frozenset({"ignore", "store", "modify", "resolve", "declare"})
PRESENCE = frozenset({"leave", "away", "back"})
"""what an event may be that says who is at the table"""

_KEEPER: frozenset[Role] = frozenset({"keeper"})
_PLAYERS: frozenset[Role] = frozenset({"player", "gm"})
_ROLE_WORDS: Mapping[Role, Message] = {
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
    "commit": Transition(_IDLE, frozenset({"keeper", "player", "gm", "witness"}), Phase.IDLE),
    **{request: Transition(_IDLE, _PLAYERS, Phase.PENDING) for request in sorted(REQUESTS)},
    "reveal": Transition(_PENDING, _KEEPER, Phase.IDLE),
    "void": Transition(_PENDING, _GUESTS, Phase.VOIDED),
    "disclose": Transition(frozenset({Phase.VOIDED}), _KEEPER, Phase.IDLE),
    **{act: Transition(_IDLE, _PLAYERS, Phase.IDLE) for act in sorted(ACTS)},
    "ruling": Transition(_IDLE, frozenset({"judge"}), Phase.IDLE),
    "close": Transition(_IDLE | _PENDING, _KEEPER, Phase.CLOSED),
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
    away: frozenset[str] = frozenset()
    calls: Mapping[str, frozenset[str]] = {}
    """party → who has called it away, where others may"""
    callers: frozenset[str] = frozenset()
    """who may call others away: those who may contribute, where event 0 says so"""
    requests: int = 0
    draw: tuple[int, ...] = ()
    """sides of the dice that the pending request draws first"""
    request: Event | None = None
    """the pending or just voided request"""
    owes: Mapping[str, Event] = {}
    """party → its voided request, which it must make again"""
    rulings: tuple[Ruled, ...] = ()

    @classmethod
    def start(
        cls,
        system: System[Any],
        options: Body,
        roles: Mapping[str, Role],
        callers: frozenset[str] = frozenset(),
    ) -> "Session":
        """The session that an `open` with these terms begins; only the keeper has joined."""
        return cls(system, roles, system.start(options, roles), frozenset({keeper(roles)}), callers=callers)

    @property
    def keeper(self) -> str:
        """The name of the party that keeps the log."""
        return keeper(self.roles)

    def _is_gone(self, name: str) -> bool:
        """Whether the party has left or is away."""
        return name in self.left or name in self.away

    def present(self, *roles: Role) -> list[str]:
        """The parties of these roles that have not left, in party order."""
        return [name for name, role in self.roles.items() if role in roles and name not in self.left]

    def not_agreed(self) -> list[str]:
        """The players and game masters that have neither joined nor left, in party order: before them nobody rolls."""
        if len(self.joined) == len(self.roles):
            return []
        return [name for name in self.present("player", "gm") if name not in self.joined]

    def check_role(self, author: str, type: str) -> None:
        """Step 13: the author's role may write this type. Raises Violation `author.role`."""
        role, may = self.roles[author], TRANSITIONS[type].roles
        if type in REQUESTS:
            may &= self.system.rollers
        if type == "away" and not self.callers:
            may -= _KEEPER
        if role not in may:
            raise Violation(
                self.system.rollers_clause if type in REQUESTS and role == "gm" else None,
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
        if self.phase not in TRANSITIONS[event.type].before:
            raise self._wrong_phase(event)
        if event.type == "join" or event.author not in self.joined or self._is_gone(event.author):
            self._check_presence(event)
        if event.type in REQUESTS:
            self._check_agreed()
            self._check_owed(event)
        elif event.type not in ACTS:
            self._check_said(event)

    def _check_said(self, event: Event) -> None:
        """Step 15 of what is neither a request nor an act: of whom or what it is."""
        match event.body:
            case Leave(party=party):
                self._check_leave(event.author, party)
            case Away(party=party):
                self._check_away(event.author, party)
            case Back(party=party):
                self._check_back(event.author, party)
            case Ruling():
                self._check_ruling(event, event.body)

    def apply(self, event: Event, naturals: tuple[int, ...] = ()) -> "Session":
        """The session after an event that passed the checks above.

        Raises Violation (step 23) where the rules forbid it.

        `naturals` are those of a reveal, one for each die of `sides_drawn`.
        """
        session = self._without_calls(event.author) if self.calls else self
        change = msgspec.structs.replace
        after = TRANSITIONS[event.type].after
        match event.type:
            case "join":
                return change(session, joined=self.joined | {event.author})
            case "leave" | "away" | "back":
                return session._come_or_go(event)
            case "roll" | "reroll":
                game, draw = self.system.request(self.game, event)
                owes = {
                    name: owed for name, owed in self.owes.items() if name != event.author or not _same(owed, event)
                }
                return change(
                    session, game=game, draw=draw, phase=after, requests=self.requests + 1, request=event, owes=owes
                )
            case "reveal":
                game = self.system.reveal(self.game, naturals)
                return change(session, game=game, draw=(), request=None, phase=after)
            case "void":
                assert self.request is not None
                owes = {**self.owes, self.request.author: self.request}
                return change(session, game=self.system.void(self.game), draw=(), owes=owes, phase=after)
            case "ruling":
                assert isinstance(event.body, Ruling)
                game, body = self.system.rule(self.game, event.body), event.body
                released = body.subject if body.ruling == "void" else None
                owes = {name: owed for name, owed in self.owes.items() if owed.seq != released}
                return change(session, game=game, owes=owes, rulings=keep(self.rulings, _ruled(event, body)))
            case _ if event.type in ACTS:
                return change(session, game=self.system.act(self.game, event))
            case "close":
                game = self.system.void(self.game) if self.phase is Phase.PENDING else self.game
                return change(session, game=self.system.settle(game), draw=(), request=None, phase=after)
            case _:
                return change(session, phase=after, request=None)

    def sides_drawn(self, naturals: Sequence[int]) -> tuple[int, ...]:
        """The sides of the dice that the pending request draws, as far as `naturals` decide it.

        Of a whole draw these are the sides of all its dice; with fewer naturals, of those and of the dice drawn next.
        """
        sides = self.draw
        while len(sides) <= len(naturals) and (more := self.draw_next(tuple(naturals[: len(sides)]))):
            sides += more
        return sides

    def draw_next(self, naturals: tuple[int, ...]) -> tuple[int, ...]:
        """The sides of the dice that the pending request draws after those that showed these naturals, if any."""
        room = MAX_DICE - len(naturals)
        return self.system.draw_next(self.game, naturals)[:room] if room else ()

    def waits_for(self) -> WaitsFor | None:
        """Whom the game waits for: the keeper, who has not agreed yet, or a player's choice; None once it is closed."""
        if self.phase in (Phase.PENDING, Phase.VOIDED):
            return WaitsFor(self.keeper, "reveal" if self.phase is Phase.PENDING else "disclose")
        if self.phase is Phase.CLOSED:
            return None
        missing = self.not_agreed()
        return WaitsFor(missing[0], "join") if missing else self.system.waits_for(self.game)

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
            "away": [name for name in self.roles if name in self.away],
            "owes": {name: self.owes[name].seq for name in self.roles if name in self.owes},
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
        if self.phase is Phase.VOIDED:
            text = N_("a roll was voided: {keeper} must disclose what was opened for it before {type}")
            return Violation(None, text, code="state.voided", keeper=self.keeper, type=event.type)
        if event.type == "disclose":
            return Violation(None, "no roll was voided, so there is nothing to disclose", code="state.not-voided")
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
        if author in self.away and event.type not in ("back", "leave"):
            text = N_("{author} is away, and says so first when it is back")
            raise Violation(None, text, code="state.away", author=author)

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

    def _check_away(self, author: str, party: str) -> None:
        problem = None
        if party not in self.roles:
            problem = N_("{party} is no party of this game")
        elif self.roles[party] in ("keeper", "judge"):
            problem = N_("{party} contributes to no roll as one who could be away")
        elif party in self.left or party in self.away or party not in self.joined:
            problem = N_("{party} is not at the table")
        elif author == party or self.roles[author] == "judge":
            return
        elif author not in self.callers:
            problem = N_("only {party} or a judge can sign {party} away")
        elif author in self.calls.get(party, ()):
            problem = N_("{author} has called {party} away already")
        if problem:
            raise Violation(None, problem, code="state.presence", party=party, author=author)

    def _check_back(self, author: str, party: str) -> None:
        problem = None
        if party not in self.away:
            problem = N_("{party} is not away")
        elif author != party and self.roles[author] != "judge":
            problem = N_("only {party} or a judge can say that {party} is back")
        if problem:
            raise Violation(None, problem, code="state.presence", party=party)

    def _come_or_go(self, event: Event) -> "Session":
        change = msgspec.structs.replace
        match event.body:
            case Leave(party=party):
                owes = {name: owed for name, owed in self.owes.items() if name != party}
                game = self.system.leave(self.game, party)
                return change(self, left=self.left | {party}, away=self.away - {party}, calls={}, owes=owes, game=game)
            case Back(party=party):
                return self._with_away(self.away - {party})
            case Away(party=party) if event.author == party or self.roles[event.author] == "judge":
                return self._with_away(self.away | {party}, calls={})
            case Away(party=party):
                called = self.calls.get(party, frozenset()) | {event.author}
                others = (self.callers & self.joined) - self.left - self.away - {party}
                if others <= called and len(called) > 1:
                    return self._with_away(self.away | {party}, calls={})
                return change(self, calls={**self.calls, party: called})
            case _:
                raise AssertionError(event.type)

    def _with_away(self, away: frozenset[str], **changed: Any) -> "Session":
        game = self.system.away(self.game, away)
        return msgspec.structs.replace(self, away=away, game=game, **changed)

    def _without_calls(self, party: str) -> "Session":
        """Who writes is here: nobody has called it away."""
        return msgspec.structs.replace(self, calls={n: called for n, called in self.calls.items() if n != party})

    def _check_owed(self, event: Event) -> None:
        owed = self.owes.get(event.author)
        if owed is not None and not _same(owed, event) and self._allowed(owed):
            text = N_(
                "{author} asked for a {type} in event {seq}, which was voided: {author} asks for the same again before "
                "anything else"
            )
            raise Violation(None, text, code="state.owed", author=event.author, type=owed.type, seq=owed.seq)

    def _allowed(self, request: Event) -> bool:
        """Whether the rules allow a request now."""
        try:
            self.system.request(self.game, request)
        except Violation:
            return False
        return True

    def _check_agreed(self) -> None:
        missing = self.not_agreed()
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


def _same(owed: Event, request: Event) -> bool:
    """Whether a request is the one that its author owes."""
    return (owed.type, owed.raw) == (request.type, request.raw)


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
