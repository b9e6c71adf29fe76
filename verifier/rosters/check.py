"""Comparison of the keys of a log, or of evidence, with a roster (step 28 of specs/verification.md;
specs/roster.md).
"""

from rules import Event
from rules.data.language import N_, Translate
from verifier.errors import Failure, Finding
from verifier.log.identity import VerifierKey
from verifier.log.roster import Entry, Roster
from verifier.replay import Replay

__all__ = ["RosterCheck", "check_accused", "ended_notice"]


class RosterCheck:
    """The comparison for the verification of one log."""

    def __init__(self, roster: Roster) -> None:
        self._entries = roster.by_key()
        self._joined: dict[int, str] = {}
        """number of a `join` → its time"""
        self._opened = ""
        """the time of event 0"""
        self._before = ""
        """the time of the previous event"""
        self._crossed: dict[bytes, tuple[int, str]] = {}
        """public key → number and time of the event with it that is the log's first event after the key's end"""
        self._after: dict[bytes, tuple[int, str]] = {}
        """public key → number and time of the first event with it after others' events had reached the key's end"""
        self._first: dict[bytes, int] = {}
        """public key → number of the first event that was signed with it"""

    def note(self, event: Event, replay: Replay) -> None:
        """Record an event that was just replayed."""
        time, public = replay.time, replay.terms.keys[event.author].public_bytes
        if event.seq == 0:
            self._opened = time
        if event.type == "join":
            self._joined[event.seq] = time
        self._first.setdefault(public, event.seq)
        entry = self._entries.get(public)
        if entry is not None and entry.until is not None and time >= entry.until:
            (self._crossed if self._before < entry.until else self._after).setdefault(public, (event.seq, time))
        self._before = time

    def findings(self, replay: Replay, _: Translate) -> tuple[Finding, ...]:
        """Return at most one finding for each party, about the valid prefix only."""
        found = (self._of_party(name, replay, _) for name in replay.terms.keys)
        return tuple(finding for finding in found if finding is not None)

    def _of_party(self, name: str, replay: Replay, _: Translate) -> Finding | None:
        """Return the finding about a party's keys that stands first in the table of specs/roster.md."""
        terms, replaced = replay.terms, replay.conduct.replaced.items()
        if name in terms.late and name not in replay.session.parties.joined:
            return None
        named = [0, *(seq for seq, each in replaced if each.party == name)]
        keys = zip(terms.keys_of(name), named, strict=True)
        found = [(seq, self._finding(name, key, seq, replay, _)) for key, seq in keys]
        rows = [(_row(finding, seq), finding) for seq, finding in found if finding is not None]
        return min(rows, key=lambda row: row[0], default=(0, None))[1]

    def _finding(self, name: str, key: VerifierKey, named: int, replay: Replay, _: Translate) -> Finding | None:
        """Return the first finding about one key, which took its place with event `named` (0: the party's first)."""
        public = key.public_bytes
        try:
            entry = _entry_of(self._entries.get(public), key)
            _check_came(entry, self._joined.get(named, self._opened), new=named > 0)
        except Failure as failure:
            text, fault = failure.message(_), "file"
            if failure.code == "roster.other-name":
                fault = name
                if self._first.get(public, replay.size) >= replay.size:
                    fault = replay.terms.keeper  # the keeper wrote event 0, and the key's owner signed nothing
                    template = _(
                        "The key of {name} is {owner}'s on the roster. {owner} signed nothing here: {keeper} put it in."
                    )
                    text = template.format(name=name, owner=failure.expected, keeper=fault)
            return Finding(failure.code, "error", 28, named, fault, None, text, failure.expected, failure.actual)
        seq, time = self._crossed.get(public, (replay.size, ""))
        if seq < replay.size:
            revoked = _revoked(entry, time)
            stated = revoked.message(_), revoked.expected, revoked.actual
            return Finding(revoked.code, "error", 28, seq, name, None, *stated)
        seq, time = self._after.get(public, (replay.size, ""))
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
    _check_came(entry, opened)
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
        text = N_("The key of {name} is nobody's on the roster: nobody knows who plays here as {name}.")
        raise Failure(28, "roster.unknown-key", text, name=key.name, actual=key)
    owner = entry.key.name
    if owner != key.name:
        text = N_("The key of {name} is {owner}'s on the roster: {owner} plays here under another name.")
        raise Failure(28, "roster.other-name", text, name=key.name, owner=owner, expected=owner, actual=key.name)
    return entry


def _row(finding: Finding, came: int) -> int:
    """Return the number of the row of specs/roster.md for a finding about a key that came with event `came`."""
    codes = ("roster.unknown-key", "roster.other-name", "roster.revoked", "roster.ended")
    return 2 * codes.index(finding.code) + (finding.seq != came)


def _check_came(entry: Entry, time: str, *, new: bool = False) -> None:
    """Raise Failure (step 28) if the key did not count when it came into the game, at this time."""
    if not entry.counts(time):
        text = N_(
            "The key of {name} did not count when this game was opened, says the roster: nobody vouches for who signed "
            "with it."
        )
        if new:
            text = N_("The new key of {name} did not count when {name} joined with it, says the roster.")
        raise Failure(28, "roster.revoked", text, name=entry.key.name, expected=_when(entry), actual=time)


def _revoked(entry: Entry, time: str) -> Failure:
    text = N_("{name} signed with a key that did not count at that time, says the roster: it was replaced or lost.")
    return Failure(28, "roster.revoked", text, name=entry.key.name, expected=_when(entry), actual=time)


def _when(entry: Entry) -> str:
    return f"{entry.since or '-'} … {entry.until or '-'}"
