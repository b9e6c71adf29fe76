"""The specification restated: slow, plain, and independent of the product's code.

Names of pages in comments are pages of `specs/`. Nothing here is fast, and nothing is shared with the
packages it judges. `verify` is the procedure of verification.md; `Writer` makes logs, right ones and wrong ones.
"""

from __future__ import annotations

import base64
import copy
import datetime
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tests.oracles import reference_dice, reference_mtg, reference_rules

FORMAT = "rollproof/v1"
SYSTEMS = ("mtg-706-2023-11-17", "dice-1")

MAX_LINE = 65_535
MAX_SAFE_INTEGER = 2**53 - 1
MAX_PARTIES = 64
MAX_NAME = 32
MAX_TEXT = 500
MAX_CHAIN = 65_536
MAX_DICE = 1_000
MAX_ITEMS = 100
MAX_DEPTH = 64

EVENT_LABEL = b"rollproof/v1/event\n"
OPENING_LABEL = b"rollproof/v1/opening\n"
LINK_LABEL = b"rollproof/v1/link\n"
SEED_LABEL = b"rollproof/v1/seed\n"
DICE_LABEL = b"rollproof/v1/dice\n"

ADMIT_LABEL = b"rollproof/v1/admit\n"
ACT_LABEL = b"rollproof/v1/act\n"
RECOVERY_LABEL = b"rollproof/v1/recovery\n"
SUCCESSION_LABEL = b"rollproof/v1/succession\n"
MAX_WORD = 64
MAX_PLAYERS = 5_000
MAX_SUCCESSION = 2_000
SEAL_LABEL = b"rollproof/v1/seal\n"
SEALED_SEED_LABEL = b"rollproof/v1/sealed seed\n"
HIDDEN_LABEL = b"rollproof/v1/hidden\n"
MAX_TAGS = 64
MAX_SEALED = 128

ZEROS = "0" * 64
MEMBERS = frozenset({"author", "body", "game", "prev", "seq", "sig", "time", "type"})

# protocol.md, the state table: who may write what.
WRITERS: dict[str, frozenset[str]] = {
    "open": frozenset({"keeper"}),
    "join": frozenset({"player", "gm", "judge", "witness"}),
    "commit": frozenset({"keeper", "player", "gm", "witness"}),
    "roll": frozenset({"player"}),
    "reroll": frozenset({"player"}),
    "reveal": frozenset({"keeper"}),
    "void": frozenset({"player", "gm", "judge", "witness"}),
    "disclose": frozenset({"keeper"}),
    "ignore": frozenset({"player", "gm"}),
    "store": frozenset({"player", "gm"}),
    "modify": frozenset({"player", "gm"}),
    "resolve": frozenset({"player", "gm"}),
    "declare": frozenset({"player", "gm"}),
    "ruling": frozenset({"judge"}),
    "away": frozenset({"player", "gm", "judge", "witness"}),  # and the keeper, where event 0 says so
    "back": frozenset({"player", "gm", "judge", "witness"}),
    "leave": frozenset({"player", "gm", "judge", "witness"}),
    "admit": frozenset({"keeper"}),
    "replace": frozenset({"keeper"}),
    "consent": frozenset({"player", "gm", "witness"}),
    "object": frozenset({"player", "gm", "witness"}),
    "seal": frozenset(),  # whom event 0 lets hold
    "show": frozenset(),
    "strike": frozenset(),  # where event 0 has it
    "close": frozenset({"keeper"}),
}
REQUESTS = frozenset({"roll", "reroll"})
SYSTEM_TYPES = frozenset({"roll", "reroll", "ignore", "store", "modify", "resolve", "declare"})
ROLES = frozenset({"keeper", "player", "gm", "judge", "witness"})


class Magic:
    """mtg.md, at its head: no game masters, nobody plays later, no secret rolls."""

    rules: type[reference_rules.Game] = reference_mtg.Magic
    check_options = staticmethod(reference_mtg.check_options)
    check_body = staticmethod(reference_mtg.check_body)
    roles = frozenset({"keeper", "player", "judge", "witness"})
    rollers = frozenset({"player"})
    late = frozenset({"judge", "witness"})
    agreement: str | None = "706.1b"
    seals = False
    no_seals: str | None = "706.2"


class AnyDice(Magic):
    """dice-1.md, at its head."""

    rules: type[reference_rules.Game] = reference_dice.Dice
    check_options = staticmethod(reference_dice.check_options)
    check_body = staticmethod(reference_dice.check_body)
    roles = frozenset({"keeper", "player", "gm", "judge", "witness"})
    rollers = frozenset({"player", "gm"})
    late = frozenset({"player", "gm", "judge", "witness"})
    agreement: str | None = None
    seals = True
    no_seals: str | None = None


KNOWN: dict[str, type[Magic]] = dict(zip(SYSTEMS, (Magic, AnyDice), strict=True))

# log.md, "Identities": encodings of points of small order, sign bit cleared.
SMALL_ORDER = (
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
)


# --- bytes --------------------------------------------------------------------------------------------


def u8(n: int) -> bytes:
    """One byte."""
    return n.to_bytes(1, "big")


def u64(n: int) -> bytes:
    """Eight bytes, big-endian."""
    return n.to_bytes(8, "big")


def lp(s: str) -> bytes:
    """A string after its length."""
    return u8(len(s)) + s.encode("ascii")


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256."""
    return hmac.new(key, message, hashlib.sha256).digest()


def leaf(line: bytes) -> bytes:
    """The leaf hash of a line, given without its line feed."""
    return sha256(b"\x00" + line)


def root(leaves: Sequence[bytes]) -> bytes:
    """RFC 6962, section 2.1: the Merkle tree head over leaf hashes."""
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha256(b"\x01" + root(leaves[:k]) + root(leaves[k:]))


# --- canonical form -----------------------------------------------------------------------------------


class NoCanonicalForm(Exception):
    """The value has something that no line may have."""


def canonical(value: object) -> bytes:
    """The canonical form of a value (log.md)."""
    return _text_of(value).encode("utf-8")


def _text_of(value: object) -> str:
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + "".join(_escaped(c) for c in value) + '"'
    if isinstance(value, list):
        return "[" + ",".join(_text_of(item) for item in value) + "]"
    if isinstance(value, dict):
        # Python compares strings code point by code point.
        return "{" + ",".join(_text_of(name) + ":" + _text_of(value[name]) for name in sorted(value)) + "}"
    raise NoCanonicalForm(type(value).__name__)


def _escaped(c: str) -> str:
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
    if c in short:
        return short[c]
    if ord(c) < 0x20:
        return f"\\u{ord(c):04x}"
    return c


class Malformed(Exception):
    """Not JSON, or a value that is no value of a line."""


def plain_json(data: bytes, number: Callable[[str], Any] = lambda text: 0) -> Any:
    """verification.md, "The file": the value of plain JSON; the last of a doubled name counts."""

    def no_number(text: str) -> Any:
        raise Malformed(f"{text} is no JSON")

    try:
        text = data.decode("utf-8")
        value = json.loads(text, parse_int=number, parse_float=number, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise Malformed(str(error)) from error
    if depth(text) > MAX_DEPTH:
        raise Malformed("nested too deep")
    return value


STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def depth(text: str) -> int:
    """How many arrays and objects are inside each other in a JSON text, wherever they stand."""
    level = deepest = 0
    for character in STRING.sub("", text):
        level += (character in "[{") - (character in "]}")
        deepest = max(deepest, level)
    return deepest


def decode(line: bytes) -> Any:
    """The value of a line: any JSON layout, but only whole numbers within bounds and no lone surrogates."""

    def integer(text: str) -> int:
        if re.fullmatch("-?[0-9]{1,16}", text) is None or abs(int(text)) > MAX_SAFE_INTEGER:
            raise Malformed(f"{text[:40]} is no integer within bounds")
        return int(text)

    value = plain_json(line, integer)
    for string in STRING.findall(line.decode("utf-8")):
        try:
            json.loads(string).encode("utf-8")
        except UnicodeEncodeError as error:
            raise Malformed("a lone surrogate") from error
    return value


def is_canonical(line: bytes, value: object) -> bool:
    """Whether a line's bytes are the canonical form of its value."""
    try:
        return canonical(value) == line
    except NoCanonicalForm:
        return False


# --- types of members ---------------------------------------------------------------------------------


def is_int(value: object, low: int, high: int = MAX_SAFE_INTEGER) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def is_hex(value: object, size: int) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]*", value) is not None and len(value) == 2 * size


def is_name(value: object) -> bool:
    """log.md, "The event": `file` has the form of a name too, and is no party's."""
    if not isinstance(value, str) or len(value) > MAX_NAME:
        return False
    return re.fullmatch(r"[a-z0-9][a-z0-9._-]*", value) is not None


def is_time(value: object) -> bool:
    pattern = r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{3}Z"
    match = re.fullmatch(pattern, value) if isinstance(value, str) else None
    if match is None:
        return False
    year, month, day, hour, minute, second = (int(group) for group in match.groups())
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return hour <= 23 and minute <= 59 and second <= 59


# log.md, "Text": controls, separators, and the default ignorable code points of Unicode 17.0.0 but the joiners.
BANNED = [(0x00, 0x1F), (0x7F, 0x9F), (0x2028, 0x2029), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C)]
BANNED += [(0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200B), (0x200E, 0x200F)]
BANNED += [(0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0E), (0xFEFF, 0xFEFF)]
BANNED += [(0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)]


def is_text(value: object, required: bool = False) -> bool:
    if not isinstance(value, str) or len(value) > MAX_TEXT or (required and not value):
        return False
    return not any(low <= ord(c) <= high for c in value for low, high in BANNED) and joiners_fit(value)


def joiners_fit(value: str) -> bool:
    for at, character in enumerate(value):
        if character not in "\u200c\u200d\ufe0f":
            continue
        before, after = value[at - 1 : at], value[at + 1 : at + 2]
        behind_seen = before >= "\x80" and before not in "\u200c\u200d\ufe0f"
        keycap = character == "\ufe0f" and before in tuple("0123456789#*") and after == "\u20e3"
        if not (behind_seen or keycap or (character == "\u200d" and before == "\ufe0f")):
            return False
    return True


# --- identities ---------------------------------------------------------------------------------------


def key_id(name: str, public: bytes) -> bytes:
    return sha256(name.encode("ascii") + b"\x0a\x01" + public)[:4]


def verifier_key(name: str, public: bytes) -> str:
    return name + "+" + key_id(name, public).hex() + "+" + base64.b64encode(b"\x01" + public).decode("ascii")


def is_small_order(public: bytes) -> bool:
    cleared = public[:31] + u8(public[31] & 0x7F)
    return cleared.hex() in SMALL_ORDER


def parse_verifier_key(text: object) -> tuple[str, bytes] | str:
    """Name and public key, or why the verifier key is not valid."""
    if not isinstance(text, str) or text.count("+") < 2:
        return "not three parts"
    name, identifier, encoded = text.split("+", 2)
    if not is_name(name) or name == "file":
        return "the name is no name"
    if not encoded.isascii():
        return "the base64 is not base64"
    try:
        raw = base64.b64decode(encoded, validate=True)
    except ValueError:
        return "the base64 is not base64"
    if base64.b64encode(raw).decode("ascii") != encoded:
        return "the base64 is not the canonical one"
    if len(raw) != 33:
        return "the key has not 32 bytes"
    if raw[0] != 1:
        return "the signature type is not 0x01"
    if identifier != key_id(name, raw[1:]).hex():
        return "the key id is another key's"
    if is_small_order(raw[1:]):
        return "the key has small order"
    return name, raw[1:]


ORDER = 2**252 + 27742317777372353535851937790883648493
PRIME = 2**255 - 19


def is_good_point(encoding: bytes) -> bool:
    """Whether y is below p, and the point none of small order; that it is on the curve is left to the equation."""
    y = int.from_bytes(encoding, "little") & (2**255 - 1)
    return y < PRIME and not is_small_order(encoding)


def signature_fits(public: bytes, signature: bytes, message: bytes) -> bool:
    """log.md, "Signatures": what libraries do not agree on is looked at here, first."""
    if int.from_bytes(signature[32:], "little") >= ORDER:
        return False
    if not is_good_point(public) or not is_good_point(signature[:32]):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def event_message(event: dict[str, Any]) -> bytes:
    """What an event's signature is over."""
    return EVENT_LABEL + canonical({name: value for name, value in event.items() if name != "sig"})


# --- commitments and dice -----------------------------------------------------------------------------


def link_below(link: bytes, game: bytes, name: str, i: int) -> bytes:
    """link[i-1] from link[i]."""
    return mac(link, LINK_LABEL + game + lp(name) + u64(i))


def make_chain(secret: bytes, game: bytes, name: str, length: int) -> list[bytes]:
    """All links of a chain, the tip first, the secret last."""
    links = [secret]
    for i in range(length, 0, -1):
        links.insert(0, link_below(links[0], game, name, i))
    return links


def opening_message(game: bytes, request: bytes, name: str, index: int, link: bytes) -> bytes:
    """What an opening's signature is over."""
    return OPENING_LABEL + game + request + lp(name) + u64(index) + link


Links = Iterable[tuple[str, bytes]]
Further = Callable[[list[int]], Sequence[int]]


def seed_message(roll_index: int, links: Links) -> bytes:
    return SEED_LABEL + u64(roll_index) + b"".join(lp(name) + link for name, link in links)


