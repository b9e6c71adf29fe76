"""Build a release from the last commit: package, bill of materials, vectors, pages, and the list of their hashes.

python -m tests.make.release DIR                            # builds; the list is not signed
python -m tests.make.release DIR --sign NAME --home HOME    # signs it with an identity of `rollproof identity new`

HOME is outside of the repository. A key that specs/releases.md does not pin is named.

The passphrase is asked for, or taken from ROLLPROOF_PASSPHRASE. The same commit gives the same bytes
(specs/releases.md). Exit code: 0 all of it is built; 1 something is not as it must be, which is said.
"""

from __future__ import annotations

import argparse
import gzip
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from getpass import getpass
from hashlib import sha256
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement

from ledger.distribution.release import release_text
from ledger.seats.identity import Identity
from verifier import VerifierKey
from verifier.checkpoints.note import MAX_NOTE, Note, format_note, signature_line
from verifier.shell.installed import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
VENDORED = ("ledger/web/vendor", "ledger/browser/vendor")
"""where files of others stand, with their licences and a VENDORED.txt"""
_HASH = re.compile(r"\b[0-9a-f]{64}\b")


def build(out: Path) -> dict[str, str]:
    """Build all files of a release but the list; returns name → SHA-256 for the list."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(tree, filter="data")
        time = int(
            subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True).stdout
        )
        build_documentation(tree, time)
        wheel = build_wheel(tree, out, time)
        version = wheel.name.split("-")[1]
        written = {f"rollproof-{version}.cdx.json": bill(tree, version, time)}
        written[f"rollproof-{version}-vectors.zip"] = _zipped(tree / "specs", "vectors")
        written |= _pages(wheel)
    for name, data in written.items():
        (out / name).write_bytes(data)
    hashes = {name: sha256(data).hexdigest() for name, data in written.items()}
    return {**hashes, wheel.name: sha256(wheel.read_bytes()).hexdigest(), **dict(_within(wheel))}


def build_documentation(tree: Path, time: int) -> None:
    """Build the site that the package carries."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(time), "PYTHONPATH": str(tree)}
    subprocess.run(
        [sys.executable, "-m", "tests.make.site", "--wheel"],
        cwd=tree,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def build_wheel(tree: Path, out: Path, time: int) -> Path:
    """Build the package of the checkout `tree`; `time` in seconds since 1970 is that of its files."""
    code = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(out.absolute())]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(time)}
    done = subprocess.run(command, cwd=tree, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return out / done.stdout.split()[-1]


def bill(tree: Path, version: str, time: int) -> bytes:
    """Return the bill of materials of the checkout `tree` (CycloneDX 1.6)."""
    own = _component("rollproof", version, "pypi", "Apache-2.0", kind=ComponentType.APPLICATION)
    carried = sorted(_carried(tree), key=lambda component: str(component.bom_ref.value))
    asked = sorted(_asked(tree), key=lambda component: str(component.bom_ref.value))
    serial = uuid5(NAMESPACE_URL, f"rollproof {version} {time}")
    bom = Bom(components=[*carried, *asked], serial_number=serial)
    bom.metadata.component = own
    bom.metadata.timestamp = datetime.fromtimestamp(time, UTC)
    bom.metadata.tools.tools.clear()
    bom.register_dependency(own, [*carried, *asked])
    return (JsonV1Dot6(bom).output_as_string(indent=2) + "\n").encode()


def _component(
    name: str,
    version: str | None,
    kind_of_package: str,
    licence: str | None,
    *,
    kind: ComponentType = ComponentType.LIBRARY,
    hashes: list[str] | None = None,
    source: str | None = None,
    description: str | None = None,
) -> Component:
    url = PackageURL(kind_of_package, None, name, version)
    links = [ExternalReference(type=ExternalReferenceType.VCS, url=XsUri(source))] if source else []
    return Component(
        type=kind,
        name=name,
        version=version,
        bom_ref=str(url),
        purl=url,
        licenses=[DisjunctiveLicense(id=licence)] if licence else [],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in hashes or []],
        external_references=links,
        description=description,
    )


