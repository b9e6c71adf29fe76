"""Units and models: declaration, characteristics, allocation and loss of wounds (specs/wh40k.md, W8, W11, W20)."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.actions import Action
from rules.base import Event, given, keep
from rules.common.shared import check_room, check_weight, refuse
from rules.data.bounds import MAX_ITEMS
from rules.data.language import N_, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.fields import free, one_of, one_unit, range_of
from rules.systems.wh40k.state import AttackSequence, Computation, Game, Loss, Model, Unit
from rules.systems.wh40k.terms import Change
from rules.systems.wh40k.values import Computed, Dice, characteristic, plain

__all__ = [
    "alike",
    "allocate",
    "ask",
    "choose",
    "clause_of",
    "declare_unit",
    "eligible",
    "forced_model",
    "give_back",
    "lose",
    "model_option",
    "of_model",
    "offers",
    "offers_between",
    "own_unit",
    "possible",
    "remove_unit",
    "set_wounds",
    "standing",
    "unit_of",
    "with_unit",
]


def unit_of(game: Game, unit: str) -> Unit:
    """Return the unit with this id. Raises Violation W20."""
    if unit not in game.units:
        refuse("W20", "there is no unit {unit}: declare it first", unit=unit)
    return game.units[unit]


def own_unit(game: Game, author: str, unit: str) -> Unit:
    """Return the author's unit with this id. Raises Violation W20."""
    found = unit_of(game, unit)
    if found.player != author:
        refuse("W20", "{unit} is {player}'s, not {author}'s", unit=unit, player=found.player, author=author)
    return found


def with_unit(game: Game, unit: Unit) -> Game:
    """Return the game with the unit in its place."""
    return replace(game, units={**game.units, unit.unit: unit})


def declare_unit(game: Game, event: Event, body: b.DeclareUnit) -> Game:
    """Return the game with a new unit on the table. Raises Violation W9 or W20."""
    if body.unit in game.units:
        refuse("W20", "there is a unit {unit} already: choose another id", unit=body.unit)
    check_room(len(game.units), "W20")
    moves = {plain(line.M) for line in body.models}
    if len(moves) > 1 and any(isinstance(move, str) and move != "-" for move in moves):
        refuse("W9", "a random Move is rolled once for the unit: all its lines have the same M")
    text = N_("the names of the models come to {told}, each counted; there can be {most}")
    check_weight(sum(line.count * len(line.name.encode()) for line in body.models), "W20", text)
    lines = [line for line in body.models for _ in range(line.count)]
    kinds: dict[b.Line, int] = {}
    models = tuple(
        Model(number, line, kind=kinds.setdefault(replace(line, count=1), number))
        for number, line in enumerate(lines, 1)
    )
    return with_unit(game, Unit(body.unit, body.name, event.author, models, event.seq))


def standing(unit: Unit) -> Unit:
    """Return the unit if it has a model left. Raises Violation W20."""
    if not unit.alive:
        refuse("W20", "{unit} is destroyed", unit=unit.unit)
    return unit


def remove_unit(game: Game, author: str, unit: str) -> Game:
    """Return the game without a unit of the author. Raises Violation W20."""
    own_unit(game, author, unit)
    return replace(game, units={key: u for key, u in game.units.items() if key != unit})


def set_wounds(game: Game, author: str, body: b.DeclareWounds) -> Game:
    """Return the game with the number of wounds that a model has lost. Raises Violation W20."""
    unit = own_unit(game, author, body.unit)
    if not 1 <= body.model <= len(unit.models):
        refuse("W20", "{unit} has no model {model}", unit=unit.unit, model=body.model)
    model = unit.models[body.model - 1]
    if body.lost > model.line.W:
        refuse("W20", "model {model} has {W} wounds to lose", model=body.model, W=model.line.W)
    return with_unit(game, _with_model(unit, replace(model, lost=body.lost)))


# --- characteristics -----------------------------------------------------------------------------------------------


