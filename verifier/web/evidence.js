/**
 * Evidence of a fork: steps 31 to 34 of specs/disputes.md.
 * @module
 */

import { equal, fromBase64, fromHex, fromUtf8, toHex, utf8 } from './bytes.js';
import { MAX_EVIDENCE, MAX_LINE, MAX_PROOF } from './constants.js';
import { openingMessage } from './dice.js';
import { error, Failure, notice } from './findings.js';
import { Game } from './game.js';
import { isConsistent, leafHash } from './hashes.js';
import { isName } from './identities.js';
import { isObject, readCanonical } from './json.js';
import { newParty } from './late.js';
import { readEvent, signedMessage } from './lines.js';
import { openOf } from './log.js';
import { isSignedBy, readCheckpoint, readNote } from './notes.js';
import { checkProof } from './proof.js';
import { BODIES, OPENING } from './schema.js';
import { PublicKey } from './signatures.js';
import { isRequest } from './terms.js';

/** @typedef {import('./terms.js').Terms} Terms */
/** @typedef {import('./log.js').Report} Report */
/** @typedef {{accused: string, admit?: string, index: number, open: string, statements: any[]}} Evidence */

const PREFIX = utf8('{"accused":');

/** @param {Uint8Array} bytes @param {string} name of the file @returns {boolean} whether it is taken for evidence */
export const isEvidence = (bytes, name) => !name.endsWith('.jsonl') && equal(bytes.subarray(0, PREFIX.length), PREFIX);

/** @param {unknown} value @returns {boolean} */
const isString = (value) => typeof value === 'string';
/** @param {string} text @returns {Uint8Array | null} null where it is no base64 of 32 bytes */
function readHash(text) {
  const hash = fromBase64(text);
  return hash !== null && hash.length === 32 ? hash : null;
}

/** @param {any} object @param {...string} names @returns {boolean} whether these are its members */
const hasJust = (object, ...names) => Object.keys(object).sort().join() === names.sort().join();

/** @param {any} value @returns {'line' | 'lines' | null} what the statement is about; null where it has none of the forms */
function aboutWhat(value) {
  if (!isObject(value)) return null;
  const { lines, opening, proof, checkpoint, hashes, root } = /** @type {any} */ (value);
  if (hasJust(value, 'lines') || hasJust(value, 'lines', 'opening')) {
    const formed = Array.isArray(lines) && lines.length > 0 && lines.every(isString);
    return formed && (opening === undefined || OPENING(opening) === null) ? 'line' : null;
  }
  if (hasJust(value, 'proof')) return isString(proof) ? 'line' : null;
  if (hasJust(value, 'checkpoint')) return isString(checkpoint) ? 'lines' : null;
  if (hasJust(value, 'checkpoint', 'hashes', 'root')) {
    const formed = Array.isArray(hashes) && hashes.length <= MAX_PROOF && hashes.every(isString) && isString(root);
    return formed && isString(checkpoint) ? 'lines' : null;
  }
  return null;
}

/** Step 31. @param {Uint8Array} bytes @returns {Evidence | null} */
function read(bytes) {
  if (bytes.length > MAX_EVIDENCE) return null;
  const text = fromUtf8(bytes);
  const value = text === null ? undefined : /** @type {any} */ (readCanonical(text.endsWith('\n') ? text.slice(0, -1) : text));
  if (!isObject(value)) return null;
  const late = Object.hasOwn(value, 'admit') ? ['admit'] : [];
  if (!hasJust(value, 'accused', 'format', 'index', 'open', 'statements', ...late)) return null;
  const { accused, admit, format, index, open, statements } = /** @type {any} */ (value);
  if (!isName(accused) || format !== 'rollproof/evidence/v1' || !Number.isSafeInteger(index) || index < 1 || !isString(open)) return null;
  if (admit !== undefined && !isString(admit)) return null;
  if (!Array.isArray(statements) || statements.length !== 2) return null;
  const [one, other] = statements.map(aboutWhat);
  return one !== null && one === other ? { accused, admit, index, open, statements } : null;
}

/** The content of a statement: the leaf hash of line n, or the root of the first n lines. */
class Statements {
  /** @param {Evidence} evidence @param {Terms} terms @param {Uint8Array} game */
  constructor(evidence, terms, game) {
    this.evidence = evidence;
    this.terms = terms;
    this.game = game;
    this.gameHex = toHex(game);
    this.accused = /** @type {import('./terms.js').Party} */ (terms.byName.get(evidence.accused));
    this.ofKeeper = this.accused === terms.keeper;
  }

