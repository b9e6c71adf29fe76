/**
 * The players that the tables of an event wait for (specs/event.md, "At a server"): the server's word, shown on the
 * wall and to staff.
 * @module
 */

import { json } from './transport.js';

/** @typedef {{table: number, time: number, players: number[]}} WaitingTable `time`: milliseconds, when the dice were asked for; `players`: whose turn it is to open */

/** The most tables read from an answer. */
const MOST = 2_500;

/** @param {any} given @returns {boolean} whether it has the form of a waiting table, with players of the event alone */
const isWaiting = (given) =>
  Number.isSafeInteger(given?.table) &&
  Number.isFinite(Date.parse(given.time)) &&
  Array.isArray(given.parties) &&
  given.parties.every((/** @type {any} */ party) => typeof party === 'string' && /^p[1-9][0-9]{0,4}$/.test(party));

/** @param {import('./event.js').EventHere} event @returns {Promise<WaitingTable[]>} the longest wait first @throws {Refused | Away} */
export async function waitingTables(event) {
  const { waiting } = json((await event.connection.ask('GET', `/v1/events/${event.id}/waiting`, { patience: 0 })).bytes);
  if (!Array.isArray(waiting)) return [];
  return waiting
    .slice(0, MOST)
    .filter(isWaiting)
    .map(({ table, time, parties }) => ({
      table,
      time: Date.parse(time),
      players: parties.map((/** @type {string} */ party) => Number(party.slice(1))),
    }));
}
