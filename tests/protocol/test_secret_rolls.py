"""Secret rolls: what a seat does by itself, and what cheats with and without the keeper come to (specs/security.md)."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from ledger.errors import MissingError, SeedError
from ledger.game.party_view import LogView
from ledger.seats.records import OwnSeal, Record
from tests.adversary.test_adversary_seats import sits
from tests.oracles.reference import Writer, canonical, leaf, naturals_of
from verifier import NoteError, Report, verify
from verifier.shown_roll import check_shown, parse_shown

ROLES = {"host": "keeper", "alice": "player", "gil": "gm", "dana": "judge"}


def table(label: str = "secret seats", contributors: object = "all") -> Writer:
    w = Writer(label, dict(ROLES), contributors)
    w.open(system="dice-1", options={}, sealed="kept")
    w.join("alice", "gil", "dana")
    w.commit(*(["host", "alice", "gil"] if contributors == "all" else ["host", "alice"]), length=200)
    w.seal("gil", 64)
    return w


def report_of(w: Writer) -> Report:
    return verify(w.data)[0]


# --- what a seat does by itself ---------------------------------------------------------------------------------------


class Gil:
    """Gil's seat, at a log that was made elsewhere; `remembers`: whether it has the secrets of gil's tags."""

    def __init__(self, folder: Path, remembers: bool) -> None:
        self.seat = sits(folder, "gil", 1)
        self.remembers = remembers

    def tends(self, w: Writer) -> list[str]:
        """What it would sign by itself."""
        view = LogView(w.data.splitlines())
        own = {leaf(line).hex(): seq for seq, line in enumerate(view.lines(0)) if b'"author":"gil"' in line}
        seals = (OwnSeal(1, 64, "00" * 32),) if self.remembers else ()
        with self.seat._memory.game(view.replay.game) as turn:
            turn.record = Record(signed=own, seals=seals)
        made = self.seat.tend(view)
        return [each.func.__name__ if isinstance(each, partial) else each.__name__ for each in made]


@pytest.fixture
def gil(tmp_path: Path) -> Iterator[Gil]:
    found = Gil(tmp_path / "gil", remembers=True)
    yield found
    found.seat.close()


def test_a_holder_seals_anew_when_fewer_than_half_of_the_tags_are_left_and_it_has_their_secrets(gil: Gil) -> None:
    w = table()
    for _ in range(31):  # the last tag is for the next seal
        w.roll_secret("gil", "gil", "d20", [20])
    assert gil.tends(w) == []
    w.roll_secret("gil", "gil", "d20", [20])
    assert gil.tends(w) == ["seal"]
    gil.remembers = False
    assert gil.tends(w) == [], "it could not: the next seal needs the last secret"


def test_a_holder_does_nothing_by_itself_while_a_roll_waits_or_it_is_not_there(gil: Gil) -> None:
    w = Writer("secret coming and going", dict(ROLES), "all")
    w.open(system="dice-1", options={}, sealed="kept")
    assert gil.tends(w) == [], "it has not joined"
    w.join("alice", "gil", "dana")
    w.commit("host", "alice", "gil", length=20)
    assert gil.tends(w) == ["seal"]
    w.seal("gil", 4)
    assert gil.tends(w) == ["seal"], "four are few"
    w.request("alice", "roll", {"dice": "d20"}, [20])
    assert gil.tends(w) == []
    w.reveal()
    w.away("gil", "gil")
    assert gil.tends(w) == []
    w.back("gil", "gil")
    assert gil.tends(w) == ["seal"]
    w.leave("gil", "gil")
    assert gil.tends(w) == []


def test_a_holder_shows_by_itself_what_it_owes_and_has_and_nobody_shows_anothers(gil: Gil, tmp_path: Path) -> None:
    w = table()
    number = w.ask_secret("alice", "gil", "d20", [20])
    w.void("dana")
    w.disclose([])
    assert gil.tends(w) == ["show"]
    gil.remembers = False
    assert gil.tends(w) == []
    view = LogView(w.data.splitlines())
    with pytest.raises(SeedError, match="does not have the secret with number"):
        gil.seat.show_file(view, number)
    alice = sits(tmp_path / "alice", "alice", 1)
    for request in (number, 1):
        with pytest.raises(MissingError, match=f"event {request} is not a secret roll that alice holds"):
            alice.show_file(view, request)
    with pytest.raises(MissingError, match="event 1 is not a secret roll that gil holds"):
        gil.seat.show_file(view, 1)
    alice.close()


# --- cheats ---------------------------------------------------------------------------------------------------------


def test_who_shows_only_its_best_roll_is_counted() -> None:
    w = table()
    rolls = [w.roll_secret("gil", "gil", "d20", [20]) for _ in range(20)]
    best = max(rolls, key=lambda number: w.show_body(number)["naturals"][0])
    w.show(best)
    w.close()
    report = report_of(w)
    assert report.verdict == "holds"
    assert "gil rolled 20 rolls in secret and showed 1: gil alone chose which." in report.trust
    (notice,) = [finding for finding in report.findings if finding.code == "roll.unshown"]
    assert (notice.fault, notice.seq) == (None, min(set(rolls) - {best}))
    assert "19 rolls" in notice.message


def test_nothing_hangs_on_a_secret_roll() -> None:
    """Neither a call, nor a target, nor a claim or a correction of it."""
    w = table()
    number = w.roll_secret("gil", "gil", "d20", [20])
    w.show(number)
    w.write("dana", "ruling", {"ruling": "uphold", "subject": number, "text": "it stands"})
    assert report_of(w).verdict == "holds"
    w.write("gil", "resolve", {"roll": number})
    w.commit("host")
    assert report_of(w).findings[0].code == "rules.violation"


def test_the_holder_with_the_keeper_calls_a_roll_off_only_with_its_secret() -> None:
    """Keeper and holder know the dice when alice has opened; the void has the secret, so all know them."""
    w = table()
    number = w.ask_secret("gil", "gil", "d20", [20])
    secret = w.secret("gil", w.kept[number].number)
    w.void("gil", secret=secret.hex())
    w.disclose([])
    report, replay = verify(w.data)
    assert replay is not None
    voided = replay.voided.get(number)
    assert voided is not None
    assert len(voided.naturals) == 1
    codes = {finding.code: finding.fault for finding in report.findings}
    assert codes["void.opened"] == "gil", "the disclose has the holder's own opening"
    assert "roll.unshown" not in codes


def test_a_keeper_with_a_judge_learns_no_dice_of_another_holders() -> None:
    """All openings come out; without gil's secret the log says nothing of the dice."""
    w = table()
    number = w.ask_secret("alice", "gil", "d20", [20])
    w.void("dana")
    w.disclose([])
    report, replay = verify(w.data)
    assert replay is not None
    voided = replay.voided.get(number)
    assert voided is not None
    assert not voided.hidden_by
    assert voided.naturals == ()
    assert report.state is not None
    assert report.state["sealed"]["gil"]["owes"] == number
    w.show(number)
    _, replay = verify(w.data)
    assert replay is not None
    shown = replay.voided.get(number)
    assert shown is not None
    assert shown.naturals != ()


