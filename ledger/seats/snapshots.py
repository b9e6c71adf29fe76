"""Snapshots: a game's state at some line, which saves a command the replay of the lines before it (specs/seats.md).

A seat makes and signs a snapshot of lines that it has verified itself. No snapshot is needed: one that is missing,
damaged, by another seat or of other code is ignored, and the lines are replayed. The verifier knows no snapshots.
"""

import io
import os
import pickle
import platform
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from ledger.distribution.version import fingerprint
from rules import SYSTEMS, System
from rules.base import given
from rules.data.bounds import Count
from verifier import Failure, NoteError, Replay, VerifierKey
from verifier.log.bodies import AdmitBody
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode
from verifier.log.terms import Terms, admit_party, admitted_by

__all__ = ["EVERY", "MAX_STATE", "Snapshot", "Snapshots", "decode_state", "encode_state", "members_of", "take_up"]

EVERY = 512
"""lines that a snapshot saves at least, and by which a log outgrows its seat's latest before there is another"""
MAX_STATE = 16_000_000
"""bytes of a state: of a longer one there is no snapshot"""

_FORMAT = "rollproof/snapshot/v1"
_LABEL = b"rollproof/v1/snapshot\n"
_MAX_HEADER = 1_000
_FROM_LINE_0 = frozenset({"terms", "pins", "_contributors"})
"""members of a replay that are not stored: event 0 and the admissions, or the caller, give them again"""
_ADMITTED = "admitted"
"""an extra member of a state: key, role and own name of each party that joined later"""
_VERIFIERS = frozenset(
    {
        "verifier.dice.pending",
        "verifier.dice.voided",
        "verifier.log.bodies",
        "verifier.log.conduct",
        "verifier.log.line_checks",
        "verifier.log.merkle",
    }
)
"""modules of the verifier whose classes are parts of a replay"""


class _Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The signed header of a snapshot."""

    format: str
    code: str
    """hash (hex) of the program, and of all else that the format of the state depends on"""
    head: str
    """leaf hash (hex) of the last line, which identifies all lines before it, and the game"""
    size: int
    """number of lines"""
    state: str
    """SHA-256 (hex) of the state that follows"""
    admit: Count | UnsetType = UNSET
    """number of the event that let its party in; not there for a party of event 0"""


class Snapshot(Struct, frozen=True):
    """One that its seat signed, with this very program, for this game."""

    key: VerifierKey
    game: bytes
    size: int
    head: bytes
    """leaf hash of the last line: whether the log has it is for the caller to see"""
    state: bytes

    def restore(self, first: bytes) -> Replay | None:
        """Return the replay of the lines; `first` is line 0. None if they do not fit."""
        replay = Replay()
        try:
            if leaf_hash(first) != self.game:
                return None
            replay.follow(first)
            take_up(replay, decode_state(self.state))
            if replay.terms.keys[self.key.name].public_bytes != self.key.public_bytes:
                return None
        except (Failure, pickle.UnpicklingError, AttributeError, EOFError, LookupError, TypeError, ValueError):
            return None
        return replay if (replay.size, replay.head, replay.game) == (self.size, self.head, self.game) else None


class Snapshots:
    """Those of the seats on one machine. Any thread may use them."""

    def __init__(self, state: Path, is_here: Callable[[VerifierKey], bool]) -> None:
        """`state` is the folder of the seats' memories; `is_here`: whether a party's very key is on this machine."""
        self._folder = state / "snapshots"
        self._is_here = is_here

    def keys(self, game: bytes) -> list[str]:
        """Return the keys (32 bytes, hex) that have a file for a game, valid or not."""
        return [path.stem.partition("-")[2] for path in self._folder.glob(f"{game.hex()}-*.snapshot")]

    def of_seats_here(self, game: bytes, read: Callable[[int], bytes]) -> list[Snapshot]:
        """Return the snapshots of a game by parties whose keys are here, the one of the most lines first.

        `read` returns a line of the log by its number, b"" if there is none.
        """
        files = self.keys(game)
        if not files:
            return []
        replay = Replay()
        try:
            replay.follow(read(0))
        except Failure:
            return []
        named = [key for key in replay.terms.keys.values() if key.public_bytes.hex() in files]
        others = sorted({*files} - {key.public_bytes.hex() for key in named})
        came = [self._late(replay.terms, public, read) for public in others]
        parties = [key for key in (*named, *came) if key is not None and self._is_here(key)]
        found = [self.of(game, key) for key in parties]
        return sorted((each for each in found if each is not None), key=lambda each: -each.size)

    def of(self, game: bytes, key: VerifierKey) -> Snapshot | None:
        """Return the latest valid snapshot of one seat; None without one."""
        read = self._read(game, key.public_bytes.hex())
        if read is None:
            return None
        header, line, signature, state = read
        try:
            sig, head = bytes.fromhex(signature.decode()), bytes.fromhex(header.head)
        except ValueError:
            return None
        if (header.format, header.code, header.state) != (_FORMAT, _code(), sha256(state).hexdigest()):
            return None
        if not key.verify(sig, _LABEL + line):
            return None
        return Snapshot(key, game, header.size, head, state)

    def _late(self, terms: Terms, public: str, read: Callable[[int], bytes]) -> VerifierKey | None:
        """Return the key that the `admit` named by this key's file (32 bytes, hex) admits; `terms` are event 0's.

        It need not be the same key: the file is used only under the key in its name.
        """
        found = self._read(terms.game, public)
        seq = None if found is None else given(found[0].admit, None)
        after = None if seq is None else admitted_by(terms, read(seq))
        return None if after is None else after.keys[after.late[-1]]

    def _read(self, game: bytes, public: str) -> tuple[_Header, bytes, bytes, bytes] | None:
        """Read a file: header, its line, signature (hex), state. Only the format is checked; None if it is wrong."""
        from verifier.shell.files import open_regular

        try:
            with open_regular(self._path(game, public)) as file:
                data = file.read(MAX_STATE + _MAX_HEADER + 1)
        except (OSError, NoteError):
            return None
        line, _, rest = data.partition(b"\n")
        signature, _, state = rest.partition(b"\n")
        try:
            return msgspec.json.decode(line, type=_Header), line, signature, state
        except ValueError:
            return None

    def renew(self, replay: Replay, key: VerifierKey, sign: Callable[[bytes], bytes]) -> None:
        """Make one of lines that the seat with this key has verified itself, unless its latest saves most of them."""
        if (
            replay.size < EVERY or replay.terms.former or replay.session.parties.asked
        ):  # keys are taken from line 0 and admits
            return
        latest = self.of(replay.game, key)
        if latest is not None and 0 <= replay.size - latest.size < EVERY:
            return
        state = encode_state(members_of(replay), replay.session.system)
        if state is None:
            return
        late, hash_ = replay.session.parties.late.get(key.name), sha256(state).hexdigest()
        admit = UNSET if late is None else late.admit
        line = encode(_Header(_FORMAT, _code(), replay.head.hex(), replay.size, hash_, admit))
        # Not synced: a file that a crash damaged is invalid, and is ignored.
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, part = tempfile.mkstemp(prefix=".", dir=self._folder)  # mode 0600
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(line + b"\n" + sign(_LABEL + line).hex().encode() + b"\n" + state)
                Path(part).replace(self._path(replay.game, key.public_bytes.hex()))
            finally:
                Path(part).unlink(missing_ok=True)

    def _path(self, game: bytes, public: str) -> Path:
        return self._folder / f"{game.hex()}-{public}.snapshot"


def _code() -> str:
    """Hex: a hash of the program's code, and of the Python and the codec that it runs on."""
    runs_on = f"{platform.python_implementation()} {platform.python_version()} {msgspec.__version__}"
    return sha256(f"{fingerprint()} {runs_on}".encode()).hexdigest()


