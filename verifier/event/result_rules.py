"""The rules for calls to a judge and for match results (specs/event.md, E22 to E27)."""

from msgspec import UNSET

from rules.data.language import N_
from verifier.event.acts import Agree, Answer, Appeal, CorrectResult, JudgeCall, SideResult, Slip
from verifier.event.records import Claim, EventTable
from verifier.event.refusals import refuse
from verifier.event.state import STAFF, ActLine, EventState

__all__ = [
    "agree",
    "answer",
    "appeal",
    "call",
    "correct_result",
    "slip",
]


def call(state: EventState, act: JudgeCall, at: ActLine) -> None:
    """Call a judge to a table (E16, E17, E22)."""
    state.side_of(at.by, state.table_in(state.round_in(act.round, ("running",)), act.table))
    state.calls[at.seq] = "call", act.round, act.table, False


def answer(state: EventState, act: Answer, at: ActLine) -> None:
    """Answer a call or an appeal (E23, E24)."""
    found = state.calls.get(act.call)
    if found is None or found[0] == "answer" or found[3]:
        refuse(23, "call.unknown", N_("Line {line} is no call that waits for an answer."), line=act.call)
    kind, number, table, _ = found
    if kind == "appeal" and (state.role_of(at.by) == "judge" or state.answered_by[state.appeals[act.call]] == at.by):
        text = N_("{by} cannot answer this appeal: a head judge or organizer does, who did not give the answer.")
        refuse(24, "call.head", text, by=at.by)
    state.calls[act.call] = kind, number, table, True
    state.calls[at.seq] = "answer", number, table, kind == "appeal"
    state.answered_by[at.seq] = at.by


def appeal(state: EventState, act: Appeal, at: ActLine) -> None:
    """Appeal against an answer (E17, E22, E23)."""
    found = state.calls.get(act.answer)
    if found is None or found[0] != "answer" or found[3]:
        refuse(23, "call.unknown", N_("Line {line} is no answer that can be appealed."), line=act.answer)
    kind, number, table, _ = found
    round_ = state.rounds[number - 1]
    state.side_of(at.by, state.table_in(round_, table))
    state.calls[act.answer] = kind, number, table, True
    state.calls[at.seq] = "appeal", number, table, False
    state.appeals[at.seq] = act.answer


def _check_form(state: EventState, table: EventTable, sides: tuple[SideResult, ...]) -> None:
    """Verify the form of a slip, without its reason (E26)."""
    names = sorted(state.terms.body.results)
    if len(sides) != len(table.sides) or any(sorted(side.members()) != names for side in sides):
        text = N_("A slip of table {table} has {count} sides, each with: {names}.")
        refuse(26, "slip.form", text, table=table.number, count=len(table.sides), names=", ".join(names))


def slip(state: EventState, act: Slip, at: ActLine) -> None:
    """Hand in a slip; it stands at once if staff writes it, or no other side plays (E16, E17, E22, E25, E26)."""
    table = state.table_in(state.round_in(act.round, ("running", "ended")), act.table)
    staff = state.role_of(at.by) in STAFF
    side = None if staff else state.side_of(at.by, table)
    if table.result is not None:
        refuse(25, "slip.stands", N_("Table {table} has a match result that stands."), table=act.table)
    _check_form(state, table, act.sides)
    if staff != (act.reason is not UNSET):
        refuse(26, "slip.form", N_("A slip has a reason just where a judge or organizer writes it."))
    if side is None:
        table.result, table.by, table.claim = act.sides, at.by, None
        state.count("event.judged", at.seq)
    elif len(table.sides) == 1:
        table.result, table.by, table.claim = act.sides, at.by, None
    else:
        table.claim = Claim(at.seq, act.sides, frozenset({side}))
    state.slips[at.seq] = act.round, table


def agree(state: EventState, act: Agree, at: ActLine) -> None:
    """Agree to a slip for one side; with the last side the result stands (E22, E25, E27)."""
    found = state.slips.get(act.slip)
    table = None if found is None else state.rounds[found[0] - 1].tables.get(found[1].number)
    if found is None or table is not found[1]:
        refuse(27, "slip.side", N_("Line {line} is no slip of a table of this event."), line=act.slip)
    side = state.side_of(at.by, table)
    if table.result is not None:
        refuse(25, "slip.stands", N_("Table {table} has a match result that stands."), table=table.number)
    claim = table.claim
    assert claim is not None
    if claim.seq != act.slip or side in claim.signed:
        text = N_("{by} cannot agree to slip {line}: a later one took its place, or {by}'s side has signed it.")
        refuse(27, "slip.side", text, by=at.by, line=act.slip)
    signed = claim.signed | {side}
    table.claim = Claim(claim.seq, claim.sides, signed)
    if len(signed) == len(table.sides):
        table.result, table.by, table.claim = claim.sides, at.by, None


def correct_result(state: EventState, act: CorrectResult, at: ActLine) -> None:
    """Replace a match result that stands (E16, E17, E25, E26)."""
    table = state.table_in(state.round_in(act.round, ("running", "ended")), act.table)
    if table.result is None:
        text = N_("Table {table} has no match result that could be corrected.")
        refuse(25, "slip.stands", text, table=act.table)
    _check_form(state, table, act.sides)
    table.result, table.by = act.sides, at.by
    state.count("event.corrected", at.seq)
