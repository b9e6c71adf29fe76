"""The storage of a season's data: a folder, or storage at an address (specs/luck.md, "A season as data")."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.distribution.optional_dependencies import needs_extra
from ledger.errors import LedgerError, UsageError
from ledger.network.remote_logs import file_system, read_error
from verifier.errors import NoteError
from verifier.shell.files import is_address

if TYPE_CHECKING:
    from pyarrow import Table

__all__ = ["Folder"]


class Folder:
    """Files by name (`games/event=Open/day=2026-11-22/part.parquet`), written whole or not at all.

    Every method raises OSError for a local folder. For an address it raises NoteError, whatever the library raised.
    """

    def __init__(self, place: str | Path) -> None:
        """Open `place`: a path, or an address that fsspec can list and write. Raises UsageError, NoteError."""
        needs_extra("pyarrow", extra="season")
        from pyarrow import fs

        self.place = str(place)
        self._address = isinstance(place, str) and is_address(place)
        if not self._address:
            self._fs, self._root = fs.LocalFileSystem(), self.place
            return
        needs_extra("fsspec", extra="cluster")
        if self.place.startswith(("http://", "https://")):
            raise UsageError(f"{self.place}: a web server cannot be listed and written as storage can (s3://…)")
        if "::" in self.place:
            raise UsageError(f"{self.place}: an address within another one is no place for data")
        with self._reached():
            store, self._root = file_system(self.place)
            self._fs = fs.PyFileSystem(fs.FSSpecHandler(store))

    @property
    def is_free(self) -> bool:
        """True if there is nothing, or an empty folder."""
        with self._reached():
            return not self._is_file(self._root) and not self._found("", recursive=False)

    def has(self, name: str) -> bool:
        """Return whether there is such a file."""
        with self._reached():
            return self._is_file(self._at(name))

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        with self._reached(), self._fs.open_input_file(self._at(name)) as stream:
            data: bytes = stream.read()
            return data

    def write(self, name: str, data: bytes) -> None:
        """Write a file, and replace one of that name."""
        with self._reached():
            path = self._at(name)
            self._fs.create_dir(path.rpartition("/")[0], recursive=True)
            # A store shows an object when it has all of it; a folder shows a file as it grows.
            beside = path if self._address else f"{path}.new"
            with self._fs.open_output_stream(beside) as stream:
                stream.write(data)
            if beside != path:
                self._fs.move(beside, path)

    def remove(self, name: str) -> None:
        """Delete a file."""
        with self._reached():
            self._fs.delete_file(self._at(name))

    def parts(self, table: str) -> list[str]:
        """Return the names of a table's files, sorted."""
        with self._reached():
            return sorted(name for name in self._found(table, recursive=True) if name.endswith(".parquet"))

    def dataset(self, names: list[str], columns: list[str], **settings: Any) -> "Table":
        """Return columns of several Parquet files; `settings` go to `pyarrow.dataset.dataset`."""
        import pyarrow.dataset as ds

        with self._reached():
            paths = [self._at(name) for name in names]
            return ds.dataset(paths, filesystem=self._fs, **settings).to_table(columns=columns)

    def _found(self, below: str, *, recursive: bool) -> list[str]:
        from pyarrow import fs

        top = self._at(below) if below else self._root
        infos = self._fs.get_file_info(fs.FileSelector(top, recursive=recursive, allow_not_found=True))
        skipped = len(self._root.rstrip("/")) + 1
        return [info.path[skipped:] for info in infos if not recursive or info.type == fs.FileType.File]

    def _is_file(self, path: str) -> bool:
        from pyarrow import fs

        return bool(self._fs.get_file_info(path).type == fs.FileType.File)

    def _at(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}"

    @contextmanager
    def _reached(self) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except (LedgerError, NoteError, MemoryError):
            raise
        except Exception as error:
            if not self._address or (isinstance(error, pa.ArrowException) and not isinstance(error, OSError)):
                raise
            raise read_error(self.place, error) from None
