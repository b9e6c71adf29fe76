"""The 9th Age's part of the state in words (specs/t9a.md, "State")."""

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.cli.place import Section

__all__ = [
    *("always_text", "can_reroll", "change_text", "due", "next_command", "pieces", "reroll_text", "roll_notes"),
    "sections",
]


def next_command(choice: str, view: Mapping[str, Any], game: str) -> str | None:
    """What to type for a choice that is waited for."""
    if choice == "resolve":
        return f"rollproof resolve {game}"
    roll = next(roll for roll in view["rolls"] if roll["roll"] == view["open"])
    rules = [rule for rule in roll["rerolls"] if can_reroll(rule) and pieces(roll, rule)]
    rule = next((rule for rule in rules if not rule["may"]), rules[0])
    again = f"rollproof reroll {game}" + (f" --rule {rule['rule']}" if len(rules) > 1 else "")
    left = rule["pick"] and rule["pick"] - rule["rerolled"]
    if left and left < len(pieces(roll, rule)):
        again += f" --dice {','.join('N' * min(left, 3))}"
    if choice == "reroll":
        return again
    return f"{again} --as {roll['player']}, or rollproof resolve {game}"


def due(view: Mapping[str, Any], game: str) -> list[str]:  # noqa: ARG001
    """Nothing outlasts a roll."""
    return []


def can_reroll(rule: Mapping[str, Any]) -> bool:
    """Whether a rule has not rerolled as many as it can."""
    return rule["pick"] is None or rule["rerolled"] < rule["pick"]


def roll_notes(roll: Mapping[str, Any]) -> list[str]:
    """What a roll comes to, and what can still be done to it."""
    notes = [*_extra_dice_notes(roll), *_direction_notes(roll)]
    if any(die["kind"] == "d3" for die in roll["dice"]):
        notes.append("a D3 is half of what the D6 shows, rounded up")
    if roll["modifiers"]:
        notes.append(f"modifiers, in this order: {', '.join(_modifier_text(m, roll) for m in roll['modifiers'])}")
    told = always_text(roll["always"])
    if told:
        notes.append(", ".join(told))
    if roll["status"] in ("pending", "open"):
        notes += [_rule_text(roll, rule) for rule in roll["rerolls"]]
    return notes


def _extra_dice_notes(roll: Mapping[str, Any]) -> list[str]:
    """Maximised and Minimised (T6)."""
    more, fewer = roll["maximised"], roll["minimised"]
    net = len(more) - len(fewer)
    sources = [f"{name} ({', '.join(of)})" for name, of in (("Maximised", more), ("Minimised", fewer)) if of]
    if not sources:
        return []
    if net == 0:
        return [f"{' and '.join(sources)} cancel each other: no die is added"]
    which = "lowest" if net > 0 else "highest"
    dice = f"one more die, the {which}" if abs(net) == 1 else f"{abs(net)} more dice, the {abs(net)} {which}"
    dropped = "dropped in each throw" if roll["times"] > 1 else "dropped"
    left = " left after cancelling" if len(sources) > 1 else ""
    return [f"{' and '.join(sources)}{left}: {dice} {dropped}"]


def _direction_notes(roll: Mapping[str, Any]) -> list[str]:
    """Where a direction is measured from, and which side of a D6 is the arrow (T7)."""
    if not roll["notation"].endswith(("direction", "direction-d6")):
        return []
    zero = roll["zero"] or f"straight away from {roll['player']}'s table edge"
    notes = [f"0° is {zero}; degrees go clockwise, seen from above"]
    sides = {1: "the side with the single dot", 5: "the central dot of the 5"}
    tops = [die["naturals"][-1] for die in roll["dice"] if die["kind"] == "face"]
    for throw, top in zip(roll["throws"], tops, strict=False):
        which = f"throw {throw['throw']}: " if len(tops) > 1 else ""
        notes.append(f"{which}the D6 shows {top}; the arrow is {sides[throw['face']]}")
    return notes


