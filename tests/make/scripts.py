"""Write the rules scripts of the vectors in their one layout (specs/vectors/scripts/README.md); contents stay.

`python -m tests.make.scripts` writes the files that have another layout and prints their names, `--check` writes
nothing and exits 1 where there is one.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from rules.data.jsontext import json_problem
from rules.data.text import has_unseen
from rules.script import ScriptFile

ROOT = Path(__file__).parents[2]
FOLDERS = (*sorted((ROOT / "specs" / "vectors" / "scripts").glob("*/")), ROOT / "tests" / "highroll")
LINES = (("about",), ("format", "system", "options"), ("parties",), ("events",), ("expect",))
"""members of a script that share a line"""


class Number(str):
    """A number as it is written."""

    __slots__ = ()


def laid_out(data: bytes) -> bytes:
    """Return a file of several scripts in the layout. Raises ValueError for what is no such file."""
    problem = json_problem(data, doubled=True)
    if problem is not None:
        raise ValueError(problem)
    msgspec.json.decode(data, type=ScriptFile)
    whole = json.loads(data, parse_int=Number, parse_float=Number)
    scripts = ",\n".join(f"    {_text(name)}: {_script(one)}" for name, one in sorted(whole["scripts"].items()))
    return f'{{\n  "format": {_text(whole["format"])},\n  "scripts": {{\n{scripts}\n  }}\n}}\n'.encode()


def _script(script: Mapping[str, Any]) -> str:
    lines = []
    for names in LINES:
        members = [f"{_text(name)}: {_member(script[name])}" for name in names if name in script]
        lines += [f"      {', '.join(members)}"] if members else []
    return "{\n" + ",\n".join(lines) + "\n    }"


def _member(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return _value(value)
    return "[\n" + ",\n".join(f"        {_value(event)}" for event in value) + "\n      ]"


def _value(value: Any) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{_text(name)}: {_value(member)}" for name, member in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_value, value)) + "]"
        case Number():
            return value
        case str():
            return _text(value)
        case _:
            return json.dumps(value)


def _text(text: str) -> str:
    """Return a JSON text in which everything can be seen."""
    quoted = json.dumps(text, ensure_ascii=False)
    if quoted.isascii() and quoted.isprintable():
        return quoted
    return "".join(json.dumps(char)[1:-1] if has_unseen(char) else char for char in quoted)


def differing() -> Iterator[tuple[Path, bytes]]:
    """Yield each file that has another layout, and its bytes in the right one. Raises ValueError, which names it."""
    for path in (path for folder in FOLDERS for path in sorted(folder.glob("*.json"))):
        data = path.read_bytes()
        try:
            told = laid_out(data)
        except (ValueError, msgspec.DecodeError) as error:
            raise ValueError(f"{path.relative_to(ROOT)}: {error}") from None
        if told != data:
            yield path, told


def main() -> int:
    """Write the files, or check them."""
    found = list(differing())
    for path, data in found:
        print(path.relative_to(ROOT))
        if "--check" not in sys.argv:
            path.write_bytes(data)
    return int("--check" in sys.argv and bool(found))


if __name__ == "__main__":
    sys.exit(main())
