"""`Replay.follow` comes to the state that `step` comes to, and finds out what was changed since (verifier.replay)."""

import json
from pathlib import Path

import pytest

from rules.data.bounds import MAX_DICE
from tests.bench.scribe import game
from tests.oracles.reference import Writer
from tests.support.bundles import bundled
from verifier import Failure, Replay
from verifier.log.plainjson import encode
from verifier.log.signatures import trust

LOGS = Path(__file__).parents[2] / "specs" / "vectors" / "logs"


def good_logs() -> list[Path]:
    """The vectors of which every line holds: none ends in an offer that nobody took."""
    index = json.loads((LOGS / "index.json").read_text())
    holding = [entry["file"] for entry in index if entry["verdict"] == "holds"]
    return [LOGS / file for file in holding if not file.startswith("holds--offer")]


def state(replay: Replay) -> list[object]:
    names = ("head", "time", "pending", "sealed", "chains", "conduct", "session")
    return [replay.tree.root(), *(getattr(replay, name) for name in names)]


@bundled("path", good_logs(), lambda path: path.stem)
def test_following_comes_to_the_state_of_stepping_after_every_line(path: Path) -> None:
    followed, stepped = Replay(), Replay()
    for line in path.read_bytes().splitlines():
        one, other = followed.follow(line), stepped.step(line, trust)
        assert (one.seq, one.author, one.type, encode(one.body)) == (
            other.seq,
            other.author,
            other.type,
            encode(other.body),
        )
        assert state(followed) == state(stepped)


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    return game(40)[0].splitlines()


def follow(lines: list[bytes]) -> Replay:
    replay = Replay()
    for line in lines:
        replay.follow(line)
    return replay


def test_a_changed_line_is_found_out_by_the_next_line_or_the_head(lines: list[bytes]) -> None:
    head = follow(lines).head
    for number in range(len(lines)):
        for old, new in ((b'"time":"2', b'"time":"1'), (b'"sig":"', b'"sig":"0'), (b'{"author"', b'{ "author"')):
            changed = [*lines[:number], lines[number].replace(old, new, 1), *lines[number + 1 :]]
            try:
                replay = follow(changed)
            except Failure as failure:
                assert failure.step <= 23  # noqa: PT017 - where it may be found out in two ways
            else:
                assert number == len(lines) - 1
                assert replay.head != head


@pytest.mark.parametrize("naturals", ["[]", "[1,2]", "[21]"])
def test_dice_that_the_request_cannot_show_are_refused(lines: list[bytes], naturals: str) -> None:
    number = next(i for i, line in enumerate(lines) if b'"naturals"' in line)
    event = json.loads(lines[number])
    event["body"]["naturals"] = json.loads(naturals)
    with pytest.raises(Failure) as caught:
        follow([*lines[:number], json.dumps(event, separators=(",", ":"), sort_keys=True).encode()])
    assert caught.value.code == "reveal.naturals"


def test_a_line_of_many_small_objects_is_followed() -> None:
    """A judge may correct as many dice as a roll may have, which takes more brackets than most lines have."""
    w = Writer("many corrected", {"host": "keeper", "alice": "player", "dana": "judge"})
    w.open(system="dice-1", options={})
    w.join("alice", "dana")
    w.commit("host", "alice")
    number = w.request("alice", "roll", {"dice": f"{MAX_DICE}d6"}, [6] * MAX_DICE)
    w.reveal()
    results = [{"die": die, "result": 6} for die in range(1, MAX_DICE + 1)]
    w.write("dana", "ruling", {"results": results, "ruling": "correct", "subject": number, "text": "All."})
    assert w.lines[-1].count(b"{") > MAX_DICE
    stepped = Replay()
    for line in w.lines:
        stepped.step(line)
    assert follow(w.lines).head == stepped.head
