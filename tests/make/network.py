"""Make the vectors of specs/network.md, "Links" and "The table"; codes by hand.

python -m tests.make.network             # writes specs/vectors/network.json
python -m tests.make.network --check     # writes nothing, exits 1 if it differs
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.make.logs.replaced import Table
from tests.make.parts import PARTIES
from tests.make.profiles import Person, succession
from tests.oracles import reference as ref

FILE = Path(__file__).resolve().parents[2] / "specs" / "vectors" / "network.json"
ADDRESS = "https://dice.example.org"
TIME = "2026-11-20T19:00:00.000Z"
ROLES = ("player", "judge", "spectator")
SIGNATURES = ("sig", "invitation")


def secret(table: str, role: str) -> bytes:
    return hashlib.sha256(f"rollproof vectors link {table} {role}".encode()).digest()


def hkdf(secret: bytes, info: bytes) -> bytes:
    """RFC 5869 with SHA-256, no salt, 32 bytes: one block."""
    extracted = hmac.digest(bytes(32), secret, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")


def token(table: str, role: str) -> bytes:
    return hkdf(secret(table, role), b"rollproof/v1/token\n")


def invitation_key(table: str, role: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hkdf(secret(table, role), b"rollproof/v1/invitation key\n"))


def vkey(name: str, signer: str | None = None) -> str:
    return ref.verifier_key(name, ref.public_key(signer or name))


def message(label: str, value: dict[str, Any]) -> bytes:
    unsigned = {name: member for name, member in value.items() if name not in SIGNATURES}
    return f"rollproof/v1/{label}\n".encode() + ref.canonical(unsigned)


def signed(label: str, value: dict[str, Any], by: str) -> dict[str, Any]:
    return value | {"sig": ref.private_key(by).sign(message(label, value)).hex()}


def terms(table: str = "one", by: str = "alice", label: str = "table", **replaced: Any) -> dict[str, Any]:
    """A table of alice's; its links are named after `table`."""
    invitations = [
        {
            "key": "0" * 64
            if role == "spectator"
            else invitation_key(table, role).public_key().public_bytes_raw().hex(),
            "role": role,
            "token": hashlib.sha256(token(table, role)).hexdigest(),
        }
        for role in ROLES
    ]
    value = {
        "contributors": "all",
        "format": "rollproof/table/v1",
        "host": vkey("alice"),
        "invitations": invitations,
        "keeper": vkey("host"),
        "nonce": hashlib.sha256(f"rollproof vectors nonce {table}".encode()).hexdigest(),
        "options": {},
        "system": "dice-1",
        "time": TIME,
        "title": f"Table {table}",
    }
    return signed(label, value | replaced, by)


def line(value: dict[str, Any]) -> str:
    return ref.canonical(value).decode()


def table_id(value: dict[str, Any]) -> str:
    return hashlib.sha256(ref.canonical(value)).hexdigest()


JUDGE = {"after": 120, "key": vkey("timer")}
ONE, TWO = terms(), terms("two")
JUDGED, LISTED = terms(judge=JUDGE), terms(contributors=["bob", "host"])
LATE = terms(admits=["player", "judge"])
SECRET = terms(sealed="everyone")
STRUCK = terms(strike="all")
WITH_GM = [*ONE["invitations"], ONE["invitations"][0] | {"role": "gm"}]
ALL_LISTED = terms(contributors=["alice", "bob", "host"])
PLANES = {"planechase": True}
MAGIC = terms(system=ref.SYSTEMS[0], options=PLANES)


def link(table: str, role: str, value: dict[str, Any]) -> str:
    encoded = base64.urlsafe_b64encode(secret(table, role)).decode().rstrip("=")
    return f"{ADDRESS}/t/{table_id(value)}#{role}.{encoded}"


def seat(name: str, role: str = "player", **told: Any) -> dict[str, Any]:
    """A seat at table one. `key`: whose key it has; `by`: who signs; `invited`: whose invitation key; labels."""
    by, table, invited = told.pop("by", name), told.pop("of", "one"), told.pop("invited", role)
    labels = told.pop("labels", ("seat", "invitation"))
    value = {
        "format": "rollproof/seat/v1",
        "key": vkey(name, told.pop("key", None)),
        "role": role,
        "table": table_id(ONE),
    } | told
    value["invitation"] = invitation_key(table, invited).sign(message(labels[1], value)).hex()
    return signed(labels[0], value, by)


def start(*seats: dict[str, Any], by: str = "alice", label: str = "start", **replaced: Any) -> dict[str, Any]:
    parties = [{name: seat[name] for name in ("called", "key", "role") if name in seat} for seat in seats]
    value = {"format": "rollproof/start/v1", "parties": parties, "table": table_id(ONE)} | replaced
    return signed(label, value, by)


SEATS = [seat("alice"), seat("bob"), seat("dana", "judge")]
CALLED = (seat("alice", called="アリス"), seat("bob", called="Боб"))
ALIKE = (seat("alice", called="アリス"), seat("bob", called="アリス"))
STARTED = start(*SEATS)
KEEPER = {"key": vkey("host"), "role": "keeper"}
TIMER = {"key": vkey("timer"), "role": "judge"}


def event_zero(by: str = "host", **replaced: Any) -> str:
    parties = [KEEPER, *STARTED["parties"]]
    body = {
        "contributors": "all",
        "format": "rollproof/v1",
        "nonce": hashlib.sha256(b"rollproof vectors nonce network").hexdigest(),
        "options": {},
        "parties": parties,
        "system": "dice-1",
        "title": "Table one",
    } | replaced
    event = {
        "author": by,
        "body": body,
        "game": "0" * 64,
        "prev": "0" * 64,
        "seq": 0,
        "time": "2026-11-20T19:00:01.250Z",
        "type": "open",
    }
    event["sig"] = ref.private_key(by).sign(ref.event_message(event)).hex()
    return line(event)


def game_of(text: str) -> str:
    return ref.leaf(text.encode()).hex()


