"""The server's judge, which voids rolls that have waited too long (specs/network.md, "The server's judge")."""

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ledger import lobby
from ledger.errors import LedgerError
from ledger.keeper.host import Host
from ledger.keeper.operations import CallOff, ResumeOutcome
from ledger.lobby import ServersJudge
from ledger.server.duties import LOOK_EVERY
from ledger.server.problems import Problem
from ledger.server.tables import Tables
from ledger.server.writer import Writer
from verifier import VerifierKey

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["CallingOff"]


class _OverdueRoll(NamedTuple):
    """The awaited side of a pending roll, and the deadline (`time.monotonic`)."""

    request: int
    """the number of the request"""
    closer: bool
    """True if the roll's closer is awaited, False if the others are"""
    until: float


class CallingOff:
    """Has the judge void, where there is one."""

    def __init__(self, host: Host, tables: Tables, writer: Writer, log: "FilteringBoundLogger") -> None:
        self._host = host
        self._tables = tables
        self._writer = writer
        self._log = log

    async def work(self) -> None:
        """Look every second, where there is a judge."""
        judge = self._host.judge
        waits: dict[bytes, _OverdueRoll] = {}
        while judge is not None:
            await asyncio.sleep(LOOK_EVERY)
            try:
                waits = await asyncio.to_thread(self._look, judge.key, waits)
                now = time.monotonic()
                for game in [game for game in waits if waits[game].until <= now]:
                    late = waits.pop(game)  # where it goes on waiting, it is looked at again after as long a time
                    await self._writer.operate(CallOff(game, late.request, late.closer), ResumeOutcome)
                    self._log.info("waited-too-long", game=game.hex()[:12])
            except (LedgerError, Problem) as error:
                self._log.warning("judge", problem=str(error))

    def _look(self, judge: VerifierKey, before: Mapping[bytes, _OverdueRoll]) -> dict[bytes, _OverdueRoll]:
        """In a thread: the rolls that wait now; a turn that was seen before goes on."""
        found: dict[bytes, _OverdueRoll] = {}
        for game, request in self._host.ledger.catalog.pending_with(judge).items():
            try:
                closer = self._host.ledger.waits_for_closer(game)
            except LedgerError as error:  # it was deleted, or changed meanwhile: go on with the other games
                self._log.warning("judge", game=game.hex()[:12], problem=str(error))
                continue
            known = before.get(game)
            if known is None or (known.request, known.closer) != (request, closer):
                known = _OverdueRoll(request, closer, time.monotonic() + self._called_off_after(game))
            found[game] = known
        return found

    def _called_off_after(self, game: bytes) -> float:
        """Return the seconds that a roll of a game may wait."""
        row = self._tables.of_game(game.hex())
        judge = None if row is None or row.deleted else lobby.parse_terms(row.terms.encode()).judge
        return judge.after if isinstance(judge, ServersJudge) else float("inf")
