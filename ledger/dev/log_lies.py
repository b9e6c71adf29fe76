"""Lies about the log, its checkpoints and the openings, told when the client has played one honest roll."""

import json
from collections.abc import Callable
from typing import Any

from ledger.dev.forging import ForgingKeeper
from ledger.dev.lie import STOPS, Lie, after_a_roll
from ledger.dev.proxy import StreamEvent
from ledger.dev.stage import CLIENT, LyingStage
from ledger.seats.identity import Identity
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode

__all__ = ["LOG_LIES"]


_LATE = "2099"


def _second_reveal(stage: LyingStage, change: Callable[[dict[str, Any], list[bytes]], None]) -> None:
    """Make a second roll, and change its reveal, signed by the keeper."""
    before = stage.lines()
    lines = stage.second_roll("reveal")
    event = json.loads(lines[-1])
    change(event, before)
    stage.show([*lines[:-1], stage.keeper.line(event)])
    stage.probe()


def _truth(stage: LyingStage) -> None:
    stage.show(stage.second_roll("reveal"))
    assert stage.false is not None
    line = stage.request_upon(stage.false.lines)
    stage.add(line, None)
    stage.until(lambda: leaf_hash(line).hex() in stage.opened, f"{CLIENT} opens for nothing that is true")


def _changed_dice(stage: LyingStage) -> None:
    def other(event: dict[str, Any], _: list[bytes]) -> None:
        event["body"]["naturals"] = [event["body"]["naturals"][0] % 20 + 1]

    _second_reveal(stage, other)


def _changed_sides(stage: LyingStage) -> None:
    def other(event: dict[str, Any], _: list[bytes]) -> None:
        event["body"] |= {"naturals": [1], "sides": [1]}

    _second_reveal(stage, other)


def _moved_opening(stage: LyingStage) -> None:
    def other(event: dict[str, Any], before: list[bytes]) -> None:
        event["body"]["openings"][-1] = json.loads(before[-1])["body"]["openings"][-1]

    _second_reveal(stage, other)


def _missing_opening(stage: LyingStage) -> None:
    def other(event: dict[str, Any], _: list[bytes]) -> None:
        event["body"]["openings"] = [each for each in event["body"]["openings"] if each["author"] != CLIENT]

    _second_reveal(stage, other)


def _late_date(stage: LyingStage) -> None:
    def other(event: dict[str, Any], _: list[bytes]) -> None:
        event["time"] = _LATE + event["time"][4:]

    _second_reveal(stage, other)


def _early_date(stage: LyingStage) -> None:
    def other(event: dict[str, Any], _: list[bytes]) -> None:
        event["time"] = "2001" + event["time"][4:]

    _second_reveal(stage, other)


def _unsigned_line(stage: LyingStage) -> None:
    lines = stage.second_roll("roll")
    event = json.loads(lines[-1])
    event["body"]["dice"] = "2d20"
    stage.show(lines[:-1])
    stage.add(encode(event), "it opened for a roll that nobody signed")


def _not_canonical(stage: LyingStage) -> None:
    lines = stage.second_roll("roll")
    stage.show(lines[:-1])
    line = lines[-1].replace(b'"author":', b'"author": ', 1)
    stage.add(line, "it opened for a line that is not in canonical form")


def _left_out(stage: LyingStage) -> None:
    lines = stage.second_roll("reveal")
    true = stage.lines()
    line = stage.request_upon(true)
    stage.show(lines[:-1])
    stage.forbidden[leaf_hash(line).hex()] = "it opened for a roll behind a line that was left out"
    stage.proxy.push(
        lambda _: [
            ("line", str(len(true)), line),
            ("checkpoint", "", stage.keeper.checkpoint(stage.game, [*true, line])),
        ]
    )


def _second_request(stage: LyingStage) -> None:
    """Try the attack behind opening each link once: two requests in one place, of which the better one is kept."""
    before = stage.lines()
    stage.hold("reveal")
    stage.ask()
    stage.until(lambda: stage.held, f"{CLIENT} does not open for a roll")
    stage.show(before)
    stage.proxy.cut()
    stage.add(
        stage.request_upon(before, "2d20"), "it opened for another request in the place of one that it opened for"
    )


def _forked(stage: LyingStage) -> None:
    lines = stage.lines()
    event = json.loads(lines[-1])
    other = stage.keeper.line({**event, "time": event["time"][:-4] + "999Z"})
    stage.show([*lines[:-1], other], again=len(lines) - 1)
    stage.probe()


def _shorter_log(stage: LyingStage) -> None:
    lines = stage.lines()
    stage.show(lines[:-2])
    stage.proxy.cut()
    stage.probe()


def _other_checkpoint(stage: LyingStage) -> None:
    lines = stage.lines()
    stage.show(lines, note=stage.keeper.note(stage.game, [*lines[:-1], b"{}"]))
    stage.probe()


