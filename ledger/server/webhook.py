"""Post results to a channel, for tables whose terms allow that (specs/network.md, "Posting results").

Posts wait in a bounded queue of their own, and one task sends them in order. No roll waits for the channel.
"""

import asyncio
import random
import re
import time
from collections import Counter, deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import httpx
import msgspec

from ledger import lobby
from ledger.errors import LedgerError, UsageError
from ledger.keeper.operations import NewLine, News
from ledger.lobby.addresses import check_web_address
from ledger.network.answers import AnswerError, answer, new_client, read_whole
from ledger.network.public import NotPublicError, is_public, resolve
from ledger.server.admission import Quiet
from ledger.server.metrics import Metrics
from ledger.server.results import RESULTS, result_of
from ledger.server.tables import Tables
from ledger.store.ledger import Ledger
from rules.data.bounds import RequiredText
from rules.data.language import Translate
from verifier import VerifierKey
from verifier.log.format import glance

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["Posting", "PostingTo", "Webhook", "webhook_of"]

MAX_POST_ANSWER = 65_536
"""bytes"""
MAX_POST_TIME = 20.0
"""seconds for an answer as a whole"""
MAX_POSTS_WAITING, MAX_POSTS_WAITING_GAME = 256, 32
"""results that wait, of all games and of one"""
FIRST_WAIT, LONGEST_WAIT = 1.0, 600.0
"""seconds before a post is tried again"""
GIVE_UP = 3_600.0
"""seconds after which a result that could not be posted makes room for the next"""
MAX_KNOWN = 10_000
"""games of which is remembered whether they are posted"""

