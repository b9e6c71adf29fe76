"""Play or watch over HTTP (specs/network.md). Needs the extra `client`.

Programs use `Participant` and `Spectator`. `Connection` only sends requests. `GameSync` synchronizes a stored game with
its server, for programs that have a `ledger.keeper.table.Table`: its `inbox` verifies and stores what arrives, its
`outbox` sends what is written.
"""

from ledger.client.connection import Connection
from ledger.client.game_sync import GameSync
from ledger.client.inbox import RemoteUpdate
from ledger.client.participant import Participant, Spectator
from ledger.client.remotes import Remote, Remotes
from ledger.client.tables import agree, link_of, look, open_table, sit, start, wait_for_start
from ledger.errors import AwayError, CheatedError, ServerError
from ledger.lobby import Link, parse_link

__all__ = [
    "AwayError",
    "CheatedError",
    "Connection",
    "GameSync",
    "Link",
    "Participant",
    "Remote",
    "RemoteUpdate",
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
    "wait_for_start",
]
