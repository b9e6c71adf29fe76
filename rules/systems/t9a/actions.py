"""Actions of a player (specs/t9a.md, "Actions")."""

from collections.abc import Iterable, Iterator

from rules.actions import Action, Field, Free, OneOf, Option, Range, SomeOf, options
from rules.data.bounds import MAX_DICE, MAX_ITEMS
from rules.data.language import N_, Listed, Message
from rules.systems.t9a.bodies import Of
from rules.systems.t9a.rerolls import allowed_rerolls, limits, may_stand, ordered_reroll, pieces, whole
from rules.systems.t9a.settling import choice, latest, settle
from rules.systems.t9a.state import Game, Piece, Roll, Rule
from rules.systems.t9a.words import which_words

__all__ = ["actions"]


def actions(game: Game, party: str) -> tuple[Action, ...]:
    """Return what `party`, a player, can do now, due actions first. No request is pending."""
    roll = game.open
    found = [] if roll is None else [*_choices(roll, party), *_brought(roll)]
    if settle(game).open is None:
        found += _rolls(game)
    return tuple(sorted(found, key=lambda action: not action.due))


# --- the open roll ---------------------------------------------------------------------------------------------------


def _choices(roll: Roll, party: str) -> Iterator[Action]:
    """Yield what the player who rolled may or must do."""
    if roll.player != party:
        return
    for rule in allowed_rerolls(roll):
        yield _reroll(roll, rule)
    for throws in (True, False):
        can = [piece for piece in may_stand(roll) if (piece.throw is not None) == throws]
        if can:
            label = Message("let the first result stand")
            field = _field(roll, can, (1, len(can)), throws=throws)
            yield Action("ignore", label, "T4.3", (field,), {"roll": roll.roll}, due=True)
    if not ordered_reroll(roll):
        due = choice(roll) is not None
        yield Action("resolve", Message("keep what shows"), "T1.4", body={"roll": roll.roll}, due=due)


def _reroll(roll: Roll, rule: Rule) -> Action:
    found = pieces(roll, rule)
    least, most = limits(rule, found)
    # A reroll that names no dice is of all of them.
    field = _field(roll, found, (least, most), throws=whole(roll, rule), required=most < len(found))
    text = N_("reroll {which}, as {source} lets you") if rule.may else N_("reroll {which}, as {source} orders")
    label = Message(text, which=which_words(rule.which, rule.naturals), source=rule.source)
    return Action("reroll", label, "T4.2", (field,), {"roll": roll.roll, "rule": rule.rule}, due=True)


def _field(roll: Roll, found: Iterable[Piece], some: tuple[int, int], *, throws: bool, required: bool = True) -> Field:
    """Return a field for some of these pieces, each labelled with its naturals."""
    choices = [Option(piece.number, _shown(roll, piece)) for piece in found]
    label = Message("which throws") if throws else Message("which dice")
    return Field("throws" if throws else "dice", label, SomeOf(tuple(choices), *some), required=required)


def _shown(roll: Roll, piece: Piece) -> Message:
    return Listed([str(roll.dice[number - 1].natural) for number in piece.dice])


def _brought(roll: Roll) -> Iterator[Action]:
    """Yield the modifiers and reroll rules that any player may bring to the roll."""
    if not roll.direction and len(roll.modifiers) < MAX_ITEMS:
        field = Field("modifier", Message("the modifier"), Free("modifier", ("T2.3",)))
        yield Action("modify", Message("bring a modifier"), "T2.1", (field,), {"roll": roll.roll})
    if len(roll.rules) < MAX_ITEMS:
        rule = Field("rule", Message("the reroll rule"), Free("reroll", ("T4.2", "T7.3")))
        body = {"what": "reroll", "roll": roll.roll}
        yield Action("declare", Message("bring a reroll rule"), "T4.2", (rule,), body)


# --- the next roll ---------------------------------------------------------------------------------------------------


def _rolls(game: Game) -> Iterator[Action]:
    yield Action("roll", Message("roll dice"), "T1.1", _roll_fields(MAX_DICE))
    last = latest(settle(game))
    if last is None:
        return
    counts: tuple[tuple[Of, int | None, Message], ...] = (
        ("successes", last.successes, Message("roll for what succeeded")),
        ("failures", last.failures, Message("roll for what failed")),
    )
    for of, count, label in counts:
        if count:
            yield Action("roll", label, "T1.5", _roll_fields(count, default=count), {"of": of})


def _roll_fields(most: int, default: int = 1) -> tuple[Field, ...]:
    dice = ("T1.1", "T2.3", "T3.2", "T4.2", "T7.3")
    return (
        Field("source", Message("what is rolled for"), Free("text")),
        Field("dice", Message("the dice of one throw"), Free("dice", dice)),
        Field("times", Message("how many throws"), Range(1, most), required=False, default=default),
        _free("target", Message("what it succeeds at: 4+ or 8-"), "target", "T1.3", "T7.3"),
        _free("modifiers", Message("modifiers, in the order in which they act"), "modifiers", "T2.3", "T7.3"),
        _free("maximised", Message("what makes it a Maximised Roll"), "sources", "T1.1", "T7.3"),
        _free("minimised", Message("what makes it a Minimised Roll"), "sources", "T1.1", "T7.3"),
        _free("always", Message("naturals that decide by themselves"), "always", "T3.2", "T7.3"),
        _free("rerolls", Message("rules by which dice are rerolled"), "rerolls", "T2.3", "T4.2", "T7.3"),
        Field("at_once", Message("what must be rerolled is rerolled at once"), OneOf(options([True])), required=False),
        _free("zero", Message("where 0° of a direction points"), "text", "T7.3"),
    )


def _free(name: str, label: Message, grammar: str, *clauses: str) -> Field:
    return Field(name, label, Free(grammar, clauses), required=False)
