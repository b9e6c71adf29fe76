"""The services of `specs/deploy/compose.yaml`, each with its command, environment, user, secrets and volumes.

No container engine is needed: a service is a process in a network of its own, the servers run from the built image
(`specs/deploy/steps.py`), PostgreSQL and Caddy from this machine's programs in the place of their images.
"""

import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import httpx
import psycopg
import pytest

from tests.server.image import DEPLOY, STEPS, build
from tests.server.machines import until
from tests.server.served import Plain
from tests.server.test_two_machines import asks, log_of, opens, rolls_of
from tests.support.network import able
from tests.support.postgres import USER, programs

NAME = "dice.localhost"
"""for which Caddy makes a certificate by itself"""
BRIDGE = "rpinside"
CADDY = shutil.which("caddy")
POSTGRES = programs()

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not able() or CADDY is None or POSTGRES is None, reason="needs root, Caddy and PostgreSQL"),
]


class Compose:
    """The file, and what runs of it."""

    def __init__(self, root: Path, built: Path) -> None:
        yaml = pytest.importorskip("yaml")
        text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
        self.root, self.built = root, built
        self.given: dict[str, Any] = yaml.safe_load(text.replace("${ROLLPROOF_NAME}", NAME))
        self.hosts: dict[str, str] = {}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._make_secrets(text)
        (subnet,) = self.given["networks"]["inside"]["ipam"]["config"]
        self._prefix = subnet["subnet"].removesuffix(".0/24")

    def _make_secrets(self, text: str) -> None:
        """As the head of the file says, by a shell."""
        told = re.findall(r"^#     (.*)$", text, re.MULTILINE)
        lines = [line for line in told if not line.startswith("docker ")]
        assert len(told) - len(lines) == 1
        password = "pwgen() { head -c 20 /dev/urandom | od -An -tx1 | tr -d ' \\n'; }"
        subprocess.run(["sh", "-ec", "\n".join([password, *lines])], cwd=self.root, check=True)
        assert (self.root / ".env").read_text() == "ROLLPROOF_NAME=dice.example.org\n"
        assert {each.name for each in (self.root / "secrets").iterdir()} == set(self.given["secrets"])

    @contextmanager
    def network(self) -> Iterator[None]:
        """A wire for each service, all on one bridge, and their names."""
        with ExitStack() as stack:
            self._run(f"ip link add {BRIDGE} type bridge")
            stack.callback(self._run, f"ip link del {BRIDGE}")
            self._run(f"ip addr add {self._prefix}.1/24 dev {BRIDGE}")
            self._run(f"ip link set {BRIDGE} up")
            for number, name in enumerate(self.given["services"], 2):
                space, near = f"rp-{name}", f"rpi{number}"
                self.hosts[name] = f"{self._prefix}.{number}"
                self._run(f"ip netns add {space}")
                stack.callback(self._run, f"ip netns del {space}")
                self._run(f"ip link add {near} type veth peer name eth0 netns {space}")
                stack.callback(self._run, f"ip link del {near}")
                self._run(f"ip link set {near} master {BRIDGE} up")
                self._run(f"ip -n {space} addr add {self.hosts[name]}/24 dev eth0")
                self._run(f"ip -n {space} link set eth0 up")
                self._run(f"ip -n {space} link set lo up")
            for name in self.given["services"]:
                etc = Path(f"/etc/netns/rp-{name}")
                etc.mkdir(parents=True)
                stack.callback(shutil.rmtree, etc)
                known = "".join(f"{address} {host}\n" for host, address in self.hosts.items())
                (etc / "hosts").write_text(f"127.0.0.1 localhost\n{known}")
            stack.callback(self.stop)
            yield

    @staticmethod
    def _run(command: str) -> None:
        subprocess.run(command.split(), check=True)

    def within(self, name: str) -> list[str]:
        return ["ip", "netns", "exec", f"rp-{name}"]

    def start(self, name: str) -> None:
        """Start a service, when those are well on which it depends."""
        service = self.given["services"][name]
        needs = service.get("depends_on", [])
        for each in needs:
            if isinstance(needs, dict):
                assert needs[each] == {"condition": "service_healthy"}
            until(lambda each=each: self.is_well(each), each)  # type: ignore[misc]
        command, env = {"rollproof": self._server, "postgres:15": self._postgres, "caddy:2": self._caddy}[
            service["image"]
        ](name, service)
        limits = service.get("ulimits", {})
        bounds = ["prlimit", *(f"--{limit}={value}" for limit, value in limits.items())] if limits else []
        safe = ["setpriv", "--no-new-privs"] if "no-new-privileges:true" in service.get("security_opt", []) else []
        with (self.root / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [*bounds, *safe, *self.within(name), *command], env=env, cwd="/", stdout=log, stderr=log
            )

    def is_well(self, name: str) -> bool:
        """Whether its health check says so; without one, whether it runs."""
        process = self.processes[name]
        assert process.poll() is None, (self.root / f"{name}.log").read_text()
        test = self.given["services"][name].get("healthcheck", {}).get("test")
        if test is None:
            return True
        kind, *command = test
        assert kind == "CMD"
        if self.given["services"][name]["image"] == "rollproof":
            image = (self.built / "image.json").read_text()
            assert shlex.join(command) in image
            command = [sys.executable, str(STEPS), "health", str(self.built)]
        env = {**os.environ, "PATH": f"{POSTGRES}:{os.environ['PATH']}", "PGHOST": str(self.root / f"{name}-data")}
        return subprocess.run([*self.within(name), *command], env=env, capture_output=True).returncode == 0

    def kill(self, name: str) -> None:
        self.processes[name].kill()
        self.processes.pop(name).wait()

    def stop(self) -> None:
        for process in self.processes.values():
            process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            process.wait(60)

    # --- what stands for the images -------------------------------------------------------------------------------

    def _server(self, name: str, service: dict[str, Any]) -> tuple[list[str], dict[str, str]]:
        """The built image; its volumes are one root's, which both servers share as the named volumes."""
        assert (service["read_only"], service["tmpfs"], service["cap_drop"]) == (True, ["/tmp"], ["ALL"])
        assert service["volumes"] == ["home:/data", "known:/state"]
        words = [sys.executable, str(STEPS), "run", str(self.built)]
        for key, value in service["environment"].items():
            words += ["--env", f"{key}={value}"]
        for secret in service["secrets"]:
            words += ["--secret", f"{secret}={self.root / self.given['secrets'][secret]['file']}"]
        return words, dict(os.environ)

    def _postgres(self, name: str, service: dict[str, Any]) -> tuple[list[str], dict[str, str]]:
        """What the image's entry point does: a cluster, its account with its password, its database."""
        environment = service["environment"]
        folder = self.root / f"{name}-data"
        user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        program = [*user, str(POSTGRES / "postgres"), "-D", str(folder), "-k", str(folder)]  # type: ignore[operator]
        if not folder.exists():
            folder.mkdir()
            shutil.chown(folder, USER)
            (secret,) = service["secrets"]
            assert environment["POSTGRES_PASSWORD_FILE"] == f"/run/secrets/{secret}"
            password = folder.with_suffix(".pw")
            password.write_bytes((self.root / self.given["secrets"][secret]["file"]).read_bytes())
            shutil.chown(password, USER)
            account = ["-U", environment["POSTGRES_USER"], f"--pwfile={password}", "-A", "scram-sha-256"]
            made = [*user, str(POSTGRES / "initdb"), "-D", str(folder), "-E", "UTF8", *account]  # type: ignore[operator]
            subprocess.run(made, check=True, capture_output=True, cwd="/")
            with (folder / "pg_hba.conf").open("a") as rules:
                rules.write("host all all all scram-sha-256\n")
            alone = subprocess.run(
                [*user, str(POSTGRES / "postgres"), "--single", "-D", str(folder), "postgres"],  # type: ignore[operator]
                input=f'CREATE DATABASE "{environment["POSTGRES_DB"]}"\n'.encode(),
                cwd="/",
                capture_output=True,
            )
            assert alone.returncode == 0, alone.stderr
        return [*program, "-h", "*"], dict(os.environ)

    def _caddy(self, name: str, service: dict[str, Any]) -> tuple[list[str], dict[str, str]]:
        file, place, _ = service["volumes"][0].split(":")
        assert place == "/etc/caddy/Caddyfile"
        data = {"XDG_DATA_HOME": str(self.root / "caddy"), "XDG_CONFIG_HOME": str(self.root / "caddy")}
        config = ["run", "--adapter", "caddyfile", "--config", str(DEPLOY / file)]
        return [str(CADDY), *config], {**os.environ, **service["environment"], **data}


