"""The clauses of Magic 706 in our own words, and how a log is held to each (specs/mtg.md, "Clauses")."""

from rules.base import Clause
from rules.language import N_

CLAUSES = (
    Clause(
        "603",
        N_("A triggered ability triggers when dice are rolled."),
        N_("What a roll triggers is worked out and told with it; only its controller ends an ability."),
        holds="mtg/603--told-with-each-roll",
        violates="mtg/603--ended-by-another.violates",
    ),
    Clause(
        "706.1",
        N_("A roll names the kind of dice and how many."),
        N_("A roll without dice is refused."),
        holds="mtg/706.1--several-kinds-in-order",
        violates="mtg/706.1--no-dice-named.violates",
    ),
    Clause(
        "706.1a",
        N_("A dN has N equally likely outcomes, 1 to N, for any positive N."),
        N_("Other notation is refused; naturals are derived without bias, and the derivation is checked."),
        holds="mtg/706.1a--seven-sides",
        violates="mtg/706.1a--blank.violates",
    ),
    Clause(
        "706.1b",
        N_("Players may agree to a digital substitute."),
        N_("No dice before every player has signed the game's terms."),
        holds="mtg/706.1b--every-player-has-joined",
        violates="mtg/706.1b--a-player-has-not-joined.violates",
    ),
    Clause(
        "706.2",
        N_("The natural result, then all modifiers, give the result."),
        N_("The result is computed and never clamped; an announced one must agree; mandatory effects must be applied."),
        holds="mtg/706.2--never-clamped-on-the-way",
        violates="mtg/706.2--claim-clamped-from-below.violates",
    ),
    Clause(
        "706.2a",
        N_("Modifiers may be optional or have costs; a mana cost gives a chance to activate mana abilities."),
        N_("Each is applied, and paid for, or declined before the roll is resolved."),
        holds="mtg/706.2a--mana-cost-with-mana-abilities",
        violates="mtg/706.2a--cost-not-paid.violates",
    ),
    Clause(
        "706.2b",
        N_("The player who rolled picks among effects: rerolls first, then increases and decreases."),
        N_("Another player's choice, a reroll after an adjustment and an adjustment before a reroll are refused."),
        holds="mtg/706.2b--roller-applies-the-opponents-effect",
        violates="mtg/706.2b--adjust-before-an-optional-reroll.violates",
    ),
    Clause(
        "706.3",
        N_("Some rolls have a results table."),
        N_("The table stands in the roll, so it is fixed before the dice."),
        holds="mtg/706.3--roll-with-a-table",
        unviolable=N_("it asks nothing by itself; what a table must be is 706.3a"),
    ),
    Clause(
        "706.3a",
        N_("The result, not the natural result, selects the row; no row, no effect."),
        N_("Bad or overlapping ranges are refused; announced rows must agree."),
        holds="mtg/706.3a--row-from-the-result",
        violates="mtg/706.3a--backward-range.violates",
    ),
    Clause(
        "706.3b",
        N_("The roll, its modifiers, follow-up instructions and table are one ability."),
        N_("Nothing else is accepted until a roll is finished, and no other roll before its repeat."),
        holds="mtg/706.3b--effect-for-the-open-roll",
        violates="mtg/706.3b--another-roll-while-roll-again-is-owed.violates",
    ),
    Clause(
        "706.3c",
        N_("“Roll again” uses the same dice, with what is applicable then."),
        N_("It comes next and repeats the first roll's instruction; effects that came or went are named."),
        holds="mtg/706.3c--roll-again",
        violates="mtg/706.3c--another-kind.violates",
    ),
    Clause(
        "706.4",
        N_("A roll without a table says how its results are used, if at all."),
        N_("How they are used stands in the roll, so it is fixed before the dice."),
        holds="mtg/706.4--use",
        unviolable=N_("a roll may have no use for its results"),
    ),
    Clause(
        "706.5",
        N_("Doubles: two dice with equal results."),
        N_("Judged on results after modifiers, for exactly two dice; an announcement must agree."),
        holds="mtg/706.5--doubles-by-modifier",
        violates="mtg/706.5--claimed-by-naturals.violates",
    ),
    Clause(
        "706.6",
        N_("An ignored roll never happened; among several lowest the player chooses."),
        N_(
            "Ignoring comes first, at once where there is no choice; nothing touches an ignored die."
        ),
        holds="mtg/706.6--barbarian-class",
        violates="mtg/706.6--not-the-lowest.violates",
    ),
    Clause(
        "706.7",
        N_("The planar die triggers “whenever you roll”, but numbers pass it by."),
        N_("Modifiers, tables, doubles, storing and lowest or highest pass it by, and are refused for it alone."),
        holds="mtg/706.7--triggers-rolled-and-nothing-with-numbers",
        violates="mtg/706.7--adjusted.violates",
    ),
    Clause(
        "706.8",
        N_("Results can be stored on a permanent."),
        N_("Only on a declared permanent of the player who rolled."),
        holds="mtg/706.8--permanent-declared",
        violates="mtg/706.8--declared-twice.violates",
    ),
    Clause(
        "706.8a",
        N_("Storing notes the kind of die and the result."),
        N_(
            "Each counted die is stored when the roll is settled, without an event; there must be room."
        ),
        holds="mtg/706.8a--centaur-of-attention",
        violates="mtg/706.8a--more-than-a-permanent-stores.violates",
    ),
    Clause(
        "706.8b",
        N_("Rerolling stored results rolls one die of the noted kind for each and stores the new ones."),
        N_("Kinds come from what was noted; old results are gone when the new dice show."),
        holds="mtg/706.8b--old-gone-new-stored",
        violates="mtg/706.8b--by-another-player.violates",
    ),
    Clause(
        "706.8c",
        N_("Abilities that store and that refer to stored results are linked."),
        N_("Only the permanent's own ability rerolls."),
        holds="mtg/706.8c--the-ability-of-the-same-permanent",
        violates="mtg/706.8c--the-ability-of-another-permanent.violates",
    ),
)