def of_model(model: Model, name: str, changes: tuple[Change, ...]) -> Computed:
    """Return a characteristic of a model after changes. T stands in for an S or Ld of `-` (W8)."""
    printed = getattr(model.line, name)
    if printed == "-" and name in ("S", "Ld"):
        steps = characteristic(name, "-", changes).steps
        stand_in = characteristic("T", model.line.T, ()).steps[0]
        return Computed(model.line.T, (*steps, replace(stand_in, op="takes T")))
    if isinstance(printed, str) and printed != "-":
        return Computed(plain(printed))
    return characteristic(name, printed, changes)


def possible(dice: Dice) -> range:
    """Return all numbers that random dice can give."""
    return range(dice.lowest, dice.highest + 1)


def ask(game: Game, event: Event, body: b.DeclareCharacteristic) -> Game:
    """Return the game with a computation that a player asked for. Raises Violation if the player's claim is wrong."""
    name, changes = body.characteristic, given(body.modifiers, ())
    if not isinstance(body.unit, UnsetType) and not isinstance(body.model, UnsetType):
        computed = of_model(unit_of(game, body.unit).model(body.model, "W20"), name, changes)
    else:
        assert not isinstance(body.printed, UnsetType)
        computed = characteristic(name, body.printed, changes)
    if computed.dice is not None:
        refuse("W9", "{name} is random ({value}): roll it when it is needed", name=name, value=computed.value)
    if body.value is not UNSET and body.value != computed.value:
        refuse(
            clause_of(name, computed),
            "{name} is {expected}, not {actual}",
            name=name,
            expected=computed.value,
            actual=body.value,
        )
    record = Computation(
        event.seq, event.author, name, given(body.unit, None), given(body.model, None), computed.value, computed.steps
    )
    return replace(game, computed=keep(game.computed, record))


def clause_of(name: str, computed: Computed) -> str:
    """Return the clause that a wrong claim about a characteristic violates."""
    if name == "AP" and "cap" in computed.ops:
        return "W14"
    return "W13" if name == "AP" and computed.ops & {"set", "treat"} else "W8"


# --- wounds --------------------------------------------------------------------------------------------------------


def eligible(unit: Unit) -> tuple[Model, ...]:
    """Return the models that can take the next wound (W11): those that must, else all that are alive."""
    alive, chosen = unit.alive, frozenset(unit.chosen)
    return tuple(m for m in alive if m.lost or m.model in chosen) or alive


def alike(model: Model, other: Model) -> bool:
    """Return whether two models of a unit have the same datasheet."""
    return model.kind == other.kind


def forced_model(game: Game, unit: Unit) -> Model | None:
    """Return the model that takes the next wound, if nobody has a choice; else None (specs/wh40k.md, "Course")."""
    first, *others = eligible(unit)
    free = [model for model in others if not (game.options.fast_saves and alike(first, model))]
    return None if free else first


def allocate(unit: Unit, number: int) -> Model:
    """Return the model if the next attack or mortal wound can be allocated to it. Raises Violation W11."""
    model = unit.model(number, "W11")
    first = [m.model for m in eligible(unit)]
    if number not in first:
        text = N_(
            "model {first} takes the next: it lost wounds or had an attack allocated in this phase; not model {model}"
        )
        refuse("W11", text, first=" or ".join(map(str, first)), model=number)
    return model


def choose(game: Game, unit: str, model: int) -> Game:
    """Return the game with an attack on the model recorded for this phase."""
    found = game.units[unit]
    chosen = found.chosen if model in found.chosen else (*found.chosen, model)
    return with_unit(game, replace(found, chosen=chosen))


def model_option(model: Model) -> tuple[int, Message]:
    """Return a model as an option of a field: its number and its name."""
    return model.model, Message("{name}", name=model.line.name)


