/**
 * A log from its first byte to the trust statement: the procedure of specs/verification.md, without step 23.
 *
 * Lines go through the steps one after the other, in windows: the signatures of a window are asked for together, and
 * settled while the next window is read. The failure with the lowest line, then the lowest step, is reported: the same as if
 * one thing had been done after the other.
 * @module
 */

import { fromUtf8, toHex } from './bytes.js';
import { expectLate } from './expect.js';
import { findFault, keeperSignedOver } from './fault.js';
import { Failure, notice } from './findings.js';
import { Game } from './game.js';
import { leafHash } from './hashes.js';
import { readPlain } from './json.js';
import { checkEnd, countLines, lineAt, readEvent } from './lines.js';
import { noticesOf } from './notices.js';
import { checkReceipts, rootsAhead, UNCHECKED } from './receipts.js';
import { checkedWords } from './scope.js';
import { checkFile, settle, Steps } from './steps.js';
import { readParties } from './terms.js';
import { trustOf } from './trust.js';
import { selfTest } from './sha256.js';

/** @typedef {import('./findings.js').Finding} Finding */
/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./lines.js').Line} Line */
/** @typedef {import('./terms.js').Terms} Terms */
/** @typedef {{name: string, bytes: Uint8Array}} Receipt a checkpoint that the caller holds, and what it is called */
/** @typedef {import('./steps.js').Demanded} Demanded */

/**
 * @typedef {object} Options what the caller knows
 * @property {string | null} [game] the game's id, hex
 * @property {string[]} [keys] verifier keys that must be parties'
 * @property {Receipt[]} [receipts]
 * @property {Uint8Array | null} [policy]
 * @property {(bytes: number) => void | Promise<void>} [progress] told how many bytes have been read; waited for
 */

/**
 * @typedef {object} Report as in specs/verification.md, with messages for `words.js`; `rules` is what it lacks
 * @property {'log' | 'evidence' | 'roll' | 'event' | 'bundle'} kind
 * @property {'holds' | 'fails' | 'unreadable' | 'unfinished'} verdict
 * @property {string | null} game
 * @property {number} events
 * @property {number} validPrefix
 * @property {{size: number, leaf: string, root: string} | null} head
 * @property {Finding[]} findings
 * @property {Message} trust
 * @property {Message[]} checked
 * @property {Message[]} notChecked
 * @property {Game | null} state after the valid prefix, as far as the protocol goes
 * @property {{name: string, role: string, key: string}[]} [people] of an event: its keeper, and its staff in office or not
 * @property {any} [event] the `state` of the report on an event or its bundle
 */

/** Lines whose signatures are checked together. */
const WINDOW = 256;

/** @param {Finding} finding @returns {Report} */
const unreadable = (finding) => ({
  kind: 'log',
  verdict: 'unreadable',
  game: null,
  events: 0,
  validPrefix: 0,
  head: null,
  findings: [finding],
  trust: { all: [] },
  checked: [],
  notChecked: [{ text: 'Nothing in the file could be judged.' }],
  state: null,
});

/** One log under verification. */
class Run {
  /** @param {Uint8Array} bytes @param {Options} options */
  constructor(bytes, options) {
    this.bytes = bytes;
    this.options = options;
    this.steps = new Steps(options);
  }

  /** @param {Line} line @returns {Uint8Array} */
  bytesOf(line) {
    return this.bytes.subarray(line.start, line.end);
  }

