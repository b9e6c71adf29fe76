"""Statistical tests of the dice of a season (specs/luck.md, "A season as data")."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from ledger.analysis.luck import MAX_KINDS_EACH, whose
from ledger.analysis.significance import FINE, DiceCounts, Tested, count_in, holm_corrected, look_at_faces, look_at_sum
from ledger.distribution.optional_dependencies import needs_extra
from ledger.errors import UsageError
from rules.data.language import N_, Translate
from rules.data.text import full_name
from verifier.log.succession import NOBODY, Followed
from verifier.report import VERDICT_EXIT_CODES

if TYPE_CHECKING:
    from pyarrow import Table

    from ledger.season import Season

__all__ = ["COLUMNS", "Ranked", "SeasonLuck", "row_of", "season_luck", "sentence", "totals"]

COLUMNS = (N_("who"), N_("as"), N_("die"), N_("dice"), N_("p"), N_("corrected"), N_("by chance"))
"""the columns of a table of tests"""
ROLLED = ("roll", "reveal")
"""the type of a request, and what ended it, of dice that were rolled for the first time"""
Whose = Literal["player", "keeper", "all"]


class Ranked(Struct, frozen=True):
    """One test, and how many tests would have a p as small by chance."""

    whose: Whose
    """`player`: the dice that one player asked for; `keeper`: all dice of the games that one party kept"""
    test: Tested
    by_chance: float
    """the expected number of tests with a p as small or smaller, if all dice are honest"""


class SeasonLuck(Struct, frozen=True):
    """The tests of the dice of a season, sorted by corrected p, then by p."""

    games: int
    verdicts: dict[str, int]
    dice: int
    ranked: tuple[Ranked, ...]
    untested: int
    """dice of kinds beyond MAX_KINDS_EACH of one key"""
    rolls_without_dice: dict[str, int]
    """numbers of rolls, by the type of event that ended them"""
    struck: int
    """rolls that judges ruled void; their dice are counted"""
    taken_back: int
    """rolls that all who played took back; their dice are counted"""
    secret: int
    """secret rolls; their dice are not counted"""
    without: int
    """rolls made without a party that has not accepted them; their dice are not counted"""

    @property
    def exit_code(self) -> int:
        """The exit code of verifying the season's logs: that of the worst verdict."""
        return max((VERDICT_EXIT_CODES[verdict] for verdict in self.verdicts), default=0)


def season_luck(season: "Season", followed: Followed = NOBODY) -> SeasonLuck:
    """Count and test all dice of a season. Dice of a key and of its successors are counted together.

    Raises UsageError if the files are incomplete or an extra is missing.
    """
    needs_extra("scipy", extra="stats")
    games = season.table("games", ("game", "root", "verdict", "dice", "keeper", "keeper_key", "parties"))
    verdicts = Counter(games["verdict"].to_pylist())
    held = games.filter([verdict == "holds" for verdict in games["verdict"].to_pylist()])
    dice = season.table("dice", ("root", "sides", "natural", "player_key", "keeper_key", "how", "ended_by_key"))
    _check_whole(season, held, dice)
    dice = _as_followed(dice, followed)
    names = _names(held, followed)
    found, untested = [], 0
    for role, dice_of in _counted(dice):
        kinds: Counter[str] = Counter()
        for (key, by, sides), counted in sorted(dice_of.items(), key=lambda kind: -kind[1].number):
            kinds[by or key] += 1
            if kinds[by or key] > MAX_KINDS_EACH and role != "all":
                untested += counted.number
                continue
            if sides < 2:
                continue
            who = None if role == "all" else names[key]
            test = (
                look_at_sum(names[key], key, counted, names[by], by) if by else look_at_faces(who, key or None, counted)
            )
            found.append((role, test))
    tests = holm_corrected([test for _, test in found])
    ranked = [Ranked(role, test, len(tests) * test.p) for (role, _), test in zip(found, tests, strict=True)]
    ranked.sort(key=lambda one: (one.test.corrected, one.test.p, one.whose, one.test.player or "", one.test.sides))
    rolls = season.table("rolls", ("game", "request", "type", "how", "body", "without", "taken_back"))
    how = Counter(rolls["how"].to_pylist())
    secret = sum('"sealed":' in body for body in rolls["body"].to_pylist())
    struck = _struck(season, rolls)
    no_dice = {name: how[name] for name in ("void", "close") if how[name]}
    without = sum(bool(names) for names in rolls["without"].to_pylist())
    ended = (no_dice, struck, sum(rolls["taken_back"].to_pylist()), secret, without)
    return SeasonLuck(held.num_rows, dict(verdicts), dice.num_rows, tuple(ranked), untested, *ended)


