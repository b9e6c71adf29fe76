"""Posting results to a channel elsewhere (specs/network.md, "Posting results")."""

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import msgspec
import pytest

from ledger import lobby
from ledger.errors import UsageError
from ledger.keeper.operations import NewLine
from ledger.lobby import Link
from ledger.network.public import is_public
from ledger.seats.identity import Identity
from ledger.server import webhook
from ledger.server.admission import Quiet
from ledger.server.metrics import Metrics
from ledger.server.results import MAX_CONTENT, RESULTS, ResultPost, result_of
from ledger.server.webhook import Posting, Webhook, webhook_of
from rules.systems.anydice.bodies import Options
from tests.hostile.servers import bomb, drops, hostile, json_answer
from tests.server.machines import until
from tests.server.served import Plain, seated, serving, with_limits
from tests.support.bundles import bundled
from tests.support.cli import REPOSITORY, Cli
from verifier import Failure, Replay
from verifier.log.format import glance

LOGS = REPOSITORY / "specs" / "vectors" / "logs"
GAME = (LOGS / "holds--sealed-with-tags-left.jsonl").read_bytes().splitlines()
"""four secret rolls, and the four shows of them"""
LINK = "https://dice.example.org/t/7d0c"
TAKEN = json_answer(b"", status=b"204 No Content")


# --- what is posted --------------------------------------------------------------------------------------------------


def results_of(lines: Sequence[bytes]) -> Iterator[dict[str, Any]]:
    """What is posted of a game, each when it stands."""
    replay = Replay()
    for seq, line in enumerate(lines):
        try:
            replay.step(line)
        except Failure:  # an offer, which is no part of the log
            return
        found = result_of(replay, lines[seq - 1], line, str) if seq and glance(line).type in RESULTS else None
        if found is not None:
            yield json.loads(found.body())