ADDRESSES = [
    "http://localhost:8706",
    "https://dice.example.org:65535/tables/of-all",
    "https://Dice.example.org",
    "https://xn--wrfel-kva.example",
    "http://127.0.0.1",
    "http://[2001:db8::7]:8706",
]
NO_ADDRESSES = {
    "a user before the host": "https://dice.example.org@evil.example",
    "a user and a password": "https://dice.example.org:443@evil.example",
    "a backslash, which browsers read as a slash": "https://evil.example\\.dice.example.org",
    "a backslash behind the host": "https://evil.example\\@dice.example.org",
    "a port that is none": "https://dice.example.org:99999",
    "port 0": "https://dice.example.org:0",
    "a port with a zero before it": "https://dice.example.org:0443",
    "a port in words": "https://dice.example.org:https",
    "no port behind the colon": "https://dice.example.org:",
    "a host that is an empty name in Punycode": "https://xn--",
    "a host in other letters": "https://d\u0456ce.example.org",
    "a host with a letter of full width": "https://dice\uff0eexample.org",
    "a host with an empty label": "https://dice..example.org",
    "a host with a dot at its end": "https://dice.example.org.",
    "a host that ends in a hyphen": "https://dice-.example.org",
    "an escape in the host": "https://dice%2eexample.org",
    "an underscore in the host": "https://dice_table.example.org",
    "a label of 64 letters": f"https://{'d' * 64}.example.org",
    "an address of IPv4 as one number": "http://2130706433",
    "an address of IPv4 in hexadecimal": "http://0x7f.0.0.1",
    "an address of IPv4 with a zero before a number": "http://127.0.0.01",
    "an address of IPv4 with two numbers": "http://127.1",
    "an address of IPv6 that is none": "http://[::1::2]",
    "an address of IPv6 with a zone": "http://[fe80::1%25eth0]",
    "a step up in the path": "https://dice.example.org/a/..",
    "an escape in the path": "https://dice.example.org/%2e%2e",
    "an empty step in the path": "https://dice.example.org//a",
    "a quotation mark in the path": "https://dice.example.org/'a",
    "a query": "https://dice.example.org?a",
    "no host": "https:///dice",
    "another scheme": "ftp://dice.example.org",
    "a scheme in capitals": "HTTPS://dice.example.org",
}


def links() -> list[dict[str, Any]]:
    here = link("one", "player", ONE)
    cases: list[tuple[str, str, str | None]] = [
        ("for players", link("one", "player", ONE), None),
        ("for a judge", link("one", "judge", ONE), None),
        ("for spectators", link("one", "spectator", ONE), None),
        ("cut off at its end", link("one", "player", ONE)[:-1], "malformed"),
        ("with padding", link("one", "player", ONE) + "=", "malformed"),
        (
            "its last character has bits that no 32 bytes have",
            link("one", "player", ONE)[:-1] + chr(ord(link("one", "player", ONE)[-1]) + 1),
            "malformed",
        ),
        ("for the keeper", link("one", "player", ONE).replace("#player", "#keeper"), "malformed"),
        ("without its secret", link("one", "player", ONE).partition("#")[0], "malformed"),
        ("a table's id in capitals", ADDRESS + link("one", "player", ONE).removeprefix(ADDRESS).upper(), "malformed"),
        *((f"at {address}", here.replace(ADDRESS, address), None) for address in ADDRESSES),
        *((about, here.replace(ADDRESS, address), "malformed") for about, address in NO_ADDRESSES.items()),
    ]
    made: list[dict[str, Any]] = []
    for about, text, flaw in cases:
        case: dict[str, Any] = {"about": about, "link": text, "flaw": flaw}
        if flaw is None:
            role = text.partition("#")[2].partition(".")[0]
            case |= {
                "address": text.partition("/t/")[0],
                "table": table_id(ONE),
                "role": role,
                "secret": secret("one", role).hex(),
                "token": token("one", role).hex(),
                "token_hash": hashlib.sha256(token("one", role)).hexdigest(),
                "invitation_key": "0" * 64
                if role == "spectator"
                else invitation_key("one", role).public_key().public_bytes_raw().hex(),
            }
        made.append(case)
    return made


def tables() -> list[dict[str, Any]]:
    """Terms, and the link with which a client looks at them."""
    player = link("one", "player", ONE)
    swapped = terms(invitations=[*TWO["invitations"][:1], *ONE["invitations"][1:]])
    doubled = terms(invitations=[*ONE["invitations"], ONE["invitations"][0]])
    cases: list[tuple[str, str, str, str | None]] = [
        ("as alice opened it", line(ONE), player, None),
        ("invitations in another order", *_both(terms(invitations=ONE["invitations"][::-1])), None),
        ("others may sign a party away", *_both(terms(away="others")), None),
        ("with the server's judge", *_both(JUDGED), None),
        ("named contributors", *_both(LISTED), None),
        ("somebody may come later", *_both(LATE), None),
        ("game masters may roll in secret", *_both(terms(sealed="kept")), None),
        ("players may roll in secret", *_both(SECRET), None),
        ("results are posted", *_both(terms(posts="#dice")), None),
        ("results are posted to a place without a name", *_both(terms(posts="")), "malformed"),
        ("the closed game is public", *_both(terms(public="https://games.example.org")), None),
        ("the closed game is public at no address", *_both(terms(public="")), "malformed"),
        (
            "that the closed game is public was put in",
            *_both(ONE | {"public": "https://games.example.org"}),
            "table.terms",
        ),
        ("where results are posted was put in", *_both(ONE | {"posts": "#dice"}), "table.terms"),
        ("all can take a roll back", *_both(STRUCK), None),
        ("some can take a roll back", *_both(terms(strike="some")), "malformed"),
        ("that all can take a roll back was put in", *_both(ONE | {"strike": "all"}), "table.terms"),
        ("secret rolls that are none", *_both(terms(sealed="never")), "malformed"),
        ("who may roll in secret was put in", *_both(ONE | {"sealed": "kept"}), "table.terms"),
        ("nobody is named who may come later", *_both(terms(admits=[])), "malformed"),
        ("a keeper may come later", *_both(terms(admits=["keeper"])), "malformed"),
        ("who may come later was put in", *_both(ONE | {"admits": ["player"]}), "table.terms"),
        ("another table of alice's", line(TWO), player, "table.terms"),
        ("another table of alice's with the same links", line(terms(title="Table two")), player, "table.terms"),
        ("another title put in", line(ONE | {"title": "Table two"}), player, "table.terms"),
        ("another title put in, and the link's table is it", *_both(ONE | {"title": "Table two"}), "table.terms"),
        ("signed by bob", *_both(terms(by="bob")), "table.terms"),
        ("signed under the label of starts", *_both(terms(label="start")), "table.terms"),
        ("the player's invitation is of another table", *_both(swapped), "table.terms"),
        ("the link's secret is another table's", line(ONE), link("two", "player", ONE), "table.terms"),
        ("the link's secret is for another role", line(ONE), _role("judge", "player"), "table.terms"),
        ("there is no link for the role", line(ONE), _role("witness", "witness"), "table.terms"),
        ("one role twice", *_both(doubled), "malformed"),
        ("no invitations", *_both(terms(invitations=[])), "malformed"),
        ("an invitation key for spectators", *_both(_spectator(ONE["invitations"][0]["key"])), "malformed"),
        ("one named contributor", *_both(terms(contributors=["host"])), "malformed"),
        ("a contributor whose name is none", *_both(terms(contributors=["host", "Bob"])), "malformed"),
        ("a judge that waits for nothing", *_both(terms(judge=JUDGE | {"after": 0})), "malformed"),
        ("a judge that waits for more than a week", *_both(terms(judge=JUDGE | {"after": 604_801})), "malformed"),
        ("a judge without its time", *_both(terms(judge={"key": vkey("timer")})), "malformed"),
        ("a judge's key that is none", *_both(terms(judge=JUDGE | {"key": "timer"})), "malformed"),
        ("options that are no object", *_both(terms(options=[])), "malformed"),
        ("a host's key with another's hash", *_both(terms(host=vkey("alice").replace("+", "+0", 1))), "malformed"),
        ("of another format", *_both(terms(format="rollproof/table/v2")), "malformed"),
        ("with a further member", *_both(terms(note="hello")), "malformed"),
        ("not canonical: a blank", line(ONE).replace(",", ", ", 1), player, "malformed"),
        ("with a line feed", line(ONE) + "\n", player, "malformed"),
    ]
    return [{"about": about, "terms": text, "link": given, "flaw": flaw} for about, text, given, flaw in cases]


