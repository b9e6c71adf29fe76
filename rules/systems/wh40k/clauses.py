"""The clauses of the system, with how the verifier enforces each (specs/wh40k.md, "Clauses")."""

from rules.base import Clause
from rules.data.language import N_

CLAUSES = (
    Clause(
        "W1",
        N_("A D3 is a D6, halved and rounded up."),
        N_("Other dice are refused; an announced result must agree."),
        holds="wh40k/W1--each-natural",
        violates="wh40k/W1--a-5-is-no-2.violates",
    ),
    Clause(
        "W2",
        N_("Modifiers to a roll are cumulative: divide, multiply, add, subtract, round up once."),
        N_("The result is computed in this order whatever was declared first; an announced one must agree."),
        holds="wh40k/W2--divide-before-add",
        violates="wh40k/W2--rounded-twice.violates",
    ),
    Clause(
        "W3",
        N_("No die is ever rerolled twice, and rerolls come before modifiers."),
        N_("Modifiers act when the roll is settled, whenever they were declared; a second reroll of a die is refused."),
        holds="wh40k/W3--once-each",
        violates="wh40k/W3--twice-by-another-rule.violates",
    ),
    Clause(
        "W4",
        N_("Dice that are added are rerolled together; a rule that names results rerolls those dice alone."),
        N_("Rerolls of other dice than the rule allows are refused."),
        holds="wh40k/W4--sum-whole",
        violates="wh40k/W4--one-die-of-a-sum.violates",
    ),
    Clause(
        "W5",
        N_("For a D3 the halved value tells what may be rerolled."),
        N_("Rerolls of other dice are refused."),
        holds="wh40k/W5--a-2-is-a-1",
        violates="wh40k/W5--a-3-is-a-2.violates",
    ),
    Clause(
        "W6",
        N_("A roll has failed before modifiers or not at all."),
        N_("Rerolls of what has not failed are refused."),
        holds="wh40k/W6--failed-before-modifiers",
        violates="wh40k/W6--a-3-is-not-yet-failed.violates",
    ),
    Clause(
        "W7",
        N_("Unmodified is after rerolls and before modifiers; “on a 1” looks at the modified value."),
        N_("The system sets off abilities; announced ones must agree."),
        holds="wh40k/W7--unmodified-6-at-minus-1",
        violates="wh40k/W7--an-unmodified-1-is-not-on-a-1.violates",
    ),
    Clause(
        "W8",
        N_(
            "Characteristics: set, divide, multiply, add, subtract, round up; S, T, A, Ld at least 1; "
            "“-” never changes."
        ),
        N_("Each is computed step by step; an announced one must agree; changes of “-” do nothing."),
        holds="wh40k/W8--weapon-and-ability-together",
        violates="wh40k/W8--plus-1-doubled.violates",
    ),
    Clause(
        "W9",
        N_(
            "A random Move is rolled once for the unit when it is selected; others for each model or weapon, each time."
        ),
        N_("A second Move roll for a selection is refused; other random values are rolled where they are needed."),
        holds="wh40k/W9--move-once-for-the-unit",
        violates="wh40k/W9--move-twice.violates",
    ),
    Clause(
        "W10",
        N_("Only attacks that are alike are rolled together."),
        N_("Others are refused, with the attribute that differs; one attack at a time always goes."),
        holds="wh40k/W10--two-groups-alike",
        violates="wh40k/W10--bs.violates",
    ),
    Clause(
        "W11",
        N_("Wounds are allocated and saved one at a time; a wounded or chosen model keeps taking them."),
        N_("One save at a time is accepted, for such a model; if a game agrees, several that alter nothing."),
        holds="wh40k/W11--the-wounded-model-first",
        violates="wh40k/W11--another-than-the-wounded.violates",
    ),
    Clause(
        "W12",
        N_("Mortal wounds of several attacks come after all normal damage to the target, those of one after its own."),
        N_("Earlier ones are refused, and more than are owed or than the model has wounds left."),
        holds="wh40k/W12--after-all-normal-damage",
        violates="wh40k/W12--before-a-save.violates",
    ),
    Clause(
        "W13",
        N_("“Has an AP of” sets it before all modifiers; “is treated as” looks at it and acts after them."),
        N_("The system computes AP in this order; an announced AP must agree."),
        holds="wh40k/W13--dour-duty-and-bastion",
        violates="wh40k/W13--set-does-not-come-last.violates",
    ),
    Clause(
        "W14",
        N_("An AP of 0 cannot be worsened."),
        N_("AP is never above 0; an announced AP must agree."),
        holds="wh40k/W14--nothing-to-worsen",
        violates="wh40k/W14--plus-1.violates",
    ),
    Clause(
        "W15",
        N_("A hit or wound roll is modified by at most 1 in either direction."),
        N_("The result is capped; an announced one must agree."),
        holds="wh40k/W15--plus-2-is-plus-1",
        violates="wh40k/W15--plus-2-claimed.violates",
    ),
    Clause(
        "W16",
        N_("An unmodified 6 hits and wounds; an unmodified 1 fails, also as a save."),
        N_("The system decides so; the rolls that are announced to pass must agree."),
        holds="wh40k/W16--a-6-hits",
        violates="wh40k/W16--a-1-that-saves.violates",
    ),
    Clause(
        "W17",
        N_("Strength and Toughness decide what the wound roll needs."),
        N_("An announced target or success must agree."),
        holds="wh40k/W17--more-than-half",
        violates="wh40k/W17--s-5-against-t-8.violates",
    ),
    Clause(
        "W18",
        N_("A save adds AP, an invulnerable save ignores it."),
        N_("The system computes both; an invulnerable save that the model does not have is refused."),
        holds="wh40k/W18--invulnerable",
        violates="wh40k/W18--no-invulnerable-save.violates",
    ),
    Clause(
        "W19",
        N_("Attacks take their course, each step by its player; phases come in their order."),
        N_("Steps and phases out of turn are refused; steps without a choice happen by themselves."),
        holds="wh40k/W19--the-next-step-settles",
        violates="wh40k/W19--save-while-the-attacker-may-reroll.violates",
    ),
    Clause(
        "W20",
        N_("Declarations fit the table; one target is finished before the next."),
        N_("Units and models that are not there, and rules that come too late for the dice, are refused."),
        holds="wh40k/W20--one-target-then-the-next",
        violates="wh40k/W20--another-target-in-between.violates",
    ),
    Clause(
        "W21",
        N_("The Command Re-roll takes one roll, once in a phase."),
        N_("A second one is refused; a roll that it could take waits for it, until it is used or waived."),
        holds="wh40k/W21--a-charge",
        violates="wh40k/W21--twice-in-a-phase.violates",
    ),
    Clause(
        "W22",
        N_("A model that ignores wounds rolls a die for each."),
        N_("Its wounds are not inflicted without that roll; an announcement must agree."),
        holds="wh40k/W22--a-die-for-each",
        violates="wh40k/W22--not-skipped.violates",
    ),
    Clause(
        "W23",
        N_("Hits and attacks that an ability makes set off no ability on their hit roll."),
        N_("The system counts hits, attacks and mortal wounds; abilities that cannot be are refused."),
        holds="wh40k/W23--exploding-6s",
        violates="wh40k/W23--ap-on-a-hit-roll.violates",
    ),
    Clause(
        "W24",
        N_("Blast: at least 3 attacks against 6 models or more, the most possible against 11 or more."),
        N_("The number is computed; rolling for it where it is known is refused."),
        holds="wh40k/W24--six-models",
        violates="wh40k/W24--rolled-against-eleven.violates",
    ),
    Clause(
        "W25",
        N_("In a roll-off the highest die wins; players who share it roll again until somebody has won."),
        N_("Ties are rolled again at once, and the winner is shown; modifying or rerolling a roll-off is refused."),
        holds="wh40k/W25--the-highest-has-won",
        violates="wh40k/W25--modified.violates",
    ),
)
