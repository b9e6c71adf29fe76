"""Magic on the command line: options to bodies (specs/mtg.md, "Bodies"). Its words are in ledger.cli.magic_words.

Each function of BODIES has the options of one event as its keyword-only parameters and returns the body's members.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ledger.cli.magic_words import due, next_command, roll_notes, sections, summarize
from ledger.cli.place import Place, numbers, present, split_amount
from ledger.errors import UsageError

__all__ = ["BODIES", "EXAMPLES", "NAME", "due", "next_command", "roll_notes", "sections", "summarize"]

NAME = "Magic"

_Again = Literal[True, "may"]
_AGAIN: Mapping[_Again, str] = {True: "Roll again.", "may": "You may roll again."}

# --- options that several events have ------------------------------------------------------------------------------

_Roll = Annotated[int | None, typer.Argument(metavar="ROLL", min=1, help="Number of the roll; default: the open one.")]
_Source = Annotated[str | None, typer.Option(metavar="TEXT", help="The card or ability that instructs the roll.")]
_Effect = Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of the effect (see `rollproof state`).")]
_Dice = Annotated[
    str | None, typer.Option(metavar="N,N", help="Numbers of the dice, from 1; default: all it applies to.")
]
_Paid = Annotated[bool, typer.Option("--paid", help="The effect's cost was paid.")]
_Mana = Annotated[
    list[str] | None,
    typer.Option(metavar="TEXT", help="A mana ability activated before paying a mana cost; repeatable."),
]
_NoMana = Annotated[bool, typer.Option("--no-mana", help="The chance to activate mana abilities was passed up.")]
_Add = Annotated[
    list[str] | None,
    typer.Option(metavar="N[=TEXT]", help="A modifier in the instruction, +2 or -1=Card; repeatable."),
]
_Lowest = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[N=]TEXT",
        help="A source that has you roll one more die and ignore the lowest; repeatable. "
        "2=TEXT: two more, two ignored; 0=TEXT: none more, one ignored.",
    ),
]
_Highest = Annotated[
    list[str] | None, typer.Option(metavar="[N=]TEXT", help="The same, and ignore the highest; repeatable.")
]
_Any = Annotated[list[str] | None, typer.Option(metavar="[N=]TEXT", help="The same, and ignore any; repeatable.")]
_Permanent = Annotated[str | None, typer.Option(metavar="ID", help="The permanent that stores results.")]


def options(
    *, planechase: Annotated[bool, typer.Option("--planechase", help="Magic: the planar die may be rolled.")] = False
) -> dict[str, Any]:
    return {"planechase": planechase}


# --- requests ------------------------------------------------------------------------------------------------------


def roll(
    place: Place,
    *,
    dice: Annotated[
        str | None, typer.Argument(metavar="DICE", help="d20, 2d6, 2d6+1d8; in Magic also planar. Not with --again.")
    ] = None,
    source: _Source = None,
    use: Annotated[str | None, typer.Option(metavar="TEXT", help="How the results are used, without a table.")] = None,
    add: _Add = None,
    row: Annotated[
        list[str] | None, typer.Option(metavar="RANGE=EFFECT", help="A row of the results table; repeatable.")
    ] = None,
    row_again: Annotated[
        list[str] | None, typer.Option(metavar="RANGE=EFFECT", help="A row that says “Roll again.”")
    ] = None,
    row_may_again: Annotated[
        list[str] | None, typer.Option(metavar="RANGE=EFFECT", help="A row that says “You may roll again.”")
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="A results table, one row a line: RANGE | EFFECT."),
    ] = None,
    allow_gaps: Annotated[
        bool, typer.Option("--allow-gaps", help="The table has gaps: a result there does nothing.")
    ] = False,
    ignore_lowest: _Lowest = None,
    ignore_highest: _Highest = None,
    ignore_any: _Any = None,
    doubles: Annotated[str | None, typer.Option(metavar="TEXT", help="What happens on doubles.")] = None,
    store: Annotated[
        str | None, typer.Option(metavar="ID", help="The permanent that the results are stored on.")
    ] = None,
    again: Annotated[
        int | None, typer.Option(metavar="ROLL", min=1, help="The roll whose table said “Roll again.”")
    ] = None,
) -> dict[str, Any]:
    if again is not None and source is None:
        first = place.settled(again)
        source = first.source if first else None
    if source is None:
        raise UsageError("say what instructs this roll: --source 'Name of the card or ability'")
    rows = _table(row, row_again, row_may_again, table, allow_gaps)
    place.notes.extend(f"row {told['range']} says “{_AGAIN[told['again']]}”" for told in rows if "again" in told)
    return present(
        source=source,
        dice=dice,
        modifiers=_modifiers(add, source),
        ignores=_ignores(ignore_lowest, ignore_highest, ignore_any),
        table=rows,
        use=use,
        doubles=doubles,
        store=store,
        again=again,
    )


def reroll(
    place: Place,
    *,
    roll: _Roll = None,
    effect: _Effect = None,
    dice: _Dice = None,
    paid: _Paid = False,
    mana: _Mana = None,
    no_mana: _NoMana = False,
    permanent: _Permanent = None,
    stored: Annotated[
        str | None, typer.Option(metavar="N,N", help="Numbers of the stored results that are rerolled.")
    ] = None,
    source: _Source = None,
    by: Annotated[
        str | None, typer.Option(metavar="ID", help="The permanent whose ability says so, if it is another.")
    ] = None,
    add: _Add = None,
    ignore_lowest: _Lowest = None,
    ignore_highest: _Highest = None,
    ignore_any: _Any = None,
) -> dict[str, Any]:
    if permanent is not None:
        if source is None or stored is None:
            raise UsageError("a reroll of stored results needs --stored 1,3 and --source 'Name of the card'")
        return present(
            permanent=permanent,
            stored=numbers(stored, "--stored"),
            source=source,
            by=by,
            modifiers=_modifiers(add, source),
            ignores=_ignores(ignore_lowest, ignore_highest, ignore_any),
            **_answer_options(roll=roll, effect=effect, dice=dice, paid=paid, mana=mana, no_mana=no_mana),
        )
    if effect is None:
        raise UsageError("say which effect rerolls: --effect N; or, for stored results, --permanent ID --stored N,N")
    return {
        "roll": place.roll(roll),
        **_answer_options(effect=effect, dice=dice, paid=paid, mana=mana, no_mana=no_mana),
        **present(
            stored=numbers(stored, "--stored"),
            source=source,
            by=by,
            modifiers=_modifiers(add, source or ""),
            ignores=_ignores(ignore_lowest, ignore_highest, ignore_any),
        ),
    }


# --- what is done with a roll --------------------------------------------------------------------------------------


def ignore(
    place: Place,
    *,
    dice: Annotated[
        str | None, typer.Argument(metavar="DICE", help="Numbers of the dice, with commas between them: 1,3.")
    ] = None,
    roll: _Roll = None,
) -> dict[str, Any]:
    if dice is None:
        raise UsageError("say which dice are ignored, by their numbers from 1: rollproof ignore GAME 1,3")
    return {"roll": place.roll(roll), "dice": numbers(dice, "DICE")}


def modify(
    place: Place,
    *,
    roll: _Roll = None,
    effect: _Effect = None,
    apply: Annotated[bool | None, typer.Option("--apply/--decline", help="Apply the effect, or decline it.")] = None,
    dice: _Dice = None,
    amount: Annotated[
        int | None, typer.Option(metavar="N", help="Which amount, where the effect offers several: +1 or -1.")
    ] = None,
    paid: _Paid = False,
    mana: _Mana = None,
    no_mana: _NoMana = False,
) -> dict[str, Any]:
    if effect is None or apply is None:
        raise UsageError("say which effect and what becomes of it: --effect N, and --apply or --decline")
    return {
        "roll": place.roll(roll),
        "choice": "apply" if apply else "decline",
        **present(amount=amount),
        **_answer_options(effect=effect, dice=dice, paid=paid, mana=mana, no_mana=no_mana),
    }


def store(place: Place, *, roll: _Roll = None, permanent: _Permanent = None) -> dict[str, Any]:
    number = place.roll(roll)
    if permanent is None:
        permanent = getattr(place.open_roll, "store", None)
    if permanent is None:
        raise UsageError(f"roll {number} is not to be stored anywhere; say --permanent ID if it should be")
    return {"roll": number, "permanent": permanent}


def resolve(
    place: Place,
    *,
    roll: _Roll = None,
    results: Annotated[
        str | None, typer.Option(metavar="N,N", help="The results as announced, of the dice that count.")
    ] = None,
    rows: Annotated[
        str | None, typer.Option(metavar="N,N", help="The table rows as announced; 0 where none applies.")
    ] = None,
    doubles: Annotated[bool | None, typer.Option("--doubles/--no-doubles", help="Doubles, as announced.")] = None,
    again: Annotated[
        bool | None, typer.Option("--again/--no-again", help="Whether a “You may roll again.” is taken.")
    ] = None,
    trigger: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Not a roll, but the owed trigger with this number.")
    ] = None,
) -> dict[str, Any]:
    claims = present(results=numbers(results, "--results"), rows=numbers(rows, "--rows"), doubles=doubles, again=again)
    if trigger is not None:
        return {"trigger": trigger, **present(roll=roll), **claims}
    return {"roll": place.roll(roll), **claims}


# --- declarations --------------------------------------------------------------------------------------------------


def declare_effect(
    place: Place,
    *,
    roll: _Roll = None,
    source: Annotated[str, typer.Option(metavar="TEXT", help="The card or ability.")],
    reroll: Annotated[bool, typer.Option("--reroll", help="It rerolls dice.")] = False,
    adjust: Annotated[
        str | None, typer.Option(metavar="N,N", help="It adds this; several are alternatives: +1,-1.")
    ] = None,
    exchange: Annotated[
        int | None,
        typer.Option(metavar="N", help="It exchanges one die's result with this number, say a base power."),
    ] = None,
    scope: Annotated[
        str | None, typer.Option(metavar="each|one|any", help="All dice (default), one, or one or more of them.")
    ] = None,
    controller: Annotated[str | None, typer.Option(metavar="NAME", help="Who controls it; default: who acts.")] = None,
    optional: Annotated[bool, typer.Option("--optional", help="“You may …”")] = False,
    cost: Annotated[str | None, typer.Option(metavar="TEXT", help="A cost that is not mana.")] = None,
    mana_cost: Annotated[str | None, typer.Option(metavar="TEXT", help="A mana cost, for example {1}.")] = None,
) -> dict[str, Any]:
    """Magic: a further effect wants to modify the open roll."""
    kinds = {"reroll": reroll, "adjust": adjust is not None, "exchange": exchange is not None}
    named = [kind for kind, given in kinds.items() if given]
    if len(named) != 1:
        raise UsageError(
            "say what the effect does: --reroll, --adjust +1 (several alternatives: --adjust +1,-1), or --exchange 3"
        )
    effect = present(
        source=source,
        kind=named[0],
        amounts=numbers(adjust, "--adjust"),
        number=exchange,
        scope=_one_of(scope or ("one" if exchange is not None else "each"), "--scope", ("each", "one", "any")),
        controller=controller,
        optional=optional or None,
        cost=cost,
        mana_cost=mana_cost,
    )
    return {"what": "effect", "roll": place.roll(roll), "effect": effect}


def declare_trigger(
    _place: Place,
    *,
    source: Annotated[str, typer.Option(metavar="TEXT", help="The card or ability.")],
    on: Annotated[
        str,
        typer.Option(
            metavar="rolled|result|natural|highest",
            help="“Whenever … roll dice”, “roll a N”, “roll a natural N”, “roll a die's highest natural result”.",
        ),
    ] = "rolled",
    range: Annotated[
        str | None, typer.Option(metavar="RANGE", help="Which results or naturals: 20, 1-9 or 15+.")
    ] = None,
    whose: Annotated[str, typer.Option(metavar="you|opponents|any", help="Whose rolls.")] = "you",
) -> dict[str, Any]:
    """Magic: an ability of yours triggers from now on when dice are rolled."""
    return {
        "what": "trigger",
        "source": source,
        "on": _one_of(on, "--on", ("rolled", "result", "natural", "highest")),
        "whose": _one_of(whose, "--whose", ("you", "opponents", "any")),
        **present(range=range),
    }


def declare_permanent(
    _place: Place,
    *,
    permanent: Annotated[str, typer.Argument(metavar="ID", help="A short id: a-z, 0-9, '.', '_', '-'.")],
    name: Annotated[str, typer.Option(metavar="TEXT", help="The permanent's name.")],
) -> dict[str, Any]:
    """Magic: a permanent of yours can store results."""
    return {"what": "permanent", "permanent": permanent, "name": name}


def declare_gone(
    _place: Place, *, permanent: Annotated[str, typer.Argument(metavar="ID", help="The permanent's id.")]
) -> dict[str, Any]:
    """Magic: a permanent left the battlefield; results stored on it are gone."""
    return {"what": "gone", "permanent": permanent}


def declare_ends(
    place: Place,
    *,
    trigger: Annotated[
        int | None, typer.Argument(metavar="N", min=1, help="The number of the ability that triggers.")
    ] = None,
    effect: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Instead: an effect of the open roll that no longer applies.")
    ] = None,
) -> dict[str, Any]:
    """Magic: an ability that triggers, or an effect of the open roll, is no longer there."""
    if (trigger is None) == (effect is None):
        raise UsageError("say what ends: the number of an ability that triggers, or --effect N of the open roll")
    if effect is None:
        return {"what": "ends", "trigger": trigger}
    return {"what": "ends", "roll": place.roll(None), "effect": effect}


BODIES: Mapping[str, Callable[..., dict[str, Any]]] = {
    "options": options,
    "roll": roll,
    "reroll": reroll,
    "ignore": ignore,
    "modify": modify,
    "store": store,
    "resolve": resolve,
    "declare effect": declare_effect,
    "declare trigger": declare_trigger,
    "declare permanent": declare_permanent,
    "declare gone": declare_gone,
    "declare ends": declare_ends,
}
"""By event type; what can be declared stands after the type. `options` are those of a new game, and need no Place."""

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "roll": (
        "rollproof roll 9c31 d20 --source 'Delina, Wild Mage' --use 'count of copies' --as alice",
        "rollproof roll 9c31 d20 --source 'Deadly Dispute' --row '1-9=A Treasure' --row-again '10+=Two. Roll again.'",
        "rollproof roll 9c31 d20 --source 'Contact Other Plane' --table contact.txt --ignore-lowest 'Barbarian Class'",
        "rollproof roll 9c31 2d6 --source 'Celebr-8000' --use 'the sum' --ignore-any \"2=Krark's Other Thumb\"",
        "rollproof roll 9c31 planar --source 'Planar die'",
    ),
    "reroll": (
        "rollproof reroll 9c31 --effect 1 --dice 2",
        "rollproof reroll 9c31 --permanent centaur --stored 1,3 --source 'Centaur of Attention'",
    ),
    "ignore": ("rollproof ignore 9c31 1",),
    "modify": (
        "rollproof modify 9c31 --effect 1 --apply --amount +1",
        "rollproof modify 9c31 --effect 2 --apply --paid --mana 'Island: add {U}'",
        "rollproof modify 9c31 --effect 2 --decline",
    ),
    "store": ("rollproof store 9c31",),
    "resolve": (
        "rollproof resolve 9c31",
        "rollproof resolve 9c31 --results 9,12 --rows 1,2",
        "rollproof resolve 9c31 --trigger 1",
    ),
    "declare effect": (
        "rollproof declare effect 9c31 --source 'Krark' --reroll --scope one --optional",
        "rollproof declare effect 9c31 --source 'Vedalken Squirrel-Whacker' --exchange 2 --optional",
    ),
    "declare trigger": ("rollproof declare trigger 9c31 --source 'Brazen Dwarf'",),
    "declare permanent": ("rollproof declare permanent 9c31 centaur --name 'Centaur of Attention'",),
    "declare gone": ("rollproof declare gone 9c31 centaur",),
    "declare ends": ("rollproof declare ends 9c31 1", "rollproof declare ends 9c31 --effect 2"),
}


def _one_of(text: str, option: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        raise UsageError(f"{option} is one of {', '.join(choices)}; not {text!r}")
    return text


def _modifiers(add: Iterable[str] | None, source: str) -> list[dict[str, Any]]:
    return [split_amount(text, source, "--add") for text in add or ()]


def _ignores(
    lowest: Iterable[str] | None, highest: Iterable[str] | None, any_: Iterable[str] | None
) -> list[dict[str, Any]]:
    """Each rolls so many more dice, one if it does not say, and ignores as many; with none more, one."""
    named = (("lowest", lowest), ("highest", highest), ("any", any_))
    told = [(which, *_dice_and_source(text)) for which, texts in named for text in texts or ()]
    return [
        {"source": source, "which": which, "extra": extra} | ({"count": extra} if extra > 1 else {})
        for which, extra, source in told
    ]


def _dice_and_source(text: str) -> tuple[int, str]:
    """`2=Card` as 2 and the card; without a number, 1."""
    count, equals, source = text.partition("=")
    if equals and count.isascii() and count.isdigit() and len(count) < 4:
        return int(count), source
    return 1, text


def _answer_options(
    *,
    effect: int | None,
    dice: str | None,
    paid: bool,
    mana: list[str] | None,
    no_mana: bool,
    roll: int | None = None,
) -> dict[str, Any]:
    if mana and no_mana:
        raise UsageError("give --mana or --no-mana, not both")
    members = present(roll=roll, effect=effect, dice=numbers(dice, "--dice"), paid=paid or None, mana_abilities=mana)
    return members | ({"mana_abilities": []} if no_mana else {})


# --- results tables ------------------------------------------------------------------------------------------------


def _table(
    row: Iterable[str] | None,
    row_again: Iterable[str] | None,
    row_may_again: Iterable[str] | None,
    file: Path | None,
    allow_gaps: bool,
) -> list[dict[str, Any]]:
    """The rows, in order of their ranges. Raises UsageError, Violation (706.3a)."""
    from rules.mtg.table import check_order, parse_range

    rows = _read_table(file) if file else []
    kinds: tuple[tuple[Iterable[str] | None, _Again | None], ...] = (
        (row, None),
        (row_again, True),
        (row_may_again, "may"),
    )
    for texts, again in kinds:
        rows += [_row(*_split(text, "=", f"the row {text!r}"), again) for text in texts or ()]
    ranges = {id(row): parse_range(row["range"]) for row in rows}
    rows.sort(key=lambda row: ranges[id(row)].low)
    in_order = [ranges[id(row)] for row in rows]
    check_order(in_order)
    for before, after in pairwise(in_order):
        if before.high is not None and after.low > before.high + 1 and not allow_gaps:
            raise UsageError(
                f"the table says nothing between {before.text} and {after.text}: a result there would do nothing. "
                f"Add the row, or say --allow-gaps if the card is printed so"
            )
    return rows


def _read_table(file: Path) -> list[dict[str, Any]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise UsageError(f"{file} is no text in UTF-8: a table has one row a line, RANGE | EFFECT") from None
    told = [(number, line.strip()) for number, line in enumerate(lines, 1)]
    rows = [_row(*_split(line, "|", f"{file}, line {number},")) for number, line in told if line and line[0] != "#"]
    if not rows:
        raise UsageError(f"{file} has no rows: a table has one row a line, RANGE | EFFECT")
    return rows


def _split(text: str, sign: str, where: str) -> tuple[str, str]:
    range_, found, effect = text.partition(sign)
    if not found:
        raise UsageError(f"{where} is no row: write RANGE{sign}EFFECT, for example 1-9{sign}Draw a card")
    return range_.strip(), effect.strip()


def _row(range_: str, effect: str, again: _Again | None = None) -> dict[str, Any]:
    return {"range": range_, "effect": effect, **present(again=again or _says_again(effect))}


def _says_again(effect: str) -> _Again | None:
    """What an effect's own words say about rolling again."""
    words = effect.casefold().rstrip(".")
    if words.endswith("you may roll again"):
        return "may"
    return True if words.endswith("roll again") else None