def _both(value: dict[str, Any]) -> tuple[str, str]:
    return line(value), link("one", "player", value)


def _role(secret_of: str, role: str) -> str:
    return link("one", secret_of, ONE).replace(f"#{secret_of}", f"#{role}")


def _spectator(key: str) -> dict[str, Any]:
    *others, last = ONE["invitations"]
    return terms(invitations=[*others, last | {"key": key}])


def taken_tables() -> list[dict[str, Any]]:
    """Terms that a server with the keeper host and the judge timer is offered at TIME, and what it says."""
    small = [ONE["invitations"][0] | {"key": "01" + "00" * 31}, *ONE["invitations"][1:]]
    cases: list[tuple[str, dict[str, Any], str | None]] = [
        ("as alice opened it", ONE, None),
        ("five minutes later by its clock", terms(time="2026-11-20T18:55:00.000Z"), None),
        ("later than five minutes", terms(time="2026-11-20T18:54:59.999Z"), "table.terms"),
        ("dated more than five minutes ahead", terms(time="2026-11-20T19:05:00.001Z"), "table.terms"),
        ("another keeper", terms(keeper=vkey("zoe")), "table.terms"),
        ("the keeper's name with another key", terms(keeper=vkey("host", "zoe")), "table.terms"),
        ("with the server's judge", JUDGED, None),
        ("another judge", terms(judge=JUDGE | {"key": vkey("zoe")}), "table.terms"),
        ("the judge's name with another key", terms(judge=JUDGE | {"key": vkey("timer", "zoe")}), "table.terms"),
        ("named contributors", LISTED, None),
        ("named contributors without the keeper", terms(contributors=["alice", "bob"]), "table.terms"),
        ("a contributor named twice", terms(contributors=["host", "bob", "bob"]), "table.terms"),
        (
            "the server's judge among the contributors",
            terms(judge=JUDGE, contributors=["host", "timer", "bob"]),
            "table.terms",
        ),
        ("unknown rules", terms(system="dice-2"), "table.terms"),
        ("options that the rules have not", terms(options={"open": 1}), "table.terms"),
        ("rules without a game master", terms(system=ref.SYSTEMS[0], options=PLANES), None),
        ("invitations in another order", terms(invitations=ONE["invitations"][::-1]), None),
        ("a game master's link", terms(invitations=WITH_GM), None),
        (
            "a game master's link where the rules have none",
            terms(system=ref.SYSTEMS[0], options=PLANES, invitations=WITH_GM),
            "table.terms",
        ),
        ("an invitation key of small order", terms(invitations=small), "table.terms"),
        ("a player and a judge may come later", LATE, None),
        (
            "a judge may come later to a game of two",
            terms(system=ref.SYSTEMS[0], options=PLANES, admits=["judge"]),
            None,
        ),
        (
            "a player may come later to a game of two",
            terms(system=ref.SYSTEMS[0], options=PLANES, admits=["player"]),
            "table.terms",
        ),
        ("a role may come later, twice", terms(admits=["judge", "judge"]), "table.terms"),
        ("a role may come later that has no link", terms(admits=["witness"]), "table.terms"),
        (
            "the host has the keeper's key, and says who comes later",
            terms(by="host", host=vkey("host"), admits=["player"]),
            "table.terms",
        ),
        (
            "the host has the keeper's key under another name, and says who comes later",
            terms(by="host", host=vkey("alice", "host"), admits=["player"]),
            "table.terms",
        ),
        ("the host has the keeper's key, and nobody comes later", terms(by="host", host=vkey("host")), None),
        ("results are posted where this server posts none", terms(posts="#dice"), "table.terms"),
        ("games are public, and this server has none", terms(public="https://games.example.org"), "table.terms"),
        ("game masters may roll in secret", terms(sealed="kept", invitations=WITH_GM), None),
        ("game masters may roll in secret, and have no link", terms(sealed="kept"), "table.terms"),
        ("players may roll in secret too", SECRET, None),
        ("all can take a roll back", STRUCK, None),
        (
            "secret rolls where the rules have none",
            terms(system=ref.SYSTEMS[0], options=PLANES, sealed="everyone"),
            "table.terms",
        ),
        ("signed by bob", terms(by="bob"), "table.terms"),
    ]
    return [{"about": about, "terms": line(value), "now": TIME, "flaw": flaw} for about, value, flaw in cases]


