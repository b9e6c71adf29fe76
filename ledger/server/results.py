"""Make the post of a result (specs/network.md, "Posting results"): words for people, and members for programs."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct

from ledger.forms.protocol import ROLES, SENTENCES
from rules.base import Ruling
from rules.data.language import Translate
from rules.data.sentences import summarize
from rules.data.text import balanced, full_name, isolated
from rules.records import RollRecord
from verifier.language import join_names
from verifier.log.bodies import Reveal
from verifier.log.format import Envelope, decode_body, decode_envelope
from verifier.replay import Replay
from verifier.shell.display import known_rolls, roll_text

__all__ = ["RESULTS", "ResultDie", "ResultPost", "result_of"]

RESULTS = frozenset({"reveal", "show", "ruling", "strike"})
"""types of events that can bring a result"""

MAX_CONTENT = 1_900
"""UTF-16 units of the words: channels take 2,000 characters, and not all count alike"""
MAX_DICE_POSTED = 200
"""dice of a roll that are posted one by one"""

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


class ResultDie(Struct, frozen=True):
    """A die of a roll, as the rules have it."""

    die: int
    naturals: tuple[int, ...]
    result: int | None
    sides: int
    status: str


class ResultPost(Struct, frozen=True, kw_only=True):
    """A result for programs, `rollproof` in the body of a post."""

    called: str | None
    """the player's own name; null: the name of the key"""
    dice: tuple[ResultDie, ...]
    event: int
    """the number of the event that brought it"""
    format: Literal["rollproof/result/v1"] = "rollproof/result/v1"
    game: str
    kind: Literal["reroll", "roll", "ruling", "show", "strike"]
    link: str = ""
    missed: int = 0
    """results before this one that were not posted"""
    notation: str
    player: str
    request: int
    """the number of the request in the log"""
    source: str
    status: str
    summary: str | None
    system: str
    text: str
    """the dice and their outcome; for a ruling, its words"""
    time: str
    title: str

    def body(self) -> bytes:
        """Return the body of a post, JSON."""
        return msgspec.json.encode(
            {
                "allowed_mentions": {"parse": []},  # no text of a player calls anybody
                "content": self._content(),
                "flags": 4,  # nor shows a picture of a page
                "rollproof": self,
            }
        )

    def _content(self) -> str:
        """Return the words, as Markdown in which every player's text is plain text."""
        who = full_name(self.player, self.called)
        of = f"{_plain(f'[{isolated(self.title)}]')} " if self.title else ""
        said = (
            f"{isolated(self.source)}: {self.text}"
            if self.source and self.kind not in ("ruling", "strike")
            else self.text
        )
        missed = f"(… {self.missed} …)\n" if self.missed else ""
        head = f"{missed}{of}**{_plain(who)}** "
        tail = f"\n<{self.link}>"
        return f"{head}{_cut(_plain(said), MAX_CONTENT - _units(head + tail))}{tail}"


def _plain(text: str) -> str:
    """Return a text on one line, with all Markdown characters escaped."""
    return _PUNCTUATION.sub(r"\\\1", " ".join(text.split()))


def _units(text: str) -> int:
    """UTF-16 units of a text."""
    return len(text.encode("utf-16-le")) // 2


def _cut(text: str, most: int) -> str:
    """Return at most so many UTF-16 units of an escaped text, without splitting an escape or an isolate."""
    if _units(text) <= most:
        return text
    kept = text.encode("utf-16-le")[: 2 * max(most - 3, 0)].decode("utf-16-le", "ignore")
    backslashes = len(kept) - len(kept.rstrip("\\"))
    return f"{balanced([kept[:-1] if backslashes % 2 else kept])[0]} …"


def result_of(replay: Replay, before: bytes, line: bytes, translate: Translate) -> ResultPost | None:
    """Return the post for a line, given the line before it; None if it brings no result.

    `replay` includes both lines, and may be further.
    """
    event = decode_envelope(line)
    match event.type:
        case "reveal":
            return _revealed(replay, decode_envelope(before), event, translate)
        case "show":
            record = _record(replay, _number(event, "request"))
            return None if record is None else _posted(replay, event, "show", record, translate)
        case "ruling":
            return _ruled(replay, event, translate)
        case "strike":
            return _taken_back(replay, event, translate)
    return None


