"""Checks of how others reach a server: port, address, certificate, proxies, a hall, and the channel of results."""

import asyncio
import os
import socket
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from ledger.errors import UsageError
from ledger.network.public import NotPublicError, resolve
from ledger.server.configuration import Found, ServerConfiguration
from ledger.server.hall import hall
from ledger.server.run import parse_proxies
from rules.data.language import N_, Message

__all__ = ["check_address", "check_hall", "check_port", "check_proxies", "check_tls", "check_webhook"]

EXPIRES_SOON = timedelta(days=14)

MOST_TRUSTED = 1 << 24
"""addresses of one network of proxies: more is everybody"""

GREETED_WITHIN = 10.0
"""seconds for a connection to the channel of results"""


def check_port(asked: ServerConfiguration) -> Found:
    """Check that the port is free. Raises UsageError if the host is no address of this machine."""
    try:
        found = socket.getaddrinfo(asked.host, asked.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise UsageError(f"{asked.host} is no address of this machine: {error.strerror}") from None
    family, kind, protocol, _, place = found[0]
    try:
        with socket.socket(family, kind, protocol) as listening:
            if os.name == "posix":  # as the server does it; on Windows this would take another's port
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(1)
    except PermissionError:
        text = N_("this account may not listen at port {port}: choose one above 1023, behind a proxy")
        yield "wrong", Message(text, port=asked.port)
    except OSError as error:
        text = N_("nobody can listen at {host} port {port}: {problem}")
        yield "wrong", Message(text, host=asked.host, port=asked.port, problem=error.strerror or str(error))
    else:
        yield "ok", Message("{host} port {port} is free", host=asked.host, port=asked.port)


def check_address(asked: ServerConfiguration) -> Found:
    """Check that browsers reach the public address by TLS, and nobody passes the proxy by."""
    address, has_tls = asked.address(), asked.tls_cert is not None
    parts = urlsplit(address or "")
    if address is None:
        if not _own(asked.host) and not has_tls:
            text = N_(
                "others reach this server at a plain address, where browsers have no cryptography: use a certificate"
            )
            yield "wrong", Message(text)
        else:
            yield "ok", Message("others reach it where it listens")
    elif parts.scheme == "http" and not _own(parts.hostname or ""):
        text = N_("{address} is a plain address, where browsers have no cryptography: others need https")
        yield "wrong", Message(text, address=address)
    elif parts.scheme == "https" and not has_tls and not asked.proxies.strip():
        text = N_("{address} needs a proxy that has the certificate, and no proxy is named")
        yield "wrong", Message(text, address=address)
    elif parts.scheme == "https" and not has_tls and not _own(asked.host) and not _inner(asked.host):
        text = N_(
            "callers that reach {host} port {port} bypass the proxy, without TLS: listen at 127.0.0.1, or use a "
            "firewall"
        )
        yield "warning", Message(text, host=asked.host, port=asked.port)
    else:
        yield "ok", Message("others reach it at {address}", address=address)


def _own(host: str) -> bool:
    """Return True if only this machine reaches an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_webhook(asked: ServerConfiguration) -> Found:
    """Check that the channel of results can be reached. Only a TLS greeting is sent."""
    posting = asked.posting()
    if posting is None:
        return
    webhook = posting.webhook
    parts = urlsplit(webhook.url)
    host, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    try:
        asyncio.run(_greet(host, port, secure=secure, private=webhook.private))
    except NotPublicError:
        text = N_("{host}, where results are posted, is at an address of a private network, which nobody has allowed")
        yield "wrong", Message(text, host=host)
    except ssl.SSLError as error:
        problem = getattr(error, "verify_message", "") or error.reason or str(error)
        text = N_("{host}, where results are posted, has no certificate that holds: {problem}")
        yield "wrong", Message(text, host=host, problem=problem)
    except (OSError, TimeoutError) as error:
        text = N_("{host}, where results are posted, cannot be reached: {problem}")
        yield "wrong", Message(text, host=host, problem=error.strerror or str(error) or "timeout")
    else:
        text = N_("results can be posted to {name}; the first one shows whether it takes them")
        yield "ok", Message(text, name=webhook.name)


async def _greet(host: str, port: int, *, secure: bool, private: bool) -> None:
    """Connect as a post would, to the resolved address. Raises NotPublicError, OSError, TimeoutError."""
    address = await resolve(host, port, private=private)
    context = ssl.create_default_context() if secure else None
    async with asyncio.timeout(GREETED_WITHIN):
        named = host if secure else None
        _, writer = await asyncio.open_connection(address, port, ssl=context, server_hostname=named)
    writer.close()


def _inner(host: str) -> bool:
    """Return True for an address of a private network."""
    try:
        found = ip_address(host)
    except ValueError:
        return False
    return found.is_private and not found.is_unspecified


def check_tls(asked: ServerConfiguration) -> Found:
    """Check certificate and key. Raises UsageError if only one of them is given, OSError."""
    cert, key = asked.tls_cert, asked.tls_key
    if cert is None and key is None:
        return
    if cert is None or key is None:
        raise UsageError("a certificate and its key go together")
    if os.name == "posix" and key.stat().st_mode & 0o007:
        text = N_("everybody on this machine can read {file}: let only its owner read it (chmod 600)")
        yield "wrong", Message(text, file=str(key))
    chain = cert.read_bytes()
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
    except (ssl.SSLError, ValueError) as error:
        problem = getattr(error, "reason", None) or str(error)
        yield "wrong", Message("certificate and key cannot be used together: {problem}", problem=problem)
        return
    yield from _certificate(chain, asked.address())


def _certificate(chain: bytes, address: str | None) -> Found:
    """Check that a certificate is valid today, and for the address."""
    from cryptography.x509 import load_pem_x509_certificates

    first = load_pem_x509_certificates(chain)[0]
    now = datetime.now(UTC)
    begins, ends = first.not_valid_before_utc, first.not_valid_after_utc
    until = f"{ends:%Y-%m-%d}"
    if now > ends:
        yield "wrong", Message("the certificate is no longer valid since {date}", date=until)
    elif now < begins:
        yield "wrong", Message("the certificate is not valid before {date}", date=f"{begins:%Y-%m-%d}")
    elif now + EXPIRES_SOON > ends:
        yield "warning", Message("the certificate is valid until {date} only", date=until)
    else:
        yield "ok", Message("the certificate is valid until {date}", date=until)
    host = urlsplit(address or "").hostname
    if host is not None and not _names(first, host):
        yield "wrong", Message("the certificate is not for {host}", host=host)


def _names(certificate: Any, host: str) -> bool:
    """Return True if a certificate is for a host (RFC 6125: a star matches one label, the first)."""
    from cryptography.x509 import DNSName, ExtensionNotFound, IPAddress, SubjectAlternativeName

    try:
        names = certificate.extensions.get_extension_for_class(SubjectAlternativeName).value
    except ExtensionNotFound:
        return False
    try:
        return ip_address(host) in names.get_values_for_type(IPAddress)
    except ValueError:
        pass
    known = {str(name).lower() for name in names.get_values_for_type(DNSName)}
    return host.lower() in known or f"*.{host.partition('.')[2].lower()}" in known


def check_hall(asked: ServerConfiguration) -> Found:
    """Check that phones in a hall without internet reach the server, if that is asked for. Raises OSError."""
    if asked.hall:
        yield from hall(asked.address(), asked.tls_cert, asked.tls_key)


def check_proxies(asked: ServerConfiguration) -> Found:
    """Check the addresses of trusted proxies. Raises UsageError for a malformed one."""
    for each in parse_proxies(asked.proxies):
        if ip_network(each).num_addresses > MOST_TRUSTED:
            text = N_(
                "proxies in {network} are trusted, which is nearly everybody: any caller could claim to be another"
            )
            yield "wrong", Message(text, network=each)
            return
    yield "ok", Message("the addresses of proxies can be read")
