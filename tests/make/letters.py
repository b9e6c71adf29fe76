"""The table of letters and numbers that Unicode got after the version of the oldest Python that runs this.

    python3.11 -m tests.make.letters           # writes rules/data/letters.py; Node has the newer version
    python -m tests.make.letters --check       # exits 1 if it differs

Where a notation asks whether a character is a letter, newer Pythons would answer otherwise than older ones, and the
browser's otherwise than a server's.
"""

import json
import subprocess
import sys
import unicodedata
from pathlib import Path

from tests.make.unseen import escaped, runs

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "rules" / "data" / "letters.py"
OLDEST = "14.0.0"
_ALL = """
const found = [];
for (let code = 0; code < 0x110000; code += 1) {
  if ((code < 0xd800 || code > 0xdfff) && /[\\p{L}\\p{N}]/u.test(String.fromCodePoint(code))) found.push(code);
}
console.log(JSON.stringify([process.versions.unicode, found]));
"""
_TEXT = '''"""Letters and numbers that notations accept: those of Unicode {oldest}, whatever version the platform has.

Made by tests/make/letters.py from the properties of characters in Python and Node. Do not edit.
"""

__all__ = ["LATER", "LETTER", "WORD"]

LATER = (
{later}
)
"""letters and numbers up to Unicode {newest} that {oldest} lacks, as the inside of a character class"""

# These never ignore case: else an older letter whose capital is in LATER would count as one of LATER.
LETTER = rf"(?-i:(?![{{LATER}}])[^\\W\\d_])"
"""pattern of a letter, or of a number that is no decimal digit"""
WORD = rf"(?-i:(?![{{LATER}}])\\w)"
"""pattern of a letter, a number or an underscore"""
'''


def made() -> str:
    """The module. Raises CalledProcessError without Node, ValueError on a newer Python."""
    if unicodedata.unidata_version != OLDEST:
        raise ValueError(f"this Python has Unicode {unicodedata.unidata_version}, not {OLDEST}")
    done = subprocess.run(["node", "-e", _ALL], capture_output=True, text=True, check=True)
    newest, codes = json.loads(done.stdout)
    later = runs([code for code in codes if not chr(code).isalnum()])
    lines = [escaped(later[at : at + 4], "\\u{:04x}", "\\U{:08x}") for at in range(0, len(later), 4)]
    rows = "\n".join(f'    r"{line}"' for line in lines)
    return _TEXT.format(oldest=OLDEST, newest=newest, later=rows)


def main() -> int:
    """Write, or compare."""
    if "--check" in sys.argv[1:]:
        return 0 if FILE.read_text(encoding="utf-8") == made() else 1
    FILE.write_text(made(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
