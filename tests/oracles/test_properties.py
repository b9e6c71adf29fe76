"""Random play and random damage: what is accepted verifies, what is refused leaves no trace, oracles agree.

`Dealer` (tests/support/dealer.py) plays Magic. The oracles, reference.py and reference_mtg.py,
were written from the specification alone.
"""

import copy
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import RefusedError
from ledger.store.ledger import Ledger
from rules import SYSTEMS, Session, Violation
from rules.script import ScriptEvent, step
from rules.systems.mtg.bodies import Options
from tests.oracles import reference, reference_mtg
from tests.support.dealer import PARTIES as PARTIES
from tests.support.dealer import Dealer as Dealer
from tests.support.table import SYSTEM, Forger, Table, dump, identity_from, joined, read_tables, reveal_body
from verifier import Replay, Report, verify
from verifier.log.bodies import Continued, Opening

LOGS = Path(__file__).parents[2] / "specs" / "vectors" / "logs"
# Randomness that hypothesis can shrink; a few hundred choices make a game.
randoms = st.randoms(use_true_random=False)


# --- code and oracle on rules ---------------------------------------------------------------------------------------


class Oracle:
    """tests/oracles/reference_mtg.py, one event at a time."""

    def __init__(self, planechase: bool, joined: list[str]) -> None:
        self.game = reference_mtg.Magic({"planechase": planechase}, dict(PARTIES), joined)

    def step(self, seq: int, event: dict[str, Any]) -> tuple[str, str | None] | None:
        """None where the event is allowed, otherwise code and clause of its violation."""
        game = copy.deepcopy(self.game)
        try:
            reference_mtg.run_event(game, seq, copy.deepcopy(event))
        except reference_mtg.Violation as violation:
            return violation.code, violation.clause
        self.game = game
        return None


def code_step(session: Session, seq: int, event: dict[str, Any]) -> tuple[Session, tuple[str, str | None] | None]:
    raw = msgspec.Raw(json.dumps(event["body"]).encode())
    naturals = tuple(event["naturals"]) if "naturals" in event else msgspec.UNSET
    try:
        return step(session, seq, ScriptEvent(event["author"], event["type"], raw, naturals)), None
    except Violation as violation:
        return session, (violation.code, violation.clause)


def start(planechase: bool, *, joined: bool) -> tuple[Session, Oracle]:
    session = Session.start(SYSTEMS[SYSTEM], Options(planechase), PARTIES)
    if joined:
        session = session.with_joined(PARTIES)
    return session, Oracle(planechase, list(PARTIES) if joined else ["host"])


def compare_on_a_script(random: Random, length: int) -> int:
    """Play a game by the code's rules and by the oracle's; the number of events that both allowed."""
    deal = Dealer(random)
    planechase = deal.chance(50)
    session, oracle = start(planechase, joined=deal.chance(80))
    events: list[dict[str, Any]] = []
    for _ in range(length):
        seq, event = len(events) + 1, deal.event(session.view())
        after, violation = code_step(session, seq, event)
        if violation is None and after.draw and not deal.chance(8):
            event["naturals"] = deal.naturals(after.draw)
            after, violation = code_step(session, seq, event)
        assert violation == oracle.step(seq, event), told(planechase, [*events, event])
        if violation is None:
            session = after
            events.append(event)
            if event["type"] in ("roll", "reroll"):
                deal.asked[seq] = event
            assert session.view() == oracle.game.state(), told(planechase, events)
        if session.phase == "closed" and deal.chance(50):
            break
    return len(events)


def told(planechase: bool, events: list[dict[str, Any]]) -> str:
    return json.dumps({"planechase": planechase, "events": events}, ensure_ascii=False)


