"""Snapshots of games to which parties come later: taken up from one, each answers as a full replay does."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.seats import snapshots
from ledger.seats.identity import Identity
from ledger.seats.snapshots import Snapshot, Snapshots, encode_state, members_of
from rules import Event, Role
from tests.protocol.test_snapshots import parts, replayed
from tests.support.table import Forger
from tests.support.table_with_snapshots import EVERY, TableWithSnapshots
from verifier import Failure, Replay
from verifier.log.format import MAX_WORD, admission_message
from verifier.log.merkle import leaf_hash

LATE: Mapping[str, Role] = {"wanda": "witness", "will": "witness", "walt": "witness", "gina": "judge"}
"""wanda has all consents, will is a newcomer and away, walt has left, gina is a newcomer"""
SEEN = "wanda"


class LateTable(TableWithSnapshots):
    """A game of alice, bob and dana, to which all of LATE come; their seats are at the same machine."""

    def come(self, name: str, *, by_word: bool = False) -> None:
        """Let a party in, which joins."""
        self.identities = {**self.identities, name: self.identities.get(name) or Identity.generate(name)}
        body: dict[str, Any] = {"key": str(self.identities[name].key), "role": LATE[name]}
        if by_word:
            head = self.view.replay.head.hex()
            message = admission_message(self.game.hex(), head, body["key"], LATE[name])
            body["word"] = {"head": head, "sig": self.identities["alice"].sign(message).hex()}
        self.act("host", "admit", body)
        self.roles = {**self.roles, name: LATE[name]}
        self.seats[name] = self.seat(name)
        self.played.append(self.seats[name], self.seats[name].join)

    def admit_of(self, name: str) -> int:
        return self.view.replay.session.parties.late[name].admit


@pytest.fixture(scope="module")
def played_before(tmp_path_factory: pytest.TempPathFactory) -> LateTable:
    """A long game; nobody is at the table now."""
    identities = {name: Identity.generate(name) for name in ("host", "alice", "bob", "dana", *LATE)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshots, "EVERY", EVERY)
        table = LateTable(
            tmp_path_factory.mktemp("played") / "table",
            identities=identities,
            admits=("witness", "judge"),
            host=str(identities["alice"].key),
            roles={"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"},
        )
        table.begin(32)
        table.come("wanda", by_word=True)
        for name in ("alice", "bob"):
            table.act(name, "consent", {"admit": table.admit_of("wanda")})
        table.come("will")
        table.act("alice", "consent", {"admit": table.admit_of("will")})
        table.come("walt")
        for name in ("wanda", "will", "walt"):
            table.commit(name, 32)
        table.roll("alice")
        table.come("gina")
        table.act("walt", "leave", {"party": "walt"})
        table.act("will", "away", {"party": "will"})
        for _ in range(16):
            table.roll("alice")
    table.close()
    return table


@pytest.fixture
def table(played_before: LateTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LateTable]:
    """That game."""
    monkeypatch.setattr(snapshots, "EVERY", EVERY)
    table = played_before.copied(tmp_path / "table")
    table.restart()
    yield table
    table.close()


def only(table: LateTable, name: str) -> None:
    """Nobody but this party is on the machine."""
    for path in table.snapshot_files():
        if path != table.snapshot_of(name):
            path.unlink()
    table.here = {name}
    table.restart()


def test_the_game_has_all_who_come_and_go(table: LateTable) -> None:
    session = table.view.replay.session
    assert table.ledger.base(table.game) is not None
    assert [name for name in session.parties.roles if session.parties.is_newcomer(name)] == ["will", "walt", "gina"]
    assert (session.parties.left, session.parties.away) == (frozenset({"walt"}), frozenset({"will"}))


@pytest.mark.parametrize("name", ["alice", SEEN])
def test_a_long_game_with_admits_is_not_replayed_whole(
    table: LateTable, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a party that came later is the only one here."""
    only(table, name)
    followed: list[bytes] = []
    follow, step = Replay.follow, Replay.step

    def noted(replay: Replay, line: bytes) -> Event:
        followed.append(line)
        return follow(replay, line)

    def stepped(replay: Replay, line: bytes, *more: Any) -> Event:
        followed.append(line)
        return step(replay, line, *more)

    with monkeypatch.context() as patch:
        patch.setattr(Replay, "follow", noted)
        patch.setattr(Replay, "step", stepped)
        view = table.view
        base = table.ledger.base(table.game)
        assert base is not None
        assert base.key == table.identities[name].key.public_bytes
        assert len(followed) <= 2 + len(table.lines) - base.size
    assert parts(view.replay) == parts(replayed(table))
    table.roll("alice")
    assert parts(table.view.replay) == parts(replayed(table))


