"""Decks and bags: drawing without replacement from a declared list (specs/dice-1.md, clauses D11 and D12)."""

from collections.abc import Sequence

from msgspec.structs import replace

from rules.anydice.bodies import DeclareDeck
from rules.anydice.state import Deck, Game, Stack
from rules.base import given
from rules.bounds import MAX_DICE, MAX_ITEMS, MAX_LOAD
from rules.language import N_
from rules.shared import refuse

__all__ = ["declare", "handles", "put_back", "remove", "return_drawn", "shuffle", "sides", "take"]


def handles(game: Game, party: str, deck: Deck) -> bool:
    """Whether a party may do more with a deck than draw from it."""
    return party == deck.owner or game.roles[party] == "gm" or deck.owner in game.left


def declare(game: Game, seq: int, author: str, body: DeclareDeck) -> Game:
    """The game with a deck. Raises Violation D11."""
    known = game.decks.get(body.deck)
    if known is not None:
        _check_handles(game, author, body.deck, known)
    elif len(game.decks) >= MAX_ITEMS:
        refuse("D11", "there are {most} decks already, and there can be no more", most=MAX_ITEMS)
    stacks = tuple(Stack(one.item, given(one.count, 1), given(one.count, 1)) for one in body.items)
    for at, stack in enumerate(stacks):
        if any(stack.item == before.item for before in stacks[:at]):
            refuse("D11", "{item} is twice in the list: give it a count", item=stack.item)
    count = sum(stack.count for stack in stacks)
    if count > MAX_DICE:
        refuse("D11", "this comes to {count} items; a deck has at most {most}", count=count, most=MAX_DICE)
    if (load := sum(stack.count * len(stack.item.encode()) for stack in stacks)) > MAX_LOAD:
        text = N_("the names of all items come to {load} bytes; there can be {most}")
        refuse("D11", text, load=load, most=MAX_LOAD)
    return _with(game, body.deck, Deck(author, seq, stacks, seq))


def return_drawn(game: Game, author: str, id_: str, item: str) -> Game:
    """The game with an item back in its deck. Raises Violation D11."""
    deck = _find(game, author, id_)
    if not any(stack.item == item and stack.left < stack.count for stack in deck.items):
        refuse("D11", "{item} is not out of {deck}", item=item, deck=id_)
    return _with(game, id_, put_back(deck, [item]))


def shuffle(game: Game, seq: int, author: str, id_: str) -> Game:
    """The game with all items back in the deck. Raises Violation D11."""
    deck = _find(game, author, id_)
    items = tuple(replace(stack, left=stack.count) for stack in deck.items)
    return _with(game, id_, replace(deck, items=items, generation=seq))


def remove(game: Game, author: str, id_: str) -> Game:
    """The game without the deck. Raises Violation D11."""
    _find(game, author, id_)
    return replace(game, decks={name: deck for name, deck in game.decks.items() if name != id_})


def sides(game: Game, id_: str, count: int) -> tuple[int, ...]:
    """The sides of the dice that a draw of `count` items takes. Raises Violation D12."""
    deck = game.decks.get(id_)
    if deck is None:
        refuse("D12", "there is no deck {deck}", deck=id_)
    if count > deck.left:
        refuse("D12", "{deck} has {left} left to draw, not {count}", deck=id_, left=deck.left, count=count)
    return tuple(range(deck.left, deck.left - count, -1))


def take(deck: Deck, naturals: Sequence[int]) -> tuple[Deck, tuple[str, ...]]:
    """The deck after a draw, and the items drawn."""
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


def put_back(deck: Deck, items: Sequence[str]) -> Deck:
    """The deck with these items back, as far as they are out."""
    return replace(
        deck,
        items=tuple(
            replace(stack, left=min(stack.count, stack.left + sum(item == stack.item for item in items)))
            for stack in deck.items
        ),
    )


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