_UNVERSIONED = re.compile(r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/", re.IGNORECASE)
"""as Discord gives it to be copied: an old version, whose `Retry-After` is in milliseconds"""

_REFUSED_NOW = frozenset({408, 425, 429, 500, 502, 503, 504})
"""statuses after which the same post may be taken later; after all others it is not"""


class Webhook(NamedTuple):
    """The channel that receives results."""

    url: str
    """a secret: anybody who has it can post there"""
    name: str
    """the name that players see"""
    private: bool = False
    """True if it may be on the operator's own network"""
    hosts: tuple[VerifierKey, ...] = ()
    """the hosts whose tables are posted; empty: all hosts"""

    def takes(self, terms: lobby.TableTerms) -> bool:
        """Return True if results of a table with these terms are posted here."""
        return terms.posts == self.name and (not self.hosts or terms.host in map(str, self.hosts))


class PostingTo(NamedTuple):
    """A server's webhook, and how it is posted to."""

    webhook: Webhook
    address: str
    """the server's own, as links have it"""
    translate: Translate = str
    """into the language of the words"""


def webhook_of(
    url: str, name: str | None = None, *, private: bool = False, hosts: Sequence[VerifierKey] = ()
) -> Webhook:
    """Return the webhook at a URL, named `name`, else by its host. Raises UsageError."""
    check_web_address(url)
    found = urlsplit(url)
    host = found.hostname or ""
    if not private and (found.scheme != "https" or host == "localhost" or not _may_be_public(host)):
        raise UsageError(
            "a webhook is at an https:// address that everybody reaches, or said to be on a network of your own"
        )
    if _UNVERSIONED.match(url):
        raise UsageError(
            "an address of Discord without a version says in milliseconds how long to wait, and is read as seconds: "
            "put the version into it, as in https://discord.com/api/v10/webhooks/…"
        )
    try:
        called = msgspec.convert(host if name is None else name, RequiredText)
    except msgspec.ValidationError as problem:
        raise UsageError(f"this cannot be the name of a webhook: {problem}") from None
    return Webhook(found._replace(fragment="").geturl(), called, private, tuple(hosts))


def _may_be_public(host: str) -> bool:
    """Return True if a host is a name, or a public address."""
    is_address = ":" in host or host.replace(".", "").isdigit()
    return is_public(host) if is_address else True


class _Refusal(Exception):
    """A post was not taken."""

    def __init__(self, problem: str, *, final: bool = False, after: float | None = None) -> None:
        super().__init__(problem)
        self.final = final
        """whether the same post will never be taken"""
        self.after = after
        """for how many seconds the other side asks to be left alone"""


class _Due(NamedTuple):
    """An event that may have brought a result."""

    game: bytes
    seq: int
    link: str


class Posting:
    """All that is posted, while the server runs. For the event loop."""

    def __init__(
        self,
        webhook: Webhook,
        ledger: Ledger,
        tables: Tables,
        address: str,
        quiet: Quiet,
        metrics: Metrics,
        log: "FilteringBoundLogger",
        translate: Translate,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`address` is the server's own, as links have it; `transport` takes the place of the network."""
        self.webhook = webhook
        self._ledger = ledger
        self._tables = tables
        self._address = address
        self._quiet = quiet
        self._metrics = metrics
        self._log = log
        self._translate = translate
        self._http = new_client(trust_env=False, transport=transport)
        self._links: dict[bytes, str | None] = {}
        """by game: the link to its table, None where it is not posted"""
        self._queue: deque[_Due] = deque()
        self._waiting: Counter[bytes] = Counter()
        """by game: how many of the queue"""
        self._missed: Counter[bytes] = Counter()
        """by game that is posted: results since the last post that were not posted"""
        self._wake = asyncio.Event()
        self._pause = 0.0
        """seconds to the next attempt, after one that failed"""
        self._reported: str | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to post."""
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Stop posting; waiting posts are dropped."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._queue:
            self._log.warning("posting", problem="it stops before all results were posted", left=len(self._queue))
        await self._http.aclose()

    def take(self, game: bytes, news: Sequence[News]) -> None:
        """Queue posts for the durable news of a game. Never waits."""
        found = [each.seq for each in news if isinstance(each, NewLine) and glance(each.line).type in RESULTS]
        link = self._link(game) if found else None
        if link is None:
            return
        for seq in found:
            if len(self._queue) >= MAX_POSTS_WAITING or self._waiting[game] >= MAX_POSTS_WAITING_GAME:
                self._miss(game)
                continue
            self._queue.append(_Due(game, seq, link))
            self._waiting[game] += 1
        self._metrics.posts_waiting(len(self._queue))
        self._wake.set()

    def _link(self, game: bytes) -> str | None:
        """Return the link to a game's table, where its terms have this webhook; None if not."""
        if game not in self._links:
            try:
                row = self._tables.of_game(game.hex())
                posted = (
                    row is not None and not row.deleted and self.webhook.takes(lobby.parse_terms(row.terms.encode()))
                )
            except LedgerError as problem:  # it is asked again at the next result
                self._log.warning("posting", problem=str(problem))
                return None
            if len(self._links) >= MAX_KNOWN:
                del self._links[next(iter(self._links))]
            self._links[game] = f"{self._address}/t/{row.id}" if row is not None and posted else None
        return self._links[game]

    def _miss(self, game: bytes) -> None:
        if len(self._missed) < MAX_KNOWN or game in self._missed:
            self._missed[game] += 1
        self._metrics.posted("missed")

    async def _work(self) -> None:
        """Post, one result after the other, until cancelled."""
        while True:
            if not self._queue:
                self._wake.clear()
                await self._wake.wait()
                continue
            due = self._queue[0]  # it waits until it is posted
            await self._post(due)
            self._queue.popleft()
            self._waiting -= Counter({due.game: 1})
            self._metrics.posts_waiting(len(self._queue))

    async def _post(self, due: _Due) -> None:
        """Post a result, or give it up."""
        try:
            await self._quiet.come()
            missed = self._missed[due.game]
            body = await asyncio.to_thread(self._body, due, missed)
        except UsageError:  # the game was deleted
            return
        except LedgerError as problem:
            self._tell(str(problem))
            self._miss(due.game)
            return
        except Exception as error:  # a bug; the next result may go well
            self._log.error("posting", exc_info=error)
            self._miss(due.game)
            return
        if body is None:
            return
        if await self._try(body):
            self._missed -= Counter({due.game: missed})
            self._metrics.posted("posted")
        else:
            self._miss(due.game)

    async def _try(self, body: bytes) -> bool:
        """Post a body until it is taken; whether it was."""
        until = time.monotonic() + GIVE_UP
        while True:
            try:
                await self._once(body)
            except _Refusal as problem:
                self._tell(str(problem))
                await asyncio.sleep(self._wait(problem.after))
                if problem.final or time.monotonic() > until:
                    return False
            else:
                self._pause, self._reported = 0.0, None
                return True

    def _wait(self, after: float | None) -> float:
        """Seconds to the next attempt: twice as long each time, or as long as the other side asks for."""
        self._pause = min(2 * self._pause, LONGEST_WAIT) if self._pause else FIRST_WAIT
        if after is not None:
            return min(max(after, 0.0), LONGEST_WAIT)
        return self._pause * random.uniform(0.5, 1.0)  # noqa: S311 - no secret

    def _body(self, due: _Due, missed: int) -> bytes | None:
        """In a thread. Raises LedgerError."""
        view = self._ledger.view(due.game)
        before, line = self._ledger.lines(due.game, due.seq - 1, due.seq + 1)
        found = result_of(view.replay, before, line, self._translate)
        if found is None:
            return None
        return msgspec.structs.replace(found, link=due.link, missed=missed).body()

    async def _once(self, body: bytes) -> None:
        """Raises _Refusal."""
        try:
            status, after = await self._send(body)
        except TimeoutError:
            raise _Refusal(f"it gave no answer within {MAX_POST_TIME:.0f} seconds") from None
        except NotPublicError as problem:
            raise _Refusal(f"it cannot be posted to: {problem}") from None
        except AnswerError as problem:  # it may have been taken: twice in a channel is worse than not known
            raise _Refusal(f"its answer is none that is taken: {problem}", final=True) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as problem:
            # The library's message could contain the address, which is a secret.
            raise _Refusal(f"it cannot be reached: {type(problem).__name__}") from None
        if not 200 <= status < 300:
            raise _Refusal(f"it answered with status {status}", final=status not in _REFUSED_NOW, after=after)

    async def _send(self, body: bytes) -> tuple[int, float | None]:
        """Return the status of an answer, and for how many seconds it asks to wait."""
        url = httpx.URL(self.webhook.url)
        async with asyncio.timeout(MAX_POST_TIME):
            port = url.port or (443 if url.scheme == "https" else 80)
            address = await resolve(url.host, port, private=self.webhook.private)
            headers = {"Content-Type": "application/json", "Host": url.netloc.decode()}
            async with answer(
                *(self._http, "POST", str(url.copy_with(host=address)), body, headers),
                wait=MAX_POST_TIME,
                known_as=url.host,
            ) as response:
                await read_whole(response, MAX_POST_ANSWER, MAX_POST_TIME)
                asked = response.headers.get("Retry-After", "")
                return response.status_code, float(asked) if asked.isascii() and asked.isdigit() else None

    def _tell(self, problem: str) -> None:
        """Tell the operator, once for the same problem."""
        if problem != self._reported:
            self._log.warning("posting", webhook=self.webhook.name, problem=problem)
        self._reported = problem
