"""A game in words: events, rolls, states. A system describes its own things (rules.base.System)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ledger.cli.isolation import isolated, isolated_in
from ledger.cli.language import N_, Translate
from ledger.cli.output import Output

if TYPE_CHECKING:
    from rules import Session, System
    from rules.actions import Action, Field
    from rules.base import Table
    from rules.data.language import Message
    from rules.data.sentences import Known
    from rules.records import RollRecord

__all__ = ["event_line", "full_name", "notes_of", "roll_line", "roll_lines", "show_session", "summary", "with_called"]

_RULING_COLUMNS = (N_("event"), N_("judge"), N_("ruling"), N_("about event"), N_("reason"))
# Words of the state that are shown as they are, listed to be translated.
_STATUSES = (N_("pending"), N_("open"), N_("resolved"), N_("void"), N_("struck"), N_("abandoned"))
_SECRET = (N_("sealed"), N_("shown"))
_RULINGS = (N_("void"), N_("correct"), N_("uphold"), N_("penalty"))


def event_line(
    event: Mapping[str, Any],
    system: str,
    _: Translate,
    called: Mapping[str, str] = MappingProxyType({}),
    known: "Known | None" = None,
) -> str:
    """Return an event on one line.

    `system`: the id of the game's rules; `called`: parties' own names, by key name; `known`: as for `summarize`.
    """
    told, author = summary(event, system, _, known), full_name(event["author"], called)
    head = _("event {seq}: {author}, {type}").format(seq=event["seq"], author=author, type=event["type"])
    return f"{head}: {told}" if told else head


def full_name(name: str, called: Mapping[str, str]) -> str:
    """Return a party's own name and the name of its key."""
    from rules.data.text import full_name as shown

    return shown(name, called.get(name))


_PEOPLE = frozenset(("gm", "parties", "party", "player", "players", "roller"))
"""values of labels, and fields of actions, that are names of keys"""


def with_called(action: "Action", called: Mapping[str, str]) -> "Action":
    """Return the action with people by their own names too: in its label, and where one of them is chosen."""
    from msgspec.structs import replace

    if not called:
        return action
    fields = tuple(_field_with_called(field, called) for field in action.fields)
    return replace(action, label=_label_with_called(action.label, called), fields=fields)


def _field_with_called(field: "Field", called: Mapping[str, str]) -> "Field":
    from msgspec.structs import replace

    from rules.actions import OneOf, SomeOf
    from rules.data.language import Message

    if not isinstance(field.domain, OneOf | SomeOf):
        return field
    options = []
    for option in field.domain.options:
        name = called.get(option.value) if field.name in _PEOPLE and isinstance(option.value, str) else None
        own = None if name is None else Message("{name}", name=name)
        label = own if option.label is None else _label_with_called(option.label, called)
        options.append(replace(option, label=label))
    return replace(field, domain=replace(field.domain, options=tuple(options)))


def _label_with_called(label: "Message", called: Mapping[str, str]) -> "Message":
    from rules.data.language import Message

    if type(label) is not Message:
        return label
    values = {
        name: _label_with_called(value, called)
        if isinstance(value, Message)
        else full_name(value, called)
        if name in _PEOPLE and isinstance(value, str)
        else value
        for name, value in label.values.items()
    }
    return Message(label.template, **values)


def summary(event: Mapping[str, Any], system: str, _: Translate, known: "Known | None" = None) -> str:
    """Summarize an event: in the words of its system if it has any, else by the members of the body."""
    own = _sentence(event, system, known)
    if own is not None:
        return own.message(_)
    event = isolated_in(event)
    body = event["body"]
    match event["type"]:
        case "open":
            return ", ".join(filter(None, (body["title"], body["system"])))
        case "commit":
            text = _("links: {length}, tip {tip}")
            return text.format(length=body["length"], tip=body["tip"][:12])
        case "reveal" | "void" | "disclose" | "close":
            return _end_of_a_roll(event, _)
        case _:
            told = [body["what"]] if "what" in body else []
            return ", ".join([*told, *(f"{name} {_value(value, _)}" for name, value in body.items() if name != "what")])


_SAID = frozenset(
    ("join", "admit", "replace", "consent", "strike", "seal", "show", "leave", "away", "back", "object", "ruling")
)
"""the protocol's events whose sentence is complete; for the others, details follow"""


def _sentence(event: Mapping[str, Any], system_id: str, known: "Known | None") -> "Message | None":
    """Return the event's sentence from the table of its system or of the protocol."""
    import msgspec

    from ledger.forms.protocol import ROLES, SENTENCES
    from rules import SYSTEMS, Event
    from rules.data.sentences import summarize
    from verifier.log.bodies import PROTOCOL_BODIES

    system, author, type_ = SYSTEMS.get(system_id), event["author"], event["type"]
    of_system = system is not None and type_ in system.bodies
    try:
        if system is not None and of_system:
            body = msgspec.convert(event["body"], system.bodies[type_])
            return system.summarize(Event(event["seq"], author, type_, body))
        if type_ in _SAID:
            body = msgspec.convert(event["body"], PROTOCOL_BODIES[type_])
            titles = {f"role {role}": title for role, title in ROLES.items()}
            return summarize(SENTENCES, titles, type_, author, body, known)
    except (msgspec.ValidationError, ValueError):  # of a log that does not hold
        return None
    return None