def test_a_holder_that_keeps_an_owed_secret_holds_no_further_roll() -> None:
    w = table()
    w.ask_secret("alice", "gil", "d20", [20])
    w.call_off("dana", ["alice"])
    flawed = w.ask_secret("alice", "gil", "d20", [20])
    report = report_of(w)
    assert (report.findings[0].code, report.findings[0].seq) == ("state.sealed", flawed)


def test_the_links_alone_do_not_give_the_dice() -> None:
    """The seed of a secret roll is another than the one that its links give."""
    w = table()
    found = []
    for _ in range(40):
        number = w.ask_secret("gil", "gil", "d100", [100])
        openings = w.openings()
        from_links = naturals_of(w.seed(openings), [100])
        w.kept[number].links = {each["author"]: bytes.fromhex(each["link"]) for each in openings}
        w.reveal(openings)
        found.append(from_links == w.show_body(number)["naturals"])
    assert sum(found) < 5


# --- shows beside the log -------------------------------------------------------------------------------------------


def shown_files() -> tuple[Writer, list[tuple[bytes, str, int]]]:
    """A log, files beside it, what each is, and how many dice those that hold show."""
    w = table("shown file")
    numbers = [
        w.roll_secret("gil", "gil", "2d6", [6, 6], hidden=w.hide("gil", "a trap")),
        w.roll_secret("alice", "gil", "d20", [20], source="Stealth"),
        w.ask_secret("alice", "gil", "d20", [20]),
    ]
    w.call_off("alice")
    w.show(numbers[2])
    numbers.append(w.ask_secret("alice", "gil", "d20", [20]))
    w.void("dana")
    w.disclose([])
    w.show(numbers[3])
    numbers.append(w.ask_secret("alice", "gil", "d20", [20]))
    files: list[dict[str, object]] = []
    for number, text in zip(numbers, ("a trap", None, None, None, None), strict=True):
        body = w.show_body(number, text)
        more: dict[str, object] = {name: body[name] for name in ("secret", "salt", "text") if name in body}
        request = leaf(w.lines[number]).hex()
        files.append({"format": "rollproof/show/v1", "game": w.game.hex(), "request": request, **more})
    own, blind, called_off, disclosed, waits = files
    holds: list[tuple[dict[str, object], int]] = [(own, 2), (blind, 1), (called_off, 1), (disclosed, 1), (waits, 0)]
    fails: list[dict[str, object]] = [
        {**own, "secret": w.secret("gil", 2).hex()},
        {**own, "text": "a door"},
        {**own, "salt": "ab" * 32},
        {**own, "request": blind["request"]},
        {**own, "request": leaf(w.lines[1]).hex()},
        {**own, "game": "ab" * 32},
        {**blind, "salt": "ab" * 32, "text": "more"},
        {**blind, "salt": "ab" * 32},
        {**blind, "text": "more"},
        {name: value for name, value in own.items() if name not in ("salt", "text")},
        {name: value for name, value in own.items() if name != "salt"},
        {name: value for name, value in own.items() if name != "text"},
    ]
    malformed: list[dict[str, object]] = [
        {**own, "text": ""},
        {**own, "text": "left\u202eright"},
        {**own, "more": 1},
        {**own, "secret": "AB" * 32},
        {**own, "format": "rollproof/show/v2"},
    ]
    good = canonical(own)
    unreadable = [*map(canonical, malformed), good + b" ", json.dumps(own).encode(), b"", b"{}", b"[" * 5_000]
    found = [(canonical(file), "holds", dice) for file, dice in holds]
    found += [(good + b"\n", "holds", 2)]
    found += [(canonical(file), "fails", 0) for file in fails]
    found += [(data, "unreadable", 0) for data in (*unreadable, good[:-1] + b"\xff")]
    return w, found


