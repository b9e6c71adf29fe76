"""The rules for people at an event: staff, players, keys and penalties (specs/event.md, E8 to E14 and E29)."""

import re

from msgspec import UNSET

from rules.base import given
from rules.data.language import N_
from verifier.errors import KeyFormatError
from verifier.event.acts import (
    PLAYER_NAME,
    CheckIn,
    CorrectDrop,
    CorrectPenalty,
    Dismiss,
    Drop,
    Penalty,
    Register,
    claim_message,
    player_name,
)
from verifier.event.records import Person, RegisteredPlayer
from verifier.event.refusals import refuse
from verifier.event.state import ActLine, EventState
from verifier.log.bodies import Appoint, CorrectKey
from verifier.log.identity import VerifierKey, holds

__all__ = [
    "appoint",
    "check_in",
    "correct_drop",
    "correct_key",
    "correct_penalty",
    "dismiss",
    "drop",
    "penalty",
    "register",
]

_STATES = {
    "in": N_("Player {number} is checked in already."),
    "dropped": N_("Player {number} has dropped."),
}


def appoint(state: EventState, act: Appoint, at: ActLine) -> None:
    """Take a member of staff into office (E8)."""
    try:
        key = VerifierKey.parse(act.key)
    except KeyFormatError as error:
        refuse(8, "appoint.person", N_("Nobody can be appointed with this key: {problem}."), problem=error)
    taken = key.name in state.people or key.name == state.terms.keeper or key.public_bytes in state.public
    if taken or re.fullmatch(PLAYER_NAME, key.name):
        text = N_("{name} cannot be appointed: the name or the key is a player's, or was somebody's before.")
        refuse(8, "appoint.person", text, name=key.name)
    state.people[key.name] = Person(key, act.role, at.seq)
    state.know(key)


def dismiss(state: EventState, act: Dismiss, at: ActLine) -> None:
    """End an office (E9)."""
    person = state.people.get(act.name)
    if person is None or person.until is not None:
        refuse(9, "appoint.person", N_("{name} has no office here that could end."), name=act.name)
    others = [each for each in state.people.values() if each is not person and each.until is None]
    if not any(each.role == "organizer" for each in others):
        refuse(9, "appoint.person", N_("{name} is the last organizer: an event has one."), name=act.name)
    person.until = at.seq
    state.ended[person.since] = at.time


def register(state: EventState, act: Register, at: ActLine) -> None:
    """Register players under their numbers (E10)."""
    numbers, claims = set(state.players), set(state.claims)
    for each in act.players:
        claim = given(each.claim, None)
        if each.number in numbers or claim in claims:
            text = N_("Player {number} is registered already, or has somebody else's claim code.")
            refuse(10, "player.number", text, number=each.number)
        numbers.add(each.number)
        if claim is not None:
            claims.add(claim)
    for each in act.players:
        state.players[each.number] = RegisteredPlayer(each.number, each.name, given(each.claim, None))
    state.claims = claims


def _new_key(state: EventState, text: str, number: int) -> VerifierKey:
    """Parse a key that the player with this number can have (E13)."""
    try:
        key = VerifierKey.parse(text)
    except KeyFormatError as error:
        refuse(13, "player.key", N_("Player {number} cannot have this key: {problem}."), number=number, problem=error)
    if key.name != player_name(number) or key.public_bytes in state.public:
        template = N_("Player {number} cannot have this key: it has another name than p{number}, or is somebody's.")
        refuse(13, "player.key", template, number=number)
    return key


def check_in(state: EventState, act: CheckIn, at: ActLine) -> None:
    """Check a player in under a key, by its claim code or at the desk (E11 to E14)."""
    player = state.registered(act.number)
    if player.state != "registered":
        refuse(12, "player.state", _STATES[player.state], number=act.number)
    key, claim = _new_key(state, act.key, act.number), given(act.claim, None)
    desk = at.by != player_name(act.number)
    if desk:
        right = claim is None
    else:
        right = claim is not None and player.claim is not None and act.tablet is UNSET
        if right:
            assert claim is not None
            assert player.claim is not None
            message = claim_message(state.terms.game.hex(), act.key)
            right = holds(bytes.fromhex(player.claim), bytes.fromhex(claim), message)
    if not right:
        text = N_("The claim code of player {number} did not sign this key.")
        refuse(14, "player.claim", text, number=act.number)
    player.key, player.state, player.desk = key, "in", desk
    state.know(key)
    state.count("event.desk", at.seq, int(desk))
    state.count("event.tablet", at.seq, int(act.tablet is not UNSET))


def drop(state: EventState, act: Drop, at: ActLine) -> None:
    """Take a player out of the event (E11, E12)."""
    player = state.registered(act.number)
    if player.state == "dropped":
        refuse(12, "player.state", _STATES["dropped"], number=act.number)
    _take_out(player)


def _take_out(player: RegisteredPlayer) -> None:
    if player.state != "dropped":
        player.before, player.state = player.state, "dropped"


def correct_drop(state: EventState, act: CorrectDrop, at: ActLine) -> None:
    """Take a dropped player back (E11, E12)."""
    player = state.registered(act.number)
    if player.state != "dropped":
        refuse(12, "player.state", N_("Player {number} has not dropped."), number=act.number)
    player.state = player.before
    state.count("event.corrected", at.seq)


def correct_key(state: EventState, act: CorrectKey, at: ActLine) -> None:
    """Give a player another key (E11 to E13)."""
    player = state.registered(act.number)
    if player.state != "in":
        refuse(12, "player.state", N_("Player {number} is not checked in."), number=act.number)
    key, before = _new_key(state, act.key, act.number), player.rekeyed
    if before >= 0:
        state.ended[before] = at.time
    player.key, player.rekeyed = key, at.seq
    state.know(key)
    state.count("event.rekeyed", at.seq)


def penalty(state: EventState, act: Penalty, at: ActLine) -> None:
    """Give a player a penalty; a disqualification takes the player out (E11)."""
    player = state.registered(act.number)
    state.penalties[at.seq] = (act.number, act.penalty)
    if act.penalty == "disqualification":
        _take_out(player)


def correct_penalty(state: EventState, act: CorrectPenalty, at: ActLine) -> None:
    """Replace a penalty that stands, or take it back (E29)."""
    found = state.penalties.get(act.line)
    if found is None:
        refuse(29, "penalty.unknown", N_("Line {line} is no penalty that stands."), line=act.line)
    del state.penalties[act.line]
    penalty = given(act.penalty, None)
    if penalty is not None:
        state.penalties[at.seq] = (found[0], penalty)
        if penalty == "disqualification":
            _take_out(state.players[found[0]])
    state.count("event.corrected", at.seq)
