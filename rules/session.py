"""The protocol's state table, without cryptography: who may write what, when (specs/protocol.md).

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

A Session is immutable. It stands between the log (or a rules script) and the rules system. It does not deal with links,
openings and closers: `verifier.replay` does.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from rules.base import Body, Event, LateRole, Role, Ruling, System, Violation, WaitsFor, given, keep
from rules.data.bounds import MAX_DICE, MAX_SEALED, Count, Name
from rules.data.language import N_, Message, one_of
from rules.sealing import Holder, Seal, SecretRoll, Show, sealed_anew, sealed_request, show_problem

__all__ = [
    "ACTS",
    "PRESENCE",
    "REQUESTS",
    "TRANSITIONS",
    "Admit",
    "Away",
    "Back",
    "Consent",
    "Join",
    "Leave",
    "Phase",
    "Replace",
    "Session",
    "Strike",
    "Transition",
    "keeper",
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
_PLAY_NOTHING = frozenset({"join", "commit", "seal", "object", "strike"})
"""types of events that play on no roll, so that the latest one can still be taken back"""

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


class Ruled(msgspec.Struct, frozen=True):
    """A ruling as the state keeps it."""

    seq: int
    judge: str
    ruling: str
    subject: int
    text: str
    party: str | None
    results: tuple[tuple[int, int], ...] | None


class Late(msgspec.Struct, frozen=True):
    """A party that was admitted after the game had begun."""

    admit: int
    """the number of the event that admitted it"""
    consents: frozenset[str] = frozenset()
    """the parties that have consented to it"""
    settled: int | None = None
    """the number of the event with which everybody had consented; None while it is a newcomer"""


class Latest(msgspec.Struct, frozen=True):
    """The latest roll, as long as it can be taken back."""

    request: int
    author: str
    naturals: tuple[int, ...]
    by: frozenset[str] = frozenset()
    """the parties that have agreed to take it back"""


class NewKey(msgspec.Struct, frozen=True):
    """A new key of a party whose `replace` waits for its join."""

    replace: int
    """the number of the event that asks for it"""
    key: str
    """the verifier key"""
    recovered: bool
    """whether the recovery key signed for it, so that nobody is asked"""
    consents: frozenset[str] = frozenset()
    """the parties that have consented to it"""


class Session(msgspec.Struct, frozen=True):
    """The state of a game after event 0 and any number of further events."""

    system: System[Any]
    roles: Mapping[str, Role]
    """name → role, in party order"""
    game: Any
    """the system's own state"""
    joined: frozenset[str]
    left: frozenset[str] = frozenset()
    phase: Phase = Phase.IDLE
    away: frozenset[str] = frozenset()
    signed_away: frozenset[str] = frozenset()
    """the parties among `away` that somebody else signed away"""
    calls: Mapping[str, frozenset[str]] = {}
    """party → parties that have called it away since its last event"""
    callers: frozenset[str] = frozenset()
    """the parties that may call others away: the possible contributors if event 0 allows it, else none"""
    requests: int = 0
    draw: tuple[int, ...] = ()
    """the sides of the dice that the pending request draws first"""
    request: Event | None = None
    """the request that is pending or was just voided"""
    owes: Mapping[str, Event] = {}
    """party → its voided request, which it must make again"""
    rulings: tuple[Ruled, ...] = ()
    late: Mapping[str, Late] = {}
    """the parties that were admitted after the game had begun, in party order"""
    asked: Mapping[str, NewKey] = {}
    """party → its new key, if one waits"""
    worded: frozenset[str] = frozenset()
    """the parties that have gone on under a new key by all others' word"""
    admits: frozenset[Role] = frozenset()
    """the roles that somebody can take after the game has begun"""
    holders: frozenset[Role] | None = None
    """the roles that may hold secret rolls; None in a rules script, where a sealed request takes no tag"""
    seals: Mapping[str, Holder] = {}
    """the parties that have written a `seal`, with their tags and secret rolls"""
    secret: SecretRoll | None = None
    """the request that is pending or was just voided, if it is sealed"""
    strikes: bool = False
    """whether all who play can take the latest roll back"""
    keepers_judge: str | None = None
    """the judge that the keeper runs, which agrees to nothing"""
    latest: Latest | None = None
    """the roll that can be taken back"""

    @classmethod
    def start(
        cls,
        system: System[Any],
        options: Body,
        roles: Mapping[str, Role],
        callers: frozenset[str] = frozenset(),
        admits: frozenset[Role] = frozenset(),
        holders: frozenset[Role] | None = None,
        *,
        strikes: bool = False,
        keepers_judge: str | None = None,
    ) -> "Session":
        """Return the session after an `open` with these terms. Only the keeper has joined."""
        game, joined = system.start(options, roles), frozenset({keeper(roles)})
        return cls(
            system,
            roles,
            game,
            joined,
            callers=callers,
            admits=admits,
            holders=holders,
            strikes=strikes,
            keepers_judge=keepers_judge,
        )

    def is_newcomer(self, name: str) -> bool:
        """Return whether the party was admitted later and somebody has not consented to it yet."""
        late = self.late.get(name)
        return late is not None and late.settled is None

    def may_call(self, name: str) -> bool:
        """Return whether the party has a say in who is signed away: it may contribute, is here, and is no newcomer.

        See specs/protocol.md, "The state table", "Away by the others".
        """
        return name in self.callers & self.joined and not self._is_gone(name) and not self.is_newcomer(name)

    def have_to_call(self, party: str) -> frozenset[str]:
        """Return all whose calls sign a party away, if there are two or more."""
        return frozenset(name for name in self.callers if name != party and self.may_call(name))

    @property
    def keeper(self) -> str:
        """The name of the party that keeps the log."""
        return keeper(self.roles)

    def _is_gone(self, name: str) -> bool:
        """Return whether the party has left or is away."""
        return name in self.left or name in self.away

    def present(self, *roles: Role) -> list[str]:
        """Return the parties of these roles that have not left, in party order."""
        return [name for name, role in self.roles.items() if role in roles and name not in self.left]

    def not_agreed(self) -> list[str]:
        """Return the players and game masters that have neither joined nor left, in party order.

        Nobody may roll while there are any. Parties that were admitted later do not count.
        """
        if len(self.joined) == len(self.roles):
            return []
        return [name for name in self.present("player", "gm") if name not in self.joined and name not in self.late]

    def check_role(self, author: str, type: str) -> None:
        """Verify that the author's role may write this type (step 13). Raises Violation `author.role`."""
        role, may = self.roles[author], TRANSITIONS[type].roles
        if type in REQUESTS:
            may &= self.system.rollers
        if type == "away" and not self.callers:
            may -= _KEEPER
        if type in ("seal", "show"):
            may &= self.holders or frozenset()
            if not may:
                text = N_("in this game no roll is secret, so {author} writes no {type}")
                raise Violation(None, text, code="author.role", author=author, type=type)
        if type == "strike" and not self.strikes:
            text = N_("by the terms of this game no roll is taken back, so {author} writes no {type}: a judge rules")
            raise Violation(None, text, code="author.role", author=author, type=type)
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
        """Verify that the phase allows the event and that its author is at the table (step 15).

        Raises Violation `state.*` or `ruling.*`.
        """
        if self.phase not in TRANSITIONS[event.type].before:
            raise self._wrong_phase(event)
        if event.type == "join" and event.author in self.asked:
            self._check_new_key(event.author)
        elif event.type == "join" or event.author not in self.joined or self._is_gone(event.author):
            self._check_presence(event)
        if self.late:
            self._check_newcomer(event)
        if event.type in REQUESTS:
            self._check_agreed()
            self._check_owed(event)
            self._check_sealed(event)
        elif isinstance(event.body, Strike):
            self._check_strike(event.author, event.body.roll)
        elif event.type not in ACTS:
            self._check_said(event)

    def _check_said(self, event: Event) -> None:
        """Verify what an event says that is neither a request nor an act (step 15)."""
        match event.body:
            case Leave(party=party):
                self._check_leave(event.author, party)
            case Away(party=party):
                self._check_away(event.author, party)
            case Back(party=party, accept=accept):
                self._check_back(event.author, party, accepts=accept is not UNSET)
            case Ruling():
                self._check_ruling(event, event.body)
            case Replace() if missing := self.not_agreed():
                text = N_("nobody goes on under a new key before everybody has joined: {missing} must join first")
                raise Violation(None, text, code="state.not-agreed", missing=", ".join(missing))
            case Admit() if missing := self.not_agreed():
                text = N_("nobody comes later before everybody has joined: {missing} must join first")
                raise Violation(None, text, code="state.not-agreed", missing=", ".join(missing))
            case Consent(admit=admit):
                self._check_consent(event.author, admit)
            case Show() as show:
                problem = show_problem(self._secret_of(event.author, show.request), show)
                if problem is not None:
                    values = {"author": event.author, "request": show.request, **problem.values}
                    raise Violation(None, problem.template, code="state.show", **values)

    def apply(self, event: Event, naturals: tuple[int, ...] = ()) -> "Session":  # noqa: C901 - a branch for each type
        """Return the session after an event that has passed `check_role` and `check_state`.

        `naturals` are those of a reveal, one for each die of `sides_drawn`. Raises Violation if the rules forbid the
        event (step 23).
        """
        session = self._without_calls(event.author) if self.calls else self
        change = msgspec.structs.replace
        if session.latest is not None and event.type not in _PLAY_NOTHING:
            session = change(session, latest=None)
        after = TRANSITIONS[event.type].after
        match event.type:
            case "join":
                session = session._renewed(event.author) if event.author in self.asked else session
                return change(session, joined=self.joined | {event.author})
            case "leave" | "away" | "back":
                return session._come_or_go(event)._with_consents(event.seq)
            case "consent":
                return session._consented(event)
            case "roll" | "reroll":
                game, draw = self.system.request(self.game, event)
                owes = {
                    name: owed for name, owed in self.owes.items() if name != event.author or not _same(owed, event)
                }
                session = session._with_tag_taken(event)
                return change(
                    session, game=game, draw=draw, phase=after, requests=self.requests + 1, request=event, owes=owes
                )
            case "reveal":
                game = self.system.reveal(self.game, naturals)
                session = session._with_secret(revealed=True)
                latest = self._latest_revealed(naturals)
                return change(session, game=game, draw=(), request=None, phase=after, latest=latest)
            case "strike":
                return session._with_strike(event.author)
            case "void":
                assert self.request is not None
                owes = {**self.owes, self.request.author: self.request}
                if self.secret is not None and self.secret.holder != event.author:
                    session = session._with_secret(revealed=False)
                game = self.system.void(self.game)
                return change(session, game=game, draw=(), owes=owes, phase=after, secret=None)
            case "seal":
                assert isinstance(event.body, Seal)
                holder = sealed_anew(self.seals.get(event.author), event.body.tags)
                return change(session, seals={**self.seals, event.author: holder})
            case "show":
                assert isinstance(event.body, Show)
                request, shown = event.body.request, given(event.body.naturals, ())
                game = self.system.show(self.game, request, shown) if shown else self.game
                seals = {**self.seals, event.author: self.seals[event.author].without(request)}
                return change(session, game=game, seals=seals)
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
                return change(session, game=self.system.settle(game), draw=(), request=None, secret=None, phase=after)
            case _:
                return change(session, phase=after, request=None)

    def admit(self, name: str, role: Role, seq: int, *, calls: bool) -> "Session":
        """Return the session with the party that event `seq` admits.

        With `calls`, it may call others away as soon as it is no newcomer.
        """
        return msgspec.structs.replace(
            self,
            roles={**self.roles, name: role},
            late={**self.late, name: Late(seq)},
            callers=self.callers | {name} if calls else self.callers,
            game=self.system.admit(self.game, name, role),
        )

    def _with_tag_taken(self, request: Event) -> "Session":
        """Return the session after a sealed request has taken the next tag of its holder.

        Any other request takes none.
        """
        sealed = sealed_request(request.raw) if self.system.seals and self.holders is not None else None
        if sealed is None:
            return msgspec.structs.replace(self, secret=None) if self.secret is not None else self
        holder = self.seals[sealed.sealed]
        secret = SecretRoll(request.seq, sealed.sealed, holder.unused[0], sealed.sides, given(sealed.hidden, None))
        taken = msgspec.structs.replace(holder, unused=holder.unused[1:])
        return msgspec.structs.replace(self, secret=secret, seals={**self.seals, sealed.sealed: taken})

    def _with_secret(self, *, revealed: bool) -> "Session":
        """Return the session after the pending roll, if it is secret, was revealed or voided.

        Its holder has to show it from now on.
        """
        secret = self.secret
        if secret is None:
            return self
        roll = msgspec.structs.replace(secret, revealed=revealed)
        seals = {**self.seals, secret.holder: self.seals[secret.holder].keeping(roll)}
        return msgspec.structs.replace(self, seals=seals, secret=None)

    def ask(self, name: str, key: str, seq: int, *, recovered: bool) -> "Session":
        """Return the session in which the new key of a party, named by event `seq`, waits for its join."""
        return msgspec.structs.replace(self, asked={**self.asked, name: NewKey(seq, key, recovered)})

    def _renewed(self, name: str) -> "Session":
        """Return the session in which a party goes on under its new key."""
        session, seals, worded = self._without_asking(name), self.seals, self.worded
        if name in seals:
            seals = {**seals, name: msgspec.structs.replace(seals[name], unused=())}
        if not self.asked[name].recovered:
            worded |= {name}
        return msgspec.structs.replace(session, seals=seals, worded=worded)

    def _without_asking(self, name: str) -> "Session":
        if name not in self.asked:
            return self
        return msgspec.structs.replace(self, asked={n: asked for n, asked in self.asked.items() if n != name})

    def _latest_revealed(self, naturals: tuple[int, ...]) -> Latest | None:
        """Return the pending roll, which is revealed now, if it can be taken back; else None."""
        request = self.request
        if not self.strikes or request is None or request.type != "roll" or self.secret is not None:
            return None
        return Latest(request.seq, request.author, naturals)

    def who_agrees(self) -> list[str]:
        """Return the parties that have to agree to take the latest roll back, in party order; none without such a roll.

        Below two nobody can take it back (specs/protocol.md, "Taking a roll back").
        """
        if self.latest is None:
            return []
        return [
            name
            for name in self.present("player", "gm", "judge")
            if name in self.joined
            and name not in self.away
            and name != self.keepers_judge
            and (name == self.latest.author or not self.is_newcomer(name))
        ]

    def missing_strikes(self) -> list[str]:
        """Return the parties that could take the latest roll back and have not agreed yet, in party order."""
        agree = self.who_agrees()
        if self.latest is None or len(agree) < 2:
            return []
        return [name for name in agree if name not in self.latest.by]

    def _check_strike(self, author: str, roll: int) -> None:
        latest, agree = self.latest, self.who_agrees()
        problem = None
        if latest is None or latest.request != roll:
            problem = N_(
                "roll {roll} cannot be taken back: only the latest roll can, once, before anything is played on it and "
                "where nothing of it was rolled again; a judge can still rule it void"
            )
        elif author not in agree:
            problem = N_("{author} came later, and has no say in this before the others have consented")
        elif len(agree) < 2:
            problem = N_("{author} is alone here, and nobody takes a roll back alone: a judge can rule it void")
        elif author in latest.by:
            problem = N_("{author} has agreed already to take roll {roll} back")
        if problem:
            raise Violation(None, problem, code="state.strike", author=author, roll=roll)

    def _with_strike(self, author: str) -> "Session":
        """Return the session with one more party that agrees to take the latest roll back.

        When all have, the state is as after a judge's ruling.
        """
        assert self.latest is not None, "step 15"
        change, request = msgspec.structs.replace, self.latest.request
        latest = change(self.latest, by=self.latest.by | {author})
        session = change(self, latest=latest)
        if session.missing_strikes():
            return session
        game = self.system.rule(self.game, Ruling("void", request, "taken back"))
        return change(session, game=game, latest=None)

    def _strike_view(self) -> dict[str, Any] | None:
        missing = self.missing_strikes()
        if self.latest is None or not missing:
            return None
        by = [name for name in self.roles if name in self.latest.by]
        return {"roll": self.latest.request, "by": by, "missing": missing}

    def _secret_of(self, holder: str, request: int) -> SecretRoll | None:
        """Return the roll with this request if the party holds it and its secret is not known; else None."""
        known = self.seals.get(holder)
        return None if known is None else known.secret.get(request)

    def sides_drawn(self, naturals: Sequence[int]) -> tuple[int, ...]:
        """Return the sides of the dice that the pending request draws, as far as `naturals` decide them.

        With the naturals of all dice these are the sides of the whole draw. With fewer, they include the dice drawn
        next.
        """
        sides = self.draw
        while len(sides) <= len(naturals) and (more := self.draw_next(tuple(naturals[: len(sides)]))):
            sides += more
        return sides

    def draw_next(self, naturals: tuple[int, ...]) -> tuple[int, ...]:
        """Return the sides of the dice that the pending request draws after these naturals; empty if it has all."""
        room = MAX_DICE - len(naturals)
        return self.system.draw_next(self.game, naturals)[:room] if room else ()

    def waits_for(self) -> WaitsFor | None:
        """Return the party that the game waits for, and for what; None if anybody may go on or the game is closed.

        It is the keeper with its reveal or disclose, a party that has to join, or a player with a choice to make.
        """
        if self.phase in (Phase.PENDING, Phase.VOIDED):
            return WaitsFor(self.keeper, "reveal" if self.phase is Phase.PENDING else "disclose")
        if self.phase is Phase.CLOSED:
            return None
        missing = self.not_agreed()
        return WaitsFor(missing[0], "join") if missing else self.system.waits_for(self.game)

    def view(self) -> dict[str, Any]:
        """Return the state as JSON values (specs/rules.md, "State")."""
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
            **({"newcomers": [name for name in self.roles if self.is_newcomer(name)]} if self.admits else {}),
            "joined": [name for name in self.roles if name in self.joined],
            "left": [name for name in self.roles if name in self.left],
            "away": [name for name in self.roles if name in self.away],
            "owes": {name: self.owes[name].seq for name in self.roles if name in self.owes},
            "requests": self.requests,
            "waits_for": msgspec.to_builtins(self.waits_for()),
            "rulings": rulings,
            **({"strike": self._strike_view()} if self.strikes else {}),
            **(
                {"sealed": {n: _of_holder(self.seals[n]) for n in self.roles if n in self.seals}}
                if self.holders
                else {}
            ),
            **self.system.view(self.game),
        }
        values: dict[str, Any] = _as_json(view)
        return values

    def view_roll(self, number: int) -> dict[str, Any] | None:
        """Return one roll of `view()["rolls"]`, without building the others; None if the state does not keep it."""
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
        elif not self.may_call(author):
            problem = N_("only {party} or a judge can sign {party} away")
        elif author in self.calls.get(party, ()):
            problem = N_("{author} has called {party} away already")
        if problem:
            raise Violation(None, problem, code="state.presence", party=party, author=author)

    def _check_back(self, author: str, party: str, *, accepts: bool) -> None:
        problem = None
        if party not in self.away:
            problem = N_("{party} is not away")
        elif accepts and author != party:
            problem = N_("only {party} can accept the rolls that were made without {party}")
        elif accepts and party in self.worded:
            problem = N_("{party} goes on by the word of others, and accepts no rolls")
        elif author != party and self.roles[author] != "judge":
            problem = N_("only {party} or a judge can say that {party} is back")
        if problem:
            raise Violation(None, problem, code="state.presence", party=party)

    def _come_or_go(self, event: Event) -> "Session":
        change = msgspec.structs.replace
        if isinstance(event.body, Leave | Back) and event.body.party in self.asked:
            return self._without_asking(event.body.party)._come_or_go(event)
        match event.body:
            case Leave(party=party):
                owes = {name: owed for name, owed in self.owes.items() if name != party}
                game = self.system.leave(self.game, party)
                away, signed = self.away - {party}, self.signed_away - {party}
                left = self.left | {party}
                return change(self, left=left, away=away, signed_away=signed, calls={}, owes=owes, game=game)
            case Back(party=party):
                return self._with_away(self.away - {party}, signed_away=self.signed_away - {party})
            case Away(party=party) if event.author == party:
                return self._with_away(self.away | {party}, calls={})
            case Away(party=party) if self.roles[event.author] == "judge":
                return self._with_away(self.away | {party}, calls={}, signed_away=self.signed_away | {party})
            case Away(party=party):
                called = self.calls.get(party, frozenset()) | {event.author}
                if self.have_to_call(party) <= called and len(called) > 1:
                    return self._with_away(self.away | {party}, calls={}, signed_away=self.signed_away | {party})
                return change(self, calls={**self.calls, party: called})
            case _:
                raise AssertionError(event.type)

    def _with_away(self, away: frozenset[str], **changed: Any) -> "Session":
        game = self.system.away(self.game, away)
        return msgspec.structs.replace(self, away=away, game=game, **changed)

    def _without_calls(self, party: str) -> "Session":
        """Return the session without the calls on a party that wrote an event, and so is here."""
        return msgspec.structs.replace(self, calls={n: called for n, called in self.calls.items() if n != party})

    def _check_newcomer(self, event: Event) -> None:
        author, body = event.author, event.body
        own = event.type == "join" or (isinstance(body, Leave) and body.party == author)
        if self.roles[author] == "judge" and self.is_newcomer(author) and not own:
            text = N_("{author} came later, and judges nothing before everybody who plays has consented")
            raise Violation(None, text, code="state.newcomer", author=author)

    def _check_consent(self, author: str, admit: int) -> None:
        party = self._let_in_by(admit)
        problem = None
        if party is None:
            problem = N_("event {admit} admits nobody")
        elif admit == self._asked_in(party):
            if self.is_newcomer(author):
                problem = N_("{author} came later too, and consents when the others have consented to {author}")
            elif author in self.asked[party].consents:
                problem = N_("{author} has consented to {party}'s new key already")
        elif party in self.left or not self.is_newcomer(party):
            problem = N_("{party}, whom event {admit} admits, needs no consent")
        elif self.is_newcomer(author):
            problem = N_("{author} came later too, and consents when the others have consented to {author}")
        elif author in self.late[party].consents:
            problem = N_("{author} has consented to {party} already")
        if problem:
            raise Violation(None, problem, code="state.consent", author=author, party=party or "", admit=admit)

    def _let_in_by(self, seq: int) -> str | None:
        """Return the party that an `admit`, or a `replace` that waits for consent, is about; None without one."""
        late = (name for name, each in self.late.items() if each.admit == seq)
        asked = (name for name, each in self.asked.items() if each.replace == seq and not each.recovered)
        return next(late, next(asked, None))

    def _asked_in(self, party: str) -> int | None:
        asked = self.asked.get(party)
        return None if asked is None else asked.replace

    def _consented(self, event: Event) -> "Session":
        assert isinstance(event.body, Consent)
        party = self._let_in_by(event.body.admit)
        assert party is not None, "step 15"
        if event.body.admit == self._asked_in(party):
            return self._consented_to_key(party, event.author)
        late = self.late[party]
        given = msgspec.structs.replace(late, consents=late.consents | {event.author})
        return msgspec.structs.replace(self, late={**self.late, party: given})._with_consents(event.seq)

    def _consented_to_key(self, party: str, author: str) -> "Session":
        """Return the session with one more consent to a new key."""
        asked = self.asked[party]
        asked = msgspec.structs.replace(asked, consents=asked.consents | {author})
        return msgspec.structs.replace(self, asked={**self.asked, party: asked})

    def _check_new_key(self, party: str) -> None:
        """Verify that a new key that waits can take its place now. Raises Violation `state.consent`."""
        missing, words = self.missing_words(party), self.words(party)
        if self.asked[party].recovered or (not missing and len(words) > 1):
            return
        text = N_("{author} goes on under this key when all others have consented, two or more; so far: {names}")
        names = ", ".join(words) or Message("nobody")
        raise Violation(None, text, code="state.consent", author=party, names=names)

    def words(self, party: str) -> list[str]:
        """Return the parties whose consent to another's new key counts, in party order."""
        return [name for name in self.who_consent() if name != party and name in self.asked[party].consents]

    def missing_words(self, party: str) -> list[str]:
        """Return the parties that have not consented to another's new key yet, in party order."""
        return [name for name in self.who_consent() if name != party and name not in self.asked[party].consents]

    def missing_consents(self, party: str) -> list[str]:
        """Return the parties that have not consented to a newcomer yet, in party order."""
        return [name for name in self.who_consent() if name not in self.late[party].consents]

    def who_consent(self) -> list[str]:
        """Return the parties whose consent a newcomer or a new key needs, in party order; a party's own counts not."""
        there = [name for name in self.present("player", "gm", "witness") if name in self.joined]
        return [name for name in there if not self.is_newcomer(name)]

    def _with_consents(self, seq: int) -> "Session":
        """Return the session in which newcomers with all consents, as of event `seq`, are ordinary parties."""
        session = self
        for name, late in self.late.items():
            if late.settled is None and late.consents and name not in self.left and not session.missing_consents(name):
                settled = msgspec.structs.replace(late, settled=seq)
                session = msgspec.structs.replace(session, late={**session.late, name: settled})
        return session

    def _check_owed(self, event: Event) -> None:
        owed = self.owes.get(event.author)
        if owed is not None and not _same(owed, event) and self._allowed(owed):
            text = N_(
                "{author} asked for a {type} in event {seq}, which was voided: {author} asks for the same again before "
                "anything else"
            )
            raise Violation(None, text, code="state.owed", author=event.author, type=owed.type, seq=owed.seq)

    def _check_sealed(self, event: Event) -> None:
        problem = self._sealed_problem(event)
        if problem is not None:
            raise Violation(None, problem.template, code="state.sealed", **problem.values)

    def _sealed_problem(self, request: Event) -> Message | None:
        """Return why the holder cannot take a sealed request now; None if it can or the request is not sealed."""
        sealed = sealed_request(request.raw) if self.system.seals and self.holders is not None else None
        if sealed is None:
            return None
        name, author = sealed.sealed, request.author
        holder, role = self.seals.get(name), self.roles.get(name)
        if not self.holders:
            return Message("in this game no roll is secret")
        if role not in self.holders or (name != author and role != "gm"):
            return Message("{holder} can hold no secret roll of {author} here", holder=name, author=author)
        if name not in self.joined or self._is_gone(name):
            return Message("{holder}, who would hold this roll, is not at the table", holder=name)
        if holder is None or not holder.unused:
            return Message("{holder} has no secret left for this roll, and has to seal first", holder=name)
        if holder.owes is not None:
            text = N_("{holder} owes the secret of event {owed}, which was voided, and shows that first")
            return Message(text, holder=name, owed=holder.owes)
        if len(holder.unshown) >= MAX_SEALED:
            text = N_("{holder} holds {most} secret rolls that are not shown, and shows one first")
            return Message(text, holder=name, most=MAX_SEALED)
        if sealed.hidden is not UNSET and name != author:
            return Message("only who holds a roll can hide what it is for: {holder} would hold this one", holder=name)
        return None

    def _allowed(self, request: Event) -> bool:
        """Return whether the rules allow a request now and, if it is sealed, its holder can take it."""
        if self._sealed_problem(request) is not None:
            return False
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


def _same(owed: Event, request: Event) -> bool:
    """Return whether a request is the one that its author owes."""
    return (owed.type, owed.raw) == (request.type, request.raw)


def _of_holder(holder: Holder) -> dict[str, Any]:
    return {"unused": len(holder.unused), "unshown": holder.unshown, "owes": holder.owes}


def _as_json(value: Any) -> Any:
    """Return the value as JSON's own types, with lists for tuples, by encoding and decoding it."""
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
