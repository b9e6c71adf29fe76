"""Make the vectors of specs/protocol.md, "An opening by itself" and "A receipt for an opening"; results by hand.

python -m tests.make.openings             # writes specs/vectors/openings.json and openings/
python -m tests.make.openings --check     # writes nothing, exits 1 if it differs
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.make.parts import request, table, whole_roll
from tests.oracles import reference as ref

VECTORS = Path(__file__).resolve().parents[2] / "specs" / "vectors"
FILE = "openings.json"
LOG = "holds--pending-at-the-end.jsonl"


def pending() -> Any:
    """The game of LOG: a whole roll, and a request that waits."""
    w = table("pending")
    whole_roll(w, "bob")
    request(w)
    assert b"".join(line + b"\n" for line in w.lines) == (VECTORS / "logs" / LOG).read_bytes()
    return w


def sent(w: Any, opening: dict[str, Any], **replaced: Any) -> str:
    value = {
        "format": "rollproof/opening/v1",
        "game": w.game.hex(),
        "opening": opening,
        "request": ref.leaf(w.lines[-1]).hex(),
    }
    return ref.canonical(value | replaced).decode() + "\n"


def make() -> bytes:
    w = pending()
    good = w.opening("bob")
    earlier = next(n for n, line in enumerate(w.lines) if json.loads(line)["type"] == "roll")
    before = ref.leaf(w.lines[earlier])
    first = json.loads(w.lines[earlier + 1])["body"]["openings"]
    bobs_first = next(opening for opening in first if opening["author"] == "bob")
    other = "00" * 32
    cases: list[tuple[str, str, str | None]] = [
        ("bob opens for the request that waits", sent(w, good), None),
        ("without a line feed", sent(w, good).removesuffix("\n"), None),
        (
            "bob's opening for the roll before, which stands in its reveal",
            sent(w, bobs_first, request=before.hex()),
            None,
        ),
        ("for another game", sent(w, good, game=other), "game"),
        ("for a line that is not there", sent(w, good, request=other), "request"),
        ("for a line that is no request", sent(w, good, request=ref.leaf(w.lines[0]).hex()), "request"),
        ("signed for another request", sent(w, w.opening("bob", request=before)), "opening.signature"),
        ("signed by alice", sent(w, w.opening("bob", signer="alice")), "opening.signature"),
        ("another link than the next", sent(w, w.opening("bob", index=w.used["bob"] + 2)), "opening.index"),
        ("a link that is not on the chain", sent(w, w.opening("bob", link=bytes(32))), "opening.link"),
        ("by nobody at the table", sent(w, good | {"author": "zoe"}), "opening.set"),
        ("of another format", sent(w, good, format="rollproof/opening/v2"), "malformed"),
        ("with a further member", sent(w, good, note="hello"), "malformed"),
        ("not canonical: a blank", sent(w, good).replace(",", ", ", 1), "malformed"),
        ("a link in capitals", sent(w, good | {"link": good["link"].upper()}), "malformed"),
        ("longer than 1,000 bytes", sent(w, good) + " " * 1_000, "malformed"),
        ("empty", "", "malformed"),
    ]
    made = [{"about": about, "sent": text, "flaw": flaw} for about, text, flaw in cases]
    written = {"log": LOG, "openings": made, "receipts": receipts(w, good), "proofs": proofs()}
    return json.dumps(written, indent=1, ensure_ascii=False).encode() + b"\n"


def received(w: Any, opening: dict[str, Any], by: str, **replaced: Any) -> str:
    """The receipt of `by` for an opening; `key` and `label` replace what it is signed with, others its members."""
    signer, label = replaced.pop("key", by), replaced.pop("label", b"rollproof/v1/received\n")
    value = {
        "author": opening["author"],
        "format": "rollproof/received/v1",
        "game": w.game.hex(),
        "index": opening["index"],
        "link": opening["link"],
        "receiver": by,
        "request": w.asked.hex(),
    } | replaced
    message = (
        label
        + bytes.fromhex(value["game"])
        + bytes.fromhex(value["request"])
        + ref.lp(value["author"])
        + ref.u64(value["index"])
        + bytes.fromhex(value["link"])
    )
    value["sig"] = ref.private_key(signer).sign(message).hex()
    return ref.canonical(value).decode() + "\n"


def receipts(w: Any, opening: dict[str, Any]) -> list[dict[str, Any]]:
    """Receipts for bob's opening; `holds`: the receiver, a party of the log, signed that it has this opening."""
    other = "00" * 32
    good = received(w, opening, "host")
    sig = json.loads(received(w, opening, "alice"))["sig"]
    cases: list[tuple[str, str, bool]] = [
        ("the keeper received bob's opening", good, True),
        ("alice received it", received(w, opening, "alice"), True),
        ("bob himself, who may as well", received(w, opening, "bob"), True),
        ("without a line feed", good.removesuffix("\n"), True),
        ("signed by alice in the keeper's name", received(w, opening, "host", key="alice"), False),
        ("with alice's signature of hers", good.replace(json.loads(good)["sig"], sig), False),
        ("by nobody at the table", received(w, opening, "zoe"), False),
        ("signed under the label of openings", received(w, opening, "host", label=ref.OPENING_LABEL), False),
        ("signed under the label of events", received(w, opening, "host", label=ref.EVENT_LABEL), False),
        ("signed without a label", received(w, opening, "host", label=b""), False),
        ("another author put in", good.replace('"author":"bob"', '"author":"alice"'), False),
        ("another index put in", good.replace('"index":2', '"index":3'), False),
        ("another link put in", good.replace(opening["link"], other), False),
        ("another request put in", good.replace(w.asked.hex(), other), False),
        ("another game put in", good.replace(w.game.hex(), other), False),
        ("of another format", received(w, opening, "host", format="rollproof/received/v2"), False),
        ("with a further member", received(w, opening, "host", note="hello"), False),
        ("a member left out", good.replace('"index":2,', ""), False),
        ("not canonical: a blank", good.replace(",", ", ", 1), False),
        ("a signature in capitals", good.replace(json.loads(good)["sig"], json.loads(good)["sig"].upper()), False),
        ("index 0", received(w, opening, "host", index=0), False),
        ("longer than 1,000 bytes", good + " " * 1_000, False),
        ("empty", "", False),
    ]
    assert [text for _, text, _ in cases].count(good) == 1
    return [{"about": about, "sent": text, "holds": holds} for about, text, holds in cases]


