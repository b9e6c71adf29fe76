"""The entry of the browser's worker: verify a log with the rules, or explain a roll. JSON in, JSON out.

A request is one of the structs below or of `followed`; its `do` is the name of its class in lower case. Bytes are
base64. Requests of this module are independent of each other, except that `Learn` records checked signatures.
"""

import sys
from typing import Any

import msgspec
from msgspec import Struct, field

if sys.platform == "emscripten":
    from ledger.browser.cryptography_here import install

    install()

from ledger.analysis.explanation import explain
from ledger.browser import cryptography_here, followed
from ledger.browser.followed import Advise, Follow, Read, Reasons, WorkerRequest, Would
from rules.data.language import Translate
from rules.data.text import plain
from verifier import VerifierKey, verify
from verifier.checkpoints.policy import parse_policy
from verifier.language import translator
from verifier.log.terms import Pins
from verifier.replay import Replay
from verifier.report import headline
from verifier.shell.display import roll_text

__all__ = ["Explain", "Learn", "Verify", "answer"]


class Verify(WorkerRequest, frozen=True):
    """Verify a log against the caller's pins, receipts and policy. Answered with a `VerifyAnswer`."""

    log: bytes
    name: str
    language: str
    mldsa: bool
    """whether the browser has ML-DSA-44"""
    game: str | None = None
    keys: tuple[str, ...] = ()
    receipts: dict[str, bytes] = field(default_factory=dict)
    policy: bytes | None = None


class Explain(WorkerRequest, frozen=True):
    """Explain the event `seq` of a log whose first `size` lines are valid. Answered with an `ExplainAnswer`."""

    log: bytes
    size: int
    seq: int
    language: str


class Learn(WorkerRequest, frozen=True):
    """Record the page's checks: key, signature, message, True if it is valid. Answered with an empty object."""

    signatures: tuple[tuple[bytes, bytes, bytes, bool], ...]


class VerifyAnswer(Struct, frozen=True):
    """The report of `rollproof verify --json`, and the signatures that it depends on."""

    report: Any
    headline: str
    rolls: tuple[tuple[int, str], ...]
    """for each roll that the state keeps, the number of its request, and the dice in words"""
    asked: tuple[tuple[bytes, bytes, bytes], ...]
    """public key, signature, message: the report is valid only if all of these signatures are"""


class ExplainAnswer(Struct, frozen=True):
    """The steps of the rules: clause or None, and words."""

    rules: tuple[tuple[str | None, str], ...]


_decode = msgspec.json.Decoder(Verify | Explain | Learn | Follow | Would | Advise | Read | Reasons).decode


def answer(text: str) -> str:
    """Answer a request. Raises msgspec.ValidationError for a malformed request, ValueError for a bad key or policy."""
    request = _decode(text)
    match request:
        case Verify():
            return _encoded(_verify(request))
        case Explain():
            return _encoded(_explain(request))
        case Learn():
            for key, signature, message, holds in request.signatures:
                cryptography_here.learn((key, signature, message), holds)
            return "{}"
    return _encoded(followed.answer(request))


def _encoded(value: Struct) -> str:
    return msgspec.json.encode(value).decode()


def _verify(asked: Verify) -> VerifyAnswer:
    cryptography_here.set_mldsa(asked.mldsa)
    translate = translator(asked.language)
    pins = Pins(None if asked.game is None else bytes.fromhex(asked.game), tuple(map(VerifierKey.parse, asked.keys)))
    report, replay = verify(
        asked.log,
        name=asked.name,
        pins=pins,
        translate=translate,
        receipts=asked.receipts,
        policy=None if asked.policy is None else parse_policy(asked.policy),
    )
    rolls = () if replay is None or replay.size == 0 else _rolls(replay, translate)
    asked_now = tuple(cryptography_here.take_asked())
    return VerifyAnswer(report, headline(report, translate), rolls, asked_now)


def _rolls(replay: Replay, translate: Translate) -> tuple[tuple[int, str], ...]:
    system = replay.session.system
    settled, opened = system.rolls(replay.session.game)
    return tuple((roll.roll, plain(roll_text(roll, system, translate))) for roll in (*settled, *opened))


def _explain(asked: Explain) -> ExplainAnswer:
    lines = asked.log.split(b"\n")[: asked.size]
    translate = translator(asked.language)
    reasons = explain(lambda: lines, asked.seq, "log").told
    return ExplainAnswer(tuple((reason.clause, plain(reason.message(translate))) for reason in reasons))
