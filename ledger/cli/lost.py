"""A lost home or browser replaced in a running game on a server (specs/network.md, "A lost browser")."""

from typing import TYPE_CHECKING

from ledger.cli.outcome import print_outcome
from ledger.cli.output import command_line
from ledger.cli.play import Play
from ledger.errors import TurnError, UsageError, WaitingError

if TYPE_CHECKING:
    from ledger.client.connection import Connection
    from ledger.lobby import Link, LobbySeat
    from ledger.seats.identity import Identity
    from verifier import VerifierKey

__all__ = ["go_on_at", "let_go_on_at", "say_which_key"]


def go_on_at(play: Play, connection: "Connection", link: "Link", me: "Identity", *, patient: bool) -> None:
    """Ask to go on as a party of a running game under a new key, until the log says that it may join.

    `patient`: wait without limit; else look once. Raises WaitingError if it may not join yet; LobbyError, ServerError
    if it is refused.
    """
    from ledger.client.tables import ask_to_go_on, wish_for
    from ledger.seats.fork_guard import waits
    from verifier.log.succession import parse_successions

    assert play.carrier is not None
    _, remoted, name = play.call.translate, play.call.remoted, me.name
    play.carrier.fetch()
    if play.replay.terms.keys.get(name) == me.key:
        return
    chain = parse_successions(play.call.home.successions(name))
    seat = remoted.run(ask_to_go_on(connection, link, me, play.replay, chain))
    recovered = bool(seat.succession)
    _tell_asked(play, me.key, recovered=recovered)
    while not (waits(play.replay, me.key) and _may_join(play, name)):
        if recovered and name in play.session.parties.away and not waits(play.replay, me.key):
            play.when_settled(lambda: remoted.run(wish_for(connection, link, me, play.game, me.key)))
            play.carrier.fetch()
            continue
        if not patient:
            raise WaitingError(_("{name} waits for the others: run the same again").format(name=name))
        if not play.carrier.wait():
            play.carrier.be_patient()


def _may_join(play: Play, name: str) -> bool:
    """Return True if the recovery key has signed for a party's new key, or all others have consented to it."""
    session = play.session
    agreed = len(session.parties.key_consents(name)) > 1 and not session.parties.missing_key_consents(name)
    return not session.parties.asked[name].asks or agreed


def _tell_asked(play: Play, key: "VerifierKey", *, recovered: bool) -> None:
    from verifier.checkpoints.code import key_code

    _, out = play.call.translate, play.call.out
    if out.json:
        return
    if recovered:
        text = _("{name} goes on under a new key, as the recovery key says, when the old one is away. The others type:")
    else:
        text = _("{name} goes on under a new key when all others, two or more, have consented to it. The others type:")
    out.say(text.format(name=key.name) + command_line("replace", play.short, str(key)))
    if not recovered:
        out.say(_("The code of your key, to read out to them: {code}").format(code=key_code(key)))


def let_go_on_at(play: Play, key: str | None) -> None:
    """Let somebody go on who asks to: call its lost key away, wish, and consent, as far as it can be done now.

    `key`: the verifier key that asks; without it, list those who ask. Raises UsageError if it does not ask;
    WaitingError if the party is not away yet.
    """
    from ledger.cli.parties import identity_of
    from ledger.client.tables import link_of, look, wants_to_go_on, wish_for
    from rules.protocol import Consent

    assert play.carrier is not None
    remoted, carrier = play.call.remoted, play.carrier
    remote = remoted.remotes.of_game(play.game)
    if remote is None or remote.table is None:
        raise UsageError("this game has no table: nobody asks to go on")
    link = link_of(remote, "player")
    carrier.fetch()
    asks = wants_to_go_on(remoted.run(look(carrier.connection, link)), play.replay)
    if key is None:
        _tell_going_on(play, asks)
        return
    seat = _meant(asks, key)
    name, me = seat.name, identity_of(play.call)
    if play.replay.terms.keys.get(me.name) != me.key:
        raise TurnError(play.call.translate("{name} is no party of this game").format(name=me.name))
    _call_away(play, name, me.name)
    if seat.succession:
        play.notes.append(play.call.translate("{name} joins by itself.").format(name=name))
        print_outcome(play)
        return
    asked = play.session.parties.asked.get(name)
    if asked is None or asked.key != seat.key:
        play.when_settled(lambda: remoted.run(wish_for(carrier.connection, link, me, play.game, seat.party_key)))
        carrier.fetch()
        asked = play.session.parties.asked.get(name)
        if asked is None or asked.key != seat.key:
            raise UsageError(f"the server says that {name} may go on, and the log does not show it")
    if me.name in play.session.parties.missing_key_consents(name):
        number = asked.replace
        with play.seat(me.name) as own:
            play.append(lambda view: own.sign(view, "consent", Consent(number)))
    print_outcome(play)


