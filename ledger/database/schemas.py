"""The tables of each kind of database: SQL files, in one folder for SQLite and one for PostgreSQL."""

from pathlib import Path
from typing import Literal

__all__ = ["statements"]

_FILES = Path(__file__).with_name("sql")


def statements(engine: Literal["sqlite", "postgres"], name: str) -> list[str]:
    """Return the statements of `sql/ENGINE/NAME.sql`, which create what does not exist. A blank line separates two."""
    return (_FILES / engine / f"{name}.sql").read_text(encoding="utf-8").split("\n\n")
