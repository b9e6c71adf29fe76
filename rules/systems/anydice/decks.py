"""Decks, bags and hands: draws without replacement from a declared list (specs/dice-1.md, clauses D11 to D13)."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from rules.base import given
from rules.common.shared import refuse
from rules.data.bounds import MAX_DICE, MAX_ITEMS, MAX_LOAD
from rules.data.language import N_
from rules.systems.anydice.bodies import Item
from rules.systems.anydice.state import Deck, Game, Stack

__all__ = [
    "declare",
    "handles",
    "hold",
    "play",
    "remove",
    "return_drawn",
    "shuffle",
    "sides",
    "take",
    "undraw",
    "without",
]


def handles(game: Game, party: str, deck: Deck) -> bool:
    """Return whether a party may do more with a deck than draw from it."""
    return party == deck.owner or game.roles[party] == "gm" or deck.owner in game.left


def declare(game: Game, seq: int, author: str, id_: str, items: Sequence[Item]) -> Game:
    """Return the game with a new or replaced deck. Raises Violation D11."""
    known = game.decks.get(id_)
    if known is not None:
        _check_handles(game, author, id_, known)
    elif len(game.decks) >= MAX_ITEMS:
        refuse("D11", "there are already {most} decks, and no more are allowed", most=MAX_ITEMS)
    stacks = tuple(Stack(one.item, given(one.count, 1), given(one.count, 1)) for one in items)
    for at, stack in enumerate(stacks):
        if any(stack.item == before.item for before in stacks[:at]):
            refuse("D11", "{item} is twice in the list: give it a count", item=stack.item)
    count = sum(stack.count for stack in stacks)
    if count > MAX_DICE:
        refuse("D11", "this comes to {count} items; a deck has at most {most}", count=count, most=MAX_DICE)
    if (load := sum(stack.count * len(stack.item.encode()) for stack in stacks)) > MAX_LOAD:
        text = N_("the names of all items come to {load} bytes; there can be {most}")
        refuse("D11", text, load=load, most=MAX_LOAD)
    return _with(game, id_, Deck(author, seq, stacks, seq))


def return_drawn(game: Game, author: str, id_: str, item: str) -> Game:
    """Return the game with a drawn item back in its deck. Raises Violation D11."""
    deck = _find(game, author, id_)
    if not any(stack.item == item and deck.lies(stack) for stack in deck.items):
        if any(item in hand for hand in deck.hands.values()):
            refuse("D11", "{item} is in a hand: it is played before it goes back into {deck}", item=item, deck=id_)
        refuse("D11", "{item} is not out of {deck}", item=item, deck=id_)
    return _with(game, id_, _put_back(deck, item))


def shuffle(game: Game, seq: int, author: str, id_: str) -> Game:
    """Return the game with all items back in the deck, except those in hands. Raises Violation D11."""
    deck = _find(game, author, id_)
    items = tuple(replace(stack, left=stack.left + deck.lies(stack)) for stack in deck.items)
    return _with(game, id_, replace(deck, items=items, shuffled=seq))


def remove(game: Game, author: str, id_: str) -> Game:
    """Return the game without the deck. Raises Violation D11."""
    _find(game, author, id_)
    return replace(game, decks={name: deck for name, deck in game.decks.items() if name != id_})


# --- drawing ---------------------------------------------------------------------------------------------------------


def sides(game: Game, id_: str, count: int) -> tuple[int, ...]:
    """Return the sides of the dice for a draw of `count` items. Raises Violation D12."""
    deck = game.decks.get(id_)
    if deck is None:
        refuse("D12", "there is no deck {deck}", deck=id_)
    if count > deck.left:
        refuse("D12", "{deck} has {left} left to draw, not {count}", deck=id_, left=deck.left, count=count)
    return tuple(range(deck.left, deck.left - count, -1))


def take(deck: Deck, naturals: Sequence[int]) -> tuple[Deck, tuple[str, ...]]:
    """Return the deck after a draw, and the drawn items."""
    left = [stack.left for stack in deck.items]
    drawn = []
    for natural in naturals:
        at = 0
        while natural > left[at]:
            natural, at = natural - left[at], at + 1
        left[at] -= 1
        drawn.append(deck.items[at].item)
    items = tuple(replace(stack, left=count) for stack, count in zip(deck.items, left, strict=True))
    return replace(deck, items=items), tuple(drawn)


def undraw(deck: Deck, draw: int, holder: str, items: Sequence[str]) -> Deck:
    """Return the deck with the items of a draw put back, except those that have moved on since.

    `draw` is the number of the draw's event. `holder` is the party that drew to its hand, or empty.
    """
    if deck.declared > draw:
        return deck
    for item in items:
        if item in deck.hands.get(holder, {}):
            deck = _put_back(_lay_down(deck, holder, item), item)
        elif deck.shuffled < draw and any(stack.item == item and deck.lies(stack) for stack in deck.items):
            deck = _put_back(deck, item)
    return deck


# --- hands -----------------------------------------------------------------------------------------------------------


def hold(deck: Deck, party: str, items: Sequence[str]) -> Deck:
    """Return the deck with these drawn items in the hand of a party."""
    held = Counter(deck.hands.get(party, {})) + Counter(items)
    return replace(deck, hands={**deck.hands, party: dict(held)})


def play(game: Game, author: str, id_: str, items: Sequence[str]) -> Game:
    """Return the game with these items gone from the author's hand. Raises Violation D13."""
    deck = game.decks.get(id_)
    if deck is None:
        refuse("D13", "there is no deck {deck}", deck=id_)
    for at, item in enumerate(items):
        if item in items[:at]:
            refuse("D13", "{item} is played twice at once: play it again", item=item)
    for item in items:
        if item not in deck.hands.get(author, {}):
            refuse("D13", "{party} does not hold {item} of {deck}", party=author, item=item, deck=id_)
        deck = _lay_down(deck, author, item)
    return _with(game, id_, deck)


def without(game: Game, party: str) -> Game:
    """Return the game after a party left: it holds no items any more."""
    decks = {
        id_: replace(deck, hands={name: hand for name, hand in deck.hands.items() if name != party})
        for id_, deck in game.decks.items()
    }
    return replace(game, decks=decks)


def _lay_down(deck: Deck, party: str, item: str) -> Deck:
    hand = dict(Counter(deck.hands[party]) - Counter([item]))
    others: Mapping[str, Mapping[str, int]] = {name: held for name, held in deck.hands.items() if name != party}
    return replace(deck, hands={**others, party: hand} if hand else others)


def _put_back(deck: Deck, item: str) -> Deck:
    """Return the deck with one copy of a drawn item back in it."""
    items = (replace(stack, left=stack.left + (stack.item == item)) for stack in deck.items)
    return replace(deck, items=tuple(items))


def _find(game: Game, author: str, id_: str) -> Deck:
    deck = game.decks.get(id_)
    if deck is None:
        refuse("D11", "there is no deck {deck}", deck=id_)
    _check_handles(game, author, id_, deck)
    return deck


def _check_handles(game: Game, author: str, id_: str, deck: Deck) -> None:
    if not handles(game, author, deck):
        text = N_("the deck {deck} is for {owner} or a gm to handle, not for {party}")
        refuse("D11", text, deck=id_, owner=deck.owner, party=author)


def _with(game: Game, id_: str, deck: Deck) -> Game:
    return replace(game, decks={**game.decks, id_: deck})
