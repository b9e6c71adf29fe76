"""A lost home at a served table, by commands, each party with a home of its own (specs/network.md)."""

from pathlib import Path

import pytest

from ledger.seats.identity import Identity
from tests.adversary.test_adversary_lost import write_replace
from tests.server.machines import Machine, machines, until
from tests.server.served import Server, serving
from verifier import verify

pytestmark = pytest.mark.long


def begun(server: Server, alice: Machine, *others: Machine, terms: str = "--others-away") -> tuple[str, str]:
    """A game that all follow; its id, and the players' link. The name of a machine's folder is its party's."""
    opened = alice.value(f"dice new --at {server.address} --title tavern {terms} --as alice")
    link = opened["links"]["player"]
    for other in others:
        other.begin(f"join '{link}' --as {other.home.name}").says("Waiting for alice")
    game: str = alice.value(f"start {opened['table']} --as alice")["game"]
    alice.begin(f"watch {game} --as alice").says("opens by itself")
    return game, link


def holds(machine: Machine, game: str, folder: Path) -> str:
    """The report of a log that holds, as a machine has it."""
    machine(f"export {game} --out {folder / 'log.jsonl'} --force")
    report, _ = verify((folder / "log.jsonl").read_bytes())
    assert report.verdict == "holds", report.findings
    return machine(f"verify {folder / 'log.jsonl'}")


def test_a_lost_home_goes_on_by_its_recovery_key_at_a_table_of_two(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as server, machines(tmp_path, "alice", "bob") as [alice, bob]:
        bob(f"identity backup bob --out {tmp_path / 'bob.profile'}")
        game, link = begun(server, alice, bob, terms="--others-away --admits player")
        assert "d20 (" in alice(f"roll {game} d20 --as alice")
        assert "Nobody asks to go on under a new key." in alice(f"replace {game}")
        bob.lose()
        new = Machine(tmp_path / "new")
        new.environment["ROLLPROOF_PASSPHRASE"] = bob.environment["ROLLPROOF_PASSPHRASE"]
        try:
            new(f"identity restore {tmp_path / 'bob.profile'}")
            waits = new(f"join '{link}' --lost --no-watch --as bob", code=75)
            assert "bob waits for the others: run the same again" in waits
            playing = new.begin(f"join '{link}' --lost --as bob")
            playing.says("as the recovery key says, when the old one is away. The others type:")
            assert "as bob's recovery key says:" in alice(f"replace {game}")
            ((key, name),) = [(each["key"], each["name"]) for each in alice.value(f"replace {game}")["asking"]]
            assert name == "bob"
            assert f"would go on under the key {key}: ask bob" in alice(f"replace {game} bob --as alice", code=64)
            called = alice(f"replace {game} {key} --as alice", code=75)
            assert "has not heard bob for 15 s" in called
            playing.says("opens by itself")
            assert "d20 (" in alice(f"roll {game} d20 --as alice")
            assert "bob: d6" in new(f"roll {game} d6 --as bob")
            with machines(tmp_path, "eve") as [eve]:
                told = eve.result(f"join '{link}' --no-watch --as eve")[1]
                assert "At the table: alice (player), bob (player)\n" in told, "bob stands there once"
            assert "bob goes on under a new key, by bob's recovery key" in holds(alice, game, tmp_path)
            assert "does not ask to go on" in alice(f"replace {game} {key} --as alice", code=64)
        finally:
            new.close()


@pytest.mark.slow
def test_a_lost_home_goes_on_by_the_word_of_all_others(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "server") as server,
        machines(tmp_path, "alice", "bob", "carol") as [alice, bob, carol],
    ):
        game, link = begun(server, alice, bob, carol)
        assert "d20 (" in alice(f"roll {game} d20 --as alice")
        bob.lose()
        with machines(tmp_path / "elsewhere", "bob") as [new]:
            assert "somebody else is called bob" in new(f"join '{link}' --no-watch --as bob", code=65)
            playing = new.begin(f"join '{link}' --lost --as bob")
            playing.says("when all others, two or more, have consented to it. The others type:")
            playing.says("The code of your key, to read out to them: ")
            code = playing.said.partition("to read out to them: ")[2][:35]
            told = alice(f"replace {game}")
            assert "Ask bob without using this server" in told
            assert f"The code of this key is {code}." in told, "bob reads out the code that his own program shows him"
            (key,) = [each["key"] for each in alice.value(f"replace {game}")["asking"]]
            assert f"rollproof replace {game[:12]} {key}" in told
            alice(f"replace {game} {key} --as alice", code=75)
            carol(f"replace '{link}' {key} --as carol", code=75)
            again = f"replace {game} {key} --as carol"
            until(lambda: carol.result(again)[0] == 0, "bob is signed away, and carol consents")
            assert f"under the key {key}: ask bob" in alice(f"consent {game} bob --as alice", code=64)
            alice(f"consent {game} {key} --as alice")
            playing.says("opens by itself")
            assert "bob: d6" in new(f"roll {game} d6 --as bob")
            report = holds(carol, game, tmp_path)
            assert "by the word of alice and carol" in report
            # Who follows with the old key is told, and signs nothing.
            refused = bob(f"roll {game} d20 --as bob", code=65)
            assert "goes on under another key" in refused


@pytest.mark.slow
def test_a_replace_that_nobody_asked_for_is_told_as_the_servers_word(tmp_path: Path) -> None:
    """The keeper names a friend in bob's place; alice and carol have called bob away before."""
    with (
        serving(tmp_path / "server") as server,
        machines(tmp_path, "alice", "bob", "carol") as [alice, bob, carol],
    ):
        game, _ = begun(server, alice, bob, carol)
        assert "d20 (" in alice(f"roll {game} d20 --as alice")
        for each in (alice, carol):
            each(f"away {game} --party bob --as {each.home.name}")
        server.process.kill()
        server.wait()
        friend = str(Identity.generate("bob").key)
        write_replace(server.root, bytes.fromhex(game), friend)
        again = server.again()
        try:
            for each in (alice, bob):
                told = each(f"replace {game}")
                assert f"The log names the key {friend} for bob, but nobody asks for it" in told
                assert "only the server says so" in told
                assert "Nobody asks to go on under a new key." not in told
            assert alice.value(f"replace {game}")["unasked"] == [{"key": friend, "name": "bob"}]
            bob(f"back {game} --as bob")
            assert "Nobody asks to go on under a new key." in alice(f"replace {game}")
            assert "d20 (" in alice(f"roll {game} d20 --as alice")
            assert "new key" not in holds(carol, game, tmp_path)
        finally:
            again.process.kill()
            again.wait()
