"""Make the vectors of specs/profile.md from that page alone; results are stated by hand.

python -m tests.make.profiles             # writes specs/vectors/profiles.json
python -m tests.make.profiles --check     # writes nothing, exits 1 if it differs
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tests.make.notes import VECTORS, Json
from tests.oracles import reference as ref

FILE = VECTORS / "profiles.json"
PASSPHRASE = "seven songs in a row"
SERVER = "https://dice.example.org"
SMALL_ORDER = "0100000000000000000000000000000000000000000000000000000000000000"
TIME = "2026-11-20T19:00:00.000Z"
LATER = "2026-11-20T19:00:01.000Z"


def secret(*words: object) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(ref.secret_of(*words))


def public(*words: object) -> bytes:
    return secret(*words).public_key().public_bytes_raw()


def vkey(name: str, *words: object) -> str:
    """The verifier key of a name with the secret of these words."""
    return ref.verifier_key(name, public(*(words or ("key", name))))


def canonical(value: Any) -> str:
    return ref.canonical(value).decode()


def naming(key: str, recovery: str) -> bytes:
    told = {"format": "rollproof/recovery/v1", "key": key, "recovery": recovery}
    return b"rollproof/v1/recovery\n" + canonical(told).encode()


class Person:
    """A key that was had, and its recovery key, by a number: the first, the second."""

    def __init__(self, name: str, number: int, owner: str | None = None) -> None:
        self.name, self.number = name, number
        owner = owner or name
        self.words = ("key", owner) if number == 1 else ("key", owner, number)
        self.recovery_words = ("recovery", owner, number)
        self.key = vkey(name, *self.words)
        self.recovery = public(*self.recovery_words).hex()
        self.named = secret(*self.words).sign(naming(self.key, self.recovery)).hex()


def succession(old: Person, new: Person, /, **members: Any) -> Json:
    """From one key to the next; `members` replace what is signed, `sign` who signs what."""
    sign: dict[str, Any] = members.pop("sign", {})
    told = {
        "format": "rollproof/succession/v1",
        "key": old.key,
        "new": new.key,
        "recovery": old.recovery,
        "time": TIME,
        **members,
    }
    message = b"rollproof/v1/succession\n" + canonical(told).encode()
    return {
        **told,
        "named": secret(*sign.get("named", old.words)).sign(naming(told["key"], told["recovery"])).hex(),
        "new_sig": secret(*sign.get("new_sig", new.words)).sign(message).hex(),
        "sig": secret(*sign.get("sig", old.recovery_words)).sign(message).hex(),
    }


ANNA, ANNA2, ANNA3, THIEF = (Person("anna", number) for number in (1, 2, 3, 66))
BOB, OTHER = Person("bob", 1), Person("anna", 77)
NORA, NORA2, NORA3 = (Person("nora", number, "anna") for number in (1, 2, 3))
"""anna's keys under another name"""


def line(value: Json, change: Callable[[str], str] = str) -> str:
    return change(canonical(value)) + "\n"


def small_order() -> Json:
    """A recovery key under which anybody can sign, named by its owner."""
    found = succession(ANNA, ANNA2, recovery=SMALL_ORDER)
    return {**found, "sig": SMALL_ORDER + "00" * 32}


