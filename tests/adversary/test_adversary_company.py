"""Attacks by those who sit at the table with the keeper, in whole games at a served table (specs/security.md).

The holder of secret rolls and the keeper are one: they show what they like, call off what they dislike, or one of them
cheats the other. Or a host and a friend whom it let in, with the keeper and without: the friend judges, votes, is one
of two others, lets the others wait. Every honest party has a home and a seat of its own. Asked are the report, the
trust statement, whoever counts, and the honest programs.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from ledger.cli.hints import consent_lines
from ledger.errors import LedgerError
from ledger.game.party_view import LogView
from ledger.home import Home
from ledger.lobby import Link
from ledger.seats.identity import Identity
from rules import Body
from rules.base import Ruling
from rules.protocol import Back, Consent
from rules.systems.anydice.bodies import RollBody
from tests.adversary.test_adversary_lost import League, forged, league
from tests.server.served import PASSPHRASE, Plain, Server, roomy
from tests.server.test_late import authors, begun, code, let_in, report, roll, word
from tests.support.table import Forger, joined
from verifier import Failure, NoteError, Replay, Report, verify
from verifier.log.bodies import AdmitBody, AwayBody, LeaveBody, ReplaceBody
from verifier.shown_roll import check_shown, parse_shown

pytestmark = pytest.mark.long

__all__ = ["league"]

BEHIND_SCREEN: dict[str, Any] = {"roles": ("player", "gm", "judge", "spectator"), "sealed": "kept"}


@contextmanager
def screened(root: Path, server: Server, *, judge: bool = False) -> Iterator[list[Plain]]:
    """Alice, who is the host, and gil, who holds secret rolls, have begun; with dana, a judge, if `judge`."""
    roles = {"alice": "player", "gil": "gm", **({"dana": "judge"} if judge else {})}
    parties = [Plain(root / name, name, server.address) for name in roles]
    try:
        links = parties[0].open_table("dice-1", **BEHIND_SCREEN)
        for party, role in zip(parties, roles.values(), strict=True):
            assert party.sit(links[role]).status_code == 201
        assert parties[0].start().status_code == 201
        for party in parties:
            party.enter(64)
        gil = parties[1]
        gil.fetch()
        gil.offered(gil.seat.seal(gil.view, 32))
        yield parties
    finally:
        for party in parties:
            party.close()


def in_secret(who: Plain, *others: Plain, hidden: str | None = None) -> int:
    """A secret roll of gil's that is revealed; the number of its request. The last of the others holds a blind one."""
    number = ask_in_secret(who, hidden=hidden)
    for party in (*others, who):
        assert party.open().status_code == 201
    who.fetch()
    return number


def ask_in_secret(who: Plain, *, hidden: str | None = None) -> int:
    who.fetch()
    about = UNSET if hidden is None else who.seat.hide(who.view, hidden)
    number = who.view.replay.size
    who.act("roll", RollBody(dice="d20", sealed="gil", sides=(20,), hidden=about))
    return number


def dice_of(gil: Plain, request: int) -> tuple[int, ...]:
    """What gil alone sees."""
    gil.fetch()
    return next(each.naturals for each in gil.seat.keyless.outcomes(gil.view) if each.request == request)


def replay_of(party: Plain) -> Replay:
    party.fetch()
    _, replay = verify(log_of(party))
    assert replay is not None
    return replay


def log_of(party: Plain) -> bytes:
    return joined(party.view.lines(0))


def noticed(found: Report) -> dict[str, tuple[str, str | None]]:
    """What the report says, by code, and at whose fault."""
    return {each.code: (str(each.message), each.fault) for each in found.findings}


def failed(party: Plain, *lines: bytes) -> tuple[str, str | None]:
    """What the report says of a log into which the keeper took these lines, and at whose fault."""
    found, _ = verify(joined([*party.view.lines(0), *lines]))
    assert found.error is not None
    return found.error.code, found.error.fault


