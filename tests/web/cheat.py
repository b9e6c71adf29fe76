"""A server that cheats one of its readers, as `rollproof dev lying-server` has it, for the tests of the pages."""

from pathlib import Path

from ledger.dev.forging import ForgingKeeper
from ledger.dev.proxy import AlteringProxy as Cheat
from ledger.dev.proxy import StreamEvent as Event
from ledger.home import Home
from tests.server.served import PASSPHRASE

__all__ = ["Cheat", "Event", "Keeper"]


class Keeper(ForgingKeeper):
    """The key of a served home's keeper."""

    def __init__(self, root: Path) -> None:
        super().__init__(Home(root / "home", root / "state").identity("keeper", PASSPHRASE))
