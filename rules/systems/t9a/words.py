"""Rolls and tallies in words (specs/t9a.md)."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UnsetType

from rules.base import Table
from rules.common.explain import STILL_IGNORED, still_ignored
from rules.data.language import N_, Listed, Message
from rules.history import find_roll
from rules.systems.t9a import bodies as b
from rules.systems.t9a.rerolls import pieces
from rules.systems.t9a.state import AppliedModifier, Game, Piece, Roll, Rule, Source

__all__ = ["change", "notes", "of_words", "side_words", "summary", "tables", "which_words"]


# --- modifiers and reroll rules --------------------------------------------------------------------------------------


def change(modifier: AppliedModifier | b.Modifier) -> str:
    """Return a modifier of a state or of a body as `+ 5`, `− 1` or `× 2`."""
    factor, amount = modifier.multiply, modifier.add
    if isinstance(factor, int):
        return f"× {factor}"
    return f"{'−' if isinstance(amount, int) and amount < 0 else '+'} {abs(amount) if isinstance(amount, int) else 0}"


def _change_by(modifier: AppliedModifier | b.Modifier) -> Message:
    """Return a modifier with its source, such as `+ 5 Advance Rate`."""
    return Message("{change} {source}", change=change(modifier), source=modifier.source)


def which_words(which: b.Which, naturals: Sequence[int]) -> Message:
    """Return the dice that a reroll rule concerns, such as `failed rolls` or `natural 1s`."""
    match which:
        case "failed":
            return Message("failed rolls")
        case "successful":
            return Message("successful rolls")
        case "any":
            return Message("any dice")
        case "throw":
            return Message("the whole throw")
        case "natural":
            return Message("natural {naturals}", naturals=Listed((f"{n}s" for n in naturals), N_(" or ")))


def _rule_words(rule: Rule | b.RerollRule) -> Message:
    """Return a reroll rule of a state or of a body, such as `must reroll failed rolls, 1 of them`."""
    may, pick = rule.may is True, rule.pick if isinstance(rule.pick, int) else None
    text = N_("may reroll {which}") if may else N_("must reroll {which}")
    if pick is not None:
        text = N_("may reroll {which}, {pick} at most") if may else N_("must reroll {which}, {pick} of them")
    naturals = () if isinstance(rule.naturals, UnsetType) else rule.naturals
    parts: list[Message] = [Message(text, which=which_words(rule.which, naturals), pick=pick)]
    if rule.dropped is True:
        parts.append(Message("dropped dice too"))
    if rule.first is True:
        parts.append(Message("the first result may stand"))
    return Listed(parts)


def _always(success: Sequence[int], failure: Sequence[int]) -> Iterator[Message]:
    """Yield the naturals that decide by themselves."""
    if success:
        yield Message("a natural {naturals} always succeeds", naturals=Listed(map(str, success), N_(" or ")))
    if failure:
        yield Message("a natural {naturals} always fails", naturals=Listed(map(str, failure), N_(" or ")))


# --- a roll ----------------------------------------------------------------------------------------------------------


def notes(game: Game, roll: int) -> tuple[Message, ...]:
    """Return a roll's result, and the actions still possible."""
    found = find_roll(game.settled, game.open, roll)
    return () if found is None else tuple(_notes(found))


def _notes(roll: Roll) -> Iterator[Message]:
    if roll.of is not None:
        yield Message("for {what} of roll {roll}", what=of_words(roll.of), roll=roll.of.roll)
    yield from _extra_dice(roll)
    yield from (Message(STILL_IGNORED, die=die) for die in still_ignored(roll.dice))
    yield from _directions(roll)
    if roll.kinds[0] == "d3" and roll.dice:
        yield Message("a D3 is half of what the D6 shows, rounded up")
    if roll.modifiers:
        yield Message("modifiers, in this order: {modifiers}", modifiers=Listed(_brought(roll)))
    always = tuple(_always(roll.always.success, roll.always.failure))
    if always:
        yield Listed(always)
    if roll.status in ("pending", "open"):
        for rule in roll.rules:
            yield _what_now(roll, rule)
    if roll.status == "open" and roll.firsts:
        found = _pieces(roll, [first.piece for first in roll.firsts])
        yield Message("the first result may stand: {pieces}", pieces=found)


def of_words(source: Source) -> Message:
    """Return the results for which throws are made (T1.5), such as `3 successes` or `1 failure`."""
    one, several = N_("{count} success"), N_("{count} successes")
    if source.which == "failures":
        one, several = N_("{count} failure"), N_("{count} failures")
    return Message(one if source.count == 1 else several, count=source.count)


def _brought(roll: Roll) -> Iterator[Message]:
    for modifier in roll.modifiers:
        text = N_("{modifier}")
        if modifier.late:
            text = N_("{modifier} (after the dice were shown)")
            if modifier.by != roll.player:
                text = N_("{modifier} (by {by}, after the dice were shown)")
        yield Message(text, modifier=_change_by(modifier), by=modifier.by)


