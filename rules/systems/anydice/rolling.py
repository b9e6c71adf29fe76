"""The course of a roll: request, draw, result, ruling (specs/dice-1.md, "The course of a roll")."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain

from msgspec.structs import replace

from rules.base import Event, Ruling, Waves, given
from rules.common.shared import called_off, refuse, ruled_results, with_ruling, with_rulings
from rules.data.bounds import MAX_ITEMS, MAX_SAFE_INTEGER
from rules.data.language import N_
from rules.history import find_roll, keep_roll, replace_roll
from rules.systems.anydice import calls, decks, drawing
from rules.systems.anydice.bodies import ResolveBody, RollBody
from rules.systems.anydice.drawing import dice_of_draw, first_sides
from rules.systems.anydice.grammar import parse
from rules.systems.anydice.outcomes import ranges, row_of
from rules.systems.anydice.problems import DiceError
from rules.systems.anydice.state import Die, Game, Roll
from rules.systems.anydice.terms import ParsedText
from rules.systems.anydice.totals import Result, TooLargeError, first_results, totals

__all__ = [
    "check_notation",
    "fixed_sides",
    "latest_of",
    "request",
    "resolve",
    "reveal",
    "rule",
    "show",
    "void",
    "waves",
    "with_secret_dice",
]


def check_notation(text: str) -> ParsedText:
    """Parse a text as dice notation. Raises Violation D1 to D6."""
    try:
        return parse(text)
    except DiceError as error:
        refuse(error.clause, "{error}", error=error)


# --- a request ------------------------------------------------------------------------------------------------------


def request(game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
    """Take a roll, an answer or a draw. Return the game and the sides of the dice that are drawn first. Raises
    Violation.
    """
    body = event.body
    assert isinstance(body, RollBody)
    roll, sides = _asked_for(game, event, body)
    return replace(game, pending=roll), sides


def _asked_for(game: Game, event: Event, body: RollBody) -> tuple[Roll, tuple[int, ...]]:
    source = given(body.source, "")
    if isinstance(body.deck, str):
        count = given(body.draw, 1)
        sides = decks.sides(game, body.deck, count)
        to_hand = given(body.hand, False)
        notation = f"draw {count} from {body.deck}" + (" to hand" if to_hand else "")
        return Roll(event.seq, event.author, source, notation, deck=body.deck, hand=to_hand), sides
    if isinstance(body.call, int):
        call = calls.to_answer(game, event.author, body.call)
        dice = given(body.dice, call.dice)
        if dice is None:
            refuse("D10", "call {call} ({source}) leaves the dice to you: say them", call=call.call, source=call.source)
        sides = first_sides(check_notation(dice))
        target = {"call": call.call, "least": call.least, "most": call.most}
        return Roll(event.seq, event.author, call.source, dice, **target), sides  # type: ignore[arg-type]
    dice, table = given(body.dice, ""), given(body.table, ())
    if isinstance(body.sealed, str):
        if fixed_sides(dice) != body.sides:
            refuse("D14", "the sides that the secret roll names are not those of {dice}", dice=dice)
        return Roll(event.seq, event.author, source, dice, sealed=body.sealed), ()
    sides = first_sides(check_notation(dice))
    if table:
        ranges(table)
    least, most = given(body.least, None), given(body.most, None)
    return Roll(event.seq, event.author, source, dice, least=least, most=most, table=table), sides


def fixed_sides(dice: str) -> tuple[int, ...]:
    """Return the sides of a secret roll's dice, which may not depend on the draw. Raises Violation D1 to D6, D14."""
    notation = check_notation(dice)
    if notation.draws_on:
        refuse("D14", "a secret roll rerolls and explodes no dice: they are counted when it is asked for")
    return first_sides(notation)


def waves(game: Game, first: tuple[int, ...]) -> Waves:
    """Draw the dice of the pending request that depend on others."""
    assert game.pending is not None
    if game.pending.deck is None and game.pending.sealed is None:
        yield from drawing.waves(parse(game.pending.notation), first)


def void(game: Game) -> Game:
    """Return the game after the pending request was called off."""
    assert game.pending is not None
    return called_off(replace(game, pending=None), game.pending)


# --- the reveal -----------------------------------------------------------------------------------------------------


