"""Check that phones in a hall without internet reach this server: `rollproof serve --check --hall`.

The hall's router or name server must resolve the server's name to an address of this machine, and phones must be able
to check the certificate offline.
"""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path
from threading import Thread
from typing import Literal
from urllib.parse import urlsplit

from rules.data.language import N_, Message

__all__ = ["MACHINE_ALONE", "hall"]

Address = IPv4Address | IPv6Address

MACHINE_ALONE = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
"""addresses that no other machine reaches"""

PATIENCE = 5.0
"""seconds in which a handshake on the own machine ends"""


def hall(
    address: str | None, tls_cert: Path | None, tls_key: Path | None
) -> Iterator[tuple[Literal["ok", "warning", "wrong"], Message]]:
    """Find the server's name, as phones do, and shake hands with its certificate. Raises OSError."""
    parts = urlsplit(address or "")
    host = parts.hostname
    if host is None or parts.scheme != "https" or _as_address(host) is not None:
        text = N_("phones need an https address whose host is a name, because a certificate is for a name")
        yield "wrong", Message(text)
        return
    port = parts.port or 443
    try:
        found = {ip_address(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except socket.gaierror as error:
        text = N_("{host} has no address here ({problem}): let the router of the hall answer for it")
        yield "wrong", Message(text, host=host, problem=error.strerror or str(error))
        return
    astray = [reason for each in sorted(found, key=str) if (reason := _out_of_reach(host, each)) is not None]
    yield from (("wrong", reason) for reason in astray)
    if astray:
        return
    inside = min(found, key=lambda each: (each.version, str(each)))
    try:
        if tls_cert is not None and tls_key is not None:
            with _answering(inside, tls_cert, tls_key) as own:
                _shake_hands(host, inside, own)
        else:
            _shake_hands(host, inside, port)
    except ssl.SSLCertVerificationError as error:
        text = N_("phones would refuse the certificate of {host}: {problem}")
        yield "wrong", Message(text, host=host, problem=error.verify_message)
    except OSError as error:
        text = N_("nothing speaks TLS at {host}, which is {address} port {port} ({problem}): start the proxy first")
        problem = error.strerror or str(error)
        yield "wrong", Message(text, host=host, address=str(inside), port=port, problem=problem)
    else:
        text = N_("phones in the hall reach {host} at {address}, and know its certificate")
        yield "ok", Message(text, host=host, address=str(inside))


def _as_address(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _out_of_reach(host: str, address: Address) -> Message | None:
    """Say why phones in the hall do not reach this machine at an address; None where they do."""
    if any(address in network for network in MACHINE_ALONE):
        text = N_("{host} is {address}, which only this machine reaches: give it an address in the hall's network")
        return Message(text, host=host, address=str(address))
    if address.is_global:
        text = N_("{host} is {address}, on the internet: let the hall's router answer with this machine's address")
        return Message(text, host=host, address=str(address))
    with socket.socket(socket.AF_INET if address.version == 4 else socket.AF_INET6, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((str(address), 0))
        except OSError:
            return Message(N_("{host} is {address}, which is another machine's"), host=host, address=str(address))
    return None


@contextmanager
def _answering(address: Address, cert: Path, key: Path) -> Iterator[int]:
    """Answer one caller with the certificate; the port. Raises OSError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with socket.create_server((str(address), 0), family=family) as listening:
        listening.settimeout(PATIENCE)

        def answer() -> None:
            with suppress(OSError), listening.accept()[0] as connection:
                connection.settimeout(PATIENCE)
                context.wrap_socket(connection, server_side=True).close()

        thread = Thread(target=answer)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            thread.join()


def _shake_hands(host: str, address: Address, port: int) -> None:
    """Connect as a browser does, with the certificates that this machine trusts. Raises OSError."""
    context = ssl.create_default_context()
    with (
        socket.create_connection((str(address), port), PATIENCE) as connection,
        context.wrap_socket(connection, server_hostname=host),
    ):
        pass
