"""The page of the table as it is served: files, manifest, document (specs/page.md)."""

import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import PurePosixPath

from ledger.page.assets import (
    CHECK_ENTRY,
    CHECK_JOINED,
    ENTRY,
    EVENT_ENTRY,
    EVENT_JOINED,
    IMMUTABLE,
    JOINED,
    MEDIA_TYPES,
    POLICY,
    STYLE,
    Page,
    page,
)
from tests.support.cli import REPOSITORY
from verifier.language import languages
from verifier.shell.modules import variable

FILES = {
    "table.js": b"",
    "words-de.js": b"export const WORDS = {};\n",
    "words-ja.js": b"export const WORDS = { };\n",
    "ledger/web/core/index.js": b"import { bytes } from '../../../verifier/web/bytes.js';\n",
    "ledger/web/ui/main.js": b"import '../core/index.js';\n",
    STYLE: b"main { display: grid }\n",
    "systems.json": b"{}",
    "verifier/web/bytes.js": b"export const bytes = 1;\n",
}


def test_the_manifest_has_each_file_in_the_order_of_the_paths() -> None:
    found = Page(dict(reversed(FILES.items())))
    lines = [f"{hashlib.sha256(data).hexdigest()}  {path}" for path, data in sorted(FILES.items())]
    assert found.manifest == "".join(f"{line}\n" for line in lines)
    assert found.hash == hashlib.sha256(found.manifest.encode()).hexdigest()


def test_the_document_names_its_script_style_and_words_with_their_hashes() -> None:
    found = Page(FILES)
    assert set(found.documents) == {"en", *languages()}
    for language, data in found.documents.items():
        text = data.decode()
        assert f'<html lang="{language}">' in text
        assert f'<meta name="rollproof-manifest" content="{found.hash}">' in text
        assert f'<link rel="stylesheet" href="/page/{STYLE}" integrity="{found.files[STYLE].integrity}">' in text
        joined = found.files[JOINED]
        assert f'<script type="module" src="/page/{JOINED}" integrity="{joined.integrity}"></script>' in text
        for other in languages():
            words = found.files[f"words-{other}.js"]
            assert f'<meta name="rollproof-words-{other}" content="{words.integrity}">' in text
            named = f'<link rel="modulepreload" href="/page/{words.path}" integrity="{words.integrity}">'
            assert (named in text) is (other == language), "who reads it fetches it at once, nobody else does"
        assert re.search(r"<noscript>.*rollproof join.*</noscript>", text, re.DOTALL)
        without = re.sub(r"<script [^>]*></script>", "", text)
        assert "<script" not in without, "no inline script"
        assert "style=" not in without, "no inline style"
        assert "<style" not in without
        assert not re.search(r"(?:href|src)=\"(?!/page/)", text), "nothing from anywhere else"


def test_the_page_has_what_its_modules_import() -> None:
    """Every module that is imported is a file of the page, and each module of the verifier is imported."""
    found = page()
    imported = {path for path in found.files if path.startswith("verifier/")}
    needed = set()
    for path, file in found.files.items():
        if file.is_module:
            for name in re.findall(
                r"^(?:import|export)\b[^'\"=()]*['\"](\.[^'\"]+)['\"]", file.data.decode(), re.MULTILINE
            ):
                target = _joined(path, name)
                assert target in found.files, (path, name)
                needed.add(target)
    assert imported <= needed
    assert "systems.json" in found.files


def _joined(path: str, name: str) -> str:
    parts = list(PurePosixPath(path).parent.parts)
    for part in PurePosixPath(name).parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def test_the_joined_scripts_have_each_module_that_a_page_needs_as_it_stands() -> None:
    """Line by line, but for imports, exports and documentation: what runs is what stands in the repository."""
    found = page()
    there = set[str]()
    for joined, entry in ((JOINED, ENTRY), (EVENT_JOINED, EVENT_ENTRY), (CHECK_JOINED, CHECK_ENTRY)):
        text, handed, name = found.files[joined].data.decode().partition("export const { checkBundle } = ")
        assert (handed == "") == (joined != CHECK_JOINED)
        assert name in ("", f"{variable(entry)};\n")
        parts = joined_modules(text)
        assert list(parts)[-1] == entry
        there |= set(parts)
        for path, body in parts.items():
            check_joined(path, body, found.files[path].data.decode())
    files_of = ("", "-game", "-event")
    elsewhere = {f"{name}{part}.js" for name in ("german", "japanese", "words-de", "words-ja") for part in files_of}
    elsewhere |= {"offline.js", "overlay.js", "uqr.module.js"}
    modules = {path for path, file in found.files.items() if file.is_module and "/" in path}
    modules -= {path for path in modules if path.startswith(IMMUTABLE)}
    assert there == {path for path in modules if PurePosixPath(path).name not in elsewhere}


def joined_modules(joined: str) -> dict[str, str]:
    """The modules of a joined script, by their paths."""
    blocks = re.split(r"^// ((?:ledger|verifier)/web/\S+\.js)\nconst \S+ = \(\(\) => \{\n", joined, flags=re.MULTILINE)
    assert blocks[0] == ""
    return dict(zip(blocks[1::2], blocks[2::2], strict=True))


def check_joined(path: str, body: str, file: str) -> None:
    """A module as it is joined is the file."""
    own = re.sub(r"^const \{[^}]*\} = \$\w+;\n", "", body, flags=re.MULTILINE)
    own, _, closing = own.rpartition("return {")
    assert re.fullmatch(r"[^{}]*\};\n\}\)\(\);\n", closing), path
    text = re.sub(r"^(?:import|export) \{[^}]*\} from '[^']+';\n", "", file, flags=re.MULTILINE)
    text = re.sub(r"^export ?\{[^}]*\};\s*\Z|(?<=;)export\{[^}]*\};\s*\Z|^export ", "", text, flags=re.MULTILINE)
    lines = iter(text.rstrip("\n").splitlines())
    kept = [line for line in lines if not (line.lstrip().startswith("/**") and _skipped(line, lines))]
    kept = [re.sub(r"/\*\* @type \{.*?\*/ ?", "", line) for line in kept if not line.lstrip().startswith("//")]
    assert own.rstrip("\n") == "\n".join(kept).rstrip("\n"), path


def _skipped(line: str, lines: Iterator[str]) -> bool:
    """Pass over a comment that begins in this line, and has its lines for itself."""
    while "*/" not in line:
        line = next(lines)
    return line.rstrip().endswith("*/")


def test_every_file_of_the_folder_is_part_of_the_page() -> None:
    folder = REPOSITORY / "ledger" / "web"
    there = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    there = [path for path in there if not path.name.endswith(".d.ts")]  # for what checks types
    assert {path.suffix for path in there} <= set(MEDIA_TYPES)
    served = {path for path in page().files if path.startswith("ledger/")}
    assert served == {path.relative_to(REPOSITORY).as_posix() for path in there}
    assert files("ledger").joinpath("web").is_dir() or not served


def test_the_policy_is_that_of_the_specification() -> None:
    text = (REPOSITORY / "specs" / "page.md").read_text(encoding="utf-8")
    assert f"      {POLICY}\n" in text
