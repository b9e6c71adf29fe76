"""`rollproof new`: open a game here as its keeper, or a table at a server."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ledger.cli.app import Call, app, command, complete_game, complete_identity
from ledger.cli.arguments import LINKS, Links, complete_system, find_system
from ledger.cli.isolation import isolated
from ledger.cli.language import Translate
from ledger.cli.parties import read_late_role, read_party
from ledger.cli.play import Play
from ledger.errors import UsageError

if TYPE_CHECKING:
    from ledger.lobby import Contributing
    from rules import Body, Role
    from verifier import VerifierKey
    from verifier.log.format import Continued

__all__ = ["new", "options_of"]


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
        from ledger.cli.online import TableWishes, open_at

        if keeper or player or gm or judge or witness or continues:
            raise UsageError(
                "at a server nobody is named: each takes a seat by a link (--link ROLE makes more of them)"
            )
        wishes = TableWishes(
            contributors=_contributing(contributors),
            title=title,
            others_away=others_away,
            judge_after=judge_after,
            admits=[read_late_role(role) for role in admits or ()],
            posts=post_results,
            public=public,
            sealed=_read_sealed(sealed),
            strikes=strike,
        )
        own_called = _own_called(called or [])
        open_at(call, at, id_, body, seat, link or (), wishes, called=own_called, if_gone=if_gone)
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
    parties += [(read_party(call, text), role) for role, texts in roles for text in texts or ()]
    if not player:
        raise UsageError("a game needs a player: --player NAME for each")
    listed = _contributors(contributors, [key.name for key, _ in parties])
    with _keeper_seat(call, host) as kept:
        line = kept.open_game(
            *(id_, body, parties, listed, title),
            others_away=others_away,
            continues=_continued(call, continues),
            admits=[read_late_role(role) for role in admits or ()],
            sealed=_read_sealed(sealed),
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


def _keeper_seat(call: Call, name: str) -> Any:
    """The keeper's seat, before there is a game."""
    from contextlib import closing

    from ledger.cli.passphrase import passphrase

    return closing(call.home.seat(name, passphrase(name)))


def _read_sealed(text: str) -> Literal["kept", "everyone"] | None:
    """Parse --sealed. Raises UsageError."""
    match text:
        case "never":
            return None
        case "kept" | "everyone":
            return text
        case _:
            raise UsageError(f"--sealed is never, kept or everyone; not {text!r}")


def _contributing(text: str) -> "Contributing":
    """Parse the contributors of a table: all, roller, or names, whose seats may still be free."""
    match text:
        case "all":
            return "all"
        case "roller":
            return "roller"
        case _:
            return tuple(name.strip() for name in text.split(","))


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
