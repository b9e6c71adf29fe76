"""The output of `rollproof watch`: one line for each event, with a roll's result first."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import msgspec

from ledger.cli.call import Call
from ledger.cli.codes import code_line, code_of
from ledger.cli.describe import event_line, roll_lines
from ledger.client.inbox import RemoteUpdate
from ledger.client.participant import Participant, Spectator
from ledger.errors import LedgerError
from verifier.log.plainjson import encode

__all__ = ["Watching"]

CODE_EVERY = 50
"""events between two printed codes of the table; all watchers print them for the same events"""

PATIENCE = 5.0
"""seconds after which the parties that a roll waits for are printed"""


class Watching:
    """A game that is followed until somebody interrupts."""

    def __init__(self, call: Call, game: bytes, name: str | None, passphrase: bytes | None) -> None:
        self._call = call
        self._game = game
        self._name = name
        self._passphrase = passphrase
        self._noted: set[str] = set()
        """warnings, and for which roll somebody is awaited: once each"""

    async def run(self) -> None:
        """Follow the game and print. Raises CheatedError, ServerError, and what opening a seat raises."""
        async with self._watcher() as watcher:
            self._tell_begin(watcher)
            await self._warn(watcher)
            came = watcher.watch()
            following = asyncio.ensure_future(anext(came))
            try:
                while True:
                    done, _ = await asyncio.wait([following], timeout=PATIENCE)
                    if not done:
                        await self._tell_waiting(watcher)
                        continue
                    try:
                        self._tell(watcher, following.result())
                    except StopAsyncIteration:  # the game is closed
                        return
                    await self._warn(watcher)
                    following = asyncio.ensure_future(anext(came))
            finally:
                following.cancel()
                with suppress(asyncio.CancelledError, LedgerError, StopAsyncIteration):
                    await following
                await _closed(came)

    def _watcher(self) -> Spectator:
        if self._name is None or self._passphrase is None:
            return Spectator(self._call.home, self._game)
        return Participant(self._call.home, self._game, self._name, self._passphrase, on_failure=self._note)

    def _note(self, text: str) -> None:
        if text not in self._noted:
            self._noted.add(text)
            self._call.out.note(text)

    async def _warn(self, watcher: Spectator) -> None:
        if isinstance(watcher, Participant):
            warnings = await watcher.warnings()
            for text in warnings:
                self._note(f"{watcher.name}: {text}")
            if warnings and sys.stderr.isatty():
                await watcher.dismiss_warnings(warnings)

    def _tell_begin(self, watcher: Spectator) -> None:
        _, replay, out = self._call.translate, watcher.view.replay, self._call.out
        if out.json:
            self._tell_code(watcher, replay.size)
            return
        if self._name is None:
            text = _("Looking on at game {game}, {events} so far. Ctrl-C ends it.")
        else:
            text = _("{name} watches game {game} and opens by itself, {events} so far. Ctrl-C ends it.")
        from rules.data.language import counted

        events = counted(replay.size, "event").message(_)
        out.say(text.format(name=self._name, game=self._game.hex()[:12], events=events))
        self._tell_code(watcher, replay.size)

    def _tell_code(self, watcher: Spectator, size: int) -> None:
        """Print the code that people read to each other (specs/disputes.md, "The code of a table")."""
        code = code_of(watcher.view, size)
        if self._call.out.json:
            self._call.out.value({"code": {"events": size, "code": code}})
        else:
            self._call.out.say(code_line(size, code, self._call.translate))

    def _tell(self, watcher: Spectator, came: RemoteUpdate) -> None:
        _, out = self._call.translate, self._call.out
        if came.what == "line" and came.seq is not None:
            self._tell_line(watcher, came)
        elif out.json and came.what in ("opening", "here", "away", "back"):
            out.value(_as_value(came))
        elif came.what == "away":
            out.note(f"{came.text}. It is tried again")
        elif came.what == "back":
            out.note("the server is back")
        elif came.what == "opening" and came.opening is None:
            self._note(f"an opening that the server handed on does not hold: {came.text}")

    def _tell_line(self, watcher: Spectator, came: RemoteUpdate) -> None:
        _, out, replay = self._call.translate, self._call.out, watcher.view.replay
        event: dict[str, Any] = msgspec.json.decode(came.line)
        number = _roll_of(event)
        if out.json:
            roll = None if number is None else replay.session.view_roll(number)
            out.value({"event": event, "roll": roll})
        else:
            shown = roll_lines(replay.session, number, _) if number is not None else []
            from verifier.shell.display import known_rolls

            terms, known = replay.terms, known_rolls(replay.session)
            out.say(out.cut(shown[0] if shown else event_line(event, terms.system, _, terms.called, known)))
        size = event["seq"] + 1
        if size % CODE_EVERY == 0 or event["type"] == "close":
            self._tell_code(watcher, size)

    async def _tell_waiting(self, watcher: Spectator) -> None:
        """Print the parties that a roll waits for, after `PATIENCE`; and whether the server withholds an opening."""
        replay, awaited = await watcher.awaited()
        if replay.pending is None or not awaited:
            return
        request = replay.pending.request.hex()
        _, seq = self._call.translate, replay.pending.seq
        waiting = f"{request} {awaited}"
        if waiting not in self._noted:
            self._noted.add(waiting)
            names = ", ".join(awaited)
            if self._call.out.json:
                self._call.out.value({"waits": {"roll": seq, "for": awaited}})
            else:
                self._call.out.say(_("Roll {roll} waits for {names}.").format(roll=seq, names=names))
        if isinstance(watcher, Participant) and watcher.kept_back:
            self._note(
                f"{watcher.name} opened for roll {seq} and has the server's receipt, but the server does not pass the "
                f"opening on: tell the others without using this server"
            )


def _roll_of(event: dict[str, Any]) -> int | None:
    """Return the number of the roll whose dice, or whose end, an event shows."""
    seq: int = event["seq"]
    if event["type"] == "reveal":
        return seq - 1
    if event["type"] in ("resolve", "ignore", "modify", "store", "reroll"):
        roll = event["body"].get("roll")
        return roll if isinstance(roll, int) and event["type"] != "reroll" else None
    return None


def _as_value(came: RemoteUpdate) -> dict[str, Any]:
    match came.what:
        case "opening":
            return {"opening": None if came.opening is None else msgspec.json.decode(encode(came.opening))}
        case "here":
            return {"here": came.here}
        case _:
            return {"server": came.what, "text": came.text}


async def _closed(came: AsyncIterator[RemoteUpdate]) -> None:
    close = getattr(came, "aclose", None)
    if close is not None:
        await close()
