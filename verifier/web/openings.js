/**
 * An opening by itself, and a receipt for one (specs/protocol.md), against a log that holds.
 * @module
 */

import { equal, fromHex, fromUtf8, toHex } from './bytes.js';
import { MAX_OPENING } from './constants.js';
import { descend, openingMessage, receivedMessage } from './dice.js';
import { readCanonical } from './json.js';
import { OPENING_FILE, RECEIVED } from './schema.js';

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./findings.js').Value} Value */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Roll} Roll */
/** @typedef {{verdict: 'holds' | 'fails' | 'unreadable', words: Message[]}} Told */

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
  const key = game.keyAt(/** @type {import('./game.js').Place} */ (game.place(author)), roll.seq);
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
  const roll = game.rolls.find((each) => each.leaf === receipt.request);
  const key = roll === undefined ? receiver.party.key : game.keyAt(receiver, roll.seq);
  return key.verify(fromHex(receipt.sig), message);
}

/** @param {string} text @param {{[name: string]: Value}} [values] @returns {Message} */
const problem = (text, values = {}) => ({ text, values });

/**
 * Words the problem of an opening.
 * @param {string} flaw of `checkOpening`, not `malformed` @param {any} file @param {Roll | undefined} roll @returns {Message}
 */
function flawWords(flaw, file, roll) {
  const { author, index } = file.opening;
  if (flaw === 'game') return problem('it is for game {game}, not for this one', { game: file.game });
  if (flaw === 'request' || roll === undefined) return problem('this log does not have the request that it is for');
  if (flaw === 'opening.set') return problem('Nothing waits for an opening of {author}.', { author });
  if (flaw === 'opening.signature') {
    return problem("The opening is not {author}'s for this request: it was changed, or made for another.", { author });
  }
  const expected = roll.shares.find(({ name }) => name === author)?.index ?? 0;
  return flaw === 'opening.index'
    ? problem('{author} opened link {actual}; this roll takes link {expected}.', { author, actual: index, expected })
    : problem('The link that {author} opened is not on the chain that {author} committed to.', { author });
}

/** @param {Roll} roll @param {string} author @param {string} link @returns {{used: boolean, named: boolean}} in what ended the roll */
const outcomeOf = (roll, author, link) => ({
  used: roll.openings.some((opening) => opening.author === author && opening.link === link),
  named: roll.ended === 'void' && roll.missing.includes(author),
});

/** Words the result of a valid opening. @param {Roll} roll @param {any} opening @returns {Message} */
function became(roll, { author, link }) {
  const { used, named } = outcomeOf(roll, author, link);
  const values = { ended: roll.end ?? 0, how: roll.ended ?? '', by: roll.by ?? '', author };
  if (roll.ended === null) return problem('The roll still waits.');
  if (roll.ended === 'void' && roll.by === author) {
    return problem('Event {ended} voids that roll, by {author}: who opens a roll may not call it off. That is proof.', values);
  }
  if (roll.ended === 'void' && used) {
    return problem("Event {ended}, by {by}, voids that roll; the opening stands in the keeper's disclose after it.", values);
  }
  if (used) return problem('It stands in event {ended}, a {how}.', values);
  if (named) return problem('Event {ended}, by {by}, voids that roll and names {author} as missing. Ask both how it was sent.', values);
  return problem('Event {ended}, a {how}, ended that roll without it.', values);
}

/**
 * An opening, or a receipt for one, against a log that holds: in the words of `rollproof check-opening`.
 * @param {Game} game @param {string} file its name @param {Uint8Array} bytes
 * @returns {Promise<Told>}
 */
export async function tellOpening(game, file, bytes) {
  const received = readLine(bytes, RECEIVED);
  if (received !== undefined) return tellReceived(game, file, received);
  const flaw = await checkOpening(game, bytes);
  const sent = readLine(bytes, OPENING_FILE);
  const roll = game.rolls.find((each) => each.leaf === sent?.request);
  if (sent === undefined) {
    return {
      verdict: 'unreadable',
      words: [problem('{file} is neither an opening nor a receipt for one (specs/protocol.md).', { file })],
    };
  }
  if (flaw !== null || roll === undefined) return wrong(file, flawWords(flaw ?? 'request', sent, roll));
  const { author, index } = sent.opening;
  const holds = problem('{file} holds: {author} opened link {index} for roll {roll}.', { file, author, index, roll: roll.seq });
  return { verdict: 'holds', words: [{ all: [holds, became(roll, sent.opening)] }] };
}

/** @param {string} file @param {Message} why @returns {Told} */
const wrong = (file, why) => ({ verdict: 'fails', words: [problem('{file} does not hold: {problem}', { file, problem: why })] });

/** @param {Game} game @param {string} file @param {any} received @returns {Promise<Told>} */
async function tellReceived(game, file, received) {
  const { author, receiver, index, link } = received;
  const roll = game.rolls.find((each) => each.leaf === received.request);
  if (received.game !== toHex(game.id)) return wrong(file, problem('it is for game {game}, not for this one', { game: received.game }));
  if (roll === undefined) return wrong(file, problem('this log does not have the request that it is for'));
  const at = roll.shares.findIndex((share) => share.name === author);
  if (at < 0) return wrong(file, problem('nothing waits for an opening of {author}', { author }));
  const place = game.place(receiver);
  if (!place) return wrong(file, problem('{receiver} is no party of this game', { receiver }));
  const message = receivedMessage(game.id, fromHex(roll.leaf), author, index, fromHex(link));
  if (!(await game.keyAt(place, roll.seq).verify(fromHex(received.sig), message)))
    return wrong(file, problem("the signature is not {receiver}'s", { receiver }));
  const known = roll.before[at];
  if (index !== roll.shares[at].index || !equal(descend(game.id, author, index, fromHex(link), known.index), fromHex(known.link))) {
    return wrong(file, problem('it is for another link than the one that {author} has to open', { author }));
  }
  const words = [
    problem('{file} holds: {receiver} received link {index} of {author} for roll {roll}.', { file, receiver, index, author, roll: roll.seq }),
  ];
  const { used, named } = outcomeOf(roll, author, link);
  const values = { ended: roll.end ?? 0, how: roll.ended ?? '', receiver, author };
  const settled = roll.ended !== null && (roll.ended !== 'void' || roll.disclosed !== null);
  if (named && roll.by === receiver) {
    words.push(problem('In event {ended} {receiver} nevertheless says that {author} had not opened. That is proof.', values));
  } else if (receiver === game.terms.keeper.name && settled && !used) {
    words.push(problem('Event {ended}, a {how}, and what follows it lack the opening: {receiver} kept it back. That is proof.', values));
  }
  return { verdict: 'holds', words: [{ all: words }] };
}