def reveal(game: Game, naturals: tuple[int, ...]) -> Game:
    """Return the game with the dice of the pending roll revealed and the roll resolved."""
    roll = game.pending
    assert roll is not None
    if roll.deck is not None:
        roll, game = _drawn_from_deck(game, roll, roll.deck, naturals)
    elif roll.sealed is not None:
        roll = replace(roll, status="sealed")
    else:
        roll = _rolled(roll, naturals)
    if roll.call is not None:
        game = calls.answer(game, roll.player, roll.call, roll.roll)
    return replace(game, pending=None, settled=keep_roll(game.settled, roll))


def show(game: Game, roll: int, naturals: tuple[int, ...]) -> Game:
    """Return the game after the holder of a secret roll has shown its dice."""
    found = find_roll(game.settled, None, roll)
    if found is None or found.status != "sealed":
        return game
    return replace(game, settled=replace_roll(game.settled, found, with_secret_dice(found, naturals)))


def with_secret_dice(roll: Roll, naturals: Sequence[int]) -> Roll:
    """Return a secret roll with its dice, as its holder sees it."""
    return replace(_rolled(roll, naturals), status="shown")


def _drawn_from_deck(game: Game, roll: Roll, id_: str, naturals: Sequence[int]) -> tuple[Roll, Game]:
    deck = game.decks[id_]
    after, items = decks.take(deck, naturals)
    if roll.hand:
        after = decks.hold(after, roll.player, items)
    dice = tuple(
        Die(number, deck.left - number + 1, (natural,), None, face=item)
        for number, (natural, item) in enumerate(zip(naturals, items, strict=True), 1)
    )
    roll = replace(roll, status="resolved", dice=dice, load=_of_faces(dice))
    return roll, replace(game, decks={**game.decks, id_: after})


def _rolled(roll: Roll, naturals: Sequence[int]) -> Roll:
    notation = parse(roll.notation)
    found = dice_of_draw(notation, naturals)
    numbers = first_results(notation, found)
    results = totals(notation, found.throws, numbers)
    dropped = frozenset(_dropped(results))
    dice = [
        Die(at, sides, shown, number, "ignored" if at in dropped else "counted")
        for at, (sides, shown, number) in enumerate(zip(found.sides, found.naturals, numbers, strict=True), 1)
    ]
    if not notation.plain:
        for position, origin in found.origins.items():
            dice[position] = replace(dice[position], origin=origin + 1)
        for term, throws in zip(notation.terms * notation.times, found.throws, strict=True):
            for position in chain.from_iterable(throws) if any(term.names) else ():
                die = dice[position]
                dice[position] = replace(die, face=term.names[die.naturals[-1] - 1])
    results = _judged(roll, results)
    load = notation.times * len(notation.text.encode()) + _of_faces(dice)
    return replace(roll, status="resolved", dice=tuple(dice), throws=tuple(found.throws), results=results, load=load)


def _of_faces(dice: Iterable[Die]) -> int:
    """Return the number of bytes of the faces that are shown, or of the items that were drawn."""
    return sum(len(die.face.encode()) for die in dice if die.face is not None)


def _reckoned(roll: Roll, ruled: Set[int]) -> Roll:
    """Return the roll after a ruling on these dice, with the repetitions that contain them computed again.

    Raises Violation of clause `ruling`.
    """
    notation, dice = parse(roll.notation), list(roll.dice)
    shown = [die.result for die in dice]
    results, each = list(roll.results), len(notation.terms)
    for at, result in enumerate(results):
        numbers = [number for term in result.terms for throw in term.throws for number in throw.dice]
        if not ruled.isdisjoint(numbers):
            try:
                found = totals(notation, roll.throws[at * each :][:each], shown)
            except TooLargeError:
                text = N_("with these results roll {roll} could come to more than {most}")
                refuse("ruling", text, roll=roll.roll, most=MAX_SAFE_INTEGER)
            results[at] = _judged(roll, found)[0]
            dropped = frozenset(_dropped(found))
            for number in numbers:
                if (dice[number - 1].status == "ignored") is not (number in dropped):
                    dice[number - 1] = replace(dice[number - 1], status="ignored" if number in dropped else "counted")
    return replace(roll, dice=tuple(dice), results=tuple(results))


