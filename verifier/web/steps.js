/**
 * One line after the other: steps 1 to 22 of specs/verification.md, for whole logs (`log.js`) and for logs that grow.
 *
 * A line is taken as far as it needs no signature; what must be signed is asked for, and settled by the caller when it
 * likes. What was taken too early is taken back with `mark`.
 * @module
 */

import { fromHex, fromUtf8, toHex } from './bytes.js';
import { FORMAT, MAX_LINE, NO_HASH } from './constants.js';
import { expectKey, isKnown } from './expect.js';
import { error, Failure } from './findings.js';
import { Game } from './game.js';
import { leafHash, Tree } from './hashes.js';
import { isObject, member, readPlain } from './json.js';
import { checkBody, checkChain, lineAt, readEvent, signedMessage } from './lines.js';
import { BODIES, SEALED } from './schema.js';
import { isSealed } from './secret.js';
import { SYSTEMS } from './systems.js';
import { isRequest, readTerms } from './terms.js';

/** @typedef {import('./findings.js').Finding} Finding */
/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./terms.js').Terms} Terms */
/** @typedef {{failure: () => Failure, seq: number, holds: Promise<boolean>}} Demanded */

/** Steps 1 to 3. @param {Uint8Array} bytes @returns {Finding | null} */
export function checkFile(bytes) {
  if (bytes.length === 0) return error(1, 'file.empty', 0, 'file', 'The file is empty.');
  const line = /** @type {Line} */ (lineAt(bytes, 0));
  const text = line.end > MAX_LINE ? null : fromUtf8(bytes.subarray(0, line.end));
  const value = text === null ? undefined : readPlain(text)?.value;
  const body = isObject(value) && member(value, 'type') === 'open' ? member(value, 'body') : undefined;
  const format = isObject(body) ? member(body, 'format') : undefined;
  if (typeof format !== 'string' || !format.startsWith('rollproof/')) {
    return error(1, 'file.not-a-log', 0, 'file', 'The file is not a Rollproof log: its first line opens no game.');
  }
  if (format !== FORMAT) {
    return {
      ...error(2, 'file.version', 0, 'file', "The log has format '{actual}'; this program reads '{expected}'. Use a newer program to judge it.", {
        actual: format,
        expected: FORMAT,
      }),
      expected: FORMAT,
      actual: format,
    };
  }
  const system = member(/** @type {any} */ (body), 'system');
  if (typeof system === 'string' && !SYSTEMS.has(system)) {
    return {
      ...error(3, 'file.system', 0, 'file', "The log was made for the rules '{actual}', which this program does not have.", { actual: system }),
      expected: [...SYSTEMS.keys()].sort().join(', '),
      actual: system,
    };
  }
  return null;
}

/** @param {Demanded[]} demanded @returns {Promise<Failure | null>} the first that does not hold */
export async function settle(demanded) {
  const held = await Promise.all(demanded.map((each) => each.holds));
  const first = held.indexOf(false);
  if (first < 0) return null;
  const failure = demanded[first].failure();
  failure.seq = demanded[first].seq;
  return failure;
}

/** The part of a log that has been read. */
export class Steps {
  /** @param {{game?: string | null, keys?: string[]}} [options] what the caller expects of event 0 */
  constructor(options = {}) {
    this.options = options;
    this.tree = new Tree();
    /** @type {Demanded[]} */
    this.demanded = [];
    /** @type {Terms | null} */
    this.terms = null;
    /** @type {Game | null} */
    this.game = null;
    this.gameId = NO_HASH;
    /** @type {string} */
    this.before = NO_HASH;
    /** Notes that all signatures so far hold. */
    this.trusting = false;
  }

  /** Returns the signatures demanded since the last call. @returns {Demanded[]} */
  demands() {
    const { demanded } = this;
    this.demanded = [];
    return demanded;
  }

