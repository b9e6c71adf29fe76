"""Make the vectors of ML-DSA-44 cosignatures from specs/checkpoints.md alone; results are stated by hand.

python -m tests.make.mldsa             # writes specs/vectors/mldsa.json
python -m tests.make.mldsa --check     # writes nothing, exits 1 if it differs

Keys follow from fixed seeds. Signatures do not: the library draws some randomness for each, so those that are there
stay as long as they hold.
"""

from __future__ import annotations

import base64
import json
import sys
from functools import cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa

from tests.make.notes import (
    LEAVES,
    SIZE,
    TIME,
    VECTORS,
    b64,
    checkpoint,
    cosigned,
    cosigner_key,
    line,
    text_of,
)
from tests.oracles import reference as ref

FILE = VECTORS / "mldsa.json"
Json = dict[str, Any]


def secret(name: str) -> mldsa.MLDSA44PrivateKey:
    return mldsa.MLDSA44PrivateKey.from_seed_bytes(ref.sha256(f"rollproof vectors mldsa {name}".encode()))


@cache
def public(name: str) -> bytes:
    return secret(name).public_key().public_bytes_raw()


def key_id(name: str, key: bytes) -> bytes:
    return ref.sha256(name.encode() + b"\n\x06" + key)[:4]


def vkey(name: str, key: str = "") -> str:
    data = public(key or name)
    return f"{name}+{key_id(name, data).hex()}+{b64(bytes([6]) + data)}"


def message(name: str, time: int, text: str, start: int = 0, label: bytes = b"subtree/v1\n\x00") -> bytes:
    """`cosigned_message` of c2sp.org/tlog-cosignature, field by field."""
    origin, size, root, _ = text.split("\n")
    return b"".join(
        (
            label,
            bytes([len(name.encode())]) + name.encode(),
            ref.u64(time),
            bytes([len(origin.encode())]) + origin.encode(),
            ref.u64(start),
            ref.u64(int(size)),
            base64.b64decode(root),
        )
    )


class Signer:
    """Signs, or takes the signature that is there of the same message by the same key."""

    def __init__(self, kept: list[bytes]) -> None:
        self.kept = kept

    def sign(self, name: str, data: bytes) -> bytes:
        key = secret(name)
        for signature in self.kept:
            try:
                key.public_key().verify(signature, data)
            except InvalidSignature:
                continue
            return signature
        signature = key.sign(data)
        self.kept.append(signature)
        return signature

    def line(self, text: str, name: str = "wanda", time: int = TIME, key: str = "", **other: Any) -> str:
        signature = self.sign(key or name, message(name, time, text, **other))
        return line(name, key_id(name, public(key or name)), ref.u64(time) + signature)


def signatures_in(data: Any) -> list[bytes]:
    """Every ML-DSA-44 signature of a file as it is."""
    if isinstance(data, dict):
        return [found for each in data.values() for found in signatures_in(each)]
    if isinstance(data, list):
        return [found for each in data for found in signatures_in(each)]
    found = []
    for each in data.split("\n") if isinstance(data, str) else ():
        encoded = each.rpartition(" ")[2]
        if each.startswith("— ") and len(encoded) > 3_000:
            found.append(base64.b64decode(encoded)[12:])
    return found


