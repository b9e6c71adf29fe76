/**
 * A log from its first byte to the trust statement: the procedure of specs/verification.md, without step 23.
 *
 * Lines go through the steps one after the other, in windows: the signatures of a window are asked for together, and
 * settled while the next window is read. The failure with the lowest line, then the lowest step, is reported: the same as if
 * one thing had been done after the other.
 * @module
 */

import { fromHex, fromUtf8, toHex } from './bytes.js';
import { FORMAT, MAX_LINE, NO_HASH } from './constants.js';
import { expectKey } from './expect.js';
import { findFault } from './fault.js';
import { error, Failure } from './findings.js';
import { Game } from './game.js';
import { leafHash, Tree } from './hashes.js';
import { isObject, member, readPlain } from './json.js';
import { checkEnd, countLines, lineAt, readEvent, signedMessage } from './lines.js';
import { noticesOf } from './notices.js';
import { checkReceipts } from './receipts.js';
import { BODIES, describe } from './schema.js';
import { checkedWords } from './scope.js';
import { SYSTEMS } from './systems.js';
import { readParties, readTerms } from './terms.js';
import { trustOf } from './trust.js';
import { selfTest } from './sha256.js';

/** @typedef {import('./findings.js').Finding} Finding */
/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./terms.js').Terms} Terms */
/** @typedef {{name: string, bytes: Uint8Array}} Receipt a checkpoint that the caller holds, and what it is called */
/** @typedef {{failure: () => Failure, seq: number, holds: Promise<boolean>}} Demanded */

/**
 * @typedef {object} Options what the caller knows
 * @property {string | null} [game] the game's id, hex
 * @property {string[]} [keys] verifier keys that must be parties'
 * @property {Receipt[]} [receipts]
 * @property {Uint8Array | null} [policy]
 * @property {(bytes: number) => void} [progress] told how many bytes have been read
 */

/**
 * @typedef {object} Report as in specs/verification.md, with messages for `words.js`; `rules` is what it lacks
 * @property {'log' | 'evidence'} kind
 * @property {'holds' | 'fails' | 'unreadable'} verdict
 * @property {string | null} game
 * @property {number} events
 * @property {number} validPrefix
 * @property {{size: number, leaf: string, root: string} | null} head
 * @property {Finding[]} findings
 * @property {Message} trust
 * @property {Message[]} checked
 * @property {Message[]} notChecked
 * @property {Game | null} state after the valid prefix, as far as the protocol goes
 */

/** Lines whose signatures are asked for together. */
const WINDOW = 256;

/** @param {Finding} finding @returns {Report} */
const unreadable = (finding) => ({
  kind: 'log', verdict: 'unreadable', game: null, events: 0, validPrefix: 0, head: null, findings: [finding],
  trust: { all: [] }, checked: [], notChecked: [{ text: 'Nothing in the file could be judged.' }], state: null,
});

/** Steps 1 to 3. @param {Uint8Array} bytes @returns {Finding | null} */
function checkFile(bytes) {
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
    return { ...error(2, 'file.version', 0, 'file',
      "The log has format '{actual}'; this program reads '{expected}'. Use a newer program to judge it.",
      { actual: format, expected: FORMAT }), expected: FORMAT, actual: format };
  }
  const system = member(/** @type {any} */ (body), 'system');
  if (typeof system === 'string' && !SYSTEMS.has(system)) {
    return { ...error(3, 'file.system', 0, 'file',
      "The log was made for the rules '{actual}', which this program does not have.", { actual: system }),
    expected: [...SYSTEMS.keys()].sort().join(', '), actual: system };
  }
  return null;
}

/** One log on its way through the steps. */
class Run {
  /** @param {Uint8Array} bytes @param {Options} options */
  constructor(bytes, options) {
    this.bytes = bytes;
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
  }

  /** @param {Line} line @returns {Uint8Array} */
  bytesOf(line) {
    return this.bytes.subarray(line.start, line.end);
  }

