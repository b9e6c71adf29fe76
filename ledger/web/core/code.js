/**
 * The code of a table, which people read to each other to compare their lines (specs/disputes.md).
 * @module
 */

import { fromHex, toBase64, utf8 } from '../../../verifier/web/bytes.js';
import { sha256 } from '../../../verifier/web/sha256.js';

const LABEL = 'rollproof/v1/code\n';
const DIGITS = 30;
const GROUP = 5;
const BETWEEN = /[\s\-\u2010-\u2015\u2212]+/gu;
const DIGIT = /^\p{Nd}$/u;

/** @param {string} digits @returns {string} */
const grouped = (digits) => digits.replace(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1 ');

/** @param {string} text of a checkpoint: its three lines @returns {string} six groups of five digits */
export function codeOf(text) {
  let number = 0n;
  for (const byte of sha256(utf8(`${LABEL}${text}`))) number = (number << 8n) | BigInt(byte);
  return grouped(String(number % 10n ** BigInt(DIGITS)).padStart(DIGITS, '0'));
}

/** @param {string} game hex @param {number} size @param {string} root hex, of the first `size` lines @returns {string} */
export const tableCode = (game, size, root) => codeOf(`rollproof/v1/${game}\n${size}\n${toBase64(/** @type {Uint8Array} */ (fromHex(root)))}\n`);

/** @param {string} key a verifier key @returns {string} by which people tell it from another, read out in full */
export const keyCode = (key) => codeOf(`${key}\n`);

/** The digits of each script stand in runs of ten, from zero on. @param {string} character @returns {number} its decimal value */
function decimal(character) {
  const point = /** @type {number} */ (character.codePointAt(0));
  let zero = point;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--;
  return (point - zero) % 10;
}

/** @param {string} text @returns {string | null} the decimal digits of a text that has nothing else but blanks and hyphens */
function digitsOf(text) {
  const found = [...text.replace(BETWEEN, '')];
  return found.every((each) => DIGIT.test(each)) ? found.map(decimal).join('') : null;
}

/**
 * Parses a typed code.
 * @param {string} text @returns {{size: number | null, code: string} | null} for how many lines it is said to be, if it is said; null: it is no code
 */
export function parseCode(text) {
  const parts = text.replaceAll('\uff1a', ':').split(':');
  const digits = digitsOf(parts[parts.length - 1]);
  if (digits === null || digits.length !== DIGITS || parts.length > 2) return null;
  if (parts.length === 1) return { size: null, code: grouped(digits) };
  const count = digitsOf(parts[0]);
  const size = Number(count);
  return count === null || count === '' || count.length > 16 || !Number.isSafeInteger(size) || size < 1 ? null : { size, code: grouped(digits) };
}
