"""Random notation and random games of `dice-1`, made from the grammar and the schemas, not from what is offered."""

from collections.abc import Callable
from random import Random
from typing import Any

from rules.base import Role, next_wave
from rules.session import Session
from rules.systems.anydice import drawing
from rules.systems.anydice.grammar import parse
from rules.systems.anydice.problems import DiceError
from rules.systems.anydice.terms import ParsedText

__all__ = ["ROLES", "accepted", "broken", "draw", "event", "naturals", "notation", "table"]

ROLES: dict[str, Role] = {
    "host": "keeper",
    "gil": "gm",
    "alice": "player",
    "bob": "player",
    "dana": "judge",
    "eve": "witness",
}
SIGNS = ("<", "<=", "=", ">=", ">")


def naturals(random: Random, sides: tuple[int, ...]) -> list[int]:
    """Dice that often show an end."""
    return [random.choice([1, n, n, random.randint(1, n), random.randint(1, n)]) for n in sides]


def draw(notation: ParsedText, give: Callable[[tuple[int, ...]], list[int]]) -> list[int]:
    """The naturals of a whole draw. `give` returns those of a wave from its sides."""
    shown = give(drawing.first_sides(notation))
    waves = drawing.waves(notation, shown)
    sides = next(waves, ())
    while sides:
        drawn = give(sides)
        shown += drawn
        sides = next_wave(waves, tuple(drawn))
    return shown


# --- notation -------------------------------------------------------------------------------------------------------


def notation(random: Random, depth: int = 2) -> str:
    """A text of the notation; some are refused all the same, as going on for ever."""
    times = f"{random.randint(1, 4)}x{random.choice(['', ' '])}" if random.random() < 0.15 else ""
    text = _sum(random, depth)
    return times + (text if "d" in text else f"{text} + {dice(random)}")


def accepted(random: Random) -> str:
    """A text of the notation that is not refused."""
    while True:
        text = notation(random)
        try:
            return parse(text).text
        except DiceError:
            continue


def _sum(random: Random, depth: int) -> str:
    parts = [_product(random, depth)]
    for _ in range(random.choice([0, 0, 0, 1, 2])):
        parts += [random.choice([" + ", " - ", "+", "-"]), _product(random, depth)]
    return "".join(parts)


def _product(random: Random, depth: int) -> str:
    text = _factor(random, depth)
    while random.random() < 0.15:
        if random.random() < 0.5:
            text += random.choice([" * ", "*"]) + _factor(random, depth)
        else:
            text += f" {random.choice(['/', '/^', '/~', '%'])} {fixed(random, 1)}"
    return text


def _factor(random: Random, depth: int) -> str:
    sign = random.choice([""] * 8 + ["-", "- ", "+"])
    label = random.choice([""] * 6 + ["[fire]", " [the 2nd, +1]"])
    power = random.choice([""] * 12 + ["^", " ** "])
    return sign + _primary(random, depth) + label + (power + fixed(random, 0, 3) if power else "")


def fixed(random: Random, least: int, most: int = 9) -> str:
    """A number, or arithmetic that comes to one."""
    number = random.randint(least, most)
    if random.random() < 0.7:
        return str(number)
    return random.choice([f"({number})", f"( {number}+2 - 2)", f"(7-{7 - number})", f"(floor({2 * number + 1}/2))"])


def _primary(random: Random, depth: int) -> str:
    kind = random.random()
    if depth and kind < 0.1:
        return f"({_sum(random, depth - 1)})"
    if depth and kind < 0.2:
        parts = ", ".join(_sum(random, depth - 1) for _ in range(random.randint(2, 3)))
        return "{" + parts + "}" + _keeps(random) + _count(random)
    if depth and kind < 0.28:
        name = random.choice(["floor", "ceil", "round", "abs", "max", "min"])
        count = random.randint(2, 3) if name in ("max", "min") else 1
        return f"{name}({', '.join(_sum(random, depth - 1) for _ in range(count))})"
    return str(random.randint(0, 12)) if kind < 0.4 else dice(random)


def dice(random: Random) -> str:
    """One term."""
    number = random.choice(["", "2", "3", "4", "6", "1", "0", fixed(random, 0, 4)])
    kinds = [
        "d(3*2)",
        "d4",
        "d6",
        "d6",
        "d8",
        "d10",
        "d20",
        "d100",
        "d1",
        "d%",
        "d%%",
        "dF",
        "d{miss,hit=1,2}",
        "d{a,b}",
    ]
    kind = random.choice(kinds)
    adv = random.choice(["adv", "dis"]) if number in ("", "1") and random.random() < 0.2 else ""
    reroll = random.choice(["ro", "rr"]) + _match(random) if random.random() < 0.2 else ""
    explode = random.choice(["!", "!!", "!p", "!!p", "!o"]) + _match(random) if random.random() < 0.25 else ""
    limits = "".join(random.choice(["min2", "max5", "min-1", "max0"]) for _ in range(random.choice([0, 0, 0, 1, 2])))
    return number + kind + adv + reroll + explode + limits + _keeps(random) + _count(random)


def _match(random: Random) -> str:
    return random.choice(["", str(random.randint(0, 6)), f"{random.choice(SIGNS)}{random.randint(-1, 6)}"])


