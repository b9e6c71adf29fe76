"""Tell public addresses: a server connects to no others on somebody else's word (specs/network.md, "Posting results").

A name is resolved once for each connection, and the connection goes to the very address that was checked: a name that
stands for another address a moment later leads nowhere else.
"""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

__all__ = ["NotPublicError", "is_public", "resolve"]

RESOLVE_WITHIN = 10.0
"""seconds"""

_EVERYBODYS = IPv6Network("2000::/3")
_CARRY_IPV4 = (IPv6Network("2001::/32"), IPv6Network("2002::/16"))
"""Teredo and 6to4: such an address leads to an IPv4 address that stands within it"""


class NotPublicError(Exception):
    """A host has no address that may be connected to."""


def is_public(address: str) -> bool:
    """Return True for a public IP address: not private, loopback, link-local, shared, reserved or multicast."""
    try:
        found = ip_address(address)
    except ValueError:  # one with a zone is link-local
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if isinstance(found, IPv4Address):
        return found.is_global and not found.is_multicast
    return found.is_global and found in _EVERYBODYS and not any(found in each for each in _CARRY_IPV4)


async def resolve(host: str, port: int, *, private: bool = False) -> str:
    """Return the first address of a host that is public, or with `private` the first. Raises NotPublicError, OSError.

    `host` is a name or an IP address, without brackets.
    """
    async with asyncio.timeout(RESOLVE_WITHIN):
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for *_, address in found:
        if private or is_public(str(address[0])):
            return str(address[0])
    raise NotPublicError("its address is private, or of this machine")
