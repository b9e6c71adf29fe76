/**
 * The proof of one event, steps P1 to P10 of specs/checkpoints.md.
 * @module
 */

import { equal, fromBase64, fromHex, fromUtf8, toHex, utf8 } from './bytes.js';
import { MAX_LINE, MAX_PROOF, MAX_PROOF_FILE } from './constants.js';
import { Failure } from './findings.js';
import { isIncluded, leafHash } from './hashes.js';
import { readEvent, signedMessage } from './lines.js';
import { isSignedBy, readCheckpoint, readNote, readNumber } from './notes.js';
import { acceptsKeeper, judgePolicy, splitWords } from './policy.js';
import { PublicKey } from './signatures.js';

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./identities.js').Identity} Identity */

/**
 * @typedef {object} Expected what the caller gives, not the proof
 * @property {string} game hex
 * @property {string} keeper name
 * @property {import('./signatures.js').PublicKey} keeperKey
 * @property {number} index
 * @property {number} [size]
 * @property {Uint8Array} [line]
 * @property {Identity[]} [keys] of parties; the author's among them is used
 * @property {import('./policy.js').Policy} [policy]
 */

/**
 * @typedef {object} Shown what a proof shows
 * @property {'holds'} result
 * @property {Uint8Array} leaf
 * @property {Uint8Array} line
 * @property {import('./schema.js').Event} event
 * @property {number} size of the checkpoint
 * @property {boolean} authorChecked the event's own signature was checked too
 */

/** @typedef {Shown | {result: string, step: string, words: Message}} Outcome */

/**
 * The parts above the checkpoint.
 * @param {string} text of the proof
 * @returns {{extra: Uint8Array | null, index: number, hashes: Uint8Array[], checkpoint: string} | null}
 */
function divide(text) {
  const division = text.indexOf('\n\n');
  if (division < 0) return null;
  const lines = text.slice(0, division).split('\n');
  if (lines.shift() !== 'c2sp.org/tlog-proof@v1') return null;
  let extra = null;
  if (lines[0]?.startsWith('extra ')) {
    extra = fromBase64(/** @type {string} */ (lines.shift()).slice('extra '.length));
    if (extra === null) return null;
  }
  const second = lines.shift();
  const index = second?.startsWith('index ') ? readNumber(second.slice('index '.length)) : null;
  const hashes = lines.map(fromBase64);
  if (index === null || hashes.length > MAX_PROOF || hashes.some((hash) => hash === null || hash.length !== 32)) return null;
  return { extra, index, hashes: /** @type {Uint8Array[]} */ (hashes), checkpoint: text.slice(division + 2) };
}

/**
 * @param {string} step @param {string} result
 * @param {string} text @param {{[name: string]: import('./findings.js').Value}} [values] @returns {Outcome}
 */
const fails = (step, result, text, values = {}) => ({ step, result, words: { text, values } });

/**
 * @param {Uint8Array} bytes of the proof @param {Expected} expected
 * @returns {Promise<Outcome>} `holds`, or the first step that fails with its code
 */
