"""Warhammer 40,000 on the command line: options to bodies (specs/wh40k.md, "Bodies").

Each function of BODIES has the options of one event as its keyword-only parameters and returns the body's members.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from ledger.cli import wh40k_course as course
from ledger.cli import wh40k_declare as declare
from ledger.cli import wh40k_texts as texts
from ledger.cli.place import Place, numbers, present
from ledger.cli.wh40k_events import summarize
from ledger.cli.wh40k_options import (
    AnyRoll,
    AtLeast,
    Count,
    Divide,
    Failed,
    Groups,
    Minus,
    Model,
    Multiply,
    Ones,
    Plus,
    Results,
    Roll,
    SetTo,
    Texts,
    Treat,
)
from ledger.cli.wh40k_words import due, next_command, ranges, roll_notes, sections, takes
from ledger.errors import UsageError

__all__ = ["BODIES", "EXAMPLES", "NAME", "due", "next_command", "roll_notes", "sections", "summarize"]

NAME = "Warhammer 40,000"


def options(
    *,
    fast_rolling: Annotated[
        bool,
        typer.Option(
            "--fast/--slow", help="Warhammer 40,000: attacks that are alike may be rolled together, or never."
        ),
    ] = True,
) -> dict[str, Any]:
    return {"fast_rolling": fast_rolling}


# --- rolls ---------------------------------------------------------------------------------------------------------


def roll(
    place: Place,
    *,
    dice: Annotated[
        str | None, typer.Argument(metavar="DICE", help="Warhammer 40,000: 10d6, 2d6, d3+1; left out in attacks.")
    ] = None,
    pass_on: Annotated[
        str | None, typer.Argument(metavar="N+", help="Warhammer 40,000: what each die, or the sum, needs: 3+.")
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Warhammer 40,000: what is rolled for: Charge.")
    ] = None,
    hit: Annotated[bool, typer.Option("--hit", help="Warhammer 40,000: a hit roll.")] = False,
    wound: Annotated[bool, typer.Option("--wound", help="Warhammer 40,000: a wound roll.")] = False,
    save: Annotated[bool, typer.Option("--save", help="Warhammer 40,000: a saving throw.")] = False,
    needs: Annotated[
        str | None, typer.Option(metavar="N+", help="Warhammer 40,000: the same as N+ after DICE.")
    ] = None,
    sum: Annotated[bool, typer.Option("--sum", help="Warhammer 40,000: the dice are added together.")] = False,
    plus: Plus = None,
    minus: Minus = None,
    divide: Divide = None,
    multiply: Multiply = None,
    reroll_ones: Ones = None,
    reroll_failed: Failed = None,
    reroll_any: AnyRoll = None,
    reroll_results: Results = None,
    groups: Groups = None,
    count: Count = None,
    model: Model = None,
    invulnerable: Annotated[
        bool, typer.Option("--invulnerable", help="Warhammer 40,000: with --save: the invulnerable save.")
    ] = False,
    attacks: Annotated[
        int | None, typer.Option(metavar="GROUP", min=1, help="Warhammer 40,000: the number of attacks of a group.")
    ] = None,
    strength: Annotated[bool, typer.Option("--strength", help="Warhammer 40,000: the random S of the hits.")] = False,
    damage: Annotated[bool, typer.Option("--damage", help="Warhammer 40,000: the random D of a failed save.")] = False,
    ignore: Annotated[
        bool, typer.Option("--ignore", help="Warhammer 40,000: ignore wounds; mortal wounds with --model and --count.")
    ] = False,
    mortal: Annotated[bool, typer.Option("--mortal", help="Warhammer 40,000: the number of mortal wounds.")] = False,
    move: Annotated[str | None, typer.Option(metavar="UNIT", help="Warhammer 40,000: the random M of a unit.")] = None,
) -> dict[str, Any]:
    """Warhammer 40,000: with DICE any roll; without, a step of the attacks under way, --hit, --wound, --save and so on.
    With nothing said at all it is the roll that the attacks wait for, if it is yours and leaves no choice.
    """
    tests = {"hit": hit, "wound": wound, "save": save}
    plain = {"strength": strength, "damage": damage, "mortal": mortal}
    step = {**tests, **plain, "ignore": ignore, "attacks": attacks is not None, "move": move is not None}
    said = [name for name, given in step.items() if given]
    if len(said) > 1:
        raise UsageError(f"a roll is for one thing: --{' or --'.join(said)}, not both")
    free_only = {
        "source": source,
        "needs": needs or pass_on,
        "sum": sum,
        "plus": plus,
        "minus": minus,
        "divide": divide,
        "multiply": multiply,
        "reroll-ones": reroll_ones,
        "reroll-failed": reroll_failed,
        "reroll-any": reroll_any,
        "reroll-results": reroll_results,
    }
    course_only = {"groups": groups, "count": count, "model": model, "invulnerable": invulnerable}
    if dice is not None:
        wrong = [name for name in said if name not in tests] + [n for n, given in course_only.items() if given]
        if wrong:
            raise UsageError(
                f"--{wrong[0]} belongs to attacks that were declared, where no dice are named: leave {dice} out"
            )
        course.settled(place, tell=True)
        return {
            "for": "free",
            **_free(dice, pass_on, needs, said, source, sum),
            **present(
                modifiers=texts.changes(plus=plus, minus=minus, divide=divide, multiply=multiply),
                rerolls=texts.reroll_rules(reroll_ones, reroll_failed, reroll_any, reroll_results),
            ),
        }
    wrong = [name for name, given in free_only.items() if given]
    if wrong:
        raise UsageError(f"--{wrong[0]} is for a roll with dice: name them after the game, for example 10d6")
    _check_belongs(said[0] if said else None, course_only)
    return _step(place, said, groups, count, model, invulnerable, attacks, move)


def _free(
    dice: str, pass_on: str | None, needs: str | None, tests: list[str], source: str | None, sum: bool
) -> dict[str, Any]:
    """A roll with dice of its own."""
    if dice.removesuffix("+").isdecimal():
        raise UsageError(f"{dice!r} is no dice: write how many of which first, 10d6 3+ --hit; in attacks only --hit")
    many = dice.lower().partition("d")[0]
    if many.isascii() and many.isdecimal() and len(many) > 3 and many != "1000":
        raise UsageError(f"a roll has 1000 dice at most, written without zeros before; not {dice}")
    if pass_on is not None and needs is not None:
        raise UsageError(f"say once what is needed: {pass_on} or --needs {needs}")
    told = pass_on or needs
    if tests and told is None:
        raise UsageError(f"say what the {tests[0]} roll needs: rollproof roll GAME {dice} 3+ --{tests[0]}")
    if source is None and not tests:
        raise UsageError("say what is rolled for: --source Charge")
    return {
        "source": source or f"{tests[0]} roll",
        "dice": dice.lower(),
        **present(
            # To add something is to add the dice.
            sum=sum or "+" in dice or None,
            test=tests[0] if tests else None,
            needs=None if told is None else texts.needed(told, "N+" if pass_on else "--needs"),
        ),
    }


_BELONGS = {"groups": ("hit",), "count": ("hit", "ignore"), "model": ("save", "ignore"), "invulnerable": ("save",)}


def _check_belongs(step: str | None, given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if value and step not in _BELONGS[name]:
            raise UsageError(f"--{name} goes with --{' or --'.join(_BELONGS[name])}")


def _step(
    place: Place,
    said: list[str],
    groups: str | None,
    count: int | None,
    model: int | None,
    invulnerable: bool,
    attacks: int | None,
    move: str | None,
) -> dict[str, Any]:
    """A roll of the attacks under way."""
    game = course.settled(place, tell=True)
    match said:
        case []:
            return course.next_roll(place, game)
        case ["hit"]:
            return course.hit(game, texts.span(groups, "--groups") if groups is not None else None, count)
        case ["save"]:
            return course.save(game, model, invulnerable)
        case ["ignore"]:
            return course.ignore(game, model, count)
        case ["attacks"]:
            return {"for": "attacks", "group": attacks}
        case ["move"]:
            return {"for": "move", "unit": move}
        case _:
            return {"for": said[0]}


def reroll(
    place: Place,
    *,
    roll: Roll = None,
    rule: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Warhammer 40,000: number of the reroll rule; default: the only one."),
    ] = None,
    command: Annotated[bool, typer.Option("--command", help="Warhammer 40,000: the Command Re-roll.")] = False,
    dice: Annotated[
        str | None, typer.Option(metavar="N,N", help="Numbers of the dice, from 1; default: all it applies to.")
    ] = None,
) -> dict[str, Any]:
    """Warhammer 40,000: reroll dice of your open roll, by one of its rules or by the Command Re-roll."""
    number = place.roll(roll)
    named = texts.span(dice, "--dice") if dice is not None else None
    if command:
        if rule is not None:
            raise UsageError("a reroll is by a rule or by the Command Re-roll: --rule or --command, not both")
        return {"roll": number, "command": True, **present(dice=named)}
    opened = place.open_roll
    if opened is None or opened.roll != number or opened.status != "open":
        return {"roll": number, "reroll": rule or 1, **present(dice=named)}  # which is refused
    seen = next(r for r in place.session.system.view(place.session.game)["rolls"] if r["roll"] == number)
    chosen = _rule_of(seen, rule)
    if named is None:
        named = _all_of(seen, chosen)
    return {"roll": number, "reroll": chosen["reroll"], **present(dice=named)}


def _all_of(roll: Mapping[str, Any], rule: Mapping[str, Any]) -> list[int] | None:
    """The dice that a rule takes; None for all. Raises UsageError where it takes none, or the player may choose."""
    found = takes(roll, rule)
    if not found:
        raise UsageError(f"there is no die in roll {roll['roll']} that {rule['source']} lets be rerolled now")
    if len(roll["parts"]) > 1 and "results" not in rule and "failed" not in rule:
        raise UsageError(
            f"{rule['source']} lets any be rerolled: say which dice, --dice {found[0]}; there are {ranges(found)}"
        )
    return None if len(found) == len(roll["dice"]) == len(roll["parts"][0]["dice"]) else found


def _rule_of(roll: Mapping[str, Any], number: int | None) -> Mapping[str, Any]:
    """The reroll rule that is meant. Raises UsageError."""
    rules: list[Mapping[str, Any]] = roll["rerolls"]
    told = ", ".join(f"{rule['reroll']} ({rule['source']})" for rule in rules)
    if not rules:
        raise UsageError(f"roll {roll['roll']} has no reroll rule; the Command Re-roll is --command")
    if number is None and len(rules) > 1:
        raise UsageError(f"say by which rule: --rule N; roll {roll['roll']} has {told}")
    found = next((rule for rule in rules if rule["reroll"] == (number or 1)), None)
    if found is None:
        raise UsageError(f"roll {roll['roll']} has no reroll rule {number}; it has {told}")
    return found


def modify(
    place: Place,
    *,
    roll: Roll = None,
    plus: Plus = None,
    minus: Minus = None,
    divide: Divide = None,
    multiply: Multiply = None,
    set: SetTo = None,
    treat: Treat = None,
    at_least: AtLeast = None,
) -> dict[str, Any]:
    """Warhammer 40,000: another rule modifies the open roll; or, named by its number, the roll that was settled last.

    Modifiers act when the roll is settled, after all rerolls. Dice that were rolled since stand.
    """
    modifiers = texts.changes(
        plus=plus, minus=minus, divide=divide, multiply=multiply, set=set, treat=treat, at_least=at_least
    )
    if not modifiers:
        raise UsageError("say what modifies the roll, for example --minus 'Dense Cover:1'")
    return course.tell_act(place, "modify", {"roll": place.roll(roll), "modifiers": modifiers})


def resolve(
    place: Place,
    *,
    roll: Roll = None,
    results: Annotated[
        str | None, typer.Option(metavar="N,N", help="The results as announced, of the dice that count.")
    ] = None,
    passed: Annotated[
        str | None,
        typer.Option(metavar="N,N", help="Warhammer 40,000: the dice that succeed, as announced; '' for none."),
    ] = None,
    triggered: Annotated[
        Texts,
        typer.Option(
            metavar="N:N,N", help="Warhammer 40,000: an ability's number and the dice that set it off, as announced."
        ),
    ] = None,
    groups: Groups = None,
    count: Count = None,
    model: Model = None,
    mortal: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Warhammer 40,000: so many mortal wounds; default: all it can take."),
    ] = None,
) -> dict[str, Any]:
    """Warhammer 40,000: end your open roll; or attacks and wounds for which nothing is rolled.

    --groups for attacks that need no hit roll, --model for who takes a wound that cannot be saved, or mortal wounds.
    """
    wounded = model is not None or mortal is not None
    claims = present(
        results=numbers(results, "--results"),
        triggered=texts.claims_of_abilities(triggered),
    ) | ({} if passed is None else {"passed": texts.span(passed, "--passed") if passed else []})
    said = {"--groups": groups is not None, "--model or --mortal": wounded, "what was announced": bool(claims or roll)}
    given = [name for name, there in said.items() if there]
    if len(given) > 1:
        raise UsageError(f"resolve one thing at a time: {' and '.join(given)} do not go together")
    if count is not None and groups is None:
        raise UsageError("--count goes with --groups")
    if groups is not None:
        return course.tell_act(place, "resolve", {"groups": texts.span(groups, "--groups"), **present(count=count)})
    if wounded:
        members = course.wound_on(course.settled(place), model, mortal)
        return course.tell_act(place, "resolve", members)
    if place.open_roll is None and not given:
        return course.tell_act(place, "resolve", course.next_act(place, place.session.game))
    return course.tell_act(place, "resolve", {"roll": place.roll(roll), **claims})


BODIES: Mapping[str, Callable[..., dict[str, Any]]] = {
    "options": options,
    "roll": roll,
    "reroll": reroll,
    "modify": modify,
    "resolve": resolve,
    "declare phase": declare.declare_phase,
    "declare unit": declare.declare_unit,
    "declare attacks": declare.declare_attacks,
    "declare rules": declare.declare_rules,
    "declare mortal": declare.declare_mortal,
    "declare move": declare.declare_move,
    "declare characteristic": declare.declare_characteristic,
    "declare wounds": declare.declare_wounds,
    "declare reroll": declare.declare_reroll,
    "declare gone": declare.declare_gone,
}
"""By event type; what can be declared stands after the type. `options` are those of a new game, and need no Place."""

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "roll": (
        "rollproof roll 9c31 10d6 3+ --hit --minus 'Dense Cover:1' --reroll-ones Captain",
        "rollproof roll 9c31 2d6 --sum --needs 7 --source Charge",
        "rollproof roll 9c31 --hit --groups 1,2",
        "rollproof roll 9c31 --save --model 3 --as bob",
    ),
    "reroll": ("rollproof reroll 9c31 --rule 1 --dice 2,3", "rollproof reroll 9c31 --command --dice 2"),
    "modify": ("rollproof modify 9c31 --plus 'Transhuman:1'",),
    "resolve": (
        "rollproof resolve 9c31 --passed 1,4",
        "rollproof resolve 9c31 --model 3 --as bob",
        "rollproof resolve 9c31 --groups 2",
    ),
    "declare phase": ("rollproof declare phase 9c31 shooting",),
    "declare unit": (
        "rollproof declare unit 9c31 boyz 'Ork Boyz' --models '9xBoy M5 WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+' "
        "--models '1xNob M5 WS3+ BS5+ S5 T5 W2 A3 Ld7 Sv4+ inv5+'",
    ),
    "declare attacks": (
        "rollproof declare attacks 9c31 marines boyz --weapon 'Bolt rifle' --by 1-5 --attacks 2 -S 4 --ap -1 -D 1 "
        "--mod 'hit -1 Dense Cover' --reroll 'hit 1 Captain'",
        "rollproof declare attacks 9c31 marines boyz --weapon 'Power fist' --by 1 --melee -S x2 --ap -3 -D 2",
        "rollproof declare attacks 9c31 --body @two-groups.json",
    ),
    "declare rules": ("rollproof declare rules 9c31 --groups 1 --mod 'save +1 Light Cover' --as bob",),
    "declare mortal": (
        "rollproof declare mortal 9c31 boyz --source Smite --roll 12",
        "rollproof declare mortal 9c31 boyz --source Smite --count 3",
    ),
    "declare move": ("rollproof declare move 9c31 spawn",),
    "declare characteristic": (
        "rollproof declare characteristic 9c31 AP -2 --worsen 'Dour Duty:1' --treat 'Bastion:0 when -1'",
        "rollproof declare characteristic 9c31 S --unit marines --model 1 --multiply 'Rage:2'",
    ),
    "declare wounds": ("rollproof declare wounds 9c31 boyz --model 10 --lost 0 --source Painboy",),
    "declare reroll": ("rollproof declare reroll 9c31 --reroll-failed Litany",),
    "declare gone": ("rollproof declare gone 9c31 boyz",),
}
