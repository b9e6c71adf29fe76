/**
 * From an event to the game of one of its tables: its terms follow from the event's log, and there is no lobby
 * (specs/event.md, "Event tables").
 * @module
 */

import { fromUtf8, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { difference, eventZero } from '../../../verifier/web/event/tables.js';
import { leafHash } from '../../../verifier/web/hashes.js';
import { Refused, say } from './errors.js';
import { judgeAway, placeOf } from './lost.js';

/** @typedef {import('../../../verifier/web/event/log.js').Opened} Opened */
/** @typedef {import('../../../verifier/web/event/log.js').Opening} Opening */

/** @param {{body: any, time: string}} zero event 0 by the event's log @param {import('./event.js').EventHere} event @returns {any} the terms of a table, for the screens */
function termsOf({ body, time }, { log }) {
  const { contributors, options, system, title, away, nonce } = body;
  return {
    admits: [],
    ...(away === undefined ? {} : { away }),
    contributors,
    format: 'rollproof/table/v1',
    host: log.terms.organizers[0],
    invitations: [],
    keeper: log.terms.keeper,
    nonce,
    options,
    system,
    time,
    title,
  };
}

export class EventEntry {
  /**
   * @param {import('./event.js').EventHere} event @param {any} own the key of the event that sits here, of this browser's; null: it looks on
   * @param {Opening} opening @param {Opened} opened that has a game
   * @param {Pick<import('./table.js').Parts, 'link' | 'connection' | 'status' | 'seat' | 'lobby' | 'game'>} parts
   */
  constructor(event, own, opening, opened, { link, connection, status, seat, lobby, game }) {
    this.event = event;
    this.own = own;
    this.opening = opening;
    this.opened = opened;
    this.link = link;
    this.connection = connection;
    this.status = status;
    this.seat = seat;
    this.lobby = lobby;
    this.game = game;
    this.gameId = /** @type {string} */ (opened.game);
    /** @type {import('./forms.js').Start | null} */
    this.started = null;
    this.isHost = false;
    lobby.know(termsOf(eventZero(event.log, opening, opened), event));
  }

  /** Prepares the connection, and the seat. */
  async open() {
    this.connection.token = await this.event.token();
    await this.keepSeat();
  }

  /** Whether the own key is of event 0, or may come by a later act of an organizer's: a player's new one, a judge's. */
  get takesPart() {
    const { own, event, opening, opened } = this;
    if (own === null) return false;
    if ([...opened.keys, ...opening.judges].includes(own.key)) return true;
    if (opened.cancelled || event.log.keyOf(own.name) !== own.key) return false;
    return opened.sides.flat().includes(own.number) || ['head', 'judge'].includes(event.log.roleOf(own.name) ?? '');
  }

  /** The key of the event takes the seat of this table, where it takes part in it. */
  async keepSeat() {
    if (!this.takesPart) return;
    await this.seat.load();
    if (this.seat.record !== null) return;
    const { key, name, signing, sealing } = this.own;
    await this.seat.store({
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
    });
  }

  /** Takes up what is stored here: seat and game. */
  async recall() {
    await this.seat.recall();
    await this.game.restore(this.gameId);
  }

  /** Enters the game: checks the server's event 0 against the event, before anything is signed. @throws {Refused | Away} */
  async arrive() {
    const { lines } = await this.connection.lines(this.gameId, 0);
    const first = lines[0] ?? new Uint8Array(0);
    const zero = eventZero(this.event.log, this.opening, this.opened);
    const differs = toHex(leafHash(first)) === this.gameId ? (difference(first, zero)?.member ?? null) : 'line';
    if (differs !== null) {
      await this.status.keepEvidence(this.gameId, [{ name: 'given.jsonl', bytes: utf8(`${fromUtf8(first) ?? ''}\n`) }, ...this.event.files()]);
      throw new Refused(
        'table.opened',
        say('The server opened this table with other terms than the event says: {member} differs. Nothing was signed in it.', { member: differs }),
      );
    }
    await this.game.enter(this.gameId, first);
    return null;
  }

  /** @returns {Promise<import('./forms.js').Terms>} which the event has */
  async known() {
    return /** @type {import('./forms.js').Terms} */ (this.lobby.terms);
  }

  /** An event's table is known by its event. */
  async remember() {}

  /** @returns {'judge' | 'server' | null} what lets the own key in, which is no party's yet; null: nothing has to */
  get awaits() {
    const { own, game, seat } = this;
    const { record } = seat;
    if (!game.isOn || game.play === null || record === null || own === null || placeOf(game.play.game, record.key) !== undefined) return null;
    const place = game.play.game.place(record.name);
    if (own.number === undefined) return place === undefined ? 'server' : null;
    if (place === undefined || place.left || place.former.some(({ verifierKey }) => verifierKey === record.key)) return null;
    return judgeAway(game.play.game, record.name) === null && place.asked?.key !== record.key ? 'judge' : 'server';
  }
}
