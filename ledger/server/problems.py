"""Refusals: problem details of RFC 9457 (specs/network.md, "Refusals")."""

from collections.abc import Mapping
from http import HTTPStatus

import msgspec

from ledger.errors import BehindError, LedgerError, RefusedError, StoreError
from ledger.keeper.operations import KeeperFailure, Outcome, Rejection
from ledger.lobby import LobbyError
from rules.data.language import Message, Translate
from verifier.language import languages

__all__ = [
    "MEDIA_TYPE",
    "Problem",
    "not_found",
    "preferred_language",
    "problem_of",
    "problem_of_outcome",
    "table_deleted",
]

MEDIA_TYPE = "application/problem+json"


class Problem(Exception):
    """An answer that refuses: `status`, `code`, and a sentence for people; `extra` are further members.

    `retry` is after how many seconds it is worth asking again.
    """

    def __init__(
        self,
        status: int,
        code: str,
        text: Message | str,
        clause: str | None = None,
        *,
        retry: int | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(str(text))
        self.status = status
        self.code = code
        self.text = text
        self.clause = clause
        self.retry = retry
        self.extra = extra or {}

    def in_words(self, translate: Translate) -> str:
        """Return the message in a reader's language."""
        return self.text.message(translate) if isinstance(self.text, Message) else translate(self.text)

    def body(self, translate: Translate) -> bytes:
        """Return the answer's body, in a reader's language."""
        detail = self.in_words(translate)
        members: dict[str, object] = {
            "type": f"urn:rollproof:problem:{self.code}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": detail,
            "code": self.code,
            **({} if self.clause is None else {"clause": self.clause}),
            **self.extra,
        }
        return msgspec.json.encode(members, order="sorted")

    @property
    def headers(self) -> dict[str, str]:
        """Return `Retry-After` if the time is known."""
        return {} if self.retry is None else {"Retry-After": str(self.retry)}


def table_deleted() -> Problem:
    """Return the problem for a table that its host had deleted, and for its game."""
    return Problem(410, "deleted", Message("the host of this table had it deleted"))


def not_found() -> Problem:
    """Return the same problem for missing things and for things that the caller may not know of."""
    return Problem(404, "not-found", Message("there is no such table or game here, or this link does not open it"))


_STATUS = {
    "malformed": 400,
    "table.terms": 403,
    "table.seat": 403,
    "table.start": 403,
    "table.host": 403,
    "access.time": 403,
    "event.organizer": 403,
    "event.terms": 403,
    "roll.party": 403,
    "not-found": 404,
    "table.invite": 409,
    "table.name": 409,
    "table.started": 409,
    "game.full": 507,
}
"""by code; every other is one of specs/verification.md: 422"""


def problem_of(error: LedgerError) -> Problem:
    """Return the problem that reports an error of the keeper's core."""
    if isinstance(error, LobbyError) and error.code == "not-found":
        return not_found()
    if isinstance(error, RefusedError):
        return Problem(_STATUS.get(error.code, 422), error.code, error.problem, error.clause)
    if isinstance(error, BehindError):
        return Problem(503, "keeper.behind", str(error), retry=1)
    if isinstance(error, StoreError):
        return Problem(503, "keeper.failed", Message("the server's database is not there at the moment"), retry=5)
    return Problem(503, "keeper.stopped", str(error), retry=60)


def problem_of_outcome(outcome: Outcome) -> Problem:
    """Return the problem that reports an unexpected outcome of the keeper's core."""
    match outcome:
        case Rejection(error, size, head):
            if outcome.stale:
                return Problem(409, error.code, error.problem, extra={"size": size, "head": head.hex()})
            return problem_of(error)
        case KeeperFailure("not-found"):
            return not_found()
        case KeeperFailure("catch-up", problem, size):
            return Problem(409, "catch-up", problem, extra={"size": size})
        case KeeperFailure(code, problem, size):
            return Problem(503, code, problem, retry=5, extra={"size": size})
        case _:
            raise AssertionError(f"no answer to what was asked: {outcome}")


def preferred_language(accept_language: str) -> str:
    """Return the reader's most preferred language that has a catalogue (RFC 9110, 12.5.4)."""
    wanted: list[tuple[float, str]] = []
    for part in accept_language[:500].split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((float(weight or 1), name.split("-")[0].lower()))
        except ValueError:
            continue
    known = ["en", *languages()]
    return next((name for _, name in sorted(wanted, key=lambda each: -each[0]) if name in known), "en")
