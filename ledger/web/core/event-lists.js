/**
 * Lists of players and pairings, exchanged with other tools: CSV, with the headers that `rollproof event` knows.
 * @module
 */

/** @typedef {{line: number, problem: import('./errors.js').Message}} ListProblem line 1 is that of the headers */

import { isText } from '../../../verifier/web/schema.js';
import { say } from './errors.js';
import { parseEventLink } from './event-link.js';

const NAME = [
  ...['name', 'player', 'player name', 'full name', 'participant', 'display name'],
  ...['spieler', 'spielerin', 'spielername', 'teilnehmer', 'teilnehmerin'],
  ...['名前', 'お名前', '氏名', '選手', '選手名', 'プレイヤー', 'プレイヤー名', '参加者', '参加者名'],
];
const FIRST = ['first name', 'firstname', 'given name', 'vorname', '名'];
const LAST = ['last name', 'lastname', 'surname', 'family name', 'nachname', 'familienname', '姓'];
const NUMBER = [
  ...['number', 'no', 'no.', '#', 'id', 'player id', 'player number', 'player no'],
  ...['nummer', 'nr', 'nr.', 'startnummer', 'spielernummer', 'teilnehmernummer'],
  ...['番号', '参加者番号', '選手番号', 'プレイヤー番号'],
];
const LINK = ['link', 'url'];
const CODE = ['code', 'claim code'];
const TABLE = [
  ...['table', 'table number', 'table no', 'table no.', 'tbl', 'board'],
  ...['tisch', 'tischnummer', 'tisch nr', 'tisch nr.', 'brett'],
  ...['卓', '卓番号', 'テーブル', 'テーブル番号'],
];
const SIDE =
  /^(?:player|team|opponent|side|name|spieler|spielerin|gegner|mannschaft|seite|プレイヤー|選手|チーム)? ?(?:id|number|name|nummer|nr\.?)? ?#?([1-8a-h])(?: (?:id|number|no|name|nummer|nr\.?)| ?(?:番号|の番号|氏名|名|名前))?$/;
/** @type {{[header: string]: number}} */
const ONE = {
  ...{ player: 1, white: 1, home: 1, opponent: 2, black: 2, away: 2 },
  ...{ spieler: 1, weiß: 1, weiss: 1, heim: 1, gegner: 2, schwarz: 2, gast: 2 },
  ...{ 選手: 1, プレイヤー: 1, 白: 1, 対戦相手: 2, 黒: 2 },
};
/** A header of numbers, not of names. */
const OF_NUMBERS = /(?<![a-z])(?:id|number|no|nummer|nr)(?![a-z])|#|番号/;
const BYE = ['', '-', 'bye', '*bye*', '(bye)', 'awarded bye', 'none', 'freilos', 'spielfrei', '不戦勝', 'なし'];
const KNOWN_NAMES = 'Name; Player; First name, Last name; Spieler; Vorname, Nachname; 氏名; 選手名; 姓, 名';
const KNOWN_SIDES =
  'Player 1, Player 2; Team 1, Team 2; White, Black; Spieler 1, Spieler 2; Mannschaft 1, Mannschaft 2; Weiß, Schwarz; 選手1, 選手2; プレイヤー1, プレイヤー2';
/** The columns of a side's result, in their order. */
const RESULTS = ['won', 'drawn', 'conceded', 'points'];
const MAX_CSV = 8_388_608;

/** @param {string} text */
const folded = (text) => text.normalize('NFKC').toLowerCase().replaceAll('_', ' ').trim().replace(/\s+/g, ' ');

