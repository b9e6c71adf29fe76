/**
 * The lobby of a table, as the server shows it and this browser has checked it: terms, seats, links
 * (specs/network.md, "The table"). It stays open for those who come later.
 * @module
 */

import { parseState, parseTerms } from './forms.js';
import { checkLink, invitesThatHold, isEnded, seatsThatHold } from './lobby.js';
import { lookAtSuccessions } from './lost.js';
import { pauseOf } from './transport.js';

/** @typedef {import('./forms.js').Terms} Terms */

export class TableLobby {
  /** @param {Pick<import('./table.js').Parts, 'link' | 'connection' | 'seat'>} parts */
  constructor({ link, connection, seat }) {
    this.link = link;
    this.connection = connection;
    this.seat = seat;
    /** @type {Terms | null} */
    this.terms = null;
    /** The line of the terms. */
    this.line = '';
    /** @type {import('./forms.js').Seat[]} that hold */
    this.seats = [];
    /** @type {import('./forms.js').Invite[]} that hold */
    this.invites = [];
    /** The host has replaced this link. */
    this.ended = false;
  }

  /** Whether the table has a lobby, as far as this browser knows. */
  get isThere() {
    return this.line !== '';
  }

  /** Takes up terms that are stored here. @param {string} line @throws {Refused} */
  recall(line) {
    this.line = line;
    this.terms = parseTerms(line);
  }

  /** Takes terms from elsewhere: an event's table is in no lobby. @param {Terms} terms */
  know(terms) {
    this.terms = terms;
  }

  /** Checks the table as the server shows it, and takes it. @param {any} value @returns {Promise<import('./forms.js').TableState>} @throws {Refused} */
  async take(value) {
    const state = parseState(value);
    const terms = parseTerms(state.terms);
    const invites = await invitesThatHold(terms, this.link.table, state.invites);
    await checkLink(this.link, state.terms, terms, invites);
    this.ended = await isEnded(terms, invites, this.link);
    this.invites = invites;
    this.terms = terms;
    this.line = state.terms;
    this.seats = await seatsThatHold(terms, this.link.table, state.seats, invites);
    await lookAtSuccessions(this.seats);
    this.seat.lookAt(this.seats);
    return state;
  }

  /**
   * Follows the server's stream until it says goodbye, or there was enough of it.
   * @param {AbortSignal} signal @param {(event: import('./stream.js').StreamEvent) => Promise<boolean>} came takes an event; whether it was enough
   * @returns {Promise<number | null>} milliseconds that the server asks to wait @throws {Refused | Away}
   */
  async follow(signal, came) {
    this.seat.expect();
    for await (const event of this.connection.stream(`/v1/tables/${this.link.table}/stream`, signal)) {
      const enough = await came(event);
      if (event.name === 'bye') return pauseOf(event);
      if (enough) break;
    }
    return null;
  }
}
