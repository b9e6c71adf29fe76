"""Make specs/vectors/signatures.json from specs/log.md, "Signatures", alone; results are stated by hand.

python -m tests.make.signatures             # writes specs/vectors/signatures.json
python -m tests.make.signatures --check     # writes nothing, exits 1 if it differs
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tests.oracles import reference as ref
from tests.support import curve

FILE = Path(__file__).resolve().parents[2] / "specs" / "vectors" / "signatures.json"

# Published with "Taming the many EdDSAs" by Chalkias, Garillot and Nikolaenko, and numbered as there
# (github.com/novifinancial/ed25519-speccheck, cases.json): public key, message, signature. Whether each is valid is
# said by log.md; the words are ours.
SPECCHECK = [
    (
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
        "0000000000000000000000000000000000000000000000000000000000000000",
        "A and R have small order, S is 0",
    ),
    (
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43"
        "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
        "A has small order",
    ),
    (
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
        "aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"
        "8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e",
        "R has small order",
    ),
    (
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f"
        "87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009",
        None,
    ),
    (
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed512"
        "5ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09",
        "the equation holds with the cofactor only",
    ),
    (
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7"
        "e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405",
        "the equation holds with the cofactor only, and only where 8k is not reduced first",
    ),
    (
        "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
        "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
        "e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e"
        "547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514",
        "S is not below L",
    ),
    (
        "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
        "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
        "8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa1942"
        "7e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22",
        "S is far above L",
    ),
    (
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
        "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        "03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f",
        "R has small order, in an encoding with a sign bit that no x has; hashed as the point is encoded rightly",
    ),
    (
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
        "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        "ca8c5b64cd208982aa38d4936621a4775aa233aa0505711d8fdcfdaa943d4908",
        "R has small order, in an encoding with a sign bit that no x has; hashed as it stands",
    ),
    (
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b",
        "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"
        "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
        "A has small order, in an encoding with a sign bit that no x has; hashed as the point is encoded rightly",
    ),
    (
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f",
        "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"
        "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
        "A has small order, in an encoding with a sign bit that no x has; hashed as it stands",
    ),
]


class Case(NamedTuple):
    name: str
    public_key: bytes
    message: bytes
    signature: bytes
    valid: bool
    why: str


def scalar(words: str) -> int:
    return int.from_bytes(ref.secret_of(words), "little") % curve.L


def joined(r: bytes, s: int) -> bytes:
    return r + s.to_bytes(32, "little")


class Signer:
    """A key [a]B + T, T of small order: what it signs, an R of any form included."""

    def __init__(self, name: str, small: curve.Point = curve.IDENTITY) -> None:
        self.a = scalar(f"scalar {name}")
        self.point = curve.add(curve.times(self.a, curve.BASE), small)
        self.key = curve.encode(self.point)

    def attempts(self, r: int, encoded: bytes, words: str) -> Iterator[tuple[bytes, bytes]]:
        """Messages and signatures with S = r + ka and this R: whether the equation holds is up to the small parts."""
        for n in count():
            message = f"{words} {n}".encode()
            k = curve.challenge(self.key, encoded, message) % curve.L
            yield message, joined(encoded, (r + k * self.a) % curve.L)

    def first(self, r: int, encoded: bytes, words: str, *, holds: bool = True) -> tuple[bytes, bytes]:
        """The first of them for which the equation holds, or the first for which it does not."""
        return next(
            (message, signature)
            for message, signature in self.attempts(r, encoded, words)
            if curve.equation(self.key, signature, message) == holds
        )


def small_order() -> Iterator[Case]:
    """Every encoding as R and as A, with the equation as good as it can be made."""
    signer = Signer("mixed", curve.EIGHTH)
    for encoded in curve.SMALL_ENCODINGS:
        point = curve.decode(encoded)
        assert point is not None
        # With a key of mixed order [k]A leaves a point of small order: messages are tried until it is this one.
        message, signature = next(
            (message, signature)
            for message, signature in signer.attempts(0, encoded, "small R")
            if curve.times(curve.challenge(signer.key, encoded, message) % curve.L % 8, curve.EIGHTH)
            == curve.minus(point)
        )
        own = curve.encode(point) == encoded
        why = "R has small order" if own else "R has small order, in another encoding than its point has"
        yield Case(f"R is {short(encoded)}", signer.key, message, signature, False, why)
    for encoded in curve.SMALL_ENCODINGS:
        r = scalar("nonce small A")
        sent = curve.encode(curve.times(r, curve.BASE))
        message = next(
            text for n in count() if curve.equation(encoded, joined(sent, r), text := f"small A {n}".encode())
        )
        why = "A has small order: this signature needs no secret key"
        yield Case(f"A is {short(encoded)}", encoded, message, joined(sent, r), False, why)


def mixed_order() -> Iterator[Case]:
    signer, r = Signer("mixed", curve.EIGHTH), scalar("nonce mixed")
    pure = curve.times(r, curve.BASE)
    mixed = curve.add(pure, curve.EIGHTH)
    yield Case(
        "mixed A, pure R, no part of small order left",
        signer.key,
        *signer.first(r, curve.encode(pure), "mixed A"),
        True,
        "k is a multiple of 8, so [k]A has no part of small order",
    )
    yield Case(
        "mixed A, pure R",
        signer.key,
        *signer.first(r, curve.encode(pure), "mixed A", holds=False),
        False,
        "the equation holds with the cofactor only",
    )
    yield Case(
        "mixed A, mixed R, parts cancel",
        signer.key,
        *signer.first(r, curve.encode(mixed), "mixed A and R"),
        True,
        "the parts of small order of R and [k]A cancel",
    )
    yield Case(
        "mixed A, mixed R",
        signer.key,
        *signer.first(r, curve.encode(mixed), "mixed A and R", holds=False),
        False,
        "the equation holds with the cofactor only",
    )
    honest = Signer("pure")
    yield Case(
        "pure A, mixed R",
        honest.key,
        *honest.first(r, curve.encode(mixed), "mixed R", holds=False),
        False,
        "the equation holds with the cofactor only",
    )
    # L is 5 modulo 8: what k is taken modulo shows in the part of small order.
    message, signature = next(
        (message, signature)
        for message, signature in signer.attempts(r, curve.encode(pure), "k as it is")
        if curve.challenge(signer.key, signature[:32], message) % 8 == 0
        and not curve.equation(signer.key, signature, message)
    )
    why = "k is a multiple of 8 before it is reduced modulo L, and not after"
    yield Case("mixed A, k not reduced", signer.key, message, signature, False, why)


def plain() -> Iterator[Case]:
    signer, r = Signer("pure"), scalar("nonce pure")
    encoded = curve.encode(curve.times(r, curve.BASE))
    message, good = next(signer.attempts(r, encoded, "message"))
    s = int.from_bytes(good[32:], "little")
    yield Case("pure A, pure R", signer.key, message, good, True, "as everybody signs")
    yield Case("another message", signer.key, message + b"!", good, False, "the equation does not hold")
    yield Case("S + L", signer.key, message, joined(encoded, s + curve.L), False, "S is not below L")
    yield Case("top bit of S", signer.key, message, joined(encoded, s | 1 << 255), False, "S is not below L")
    # Nobody knows a scalar for these points, so nobody can make the equation hold.
    strange = next(e for e in curve.NON_CANONICAL if curve.decode(e) not in (None, *curve.SMALL))
    yield Case("R not canonical", signer.key, message, strange + good[32:], False, "R is not canonical")
    yield Case("A not canonical", strange, message, good, False, "A is not canonical")
    nothing = next(e for e in (bytes([n]) + bytes(31) for n in range(2, 256)) if curve.decode(e) is None)
    yield Case("A is no point", nothing, message, good, False, "A is no point of the curve")


def published() -> Iterator[Case]:
    for number, (key, message, signature, flaw) in enumerate(SPECCHECK):
        why = flaw or "A and R are of mixed order, and the equation holds"
        key_, message_, signature_ = map(bytes.fromhex, (key, message, signature))
        yield Case(f"speccheck {number}", key_, message_, signature_, flaw is None, why)


def short(encoded: bytes) -> str:
    return f"{encoded[:2].hex()}…{encoded[-1:].hex()}"


def make() -> bytes:
    cases = [*plain(), *mixed_order(), *small_order(), *published()]
    for case in cases:
        assert curve.valid(case.public_key, case.signature, case.message) == case.valid, case.name
    made = [{name: x.hex() if isinstance(x, bytes) else x for name, x in case._asdict().items()} for case in cases]
    return json.dumps({"signatures": made}, indent=1, ensure_ascii=False).encode() + b"\n"


def main() -> int:
    made = make()
    if FILE.exists() and FILE.read_bytes() == made:
        return 0
    print(FILE.name)
    if "--check" in sys.argv[1:]:
        return 1
    FILE.write_bytes(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
