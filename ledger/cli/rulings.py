"""`rollproof ruling` and `strike`: what a judge or all players change about a roll that was made."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import Game
from ledger.cli.call import Call
from ledger.cli.outcome import print_outcome
from ledger.cli.play import Play
from ledger.errors import UsageError

if TYPE_CHECKING:
    from rules import Ruling

__all__ = ["sign_ruling"]


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
    print_outcome(play, body.subject)


def _check_changes(play: Play, ruling: "Ruling") -> None:
    """Raises UsageError where a ruling would be signed and change nothing, as one on a reveal instead of its roll."""
    _ = play.call.translate
    import msgspec

    session, size = play.session, play.replay.size
    _check_stands(play, ruling.subject)
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


def _check_stands(play: Play, subject: int) -> None:
    """Raises UsageError where the subject of a void or correction is a ruling, or a roll that was struck."""
    _, session = play.call.translate, play.session
    ruled = {ruling.seq: ruling.subject for ruling in session.rulings}
    roll = session.view_roll(ruled.get(subject, subject))
    if roll is not None and roll["status"] == "struck":
        text = _(
            "roll {roll} is void, and stays so: no ruling makes it count again. To let it count after all, have the "
            "same roll made again, and correct the dice of the new roll to what these showed: rollproof ruling {game} "
            "correct --subject SEQ --result DIE=N --text REASON"
        )
        raise UsageError(text.format(roll=ruled.get(subject, subject), game=play.game.hex()[:12]))
    if subject in ruled:
        text = _(
            "event {seq} is a ruling, and a ruling is not taken back. Rule on the roll itself, where the latest "
            "correction of its dice counts: --subject {subject}"
        )
        raise UsageError(text.format(seq=subject, subject=ruled[subject]))


def _ruled(text: str) -> dict[str, Any]:
    die, _equals, result = text.partition("=")
    try:
        return {"die": int(die), "result": int(result)}
    except ValueError:
        raise UsageError(f"--result takes DIE=RESULT, for example 1=6; not {text!r}") from None


@command(app, "strike", signed=True, examples=["rollproof strike 9c31 --as alice"])
def strike(call: Call, game: Game) -> None:
    """Agree to take the latest roll back, after a mis-tap. When all who play have agreed, the roll counts for nothing.

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
    play.act("strike", Strike(latest.request))
    print_outcome(play)
