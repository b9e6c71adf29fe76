"""Public games: closed games and the anchor log in a folder, which any web server shows (specs/network.md)."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from ledger import lobby
from ledger.home import Home
from ledger.lobby import Link
from ledger.seats.identity import Identity
from ledger.server.public_games import PublicFolder, PublicGames, check_folder
from ledger.store.storage import SqliteStorage
from ledger.transparency.anchors import Anchors
from rules.systems.anydice.bodies import Options
from tests.oracles.network_client import leaf_hash, root_by_proof, sha256
from tests.server.served import Plain, seated, serving, with_limits
from tests.support.cli import Cli
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint, parse_checkpoint
from verifier.checkpoints.head import parse_signed_head
from verifier.checkpoints.note import signature_line
from verifier.log.merkle import root_of

ADDRESS = "https://games.example.org"
NOW = "2026-01-02T00:00:00.000Z"
KEEPER = Identity.generate("keeper")


# --- a folder, by itself ---------------------------------------------------------------------------------------------


def terms(public: str | None) -> str:
    return bytes(
        lobby.new_terms(
            *(
                Identity.generate("alice"),
                KEEPER.key,
                "dice-1",
                Options(),
                [Link("", bytes(32), "player", bytes(32)).invitation],
            ),
            nonce=bytes(32),
            time=NOW,
            public=public,
        )
    ).decode()


PUBLIC, ELSEWHERE, SILENT = terms(ADDRESS), terms("https://other.example.org"), terms(None)


def note(origin: str, leaves: list[bytes]) -> bytes:
    from base64 import b64encode

    text = f"{origin}\n{len(leaves)}\n{b64encode(root_of(leaves)).decode()}\n"
    return f"{text}\n{signature_line(KEEPER.key, KEEPER.sign(text.encode())).line}".encode()


class Stage:
    """A keeper's games, as stored: each of one line, and closed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.games: dict[str, bytes] = {}
        self.rows: dict[str, Any] = {}
        self.notes: dict[str, bytes] = {}
        self.old: set[str] = set()
        self.anchors = Anchors(SqliteStorage(root / "anchors.db", kind=1, mode=0o600), KEEPER.key)
        self.folder = root / "public"
        self.folder.mkdir()

    def close(self, number: int, terms: str = PUBLIC) -> str:
        line = f'{{"number":{number}}}'.encode()
        game = leaf_hash(line).hex()
        self.games[game] = line
        self.rows[game] = SimpleNamespace(deleted=False, terms=terms)
        self.notes[game] = note(f"rollproof/v1/{game}", [leaf_hash(line)])
        self.anchors.add([parse_checkpoint(self.notes[game])], lambda origin, leaves: note(origin, list(leaves)))
        return game

    def delete(self, game: str) -> None:
        del self.games[game]
        self.rows[game] = SimpleNamespace(deleted=True, terms="")
        self.anchors.forget(game)

    def checkpoint(self, game: bytes) -> SignedCheckpoint | None:
        found = self.notes.get(game.hex()) if game.hex() in self.games else None
        return None if found is None else parse_checkpoint(found)

    def public(self) -> PublicFolder:
        ledger = SimpleNamespace(
            catalog=SimpleNamespace(
                closed_games=lambda: [bytes.fromhex(game) for game in self.games],
                closed_before=lambda time: [bytes.fromhex(game) for game in self.games if game in self.old],
            ),
            checkpoint=self.checkpoint,
            size=lambda game: int(game.hex() in self.games),
            export=lambda game, stream: stream.write(self.games[game.hex()] + b"\n"),
        )
        tables = SimpleNamespace(
            of_game=self.rows.get, deleted_games=lambda: {game for game, row in self.rows.items() if row.deleted}
        )
        log = SimpleNamespace(info=lambda *_, **__: None, error=lambda *_, **__: None)
        found = cast(Any, (KEEPER.key, ledger, tables, self.anchors, log, lambda: NOW))
        return PublicFolder(PublicGames(self.folder, ADDRESS), *found)

    def files(self) -> dict[str, bytes]:
        return {
            str(each.relative_to(self.folder)): each.read_bytes() for each in self.folder.rglob("*") if each.is_file()
        }

    def logs(self) -> set[str]:
        return {name.rpartition("/")[2].removesuffix(".jsonl") for name in self.files() if name.endswith(".jsonl")}


