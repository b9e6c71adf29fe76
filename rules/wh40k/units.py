"""Units and models: declaring, moving, who takes a wound and who loses it (specs/wh40k.md, W8, W9, W11, W20)."""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.base import Event, given, keep
from rules.shared import check_room, refuse
from rules.wh40k import bodies as b
from rules.wh40k.state import Computation, Game, Loss, Model, Move, Sequence, Unit
from rules.wh40k.values import Computed, Dice, characteristic, check_size, parse, plain

__all__ = [
    "allocate",
    "ask",
    "declare_unit",
    "gone",
    "lose",
    "move_dice",
    "of_model",
    "own_unit",
    "possible",
    "select_move",
    "set_wounds",
    "unit_of",
    "with_unit",
]


def unit_of(game: Game, unit: str) -> Unit:
    """The unit, which must be there: else Violation W20."""
    if unit not in game.units:
        refuse("W20", "there is no unit {unit}: declare it first", unit=unit)
    return game.units[unit]


def own_unit(game: Game, author: str, unit: str) -> Unit:
    """The unit, which must be the author's."""
    found = unit_of(game, unit)
    if found.player != author:
        refuse("W20", "{unit} is {player}'s, not {author}'s", unit=unit, player=found.player, author=author)
    return found


def with_unit(game: Game, unit: Unit) -> Game:
    return replace(game, units={**game.units, unit.unit: unit})


def declare_unit(game: Game, event: Event, body: b.DeclareUnit) -> Game:
    if body.unit in game.units:
        refuse("W20", "there is a unit {unit} already: choose another id", unit=body.unit)
    check_room(len(game.units), "W20")
    moves = {plain(line.M) for line in body.models}
    if len(moves) > 1 and any(isinstance(move, str) and move != "-" for move in moves):
        refuse("W9", "a random Move is rolled once for the unit: all its lines have the same M")
    lines = [line for line in body.models for _ in range(line.count)]
    models = tuple(Model(number, line) for number, line in enumerate(lines, 1))
    return with_unit(game, Unit(body.unit, body.name, event.author, models, event.seq))


def gone(game: Game, author: str, unit: str) -> Game:
    own_unit(game, author, unit)
    return replace(game, units={key: u for key, u in game.units.items() if key != unit})


def set_wounds(game: Game, author: str, body: b.DeclareWounds) -> Game:
    """A model has lost this many wounds, for another reason than an attack."""
    unit = own_unit(game, author, body.unit)
    if not 1 <= body.model <= len(unit.models):
        refuse("W20", "{unit} has no model {model}", unit=unit.unit, model=body.model)
    model = unit.models[body.model - 1]
    if body.lost > model.line.W:
        refuse("W20", "model {model} has {W} wounds to lose", model=body.model, W=model.line.W)
    return with_unit(game, _with_model(unit, replace(model, lost=body.lost)))


# --- characteristics -----------------------------------------------------------------------------------------------


def of_model(model: Model, name: str, changes: tuple[b.Change, ...]) -> Computed:
    """A characteristic of a model after changes; T stands in for an S or Ld of `-` (W8)."""
    printed = getattr(model.line, name)
    if printed == "-" and name in ("S", "Ld"):
        steps = characteristic(name, "-", changes).steps
        stand_in = characteristic("T", model.line.T, ()).steps[0]
        return Computed(model.line.T, (*steps, replace(stand_in, op="takes T")))
    if isinstance(printed, str) and printed != "-":
        return Computed(plain(printed))
    return characteristic(name, printed, changes)


def possible(dice: Dice) -> range:
    """All that random dice can come to."""
    return range(dice.lowest, dice.highest + 1)


def ask(game: Game, event: Event, body: b.DeclareCharacteristic) -> Game:
    """A computation that a player asked for; what the player claims must be so."""
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
    """The clause that a wrong claim of a characteristic offends."""
    if name == "AP" and "cap" in computed.ops:
        return "W14"
    return "W13" if name == "AP" and computed.ops & {"set", "treat"} else "W8"