@bundled("path", sorted(LOGS.glob("holds--*.jsonl")), lambda path: path.stem)
def test_every_roll_of_the_vectors_is_posted_when_it_is_revealed(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    posted = list(results_of(lines))
    revealed = [seq for seq, line in enumerate(lines) if glance(line).type == "reveal"]
    assert [
        post["rollproof"]["event"] for post in posted if post["rollproof"]["kind"] in ("roll", "reroll")
    ] == revealed
    for post in posted:
        assert len(post["content"]) <= MAX_CONTENT
        assert post["allowed_mentions"] == {"parse": []}


def test_a_roll_that_is_taken_back_is_posted_once_all_have_agreed() -> None:
    lines = (LOGS / "holds--taken-back.jsonl").read_bytes().splitlines()
    posts = [post["rollproof"] for post in results_of(lines)]
    assert [(post["kind"], post["status"]) for post in posts] == [
        ("roll", "resolved"),
        ("strike", "struck"),
        ("roll", "resolved"),
    ]
    assert (posts[1]["request"], posts[1]["text"]) == (posts[0]["request"], "alice and bob took the roll back.")


def test_of_a_secret_roll_nothing_is_posted_before_it_is_shown() -> None:
    rolled: list[dict[str, Any]] = []
    shown: list[dict[str, Any]] = []
    for post in results_of(GAME):
        told = post["rollproof"]
        (shown if told["kind"] == "show" else rolled).append(told)
    assert len(rolled) == len(shown) == 4
    for told in rolled:
        assert (told["dice"], told["summary"], told["status"]) == ([], None, "sealed")
        assert "(in secret)" in told["text"]
    for told in shown:
        assert told["dice"]
        assert told["text"] != ""


def posted_of(**members: Any) -> str:
    found = next(iter(results_of((LOGS / "holds--all-contributors.jsonl").read_bytes().splitlines())))["rollproof"]
    made = msgspec.convert({**found, "link": LINK, **members}, ResultPost)
    words: str = json.loads(made.body())["content"]
    return words


@bundled(
    "text",
    [
        *("@everyone", "<@&1234>", "https://evil.example/x", "[click](https://evil.example)", "<https://evil.example>"),
        *("**bold**", "# head", "||spoiler||", "`code`", "~~gone~~", "> quote", "- list", "1. one", "a\nb", "\\"),
        *("<script>", ":smile:", "<t:1:R>", "_it_", "-# small", "</roll:1>", "<:die:1>", "<id:customize>", "<#1>"),
        *("<@!1234>", "@here", "discord.gg/evil", "\\*not bold\\*", "\\<@1>", "```js", ">>> all", "***", "[a](<b.c>)"),
    ],
)
@pytest.mark.parametrize("member", ["title", "source", "text", "called"])
def test_no_text_of_a_player_is_more_than_text(member: str, text: str) -> None:
    """Whatever Markdown could make of a character has a backslash before it, and there is no second line of theirs."""
    words = posted_of(**{member: text})
    ours, *rest = words.split("\n")
    assert rest == [f"<{LINK}>"]
    assert re.sub(r"\\[!-/:-@\[-`{-~]", "", ours).replace("**", "").replace("[", "").isascii()
    unescaped = re.sub(r"\\([!-/:-@\[-`{-~])", "", ours)
    assert not re.search(r"[<>@#`|~_\]()!:/>-]", unescaped.replace("**", ""))


@pytest.mark.parametrize(
    "text", ["x" * 5_000, "*" * 5_000, "\\" * 5_000, "アンナ" * 3_000, "🎲" * 5_000, "x" + "🎲" * 5_000]
)
@pytest.mark.parametrize("other", ["", "*", "🎲", "א"])
def test_words_are_cut_and_no_escape_is_cut_in_two(text: str, other: str) -> None:
    """Also where title, called name and purpose are as long as they may be; counted as anybody could count."""
    words = posted_of(text=text, title=other * 500, source=other * 500, called=other * 40 or None, missed=10**9)
    assert len(words.encode("utf-16-le")) // 2 <= MAX_CONTENT < 2_000
    missed, ours, link = words.split("\n")
    assert (missed, link) == ("(… 1000000000 …)", f"<{LINK}>")
    said = ours.removesuffix(" …")
    assert ours != said
    assert (len(said) - len(said.rstrip("\\"))) % 2 == 0
    assert ours.count("\u2068") == ours.count("\u2069") == (3 if other == "א" else 0)


def test_what_is_posted_has_the_form_that_discord_documents() -> None:
    """Of "Execute Webhook": words alone, nobody is called whatever they say, and no page is shown (flag 1 << 2)."""
    for path in sorted(LOGS.glob("holds--*.jsonl")):
        for post in results_of(path.read_bytes().splitlines()):
            words = post.pop("content")
            assert isinstance(words, str)
            assert 1 <= len(words.encode("utf-16-le")) // 2 <= 2_000
            assert post.pop("rollproof")["format"] == "rollproof/result/v1"
            assert post == {"allowed_mentions": {"parse": []}, "flags": 1 << 2}


def test_what_runs_from_right_to_left_moves_no_dice() -> None:
    words = posted_of(title="א", called="ב", source="ג 10", text="d20 (7)")
    assert words.startswith("\\[\u2068א\u2069\\] **\u2068ב \\(")
    assert "\\)\u2069** \u2068ג 10\u2069\\: d20 \\(7\\)\n" in words
    cut = posted_of(title="*" * 500, called="*" * 40, source="א" + "*" * 499)
    assert cut.partition("\n")[0].endswith("\\*\u2069 …"), "within the isolate, which ends all the same"


@pytest.mark.parametrize(
    "host", ["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com", "DISCORD.com"]
)
def test_an_address_of_discord_has_a_version(host: str) -> None:
    """Without one, `Retry-After` is in milliseconds there: a second's wait would be ten minutes."""
    with pytest.raises(UsageError, match="v10") as refused:
        webhook_of(f"https://{host}/api/webhooks/1/secret-path")
    assert "secret-path" not in str(refused.value)
    assert webhook_of(f"https://{host}/api/v10/webhooks/1/secret").url.endswith("/v10/webhooks/1/secret")


# --- where to --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "public"),
    [
        *((each, True) for each in ("8.8.8.8", "::ffff:8.8.8.8", "2606:4700::1111")),
        *((each, False) for each in ("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254")),
        *(
            (each, False)
            for each in ("100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1")
        ),
        *((each, False) for each in ("::1", "::", "fe80::1", "fe80::1%eth0", "fd00::1", "ff02::1", "::ffff:127.0.0.1")),
        *((each, False) for each in ("64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:1::7f00:1", "localhost", "")),
    ],
)
def test_which_addresses_everybody_reaches(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://hooks.example/x",
            "https://127.0.0.1/x",
            "https://[::1]/x",
            "https://10.0.0.1/x",
            "https://localhost/x",
        ),
        *(
            "https://169.254.169.254/latest",
            "ftp://hooks.example/x",
            "https://u:p@hooks.example/x",
            "hooks.example",
            "",
        ),
        *(
            "https://2130706433/x",
            "https://0x7f.1/x",
            "https://[::ffff:10.0.0.1]/x",
            "https://hooks.example\\@10.0.0.1/",
        ),
    ],
)
def test_what_is_no_public_address_of_a_webhook(url: str) -> None:
    with pytest.raises(UsageError):
        webhook_of(url)


