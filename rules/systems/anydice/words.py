"""Rolls, calls and decks in words (specs/dice-1.md, "How a roll is told")."""

from collections.abc import Iterator, Mapping

from rules.base import Table
from rules.data.language import N_, Listed, Message
from rules.history import find_roll
from rules.systems.anydice.grammar import parse
from rules.systems.anydice.rolling import with_secret_dice
from rules.systems.anydice.state import Die, Game, Roll
from rules.systems.anydice.terms import (
    Adds,
    DiceTerm,
    Divided,
    ExpressionGroup,
    Function,
    Labelled,
    Negated,
    Node,
    Number,
    Power,
    Times,
    Within,
)
from rules.systems.anydice.totals import Result, Term, ThrowValue

__all__ = ["expression", "notes", "result_words", "secret_notes", "summary", "tables", "target"]


# --- a roll ---------------------------------------------------------------------------------------------------------


def notes(game: Game, number: int) -> tuple[Message, ...]:
    """Return what a roll came to: a line for each repetition, or the items that were drawn."""
    roll = find_roll(game.settled, game.pending, number)
    if roll is not None and roll.status == "sealed":
        return (Message("a secret roll: {holder} alone knows the dice", holder=roll.sealed or ""),)
    if roll is None or not roll.dice:
        return ()
    if roll.deck is not None:
        items = Listed(die.face or "" for die in roll.dice)
        if roll.hand:
            return (
                Message("drawn from {deck}, held by {party}: {items}", deck=roll.deck, party=roll.player, items=items),
            )
        return (Message("drawn from {deck}: {items}", deck=roll.deck, items=items),)
    return tuple(result_words(roll, result) for result in roll.results)


def secret_notes(game: Game, number: int, naturals: tuple[int, ...]) -> tuple[Message, ...]:
    """Return the result of a secret roll with these naturals: a line for each repetition."""
    roll = find_roll(game.settled, game.pending, number)
    if roll is None or roll.sealed is None:
        return ()
    shown = with_secret_dice(roll, naturals)
    return tuple(result_words(shown, result) for result in shown.results)


def result_words(roll: Roll, result: Result) -> Message:
    """Return a result as a line, such as `4d6kh3 (6, 5, 3, ~~2~~) + 2 = 16, 15 or more: passes`."""
    parts: list[Message | str] = [_total(roll, result)]
    if result.passed is not None:
        aim = target(roll.least, roll.most)
        if result.passed:
            parts.append(Message("{target}: passes", target=aim))
        else:
            parts.append(Message("{target}: fails", target=aim))
    if result.row is not None:
        parts.append(roll.table[result.row - 1].effect)
    return Listed(parts)


def _total(roll: Roll, result: Result) -> Message:
    notation, shown = parse(roll.notation), expression(roll, result)
    if any(term.count for term in notation.terms):
        text = N_("{dice} = {count} success") if result.total == 1 else N_("{dice} = {count} successes")
        return Message(text, dice=shown, count=result.total)
    return Message("{dice} = {total}", dice=shown, total=result.total)


def target(least: int | None, most: int | None) -> Message:
    """Return the totals that pass, in words."""
    if least is None:
        return Message("{most} or less", most=most)
    if most is None:
        return Message("{least} or more", least=least)
    return Message("{least} to {most}", least=least, most=most)


def expression(roll: Roll, result: Result) -> str:
    """Return the notation with the throws of each term, such as `4d6kh3 (6, 5, 3, ~~2~~) + 2`."""
    writer = _Writer(roll, result)
    return writer.write(parse(roll.notation).root)


