"""Tables on servers that a home knows, in files: what was saved before is kept, and what is wrong there is told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.client.remotes import Remote, Remotes
from ledger.errors import StoreError, UsageError
from ledger.home import Home

TABLE, OTHER, GAME = "ab" * 32, "cd" * 32, "ef" * 32


@pytest.fixture
def remotes(tmp_path: Path) -> Remotes:
    return Remotes(Home(tmp_path, tmp_path / "state"))


def remote(**members: Any) -> Remote:
    return Remote("https://d.example.org", "11" * 32, **members)


def test_what_was_saved_of_a_table_is_kept_when_more_is_known(remotes: Remotes, tmp_path: Path) -> None:
    remotes.save(remote(table=TABLE, links={"player": "p"}, host="alice"))
    remotes.save(remote(table=OTHER))
    remotes.save(remote(table=TABLE, links={"judge": "j"}, game=GAME))
    assert remotes.of_table(TABLE) == remotes.of_game(bytes.fromhex(GAME))
    for links, host in (({}, None), ({"player": "new"}, "bob")):
        remotes.save(remote(table=TABLE, links=links, host=host))
        expected = remote(
            table=TABLE, game=GAME, links={"player": "p", "judge": "j"} | links, host="alice" if host is None else host
        )
        assert remotes.of_table(TABLE) == expected
    assert list(remotes.all()) == [remote(table=OTHER), expected]
    assert sorted(path.name for path in (tmp_path / "remotes").iterdir()) == [f"{OTHER}.json", f"{GAME}.json"]


def test_a_game_without_a_table_is_kept_under_its_own_name(remotes: Remotes) -> None:
    remotes.save(remote(game=GAME))
    remotes.set_token(bytes.fromhex(GAME), bytes(32))
    found = remotes.of_game(bytes.fromhex(GAME))
    assert found is not None
    assert found.token == "00" * 32
    assert remotes.of_game(bytes(32)) is None
    assert remotes.of_table(TABLE) is None


def test_a_table_is_found_by_what_people_have_of_it(remotes: Remotes) -> None:
    remotes.save(remote(table=TABLE, terms='{"title":"Friday"}', links={"player": "https://link"}))
    remotes.save(remote(game=GAME, terms='{"title":7}'))
    remotes.save(remote(table="abab" + "00" * 30))
    table = remotes.of_table(TABLE)
    assert table is not None
    for text in ("ababab", "ABABAB", TABLE, "Friday", "https://link"):
        assert remotes.find(text) == table, text
    game = remotes.of_game(bytes.fromhex(GAME))
    assert game is not None
    assert (remotes.find("efef"), game.title) == (game, "")
    for text in ("", "efe", "7", "fri", "0000", f"{GAME}00"):
        assert remotes.find(text) is None, text
    with pytest.raises(UsageError, match=r"'abab' fits 2 tables: abab00000000, abababababab\. Give more of the id"):
        remotes.find("abab")


def test_a_table_that_has_started_is_found_by_both_ids(remotes: Remotes) -> None:
    remotes.save(remote(table=TABLE, game=GAME))
    assert remotes.find("abab") == remotes.find("efef") == remote(table=TABLE, game=GAME)


def test_two_games_without_a_table_are_told_by_their_ids(remotes: Remotes) -> None:
    for end, host in (("00", "alice"), ("01", None)):
        remotes.save(remote(game=GAME[:-2] + end, host=host))
    assert [each.host for each in remotes.all()] == ["alice", None]
    with pytest.raises(UsageError, match="efefefefefef, efefefefefef"):
        remotes.find("efef")


def test_a_line_that_another_program_has_just_sent_is_passed_over(remotes: Remotes, tmp_path: Path) -> None:
    game = bytes.fromhex(GAME)
    for line in (b"first", b"second"):
        remotes.keep(game, line)
    (tmp_path / "remotes" / GAME / "gone.line").symlink_to("nowhere")
    assert remotes.kept(game) == [b"first", b"second"]
    remotes.drop(game, b"first")
    remotes.drop(game, b"first")
    assert remotes.kept(game) == [b"second"]


def test_evidence_is_stored_once(remotes: Remotes) -> None:
    files = {"a": b"x", "b": b"y"}
    folder = remotes.keep_evidence(bytes.fromhex(GAME), files)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files
    assert remotes.keep_evidence(bytes.fromhex(GAME), files) == folder
    assert remotes.keep_evidence(bytes.fromhex(GAME), {"a": b"x"}) != folder


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(b"{"), Path.mkdir], ids=["no JSON", "a folder"])
def test_a_file_that_cannot_be_read_is_told(remotes: Remotes, tmp_path: Path, damage: Callable[[Path], object]) -> None:
    (tmp_path / "remotes").mkdir()
    damage(tmp_path / "remotes" / f"{GAME}.json")
    with pytest.raises(StoreError, match=f"{GAME}.json cannot be read"):
        remotes.of_game(bytes.fromhex(GAME))


def test_what_cannot_be_written_is_told(remotes: Remotes, tmp_path: Path) -> None:
    for name in ("remotes", "evidence"):
        (tmp_path / name).write_bytes(b"a file")
    with pytest.raises(StoreError, match="cannot be written: Not a directory"):
        remotes.keep(bytes.fromhex(GAME), b"line")
    with pytest.raises(StoreError, match="evidence cannot be written: Not a directory"):
        remotes.keep_evidence(bytes.fromhex(GAME), {"a": b"x"})
