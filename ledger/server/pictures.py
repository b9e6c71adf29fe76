"""Draw the picture of a published roll (specs/roll-proof.md): its dice, and a mark if they were fair. No user text.

It is drawn at double size and reduced, so that edges are smooth.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from ledger.server.cards import HEIGHT, WIDTH, Card

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

__all__ = ["picture_of"]

_LARGER = 2
_DICE_DRAWN = 12
"""most dice, or faces with their counts, in a picture"""
_IN_A_ROW = 6
_ROW = 1.45
"""widths of a die from one row to the next"""
_GROUND, _PAPER, _INK, _QUIET, _EDGE = "#15171b", "#f4f1e8", "#1d1f24", "#a6abb6", "#dcd9d0"
_GOOD, _DOUBT = "#7ccf98", "#e3bd6b"
_CORNERS = {4: (3, -90), 8: (4, -90), 10: (4, -90), 12: (5, -90), 20: (6, -90)}
"""by sides: corners of the shape, and the angle of the first; a d6 is a square, any other die is round"""
_PIPS = {
    1: "c",
    2: "ai",
    3: "aci",
    4: "agdi",
    5: "agcdi",
    6: "agbhdi",
}
"""places of pips: columns left and right with top, middle and bottom, and the centre"""
_PLACES = {
    "a": (-1, -1),
    "b": (-1, 0),
    "g": (-1, 1),
    "c": (0, 0),
    "d": (1, -1),
    "h": (1, 0),
    "i": (1, 1),
}


def picture_of(card: Card) -> bytes:
    """Return the picture of a card as PNG."""
    from PIL import Image, ImageDraw  # the library is loaded when somebody asks for a picture

    picture = Image.new("RGB", (WIDTH * _LARGER, HEIGHT * _LARGER), _GROUND)
    draw = ImageDraw.Draw(picture)
    drawn = _drawn(card.dice)
    rows = [drawn[at : at + _IN_A_ROW] for at in range(0, len(drawn), _IN_A_ROW)]
    size = _size(rows)
    for at, row in enumerate(rows):
        middle = (HEIGHT - 90) / 2 + (at - (len(rows) - 1) / 2) * size * _ROW
        for place, (sides, natural, count) in enumerate(row):
            left = WIDTH / 2 + (place - (len(row) - 1) / 2) * size * 1.2
            _die(draw, (left, middle), size, sides, natural)
            if count > 1:
                _text(draw, (left, middle + size * 0.67), size * 0.2, f"x{count}", _QUIET)
    _foot(draw, fair=not card.ruled, more=sum(count for _, _, count in drawn) < len(card.dice))
    made = BytesIO()
    picture.reduce(_LARGER).quantize(64).save(made, "PNG", optimize=False)
    return made.getvalue()


def _drawn(dice: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Sides, natural, and how many of them: each die, or of many the faces, the most frequent first."""
    if len(dice) <= _DICE_DRAWN:
        return [(sides, natural, 1) for sides, natural in dice]
    return [(*face, count) for face, count in sorted(Counter(dice).most_common(_DICE_DRAWN))]


def _size(rows: Sequence[Sequence[object]]) -> float:
    """Return the width of a die, so that all have room."""
    longest = max(map(len, rows), default=1)
    return min(300.0, (WIDTH - 120) / (longest * 1.2), (HEIGHT - 150) / (max(1, len(rows)) * _ROW))


def _scaled(*numbers: float) -> list[float]:
    return [number * _LARGER for number in numbers]


def _die(draw: "ImageDraw", middle: tuple[float, float], size: float, sides: int, natural: int) -> None:
    x, y = middle
    half, width = size / 2, max(2, round(size / 40)) * _LARGER
    if sides == 6:
        box = _scaled(x - half, y - half, x + half, y + half)
        draw.rounded_rectangle(box, radius=size / 6 * _LARGER, fill=_PAPER, outline=_EDGE, width=width)
        for place in _PIPS[natural]:
            across, down = _PLACES[place]
            left, top, dot = x + across * size * 0.27, y + down * size * 0.27, size * 0.085
            draw.ellipse(_scaled(left - dot, top - dot, left + dot, top + dot), fill=_INK)
        return
    if sides in _CORNERS:
        corners, first = _CORNERS[sides]
        angles = [math.radians(first + 360 / corners * at) for at in range(corners)]
        points = [
            (_LARGER * (x + half * 1.05 * math.cos(angle)), _LARGER * (y + half * 1.05 * math.sin(angle)))
            for angle in angles
        ]
        draw.polygon(points, fill=_PAPER)
        draw.line([*points, points[0], points[1]], fill=_EDGE, width=width, joint="curve")
    else:
        draw.ellipse(_scaled(x - half, y - half, x + half, y + half), fill=_PAPER, outline=_EDGE, width=width)
    text = str(natural)
    high = 0.3 if sides == 4 else 0.4 if len(text) < 3 else 1 / len(text)
    _text(draw, (x, y + (size * 0.08 if sides == 4 else 0)), size * high, text, _INK)


def _text(draw: "ImageDraw", middle: tuple[float, float], size: float, text: str, colour: str) -> None:
    at = middle[0] * _LARGER, middle[1] * _LARGER
    draw.text(at, text, fill=colour, font=_font(max(8, round(size * _LARGER))), anchor="mm")


@cache
def _font(size: int) -> "FreeTypeFont | ImageFont":
    """Return the library's own font, which has Latin letters only; no other text is drawn."""
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _foot(draw: "ImageDraw", *, fair: bool, more: bool) -> None:
    """Draw the foot: a tick if the roll was fair and no judge ruled about it, and the program's name."""
    colour, y = (_GOOD if fair else _DOUBT), HEIGHT - 70
    x = WIDTH / 2 - 120
    draw.ellipse(_scaled(x - 26, y - 26, x + 26, y + 26), outline=colour, width=4 * _LARGER)
    if fair:
        points = [(x - 12, y + 1), (x - 3, y + 10), (x + 13, y - 9)]
        draw.line([(_LARGER * a, _LARGER * b) for a, b in points], fill=colour, width=5 * _LARGER, joint="curve")
    else:
        draw.line(_scaled(x, y - 13, x, y + 4), fill=colour, width=5 * _LARGER)
        draw.ellipse(_scaled(x - 3, y + 9, x + 3, y + 15), fill=colour)
    _text(draw, (x + 150, y), 40, "Rollproof", _QUIET)
    if more:
        _text(draw, (WIDTH - 70, HEIGHT - 130), 40, "…", _QUIET)