def _struck(season: "Season", rolls: "Table") -> int:
    """Return the number of revealed rolls that a judge ruled void (specs/verification.md, "Rulings with an effect")."""
    columns = (rolls[name].to_pylist() for name in ("game", "request", "type", "how"))
    revealed = {(game, request) for game, request, kind, how in zip(*columns, strict=True) if (kind, how) == ROLLED}
    rulings = season.table("rulings", ("game", "ruling", "subject"))
    ruled = zip(*(rulings[name].to_pylist() for name in ("game", "ruling", "subject")), strict=True)
    return len(revealed & {(game, subject) for game, ruling, subject in ruled if ruling == "void"})


def sentence(one: Ranked, count: int, _: Translate = str) -> str:
    """Return a sentence that says how many of `count` tests would have a p as small by chance."""
    expected = f"{one.by_chance:.2g}" if one.by_chance < 10 else f"{one.by_chance:,.0f}"
    text = _("among {count} tests of honest dice about {expected} have a p as small as this")
    return text.format(count=f"{count:,}", expected=expected)


def totals(luck: SeasonLuck, _: Translate = str) -> str:
    """Return a sentence with the numbers of games, dice and logs."""
    verdicts = ", ".join(f"{_(verdict)} {number:,}" for verdict, number in sorted(luck.verdicts.items()))
    text = _("Games: {games}. Dice: {dice}. Logs: {verdicts}.")
    summary = text.format(games=f"{luck.games:,}", dice=f"{luck.dice:,}", verdicts=verdicts)
    if luck.taken_back:
        text = _("Rolls that all who played took back, whose dice are counted: {count}.")
        summary += _(" ") + text.format(count=f"{luck.taken_back:,}")
    if luck.secret:
        text = _("Secret rolls, whose dice are not counted: {count}.")
        summary += _(" ") + text.format(count=f"{luck.secret:,}")
    if luck.without:
        text = _("Rolls made without somebody who has not accepted them, whose dice are not counted: {count}.")
        summary += _(" ") + text.format(count=f"{luck.without:,}")
    return summary


def row_of(one: Ranked, _: Translate = str) -> tuple[str, ...]:
    """Return a test as a row of COLUMNS."""
    test, role = one.test, {"player": _("player"), "keeper": _("keeper"), "all": _("all")}[one.whose]
    figures = (f"{number:.3g}" for number in (test.p, test.corrected, one.by_chance))
    return whose(test, _), role, f"d{test.sides}", str(test.dice), *figures


def _check_whole(season: "Season", held: "Table", dice: "Table") -> None:
    """Raise UsageError unless each game has the dice that its row states, and there are no others."""
    counted = dice.group_by("root").aggregate([([], "count_all")])
    found = dict(zip(counted["root"].to_pylist(), counted["count_all"].to_pylist(), strict=True))
    stated = held.select(["root", "dice"]).to_pydict()
    expected = {root: number for root, number in zip(stated["root"], stated["dice"], strict=True) if number}
    if found != expected:
        raise UsageError(
            f"{season.folder.place}: its tables are not of one piece (an export was stopped, or a file is gone); "
            "export the logs again"
        )