  /** Steps 4 to 9. @param {Line} line @param {number} seq @returns {Event} @throws {Failure} */
  read(line, seq) {
    checkEnd(line);
    const event = readEvent(this.bytesOf(line));
    if (event.seq !== seq) {
      throw new Failure(7, 'chain.seq',
        'Event {expected} should stand here, but this is event {actual}: lines are missing, doubled or out of order.',
        { expected: seq, actual: event.seq }, { expected: String(seq), actual: String(event.seq) });
    }
    if (event.game !== this.gameId) {
      throw new Failure(7, 'chain.game', 'This event belongs to another game, {actual}.', { actual: event.game },
        { expected: this.gameId, actual: event.game });
    }
    if (event.prev !== this.before) {
      throw new Failure(7, 'chain.prev',
        'This event does not follow the line before it: that line was changed, or lines were dropped or swapped.', {},
        { expected: this.before, actual: event.prev });
    }
    const check = BODIES.get(event.type);
    if (check === undefined) throw new Failure(8, 'type.unknown', "There is no event type '{type}'.", { type: event.type });
    const problem = check(event.body);
    if (problem !== null) {
      throw new Failure(9, 'body.malformed', 'The body of this {type} is not as the specification has it: {problem}.',
        { type: event.type, problem: describe(problem) });
    }
    return event;
  }

  /** Step 10 for event 0. @param {Event} event @param {Uint8Array} leaf @throws {Failure} */
  async openGame(event, leaf) {
    const terms = await readTerms(event.body);
    const id = toHex(leaf);
    const { game: expected, keys = [] } = this.options;
    if (expected && expected !== id) {
      throw new Failure(10, 'expect.game', 'This is the log of game {actual}, not of the one asked for.', { actual: id },
        { expected, actual: id });
    }
    for (const key of keys) expectKey(terms, key);
    this.terms = terms;
    this.game = new Game(terms, leaf);
    this.gameId = id;
  }

  /** Steps 11 to 22. @param {Event} event @param {Line} line @param {string} leaf @throws {Failure} */
  judge(event, line, leaf) {
    const game = /** @type {Game} */ (this.game);
    if (event.seq > 0 && event.type === 'open') {
      throw new Failure(10, 'open.terms', 'A log begins with its only open; this is event {seq}.', { seq: event.seq });
    }
    const place = game.place(event.author);
    if (!place) {
      const expected = game.terms.parties.map((party) => party.name).join(', ');
      throw new Failure(11, 'author.unknown', '{actual} is no party of this game: {expected}.',
        { actual: event.author, expected }, { expected, actual: event.author });
    }
    /** @type {import('./game.js').Demand} */
    const demand = (failure, key, signature, message) => {
      this.demanded.push({ failure, seq: event.seq, holds: key.verify(signature, message) });
    };
    const unsigned = () => new Failure(12, 'signature.invalid',
      "The signature of this event is not {author}'s: it is not what {author} signed.", { author: event.author });
    demand(unsigned, place.party.key, fromHex(event.sig), signedMessage(this.bytesOf(line), event));
    game.take(event, leaf, demand);
  }

  /** @param {Demanded[]} demanded @returns {Promise<Failure | null>} the first that does not hold */
  static async settle(demanded) {
    const held = await Promise.all(demanded.map((each) => each.holds));
    const first = held.indexOf(false);
    if (first < 0) return null;
    const failure = demanded[first].failure();
    failure.seq = demanded[first].seq;
    return failure;
  }

  /**
   * Takes lines, as many as a window has, as far as they need no signature.
   * @param {Line | null} from @returns {Promise<{failure: Failure | null, next: Line | null}>}
   */
  async takeWindow(from) {
    let line = from;
    for (let count = 0; line !== null && count < WINDOW; count++) {
      const seq = this.tree.size;
      try {
        const event = this.read(line, seq);
        const leaf = leafHash(this.bytesOf(line));
        const hex = toHex(leaf);
        if (seq === 0) await this.openGame(event, leaf);
        this.judge(event, line, hex);
        this.before = hex;
        this.tree.append(leaf);
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        failure.seq = seq;
        return { failure, next: line };
      }
      line = lineAt(this.bytes, line.end + 1);
    }
    return { failure: null, next: line };
  }

  /** @returns {Promise<{failure: Failure, line: Line} | null>} */
  async all() {
    /** @type {Demanded[]} */
    let waiting = [];
    let line = lineAt(this.bytes, 0);
    while (line !== null) {
      const { failure: stopped, next } = await this.takeWindow(line);
      const failure = (await Run.settle(waiting)) ?? (stopped && ((await Run.settle(this.demanded)) ?? stopped));
      if (failure) return { failure, line: this.lineOf(failure.seq) };
      waiting = this.demanded;
      this.demanded = [];
      line = next;
      this.options.progress?.(line === null ? this.bytes.length : line.start);
    }
    const failure = await Run.settle(waiting);
    return failure && { failure, line: this.lineOf(failure.seq) };
  }

