"""Magic in words: what comes next, what a roll comes to, Magic's part of the state, its events on one line."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ledger.cli.language import N_, _
from ledger.cli.output import typed
from ledger.cli.place import Section

__all__ = ["due", "next_command", "roll_notes", "sections", "summarize"]

_Body = Mapping[str, Any]

_NEXT = {
    "ignore": "rollproof ignore {game} DICE",
    "effects": N_("rollproof modify {game} --effect N --apply (or --decline), or rollproof reroll {game} --effect N"),
    "store": "rollproof store {game}",
    "resolve": "rollproof resolve {game}",
    "roll again": "rollproof roll {game} --again {again}",
    "may roll again": N_("rollproof roll {game} --again {again}, or rollproof resolve {game} {again} --no-again"),
}


_SCOPES = {"each": N_("every die"), "one": N_("one die"), "any": N_("one die or more")}
# Words of the state that are shown as they are, listed to be translated.
_ON = (N_("rolled"), N_("result"), N_("natural"), N_("highest"))
_CHOICES = (N_("may roll again"),)
_WHOSE = (N_("you"), N_("opponents"), N_("any"))


def next_command(choice: str, view: Mapping[str, Any], game: str) -> str | None:
    """What to type for a choice that is waited for."""
    return _(_NEXT[choice]).format(game=game, again=view["again"]) if choice in _NEXT else None


def due(view: Mapping[str, Any], game: str) -> list[str]:
    """Triggers owed: they are dealt with when nothing is open."""
    if view["open"] is not None or view["again"] is not None:
        return []
    text = _("{player} has a trigger to deal with, {source}: {command}")
    command = "rollproof resolve {} --trigger {} --as {}"
    return [
        text.format(
            player=o["controller"], source=o["source"], command=typed(command.format(game, o["owed"], o["controller"]))
        )
        for o in view["owed"]
    ]


def roll_notes(roll: Mapping[str, Any]) -> list[str]:
    """What a roll comes to, and what can still be done to it."""
    notes = []
    for row in roll["rows"]:
        hit, missed = _("die {die}: row {row}: {effect}"), _("die {die}: no row of the table; nothing happens")
        notes.append((hit if row["row"] else missed).format(**row))
    if roll["doubles"]:
        notes.append(_("doubles"))
    if roll["status"] == "open":
        notes += [_effect_text(effect) for effect in roll["effects"] if effect["answer"] is None]
    return notes


def _effect_text(effect: Mapping[str, Any]) -> str:
    text = _("effect {effect}, {source}: {what}")
    return text.format(effect=effect["effect"], source=effect["source"], what=_effect_words(effect))


_KINDS = {
    "reroll": N_("reroll"),
    "adjust": N_("adjust by {amounts}"),
    "exchange": N_("exchange the result with {number}"),
}


def _effect_words(effect: Mapping[str, Any]) -> str:
    """What an effect does, of a state or of a body (which leaves out what is not there)."""
    amounts = _(" or ").join(f"{amount:+d}" for amount in effect.get("amounts", ()))
    kind = _KINDS[effect["kind"]]
    does = _(kind).format(amounts=amounts, number=effect.get("number"))
    scope = _SCOPES[effect.get("scope", "each")]
    words = [does, _(scope)]
    words += [_("optional")] if effect.get("optional") else []
    words += [_("cost: {cost}").format(cost=effect["cost"])] if effect.get("cost") else []
    words += [_("mana cost: {cost}").format(cost=effect["mana_cost"])] if effect.get("mana_cost") else []
    return _(", ").join(words)


def sections(view: Mapping[str, Any]) -> list[Section]:
    """Magic's own part of the state."""
    owed = [(o["owed"], o["controller"], o["source"], o["roll"], o["die"]) for o in view["owed"]]
    triggers = [
        (t["trigger"], t["controller"], t["source"], _(t["on"]), t["range"], _(t["whose"])) for t in view["triggers"]
    ]
    stored = [
        (key, permanent["name"], permanent["controller"], _stored_text(permanent["stored"]))
        for key, permanent in view["permanents"].items()
    ]
    return [
        Section(N_("Triggers owed"), (N_("trigger"), N_("player"), N_("source"), N_("roll"), N_("die")), owed),
        Section(
            N_("Abilities that trigger"),
            (N_("trigger"), N_("player"), N_("source"), N_("on"), N_("range"), N_("whose")),
            triggers,
        ),
        Section(N_("Permanents with stored results"), (N_("id"), N_("name"), N_("player"), N_("stored")), stored),
    ]