def _extra_dice(roll: Roll) -> Iterator[Message]:
    """Yield the effect of Maximised and Minimised (T6)."""
    more = Message("Maximised ({sources})", sources=Listed(roll.maximised))
    fewer = Message("Minimised ({sources})", sources=Listed(roll.minimised))
    sources = [words for words, of in ((more, roll.maximised), (fewer, roll.minimised)) if of]
    if not sources:
        return
    both, count = Listed(sources, N_(" and ")), abs(roll.net)
    if count == 0:
        yield Message("{sources} cancel each other: no die is added", sources=both)
    elif roll.net > 0:
        text = N_("{sources}: {count} more dice in each throw, the {count} lowest dropped")
        one = N_("{sources}: one more die in each throw, the lowest dropped")
        yield Message(one if count == 1 else text, sources=both, count=count)
    else:
        text = N_("{sources}: {count} more dice in each throw, the {count} highest dropped")
        one = N_("{sources}: one more die in each throw, the highest dropped")
        yield Message(one if count == 1 else text, sources=both, count=count)


def _directions(roll: Roll) -> Iterator[Message]:
    """Yield the meaning of 0°, and the side of a D6 that is the arrow (T7)."""
    if not roll.direction:
        return
    zero = roll.zero or Message("straight away from {player}'s table edge", player=roll.player)
    yield Message("0° is {zero}; degrees go clockwise, seen from above", zero=zero)
    for throw in roll.throws:
        if throw.face is not None:
            top = roll.dice[throw.kept[0] - 1].natural
            text = N_("throw {throw}: the D6 shows {top}; the arrow is {side}")
            if roll.times == 1:
                text = N_("the D6 shows {top}; the arrow is {side}")
            yield Message(text, throw=throw.throw, top=top, side=side_words(throw.face))


def side_words(face: int) -> Message:
    """Return the side of a D6 that is the arrow, 1 or 5, in words (T7.2)."""
    return Message("the side with the single dot") if face == 1 else Message("the central dot of the 5")


def _what_now(roll: Roll, rule: Rule) -> Message:
    """Return a reroll rule with the pieces that it concerns now."""
    values = {"number": rule.rule, "source": rule.source, "rule": _rule_words(rule)}
    if rule.left == 0:
        return Message("reroll {number}, {source}: {rule}; done", **values)
    if not roll.dice:
        return Message("reroll {number}, {source}: {rule}", **values)
    found = pieces(roll, rule)
    now = _pieces(roll, found) if found else Message("no die now")
    return Message("reroll {number}, {source}: {rule}: {now}", **values, now=now)


def _pieces(roll: Roll, found: Sequence[Piece]) -> Message:
    """Return the numbers of throws or dice, each with the naturals by which players recognize it."""
    words = []
    for piece in found:
        shown = Listed((str(roll.dice[number - 1].natural) for number in piece.dice), N_(" and "))
        text = N_("die {number} ({shown})") if piece.throw is None else N_("throw {number} ({shown})")
        words.append(Message(text, number=piece.number, shown=shown))
    return Listed(words)


def tables(game: Game) -> tuple[Table, ...]:
    """Return the tallies of the players."""
    columns = tuple(map(Message, (N_("player"), N_("rolls finished"), N_("dice"), N_("dropped"), N_("rerolled"))))
    rows = [(name, p.rolls, p.dice, p.ignored, p.rerolled) for name, p in game.players.items()]
    return (Table(Message("Players"), columns, rows if any(row[2] for row in rows) else ()),)


def summary(roll: Roll) -> Message | None:
    """Return the total of a revealed roll, with correct arithmetic (T2.1), and whether it succeeds: `= 2 + 3 − 2 = 3`.

    Several throws have each total and the number of successes; directions have their degrees.
    """
    if not roll.dice:
        return None
    if roll.direction:
        return Message("→ {degrees}", degrees=Listed(f"{throw.degrees}°" for throw in roll.throws))
    totals = Listed(_signed(throw.total or 0) for throw in roll.throws)
    if not roll.modifiers:
        result = Message("= {results}", results=totals)
    elif roll.times == 1:
        result = Message("= {calculation} = {results}", calculation=_calculation(roll), results=totals)
    else:
        changes = Listed(map(change, roll.modifiers), N_(", then "))
        result = Message("each {changes}: {results}", changes=changes, results=totals)
    if roll.target is None:
        return result
    values: dict[str, Any] = {"result": result, "target": roll.target.text}
    if roll.times > 1:
        return Message("{result}; {target}: {passed} of {count}", passed=roll.successes, count=roll.times, **values)
    return Message(
        N_("{result} against {target}: success") if roll.successes else N_("{result} against {target}: failure"),
        **values,
    )


_MANY = 10
"""dice up to which a calculation lists each; more are given as their sum"""


def _calculation(roll: Roll) -> str:
    """Return the calculation from the dice of the only throw to its total, with brackets for precedence."""
    kept = [_signed(die.result) for die in roll.dice if die.kept]
    if len(kept) > _MANY:
        kept = [_signed(roll.throws[0].sum or 0)]
    text, compound = " + ".join(kept), len(kept) > 1
    for modifier in roll.modifiers:
        text, compound = f"{f'({text})' if compound else text} {change(modifier)}", True
    return text


def _signed(number: int) -> str:
    """Return the number with a minus sign, not a hyphen, as between numbers."""
    return f"−{-number}" if number < 0 else str(number)
