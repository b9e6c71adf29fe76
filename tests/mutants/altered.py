"""An altered module, put in the place of the one on disk: for whoever imports it after this."""

import marshal
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

__all__ = ["ALTERED", "CHILD", "Altered", "hand_down", "take_up"]

ALTERED = "ROLLPROOF_MUTANT"
"""the variable that names a file with an altered module, for processes that a test starts"""
CHILD = Path(__file__).parent / "child"
"""what Python imports first where this stands in PYTHONPATH"""


class Altered:
    """Finds one module, whose code is given."""

    def __init__(self, name: str, code: CodeType, origin: str) -> None:
        self.name, self.code, self.origin = name, code, origin

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        package = self.origin.endswith("__init__.py")
        spec = ModuleSpec(name, self, origin=self.origin, is_package=package)  # type: ignore[arg-type]
        spec.has_location = True
        if package:
            spec.submodule_search_locations = [os.path.dirname(self.origin)]  # noqa: PTH120
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, vars(module))


def hand_down(file: Path, name: str, code: CodeType, origin: Path) -> None:
    """Let the processes that this one starts import the altered module."""
    file.write_bytes(marshal.dumps((name, code, str(origin))))
    os.environ[ALTERED] = str(file)


def take_up() -> None:
    """In a process that was started by such a one: import the altered module instead of the one on disk."""
    if file := os.environ.get(ALTERED):
        sys.meta_path.insert(0, Altered(*marshal.loads(Path(file).read_bytes())))
