"""Make the vectors of specs/disputes.md and specs/roster.md from those pages alone; results are stated by hand.

python -m tests.make.disputes             # writes specs/vectors/disputes.json and the files of disputes/
python -m tests.make.disputes --check     # writes nothing, exits 1 if they differ
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from tests.make.notes import (
    COMMON,
    LOG,
    OTHER,
    VECTORS,
    Json,
    b64,
    checkpoint,
    cosigned,
    path,
    secret,
    signed,
    verifier_key,
)
from tests.make.notes import proof as consistency
from tests.oracles import reference as ref

FILE, FOLDER = VECTORS / "disputes.json", VECTORS / "disputes"
N = COMMON
"""the first line in which the two histories differ"""
GAME = ref.leaf(LOG[0]).hex()
EARLY, LATE = "2026-11-20T18:00:00.000Z", "2026-11-20T20:00:00.000Z"


def chain(lines: Sequence[bytes], first: int, last: int) -> Json:
    return {"lines": [line.decode() for line in lines[first : last + 1]]}


def proof(lines: Sequence[bytes], index: int, size: int, key: str = "host") -> Json:
    leaves = [ref.leaf(line) for line in lines]
    hashes = "".join(b64(each) + "\n" for each in path(index, leaves[:size]))
    note = checkpoint(size, leaves)
    if key != "host":
        text = note.split("\n\n")[0] + "\n"
        note = text + "\n" + signed(text, "host", key)
    extra = b64(lines[index])
    return {"proof": f"c2sp.org/tlog-proof@v1\nextra {extra}\nindex {index}\n{hashes}\n{note}"}


def opened(lines: Sequence[bytes], first: int, last: int, name: str, **members: Any) -> Json:
    """Lines up to a request, and an opening for it with the key of `name`; `members` replace what would be right."""
    link = ref.sha256(f"rollproof vectors link {name}".encode())
    request = ref.leaf(lines[last])
    label, text = members.pop("label", None), ref.opening_message(bytes.fromhex(GAME), request, name, 1, link)
    if label is not None:
        text = text.replace(b"rollproof/v1/opening\n", label)
    sig = secret(members.pop("key", name)).sign(text).hex()
    return chain(lines, first, last) | {
        "opening": {"author": name, "index": 1, "link": link.hex(), "sig": sig} | members
    }


def head(lines: Sequence[bytes], size: int, key: str = "host") -> Json:
    """A checkpoint of the first `size` lines."""
    text = checkpoint(size, [ref.leaf(line) for line in lines]).split("\n\n")[0] + "\n"
    return {"checkpoint": text + "\n" + signed(text, "host", key)}


def grown(lines: Sequence[bytes], size: int, later: int, key: str = "host") -> Json:
    """A later checkpoint, and that it extends the first `size` lines."""
    leaves = [ref.leaf(line) for line in lines[:later]]
    hashes = [b64(each) for each in consistency(size, leaves)]
    return head(lines, later, key) | {"hashes": hashes, "root": b64(ref.root(leaves[:size]))}


def evidence(one: Json, other: Json, **members: Any) -> Json:
    return {
        "accused": "host",
        "format": "rollproof/evidence/v1",
        "index": N,
        "open": LOG[0].decode(),
        "statements": [one, other],
    } | members


def resigned(line: bytes, name: str, label: str = "rollproof/v1/event\n", **members: Any) -> bytes:
    """The event with other members, signed with the key of `name`."""
    event = {key: value for key, value in json.loads(line).items() if key != "sig"} | members
    return ref.canonical(event | {"sig": secret(name).sign(label.encode() + ref.canonical(event)).hex()})


def long_line(size: int) -> Json:
    """The lines of the other history up to one of so many bytes, which the keeper signed."""
    line = resigned(OTHER[8], "host", body={"openings": "x"})
    line = resigned(OTHER[8], "host", body={"openings": "x" * (size - len(line) + 1)})
    assert len(line) == size
    return chain([*OTHER[:8], line], N, 8)


def upon(lines: Sequence[bytes], name: str, about: str) -> list[bytes]:
    """The lines, and one more by this party."""
    line = json.loads(LOG[7]) | {"author": name, "prev": ref.leaf(lines[-1]).hex(), "seq": len(lines)}
    return [*lines, resigned(ref.canonical(line), name, body=line["body"] | {"source": about})]


def alices_run(lines: Sequence[bytes], about: str) -> list[bytes]:
    """Lines 0 to 6, and three by alice."""
    run = list(lines[:7])
    for number in range(3):
        run = upon(run, "alice", f"{about}, {number}")
    return run


def bobs_between(lines: Sequence[bytes]) -> list[bytes]:
    """Two lines of alice's run, then one by bob, and one by alice."""
    return upon(upon(lines[:9], "bob", "between"), "alice", "after bob")


