"""Commands of games typed in this process, on a state alone: what they would write, without keys or a database."""

from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

import ledger.cli
from ledger.cli.call import Call
from ledger.errors import UsageError
from rules import Session
from rules.script import ScriptEvent

__all__ = ["Typed", "Typist"]


class Typed(NamedTuple):
    """What a command would write."""

    party: str
    type: str
    body: dict[str, Any]


class _Terms(NamedTuple):
    called: Mapping[str, str] = MappingProxyType({})


class _Replay(NamedTuple):
    size: int
    terms: _Terms = _Terms()


class Typist:
    """Types commands on a session; the game's id is GAME."""

    def __init__(self, session: Session, seq: int, patch: pytest.MonkeyPatch) -> None:
        self.session, self.seq = session, seq
        self._written: list[Typed] = []
        typist = self

        class Play:
            def __init__(self, call: Call, game: str) -> None:
                assert game == "GAME"
                self.call, self.short = call, game

            session = property(lambda _: typist.session)
            replay = property(lambda _: _Replay(typist.seq))

            def settle(self) -> bool:
                return True

            def when_settled(self, act: Callable[[], Any]) -> Any:
                return act()

            def check_party(self, name: str) -> None:
                assert name in typist.session.parties.roles

            def check_turn(self, author: str, type: str) -> None:
                pass

        def perform(play: Play, type: str, members: Mapping[str, Any], *, only: bool = False) -> None:
            self._written.append(Typed(play.call.acting, type, dict(members)))

        def presence(
            play: Play, type: str, party: str, members: Mapping[str, str] = MappingProxyType({}), *, yes: bool = False
        ) -> None:
            self._written.append(Typed(play.call.acting, type, {"party": party, **members}))

        def join(play: Play, links: int) -> None:
            self._written.append(Typed(play.call.acting, "join", {}))

        for module in ("play", "rolls", "joining", "presence", "latecomers", "rulings", "close_game"):
            patch.setattr(f"ledger.cli.{module}.Play", Play)
        patch.setattr("ledger.cli.event_input.perform", perform)
        patch.setattr("ledger.cli.presence.sign_presence", presence)
        patch.setattr("ledger.cli.joining.join_game", join)

    def __call__(self, *arguments: str) -> Typed:
        """What the command writes. Raises UsageError where it is refused."""
        self._written.clear()
        said = StringIO()
        with redirect_stderr(said), redirect_stdout(StringIO()):
            code = ledger.cli.run(arguments)
        if code or not self._written:
            raise UsageError(f"{arguments}: {said.getvalue()}")
        return self._written[-1]

    def take(self, typed: Typed) -> None:
        """Raises Violation where the rules do not take it."""
        import msgspec

        from rules.script import step

        line = ScriptEvent(typed.party, typed.type, msgspec.Raw(msgspec.json.encode(typed.body)))
        step(self.session, self.seq, line)
