"""The parties at the table: roles, who has joined, left and is away, who came later, whose key is new.

See specs/protocol.md, "The state table", "Who comes later" and "A lost browser".
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.base import Event, Role, Violation
from rules.data.language import N_, Message
from rules.protocol import Away, Back, Consent, Leave, keeper_of

__all__ = ["KeyWord", "Late", "NewKey", "Parties"]

KeyWord = Literal["recovery", "event", "others"]
"""the word by which a new key comes: the recovery key's, the event's (an organizer's and a judge's), or all others'"""


class Late(msgspec.Struct, frozen=True):
    """A party that was admitted after the game had begun."""

    admit: int
    """the number of the event that admitted it"""
    consents: frozenset[str] = frozenset()
    """the parties that have consented to it"""
    settled: int | None = None
    """the number of the event with which everybody had consented, or that admitted an appointed judge; None while it
    is a newcomer
    """


class NewKey(msgspec.Struct, frozen=True):
    """A new key of a party whose `replace` waits for its join."""

    replace: int
    """the number of the event that asks for it"""
    key: str
    """the verifier key"""
    word: KeyWord
    by: tuple[str, ...] = ()
    """by the event's word: the organizer who corrected the key, and the judge who signed the party away"""
    consents: frozenset[str] = frozenset()
    """the parties that have consented to it"""

    @property
    def asks(self) -> bool:
        """True if it needs the consent of all others."""
        return self.word == "others"


