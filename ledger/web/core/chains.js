/**
 * Seed chains of this party (specs/dice.md), their secrets sealed (specs/page.md, "Keys and memory").
 *
 * A secret is unsealed only to make a link, and is never stored unsealed.
 * @module
 */

import { concat, fromHex, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { linkMessage } from '../../../verifier/web/dice.js';
import { forget, hmac } from '../../../verifier/web/sha256.js';
import { Refused, say } from './errors.js';
import { random } from './signer.js';

/** @typedef {import('./memory.js').OwnChain} OwnChain */

const { subtle } = globalThis.crypto;

/** Links of a new chain: each link for a roll is computed down from the last one. */
export const CHAIN_LENGTH = 1_024;

/**
 * Computes the link `to` of a chain, from link `from`; no memory keeps those between.
 * @param {Uint8Array} game @param {string} name @param {number} from @param {Uint8Array} secret link `from` @param {number} to @returns {Uint8Array}
 */
function walk(game, name, from, secret, to) {
  let known = secret.slice();
  for (let index = from; index > to; index--) {
    const next = hmac(known, linkMessage(game, name, index));
    known.fill(0);
    known = next;
  }
  forget();
  return known;
}

/** @param {boolean} [readable] @returns {Promise<CryptoKey>} that seals the secrets of a seat, and cannot be read, or by its storage alone */
export const newSealingKey = (readable = false) =>
  /** @type {Promise<CryptoKey>} */ (subtle.generateKey({ name: 'AES-GCM', length: 256 }, readable, ['encrypt', 'decrypt']));

/** @param {CryptoKey} key @param {Uint8Array} data @param {Uint8Array} bound @returns {Promise<string>} hex: nonce, then what is sealed */
export async function seal(key, data, bound) {
  const nonce = random(12);
  const how = { name: 'AES-GCM', iv: nonce, additionalData: bound };
  return toHex(concat(nonce, new Uint8Array(await subtle.encrypt(how, key, data))));
}

/** @param {CryptoKey} key @param {string} sealed @param {Uint8Array} bound @returns {Promise<Uint8Array>} @throws {Error} where it is not so sealed */
export async function unseal(key, sealed, bound) {
  const bytes = fromHex(sealed);
  const how = { name: 'AES-GCM', iv: bytes.subarray(0, 12), additionalData: bound };
  return new Uint8Array(await subtle.decrypt(how, key, bytes.subarray(12)));
}

/** @param {Uint8Array} game @param {string} tip hex @returns {Uint8Array} */
const bound = (game, tip) => concat(utf8('rollproof/v1/page chain\n'), game, fromHex(tip));

/**
 * @param {Uint8Array} game its id @param {string} name of the party @param {CryptoKey} key that seals @param {number} length
 * @returns {Promise<OwnChain>}
 */
export async function newChain(game, name, key, length = CHAIN_LENGTH) {
  return ownChain(game, name, key, random(32), length);
}

/** @param {Uint8Array} game @param {string} name @param {CryptoKey} key @param {Uint8Array} secret @param {number} length @returns {Promise<OwnChain>} */
export async function ownChain(game, name, key, secret, length) {
  const tip = toHex(walk(game, name, length, secret, 0));
  const sealed = await seal(key, secret, bound(game, tip));
  secret.fill(0);
  return { tip, length, sealed, opened: 0, request: '', opening: '', moved: false, replaced: false };
}

/** @param {Uint8Array} game @param {CryptoKey} key @param {OwnChain} own @returns {Promise<Uint8Array>} its secret @throws {Refused} */
export async function secretOf(game, key, own) {
  try {
    return await unseal(key, own.sealed, bound(game, own.tip));
  } catch {
    throw new Refused('seed', say('The secret of your seed chain cannot be opened in this browser. Commit to a new chain between rolls.'));
  }
}

/** @param {Uint8Array} game @param {string} name @param {CryptoKey} key @param {OwnChain} own @param {number} index @returns {Promise<string>} hex */
export async function linkOf(game, name, key, own, index) {
  const secret = await secretOf(game, key, own);
  const link = toHex(walk(game, name, own.length, secret, index));
  secret.fill(0);
  return link;
}
