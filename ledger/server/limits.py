"""Rate limits (specs/network.md, "Limits"). For the event loop only; `clock` counts seconds."""

import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from ledger.server.problems import Problem
from rules.data.language import Message
from verifier.log.format import MAX_LINE

__all__ = ["Bucket", "Caller", "Gate", "Limits", "Unsent", "network_of", "too_many"]


def _as_setting(name: str) -> str:
    return "MIN_FREE" if name == "free" else f"MAX_{name.upper()}"


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename=_as_setting):
    """A server's bounds, by their names in specs/network.md."""

    line: int = MAX_LINE
    body: int = 65_536
    catch_up: int = 33_554_432
    lines_sent: int = 1_024
    seats: int = 64
    seats_address: int = 16
    """of one table, taken by one address"""
    tables: int = 10
    """opened by one address in an hour"""
    posts: int = 50
    """by one caller in a second"""
    burst: int = 200
    """posts by one caller at once"""
    bytes: int = 65_536
    """of posts by one address in a second"""
    bytes_burst: int = 4_194_304
    """of posts by one address at once"""
    bytes_day: int = 268_435_456
    """of posts by one address in a day that are not refused"""
    brought: int = 600
    """lines of logs that one address brings, in a second"""
    brought_burst: int = 60_000
    """and at once"""
    game_lines: int = 30_000
    game_bytes: int = 16_777_216
    """of a game's log"""
    access: int = 64
    """tokens of one party of a game"""
    published: int = 256
    """links to rolls of one game, revoked ones too"""
    published_hour: int = 60
    """rolls that one address publishes in an hour"""
    published_bytes: int = 131_072
    """of the proof of a published roll"""
    store: int = 10_737_418_240
    """bytes of all databases"""
    free: int = 268_435_456
    """bytes that stay free on each disk"""
    refused: int = 60
    """refused posts by one caller in a minute"""
    streams: int = 64
    """of one address"""
    readers: int = 256
    """streams of one table or game"""
    event_readers: int = 8_192
    """streams of one event by holders of its tokens"""
    waiting: int = 1_024
    idle: int = 20
    connections: int = 256
    """of one address; behind a proxy its requests that are not answered in full"""
    concurrent: int = 10_000
    """connections of all"""
    behind: int = 1_048_576
    """bytes that a slow stream may be behind"""
    sending: int = 20
    """seconds until a piece of an answer is taken"""
    unsent: int = 8_388_608
    """bytes of answers that one address has not taken"""
    unsent_all: int = 134_217_728
    """and all together"""
    rules: int = 16
    """files of rules on their way at once"""
    questions: int = 32
    """of one caller that wait"""
    work: int = 200
    """milliseconds of processor time that one caller's questions take in a second"""
    work_burst: int = 4_000
    """and at once"""
    work_all: int = 600
    """milliseconds in a second that all questions take"""


Caller = tuple[str, str]
"""an address, and the topic and holder of its token: empty without a valid token"""


class Bucket:
    """Tokens that come at a rate, and of which so many are kept at most."""

    __slots__ = ("_at", "_full", "_left", "_rate")

    def __init__(self, rate: float, full: float, now: float) -> None:
        self._rate, self._full, self._left, self._at = rate, full, full, now

    def take(self, now: float, count: float = 1) -> float:
        """Take `count`; return 0 on success, else the seconds until they are available."""
        wait = self.missing(now, count)
        if not wait:
            self._left -= count
        return wait

    def missing(self, now: float, count: float) -> float:
        """Return the seconds until `count` are available; 0 if they are."""
        self._fill(now)
        return max(0.0, (count - self._left) / self._rate)

    def spend(self, now: float, count: float) -> None:
        """Take `count`, whether it is there or not."""
        self._fill(now)
        self._left -= count

    def overdrawn(self, now: float) -> float:
        """Return the seconds until one is available; 0 if it is."""
        self._fill(now)
        return 0 if self._left > 0 else (0.001 - self._left) / self._rate

    def give(self, count: float) -> None:
        """Give back an unused amount."""
        self._left = min(self._full, self._left + max(0.0, count))

    def is_full(self, now: float) -> bool:
        """Return True if the bucket is full again; `now` in seconds."""
        self._fill(now)
        return self._left >= self._full

    def _fill(self, now: float) -> None:
        self._left = min(self._full, self._left + (now - self._at) * self._rate)
        self._at = now