  /** @param {number} seq @returns {Line} */
  lineOf(seq) {
    let line = /** @type {Line} */ (lineAt(this.bytes, 0));
    for (let i = 0; i < seq; i++) line = /** @type {Line} */ (lineAt(this.bytes, line.end + 1));
    return line;
  }

  /** The state after the first lines, which are known to hold. @param {number} size @returns {Game} */
  replay(size) {
    const before = /** @type {Game} */ (this.game);
    const game = new Game(before.terms, before.id);
    let line = /** @type {Line} */ (lineAt(this.bytes, 0));
    for (let seq = 0; seq < size; seq++) {
      game.take(readEvent(this.bytesOf(line)), toHex(this.tree.levels[0][seq]), () => {});
      line = /** @type {Line} */ (lineAt(this.bytes, line.end + 1));
    }
    return game;
  }
}

/**
 * Steps 2 to 13 for an event 0 by itself (specs/disputes.md, step 32).
 * @param {Uint8Array} line without a line feed @param {{game?: string | null, keys?: string[]}} options
 * @returns {Promise<{terms: Terms, id: Uint8Array} | Failure>}
 */
export async function openOf(line, options) {
  const bytes = new Uint8Array(line.length + 1);
  bytes.set(line);
  bytes[line.length] = 0x0a;
  const refused = checkFile(bytes);
  if (refused !== null) return new Failure(refused.step, refused.code, /** @type {any} */ (refused.message).text, /** @type {any} */ (refused.message).values);
  const run = new Run(bytes, options);
  await selfTest();
  // The line is one string: a line feed in it is a character that is not canonical, not the end of a line.
  const { failure: stopped } = await run.takeWindow({ start: 0, end: line.length, terminated: true });
  const failure = (await Run.settle(run.demanded)) ?? stopped;
  return failure ?? { terms: /** @type {Terms} */ (run.terms), id: leafHash(line) };
}

/** @param {Run} run @param {Failure} failure @param {Line} line @returns {Promise<Finding>} */
async function findingOf(run, failure, line) {
  /** @type {import('./fault.js').Table} */
  const table = failure.seq > 0 && run.terms !== null
    ? { byName: new Map(run.terms.parties.map((party) => [party.name, party.key])), keeper: run.terms.keeper.name }
    : await readParties(readPlain(fromUtf8(run.bytesOf(line)) ?? '')?.value);
  const { fault, message } = await findFault(run.bytes, line, failure, table);
  return {
    code: failure.code, severity: 'error', step: failure.step, seq: failure.seq, fault, clause: failure.clause, message,
    expected: failure.expected, actual: failure.actual,
  };
}

/**
 * Verifies a log.
 * @param {Uint8Array} bytes of the file @param {Options} [options]
 * @returns {Promise<Report>}
 * @throws {TypeError} where a key that the caller expects is none
 */
export async function verifyLog(bytes, options = {}) {
  await selfTest();
  const refused = checkFile(bytes);
  if (refused !== null) return unreadable(refused);
  const run = new Run(bytes, options);
  const stopped = await run.all();
  const events = stopped === null ? run.tree.size : countLines(bytes);
  const size = stopped === null ? events : stopped.failure.seq;
  const whole = stopped === null;
  const findings = stopped === null ? [] : [await findingOf(run, stopped.failure, stopped.line)];
  if (size === 0) {
    return {
      kind: 'log', verdict: 'fails', game: null, events, validPrefix: 0, head: null, findings, trust: { all: [] },
      checked: [], notChecked: [{ text: 'Nothing in the file could be judged.' }], state: null,
    };
  }
  const game = whole ? /** @type {Game} */ (run.game) : run.replay(size);
  const compared = await checkReceipts({ game, tree: run.tree, size, events, whole }, options.receipts ?? [], options.policy ?? null);
  findings.push(...compared.findings, ...noticesOf(game, size, whole, compared.vouched), ...compared.notices);
  const failed = findings.some((finding) => finding.severity === 'error');
  return {
    kind: 'log', verdict: failed ? 'fails' : 'holds', game: run.gameId, events, validPrefix: size,
    head: { size, leaf: toHex(run.tree.levels[0][size - 1]), root: toHex(run.tree.root(size)) },
    findings, trust: trustOf(game, size, whole),
    ...checkedWords(game, size, whole, options, compared.checked, compared.notChecked), state: game,
  };
}
