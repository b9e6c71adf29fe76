"""What runs in the worker: the verifier with the rules, and the rules' steps of an explanation. JSON in, JSON out.

What is asked is one of the objects below or of `followed`, with its class in lower case as `do`; bytes are base64. Each
answer to those below stands by itself: nothing that is asked later depends on it, but that signatures which the page
has checked are known.
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
from ledger.browser.followed import Advise, Follow, Read, Reasons, Request, Would
from rules.data.text import plain
from verifier import VerifierKey, verify
from verifier.checkpoints.policy import parse_policy
from verifier.language import Translate, translator
from verifier.log.terms import Pins
from verifier.replay import Replay
from verifier.report import headline
from verifier.shell.display import roll_text

__all__ = ["Explain", "Learn", "Verify", "answer"]


class Verify(Request, frozen=True):
    """Verify a log, with what the caller knows of it. Answered with a `Verified`."""

    log: bytes
    name: str
    language: str
    mldsa: bool
    """whether the browser has ML-DSA-44"""
    game: str | None = None
    keys: tuple[str, ...] = ()
    receipts: dict[str, bytes] = field(default_factory=dict)
    policy: bytes | None = None


class Explain(Request, frozen=True):
    """Say what the rules made of a roll, of a log whose first `size` lines hold. Answered with an `Explained`."""

    log: bytes
    size: int
    seq: int
    language: str


class Learn(Request, frozen=True):
    """What the page says of signatures: key, signature, message, whether it holds. Answered with an empty object."""

    signatures: tuple[tuple[bytes, bytes, bytes, bool], ...]


class Verified(Struct, frozen=True):
    """The report of `rollproof verify --json`, and what it is worth."""

    report: Any
    headline: str
    rolls: tuple[tuple[int, str], ...]
    """of each roll that the state keeps, the number of its request, and the dice in words"""
    asked: tuple[tuple[bytes, bytes, bytes], ...]
    """signatures that were taken to hold: the report is one only if all of them do"""


class Explained(Struct, frozen=True):
    """Steps of the rules: clause, or None, and words."""

    rules: tuple[tuple[str | None, str], ...]


_decode = msgspec.json.Decoder(Verify | Explain | Learn | Follow | Would | Advise | Read | Reasons).decode


def answer(text: str) -> str:
    """Answer a request. Raises msgspec.ValidationError for one that is none, ValueError for a key or policy."""
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


def _verify(asked: Verify) -> Verified:
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
    return Verified(report, headline(report, translate), rolls, asked_now)


def _rolls(replay: Replay, translate: Translate) -> tuple[tuple[int, str], ...]:
    settled, opened = replay.session.system.rolls(replay.session.game)
    return tuple((roll.roll, plain(roll_text(roll, translate))) for roll in (*settled, *opened))


def _explain(asked: Explain) -> Explained:
    lines = asked.log.split(b"\n")[: asked.size]
    translate = translator(asked.language)
    told = explain(lambda: lines, asked.seq, "log").told
    return Explained(tuple((reason.clause, plain(reason.message(translate))) for reason in told))
