"""Read a JSON option: a text, or @FILE."""

import json
from pathlib import Path
from typing import Any

from ledger.cli.language import Translate
from ledger.errors import UsageError

__all__ = ["read_json"]


def read_json(option: str, text: str, translate: Translate) -> Any:
    """Return the value. Raises UsageError, OSError, NoteError."""
    from ledger.cli.argv import MAX_FILE
    from ledger.cli.files import read_whole
    from rules.data.jsontext import json_problem

    data = read_whole(Path(text[1:]), MAX_FILE) if text.startswith("@") else text.encode(errors="surrogateescape")
    problem = json_problem(data, doubled=True)
    if problem is not None:
        said = translate("{option} cannot be read: {problem}")
        raise UsageError(said.format(option=option, problem=problem.message(translate)))
    return json.loads(data)