def seats() -> list[dict[str, Any]]:
    """Seats that are offered at table one, when alice, bob and dana have theirs."""
    zoe = seat("zoe")
    cases: list[tuple[str, str, str | None]] = [
        ("zoe's", line(zoe), None),
        ("the name of a judge whom the server has, and the table has not", line(seat("timer")), None),
        ("bob's again", line(SEATS[1]), None),
        ("called in her script", line(seat("zoe", called="ゾーイ")), None),
        ("called by her own name", line(seat("zoe", called="zoe")), None),
        ("called bob", line(seat("zoe", called="bob")), "table.name"),
        ("called by the keeper's name", line(seat("zoe", called="host")), "table.name"),
        ("what she is called put in", line(zoe | {"called": "ゾーイ"}), "table.seat"),
        ("called with a blank before it", line(seat("zoe", called=" zoe")), "malformed"),
        ("called with what is not seen", line(seat("zoe", called="z\u200boe")), "malformed"),
        ("bob's name with zoe's key", line(seat("bob", key="zoe", by="zoe")), "table.name"),
        ("the keeper's name with zoe's key", line(seat("host", key="zoe", by="zoe")), "table.name"),
        ("bob's key under another name", line(seat("rob", key="bob", by="bob")), "table.seat"),
        ("bob as judge too", line(seat("bob", "judge")), "table.seat"),
        ("the keeper's key", line(seat("host")), "table.seat"),
        ("zoe's at another table", line(seat("zoe", table=table_id(TWO))), "table.seat"),
        ("zoe's of another table, its id put in", line(_moved()), "table.seat"),
        ("by the link of another table", line(seat("zoe", of="two")), "table.seat"),
        ("as a judge by the players' link", line(seat("zoe", "judge", invited="player")), "table.seat"),
        ("the role put in", line(zoe | {"role": "judge"}), "table.seat"),
        ("a role that has no link", line(seat("zoe", "witness")), "table.seat"),
        ("alice's key put in", line(zoe | {"key": vkey("carol")}), "table.seat"),
        ("zoe's key, signed by bob", line(seat("zoe", by="bob")), "table.seat"),
        ("with bob's invitation", line(zoe | {"invitation": SEATS[1]["invitation"]}), "table.seat"),
        ("with bob's signature", line(zoe | {"sig": SEATS[1]["sig"]}), "table.seat"),
        ("both signatures under one label", line(seat("zoe", labels=("seat", "seat"))), "table.seat"),
        ("the labels changed over", line(seat("zoe", labels=("invitation", "seat"))), "table.seat"),
        ("a spectator's", line(seat("zoe", "spectator")), "malformed"),
        ("a keeper's", line(seat("zoe", "keeper", invited="player")), "malformed"),
        ("a name that is none", line(seat("file", by="zoe")), "malformed"),
        ("of another format", line(seat("zoe", format="rollproof/seat/v2")), "malformed"),
        ("not canonical: a blank", line(zoe).replace(",", ", ", 1), "malformed"),
    ]
    judged: list[tuple[str, dict[str, Any], str]] = [
        ("the key of the server's judge", seat("tim", key="timer", by="timer", table=table_id(JUDGED)), "table.seat"),
        ("the name of the server's judge", seat("timer", key="zoe", by="zoe", table=table_id(JUDGED)), "table.name"),
    ]
    made = [{"about": about, "seat": text, "flaw": flaw} for about, text, flaw in cases]
    return made + [
        {"about": about, "seat": line(value), "terms": line(JUDGED), "flaw": flaw} for about, value, flaw in judged
    ]


def _moved() -> dict[str, Any]:
    return seat("zoe", table=table_id(TWO), of="two") | {"table": table_id(ONE)}


def unseats() -> list[dict[str, Any]]:
    """Those whom the host of table one takes out."""

    def unseat(by: str = "alice", label: str = "unseat", **replaced: Any) -> str:
        value = {"format": "rollproof/unseat/v1", "key": vkey("bob"), "table": table_id(ONE)} | replaced
        return line(signed(label, value, by))

    cases: list[tuple[str, str, str | None]] = [
        ("bob", unseat(), None),
        ("zoe, who has no seat", unseat(key=vkey("zoe")), None),
        ("signed by bob", unseat("bob"), "table.host"),
        ("of another table", unseat(table=table_id(TWO)), "table.host"),
        ("signed under the label of seats", unseat(label="seat"), "table.host"),
        ("a key that is none", unseat(key="bob"), "malformed"),
        ("with a further member", unseat(note="hello"), "malformed"),
    ]
    return [{"about": about, "unseat": text, "flaw": flaw} for about, text, flaw in cases]


def invite(count: int = 1, role: str = "player", of: str = "new", **told: Any) -> dict[str, Any]:
    """A new link of table one, whose secret is named after `of`."""
    by, label = told.pop("by", "alice"), told.pop("label", "invite")
    spectator = role == "spectator"
    key = "0" * 64 if spectator else invitation_key(of, role).public_key().public_bytes_raw().hex()
    link = {"key": key, "role": role, "token": hashlib.sha256(token(of, role)).hexdigest()} | told.pop("link", {})
    value = {"count": count, "format": "rollproof/invite/v1", "link": link, "table": table_id(ONE)} | told
    return signed(label, value, by)


def invites() -> list[dict[str, Any]]:
    """New links that are offered at table one, when `INVITES` were made."""
    small = {"key": "01" + "00" * 31}
    cases: list[tuple[str, str, str | None]] = [
        ("the players' second", line(invite(2, of="third")), None),
        ("the players' last that there can be", line(invite(64, of="third")), None),
        ("the spectators' first", line(invite(role="spectator")), None),
        ("the players' first again", line(INVITES[0]), None),
        ("with the count of another", line(invite(of="third")), "table.invite"),
        ("signed by bob", line(invite(2, of="third", by="bob")), "table.host"),
        ("of another table", line(invite(2, of="third", table=table_id(TWO))), "table.host"),
        ("signed under the label of starts", line(invite(2, of="third", label="start")), "table.host"),
        ("a role that has no link", line(invite(role="witness")), "table.host"),
        ("a key of small order", line(invite(2, of="third", link=small)), "table.host"),
        ("an invitation key for spectators", line(invite(role="spectator", link={"key": "01" * 32})), "malformed"),
        ("no invitation key for players", line(invite(2, link={"key": "0" * 64})), "malformed"),
        ("a count of 0", line(invite(0)), "malformed"),
        ("a count of 65", line(invite(65)), "malformed"),
        ("with a further member", line(invite(2, note="hello")), "malformed"),
    ]
    return [{"about": about, "invite": text, "flaw": flaw} for about, text, flaw in cases]


def invited_links() -> list[dict[str, Any]]:
    """Links to table one, with the invites that the server shows."""
    new, old = link("new", "player", ONE), link("one", "player", ONE)
    third = link("third", "player", ONE)
    shown = [line(each) for each in INVITES]
    cases: list[tuple[str, str, list[str], bool, str | None]] = [
        ("the new one", new, shown, False, None),
        ("the one before: who sits by it goes on", old, shown, True, None),
        ("of a role that has no new one", link("one", "judge", ONE), shown, False, None),
        ("the new one, and the invite is not shown", new, [], False, "table.terms"),
        ("of an invite that bob signed", third, [line(invite(2, of="third", by="bob"))], False, "table.terms"),
        ("of an invite of another table", third, [line(invite(2, of="third", table=table_id(TWO)))], False,
         "table.terms"),
        ("of the second invite with one count", third, [*shown, line(invite(of="third"))], False, "table.terms"),
        ("the new one of another, later one", new, [*shown, line(invite(2, of="third"))], True, None),
        ("the new one, with a later one that bob signed", new, [*shown, line(invite(2, of="third", by="bob"))], False,
         None),
    ]  # fmt: skip
    return [
        {"about": about, "link": text, "invites": told, "ended": ended, "flaw": flaw}
        for about, text, told, ended, flaw in cases
    ]


