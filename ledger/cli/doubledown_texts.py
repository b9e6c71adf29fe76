"""What players type for Double Down as members of bodies: names, stars, what boons and banes buy."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ledger.cli.place import present
from ledger.errors import UsageError

__all__ = ["named", "outcome_name", "purchase", "short_name", "stars", "whole"]


def whole(text: str, where: str, what: str) -> int:
    """A number. Raises UsageError, which says where it stands and what it is."""
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise UsageError(f"{where} is {what}; not {text!r}")
    return int(text)


def short_name(text: str, option: str) -> str:
    """`Four Arms` as four-arms. Raises UsageError where it cannot be made a short name."""
    made = "-".join(text.lower().split())
    if not made or len(made) > 40 or not set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-"):
        raise UsageError(
            f"{option}: stats and tags have names of a to z, 0-9, '.', '_' and '-', up to 40; not {text!r}"
        )
    return made


def stars(text: str, option: str) -> tuple[str, int]:
    """`rogue=2` as a name and its stars. Raises UsageError."""
    name, _, count = text.rpartition("=")
    if not name:
        raise UsageError(f"{option} takes NAME=STARS, for example {option} rogue=2; not {text!r}")
    return short_name(name, option), whole(count, f"{option} {name}: what follows the =", "its stars, 1 to 5")


def named(items: Iterable[tuple[str, Any]], option: str) -> dict[str, Any]:
    """Names with what they have. Raises UsageError where one is given twice."""
    found: dict[str, Any] = {}
    for name, value in items:
        if name in found:
            raise UsageError(f"{option} {name} is given twice")
        found[name] = value
    return found


def outcome_name(text: str | None) -> str | None:
    """An outcome of T1; None as None. Raises UsageError."""
    from rules.doubledown.tables import OUTCOMES

    if text is None:
        return None
    made = text.lower().replace("-", " ")
    names = [outcome.name for outcome in reversed(OUTCOMES)]
    if made not in names:
        raise UsageError(f"--outcome is one of {', '.join(names)}; not {text!r}")
    return made


_N, _NAME = r"(?P<amount>[0-9]{1,4})", r"(?:@(?P<player>.+))?"
_BUYS: Mapping[str, tuple[str, str]] = {
    "stress": ("stress[=N][@NAME]", f"(?:={_N})?{_NAME}"),
    "tag": ("tag=TAG[@NAME]", f"=(?P<tag>[^@]+){_NAME}"),
    "drive": ("drive[=N][@NAME]", f"(?:={_N})?{_NAME}"),
    "story": ("story=N:TEXT", f"={_N}:(?P<text>.+)"),
    "tension": ("tension[=N]", f"(?:={_N})?"),
    "complication": ("complication=N:TEXT", f"={_N}:(?P<text>.+)"),
}
"""what can be bought: how it is written, and what follows its name"""


def purchase(text: str) -> dict[str, Any]:
    """`drive=2@bob`, `tag=rogue`, `story=3:A shortcut` as a buy. Raises UsageError."""
    buy = re.split("[=@:]", text, maxsplit=1)[0]
    if buy not in _BUYS:
        raise UsageError(f"{text!r} is nothing to buy: write {', '.join(shape for shape, _ in _BUYS.values())}")
    shape, pattern = _BUYS[buy]
    match = re.fullmatch(pattern, text.removeprefix(buy), re.ASCII | re.DOTALL)
    told = {name: value for name, value in (match.groupdict() if match else {}).items() if value is not None}
    amount = int(told["amount"]) if "amount" in told else None
    if match is None or amount not in (None, *range(1, 1_001)):
        raise UsageError(f"{text!r} cannot be bought: write {shape}{', N from 1 to 1000' if '=N' in shape else ''}")
    tag = short_name(told["tag"], "tag") if "tag" in told else None
    return {"buy": buy, **told, **present(tag=tag, amount=amount)}
