"""The 9th Age: which dice a rule rerolls, and the reroll (specs/t9a.md, T4, T5.2, T6.5)."""

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import given
from rules.shared import Rerolled, add_to_tally, check_roller, find_die, open_roll, refuse
from rules.t9a import bodies as b
from rules.t9a.state import VALUE, Die, Game, PendingReroll, Roll, Rule

Pieces = list[tuple[int, ...]]


def new_rule(roll: Roll, by: str, rule: b.RerollRule, *, late: bool) -> Rule:
    """A further reroll rule of the roll (T4.2, T7.3)."""
    if roll.direction and rule.which not in ("any", "throw"):
        text = "a direction is no number: {source} can reroll any of them, or the throw, but not those that are {which}"
        refuse("T7.3", text, source=rule.source, which=rule.which)
    if roll.target is None and rule.which in ("failed", "successful"):
        refuse("T4.2", "without a target nothing succeeds or fails, so {source} rerolls nothing", source=rule.source)
    return Rule(
        rule=len(roll.rules) + 1,
        source=rule.source,
        by=by,
        late=late,
        which=rule.which,
        naturals=given(rule.naturals, ()),
        may=rule.may is True,
        pick=given(rule.pick, None),
    )


def pieces(roll: Roll, rule: Rule, *, rerolled: bool = False) -> Pieces:
    """The dice that a rule concerns, in pieces that are rerolled whole (T4.2); as if none had been, with `rerolled`."""
    judged = rule.which in ("failed", "successful")
    whole = roll.direction or judged or rule.which == "throw"
    found: Pieces = []
    for throw in roll.throws:
        if judged and throw.success is not (rule.which == "successful"):
            continue
        dice = tuple(
            die.die
            for die in roll.of_throw(throw.throw)
            if die.kept and (rerolled or not die.rerolled) and (rule.which != "natural" or die.natural in rule.naturals)
        )
        found += ([dice] if dice else []) if whole else [(die,) for die in dice]
    return found


def ordered(roll: Roll) -> Rule | None:
    """The first rule that orders a reroll which has not been made (T4.4)."""
    return next((rule for rule in roll.rules if not rule.may and rule.left != 0 and pieces(roll, rule)), None)


def allowed(roll: Roll) -> bool:
    """Whether some rule can still reroll a die."""
    return any(rule.left != 0 and pieces(roll, rule) for rule in roll.rules)


def request_reroll(game: Game, author: str, body: b.RerollBody) -> tuple[Game, tuple[int, ...]]:
    """Take a reroll; also the sides of the dice to draw."""
    roll = open_roll(game.open, body.roll, "T1.4")
    check_roller(roll, author, "T1.4")
    if body.rule > len(roll.rules):
        refuse("T4.2", "roll {roll} has no reroll rule {rule}: declare it first", roll=roll.roll, rule=body.rule)
    rule = roll.rules[body.rule - 1]
    if rule.left == 0:
        text = "reroll rule {rule} ({source}) has rerolled as many as it can: {pick}"
        refuse("T4.2", text, rule=rule.rule, source=rule.source, pick=rule.pick)
    dice = _all(roll, rule) if isinstance(body.dice, UnsetType) else body.dice
    _check_relevant(roll, rule, dice)
    _check_pieces(roll, rule, set(dice))
    return replace(game, pending=PendingReroll(rule.rule, dice)), tuple(roll.dice[n - 1].sides for n in dice)


def reveal_reroll(game: Game, roll: Roll, pending: PendingReroll, naturals: tuple[int, ...]) -> Game:
    """The second results show, and are final (T4.3)."""
    rule = roll.rules[pending.rule - 1]
    dice = list(roll.dice)
    for number, natural in zip(pending.dice, naturals, strict=True):
        dice[number - 1] = _rolled_again(dice[number - 1], natural, rule.source)
    count = sum(set(piece) <= set(pending.dice) for piece in pieces(roll, rule))
    rules = tuple(replace(r, rerolled=r.rerolled + count) if r is rule else r for r in roll.rules)
    players = add_to_tally(game.players, roll.player, dice=len(naturals), rerolled=len(naturals))
    return replace(game, players=players, open=replace(roll, dice=tuple(dice), rules=rules), pending=None)


def _rolled_again(die: Die, natural: int, source: str) -> Die:
    step = Rerolled(die.natural, source)
    value = VALUE[die.kind](natural)
    return replace(die, naturals=(*die.naturals, natural), result=value, steps=(*die.steps, step))


def _all(roll: Roll, rule: Rule) -> tuple[int, ...]:
    dice = tuple(die for piece in pieces(roll, rule) for die in piece)
    if not dice and pieces(roll, rule, rerolled=True):
        refuse(
            "T4.1", "{source} concerns only dice that have been rerolled; a die is rerolled once", source=rule.source
        )
    if not dice:
        refuse("T4.2", "{source} ({which}) concerns no die of this roll", source=rule.source, which=rule.words)
    return dice


def _check_relevant(roll: Roll, rule: Rule, dice: tuple[int, ...]) -> None:
    """Each die is one that the rule concerns, in the order given (T4.2)."""
    relevant = {die for piece in pieces(roll, rule) for die in piece}
    seen: set[int] = set()
    for number in dice:
        die = find_die(roll.dice, number, "T4.2")
        if not die.kept:
            refuse("T6.5", "die {die} was dropped: it is not rerolled", die=number)
        if die.rerolled:
            refuse("T4.1", "die {die} has been rerolled; its second result is final", die=number)
        if number not in relevant and die.kind == "d3" and rule.which == "natural":
            text = "die {die} is a D3 whose D6 shows {natural}; {source} is about the D6, not its half"
            refuse("T5.2", text, die=number, natural=die.natural, source=rule.source)
        if number not in relevant:
            text = "{source} ({which}) does not concern die {die}, which shows {natural}"
            refuse("T4.2", text, source=rule.source, which=rule.words, die=number, natural=die.natural)
        if number in seen:
            refuse("T4.2", "die {die} is named twice", die=number)
        seen.add(number)


def _check_pieces(roll: Roll, rule: Rule, dice: set[int]) -> None:
    """Whole pieces, and as many as the rule asks for: at least one (T4.2)."""
    if not dice:
        text = "a reroll is of one die or more: name them, or leave dice out for all that {source} concerns"
        refuse("T4.2", text, source=rule.source)
    found = pieces(roll, rule)
    chosen = [piece for piece in found if dice.issuperset(piece)]
    if sum(map(len, chosen)) != len(dice):
        refuse("T4.2", "{source} ({which}) rerolls all dice of a throw together", source=rule.source, which=rule.words)
    most = len(found) if rule.left is None else min(rule.left, len(found))
    least = 1 if rule.may else most
    if not least <= len(chosen) <= most:
        asked = str(most) if least == most else f"{least} to {most}"
        text = "{source} ({which}) rerolls {asked} of {found}, not {chosen}: say which dice"
        refuse("T4.2", text, source=rule.source, which=rule.words, asked=asked, found=len(found), chosen=len(chosen))
