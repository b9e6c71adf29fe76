"""The rules scripts of the vectors, one by one (specs/vectors/scripts). It loads nothing of the product."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

__all__ = ["FOLDERS", "SCRIPTS", "Vector", "script", "scripts", "scripts_in"]

SCRIPTS = Path(__file__).parents[2] / "specs" / "vectors" / "scripts"
FOLDERS = tuple(sorted(path.name for path in SCRIPTS.iterdir() if path.is_dir()))


@dataclass(frozen=True)
class Vector:
    """A rules script, and where it stands."""

    folder: str
    clause: str
    name: str
    data: bytes
    """the script alone, as it stands in the file"""

    @property
    def stem(self) -> str:
        """File and name, such as `706.6--barbarian-class`."""
        return f"{self.clause}--{self.name}"

    @property
    def violates(self) -> bool:
        """Whether its name says that it is refused."""
        return self.name.endswith(".violates")

    @property
    def value(self) -> dict[str, Any]:
        """The script as JSON values, new ones each time."""
        found: dict[str, Any] = msgspec.json.decode(self.data)
        return found

    def __str__(self) -> str:
        return f"{self.folder}/{self.stem}"

    __repr__ = __str__


class _File(msgspec.Struct):
    scripts: dict[str, msgspec.Raw]


def scripts_in(path: Path) -> Iterator[Vector]:
    """The scripts of a file."""
    for name, data in msgspec.json.decode(path.read_bytes(), type=_File).scripts.items():
        yield Vector(path.parent.name, path.stem, name, bytes(data))


@cache
def scripts(folder: str | None = None) -> tuple[Vector, ...]:
    """The scripts of a folder, or of all."""
    if folder is None:
        return tuple(vector for each in FOLDERS for vector in scripts(each))
    return tuple(vector for path in sorted((SCRIPTS / folder).glob("*.json")) for vector in scripts_in(path))


def script(name: str) -> Vector:
    """The script of a name such as `mtg/706.6--barbarian-class`. Raises KeyError."""
    folder, _, stem = name.partition("/")
    return _by_stem(folder)[stem]


@cache
def _by_stem(folder: str) -> dict[str, Vector]:
    return {vector.stem: vector for vector in scripts(folder)}
