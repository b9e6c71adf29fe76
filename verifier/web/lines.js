/**
 * Lines of a log: steps 4 to 6 of specs/verification.md, and the signed bytes of an event.
 * @module
 */

import { fromUtf8, utf8 } from './bytes.js';
import { LABEL_EVENT, MAX_LINE } from './constants.js';
import { Failure } from './findings.js';
import { canonical, readCanonical, readPlain } from './json.js';
import { describe, EVENT } from './schema.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {{start: number, end: number, terminated: boolean}} Line where it stands, without its line feed */

/** @param {Uint8Array} bytes @param {number} start @returns {Line | null} the line that begins there, null at the end */
export function lineAt(bytes, start) {
  if (start >= bytes.length) return null;
  const end = bytes.indexOf(0x0a, start);
  return end < 0 ? { start, end: bytes.length, terminated: false } : { start, end, terminated: true };
}

/** @param {Uint8Array} bytes @returns {number} how many lines there are, one without its line feed too */
export function countLines(bytes) {
  let count = 0;
  for (let line = lineAt(bytes, 0); line !== null; line = lineAt(bytes, line.end + 1)) count++;
  return count;
}

/** Step 4. @param {Line} line @throws {Failure} */
export function checkEnd(line) {
  if (!line.terminated) throw new Failure(4, 'line.unterminated', 'The last line has no line feed: the file was cut inside it.');
  if (line.end - line.start > MAX_LINE) {
    throw new Failure(4, 'line.too-long', 'This line is too long: at most {most} bytes.', { most: MAX_LINE });
  }
}

/** @param {import('./findings.js').Value} problem @returns {Failure} */
const malformed = (problem) => new Failure(5, 'line.malformed', 'This line is not an event: {problem}.', { problem });

/**
 * Steps 5 and 6.
 * @param {Uint8Array} bytes of the line, without its line feed
 * @returns {Event} every object in it is its own, with no other members than the line has
 * @throws {Failure}
 */
export function readEvent(bytes) {
  const text = fromUtf8(bytes);
  if (text === null) throw malformed({ text: 'it is not UTF-8' });
  const value = readCanonical(text);
  if (value !== undefined) {
    const problem = EVENT(value);
    if (problem !== null) throw malformed(describe(problem));
    return /** @type {any} */ (value);
  }
  const plain = readPlain(text);
  if (plain === null) throw malformed({ text: 'it is no JSON' });
  if (plain.surrogates) throw malformed({ text: 'it has half of a character, a lone surrogate' });
  if (plain.numbers) throw malformed({ text: 'it has a number that is no integer within bounds' });
  const problem = EVENT(plain.value);
  if (problem !== null) throw malformed(describe(problem));
  const form = canonical(plain.value);
  if (form === null) {
    throw new Failure(6, 'line.not-canonical', 'This line has a null. Nothing in a log is null: a member that has no value is left out.');
  }
  const wanted = utf8(form);
  let at = 0;
  while (at < bytes.length && bytes[at] === wanted[at]) at++;
  throw new Failure(
    6,
    'line.not-canonical',
    'The bytes of this line are not the canonical form of what it says (they differ at byte {at}): two programs could read it in two ways.',
    { at },
  );
}

/**
 * Step 7.
 * @param {Event} event @param {number} seq of the line @param {string} game the id of the log @param {string} before the leaf hash of the line before
 * @throws {Failure}
 */
export function checkChain(event, seq, game, before) {
  if (event.seq !== seq) {
    throw new Failure(
      7,
      'chain.seq',
      'Event {expected} should stand here, but this is event {actual}: lines are missing, doubled or out of order.',
      { expected: seq, actual: event.seq },
      { expected: String(seq), actual: String(event.seq) },
    );
  }
  if (event.game !== game) {
    throw new Failure(
      7,
      'chain.game',
      'This event belongs to another game, {actual}.',
      { actual: event.game },
      { expected: game, actual: event.game },
    );
  }
  if (event.prev !== before) {
    throw new Failure(
      7,
      'chain.prev',
      'This event does not follow the line before it: that line was changed, or lines were dropped or swapped.',
      {},
      { expected: before, actual: event.prev },
    );
  }
}

/**
 * Steps 8 and 9.
 * @param {Event} event @param {import('./schema.js').Check | undefined} check of its type; undefined: there is no such type
 * @param {import('./schema.js').Check} more what is asked besides @throws {Failure}
 */
export function checkBody({ type, body }, check, more = () => null) {
  if (check === undefined) throw new Failure(8, 'type.unknown', "There is no event type '{type}'.", { type });
  const problem = check(body) ?? more(body);
  if (problem !== null) {
    throw new Failure(9, 'body.malformed', 'The body of this {type} is not as the specification has it: {problem}.', {
      type,
      problem: describe(problem),
    });
  }
}

/** Step 14. @param {Event} event @param {string} before the time of the event before @throws {Failure} */
export function checkTime({ time }, before) {
  if (time >= before) return;
  throw new Failure(
    14,
    'time.backwards',
    'The time {actual} is before that of the event before, {expected}.',
    { actual: time, expected: before },
    { actual: time, expected: before },
  );
}

/** `,"sig":"` and 128 digits and `"`. */
const SIG_BYTES = 8 + 128 + 1;

/**
 * The label and the canonical form without `sig`. A canonical line has its members in order, so leaving out the member is
 * leaving out its bytes; behind it stand `time` and `type`.
 * @param {Uint8Array} line canonical @param {Event} event that it is @param {Uint8Array} [label] @returns {Uint8Array}
 */
export function signedMessage(line, event, label = LABEL_EVENT) {
  const behind = utf8(`,"time":"${event.time}","type":${JSON.stringify(event.type)}}`);
  const before = line.length - behind.length - SIG_BYTES;
  const message = new Uint8Array(label.length + before + behind.length);
  message.set(label);
  message.set(line.subarray(0, before), label.length);
  message.set(behind, label.length + before);
  return message;
}