# --- moves ---------------------------------------------------------------------------------------------------------


def select_move(game: Game, event: Event, body: b.DeclareMove) -> Game:
    """A unit with a random M is selected to move (W9)."""
    unit = _standing(own_unit(game, event.author, body.unit))
    dice = _random_move(unit)
    if unit.move is not None and body.source is UNSET:
        text = "{unit} was selected to move in this phase: a source says which rule lets it move again"
        refuse("W9", text, unit=unit.unit)
    changes = given(body.modifiers, ())
    check_size(possible(dice), changes, "M")
    return with_unit(game, replace(unit, move=Move(event.seq, changes)))


def move_dice(game: Game, author: str, unit: str) -> tuple[Move, Dice]:
    """The selection and the dice of a unit that is to roll its Move now."""
    found = _standing(own_unit(game, author, unit))
    dice = _random_move(found)
    if found.move is None:
        refuse("W9", "{unit} has not been selected to move: declare that first", unit=unit)
    if found.move.computed is not None:
        text = "the Move of {unit} has been rolled: once for the whole unit when it is selected"
        refuse("W9", text, unit=unit)
    return found.move, dice


def _standing(unit: Unit) -> Unit:
    """The unit, which must have a model left: else Violation W20."""
    if not unit.alive:
        refuse("W20", "{unit} is destroyed", unit=unit.unit)
    return unit


def _random_move(unit: Unit) -> Dice:
    printed = unit.models[0].line.M
    if not isinstance(printed, str) or printed == "-":
        refuse("W9", "the Move of {unit} is {M}: nothing is rolled for it", unit=unit.unit, M=printed)
    return parse(printed)


# --- wounds --------------------------------------------------------------------------------------------------------


def allocate(unit: Unit, number: int, clause: str = "W11") -> Model:
    """The model, if the next attack or mortal wound can be allocated to it (W11)."""
    model = unit.model(number, "W11")
    first = [m.model for m in unit.alive if m.lost or m.model in unit.chosen]
    if first and number not in first:
        text = (
            "model {first} takes the next: it lost wounds or had an attack allocated in this phase; not model {model}"
        )
        refuse(clause, text, first=" or ".join(map(str, first)), model=number)
    return model


def choose(game: Game, unit: str, model: int) -> Game:
    """Remember that an attack was allocated to the model in this phase."""
    found = game.units[unit]
    chosen = found.chosen if model in found.chosen else (*found.chosen, model)
    return with_unit(game, replace(found, chosen=chosen))


def lose(game: Game, sequence: Sequence, unit: str, model: int, count: int, how: str) -> tuple[Game, Sequence]:
    """A model loses at most so many wounds; `how` is `normal`, `mortal` or `slain`."""
    found = game.units[unit]
    losing = found.models[model - 1]
    count = min(count, losing.left)
    if count <= 0:
        return game, sequence
    game = with_unit(game, _with_model(found, replace(losing, lost=losing.lost + count)))
    losses = {(loss.unit, loss.model): loss for loss in sequence.damage}
    loss = losses.get((unit, model), Loss(unit, model))
    losses[unit, model] = replace(loss, **{how: getattr(loss, how) + count})
    return game, replace(sequence, damage=tuple(losses.values()))


def give_back(game: Game, sequence: Sequence) -> Game:
    """The wounds that a struck sequence took are there again."""
    for loss in sequence.damage:
        unit = game.units.get(loss.unit)
        if unit is not None and unit.declared < sequence.sequence:
            model = unit.models[loss.model - 1]
            lost = max(0, model.lost - loss.normal - loss.mortal - loss.slain)
            game = with_unit(game, _with_model(unit, replace(model, lost=lost)))
    return game


def _with_model(unit: Unit, model: Model) -> Unit:
    return replace(unit, models=(*unit.models[: model.model - 1], model, *unit.models[model.model :]))