@pytest.fixture(scope="module")
def compose(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compose]:
    folder = Path(mkdtemp(prefix="rp-compose-"))
    folder.chmod(0o755)  # the accounts of the services go through
    found = Compose(folder, build(tmp_path_factory.mktemp("image")))
    with found.network():
        for name in ("games", "seat", "one", "two", "caddy"):
            found.start(name)
        assert set(found.processes) == set(found.given["services"])
        yield found
    shutil.rmtree(folder)


@contextmanager
def through_caddy(compose: Compose, root: Path, name: str) -> Iterator[Plain]:
    """A party that comes by TLS, for the name, and believes Caddy's own authority alone."""
    authority = compose.root / "caddy" / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    until(authority.exists)
    party = Plain(root, name, f"https://{compose.hosts['caddy']}")
    party.http.close()

    def named(request: httpx.Request) -> None:
        request.headers["Host"] = NAME
        request.extensions["sni_hostname"] = NAME

    party.http = httpx.Client(
        base_url=f"https://{compose.hosts['caddy']}",
        verify=ssl.create_default_context(cafile=str(authority)),
        timeout=30,
        event_hooks={"request": [named]},
    )
    try:
        yield party
    finally:
        party.close()


def answers(party: Plain) -> bool:
    try:
        return party.http.get("/health").status_code == 200
    except httpx.HTTPError:
        return False


