"""Joining of ES modules into one script, for pages that load at once (`specs/web.md`, `specs/page.md`).

Each module becomes a function that is called once and returns its exports. The functions come in the order in which
they need each other. The code is otherwise unchanged, so that what runs is what was reviewed. Where bytes count,
comments that have lines of their own are left out, and types that stand within a line.
"""

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath
from typing import Final

__all__ = ["ModuleError", "join_modules", "variable"]

_IMPORT: Final = re.compile(r"^import \{([^}]*)\} from '(\.{1,2}/[^']+)';\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_HANDED_ON: Final = re.compile(r"^export \{([^}]*)\} from '(\.{1,2}/[^']+)';\n", re.MULTILINE)
_LIST: Final = re.compile(r"(?:^|(?<=;))export ?\{([^}]*)\};?\s*\Z", re.MULTILINE)
_DOCUMENTATION: Final = re.compile(
    r"^[ \t]*(?:/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*|//(?! \S+\.js\n)[^\n]*)\n|/\*\* @type \{[^\n]*?\*/ ?", re.MULTILINE
)
"""comments that begin with `/**`, or with `//`, alone on their lines, and `/** @type {…} */` within one; a line that
names a module stays"""
_OTHER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class ModuleError(Exception):
    """Raised for a module in an unsupported form, and for modules that need each other."""


def variable(path: str) -> str:
    """Return the variable with a module's exports in the joined script."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def join_modules(read: Callable[[str], str], entry: str, *, documented: bool = True) -> str:
    """Return one script with `entry` behind all modules that it needs. `read` returns the module at a path.

    Without `documented`, comments that have lines of their own are left out, and types within a line: a quarter of what
    would travel.

    Raises `ModuleError`.
    """
    done: dict[str, str] = {}
    _add(read, entry, done, ())
    joined = "".join(done.values())
    return joined if documented else _DOCUMENTATION.sub("", joined)


def _add(read: Callable[[str], str], path: str, done: dict[str, str], around: tuple[str, ...]) -> None:
    """Add the module at `path` behind those that it imports."""
    if path in around:
        raise ModuleError(f"{' → '.join((*around, path))}: modules that need each other")
    if path in done:
        return
    text = read(path)
    for _, other in (*_IMPORT.findall(text), *_HANDED_ON.findall(text)):
        _add(read, normpath(join(dirname(path), other)), done, (*around, path))
    exports = _EXPORT.findall(text)

    def taken(match: re.Match[str]) -> str:
        names = re.sub(r"(\w+) as (\w+)", r"\1: \2", match[1])
        return f"const {{{names}}} = {variable(normpath(join(dirname(path), match[2])))};\n"

    def handed_on(match: re.Match[str]) -> str:
        exports.extend(name.strip() for name in match[1].split(",") if name.strip())
        return taken(match)

    def listed(match: re.Match[str]) -> str:
        exports.extend(re.sub(r"(\w+) as (\w+)", r"\2: \1", name.strip()) for name in match[1].split(","))
        return "\n"

    body = _LIST.sub(listed, _EXPORT.sub("", _HANDED_ON.sub(handed_on, _IMPORT.sub(taken, text))))
    if left := _OTHER.search(body):
        raise ModuleError(f"{path}: {left[0]}")
    done[path] = f"// {path}\nconst {variable(path)} = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();\n"
