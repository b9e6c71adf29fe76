"""People at a table of a real server, each with a browser of their own (specs/page.md)."""

import io
import json
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.server.served import Server
from tests.web.cheat import Cheat
from tests.web.table_page import PATIENCE, axe_findings
from verifier import verify

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

__all__ = ["Person", "Two", "opened", "openings"]

LOUD = "[role=alert].loud"
NOT_THERE = re.compile("has not agreed yet|not at the table")
"""what stands beside a player, or a judge, who has not joined"""


class Person:
    """Somebody with a browser. What the page throws makes the test fail, by `check`."""

    def __init__(self, browser: "Browser", name: str, *, init: str = "", **context: Any) -> None:
        """`init`: a script that runs before any of the page."""
        self.name = name
        self.address = ""
        """another way to the server, if not empty"""
        self.context = browser.new_context(
            **{"viewport": {"width": 390, "height": 844}, "locale": "en-GB", "service_workers": "block", **context}
        )
        self.context.set_default_timeout(PATIENCE)
        if init:
            self.context.add_init_script(init)
        self.problems: list[str] = []
        self.page: Page = self.tab()

    def tab(self) -> "Page":
        """A further tab of this browser."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.problems.append(f"{error} {error.stack}"))
        return page

    def close(self) -> None:
        self.context.close()
        assert self.problems == [], (self.name, self.problems)

    # --- what a person does -------------------------------------------------------------------------------------------

    def sit(self, link: str) -> None:
        """Take a seat by a link."""
        self.page.goto(link)
        self.page.locator("#name").fill(self.name)
        self.page.keyboard.press("Enter")
        self.page.get_by_text("You sit here.").wait_for()

    def agree(self) -> None:
        self.agrees()
        self.can_act()

    def agrees(self) -> None:
        """Tap, and do not wait for those who must agree too."""
        self.page.locator("button.main:has-text('Agree to these terms')").click()

    def can_act(self) -> None:
        """Wait until there is something to do: all who play have agreed."""
        self.page.locator("#line, .ruling-form").first.wait_for()

    def roll(self, dice: str = "d20", page: "Page | None" = None) -> None:
        """Type a line, and tap."""
        self.types(dice, page)
        (page or self.page).locator(".line button.sign").click()

    def types(self, dice: str, page: "Page | None" = None) -> None:
        """Type a line, and wait until the button says what it is."""
        on = page or self.page
        on.locator("#line").fill(dice)
        on.locator(".line button.sign:not([aria-disabled])").wait_for()

    def save(self, button: "str | Locator" = "Save the log") -> dict[str, bytes]:
        """Files that a button saves, in a zip or by themselves."""
        found = self.page.get_by_role("button", name=button) if isinstance(button, str) else button
        with self.page.expect_download() as saved:
            found.first.click()
        data = Path(saved.value.path()).read_bytes()
        if not saved.value.suggested_filename.endswith(".zip"):
            return {saved.value.suggested_filename: data}
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    def log(self) -> bytes:
        """The log that this browser has; it holds."""
        (data,) = self.save().values()
        report, _ = verify(data)
        assert report.verdict == "holds", report.findings
        return data

    # --- what a person sees -------------------------------------------------------------------------------------------

    def sees_rolls(self, count: int, page: "Page | None" = None) -> list[str]:
        """Wait until so many rolls have dice; these, newest first."""
        on = page or self.page
        on.locator(".entry.roll.fair").nth(count - 1).wait_for()
        assert on.locator(".entry.roll.fair").count() == count
        return [re.sub(r"\s+", " ", each) for each in on.locator(".entry.roll.fair .dice").all_inner_texts()]

    def is_told(self, words: str) -> "Locator":
        """Wait for something loud with these words."""
        loud = self.page.locator(LOUD, has_text=words).first
        loud.wait_for()
        return loud

    def can_sign(self) -> bool:
        return self.page.locator("button.sign:not([aria-disabled])").count() > 0

    def looked_at(self, folder: Path, what: str, axe: str) -> None:
        """Pictures of the screen as it stands, on a phone and on a desk; and nothing serious that axe finds."""
        before = self.page.viewport_size
        for width in (390, 1280):
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.screenshot(path=folder / f"{what} {width}.png", full_page=True)
            found = axe_findings(self.page, axe)
            assert found == [], f"{what} at {width}: {found}"
        if before is not None:
            self.page.set_viewport_size(before)


def opened(
    host: Person,
    address: str,
    others: Sequence[Person] = (),
    *,
    judge: Person | None = None,
    start: bool = True,
    gone: str = "Wait for them",
) -> dict[str, str]:
    """A table that the host opens with a seat, and at which the others sit down; links by role. Agreed to, if `start`.

    The others may have an `address` of their own for the server. `gone`: what is chosen for a phone that dies.
    """
    host.page.goto(f"{address}/")
    host.page.get_by_text(gone, exact=True).click()
    host.page.locator("#name").fill(host.name)
    host.page.keyboard.press("Enter")
    host.page.get_by_text("Other links", exact=False).first.click()
    labels = {"player": "Link for players", "judge": "Link for a judge", "spectator": "Link for spectators"}
    links = {
        role: host.page.get_by_role("textbox", name=label, exact=True).input_value() for role, label in labels.items()
    }
    for each in others:
        each.sit(links["player"].replace(address, each.address or address))
    if judge is not None:
        judge.sit(links["judge"])
    if start:
        everybody = [*others, *([judge] if judge else [])]
        host.page.locator(".people li").nth(len(everybody)).wait_for()
        host.page.locator("button:has-text('Start with')").click()
        for each in everybody:
            each.agrees()
        for each in (host, *everybody):
            each.can_act()
            each.page.locator(".people li").first.wait_for()
            each.page.get_by_text(NOT_THERE).first.wait_for(state="detached")
    return links


def openings(posts: Sequence[tuple[str, bytes]]) -> list[tuple[str, int]]:
    """Author and index of each opening that a server got, in their order."""
    found = [json.loads(body)["opening"] for path, body in posts if path.endswith("/openings")]
    return [(each["author"], each["index"]) for each in found]


class Two:
    """Alice, whose server is honest, and bob, whose server is the other one. Both are at a table."""

    def __init__(
        self,
        browser: "Browser",
        server: Server,
        cheat: Cheat,
        *,
        start: bool = True,
        clock: bool = False,
        bob: str = "",
    ) -> None:
        """`clock`: bob's can be put forward. `bob`: a script that runs before his page."""
        self.server, self.cheat = server, cheat
        self.alice, self.bob = Person(browser, "alice"), Person(browser, "bob", init=bob)
        if clock:
            self.bob.page.clock.install()
        self.bob.address = cheat.address
        self.links = opened(self.alice, server.address, [self.bob], start=start)

    def roll(self, count: int = 1) -> None:
        """Alice rolls; both see it, as the roll of that number."""
        self.alice.roll()
        for each in (self.alice, self.bob):
            each.sees_rolls(count)

    def sent(self) -> int:
        """How much bob's page has sent that could matter."""
        return len([path for path, _ in self.cheat.posts if not path.endswith("/read")])

    def close(self) -> None:
        self.alice.close()
        self.bob.close()
