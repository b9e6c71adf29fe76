/**
 * Rules on rounds: pairings, tables, their games, the clock and the end (specs/event.md, E15 to E21, E28, E30 and E31).
 * @module
 */

import { refuse } from './refusals.js';

/** @typedef {import('./log.js').EventLog} EventLog */
/** @typedef {import('./log.js').EventTableNow} EventTableNow */
/** @typedef {import('./log.js').Opened} Opened */
/** @typedef {import('./log.js').Opening} Opening */
/** @typedef {import('./log.js').Round} Round */
/** @typedef {import('./log.js').Where} Where */

const MAX_AT_TABLE = 32;

/** @param {{sides: number[][]}[]} tables */
const playersOf = (tables) => tables.flatMap(({ sides }) => sides.flat());

/** E16. @param {EventLog} log @param {number} number @param {string[]} states @returns {Round} @throws {Failure} */
export function roundIn(log, number, states) {
  const round = log.rounds[number - 1];
  if (round !== undefined && states.includes(round.state)) return round;
  return refuse(16, 'round.state', 'It cannot be written for round {round} as that stands.', { round: number });
}

/** E17. @param {Round} round @param {number} number @returns {EventTableNow} @throws {Failure} */
export function tableIn(round, number) {
  return round.tables.get(number) ?? refuse(17, 'table.unknown', 'Round {round} has no table {table}.', { round: round.number, table: number });
}

/** E18. @param {any[]} tables @param {ReadonlyMap<number, unknown>} known */
function checkTables(tables, known) {
  const seen = new Set();
  for (const { table, sides } of tables) {
    if (seen.has(table) || known.has(table)) refuse(18, 'pairing.table', 'Table {table} stands in the round twice.', { table });
    if (sides.flat().length > MAX_AT_TABLE) {
      refuse(18, 'pairing.table', 'Table {table} has more than {most} players.', { table, most: MAX_AT_TABLE });
    }
    seen.add(table);
  }
}

/** E19. @param {EventLog} log @param {number[]} whole @param {number[]} fresh */
function checkPlayers(log, whole, fresh) {
  const seen = new Set();
  for (const number of whole) {
    if (seen.has(number)) refuse(19, 'pairing.player', 'Player {number} stands in the round twice.', { number });
    seen.add(number);
  }
  const absent = fresh.find((number) => log.players.get(number)?.state !== 'in');
  if (absent !== undefined) refuse(19, 'pairing.player', 'Player {number} cannot be paired: not checked in, or dropped.', { number: absent });
}

/** @param {any} pairing @returns {EventTableNow} */
function newTable({ table, sides }) {
  return {
    number: table,
    sides,
    line: null,
    claim: null,
    claims: new Map(),
    result: null,
    by: null,
    extended: 0,
    left: null,
    byHand: null,
    corrected: null,
  };
}

/** @param {EventLog} log @param {any} act @param {Where} where */
export function pair(log, { round, tables, byes }, { seq }) {
  const latest = log.round;
  const current = latest?.state === 'pairing' ? latest : null;
  const due = log.rounds.length + (current === null ? 1 : 0);
  if (latest?.state === 'running' || round !== due || round > log.terms.rounds) {
    refuse(15, 'round.order', 'Round {round} cannot be paired now: the next one is round {due}, when no round runs.', { round, due });
  }
  checkTables(tables, current?.tables ?? new Map());
  const fresh = [...byes, ...playersOf(tables)];
  checkPlayers(log, [...(current === null ? [] : [...current.byes, ...playersOf([...current.tables.values()])]), ...fresh], fresh);
  const now = current ?? {
    number: round,
    tables: new Map(),
    byes: [],
    state: /** @type {const} */ ('pairing'),
    paired: seq,
    minutes: 0,
    started: '',
    ended: '',
    paused: 0,
    pauses: [],
  };
  if (current === null) log.rounds.push(now);
  for (const each of tables) now.tables.set(each.table, newTable(each));
  now.byes = [...now.byes, ...byes];
  now.paired = seq;
}

/** @param {EventLog} log @param {any} act @param {Where} where */
export function start(log, { round, minutes }, { seq, time, upto }) {
  const current = log.round;
  if (current === null || current.state !== 'pairing' || current.number !== round || current.tables.size === 0) {
    return refuse(15, 'round.order', 'Round {round} cannot start: it is not the one that is being paired, or has no table.', { round });
  }
  if (upto < current.paired) {
    refuse(20, 'round.unseen', 'Who starts round {round} had not seen its last pairings, which are in line {line}.', {
      round,
      line: current.paired,
    });
  }
  Object.assign(current, { state: 'running', minutes, started: time });
  return openTables(log, current, [...current.tables.keys()], seq, time);
}

/** @param {EventLog} log @param {Round} round @param {number[]} numbers @param {number} seq @param {string} time */
function openTables(log, round, numbers, seq, time) {
  const tables = new Map();
  for (const number of numbers) {
    const table = /** @type {EventTableNow} */ (round.tables.get(number));
    table.line = seq;
    const keys = table.sides
      .flat()
      .map((each) => log.players.get(each)?.key)
      .filter((key) => typeof key === 'string');
    tables.set(number, { table: number, sides: table.sides, keys, game: null, cancelled: false, why: null, size: 0, root: '' });
  }
  const staff = [...log.people.values()].filter(({ until }) => until === null);
  const [organizers, judges] = [true, false].map((organizes) =>
    staff.filter(({ role }) => (role === 'organizer') === organizes).map(({ key }) => key),
  );
  log.openings.set(seq, { seq, time, round: round.number, judges, organizers, tables });
}

