"""Write closed games and the anchor log to a folder, for any web server (specs/network.md, "Public games").

The folder follows what is stored: a look writes what it lacks, and removes games that were deleted. So a look may be
cut short, and several processes may write one folder.
"""

import asyncio
import contextlib
import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ledger import lobby
from ledger.errors import LedgerError, UsageError
from ledger.home import Home
from ledger.server.duties import days_before
from ledger.server.logs import anchor_members
from ledger.server.tables import Tables
from ledger.store.ledger import Ledger
from ledger.transparency.anchors import Anchors
from ledger.transparency.tiles import WIDTH, Kept, Nodes, Tile, entry, hash_tile, tile_path
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_, Message
from rules.data.text import plain
from verifier import VerifierKey
from verifier.checkpoints.head import parse_signed_head
from verifier.log.plainjson import encode
from verifier.shell.files import LOG_SUFFIX, SIDECAR

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["PublicFolder", "PublicGames", "check_folder"]

LOOK_EVERY = 10.0
"""seconds between two looks at what other processes closed or deleted, and at cosignatures"""

COSIGNED_DAYS = 1
"""days after its close for which a game's checkpoint is written again when witnesses have cosigned it"""

ABOUT = "public.json"
"""the file by which a folder is known as one of these"""

ANCHOR = ".anchor.json"
"""the suffix, behind a game's id, of the file with its place in the anchor log"""

_PART = ".part-"
"""how the names of files begin that are being written"""

_PAGE = '<!doctype html>\n<meta charset="utf-8">\n<title>Rollproof</title>\n<ul>\n{items}</ul>\n'


class PublicGames(NamedTuple):
    """The folder for public games, and the address at which a web server shows it."""

    folder: Path
    address: str
    """without a slash at its end"""


def check_folder(folder: Path, home: Home, keeper: VerifierKey | None) -> None:
    """Check that a folder is this keeper's folder for public games, or may become one. Raises UsageError, OSError.

    `keeper` is None before it has a key.
    """
    if not folder.is_dir():
        raise UsageError(Message("{folder}: there is no such folder: make one for public games", folder=str(folder)))
    for secret in (home.root, home.state):
        if secret.absolute().resolve().is_relative_to(folder.absolute().resolve()):
            text = N_("{secret} is in {folder}, where everybody could read it: name a folder of its own")
            raise UsageError(Message(text, secret=str(secret), folder=str(folder)))
    about = folder / ABOUT
    if not about.exists():
        if any(not each.name.startswith(".") for each in folder.iterdir()):
            text = N_("{folder} is not empty, and no folder of public games: name an empty one")
            raise UsageError(Message(text, folder=str(folder)))
        return
    try:
        whose = str(json.loads(about.read_bytes())["keeper"])
    except (*UNREADABLE, LookupError, TypeError):
        raise UsageError(Message("{file} is damaged: name an empty folder", file=str(about))) from None
    if whose != str(keeper):
        text = N_("{folder} has the public games of another keeper, {keeper}: name an empty folder")
        raise UsageError(Message(text, folder=str(folder), keeper=plain(whose)))


