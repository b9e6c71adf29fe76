/**
 * Seed chains, openings, the seed of a roll, and dice from the seed (specs/dice.md).
 * @module
 */

import { concat, lp, u64 } from './bytes.js';
import { LABEL_DICE, LABEL_LINK, LABEL_OPENING, LABEL_RECEIVED, LABEL_SEALED_SEED, LABEL_SEED } from './constants.js';
import { hmac } from './sha256.js';

/** @param {Uint8Array} game @param {string} name @param {number} index @returns {Uint8Array} */
export const linkMessage = (game, name, index) => concat(LABEL_LINK, game, lp(name), u64(index));

/**
 * @param {Uint8Array} game @param {string} name @param {number} from @param {Uint8Array} link number `from`
 * @param {number} to at most `from` @returns {Uint8Array} link number `to` of the same chain
 */
export function descend(game, name, from, link, to) {
  let known = link;
  for (let index = from; index > to; index--) known = hmac(known, linkMessage(game, name, index));
  return known;
}

/**
 * @param {Uint8Array} game @param {Uint8Array} request leaf hash of the request's line
 * @param {string} name @param {number} index @param {Uint8Array} link
 * @returns {Uint8Array} what the contributor signs
 */
export const openingMessage = (game, request, name, index, link) => concat(LABEL_OPENING, game, request, lp(name), u64(index), link);

/** The signed bytes of a receipt for an opening; members as in `openingMessage`. */
export const receivedMessage = (
  /** @type {Uint8Array} */ game,
  /** @type {Uint8Array} */ request,
  /** @type {string} */ author,
  /** @type {number} */ index,
  /** @type {Uint8Array} */ link,
) => concat(LABEL_RECEIVED, game, request, lp(author), u64(index), link);

/** @typedef {{name: string, link: Uint8Array}} Share a contributor and its link */

/** @param {number} rollIndex @param {Share[]} shares in party order @returns {Uint8Array} */
export const seedMessage = (rollIndex, shares) => concat(LABEL_SEED, u64(rollIndex), ...shares.flatMap(({ name, link }) => [lp(name), link]));

/**
 * @param {Uint8Array} game the game's id, the key @param {number} rollIndex @param {Share[]} shares
 * @returns {Uint8Array} 32 bytes
 */
export const seedOf = (game, rollIndex, shares) => hmac(game, seedMessage(rollIndex, shares));

/**
 * @param {number} rollIndex @param {{holder: string, number: number, secret: Uint8Array}} sealed @param {Share[]} shares in party order
 * @returns {Uint8Array}
 */
export const sealedSeedMessage = (rollIndex, { holder, number, secret }, shares) =>
  concat(LABEL_SEALED_SEED, u64(rollIndex), lp(holder), u64(number), secret, ...shares.flatMap(({ name, link }) => [lp(name), link]));

/**
 * @param {Uint8Array} game the key @param {number} rollIndex @param {{holder: string, number: number, secret: Uint8Array}} sealed
 * @param {Share[]} shares @returns {Uint8Array} the seed of a secret roll
 */
export const sealedSeedOf = (game, rollIndex, sealed, shares) => hmac(game, sealedSeedMessage(rollIndex, sealed, shares));

/** @param {Uint8Array} seed @param {number} counter @returns {Uint8Array} block `counter` of its stream */
export const streamBlock = (seed, counter) => hmac(seed, concat(LABEL_DICE, u64(counter)));

/** The bytes of a seed, read in order. */
class Stream {
  /** @param {Uint8Array} seed */
  constructor(seed) {
    this.seed = seed;
    this.counter = 0;
    /** @type {number[]} */
    this.bytes = [];
    /** @type {Uint8Array[]} */
    this.blocks = [];
  }

  /** @param {number} count @returns {Uint8Array} */
  take(count) {
    while (this.bytes.length < count) {
      const block = streamBlock(this.seed, this.counter++);
      this.blocks.push(block);
      this.bytes.push(...block);
    }
    return Uint8Array.from(this.bytes.splice(0, count));
  }
}

/**
 * @typedef {object} Die
 * @property {number} sides
 * @property {Uint8Array} bytes those that gave the natural
 * @property {bigint} number that they are
 * @property {bigint} limit from which on numbers are passed over
 * @property {Uint8Array[]} passedOver
 * @property {number} natural
 */

/**
 * @param {Uint8Array} seed @param {number[]} sides of each die, 1 to 2^53 - 1
 * @returns {{dice: Die[], blocks: Uint8Array[]}} the dice, and the blocks of the stream that they needed
 */
export function drawDice(seed, sides) {
  const stream = new Stream(seed);
  const dice = [];
  for (const each of sides) {
    const n = BigInt(each);
    let size = 0;
    while (256n ** BigInt(size) < n) size++; // the least that can hold n - 1
    const limit = 256n ** BigInt(size) - (256n ** BigInt(size) % n);
    const passedOver = [];
    for (;;) {
      const bytes = stream.take(size);
      let number = 0n;
      for (const byte of bytes) number = (number << 8n) | BigInt(byte);
      if (number < limit) {
        dice.push({ sides: each, bytes, number, limit, passedOver, natural: Number(number % n) + 1 });
        break;
      }
      passedOver.push(bytes);
    }
  }
  return { dice, blocks: stream.blocks };
}
