"""The actions of a party: the system's, and those of the protocol that need no secret (specs/rules.md, "Actions")."""

from collections.abc import Iterable

import msgspec

from rules.actions import Action, Field, Free, OneOf, Range, options
from rules.base import Role, Violation
from rules.data.language import Message
from rules.protocol import REQUESTS, Phase
from rules.session import Session

__all__ = ["offered"]


def offered(session: Session, party: str, seq: int) -> tuple[Action, ...]:
    """Return the actions that a party can take as event `seq`, due ones first; none for a name that is no party.

    Events that need links (commit, opening, reveal, void, disclose) and the close are left out: keeper and seats write
    them.
    """
    role = session.parties.roles.get(party)
    if role is None or party in session.parties.left or session.phase is not Phase.IDLE:
        return ()
    if party not in session.parties.joined:
        return (Action("join", Message("agree to the game's terms"), None, due=party in session.parties.not_agreed()),)
    if role == "keeper":
        return (*_calls(session, party),)
    leave = Action("leave", Message("leave the game"), None, body={"party": party})
    if role == "judge" and session.parties.is_newcomer(party):
        return (leave,)
    if party in session.parties.away:
        waits = session.waits_for()
        awaited = waits is not None and waits.party == party
        return (Action("back", Message("come back"), None, body={"party": party}, due=awaited), leave)
    found = [
        *_of_system(session, party, role, seq),
        *_strikes(session, party),
        *_rulings(session, role, seq),
        *_calls(session, party),
        leave,
    ]
    return tuple(sorted(found, key=lambda action: not action.due))


def _of_system(session: Session, party: str, role: Role, seq: int) -> Iterable[Action]:
    if role not in ("player", "gm"):
        return
    owed = session.owes.get(party)
    if owed is not None and not _allowed(session, party, seq):
        owed = None
    agreed = not session.parties.not_agreed()
    rolls = role in session.system.rollers and agreed
    for action in session.system.actions(session.game, party):
        if action.type not in REQUESTS or (rolls and owed is None):
            yield action if agreed else msgspec.structs.replace(action, due=False)
    if owed is not None and rolls:
        text = Message("ask again for what was voided, the {type} of event {seq}", type=owed.type, seq=owed.seq)
        yield Action(owed.type, text, None, body=msgspec.json.decode(owed.raw), due=True)


def _allowed(session: Session, party: str, seq: int) -> bool:
    """Return whether the rules still allow the request that the party owes."""
    request = msgspec.structs.replace(session.owes[party], seq=seq)
    try:
        session.system.request(session.game, request)
    except Violation:
        return False
    return True


def _strikes(session: Session, party: str) -> Iterable[Action]:
    if session.latest is not None and party in session.missing_strikes():
        roll = session.latest.request
        yield Action("strike", Message("take roll {roll} back", roll=roll), None, body={"roll": roll})


def _rulings(session: Session, role: Role, seq: int) -> Iterable[Action]:
    if role != "judge":
        return
    subject = Field("subject", Message("the number of the event"), Range(0, seq - 1))
    text = Field("text", Message("the reason"), Free("text"))
    results = Field("results", Message("dice and their results"), Free("results", ("ruling",)), required=False)
    whom = Field("party", Message("who gets it"), OneOf(options(session.parties.roles)))
    kinds = {
        "void": (Message("rule an event void"), ()),
        "correct": (Message("correct an event"), (results,)),
        "uphold": (Message("uphold an event"), ()),
        "penalty": (Message("give a penalty"), (whom,)),
    }
    for ruling, (label, more) in kinds.items():
        yield Action("ruling", label, None, (subject, text, *more), {"ruling": ruling})


def _calls(session: Session, party: str) -> Iterable[Action]:
    """Yield the actions by which this party signs others away, back or out of the game, or leaves for a while."""
    judge = session.parties.roles[party] == "judge"
    for name, role in session.parties.roles.items():
        if role in ("keeper", "judge") or name not in session.parties.joined - session.parties.left:
            continue
        if name in session.parties.away:
            if judge:
                yield Action("back", Message("say that {party} is back", party=name), None, body={"party": name})
        elif (
            name == party
            or judge
            or (session.parties.may_call(party) and party not in session.parties.calls.get(name, ()))
        ):
            label = Message("go away for a while") if name == party else Message("sign {party} away", party=name)
            yield Action("away", label, None, body={"party": name})
    if judge:
        for name, role in session.parties.roles.items():
            if role != "keeper" and name != party and name not in session.parties.left:
                label = Message("take {party} out of the game", party=name)
                yield Action("leave", label, None, body={"party": name})
