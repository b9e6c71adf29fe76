/**
 * Secret rolls: `seal`, sealed requests and `show` (specs/protocol.md, "Secret rolls").
 * @module
 */

import { concat, fromHex, lp, toHex, u64, utf8 } from './bytes.js';
import { LABEL_HIDDEN, LABEL_SEAL, MAX_SEALED } from './constants.js';
import { descend, drawDice, sealedSeedOf } from './dice.js';
import { Failure } from './findings.js';
import { hiddenBy } from './notices.js';
import { sha256 } from './sha256.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Place} Place */
/** @typedef {import('./game.js').Roll} Roll */
/** @typedef {import('./terms.js').Terms} Terms */

/** @typedef {{tags: string[], unused: number[]}} Seals all tags of a holder, and the numbers that no request took */
/** @typedef {{holder: string, number: number, tag: string}} Taken who holds a secret roll, and the tag that it took */

/** @param {Terms} terms @param {any} body of a request @returns {boolean} whether it is for a secret roll */
export const isSealed = (terms, body) => terms.system.seals && Object.hasOwn(body, 'sealed');

/** @param {Game} game @param {string} holder @returns {Roll[]} secret rolls, revealed or voided, whose secret is not known */
export const unknownOf = (game, holder) =>
  game.rolls.filter((roll) => roll.taken?.holder === holder && (roll.ended === 'reveal' || roll.ended === 'void') && !game.secrets.has(roll.seq));

/**
 * Returns the reason why a holder cannot take a sealed request now (step 15).
 * @param {Game} game @param {string} author @param {any} body @returns {Failure | null}
 */
export function sealedFailure(game, author, body) {
  if (!isSealed(game.terms, body)) return null;
  const holder = body.sealed;
  const place = game.place(holder);
  /** @param {string} text */
  const refuse = (text) => new Failure(15, 'state.sealed', text, { holder, author, most: MAX_SEALED });
  if (game.terms.holders.length === 0) return refuse('In this game no roll is secret.');
  if (!place || !game.terms.holders.includes(place.party.role) || (holder !== author && place.party.role !== 'gm')) {
    return refuse('{holder} can hold no secret roll of {author} here.');
  }
  if (!place.joined || place.left || place.away) return refuse('{holder}, who would hold this roll, is not at the table.');
  if (place.seals === null || place.seals.unused.length === 0) return refuse('{holder} has no secret left for this roll, and has to seal first.');
  const unknown = unknownOf(game, holder);
  if (unknown.some((roll) => roll.ended === 'void')) return refuse('{holder} owes the secret of a roll that was voided, and shows that first.');
  if (unknown.length >= MAX_SEALED) return refuse('{holder} holds {most} secret rolls that are not shown, and shows one first.');
  if (Object.hasOwn(body, 'hidden') && holder !== author) {
    return refuse('Only the holder of a roll can hide what it is for: {holder} would hold this one.');
  }
  return null;
}

/** Takes the holder's next tag for a request. @param {Game} game @param {any} body @returns {Taken | null} of a sealed one */
export function takeTag(game, body) {
  if (!isSealed(game.terms, body)) return null;
  const seals = /** @type {Seals} */ (/** @type {Place} */ (game.place(body.sealed)).seals);
  const number = /** @type {number} */ (seals.unused.shift());
  return { holder: body.sealed, number, tag: seals.tags[number - 1] };
}

/** @param {Game} game @param {Taken} taken @param {string} secret hex @param {number} step @param {string} code @throws {Failure} */
export function checkSecret(game, taken, secret, step, code) {
  const { holder, number, tag } = taken;
  if (toHex(sha256(concat(LABEL_SEAL, game.id, lp(holder), u64(number), fromHex(secret)))) !== tag) {
    throw new Failure(
      step,
      code,
      'The secret that {author} gives is not the one that {author} sealed under number {number}.',
      { author: holder, number },
      { actual: secret },
    );
  }
}

