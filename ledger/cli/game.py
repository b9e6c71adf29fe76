"""`rollproof new`, `join`, `commit`, `leave`, `ruling`, `close`: from the opening of a game to its end."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ledger.cli.app import Call, app, command, complete_game, complete_identity
from ledger.cli.arguments import Game, Links, complete_system, find_system
from ledger.cli.isolation import isolated
from ledger.cli.language import Translate
from ledger.cli.output import command_line
from ledger.cli.play import Play
from ledger.errors import MissingError, TurnError, UsageError

if TYPE_CHECKING:
    from rules import Body, Role, Ruling
    from rules.base import LateRole
    from verifier import VerifierKey
    from verifier.log.format import Continued

LINKS = 1_024

_Party = "NAME|KEY|FILE"
_ONLINE = "At a server"


def _party_option(help: str) -> Any:
    return typer.Option(metavar=_Party, help=help, autocompletion=complete_identity)


@command(
    app,
    "new",
    signed=True,
    examples=[
        "rollproof new --keeper host --player alice --player bob --title 'Round 3, table 12'",
        "rollproof new --keeper host --player alice+4f5a1c0e+AbC… --player bob.txt --judge dana",
        "rollproof new --keeper host --player alice --player bob --contributors roller",
        "rollproof new --at https://dice.example.org --as alice --link judge",
        "rollproof new --at https://dice.example.org --as alice --if-gone on",
    ],
)
def new(
    call: Call,
    keeper: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The identity that keeps the log.", autocompletion=complete_identity),
    ] = None,
    player: Annotated[
        list[str] | None, _party_option("A player: an identity here, a verifier key, or a file with one.")
    ] = None,
    gm: Annotated[list[str] | None, _party_option("A game master, where the rules have any; repeatable.")] = None,
    judge: Annotated[list[str] | None, _party_option("A judge; repeatable.")] = None,
    witness: Annotated[list[str] | None, _party_option("A witness, who contributes to the dice; repeatable.")] = None,
    system: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="The rules: the game's name, or the id (else the first of the list).",
            autocompletion=complete_system,
        ),
    ] = None,
    contributors: Annotated[
        str, typer.Option(metavar="all|roller|NAME,…", help="Who contributes to the dice (see specs/protocol.md).")
    ] = "all",
    title: Annotated[str, typer.Option(metavar="TEXT", help="For people: what the game is called.")] = "",
    others_away: Annotated[
        bool, typer.Option("--others-away", help="All other contributors together may sign a party away.")
    ] = False,
    admits: Annotated[
        list[str] | None,
        typer.Option("--admits", metavar="ROLE", help="Who may come later: player, gm, witness or judge. Repeatable."),
    ] = None,
    sealed: Annotated[
        str,
        typer.Option(
            metavar="never|kept|everyone", help="Who may roll in secret: nobody, game masters, or players too."
        ),
    ] = "never",
    strike: Annotated[
        bool, typer.Option("--strike", help="All who play may together take the latest roll back (rollproof strike).")
    ] = False,
    continues: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game that this one goes on from.", autocompletion=complete_game),
    ] = None,
    links: Links = LINKS,
    options: Annotated[
        str | None, typer.Option(metavar="JSON", help="The rules' options in JSON (or @FILE): rollproof GAME new.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="URL",
            help="A server that keeps the game: others sit down by links.",
            rich_help_panel=_ONLINE,
        ),
    ] = None,
    seat: Annotated[
        str,
        typer.Option(
            metavar="ROLE", help="Your own role at it: player, gm, judge, witness or none.", rich_help_panel=_ONLINE
        ),
    ] = "player",
    link: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ROLE",
            help="Make a link for gm, judge or witness too; players, and who looks on, have one. Repeatable.",
            rich_help_panel=_ONLINE,
        ),
    ] = None,
    judge_after: Annotated[
        int | None,
        typer.Option(
            "--judge-after",
            metavar="SECONDS",
            min=1,
            max=604_800,
            help="The server's judge calls off a roll that has waited so long for somebody.",
            rich_help_panel=_ONLINE,
        ),
    ] = None,
    called: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT|NAME=TEXT",
            help="What you are called, in any script; without a server: what NAME is called. Repeatable.",
        ),
    ] = None,
    if_gone: Annotated[
        str | None,
        typer.Option(
            "--if-gone",
            metavar="on|wait",
            help="If somebody's phone dies: go on without them, or wait. Asked where two play against each other.",
            rich_help_panel=_ONLINE,
        ),
    ] = None,
    post_results: Annotated[
        bool,
        typer.Option("--post-results", help="The server posts each result to its channel.", rich_help_panel=_ONLINE),
    ] = False,
    public: Annotated[
        bool,
        typer.Option(
            "--public",
            help="Everybody can read the closed game, at the server's public address.",
            rich_help_panel=_ONLINE,
        ),
    ] = False,
) -> None:
    """Open a game, as its keeper; or with --at a table at a server, which is then the keeper.

    The keeper signs the terms and commits to a seed chain.

    Parties are, in this order: the keeper, players, game masters, judges, witnesses, as given. Each then joins.
    At a server nobody is named: who has a link takes a seat (rollproof join LINK), and you start (rollproof start).
    """
    from rules import SYSTEMS

    _ = call.translate
    id_ = find_system(system) if system else next(iter(SYSTEMS))
    body = options_of(id_, options, _)
    if at is not None:
        from ledger.cli.online import open_at

        if keeper or player or gm or judge or witness or continues:
            raise UsageError(
                "at a server nobody is named: each takes a seat by a link (--link ROLE makes more of them)"
            )
        open_at(
            *(call, at, id_, body, seat, link or ()),
            contributors=contributors,
            title=title,
            called=_own_called(called or []),
            if_gone=if_gone,
            others_away=others_away,
            judge_after=judge_after,
            admits=[_late_role(role) for role in admits or ()],
            posts=post_results,
            public=public,
            sealed=read_sealed(sealed),
            strikes=strike,
        )
        return
    if post_results:
        raise UsageError("--post-results is for a table at a server (--at URL), which posts them")
    if public:
        raise UsageError("--public is for a table at a server (--at URL), which makes the closed game public")
    if if_gone is not None:
        raise UsageError("--if-gone is for a table at a server (--at URL); here say --others-away, or nothing")
    if judge_after is not None:
        raise UsageError("--judge-after is for a table at a server (--at URL); here a judge is a party: --judge NAME")
    host = keeper or call.acting
    parties: list[tuple[VerifierKey, Role]] = [(call.home.key(host), "keeper")]
    roles: tuple[tuple[Role, list[str] | None], ...] = (
        ("player", player),
        ("gm", gm),
        ("judge", judge),
        ("witness", witness),
    )
    parties += [(_read_party(call, text), role) for role, texts in roles for text in texts or ()]
    if not player:
        raise UsageError("a game needs a player: --player NAME for each")
    listed = _contributors(contributors, [key.name for key, _ in parties])
    with _keeper_seat(call, host) as kept:
        line = kept.open_game(
            *(id_, body, parties, listed, title),
            others_away=others_away,
            continues=_continued(call, continues),
            admits=[_late_role(role) for role in admits or ()],
            sealed=read_sealed(sealed),
            strikes=strike,
            called=_called(called or [], [key.name for key, _ in parties]),
        )
        receipt = call.ledger.create(line, kept)
        play = Play(call, bytes.fromhex(receipt.game))
        play.table.receipts.append(receipt)
        with play.taking(kept):
            play.append(lambda view: kept.commit(view, links))
    if not call.out.json:
        call.out.say(_("Game {game}").format(game=receipt.game) + (f", {isolated(title)}" if title else ""))
    play.tell()


@command(
    app,
    "join",
    signed=True,
    examples=[
        "rollproof join 9c31 --as alice",
        "rollproof join 'https://dice.example.org/t/7d0c…e1#player.pZ3v…' --as bob",
    ],
)
def join(
    call: Call,
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME|LINK",
            help="The game, or the link that you were sent to a table on a server.",
            autocompletion=complete_game,
            show_default=False,
        ),
    ],
    links: Links = LINKS,
    called: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="With a link: what you are called, in any script; your key keeps its name."),
    ] = None,
    lost: Annotated[
        bool,
        typer.Option("--lost", help="With a link: you play there, and the home or browser with your key is lost."),
    ] = False,
    no_watch: Annotated[
        bool, typer.Option("--no-watch", help="At a server: return when you have joined, and do not go on as `watch`.")
    ] = False,
) -> None:
    """Agree to a game's terms, and commit to a seed chain. With a LINK: take a seat, and wait for the start first.

    The digital dice are part of the terms. Who contributes to no dice (a judge) commits to nothing.
    With a link an identity is made if there is none of your name, and what the server began is compared with the table
    that you were shown. Then this goes on as `rollproof watch`: what has to be opened for a roll opens by itself.
    """
    from ledger.cli.online import is_link, join_at

    if is_link(game):
        join_at(call, game, links, called, watch=not no_watch, lost=lost)
        return
    if lost:
        raise UsageError("--lost is for a link; without a server the keeper says who goes on (rollproof replace)")
    if called is not None:
        raise UsageError("--called is for a link; without a server whoever opens the game says what each is called")
    join_game(Play(call, game), links)


def join_game(play: Play, links: int) -> None:
    """Join as the acting identity, commit if the keeper is here, and print the result."""
    from rules.protocol import Back, Join
    from verifier.report import trust_statement

    name, _ = play.call.acting, play.call.translate
    play.check(name, "join", Join())
    with play.seat(name) as seat:
        play.append(seat.join)
        if name in play.session.parties.away:  # a new key, in the place of one that is lost
            play.append(lambda view: seat.sign(view, "back", Back(name)))
        if play.replay.terms.may_contribute(name):
            play.append(lambda view: seat.commit(view, links))
    play.tend()
    if play.carrier is None and not play.keeper_here:
        text = _("Send {keeper}, who keeps the log, what you export; go on when the log with your join is back:")
        play.away = text.format(keeper=play.replay.terms.keeper) + command_line(
            "export", play.short, "--out", "join.jsonl"
        )
    play.notes.append(trust_statement(play.replay, _))
    play.tell()


@command(app, "commit", signed=True, examples=["rollproof commit 9c31 --as alice --links 4096"])
def commit(call: Call, game: Game, links: Links = LINKS) -> None:
    """Commit to a new seed chain.

    Between rolls; it replaces the one from before. A chain lasts for as many rolls as it has links, less one:
    the last link is for the commitment that replaces it, so commit anew when a chain is used up.
    """
    play, name = Play(call, game), call.acting
    _check_may_commit(play, name)
    with play.seat(name) as seat:
        play.append(lambda view: seat.commit(view, links))
    play.tell()


@command(
    app,
    "leave",
    signed=True,
    examples=["rollproof leave 9c31 --as alice", "rollproof leave 9c31 --party bob --as dana"],
)
def leave(
    call: Call,
    game: Game,
    party: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whom a judge takes out; default: yourself.")
    ] = None,
) -> None:
    """Leave a game, or take a party out as a judge."""
    sign_presence(Play(call, game), "leave", party or call.acting)


@command(
    app,
    "away",
    signed=True,
    examples=["rollproof away 9c31 --as alice", "rollproof away 9c31 --party bob --as dana"],
)
def away(
    call: Call,
    game: Game,
    party: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whom a judge signs away; default: yourself.")
    ] = None,
) -> None:
    """Be away for a while: until you are back no roll waits for you, and you have no part in the dice.

    A judge can sign somebody else away. Where the game's terms say so, all other contributors together can too.
    """
    sign_presence(Play(call, game), "away", party or call.acting)


def sign_presence(play: Play, type: str, party: str, members: Mapping[str, str] = MappingProxyType({})) -> None:
    """Sign a leave, away or back of a party as the acting identity; the seat adds the openings to disclose."""
    from ledger.forms.form import convert_body
    from rules.protocol import Back
    from verifier.log.format import AwayBody, LeaveBody

    author, translate = play.call.acting, play.call.translate
    schema = {"leave": LeaveBody, "away": AwayBody, "back": Back}[type]
    body = convert_body({"party": party, **members}, schema, translate("this {type}").format(type=type), translate)
    play.when_settled(lambda: play.check(author, type, body))
    with play.seat(author) as seat:
        if type == "back":
            play.append(lambda view: seat.sign(view, type, body))
        else:
            sign = seat.leave if type == "leave" else seat.away
            play.append(lambda view: sign(view, party))
    play.tell()


@command(
    app, "back", signed=True, examples=["rollproof back 9c31 --as alice", "rollproof back 9c31 --accept --as alice"]
)
def back(
    call: Call,
    game: Game,
    party: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who is back, as a judge says; default: yourself.")
    ] = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="The rolls that were made without you count: in luck and seasons too.")
    ] = False,
) -> None:
    """Be back after having been away.

    Rolls that were made while somebody else had signed you away count in no luck and no season until you accept them.
    """
    sign_presence(Play(call, game), "back", party or call.acting, {"accept": "rolls"} if accept else {})


_GameOrLink = Annotated[
    str,
    typer.Argument(
        metavar="GAME|LINK",
        help="The game, or a link to its table on a server.",
        autocompletion=complete_game,
        show_default=False,
    ),
]


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
        typer.Argument(
            metavar="NAME|KEY|FILE",
            help="Who comes: an identity here, a verifier key, or its file; at a server the name of who asks.",
            show_default=False,
        ),
    ] = None,
    role: Annotated[str, typer.Option(metavar="ROLE", help="player, gm, witness or judge.")] = "player",
) -> None:
    """Let somebody in when the game has begun: as its keeper, or at a server as the host of the table.

    At a server whoever has the link asks to come in (rollproof join LINK). Without a name this tells who asks.
    Whoever comes then joins (rollproof join GAME), and is waited for from its first seed chain on. Until all others
    have consented (rollproof consent) a judge judges nothing, and nobody who came later has a say in what the others
    decide.
    """
    from verifier.log.format import AdmitBody

    play = Play(call, _begun(call, game))
    if play.carrier is not None:
        from ledger.cli.coming import let_in_at

        let_in_at(play, party)
        return
    if party is None:
        raise UsageError("say who comes: an identity here, a verifier key, or its file")
    body = AdmitBody(str(_read_party(call, party)), _late_role(role))
    _sign_and_tell(play, "admit", body)


def _begun(call: Call, text: str) -> str:
    """Return the game that an id, a title or a link to its table names. Raises UsageError."""
    from ledger.cli.online import is_link, remote_of

    if not is_link(text):
        return text
    found = remote_of(call, text).game
    if found is None:
        raise UsageError("the game of this table has not begun: who is to play sits down (rollproof join LINK)")
    return found


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
        str | None,
        typer.Argument(
            metavar="KEY|FILE",
            help="The new verifier key, or its file; at a server the key of who asks.",
            show_default=False,
        ),
    ] = None,
    succession: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What the recovery key signed (rollproof identity successions)."),
    ] = None,
) -> None:
    """Let somebody whose home or browser is lost go on under a new key, while it is away.

    At a server whoever has the link asks to go on (rollproof join LINK --lost). Without a key this tells who asks; with
    one it calls the lost key away, and consents to the new one. Without a server it is for the keeper.

    With a succession the recovery key says so. Without one all others who play have to consent (rollproof consent), two
    or more. Then the owner of the new key runs rollproof join GAME. Until it has joined, the old key can still be back.
    """
    from msgspec import UNSET

    from ledger.cli.files import read_bounded
    from verifier.log.format import ReplaceBody
    from verifier.log.succession import MAX_SUCCESSIONS_FILE, parse_successions

    play = Play(call, _begun(call, game))
    if play.carrier is not None:
        from ledger.cli.lost import let_go_on_at

        let_go_on_at(play, party)
        return
    if party is None:
        raise UsageError("say under which key: a verifier key, or its file")
    key = str(_read_party(call, party))
    found = () if succession is None else parse_successions(read_bounded(succession, MAX_SUCCESSIONS_FILE))
    last = next((one for one in found if one.new == key), None)
    if succession is not None and last is None:
        raise UsageError(f"no succession of {succession} leads to {key}")
    _sign_and_tell(play, "replace", ReplaceBody(key, UNSET if last is None else last))


@command(app, "strike", signed=True, examples=["rollproof strike 9c31 --as alice"])
def strike(call: Call, game: Game) -> None:
    """Agree to take the latest roll back, after a mis-tap. When all who play have, nothing comes of it.

    It takes two or more, before anything is played on the roll, in a game that was opened with --strike. Its dice stay
    in the log, and every report tells who agreed.
    """
    from rules.protocol import Strike

    play = Play(call, game)
    latest = play.session.latest
    if latest is None:
        text = call.translate(
            "there is no roll here that all can take back: something was played on the latest one, it was taken back "
            "already, or the game was opened without --strike; a judge can rule it void (rollproof ruling)"
        )
        raise UsageError(text)
    _sign_and_tell(play, "strike", Strike(latest.request))


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
        str, typer.Argument(metavar="NAME|KEY", help="Who came later; or the key under which somebody is to go on.")
    ],
) -> None:
    """Consent to somebody who came later, or to somebody's new key.

    Who came later judges, or has a say like everybody else, when all players, game masters and witnesses who are in the
    game have consented. A new key, of somebody whose browser or home is lost, takes the place of the old one when all
    others have, two or more: ask its owner first, by another way. It is named by the whole key, since another can ask
    in its place meanwhile.
    """
    from rules.protocol import Consent

    play = Play(call, _begun(call, game))
    parties = play.session.parties
    asked = parties.asked.get(party.partition("+")[0])
    if asked is not None and asked.key == party:
        number = asked.replace
    elif party in parties.late and (asked is None or asked.recovered or parties.is_newcomer(party)):
        number = parties.late[party].admit
    elif asked is not None and not asked.recovered:
        from ledger.cli.lost import say_which_key

        raise say_which_key(party, [asked.key])
    else:
        raise UsageError(f"{party} neither came later to this game nor asks to go on: there is nothing to consent to")
    _sign_and_tell(play, "consent", Consent(number))


def _sign_and_tell(play: Play, type: str, body: "Body") -> None:
    author = play.call.acting
    play.when_settled(lambda: play.check(author, type, body))
    with play.seat(author) as seat:
        play.append(lambda view: seat.sign(view, type, body))
    play.tell()


@command(
    app,
    "ruling",
    signed=True,
    examples=[
        "rollproof ruling 9c31 void --subject 12 --text 'Announced too late' --as dana",
        "rollproof ruling 9c31 correct --subject 12 --result 1=6 --text 'The die was cocked' --as dana",
        "rollproof ruling 9c31 penalty --subject 12 --party bob --text 'Slow play' --as dana",
    ],
)
def ruling(
    call: Call,
    game: Game,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="void, correct, uphold or penalty.")],
    subject: Annotated[int, typer.Option(metavar="SEQ", min=0, help="The number of the event that it is about.")],
    text: Annotated[str, typer.Option(metavar="TEXT", help="The reason.")],
    party: Annotated[str | None, typer.Option(metavar="NAME", help="Whom a penalty concerns.")] = None,
    result: Annotated[
        list[str] | None, typer.Option(metavar="DIE=N", help="For correct: a result that stands; repeatable.")
    ] = None,
) -> None:
    """Rule, as a judge: one more event, which changes no history."""
    members: dict[str, Any] = {"ruling": kind, "subject": subject, "text": text}
    members |= {"party": party} if party is not None else {}
    members |= {"results": [_ruled(told) for told in result]} if result else {}
    sign_ruling(Play(call, game), members)


def sign_ruling(play: Play, members: dict[str, Any]) -> None:
    """Sign a ruling as the acting identity. Raises UsageError if it would change nothing."""
    from ledger.forms.form import convert_body
    from rules import Ruling

    body: Ruling = convert_body(members, Ruling, play.call.translate("this ruling"), play.call.translate)
    if body.ruling in ("void", "correct"):
        _check_changes(play, body)
    play.act("ruling", body)
    play.tell(body.subject)


def _check_changes(play: Play, ruling: "Ruling") -> None:
    """Raises UsageError where a ruling would be signed and change nothing, as one on a reveal instead of its roll."""
    _ = play.call.translate
    import msgspec

    session, size = play.session, play.replay.size
    if not 0 <= ruling.subject < size or session.system.rule(session.game, ruling) is not session.game:
        return
    event = msgspec.json.decode(next(play.ledger.view(play.game).lines(ruling.subject)))
    told = _("event {seq} is {author}'s {type}").format(seq=ruling.subject, author=event["author"], type=event["type"])
    before = {"reveal": 1, "void": 1, "disclose": 2}.get(event["type"])
    roll = event["body"].get("roll") if before is None else ruling.subject - before
    if isinstance(roll, int):
        text = _("{told}, no roll, so the ruling would change nothing. Its roll is event {roll}: --subject {roll}")
        raise UsageError(text.format(told=told, roll=roll))
    if ruling.ruling == "correct":
        text = _("{told}: this correction would change nothing. Name the roll's event, and with --result what stands")
        raise UsageError(text.format(told=told))
    play.notes.append(
        _("{told}, no roll that the state keeps: the ruling stands, and changes no dice").format(told=told)
    )


@command(app, "close", signed=True, examples=["rollproof close 9c31 --as host"])
def close(call: Call, game: Game) -> None:
    """End a game, as its keeper; or as the host of its table at a server, which then closes it.

    A roll that still waits is left without dice: the log says so, and has all that was opened for it.
    """
    _ = call.translate
    from ledger.cli.online import close_at
    from verifier.log.format import Close

    play, name = Play(call, game), call.acting
    if not (play.carrier is not None and close_at(play)):
        play.check(name, "close", Close())
        with play.seat(name) as seat:
            play.append(lambda view: seat.close_game(view, play.ledger.openings(play.game)))
    replay = play.replay
    text = _("Size and root of the log, to compare with others' copies: {size} {root}")
    play.notes.append(text.format(size=replay.size, root=replay.tree.root().hex()))
    play.tell()


def options_of(system: str, json: str | None, _: Translate) -> "Body":
    """The options of a new game from JSON; without, nothing is so that can be so or not. Raises UsageError."""
    from ledger.cli.jsonoption import read_json
    from ledger.forms.form import convert_body, option_members
    from rules import SYSTEMS

    told: Any = {m.name: False for m in option_members(SYSTEMS[system]) if m.required and m.how == "switch"}
    if json is not None:
        told = read_json("--options", json, _)
    what = _("the options of {system}").format(system=system)
    body: Body = convert_body(told, SYSTEMS[system].options, what, _)
    return body


def _own_called(texts: list[str]) -> str | None:
    """Return the one --called of a table at a server. Raises UsageError for several."""
    if len(texts) > 1:
        raise UsageError("at a server --called says what you are called: say it once")
    return texts[0] if texts else None


def _called(texts: list[str], names: list[str]) -> dict[str, str]:
    """Parse NAME=TEXT; return the text by name. Raises UsageError."""
    found: dict[str, str] = {}
    for text in texts:
        name, given, called = text.partition("=")
        if not given or name not in names:
            raise UsageError(f"--called is NAME=TEXT, NAME one of {', '.join(names)}: {text!r} is not")
        found[name] = called
    return found


def _continued(call: Call, game: str | None) -> "Continued | None":
    """Id, size and root of the game that another goes on from."""
    from verifier.log.format import Continued

    if game is None:
        return None
    replay = Play(call, game).replay
    return Continued(replay.game.hex(), replay.tree.root().hex(), replay.size)


def _read_party(call: Call, text: str) -> "VerifierKey":
    """A verifier key: of an identity here, as given, or from a file."""
    from ledger.cli.files import read_bounded
    from verifier import VerifierKey

    if text in call.home.names():
        return call.home.key(text)
    if text.count("+") >= 2 and not Path(text).exists():
        return VerifierKey.parse(text)
    try:
        line = read_bounded(Path(text), 1_000).decode().partition("\n")[0].strip()
    except (FileNotFoundError, UnicodeDecodeError, ValueError):
        raise MissingError(
            f"{text!r} is no identity here, no verifier key (name+hash+base64) and no file with one. "
            f"Ask that party for: rollproof identity show"
        ) from None
    return VerifierKey.parse(line)


def _keeper_seat(call: Call, name: str) -> Any:
    """The keeper's seat, before there is a game."""
    from contextlib import closing

    from ledger.cli.passphrase import passphrase

    return closing(call.home.seat(name, passphrase(name)))