def _revealed(replay: Replay, request: Envelope, event: Envelope, translate: Translate) -> ResultPost:
    kind: Literal["reroll", "roll"] = "reroll" if request.type == "reroll" else "roll"
    record = _record(replay, request.seq) or _record(replay, _number(request, "roll"))
    if record is not None:
        return _posted(replay, event, kind, record, translate)
    # Dice of no roll that the state keeps: as they fell.
    reveal = decode_body(event.body, Reveal, "reveal")
    naturals = ", ".join(map(str, reveal.naturals))
    dice = tuple(
        ResultDie(number + 1, (natural,), None, sides, "counted")
        for number, (sides, natural) in enumerate(zip(reveal.sides, reveal.naturals, strict=True))
    )
    return _new_post(replay, event, kind, request.author, request.seq, text=naturals, dice=_few(dice))


def _posted(
    replay: Replay, event: Envelope, kind: Literal["reroll", "roll", "show"], record: RollRecord, translate: Translate
) -> ResultPost:
    system = replay.session.system
    summary = system.summary(record)
    dice = tuple(ResultDie(die.die, die.naturals, die.result, die.sides, die.status) for die in record.dice)
    return _new_post(
        replay,
        event,
        kind,
        record.player,
        record.roll,
        text=roll_text(record, system, translate),
        dice=_few(dice),
        notation=record.notation,
        source=record.source,
        status=record.status,
        summary=None if summary is None else summary.message(translate),
    )


def _ruled(replay: Replay, event: Envelope, translate: Translate) -> ResultPost | None:
    """Return the post of a ruling that changes a roll's outcome."""
    ruling = decode_body(event.body, Ruling, "ruling")
    titles = {f"role {role}": title for role, title in ROLES.items()}
    said = summarize(SENTENCES, titles, "ruling", event.author, ruling, known_rolls(replay.session))
    if ruling.ruling not in ("void", "correct") or said is None:
        return None
    text = said.message(translate)
    return _new_post(replay, event, "ruling", event.author, ruling.subject, text=text)


def _taken_back(replay: Replay, event: Envelope, translate: Translate) -> ResultPost | None:
    """Return the post of the strike with which all have agreed to take a roll back."""
    roll = replay.conduct.taken_back.get(event.seq)
    if roll is None:
        return None
    text = translate("{names} took the roll back.").format(names=join_names(roll.by, translate))
    return _new_post(replay, event, "strike", roll.roller, roll.request, text=text, status="struck")


def _new_post(
    replay: Replay,
    event: Envelope,
    kind: Literal["reroll", "roll", "ruling", "show", "strike"],
    player: str,
    request: int,
    *,
    text: str,
    dice: Sequence[ResultDie] = (),
    notation: str = "",
    source: str = "",
    status: str = "resolved",
    summary: str | None = None,
) -> ResultPost:
    terms = replay.terms
    return ResultPost(
        called=terms.called.get(player),
        dice=tuple(dice),
        event=event.seq,
        game=terms.game.hex(),
        kind=kind,
        notation=notation,
        player=player,
        request=request,
        source=source,
        status=status,
        summary=summary,
        system=terms.system,
        text=text,
        time=event.time,
        title=terms.title,
    )


def _few(dice: tuple[ResultDie, ...]) -> tuple[ResultDie, ...]:
    return dice if len(dice) <= MAX_DICE_POSTED else ()


def _number(event: Envelope, member: str) -> int | None:
    """Return a member of a body that is a number; None if it is none."""
    body: Mapping[str, Any] = msgspec.json.decode(event.body)
    found = body.get(member, UNSET)
    return found if isinstance(found, int) else None


def _record(replay: Replay, roll: int | None) -> RollRecord | None:
    """Return a roll that the state keeps."""
    session = replay.session
    settled, opened = session.system.rolls(session.game)
    return next((record for record in (*opened, *settled) if record.roll == roll), None)
