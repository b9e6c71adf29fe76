"""A page to file: what was verified, every roll, luck; one file, no network, no scripts (`rollproof report`).

Needs jinja2, the extra `report`; luck needs the extra `stats` and is left out without it. All that a log or a file name
brings is escaped by the template engine.
"""

import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ledger.analysis.luck import LuckTally, caveats, sentence, whose
from ledger.analysis.significance import Tested
from ledger.distribution.optional_dependencies import needs_extra, requirements
from rules import Session
from rules.data.language import Translate
from rules.data.text import full_name, plain
from rules.records import RollRecord
from verifier import Replay, Report
from verifier.shell.display import VOIDED_COLUMNS, roll_text, voided_row

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["MAX_SECTIONS", "Game", "environment", "make_game", "render_page"]

MAX_SECTIONS = 100
"""games that are shown roll by roll; of more only those that do not hold; the overview has all"""


class Roll(Struct, frozen=True):
    """A roll of the timeline."""

    number: int
    time: str
    player: str
    source: str
    status: str
    text: str
    """dice as users know them: `2d20 (~~4~~, 17) = 17`"""
    naturals: str
    not_counted: str
    """what was replaced or does not count, in words"""
    steps: tuple[tuple[str, str], ...]
    """clause and what it means here"""


class Game(Struct, frozen=True):
    """A log and the report on it."""

    report: Report
    title: str
    system: str
    parties: tuple[tuple[str, str, str], ...]
    """what each is called with the name of its key, role, key"""
    rolls: tuple[Roll, ...]
    dropped: int
    """older rolls that the state does not keep"""
    rulings: tuple[Mapping[str, Any], ...]
    voided: tuple[tuple[int, str, str, str, str], ...] = ()
    """requests that ended without dice, the latest HISTORY, as `verifier.shell.display.voided_row` tells them"""


def make_game(report: Report, replay: Replay | None, lines: Iterable[bytes], _: Translate = str) -> Game:
    """Return what a page shows of a verified log; `lines` are those of its valid prefix."""
    if replay is None or not replay.size:
        return Game(report, "", "", (), (), 0, ())
    session, terms = replay.session, replay.terms
    settled, opened = session.system.rolls(session.game)
    kept = sorted((*settled, *opened), key=lambda roll: roll.roll)
    times, dropped = _look_up(lines, {roll.roll for roll in kept})
    rolls = tuple(_roll(roll, times.get(roll.roll, ""), session, terms.called, _) for roll in kept)
    parties = tuple(
        (full_name(name, terms.called.get(name)), terms.roles[name], str(key)) for name, key in terms.keys.items()
    )
    rulings = tuple(
        {**ruling, "judge": terms.called.get(ruling["judge"], ruling["judge"])} for ruling in session.view()["rulings"]
    )
    voided = tuple(voided_row(roll, replay, _) for roll in replay.voided)
    return Game(report, terms.title, terms.system, parties, rolls, dropped, rulings, voided)


def _look_up(lines: Iterable[bytes], kept: set[int]) -> tuple[dict[int, str], int]:
    """Return the signing times of these rolls' requests, and the number of requests that led to none of them."""
    import msgspec

    times, dropped = {}, 0
    for number, line in enumerate(lines):
        event = msgspec.json.decode(line)
        if number in kept:
            times[number] = str(event["time"])
        elif event["type"] == "roll":
            dropped += 1
    return times, dropped


def _roll(roll: RollRecord, time: str, session: Session, called: Mapping[str, str], _: Translate) -> Roll:
    told = session.system.explain(session.game, roll.roll)
    return Roll(
        number=roll.roll,
        time=time[:19].replace("T", " "),
        player=called.get(roll.player, roll.player),
        source=roll.source,
        status=_(roll.status),
        text=roll_text(roll, session.system, _),
        naturals=", ".join(" → ".join(map(str, die.naturals)) for die in roll.dice),
        not_counted="; ".join(_not_counted(roll, _)),
        steps=tuple((step.clause or "", step.message(_)) for step in told),
    )


def _not_counted(roll: RollRecord, _: Translate) -> Iterator[str]:
    replaced = [f"{die.die}" for die in roll.dice if len(die.naturals) > 1]
    ignored = [f"{die.die}" for die in roll.dice if die.status == "ignored"]
    if replaced:
        yield _("rolled again: die {dice}").format(dice=", ".join(replaced))
    if ignored:
        yield _("not counted: die {dice}").format(dice=", ".join(ignored))


def environment(_: Translate) -> "Environment":
    """Return the environment of the templates here, which escapes all text. Raises MissingError without jinja2."""
    needs_extra("jinja2", extra="report")
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["plain"] = plain
    made.globals["_"] = _
    return made


def render_page(
    games: Sequence[Game], tally: LuckTally, remarks: Sequence[str], language: str, _: Translate = str
) -> str:
    """Return the page, HTML. `remarks`: on forks and what could not be opened. Raises UsageError without jinja2."""
    told = [number for number, game in enumerate(games) if len(games) <= MAX_SECTIONS or game.report.exit_code]
    luck = tally.luck() if importlib.util.find_spec("scipy") else None
    return (
        environment(_)
        .get_template("page.html")
        .render(
            games=games,
            told=told[:MAX_SECTIONS],
            remarks=remarks,
            language=language,
            luck=luck,
            tests=[_told_test(test, _) for test in luck.tests] if luck else [],
            notes=caveats(luck, _) if luck else [],
            needed=requirements("stats"),
            voided_columns=[_(column) for column in VOIDED_COLUMNS],
        )
    )


def _told_test(test: Tested, _: Translate) -> dict[str, Any]:
    """Return a test with the geometry of its drawing: a bar for each bin in a field of 100 by 40, y downwards."""
    most = max([1.0, *(b.count for b in test.bins), *(b.expected for b in test.bins)])
    width = 100 / len(test.bins)
    bars = [(n * width, 40 - 38 * b.count / most, width * 0.8, 38 * b.count / most) for n, b in enumerate(test.bins)]
    marks = [(n * width, n * width + width * 0.8, 40 - 38 * b.expected / most) for n, b in enumerate(test.bins)]
    faces = ", ".join(f"{b.low if b.low == b.high else f'{b.low}–{b.high}'}: {b.count}" for b in test.bins)
    return {
        "who": whose(test, _),
        "test": test,
        "sentence": sentence(test, _),
        "faces": faces,
        "bars": bars,
        "marks": marks,
    }
