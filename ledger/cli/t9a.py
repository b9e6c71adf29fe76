"""The 9th Age on the command line: options to bodies (specs/t9a.md, "Bodies").

Each function of BODIES has the options of one event as its keyword-only parameters and returns the body's members.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

import typer

from ledger.cli.place import Place, numbers, present
from ledger.cli.t9a_events import summarize
from ledger.cli.t9a_words import can_reroll, due, next_command, pieces, roll_notes, sections
from ledger.errors import UsageError

__all__ = ["BODIES", "EXAMPLES", "NAME", "due", "next_command", "roll_notes", "sections", "summarize"]

NAME = "The 9th Age"

# --- options that several events have ------------------------------------------------------------------------------

_Roll = Annotated[int | None, typer.Argument(metavar="ROLL", min=1, help="Number of the roll; default: the open one.")]
_Add = Annotated[
    list[str] | None,
    typer.Option(
        metavar="N[=TEXT]",
        help="The 9th Age: a modifier and the rule that it comes from, added to the sum: 5='Advance Rate', -1=Curse; "
        "x2=Rage multiplies. Applied in the order given.",
    ),
]
_Multiply = Annotated[
    list[str] | None,
    typer.Option(metavar="N[=TEXT]", help="The 9th Age: a modifier that multiplies the sum: 2=Rage; repeatable."),
]
_MAY = "The 9th Age: the same for a rule that says “may”: you choose how many. Repeatable."
_Pick = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="The 9th Age: how many the reroll rule is for; with “may”, at most."),
]


def options() -> dict[str, Any]:
    return {}


# --- requests ------------------------------------------------------------------------------------------------------


def roll(
    place: Place,  # noqa: ARG001 - nothing of the game is needed
    *,
    dice: Annotated[
        str | None,
        typer.Argument(
            metavar="DICE", help="The 9th Age: 2d6, d3, d6+1, d6x2, 10d6 with --each; direction, direction-d6."
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source", "--for", metavar="TEXT", help="The 9th Age: what is rolled for, as in “Charge range”."
        ),
    ] = None,
    each: Annotated[
        bool, typer.Option("--each", help="The 9th Age: every die is a throw of its own; they are not added up.")
    ] = False,
    times: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="The 9th Age: throw these dice N times, each for itself.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="N+|N-", help="The 9th Age: succeeds at N or more (4+), or at N or less (8-)."),
    ] = None,
    at_most: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="The 9th Age: succeeds at N or less, as --target N-.")
    ] = None,
    add: _Add = None,
    multiply: _Multiply = None,
    maximised: Annotated[
        list[str] | None,
        typer.Option(
            "--maximised",
            "--maximized",
            metavar="TEXT",
            help="The 9th Age: a rule that makes this a Maximised Roll (one more die, the lowest dropped); repeatable.",
        ),
    ] = None,
    minimised: Annotated[
        list[str] | None,
        typer.Option(
            "--minimised",
            "--minimized",
            metavar="TEXT",
            help="The 9th Age: a rule that makes this a Minimised Roll (one more die, the highest dropped); "
            "repeatable.",
        ),
    ] = None,
    always_hit: Annotated[
        str | None,
        typer.Option(metavar="N,N", help="The 9th Age: naturals that succeed whatever the modifiers, such as 6."),
    ] = None,
    always_miss: Annotated[
        str | None, typer.Option(metavar="N,N", help="The 9th Age: naturals that fail whatever the modifiers.")
    ] = None,
    reroll: Annotated[
        list[str] | None,
        typer.Option(
            "--reroll",
            "--must-reroll",
            metavar="WHICH=TEXT",
            help="The 9th Age: a rule that has dice rerolled: failed=Hatred, successful=Distracting, 1s=Blessed, "
            "throw=Text for the whole roll, any=Text for single dice; any:1=Text for one. Repeatable.",
        ),
    ] = None,
    may_reroll: Annotated[list[str] | None, typer.Option(metavar="WHICH=TEXT", help=_MAY)] = None,
    pick: _Pick = None,
    zero: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="The 9th Age: where 0° of a direction points (default: off your edge)."),
    ] = None,
) -> dict[str, Any]:
    """The 9th Age: a throw is the sum of its dice (2d6); in attacks and saves every die is a throw (10d6 --each).

    Modifiers and reroll rules are given with the roll; either army may bring more until it is resolved.
    """
    if not dice:
        raise UsageError("say which dice: 2d6, d3, 10d6 with --each, direction or direction-d6")
    if not source:
        raise UsageError("say what is rolled for: --for 'Charge range'")
    if at_most is not None and target is not None:
        raise UsageError("give --target or --at-most, not both")
    wanted = f"{at_most}-" if at_most is not None else target and target.strip()
    notation, changes = _split_dice(dice)
    modifiers = [_modifier(change, source, "DICE") for change in changes] + _modifiers(add, multiply, source)
    if each:
        notation, times = _one_by_one(notation, times)
    elif times is None:
        _check_meant_as_sum(notation, wanted, modifiers, bool(always_hit or always_miss))
    always = present(success=_naturals(always_hit, "--always-hit"), failure=_naturals(always_miss, "--always-miss"))
    return {
        "source": source,
        "dice": notation,
        **present(
            times=times,
            maximised=_named(maximised, "--maximised"),
            minimised=_named(minimised, "--minimised"),
            modifiers=modifiers,
            target=wanted,
            always=always or None,
            rerolls=_reroll_rules(reroll, may_reroll, pick, "--reroll"),
            zero=zero,
        ),
    }


def reroll(
    place: Place,
    *,
    roll: _Roll = None,
    rule: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="The 9th Age: number of the reroll rule; default: the one that applies."),
    ] = None,
    dice: Annotated[
        str | None, typer.Option(metavar="N,N", help="Numbers of the dice, from 1; default: all it applies to.")
    ] = None,
) -> dict[str, Any]:
    """The 9th Age: apply a reroll rule of the open roll; the second result is final."""
    number, chosen = place.roll(roll), numbers(dice, "--dice")
    if chosen == []:
        raise UsageError("--dice takes numbers with commas between them, for example 1,3; leave it out for all dice")
    return {"roll": number, "rule": rule or _only_rule(place, number, chosen or ()), **present(dice=chosen)}


# --- what is done with a roll --------------------------------------------------------------------------------------


def modify(place: Place, *, roll: _Roll = None, add: _Add = None, multiply: _Multiply = None) -> dict[str, Any]:
    """The 9th Age: bring a further modifier to the open roll, whoever rolled."""
    number, modifiers = place.roll(roll), _modifiers(add, multiply, "")
    if len(modifiers) != 1:
        raise UsageError("give one modifier and the rule that it comes from: --add -1=Curse, or --multiply 2=Rage")
    return {"roll": number, "modifier": modifiers[0]}


def resolve(
    place: Place,
    *,
    roll: _Roll = None,
    total: Annotated[
        str | None,
        typer.Option(
            "--total", "--totals", metavar="N,N", help="The 9th Age: the total of each throw as announced: 14."
        ),
    ] = None,
    successes: Annotated[
        int | None, typer.Option(metavar="N", help="The 9th Age: how many throws succeeded, as announced.")
    ] = None,
    direction: Annotated[
        str | None,
        typer.Option("--direction", "--directions", metavar="N,N", help="The 9th Age: the degrees as announced: 90."),
    ] = None,
    face: Annotated[
        str | None,
        typer.Option(
            "--face", "--faces", metavar="N,N", help="The 9th Age: the side of the D6 that was the arrow, 1 or 5."
        ),
    ] = None,
) -> dict[str, Any]:
    """The 9th Age: end the open roll.

    --total, --successes, --direction and --face put on record what was announced: it must agree with the dice.
    """
    claims = present(
        totals=_claims(total, "--total"),
        successes=successes,
        directions=_claims(direction, "--direction"),
        faces=_claims(face, "--face"),
    )
    return {"roll": place.roll(roll), **claims}


def declare_reroll(
    place: Place,
    *,
    roll: _Roll = None,
    must_reroll: Annotated[
        list[str] | None,
        typer.Option(
            "--must-reroll",
            "--reroll",
            metavar="WHICH=TEXT",
            help="The 9th Age: a rule that has dice rerolled: failed=Hatred, 1s=Blessed, successful=Text, throw=Text "
            "for the whole roll, any=Text for single dice.",
        ),
    ] = None,
    may_reroll: Annotated[list[str] | None, typer.Option(metavar="WHICH=TEXT", help=_MAY)] = None,
    pick: _Pick = None,
) -> dict[str, Any]:
    """The 9th Age: bring a further reroll rule to the open roll, whoever rolled."""
    number, rules = place.roll(roll), _reroll_rules(must_reroll, may_reroll, pick, "--must-reroll")
    if len(rules) != 1:
        raise UsageError("give one reroll rule: --must-reroll failed=Hatred, or --may-reroll 1s=Blessed")
    return {"what": "reroll", "roll": number, "rule": rules[0]}


BODIES: Mapping[str, Callable[..., dict[str, Any]]] = {
    "options": options,
    "roll": roll,
    "reroll": reroll,
    "modify": modify,
    "resolve": resolve,
    "declare reroll": declare_reroll,
}
"""By event type; what can be declared stands after the type."""

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "roll": (
        "rollproof roll 9c31 2d6 --for 'Charge range' --maximised Swiftstride --add 5='Advance Rate' --target 13+",
        "rollproof roll 9c31 10d6 --each --for 'To hit' --target 4+ --always-hit 6 --reroll failed=Hatred",
        "rollproof roll 9c31 2d6 --for 'Panic Test' --at-most 8 --may-reroll failed='Rally Around the Flag'",
        "rollproof roll 9c31 direction --for 'Direction of flight'",
    ),
    "reroll": ("rollproof reroll 9c31", "rollproof reroll 9c31 --rule 1 --dice 2,5"),
    "modify": ("rollproof modify 9c31 --add -1=Curse --as bob",),
    "resolve": ("rollproof resolve 9c31 --total 14 --successes 1", "rollproof resolve 9c31 --direction 90"),
    "declare reroll": (
        "rollproof declare reroll 9c31 --must-reroll successful=Distracting --as bob",
        "rollproof declare reroll 9c31 --may-reroll any='Lucky Charm' --pick 1",
    ),
}

# --- dice and modifiers --------------------------------------------------------------------------------------------

_DICE = re.compile(
    r"(?P<throw>[0-9]{0,6}d[0-9]{1,6}(?:\+[0-9]{0,6}d[0-9]{1,6})*)(?P<changes>(?:[-+x*×][0-9]{1,12}(?!d))*)", re.ASCII
)
_PLAIN = re.compile(r"([0-9]*)d([0-9]+)", re.ASCII)
_CHANGE = re.compile(r"([-+x*×]?)([0-9]{1,12})", re.ASCII)
_FEW = 6
"""a sum that is compared with no more than this was most likely meant as so many single dice"""


def _split_dice(text: str) -> tuple[str, list[str]]:
    """The dice of a throw, as the body has them, and what changes their sum: 2D6+1 is 2d6 and +1."""
    told = text.lower().replace(" ", "")
    if told in ("direction", "direction-d6"):
        return told, []
    if many := re.fullmatch(r"([0-9]+)[x*×]([0-9]*d[0-9]+)", told):
        count, die = many.groups()
        raise UsageError(f"{text}: for {count} throws of {die} write {die} --times {count}; to multiply, {die}x{count}")
    if (match := _DICE.fullmatch(told)) is None:
        raise UsageError(f"{text!r} are no dice of The 9th Age: write 2d6, d3, d6+1, d6x2, direction or direction-d6")
    return match["throw"], re.findall(r"[-+x*×][0-9]+", match["changes"])


def _one_by_one(notation: str, times: int | None) -> tuple[str, int]:
    """10d6 as 1d6, ten times. Raises UsageError."""
    match = _PLAIN.fullmatch(notation)
    if match is None or times is not None:
        raise UsageError("--each is for dice of one kind, such as 10d6; for other throws say how many: --times 3")
    return f"1d{match[2]}", int(match[1] or 1)


def _check_meant_as_sum(notation: str, target: str | None, modifiers: list[dict[str, Any]], always: bool) -> None:
    """Raises UsageError for dice that are added up though single ones must have been meant."""
    match = _PLAIN.fullmatch(notation)
    count = int(match[1] or 1) if match else 1
    if match is None or count == 1:
        return
    wanted = re.fullmatch(r"([0-9]{1,9})\+", target or "", re.ASCII)
    raised = any("multiply" in modifier or modifier["add"] > 0 for modifier in modifiers)
    least = count + sum(modifier.get("add", 0) for modifier in modifiers)
    certain = wanted is not None and not raised and int(wanted[1]) <= min(least, _FEW)
    if always or certain:
        why = f", never below {least}" if certain else ""
        raise UsageError(
            f"{notation} is one sum{why}; for {count} throws of one die each add --each (for the sum: --times 1)"
        )


def _modifiers(add: Iterable[str] | None, multiply: Iterable[str] | None, source: str) -> list[dict[str, Any]]:
    """In the order in which they are applied, which two options cannot tell."""
    if add and multiply:
        raise UsageError("say in which order they are applied: --add x2=Rage --add 1=Blessing multiplies first")
    added = [_modifier(text, source, "--add") for text in add or ()]
    return added + [_modifier(text, source, "--multiply") for text in multiply or ()]


def _modifier(text: str, source: str, option: str) -> dict[str, Any]:
    """`5=Advance Rate`, `-1` or `x2=Rage` as a modifier; without a source it is the given one. Raises UsageError."""
    amount, _, given = text.partition("=")
    name, match = given.strip() or source, _CHANGE.fullmatch(amount.strip())
    sign = match[1] if match else ""
    multiplies = option == "--multiply" or sign in ("x", "*", "×")
    if match is None or (option == "--multiply" and sign in ("+", "-")):
        example = "2=Rage" if option == "--multiply" else "5='Advance Rate' or -1=Curse"
        raise UsageError(f"{option} takes a whole number and a rule, for example {example}; not {text!r}")
    if not name:
        raise UsageError(f"say which rule this comes from: {option} {text}='Name of the rule'")
    number = int(match[2])
    if multiplies:
        if number < 2:
            raise UsageError(f"{option} {text}: a multiplication is by 2 or more")
        return {"source": name, "multiply": number}
    if number == 0:
        raise UsageError(f"{option} {text}: a modifier of 0 changes nothing, leave it out")
    return {"source": name, "add": -number if sign == "-" else number}


def _named(rules: list[str] | None, option: str) -> list[str] | None:
    if any(not rule.strip() for rule in rules or ()):
        raise UsageError(f"{option} takes the rule that says so, for example {option} Swiftstride")
    return rules


# --- naturals, rerolls, claims -------------------------------------------------------------------------------------

_WHICH = {"failed": "failed", "successful": "successful", "any": "any", "throw": "throw", "all": "throw"}
_NATURALS = re.compile(r"[1-6]s?(,[1-6]s?)*", re.ASCII)


def _naturals(text: str | None, option: str) -> list[int] | None:
    if text is None:
        return None
    if not _NATURALS.fullmatch(text.strip().lower()):
        raise UsageError(f"{option} takes what a D6 shows, 1 to 6, for example 6 or 5,6; not {text!r}")
    return [int(digit) for digit in re.findall("[1-6]", text)]


def _reroll_rules(
    must: Iterable[str] | None, may: Iterable[str] | None, pick: int | None, must_option: str
) -> list[dict[str, Any]]:
    """Orders first, in the order of their numbers."""
    rules = [_reroll_rule(text, must_option) for text in must or ()]
    rules += [{**_reroll_rule(text, "--may-reroll"), "may": True} for text in may or ()]
    if pick is not None:
        if len(rules) != 1 or "pick" in rules[0]:
            raise UsageError("--pick is for one reroll rule; write it with the rule that has it: any:1='Lucky Charm'")
        rules[0]["pick"] = pick
    return rules


def _reroll_rule(text: str, option: str) -> dict[str, Any]:
    """`failed=Hatred`, `1s=Blessed`, `any:1=Lucky Charm` as a reroll rule. Raises UsageError."""
    told, _, source = text.partition("=")
    which, colon, most = told.strip().lower().partition(":")
    natural = _NATURALS.fullmatch(which)
    if not source.strip() or not (natural or which in _WHICH) or (colon and not re.fullmatch("[1-9][0-9]{0,3}", most)):
        raise UsageError(
            f"{option} takes which dice and the rule: failed=Hatred, successful=Distracting, 1s=Blessed, "
            f"throw=Horn for the whole roll, any=Luck (any:1=Luck for one); not {text!r}"
        )
    return {
        "source": source.strip(),
        "which": "natural" if natural else _WHICH[which],
        **present(naturals=_naturals(which, option) if natural else None, pick=int(most) if colon else None),
    }


def _only_rule(place: Place, number: int, chosen: Iterable[int]) -> int:
    """The number of the reroll rule that is meant where none is given. Raises UsageError."""
    opened = next((roll for roll in place.session.view()["rolls"] if roll["status"] == "open"), None)
    if opened is None or opened["roll"] != number:
        return 1  # the rules say what is wrong: another roll, or dice that have not been shown
    if not opened["rerolls"]:
        raise UsageError(
            f"no rule rerolls dice of roll {number}; declare it first: "
            f"rollproof declare reroll GAME --may-reroll failed='Name of the rule'"
        )
    unused = [rule for rule in opened["rerolls"] if can_reroll(rule)]
    concerned = [(rule, {die for piece in pieces(opened, rule) for die in piece}) for rule in unused]
    usable = [rule for rule, dice in concerned if dice and dice.issuperset(chosen)]
    if len(usable) > 1:
        told = " or ".join(f"--rule {rule['rule']} ({rule['source']})" for rule in usable)
        raise UsageError(f"several rules reroll dice of roll {number}; say which: {told}")
    number_of_rule: int = (usable or unused or opened["rerolls"])[0]["rule"]
    return number_of_rule


def _claims(text: str | None, option: str) -> list[int] | None:
    if text == "":
        raise UsageError(f"{option} takes what was announced, one number a throw: 14, or 7,9 for two")
    return numbers(text, option)