class Keeper:
    """The key, the store and the program of a server that is down."""

    def __init__(self, server: Server) -> None:
        server.process.kill()
        server.wait()
        self.server = server
        self.home = Home(server.root / "home", server.root / "state")

    def sign(self, party: Plain, lines: list[bytes], type: str, body: dict[str, Any]) -> bytes:
        """Any line of the keeper's behind those that a party has and these."""
        return Forger(self.home.identity("keeper", PASSPHRASE)).event([*party.view.lines(0), *lines], type, body)

    def writes(self, party: Plain, type: str, body: Body) -> int:
        """Its honest program writes an event, whatever its owner wants with it; its number."""
        with closing(self.home.ledger()) as ledger, closing(self.home.seat("keeper", PASSPHRASE)) as seat:
            made = seat.sign(ledger.view(party.game), type, body)
            return ledger.append(party.game, made, seat).seq

    def close_game(self, party: Plain) -> None:
        """Its honest program closes the game, whatever its owner left out of it."""
        with closing(self.home.ledger()) as ledger, closing(self.home.seat("keeper", PASSPHRASE)) as seat:
            ledger.append(party.game, seat.close_game(ledger.view(party.game)), seat)
            for line in list(ledger.lines(party.game, party.view.replay.size)):
                party.view.append(line)

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Its server is there again."""
        again = self.server.again()
        try:
            yield
        finally:
            again.process.kill()
            again.wait()


# --- the holder, with the keeper and against it ----------------------------------------------------------------------


def test_who_shows_the_best_of_many_secret_rolls_is_counted_and_nothing_hangs_on_it(
    tmp_path: Path, league: League
) -> None:
    with roomy(tmp_path / "server") as server, screened(tmp_path, server) as [alice, gil]:
        roll(alice, gil)
        numbers = [in_secret(gil, alice) for _ in range(6)]
        best = max(numbers, key=lambda number: dice_of(gil, number))
        gil.offered(gil.seat.show(gil.view, best))
        told = report(alice)
        assert "gil rolled 6 rolls in secret and showed 1: gil alone chose which." in told.trust
        message = "gil has not shown 5 rolls that gil holds in secret: only gil knows the dice."
        assert noticed(told)["roll.unshown"] == (message, None)
        counted, said = league.counts(alice)
        assert counted == ["alice"], "luck and season leave them out, shown or not"
        # The one that it likes is no roll of the game: no call, target or ruling takes its dice.
        alice.fetch()
        for kind, body in (("roll", {"call": best, "dice": "d20"}), ("resolve", {"roll": best})):
            assert alice.offer(forged(gil, kind, body)).status_code == 422
        assert said == []


def test_holder_and_keeper_choose_no_dice_and_no_purpose_afterwards(tmp_path: Path) -> None:
    """What is shown must lead to tag and hidden text, whatever the keeper takes; in a file beside the log too."""
    with roomy(tmp_path / "server") as server, screened(tmp_path, server) as [alice, gil]:
        number, other = in_secret(gil, alice, hidden="a trap"), in_secret(gil, alice, hidden="a door")
        dice_of(gil, number)
        right = parse_shown(gil.seat.show_file(gil.view, number))
        better = parse_shown(gil.seat.show_file(gil.view, other))
        (die,) = dice_of(gil, number)
        body: dict[str, Any] = {
            "naturals": [die],
            "request": number,
            "salt": right.salt,
            "secret": right.secret,
            "text": right.text,
        }
        cheats: dict[str, dict[str, Any]] = {
            "show.naturals": {"naturals": [die % 20 + 1]},
            "show.secret": {"secret": better.secret},
            "show.text": {"text": "a treasure"},
        }
        for refused, changed in cheats.items():
            line = forged(gil, "show", {**body, **changed})
            assert code(gil.offer(line)) == (422, refused)
        keeper = Keeper(server)
        for refused, changed in cheats.items():
            line = forged_here(gil, "show", {**body, **changed})
            over = keeper.sign(gil, [line], "close", {})
            assert failed(gil, line, over) == (refused, "gil"), "the keeper took it, and the log says whose show it is"
        assert check_shown(list(gil.view.lines(0)), right).text == "a trap"


def forged_here(party: Plain, type: str, body: dict[str, Any]) -> bytes:
    """A line of a party's whose server is down."""
    return Forger(party.identity).event(list(party.view.lines(0)), type, body)


