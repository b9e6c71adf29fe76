"""An event's page: rounds, results, corrections and their reasons, and the record in words (specs/event.md)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ledger.report import environment
from rules.data.language import N_, Translate
from verifier.event.changes import change_words
from verifier.event.story import Story, StoryLine, result_words
from verifier.language import join_names
from verifier.report import Report

__all__ = ["MAX_STORY", "render_event", "tell_event"]

MAX_STORY = 20_000
"""lines of the record that the page has in words"""

_CORRECTIONS = ("correct-pairing", "correct-result", "correct-penalty", "correct-drop", "correct-key")
_PENALTIES = ("penalty", "correct-penalty")
_CALLS = ("call", "answer", "appeal", "extend", "pause")
_LINES = (N_("line"), N_("time (UTC)"), N_("who"), N_("what"))
_TABLES = (N_("table"), N_("players"), N_("result"), N_("set by"), N_("game"), N_("remarks"))
_GAMES = (N_("round"), N_("table"), N_("game"), N_("verdict"), N_("events"), N_("remarks"))
_CHANGES = (N_("round"), N_("table"), N_("event"), N_("who"), N_("what"))
_STAFF = (N_("name"), N_("role"), N_("from line"), N_("to line"))


class _PageSection(Struct, frozen=True):
    """A section of the page with one table."""

    id: str
    heading: str
    caption: str
    columns: list[str]
    rows: list[tuple[object, ...]]
    left_out: int = 0


class _PageRound(Struct, frozen=True):
    """A round of the page."""

    number: int
    caption: str
    byes: str
    rows: list[tuple[object, ...]]


def tell_event(report: Report, lines: Iterable[bytes], names: Mapping[int, str]) -> list[StoryLine]:
    """Return the lines that hold of a verified record in words; `lines` may be more."""
    story = Story(names)
    return [story.tell(line, trusted=True) for _, line in zip(range(report.valid_prefix), lines, strict=False)]


def render_event(
    report: Report, story: Sequence[StoryLine], names: Mapping[int, str], language: str, _: Translate = str
) -> str:
    """Return the page, HTML. Raises MissingError without jinja2."""
    state = report.state or {}
    page = _EventPage(state, story, names, _)
    return (
        environment(_)
        .get_template("event.html")
        .render(
            report=report,
            language=language,
            title=state.get("title", report.file),
            overview=page.overview() if state else "",
            named=bool(names),
            rounds=[page.round(each) for each in state.get("rounds", ())],
            round_columns=[_(column) for column in _TABLES],
            parts=list(page.parts()) if state else [],
        )
    )


class _EventPage:
    """The parts of the page, in a language."""

    def __init__(
        self, state: Mapping[str, Any], story: Sequence[StoryLine], names: Mapping[int, str], translate: Translate
    ) -> None:
        self._state, self._story, self._names, self._translate = state, story, names, translate
        self._verdicts = {game["game"]: game["verdict"] for game in state.get("games", ())}

    def overview(self) -> str:
        """Return a sentence about system, keeper and players."""
        _ = self._translate
        text = _(
            "{system}, kept by {keeper}. Players: {registered} registered, {present} here at the end, {dropped} "
            "dropped. Rounds: {rounds}."
        )
        players = self._state["players"]
        return text.format(
            system=self._state["system"],
            keeper=self._state["keeper"],
            registered=players["registered"],
            present=players["in"],
            dropped=players["dropped"],
            rounds=len(self._state["rounds"]),
        )

    def _player(self, number: int) -> str:
        name = self._names.get(number)
        return str(number) if name is None else f"{name} ({number})"

    def _players(self, numbers: Iterable[int], between: str) -> str:
        return between.join(map(self._player, numbers))

    def round(self, round_: Mapping[str, Any]) -> _PageRound:
        """Return a round with a row for each of its tables."""
        _ = self._translate
        number, byes = round_["round"], self._players(round_["byes"], ", ")
        caption = _("Round {round}: {state}").format(round=number, state=_(_STATES[round_["state"]]))
        if round_.get("paused"):
            caption += " " + _("(its clock stopped for {minutes} minutes)").format(minutes=round_["paused"])
        rows = [self._table(each) for each in round_["tables"]]
        return _PageRound(number, caption, _("Bye: {players}").format(players=byes) if byes else "", rows)

    def _table(self, table: Mapping[str, Any]) -> tuple[object, ...]:
        _ = self._translate
        sides = " : ".join(self._players(side, " + ") for side in table["sides"])
        result = " : ".join(result_words(side).message(_) for side in table.get("result", ()))
        by = table.get("by")
        if by is not None and by.startswith("p") and by[1:].isdigit():
            by = _("the players")
        game = table.get("game")
        verdict = None if game is None else self._verdicts.get(game)
        told = "–" if game is None else f"{game[:12]} {'' if verdict is None else _(verdict)}".strip()
        return table["table"], sides, result or "–", by or "–", told, "; ".join(self._remarks(table)) or "–"

    def _remarks(self, table: Mapping[str, Any]) -> Iterable[str]:
        _ = self._translate
        if "by_hand" in table:
            yield _("dice by hand, without proof: {text}").format(text=table["by_hand"])
        if "extended" in table:
            yield _("{minutes} minutes more").format(minutes=table["extended"])
        if "left" in table:
            yield _("without a result at the end of the round: {text}").format(text=table["left"])

    def parts(self) -> Iterable[_PageSection]:
        """Yield the sections behind the rounds."""
        _ = self._translate
        if "games" in self._state:
            yield self._changes()
        yield self._told("corrections", _("What was corrected, and why"), _CORRECTIONS)
        yield self._told("penalties", _("Penalties"), _PENALTIES)
        yield self._told("calls", _("Calls of judges, and more time"), _CALLS)
        yield self._told("by-hand", _("Tables with dice by hand"), ("by-hand",))
        staff = [
            (each["name"], _(_ROLES[each["role"]]), each["since"], each.get("until", "–"))
            for each in self._state["staff"]
        ]
        yield _PageSection(
            "staff",
            _("Organizers and judges"),
            _("Lines: {count}").format(count=len(staff)),
            *self._rows(_STAFF, staff),
        )
        if "games" in self._state:
            yield self._games()
        yield self._told("record", _("The record, line by line"), ())

    def _rows(
        self, columns: Sequence[str], rows: Sequence[tuple[object, ...]]
    ) -> tuple[list[str], list[tuple[object, ...]]]:
        return [self._translate(column) for column in columns], list(rows)

    def _games(self) -> _PageSection:
        _ = self._translate
        rows = [
            (
                g["round"],
                g["table"],
                g["game"][:12],
                _(g["verdict"]),
                g["events"],
                _("cancelled") if g["cancelled"] else "–",
            )
            for g in self._state["games"]
        ]
        holding = sum(game["verdict"] == "holds" for game in self._state["games"])
        caption = _("Games: {count}; of these hold: {holding}").format(count=len(rows), holding=holding)
        return _PageSection("games", _("Games"), caption, *self._rows(_GAMES, rows))

    def _changes(self) -> _PageSection:
        """Return what judges and others changed at the tables."""
        _ = self._translate
        rows: list[tuple[object, ...]] = [
            (g["round"], g["table"], each["event"], join_names(each["by"], _), change_words(each).message(_))
            for g in sorted(self._state["games"], key=lambda g: (g["round"], g["table"]))
            for each in g.get("changes", ())
        ]
        caption = _("Changes: {count}").format(count=len(rows))
        return _PageSection(
            "changes", _("What judges and others changed at tables"), caption, *self._rows(_CHANGES, rows)
        )

    def _told(self, id_: str, heading: str, types: Sequence[str]) -> _PageSection:
        """Return lines of the record in words: those of these types, or all."""
        _ = self._translate
        found = [each for each in self._story if not types or each.type in types]
        rows: list[tuple[object, ...]] = [
            (
                each.line,
                each.time[:19].replace("T", " "),
                each.by if isinstance(each.by, str) else each.by.message(_),
                each.what.message(_),
            )
            for each in found[:MAX_STORY]
        ]
        caption = _("Lines: {count}").format(count=len(found))
        return _PageSection(id_, heading, caption, *self._rows(_LINES, rows), len(found) - len(rows))


_STATES = {"pairing": N_("is being paired"), "running": N_("runs"), "ended": N_("has ended")}
_ROLES = {"organizer": N_("organizer"), "head": N_("head judge"), "judge": N_("judge")}
