"""The state of a game without cryptography (specs/protocol.md).

A Session is immutable. It stands between the log (or a rules script) and the rules system. It does not deal with links,
openings and closers: `verifier.replay` does. Who may write what, when, is the table in `rules.protocol`; who is at the
table, `rules.parties`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from rules.base import Body, Event, Role, Ruling, System, Violation, WaitsFor, Waves, given, keep, next_wave
from rules.data.bounds import MAX_DICE
from rules.data.language import N_, Message, one_of
from rules.parties import NewKey, Parties
from rules.protocol import (
    ACTS,
    PLAY_NOTHING,
    REQUESTS,
    ROLE_WORDS,
    TRANSITIONS,
    Admit,
    Away,
    Back,
    Consent,
    Leave,
    Phase,
    Replace,
    Strike,
)
from rules.rulings import Ruled, check_ruling
from rules.sealing import Holder, Seal, SecretRoll, Show, sealed_anew, sealed_problem, sealed_request, show_problem
from rules.strikes import Latest, strike_problem

__all__ = ["Session"]


class Session(msgspec.Struct, frozen=True):
    """The state of a game after event 0 and any number of further events."""

    system: System[Any]
    parties: Parties
    game: Any
    """the system's own state"""
    phase: Phase = Phase.IDLE
    requests: int = 0
    draw: tuple[int, ...] = ()
    """the sides of the dice that the pending request draws first"""
    request: Event | None = None
    """the request that is pending or was just voided"""
    owes: Mapping[str, Event] = {}
    """party → its voided request, which it must make again"""
    rulings: tuple[Ruled, ...] = ()
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
        return cls(
            system,
            Parties.start(roles, callers),
            system.start(options, roles),
            admits=admits,
            holders=holders,
            strikes=strikes,
            keepers_judge=keepers_judge,
        )

    def check_role(self, author: str, type: str) -> None:
        """Verify that the author's role may write this type (step 13). Raises Violation `author.role`."""
        role, may = self.parties.roles[author], TRANSITIONS[type].roles
        if type in REQUESTS:
            may &= self.system.rollers
        if type == "away" and not self.parties.callers:
            may -= {"keeper"}
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
                role=ROLE_WORDS[role],
                may=one_of(ROLE_WORDS[role] for role in sorted(may) if role != "gm" or role in self.system.roles),
                type=type,
            )

    def check_state(self, event: Event) -> None:
        """Verify that the phase allows the event and that its author is at the table (step 15).

        Raises Violation `state.*` or `ruling.*`.
        """
        if self.phase not in TRANSITIONS[event.type].before:
            raise self._wrong_phase(event)
        parties = self.parties
        if event.type == "join" and event.author in parties.asked:
            parties.check_new_key(event.author)
        elif event.type == "join" or event.author not in parties.joined or parties.is_gone(event.author):
            parties.check_presence(event)
        if parties.late:
            parties.check_newcomer(event)
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
                self.parties.check_leave(event.author, party)
            case Away(party=party):
                self.parties.check_away(event.author, party)
            case Back(party=party, accept=accept):
                self.parties.check_back(event.author, party, accepts=accept is not UNSET)
            case Ruling():
                check_ruling(event, event.body, self.parties.roles)
            case Replace() if missing := self.parties.not_agreed():
                text = N_("nobody goes on under a new key before everybody has joined: {missing} must join first")
                raise Violation(None, text, code="state.not-agreed", missing=", ".join(missing))
            case Admit() if missing := self.parties.not_agreed():
                text = N_("nobody comes later before everybody has joined: {missing} must join first")
                raise Violation(None, text, code="state.not-agreed", missing=", ".join(missing))
            case Consent(admit=admit):
                self.parties.check_consent(event.author, admit)
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
        change, session = msgspec.structs.replace, self
        if self.parties.calls:
            session = change(self, parties=self.parties.without_calls(event.author))
        if session.latest is not None and event.type not in PLAY_NOTHING:
            session = change(session, latest=None)
        after = TRANSITIONS[event.type].after
        match event.type:
            case "join":
                return session._joined(event.author)
            case "leave" | "away" | "back":
                return session._come_or_go(event)
            case "consent":
                return change(session, parties=session.parties.consent(event))
            case "roll" | "reroll":
                return session._with_request(event, after)
            case "reveal":
                game = self.system.reveal(self.game, naturals)
                session = session._with_secret(revealed=True)
                latest = self._latest_revealed(naturals)
                return change(session, game=game, draw=(), request=None, phase=after, latest=latest)
            case "strike":
                return session._with_strike(event.author)
            case "void":
                return session._with_void(event.author, after)
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
                return session._with_ruling(event, event.body)
            case _ if event.type in ACTS:
                return change(session, game=self.system.act(self.game, event))
            case "close":
                game = self.system.void(self.game) if self.phase is Phase.PENDING else self.game
                return change(session, game=self.system.settle(game), draw=(), request=None, secret=None, phase=after)
            case _:
                return change(session, phase=after, request=None)

    def admit(self, name: str, role: Role, seq: int, *, calls: bool, appointed: bool) -> "Session":
        """Return the session with the party that event `seq` admits.

        With `calls`, it may call others away as soon as it is no newcomer; `appointed`: it never is one.
        """
        parties = self.parties.admit(name, role, seq, calls=calls, appointed=appointed)
        return msgspec.structs.replace(self, parties=parties, game=self.system.admit(self.game, name, role))

    def ask(self, name: str, asked: NewKey) -> "Session":
        """Return the session in which this new key of a party waits for its join."""
        return msgspec.structs.replace(self, parties=self.parties.ask(name, asked))

    def with_joined(self, names: Iterable[str]) -> "Session":
        """Return the session with just these parties joined, as a rules script begins."""
        parties = msgspec.structs.replace(self.parties, joined=frozenset(names))
        return msgspec.structs.replace(self, parties=parties)

    def _joined(self, name: str) -> "Session":
        """Return the session after a `join`; a party under a new key has no unused tag."""
        seals = self.seals
        if name in self.parties.asked and name in seals:
            seals = {**seals, name: msgspec.structs.replace(seals[name], unused=())}
        return msgspec.structs.replace(self, parties=self.parties.join(name), seals=seals)

    def _come_or_go(self, event: Event) -> "Session":
        """Return the session after a `leave`, `away` or `back`."""
        parties, owes, game = self.parties.come_or_go(event), self.owes, self.game
        if isinstance(event.body, Leave):
            owes = {name: owed for name, owed in owes.items() if name != event.body.party}
            game = self.system.leave(game, event.body.party)
        elif parties.away != self.parties.away:
            game = self.system.away(game, parties.away)
        return msgspec.structs.replace(self, parties=parties, owes=owes, game=game)

    def _with_request(self, event: Event, phase: Phase) -> "Session":
        """Return the session in which this request waits for its dice. Its author owes it no longer."""
        game, draw = self.system.request(self.game, event)
        owes = {name: owed for name, owed in self.owes.items() if name != event.author or not _same(owed, event)}
        session = self._with_tag_taken(event)
        return msgspec.structs.replace(
            session, game=game, draw=draw, phase=phase, requests=self.requests + 1, request=event, owes=owes
        )

    def _with_void(self, author: str, phase: Phase) -> "Session":
        """Return the session after the pending roll was voided: its roller owes the same request.

        If it is secret, its holder has to show it, except where the holder voids it: the void then has the secret.
        """
        assert self.request is not None, "step 15"
        owes = {**self.owes, self.request.author: self.request}
        by_another = self.secret is not None and self.secret.holder != author
        session, game = self._with_secret(revealed=False) if by_another else self, self.system.void(self.game)
        return msgspec.structs.replace(session, game=game, draw=(), owes=owes, phase=phase, secret=None)

    def _with_ruling(self, event: Event, body: Ruling) -> "Session":
        """Return the session after a judge's ruling. Nobody owes a request that it voids."""
        game = self.system.rule(self.game, body)
        released = body.subject if body.ruling == "void" else None
        owes = {name: owed for name, owed in self.owes.items() if owed.seq != released}
        return msgspec.structs.replace(self, game=game, owes=owes, rulings=keep(self.rulings, Ruled.of(event, body)))

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
        return [] if self.latest is None else self.latest.who_agrees(self.parties, self.keepers_judge)

    def missing_strikes(self) -> list[str]:
        """Return the parties that could take the latest roll back and have not agreed yet, in party order."""
        return [] if self.latest is None else self.latest.missing(self.parties, self.keepers_judge)

    def _check_strike(self, author: str, roll: int) -> None:
        problem = strike_problem(self.latest, author, roll, self.who_agrees())
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

    def _secret_of(self, holder: str, request: int) -> SecretRoll | None:
        """Return the roll with this request if the party holds it and its secret is not known; else None."""
        known = self.seals.get(holder)
        return None if known is None else known.secret.get(request)

    def waves(self) -> Waves:
        """Draw the dice of the pending request: all of them, at most MAX_DICE, the first dice included."""
        naturals = yield self.draw
        room = MAX_DICE - len(naturals)
        waves = self.system.waves(self.game, naturals)
        sides = next(waves, ())
        while sides[:room]:
            naturals = yield sides[:room]
            room -= len(naturals)
            sides = next_wave(waves, naturals) if room else ()

    def sides_drawn(self, naturals: Sequence[int]) -> tuple[int, ...]:
        """Return the sides of the dice that the pending request draws, as far as `naturals` decide them.

        With the naturals of all dice these are the sides of the whole draw. With fewer, they include the dice drawn
        next.
        """
        waves, drawn = self.waves(), list[int]()
        sides = next(waves)
        while sides:
            before = len(drawn)
            drawn += sides
            if len(drawn) > len(naturals):
                break
            sides = next_wave(waves, tuple(naturals[before : len(drawn)]))
        return tuple(drawn)

    def waits_for(self) -> WaitsFor | None:
        """Return the party that the game waits for, and for what; None if anybody may go on or the game is closed.

        It is the keeper with its reveal or disclose, a party that has to join, or a player with a choice to make.
        """
        if self.phase in (Phase.PENDING, Phase.VOIDED):
            return WaitsFor(self.parties.keeper, "reveal" if self.phase is Phase.PENDING else "disclose")
        if self.phase is Phase.CLOSED:
            return None
        missing = self.parties.not_agreed()
        return WaitsFor(missing[0], "join") if missing else self.system.waits_for(self.game)

    def view(self) -> dict[str, Any]:
        """Return the state as JSON values (specs/rules.md, "State")."""
        latest, rulings = self.latest, list[dict[str, Any]]()
        for ruled in self.rulings:
            results = ruled.results
            rulings.append(
                msgspec.to_builtins(ruled)
                | {"results": None if results is None else [{"die": d, "result": r} for d, r in results]}
            )
        view = {
            "system": self.system.id,
            "phase": str(self.phase),
            **(
                {"newcomers": [name for name in self.parties.roles if self.parties.is_newcomer(name)]}
                if self.admits
                else {}
            ),
            "joined": [name for name in self.parties.roles if name in self.parties.joined],
            "left": [name for name in self.parties.roles if name in self.parties.left],
            "away": [name for name in self.parties.roles if name in self.parties.away],
            "owes": {name: self.owes[name].seq for name in self.parties.roles if name in self.owes},
            "requests": self.requests,
            "waits_for": msgspec.to_builtins(self.waits_for()),
            "rulings": rulings,
            **({"strike": latest and latest.view(self.parties, self.keepers_judge)} if self.strikes else {}),
            **(
                {"sealed": {n: _of_holder(self.seals[n]) for n in self.parties.roles if n in self.seals}}
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
            return Violation(None, text, code="state.voided", keeper=self.parties.keeper, type=event.type)
        if event.type == "disclose":
            return Violation(None, "no roll was voided, so there is nothing to disclose", code="state.not-voided")
        text = N_("no roll waits for dice, so there is nothing to {type}")
        return Violation(None, text, code="state.not-pending", type=event.type)

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
        if sealed is None or self.holders is None:
            return None
        return sealed_problem(sealed, request.author, self.holders, self.parties, self.seals)

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
        missing = self.parties.not_agreed()
        if missing:
            text = N_("nobody rolls before every player has agreed to the digital dice: {missing} must join first")
            raise Violation(self.system.agreement, text, code="state.not-agreed", missing=", ".join(missing))


def _same(owed: Event, request: Event) -> bool:
    """Return whether a request is the one that its author owes."""
    return (owed.type, owed.raw) == (request.type, request.raw)


def _of_holder(holder: Holder) -> dict[str, Any]:
    return {"unused": len(holder.unused), "unshown": holder.unshown, "owes": holder.owes}


def _as_json(value: Any) -> Any:
    """Return the value as JSON's own types, with lists for tuples, by encoding and decoding it."""
    return msgspec.json.decode(msgspec.json.encode(value))
