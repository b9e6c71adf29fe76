"""Vectors of values: canonical lines, identities, and the dice with every number in between."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.make.parts import request, table, whole_roll
from tests.oracles import reference as ref
from tests.oracles.reference import leaf

__all__ = ["canonical_vectors", "dice_vectors", "identity_vectors"]


def canonical_vectors() -> dict[str, Any]:
    """Lines, and what reading one as a JSON value of a log says about it."""
    cases: list[tuple[str, bytes]] = [
        ("an empty object", b"{}"),
        ("every kind of value", b'{"a":[true,false,0,-1,"x",{}]}'),
        ("RFC 8785, 3.2.3: sorting, with the names that both orders agree on",
         '{"\\r":"Carriage Return","1":"One","\u0080":"Control\u007f","\u00f6":"Latin Small Letter O With Diaeresis",'
         '"\u20ac":"Euro Sign","\U0001f600":"Emoji: Grinning Face"}'.encode()),
        ("RFC 8785, 3.2.3, in its order: by UTF-16 units the emoji comes before U+FB33, by code points after it",
         '{"\u20ac":1,"\U0001f600":2,"\ufb33":3}'.encode()),
        ("the same, code point by code point", '{"\u20ac":1,"\ufb33":3,"\U0001f600":2}'.encode()),
        ("RFC 8785, 3.2.2.2: the string of the example",
         '{"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'.encode()),
        ("RFC 8785, 3.2.2: the string of its input, with escapes as it comes",
         b'{"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"}'),
        ("RFC 8785, 3.2.2: its literals", b'{"literals":[null,true,false]}'),
        ("RFC 8785, 3.2.2: its numbers",
         b'{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]}'),
        ("RFC 8785, appendix B: the largest safe integer", b'{"n":9007199254740991}'),
        ("its negative", b'{"n":-9007199254740991}'),
        ("the largest safe integer after a blank", b'{"n": 9007199254740991}'),
        ("its negative after a blank", b'{"n": -9007199254740991}'),
        ("one more", b'{"n":9007199254740992}'),
        ("one less than its negative", b'{"n":-9007199254740992}'),
        ("very many digits", b'{"n":' + b"1" * 5000 + b"}"),
        ("zero", b'{"n":0}'),
        ("minus zero", b'{"n":-0}'),
        ("a leading zero", b'{"n":01}'),
        ("a plus sign", b'{"n":+1}'),
        ("a fraction of zero", b'{"n":1.0}'),
        ("an exponent", b'{"n":1e0}'),
        ("NaN", b'{"n":NaN}'),
        ("Infinity", b'{"n":Infinity}'),
        ("null", b'{"a":null}'),
        ("null in an array", b'{"a":[null]}'),
        ("a name twice", b'{"a":1,"a":1}'),
        ("a name twice, with different values", b'{"a":1,"a":2}'),
        ("a name twice, once by an escape", b'{"a":1,"\\u0061":1}'),
        ("an empty name", b'{"":1}'),
        ("names in another order", b'{"b":1,"a":2}'),
        ("names in order, inside", b'{"a":{"B":1,"a":2,"aa":3,"b":4}}'),
        ("names in another order, inside", b'{"a":{"a":2,"B":1}}'),
        ("a blank before", b' {"a":1}'),
        ("a blank after", b'{"a":1} '),
        ("a blank after a colon", b'{"a": 1}'),
        ("a tabulator in an array", b'{"a":[1,\t2]}'),
        ("a carriage return after", b'{"a":1}\r'),
        ("a form feed after, which JSON has not", b'{"a":1}\x0c'),
        ("a blank in a string", b'{"a":" "}'),
        ("the short escapes", b'{"a":"\\b\\t\\n\\f\\r\\"\\\\"}'),
        ("a short escape written long", b'{"a":"\\u000a"}'),
        ("U+001F", b'{"a":"\\u001f"}'),
        ("U+001F in upper case", b'{"a":"\\u001F"}'),
        ("U+0000", b'{"a":"\\u0000"}'),
        ("a raw U+001F", b'{"a":"\x1f"}'),
        ("a raw U+0000", b'{"a":"\x00"}'),
        ("U+007F stands as itself", b'{"a":"\x7f"}'),
        ("U+007F escaped", b'{"a":"\\u007f"}'),
        ("a solidus", b'{"a":"/"}'),
        ("a solidus escaped", b'{"a":"\\/"}'),
        ("U+2028 stands as itself", '{"a":"\u2028"}'.encode()),
        ("U+2028 escaped", b'{"a":"\\u2028"}'),
        ("U+FFFF, no character, stands as itself", '{"a":"\uffff"}'.encode()),
        ("a character above U+FFFF", '{"a":"\U0001f3b2"}'.encode()),
        ("the same as an escaped pair", b'{"a":"\\ud83c\\udfb2"}'),
        ("a high surrogate alone, escaped", b'{"a":"\\ud83c"}'),
        ("a low surrogate alone, escaped", b'{"a":"\\udfb2"}'),
        ("a pair the wrong way round", b'{"a":"\\udfb2\\ud83c"}'),
        ("a lone surrogate in a name", b'{"\\ud83c":1}'),
        ("a surrogate in UTF-8", b'{"a":"\xed\xa0\xbc"}'),
        ("a character above U+FFFF as two surrogates in UTF-8", b'{"a":"\xed\xa0\xbc\xed\xbe\xb2"}'),
        ("an overlong sequence", b'{"a":"\xc0\xaf"}'),
        ("above U+10FFFF", b'{"a":"\xf4\x90\x80\x80"}'),
        ("a cut sequence", b'{"a":"\xf0\x9f\x8e"}'),
        ("Latin-1", b'{"a":"\xe9"}'),
        ("UTF-16", '{"a":1}'.encode("utf-16-le")),
        ("a byte order mark", b'\xef\xbb\xbf{"a":1}'),
        ("composed and decomposed names are two", '{"e\u0301":1,"\u00e9":2}'.encode()),
        ("a comma too many", b'{"a":1,}'),
        ("a comment", b'{"a":1}//'),
        ("single quotes", b"{'a':1}"),
        ("two values", b'{"a":1}{"a":1}'),
        ("no value", b""),
        ("an unknown escape", b'{"a":"\\x41"}'),
        ("True", b'{"a":True}'),
        ("65 levels", b"[" * 65 + b"]" * 65),
        ("60 levels, and more brackets in a string", b'{"a":' + b"[" * 59 + b'"[[{{"' + b"]" * 59 + b"}"),
        ("65 levels, where they do not count", b'{"a":' + b"[" * 64 + b"]" * 64 + b',"a":1}'),
        ("a number out of bounds, where it does not count", b'{"a":1E400,"a":1}'),
        ("a lone surrogate, where it does not count", b'{"a":"\\udfb2","a":1}'),
        ("a lone surrogate in arrays, where they do not count", b'{"a":[["\\udfb2"]],"a":1}'),
        ("a reverse solidus before what looks like a lone surrogate", b'{"a":"\\\\udfb2"}'),
    ]  # fmt: skip
    entries = []
    for about, line in cases:
        entry: dict[str, Any] = {"about": about, "hex": line.hex(), "result": "canonical"}
        try:
            value = ref.decode(line)
        except ref.Malformed:
            entry["result"] = "line.malformed"
        else:
            if not ref.is_canonical(line, value):
                entry["result"] = "line.not-canonical"
        entries.append(entry)
    return {"about": "Is a line, given in hex, canonical? See README.md.", "lines": entries}


def identity_vectors() -> dict[str, Any]:
    names = [
        "host",
        "alice",
        "bob",
        "carol",
        "dana",
        "walt",
        "zoe",
        "hostess",
        "gail",
        "0",
        "a.b_c-9",
        "a" * 32,
    ]
    valid = [
        {
            "name": name,
            "secret_key": ref.secret_of("key", name).hex(),
            "public_key": ref.public_key(name).hex(),
            "key_id": ref.key_id(name, ref.public_key(name)).hex(),
            "verifier_key": ref.verifier_key(name, ref.public_key(name)),
        }
        for name in names
    ]
    rfc = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    public = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(rfc)).public_key().public_bytes_raw()
    valid.append({"name": "rfc8032-test-1", "secret_key": rfc, "public_key": public.hex(),
                  "key_id": ref.key_id("rfc8032-test-1", public).hex(),
                  "verifier_key": ref.verifier_key("rfc8032-test-1", public)})  # fmt: skip
    key = ref.verifier_key("alice", ref.public_key("alice"))
    pub = ref.public_key("alice")
    name, identifier, encoded = key.split("+", 2)

    def with_type(number: int, raw: bytes = pub) -> str:
        blob = bytes([number]) + raw
        short = ref.sha256(b"alice\n" + blob)[:4].hex()
        return "alice+" + short + "+" + base64.b64encode(blob).decode()

    def named(other: str) -> str:
        short = ref.sha256(other.encode() + b"\n\x01" + pub)[:4].hex()
        return other + "+" + short + "+" + encoded

    ending = encoded[:-1]
    others = (ref.verifier_key("alice", ref.public_key(f"alice {n}")) for n in range(1000))
    both = next(other for other in others if "+" in other[15:] and "/" in other[15:])
    invalid = [
        ("an empty string", ""),
        ("a name alone", "alice"),
        ("no key", f"{name}+{identifier}"),
        ("no key after the plus", f"{name}+{identifier}+"),
        ("no name", f"+{identifier}+{encoded}"),
        ("the key id of another name", key.replace("alice", "bob")),
        ("the key id in upper case", f"{name}+{identifier.upper()}+{encoded}"),
        ("the key id cut", f"{name}+{identifier[:6]}+{encoded}"),
        ("a name in upper case", named("Alice")),
        ("a name with a letter of another script", named("\u0430lice")),
        ("a name that begins with a dot", named(".alice")),
        ("a name with a blank", named("al ice")),
        ("a name with a plus", named("al+ice")),
        ("a name of 33 characters", named("a" * 33)),
        ("the reserved name", named("file")),
        ("a line feed after", key + "\n"),
        ("a blank before", " " + key),
        ("another signature type, 0x02", with_type(2)),
        ("a cosignature's type, 0x04", with_type(4)),
        ("a key of 31 bytes", with_type(1, pub[:31])),
        ("a key of 33 bytes", with_type(1, pub + b"\x00")),
        ("padding too much", key + "="),
        ("the URL alphabet", both[:15] + both[15:].replace("/", "_").replace("+", "-")),
        ("a line feed in the base64", f"{name}+{identifier}+{encoded[:20]}\n{encoded[20:]}"),
        ("a character that is none of base64's", f"{name}+{identifier}+{ending}!"),
        ("a base64 cut by one character", f"{name}+{identifier}+{ending}"),
    ]
    for small in ref.SMALL_ORDER:
        for sign, bit in ((0, 0), (1, 0x80)):
            raw = bytearray.fromhex(small)
            raw[31] |= bit
            invalid.append((f"small order, sign bit {sign}", ref.verifier_key("alice", bytes(raw))))
    entries = []
    for about, text in invalid:
        reason = ref.parse_verifier_key(text)
        assert isinstance(reason, str), (about, text)
        entries.append({"about": about, "verifier_key": text, "reason": reason})
    for entry in valid:
        assert not isinstance(ref.parse_verifier_key(entry["verifier_key"]), str)
    return {
        "about": "Identities. Secret keys of vectors are known to everybody.",
        "valid": valid,
        "invalid": entries,
    }


def drawn_dict(drawn: list[ref.Drawn]) -> list[dict[str, Any]]:
    return [
        {
            "sides": die.sides,
            "bytes": die.width,
            "limit": die.limit,
            "tried": [taken.hex() for taken in die.tried],
            "rejected": len(die.tried) - 1,
            "natural": die.natural,
        }
        for die in drawn
    ]


def stream_vector(about: str, seed: bytes, first: list[int], further: ref.Further = ref.no_more) -> dict[str, Any]:
    drawn = ref.draw(seed, first, further)
    sides = [die.sides for die in drawn]
    used = sum(die.width * len(die.tried) for die in drawn)
    blocks = [ref.block(seed, c).hex() for c in range(max(1, -(-used // 32)))]
    return {
        "about": about,
        "seed": seed.hex(),
        "sides": sides,
        "blocks": blocks,
        "bytes_used": used,
        "dice": drawn_dict(drawn),
        "naturals": [die.natural for die in drawn],
    }


def roll_vector(about: str, label: str, dice: str, contributors: Any, length: int, rolls: int) -> dict[str, Any]:
    """Every number of the last of some rolls of a game."""
    w = table(label, contributors=contributors, length=length)
    for _ in range(rolls - 1):
        whole_roll(w)
    request(w, "alice", {"source": "A vector", "dice": dice, "use": "Nothing."})
    openings = w.openings()
    asked = leaf(w.lines[-1])
    opened = [(o["author"], bytes.fromhex(o["link"])) for o in openings]
    seed = ref.make_seed(w.game, rolls - 1, opened)
    chains = {}
    for name in w.contributors():
        links = w.chains[name]
        chains[name] = {
            "length": length,
            "tip": links[0].hex(),
            "links": [link.hex() for link in links],
            "steps": [
                {
                    "key": links[i].hex(),
                    "message": (ref.LINK_LABEL + w.game + ref.lp(name) + ref.u64(i)).hex(),
                    "result": links[i - 1].hex(),
                }
                for i in range(length, 0, -1)
            ],
        }
    messages = [
        {
            **o,
            "message": ref.opening_message(w.game, asked, o["author"], o["index"], bytes.fromhex(o["link"])).hex(),
        }
        for o in openings
    ]
    return {
        "about": about,
        "game": w.game.hex(),
        "keeper": "host",
        "contributors": w.contributors(),
        "roll_index": rolls - 1,
        "request_line": w.lines[-1].decode("utf-8"),
        "request": asked.hex(),
        "chains": chains,
        "openings": messages,
        "seed_key": w.game.hex(),
        "seed_message": ref.seed_message(rolls - 1, opened).hex(),
        **stream_vector(about, seed, w.sides),
    }


def find_seed(wanted: Callable[[list[ref.Drawn]], bool], sides: list[int], further: ref.Further = ref.no_more) -> bytes:
    for n in range(2_000_000):
        seed = ref.secret_of("seed", n)
        if wanted(ref.draw(seed, sides, further)):
            return seed
    raise AssertionError(sides)


def exploding(first: list[int]) -> ref.Further:
    """Each die that shows its highest number asks for one more of its kind, when all asked for at once are drawn."""

    def further(naturals: list[int]) -> list[int]:
        coming, at = first, 0
        while True:
            shown = naturals[at : at + len(coming)]
            at += len(coming)
            coming = [n for n, natural in zip(coming, shown, strict=True) if natural == n]
            if not coming or at == len(naturals):
                return coming

    return further


def telling(first: list[int]) -> ref.Further:
    """The first die says how many d6 follow."""
    return lambda naturals: [6] * naturals[0] if len(naturals) == len(first) else []


def dependent_vectors() -> list[dict[str, Any]]:
    """Draws in which the dice that come next depend on those before."""
    kinds = {"explode": exploding, "tell": telling}

    def vector(about: str, rule: str, first: list[int], wanted: Callable[[list[int]], bool]) -> dict[str, Any]:
        further = kinds[rule](first)
        seed = find_seed(lambda drawn: wanted([die.natural for die in drawn]), first, further)
        drawn = ref.draw(seed, first, further)
        return {
            "first": first,
            "rule": rule,
            **stream_vector(about, seed, first, further),
            "cut": len(drawn) == ref.MAX_DICE,
        }

    return [
        vector("A d6 that does not explode.", "explode", [6], lambda shown: len(shown) == 1),
        vector("A d6 that explodes once.", "explode", [6], lambda shown: len(shown) == 2),
        vector("A d6 that explodes three times.", "explode", [6], lambda shown: len(shown) == 4),
        vector(
            "Three d6, two of which explode, and one of theirs: the three are drawn before what comes next.",
            "explode",
            [6, 6, 6],
            lambda shown: len(shown) == 6 and shown[:3].count(6) == 2,
        ),
        vector(
            "A d4 and a d20 that both explode: the d4's comes first.",
            "explode",
            [4, 20],
            lambda shown: shown[:2] == [4, 20],
        ),
        vector("A d20 whose further die rejects a byte.", "explode", [20], lambda shown: len(shown) == 3),
        vector("A d1 explodes for ever: at MAX_DICE dice there are no more.", "explode", [1], lambda shown: True),
        vector(
            "700 d2, of which more explode than there is room for: those beyond MAX_DICE are left out.",
            "explode",
            [2] * 700,
            lambda shown: shown[:700].count(2) > 300,
        ),
        vector(
            "999 d1 and a d2 that explodes: 1,000 dice, and no more.",
            "explode",
            [1] * 999 + [2],
            lambda shown: shown[-1] == 2,
        ),
        vector("A d4 that says how many d6 follow.", "tell", [4], lambda shown: len(shown) == 4),
    ]


def dice_vectors() -> dict[str, Any]:
    def rejects(drawn: list[ref.Drawn]) -> bool:
        return len(drawn[0].tried) > 1

    by_hand = roll_vector(
        "One roll by hand (dice.md): roll 0, contributors keeper, alice and bob.",
        "by hand",
        "1d20",
        "all",
        3,
        1,
    )
    links = {o["author"]: o["link"] for o in by_hand["openings"]}
    by_hand["shell"] = {
        "game": by_hand["game"],
        "bobs_link": links["bob"],
        "bobs_tip": by_hand["chains"]["bob"]["tip"],
        "alices_link": links["alice"],
        "hosts_link": links["host"],
        "seed": by_hand["seed"],
        "first_32_bytes": by_hand["blocks"][0],
    }
    plain = ref.secret_of("seed")
    all_kinds = [1, 2, 6, 20, 100, 256, 257, 1000, 65_536, 65_537, 2**53 - 1]
    streams = [stream_vector(f"One d{n}.", plain, [n]) for n in all_kinds]
    streams += [
        stream_vector("All of them from one stream.", plain, all_kinds),
        stream_vector("Dice of one side take no bytes.", plain, [1, 20, 1, 20, 1]),
        stream_vector("No die.", plain, []),
        stream_vector("A die whose seven bytes lie in two blocks.", plain, [256] * 30 + [2**53 - 1]),
        stream_vector("One hundred d6: four blocks or more.", plain, [6] * 100),
    ]
    for n in (3, 6, 20, 100, 1000):
        streams.append(stream_vector(f"A d{n} whose first value is rejected.", find_seed(rejects, [n]), [n]))
    streams.append(
        stream_vector(
            "A d20 that rejects two values in a row, then a d6.",
            find_seed(lambda drawn: len(drawn[0].tried) > 2, [20]),
            [20, 6],
        )
    )
    streams.append(
        stream_vector(
            "A d257 whose first value is rejected: 65535 alone is, as 65535 = 255 * 257.",
            find_seed(rejects, [257]),
            [257],
        )
    )
    return {
        "about": "Chains, openings, seeds and dice with every number in between. See README.md.",
        "one_roll_by_hand": by_hand,
        "rolls": [
            roll_vector("The second roll of a game: index 1, links 2.", "second roll", "2d6+1d8", "all", 4, 2),
            roll_vector("Keeper and roller only.", "roller roll", "1d100", "roller", 2, 1),
            roll_vector("A list: host and bob, alice rolls.", "list roll", "1d1000+1d257", ["host", "bob"], 2, 1),
        ],
        "streams": streams,
        "dependent": dependent_vectors(),
    }
