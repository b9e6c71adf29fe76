/**
 * Keys that the caller expects, and names that look alike (specs/verification.md, "Keys that the caller expects").
 * @module
 */

import { toHex } from './bytes.js';
import { Failure } from './findings.js';
import { readVerifierKey } from './identities.js';

/** @typedef {import('./terms.js').Terms} Terms */

/** The replacements, in this order; no verdict depends on them. @type {[RegExp, string][]} */
const REPLACEMENTS = [
  [/[._-]/g, ''],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/0/g, 'o'],
  [/[1i]/g, 'l'],
  [/2/g, 'z'],
  [/5/g, 's'],
];

/** @param {string} name @returns {string} */
const skeleton = (name) => REPLACEMENTS.reduce((text, [from, to]) => text.replace(from, to), name);

/** @param {string} one @param {string} other @returns {boolean} */
export const lookAlike = (one, other) => skeleton(one) === skeleton(other);

/** @param {Terms} terms @param {string} key @returns {boolean} whether a party has its name or its public key */
export function isKnown(terms, key) {
  const identity = readVerifierKey(key);
  if (identity === null) throw new TypeError(`not a verifier key: ${key}`);
  return terms.byName.has(identity.name) || terms.parties.some((party) => toHex(party.key.bytes) === toHex(identity.publicKey));
}

/** The verifier key with which a party came. @param {import('./game.js').Place} place @returns {string} */
const firstKey = ({ party, former }) => (former[0] ?? party).verifierKey;

/**
 * Step 10, once more when all lines are taken: an admitted party counts from its join on.
 * @param {import('./game.js').Game} game @param {string[]} keys @returns {Failure | null}
 */
export function expectLate(game, keys) {
  const places = [...game.places.values()];
  const known = new Set(places.filter(({ late, joined }) => late === null || joined).map(firstKey));
  const terms = { ...game.terms, parties: places.map((place) => ({ ...place.party, verifierKey: firstKey(place) })) };
  try {
    for (const key of keys) if (!known.has(key)) expectKey(terms, key, true);
  } catch (failure) {
    if (failure instanceof Failure) return failure;
    throw failure;
  }
  return null;
}

/** @param {Terms} terms @param {string} key that must be a party's @param {boolean} [absent] it is known that it is none's who plays @throws {Failure} */
export function expectKey(terms, key, absent = false) {
  const identity = readVerifierKey(key);
  if (identity === null) throw new TypeError(`not a verifier key: ${key}`);
  const same = terms.parties.some((party) => party.verifierKey === key);
  if (same && !absent) return;
  if (same) {
    throw new Failure(10, 'expect.key', '{name} was let in with the key that you know, and has not joined.', {
      name: /** @type {import('./identities.js').Identity} */ (identity).name,
    });
  }
  const { name } = identity;
  const publicKey = toHex(identity.publicKey);
  const owner = terms.parties.find((party) => toHex(party.key.bytes) === publicKey);
  const similar = terms.parties.find((party) => lookAlike(party.name, name));
  if (terms.byName.has(name)) {
    throw new Failure(10, 'expect.key', 'The {name} of this log has another key than the {name} you know: somebody may be posing.', { name });
  }
  if (owner) throw new Failure(10, 'expect.key', "{name} is no party of this log: {name}'s key plays as {other}.", { name, other: owner.name });
  if (similar) {
    throw new Failure(
      10,
      'expect.key',
      'Nobody in this log has the key of {name} that you know. {other} looks like {name}, and has another key: somebody may be posing.',
      { name, other: similar.name },
    );
  }
  throw new Failure(10, 'expect.key', 'Nobody in this log has the key of {name} that you know, and no party is called {name}.', { name });
}
