"""What is declared in Warhammer 40,000: units, phases, moves, attacks (specs/wh40k.md, "Bodies")."""

from typing import Annotated, Any

import typer

from ledger.cli import wh40k_course as course
from ledger.cli import wh40k_texts as texts
from ledger.cli.isolation import isolated_in
from ledger.cli.place import Place, present
from ledger.cli.wh40k_options import (
    AnyRoll,
    AtLeast,
    AutoHit,
    Blast,
    Divide,
    Failed,
    Minus,
    Mods,
    Multiply,
    On,
    Ones,
    Plus,
    Reroll,
    Results,
    Roll,
    SetTo,
    Source,
    Texts,
    Treat,
    Unit,
)
from ledger.cli.wh40k_words import attacks_lines, computation_line
from ledger.errors import UsageError

__all__ = [
    "declare_attacks",
    "declare_characteristic",
    "declare_gone",
    "declare_mortal",
    "declare_move",
    "declare_phase",
    "declare_reroll",
    "declare_rules",
    "declare_unit",
    "declare_wounds",
]

# --- declarations: the table ---------------------------------------------------------------------------------------


def declare_phase(
    _place: Place,
    *,
    phase: Annotated[str | None, typer.Argument(metavar="PHASE", help="command, movement, psychic, …")] = None,
) -> dict[str, Any]:
    """Warhammer 40,000: a phase of your turn begins."""
    phases = ("command", "movement", "psychic", "shooting", "charge", "fight", "morale")
    if phase is None or phase.casefold() not in phases:
        raise UsageError(f"say which phase of your turn begins: {', '.join(phases)}")
    return {"what": "phase", "phase": phase.casefold()}


def declare_unit(
    _place: Place,
    *,
    unit: Annotated[str | None, typer.Argument(metavar="UNIT", help="A short id: a-z, 0-9, '.', '_', '-'.")] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The unit's name.")] = None,
    models: Annotated[
        Texts,
        typer.Option(
            metavar="'NxNAME M5 …'",
            help="Models of one kind: how many, name, datasheet, then where they have it inv5+ (invulnerable save) "
            "and fnp5+ (ignores wounds): '10xBoy M5 WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+ inv5+'; repeatable.",
        ),
    ] = None,
) -> dict[str, Any]:
    """Warhammer 40,000: a unit of yours is on the table.

    Its models have numbers from 1, in the order of the lines.
    """
    if unit is None or not models:
        raise UsageError(
            "a unit needs an id, a name and its models: boyz 'Ork Boyz' "
            "--models '10xBoy M5 WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+'"
        )
    return {"what": "unit", "unit": unit, "name": name or unit, "models": [texts.model_line(text) for text in models]}


def declare_gone(
    _place: Place,
    *,
    permanent: Annotated[str | None, typer.Argument(metavar="ID", help="Warhammer 40,000: the unit's id.")] = None,
) -> dict[str, Any]:
    """Warhammer 40,000: a unit of yours is off the table."""
    if permanent is None:
        raise UsageError("say which unit is off the table: rollproof declare gone GAME UNIT")
    return {"what": "gone", "unit": permanent}


def declare_wounds(
    place: Place,
    *,
    unit: Unit = None,
    model: Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of the model.")] = None,
    lost: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="The wounds that it has lost now, in all.")
    ] = None,
    source: Source = None,
) -> dict[str, Any]:
    """Warhammer 40,000: a model of yours was healed, returned or fled: it has now lost so many wounds."""
    if unit is None or model is None or lost is None or source is None:
        raise UsageError("say which model has lost how many wounds and why: boyz --model 3 --lost 0 --source 'Painboy'")
    members = {"what": "wounds", "unit": unit, "model": model, "lost": lost, "source": source}
    return course.tell_act(place, "declare", members)


def declare_move(
    _place: Place,
    *,
    unit: Unit = None,
    source: Annotated[str | None, typer.Option(metavar="TEXT", help="The rule that lets it move again.")] = None,
    plus: Plus = None,
    minus: Minus = None,
    divide: Divide = None,
    multiply: Multiply = None,
    set: SetTo = None,
    treat: Treat = None,
    at_least: AtLeast = None,
) -> dict[str, Any]:
    """Warhammer 40,000: a unit of yours with a random M is selected to move; then rollproof roll GAME --move UNIT."""
    if unit is None:
        raise UsageError("say which unit moves: rollproof declare move GAME UNIT")
    changes = texts.changes(
        plus=plus, minus=minus, divide=divide, multiply=multiply, set=set, treat=treat, at_least=at_least
    )
    return {"what": "move", "unit": unit, **present(modifiers=changes, source=source)}


