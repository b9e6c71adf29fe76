"""The terms of a game, which its event 0 sets (step 10 of specs/verification.md)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from rules import Role, System
from rules.base import given
from rules.data.bounds import MAX_PARTIES
from rules.data.language import N_, Message
from rules.protocol import keeper_of, roles_problem
from verifier.errors import Failure, KeyFormatError
from verifier.log.bodies import AdmitBody, Continued, Open
from verifier.log.format import MAX_LINE, decode_body, decode_envelope, signed_message
from verifier.log.identity import VerifierKey, looks_alike
from verifier.log.roster import Roster

__all__ = [
    "Pins",
    "Terms",
    "admit_party",
    "admits_problem",
    "admitted_by",
    "check_late_pins",
    "check_pins",
    "read_terms",
    "replace_key",
]


class Pins(Struct, frozen=True):
    """Facts that the caller knows from another source: the game's id (32 bytes), verifier keys, an
    organizer's roster.
    """

    game: bytes | None = None
    keys: tuple[VerifierKey, ...] = ()
    roster: Roster | None = None


class Terms(Struct, frozen=True):
    """The valid terms of event 0."""

    game: bytes
    title: str
    system: str
    keys: Mapping[str, VerifierKey]
    roles: Mapping[str, Role]
    contributors: str | tuple[str, ...]
    keeper: str
    rollers: frozenset[Role] = frozenset({"player"})
    """the roles that may request dice in this system"""
    others_away: bool = False
    """whether all other contributors together can sign a party away"""
    continues: Continued | None = None
    keepers_judge: str | None = None
    """the judge that is run together with the keeper"""
    admits: frozenset[Role] = frozenset()
    """the roles that somebody can take after the game has begun"""
    host: VerifierKey | None = None
    """the key of the host, whose word decides who may join later"""
    late: tuple[str, ...] = ()
    """the parties that were admitted later"""
    holders: frozenset[Role] = frozenset()
    """the roles that may hold secret rolls"""
    strikes: bool = False
    """whether all who play can take the latest roll back together"""
    called: Mapping[str, str] = {}
    """name → called name, for parties that have one"""
    event: str = ""
    """the id (hex) of the event that the game is a table of; empty without one"""
    organizers: Mapping[str, VerifierKey] = {}
    """the organizers of the event, whose appointments and corrections of keys count here"""
    former: Mapping[str, tuple[VerifierKey, ...]] = {}
    """name → its keys before the present one, the oldest first, for parties that go on under a new key"""

    def keys_of(self, name: str) -> tuple[VerifierKey, ...]:
        """Return all keys of a party, the oldest first."""
        return (*self.former.get(name, ()), self.keys[name])

    def first_key(self, name: str) -> VerifierKey | None:
        """Return the key with which a party came; None if there is no such party."""
        return self.former[name][0] if name in self.former else self.keys.get(name)

    def owner_of(self, public_bytes: bytes) -> str | None:
        """Return the name of the party that has or had this public key; None without one."""
        keys = [*self.keys.values(), *(key for keys in self.former.values() for key in keys)]
        return next((key.name for key in keys if key.public_bytes == public_bytes), None)

    def may_contribute(self, name: str) -> bool:
        """Return whether a party can contribute to any roll."""
        match self.contributors:
            case "all":
                return self.roles[name] != "judge"
            case "roller":
                return self.roles[name] in {"keeper", "witness", *self.rollers}
            case listed:
                return name in listed

    def contributors_of(self, roller: str, absent: frozenset[str]) -> tuple[str, ...]:
        """Return the contributors of a roll, in party order (specs/protocol.md, "Contributors of a roll").

        `absent` are the parties that have left or are away.
        """
        present = [name for name in self.roles if name not in absent]
        if self.contributors == "roller":
            return tuple(n for n in present if n == roller or self.roles[n] in ("keeper", "witness"))
        return tuple(n for n in present if self.may_contribute(n))

    def closer(self, roller: str, contributors: Sequence[str]) -> str:
        """Return the contributor that opens last before the keeper, and can call the roll off before
        (specs/protocol.md).
        """
        return roller if roller in contributors else [name for name in contributors if name != self.keeper][-1]


def read_terms(body: Open, leaf: bytes, system: System[Any]) -> Terms:
    """Return the terms of event 0, which has this leaf hash (step 10). Raises Failure."""
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
    called = {name: party.called for name, party in zip(keys, body.parties, strict=True) if party.called is not UNSET}
    for name, text in called.items():
        if (other := _called_so(text, name, keys, called)) is not None:
            raise _no_terms(Message("{name} is called like {other}: {text}", name=name, other=other, text=text))
    problem = roles_problem(roles, system.roles)
    if problem is not None:
        raise _no_terms(problem)
    if not isinstance(body.contributors, str):
        _check_listed(body.contributors, roles)
    host = _check_admits(body, system, keys[keeper_of(roles)])
    judge = given(body.judge, None)
    if judge is not None and roles.get(judge) != "judge":
        raise _no_terms(Message("{name}, whom the keeper runs as a judge, is none here", name=judge))
    event = given(body.event, None)
    return Terms(
        leaf,
        body.title,
        body.system,
        keys,
        roles,
        body.contributors,
        keeper_of(roles),
        system.rollers,
        body.away == "others",
        given(body.continues, None),
        judge,
        frozenset(given(body.admits, ())),
        host,
        holders=_check_sealed(body, system, roles),
        strikes=body.strike == "all",
        called=called,
        event="" if event is None else event.id,
        organizers={} if event is None else _read_organizers(event.organizers, keys[keeper_of(roles)]),
    )


def _read_organizers(listed: Sequence[str], keeper: VerifierKey) -> dict[str, VerifierKey]:
    """Return the organizers of an event by name (step 10). Raises Failure."""
    found: dict[str, VerifierKey] = {}
    for text in listed:
        try:
            key = VerifierKey.parse(text)
        except KeyFormatError as error:
            raise _no_terms(error) from None
        if key.name in found or any(key.public_bytes == other.public_bytes for other in found.values()):
            raise _no_terms(Message("two organizers of the event share a name or a key"))
        if key.public_bytes == keeper.public_bytes:
            raise _no_terms(Message("an organizer of the event has the keeper's key"))
        found[key.name] = key
    return found


def _called_so(text: str, name: str, names: Collection[str], called: Mapping[str, str]) -> str | None:
    """Return another party that has this text as its name or called name, by code points; None without one."""
    return next((other for other in names if other != name and text in (other, called.get(other))), None)


def _check_sealed(body: Open, system: System[Any], roles: Mapping[str, Role]) -> frozenset[Role]:
    """Return the roles that may hold secret rolls (step 10). Raises Failure."""
    sealed = given(body.sealed, None)
    if sealed is None:
        return frozenset()
    if not system.seals:
        raise _no_terms(Message("in these rules no roll is secret"), system.seals_clause)
    if sealed == "kept" and "gm" not in (*roles.values(), *given(body.admits, ())):
        raise _no_terms(Message("game masters may hold secret rolls, and there is none, now or later"))
    return frozenset[Role]({"gm"} if sealed == "kept" else {"gm", "player"})


def _check_admits(body: Open, system: System[Any], keeper: VerifierKey) -> VerifierKey | None:
    """Return the key of the host, if there is one (step 10). Raises Failure for invalid terms of late admission."""
    admits, host_text = given(body.admits, ()), given(body.host, None)
    problem = admits_problem(admits, system)
    if problem is not None:
        raise _no_terms(problem)
    if host_text is None:
        return None
    if not admits:
        raise _no_terms(Message("the game names a host who says who comes later, but nobody may come later"))
    try:
        host = VerifierKey.parse(host_text)
    except KeyFormatError as error:
        raise _no_terms(error) from None
    if host.public_bytes == keeper.public_bytes:
        raise _no_terms(Message("the host has the keeper's key"))
    return host


def admits_problem(admits: Sequence[Role], system: System[Any]) -> Message | None:
    """Return why these cannot be the roles in which somebody may come later; None if they can (step 10)."""
    if len(set(admits)) < len(admits):
        return Message("each role that may come later stands there once")
    late = frozenset[Role]({"witness", "judge"}) | system.late
    refused = next((role for role in admits if role not in late), None)
    return None if refused is None else Message("in these rules no {role} comes later", role=refused)


def replace_key(terms: Terms, key: VerifierKey) -> Terms:
    """Return the terms in which the party of this name goes on under this key."""
    former = {**terms.former, key.name: (*terms.former.get(key.name, ()), terms.keys[key.name])}
    return replace(terms, keys={**terms.keys, key.name: key}, former=former)


def admit_party(terms: Terms, body: AdmitBody, asked: Collection[str] = ()) -> Terms:
    """Return the terms with the party of an `admit`, whose name becomes the last of `keys` (step 16).

    `asked` are the verifier keys that wait for consent. Raises Failure.
    """
    if body.role not in terms.admits:
        text = N_("No {role} comes later to this game.")
        raise Failure(16, "admit.role", text, role=body.role)
    try:
        key = VerifierKey.parse(body.key)
    except KeyFormatError as error:
        raise _no_party(error) from None
    if len(terms.keys) >= MAX_PARTIES:
        raise _no_party(Message("a game has at most {most} parties", most=MAX_PARTIES))
    for other in (*terms.keys.values(), *(each for keys in terms.former.values() for each in keys)):
        if other.name == key.name:
            raise _no_party(Message("{name} is the name of a party", name=key.name))
        if other.public_bytes == key.public_bytes:
            raise _no_party(Message("{name} has the key of {other}", name=key.name, other=other.name))
        if looks_alike(other.name, key.name):
            raise _no_party(Message("{name} looks like {other}", name=key.name, other=other.name))
    for waiting in map(VerifierKey.parse, asked):
        if waiting.public_bytes == key.public_bytes:
            raise _no_party(Message("{name} has the key of {other}", name=key.name, other=waiting.name))
    called = _with_called(terms, key.name, body)
    keys, roles = {**terms.keys, key.name: key}, {**terms.roles, key.name: body.role}
    return replace(terms, keys=keys, roles=roles, late=(*terms.late, key.name), called=called)


def _with_called(terms: Terms, name: str, body: AdmitBody) -> dict[str, str]:
    """Return the called names, with that of the party that is admitted (step 16). Raises Failure."""
    if name in terms.called.values():
        raise _no_party(Message("somebody is called {name} here", name=name))
    if body.called is UNSET:
        return dict(terms.called)
    called = {**terms.called, name: body.called}
    other = _called_so(body.called, name, terms.keys, called)
    if other is not None:
        raise _no_party(Message("{name} is called like {other}: {text}", name=name, other=other, text=body.called))
    return called


def admitted_by(terms: Terms, line: bytes) -> Terms | None:
    """Return the terms with the party of an `admit`, which is checked without the lines before it.

    None if the line is no `admit` that the keeper signed in this game.
    """
    try:
        event = decode_envelope(line)
        if len(line) > MAX_LINE or (event.type, event.author, event.game) != ("admit", terms.keeper, terms.game.hex()):
            return None
        if not terms.keys[terms.keeper].verify(bytes.fromhex(event.sig), signed_message(event)):
            return None
        return admit_party(terms, decode_body(event.body, AdmitBody, "admit"))
    except Failure:
        return None


def _no_party(problem: Message) -> Failure:
    return Failure(16, "admit.party", "Nobody can come in with this key: {problem}.", problem=problem)


def check_pins(pins: Pins, terms: Terms) -> None:
    """Verify that the terms are those that the caller knows (step 10). Raises Failure."""
    if pins.game is not None and pins.game != terms.game:
        text = N_("This is the log of game {actual}, not of the one asked for.")
        raise Failure(10, "expect.game", text, expected=pins.game.hex(), actual=terms.game.hex())
    for key in pins.keys:
        known = any(key.name == other.name or key.public_bytes == other.public_bytes for other in terms.keys.values())
        if str(terms.keys.get(key.name)) != str(key) and (known or not terms.admits):
            raise _not_expected(key, terms)


def check_late_pins(pins: Pins, terms: Terms, joined: Collection[str]) -> None:
    """Verify the expected keys again when all lines are replayed (step 10). Raises Failure.

    Each must be the key of a party of event 0, or of one that was admitted and has `joined`.
    """
    for key in pins.keys:
        if str(terms.first_key(key.name)) != str(key) or (key.name in terms.late and key.name not in joined):
            raise _not_expected(key, terms)


def _not_expected(key: VerifierKey, terms: Terms) -> Failure:
    """Return the failure for an expected key that no party has, with the most likely reason."""
    actual = terms.first_key(key.name)
    if str(actual) == str(key):
        text = N_("{name} was let in with the key that you know, and has not joined.")
        return Failure(10, "expect.key", text, name=key.name, expected=key)
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


def _no_terms(problem: Message, clause: str | None = None) -> Failure:
    return Failure(10, "open.terms", "The game's terms are not valid: {problem}.", clause=clause, problem=problem)


def _check_listed(listed: tuple[str, ...], roles: Mapping[str, Role]) -> None:
    """Raise Failure for an invalid list of contributors (step 10)."""
    in_order = [name for name in roles if name in listed]
    if list(listed) != in_order or "keeper" not in [roles[name] for name in in_order]:
        text = N_("contributors are parties in party order, each once, the keeper and at least one other")
        raise _no_terms(Message(text))
    if any(roles[name] == "judge" for name in listed):
        raise _no_terms(Message("a judge contributes to no roll"))
