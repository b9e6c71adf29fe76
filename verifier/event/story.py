"""The lines of an event log in words, for people (specs/event.md, "Acts")."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, UnsetType

from rules.data.language import N_, Listed, Message
from verifier.event import acts
from verifier.event.replay import EventReplay, TakenEventLine
from verifier.log.bodies import Appoint, CorrectKey
from verifier.log.identity import VerifierKey

__all__ = ["Story", "StoryLine", "result_words"]


class StoryLine(Struct, frozen=True):
    """A line of an event log, in words. `time` is the keeper's, in UTC; `what` goes on where `by` begins."""

    line: int
    time: str
    by: Message | str
    type: str
    what: Message


class Story:
    """Tells an event line by line, with the names of players that are given, and their numbers."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._replay = EventReplay()
        self._names = names
        self._slips: dict[int, int] = {}
        """line of a slip → table"""
        self._penalties: dict[int, int] = {}
        """line of a penalty, or of its correction → player"""
        self._results: dict[tuple[int, int], tuple[acts.SideResult, ...]] = {}
        """round, table → the result that was set last"""

    @property
    def replay(self) -> EventReplay:
        """The replay of the lines that were told."""
        return self._replay

    def tell(self, line: bytes, *, trusted: bool = False) -> StoryLine:
        """Take the next line, without its line feed, and tell it. Raises Failure, as `EventReplay.step`."""
        taken = self._replay.step(line, trusted=trusted)
        player = self._replay.state.player_named(taken.by)
        by = taken.by if player is None else self._person(player.number)
        tell: Callable[[Any, TakenEventLine], Message] = getattr(self, "_" + taken.type.replace("-", "_"))
        return StoryLine(taken.seq, taken.time, by, taken.type, tell(taken.act, taken))

    # --- people, tables and results -----------------------------------------------------------------------------------

    def _person(self, number: int) -> Message:
        name = self._names.get(number)
        if name is None:
            return Message("player {number}", number=number)
        return Message("{name} ({number})", name=name, number=number)

    def _people(self, numbers: Iterable[int]) -> Message:
        return Listed(map(self._person, numbers))

    def _seated(self, table: acts.Pairing) -> Message:
        sides = Listed((Listed(map(self._person, side), " + ") for side in table.sides), " : ")
        return Message("table {table}: {sides}", table=table.table, sides=sides)

    def _tables(self, tables: Iterable[acts.Pairing]) -> Message:
        return Listed(map(self._seated, tables), "; ")

    @staticmethod
    def _numbered(tables: Sequence[int]) -> Message:
        told = _ranges(tables)
        return Message("table {table}", table=told) if told.isdecimal() else Message("tables {tables}", tables=told)

    def _result(self, sides: Sequence[Sequence[int]], results: Sequence[acts.SideResult]) -> Message:
        told = zip(sides, results, strict=False)
        return Listed(
            (
                Message(
                    "{side}: {result}",
                    side=Listed(map(self._person, side), " + "),
                    result=result_words(result.members()),
                )
                for side, result in told
            ),
        )

    def _at(self, round_: int, table: int) -> "Sequence[Sequence[int]]":
        return self._replay.state.rounds[round_ - 1].tables[table].sides

    def _table_of(self, line: int) -> int:
        """Return the table of a call, an answer or an appeal."""
        return self._replay.state.calls[line][2]

    # --- acts ---------------------------------------------------------------------------------------------------------

    def _open(self, act: acts.EventOpen, _: TakenEventLine) -> Message:
        text = N_("began the event {title}: {system}, at most {rounds} rounds")
        return Message(text, title=act.title, system=act.system, rounds=act.rounds)

    def _appoint(self, act: Appoint, _: TakenEventLine) -> Message:
        return Message(_APPOINTED[act.role], name=VerifierKey.parse(act.key).name)

    def _dismiss(self, act: acts.Dismiss, _: TakenEventLine) -> Message:
        return Message("dismissed {name}. Why: {reason}", name=act.name, reason=act.reason)

    def _register(self, act: acts.Register, _: TakenEventLine) -> Message:
        numbers = [each.number for each in act.players]
        if len(numbers) == 1:
            return Message("registered {player}", player=self._person(*numbers))
        return Message("registered players {numbers}", numbers=_ranges(numbers))

    def _check_in(self, act: acts.CheckIn, line: TakenEventLine) -> Message:
        player = self._person(act.number)
        if isinstance(act.tablet, str):
            text = N_("checked in {player} on a device of the event's staff: {text}")
            return Message(text, player=player, text=act.tablet)
        return Message("checked in") if _is_own(line, act.number) else Message("checked in {player}", player=player)

    def _drop(self, act: acts.Drop, line: TakenEventLine) -> Message:
        if _is_own(line, act.number):
            return Message("dropped. Why: {reason}", reason=act.reason)
        return Message("dropped {player}. Why: {reason}", player=self._person(act.number), reason=act.reason)

    def _pair(self, act: acts.Pair, _: TakenEventLine) -> Message:
        told = Message("paired round {round}: {tables}", round=act.round, tables=self._tables(act.tables))
        return self._with_byes(told, act.byes)

    def _with_byes(self, told: Message, byes: Sequence[int]) -> Message:
        return Message("{pairings}; bye: {players}", pairings=told, players=self._people(byes)) if byes else told

    def _start(self, act: acts.StartRound, _: TakenEventLine) -> Message:
        return Message("started round {round}, {minutes} minutes", round=act.round, minutes=act.minutes)

    def _opened(self, act: acts.Opened, _: TakenEventLine) -> Message:
        return Message("opened the games of {tables}", tables=self._numbered([each.table for each in act.games]))

    def _extend(self, act: acts.Extend, _: TakenEventLine) -> Message:
        text = N_("gave {minutes} more minutes to table {table}. Why: {reason}")
        return Message(text, table=act.table, minutes=act.minutes, reason=act.reason)

    def _pause(self, act: acts.Pause, _: TakenEventLine) -> Message:
        text = N_("stopped the clock of round {round} for {minutes} minutes. Why: {reason}")
        return Message(text, round=act.round, minutes=act.minutes, reason=act.reason)

    def _by_hand(self, act: acts.DiceByHand, _: TakenEventLine) -> Message:
        text = N_("said that table {table} throws its dice by hand from here on, without proof: {text}")
        return Message(text, table=act.table, text=act.text)

    def _call(self, act: acts.JudgeCall, _: TakenEventLine) -> Message:
        told = Message("called a judge to table {table}", table=act.table)
        return _with(told, act.text)

    def _answer(self, act: acts.Answer, _: TakenEventLine) -> Message:
        appeal = self._replay.state.calls[act.call][0] == "appeal"
        text = (
            N_("answered the appeal of line {line}, table {table}: {text}")
            if appeal
            else N_("answered the call of line {line}, table {table}: {text}")
        )
        return Message(text, line=act.call, table=self._table_of(act.call), text=act.text)

    def _appeal(self, act: acts.Appeal, _: TakenEventLine) -> Message:
        told = Message(
            "appealed the answer of line {line}, table {table}", line=act.answer, table=self._table_of(act.answer)
        )
        return _with(told, act.text)

    def _slip(self, act: acts.Slip, line: TakenEventLine) -> Message:
        self._slips[line.seq] = act.table
        self._results[act.round, act.table] = act.sides
        result = self._result(self._at(act.round, act.table), act.sides)
        if isinstance(act.reason, str):
            text = N_("set the result of table {table}, round {round}: {result}. Why: {reason}")
            return Message(text, table=act.table, round=act.round, result=result, reason=act.reason)
        text = N_("handed in the slip of table {table}, round {round}: {result}")
        return Message(text, table=act.table, round=act.round, result=result)

    def _agree(self, act: acts.Agree, _: TakenEventLine) -> Message:
        table = self._slips[act.slip]
        return Message("agreed to the slip of line {line}, table {table}", line=act.slip, table=table)

    def _penalty(self, act: acts.Penalty, line: TakenEventLine) -> Message:
        self._penalties[line.seq] = act.number
        penalty = Message(_PENALTIES[act.penalty])
        text = N_("gave {player} {penalty}: {text}")
        return Message(text, player=self._person(act.number), penalty=penalty, text=act.text)

    def _correct_pairing(self, act: acts.CorrectPairing, _: TakenEventLine) -> Message:
        parts = []
        if act.cancelled:
            parts.append(Message("cancelled {tables}", tables=self._numbered(act.cancelled)))
        if act.tables:
            parts.append(Message("now {tables}", tables=self._tables(act.tables)))
        if not isinstance(act.byes, UnsetType):
            none = Message("no byes")
            parts.append(Message("bye: {players}", players=self._people(act.byes)) if act.byes else none)
        text = N_("changed the pairings of round {round}: {changes}. Why: {reason}")
        return Message(text, round=act.round, changes=Listed(parts, "; "), reason=act.reason)

    def _correct_result(self, act: acts.CorrectResult, _: TakenEventLine) -> Message:
        sides = self._at(act.round, act.table)
        text = N_("corrected the result of table {table}, round {round}, to {result} (it was {before}). Why: {reason}")
        before = self._result(sides, self._results[act.round, act.table])
        self._results[act.round, act.table] = act.sides
        result = self._result(sides, act.sides)
        return Message(text, table=act.table, round=act.round, result=result, before=before, reason=act.reason)

    def _correct_penalty(self, act: acts.CorrectPenalty, line: TakenEventLine) -> Message:
        number = self._penalties[act.line]
        self._penalties[line.seq] = number
        values: dict[str, Any] = {"line": act.line, "player": self._person(number), "reason": act.reason}
        if isinstance(act.penalty, str):
            text = N_("changed the penalty of line {line}, of {player}, to {penalty}. Why: {reason}")
            return Message(text, penalty=Message(_PENALTIES[act.penalty]), **values)
        return Message("took back the penalty of line {line}, of {player}. Why: {reason}", **values)

    def _correct_drop(self, act: acts.CorrectDrop, _: TakenEventLine) -> Message:
        return Message("brought {player} back. Why: {reason}", player=self._person(act.number), reason=act.reason)

    def _correct_key(self, act: CorrectKey, _: TakenEventLine) -> Message:
        text = N_("gave {player} a new key: the old phone is out. Why: {reason}")
        return Message(text, player=self._person(act.number), reason=act.reason)

    def _seal(self, act: acts.SealTables, _: TakenEventLine) -> Message:
        tables = self._numbered([each.table for each in act.games])
        return Message("sealed the games of round {round}: {tables}", round=act.round, tables=tables)

    def _end(self, act: acts.End, _: TakenEventLine) -> Message:
        told = Message("ended round {round}", round=act.round)
        if not act.left:
            return told
        left = (Message("table {table} ({reason})", table=each.table, reason=each.reason) for each in act.left)
        return Message("{ended}; without a result: {tables}", ended=told, tables=Listed(left, "; "))

    def _close(self, *_: object) -> Message:
        return Message("closed the event")


_APPOINTED = {
    "organizer": N_("appointed {name} as organizer"),
    "head": N_("appointed {name} as head judge"),
    "judge": N_("appointed {name} as judge"),
}
_PENALTIES = {
    "warning": N_("a warning"),
    "game-loss": N_("a game loss"),
    "match-loss": N_("a match loss"),
    "disqualification": N_("a disqualification"),
}
_MEMBERS = {
    "won": N_("won {count}"),
    "drawn": N_("drawn {count}"),
    "conceded": N_("conceded {count}"),
    "points": N_("points {count}"),
}


_ALWAYS = ("won", "points")
"""what is told of a side though it is 0"""


def result_words(found: Mapping[str, int]) -> Message:
    """Return the members of a side's result in words."""
    shown = [name for name in _MEMBERS if found.get(name) or (name in found and name in _ALWAYS)]
    return Listed(Message(_MEMBERS[name], count=found[name]) for name in shown)


def _with(told: Message, text: str) -> Message:
    return Message("{told}: {text}", told=told, text=text) if text else told


def _is_own(line: TakenEventLine, number: int) -> bool:
    return line.by == acts.player_name(number)


def _ranges(numbers: Iterable[int]) -> str:
    """Return `1–3, 7` for 1, 2, 3 and 7."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
