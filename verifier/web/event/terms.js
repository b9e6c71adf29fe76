/**
 * The first line of an event log and the terms in it (specs/event.md, E1).
 * @module
 */

import { fromUtf8, toHex } from '../bytes.js';
import { MAX_LINE } from '../constants.js';
import { Failure } from '../findings.js';
import { readVerifierKey } from '../identities.js';
import { isObject, member, readPlain } from '../json.js';
import { SYSTEMS } from '../systems.js';
import { EVENT_FORMAT } from './acts.js';

/** @typedef {import('../schema.js').Event} Line */
/** @typedef {import('./log.js').Opened0} Opened0 */

export const PLAYER = /^p[0-9]+$/;
export const STAFF = ['organizer', 'head', 'judge'];

/** @param {Uint8Array} line without its line feed @returns {string | null} the format of the event that it opens, known or not; null: it opens none */
export function formatOf(line) {
  const text = line.length > MAX_LINE ? null : fromUtf8(line);
  const value = text === null ? undefined : readPlain(text)?.value;
  const body = isObject(value) && member(value, 'type') === 'open' ? member(value, 'body') : undefined;
  const act = isObject(body) ? member(body, 'act') : undefined;
  const format = isObject(act) ? member(act, 'event') : undefined;
  return typeof format === 'string' && format.startsWith('rollproof/event/') ? format : null;
}

/** Steps 1 and 2. @param {Uint8Array | null} line the first, without its line feed; null: there is none @throws {Failure} */
export function checkFirst(line) {
  if (line === null) throw new Failure(1, 'file.empty', 'The file is empty.');
  const format = formatOf(line);
  if (format === null) throw new Failure(1, 'file.not-a-log', 'The file is no event log: its first line opens no event.');
  if (format !== EVENT_FORMAT) {
    const values = { actual: format, expected: EVENT_FORMAT };
    throw new Failure(
      2,
      'file.version',
      "The log has format '{actual}'; this program reads '{expected}'. Use a newer program to judge it.",
      values,
      values,
    );
  }
}

/** @param {string} text @param {{[name: string]: import('../findings.js').Value}} [values] @returns {Failure} */
const noTerms = (text, values = {}) =>
  new Failure(10, 'open.terms', "The event's terms are not valid: {problem}.", { problem: { text, values } }, { clause: 'E1' });

/** E1. @param {Line} line @returns {Opened0} @throws {Failure} */
export function readTerms({ author, body: { act, by } }) {
  const [keeper, ...organizers] = [act.keeper, ...act.organizers].map((text) => {
    const found = readVerifierKey(text);
    if (found === null) throw noTerms('{text} is no verifier key that is valid', { text });
    return found;
  });
  const keys = [keeper, ...organizers];
  const several = (/** @type {string[]} */ each) => new Set(each).size < keys.length;
  if (several(keys.map(({ name }) => name)) || several(keys.map(({ publicKey }) => toHex(publicKey)))) {
    throw noTerms('two of keeper and organizers share a name or a key');
  }
  if (keys.some(({ name }) => PLAYER.test(name))) throw noTerms("p and a number is a player's name");
  if (author !== keeper.name || by !== organizers[0].name) throw noTerms('the keeper writes it, and the first organizer signs it');
  if ([...new Set(act.results)].sort().join() !== act.results.join()) throw noTerms('what a slip has of each side is sorted, each once');
  if (!SYSTEMS.has(act.system)) {
    throw new Failure(
      3,
      'file.system',
      "The log was made for the rules '{actual}', which this program does not have.",
      { actual: act.system },
      { expected: [...SYSTEMS.keys()].sort().join(', '), actual: act.system },
    );
  }
  return { terms: act, keeper, organizers };
}
