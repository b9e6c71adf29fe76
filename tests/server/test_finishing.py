"""What a server could not do while its database was away, or another machine left behind, it does by itself."""

import asyncio
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
import structlog

from ledger.errors import StoreError
from ledger.keeper.operations import HandIn, Operation, Outcome
from ledger.server import duties as serving
from ledger.server.duties import Finishing
from ledger.server.problems import Problem
from ledger.server.published import PublishedStore
from ledger.server.service import Service
from ledger.server.tables import TABLES_KIND, Tables
from ledger.store.storage import SqliteStorage
from ledger.transparency.anchors import ANCHORS_KIND, Anchors
from rules.systems.mtg.bodies import Options, RollBody
from tests.support.hosted import Hosted
from tests.support.table import SYSTEM


def test_what_was_taken_is_signed_and_revealed_though_nobody_sends_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "FINISH_EVERY", 0.02)
    with ExitStack() as stack:
        hosted = stack.enter_context(closing(Hosted(tmp_path / "hosted")))
        game = hosted.open(hosted.terms(SYSTEM, Options(planechase=False)))
        alice, bob = hosted.clients[game].values()
        of_tables, of_anchors = (
            stack.enter_context(closing(SqliteStorage(tmp_path / name, kind=kind, mode=0o600)))
            for name, kind in (("tables.db", TABLES_KIND), ("anchors.db", ANCHORS_KIND))
        )
        anchors = Anchors(of_anchors, hosted.keeper.key)
        service = Service(
            hosted.host, hosted.keeper, Tables(of_tables), PublishedStore(of_tables), anchors, structlog.get_logger()
        )

        def away(*_: object) -> None:
            raise StoreError("the database is away")

        async def finished(size: int) -> None:
            """Wait until the keeper has signed over so many lines."""
            while (found := hosted.ledger.checkpoint(game)) is None or found.head.size < size:
                await asyncio.sleep(0.01)
            assert found.head.size == size

        async def play() -> None:
            async with service.lifespan(None):  # type: ignore[arg-type]
                size = hosted.ledger.size(game)
                line = alice.act("roll", RollBody(source="Delina", dice="1d20", use="attack")).line
                with monkeypatch.context() as patched:
                    patched.setattr(hosted.ledger, "keep_signed", away)
                    with pytest.raises(Problem, match="away"):
                        await service.games.offer(game, line)
                    assert hosted.ledger.size(game) == size + 1
                await asyncio.wait_for(finished(size + 1), 30)
                hosted.hear_all()
                alice_now, bob_now = hosted.clients[game].values()
                await service.games.hand_in(game, bytes(bob_now.open()))
                alice_now.openings = {each.author: each for each in hosted.ledger.openings(game)}
                last: HandIn = HandIn(alice_now.open())
                with monkeypatch.context() as patched:
                    patched.setattr(hosted.ledger, "keep_signed", away)
                    with pytest.raises(Problem, match="away"):
                        await service.games.hand_in(game, bytes(last.opening))
                    assert hosted.ledger.size(game) == size + 1
                await asyncio.wait_for(finished(size + 2), 30)

        asyncio.run(play())
        assert bob.game == game
        assert hosted.ledger.view(game).replay.session.phase == "idle"


def test_what_another_machine_took_and_did_not_sign_is_finished_once(tmp_path: Path) -> None:
    """It died in between: a line without a checkpoint, then a roll that has all its openings."""
    with closing(Hosted(tmp_path)) as hosted:
        game = hosted.open(hosted.terms(SYSTEM, Options(planechase=False)))
        alice, bob = hosted.clients[game].values()
        writer = DirectWriter(hosted)
        finishing = Finishing(hosted.host, writer, NoAnchoring())  # type: ignore[arg-type]

        def look(times: int = 3) -> int:
            """How many games were taken up in so many looks."""
            before = len(writer.asked)
            for _ in range(times):
                asyncio.run(finishing._look())
            return len(writer.asked) - before

        assert look() == 0
        size = hosted.ledger.size(game)
        hosted.ledger.append(game, alice.act("roll", RollBody(source="Delina", dice="1d20", use="attack")).line)
        assert look(1) == 0, "another may be at work on it"
        assert look() > 0
        checkpoint = hosted.ledger.checkpoint(game)
        assert checkpoint is not None
        assert checkpoint.head.size == size + 1
        assert look(9) <= 1, "a roll that waits for its players is looked at once as it stands"
        hosted.hear_all()
        alice, bob = hosted.clients[game].values()
        hosted.ledger.hand_in(game, bob.open().opening)
        alice.openings = {each.author: each for each in hosted.ledger.openings(game)}
        hosted.ledger.hand_in(game, alice.open().opening)
        assert look() == 1
        assert hosted.ledger.view(game).replay.session.phase == "idle"
        assert look() == 0


class DirectWriter:
    """Does what it is asked at once."""

    def __init__(self, hosted: Hosted) -> None:
        self.hosted = hosted
        self.asked: list[Operation] = []

    async def ask(self, operation: Operation) -> Outcome:
        self.asked.append(operation)
        (outcome,) = self.hosted.host.process([operation]).outcomes
        return outcome


class NoAnchoring:
    failed = False
