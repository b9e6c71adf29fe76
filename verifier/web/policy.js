/**
 * Policies: whose cosignatures are enough (specs/checkpoints.md, "Policy").
 * @module
 */

import { fromUtf8, toHex } from './bytes.js';
import { MAX_NOTE, MAX_POLICY } from './constants.js';
import { readKey, readVerifierKey, TYPE_COSIGNATURE } from './identities.js';
import { isCosignedBy, isKeyName, readNumber } from './notes.js';

/** @typedef {import('./identities.js').Identity} Identity */
/** @typedef {{witness: Identity} | {members: string[], least: number}} Member a witness, or a group */
/** @typedef {{logs: Identity[], members: Map<string, Member>, quorum: string | null}} Policy quorum null: none */

// Bytes below 0x20 other than tab and line feed, and 0x7f.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** @param {string} word @param {number} count of members @returns {number | null} */
function leastOf(word, count) {
  if (word === 'all') return count;
  if (word === 'any') return 1;
  const least = readNumber(word);
  return least !== null && least >= 1 && least <= count ? least : null;
}

/** @param {Uint8Array} bytes @returns {Promise<Policy | null>} null where it must be refused */
export async function readPolicy(bytes) {
  const text = bytes.length <= MAX_NOTE ? fromUtf8(bytes) : null;
  if (text === null || CONTROL.test(text) || !text.endsWith('\n')) return null;
  /** @type {Identity[]} */
  const logs = [];
  /** @type {Map<string, Member>} */
  const members = new Map();
  const keys = new Set();
  const grouped = new Set();
  let quorum;
  let [witnesses, groups] = [0, 0];
  for (const line of text.slice(0, -1).split('\n')) {
    if (line.startsWith('#')) continue;
    const items = line.split(/[ \t]+/).filter((item) => item !== '');
    if (items.length === 0) continue;
    const [word, name, ...rest] = items;
    if (word === 'log') {
      const key = items.length <= 3 && name !== undefined ? readVerifierKey(name) : null;
      if (key === null || keys.has(toHex(key.publicKey)) || logs.length === MAX_POLICY) return null;
      keys.add(toHex(key.publicKey));
      logs.push(key);
    } else if (word === 'witness') {
      const key = rest.length >= 1 && rest.length <= 2 ? readKey(rest[0], TYPE_COSIGNATURE, isKeyName) : null;
      if (key === null || keys.has(toHex(key.publicKey)) || members.has(name) || name === 'none' || witnesses++ === MAX_POLICY) return null;
      keys.add(toHex(key.publicKey));
      members.set(name, { witness: key });
    } else if (word === 'group') {
      const [how, ...names] = rest;
      const least = names.length > 0 ? leastOf(how, names.length) : null;
      if (least === null || members.has(name) || name === 'none' || groups++ === MAX_POLICY) return null;
      for (const each of names) {
        if (!members.has(each) || grouped.has(each)) return null;
        grouped.add(each);
      }
      members.set(name, { members: names, least });
    } else if (word === 'quorum') {
      if (quorum !== undefined || items.length !== 2 || (name !== 'none' && !members.has(name))) return null;
      quorum = name === 'none' ? null : name;
    } else {
      return null;
    }
  }
  return quorum === undefined ? null : { logs, members, quorum };
}

/** @param {Policy} policy @param {Uint8Array} keeper public key @returns {boolean} whether the policy accepts this keeper */
export const acceptsKeeper = (policy, keeper) =>
  policy.logs.length === 0 || policy.logs.some((log) => toHex(log.publicKey) === toHex(keeper));

/** @param {Policy} policy @param {import('./notes.js').Note} note @returns {Promise<boolean>} whether its quorum is met */
export async function isMet(policy, note) {
  /** @type {Map<string, boolean>} members stand behind what they are members of, so each is known when it is asked for */
  const met = new Map();
  for (const [name, each] of policy.members) {
    met.set(name, 'witness' in each
      ? await isCosignedBy(note, each.witness)
      : each.members.filter((one) => met.get(one)).length >= each.least);
  }
  return policy.quorum === null || met.get(policy.quorum) === true;
}

/** @param {Policy} policy @returns {boolean} whether two sets of witnesses without one in common can each meet it */
export function isSplit(policy) {
  const twice = new Map();
  for (const [name, each] of policy.members) {
    twice.set(name, 'members' in each
      && 2 * each.least <= each.members.length + each.members.filter((one) => twice.get(one)).length);
  }
  return policy.quorum === null || twice.get(policy.quorum) === true;
}
