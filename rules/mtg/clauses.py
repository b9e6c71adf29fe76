"""The clauses of Magic 706 in our own words, and how a log is held to each (specs/mtg.md, "Clauses")."""

from rules.base import Clause

CLAUSES = (
    Clause("706.1", "A roll names the kind of dice and how many.", "A roll without dice is refused."),
    Clause(
        "706.1a",
        "A dN has N equally likely outcomes, 1 to N, for any positive N.",
        "Other notation is refused; naturals are derived without bias, and the derivation is checked.",
    ),
    Clause(
        "706.1b",
        "Players may agree to a digital substitute.",
        "No dice before every player has signed the game's terms.",
    ),
    Clause(
        "706.2",
        "The natural result, then all modifiers, give the result.",
        "The result is computed and never clamped; an announced one must agree; mandatory effects must be applied.",
    ),
    Clause(
        "706.2a",
        "Modifiers may be optional or have costs; a mana cost gives a chance to activate mana abilities.",
        "Each is applied, and paid for, or declined before the roll is resolved.",
    ),
    Clause(
        "706.2b",
        "The player who rolled picks among effects: rerolls first, then increases and decreases.",
        "Another player's choice, a reroll after an adjustment and an adjustment before a reroll are refused.",
    ),
    Clause(
        "706.3", "Some rolls have a results table.", "The table stands in the roll, so it is fixed before the dice."
    ),
    Clause(
        "706.3a",
        "The result, not the natural result, selects the row; no row, no effect.",
        "Bad or overlapping ranges are refused; announced rows must agree.",
    ),
    Clause(
        "706.3b",
        "The roll, its modifiers, follow-up instructions and table are one ability.",
        "Nothing else is accepted between a roll and its resolve.",
    ),
    Clause(
        "706.3c",
        "“Roll again” uses the same dice and modifiers.",
        "It is owed, comes next, and repeats the first roll's instruction.",
    ),
    Clause("706.4", "A roll without a table says how its results are used.", "A roll with neither is refused."),
    Clause(
        "706.5",
        "Doubles: two dice with equal results.",
        "Judged on results after modifiers, for exactly two dice; an announcement must agree.",
    ),
    Clause(
        "706.6",
        "An ignored roll never happened; among several lowest the player chooses.",
        "Ignoring comes first, only dice that qualify; nothing touches an ignored die, and it triggers nothing.",
    ),
    Clause(
        "706.7",
        "The planar die triggers “whenever you roll”, but numbers pass it by.",
        "Modifiers, tables, doubles, storing and lowest or highest are refused for it.",
    ),
    Clause("706.8", "Results can be stored on a permanent.", "Only on a declared permanent of the player who rolled."),
    Clause(
        "706.8a",
        "Storing notes the kind of die and the result.",
        "Each counted die is stored once, after all effects and before the roll is resolved.",
    ),
    Clause(
        "706.8b",
        "Rerolling stored results rolls one die of the noted kind for each and stores the new ones.",
        "Kinds come from what was noted; old results are gone when the new dice show.",
    ),
    Clause(
        "706.8c",
        "Abilities that store and that refer to stored results are linked.",
        "Only the permanent's own ability rerolls, and results are stored on the roll's permanent only.",
    ),
)
