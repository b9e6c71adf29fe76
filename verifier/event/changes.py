"""Changes that judges and others made at a table, as an event's report has them (specs/event.md, "Verification")."""

from collections.abc import Mapping
from typing import Any

from rules.data.language import N_, Listed, Message
from verifier.log.conduct import TableChange

__all__ = ["change_in_json", "change_words"]


def change_in_json(change: TableChange) -> dict[str, Any]:
    """Return a change as a report has it, without the members that it does not have."""
    found = {name: getattr(change, name) for name in change.__struct_fields__}
    if change.results is not None:
        found["results"] = [{"die": die, "result": result} for die, result in change.results]
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in found.items() if value is not None
    }


def change_words(change: Mapping[str, Any]) -> Message:
    """Return a change of a report in words, which go on where the names of `by` end."""
    what = change["what"]
    text = _WORDS["declared" if "declared" in change else what]
    if what == "off" and not change["missing"]:
        text = N_("called off the roll of event {roll} before its dice were shown")
    if what == "replaced" and change["by"] == [change["party"]]:
        text = N_("goes on under a new key, by the recovery key")
    dice = (Message("die {die}: {result}", **one) for one in change.get("results", ()))
    return Message(text, **{**change, "results": Listed(dice), "missing": Listed(change.get("missing", ()))})


_WORDS = {
    "void": N_("ruled the roll of event {roll} void. Why: {text}"),
    "declared": N_("ruled void what was declared in event {declared}. Why: {text}"),
    "set": N_("set results of the roll of event {roll}: {results}. Why: {text}"),
    "off": N_("called off the roll of event {roll} before its dice were shown, and named as missing: {missing}"),
    "taken-back": N_("took back the roll of event {roll} after its dice were shown"),
    "replaced": N_("gave {party} a new key: {party} may be somebody else now"),
    "removed": N_("took {party} out of the game"),
    "away": N_("signed {party} away"),
}