def declare_characteristic(
    place: Place,
    *,
    which: Annotated[
        str | None,
        typer.Argument(metavar="WHICH", help="M, WS, BS, S, T, W, A, Ld, Sv, AP or D; or with its value: AP-2, S4."),
    ] = None,
    printed: Annotated[
        str | None, typer.Argument(metavar="±N", help="What is printed, where no model is named.")
    ] = None,
    unit: Annotated[str | None, typer.Option(metavar="UNIT", help="The unit of a model, with --model.")] = None,
    model: Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of the model.")] = None,
    value: Annotated[str | None, typer.Option(metavar="N", help="What you say it is: it must be so.")] = None,
    plus: Plus = None,
    minus: Minus = None,
    divide: Divide = None,
    multiply: Multiply = None,
    set: SetTo = None,
    treat: Treat = None,
    at_least: AtLeast = None,
    improve: Annotated[Texts, typer.Option(metavar="TEXT:N", help="AP: the rule improves it by N; repeatable.")] = None,
    worsen: Annotated[Texts, typer.Option(metavar="TEXT:N", help="AP: the rule worsens it by N; repeatable.")] = None,
) -> dict[str, Any]:
    """Warhammer 40,000: ask what a characteristic is after all modifiers, step by step."""
    name, start = _characteristic(which, printed)
    if (start is None) == (unit is None) or (unit is None) != (model is None):
        raise UsageError("say of what: a printed value, S 4 or AP -2; or of a model, S --unit boyz --model 1")
    if name == "AP" and (plus or minus or at_least):
        raise UsageError("AP is improved or worsened: --improve 'Doctrine:1' makes AP -1 an AP -2")
    if name != "AP" and (improve or worsen):
        raise UsageError(f"only AP is improved and worsened; {name} has --plus and --minus")
    changes = texts.changes(
        plus=plus,
        minus=minus,
        divide=divide,
        multiply=multiply,
        set=set,
        treat=treat,
        at_least=at_least,
        improve=improve,
        worsen=worsen,
    )
    members = {
        "what": "characteristic",
        "characteristic": name,
        **present(
            unit=unit,
            model=model,
            printed=start,
            modifiers=changes,
            value=None if value is None else texts.value(value.removesuffix("+"), "--value", dice=False, dash=True),
        ),
    }
    found = _after(place, members)
    if found is not None:
        place.notes.append(computation_line(isolated_in(found["computed"][-1])))
    return members


_NAMES = {name.casefold(): name for name in ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv", "AP", "D")}


def _characteristic(which: str | None, printed: str | None) -> tuple[str, int | str | None]:
    """The name and what is printed: `AP -2`, `AP-2`, `Sv3+`, `S`. Raises UsageError."""
    letters = (which or "").rstrip("+-=0123456789")
    name = _NAMES.get(letters.casefold())
    attached = (which or "")[len(letters) :].removeprefix("=")
    if name is None or (attached and printed is not None):
        raise UsageError(f"say which characteristic: {', '.join(_NAMES.values())}; with what is printed, AP-2 or S 4")
    told = (attached or printed or "").removesuffix("+")
    return name, texts.value(told, f"what is printed as {name}", dice=False, dash=True) if told else None


def declare_reroll(
    place: Place,
    *,
    roll: Roll = None,
    reroll_ones: Ones = None,
    reroll_failed: Failed = None,
    reroll_any: AnyRoll = None,
    reroll_results: Results = None,
) -> dict[str, Any]:
    """Warhammer 40,000: one more rule lets dice of your open roll be rerolled."""
    rules = texts.reroll_rules(reroll_ones, reroll_failed, reroll_any, reroll_results)
    if len(rules) != 1:
        raise UsageError("say one rule: --reroll-ones, --reroll-failed, --reroll-any TEXT or --reroll-results TEXT:N,N")
    return {"what": "reroll", "roll": place.roll(roll), "reroll": rules[0]}


# --- declarations: attacks -----------------------------------------------------------------------------------------


def declare_attacks(
    place: Place,
    *,
    unit: Unit = None,
    target: Annotated[str | None, typer.Argument(metavar="TARGET", help="The id of the unit that is attacked.")] = None,
    weapon: Annotated[str | None, typer.Option(metavar="TEXT", help="The weapon.")] = None,
    by: Annotated[
        str | None, typer.Option(metavar="N-N", help="Numbers of the models that use it; default: all that are left.")
    ] = None,
    attacks: Annotated[
        str | None,
        typer.Option(
            "--attacks", "-A", metavar="N|DICE|user", help="Of each model; in melee default: user, its own A."
        ),
    ] = None,
    strength: Annotated[
        str | None, typer.Option("--strength", "-S", metavar="N|DICE|user", help="S: a number, dice, user, +1 or x2.")
    ] = None,
    ap: Annotated[int, typer.Option("--ap", metavar="-N", help="AP.")] = 0,
    damage: Annotated[str, typer.Option("--damage", "-D", metavar="N|DICE", help="D.")] = "1",
    melee: Annotated[bool, typer.Option("--melee", help="A melee weapon (uses WS, else BS).")] = False,
    auto_hit: AutoHit = False,
    blast: Blast = False,
    mod: Mods = None,
    on: On = None,
    reroll: Reroll = None,
    announce: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What you say the numbers are, to be checked: 'hit 3+, wound 5+, AP -1'."),
    ] = None,
) -> dict[str, Any]:
    """Warhammer 40,000: a unit of yours is selected to shoot, or with --melee to fight.

    One group of attacks: a weapon, its bearers and a target. Several groups are declared together, with --body.
    """
    if unit is None or target is None or weapon is None or strength is None or (attacks is None and not melee):
        raise UsageError(
            "attacks need your unit, the target and the weapon: marines boyz --weapon 'Bolt rifle' --by 1-5 "
            "--attacks 2 -S 4 --ap -1 -D 1"
        )
    if ap > 0:
        raise UsageError(f"--ap is 0 or less, as it is printed: --ap -{ap}")
    power, changes = texts.strength(strength, weapon)
    members = {
        "what": "attacks",
        "unit": unit,
        "groups": [
            {
                "target": target,
                "weapon": weapon,
                "type": "melee" if melee else "ranged",
                "bearers": _alive(place, unit) if by is None else texts.span(by, "--by"),
                "A": texts.value(attacks or "user", "--attacks", user=True),
                "S": power,
                "AP": ap,
                "D": texts.value(damage, "--damage"),
                **present(
                    modifiers=[*changes, *map(texts.modifier, mod or ())],
                    abilities=_abilities(weapon, auto_hit, blast, reroll, on),
                    announced=texts.announced(announce) or None,
                ),
            }
        ],
    }
    _tell_attacks(place, members)
    return members


