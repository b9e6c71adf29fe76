"""The table page in Chromium at a server that cheats, with the keeper's own key where that helps it (specs/page.md)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ledger.home import Home
from tests.server.served import Server
from tests.web.cheat import Cheat, Event, Keeper
from tests.web.people import Two
from verifier import verify
from verifier.log.merkle import leaf_hash

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


# --- a server that cheats --------------------------------------------------------------------------------------------


def on_line(type: str, change: Callable[[dict[str, Any]], bytes]) -> Callable[[str, Event], list[Event]]:
    """Lines of a type are changed in streams."""

    def event(_: str, event: Event) -> list[Event]:
        name, identifier, data = event
        if name != "line" or json.loads(data)["type"] != type:
            return [event]
        return [(name, identifier, change(json.loads(data)))]

    return event


def assert_caught(two: Two, words: str, folder: Path, what: str, axe: str, *evidence: str) -> None:
    """Bob's page says it loudly, has evidence to save, and signs and sends nothing more: loaded anew neither."""
    bob, page = two.bob, two.bob.page
    loud = bob.is_told(words)
    assert "Something here is not as it was signed" in loud.inner_text()
    assert "signs and sends nothing more in this game" in loud.inner_text()
    assert loud.bounding_box()["y"] < page.locator("#now-title").bounding_box()["y"]  # type: ignore[index]
    bob.looked_at(folder, what, axe)
    files = bob.save("Save the evidence")
    assert {"here.jsonl", *evidence} <= set(files)
    report, _ = verify(files["here.jsonl"])
    assert report.verdict == "holds"  # what it had taken before
    assert not bob.can_sign()
    sent = two.sent()
    page.locator("#line").fill("d20")
    page.keyboard.press("Enter")
    for _ in range(2):
        page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_timeout(500)
        assert not bob.can_sign()
        assert two.sent() == sent
        page.reload()
        bob.is_told(words)


def test_changed_dice_are_caught(two: Two, cheat: Cheat, keeper: Keeper, tmp_path: Path, axe: str) -> None:
    def other(event: dict[str, Any]) -> bytes:
        event["body"]["naturals"] = [event["body"]["naturals"][0] % 20 + 1]
        return keeper.line(event)

    cheat.event = on_line("reveal", other)
    two.alice.roll()
    assert_caught(two, "other dice than the reveal says", tmp_path, "changed dice", axe, "given.jsonl")
    assert two.bob.page.locator(".entry.roll.fair").count() == 0
    two.alice.sees_rolls(1)


def test_a_moved_opening_is_caught(two: Two, cheat: Cheat, keeper: Keeper, tmp_path: Path, axe: str) -> None:
    two.roll()
    before = json.loads(two.alice.log().splitlines()[-1])["body"]["openings"]

    def other(event: dict[str, Any]) -> bytes:
        event["body"]["openings"][2] = before[2]
        return keeper.line(event)

    cheat.event = on_line("reveal", other)
    two.alice.roll()
    assert_caught(two, "this roll takes link", tmp_path, "moved opening", axe, "given.jsonl")
    assert two.bob.page.locator(".entry.roll.fair").count() == 1


def test_a_forked_log_is_caught(two: Two, cheat: Cheat, keeper: Keeper, tmp_path: Path, axe: str) -> None:
    two.roll()
    seen = two.bob.log().splitlines()
    event = json.loads(seen[-1])
    forked = [*seen[:-1], keeper.line({**event, "time": event["time"][:-4] + "999Z"})]

    def other(_: str, came: Event) -> list[Event]:
        note = keeper.checkpoint(event["game"], forked)
        return [("line", str(len(forked) - 1), forked[-1]), ("checkpoint", "", note), came]

    cheat.event = other
    two.alice.roll()
    assert_caught(two, "was forked", tmp_path, "forked", axe, "given.jsonl")


