"""One-line notations of rolls, attacks and rules (specs/wh40k.md, "Notation")."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rules.base import Notation, NotationError
from rules.common.free_text import is_doubtful
from rules.data.language import N_, Message
from rules.data.letters import WORD
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k import datasheet
from rules.systems.wh40k.effect_notation import (
    DICE,
    LIST,
    Json,
    add_once,
    match_whole,
    read_ability,
    read_change,
    read_modifier,
    read_rule,
    read_value,
    refusal,
    write_ability,
    write_change,
    write_modifier,
    write_rule,
)
from rules.systems.wh40k.quoting import TEXT, Quoted, integers, read_integers, write_text
from rules.systems.wh40k.terms import (
    Announced,
    AnyAbility,
    AutoHit,
    Blast,
    Change,
    Fails,
    Group,
    Modifier,
    Passes,
    Reroll,
    RerollAbility,
    Trigger,
    WoundsOn,
)

__all__ = ["NOTATIONS"]


def _pieces(text: Quoted) -> list[str]:
    return [piece.strip() for piece in re.split(r",\s+|,$", text.text) if piece.strip()]


def _listed(text: str, what: str) -> list[int]:
    """Return the integers of a list such as `1-3,7`; empty for `none`."""
    return [] if text.lower() == "none" else read_integers(text, what)


# --- attacks -------------------------------------------------------------------------------------------------------

_KINDS = "assault|heavy|pistol|grenade|rapid fire"
_VALUE = rf"-?[0-9]+|user|{DICE}"
_STAT = re.compile(
    rf"(?:({_KINDS}) +({_VALUE})|(melee|ranged|once)|(AP|A|S|D) ?[:=]? ?({_VALUE}|[+x][0-9]+))(?=[ ,]|$)[ ,]*",
    re.IGNORECASE,
)
_GROUP = "Bolt rifle at boyz by 1-5, A2 S4 AP-1 D1, hit -1 Dense Cover, reroll hit 1 Captain"


def _group(text: Quoted, pieces: Sequence[str]) -> Json:
    match = match_whole(rf"({TEXT}) +at +([a-z0-9._-]+)(?: +by +({LIST}|none))?", pieces[0])
    if match is None:
        raise refusal(Message("group of attacks"), text, pieces[0], _GROUP)
    weapon = text.read(match[1])
    if (kind := re.search(r"(?:^| )(melee|ranged|once)(?= |$)", match[1], re.IGNORECASE)) is not None:
        template = N_(
            "{weapon}: “{kind}” stands in the profile: at {target}, {kind}, A2 …; in a name it is in quotation marks"
        )
        raise NotationError(template, weapon=weapon, kind=kind[1], target=match[2])
    found: Json = {"target": match[2].lower(), "weapon": weapon}
    if match[3]:
        found["bearers"] = _listed(match[3], "by")
    for piece in pieces[1:]:
        _of_group(text, piece, found)
    found = {"type": "ranged", **found}
    if found["type"] == "melee":
        found = {"A": "user", "S": "user", **found}
    for name in ("A", "S"):
        if name not in found:
            raise NotationError(
                "say the {name} of {weapon}: write it as in {example}", name=name, weapon=weapon, example=_GROUP
            )
    return {"AP": 0, "D": 1, **found}


def _of_group(text: Quoted, piece: str, found: Json) -> None:
    """Parse a profile or a rule of a group."""
    if _profile(text, piece, found):
        return
    if (nothing := match_whole("no +(modifiers|abilities)", piece)) is not None:
        found[nothing[1].lower()] = []
    elif piece.casefold().startswith("announced "):
        add_once(text, found, "announced", _announced(text, piece.partition(" ")[2]), piece)
    elif re.match(r"(reroll|on|auto-hit|blast|wounds) ", piece, re.IGNORECASE):
        found.setdefault("abilities", []).append(read_ability(text, piece))
    else:
        found.setdefault("modifiers", []).append(read_modifier(text, piece))


def _profile(text: Quoted, piece: str, found: Json) -> bool:
    """Return whether the piece is part of a profile; if so, it has been added to `found`."""
    at = 0
    matches = []
    while at < len(piece):
        match = _STAT.match(piece, at)
        if match is None:
            return False
        matches.append(match)
        at = match.end()
    for match in matches:
        kind, number, word, name, value = match.groups()
        if kind:
            add_once(text, found, "A", read_value(number), match[0])
        elif word:
            once = word.lower() == "once"
            add_once(text, found, "once" if once else "type", True if once else word.lower(), match[0])
        elif value[0] in "+x":
            op = "add" if value[0] == "+" else "multiply"
            add_once(text, found, name.upper(), "user", match[0])
            change = {"source": found["weapon"], "on": name.upper(), "op": op, "amount": int(value[1:])}
            found.setdefault("modifiers", []).append(change)
        else:
            add_once(text, found, name.upper(), read_value(value), match[0])
    return True


def _announced(text: Quoted, piece: str) -> Json:
    names = {name.casefold(): name for name in ("hit", "wound", "S", "T", "AP")}
    if match_whole("nothing", piece) is not None:
        return {}
    if match_whole(r"(?:(?:hit|wound|S|T|AP) ?-?[0-9]{1,16}\+? *)+", piece) is None:
        raise refusal(Message("announcement"), text, piece, "hit 3+ wound 5+ S4 T5 AP-1")
    found: Json = {}
    for name, number in re.findall(r"(hit|wound|AP|S|T) ?(-?[0-9]+)", piece, re.IGNORECASE):
        add_once(text, found, names[name.casefold()], int(number), f"{name} {number}")
    return found


def _write_announced(said: Mapping[str, Any]) -> str:
    return " ".join(f"{name} {said[name]}" for name in ("hit", "wound", "S", "T", "AP") if name in said) or "nothing"


def _groups(text: Quoted, line: str) -> list[Json]:
    found = []
    for one in re.split(r";\s*", line):
        pieces = [piece.strip() for piece in re.split(r",\s+", one) if piece.strip()]
        if pieces:
            found.append(_group(text, pieces))
    return found


def _write_group(group: Mapping[str, Any]) -> str:
    by = f" by {integers(group['bearers']) or 'none'}" if "bearers" in group else ""
    kind = "melee " if group["type"] == "melee" else ""
    once = " once" if "once" in group else ""
    parts = [
        f"{write_text(group['weapon'])} at {group['target']}{by}",
        f"{kind}{' '.join(f'{name} {group[name]}' for name in ('A', 'S', 'AP', 'D'))}{once}",
        *map(write_modifier, group.get("modifiers", ())),
        *map(write_ability, group.get("abilities", ())),
        *_write_nothing(group, "modifiers", "abilities"),
        *([f"announced {_write_announced(group['announced'])}"] if "announced" in group else []),
    ]
    return ", ".join(parts)


def _write_nothing(body: Mapping[str, Any], *names: str) -> list[str]:
    """Return parts for members that are present but empty."""
    return [f"no {name}" for name in names if body.get(name) == []]


def _attack(tag: Json, text: str) -> Json:
    quoted = Quoted(text)
    match = re.fullmatch(r"([a-z0-9._-]{1,40}) ?: +(.*)", quoted.text, re.DOTALL)
    groups = _groups(quoted, match[2]) if match is not None else []
    if match is None or not groups:
        _refuse_other("attack", quoted.text)
        raise refusal(Message("attack"), quoted, quoted.text, f"intercessors: {_GROUP}")
    return {**tag, "unit": match[1], "groups": groups}


def _write_attack(body: Mapping[str, Any]) -> str:
    return f"{body['unit']}: {'; '.join(map(_write_group, body['groups']))}"


_ATTACK = f"intercessors: {_GROUP}"


def _of_attack(body: Mapping[str, Any]) -> tuple[Message, ...]:
    """Return notes on a damage that may mean a die, and on one bearer that may mean several."""
    text = N_("{weapon} does a damage of {number}; a die is D{die}")
    alone = N_("{weapon} is borne by model {number} alone; so many models are by 1-{number}")
    remarks = []
    for group in body.get("groups", ()):
        if (damage := group.get("D")) in (3, 6):
            remarks.append(Message(text, weapon=group["weapon"], number=damage, die=f"d{damage}"))
        match group.get("bearers"):
            case [int(number)] if number > 1:
                remarks.append(Message(alone, weapon=group["weapon"], number=number))
    return tuple(remarks)


# --- any roll ------------------------------------------------------------------------------------------------------


def _refuse_other(read_as: str, text: str) -> None:
    """Raise the NotationError of another kind of roll, if the line begins as one."""
    begun = (
        "attack"
        if match_whole(r"[a-z0-9._-]{1,40} ?: +.*", text)
        else "off"
        if match_whole(rf"(?:roll[- ]?)?off(?!{WORD}).*", text)
        else "free"
    )
    readers: Mapping[str, Callable[[str], Json]] = {"attack": partial(_attack, {}), "off": _off, "free": _free}
    if begun != read_as:
        readers[begun](text)


_FREE = "2d6 sum for Charge, 7+, +1 Advance, reroll failed Icon"


def _free(text: str) -> Json:
    quoted = Quoted(text)
    pieces = _pieces(quoted)
    match = match_whole(rf"(\S+?)(?: +(sum|each))?(?: +for +({TEXT}))?", pieces[0] if pieces else "")
    if match is None or not re.match("[0-9]*[dD](?=[0-9])", match[1]):
        _refuse_other("free", text)
        offered = _with_for(pieces)
        if offered:
            text_ = N_("{text} is no roll: what it is for stands behind “for”")
            raise NotationError(text_, lines=offered, text=quoted.shown(quoted.text))
        raise refusal(Message("roll"), quoted, quoted.text, _FREE)
    dice = match[1]
    found: Json = {"for": "free", "source": quoted.read(match[3]) if match[3] else dice, "dice": dice}
    said = (match[2] or "").lower()
    if said == "sum" or _adds_up(dice):
        found["sum"] = True
    for piece in pieces[1:]:
        _detail(quoted, piece, found)
    if not said and _is_unclear(found):
        _, *rest = (quoted.shown(piece) for piece in pieces)
        for_ = quoted.shown(pieces[0])[len(dice) :]
        both = [", ".join((f"{dice} {word}{for_}", *rest)) for word in ("sum", "each")]
        raise NotationError("{dice} can be one total or many dice here", lines=both, dice=dice)
    return found


def _with_for(pieces: Sequence[str]) -> list[str]:
    """Return the line with `for` before the purpose, if the words stand directly behind the dice: two lines where the
    dice can be one total or many; else none.
    """
    match = match_whole(rf"({DICE}) +((?!for |sum |each ){TEXT})", pieces[0] if pieces else "")
    if match is None or is_doubtful(match[2]):
        return []
    sum_ = "" if re.match("0*1?d", match[1], re.IGNORECASE) or _adds_up(match[1]) else " sum"
    line = ", ".join((f"{match[1]}{sum_} for {match[2]}", *pieces[1:]))
    try:
        _free(line)
    except NotationError:
        return []
    return [line, line.replace(" sum for ", " each for ", 1)] if sum_ else [line]


def _adds_up(dice: str) -> bool:
    return re.search("[+]|d[hl]", dice, re.IGNORECASE) is not None


def _is_unclear(body: Mapping[str, Any]) -> bool:
    """Return whether several dice have a target, or rules, that could be for the total or for each die."""
    several = re.match("0*[1-9][0-9]|0*[2-9]", body["dice"]) is not None
    borne = any(body.get(name) for name in ("modifiers", "rerolls"))
    return several and ("needs" in body or borne) and "sum" not in body and "test" not in body


def _detail(text: Quoted, piece: str, found: Json) -> None:
    if (match := match_whole(r"(-?[0-9]{1,16})([-+])", piece)) is not None:
        add_once(text, found, "needs", int(match[1]), piece)
        if match[2] == "-":
            found["at_most"] = True
    elif match_whole("hit|wound|save", piece):
        add_once(text, found, "test", piece.lower(), piece)
    elif (match := match_whole(rf"(passes|fails) on ({LIST})", piece)) is not None:
        add_once(text, found, match[1].lower(), read_integers(match[2], match[1]), piece)
    elif (match := match_whole("no +(modifiers|rerolls)", piece)) is not None:
        found[match[1].lower()] = []
    elif (match := match_whole(r"reroll +(.*)", piece)) is not None:
        found.setdefault("rerolls", []).append(read_rule(text, match[1]))
    else:
        found.setdefault("modifiers", []).append(read_change(text, piece))


def _of_free(body: Mapping[str, Any]) -> tuple[Message, ...]:
    """Return notes on what a player at a table could have meant instead."""
    dice = re.match(r"0*([0-9]*)d([0-9]+)", body["dice"], re.IGNORECASE)
    if dice is None or "sum" in body or body.get("test") is not None:
        return ()
    count, sides = int(dice[1] or 1), int(dice[2])
    text = N_("each of the {count} dice by itself, and no total")
    remarks = [Message(text, count=count)] if count > 1 and not _is_unclear(body) else []
    if not body.get("at_most") and not body.get("modifiers") and body.get("needs", 0) > sides:
        remarks.append(Message("no die shows {number} or more", number=body["needs"]))
    return tuple(remarks)


def _write_free(body: Mapping[str, Any]) -> str:
    dice = body["dice"]
    summed = " sum" if "sum" in body and not _adds_up(dice) else " each" if _is_unclear(body) else ""
    source = f" for {write_text(body['source'])}" if body["source"] != dice else ""
    parts = [f"{dice}{summed}{source}"]
    if "test" in body:
        parts.append(body["test"])
    if "needs" in body:
        parts.append(f"{body['needs']}{'-' if 'at_most' in body else '+'}")
    parts += (f"{name} on {integers(body[name])}" for name in ("passes", "fails") if name in body)
    parts += map(write_change, body.get("modifiers", ()))
    parts += (f"reroll {write_rule(rule)}" for rule in body.get("rerolls", ()))
    return ", ".join((*parts, *_write_nothing(body, "modifiers", "rerolls")))


# --- roll-offs ---------------------------------------------------------------------------------------------------


_NAME = "[a-z0-9][a-z0-9._-]*"


def _off(text: str) -> Json:
    quoted = Quoted(text)
    names = rf"{_NAME}(?:(?:, *| and ){_NAME})+"
    match = match_whole(rf"roll[- ]?off(?: +of +({names}))?(?: +for +({TEXT}))?", quoted.text)
    if match is None:
        _refuse_other("off", text)
        raise refusal(Message("roll-off"), quoted, quoted.text, "roll-off for the first turn")
    players = {"players": re.split(", *| and ", match[1].lower())} if match[1] else {}
    return {"for": "off", "source": quoted.read(match[2]) if match[2] else "roll-off", **players}


def _write_off(body: Mapping[str, Any]) -> str:
    of = f" of {', '.join(body['players'])}" if "players" in body else ""
    return f"roll-off{of}" + (f" for {write_text(body['source'])}" if body["source"] != "roll-off" else "")


# --- all notations -------------------------------------------------------------------------------------------------


def _triggered(text: Quoted, piece: str) -> Json:
    match = match_whole(rf"([0-9]+) ?: ?({LIST}|none)", piece)
    if match is None:
        raise refusal(Message("ability with its dice"), text, piece, "1:2,5")
    return {"ability": int(match[1]), "parts": _listed(match[2], "dice")}


def _write_triggered(triggered: Mapping[str, Any]) -> str:
    return f"{triggered['ability']}:{integers(triggered['parts']) or 'none'}"


def _whole(read: Callable[[Quoted, str], Json]) -> Callable[[str], Json]:
    """Return a parser for a text that is a single piece."""

    def parse(text: str) -> Json:
        quoted = Quoted(text)
        return read(quoted, quoted.text)

    return parse


def _whole_group(text: str) -> Json:
    quoted = Quoted(text)
    pieces = _pieces(quoted)
    if not pieces:
        raise refusal(Message("group of attacks"), quoted, quoted.text, _GROUP)
    return _group(quoted, pieces)


def _an_ability(example: str) -> Notation:
    return Notation("ability", example, _whole(read_ability), write_ability)


NOTATIONS: Mapping[Any, Notation] = {
    b.FreeRoll: Notation("free", _FREE, _free, _write_free, _of_free),
    b.OffRoll: Notation("off", "roll-off for the first turn", _off, _write_off),
    b.AttackRoll: Notation("attack", _ATTACK, partial(_attack, {"for": "attack"}), _write_attack, _of_attack),
    b.DeclareAttacks: Notation("attack", _ATTACK, partial(_attack, {"what": "attacks"}), _write_attack, _of_attack),
    b.DeclareUnit: Notation("unit", datasheet.EXAMPLE, datasheet.parse_unit, datasheet.write_unit),
    b.Line: Notation("line", datasheet.EXAMPLE, datasheet.parse_line, datasheet.write_line),
    Group: Notation("group", _GROUP, _whole_group, _write_group),
    Change: Notation("change", "-1 Dense Cover", _whole(read_change), write_change),
    Modifier: Notation("modifier", "hit -1 Dense Cover", _whole(read_modifier), write_modifier),
    Reroll: Notation("reroll-rule", "1 Captain", _whole(read_rule), write_rule),
    RerollAbility: _an_ability("reroll hit 1 Captain"),
    Trigger: _an_ability("on hit unmodified 6: extra hits 1 Tesla"),
    Passes: _an_ability("on wound unmodified 4-6: passes Poison"),
    Fails: _an_ability("on wound unmodified 1-3: fails Transhuman Physiology"),
    WoundsOn: _an_ability("wounds on 4+ Poison"),
    AutoHit: _an_ability("auto-hit Flamer"),
    Blast: _an_ability("blast Frag"),
    AnyAbility: _an_ability("reroll hit 1 Captain"),
    Announced: Notation("announced", "hit 3+ wound 5+ AP-1", _whole(_announced), _write_announced),
    b.Triggered: Notation("triggered", "1:2,5", _whole(_triggered), _write_triggered),
}
