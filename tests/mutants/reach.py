"""Which vectors come to which function: a change within it can be noticed by no other."""

import gc
import importlib
import json
import os
import re
import sys
from functools import _lru_cache_wrapper
from types import CodeType, FrameType
from typing import Any

from tests.mutants import witnesses
from tests.mutants.sites import RULES, Site

__all__ = ["Reach", "reach"]

INNER = re.compile(r"<locals>\.|\.?<(lambda|genexpr|listcomp|setcomp|dictcomp)>")


class Reach:
    """Of each function the numbers of the vectors that call it; of one that is called by an import, all."""

    def __init__(self, told: dict[str, list[int] | None] | None) -> None:
        """`told` is None where nobody has looked."""
        self._told = told

    def of(self, site: Site) -> list[int] | None:
        """The numbers of the vectors that can notice the change; None: any."""
        if self._told is None or not site.function:
            return None
        return self._told.get(f"{site.module}:{site.function}", [])


def reach(group: str) -> Reach:
    """Play the vectors of a system in another process, and see what they call."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as pipe:
            json.dump(_called(group), pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        told: dict[str, list[int] | None] = json.load(pipe)
    os.wait()
    return Reach(told)


def _called(group: str) -> dict[str, list[int] | None]:
    codes: set[CodeType] = set()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    found: dict[str, list[int] | None] = {}
    sys.setprofile(profile)
    importlib.import_module("rules.script")
    sys.setprofile(None)
    imported = set(filter(None, map(_name, codes)))
    # A system is imported with its first vector.
    sys.setprofile(profile)
    witnesses.notices_in_vectors(group, range(1))
    sys.setprofile(None)
    first = set(filter(None, map(_name, codes)))
    caches = [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]
    for number in range(len(witnesses.vectors(group))):
        codes.clear()
        for cache in caches:
            cache.cache_clear()
        sys.setprofile(profile)
        witnesses.notices_in_vectors(group, range(number, number + 1))
        sys.setprofile(None)
        for name in map(_name, codes):
            if name:
                numbers = found.setdefault(name, [])
                assert numbers is not None
                if numbers[-1:] != [number]:
                    numbers.append(number)
    imported |= {name for name in first if 0 not in (found.get(name) or ())}
    return {**found, **dict.fromkeys(imported)}


def _name(code: CodeType) -> str | None:
    """`rules.systems.mtg.effects:reroll` of a function of the rules."""
    if not code.co_filename.startswith(str(RULES)):
        return None
    parts = ["rules", *code.co_filename.removeprefix(str(RULES)).removesuffix(".py").strip("/").split("/")]
    module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return f"{module}:{INNER.sub('', code.co_qualname)}"