def before(lines: Sequence[bytes]) -> list[bytes]:
    """Line 7 by bob, of the same history as the run, and three by alice."""
    run = upon(lines[:7], "bob", json.loads(lines[7])["body"]["source"])
    for number in range(3):
        run = upon(run, "alice", str(number))
    return run


def late_histories() -> tuple[list[bytes], list[bytes], int]:
    """Two histories of a game to which walt came later, who signed upon both; their first difference."""
    found = []
    for about in ("a dwarf", "a clown"):
        w = ref.Writer("late evidence", {"host": "keeper", "alice": "player"})
        w.open(admits=["witness"])
        w.join("alice")
        w.admit("walt", "witness")
        w.join("walt")
        w.write("alice", "declare", {"what": "trigger", "source": about, "on": "rolled"})
        w.away("walt", "walt")
        found.append(list(w.lines))
    return found[0], found[1], 4


def late_cases(case: Callable[..., None]) -> None:
    """Evidence against somebody who was admitted."""
    one, other, index = late_histories()
    admit = json.loads(one[2])

    def against(line: bytes | None, **members: Any) -> Json:
        both = (chain(one, index, 5), chain(other, index, 5))
        given = {} if line is None else {"admit": line.decode()}
        return evidence(*both, **{"accused": "walt", "index": index, "open": one[0].decode(), **given, **members})

    def signed_admit(name: str = "host", **members: Any) -> bytes:
        event = {key: value for key, value in admit.items() if key != "sig"} | members
        sig = ref.private_key(name).sign(b"rollproof/v1/event\n" + ref.canonical(event)).hex()
        return ref.canonical(event | {"sig": sig})

    def long_admit(size: int) -> bytes:
        signed_by_olga = {"at": EARLY, "by": "olga", "sig": "0" * 128, "upon": "0" * 64}

        def made(key: str) -> bytes:
            appointment = {"act": {"key": key, "role": "judge"}, **signed_by_olga}
            return signed_admit(body=admit["body"] | {"appointment": appointment})

        line = made("x" * (size - len(made(""))))
        assert len(line) == size
        return line

    case("walt, who came later, signed in both histories", against(one[2]), "evidence.fork", "walt")
    case("an admit that another history has elsewhere", against(signed_admit(seq=9)), "evidence.fork", "walt")
    case("walt, without the admit", against(None), "evidence.open")
    case("an admit that the keeper did not sign", against(signed_admit("alice")), "evidence.open")
    case("an admit in alice's name", against(signed_admit("alice", author="alice")), "evidence.open")
    case("an admit of another game", against(signed_admit(game=GAME)), "evidence.open")
    case("a join in the place of the admit", against(one[3]), "evidence.open")
    body = admit["body"]
    case("in a role that event 0 does not admit", against(signed_admit(body=body | {"role": "judge"})), "evidence.open")
    alices = ref.verifier_key("walt", ref.public_key("alice"))
    case("with the key of a party", against(signed_admit(body=body | {"key": alices})), "evidence.open")
    wendys = ref.verifier_key("walt", ref.public_key("wendy"))
    case("with a key that signed neither", against(signed_admit(body=body | {"key": wendys})), "evidence.statement")
    case("an admit of somebody else than the accused", against(one[2], accused="alice"), "evidence.open")
    for size, code, fault in ((ref.MAX_LINE, "evidence.fork", "walt"), (ref.MAX_LINE + 1, "evidence.open", "file")):
        case(f"an admit of {size:,} bytes", against(long_admit(size)), code, fault)
    case("an admit that is no string", against(None, admit=3), "evidence.malformed")


