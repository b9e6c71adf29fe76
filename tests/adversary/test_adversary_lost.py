"""Attacks on a lost browser's place, in whole games at a served table (specs/profile.md, "What a thief can do").

The attacker has something of bob's: the file of his profile, its passphrase, his signing key, a copy of his disk; or it
is the server. What comes of it is asked of the report, of the season, of bob's own program, and of the others.
"""

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from ledger.errors import IdentityError, LedgerError, StoppedError
from ledger.home import Home
from ledger.seats.identity import Identity
from ledger.seats.profile import new_profile, parse_profile, read_profile, succeed
from rules.protocol import Back, Consent
from tests.server.served import PASSPHRASE, Plain, roomy
from tests.server.test_late import authors, code, report, roll
from tests.server.test_lost import ask, asks, new_home, playing, return_as_new, sign_away, successions, wish
from tests.support.cli import Cli
from tests.support.table import Forger
from verifier.log.bodies import AwayBody, ReplaceBody, Succession
from verifier.log.succession import follow, succession_message

pytestmark = pytest.mark.long

TIME = "2026-11-20T19:00:00.000Z"
MOVED = "goes on under another key"
BY_RECOVERY = "bob goes on under a new key, by bob's recovery key"


def forged(party: Plain, type: str, body: dict[str, Any], identity: Identity | None = None) -> bytes:
    """A line that no program of ours signs: by this party's key, or by another."""
    party.fetch()
    return Forger(identity or party.identity).event(list(party.view.lines(0)), type, body)


def replaced(party: Plain) -> list[str]:
    """What the report of a log that holds says of new keys."""
    return [each.message for each in report(party).findings if each.code == "party.replaced"]


def public(party: Plain) -> str:
    return party.identity.key.public_bytes.hex()


def named_by(identity: Identity, new: Identity) -> Succession:
    """What a thief of the signing key makes: it names a recovery key of its own."""
    return succeed(read_profile(bytes(new_profile(identity, PASSPHRASE)), PASSPHRASE), new, TIME)