/** @param {EventLog} log @param {any} act */
export function nameGames(log, { line, games }) {
  const opening = log.openings.get(line);
  const seen = new Set();
  for (const { table, game } of games) {
    const found = opening?.tables.get(table);
    if (found === undefined || found.game !== null || seen.has(table)) {
      refuse(21, 'table.line', 'Line {line} does not open table {table}, or its game was named before.', { line, table });
    }
    if (log.games.has(game) || seen.has(game)) {
      refuse(21, 'table.line', 'Game {game} is that of another table.', { game: game.slice(0, 12) });
    }
    seen.add(table).add(game);
  }
  for (const { table, game } of games) {
    const found = /** @type {Opened} */ (/** @type {Opening} */ (opening).tables.get(table));
    found.game = game;
    log.games.set(game, { opening: /** @type {Opening} */ (opening), table: found });
  }
}

/** @param {EventLog} log @param {any} act */
export function seal(log, { round, games }) {
  roundIn(log, round, ['running', 'ended']);
  const sizes = new Map();
  for (const { game, size, table } of games) {
    const found = log.games.get(game);
    if (found === undefined || found.opening.round !== round || found.table.table !== table) {
      return refuse(28, 'table.seal', 'Game {game} was not opened for table {table} of round {round}.', { game: game.slice(0, 12), table, round });
    }
    if (size <= (sizes.get(game) ?? found.table.size)) {
      refuse(28, 'table.seal', 'Game {game} is sealed already, with as many events or more.', { game: game.slice(0, 12) });
    }
    sizes.set(game, size);
  }
  for (const { game, root, size } of games) Object.assign(/** @type {{table: Opened}} */ (log.games.get(game)).table, { root, size });
  return undefined;
}

/** @param {EventLog} log @param {any} act */
export function extend(log, { minutes, round, table }) {
  tableIn(roundIn(log, round, ['running']), table).extended += minutes;
}

/** @param {EventLog} log @param {any} act @param {Where} where */
export function pause(log, { minutes, round }, { time }) {
  const current = roundIn(log, round, ['running']);
  const begin = Math.max(Date.parse(time), current.pauses.at(-1)?.end ?? 0);
  current.pauses.push({ begin, end: begin + minutes * 60_000 });
  current.paused += minutes;
}

/** @param {EventLog} log @param {any} act @param {Where} where */
export function playByHand(log, { round, table, text }, { seq }) {
  const found = tableIn(roundIn(log, round, ['running']), table);
  log.count('event.by-hand', seq, found.byHand === null ? 1 : 0);
  found.byHand = text;
}

/** @param {EventLog} log @param {any} act @param {Where} where */
export function correctPairing(log, { round, tables, cancelled, byes, reason }, { seq, time }) {
  const current = roundIn(log, round, ['pairing', 'running']);
  const fresh = tables.map((/** @type {any} */ each) => each.table);
  checkTables(tables, new Map());
  const gone = new Set(fresh);
  for (const number of cancelled) {
    if (!current.tables.has(number) || gone.has(number)) {
      refuse(18, 'pairing.table', 'Table {table} cannot be cancelled: it is not in the round, or stands there twice.', { table: number });
    }
    gone.add(number);
  }
  const kept = playersOf([...current.tables.values()].filter(({ number }) => !gone.has(number)));
  const now = byes ?? current.byes;
  checkPlayers(log, [...kept, ...now, ...playersOf(tables)], [...playersOf(tables), ...(byes ?? [])]);
  const changed = [...gone].filter((number) => current.tables.has(number));
  for (const number of changed) {
    const line = current.tables.get(number)?.line ?? null;
    const opened = line === null ? undefined : log.openings.get(line)?.tables.get(number);
    if (opened) Object.assign(opened, { cancelled: true, why: reason });
    current.tables.delete(number);
  }
  for (const each of tables) current.tables.set(each.table, newTable(each));
  current.byes = now;
  current.paired = seq;
  if (current.state !== 'running') return;
  openTables(log, current, fresh, seq, time);
  log.count('event.repaired', seq, changed.length);
}

/** @param {EventLog} log @param {any} act @param {Where} where */
export function end(log, { round, left }, { seq, time }) {
  const current = roundIn(log, round, ['running']);
  for (const { table } of left) tableIn(current, table);
  const reasons = new Map();
  for (const { table, reason } of left) {
    if (reasons.has(table)) refuse(30, 'round.left', 'Table {table} is left twice.', { table });
    reasons.set(table, reason);
  }
  const wrong = [...current.tables.values()].find((table) => (table.result === null) !== reasons.has(table.number));
  if (wrong !== undefined) {
    refuse(30, 'round.left', 'Table {table} must have a match result or be left with a reason, and not both.', { table: wrong.number });
  }
  for (const [number, reason] of reasons) tableIn(current, number).left = reason;
  Object.assign(current, { state: 'ended', ended: time });
  log.count('event.left', seq, left.length);
}

/** E31. @param {EventLog} log */
export function close(log) {
  const { round } = log;
  if (round !== null && round.state !== 'ended') {
    refuse(31, 'round.running', 'Round {round} has not ended: the event cannot close.', { round: round.number });
  }
  log.closed = true;
}
