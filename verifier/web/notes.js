/**
 * C2SP signed notes, checkpoints of a game, and cosignatures (specs/checkpoints.md).
 * @module
 */

import { equal, fromBase64, fromUtf8, toHex, utf8 } from './bytes.js';
import { MAX_NOTE, MAX_SIGNATURES } from './constants.js';
import { PublicKey } from './signatures.js';
import { keyId, TYPE_ED25519, TYPE_MLDSA } from './identities.js';
import { MLDSA_SIGNATURE, mldsaIsAvailable, mldsaVerify, subtreeMessage } from './mldsa.js';

/** @typedef {{name: string, keyId: Uint8Array, signature: Uint8Array}} NoteSignature */
/** @typedef {{text: string, signatures: NoteSignature[]}} Note */
/** @typedef {{game: string, size: number, root: Uint8Array}} Checkpoint */

// Control characters other than the line feed.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
// Control characters, "+", and the code points with the property White_Space.
// eslint-disable-next-line no-control-regex
const NOT_IN_NAMES = /[\u0000-\u0020+\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const ORIGIN = /^rollproof\/v1\/([0-9a-f]{64})$/;
const NUMBER = /^(?:0|[1-9][0-9]*)$/;

/** @param {string} text plain decimal @returns {number | null} null where it is none, or no safe integer */
export function readNumber(text) {
  const number = NUMBER.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}

/** @param {string} name @returns {boolean} whether it can be the name of a note's key */
export const isKeyName = (name) => name !== '' && !NOT_IN_NAMES.test(name);

/** @param {Uint8Array} bytes @returns {Note | null} null where it is no signed note */
export function readNote(bytes) {
  const whole = bytes.length <= MAX_NOTE ? fromUtf8(bytes) : null;
  if (whole === null || CONTROL.test(whole) || !whole.endsWith('\n')) return null;
  const division = whole.lastIndexOf('\n\n');
  if (division < 0) return null;
  const lines = whole.slice(division + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) return null;
  const signatures = [];
  for (const line of lines) {
    const parts = line.split(' ');
    const [dash, name, text] = parts;
    const data = parts.length === 3 && dash === '\u2014' && isKeyName(name) ? fromBase64(text) : null;
    if (data === null || data.length < 5) return null;
    signatures.push({ name, keyId: data.slice(0, 4), signature: data.slice(4) });
  }
  return { text: whole.slice(0, division + 1), signatures };
}

/** @param {Note} note @returns {Checkpoint | null} null where it is no checkpoint of a game */
export function readCheckpoint(note) {
  const lines = note.text.split('\n');
  if (lines.length !== 4) return null; // three, and what stands behind the last line feed
  const origin = ORIGIN.exec(lines[0]);
  const size = readNumber(lines[1]);
  const root = fromBase64(lines[2]);
  if (!origin || size === null || size < 1 || root === null || root.length !== 32) return null;
  return { game: origin[1], size, root };
}

/**
 * Whether a note is signed by a key: one or more lines are by it, and each of them holds.
 * @param {Note} note @param {string} name @param {PublicKey} key
 * @returns {Promise<boolean>}
 */
export async function isSignedBy(note, name, key) {
  const id = keyId(name, TYPE_ED25519, key.bytes);
  const message = utf8(note.text);
  const lines = note.signatures.filter((line) => line.name === name && equal(line.keyId, id));
  for (const line of lines) if (!(await key.verify(line.signature, message))) return false;
  return lines.length > 0;
}

/** @param {string} text of the checkpoint @param {bigint} time @returns {Uint8Array} what a cosignature signs */
export const cosignedMessage = (text, time) => utf8(`cosignature/v1\ntime ${time}\n${text}`);

/**
 * Whether a note is cosigned by a witness: one or more lines are by its key, and each of them holds.
 * @param {Note} note @param {import('./identities.js').Identity} witness its key of type 0x04 or 0x06
 * @returns {Promise<boolean>}
 */
export async function isCosignedBy(note, witness) {
  if (!(await canCheck(witness))) return false;
  const lines = linesBy(note, witness);
  for (const { signature } of lines) if (!(await holds(note, witness, signature))) return false;
  return lines.length > 0;
}

/** @param {Note} note @param {import('./identities.js').Identity} witness @returns {NoteSignature[]} its lines, whether or not they hold */
export const linesBy = (note, witness) => note.signatures.filter((line) => line.name === witness.name && toHex(line.keyId) === toHex(witness.keyId));

/** @param {import('./identities.js').Identity} witness @returns {Promise<boolean>} whether this platform can check its cosignatures */
export const canCheck = async (witness) => witness.type !== TYPE_MLDSA || mldsaIsAvailable();

/** @param {Note} note @param {import('./identities.js').Identity} witness @param {Uint8Array} signature @returns {Promise<boolean>} */
async function holds(note, witness, signature) {
  const post = witness.type === TYPE_MLDSA;
  if (signature.length !== 8 + (post ? MLDSA_SIGNATURE : 64)) return false;
  const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  if (time < 1n || time >= 1n << 63n) return false;
  if (!post) return (await PublicKey.from(witness.publicKey)).verify(signature.slice(8), cosignedMessage(note.text, time));
  const message = subtreeMessage(witness.name, time, note.text);
  return message !== null && mldsaVerify(witness.publicKey, signature.slice(8), message);
}
