"""Events at a server (specs/event.md, "At a server"): acts, tokens, tables, bundle, limits, on both databases."""

import io
import json
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from ledger.event.acts import new_claim_code
from ledger.event.links import code_token
from ledger.lobby.links import token_hash
from tests.server.event_day import Day, identity
from tests.server.killed import STEPS, killing
from tests.server.machines import until
from tests.server.served import ROOMY, Server, serving, with_limits
from tests.support.postgres import cluster
from verifier import verify
from verifier.event.bundle import verify_bundle
from verifier.event.tables import difference, event_zero

pytestmark = pytest.mark.long
OLGA = str(identity("olga").key)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    root = tmp_path_factory.mktemp("events") / "hall"
    with serving(root, "--organizer", OLGA, *with_limits(root)) as found:
        yield found


@pytest.fixture
def day(server: Server) -> Iterator[Day]:
    with Day(server.address) as found:
        yield found


def games_of(day: Day) -> dict[int, str]:
    """The games of the latest round's tables."""
    until(day.opened)
    state = day.state
    round_ = state.round
    assert round_ is not None
    return {number: str(state.openings[t.line].tables[number].game) for number, t in round_.tables.items() if t.line}


def test_a_day_from_the_codes_to_a_bundle(day: Day) -> None:
    day.begun()
    for number, game in games_of(day).items():
        opening, table = day.state.games[game]
        log = day.http.get(f"/v1/games/{game}/log", headers=bearer(code_token(day.codes[1]).hex()))
        first = log.content.splitlines()[0]
        assert difference(first, event_zero(day.replay.terms, opening, table)) is None
        assert table.table == number
    slip = day.does(identity("p1"), "slip", round=1, sides=[{"won": 2}, {"won": 1}], table=11)
    day.does(identity("p2"), "agree", slip=slip)
    day.does(day.olga, "slip", round=1, sides=[{"won": 2}, {"won": 0}], table=12, reason="a no-show")
    day.does(day.olga, "end", left=[], round=1)
    until(lambda: all(table.size for _, table in day.state.games.values()))
    anchors = [day.http.get(f"/v1/games/{game}/anchor", headers=bearer(day.token)) for game in day.state.games]
    assert [each.status_code for each in anchors] == [200, 200], "the final checkpoint of each game is anchored"
    day.does(day.olga, "close")
    stream = day.http.get(f"/v1/events/{day.event}/stream")
    assert stream.text.count("event: line") == day.state.rounds[0].number * day.replay.size
    assert stream.text.endswith('event: bye\ndata: {"retry":null}\n\n')
    assert day.http.get(f"/v1/events/{day.event}/bundle").status_code == 404
    data = day.http.get(f"/v1/events/{day.event}/bundle", headers=bearer(day.token)).content
    report = verify_bundle(io.BytesIO(data))
    assert report.state is not None
    assert (report.verdict, report.state["games"][0]["verdict"]) == ("holds", "holds"), report.findings
    assert {finding.code for finding in report.findings} == {"event.judged"}


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_what_is_wrong_is_refused(day: Day) -> None:
    act = day.open()
    assert day.post("/v1/events", act).status_code == 200, "the same again is the same event"
    day.register()
    mallory = identity("mallory")
    body = json.loads(act)
    assert day.post("/v1/events", json.dumps(body).encode()).json()["code"] == "malformed"
    stranger = Day(day.address)
    stranger.olga = mallory
    with pytest.raises(AssertionError, match=r"event\.organizer"):
        stranger.open()
    stranger.http.close()
    _ = day.state
    check_in = day.check_in(1)
    acts = f"/v1/events/{day.event}/acts"
    thief = identity("p2")  # with its own key in the place of player 1
    assert day.refused(thief, "check-in", claim="0" * 128, key=str(thief.key), number=1) == (422, "act.role")
    other = json.loads(check_in) | {"act": {**json.loads(check_in)["act"], "claim": "ab" * 64}}
    assert day.post(acts, encoded(other)).json()["code"] == "act.signature"
    assert day.post(acts, check_in).status_code == 201
    again = day.post(acts, check_in)
    assert (again.status_code, again.json()["seq"]) == (200, day.state.people and day.replay.size - 1)
    stolen = day.check_in(1, identity("p1", "mallory"))  # the code was stolen, and came second
    assert day.post(acts, stolen).json()["code"] == "player.state"
    assert day.refused(identity("p1"), "close")[1] == "act.role"
    assert day.refused(mallory, "close")[1] == "act.author"
    for junk in (b"", b"{}", b"[" * 60_000, b"\xff"):
        assert day.post(acts, junk).status_code == 400
    assert day.post(f"/v1/events/{'0' * 64}/acts", check_in).status_code == 404


