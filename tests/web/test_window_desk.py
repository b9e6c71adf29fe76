"""What the window for plugins takes and says, by itself (specs/window.md); in browsers: tests/sdk/test_window.py."""

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

NODE = shutil.which("node")
SCRIPT = Path(__file__).with_name("window_desk.mjs")
ORIGIN = "https://vtt.example"

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not here")


@cache
def tried() -> dict[str, Any]:
    done = subprocess.run([str(NODE), str(SCRIPT)], capture_output=True, text=True, timeout=60, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_each_roll_since_is_told_once_and_no_secret_one() -> None:
    assert tried()["connected"] == ["connected"], "and of no roll from before"
    assert tried()["told"] == [["roll", 5, "reveal", 1, "of 5"], ["roll", 9, "void", 0, "of 9"]]
    assert tried()["again"] == 2


def test_what_was_asked_for_is_told_as_that_and_is_not_taken_back_while_it_is_signed() -> None:
    assert tried()["race"] == {"before": [["refused", "nothing"]], "after": [["rolled", True, 3]]}


def test_another_origin_is_not_answered() -> None:
    assert tried()["otherOrigin"] == [0, None]


def test_messages_count_once_and_have_a_bound_and_no_ports() -> None:
    [declined, *rest] = tried()["refused"]
    assert declined[2] == "declined"
    assert rest == [[ORIGIN, None, "malformed"]] * 5
    assert (tried()["nothingAsked"], tried()["longest"]) == (None, 53)


def test_one_request_waits_and_an_origin_without_a_name_is_not_heard() -> None:
    assert tried()["busy"] == ["busy", 53]
    assert tried()["nameless"] == ["alone", 0]


def test_a_flood_ends_it_for_good() -> None:
    assert (tried()["below"], tried()["at"]) == ("connected", "connected")
    assert tried()["flood"] == ["over", "flood"]
    assert tried()["after"] == 0


def test_a_line_that_says_nothing_is_refused_unseen() -> None:
    assert tried()["unread"] == [["unreadable", "No dice."]]


def test_what_dice_come_to_is_waited_for() -> None:
    assert tried()["meaning"] == [0, ["roll", None, None], ["bye", None, "closed"]]


def test_a_server_that_cheats_ends_it() -> None:
    assert tried()["trouble"] == ["over", ["bye"]]