def test_an_operator_says_what_is_private_and_what_it_is_called() -> None:
    assert webhook_of("http://127.0.0.1:9/x?a=b#c", "#dice", private=True) == Webhook(
        "http://127.0.0.1:9/x?a=b", "#dice", True
    )
    assert webhook_of("https://hooks.example/secret").name == "hooks.example"
    with pytest.raises(UsageError, match="name"):
        webhook_of("https://hooks.example/secret", "\u200b")


# --- how -------------------------------------------------------------------------------------------------------------


class Told:
    """A log of a server."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def _tell(self, event: str, **members: Any) -> None:
        self.problems.append(f"{event} {members}")

    warning = error = info = _tell


def terms_of(posts: str | None, host: Identity) -> lobby.TableTerms:
    link = Link("", bytes(32), "player", bytes(32))
    return lobby.new_terms(
        *(host, Identity.generate("keeper").key, "dice-1", Options(), [link.invitation]),
        nonce=bytes(32),
        time="2026-01-01T00:00:00.000Z",
        posts=posts,
    )


HOST = Identity.generate("alice")


class Stage:
    """What is posted of games that are all the same log, to a channel that a test makes."""

    def __init__(self, url: str, transport: httpx.AsyncBaseTransport | None = None, **hook: Any) -> None:
        self.log, self.metrics = Told(), Metrics()
        self.terms = bytes(terms_of(hook.pop("posts", "#dice"), HOST)).decode()
        replay = Replay()
        for line in GAME:
            replay.step(line)
        ledger = SimpleNamespace(
            view=lambda game: SimpleNamespace(replay=replay), lines=lambda game, start, stop: iter(GAME[start:stop])
        )
        tables = SimpleNamespace(of_game=lambda game: SimpleNamespace(id="7d0c", deleted=False, terms=self.terms))
        self.hook = Webhook(url, "#dice", **{"private": True, **hook})
        self.posting = Posting(
            *(self.hook, cast(Any, ledger), cast(Any, tables), "https://dice.example.org", Quiet(), self.metrics),
            *(cast(Any, self.log), str, transport),
        )

    def come(self, game: bytes = bytes(32), most: int = 100) -> int:
        """All results of a game are durable; how many."""
        found = [NewLine(seq, line) for seq, line in enumerate(GAME) if glance(line).type in RESULTS][:most]
        self.posting.take(game, found)
        return len(found)

    def count(self, outcome: str) -> int:
        told = self.metrics.exposition().decode()
        found = re.search(rf'^rollproof_posts_total{{outcome="{outcome}"}} ([0-9.]+)$', told, re.MULTILINE)
        return int(float(found[1])) if found else 0

    def run(self, done: int) -> None:
        """Post until so many results are posted or passed over."""

        async def drive() -> None:
            self.posting.start()
            try:
                async with asyncio.timeout(60):
                    while self.count("posted") + self.count("missed") < done:
                        await asyncio.sleep(0.01)
            finally:
                await self.posting.stop()

        asyncio.run(drive())


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(webhook, "LONGEST_WAIT", 0.02)


class Channel:
    """A channel elsewhere, which keeps what is posted and answers as it is told."""

    def __init__(self, statuses: Iterable[int] = (), hold: threading.Event | None = None) -> None:
        self.posts: list[dict[str, Any]] = []
        self.tried: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        waiting, channel = iter(statuses), self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                channel.headers.append(dict(self.headers))
                if hold is not None:
                    hold.wait()
                status = next(waiting, 204)
                channel.tried.append(body)
                if 200 <= status < 300:
                    channel.posts.append(body)
                self.send_response(status)
                if status == 429:
                    self.send_header("Retry-After", "0")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hooks/secret-path"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def events(self) -> list[int]:
        return [post["rollproof"]["event"] for post in self.posts]


@contextmanager
def channel(statuses: Iterable[int] = (), hold: threading.Event | None = None) -> Iterator[Channel]:
    made = Channel(statuses, hold)
    try:
        yield made
    finally:
        if hold is not None:
            hold.set()
        made.server.shutdown()
        made.server.server_close()


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_what_may_be_taken_later_is_posted_again_in_its_order(status: int) -> None:
    with channel([204, status, status, 204, status]) as there:
        stage = Stage(there.url)
        count = stage.come()
        stage.run(count)
    assert there.events() == sorted(there.events())
    assert (len(there.posts), len(there.tried), stage.count("missed")) == (count, count + 3, 0)
    assert {post["rollproof"]["missed"] for post in there.posts} == {0}


@pytest.mark.parametrize("status", [302, 307, 400, 401, 403, 404, 410, 418, 505])
def test_what_is_refused_for_good_is_passed_over_and_counted(status: int) -> None:
    with channel([204, status, status]) as there:
        stage = Stage(there.url)
        count = stage.come()
        stage.run(count)
    assert (len(there.posts), len(there.tried), stage.count("missed")) == (count - 2, count, 2)
    assert [post["rollproof"]["missed"] for post in there.posts] == [0, 2] + [0] * (count - 4)
    assert "secret-path" not in str(stage.log.problems)
    assert len(stage.log.problems) == 1  # and not each time


def test_what_finds_no_room_is_counted_and_one_game_takes_not_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "MAX_POSTS_WAITING_GAME", 3)
    monkeypatch.setattr(webhook, "MAX_POSTS_WAITING", 5)
    with channel() as there:
        stage = Stage(there.url)
        loud, quiet = bytes(32), bytes([1]) * 32
        came = stage.come(loud)
        assert stage.count("missed") == came - 3
        stage.come(quiet, 2)
        assert stage.count("missed") == came - 3
        stage.come(bytes([2]) * 32, 1)
        assert stage.count("missed") == came - 2
        stage.run(came + 3)
    assert [post["rollproof"]["missed"] for post in there.posts] == [came - 3, 0, 0, 0, 0]


def test_only_tables_whose_terms_have_the_place_are_posted() -> None:
    with channel() as there:
        for posts, hosts, posted in (("#dice", (), 1), (None, (), 0), ("#other", (), 0), ("#dice", (HOST.key,), 1)):
            stage = Stage(there.url, posts=posts, hosts=hosts)
            stage.come(most=1)
            assert len(stage.posting._queue) == posted
        stage = Stage(there.url, hosts=(Identity.generate("zoe").key,))
        stage.come(most=1)
        assert not stage.posting._queue


def endless() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
    while True:
        yield b"x" * 65_536


HOSTILE: dict[str, tuple[Callable[[], Iterable[bytes]], bool]] = {
    "an answer without an end": (endless, False),
    "a bomb": (lambda: [json_answer(bomb(1 << 20), b"Content-Encoding: gzip")], False),
    "a redirect to itself": (lambda: [json_answer(b"", b"Location: /again", status=b"307 Temporary Redirect")], False),
    "no HTTP": (lambda: [b"\x00\xff\r\n\r\n"], True),
    "nothing at all": (list, True),
    "a head without an end": (lambda: [b"HTTP/1.1 200 OK\r\n", *[b"X-A: b\r\n"] * 200_000], True),
    "a head that drops": (lambda: drops(b"HTTP/1.1 204 No Content\r\nX-A: " + b"b" * 1_000, 0.05), True),
    "another length than it says": (lambda: [b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"], True),
    "a wish to wait for ever": (
        lambda: [json_answer(b"", b"Retry-After: 99999999999999999999", status=b"429 Too Many Requests")],
        True,
    ),
    "a wish to wait that is no number": (
        lambda: [json_answer(b"", b"Retry-After: \xb2", status=b"503 Service Unavailable")],
        True,
    ),
    "cookies": (lambda: [json_answer(b"", b"Set-Cookie: a=b; Path=/", status=b"503 Service Unavailable")], True),
}
"""by what a hostile channel answers: that, and whether the same result is posted again"""


@pytest.mark.long
@pytest.mark.parametrize("about", HOSTILE)
def test_whatever_a_hostile_channel_answers_the_next_results_go_on(about: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "MAX_POST_TIME", 0.5)
    answers, again = HOSTILE[about]
    first = [True]

    def answer(_: bytes) -> Iterable[bytes]:
        bad, first[0] = first[0], False
        return answers() if bad else [TAKEN]

    with hostile(answer) as (address, asked):
        stage = Stage(f"{address}/hook")
        count = stage.come()
        begun = time.monotonic()
        stage.run(count)
    assert time.monotonic() - begun < 25, "half as long as the head that drops takes"
    assert (stage.count("posted"), stage.count("missed")) == ((count, 0) if again else (count - 1, 1))
    posts = [each for each in asked if each.startswith(b"POST /hook ")]
    assert len(posts) == len([each for each in asked if each]) >= count  # nothing but the address, and no redirect
    assert not any(b"cookie" in each.lower() for each in asked)


def test_what_is_never_taken_makes_room_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "GIVE_UP", 0.0)
    with channel([500] * 3) as there:
        stage = Stage(there.url)
        count = stage.come()
        stage.run(count)
    assert (stage.count("missed"), len(there.posts), len(there.tried)) == (3, count - 3, count)
    assert there.posts[0]["rollproof"]["missed"] == 3


class Names:
    """What a name stands for, one time after the other."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: Sequence[str]) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)

        async def getaddrinfo(_: object, host: str, port: int, **named: Any) -> list[tuple[Any, ...]]:
            self.asked.append(host)
            found = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
            return [(2, 1, 6, "", (address, port)) for address in found]

        monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", getaddrinfo)


