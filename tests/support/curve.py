"""The curve of Ed25519 in plain integers (RFC 8032, section 5.1), to make signatures that no library would make.

Points are pairs (x, y). Slow, and for tests only: nothing here hides a secret.
"""

from __future__ import annotations

import hashlib

Point = tuple[int, int]

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
IDENTITY: Point = (0, 1)


def add(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, P)
    return x % P, (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P


def times(scalar: int, point: Point) -> Point:
    product = IDENTITY
    while scalar:
        if scalar & 1:
            product = add(product, point)
        point = add(point, point)
        scalar >>= 1
    return product


def minus(point: Point) -> Point:
    return -point[0] % P, point[1]


def encode(point: Point) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def decode(data: bytes) -> Point | None:
    """The point of any encoding, canonical or not; None where it is of none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, (number & 2**255 - 1) % P
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    return (x if x & 1 == sign else -x % P), y


def _base() -> Point:
    point = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    assert point is not None
    return point


def _torsion() -> Point:
    """A point of order 8: what is left of a point of the whole group, L times."""
    y = 2
    while True:
        point = decode(y.to_bytes(32, "little"))
        if point is not None and times(4, small := times(L, point)) != IDENTITY:
            return small
        y += 1


BASE = _base()
EIGHTH = _torsion()
"""of order 8"""
SMALL = tuple(times(n, EIGHTH) for n in range(8))
"""the points of small order"""
SMALL_ENCODINGS = tuple(
    sorted(
        (number | sign << 255).to_bytes(32, "little")
        for number in range(2**255 - 19, 2**255)
        for sign in (0, 1)
        if decode((number | sign << 255).to_bytes(32, "little")) in SMALL
    )
    + sorted({(y | sign << 255).to_bytes(32, "little") for _, y in SMALL for sign in (0, 1)})
)
"""of points of small order, canonical or not: fourteen"""
NON_CANONICAL = tuple((number | sign << 255).to_bytes(32, "little") for number in range(P, 2**255) for sign in (0, 1))


def challenge(key: bytes, r: bytes, message: bytes) -> int:
    """k, not reduced."""
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little")


def equation(key: bytes, signature: bytes, message: bytes) -> bool:
    """Check 4 alone: encode([S]B − [k]A) = R."""
    point = decode(key)
    if point is None:
        return False
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    return encode(add(times(s, BASE), minus(times(challenge(key, r, message) % L, point)))) == r


def valid(key: bytes, signature: bytes, message: bytes) -> bool:
    """The rule of specs/log.md, "Signatures", from its words."""
    points = (key, signature[:32])
    if int.from_bytes(signature[32:], "little") >= L:
        return False
    if any(int.from_bytes(point, "little") & (2**255 - 1) >= P for point in points):
        return False
    if any(decode(point) in SMALL for point in points):
        return False
    return equation(key, signature, message)
