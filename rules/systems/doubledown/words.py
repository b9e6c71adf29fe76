"""Rolls, characters and calls in words (specs/doubledown.md)."""

from collections.abc import Iterable, Iterator, Mapping

from rules.base import Table
from rules.data.language import N_, Listed, Message
from rules.systems.doubledown.state import (
    CharacterTag,
    Contribution,
    Game,
    Purchase,
    Roll,
    RollCall,
    RollModifier,
    Sheet,
)
from rules.systems.doubledown.tables import COSTS, OUTCOMES, SHIFT, Kind, outcome_of

__all__ = ["bought_words", "notes", "summary", "tables"]

_AND = N_("; ")
_NOTHING = Message("nothing")

# --- parts -----------------------------------------------------------------------------------------------------------


def _listed(parts: Iterable[Message | str]) -> Message:
    items = tuple(parts)
    return Listed(items) if items else _NOTHING


def _stats(stats: Mapping[str, int]) -> Message:
    return _listed(f"{name} {stars}" for name, stars in stats.items())


def _tags(tags: Mapping[str, CharacterTag]) -> Message:
    return _listed(
        Message(N_("{tag} {stars} exhausted") if tag.exhausted else N_("{tag} {stars}"), tag=name, stars=tag.stars)
        for name, tag in tags.items()
    )


def _kinds(support: bool, combat: bool) -> Iterator[Message]:
    if support:
        yield Message("a support roll")
    if combat:
        yield Message("in combat")


# --- a roll ----------------------------------------------------------------------------------------------------------

_TIERS: Mapping[int, Message] = {
    -2: Message("down two tiers"),
    -1: Message("down one tier"),
    1: Message("up one tier"),
    2: Message("up two tiers"),
}
_PRICES: Mapping[Kind, tuple[tuple[str, Message], ...]] = {
    "boons": (
        ("stress", Message("recover stress, 1 each")),
        ("tag", Message("recover a tag, 2")),
        ("drive", Message("gain drive, 2 each")),
        ("story", Message("a story reward, any")),
    ),
    "banes": (
        ("stress", Message("inflict stress, 1 each")),
        ("tension", Message("add tension, 2 each")),
        ("complication", Message("a complication, any")),
    ),
}


def notes(game: Game, number: int) -> tuple[Message, ...]:
    """Return a roll's result, its modifiers, what it earned, and what was or can be bought with it."""
    roll = game.find(number)
    return () if roll is None else (*_modifiers(roll), *_read(roll), *_come_to(roll), *_spent(game, roll))


def _modifiers(roll: Roll) -> Iterator[Message]:
    sources = Listed(_modifier(roll, modifier) for modifier in roll.modifiers)
    yield Message("modifier {total}: {sources}", total=f"{roll.modifier:+d}", sources=sources)
    if roll.called.support:
        yield Message("a support roll: a plain success gives half the boons")
    if roll.called.combat and roll.damage is None:
        yield Message("in combat: success deals damage")
    if roll.votes:
        votes = [
            Message(N_("{player} to double down") if double else N_("{player} to stand"), player=player)
            for player, double in roll.votes.items()
        ]
        yield Message("votes: {votes}", votes=Listed(votes))
    if roll.decided is not None:
        yield Message(N_("the group doubles down") if roll.decided else N_("the group does not double down"))


def _modifier(roll: Roll, modifier: RollModifier) -> Message:
    names = {"stress": Message("stress track"), "tag": Message("tag {tag}", tag=modifier.source)}
    names["drive"] = Message("drive")
    name = names.get(modifier.kind, modifier.source)
    text = N_("{name} {amount}") if modifier.player == roll.player else N_("{name} of {player} {amount}")
    return Message(text, name=name, player=modifier.player, amount=f"{modifier.amount:+d}")


def _read(roll: Roll) -> Iterator[Message]:
    """Yield the outcome of the dice if the total does not show it, and what doubling down did or would do."""
    if roll.outcome is None:
        return
    tiers = [outcome_of(die.natural, die.result, roll.called.difficulty) for die in roll.dice]
    readings = []
    for die, tier in zip(roll.dice, tiers, strict=True):
        critical = die.natural >= 19 or die.natural <= 2
        text = N_("natural {natural} is a {outcome}") if critical else N_("total {total} is a {outcome}")
        readings.append(Message(text, natural=die.natural, total=die.result, outcome=Message(OUTCOMES[tier].name)))
        if critical and not roll.doubled:
            yield readings[0]
    if roll.doubled:
        text = N_("doubled down: {first}; {second}, so it goes {tiers} to {outcome}")
        goes = {"tiers": _TIERS[SHIFT[tiers[1]]], "outcome": Message(roll.outcome.name)}
        yield Message(text, first=readings[0], second=readings[1], **goes)
    elif roll.status == "open" and roll.decided is None and not roll.votes:
        yield Message(
            "doubling down rolls a second d20, same modifier and difficulty: success moves the outcome up one tier, "
            "critical success two; failure down one, critical failure two"
        )