def evidence_cases() -> list[Json]:
    cases: list[Json] = []

    def case(about: str, value: Json | bytes, code: str, fault: str = "file") -> None:
        data = value if isinstance(value, bytes) else ref.canonical(value)
        found = {"code": code, "fault": fault}
        cases.append({"about": about, "data": data.decode(), **found})

    mine, theirs = chain(LOG, N, 8), chain(OTHER, N, 8)
    good = evidence(mine, theirs)
    case("the keeper revealed in both histories", good, "evidence.fork", "host")
    case("with a line feed at its end", ref.canonical(good) + b"\n", "evidence.fork", "host")
    case("longer chains than needed", evidence(chain(LOG, N, 10), chain(OTHER, N, 10)), "evidence.fork", "host")
    case("two proofs with checkpoints", evidence(proof(LOG, N, 7), proof(OTHER, N, 9)), "evidence.fork", "host")
    case("a chain and a proof", evidence(mine, proof(OTHER, N, 11)), "evidence.fork", "host")
    later = evidence(chain(LOG, 7, 8), chain(OTHER, 7, 8), index=7)
    case("at a line after the first that differs", later, "evidence.fork", "host")
    own = evidence(chain(LOG, 8, 8), chain(OTHER, 8, 8), index=8)
    case("two events of the keeper's with one number", own, "evidence.fork", "host")
    twice = {"accused": "alice", "index": 7}
    alices = opened(LOG, 7, 7, "alice")
    case(
        "alice opened for two requests",
        evidence(alices, opened(OTHER, 7, 7, "alice"), **twice),
        "evidence.fork",
        "alice",
    )
    case(
        "bob opened in one history and signed on in the other",
        evidence(opened(LOG, N, 7, "bob"), chain(OTHER, N, 9), accused="bob"),
        "evidence.fork",
        "bob",
    )
    heads, five = {"index": 9}, {"index": 7}
    case("two checkpoints of one size", evidence(head(LOG, 9), head(OTHER, 9), **heads), "evidence.fork", "host")
    witnessed = head(OTHER, 9)["checkpoint"]
    text = witnessed.split("\n\n")[0] + "\n"
    witnessed = {"checkpoint": witnessed + cosigned(text)}
    case("one of them cosigned", evidence(head(LOG, 9), witnessed, **heads), "evidence.fork", "host")
    case("a checkpoint and a later one", evidence(head(LOG, 7), grown(OTHER, 7, 11), **five), "evidence.fork", "host")
    case("two later ones", evidence(grown(LOG, 7, 9), grown(OTHER, 7, 11), **five), "evidence.fork", "host")
    eight = evidence(head(LOG, 8), grown(OTHER, 8, 9), index=8)
    case("of a number of lines that is a power of 2", eight, "evidence.fork", "host")
    case("a line of 65,535 bytes", evidence(mine, long_line(ref.MAX_LINE)), "evidence.fork", "host")

    case("the same statement twice", evidence(mine, mine), "evidence.agree")
    case("two statements about the same history", evidence(mine, proof(LOG, N, 11)), "evidence.agree")
    case("about another game", evidence(mine, theirs, open=LOG[1].decode()), "evidence.open")
    case("an event 0 with a changed title", evidence(mine, theirs, open=LOG[0].decode()[:-2] + "x}"), "evidence.open")
    case("against somebody who is no party", evidence(mine, theirs, accused="mallory"), "evidence.open")
    case("against alice, who signed one history", evidence(mine, theirs, accused="alice"), "evidence.statement")
    leaves = evidence(chain(LOG, N, N), chain(OTHER, N, N), accused="bob")
    case("bob left in one history, alice in the other", leaves, "evidence.statement")
    alone = resigned(LOG[7], "alice", body={**json.loads(LOG[7])["body"], "source": "another card"})
    anew = evidence(chain(LOG, 7, 7), {"lines": [alone.decode()]}, accused="alice", index=7)
    case("alice signed her roll anew, as the keeper had not taken it", anew, "evidence.statement")
    runs = [alices_run(OTHER, "two runs"), alices_run(OTHER, "of three")]
    run: Json = {"accused": "alice", "index": 7}
    case(
        "alice signed three events in a row anew, as the keeper had taken none",
        evidence(*(chain(lines, 7, 9) for lines in runs), **run),
        "evidence.statement",
    )
    joined = [bobs_between(lines) for lines in runs]
    case(
        "alice signed upon bob's event in both, and bob upon hers",
        evidence(*(chain(lines, 7, 10) for lines in joined), **run),
        "evidence.fork",
        "alice",
    )
    half = evidence(chain(joined[0], 7, 10), chain(runs[1], 7, 9), **run)
    case("alice signed upon bob's event in one only", half, "evidence.statement")
    case(
        "an event of bob's before alice's run, in both",
        evidence(*(chain(before(lines), 7, 10) for lines in runs), **run),
        "evidence.fork",
        "alice",
    )
    case("the last line is not the accused's", evidence(mine, chain(OTHER, N, 7)), "evidence.statement")
    other = [*OTHER[:8], resigned(OTHER[8], "alice")]
    case("the keeper's event signed with another key", evidence(mine, chain(other, N, 8)), "evidence.statement")
    named = [*OTHER[:8], resigned(OTHER[8], "host", author="alice")]
    case(
        "an event in alice's name, signed with the keeper's key",
        evidence(mine, chain(named, N, 8)),
        "evidence.statement",
    )
    label = [*OTHER[:8], resigned(OTHER[8], "host", "rollproof/v1/opening\n")]
    case("the keeper's signature under another label", evidence(mine, chain(label, N, 8)), "evidence.statement")
    gap = {"lines": [OTHER[N].decode(), OTHER[8].decode()]}
    case("a line is left out", evidence(mine, gap), "evidence.statement")
    mixed = {"lines": [OTHER[N].decode(), *(line.decode() for line in LOG[7:9])]}
    case("a line of one history before those of the other", evidence(mine, mixed), "evidence.statement")
    moved = evidence(chain(LOG, N, 8), chain(OTHER, 7, 8))
    case("statements about two numbers", moved, "evidence.statement")
    spaced = {"lines": [OTHER[N].decode().replace(":", ": ", 1), *(line.decode() for line in OTHER[7:9])]}
    case("a line that is not canonical", evidence(mine, spaced), "evidence.statement")
    case("a line of 65,536 bytes", evidence(mine, long_line(ref.MAX_LINE + 1)), "evidence.statement")
    by_alice = evidence(mine, proof(OTHER, N, 11, key="alice"))
    case("a checkpoint signed with another key", by_alice, "evidence.statement")
    case("a proof of another number", evidence(mine, proof(OTHER, 7, 11)), "evidence.statement")
    case(
        "a checkpoint against alice",
        evidence(proof(LOG, N, 11), proof(OTHER, N, 11), accused="alice"),
        "evidence.statement",
    )

    case(
        "alice opened for one request twice",
        evidence(alices, opened(LOG, 7, 7, "alice"), **twice),
        "evidence.agree",
    )
    for about, flawed in {
        "an opening by another party": opened(OTHER, 7, 7, "bob"),
        "an opening in alice's name by bob's key": opened(OTHER, 7, 7, "alice", key="bob"),
        "an opening for the request of the other history": chain(OTHER, 7, 7) | {"opening": alices["opening"]},
        "an opening with another number": opened(OTHER, 7, 7, "alice", index=2),
        "an opening with another link": opened(OTHER, 7, 7, "alice", link="00" * 32),
        "an opening signed under another label": opened(OTHER, 7, 7, "alice", label=b"rollproof/v1/event\n"),
    }.items():
        case(about, evidence(alices, flawed, **twice), "evidence.statement")

    same = evidence(head(LOG, 7), grown(LOG, 7, 11), **five)
    case("a checkpoint and a later one of one history", same, "evidence.agree")
    case("the same checkpoint twice", evidence(head(LOG, 9), head(LOG, 9), **heads), "evidence.agree")
    shared = evidence(head(LOG, N), grown(OTHER, N, 9))
    case("checkpoints of two histories, about the lines that they share", shared, "evidence.agree")
    claimed = {"root": grown(LOG, 7, 11)["root"]}
    for about, flawed in {
        "checkpoints of two sizes": head(OTHER, 10),
        "a root with the proof of another": grown(OTHER, 9, 11) | claimed,
        "a root without a proof": grown(OTHER, 9, 11) | {"hashes": []},
        "a root of the checkpoint's own size": grown(OTHER, 9, 11) | head(OTHER, 9) | {"hashes": []},
        "a root that is not base64": grown(OTHER, 9, 11) | {"root": "*"},
        "a root of 31 bytes": grown(OTHER, 9, 11) | {"root": b64(bytes(31))},
        "a hash that is not base64": grown(OTHER, 9, 11) | {"hashes": ["*"]},
        "a hash more, that is none": grown(OTHER, 9, 11) | {"hashes": [*grown(OTHER, 9, 11)["hashes"], "*"]},
        "a checkpoint of nothing": {"checkpoint": ""},
        "a checkpoint signed by alice in the keeper's name": head(OTHER, 9, "alice"),
        "a later checkpoint signed by alice in the keeper's name": grown(OTHER, 9, 11, "alice"),
        "a cosigned checkpoint without the keeper": {"checkpoint": text + "\n" + cosigned(text)},
        "a checkpoint of another game": {"checkpoint": _moved(text)},
    }.items():
        case(about, evidence(head(LOG, 9), flawed, **heads), "evidence.statement")
    rootless = evidence(head(LOG, 8), grown(OTHER, 8, 9) | {"root": "*"}, index=8)
    case("a root that is not base64, of a number of lines that is a power of 2", rootless, "evidence.statement")
    to_alice = evidence(head(LOG, 9), head(OTHER, 9), accused="alice", **heads)
    case("two checkpoints against alice", to_alice, "evidence.statement")

    broken = "evidence.malformed"
    case("one statement about a line, one about the lines before", evidence(mine, head(OTHER, N)), broken)
    case("a root without a checkpoint", evidence(mine, theirs | {"root": b64(bytes(32))}), broken)
    case("hashes without a root", evidence(head(LOG, 9), head(OTHER, 9) | {"hashes": []}, **heads), broken)
    long = grown(OTHER, 9, 11) | {"hashes": [b64(bytes(32))] * 64}
    case("64 hashes", evidence(head(LOG, 9), long, **heads), broken)
    bare = {"opening": alices["opening"]}
    case("an opening without its request", evidence(alices, bare, **twice), broken)
    case("one statement", evidence(mine, theirs, statements=[mine]), broken)
    case("three statements", evidence(mine, theirs, statements=[mine, theirs, mine]), broken)
    case("a statement of no lines", evidence(mine, {"lines": []}), broken)
    case("a statement with lines and a proof", evidence(mine, theirs | proof(OTHER, N, 11)), broken)
    case("an empty statement", evidence(mine, {}), broken)
    case("number 0", evidence(mine, theirs, index=0), broken)
    case("another format", evidence(mine, theirs, format="rollproof/evidence/v2"), broken)
    case("a member more", evidence(mine, theirs, about="me"), broken)
    deep = b'"index":' + b"[" * 30_000 + b"]" * 30_000
    known = b'"index":%d' % N
    case("a number that nests 30,000 levels deep", ref.canonical(good).replace(known, deep), broken)
    case("not canonical", ref.canonical(good).replace(b'"index":', b'"index": '), broken)
    case("two line feeds", ref.canonical(good) + b"\n\n", broken)
    late_cases(case)
    return cases