def _call_away(play: Play, name: str, me: str) -> None:
    """Call a party away unless it is. Raises UsageError if nobody can; WaitingError if it is not away then."""
    session, _ = play.session, play.call.translate
    if name not in session.parties.away and me not in session.parties.calls.get(name, ()):
        if not play.replay.terms.others_away:
            raise UsageError(f"{name} is not away, and by the terms of this game the others cannot say so")
        with play.seat(me) as seat:
            play.append(lambda view: seat.away(view, name))
        assert play.carrier is not None
        play.carrier.fetch()
    if name not in play.session.parties.away:
        text = _(
            "{name} is away when all others have called and the server has not heard {name} for 15 s: then run the "
            "same again"
        )
        raise WaitingError(text.format(name=name))


def _meant(asks: "list[LobbySeat]", key: str) -> "LobbySeat":
    """Return the seat that asks with a key. Raises UsageError."""
    found = next((seat for seat in asks if seat.key == key), None)
    if found is not None:
        return found
    if keys := [seat.key for seat in asks if seat.name == key.partition("+")[0]]:
        raise say_which_key(key, keys)
    others = f": {', '.join(each.name for each in asks)} does" if asks else ""
    raise UsageError(f"{key} does not ask to go on{others}")


def say_which_key(text: str, keys: list[str]) -> UsageError:
    """Return the error for a name, or another key, where one of these keys of one name has to be named."""
    name = keys[0].partition("+")[0]
    told = f"{name} would go on under the key {keys[0]}"
    if len(keys) > 1:
        told = f"two ask to go on as {name}, under the keys {' and '.join(keys)}"
    if text != name:
        told += f", and not under {text}"
    return UsageError(f"{told}: ask {name} without using this server which key is theirs, and name that key")


def _tell_going_on(play: Play, asks: "list[LobbySeat]") -> None:
    """Print who asks to go on, and the command that lets them; and new keys in the log for which nobody asks."""
    from verifier.checkpoints.code import key_code

    _, out = play.call.translate, play.call.out
    keys = {each.key for each in asks}
    unasked = {name: asked.key for name, asked in play.session.parties.asked.items() if asked.key not in keys}
    if out.json:
        told = [{"name": each.name, "key": each.key, "recovered": bool(each.succession)} for each in asks]
        alone = [{"name": name, "key": key} for name, key in unasked.items()]
        out.value({"game": play.game.hex(), "asking": told, "unasked": alone})
        return
    for name, key in unasked.items():
        text = _(
            "The log names the key {key} for {name}, but nobody asks for it with a link of this table: only the "
            "server says so. Consent to nothing before you have asked {name} without using this server. {name} "
            "ends it with:"
        )
        out.say(text.format(name=name, key=key) + command_line("back", play.short, "--as", name))
    if not asks and not unasked:
        out.say(_("Nobody asks to go on under a new key."))
    for each in asks:
        if each.succession:
            text = _("{name} asks to go on under the key {key}, as {name}'s recovery key says:")
        else:
            text = _(
                "Somebody with the link asks to go on as {name} under the key {key}. Ask {name} without using "
                "this server, and let {name} read out the code of the new key. The code of this key is {code}."
            )
        words = text.format(name=each.name, key=each.key, code=key_code(each.party_key))
        out.say(words + command_line("replace", play.short, each.key))