class _Writer:
    """Writer of an expression with its terms, in the order in which they were drawn."""

    def __init__(self, roll: Roll, result: Result) -> None:
        self.roll = roll
        self.terms = iter(result.terms)
        self.origins = {die.origin for die in roll.dice}

    def write(self, node: Node) -> str:  # noqa: C901 - a line for each kind
        match node:
            case DiceTerm():
                return self.term(next(self.terms), node)
            case Number(value=value):
                return str(value)
            case Negated(of=of):
                return f"-{self.write(of)}"
            case Within(of=of):
                return f"({self.write(of)})"
            case Labelled(of=of, label=label):
                return f"{self.write(of)} [{label}]"
            case Times(left=left, right=right):
                return f"{self.write(left)} * {self.write(right)}"
            case Divided(of=of, sign=sign, by=by):
                return f"{self.write(of)} {sign} {by}"
            case Power(of=of, exponent=exponent):
                return f"{self.write(of)} ^ {exponent}"
            case Function(name=name, parts=parts):
                return f"{name}({', '.join(self.write(part) for part in parts)})"
            case Adds(parts=added):
                first, *others = [(sign, self.write(part)) for sign, part in added]
                return first[1] + "".join(f" {'+' if sign > 0 else '-'} {text}" for sign, text in others)
            case ExpressionGroup(parts=inner, text=text):
                return "{" + ", ".join(self.write(part) for part in inner) + "}" + text

    def term(self, term: Term, dice: DiceTerm) -> str:
        return f"{term.dice} ({', '.join(self.throw(throw, dice) for throw in term.throws)})"

    def throw(self, throw: ThrowValue, dice: DiceTerm) -> str:
        faces = [self.die(self.roll.dice[number - 1], dice) for number in throw.dice]
        text = str(throw.value) if dice.percentile else "+".join(faces)
        if dice.limits and throw.value != sum(self.roll.dice[number - 1].result or 0 for number in throw.dice):
            text = f"{text}→{throw.value}"
        if throw.successes:
            text += "*" * throw.successes if throw.successes > 0 else "-"
        return text if throw.kept else f"~~{text}~~"

    def die(self, die: Die, dice: DiceTerm) -> str:
        shown = [_face(dice, natural) for natural in die.naturals]
        if die.face is None and die.result is not None:
            shown[-1] = _signed(dice, die.result)
        return "→".join(shown) + ("!" if die.die in self.origins else "")


def _face(dice: DiceTerm, natural: int) -> str:
    name = dice.names[natural - 1] if dice.names else None
    return name if name is not None else _signed(dice, dice.shows(natural))


def _signed(dice: DiceTerm, number: int) -> str:
    """Return a number as text; on a Fate die only its sign, or 0."""
    return {-1: "-", 0: "0", 1: "+"}.get(number, str(number)) if dice.faces == (-1, 0, 1) else str(number)


# --- the state ------------------------------------------------------------------------------------------------------


def summary(roll: Roll) -> Message | None:
    """Return the totals, such as `= 16`, with one for each repetition; None before there are results."""
    if not roll.results:
        return None
    return Message("= {results}", results=Listed(str(result.total) for result in roll.results))


def tables(game: Game) -> tuple[Table, ...]:
    """Return tables of the calls with their answers, of the decks and of the hands."""
    return (
        Table(
            Message("Calls"),
            (Message("call"), Message("what for"), Message("answered"), Message("still to answer")),
            tuple(_calls(game)),
        ),
        Table(
            Message("Decks"),
            (Message("deck"), Message("declared by"), Message("still in it"), Message("drawn")),
            tuple(_decks(game)),
        ),
        Table(
            Message("Hands"),
            (Message("who"), Message("deck"), Message("how many"), Message("what")),
            tuple(_hands(game)),
        ),
    )


def _calls(game: Game) -> Iterator[tuple[Message | str | int | None, ...]]:
    for call in game.calls:
        what: list[Message | str] = [call.source, *([call.dice] if call.dice else [])]
        if call.least is not None or call.most is not None:
            what.append(target(call.least, call.most))
        answers = [_answer(game, name, number) for name, number in call.answers.items()]
        yield (
            call.call,
            Listed(what),
            Listed(answers) if answers else None,
            Listed(call.waiting) if call.waiting else None,
        )


def _answer(game: Game, name: str, number: int) -> Message:
    roll = find_roll(game.settled, None, number)
    if roll is None or not roll.results:
        return Message("{party}", party=name)
    total, passed = ", ".join(str(result.total) for result in roll.results), [r.passed for r in roll.results]
    if None in passed:
        return Message("{party} {total}", party=name, total=total)
    if all(passed):
        return Message("{party} {total} passes", party=name, total=total)
    return Message("{party} {total} fails", party=name, total=total)


def _decks(game: Game) -> Iterator[tuple[Message | str | int | None, ...]]:
    for id_, deck in game.decks.items():
        out = {stack.item: deck.lies(stack) for stack in deck.items if deck.lies(stack)}
        yield id_, deck.owner, deck.left, _counted(out) if out else None


def _hands(game: Game) -> Iterator[tuple[Message | str | int | None, ...]]:
    for name in game.roles:
        for id_, deck in game.decks.items():
            if held := deck.held(name):
                yield name, id_, sum(held.values()), _counted(held)


def _counted(items: Mapping[str, int]) -> Listed:
    return Listed(item if many == 1 else f"{many} {item}" for item, many in items.items())
