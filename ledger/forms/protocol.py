"""The sentences of the protocol's own events, in a table like those of the systems (rules/data/sentences.py)."""

from collections.abc import Mapping

from rules.data.language import N_
from rules.data.sentences import Say, Sentences

__all__ = ["ROLES", "SENTENCES"]

ROLES: Mapping[str, str] = {
    "keeper": N_("keeper"),
    "player": N_("player"),
    "gm": N_("game master"),
    "judge": N_("judge"),
    "witness": N_("witness"),
    "spectator": N_("spectator"),
}

_RULED = (Say(N_("{party}"), "party"), Say(N_("{results}"), "results"), Say(N_("{text}"), "text"))

SENTENCES: Sentences = {
    "open": (Say(N_("[Open the game {title}|opens the game {title}]")),),
    "join": (Say(N_("[Agree to the terms|agrees to the terms]")),),
    "commit": (Say(N_("[Commit to a new seed chain|commits to a new seed chain]")),),
    "admit": (Say(N_("[Let {@key} in as {role}|lets {@key} in as {role}]")),),
    "replace": (Say(N_("[Let {@key} go on under a new key|lets {@key} go on under a new key]")),),
    "consent": (
        Say(N_("[Consent to who came later, or to a new key|consents to who came later, or to a new key] ({@admit})")),
    ),
    "leave": (
        Say(N_("[Leave the game|leaves the game]"), "@own"),
        Say(N_("[Take {party} out of the game|takes {party} out of the game]")),
    ),
    "away": (Say(N_("[Be away|is away]"), "@own"), Say(N_("[Sign {party} away|signs {party} away]"))),
    "back": (
        Say(N_("[Come back and accept|is back and accepts] the rolls that were made meanwhile"), "@own accept"),
        Say(N_("[Come back|is back]"), "@own"),
        Say(N_("[Say that {party} is back|says that {party} is back]")),
    ),
    "object": (Say(N_("[Show|shows] a part that was called missing ({@request})")),),
    "close": (Say(N_("[Close the game|closes the game]")),),
    "void": (Say(N_("[Call the roll off|calls the roll off]"), "", (Say(N_("not opened: {missing}"), "missing"),)),),
    "ruling": (
        Say(N_("[Rule the roll void|rules the roll void] ({@subject})"), "ruling=void", _RULED),
        Say(N_("[Correct dice|corrects dice] ({@subject})"), "ruling=correct", _RULED),
        Say(N_("[Uphold what stands|upholds what stands] ({@subject})"), "ruling=uphold", _RULED),
        Say(N_("[Give a penalty|gives a penalty] ({@subject})"), "", _RULED),
    ),
    "strike": (Say(N_("[Take the roll back|agrees to take the roll back] ({@roll})")),),
    "seal": (Say(N_("[Fix secrets for secret rolls|fixes secrets for secret rolls]")),),
    "show": (
        Say(
            N_("[Show the secret roll|shows the secret roll] ({@request})"),
            "naturals",
            (Say(N_("{naturals}")), Say(N_("for {text}"), "text")),
        ),
        Say(N_("[Give the secret of the roll|gives the secret of the roll] ({@request})")),
    ),
    "reveal": (Say(N_("[Show the dice|shows the dice]"), "", (Say(N_("{naturals}"), "naturals"),)),),
    "disclose": (Say(N_("[Disclose what was opened|discloses what was opened]")),),
    "RuledResult": (Say(N_("die {die} shows {result}")),),
}
