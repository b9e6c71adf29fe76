"""Tables at a real server, with browsers at them (tests/web/browsers.py)."""

import itertools
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from rules.offered import offered
from tests.support.actions import Grammars, Props
from tests.web.browsers import Browsers
from verifier import Replay, verify

_COUNT = itertools.count()
JOINED = "s.game && s.game.parties.every(p => p.joined && (p.role === 'judge' || p.links > 0))"


class At:
    """A table with a host who only looks on, two players and a judge, or others; browsers by the name of the party."""

    def __init__(
        self,
        browsers: Browsers,
        address: str,
        system: str = "dice-1",
        *,
        players: Sequence[str] = ("alice", "bob"),
        judge: str | None = "dana",
        gm: str | None = None,
        options: Mapping[str, Any] | None = None,
        via: Mapping[str, str] | None = None,
        start: bool = True,
        agree: bool = True,
        links: int | None = None,
        times: Mapping[str, int] | None = None,
        passphrases: Mapping[str, str] | None = None,
        **terms: Any,
    ) -> None:
        """`via`: for whom another address stands between the browser and the server; `links`: of a seed chain.

        `times`: those of core's transport.js, in milliseconds.
        """
        self.browsers = browsers
        self.address = address
        self.prefix = f"t{next(_COUNT)}"
        self.via = dict(via or {})
        others = {name: role for name, role in ((gm, "gm"), (judge, "judge")) if name}
        self.names = [*players, *others]
        for name in ("host", *self.names):
            self.here(name, times=times or {}, links=links)
        roles = ["player", *others.values(), "spectator"]
        self.opened = self("open", "host", system=system, options=options or {}, title="Tavern", roles=roles, **terms)
        self.links: dict[str, str] = self.opened["links"]
        self("table", "host", link=self.links["player"])
        for name in self.names:
            self("table", name, link=self.link(others.get(name, "player"), name))
            passphrase = (passphrases or {}).get(name)
            self("sit", name, name=name, **({} if passphrase is None else {"passphrase": passphrase}))
        state = self.until("host", f"s.table && s.table.seats.length === {len(self.names)}")
        self.keys = {seat["name"]: seat["key"] for seat in state["table"]["seats"]}
        if not start:
            return
        self("start", "host", keys=[self.keys[name] for name in self.names])
        if agree:
            self.agree()

    def agree(self) -> None:
        for name in self.names:
            self.until(name, "s.stage === 'agreeing'")
        for done in [self.begin("agree", name) for name in self.names]:
            done.result(60)
        for name in ("host", *self.names):
            self.until(name, JOINED)

    def link(self, role: str, name: str) -> str:
        """A link, by the address that stands for the server."""
        return self.links[role].replace(self.address, self.via.get(name, self.address))

    def here(self, name: str, *, storage: str | None = None, **means: Any) -> None:
        """A browser; with the storage of another one, the next tab of it, or the same one opened again."""
        address = self.via.get(name, self.address)
        self("here", name, address=address, storage=f"{self.prefix} {storage or name}", **means)

    def __call__(self, do: str, who: str, **given: Any) -> Any:
        return self.browsers(do, f"{self.prefix} {who}", **given)

    def begin(self, do: str, who: str, **given: Any) -> Any:
        return self.browsers.begin(do, f"{self.prefix} {who}", **given)

    def openings(self, who: str) -> list[str]:
        """The openings that a browser has sent, as they travelled, each time that it did."""
        return [post.split(" ", 2)[2] for post in self("posts", who) if "/openings " in post]

    def until(self, who: str, condition: str) -> Any:
        return self.browsers.until(f"{self.prefix} {who}", condition)

    def snapshot(self, who: str) -> Any:
        return self("snapshot", who)

    def sign(self, who: str, type: str, body: Mapping[str, Any]) -> int:
        """Have a party sign an event that is taken; its number."""
        found: int = self("sign", who, type=type, body=body)["seq"]
        return found

    def ask(self, who: str, dice: str = "d20") -> int:
        """Ask for a roll that everybody is shown waiting; its number."""
        return self.sign(who, "roll", {"dice": dice})

    def roll(self, who: str, dice: str = "d20") -> list[int]:
        """A roll, shown to whoever asked for it; its naturals."""
        seq = self.sign(who, "roll", {"dice": dice})
        shown = self.until(who, f"s.game.rolls.some(r => r.seq === {seq} && r.ended === 'reveal')")
        naturals: list[int] = next(roll["naturals"] for roll in shown["game"]["rolls"] if roll["seq"] == seq)
        return naturals

    def replay(self, who: str = "host") -> Replay:
        """The game as Python makes it of the log that a browser has."""
        replay = Replay()
        for line in self("save", who)["bytes"].encode().splitlines():
            replay.step(line)
        return replay

    def play(self, random: Random, grammars: Grammars, events: int) -> set[str]:
        """Play on, by what is offered; the types of events that came."""
        props = Props(grammars, random)
        types: set[str] = set()
        for _ in range(events):
            replay = self.replay()
            session, seq = replay.session, replay.size
            choices = [
                (name, action)
                for name in self.names
                for action in offered(session, name, seq)
                if action.type not in ("leave", "away", "ruling")
            ]
            first = [each for each in choices if each[1].due] or [each for each in choices if each[1].type == "roll"]
            for name, action in [*random.sample(first, len(first)), *random.sample(choices, len(choices))]:
                body, _ = props._drawn(action, {}, optional=False)
                if props._refused(session, seq, name, action.type, body) is None:
                    break
            else:
                break
            taken = self.sign(name, action.type, body)
            types.add(action.type)
            for each in ("host", *self.names):
                self.until(
                    each, f"s.game.size > {taken} && s.game.phase === 'idle' && s.game.checkpoint.size === s.game.size"
                )
        return types

    def close_and_verify(self) -> None:
        """Have the host close the game; the log that each browser saves holds, and is the same."""
        self("closeGame", "host")
        logs = set()
        for name in ("host", *self.names):
            state = self.until(name, "s.stage === 'closed' && s.game.checkpoint.size === s.game.size")
            assert state["trouble"] is None
            assert state["warnings"] == [], state["warnings"]
            saved = self("save", name)
            logs.add(saved["bytes"])
            receipt = {saved["checkpoint"]["name"]: saved["checkpoint"]["bytes"].encode()}
            report, _ = verify(saved["bytes"].encode(), receipts=receipt)
            assert report.verdict == "holds", report.findings
        assert len(logs) == 1
