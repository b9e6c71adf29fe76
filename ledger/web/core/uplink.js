/**
 * How a game's server is reached: whether its stream stands, and by which token this browser is known.
 * @module
 */

import { Refused } from './errors.js';

/** @typedef {'connecting' | 'live' | 'away'} State */

export class Uplink {
  /** @param {Pick<import('./play.js').Parts, 'log' | 'connection' | 'warnings'>} parts the connection has the token of the table's link */
  constructor({ log, connection, warnings }) {
    this.game = log.id;
    this.connection = connection;
    this.warnings = warnings;
    this.linkToken = connection.token;
    /** @type {State} */
    this.state = 'connecting';
  }

  get isLive() {
    return this.state === 'live';
  }

  /** @param {State} state @returns {boolean} whether it is another one */
  turn(state) {
    const other = this.state !== state;
    this.state = state;
    return other;
  }

  /** Gets a token of the party's own, so that the others see who is here. @param {import('./seat.js').Seat} seat @throws {import('./errors.js').Away} */
  async identify(seat) {
    try {
      this.connection.token = await this.connection.access(this.game, await seat.access());
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.connection.token = this.linkToken;
      if (error.code === 'access.time') this.warnings.add('access.time', error.words);
    }
  }

  /** Goes back to the link's token where the server forgot the party's own. @param {Refused} error @returns {boolean} whether it did */
  fallsBack(error) {
    if (error.status !== 404 || this.connection.token === this.linkToken) return false;
    this.connection.token = this.linkToken;
    return true;
  }
}