def invited_seats() -> list[dict[str, Any]]:
    """Seats that are offered at table one, with `INVITES` made: what the server says, and what a client shown them."""
    later = [*INVITES, invite(2, of="third")]
    cases: list[tuple[str, dict[str, Any], list[dict[str, Any]], str | None, str | None]] = [
        ("by the new link", seat("zoe", of="new"), INVITES, None, None),
        ("by the one before", seat("zoe"), INVITES, "table.seat", None),
        ("by the one before the latest", seat("zoe", of="new"), later, "table.seat", None),
        ("by the latest", seat("zoe", of="third"), later, None, None),
        ("by the judge's, which is as it was", seat("zoe", "judge"), INVITES, None, None),
        ("by a link that was never made", seat("zoe", of="third"), INVITES, "table.seat", "table.seat"),
        ("as a judge by the players' new link", seat("zoe", "judge", of="new", invited="player"), INVITES,
         "table.seat", "table.seat"),
    ]  # fmt: skip
    return [
        {"about": about, "seat": line(value), "invites": [line(each) for each in made], "flaw": flaw, "shown": shown}
        for about, value, made, flaw, shown in cases
    ]


def starts() -> list[dict[str, Any]]:
    """Starts of table one with the seats of alice, bob and dana, or of `terms` with `seats`."""
    unseated = {"key": vkey("zoe"), "role": "player"}
    judge = {"key": vkey("bob"), "role": "judge"}
    cases: list[tuple[str, str, str | None]] = [
        ("with all", line(STARTED), None),
        ("with alice alone", line(start(SEATS[0])), None),
        ("in another order", line(start(SEATS[2], SEATS[1])), None),
        ("signed by bob", line(start(*SEATS, by="bob")), "table.host"),
        ("signed under the label of seats", line(start(*SEATS, label="seat")), "table.host"),
        ("a party taken out", line(STARTED | {"parties": STARTED["parties"][:2]}), "table.host"),
        ("of another table", line(start(*SEATS, table=table_id(TWO))), "table.host"),
        ("zoe has no seat", line(start(parties=[unseated])), "table.start"),
        ("bob's seat is a player's", line(start(parties=[judge])), "table.start"),
        ("nobody plays", line(start(SEATS[2])), "table.start"),
        ("bob twice", line(start(SEATS[1], SEATS[1])), "table.start"),
        ("no parties", line(start()), "malformed"),
        ("a party whose key is none", line(start(parties=[{"key": "alice", "role": "player"}])), "malformed"),
        ("a keeper", line(start(parties=[{"key": vkey("host"), "role": "keeper"}])), "malformed"),
        ("not canonical: a blank", line(STARTED).replace(",", ", ", 1), "malformed"),
    ]
    made: list[dict[str, Any]] = [{"about": about, "start": text, "flaw": flaw} for about, text, flaw in cases]
    for about, table, names, flaw in (
        ("all who contribute play", LISTED, ("alice", "bob"), None),
        ("nobody plays who is to contribute", LISTED, ("alice",), "table.start"),
        ("one of two who are to contribute does not play", ALL_LISTED, ("alice",), "table.start"),
    ):
        sat = [seat(name, table=table_id(table)) for name in names]
        told = {"terms": line(table), "seats": [line(each) for each in sat], "flaw": flaw}
        made.append({"about": about, "start": line(start(*sat, table=table_id(table)))} | told)
    for about, parties, flaw in (
        ("called as at their seats", CALLED, None),
        ("alice is called otherwise than at her seat", (CALLED[0] | {"called": "Alice"}, CALLED[1]), "table.start"),
        ("alice is called nothing, and is at her seat", (SEATS[0], CALLED[1]), "table.start"),
        ("both are called the same", ALIKE, "table.start"),
    ):
        sat = list(ALIKE if parties is ALIKE else CALLED)
        made.append(
            {"about": about, "start": line(start(*parties)), "seats": [line(each) for each in sat], "flaw": flaw}
        )
    return made


