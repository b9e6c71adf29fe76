"""The game that a table's page follows in its worker. The state is kept, so a new line costs one event.

The page verifies signatures, links and dice before it sends a line. This module checks the chain and the rules (steps
4 to 9, 13 to 17, 21 and 23 of specs/verification.md).
"""

from typing import Any

import msgspec
from msgspec import Struct

from ledger.analysis.advice import KeptRolls, actions_of, explain_roll, read, refusal, shortly, state_of
from ledger.errors import UsageError
from ledger.network.wire import AdvisedState, ReadBody, ReadRequest, Reasoned
from rules.base import NotationError
from rules.data.jsontext import UNREADABLE
from verifier.errors import Failure
from verifier.language import translator
from verifier.log.merkle import leaf_hash
from verifier.replay import Replay

__all__ = ["Advise", "Follow", "Read", "Reasons", "WorkerRequest", "Would", "answer"]


class WorkerRequest(Struct, tag_field="do", tag=str.lower, forbid_unknown_fields=True, frozen=True):
    """A request to the worker."""


class Follow(WorkerRequest, frozen=True):
    """Append lines, the first with the number `at`. Known lines cost nothing. Answered with a `FollowAnswer`."""

    at: int
    lines: tuple[str, ...]
    language: str = "en"


class Would(WorkerRequest, frozen=True):
    """Try a line without appending it. Answered with a `FollowAnswer`."""

    line: str
    language: str = "en"


class Advise(WorkerRequest, frozen=True):
    """Describe the state of the game, and what `party` can do. Answered with an `AdviseAnswer`."""

    language: str
    rolls: int
    party: str | None = None


class Read(WorkerRequest, frozen=True):
    """Parse typed text, as `POST /v1/games/GAME/read` does. Answered with a `ReadAnswer`."""

    language: str
    request: msgspec.Raw


class Reasons(WorkerRequest, frozen=True):
    """Explain the outcome of a roll. Answered with a `ReasonsAnswer`."""

    language: str
    roll: int


class Refusal(Struct, frozen=True):
    """The reason why a line is not appended."""

    seq: int
    code: str
    step: int
    clause: str | None
    problem: str


class FollowAnswer(Struct, frozen=True):
    """The number of lines that are here now. After a different history it is 0: then send all lines again."""

    size: int
    refused: Refusal | None = None


class AdviseAnswer(Struct, frozen=True):
    """The same state and actions that a server answers with."""

    size: int
    state: AdvisedState
    actions: tuple[Any, ...]


class ReadAnswer(Struct, frozen=True):
    """The body that the text means, or the reason why it cannot be read, with the lines that would be read instead."""

    read: ReadBody | None = None
    problem: str | None = None
    lines: tuple[str, ...] = ()


class ReasonsAnswer(Struct, frozen=True):
    """The steps of the rules from naturals to outcome; empty if the state does not keep the roll."""

    reasons: tuple[Reasoned, ...]


class _FollowedGame:
    """The game of this worker."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forget all lines."""
        self.replay = Replay()
        self.leaves: list[bytes] = []
        self.kept: KeptRolls = {}
        self.language = ""
        """the language of `kept`"""

    def follow(self, asked: Follow) -> FollowAnswer:
        """Append lines; forget lines that differ from them or come after them."""
        if asked.at > len(self.leaves):
            return FollowAnswer(len(self.leaves))
        for seq, text in enumerate(asked.lines, asked.at):
            line = text.encode()
            leaf = leaf_hash(line)
            if seq < len(self.leaves):
                if self.leaves[seq] == leaf:
                    continue
                self.begin()
                return FollowAnswer(0)
            refused = _append(self.replay, line, asked.language)
            if refused is not None:
                return FollowAnswer(seq, refused)
            self.leaves.append(leaf)
        if len(self.leaves) > asked.at + len(asked.lines):
            self.begin()  # the lines after these were never part of the game
        return FollowAnswer(len(self.leaves))

    def would(self, asked: Would) -> FollowAnswer:
        """Append a line to a copy of the game."""
        return FollowAnswer(len(self.leaves), _append(self.replay.copy(), asked.line.encode(), asked.language))

    def advise(self, asked: Advise) -> AdviseAnswer:
        """Describe the state of the game."""
        translate = translator(asked.language)
        if self.language != asked.language:
            self.language = asked.language
            self.kept.clear()
        state = state_of(self.replay, asked.rolls, translate, self.kept)
        known = asked.party is not None and asked.party in self.replay.terms.roles
        actions = actions_of(self.replay, asked.party or "", translate).actions if known else ()
        return AdviseAnswer(self.replay.size, state, actions)

    def read(self, asked: Read) -> ReadAnswer:
        """Parse typed text."""
        translate = translator(asked.language)
        try:
            return ReadAnswer(read(self.replay, msgspec.json.decode(asked.request, type=ReadRequest), translate))
        except NotationError as problem:
            message, lines = refusal(problem, translate)
            return ReadAnswer(problem=message, lines=lines)
        except UsageError as problem:
            return ReadAnswer(problem=problem.message(translate))
        except UNREADABLE as problem:
            return ReadAnswer(problem=shortly(str(problem)))

    def reasons(self, asked: Reasons) -> ReasonsAnswer:
        """Explain the outcome of a roll."""
        try:
            return ReasonsAnswer(explain_roll(self.replay, asked.roll, translator(asked.language)).reasons)
        except UsageError:
            return ReasonsAnswer(())


_game = _FollowedGame()


def _append(replay: Replay, line: bytes, language: str) -> Refusal | None:
    """Append a line to a replay; return the reason if it is refused."""
    seq = replay.size
    try:
        replay.follow(line)
    except Failure as failure:
        return Refusal(seq, failure.code, failure.step, failure.clause, failure.message(translator(language)))
    return None


def answer(asked: WorkerRequest) -> Struct:
    """Answer a request about the followed game. Raises LookupError before its first line."""
    if isinstance(asked, Follow):
        return _game.follow(asked)
    if not _game.leaves:
        raise LookupError("no line is here yet")
    match asked:
        case Would():
            return _game.would(asked)
        case Advise():
            return _game.advise(asked)
        case Read():
            return _game.read(asked)
        case Reasons():
            return _game.reasons(asked)
    raise TypeError(type(asked))
