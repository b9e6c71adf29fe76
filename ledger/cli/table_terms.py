"""The terms and the seats of a table in words, for its host and for whoever is about to agree (specs/network.md)."""

from typing import TYPE_CHECKING

from ledger.cli.call import Call
from ledger.cli.isolation import isolated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.client.tables import CheckedTable
    from ledger.lobby import LobbySeat, TableTerms
    from rules.base import LateRole

__all__ = ["seat_name", "tell_seats", "tell_terms"]


def tell_terms(call: Call, terms: "TableTerms") -> None:
    """Print what a table's terms permit, and what its server does with the game."""
    from rules.base import given

    judge = given(terms.judge, None)
    _tell_judge(call, None if judge is None else judge.after, others_away=terms.away == "others")
    _tell_late(call, given(terms.admits, ()), terms.host_key.name)
    _tell_posts(call, given(terms.posts, None))
    _tell_public(call, given(terms.public, None))
    _tell_secret(call, given(terms.sealed, None))
    if terms.strike == "all":
        text = call.translate(
            "After a mis-tap, all who play can together take back the latest roll, before anything is played on "
            "it. Its dice stay in sight, and every report says so."
        )
        call.out.say(text)


def _tell_judge(call: Call, after: int | None, *, others_away: bool) -> None:
    """Print what happens to a roll that waits for an absent party."""
    _ = call.translate
    if after is None:
        text = _(
            "A roll waits for every contributor, however long. If one cannot come back, the party that opens last can "
            "call the roll off before opening; so can a judge. Otherwise the game ends there."
        )
        call.out.say(text)
        return
    text = _(
        "The server's judge calls off a roll that has waited for {seconds} s. The operator of the server runs its "
        "judge too, and could call off a roll whose dice they do not like. The log counts and shows each."
    )
    call.out.say(text.format(seconds=after))
    if others_away:
        text = _("All others together can then sign away the people it named, until they are back, and go on.")
    else:
        text = _("The next roll waits again for the people it named, if they contribute.")
    call.out.say(text)


def _tell_late(call: Call, admits: "Sequence[LateRole]", host: str) -> None:
    """Print who may join the running game."""
    _ = call.translate
    if not admits:
        call.out.say(_("Nobody can come in when the game has begun."))
        return
    text = _("When the game has begun {host} can still let somebody in, who asks by the link: {roles}.")
    call.out.say(text.format(host=host, roles=", ".join(_(role) for role in admits)))


def _tell_posts(call: Call, place: str | None) -> None:
    """Print the channel to which the server posts results, if any."""
    if place is not None:
        text = call.translate("The server posts each result, with names and what it was for, to {place}.")
        call.out.say(text.format(place=isolated(place)))


def _tell_public(call: Call, address: str | None) -> None:
    """Print where everybody can read the closed game, if anywhere."""
    if address is not None:
        text = call.translate(
            "When the game is closed, everybody can read all of its log at {address}: names, dice, and what they "
            "were for. Copies that people made stay with them, even if the table is deleted."
        )
        call.out.say(text.format(address=isolated(address)))


def _tell_secret(call: Call, sealed: str | None) -> None:
    """Print who may roll in secret, if anybody."""
    _ = call.translate
    if sealed is None:
        return
    who = _("Game masters") if sealed == "kept" else _("Game masters and players")
    text = _(
        "{who} may roll behind a screen. Only the holder of such a roll sees its dice, and chooses whether to "
        "show them. Nothing in the game depends on it. The log counts the rolls that are not shown."
    )
    call.out.say(text.format(who=who))


def seat_name(seat: "LobbySeat") -> str:
    """Return the party's own name and the name of its key."""
    from msgspec import UnsetType

    from ledger.cli.describe import full_name

    return full_name(seat.name, {} if isinstance(seat.called, UnsetType) else {seat.name: seat.called})


def tell_seats(call: Call, shown: "CheckedTable") -> None:
    """Print the seats of a table, and names that look alike; not those that ask to go on in another's place."""
    from msgspec import UNSET

    _ = call.translate
    seats = ", ".join(f"{seat_name(seat)} ({_(seat.role)})" for seat in shown.seats if seat.replaces is UNSET)
    call.out.say(_("At the table: {seats}").format(seats=seats or _("nobody")))
    for name, other in shown.alike():
        text = _("{name} looks like {other}, but is somebody else: ask who that is, without using this server.")
        call.out.say(text.format(name=name, other=other))
