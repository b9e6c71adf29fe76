"""Policies: files that say which cosignatures are enough (specs/checkpoints.md, "Policy"; c2sp.org/tlog-policy).

>>> policy = parse_policy(b"quorum none\\n")
>>> policy.missing([]) is None
True
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from rules.data.language import N_, Message
from verifier.checkpoints.checkpoint import CosignerKey, SignedCheckpoint, parse_cosigner_key
from verifier.checkpoints.mldsa import MlDsaCosignerKey
from verifier.checkpoints.note import MAX_NOTE, signed_by
from verifier.errors import KeyFormatError, NoteError
from verifier.log.identity import VerifierKey

__all__ = ["MAX_POLICY", "Policy", "WitnessKey", "parse_policy"]

WitnessKey = CosignerKey | MlDsaCosignerKey

MAX_POLICY = 64
"""logs that a policy may have; also witnesses, and also groups"""

_NONE = "none"
_ALLOWED = frozenset([0x09, 0x0A, *range(0x20, 0x7F), *range(0x80, 0x100)])


class _PolicyGroup(Struct, frozen=True):
    least: int
    members: tuple[str, ...]


class Policy(Struct, frozen=True):
    """A parsed policy."""

    keepers: tuple[VerifierKey, ...]
    """the accepted keepers; if empty, every keeper is accepted"""
    witnesses: Mapping[str, WitnessKey]
    groups: Mapping[str, _PolicyGroup]
    quorum: str
    """the name of a witness or a group, or `none`"""
    urls: Mapping[str, str] = {}
    """name of a witness → its address"""

    def accepts(self, keeper: VerifierKey) -> bool:
        """Return whether the policy accepts logs of this keeper."""
        return not self.keepers or str(keeper) in map(str, self.keepers)

    def missing(self, checkpoints: Iterable[SignedCheckpoint]) -> tuple[str, ...] | None:
        """Return None if one of these checkpoints has the quorum, else the witnesses that the best one lacks.

        The quorum `none` needs no checkpoint. Names are those of the policy.
        """
        if self.quorum == _NONE:
            return None
        best = everybody = tuple(self.witnesses)
        for checkpoint in checkpoints:
            there = {name for name, key in self.witnesses.items() if _cosigned(checkpoint, key)}
            if self._met(self.quorum, there):
                return None
            absent = tuple(name for name in everybody if name not in there)
            best = min(best, absent, key=len)
        return tuple(map(_shown, best))

    def unchecked(self, checkpoints: Iterable[SignedCheckpoint]) -> tuple[str, ...]:
        """Return the witnesses whose signatures would complete the quorum, but cannot be verified on this platform.

        It is empty if the quorum would not be met even with them. Names are those of the policy.
        """
        for checkpoint in checkpoints:
            there = {name for name, key in self.witnesses.items() if _cosigned(checkpoint, key)}
            open_ = {name for name, key in self.witnesses.items() if not key.can_check and _stands(checkpoint, key)}
            if self._met(self.quorum, there | open_):
                return tuple(_shown(name) for name in self.witnesses if name in open_)
        return ()

    @property
    def split(self) -> Message | None:
        """The reason why two histories can both meet the policy; None if any two sets that meet it share a witness.

        The condition is exact (specs/checkpoints.md, "Split policies").
        """
        if self.quorum == _NONE:
            text = N_(
                "The policy asks for no witness, so two histories of one game can both meet it: name witnesses in its "
                "quorum line, and ask for more than half of them."
            )
            return Message(text)
        if not self._met_twice(self.quorum):
            return None
        text = N_(
            "The policy is split: two sets of witnesses without one in common can each meet {quorum}, so two histories "
            "of one game can both meet it though every witness is honest. Ask for more than half of a group's members."
        )
        return Message(text, quorum=self.asks)

    def _met_twice(self, name: str) -> bool:
        """Return whether two disjoint sets of witnesses can each meet it."""
        group = self.groups.get(name)
        if group is None:
            return False
        return 2 * group.least <= len(group.members) + sum(map(self._met_twice, group.members))

    @property
    def asks(self) -> str:
        """The name of the quorum, for people."""
        return _shown(self.quorum)

    def _met(self, name: str, there: set[str]) -> bool:
        # The depth is at most the number of groups, because each is a member of at most one.
        group = self.groups.get(name)
        if group is None:
            return name in there
        return sum(self._met(member, there) for member in group.members) >= group.least


def _stands(checkpoint: SignedCheckpoint, key: WitnessKey) -> bool:
    """Return whether the checkpoint has a line of this key, valid or not."""
    return any((line.name, line.key_id) == (key.name, key.key_id) for line in checkpoint.signatures)


def _cosigned(checkpoint: SignedCheckpoint, key: WitnessKey) -> bool:
    try:
        return key.can_check and signed_by(checkpoint.note, key) is not None
    except NoteError:
        return False


def parse_policy(data: bytes) -> Policy:
    """Parse a policy file. Raises NoteError, which names the line."""
    if len(data) > MAX_NOTE:
        raise NoteError("the policy is longer than {most} bytes", most=MAX_NOTE)
    if not _ALLOWED.issuperset(data):
        raise NoteError("the policy has a control character")
    if data and not data.endswith(b"\n"):
        raise NoteError("the policy's last line has no line feed")
    reader = _PolicyReader()
    # A policy compares names by their bytes, which need not be UTF-8.
    for number, line in enumerate(data.decode(errors="surrogateescape").split("\n"), 1):
        items = line.replace("\t", " ").split(" ")
        items = [item for item in items if item]
        if not items or items[0].startswith("#"):
            continue
        try:
            reader.take(items)
        except (NoteError, KeyFormatError) as problem:
            raise NoteError("line {number} of the policy: {problem}", number=number, problem=problem) from None
    return reader.policy()


class _PolicyReader:
    """The state of the parser of a policy."""

    def __init__(self) -> None:
        self.keepers: list[VerifierKey] = []
        self.witnesses: dict[str, WitnessKey] = {}
        self.groups: dict[str, _PolicyGroup] = {}
        self.members: set[str] = set()
        self.quorum: str | None = None
        self.urls: dict[str, str] = {}

    def take(self, items: Sequence[str]) -> None:
        kinds = {"log": self._log, "witness": self._witness, "group": self._group, "quorum": self._quorum}
        take = kinds.get(items[0])
        if take is None:
            raise NoteError("{word!r} is not log, witness, group or quorum", word=items[0][:80])
        take(items[1:])
        if max(len(self.keepers), len(self.witnesses), len(self.groups)) > MAX_POLICY:
            raise NoteError("there are more than {most} of a kind", most=MAX_POLICY)

    def policy(self) -> Policy:
        if self.quorum is None:
            raise NoteError("the policy has no quorum line")
        return Policy(tuple(self.keepers), self.witnesses, self.groups, self.quorum, self.urls)

    def _log(self, items: Sequence[str]) -> None:
        if len(items) not in (1, 2):
            raise NoteError("it has the form: log VKEY [URL]")
        key = VerifierKey.parse(_utf8(items[0]))
        if any(key.public_bytes == other.public_bytes for other in self.keepers):
            raise NoteError("the key of {name} stands twice", name=key.name)
        self.keepers.append(key)

    def _witness(self, items: Sequence[str]) -> None:
        if len(items) not in (2, 3):
            raise NoteError("it has the form: witness NAME VKEY [URL]")
        name, key = self._new(items[0]), parse_cosigner_key(_utf8(items[1]))
        if any(key.public_bytes == other.public_bytes for other in self.witnesses.values()):
            raise NoteError("the key of {name} stands twice", name=key.name)
        self.witnesses[name] = key
        if len(items) == 3:
            self.urls[name] = items[2]

    def _group(self, items: Sequence[str]) -> None:
        if len(items) < 3:
            raise NoteError("it has the form: group NAME all|any|K MEMBER…")
        name, members = self._new(items[0]), items[2:]
        for member in members:
            self._check_known(member)
            if member in self.members:
                raise NoteError("{name!r} is a member of a group already", name=member[:80])
            self.members.add(member)
        self.groups[name] = _PolicyGroup(_least(items[1], len(members)), tuple(members))

    def _quorum(self, items: Sequence[str]) -> None:
        if len(items) != 1:
            raise NoteError("it has the form: quorum NAME")
        if self.quorum is not None:
            raise NoteError("there is a second quorum line")
        if items[0] != _NONE:
            self._check_known(items[0])
        self.quorum = items[0]

    def _new(self, name: str) -> str:
        if name == _NONE or name in self.witnesses or name in self.groups:
            raise NoteError("the name {name!r} is taken", name=name[:80])
        return name

    def _check_known(self, name: str) -> None:
        if name not in self.witnesses and name not in self.groups:
            raise NoteError("no line above defines {name!r}", name=name[:80])


def _least(text: str, count: int) -> int:
    """Return how many members a group requires. Raises NoteError."""
    named = {"all": count, "any": 1} | {str(number): number for number in range(1, count + 1)}
    if text not in named:
        text_ = N_("a group takes all, any or a number from 1 to that of its members, {count}")
        raise NoteError(text_, count=count)
    return named[text]


def _utf8(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NoteError("the key's name is not UTF-8") from None
    return text


def _shown(name: str) -> str:
    """Return a name for display, whatever bytes it has."""
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")