/** @param {string} text @returns {{line: number, cells: string[]}[]} rows that are not empty */
function rowsOf(text) {
  const first = text.split('\n', 1)[0];
  const delimiter = [',', ';', '\t'].reduce((best, each) => (first.split(each).length > first.split(best).length ? each : best));
  const rows = /** @type {{line: number, cells: string[]}[]} */ ([]);
  /** @type {string[]} */
  let cells = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let begun = 1;
  const end = () => {
    cells.push(cell.trim());
    cell = '';
  };
  const row = () => {
    end();
    if (cells.some((each) => each !== '')) rows.push({ line: begun, cells });
    cells = [];
    begun = line;
  };
  for (let i = 0; i < text.length; i++) {
    const each = text[i];
    if (each === '\n') line += 1;
    if (quoted) {
      if (each === '"' && text[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else if (each === '"') quoted = false;
      else cell += each;
    } else if (each === '"' && cell.trim() === '') {
      quoted = true;
      cell = '';
    } else if (each === delimiter) end();
    else if (each === '\n') row();
    else if (each !== '\r') cell += each;
  }
  row();
  return rows;
}

/** @param {string} text @returns {{written: string, headers: string[], rows: {line: number, cells: string[]}[]}} `written`: the headers as they stand in the list */
function table(text) {
  const rows = text.length > MAX_CSV ? [] : rowsOf(text.replace(/^\ufeff/, ''));
  const headers = (rows[0]?.cells ?? []).map(folded);
  const written = (rows[0]?.cells ?? []).join(', ');
  return { written, headers, rows: rows.slice(1).map(({ line, cells }) => ({ line, cells: headers.map((_, at) => cells[at] ?? '') })) };
}

/** @param {string[]} headers @param {string[]} names */
const column = (headers, names) => headers.findIndex((header) => names.includes(header));

/**
 * @param {string} text @param {Iterable<number>} taken numbers that nobody else gets
 * @returns {{players: {name: string, number: number}[], problems: ListProblem[]}}
 */
export function readPlayers(text, taken) {
  const { written, headers, rows } = table(text);
  let [name, first, last, number] = [NAME, FIRST, LAST, NUMBER].map((names) => column(headers, names));
  if (last < 0 && headers[first] === 'vorname') [name, last] = [-1, name]; // beside a Vorname, a German list calls the last name Name
  if (name < 0 && (first < 0 || last < 0)) {
    const values = { headers: written, known: KNOWN_NAMES };
    return {
      players: [],
      problems: [{ line: 1, problem: say('No column is a name. The headers are: {headers}. Known are, for example: {known}.', values) }],
    };
  }
  const used = new Set(taken);
  const problems = [];
  const found = [];
  for (const { line, cells } of rows) {
    const called = name >= 0 ? cells[name] : `${cells[first]} ${cells[last]}`.trim();
    const given = number >= 0 ? cells[number] : '';
    const value = /^[0-9]{1,4}$/.test(given) ? Number(given) : null;
    if (called === '') problems.push({ line, problem: say('There is no name.') });
    else if (!isText(called)) problems.push({ line, problem: say('The name is too long, or has a character that is not seen or breaks lines.') });
    else if (given !== '' && (value === null || value < 1 || value > 5_000))
      problems.push({ line, problem: say('{text} is no number of a player.', { text: given }) });
    else if (value !== null && used.has(value)) problems.push({ line, problem: say('Number {number} is another player’s.', { number: value }) });
    else {
      if (value !== null) used.add(value);
      found.push({ name: called, number: value });
    }
  }
  let next = 1;
  const players = found.map((each) => {
    if (each.number !== null) return /** @type {{name: string, number: number}} */ (each);
    while (used.has(next)) next += 1;
    used.add(next);
    return { name: each.name, number: next };
  });
  if (players.length === 0 && problems.length === 0) problems.push({ line: 1, problem: say('There is no player below the headers.') });
  return { players, problems };
}

/**
 * The list of links that was saved when players were registered, here or by `rollproof event register`.
 * @param {string} text @param {{address: string, event: string}} of the event
 * @returns {{players: {name: string, number: number, link: string}[], problems: ListProblem[]}}
 */
export function readLinks(text, { address, event }) {
  const { headers, rows } = table(text);
  const [name, number, link, code] = [NAME, NUMBER, LINK, CODE].map((names) => column(headers, names));
  if (name < 0 || number < 0 || (link < 0 && code < 0))
    return { players: [], problems: [{ line: 1, problem: say('It has no columns for name, number and link.') }] };
  const players = [];
  const problems = [];
  for (const { line, cells } of rows) {
    const given = link >= 0 ? cells[link] : `${address}/e/${event}#${cells[code]}`;
    if (isLinkTo(given, event) && /^[1-9][0-9]{0,3}$/.test(cells[number]))
      players.push({ name: cells[name], number: Number(cells[number]), link: given });
    else problems.push({ line, problem: say('This is no link of a player to this event.') });
  }
  return { players, problems };
}

/** @param {string} text @param {string} event @returns {boolean} whether it is a player's link to this event */
function isLinkTo(text, event) {
  try {
    const link = parseEventLink(text);
    return link.event === event && link.code !== null && !link.wall;
  } catch {
    return false;
  }
}

/** @param {string[]} headers @returns {number[]} the columns of the sides; one of numbers goes before one of names */
function sidesOf(headers) {
  /** @type {Map<number, number>} */
  const found = new Map();
  headers.forEach((header, at) => {
    const text = SIDE.exec(header)?.[1];
    const side = text !== undefined ? 'abcdefgh'.indexOf(text) + 1 || Number(text) : ONE[header];
    if (side === undefined || Number.isNaN(side)) return;
    const known = found.get(side);
    if (known === undefined || OF_NUMBERS.test(header)) found.set(side, at);
  });
  return [...found].sort(([a], [b]) => a - b).map(([, at]) => at);
}

/** Who sits where, read from the rows of a list of pairings. What is wrong in a row is thrown as a message. */
class Pairings {
  /** @type {{sides: number[][], table: number}[]} */
  tables = [];
  /** @type {number[]} */
  byes = [];
  /** The line of each player, and of each table. @type {Map<number, number>} */
  seated = new Map();
  /** @type {Map<number, number>} */
  used = new Map();
  /** @type {Map<string, number[]>} */
  byName = new Map();

  /** @param {Map<number, string>} names @param {Map<number, {state: string}> | null} players */
  constructor(names, players) {
    this.names = names;
    this.players = players;
    for (const [number, name] of names) this.byName.set(folded(name), [...(this.byName.get(folded(name)) ?? []), number]);
  }

  /** @param {string} word @returns {number} of the player whose number or name it is */
  player(word) {
    const number = Number(/^[pP#]?([0-9]{1,4})$/.exec(word.trim())?.[1] ?? 0);
    if (number >= 1 && number <= 5_000) return number;
    const found = this.byName.get(folded(word)) ?? [];
    if (found.length !== 1)
      throw found.length === 0
        ? say('Nobody is called {name}.', { name: word })
        : say('More than one player is called {name}: write the number.', { name: word });
    return found[0];
  }

  /** @param {string} text @returns {number[]} the players of a side */
  side(text) {
    const parts = this.byName.has(folded(text)) ? [text] : text.split('+');
    if (parts.length > 8) throw say('A side has at most 8 players.');
    return parts.map((part) => this.player(part));
  }

  /** Seats a player, who must be in and have no other seat. @param {number} number @param {number} line */
  seat(number, line) {
    const who = { name: this.names.get(number) ?? '?', number, line: this.seated.get(number) ?? 0 };
    if (this.seated.get(number) === line) throw say('{name} (number {number}) stands twice in this line.', who);
    if (this.seated.has(number)) throw say('{name} (number {number}) stands in line {line} too.', who);
    this.seated.set(number, line);
    if (this.players === null || this.players.get(number)?.state === 'in') return;
    if (!this.players.has(number)) throw say('Nobody is registered with the number {number}.', who);
    if (this.players.get(number)?.state === 'dropped') throw say('{name} (number {number}) has dropped.', who);
    throw say('{name} (number {number}) has not checked in.', who);
  }

  /** Reads a row. @param {number} line @param {string[]} cells of its sides @param {string | null} word of its table; null: tables count from 1 */
  row(line, cells, word) {
    const sides = cells.filter((cell) => !BYE.includes(folded(cell))).map((cell) => this.side(cell));
    if (sides.length === 0) throw say('No player stands in it.');
    for (const number of sides.flat()) this.seat(number, line);
    if (sides.length === 1 && [...BYE, '0'].includes(folded(word ?? ''))) {
      this.byes.push(...sides[0]);
      return;
    }
    const table = word === null ? this.tables.length + 1 : Number(/^[0-9]{1,4}$/.test(word) ? word : NaN);
    if (!(table >= 1)) throw say('{text} is no number of a table.', { text: word ?? '' });
    if (this.used.has(table)) throw say('Table {table} stands in line {line} too.', { table, line: this.used.get(table) ?? 0 });
    this.used.set(table, line);
    this.tables.push({ sides, table });
  }
}

/**
 * @param {string} text @param {Map<number, string>} names
 * @param {Map<number, {state: string}> | null} [players] who is registered: whoever is not in cannot be paired. Null: that is not known @returns {{tables: {sides: number[][], table: number}[], byes: number[], problems: ListProblem[]}}
 */
export function readPairings(text, names, players = null) {
  const { written, headers, rows } = table(text);
  const at = column(headers, TABLE);
  const sides = sidesOf(headers);
  if (sides.length === 0) {
    const values = { headers: written, known: KNOWN_SIDES };
    return {
      tables: [],
      byes: [],
      problems: [{ line: 1, problem: say('No column is a player. The headers are: {headers}. Known are, for example: {known}.', values) }],
    };
  }
  const pairings = new Pairings(names, players);
  const problems = /** @type {ListProblem[]} */ ([]);
  for (const { line, cells } of rows) {
    try {
      pairings.row(
        line,
        sides.map((each) => cells[each]),
        at < 0 ? null : cells[at],
      );
    } catch (problem) {
      problems.push({ line, problem: /** @type {any} */ (problem) });
    }
  }
  const { tables, byes } = pairings;
  if (tables.length === 0 && byes.length === 0 && problems.length === 0)
    problems.push({ line: 1, problem: say('There is no pairing below the headers.') });
  return { tables, byes, problems };
}

/** @param {any} value @returns {string} a spreadsheet takes none for a formula */
function cellOf(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return `${value}`;
  const text = /^ *[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The results of a round: a row for each table, then one for each bye, all of the same width.
 * @param {import('../../../verifier/web/event/log.js').Round} round
 * @param {string[]} members of a result, as the event's terms say @param {Map<number, string>} names
 */
export function resultsText(round, members, names) {
  const words = RESULTS.filter((word) => members.includes(word));
  const tables = [...round.tables.values()].sort((a, b) => a.number - b.number);
  const width = Math.max(2, ...tables.map(({ sides }) => sides.length));
  const sides = Array.from({ length: width }, (_, i) => i + 1);
  const ofSide = (/** @type {number} */ side) => ['id', 'name', ...words].map((word) => `player ${side} ${word}`);
  const headers = ['round', 'table', ...sides.flatMap(ofSide)];
  const rows = tables.map((table) => [
    round.number,
    table.number,
    ...table.sides.flatMap((side, at) => [
      side.length === 1 ? side[0] : side.join('+'),
      side.map((number) => names.get(number) ?? '').join(' + '),
      ...words.map((word) => table.result?.[at][word] ?? null),
    ]),
  ]);
  const byes = round.byes.map((bye) => [round.number, null, bye, names.get(bye) ?? '']);
  return csvText(
    headers,
    [...rows, ...byes].map((row) => headers.map((_, at) => row[at] ?? null)),
  );
}

/** @param {string[]} headers @param {any[][]} rows @returns {string} */
export const csvText = (headers, rows) => [headers, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