def _come_to(roll: Roll) -> Iterator[Message]:
    if roll.result is None:
        return
    kind = roll.result.kind
    earned = roll.earned(kind)
    parts = [_count(earned, kind) if earned else Message("no boons")]
    if roll.damage is not None:
        parts.append(Message("damage {count}", count=roll.damage))
    if roll.drive:
        parts.append(Message("{player} gains {drive} drive", player=roll.player, drive=roll.drive))
    yield Message("{outcome}: {what}", outcome=Message(roll.result.name), what=Listed(parts))


def _spent(game: Game, roll: Roll) -> Iterator[Message]:
    for purchase in roll.bought:
        cost = _count(purchase.cost, purchase.kind)
        yield Message("bought with {cost}: {what}", cost=cost, what=bought_words(purchase))
    owed = game.owed(roll)
    if owed is not None:
        kind, left = owed
        prices = Listed([text for buy, text in _PRICES[kind] if COSTS[kind][buy] <= left], _AND)
        text = N_("{count} left for {player} to spend: {prices}")
        if kind == "banes":
            text = N_("{count} left for a GM to spend: {prices}")
        yield Message(text, count=_count(left, kind), player=roll.player, prices=prices)


_COUNTS: Mapping[Kind, tuple[str, str]] = {
    "boons": (N_("{count} boon"), N_("{count} boons")),
    "banes": (N_("{count} bane"), N_("{count} banes")),
}


def _count(count: int, kind: Kind) -> Message:
    one, several = _COUNTS[kind]
    return Message(one if count == 1 else several, count=count)


_BOUGHT: Mapping[tuple[Kind, str], str] = {
    ("boons", "stress"): N_("{player} recovers stress: {amount}"),
    ("boons", "tag"): N_("{player} recovers the tag {tag}"),
    ("boons", "drive"): N_("{player} gains drive: {amount}"),
    ("boons", "story"): N_("a story reward, {text}"),
    ("banes", "stress"): N_("{player} takes stress: {amount}"),
    ("banes", "tension"): N_("tension rises by {amount}"),
    ("banes", "complication"): N_("a complication, {text}"),
}


def bought_words(bought: Purchase) -> Message:
    """Return the effect of a purchase in words."""
    values = {"player": bought.player, "tag": bought.tag, "amount": bought.amount, "text": bought.text}
    return Message(_BOUGHT[bought.kind, bought.buy], **values)


# --- the state -------------------------------------------------------------------------------------------------------


def summary(roll: Roll) -> Message | None:
    """Return the modifier, the difficulty and the outcome; None before there is an outcome."""
    if roll.outcome is None:
        return None
    outcome, difficulty = Message(roll.outcome.name), roll.called.difficulty
    text = N_("+ {modifier} against {difficulty}: {outcome}")
    return Message(text, modifier=roll.modifier, difficulty=difficulty, outcome=outcome)


def tables(game: Game) -> tuple[Table, ...]:
    """Return tables of characters, calls, and boons and banes that are not spent."""
    titles = (N_("player"), N_("character"), N_("stats"), N_("stress"), N_("tags"), N_("drive"))
    columns = tuple(Message(title) for title in titles)
    called = (N_("call"), N_("what"), N_("stat"), N_("difficulty"), N_("for"), N_("kind"), N_("contributions"))
    owed = [
        (roll.roll, _count(left, kind), roll.player if kind == "boons" else Message("a GM"))
        for roll, kind, left in game.all_owed()
    ]
    tension = [(game.tension,)] if game.tension else []
    return (
        Table(Message("Characters"), columns, [_row(*item) for item in game.sheets.items()]),
        Table(Message("Sheets that wait for a GM"), columns, [_row(*item) for item in game.proposed.items()]),
        Table(Message("Calls for a roll"), tuple(Message(c) for c in called), [_call_row(call) for call in game.calls]),
        Table(
            Message("Boons and banes to spend"), (Message("roll"), Message("still to spend"), Message("whose")), owed
        ),
        Table(Message("Tension"), (Message("added by banes"),), tension),
    )


def _row(player: str, sheet: Sheet) -> tuple[Message | str | int, ...]:
    room = len(sheet.track) - 1
    stress = Message("{stress} of {room} ({stars})", stress=sheet.stress, room=room, stars=f"{sheet.stars:+d}")
    return (player, sheet.character, _stats(sheet.stats), stress, _tags(sheet.tags), sheet.drive)


def _call_row(called: RollCall) -> tuple[Message | str | int, ...]:
    kinds = [Message("a group")] if called.group else []
    kinds += _kinds(called.support, called.combat)
    gives = [Message("{player}: {gives}", player=name, gives=_gives(c)) for name, c in called.contributions.items()]
    if called.roller is not None:
        gives.append(Message("on a tie {player} rolls", player=called.roller))
    whose = Listed(called.players)
    return (called.call, called.source, called.stat, called.difficulty, whose, Listed(kinds), Listed(gives, _AND))


def _gives(gives: Contribution) -> Message:
    parts = [Message("{player} rolls", player=gives.roller)]
    if gives.stat:
        parts.append(Message("the base stat"))
    if gives.stress:
        parts.append(Message("the stress track"))
    if gives.tag is not None:
        parts.append(
            Message(N_("the tag {tag} (irrelevant)") if gives.irrelevant else N_("the tag {tag}"), tag=gives.tag)
        )
    if gives.drive:
        parts.append(Message("drive {drive}", drive=gives.drive))
    return Listed(parts)
