"""One-line notations of the system's bodies (specs/doubledown.md, "Notations")."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.base import Notation, NotationError
from rules.common.free_text import narrow, reads_like_notation
from rules.data.language import N_, Message
from rules.systems.doubledown import bodies as b

__all__ = ["NOTATIONS"]

_Body = Mapping[str, Any]
_ID = re.compile(r"[a-z0-9._-]{1,40}")
_INTEGER = re.compile(r"(-?[0-9]{1,16})✦?")
_NUMBER = re.compile(r"([0-9]{1,16})✦?")
_NOTHING, _STARS = Message("nothing"), Message("stars")

# --- words -----------------------------------------------------------------------------------------------------------


def _id(words: Iterable[str]) -> str:
    """Return words as an id, such as `four-arms` for `Four Arms`. Raises NotationError."""
    given = "-".join(words)
    name = given.lower()
    if not _ID.fullmatch(name):
        text = N_("{name} is no name of a stat or tag: it has a to z, 0 to 9, dot, underscore and hyphen, up to 40")
        raise NotationError(
            text, name=given or _NOTHING
        )  # as typed: lower case depends on the platform's version of Unicode
    return name


def _number(text: str, what: Message | str, pattern: re.Pattern[str] = _NUMBER) -> int:
    match = pattern.fullmatch(text)
    if match is None:
        raise NotationError("{what} is a whole number, not {text}", what=what, text=text or _NOTHING)
    return int(match[1])


def _once(members: dict[str, Any], name: str, value: Any) -> None:
    if name in members:
        raise NotationError("{name} is there twice", name=name)
    members[name] = value


def _parts(text: str) -> list[list[str]]:
    """Return the words of each part between commas. Raises NotationError for an empty part."""
    if not text.strip():
        return []
    parts = [part.split() for part in re.split("[,、]", narrow(text))]
    if not all(parts):
        raise NotationError("there is nothing between two commas, or beside one: {text}", text=text)
    return parts


# --- rolls and contributions -----------------------------------------------------------------------------------------

_MARKED = ("call", "drive", "stat", "stress", "tag")
"""names of tags that are keywords too, so that `tag` has to stand before them"""


def _parse_roll(text: str) -> dict[str, Any]:
    members: dict[str, Any] = {}
    parts = _parts(text)
    for words in parts:
        _parse_given(members, words, is_line=len(parts) == 1)
    return members


def _parse_contribution(text: str) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for words in _parts(text):
        match [word.lower() for word in words]:
            case [_, "rolls"]:
                _once(members, "roller", words[0])
            case ["stat" | "stress" as name]:
                _once(members, name, True)
            case _:
                _parse_given(members, words)
    return members


def _parse_given(members: dict[str, Any], words: list[str], *, is_line: bool = False) -> None:
    """Parse a part. `is_line`: it is all that was typed. Raises NotationError."""
    match [word.lower() for word in words]:
        case ["call" | "drive" as name, number] if _NUMBER.fullmatch(number):
            _once(members, name, _number(number, name))
        case ["tag", _, *_]:
            _parse_tagged(members, words[1:])
        case [*_] if (line := _with_comma(words)) is not None:
            if is_line:
                raise NotationError("between two parts stands a comma, and nothing else", lines=[line])
            raise NotationError("between two parts stands a comma, and nothing else: {line}", line=line)
        case ["call" | "drive" as name, _, *_] | [_, "call" | "drive" as name]:
            text = N_("{name} has a number behind it: {name} 2; a tag of that name is written tag {tag}")
            raise NotationError(text, name=name, tag=" ".join(words))
        case [*named] if stray := next(filter(_NUMBER.fullmatch, named), None):
            text = N_("“{number}” is no part of a tag's name: drive {number} spends drive; else write tag {tag}")
            raise NotationError(text, number=stray.rstrip("✦"), tag=" ".join(words))
        case _:
            part = reads_like_notation(" ".join(words))
            if part is not None:
                text = N_("“{part}”: the dice follow from the call here, and from the stat or tag that is named")
                raise NotationError(text, part=part)
            _parse_tagged(members, words)


_BESIDE = frozenset({"and", "with", "use", "spend", "for", "+", "&", ""})
"""words that people write between a tag and what they spend"""


def _with_comma(words: list[str]) -> str | None:
    """Return the line with a comma between a tag and a call or drive with its number.

    None if the words mean something else.
    """
    for number, others, is_first in ((words[:2], words[2:], True), (words[-2:], words[:-2], False)):
        name, amount = (word.rstrip(":;") for word in (*number, "")[:2])
        tag = " ".join(word for word in (one.rstrip(":;") for one in others) if word.lower() not in _BESIDE)
        named = not tag or (_ID.fullmatch(tag.replace(" ", "-").lower()) and not re.search("[0-9]", tag))
        if others and name.lower() in ("call", "drive") and _NUMBER.fullmatch(amount) and named:
            given = f"{name} {amount}"
            return ", ".join(filter(None, (given, tag) if is_first else (tag, given)))
    return None


def _parse_tagged(members: dict[str, Any], words: list[str]) -> None:
    if len(words) > 1 and words[-1].lower() == "irrelevant":
        words = words[:-1]
        _once(members, "irrelevant", True)
    _once(members, "tag", _id(words))


def _write_given(body: _Body) -> list[str]:
    parts = [f"call {body['call']}"] if "call" in body else []
    if "tag" in body:
        marked = body["tag"] in _MARKED or _NUMBER.fullmatch(body["tag"]) or reads_like_notation(body["tag"])
        mark, irrelevant = "tag " if marked else "", " irrelevant" if body.get("irrelevant") else ""
        parts.append(f"{mark}{body['tag']}{irrelevant}")
    return [*parts, *([f"drive {body['drive']}"] if "drive" in body else [])]


def _write_roll(body: _Body) -> str:
    return ", ".join(_write_given(body))


def _write_contribution(body: _Body) -> str:
    parts = [f"{body['roller']} rolls"] if "roller" in body else []
    parts += [name for name in ("stat", "stress") if body.get(name)]
    return ", ".join([*parts, *_write_given(body)])


# --- calls -----------------------------------------------------------------------------------------------------------

_HEAD = re.compile(
    r"(?P<stat>\S+(?:[^\S\n]+\S+)*?)\s+(?P<difficulty>-?[0-9]{1,16})✦?(?:\s+for\s+(?P<names>.+))?", re.IGNORECASE
)


def _parse_call(text: str) -> dict[str, Any]:
    head, colon, source = text.partition(":")
    match = _HEAD.fullmatch(head.strip())
    if not colon or match is None:
        raise NotationError("a call is written as in {example}; this is {text}", example=_CALL, text=text)
    words, flags = match["stat"].split(), {}
    while len(words) > 1 and words[0].lower() in ("support", "combat") and words[0].lower() not in flags:
        flags[words.pop(0).lower()] = True
    names = [] if match["names"] is None else [" ".join(part) for part in _parts(match["names"])]
    body = {"what": "call", "source": source.removeprefix(" "), "stat": _id(words)}
    return {**body, "difficulty": int(match["difficulty"]), "players": names, **flags}


def _write_call(body: _Body) -> str:
    flags = [name for name in ("support", "combat") if body.get(name)]
    whose = [f"for {', '.join(body['players'])}"] if body["players"] else []
    return f"{' '.join([*flags, body['stat'], str(body['difficulty']), *whose])}: {body['source']}"


# --- purchases -------------------------------------------------------------------------------------------------------

_OF_ROLL = re.compile(r"\s*roll\s+(?P<roll>[0-9]{1,16})\s*,(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_N, _FOR = r"(?P<amount>[0-9]{1,16})", r"(?:\s+for\s+(?P<player>\S+))?"
_SPEND = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"\s*(?P<buy>story|complication)\s+{_N}\s*: ?(?P<text>.*)",
        rf"\s*(?P<buy>tag)\s+(?P<tag>.+?){_FOR}\s*",
        rf"\s*(?P<buy>stress|drive|tension)(?:\s+{_N})?{_FOR}\s*",
    )
)


def _parse_spend(text: str) -> dict[str, Any]:
    body: dict[str, Any] = {"what": "spend"}
    named = _OF_ROLL.fullmatch(text)
    if named is not None:
        body["roll"], text = int(named["roll"]), named["rest"]
    match = next((found for found in (pattern.fullmatch(text) for pattern in _SPEND) if found), None)
    if match is None:
        known = "stress, stress 2 for bob, drive 2, tag rogue, tension, story 3: A way in, complication 2: Rain"
        raise NotationError("a purchase is one of {known}; this is {text}", known=known, text=text)
    members = {name: value for name, value in match.groupdict().items() if value is not None}
    members["buy"] = members["buy"].lower()
    if "tag" in members:
        members["tag"] = _id(members["tag"].split())
    amount = {"amount": int(members["amount"])} if "amount" in members else {}
    return {**body, **members, **amount}


def _write_spend(body: _Body) -> str:
    words = [body["buy"], *([body["tag"]] if "tag" in body else [])]
    words += [str(body["amount"])] if "amount" in body else []
    words += ["for", body["player"]] if "player" in body else []
    prefix = f"roll {body['roll']}, " if "roll" in body else ""
    return f"{prefix}{' '.join(words)}" + (f": {body['text']}" if "text" in body else "")


# --- sheets ----------------------------------------------------------------------------------------------------------

_QUOTED = re.compile(r'\s*"(?P<text>(?:[^"]|"")*)"\s*(?:[;\n](?P<rest>.*))?', re.DOTALL)
_PART = re.compile(r"(?P<name>stats|track|stress|tags|drive)(?:\s*:|\s)\s*(?P<value>.*)", re.IGNORECASE | re.DOTALL)


def _parse_sheet(text: str) -> dict[str, Any]:
    quoted = _QUOTED.fullmatch(text)
    if quoted is not None:
        character, rest = quoted["text"].replace('""', '"'), quoted["rest"] or ""
    else:
        found = re.fullmatch(r"(?P<text>[^;\n]*)(?:[;\n](?P<rest>.*))?", text, re.DOTALL)
        assert found is not None, "anything is text and a rest"
        character, rest = found["text"].strip(), found["rest"] or ""
    if not character:
        raise NotationError("a sheet begins with the character's name, as in {example}", example=_SHEET)
    members: dict[str, Any] = {}
    for part in re.split("[;\n]", rest):
        if not part.strip():
            continue
        match = _PART.fullmatch(part.strip())
        if match is None:
            refusal = N_("a part of a sheet begins with stats, track, stress, tags or drive; this is {text}")
            raise NotationError(refusal, text=part.strip())
        name = match["name"].lower()
        _once(members, name, _SHEET_PARTS[name](match["value"].strip()))
    return {"what": "sheet", "character": character, **_EMPTY, **members}


def _write_sheet(body: _Body) -> str:
    character = body["character"]
    if ";" in character or character.startswith('"') or character != character.strip():
        doubled = character.replace('"', '""')
        character = f'"{doubled}"'
    parts = [
        ("stats", _write_stats(body["stats"])),
        ("track", _write_track(body["track"])),
        ("stress", str(body["stress"] or "")),
        ("tags", _write_tags(body["tags"])),
        ("drive", str(body["drive"] or "")),
    ]
    return "; ".join([character, *(f"{name} {value}" for name, value in parts if value)])


def _named(text: str, value: Callable[[str], Any], last: int) -> dict[str, Any]:
    """Parse names with their values. A value is one word, or with `last` 2 also two, if the second is `exhausted`."""
    found: dict[str, Any] = {}
    for words in _parts(text):
        count = 2 if last == 2 and words[-1].lower() == "exhausted" and len(words) > 2 else 1
        if len(words) <= count:
            raise NotationError("a name and its stars, as in rogue 2; this is {text}", text=" ".join(words))
        _once(found, _id(words[:-count]), value(" ".join(words[-count:])))
    return found


def _parse_stats(text: str) -> dict[str, Any]:
    return _named(text, lambda stars: _number(stars, _STARS, _INTEGER), 1)


def _write_stats(stats: _Body) -> str:
    return ", ".join(f"{name} {stars}" for name, stars in stats.items())


def _parse_track(text: str) -> list[int]:
    return [_number(word, Message("each place of the track"), _INTEGER) for word in text.replace(",", " ").split()]


def _write_track(track: Iterable[int]) -> str:
    return " ".join(map(str, track))


def _parse_tags(text: str) -> dict[str, Any]:
    return _named(text, _parse_tag, 2)


def _write_tags(tags: Mapping[str, _Body]) -> str:
    return ", ".join(f"{name} {_write_tag(tag)}" for name, tag in tags.items())


def _parse_tag(text: str) -> dict[str, Any]:
    stars, *more = text.split() or [""]
    if [word.lower() for word in more] not in ([], ["exhausted"]):
        raise NotationError("a tag is written as 2, or 2 exhausted; this is {text}", text=text)
    return {"stars": _number(stars, _STARS, _INTEGER), **({"exhausted": True} if more else {})}


def _write_tag(tag: _Body) -> str:
    return f"{tag['stars']}{' exhausted' if tag.get('exhausted') else ''}"


_SHEET_PARTS: Mapping[str, Callable[[str], Any]] = {
    "stats": _parse_stats,
    "track": _parse_track,
    "stress": lambda text: _number(text, "stress"),
    "tags": _parse_tags,
    "drive": lambda text: _number(text, "drive"),
}
_EMPTY: _Body = {"stats": {}, "track": [], "stress": 0, "tags": {}, "drive": 0}

_CALL = "agility 14 for alice: Cross the bridge"
_SHEET = "Ash; stats agility 3, wits 2; track 1 1 2 3; stress 1; tags rogue 2, loud 1 exhausted; drive 1"

NOTATIONS: Mapping[Any, Notation] = {
    b.RollBody: Notation("roll", "rogue, drive 1", _parse_roll, _write_roll),
    b.ModifyBody: Notation(
        "contribution", "alice rolls, stat, rogue, drive 2", _parse_contribution, _write_contribution
    ),
    b.DeclareCall: Notation("call", _CALL, _parse_call, _write_call),
    b.DeclareSpend: Notation("spend", "drive 2 for bob", _parse_spend, _write_spend),
    b.DeclareSheet: Notation("sheet", _SHEET, _parse_sheet, _write_sheet),
    b.Stats: Notation("stats", "agility 3, wits 2", _parse_stats, _write_stats),
    b.Track: Notation("track", "1 1 2 3", _parse_track, _write_track),
    b.Tags: Notation("tags", "rogue 2, loud 1 exhausted", _parse_tags, _write_tags),
    b.TagBody: Notation("tag", "2 exhausted", _parse_tag, _write_tag),
}
