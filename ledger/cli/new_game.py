"""`rollproof new`: open a game here as its keeper, or a table at a server."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import LINKS, PARTY, Links, complete_system, find_system
from ledger.cli.call import Call, complete_game, complete_identity
from ledger.cli.isolation import isolated
from ledger.cli.language import Translate
from ledger.cli.outcome import print_outcome
from ledger.cli.parties import read_late_role, read_party
from ledger.cli.play import Play
from ledger.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from ledger.seats.seat import Seat
    from rules import Body, Role
    from verifier import VerifierKey
    from verifier.log.bodies import Continued, Contributing, Permissions

__all__ = ["new", "options_of"]


def _party_option(help: str) -> Any:
    return typer.Option(metavar=PARTY, help=help, autocompletion=complete_identity)


def _server_option(flag: str, metavar: str | None, help: str, **more: Any) -> Any:
    return typer.Option(f"--{flag}", metavar=metavar, help=help, rich_help_panel="At a server", **more)


class _PartyNames(NamedTuple):
    """The parties of a game that is kept here."""

    keeper: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The identity that keeps the log.", autocompletion=complete_identity),
    ] = None
    player: Annotated[
        list[str] | None, _party_option("A player: an identity here, a verifier key, or a file with one.")
    ] = None
    gm: Annotated[list[str] | None, _party_option("A game master, if the rules have any; repeatable.")] = None
    judge: Annotated[list[str] | None, _party_option("A judge; repeatable.")] = None
    witness: Annotated[list[str] | None, _party_option("A witness, who contributes to the dice; repeatable.")] = None

    def roles(self) -> "Iterator[tuple[Role, str]]":
        """Yield who was named as what, in the order of the parties, without the keeper."""
        yield from (("player", text) for text in self.player or ())
        yield from (("gm", text) for text in self.gm or ())
        yield from (("judge", text) for text in self.judge or ())
        yield from (("witness", text) for text in self.witness or ())


class _GameTerms(NamedTuple):
    """The terms of a game, wherever it is kept."""

    contributors: Annotated[
        str, typer.Option(metavar="all|roller|NAME,…", help="Who contributes to the dice (see specs/protocol.md).")
    ] = "all"
    title: Annotated[str, typer.Option(metavar="TEXT", help="For people: what the game is called.")] = ""
    others_away: Annotated[
        bool, typer.Option("--others-away", help="All other contributors together may sign a party away.")
    ] = False
    admits: Annotated[
        list[str] | None,
        typer.Option("--admits", metavar="ROLE", help="Who may come later: player, gm, witness or judge. Repeatable."),
    ] = None
    sealed: Annotated[
        str,
        typer.Option(
            metavar="never|kept|everyone", help="Who may roll in secret: nobody, game masters, or players too."
        ),
    ] = "never"
    strike: Annotated[
        bool, typer.Option("--strike", help="All who play may together take the latest roll back (rollproof strike).")
    ] = False

    def permits(self) -> "Permissions":
        """Return what the game permits. Raises UsageError."""
        from msgspec import UNSET

        from verifier.log.bodies import Permissions

        return Permissions(
            admits=tuple(read_late_role(role) for role in self.admits or ()) or UNSET,
            away="others" if self.others_away else UNSET,
            sealed=_read_sealed(self.sealed) or UNSET,
            strike="all" if self.strike else UNSET,
        )


class _ServedTable(NamedTuple):
    """The options of a table at a server alone."""

    at: Annotated[
        str | None, _server_option("at", "URL", "A server that keeps the game: others sit down by links.")
    ] = None
    seat: Annotated[str, _server_option("seat", "ROLE", "Your own role at it: player, gm, judge, witness or none.")] = (
        "player"
    )
    link: Annotated[
        list[str] | None,
        _server_option(
            *("link", "ROLE"),
            "Make a link for gm, judge or witness too; players and spectators have one. Repeatable.",
        ),
    ] = None
    judge_after: Annotated[
        int | None,
        _server_option(
            *("judge-after", "SECONDS"),
            "The server's judge calls off a roll that has waited so long for somebody.",
            min=1,
            max=604_800,
        ),
    ] = None
    if_gone: Annotated[
        str | None,
        _server_option(
            *("if-gone", "on|wait"),
            "If somebody's phone dies: go on without them, or wait. You are asked if two play against each other.",
        ),
    ] = None
    post_results: Annotated[
        bool, _server_option("post-results", None, "The server posts each result to its channel.")
    ] = False
    public: Annotated[
        bool, _server_option("public", None, "Everybody can read the closed game, at the server's public address.")
    ] = False


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
    *,
    named: _PartyNames,
    system: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="The rules: the game's name, or the id (else the first of the list).",
            autocompletion=complete_system,
        ),
    ] = None,
    terms: _GameTerms,
    continues: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The earlier game that this one continues.", autocompletion=complete_game),
    ] = None,
    links: Links = LINKS,
    options: Annotated[
        str | None, typer.Option(metavar="JSON", help="The rules' options in JSON (or @FILE): rollproof GAME new.")
    ] = None,
    called: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT|NAME=TEXT",
            help="What you are called, in any script; without a server: what NAME is called. Repeatable.",
        ),
    ] = None,
    served: _ServedTable,
) -> None:
    """Open a game, as its keeper; or with --at a table at a server, which is then the keeper.

    The keeper signs the terms and commits to a seed chain.

    Parties are, in this order: the keeper, players, game masters, judges, witnesses, as given. Each then joins. At a
    server you name nobody: whoever has a link takes a seat (rollproof join LINK), and you start (rollproof start).
    """
    from rules import SYSTEMS

    id_ = find_system(system) if system else next(iter(SYSTEMS))
    body = options_of(id_, options, call.translate)
    if served.at is not None:
        if any(named) or continues:
            raise UsageError(
                "at a server nobody is named: each takes a seat by a link (--link ROLE makes more of them)"
            )
        _open_table(call, served.at, id_, body, terms, served, _own_called(called or []))
        return
    _check_no_server(served)
    play = _open_game(call, id_, body, named, terms, continues, called or [], links)
    if not call.out.json:
        text = call.translate("Game {game}").format(game=play.game.hex())
        call.out.say(text + (f", {isolated(terms.title)}" if terms.title else ""))
    print_outcome(play)


def _open_game(
    call: Call,
    system: str,
    options: "Body",
    named: _PartyNames,
    terms: _GameTerms,
    continues: str | None,
    called: list[str],
    links: int,
) -> Play:
    """Open a game here, as its keeper. Raises UsageError for parties or terms that it cannot have."""
    host = named.keeper or call.acting
    parties: list[tuple[VerifierKey, Role]] = [(call.home.key(host), "keeper")]
    parties += [(read_party(call, text), role) for role, text in named.roles()]
    if not named.player:
        raise UsageError("a game needs a player: --player NAME for each")
    names = [key.name for key, _ in parties]
    with _keeper_seat(call, host) as kept:
        line = kept.open_game(
            *(system, options, parties, _contributors(terms.contributors, names), terms.title),
            permits=terms.permits(),
            continues=_continued(call, continues),
            called=_called(called, names),
        )
        return _create(call, line, kept, links)


def _create(call: Call, line: bytes, kept: "Seat", links: int) -> Play:
    """Store the new game, and commit to the keeper's seed chain."""
    receipt = call.ledger.create(line, kept)
    play = Play(call, bytes.fromhex(receipt.game))
    play.table.receipts.append(receipt)
    with play.taking(kept):
        play.append(lambda view: kept.commit(view, links))
    return play


