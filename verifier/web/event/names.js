/**
 * The salted names of an event's players (specs/event.md, "Names and claims").
 * @module
 */

import { concat, fromHex, fromUtf8, toHex, utf8 } from '../bytes.js';
import { readCanonical } from '../json.js';
import { array, hex32, members, requiredText } from '../schema.js';
import { sha256 } from '../sha256.js';
import { MAX_PLAYERS } from '../constants.js';
import { number } from './acts.js';

/** Bytes of a names file. */
export const MAX_NAMES = 8_388_608;

/** @typedef {{event: string, names: {name: string, number: number, salt: string}[]}} Names */

const NAMES = members({ event: hex32, names: array(members({ name: requiredText, number, salt: hex32 }), 0, MAX_PLAYERS) });

/** @param {string} name @param {string} salt hex @returns {string} hex */
export const nameHash = (name, salt) => toHex(sha256(concat(utf8('rollproof/v1/name\n'), fromHex(salt), utf8(name))));

/** @param {Uint8Array} bytes with its line feed or without @returns {Names | null} null where it is no names file */
export function readNames(bytes) {
  if (bytes.length > MAX_NAMES) return null;
  const text = fromUtf8(bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes);
  /** @type {any} */
  const found = text === null ? undefined : readCanonical(text);
  if (found === undefined || NAMES(found) !== null) return null;
  const numbers = found.names.map((/** @type {{number: number}} */ each) => each.number);
  return numbers.every((/** @type {number} */ each, /** @type {number} */ at) => at === 0 || numbers[at - 1] < each) ? found : null;
}
