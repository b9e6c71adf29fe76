"""Sentences for the system's events (rules/data/sentences.py)."""

from rules.data.language import N_
from rules.data.sentences import Say, Sentences

__all__ = ["SENTENCES"]

_GIVEN = (
    Say(N_("the tag {tag} (irrelevant)"), "tag irrelevant"),
    Say(N_("the tag {tag}"), "tag !irrelevant"),
    Say(N_("drive {drive}"), "drive"),
)

SENTENCES: Sentences = {
    "declare sheet": (
        Say(
            N_("[Hand in the sheet of {character}|hands in a sheet for {character}]"),
            "",
            (
                Say(N_("stats: {stats}")),
                Say(N_("stress {stress} on the track {track}")),
                Say(N_("tags: {tags}")),
                Say(N_("drive {drive}")),
            ),
        ),
    ),
    "declare confirm": (Say(N_("[Confirm|confirms] the sheet of {player}")),),
    "declare call": (
        Say(
            N_("[Call|calls] {players} to roll {stat} against {difficulty}"),
            "",
            (
                Say(N_("for {source}")),
                Say(N_("a support roll"), "support"),
                Say(N_("in combat"), "combat"),
            ),
        ),
    ),
    "declare withdraw": (Say(N_("[Take|takes] back {@call}")),),
    "declare rest": (
        Say(N_("[Let|lets] {player} rest, recovering {tags}"), "tags"),
        Say(N_("[Let|lets] {player} rest, recovering no tag"), "tags="),
        Say(N_("[Let|lets] {player} rest, recovering all tags")),
    ),
    "declare roller": (Say(N_("[Let|lets] {player} roll for the group ({@call})")),),
    "declare vote": (
        Say(N_("[Vote|votes] to double down ({@roll})"), "double"),
        Say(N_("[Vote|votes] against doubling down ({@roll})")),
    ),
    "declare spend": (
        Say(
            N_("[Spend on|spends on] {buy} ({@roll})"),
            "",
            (
                Say(N_("amount {amount}"), "amount"),
                Say(N_("the tag {tag}"), "tag"),
                Say(N_("{text}"), "text"),
                Say(N_("for {player}"), "player"),
            ),
        ),
    ),
    "modify": (
        Say(
            N_("[Contribute|contributes]: {roller} rolls for the group ({@call})"),
            "",
            (
                Say(N_("the base stat"), "stat"),
                Say(N_("the stress track"), "stress"),
                *_GIVEN,
            ),
        ),
    ),
    "reroll": (Say(N_("[Double down|doubles down] ({@roll})")),),
    "resolve": (
        Say(
            N_("[Let|lets] it stand ({@roll})"),
            "",
            (
                Say(N_("{outcome}"), "outcome"),
                Say(N_("boons {boons}"), "boons?"),
                Say(N_("banes {banes}"), "banes?"),
                Say(N_("damage {damage}"), "damage?"),
                Say(N_("drive {drive}"), "drive?"),
            ),
        ),
    ),
    "roll": (Say(N_("[Roll|rolls] for {@call}"), "", _GIVEN),),
    "TagBody": (Say(N_("{stars} (exhausted)"), "exhausted"), Say(N_("{stars}"))),
}
