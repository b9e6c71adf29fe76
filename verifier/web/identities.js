/**
 * Names and verifier keys (specs/log.md, "The event" and "Identities").
 * @module
 */

import { concat, fromBase64, toBase64, toHex, utf8 } from './bytes.js';
import { hasSmallOrder } from './ed25519.js';
import { MLDSA_KEY } from './mldsa.js';
import { sha256 } from './sha256.js';

/** Type bytes of keys: an Ed25519 key, one for cosignatures, and one for cosignatures with ML-DSA-44. */
export const TYPE_ED25519 = 0x01;
export const TYPE_COSIGNATURE = 0x04;
export const TYPE_MLDSA = 0x06;

const NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;

/** @param {unknown} value @returns {value is string} whether it has the form of a name */
export const isName = (value) => typeof value === 'string' && NAME.test(value);

/**
 * @typedef {object} Identity
 * @property {string} name
 * @property {Uint8Array} keyId 4 bytes
 * @property {number} type of the key
 * @property {Uint8Array} publicKey 32 bytes, of ML-DSA-44 1,312
 */

/**
 * @param {string} name @param {number} type @param {Uint8Array} publicKey
 * @returns {Uint8Array} the key id, 4 bytes
 */
export function keyId(name, type, publicKey) {
  return sha256(concat(utf8(name), new Uint8Array([0x0a, type]), publicKey)).subarray(0, 4);
}

/** @param {string} name @param {Uint8Array} publicKey @returns {string} */
export function verifierKey(name, publicKey) {
  const key = concat(new Uint8Array([TYPE_ED25519]), publicKey);
  return `${name}+${toHex(keyId(name, TYPE_ED25519, publicKey))}+${toBase64(key)}`;
}

/**
 * @param {string} text @param {number} type @param {(name: string) => boolean} takes names that count
 * @returns {Identity | null} null where it is no valid key of that type
 */
export function readKey(text, type, takes) {
  const first = text.indexOf('+');
  const second = text.indexOf('+', first + 1); // base64 may have a plus, names and key ids have none
  if (first < 0 || second < 0) return null;
  const name = text.slice(0, first);
  const bytes = fromBase64(text.slice(second + 1));
  if (!takes(name) || bytes === null || bytes[0] !== type) return null;
  if (bytes.length !== 1 + (type === TYPE_MLDSA ? MLDSA_KEY : 32)) return null;
  const publicKey = bytes.slice(1);
  const id = keyId(name, type, publicKey);
  if (text.slice(first + 1, second) !== toHex(id) || (type !== TYPE_MLDSA && hasSmallOrder(publicKey))) return null;
  return { name, keyId: id, type, publicKey };
}

/** @param {string} text @returns {Identity | null} null where it is no valid verifier key */
export const readVerifierKey = (text) => readKey(text, TYPE_ED25519, (name) => isName(name) && name !== 'file');