@settings(max_examples=settings().max_examples // 2)
@given(randoms)
def test_code_and_oracle_allow_the_same_events_and_come_to_the_same_state(random: Random) -> None:
    compare_on_a_script(random, 25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_code_and_oracle_agree_on_longer_games(seed: int) -> None:
    allowed = sum(compare_on_a_script(Random(f"{seed} {part}"), 60) for part in range(6))
    assert allowed > 120, "the games were no games"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_code_and_oracle_agree_on_many_games(seed: int) -> None:
    for part in range(50):
        compare_on_a_script(Random(f"slow {seed} {part}"), 60)


def acting(type: str, **members: Any) -> dict[str, Any]:
    return {"author": "alice", "type": type, "body": members}


def rolling(*naturals: int, **members: Any) -> dict[str, Any]:
    return acting("roll", source="x", **members) | ({"naturals": list(naturals)} if naturals else {})


def ruling(ruling: str, subject: int, **members: Any) -> dict[str, Any]:
    body = {"ruling": ruling, "subject": subject, "text": "So."} | members
    return {"author": "dana", "type": "ruling", "body": body}


ROLL = rolling(2, 5, dice="2d6", use="compare")
STORED = [
    acting("declare", what="permanent", permanent="a", name="A"),
    acting("declare", what="permanent", permanent="b", name="B"),
    rolling(3, dice="d6", store="a"),
    acting("store", roll=3, permanent="a"),
]
SETTLED_QUESTIONS: dict[str, list[dict[str, Any]]] = {
    "a number below 1 is malformed, or names nothing": [ROLL, acting("resolve", roll=0)],
    "an amount that is no modifier's is malformed, or not one of the amounts": [
        ROLL,
        acting("declare", what="effect", roll=1, effect={"source": "x", "kind": "adjust", "amounts": [1, 2]}),
        acting("modify", roll=1, effect=1, choice="apply", amount=10**9 + 1),
    ],
    "a store on another permanent when all is stored is 706.8c, or 706.8a": [
        *STORED,
        acting("store", roll=3, permanent="b"),
    ],
    "a die that is corrected twice in one ruling has one step, or two": [
        ROLL,
        ruling("correct", 1, results=[{"die": 1, "result": 6}, {"die": 1, "result": 5}]),
    ],
    "a correction of a struck roll changes its doubles, or does not": [
        ROLL,
        acting("resolve", roll=1),
        ruling("void", 1),
        ruling("correct", 1, results=[{"die": 1, "result": 5}]),
    ],
    "while the dice of a roll again are waited for, one is owed, or none is": [
        rolling(3, dice="d6", table=[{"range": "1+", "effect": "", "again": True}]),
        acting("resolve", roll=1),
        rolling(again=1),
    ],
    "the state shows all of an effect, or its number and answer": [
        ROLL,
        acting("declare", what="effect", roll=1, effect={"source": "x", "kind": "reroll"}),
    ],
    "dice of stored results that are rolled anew count as rerolled, or do not": [
        *STORED,
        acting("resolve", roll=3),
        acting("reroll", permanent="a", stored=[1], source="x") | {"naturals": [1]},
    ],
}


@pytest.mark.parametrize("question", SETTLED_QUESTIONS)
def test_code_and_oracle_agree_where_the_pages_could_once_be_read_in_two_ways(question: str) -> None:
    session, oracle = start(False, joined=True)
    for seq, event in enumerate(SETTLED_QUESTIONS[question], 1):
        session, violation = code_step(session, seq, event)
        assert violation == oracle.step(seq, event)
    assert session.view() == oracle.game.state()


# --- the ledger ----------------------------------------------------------------------------------------------------


class Match:
    """Random play on a real table, every event signed by whoever it says.

    Keys, seeds and links come from `random` too, so that a game can be played again. No seat plays along: a seat would
    stop at the first event in its name that it did not make itself.
    """

    def __init__(self, folder: Path, random: Random) -> None:
        self.deal = deal = Dealer(random)
        self.secrets = Random(random.getrandbits(64))
        identities = {name: identity_from(name, self.secrets.randbytes(32)) for name in PARTIES}
        contributors: Any = deal.some("all", "all", "roller", ("host", "alice"))
        self.calls = deal.chance(50)
        hexes = [self.secrets.randbytes(32).hex() for _ in range(2)]
        before = Continued(hexes[0], hexes[1], 7) if deal.chance(25) else None
        self.refused: set[str] = set()
        self.made: dict[bytes, list[bytes]] = {}
        """all links of the chains that were committed to, by tip"""
        with patch("secrets.token_hex", lambda size: self.secrets.randbytes(size).hex()):
            self.table = Table(
                folder,
                roles=PARTIES,
                contributors=contributors,
                planechase=deal.chance(50),
                identities=identities,
                **({"away": "others"} if self.calls else {}),
                continues=before,
            )
        self.forgers = {name: Forger(identity) for name, identity in identities.items()}
        if deal.chance(85):
            for name in PARTIES:
                if name != "host":
                    self.write(name, "join", {})
            length = deal.some(2, 8, 16)
            for name in filter(self.replay.terms.may_contribute, PARTIES):
                self.commit(name, length)

    @property
    def replay(self) -> Replay:
        return self.table.view.replay

    def play(self, length: int) -> None:
        for _ in range(length):
            phase = self.replay.session.phase
            if phase == "pending" and self.deal.chance(85):
                self.settle()
                continue
            if phase == "voided" and self.deal.chance(85):
                self.write("host", "disclose", self.disclosed())
                continue
            if phase == "idle":
                for name in PARTIES:
                    self.renew(name)
                hidden = list(self.replay.voided.hidden(but=None))
                if hidden and self.deal.chance(35):
                    party = self.deal.some(*hidden)
                    kind = self.deal.some("away", "leave")
                    self.write_event({"author": party, "type": kind, "body": {"party": party}})
                elif self.deal.chance(8):
                    self.come_or_go()
            self.write_event(self.deal.event(self.table.state))
            if self.deal.chance(5):
                table = self.table
                self.append(self.forgers["alice"].event(table.lines[:-1] or table.lines, "join", {}))

    def write_event(self, event: dict[str, Any]) -> None:
        author, kind, body = event["author"], event["type"], event["body"]
        if kind in ("away", "leave") and isinstance(body, dict):
            body = body | self.burned(author)
        self.write(author, kind, body)

    def write(self, author: str, kind: str, body: Any) -> None:
        table = self.table
        size = len(table.lines)
        self.append(self.forgers[author].event(table.lines, kind, body, time=table.clock()))
        if len(table.lines) > size and kind in ("roll", "reroll"):
            self.deal.asked[size] = {"author": author, "type": kind, "body": body}

    # Chains.

    def link(self, name: str, index: int) -> bytes:
        return self.made[self.replay.chains[name].tip][index]

    def commit(self, name: str, length: int) -> None:
        links = reference.make_chain(self.secrets.randbytes(32), self.table.game, name, length)
        self.made[links[0]] = links
        body: dict[str, Any] = {"length": length, "tip": links[0].hex()}
        chain = self.replay.chains.get(name)
        if chain is not None:
            body["link"] = self.link(name, chain.next if self.deal.chance(95) else chain.next - 1).hex()
        self.write(name, "commit", body if self.deal.chance(95) else self.deal.damaged(body))

    def renew(self, name: str) -> None:
        """Commit again when the chain is used up, and now and then before."""
        chain = self.replay.chains.get(name)
        if chain is None or (chain.next < chain.length and not self.deal.chance(2)):
            return
        if self.deal.chance(80):
            self.commit(name, self.deal.some(2, 6, 16))

    def burned(self, name: str) -> dict[str, Any]:
        """The own burned link, mostly where it is not known."""
        chain = self.replay.chains.get(name)
        if chain is None:
            return {}
        index = chain.next - 1
        if self.deal.chance(75 if chain.known < index else 5):
            return {"burned": self.link(name, index if self.deal.chance(90) else index + 1).hex()}
        return {}

    # Who is at the table.

    def come_or_go(self) -> None:
        """Away or back, by whoever may, and sometimes by all others together."""
        away, party = self.table.state["away"], self.deal.some("alice", "bob", "walt")
        if away and self.deal.chance(60):
            party = self.deal.some(*away)
            self.write(self.deal.some(party, "dana"), "back", {"party": party})
        elif self.calls and self.deal.chance(60):
            callers = [name for name in PARTIES if name not in (party, "dana")]
            self.deal.random.shuffle(callers)
            for caller in callers[: None if self.deal.chance(80) else 1]:
                self.write_event({"author": caller, "type": "away", "body": {"party": party}})
                if self.deal.chance(10):
                    self.write(party, "declare", {"what": "permanent", "permanent": caller, "name": "A call"})
        else:
            author = self.deal.some(party, party, "dana")
            kind = "leave" if self.deal.chance(10) else "away"
            self.write_event({"author": author, "type": kind, "body": {"party": party}})

    # The course of a roll.

    def opening(self, name: str) -> dict[str, Any]:
        pending = self.replay.pending
        assert pending is not None
        chain = self.replay.chains[name]
        return self.forgers[name].opening(self.table, self.link(name, chain.next), chain.next, pending.request)

    def disclosed(self) -> dict[str, Any]:
        """Openings of the roll that was voided: the keeper's and some others', seldom without its own."""
        pending = self.replay.pending
        assert pending is not None
        handed_in = {opening.author for opening in self.table.ledger.openings(self.table.game)}
        names = [name for name in pending.contributors if name in {"host", *handed_in} or self.deal.chance(25)]
        if self.deal.chance(40) and names:
            names.remove(self.deal.some(*names))
        return {"openings": list(map(self.opening, names)), "roll_index": pending.roll_index}

    def settle(self) -> None:
        """Openings, in any order and not always all, and then what becomes of the roll."""
        table, deal, pending = self.table, self.deal, self.replay.pending
        assert pending is not None
        names = [name for name in pending.contributors if name not in ("host", pending.closer)]
        deal.random.shuffle(names)
        names = [*names, pending.closer] if deal.chance(70) else names[1:]
        for name in names:
            table.ledger.hand_in(table.game, Opening(**self.opening(name)))
        if pending.closer in names and deal.chance(93):
            body = reveal_body(self.replay, [self.opening(name) for name in pending.contributors])
            self.write("host", "reveal", body if deal.chance(95) else deal.damaged(body))
        elif deal.chance(92):
            missing = [name for name in pending.contributors if name not in names and deal.chance(70)]
            body = {"missing": missing, "roll_index": pending.roll_index}
            author = deal.some(pending.closer, pending.closer, "dana", deal.some(*PARTIES))
            self.write(author, "void", body if deal.chance(92) else deal.damaged(body))
        else:
            self.write("host", "close", {"openings": self.disclosed()["openings"]})

    def append(self, line: bytes) -> None:
        """Append a line; if it is refused, nothing is left of it anywhere."""
        table = self.table
        before, files, chains = dump(table.ledger), self.files(), dict(table.view.replay.chains)
        replay = table.view.replay
        head, size, state = replay.head, replay.size, replay.session
        refused = None
        try:
            table.ledger.append(table.game, line)
        except RefusedError as error:
            refused = error
        if refused is None:
            assert table.lines[size:] == [line]
            return
        self.refused.add(refused.code)
        replay = table.view.replay
        assert (replay.head, replay.size) == (head, size)
        assert replay.session is state
        assert replay.chains == chains
        assert dump(table.ledger) == before
        assert self.files() == files
        # The same in a copy of the log that nobody watches: the verifier finds it there, for the same reason.
        report = verify(table.log + line + b"\n")[0]
        offers = [each.seq for each in report.findings if each.code == "log.offer"]
        if offers:  # nobody has signed over what the rules alone refuse
            assert (offers, report.verdict) == ([size], "holds")
            return
        found = report.error
        assert found is not None
        assert (found.code, found.seq, found.clause) == (refused.code, size, refused.clause)

    def files(self) -> list[bytes]:
        paths = [self.table.folder / f"ledger.db{suffix}" for suffix in ("", "-wal")]
        return [hashlib.sha256(path.read_bytes()).digest() for path in paths if path.exists()]


@pytest.fixture(scope="module", params=range(8))
def match(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Match]:
    match = Match(tmp_path_factory.mktemp("match"), Random(f"match {request.param}"))
    match.play(70)
    yield match
    match.table.close()


@pytest.mark.slow
def test_what_the_ledger_accepts_verifies_and_what_it_refuses_leaves_no_trace(match: Match) -> None:
    table = match.table
    assert match.refused, "nothing was refused: the game was too tame"
    report, replay = verify(table.log)
    assert report.verdict == "holds"
    assert replay is not None
    assert report.state == table.state
    assert report.head is not None
    view = table.view.replay
    assert (report.head.size, report.head.leaf, report.head.root) == (
        view.size,
        view.head.hex(),
        view.tree.root().hex(),
    )


@pytest.mark.long
def test_the_oracle_comes_to_the_same_report_on_what_the_ledger_accepted(match: Match) -> None:
    compare_reports(match.table.log)


@pytest.mark.long
def test_read_tables_that_are_rebuilt_are_those_that_were_kept(match: Match) -> None:
    kept = read_tables(match.table.ledger)
    match.table.ledger.rebuild()
    assert read_tables(match.table.ledger) == kept


@pytest.mark.long
def test_read_tables_say_what_the_state_says(match: Match) -> None:
    table, state = match.table, match.table.state
    tables = read_tables(table.ledger)
    rolls = {row[1]: row for row in tables["rolls"]}
    assert sorted(rolls) == sorted(roll["roll"] for roll in state["rolls"])
    dice = {(row[1], row[2]): row for row in tables["dice"]}
    for roll in state["rolls"]:
        assert rolls[roll["roll"]][2:6] == (roll["player"], roll["status"], roll["source"], roll["notation"])
        for die in roll["dice"]:
            told = (die["sides"], json.dumps(die["naturals"]), die["naturals"][-1], die["result"], die["status"])
            assert dice[roll["roll"], die["die"]][3:] == told
    assert len(dice) == sum(len(roll["dice"]) for roll in state["rolls"])
    parties = {row[1]: row for row in tables["parties"]}
    assert [name for name in PARTIES if parties[name][5]] == state["joined"]
    assert [name for name in PARTIES if parties[name][6]] == state["left"]
    assert len(tables["rulings"]) == len(state["rulings"])
    assert [name for name in PARTIES if parties[name][7]] == state["away"]
    voids = [event for event in map(json.loads, table.lines) if event["type"] == "void"]
    assert [row[1:] for row in sorted(tables["voids"], key=lambda row: row[1])] == [
        (event["seq"], event["author"], ", ".join(event["body"]["missing"])) for event in voids
    ]
    (game,) = tables["games"]
    assert (game[4], game[5], game[6]) == (state["phase"], len(table.lines), table.view.replay.head.hex())


@pytest.mark.long
def test_an_imported_log_makes_the_same_store(match: Match, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "copy.db")
    report, new, *_ = ledger.importer.import_log(match.table.log, name="copy")
    assert (report.verdict, new) == ("holds", len(match.table.lines))
    assert {**dump(ledger), "openings": []} == {**dump(match.table.ledger), "openings": []}
    ledger.close()


@pytest.mark.slow
def test_the_games_have_what_the_protocol_has(tmp_path: Path) -> None:
    """That these tests pass means nothing where the games are too tame."""
    wanted = {
        *("open with continues", "open with away", "commit with link", "away with burned", "leave with burned"),
        *("close with openings", "void by player", "void by judge", "disclose", "away", "back", "reveal"),
        *("state.owed", "state.void", "state.voided", "state.away", "state.presence", "commit.link", "burned.link"),
        *("roll.voids", "void.opened", "roll.hidden", "roll.left", "party.away", "party.removed", "game.continues"),
        *("voided roll shown", "voided roll hidden"),
    }
    had: set[str] = set()
    for number in range(16):
        match = Match(tmp_path / str(number), Random(f"rich {number}"))
        match.play(70)
        events = [json.loads(line) for line in match.table.lines]
        had |= match.refused | {finding.code for finding in compare_reports(match.table.log).findings}
        had |= {event["type"] for event in events}
        had |= {f"{event['type']} with {member}" for event in events for member in event["body"]}
        had |= {f"void by {PARTIES[event['author']]}" for event in events if event["type"] == "void"}
        had |= {"voided roll shown" if roll.naturals else "voided roll hidden" for roll in match.replay.voided}
        match.table.close()
        if wanted <= had:
            return
    assert had >= wanted


@pytest.mark.slow
@settings(max_examples=100)
@given(randoms)
def test_any_game_that_the_ledger_accepts_verifies(random: Random) -> None:
    with TemporaryDirectory() as folder:
        match = Match(Path(folder), random)
        try:
            match.play(40)
            compare_reports(match.table.log)
            kept = read_tables(match.table.ledger)
            match.table.ledger.rebuild()
            assert read_tables(match.table.ledger) == kept
        finally:
            match.table.close()


# --- damage --------------------------------------------------------------------------------------------------------


@pytest.mark.long
@given(data=st.data())
def test_a_log_that_is_cut_reordered_spliced_or_flipped_does_not_pass(match: Match, data: st.DataObject) -> None:
    lines = match.table.lines
    log = joined(lines)
    some = st.integers(0, len(lines) - 1)
    match data.draw(st.sampled_from(["cut", "cut at a line", "moved", "doubled", "flipped", "inserted"])):
        case "cut":
            damaged = log[: data.draw(st.integers(0, len(log) - 1))]
            if damaged.endswith(b"\n"):
                damaged = damaged[:-1]
        case "cut at a line":
            # Holds, as the shorter log that it is: nothing in a file shows that it goes on. Its head does.
            report = verify(joined(lines[: data.draw(st.integers(1, len(lines) - 1))]))[0]
            assert report.verdict == "holds"
            assert report.head != verify(log)[0].head
            assert "log.unfinished" in [finding.code for finding in report.findings]
            return
        case "moved":
            line = lines.pop(data.draw(some))
            lines.insert(data.draw(st.integers(0, len(lines))), line)
            damaged = joined(lines)
            if damaged == log:
                return
        case "doubled":
            at = data.draw(some)
            lines.insert(data.draw(st.integers(0, len(lines))), lines[at])
            damaged = joined(lines)
        case "flipped":
            at = data.draw(st.integers(0, len(log) - 1))
            damaged = log[:at] + bytes([log[at] ^ 1 << data.draw(st.integers(0, 7))]) + log[at + 1 :]
        case _:
            at = data.draw(st.integers(0, len(log)))
            damaged = log[:at] + data.draw(st.binary(min_size=1, max_size=3)) + log[at:]
    assert verify(damaged)[0].verdict != "holds"


NAMES = ("host", "alice", "bob", "carol", "dana", "walt", "gail", "zoe")
KEYS = {name: reference.private_key(name) for name in NAMES}


class Vandal:
    """Damages a log of the vectors, whose keys everybody knows, and signs what it likes of it anew."""

    def __init__(self, random: Random, lines: list[bytes]) -> None:
        self.deal = Dealer(random)
        self.lines = lines

    def damage(self) -> bytes:
        match self.deal.number(0, 9):
            case 0:
                return self.bytes_changed()
            case 1:
                return self.lines_moved()
            case _:
                try:
                    self.event_changed()
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                    return self.bytes_changed()  # earlier damage: that line is no event any more
                return joined(self.lines)

    def bytes_changed(self) -> bytes:
        log = bytearray(joined(self.lines) or b"{}")
        at = self.deal.number(0, len(log) - 1)
        new = self.deal.some(b"", b"\n", b" ", b"0", b"}", b'"', b"\\u0061", b"\x00", b"\xff", b"null", b"[" * 70)
        log[at : at + self.deal.number(0, 2)] = new
        return bytes(log)

    def lines_moved(self) -> bytes:
        if not self.lines:
            return b""
        line = self.lines.pop(self.deal.number(0, len(self.lines) - 1))
        if self.deal.chance(60):
            self.lines.insert(self.deal.number(0, len(self.lines)), line)
        return joined(self.lines)[: None if self.deal.chance(80) else -1]

    def event_changed(self) -> None:
        at = self.deal.number(0, len(self.lines) - 1)
        event = json.loads(self.lines[at])
        signer = event["author"]
        name = self.deal.some(*["body"] * 16, *sorted(event))
        match self.deal.number(0, 9):
            case 0:
                event["author"] = signer = self.deal.some(*NAMES)
            case 1:
                kinds = (
                    "roll",
                    "reveal",
                    "void",
                    "disclose",
                    "commit",
                    "join",
                    "leave",
                    "away",
                    "back",
                    "close",
                    "ruling",
                )
                event["type"] = self.deal.some(*kinds)
            case 2 if at:
                event = json.loads(self.deal.some(*self.lines)) | {"seq": at, "prev": event["prev"]}
                signer = event["author"]
            case 3:
                del event[name]
            case _:
                event[name] = self.deal.damaged(event[name])
        signers = [signer] if self.deal.chance(80) else ["host", *NAMES]
        self.lines[at] = self.signed(event, self.deal.some(*signers)) if self.deal.chance(90) else written(event)
        if self.deal.chance(85):
            self.chain_from(at + 1)

    def chain_from(self, at: int) -> None:
        """Chain and sign the lines from there on anew, with their openings, as if everybody helped."""
        for seq in range(max(at, 1), len(self.lines)):
            try:
                event = json.loads(self.lines[seq])
                event["prev"] = reference.leaf(self.lines[seq - 1]).hex()
                request = reference.leaf(self.lines[seq - (2 if event["type"] == "disclose" else 1)])
                event["game"] = reference.leaf(self.lines[0]).hex()
                for one in event["body"].get("openings", ()):
                    game, link = bytes.fromhex(event["game"]), bytes.fromhex(one["link"])
                    message = reference.opening_message(game, request, one["author"], one["index"], link)
                    one["sig"] = KEYS[one["author"]].sign(message).hex()
            except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
                return
            self.lines[seq] = self.signed(event, event["author"])

    def signed(self, event: dict[str, Any], signer: Any) -> bytes:
        unsigned = {name: value for name, value in event.items() if name != "sig"}
        key = KEYS.get(signer) if isinstance(signer, str) else None
        if key is None:
            return written(event)
        return written(event | {"sig": key.sign(reference.EVENT_LABEL + written(unsigned)).hex()})


def written(event: dict[str, Any]) -> bytes:
    return json.dumps(event, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(errors="surrogatepass")


def compare_reports(log: bytes) -> Report:
    """The verifier's report on a log, if the oracle's says the same."""
    (report, replay), oracle = verify(log), reference.verify(log)
    found = [(f.code, f.severity, f.step, f.seq, f.fault, f.clause) for f in report.findings]
    expected = [(f.code, f.severity, f.step, f.seq, f.fault, f.clause) for f in oracle.findings]
    assert found == expected
    assert (report.verdict, report.game, report.events, report.valid_prefix) == (
        oracle.verdict,
        oracle.game,
        oracle.events,
        oracle.valid_prefix,
    )
    head = None if report.head is None else msgspec.to_builtins(report.head)
    assert head == oracle.head
    assert report.trust == oracle.trust
    assert told_by_logs(report.state) == told_by_logs(oracle.state)
    if replay is not None and replay.size:
        shown = {roll.pending.seq: (list(roll.sides), list(roll.naturals)) for roll in replay.voided}
        assert shown == {one["seq"]: (one["sides"] or [], one["naturals"] or []) for one in oracle.voided}
    return report


def told_by_logs(state: dict[str, Any] | None) -> dict[str, Any] | None:
    """What the oracle for logs has in the state of its rules: who joined and the phase it keeps elsewhere."""
    if state is None:
        return None
    return {name: value for name, value in state.items() if name not in ("joined", "phase")}


def vandalized(random: Random) -> bytes:
    deal = Dealer(random)
    path = deal.some(*[path for path in sorted(LOGS.glob("*.jsonl")) if path.stat().st_size < 100_000])
    lines = path.read_bytes().split(b"\n")[:-1]
    vandal = Vandal(random, lines)
    log = vandal.damage()
    if deal.chance(30):
        vandal.lines = log.split(b"\n")[:-1]
        log = vandal.damage()
    return log


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_verifier_and_oracle_find_the_same_in_damaged_logs(seed: int) -> None:
    verdicts = set()
    for part in range(25):
        log = vandalized(Random(f"{seed} {part}"))
        verdicts.add(compare_reports(log).verdict)
    assert "fails" in verdicts


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100))
def test_verifier_and_oracle_find_the_same_in_many_damaged_logs(seed: int) -> None:
    for part in range(200):
        compare_reports(vandalized(Random(f"slow {seed} {part}")))
