"""An event with its games, as files and as a bundle, made with everybody's keys; honest or not."""

import hashlib
from collections.abc import Sequence
from typing import Any

from tests.make.event import EventWriter, whole
from tests.oracles import reference as ref
from tests.oracles import reference_event as oracle
from tests.oracles.reference import canonical, leaf, private_key

__all__ = ["Event", "bundle", "close_of", "names_file", "signed", "sound_event"]


def signed(event: dict[str, Any], by: str = "hall") -> bytes:
    """An event of a game as its line."""
    sig = private_key(by).sign(ref.EVENT_LABEL + canonical(event)).hex()
    return canonical({**event, "sig": sig})


def close_of(first: bytes, time: str, prev: bytes | None = None, seq: int = 1) -> bytes:
    """The keeper's close of a game."""
    head = leaf(prev or first).hex()
    members = {"game": leaf(first).hex(), "prev": head, "seq": seq, "time": time, "type": "close"}
    return signed({"author": "hall", "body": {}, **members})


class Event:
    """The lines of an event, and the logs of its games by id (hex)."""

    def __init__(self, writer: EventWriter, games: dict[str, list[bytes]]) -> None:
        self.writer = writer
        self.games = games

    def log_of(self, game: str) -> bytes:
        return b"".join(line + b"\n" for line in self.games[game])

    def files(self) -> list[tuple[str, bytes]]:
        """The files of a bundle, without the manifest."""
        games = [(f"games/{game}.jsonl", self.log_of(game)) for game in self.games]
        return [("event.jsonl", self.writer.data), *games]


def sound_event() -> Event:
    """The whole event of the vectors, with games that were opened and closed."""
    games: dict[str, list[bytes]] = {}

    def opened(w: EventWriter, line: int) -> list[dict[str, Any]]:
        event, errors = oracle.verify(w.data)
        assert errors == []
        found = []
        for table in event.openings[line]["keys"]:
            zero = oracle.event_zero(event, line, table)
            first = signed(zero)
            game = leaf(first).hex()
            games[game] = [first, close_of(first, zero["time"])]
            found.append({"game": game, "table": table})
        return found

    return Event(whole(opened), games)


def bundle(files: Sequence[tuple[str, bytes]], behind: bytes = b"") -> bytes:
    """A bundle of these files, in their order."""
    entries = [{"name": name, "sha256": hashlib.sha256(data).hexdigest(), "size": len(data)} for name, data in files]
    manifest = canonical({"bundle": "rollproof/bundle/v1", "files": entries})
    return manifest + b"\n" + b"".join(data for _, data in files) + behind


def names_file(event: str, names: dict[int, tuple[str, str]]) -> bytes:
    """A names file: by number, name and salt."""
    entries = [{"name": name, "number": number, "salt": salt} for number, (name, salt) in sorted(names.items())]
    return canonical({"event": event, "names": entries}) + b"\n"