def _as_followed(dice: "Table", followed: Followed) -> "Table":
    """Return the dice with each key replaced by the newest key that succeeds it."""
    if not followed.newest or not dice.num_rows:
        return dice
    import pyarrow as pa

    for name in ("player_key", "keeper_key", "ended_by_key"):
        column = dice[name].combine_chunks()
        newest = [None if key is None else followed.of(key) for key in column.dictionary.to_pylist()]
        followed_column = pa.array(newest, pa.string()).take(column.indices).dictionary_encode()
        dice = dice.set_column(dice.column_names.index(name), name, followed_column)
    return dice


def _names(held: "Table", followed: Followed) -> Mapping[str, str]:
    """Return names by public key: the first name that the key had, and the name it was called by.

    Where several keys have the same first name, the first digits of the key follow.
    """
    first: dict[str, str] = {}
    called: dict[str, str | None] = {}
    for parties in held["parties"].to_pylist():
        for party in parties:
            key = followed.of(party["key"])
            first.setdefault(key, party["name"])
            called[key] = called.get(key) or party["called"]
    often = Counter(first.values())
    full = {key: full_name(name, called[key]) for key, name in first.items()}
    return {key: f"{full[key]} ({key[:8]})" if often[name] > 1 else full[key] for key, name in first.items()}


_Counts = dict[tuple[str, str, int], DiceCounts]
"""by key, key of the party that called the rolls off ("" if nobody did), and sides"""


def _counted(dice: "Table") -> Iterator[tuple[Whose, _Counts]]:
    """Yield the dice of each player, and apart from them those called off; then of each keeper; then of all."""
    import pyarrow.compute as pc

    off = pc.is_valid(dice["ended_by_key"])
    revealed, called_off = dice.filter(pc.invert(off)), dice.filter(off)
    players = _grouped(revealed, "player_key", None)
    yield "player", players
    yield "player", _grouped(called_off, "player_key", "ended_by_key")
    yield "keeper", _grouped(revealed, "keeper_key", None)
    several = Counter(sides for _, _, sides in players)
    everybody = _grouped(revealed, None, None)
    yield "all", {kind: counted for kind, counted in everybody.items() if several[kind[2]] > 1}


def _grouped(dice: "Table", key: str | None, by: str | None) -> _Counts:
    """Return counts by up to two keys and sides.

    The table is sorted by kind, so that the rows of a kind can be cut out of it in one piece.
    """
    import numpy as np

    names = [name for name in (key, by) if name is not None]
    rows = dice.group_by([*names, "sides", "natural"]).aggregate([([], "count_all")])
    if not rows.num_rows:
        return {}
    texts = [rows[name].combine_chunks() for name in names]
    codes = [column.indices.to_numpy() for column in texts]
    sides, naturals = rows["sides"].to_numpy(), rows["natural"].to_numpy()
    order = np.lexsort((sides, *codes))
    ends = np.zeros(rows.num_rows, bool)
    ends[-1] = True
    for column in (sides, *codes):
        ends[:-1] |= column[order][1:] != column[order][:-1]
    values, counts = naturals[order].tolist(), rows["count_all"].to_numpy()[order].tolist()
    found, start = _Counts(), 0
    for last in np.flatnonzero(ends).tolist():
        row, stop = int(order[last]), last + 1
        who = [column.dictionary[int(code[row])].as_py() for column, code in zip(texts, codes, strict=True)]
        n = int(sides[row])
        kind = (who[0] if key else "", who[1] if by else "", n)
        if n <= FINE:
            zipped = zip(values[start:stop], counts[start:stop], strict=True)
            found[kind] = DiceCounts(n, n, Counter({natural - 1: count for natural, count in zipped}))
        else:
            for natural, count in zip(values[start:stop], counts[start:stop], strict=True):
                count_in(found, kind, natural, count)
        start = stop
    return found
