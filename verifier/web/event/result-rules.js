/**
 * Rules on results and calls (specs/event.md, E22 to E27).
 * @module
 */

import { refuse } from './refusals.js';
import { roundIn, tableIn } from './round-rules.js';
import { STAFF } from './terms.js';

/** @typedef {import('./log.js').EventLog} EventLog */
/** @typedef {import('./log.js').EventTableNow} EventTableNow */
/** @typedef {import('./log.js').Where} Where */

/** E22. @param {EventLog} log @param {string} by @param {EventTableNow} table @returns {number} the position of the author's side @throws {Failure} */
function sideOf(log, by, table) {
  const player = log.playerNamed(by);
  const side = player === null ? -1 : table.sides.findIndex((each) => each.includes(player.number));
  return side >= 0 ? side : refuse(22, 'act.seat', '{by} does not sit at table {table}.', { by, table: table.number });
}

/** @param {EventLog} log @param {'call' | 'appeal' | 'answer'} kind @param {any} act @param {string} by @param {Where} where */
export function callJudge(log, kind, act, by, { seq, time }) {
  if (kind === 'call') {
    const { round, table, text } = act;
    sideOf(log, by, tableIn(roundIn(log, round, ['running']), table));
    log.calls.set(seq, { kind, round, table, done: false, by, text, time, of: null });
    return;
  }
  const of = kind === 'answer' ? act.call : act.answer;
  const call = log.calls.get(of);
  if (kind === 'answer') {
    if (call === undefined || call.kind === 'answer' || call.done) {
      return refuse(23, 'call.unknown', 'Line {line} is no call that waits for an answer.', { line: of });
    }
    const same = call.kind === 'appeal' && log.calls.get(/** @type {number} */ (call.of))?.by === by;
    if (call.kind === 'appeal' && (same || log.roleOf(by) === 'judge')) {
      refuse(24, 'call.head', '{by} cannot answer this appeal: a head judge or organizer does, who did not give the answer.', { by });
    }
  } else {
    if (call === undefined || call.kind !== 'answer' || call.done) {
      return refuse(23, 'call.unknown', 'Line {line} is no answer that can be appealed.', { line: of });
    }
    sideOf(log, by, tableIn(log.rounds[call.round - 1], call.table));
  }
  const { round, table } = call;
  call.done = true;
  log.calls.set(seq, { kind, round, table, done: kind === 'answer' && call.kind === 'appeal', by, text: act.text, time, of });
}

/** E26, without the reason. @param {EventLog} log @param {EventTableNow} table @param {any[]} sides @throws {Failure} */
function checkForm(log, table, sides) {
  const names = [...log.terms.results].sort();
  if (sides.length === table.sides.length && sides.every((side) => Object.keys(side).sort().join() === names.join())) return;
  refuse(26, 'slip.form', 'A slip of table {table} has {count} sides, each with: {names}.', {
    table: table.number,
    count: table.sides.length,
    names: names.join(', '),
  });
}

/** E25. @param {EventTableNow} table @throws {Failure} */
function checkOpen(table) {
  if (table.result !== null) refuse(25, 'slip.stands', 'Table {table} has a match result that stands.', { table: table.number });
}

/** @param {EventLog} log @param {any} act @param {string} by @param {Where} where */
export function slip(log, { round, sides, table: number, reason }, by, { seq }) {
  const table = tableIn(roundIn(log, round, ['running', 'ended']), number);
  const staff = STAFF.includes(/** @type {string} */ (log.roleOf(by)));
  const side = staff ? null : sideOf(log, by, table);
  checkOpen(table);
  checkForm(log, table, sides);
  if (staff !== (reason !== undefined)) refuse(26, 'slip.form', 'A slip has a reason just where a judge or organizer writes it.');
  if (side === null || table.sides.length === 1) Object.assign(table, { result: sides, by, claim: null });
  else table.claim = { seq, sides, signed: [side] };
  if (side !== null) table.claims.set(side, sides);
  log.count('event.judged', seq, staff ? 1 : 0);
  log.slips.set(seq, { round, table });
}

/** @param {EventLog} log @param {any} act @param {string} by @param {Where} where */
export function correctResult(log, { round, sides, table: number, reason }, by, { seq }) {
  const table = tableIn(roundIn(log, round, ['running', 'ended']), number);
  if (table.result === null) refuse(25, 'slip.stands', 'Table {table} has no match result that could be corrected.', { table: number });
  checkForm(log, table, sides);
  Object.assign(table, { result: sides, by, corrected: { by, reason, was: table.result } });
  log.count('event.corrected', seq);
}

/** @param {EventLog} log @param {any} act @param {string} by */
export function agree(log, { slip }, by) {
  const found = log.slips.get(slip);
  const table = found && log.rounds[found.round - 1].tables.get(found.table.number);
  if (found === undefined || table !== found.table) {
    return refuse(27, 'slip.side', 'Line {line} is no slip of a table of this event.', { line: slip });
  }
  const side = sideOf(log, by, table);
  checkOpen(table);
  const { claim } = table;
  if (claim === null || claim.seq !== slip || claim.signed.includes(side)) {
    const text = "{by} cannot agree to slip {line}: a later one took its place, or {by}'s side has signed it.";
    return refuse(27, 'slip.side', text, { by, line: slip });
  }
  claim.signed.push(side);
  table.claims.set(side, claim.sides);
  if (claim.signed.length === table.sides.length) Object.assign(table, { result: claim.sides, by, claim: null });
  return undefined;
}
