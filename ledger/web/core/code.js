/**
 * The code of a table: what people read to each other to see whether they have the same lines (specs/disputes.md).
 * @module
 */

import { concat, fromHex, toBase64, utf8 } from '../../../verifier/web/bytes.js';
import { sha256 } from '../../../verifier/web/sha256.js';

const LABEL = utf8('rollproof/v1/code\n');
const DIGITS = 30;

/** @param {string} text of a checkpoint @returns {string} six groups of five digits */
export function codeOf(text) {
  const number = sha256(concat(LABEL, utf8(text))).reduce((sum, byte) => (sum * 256n + BigInt(byte)) % 10n ** BigInt(DIGITS), 0n);
  return /** @type {RegExpMatchArray} */ (number.toString().padStart(DIGITS, '0').match(/.{5}/g)).join(' ');
}

/** @param {string} game hex @param {number} size @param {string} root hex, of its first `size` lines @returns {string} */
export const tableCode = (game, size, root) => codeOf(`rollproof/v1/${game}\n${size}\n${toBase64(fromHex(root))}\n`);