def make_seed(game: bytes, roll_index: int, links: Links) -> bytes:
    """The seed of a roll; `links` are all contributors', the keeper's too, in party order."""
    return mac(game, seed_message(roll_index, links))


def block(seed: bytes, c: int) -> bytes:
    return mac(seed, DICE_LABEL + u64(c))


@dataclass
class Drawn:
    """How one die was drawn."""

    sides: int
    width: int
    limit: int
    tried: list[bytes] = field(default_factory=list)
    natural: int = 0


def no_more(naturals: list[int]) -> Sequence[int]:
    """Of a request whose dice are known before any is drawn: which dice come next."""
    return []


def draw(seed: bytes, sides: Sequence[int], further: Further = no_more) -> list[Drawn]:
    """The dice of a request, from one stream read from its start; `further` says what comes after some naturals."""
    stream = b""
    blocks = 0
    at = 0
    drawn: list[Drawn] = []
    coming = list(sides)[:MAX_DICE]
    while coming:
        for n in coming:
            width = 0
            while 256**width < n:  # the least width that can hold n - 1
                width += 1
            die = Drawn(n, width, 256**width // n * n)
            while True:
                while len(stream) < at + width:
                    stream += block(seed, blocks)
                    blocks += 1
                taken = stream[at : at + width]
                at += width
                die.tried.append(taken)
                v = int.from_bytes(taken, "big")
                if v < die.limit:
                    break
            die.natural = v % n + 1
            drawn.append(die)
        room = MAX_DICE - len(drawn)
        coming = list(further([die.natural for die in drawn]))[:room] if room else []
    return drawn


def naturals_of(seed: bytes, sides: Sequence[int], further: Further = no_more) -> list[int]:
    return [die.natural for die in draw(seed, sides, further)]


# --- schemas (protocol.md, "Event bodies") ------------------------------------------------------------


def _has(body: object, required: set[str], optional: Iterable[str] = ()) -> bool:
    return isinstance(body, dict) and required <= set(body) <= required | set(optional)


def _list(value: object, item: Callable[[Any], bool], low: int = 0, high: int = MAX_ITEMS) -> bool:
    return isinstance(value, list) and low <= len(value) <= high and all(item(entry) for entry in value)


def _is_opening(value: Any) -> bool:
    return (
        _has(value, {"author", "index", "link", "sig"})
        and is_name(value["author"])
        and is_int(value["index"], 1, MAX_CHAIN)
        and is_hex(value["link"], 32)
        and is_hex(value["sig"], 64)
    )


def _is_party(value: Any) -> bool:
    known = _has(value, {"key", "role"}, {"called"}) and isinstance(value["key"], str) and value["role"] in tuple(ROLES)
    return known and ("called" not in value or is_called(value["called"]))


def is_called(value: object) -> bool:
    """log.md, "Called names"."""
    return is_text(value, required=True) and isinstance(value, str) and len(value) <= 40 and value == value.strip(" ")


def _is_options(system: str, value: object) -> bool:
    try:
        KNOWN[system].check_options(value)
    except reference_rules.SchemaError:
        return False
    return True


def is_sealed(system: type[Magic], type_: str, body: Any) -> bool:
    """protocol.md, "Secret rolls": whether a request's body is that of a sealed one."""
    return system.seals and type_ in REQUESTS and isinstance(body, dict) and "sealed" in body


def _is_sealed_right(body: dict[str, Any]) -> bool:
    """The protocol's members of a sealed request."""
    return (
        is_name(body["sealed"])
        and _list(body.get("sides"), lambda n: is_int(n, 1), 1, MAX_DICE)
        and ("hidden" not in body or is_hex(body["hidden"], 32))
    )


def body_is_right(type_: str, body: Any, rules: bool = True, system: type[Magic] = Magic) -> bool:  # noqa: C901
    """Step 9; without `rules` as a seat does it that does not know them."""
    if is_sealed(system, type_, body) and not _is_sealed_right(body):
        return False
    if type_ in SYSTEM_TYPES and not rules:
        return isinstance(body, dict)
    if type_ in SYSTEM_TYPES:
        try:
            system.check_body(type_, body)
        except reference_rules.SchemaError:
            return False
        return True
    if type_ == "open":
        return (
            _has(
                body,
                {"format", "system", "options", "parties", "contributors", "nonce", "title"},
                {"admits", "away", "continues", "event", "host", "judge", "sealed", "strike"},
            )
            and body["format"] == FORMAT
            and isinstance(body["system"], str)
            and isinstance(body["options"], dict)
            and (body["system"] not in SYSTEMS or _is_options(body["system"], body["options"]))
            and _list(body["parties"], _is_party, 2, MAX_PARTIES)
            and (body["contributors"] in ("all", "roller") or _list(body["contributors"], is_name, 2, MAX_PARTIES))
            and is_hex(body["nonce"], 32)
            and is_text(body["title"])
            and ("away" not in body or body["away"] == "others")
            and ("continues" not in body or _is_continued(body["continues"]))
            and ("event" not in body or _is_event(body["event"]))
            and ("judge" not in body or is_name(body["judge"]))
            and ("admits" not in body or _list(body["admits"], _is_late_role, 1, 4))
            and ("host" not in body or isinstance(body["host"], str))
            and ("sealed" not in body or body["sealed"] in ("kept", "everyone"))
            and ("strike" not in body or body["strike"] == "all")
        )
    if type_ == "join":
        return (
            _has(body, set(), {"checks", "recovery"})
            and body.get("checks", "rules") == "rules"
            and ("recovery" not in body or is_hex(body["recovery"], 32))
        )
    if type_ == "commit":
        return (
            _has(body, {"length", "tip"}, {"link"})
            and is_int(body["length"], 2, MAX_CHAIN)
            and is_hex(body["tip"], 32)
            and ("link" not in body or is_hex(body["link"], 32))
        )
    if type_ == "reveal":
        return (
            _has(body, {"roll_index", "openings", "naturals", "sides"})
            and is_int(body["roll_index"], 0)
            and _is_openings(body["openings"])
            and _list(body["naturals"], lambda n: is_int(n, 1), 0, MAX_DICE)
            and _list(body["sides"], lambda n: is_int(n, 1), 0, MAX_DICE)
        )
    if type_ == "void":
        return (
            _has(body, {"roll_index", "missing"}, {"secret"})
            and is_int(body["roll_index"], 0)
            and _list(body["missing"], is_name, 0, MAX_PARTIES)
            and ("secret" not in body or is_hex(body["secret"], 32))
        )
    if type_ == "object":
        return _has(body, {"opening", "request"}) and _is_openings([body["opening"]]) and is_int(body["request"], 0)
    if type_ == "seal":
        return (
            _has(body, {"tags"}, {"secret"})
            and _list(body["tags"], lambda tag: is_hex(tag, 32), 2, MAX_TAGS)
            and ("secret" not in body or is_hex(body["secret"], 32))
        )
    if type_ == "show":
        return (
            _has(body, {"request", "secret"}, {"naturals", "salt", "text"})
            and is_int(body["request"], 0)
            and is_hex(body["secret"], 32)
            and ("naturals" not in body or _list(body["naturals"], lambda n: is_int(n, 1), 0, MAX_DICE))
            and ("salt" not in body or is_hex(body["salt"], 32))
            and ("text" not in body or is_text(body["text"], required=True))
        )
    if type_ == "disclose":
        return (
            _has(body, {"roll_index", "openings"}) and is_int(body["roll_index"], 0) and _is_openings(body["openings"])
        )
    if type_ == "close":
        return _has(body, set(), {"openings"}) and ("openings" not in body or _is_openings(body["openings"]))
    if type_ == "ruling":
        return (
            _has(body, {"ruling", "subject", "text"}, {"party", "results"})
            and body["ruling"] in ("void", "correct", "uphold", "penalty")
            and is_int(body["subject"], -MAX_SAFE_INTEGER)
            and is_text(body["text"], required=True)
            and ("party" not in body or is_name(body["party"]))
            and ("results" not in body or _list(body["results"], _is_ruled, 0, MAX_DICE))
        )
    if type_ in ("leave", "away"):
        return _has(body, {"party"}, {"burned"}) and is_name(body["party"]) and _burned(body)
    if type_ == "back":
        return _has(body, {"party"}, {"accept"}) and is_name(body["party"]) and body.get("accept", "rolls") == "rolls"
    if type_ == "admit":
        return (
            _has(body, {"key", "role"}, {"appointment", "called", "word"})
            and ("appointment" not in body or _is_act(body["appointment"], _is_appoint))
            and ("called" not in body or is_called(body["called"]))
            and isinstance(body["key"], str)
            and _is_late_role(body["role"])
            and ("word" not in body or _is_word(body["word"]))
        )
    if type_ == "replace":
        return (
            _has(body, {"key"}, {"correction", "succession"})
            and isinstance(body["key"], str)
            and ("correction" not in body or _is_act(body["correction"], _is_correct_key))
            and ("succession" not in body or _is_succession(body["succession"]))
        )
    if type_ == "consent":
        return _has(body, {"admit"}) and is_int(body["admit"], 0)
    if type_ == "strike":
        return _has(body, {"roll"}) and is_int(body["roll"], 0)
    raise AssertionError(type_)


def _is_late_role(value: object) -> bool:
    return value in ("player", "gm", "witness", "judge")


def _is_word(value: Any) -> bool:
    return _has(value, {"head", "sig"}) and is_hex(value["head"], 32) and is_hex(value["sig"], 64)


def _is_succession(value: Any) -> bool:
    """profile.md, "The succession": members and types; whether it holds is looked at in step 16."""
    return (
        _has(value, {"format", "key", "named", "new", "new_sig", "recovery", "sig", "time"})
        and value["format"] == "rollproof/succession/v1"
        and isinstance(value["key"], str)
        and is_hex(value["named"], 64)
        and isinstance(value["new"], str)
        and is_hex(value["new_sig"], 64)
        and is_hex(value["recovery"], 32)
        and is_hex(value["sig"], 64)
        and is_time(value["time"])
        and len(canonical(value)) <= MAX_SUCCESSION
    )


def _is_event(value: Any) -> bool:
    """Which event a table is of, and its organizers; whether their keys are valid is looked at in step 10."""
    return (
        _has(value, {"id", "organizers"})
        and is_hex(value["id"], 32)
        and _list(value["organizers"], lambda key: isinstance(key, str), 1, MAX_PARTIES)
    )


def _is_act(value: Any, right_act: Callable[[Any], bool]) -> bool:
    """protocol.md, "The event's word": members and types; whether it holds is looked at in step 16."""
    return (
        _has(value, {"act", "at", "by", "sig", "upon"})
        and right_act(value["act"])
        and is_time(value["at"])
        and is_name(value["by"])
        and is_hex(value["sig"], 64)
        and is_hex(value["upon"], 32)
    )


def _is_appoint(act: Any) -> bool:
    """event.md, "Acts": an `appoint`."""
    roles = ("organizer", "head", "judge")
    return _has(act, {"key", "role"}) and isinstance(act["key"], str) and act["role"] in roles


def _is_correct_key(act: Any) -> bool:
    """event.md, "Acts": a `correct-key`."""
    return (
        _has(act, {"key", "number", "reason"})
        and isinstance(act["key"], str)
        and is_int(act["number"], 1, MAX_PLAYERS)
        and is_text(act["reason"], required=True)
    )


def _burned(body: dict[str, Any]) -> bool:
    return "burned" not in body or is_hex(body["burned"], 32)


def _is_openings(value: object) -> bool:
    return _list(value, _is_opening, 0, MAX_PARTIES)


def _is_continued(value: Any) -> bool:
    return (
        _has(value, {"game", "root", "size"})
        and is_hex(value["game"], 32)
        and is_hex(value["root"], 32)
        and is_int(value["size"], 1)
    )


def _is_ruled(value: Any) -> bool:
    return _has(value, {"die", "result"}) and is_int(value["die"], 1) and is_int(value["result"], -MAX_SAFE_INTEGER)


# --- verification -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """One entry of a report, without its message."""

    code: str
    severity: str
    step: int
    seq: int | None
    fault: str | None
    clause: str | None = None


@dataclass(frozen=True)
class Report:
    """What verification of one file gives."""

    verdict: str
    game: str | None
    events: int
    valid_prefix: int
    head: dict[str, Any] | None
    findings: list[Finding]
    trust: str
    naturals: dict[int, list[int]]
    state: dict[str, Any] | None
    voided: list[dict[str, Any]]
    """dice.md, "Voided rolls", and a roll left by a close: what it would have shown, null where a link is not known."""


@dataclass
class Voided:
    """A void that the log has."""

    seq: int
    author: str
    closer: str
    missing: list[str]
    opened: bool = False
    """whether the disclose has the opening of the void's author, which a judge has none of"""


@dataclass
class Replacement:
    """A `replace` that the log has."""

    seq: int
    party: str
    key: bytes
    by_recovery: bool
    by_event: bool = False
    consents: set[str] = field(default_factory=set)
    ended: bool = False
    joined: int | None = None
    """the number of the join with which the new key took its place"""
    word: list[str] = field(default_factory=list)
    """whose consent counted, in party order; by the event's word the organizer, and the judge who signed it away"""

    @property
    def asks(self) -> bool:
        """Whether the others have to consent."""
        return not self.by_recovery and not self.by_event


class Flaw(Exception):
    """A step failed. `fault` is set only where the step itself names who is at fault."""

    def __init__(self, step: int, code: str, clause: str | None = None, fault: str | None = None) -> None:
        super().__init__(code)
        self.step, self.code, self.clause, self.fault = step, code, clause, fault


@dataclass
class Chain:
    """What is known of a contributor's latest chain."""

    length: int
    known: bytes
    known_index: int = 0
    used: int = 0
    """requests since the commit that its owner was a contributor of, the waiting one too"""


@dataclass
class Request:
    """The request that waits, or was voided."""

    seq: int
    leaf: bytes
    index: int
    author: str
    sides: list[int]
    """of the dice that are drawn first"""
    chains: dict[str, Chain]
    """of its contributors, in party order"""
    numbers: dict[str, int]
    """of the links that they open"""
    links: dict[str, bytes] = field(default_factory=dict)
    """as far as they are known"""
    holder: str | None = None
    """of a secret roll"""
    number: int = 0
    """of the tag that it took"""
    tag: str = ""
    hidden: str | None = None
    type: str = ""
    secret: bytes | None = None
    """where it is known"""
    revealed: bool = False
    without: list[str] = field(default_factory=list)
    """who had no part in it, because somebody else had signed them away; and who contributed and goes on by others'
    word"""


def read_event(line: bytes) -> dict[str, Any]:
    """Step 5: the event of a line, or Malformed."""
    event = decode(line)
    right = (
        isinstance(event, dict)
        and set(event) == MEMBERS
        and is_name(event["author"])
        and isinstance(event["body"], dict)
        and is_hex(event["game"], 32)
        and is_hex(event["prev"], 32)
        and is_int(event["seq"], 0)
        and is_hex(event["sig"], 64)
        and is_time(event["time"])
        and isinstance(event["type"], str)
    )
    if not right:
        raise Malformed("no event")
    return dict(event)


def split(data: bytes) -> list[bytes]:
    """The lines of a file, each with its line feed if it has one."""
    return list(re.findall(rb"[^\n]*\n|[^\n]+", data))


class Game:
    """A game as far as it was verified."""

    def __init__(self) -> None:
        self.id = ""
        self.roles: dict[str, str] = {}
        self.keys: dict[str, bytes] = {}
        """by party: its present key"""
        self.came_by: dict[str, bytes] = {}
        """by party: its key of event 0 or of its admit"""
        self.old_keys: set[bytes] = set()
        """that parties had before"""
        self.replacements: list[Replacement] = []
        self.called: dict[str, str] = {}
        self.terms: Any = None
        self.others_may = False
        self.continues: str | None = None
        """the game that this one goes on from"""
        self.keepers_judge: str | None = None
        self.denied: dict[str, Request] = {}
        """by party: the roll that the keeper's judge voided with it in `missing`, where it has written nothing since"""
        self.objections: dict[str, list[int]] = {}
        """by party: the numbers of its `object` events"""
        self.phase = "new"
        self.joined: set[str] = set()
        self.by_word: set[str] = set()
        """who has gone on by others' word: all others', or the event's"""
        self.recovery: dict[str, str] = {}
        """by party: the recovery key that the join of its present key names"""
        self.checks: set[str] = set()
        """who said in its join that its program knows the rules"""
        self.left: set[str] = set()
        self.away: set[str] = set()
        self.by_another: set[str] = set()
        """who is away because somebody else said so"""
        self.without: list[tuple[int, str]] = []
        """of each revealed roll: its request, and whoever had no part in it for that reason"""
        self.accepts: dict[str, int] = {}
        """by party: its latest `back` with `accept`"""
        self.calls: dict[str, set[str]] = {}
        self.last_time = ""
        self.requests = 0
        self.pending: Request | None = None
        """waits, or was voided and is not disclosed"""
        self.voided: list[Request] = []
        self.void_seq = 0
        self.left_alone: Request | None = None
        """waited when the game was closed"""
        self.chains: dict[str, Chain] = {}
        """of present keys"""
        self.committed: set[str] = set()
        """who has committed, by whatever key"""
        self.tips: set[str] = set()
        self.voids: list[Voided] = []
        self.standing: dict[int, str] = {}
        """type by number: each `roll` that was revealed and each `declare`, until it is ruled void or taken back"""
        self.released: set[int] = set()
        """numbers of rulings about a request that its author owed"""
        self.struck: dict[str, list[int]] = {}
        """by judge: the numbers of the rulings with an effect"""
        self.corrected: dict[str, list[int]] = {}
        self.removed: list[tuple[int, str, str]] = []
        """number, who took out, whom"""
        self.left_owing: list[tuple[int, str, int]] = []
        """number of the `leave`, who left, the voided request that it owed until then"""
        self.sent_away: dict[str, list[tuple[int, str]]] = {}
        """by party: numbers and authors of the events by which it was signed away"""
        self.admits: list[str] = []
        self.host: bytes | None = None
        self.event = ""
        """the event that this is a table of"""
        self.organizers: dict[str, bytes] = {}
        """of that event, by name"""
        self.appointed: dict[str, str] = {}
        """by admitted judge: the organizer who appointed it"""
        self.admitted: dict[str, tuple[int, bool]] = {}
        """by party: the number of its admit, and whether the host's word is in it"""
        self.consents: dict[str, set[str]] = {}
        """by newcomer: who has consented"""
        self.sets: list[tuple[list[str], int]] = []
        """sets of contributors in order of first use, and how many rolls were revealed with each"""
        self.naturals: dict[int, list[int]] = {}
        self.rules: reference_rules.Game | None = None
        self.system: type[Magic] = Magic
        self.holding: frozenset[str] = frozenset()
        """the roles that may hold secret rolls"""
        self.tags: dict[str, list[str]] = {}
        """by holder: all its tags, in their order"""
        self.unused: dict[str, list[int]] = {}
        """by holder: the numbers of its unused tags"""
        self.has_sealed: set[str] = set()
        """whose present key has written a seal"""
        self.secret_rolls: list[Request] = []
        """that were revealed or voided"""
        self.strikers: frozenset[str] = frozenset()
        """the roles that may write a `strike`: none where event 0 has none"""
        self.latest: Request | None = None
        """the roll that can be taken back, as long as it can"""
        self.struck_by: set[str] = set()
        """who has written a `strike` for it"""
        self.taken_back: list[tuple[int, list[str], Request]] = []
        """number of the last `strike`, who agreed, the roll"""

    @property
    def keeper(self) -> str:
        return next(name for name, role in self.roles.items() if role == "keeper")

    def is_here(self, name: str) -> bool:
        """Whether a party has joined, and is neither away nor gone."""
        has_joined = name in self.joined or self.roles[name] == "keeper"
        return has_joined and name not in self.left and name not in self.away

    def contributors(self, roller: str) -> list[str]:
        """protocol.md, "Contributors of a roll"."""
        waiting = {name for name in self.admitted if name not in self.committed and name != roller}
        out = self.left | self.away | waiting
        return [name for name in self.roles if name not in out and self.may_contribute(name, roller)]

    def missed(self, roller: str) -> list[str]:
        """protocol.md, "Rolls without somebody": who would contribute, had nobody else signed it away, or
        contributes and has gone on by others' word.
        """
        waiting = {name for name in self.admitted if name not in self.committed and name != roller}
        signed_away = {name for name in self.by_another - self.left - waiting if self.may_contribute(name, roller)}
        missing = signed_away | (self.by_word & set(self.contributors(roller)))
        return [name for name in self.roles if name in missing]

    def may_contribute(self, name: str, roller: str) -> bool:
        if self.terms == "all":
            return self.roles[name] != "judge"
        if self.terms == "roller":
            return self.roles[name] in ("keeper", "witness") or name == roller
        return name in self.terms

    def somewhen_contributes(self, name: str) -> bool:
        """Whether some roll could have this contributor."""
        rollers = [roller for roller, role in self.roles.items() if role in self.system.rollers]
        return any(self.may_contribute(name, roller) for roller in rollers)

    def unknown(self, holder: str) -> list[Request]:
        """The secret rolls of a party whose secret is not known."""
        return [roll for roll in self.secret_rolls if roll.holder == holder and roll.secret is None]

    def can_take(self, author: str, body: dict[str, Any]) -> bool:
        """protocol.md, "A sealed request": whether its holder can take it."""
        holder = body["sealed"]
        unknown = self.unknown(holder)
        return (
            self.roles.get(holder) in self.holding
            and (holder == author or self.roles[holder] == "gm")
            and self.is_here(holder)
            and bool(self.unused.get(holder))
            and all(roll.revealed for roll in unknown)
            and len(unknown) < MAX_SEALED
            and ("hidden" not in body or holder == author)
        )

    def who_agrees(self) -> list[str]:
        """protocol.md, "Taking a roll back": who has to agree that the latest roll is taken back."""
        assert self.latest is not None
        return [
            name
            for name, role in self.roles.items()
            if role in self.strikers
            and name != self.keepers_judge
            and self.is_here(name)
            and (name not in self.consents or name == self.latest.author)
        ]

    def closer(self) -> str:
        """Of the roll that waits."""
        assert self.pending is not None
        if self.pending.author in self.pending.chains:
            return self.pending.author
        return [name for name in self.pending.chains if name != self.keeper][-1]

    def is_called(self, party: str) -> bool:
        """Whether everybody who has to has called this party away."""
        needed = [
            name
            for name in self.roles
            if name != party and self.somewhen_contributes(name) and self.is_here(name) and name not in self.consents
        ]
        called = self.calls.get(party, set())
        return set(needed) <= called and len(called) >= 2

    def everybody_has_joined(self) -> bool:
        """Whether every player and game master of event 0 has joined or left."""
        return all(
            name in self.left | self.joined | set(self.admitted)
            for name, role in self.roles.items()
            if role in ("player", "gm")
        )

    def settle_newcomers(self) -> None:
        """protocol.md, "Newcomers": those to whom everybody has consented are none any more."""
        for party in list(self.consents):
            asked = {
                name
                for name, role in self.roles.items()
                if role in ("player", "gm", "witness") and name in self.joined - self.left and name not in self.consents
            }
            if self.consents[party] and party not in self.left and asked <= self.consents[party]:
                del self.consents[party]

    def waiting(self) -> dict[str, Replacement]:
        """By party: the replacement that waits."""
        return {one.party: one for one in self.replacements if not one.ended and one.joined is None}

    def sender(self, party: str) -> str:
        """Who signed away a party that is away by somebody else's word."""
        return self.sent_away[party][-1][1]

    def end_waiting(self, party: str) -> None:
        """The party is back or has left, or another replacement of it has come."""
        if party in self.waiting():
            self.waiting()[party].ended = True

    def key_of(self, event: dict[str, Any]) -> bytes:
        """The key that an event of a party is verified with."""
        waiting = self.waiting()
        if event["type"] == "join" and event["author"] in waiting:
            return waiting[event["author"]].key
        return self.keys[event["author"]]

    def others(self, party: str) -> list[str]:
        """Who has to consent to a replacement of this party that has neither succession nor correction."""
        return [
            name
            for name, role in self.roles.items()
            if role in ("player", "gm", "witness")
            and name in self.joined - self.left - {party}
            and name not in self.consents
        ]

    def go_on(self, one: Replacement, number: int) -> None:
        """protocol.md, "A lost browser": a new key takes its place with its join."""
        one.joined = number
        if one.asks:
            one.word = self.others(one.party)
        if not one.by_recovery:
            self.by_word.add(one.party)
        self.old_keys.add(self.keys[one.party])
        self.keys[one.party] = one.key
        self.recovery.pop(one.party, None)
        self.chains.pop(one.party, None)
        if one.party in self.unused:
            self.unused[one.party] = []
        self.has_sealed.discard(one.party)

    def leads(self, name: str, index: int, link: bytes) -> bool:
        """Whether a link leads to the last known one of the party's chain."""
        chain = self.chains[name]
        for i in range(index, chain.known_index, -1):
            link = link_below(link, bytes.fromhex(self.id), name, i)
        return link == chain.known

    def without_dice(self) -> list[Request]:
        """The rolls that were voided, and the one that was left by a close."""
        return self.voided + ([self.left_alone] if self.left_alone is not None else [])

    def learn(self, name: str, index: int, link: bytes) -> None:
        """A link is known now, and with it all below it."""
        chain = self.chains[name]
        below = {index: link}
        for i in range(index, chain.known_index + 1, -1):
            below[i - 1] = link_below(below[i], bytes.fromhex(self.id), name, i)
        chain.known, chain.known_index = link, index
        for request in self.without_dice():
            if request.chains.get(name) is chain and request.numbers[name] in below:
                request.links[name] = below[request.numbers[name]]


def check_terms(body: dict[str, Any]) -> bool:  # noqa: C901
    """Step 10, protocol.md: "Terms are valid when"."""
    parsed = [parse_verifier_key(party["key"]) for party in body["parties"]]
    roles = [party["role"] for party in body["parties"]]
    valid = [key for key in parsed if not isinstance(key, str)]
    if len(valid) != len(parsed):
        return False
    names = [name for name, _ in valid]
    if len(set(names)) != len(names) or len({key for _, key in valid}) != len(valid):
        return False
    said = [party["called"] for party in body["parties"] if "called" in party]
    others = {name for party, name in zip(body["parties"], names, strict=True) if party.get("called") != name}
    if len(set(said)) != len(said) or set(said) & others:
        return False
    if roles.count("keeper") != 1 or roles.count("player") < 1 or not set(roles) <= KNOWN[body["system"]].roles:
        return False
    listed = body["contributors"]
    if isinstance(listed, list):
        in_order = [name for name in names if name in listed]
        if listed != in_order or names[roles.index("keeper")] not in listed or len(listed) < 2:
            return False
        if any(roles[names.index(name)] == "judge" for name in listed):
            return False
    admits = body.get("admits", [])
    if len(set(admits)) < len(admits) or not set(admits) <= KNOWN[body["system"]].late:
        return False
    if "host" in body:
        host = parse_verifier_key(body["host"])
        if "admits" not in body or isinstance(host, str) or host[1] == valid[roles.index("keeper")][1]:
            return False
    if "event" in body:
        organizers = [parse_verifier_key(key) for key in body["event"]["organizers"]]
        people = [key for key in organizers if not isinstance(key, str)]
        public = [key for _, key in people]
        if len(people) != len(organizers) or len({name for name, _ in people}) != len(people):
            return False
        if len(set(public)) != len(public) or valid[roles.index("keeper")][1] in public:
            return False
    if "judge" in body and dict(zip(names, roles, strict=True)).get(body["judge"]) != "judge":
        return False
    if "sealed" in body and not KNOWN[body["system"]].seals:
        raise Flaw(10, "open.terms", KNOWN[body["system"]].no_seals)
    return body.get("sealed") != "kept" or "gm" in roles + admits


def verify(  # noqa: C901
    data: bytes,
    game: str | None = None,
    keys: Sequence[str] = (),
    receipts: Sequence[tuple[int, str]] = (),
) -> Report:
    """verification.md, the whole procedure but for receipts that are forked. `game` and `keys` are what the caller
    knows, `receipts` size and root of checkpoints of this game that hold with the keeper's signature.
    """
    lines = split(data)
    state = Game()
    flaw: Flaw | None = None
    verdict = "holds"
    prefix = 0
    try:
        check_file(data, lines)
    except Flaw as caught:
        flaw, verdict = caught, "unreadable"
    else:
        for number in range(len(lines)):
            try:
                check_line(state, lines, number, game, keys)
            except Flaw as caught:
                flaw, verdict = caught, "fails"
                break
            prefix += 1
    findings = []
    offer = False
    if flaw is not None:
        alone = verdict == "fails" and rules_alone_refuse(state, lines, prefix, game, keys)
        if alone and prefix == len(lines) - 1 and not keeper_signed_over(lines, prefix, receipts):
            flaw, verdict, offer, lines = None, "holds", True, lines[:prefix]
        else:
            known = state.keys | {name: one.key for name, one in state.waiting().items() if is_join(lines[prefix])}
            fault = fault_of(flaw, lines, prefix, receipts, state.checks if alone else None, known)
            findings.append(Finding(flaw.code, "error", flaw.step, prefix, fault, flaw.clause))
    if flaw is None:
        for given in keys:  # of a game that admits others: what step 10 left
            wanted = parse_verifier_key(given)
            late = wanted[0] in state.admitted and wanted[0] not in state.joined
            if state.came_by.get(wanted[0]) != wanted[1] or late:
                findings.append(Finding("expect.key", "error", 10, None, "file", None))
                verdict = "fails"
                break
    for size, _ in receipts:
        if size > len(lines) and prefix:
            findings.append(Finding("receipt.short", "error", 26, None, "file", None))
            verdict = "fails"
    if prefix:
        if state.continues is not None:
            findings.append(notice("game.continues", 0))
        if flaw is None:
            findings += notices_of_the_end(state, lines, receipts)
            findings += [notice("log.offer", prefix)] if offer else []
        findings += notices_of_conduct(state)
    leaves = [leaf(line[:-1]) for line in lines[:prefix]]
    head = {"size": prefix, "leaf": leaves[-1].hex(), "root": root(leaves).hex()} if prefix else None
    shown = state.rules.state() if state.rules is not None and prefix else None
    if shown is not None and state.admits:
        shown["newcomers"] = [name for name in state.roles if name in state.consents]
    if shown is not None and state.holding:
        shown["sealed"] = {name: sealed_state(state, name) for name in state.roles if name in state.tags}
    if shown is not None and state.strikers:
        shown["strike"] = None
        if state.latest is not None and len(state.who_agrees()) >= 2:
            by = [name for name in state.roles if name in state.struck_by]
            missing = [name for name in state.who_agrees() if name not in by]
            shown["strike"] = {"roll": state.latest.seq, "by": by, "missing": missing}
    known_game = leaf(lines[0].rstrip(b"\n")).hex() if prefix else None
    told = trust(state) if prefix else ""
    if verdict == "fails" and prefix:
        told = f"This log does not hold. Up to event {prefix - 1}: {told}"
    voided = [would_have_shown(state, request) for request in state.without_dice()]
    events = 0 if verdict == "unreadable" else len(lines)  # what is no log is not read on
    return Report(verdict, known_game, events, prefix, head, findings, told, state.naturals, shown, voided)


def sealed_state(g: Game, name: str) -> dict[str, Any]:
    """rules.md, "State": `sealed` of one holder."""
    unknown = g.unknown(name)
    owes = [roll.seq for roll in unknown if not roll.revealed]
    unshown = [roll.seq for roll in unknown if roll.revealed]
    return {"unused": len(g.unused[name]), "unshown": unshown, "owes": owes[0] if owes else None}


def check_file(data: bytes, lines: list[bytes]) -> None:
    """Steps 1 to 3."""
    if not data:
        raise Flaw(1, "file.empty")
    first = lines[0].removesuffix(b"\n")
    try:
        value = plain_json(first) if len(first) <= MAX_LINE else None
    except Malformed:
        value = None
    body = value.get("body") if isinstance(value, dict) and value.get("type") == "open" else None
    form = body.get("format") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(form, str) or not form.startswith("rollproof/"):
        raise Flaw(1, "file.not-a-log")
    if form != FORMAT:
        raise Flaw(2, "file.version")
    system = body.get("system")
    if isinstance(system, str) and system not in SYSTEMS:
        raise Flaw(3, "file.system")


def rules_alone_refuse(g: Game, lines: list[bytes], number: int, game: str | None, keys: Sequence[str]) -> bool:
    """Whether a line that fails passes every check that a seat without rules makes (verification.md)."""
    if number == 0:
        return False
    before = copy.deepcopy(g)
    try:
        check_line(before, lines, number, game, keys, rules=False)
    except Flaw:
        return False
    return bool(read_event(lines[number][:-1])["author"] != g.keeper)


def check_line(  # noqa: C901
    g: Game, lines: list[bytes], number: int, game: str | None, keys: Sequence[str], rules: bool = True
) -> None:
    """Steps 4 to 23 for one line; changes `g` only where the line passes, but for the signature's reader.

    Without `rules` only the checks that a seat without rules makes, and nothing that comes of them.
    """
    line = lines[number]
    if not line.endswith(b"\n"):
        raise Flaw(4, "line.unterminated")
    line = line[:-1]
    if len(line) > MAX_LINE:
        raise Flaw(4, "line.too-long")
    try:
        event = read_event(line)
    except Malformed as error:
        raise Flaw(5, "line.malformed") from error
    if not is_canonical(line, event):
        raise Flaw(6, "line.not-canonical")
    if event["seq"] != number:
        raise Flaw(7, "chain.seq")
    if event["game"] != (g.id if number else ZEROS):
        raise Flaw(7, "chain.game")
    if event["prev"] != (leaf(lines[number - 1][:-1]).hex() if number else ZEROS):
        raise Flaw(7, "chain.prev")
    type_, body, author = event["type"], event["body"], event["author"]
    if type_ not in WRITERS:
        raise Flaw(8, "type.unknown")
    if not body_is_right(type_, body, rules, g.system):
        hides = type_ in REQUESTS and "sealed" in body and number
        raise Flaw(9, "body.malformed", g.system.no_seals if hides else None)
    if number == 0:
        if not check_terms(body):
            raise Flaw(10, "open.terms")
        if game is not None and leaf(line).hex() != game:
            raise Flaw(10, "expect.game")
        set_table(g, line, body)
        for given in keys:
            wanted = parse_verifier_key(given)
            assert not isinstance(wanted, str), wanted
            known = wanted[0] in g.keys or wanted[1] in g.keys.values()
            if g.keys.get(wanted[0]) != wanted[1] and (known or not g.admits):
                raise Flaw(10, "expect.key")
    elif type_ == "open":
        raise Flaw(10, "open.terms")
    if author not in g.roles:
        raise Flaw(11, "author.unknown")
    if not signature_fits(g.key_of(event), bytes.fromhex(event["sig"]), event_message(event)):
        raise Flaw(12, "signature.invalid")
    keepers_away = type_ == "away" and g.roles[author] == "keeper" and g.others_may
    writers = WRITERS[type_]
    if type_ in REQUESTS or type_ in ("seal", "show"):
        writers = g.system.rollers if type_ in REQUESTS else g.holding
    if type_ == "strike":
        writers = g.strikers
    if g.roles[author] not in writers and not keepers_away:
        raise Flaw(13, "author.role")
    if author == g.keepers_judge and type_ not in ("join", "void"):
        raise Flaw(13, "author.role")
    if event["time"] < g.last_time:
        raise Flaw(14, "time.backwards")
    check_state(g, number, author, type_, body, rules)
    if type_ == "commit":
        check_commit(g, author, body)
    if type_ in ("reveal", "void", "disclose") or (type_ == "close" and "openings" in body):
        check_openings(g, author, type_, body)
    if type_ == "object":
        check_objection(g, author, body["opening"])
    if "burned" in body and type_ in ("leave", "away"):
        check_burned(g, author, body)
    if type_ == "admit":
        check_admit(g, lines, number, body)
    if type_ == "replace":
        check_replace(g, body)
    if type_ == "seal":
        check_seal(g, author, body)
    if type_ == "show":
        check_show(g, author, body)
    if not rules:
        return
    sides = apply_rules(g, number, author, type_, body)
    change_state(g, number, leaf(line), event, sides)


def set_table(g: Game, line: bytes, body: dict[str, Any]) -> None:
    g.id = leaf(line).hex()
    g.terms = body["contributors"]
    g.others_may = "away" in body
    g.continues = body["continues"]["game"] if "continues" in body else None
    g.keepers_judge = body.get("judge")
    g.admits = body.get("admits", [])
    if "host" in body:
        host = parse_verifier_key(body["host"])
        assert not isinstance(host, str)
        g.host = host[1]
    if "event" in body:
        g.event = body["event"]["id"]
        organizers = [parse_verifier_key(key) for key in body["event"]["organizers"]]
        g.organizers = dict(key for key in organizers if not isinstance(key, str))
    for party in body["parties"]:
        parsed = parse_verifier_key(party["key"])
        assert not isinstance(parsed, str)
        g.roles[parsed[0]] = party["role"]
        g.keys[parsed[0]] = g.came_by[parsed[0]] = parsed[1]
        if "called" in party:
            g.called[parsed[0]] = party["called"]
    g.system = KNOWN[body["system"]]
    holding = {"kept": {"gm"}, "everyone": {"gm", "player"}}
    g.holding = frozenset(holding[body["sealed"]]) if "sealed" in body else frozenset()
    g.strikers = frozenset({"player", "gm", "judge"}) if "strike" in body else frozenset()
    g.rules = g.system.rules(body["options"], dict(g.roles), [g.keeper])


def check_state(  # noqa: C901
    g: Game, number: int, author: str, type_: str, body: dict[str, Any], rules: bool
) -> None:
    """Step 15."""
    if g.phase == "closed":
        raise Flaw(15, "state.closed")
    if g.phase == "pending" and type_ not in ("reveal", "void", "close"):
        raise Flaw(15, "state.pending")
    if g.phase == "voided" and type_ != "disclose":
        raise Flaw(15, "state.voided")
    if g.phase != "pending" and type_ in ("reveal", "void"):
        raise Flaw(15, "state.not-pending")
    if g.phase != "voided" and type_ == "disclose":
        raise Flaw(15, "state.not-voided")
    if type_ == "join" and author in g.waiting():
        others = g.others(author)
        one = g.waiting()[author]
        if one.asks and (len(others) < 2 or not set(others) <= one.consents):
            raise Flaw(15, "state.consent")
    elif type_ == "join":
        if author in g.joined:
            raise Flaw(15, "state.joined-twice")
        if author in g.left:
            raise Flaw(15, "state.left")
    elif g.roles[author] != "keeper":
        if author in g.left:
            raise Flaw(15, "state.left")
        if author not in g.joined:
            raise Flaw(15, "state.not-joined")
        if author in g.away and type_ not in ("back", "leave"):
            raise Flaw(15, "state.away")
    judges_nothing = g.roles[author] == "judge" and author in g.consents
    if judges_nothing and type_ != "join" and (type_, body.get("party")) != ("leave", author):
        raise Flaw(15, "state.newcomer")
    if type_ == "object" and (author not in g.denied or g.denied[author].seq != body["request"]):
        raise Flaw(15, "state.object")
    if type_ == "admit" and not g.everybody_has_joined():
        raise Flaw(15, "state.not-agreed")
    if type_ == "consent":
        asked = [party for party, (seq, _) in g.admitted.items() if seq == body["admit"]]
        waits = [one for one in g.waiting().values() if one.seq == body["admit"] and one.asks]
        if not waits and (not asked or asked[0] not in g.consents or asked[0] in g.left):
            raise Flaw(15, "state.consent")
        if author in g.consents or author in (waits[0].consents if waits else g.consents[asked[0]]):
            raise Flaw(15, "state.consent")
    if type_ == "replace":
        if not g.everybody_has_joined():
            raise Flaw(15, "state.not-agreed")
        parsed = parse_verifier_key(body["key"])
        if isinstance(parsed, str) or parsed[0] not in g.away:
            raise Flaw(15, "state.replace")
        if "succession" not in body and parsed[0] not in g.by_another:
            raise Flaw(15, "state.replace")
        if "correction" in body and (parsed[0] not in g.by_another or g.roles[g.sender(parsed[0])] != "judge"):
            raise Flaw(15, "state.replace")
    if type_ == "strike":
        if g.latest is None or g.latest.seq != body["roll"]:
            raise Flaw(15, "state.strike")
        agree = g.who_agrees()
        if author not in agree or author in g.struck_by or len(agree) < 2:
            raise Flaw(15, "state.strike")
    if type_ == "show":
        about = [roll for roll in g.unknown(author) if roll.seq == body["request"]]
        if not about or about[0].revealed != ("naturals" in body):
            raise Flaw(15, "state.show")
        if not ("salt" in body) == ("text" in body) == (about[0].hidden is not None):
            raise Flaw(15, "state.show")
    own_or_judge = body.get("party") == author or g.roles[author] == "judge"
    if type_ == "leave":
        party = body["party"]
        known = party in g.roles and g.roles[party] != "keeper" and party not in g.left
        if not known or not own_or_judge:
            raise Flaw(15, "state.leave")
    if type_ == "away":
        party = body["party"]
        if g.roles.get(party) not in ("player", "gm", "witness") or not g.is_here(party):
            raise Flaw(15, "state.presence")
        calls = g.others_may and g.somewhen_contributes(author) and author not in g.calls.get(party, set())
        calls = calls and author not in g.consents
        if not own_or_judge and not calls:
            raise Flaw(15, "state.presence")
    if type_ == "back" and (body["party"] not in g.away or not own_or_judge):
        raise Flaw(15, "state.presence")
    if type_ == "back" and "accept" in body and (body["party"] != author or author in g.by_word):
        raise Flaw(15, "state.presence")
    if type_ in REQUESTS:
        check_request(g, author, type_, body, rules)
    if type_ == "void" and author != g.closer() and g.roles[author] != "judge":
        raise Flaw(15, "state.void")
    if type_ == "close" and ("openings" in body) != (g.phase == "pending"):
        raise Flaw(15, "state.close")
    if type_ == "ruling":
        if not 0 <= body["subject"] < number:
            raise Flaw(15, "ruling.subject")
        if ("party" in body) != (body["ruling"] == "penalty"):
            raise Flaw(15, "ruling.form")
        if "results" in body and body["ruling"] != "correct":
            raise Flaw(15, "ruling.form")
        named = [entry["die"] for entry in body.get("results", [])]
        if len(set(named)) < len(named):
            raise Flaw(15, "ruling.form")
        if "party" in body and body["party"] not in g.roles:
            raise Flaw(15, "ruling.form")


def check_request(g: Game, author: str, type_: str, body: dict[str, Any], rules: bool) -> None:
    """The rows of step 15 that are about requests."""
    if not g.everybody_has_joined():
        raise Flaw(15, "state.not-agreed", g.system.agreement)
    assert g.rules is not None
    try:
        owed = g.rules.owes.get(author)
        sealed = owed is not None and is_sealed(g.system, owed["type"], owed["body"])
        if rules and not (sealed and owed is not None and not g.can_take(author, owed["body"])):
            g.rules.check_owed(author, type_, body)
    except reference_rules.Violation as violation:
        raise Flaw(15, violation.code) from violation
    if is_sealed(g.system, type_, body) and not g.can_take(author, body):
        raise Flaw(15, "state.sealed")
    contributors = g.contributors(author)
    if len(contributors) < 2:
        raise Flaw(15, "state.contributors")
    for name in contributors:
        # The last link is kept for the commit that replaces the chain.
        if name not in g.chains or g.chains[name].used + 1 >= g.chains[name].length:
            raise Flaw(15, "state.not-committed")


def check_commit(g: Game, author: str, body: dict[str, Any]) -> None:
    """Step 16, of a commit."""
    if not g.somewhen_contributes(author):
        raise Flaw(16, "commit.not-contributor")
    if body["tip"] in g.tips:
        raise Flaw(16, "commit.tip-reused")
    if ("link" in body) != (author in g.chains):
        raise Flaw(16, "commit.link")
    if "link" in body and not g.leads(author, g.chains[author].used + 1, bytes.fromhex(body["link"])):
        raise Flaw(16, "commit.link")


def seal_tag(game: str, holder: str, number: int, secret: bytes) -> str:
    """protocol.md, "Tags"."""
    return sha256(SEAL_LABEL + bytes.fromhex(game) + lp(holder) + u64(number) + secret).hex()


def hidden_of(game: str, author: str, salt: bytes, text: str) -> str:
    """protocol.md, "A sealed request"."""
    return sha256(HIDDEN_LABEL + bytes.fromhex(game) + lp(author) + salt + text.encode("utf-8")).hex()


def secret_naturals(game: str, roll: Request, secret: bytes) -> list[int]:
    """dice.md, "The seed of a secret roll"."""
    assert roll.holder is not None
    links = b"".join(lp(name) + roll.links[name] for name in roll.chains)
    message = SEALED_SEED_LABEL + u64(roll.index) + lp(roll.holder) + u64(roll.number) + secret + links
    return naturals_of(mac(bytes.fromhex(game), message), roll.sides)


def check_seal(g: Game, author: str, body: dict[str, Any]) -> None:
    """Step 16, of a seal."""
    if len(g.unused.get(author, [])) + len(body["tags"]) - 1 > MAX_SEALED:
        raise Flaw(16, "seal.tags")
    before = g.tags.get(author, [])
    if (author in g.has_sealed) != ("secret" in body):
        raise Flaw(16, "seal.secret")
    if "secret" in body and seal_tag(g.id, author, len(before), bytes.fromhex(body["secret"])) != before[-1]:
        raise Flaw(16, "seal.secret")


def check_show(g: Game, author: str, body: dict[str, Any]) -> None:
    """Steps 21 and 22, of a show."""
    roll = next(roll for roll in g.unknown(author) if roll.seq == body["request"])
    secret = bytes.fromhex(body["secret"])
    if seal_tag(g.id, author, roll.number, secret) != roll.tag:
        raise Flaw(21, "show.secret")
    if "salt" in body and hidden_of(g.id, author, bytes.fromhex(body["salt"]), body["text"]) != roll.hidden:
        raise Flaw(21, "show.text")
    if roll.revealed and secret_naturals(g.id, roll, secret) != body["naturals"]:
        raise Flaw(22, "show.naturals")


def check_admit(g: Game, lines: list[bytes], number: int, body: dict[str, Any]) -> None:
    """Step 16, of an admit."""
    if body["role"] not in g.admits:
        raise Flaw(16, "admit.role")
    parsed = parse_verifier_key(body["key"])
    if isinstance(parsed, str) or len(g.roles) >= MAX_PARTIES:
        raise Flaw(16, "admit.party")
    name, key = parsed
    wanted = {one.key for one in g.waiting().values()}
    if key in {*g.keys.values(), *g.old_keys, *wanted} or skeleton(name) in map(skeleton, g.roles):
        raise Flaw(16, "admit.party")
    called = body.get("called")
    if name in g.called.values() or (called is not None and called in {*g.roles, *g.called.values()}):
        raise Flaw(16, "admit.party")
    if "word" in body:
        head, sig = body["word"]["head"], body["word"]["sig"]
        recent = [leaf(line[:-1]).hex() for line in lines[max(0, number - MAX_WORD) : number]]
        if g.host is None or head not in recent:
            raise Flaw(16, "admit.word")
        message = admission_message(g.id, head, body["key"], body["role"])
        if not signature_fits(g.host, bytes.fromhex(sig), message):
            raise Flaw(16, "admit.word")
    if "appointment" in body:
        act = body["appointment"]["act"]
        right = body["role"] == "judge" and act["role"] in ("head", "judge") and act["key"] == body["key"]
        if not right or not act_holds(g, "appoint", body["appointment"]):
            raise Flaw(16, "admit.appointment")


def check_replace(g: Game, body: dict[str, Any]) -> None:
    """Step 16, of a replace."""
    parsed = parse_verifier_key(body["key"])
    assert not isinstance(parsed, str)
    name, key = parsed
    wanted = {one.key for one in g.waiting().values() if one.party != name}
    if key in {*g.keys.values(), *g.old_keys, *wanted}:
        raise Flaw(16, "replace.key")
    if "succession" in body:
        succession = body["succession"]
        right = (
            succession["key"] == verifier_key(name, g.keys[name])
            and succession["new"] == body["key"]
            and succession["recovery"] == g.recovery.get(name)
            and succession_holds(succession)
        )
        if not right:
            raise Flaw(16, "replace.succession")
    if "correction" in body:
        act = body["correction"]["act"]
        right = "succession" not in body and act["key"] == body["key"] and name == f"p{act['number']}"
        if not right or not act_holds(g, "correct-key", body["correction"]):
            raise Flaw(16, "replace.correction")


def act_message(event: str, type_: str, signed: dict[str, Any]) -> bytes:
    """event.md, "Lines": what the signature of an act is over."""
    members = {member: signed[member] for member in ("act", "at", "by", "upon")}
    return ACT_LABEL + canonical({**members, "event": event, "type": type_})


def act_holds(g: Game, type_: str, signed: dict[str, Any]) -> bool:
    """protocol.md, "The event's word": whether an organizer of this table's event signed it."""
    if signed["by"] not in g.organizers:
        return False
    message = act_message(g.event, type_, signed)
    return signature_fits(g.organizers[signed["by"]], bytes.fromhex(signed["sig"]), message)


def named_message(key: str, recovery: str) -> bytes:
    """profile.md, "The recovery key": what a profile's key signs to name it."""
    return RECOVERY_LABEL + canonical({"format": "rollproof/recovery/v1", "key": key, "recovery": recovery})


def succession_message(succession: dict[str, Any]) -> bytes:
    """What the recovery key and the new key sign of a succession."""
    return SUCCESSION_LABEL + canonical(
        {member: succession[member] for member in ("format", "key", "new", "recovery", "time")}
    )


def succession_holds(succession: dict[str, Any]) -> bool:
    """profile.md, "The succession": whether one of the right form holds."""
    old, new = parse_verifier_key(succession["key"]), parse_verifier_key(succession["new"])
    recovery = bytes.fromhex(succession["recovery"])
    if isinstance(old, str) or isinstance(new, str) or old[0] != new[0] or old[1] == new[1]:
        return False
    if recovery in (old[1], new[1]) or is_small_order(recovery):
        return False
    named, message = named_message(succession["key"], succession["recovery"]), succession_message(succession)
    return (
        signature_fits(old[1], bytes.fromhex(succession["named"]), named)
        and signature_fits(recovery, bytes.fromhex(succession["sig"]), message)
        and signature_fits(new[1], bytes.fromhex(succession["new_sig"]), message)
    )


def admission_message(game: str, head: str, key: str, role: str) -> bytes:
    said = {"format": "rollproof/admit/v1", "game": game, "head": head, "key": key, "role": role}
    return ADMIT_LABEL + canonical(said)


def skeleton(name: str) -> str:
    """What names that look alike have in common (verification.md)."""
    for shown, as_ in [*((c, "") for c in "._-"), ("rn", "m"), ("vv", "w"), *zip("01i25", "ollzs", strict=True)]:
        name = name.replace(shown, as_)
    return name


def check_burned(g: Game, author: str, body: dict[str, Any]) -> None:
    """Step 16, of a leave or away."""
    chain = g.chains.get(author)
    if body["party"] != author or chain is None or chain.known_index >= chain.used:
        raise Flaw(16, "burned.link")
    if not g.leads(author, chain.used, bytes.fromhex(body["burned"])):
        raise Flaw(16, "burned.link")


def check_objection(g: Game, author: str, opening: dict[str, Any]) -> None:
    """Steps 17 to 20, of an object."""
    request, chain = g.denied[author], g.chains[author]
    index, link = opening["index"], bytes.fromhex(opening["link"])
    if opening["author"] != author:
        raise Flaw(17, "opening.set")
    message = opening_message(bytes.fromhex(g.id), request.leaf, author, index, link)
    if not signature_fits(g.keys[author], bytes.fromhex(opening["sig"]), message):
        raise Flaw(18, "opening.signature")
    if index != request.numbers[author]:
        raise Flaw(19, "opening.index", fault=author)
    if index > chain.known_index:
        right = g.leads(author, index, link)
    else:
        below = chain.known
        for i in range(chain.known_index, index, -1):
            below = link_below(below, bytes.fromhex(g.id), author, i)
        right = below == link
    if not right:
        raise Flaw(20, "opening.link", fault=author)


def check_openings(g: Game, author: str, type_: str, body: dict[str, Any]) -> None:  # noqa: C901
    """Steps 17 to 22."""
    request = g.pending
    assert request is not None
    contributors = list(request.chains)
    if type_ != "close" and body["roll_index"] != request.index:
        raise Flaw(17, "roll.index")
    if type_ == "void":
        if body["missing"] != [name for name in contributors if name in body["missing"]]:
            raise Flaw(21, "void.missing")
        if ("secret" in body) != (request.holder == author):
            raise Flaw(21, "void.secret")
        if "secret" in body and seal_tag(g.id, author, request.number, bytes.fromhex(body["secret"])) != request.tag:
            raise Flaw(21, "void.secret")
        return
    openings = body["openings"]
    authors = [opening["author"] for opening in openings]
    if authors != [name for name in contributors if name in authors or type_ == "reveal" or name == g.keeper]:
        raise Flaw(17, "opening.set")
    game = bytes.fromhex(g.id)
    for opening in openings:
        name, index, link = opening["author"], opening["index"], bytes.fromhex(opening["link"])
        message = opening_message(game, request.leaf, name, index, link)
        if not signature_fits(g.keys[name], bytes.fromhex(opening["sig"]), message):
            raise Flaw(18, "opening.signature")
    for opening in openings:
        if opening["index"] != request.numbers[opening["author"]]:
            raise Flaw(19, "opening.index", fault=opening["author"])
    for opening in openings:
        if not g.leads(opening["author"], opening["index"], bytes.fromhex(opening["link"])):
            raise Flaw(20, "opening.link", fault=opening["author"])
    if type_ == "reveal":
        links = [(opening["author"], bytes.fromhex(opening["link"])) for opening in openings]
        seed = make_seed(game, request.index, links)
        if request.holder is not None and body["naturals"] + body["sides"]:
            raise Flaw(22, "reveal.naturals")
        if len(body["naturals"]) != len(body["sides"]) or body["naturals"] != naturals_of(seed, body["sides"]):
            raise Flaw(22, "reveal.naturals")


def apply_rules(g: Game, number: int, author: str, type_: str, body: dict[str, Any]) -> list[int]:  # noqa: C901
    """Step 23; gives the sides of the dice that a request draws first."""
    rules = g.rules
    assert rules is not None
    try:
        if type_ in REQUESTS:
            sides = list(rules.request(number, author, type_, body))
            rules.requested(number, author, type_, body)
            return sides
        if type_ == "reveal":
            assert g.pending is not None
            if g.pending.holder is None and body["sides"] != rules.all_dice(g.pending.sides, body["naturals"]):
                raise Flaw(23, "reveal.sides")
            rules.reveal(list(body["naturals"]))
        elif type_ == "void":
            rules.voided()
            rules.phase = "voided"
        elif type_ == "disclose":
            rules.phase = "idle"
        elif type_ in SYSTEM_TYPES:
            rules.act(number, author, type_, body)
        elif type_ == "join":
            rules.join(author)
        elif type_ == "leave":
            owed = rules.owes.get(body["party"])
            rules.departed(body["party"])  # which ends what it owed
            if owed is not None:
                g.left_owing.append((number, body["party"], owed["seq"]))
        elif type_ == "ruling":
            if body["subject"] in [one["seq"] for one in rules.owes.values()]:
                g.released.add(number)
            rules.ruling(number, author, body)
            rules.ruled(body)
        elif type_ == "strike":
            if set(g.who_agrees()) <= g.struck_by | {author}:
                told = list(rules.rulings)
                rules.ruling(number, author, {"ruling": "void", "subject": body["roll"], "text": "taken back"})
                rules.rulings = told  # it is no ruling
        elif type_ == "show" and "naturals" in body and isinstance(rules, reference_dice.Dice):
            rules.show(body["request"], list(body["naturals"]))
        elif type_ == "close":
            rules.close()
    except reference_rules.Violation as violation:
        raise Flaw(23, "rules.violation", violation.clause) from violation
    return []


def change_state(g: Game, number: int, hash_: bytes, event: dict[str, Any], sides: list[int]) -> None:  # noqa: C901
    """What a line that passed changes."""
    type_, body, author = event["type"], event["body"], event["author"]
    if type_ == "strike":
        assert g.latest is not None
        g.struck_by.add(author)
        agree = g.who_agrees()
        if set(agree) <= g.struck_by:
            g.taken_back.append((number, agree, g.latest))
            del g.standing[g.latest.seq]
            g.latest = None
    elif type_ == "reveal":
        assert g.pending is not None
        if g.pending.type == "roll":
            g.standing[g.pending.seq] = "roll"
        can_be = g.strikers and g.pending.holder is None and g.pending.type == "roll"
        g.latest, g.struck_by = g.pending if can_be else None, set()
    elif type_ not in ("join", "commit", "seal", "object"):
        g.latest = None
    g.last_time = event["time"]
    g.calls.pop(author, None)
    if type_ == "object":
        g.objections.setdefault(author, []).append(number)
        opening = body["opening"]
        if opening["index"] > g.chains[author].known_index:
            g.learn(author, opening["index"], bytes.fromhex(opening["link"]))
    if type_ != "back":
        g.denied.pop(author, None)
    if type_ == "void" and author == g.keepers_judge:
        assert g.pending is not None
        g.denied |= dict.fromkeys(body["missing"], g.pending)
    if type_ == "close":
        g.left_alone = g.pending
    for opening in body["openings"] if type_ in ("reveal", "disclose", "close") and "openings" in body else []:
        g.learn(opening["author"], opening["index"], bytes.fromhex(opening["link"]))
    if type_ in ("leave", "away") and "burned" in body:
        g.learn(author, g.chains[author].used, bytes.fromhex(body["burned"]))
    if type_ == "open":
        g.phase = "idle"
    elif type_ == "join":
        if author in g.waiting():
            g.go_on(g.waiting()[author], number)
        g.joined.add(author)
        g.checks.discard(author)
        if "checks" in body:
            g.checks.add(author)
        if "recovery" in body:
            g.recovery[author] = body["recovery"]
    elif type_ == "commit":
        if author in g.chains:
            g.learn(author, g.chains[author].used + 1, bytes.fromhex(body["link"]))
        g.chains[author] = Chain(body["length"], bytes.fromhex(body["tip"]))
        g.tips.add(body["tip"])
        g.committed.add(author)
    elif type_ in REQUESTS:
        chains = {name: g.chains[name] for name in g.contributors(author)}
        numbers = {name: chain.used + 1 for name, chain in chains.items()}
        g.pending = Request(number, hash_, g.requests, author, sides, chains, numbers)
        g.pending.without, g.pending.type = g.missed(author), type_
        if is_sealed(g.system, type_, body):
            g.pending.holder, g.pending.sides, g.pending.hidden = body["sealed"], body["sides"], body.get("hidden")
            g.pending.number = g.unused[body["sealed"]].pop(0)
            g.pending.tag = g.tags[body["sealed"]][g.pending.number - 1]
        for chain in chains.values():
            chain.used += 1
        g.requests += 1
        g.phase = "pending"
    elif type_ in ("reveal", "void"):
        assert g.pending is not None
        if type_ == "void":
            g.voids.append(Voided(number, author, g.closer(), body["missing"]))
            g.voided.append(g.pending)
            g.phase = "voided"
            if g.pending.holder is not None:
                g.secret_rolls.append(g.pending)
            if "secret" in body:
                g.pending.secret = bytes.fromhex(body["secret"])
        else:
            g.naturals[g.pending.seq] = body["naturals"]
            revealed_with(g, list(g.pending.chains))
            g.without += [(g.pending.seq, name) for name in g.pending.without]
            if g.pending.holder is not None:
                g.pending.revealed = True
                g.pending.links = {each["author"]: bytes.fromhex(each["link"]) for each in body["openings"]}
                g.secret_rolls.append(g.pending)
            g.pending = None
            g.phase = "idle"
    elif type_ == "disclose":
        g.voids[-1].opened = g.voids[-1].author in [opening["author"] for opening in body["openings"]]
        g.pending = None
        g.phase = "idle"
    elif type_ == "leave":
        go(g, g.left, body["party"])
        if body["party"] != author:
            g.removed.append((number, author, body["party"]))
        g.end_waiting(body["party"])
        g.settle_newcomers()
    elif type_ == "admit":
        parsed = parse_verifier_key(body["key"])
        assert not isinstance(parsed, str)
        g.roles[parsed[0]] = body["role"]
        g.keys[parsed[0]] = g.came_by[parsed[0]] = parsed[1]
        if g.rules is not None:
            g.rules.parties[parsed[0]] = body["role"]
        if "called" in body:
            g.called[parsed[0]] = body["called"]
        g.admitted[parsed[0]] = number, "word" in body
        if "appointment" in body:
            g.appointed[parsed[0]] = body["appointment"]["by"]
        else:
            g.consents[parsed[0]] = set()
    elif type_ == "consent":
        waits = [one for one in g.waiting().values() if one.seq == body["admit"]]
        if waits:
            waits[0].consents.add(author)
        else:
            next(g.consents[name] for name, (seq, _) in g.admitted.items() if seq == body["admit"]).add(author)
        g.settle_newcomers()
    elif type_ == "replace":
        parsed = parse_verifier_key(body["key"])
        assert not isinstance(parsed, str)
        g.end_waiting(parsed[0])
        one = Replacement(number, *parsed, "succession" in body, "correction" in body)
        if one.by_event:
            one.word = [body["correction"]["by"], g.sender(parsed[0])]
        g.replacements.append(one)
    elif type_ == "seal":
        first = len(g.tags.setdefault(author, [])) + 1
        g.tags[author] += body["tags"]
        g.has_sealed.add(author)
        g.unused.setdefault(author, []).extend(range(first, first + len(body["tags"]) - 1))
    elif type_ == "show":
        next(roll for roll in g.unknown(author) if roll.seq == body["request"]).secret = bytes.fromhex(body["secret"])
    elif type_ == "away":
        g.calls.setdefault(body["party"], set()).add(author)
        if body["party"] == author or g.roles[author] == "judge" or g.is_called(body["party"]):
            go(g, g.away, body["party"])
            if body["party"] != author:
                g.by_another.add(body["party"])
                g.sent_away.setdefault(body["party"], []).append((number, author))
    elif type_ == "back":
        g.away.discard(body["party"])
        g.by_another.discard(body["party"])
        g.end_waiting(body["party"])
        if "accept" in body:
            g.accepts[author] = number
    elif type_ == "declare":
        g.standing[number] = type_
    elif type_ == "ruling":
        subject = g.standing.get(body["subject"])
        if body["ruling"] == "void" and (subject or number in g.released):
            g.struck.setdefault(author, []).append(number)
            g.standing.pop(body["subject"], None)
        if body["ruling"] == "correct" and subject == "roll" and body.get("results"):
            g.corrected.setdefault(author, []).append(number)
    elif type_ == "close":
        g.pending = None
        g.phase = "closed"
    if g.rules is not None:
        g.rules.away = set(g.away)


def revealed_with(g: Game, names: list[str]) -> None:
    known = [entry for entry, _ in g.sets]
    if names not in known:
        g.sets.append((names, 1))
    else:
        at = known.index(names)
        g.sets[at] = (names, g.sets[at][1] + 1)


def go(g: Game, where: set[str], party: str) -> None:
    """Who leaves is not away any more; who is not here any more is waited for in no call, so all calls begin anew."""
    g.away.discard(party)
    g.by_another.discard(party)
    where.add(party)
    g.calls.clear()


def notice(code: str, seq: int | None, fault: str | None = None) -> Finding:
    return Finding(code, "notice", 24, seq, fault)


def notices_of_the_end(g: Game, lines: list[bytes], receipts: Sequence[tuple[int, str]]) -> list[Finding]:
    """Step 24, what only a log has in which every line holds."""
    found = []
    if g.phase != "closed":
        found.append(notice("log.unfinished", None))
    if g.phase == "pending":
        assert g.pending is not None
        found.append(notice("log.pending", g.pending.seq))
    if g.phase == "voided":
        found.append(notice("log.undisclosed", g.voids[-1].seq))
    authors = [read_event(line[:-1])["author"] for line in lines]
    last = max(number for number, author in enumerate(authors) if author == g.keeper)
    taken = max([last + 1, *(size for size, top in receipts if root_of_lines(lines, size) == top)])
    if taken < len(lines):
        found.append(notice("log.unsealed", taken))
    return found


def notices_of_conduct(g: Game) -> list[Finding]:
    """Step 24, what every valid prefix has; by number, then in party order."""
    hidden: dict[str, int] = {}
    for request in g.without_dice():
        # Of a roll that is not disclosed yet nothing is said.
        for name in request.chains if request is not g.pending else ():
            if name not in request.links:
                hidden.setdefault(name, request.seq)
    found = [notice("roll.left", g.left_alone.seq)] if g.left_alone is not None else []
    found += [notice("roll.voids", voids[0].seq) for voids in by_author(g.voids).values()]
    opened = by_author([void for void in g.voids if void.opened])
    found += [notice("void.opened", voids[0].seq, author) for author, voids in opened.items()]
    found += [notice("void.objected", seqs[0]) for seqs in g.objections.values()]
    found += [notice("roll.hidden", seq) for seq in sorted(hidden.values())]
    unknown = [g.unknown(name)[0].seq for name in g.tags if g.unknown(name)]
    found += [notice("roll.unshown", seq) for seq in sorted(unknown)]
    found += [notice("roll.struck", seqs[0]) for seqs in g.struck.values()]
    found += [notice("roll.taken-back", seq) for seq, _, _ in g.taken_back]
    found += [notice("roll.corrected", seqs[0]) for seqs in g.corrected.values()]
    found += [notice("party.admitted", seq) for seq, _ in g.admitted.values()]
    found += [notice("party.replaced", joined) for joined, _ in went_on(g)]
    found += [notice("party.removed", seq) for seq, _, _ in g.removed]
    found += [notice("roll.owed", seq) for seq, _, _ in g.left_owing]
    found += [notice("party.away", times[0][0]) for times in g.sent_away.values()]
    found += [notice("roll.without", requests[0]) for requests in made_without(g).values()]
    return found


def went_on(g: Game) -> list[tuple[int, Replacement]]:
    """The replacements whose new key took its place, in the order of the joins, with their numbers."""
    return sorted(((one.joined, one) for one in g.replacements if one.joined is not None), key=lambda pair: pair[0])


def made_without(g: Game) -> dict[str, list[int]]:
    """By party, in the order of the first: the requests of the rolls that it had no part in."""
    found: dict[str, list[int]] = {}
    for request, name in g.without:
        found.setdefault(name, []).append(request)
    return found


def by_author(voids: list[Voided]) -> dict[str, list[Voided]]:
    """In the order of the first of each."""
    found: dict[str, list[Voided]] = {}
    for void in voids:
        found.setdefault(void.author, []).append(void)
    return found


def would_have_shown(g: Game, request: Request) -> dict[str, Any]:
    """dice.md, "Voided rolls"; no dice in vectors depend on dice."""
    entry: dict[str, Any] = {"seq": request.seq, "sides": None, "naturals": None}
    if len(request.links) == len(request.chains) and request.holder is not None:
        if request.secret is not None:
            entry |= {"sides": request.sides, "naturals": secret_naturals(g.id, request, request.secret)}
    elif len(request.links) == len(request.chains):
        seed = make_seed(bytes.fromhex(g.id), request.index, [(name, request.links[name]) for name in request.chains])
        entry |= {"sides": request.sides, "naturals": naturals_of(seed, request.sides)}
    return entry


def together(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


def rolls(number: int) -> str:
    return "1 roll" if number == 1 else f"{number} rolls"


def trust(g: Game) -> str:
    """Step 25: verification.md, "The trust statement"."""
    said = whose_dice(g) + called_off(g)
    for party, seqs in g.objections.items():
        how_often = f"({len(seqs)}×, first in event {seqs[0]})"
        said.append(f"{party} shows openings that {g.keepers_judge} called missing {how_often}.")
    said += who_came_and_went(g)
    said += [f"The judge {judge} set results of dice ({len(seqs)}×)." for judge, seqs in g.corrected.items()]
    said += [f"The judge {judge} ruled rolls void ({len(seqs)}×)." for judge, seqs in g.struck.items()]
    for agreed in dict.fromkeys(tuple(names) for _, names, _ in g.taken_back):
        seqs = [seq for seq, names, _ in g.taken_back if tuple(names) == agreed]
        what = f"{together(agreed)} together took back {rolls(len(seqs))} after their dice were shown"
        said.append(f"{what} (first in event {seqs[0]}).")
    for holder, asked in dict.fromkeys((roll.holder, roll.author) for roll in g.secret_rolls if roll.revealed):
        held = [roll for roll in g.secret_rolls if (roll.holder, roll.author) == (holder, asked) and roll.revealed]
        showed, count = len([roll for roll in held if roll.secret is not None]), rolls(len(held))
        if asked == holder:
            said.append(f"{holder} rolled {count} in secret and showed {showed}: {holder} alone chose which.")
        else:
            said.append(
                f"{asked} asked for {count} blind, which {holder} alone saw; {holder} showed {showed} and alone chose "
                f"which."
            )
    if g.left_alone is not None:
        roller = g.left_alone.author
        said.append(f"{g.keeper}, who could have known its dice, closed the game before the roll of {roller} had any.")
    if g.continues is not None:
        said.append(f"This game goes on from game {g.continues[:12]}: look at that log too.")
    return " ".join(said)


def who_came_and_went(g: Game) -> list[str]:
    """The third part."""
    said: list[str] = []
    for party, (seq, by_host) in g.admitted.items():
        if party in g.appointed:
            who = f"{g.appointed[party]}, an organizer of the event"
            said.append(f"{party} came later, appointed by {who} (event {seq}).")
        elif by_host:
            said.append(f"{party} came later, by the host's word (event {seq}).")
        else:
            said.append(f"{g.keeper} let {party} in later, alone (event {seq}): {party} may be {g.keeper}'s own hand.")
    for joined, one in went_on(g):
        if one.by_recovery:
            said.append(f"{one.party} goes on under a new key, by {one.party}'s recovery key (event {joined}).")
        else:
            new = f"{one.party} goes on under a new key, by the word of {together(one.word)} (event {joined})"
            said.append(f"{new}: {one.party} may be somebody else now.")
    said += [f"{author} took {party} out of the game (event {seq})." for seq, author, party in g.removed]
    for party, times in g.sent_away.items():
        (first, _), (_, last_author) = times[0], times[-1]
        said.append(f"{last_author} signed {party} away ({len(times)}×, first in event {first}).")
    for party, requests in made_without(g).items():
        accepted = sum(request < g.accepts.get(party, -1) for request in requests)
        made = f"Made without {party}, whom somebody else had signed away: {rolls(len(requests))}"
        said.append(f"{made}; {party} has accepted {accepted}.")
    return said


def whose_dice(g: Game) -> list[str]:
    """The first part."""
    sets = list(g.sets)
    if not sets:
        rollers = [name for name, role in g.roles.items() if role in g.system.rollers and name not in g.left]
        if not rollers:
            return ["No dice were rolled, and no player is left to roll any."]
        for roller in rollers:
            if (g.contributors(roller), 0) not in sets:
                sets.append((g.contributors(roller), 0))
    said = []
    for names, number in sets:
        who = together(names)
        if len(sets) == 1:
            said.append(f"Nobody could choose or predict these dice unless ALL of {who} worked together.")
        else:
            said.append(
                f"Dice of {rolls(number)}: nobody could choose or predict them unless ALL of {who} worked together."
            )
        out = [name for name, role in g.roles.items() if role in ("player", "gm", "witness") and name not in names]
        if out:
            said.append(f"{together(out)} had no part in these dice: {who} together could have chosen them.")
    return said


def called_off(g: Game) -> list[str]:
    """The second part."""
    said = []
    if g.keepers_judge is not None:
        hand = f"{g.keeper} runs the judge {g.keepers_judge} too"
        said.append(f"{hand}, and could have a roll called off whose dice it knew.")
    if not g.voids:
        return said
    each = []
    for author, voids in by_author(g.voids).items():
        closers: list[str] = []
        for void in voids:
            if void.closer in void.missing and void.closer not in closers:
                closers.append(void.closer)
        if author == g.keepers_judge:
            who = f"{g.keeper}, who runs {author},"
        elif g.roles[author] == "judge" and closers:
            who = f"{g.keeper} with {author}, or with {together(closers)},"
        else:
            who = f"{g.keeper} and {author} together"
        each.append(f"{len(voids)} by {author} ({who} could have known the dice first)")
    said.append(f"Called off before the dice were shown: {rolls(len(g.voids))}, {'; '.join(each)}.")
    for author, voids in by_author([void for void in g.voids if void.opened]).items():
        said.append(
            f"{author} opened for {rolls(len(voids))} that {author} voided: both are signed with {author}'s key, and "
            "who closes a roll does not do both."
        )
    return said


def fault_of(
    flaw: Flaw,
    lines: list[bytes],
    k: int,
    receipts: Sequence[tuple[int, str]],
    checks: set[str] | None,
    known: dict[str, bytes],
) -> str:
    """verification.md, "Fault". `checks`: where the rules alone refuse the line, who said that it knows them; `known`:
    the keys of the parties at line k.
    """
    if flaw.step <= 4 or flaw.step == 7 or flaw.code.startswith("expect."):
        return "file"
    if flaw.fault is not None:
        return flaw.fault
    keys, keeper = parties_for_fault(lines[0])
    event = canonical_event(lines[k])
    seen = checks is None or (event is not None and event["author"] in checks)
    if seen and event is not None and vouched(event, known if k else keys):
        return str(event["author"])
    return keeper if keeper is not None and keeper_signed_over(lines, k, receipts) else "file"


def keeper_signed_over(lines: list[bytes], k: int, receipts: Sequence[tuple[int, str]]) -> bool:
    """Whether a later event of the keeper's, or a checkpoint, has line k in its history."""
    keys, keeper = parties_for_fault(lines[0])
    for j in range(k + 1, len(lines)):
        event = canonical_event(lines[j])
        if event is None or event["prev"] != leaf(lines[j - 1].removesuffix(b"\n")).hex():
            break
        if keeper is not None and event["author"] == keeper and vouched(event, keys):
            return True
    return k > 0 and any(size > k and root_of_lines(lines, size) == top for size, top in receipts)


def root_of_lines(lines: list[bytes], size: int) -> str | None:
    """The root of a file's first lines, if it has so many and each passes step 4."""
    first = lines[:size]
    if len(first) < size or any(not line.endswith(b"\n") or len(line) > MAX_LINE + 1 for line in first):
        return None
    return root([leaf(line[:-1]) for line in first]).hex()


def canonical_event(line: bytes) -> dict[str, Any] | None:
    """The event of a line that passes steps 4, 5 and 6."""
    if not line.endswith(b"\n") or len(line) > MAX_LINE + 1:
        return None
    try:
        event = read_event(line[:-1])
    except Malformed:
        return None
    return event if is_canonical(line[:-1], event) else None


def is_join(line: bytes) -> bool:
    event = canonical_event(line)
    return event is not None and event["type"] == "join"


def vouched(event: dict[str, Any], keys: dict[str, bytes]) -> bool:
    """Whether the event's author is a party and signed it."""
    author = event["author"]
    return author in keys and signature_fits(keys[author], bytes.fromhex(event["sig"]), event_message(event))


def parties_for_fault(line: bytes) -> tuple[dict[str, bytes], str | None]:
    """The parties, as far as line 0 is plain JSON and names them with valid keys, and the keeper."""
    try:
        value = plain_json(line.removesuffix(b"\n"))
    except Malformed:
        return {}, None
    body = value.get("body") if isinstance(value, dict) else None
    entries = body.get("parties") if isinstance(body, dict) else None
    found = []
    for entry in entries if isinstance(entries, list) else []:
        parsed = parse_verifier_key(entry.get("key")) if isinstance(entry, dict) else ""
        if not isinstance(parsed, str):
            found.append((*parsed, entry.get("role")))
    names = [name for name, _, _ in found]
    alone = [entry for entry in found if names.count(entry[0]) == 1]
    keepers = [name for name, _, role in alone if role == "keeper"]
    return {name: key for name, key, _ in alone}, keepers[0] if len(keepers) == 1 else None


# --- a writer of logs ---------------------------------------------------------------------------------


def secret_of(*words: object) -> bytes:
    """32 bytes that anybody can compute again: SHA-256 of words joined by blanks. For vectors only."""
    return sha256(" ".join(["rollproof vectors", *(str(word) for word in words)]).encode("utf-8"))


def private_key(name: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(secret_of("key", name))


def public_key(name: str) -> bytes:
    return private_key(name).public_key().public_bytes_raw()


def recovery_key(hand: str) -> bytes:
    """The public recovery key of whoever has the key that is made from `hand`."""
    return public_key(f"recovery of {hand}")


def make_succession(name: str, old: str, new: str, **members: Any) -> dict[str, Any]:
    """From the key that is made from `old` to the one that is made from `new`; `members` replace what is signed."""
    made: dict[str, Any] = {
        "format": "rollproof/succession/v1",
        "key": verifier_key(name, public_key(old)),
        "new": verifier_key(name, public_key(new)),
        "recovery": recovery_key(old).hex(),
        "time": "2026-11-20T19:00:00.000Z",
        **members,
    }
    message = succession_message(made)
    made["named"] = private_key(old).sign(named_message(made["key"], made["recovery"])).hex()
    made["new_sig"] = private_key(new).sign(message).hex()
    made["sig"] = private_key(f"recovery of {old}").sign(message).hex()
    return made


def make_act(
    event: str, type_: str, by: str, act: dict[str, Any], signer: str | None = None, **members: Any
) -> dict[str, Any]:
    """An act of an event, signed, as the body of its line; `members` replace what is signed."""
    made: dict[str, Any] = {"act": act, "at": "2026-11-20T18:00:00.000Z", "by": by, "upon": "ab" * 32, **members}
    made["sig"] = private_key(signer or by).sign(act_message(event, type_, made)).hex()
    return made


class Writer:
    """Writes the log of one game with everybody's keys. It checks nothing, so it writes wrong logs as well."""

    def __init__(self, label: str, roles: dict[str, str], contributors: Any = "all") -> None:
        self.label = label
        self.roles = roles
        self.terms = contributors
        self.lines: list[bytes] = []
        self.game = bytes(32)
        self.clock = datetime.datetime(2026, 11, 20, 19, tzinfo=datetime.UTC)
        self.chains: dict[str, list[bytes]] = {}
        self.commits: dict[str, int] = {}
        self.used: dict[str, int] = {}
        self.gone: list[str] = []
        """left or away"""
        self.late: list[str] = []
        """admitted"""
        self.hands: dict[str, str] = {}
        """by party that goes on under a new key: what its key is made from; of the others it is the name"""
        self.resealing: set[str] = set()
        """whose new key has not sealed, where the old one had"""
        self.requests = 0
        self.asked = b""
        """the leaf hash of the latest request's line"""
        self.roller = ""
        self.sides: list[int] = []
        self.further: Further = no_more
        self.naturals: list[int] = []
        self.sealed: dict[str, int] = {}
        """by holder: how many tags it has written"""
        self.taken: dict[str, list[int]] = {}
        """by holder: the numbers of the tags that no request took"""
        self.kept: dict[int, Request] = {}
        """by number: the secret rolls that were asked for"""

    @property
    def keeper(self) -> str:
        return next(name for name, role in self.roles.items() if role == "keeper")

    @property
    def data(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self.lines) - 1

    def contributors(self) -> list[str]:
        g = Game()
        g.roles, g.terms, g.left = self.roles, self.terms, set(self.gone)
        waiting = {name for name in self.late if name not in self.commits}
        return [name for name in g.contributors(self.roller) if name not in waiting]

    def hand(self, name: str) -> str:
        """What a party's present key is made from."""
        return self.hands.get(name, name)

    def event(
        self,
        author: str,
        type_: str,
        body: dict[str, Any],
        /,
        *,
        signer: str | None = None,
        label: bytes = EVENT_LABEL,
        time: str | None = None,
        after: dict[str, Any] | None = None,
        **members: Any,
    ) -> dict[str, Any]:
        """The signed event; `members` replace its members before signing, `after` afterwards."""
        stamp = self.clock.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.clock.microsecond // 1000:03d}Z"
        event: dict[str, Any] = {
            "author": author,
            "body": body,
            "game": self.game.hex() if self.lines else ZEROS,
            "prev": leaf(self.lines[-1]).hex() if self.lines else ZEROS,
            "seq": len(self.lines),
            "time": time or stamp,
            "type": type_,
            **members,
        }
        event["sig"] = private_key(signer or self.hand(author)).sign(label + canonical(event)).hex()
        event.update(after or {})
        self.clock += datetime.timedelta(milliseconds=1_250)
        return event

    def append(self, line: bytes) -> int:
        """Puts a line at the end; gives its number."""
        self.lines.append(line)
        if len(self.lines) == 1:
            self.game = leaf(line)
        return self.last

    def write(self, author: str, type_: str, body: dict[str, Any], /, **how: Any) -> int:
        return self.append(canonical(self.event(author, type_, body, **how)))

    # What the protocol's events need; each gives the event's number.

    def open_body(self, called: Mapping[str, str] = MappingProxyType({}), **members: Any) -> dict[str, Any]:
        """`called`: by name, what parties are called."""
        parties = [
            {"key": verifier_key(name, public_key(name)), "role": role}
            | ({"called": called[name]} if name in called else {})
            for name, role in self.roles.items()
        ]
        return {
            "contributors": self.terms,
            "format": FORMAT,
            "nonce": secret_of("nonce", self.label).hex(),
            "options": {"planechase": False},
            "parties": parties,
            "system": SYSTEMS[0],
            "title": "",
            **members,
        }

    def open(self, **members: Any) -> int:
        return self.write(self.keeper, "open", self.open_body(**members))

    def join(self, *names: str, checks: Iterable[str] = (), recovery: Iterable[str] = ()) -> int:
        """`recovery`: whose joins name a recovery key."""
        for name in names:
            body = {"checks": "rules"} if name in checks else {}
            if name in recovery:
                body["recovery"] = recovery_key(self.hand(name)).hex()
            self.write(name, "join", body)
        return self.last

    def new_chain(self, name: str, length: int) -> list[bytes]:
        self.commits[name] = self.commits.get(name, 0) + 1
        secret = secret_of("chain", self.label, name, self.commits[name])
        self.chains[name] = make_chain(secret, self.game, name, length)
        self.used[name] = 0
        return self.chains[name]

    def next_link(self, name: str) -> bytes:
        return self.chains[name][self.used[name] + 1]

    def burned(self, name: str) -> str:
        """The link of the latest request, as a `burned` gives it."""
        return self.chains[name][self.used[name]].hex()

    def commit_body(self, name: str, length: int = 5) -> dict[str, Any]:
        """A new chain; `link` is there where it replaces another."""
        link = {"link": self.next_link(name).hex()} if name in self.chains else {}
        return {"length": length, "tip": self.new_chain(name, length)[0].hex(), **link}

    def commit(self, *names: str, length: int = 5, **how: Any) -> int:
        for name in names:
            self.write(name, "commit", self.commit_body(name, length), **how)
        return self.last

    def seat_all(self, length: int = 5, checks: Iterable[str] = (), system: type[Magic] = Magic) -> None:
        """All but the keeper join, and all who may contribute to a roll of the system commit."""
        self.join(*[name for name, role in self.roles.items() if role != "keeper"], checks=checks)
        g = Game()
        g.roles, g.terms, g.system = self.roles, self.terms, system
        self.commit(*[name for name in self.roles if g.somewhen_contributes(name)], length=length)

    def request(
        self, name: str, type_: str, body: dict[str, Any], sides: list[int], further: Further = no_more, **how: Any
    ) -> int:
        """`sides` of the dice that are drawn first; `further` says what comes after some naturals."""
        self.roller, self.sides, self.further = name, sides, further
        number = self.write(name, type_, body, **how)
        self.asked = leaf(self.lines[-1])
        self.requests += 1
        return number

    def opening(
        self,
        name: str,
        *,
        index: int | None = None,
        link: bytes | None = None,
        request: bytes | None = None,
        signer: str | None = None,
        label: bytes = OPENING_LABEL,
    ) -> dict[str, Any]:
        """A party's opening for the request that waits; what is given replaces what would be right."""
        index = self.used[name] + 1 if index is None else index
        link = self.chains[name][index] if link is None else link
        request = self.asked if request is None else request
        message = opening_message(self.game, request, name, index, link).removeprefix(OPENING_LABEL)
        sig = private_key(signer or self.hand(name)).sign(label + message)
        return {"author": name, "index": index, "link": link.hex(), "sig": sig.hex()}

    def openings(self, without: Iterable[str] = (), /, **replaced: dict[str, Any]) -> list[dict[str, Any]]:
        """Openings for the request that waits, but of some; `replaced` has other ones by name."""
        return [replaced.get(name) or self.opening(name) for name in self.contributors() if name not in without]

    def burned_openings(self, without: Iterable[str] = ()) -> list[dict[str, Any]]:
        """Openings for the request that was just voided."""
        return [self.opening(name, index=self.used[name]) for name in self.contributors() if name not in without]

    def seed(self, openings: list[dict[str, Any]]) -> bytes:
        links = [(opening["author"], bytes.fromhex(opening["link"])) for opening in openings]
        return make_seed(self.game, self.requests - 1, links)

    def settle(self) -> None:
        for name in self.contributors():
            self.used[name] += 1

    def reveal(self, openings: list[dict[str, Any]] | None = None, how: Any = None, **members: Any) -> int:
        openings = self.openings() if openings is None else openings
        drawn = draw(self.seed(openings), self.sides, self.further)
        self.naturals = [die.natural for die in drawn]
        self.settle()
        body = {
            "naturals": self.naturals,
            "openings": openings,
            "roll_index": self.requests - 1,
            "sides": [die.sides for die in drawn],
            **members,
        }
        return self.write(self.keeper, "reveal", body, **(how or {}))

    def void(self, author: str, missing: Sequence[str] = (), how: Any = None, **members: Any) -> int:
        self.settle()
        body = {"missing": list(missing), "roll_index": self.requests - 1, **members}
        return self.write(author, "void", body, **(how or {}))

    def disclose(self, without: Sequence[str] = (), how: Any = None, **members: Any) -> int:
        body = {"openings": self.burned_openings(without), "roll_index": self.requests - 1, **members}
        return self.write(self.keeper, "disclose", body, **(how or {}))

    def call_off(self, author: str, missing: Sequence[str] = ()) -> int:
        """A void, and the disclose of all openings but of the author (if it contributes) and of those missing."""
        number = self.void(author, missing)
        self.disclose([author, *missing])
        return number

    def word(self, name: str, role: str, host: str, head: int = -1, key: str | None = None) -> dict[str, str]:
        """The host's word, given on line `head`."""
        at = leaf(self.lines[head]).hex()
        known = key or verifier_key(name, public_key(name))
        return {"head": at, "sig": private_key(host).sign(admission_message(self.game.hex(), at, known, role)).hex()}

    def admit(self, newcomer: str, role: str, /, how: Any = None, **members: Any) -> int:
        number = self.write(
            self.keeper,
            "admit",
            {"key": verifier_key(newcomer, public_key(newcomer)), "role": role, **members},
            **(how or {}),
        )
        self.roles = {**self.roles, newcomer: role}
        self.late.append(newcomer)
        return number

    def secret(self, holder: str, number: int) -> bytes:
        """The secret of a holder's tag."""
        return secret_of("seal", self.label, holder, number)

    def seal_body(self, name: str, count: int = 4, **members: Any) -> dict[str, Any]:
        before = self.sealed.get(name, 0)
        numbers = range(before + 1, before + count + 1)
        tags = [seal_tag(self.game.hex(), name, number, self.secret(name, number)) for number in numbers]
        last = {"secret": self.secret(name, before).hex()} if before and name not in self.resealing else {}
        return {"tags": tags, **last, **members}

    def seal(self, name: str, count: int = 4, how: Any = None, **members: Any) -> int:
        body = self.seal_body(name, count, **members)
        before = self.sealed.get(name, 0)
        self.sealed[name] = before + count
        self.resealing.discard(name)
        self.taken.setdefault(name, []).extend(range(before + 1, before + count))
        return self.write(name, "seal", body, **(how or {}))

    def hide(self, name: str, text: str) -> str:
        """What stands for what a secret roll is for."""
        return hidden_of(self.game.hex(), name, secret_of("salt", self.label, text), text)

    def ask_secret(self, name: str, holder: str, dice: str, sides: list[int], how: Any = None, **members: Any) -> int:
        """A request for a secret roll; `sides` of all its dice."""
        body = {"dice": dice, "sealed": holder, "sides": sides, **members}
        number = self.request(name, "roll", body, [], **(how or {}))
        taken = self.taken.get(holder, [])
        kept = Request(number, self.asked, self.requests - 1, name, sides, {}, {}, holder=holder)
        kept.number = taken.pop(0) if taken else 0
        self.kept[number] = kept
        return number

    def roll_secret(self, name: str, holder: str, dice: str, sides: list[int], **members: Any) -> int:
        """A secret roll, revealed."""
        number = self.ask_secret(name, holder, dice, sides, **members)
        openings = self.openings()
        self.kept[number].links = {each["author"]: bytes.fromhex(each["link"]) for each in openings}
        self.reveal(openings)
        return number

    def show_body(self, request: int, text: str | None = None, **members: Any) -> dict[str, Any]:
        kept = self.kept[request]
        assert kept.holder is not None
        secret = self.secret(kept.holder, kept.number)
        body: dict[str, Any] = {"request": request, "secret": secret.hex()}
        if kept.links:
            kept.chains = dict.fromkeys(kept.links, Chain(0, b""))
            body["naturals"] = secret_naturals(self.game.hex(), kept, secret)
        if text is not None:
            body |= {"salt": secret_of("salt", self.label, text).hex(), "text": text}
        return {**body, **members}

    def show(self, request: int, text: str | None = None, how: Any = None, **members: Any) -> int:
        holder = self.kept[request].holder
        assert holder is not None
        return self.write(holder, "show", self.show_body(request, text, **members), **(how or {}))

    def consent(self, number: int, *names: str) -> int:
        for name in names:
            self.write(name, "consent", {"admit": number})
        return self.last

    def replace(
        self, name: str, hand: str, succession: dict[str, Any] | None = None, how: Any = None, **members: Any
    ) -> int:
        """Asks for a new key under a party's name; `hand`: what it is made from."""
        body: dict[str, Any] = {"key": verifier_key(name, public_key(hand)), **members}
        if succession is not None:
            body["succession"] = succession
        return self.write(self.keeper, "replace", body, **(how or {}))

    def go_on(self, name: str, hand: str) -> None:
        """A party signs with a new key from here on, and has nothing of what the old one had."""
        self.hands[name] = hand
        self.chains.pop(name, None)
        self.taken.pop(name, None)
        if self.sealed.get(name):
            self.resealing.add(name)

    def leave(self, author: str, party: str, how: Any = None, **members: Any) -> int:
        number = self.write(author, "leave", {"party": party, **members}, **(how or {}))
        self.gone.append(party)
        return number

    def away(self, author: str, party: str, effect: bool = True, how: Any = None, **members: Any) -> int:
        """`effect` is false for a call that others have still to join in."""
        number = self.write(author, "away", {"party": party, **members}, **(how or {}))
        if effect:
            self.gone.append(party)
        return number

    def back(self, author: str, party: str, how: Any = None, **members: Any) -> int:
        number = self.write(author, "back", {"party": party, **members}, **(how or {}))
        self.gone = [name for name in self.gone if name != party]
        return number

    def close(self, how: Any = None, **members: Any) -> int:
        return self.write(self.keeper, "close", members, **(how or {}))
