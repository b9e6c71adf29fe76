/**
 * The seat of this browser's party in one game, what it remembered when it was looked at last, and what it may do as the
 * log stands. Without a seat this browser looks on.
 * @module
 */

import { Refused, say, Stopped, Unstored } from './errors.js';
import { checkClock, Forked } from './guard.js';
import { placeOf } from './lost.js';
import { CLOCK } from './warnings.js';

/** @typedef {import('./seat.js').Seat} Seat */

export class OwnSeat {
  /** @param {Pick<import('./play.js').Parts, 'log' | 'now' | 'life' | 'warnings' | 'tabs' | 'sync'>} parts */
  constructor({ log, now, life, warnings, tabs, sync }) {
    this.log = log;
    this.now = now;
    this.life = life;
    this.warnings = warnings;
    this.tabs = tabs;
    this.sync = sync;
    /** @type {Seat | null} */
    this.seat = null;
    /** The owner has agreed to the terms. */
    this.agreed = false;
    /** @type {import('./memory.js').Record | null} what the seat remembered when it was looked at last */
    this.record = null;
    /** @type {import('./holder.js').Outcome[]} what its secret rolls came to that it has not shown: for its owner's eyes alone */
    this.secrets = [];
  }

  /** @param {Seat} seat @param {boolean} agreed to the terms */
  async sit(seat, agreed) {
    this.seat = seat;
    this.agreed = agreed;
    await this.recall();
  }

  /** From now on the seat joins and commits by itself. */
  agree() {
    this.agreed = true;
  }

  /** The seat has moved to another browser. */
  vacate() {
    this.seat = null;
    this.agreed = false;
  }

  /** @returns {Seat} @throws {Refused} */
  required() {
    if (this.seat === null) throw new Refused('no-seat', say('You have no seat in this game.'));
    return this.seat;
  }

  get name() {
    return this.seat?.name ?? null;
  }

  // --- as the log stands -------------------------------------------------------------------------------------------------

  /** Whether the seat is a party of this game; an asking seat is none yet. */
  get isParty() {
    const { seat } = this;
    return seat !== null && this.log.size > 0 && placeOf(this.log.game, seat.signer.key) !== undefined;
  }

  /** Whether the seat may do anything here. */
  get isAble() {
    return this.seat !== null && this.sync.trouble === null && !this.life.ended && this.log.size > 0 && (this.record?.stopped ?? null) === null;
  }

  /** Whether the seat has said that it checks the rules. */
  get isBound() {
    return this.seat !== null && this.log.size > 0 && (this.log.game.place(this.seat.name)?.checks ?? false);
  }

  /** Whether the keeper has taken all that is here, but for own events at the end. */
  get isTaken() {
    return this.log.events.slice(this.log.taken).every((event) => event.author === this.name);
  }

  /** Whether the keeper has taken all that is here, and no roll waits. */
  get isSettled() {
    const { phase } = this.log.game;
    return this.isTaken && phase !== 'pending' && phase !== 'voided';
  }

  /** Whether an event of any party's can come now. */
  get isOpen() {
    return this.sync.fetched && this.log.game.phase === 'idle' && this.isTaken;
  }

  // --- what it remembers -------------------------------------------------------------------------------------------------

  /** Compares the memory with the log of this party. @param {boolean} [write] it is written down too */
  async look(write = false) {
    const { seat, sync } = this;
    if (seat === null || this.log.size === 0 || sync.trouble !== null || !this.isParty) return;
    await sync.alone(async () => {
      try {
        this.record = await seat.look(write);
        this.secrets = await seat.holder.outcomes();
        checkClock(this.log, this.now());
        for (const id of [CLOCK, 'behind']) this.warnings.remove(id);
      } catch (error) {
        if (error instanceof Forked) await sync.forked(error);
        if (error instanceof Unstored) return sync.unstored(error);
        if (!(error instanceof Refused)) throw error;
        this.warnings.add(error.code === 'time.ahead' ? CLOCK : 'behind', error.words);
      }
      return undefined;
    });
    this.life.changed();
  }

  /** Reads anew what the seat remembers. */
  async recall() {
    if (this.seat !== null) this.record = await this.seat.memory.look();
  }

  /** The same, and all who wait or look hear of it. */
  async readAnew() {
    await this.recall();
    this.life.changed();
  }

  /** What this browser remembers has changed: each tab of this seat reads it anew, before the server tells of it. */
  async remembers() {
    this.tabs.post({ name: '#memory' });
    await this.readAnew();
  }

  /**
   * Has the seat sign or open, where the server was not found to cheat. In `alone`.
   * @template T @param {(seat: Seat) => Promise<T>} work @returns {Promise<T>} @throws {import('./errors.js').Cheated | Refused | Stopped | Unstored}
   */
  async does(work) {
    await this.sync.adoptTrouble();
    this.sync.check();
    try {
      return await work(this.required());
    } catch (error) {
      if (error instanceof Forked) return this.sync.forked(error);
      if (error instanceof Stopped) await this.recall();
      if (error instanceof Unstored) this.sync.unstored(error);
      throw error;
    }
  }

  /** @param {string[]} ids of warnings that were read */
  async tell(ids) {
    if (this.seat === null) return;
    await this.sync.alone(() => this.required().told(ids));
    await this.recall();
  }
}
