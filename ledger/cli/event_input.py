"""Make an event from arguments: complete it by the actions that the rules offer, sign it, and print the result."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from ledger.cli.argv import parse_notation, read_member
from ledger.cli.describe import full_name, with_called
from ledger.cli.outcome import print_outcome
from ledger.cli.output import rollproof
from ledger.cli.play import Play
from ledger.cli.suggestions import only_they_know, suggest, unclear
from ledger.errors import TurnError, UsageError
from ledger.forms.form import Form, convert_body, form_of
from ledger.forms.offers import Offer, complete_body, offers_for
from rules.base import NotationError
from verifier.shell.exits import EXIT_CODES

if TYPE_CHECKING:
    from rules.actions import Action
    from rules.records import RollRecord

__all__ = ["actions_of", "do_offer", "perform", "tell_reading", "whole_body"]


def actions_of(play: Play, party: str) -> "tuple[Action, ...]":
    """Return the actions that a party can take now, due ones first, with people by their own names."""
    from rules.offered import offered

    called = play.replay.terms.called
    return tuple(with_called(action, called) for action in offered(play.session, party, play.replay.size))


def whole_body(play: Play, type: str, given: Mapping[str, Any], form: Form | None) -> dict[str, Any]:
    """Return the members of the intended body. Raises UsageError if input is missing, RefusedError out of turn."""
    party, system = play.call.acting, play.session.system
    actions = actions_of(play, party)
    found = complete_body(system, actions, type, given, form)
    if isinstance(found, Mapping):
        return dict(found)
    if found:
        return _asked(play, found)
    if form is not None and _is_whole(form, given):
        return {**form.fixed, **given}  # the rules say what is wrong with it
    nearest = _nearest(play, actions, type, given, form)
    if nearest is not None:
        return nearest
    if form is not None and given and any(action.type == type for action in actions):
        return {**form.fixed, **given}  # the schema says what is wrong with it
    play.check_turn(party, type)
    translate, waits = play.call.translate, play.session.waits_for()
    called = play.replay.terms.called
    told = {
        "party": full_name(party, called),
        "words": " ".join(form.words if form is not None else (type,)),
        "command": rollproof("do", play.short, "--as", party),
    }
    text = translate("{party} has no {words} to bring now; what {party} can do: {command}")
    if waits is not None and waits.party != party:
        text = translate("{other} goes on first ({choice}): {party} has no {words} to bring now")
        told |= {"other": full_name(waits.party, called), "choice": translate(waits.choice)}
    raise TurnError(text.format(**told))


def _asked(play: Play, found: list[Offer]) -> dict[str, Any]:
    from ledger.cli.prompts import asker

    ask = asker(play.call.out)
    if ask is not None:
        several = len(found) > 1 or found[0].unsaid
        offer = found[ask.which([o.action for o in found])] if several else found[0]
        return ask.whole(offer)
    raise UsageError(unclear(found, [_command(play, offer) for offer in found], play.call.translate))


def _command(play: Play, offer: Offer) -> list[str]:
    party, actions = play.call.acting, actions_of(play, play.call.acting)
    game, translate = play.short, play.call.translate
    return suggest(play.session.system, actions, offer.action, game, party, translate, offer.given)


def _is_whole(form: Form, given: Mapping[str, Any]) -> bool:
    """Return True if the members make a body that the schema accepts; the rules are not asked."""
    try:
        convert_body({**form.fixed, **given}, form.system.bodies[form.type], "", str)
    except UsageError:
        return False
    return True


def _nearest(
    play: Play, actions: "tuple[Action, ...]", type: str, given: Mapping[str, Any], form: Form | None
) -> dict[str, Any] | None:
    """Complete the members by an offered action that takes other values, so that the rules say what is wrong."""
    for offer in offers_for(play.session.system, actions, type, {} if form is None else form.fixed, form):
        names = {*offer.action.body, *(field.name for field in offer.action.fields)}
        body = {**offer.body, **given}
        if given.keys() - offer.form.claims <= names and _is_whole(offer.form, body):
            return body
    return None


def perform(play: Play, type: str, members: Any, *, only: bool = False) -> None:
    """Append an event of the rules and its consequences, and print them. Raises Exit if a roll shows no dice yet."""
    system, translate = play.session.system, play.call.translate
    what = translate("this {type}").format(type=type)
    body = convert_body(members, system.bodies[type], what, translate)
    opened: Sequence[RollRecord] = system.rolls(play.session.game)[1]
    named = members.get("roll")
    subject = named if isinstance(named, int) else opened[-1].roll if opened else None
    if type in ("roll", "reroll"):
        play.request(type, body, only=only)
        subject = subject if type == "reroll" and isinstance(named, int) else play.written[0]
    else:
        play.act(type, body)
    print_outcome(play, subject)
    pending = play.replay.pending
    if pending is not None and pending.seq in play.written:
        raise typer.Exit(EXIT_CODES["waiting"])


def tell_reading(play: Play, type: str, body: Any) -> None:
    """Print how a line was read, if it could have meant something else."""
    from ledger.forms.readback import read_back

    system = play.session.system
    if type in system.bodies and isinstance(body, Mapping):
        reading = read_back(system, actions_of(play, play.call.acting), type, body)
        if reading is not None:
            play.call.out.note(reading.message(play.call.translate))


def do_offer(play: Play, action: "Action", words: list[str]) -> dict[str, Any]:
    """Return the body of an action, from `NAME=VALUE` or a line of notation, asked for where there is a terminal."""
    from ledger.cli.prompts import asker

    system = play.session.system
    form = form_of(system, action.type, action.body)
    given = _typed(play, form, action, words)
    found = offers_for(system, [action], action.type, given, form)
    if not found:
        return {**action.body, **given}  # the rules say what is wrong with it
    (offer,) = found
    if not offer.missing:
        ask = asker(play.call.out) if action.fields and not words else None
        return dict(offer.body) if ask is None else ask.whole(offer)
    ask = asker(play.call.out)
    if ask is not None:
        return ask.whole(offer)
    raise UsageError(only_they_know(offer, play.call.translate, "{name}="))


def _typed(play: Play, form: Form, action: "Action", words: list[str]) -> dict[str, Any]:
    if not words:
        return {}
    names = {field.name for field in action.fields}
    pairs = [word.partition("=") for word in words]
    try:
        if all(equals and name in names for name, equals, _ in pairs):
            found: dict[str, list[str]] = {}
            for name, _, text in pairs:
                found.setdefault(name, []).append(text)
            return {name: _read(form, name, texts) for name, texts in found.items()}
        return parse_notation(form, " ".join(words))
    except NotationError as error:
        raise UsageError(error.message(play.call.translate)) from None


def _read(form: Form, name: str, texts: list[str]) -> Any:
    member = form.known[name]
    if member.how in ("flag", "switch"):
        return texts[-1] in ("yes", "true", "y", "1")
    return read_member(member, texts)