def successions() -> list[Json]:
    good = succession(ANNA, ANNA2)
    flipped = {**good, "sig": good["sig"][:-1] + ("0" if good["sig"][-1] != "0" else "1")}
    own = {"recovery": public(*ANNA.words).hex(), "sign": {"sig": ANNA.words}}
    new = {"recovery": public(*ANNA2.words).hex(), "sign": {"sig": ANNA2.words}}
    later = succession(ANNA, ANNA2, recovery=THIEF.recovery, sign={"sig": THIEF.recovery_words})
    cases: list[tuple[str, str, str | None]] = [
        ("anna's key goes on as a new one", line(good), None),
        ("the same without its line feed", line(good).rstrip("\n"), None),
        ("from the second key to a third", line(succession(ANNA2, ANNA3)), None),
        ("whoever has the signing key names another recovery key: it holds by itself", line(later), None),
        ("two line feeds", line(good) + "\n", "succession.malformed"),
        ("not in canonical form", line(good, lambda text: text.replace(":", ": ", 1)), "succession.malformed"),
        ("a member more", line({**good, "more": 1}), "succession.malformed"),
        ("a member less", line({k: v for k, v in good.items() if k != "time"}), "succession.malformed"),
        ("another format", line(succession(ANNA, ANNA2, format="rollproof/succession/v2")), "succession.malformed"),
        ("a day that is none", line(succession(ANNA, ANNA2, time="2026-02-30T19:00:00.000Z")), "succession.malformed"),
        ("to a key of another name", line(succession(ANNA, BOB)), "succession.malformed"),
        ("to the same key", line(succession(ANNA, ANNA)), "succession.malformed"),
        ("the old key is its own recovery key", line(succession(ANNA, ANNA2, **own)), "succession.malformed"),
        ("the new key is the recovery key", line(succession(ANNA, ANNA2, **new)), "succession.malformed"),
        ("a recovery key of small order", line(small_order()), "succession.malformed"),
        (
            "a verifier key with another hash",
            line({**good, "new": good["new"].replace("+", "+0", 1)}),
            "succession.malformed",
        ),
        (
            "a stranger names a recovery key for anna",
            line(
                succession(
                    ANNA, THIEF, recovery=THIEF.recovery, sign={"named": THIEF.words, "sig": THIEF.recovery_words}
                )
            ),
            "succession.named",
        ),
        (
            "anna's key has named this recovery key for another key of hers",
            line({**good, "named": secret(*ANNA.words).sign(naming(ANNA2.key, ANNA.recovery)).hex()}),
            "succession.named",
        ),
        (
            "a thief of the signing key signs in the place of the recovery key",
            line(succession(ANNA, THIEF, sign={"sig": ANNA.words})),
            "succession.recovery",
        ),
        ("one bit of the recovery key's signature is another", line(flipped), "succession.recovery"),
        ("the time was changed", line({**good, "time": "2026-11-19T19:00:00.000Z"}), "succession.recovery"),
        (
            "the new key was put in the place of another",
            line({**good, "new": THIEF.key, "new_sig": succession(ANNA, THIEF)["new_sig"]}),
            "succession.recovery",
        ),
        (
            "the new key did not sign: a stranger's key was taken for hers",
            line(succession(ANNA, OTHER, sign={"new_sig": ANNA.words})),
            "succession.new",
        ),
    ]
    return [{"about": about, "code": code, "line": text} for about, text, code in cases]


@cache
def stretched(passphrase: str, salt: str, rounds: int) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", passphrase.encode(), bytes.fromhex(salt), rounds)


def file(
    person: Person,
    *,
    passphrase: str = PASSPHRASE,
    sealed: bytes | None = None,
    beside: Json | None = None,
    **members: Any,
) -> Json:
    """A profile's file; `sealed`: another secret; `beside`: what is changed behind the sealing."""
    made = {
        "format": "rollproof/profile/v1",
        "iterations": 600_000,
        "key": person.key,
        "named": person.named,
        "nonce": ref.secret_of("nonce", person.name, person.number)[:12].hex(),
        "recovery": person.recovery,
        "salt": ref.secret_of("salt", person.name, person.number)[:16].hex(),
        "successions": [],
        **members,
    }
    rounds = min(max(made["iterations"], 1), 600_000)
    key = stretched(passphrase, made["salt"], rounds)
    data = ref.secret_of(*person.recovery_words) if sealed is None else sealed
    box = AESGCM(key).encrypt(bytes.fromhex(made["nonce"]), data, canonical(made).encode())
    return {**made, "sealed": box.hex(), **(beside or {})}


