/**
 * Cosignatures with ML-DSA-44 (specs/checkpoints.md, "Cosignatures"), where the platform's WebCrypto has the algorithm.
 * @module
 */

import { concat, fromBase64, u64, utf8 } from './bytes.js';

/** Bytes of a public key, and of a signature. */
export const MLDSA_KEY = 1312;
export const MLDSA_SIGNATURE = 2420;

const ALGORITHM = 'ML-DSA-44';
const LABEL = utf8('subtree/v1\n\0');
const MAX_STRING = 255;

/** @type {Promise<boolean> | null} */
let available = null;

/** @param {Uint8Array} key @returns {Promise<CryptoKey>} @throws where the platform has no ML-DSA-44 */
const importKey = (key) => globalThis.crypto.subtle.importKey(/** @type {any} */ ('raw-public'), key, ALGORITHM, false, ['verify']);

/** Asks the platform once. @returns {Promise<boolean>} whether signatures of ML-DSA-44 can be checked here */
export function mldsaIsAvailable() {
  available ??= importKey(new Uint8Array(MLDSA_KEY)).then(
    () => true,
    () => false,
  );
  return available;
}

/** @param {string} text @returns {Uint8Array} behind its length, one byte */
function short(text) {
  const bytes = utf8(text);
  return concat(new Uint8Array([bytes.length]), bytes);
}

/**
 * @param {string} name of the witness @param {bigint} time @param {string} text of the checkpoint
 * @returns {Uint8Array | null} what is signed; null of a checkpoint of which nothing can be
 */
export function subtreeMessage(name, time, text) {
  const [origin, size, root] = text.split('\n');
  const hash = fromBase64(root);
  if (hash === null || utf8(origin).length > MAX_STRING) return null;
  const at = new Uint8Array(8);
  new DataView(at.buffer).setBigUint64(0, time);
  return concat(LABEL, short(name), at, short(origin), u64(0), u64(Number(size)), hash);
}

/**
 * @param {Uint8Array} key @param {Uint8Array} signature @param {Uint8Array} message
 * @returns {Promise<boolean>} whether the signature, pure and with an empty context, is valid
 */
export async function mldsaVerify(key, signature, message) {
  try {
    return await globalThis.crypto.subtle.verify(ALGORITHM, await importKey(key), signature, message);
  } catch {
    return false;
  }
}
