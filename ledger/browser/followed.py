"""A game that a table's page follows, with the rules: each new line costs one event, and the state stays here.

The page has verified signatures, links and dice before a line comes here; the chain and the rules are checked here
(steps 4 to 9, 13 to 17, 21 and 23 of specs/verification.md).
"""

from typing import Any

import msgspec
from msgspec import Struct

from ledger.analysis.advice import KeptRolls, actions_of, explained, read, shortly, state_of
from ledger.errors import UsageError
from ledger.network.wire import AdvisedState, ReadBody, ReadRequest, Reasoned
from rules.base import NotationError
from rules.data.jsontext import UNREADABLE
from verifier.errors import Failure
from verifier.language import translator
from verifier.log.merkle import leaf_hash
from verifier.replay import Replay

__all__ = ["Advise", "Follow", "Read", "Reasons", "Request", "Would", "answer"]


class Request(Struct, tag_field="do", tag=str.lower, forbid_unknown_fields=True, frozen=True):
    """What is asked of a worker."""


class Follow(Request, frozen=True):
    """Take lines, of which the first has the number `at`. Those that are here already cost nothing. Answered with a
    `Followed`.
    """

    at: int
    lines: tuple[str, ...]
    language: str = "en"


class Would(Request, frozen=True):
    """Say whether a line would be taken next; nothing changes. Answered with a `Followed`."""

    line: str
    language: str = "en"


class Advise(Request, frozen=True):
    """Say how the game stands, and what `party` can do. Answered with an `Advised`."""

    language: str
    rolls: int
    party: str | None = None


class Read(Request, frozen=True):
    """Read what was typed, as `POST /v1/games/GAME/read` does. Answered with a `Typed`."""

    language: str
    request: msgspec.Raw


class Reasons(Request, frozen=True):
    """Say how a roll came to what it came to. Answered with a `Told`."""

    language: str
    roll: int


class Refused(Struct, frozen=True):
    """Why a line is not taken."""

    seq: int
    code: str
    step: int
    clause: str | None
    problem: str


class Followed(Struct, frozen=True):
    """How many lines are here now: 0 where another history was given, and all of it is wanted anew."""

    size: int
    refused: Refused | None = None


class Advised(Struct, frozen=True):
    """What a server answers with `state` and `actions`."""

    size: int
    state: AdvisedState
    actions: tuple[Any, ...]


class Typed(Struct, frozen=True):
    """What was meant; or why it cannot be read."""

    read: ReadBody | None = None
    problem: str | None = None


class Told(Struct, frozen=True):
    """The steps of the rules from naturals to outcome; none where the state does not keep the roll."""

    reasons: tuple[Reasoned, ...]


class _Game:
    """The game of this worker."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forget all lines."""
        self.replay = Replay()
        self.leaves: list[bytes] = []
        self.kept: KeptRolls = {}
        self.language = ""
        """of `kept`"""

    def follow(self, asked: Follow) -> Followed:
        """Take lines. What stands here otherwise is forgotten."""
        if asked.at > len(self.leaves):
            return Followed(len(self.leaves))
        for seq, text in enumerate(asked.lines, asked.at):
            line = text.encode()
            leaf = leaf_hash(line)
            if seq < len(self.leaves):
                if self.leaves[seq] == leaf:
                    continue
                self.begin()
                return Followed(0)
            refused = _taken(self.replay, line, asked.language)
            if refused is not None:
                return Followed(seq, refused)
            self.leaves.append(leaf)
        if len(self.leaves) > asked.at + len(asked.lines):
            self.begin()  # what stood behind these was never part of the game
        return Followed(len(self.leaves))

    def would(self, asked: Would) -> Followed:
        """Take a line on trial."""
        return Followed(len(self.leaves), _taken(self.replay.copy(), asked.line.encode(), asked.language))

    def advise(self, asked: Advise) -> Advised:
        """Say how the game stands."""
        translate = translator(asked.language)
        if self.language != asked.language:
            self.language = asked.language
            self.kept.clear()
        state = state_of(self.replay, asked.rolls, translate, self.kept)
        known = asked.party is not None and asked.party in self.replay.terms.roles
        actions = actions_of(self.replay, asked.party or "", translate).actions if known else ()
        return Advised(self.replay.size, state, actions)

    def read(self, asked: Read) -> Typed:
        """Read what was typed."""
        translate = translator(asked.language)
        try:
            return Typed(read(self.replay, msgspec.json.decode(asked.request, type=ReadRequest), translate))
        except NotationError as problem:
            return Typed(problem=shortly(problem.message(translate)))
        except UsageError as problem:
            return Typed(problem=problem.message(translate))
        except UNREADABLE as problem:
            return Typed(problem=shortly(str(problem)))

    def reasons(self, asked: Reasons) -> Told:
        """Say how a roll came to what it came to."""
        try:
            return Told(explained(self.replay, asked.roll, translator(asked.language)).reasons)
        except UsageError:
            return Told(())


_game = _Game()


def _taken(replay: Replay, line: bytes, language: str) -> Refused | None:
    """Take a line; why not."""
    seq = replay.size
    try:
        replay.follow(line)
    except Failure as failure:
        return Refused(seq, failure.code, failure.step, failure.clause, failure.message(translator(language)))
    return None


def answer(asked: Request) -> Struct:
    """Answer what is asked of the game that is followed. Raises LookupError before its first line."""
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
