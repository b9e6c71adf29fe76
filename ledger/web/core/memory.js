/**
 * A seat's memory of a game (specs/seats.md, "What a seat remembers"), and its turns: look up, check, record.
 * The result of a turn leaves the page only after the turn has succeeded.
 * @module
 */

import { Conflict } from './storage.js';
import { inTurn } from './turns.js';

/** @typedef {import('./errors.js').Message} Message */
/**
 * @typedef {object} OwnChain one of its own commits
 * @property {string} tip @property {number} length @property {string} sealed hex: the secret, sealed
 * @property {number} opened the highest index that was opened, 0: none @property {string} request that it was opened for
 * @property {string} opening as it travels, the same again when asked again
 * @property {boolean} moved it came from another device @property {boolean} replaced a link of it went into a commit to another
 */
/** @typedef {{first: number, count: number, tag: string, sealed: string}} OwnSeal one of its own seals: number of its first secret, how many, the tag of the first, the sealed key of them */
/** @typedef {{size: number, root: string, note: string, leaf: string}} Receipt the keeper's checkpoint; `leaf` when it was compared */
/** @typedef {{id: string, message: Message, files: {name: string, text: string}[], about?: number}} Warning `about`: the number of an event */
/**
 * @typedef {object} Record
 * @property {number} number of times it was written
 * @property {{size: number, leaf: string}} head
 * @property {OwnChain[]} chains
 * @property {{[leaf: string]: number}} signed own events not yet found: number by leaf hash
 * @property {OwnSeal[]} seals
 * @property {{[hidden: string]: string}} hidden what own secret rolls are for, sealed, by what stands for it
 * @property {string} voided the request that it voided last, or for which it opens no more
 * @property {string} denied the request for which it opened, of which the keeper's judge says that it did not
 * @property {{request: string, authors: string[]}} acknowledged the request for which it gave receipts last, as one that may void it, and for whose openings
 * @property {Receipt[]} receipts
 * @property {string[]} received receipts for its openings, as they travel
 * @property {Message | null} stopped
 * @property {Warning[]} warnings what its owner has not read
 * @property {string[]} lines own lines that the keeper is not known to have taken, to be sent again
 */

/** @returns {Record} of a game in which nothing was done */
const begun = () => ({
  number: 0,
  head: { size: 0, leaf: '' },
  chains: [],
  seals: [],
  hidden: {},
  signed: {},
  voided: '',
  denied: '',
  acknowledged: { request: '', authors: [] },
  receipts: [],
  received: [],
  stopped: null,
  warnings: [],
  lines: [],
});

/** A seat's turn in a game. `record` is changed in place. */
class Turn {
  /** @param {Record} record */
  constructor(record) {
    this.record = record;
    this.before = JSON.stringify(record);
    /** @type {string} what stands also where something is raised later */
    this.settled = this.before;
  }

  /** Discards the changes. */
  forget() {
    this.record = JSON.parse(this.before);
    this.settled = this.before;
  }

  /** Keeps the changes so far, even if later work raises. */
  settle() {
    this.settled = JSON.stringify(this.record);
  }
}

/** @typedef {Turn} SeatTurn */

export class Memory {
  /**
   * @param {import('./storage.js').Storage} storage @param {import('./turns.js').Locks} locks
   * @param {string} game hex @param {string} key the seat's verifier key
   */
  constructor(storage, locks, game, key) {
    this.storage = storage;
    this.locks = locks;
    this.key = key;
    this.game = game;
    this.at = memoryKey(game, key);
  }

  /** The current record, for display only. @returns {Promise<Record>} */
  async look() {
    return (await this.storage.get('memory', this.at)) ?? begun();
  }

  /**
   * Runs a turn of the seat. If `work` raises, its settled changes are recorded.
   * @template T @param {(turn: Turn) => Promise<T>} work @returns {Promise<T>} @throws {Refused} `turn`, where another tab does not end its own
   */
  turn(work) {
    return inTurn(this.locks, `rollproof seat ${this.key} ${this.game}`, () => this.recorded(work));
  }

  /** @template T @param {(turn: Turn) => Promise<T>} work @returns {Promise<T>} */
  async recorded(work) {
    for (let attempt = 0; ; attempt++) {
      const turn = new Turn(await this.look());
      try {
        const result = await work(turn);
        turn.settle();
        await this.write(turn);
        return result;
      } catch (error) {
        // Where locks failed us, somebody wrote in between: what was worked out left nowhere, and is worked out again.
        if (error instanceof Conflict && attempt < 5) continue;
        if (!(error instanceof Conflict)) await this.write(turn);
        throw error;
      }
    }
  }

  /** @param {Turn} turn */
  async write(turn) {
    if (turn.settled === turn.before) return;
    const record = JSON.parse(turn.settled);
    const { number } = record;
    turn.before = turn.settled;
    await this.storage.write([{ store: 'memory', key: this.at, value: { ...record, number: number + 1, at: this.at }, number }]);
  }
}

/** @param {string} game @param {string} key @returns {string} */
export const memoryKey = (game, key) => `${game} ${key}`;
