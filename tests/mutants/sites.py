"""Where a module can be broken: comparison, boolean, arithmetic and integer operators, what is changed, and refusals.

A comparison is turned round or moved by one, an operand of `and` and `or` is dropped, `all` and `any` are exchanged,
one member that `replace` changes stays as it was. Where patterns decide, they lose a part (`patterns.py`).

Left out is what cannot change a verdict: what is told (messages and the modules that hold nothing else), types,
assertions, how classes are declared.
"""

import ast
import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.mutants import patterns

__all__ = ["GROUPS", "RULES", "Site", "Tree", "modules", "sites"]

Node = TypeVar("Node", ast.expr, ast.cmpop)

RULES = Path(__file__).parents[2] / "rules"

GROUPS = ("mtg", "wh40k", "t9a", "doubledown", "anydice", "shared")
"""the folders of `rules`, and what stands beside them"""

TELLS = frozenset({"words", "explain", "clauses", "scene"})
"""of every system: events, dice and clauses in words, and a game for newcomers"""
ALSO_TELLS = frozenset(
    {
        "rules.data.jsontext",
        "rules.data.language",
        "rules.lines",
        "rules.data.schema",
        "rules.data.text",
        "rules.systems.wh40k.effects_text",
        "rules.systems.wh40k.phrases",
        "rules.systems.wh40k.tables",
        "rules.systems.wh40k.arithmetic",
    }
)

PATTERNED = frozenset(
    {
        "rules.common.free_text",
        "rules.systems.mtg.instruction",
        "rules.systems.mtg.table",
        "rules.systems.t9a.rolls",
        "rules.systems.wh40k.terms",
        "rules.systems.wh40k.values",
    }
)
"""modules in which patterns decide: their regular expressions are changed too"""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}
SYMBOLS: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not", ast.Add: "+", ast.Sub: "-", ast.Mult: "*",
    ast.FloorDiv: "//", ast.Div: "/", ast.Mod: "%", ast.Pow: "**", ast.And: "and", ast.Or: "or",
}  # fmt: skip

EXCHANGED = {"all": "any", "any": "all"}
COUNTS = frozenset({"len", "sum", "min", "max"})
"""what is called to come to a number: where one is compared with `==`, there is a boundary to move"""
TOLD = 70
"""characters of an operand that a change names"""

MESSAGES = frozenset({"Message", "Reason", "Listed", "N_", "counted", "one_of", "shown"})
REFUSALS = frozenset({"Violation", "BodyError", "DiceError", "DiceNotationError", "ScriptError", "_no", "_wrong_phase"})


@dataclass(frozen=True)
class Site:
    """One change: where it is, what it is, and how the tree is changed."""

    module: str
    function: str
    """qualified; empty at the top of a module"""
    line: int
    text: str
    """the line as it stands, without its indentation"""
    change: str
    """`< → <=`; with ` #2` where the line (or one of the same text in the function) has it more than once"""
    apply: Callable[[], None]

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What names it in `known.toml`: no line number, so that it survives other edits."""
        return (self.module, self.function, self.text, self.change)


@dataclass(frozen=True)
class Tree:
    """A module: its tree, which a change alters, and its places of change in the order of the file."""

    module: str
    path: Path
    tree: ast.Module
    sites: tuple[Site, ...]


def modules(group: str) -> Iterator[tuple[str, Path]]:
    """The modules of a system, or those that they share, with their names; without those that only tell."""
    folders = [RULES, RULES / "common", RULES / "data"] if group == "shared" else [RULES / "systems" / group]
    for path in sorted(path for folder in folders for path in folder.glob("*.py")):
        parts = ["rules", *path.relative_to(RULES).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name not in ALSO_TELLS and path.stem not in TELLS:
            yield name, path


def sites(module: str, path: Path) -> Tree:
    """Every change of a module."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source, filename=str(path))
    finder = _Finder(module, source.splitlines())
    finder.visit(tree)
    return Tree(module, path, tree, tuple(finder.found))


