"""Write logs of provably fair dice rolls: keys, seeds, the store, the command line (specs/protocol.md).

A Seat is one party with its secrets; a Ledger keeps logs and holds none. Lines and openings pass between them.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.identity import Identity
    from ledger.seat import Seat
    from ledger.store import Ledger, Receipt
    from ledger.view import LogView, View

__all__ = ["Identity", "Ledger", "LogView", "Receipt", "Seat", "View"]

_HOMES = {
    "Identity": "identity",
    "Ledger": "store",
    "LogView": "view",
    "Receipt": "store",
    "Seat": "seat",
    "View": "view",
}


def __getattr__(name: str) -> Any:
    """Import on first use: the command line starts without the cryptography that it may not need."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"ledger.{_HOMES[name]}"), name)
