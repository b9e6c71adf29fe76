/**
 * A table of an event: its terms follow from the event's log, and it has no lobby (specs/event.md, "Event tables").
 * @module
 */

import { fromUtf8, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { difference, eventZero } from '../../../verifier/web/event/tables.js';
import { leafHash } from '../../../verifier/web/hashes.js';
import { Away, Refused, say } from './errors.js';
import { seatKey } from './move.js';
import { Table } from './table.js';

export class EventTable extends Table {
  /**
   * @param {import('./event.js').EventHere} event @param {any} own the key of the event that sits here, of this browser's; null: it looks on
   * @param {import('../../../verifier/web/event/log.js').Opening} opening @param {import('../../../verifier/web/event/log.js').Opened} opened
   * that has a game
   */
  constructor(event, own, opening, opened) {
    const game = /** @type {string} */ (opened.game);
    super(event.here, { address: event.here.address, table: game, role: event.staff ? 'judge' : 'player', secret: new Uint8Array(32) });
    this.event = event;
    this.own = own;
    this.opening = opening;
    this.opened_ = opened;
    this.gameId = game;
    const { body, time } = eventZero(event.log, opening, opened);
    const { contributors, options, system, title, away } = body;
    /** The terms of a table, for the screens. */
    this.terms = /** @type {any} */ ({
      admits: [],
      ...(away === undefined ? {} : { away }),
      contributors,
      format: 'rollproof/table/v1',
      host: event.log.terms.organizers[0],
      invitations: [],
      keeper: event.log.terms.keeper,
      nonce: body.nonce,
      options,
      system,
      time,
      title,
    });
  }

  /** Begins, and goes on by itself until `close`. */
  async connect() {
    if (this.connected) return;
    this.connected = true;
    this.connection.token = await this.event.token();
    await this.keepSeat();
    try {
      await this.recall();
    } catch (error) {
      this.failed(error);
    }
    void this.run();
  }

  /** Players of one table may share a browser: each has a seat of its own there. */
  get seatAt() {
    return seatKey(this.link.table, this.own?.name ?? this.link.role);
  }

  /** The key of the event takes the seat of this table, where it is one of its parties. */
  async keepSeat() {
    const { own: seat, here, opening, opened_ } = this;
    if (seat === null || ![...opened_.keys, ...opening.judges].includes(seat.key)) return;
    const { key, name, signing, sealing } = seat;
    const record = {
      table: this.link.table,
      role: this.link.role,
      link: '',
      key,
      name,
      signing,
      sealing,
      wrapping: null,
      wrapped: null,
      agreed: true,
      posted: true,
      left: false,
      moves: 0,
      terms: '',
      invites: [],
    };
    if ((await here.storage.get('seats', this.seatAt)) === undefined) await here.storage.write([{ store: 'seats', key: this.seatAt, value: record }]);
  }

  async recall() {
    this.seat = (await this.here.storage.get('seats', this.seatAt)) ?? null;
    this.sat = this.seat !== null;
    const play = this.newPlay(/** @type {string} */ (this.gameId));
    await play.restore();
    if (play.log.size > 0) await this.begin(play);
    this.recalled = true;
    this.changed();
  }

  /** Waits until the game is followed, or cannot be. */
  async run() {
    for (let attempt = 0; this.play === null && !this.stop.signal.aborted && this.problem === null && !this.deleted; attempt++) {
      try {
        if (!this.recalled) await this.recall();
        if (this.play === null) await this.compare();
      } catch (error) {
        this.failed(error);
        if (!(error instanceof Away)) continue;
        this.setLine('away');
      }
      if (this.play === null && this.problem === null) await this.connection.sleep(this.connection.pause(attempt));
    }
  }

  /** Checks the server's event 0 against the event, before anything is signed. @throws {Refused | Away} */
  async compare() {
    const game = /** @type {string} */ (this.gameId);
    const { lines } = await this.connection.lines(game, 0);
    const first = lines[0] ?? new Uint8Array(0);
    const zero = eventZero(this.event.log, this.opening, this.opened_);
    const differs = toHex(leafHash(first)) === game ? (difference(first, zero)?.member ?? null) : 'line';
    if (differs !== null) {
      this.files = [{ name: 'given.jsonl', bytes: utf8(`${fromUtf8(first) ?? ''}\n`) }, ...this.event.files()];
      await this.here.storage.write([{ store: 'games', key: game, value: { table: game, files: this.files } }]).catch(() => {}); // it is shown all the same
      throw new Refused(
        'table.opened',
        say('The server opened this table with other terms than the event says: {member} differs. Nothing was signed in it.', { member: differs }),
      );
    }
    const play = this.newPlay(game);
    await play.restore();
    if (play.log.size === 0) {
      await play.alone(async () => {
        await play.log.take(first);
        await play.store();
      });
    }
    await this.begin(play);
  }

  /** An event's table is known by its event. */
  async remember() {}
}
