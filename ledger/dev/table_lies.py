"""Lies about a table before its game: other terms, another event 0."""

import json
import threading
from collections.abc import Callable
from typing import Any

from ledger.dev.lie import Lie
from ledger.dev.proxy import StreamEvent
from ledger.dev.stage import CLIENT, LyingStage
from ledger.seats.identity import Identity
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode

__all__ = ["TABLE_LIES"]


def _other_table(stage: LyingStage, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the table that the client is shown; it must take no seat."""

    def changed(data: bytes) -> bytes:
        table = json.loads(data)
        change(table)
        return encode(table)

    seen: list[str] = []

    def answer(path: str, data: bytes, _: dict[str, str]) -> bytes:
        seen.append(path)
        return changed(data) if path.rpartition("/")[0].endswith("/tables") else data

    def event(path: str, event: StreamEvent) -> list[StreamEvent]:
        seen.append(path)
        return [("table", event[1], changed(event[2]))] if event[0] == "table" else [event]

    def posted(path: str, _: bytes) -> None:
        if path.endswith("/seats"):
            stage.taken.append("it took a seat at a table whose terms are not the host's")

    stage.proxy.answer = answer
    stage.proxy.event, stage.proxy.posted = event, posted
    stage.until(lambda: any("/tables/" in each for each in seen), f"{CLIENT} does not look at the table")


def _other_terms(stage: LyingStage) -> None:
    def change(table: dict[str, Any]) -> None:
        terms = json.loads(table["terms"])
        table["terms"] = encode({**terms, "title": "Another table"}).decode()

    _other_table(stage, change)


def _other_keeper(stage: LyingStage) -> None:
    mallory = Identity.generate("keeper")

    def change(table: dict[str, Any]) -> None:
        terms = json.loads(table["terms"])
        terms["keeper"] = str(mallory.key)
        unsigned = {name: value for name, value in terms.items() if name != "sig"}
        sig = stage.alice.sign(b"rollproof/v1/table\n" + encode(unsigned)).hex()
        table["terms"] = encode({**unsigned, "sig": sig}).decode()

    _other_table(stage, change)


def _event_zero(
    stage: LyingStage,
    change: Callable[[dict[str, Any]], None],
    *,
    named: bool = True,
    start: Callable[[Any], Any] | None = None,
) -> None:
    """Begin the game with other terms than agreed; `named`: the table names the game that has this event 0."""
    real: dict[str, str] = {}
    lock = threading.Lock()

    def first(lines: list[bytes]) -> list[bytes]:
        event = json.loads(lines[0])
        change(event)
        return [stage.keeper.line(event)]

    def shown(data: bytes) -> bytes:
        table = json.loads(data)
        if table["game"] is None:
            return data
        with lock:
            if "game" not in real:
                lines = first(stage.lines_of(table["game"]))
                game = leaf_hash(lines[0]).hex() if named else table["game"]
                stage.begin_falsely(game, lines)
                real["game"] = game
        table["game"] = real["game"]
        if start is not None:
            table = start(table)
        return encode(table)

    def answer(path: str, data: bytes, _: dict[str, str]) -> bytes:
        return shown(data) if path.rpartition("/")[0].endswith("/tables") else data

    def event(_: str, event: StreamEvent) -> list[StreamEvent]:
        return [("table", event[1], shown(event[2]))] if event[0] == "table" else [event]

    stage.proxy.answer, stage.proxy.event = answer, event
    stage.begin(joined=False)
    stage.until(lambda: "game" in real, f"{CLIENT} does not look whether the game has begun")


def _without_a_party(event: dict[str, Any]) -> None:
    event["body"]["parties"] = [each for each in event["body"]["parties"] if not each["key"].startswith("alice+")]


def _other_key(event: dict[str, Any]) -> None:
    mallory = Identity.generate("alice")
    for party in event["body"]["parties"]:
        if party["key"].startswith("alice+"):
            party["key"] = str(mallory.key)


def _one_more(event: dict[str, Any]) -> None:
    event["body"]["parties"].append({"key": str(Identity.generate("mallory").key), "role": "player"})


def _other_options(event: dict[str, Any]) -> None:
    event["body"]["options"] = {"max": 1}


def _other_system(event: dict[str, Any]) -> None:
    event["body"]["system"] = f"{event['body']['system']}00"


def _other_contributors(event: dict[str, Any]) -> None:
    event["body"]["contributors"] = "roller"


def _other_time(event: dict[str, Any]) -> None:
    event["time"] = event["time"][:-4] + "999Z"


def _posed_seat(stage: LyingStage) -> None:
    """Somebody plays who has no seat of the table's link: the server put it there, and the start is not the host's."""
    mallory = Identity.generate("mallory")

    def start(table: dict[str, Any]) -> dict[str, Any]:
        seat = {**table["seats"][0], "key": str(mallory.key)}
        parties = [*table["start"]["parties"], {"key": str(mallory.key), "role": "player"}]
        return {**table, "seats": [*table["seats"], seat], "start": {**table["start"], "parties": parties}}

    def change(event: dict[str, Any]) -> None:
        event["body"]["parties"].append({"key": str(mallory.key), "role": "player"})

    _event_zero(stage, change, start=start)


_NO_SEAT = "takes no seat"
_NO_JOIN = "tells its owner, keeps what it was shown, and does not join"


def _of_event_zero(name: str, about: str, change: Callable[[dict[str, Any]], None], *, named: bool = True) -> Lie:
    return Lie(name, about, _NO_JOIN, lambda stage: _event_zero(stage, change, named=named))


TABLE_LIES = (
    Lie("other-terms", "the table has another title than the link's", _NO_SEAT, _other_terms),
    Lie("other-keeper", "the host's terms, signed anew, name another keeper", _NO_SEAT, _other_keeper),
    _of_event_zero("without-a-party", "event 0 leaves the host out", _without_a_party),
    _of_event_zero("one-more-party", "event 0 has a party that the host did not start with", _one_more),
    _of_event_zero("other-party-key", "event 0 gives a player another key", _other_key),
    _of_event_zero("other-options", "event 0 has options that nobody agreed to", _other_options),
    _of_event_zero("other-system", "event 0 is of another system", _other_system),
    _of_event_zero("other-contributors", "event 0 takes dice from fewer parties", _other_contributors),
    _of_event_zero("other-game", "the log's event 0 is not the one of the game's id", _other_time, named=False),
    Lie("posed-seat", "a party plays whose seat the server made up", _NO_JOIN, _posed_seat),
)
