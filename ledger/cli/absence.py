"""*If somebody's phone dies?*: the question about absent parties at the opening (specs/page.md, "Opening a table").

The model of the roll computes the rights that each answer gives (specs/models/README.md).
"""

from typing import NamedTuple

from ledger.cli.call import Call
from ledger.cli.language import Translate
from ledger.cli.prompts import asker
from ledger.errors import UsageError

__all__ = ["AFTER", "AbsenceTerms", "what_if_gone", "words"]

AFTER = 120
"""seconds that a roll waits before the server's judge calls it off, where nobody says otherwise"""
ANSWERS = ("on", "wait")


class AbsenceTerms(NamedTuple):
    """The terms that an answer means."""

    judge_after: int | None
    others_away: bool


def words(answer: str, _: Translate, after: int = AFTER) -> str:
    """Describe the rights that an answer gives."""
    if answer == "on":
        text = _(
            "go on without them: the server's judge calls off a roll that has waited {seconds} s and names who is "
            "missing. All others together sign those people away, and go on; somebody who comes back is back at "
            "once. The operator of the server runs its judge too, and could call off a roll whose dice they do "
            "not like. The log counts and shows each."
        )
        return text.format(seconds=after)
    return _(
        "wait for them: a roll waits, however long, and the server alone gets no second roll by it. The roller can "
        "call it off before opening; so can a judge among you. A roller who does not come back ends the game."
    )


def what_if_gone(
    call: Call, answer: str | None, given: AbsenceTerms, *, cooperates: bool, offered: bool
) -> AbsenceTerms:
    """Return the terms: from the answer, from the options given instead, by default, or by asking at a terminal.

    `cooperates`: the system admits players in mid-game, so going on is the default; `offered`: the server has a judge.
    Raises UsageError if there is no answer, or two.
    """
    if answer is not None and answer not in ANSWERS:
        raise UsageError(f"--if-gone is on or wait, not {answer}")
    if answer == "wait" and given != AbsenceTerms(None, others_away=False):
        raise UsageError("--if-gone wait has no --judge-after and no --others-away: a roll waits for whoever is gone")
    if answer is None and given != AbsenceTerms(None, others_away=False):
        return given
    if answer is None and not offered:
        return given
    if answer is None and cooperates:
        answer = "on"
    if answer is None:
        answer = _asked(call)
    return AbsenceTerms(given.judge_after or AFTER, others_away=True) if answer == "on" else given


def _asked(call: Call) -> str:
    asking, _ = asker(call.out), call.translate
    if asking is None:
        each = "\n".join(f"  --if-gone {answer}: {words(answer, _)}" for answer in ANSWERS)
        raise UsageError(_("say what happens if somebody's phone dies:") + "\n" + each)
    return ANSWERS[asking.one_of(_("If somebody's phone dies?"), [words(answer, _) for answer in ANSWERS])]