def _dropped(results: Iterable[Result]) -> Iterator[int]:
    """Yield the numbers of the dice whose throw is not kept."""
    for result in results:
        for term in result.terms:
            for throw in term.throws:
                if not throw.kept:
                    yield from throw.dice


def _judged(roll: Roll, results: Sequence[Result]) -> tuple[Result, ...]:
    """Return results with whether they pass and which row they are in."""
    if not roll.has_target and not roll.table:
        return tuple(results)
    rows = ranges(roll.table)
    return tuple(
        replace(result, passed=_passes(roll, result.total) if roll.has_target else None, row=row_of(rows, result.total))
        for result in results
    )


def _passes(roll: Roll, total: int) -> bool:
    return (roll.least is None or total >= roll.least) and (roll.most is None or total <= roll.most)


# --- announcements --------------------------------------------------------------------------------------------------


def latest_of(game: Game, party: str) -> Roll | None:
    """Return the party's latest resolved roll of dice that is kept; None without one."""
    rolls = (r for r in reversed(tuple(game.settled)) if r.player == party and r.deck is None)
    return next((roll for roll in rolls if roll.status == "resolved"), None)


def resolve(game: Game, author: str, body: ResolveBody) -> Game:
    """Verify that an announcement agrees with the dice, and return the game unchanged. Raises Violation D7, D8."""
    roll = latest_of(game, author)
    if roll is None or roll.roll != body.roll:
        if roll is None:
            refuse("D7", "{party} has no roll to announce", party=author)
        refuse(
            "D7",
            "roll {roll} is not the latest of {party}; {latest} is",
            roll=body.roll,
            party=author,
            latest=roll.roll,
        )
    came = tuple(result.total for result in roll.results)
    if given(body.totals, came) != came:
        text = N_("roll {roll} comes to {expected}, not to {actual}")
        refuse("D7", text, roll=roll.roll, expected=_listed(came), actual=_listed(given(body.totals, ())))
    passed = tuple(result.passed for result in roll.results)
    if given(body.passed, passed) != passed:
        if not roll.has_target:
            refuse("D8", "roll {roll} has no target that it could pass", roll=roll.roll)
        refuse(
            "D8",
            "whether roll {roll} passes was announced wrong: it came to {totals}",
            roll=roll.roll,
            totals=_listed(came),
        )
    return game


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:MAX_ITEMS])) or "-"


# --- rulings --------------------------------------------------------------------------------------------------------


def rule(game: Game, ruling: Ruling) -> Game:
    """Return the game after a ruling on a roll. Raises Violation of clause `ruling`."""
    roll = find_roll(game.settled, None, ruling.subject)
    if roll is None:
        return game
    results = ruled_results(ruling)
    if results is not None and roll.sealed is not None:
        refuse(
            "ruling",
            "roll {roll} is a secret one: nothing hangs on it, and no result of it is corrected",
            roll=roll.roll,
        )
    if results is not None:
        return replace(game, settled=replace_roll(game.settled, roll, _corrected(roll, results)))
    if ruling.ruling != "void":
        return game
    if roll.status == "resolved":
        game = _undone(game, roll)
    struck = replace(roll, status="struck", results=())
    return replace(game, settled=replace_roll(game.settled, roll, struck))


def _corrected(roll: Roll, results: Mapping[int, int]) -> Roll:
    roll = replace(roll, dice=with_rulings(roll.dice, results, _with_result))
    return _reckoned(roll, results.keys()) if roll.results else roll


def _with_result(die: Die, result: int) -> Die:
    if die.result is None:
        refuse("ruling", "die {die} has no number that could be corrected", die=die.die)
    return with_ruling(die, result)


def _undone(game: Game, roll: Roll) -> Game:
    """Return the game without the effect of a struck roll: its answer, or the items that it drew."""
    if roll.call is not None:
        return calls.unanswer(game, roll.call, roll.roll)
    deck = game.decks.get(roll.deck) if roll.deck is not None else None
    if roll.deck is None or deck is None:
        return game
    holder = roll.player if roll.hand else ""
    back = decks.undraw(deck, roll.roll, holder, [die.face for die in roll.dice if die.face is not None])
    return replace(game, decks={**game.decks, roll.deck: back})
