"""Addresses of servers: a link shows the host that it reaches (specs/network.md, "Links")."""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from ledger.errors import UsageError
from rules.data.language import N_, Message

__all__ = ["AddressError", "check_web_address", "is_private", "server_address"]

_HOST = r"(?P<host>[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::(?P<port>[1-9][0-9]{0,4}))?"
_SERVER = re.compile(rf"(?P<scheme>https?)://{_HOST}(?P<path>(?:/[A-Za-z0-9._~-]+)*)/*")
_WEB = re.compile(rf"(?P<scheme>https?)://{_HOST}(?:[/?#][^\s\\]*)?")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
_SHOWN = 300
"""characters of an address that is none"""
_FORM = N_(
    "{address} is no address of a server: it is https:// or http://, a host's name in the letters a to z, and where it "
    "has them a port and a path"
)


class AddressError(UsageError):
    """An address that no server has, or that another host would be reached by than the one that is shown."""

    problem: Message

    def __init__(self, address: str) -> None:
        super().__init__(Message(_FORM, address=repr(address[:_SHOWN])))


def server_address(text: str) -> str:
    """Return the address of a server as links have it, without a slash at its end. Raises AddressError."""
    found = _SERVER.fullmatch(text)
    if found is None or not _holds(found) or {".", ".."} & set(found["path"].split("/")):
        raise AddressError(text)
    return text.rstrip("/")


def check_web_address(address: str) -> None:
    """Check that an address on the web, whatever follows its host, names that host as a server's does.

    Raises AddressError.
    """
    found = _WEB.fullmatch(address)
    if found is None or not _holds(found):
        raise AddressError(address)


def is_private(address: str) -> bool:
    """Return True if nobody on the way can read along: TLS, or the own machine. Raises AddressError."""
    found = _SERVER.fullmatch(address)
    if found is None:
        raise AddressError(address)
    return found["scheme"] == "https" or found["host"].lower() in ("localhost", "127.0.0.1", "[::1]")


def _holds(found: re.Match[str]) -> bool:
    host, port = found["host"], found["port"]
    if port is not None and int(port) > 65_535:
        return False
    try:
        if host.startswith("["):
            IPv6Address(host[1:-1])
        elif _NUMBER.fullmatch(host.rpartition(".")[2]):  # browsers and resolvers read other forms as numbers too
            IPv4Address(host)
        else:
            return all(map(_LABEL.fullmatch, host.split(".")))
    except AddressValueError:
        return False
    return True
