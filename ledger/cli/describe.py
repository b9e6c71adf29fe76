"""A game in words: events, rolls, states. What only one system has is told by its module (ledger.cli.systems)."""

from collections.abc import Collection, Mapping
from shlex import quote
from typing import TYPE_CHECKING, Any

from ledger.cli.isolation import isolated, isolated_in
from ledger.cli.language import N_, _
from ledger.cli.output import Output, typed
from ledger.cli.place import Section
from ledger.cli.systems import commands_of

if TYPE_CHECKING:
    from rules import Session
    from rules.base import RollRecord
    from verifier import Replay

__all__ = ["event_line", "notes_of", "roll_line", "roll_lines", "show_session", "summary", "waiting_lines"]


_RULING_COLUMNS = (N_("event"), N_("judge"), N_("ruling"), N_("about event"), N_("reason"))
_OF_SYSTEMS = frozenset({"roll", "reroll", "ignore", "store", "modify", "resolve", "declare"})
# Words of the state that are shown as they are, listed to be translated.
_STATUSES = (N_("pending"), N_("open"), N_("resolved"), N_("void"), N_("struck"), N_("abandoned"))
_RULINGS = (N_("void"), N_("correct"), N_("uphold"), N_("penalty"))
_CHOICES = (N_("ignore"), N_("effects"), N_("store"), N_("resolve"), N_("roll again"), N_("reveal"))


def event_line(event: Mapping[str, Any], system: str) -> str:
    """An event of a log on one line; `system` is the id of the game's rules."""
    told = summary(event, system)
    head = _("event {seq}: {author}, {type}").format(seq=event["seq"], author=event["author"], type=event["type"])
    return f"{head}: {told}" if told else head


def summary(event: Mapping[str, Any], system: str) -> str:
    """What an event says, shortly: its system's words where it has some, else the members of the body."""
    event = isolated_in(event)
    own = commands_of(system).summarize(event) if event["type"] in _OF_SYSTEMS else None
    if own is not None:
        return own
    body = event["body"]
    match event["type"]:
        case "open":
            return ", ".join(filter(None, (body["title"], body["system"])))
        case "join":
            return _("agrees to the game's terms")
        case "commit":
            text = _("links: {length}, tip {tip}")
            return text.format(length=body["length"], tip=body["tip"][:12])
        case "reveal" | "void" | "disclose" | "close":
            return _end_of_a_roll(event)
        case "leave" | "away" | "back":
            text = _("party {party}; the link of a voided roll is given") if "burned" in body else _("party {party}")
            return text.format(party=body["party"])
        case _:
            told = [body["what"]] if "what" in body else []
            return ", ".join([*told, *(f"{name} {_value(value)}" for name, value in body.items() if name != "what")])


def _end_of_a_roll(event: Mapping[str, Any]) -> str:
    body = event["body"]
    match event["type"]:
        case "reveal":
            return ", ".join(str(natural) for natural in body["naturals"])
        case "void":
            text = _("no dice for event {request}; the links of this roll are burned")
            parts = [text.format(request=event["seq"] - 1)]
            if body["missing"]:
                text = _("had not opened, says {author}: {names}")
                parts.append(text.format(author=event["author"], names=", ".join(body["missing"])))
            return "; ".join(parts)
        case "disclose":
            return _("opened for it: {names}").format(names=_authors(body))
        case "close" if "openings" in body:
            text = _("the game is over; no dice for event {request}; opened for it: {names}")
            return text.format(request=event["seq"] - 1, names=_authors(body))
        case _:
            return _("the game is over")


def _authors(body: Mapping[str, Any]) -> str:
    return ", ".join(opening["author"] for opening in body["openings"]) or _("none")


def roll_lines(session: "Session", number: int | None) -> list[str]:
    """The roll with this number: its dice, what they come to, what is open about it."""
    from ledger.display import struck_through

    settled, opened = session.system.rolls(session.game)
    record = next((roll for roll in (*opened, *settled) if roll.roll == number), None)
    if record is None:
        return []
    notes = [*(note.message(_) for note in struck_through(record)), *notes_of(session, record.roll)]
    return [roll_line(record), *(f"  {note}" for note in notes)]


def roll_line(roll: "RollRecord") -> str:
    """A roll on one line: number, player, source, dice, and its status unless it is going on."""
    from ledger.display import roll_text

    text = _("roll {roll}, {player}, {source}: {dice}")
    told = text.format(roll=roll.roll, player=roll.player, source=isolated(roll.source), dice=roll_text(roll, _))
    return told if roll.status in ("open", "pending") else f"{told} [{_(roll.status)}]"


def notes_of(session: "Session", number: int) -> list[str]:
    """What the system's own module says of a roll; nothing of one that the state does not keep."""
    roll = session.view_roll(number)
    return [] if roll is None else commands_of(session.system.id).roll_notes(isolated_in(roll))


