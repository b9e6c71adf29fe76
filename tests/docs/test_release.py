"""A release is built twice to the same bytes; what is installed is compared with its list (specs/releases.md)."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.distribution.release import parse_release, release_text
from ledger.page.documentation import read_documentation
from ledger.seats.identity import Identity
from tests.support.cli import LIMIT, PASSPHRASE, REPOSITORY, make_identity
from verifier import NoteError
from verifier.shell.installed import find_replaced, pip_differences, record

pytest.importorskip("hatchling")
pytest.importorskip("cyclonedx")
pytest.importorskip("mkdocstrings")
from tests.make.release import pinned, signed_list

RULES = "rules-3.5.dist-info/RECORD"
DIGEST = "0" * 64


class Built(NamedTuple):
    """A release that was built and signed here."""

    folder: Path
    list: Path
    wheel: Path
    key: str


def build(out: Path, *more: str, other: bool = False) -> str:
    """Build a release; if `other`, under another umask and time zone, and five years later where faketime is there.

    Returns what was printed.
    """
    words = [sys.executable, "-m", "tests.make.release", str(out), *more]
    environment = {**os.environ, "ROLLPROOF_PASSPHRASE": PASSPHRASE}
    if other:
        environment["TZ"] = "Asia/Tokyo"
        environment["SOURCE_DATE_EPOCH"] = "1"
        words = [
            "sh",
            "-c",
            'umask 077; exec "$@"',
            "sh",
            *([faketime(), "2031-07-01 03:04:05"] if faketime() else []),
            *words,
        ]
    return subprocess.run(
        words, cwd=REPOSITORY, env=environment, check=True, timeout=LIMIT, stdout=subprocess.PIPE, text=True
    ).stdout


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def faketime() -> str:
    return shutil.which("faketime") or ""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A release that is signed. It is built once for all processes of a test run, since it takes seconds."""
    root = tmp_path_factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    folder, key = root / "release", root / "release.key"
    with (root / "release.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not key.exists():
            make_identity(root / "keys", "release")
            made = str(Identity.load(root / "keys/identities/release", PASSPHRASE.encode()).key)
            printed = build(folder, "--sign", "release", "--home", str(root / "keys"))
            assert f"signed by {made}\nspecs/releases.md pins no key" in printed
            key.write_text(made)
    return Built(folder, next(folder.glob("*.release")), next(folder.glob("*.whl")), key.read_text())


@pytest.fixture
def site(built: Built, tmp_path: Path) -> Path:
    """A folder as pip leaves it behind: the package, with its list."""
    with zipfile.ZipFile(built.wheel) as packed:
        packed.extractall(tmp_path / "site")
    return tmp_path / "site"


def run(site: Path, *words: str, program: str = "ledger") -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(site), "HOME": str(site.parent), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-m", program, *words]
    return subprocess.run(
        command, cwd=site, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
    )


def install_rules(site: Path) -> None:
    """Do what pip does when another project's `rules` is installed: write over ours, and say nothing."""
    (site / "rules/__init__.py").write_text("# of another project\n")
    (site / "rules/predicates.py").write_text("")
    (site / RULES).parent.mkdir()
    (site / RULES).write_text("rules/__init__.py,sha256=x,21\nrules/predicates.py,sha256=x,0\n")


@pytest.mark.slow
def test_two_builds_give_the_same_bytes(built: Built, tmp_path: Path) -> None:
    assert "NOT SIGNED" in build(tmp_path / "other", other=True).splitlines()[-1]
    other, first = hashes(tmp_path / "other"), hashes(built.folder)
    unsigned = sha256(built.list.read_text().partition("\n\n")[0].encode() + b"\n").hexdigest()
    assert other == {**first, built.list.name: unsigned}
    assert len(other) == 6


@pytest.mark.slow
def test_the_bill_has_what_the_package_carries_and_asks_for(built: Built) -> None:
    bill = json.loads(next(built.folder.glob("*.cdx.json")).read_bytes())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    named = {f"{one['name']} {one.get('version', '')}".strip() for one in bill["components"]}
    assert named >= {"htm 3.1.1", "preact 10", "uqr 0.1.3", "cpython 3.14.2", "msgspec 0.22.0", "emscripten 5.0.3"}
    assert named >= {"pyodide 314.0.7", "libffi", "SQLite", "cryptography", "msgspec", "rich", "sqlite-utils", "typer"}
    with zipfile.ZipFile(built.wheel) as packed:
        assert "ledger/page/site.zip" in packed.namelist(), "the package carries its documentation"
        vendored = [name for name in packed.namelist() if "/vendor/" in name and name.endswith((".js", ".gz"))]
    told = json.dumps(bill)
    assert len(vendored) == 7
    for name in vendored:
        assert Path(name).name.removesuffix(".gz") in told, name


@pytest.mark.slow
def test_what_was_released_holds(built: Built, site: Path) -> None:
    alone = run(site, "version", "--verify")
    assert (alone.returncode, alone.stdout.splitlines()[-1]) == (0, "HOLDS: nothing differs."), alone
    done = run(site, "version", "--verify", "--list", str(built.list), "--key", built.key)
    assert done.returncode == 0, done
    assert done.stdout.count("beside the list, is the file of the list.") == 5
    # The page that verifies logs is one file in the release, in the documentation that the package carries, and here.
    page = hashes(built.folder)["verify.html"]
    assert f"verify.html, as this program writes it, has the SHA-256 {page}" in alone.stdout
    documentation = read_documentation(site / "ledger/page/site.zip")
    assert f"{page}\n".encode() in documentation["download.html"]
    assert f"{page}\n".encode() in documentation["ja/download.html"]
    assert "verify.html" not in documentation, "the program writes it"


@pytest.mark.long
def test_a_list_that_nobody_signed_is_no_list(built: Built, site: Path) -> None:
    unsigned = site.parent / "unsigned.release"
    unsigned.write_text(built.list.read_text().partition("\n\n")[0] + "\n")
    done = run(site, "version", "--verify", "--list", str(unsigned), "--key", built.key)
    assert (done.returncode, done.stdout.partition(":")[0]) == (2, "NOTHING WAS COMPARED"), done
    assert "nobody signed it" in run(site, "version", "--verify").stdout


def test_a_release_key_is_never_in_the_repository(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tests.make.release", str(tmp_path), "--sign", "release", "--home", "specs"]
    done = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert (done.returncode, "a release key never is" in done.stderr) == (1, True), done
    assert list(tmp_path.iterdir()) == []


def test_no_key_is_pinned_until_the_owner_has_made_one() -> None:
    """When there is one, this line changes with specs/releases.md and the second place."""
    assert pinned() is None


@pytest.mark.long
def test_the_guides_commands_check_a_release_without_our_program(built: Built, site: Path) -> None:
    page = (REPOSITORY / "specs/guide/checking.md").read_text()
    of_files, of_site = re.findall(r"<!-- check -->\n```bash\n(.*?)```", page, re.DOTALL)
    environment = {"PATH": os.environ["PATH"], "KEY": built.key, "SITE": str(site), "LC_ALL": "C.UTF-8"}

    download = site.parent / "download"
    download.mkdir()
    for path in built.folder.iterdir():
        (download / path.name).symlink_to(path)

    def shell(commands: str) -> tuple[int, str]:
        words = ["bash", "-euo", "pipefail", "-c", commands]
        done = subprocess.run(words, cwd=download, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    code, printed = shell(of_files)
    assert (code, printed.splitlines()[0]) == (0, "Signature Verified Successfully")
    assert printed.count(": OK") == 5
    assert shell(of_site) == (0, "")
    (site / "rules/__init__.py").write_text("")
    assert shell(of_site) == (1, "rules/__init__.py: FAILED\n")
    environment["KEY"] = str(Identity.generate("release").key)
    assert shell(of_files)[0] != 0


@pytest.mark.long
def test_what_another_package_replaced_is_named_at_start_and_by_the_command(built: Built, site: Path) -> None:
    install_rules(site)
    for program, words in (("ledger", ["games"]), ("verifier", ["x.jsonl"])):
        done = run(site, *words, program=program)
        assert done.returncode == 74
        assert "rules 3.5 has a file of the same name" in done.stderr
        assert "Traceback" not in done.stderr
    german = run(site, "games", "--json", "--lang", "de")
    assert json.loads(german.stdout)["error"]["exit_code"] == 74
    assert "rules 3.5" in german.stderr
    assert "is not this program's" not in german.stderr
    for words in ([], ["--list", str(built.list), "--key", built.key]):
        done = run(site, "version", "--verify", *words)
        assert done.returncode == 1, done
        assert (
            "DIFFERS: rules/__init__.py is not the file of the list; rules 3.5 has a file of this name" in done.stdout
        )
        assert "DIFFERS: rules/predicates.py is not in the list; rules 3.5 has" in done.stdout


@pytest.mark.long
def test_one_byte_a_missing_file_and_one_more_are_found(built: Built, site: Path) -> None:
    changed, missing, added = site / "verifier/log/merkle.py", site / "rules/base.py", site / "ledger/typing.py"
    data = bytearray(changed.read_bytes())
    data[100] ^= 1
    changed.write_bytes(data)
    added.write_text("")
    missing.unlink()
    assert {(one.path, one.kind) for one in pip_differences(site)[1]} == {
        ("verifier/log/merkle.py", "changed"),
        ("rules/base.py", "missing"),
        ("ledger/typing.py", "added"),
    }


@pytest.mark.long
def test_a_list_that_was_changed_or_that_another_key_signed_proves_nothing(built: Built, site: Path) -> None:
    text = built.list.read_text()
    forged = site.parent / "forged.release"
    forged.write_text(text.replace("  verify.html", "  verify.htm"))
    done = run(site, "version", "--list", str(forged), "--key", built.key)
    assert (done.returncode, "does not fit the text" in done.stdout) == (2, True), done
    stranger = Identity.generate("release")
    done = run(site, "version", "--list", str(built.list), "--key", str(stranger.key))
    assert (done.returncode, "release has not signed it" in done.stdout) == (2, True), done


@pytest.mark.long
def test_a_file_beside_the_list_and_another_version_are_told(built: Built, site: Path) -> None:
    released = parse_release(built.list.read_text().partition("\n\n")[0] + "\n")
    identity = Identity.generate("release")
    folder = site.parent / "download"
    folder.mkdir()
    (folder / "verify.html").write_text("<p>holds")
    list_file = folder / "other.release"
    list_file.write_bytes(signed_list(release_text("9.9", released.hashes), identity))
    done = run(site, "version", "--list", str(list_file), "--key", str(identity.key))
    assert done.returncode == 1
    assert "DIFFERS: the list is of version 9.9" in done.stdout
    assert "DIFFERS: verify.html, beside the list, is not the file of the list" in done.stdout
    assert "vectors.zip is not beside the list and was not looked at" in done.stdout


def test_a_checkout_has_no_list_of_pips() -> None:
    assert record(REPOSITORY) == {}
    assert find_replaced(REPOSITORY) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "rollproof/v1/release\n",
        f"rollproof/v1/event\n1.0\n{DIGEST}  a\n",
        f"rollproof/v1/release\n1.0\n{DIGEST}  ../a\n",
        f"rollproof/v1/release\n1.0\n{DIGEST}  /a\n",
        f"rollproof/v1/release\n1.0\n{DIGEST}  a/.b\n",
        f"rollproof/v1/release\n1.0\n{DIGEST} a\n",
        f"rollproof/v1/release\n1.0\n{DIGEST}  a\n{DIGEST}  a\n",
        f"rollproof/v1/release\n1.0\n{DIGEST}  b\n{DIGEST}  a\n",
        f"rollproof/v1/release\n1.0\n\n{DIGEST}  a\n",
    ],
)
def test_what_is_no_list_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        parse_release(text)


def test_a_list_is_read_as_it_was_written() -> None:
    hashes = {"verify.html": DIGEST, "rules/__init__.py": "1" * 64}
    found = parse_release(release_text("1.0.0rc1", hashes))
    assert (found.version, found.hashes) == ("1.0.0rc1", hashes)
    assert found.installed == {"rules/__init__.py": "1" * 64}
    assert found.files == {"verify.html": DIGEST}
