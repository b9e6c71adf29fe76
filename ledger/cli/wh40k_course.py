"""What a command means in the attacks that are under way: whose step is next, which groups, which model."""

from typing import TYPE_CHECKING, Any

from ledger.cli.isolation import isolated, isolated_in
from ledger.cli.place import Place, present
from ledger.cli.wh40k_words import happened
from ledger.errors import UsageError

if TYPE_CHECKING:
    from rules.wh40k.state import Game, Group, Model, Next

__all__ = ["after", "hit", "ignore", "next_act", "next_roll", "save", "settled", "tell_act", "wound_on"]


def settled(place: Place, *, tell: bool = False) -> "Game":
    """The game as the next step of who acts finds it: an open roll of theirs is settled first. `tell` what that did."""
    from rules import Violation

    game: Game = place.session.game
    opened = game.open
    if opened is None or opened.player != place.author or opened.status != "open":
        return game
    try:
        found = after(place, "resolve", {"roll": opened.roll})
    except Violation:
        return game
    if not tell:
        return found
    roll = next(roll for roll in found.settled if roll.roll == opened.roll)
    told = happened(_view(place, game), _view(place, found))
    results = (roll.summary or "").partition("= ")[2] or ", ".join(str(part.result) for part in roll.parts)
    place.notes.extend([f"roll {roll.roll}, {isolated(roll.source)}, came to {results}", *told])
    return found


def after(place: Place, type: str, members: dict[str, Any]) -> "Game":
    """The game after an act. Raises Violation, UsageError where it cannot be."""
    from ledger.cli.systems import convert
    from rules import Event

    system = place.session.system
    body = convert(members, system.bodies[type], f"this {type}")
    event = Event(0, place.author, type, body)
    place.session.check_role(place.author, type)
    place.session.check_state(event)
    game: Game = system.act(place.session.game, event)
    return game


def tell_act(place: Place, type: str, members: dict[str, Any]) -> dict[str, Any]:
    """The members; what the act is going to do, and an open roll that it settles, is told, unless it is refused."""
    from rules import Violation

    try:
        found = after(place, type, members)
    except Violation:
        return members  # who checks the event says why
    place.notes.extend(happened(_view(place, place.session.game), _view(place, found)))
    return members


def _view(place: Place, game: "Game") -> dict[str, Any]:
    view: dict[str, Any] = isolated_in(place.session.system.view(game))
    return view


# --- the next step -------------------------------------------------------------------------------------------------


def next_roll(place: Place, game: "Game") -> dict[str, Any]:
    """The roll that the game waits for, where it is the author's turn and no choice is open. Raises UsageError."""
    coming = _coming(place, game)
    if coming is None:
        return _move(place, game)
    match coming.step:
        case "attacks or hit" | "hit":
            group = _only_group(game)
            return {"for": "attacks", "group": group.group} if group.queue is None else hit(game, None, None)
        case "save":
            return _only_save(place, game)
        case "ignore":
            return {"for": "ignore"}
        case "inflict":
            return ignore(game, None, None)
        case step:
            return {"for": step}


def next_act(place: Place, game: "Game") -> dict[str, Any]:
    """What is resolved without a roll. Raises UsageError where nothing is, or a choice is open."""
    coming = _coming(place, game)
    if coming is None:
        raise UsageError("no roll is open in this game and no attacks are under way, so there is nothing to resolve")
    if coming.step in ("attacks or hit", "hit"):
        group = _only_group(game)
        if group.queue is None or not group.auto_hit:
            raise UsageError(f"attacks with {group.body.weapon} wait for dice: rollproof {_begins(group)}")
        return {"groups": [group.group]}
    if coming.step not in ("save", "inflict"):
        raise UsageError(f"the attacks wait for dice ({coming.step}): rollproof roll GAME --{coming.step}")
    return wound_on(game, _only_model(game).model, None)


def _coming(place: Place, game: "Game") -> "Next | None":
    """The next step, which must be the author's. Raises UsageError."""
    from rules.wh40k.course import next_step

    opened = place.open_roll
    if opened is not None and opened.status == "pending":
        raise UsageError(f"roll {opened.roll} waits for its dice: rollproof open GAME, then rollproof reveal GAME")
    if game.open is not None:
        raise UsageError(f"roll {game.open.roll} is open: {game.open.player} rerolls or resolves it first")
    coming = next_step(game)
    if coming is not None and coming.player != place.author:
        if opened is not None:
            raise UsageError(
                f"after roll {opened.roll} {coming.player} goes on ({coming.step}): rollproof resolve GAME"
            )
        raise UsageError(f"{coming.player} goes on with the attacks ({coming.step}), not {place.author}")
    return coming


def _move(place: Place, game: "Game") -> dict[str, Any]:
    waiting = [u.unit for u in game.units.values() if u.player == place.author and u.to_move]
    if len(waiting) == 1:
        return {"for": "move", "unit": waiting[0]}
    if waiting:
        raise UsageError(f"several units are to move: say which, --move {' or --move '.join(waiting)}")
    raise UsageError(
        "no attacks wait for a roll: say what is rolled, 10d6 3+ --hit, or 2d6 --sum --needs 7 --source Charge"
    )


# --- groups --------------------------------------------------------------------------------------------------------


def hit(game: "Game", groups: list[int] | None, count: int | None) -> dict[str, Any]:
    """A hit roll of these groups; else of the only one with attacks left. Raises UsageError."""
    if groups is None:
        group = _only_group(game)
        if group.auto_hit:
            raise UsageError(f"attacks with {group.body.weapon} hit without a roll: rollproof resolve GAME")
        groups = [group.group]
        count = count or _together(game, group)
    return {"for": "hit", "groups": groups, **present(count=count)}


