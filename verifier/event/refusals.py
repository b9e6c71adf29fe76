"""The refusal of an act by a rule of an event (specs/event.md, "Rules")."""

from typing import Any, NoReturn

from verifier.errors import Failure

__all__ = ["STEP", "refuse"]

STEP = 29
"""the step of specs/verification.md in which the rules are applied"""


def refuse(rule: int, code: str, template: str, **values: Any) -> NoReturn:
    """Raise the Failure of rule `E{rule}`."""
    raise Failure(STEP, code, template, clause=f"E{rule}", **values)