def always_text(always: Mapping[str, Any]) -> list[str]:
    """Which naturals decide, of a state or of a body (which leaves out what is not there)."""
    kinds = (("success", "succeeds"), ("failure", "fails"))
    return [f"a natural {_or(always[key])} always {does}" for key, does in kinds if always.get(key)]


def change_text(modifier: Mapping[str, Any]) -> str:
    """`+5 Advance Rate`, `× 2 Rage`: a modifier of a state or of a body."""
    amount = f"× {modifier['multiply']}" if modifier.get("multiply") else f"{modifier['add']:+d}"
    return f"{amount} {modifier['source']}"


def reroll_text(rule: Mapping[str, Any]) -> str:
    """`must reroll failed ones, 1 of them`: a reroll rule of a state or of a body."""
    which = f"{rule['which']} ones"
    if rule["which"] == "natural":
        which = f"natural {_or(f'{natural}s' for natural in rule['naturals'])}"
    which = {"any": "any", "throw": "the whole throw"}.get(rule["which"], which)
    most = f", {rule['pick']} {'at most' if rule.get('may') else 'of them'}" if rule.get("pick") else ""
    return f"{'may' if rule.get('may') else 'must'} reroll {which}{most}"


def _modifier_text(modifier: Mapping[str, Any], roll: Mapping[str, Any]) -> str:
    by = f", by {modifier['by']}" if modifier["by"] != roll["player"] else ""
    late = ", after the dice were shown" if modifier["late"] else ""
    return change_text(modifier) + (f" ({(by + late).removeprefix(', ')})" if by or late else "")


def _rule_text(roll: Mapping[str, Any], rule: Mapping[str, Any]) -> str:
    """A reroll rule, and the dice that it concerns now."""
    text = f"reroll {rule['rule']}, {rule['source']}: {reroll_text(rule)}"
    if not can_reroll(rule):
        return f"{text}; done"
    return f"{text}: {_dice_text(roll, pieces(roll, rule))}" if roll["dice"] else text


def _dice_text(roll: Mapping[str, Any], found: list[list[int]]) -> str:
    """Numbers of dice, each with what it shows: it is by that that players choose."""
    shown = [[f"{number} ({roll['dice'][number - 1]['naturals'][-1]})" for number in piece] for piece in found]
    if all(len(piece) == 1 for piece in shown):
        return f"{'die' if len(found) == 1 else 'dice'} {', '.join(die for (die,) in shown)}" if found else "no die now"
    texts = (f"{' and '.join(piece)}{' together' if len(piece) > 1 else ''}" for piece in shown)
    return f"dice {'; '.join(texts)}"


def pieces(roll: Mapping[str, Any], rule: Mapping[str, Any]) -> list[list[int]]:
    """The dice that a rule concerns, those together that are rerolled together, as the state shows them (T4.2)."""
    judged = rule["which"] in ("failed", "successful")
    found: list[list[int]] = []
    for throw in roll["throws"]:
        if judged and throw["success"] is not (rule["which"] == "successful"):
            continue
        dice = [die for die in (roll["dice"][number - 1] for number in throw["kept"]) if len(die["naturals"]) == 1]
        chosen = [d["die"] for d in dice if rule["which"] != "natural" or d["naturals"][-1] in rule["naturals"]]
        together = judged or rule["which"] == "throw" or throw["degrees"] is not None
        found += ([chosen] if chosen else []) if together else [[number] for number in chosen]
    return found


def _or(values: Iterable[object]) -> str:
    return " or ".join(map(str, values))


def sections(view: Mapping[str, Any]) -> list[Section]:
    """What players have rolled so far."""
    rows = [(name, p["rolls"], p["dice"], p["ignored"], p["rerolled"]) for name, p in view["players"].items()]
    columns = ("player", "rolls finished", "dice", "dropped", "rerolled")
    return [Section("Players", columns, rows if any(p["dice"] for p in view["players"].values()) else [])]
