/**
 * A judge's phone sits down at the open tables of an event by itself (specs/page.md, "An event"): nobody can join while
 * a roll waits, and a judge who comes then could not call it off.
 * @module
 */

/** @typedef {import('./event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').Opening} Opening */
/** @typedef {import('../../../verifier/web/event/log.js').Opened} Opened */

/** Milliseconds between two looks at the tables, and the most for one of them. */
const LOOK = 3_000;
const MOST = 10_000;

/**
 * @param {EventHere} event
 * @returns {{opening: Opening, opened: Opened, game: string, later: boolean}[]} the tables without a result, of the round that runs; `later`: the judge was
 * appointed after they were opened, so the keeper has to let the key in, and does when all players sit there
 */
function tablesOf({ log, missing, role, seat }) {
  const { round } = log;
  if (round?.state !== 'running' || !['head', 'judge'].includes(role ?? '')) return [];
  return [...round.tables.values()].flatMap(({ line, number, result }) => {
    const opening = line === null || result !== null ? undefined : log.openings.get(line);
    const opened = opening?.tables.get(number);
    const game = opened?.game ?? null;
    if (!opening || !opened || game === null || opened.cancelled) return [];
    const later = !opening.judges.includes(seat.key);
    return later && missing.get(game)?.length !== 0 ? [] : [{ opening, opened, game, later }];
  });
}

/**
 * Sits down at one table. The one that the judge looks at stays open.
 * @param {EventHere} event @param {Opening} opening @param {Opened} opened @param {boolean} later
 * @returns {Promise<boolean>} false: a roll waits, the keeper has not let the key in yet, or the server does not answer
 */
async function sitDown(event, opening, opened, later) {
  const open = event.openTable(event.seat, opening, opened);
  const { game, status } = open.table;
  void open.table.connect();
  try {
    for (const end = event.here.now() + MOST; event.here.now() < end && !status.signal.aborted; ) {
      const { play } = game;
      if (status.problem !== null || play?.game.phase === 'closed' || play?.game.place(event.seat.name)?.joined) return true;
      if (play?.sync.fetched && play.game.phase === 'pending') return false;
      if (later && play?.sync.fetched && play.game.place(event.seat.name) === undefined) return false;
      await event.connection.sleep(100);
    }
    return false;
  } finally {
    if (open !== event.viewed) event.closeTable(open);
  }
}

/** Sits down at one table after the other, as long as the event goes on. @param {EventHere} event */
export async function watchSeats(event) {
  /** @type {Set<string>} own key and game */
  const done = new Set();
  while (!event.stop.signal.aborted && !event.cheated && !event.log.closed) {
    for (const { opening, opened, game, later } of tablesOf(event)) {
      const at = `${event.seat.key} ${game}`;
      if (event.stop.signal.aborted || event.cheated) return;
      if (!done.has(at) && (await sitDown(event, opening, opened, later))) done.add(at);
    }
    await event.connection.sleep(LOOK);
  }
}
