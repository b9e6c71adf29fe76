/**
 * A show of a secret roll in a file beside the log (specs/protocol.md, "Secret rolls"), against a log that holds.
 * @module
 */

import { concat, fromHex, fromUtf8, lp, toHex, u64, utf8 } from './bytes.js';
import { LABEL_HIDDEN, LABEL_SEAL } from './constants.js';
import { drawDice } from './dice.js';
import { readCanonical } from './json.js';
import { SHOWN } from './schema.js';
import { secretSeed } from './secret.js';
import { sha256 } from './sha256.js';

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Roll} Roll */
/** @typedef {import('./secret.js').Taken} Taken */

/** Bytes of such a file, without its line feed. */
export const MAX_SHOWN = 4_000;

/** @param {string} text @param {{[name: string]: import('./findings.js').Value}} [values] @returns {Message} */
const say = (text, values = {}) => ({ text, values });

/** @param {Uint8Array} bytes @returns {any} undefined where it has not this form */
function read(bytes) {
  const line = bytes[bytes.length - 1] === 0x0a ? bytes.subarray(0, -1) : bytes;
  const text = line.length <= MAX_SHOWN ? fromUtf8(line) : null;
  const value = text === null ? undefined : readCanonical(text);
  return value !== undefined && SHOWN(value) === null ? value : undefined;
}

/**
 * Returns the problem of a show. @param {Game} game @param {Roll} roll @param {any} shown @returns {Message | null}
 * null where it is
 */
function flawOf(game, roll, { secret, salt, text }) {
  const { holder, number, tag } = /** @type {Taken} */ (roll.taken);
  const { hidden } = roll.body;
  if (toHex(sha256(concat(LABEL_SEAL, game.id, lp(holder), u64(number), fromHex(secret)))) !== tag) {
    return say('its secret is not the one that {holder} sealed for this roll', { holder });
  }
  if ((salt !== undefined) !== (hidden !== undefined) || (text !== undefined) !== (hidden !== undefined)) {
    return say('a show says what its roll was for, with the salt, if the roll hid this, and only then');
  }
  const stands = hidden === undefined || toHex(sha256(concat(LABEL_HIDDEN, game.id, lp(holder), fromHex(salt), utf8(text)))) === hidden;
  return stands ? null : say('the purpose that it gives for the roll is not the one that the request hid');
}

/**
 * Checks a show, in the words of `rollproof check-show`.
 * @param {Game} game @param {string} file its name @param {Uint8Array} bytes @returns {{verdict: 'holds' | 'fails' | 'unreadable', words: Message[]}}
 */
export function tellShown(game, file, bytes) {
  const shown = read(bytes);
  if (shown === undefined) {
    return { verdict: 'unreadable', words: [say('{file} is not a show of a secret roll (specs/protocol.md).', { file })] };
  }
  const roll = game.rolls.find((each) => each.leaf === shown.request && each.taken !== null);
  const problem = shown.game !== toHex(game.id) || roll === undefined ? say('it is not of a secret roll of this log') : flawOf(game, roll, shown);
  if (problem !== null || roll === undefined)
    return { verdict: 'fails', words: [say('{file} does not hold: {problem}', { file, problem: problem ?? '' })] };
  const seed = secretSeed(game, roll, shown.secret);
  const came =
    seed === null
      ? say('its dice are not known: no link of it, or not all')
      : drawDice(seed, roll.body.sides)
          .dice.map((die) => die.natural)
          .join(', ');
  const { holder } = /** @type {Taken} */ (roll.taken);
  const words = [say("{file} holds: {holder}'s secret roll of event {request}: {came}", { file, holder, request: roll.seq, came })];
  if (shown.text !== undefined) words.push(say('It was for: {text}', { text: shown.text }));
  return { verdict: 'holds', words };
}