def _moved(text: str) -> str:
    """The checkpoint's text for another game, signed by the keeper, as it may be."""
    moved = text.replace(GAME, ref.sha256(b"another game").hex())
    return moved + "\n" + signed(moved)


# --- rosters ---------------------------------------------------------------------------------------------------------


def roster(*keys: str, event: str = "Spring Open", version: str = "1", previous: str = "0" * 64) -> str:
    head = f"rollproof/v1/roster\nevent {event}\nversion {version}\nprevious {previous}\n"
    return head + "".join(f"key {key}\n" for key in keys)


def note(text: str, *signers: tuple[str, str]) -> str:
    return text + "\n" + "".join(signed(text, name, key) for name, key in signers or [("gail", "gail")])


HOST, ALICE, BOB = (verifier_key(name) for name in ("host", "alice", "bob"))
RENAMED = ref.verifier_key("carol", secret("bob").public_key().public_bytes_raw())
NEW = ref.verifier_key("alice", secret("zoe").public_key().public_bytes_raw())
OPEN = "- -"


def roster_cases() -> list[Json]:
    """Each against the log of vectors/notes.json, with gail as the organizer."""
    cases: list[Json] = []

    def case(about: str, text: str, findings: list[Json], ended: int | None = None) -> None:
        """`ended`: the event of the notice roster.ended."""
        told = [] if ended is None else [{"code": "roster.ended", "seq": ended}]
        cases.append({"about": about, "roster": text, "code": None, "findings": findings, "notices": told})

    def found(code: str, seq: int, fault: str) -> Json:
        return {"code": code, "seq": seq, "fault": fault}

    whole = roster(f"{HOST} {OPEN}", f"{ALICE} {OPEN}", f"{BOB} {OPEN}")
    case("all parties", note(whole), [])
    unknown = roster(f"{HOST} {OPEN}", f"{ALICE} {OPEN}")
    case("bob is not on it", note(unknown), [found("roster.unknown-key", 0, "file")])
    renamed = roster(f"{HOST} {OPEN}", f"{ALICE} {OPEN}", f"{RENAMED} {OPEN}")
    case("bob's key is carol's", note(renamed), [found("roster.other-name", 0, "bob")])
    nobody = roster(f"{NEW} {OPEN}")
    three = [found("roster.unknown-key", 0, "file")] * 3
    case("alice has another key, the others none", note(nobody), three)
    times = [json.loads(line)["time"] for line in LOG]
    ended = roster(f"{HOST} {OPEN}", f"{ALICE} - {times[7]}", f"{NEW} {times[7]} -", f"{BOB} {OPEN}")
    case("alice's key ended when she rolled", note(ended), [found("roster.revoked", 7, "alice")])
    counted = roster(f"{HOST} {OPEN}", f"{ALICE} {times[0]} {LATE}", f"{BOB} {OPEN}")
    case("alice's key counted for the whole game", note(counted), [])
    late = roster(f"{HOST} {LATE} -", f"{ALICE} {OPEN}", f"{BOB} {OPEN}")
    case("the keeper's key did not count yet", note(late), [found("roster.revoked", 0, "file")])

    def until(about: str, key: str, time: str, findings: list[Json], ended: int | None = None) -> None:
        kept = [f"{other} {OPEN}" for other in (HOST, ALICE, BOB) if other != key]
        case(about, note(roster(f"{key} - {time}", *kept)), findings, ended)

    unopened = [found("roster.revoked", 0, "file")]
    until("the keeper's key ended before the game was opened", HOST, EARLY, unopened)
    until("alice's key ended before the game was opened, which she joined", ALICE, EARLY, unopened)
    until("alice's key ended in the millisecond of event 0", ALICE, times[0], unopened)
    until("alice's key ended when she joined", ALICE, times[1], [found("roster.revoked", 1, "alice")])
    until("alice's key ended when bob left: bob chose the date, she could sign no earlier", ALICE, times[6], [], 7)
    until("alice's key ended when the keeper revealed, before she resolved", ALICE, times[8], [], 9)
    until("the keeper's key ended when alice rolled, before it revealed", HOST, times[7], [], 8)
    until("the keeper's key ended when it revealed", HOST, times[8], [found("roster.revoked", 8, "host")])
    until("alice's key ended when the game was closed", ALICE, times[10], [])
    until("bob's key ended when alice rolled, and he had left", BOB, times[7], [])
    begun = roster(f"{HOST} {times[0]} -", f"{ALICE} {times[0]} -", f"{BOB} {times[0]} -")
    case("all keys count from the millisecond of event 0 on", note(begun), [])
    joined = roster(f"{HOST} {OPEN}", f"{ALICE} {times[1]} -", f"{BOB} {OPEN}")
    case("alice's key counts from her join on, but the game was opened before", note(joined), unopened)
    case("other signatures beside the organizer's", note(whole, ("alice", "alice"), ("gail", "gail")), [])
    long = roster(f"{HOST} {OPEN}", f"{ALICE} {OPEN}", f"{BOB} {OPEN}", event="x" * 500)
    case("an event of 500 characters", note(long), [])

    def broken(about: str, text: str, code: str = "roster.malformed") -> None:
        cases.append({"about": about, "roster": text, "code": code, "findings": [], "notices": []})

    unsigned = "roster.signature"
    broken("not signed by the organizer", note(whole, ("alice", "alice")), unsigned)
    broken("in the organizer's name, by another key", note(whole, ("gail", "alice")), unsigned)
    broken("changed after it was signed", note(whole).replace("Spring", "Winter"), unsigned)
    broken("of another form, and not the organizer's either", note("hello\n", ("alice", "alice")), unsigned)
    twice = note(whole, ("gail", "gail")) + note(whole, ("gail", "alice")).split("\n\n")[1]
    broken("signed by the organizer, and once more under that key's id by another", twice, unsigned)
    broken("without signatures", whole)
    broken("nothing", "")
    broken("another first line", note(whole.replace("v1/roster", "v2/roster")))
    broken("no keys", note(roster()))
    broken("a key twice", note(roster(f"{HOST} {OPEN}", f"{HOST} {OPEN}")))
    broken("a key under two names", note(roster(f"{BOB} {OPEN}", f"{RENAMED} {OPEN}")))
    broken("two keys of a name at one time", note(roster(f"{ALICE} - {LATE}", f"{NEW} {EARLY} -")))
    broken("two keys of a name without an end", note(roster(f"{ALICE} {OPEN}", f"{NEW} {LATE} -")))
    broken("two keys of a name without a beginning", note(roster(f"{ALICE} - {EARLY}", f"{NEW} - {LATE}")))
    broken("a key that ends before it begins", note(roster(f"{ALICE} {LATE} {EARLY}")))
    broken("a key that ends when it begins", note(roster(f"{ALICE} {LATE} {LATE}")))
    broken("another word for event", note(whole.replace("event ", "evant ")))
    broken("version 0", note(roster(f"{HOST} {OPEN}", version="0")))
    broken("version 0, with a version before", note(roster(f"{HOST} {OPEN}", version="0", previous="1" * 64)))
    broken("a version that is no number", note(roster(f"{HOST} {OPEN}", version="two", previous="1" * 64)))
    broken("version 01", note(roster(f"{HOST} {OPEN}", version="01")))
    broken("version 2 with zeros for the one before", note(roster(f"{HOST} {OPEN}", version="2")))
    broken("version 1 with a hash", note(roster(f"{HOST} {OPEN}", previous="1" * 64)))
    broken("a hash in upper case", note(roster(f"{HOST} {OPEN}", version="2", previous="A" * 64)))
    broken("no event", note(roster(f"{HOST} {OPEN}", event="")))
    broken("an event that reorders what is shown", note(roster(f"{HOST} {OPEN}", event="a\u202eb")))
    broken("an event of 501 characters", note(roster(f"{HOST} {OPEN}", event="x" * 501)))
    broken("a day that does not exist", note(roster(f"{HOST} - 2026-02-30T00:00:00.000Z")))
    broken("a time without milliseconds", note(roster(f"{HOST} - 2026-02-03T00:00:00Z")))
    broken("one time", note(roster(f"{HOST} -")))
    broken("three times", note(roster(f"{HOST} - - -")))
    broken("two blanks", note(roster(f"{HOST}  - -")))
    return cases