def recorded(seen: list[httpx.Request]) -> httpx.MockTransport:
    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(204)

    return httpx.MockTransport(answer)


def test_a_connection_goes_to_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is looked up once for a post; what is connected to is an address, and the certificate is the name's."""
    names, seen = Names(monkeypatch, ["10.0.0.1", "8.8.8.8"]), list[httpx.Request]()
    stage = Stage("https://hooks.example:8443/x?y=z", recorded(seen), private=False)
    count = stage.come(most=2)
    stage.run(count)
    assert names.asked == ["hooks.example"] * count
    for request in seen:
        assert str(request.url) == "https://8.8.8.8:8443/x?y=z"
        assert request.headers["host"] == "hooks.example:8443"
        assert request.extensions["sni_hostname"] == "hooks.example"


def test_a_name_that_comes_to_stand_for_a_private_address_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: public at first, then the address of a server on this machine, which nobody connects to."""
    monkeypatch.setattr(webhook, "GIVE_UP", 0.0)
    with hostile(lambda _: [TAKEN]) as (address, asked):
        port = address.rpartition(":")[2]
        names = Names(monkeypatch, ["127.0.0.1"], ["::1", "169.254.169.254"], ["::ffff:127.0.0.1"], ["127.0.0.1"])
        stage = Stage(f"https://hooks.example:{port}/x", private=False)
        count = stage.come(most=4)
        stage.run(count)
        time.sleep(0.05)
    assert len(names.asked) == count
    assert (stage.count("missed"), asked) == (count, [])
    assert "private" in stage.log.problems[0]


# --- at a server -----------------------------------------------------------------------------------------------------


def roll(parties: Sequence[Plain], line: str = "d20") -> None:
    roller = parties[0]
    roller.act("roll", roller.typed(line))
    for party in parties[1:]:
        party.open()
    roller.open()  # who closes opens last
    for party in parties:
        party.fetch()


def private_file(path: Path, text: str) -> Path:
    """A file that only its owner can read, with one line."""
    path.touch(0o600)
    path.write_text(f"{text}\n")
    return path


@pytest.mark.long
def test_a_server_posts_the_results_of_tables_that_say_so_and_no_roll_waits(tmp_path: Path) -> None:
    hold = threading.Event()
    hold.set()
    with channel(hold=hold) as there:
        secret = private_file(tmp_path / "hook.txt", there.url)
        options = ("--webhook-file", str(secret), "--webhook-private", "--webhook-name", "#dice")
        limits = with_limits(tmp_path)
        with serving(tmp_path, *options, "--address", "https://dice.example.org", *limits) as server:
            address = f"http://127.0.0.1:{server.port}"
            assert httpx.get(f"{address}/v1/server").json()["posts"] == {"everybody": True, "name": "#dice"}
            with (
                seated(tmp_path / "posted", address, "alice", "bob", posts="#dice") as parties,
                seated(tmp_path / "silent", address, "alice", "bob") as others,
            ):
                roll(parties, "4d6kh3 for @everyone")
                roll(others)
                roll(parties)
                until(lambda: len(there.posts) == 2)
                first, second = (post["rollproof"] for post in there.posts)
                assert {first["game"], second["game"]} == {parties[0].game.hex()}
                assert first["source"] == "@everyone"
                assert r"\@everyone" in there.posts[0]["content"]
                table = parties[0].link
                assert table is not None
                assert first["link"] == f"https://dice.example.org/t/{table.table.hex()}"
                assert [each["naturals"][0] for each in second["dice"]] == [
                    json.loads(list(parties[0].view.lines(0))[-1])["body"]["naturals"][0]
                ]
                hold.clear()  # from now on nobody answers, and rolls go on as before
                for _ in range(3):
                    roll(parties)
                told = httpx.get(f"{address}/metrics").text
                assert "rollproof_posts_waiting 3.0" in told
                assert 'rollproof_posts_total{outcome="posted"} 2.0' in told
            stranger = Plain(tmp_path / "stranger", "zoe", address)
            with pytest.raises(AssertionError, match=r"posts no results of this table to #other"):
                stranger.open_table("dice-1", posts="#other")
            stranger.close()
            server.process.terminate()
            _, log = server.process.communicate(timeout=30)
            assert server.process.returncode == 0
    assert b"secret-path" not in log
    assert b"before all results were posted" in log


@pytest.mark.parametrize(
    ("url", "options", "said"),
    [
        ("https://hooks.example/x", (), "goes with --address"),
        (None, ("--webhook-name", "x"), "go with --webhook-file"),
        ("https://127.0.0.1/x", ("--address", "https://dice.example.org"), "everybody reaches"),
    ],
)
def test_what_does_not_go_together_is_refused_at_the_start(
    url: str | None,
    options: tuple[str, ...],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cli = Cli(tmp_path / "home", capsys, monkeypatch)
    where = () if url is None else ("--webhook-file", str(private_file(tmp_path / "hook.txt", url)))
    assert said in cli.refused("serve", *where, *options, code=64)
