"""A keeper of many games: what others post, verified, durable and under a checkpoint, in groups."""

from collections.abc import Iterator
from pathlib import Path

from ledger.keeper.operations import BatchResult
from rules.systems.mtg import Magic
from rules.systems.mtg.bodies import DeclareTrigger, Options
from tests.bench.measure import Measure, Race, Sizes, rate, seconds
from tests.bench.peers import Peers
from tests.support.hosted import Hosted

__all__ = ["measure_hosts"]

GROUPS_TARGET = 2.0
PEER_SAVES = 100
"""events that the peer saves, in a turn"""


def measure_hosts(folder: Path, sizes: Sizes, peers: Peers) -> Iterator[Measure]:
    """A line in each of many games, posted at once, beside as many single saves."""
    if not peers.there:
        return
    hosted, count = Hosted(folder), sizes.hosted_games
    ours, saves = [], []
    try:
        hosted.process(*(hosted.terms(Magic.id, Options(planechase=False)) for _ in range(count)))
        hosted.settle()
        declared = DeclareTrigger(source="Delina", on="rolled")
        for _ in range(sizes.hosted_turns):
            offers = [clients["alice"].act("declare", declared) for clients in hosted.clients.values()]
            told: list[BatchResult] = []
            ours.append(seconds(lambda: told.append(hosted.host.process(offers))) / count)  # noqa: B023 - called here
            hosted.tell(told[0])
            saves.append(peers.seconds("save", PEER_SAVES) / PEER_SAVES)
    finally:
        hosted.close()
    result = Race.of(ours, saves)
    yield Measure(
        "groups_to_eventsourcing",
        f"take a posted line in each of {count} games at once: verified, under a checkpoint, durable",
        f"{peers.versions['eventsourcing']}: save one event",
        rate(1, result.ours, "events"),
        rate(1, result.bare, "events"),
        result.ratio,
        GROUPS_TARGET,
    )