def lose(
    game: Game, sequence: AttackSequence, unit: str, model: int, count: int, how: str
) -> tuple[Game, AttackSequence]:
    """Return the game and the sequence after a model lost up to `count` wounds. `how` is `normal`,
    `mortal` or `slain`.
    """
    found = game.units[unit]
    losing = found.models[model - 1]
    count = min(count, losing.left)
    if count <= 0:
        return game, sequence
    game = with_unit(game, _with_model(found, replace(losing, lost=losing.lost + count)))
    loss = sequence.damage.get((unit, model), Loss(unit, model))
    loss = replace(loss, **{how: getattr(loss, how) + count})
    return game, replace(sequence, damage={**sequence.damage, (unit, model): loss})


def give_back(game: Game, sequence: AttackSequence) -> Game:
    """Return the game with the wounds restored that a struck sequence took."""
    for loss in sequence.damage.values():
        unit = game.units.get(loss.unit)
        if unit is not None and unit.declared < sequence.sequence:
            model = unit.models[loss.model - 1]
            lost = max(0, model.lost - loss.normal - loss.mortal - loss.slain)
            game = with_unit(game, _with_model(unit, replace(model, lost=lost)))
    return game


def _with_model(unit: Unit, model: Model) -> Unit:
    return replace(unit, models=(*unit.models[: model.model - 1], model, *unit.models[model.model :]))


# --- offers --------------------------------------------------------------------------------------------------------

_PRINTED = ("M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv", "D")


def offers(game: Game) -> Iterator[Action]:
    """Yield the declarations of units and the questions that anybody can bring at any time."""
    if len(game.units) < MAX_ITEMS:
        unit = free("unit", N_("a short name for the unit"), "id", "W20")
        name = free("name", N_("the unit's name"), "text")
        models = free("models", N_("its models, kind by kind"), "models", "W9")
        yield Action("declare", Message("declare a unit"), "W20", (unit, name, models), {"what": "unit"})
    for grammar, names in (("changes", _PRINTED), ("ap-changes", ("AP",))):
        which = one_of("characteristic", N_("the characteristic"), names)
        printed = free("printed", N_("what is printed"), "printed", "W13")
        changes = free("modifiers", N_("what changes it"), grammar, "W8", "W13", required=False)
        label = Message("ask for a characteristic")
        yield Action("declare", label, "W8", (which, printed, changes), {"what": "characteristic"})
    for unit_ in game.units.values():
        for line in dict.fromkeys(model.line for model in unit_.alive):
            yield _asking(game, unit_, line)


def _asking(game: Game, unit: Unit, line: b.Line) -> Action:
    models = [model.model for model in unit.alive if model.line == line]
    names = [name for name in _PRINTED[:-1] if not _is_random(line, name)]
    fields = (
        one_of("model", N_("the number of the model"), models),
        one_of("characteristic", N_("the characteristic"), names),
        free("modifiers", N_("what changes it"), "changes", "W8", required=False),
    )
    label = Message("ask for a characteristic of {unit}, {name}", unit=game.unit_name(unit.unit), name=line.name)
    return Action("declare", label, "W8", fields, {"what": "characteristic", "unit": unit.unit})


def _is_random(line: b.Line, name: str) -> bool:
    value = getattr(line, name)
    return isinstance(value, str) and value != "-"


def offers_between(game: Game, party: str) -> Iterator[Action]:
    """Yield the declarations about the player's own units that can come between attacks."""
    own = [unit for unit in game.units.values() if unit.player == party]
    if own:
        field = one_unit("unit", N_("the unit"), game, [unit.unit for unit in own])
        yield Action("declare", Message("take a unit off the table"), "W20", (field,), {"what": "gone"})
    for unit in own:
        for wounds in dict.fromkeys(model.line.W for model in unit.models):
            models = [model_option(model) for model in unit.models if wounds == model.line.W]
            fields = (
                one_of("model", N_("the number of the model"), models),
                range_of("lost", N_("the wounds that it has lost now"), 0, wounds),
                free("source", N_("the rule that says so"), "text"),
            )
            label = Message("set the wounds of a model of {unit}", unit=game.unit_name(unit.unit))
            yield Action("declare", label, "W20", fields, {"what": "wounds", "unit": unit.unit})