def test_people_play_through_the_proxy_while_one_server_is_killed_and_a_database_starts_again(
    compose: Compose, tmp_path: Path
) -> None:
    with through_caddy(compose, tmp_path / "a", "alice") as alice, through_caddy(compose, tmp_path / "b", "bob") as bob:
        until(lambda: answers(alice))
        link = alice.open_table("dice-1")["player"]
        for party in (alice, bob):
            assert party.sit(link).status_code == 201
        assert alice.start().status_code == 201
        for party in (alice, bob):
            party.enter()
        for number, ill in enumerate(("one", "two", "games", "seat"), 1):
            asks(alice)
            opens(bob)
            compose.kill(ill)
            if ill in ("games", "seat"):
                compose.start(ill)
                until(lambda ill=ill: compose.is_well(ill))  # type: ignore[misc]
            until(lambda: answers(alice))
            opens(alice)
            until(lambda number=number: rolls_of(log_of(bob)) == number)  # type: ignore[misc]
            if ill in ("one", "two"):
                compose.start(ill)
                until(lambda ill=ill: compose.is_well(ill))  # type: ignore[misc]


def test_a_server_is_no_root_and_writes_to_its_volumes_alone(compose: Compose) -> None:
    for name in ("one", "two"):
        status = Path(f"/proc/{compose.processes[name].pid}/status").read_text()
        assert "\nUid:\t8706\t8706\t8706\t8706\n" in status
        assert "\nCapEff:\t0000000000000000\n" in status
        assert "\nNoNewPrivs:\t1\n" in status
        for place in ("/", "/opt/rollproof", "/etc", "/run/secrets"):
            with pytest.raises(OSError, match="Read-only"):
                Path(f"/proc/{compose.processes[name].pid}/root{place}/written").write_text("")
        limits = Path(f"/proc/{compose.processes[name].pid}/limits").read_text()
        assert re.search(r"Max open files +16384 +16384 ", limits)


def test_the_databases_ask_for_a_password(compose: Compose) -> None:
    for name, user in (("games", "rollproof"), ("seat", "seat")):
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(f"postgresql://{user}@{compose.hosts[name]}/{user}", connect_timeout=5).close()