def _together(game: "Game", group: "Group") -> int | None:
    """How many of the attacks can be rolled together (W10); None for all."""
    from rules.bounds import MAX_DICE
    from rules.wh40k.bodies import Trigger

    queue = group.queue or ()
    batch = len([attack for attack in queue if not attack.extra] or queue)
    triggers = [ability for ability in group.abilities if isinstance(ability, Trigger)]
    alone = not game.fast_rolling or group.S.dice is not None or any(trigger.does == "slay" for trigger in triggers)
    extra = sum(t.amount for t in triggers if t.does == "extra_hits" and isinstance(t.amount, int))
    most = 1 if alone else MAX_DICE // (1 + extra)
    return most if batch > most else None


def _begins(group: "Group") -> str:
    """What is typed to go on with the attacks of a group."""
    if group.queue is None:
        return f"roll GAME --attacks {group.group}"
    return f"resolve GAME --groups {group.group}" if group.auto_hit else f"roll GAME --hit --groups {group.group}"


def _only_group(game: "Game") -> "Group":
    """The only group with attacks left on the target under way. Raises UsageError."""
    sequence = game.sequence
    groups = [g for g in sequence.groups if g.left and sequence.target in (None, g.target)] if sequence else []
    if not groups:
        raise UsageError("no attacks are under way that could be rolled: rollproof declare attacks GAME UNIT TARGET")
    if len(groups) > 1:
        told = "; ".join(f"{_begins(g)} for {g.body.weapon} at {g.target}" for g in groups)
        raise UsageError(f"several groups have attacks left, so say which: {told}")
    return groups[0]


# --- models --------------------------------------------------------------------------------------------------------


def save(game: "Game", model: int | None, invulnerable: bool) -> dict[str, Any]:
    """A save of this model; else of the only one that can take the wound. Raises UsageError."""
    number = _only_model(game).model if model is None else model
    return {"for": "save", "model": number, **present(invulnerable=invulnerable or None)}


def _only_save(place: Place, game: "Game") -> dict[str, Any]:
    """The only save that there is. Raises UsageError where there is a choice, or none can succeed."""
    from msgspec import UNSET

    from rules import Violation
    from rules.wh40k.course import unsaveable

    model = _only_model(game)
    if model.line.invulnerable is not UNSET:
        if model.line.Sv == "-":
            return save(game, model.model, True)
        raise UsageError(f"model {model.model} has two saves: say --save, or --save --invulnerable")
    try:
        unsaveable(game, place.author, model.model)
    except Violation:
        return save(game, model.model, False)
    raise UsageError(f"model {model.model} has no save that could succeed: rollproof resolve GAME")


def ignore(game: "Game", model: int | None, count: int | None) -> dict[str, Any]:
    """A roll to ignore the damage that waits, or mortal wounds: all that the model can take. Raises UsageError."""
    from msgspec import UNSET

    from rules.wh40k.course import next_step

    coming = next_step(game)
    if coming is None or coming.step != "inflict":
        return {"for": "ignore", **present(model=model, count=count)}
    if model is None:
        found = _only_model(game)
        if found.line.ignores_wounds is UNSET:
            raise UsageError(f"model {found.model} ignores no wounds: rollproof resolve GAME --model {found.model}")
        model = found.model
    return {"for": "ignore", "model": model, "count": count or _most(game, model)}


def wound_on(game: "Game", model: int | None, mortal: int | None) -> dict[str, Any]:
    """A wound without a save on the model, or mortal wounds: all that it can take, if no number is said."""
    from rules.wh40k.course import next_step

    number = _only_model(game).model if model is None else model
    coming = next_step(game)
    if coming is not None and coming.step == "inflict":
        if _may_ignore(game, number):
            raise UsageError(f"model {number} may ignore wounds: rollproof roll GAME --ignore --model {number}")
        mortal = mortal or _most(game, number)
    return {"model": number, **present(mortal=mortal)}


def _may_ignore(game: "Game", number: int) -> bool:
    from msgspec import UNSET

    assert game.sequence is not None
    assert game.sequence.target is not None
    models = game.units[game.sequence.target].models
    return 1 <= number <= len(models) and models[number - 1].line.ignores_wounds is not UNSET


def _only_model(game: "Game") -> "Model":
    """The only model that the next wound can be allocated to (W11). Raises UsageError."""
    sequence = game.sequence
    if sequence is None or sequence.target is None:
        raise UsageError("no attacks are under way on any unit, so no model takes a wound")
    unit = game.units[sequence.target]
    models = [m for m in unit.alive if m.lost or m.model in unit.chosen] or list(unit.alive)
    if len(models) > 1:
        from ledger.cli.wh40k_words import ranges

        told = ranges([model.model for model in models])
        raise UsageError(f"say which model of {unit.unit} takes it, --model {models[0].model}; there are {told}")
    return models[0]


def _most(game: "Game", number: int) -> int:
    """How many mortal wounds the model takes now (W12)."""
    sequence = game.sequence
    assert sequence is not None
    assert sequence.target is not None
    waiting = (m for m in sequence.mortal if m.target == sequence.target)
    owed = sum(m.amount * m.times for m in waiting if isinstance(m.amount, int))
    models = game.units[sequence.target].models
    return min(owed, models[number - 1].left) or 1 if 1 <= number <= len(models) else owed
