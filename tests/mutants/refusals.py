"""Which conditions of Python decide about a refusal.

Code refuses if it raises, calls a check or records an error, a finding or a notice. It also refuses if it leaves a
function or a pass of a loop without a value: `return`, `return None`, `return False`, `return []`, `continue`, `break`.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

__all__ = ["CHECKS", "called_name", "decides", "deciding_names", "is_predicate"]

CHECKS = re.compile(r"_*(check|refuse|require|ensure|forbid|verify|validate|admit|charge|deny|reject|fail)")
"""what functions are called that do nothing else than look, and raise"""
RECORDS = re.compile(
    r"_*(error|notice|problem|finding|warn|accuse|differ)|.*(Error|Refusal|Refused|Finding|Problem|Failure)$"
)
"""what is called that records a refusal, or makes one"""
LIMITS = re.compile(r"_*(MAX|MIN|MOST|LEAST|FEWEST|LIMIT)")
EXITS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def decides(node: ast.If | ast.IfExp | ast.match_case, following: Sequence[ast.stmt]) -> bool:
    """Whether a condition decides about a refusal: in a branch, or, where a branch ends, in what follows.

    A condition that names a limit decides about one too.
    """
    if isinstance(node, ast.IfExp):
        return _is_nothing(node.body) or _is_nothing(node.orelse) or _names_limit(node.test)
    if _refuses(node.body):
        return True
    if isinstance(node, ast.match_case):
        return False
    if node.orelse and not isinstance(node.orelse[0], ast.If) and _refuses(node.orelse):
        return True
    if len(node.orelse) == 1 and isinstance(inner := node.orelse[0], ast.If) and decides(inner, following):
        return True
    return _names_limit(node.test) or (isinstance(node.body[-1], EXITS) and _ends_in_refusal(following))


def is_predicate(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function answers yes or no."""
    return node.returns is not None and re.match(r"(bool|Type(Is|Guard))\b", ast.unparse(node.returns)) is not None


def deciding_names(node: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The variables of a function that conditions on refusals name."""
    return frozenset(_deciding_names(node.body))


def called_name(node: ast.Call) -> str:
    """The name of what is called, without what it is a member of."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _deciding_names(body: Sequence[ast.stmt]) -> Iterator[str]:
    for place, statement in enumerate(body):
        if isinstance(statement, ast.If) and decides(statement, body[place + 1 :]):
            yield from (inner.id for inner in ast.walk(statement.test) if isinstance(inner, ast.Name))
        for field in ("body", "orelse", "finalbody"):
            yield from _deciding_names(getattr(statement, field, []))
        for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _deciding_names(inner.body)


def _refuses(body: Sequence[ast.stmt]) -> bool:
    """Whether anything that stands in these statements refuses, or they end with an exit without a value."""
    if _is_empty_exit(body[-1]):
        return True
    return any(
        isinstance(inner, ast.Raise)
        or (isinstance(inner, ast.Call) and (CHECKS.match(name := called_name(inner)) or RECORDS.match(name)))
        for statement in body
        for inner in _within(statement)
    )


def _ends_in_refusal(following: Sequence[ast.stmt]) -> bool:
    """Whether the block goes on to refuse, after other conditions at most."""
    for statement in following:
        if not isinstance(statement, ast.If):
            return _refuses([statement])
    return False


def _is_empty_exit(node: ast.stmt) -> bool:
    match node:
        case ast.Continue() | ast.Break() | ast.Return(value=None):
            return True
        case ast.Return(value=ast.expr() as value):
            return _is_nothing(value)
    return False


def _is_nothing(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=None | False | "" | b""):
            return True
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Call(func=ast.Name(id="set" | "frozenset"), args=[], keywords=[]):
            return True
    return False


def _names_limit(node: ast.expr) -> bool:
    names = (
        inner.id if isinstance(inner, ast.Name) else inner.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name | ast.Attribute)
    )
    return any(LIMITS.match(name) or name.strip("_") == "limits" for name in names)


def _within(node: ast.AST) -> Iterable[ast.AST]:
    """A node and what stands in it, without functions that it defines."""
    yield node
    for inner in ast.iter_child_nodes(node):
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield from _within(inner)
