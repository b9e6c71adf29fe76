"""What may go unnoticed, and why it changes no verdict: `known.toml`.

Each entry has a module, a reason and changes: the function (none at the top of the module), the line as it stands, and
what is changed in it.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.sites import Site

__all__ = ["Key", "Known", "judge", "read"]

Key = tuple[str, str, str, str]

FILE = Path(__file__).parent / "known.toml"


@dataclass(frozen=True)
class Known:
    """The list: the key of a change → why no verdict changes with it."""

    why: Mapping[Key, str]

    def strangers(self, sites: Iterable[Site], modules: Iterable[str]) -> list[Key]:
        """Entries on these modules that name no change of them any more."""
        keys, looked = {site.key for site in sites}, set(modules)
        return [key for key in self.why if key[0] in looked and key not in keys]


def read(path: Path = FILE) -> Known:
    """Read the list. Raises ValueError where an entry stands twice or says nothing."""
    told: dict[Key, str] = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("unnoticed", []):
        why = entry["why"].strip()
        for one in entry["changes"]:
            key = (entry["module"], one.get("function", ""), one["line"], one["change"])
            if key in told or not why:
                raise ValueError(f"{path}: {key} stands twice, or without a reason")
            told[key] = why
    return Known(told)


def judge(known: Known, survived: Iterable[Site], killed: Iterable[Site]) -> tuple[list[Site], list[Key]]:
    """Who survived and is not in the list, and entries of the list that somebody notices."""
    return [site for site in survived if site.key not in known.why], [s.key for s in killed if s.key in known.why]
