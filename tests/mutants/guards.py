"""Where a module of Python can be broken so that it lets through what it keeps out: its guards.

A condition holds always or never, an operand of `and` and `or` is dropped, a boundary is moved by one, `all` and `any`
are exchanged, a bound by `min` or `max` is dropped, an error is not raised, a check is not called, an error is not
caught, a case is not taken. Left out is what runs at import (types, and how classes are declared), what is told, and
assertions, which state what is so already.

A condition is a guard if it decides about a refusal (`refusals.py`). Others choose a value, a word or the next step:
`everything` has their changes too.
"""

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from tests.mutants.refusals import CHECKS, called_name, decides, deciding_names, is_predicate
from tests.mutants.sites import MESSAGES, SYMBOLS, Site, Tree

__all__ = ["guards"]

Role = Literal["test", "loop", "operand", "value"]
"""what decides by itself, once or again and again, or with others, and what is a value like any other"""
Put = Callable[[ast.AST], None]
"""what puts another node in the place of one"""

BOUNDARIES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
EXCHANGED = {"all": "any", "any": "all"}
TOLD = 70
"""characters of an operand that a change names"""


def guards(module: str, path: Path, *, everything: bool = False) -> Tree:
    """Every change of a module's guards, or of all its conditions."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source, filename=str(path))
    finder = _Finder(module, source.splitlines(), everything=everything)
    finder.within(tree)
    return Tree(module, path, tree, tuple(finder.found))


class _Finder:
    def __init__(self, module: str, lines: list[str], *, everything: bool) -> None:
        self.module, self.lines, self.everything = module, lines, everything
        self.found: list[Site] = []
        self._scope: list[str] = []
        self._functions = 0
        self._deciding = everything
        """whether what is looked at decides about a refusal"""
        self._names: frozenset[str] = frozenset()
        """variables of the function that decide about one"""
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def _add(self, line: int, change: str, apply: Callable[[], None], *, refuses: bool = False) -> None:
        if not self._functions:
            return
        function, text = ".".join(self._scope), self.lines[line - 1].strip()
        self._seen[function, text, change] += 1
        if not (refuses or self._deciding):
            return
        number = self._seen[function, text, change]
        told = change if number == 1 else f"{change} #{number}"
        self.found.append(Site(self.module, function, line, text, told, apply))

    def within(self, node: ast.AST, following: Sequence[ast.stmt] = ()) -> None:
        """Look at all that stands in a node; `following` stands behind it in its block."""
        deciding = self._deciding
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "bases", "keywords") and isinstance(
                node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.arg | ast.AnnAssign
            ):
                continue
            self._deciding = deciding or self._decides(node, field, following)
            if isinstance(value, list):
                for place, inner in enumerate(value):
                    if isinstance(inner, ast.AST):
                        behind: Sequence[ast.stmt] = value[place + 1 :] if isinstance(inner, ast.stmt) else ()
                        if isinstance(node, ast.If) and field == "orelse" and len(value) == 1:
                            behind = following
                        self._see(inner, _in(value, place), _role(node, field), behind, alone=_alone(node, field))
            elif isinstance(value, ast.AST):
                self._see(value, _at(node, field), _role(node, field), alone=False)
        self._deciding = deciding

    def _decides(self, node: ast.AST, field: str, following: Sequence[ast.stmt]) -> bool:
        match node, field:
            case (ast.If() | ast.IfExp() as condition, "test") | (ast.match_case() as condition, "guard"):
                return decides(condition, following)
            case (ast.Assign(targets=[ast.Name(id=name)]), "value") | (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)),
                "value",
            ):
                return name in self._names
        return False

    def _see(self, node: ast.AST, put: Put, role: Role, following: Sequence[ast.stmt] = (), *, alone: bool) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                outer = self._deciding, self._names
                self._deciding, self._names = self.everything or is_predicate(node), deciding_names(node)
                self._scope.append(node.name)
                self._functions += 1
                self.within(node)
                self._functions -= 1
                self._scope.pop()
                self._deciding, self._names = outer
            case ast.ClassDef():
                self._scope.append(node.name)
                self.within(node)
                self._scope.pop()
            case ast.Assert():
                pass
            case ast.stmt():
                self._statement(node, put, alone=alone)
                self.within(node, following)
            case ast.ExceptHandler():
                self._handler(node)
                self.within(node)
            case ast.match_case():
                self._case(node)
                self.within(node)
            case ast.expr():
                self._expression(node, put, role)
            case _:
                self.within(node)

    # --- statements ---------------------------------------------------------------------------------------------------

    def _statement(self, node: ast.stmt, put: Put, *, alone: bool) -> None:
        nothing = ast.copy_location(ast.Pass(), node)
        match node:
            case ast.Raise() if not alone:
                self._add(node.lineno, "raises nothing", lambda: put(nothing), refuses=True)
            case ast.Expr(value=ast.Call() as call) if not alone and CHECKS.match(called_name(call)):
                self._add(node.lineno, "checks nothing", lambda: put(nothing), refuses=True)
            case ast.Expr(value=ast.Await(value=ast.Call() as call)) if not alone and CHECKS.match(called_name(call)):
                self._add(node.lineno, "checks nothing", lambda: put(nothing), refuses=True)

    def _handler(self, node: ast.ExceptHandler) -> None:
        match node.type:
            case ast.Tuple(elts=names):
                for place, name in enumerate(names):
                    self._add(name.lineno, f"lets through {ast.unparse(name)}", _without(names, place), refuses=True)
            case ast.expr() as name:
                none = ast.copy_location(ast.Tuple([], ast.Load()), name)
                self._add(
                    name.lineno, f"lets through {ast.unparse(name)}", lambda: setattr(node, "type", none), refuses=True
                )

    def _case(self, node: ast.match_case) -> None:
        if node.guard is None and not (isinstance(node.pattern, ast.MatchAs) and node.pattern.pattern is None):
            never = ast.copy_location(ast.Constant(False), node.pattern)
            change = lambda: setattr(node, "guard", never)  # noqa: E731
            self._add(node.pattern.lineno, "case is never", change, refuses=decides(node, ()))

    # --- expressions --------------------------------------------------------------------------------------------------

    def _expression(self, node: ast.expr, put: Put, role: Role) -> None:
        if isinstance(node, ast.Call) and called_name(node) in MESSAGES:
            return
        if role in ("test", "loop"):
            self._test(node, put, loop=role == "loop")
        match node:
            case ast.BoolOp():
                for place, operand in enumerate(node.values):
                    self._add(operand.lineno, f"without {_told(operand)}", _dropping(node, place, put))
            case ast.Compare():
                self._compare(node, put, role)
            case ast.Call():
                self._call(node, put)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                if role == "value" and not isinstance(inner, ast.Compare | ast.BoolOp):
                    self._add(node.lineno, "not → (nothing)", lambda: put(_bool(inner)))
                self._expression(inner, _at(node, "operand"), "value" if role == "value" else "operand")
                return
        self.within(node)

    def _call(self, node: ast.Call, put: Put) -> None:
        match node:
            case ast.Call(func=ast.Name(id="all" | "any" as name) as called):
                other = EXCHANGED[name]
                self._add(node.lineno, f"{name} → {other}", lambda: setattr(called, "id", other))
            case ast.Call(func=ast.Name(id="min" | "max" as name), args=[_, _]) if not node.keywords:
                for dropped, kept in (node.args, reversed(node.args)):
                    told = f"{name} without {_told(dropped)}"
                    left = kept
                    if isinstance(kept, ast.Starred):
                        left = ast.copy_location(ast.Call(node.func, [kept], []), node)
                    self._add(dropped.lineno, told, lambda left=left: put(left), refuses=True)  # type: ignore[misc]
            case ast.Call(func=ast.Name(id="suppress"), args=errors):
                for place, error in enumerate(errors):
                    self._add(error.lineno, f"lets through {ast.unparse(error)}", _without(errors, place), refuses=True)

    def _test(self, node: ast.expr, put: Put, *, loop: bool) -> None:
        """A condition as a whole, as far as dropping an operand does not show it already. No loop is made endless."""
        if isinstance(node, ast.Constant) or ast.unparse(node) == "TYPE_CHECKING":
            return
        connected = type(node.op) if isinstance(node, ast.BoolOp) else None
        for value, told in ((True, "always"), (False, "never")):
            if connected is not (ast.And if value else ast.Or) and not (loop and value):
                constant = ast.copy_location(ast.Constant(value), node)
                self._add(node.lineno, told, lambda constant=constant: put(constant))  # type: ignore[misc]

    def _compare(self, node: ast.Compare, put: Put, role: Role) -> None:
        for place, old in enumerate(node.ops):
            if (new := BOUNDARIES.get(type(old))) is not None:
                told = f"{SYMBOLS[type(old)]} → {SYMBOLS[new]}"
                self._add(node.lineno, told, _placing(node.ops, place, new()))
        if len(node.ops) == 2:
            first, second = _parts(node)
            self._add(node.lineno, f"without {_told(first)}", lambda: put(second))
            self._add(node.lineno, f"without {_told(second)}", lambda: put(first))
        if role == "value":
            for value in (True, False):
                constant = ast.copy_location(ast.Constant(value), node)
                told = f"{_told(node)} → {value}"
                self._add(node.lineno, told, lambda constant=constant: put(constant))  # type: ignore[misc]


def _role(node: ast.AST, field: str) -> Role:
    match node, field:
        case ast.While(), "test":
            return "loop"
        case (ast.If() | ast.IfExp(), "test") | (ast.comprehension(), "ifs") | (ast.match_case(), "guard"):
            return "test"
        case ast.BoolOp(), "values":
            return "operand"
    return "value"


def _alone(node: ast.AST, field: str) -> bool:
    """Whether a statement there is all that an `if` without `else` does: that its condition never holds is the same."""
    return isinstance(node, ast.If) and field == "body" and len(node.body) == 1 and not node.orelse


def _parts(node: ast.Compare) -> tuple[ast.expr, ast.expr]:
    """`a < b` and `b < c` of `a < b < c`."""
    first = ast.Compare(node.left, node.ops[:1], node.comparators[:1])
    second = ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])
    return ast.copy_location(first, node), ast.copy_location(second, node)


def _bool(node: ast.expr) -> ast.expr:
    """`not not x`."""
    inner = ast.copy_location(ast.UnaryOp(ast.Not(), node), node)
    return ast.copy_location(ast.UnaryOp(ast.Not(), inner), node)


def _in(values: list[ast.AST], place: int) -> Put:
    return lambda new: values.__setitem__(place, new)


def _at(node: ast.AST, field: str) -> Put:
    return lambda new: setattr(node, field, new)


def _without(values: list[ast.expr], place: int) -> Callable[[], None]:
    """One fewer."""
    return lambda: values.__delitem__(place)


def _dropping(node: ast.BoolOp, place: int, put: Put) -> Callable[[], None]:
    """One operand fewer; of two the other is left."""
    if len(node.values) == 2:
        other = node.values[1 - place]
        return lambda: put(other)
    return _without(node.values, place)


def _placing(ops: list[ast.cmpop], place: int, new: ast.cmpop) -> Callable[[], None]:
    return lambda: ops.__setitem__(place, new)


def _told(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= TOLD else f"{text[: TOLD - 1]}…"