class PublicFolder:
    """The folder of one keeper."""

    def __init__(
        self,
        to: PublicGames,
        keeper: VerifierKey,
        ledger: Ledger,
        tables: Tables,
        anchors: Anchors,
        log: "FilteringBoundLogger",
        clock: Callable[[], str],
    ) -> None:
        """The folder was checked by `check_folder`."""
        self.address = to.address
        self._folder = to.folder
        self._keeper = keeper
        self._ledger = ledger
        self._tables = tables
        self._anchors = anchors
        self._log = log
        self._now = clock
        self._begun = False
        self._changed = asyncio.Event()
        self._others: set[str] = set()
        """closed games that are not public"""
        self._kept: Kept = {}
        """hashes of the anchor log's full tiles"""

    def changed(self) -> None:
        """Look soon: a game was closed or deleted. For the event loop."""
        self._changed.set()

    async def work(self) -> None:
        """Look whenever something changed, and every ten seconds."""
        while True:
            self._changed.clear()
            try:
                await asyncio.to_thread(self.look, self._now())
            except (LedgerError, OSError) as error:
                self._log.error("public", problem=str(error))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await self._changed.wait()

    def look(self, now: str) -> None:
        """Write what the folder lacks, and remove what was deleted; `now` is a time of the log's form. Blocks.

        Raises StoreError, OSError.
        """
        if not self._begun:
            self._begin()
        self._write_anchors()
        here = {path.name.removesuffix(LOG_SUFFIX) for path in self._folder.glob(f"games/??/*{LOG_SUFFIX}")}
        closed = {game.hex() for game in self._ledger.catalog.closed_games()}
        lately = closed - {game.hex() for game in self._ledger.catalog.closed_before(days_before(now, COSIGNED_DAYS))}
        public = {game for game in closed - self._others if game in here or self._is_public(game)}
        gone, new = here & self._tables.deleted_games(), public - here
        if gone:
            self._list(here - gone)
        for game in gone:
            self._remove(game)
        for game in new | (public & lately):
            self._write_game(game)
        if new or not self._begun:
            self._list((here - gone) | new)
        self._begun = True

    def _begin(self) -> None:
        """Say whose folder it is, and remove what a write left that was cut short."""
        for path in self._folder.rglob(f"{_PART}*"):
            path.unlink(missing_ok=True)
        about = {"address": self.address, "format": "rollproof/public/v1", "keeper": str(self._keeper)}
        self._write(ABOUT, encode(about) + b"\n")

    def _is_public(self, game: str) -> bool:
        row = self._tables.of_game(game)
        if row is not None and row.deleted:
            return False
        if row is None or lobby.parse_terms(row.terms.encode()).public != self.address:
            self._others.add(game)
            return False
        return True

    def _write_game(self, game: str) -> None:
        """Write the game's log, checkpoint and place in the anchor log: the log last, and only once."""
        id_ = bytes.fromhex(game)
        checkpoint, size = self._ledger.checkpoint(id_), self._ledger.size(id_)
        if checkpoint is None or checkpoint.head.size != size:
            return  # the keeper has not signed over the close yet, or it was deleted meanwhile
        self._write(_path(game, LOG_SUFFIX + SIDECAR), bytes(checkpoint))
        anchor = self._anchors.of(game)
        if anchor is not None and not (self._folder / _path(game, ANCHOR)).exists():
            self._write(_path(game, ANCHOR), encode(anchor_members(anchor)) + b"\n")
        if not (self._folder / _path(game, LOG_SUFFIX)).exists():
            log = io.BytesIO()
            self._ledger.export(id_, log)
            self._write(_path(game, LOG_SUFFIX), log.getvalue())
            self._log.info("public", game=game[:12])
        row = self._tables.of_game(game)
        if row is None or row.deleted:  # meanwhile
            self._remove(game)

    def _remove(self, game: str) -> None:
        for suffix in (LOG_SUFFIX, LOG_SUFFIX + SIDECAR, ANCHOR):
            (self._folder / _path(game, suffix)).unlink(missing_ok=True)
        self._log.info("public no more", game=game[:12])

    def _list(self, games: Iterable[str]) -> None:
        """Write the pages that list these games, as far as they are there, in folders by the first two digits."""
        found: dict[str, list[str]] = {path.name: [] for path in self._folder.glob("games/??")}
        for game in sorted(games):
            if (self._folder / _path(game, LOG_SUFFIX)).exists():
                found[game[:2]].append(f"{game}{LOG_SUFFIX}")
        for folder, links in found.items():
            self._write_page(f"games/{folder}/", links)
        self._write_page("games/", [f"{folder}/" for folder, links in sorted(found.items()) if links])
        self._write_page("", ["games/", "anchors/checkpoint", ABOUT])

    def _write_page(self, folder: str, links: Iterable[str]) -> None:
        items = "".join(f'<li><a href="{link}">{link}</a>\n' for link in links)
        self._write(f"{folder}index.html", _PAGE.format(items=items).encode())

    def _write_anchors(self) -> None:
        """Write the tiles of the anchor log that are not there, and then its checkpoint."""
        found, at = self._anchors.head(), self._folder / "anchors/checkpoint"
        written = at.read_bytes() if at.exists() else b""
        if found is None or bytes(found[0]) == written:
            return
        size = found[0].head.size
        if written and parse_signed_head(written).head.size > size:
            return  # another process wrote a later one, or the log was put back
        full = []
        for tile in _tiles(size):
            path = f"anchors/tile/{tile_path(tile)}"
            full += [path] if tile.width == WIDTH else []
            if not (self._folder / path).exists():
                self._write(path, self._tile(tile))
        self._write("anchors/checkpoint", bytes(found[0]))
        for path in full:  # what was part of it is in it
            shutil.rmtree(self._folder / f"{path}.p", ignore_errors=True)

    def _tile(self, tile: Tile) -> bytes:
        if tile.level is not None:
            return hash_tile(tile, Nodes(self._anchors.leaves, self._kept))
        start = tile.index * WIDTH
        return b"".join(map(entry, self._anchors.entries(start, start + tile.width)))

    def _write(self, name: str, data: bytes) -> None:
        """Write a file that everybody can read, whole or not at all, if it is not there as it is."""
        path = self._folder / name
        if path.exists() and path.read_bytes() == data:
            return
        for folder in reversed(path.relative_to(self._folder).parents[:-1]):
            (self._folder / folder).mkdir(exist_ok=True)
            (self._folder / folder).chmod(0o755)
        descriptor, part = tempfile.mkstemp(prefix=_PART, dir=path.parent)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(descriptor)
        Path(part).chmod(0o644)
        Path(part).replace(path)


def _path(game: str, suffix: str) -> str:
    return f"games/{game[:2]}/{game}{suffix}"


def _tiles(size: int) -> Iterator[Tile]:
    """Yield all tiles of a log with so many entries, those of entries first."""
    levels: list[int | None] = [None, 0]
    for level in levels:
        count = size // WIDTH ** (level or 0)
        yield from (Tile(level, index, WIDTH) for index in range(count // WIDTH))
        if count % WIDTH:
            yield Tile(level, count // WIDTH, count % WIDTH)
        if level is not None and count >= WIDTH:
            levels.append(level + 1)