def test_a_line_with_a_late_date_is_told_with_both_clocks_and_nothing_is_signed_upon_it(
    two: Two, cheat: Cheat, keeper: Keeper, tmp_path: Path, axe: str
) -> None:
    lines = two.bob.log().splitlines()
    game = json.loads(lines[-1])["game"]
    late = ""

    def other(_: str, event: Event) -> list[Event]:
        nonlocal late
        name, identifier, data = event
        if name == "checkpoint":
            return [(name, identifier, keeper.checkpoint(game, lines))]
        if name == "line" and int(identifier) == len(lines):
            value = json.loads(data)
            if value["type"] == "reveal":
                late = value["time"] = "2099" + value["time"][4:]
                data = keeper.line(value)
            lines.append(data)
        return [(name, identifier, data)]

    cheat.event = other
    two.alice.roll()
    loud = two.bob.is_told("one of the two is wrong")
    assert late in loud.inner_text()
    assert "Nothing is signed after it" in loud.inner_text()
    two.bob.looked_at(tmp_path, "late date", axe)
    sent = two.sent()
    two.bob.roll()
    two.bob.page.locator(".line .problem", has_text="one of the two is wrong").wait_for()
    assert two.sent() == sent


def test_an_opening_that_is_kept_back_after_a_receipt_is_told(
    two: Two, cheat: Cheat, keeper: Keeper, tmp_path: Path, axe: str
) -> None:
    def keep_back(method: str, path: str, body: bytes) -> tuple[int, bytes] | None:
        if method != "POST" or not path.endswith("/openings"):
            return None
        return 201, msgspec.json.encode({"received": keeper.received(json.loads(body))}, order="sorted")

    cheat.request = keep_back
    two.alice.roll()
    two.bob.is_told("does not pass the opening on")
    two.bob.page.locator(".now .waits", has_text="Your part was sent: the server has not handed it on yet.").wait_for()
    two.bob.looked_at(tmp_path, "kept back", axe)
    files = two.bob.save("Save the evidence of it")
    assert set(files) == {"my.opening", "keeper.received"}
    sent = next(body for path, body in cheat.posts if path.endswith("/openings"))
    assert files["my.opening"].strip() == sent
    assert not two.bob.can_sign()
    # Alice, who closes the roll, calls it off and names bob, who has what shows that he opened.
    two.alice.page.get_by_text("Call this roll off", exact=True).click()
    two.alice.page.get_by_role("button", name="Call this roll off; it waits for").click()
    two.bob.is_told("did not open")
    two.bob.page.locator(".entry.roll.off").wait_for()
    two.bob.page.reload()
    loud = two.bob.is_told("did not open")
    loud.get_by_role("button", name="I have read this").click()
    loud.wait_for(state="detached")


@pytest.mark.parametrize("what", ["party", "options", "game"])
def test_another_event_0_than_was_agreed_to_is_not_joined(
    browser: "Browser", server: Server, cheat: Cheat, keeper: Keeper, what: str, tmp_path: Path, axe: str
) -> None:
    def other(line: bytes) -> bytes:
        event = json.loads(line)
        if what == "party":
            del event["body"]["parties"][1]
        elif what == "options":
            event["body"]["options"] = {"max": 1}
        else:
            event["time"] = event["time"][:-4] + "999Z"
        return keeper.line(event)

    def changed(path: str, data: bytes, _: dict[str, str]) -> bytes:
        first, _end, rest = data.partition(b"\n")
        return other(first) + b"\n" + rest if "/log?" in path and data else data

    def state(_: str, event: Event) -> list[Event]:
        table = json.loads(event[2]) if event[0] == "table" else {"game": None}
        if what == "game" or table["game"] is None:
            return [event]
        real = table["game"]
        table["game"] = leaf_hash(other(first_line(server, real))).hex()
        cheat.instead[table["game"]] = real
        return [("table", "", msgspec.json.encode(table, order="sorted"))]

    two = Two(browser, server, cheat, start=False)
    cheat.answer, cheat.event = changed, state
    two.alice.page.locator("button.main:has-text('Start with')").click()
    two.bob.is_told("Something here is not as it was signed")
    two.bob.looked_at(tmp_path, f"event 0 {what}", axe)
    files = two.bob.save("Save the evidence")
    assert {"table.json", "given.jsonl"} <= set(files)
    assert json.loads(files["given.jsonl"])["type"] == "open"
    two.bob.page.wait_for_timeout(500)
    assert [path for path, _ in cheat.posts if "/games/" in path] == []
    assert two.bob.page.locator("button.main").count() == 1  # to save the evidence
    two.close()


def first_line(server: Server, game: str) -> bytes:
    ledger = Home(server.root / "home", server.root / "state").ledger()
    try:
        return next(ledger.lines(bytes.fromhex(game), 0, 1))
    finally:
        ledger.close()
