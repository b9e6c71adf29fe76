"""Step 28 of specs/verification.md: the keys of a log, or of evidence, against a roster (specs/roster.md)."""

from collections.abc import Iterable

from rules import Event
from rules.language import N_
from verifier.errors import Failure, Finding
from verifier.format import Reveal
from verifier.identity import VerifierKey
from verifier.language import Translate
from verifier.replay import Replay
from verifier.roster import Entry, Roster

__all__ = ["RosterCheck", "check_key"]


class RosterCheck:
    """Step 28, for the verification of one log."""

    def __init__(self, roster: Roster) -> None:
        self._entries = roster.by_key()
        self._watched: dict[str, Entry] = {}
        self._before = ""
        """the time of the event before"""
        self._outside: dict[str, tuple[int, str]] = {}
        """for each party the first event, and its time, that was signed when its key did not count"""
        self._first: dict[str, int] = {}
        """for each party the first event that it signed"""

    def note(self, event: Event, replay: Replay) -> None:
        """Look at an event that was just replayed."""
        if event.seq == 0:
            found = {name: self._entries.get(key.public_bytes) for name, key in replay.terms.keys.items()}
            self._watched = {name: entry for name, entry in found.items() if entry and (entry.since or entry.until)}
        self._first.setdefault(event.author, event.seq)
        self._look(event.author, event.seq, replay.time)
        if isinstance(event.body, Reveal):
            for opening in event.body.openings:  # signed when the request stood there, before this event
                self._look(opening.author, event.seq, self._before)
        self._before = replay.time

    def _look(self, name: str, seq: int, time: str) -> None:
        entry = self._watched.get(name)
        if entry is not None and not entry.counts(time):
            self._outside.setdefault(name, (seq, time))

    def findings(self, replay: Replay, _: Translate) -> tuple[Finding, ...]:
        """One for each party at most, at the end of the valid prefix; what follows it is not looked at."""
        found = (self._finding(name, key, replay, _) for name, key in replay.terms.keys.items())
        return tuple(finding for finding in found if finding is not None)

    def _finding(self, name: str, key: VerifierKey, replay: Replay, _: Translate) -> Finding | None:
        seq, time = self._outside.get(name, (replay.size, ""))
        try:
            _check_entry(self._entries.get(key.public_bytes), key, [time] if seq < replay.size else [])
        except Failure as failure:
            code, text, fault = failure.code, failure.message(_), name
            if code == "roster.unknown-key":
                fault = "file"
            elif code == "roster.other-name" and self._first.get(name, replay.size) >= replay.size:
                fault = replay.terms.keeper  # who wrote event 0; the key's owner has signed nothing
                template = _(
                    "The key of {name} is {owner}'s on the roster. {owner} signed nothing here: {keeper} put it in."
                )
                text = template.format(name=name, owner=failure.expected, keeper=fault)
            seq = seq if code == "roster.revoked" else 0
            return Finding(code, "error", failure.step, seq, fault, None, text, failure.expected, failure.actual)
        return None


def check_key(roster: Roster, key: VerifierKey, dated: Iterable[str] = ()) -> Entry:
    """What the roster says of a key, which must be on it under its name and have counted at these times.

    Raises Failure (step 28).
    """
    return _check_entry(roster.by_key().get(key.public_bytes), key, dated)


def _check_entry(entry: Entry | None, key: VerifierKey, dated: Iterable[str]) -> Entry:
    """Raises Failure (step 28)."""
    if entry is None:
        text = N_("The key of {name} is nobody's on the roster: whoever plays here as {name} is not known.")
        raise Failure(28, "roster.unknown-key", text, name=key.name, actual=key)
    owner = entry.key.name
    if owner != key.name:
        text = N_("The key of {name} is {owner}'s on the roster: {owner} plays here under another name.")
        raise Failure(28, "roster.other-name", text, name=key.name, owner=owner, expected=owner, actual=key.name)
    for time in dated:
        if not entry.counts(time):
            text = N_(
                "{name} signed with a key that did not count at that time, says the roster: it was replaced or lost."
            )
            when = f"{entry.since or '-'} … {entry.until or '-'}"
            raise Failure(28, "roster.revoked", text, name=key.name, expected=when, actual=time)
    return entry