def opened() -> list[dict[str, Any]]:
    """Event 0 that is shown for table one, started with all; or for `terms`, with `seats` and `start`."""
    good = event_zero()
    keeper, others = KEEPER, list(STARTED["parties"])
    cases: list[tuple[str, dict[str, Any], str | None]] = [
        ("as agreed", {"line": good}, None),
        ("other options", {"line": event_zero(options={"decks": True})}, "table.opened"),
        ("another system", {"line": event_zero(system=ref.SYSTEMS[0])}, "table.opened"),
        ("another title", {"line": event_zero(title="Table two")}, "table.opened"),
        ("other contributors", {"line": event_zero(contributors="roller")}, "table.opened"),
        ("away by the others", {"line": event_zero(away="others")}, "table.opened"),
        (
            "goes on from a game",
            {"line": event_zero(continues={"game": "1" * 64, "root": "2" * 64, "size": 3})},
            "table.opened",
        ),
        ("a party more", {"line": event_zero(parties=[keeper, *others, _zoe()])}, "table.opened"),
        ("a party less", {"line": event_zero(parties=[keeper, *others[:2]])}, "table.opened"),
        ("another order", {"line": event_zero(parties=[keeper, others[1], others[0], others[2]])}, "table.opened"),
        (
            "bob has another key",
            {"line": event_zero(parties=[keeper, others[0], {"key": vkey("bob", "zoe"), "role": "player"}, others[2]])},
            "table.opened",
        ),
        (
            "the keeper has another key",
            {"line": event_zero("zoe", parties=[{"key": vkey("zoe"), "role": "keeper"}, *others])},
            "table.opened",
        ),
        ("signed by zoe in the keeper's name", {"line": _forged()}, "table.opened"),
        ("of another game than was shown", {"line": good, "game": "1" * 64}, "table.opened"),
        ("a seat of a party is missing", {"line": good, "seats": [line(SEATS[0]), line(SEATS[2])]}, "table.start"),
        (
            "a seat of a party does not hold",
            {"line": good, "seats": [line(SEATS[0]), line(SEATS[1] | {"sig": SEATS[0]["sig"]}), line(SEATS[2])]},
            "table.seat",
        ),
        (
            "the start is not the host's",
            {"line": good, "start": line(start(*SEATS, by="bob"))},
            "table.host",
        ),
    ]
    said = {"seats": [line(each) for each in CALLED], "start": line(start(*CALLED))}
    both = [{name: each[name] for name in ("called", "key", "role")} for each in CALLED]
    cases += [
        ("called as at their seats", said | {"line": event_zero(parties=[keeper, *both])}, None),
        (
            "what they are called is left out",
            said | {"line": event_zero(parties=[keeper, *others[:2]])},
            "table.opened",
        ),
        (
            "what they are called is changed over",
            said | {"line": event_zero(parties=[keeper, both[0] | {"called": "Боб"}, both[1] | {"called": "アリス"}])},
            "table.opened",
        ),
    ]
    judged, listed = _started(JUDGED), _started(LISTED)
    parties = [keeper, TIMER, *others]
    cases += [
        ("with the server's judge", judged | {"line": event_zero(parties=parties, judge="timer")}, None),
        ("the server's judge is left out", judged | {"line": good}, "table.opened"),
        ("it does not say whose judge it is", judged | {"line": event_zero(parties=parties)}, "table.opened"),
        (
            "the server puts in another judge",
            judged
            | {"line": event_zero(parties=[keeper, {"key": vkey("zoe"), "role": "judge"}, *others], judge="zoe")},
            "table.opened",
        ),
        (
            "the server's judge has another key",
            judged
            | {
                "line": event_zero(
                    parties=[keeper, {"key": vkey("timer", "zoe"), "role": "judge"}, *others], judge="timer"
                )
            },
            "table.opened",
        ),
        (
            "a player's judge is said to be the server's",
            judged | {"line": event_zero(parties=parties, judge="dana")},
            "table.opened",
        ),
        (
            "a judge of the server's that nobody agreed to",
            {"line": event_zero(parties=parties, judge="timer")},
            "table.opened",
        ),
        ("dana is said to be the server's judge", {"line": event_zero(judge="dana")}, "table.opened"),
        ("named contributors, in party order", listed | {"line": event_zero(contributors=["host", "bob"])}, None),
        ("all contribute, not those named", listed | {"line": good}, "table.opened"),
        ("others contribute", listed | {"line": event_zero(contributors=["host", "alice"])}, "table.opened"),
        ("one contributes more", listed | {"line": event_zero(contributors=["host", "alice", "bob"])}, "table.opened"),
    ]
    late, host = _started(LATE), vkey("alice")
    cases += [
        ("somebody may come later", late | {"line": event_zero(admits=LATE["admits"], host=host)}, None),
        ("nobody comes later", late | {"line": good}, "table.opened"),
        ("nobody's word is asked", late | {"line": event_zero(admits=LATE["admits"])}, "table.opened"),
        (
            "another's word is asked",
            late | {"line": event_zero(admits=LATE["admits"], host=vkey("bob"))},
            "table.opened",
        ),
        (
            "the host's name with another key",
            late | {"line": event_zero(admits=LATE["admits"], host=vkey("alice", "bob"))},
            "table.opened",
        ),
        ("another role may come later", late | {"line": event_zero(admits=["player"], host=host)}, "table.opened"),
        (
            "somebody may come later, and nobody agreed to it",
            {"line": event_zero(admits=["player"], host=host)},
            "table.opened",
        ),
    ]
    struck = _started(STRUCK)
    secret, kept = _started(SECRET), _started(terms(sealed="kept", admits=["gm"]))
    cases += [
        ("players may roll in secret", secret | {"line": event_zero(sealed="everyone")}, None),
        (
            "game masters may roll in secret, and come later",
            kept | {"line": event_zero(sealed="kept", admits=["gm"], host=host)},
            None,
        ),
        (
            "players roll in secret where game masters alone may",
            kept | {"line": event_zero(sealed="everyone", admits=["gm"], host=host)},
            "table.opened",
        ),
        ("nobody rolls in secret", secret | {"line": good}, "table.opened"),
        ("all can take a roll back", struck | {"line": event_zero(strike="all")}, None),
        ("nobody can take a roll back", struck | {"line": good}, "table.opened"),
        ("all can take a roll back, and nobody agreed to it", {"line": event_zero(strike="all")}, "table.opened"),
        ("somebody rolls in secret, and nobody agreed to it", {"line": event_zero(sealed="everyone")}, "table.opened"),
    ]
    magic = _started(MAGIC)
    cases += [
        ("the terms are not the host's", _started(terms(by="bob")) | {"line": good}, "table.terms"),
        ("with options", magic | {"line": event_zero(system=ref.SYSTEMS[0], options=PLANES)}, None),
        (
            "options that the rules have, and that nobody agreed to",
            magic | {"line": event_zero(system=ref.SYSTEMS[0], options={"planechase": False})},
            "table.opened",
        ),
    ]
    return [{"about": about, "game": game_of(case["line"])} | case | {"flaw": flaw} for about, case, flaw in cases]


def late_game() -> str:
    """The id of the game of the table `LATE`."""
    return game_of(event_zero(admits=LATE["admits"], host=vkey("alice")))


def asked() -> list[dict[str, Any]]:
    """Seats at the table `LATE`, whose game has begun with alice, bob and dana."""

    def late(name: str, role: str = "player", **told: Any) -> str:
        return line(seat(name, role, table=table_id(LATE), **told))

    cases: list[tuple[str, str, str | None]] = [
        ("zoe as a player", late("zoe"), None),
        ("zoe as a judge", late("zoe", "judge"), None),
        ("in a role that has no link", late("zoe", "witness"), "table.seat"),
        ("bob's name with zoe's key", late("bob", key="zoe", by="zoe"), "table.name"),
        ("the keeper's name with zoe's key", late("host", key="zoe", by="zoe"), "table.name"),
        ("a name that looks like bob", late("b0b", key="zoe", by="zoe"), "table.name"),
        ("bob's key under another name", late("rob", key="bob", by="bob"), "table.seat"),
        ("the keeper's key", late("zoe", key="host", by="host"), "table.seat"),
    ]
    made = [{"about": about, "asks": text, "terms": line(LATE), "flaw": flaw} for about, text, flaw in cases]
    players = terms(admits=["player"])
    judge = line(seat("zoe", "judge", table=table_id(players)))
    return [
        *made,
        {
            "about": "in a role that nobody comes later in",
            "asks": judge,
            "terms": line(players),
            "flaw": "table.started",
        },
    ]


def lost_log(*, waits: bool = False) -> list[str]:
    """The game of table one, whose players named recovery keys; with `waits`, bob's is about to take effect."""
    w = Table("network", PARTIES["three, dana"])
    if waits:
        w.sign_away()
        w.succeed(number=3)
    w.leave("carol", "carol")
    return [each.decode() for each in w.lines]


def lost(name: str = "bob", role: str = "player", number: int = 2, **told: Any) -> dict[str, Any]:
    """A seat at table one that asks to go on in the place of a party's first key."""
    key = f"{name} {number}"
    return seat(name, role, **{"key": key, "by": key, "replaces": vkey(name), **told})


def followed(name: str = "bob", number: int = 2, old: int = 1) -> dict[str, Any]:
    return succession(Person(name, old), Person(name, number))


