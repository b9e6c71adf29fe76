"""`rollproof admit`, `replace` and `consent`: who comes when the game has begun, or goes on under a new key."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import PARTY, game_argument
from ledger.cli.call import Call
from ledger.cli.outcome import print_outcome
from ledger.cli.parties import read_late_role, read_party
from ledger.cli.play import Play
from ledger.errors import UsageError

_GameOrLink = Annotated[str, game_argument("GAME|LINK", "The game, or a link to its table on a server.")]


def _who(metavar: str, help: str) -> Any:
    """Return the argument that names who comes; without it the command tells who asks."""
    return typer.Argument(metavar=metavar, help=help, show_default=False)


@command(
    app,
    "admit",
    signed=True,
    examples=[
        "rollproof admit 9c31 carol --role player",
        "rollproof admit 9c31 dana.key --role judge --as host",
        "rollproof admit 'https://dice.example.org/t/7d0c…e1#player.pZ3v…' carol --as alice",
    ],
)
def admit(
    call: Call,
    game: _GameOrLink,
    party: Annotated[
        str | None,
        _who(PARTY, "The newcomer: an identity here, a verifier key, or its file; at a server the name that asks."),
    ] = None,
    role: Annotated[str, typer.Option(metavar="ROLE", help="player, gm, witness or judge.")] = "player",
) -> None:
    """Let somebody in when the game has begun: as its keeper, or at a server as the host of the table.

    At a server whoever has the link asks to come in (rollproof join LINK). Without a name the command says who asks.
    The newcomer then joins (rollproof join GAME), and rolls wait for it from its first seed chain on. Until all others
    have consented (rollproof consent), a judge who came later judges nothing, and nobody who came later has a say in
    what the others decide.
    """
    from verifier.log.bodies import AdmitBody

    play = Play(call, _begun(call, game))
    if play.carrier is not None:
        from ledger.cli.coming import let_in_at

        let_in_at(play, party)
        return
    if party is None:
        raise UsageError("say who comes: an identity here, a verifier key, or its file")
    body = AdmitBody(str(read_party(call, party)), read_late_role(role))
    play.act("admit", body)
    print_outcome(play)


@command(
    app,
    "replace",
    signed=True,
    examples=[
        "rollproof replace 9c31 bob.key --succession bob.succession --as host",
        "rollproof replace 9c31 bob.key --as host",
        "rollproof replace 'https://dice.example.org/t/7d0c…e1#player.pZ3v…' bob+27d1…+AQ… --as alice",
    ],
)
def replace(
    call: Call,
    game: _GameOrLink,
    party: Annotated[
        str | None, _who("KEY|FILE", "The new verifier key, or its file; at a server the key of the one that asks.")
    ] = None,
    succession: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What the recovery key signed (rollproof identity successions)."),
    ] = None,
) -> None:
    """Let somebody whose home or browser is lost go on under a new key, while it is away.

    At a server whoever has the link asks to go on (rollproof join LINK --lost). Without a key the command says who
    asks; with one it calls the lost key away, and consents to the new one. Without a server only the keeper can do
    this.

    With a succession the recovery key decides. Without one all others who play must consent (rollproof consent), two or
    more. Then the owner of the new key runs rollproof join GAME. Until it has joined, the old key can still be back.
    """
    from msgspec import UNSET

    from ledger.cli.files import read_bounded
    from verifier.log.bodies import ReplaceBody
    from verifier.log.succession import MAX_SUCCESSIONS_FILE, parse_successions

    play = Play(call, _begun(call, game))
    if play.carrier is not None:
        from ledger.cli.lost import let_go_on_at

        let_go_on_at(play, party)
        return
    if party is None:
        raise UsageError("say under which key: a verifier key, or its file")
    key = str(read_party(call, party))
    found = () if succession is None else parse_successions(read_bounded(succession, MAX_SUCCESSIONS_FILE))
    last = next((one for one in found if one.new == key), None)
    if succession is not None and last is None:
        raise UsageError(f"no succession of {succession} leads to {key}")
    play.act("replace", ReplaceBody(key, UNSET if last is None else last))
    print_outcome(play)


@command(
    app,
    "consent",
    signed=True,
    examples=["rollproof consent 9c31 dana --as alice", "rollproof consent 9c31 bob+27d1…+AQ… --as alice"],
)
def consent(
    call: Call,
    game: _GameOrLink,
    party: Annotated[
        str, typer.Argument(metavar="NAME|KEY", help="The newcomer; or the key under which somebody is to go on.")
    ],
) -> None:
    """Consent to somebody who came later, or to somebody's new key.

    A newcomer judges, or has a say like everybody else, when all players, game masters and witnesses who are in the
    game have consented. The new key of somebody whose browser or home is lost takes the place of the old one when all
    others have consented, two or more: ask its owner first, by another way. Name the whole key, since another key can
    ask in its place meanwhile.
    """
    from rules.protocol import Consent

    play = Play(call, _begun(call, game))
    parties = play.session.parties
    asked = parties.asked.get(party.partition("+")[0])
    if asked is not None and asked.key == party:
        number = asked.replace
    elif party in parties.late and (asked is None or not asked.asks or parties.is_newcomer(party)):
        number = parties.late[party].admit
    elif asked is not None and asked.asks:
        from ledger.cli.lost import say_which_key

        raise say_which_key(party, [asked.key])
    else:
        raise UsageError(f"{party} neither came later to this game nor asks to go on: there is nothing to consent to")
    play.act("consent", Consent(number))
    print_outcome(play)


def _begun(call: Call, text: str) -> str:
    """Return the game that an id, a title or a link to its table names. Raises UsageError."""
    from ledger.cli.online import is_link, remote_of

    if not is_link(text):
        return text
    found = remote_of(call, text).game
    if found is None:
        raise UsageError("the game of this table has not begun: who is to play sits down (rollproof join LINK)")
    return found
