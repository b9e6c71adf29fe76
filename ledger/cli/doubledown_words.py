"""Double Down in words: its part of the state, its rolls, and what to type next."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ledger.cli.output import typed
from ledger.cli.place import Section

if TYPE_CHECKING:
    from rules.doubledown.state import Sheet

__all__ = ["due", "next_command", "roll_notes", "sections", "seen", "sheet_line", "together"]

_PRICES: Mapping[str, Mapping[str, int]] = {
    "boons": {
        "stress=N recovers stress, 1 each": 1,
        "tag=TAG recovers a tag, 2": 2,
        "drive=N gains drive, 2 each": 2,
        "story=N:TEXT is a story reward": 1,
    },
    "banes": {
        "stress=N inflicts stress, 1 each": 1,
        "tension=N adds tension, 2 each": 2,
        "complication=N:TEXT is a complication": 1,
    },
}
"""what boons and banes buy, and the least that it costs (T3, T4)"""
_TIERS: Mapping[int, str] = {-2: "down two tiers", -1: "down one tier", 1: "up one tier", 2: "up two tiers"}


def next_command(choice: str, view: Mapping[str, Any], game: str) -> str | None:
    """What to type for a choice that is waited for."""
    party = view["waits_for"]["party"]
    match choice:
        case "vote":
            vote = f"rollproof declare vote {game}"
            return f"{vote} --double --as {party}{typed(f'{vote} --stand')}"
        case "double down":
            return f"rollproof reroll {game}"
        case "double down or resolve":
            return f"rollproof reroll {game} --as {party}{typed(f'rollproof resolve {game}')}"
        case "resolve":
            return f"rollproof resolve {game}"
        case "spend boons" | "spend banes":
            owed = next(o for o in view["owed"] if o["kind"] == choice.removeprefix("spend "))
            return f"rollproof declare spend {game} {owed['roll']} BUY…"
        case "contribute":
            return _contribute(game, view["calls"][0])
        case "roll":
            return f"rollproof roll {game} {view['calls'][0]['call']}"
    return None


def due(view: Mapping[str, Any], game: str) -> list[str]:
    """Sheets to confirm, a vote that a GM may end, and all that can be done besides what is waited for."""
    lines = []
    for player, sheet in view["proposed"].items():
        command = f"rollproof declare confirm {game} {player}"
        lines.append(f"{sheet['character']}, {player}, waits for a GM to confirm the sheet:{typed(command)}")
    waits = view["waits_for"]
    opened = next((roll for roll in view["rolls"] if roll["roll"] == view["open"]), None)
    if opened is not None:
        if waits["choice"] == "vote" and opened["player"] in opened["votes"]:
            lines.append(
                f"A GM may end the vote; who has not voted abstains:{typed(f'rollproof declare count {game}')}"
            )
        return lines
    return lines + list(_besides(view, game))


def _besides(view: Mapping[str, Any], game: str) -> Iterator[str]:
    """What can be done, when no roll is open, besides what is waited for."""
    waits = view["waits_for"]
    choice = waits["choice"] if waits else ""
    waited = next((o for o in view["owed"] if choice == f"spend {o['kind']}"), None)
    for owed in view["owed"]:
        if owed is not waited:
            who, command = owed["party"] or "a GM", f"rollproof declare spend {game} {owed['roll']} BUY…"
            yield f"{who} can spend {_count(owed['left'], owed['kind'])} of roll {owed['roll']}:{typed(command)}"
    for call in view["calls"][0 if waited else 1 :]:
        named = {name: gives["roller"] for name, gives in call["contributions"].items()}
        for roller in call["players"]:
            if all(named.get(name) == roller for name in call["players"] if name != roller):
                command = f"rollproof roll {game} {call['call']} --as {roller}"
                yield f"{roller} can roll, {call['source']}:{typed(command)}"
                break
        else:
            who = [name for name in call["players"] if name not in named] or call["players"]
            yield f"{together(who)} can contribute to {call['source']}:{typed(_contribute(game, call))}"


def _contribute(game: str, call: Mapping[str, Any]) -> str:
    return f"rollproof modify {game} {call['call']} --roller NAME [--stat] [--stress] [--tag TAG] [--drive N]"


def roll_notes(roll: Mapping[str, Any]) -> list[str]:
    """What a roll comes to, from which modifiers; what it earned, and what was bought with it."""
    notes = [_modifier_text(roll)]
    if roll["support"]:
        notes.append("a support roll: a plain success gives half the boons")
    if roll["combat"] and roll["damage"] is None:
        notes.append("in combat: success deals damage")
    if roll["votes"]:
        votes = ", ".join(f"{name} to {'double down' if d else 'stand'}" for name, d in roll["votes"].items())
        abstain = roll["counted"] and len(roll["votes"]) < len(roll["players"])
        notes.append(f"votes: {votes}{'; the others abstain' if abstain else ''}")
    if roll["outcome"] is not None:
        notes += _die_notes(roll)
    if roll["status"] == "resolved":
        notes.append(_earned_text(roll))
    for bought in roll["bought"]:
        notes.append(f"bought with {_count(bought['cost'], bought['kind'])}: {_bought_text(bought)}")
    return notes + ([_left_text(roll)] if roll["left"] else [])


def _modifier_text(roll: Mapping[str, Any]) -> str:
    told = []
    for m in roll["modifiers"]:
        name = {"stress": "stress track", "tag": f"tag {m['source']}"}.get(m["kind"], m["source"])
        of = "" if m["player"] == roll["player"] else f" of {m['player']}"
        told.append(f"{name}{of} {m['amount']:+d}")
    return f"modifier {roll['modifier']:+d}: {', '.join(told)}"


def _die_notes(roll: Mapping[str, Any]) -> list[str]:
    """How the dice are read, where the total alone does not tell, and what doubling down does or would do."""
    from rules.doubledown.tables import OUTCOMES, SHIFT, outcome_of

    told, tier = [], 0
    for die in roll["dice"]:
        natural = die["naturals"][-1]
        tier = outcome_of(natural, die["result"], roll["difficulty"])
        name = OUTCOMES[tier].name
        why = f"natural {natural}" if "critical" in name else f"total {die['result']}"
        told.append(f"{why} is a {name}")
    if roll["doubled"]:
        return [f"doubled down: {told[0]}; {told[1]}, so it goes {_TIERS[SHIFT[tier]]} to {roll['outcome']}"]
    notes = told if "critical" in roll["outcome"] else []
    if roll["status"] == "open" and not roll["votes"]:
        notes.append(
            "doubling down rolls a second d20, same modifier and difficulty: success moves the outcome up one tier, "
            "critical success two; failure down one, critical failure two"
        )
    return notes


def _earned_text(roll: Mapping[str, Any]) -> str:
    kinds = [_count(roll[kind]["earned"], kind) for kind in ("boons", "banes") if roll[kind]["earned"]]
    told = kinds or ["no boons"]
    told += [] if roll["damage"] is None else [f"damage {roll['damage']}"]
    told += [f"{roll['player']} gains {roll['drive']} drive"] if roll["drive"] else []
    return f"{roll['outcome']}: {', '.join(told)}"


def _bought_text(bought: Mapping[str, Any]) -> str:
    amount, player = bought["amount"], bought["player"]
    match bought["buy"]:
        case "stress":
            return f"{player} {'recovers' if bought['kind'] == 'boons' else 'takes'} {amount} stress"
        case "tag":
            return f"{player} recovers the tag {bought['tag']}"
        case "drive":
            return f"{player} gains {amount} drive"
        case "tension":
            return f"tension rises by {amount}"
        case "story":
            return f"story reward, {bought['text']}"
        case _:
            return f"complication, {bought['text']}"


def _left_text(roll: Mapping[str, Any]) -> str:
    kind, left = "boons" if roll["boons"]["earned"] else "banes", roll["left"]
    who = roll["player"] if kind == "boons" else "a GM"
    prices = [text for text, least in _PRICES[kind].items() if least <= left]
    return f"{_count(left, kind)} left for {who} to spend: {'; '.join(prices)}"


def sections(view: Mapping[str, Any]) -> list[Section]:
    """Double Down's own part of the state."""
    columns = ("player", "character", "stats", "stress", "tags", "drive")
    called = ("call", "what", "stat", "difficulty", "for", "kind", "contributions")
    owed = [(o["roll"], _count(o["left"], o["kind"]), o["party"] or "a GM") for o in view["owed"]]
    return [
        Section("Characters", columns, [_sheet_row(*item) for item in view["sheets"].items()]),
        Section("Sheets that wait for a GM", columns, [_sheet_row(*item) for item in view["proposed"].items()]),
        Section("Calls for a roll", called, [_call_row(call) for call in view["calls"]]),
        Section("Boons and banes to spend", ("roll", "left", "whose"), owed),
        Section("Tension", ("added by banes",), [(view["tension"],)] if view["tension"] else []),
    ]


