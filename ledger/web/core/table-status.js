/**
 * The status of a table in this browser: its connection, and what stands in the way to its game.
 * @module
 */

import { Away, Refused, Unstored } from './errors.js';
import { UNSTORED } from './warnings.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./errors.js').Message} Message */

export class TableStatus {
  /** @param {import('./storage.js').Storage} storage @param {() => void} changed announces a change to the screen */
  constructor(storage, changed) {
    this.storage = storage;
    this.changed = changed;
    /** @type {'connecting' | 'live' | 'away'} */
    this.line = 'connecting';
    /** @type {Message | null} why there is no game here, for good */
    this.problem = null;
    /** The host has had everything deleted. */
    this.deleted = false;
    /** @type {File[]} what shows that the server opened another game than was agreed */
    this.files = [];
    /** @type {Map<string, {id: string, message: Message, files: File[]}>} until they are read */
    this.warnings = new Map();
    this.stop = new AbortController();
  }

  /** Takes up the evidence that is stored. @param {string} table hex */
  async recall(table) {
    this.files = (await this.storage.get('games', table))?.files ?? [];
  }

  /** Nothing is followed any more. */
  close() {
    this.stop.abort();
  }

  /** Aborted by `close`. */
  get signal() {
    return this.stop.signal;
  }

  /** Whether a game may still come. */
  get goesOn() {
    return !this.signal.aborted && this.problem === null && !this.deleted;
  }

  /** @param {'connecting' | 'live' | 'away'} line */
  setLine(line) {
    if (this.line === line) return;
    this.line = line;
    this.changed();
  }

  /** Notes why a step failed. @param {unknown} error @throws {unknown} what is no answer of a server or a storage */
  failed(error) {
    if (error instanceof Unstored) this.unstored(error);
    if (error instanceof Away || this.signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    if (error.status === 410) this.delete();
    else this.refuse(error.words);
  }

  /** @param {Message} problem */
  refuse(problem) {
    this.problem = problem;
    this.changed();
  }

  /** The server has deleted the table. */
  delete() {
    this.deleted = true;
    this.changed();
  }

  /** Keeps what shows that the server opened another game than was agreed. @param {string} table hex @param {File[]} files */
  async keepEvidence(table, files) {
    this.files = files;
    await this.storage.write([{ store: 'games', key: table, value: { table, files } }]).catch(() => {}); // it is shown all the same
  }

  /** @param {string} id @param {Message} message */
  warn(id, message) {
    this.warnings.set(id, { id, message, files: [] });
  }

  /** @param {string[]} ids of warnings that were read */
  markRead(ids) {
    for (const id of ids) this.warnings.delete(id);
  }

  /** Warns that something was not stored, until something is. @param {Unstored} error */
  unstored(error) {
    this.warn(UNSTORED, error.words);
    this.changed();
  }

  /** Something was stored. */
  stored() {
    this.warnings.delete(UNSTORED);
  }
}