def _tell_attacks(place: Place, members: dict[str, Any]) -> None:
    """What the attacks are with all that was declared."""
    found = _after(place, members)
    if found is not None and found["sequence"] is not None:
        place.notes.extend(attacks_lines(isolated_in(found["sequence"])))


def _alive(place: Place, unit: str) -> list[int]:
    """Numbers of the models that are left. Raises UsageError."""
    game = course.settled(place)
    if unit not in game.units:
        raise UsageError(
            f"there is no unit {unit}: declare it first, or say which it is of {', '.join(game.units) or 'none'}"
        )
    return [model.model for model in game.units[unit].alive]


def _abilities(source: str, auto_hit: bool, blast: bool, reroll: Texts, on: Texts) -> list[dict[str, Any]]:
    plain = [{"kind": kind, "source": source} for kind, told in (("auto-hit", auto_hit), ("blast", blast)) if told]
    return [*plain, *map(texts.reroll_ability, reroll or ()), *map(texts.trigger, on or ())]


def declare_rules(
    place: Place,
    *,
    groups: Annotated[str, typer.Option(metavar="N,N", help="Groups of the attacks.")] = "1",
    mod: Mods = None,
    on: On = None,
    reroll: Reroll = None,
    auto_hit: AutoHit = False,
    blast: Blast = False,
    source: Source = None,
) -> dict[str, Any]:
    """Warhammer 40,000: more rules bear on attacks under way, of either player, before their first dice."""
    if (auto_hit or blast) and source is None:
        raise UsageError("say which rule that is: --source TEXT")
    members = present(
        modifiers=[texts.modifier(text) for text in mod or ()],
        abilities=_abilities(source or "", auto_hit, blast, reroll, on),
    )
    if not members:
        raise UsageError("say what bears on the attacks: --mod 'hit -1 Dense Cover', --reroll or --on")
    members = {"what": "rules", "groups": texts.span(groups, "--groups"), **members}
    _tell_attacks(place, members)
    return members


def declare_mortal(
    place: Place,
    *,
    target: Annotated[
        str | None, typer.Argument(metavar="TARGET", help="The id of the unit that suffers them.")
    ] = None,
    source: Source = None,
    count: Annotated[int | None, typer.Option(metavar="N", min=1, help="How many.")] = None,
    roll: Annotated[
        int | None, typer.Option(metavar="ROLL", min=1, help="The roll of yours that tells how many.")
    ] = None,
) -> dict[str, Any]:
    """Warhammer 40,000: mortal wounds that no attack makes, as by a psychic power."""
    if target is None or source is None or (count is None) == (roll is None):
        raise UsageError("say who suffers how many mortal wounds from what: boyz --source Smite --count 3, or --roll N")
    members = {"what": "mortal", "target": target, "source": source, **present(count=count, roll=roll)}
    return course.tell_act(place, "declare", members)


def _after(place: Place, members: dict[str, Any]) -> dict[str, Any] | None:
    """The state after a declaration; None where it is refused, of which who checks the event says why."""
    from rules import Violation

    try:
        view: dict[str, Any] = place.session.system.view(course.after(place, "declare", members))
    except Violation:
        return None
    return view
