"""The list of a release: what its project signed (specs/releases.md)."""

import re
from collections.abc import Mapping

from msgspec import Struct

from rules.data.language import N_
from verifier.errors import NoteError
from verifier.shell.installed import PACKAGES

__all__ = ["ReleaseList", "parse_release", "release_text"]

_LABEL = b"rollproof/v1/release\n"
"""the first line"""

_LINE = re.compile(r"([0-9a-f]{64})  ((?:[A-Za-z0-9_+-][A-Za-z0-9_.+-]*/)*[A-Za-z0-9_+-][A-Za-z0-9_.+-]*)")


class ReleaseList(Struct, frozen=True):
    """A version, and name → SHA-256 in hex: of files of the release, and of files that the package installs."""

    version: str
    hashes: dict[str, str]

    @property
    def installed(self) -> dict[str, str]:
        """Those that the package installs."""
        return {name: digest for name, digest in self.hashes.items() if name.partition("/")[0] in PACKAGES}

    @property
    def files(self) -> dict[str, str]:
        """Return the files beside the list."""
        return {name: digest for name, digest in self.hashes.items() if "/" not in name}


def release_text(version: str, hashes: Mapping[str, str]) -> str:
    """Return the text that is signed."""
    lines = (version, *(f"{hashes[name]}  {name}" for name in sorted(hashes)))
    return _LABEL.decode() + "".join(f"{line}\n" for line in lines)


def parse_release(text: str) -> ReleaseList:
    """Read the text of a list, whose signature somebody else has checked. Raises NoteError."""
    label = _LABEL.decode()
    version, *lines = text.removeprefix(label).removesuffix("\n").split("\n")
    if not text.startswith(label) or not re.fullmatch(r"[0-9][0-9a-z.]*", version):
        raise NoteError(
            N_("it is no list of a release: it does not begin with {label} and a version"), label=label[:-1]
        )
    hashes: dict[str, str] = {}
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None:
            raise NoteError(
                N_("this is no line of a release, which has a SHA-256 and a name: {line!r}"), line=line[:80]
            )
        hashes[match[2]] = match[1]
    if list(hashes) != sorted(hashes) or len(hashes) != len(lines):
        raise NoteError(N_("its names are not sorted, or one stands there twice"))
    return ReleaseList(version, hashes)