def _sheet_row(player: str, sheet: Mapping[str, Any]) -> tuple[object, ...]:
    stats = ", ".join(f"{name} {stars}" for name, stars in sheet["stats"].items())
    tags = ", ".join(
        f"{name} {tag['stars']}{' exhausted' if tag['exhausted'] else ''}" for name, tag in sheet["tags"].items()
    )
    stress = f"{sheet['stress']} of {len(sheet['track']) - 1} ({sheet['stars']:+d})"
    return (player, sheet["character"], stats, stress, tags or "none", sheet["drive"])


def sheet_line(player: str, sheet: Mapping[str, Any]) -> str:
    """A sheet in a sentence, for whoever confirms it."""
    _, character, stats, stress, tags, drive = _sheet_row(player, sheet)
    return f"{character}, {player}: {stats}; stress {stress}; tags {tags}; drive {drive}"


def seen(sheet: "Sheet") -> Mapping[str, Any]:
    """A sheet as the state shows it."""
    import msgspec

    return {**msgspec.to_builtins(sheet), "stars": sheet.stars}


def _call_row(call: Mapping[str, Any]) -> tuple[object, ...]:
    kinds = ["group"] if len(call["players"]) > 1 else []
    kinds += [kind for kind in ("support", "combat") if call[kind]]
    gives = "; ".join(f"{name}: {_gives_text(c)}" for name, c in call["contributions"].items())
    players = ", ".join(call["players"])
    return (call["call"], call["source"], call["stat"], call["difficulty"], players, ", ".join(kinds), gives)


def _gives_text(gives: Mapping[str, Any]) -> str:
    told = [f"{gives['roller']} rolls", *(what for what in ("stat", "stress") if gives[what])]
    if gives["tag"] is not None:
        told.append(f"tag {gives['tag']}{' (irrelevant)' if gives['irrelevant'] else ''}")
    if gives["drive"]:
        told.append(f"drive {gives['drive']}")
    return ", ".join(told)


def _count(number: int, kind: str) -> str:
    return f"{number} {kind.removesuffix('s') if number == 1 else kind}"


def together(names: Iterable[str]) -> str:
    return " and ".join(names)
