"""The clauses of Double Down in our own words, and how a log is held to each (specs/doubledown.md, "Clauses")."""

from rules.base import Clause

CLAUSES = (
    Clause(
        "R1",
        "A GM calls the roll: base stat and difficulty. Only players roll.",
        "A roll without a GM's call, or by somebody it does not name, is refused.",
    ),
    Clause(
        "R2",
        "Modifier: base stat and stress track, at most one tag, up to five drive.",
        "Computed from sheets that player and GM both signed; exhausted tags and drive not there are refused.",
    ),
    Clause(
        "R3",
        "Natural 19–20 and 1–2 are critical ahead of any total; else total against difficulty.",
        "The outcome is computed; an announced one must agree.",
    ),
    Clause(
        "R4",
        "Once, the roller may double down: the second die moves the outcome by one or two tiers.",
        "A second doubling, another's, and one after the end are refused; an announced outcome must agree.",
    ),
    Clause(
        "R5",
        "Boons or banes follow from final outcome and difficulty; boons from drive are never multiplied.",
        "Computed; the roller spends boons, a GM banes, and never more than there are.",
    ),
    Clause("R6", "In combat the outcome deals damage.", "Computed; announced damage must agree."),
    Clause("R7", "Any failure gives the roller one drive.", "Added to the roller's sheet and to no other."),
    Clause("R8", "A plain success in a support roll gives half the boons.", "Computed; announced boons must agree."),
    Clause(
        "R9",
        "A group adds one stat, one tag, one stress track and five drive; it votes on doubling down.",
        "Each gives only their own; roller and doubling down need the group's signatures.",
    ),
    Clause("T1", "The table of outcomes.", "Read by R4, R5, R6 and R8; no event can break it by itself."),
    Clause("T2", "The table of difficulties.", "A call under difficulty 10 is refused."),
    Clause("T3", "What boons buy.", "Other purchases, and recovering what is not lost, are refused."),
    Clause("T4", "What banes buy.", "Other purchases, and stress that the track has no room for, are refused."),
)
