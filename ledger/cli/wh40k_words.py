"""Warhammer 40,000 in words: the state's own tables, what a roll comes to, what happened, and what to type next."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from ledger.cli.place import Section

__all__ = [
    "attacks_lines",
    "change_text",
    "computation_line",
    "due",
    "happened",
    "next_command",
    "ranges",
    "roll_notes",
    "sections",
    "takes",
    "which_text",
]

_View = Mapping[str, Any]

# --- small words ---------------------------------------------------------------------------------------------------


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _dice(of: Sequence[object]) -> str:
    return "die" if len(of) == 1 else "dice"


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _or(values: Iterable[int]) -> str:
    return " or ".join(map(str, values))


def ranges(numbers: Iterable[int]) -> str:
    """[1, 2, 3, 7] as 1-3, 7."""
    runs = groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    found = [[number for _, number in run] for _, run in runs]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in found)


_CHANGED = {
    "add": "+{}",
    "subtract": "-{}",
    "multiply": "x{}",
    "divide": "/{}",
    "set": "set to {}",
    "treat": "treated as {}",
    "improve": "improved by {}",
    "worsen": "worsened by {}",
    "floor": "at least {}",
}


def change_text(change: _View) -> str:
    """`-1 (Dense Cover)`, `hit -1 (Dense Cover)`, `treated as 0 when -1 (Bastion)`."""
    when = f" when {_or(change['when'])}" if "when" in change else ""
    on = f"{change['on']} " if "on" in change else ""
    return f"{on}{_CHANGED[change['op']].format(change['amount'])}{when} ({change['source']})"


_STEP = {"round": "rounded up", "cap": "no further", "floor": "no lower", "blast": "blast", "takes T": "T stands in"}


def _steps_text(steps: Iterable[_View]) -> str:
    """`printed -2; worsened by 1 (Dour Duty): -1; treated as 0 (Bastion): 0`."""
    told = []
    for step in steps:
        if step["amount"] is not None:
            told.append(f"{_CHANGED[step['op']].format(step['amount'])} ({step['source']}): {step['value']}")
        elif step["op"] in ("printed", "rolled", "unmodified"):
            told.append(f"{step['op']} {step['value']}")
        else:
            told.append(f"{_STEP[step['op']]}: {step['value']}")
    return "; ".join(told)


def which_text(rule: _View) -> str:
    """What a reroll rule takes: `failed`, `results of 1`, `any`."""
    apart = ", one die at a time" if rule.get("apart") else ""
    if rule.get("failed"):
        return f"failed{apart}"
    return f"results of {_or(rule['results'])}{apart}" if "results" in rule else f"any{apart}"


def _ability_text(ability: _View) -> str:
    source = ability["source"]
    match ability["kind"]:
        case "auto-hit":
            return f"hits without a roll ({source})"
        case "blast":
            return f"blast ({source})"
        case "reroll":
            return f"reroll {ability['of']} {which_text(ability)} ({source})"
    unmodified = "unmodified " if ability.get("unmodified") else ""
    does = {"wound": "wounds", "slay": "slays the bearer"}.get(ability["does"], ability["does"].replace("_", " "))
    amount = f" {ability['amount']}" if "amount" in ability else ""
    instead = " instead" if ability.get("instead") else ""
    results = ability["results"]
    # 7 is the most that a modified hit or wound roll comes to.
    up = len(results) > 1 and max(results) >= (6 if unmodified else 7)
    which = f"{min(results)}+" if up and len(results) == max(results) - min(results) + 1 else ranges(results)
    return f"{ability['on']} {unmodified}{which}: {does}{amount}{instead} ({source})"


# --- rolls ---------------------------------------------------------------------------------------------------------


def roll_notes(roll: _View) -> list[str]:
    """What a roll comes to, and what can still be done to it."""
    if not roll["parts"]:
        return []
    notes = _open_notes(roll) if roll["status"] == "open" else _settled_notes(roll)
    ruled = [(die["die"], step["ruled"]) for die in roll["dice"] for step in die["steps"] if "ruled" in step]
    return [*notes, *(f"die {die} is a {result} by a ruling" for die, result in ruled)]


def _open_notes(roll: _View) -> list[str]:
    notes = []
    needs = {part["needs"] for part in roll["parts"]} - {None}
    if needs:
        notes.append(f"needs {' or '.join(f'{n}+' for n in sorted(needs))}")
    if roll["modifiers"]:
        notes.append(f"still to be applied: {', '.join(map(change_text, roll['modifiers']))}")
    for rule in roll["rerolls"]:
        shown = {die["die"]: die["value"] for die in roll["dice"]}
        dice = [f"{number} ({shown[number]})" for number in takes(roll, rule)]
        told = f"{_dice(dice)} {', '.join(dice)}" if dice else "no die now"
        notes.append(f"rule {rule['reroll']}, {rule['source']}, may reroll {which_text(rule)}: {told}")
    return notes


def takes(roll: _View, rule: _View) -> list[int]:
    """The dice that a reroll rule lets be rolled again, each at most once."""
    dice = {die["die"]: die for die in roll["dice"]}
    found: list[int] = []
    for part in roll["parts"]:
        fresh = [n for n in part["dice"] if len(dice[n]["naturals"]) == 1]
        if rule.get("failed") and not _failed(roll, part):
            continue
        if "results" in rule:
            found += [n for n in fresh if dice[n]["value"] in rule["results"]]
        elif rule.get("apart") or len(fresh) == len(part["dice"]):
            found += fresh
    return found


def _failed(roll: _View, part: _View) -> bool:
    """Whether a part has failed by itself, before modifiers (W6, W16)."""
    if part["needs"] is None:
        return False
    value = part["unmodified"]
    if roll["for"] in ("hit", "wound") and value == 6:
        return False
    return value < part["needs"] or (roll["for"] in ("hit", "wound", "save") and value == 1)


def _settled_notes(roll: _View) -> list[str]:
    notes = []
    parts = [part for part in roll["parts"] if part["result"] is not None]
    changed = [part for part in parts if len(part["steps"]) > 1]
    if len(parts) == 1 and changed:
        notes.append(_steps_text(changed[0]["steps"]))
    elif changed:
        notes.append(f"modified: {', '.join(map(change_text, roll['modifiers']))}")
        if any(step["op"] == "cap" for part in changed for step in part["steps"]):
            notes.append("a hit or wound roll is never modified by more than 1")
    passed = [die for part in parts if part["passed"] for die in part["dice"]]
    if len(parts) > 1 and parts[0]["passed"] is not None:
        notes.append(f"successes: {f'{_dice(passed)} {ranges(passed)}' if passed else 'none'}")
    return notes


# --- what to do ----------------------------------------------------------------------------------------------------


def next_command(choice: str, view: _View, game: str) -> str | None:
    """What to type for a choice that is waited for."""
    if choice == "reroll or resolve":
        return _of_open_roll(view, game)
    if choice == "move":
        waiting = [key for key, unit in view["units"].items() if _to_move(unit)]
        return f"rollproof roll {game} --move {waiting[0]}"
    if choice in ("attacks or hit", "hit"):
        sequence = view["sequence"]
        left = _left(sequence)
        return f" --as {sequence['player']}, or ".join(_of_group(group, game, only=len(left) == 1) for group in left)
    if choice in ("save", "inflict"):
        return _of_models(choice, view, game)
    return f"rollproof roll {game} --{choice}"


def _of_open_roll(view: _View, game: str) -> str:
    roll = next(roll for roll in view["rolls"] if roll["roll"] == view["open"])
    several = len(roll["parts"]) > 1
    rerolls = []
    for rule in roll["rerolls"]:
        if takes(roll, rule):
            which = "" if not several or "results" in rule or "failed" in rule else " --dice N,N"
            rerolls.append(f"rollproof reroll {game} --rule {rule['reroll']}{which} --as {roll['player']}")
    return ", or ".join((*rerolls, f"rollproof resolve {game}"))


def _of_group(group: _View, game: str, *, only: bool) -> str:
    number = group["group"]
    if group["left"] is None:
        return f"rollproof roll {game} --attacks {number}"
    if any(ability["kind"] == "auto-hit" for ability in group["abilities"]):
        return f"rollproof resolve {game} --groups {number}"
    return f"rollproof roll {game} --hit" + ("" if only else f" --groups {number}")


def _left(sequence: _View) -> list[_View]:
    """Groups with attacks left on the target that is under way."""
    targets = (None, sequence["target"])
    return [g for g in sequence["groups"] if g["left"] != 0 and (sequence["target"] is None or g["target"] in targets)]


def _takers(view: _View) -> list[int]:
    """The models that the next wound can be allocated to (W11)."""
    unit = view["units"][view["sequence"]["target"]]
    alive = [model for model in unit["models"] if not model["destroyed"]]
    first = [model["model"] for model in alive if model["lost"] or model["model"] in unit["chosen"]]
    return first or [model["model"] for model in alive]


def _of_models(choice: str, view: _View, game: str) -> str:
    models = _takers(view)
    if choice == "save":
        return f"rollproof roll {game} --save --model {models[0]}"
    return f"rollproof resolve {game} --model {models[0]}"


def due(view: _View, game: str) -> list[str]:  # noqa: ARG001
    """What is still to be done in the attacks under way."""
    sequence = view["sequence"]
    if sequence is None or view["open"] is not None:
        return []
    waiting = [*_waiting(view, sequence), *_attacks_left(sequence)]
    return [f"Still to do: {'; '.join(waiting)}."] if waiting else []


def _waiting(view: _View, sequence: _View) -> list[str]:
    target = sequence["target"]
    told = []
    if sequence["hits"]:
        told.append(f"{_count(sequence['hits'], 'hit')} on {target} to wound")
    unsaved = sequence["unsaved"]
    if unsaved:
        hurt = f"model {unsaved['model']} of {target}"
        damage = unsaved["damage"]
        told.append(f"the damage to {hurt}" if damage is None else f"{hurt} may ignore {damage} damage")
    if sequence["wounds"]:
        told.append(f"{_count(sequence['wounds'], 'wound')} to save by {target}, model {_models_text(view)}")
    for item in sequence["mortal"]:
        amount = item["amount"] * item["times"] if isinstance(item["amount"], int) else None
        rolled = f"{item['times']} x {item['amount']}" if item["times"] > 1 else item["amount"]
        what = f"{rolled} mortal wounds" if amount is None else _count(amount, "mortal wound")
        told.append(f"{what} on {item['target']} ({item['source']})")
    return told


def _attacks_left(sequence: _View) -> list[str]:
    groups = sequence["groups"]
    if len(groups) == 1 and groups[0]["left"] == groups[0]["attacks"]:
        return []  # just declared: that was told
    told = []
    for group in groups:
        if group["left"] != 0:
            known = "attacks to be rolled" if group["left"] is None else _count(group["left"], "attack")
            told.append(f"group {group['group']}, {group['weapon']} at {group['target']}: {known}")
    return told


def _models_text(view: _View) -> str:
    models = _takers(view)
    return f"{ranges(models[:-1])} or {models[-1]}" if len(models) > 1 and len(models) < 4 else ranges(models)


# --- what happened -------------------------------------------------------------------------------------------------


def happened(before: _View, after: _View) -> list[str]:
    """What changed at the table: wounds, models, the end of attacks."""
    told = []
    for key, unit in after["units"].items():
        old = before["units"].get(key)
        for was, model in zip(old["models"], unit["models"], strict=True) if old else ():
            if was["lost"] != model["lost"]:
                told.append(_loss_text(key, model, was["lost"]))
    sequence = before["sequence"]
    ended = sequence and next((s for s in after["sequences"] if s["sequence"] == sequence["sequence"]), None)
    if ended:
        told.append(f"{_sequence_name(ended)}: finished; {_damage_text(ended)}")
    elif sequence is None and after["sequence"] is None and len(after["sequences"]) > len(before["sequences"]):
        told.append("Nothing came of it.")
    return told


def _loss_text(unit: str, model: _View, before: int) -> str:
    change = model["lost"] - before
    left = "destroyed" if model["destroyed"] else f"{model['W'] - model['lost']} of {model['W']} left"
    verb = "loses" if change > 0 else "regains"
    return f"{unit}: model {model['model']}, {model['name']}, {verb} {_count(abs(change), 'wound')}: {left}"


def _sequence_name(sequence: _View) -> str:
    return f"attacks of {sequence['unit']}" if sequence["unit"] else "mortal wounds"


def _damage_text(sequence: _View) -> str:
    by_unit: dict[str, list[int]] = {}
    for loss in sequence["damage"]:
        lost = by_unit.setdefault(loss["unit"], [0, 0])
        lost[0] += loss["normal"] + loss["mortal"] + loss["slain"]
        lost[1] += 1
    told = (
        f"{key} lost {_count(lost, 'wound')} on {_count(models, 'model')}" for key, (lost, models) in by_unit.items()
    )
    return ", ".join(told) or "nobody lost a wound"


def computation_line(computed: _View) -> str:
    """A characteristic that was asked for, step by step."""
    of = f" of model {computed['model']} of {computed['unit']}" if computed["unit"] else ""
    name, value = computed["characteristic"], computed["value"]
    plus = "+" if name in ("WS", "BS", "Sv") and value != "-" else ""
    return f"{name}{of} is {value}{plus}: {_steps_text(computed['steps'])}"


def attacks_lines(sequence: _View) -> list[str]:
    """What was declared, with all numbers and rules."""
    told = []
    for group in sequence["groups"]:
        rules = _rules_text(group)
        text = f"group {group['group']}, {group['weapon']} at {group['target']}: {_profile(group)}"
        told.append(f"{text}; {rules}" if rules else text)
    return told


def _rules_text(group: _View) -> str:
    """The modifiers and abilities."""
    return "; ".join((*map(change_text, group["modifiers"]), *map(_ability_text, group["abilities"])))


# --- the state -----------------------------------------------------------------------------------------------------


def sections(view: _View) -> list[Section]:
    """Warhammer 40,000's own part of the state."""
    turn = view["turn"]
    used = _and(view["command"]) or "nobody"
    phases = [(turn["player"] if turn else "nobody yet", turn["phase"] if turn else "none", used)]
    moves = [
        (
            key,
            unit["player"],
            "to be rolled" if _to_move(unit) else "none" if unit["move"]["value"] is None else unit["move"]["value"],
            _move_text(unit),
        )
        for key, unit in view["units"].items()
        if unit["move"]
    ]
    computed = [(c["declared"], c["player"], computation_line(c)) for c in view["computed"][-10:]]
    ended = [
        (s["sequence"], s["player"], _sequence_name(s), s["status"], _damage_text(s)) for s in view["sequences"][-10:]
    ]
    return [
        Section("Phase", ("turn of", "phase", "Command Re-roll used by"), phases if turn or view["command"] else []),
        Section("Units", ("unit", "player", "models", "left"), _units(view)),
        Section("Moves", ("unit", "player", "inches", "how"), moves),
        *_attacks_sections(view),
        Section("Characteristics", ("event", "player", "step by step"), computed),
        Section("Attacks and mortal wounds before", ("event", "player", "what", "status", "damage"), ended),
    ]