def test_games_are_written_whose_terms_say_so_and_no_others(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    shown = stage.close(1)
    hidden = [stage.close(2, SILENT), stage.close(3, ELSEWHERE)]
    stage.games[leaf_hash(b"{}").hex()] = b"{}"  # a game without a table
    stage.public().look(NOW)
    files = stage.files()
    assert stage.logs() == {shown}
    at = f"games/{shown[:2]}/{shown}"
    assert files[f"{at}.jsonl"] == stage.games[shown] + b"\n"
    assert files[f"{at}.jsonl.checkpoint"] == stage.notes[shown]
    assert json.loads(files["public.json"]) == {
        "address": ADDRESS,
        "format": "rollproof/public/v1",
        "keeper": str(KEEPER.key),
    }
    assert f'href="{shown}.jsonl"'.encode() in files[f"games/{shown[:2]}/index.html"]
    assert f'href="{shown[:2]}/"'.encode() in files["games/index.html"]
    assert not any(game in name or game.encode() in data for game in hidden for name, data in files.items())
    assert {stat & 0o777 for stat in (each.stat().st_mode for each in stage.folder.rglob("*") if each.is_file())} == {
        0o644
    }


def test_a_game_that_the_keeper_has_not_signed_to_its_end_waits(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    game = stage.close(1)
    signed = stage.notes.pop(game)
    public = stage.public()
    public.look(NOW)
    assert stage.logs() == set()
    stage.notes[game] = signed
    public.look(NOW)
    assert stage.logs() == {game}


def test_what_is_deleted_is_removed_and_listed_no_more(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    first, second = stage.close(1), stage.close(2)
    public = stage.public()
    public.look(NOW)
    stage.delete(first)
    public.look(NOW)
    assert stage.logs() == {second}
    assert not any(first in name or first.encode() in data for name, data in stage.files().items())
    stage.delete(second)
    stage.public().look(NOW)  # another process
    assert stage.logs() == set()


def test_what_was_deleted_while_it_was_being_written_is_removed(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    game = stage.close(1)
    public = stage.public()
    write = public._write

    def meanwhile(name: str, data: bytes) -> None:
        write(name, data)
        if name.endswith(".jsonl"):
            stage.delete(game)

    public._write = meanwhile  # type: ignore[method-assign]
    public.look(NOW)
    assert stage.logs() == set()


def test_what_is_only_missing_in_the_database_stays(tmp_path: Path) -> None:
    """The database was put back: the game is not there, and nobody deleted it."""
    stage = Stage(tmp_path)
    game = stage.close(1)
    stage.public().look(NOW)
    del stage.games[game], stage.rows[game]
    stage.public().look(NOW)
    assert stage.logs() == {game}


@pytest.mark.long
def test_a_look_that_is_cut_short_anywhere_is_made_good_by_the_next(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    gone = stage.close(1)
    stage.public().look(NOW)
    before = stage.files()
    stage.delete(gone)
    for number in range(2, 5):
        stage.close(number)
    done, step = False, 0
    while not done:
        subprocess.run(["rm", "-r", stage.folder], check=True)
        for name, data in before.items():
            (stage.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (stage.folder / name).write_bytes(data)
        public, left = stage.public(), [step]
        public._write, public._remove = (_until(left, each) for each in (public._write, public._remove))  # type: ignore[method-assign]
        try:
            public.look(NOW)
            done = True
        except KeyboardInterrupt:
            (stage.folder / ".part-x").write_bytes(b"half")
        again = stage.public()
        again.look(NOW)
        if step == 0:
            whole = stage.files()
            assert len(stage.logs()) == 3
        assert stage.files() == whole, step
        step += 1
    assert step > 10


def _until(left: list[int], work: Callable[..., None]) -> Callable[..., None]:
    """The same, but for the call after which it is cut short."""

    def cut(*given: Any) -> None:
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        work(*given)

    return cut


def test_what_witnesses_cosign_is_taken_for_a_day(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    game = stage.close(1)
    public = stage.public()
    public.look(NOW)
    name = f"games/{game[:2]}/{game}.jsonl.checkpoint"
    signed = stage.notes[game]
    walt = Identity.generate("walt")
    stage.notes[game] = signed + signature_line(walt.key, walt.sign(b"x")).line.encode()
    stage.old.add(game)
    public.look(NOW)
    assert stage.files()[name] == signed
    stage.old.clear()
    public.look(NOW)
    assert stage.files()[name] == stage.notes[game]


def test_the_anchor_log_can_be_read_from_the_folder_alone(tmp_path: Path) -> None:
    stage, count = Stage(tmp_path), 70_000
    public = stage.public()
    shown = stage.close(1)
    public.look(NOW)
    stage.anchors._entries += [number.to_bytes(32, "big") for number in range(1, count)]
    stage.anchors._leaves += [leaf_hash(number.to_bytes(32, "big")) for number in range(1, count)]
    stage.anchors._catch_up = lambda: None  # type: ignore[method-assign]
    head = note(stage.anchors.origin, list(stage.anchors._leaves))
    stage.anchors._database.upsert("anchors_head", [(1, head.decode())])
    public.look(NOW)
    files = stage.files()
    tiles = {name: data for name, data in files.items() if name.startswith("anchors/tile/")}
    assert "anchors/tile/0/000.p/1" not in tiles, "a part of a tile that is full now"
    parts = {"anchors/tile/0/273.p/112", "anchors/tile/1/000", "anchors/tile/1/001.p/17", "anchors/tile/2/000.p/1"}
    assert parts <= tiles.keys()
    hashes = b"".join(tiles[name] for name in sorted(name for name in tiles if name.startswith("anchors/tile/0/")))
    leaves = [hashes[at : at + 32] for at in range(0, len(hashes), 32)]
    signed = parse_signed_head(files["anchors/checkpoint"]).head
    assert (signed.size, signed.root) == (count, root_of(leaves))
    entries = b"".join(
        tiles[name] for name in sorted(name for name in tiles if name.startswith("anchors/tile/entries/"))
    )
    assert [leaf_hash(entries[at + 2 : at + 34]) for at in range(0, len(entries), 34)] == leaves
    written = max((stage.folder / name).stat().st_mtime_ns for name in tiles)
    public.look(NOW)
    assert max((stage.folder / name).stat().st_mtime_ns for name in tiles) == written
    anchor = json.loads(files[f"games/{shown[:2]}/{shown}.anchor.json"])
    entry = sha256(
        b"rollproof/v1/anchor\n" + bytes.fromhex(anchor["salt"]) + anchor["final"].partition("\n\n")[0].encode() + b"\n"
    )
    assert leaves[anchor["index"]] == leaf_hash(entry)


def test_an_anchor_log_that_was_put_back_takes_no_later_one_s_place(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.close(1)
    early = stage.anchors.checkpoint
    assert early is not None
    stage.close(2)
    public = stage.public()
    public.look(NOW)
    later = stage.files()["anchors/checkpoint"]
    stage.anchors._database.upsert("anchors_head", [(1, early.decode())])
    public.look(NOW)
    assert stage.files()["anchors/checkpoint"] == later != early


# --- which folder it may be ------------------------------------------------------------------------------------------


def test_a_folder_with_secrets_of_others_or_of_another_keeper_is_refused(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    home = Home(tmp_path / "home", tmp_path / "state")
    check_folder(stage.folder, home, KEEPER.key)
    check_folder(stage.folder, home, None)
    stage.public().look(NOW)
    check_folder(stage.folder, home, KEEPER.key)
    other = Identity.generate("keeper").key
    cases: list[tuple[Path, Home, VerifierKey | None, str]] = [
        (stage.folder, home, other, "of another keeper"),
        (stage.folder, home, None, "of another keeper"),
        (tmp_path, home, KEEPER.key, "everybody could read it"),
        (stage.folder, Home(tmp_path / "home", stage.folder / "state"), KEEPER.key, "everybody could read it"),
        (stage.folder, Home(stage.folder, tmp_path / "state"), KEEPER.key, "everybody could read it"),
        (tmp_path / "none", home, KEEPER.key, "no such folder"),
    ]
    for folder, whose, keeper, said in cases:
        with pytest.raises(Exception, match=said):
            check_folder(folder, whose, keeper)
    (tmp_path / "www").mkdir()
    (tmp_path / "www" / "index.html").write_text("<h1>My site</h1>")
    with pytest.raises(Exception, match="is not empty"):
        check_folder(tmp_path / "www", home, KEEPER.key)
    for damaged in ("[]", '{"keeper":' + "[" * 100_000):
        (stage.folder / "public.json").write_text(damaged)
        with pytest.raises(Exception, match="is damaged"):
            check_folder(stage.folder, home, KEEPER.key)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--public-folder", "public"), "go together"),
        (("--public-address", ADDRESS), "go together"),
        (("--public-folder", "public", "--public-address", "games.example.org"), "is no address"),
    ],
)
def test_what_does_not_go_together_is_refused_at_the_start(
    options: tuple[str, ...],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cli = Cli(tmp_path / "home", capsys, monkeypatch)
    assert said in cli.refused("serve", *options, code=64)


# --- at a server, and read from a plain web server -------------------------------------------------------------------


@contextmanager
def plain_server(folder: Path) -> Iterator[str]:
    """Any web server, in a process of its own: the address."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(folder), "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().decode().partition("(")[2].partition(")")[0].rstrip("/")
    finally:
        process.kill()
        process.communicate()


def until(found: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not found():
        assert time.monotonic() < end
        time.sleep(0.05)


def close(host: Plain) -> None:
    assert host.link is not None
    closing = lobby.new_closing(host.identity, host.link.table, host.game)
    assert host.post(f"/v1/tables/{host.link.table.hex()}/close", bytes(closing)).status_code == 201


def roll(parties: list[Plain]) -> None:
    parties[0].act("roll", parties[0].typed("d20 for a throne"))
    for party in parties[::-1]:
        party.open()
    for party in parties:
        party.fetch()


@pytest.mark.slow
def test_everybody_reads_a_closed_game_without_the_server_until_it_is_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cli = Cli(tmp_path / "auditor", capsys, monkeypatch)

    def verify(*words: str) -> tuple[int, str]:
        found = cli("verify", *words)
        return found.code, found.out + found.err

    folder = tmp_path / "public"
    folder.mkdir()
    with plain_server(folder) as web:
        options = ("--public-folder", str(folder), "--public-address", web, *with_limits(tmp_path))
        with serving(tmp_path, *options) as server:
            address = f"http://127.0.0.1:{server.port}"
            assert httpx.get(f"{address}/v1/server").json()["public"] == web
            with (
                seated(tmp_path / "shown", address, "alice", "bob", public=web) as parties,
                seated(tmp_path / "silent", address, "alice", "bob") as others,
            ):
                for each in (parties, others):
                    roll(each)
                half = b"".join(line + b"\n" for line in parties[0].view.lines(0))
                then = parties[0].view.checkpoint
                assert (folder / "public.json").exists()
                assert not list(folder.glob("games/*/*")), "nothing before it is closed"
                for each in (parties, others):
                    close(each[0])
                game = parties[0].game.hex()
                log = folder / f"games/{game[:2]}/{game}.jsonl"
                until(lambda: log.exists() and f"{game[:2]}/".encode() in (folder / "games/index.html").read_bytes())
                host = parties[0]
                with pytest.raises(AssertionError, match=r"makes no closed games public at https://games"):
                    host.open_table("dice-1", public=ADDRESS)
                assert host.link is not None
                delete = bytes(lobby.new_delete(host.identity, host.link.table))
                path = f"/v1/tables/{host.link.table.hex()}/delete"
                host.http.close()
            assert server.stop() == 0
            # The server is away, and anybody verifies what is there.
            assert [each.name for each in folder.glob("games/*/*.jsonl")] == [log.name]
            code, said = verify(web)
            assert (code, said.count("HOLDS")) == (0, 1), said
            assert verify("--game", game, "--summary", f"{web}/games/{game[:2]}/{game}.jsonl")[0] == 0
            head = parse_signed_head(httpx.get(f"{web}/anchors/checkpoint").content).head
            anchor = httpx.get(f"{web}/games/{game[:2]}/{game}.anchor.json").json()
            first = parse_signed_head(anchor["checkpoint"].encode()).head
            text = anchor["final"].partition("\n\n")[0].encode() + b"\n"
            leaf = leaf_hash(sha256(b"rollproof/v1/anchor\n" + bytes.fromhex(anchor["salt"]) + text))
            proof = [bytes.fromhex(each) for each in anchor["proof"]]
            assert root_by_proof(leaf, anchor["index"], first.size, proof) == first.root
            tile = httpx.get(f"{web}/anchors/tile/0/000.p/{head.size}").content
            assert tile[32 * anchor["index"] :][:32] == leaf
            assert root_of([tile[at : at + 32] for at in range(0, len(tile), 32)]) == head.root

            # Whoever has the folder can show something else, and this is what comes of it.
            whole, note = log.read_bytes(), Path(f"{log}.checkpoint")
            kept = tmp_path / "kept.checkpoint"
            kept.write_bytes(note.read_bytes())
            assert then is not None
            log.write_bytes(half)
            note.write_bytes(bytes(then))
            code, said = verify("--receipt", str(kept), f"{web}/games/{game[:2]}/{game}.jsonl")
            assert code == 1, "an older log, with the checkpoint of then"
            code, said = verify(f"{web}/games/{game[:2]}/{game}.jsonl")
            assert (code, "log.unfinished" in said) == (0, True), said
            code, said = verify("--game", "0" * 64, f"{web}/games/{game[:2]}/{game}.jsonl")
            assert code == 1, "another game"
            log.write_bytes(whole.replace(b"throne", b"crown", 1))
            assert verify(f"{web}/")[0] == 1
            log.write_bytes(whole)
            note.write_bytes(kept.read_bytes())

            server = server.again()
            try:
                with httpx.Client(base_url=address) as client:
                    token = {"Authorization": f"Bearer {host.token.hex()}"}
                    assert client.post(path, content=delete, headers=token).status_code == 200
                until(lambda: not list(folder.glob("games/*/*.jsonl*")) and not list(folder.glob("games/*/*.json")))
                assert game not in "".join(each.read_text() for each in folder.rglob("index.html"))
                assert server.stop() == 0
            finally:
                server.process.kill()
