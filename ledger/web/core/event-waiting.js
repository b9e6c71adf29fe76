/**
 * The players who have not sat down at the tables of an event, those whose new phones wait for a judge, and those whom rolls wait
 * for (specs/event.md, "At a server"): the server's word, shown on the wall and to staff.
 * @module
 */

import { Away, Refused } from './errors.js';
import { json } from './transport.js';

/** @typedef {{table: number, time: number, players: number[]}} WaitingTable `time`: milliseconds, when the dice were asked for; `players`: whose turn it is to open */

/** @typedef {{missing: Map<string, number[]>, phones: Map<number, number[]>, waiting: WaitingTable[]}} Waiting `missing`: by game the players who have not sat down, of each that is open; `phones`: by table those whose new phones wait for a judge */

/** Milliseconds between two requests. */
const LOOK = 5_000;

/** The most tables read from an answer. */
const MOST = 2_500;

/** @param {any} given @returns {boolean} whether it has the form of a table at which players are missing, all of the event */
const isMissing = (given) =>
  Number.isSafeInteger(given?.table) &&
  Array.isArray(given.parties) &&
  given.parties.every((/** @type {any} */ party) => typeof party === 'string' && /^p[1-9][0-9]{0,4}$/.test(party));

/** @param {any} given @returns {boolean} whether it has the form of a waiting table */
const isWaiting = (given) => isMissing(given) && Number.isFinite(Date.parse(given.time));

/** @param {any} given @returns {any[]} */
const tablesOf = (given) => (Array.isArray(given) ? given.slice(0, MOST) : []);

/** @param {string[]} parties @returns {number[]} */
const numbersOf = (parties) => parties.map((party) => Number(party.slice(1)));

/**
 * The game of a table now; null: it has none yet.
 * @param {import('../../../verifier/web/event/log.js').EventLog} log @param {import('../../../verifier/web/event/log.js').EventTableNow} table @returns {string | null}
 */
export const gameOf = (log, { line, number }) => (line === null ? null : (log.openings.get(line)?.tables.get(number)?.game ?? null));

/** @param {import('./event.js').EventHere} event @returns {Promise<Waiting>} the longest wait first @throws {Refused | Away} */
export async function waitingTables(event) {
  // The answer leaves out the games whose players all sit: what opens meanwhile is not among them.
  const open = [...(event.log.round?.tables.values() ?? [])].map((table) => gameOf(event.log, table)).filter((game) => game !== null);
  const { missing, phones, waiting } = json((await event.connection.ask('GET', `/v1/events/${event.id}/waiting`, { patience: 0 })).bytes);
  const found = new Map(
    tablesOf(missing)
      .filter(isMissing)
      .map(({ game, parties }) => [game, numbersOf(parties)]),
  );
  return {
    missing: new Map(open.map((game) => [game, found.get(game) ?? []])),
    phones: new Map(
      tablesOf(phones)
        .filter(isMissing)
        .map(({ table, parties }) => [table, numbersOf(parties)]),
    ),
    waiting: tablesOf(waiting)
      .filter(isWaiting)
      .map(({ table, time, parties }) => ({ table, time: Date.parse(time), players: numbersOf(parties) })),
  };
}

/** Looks again and again who has not sat down at the tables of a round, and for whom rolls and new phones wait. @param {import('./event.js').EventHere} event */
export async function watchTables(event) {
  while (!event.stop.signal.aborted && !event.cheated) {
    event.named.fetchMissing();
    try {
      event.connection.token ??= await event.token();
      if (event.log.round?.state === 'running' && event.connection.token !== null) await event.lookAtTables();
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
    }
    await event.connection.sleep(LOOK);
  }
}
