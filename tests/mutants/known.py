"""What may go unnoticed, and why it changes no verdict: `known.toml`.

Each entry has a module, a reason and changes: the function (none at the top of the module), the line as it stands, and
what is changed in it. What gives no verdict at all is put `aside`, by modules and functions.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from tests.mutants.sites import Site

__all__ = ["Key", "Known", "judge", "read"]

Key = tuple[str, str, str, str]

FILE = Path(__file__).parent / "known.toml"


@dataclass(frozen=True)
class Known:
    """The list: the key of a change → why no verdict changes with it."""

    why: Mapping[Key, str]
    aside: tuple[tuple[str, str], ...]
    """modules and functions, with `*` for any, of which no verdict comes"""

    def puts_aside(self, site: Site) -> bool:
        """Whether it is in what gives no verdict."""
        return any(fnmatchcase(site.module, m) and fnmatchcase(site.function, f) for m, f in self.aside)

    def strangers(self, sites: Iterable[Site], modules: Iterable[str]) -> list[Key]:
        """Entries on these modules that name no change of them any more."""
        keys, looked = {site.key for site in sites}, set(modules)
        return [key for key in self.why if key[0] in looked and key not in keys]


def read(path: Path = FILE) -> Known:
    """Read the list. Raises ValueError where an entry stands twice or says nothing."""
    told: dict[Key, str] = {}
    listed = tomllib.loads(path.read_text(encoding="utf-8"))
    aside = [(m, f) for entry in listed.get("aside", []) for m in entry["modules"] for f in entry["functions"]]
    for entry in listed.get("unnoticed", []):
        why = entry["why"].strip()
        for one in entry["changes"]:
            key = (entry["module"], one.get("function", ""), one["line"], one["change"])
            if key in told or not why:
                raise ValueError(f"{path}: {key} stands twice, or without a reason")
            told[key] = why
    return Known(told, tuple(aside))


def judge(known: Known, survived: Iterable[Site], killed: Iterable[Site]) -> tuple[list[Site], list[Key]]:
    """Who survived and is not in the list, and entries of the list that somebody notices."""
    return [site for site in survived if site.key not in known.why], [s.key for s in killed if s.key in known.why]