def roster_evidence_cases() -> list[Json]:
    """The keeper's reveals, two checkpoints of one size, and alice's openings, with rosters by gail."""
    cases: list[Json] = []
    times = [json.loads(line)["time"] for line in LOG]
    time = times[8]
    opened_twice = evidence(opened(LOG, 7, 7, "alice"), opened(OTHER, 7, 7, "alice"), accused="alice", index=7)
    data = {
        "reveals": evidence_cases()[0]["data"],
        "checkpoints": ref.canonical(evidence(head(LOG, 9), head(OTHER, 9), index=9)).decode(),
        "openings": ref.canonical(opened_twice).decode(),
    }

    def case(about: str, text: str, code: str, *, of: str = "reveals", ended: bool = False) -> None:
        cases.append({"about": about, "data": data[of], "roster": note(text), "code": code, "ended": ended})

    case("the keeper's key is on it", roster(f"{HOST} {OPEN}"), "evidence.fork")
    case("the keeper's key counted until later", roster(f"{HOST} - {LATE}"), "evidence.fork")
    case("the keeper's key is nobody's", roster(f"{ALICE} {OPEN}"), "roster.unknown-key")
    named = ref.verifier_key("carol", secret("host").public_key().public_bytes_raw())
    case("the keeper's key is carol's", roster(f"{named} {OPEN}"), "roster.other-name")
    case("the keeper's key had ended", roster(f"{HOST} - {time}"), "roster.revoked")
    case("the keeper's key did not count yet", roster(f"{HOST} {LATE} -"), "roster.revoked")
    after = "the keeper's key ended with the line before its reveal, which alice dated"
    case(after, roster(f"{HOST} - {times[7]}"), "evidence.fork", ended=True)
    case("the keeper's key had ended when the game was opened", roster(f"{HOST} - {EARLY}"), "roster.revoked")
    case("checkpoints have no date", roster(f"{HOST} - {times[3]}"), "evidence.fork", of="checkpoints")
    case(
        "checkpoints, and the keeper's key had ended when the game was opened",
        roster(f"{HOST} - {EARLY}"),
        "roster.revoked",
        of="checkpoints",
    )
    case("alice's openings, and her key counted", roster(f"{ALICE} {OPEN}"), "evidence.fork", of="openings")
    case(
        "alice's openings for requests of a date at which her key had ended: openings strike nothing",
        roster(f"{ALICE} - {times[7]}"),
        "evidence.fork",
        of="openings",
        ended=True,
    )
    return cases