class League:
    """Somebody who counts: its commands, in a home that has no key."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.cli = Cli(root / "league", capsys, monkeypatch)

    def counts(self, party: Plain, *given: Succession) -> tuple[list[str], list[str]]:
        """Whose dice count in the game that a party has, with these successions; and what is said beside that."""
        party.fetch()
        log = self.root / "league.jsonl"
        log.write_bytes(b"".join(line + b"\n" for line in party.view.lines(0)))
        options: list[str | Path] = []
        for number, one in enumerate(given):
            file = self.root / f"{number}.succession"
            file.write_bytes(bytes(one))
            options += ["--succession", file]
        result = self.cli("stats", log, *options, "--json")
        assert result.code == 0, result
        players = {test["player"] for test in result.json["tests"] if test["player"] is not None}
        return sorted(players), result.problems


@pytest.fixture
def league(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> League:
    return League(tmp_path, capsys, monkeypatch)


# --- who has the profile's file --------------------------------------------------------------------------------------


def test_a_thief_of_file_and_passphrase_has_nothing_while_the_owner_is_there(tmp_path: Path, league: League) -> None:
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob") as (_, [alice, bob]),
        new_home(tmp_path, server, bob, "thief", restore=True) as thief,
    ):
        (stolen,) = successions(thief)
        assert ask(thief, bob, stolen).status_code == 201
        assert asks(alice) == asks(bob) == [str(thief.identity.key)], "bob is told, and so is alice"
        for _ in range(2):
            assert code(wish(thief, thief)) == (422, "state.replace")
            assert code(thief.offer(forged(thief, "join", {}))) == (422, "signature.invalid")
            assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"]
        # Bob goes for a cup of tea, and comes back when the thief's wish has been written.
        bob.act("away", AwayBody("bob"))
        assert wish(thief, thief).status_code == 201
        alice.fetch()
        assert alice.view.replay.session.parties.asked["bob"].word == "recovery"
        bob.act("back", Back("bob"))
        assert code(thief.offer(forged(thief, "join", {}))) == (422, "signature.invalid")
        assert code(wish(thief, thief)) == (422, "state.replace")
        assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"]
        roll(alice, bob)
        assert replaced(alice) == []
        assert "new key" not in report(alice).trust
        assert league.counts(alice, stolen) == (["alice", "bob"], [])


def test_a_thief_of_file_and_passphrase_takes_the_place_of_who_is_away_and_all_can_see_it(
    tmp_path: Path, league: League
) -> None:
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob") as (_, [alice, bob]),
        new_home(tmp_path, server, bob, "thief", restore=True) as thief,
        new_home(tmp_path, server, bob, "owner", restore=True) as owner,
    ):
        (stolen,), (own,) = successions(thief), successions(owner)
        roll(bob, alice)
        bob.act("away", AwayBody("bob"))
        assert ask(thief, bob, stolen).status_code == 201
        assert wish(thief, thief).status_code == 201
        return_as_new(thief)
        assert authors(roll(thief, alice)) == ["keeper", "alice", "bob"], "it plays on as bob"
        roll(alice, thief)
        # The report, and the trust statement.
        assert replaced(alice) == ["bob goes on under a new key: bob's recovery key signed for it."]
        assert BY_RECOVERY in report(alice).trust
        # Bob's own program, and what he can still say.
        bob.fetch()
        for kind, body in (("back", Back("bob")), ("roll", bob.typed())):
            with pytest.raises(LedgerError, match=MOVED):
                bob.seat.sign(bob.view, kind, body)
        assert code(bob.offer(forged(bob, "away", {"party": "bob"}))) == (422, "signature.invalid")
        assert code(ask(owner, bob, own)) == (403, "table.seat"), "the place is the thief's in this game"
        # Who counts: the seat is nobody's, and with bob's own succession nobody is followed.
        assert league.counts(alice, stolen)[0] == ["alice"]
        players, told = league.counts(alice, stolen, own)
        assert players == ["alice"]
        assert "differ" in "".join(told)
        assert follow([stolen, own]).split == (public(bob),)


def test_a_file_without_its_passphrase_is_worth_nothing(tmp_path: Path) -> None:
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob") as (_, [alice, bob]),
        new_home(tmp_path, server, bob, "thief") as thief,
    ):
        data = (tmp_path / "bob.profile").read_bytes()
        empty = Home(tmp_path / "guess" / "home", tmp_path / "guess" / "state")
        with pytest.raises(IdentityError, match="passphrase"):
            empty.restore(data, lambda _name: b"seven songs in a raw", TIME)
        assert empty.names() == [], "nothing was made"
        bob.act("away", AwayBody("bob"))
        # What stands in the file is all true, and the signature that is missing is the one that counts.
        file, new = parse_profile(data), thief.identity
        message = succession_message(file.key, str(new.key), file.recovery, TIME)
        own = new.sign(message).hex()
        made = Succession("rollproof/succession/v1", file.key, file.named, str(new.key), own, file.recovery, own, TIME)
        assert code(ask(thief, bob, made)) == (403, "table.seat")
        assert code(wish(thief, thief)) == (403, "table.seat")
        assert asks(alice) == []
        assert code(thief.offer(forged(thief, "join", {}))) == (422, "signature.invalid")
        bob.act("back", Back("bob"))
        assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"]
        assert replaced(alice) == []


# --- who has the signing key -----------------------------------------------------------------------------------------


def test_a_thief_of_the_signing_key_alone_takes_no_place_and_its_owner_goes_on_without_it(
    tmp_path: Path, league: League
) -> None:
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob") as (_, [alice, bob]),
        new_home(tmp_path, server, bob, "thief") as thief,
        new_home(tmp_path, server, bob, "owner", restore=True) as owner,
    ):
        roll(bob, alice)
        stolen, (own,) = named_by(bob.identity, thief.identity), successions(owner)
        assert thief.offer(forged(thief, "away", {"party": "bob"}, bob.identity)).status_code == 201
        bob.fetch()
        with pytest.raises(StoppedError, match="a away, is signed with bob's key, but not by bob on this machine"):
            bob.seat.sign(bob.view, "back", Back("bob"))
        # By a recovery key of its own it is not even heard, and the others' word needs that they signed bob away.
        assert code(ask(thief, bob, stolen)) == (403, "table.seat")
        assert ask(thief, bob).status_code == 201
        assert code(wish(thief, thief)) == (403, "table.seat")
        assert code(wish(alice, thief)) == (422, "state.replace")
        # The file is worth more than the key: by it bob goes on, and the thief's key is nobody's.
        assert ask(owner, bob, own).status_code == 201
        assert wish(owner, owner).status_code == 201
        return_as_new(owner)
        assert code(thief.offer(forged(thief, "roll", {"dice": "d20"}, bob.identity))) == (422, "signature.invalid")
        assert code(wish(alice, thief)) == (422, "state.replace")
        assert authors(roll(owner, alice)) == ["keeper", "alice", "bob"]
        roll(alice, owner)
        assert replaced(alice) == ["bob goes on under a new key: bob's recovery key signed for it."]
        assert BY_RECOVERY in report(alice).trust
        assert league.counts(alice, own)[0] == ["alice"]
        assert follow([stolen, own]).split == (public(bob),)


def test_a_copy_of_the_whole_disk_is_found_by_both_and_takes_the_place_in_the_open(
    tmp_path: Path, league: League
) -> None:
    """File, passphrase, signing key and memory: with them the thief itself says that bob is away."""
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob") as (_, [alice, bob]),
        new_home(tmp_path, server, bob, "thief", restore=True) as thief,
    ):
        roll(bob, alice)
        shutil.copytree(tmp_path / "bob", tmp_path / "copy")
        with closing(Plain(tmp_path / "copy", "bob", server.address)) as copy:
            copy.link, copy.game, copy.token = bob.link, bob.game, bob.token
            assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"]
            copy.fetch()
            with pytest.raises(StoppedError, match="is signed with bob's key, but not by bob on this machine"):
                copy.seat.sign(copy.view, "away", AwayBody("bob"))
        (stolen,) = successions(thief)
        assert ask(thief, bob, stolen).status_code == 201
        assert thief.offer(forged(thief, "away", {"party": "bob"}, bob.identity)).status_code == 201
        bob.fetch()
        with pytest.raises(StoppedError, match="a away, is signed with bob's key, but not by bob on this machine"):
            bob.seat.sign(bob.view, "back", Back("bob"))
        assert wish(thief, thief).status_code == 201
        return_as_new(thief)
        assert authors(roll(thief, alice)) == ["keeper", "alice", "bob"]
        roll(alice, thief)
        bob.fetch()
        with pytest.raises(LedgerError, match=MOVED):
            bob.seat.sign(bob.view, "back", Back("bob"))
        told = report(alice)
        assert [each.code for each in told.findings if each.code.startswith("party.")] == ["party.replaced"]
        assert BY_RECOVERY in told.trust
        assert league.counts(alice, stolen)[0] == ["alice"]


# --- the server ------------------------------------------------------------------------------------------------------


def write_replace(root: Path, game: bytes, key: str, succession: Succession | None = None) -> int:
    """Have the keeper say that bob is away, and write a `replace`, by itself: its server is down; the number."""
    body = ReplaceBody(key, UNSET if succession is None else succession)
    home = Home(root / "home", root / "state")
    with closing(home.ledger()) as ledger, closing(home.seat("keeper", PASSPHRASE)) as seat:
        ledger.append(game, seat.away(ledger.view(game), "bob"), seat)
        return ledger.append(game, seat.sign(ledger.view(game), "replace", body), seat).seq


@pytest.mark.parametrize("public", [False, True], ids=["by-the-others-word", "by-a-public-succession"])
def test_nothing_comes_of_a_replace_that_the_keeper_wrote_by_itself(tmp_path: Path, *, public: bool) -> None:
    """Alice and carol called bob away once; the keeper has a friend, or what bob gave to his league."""
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob", "carol") as (_, parties),
        new_home(tmp_path, server, parties[1], "phone", restore=True) as phone,
    ):
        alice, bob, carol = parties
        (own,) = successions(phone)
        friend = Identity.generate("bob")
        sign_away("bob", alice, carol)
        server.process.kill()
        server.wait()
        key = str(phone.identity.key if public else friend.key)
        number = write_replace(server.root, alice.game, key, own if public else None)
        again = server.again()
        try:
            for party in parties:
                assert asks(party) == [], "nobody asks with a link, and so its program says"
                assert party.view.replay.session.parties.asked["bob"].key == key
            if not public:
                assert code(alice.offer(forged(alice, "join", {}, friend))) == (422, "state.consent")
                alice.act("consent", Consent(number))
                assert code(alice.offer(forged(alice, "join", {}, friend))) == (422, "state.consent"), (
                    "carol keeps still"
                )
            assert replaced(alice) == [], "it waits"
            bob.act("back", Back("bob"))
            assert code(alice.offer(forged(alice, "join", {}, friend))) == (422, "signature.invalid")
            assert authors(roll(bob, alice, carol)) == ["keeper", "alice", "bob", "carol"]
            assert replaced(carol) == []
        finally:
            again.process.kill()
            again.wait()