  /** Step 33. @param {any} statement @returns {Promise<Uint8Array | null>} null where it does not hold */
  async shows(statement) {
    if (statement.lines) return this.ofLines(statement.lines, statement.opening);
    if (!this.ofKeeper) return null;
    return statement.proof === undefined ? this.ofCheckpoint(statement) : this.ofProof(statement.proof);
  }

  /** @param {string[]} lines @param {any} opening @returns {Promise<Uint8Array | null>} */
  async ofLines(lines, opening) {
    const { accused, index } = this.evidence;
    let first = null;
    let before = null;
    let last = null;
    let byOthers = false;
    for (let i = 0; i < lines.length; i++) {
      const bytes = utf8(lines[i]);
      if (bytes.length > MAX_LINE) return null;
      try {
        last = { bytes, event: readEvent(bytes) };
      } catch (failure) {
        if (failure instanceof Failure) return null;
        throw failure;
      }
      const { event } = last;
      if (event.game !== this.gameHex || event.seq !== index + i) return null;
      if (before !== null && event.prev !== toHex(before)) return null;
      if (event.author !== accused) byOthers = true;
      before = leafHash(bytes);
      first ??= before;
    }
    const { bytes, event } = /** @type {{bytes: Uint8Array, event: import('./schema.js').Event}} */ (last);
    if (opening !== undefined) {
      const message = openingMessage(this.game, /** @type {Uint8Array} */ (before), accused, opening.index, fromHex(opening.link));
      const signed = opening.author === accused && (await this.accused.key.verify(fromHex(opening.sig), message));
      return signed && isRequest(event.type) ? first : null;
    }
    if (event.author !== accused || !(await this.accused.key.verify(fromHex(event.sig), signedMessage(bytes, event)))) return null;
    return this.ofKeeper || byOthers ? first : null;
  }

  /** @param {string} proof @returns {Promise<Uint8Array | null>} */
  async ofProof(proof) {
    const { keeper } = this.terms;
    const outcome = await checkProof(utf8(proof), {
      game: this.gameHex,
      keeper: keeper.name,
      keeperKey: keeper.key,
      index: this.evidence.index,
    });
    return 'leaf' in outcome ? outcome.leaf : null;
  }

  /** @param {any} statement @returns {Promise<Uint8Array | null>} */
  async ofCheckpoint({ checkpoint: text, hashes, root }) {
    const { keeper } = this.terms;
    const { index } = this.evidence;
    const note = readNote(utf8(text));
    const checkpoint = note && readCheckpoint(note);
    if (!note || !checkpoint || checkpoint.game !== this.gameHex || !(await isSignedBy(note, keeper.name, keeper.key))) return null;
    if (root === undefined) return checkpoint.size === index ? checkpoint.root : null;
    const older = readHash(root);
    const path = hashes.map(readHash);
    if (older === null || path.includes(null)) return null;
    const leads = checkpoint.size > index && isConsistent(index, checkpoint.size, path, older, checkpoint.root);
    return leads ? older : null;
  }
}

/** @param {import('./findings.js').Finding} finding @param {'holds' | 'fails' | 'unreadable'} verdict @param {string | null} game @param {string | null} accused @returns {Report} */
function report(finding, verdict, game, accused) {
  const values = { accused: accused ?? '' };
  const holds = verdict === 'holds';
  return {
    kind: 'evidence',
    verdict,
    game,
    events: 0,
    validPrefix: 0,
    head: null,
    findings: [finding],
    trust: { all: [] },
    state: null,
    checked: holds
      ? [
          { text: 'Event 0, which fixes the game and the key of {accused}.', values },
          { text: 'Both statements: each leads by hashes to a signature that {accused} made.', values },
        ]
      : [],
    notChecked: holds
      ? [
          { text: 'Whose key it is: compare it with the one that {accused} gave you, or verify with that one.', values },
          { text: 'Which history was played, and whether it was done on purpose or by a program that had lost its memory.' },
        ]
      : [{ text: 'Evidence that does not hold shows nothing about anybody.' }],
  };
}