def _keeps(random: Random) -> str:
    words = [
        random.choice(["kh", "k", "kl", "dh", "dl", "d"]) + random.choice("123")
        for _ in range(random.choice([0, 0, 0, 1, 1, 2]))
    ]
    text = "".join(words)
    return text[:-1] if random.random() < 0.3 else text


def _count(random: Random) -> str:
    if random.random() < 0.8:
        return ""
    text = random.choice(["", "cs"]) + f"{random.choice(SIGNS)}{random.randint(1, 6)}"
    text += "f" + random.choice(["1", "<=2"]) if random.random() < 0.4 else ""
    return text + ("ds6" if random.random() < 0.3 else "")


def broken(random: Random) -> str:
    """A text that is almost notation."""
    text = notation(random)
    at = random.randrange(len(text))
    mark = random.choice(" 0123456789dDFxrokhl!<>=+-*/()[]{},%^pcsfmin２×")
    return random.choice([text[:at] + mark + text[at:], text[:at] + text[at + 1 :], text[:at] + mark + text[at + 1 :]])


def table(random: Random) -> list[dict[str, Any]]:
    """Rows, some of which overlap."""
    ranges = random.choice([["6-", "7-9", "10+"], ["1-5", "5-9"], ["3"], ["-2–2", "3+"], ["x"], ["9-7"]])
    return [{"range": text, "effect": f"effect {number}"} for number, text in enumerate(ranges)]


# --- games ----------------------------------------------------------------------------------------------------------


def event(random: Random, session: Session) -> tuple[str, str, dict[str, Any]]:
    """Author, type and body of an event that may or may not be accepted."""
    author = random.choice([name for name, role in session.parties.roles.items() if role in ("player", "gm")])
    view = session.view()
    kind = random.random()
    if kind < 0.3:
        return author, "roll", _roll(random)
    if kind < 0.45:
        body: dict[str, Any] = {"call": _one(random, [call["call"] for call in view["calls"]])}
        return author, "roll", body | ({"dice": notation(random)} if random.random() < 0.6 else {})
    if kind < 0.55:
        body = {"deck": _one(random, [*view["decks"], "d0"])}
        body |= {"hand": True} if random.random() < 0.4 else {}
        return author, "roll", body | ({"draw": random.randint(1, 3)} if random.random() < 0.6 else {})
    if kind < 0.65:
        rolls = [roll["roll"] for roll in view["rolls"] if roll["player"] == author][-2:]
        return author, "resolve", {"roll": _one(random, rolls)}
    if kind < 0.7:
        return "dana", "ruling", _ruling(random, view)
    if kind < 0.71:
        return author, "leave", {"party": author}
    return author, "declare", _declare(random, view)


def _one(random: Random, known: list[Any]) -> Any:
    return random.choice(known) if known and random.random() < 0.9 else random.choice([1, 2, 3])


def _roll(random: Random) -> dict[str, Any]:
    body: dict[str, Any] = {"dice": broken(random) if random.random() < 0.1 else notation(random)}
    more = (("source", "a test"), ("least", 5), ("most", 9), ("table", table(random)))
    return body | {name: value for name, value in more if random.random() < 0.3}


def _ruling(random: Random, view: dict[str, Any]) -> dict[str, Any]:
    subject = _one(random, [roll["roll"] for roll in view["rolls"]])
    if random.random() < 0.5:
        return {"ruling": "void", "subject": subject, "text": "x"}
    results = [{"die": random.randint(1, 4), "result": random.choice([random.randint(-1, 9)] * 9 + [2**53 - 1])}]
    return {"ruling": "correct", "subject": subject, "text": "x", "results": results}


def _declare(random: Random, view: dict[str, Any]) -> dict[str, Any]:
    match random.choice(
        ["call", "call", "withdraw", "deck", "deck", "cards", "return", "return", "shuffle", "remove", "play", "play"]
    ):
        case "call":
            body: dict[str, Any] = {"what": "call", "source": "a save"}
            if random.random() < 0.6:
                body["dice"] = notation(random, 0)
            if random.random() < 0.5:
                body["least"] = 10
            if random.random() < 0.5:
                body["parties"] = random.sample(["gil", "alice", "bob", "dana"], random.randint(1, 3))
            return body
        case "withdraw":
            return {"what": "withdraw", "call": _one(random, [call["call"] for call in view["calls"]])}
        case "deck":
            named = random.sample("abcd", random.randint(1, 4))
            items: list[dict[str, Any]] = [{"item": name} for name in named]
            items[0] |= {"count": random.choice([1, 2, 3, 1000])}
            return {"what": "deck", "deck": random.choice(["d0", "d1", "d2"]), "items": items}
        case "cards":
            return {"what": "cards", "deck": "d2", "cards": random.choice(["52", "54", "tarot"])}
        case "play":
            named = [
                each["item"] for deck in view["decks"].values() for hand in deck["hands"].values() for each in hand
            ]
            played = random.sample([*"abcd", *named], random.choice([1, 1, 2]))
            return {"what": "play", "deck": random.choice(["d0", "d1", "d2"]), "items": played}
        case "return":
            return {"what": "return", "deck": random.choice(["d0", "d1", "d2"]), "item": random.choice("abcd")}
        case what:
            return {"what": what, "deck": random.choice(["d0", "d1", "d2"])}
