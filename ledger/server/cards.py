"""The preview of a published roll in a chat: title, description, oEmbed (specs/roll-proof.md).

It is made from the report on the roll's proof. Texts of people are shortened, isolated, and escaped in HTML.
"""

from html import escape
from itertools import groupby
from typing import NamedTuple

from msgspec import UNSET

from ledger.network.wire import OEmbed
from rules.data.language import Message, Translate
from rules.data.text import isolated
from verifier.checkpoints.roll_proof import verify_roll_proof
from verifier.language import join_names

__all__ = ["HEIGHT", "WIDTH", "Card", "card_of", "head_of", "oembed_of"]

WIDTH, HEIGHT = 1_200, 630
"""pixels of the picture"""
FRAME_WIDTH, FRAME_HEIGHT = 480, 420
"""pixels of the page in a frame, where there is room"""
MOST_DICE = 12
"""dice that a title names"""
MAX_SHOWN = 200
"""characters of a text in a card"""


class Card(NamedTuple):
    """The preview of a roll whose proof is valid."""

    title: str
    description: str
    dice: tuple[tuple[int, int], ...]
    """sides and natural of each die"""
    ruled: bool
    """a judge ruled about it"""


def card_of(proof: bytes, translate: Translate) -> Card | None:
    """Return the card of a roll, in words of a language; None where the proof does not hold."""
    report = verify_roll_proof(proof)
    state = report.state
    if report.verdict != "holds" or state is None:
        return None
    dice = tuple(zip(state["sides"], state["naturals"], strict=True))
    source = state["asked"].get("source")
    what = _cut(source) if isinstance(source, str) and source else notation([sides for sides, _ in dice])
    numbers = ", ".join(str(natural) for _, natural in dice[:MOST_DICE])
    if len(dice) > MOST_DICE:
        numbers = Message("{dice} and {count} more", dice=numbers, count=len(dice) - MOST_DICE).message(translate)
    shown = state["shown"]
    author = state["author"]
    # Without names, parties are shown by their place at the table, which means nothing to outsiders.
    title = f"{author}: {what}: {numbers}" if shown[author] == author else f"{what}: {numbers}"
    rulings = [each["ruling"] for each in state["rulings"]]
    names = [shown[name] for name in state["contributors"]]
    taken = bool(state["strikes"])
    return Card(title, _description(rulings, names, translate, taken=taken), dice, bool(rulings) or taken)


def _description(rulings: list[str], names: list[str], translate: Translate, *, taken: bool) -> str:
    if "void" in rulings:
        return translate("The dice were fair; a judge ruled the roll void.")
    if rulings:
        return translate("The dice were fair; a judge ruled about the roll.")
    if taken:
        return translate("The dice were fair; somebody agreed to take the roll back.")
    text = translate("Fair: nobody could choose or predict it unless ALL of {names} worked together.")
    return text.format(names=join_names(names, translate))


def notation(sides: list[int]) -> str:
    """Return dice in notation, in their order: `2d6, d20`."""
    runs = [(each, len(list(run))) for each, run in groupby(sides)]
    numbers = [f"{'' if count == 1 else count}d{each}" for each, count in runs[:MOST_DICE]]
    return ", ".join(numbers) + (" …" if len(runs) > MOST_DICE else "")


def _cut(text: str) -> str:
    return isolated(text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…")


def head_of(card: Card, address: str, roll: str) -> str:
    """Return the HTML for the head of a roll's page; `address` is the server's."""
    link = f"{address}/r/{roll}"
    properties = {
        "og:site_name": "Rollproof",
        "og:type": "website",
        "og:title": card.title,
        "og:description": card.description,
        "og:url": link,
        "og:image": f"{link}/card.png",
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": card.title,
    }
    named = {"description": card.description, "robots": "noindex", "twitter:card": "summary_large_image"}
    embed = f"{address}/v1/oembed?url={link}"
    return "\n".join(
        [
            f"<title>{escape(card.title)}</title>",
            *(f'<meta name="{name}" content="{escape(text)}">' for name, text in named.items()),
            *(f'<meta property="{name}" content="{escape(text)}">' for name, text in properties.items()),
            f'<link rel="alternate" type="application/json+oembed" href="{escape(embed)}">',
        ]
    )


def oembed_of(card: Card, address: str, roll: str, width: int | None, height: int | None) -> OEmbed:
    """Return the card as oEmbed 1.0; `width` and `height` are the most that there is room for, in pixels."""
    link = f"{address}/r/{roll}"
    wide, high = min(FRAME_WIDTH, width or FRAME_WIDTH), min(FRAME_HEIGHT, height or FRAME_HEIGHT)
    frame = (
        f'<iframe src="{escape(link)}" width="{wide}" height="{high}" title="{escape(card.title)}" '
        'sandbox="allow-scripts" referrerpolicy="no-referrer" loading="lazy" style="border:0;max-width:100%"></iframe>'
    )
    pictured = (width is None or width >= WIDTH) and (height is None or height >= HEIGHT)
    return OEmbed(
        height=high,
        html=frame,
        provider_name="Rollproof",
        provider_url=address,
        title=card.title,
        type="rich",
        version="1.0",
        width=wide,
        thumbnail_height=HEIGHT if pictured else UNSET,
        thumbnail_url=f"{link}/card.png" if pictured else UNSET,
        thumbnail_width=WIDTH if pictured else UNSET,
    )