def read_sealed(text: str) -> Literal["kept", "everyone"] | None:
    """Parse --sealed. Raises UsageError."""
    match text:
        case "never":
            return None
        case "kept" | "everyone":
            return text
        case _:
            raise UsageError(f"--sealed is never, kept or everyone; not {text!r}")


def _late_role(text: str) -> "LateRole":
    """A role in which somebody may come later. Raises UsageError."""
    from typing import get_args

    from rules.base import LateRole

    for role in get_args(LateRole):
        if role == text:
            known: LateRole = role
            return known
    raise UsageError(f"{text!r} is no role in which somebody comes later: player, gm, witness or judge")


def _contributors(text: str, names: list[str]) -> Literal["all", "roller"] | tuple[str, ...]:
    """`all`, `roller`, or the named parties in party order. Raises UsageError."""
    if text == "all":
        return "all"
    if text == "roller":
        return "roller"
    listed = text.split(",")
    for name in listed:
        if name not in names:
            raise UsageError(
                f"--contributors: {name!r} is no party of this game; write all, roller, or names: {', '.join(names)}"
            )
    return tuple(name for name in names if name in listed)


def _check_may_commit(play: Play, name: str) -> None:
    """Check that a party may commit, before `Seat.commit` spends time on a chain. Raises TurnError."""
    from verifier.log.format import MIN_CHAIN, Commit

    play.check(name, "commit", Commit(MIN_CHAIN, "0" * 64))
    if not play.replay.terms.may_contribute(name):
        raise TurnError(f"{name} contributes to no roll of this game, so has nothing to commit to")


def _ruled(text: str) -> dict[str, Any]:
    die, _equals, result = text.partition("=")
    try:
        return {"die": int(die), "result": int(result)}
    except ValueError:
        raise UsageError(f"--result takes DIE=RESULT, for example 1=6; not {text!r}") from None