def _stored_text(stored: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(f"{s['stored']}: {s['value']} (d{s['sides']})" for s in stored) or _("nothing")


# --- events on one line ---------------------------------------------------------------------------------------------

_FEW = 12
"""numbers and texts of a kind that a line shows"""


def summarize(event: Mapping[str, Any]) -> str | None:
    """What an event says, shortly; None for a type that the system does not have."""
    told = _SUMMARIES.get(event["type"])
    return None if told is None else told(event["body"])


def _list(items: Iterable[object]) -> str:
    texts = [str(item) for item in items]
    more = [_("and {count} more").format(count=len(texts) - _FEW)] if len(texts) > _FEW else []
    return _(", ").join([*texts[:_FEW], *more])


def _join(*parts: str | None) -> str:
    return _("; ").join(part for part in parts if part)


def _roll(body: _Body) -> str:
    if "again" in body:
        text = _("roll again for roll {again} ({source})")
        return text.format(again=body["again"], source=body["source"])
    # gettext answers nothing with the head of its catalogue
    dice = _(body["dice"]) if body.get("dice") else _("no dice")
    said = _("{dice} for {source}").format(dice=dice, source=body["source"])
    rows = len(body.get("table", ()))
    return _join(
        said,
        *_extras(body),
        _list(_("{source}: {what}").format(source=e["source"], what=_effect_words(e)) for e in body.get("effects", ())),
        _("results table, rows: {rows}").format(rows=rows) if rows else None,
        _("use: {use}").format(use=body["use"]) if "use" in body else None,
        _("doubles: {effect}").format(effect=body["doubles"]) if "doubles" in body else None,
        _("to be stored on {permanent}").format(permanent=body["store"]) if "store" in body else None,
    )


_WHICH = {
    "lowest": N_("ignore the lowest ({source})"),
    "highest": N_("ignore the highest ({source})"),
    "any": N_("ignore any ({source})"),
}


def _extras(body: _Body) -> list[str]:
    """The modifiers and the ignoring of an instruction."""
    modifiers = [f"{m['amount']:+d} ({m['source']})" for m in body.get("modifiers", ())]
    ignores = []
    for one in body.get("ignores", ()):
        added = _("dice added: {extra}").format(extra=one["extra"]) if one.get("extra") else None
        count = one.get("count", 1)
        times = _("dice to ignore: {count}").format(count=count) if count > 1 else None
        which = _WHICH[one["which"]]
        ignores.append(_(", ").join(filter(None, (added, _(which).format(source=one["source"]), times))))
    return [text for text in (_list(modifiers), _list(ignores)) if text]


def _reroll(body: _Body) -> str:
    if "permanent" in body:
        text = _("stored results {stored} of {permanent} ({source})")
        told = text.format(stored=_list(body["stored"]), permanent=body["permanent"], source=body["source"])
        return _join(told, *_extras(body))
    text = _("roll {roll}: effect {effect} rerolls {dice}")
    return _join(text.format(roll=body["roll"], effect=body["effect"], dice=_dice(body)), *_paid(body))


def _dice(body: _Body) -> str:
    if "dice" not in body:
        return _("every die")
    text = _("die {dice}") if len(body["dice"]) == 1 else _("dice {dice}")
    return text.format(dice=_list(body["dice"]))


def _paid(body: _Body) -> list[str]:
    told = [_("paid")] if body.get("paid") else []
    if "mana_abilities" in body:
        told.append(_("mana abilities: {abilities}").format(abilities=_list(body["mana_abilities"]) or _("none")))
    return told


def _modify(body: _Body) -> str:
    if body["choice"] == "decline":
        return _("roll {roll}: effect {effect} is declined").format(roll=body["roll"], effect=body["effect"])
    text = _("roll {roll}: effect {effect} is applied to {dice}")
    amount = f"{body['amount']:+d}" if "amount" in body else None
    return _join(text.format(roll=body["roll"], effect=body["effect"], dice=_dice(body)), amount, *_paid(body))


def _ignore(body: _Body) -> str:
    return _("roll {roll}: {dice}").format(roll=body["roll"], dice=_dice(body))


def _store(body: _Body) -> str:
    return _("roll {roll}: on {permanent}").format(roll=body["roll"], permanent=body["permanent"])


_SAID = {
    "doubles": (N_("no doubles"), N_("doubles")),
    "again": (N_("does not roll again"), N_("rolls again")),
}


def _resolve(body: _Body) -> str:
    if "trigger" in body:
        return _("trigger {trigger}").format(trigger=body["trigger"])
    return _join(
        _("roll {roll}").format(roll=body["roll"]),
        _("results {results}").format(results=_list(body["results"])) if "results" in body else None,
        _("rows {rows}").format(rows=_list(body["rows"])) if "rows" in body else None,
        *(_(words[body[member]]) for member, words in _SAID.items() if member in body),
    )


def _declare(body: _Body) -> str:
    match body["what"]:
        case "effect":
            effect = body["effect"]
            text = _("roll {roll}: a further effect, {source}: {what}")
            return text.format(roll=body["roll"], source=effect["source"], what=_effect_words(effect))
        case "trigger":
            on, whose = body["on"], body.get("whose", "you")
            when = " ".join(filter(None, (_(on), body.get("range"))))
            text = _("{source} triggers: {on}, {whose}")
            return text.format(source=body["source"], on=when, whose=_(whose))
        case "permanent":
            return _("{permanent} stores results: {name}").format(permanent=body["permanent"], name=body["name"])
        case "gone":
            return _("{permanent} is gone").format(permanent=body["permanent"])
        case _ if "effect" in body:
            return _("roll {roll}: effect {effect} has ended").format(roll=body["roll"], effect=body["effect"])
        case _:
            return _("ability {trigger} has ended").format(trigger=body["trigger"])


_SUMMARIES: Mapping[str, Callable[[_Body], str]] = {
    "roll": _roll,
    "reroll": _reroll,
    "ignore": _ignore,
    "modify": _modify,
    "store": _store,
    "resolve": _resolve,
    "declare": _declare,
}
