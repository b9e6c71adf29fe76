"""Judge files of profiles and successions, and follow successions: from profile.md and log.md alone.

Nothing here comes from the product: the standard library, and from `cryptography` Ed25519, PBKDF2 and AES-256-GCM.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAX_PROFILE = 65_536
MAX_SUCCESSION = 2_000
MAX_SUCCESSIONS_FILE = 16_000_000
MAX_SUCCESSIONS = 64
MAX_NAME = 32
MAX_CALLED = 40
MAX_TEXT = 500
MAX_SAFE_INTEGER = 2**53 - 1

ORDER = 2**252 + 27742317777372353535851937790883648493
FIELD = 2**255 - 19

SMALL_ORDER = {
    bytes.fromhex(encoding)
    for encoding in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    )
}

NOT_IN_A_TEXT = (
    (0x0000, 0x001F), (0x007F, 0x009F), (0x2028, 0x2029), (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C),
    (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200B), (0x200E, 0x200F), (0x202A, 0x202E),
    (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0E), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip


class Refused(Exception):
    """Carry the code of the table in profile.md."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


# --- log.md -----------------------------------------------------------------------------------------------------------


def canonical(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def decoded(line: bytes) -> Any:
    """Return the value of canonical JSON, or raise ValueError."""
    try:
        value = json.loads(line.decode())
        same = canonical(value) == line
    except RecursionError:
        raise ValueError from None
    if not same:
        raise ValueError
    return value


def of_small_order(encoding: bytes) -> bool:
    return encoding[:31] + bytes([encoding[31] & 0x7F]) in SMALL_ORDER


def is_canonical_point(encoding: bytes) -> bool:
    return int.from_bytes(encoding, "little") % 2**255 < FIELD


def holds(public: bytes, signature: bytes, message: bytes) -> bool:
    """Tell whether a signature is valid by log.md, Signatures."""
    commitment, scalar = signature[:32], signature[32:]
    if int.from_bytes(scalar, "little") >= ORDER:
        return False
    if not all(is_canonical_point(point) and not of_small_order(point) for point in (public, commitment)):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_name(text: str) -> bool:
    return re.fullmatch(rf"[a-z0-9][a-z0-9._-]{{0,{MAX_NAME - 1}}}", text) is not None


def is_text(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        return False
    for at, character in enumerate(value):
        point = ord(character)
        if any(first <= point <= last for first, last in NOT_IN_A_TEXT):
            return False
        if point not in (0x200C, 0x200D, 0xFE0F):
            continue
        before = value[at - 1] if at else ""
        after = value[at + 1] if at + 1 < len(value) else ""
        behind = before >= "\x80" and before not in "\u200c\u200d\ufe0f"
        joins = point == 0x200D and before == "\ufe0f"
        keycap = point == 0xFE0F and before != "" and before in "0123456789#*" and after == "\u20e3"
        if not (behind or joins or keycap):
            return False
    return True


def is_called(value: Any) -> bool:
    return is_text(value) and 1 <= len(value) <= MAX_CALLED and not value.startswith(" ") and not value.endswith(" ")


def is_hex(value: Any, size: int) -> bool:
    return isinstance(value, str) and re.fullmatch(rf"[0-9a-f]{{{2 * size}}}", value) is not None


def is_time(value: Any) -> bool:
    pattern = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"
    if not isinstance(value, str) or re.fullmatch(pattern, value) is None:
        return False
    try:
        datetime.fromisoformat(value[:19])
    except ValueError:
        return False
    return value[11:13] <= "23"


@dataclass(frozen=True)
class Key:
    """What a verifier key says."""

    name: str
    public: bytes


def verifier_key(value: Any) -> Key:
    """Return name and public key of a valid verifier key, or raise ValueError."""
    if not isinstance(value, str):
        raise ValueError
    name, key_id, encoded = (*value.split("+", 2), "", "")[:3]
    if not is_name(name) or name == "file" or not is_hex(key_id, 4):
        raise ValueError
    typed = base64.b64decode(encoded, validate=True)
    if base64.b64encode(typed).decode() != encoded or len(typed) != 33 or typed[0] != 1:
        raise ValueError
    if hashlib.sha256(name.encode() + b"\n" + typed).hexdigest()[:8] != key_id or of_small_order(typed[1:]):
        raise ValueError
    return Key(name, typed[1:])


def is_verifier_key(value: Any) -> bool:
    try:
        verifier_key(value)
    except ValueError:
        return False
    return True


def has_members(value: Any, required: set[str], optional: frozenset[str] = frozenset()) -> bool:
    return isinstance(value, dict) and required <= set(value) <= required | optional


# --- The succession ---------------------------------------------------------------------------------------------------


def names_recovery(key: str, recovery: str, named: str) -> bool:
    """Tell whether `named` is a signature by `key` that names `recovery`."""
    statement = {"format": "rollproof/recovery/v1", "key": key, "recovery": recovery}
    message = b"rollproof/v1/recovery\n" + canonical(statement)
    return holds(verifier_key(key).public, bytes.fromhex(named), message)


def has_form_of_succession(value: Any) -> bool:
    """Tell whether it has the members and their types, its keys as strings."""
    return (
        has_members(value, {"format", "key", "named", "new", "new_sig", "recovery", "sig", "time"})
        and value["format"] == "rollproof/succession/v1"
        and isinstance(value["key"], str)
        and isinstance(value["new"], str)
        and all(is_hex(value[member], 64) for member in ("named", "new_sig", "sig"))
        and is_hex(value["recovery"], 32)
        and is_time(value["time"])
    )


def check_succession(value: Any) -> None:
    """Raise Refused with the first code that fits."""
    if not has_form_of_succession(value) or len(canonical(value)) > MAX_SUCCESSION:
        raise Refused("succession.malformed")
    if not (is_verifier_key(value["key"]) and is_verifier_key(value["new"])):
        raise Refused("succession.malformed")
    key, new, recovery = verifier_key(value["key"]), verifier_key(value["new"]), bytes.fromhex(value["recovery"])
    if key.name != new.name or len({key.public, new.public, recovery}) != 3 or of_small_order(recovery):
        raise Refused("succession.malformed")
    if not names_recovery(value["key"], value["recovery"], value["named"]):
        raise Refused("succession.named")
    signed = {member: value[member] for member in ("format", "key", "new", "recovery", "time")}
    message = b"rollproof/v1/succession\n" + canonical(signed)
    if not holds(recovery, bytes.fromhex(value["sig"]), message):
        raise Refused("succession.recovery")
    if not holds(new.public, bytes.fromhex(value["new_sig"]), message):
        raise Refused("succession.new")


def read_succession(line: bytes) -> dict[str, Any]:
    """Return the succession of a line without its line feed, or raise Refused."""
    try:
        value = decoded(line)
    except ValueError:
        raise Refused("succession.malformed") from None
    check_succession(value)
    assert isinstance(value, dict)
    return value


def read_successions(data: bytes) -> list[dict[str, Any]]:
    """Return the successions of a file, or raise Refused."""
    if len(data) > MAX_SUCCESSIONS_FILE:
        raise Refused("succession.malformed")
    return [read_succession(line) for line in data.removesuffix(b"\n").split(b"\n")] if data else []


# --- Following it -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Followed:
    """What following comes to, by public keys in hex."""

    newest: dict[str, str]
    """each key that went on, with its newest"""
    split: set[str]
    joined: set[str]
    """what two keys or more have as their `new`"""


def follow(successions: Iterable[dict[str, Any]]) -> Followed:
    """Follow successions that hold."""
    ways: dict[str, set[tuple[str, str]]] = {}
    before: dict[str, set[str]] = {}
    for value in successions:
        key, new = (verifier_key(value[member]).public.hex() for member in ("key", "new"))
        ways.setdefault(key, set()).add((new, value["recovery"]))
        before.setdefault(new, set()).add(key)
    split = {key for key, targets in ways.items() if len(targets) > 1}
    joined = {new for new, keys in before.items() if len(keys) > 1}
    step = {key: new for key, targets in ways.items() if key not in split for new, _ in targets if new not in joined}
    turning = {key for key in step if comes_back(key, step)}
    step = {key: new for key, new in step.items() if key not in turning}
    newest = {}
    for key in step:
        at = key
        while at in step:
            at = step[at]
        newest[key] = at
    return Followed(newest, split, joined)


def comes_back(key: str, step: dict[str, str]) -> bool:
    """Tell whether following leads from a key to itself."""
    at = step.get(key)
    for _ in range(len(step)):
        if at is None or at == key:
            break
        at = step.get(at)
    return at == key


# --- The file ---------------------------------------------------------------------------------------------------------


@cache
def sealing_key(passphrase: str, salt: bytes, iterations: int) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", passphrase.encode(), salt, iterations, 32)


def has_form_of_profile(value: Any) -> bool:
    required = {"format", "iterations", "key", "named", "nonce", "recovery", "salt", "sealed", "successions"}
    return (
        has_members(value, required, frozenset({"called", "server"}))
        and ("called" not in value or is_called(value["called"]))
        and value["format"] == "rollproof/profile/v1"
        and type(value["iterations"]) is int
        and 600_000 <= value["iterations"] <= 10_000_000
        and is_verifier_key(value["key"])
        and all(
            is_hex(value[member], size)
            for member, size in {"named": 64, "nonce": 12, "recovery": 32, "salt": 16, "sealed": 48}.items()
        )
        and ("server" not in value or is_text(value["server"]))
        and isinstance(value["successions"], list)
        and len(value["successions"]) <= MAX_SUCCESSIONS
        and all(map(has_form_of_succession, value["successions"]))
    )


def read_profile(data: bytes, passphrase: str, page: str | None) -> dict[str, Any]:
    """Return a profile's file, or raise Refused; `page` is the address of the page that reads, None for a program."""
    if len(data) > MAX_PROFILE:
        raise Refused("profile.malformed")
    try:
        value = decoded(data.removesuffix(b"\n"))
    except ValueError:
        raise Refused("profile.malformed") from None
    if not has_form_of_profile(value):
        raise Refused("profile.malformed")
    assert isinstance(value, dict)
    key, recovery = verifier_key(value["key"]), bytes.fromhex(value["recovery"])
    if of_small_order(recovery) or recovery == key.public:
        raise Refused("profile.malformed")
    if page is not None and value.get("server", page).rstrip("/") != page.rstrip("/"):
        raise Refused("profile.server")
    secret = unsealed(value, passphrase)
    if Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw() != recovery:
        raise Refused("profile.key")
    if not names_recovery(value["key"], value["recovery"], value["named"]):
        raise Refused("profile.named")
    check_way(value["successions"], value["key"])
    return value


def unsealed(value: dict[str, Any], passphrase: str) -> bytes:
    """Return the secret of the recovery key, or raise Refused."""
    beside = canonical({member: value[member] for member in value if member != "sealed"})
    key = sealing_key(passphrase, bytes.fromhex(value["salt"]), value["iterations"])
    try:
        return AESGCM(key).decrypt(bytes.fromhex(value["nonce"]), bytes.fromhex(value["sealed"]), beside)
    except InvalidTag:
        raise Refused("profile.passphrase") from None


def check_way(successions: list[Any], key: str) -> None:
    """Raise Refused where successions do not hold, or do not lead one from the other to the key."""
    for at, succession in enumerate(successions):
        after = successions[at + 1]["key"] if at + 1 < len(successions) else key
        try:
            check_succession(succession)
        except Refused:
            raise Refused("profile.successions") from None
        if succession["new"] != after:
            raise Refused("profile.successions")