def going_on() -> list[dict[str, Any]]:
    """Seats at table one, whose game has begun (`lost_log`), in the place of a lost browser's."""
    other = followed() | {"sig": followed(number=3)["sig"]}
    cases: list[tuple[str, str, str | None]] = [
        ("bob, by his recovery key", line(lost(succession=followed())), None),
        ("bob, by the others' word", line(lost()), None),
        ("the replaced key put in", line(lost() | {"replaces": vkey("alice", "bob")}), "malformed"),
        (
            "what it replaces put in",
            line(seat("bob", key="bob 2", by="bob 2") | {"replaces": vkey("bob")}),
            "table.seat",
        ),
        ("the succession put in", line(lost() | {"succession": followed()}), "table.seat"),
        ("in another's place", line(lost(replaces=vkey("alice"))), "malformed"),
        ("called otherwise", line(lost(called="Боб")), "malformed"),
        (
            "a succession that is for no place",
            line(seat("bob", key="bob 2", by="bob 2", succession=followed())),
            "malformed",
        ),
        ("a succession with a further member", line(lost(succession=followed() | {"note": "hello"})), "malformed"),
        ("what it replaces is no key", line(lost(replaces="bob")), "malformed"),
        ("in the place of a key that bob never had", line(lost(replaces=vkey("bob", "bob 4"))), "table.seat"),
        ("as a judge", line(lost(role="judge", invited="judge")), "table.seat"),
        ("dana, who judges", line(lost("dana", "judge")), "table.seat"),
        ("carol, who has left", line(lost("carol")), "table.seat"),
        ("zoe, who does not play", line(lost("zoe")), "table.seat"),
        ("with alice's key", line(lost(key="alice", by="alice")), "table.seat"),
        ("by a succession to another key", line(lost(succession=followed(number=3))), "table.seat"),
        ("by a succession from another key", line(lost(succession=followed(old=4))), "table.seat"),
        ("by a succession that does not hold", line(lost(succession=other)), "table.seat"),
        ("by alice's succession", line(lost(succession=followed("alice"))), "table.seat"),
    ]
    return [{"about": about, "goes_on": text, "flaw": flaw} for about, text, flaw in cases]


def wishes() -> list[dict[str, Any]]:
    """Wishes for the seats `wished_seats`, in the game of `lost_log`; `waits`: where bob's recovery key has signed."""
    game = json.loads(lost_log()[1])["game"]

    def wish(
        by: str = "alice", name: str = "bob", signer: str | None = None, label: str = "replace", **put: Any
    ) -> str:
        key = vkey("bob", "bob 2")
        whose = signer or by
        value = {
            "by": vkey(name if by.startswith(name) else by, whose),
            "format": "rollproof/replace/v1",
            "game": game,
            "key": key,
        }
        return line(signed(label, value | put, whose))

    recovered = {"key": vkey("bob", "bob 5")}
    cases: list[tuple[str, str, bool, str | None]] = [
        ("alice's", wish(), False, None),
        ("his own, by the others' word", wish("bob 2"), False, "table.seat"),
        ("by the key that he lost", wish("bob"), False, "table.seat"),
        ("by dana, who judges", wish("dana"), False, "table.seat"),
        ("by carol, who has left", wish("carol"), False, "table.seat"),
        ("by the keeper", wish("host"), False, "table.seat"),
        ("by zoe, who does not play", wish("zoe"), False, "table.seat"),
        ("by alice's name and another key", wish("alice", signer="zoe"), False, "table.seat"),
        ("for a key that does not ask", wish(key=vkey("bob", "bob 4")), False, "table.seat"),
        ("for a party's seat", wish(key=vkey("alice")), False, "table.seat"),
        ("of another game", wish(game="1" * 64), False, "table.seat"),
        ("signed under the label of seats", wish(label="seat"), False, "table.seat"),
        ("by his own key, with a succession", wish("bob 5", **recovered), False, None),
        ("alice's, where he has a succession", wish(**recovered), False, "table.seat"),
        ("alice's, where the recovery key has signed for another", wish(), True, "table.seat"),
        ("his own, where the recovery key has signed for another", wish("bob 5", **recovered), True, None),
        ("with a further member", wish(note="hello"), False, "malformed"),
        ("a key that is none", wish(key="bob"), False, "malformed"),
        ("by nobody", line(json.loads(wish()) | {"by": "bob"}), False, "malformed"),
    ]
    return [{"about": about, "wish": text, "waits": waits, "flaw": flaw} for about, text, waits, flaw in cases]


def wished_seats() -> list[str]:
    asks = lost(), lost(number=5, succession=followed(number=5))
    return [line(each) for each in (*SEATS, *asks)]


def words() -> list[dict[str, Any]]:
    """Words of the host of the table `LATE` for its game."""
    game, head = late_game(), "5" * 64

    def word(by: str = "alice", label: str = "admit", **replaced: Any) -> str:
        value = {"format": "rollproof/admit/v1", "game": game, "head": head, "key": vkey("zoe"), "role": "player"}
        return line(signed(label, value | replaced, by))

    cases: list[tuple[str, str, str | None]] = [
        ("alice's", word(), None),
        ("for a judge", word(role="judge"), None),
        ("signed by bob", word("bob"), "table.host"),
        ("of another game", word(game="1" * 64), "table.host"),
        ("for another key", line(json.loads(word()) | {"key": vkey("yves")}), "table.host"),
        ("for another role", line(json.loads(word()) | {"role": "judge"}), "table.host"),
        ("upon another line", line(json.loads(word()) | {"head": "6" * 64}), "table.host"),
        ("signed under the label of seats", word(label="seat"), "table.host"),
        ("for a keeper", word(role="keeper"), "malformed"),
        ("a key that is none", word(key="zoe"), "malformed"),
        ("with a further member", word(note="hello"), "malformed"),
        ("not canonical: a blank", word().replace(",", ", ", 1), "malformed"),
    ]
    return [
        {"about": about, "word": text, "terms": line(LATE), "game": game, "flaw": flaw} for about, text, flaw in cases
    ]


def _started(table: dict[str, Any]) -> dict[str, Any]:
    """Another table of alice's with the seats and the start of table one."""
    id_ = table_id(table)
    sat = [seat("alice", table=id_), seat("bob", table=id_), seat("dana", "judge", table=id_)]
    return {"terms": line(table), "seats": [line(each) for each in sat], "start": line(start(*sat, table=id_))}


def _zoe() -> dict[str, Any]:
    return {"key": vkey("zoe"), "role": "player"}


def _forged() -> str:
    event = json.loads(event_zero())
    event["sig"] = ref.private_key("zoe").sign(ref.event_message(event)).hex()
    return line(event)