def _forged_checkpoint(stage: LyingStage) -> None:
    lines = stage.lines()
    stage.show(lines)
    mallory = ForgingKeeper(Identity.generate("keeper"))
    request = stage.request_upon(lines)
    note = mallory.note(stage.game, [*lines, request])
    stage.add(request, "it opened upon a checkpoint that the keeper did not sign", note=note)


def _no_checkpoint(stage: LyingStage) -> None:
    lines = stage.lines()
    stage.show(lines)
    stage.add(stage.request_upon(lines), "it opened for a request over which the keeper has not signed", note="")


def _other_games_checkpoint(stage: LyingStage) -> None:
    lines = stage.lines()
    stage.show(lines)
    request = stage.request_upon(lines)
    note = stage.keeper.note(leaf_hash(b"another").hex(), [*lines, request])
    stage.add(request, "it opened upon a checkpoint of another game", note=note)


# --- the one who closes ----------------------------------------------------------------------------------------------


def _alone(stage: LyingStage, other: Callable[[dict[str, Any]], dict[str, Any] | None], why: str) -> None:
    """Make a roll that the client closes, and withhold or change carol's opening."""

    def event(_: str, event: StreamEvent) -> list[StreamEvent]:
        if event[0] != "opening":
            return [event]
        sent = json.loads(event[2])
        changed = other(sent) if sent["opening"]["author"] == "carol" else sent
        return [] if changed is None else [("opening", "", encode(changed))]

    size = len(stage.lines())
    stage.proxy.event = event
    stage.ask()
    stage.until(lambda: len(stage.lines()) > size, "alice does not roll")
    request = leaf_hash(stage.lines()[size]).hex()
    stage.forbidden[request] = why
    if request in stage.opened:  # it was faster than this look at the log
        stage.taken.append(why)


def _withheld_opening(stage: LyingStage) -> None:
    _alone(stage, lambda _: None, "it opened before everybody else had, and so knew the dice first")


def _false_opening(stage: LyingStage) -> None:
    before = next(each for each in json.loads(stage.lines()[-1])["body"]["openings"] if each["author"] == "carol")
    _alone(stage, lambda sent: {**sent, "opening": before}, "it took an opening of the roll before for carol's")


LOG_LIES = (
    Lie("none", "no lie: what is true, told in the same way", "opens for it", after_a_roll(_truth), goes_on=True),
    Lie(
        "changed-dice",
        "a reveal, signed by the keeper, has other dice than its links give",
        STOPS,
        after_a_roll(_changed_dice),
    ),
    Lie(
        "changed-sides",
        "a reveal, signed by the keeper, is of a die with one side",
        STOPS,
        after_a_roll(_changed_sides),
        rules=True,
    ),
    Lie("moved-opening", "a reveal has an opening of the roll before", STOPS, after_a_roll(_moved_opening)),
    Lie("missing-opening", "a reveal leaves the client's opening out", STOPS, after_a_roll(_missing_opening)),
    Lie("unsigned-line", "a request asks for other dice than its author signed", STOPS, after_a_roll(_unsigned_line)),
    Lie("not-canonical", "a line has a blank that its author did not sign", STOPS, after_a_roll(_not_canonical)),
    Lie("left-out", "a line is left out", STOPS, after_a_roll(_left_out)),
    Lie(
        "late-date",
        "a line is dated in 2099",
        "tells its owner, and signs and opens nothing upon it",
        after_a_roll(_late_date),
    ),
    Lie("early-date", "a line is dated before the one before it", STOPS, after_a_roll(_early_date)),
    Lie(
        "forked", "another line, with the keeper's checkpoint, stands where one was seen", STOPS, after_a_roll(_forked)
    ),
    Lie("shorter-log", "the log has become shorter, and goes on otherwise", STOPS, after_a_roll(_shorter_log)),
    Lie(
        "second-request",
        "a request makes room for another, when the client has opened for it",
        STOPS,
        after_a_roll(_second_request),
    ),
    Lie("other-checkpoint", "the keeper's checkpoint is of other lines", STOPS, after_a_roll(_other_checkpoint)),
    Lie(
        "forged-checkpoint",
        "a checkpoint is by another key of the keeper's name",
        "does not open upon it",
        after_a_roll(_forged_checkpoint),
    ),
    Lie(
        "other-games-checkpoint",
        "a checkpoint is of another game",
        "does not open upon it",
        after_a_roll(_other_games_checkpoint),
    ),
    Lie(
        "no-checkpoint",
        "a request comes without the keeper's checkpoint",
        "does not open for it",
        after_a_roll(_no_checkpoint),
    ),
    Lie(
        "withheld-opening",
        "the client closes a roll, and another's opening is kept from it",
        "does not open before all others have",
        after_a_roll(_withheld_opening),
        three=True,
    ),
    Lie(
        "false-opening",
        "the client closes a roll, and another's opening does not hold",
        "tells its owner, and does not open",
        after_a_roll(_false_opening),
        three=True,
    ),
)
