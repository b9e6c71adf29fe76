"""The configuration of a server, as it was given, for the checks of `rollproof serve --check`."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from ledger.home import Home
from ledger.server.limits import Limits
from ledger.server.public_games import PublicGames
from ledger.server.webhook import PostingTo
from rules.data.language import Message

__all__ = ["Found", "Level", "ServerConfiguration"]

Level = Literal["ok", "warning", "wrong"]


class ServerConfiguration(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration as it was given. Members that may raise when they are read are functions, which a check calls."""

    home: Home
    keeper: str
    judge: str
    host: str
    port: int
    address: Callable[[], str | None]
    database: Callable[[], str | None]
    limits: Callable[[], Limits]
    witnesses: Callable[[], Any]
    """returns the policy; None if no witness is asked"""
    passphrase: Callable[[], bytes | None]
    """returns None without a passphrase"""
    proxies: str
    tls_cert: Path | None
    tls_key: Path | None
    organizers: tuple[str, ...]
    hall: bool
    """True for a place without internet"""
    posting: Callable[[], PostingTo | None]
    """returns None if results are not posted"""
    public: Callable[[], PublicGames | None]
    """returns None if no games are public"""


Found = Iterator[tuple[Level, Message]]
"""what a check yields: a level and a sentence"""
