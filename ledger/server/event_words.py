"""Lines of tables that follow from organizers' acts: later judges, other phones (specs/event.md, "At a server").

What is due follows from the event's log and the games' logs alone, so any process finds it, also after another was
killed between two steps.
"""

from collections.abc import Callable, Iterator, Sequence

from ledger.keeper.operations import LetIn
from rules.protocol import Phase
from verifier import Failure, Replay, VerifierKey
from verifier.event.records import OpenedTable, TableOpening
from verifier.event.state import EventState
from verifier.log.bodies import AdmitBody, Appointment, Correction, ReplaceBody
from verifier.log.event_word import appointment_fits, correction_fits
from verifier.log.format import decode_body
from verifier.log.new_keys import check_new_key
from verifier.log.plainjson import encode
from verifier.log.terms import admit_party

__all__ = ["corrected_keys", "due_words", "games_without_result", "waiting_for_a_judge"]


def games_without_result(state: EventState) -> dict[bytes, int]:
    """Return the games of the round that runs whose tables have no result, with the tables' numbers, in their order."""
    if state.round is None or state.round.state != "running":
        return {}
    games: dict[bytes, int] = {}
    for number, table in sorted(state.round.tables.items()):
        opened = None if table.line is None else state.openings[table.line].tables[number]
        if table.result is None and opened is not None and opened.game is not None:
            games[bytes.fromhex(opened.game)] = number
    return games


def due_words(state: EventState, replay_of: Callable[[bytes], Replay | None]) -> Iterator[LetIn]:
    """Yield the `admit`s and `replace`s that the keeper can write now; `replay_of` returns a game, if it is there."""
    for game in games_without_result(state):
        opening, opened = state.games[game.hex()]
        judges, keys = list(_later_judges(state, opening)), list(_corrected(state, opening, opened))
        replay = replay_of(game) if judges or keys else None
        if replay is None or replay.session.phase is not Phase.IDLE or replay.session.parties.not_agreed():
            continue
        yield from (LetIn(game, body) for body in judges if _can_admit(body, replay))
        yield from (LetIn(game, body) for body in keys if _can_replace(body, replay))


def corrected_keys(state: EventState) -> dict[bytes, list[str]]:
    """Return, by game of the round that runs, its players' keys that were corrected after its table was opened."""
    found = {
        game: [body.key for body in _corrected(state, *state.games[game.hex()])] for game in games_without_result(state)
    }
    return {game: keys for game, keys in found.items() if keys}


def waiting_for_a_judge(keys: Sequence[str], replay: Replay) -> tuple[str, ...]:
    """Return the players who sit there and whose corrected keys wait for a judge to sign the players away."""
    parties = replay.session.parties
    let_in = {str(key) for key in replay.terms.keys.values()} | {each.key for each in parties.asked.values()}
    names = (VerifierKey.parse(key).name for key in keys if key not in let_in)
    return tuple(name for name in names if name in parties.joined - parties.left)


def _later_judges(state: EventState, opening: TableOpening) -> Iterator[AdmitBody]:
    """Yield the admissions of staff in office who were appointed after a line that opened tables.

    Event 0 has those who were before; that an organizer is no judge is for `_can_admit` to see.
    """
    for person in state.people.values():
        if person.until is None and person.since > opening.seq:
            appointment: Appointment = decode_body(encode(state.words[person.since]), Appointment, "appoint")
            yield AdmitBody(str(person.key), "judge", appointment=appointment)


def _corrected(state: EventState, opening: TableOpening, opened: OpenedTable) -> Iterator[ReplaceBody]:
    """Yield the new keys of a table's players that were corrected after the line that opened it."""
    for number in (number for side in opened.sides for number in side):
        player = state.players[number]
        if player.rekeyed > opening.seq:
            correction: Correction = decode_body(encode(state.words[player.rekeyed]), Correction, "correct-key")
            yield ReplaceBody(str(player.key), correction=correction)


def _can_admit(body: AdmitBody, replay: Replay) -> bool:
    """Return whether the table's rules let a judge in, who is not there yet."""
    asked = [each.key for each in replay.session.parties.asked.values()]
    try:
        admit_party(replay.terms, body, asked)
    except Failure:
        return False
    return isinstance(body.appointment, Appointment) and appointment_fits(body.appointment, body.key, replay.terms)


def _can_replace(body: ReplaceBody, replay: Replay) -> bool:
    """Return whether the table's rules let a key in, which does not wait yet: a judge has signed the player away."""
    asked = replay.session.parties.asked.get(VerifierKey.parse(body.key).name)
    if asked is not None and (asked.key, asked.word) == (body.key, "event"):
        return False
    try:
        key = check_new_key(body, replay.terms, replay.session, replay.conduct)
    except Failure:
        return False
    return isinstance(body.correction, Correction) and correction_fits(body.correction, key, replay.terms)
