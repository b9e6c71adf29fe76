/**
 * One table in this browser, from the lobby to the closed game: makes its parts, leads from the link to the game, and
 * shows a page what stands.
 * @module
 */

import { Admissions } from './admissions.js';
import { Connection } from './connection.js';
import { Refused, say } from './errors.js';
import { LateLobby } from './late-lobby.js';
import { LobbyEntry } from './lobby-entry.js';
import { Memory } from './memory.js';
import { fileOf, hasMoved, MOVED, seatKey } from './move.js';
import { Sharing } from './sharing.js';
import { Sitting } from './sitting.js';
import { snapshotOf } from './snapshot.js';
import { TableGame } from './table-game.js';
import { TableHost } from './table-host.js';
import { TableLobby } from './table-lobby.js';
import { TableSeat } from './table-seat.js';
import { TableStatus } from './table-status.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./snapshot.js').Snapshot} Snapshot */
/** @typedef {LobbyEntry | import('./event-entry.js').EventEntry} Entry the way to the game */
/**
 * The parts of a table. Each uses only parts above it.
 * @typedef {object} Parts
 * @property {import('./here.js').Here} here @property {import('./links.js').Link} link @property {Connection} connection
 * @property {TableStatus} status @property {TableSeat} seat @property {TableLobby} lobby @property {TableGame} game
 * @property {Entry} entry @property {Sitting} sitting @property {TableHost} host @property {LateLobby} late
 */

export class Table {
  /**
   * @param {import('./here.js').Here} here @param {import('./links.js').Link} link
   * @param {{seatAt?: string, entryOf?: (parts: Pick<Parts, 'here' | 'link' | 'connection' | 'status' | 'seat' | 'lobby' | 'game'>) => Entry}} [way]
   *   `seatAt`: where the own seat is stored; `entryOf`: makes the way to the game, which is else by the lobby
   */
  constructor(here, link, { seatAt = seatKey(link.table, link.role), entryOf = (parts) => new LobbyEntry(parts) } = {}) {
    this.here = here;
    this.link = link;
    this.connection = new Connection(link.address, { fetch: here.fetch, language: () => here.language, times: here.times });
    this.status = new TableStatus(here.storage, () => this.changed());
    this.seat = new TableSeat(here.storage, seatAt);
    this.lobby = new TableLobby(this);
    this.game = new TableGame(this);
    this.entry = entryOf(this);
    this.sitting = new Sitting(this);
    this.host = new TableHost(this);
    this.late = new LateLobby(this);
    this.admissions = new Admissions(this);
    this.sharing = new Sharing(this);
    this.connected = false;
    /** The stored data were read. */
    this.recalled = false;
    /** @type {Set<(snapshot: Snapshot) => void>} */
    this.listeners = new Set();
    this.last = snapshotOf(this);
    this.telling = false;
  }

  // --- what is shown ---------------------------------------------------------------------------------------------------

  get snapshot() {
    return this.last;
  }

  /** @param {(snapshot: Snapshot) => void} listener is called at once too @returns {() => void} ends it */
  subscribe(listener) {
    this.listeners.add(listener);
    listener(this.last);
    return () => void this.listeners.delete(listener);
  }

  changed() {
    if (this.telling) return;
    this.telling = true;
    queueMicrotask(() => {
      this.telling = false;
      void this.late.follow();
      void this.admissions.wishAgain();
      this.last = snapshotOf(this);
      this.game.refresh();
      for (const listener of [...this.listeners]) listener(this.last);
    });
  }

  /** Files to save where there is trouble. @returns {File[]} */
  evidence() {
    return [...this.game.evidence(), ...this.status.files, ...this.last.warnings.flatMap((/** @type {any} */ each) => each.files)];
  }

  /** @param {string[]} ids of warnings that were read */
  async told(ids) {
    this.status.markRead(ids);
    await this.game.told(ids);
    this.changed();
  }

  // --- from the link to the game -----------------------------------------------------------------------------------------

  /** Begins, and goes on by itself until `close`. @returns {Promise<void>} when something can be shown, or `close` came */
  async connect() {
    if (this.connected) return;
    this.connected = true;
    await this.entry.open();
    try {
      await this.recall();
    } catch (error) {
      this.status.failed(error);
    }
    void this.run();
  }

  /** Takes up what is known here already. */
  async recall() {
    await this.entry.recall();
    this.recalled = true;
    this.changed();
  }

  /** Whether the way to the game goes on. */
  get isOnItsWay() {
    return this.game.play === null && this.status.goesOn;
  }

  /** Until the game is followed, or cannot be. */
  async run() {
    for (let attempt = 0; this.isOnItsWay; attempt++) {
      /** @type {number | null} milliseconds that the server asks for */
      let pause = null;
      try {
        if (!this.recalled) await this.recall();
        if (this.game.play !== null) break;
        await this.sitting.postAgain();
        pause = await this.entry.arrive(() => {
          attempt = 0;
        });
      } catch (error) {
        this.status.failed(error);
      }
      if (!this.isOnItsWay) break;
      this.status.setLine('away');
      await this.connection.sleep(pause ?? this.connection.pause(attempt));
    }
  }

  /** Nothing is followed any more. */
  close() {
    this.status.close();
    this.game.close();
    this.connection.close();
    this.here.shown.delete(seatKey(this.link.table, this.link.role));
  }

  /** The network came back, or the page is shown again: what waits tries again at once. */
  wake() {
    this.connection.wake();
    this.game.wake();
  }

  // --- moving ------------------------------------------------------------------------------------------------------------

  /** Ends the seat here for good, and gives the file with which it goes on elsewhere. @returns {Promise<Blob>} @throws {Refused} */
  async move() {
    const { here, game } = this;
    const seat = this.seat.record;
    if (seat === null || seat.wrapped === null) throw new Refused('moved', say('This seat was given no passphrase, and cannot be moved.'));
    const { play } = game;
    const memory = play === null ? null : new Memory(here.storage, here.locks, play.id, seat.key);
    const record =
      memory === null
        ? null
        : await memory.turn(async (turn) => {
            turn.record.stopped ??= MOVED;
            return { ...turn.record, stopped: hasMoved(turn.record) ? null : turn.record.stopped };
          });
    if (!seat.left) await this.seat.store({ ...seat, left: true, moves: (seat.moves ?? 0) + 1 });
    const file = await fileOf(this.seat.record, record, play?.id ?? null, this.link.address);
    game.standUp();
    this.changed();
    return new Blob([file], { type: 'application/json' });
  }

  /** @param {Uint8Array | Blob} file @param {string} passphrase @returns {Promise<void>} @throws {Refused} */
  async take(file, passphrase) {
    await this.here.take(file, passphrase, this.link);
    if (this.game.play === null) await this.recall();
    else await this.game.sitDown();
    this.changed();
  }
}
