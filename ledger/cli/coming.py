"""People who join a running game on a server (specs/network.md, "Who comes later")."""

from typing import TYPE_CHECKING

from ledger.cli.outcome import print_outcome
from ledger.cli.output import command_line
from ledger.cli.play import Play
from ledger.errors import UsageError, WaitingError

if TYPE_CHECKING:
    from ledger.client.connection import Connection
    from ledger.client.tables import CheckedTable
    from ledger.lobby import Link, LobbySeat
    from ledger.seats.identity import Identity

__all__ = ["ask_at", "let_in_at"]


def ask_at(
    play: Play, connection: "Connection", link: "Link", me: "Identity", called: str | None, *, patient: bool
) -> None:
    """Ask to join a running game that admits more people, until the host admits this party.

    `patient`: wait without limit; else look once. Raises WaitingError if the host has not admitted the party yet,
    LobbyError if the server admitted another party or without the host's word, ServerError if the host refused.
    """
    from msgspec import UNSET

    from ledger.client.tables import sit
    from ledger.lobby import check_newcomer

    assert play.carrier is not None
    assert link.role != "spectator", "who looks on asks for nothing"
    _, remoted, role = play.call.translate, play.call.remoted, link.role
    play.carrier.fetch()
    so = UNSET if called is None else called
    if check_newcomer(play.replay, me.key, role, so) or role not in play.replay.terms.admits:
        return
    shown = remoted.run(sit(connection, remoted.remotes, link, me, called))
    host = shown.terms.host_key.name
    text = _("The game has begun. {name} asks to come in ({role}), and waits for {host}, who lets {name} in with:")
    told = text.format(name=me.name, role=_(role), host=host)
    command = command_line("admit", link.table.hex()[:12], me.name, "--as", host)
    if not play.call.out.json:
        play.call.out.say(told + command)
    while not check_newcomer(play.replay, me.key, role, so):
        if not patient:
            text = _("{name} waits for {host} to let {name} in: run the same again")
            raise WaitingError(text.format(name=me.name, host=host))
        if not play.carrier.wait():
            play.carrier.be_patient()


def let_in_at(play: Play, name: str | None) -> None:
    """Admit a person who asks to join, as the host, when no roll is pending; without a name, list those who ask.

    Raises UsageError if nobody of this name asks; WaitingError if a roll waits for others.
    """
    from ledger.cli.parties import identity_of
    from ledger.client.tables import let_in, link_of, look
    from ledger.lobby import asking, check_newcomer

    assert play.carrier is not None
    _, remoted, carrier = play.call.translate, play.call.remoted, play.carrier
    remote = remoted.remotes.of_game(play.game)
    if remote is None or remote.table is None:
        raise UsageError("this game has no table: nobody asks to come in")
    link = link_of(remote, "player")
    if name is None:
        _tell_asking(play, [*asking(remoted.run(look(carrier.connection, link)).seats, play.replay.terms)])
        return
    if name in play.replay.terms.keys:
        raise UsageError(f"{name} is in this game already")
    me = identity_of(play.call)

    def give() -> "CheckedTable":
        carrier.fetch()
        shown: CheckedTable = remoted.run(let_in(carrier.connection, link, me, play.replay, name))
        return shown

    shown = play.when_settled(give)
    carrier.fetch()
    seat = next(seat for seat in shown.seats if seat.name == name)
    if not check_newcomer(play.replay, seat.party_key, seat.role, seat.called):
        raise UsageError(f"the server says that {name} is let in, and the log does not show it")
    seq = play.replay.conduct.late[name].seq
    text = _("{name} is let in ({role}): event {seq}. {name} plays from its first seed chain on.")
    play.notes.append(text.format(name=name, role=_(seat.role), seq=seq))
    print_outcome(play, seq=seq)


def _tell_asking(play: Play, asks: "list[LobbySeat]") -> None:
    """Print who asks to join, and the command that admits them."""
    from ledger.cli.table_terms import seat_name

    _, out = play.call.translate, play.call.out
    if out.json:
        out.value({"game": play.game.hex(), "asking": [{"name": each.name, "role": each.role} for each in asks]})
        return
    if not asks:
        out.say(_("Nobody asks to come in."))
    for each in asks:
        text = _("{name} asks to come in ({role}):").format(name=seat_name(each), role=_(each.role))
        out.say(text + command_line("admit", play.short, each.name))
