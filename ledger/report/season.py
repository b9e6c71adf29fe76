"""A season's page: what an organizer of many games looks at (specs/luck.md, "A season as data")."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from ledger.analysis.luck import caveats_of_many
from ledger.report import environment
from ledger.season.luck import COLUMNS, SeasonLuck, row_of, season_luck, totals
from rules.data.language import N_, Translate
from verifier.log.succession import NOBODY, Followed

if TYPE_CHECKING:
    from ledger.season import Season

__all__ = ["MAX_LISTED", "MAX_OTHERS", "render_season"]

MAX_LISTED = 500
"""tests on the page, those with the smallest p"""
MAX_OTHERS = 100
"""logs that do not hold, by name"""

_EVENTS = (
    *(N_("event"), N_("first day"), N_("last day"), N_("games"), N_("rolls"), N_("dice"), N_("rulings")),
    N_("logs that do not hold"),
)
_OTHERS = (N_("log"), N_("verdict"), N_("first finding"), N_("events that hold"))


def render_season(
    season: "Season", language: str, _: Translate = str, followed: Followed = NOBODY
) -> tuple[str, SeasonLuck]:
    """Return the page, HTML, and the luck on it. Raises what `season_luck` raises; MissingError without jinja2."""
    template = environment(_).get_template("season.html")
    luck = season_luck(season, followed)
    names = ("event", "day", "file", "verdict", "error", "valid_prefix", "rolls", "dice", "rulings")
    logs = season.table("games", names).to_pylist()
    others = sorted((log for log in logs if log["verdict"] != "holds"), key=lambda log: str(log["file"]))
    rulings = Counter(season.table("rulings", ("ruling",))["ruling"].to_pylist())
    page = template.render(
        language=language,
        totals=totals(luck, _),
        event_columns=[_(name) for name in _EVENTS],
        events=_events(logs),
        without=_counts(luck.rolls_without_dice, _),
        rulings=_counts(rulings, _),
        other_columns=[_(name) for name in _OTHERS],
        others=[
            (log["file"], _(log["verdict"]), log["error"] or "–", log["valid_prefix"]) for log in others[:MAX_OTHERS]
        ],
        others_count=len(others),
        notes=caveats_of_many(len(luck.ranked), luck.untested, _),
        test_columns=[_(name) for name in COLUMNS],
        tests=[row_of(one, _) for one in luck.ranked[:MAX_LISTED]],
        tests_count=len(luck.ranked),
    )
    return page, luck


def _counts(counts: dict[str, int], _: Translate) -> str:
    return ", ".join(f"{_(name)} {count:,}" for name, count in sorted(counts.items()))


def _events(logs: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Return a row for each event, by its first day."""
    found: dict[str, list[dict[str, Any]]] = {}
    for log in logs:
        found.setdefault(str(log["event"]), []).append(log)
    rows = []
    for name, those in found.items():
        days = sorted(log["day"] for log in those if log["day"] is not None) or ["–"]
        held = [log for log in those if log["verdict"] == "holds"]
        sums = (sum(log[count] for log in held) for count in ("rolls", "dice", "rulings"))
        numbers = (len(held), *sums, len(those) - len(held))
        rows.append((name, days[0], days[-1], *(f"{number:,}" for number in numbers)))
    return sorted(rows, key=lambda row: (row[1], row[0]))
