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
import { acceptsKeeper, isMet } from './policy.js';

/** @typedef {import('./signatures.js').PublicKey} PublicKey */

/**
 * @typedef {object} Expected what the caller gives, not the proof
 * @property {string} game hex
 * @property {string} keeper name
 * @property {PublicKey} keeperKey
 * @property {number} index
 * @property {number} [size]
 * @property {Uint8Array} [line]
 * @property {PublicKey} [authorKey]
 * @property {import('./policy.js').Policy} [policy]
 */

/** @typedef {{result: 'holds', leaf: Uint8Array, line: Uint8Array} | {result: string, step: string}} Outcome */

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

/** @param {string} step @param {string} result @returns {Outcome} */
const fails = (step, result) => ({ step, result });

/**
 * @param {Uint8Array} bytes of the proof @param {Expected} expected
 * @returns {Promise<Outcome>} `holds`, or the first step that fails with its code
 */
export async function checkProof(bytes, expected) {
  const text = bytes.length <= MAX_PROOF_FILE ? fromUtf8(bytes) : null;
  const parts = text === null ? null : divide(text);
  const note = parts && readNote(utf8(parts.checkpoint));
  const checkpoint = note && readCheckpoint(note);
  if (!parts || !note || !checkpoint) return fails('P1', 'proof.malformed');
  if (checkpoint.game !== expected.game) return fails('P2', 'proof.game');
  if (!(await isSignedBy(note, expected.keeper, expected.keeperKey))) return fails('P3', 'proof.signature');
  if (expected.size !== undefined && expected.size !== checkpoint.size) return fails('P4', 'proof.size');
  if (parts.index !== expected.index || parts.index >= checkpoint.size) return fails('P5', 'proof.index');
  const line = expected.line ?? parts.extra;
  if (line === null || line.length > MAX_LINE) return fails('P6', 'proof.event');
  if (expected.line && parts.extra && !equal(expected.line, parts.extra)) return fails('P6', 'proof.event');
  const leaf = leafHash(line);
  if (!isIncluded(leaf, parts.index, checkpoint.size, parts.hashes, checkpoint.root)) return fails('P7', 'proof.inclusion');
  let event;
  try {
    event = readEvent(line);
  } catch (failure) {
    if (failure instanceof Failure) return fails('P8', 'proof.event');
    throw failure;
  }
  const game = parts.index === 0 ? toHex(leaf) : event.game;
  if (event.seq !== parts.index || game !== expected.game) return fails('P8', 'proof.event');
  if (expected.authorKey && !(await expected.authorKey.verify(fromHex(event.sig), signedMessage(line, event)))) {
    return fails('P9', 'proof.author');
  }
  if (expected.policy && !(acceptsKeeper(expected.policy, expected.keeperKey.bytes) && (await isMet(expected.policy, note)))) {
    return fails('P10', 'policy.unmet');
  }
  return { result: 'holds', leaf, line };
}