def encoded(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def test_names_are_for_those_who_have_a_token_and_can_be_deleted(day: Day) -> None:
    day.open()
    day.register()
    names = f"/v1/events/{day.event}/names"
    player = code_token(day.codes[2]).hex()
    assert day.post(names, day.names_file(), player).status_code == 404, "an organizer's to give"
    assert day.post(names, day.names_file()).status_code == 404
    wrong = day.names_file().replace(b"Player 3", b"Player X")
    assert day.post(names, wrong, day.token).json()["code"] == "event.names"
    assert day.http.get(names, headers=bearer(player)).status_code == 404
    assert day.post(names, day.names_file(), day.token).status_code == 200
    assert day.http.get(names).status_code == 404
    assert day.http.get(names, headers=bearer("ab" * 32)).status_code == 404
    assert [each["name"] for each in day.http.get(names, headers=bearer(player)).json()["names"]][:2] == [
        "Player 1",
        "Player 2",
    ]
    assert b"Player 1" not in day.http.get(f"/v1/events/{day.event}/log").content
    assert day.post(names, encoded({"event": day.event, "names": []}), day.token).status_code == 200
    assert day.http.get(names, headers=bearer(player)).json()["names"] == []


def test_a_code_for_a_stream_reads_games_and_no_names(day: Day) -> None:
    day.begun()
    day.post(f"/v1/events/{day.event}/names", day.names_file(), day.token)
    codes = {party: new_claim_code() for party in ("wall", "stream")}
    given = {"tokens": [{"party": party, "token": token_hash(code_token(code))} for party, code in codes.items()]}
    assert day.post(f"/v1/events/{day.event}/tokens", encoded(given), day.token).status_code == 200
    given["tokens"][0]["party"] = "audience"
    assert day.post(f"/v1/events/{day.event}/tokens", encoded(given), day.token).json()["code"] == "event.terms"
    (game, _) = games_of(day).values()
    paths = [f"/v1/games/{game}/log", *(f"/v1/events/{day.event}/{what}" for what in ("names", "waiting", "bundle"))]
    found = {
        party: [day.http.get(path, headers=bearer(code_token(code).hex())).status_code for path in paths]
        for party, code in codes.items()
    }
    assert found == {"wall": [200, 200, 200, 200], "stream": [200, 404, 404, 404]}


def test_who_has_not_sat_down_is_said_table_by_table(day: Day) -> None:
    day.begun()
    path = f"/v1/events/{day.event}/waiting"
    games = games_of(day)

    def missing() -> list[dict[str, object]]:
        found: list[dict[str, object]] = day.http.get(path, headers=bearer(day.token)).json()["missing"]
        return found

    tables = [
        {"table": 11, "game": games[11], "parties": ["p1", "p2"]},
        {"table": 12, "game": games[12], "parties": ["p3", "p4"]},
    ]
    assert missing() == tables
    day.does(day.olga, "slip", round=1, sides=[{"won": 2}, {"won": 0}], table=11, reason="as seen")
    assert missing() == tables[1:], "a table with a result waits for nobody"
    day.does(day.olga, "end", left=[{"reason": "they play on", "table": 12}], round=1)
    assert missing() == [], "no round runs"


def test_a_lost_phones_token_opens_nothing_more(day: Day) -> None:
    day.begun()
    names = f"/v1/events/{day.event}/names"
    day.post(names, day.names_file(), day.token)
    old, new = code_token(day.codes[1]).hex(), identity("p1", "another phone")
    assert day.http.get(names, headers=bearer(old)).status_code == 200
    key = str(new.key)
    day.does(day.olga, "correct-key", key=key, number=1, reason="a lost phone")
    assert day.http.get(names, headers=bearer(old)).status_code == 404
    token = day.access(new)
    assert day.http.get(names, headers=bearer(token)).status_code == 200
    assert day.post(f"/v1/events/{day.event}/access", b"{}").status_code == 400


def test_a_wrong_pairing_after_the_start_closes_the_old_games_and_opens_new_ones(day: Day) -> None:
    day.begun()
    old = games_of(day)
    tables = [{"sides": [[1], [3]], "table": 11}, {"sides": [[2], [4]], "table": 12}]
    day.does(day.olga, "correct-pairing", cancelled=[], reason="wrong opponents", round=1, tables=tables)
    new = games_of(day)
    assert not set(old.values()) & set(new.values())

    def closed() -> bool:
        lines = day.http.get(f"/v1/games/{old[11]}/log", headers=bearer(day.token)).content.splitlines()
        return bool(json.loads(lines[-1])["type"] == "close")

    until(closed)


def test_a_hostile_phone_is_cut_off_alone(tmp_path: Path) -> None:
    limits = dict(ROOMY) | {"MAX_REFUSED": 5, "MAX_POSTS": 5, "MAX_BURST": 20, "MAX_CONNECTIONS": 12, "MAX_STREAMS": 3}
    root = tmp_path / "hall"
    with serving(root, "--organizer", OLGA, *with_limits(root, limits)) as server, Day(server.address) as day:
        day.open()
        day.register()
        _ = day.state
        acts = f"/v1/events/{day.event}/acts"
        mine, junk = code_token(day.codes[1]).hex(), code_token(day.codes[2]).hex()
        statuses = [day.post(acts, b"junk", token).status_code for token in (junk, None) for _ in range(8)]
        assert statuses.count(429) == 4, "whoever sends junk is barred, with a token and without"
        assert day.post(acts, day.check_in(3)).status_code == 429, "others without a token are counted with it"
        assert day.post(acts, day.check_in(1), mine).status_code == 201
        clients = [httpx.Client(base_url=server.address, headers=bearer(mine)) for _ in range(3)]
        others = {
            n: httpx.Client(base_url=server.address, headers=bearer(code_token(day.codes[n]).hex())) for n in (3, 4)
        }

        path = f"/v1/events/{day.event}/stream"
        opened = []
        try:
            for client in [*clients, *others.values()]:
                opened.append(client.stream("GET", path))
                assert opened[-1].__enter__().status_code == 200
            assert clients[0].get(path).status_code == 429, "a token has so many streams"
            raw = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(40)]
            assert (
                others[3].post(acts, content=day.check_in(3), headers={"content-type": "application/json"}).status_code
                == 201
            )
            with httpx.Client(base_url=server.address, headers=bearer(code_token(day.codes[4]).hex())) as late:
                assert late.get(f"/v1/events/{day.event}").status_code == 200, "idle connections make room"
            for connection in raw:
                connection.close()
        finally:
            for each in opened:
                each.__exit__(None, None, None)
            for client in [*clients, *others.values()]:
                client.close()


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.slow
def test_a_server_that_is_killed_at_any_step_goes_on(tmp_path: Path, step: str) -> None:
    """The server kills itself where the step begins, once; started again it ends what was begun."""
    root = tmp_path / "hall"
    options = ("--organizer", OLGA, *with_limits(root))
    with serving(root, *options) as server, Day(server.address) as day:
        day.open()
        day.register()
        day.all_in()
        day.pair()
        _ = day.state
        act = day.act(day.olga, "start", {"minutes": 50, "round": 1})
        server.stop(signal.SIGKILL)
        again = killing(step)(root, *options, port=server.port)
        with suppress(httpx.HTTPError):
            day.post(f"/v1/events/{day.event}/acts", act)
        again.wait()
        third = Server(root, *options, port=server.port)
        try:
            answer = day.post(f"/v1/events/{day.event}/acts", act)
            assert answer.status_code in (200, 201)
            games = games_of(day)
            assert len(set(games.values())) == 2
            for game in games.values():
                log = day.http.get(f"/v1/games/{game}/log", headers=bearer(day.token)).content
                assert verify(log)[0].verdict == "holds"
                assert [json.loads(line)["type"] for line in log.splitlines()] == ["open", "commit"]
            assert [json.loads(line)["type"] for line in day_lines(day)].count("opened") == 1
        finally:
            third.stop(signal.SIGKILL)