export async function checkProof(bytes, expected) {
  const text = bytes.length <= MAX_PROOF_FILE ? fromUtf8(bytes) : null;
  const parts = text === null ? null : divide(text);
  const note = parts && readNote(utf8(parts.checkpoint));
  const checkpoint = note && readCheckpoint(note);
  if (!parts || !note || !checkpoint) return fails('P1', 'proof.malformed', 'this is no proof of one event (specs/checkpoints.md)');
  const { keeper, index } = expected;
  if (checkpoint.game !== expected.game) {
    return fails('P2', 'proof.game', 'the proof is about another game, {actual}', { actual: checkpoint.game });
  }
  if (!(await isSignedBy(note, keeper, expected.keeperKey))) {
    return fails('P3', 'proof.signature', 'its checkpoint has no signature of {keeper}, the keeper, that holds: anybody could have written it', {
      keeper,
    });
  }
  const { size } = checkpoint;
  if (expected.size !== undefined && expected.size !== size) {
    return fails('P4', 'proof.size', 'its checkpoint is for {actual} events, not for {expected}', { actual: size, expected: expected.size });
  }
  if (parts.index !== index || parts.index >= size) {
    return fails('P5', 'proof.index', 'the proof is about event {actual} of {size}, not about event {expected}', {
      actual: parts.index,
      size,
      expected: index,
    });
  }
  const line = expected.line ?? parts.extra;
  if (line === null) return fails('P6', 'proof.event', "the proof has no event in it: give the event's line beside it");
  if (line.length > MAX_LINE) return fails('P6', 'proof.event', "the event's line is too long: at most {most} bytes", { most: MAX_LINE });
  if (expected.line && parts.extra && !equal(expected.line, parts.extra)) {
    return fails('P6', 'proof.event', 'the proof carries another event than the line that was given');
  }
  const leaf = leafHash(line);
  if (!isIncluded(leaf, parts.index, size, parts.hashes, checkpoint.root)) {
    return fails('P7', 'proof.inclusion', 'this line is not event {index} of what {keeper} signed', { index, keeper });
  }
  let event;
  try {
    event = readEvent(line);
  } catch (failure) {
    if (failure instanceof Failure) return { step: 'P8', result: 'proof.event', words: failure.words };
    throw failure;
  }
  const game = parts.index === 0 ? toHex(leaf) : event.game;
  if (event.seq !== parts.index || game !== expected.game) {
    return fails('P8', 'proof.event', 'the line calls itself event {seq} of game {game}: the keeper put it where it does not belong', {
      seq: event.seq,
      game: event.game,
    });
  }
  const key = [{ name: keeper, publicKey: expected.keeperKey.bytes }, ...(expected.keys ?? [])].find(({ name }) => name === event.author);
  if (key && !(await (await PublicKey.from(key.publicKey)).verify(fromHex(event.sig), signedMessage(line, event)))) {
    return fails('P9', 'proof.author', "the event's signature is not that of the {author} whose key was given", { author: event.author });
  }
  const unmet = expected.policy ? await policyUnmet(expected.policy, expected, note) : null;
  return unmet ?? { result: 'holds', leaf, line, event, size, authorChecked: key !== undefined };
}

/**
 * Step P10.
 * @param {import('./policy.js').Policy} policy @param {Expected} expected @param {import('./notes.js').Note} note
 * @returns {Promise<Outcome | null>}
 */
async function policyUnmet(policy, { keeper, keeperKey }, note) {
  if (!acceptsKeeper(policy, keeperKey.bytes)) {
    return fails('P10', 'policy.unmet', '{keeper} is not one of the keepers that the policy accepts', { keeper });
  }
  const { missing, unchecked } = await judgePolicy(policy, [note]);
  if (missing === null) return null;
  if (unchecked.length > 0) {
    return fails(
      'P10',
      'policy.unchecked',
      'whether the policy is met is not known: it takes ML-DSA-44 to check the cosignatures of {names}, and this browser does not have it',
      { names: { names: unchecked } },
    );
  }
  return fails('P10', 'policy.unmet', 'the policy asks for more cosignatures; missing: {names}', { names: { names: missing } });
}

/** @param {Uint8Array} bytes of a proof @returns {number | null} the number of the event that it says it is about; null of no proof */
export function indexOf(bytes) {
  const text = bytes.length <= MAX_PROOF_FILE ? fromUtf8(bytes) : null;
  return (text === null ? null : divide(text))?.index ?? null;
}

/** @param {Shown} shown @param {Expected} expected @returns {Message[]} what a proof has shown and what not, in words */
export function provenWords({ event, line, size, authorChecked }, { game, keeper, policy }) {
  const author = { author: event.author };
  /** @type {Message[]} */
  const words = [
    { text: 'HOLDS: {keeper} signed that this is event {seq} of game {game}, among {size}:', values: { keeper, seq: event.seq, game, size } },
    { text: '{line}', values: { line: fromUtf8(line) ?? '' } },
    authorChecked
      ? { text: 'checked: {author} signed the event itself.', values: author }
      : { text: 'not checked: that {author} signed it; that takes the key of {author}.', values: author },
  ];
  if (policy) {
    words.push({ text: 'checked: the cosignatures that the policy asks for are there.' });
    const split = splitWords(policy);
    if (split !== null) words.push({ text: 'notice {code}: {message}', values: { code: 'policy.split', message: split } });
  }
  words.push({ text: 'not checked: that the rest of the game holds; that takes the log.' });
  return words;
}