def _end_of_a_roll(event: Mapping[str, Any], _: Translate) -> str:
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
            return _("opened for it: {names}").format(names=_authors(body, _))
        case "close" if "openings" in body:
            text = _("the game is over; no dice for event {request}; opened for it: {names}")
            return text.format(request=event["seq"] - 1, names=_authors(body, _))
        case _:
            return _("the game is over")


def _authors(body: Mapping[str, Any], _: Translate) -> str:
    return ", ".join(opening["author"] for opening in body["openings"]) or _("none")


def roll_lines(session: "Session", number: int | None, _: Translate) -> list[str]:
    """Return the lines about one roll: its dice, its outcome, its open choices."""
    from verifier.shell.display import struck_through

    settled, opened = session.system.rolls(session.game)
    record = next((roll for roll in (*opened, *settled) if roll.roll == number), None)
    if record is None:
        return []
    notes = [*(note.message(_) for note in struck_through(record)), *notes_of(session, record.roll, _)]
    return [roll_line(record, session.system, _), *(f"  {note}" for note in notes)]


def roll_line(roll: "RollRecord", system: "System[Any]", _: Translate) -> str:
    """Return a roll on one line: number, player, source, dice, and its status unless it is going on."""
    from verifier.shell.display import roll_text

    text = _("roll {roll}, {player}, {source}: {dice}") if roll.source else _("roll {roll}, {player}: {dice}")
    dice = roll_text(roll, system, _)
    told = text.format(roll=roll.roll, player=roll.player, source=isolated(roll.source), dice=dice)
    return told if roll.status in ("open", "pending") else f"{told} [{_(roll.status)}]"


def notes_of(session: "Session", number: int, _: Translate) -> list[str]:
    """Return the system's notes about a roll; none for a roll that the state does not keep."""
    return [note.message(_) for note in session.system.notes(session.game, number)]


def show_session(out: Output, session: "Session", latest: int) -> None:
    """Print a state for people: rolls, the system's own tables, rulings."""
    _ = out.translate
    settled, opened = session.system.rolls(session.game)
    rolls = [*settled, *opened]
    if rolls:
        _show_rolls(out, session.system, rolls, latest)
    for roll in opened:
        for line in roll_lines(session, roll.roll, _)[1:]:
            out.say(line)
    for table in session.system.tables(session.game):
        if table.rows:
            out.heading(table.title.message(_))
            out.table([column.message(_) for column in table.columns], _cells(table, _))
    rulings = isolated_in(session.view()["rulings"]) if session.rulings else []
    if rulings:
        out.heading(_("Rulings"))
        rows = [(r["seq"], r["judge"], _ruling(r, _), _about(session, r["subject"], _), r["text"]) for r in rulings]
        out.table([_(column) for column in _RULING_COLUMNS], rows)


def _cells(table: "Table", _: Translate) -> list[list[object]]:
    from rules.data.language import Message

    return [[cell.message(_) if isinstance(cell, Message) else cell for cell in row] for row in table.rows]


def _about(session: "Session", subject: int, _: Translate) -> str:
    """Return the number of an event and, of a roll, whose it is and what."""
    from verifier.shell.display import known_rolls

    what = known_rolls(session)(subject)
    return str(subject) if what is None else f"{subject}, {what.message(_)}"


def _ruling(ruling: Mapping[str, Any], _: Translate) -> str:
    """Describe a ruling: its kind, the party, the results."""
    told = [_(ruling["ruling"]), *([ruling["party"]] if ruling["party"] else [])]
    results = (_("die {die}: {result}").format(**each) for each in ruling["results"] or ())
    return ", ".join([*told, *results])


def _show_rolls(out: Output, system: "System[Any]", rolls: list["RollRecord"], latest: int) -> None:
    from verifier.shell.display import roll_text

    _ = out.translate
    some = _("Rolls (the latest {latest} of {count})").format(latest=latest, count=len(rolls))
    out.heading(some if len(rolls) > latest else _("Rolls"))
    rows = [(r.roll, r.player, r.source, roll_text(r, system, _), _(r.status)) for r in rolls[-latest:]]
    out.table([_("roll"), _("player"), _("source"), _("dice"), _("status")], rows)


def _value(value: Any, _: Translate) -> str:
    """Return a value of a body as people write it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return _(" and ").join(_value(item, _) for item in value) if value else _("none")
    if isinstance(value, dict):
        return f"({', '.join(f'{name} {_value(item, _)}' for name, item in value.items())})"
    return str(value)
