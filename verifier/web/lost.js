/**
 * A lost browser: `replace`, and the consent to it, steps 15 and 16 of specs/verification.md.
 * @module
 */

import { fromHex, toHex } from './bytes.js';
import { checkWord } from './event-word.js';
import { Failure } from './findings.js';
import { readVerifierKey } from './identities.js';
import { isNewcomer, notAgreed, whoConsent } from './late.js';
import { PublicKey } from './signatures.js';
import { canRecover, namingMessage, successionMessage } from './succession.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./game.js').Demand} Demand */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Place} Place */
/** @typedef {import('./game.js').Asked} Asked */

/** @param {Game} game @param {Place} place @param {string} publicKey hex @returns {string | null} who has, had or is to have the key */
function ownerOf(game, place, publicKey) {
  for (const each of game.places.values()) {
    const { party, former, asked } = each;
    const keys = [party.key.bytes, ...former.map(({ key }) => key.bytes), ...(asked && each !== place ? [asked.publicKey.bytes] : [])];
    if (keys.some((bytes) => toHex(bytes) === publicKey)) return party.name;
  }
  return null;
}

/** @param {Game} game @param {Event} event @param {Demand} demand @throws {Failure} */
export function replace(game, event, demand) {
  const { correction, key, succession } = event.body;
  const missing = notAgreed(game);
  if (missing.length > 0) {
    throw new Failure(15, 'state.not-agreed', 'Nobody goes on under a new key before everybody has joined: {missing} must join first.', {
      missing: missing.join(', '),
    });
  }
  /** @param {string} text @param {{[name: string]: any}} values */
  const refuse = (text, values) => new Failure(15, 'state.replace', 'Nobody goes on under this key: {problem}.', { problem: { text, values } });
  const identity = readVerifierKey(key);
  if (identity === null) throw refuse('{text} is no verifier key that is valid', { text: key });
  const { name, publicKey } = identity;
  const place = game.place(name);
  if (!place?.away) throw refuse('{name} is no party that is away', { name });
  const author = place.signedAway;
  if (succession === undefined && author === null) throw refuse('nobody else has signed {name} away', { name });
  const judge = author !== null && game.place(author)?.party.role === 'judge' ? author : null;
  if (correction !== undefined && judge === null) throw refuse('no judge has signed {name} away', { name });
  const other = ownerOf(game, place, toHex(publicKey));
  if (other !== null) {
    throw new Failure(16, 'replace.key', 'The new key of {name} is one that {other} has, had or is to have.', { name, other });
  }
  const soon = PublicKey.soon(publicKey);
  if (succession !== undefined) checkSuccession(place, succession, key, soon, demand);
  if (correction !== undefined) {
    const fits = succession === undefined && correction.act.key === key && name === `p${correction.act.number}`;
    checkWord(game, event, 'correct-key', correction, name, fits, demand);
  }
  const corrected = correction !== undefined && judge !== null ? [correction.by, judge] : null;
  place.asked = { seq: event.seq, key, publicKey: soon, recovered: succession !== undefined, corrected, consents: new Set() };
}

/**
 * Step 16: from the party's present key to the new one, by the recovery key of its join, with all three signatures.
 * @param {Place} place @param {import('./succession.js').Succession} succession @param {string} key @param {PublicKey} publicKey
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
  demand(wrong, publicKey, fromHex(succession.new_sig), message);
}

/**
 * Checks and records a consent to a waiting new key.
 * @param {Game} game @param {Place} author @param {Event} event @returns {boolean} whether it is about one @throws {Failure}
 */
export function consentToKey(game, author, event) {
  const { admit: number } = event.body;
  const place = [...game.places.values()].find(({ asked }) => asked !== null && asked.seq === number && !asked.recovered && asked.corrected === null);
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
  return true;
}

/** @param {Game} game @param {Place} place @param {Asked} asked @returns {{words: string[], all: boolean}} whose consent counts, and whether it is that of all others */
function wordsFor(game, place, asked) {
  const others = whoConsent(game)
    .filter((each) => each !== place)
    .map(({ party }) => party.name);
  const words = others.filter((name) => asked.consents.has(name));
  return { words, all: words.length === others.length && words.length > 1 };
}

/** @param {Game} game @param {Place} place @param {Asked} asked @returns {boolean} whether the new key may join: by the recovery key, by the event's word, or by the consent of all others */
export const takesPlace = (game, place, asked) => asked.recovered || asked.corrected !== null || wordsFor(game, place, asked).all;

/** Step 15 of the join of a new key. @param {Game} game @param {Place} place @param {Asked} asked @throws {Failure} */
export function checkNewKey(game, place, asked) {
  if (takesPlace(game, place, asked)) return;
  const { words } = wordsFor(game, place, asked);
  throw new Failure(15, 'state.consent', '{author} goes on under this key when all others have consented, two or more; so far: {names}.', {
    author: place.party.name,
    names: words.length > 0 ? { names: words } : { text: 'nobody' },
  });
}

/**
 * Replaces the party's key by its new one, at its join.
 * @param {Game} game @param {Place} place @param {Asked} asked @param {number} seq of the join
 */
export function renew(game, place, asked, seq) {
  const { party: before, chain, seals, worded } = place;
  const by = asked.recovered ? [] : (asked.corrected ?? wordsFor(game, place, asked).words);
  const party = { ...before, verifierKey: asked.key, key: asked.publicKey };
  const { byName, parties } = game.terms;
  parties[parties.indexOf(before)] = party;
  /** @type {Map<string, import('./terms.js').Party>} */ (byName).set(party.name, party);
  Object.assign(place, {
    party,
    former: [...place.former, { key: before.key, verifierKey: before.verifierKey, until: seq }],
    asked: null,
    worded: worded || !asked.recovered,
    // No link of the old chain is left for a roll, and none that is burned is given; its rolls keep it as it was.
    chain: chain && { ...chain, length: chain.next, known: { ...chain.known, index: chain.next - 1 } },
    lost: chain !== null,
    unsealed: seals !== null,
    seals: seals && { ...seals, unused: [] },
  });
  game.replacements.push({ seq, party: party.name, by, corrected: asked.corrected !== null });
}
