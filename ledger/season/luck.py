"""How unusual the dice of a season are (specs/luck.md, "A season as data")."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from ledger.errors import UsageError
from ledger.luck import MAX_KINDS_EACH, Dice, Tested, corrected, count_in, look_at_faces, look_at_sum, needs_extra
from verifier.language import Translate

if TYPE_CHECKING:
    from ledger.season import Season

__all__ = ["Ranked", "SeasonLuck", "season_luck", "sentence"]

Whose = Literal["player", "keeper", "all"]


class Ranked(Struct, frozen=True):
    """One test, and how often chance does as much among all tests."""

    whose: Whose
    """`player`: the dice that one player asked for; `keeper`: all dice of the games that one party kept"""
    test: Tested
    by_chance: float
    """tests with a p as small, or smaller, that are to be expected among this many of honest dice"""


class SeasonLuck(Struct, frozen=True):
    """What the dice of a season come to, by corrected p, then p."""

    games: int
    verdicts: dict[str, int]
    dice: int
    ranked: tuple[Ranked, ...]
    untested: int
    """dice of kinds beyond MAX_KINDS_EACH of one key"""
    rolls_without_dice: dict[str, int]
    """by how they ended"""
    struck: int
    """rolls that judges ruled void; their dice count"""


def season_luck(season: "Season") -> SeasonLuck:
    """Count and test all dice of a season. Raises UsageError where its files are not whole, or an extra is missing."""
    needs_extra("scipy", "stats")
    games = season.table("games", ("game", "root", "verdict", "dice", "keeper", "keeper_key", "parties"))
    verdicts = Counter(games["verdict"].to_pylist())
    held = games.filter([verdict == "holds" for verdict in games["verdict"].to_pylist()])
    dice = season.table("dice", ("root", "sides", "natural", "player_key", "keeper_key", "how", "ended_by_key"))
    _check_whole(season, held, dice)
    names = _names(held)
    found, untested = [], 0
    for whose, dice_of in _counted(dice):
        kinds: Counter[str] = Counter()
        for (key, by, sides), counted in sorted(dice_of.items(), key=lambda kind: -kind[1].number):
            kinds[by or key] += 1
            if kinds[by or key] > MAX_KINDS_EACH and whose != "all":
                untested += counted.number
                continue
            if sides < 2:
                continue
            who = None if whose == "all" else names[key]
            test = (
                look_at_sum(names[key], key, counted, names[by], by) if by else look_at_faces(who, key or None, counted)
            )
            found.append((whose, test))
    tests = corrected([test for _, test in found])
    ranked = [Ranked(whose, test, len(tests) * test.p) for (whose, _), test in zip(found, tests, strict=True)]
    ranked.sort(key=lambda one: (one.test.corrected, one.test.p, one.whose, one.test.player or "", one.test.sides))
    how = Counter(season.table("rolls", ("how",))["how"].to_pylist())
    struck = Counter(season.table("rulings", ("ruling",))["ruling"].to_pylist())["void"]
    without = {name: how[name] for name in ("void", "close") if how[name]}
    return SeasonLuck(held.num_rows, dict(verdicts), dice.num_rows, tuple(ranked), untested, without, struck)


def sentence(one: Ranked, count: int, _: Translate = str) -> str:
    """How often chance does as much, of `count` tests in all."""
    expected = f"{one.by_chance:.2g}" if one.by_chance < 10 else f"{one.by_chance:,.0f}"
    text = _("among {count} tests of honest dice about {expected} have a p as small as this")
    return text.format(count=f"{count:,}", expected=expected)


def _check_whole(season: "Season", held: "object", dice: "object") -> None:
    """Each game's dice are those that its row says, and there are no others."""
    counted = dice.group_by("root").aggregate([([], "count_all")])  # type: ignore[attr-defined]
    found = dict(zip(counted["root"].to_pylist(), counted["count_all"].to_pylist(), strict=True))
    told = held.select(["root", "dice"]).to_pydict()  # type: ignore[attr-defined]
    expected = {root: number for root, number in zip(told["root"], told["dice"], strict=True) if number}
    if found != expected:
        raise UsageError(
            f"{season.folder}: its tables are not of one piece (an export was stopped, or a file is gone); export the "
            "logs again"
        )


def _names(held: "object") -> Mapping[str, str]:
    """By public key, the first name that it had; with its first digits where several keys have that name."""
    first: dict[str, str] = {}
    for parties in held["parties"].to_pylist():  # type: ignore[index]
        for party in parties:
            first.setdefault(party["key"], party["name"])
    often = Counter(first.values())
    return {key: f"{name} ({key[:8]})" if often[name] > 1 else name for key, name in first.items()}


_Counts = dict[tuple[str, str, int], Dice]
"""by key, key of who called the rolls off or nothing, and sides"""


def _counted(dice: "object") -> Iterator[tuple[Whose, _Counts]]:
    """The dice of each player, apart from those called off; of each keeper; of all."""
    grouped = dice.group_by(["player_key", "keeper_key", "ended_by_key", "sides", "natural"])  # type: ignore[attr-defined]
    rows = grouped.aggregate([([], "count_all")]).to_pydict()
    players, keepers, everybody = _Counts(), _Counts(), _Counts()
    called_off = _Counts()
    keys: dict[int, set[str]] = defaultdict(set)
    columns = (rows[name] for name in ("player_key", "keeper_key", "ended_by_key", "sides", "natural", "count_all"))
    for player, keeper, by, sides, natural, count in zip(*columns, strict=True):
        if by:
            count_in(called_off, (player, by, sides), natural, count)
            continue
        count_in(players, (player, "", sides), natural, count)
        count_in(keepers, (keeper, "", sides), natural, count)
        count_in(everybody, ("", "", sides), natural, count)
        keys[sides].add(player)
    yield "player", players
    yield "player", called_off
    yield "keeper", keepers
    yield "all", {kind: counted for kind, counted in everybody.items() if len(keys[kind[2]]) > 1}
