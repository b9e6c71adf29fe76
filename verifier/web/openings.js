/**
 * An opening by itself, and a receipt for one (specs/protocol.md), against a log that holds.
 * @module
 */

import { equal, fromHex, fromUtf8, toHex } from './bytes.js';
import { MAX_OPENING } from './constants.js';
import { descend, openingMessage, receivedMessage } from './dice.js';
import { readCanonical } from './json.js';
import { OPENING_FILE, RECEIVED } from './schema.js';

/** @typedef {import('./game.js').Game} Game */

/** @param {Uint8Array} bytes @param {import('./schema.js').Check} check @returns {any} undefined where it has not this form */
function readLine(bytes, check) {
  const line = bytes[bytes.length - 1] === 0x0a ? bytes.subarray(0, -1) : bytes;
  const text = line.length <= MAX_OPENING ? fromUtf8(line) : null;
  const value = text === null ? undefined : readCanonical(text);
  return value !== undefined && check(value) === null ? value : undefined;
}

/**
 * @param {Game} game whose log holds @param {Uint8Array} bytes of the opening
 * @returns {Promise<string | null>} null where it passes; else `malformed`, `game`, `request`, or the code of the step that fails
 */
export async function checkOpening(game, bytes) {
  const file = readLine(bytes, OPENING_FILE);
  if (file === undefined) return 'malformed';
  if (file.game !== toHex(game.id)) return 'game';
  const roll = game.rolls.find((each) => each.leaf === file.request);
  if (roll === undefined) return 'request';
  const { author, index, link, sig } = file.opening;
  const at = roll.shares.findIndex((share) => share.name === author);
  if (at < 0) return 'opening.set';
  const { key } = /** @type {import('./game.js').Place} */ (game.place(author)).party;
  const message = openingMessage(game.id, fromHex(roll.leaf), author, index, fromHex(link));
  if (!(await key.verify(fromHex(sig), message))) return 'opening.signature';
  if (index !== roll.shares[at].index) return 'opening.index';
  const known = roll.before[at];
  const leads = equal(descend(game.id, author, index, fromHex(link), known.index), fromHex(known.link));
  return leads ? null : 'opening.link';
}

/**
 * @param {Game} game whose log holds @param {Uint8Array} bytes of the receipt
 * @returns {Promise<boolean>} whether it has its form, and is signed by its receiver, a party
 */
export async function checkReceived(game, bytes) {
  const receipt = readLine(bytes, RECEIVED);
  const receiver = receipt && game.place(receipt.receiver);
  if (!receiver) return false;
  const message = receivedMessage(fromHex(receipt.game), fromHex(receipt.request), receipt.author, receipt.index, fromHex(receipt.link));
  return receiver.party.key.verify(fromHex(receipt.sig), message);
}