def test_a_show_stands_beside_the_log_and_is_of_its_roll_alone() -> None:
    """With what the roll hid, and without anything where it hid nothing; its dice where all links are known."""
    w, files = shown_files()
    for data, verdict, dice in files:
        if verdict == "unreadable":
            with pytest.raises(NoteError):
                parse_shown(data)
            continue
        shown = parse_shown(data)
        if verdict == "fails":
            with pytest.raises(NoteError):
                check_shown(w.lines, shown)
            continue
        found = check_shown(w.lines, shown)
        assert (found.holder, len(found.naturals or ()), found.naturals == ()) == ("gil", dice, False), data
        if w.kept[found.request].links:
            assert list(found.naturals or ()) == w.show_body(found.request)["naturals"]
        assert found.text == ("a trap" if b"a trap" in data else None)
    called_off = parse_shown(files[2][0])
    earlier = next(at for at, line in enumerate(w.lines) if b'"type":"show"' in line)
    assert check_shown(w.lines[:earlier], called_off).naturals is None, "alice's link is not known there"


def test_a_show_stands_beside_the_log_after_the_close_and_is_nobodys_else() -> None:
    w = table()
    number = w.roll_secret("gil", "gil", "2d6", [6, 6], hidden=w.hide("gil", "a trap"))
    other = w.roll_secret("gil", "gil", "d20", [20])
    w.close()
    lines = w.data.split(b"\n")[:-1]
    body = w.show_body(number, "a trap")
    file = {
        "format": "rollproof/show/v1",
        "game": w.game.hex(),
        "request": leaf(lines[number]).hex(),
        **{name: body[name] for name in ("secret", "salt", "text")},
    }
    found = check_shown(lines, parse_shown(canonical(file)))
    assert (found.holder, found.request, found.text) == ("gil", number, "a trap")
    assert list(found.naturals or ()) == body["naturals"]
    for wrong in (
        {**file, "secret": w.secret("gil", 2).hex()},
        {**file, "text": "a door"},
        {**file, "request": leaf(lines[other]).hex()},
        {**file, "request": leaf(lines[1]).hex()},
        {name: value for name, value in file.items() if name not in ("salt", "text")},
    ):
        with pytest.raises(NoteError):
            check_shown(lines, parse_shown(canonical(wrong)))
    with pytest.raises(NoteError):
        parse_shown(json.dumps(file).encode())