class Unsent:
    """Counts the bytes of answers that their readers have not taken, by address and in all."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._of: Counter[str] = Counter()
        self._all = 0

    def hold(self, address: str | None, count: int) -> bool:
        """Count so many bytes; of a proxy (None) in all alone. False: there is no room, and nothing is counted."""
        if self._all + count > self._limits.unsent_all:
            return False
        if address is not None:
            network = network_of(address)
            if self._of[network] + count > self._limits.unsent:
                return False
            self._of[network] += count
        self._all += count
        return True

    def release(self, address: str | None, count: int) -> None:
        """Release bytes that were taken, or never will be."""
        self._all -= count
        if address is not None:
            network = network_of(address)
            self._of[network] -= count
            if not self._of[network]:
                del self._of[network]


class _Caller:
    """The counts of one caller: of an address without a token, or of an address and one holder."""

    def __init__(self, limits: Limits, now: float) -> None:
        self.posts = Bucket(limits.posts, limits.burst, now)
        self.tables = Bucket(limits.tables / 3600, limits.tables, now)
        self.published = Bucket(limits.published_hour / 3600, limits.published_hour, now)
        self.refused = Bucket(limits.refused / 60, limits.refused, now)
        self.brought = Bucket(limits.brought, limits.brought_burst, now)
        self.bytes = Bucket(limits.bytes, limits.bytes_burst, now)
        self.bytes_of_day = Bucket(limits.bytes_day / 86_400, limits.bytes_day, now)
        self.work = Bucket(limits.work / 1_000, limits.work_burst / 1_000, now)
        self.barred_until = 0.0
        self.streams: list[OpenStream] = []
        """in the order in which they were admitted"""

    def idle(self, now: float) -> bool:
        return (
            not self.streams
            and now >= self.barred_until
            and all(bucket.is_full(now) for bucket in (self.posts, self.tables, self.published, self.refused))
            and all(bucket.is_full(now) for bucket in (self.bytes, self.work, self.brought))
            and self.bytes_of_day.is_full(now)
        )


class OpenStream:
    """An admitted stream: its table or game, and the holder of its token."""

    def __init__(self, topic: bytes, holder: str) -> None:
        self.topic = topic
        self.holder = holder
        self.end: Callable[[], None] = lambda: None
        """ends it for another one, as soon as it has begun"""


def _stream_to_end(streams: Sequence[OpenStream], topic: bytes, holder: str) -> OpenStream | None:
    """Return the stream of an address that one more of this topic and holder replaces; None if none has to go."""
    topics = Counter(each.topic for each in streams)
    largest = max(topics, key=lambda each: topics[each])
    if topics[largest] < topics[topic] + 2:
        largest = topic
    holders = Counter(each.holder for each in streams if each.topic == largest)
    most = max(holders, key=lambda each: holders[each], default=holder)
    if largest == topic and holders[most] < holders[holder] + 2:
        return None
    return next(each for each in streams if (each.topic, each.holder) == (largest, most))


class Gate:
    """Applies the limits. Callers that were idle for a while are forgotten.

    `holder` is the topic and holder of a token; it is empty without a valid one. So people who share an address do not
    share the bounds on posts, except for posts without a token.
    """

    SWEEP = 1_000
    """calls between two sweeps of idle callers"""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._callers: dict[tuple[str, str], _Caller] = {}
        self._calls = 0
        self._rules = 0

    def post(self, address: str, holder: str = "") -> None:
        """Charge a post, before it is examined. Raises Problem."""
        now = self._clock()
        caller = self._caller(address, now, holder)
        if now < caller.barred_until:
            raise too_many(Message("too many of the last posts from here were refused"), caller.barred_until - now)
        wait = caller.posts.take(now)
        if wait:
            raise too_many(Message("more posts than this server takes from one address"), wait)

    def lines(self, address: str, count: int) -> None:
        """Charge so many missing lines, before a log is taken. Raises Problem."""
        now = self._clock()
        wait = self._caller(address, now).brought.take(now, min(count, self.limits.brought_burst))
        if wait:
            raise too_many(Message("more lines than this server takes from one address to catch up with"), wait)

    def body(self, address: str, size: int, holder: str = "") -> None:
        """Charge a body of so many bytes, before it is used. Raises Problem."""
        now = self._clock()
        buckets = self._caller(address, now, holder).bytes, self._caller(address, now).bytes_of_day
        wait = max(bucket.missing(now, size) for bucket in buckets)
        if wait:
            raise too_many(Message("more bytes than this server takes from one address"), wait)
        for bucket in buckets:
            bucket.take(now, size)

    def not_kept(self, address: str, size: int) -> None:
        """Take back the bytes of a refused post: they do not count for the day's bytes of the address."""
        now = self._clock()
        self._caller(address, now).bytes_of_day.spend(now, -size)

    def table(self, address: str) -> None:
        """Count a table that is about to be opened with valid terms. Raises Problem."""
        now = self._clock()
        wait = self._caller(address, now).tables.take(now)
        if wait:
            raise too_many(Message("more tables than this server opens for one address in an hour"), wait)

    def publish(self, address: str) -> None:
        """Charge a roll, before it is published. Raises Problem."""
        now = self._clock()
        wait = self._caller(address, now).published.take(now)
        if wait:
            raise too_many(Message("more rolls than this server publishes for one address in an hour"), wait)

    def refused(self, address: str, holder: str = "") -> None:
        """Count a post that was refused for its content; after many the caller has to wait a minute."""
        now = self._clock()
        caller = self._caller(address, now, holder)
        if caller.refused.take(now):
            caller.barred_until = now + 60

    def may_ask(self, caller: Caller) -> None:
        """Check that a question may be asked, before it is computed. Raises Problem."""
        wait = self.asked_too_much(caller)
        if wait:
            raise too_many(Message("more questions than this server works out for one address"), wait)

    def asked_too_much(self, caller: Caller) -> float:
        """Return the seconds that a caller has to wait for the work that its questions took; else 0."""
        now = self._clock()
        return self._caller(caller[0], now, caller[1]).work.overdrawn(now)

    def worked(self, caller: Caller, seconds: float) -> None:
        """Charge a computed question: so many seconds of processor time."""
        now = self._clock()
        self._caller(caller[0], now, caller[1]).work.spend(now, seconds)

    @contextmanager
    def stream(
        self, address: str, readers: int, topic: bytes = b"", holder: str = "", of_event: str = ""
    ) -> Iterator[OpenStream]:
        """Admit a stream beside `readers` others, and count it as long as it is open. Raises Problem.

        Another stream of the address may have to go for it (specs/network.md, "Limits", "Shares"). `holder` has its
        token. `of_event`: the holder of an event's token, whose streams are counted by themselves.
        """
        streams = self._caller(address, self._clock(), of_event).streams
        most = self.limits.event_readers if of_event else self.limits.readers
        goes = _stream_to_end(streams, topic, holder) if len(streams) >= self.limits.streams else None
        if readers >= most or (len(streams) >= self.limits.streams and goes is None):
            raise too_many(Message("more streams than this server keeps open for one address, or one table"), 5)
        if goes is not None:
            streams.remove(goes)
            goes.end()
        admitted = OpenStream(topic, holder)
        streams.append(admitted)
        try:
            yield admitted
        finally:
            if admitted in streams:
                streams.remove(admitted)

    @contextmanager
    def rules(self) -> Iterator[None]:
        """Admit a file of the rules, and count it until its last piece was taken. Raises Problem."""
        if self._rules >= self.limits.rules:
            raise too_many(Message("more files of rules at once than this server sends"), 5)
        self._rules += 1
        try:
            yield
        finally:
            self._rules -= 1

    def _caller(self, address: str, now: float, holder: str = "") -> _Caller:
        key = network_of(address), holder
        self._calls += 1
        if self._calls % self.SWEEP == 0:
            for idle in [each for each, caller in self._callers.items() if caller.idle(now)]:
                del self._callers[idle]
        caller = self._callers.get(key)
        if caller is None:
            caller = self._callers[key] = _Caller(self.limits, now)
        return caller


def network_of(address: str) -> str:
    """Return the network that counts as one address: for IPv6 the first 64 bits, all of which one host can have."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def too_many(text: Message, wait: float) -> Problem:
    """Return a refusal by a bound, with the seconds until it is worth asking again."""
    return Problem(429, "too-many", text, retry=max(1, round(wait + 0.5)))
