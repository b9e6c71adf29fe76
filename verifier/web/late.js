/**
 * Late parties: `admit` and `consent`, steps 15 and 16 of specs/verification.md.
 * @module
 */

import { fromHex, toHex, utf8 } from './bytes.js';
import { MAX_PARTIES, MAX_WORD } from './constants.js';
import { checkWord } from './event-word.js';
import { lookAlike } from './expect.js';
import { Failure } from './findings.js';
import { readVerifierKey } from './identities.js';
import { canonical } from './json.js';
import { PublicKey } from './signatures.js';
import { calledSo } from './terms.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./game.js').Demand} Demand */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Place} Place */

/** @param {Place} place @returns {boolean} whether the party was admitted, nobody appointed it, and the others have not all consented */
export const isNewcomer = (place) => place.late !== null && place.late.settled === null;

/** @param {Game} game @returns {string[]} players and game masters of event 0 who have neither joined nor left */
export function notAgreed(game) {
  return [...game.places.values()]
    .filter((place) => ['player', 'gm'].includes(place.party.role) && !place.left && !place.joined && place.late === null)
    .map((place) => place.party.name);
}

/**
 * Step 15: a judge who is a newcomer may only join and leave. @param {Place} author @param {Event} event @throws
 * {Failure}
 */
export function checkNewcomer(author, event) {
  const own = event.type === 'join' || (event.type === 'leave' && event.body.party === event.author);
  if (author.party.role === 'judge' && isNewcomer(author) && !own) {
    throw new Failure(15, 'state.newcomer', '{author} came later, and judges nothing before everybody who plays has consented.', {
      author: event.author,
    });
  }
}

/** @param {Game} game @param {string} key @param {string | null} called @returns {{name: string, publicKey: Uint8Array}} @throws {Failure} step 16 */
export function newParty(game, key, called) {
  /** @param {string} text @param {{[name: string]: any}} values */
  const refuse = (text, values) => new Failure(16, 'admit.party', 'Nobody can come in with this key: {problem}.', { problem: { text, values } });
  const identity = readVerifierKey(key);
  if (identity === null) throw refuse('{text} is no verifier key that is valid', { text: key });
  const { name } = identity;
  if (game.places.size >= MAX_PARTIES) throw refuse('a game has at most {most} parties', { most: MAX_PARTIES });
  for (const { party, former, asked } of game.places.values()) {
    if (party.name === name) throw refuse('{name} is the name of a party', { name });
    const keys = [party.key.bytes, ...former.map(({ key: { bytes } }) => bytes), ...(asked ? [asked.publicKey.bytes] : [])];
    if (keys.some((bytes) => toHex(bytes) === toHex(identity.publicKey))) throw refuse('{name} has the key of {other}', { name, other: party.name });
    if (lookAlike(party.name, name)) throw refuse('{name} looks like {other}', { name, other: party.name });
  }
  const parties = [...game.places.values()].map(({ party }) => party);
  if (parties.some((party) => party.called === name)) throw refuse('somebody is called {name} here', { name });
  const other = calledSo({ name, called }, parties);
  if (other !== null) throw refuse('{name} is called like {other}: {text}', { name, other, text: called });
  return identity;
}

/** @param {string} game hex @param {string} head @param {string} key @param {string} role @returns {Uint8Array} what a host signs */
export function admissionMessage(game, head, key, role) {
  return utf8('rollproof/v1/admit\n' + canonical({ format: 'rollproof/admit/v1', game, head, key, role }));
}

/** @param {Game} game @param {Event} event @param {Demand} demand @throws {Failure} */
export function admit(game, event, demand) {
  const missing = notAgreed(game);
  if (missing.length > 0) {
    throw new Failure(15, 'state.not-agreed', 'Nobody comes later before everybody has joined: {missing} must join first.', {
      missing: missing.join(', '),
    });
  }
  const { appointment, key, role, word, called = null } = event.body;
  if (!game.terms.admits.includes(role)) throw new Failure(16, 'admit.role', 'No {role} comes later to this game.', { role: { text: role } });
  const { name, publicKey } = newParty(game, key, called);
  if (word !== undefined) {
    const { host } = game.terms;
    if (host === null || !game.leaves.slice(-MAX_WORD).includes(word.head)) {
      throw new Failure(
        16,
        'admit.word',
        "The host's word here is not for this game: the game has no host, or the word is not for one of its latest {most} lines.",
        {
          most: MAX_WORD,
        },
      );
    }
    const unsigned = () =>
      new Failure(16, 'admit.word', "The host's word for {author} does not hold: the host did not sign it for this key and role.", { author: name });
    demand(unsigned, host, fromHex(word.sig), admissionMessage(toHex(game.id), word.head, key, role));
  }
  if (appointment !== undefined) {
    const fits = role === 'judge' && appointment.act.role !== 'organizer' && appointment.act.key === key;
    checkWord(game, event, 'appoint', appointment, name, fits, demand);
  }
  game.add(
    { name, role, called, verifierKey: key, key: PublicKey.soon(publicKey) },
    {
      admit: event.seq,
      byHost: word !== undefined,
      appointedBy: appointment?.by ?? null,
      consents: new Set(),
      settled: appointment === undefined ? null : event.seq,
    },
  );
  game.rulesMoved();
}

/**
 * Checks and records a consent to a late party. @param {Game} game @param {Place} author @param {Event} event @throws
 * {Failure}
 */
export function consent(game, author, event) {
  const { admit: number } = event.body;
  const place = [...game.places.values()].find((each) => each.late?.admit === number);
  const party = place?.party.name ?? '';
  /** @param {string} text */
  const refuse = (text) => new Failure(15, 'state.consent', text, { author: event.author, party, admit: number });
  if (!place?.late) throw refuse('Event {admit} admits nobody.');
  if (place.left || !isNewcomer(place)) throw refuse('{party}, whom event {admit} admits, needs no consent.');
  if (isNewcomer(author)) throw refuse('{author} came later too, and consents when the others have consented to {author}.');
  if (place.late.consents.has(event.author)) throw refuse('{author} has consented to {party} already.');
  place.late.consents.add(event.author);
  settle(game, event.seq);
}

/** @param {Game} game @returns {Place[]} who has joined, has not left, is no newcomer, and is asked for consent */
export const whoConsent = (game) =>
  [...game.places.values()].filter((each) => ['player', 'gm', 'witness'].includes(each.party.role) && each.joined && !each.left && !isNewcomer(each));

/**
 * Ends the newcomer status of parties that all have consented to. @param {Game} game @param {number} seq of the event
 * that may decide it
 */
export function settle(game, seq) {
  for (const { party, left, late } of game.places.values()) {
    if (late === null || late.settled !== null || left || late.consents.size === 0) continue;
    if (whoConsent(game).every((each) => each.party !== party && late.consents.has(each.party.name))) late.settled = seq;
  }
}