@pytest.fixture
def both(table: LateTable) -> tuple[Replay, Replay]:
    """The game by its snapshot, and by its lines."""
    view = table.view
    assert table.ledger.base(table.game) is not None
    return view.replay, replayed(table)


def answer(replay: Replay, line: bytes) -> Any:
    """What comes of a line."""
    after = replay.copy()
    try:
        after.step(line)
    except Failure as failure:
        return failure.step, failure.code, str(failure)
    return parts(after)


def next_lines(table: LateTable) -> dict[str, tuple[str, str, Any]]:
    """Author, type and body of lines that may come next, right and wrong."""
    late = table.view.replay.session.parties.late
    new = Identity.generate("zoe")
    keys = {name: str(identity.key) for name, identity in table.identities.items()}
    posing, alike = Identity.generate("wanda"), Identity.generate("wa-nda")

    def word(seq: int, by: str = "alice") -> dict[str, str]:
        head = leaf_hash(table.lines[seq]).hex()
        message = admission_message(table.game.hex(), head, str(new.key), "witness")
        return {"head": head, "sig": table.identities[by].sign(message).hex()}

    admit = {"key": str(new.key), "role": "witness"}
    away = {"party": "will"}
    return {
        "a newcomer": ("host", "admit", admit),
        "a newcomer by the host's word": ("host", "admit", {**admit, "word": word(-MAX_WORD)}),
        "by another's word": ("host", "admit", {**admit, "word": word(-MAX_WORD, "bob")}),
        "by an old word": ("host", "admit", {**admit, "word": word(-MAX_WORD - 1)}),
        "a role that nobody comes in": ("host", "admit", {**admit, "role": "gm"}),
        "a party of event 0": ("host", "admit", {**admit, "key": keys["bob"]}),
        "who has come": ("host", "admit", {**admit, "key": keys["wanda"]}),
        "who has left": ("host", "admit", {**admit, "key": keys["walt"]}),
        "a name of one who came": ("host", "admit", {**admit, "key": str(posing.key)}),
        "a name that looks like it": ("host", "admit", {**admit, "key": str(alike.key)}),
        "a consent": ("bob", "consent", {"admit": late["will"].admit}),
        "a consent again": ("alice", "consent", {"admit": late["will"].admit}),
        "a consent too many": ("bob", "consent", {"admit": late["wanda"].admit}),
        "a consent for who left": ("bob", "consent", {"admit": late["walt"].admit}),
        "a consent by a newcomer": ("will", "consent", {"admit": late["will"].admit}),
        "back": ("will", "back", away),
        "back, by who is here": ("wanda", "back", {"party": "wanda"}),
        "away": ("wanda", "away", {"party": "wanda"}),
        "joins again": ("wanda", "join", {}),
        "leaves": ("wanda", "leave", {"party": "wanda"}),
        "after leaving": ("walt", "leave", {"party": "walt"}),
        "a newcomer judges": ("gina", "ruling", {"ruling": "uphold", "subject": 3, "text": ""}),
        "rolls": ("alice", "roll", {"source": "x", "dice": "1d20", "use": "15 or more"}),
        "a witness rolls": ("wanda", "roll", {"source": "x", "dice": "1d20", "use": "15 or more"}),
        "the keeper goes": ("wanda", "leave", {"party": "host"}),
    }


def test_each_next_line_has_the_answer_that_a_full_replay_gives(table: LateTable, both: tuple[Replay, Replay]) -> None:
    taken, whole = both
    answers = {}
    for what, (author, kind, body) in next_lines(table).items():
        line = Forger(table.identities[author]).event(table.lines, kind, body)
        answers[what] = answer(taken, line)
        assert answers[what] == answer(whole, line), what
    codes = {found[1] for found in answers.values() if len(found) == 3}
    assert {"admit.party", "admit.role", "admit.word"} <= codes
    assert len(answers["a newcomer by the host's word"]) > 3
    forged = Forger(Identity.generate("wanda")).event(table.lines, "leave", {"party": "wanda"})
    assert answer(taken, forged) == answer(whole, forged)
    assert answer(taken, forged)[1] == "signature.invalid"


def test_a_newcomer_comes_after_the_snapshot(table: LateTable) -> None:
    zoe = Identity.generate("zoe")
    table.identities = {**table.identities, "zoe": zoe}
    assert table.view.replay.size
    assert table.ledger.base(table.game) is not None
    table.act("host", "admit", {"key": str(zoe.key), "role": "witness"})
    assert list(table.view.replay.terms.late) == [*table.view.replay.session.parties.late]
    table.roles = {**table.roles, "zoe": "witness"}
    table.seats["zoe"] = table.seat("zoe")
    table.played.append(table.seats["zoe"], table.seats["zoe"].join)
    table.restart()
    assert table.view.replay.terms.late[-1] == "zoe"
    table.commit("zoe")
    table.roll("alice")
    assert "zoe" in table.view.replay.chains
    assert parts(table.view.replay) == parts(replayed(table))