def _to_move(unit: _View) -> bool:
    """Whether it was selected to move, and is there to roll for it."""
    there = any(not model["destroyed"] for model in unit["models"])
    return there and unit["move"] is not None and unit["move"]["value"] is None


def _move_text(unit: _View) -> str:
    return _steps_text(unit["move"]["steps"])


def _units(view: _View) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for key, unit in view["units"].items():
        for (name, wounds), found in groupby(unit["models"], key=lambda model: (model["name"], model["W"])):
            models = list(found)
            alive = [model for model in models if not model["destroyed"]]
            gone = [model["model"] for model in models if model["destroyed"]]
            hurt = [f"model {m['model']} lost {m['lost']} of {m['W']}" for m in alive if m["lost"]]
            first = models[0]["model"]
            numbers = f"{first}-{models[-1]['model']}" if len(models) > 1 else str(first)
            left = [f"{len(alive)} of {len(models)}", *hurt, *([f"destroyed: {ranges(gone)}"] if gone else [])]
            named = key if unit["name"] == key else f"{key}, {unit['name']}"
            rows.append((named, unit["player"], f"{numbers} {name}, W {wounds}", "; ".join(left)))
    return rows


def _attacks_sections(view: _View) -> list[Section]:
    sequence = view["sequence"]
    if sequence is None:
        return []
    groups = [
        (
            g["group"],
            f"{g['weapon']} at {g['target']}, by {ranges(g['bearers'])}",
            _profile(g),
            _so_far(g),
            _rules_text(g),
        )
        for g in sequence["groups"]
    ]
    steps = [
        (g["group"], name, _steps_text(g[name]["steps"]))
        for g in sequence["groups"]
        for name in ("skill", "A", "S", "T", "AP", "D")
        if len(g[name]["steps"]) > 1
    ]
    coming = sequence["next"]
    waiting = [(told,) for told in _waiting(view, sequence)]
    following = [
        (coming["player"], coming["step"], coming["dice"] if coming["dice"] is not None else "as chosen")
        if coming
        else ()
    ]
    lost = [(d["unit"], d["model"], d["normal"], d["mortal"], d["slain"]) for d in sequence["damage"]]
    title = _sequence_name(sequence)
    return [
        Section(
            f"The {title}, of event {sequence['sequence']}", ("group", "what", "profile", "so far", "rules"), groups
        ),
        Section("Their characteristics", ("group", "which", "step by step"), steps),
        Section("Still to do", ("what",), waiting),
        Section("To be rolled or chosen next", ("player", "step", "dice"), following if coming else []),
        Section("Wounds lost in them", ("unit", "model", "normal", "mortal", "slain"), lost),
    ]


def _profile(group: _View) -> str:
    """`10 attacks, hit on 3+, S 4 against T 5: wound on 5+, AP -1, D 1`."""
    attacks = group["attacks"]
    many = f"{group['A']['value']} attacks each" if attacks is None else _count(attacks, "attack")
    auto = any(ability["kind"] == "auto-hit" for ability in group["abilities"])
    hit = "hit without a roll" if auto else f"hit on {group['skill']['value']}+"
    wound = f": wound on {group['wound']}+" if group["wound"] is not None else ""
    against = f"S {group['S']['value']} against T {group['T']['value']}{wound}"
    return f"{many}, {hit}, {against}, AP {group['AP']['value']}, D {group['D']['value']}"


def _so_far(group: _View) -> str:
    left = "attacks to be rolled" if group["left"] is None else f"{group['left']} left"
    saves = [f"{group[key]} {key}" for key in ("saved", "failed") if group[key]]
    done = [_count(group[f"{what}s"], what) for what in ("hit", "wound") if group[f"{what}s"]]
    return ", ".join((left, *done, *saves))
