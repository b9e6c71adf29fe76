"""Event 0 of an event table, which is determined by the event log (specs/event.md, "Event tables")."""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from rules.data.bounds import MAX_PARTIES
from verifier.errors import Failure
from verifier.event.records import OpenedTable, TableOpening
from verifier.event.terms import EventTerms
from verifier.log.bodies import EventOfTable, Open, Party
from verifier.log.format import FORMAT, decode_envelope
from verifier.log.merkle import ZERO_HASH
from verifier.log.plainjson import encode

__all__ = ["TABLE_LABEL", "TableDifference", "difference", "event_zero", "table_nonce", "table_title"]

TABLE_LABEL = b"rollproof/v1/event table\n"


def table_nonce(event: bytes, line: int, table: int) -> str:
    """Return the nonce, in hex, of a table that a line of an event opens."""
    return hashlib.sha256(TABLE_LABEL + event + line.to_bytes(8, "big") + table.to_bytes(8, "big")).hexdigest()


def table_title(title: str, round_: int, table: int) -> str:
    """Return the title of a table's game."""
    return f"{title}, round {round_}, table {table}"


def event_zero(terms: EventTerms, opening: TableOpening, opened: OpenedTable) -> dict[str, Any]:
    """Return event 0 of a table without its `sig`, as JSON values."""
    players = [Party(str(key), "player") for key in opened.keys]
    judges = [Party(str(key), "judge") for key in opening.judges[: MAX_PARTIES - 1 - len(players)]]
    body = Open(
        format=FORMAT,
        system=terms.body.system,
        options=msgspec.Raw(encode(terms.body.options)),
        parties=(Party(str(terms.keeper_key), "keeper"), *players, *judges),
        contributors=terms.body.contributors,
        nonce=table_nonce(terms.game, opening.seq, opened.table),
        title=table_title(terms.body.title, opening.round, opened.table),
        away=terms.body.away,
        admits=("judge",),
        event=EventOfTable(terms.game.hex(), tuple(map(str, opening.organizers[:MAX_PARTIES]))),
    )
    zeros = ZERO_HASH.hex()
    known: dict[str, Any] = {"author": terms.keeper, "game": zeros, "prev": zeros, "seq": 0}
    return {**known, "body": msgspec.json.decode(encode(body)), "time": opening.time, "type": "open"}


class TableDifference(Struct, frozen=True):
    """The first member, by name, in which an event 0 differs from what the event log requires."""

    member: str
    expected: str
    actual: str


def difference(line: bytes, expected: Mapping[str, Any]) -> TableDifference | None:
    """Compare a first line, without its line feed, with `event_zero`. Return None if they agree.

    Members of the body are named `body.title` and so on.
    """
    try:
        decode_envelope(line)
    except Failure as failure:
        return TableDifference("line", "", failure.code)
    found = msgspec.json.decode(line)
    for name in sorted({*expected, *found} - {"sig", "body"}):
        if found.get(name) != expected.get(name):
            return _difference(name, expected, found)
    for name in sorted({*expected["body"], *found["body"]}):
        if found["body"].get(name) != expected["body"].get(name):
            found_difference = _difference(name, expected["body"], found["body"])
            return TableDifference(f"body.{name}", found_difference.expected, found_difference.actual)
    return None


def _difference(name: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> TableDifference:
    return TableDifference(name, *(_shown(each[name]) if name in each else "-" for each in (expected, found)))


def _shown(value: Any) -> str:
    return encode(value).decode()[:400]
