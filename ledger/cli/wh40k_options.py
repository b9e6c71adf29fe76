"""Options that several of Warhammer 40,000's commands have."""

from typing import Annotated

import typer

__all__ = [
    "AnyRoll",
    "AtLeast",
    "AutoHit",
    "Blast",
    "Count",
    "Divide",
    "Failed",
    "Groups",
    "Minus",
    "Model",
    "Mods",
    "Multiply",
    "On",
    "Ones",
    "Plus",
    "Reroll",
    "Results",
    "Roll",
    "SetTo",
    "Source",
    "Texts",
    "Treat",
    "Unit",
]

Roll = Annotated[int | None, typer.Argument(metavar="ROLL", min=1, help="Number of the roll; default: the open one.")]
Texts = list[str] | None
Plus = Annotated[Texts, typer.Option(metavar="TEXT:N", help="Warhammer 40,000: the rule adds N; repeatable.")]
Minus = Annotated[
    Texts, typer.Option(metavar="TEXT:N", help="Warhammer 40,000: the rule subtracts N: 'Dense Cover:1'; repeatable.")
]
Divide = Annotated[Texts, typer.Option(metavar="TEXT:N", help="Warhammer 40,000: the rule divides by N; repeatable.")]
Multiply = Annotated[
    Texts, typer.Option(metavar="TEXT:N", help="Warhammer 40,000: the rule multiplies by N; repeatable.")
]
SetTo = Annotated[
    Texts,
    typer.Option(metavar="'TEXT:N [when N,N]'", help="Warhammer 40,000: the rule says “has a … of N”; acts first."),
]
Treat = Annotated[
    Texts,
    typer.Option(
        metavar="'TEXT:N [when N,N]'",
        help="Warhammer 40,000: the rule says “is treated as N”; acts last; Bastion:0 when -1.",
    ),
]
AtLeast = Annotated[Texts, typer.Option(metavar="TEXT:N", help="Warhammer 40,000: “to a minimum of N”; repeatable.")]
Ones = Annotated[Texts, typer.Option(metavar="TEXT", help="Warhammer 40,000: the rule lets results of 1 be rerolled.")]
Failed = Annotated[
    Texts, typer.Option(metavar="TEXT", help="Warhammer 40,000: the rule lets failed rolls be rerolled.")
]
AnyRoll = Annotated[Texts, typer.Option(metavar="TEXT", help="Warhammer 40,000: the rule lets any roll be rerolled.")]
Results = Annotated[
    Texts,
    typer.Option(metavar="TEXT:N,N", help="Warhammer 40,000: the rule lets these results be rerolled: Oath:1,2."),
]
Groups = Annotated[
    str | None, typer.Option(metavar="N,N", help="Warhammer 40,000: groups of the attacks; default: the only one left.")
]
Count = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Warhammer 40,000: how many of them; default: all.")
]
Model = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Warhammer 40,000: number of the model; default: the only one.")
]
Mods = Annotated[
    Texts,
    typer.Option(
        metavar="'WHAT HOW TEXT'",
        help="A modifier: 'hit -1 Dense Cover', 'wound +1 Litany', 'save +1 Cover', 'S x2 Rage', "
        "'ap improve 1 Doctrine', 'ap treat 0 when -1 Bastion'; repeatable.",
    ),
]
On = Annotated[
    Texts,
    typer.Option(
        metavar="'ROLL N DOES TEXT'",
        help="What a roll sets off: 'hit unmodified 6 extra-hits 1 Tesla', 'wound 6+ improve-ap 3 Rending', "
        "'wound unmodified 6 mortal d3 Sniper' ('mortal 1 instead'), 'hit 6 wounds Poison', 'hit 1 slays Overheat'; "
        "without “unmodified” the result after modifiers counts; repeatable.",
    ),
]
Reroll = Annotated[
    Texts,
    typer.Option(
        metavar="'ROLL WHICH TEXT'",
        help="A reroll rule: 'hit 1 Captain', 'wound failed Litany', 'damage any Relic'; repeatable.",
    ),
]
AutoHit = Annotated[bool, typer.Option("--auto-hit", help="The attacks hit without a roll.")]
Blast = Annotated[bool, typer.Option("--blast", help="A blast weapon.")]
Unit = Annotated[str | None, typer.Argument(metavar="UNIT", help="The id of your unit.")]
Source = Annotated[str | None, typer.Option(metavar="TEXT", help="The rule that says so.")]
