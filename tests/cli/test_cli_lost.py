"""A lost home replaced in a running game, as it is typed (specs/protocol.md, "A lost browser").

Each party has a home of its own; logs and openings are carried.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.cli import Cli, make_identity

Machine = Callable[[str], Cli]


@pytest.fixture
def machine(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Machines by name, each with a home and a memory of its own."""
    return lambda name: Cli(tmp_path / name, capsys, monkeypatch)


class Table:
    """A game whose log goes from machine to machine."""

    def __init__(self, machine: Machine, folder: Path, *players: str) -> None:
        self.machine, self.log, self.folder = machine, folder / "log.jsonl", folder
        for name in ("host", *players):
            make_identity(machine(name).home, name)
        keys = [arg for name in players for arg in ("--player", self.key(name))]
        machine("host").ok("dice", "new", "--keeper", "host", *keys, "--title", "Lost", "--others-away")
        self.leave("host")

    def key(self, name: str, at: str | None = None) -> str:
        return str(self.machine(at or name).value("identity", "show", name)["key"])

    def leave(self, at: str) -> None:
        """The log as it stands on this machine."""
        self.machine(at).ok("export", "Lost", "--out", self.log, "--force")

    def __call__(self, at: str, *words: str | Path) -> str:
        """A command on a machine that has the log, whose keeper then takes what it made."""
        cli = self.machine(at)
        cli("import", self.log)
        result = cli(*words)
        assert result.code in (0, 75), result
        self.leave(at)
        if at != "host":
            self.machine("host").ok("import", self.log)
            self.machine("host").ok("checkpoint", "Lost", "--as", "host")
            self.leave("host")
        return result.out

    def roll(self, who: str, at: str | None = None, **others: str) -> None:
        """A roll for which each opens at a machine of its own; `others`: name → machine."""
        at = at or who
        self(at, "roll", "Lost", "d20", "--as", who)
        files: list[str | Path] = []
        for name, elsewhere in others.items():
            cli, file = self.machine(elsewhere), self.folder / f"{elsewhere}.opening"
            cli("import", self.log)
            opened = cli("open", "Lost", "--as", name, "--out", file, "--force")
            assert opened.code in (0, 75), opened
            files += ["--opening", file]
        cli, file = self.machine(at), self.folder / f"{at}.opening"
        cli("import", self.log)
        opened = cli("open", "Lost", "--as", who, *files, "--out", file, "--force")
        assert opened.code in (0, 75), opened
        self("host", "reveal", "Lost", "--as", "host", *files, "--opening", file)


@pytest.mark.long
def test_a_lost_home_is_replaced_by_its_recovery_key_at_a_table_of_two(machine: Machine, tmp_path: Path) -> None:
    table = Table(machine, tmp_path, "alice", "bob")
    machine("bob").ok("identity", "backup", "bob", "--out", tmp_path / "bob.profile")
    for name in ("alice", "bob"):
        table(name, "join", "Lost", "--as", name)
    table.roll("alice", bob="bob")
    new = machine("new")
    new.ok("identity", "restore", tmp_path / "bob.profile")
    (tmp_path / "bob.succession").write_text(new.ok("identity", "successions", "bob"))
    key = table.key("bob", "new")
    asked = ("replace", "Lost", key, "--succession", tmp_path / "bob.succession", "--as", "host")
    assert "is no party that is away" in machine("host").refused(*asked)
    table("host", "away", "Lost", "--party", "bob", "--as", "host")
    table("alice", "away", "Lost", "--party", "bob", "--as", "alice")
    assert "the recovery key alone can say so" in table("host", "replace", "Lost", key, "--as", "host")
    table("host", *asked)
    table("new", "join", "Lost", "--as", "bob")
    table.roll("alice", bob="new")
    table.roll("bob", "new", alice="alice")
    report = machine("alice").ok("verify", table.log)
    assert "bob goes on under a new key, by bob's recovery key" in report
    rolls = [roll["roll"] for roll in machine("host").value("state", "Lost")["rolls"]]
    machine("host").ok("share", "Lost", str(rolls[0]), "--out", tmp_path / "first.roll")
    refused = machine("host").refused("share", "Lost", str(rolls[-1]), "--out", tmp_path / "last.roll")
    assert "only the whole log shows by whose word" in refused
    old = machine("bob")
    old("import", table.log)
    assert "goes on under another key" in old.refused("roll", "Lost", "d20", "--as", "bob")
    tests = machine("alice").value("stats", table.log)["tests"]
    assert [test["player"] for test in tests if test["player"]] == ["alice"], "bob's seat counts for neither key"


@pytest.mark.long
def test_a_lost_home_is_replaced_when_all_others_consent(machine: Machine, tmp_path: Path) -> None:
    table = Table(machine, tmp_path, "alice", "bob", "carol")
    for name in ("alice", "bob", "carol"):
        table(name, "join", "Lost", "--as", name)
    for name in ("host", "alice", "carol"):
        table(name, "away", "Lost", "--party", "bob", "--as", name)
    for at in ("friend", "new"):
        make_identity(machine(at).home, "bob")
    friend, key = table.key("bob", "friend"), table.key("bob", "new")
    table("host", "replace", "Lost", friend, "--as", "host")
    machine("carol")("import", table.log)
    assert f" {friend} --as carol" in machine("carol").ok("state", "Lost")
    # Between carol's look and her word the keeper names another key: her word was for the one that she saw.
    table("host", "replace", "Lost", key, "--as", "host")
    for at in ("new", "alice", "carol"):
        machine(at)("import", table.log)
    assert f"under the key {key}, and not under {friend}" in machine("carol").refused(
        "consent", "Lost", friend, "--as", "carol"
    )
    assert f"under the key {key}: ask bob" in machine("carol").refused("consent", "Lost", "bob", "--as", "carol")
    assert "nothing to consent to" in machine("carol").refused("consent", "Lost", "eve", "--as", "carol")
    assert f"with the key {key}. Is that bob?" in machine("alice").ok("state", "Lost")
    refused = machine("new").refused("join", "Lost", "--as", "bob")
    assert "when all others have consented" in refused
    for name in ("alice", "carol"):
        table(name, "consent", "Lost", key, "--as", name)
    assert "goes on when the new key joins" in machine("host").ok("state", "Lost")
    table("new", "join", "Lost", "--as", "bob")
    table.roll("bob", "new", alice="alice", carol="carol")
    report = machine("carol").ok("verify", table.log)
    assert "by the word of alice and carol" in report
    assert "bob may be somebody else now" in report
    assert "Made without bob" in report
