"""The rules for acts: who may write which, and what each does (specs/event.md, "Rules": E1 to E31)."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from rules.data.language import N_
from verifier.errors import KeyFormatError
from verifier.event import people_rules, result_rules, round_rules
from verifier.event.acts import (
    PLAYER_NAME,
    Agree,
    Answer,
    Appeal,
    CheckIn,
    CorrectDrop,
    CorrectPairing,
    CorrectPenalty,
    CorrectResult,
    DiceByHand,
    Dismiss,
    Drop,
    End,
    EventClose,
    Extend,
    JudgeCall,
    Opened,
    Pair,
    Pause,
    Penalty,
    Register,
    SealTables,
    Slip,
    StartRound,
    player_name,
)
from verifier.event.refusals import refuse
from verifier.event.state import STAFF, ActLine, EventState
from verifier.log.bodies import Appoint, CorrectKey, SignedAct
from verifier.log.identity import VerifierKey

__all__ = ["apply_act", "check_author"]

_ORGANIZER = frozenset({"organizer"})
_SENIOR = frozenset({"organizer", "head"})
_BY: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("appoint", "dismiss", "register", "pair", "start", "end", "close"), _ORGANIZER),
    **dict.fromkeys(("correct-pairing", "correct-key"), _ORGANIZER),
    **dict.fromkeys(("correct-result", "correct-penalty", "correct-drop"), _SENIOR),
    **dict.fromkeys(("pause",), _SENIOR),
    **dict.fromkeys(("extend", "by-hand", "answer", "penalty"), STAFF),
    **dict.fromkeys(("check-in", "drop", "slip"), STAFF | {"player"}),
    **dict.fromkeys(("call", "appeal", "agree"), frozenset({"player"})),
}
"""type of act → roles that may write it (E3)"""

_RULES: Mapping[type[Any], Callable[[EventState, Any, ActLine], None]] = {
    Appoint: people_rules.appoint,
    Dismiss: people_rules.dismiss,
    Register: people_rules.register,
    CheckIn: people_rules.check_in,
    Drop: people_rules.drop,
    Penalty: people_rules.penalty,
    CorrectPenalty: people_rules.correct_penalty,
    CorrectDrop: people_rules.correct_drop,
    CorrectKey: people_rules.correct_key,
    Pair: round_rules.pair,
    Opened: round_rules.name_games,
    Extend: round_rules.extend,
    Pause: round_rules.pause,
    DiceByHand: round_rules.by_hand,
    CorrectPairing: round_rules.correct_pairing,
    SealTables: round_rules.seal,
    End: round_rules.end,
    EventClose: round_rules.close,
    StartRound: round_rules.start,
    JudgeCall: result_rules.call,
    Answer: result_rules.answer,
    Appeal: result_rules.appeal,
    Slip: result_rules.slip,
    Agree: result_rules.agree,
    CorrectResult: result_rules.correct_result,
}
"""type of act → its rule"""


def check_author(state: EventState, type: str, act: Any, by: str) -> VerifierKey:
    """Verify that the author may write the act (E2 and E3), and return the key for its signature.
    Raises Failure.
    """
    checks_in = isinstance(act, CheckIn) and re.fullmatch(PLAYER_NAME, by)
    role = "player" if checks_in else state.role_of(by)
    key = _own_key(act, by) if checks_in else state.key_of(by)
    if key is None:
        refuse(2, "act.author", N_("{by} is nobody who takes part in this event."), by=by)
    if role not in _BY[type]:
        refuse(3, "act.role", N_("{by} ({role}) does not write {type}."), by=by, role=role, type=type)
    if role == "player" and isinstance(act, (CheckIn, Drop)) and player_name(act.number) != by:
        text = N_("{by} is not player {number}: players act for themselves.")
        refuse(3, "act.role", text, by=by, number=act.number)
    return key


def apply_act(state: EventState, act: Any, signed: SignedAct | None, seq: int, time: str, upon: int) -> None:
    """Take an act in line `seq`, signed upon line `upon`, into the state. Raises Failure; the state is then unchanged.

    `signed` is None for a line that the keeper writes itself. The signature is valid.
    """
    by = state.terms.keeper if signed is None else signed.by
    _RULES[type(act)](state, act, ActLine(by, seq, time, upon))


def _own_key(act: CheckIn, by: str) -> VerifierKey | None:
    """Return the key that a player checks in with, if it has the player's name; else None."""
    try:
        key = VerifierKey.parse(act.key)
    except KeyFormatError:
        return None
    return key if key.name == by else None