def test_a_keeper_that_takes_no_show_frames_no_holder(tmp_path: Path) -> None:
    """It drops what gil shows, closes the game, and says that gil hides his rolls."""
    with roomy(tmp_path / "server") as server, screened(tmp_path, server) as [alice, gil]:
        number = in_secret(gil, alice, hidden="a trap")
        dice = dice_of(gil, number)
        dropped = gil.seat.show(gil.view, number)
        keeper = Keeper(server)
        keeper.close_game(gil)
        found, _ = verify(log_of(gil))
        assert dropped not in gil.view.lines(0)
        assert found.verdict == "holds"
        message = "gil has not shown 1 roll that gil holds in secret: only gil knows the dice."
        assert noticed(found)["roll.unshown"] == (message, None), "it is nobody's fault"
        # The same, as a file that gil gives to alice, holds beside her log, and says the same to everybody.
        for _ in range(2):
            file = gil.seat.show_file(gil.view, number)
            shown = check_shown(list(gil.view.lines(0)), parse_shown(file))
            assert (shown.holder, shown.request, shown.naturals, shown.text) == ("gil", number, dice, "a trap")


def test_a_show_beside_the_log_is_good_for_its_own_game_alone(tmp_path: Path) -> None:
    with roomy(tmp_path / "server") as server, screened(tmp_path / "one", server) as [alice, gil]:
        file = parse_shown(gil.seat.show_file(gil.view, in_secret(gil, alice)))
        with screened(tmp_path / "two", server) as [other_alice, other_gil]:
            in_secret(other_gil, other_alice)
            with pytest.raises(NoteError):
                check_shown(list(other_gil.view.lines(0)), file)
        assert check_shown(list(gil.view.lines(0)), file).holder == "gil"


def test_holder_and_keeper_call_an_own_roll_off_only_with_what_it_would_have_shown(tmp_path: Path) -> None:
    """Alice has opened, so keeper and gil know the dice: each second try stands in the log with the first one's."""
    with roomy(tmp_path / "server") as server, screened(tmp_path, server) as [alice, gil]:
        voided = []
        for _ in range(2):
            voided.append(ask_in_secret(gil))
            assert alice.open().status_code == 201
            gil.fetch()
            without = forged(gil, "void", {"missing": [], "roll_index": gil.view.replay.session.requests - 1})
            assert code(gil.offer(without)) == (422, "void.secret"), "the keeper's program takes none without it"
            gil.offered(gil.seat.void(gil.view))
        with pytest.raises(LedgerError):
            gil.act("roll", gil.typed("d20"))
        in_secret(gil, alice)
        found, replay = report(alice), replay_of(alice)
        assert "gil voided 2 rolls" in noticed(found)["roll.voids"][0]
        assert "2 by gil (keeper and gil together could have known the dice first)" in found.trust
        for request in voided:
            roll_voided = replay.voided.get(request)
            assert roll_voided is not None
            assert len(roll_voided.naturals) == 1, "all can read what gil did not like"


def test_a_holder_that_keeps_the_secret_of_a_roll_that_was_called_off_gets_no_further_one(tmp_path: Path) -> None:
    """Keeper, gil and a judge: the judge calls alice's blind roll off, and gil's program shows nothing."""
    with roomy(tmp_path / "server") as server, screened(tmp_path, server, judge=True) as [alice, gil, dana]:
        number = ask_in_secret(alice)
        assert gil.open().status_code == 201
        dana.fetch()
        dana.offered(dana.seat.void(dana.view, ["alice"]))
        alice.fetch()
        again = forged(alice, "roll", {"dice": "d20", "sealed": "gil", "sides": [20]})
        assert code(alice.offer(again)) == (422, "state.sealed")
        # Alice owes that roll, and is not held up by it: she rolls in the open.
        assert authors(roll(alice, gil)) == ["keeper", "alice", "gil"]
        told = report(alice)
        assert "1 by dana (keeper with dana, or with alice, could have known the dice first)" in told.trust
        assert told.state["sealed"]["gil"]["owes"] == number
        message = "gil has not shown 1 roll that gil holds in secret: only gil knows the dice."
        assert noticed(told)["roll.unshown"] == (message, None)
        assert noticed(told)["roll.voids"] == ("dana voided 1 roll. Who had not opened, by dana's word: alice.", None)
        # An honest program of gil's shows it by itself, and then there are further ones.
        gil.fetch()
        shows, *_ = gil.seat.tend(gil.view)
        gil.offered(shows(gil.view))
        assert report(alice).state["sealed"]["gil"]["owes"] is None
        assert in_secret(alice, gil) > number


