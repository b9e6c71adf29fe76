"""Networks of their own for processes: a namespace with one wire to this machine, which can be pulled out."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["ALL", "Network", "able", "network"]

ALL = "10.88.0.0/16"
"""the addresses of all such networks"""

NOBODY = "02:00:00:00:00:01"
"""an address of hardware that no wire here has"""


def able() -> bool:
    """Whether this account can make one."""
    return os.getuid() == 0 and subprocess.run(["ip", "netns"], capture_output=True, check=False).returncode == 0


class Network:
    """A namespace, and its wire."""

    def __init__(self) -> None:
        number = next(filter(_taken, range(1, 255)))
        self.name, self.near = f"rp-{number}", f"rpw{number}"
        self.here, self.host = f"10.88.{number}.1", f"10.88.{number}.2"
        """the addresses of this machine and of whoever is within, as they see each other"""
        far = f"rpv{number}"
        self._neighbours = (
            f"neigh replace {self.host} dev {self.near}",
            f"-n {self.name} neigh replace {self.here} dev {far}",
        )
        for command in (
            f"ip link add {self.near} type veth peer name {far} netns {self.name}",
            f"ip addr add {self.here}/24 dev {self.near}",
            f"ip link set {self.near} up",
            f"ip -n {self.name} addr add {self.host}/24 dev {far}",
            f"ip -n {self.name} link set {far} up",
            f"ip -n {self.name} link set lo up",
        ):
            subprocess.run(command.split(), check=True)

    @property
    def within(self) -> list[str]:
        """How a command begins that runs within."""
        return ["ip", "netns", "exec", self.name]

    def cut(self) -> None:
        """Pull the wire out: nothing comes through either way, and nobody is told.

        Each side then sends to an address of hardware that nobody has. A link that is down would be told, and what is
        sent would leave this machine by another way.
        """
        for neighbour in self._neighbours:
            subprocess.run(f"ip {neighbour} lladdr {NOBODY} nud permanent".split(), check=True)

    def mend(self) -> None:
        """Put it back."""
        for neighbour in self._neighbours:
            subprocess.run(f"ip {neighbour.replace('replace', 'del')}".split(), check=True)

    def close(self) -> None:
        """Leave nothing of it."""
        subprocess.run(["ip", "link", "del", self.near], check=True)  # else it stays until the last process has ended
        subprocess.run(["ip", "netns", "del", self.name], check=True)


def _taken(number: int) -> bool:
    """Take a number that nobody has, whichever process."""
    return subprocess.run(["ip", "netns", "add", f"rp-{number}"], capture_output=True, check=False).returncode == 0


@contextmanager
def network() -> Iterator[Network]:
    """A network that is gone with the block."""
    found = Network()
    try:
        yield found
    finally:
        found.close()
