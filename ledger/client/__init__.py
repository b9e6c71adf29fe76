"""A participant over HTTP (specs/network.md): needs the extra `client`.

`Participant` and `Spectator` are for programs; `Connection` is the wire alone; `Carrier` what stands between a stored
game and its server, for whoever has a `ledger.keeper.table.Table`.
"""

from ledger.client.carrier import Came, Carrier
from ledger.client.connection import Connection
from ledger.client.participant import Participant, Spectator
from ledger.client.remotes import Remote, Remotes
from ledger.client.tables import agree, link_of, look, open_table, sit, start, started
from ledger.errors import AwayError, CheatedError, ServerError
from ledger.lobby import Link, parse_link

__all__ = [
    "AwayError",
    "Came",
    "Carrier",
    "CheatedError",
    "Connection",
    "Link",
    "Participant",
    "Remote",
    "Remotes",
    "ServerError",
    "Spectator",
    "agree",
    "link_of",
    "look",
    "open_table",
    "parse_link",
    "sit",
    "start",
    "started",
]
