"""Rows from which logs are made (tests/make/logs/README.md)."""

from pathlib import Path
from typing import Any

import pytest

from tests.make import stories
from tests.make.parts import ROWS
from tests.make.stories import WrongRow, play, read, value

ROW: dict[str, Any] = {"name": "holds--a-row", "label": "a row", "parties": "two", "body": "delina"}


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (["rol"], "there is no such act"),
        (["call", "off", "alice"], "there is no such act"),
        (["away", "alice", "carol"], "carol is no party"),
        (["void", "alice", ["bob", "zoe"]], "zoe is no party"),
        (["join", "alice", "Bob"], "Bob is no party"),
        (["resolve"], "missing"),
        (["rule", "alice", "uphold", 1], "missing"),
        (["reveal", [], {}, 3, 4], "too many positional arguments"),
        (["close", "host"], "too many arguments"),
        (["whole roll", "bob", "chaos", {"side": [4]}], "unexpected keyword argument 'side'"),
        (["request", "alice", "delila"], "delila"),
        (["resolve", "$roll"], r"there is no \$roll"),
        (["resolve", "$role"], r"there is no \$role"),
        (["lost"], "lost"),
    ],
    ids=lambda each: " ".join(map(str, each)) if isinstance(each, list) else "",
)
def test_a_wrong_act_is_refused_with_the_name_of_its_row(act: list[Any], told: str) -> None:
    with pytest.raises(WrongRow, match=f"^holds--a-row: .*{told}") as caught:
        play({**ROW, "acts": [["whole roll"], act] if act[0] != "resolve" else [act]})
    assert str(act) in str(caught.value)


@pytest.mark.parametrize(
    ("member", "told"),
    [
        ({"partys": "two"}, "no such member: partys"),
        ({"parties": "seven"}, "seven"),
        ({"game": "standing"}, "there is no game standing"),
        ({"terms": {"host": "$keys hetty"}}, r"there is no \$keys hetty"),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_a_wrong_member_is_refused_with_the_name_of_its_row(member: dict[str, Any], told: str) -> None:
    with pytest.raises(WrongRow, match=f"^holds--a-row: .*{told}"):
        play({**ROW, "acts": [], **member})


def test_who_is_no_party_is_named_as_a_stranger() -> None:
    made = play({**ROW, "acts": [["write", "zoe", "join", {}]], "strangers": ["zoe"]})
    assert made[0].lines[-1].startswith(b'{"author":"zoe"')


def test_a_row_has_what_is_usual_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    usual = '[usual]\nparties = "two"\nbody = "chaos"\n'
    row = '[[log]]\nname = "holds--x"\nabout = "x"\nlabel = "x"\nacts = [["request"], ["request", "bob", "delina"]]\n'
    path.write_text(usual + row)
    (case,) = read(path)
    lines = case.make()[0].lines
    assert lines[6].startswith(b'{"author":"alice","body":{"dice":"1d20","source":"Wand of Wonder"')
    assert lines[7].startswith(b'{"author":"bob","body":{"dice":"1d20","source":"Delina')


def test_what_a_value_stands_for() -> None:
    w = play({**ROW, "acts": [["whole roll"], ["roll", "bob"]]})[0]
    assert value(w, ["$roll", "$roll 1", "$reveal 2", "alice"]) == [9, 6, 10, "alice"]
    assert value(w, {"a": {"repeat": [1, 2], "times": 2}, "b": {"repeat": "11", "times": 3}}) == {
        "a": [1, 2, 1, 2],
        "b": "111111",
    }
    opening = value(w, {"opening-of": "bob", "index": 1})
    assert opening == w.opening("bob", index=1)
    changed = value(w, {"opening-of": "bob", "index": 1, "changed": {"link": "$link bob 2"}})
    assert changed == {**opening, "link": w.chains["bob"][2].hex()}


def test_the_page_names_all_that_a_row_can_say() -> None:
    page = (ROWS / "README.md").read_text()
    words = {*(f'["{word}"' for word in {*stories.ACTS, *stories.METHODS})}
    missing = {word for word in words if word not in page and f"`{word[2:-1]}`" not in page}
    missing |= {word for word in stories.VALUES if f"`${word}" not in page}
    missing |= {word for word in stories.MADE if f"{{ {word} = " not in page}
    missing |= {word for word in stories.MEMBERS | stories.GAMES if f"`{word}`" not in page}
    assert missing == set()