def test_the_links_of_all_contributors_do_not_give_the_dice_of_anothers_secret_roll(tmp_path: Path) -> None:
    """Keeper and alice together, who are all contributors but the holder: without its secret they know nothing."""
    with roomy(tmp_path / "server") as server, screened(tmp_path, server) as [alice, gil]:
        number = in_secret(alice, gil)
        pending, links = replay_of(alice).secret_rolls[number]
        assert pending.secret is not None
        assert set(links) == {"keeper", "alice", "gil"}, "all of them are known"
        assert report(alice).state["rolls"][-1]["dice"] == []
        body = {"naturals": [20], "request": number, "secret": "00" * 32}
        assert code(alice.offer(forged(alice, "show", body))) == (422, "author.role")
        keeper = Keeper(server)
        line = keeper.sign(alice, [], "show", body)
        assert failed(alice, line) == ("author.role", "keeper")


# --- a host with a false friend --------------------------------------------------------------------------------------


def friend_comes(host: Plain, friend: Plain, link: Link, role: str) -> int:
    """The host lets its friend in, and consents to it; the number of the `admit`."""
    assert friend.sit(link).status_code == 201
    assert let_in(host, word(host, friend, role)).status_code == 201
    friend.enter(64)
    host.fetch()
    number = host.view.replay.session.parties.late[friend.name].admit
    host.act("consent", Consent(number))
    return number


def told_of(replay: Replay, party: str) -> str:
    """What the program of a party here says that waits."""
    return "".join(consent_lines(replay, "9c31", (party,), str))


def test_a_hosts_friend_judges_nothing_before_all_who_play_have_consented(tmp_path: Path) -> None:
    with roomy(tmp_path / "server") as server, begun(tmp_path, server, "mallory") as (links, [alice, bob, mallory]):
        number = roll(bob, alice)["seq"] - 1
        admit = friend_comes(alice, mallory, links["judge"], "judge")
        acts: list[tuple[str, dict[str, Any]]] = [
            ("ruling", {"ruling": "void", "subject": number, "text": "no"}),
            ("ruling", {"results": [{"die": 1, "result": 1}], "ruling": "correct", "subject": number, "text": "no"}),
            ("away", {"party": "bob"}),
            ("leave", {"party": "bob"}),
        ]
        for kind, body in acts:
            assert code(mallory.offer(forged(mallory, kind, body))) == (422, "state.newcomer")
        # Alice has opened, and with the keeper knows bob's dice: her friend calls them off.
        bob.act("roll", bob.typed())
        assert alice.open().status_code == 201
        mallory.fetch()
        void = {"missing": ["bob"], "roll_index": mallory.view.replay.session.requests - 1}
        assert code(mallory.offer(forged(mallory, "void", void))) == (422, "state.newcomer")
        assert bob.open().status_code == 201
        found = report(bob)
        message = (
            "keeper, the keeper, let mallory in by the host's word. Not everybody has consented, so mallory has no say "
            "in what the others decide."
        )
        assert noticed(found)["party.admitted"] == (message, None)
        assert "mallory came later, by the host's word" in found.trust
        assert "judges nothing until bob have consented" in told_of(replay_of(bob), "bob")
        # The same with a keeper that takes it: no honest program goes on with that log.
        mallory.fetch()
        keeper = Keeper(server)
        for kind, body in acts:
            line = forged_here(mallory, kind, body)
            over = keeper.sign(mallory, [line], "close", {})
            assert failed(mallory, line, over) == ("state.newcomer", "mallory")
            with pytest.raises(Failure):
                LogView([*bob.view.lines(0), line])
        # And if bob consents, she judges, and is named with the keeper.
        with keeper.serving():
            bob.act("consent", Consent(admit))
            bob.act("roll", bob.typed())
            assert alice.open().status_code == 201
            mallory.fetch()
            mallory.offered(mallory.seat.void(mallory.view, ["bob"]))
            found = report(bob)
            assert "1 by mallory (keeper with mallory, or with bob, could have known the dice first)" in found.trust
            assert noticed(found)["roll.voids"][0].startswith("mallory voided 1 roll.")


