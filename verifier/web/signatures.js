/**
 * Whether a signature is valid by specs/log.md ("Signatures"), with WebCrypto for the work.
 *
 * Platforms disagree on few inputs, and each of them is settled by the rule of the specification:
 * - S not reduced, A or R not canonical or of small order: refused here, before WebCrypto is asked (checks 1 to 3).
 * - A platform that refuses what the rule allows: whatever WebCrypto refuses is computed again (check 4).
 * - A platform that takes what the rule refuses, because its equation has the cofactor: after checks 1 to 3 this needs an
 *   A or R of mixed order, so `prepare` asks it about such ones. A platform that takes one of them, or that has no
 *   Ed25519, is not asked again, and everything is computed here: slowly, with the same answers.
 * @module
 */

import { fromHex } from './bytes.js';
import { equationHolds, isPlausible, isReduced } from './ed25519.js';

const { subtle } = globalThis.crypto;

/**
 * Signatures by which platforms can be told apart, from specs/vectors/signatures.json: key, message, signature, valid.
 * @type {[string, string, string, boolean][]}
 */
const PROBES = [
  // pure A, pure R
  [
    '845d17ede4ba298b4dae2f12f7b51f8b322a797ee2e572f4306baeb107f86703',
    '6d6573736167652030',
    '05ff81d5bb24e3c397f10082b9737237cb6d401d05cfaf68a7bcf617dc1982acfdbc8221fdc9760b63f72c7a50101301a6f9771ebdc0682980b22df1db50c10b',
    true,
  ],
  // mixed A, pure R, no part of small order left
  [
    'ebe2a45b3009acb13357e1fb46256f1c271394d5f34c9797297eae2c1a35cdba',
    '6d697865642041203131',
    '6782a1083c265fb4c659775a83e36fc32835b0731c5eeeb82813bfaae3241d99586851504c9021384faf604fd6f3d61900dff449e003808456a6c9987c02c00a',
    true,
  ],
  // mixed A, pure R
  [
    'ebe2a45b3009acb13357e1fb46256f1c271394d5f34c9797297eae2c1a35cdba',
    '6d6978656420412030',
    '6782a1083c265fb4c659775a83e36fc32835b0731c5eeeb82813bfaae3241d995f268296496942c147215e9daa896b8d9f072a00503b80ed31e352cff6cb7202',
    false,
  ],
  // mixed A, mixed R
  [
    'ebe2a45b3009acb13357e1fb46256f1c271394d5f34c9797297eae2c1a35cdba',
    '6d69786564204120616e6420522030',
    '934576151293419f9f4c76a5c0e93ee076c21d85dbe60cf80af5ef4b08324bfe82c54f9a9b21e1d1c77dae3419761ffe46c0c15bc1a0c9b1627e0fdb0fe7d507',
    false,
  ],
  // pure A, mixed R
  [
    '845d17ede4ba298b4dae2f12f7b51f8b322a797ee2e572f4306baeb107f86703',
    '6d6978656420522030',
    '934576151293419f9f4c76a5c0e93ee076c21d85dbe60cf80af5ef4b08324bfe6f2884d9b7805a5fb41368dfe69d25d46271e88ab654b6a3fa1b0671d0c3b90f',
    false,
  ],
  // mixed A, k not reduced
  [
    'ebe2a45b3009acb13357e1fb46256f1c271394d5f34c9797297eae2c1a35cdba',
    '6b2061732069742069732035',
    '6782a1083c265fb4c659775a83e36fc32835b0731c5eeeb82813bfaae3241d9979e75d2b358bf2254d472941b8f1af66a35f339b22e466fd270794a841ae4e05',
    false,
  ],
  // speccheck 3
  [
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
    '9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009',
    true,
  ],
  // speccheck 4
  [
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    '160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09',
    false,
  ],
  // speccheck 5
  [
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    '21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405',
    false,
  ],
];

/** @type {Promise<boolean> | null} */
let prepared = null;

/** @param {Uint8Array} key @returns {Promise<CryptoKey | null>} null where the platform does not take it */
async function importKey(key) {
  try {
    return await subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  } catch {
    return null;
  }
}

/** @param {CryptoKey} key @param {Uint8Array} signature @param {Uint8Array} message @returns {Promise<boolean>} */
async function ask(key, signature, message) {
  try {
    return await subtle.verify('Ed25519', key, signature, message);
  } catch {
    return false;
  }
}

/** @returns {Promise<boolean>} whether what this platform takes is valid, as far as the probes show */
async function probe() {
  for (const [key, message, signature, valid] of PROBES) {
    const imported = await importKey(fromHex(key));
    const taken = imported !== null && (await ask(imported, fromHex(signature), fromHex(message)));
    if (taken && !valid) return false;
  }
  return (await importKey(fromHex(PROBES[0][0]))) !== null;
}

/** Asks the platform once. @returns {Promise<boolean>} whether its answers are used */
export function prepare() {
  prepared ??= probe();
  return prepared;
}

/** A public key, ready for many signatures. */
export class PublicKey {
  /** @param {Uint8Array} bytes 32 bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.plausible = isPlausible(bytes);
    /** @type {CryptoKey | null} */
    this.imported = null;
    /** @type {Promise<void> | null} what `imported` waits for */
    this.importing = null;
  }

  /** @param {Uint8Array} bytes 32 bytes @returns {PublicKey} at once; its first signature waits until it is ready */
  static soon(bytes) {
    const key = new PublicKey(bytes);
    key.importing = PublicKey.from(bytes).then(({ imported }) => {
      key.imported = imported;
    });
    return key;
  }

  /** @param {Uint8Array} bytes 32 bytes @returns {Promise<PublicKey>} */
  static async from(bytes) {
    const key = new PublicKey(bytes);
    if (key.plausible && (await prepare())) key.imported = await importKey(bytes);
    return key;
  }

  /**
   * @param {Uint8Array} signature @param {Uint8Array} message
   * @returns {Promise<boolean>} whether the signature is valid by the rule of the specification
   */
  async verify(signature, message) {
    if (signature.length !== 64 || !this.plausible) return false;
    if (!isReduced(signature.subarray(32)) || !isPlausible(signature.subarray(0, 32))) return false;
    if (this.importing !== null) await this.importing;
    if (this.imported !== null && (await ask(this.imported, signature, message))) return true;
    return equationHolds(this.bytes, signature, message);
  }
}
