"""The server that keeps an event, for the commands of `rollproof event` (specs/event.md, "At a server")."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ledger.cli.call import Call
from ledger.cli.passphrase import passphrase
from ledger.errors import AwayError, CheatedError, ForkError, RefusedError, ServerError, UsageError

if TYPE_CHECKING:
    from ledger.client.connection import Connection
    from ledger.network.wire import EventToken, EventWaiting
    from ledger.seats.identity import Identity
    from ledger.store.event_logs import EventLogs
    from verifier.event.acts import ActFile
    from verifier.event.tables import TableDifference

__all__ = ["EventRemote", "EventServer"]


class EventRemote(Struct, frozen=True, forbid_unknown_fields=True):
    """The home's record of an event at a server. Token and code are secrets."""

    address: str
    token: str | None = None
    """hex"""
    code: str | None = None
    """a player's claim code"""


class EventServer:
    """The way to the server that keeps an event."""

    def __init__(self, call: Call, event: bytes, remote: EventRemote) -> None:
        self._call = call
        self.event = event
        self.remote = remote
        self._open: Connection | None = None

    @classmethod
    def of(cls, call: Call, event: bytes) -> "EventServer | None":
        """Return the server of an event of this home; None if it is at none. Raises UsageError."""
        path = call.home.event_server_path(event)
        try:
            return cls(call, event, msgspec.json.decode(path.read_bytes(), type=EventRemote))
        except FileNotFoundError:
            return None
        except msgspec.MsgspecError as problem:
            from rules.data.text import one_line

            raise UsageError(f"{path} cannot be read: {one_line(str(problem))}") from None

    @property
    def connection(self) -> "Connection":
        """The way, with the token that is known."""
        from ledger.event.links import code_token

        if self._open is None:
            token = None if self.remote.token is None else bytes.fromhex(self.remote.token)
            if token is None and self.remote.code is not None:
                token = code_token(self.remote.code)
            self._open = self._call.remoted.connect(self.remote.address, token)
        return self._open

    def keep(self, **changes: str | None) -> None:
        """Save changes of the record in a file that only its owner can read."""
        from ledger.cli.files import write_files

        self.remote = replace(self.remote, **changes)
        path, data = self._call.home.event_server_path(self.event), msgspec.json.encode(self.remote)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_files({path: lambda stream: stream.write(data)}, force=True, secret=True)

    def read_as(self, identity: "Identity") -> None:
        """Get a token as this person, for later requests. Raises AwayError, ServerError."""
        from ledger.game.times import utc_now
        from ledger.lobby import new_access

        access = new_access(identity, self.event, utc_now())
        token = self._call.remoted.run(self.connection.event_access(self.event, access))
        self.connection.token = token
        self.keep(token=token.hex())

    def fetch(self, logs: "EventLogs", *, patient: bool = True) -> None:
        """Fetch and store new lines. Raises CheatedError if the server shows another history than the stored one."""
        from ledger.cli.remote import READING, WRITING

        self.connection.patience = WRITING if patient else READING
        while True:
            size = logs.size(self.event)
            lines, there = self._call.remoted.run(self.connection.event_lines(self.event, max(0, size - 1)))
            try:
                new = logs.extend(self.event, lines, max(0, size - 1))
            except (ForkError, RefusedError) as problem:
                self._keep_evidence(lines)
                raise CheatedError(
                    f"{self.remote.address} shows an event that does not go on from the one here: {problem}",
                    str(self._call.home.root / "evidence"),
                ) from None
            if not new or logs.size(self.event) >= there:
                break
        self.connection.patience = WRITING

    def refresh(self, logs: "EventLogs") -> None:
        """Fetch new lines; if the server is away, print a note and go on with the stored ones."""
        try:
            self.fetch(logs, patient=False)
        except (AwayError, ServerError) as error:
            self._call.out.note(f"{error}. This is the event as it is known here")

    def _keep_evidence(self, lines: Sequence[bytes]) -> None:
        self._call.remoted.remotes.keep_evidence(self.event, {"given.jsonl": b"".join(each + b"\n" for each in lines)})

    def offer(self, act: "ActFile") -> int:
        """Hand an act in; the number of its line. Raises AwayError, ServerError."""
        from verifier.log.plainjson import encode

        seq: int = self._call.remoted.run(self.connection.offer_act(self.event, encode(act)))
        return seq

    def waiting(self) -> "EventWaiting | None":
        """Return the tables at which players are missing, or whose roll waits, as the server says.

        Return None after a note if the server does not say it: only people of the event learn it.
        """
        call, acting = self._call, self._call.acting_if_named()
        try:
            if self.connection.token is None and acting is not None:
                self.read_as(call.home.identity(acting, passphrase(acting)))
            if self.connection.token is not None:
                found: EventWaiting = call.remoted.run(self.connection.event_waiting(self.event))
                return found
            call.out.note("who has sat down is for people of the event alone: say who you are, with --as NAME")
        except (AwayError, ServerError) as error:
            call.out.note(f"who has sat down is not known: {error}")
        return None

    def let_read(self, tokens: "Sequence[EventToken]") -> None:
        """Let the holders of codes read, as an organizer. Raises AwayError, ServerError."""
        from ledger.network.wire import EventTokens

        for at in range(0, len(tokens), 300):
            part = EventTokens(tuple(tokens[at : at + 300]))
            self._call.remoted.run(self.connection.let_read(self.event, part))

    def keep_names(self, names: bytes) -> None:
        """Have the server keep the names, as an organizer. Raises AwayError, ServerError."""
        self._call.remoted.run(self.connection.keep_names(self.event, names))

    def sit_down(self, identity: "Identity", game: bytes) -> bytes:
        """Read a game of the event as one of its parties; its event 0."""
        from ledger.client.remotes import Remote
        from ledger.game.times import utc_now
        from ledger.lobby import new_access

        remoted = self._call.remoted
        connection = remoted.connect(self.remote.address)
        token = remoted.run(connection.access(game, new_access(identity, game, utc_now())))
        connection.token = token
        lines, _ = remoted.run(connection.lines(game, 0))
        self._game = Remote(self.remote.address, token.hex(), game=game.hex())
        return bytes(lines[0]) if lines else b""

    def keep_game(self) -> None:
        """Play the game that was sat down at from now on: it was compared."""
        self._call.remoted.remotes.save(self._game)

    def log_of(self, game: bytes) -> bytes:
        """Return the log of a game of the event, as the server has it. Raises AwayError, ServerError."""
        found, size = list[bytes](), 1
        while len(found) < size:
            lines, size = self._call.remoted.run(self.connection.lines(game, len(found)))
            found += lines
            if not lines:
                break
        return b"".join(line + b"\n" for line in found)

    def bundle(self, logs: "EventLogs", out: BinaryIO) -> None:
        """Write the bundle of the event, as the server makes it for everybody. Raises AwayError, ServerError.

        Raises CheatedError if its event log does not go on from the one here.
        """
        from verifier.errors import NoteError
        from verifier.event.bundle import MAX_MANIFEST, read_part

        self._call.remoted.run(self.connection.event_bundle(self.event, out))
        out.seek(0)
        try:
            log = read_part(out, "event.jsonl") or b""
        except NoteError as problem:
            out.seek(0)
            kept = self._call.remoted.remotes.keep_evidence(self.event, {"given.bundle": out.read(MAX_MANIFEST)})
            raise CheatedError(f"{self.remote.address} gave a bundle that is none: {problem}", str(kept)) from None
        lines = log.splitlines()
        try:
            logs.extend(self.event, lines, 0)
        except (ForkError, RefusedError) as problem:
            self._keep_evidence(lines)
            raise CheatedError(
                f"{self.remote.address} shows an event that does not go on from the one here: {problem}",
                str(self._call.home.root / "evidence"),
            ) from None

    def forged(self, first: bytes, game: bytes, differs: "TableDifference | None") -> CheatedError:
        """Keep the event 0 that a server showed and that is not the event's."""
        self._call.remoted.remotes.keep_evidence(game, {"given.jsonl": first + b"\n"})
        member = "its id" if differs is None else differs.member
        return CheatedError(
            f"{self.remote.address} opened the table with other terms than the event says ({member} differs). "
            "Nothing was signed in it",
            str(self._call.home.root / "evidence"),
        )
