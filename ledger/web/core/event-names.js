/**
 * The names of an event's players, as far as they may be shown here: each must be the one that was registered
 * (specs/event.md, "At a server").
 * @module
 */

import { nameHash } from '../../../verifier/web/event/names.js';
import { Away, Refused } from './errors.js';
import { json } from './transport.js';

/** Milliseconds between two requests while somebody's name is missing. */
const LOOK = 5_000;

export class EventNames {
  /** @param {import('./event.js').EventHere} event */
  constructor(event) {
    this.event = event;
    /** @type {Map<number, string>} by number of the player */
    this.names = new Map();
    /** @type {{name: string, number: number, salt: string}[]} as the server gave them */
    this.given = [];
    /** How many players there were when names were last asked for; -1: nobody here could read them yet. */
    this.players = -1;
    /** When names were last asked for: a walk-in's name comes after the line that registers. */
    this.time = 0;
  }

  /** Fetches names, if some are missing, and says when they are there. */
  fetchMissing() {
    if (!this.isLacking()) return;
    this.players = this.event.log.players.size;
    this.time = this.event.here.now();
    void this.fetch().then(() => this.event.changed());
  }

  /** Whether names are to be fetched: a phone asks once, and again while somebody at its own table has none; screens that show all, while anybody has none. */
  isLacking() {
    const { here, log, number, staff, stream, wall } = this.event;
    const { players } = log;
    if (stream || players.size === 0) return false;
    if (this.players === players.size && here.now() - this.time < LOOK) return false;
    if (this.players < 0) return true;
    if (staff || wall) return [...players.keys()].some((each) => !this.names.has(each));
    const place = number === null ? null : log.place(number);
    return (place?.table?.sides.flat() ?? []).some((each) => !this.names.has(each));
  }

  /** Fetches the names from the server. */
  async fetch() {
    const { connection, id } = this.event;
    try {
      connection.token ??= await this.event.token();
      if (connection.token === null) {
        // nobody yet who may read them
        this.players = -1;
        return;
      }
      const { names } = json((await connection.ask('GET', `/v1/events/${id}/names`, { patience: 0 })).bytes);
      this.given = names;
      this.take();
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
    }
  }

  /** Takes those of the server's names that were registered: the others may be registered in a later line. */
  take() {
    for (const { name, number, salt } of this.given) {
      if (this.names.has(number)) continue;
      if (this.event.log.players.get(number)?.name === nameHash(name, salt)) this.names.set(number, name);
    }
  }
}