def version_cases() -> list[Json]:
    """Pairs of rosters, each usable: does the second extend the first?"""
    one = roster(f"{ALICE} {OPEN}", f"{BOB} {OPEN}")
    hash_ = hashlib.sha256(one.encode()).hexdigest()
    cases: list[Json] = []

    def case(about: str, text: str, extends: bool) -> None:
        cases.append({"about": about, "old": note(one), "new": note(text), "extends": extends})

    def two(*keys: str, **members: str) -> str:
        return roster(*keys, **({"version": "2", "previous": hash_} | members))

    case(
        "a key changed, one added", two(f"{ALICE} - {LATE}", f"{NEW} {LATE} -", f"{BOB} {OPEN}", f"{HOST} {OPEN}"), True
    )
    case("itself", one, True)
    case("nothing changed", two(f"{ALICE} {OPEN}", f"{BOB} {OPEN}"), True)
    case("a key taken away", two(f"{ALICE} {OPEN}"), False)
    case("a key given another name", two(f"{ALICE} {OPEN}", f"{RENAMED} {OPEN}"), False)
    case("a beginning set", two(f"{ALICE} {EARLY} -", f"{BOB} {OPEN}"), False)
    case("made from another version", two(f"{ALICE} {OPEN}", f"{BOB} {OPEN}", previous="1" * 64), False)
    case("another version 1", roster(f"{ALICE} {OPEN}", f"{BOB} {OPEN}", f"{HOST} {OPEN}"), False)
    case("another event", two(f"{ALICE} {OPEN}", f"{BOB} {OPEN}", event="Winter Open"), False)
    far = two(f"{ALICE} {OPEN}", f"{BOB} {OPEN}", version="9", previous="1" * 64)
    case("version 9: those between are not there to be looked at", far, True)
    return cases


