"""Players who roll and open as fast as they are let, each at a table of its own, whatever happens to the server."""

import threading
import time
from collections.abc import Sequence

import httpx

from ledger.errors import WaitingError
from tests.server.served import Plain
from verifier import verify
from verifier.opening import SentOpening

__all__ = ["Player", "check_all"]


class Player(threading.Thread):
    """Rolls and opens as fast as it is let, at a table of its own, and goes on after whatever happens."""

    def __init__(self, party: Plain, until: threading.Event) -> None:
        super().__init__()
        self.party, self.until = party, until
        self.acknowledged: dict[int, bytes] = {}
        self.opened: set[str] = set()
        self.problem: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.until.is_set():
                try:
                    self._once()
                except httpx.TransportError:
                    time.sleep(0.05)
        except BaseException as problem:
            self.problem = problem

    def _once(self) -> None:
        party = self.party
        party.fetch()
        if party.view.replay.session.phase == "pending":
            pending = party.view.replay.pending
            assert pending is not None
            try:
                opening = party.seat.opening(party.view)
            except WaitingError:  # the keeper has not signed over the request yet
                time.sleep(0.05)
                return
            answer = party.post(party.path("openings"), bytes(SentOpening.of(party.game, pending.request, opening)))
            if answer.status_code in (200, 201):
                self.opened.add(opening.link)
            return
        line = party.seat.sign(party.view, "roll", party.typed())
        while not self.until.is_set():
            try:
                answer = party.offer(line)
            except httpx.TransportError:
                time.sleep(0.05)
                continue
            if answer.status_code in (200, 201):
                self.acknowledged[answer.json()["seq"]] = line
            else:
                assert answer.status_code in (409, 503), answer.text
            return


def check_all(players: Sequence[Player]) -> None:
    """What was acknowledged is there, once; every log verifies."""
    for player in players:
        if player.problem is not None:
            raise player.problem
        party = player.party
        party.fetch()
        lines = list(party.view.lines(0))
        for seq, line in player.acknowledged.items():
            assert lines[seq] == line
        log = b"".join(line + b"\n" for line in lines)
        for link in player.opened:
            if party.view.replay.session.phase != "pending":
                assert link.encode() in log
        assert len(set(lines)) == len(lines)
        report, _ = verify(log)
        assert report.verdict == "holds"
        assert player.acknowledged
