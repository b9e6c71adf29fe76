"""`rollproof serve --check`: each thing that can be wrong is said, and nothing is made or changed by looking."""

import json
import os
import resource
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from ledger.cli import run
from ledger.home import Home
from ledger.network import public
from ledger.server import checking, hall
from tests.server.served import PASSPHRASE
from tests.support.cli import QUICK
from tests.support.postgres import Cluster, cluster

Capture = pytest.CaptureFixture[str]


class Checker:
    """A home and what is said of it."""

    def __init__(self, root: Path, capture: Capture, patch: pytest.MonkeyPatch) -> None:
        self.root, self.capture, self.patch = root, capture, patch
        self.home = root / "home"
        patch.setenv("ROLLPROOF_STATE", str(root / "state"))
        patch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE.decode())
        self.mounts("ext4")

    def mounts(self, kind: str) -> None:
        """Let the folder be on a file system of this kind."""
        file = self.root / "mounts"
        file.write_text(f"1 0 8:1 / / rw - ext4 /dev/a rw\n2 1 8:2 / {self.root} rw - {kind} /dev/b rw\n")
        self.patch.setattr(checking, "MOUNTS", file)

    def make(self) -> Home:
        """The identities of a server that ran before."""
        home = Home(self.home, self.root / "state")
        for name in ("keeper", "timer"):
            home.new_identity(name, PASSPHRASE, QUICK)
        return home

    def __call__(self, *arguments: str, ready: bool = False) -> dict[str, list[str]]:
        """By check, what is wrong; as it says itself, the server is `ready` or not."""
        code = run(["serve", "--check", "--home", str(self.home), "--port", "0", "--json", *arguments])
        out, _ = self.capture.readouterr()
        told: dict[str, Any] = json.loads(out)
        wrong: dict[str, list[str]] = {}
        for row in told["checks"]:
            if row["level"] == "wrong":
                wrong.setdefault(row["check"], []).append(row["message"])
        assert (code, told["ready"], not wrong) == (int(not ready), ready, ready), told
        return wrong

    def warned(self, *arguments: str) -> dict[str, str]:
        """By check, of what it warns."""
        run(["serve", "--check", "--home", str(self.home), "--port", "0", "--json", *arguments])
        rows = json.loads(self.capture.readouterr().out)["checks"]
        return {row["check"]: row["message"] for row in rows if row["level"] == "warning"}


@pytest.fixture
def checker(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> Checker:
    return Checker(tmp_path, capsys, monkeypatch)


def test_looking_makes_nothing(checker: Checker) -> None:
    assert checker(ready=True) == {}
    assert not checker.home.exists()
    assert not (checker.root / "state").exists()


def test_it_is_told_in_words_in_three_languages(checker: Checker) -> None:
    said = {}
    for language in ("en", "ja", "de"):
        assert run(["serve", "--check", "--home", str(checker.home), "--port", "0", "--lang", language]) == 0
        said[language] = checker.capture.readouterr().out
    assert "Ready: nothing is wrong." in said["en"]
    assert len(set(said.values())) == 3


def test_what_the_seat_remembers(checker: Checker) -> None:
    home = checker.make()
    assert checker(ready=True) == {}
    checker.patch.setenv("ROLLPROOF_PASSPHRASE", "another horse battery staple")
    assert "passphrase" in checker()["memory"][0]
    checker.patch.delenv("ROLLPROOF_PASSPHRASE")
    assert "no passphrase" in checker.warned()["memory"]
    checker.patch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE.decode())
    (memory,) = home.state.glob(f"{home.key('keeper').public_bytes.hex()}.db")
    memory.unlink()
    assert "identity forget keeper" in checker()["memory"][0]
    checker.patch.setenv("ROLLPROOF_STATE", str(checker.home / "state"))
    assert any("must not" in text for text in checker()["memory"])


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "tmpfs"])
def test_file_systems_that_keep_nothing(checker: Checker, kind: str) -> None:
    checker.mounts(kind)
    wrong = checker()
    assert kind in wrong["memory"][0]
    assert kind in wrong["database"][0]


def test_files_that_others_read_or_change(checker: Checker) -> None:
    checker.make()
    key = checker.home / "identities" / "keeper" / "key.json"
    key.chmod(0o644)
    assert str(key) in checker()["permissions"][0]
    key.chmod(0o600)
    checker.home.chmod(0o777)
    assert "chmod 700" in checker()["permissions"][0]
    checker.home.chmod(0o700)
    assert checker(ready=True) == {}


def test_a_home_that_is_a_file(checker: Checker) -> None:
    checker.home.write_text("")
    assert run(["serve", "--check", "--home", str(checker.home)]) == 64
    checker.home.unlink()
    checker.patch.setenv("ROLLPROOF_STATE", str(checker.root / "mounts"))
    assert "cannot be written to" in checker()["permissions"][0]


