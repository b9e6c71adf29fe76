"""The clauses of the system, with how the verifier enforces each (specs/doubledown.md, "Clauses")."""

from rules.base import Clause
from rules.data.language import N_

CLAUSES = (
    Clause(
        "R1",
        N_("A GM calls the roll: base stat and difficulty. Only players roll."),
        N_("A roll without a GM's call, by somebody it does not name, or by a GM is refused."),
        holds="doubledown/R1--called-and-rolled",
        violates="doubledown/R1--no-call.violates",
    ),
    Clause(
        "R2",
        N_("Modifier: base stat and stress track, at most one tag, up to five drive."),
        N_("Computed from sheets that player and GM both signed; exhausted tags and drive not there are refused."),
        holds="doubledown/R2--all-sources",
        violates="doubledown/R2--drive-not-there.violates",
    ),
    Clause(
        "R3",
        N_("Natural 19–20 and 1–2 are critical before any total; otherwise the total is compared with the difficulty."),
        N_("The outcome is computed; an announced one must agree."),
        holds="doubledown/R3--natural-19-under-the-difficulty",
        violates="doubledown/R3--total-before-natural.violates",
    ),
    Clause(
        "R4",
        N_("Once, the roller may double down: the second die moves the outcome by one or two tiers."),
        N_("A second doubling, another's, one after the end, and another roll before the choice are refused."),
        holds="doubledown/R4--failure-and-20",
        violates="doubledown/R4--twice.violates",
    ),
    Clause(
        "R5",
        N_("Boons or banes follow from final outcome and difficulty; boons from drive are never multiplied."),
        N_("Computed; the roller spends boons, a GM banes, and never more than there are."),
        holds="doubledown/R5--worked-example",
        violates="doubledown/R5--overspent.violates",
    ),
    Clause(
        "R6",
        N_("In combat the outcome deals damage."),
        N_("Computed; announced damage must agree."),
        holds="doubledown/R6--critical",
        violates="doubledown/R6--damage-overstated.violates",
    ),
    Clause(
        "R7",
        N_("Any failure gives the roller one drive."),
        N_("Added to the roller's sheet and to no other."),
        holds="doubledown/R7--failure-gives-drive",
        violates="doubledown/R7--two-drive-claimed.violates",
    ),
    Clause(
        "R8",
        N_("A plain success in a support roll gives half the boons."),
        N_("Computed; announced boons must agree."),
        holds="doubledown/R8--half-boons",
        violates="doubledown/R8--whole-boons-claimed.violates",
    ),
    Clause(
        "R9",
        N_("A group adds one stat, one tag, one stress track and five drive; it votes on doubling down."),
        N_("Each gives only their own; more than half of those who are there say who rolls and whether to double."),
        holds="doubledown/R9--roller-breaks-the-tie",
        violates="doubledown/R9--against-the-vote.violates",
    ),
    Clause(
        "T1",
        N_("The table of outcomes."),
        N_("Read by R4, R5, R6 and R8; no event can break it by itself."),
        holds="doubledown/T1--every-tier",
        unviolable=N_("a table that R4, R5, R6 and R8 read: a wrong reading breaks one of those"),
    ),
    Clause(
        "T2",
        N_("The table of difficulties."),
        N_("A call under difficulty 10 is refused."),
        holds="doubledown/T2--every-column",
        violates="doubledown/T2--difficulty-9.violates",
    ),
    Clause(
        "T3",
        N_("What boons buy."),
        N_("Other purchases, and recovering what is not lost, are refused."),
        holds="doubledown/T3--everything",
        violates="doubledown/T3--tag-not-exhausted.violates",
    ),
    Clause(
        "T4",
        N_("What banes buy."),
        N_("Other purchases, and stress that the track has no room for, are refused."),
        holds="doubledown/T4--everything",
        violates="doubledown/T4--track-is-full.violates",
    ),
)
