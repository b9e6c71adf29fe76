"""Dice in words and signs: `2d6 (4, ~~1~~ 6) + 2 = 12`. Replaced and ignored dice stand between `~~`."""

from typing import Any

from rules.base import System
from rules.common.dice import DiceNotationError, notation, parse
from rules.common.shared import Exchanged, FirstStands, Rerolled, RuledStep
from rules.data.language import N_, Message, Translate
from rules.data.sentences import Known
from rules.data.text import full_name
from rules.protocol import Phase
from rules.records import DieRecord, RollRecord
from rules.session import Session
from verifier.dice.voided import VoidedRoll
from verifier.notices import shown_naturals
from verifier.replay import Replay

__all__ = ["VOIDED_COLUMNS", "die_text", "known_rolls", "roll_text", "struck_through", "voided_row"]

VOIDED_COLUMNS = (N_("request"), N_("player"), N_("ended by"), N_("named as missing"), N_("would have shown"))
"""column titles for `voided_row`"""


def roll_text(roll: RollRecord, system: System[Any], translate: Translate = str) -> str:
    """Return a roll on one line: naturals, replaced and ignored dice, and the outcome.

    With one counted die, or the same modifiers for all: `1d20 (7) + 2 = 9`. Otherwise with each die's result: `2d20
    (~~4~~, 17 - 1 = 16)`. If the rules have a summary: `2d6 (4, 6) + 2 = 12`. Before the reveal: `1d20 (waiting)`. A
    ruling or an exchange is no modifier: `1d20 (7 ruled 9) = 9`, `1d6 (5 exchanged for 2) = 2`.
    """
    if not roll.dice:
        nothing = translate("waiting") if roll.status == "pending" else translate("no dice")
        if roll.status == "sealed":
            nothing = translate("in secret")
        return f"{_notation(roll, translate)} ({nothing})"
    summary = system.summary(roll)
    if summary is not None:
        dice = ", ".join(_die_text(die, translate, summed=True) for die in roll.dice)
        return f"{_notation(roll, translate)} ({dice}) {summary.message(translate)}"
    counted = [die for die in roll.dice if die.status == "counted" and die.result is not None]
    changes = {(die.result or 0) - _base(die) for die in counted}
    change = changes.pop() if len(changes) == 1 else None
    # A change that is the same for all dice is written once, behind them.
    inside = ", ".join(_die_text(die, translate, summed=change is not None) for die in roll.dice)
    text = f"{_notation(roll, translate)} ({inside})"
    if not counted or change is None:
        return text
    if change:
        text += f" {_signed(change)}" + (translate(" each") if len(counted) > 1 else "")
    elif len(counted) > 1:
        return text
    return f"{text} = {', '.join(str(die.result) for die in counted)}"


def _notation(roll: RollRecord, translate: Translate) -> str:
    """Return the requested dice; if dice were added, those that were thrown: `1d20` with one more is `2d20`."""
    try:
        asked = parse(roll.notation)
    except DiceNotationError:
        return (
            translate(roll.notation) if roll.notation else ""
        )  # gettext translates an empty text into the catalogue's header
    if len(asked) == len(roll.dice) or not roll.dice:
        return roll.notation
    # Added dice are of the requested kind: for a D3 also D3, although a D6 is thrown.
    return notation(asked[:1] * len(roll.dice) if len(set(asked)) == 1 else tuple(die.sides for die in roll.dice))


def die_text(die: DieRecord, translate: Translate = str) -> str:
    """Return one die without the effect of modifiers, such as `~~1~~ 6`."""
    return _die_text(die, translate, summed=True)


def _die_text(die: DieRecord, translate: Translate, *, summed: bool) -> str:
    *old, natural = _naturals(die)
    before = "".join(f"~~{n}~~ " for n in old)
    face = getattr(die, "face", None)
    shown = f"{natural} {translate(face)}" if face else str(natural)
    put = _put(die)
    if put is not None:
        text, result = put
        shown = translate(text).format(natural=shown, result=result)
    if die.status == "ignored":
        return f"{before}~~{shown}~~"
    change = 0 if die.result is None or summed else die.result - _base(die)
    return f"{before}{shown}" + (f" {_signed(change)} = {die.result}" if change else "")


def _naturals(die: DieRecord) -> tuple[int, ...]:
    """Return the naturals, with the one that counts at the end: the first, if a rule lets it stand."""
    if any(isinstance(step, FirstStands) for step in getattr(die, "steps", ())):
        return (*die.naturals[1:], die.naturals[0])
    return die.naturals


def _put(die: DieRecord) -> tuple[str, int] | None:
    """Return the template and the result of a ruling or exchange that replaced everything before it.

    None if there was none, or the die was rerolled since.
    """
    steps: tuple[object, ...] = getattr(die, "steps", ())
    if not steps:
        return None
    match next(
        (step for step in reversed(steps) if isinstance(step, RuledStep | Exchanged | Rerolled | FirstStands)), None
    ):
        case RuledStep(ruled=result):
            return N_("{natural} ruled {result}"), result
        case Exchanged(number=result):
            return N_("{natural} exchanged for {result}"), result
    return None


def _base(die: DieRecord) -> int:
    """Return the number that modifiers are added to: the natural, or what replaced it."""
    put = _put(die)
    return _naturals(die)[-1] if put is None else put[1]


def known_rolls(session: Session) -> Known:
    """Return a function that says of a roll's number whose roll it is, its dice, and what they are for."""

    def known(number: int) -> Message | None:
        settled, opened = session.system.rolls(session.game)
        roll = next((roll for roll in (*opened, *settled) if roll.roll == number), None)
        if roll is None:
            return None
        text = N_("{player}: {dice} for {source}") if roll.source else N_("{player}: {dice}")
        return Message(text, player=roll.player, dice=roll.notation, source=roll.source)

    return known


def struck_through(roll: RollRecord) -> list[Message]:
    """Return explanations of the `~~` in a roll's text: dice that were rerolled, and dice that do not count."""
    rerolled = [die.die for die in roll.dice if len(die.naturals) > 1]
    ignored = [die.die for die in roll.dice if die.status == "ignored"]
    notes = []
    if rerolled:
        notes.append(Message("replaced: die {dice}", dice=", ".join(map(str, rerolled))))
    if ignored:
        notes.append(Message("not counted: die {dice}", dice=", ".join(map(str, ignored))))
    return notes


def _signed(number: int) -> str:
    return f"{'-' if number < 0 else '+'} {abs(number)}"


def voided_row(roll: VoidedRoll, replay: Replay, translate: Translate = str) -> tuple[int, str, str, str, str]:
    """Return a request that ended without dice, in the columns VOIDED_COLUMNS. `replay` is its game."""
    _, called = translate, replay.terms.called
    by, roller = (full_name(name, called.get(name)) for name in (roll.by, roll.pending.roller))
    missing, hidden = (
        ", ".join(full_name(name, called.get(name)) for name in of) for of in (roll.missing, roll.hidden_by)
    )
    how = _("{party} (void, event {seq})") if roll.how == "void" else _("{party} (close, event {seq})")
    named = _("{names}, says {party}").format(names=missing, party=by) if roll.missing else "–"
    if roll.pending == replay.pending and replay.session.phase is Phase.VOIDED:
        shown = _("not disclosed yet")
    elif roll.hidden_by:
        shown = _("not known: the link of {names} is missing").format(names=hidden)
    else:
        shown = shown_naturals(roll) or _("no dice")
    return roll.pending.seq, roller, how.format(party=by, seq=roll.ended), named, shown
