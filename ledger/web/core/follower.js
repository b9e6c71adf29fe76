/**
 * A game's log while it grows: each line is fully verified, with its signatures, before it is added, and one that fails
 * changes nothing. Steps 1 to 22 of specs/verification.md; step 23, the rules, where this browser has them.
 *
 * Whoever uses it does one thing at a time.
 * @module
 */

import { fromUtf8, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { Failure } from '../../../verifier/web/findings.js';
import { checkEnd } from '../../../verifier/web/lines.js';
import { isSignedBy, readCheckpoint, readNote } from '../../../verifier/web/notes.js';
import { selfTest } from '../../../verifier/web/sha256.js';
import { checkFile, settle, Steps } from '../../../verifier/web/steps.js';

/** @typedef {import('../../../verifier/web/game.js').Game} Game */
/**
 * @typedef {object} Event a line that holds
 * @property {number} seq @property {string} author @property {string} type @property {any} body @property {string} time
 * @property {string} leaf hex @property {string} prev hex @property {string} line without its line feed
 */
/** @typedef {{size: number, root: string, note: string}} Seen a checkpoint by the keeper; root in hex */

/** Lines whose signatures are checked together. */
const WINDOW = 256;

/** A checkpoint is malformed, of another game, not the keeper's, or contradicts the log. */
export class Misfit extends Error {
  /** @param {'malformed' | 'game' | 'signature' | 'root'} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

export class Follower {
  /** @param {string} id the game's, hex */
  constructor(id) {
    this.id = id;
    this.steps = new Steps({ game: id });
    /** @type {Event[]} */
    this.events = [];
    /** @type {Seen | null} the keeper's latest of lines that are here */
    this.checkpoint = null;
    /** @type {import('./rules.js').Rules | null} which have taken all lines that are here, and take each further one first */
    this.rules = null;
  }

  get size() {
    return this.events.length;
  }

  /** @returns {Game} after event 0 */
  get game() {
    return /** @type {Game} */ (this.steps.game);
  }

  /**
   * The number of lines that the keeper has taken: with an event of its own, or with a checkpoint. @returns {number}
   */
  get taken() {
    return this.size === 0 ? 0 : Math.max(this.game.lastOfKeeper + 1, this.checkpoint?.size ?? 0);
  }

  /** @param {number} seq @returns {string} hex */
  leaf(seq) {
    return this.events[seq].leaf;
  }

  /** @param {number} size 1 or more @returns {string} hex */
  root(size) {
    return toHex(this.steps.tree.root(size));
  }

  /** The log as a file. @returns {Uint8Array} */
  bytes() {
    return utf8(this.events.map((event) => `${event.line}\n`).join(''));
  }

  /** The next line. @param {Uint8Array} line without its line feed @throws {Failure} and nothing has changed */
  async take(line) {
    if (this.size === 0) return this.takeFirst(line);
    try {
      await this.prove([line]);
    } catch (failure) {
      if (failure instanceof Failure) failure.seq = this.size;
      throw failure;
    }
  }

  /**
   * Takes several lines, faster than `take`. Those before one that fails are taken.
   * @param {Uint8Array[]} lines @throws {Failure}
   */
  async takeAll(lines) {
    let at = 0;
    if (this.size === 0 && lines.length > 0) await this.take(lines[at++]);
    for (; at < lines.length; at += WINDOW) {
      const some = lines.slice(at, at + WINDOW);
      try {
        await this.prove(some);
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        for (const line of some) await this.take(line);
      }
    }
  }

  /**
   * Takes lines on trial, and takes them back; waits for their signatures; and takes them, all at once. So nobody ever sees
   * a state with something in it that was not proven.
   * @param {Uint8Array[]} lines @throws {Failure}
   */
  async prove(lines) {
    const back = this.steps.mark();
    let demanded;
    try {
      for (const line of lines) this.read(line);
      demanded = this.steps.demands();
    } finally {
      back();
    }
    const failure = await settle(demanded);
    if (failure) throw failure;
    await this.rules?.take(this, lines);
    this.steps.trusting = true;
    try {
      for (const line of lines) {
        this.read(line);
        this.keep(line);
      }
    } finally {
      this.steps.trusting = false;
    }
    this.rules?.kept(this);
  }

  /** Event 0. @param {Uint8Array} line @throws {Failure} */
  async takeFirst(line) {
    await selfTest();
    try {
      const refused = checkFile(line);
      if (refused !== null) {
        const { text, values } = /** @type {any} */ (refused.message);
        throw new Failure(refused.step, refused.code, text, values);
      }
      await this.read(line);
      const failure = await settle(this.steps.demands());
      if (failure) throw failure;
    } catch (error) {
      this.steps = new Steps({ game: this.id });
      throw error;
    }
    this.keep(line);
  }

  /** @param {Uint8Array} line @returns {Promise<void> | null} as `Steps.take` @throws {Failure} */
  read(line) {
    checkEnd({ start: 0, end: line.length, terminated: true });
    return this.steps.take(line);
  }

  /** @param {Uint8Array} line that was verified */
  keep(line) {
    const text = /** @type {string} */ (fromUtf8(line));
    const { author, body, prev, seq, time, type } = JSON.parse(text);
    this.events.push({ seq, author, type, body, time, prev, leaf: toHex(this.steps.tree.levels[0][seq]), line: text });
  }

  /** Checks whether the game would take an event, without its signature. @param {Uint8Array} line @throws {Failure} */
  wouldTake(line) {
    const back = this.steps.mark();
    this.steps.trusting = true;
    try {
      this.read(line);
    } finally {
      this.steps.trusting = false;
      back();
    }
  }

  /** Whether the log has a line. @param {string} line @param {number} seq @returns {boolean} */
  has(line, seq) {
    return this.events[seq]?.line === line;
  }

  /**
   * A checkpoint by the keeper, of this game; not compared. Event 0 is here.
   * @param {Uint8Array} note @returns {Promise<Seen>} @throws {Misfit}
   */
  async readCheckpoint(note) {
    const read = readNote(note);
    const checkpoint = read && readCheckpoint(read);
    if (read === null || checkpoint === null) throw new Misfit('malformed');
    if (checkpoint.game !== this.id) throw new Misfit('game');
    const { keeper } = this.game.terms;
    if (!(await isSignedBy(read, keeper.name, keeper.key))) throw new Misfit('signature');
    return { size: checkpoint.size, root: toHex(checkpoint.root), note: fromUtf8(note) ?? '' };
  }

  /**
   * @param {Uint8Array} note @returns {Promise<Seen | null>} null where it agrees with the log; else its lines are not all here yet
   * @throws {Misfit} and nothing has changed
   */
  async takeCheckpoint(note) {
    const seen = await this.readCheckpoint(note);
    if (seen.size > this.size) return seen;
    if (seen.root !== this.root(seen.size)) throw new Misfit('root');
    if (seen.size > (this.checkpoint?.size ?? 0)) this.checkpoint = seen;
    return null;
  }

  /** The number of lines that two logs have in common at the start. @param {Follower} other @returns {number} */
  common(other) {
    let at = 0;
    while (at < this.size && at < other.size && this.leaf(at) === other.leaf(at)) at++;
    return at;
  }
}
