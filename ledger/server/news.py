"""Deliver the news of games when they are durable: to readers, witnesses, the webhook and the metrics."""

from collections.abc import Mapping, Sequence

from ledger.keeper.operations import NewCheckpoint, NewLine, NewOpening, News
from ledger.server.cosigned import GameLog
from ledger.server.cosigning import CosignedLog, Cosigning
from ledger.server.metrics import Metrics
from ledger.server.readers import Readers
from ledger.server.webhook import Posting
from ledger.server.writer import Writer
from ledger.store.ledger import Ledger

__all__ = ["NewsDelivery"]


class NewsDelivery:
    """Tells everybody whom news of games concern. All methods are for the event loop."""

    def __init__(
        self,
        ledger: Ledger,
        readers: Readers,
        metrics: Metrics,
        posting: Posting | None,
        writer: Writer,
        *,
        witness_games: bool,
    ) -> None:
        """`witness_games`: witnesses cosign each game, too."""
        self._ledger = ledger
        self._readers = readers
        self._metrics = metrics
        self._posting = posting
        self._writer = writer
        self._witness_games = witness_games
        self.cosigning: Cosigning | None = None
        """the requests to witnesses, while the server runs"""

    def deliver(self, news: Mapping[bytes, Sequence[News]]) -> None:
        """Send what this server's writer has stored to readers, witnesses, metrics and the webhook."""
        self.publish(news)
        self._count(news)
        if self._posting is not None:
            for game, found in news.items():
                self._posting.take(game, found)

    def publish(self, news: Mapping[bytes, Sequence[News]]) -> None:
        """Send the news of games to their readers, once, and have witnesses cosign."""
        for game, found in news.items():
            if self._witness_games and any(isinstance(each, NewCheckpoint) for each in found):
                self.have_cosigned(GameLog(self._ledger, game, self._writer.write))
            self._readers.tell(game, found)

    def have_cosigned(self, log: CosignedLog) -> None:
        """Have the witnesses cosign the latest head of a log, where there are any."""
        if self.cosigning is not None:
            self.cosigning.changed(log)

    def _count(self, news: Mapping[bytes, Sequence[News]]) -> None:
        new = [each for found in news.values() for each in found]
        lines, openings = (sum(isinstance(each, kind) for each in new) for kind in (NewLine, NewOpening))
        self._metrics.taken(lines, openings)
