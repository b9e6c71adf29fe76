/**
 * A table of an event: the table itself, and what a judge does for a player with another phone
 * (specs/event.md, "Event tables").
 * @module
 */

import { Changed } from './errors.js';
import { EventEntry } from './event-entry.js';
import { judgeAway } from './lost.js';
import { seatKey } from './move.js';
import { Table } from './table.js';

/** @typedef {import('./event-entry.js').Opened} Opened */
/** @typedef {import('./event-entry.js').Opening} Opening */
/** @typedef {{opening: Opening, opened: Opened}} Former a table that was cancelled */

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

export class EventTable {
  /**
   * @param {import('./event.js').EventHere} event @param {any} own the key of the event that sits here, of this browser's; null: it looks on
   * @param {Opening} opening @param {Opened} opened that has a game
   */
  constructor(event, own, opening, opened) {
    this.event = event;
    this.own = own;
    this.opening = opening;
    this.opened = opened;
    this.gameId = /** @type {string} */ (opened.game);
    const link = { address: event.here.address, table: this.gameId, role: event.staff ? 'judge' : 'player', secret: new Uint8Array(32) };
    this.table = new Table(event.here, link, {
      seatAt: seatKey(link.table, own?.key ?? link.role), // players of one table may share a browser
      entryOf: (parts) => new EventEntry(event, own, opening, opened, parts),
    });
  }

  /**
   * The players here to whom an organizer has given another key than the one with which they play.
   * @returns {{name: string, comes: boolean}[]} `comes`: a judge has signed the player away, and the other phone is let in
   */
  get otherPhones() {
    const { isOn, play } = this.table.game;
    if (!isOn || play === null) return [];
    return [...play.game.places.values()]
      .filter(({ party, joined, left }) => {
        const key = this.event.log.playerNamed(party.name)?.key ?? party.verifierKey;
        return party.role === 'player' && joined && !left && key !== party.verifierKey;
      })
      .map(({ party: { name } }) => ({ name, comes: judgeAway(play.game, name) !== null }));
  }

  /**
   * As a judge: lets a player go on with another phone. Calls the roll off that waits for the player, and signs the player away
   * when the keeper has disclosed; then the server lets the other phone in.
   * @param {string} name of the player @param {number | null} roll the request that waits, which the judge was asked about; null: none @param {string[]} missing whom the void names
   * @throws {Refused | Changed | Away}
   */
  async letOtherPhone(name, roll, missing) {
    const { game } = this.table;
    const play = game.playing();
    const waits = () => (play.game.phase === 'pending' ? play.game.roll.seq : null);
    if (waits() !== roll) throw new Changed();
    if (roll !== null) await game.void(missing);
    await play.settled();
    // Away by its own word, or by the others': what counts is a judge's.
    if (play.game.place(name)?.away && judgeAway(play.game, name) === null) await game.sign(game.prepare('back', { party: name }));
    if (!play.game.place(name)?.away) await game.sign(game.prepare('away', { party: name }));
  }
}
