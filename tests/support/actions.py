"""Three properties that hold every system to its actions (specs/rules.md, "Actions").

sound      what is offered is accepted: bound fields at every offered value; free ones, drawn from their grammar, are
           refused only under the clauses that they list
exact      a bound value just outside of what is offered, or one that another party or action is offered, is refused, or
           belongs to another offered action
complete   what is accepted was offered: `check_complete`, called for each accepted event of a game made in another way
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from rules import Session, Violation
from rules.actions import Action, Field, Free, OneOf, Range, Records, Scalar, SomeOf, fits
from rules.offered import offered
from rules.protocol import REQUESTS
from rules.script import ScriptEvent, step

__all__ = ["Grammars", "Props", "check_complete", "play_offered", "without_claims"]

Grammars = Mapping[str, Callable[[Random], Any]]
"""grammar → a value that it takes, as JSON"""

PROTOCOL_GRAMMARS: Grammars = {
    "text": lambda random: random.choice(["a word", "two words", "x"]),
    "results": lambda random: [{"die": random.randint(1, 3), "result": random.randint(0, 7)}],
}


def without_claims(session: Session, type: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body without what only puts an announcement on record."""
    claims = session.system.claims.get(type, frozenset())
    return {name: value for name, value in body.items() if name not in claims}


def check_complete(session: Session, seq: int, author: str, type: str, body: Mapping[str, Any]) -> None:
    """An event that the session accepts was offered to its author before."""
    if session.system.seals and "sealed" in body:
        return  # a secret roll is asked for by commands of its own (specs/rules.md, "Actions")
    told = without_claims(session, type, body)
    found = offered(session, author, seq)
    assert any(action.type == type and fits(action, told) for action in found), (author, type, body, found)


@dataclass
class Props:
    """Sound and exact, looked at in state after state."""

    grammars: Grammars
    random: Random
    accepted: set[str] = field(default_factory=set)
    """labels of the actions that were accepted at least once"""
    offered: set[str] = field(default_factory=set)
    """labels of the actions that were offered"""

    def check(self, session: Session, seq: int) -> None:
        """Look at every action of every party in this state."""
        waits = session.waits_for()
        of_party = {party: offered(session, party, seq) for party in session.parties.roles}
        elsewhere = _chosen_elsewhere(session, of_party.values())
        for party, actions in of_party.items():
            due = [action for action in actions if action.due and party not in session.owes]
            if due:
                assert waits is not None, (party, due)
            for action in actions:
                self.offered.add(action.label.template)
                self._sound(session, seq, party, action)
                self._exact(session, seq, party, action, actions, elsewhere)
        if waits is not None and session.phase == "idle":
            assert any(a.due for a in offered(session, waits.party, seq)), waits

    def _sound(self, session: Session, seq: int, party: str, action: Action) -> None:
        for body, clauses in self._instances(action):
            refused = self._refused(session, seq, party, action.type, body)
            if refused is None:
                self.accepted.add(action.label.template)
            else:
                assert refused.code == "rules.violation", (party, action, body, refused)
                assert refused.clause in clauses, (party, action, body, refused.clause, str(refused))

    def _exact(
        self,
        session: Session,
        seq: int,
        party: str,
        action: Action,
        actions: Sequence[Action],
        elsewhere: "Elsewhere",
    ) -> None:
        valid = [
            body
            for body, _ in self._instances(action, few=True)
            if self._refused(session, seq, party, action.type, body) is None
        ]
        for body in valid[:2]:
            for changed in (*_outside(action.fields, body), *self._foreign(action, body, elsewhere)):
                if any(other.type == action.type and fits(other, changed) for other in actions):
                    continue
                refused = self._refused(session, seq, party, action.type, changed)
                assert refused is not None, (party, action, changed)

    def _foreign(self, action: Action, body: Mapping[str, Any], elsewhere: "Elsewhere") -> Iterator[dict[str, Any]]:
        """The body with another's choice: a value that the same member takes in another action, or a party's name."""
        for one in action.fields:
            if one.name not in body or not isinstance(one.domain, OneOf | SomeOf):
                continue
            own = {option.value for option in one.domain.options}
            others = [value for value in elsewhere[action.type, one.name] if value not in own]
            for value in self.random.sample(others, min(2, len(others))):
                if isinstance(one.domain, OneOf):
                    yield {**body, one.name: value}
                elif body[one.name]:
                    yield {**body, one.name: [*body[one.name][:-1], value]}

    def _refused(self, session: Session, seq: int, party: str, type: str, body: Mapping[str, Any]) -> Violation | None:
        """Why an event is refused, if it is; a request is not revealed."""
        try:
            step(session, seq, ScriptEvent(party, type, msgspec.Raw(msgspec.json.encode(body))))
        except Violation as violation:
            return violation
        return None

    # --- instances ---------------------------------------------------------------------------------------------------

    def _instances(self, action: Action, *, few: bool = False) -> Iterator[tuple[dict[str, Any], frozenset[str]]]:
        """Bodies of the action with the clauses under which each may be refused.

        Every offered value of every bound field comes in one of them.
        """
        yield self._drawn(action, {}, optional=False)
        yield self._drawn(action, {}, optional=True)
        for one in () if few else action.fields:
            for value in self._all(one):
                yield self._drawn(action, {one.name: value}, optional=self.random.random() < 0.5)

    def _drawn(
        self, action: Action, chosen: Mapping[str, Any], *, optional: bool
    ) -> tuple[dict[str, Any], frozenset[str]]:
        members, clauses = self._fields(action.fields, chosen, optional=optional)
        return {**action.body, **members}, clauses

    def _fields(
        self, fields: Sequence[Field], chosen: Mapping[str, Any], *, optional: bool
    ) -> tuple[dict[str, Any], frozenset[str]]:
        body: dict[str, Any] = {}
        clauses: frozenset[str] = frozenset()
        for one in fields:
            if one.name in chosen:
                body[one.name] = chosen[one.name]
                clauses |= _clauses(one)
            elif one.required or (optional and self.random.random() < 0.5):
                body[one.name], more = self._value(one, optional=optional)
                clauses |= more
        return body, clauses

    def _value(self, one: Field, *, optional: bool) -> tuple[Any, frozenset[str]]:
        match one.domain:
            case OneOf(options=offered):
                return self.random.choice(offered).value, frozenset()
            case Range(least=least, most=most):
                return self.random.choice([least, most, self.random.randint(least, most)]), frozenset()
            case SomeOf(options=offered, least=least, most=most):
                count = self.random.choice([least, most, self.random.randint(least, most)])
                return [option.value for option in self.random.sample(offered, count)], frozenset()
            case Records(fields=fields, least=least, most=most):
                count = self.random.choice([least, min(most, least + 2)])
                drawn = [self._fields(fields, {}, optional=optional) for _ in range(count)]
                return [body for body, _ in drawn], frozenset().union(*(clauses for _, clauses in drawn))
            case Free(grammar=grammar, clauses=clauses):
                maker = self.grammars.get(grammar) or PROTOCOL_GRAMMARS[grammar]
                return maker(self.random), frozenset(clauses)

    def _all(self, one: Field) -> Iterator[Any]:
        match one.domain:
            case OneOf(options=offered):
                yield from (option.value for option in offered)
            case Range(least=least, most=most):
                yield from dict.fromkeys((least, min(least + 1, most), most))
            case SomeOf(options=offered, least=least, most=most):
                yield [option.value for option in offered[:least]]
                yield [option.value for option in reversed(offered[:most])]
            case _:
                yield self._value(one, optional=True)[0]