def test_a_database_that_is_damaged(checker: Checker) -> None:
    home = checker.make()
    home.ledger().close()
    data = bytearray(home.ledger_path.read_bytes())
    data[4096:8192] = bytes(4096)
    home.ledger_path.write_bytes(data)
    assert "ledger.db" in checker()["database"][0]


def test_a_port_that_is_in_use(checker: Checker) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert "127.0.0.1" in checker("--port", str(other.getsockname()[1]))["port"][0]
    assert "no address" in checker("--host", "nobody.invalid")["port"][0]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--host", "0.0.0.0"),
        ("--address", "http://dice.example.org"),
        ("--address", "https://dice.example.org", "--proxies", ""),
    ],
)
def test_addresses_at_which_no_browser_plays(checker: Checker, arguments: tuple[str, ...]) -> None:
    assert list(checker(*arguments)) == ["address"]


def test_who_comes_past_the_proxy(checker: Checker) -> None:
    assert "bypass the proxy" in checker.warned("--address", "https://dice.example.org", "--host", "0.0.0.0")["address"]


@pytest.mark.parametrize(
    ("option", "value", "check"),
    [
        ("--proxies", "0.0.0.0/0", "proxies"),
        ("--proxies", "the-proxy", "proxies"),
        ("--organizer", "erin", "organizers"),
        ("--limits", "nowhere.json", "limits"),
        ("--witnesses", "nowhere.policy", "witnesses"),
        ("--address", "dice.example.org", "address"),
        ("--database", "mysql://here", "database"),
        ("--passphrase-file", "nowhere.txt", "memory"),
    ],
)
def test_what_cannot_be_read(checker: Checker, option: str, value: str, check: str) -> None:
    assert check in checker(option, value)


# --- certificates ------------------------------------------------------------------------------------------------


