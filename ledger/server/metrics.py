"""Metrics for the operator, in the format of Prometheus. None of them names a table, a game or a person."""

from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["Metrics"]


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._lines = Counter("rollproof_lines_total", "Lines taken", registry=self._registry)
        self._openings = Counter("rollproof_openings_total", "Openings taken", registry=self._registry)
        self._tables = Counter("rollproof_tables_total", "Tables opened", registry=self._registry)
        self._refused = Counter("rollproof_refused_total", "Refusals", ["code"], registry=self._registry)
        self._streams = Gauge("rollproof_streams", "Streams open", registry=self._registry)
        self._waiting = Gauge("rollproof_waiting", "Posts that wait for the writer", registry=self._registry)
        self._posts = Counter("rollproof_posts_total", "Results for the webhook", ["outcome"], registry=self._registry)
        self._posts_waiting = Gauge("rollproof_posts_waiting", "Results not posted yet", registry=self._registry)
        self._group = Histogram(
            "rollproof_group_size",
            "Posts done together",
            buckets=(1, 2, 4, 8, 16, 32, 64, 128),
            registry=self._registry,
        )
        self._seconds = Histogram("rollproof_group_seconds", "Time for what was done together", registry=self._registry)

    def table(self) -> None:
        """Count an opened table."""
        self._tables.inc()

    def group(self, size: int, seconds: float) -> None:
        """Count a group of posts, and its time."""
        self._group.observe(size)
        self._seconds.observe(seconds)

    def taken(self, lines: int, openings: int) -> None:
        """Count lines and openings that were taken."""
        self._lines.inc(lines)
        self._openings.inc(openings)

    def refused(self, code: str) -> None:
        """Count a refusal, by its code."""
        self._refused.labels(code).inc()

    def streams(self, count: int) -> None:
        """Set the number of open streams."""
        self._streams.set(count)

    def waiting(self, count: int) -> None:
        """Set the number of waiting posts."""
        self._waiting.set(count)

    def posted(self, outcome: Literal["posted", "missed"]) -> None:
        """Count a result that was posted to the webhook, or dropped."""
        self._posts.labels(outcome).inc()

    def posts_waiting(self, count: int) -> None:
        """Set the number of results that wait to be posted."""
        self._posts_waiting.set(count)

    def exposition(self) -> bytes:
        """Return all figures, as text."""
        return generate_latest(self._registry)
