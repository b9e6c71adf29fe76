"""The clauses of Warhammer 40,000 in our own words, and how a log is held to each (specs/wh40k.md, "Clauses")."""

from rules.base import Clause

CLAUSES = (
    Clause("W1", "A D3 is a D6, halved and rounded up.", "Other dice are refused; an announced result must agree."),
    Clause(
        "W2",
        "Modifiers to a roll are cumulative: divide, multiply, add, subtract, round up once.",
        "The result is computed in this order whatever was declared first; an announced one must agree.",
    ),
    Clause(
        "W3",
        "No die is ever rerolled twice, and rerolls come before modifiers.",
        "A second reroll of a die, and one after a modifier or the end of the roll, is refused.",
    ),
    Clause(
        "W4",
        "Dice that are added are rerolled together; a rule that names results rerolls those dice alone.",
        "Rerolls of other dice than the rule allows are refused.",
    ),
    Clause("W5", "For a D3 the halved value tells what may be rerolled.", "Rerolls of other dice are refused."),
    Clause("W6", "A roll has failed before modifiers or not at all.", "Rerolls of what has not failed are refused."),
    Clause(
        "W7",
        "Unmodified is after rerolls and before modifiers; “on a 1” looks at the modified value.",
        "The system sets off abilities; announced ones must agree.",
    ),
    Clause(
        "W8",
        "Characteristics: set, divide, multiply, add, subtract, round up; S, T, A, Ld at least 1; “-” never changes.",
        "Each is computed step by step; an announced one must agree; changes of “-” are refused.",
    ),
    Clause(
        "W9",
        "A random Move is rolled once for the unit when it is selected; others for each model or weapon, each time.",
        "A second Move roll for a selection is refused; other random values are rolled where they are needed.",
    ),
    Clause(
        "W10",
        "Only attacks that are alike are rolled together.",
        "Others are refused, with the attribute that differs; one attack at a time always goes.",
    ),
    Clause(
        "W11",
        "Wounds are allocated and saved one at a time; a wounded or chosen model keeps taking them.",
        "One save at a time is accepted, for such a model.",
    ),
    Clause(
        "W12",
        "Mortal wounds of a unit's attacks come after all its normal damage to the target.",
        "They are refused before, and more than are owed or than the model has left.",
    ),
    Clause(
        "W13",
        "“Has an AP of” sets before all modifiers, “is treated as” asks and acts after them.",
        "The system computes AP in this order; an announced AP must agree.",
    ),
    Clause("W14", "An AP of 0 cannot be worsened.", "AP is never above 0; an announced AP must agree."),
    Clause(
        "W15",
        "A hit or wound roll is modified by at most 1 in either direction.",
        "The result is capped; an announced one must agree.",
    ),
    Clause(
        "W16",
        "An unmodified 6 hits and wounds, an unmodified 1 fails, saves too.",
        "The system decides so; what is announced to pass must agree.",
    ),
    Clause("W17", "Strength against Toughness tells the wound roll.", "An announced target or success must agree."),
    Clause(
        "W18",
        "A save adds AP, an invulnerable save ignores it.",
        "The system computes both; an invulnerable save that the model does not have is refused.",
    ),
    Clause("W19", "Attacks take their course, each step by its player.", "Steps out of turn are refused."),
    Clause(
        "W20",
        "What is declared fits the table, one target is finished before the next.",
        "Units and models that are not there, and rules declared after the dice, are refused.",
    ),
    Clause("W21", "The Command Re-roll takes one roll, once in a phase.", "A second one is refused."),
    Clause(
        "W22",
        "A model that ignores wounds rolls a die for each.",
        "Its wounds are not inflicted without that roll; an announcement must agree.",
    ),
    Clause(
        "W23",
        "What an ability makes sets off no ability on its hit roll.",
        "The system counts hits, attacks and mortal wounds; abilities that cannot be are refused.",
    ),
    Clause(
        "W24",
        "Blast: at least 3 attacks against 6 models or more, the most possible against 11 or more.",
        "The number is computed; rolling for it where it is known is refused.",
    ),
)
