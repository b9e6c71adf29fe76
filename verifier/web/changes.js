/**
 * What judges and others changed at a table, for the report of an event (specs/event.md, "Verification").
 * @module
 */

import { rulingsWithEffect } from './notices.js';

/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./findings.js').Message} Message */
/**
 * @typedef {{event: number, what: 'void' | 'set' | 'off' | 'taken-back' | 'replaced' | 'removed' | 'away', by: string[],
 *   roll?: number, declared?: number, party?: string, missing?: string[], results?: {die: number, result: number}[],
 *   text?: string}} Change
 */

/** The most changes of a game that a report has. */
export const MAX_CHANGES = 1_000;

/** @param {Game} game @returns {Change[]} in the order of their events */
export function changesOf(game) {
  const declared = new Set(game.declared);
  /** @type {Change[]} */
  const found = rulingsWithEffect(game).map(({ seq: event, author, body: { ruling, subject, results, text } }) => ({
    event,
    what: ruling === 'void' ? 'void' : 'set',
    by: [author],
    ...(declared.has(subject) ? { declared: subject } : { roll: subject }),
    ...(ruling === 'void' ? {} : { results }),
    text,
  }));
  for (const { seq, ended, by, end, missing } of game.rolls) {
    if (ended !== 'void' || by === null || game.terms.byName.get(by)?.role !== 'judge') continue;
    found.push({ event: /** @type {number} */ (end), what: 'off', by: [by], roll: seq, missing });
  }
  for (const { seq: event, roll, by } of game.takenBack) found.push({ event, what: 'taken-back', by, roll: roll.seq });
  for (const { seq: event, party, by } of game.replacements) found.push({ event, what: 'replaced', by: by.length > 0 ? by : [party], party });
  for (const { seq: event, author, party } of game.removals) found.push({ event, what: 'removed', by: [author], party });
  for (const { seq: event, author, party } of game.aways) found.push({ event, what: 'away', by: [author], party });
  return found.sort((one, other) => one.event - other.event);
}

/** The words of each change, which go on where the names end. @type {{[what: string]: {text: string}}} */
const WORDS = {
  void: { text: 'ruled the roll of event {roll} void. Why: {text}' },
  declared: { text: 'ruled void what was declared in event {declared}. Why: {text}' },
  set: { text: 'set results of the roll of event {roll}: {results}. Why: {text}' },
  off: { text: 'called off the roll of event {roll} before its dice were shown' },
  missing: { text: 'called off the roll of event {roll} before its dice were shown, and named as missing: {missing}' },
  'taken-back': { text: 'took back the roll of event {roll} after its dice were shown' },
  replaced: { text: 'gave {party} a new key: {party} may be somebody else now' },
  recovered: { text: 'goes on under a new key, by the recovery key' },
  removed: { text: 'took {party} out of the game' },
  away: { text: 'signed {party} away' },
};

/** @param {Change} change @returns {string} the name of its words */
function wordsOf({ what, by, declared, missing = [], party }) {
  if (declared !== undefined) return 'declared';
  if (missing.length > 0) return 'missing';
  return what === 'replaced' && by[0] === party ? 'recovered' : what;
}

/** @param {Change} change of a game @param {{round: number, table: number}} where @returns {Message} */
export function changeWords(change, { round, table }) {
  const { event, by, roll = 0, declared = 0, party = '', missing = [], results = [], text = '' } = change;
  const dice = results.map((each) => ({ text: 'die {die}: {result}', values: each }));
  const values = { roll, declared, party, missing: { names: missing }, results: { list: dice }, text };
  const what = { text: WORDS[wordsOf(change)].text, values };
  return { text: 'round {round}, table {table}, event {event}, {by}: {what}', values: { round, table, event, by: { names: by }, what } };
}