def test_the_keepers_friend_is_not_the_second_of_two_others(tmp_path: Path) -> None:
    """Alice, the host, goes for a while. The keeper lets a friend in alone, and the two would sign bob away."""
    terms: dict[str, Any] = {"away": "others"}
    with (
        roomy(tmp_path / "server") as server,
        begun(tmp_path, server, "mallory", **terms) as (links, [alice, bob, mallory]),
    ):
        roll(bob, alice)
        assert mallory.sit(links["player"]).status_code == 201
        alice.act("away", AwayBody("alice"))
        keeper = Keeper(server)
        keeper.writes(bob, "admit", AdmitBody(str(mallory.identity.key), "player"))
        with keeper.serving():
            mallory.enter(64)
            assert code(mallory.offer(forged(mallory, "away", {"party": "bob"}))) == (422, "state.presence")
            assert code(mallory.offer(forged(mallory, "consent", {"admit": 0}))) == (422, "state.consent")
            assert "The keeper let mallory in alone." in told_of(replay_of(bob), "bob")
        keeper = Keeper(server)
        keeper.writes(bob, "away", AwayBody("bob"))
        with keeper.serving():
            bob.fetch()
            assert bob.view.replay.session.parties.away == {"alice"}, "the keeper's call alone is nothing"
            assert authors(roll(bob, mallory)) == ["keeper", "bob", "mallory"], "bob has his part in all dice"
            found = report(bob)
            message = (
                "keeper, the keeper, let mallory in alone: mallory may be keeper's own hand. Not everybody has "
                "consented, so mallory has no say in what the others decide."
            )
            assert noticed(found)["party.admitted"] == (message, None)
            assert "keeper let mallory in later, alone" in found.trust
            alice.fetch()
            alice.act("back", Back("alice"))
            # She plays as long as she is there, and is asked: the friend stays what it was.
            assert alice.view.replay.session.parties.is_newcomer("mallory")


def test_a_friends_word_gives_nobodys_place_away(tmp_path: Path) -> None:
    """Host and keeper are two, and sign bob away. A new key of his takes two others, and no newcomer is one."""
    terms: dict[str, Any] = {"away": "others"}
    with (
        roomy(tmp_path / "server") as server,
        begun(tmp_path, server, "mallory", **terms) as (links, [alice, bob, mallory]),
    ):
        friend_comes(alice, mallory, links["player"], "player")
        alice.act("away", AwayBody("bob"))
        keeper = Keeper(server)
        keeper.writes(bob, "away", AwayBody("bob"))
        puppet = Identity.generate("bob")
        number = keeper.writes(bob, "replace", ReplaceBody(str(puppet.key)))
        with keeper.serving():
            alice.act("consent", Consent(number))
            assert code(mallory.offer(forged(mallory, "consent", {"admit": number}))) == (422, "state.consent")
            assert code(alice.offer(forged(alice, "join", {}, puppet))) == (422, "state.consent")
            authors(roll(alice, mallory))
            bob.act("back", Back("bob"))
            assert code(alice.offer(forged(alice, "join", {}, puppet))) == (422, "signature.invalid")
            assert authors(roll(bob, alice, mallory)) == ["keeper", "alice", "bob", "mallory"]
            found = report(bob)
            assert noticed(found)["party.away"][0].startswith("keeper signed bob away (1×)")
            assert noticed(found)["roll.without"][0].startswith("Made without bob, whom somebody else had signed away")
            assert "party.replaced" not in noticed(found)


