"""Public witnesses of an event: they cosign its log while it goes on, and the wall shows who has (specs/event.md)."""

import io
import json
import re
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.home import Home
from tests.server.event_day import Day, identity
from tests.server.machines import until
from tests.server.served import PASSPHRASE, serving, with_limits
from tests.server.test_witnesses import _policy, _prepared, _witness_at, running
from tests.web.table_page import PATIENCE
from verifier.checkpoints.checkpoint import Checkpoint, CosignerKey, sign_checkpoint
from verifier.checkpoints.policy import parse_policy
from verifier.event.bundle import verify_bundle

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long


def _wall(browser: "Browser", day: Day) -> "Page":
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{day.address}/e/{day.event}#wall.{day.codes[1]}")
    return page


def test_witnesses_cosign_an_event_and_the_wall_shows_who_is_waited_for(browser: "Browser", tmp_path: Path) -> None:
    hall = tmp_path / "hall"
    keeper = _prepared(hall, "keeper")
    _prepared(tmp_path / "witness", "walt")
    keepers = _policy(tmp_path / "keepers.policy", f"log {keeper}", "quorum none")
    with ExitStack() as stack:
        witness = stack.enter_context(running(_witness_at(tmp_path / "witness", "walt", keepers)))
        asked = f"witness walt {witness.told['key']} {witness.address}"
        policy = _policy(tmp_path / "asked.policy", asked, "quorum walt")
        organizer = str(identity("olga").key)
        options = ("--organizer", organizer, "--witnesses", str(policy), *with_limits(hall))
        server = stack.enter_context(serving(hall, *options))
        day = stack.enter_context(Day(server.address))
        day.open()
        day.register()
        wall = _wall(browser, day)
        seen = wall.locator(".event-code")
        seen.get_by_text("The witness walt has seen all lines: 2").wait_for()
        code = seen.locator(".digits").inner_text()
        assert re.fullmatch(r"2: (\d{5} ){5}\d{5}", code)

        witness.stop(signal.SIGKILL)
        day.post(f"/v1/events/{day.event}/acts", day.check_in(1))
        seen.get_by_text("Waiting for the witness walt: 2 of 3 lines").wait_for()
        assert seen.locator(".digits").inner_text() != code
        day.does(day.olga, "close")
        stack.enter_context(running(_witness_at(tmp_path / "witness", "walt", keepers, port=witness.port)))
        seen.get_by_text("The witness walt has seen all lines: 4").wait_for()
        until(lambda: "— walt " in day.http.get(f"/v1/events/{day.event}/checkpoint").text)
        data = day.http.get(f"/v1/events/{day.event}/bundle", headers={"authorization": f"Bearer {day.token}"}).content
        met = parse_policy(policy.read_bytes())
        assert verify_bundle(io.BytesIO(data), policy=met).verdict == "holds"
        stranger = CosignerKey("gail", identity("gail").key.public_bytes)
        other = parse_policy(f"witness gail {stranger}\nquorum gail\n".encode())
        assert verify_bundle(io.BytesIO(data), policy=other).verdict == "fails"

        # A keeper that has another history cosigned than the one that this screen was shown.
        forged = Home(hall / "home", hall / "state").identity("keeper", PASSPHRASE)
        head = Checkpoint(bytes.fromhex(day.event), 3, bytes(32))
        note = bytes(sign_checkpoint(head, forged.key, forged.sign)).decode()
        body = json.dumps({"cosigned": [{"key": witness.told["key"], "note": note}]})
        victim = _wall(browser, day)
        victim.route(re.compile("/cosigned"), lambda route: route.fulfill(status=200, body=body))
        victim.locator(".loud.bad").get_by_text("another history of this event").wait_for()