/**
 * Returns the terms with the accused added by the keeper's `admit`, if it is no party of event 0.
 * @param {Terms} terms @param {Uint8Array} id @param {string} accused @param {string} line
 * @returns {Promise<Terms | null>} null where it does not show that
 */
async function withAdmitted(terms, id, accused, line) {
  const bytes = utf8(line);
  if (bytes.length > MAX_LINE || terms.byName.has(accused)) return null;
  try {
    const event = readEvent(bytes);
    if (event.type !== 'admit' || event.author !== terms.keeper.name || event.game !== toHex(id)) return null;
    if (!(await terms.keeper.key.verify(fromHex(event.sig), signedMessage(bytes, event)))) return null;
    const check = /** @type {import('./schema.js').Check} */ (BODIES.get('admit'));
    if (check(event.body) !== null || !terms.admits.includes(event.body.role)) return null;
    const game = new Game(terms, id);
    const { name, publicKey } = newParty(game, event.body.key, event.body.called ?? null);
    if (name !== accused) return null;
    game.add({ name, role: event.body.role, called: event.body.called ?? null, verifierKey: event.body.key, key: PublicKey.soon(publicKey) }, null);
    return game.terms;
  } catch (failure) {
    if (failure instanceof Failure) return null;
    throw failure;
  }
}

/**
 * @param {Uint8Array} bytes of the file
 * @param {{game?: string | null, keys?: string[]}} [options] what the caller knows
 * @returns {Promise<Report>}
 */
export async function verifyEvidence(bytes, options = {}) {
  const evidence = read(bytes);
  if (evidence === null) {
    return report(error(31, 'evidence.malformed', null, 'file', 'This is no evidence file.'), 'unreadable', null, null);
  }
  const opened = await openOf(utf8(evidence.open), options);
  if (opened instanceof Failure) {
    const finding = error(32, 'evidence.open', null, 'file', 'Its event 0 does not hold, so it shows nothing: {problem}', { problem: opened.words });
    return report(finding, 'fails', null, null);
  }
  const game = toHex(opened.id);
  const terms = evidence.admit === undefined ? opened.terms : await withAdmitted(opened.terms, opened.id, evidence.accused, evidence.admit);
  if (terms === null) {
    const finding = error(32, 'evidence.open', null, 'file', 'Its admit does not show that the keeper let {accused} into this game.', {
      accused: evidence.accused,
    });
    return report(finding, 'fails', game, null);
  }
  const unknown = (options.keys ?? []).find((key) => !terms.parties.some((party) => party.verifierKey === key));
  if (unknown !== undefined) {
    const finding = error(32, 'evidence.open', null, 'file', 'Nobody in this evidence has the key {key}.', { key: unknown });
    return report(finding, 'fails', game, null);
  }
  if (!terms.byName.has(evidence.accused)) {
    const finding = error(32, 'evidence.open', null, 'file', '{accused} is no party of this game.', { accused: evidence.accused });
    return report(finding, 'fails', game, null);
  }
  const statements = new Statements(evidence, terms, opened.id);
  const shown = [];
  for (const [i, statement] of evidence.statements.entries()) {
    const hash = await statements.shows(statement);
    if (hash === null) {
      const finding = error(33, 'evidence.statement', null, 'file', 'Statement {number} does not hold, so there is no evidence.', { number: i + 1 });
      return report(finding, 'fails', game, evidence.accused);
    }
    shown.push(hash);
  }
  const { accused, index } = evidence;
  if (equal(shown[0], shown[1])) {
    const finding = error(
      34,
      'evidence.agree',
      null,
      'file',
      'Both statements are about the same event {index}: they do not contradict each other.',
      { index },
    );
    return report(finding, 'fails', game, accused);
  }
  const text =
    aboutWhat(evidence.statements[0]) === 'line'
      ? '{accused} signed two histories of game {game}: there are two events {index}, with the leaf hashes {one} and {other}, and {accused} vouched for both. No honest program signs that.'
      : '{accused} signed two histories of game {game}: there are two of its first {index} events, with the roots {one} and {other}, and {accused} vouched for both. No honest program signs that.';
  const fork = notice(34, 'evidence.fork', index, accused, text, { accused, game, index, one: toHex(shown[0]), other: toHex(shown[1]) });
  return report(fork, 'holds', game, accused);
}