  /**
   * Takes the next line, as far as it needs no signature. A failure changes nothing but the game's state.
   * @param {Uint8Array} bytes without its line feed
   * @returns {Promise<void> | null} null where the line is taken; of event 0 a promise that it is
   * @throws {Failure}
   */
  take(bytes) {
    const seq = this.tree.size;
    const event = this.read(bytes, seq);
    const leaf = leafHash(bytes);
    if (seq === 0) return this.openGame(event, leaf).then(() => this.append(event, bytes, leaf));
    this.append(event, bytes, leaf);
    return null;
  }

  /** @param {Event} event @param {Uint8Array} bytes @param {Uint8Array} leaf @throws {Failure} */
  append(event, bytes, leaf) {
    const hex = toHex(leaf);
    this.judge(event, bytes, hex);
    this.before = hex;
    this.tree.append(leaf);
  }

  /**
   * Saves the state of the log, with event 0 taken.
   * @returns {() => void} takes back all that was taken since, once
   */
  mark() {
    const { before } = this;
    const size = this.tree.size;
    const back = /** @type {Game} */ (this.game).mark();
    return () => {
      back();
      this.before = before;
      this.demanded = [];
      this.tree.truncate(size);
    };
  }

  /** Steps 5 to 9. @param {Uint8Array} bytes @param {number} seq @returns {Event} @throws {Failure} */
  read(bytes, seq) {
    const event = readEvent(bytes);
    checkChain(event, seq, this.gameId, this.before);
    checkBody(event, BODIES.get(event.type), (body) => this.sealedProblem({ ...event, body }));
    return event;
  }

  /** Step 9 of what makes a request one for a secret roll. @param {Event} event @returns {import('./schema.js').Problem | null} */
  sealedProblem({ type, body }) {
    if (this.terms === null || !isRequest(type) || !isSealed(this.terms, body)) return null;
    return SEALED(Object.fromEntries(['hidden', 'sealed', 'sides'].filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]])));
  }

  /** Step 10 for event 0. @param {Event} event @param {Uint8Array} leaf @throws {Failure} */
  async openGame(event, leaf) {
    const terms = await readTerms(event.body);
    const id = toHex(leaf);
    const { game: expected, keys = [] } = this.options;
    if (expected && expected !== id) {
      throw new Failure(10, 'expect.game', 'This is the log of game {actual}, not of the one asked for.', { actual: id }, { expected, actual: id });
    }
    for (const key of keys) if (terms.admits.length === 0 || isKnown(terms, key)) expectKey(terms, key);
    this.terms = terms;
    this.game = new Game(terms, leaf);
    this.gameId = id;
  }

  /** Steps 11 to 22. @param {Event} event @param {Uint8Array} bytes @param {string} leaf @throws {Failure} */
  judge(event, bytes, leaf) {
    const game = /** @type {Game} */ (this.game);
    if (event.seq > 0 && event.type === 'open') {
      throw new Failure(10, 'open.terms', 'A log begins with its only open; this is event {seq}.', { seq: event.seq });
    }
    const place = game.place(event.author);
    if (!place) {
      const expected = game.terms.parties.map((party) => party.name).join(', ');
      throw new Failure(
        11,
        'author.unknown',
        '{actual} is no party of this game: {expected}.',
        { actual: event.author, expected },
        { expected, actual: event.author },
      );
    }
    /** @type {import('./game.js').Demand} */
    const demand = (failure, key, signature, message) => {
      if (this.trusting) return;
      this.demanded.push({ failure, seq: event.seq, holds: key.verify(signature, message) });
    };
    const unsigned = () =>
      new Failure(12, 'signature.invalid', "The signature of this event is not {author}'s: it is not what {author} signed.", {
        author: event.author,
      });
    const key = (event.type === 'join' && place.asked?.publicKey) || place.party.key;
    demand(unsigned, key, fromHex(event.sig), signedMessage(bytes, event));
    game.take(event, leaf, demand);
  }
}