def vectors() -> Json:
    signer = Signer(signatures_in(json.loads(FILE.read_bytes())) if FILE.exists() else [])
    text = text_of(SIZE)
    wanda, wim = f"witness wanda {vkey('wanda')}\n", f"witness wim {vkey('wim')}\n"
    walt = f"witness walt {cosigner_key('walt')}\n"
    one, both = wanda + "quorum wanda\n", walt + wanda + "group a all walt wanda\nquorum a\n"
    either = walt + wanda + "group a any walt wanda\nquorum a\n"
    most = walt + wanda + wim + "group a 2 walt wanda wim\nquorum a\n"
    good, good_wim = signer.line(text), signer.line(text, "wim")
    data = bytearray(base64.b64decode(good.split(" ")[2]))
    data[-1] ^= 1
    changed = line("wanda", bytes(data[:4]), bytes(data[4:]))
    cases: list[Json] = []

    def case(about: str, policy: str, lines: list[str], met: bool, unchecked: list[str]) -> None:
        """`met`: where ML-DSA-44 can be checked; `unchecked`: where not, the witnesses it hangs on."""
        note = checkpoint(SIZE, LEAVES, *lines)
        cases.append({"about": about, "policy": policy, "note": note, "met": met, "unchecked": unchecked})

    case("one ML-DSA-44 witness", one, [good], True, ["wanda"])
    case("none", one, [], False, [])
    case("another witness's line", one, [good_wim], False, [])
    case("one beside Ed25519, both asked for", both, [cosigned(text), good], True, ["wanda"])
    case("both asked for, that of Ed25519 is missing", both, [good], False, [])
    case("both asked for, that of ML-DSA-44 is missing", both, [cosigned(text)], False, [])
    case("any of two, that of Ed25519 is there", either, [cosigned(text)], True, [])
    case("any of two, both are there", either, [cosigned(text), good], True, [])
    case("any of two, that of ML-DSA-44 is there", either, [good], True, ["wanda"])
    case("two of three", most, [good, good_wim], True, ["wanda", "wim"])
    case("one of three, where two are asked for", most, [good_wim], False, [])
    case("one bit changed", one, [changed], False, ["wanda"])
    case("one that holds, and one that does not", one, [good, changed], False, ["wanda"])
    own = key_id("wanda", public("wanda"))

    def by_wanda(signature: bytes) -> str:
        return line("wanda", own, ref.u64(TIME) + signature)

    case("made with another key", one, [by_wanda(signer.sign("wim", message("wanda", TIME, text)))], False, ["wanda"])
    case("for another size", one, [signer.line(text_of(3))], False, ["wanda"])
    case("time zero", one, [signer.line(text, time=0)], False, ["wanda"])
    case("a time above 2^63 - 1", one, [signer.line(text, time=2**63)], False, ["wanda"])
    case("a subtree that does not begin at 0", one, [signer.line(text, start=1)], False, ["wanda"])
    case("another label", one, [signer.line(text, label=b"subtree/v2\n\x00")], False, ["wanda"])
    case("in another's name", one, [by_wanda(signer.sign("wanda", message("wim", TIME, text)))], False, ["wanda"])
    like_ed25519 = f"cosignature/v1\ntime {TIME}\n{text}".encode()
    case("over the message of Ed25519", one, [by_wanda(signer.sign("wanda", like_ed25519))], False, ["wanda"])
    case("72 bytes, as of Ed25519", one, [by_wanda(bytes(64))], False, ["wanda"])
    case("the same under another name", one, [good.replace("— wanda", "— wanda2")], False, [])

    def key_of(name: str, data: bytes, kind: int = 6) -> str:
        found = ref.sha256(name.encode() + b"\n" + bytes([kind]) + data)[:4]
        return f"{name}+{found.hex()}+{b64(bytes([kind]) + data)}"

    keys = [
        {"about": "wanda's", "key": vkey("wanda"), "valid": True},
        {"about": "a name of 255 bytes", "key": key_of("w" * 255, public("wanda")), "valid": True},
        {"about": "a name of 256 bytes", "key": key_of("w" * 256, public("wanda")), "valid": False},
        {"about": "1,311 bytes", "key": key_of("wanda", public("wanda")[1:]), "valid": False},
        {"about": "1,313 bytes", "key": key_of("wanda", public("wanda") + b"\0"), "valid": False},
        {"about": "a key id that does not fit", "key": vkey("wanda").replace("wanda+", "wanda+00", 1), "valid": False},
        {"about": "type 5", "key": key_of("wanda", public("wanda"), 5), "valid": False},
        {"about": "type 4 with 1,312 bytes", "key": key_of("wanda", public("wanda"), 4), "valid": False},
        {"about": "a blank in the name", "key": key_of("wan da", public("wanda")), "valid": False},
    ]
    signed = {
        "note": text,
        "time": TIME,
        "key": vkey("wanda"),
        "message": message("wanda", TIME, text).hex(),
        "line": good,
    }
    return {"cosignature": signed, "keys": keys, "policies": cases}


def file() -> bytes:
    return (json.dumps(vectors(), indent=1, ensure_ascii=True) + "\n").encode()


def main() -> int:
    data = file()
    if FILE.exists() and FILE.read_bytes() == data:
        return 0
    print(FILE.name)
    if "--check" in sys.argv[1:]:
        return 1
    FILE.write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