def _carried(tree: Path) -> Iterator[Component]:
    """The libraries of others that stand in the package, as their folders' VENDORED.txt name them."""
    web = (tree / VENDORED[0] / "VENDORED.txt").read_text()
    for part in re.split(r"\n(?=\S+\.js\n)", web)[1:]:
        file = part.partition("\n")[0]
        digest = sha256((tree / VENDORED[0] / file).read_bytes()).hexdigest()
        if _HASH.findall(part) != [digest]:
            raise SystemExit(f"{file}: VENDORED.txt has another hash than the file, {digest}")
        name, version = re.findall(r"package +(\S+) (\S+) \(npm\)", part)[0]
        licence = re.findall(r"contains +\S+ (?:\S+ )?\(([\w.-]+)", part)[0]
        source = re.findall(r"from +(\S+)", part)[0]
        yield _component(name, version, "npm", licence, hashes=[digest], source=source, description=f"as {file}")
        if name == "htm":  # its release has Preact built in, and does not say of which version
            yield _component("preact", "10", "npm", "MIT", description=f"with its hooks, within {file}")
    python = (tree / VENDORED[1] / "VENDORED.txt").read_text()
    told = " ".join(python.split())
    digests = {line.split()[1]: line.split()[0] for line in python.splitlines() if _HASH.match(line)}
    for name, digest in digests.items():
        if sha256(gzip.decompress((tree / VENDORED[1] / f"{name}.gz").read_bytes())).hexdigest() != digest:
            raise SystemExit(f"{name}: VENDORED.txt has another hash than the file")
    names = sorted(name for name in digests if name != "msgspec.zip")
    for name, pattern, kind, licence, within in (
        ("pyodide", r"package pyodide ([\d.]+)", "npm", "MPL-2.0", names),
        ("cpython", r"are CPython ([\d.]+\d)", "generic", "Python-2.0.1", []),
        ("emscripten", r"Emscripten ([\d.]+\d)", "generic", "MIT", []),
        ("msgspec", r"wheel of msgspec ([\d.]+\d)", "pypi", "BSD-3-Clause", ["msgspec.zip"]),
    ):
        version = re.findall(pattern, told)[0]
        hashes = [digests[file] for file in within] if len(within) == 1 else []
        files = "; ".join(f"{file} {digests[file]}" for file in within)
        text = f"WebAssembly; SHA-256 of the files: {files}" if files else "WebAssembly, within pyodide"
        yield _component(name, version, kind, licence, hashes=hashes, description=text)
    for name in re.findall(r"and (libffi.*?) \(LICENSE-libraries", told)[0].replace(" and ", ", ").split(", "):
        yield _component(name, None, "generic", None, description="WebAssembly, within pyodide")


def _asked(tree: Path) -> Iterator[Component]:
    """The libraries that the package asks for, without extras: by name, and the range that it takes."""
    project = tomllib.loads((tree / "pyproject.toml").read_text())["project"]
    for text in project["dependencies"]:
        asked = Requirement(text)
        yield _component(asked.name, None, "pypi", None, description=f"not in the package; it asks for {text}")


def _zipped(folder: Path, name: str) -> bytes:
    """Return the files of folder/name as a zip file, sorted, with one time and one mode."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted((folder / name).rglob("*")):
            if path.is_file():
                info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), (1980, 1, 1, 0, 0, 0))
                info.external_attr, info.compress_type, info.create_system = 0o644 << 16, zipfile.ZIP_DEFLATED, 3
                packed.writestr(info, path.read_bytes())
    return stream.getvalue()


def _pages(wheel: Path) -> dict[str, bytes]:
    """The verify page and the manifest of the table's page, as the package itself writes them."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from ledger.browser.verify_page import verify_page; from ledger.cli.webmanifest import manifest_text\n"
        "sys.stdout.buffer.write(verify_page() + b'\\0' + manifest_text().encode())"
    )
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(folder)
        done = subprocess.run([sys.executable, "-c", code, folder], cwd=folder, check=True, stdout=subprocess.PIPE)
    page, _, manifest = done.stdout.rpartition(b"\0")
    return {"verify.html": page, "web-manifest.txt": manifest}


def _within(wheel: Path) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            if name.partition("/")[0] in PACKAGES:
                yield name, sha256(packed.read(name)).hexdigest()


def signed_list(text: str, identity: Identity) -> bytes:
    """Return the list as a note that `identity` has signed."""
    line = signature_line(identity.key, identity.sign(text.encode()))
    note = format_note(Note(text, (line,)))
    if len(note) > MAX_NOTE:
        raise SystemExit(f"the list has {len(note)} bytes, and a reader takes at most {MAX_NOTE}")
    return note


def pinned() -> str | None:
    """Return the key that specs/releases.md pins, or None while there is none."""
    found = re.findall(r"^ {4}Pinned: (.+)$", (ROOT / "specs/releases.md").read_text(encoding="utf-8"), re.MULTILINE)
    if len(found) != 1:
        raise SystemExit(f"specs/releases.md has {len(found)} lines `Pinned:`, and needs one")
    return None if found[0] == "none" else str(VerifierKey.parse(found[0]))


def signer(name: str, home: Path) -> Identity:
    """Return the identity that signs. Raises SystemExit where it lies in the repository."""
    if home.resolve().is_relative_to(ROOT):
        raise SystemExit(f"{home} is in the repository: a release key never is. Make it in another folder")
    passphrase = os.environ.pop("ROLLPROOF_PASSPHRASE", None) or getpass(f"passphrase of {name}: ")
    return Identity.load(home / "identities" / name, passphrase.encode())


def main() -> None:
    """Build, sign, and say what was built."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--sign", metavar="NAME", help="the identity that signs the list")
    parser.add_argument("--home", metavar="HOME", type=Path, help="where the identity is")
    given = parser.parse_args()
    if (given.sign is None) != (given.home is None):
        parser.error("--sign and --home belong together")
    identity = signer(given.sign, given.home) if given.sign else None
    hashes = build(given.folder)
    version = next(name.split("-")[1] for name in hashes if name.endswith(".whl"))
    text = release_text(version, hashes)
    name = f"rollproof-{version}.release"
    (given.folder / name).write_bytes(signed_list(text, identity) if identity else text.encode())
    for one in sorted(name for name in hashes if "/" not in name):
        print(f"{hashes[one]}  {one}")
    if identity is None:
        print(f"{name}: NOT SIGNED (--sign NAME --home HOME). Nobody can check who built this: do not publish it.")
        return
    print(f"{name}: signed by {identity.key}")
    if str(identity.key) != pinned():
        print(f"specs/releases.md pins {pinned() or 'no key'}: pin this one there and at the second place first.")


if __name__ == "__main__":
    main()