def day_lines(day: Day) -> list[bytes]:
    return day.http.get(f"/v1/events/{day.event}/log").content.splitlines()


@pytest.mark.slow
def test_two_processes_keep_one_event_in_postgresql(tmp_path: Path) -> None:
    with cluster() as found:
        if found is None:
            pytest.skip("PostgreSQL is not installed")
        url = found.make("events")
        root = tmp_path / "hall"
        options = ("--organizer", OLGA, *with_limits(root), "--database", url)
        with serving(root, *options) as one, serving(root, *options) as two, Day(one.address) as day:
            day.open()
            day.register()
            other = httpx.Client(base_url=two.address)
            _ = day.state
            for number in day.names:
                at = day.http if number % 2 else other
                answer = at.post(
                    f"/v1/events/{day.event}/acts",
                    content=day.check_in(number),
                    headers={"content-type": "application/json"},
                )
                assert answer.status_code == 201, answer.text
            day.pair()
            with other.stream("GET", f"/v1/events/{day.event}/stream") as stream:
                day.does(day.olga, "start", minutes=50, round=1)
                for line in stream.iter_lines():
                    if '"type":"opened"' in line:
                        break
            assert len(set(games_of(day).values())) == 2
            until(lambda: other.get(f"/v1/events/{day.event}").json()["lines"] == len(day_lines(day)))
            other.close()
