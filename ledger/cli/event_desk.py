"""`rollproof event`: the event that a command works on, and the arguments that its commands share (specs/event.md)."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import group
from ledger.cli.call import Call
from ledger.cli.output import command_line, printable
from ledger.cli.passphrase import passphrase
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from ledger.cli.event_server import EventServer
    from ledger.seats.identity import Identity
    from ledger.store.event_logs import EventLogs
    from rules import Body
    from verifier.event.names import Names
    from verifier.event.replay import EventReplay
    from verifier.event.state import EventState

__all__ = [
    "Event",
    "EventDesk",
    "Force",
    "Out",
    "Reason",
    "RoundNumber",
    "TableNumber",
    "event_group",
    "make_body",
]

event_group = group("event", "Run an organized event: from the code at the door to one file that proves it.")

Event = Annotated[
    str,
    typer.Argument(metavar="EVENT", help="The event: its title, or its id or the beginning of it.", show_default=False),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="FILE", help="Write the signed act to FILE for the keeper, who takes it: event take."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.", show_default=False)]
RoundNumber = Annotated[
    int | None, typer.Option("--round", metavar="N", min=1, max=200, help="The round (else: the latest).")
]
TableNumber = Annotated[
    int, typer.Option("--table", "-t", metavar="N", min=1, max=9_999, help="The table.", show_default=False)
]


class EventDesk:
    """An event of this home that a command works on."""

    def __init__(self, call: Call, text: str) -> None:
        """`text` is a title, an id or the beginning of one. Raises MissingError, UsageError."""
        self.call = call
        self.logs: EventLogs = call.home.event_logs()
        call.closing.callback(self.logs.close)
        self.event = self.logs.find(text)
        self.server = _server_of(call, self.event)
        if self.server is not None:
            self.server.refresh(self.logs)
        self.replay: EventReplay = self.logs.replay(self.event)

    @property
    def state(self) -> "EventState":
        """The stored state of the event."""
        return self.replay.state

    @property
    def keeper_here(self) -> bool:
        """True if the event's keeper is on this machine."""
        return self.call.home.has(self.replay.terms.keeper_key)

    def round_number(self, given: int | None) -> int:
        """Return the given round, else the latest. Raises UsageError if there is none."""
        if given is not None:
            return given
        if self.state.round is None:
            raise UsageError("no round has been paired yet")
        return self.state.round.number

    def identity(self, name: str) -> "Identity":
        """Open an identity; its passphrase is asked for once a command. Raises IdentityError."""
        secrets = self.call.secrets
        secrets.setdefault(name, passphrase(name))
        return self.call.home.identity(name, secrets[name])

    def now(self) -> str:
        """Return the time."""
        from ledger.game.times import utc_now

        return utc_now()

    def sign(self, type: str, act: "Body", out: Path | None = None, *, force: bool = False) -> None:
        """Sign an act as the acting identity. A keeper here takes it at once; else it is written to a file."""
        self.sign_all([(type, act)], out, force=force)

    def sign_all(self, acts: "Sequence[tuple[str, Body]]", out: Path | None = None, *, force: bool = False) -> None:
        """The same of several, all of them or none; to a file goes one alone."""
        from ledger.event.acts import line_of, sign_act

        by = self.identity(self.call.acting)
        if out is None and self.server is not None:
            self._offer_all(by, acts)
            return
        if out is not None or not self.keeper_here:
            self._to_file([sign_act(by, self.replay, *act, self.now()) for act in acts], out, force=force)
            return
        keeper = self.identity(self.replay.terms.keeper)

        def maker(type: str, act: "Body") -> "Callable[[EventReplay], bytes]":
            return lambda replay: line_of(keeper, replay, sign_act(by, replay, type, act, self.now()), self.now())

        first = self.replay.size
        self.write([maker(*act) for act in acts], keeper)
        self.tell([{"line": first + at, "type": kind, "by": by.name} for at, (kind, _) in enumerate(acts)])

    def _offer_all(self, by: "Identity", acts: "Sequence[tuple[str, Body]]") -> None:
        """Send acts to the server one by one, each signed upon the latest line there."""
        from ledger.event.acts import sign_act

        assert self.server is not None
        taken = []
        for kind, act in acts:
            signed = sign_act(by, self.replay, kind, act, self.now())
            taken.append({"line": self.server.offer(signed), "type": kind, "by": by.name})
            self.server.fetch(self.logs)
            self.replay = self.logs.replay(self.event)
        self.tell(taken)

    def _to_file(self, acts: "Sequence[Any]", out: Path | None, *, force: bool) -> None:
        from ledger.cli.files import write_files
        from verifier.log.plainjson import encode

        if out is None:
            keeper = self.replay.terms.keeper
            raise UsageError(f"{keeper}, who keeps this event, is not here: write the act to a file with --out FILE")
        data = b"".join(encode(act) + b"\n" for act in acts)
        write_files({out: lambda stream: stream.write(data)}, force=force)
        if self.call.out.json:
            self.call.out.value({"file": str(out), "acts": [{"type": act.type, "by": act.by} for act in acts]})
        else:
            kinds = ", ".join(sorted({act.type for act in acts}))
            self.call.out.say(f"{printable(out)}: signed ({kinds}). The keeper takes it:")
            self.call.out.line(command_line("event", "take", self.event.hex()[:12], out).strip("\n"))

    def write_own(self, acts: "Sequence[tuple[str, Body]]") -> None:
        """Lines of the keeper's own."""
        from ledger.event.acts import keeper_line

        if not acts:
            return
        keeper = self.identity(self.replay.terms.keeper)
        makers = [keeper_line(keeper, kind, act, self.now) for kind, act in acts]
        self.write(makers, keeper)

    def write(self, makers: "Sequence[Callable[[EventReplay], bytes]]", keeper: "Identity") -> None:
        """Add lines that the keeper, who is here, signs: all of them or none. Raises as `EventLogs.write`."""
        with closing(self.call.home.memory(keeper)) as memory:
            self.replay = self.logs.write(self.event, makers, memory)

    def tell(self, lines: list[dict[str, Any]]) -> None:
        """Print the lines that were written."""
        if self.call.out.json:
            self.call.out.value({"event": self.event.hex(), "lines": lines})
            return
        for line in lines:
            self.call.out.say(f"line {line['line']}: {line['type']} by {line['by']}")

    def names(self) -> "Names":
        """Return the names of the players that are known here; none where they were deleted. Raises MissingError."""
        from verifier.errors import NoteError
        from verifier.event.names import Names, parse_names

        path = self.call.home.names_path(self.event)
        try:
            return parse_names(path.read_bytes())
        except FileNotFoundError:
            return Names(self.event.hex(), ())
        except NoteError as problem:
            raise MissingError(f"{printable(path)}: {problem}") from None

    def save_names(self, names: "Names") -> None:
        """Write the names, for their keeper alone to read."""
        from ledger.cli.files import write_files
        from verifier.log.plainjson import encode

        path = self.call.home.names_path(self.event)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_files({path: lambda stream: stream.write(encode(names) + b"\n")}, force=True, secret=True)


def _server_of(call: Call, event: bytes) -> "EventServer | None":
    from ledger.cli.event_server import EventServer

    return EventServer.of(call, event)


def make_body(schema: Any, members: dict[str, Any], what: str) -> Any:
    """Return a body from its members. Raises RefusedError if they are none."""
    from ledger.errors import RefusedError
    from verifier import Failure
    from verifier.log.format import decode_body
    from verifier.log.plainjson import encode

    try:
        return decode_body(encode(members), schema, what)
    except Failure as failure:
        raise RefusedError(failure, failure.code, failure.clause) from None
