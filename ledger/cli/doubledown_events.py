"""Events of Double Down on one line of a log: sheets, calls, contributions, rolls, votes, what was bought."""

from collections.abc import Callable, Mapping
from typing import Any

from ledger.cli.lists import few

__all__ = ["summarize"]

_Body = Mapping[str, Any]


def summarize(event: Mapping[str, Any]) -> str | None:
    """What an event says, as one short sentence; None for a type that the system does not have."""
    body: _Body = event["body"]
    match event["type"]:
        case "declare":
            return _DECLARED[body["what"]](body)
        case "modify":
            return f"call {body['call']}: {body['roller']} is to roll; given: {few(_given(body)) or 'nothing'}"
        case "roll":
            given = _given(body)
            return f"the roll of call {body['call']}{f', with {few(given)}' if given else ''}"
        case "reroll":
            return f"roll {body['roll']} is doubled down"
        case "resolve":
            claims = [body["outcome"]] if "outcome" in body else []
            claims += [f"{name} {body[name]}" for name in ("boons", "banes", "damage", "drive") if name in body]
            return f"roll {body['roll']} is settled{f', {few(claims)}' if claims else ''}"
    return None


# --- declare -------------------------------------------------------------------------------------------------------


def _sheet(body: _Body) -> str:
    stats = few([f"{name} {stars}" for name, stars in body["stats"].items()])
    tags = few([f"{name} {_stars(tag)}" for name, tag in body["tags"].items()]) or "none"
    track = "-".join(str(stars) for stars in body["track"])
    return (
        f"a sheet for {body['character']}: {stats}; stress {body['stress']} on the track {track}; tags {tags}; "
        f"drive {body['drive']}"
    )


def _stars(tag: _Body) -> str:
    return f"{tag['stars']}{' exhausted' if tag.get('exhausted') else ''}"


def _call(body: _Body) -> str:
    kinds = [told for kind, told in (("support", "a support roll"), ("combat", "in combat")) if body.get(kind)]
    what = f"{few(body['players']) or 'nobody'} called to roll {body['stat']} against {body['difficulty']}"
    return f"{what}: {', '.join((body['source'], *kinds))}"


def _rest(body: _Body) -> str:
    return f"{body['player']} rested and recovers {few(body['tags']) or 'nothing' if 'tags' in body else 'all tags'}"


def _spend(body: _Body) -> str:
    return f"roll {body['roll']} buys {few([_buy(buy) for buy in body['buys']])}"


def _buy(buy: _Body) -> str:
    whose = f" for {buy['player']}" if "player" in buy else ""
    return _BUYS.get(buy["buy"], "{buy} {amount}").format(**{"amount": 1, **buy}) + whose


_BUYS = {
    "tag": "the tag {tag}",
    "story": "a story reward at {amount} ({text})",
    "complication": "a complication at {amount} ({text})",
}
_DECLARED: Mapping[str, Callable[[_Body], str]] = {
    "sheet": _sheet,
    "confirm": lambda body: f"the sheet of {body['player']} is in force",
    "call": _call,
    "withdraw": lambda body: f"call {body['call']} is off",
    "rest": _rest,
    "vote": lambda body: (
        f"roll {body['roll']}: a vote {'to double down' if body['double'] else 'to let the die stand'}"
    ),
    "count": lambda body: f"roll {body['roll']}: the vote ends, who has not voted abstains",
    "spend": _spend,
}


def _given(body: _Body) -> list[str]:
    """What a participant, or the roller, adds to the modifier."""
    given = [told for name, told in (("stat", "the base stat"), ("stress", "the stress track")) if body.get(name)]
    if "tag" in body:
        given.append(f"the tag {body['tag']}{' (irrelevant)' if body.get('irrelevant') else ''}")
    return [*given, *([f"drive {body['drive']}"] if body.get("drive") else [])]