def waiting_lines(replay: "Replay", awaited: list[str], game: str, here: Collection[str]) -> list[str]:
    """Whose turn it is, and what to type; `here` are the parties of this machine, others send their openings."""
    session = replay.session
    if session.phase == "voided":
        text = _("The roll was voided; {keeper} discloses what was opened for it: {command}")
        keeper = replay.terms.keeper
        return [text.format(keeper=keeper, command=typed(f"rollproof disclose {game} --as {keeper}"))]
    if replay.pending is not None:
        text, keeper = _("The dice wait for {name} to open: {command}"), replay.terms.keeper
        files = _opening_files(replay, awaited, here)
        opens = [(name, f"rollproof open {game} --as {name}{files[name]}") for name in awaited]
        lines = [text.format(name=name, command=typed(command)) for name, command in opens]
        reveals = files[keeper]
        last = (
            _("Then {keeper} reveals: {command}")
            if lines
            else _("The dice wait for {keeper} to reveal them: {command}")
        )
        return [*lines, last.format(keeper=keeper, command=typed(f"rollproof reveal {game} --as {keeper}{reveals}"))]
    lines, waits = [*_owed_lines(session, game), *_call_lines(session, game)], session.waits_for()
    if waits is None:
        return lines
    command = commands_of(session.system.id).next_command(waits.choice, session.view(), game)
    told = _("{party} goes on ({choice})").format(party=waits.party, choice=_(waits.choice))
    return [*lines, f"{told}:{typed(f'{command} --as {waits.party}')}" if command else told]


MAX_BODY = 1_000
"""characters of a body that stand in a command"""


def _owed_lines(session: "Session", game: str) -> list[str]:
    """Who must ask again for what was voided before asking for anything else, and what to type."""
    lines = []
    for name, owed in session.owes.items() if session.phase != "closed" else ():
        text, body = _("{name} owes the {type} of event {seq} again, before any other:"), quote(owed.raw.decode())
        if len(body) > MAX_BODY:
            text = _(
                "{name} owes the {type} of event {seq} again, before any other; body.json has the body of that event:"
            )
            body = "@body.json"
        command = f"rollproof {owed.type} {game} --as {name} --body {body}"
        lines.append(text.format(name=name, type=owed.type, seq=owed.seq) + typed(command))
    return lines


def _call_lines(session: "Session", game: str) -> list[str]:
    """Whom some of the others have called away, and who has not."""
    lines = []
    for party, called in session.calls.items():
        here = (session.callers & session.joined) - session.left - session.away - {party}
        by, others = ([name for name in session.roles if name in names] for names in (called, here - called))
        text = _("{names} called {party} away; for it to take effect {others} must call too:")
        commands = [typed(f"rollproof away {game} --party {party} --as {name}") for name in others]
        text = text.format(names=", ".join(by), party=party, others=", ".join(others))
        lines.append(text + "".join(commands))
    return lines


def _opening_files(replay: "Replay", awaited: list[str], here: Collection[str]) -> dict[str, str]:
    """Options of who still opens, and of the keeper: an opening is a file where another machine needs it."""
    pending, keeper = replay.pending, replay.terms.keeper
    assert pending is not None
    closer, elsewhere = pending.closer, [name for name in awaited if name not in here]
    others = [name for name in pending.contributors if name not in (keeper, closer)]
    for_closer = [name for name in others if name in elsewhere] if closer in here else others
    for_keeper = [name for name in elsewhere if closer not in here or closer not in awaited]
    files = {name: f" --out {name}.opening" if name in {*elsewhere, *for_closer} else "" for name in awaited}
    files[closer] = _takes(for_closer) + files.get(closer, "")
    return files | {keeper: _takes(for_keeper)}


def _takes(names: list[str]) -> str:
    return "".join(f" --opening {name}.opening" for name in names)


def show_session(out: Output, session: "Session", latest: int) -> None:
    """A state, readable: rolls, the system's own tables, rulings."""
    settled, opened = session.system.rolls(session.game)
    rolls = [*settled, *opened]
    view = isolated_in(session.view())
    if rolls:
        _show_rolls(out, rolls, latest)
    for roll in opened:
        for line in roll_lines(session, roll.roll)[1:]:
            out.say(line)
    rulings = [(r["seq"], r["judge"], _ruling(r), r["subject"], r["text"]) for r in view["rulings"]]
    own = commands_of(session.system.id).sections(view)
    for section in (*own, Section(N_("Rulings"), _RULING_COLUMNS, rulings)):
        if section.rows:
            out.heading(_(section.title))
            out.table([_(column) for column in section.columns], section.rows)


def _ruling(ruling: Mapping[str, Any]) -> str:
    """What was ruled, against whom, and with which results."""
    told = [_(ruling["ruling"]), *([ruling["party"]] if ruling["party"] else [])]
    results = (_("die {die}: {result}").format(**each) for each in ruling["results"] or ())
    return ", ".join([*told, *results])


def _show_rolls(out: Output, rolls: list["RollRecord"], latest: int) -> None:
    from ledger.display import roll_text

    some = _("Rolls (the latest {latest} of {count})").format(latest=latest, count=len(rolls))
    out.heading(some if len(rolls) > latest else _("Rolls"))
    rows = [(r.roll, r.player, r.source, roll_text(r, _), _(r.status)) for r in rolls[-latest:]]
    out.table([_("roll"), _("player"), _("source"), _("dice"), _("status")], rows)


def _value(value: Any) -> str:
    """A value of a body as people write it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return _(" and ").join(_value(item) for item in value) if value else _("none")
    if isinstance(value, dict):
        return f"({', '.join(f'{name} {_value(item)}' for name, item in value.items())})"
    return str(value)