class _Finder(ast.NodeVisitor):
    def __init__(self, module: str, lines: list[str]) -> None:
        self.module, self.lines = module, lines
        self.found: list[Site] = []
        self._scope: list[str] = []
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def _add(self, line: int, change: str, apply: Callable[[], None]) -> None:
        function, text = ".".join(self._scope), self.lines[line - 1].strip()
        self._seen[function, text, change] += 1
        number = self._seen[function, text, change]
        told = change if number == 1 else f"{change} #{number}"
        self.found.append(Site(self.module, function, line, text, told, apply))

    # --- what is left out ---------------------------------------------------------------------------------------------

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    def visit_arg(self, node: ast.arg) -> None:
        pass

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        # the members of a body: their bounds are rules, the types themselves are not
        for inner in ast.walk(node.annotation):
            if isinstance(inner, ast.Call):
                self.visit(inner)
        if node.value is not None:
            self.visit(node.value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._within(node.name, node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._within(node.name, node.body)

    def visit_Call(self, node: ast.Call) -> None:
        if _called(node) in MESSAGES:
            return
        self.visit(node.func)
        match node.func:
            case ast.Name(id="all" | "any" as name) as called:
                other = EXCHANGED[name]
                self._add(node.lineno, f"{name} → {other}", lambda: setattr(called, "id", other))
        for one in node.args:
            self.visit(one)
        for keyword in node.keywords:
            if _called(node) == "replace":
                told = f"without {keyword.arg}={_shortened(keyword.value)}"
                self._add(keyword.lineno, told, lambda kept=keyword: node.keywords.remove(kept))  # type: ignore[misc]
            if keyword.arg not in ("strict", "title", "description", "covariant"):
                self.visit(keyword.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            self._pattern(node.value)
            self.visit(node.value)

    def _pattern(self, node: ast.expr) -> None:
        """A regular expression that a module compiles: of parts that other names have, the whole is changed."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr="compile")) if (
                self.module in PATTERNED and not self._scope
            ):
                for words, changed in patterns.changes(_evaluated(self.module, node.args[0])):
                    constant = ast.copy_location(ast.Constant(changed), node.args[0])
                    self._add(node.lineno, words, _setting(node.args, 0, constant))

    def _within(self, name: str, body: list[ast.stmt]) -> None:
        self._scope.append(name)
        for statement in body:
            self._statement(statement)
        self._scope.pop()

    # --- what is changed ----------------------------------------------------------------------------------------------

    def generic_visit(self, node: ast.AST) -> None:
        for _, value in ast.iter_fields(node):
            for inner in value if isinstance(value, list) else [value]:
                if isinstance(inner, ast.stmt):
                    self._statement(inner)
                elif isinstance(inner, ast.AST):
                    self.visit(inner)

    def _statement(self, node: ast.stmt) -> None:
        refuses = isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and _called(node.value) == "refuse")
        if not refuses:
            self.visit(node)
            return
        if isinstance(node, ast.Raise) and _called(node.exc) not in REFUSALS:
            return
        self._add(node.lineno, "refuses nothing", lambda: _forget(node))

    def visit_Compare(self, node: ast.Compare) -> None:
        for place, old in enumerate(node.ops):
            new = COMPARISONS[type(old)]
            self._add(node.lineno, _told(type(old), new), _setting(node.ops, place, new()))
            if isinstance(old, ast.Eq) and any(map(_is_count, (node.left, *node.comparators))):
                for moved in (ast.GtE, ast.LtE):
                    self._add(node.lineno, _told(ast.Eq, moved), _setting(node.ops, place, moved()))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        new = ast.Or if isinstance(node.op, ast.And) else ast.And
        self._add(node.lineno, _told(type(node.op), new), lambda: setattr(node, "op", new()))
        for place, operand in enumerate(node.values):
            if isinstance(operand, ast.Constant):
                continue  # what stands behind `or` for where there is nothing: a number that is changed shows it
            # another operand stands there twice: there have to be two
            kept = node.values[place - 1]
            self._add(operand.lineno, f"without {_shortened(operand)}", _setting(node.values, place, kept))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            # `not x` becomes `not not x`
            inner = ast.copy_location(ast.UnaryOp(ast.Not(), node.operand), node)
            self._add(node.lineno, "not → (nothing)", lambda: setattr(node, "operand", inner))
        elif isinstance(node.op, ast.USub):
            self._add(node.lineno, "- → (nothing)", lambda: setattr(node, "op", ast.UAdd()))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._arithmetic(node)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._arithmetic(node)
        self.generic_visit(node)

    def _arithmetic(self, node: ast.BinOp | ast.AugAssign) -> None:
        new = ARITHMETIC.get(type(node.op))
        if new is not None:
            self._add(node.lineno, _told(type(node.op), new), lambda: setattr(node, "op", new()))

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._add(node.lineno, f"{value} → {not value}", lambda: setattr(node, "value", not value))
        elif isinstance(value, int):
            self._add(node.lineno, f"{value} → {value + 1}", lambda: setattr(node, "value", value + 1))


def _forget(node: ast.stmt) -> None:
    """`raise …` becomes `None`; the tree keeps its shape."""
    node.__class__ = ast.Expr
    vars(node).pop("exc", None)
    vars(node).pop("cause", None)
    vars(node)["value"] = ast.copy_location(ast.Constant(None), node)


def _setting(nodes: list[Node], place: int, new: Node) -> Callable[[], None]:
    return lambda: nodes.__setitem__(place, new)


def _evaluated(module: str, node: ast.expr) -> str:
    """The text of an expression at the top of a module."""
    code = compile(ast.Expression(node), module, "eval")
    return str(eval(code, dict(vars(importlib.import_module(module)))))


def _is_count(node: ast.expr) -> bool:
    """Whether it is a number as far as one sees: a count, a sum, a number other than 0."""
    match node:
        case ast.Constant(value=int(number)):
            return not isinstance(number, bool) and number != 0
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv()):
            return True
    return _called(node) in COUNTS


def _shortened(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= TOLD else f"{text[: TOLD - 1]}…"


def _told(old: type[ast.AST], new: type[ast.AST]) -> str:
    return f"{SYMBOLS[old]} → {SYMBOLS[new]}"


def _called(node: ast.AST | None) -> str | None:
    """The name of what is called, without what it is a member of."""
    if not isinstance(node, ast.Call):
        return None
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None