def certified(folder: Path, host: str, days: int, since: int = 1) -> tuple[str, ...]:
    """The options for a new certificate that is valid for so many days from now."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=since))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
    )
    from cryptography.hazmat.primitives import hashes

    cert, private = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    private.chmod(0o600)
    return "--tls-cert", str(cert), "--tls-key", str(private), "--address", "https://dice.example.org"


def test_certificates(checker: Checker) -> None:
    assert checker(*certified(checker.root, "dice.example.org", 90), ready=True) == {}
    assert checker(*certified(checker.root, "*.example.org", 90), ready=True) == {}
    assert "dice.example.org" in checker(*certified(checker.root, "dice.example.com", 90))["tls"][0]
    assert "dice.example.org" in checker(*certified(checker.root, "*.org", 90))["tls"][0]
    assert "no longer" in checker(*certified(checker.root, "dice.example.org", -1, 9))["tls"][0]
    assert "before" in checker(*certified(checker.root, "dice.example.org", 90, -9))["tls"][0]
    assert "only" in checker.warned(*certified(checker.root, "dice.example.org", 9))["tls"]


def test_keys_of_certificates(checker: Checker) -> None:
    one, other = checker.root / "one", checker.root / "other"
    one.mkdir()
    other.mkdir()
    options, others = certified(one, "dice.example.org", 90), certified(other, "dice.example.org", 90)
    assert "together" in checker(*options[:3], others[3], *options[4:])["tls"][0]
    assert "together" in checker(*options[:2], *options[4:])["tls"][0]
    Path(options[3]).chmod(0o644)
    assert "chmod 600" in checker(*options)["tls"][0]


# --- a hall ------------------------------------------------------------------------------------------------------


def _resolving(checker: Checker, *addresses: str) -> None:
    """Let names have these addresses; none: they have no address."""

    def found(host: str, port: int, *_: object, **__: object) -> list[Any]:
        if host == "127.0.0.1":
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))]
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in addresses]

    checker.patch.setattr(socket, "getaddrinfo", found)


@pytest.mark.parametrize(
    ("addresses", "said"),
    [
        ((), "no address here"),
        (("127.0.0.1",), "only this machine"),
        (("8.8.8.8",), "on the internet"),
        (("192.168.255.251",), "another machine's"),
        (("127.0.0.1", "8.8.8.8"), "only this machine"),
    ],
)
def test_a_hall_in_which_the_name_leads_elsewhere(checker: Checker, addresses: tuple[str, ...], said: str) -> None:
    _resolving(checker, *addresses)
    options = certified(checker.root, "dice.example.org", 90)
    assert checker(*options, ready=True) == {}, "it is looked at on request alone"
    assert said in checker("--hall", *options)["hall"][0]


def test_a_hall_whose_phones_refuse_the_certificate(checker: Checker) -> None:
    checker.patch.setattr(hall, "MACHINE_ALONE", ())
    _resolving(checker, "127.0.0.1")
    options = certified(checker.root, "dice.example.org", 90)
    assert "phones would refuse" in checker("--hall", *options)["hall"][0]
    checker.patch.setenv("SSL_CERT_FILE", options[1])  # as if an authority that phones know had signed it
    assert checker("--hall", *options, ready=True) == {}
    behind = ("--address", "https://dice.example.org:1", "--proxies", "127.0.0.1")
    assert "start the proxy first" in checker("--hall", *behind)["hall"][0]


def test_a_hall_has_a_name(checker: Checker) -> None:
    checker.patch.setattr(hall, "MACHINE_ALONE", ())
    assert "host is a name" in checker("--hall")["hall"][0]
    assert "host is a name" in checker("--hall", "--address", "https://127.0.0.1")["hall"][0]
    assert run(["serve", "--hall", "--home", str(checker.home)]) == 64
    assert "--check" in checker.capture.readouterr().err


# --- the machine -------------------------------------------------------------------------------------------------


def test_descriptors(checker: Checker) -> None:
    checker.patch.setattr(resource, "getrlimit", lambda _: (100, 100))
    assert "100" in checker()["descriptors"][0]
    checker.patch.setattr(resource, "getrlimit", lambda _: (1_024, 1_024))
    assert "MAX_CONCURRENT" in checker.warned()["descriptors"]


def test_a_clock_that_was_set_back(checker: Checker) -> None:
    home = checker.make()
    later = datetime.now(UTC) + timedelta(hours=1)
    for file in home.state.glob("*.db"):
        os.utime(file, (later.timestamp(), later.timestamp()))
    assert "behind" in checker()["clock"][0]


def test_room(checker: Checker) -> None:
    limits = checker.root / "limits.json"
    limits.write_text('{"MIN_FREE": 1000000000000000}')
    assert "MIN_FREE" in checker("--limits", str(limits))["room"][0]
    limits.write_text('{"MAX_STORE": 1000000000000000}')
    assert "MAX_STORE" in checker.warned("--limits", str(limits))["room"]


def test_the_folder_of_public_games(checker: Checker) -> None:
    checker.make()
    options = ("--public-address", "https://games.example.org", "--public-folder")
    assert "no such folder" in checker(*options, str(checker.root / "public"))["public"][0]
    (checker.root / "public").mkdir()
    assert checker(*options, str(checker.root / "public"), ready=True) == {}
    (checker.root / "public" / "mine.html").write_text("")
    assert "is not empty" in checker(*options, str(checker.root / "public"))["public"][0]
    assert "everybody could read it" in checker(*options, str(checker.root))["public"][0]
    assert "go together" in checker("--public-folder", str(checker.root / "public"))["public"][0]


# --- where results are posted ------------------------------------------------------------------------------------


def test_the_place_where_results_are_posted(checker: Checker, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is greeted, and nothing is posted; an address of the own network, a closed port, a false certificate."""
    checker.make()
    address = ("--address", "http://localhost:9")
    secret = checker.root / "url"
    hook = ("--webhook-file", str(secret))
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/hook"
        secret.write_text(f"{url}\n")
        assert checker(*hook, "--webhook-private", *address, ready=True) == {}
        taken, _ = listening.accept()
        with closing(taken):
            taken.settimeout(10)
            assert taken.recv(1) == b"", "nothing was sent"
        assert "https://" in checker(*hook, *address)["webhook"][0]
        assert "--address" in checker(*hook, "--webhook-private")["webhook"][0]
    said = checker(*hook, "--webhook-private", *address)["webhook"][0]
    assert ("cannot be reached" in said, "/hook" in said) == (True, False), "the address is a secret"
    monkeypatch.setattr(public, "is_public", lambda address: address != "127.0.0.1")
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("127.0.0.1", 443))])
    secret.write_text("https://hooks.example/x\n")
    assert "private network" in checker(*hook, *address)["webhook"][0]


def test_a_place_with_a_certificate_of_its_own_is_found_out(checker: Checker) -> None:
    checker.make()
    _, certificate, _, key, *_ = certified(checker.root, "localhost", 90)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def shake() -> None:
            with suppress(OSError):
                taken, _ = listening.accept()
                with closing(context.wrap_socket(taken, server_side=True)):
                    pass

        thread = threading.Thread(target=shake)
        thread.start()
        secret = checker.root / "url"
        secret.write_text(f"https://localhost:{listening.getsockname()[1]}/hook\n")
        told = checker("--webhook-file", str(secret), "--webhook-private", "--address", "http://localhost:9")
        thread.join()
    assert "no certificate that holds" in told["webhook"][0]


# --- PostgreSQL --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as found:
        if found is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        yield found


@pytest.mark.long
def test_a_postgresql_database(checker: Checker, postgres: Cluster) -> None:
    url = postgres.make("checked")
    assert checker("--database", url, ready=True) == {}
    loose = f"{url}&options=-csynchronous_commit%3Doff"
    assert "synchronous_commit" in checker("--database", loose)["database"][0]
    assert "cannot be reached" in checker("--database", postgres.url("nowhere"))["database"][0]
    import psycopg

    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute("CREATE ROLE reader LOGIN")
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert tables == (0,), "looking has made nothing"
    assert "reader" in checker("--database", url.replace("user=postgres", "user=reader"))["database"][0]
    assert "LATIN1" in checker("--database", postgres.url("latin"))["database"][0]
