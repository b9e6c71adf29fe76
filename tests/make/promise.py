"""Write down the public surface: what is promised from 1.0 on (specs/promise.md).

python -m tests.make.promise            # writes specs/promise.json
python -m tests.make.promise --check    # says what is gone or new; exit code 1 if anything is

A name that is gone breaks the promise: from 1.0 on that needs a new first number of the version.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

import rules
from ledger.cli import command_tree, run
from ledger.cli.game_commands import game_command
from ledger.lobby import Access, AdmitWord, Closing, Delete, Invite, LobbySeat, Start, TableState, TableTerms, Unseat
from ledger.network import wire
from ledger.server.app import HANDLERS
from rules.protocol import TRANSITIONS
from verifier.event.acts import ACTS
from verifier.log.format import FORMAT, Envelope
from verifier.opening import ReceivedOpening, SentOpening
from verifier.shell.exits import EXIT_CODES
from verifier.shell.options import KEEPING, OPTIONS

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "specs" / "promise.json"
LOG = ROOT / "specs/vectors/logs/holds--all-contributors.jsonl"
PUBLIC = ("ledger", "ledger.client", "rules", "verifier")
"""packages whose `__all__` is promised"""
BODIES = (
    *(Access, AdmitWord, Closing, Delete, Invite, LobbySeat, Start, TableState, TableTerms, Unseat),
    *(Envelope, ReceivedOpening, SentOpening, wire.Server),
)
READING = (("state",), ("log",), ("verify",), ("explain", "SEQ"), ("code",))
"""commands on a file whose answers in JSON are looked at; SEQ is the number of its first reveal"""


def surface() -> dict[str, dict[str, list[str]]]:
    """Return all promised names, by kind and by what has them."""
    return {
        "commands": dict(sorted(_commands())),
        "exit_codes": {"rollproof": sorted({"0", "1", "2", "3", "130", "141", "143", *map(str, EXIT_CODES.values())})},
        "json": dict(_members()),
        "names": {name: sorted(importlib.import_module(name).__all__) for name in PUBLIC},
        "signatures": dict(_signatures()),
        "paths": dict(sorted(_paths().items())),
        "bodies": {body.__name__: sorted(body.__struct_encode_fields__) for body in BODIES},
        "formats": {
            "log": [FORMAT],
            "events": sorted(TRANSITIONS),
            "acts": sorted(ACTS),
            "systems": sorted(rules.SYSTEMS),
        },
    }


def _commands() -> Iterator[tuple[str, list[str]]]:
    groups: list[tuple[str, Any]] = [("", command_tree())]
    groups += [(name, game_command(name)) for name in rules.games()]
    while groups:
        name, found = groups.pop()
        if hasattr(found, "commands"):
            groups += [(f"{name} {each}".strip(), inner) for each, inner in found.commands.items()]
            continue
        whole = found.whole() if hasattr(found, "whole") else found
        options = [option for parameter in whole.params for option in (*parameter.opts, *parameter.secondary_opts)]
        if name == "verify":
            options = [option.flag for option in (*OPTIONS, *KEEPING)]
        yield name, sorted(option for option in options if option.startswith("--"))


def _members() -> Iterator[tuple[str, list[str]]]:
    lines = [json.loads(line) for line in LOG.read_text().splitlines()]
    seq = next(number for number, line in enumerate(lines) if line["type"] == "reveal")
    with tempfile.TemporaryDirectory() as home:
        for name, *more in READING:
            words = [name, str(LOG), *(str(seq) for _ in more), "--json", "--home", home]
            yield name, sorted(set(_keys(_answer(words))))
        yield "version", sorted(set(_keys(_answer(["version", "--json"]))))
        yield "error", sorted(set(_keys(_answer(["state", "no-such-game", "--json", "--home", home]))))


def _answer(words: list[str]) -> Any:
    with patch.dict(os.environ, {"LANGUAGE": "en"}), contextlib.redirect_stderr(io.StringIO()):
        stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(stream):
            run(words)
            stream.flush()
        return json.loads(stream.buffer.getvalue().splitlines()[0])


def _keys(value: Any, above: str = "", depth: int = 0) -> Iterator[str]:
    """The members of an answer and those of its members, as `rolls[].dice`; `N` stands for any number of an event."""
    if isinstance(value, list):
        for item in value:
            yield from _keys(item, f"{above}[]", depth)
    elif isinstance(value, Mapping) and depth < 3:
        for name, item in value.items():
            member = "N" if name.isdigit() else name
            path = f"{above}.{member}" if above else member
            yield path
            yield from _keys(item, path, depth + 1)


def _signatures() -> Iterator[tuple[str, list[str]]]:
    """The parameters of public functions, and the public members of classes, as they are called."""
    for package in PUBLIC:
        module = importlib.import_module(package)
        for name in sorted(module.__all__):
            found: Any = getattr(module, name)
            if inspect.isfunction(found):
                yield (
                    f"{package}.{name}",
                    [str(one).partition(":")[0] for one in inspect.signature(found).parameters.values()],
                )
            elif inspect.isclass(found) and not issubclass(found, msgspec.Struct):
                own = [kind for kind in found.__mro__ if kind.__module__.partition(".")[0] in PUBLIC]
                members = {member for kind in own for member in vars(kind)}
                yield f"{package}.{name}", sorted(member for member in members if not member.startswith("_"))
            elif inspect.isclass(found):
                yield f"{package}.{name}", sorted(_fields(found))


def _fields(struct: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = struct.__struct_fields__
    return names


def _paths() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for handler in HANDLERS:
        for path in handler.paths:
            found.setdefault(path, []).extend(sorted(handler.http_methods))
    return found


def changes(promised: Any, now: Any) -> tuple[list[str], list[str]]:
    """Return what is gone and what is new, each as `kind: owner: name`."""
    before, after = (
        {
            f"{kind}: {owner}: {name}"
            for kind, owners in one.items()
            for owner, names in owners.items()
            for name in ["", *names]
        }
        for one in (promised, now)
    )
    return sorted(before - after), sorted(after - before)


def main() -> None:
    """Write the file, or compare it."""
    if "--check" not in sys.argv:
        FILE.write_text(json.dumps(surface(), indent=1, sort_keys=True) + "\n")
        return
    gone, new = changes(json.loads(FILE.read_text()), surface())
    print(*(f"GONE {name}" for name in gone), *(f"new  {name}" for name in new), sep="\n")
    sys.exit(1 if gone or new else 0)


if __name__ == "__main__":
    main()
