"""A table before its event 0: links, terms, seats, start (specs/network.md, "Links", "The table", "Paths").

The signatures and checks of host, players and server, for client and server alike. No input, no output, no clock, no
chance: secrets, nonces and times are given. Everything that comes from elsewhere passes `parse_…` (its form) and
`check_…` (who signed it, and whether it may be), in this order:

    parse_link, parse_terms, check_link     a client, before it shows a table as its host's
    parse_terms, check_terms                a server, before it takes a table
    parse_seat, check_seat, check_free      a server, before it takes a seat; a client, of every party of a start
    parse_unseat, check_unseat              a server, before it takes somebody out
    parse_invite, check_invite              a server, before it takes a new link in the place of another
    parse_start, check_start                a server, before it writes event 0
    check_opened                            a client, before it joins
    parse_seat, check_asks                  a server, before it takes a seat when the game has begun
    parse_admit, check_admit                a server, before it lets in who asks
    check_newcomer                          a client that was let in, before it joins
    parse_seat, check_goes_on               a server, before it takes a seat that asks to go on; a client, of each
    parse_replace, check_replace            a server, before it writes a `replace`

Each raises LobbyError, with the code of specs/network.md, "Refusals".

signed      what is signed, and how it is read
signing     what host and parties make
links       links, and what is derived from their secrets
published   one roll that a server keeps for others to see (specs/roll-proof.md)

Who signed it, and whether it may be:

terms       a table's terms
invitations links into a table, and new ones in their place
seats       seats before the game
start       a start by the host, and event 0
latecomers  seats in a game that has begun
new_keys    those who go on under a new key
requests    to read a game, to close it, to delete a table
signatures  what several of these share; `times` too
"""

from ledger.lobby.invitations import check_invite, check_link, ended_tokens, invitations_of, is_ended
from ledger.lobby.latecomers import asking, check_admit, check_asks, check_newcomer
from ledger.lobby.links import Link, parse_link, token_hash
from ledger.lobby.look_alikes import look_alikes
from ledger.lobby.new_keys import check_goes_on, check_replace, goes_on
from ledger.lobby.requests import check_access, check_closing, check_delete
from ledger.lobby.seats import check_free, check_seat, check_unseat
from ledger.lobby.signed import (
    INVITED,
    MAX_AFTER,
    MAX_INVITES,
    Access,
    AdmitWord,
    Closing,
    Delete,
    Invitation,
    Invite,
    InvitedRole,
    LobbyError,
    LobbySeat,
    ReplaceWish,
    SeatRole,
    ServersJudge,
    Start,
    TableState,
    TableTerms,
    Unseat,
    parse_access,
    parse_admit,
    parse_closing,
    parse_delete,
    parse_invite,
    parse_replace,
    parse_seat,
    parse_start,
    parse_table,
    parse_terms,
    parse_unseat,
)
from ledger.lobby.signing import (
    Signer,
    new_access,
    new_admit,
    new_closing,
    new_delete,
    new_invite,
    new_replace,
    new_seat,
    new_start,
    new_terms,
    new_unseat,
)
from ledger.lobby.start import agreed_open, check_opened, check_start
from ledger.lobby.terms import check_terms
from ledger.lobby.times import MAX_CLOCK_SKEW

__all__ = [
    "INVITED",
    "MAX_AFTER",
    "MAX_CLOCK_SKEW",
    "MAX_INVITES",
    "Access",
    "AdmitWord",
    "Closing",
    "Delete",
    "Invitation",
    "Invite",
    "InvitedRole",
    "Link",
    "LobbyError",
    "LobbySeat",
    "ReplaceWish",
    "SeatRole",
    "ServersJudge",
    "Signer",
    "Start",
    "TableState",
    "TableTerms",
    "Unseat",
    "agreed_open",
    "asking",
    "check_access",
    "check_admit",
    "check_asks",
    "check_closing",
    "check_delete",
    "check_free",
    "check_goes_on",
    "check_invite",
    "check_link",
    "check_newcomer",
    "check_opened",
    "check_replace",
    "check_seat",
    "check_start",
    "check_terms",
    "check_unseat",
    "ended_tokens",
    "goes_on",
    "invitations_of",
    "is_ended",
    "look_alikes",
    "new_access",
    "new_admit",
    "new_closing",
    "new_delete",
    "new_invite",
    "new_replace",
    "new_seat",
    "new_start",
    "new_terms",
    "new_unseat",
    "parse_access",
    "parse_admit",
    "parse_closing",
    "parse_delete",
    "parse_invite",
    "parse_link",
    "parse_replace",
    "parse_seat",
    "parse_start",
    "parse_table",
    "parse_terms",
    "parse_unseat",
    "token_hash",
]
