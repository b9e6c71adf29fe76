"""Verification of the proof of one event in a file (specs/checkpoints.md)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from rules.data.language import Translate
from rules.data.text import plain
from verifier.log.format import MAX_LINE
from verifier.log.identity import VerifierKey
from verifier.report import VERDICT_EXIT_CODES
from verifier.shell.files import open_regular, path_text, read_policy

if TYPE_CHECKING:
    from verifier.checkpoints.event_proof import Expected

__all__ = ["judge_proof", "read_expected"]

_VERDICTS: dict[str, Literal["unreadable", "unfinished"]] = {
    "proof.malformed": "unreadable",
    "policy.unchecked": "unfinished",
}


def read_expected(
    game: bytes,
    keeper: VerifierKey,
    index: int,
    *,
    size: int | None,
    event: Path | None,
    keys: Sequence[VerifierKey],
    policy: Path | None,
) -> "Expected":
    """Return the facts that the caller knows about a proof, after reading the files. Raises OSError or NoteError."""
    from verifier.checkpoints.event_proof import Expected

    line = None
    if event is not None:
        with open_regular(event) as stream:
            line = stream.read(MAX_LINE + 2).removesuffix(b"\n")
    return Expected(
        game=game,
        keeper=keeper,
        index=index,
        size=size,
        line=line,
        keys=tuple(keys),
        policy=None if policy is None else read_policy(policy),
    )


def judge_proof(path: Path, expected: "Expected", *, json: bool, translate: Translate = str) -> tuple[int, str]:
    """Return the exit code and the text for a proof in a file. Raises OSError or NoteError."""
    # Imported here, because verifying a log does not need it.
    from verifier.checkpoints.event_proof import MAX_PROOF_FILE, ProofFailure, check_proof, proof_report, render_proven

    with open_regular(path) as stream:
        data = stream.read(MAX_PROOF_FILE + 1)
    try:
        proven = check_proof(data, expected)
    except ProofFailure as failure:
        verdict: Literal["fails", "unreadable", "unfinished"] = _VERDICTS.get(failure.code, "fails")
        code, message = VERDICT_EXIT_CODES[verdict], failure.message(translate)
        if json:
            report = {
                "verdict": verdict,
                "step": failure.step,
                "code": failure.code,
                "message": message,
            }
            return code, msgspec.json.encode(report).decode()
        text = translate("{path}: FAILS (something is wrong; {code}, step {step}): {message}")
        if verdict == "unfinished":
            text = translate("{path}: COULD NOT BE FINISHED ({code}, step {step}): {message}")
        return code, plain(text.format(path=path_text(path), code=failure.code, step=failure.step, message=message))
    if json:
        return 0, msgspec.json.encode(proof_report(proven, expected, translate)).decode()
    return 0, "\n".join(map(plain, render_proven(proven, expected, translate).split("\n")))
