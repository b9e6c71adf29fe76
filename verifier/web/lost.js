/**
 * A lost browser: `replace`, and the consent to it, steps 15 and 16 of specs/verification.md.
 * @module
 */

import { fromHex, toHex } from './bytes.js';
import { Failure } from './findings.js';
import { readVerifierKey } from './identities.js';
import { isNewcomer, whoConsent } from './late.js';
import { PublicKey } from './signatures.js';
import { canRecover, namingMessage, successionMessage } from './succession.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./game.js').Demand} Demand */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Place} Place */

/** @param {Game} game @param {Place} place @param {string} publicKey hex @returns {string | null} who has, had or is to have the key */
function ownerOf(game, place, publicKey) {
  for (const each of game.places.values()) {
    const { party, former, asked } = each;
    const keys = [party.key.bytes, ...former.map(({ key }) => key.bytes), ...(asked && each !== place ? [asked.publicKey] : [])];
    if (keys.some((bytes) => toHex(bytes) === publicKey)) return party.name;
  }
  return null;
}

/** @param {Game} game @param {Event} event @param {Demand} demand @throws {Failure} */
export function replace(game, event, demand) {
  const { key, succession } = event.body;
  /** @param {string} text @param {{[name: string]: any}} values */
  const refuse = (text, values) => new Failure(15, 'state.replace', 'Nobody goes on under this key: {problem}.', { problem: { text, values } });
  const identity = readVerifierKey(key);
  if (identity === null) throw refuse('{text} is no verifier key that is valid', { text: key });
  const { name, publicKey } = identity;
  const place = game.place(name);
  if (!place?.away) throw refuse('{name} is nobody who is away', { name });
  if (succession === undefined && !place.signedAway) throw refuse('nobody else has signed {name} away', { name });
  const other = ownerOf(game, place, toHex(publicKey));
  if (other !== null) {
    throw new Failure(16, 'replace.key', 'The new key of {name} is one that {other} has, had or is to have.', { name, other });
  }
  if (succession === undefined) {
    place.asked = { seq: event.seq, key, publicKey, consents: new Set() };
    return;
  }
  checkSuccession(place, succession, key, publicKey, demand);
  renew(game, place, { seq: event.seq, key, publicKey }, event.seq, []);
}

/**
 * Step 16: from the party's present key to the new one, by the recovery key of its join, with all three signatures.
 * @param {Place} place @param {import('./succession.js').Succession} succession @param {string} key @param {Uint8Array} publicKey
 * @param {Demand} demand @throws {Failure}
 */
function checkSuccession({ party, recovery }, succession, key, publicKey, demand) {
  const { name } = party;
  if (succession.key !== party.verifierKey || succession.new !== key || succession.recovery !== recovery) {
    throw new Failure(
      16,
      'replace.succession',
      "The succession is not from {name}'s present key to this one, by the recovery key of {name}'s join.",
      { name },
    );
  }
  const wrong = () => new Failure(16, 'replace.succession', 'The succession to the new key of {name} does not hold.', { name });
  if (!canRecover(recovery, [party.verifierKey, key])) throw wrong();
  const message = successionMessage(succession);
  demand(wrong, party.key, fromHex(succession.named), namingMessage(succession.key, recovery));
  demand(wrong, PublicKey.soon(fromHex(recovery)), fromHex(succession.sig), message);
  demand(wrong, PublicKey.soon(publicKey), fromHex(succession.new_sig), message);
}

/**
 * Consent to a new key that waits for it; behind the last one it takes effect.
 * @param {Game} game @param {Place} author @param {Event} event @returns {boolean} whether it is about one @throws {Failure}
 */
export function consentToKey(game, author, event) {
  const { admit: number } = event.body;
  const place = [...game.places.values()].find((each) => each.asked?.seq === number);
  if (!place?.asked) return false;
  const { asked } = place;
  const values = { author: event.author, party: place.party.name, admit: number };
  if (isNewcomer(author)) {
    throw new Failure(15, 'state.consent', '{author} came later too, and consents when the others have consented to {author}.', values);
  }
  if (asked.consents.has(event.author)) {
    throw new Failure(15, 'state.consent', "{author} has consented to {party}'s new key already.", values);
  }
  asked.consents.add(event.author);
  const others = whoConsent(game).filter((each) => each !== place);
  if (asked.consents.size < 2 || others.some(({ party }) => !asked.consents.has(party.name))) return true;
  const by = [...game.places.keys()].filter((name) => asked.consents.has(name));
  renew(game, place, asked, event.seq, by);
  return true;
}

/**
 * The party goes on under a new key.
 * @param {Game} game @param {Place} place @param {{seq: number, key: string, publicKey: Uint8Array}} named by the `replace` with this number
 * @param {number} until event behind which the key before signs no more @param {string[]} by who consented
 */
function renew(game, place, { seq, key, publicKey }, until, by) {
  const { party: before, chain, seals } = place;
  const party = { ...before, verifierKey: key, key: PublicKey.soon(publicKey) };
  const { byName, parties } = game.terms;
  parties[parties.indexOf(before)] = party;
  /** @type {Map<string, import('./terms.js').Party>} */ (byName).set(party.name, party);
  if (chain !== null) chain.length = chain.next; // no link of it is left for a roll
  Object.assign(place, {
    party,
    former: [...place.former, { key: before.key, verifierKey: before.verifierKey, until }],
    recovery: null,
    asked: null,
    renewed: true,
    lost: chain !== null,
    unsealed: seals !== null,
    checks: false,
    accused: null,
    seals: seals && { ...seals, unused: [] },
  });
  game.replacements.push({ seq, party: party.name, by });
}
