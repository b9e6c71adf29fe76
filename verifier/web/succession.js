/**
 * Successions: a new key goes on where an old one ended (specs/profile.md).
 * @module
 */

import { concat, fromHex, toHex, utf8 } from './bytes.js';
import { hasSmallOrder } from './ed25519.js';
import { readVerifierKey } from './identities.js';
import { canonical, readCanonical } from './json.js';
import { SUCCESSION } from './schema.js';
import { PublicKey } from './signatures.js';

/** @typedef {{format: string, key: string, named: string, new: string, new_sig: string, recovery: string, sig: string, time: string}} Succession */

export const MAX_SUCCESSION = 2_000;

/** @param {string} label @param {any} value @returns {Uint8Array} */
const labelled = (label, value) => concat(utf8(`rollproof/v1/${label}\n`), utf8(/** @type {string} */ (canonical(value))));

/**
 * The bytes that a profile's key signs to name its recovery key. @param {string} key @param {string} recovery hex
 * @returns {Uint8Array}
 */
export const namingMessage = (key, recovery) => labelled('recovery', { format: 'rollproof/recovery/v1', key, recovery });

/**
 * The bytes that the recovery key and the new key sign. @param {{key: string, new: string, recovery: string, time:
 * string}} of @returns {Uint8Array}
 */
export const successionMessage = ({ key, new: successor, recovery, time }) =>
  labelled('succession', { format: 'rollproof/succession/v1', key, new: successor, recovery, time });

/** Whether this can be the recovery key of these keys. @param {string} recovery hex @param {string[]} keys verifier keys @returns {boolean} */
export const canRecover = (recovery, keys) =>
  !hasSmallOrder(/** @type {Uint8Array} */ (fromHex(recovery))) &&
  keys.every((key) => toHex(/** @type {any} */ (readVerifierKey(key)).publicKey) !== recovery);

/** @param {Uint8Array} key @param {string} sig hex @param {Uint8Array} message @returns {Promise<boolean>} */
export const isSignedWith = async (key, sig, message) => (await PublicKey.from(key)).verify(fromHex(sig), message);

/** @param {any} found a succession as an object @returns {Promise<string | null>} the code of what is wrong with it */
export async function successionFlaw(found) {
  if (SUCCESSION(found) !== null) return 'succession.malformed';
  const [old, successor] = [found.key, found.new].map(readVerifierKey);
  if (
    old === null ||
    successor === null ||
    old.name !== successor.name ||
    found.key === found.new ||
    !canRecover(found.recovery, [found.key, found.new])
  )
    return 'succession.malformed';
  if (!(await isSignedWith(old.publicKey, found.named, namingMessage(found.key, found.recovery)))) return 'succession.named';
  const message = successionMessage(found);
  if (!(await isSignedWith(/** @type {Uint8Array} */ (fromHex(found.recovery)), found.sig, message))) return 'succession.recovery';
  return (await isSignedWith(successor.publicKey, found.new_sig, message)) ? null : 'succession.new';
}

/** @param {string} line with its line feed or without @returns {Promise<string | null>} the code of what is wrong with it */
export async function successionLineFlaw(line) {
  const text = line.replace(/\n$/, '');
  const found = utf8(text).length > MAX_SUCCESSION ? undefined : readCanonical(text);
  return found === undefined ? 'succession.malformed' : successionFlaw(found);
}

/** @typedef {{newest: Map<string, string>, split: string[], joined: string[]}} Followed by public keys in hex */

/**
 * Maps each key to its newest. The successions were checked, and come in any order.
 * @param {Iterable<Succession>} successions @returns {Followed}
 */
export function follow(successions) {
  /** @type {Map<string, {new: string, recovery: string, differs: boolean}>} */
  const ways = new Map();
  /** @type {Map<string, Set<string>>} */
  const olders = new Map();
  for (const one of successions) {
    const [key, successor] = [one.key, one.new].map((each) => toHex(/** @type {any} */ (readVerifierKey(each)).publicKey));
    const before = ways.get(key) ?? { new: successor, recovery: one.recovery, differs: false };
    ways.set(key, { ...before, differs: before.differs || before.new !== successor || before.recovery !== one.recovery });
    olders.set(successor, (olders.get(successor) ?? new Set()).add(key));
  }
  const joined = [...olders].filter(([, keys]) => keys.size > 1).map(([key]) => key);
  const step = new Map([...ways].filter(([, way]) => !way.differs && (olders.get(way.new)?.size ?? 0) < 2).map(([key, way]) => [key, way.new]));
  const successors = new Set(step.values());
  const newest = new Map();
  for (const oldest of step.keys()) {
    if (successors.has(oldest)) continue; // in a round everybody has one before, and nobody leads into it
    const way = [oldest];
    let at = /** @type {string} */ (step.get(oldest));
    for (let next = step.get(at); next !== undefined; next = step.get(at)) {
      way.push(at);
      at = next;
    }
    for (const key of way) newest.set(key, at);
  }
  const split = [...ways].filter(([, way]) => way.differs).map(([key]) => key);
  return { newest, split: split.sort(), joined: joined.sort() };
}