def _open_table(
    call: Call, address: str, system: str, options: "Body", terms: _GameTerms, served: _ServedTable, called: str | None
) -> None:
    """Open a table at a server."""
    from ledger.cli.online import TableWishes, open_at

    wishes = TableWishes(
        contributors=_contributing(terms.contributors),
        title=terms.title,
        judge_after=served.judge_after,
        posts=served.post_results,
        public=served.public,
        permits=terms.permits(),
    )
    more = served.link or ()
    open_at(call, address, system, options, served.seat, more, wishes, called=called, if_gone=served.if_gone)


def _check_no_server(served: _ServedTable) -> None:
    """Check that nothing was said that a server does. Raises UsageError."""
    if served.post_results:
        raise UsageError("--post-results is for a table at a server (--at URL), which posts them")
    if served.public:
        raise UsageError("--public is for a table at a server (--at URL), which makes the closed game public")
    if served.if_gone is not None:
        raise UsageError("--if-gone is for a table at a server (--at URL); here say --others-away, or nothing")
    if served.judge_after is not None:
        raise UsageError("--judge-after is for a table at a server (--at URL); here a judge is a party: --judge NAME")


def options_of(system: str, json: str | None, _: Translate) -> "Body":
    """Return the options of a new game from JSON; without, nothing is so that can be so or not. Raises UsageError."""
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
    from verifier.log.bodies import Continued

    if game is None:
        return None
    replay = Play(call, game).replay
    return Continued(replay.game.hex(), replay.tree.root().hex(), replay.size)


def _keeper_seat(call: Call, name: str) -> "AbstractContextManager[Seat]":
    """Return the keeper's seat, before there is a game."""
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