def test_a_friend_that_keeps_still_is_waited_for_in_no_vote(tmp_path: Path) -> None:
    """It never consents to anything and never calls: the others who play sign carol away, whose phone is gone."""
    terms: dict[str, Any] = {"away": "others"}
    with (
        roomy(tmp_path / "server") as server,
        begun(tmp_path, server, "mallory", "dana", **terms) as (links, [alice, bob, mallory, dana]),
    ):
        friend_comes(alice, mallory, links["player"], "player")
        # Another comes: mallory's consent is not asked for, nor hers to her own coming.
        admit = friend_comes(alice, dana, links["judge"], "judge")
        bob.act("consent", Consent(admit))
        assert not replay_of(bob).session.parties.is_newcomer("dana")
        dana.act("ruling", Ruling("uphold", 0, "it holds"))
        assert replay_of(bob).session.parties.is_newcomer("mallory")
        bob.act("away", AwayBody("alice"))
        keeper = Keeper(server)
        keeper.writes(bob, "away", AwayBody("alice"))
        with keeper.serving():
            bob.fetch()
            assert bob.view.replay.session.parties.away == {"alice"}, "nobody waited for mallory's word"
            assert "party.away" in noticed(report(bob))


def test_a_friend_that_does_not_open_is_called_off_named_and_signed_away_by_the_others(tmp_path: Path) -> None:
    """It holds a roll up as any player can; with the host beside it, as two who play can together."""
    terms: dict[str, Any] = {"away": "others"}
    with (
        roomy(tmp_path / "server") as server,
        begun(tmp_path, server, "mallory", **terms) as (links, [alice, bob, mallory]),
    ):
        friend_comes(alice, mallory, links["player"], "player")
        bob.act("roll", bob.typed())
        assert alice.open().status_code == 201
        bob.fetch()
        bob.offered(bob.seat.void(bob.view, ["mallory"]))
        bob.act("away", AwayBody("mallory"))
        found = report(bob)
        assert noticed(found)["roll.voids"] == ("bob voided 1 roll. Who had not opened, by bob's word: mallory.", None)
        keeper = Keeper(server)
        keeper.writes(bob, "away", AwayBody("mallory"))
        with keeper.serving():
            bob.fetch()
            assert bob.view.replay.session.parties.away == frozenset(), "alice keeps still, and is one of the others"
            alice.act("away", AwayBody("mallory"))
            bob.fetch()
            assert bob.view.replay.session.parties.away == {"mallory"}
            assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"]
            assert "bob voided" in noticed(report(bob))["roll.voids"][0]


def test_who_leaves_with_a_roll_owed_is_named_and_a_friend_in_its_place_changes_nothing(tmp_path: Path) -> None:
    """Bob dislikes a roll, calls it off, leaves, and comes back as a friend called mallory with a key of its own."""
    with (
        roomy(tmp_path / "server") as server,
        begun(tmp_path, server, "carol", "mallory") as (links, [alice, bob, carol, mallory]),
    ):
        friend_comes(alice, carol, links["player"], "player")
        roll(bob, alice, carol)
        bob.fetch()
        number = bob.view.replay.size
        bob.act("roll", bob.typed())
        for party in (alice, carol):
            assert party.open().status_code == 201
        bob.fetch()
        bob.offered(bob.seat.void(bob.view, []))
        assert code(bob.offer(forged(bob, "roll", {"dice": "d6"}))) == (422, "state.owed")
        bob.act("leave", LeaveBody("bob"))
        friend_comes(alice, mallory, links["player"], "player")
        roll(mallory, alice, carol)
        found = report(alice)
        left = next(each for each in found.findings if each.code == "roll.owed")
        assert (left.seq, left.fault, left.severity) == (
            alice.view.replay.conduct.late["mallory"].seq - 1,
            None,
            "notice",
        )
        assert left.message == (
            f"When bob left, bob still owed the roll of event {number}: it was voided, and never made again."
        )
        assert noticed(found)["roll.voids"][0].startswith("bob voided 1 roll.")
        assert "party.admitted" in noticed(found), "whoever it is, it is told that it came later"
