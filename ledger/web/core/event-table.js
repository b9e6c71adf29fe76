/**
 * A table of an event: its terms follow from the event's log, and it has no lobby (specs/event.md, "Event tables").
 * @module
 */

import { fromUtf8, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { difference, eventZero } from '../../../verifier/web/event/tables.js';
import { leafHash } from '../../../verifier/web/hashes.js';
import { Away, Changed, Refused, say } from './errors.js';
import { judgeAway, placeOf } from './lost.js';
import { seatKey } from './move.js';
import { Table } from './table.js';

/** @typedef {{opening: import('../../../verifier/web/event/log.js').Opening, opened: import('../../../verifier/web/event/log.js').Opened}} Former a table that was cancelled */

/**
 * The tables where a player sat in the round that runs, before the pairings were corrected; the latest first.
 * @param {import('../../../verifier/web/event/log.js').EventLog} log @param {number} number of the player @returns {Former[]}
 */
export function formerTables({ round, openings }, number) {
  if (round?.state !== 'running') return [];
  return [...openings.values()]
    .filter((opening) => opening.round === round.number)
    .flatMap((opening) => [...opening.tables.values()].map((opened) => ({ opening, opened })))
    .filter(({ opened }) => opened.cancelled && opened.sides.flat().includes(number))
    .reverse();
}

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
    return seatKey(this.link.table, this.own?.key ?? this.link.role);
  }

  /** Whether the own key is of event 0, or may come by a later act of an organizer's: a player's new one, a judge's. */
  get takesPart() {
    const { own, event, opening, opened_ } = this;
    if (own === null) return false;
    if ([...opened_.keys, ...opening.judges].includes(own.key)) return true;
    if (opened_.cancelled || event.log.keyOf(own.name) !== own.key) return false;
    return opened_.sides.flat().includes(own.number) || ['head', 'judge'].includes(event.log.roleOf(own.name) ?? '');
  }

  /** The key of the event takes the seat of this table, where it takes part in it. */
  async keepSeat() {
    const { own: seat, here } = this;
    if (seat === null || !this.takesPart) return;
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
    await play.sync.restore();
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
    await play.sync.restore();
    await play.sync.begin(first);
    await this.begin(play);
  }

  // --- who comes by the event's word --------------------------------------------------------------------------------

  /** @returns {'judge' | 'server' | null} */
  get awaits() {
    const { own, play, seat } = this;
    if (!this.isOn || play === null || seat === null || own === null || placeOf(play.game, seat.key) !== undefined) return null;
    const place = play.game.place(seat.name);
    if (own.number === undefined) return place === undefined ? 'server' : null;
    if (place === undefined || place.left || place.former.some(({ verifierKey }) => verifierKey === seat.key)) return null;
    return judgeAway(play.game, seat.name) === null && place.asked?.key !== seat.key ? 'judge' : 'server';
  }

  /**
   * The players here to whom an organizer has given another key than the one with which they play.
   * @returns {{name: string, comes: boolean}[]} `comes`: a judge has signed the player away, and the other phone is let in
   */
  get otherPhones() {
    const { event, isOn, play } = this;
    if (!isOn || play === null) return [];
    return [...play.game.places.values()]
      .filter(({ party, joined, left }) => {
        const key = event.log.playerNamed(party.name)?.key ?? party.verifierKey;
        return party.role === 'player' && joined && !left && key !== party.verifierKey;
      })
      .map(({ party: { name } }) => ({ name, comes: judgeAway(/** @type {import('./play.js').Play} */ (play).game, name) !== null }));
  }

  /**
   * As a judge: lets a player go on with another phone. Calls the roll off that waits for the player, and signs the player away
   * when the keeper has disclosed; then the server lets the other phone in.
   * @param {string} name of the player @param {number | null} roll the request that waits, which the judge was asked about; null: none @param {string[]} missing whom the void names
   * @throws {Refused | Changed | Away}
   */
  async letOtherPhone(name, roll, missing) {
    const play = this.playing();
    const waits = () => (play.game.phase === 'pending' ? play.game.roll.seq : null);
    if (waits() !== roll) throw new Changed();
    if (roll !== null) await this.void(missing);
    await play.settled();
    // Away by its own word, or by the others': what counts is a judge's.
    if (play.game.place(name)?.away && judgeAway(play.game, name) === null) await this.sign(this.prepare('back', { party: name }));
    if (!play.game.place(name)?.away) await this.sign(this.prepare('away', { party: name }));
  }

  /** An event's table is known by its event. */
  async remember() {}
}