class Parties(msgspec.Struct, frozen=True):
    """The parties of a game, after event 0 and any number of further events."""

    roles: Mapping[str, Role]
    """name → role, in party order"""
    joined: frozenset[str]
    left: frozenset[str] = frozenset()
    away: frozenset[str] = frozenset()
    signed_away: frozenset[str] = frozenset()
    """the parties among `away` that somebody else signed away"""
    calls: Mapping[str, frozenset[str]] = {}
    """party → parties that have called it away since its last event"""
    callers: frozenset[str] = frozenset()
    """the parties that may call others away: the possible contributors if event 0 allows it, else none"""
    late: Mapping[str, Late] = {}
    """the parties that were admitted after the game had begun, in party order"""
    asked: Mapping[str, NewKey] = {}
    """party → its new key, if one waits"""
    renewed_by_others: frozenset[str] = frozenset()
    """the parties that have gone on under a new key by others' word: all others', or the event's"""

    @classmethod
    def start(cls, roles: Mapping[str, Role], callers: frozenset[str] = frozenset()) -> "Parties":
        """Return the parties after an `open` with these roles. Only the keeper has joined."""
        return cls(roles, frozenset({keeper_of(roles)}), callers=callers)

    @property
    def keeper(self) -> str:
        """The name of the party that keeps the log."""
        return keeper_of(self.roles)

    def present(self, *roles: Role) -> list[str]:
        """Return the parties of these roles that have not left, in party order."""
        return [name for name, role in self.roles.items() if role in roles and name not in self.left]

    def is_newcomer(self, name: str) -> bool:
        """Return whether the party was admitted later and somebody has not consented to it yet."""
        late = self.late.get(name)
        return late is not None and late.settled is None

    def is_gone(self, name: str) -> bool:
        """Return whether the party has left or is away."""
        return name in self.left or name in self.away

    def may_call(self, name: str) -> bool:
        """Return whether the party has a say in who is signed away: it may contribute, is here, and is no newcomer.

        See specs/protocol.md, "The state table", "Away by the others".
        """
        return name in self.callers & self.joined and not self.is_gone(name) and not self.is_newcomer(name)

    def have_to_call(self, party: str) -> frozenset[str]:
        """Return all whose calls sign a party away, if there are two or more."""
        return frozenset(name for name in self.callers if name != party and self.may_call(name))

    def not_agreed(self) -> list[str]:
        """Return the players and game masters that have neither joined nor left, in party order.

        Nobody may roll while there are any. Parties that were admitted later do not count.
        """
        if len(self.joined) == len(self.roles):
            return []
        return [name for name in self.present("player", "gm") if name not in self.joined and name not in self.late]

    # --- who may write ---------------------------------------------------------------------------------------------

    def check_presence(self, event: Event) -> None:
        """Verify that the author of an event is at the table. Raises Violation `state.*`."""
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

    def check_leave(self, author: str, party: str) -> None:
        """Verify that the author can take a party, or itself, out of the game. Raises Violation `state.leave`."""
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

    def check_away(self, author: str, party: str) -> None:
        """Verify that the author can sign a party, or itself, away. Raises Violation `state.presence`."""
        problem = None
        if party not in self.roles:
            problem = N_("{party} is no party of this game")
        elif self.roles[party] in ("keeper", "judge"):
            problem = N_("{party} is not a contributor who could be away")
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

    def check_back(self, author: str, party: str, *, accepts: bool) -> None:
        """Verify that the author can say that a party is back, and `accepts`. Raises Violation `state.presence`."""
        problem = None
        if party not in self.away:
            problem = N_("{party} is not away")
        elif accepts and author != party:
            problem = N_("only {party} can accept the rolls that were made without {party}")
        elif accepts and party in self.renewed_by_others:
            problem = N_("{party} goes on because others said so, and accepts no rolls")
        elif author != party and self.roles[author] != "judge":
            problem = N_("only {party} or a judge can say that {party} is back")
        if problem:
            raise Violation(None, problem, code="state.presence", party=party)

    def check_newcomer(self, event: Event) -> None:
        """Verify that the author is no judge who came later, without consent yet. Raises Violation `state.newcomer`."""
        author, body = event.author, event.body
        own = event.type == "join" or (isinstance(body, Leave) and body.party == author)
        if self.roles[author] == "judge" and self.is_newcomer(author) and not own:
            text = N_("{author} came later, and judges nothing before everybody who plays has consented")
            raise Violation(None, text, code="state.newcomer", author=author)

    def check_consent(self, author: str, admit: int) -> None:
        """Verify that the author can consent to what event `admit` asks for. Raises Violation `state.consent`."""
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

    def check_new_key(self, party: str) -> None:
        """Verify that a new key that waits can take its place now. Raises Violation `state.consent`."""
        missing, given = self.missing_key_consents(party), self.key_consents(party)
        if not self.asked[party].asks or (not missing and len(given) > 1):
            return
        text = N_("{author} goes on under this key when all others have consented, two or more; so far: {names}")
        names = ", ".join(given) or Message("nobody")
        raise Violation(None, text, code="state.consent", author=party, names=names)

    # --- who comes and goes ----------------------------------------------------------------------------------------

    def admit(self, name: str, role: Role, seq: int, *, calls: bool, appointed: bool) -> "Parties":
        """Return the parties with the one that event `seq` admits.

        With `calls`, it may call others away as soon as it is no newcomer; `appointed`: it never is one.
        """
        return msgspec.structs.replace(
            self,
            roles={**self.roles, name: role},
            late={**self.late, name: Late(seq, settled=seq if appointed else None)},
            callers=self.callers | {name} if calls else self.callers,
        )

    def join(self, name: str) -> "Parties":
        """Return the parties after a `join`, with which a new key that waits takes its place."""
        asked, renewed_by_others = self.asked.get(name), self.renewed_by_others
        if asked is not None and asked.word != "recovery":
            renewed_by_others |= {name}
        return msgspec.structs.replace(
            self._without_asking(name), joined=self.joined | {name}, renewed_by_others=renewed_by_others
        )

    def come_or_go(self, event: Event) -> "Parties":
        """Return the parties after a `leave`, `away` or `back`."""
        return self._moved(event)._with_consents(event.seq)

    def _moved(self, event: Event) -> "Parties":
        change, author = msgspec.structs.replace, event.author
        match event.body:
            case Leave(party=party):
                away, signed = self.away - {party}, self.signed_away - {party}
                parties = self._without_asking(party)
                return change(parties, left=self.left | {party}, away=away, signed_away=signed, calls={})
            case Back(party=party):
                away, signed = self.away - {party}, self.signed_away - {party}
                return change(self._without_asking(party), away=away, signed_away=signed)
            case Away(party=party) if author == party:
                return change(self, away=self.away | {party}, calls={})
            case Away(party=party):
                called = self.calls.get(party, frozenset()) | {author}
                all_called = self.have_to_call(party) <= called and len(called) > 1
                if self.roles[author] == "judge" or all_called:
                    away, signed = self.away | {party}, self.signed_away | {party}
                    return change(self, away=away, signed_away=signed, calls={})
                return change(self, calls={**self.calls, party: called})
            case _:
                raise AssertionError(event.type)

    def without_calls(self, party: str) -> "Parties":
        """Return the parties without the calls on a party that wrote an event, and so is here."""
        return msgspec.structs.replace(self, calls={n: called for n, called in self.calls.items() if n != party})

    # --- consent ---------------------------------------------------------------------------------------------------

    def ask(self, name: str, asked: NewKey) -> "Parties":
        """Return the parties of which this new key of a party waits for its join."""
        return msgspec.structs.replace(self, asked={**self.asked, name: asked})

    def _without_asking(self, name: str) -> "Parties":
        if name not in self.asked:
            return self
        return msgspec.structs.replace(self, asked={n: asked for n, asked in self.asked.items() if n != name})

    def consent(self, event: Event) -> "Parties":
        """Return the parties after a `consent`."""
        assert isinstance(event.body, Consent)
        party = self._let_in_by(event.body.admit)
        assert party is not None, "step 15"
        if event.body.admit == self._asked_in(party):
            return self._consented_to_key(party, event.author)
        late = self.late[party]
        late = msgspec.structs.replace(late, consents=late.consents | {event.author})
        return msgspec.structs.replace(self, late={**self.late, party: late})._with_consents(event.seq)

    def _consented_to_key(self, party: str, author: str) -> "Parties":
        """Return the parties with one more consent to a new key."""
        asked = self.asked[party]
        asked = msgspec.structs.replace(asked, consents=asked.consents | {author})
        return msgspec.structs.replace(self, asked={**self.asked, party: asked})

    def _let_in_by(self, seq: int) -> str | None:
        """Return the party that an `admit`, or a `replace` that waits for consent, is about; None without one."""
        late = (name for name, each in self.late.items() if each.admit == seq)
        asked = (name for name, each in self.asked.items() if each.replace == seq and each.asks)
        return next(late, next(asked, None))

    def _asked_in(self, party: str) -> int | None:
        asked = self.asked.get(party)
        return None if asked is None else asked.replace

    def who_consent(self) -> list[str]:
        """Return the parties whose consent a newcomer or a new key needs, in party order; a party's own counts not."""
        there = [name for name in self.present("player", "gm", "witness") if name in self.joined]
        return [name for name in there if not self.is_newcomer(name)]

    def key_consents(self, party: str) -> list[str]:
        """Return the parties whose consent to another's new key counts, in party order."""
        return [name for name in self.who_consent() if name != party and name in self.asked[party].consents]

    def missing_key_consents(self, party: str) -> list[str]:
        """Return the parties that have not consented to another's new key yet, in party order."""
        return [name for name in self.who_consent() if name != party and name not in self.asked[party].consents]

    def missing_consents(self, party: str) -> list[str]:
        """Return the parties that have not consented to a newcomer yet, in party order."""
        return [name for name in self.who_consent() if name not in self.late[party].consents]

    def _with_consents(self, seq: int) -> "Parties":
        """Return the parties of which newcomers with all consents, as of event `seq`, are ordinary parties."""
        parties = self
        for name, late in self.late.items():
            if late.settled is None and late.consents and name not in self.left and not parties.missing_consents(name):
                settled = msgspec.structs.replace(late, settled=seq)
                parties = msgspec.structs.replace(parties, late={**parties.late, name: settled})
        return parties