def files() -> list[Json]:
    first, second = succession(ANNA, ANNA2), succession(ANNA2, ANNA3)
    elsewhere = "https://dice.example.com"
    cases: list[tuple[str, str, str | None, str, str | None]] = []

    def case(
        about: str, made: Json | str, code: str | None, server: str | None = SERVER, passphrase: str = PASSPHRASE
    ) -> None:
        cases.append((about, made if isinstance(made, str) else line(made), server, passphrase, code))

    case("of a program, at no server", file(ANNA), None)
    case("of a page, read by it", file(ANNA, server=SERVER, called="アンナ"), None)
    case("of a page, read by a program", file(ANNA, server=SERVER), None, None)
    case("without its line feed", line(file(ANNA)).rstrip("\n"), None)
    case("of a page, its address with a slash at the end", file(ANNA, server=SERVER + "/"), None)
    case("after one succession", file(ANNA2, successions=[first]), None)
    case("after two", file(ANNA3, successions=[first, second]), None)
    case(
        "a passphrase in another script",
        file(ANNA, passphrase="七つの歌を続けて歌おうよ"),
        None,
        passphrase="七つの歌を続けて歌おうよ",
    )
    case("nothing", "", "profile.malformed")
    case("a list", "[]\n", "profile.malformed")
    case("not in canonical form", line(file(ANNA), lambda text: text + " "), "profile.malformed")
    case("a member more", file(ANNA, more=1), "profile.malformed")
    case("one iteration too few", file(ANNA, iterations=599_999), "profile.malformed")
    case("one iteration too many", file(ANNA, iterations=10_000_001), "profile.malformed")
    case("a nonce of another length", file(ANNA, beside={"nonce": "00" * 11}), "profile.malformed")
    case("a called name that begins with a blank", file(ANNA, called=" Anna"), "profile.malformed")
    case("a recovery key of small order", file(ANNA, recovery=SMALL_ORDER), "profile.malformed")
    case("the key is its own recovery key", file(ANNA, recovery=public(*ANNA.words).hex()), "profile.malformed")
    case("65 successions", file(ANNA2, successions=[first] * 65), "profile.malformed")
    case("a succession that is none", file(ANNA2, successions=[{**first, "more": 1}]), "profile.malformed")
    case("a succession without a time", file(ANNA2, successions=[{**first, "time": "then"}]), "profile.malformed")
    case("two line feeds", line(file(ANNA)) + "\n", "profile.malformed")
    case("longer than a file can be", line(file(ANNA)) + " " * 65_536, "profile.malformed")
    case("of another server", file(ANNA, server=elsewhere), "profile.server")
    case(
        "another server's name in its place",
        file(ANNA, server=elsewhere, beside={"server": SERVER}),
        "profile.passphrase",
    )
    case("a wrong passphrase", file(ANNA), "profile.passphrase", passphrase="seven songs in a raw")
    case(
        "another key in the place of anna's",
        file(ANNA, beside={"key": THIEF.key, "named": THIEF.named}),
        "profile.passphrase",
    )
    case("another recovery key in its place", file(ANNA, beside={"recovery": THIEF.recovery}), "profile.passphrase")
    case("a succession taken away", file(ANNA2, successions=[first], beside={"successions": []}), "profile.passphrase")
    case("the secret of another recovery key", file(ANNA, sealed=ref.secret_of(*THIEF.recovery_words)), "profile.key")
    case("a recovery key that the key has not named", file(ANNA, named=THIEF.named), "profile.named")
    case(
        "a succession that does not hold",
        file(ANNA2, successions=[{**first, "sig": first["new_sig"]}]),
        "profile.successions",
    )
    case(
        "a succession whose key is no verifier key",
        file(ANNA2, successions=[{**first, "key": "anna"}]),
        "profile.successions",
    )
    case("successions in another order", file(ANNA3, successions=[second, first]), "profile.successions")
    case("successions that lead to another key", file(ANNA3, successions=[first]), "profile.successions")
    return [
        {"about": about, "code": code, "file": text, "passphrase": passphrase, "server": server}
        for about, text, server, passphrase, code in cases
    ]


def following() -> list[Json]:
    """Sets of successions, and what comes of them, by public keys."""
    a, b, c, thief, other = (public(*each.words).hex() for each in (ANNA, ANNA2, ANNA3, THIEF, OTHER))
    one, two = succession(ANNA, ANNA2), succession(ANNA2, ANNA3)
    stolen = succession(ANNA, THIEF)
    renamed = succession(ANNA, ANNA2, recovery=THIEF.recovery, sign={"sig": THIEF.recovery_words})
    back = succession(ANNA3, ANNA)
    joined = succession(OTHER, ANNA2)

    def case(
        about: str, lines: list[Json], newest: dict[str, str], split: Sequence[str] = (), joined: Sequence[str] = ()
    ) -> Json:
        return {
            "about": about,
            "lines": [line(each) for each in lines],
            "newest": newest,
            "split": list(split),
            "joined": list(joined),
        }

    return [
        case("nothing", [], {}),
        case("one", [one], {a: b}),
        case("one, twice", [one, one], {a: b}),
        case("two in a row", [one, two], {a: c, b: c}),
        case("the later one first", [two, one], {a: c, b: c}),
        case("the later one alone", [two], {b: c}),
        case("the owner's and a thief's with her file", [one, stolen], {}, [a]),
        case("the same, and the owner went on", [one, stolen, two], {b: c}, [a]),
        case("one key to one other, by two recovery keys", [one, renamed], {}, [a]),
        case("two keys to one", [one, joined], {}, [], [b]),
        case("two keys to one, which went on", [one, joined, two], {b: c}, [], [b]),
        case("round", [one, two, back], {}),
        case(
            "a round, and who leads into it", [succession(OTHER, ANNA), one, succession(ANNA2, ANNA)], {a: b}, [], [a]
        ),
        case("a split, and another key to one of its two", [one, stolen, joined], {}, [a], [b]),
        case("one key to one other, at two times", [one, succession(ANNA, ANNA2, time=LATER)], {a: b}),
        case("one key under two names to one other", [one, succession(NORA, NORA2)], {a: b}),
        case("one key under two names to two others", [one, succession(NORA, NORA3)], {}, [a]),
        case("another key of another time", [succession(OTHER, THIEF), one], {other: thief, a: b}),
    ]


def all_cases() -> Json:
    return {
        "about": "Profiles (specs/profile.md). Secret keys of vectors are known to everybody.",
        "files": files(),
        "following": following(),
        "successions": successions(),
    }


def main() -> int:
    text = json.dumps(all_cases(), indent=1, ensure_ascii=False) + "\n"
    if "--check" in sys.argv:
        return int(not FILE.exists() or FILE.read_text() != text)
    FILE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