# --- the state as bytes ----------------------------------------------------------------------------------------------


def _system(id_: str) -> System[Any]:
    """Return a system by its name, without copying it."""
    return SYSTEMS[id_]


def members_of(replay: Replay) -> dict[str, Any]:
    """Return the members of a replay that a snapshot stores. No key of its game was replaced."""
    terms, members = replay.terms, {name: value for name, value in vars(replay).items() if name not in _FROM_LINE_0}
    return {**members, _ADMITTED: tuple(_came(terms, name) for name in terms.late)}


def _came(terms: Terms, name: str) -> tuple[str, str, str | None]:
    return str(terms.keys[name]), terms.roles[name], terms.called.get(name)


def take_up(replay: Replay, members: Mapping[str, Any]) -> None:
    """Set the result of `members_of` in a replay that has line 0 of the same game, and no other line.

    Raises Failure if a party cannot have been admitted, ValueError if the roles are not those of the terms, and any
    error of members of other types. The replay is then unusable.
    """
    own = dict(members)
    came, terms = own.pop(_ADMITTED), replay.terms
    for key, role, called in came:
        terms = admit_party(terms, AdmitBody(key, role, called=UNSET if called is None else called))
    vars(replay).update(own)
    replay.terms = terms
    if [*terms.roles.items()] != [*replay.session.parties.roles.items()]:
        raise ValueError("another's state")


def encode_state(members: Mapping[str, Any], system: System[Any]) -> bytes | None:
    """Members of a replay of a game of this system, with which of their parts are one and the same: the rules look.

    None where that takes more than MAX_STATE bytes, or is nested too deep.
    """
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, protocol=5)
    pickler.dispatch_table = {type(system): lambda held: (_system, (held.id,))}
    try:
        pickler.dump(dict(members))
    except (pickle.PicklingError, RecursionError, TypeError):
        return None
    return stream.getvalue() if stream.tell() <= MAX_STATE else None


def decode_state(state: bytes) -> dict[str, Any]:
    """Return the argument of `encode_state`. Raises pickle.UnpicklingError, and any error of malformed members."""
    members: dict[str, Any] = _Unpickler(io.BytesIO(state)).load()
    return members


_OF_STRUCTS = frozenset({("msgspec._core", "UNSET"), ("msgspec._utils", "rebuild")})
"""the value of an absent member, and the function that makes a struct from members by name"""


class _Unpickler(pickle.Unpickler):
    """Creates only the types of a state."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of rules or replay. Raises UnpicklingError."""
        if (module, name) == (__name__, _system.__name__):
            return _system
        if (module, name) in _OF_STRUCTS:
            return super().find_class(module, name)
        if module.startswith("rules.") or module in _VERIFIERS:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a game's state")
