/**
 * The lobby of a game that has begun: who asks there to come in, or to go on with a new key, and who follows it
 * (specs/network.md, "The table").
 * @module
 */

import { Away, Refused } from './errors.js';
import { goingOn, placeOf } from './lost.js';
import { json } from './transport.js';

/** @typedef {import('./play.js').Play} Play */

export class LateLobby {
  /** @param {Pick<import('./table.js').Parts, 'connection' | 'status' | 'seat' | 'lobby' | 'game' | 'entry'>} parts */
  constructor({ connection, status, seat, lobby, game, entry }) {
    this.connection = connection;
    this.status = status;
    this.seat = seat;
    this.lobby = lobby;
    this.game = game;
    this.entry = entry;
    this.following = false;
  }

  /** Whether somebody may still come in by this link. */
  get admitsMore() {
    const { play } = this.game;
    return play !== null && play.game.phase !== 'closed' && (this.lobby.terms?.admits ?? []).length > 0;
  }

  /** Whether this browser has a seat that asks to come in. */
  get asks() {
    const { record } = this.seat;
    return (
      this.admitsMore && record !== null && !record.left && record.replaces === undefined && this.game.play?.game.place(record.name) === undefined
    );
  }

  /** Whether this browser has a seat that asks to go on in the place of a lost key. */
  get goesOn() {
    const { play, isOn } = this.game;
    const { record } = this.seat;
    return isOn && record?.replaces !== undefined && !record.left && placeOf(/** @type {Play} */ (play).game, record.key) === undefined;
  }

  /** Who asks to go on, and in whose place. @returns {import('./forms.js').Seat[]} */
  get goingOn() {
    const { play, isOn } = this.game;
    return isOn ? goingOn(/** @type {Play} */ (play).game, this.lobby.seats) : [];
  }

  /** Whether somebody who plays is away, or its page is not here: its browser may be lost. */
  get missesSomebody() {
    const { play, isOn } = this.game;
    const { record } = this.seat;
    if (!isOn || play === null || record === null || placeOf(play.game, record.key) === undefined) return false;
    return [...play.game.places.values()].some(
      ({ party, joined, left, away }) =>
        party.role !== 'keeper' && party.role !== 'judge' && joined && !left && (away || !play.inbox.here.includes(party.name)),
    );
  }

  /** Whether this browser waits for what the lobby shows: who asks does when the server has its seat, and the host. */
  get isAwaited() {
    const asks = this.seat.record?.posted === true && (this.asks || this.goesOn);
    return asks || (this.admitsMore && this.entry.isHost);
  }

  /** Whether this browser follows the lobby: an event's table has none. */
  get isFollowed() {
    return this.lobby.isThere && (this.isAwaited || this.missesSomebody);
  }

  /** Follows the lobby as the host, as one who asks, and as long as somebody is missing. */
  async follow() {
    if (this.following || !this.isFollowed) return;
    this.following = true;
    const { signal } = this.status;
    // Whoever reads on is not here for a moment, and all are missing before the first word of who is.
    if (!this.isAwaited) await this.connection.sleep(this.connection.times.missing);
    for (let attempt = 0; !signal.aborted && this.isFollowed; attempt++) {
      /** @type {number | null} milliseconds that the server asks for */
      let pause = null;
      try {
        pause = await this.lobby.follow(signal, async (event) => {
          attempt = 0;
          if (event.name === 'table') {
            await this.lobby.take(json(event.data));
            this.status.changed();
          }
          return !this.isFollowed;
        });
      } catch (error) {
        if (!(error instanceof Away) && !(error instanceof Refused)) throw error;
      }
      await this.connection.sleep(pause ?? this.connection.pause(attempt));
    }
    this.following = false;
  }
}