# --- what does not hold ----------------------------------------------------------------------------------------------


def altered(change: Callable[[dict[str, Any]], None]) -> Callable[[LateTable], Snapshot]:
    def make(table: LateTable) -> Snapshot:
        replay = replayed(table)
        members = members_of(replay)
        change(members)
        state = encode_state(members, replay.session.system)
        assert state is not None
        return Snapshot(table.identities["alice"].key, table.game, replay.size, replay.head, state)

    return make


def set_(members: dict[str, Any], value: Any) -> None:
    members["admitted"] = value


KEY = str(Identity.generate("zoe").key)
FALSE: dict[str, Callable[[dict[str, Any]], None]] = {
    "nobody": lambda m: set_(m, ()),
    "one less": lambda m: set_(m, m["admitted"][:-1]),
    "one more": lambda m: set_(m, (*m["admitted"], (KEY, "witness", None))),
    "twice": lambda m: set_(m, (*m["admitted"], m["admitted"][0])),
    "another order": lambda m: set_(m, m["admitted"][::-1]),
    "another role": lambda m: set_(m, ((m["admitted"][0][0], "judge", None), *m["admitted"][1:])),
    "a role that nobody comes in": lambda m: set_(m, ((m["admitted"][0][0], "player", None), *m["admitted"][1:])),
    "no key": lambda m: set_(m, (("wanda", "witness", None), *m["admitted"][1:])),
    "no text": lambda m: set_(m, ((5, "witness", None), *m["admitted"][1:])),
    "no triples": lambda m: set_(m, tuple(each[:2] for each in m["admitted"])),
    "numbers": lambda m: set_(m, (1, 2)),
    "no list": lambda m: set_(m, 5),
    "missing": lambda m: m.pop("admitted"),
}


@pytest.mark.parametrize("change", FALSE.values(), ids=FALSE)
def test_a_state_with_others_than_were_admitted_is_none(
    table: LateTable, change: Callable[[dict[str, Any]], None]
) -> None:
    """Even if its seat signed it."""
    assert altered(lambda _: None)(table).restore(table.lines[0]) is not None
    assert altered(change)(table).restore(table.lines[0]) is None


def test_the_party_of_a_snapshot_is_one_of_its_game(table: LateTable) -> None:
    snapshot, first = altered(lambda _: None)(table), table.lines[0]
    for key in (Identity.generate("alice").key, Identity.generate("zoe").key):
        assert msgspec.structs.replace(snapshot, key=key).restore(first) is None


def test_who_came_later_is_believed_by_the_keepers_admit_alone(table: LateTable) -> None:
    only(table, SEEN)
    place, lines = Snapshots(table.folder / "state", lambda _: True), table.lines
    assert [each.key.name for each in place.of_seats_here(table.game, lambda seq: lines[seq])] == [SEEN]
    seq = table.admit_of(SEEN)
    wanda = str(table.identities[SEEN].key)
    body = {"key": wanda, "role": "witness"}
    for line in (
        Forger(table.identities["bob"]).event(lines[:seq], "admit", body),
        Forger(table.identities["bob"]).event(lines[:seq], "admit", body, author="host"),
        Forger(table.identities["host"]).event(lines[:seq], "admit", body, author="bob"),
        Forger(table.identities["host"]).event(lines[:seq], "declare", body),
        Forger(table.identities["host"]).event(lines[:seq], "admit", body, game="00" * 32),
        Forger(table.identities["host"]).event(lines[:seq], "admit", {**body, "key": KEY}),
        Forger(table.identities["host"]).event(lines[:seq], "admit", {**body, "role": "gm"}),
        lines[seq + 1],
        b"",
    ):
        changed = {**dict(enumerate(lines)), seq: line}
        assert place.of_seats_here(table.game, changed.__getitem__) == []


def test_a_snapshot_that_names_another_admit_is_passed_over(table: LateTable) -> None:
    only(table, SEEN)
    path = table.snapshot_of(SEEN)
    line, _, state = path.read_bytes().split(b"\n", 2)
    header = msgspec.json.decode(line)
    assert header["admit"] == table.admit_of(SEEN)
    sign = table.identities[SEEN].sign
    for admit in (0, table.admit_of("will"), 10**6, -1, 2**64, "x", None):
        told = msgspec.json.encode({**header, "admit": admit}, order="sorted")
        path.write_bytes(told + b"\n" + sign(b"rollproof/v1/snapshot\n" + told).hex().encode() + b"\n" + state)
        table.restart()
        assert parts(table.view.replay) == parts(replayed(table))
        assert table.ledger.base(table.game) is None