  /**
   * Takes the lines of a window, as far as they need no signature.
   * @param {Line | null} from @returns {Promise<{failure: Failure | null, next: Line | null}>}
   */
  async takeWindow(from) {
    let line = from;
    for (let count = 0; line !== null && count < WINDOW; count++) {
      const seq = this.steps.tree.size;
      try {
        checkEnd(line);
        const opening = this.steps.take(this.bytesOf(line));
        if (opening !== null) await opening;
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
      const demanded = this.steps.demands();
      const failure = (await settle(waiting)) ?? (stopped && ((await settle(demanded)) ?? stopped));
      if (failure) return { failure, line: this.lineOf(failure.seq) };
      waiting = demanded;
      line = next;
      await this.options.progress?.(line === null ? this.bytes.length : line.start);
    }
    const failure = await settle(waiting);
    return failure && { failure, line: this.lineOf(failure.seq) };
  }

  /** @param {number} seq @returns {Line} */
  lineOf(seq) {
    let line = /** @type {Line} */ (lineAt(this.bytes, 0));
    for (let i = 0; i < seq; i++) line = /** @type {Line} */ (lineAt(this.bytes, line.end + 1));
    return line;
  }

  /** Returns the state after the first lines, which hold. @param {number} size @returns {Game} */
  replay(size) {
    const before = /** @type {Game} */ (this.steps.game);
    const game = new Game(/** @type {Terms} */ (this.steps.terms), before.id);
    let line = /** @type {Line} */ (lineAt(this.bytes, 0));
    for (let seq = 0; seq < size; seq++) {
      game.take(readEvent(this.bytesOf(line)), toHex(this.steps.tree.levels[0][seq]), () => {});
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
  if (refused !== null)
    return new Failure(refused.step, refused.code, /** @type {any} */ (refused.message).text, /** @type {any} */ (refused.message).values);
  const run = new Run(bytes, options);
  await selfTest();
  // The line is one string: a line feed in it is a character that is not canonical, not the end of a line.
  const { failure: stopped } = await run.takeWindow({ start: 0, end: line.length, terminated: true });
  const failure = (await settle(run.steps.demands())) ?? stopped;
  return failure ?? { terms: /** @type {Terms} */ (run.steps.terms), id: leafHash(line) };
}

/**
 * Whose keys count for a line that failed.
 * @param {Run} run @param {number} seq @param {Line} line @param {Game | null} before the state before the line, null for event 0
 * @returns {Promise<import('./fault.js').Table>}
 */
async function tableOf(run, seq, line, before) {
  if (before === null) {
    const parties = await readParties(readPlain(fromUtf8(run.bytesOf(line)) ?? '')?.value);
    return { ...parties, checks: new Set(), roots: new Map() };
  }
  const { parties, keeper } = before.terms;
  const log = { game: before, tree: run.steps.tree, size: seq, events: seq, whole: false };
  return {
    byName: new Map(parties.map((party) => [party.name, party.key])),
    joining: new Map([...before.places.values()].flatMap(({ party, asked }) => (asked ? [[party.name, asked.publicKey]] : []))),
    keeper: keeper.name,
    checks: new Set([...before.places.values()].filter((place) => place.checks).map((place) => place.party.name)),
    roots: await rootsAhead(log, run.options.receipts ?? []),
  };
}

/**
 * What a line that failed comes to: an error, or the notice that it is an offer behind the log.
 * @param {Run} run @param {Failure} failure @param {Line} line @param {Game | null} before
 * @returns {Promise<Finding>}
 */
async function findingOf(run, failure, line, before) {
  const table = await tableOf(run, failure.seq, line, before);
  const last = lineAt(run.bytes, line.end + 1) === null;
  if (failure.rulesAlone && last && !(await keeperSignedOver(run.bytes, line, table))) {
    const { author } = readEvent(run.bytesOf(line));
    const offer = notice(
      24,
      'log.offer',
      failure.seq,
      null,
      "{author} signed event {seq}, and {keeper}, the keeper, has not signed over it. {author}'s program need not know the rules. The event is an offer, not a part of this log: nobody is at fault.",
      { author, seq: failure.seq, keeper: /** @type {string} */ (table.keeper) },
    );
    return { ...offer, message: { all: [offer.message, failure.words] } };
  }
  const { fault, message } = await findFault(run.bytes, line, failure, table);
  return {
    code: failure.code,
    severity: 'error',
    step: failure.step,
    seq: failure.seq,
    fault,
    clause: failure.clause,
    message,
    expected: failure.expected,
    actual: failure.actual,
  };
}

/**
 * Verifies a log.
 * @param {Uint8Array} bytes of the file @param {Options} [options]
 * @returns {Promise<Report>}
 * @throws {TypeError} where a key that the caller expects is none
 * @throws {import('./policy.js').PolicyError} where the policy is none
 */
export async function verifyLog(bytes, options = {}) {
  await selfTest();
  const refused = checkFile(bytes);
  if (refused !== null) return unreadable(refused);
  const run = new Run(bytes, options);
  const stopped = await run.all();
  const size = stopped === null ? run.steps.tree.size : stopped.failure.seq;
  const game = stopped === null ? /** @type {Game} */ (run.steps.game) : size === 0 ? null : run.replay(size);
  const found = stopped === null ? null : await findingOf(run, stopped.failure, stopped.line, game);
  const offer = found?.severity === 'notice' ? [found] : [];
  const whole = found === null || offer.length > 0;
  const events = whole ? size : countLines(bytes);
  const findings = found === null || whole ? [] : [found];
  const late = whole && game !== null ? expectLate(game, options.keys ?? []) : null;
  if (late !== null) {
    findings.push({
      code: late.code,
      severity: 'error',
      step: late.step,
      seq: null,
      fault: 'file',
      clause: null,
      message: late.words,
      expected: late.expected,
      actual: late.actual,
    });
  }
  if (game === null) {
    return {
      kind: 'log',
      verdict: 'fails',
      game: null,
      events,
      validPrefix: 0,
      head: null,
      findings,
      trust: { all: [] },
      checked: [],
      notChecked: [{ text: 'Nothing in the file could be judged.' }],
      state: null,
    };
  }
  const compared = await checkReceipts({ game, tree: run.steps.tree, size, events, whole }, options.receipts ?? [], options.policy ?? null);
  findings.push(...compared.findings, ...noticesOf(game, size, whole, compared.vouched, offer), ...compared.notices);
  const errors = findings.filter((finding) => finding.severity === 'error');
  const unfinished = errors.every((finding) => finding.code === UNCHECKED);
  return {
    kind: 'log',
    verdict: errors.length === 0 ? 'holds' : unfinished ? 'unfinished' : 'fails',
    game: run.steps.gameId,
    events,
    validPrefix: size,
    head: { size, leaf: toHex(run.steps.tree.levels[0][size - 1]), root: toHex(run.steps.tree.root(size)) },
    findings,
    trust: trustOf(game, size, whole && late === null),
    ...checkedWords(game, size, whole, options, compared.checked, compared.notChecked),
    state: game,
  };
}