def rotation_cases() -> list[Json]:
    cases: list[Json] = []

    def rotation(old: str = ALICE, new: str = NEW, time: str = LATE, more: str = "") -> str:
        return f"rollproof/v1/rotation\nevent Spring Open\nold {old}\nnew {new}\ntime {time}\n{more}"

    def case(about: str, text: str, holds: bool, *signers: tuple[str, str]) -> None:
        lines = "".join(_line_of(text, name, key) for name, key in signers or [("alice", "alice"), ("alice", "zoe")])
        cases.append({"about": about, "rotation": text + "\n" + lines, "holds": holds})

    case("by both keys", rotation(), True)
    case("by the old key only", rotation(), False, ("alice", "alice"))
    case("by the new key only", rotation(), False, ("alice", "zoe"))
    case("to a key of another name", rotation(new=BOB), False, ("alice", "alice"), ("bob", "bob"))
    case("to the same key", rotation(new=ALICE), False)
    case("a line more", rotation(more="more\n"), False)
    case("no time", rotation(time="-"), False)
    return cases


def _line_of(text: str, name: str, key: str) -> str:
    public = secret(key).public_key().public_bytes_raw()
    signature = secret(key).sign(text.encode())
    return f"— {name} {b64(ref.key_id(name, public) + signature)}\n"


def vectors() -> Json:
    return {
        "log": "holds--copy-shown-to-alice.jsonl",
        "organizer": verifier_key("gail"),
        "evidence": evidence_cases(),
        "rosters": roster_cases(),
        "evidence_with_roster": roster_evidence_cases(),
        "versions": version_cases(),
        "rotations": rotation_cases(),
    }


def files() -> dict[str, str]:
    """What readers of bytes begin with."""
    found = vectors()
    return {
        "fork.evidence": found["evidence"][0]["data"] + "\n",
        "checkpoints.evidence": found["evidence"][3]["data"] + "\n",
        "openings.evidence": found["evidence"][7]["data"] + "\n",
        "later-checkpoint.evidence": found["evidence"][11]["data"] + "\n",
        "open.roster": found["rosters"][0]["roster"],
        "ended.roster": found["rosters"][4]["roster"],
        "alice.rotation": found["rotations"][0]["rotation"],
    }


def main() -> int:
    told = {FILE: json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n"}
    told |= {FOLDER / name: text for name, text in files().items()}
    if "--check" in sys.argv:
        return int(any(not file.exists() or file.read_text() != text for file, text in told.items()))
    FOLDER.mkdir(exist_ok=True)
    for file, text in told.items():
        file.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
