"""The next steps: the parties that are due, and commands for them, which work as printed.

A party on another machine gets no command of the rules: it would be typed on the wrong machine.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ledger.cli.describe import full_name, with_called
from ledger.cli.language import Translate
from ledger.cli.output import command_line

if TYPE_CHECKING:
    from ledger.cli.play import Play
    from ledger.game.core import KeptGame
    from rules import Session
    from rules.actions import Action
    from verifier import Replay

__all__ = ["Hint", "call_lines", "consent_lines", "hints", "idle_lines", "next_lines"]

_MOST = 6
"""hints for a party; of more, `rollproof do` tells"""


class Hint(NamedTuple):
    """Something that a party is waited for, and how it is typed."""

    party: str
    action: "Action"
    fields: str
    arguments: tuple[str, ...]


def hints(
    session: "Session",
    seq: int,
    game: str,
    translate: Translate = str,
    called: Mapping[str, str] = MappingProxyType({}),
) -> list[Hint]:
    """Return all that is due before event `seq`: the awaited party first, then in party order.

    `called`: parties' own names, by key name.
    """
    from ledger.cli.suggestions import suggest
    from ledger.forms.offers import fields_told
    from rules.offered import offered

    waits = session.waits_for()
    found = []
    for party in sorted(session.parties.roles, key=lambda name: waits is None or name != waits.party):
        actions = [with_called(action, called) for action in offered(session, party, seq)]
        for action in actions:
            if action.due:
                arguments = suggest(session.system, actions, action, game, party, translate)
                found.append(Hint(party, action, fields_told(action, translate), tuple(arguments)))
    return found


def _names(names: Iterable[str], called: Mapping[str, str]) -> str:
    return ", ".join(full_name(name, called) for name in names)


def idle_lines(play: "Play") -> list[str]:
    """Return the command that lists actions when nobody is awaited."""
    session, _ = play.session, play.call.translate
    at_table = session.parties.joined - session.parties.left - session.parties.away
    here = [name for name in session.parties.present("player", "gm") if name in at_table and play.is_here(name)]
    if session.phase != "idle" or not here:
        return []
    command = command_line("do", play.short, "--as", here[0])
    party = full_name(here[0], play.replay.terms.called)
    return [_("Nothing is waited for. What {party} can do:{command}").format(party=party, command=command)]


def next_lines(play: "Play") -> list[str]:
    """Return who is awaited, and the commands for this machine."""
    replay, game, _ = play.replay, play.short, play.call.translate
    session, here = replay.session, play.parties_here
    if session.phase == "closed":
        return []
    if session.phase == "voided":
        text = _("The roll was voided; {keeper} discloses what was opened for it: {command}")
        keeper, command = replay.terms.keeper, command_line("disclose", game, "--as", replay.terms.keeper)
        if play.carrier is not None:
            text = _("The roll was voided; {keeper} discloses what was opened for it.")
        return [text.format(keeper=full_name(keeper, replay.terms.called), command=command)]
    if replay.pending is not None and play.carrier is not None:
        return _online_pending_lines(play)
    if replay.pending is not None:
        return _pending_lines(replay, play.table.kept.awaited, game, here, _)
    if play.carrier is None and not play.keeper_here and not play.is_taken():
        text = _("Export the log and send it to {keeper}, who keeps the log. Go on when the log is back:")
        keeper = full_name(replay.terms.keeper, replay.terms.called)
        return [text.format(keeper=keeper) + command_line("export", game, "--out", f"{game}.jsonl")]
    return [
        *call_lines(replay, game, here, _, server=None if play.carrier is None else replay.terms.keeper),
        *consent_lines(replay, game, here, _),
        *_strike_lines(replay, game, here, _),
        *_commit_lines(play.table.kept, game, here, _),
        *_due_lines(play),
    ]


def _online_pending_lines(play: "Play") -> list[str]:
    """Return whom a roll on a server waits for: connected programs open by themselves."""
    _, awaited, terms = play.call.translate, play.table.kept.awaited, play.replay.terms
    here = [name for name in awaited if play.is_here(name)]
    elsewhere = _names((name for name in awaited if name not in here), terms.called)
    first = _names(here[:1], terms.called)
    lines = [_("The dice wait for {names}, whose program opens when it is there.").format(names=elsewhere)]
    command = command_line("watch", play.short, "--as", here[0]) if here else ""
    if here and elsewhere:
        lines.append(_("Then {name} opens, by itself with:{command}").format(name=first, command=command))
    elif here:
        lines = [_("The dice wait for {name}, who opens by itself with:{command}").format(name=first, command=command)]
    elif not elsewhere:
        lines = [_("All have opened; {keeper} shows the dice.").format(keeper=full_name(terms.keeper, terms.called))]
    return [*lines, *_go_on_lines(play, [name for name in awaited if name not in here])]


def _go_on_lines(play: "Play", gone: list[str]) -> list[str]:
    """Return how the others go on without who does not open, where its closer is here and the terms have it."""
    replay, _ = play.replay, play.call.translate
    assert replay.pending is not None
    closer, game = replay.pending.closer, play.short
    may = replay.terms.others_away and replay.terms.keepers_judge and replay.session.parties.may_call(closer)
    if not (gone and may and play.is_here(closer) and closer in play.table.kept.awaited):
        return []
    text = _(
        "If they do not come back within 15 s, all others together can go on without them. {name} first calls the roll "
        "off:"
    )
    missing = [word for name in gone for word in ("--missing", name)]
    commands = [command_line("void", game, *missing, "--as", closer)]
    commands += [command_line("away", game, "--party", name, "--as", closer) for name in gone]
    return [text.format(name=full_name(closer, replay.terms.called)) + "".join(commands)]


def _due_lines(play: "Play") -> list[str]:
    session, called, _ = play.session, play.replay.terms.called, play.call.translate
    uncommitted = bool(_uncommitted(play.table.kept))
    by_party: dict[str, list[Hint]] = {}
    for hint in hints(session, play.replay.size, play.short, _, called):
        if not (uncommitted and hint.action.type in ("roll", "reroll")):
            by_party.setdefault(hint.party, []).append(hint)
    lines = []
    for party, found in by_party.items():
        name = full_name(party, called)
        if party not in play.parties_here:
            labels = ", ".join(hint.action.label.message(_) for hint in found)
            lines.append(_("{party} goes on, at another machine: {labels}").format(party=name, labels=labels))
            continue
        told = [_labelled(hint, _) + command_line(*hint.arguments) for hint in found[:_MOST]]
        if len(told) == 1:
            lines.append(_("{party} goes on: {label}").format(party=name, label=told[0]))
            continue
        lines += [_("{party} goes on:").format(party=name), *told]
        if len(found) > _MOST:
            text = _("and {count} more:{command}")
            command = command_line("do", play.short, "--as", party)
            lines.append(text.format(count=len(found) - _MOST, command=command))
    return lines


def _labelled(hint: Hint, _: Translate) -> str:
    label = hint.action.label.message(_)
    return f"{label}; {hint.fields}:" if hint.fields else f"{label}:"


def _pending_lines(
    replay: "Replay", awaited: Sequence[str], game: str, here: Collection[str], _: Translate
) -> list[str]:
    text, keeper, called = _("The dice wait for {name} to open: {command}"), replay.terms.keeper, replay.terms.called
    files = _opening_files(replay, awaited, here)
    commands = {name: command_line("open", game, "--as", name, *files[name]) for name in awaited}
    lines = [text.format(name=full_name(name, called), command=command) for name, command in commands.items()]
    last = _("Then {keeper} reveals: {command}") if lines else _("The dice wait for {keeper} to reveal them: {command}")
    command = command_line("reveal", game, "--as", keeper, *files[keeper])
    return [*lines, last.format(keeper=full_name(keeper, called), command=command)]


def call_lines(
    replay: "Replay", game: str, here: Collection[str], _: Translate, server: str | None = None
) -> list[str]:
    """Return, for each party that some have called away, who has called it away and who has not.

    `server`: the keeper, where that is a server, which calls by itself.
    """
    lines, session, called = [], replay.session, replay.terms.called
    for party, callers in session.parties.calls.items():
        awaited = session.parties.have_to_call(party) - callers
        by, others = ([name for name in session.parties.roles if name in names] for names in (callers, awaited))
        text = _("{names} called {party} away; for it to take effect {others} must call too:")
        if awaited == {server}:
            text = _(
                "{names} called {party} away. It takes effect when the server finds that {party} is gone: a roll was "
                "called off with {party} as missing, and nothing was heard of {party} for 15 s."
            )
        commands = [command_line("away", game, "--party", party, "--as", name) for name in others if name in here]
        told = text.format(names=_names(by, called), party=full_name(party, called), others=_names(others, called))
        lines.append(told + "".join(commands))
    return lines


def consent_lines(replay: "Replay", game: str, here: Collection[str], _: Translate) -> list[str]:
    """Return the late parties without full rights, and the commands of those here who have yet to consent."""
    lines, session, called = [], replay.session, replay.terms.called
    for party in filter(session.parties.is_newcomer, session.parties.late):
        awaited = session.parties.missing_consents(party)
        if party in session.parties.left or not awaited:
            continue
        judge = _("{party} came later, and judges nothing until {names} have consented.")
        player = _("{party} came later, and has no say in what the others decide until {names} have consented.")
        text = judge if session.parties.roles[party] == "judge" else player
        lone = _("The keeper let {party} in alone.")
        who = full_name(party, called)
        alone = "" if replay.conduct.late[party].by_host else f" {lone.format(party=who)}"
        commands = [command_line("consent", game, party, "--as", name) for name in awaited if name in here]
        lines.append(text.format(party=who, names=_names(awaited, called)) + alone + "".join(commands))
    for party, key in ((name, asked.key) for name, asked in session.parties.asked.items() if asked.asks):
        awaited = session.parties.missing_key_consents(party)
        text = _(
            "Somebody asks to go on as {party}, with the key {key}. Is that {party}? {names} would have to consent."
        )
        if len(session.parties.key_consents(party)) + len(awaited) < 2:
            text = _(
                "{party} cannot go on by consent, which takes two others or more: the recovery key alone can say so."
            )
            awaited = []
        elif not awaited:
            text = _("All others have consented: {party} goes on when the new key joins.")
        commands = [command_line("consent", game, key, "--as", name) for name in awaited if name in here]
        told = text.format(party=full_name(party, called), key=key, names=_names(awaited, called))
        lines.append(told + "".join(commands))
    return lines


def _strike_lines(replay: "Replay", game: str, here: Collection[str], _: Translate) -> list[str]:
    """Return who has agreed to take the latest roll back, and the commands of those here who have not."""
    session, called = replay.session, replay.terms.called
    latest, missing = session.latest, session.missing_strikes()
    if latest is None or not latest.by:
        return []
    by = [name for name in session.parties.roles if name in latest.by]
    text = _("{names} would take roll {roll} back. Who has still to agree: {missing}.")
    commands = [command_line("strike", game, "--as", name) for name in missing if name in here]
    text = text.format(names=_names(by, called), roll=latest.request, missing=_names(missing, called))
    return [text + "".join(commands)]


def _uncommitted(kept: "KeptGame") -> list[str]:
    """Return the contributors that have no link left, or none yet."""
    return [due.party for due in kept.outstanding() if due.what == "commit"]


def _commit_lines(kept: "KeptGame", game: str, here: Collection[str], _: Translate) -> list[str]:
    lines, replay = [], kept.replay
    for name in _uncommitted(kept):
        spent = _("the seed chain of {name} is used up:{command}")
        first = _("{name} commits to a seed chain first:{command}")
        command = command_line("commit", game, "--as", name) if name in here else ""
        text = first if replay.chains.get(name) is None else spent
        lines.append(text.format(name=full_name(name, replay.terms.called), command=command))
    return lines


def _opening_files(replay: "Replay", awaited: Sequence[str], here: Collection[str]) -> dict[str, list[str]]:
    """Return the options for files of openings, of parties that have yet to open, and of the keeper."""
    pending, keeper = replay.pending, replay.terms.keeper
    assert pending is not None
    closer, elsewhere = pending.closer, [name for name in awaited if name not in here]
    others = [name for name in pending.contributors if name not in (keeper, closer)]
    for_closer = [name for name in others if name in elsewhere] if closer in here else others
    for_keeper = [name for name in elsewhere if closer not in here or closer not in awaited]
    files = {name: ["--out", f"{name}.opening"] if name in {*elsewhere, *for_closer} else [] for name in awaited}
    files[closer] = _takes(for_closer) + files.get(closer, [])
    return files | {keeper: _takes(for_keeper)}


def _takes(names: list[str]) -> list[str]:
    return [word for name in names for word in ("--opening", f"{name}.opening")]
