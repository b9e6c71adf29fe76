"""Comparison of the keys of a log, or of evidence, with a roster (step 28 of specs/verification.md;
specs/roster.md).
"""

from rules import Event
from rules.data.language import N_
from verifier.errors import Failure, Finding
from verifier.language import Translate
from verifier.log.identity import VerifierKey
from verifier.replay import Replay
from verifier.rosters.roster import Entry, Roster

__all__ = ["RosterCheck", "check_accused", "ended_notice"]


class RosterCheck:
    """The comparison for the verification of one log."""

    def __init__(self, roster: Roster) -> None:
        self._entries = roster.by_key()
        self._opened = ""
        """the time of event 0"""
        self._before = ""
        """the time of the previous event"""
        self._until: dict[str, str] = {}
        """party → end of its key, if it has one"""
        self._crossed: dict[str, tuple[int, str]] = {}
        """party → number and time of its event, if that is the log's first event after the end of the party's key"""
        self._after: dict[str, tuple[int, str]] = {}
        """party → number and time of its first event after other parties' events had reached the end of its key"""
        self._first: dict[str, int] = {}
        """party → number of the first event that it signed"""

    def note(self, event: Event, replay: Replay) -> None:
        """Record an event that was just replayed."""
        name, time = event.author, replay.time
        if event.seq == 0:
            self._opened = time
            found = {name: self._entries.get(key.public_bytes) for name, key in replay.terms.keys.items()}
            self._until = {name: entry.until for name, entry in found.items() if entry and entry.until}
        if event.type == "join":  # an admitted party is checked from its join on
            entry = self._entries.get(replay.terms.keys[name].public_bytes)
            if entry and entry.until:
                self._until.setdefault(name, entry.until)
        self._first.setdefault(name, event.seq)
        until = self._until.get(name)
        if until is not None and time >= until:
            (self._crossed if self._before < until else self._after).setdefault(name, (event.seq, time))
        self._before = time

    def findings(self, replay: Replay, _: Translate) -> tuple[Finding, ...]:
        """Return at most one finding for each party, about the valid prefix only."""
        terms, joined = replay.terms, replay.session.joined
        present = {name: key for name, key in terms.keys.items() if name not in terms.late or name in joined}
        found = (self._finding(name, key, replay, _) for name, key in present.items())
        return tuple(finding for finding in found if finding is not None)

    def _finding(self, name: str, key: VerifierKey, replay: Replay, _: Translate) -> Finding | None:
        try:
            entry = _entry_of(self._entries.get(key.public_bytes), key)
            _check_opened(entry, self._opened)
        except Failure as failure:
            text, fault = failure.message(_), "file"
            if failure.code == "roster.other-name":
                fault = name
                if self._first.get(name, replay.size) >= replay.size:
                    fault = replay.terms.keeper  # the keeper wrote event 0, and the key's owner signed nothing
                    template = _(
                        "The key of {name} is {owner}'s on the roster. {owner} signed nothing here: {keeper} put it in."
                    )
                    text = template.format(name=name, owner=failure.expected, keeper=fault)
            return Finding(failure.code, "error", 28, 0, fault, None, text, failure.expected, failure.actual)
        seq, time = self._crossed.get(name, (replay.size, ""))
        if seq < replay.size:
            revoked = _revoked(entry, time)
            stated = revoked.message(_), revoked.expected, revoked.actual
            return Finding(revoked.code, "error", 28, seq, name, None, *stated)
        seq, time = self._after.get(name, (replay.size, ""))
        return ended_notice(entry, seq, _) if seq < replay.size else None


def check_accused(
    roster: Roster, key: VerifierKey, opened: str, events: tuple[tuple[str | None, str], ...]
) -> tuple[Entry, bool]:
    """Return the roster's entry for the accused's key, and whether the key had ended by one of the dates.

    `opened` is the time of event 0. `events` has, for each event or opening of the accused, the date of the event
    before it and its own date. The former is None for an opening, or if the statement does not show it. Raises Failure
    (step 28).
    """
    entry = _entry_of(roster.by_key().get(key.public_bytes), key)
    _check_opened(entry, opened)
    if entry.until is None:
        return entry, False
    for before, time in events:
        if before is not None and before < entry.until <= time:
            raise _revoked(entry, time)
    return entry, any(time >= entry.until for _before, time in events)


def ended_notice(entry: Entry, seq: int | None, _: Translate) -> Finding:
    """Return the notice that a party signed after the end of its key, on a date that it may not have chosen."""
    text = _(
        "The key of {name} ended at {until}, says the roster. What {name} signed is dated later; nothing shows that "
        "{name} chose that date, so it blames nobody: what was signed from there on is for the organizer to judge."
    )
    text = text.format(name=entry.key.name, until=entry.until)
    return Finding("roster.ended", "notice", 28, seq, None, None, text)


def _entry_of(entry: Entry | None, key: VerifierKey) -> Entry:
    """Return the entry of a key, which must be on the roster under its name. Raises Failure (step 28)."""
    if entry is None:
        text = N_("The key of {name} is nobody's on the roster: whoever plays here as {name} is not known.")
        raise Failure(28, "roster.unknown-key", text, name=key.name, actual=key)
    owner = entry.key.name
    if owner != key.name:
        text = N_("The key of {name} is {owner}'s on the roster: {owner} plays here under another name.")
        raise Failure(28, "roster.other-name", text, name=key.name, owner=owner, expected=owner, actual=key.name)
    return entry


def _check_opened(entry: Entry, opened: str) -> None:
    """Raise Failure (step 28) if the key did not count when the game was opened."""
    if not entry.counts(opened):
        text = N_(
            "The key of {name} did not count when this game was opened, says the roster: nobody vouches for who signed "
            "with it."
        )
        raise Failure(28, "roster.revoked", text, name=entry.key.name, expected=_when(entry), actual=opened)


def _revoked(entry: Entry, time: str) -> Failure:
    text = N_("{name} signed with a key that did not count at that time, says the roster: it was replaced or lost.")
    return Failure(28, "roster.revoked", text, name=entry.key.name, expected=_when(entry), actual=time)


def _when(entry: Entry) -> str:
    return f"{entry.since or '-'} … {entry.until or '-'}"
