"""A table before its event 0: links, terms, seats, start (specs/network.md, "Links", "The table", "Paths").

What host, players and server sign and check, for client and server alike. No input, no output, no clock, no chance:
secrets, nonces and times are given. Everything that comes from elsewhere passes `parse_…` (its form) and `check_…`
(who signed it, and whether it may be), in this order:

    parse_link, parse_terms, check_link     a client, before it shows a table as its host's
    parse_terms, check_terms                a server, before it takes a table
    parse_seat, check_seat, check_free      a server, before it takes a seat; a client, of every party of a start
    parse_start, check_start                a server, before it writes event 0
    check_opened                            a client, before it joins

Each raises LobbyError, with the code of specs/network.md, "Refusals".

signed    what is signed, and how it is read
links     links, and what is derived from their secrets
signing   what host and parties make
checks    who signed it, and whether it may be
"""

from ledger.lobby.checks import (
    MAX_CLOCK_SKEW,
    EventZero,
    check_access,
    check_closing,
    check_delete,
    check_free,
    check_link,
    check_opened,
    check_seat,
    check_start,
    check_terms,
    event_zero_terms,
)
from ledger.lobby.links import Link, parse_link, token_hash
from ledger.lobby.signed import (
    INVITED,
    MAX_AFTER,
    Access,
    Closing,
    Contributing,
    Delete,
    Invitation,
    InvitedRole,
    LobbyError,
    LobbySeat,
    SeatRole,
    ServersJudge,
    Start,
    TableState,
    TableTerms,
    parse_access,
    parse_closing,
    parse_delete,
    parse_seat,
    parse_start,
    parse_table,
    parse_terms,
)
from ledger.lobby.signing import Signer, new_access, new_closing, new_delete, new_seat, new_start, new_terms

__all__ = [
    "INVITED",
    "MAX_AFTER",
    "MAX_CLOCK_SKEW",
    "Access",
    "Closing",
    "Contributing",
    "Delete",
    "EventZero",
    "Invitation",
    "InvitedRole",
    "Link",
    "LobbyError",
    "LobbySeat",
    "SeatRole",
    "ServersJudge",
    "Signer",
    "Start",
    "TableState",
    "TableTerms",
    "check_access",
    "check_closing",
    "check_delete",
    "check_free",
    "check_link",
    "check_opened",
    "check_seat",
    "check_start",
    "check_terms",
    "event_zero_terms",
    "new_access",
    "new_closing",
    "new_delete",
    "new_seat",
    "new_start",
    "new_terms",
    "parse_access",
    "parse_closing",
    "parse_delete",
    "parse_link",
    "parse_seat",
    "parse_start",
    "parse_table",
    "parse_terms",
    "token_hash",
]