def proofs() -> list[dict[str, Any]]:
    """What receipts prove with LOG and `more` lines: null is nothing, and `none` where it is no receipt of that log."""
    found: list[dict[str, Any]] = []

    def ended(about: str, acts: Callable[[Any], object], **by: str | None) -> None:
        """A log in which bob had opened, and what the receipts of some prove."""
        w = pending()
        opening, size = w.opening("bob"), len(w.data)
        lines = {name: received(w, opening, name) for name in by}
        acts(w)
        found.extend(
            {
                "about": f"{about}: {name}'s receipt",
                "more": w.data[size:].decode(),
                "sent": lines[name],
                "proves": proves,
            }
            for name, proves in by.items()
        )

    def voided(author: str, missing: list[str], *without: str) -> Callable[[Any], object]:
        return lambda w: (w.void(author, missing), w.disclose([author, *without]))

    ended("the roll waits", lambda w: None, host=None, alice=None)
    ended("the roll was revealed", lambda w: w.reveal(), host=None, alice=None)
    ended("alice names bob, and nothing is disclosed yet", lambda w: w.void("alice", ["bob"]), host=None)
    ended("alice names bob", voided("alice", ["bob"]), host=None, alice="named missing", bob=None)
    ended("alice names bob, whom the keeper leaves out", voided("alice", ["bob"], "bob"), host="kept back")
    ended("alice names nobody", voided("alice", []), host=None, alice=None)
    ended("the game was closed with it", lambda w: w.close(openings=w.openings()), host=None, alice=None)
    ended("the game was closed without it", lambda w: w.close(openings=w.openings(["bob"])), host="kept back", bob=None)
    w = pending()
    good = w.opening("bob")
    other, beyond = "00" * 32, w.opening("bob", index=w.used["bob"] + 2)
    opened = ref.leaf(w.lines[0]).hex()
    wrong: list[tuple[str, str]] = [
        ("another game", received(w, good, "host", game=other)),
        ("a line that is not there", received(w, good, "host", request=other)),
        ("a line that is no request", received(w, good, "host", request=opened)),
        ("another link", received(w, good, "host", link=other)),
        ("another link than the next", received(w, beyond, "host")),
        ("an opening of nobody's", received(w, good, "host", author="zoe")),
        ("nobody's receipt", received(w, good, "zoe")),
        ("a receipt that alice signed for the keeper", received(w, good, "host", key="alice")),
    ]
    found.extend({"about": about, "more": "", "sent": sent, "proves": "none"} for about, sent in wrong)
    return found


def all_files() -> dict[str, bytes]:
    w = pending()
    return {
        FILE: make(),
        "openings/bob.opening": sent(w, w.opening("bob")).encode(),
        "openings/bob.received": received(w, w.opening("bob"), "host").encode(),
    }


def main() -> int:
    differing = []
    for name, made in all_files().items():
        path = VECTORS / name
        if path.exists() and path.read_bytes() == made:
            continue
        differing.append(name)
        print(name)
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(made)
    return 1 if differing and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