def _clauses(one: Field) -> frozenset[str]:
    match one.domain:
        case Free(clauses=clauses):
            return frozenset(clauses)
        case Records(fields=fields):
            return frozenset().union(*(_clauses(inner) for inner in fields))
        case _:
            return frozenset()


Elsewhere = Mapping[tuple[str, str], Sequence[Scalar]]
"""type of an event and member → what is offered for it to anybody; of members that hold texts the parties' names too"""


def _chosen_elsewhere(session: Session, offers: Iterable[Sequence[Action]]) -> Elsewhere:
    found: defaultdict[tuple[str, str], dict[Scalar, None]] = defaultdict(dict)
    for action in (action for actions in offers for action in actions):
        for one in action.fields:
            if isinstance(one.domain, OneOf | SomeOf):
                values = dict.fromkeys(option.value for option in one.domain.options)
                found[action.type, one.name] |= values
                if any(isinstance(value, str) for value in values):
                    found[action.type, one.name] |= dict.fromkeys(session.parties.roles)
    return {key: tuple(values) for key, values in found.items()}


# --- just outside ----------------------------------------------------------------------------------------------------


def _outside(fields: Sequence[Field], body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The body with one bound field just outside of what is offered."""
    for one in fields:
        if one.name in body:
            for value in _outside_of(one, body[one.name]):
                yield {**body, one.name: value}


def _outside_of(one: Field, value: Any) -> Iterator[Any]:
    match one.domain:
        case OneOf(options=offered):
            yield from _others([option.value for option in offered])
        case Range(least=least, most=most):
            yield from (least - 1, most + 1)
        case SomeOf(options=offered, least=least, most=most):
            values = [option.value for option in offered]
            if least > 0:
                yield values[: least - 1]
            if most < len(values):
                yield values[: most + 1]
            if value:
                yield [*value[:-1], next(_others(values))]
                yield [*value, value[0]]
        case Records(fields=fields):
            for changed in _outside(fields, value[0]) if value else ():
                yield [changed, *value[1:]]
        case Free():
            return


def _others(values: Sequence[Scalar]) -> Iterator[Scalar]:
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    if numbers:
        yield from (max(numbers) + 1, min(numbers) - 1)
    texts = [value for value in values if isinstance(value, str)]
    if texts:
        yield texts[0] + "-x"
    for flag in (True, False):
        if any(isinstance(value, bool) for value in values) and flag not in values:
            yield flag


# --- games made from the actions -------------------------------------------------------------------------------------


def play_offered(
    props: Props, session: Session, length: int, *, naturals: Callable[[tuple[int, ...]], list[int]]
) -> Session:
    """Play a game from what is offered, looking at the properties in each of its states."""
    random = props.random
    for seq in range(1, length + 1):
        props.check(session, seq)
        parties = [party for party in session.parties.roles if offered(session, party, seq)]
        if not parties:
            break  # everybody has left
        party = random.choice(parties)
        actions = offered(session, party, seq)
        weights = [8 if action.due else 1 if action.type in ("leave", "away") else 4 for action in actions]
        action = random.choices(actions, weights)[0]
        if action.type == "leave" and random.random() < 0.9:
            continue
        body, _ = props._drawn(action, {}, optional=random.random() < 0.5)
        line = ScriptEvent(party, action.type, msgspec.Raw(msgspec.json.encode(body)))
        try:
            after = step(session, seq, line)
        except Violation:
            continue
        if action.type in REQUESTS:
            shown: list[int] = []
            while len(sides := after.sides_drawn(tuple(shown))) > len(shown):
                shown += naturals(sides[len(shown) :])
            after = step(session, seq, msgspec.structs.replace(line, naturals=tuple(shown)))
        session = after
    return session