def accesses() -> list[dict[str, Any]]:
    """Access to the game of `opened`'s first case, at TIME."""
    game = game_of(event_zero())

    def access(by: str = "bob", label: str = "access", **replaced: Any) -> str:
        value = {"format": "rollproof/access/v1", "game": game, "party": "bob", "time": TIME} | replaced
        return line(signed(label, value, by))

    cases: list[tuple[str, str, str | None]] = [
        ("bob's", access(), None),
        ("the keeper's", access("host", party="host"), None),
        ("signed by alice", access("alice"), "not-found"),
        ("by nobody of the game", access("zoe", party="zoe"), "not-found"),
        ("to another game", access(game="1" * 64), "not-found"),
        ("signed under the label of tables", access(label="table"), "not-found"),
        ("five minutes later", access(time="2026-11-20T18:55:00.000Z"), None),
        ("later than five minutes", access(time="2026-11-20T18:54:59.999Z"), "access.time"),
        ("dated more than five minutes ahead", access(time="2026-11-20T19:05:00.001Z"), "access.time"),
        ("there is no such day", access(time="2026-02-30T19:00:00.000Z"), "malformed"),
        ("with a further member", access(note="hello"), "malformed"),
    ]
    return [{"about": about, "access": text, "flaw": flaw} for about, text, flaw in cases]


def deletions() -> list[dict[str, Any]]:
    """Deletions of table one."""

    def delete(by: str = "alice", label: str = "delete", **replaced: Any) -> str:
        return line(signed(label, {"format": "rollproof/delete/v1", "table": table_id(ONE)} | replaced, by))

    cases: list[tuple[str, str, str | None]] = [
        ("alice's", delete(), None),
        ("bob's", delete("bob"), "table.host"),
        ("of another table", delete(table=table_id(TWO)), "table.host"),
        ("signed under the label of starts", delete(label="start"), "table.host"),
        ("with a further member", delete(note="hello"), "malformed"),
    ]
    return [{"about": about, "delete": text, "flaw": flaw} for about, text, flaw in cases]


def closings() -> list[dict[str, Any]]:
    """Wishes to close the game of `opened`'s first case."""
    game = game_of(event_zero())

    def closing(by: str = "alice", label: str = "close", **replaced: Any) -> str:
        value = {"format": "rollproof/close/v1", "game": game, "table": table_id(ONE)} | replaced
        return line(signed(label, value, by))

    cases: list[tuple[str, str, str | None]] = [
        ("alice's", closing(), None),
        ("bob's", closing("bob"), "table.host"),
        ("of another table", closing(table=table_id(TWO)), "table.host"),
        ("of another game", closing(game="1" * 64), "table.host"),
        ("signed under the label of deletions", closing(label="delete"), "table.host"),
        ("with a further member", closing(note="hello"), "malformed"),
    ]
    return [{"about": about, "closing": text, "flaw": flaw} for about, text, flaw in cases]


def publishes() -> list[dict[str, Any]]:
    """Wishes to publish a roll of the game of `opened`'s first case."""
    game = game_of(event_zero())
    nonce = hashlib.sha256(b"rollproof vectors nonce publish").hexdigest()

    def publish(by: str = "bob", label: str = "publish", **replaced: Any) -> str:
        value = {
            "format": "rollproof/publish/v1",
            "game": game,
            "names": False,
            "nonce": nonce,
            "party": "bob",
            "request": 7,
        }
        return line(signed(label, value | replaced, by))

    cases: list[tuple[str, str, str | None]] = [
        ("bob's", publish(), None),
        ("with names", publish(names=True), None),
        ("with another nonce", publish(nonce="1" * 64), None),
        ("signed by alice", publish("alice"), "roll.party"),
        ("by nobody of the game", publish("zoe", party="zoe"), "roll.party"),
        ("of another game", publish(game="1" * 64), "roll.party"),
        ("signed under the label of revokes", publish(label="revoke"), "roll.party"),
        ("of event -1", publish(request=-1), "malformed"),
        ("names that are no boolean", publish(names=1), "malformed"),
        ("without a nonce", line(without("nonce", json.loads(publish()))), "malformed"),
        ("with a further member", publish(note="hello"), "malformed"),
        ("not canonical: a blank", publish().replace(",", ", ", 1), "malformed"),
    ]
    return [
        {"about": about, "publish": text, "flaw": flaw}
        | ({} if flaw else {"roll": hashlib.sha256(text.encode()).hexdigest()[:32]})
        for about, text, flaw in cases
    ]


def without(name: str, value: dict[str, Any]) -> dict[str, Any]:
    return {each: member for each, member in value.items() if each != name}


def revokes() -> list[dict[str, Any]]:
    """Wishes to revoke what `publishes`' first case published."""
    game, roll = game_of(event_zero()), publishes()[0]["roll"]

    def revoke(by: str = "bob", label: str = "revoke", **replaced: Any) -> str:
        value = {"format": "rollproof/revoke/v1", "game": game, "party": "bob", "roll": roll}
        return line(signed(label, value | replaced, by))

    cases: list[tuple[str, str, str | None]] = [
        ("bob's", revoke(), None),
        ("signed by alice", revoke("alice"), "roll.party"),
        ("by nobody of the game", revoke("zoe", party="zoe"), "roll.party"),
        ("of another game", revoke(game="1" * 64), "roll.party"),
        ("signed under the label of publishes", revoke(label="publish"), "roll.party"),
        ("an id that is too short", revoke(roll=roll[1:]), "malformed"),
        ("an id in capitals", revoke(roll=roll.upper()), "malformed"),
        ("with a further member", revoke(note="hello"), "malformed"),
    ]
    return [{"about": about, "revoke": text, "flaw": flaw} for about, text, flaw in cases]


INVITES = [invite()]


def make() -> bytes:
    value = {
        "keeper": vkey("host"),
        "judge": vkey("timer"),
        "terms": line(ONE),
        "seats": [line(seat) for seat in SEATS],
        "start": line(STARTED),
        "links": links(),
        "tables": tables(),
        "taken_tables": taken_tables(),
        "taken_seats": seats(),
        "unseats": unseats(),
        "invites": [line(each) for each in INVITES],
        "taken_invites": invites(),
        "invited_links": invited_links(),
        "invited_seats": invited_seats(),
        "starts": starts(),
        "opened": opened(),
        "asked": asked(),
        "words": words(),
        "lost_log": lost_log(),
        "waiting_log": lost_log(waits=True),
        "going_on": going_on(),
        "wished_seats": wished_seats(),
        "wishes": wishes(),
        "accesses": accesses(),
        "closings": closings(),
        "deletions": deletions(),
        "publishes": publishes(),
        "revokes": revokes(),
    }
    return json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"


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
