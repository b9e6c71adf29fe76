/**
 * Event 0 of an event table, which follows from the event log (specs/event.md, "Event tables").
 * @module
 */

import { concat, fromHex, toHex, u64, utf8 } from '../bytes.js';
import { FORMAT, MAX_PARTIES, NO_HASH } from '../constants.js';
import { Failure } from '../findings.js';
import { byCodePoint, canonical } from '../json.js';
import { readEvent } from '../lines.js';
import { sha256 } from '../sha256.js';

/** @typedef {{member: string, expected: string, actual: string}} Difference the first member that differs, by name */

/**
 * Event 0 of a table without its `sig`.
 * @param {import('./log.js').EventLog} log @param {import('./log.js').Opening} opening @param {import('./log.js').Opened} opened @returns {any}
 */
export function eventZero(log, opening, { table, keys }) {
  const { contributors, options, system, title, keeper, away } = log.terms;
  const players = keys.map((key) => ({ key, role: 'player' }));
  const judges = opening.judges.slice(0, MAX_PARTIES - 1 - players.length).map((key) => ({ key, role: 'judge' }));
  const nonce = toHex(sha256(concat(utf8('rollproof/v1/event table\n'), fromHex(log.id), u64(opening.seq), u64(table))));
  const body = {
    admits: ['judge'],
    ...(away === undefined ? {} : { away }),
    contributors,
    event: { id: log.id, organizers: opening.organizers.slice(0, MAX_PARTIES) },
    format: FORMAT,
    nonce,
    options,
    parties: [{ key: keeper, role: 'keeper' }, ...players, ...judges],
    system,
    title: `${title}, round ${opening.round}, table ${table}`,
  };
  return { author: log.keeper, body, game: NO_HASH, prev: NO_HASH, seq: 0, time: opening.time, type: 'open' };
}

/** @param {any} value @returns {string | null} null: it is not there */
const formOf = (value) => (value === undefined ? null : canonical(value));

/** @param {any} value @returns {string} at most 400 code points of its canonical form; `-`: it is not there */
const shown = (value) => [...(formOf(value) ?? '-')].slice(0, 400).join('');

/** @param {any} expected @param {any} actual @param {string} before the name @param {string[]} [left] names that are left out @returns {Difference | null} */
function firstOf(expected, actual, before, left = []) {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort(byCodePoint);
  for (const name of names) {
    const [one, other] = [expected, actual].map((each) => (Object.hasOwn(each, name) ? each[name] : undefined));
    if (left.includes(name) || formOf(one) === formOf(other)) continue;
    return { member: before + name, expected: shown(one), actual: shown(other) };
  }
  return null;
}

/**
 * Compares a first line with the event log; returns the first difference.
 * @param {Uint8Array} line without its line feed @param {any} zero `eventZero` @returns {Difference | null} null: in nothing
 */
export function difference(line, zero) {
  let event;
  try {
    event = readEvent(line);
  } catch (error) {
    if (error instanceof Failure) return { member: 'line', expected: '', actual: error.code };
    throw error;
  }
  return firstOf(zero, event, '', ['sig', 'body']) ?? firstOf(zero.body, event.body, 'body.');
}
