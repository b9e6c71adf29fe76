"""Write logs of provably fair dice rolls: keys, seeds, the store, the command line (specs/protocol.md).

A Seat is one party with its secrets; a Ledger keeps logs and holds none. Lines and openings pass between them. A Home
is where both are on this machine; a Table is a game with the seats that are at hand (specs/guide/bots.md).

Each room imports only rooms below it, and none beside it on its floor (pyproject.toml, "importlinter"):

cli           the command line
dev           a server that lies, for who writes a client
demo          games to watch, and what tampering with them comes to
server        keeps games for people on other machines
client        plays and watches at a server
cluster       verifies logs on other machines
report        a page to file
season        many games as data
page          the pages that this package carries
browser       the rules in a browser
keeper        the keeper's program: takes lines, signs, plays with the seats at hand
analysis      rolls explained, and how unusual the dice are
event         data of an organized event
home          identities and games of this machine
transparency  witnesses, anchors, tiles
store         the logs, replays of them, read tables
seats         a party with its secrets, and its checks before it signs
network       what a server and its clients share
game          one game in memory
lobby         a table before its event 0
forms         typed text as bodies of events
database      SQLite and PostgreSQL, opened so that what was acknowledged stays
distribution  the package as it is installed
errors        errors with their ways out
"""

# Not from typing, which takes long to load: first the program is to be stopped in order (verifier.shell.leaving).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ledger.errors import LedgerError, RefusedError, UsageError
    from ledger.game.party_view import LogView, View
    from ledger.home import Home
    from ledger.keeper.table import Table, open_table
    from ledger.seats.identity import Identity
    from ledger.seats.keyless_seat import KeylessSeat
    from ledger.seats.seat import Seat
    from ledger.store.catalog import GameCatalog
    from ledger.store.importing import LogImporter
    from ledger.store.ledger import Ledger
    from ledger.store.receipts import Receipt

__all__ = [
    "GameCatalog",
    "Home",
    "Identity",
    "KeylessSeat",
    "Ledger",
    "LedgerError",
    "LogImporter",
    "LogView",
    "Receipt",
    "RefusedError",
    "Seat",
    "Table",
    "UsageError",
    "View",
    "open_table",
]

_HOMES = {
    "GameCatalog": "store.catalog",
    "Home": "home",
    "Identity": "seats.identity",
    "KeylessSeat": "seats.keyless_seat",
    "Ledger": "store.ledger",
    "LedgerError": "errors",
    "LogImporter": "store.importing",
    "LogView": "game.party_view",
    "Receipt": "store.ledger",
    "RefusedError": "errors",
    "Seat": "seats.seat",
    "Table": "keeper.table",
    "UsageError": "errors",
    "View": "game.party_view",
    "open_table": "keeper.table",
}


def __getattr__(name: str) -> object:
    """Import on first use: the command line starts without the cryptography that it may not need."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"ledger.{_HOMES[name]}"), name)
    return found