/** Step 16. @param {Game} game @param {Place} author @param {Event} event @throws {Failure} */
export function seal(game, author, event) {
  const { tags, secret } = event.body;
  const { name } = author.party;
  const before = author.seals;
  if ((before?.unused.length ?? 0) + tags.length - 1 > MAX_SEALED) {
    throw new Failure(16, 'seal.tags', '{author} has at most {most} unused secrets for rolls.', { author: name, most: MAX_SEALED });
  }
  const follows = before !== null && !author.unsealed;
  if (follows !== (secret !== undefined)) {
    throw new Failure(16, 'seal.secret', '{author} gives the secret of the last tag of the seal before, and none where there was none.', {
      author: name,
    });
  }
  const number = before?.tags.length ?? 0;
  if (follows) checkSecret(game, { holder: name, number, tag: before.tags[number - 1] }, secret, 16, 'seal.secret');
  const unused = tags.slice(0, -1).map((/** @type {string} */ _, /** @type {number} */ i) => number + i + 1);
  author.unsealed = false;
  author.seals = { tags: [...(before?.tags ?? []), ...tags], unused: [...(before?.unused ?? []), ...unused] };
}

/** Step 21 of a void. @param {Game} game @param {Event} event @throws {Failure} */
export function checkVoid(game, event) {
  const { taken } = game.roll;
  const { secret } = event.body;
  if ((taken?.holder === event.author) !== (secret !== undefined)) {
    throw new Failure(21, 'void.secret', 'A void by the holder of a secret roll has its secret, and no other void has one.');
  }
  if (secret === undefined) return;
  checkSecret(game, /** @type {Taken} */ (taken), secret, 21, 'void.secret');
  game.secrets.set(game.roll.seq, secret);
}

/** Steps 15, 21 and 22. @param {Game} game @param {Event} event @throws {Failure} */
export function show(game, event) {
  const { author, body } = event;
  const { request, secret, naturals, salt, text } = body;
  /** @param {string} words */
  const refuse = (words) => new Failure(15, 'state.show', words, { author, request });
  const roll = unknownOf(game, author).find((each) => each.seq === request);
  if (roll === undefined) throw refuse('Event {request} is no secret roll that {author} holds and has not shown.');
  if ((roll.ended === 'reveal') !== (naturals !== undefined)) {
    throw refuse('A show has the naturals of a roll that was revealed, and none of one that was voided.');
  }
  const { hidden } = roll.body;
  if ((salt !== undefined) !== (hidden !== undefined) || (text !== undefined) !== (hidden !== undefined)) {
    throw refuse('A show says what its roll was for, with the salt, if the roll hid this, and only then.');
  }
  checkSecret(game, /** @type {Taken} */ (roll.taken), secret, 21, 'show.secret');
  if (hidden !== undefined && toHex(sha256(concat(LABEL_HIDDEN, game.id, lp(author), fromHex(salt), utf8(text)))) !== hidden) {
    throw new Failure(21, 'show.text', 'The purpose that {author} gives for the roll is not the one that its request hid.', { author });
  }
  if (naturals !== undefined) {
    const came = drawDice(/** @type {Uint8Array} */ (secretSeed(game, roll, secret)), roll.body.sides).dice.map((die) => die.natural);
    if (came.length !== naturals.length || came.some((natural, i) => natural !== naturals[i])) {
      throw new Failure(
        22,
        'show.naturals',
        'Links and secret give other dice than the show says.',
        {},
        { expected: JSON.stringify(came), actual: JSON.stringify(naturals) },
      );
    }
  }
  game.secrets.set(request, secret);
}

/**
 * @param {Game} game @param {Roll} roll a secret one @param {string} secret hex
 * @returns {Uint8Array | null} its seed; null where a link is not known
 */
export function secretSeed(game, roll, secret) {
  if (hiddenBy(roll).length > 0) return null;
  const { holder, number } = /** @type {Taken} */ (roll.taken);
  const shares = roll.shares.map(({ name, chain, index }) => ({
    name,
    link: descend(game.id, name, chain.known.index, fromHex(chain.known.link), index),
  }));
  return sealedSeedOf(game.id, roll.index, { holder, number, secret: fromHex(secret) }, shares);
}

/** @param {Game} game @param {Roll} roll @returns {number[] | null} the naturals of a secret roll that was shown */
export function shownNaturals(game, roll) {
  const secret = game.secrets.get(roll.seq);
  const seed = secret === undefined || roll.ended !== 'reveal' ? null : secretSeed(game, roll, secret);
  return seed === null ? null : drawDice(seed, roll.body.sides).dice.map((die) => die.natural);
}
