/**
 * The bundle of an event: one file with its log and its games (specs/event.md, "The bundle" and "Verification").
 * @module
 */

import { fromUtf8, toHex, utf8 } from '../bytes.js';
import { changesOf, MAX_CHANGES } from '../changes.js';
import { MAX_LINE, MAX_NOTE } from '../constants.js';
import { error, Failure, notice } from '../findings.js';
import { leafHash, Tree } from '../hashes.js';
import { canonical, readCanonical } from '../json.js';
import { lineAt, readEvent } from '../lines.js';
import { verifyLog } from '../log.js';
import { array, hex32, integer, members, must, string } from '../schema.js';
import { MAX_NAMES, nameHash, readNames } from './names.js';
import { difference, eventZero } from './tables.js';
import { nothingOf, verifyEvent } from './verify.js';

/** @typedef {import('../findings.js').Finding} Finding */
/** @typedef {import('../findings.js').Message} Message */
/** @typedef {import('../log.js').Options} Options */
/** @typedef {import('../log.js').Report} Report */
/** @typedef {import('./log.js').EventLog} EventLog */
/** @typedef {{name: string, sha256: string, size: number}} Entry */
/** @typedef {{round: number, table: number, game: string, verdict: Report['verdict'], events: number, cancelled: boolean, changes?: import('../changes.js').Change[]}} GameState as in a report's `state` */

const MAX_MANIFEST = 16_777_216;
const MAX_FILES = 100_000;
const MAX_ROSTER = 8_388_608;
const STEP = 30;
const BEGINNING = utf8('{"bundle":');
const GAME = /^games\/([0-9a-f]{64})\.(checkpoint|jsonl)$/;
/** Files after the games, and their maximum sizes. */
const LAST = new Map([
  ['names.json', MAX_NAMES],
  ['event.policy', MAX_NOTE],
  ['event.roster', MAX_ROSTER],
]);
const MANIFEST = members({
  bundle: string,
  files: array(
    members({
      name: must((value) => typeof value === 'string' && [...value].length <= 100, 'at most 100 characters'),
      sha256: hex32,
      size: integer(0),
    }),
    1,
    MAX_FILES,
  ),
});
const FORMAT = 'rollproof/bundle/v1';
/** The words of each notice, in the order of a report. */
const NOTICES = new Map([
  ['table.changed', { text: 'Rolls and parties that judges and others changed at tables: {count}.' }],
  ['table.ended', { text: 'Judges and keys that tables took in after the event had ended them: {count}.' }],
  ['table.open', { text: 'Games of tables that were not closed: {count}.' }],
  ['table.unsealed', { text: 'Games of tables whose length was never sealed: {count}.' }],
  ['table.outside', { text: 'Games of tables that went on after their round had ended: {count}.' }],
]);

/** @param {Uint8Array} bytes of a file @returns {boolean} whether it is a bundle: the lines of a log begin with their author */
export const isBundle = (bytes) => BEGINNING.every((byte, i) => bytes[i] === byte);

/** @param {Entry[]} files @returns {string | null} the name of the first that is in the wrong place; null: all are right */
function misplaced(files) {
  const names = files.map(({ name }) => name);
  if (!names.slice(0, 2).includes('event.jsonl')) return names[0];
  const seen = new Set();
  let behind = false;
  for (const [at, { name, size }] of files.entries()) {
    const [, game, kind] = GAME.exec(name) ?? [];
    let right;
    if (name === 'event.checkpoint') right = at === 0 && names[1] === 'event.jsonl' && size <= MAX_NOTE;
    else if (name === 'event.jsonl') right = at === 0 || names[0] === 'event.checkpoint';
    else if (game !== undefined) right = !behind && (kind === 'jsonl' || (names[at + 1] === `games/${game}.jsonl` && size <= MAX_NOTE));
    else {
      right = size <= (LAST.get(name) ?? -1);
      behind = true;
    }
    if (!right || seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/** @param {Uint8Array} bytes of a bundle @returns {{files: Entry[], at: number} | Message} where the first file begins; else why it is none */
function readManifest(bytes) {
  const end = bytes.subarray(0, MAX_MANIFEST + 1).indexOf(0x0a);
  const text = end < 0 ? null : fromUtf8(bytes.subarray(0, end));
  /** @type {any} */
  const found = text === null ? undefined : readCanonical(text);
  if (found === undefined || MANIFEST(found) !== null) return { text: 'its first line is no manifest' };
  if (found.bundle !== FORMAT) return { text: "it has another format, '{format}'", values: { format: found.bundle.slice(0, 40) } };
  const name = misplaced(found.files);
  if (name !== null) return { text: '{name} does not stand where it may, or is too long', values: { name } };
  return { files: found.files, at: end + 1 };
}

/** @param {Uint8Array} bytes @param {Entry} entry @returns {Promise<boolean>} whether size and hash are those of the manifest */
async function isWhole(bytes, { size, sha256 }) {
  if (bytes.length !== size) return false;
  return toHex(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', /** @type {any} */ (bytes)))) === sha256;
}

/** @param {Uint8Array} bytes of a log @param {number} size 1 or more @returns {string | null} the root of its first lines; null: it has fewer */
function rootAt(bytes, size) {
  const tree = new Tree();
  for (let line = lineAt(bytes, 0); line?.terminated && tree.size < size; line = lineAt(bytes, line.end + 1)) {
    tree.append(leafHash(bytes.subarray(line.start, line.end)));
  }
  return tree.size === size ? toHex(tree.root(size)) : null;
}

/** @param {Uint8Array} bytes of a log @returns {string} the time of its last line that is no `close`, among the last two; empty: there is none */
function playedUntil(bytes) {
  let end = bytes.lastIndexOf(0x0a);
  for (let count = 0; end >= 0 && count < 2; count++) {
    const before = end === 0 ? -1 : bytes.lastIndexOf(0x0a, end - 1);
    try {
      const event = readEvent(bytes.subarray(before + 1, end));
      if (event.type !== 'close') return event.time;
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
    }
    end = before;
  }
  return '';
}

/** One bundle under verification. */
class Run {
  /** @param {Uint8Array} bytes @param {Entry[]} files @param {number} at @param {Options} options */
  constructor(bytes, files, at, options) {
    this.bytes = bytes;
    this.files = files;
    this.at = at;
    this.options = options;
    /** @type {Finding[]} */
    this.errors = [];
    /** @type {Map<string, {count: number, seq: number}>} */
    this.counts = new Map();
    /** @type {Map<string, GameState>} */
    this.games = new Map();
    this.namesChecked = false;
  }

  /** Returns the present bytes of the next file. @param {Entry} entry @returns {Uint8Array} */
  next({ size }) {
    const part = this.bytes.subarray(this.at, this.at + size);
    this.at += part.length;
    return part;
  }

  /**
   * @param {string} code @param {number | null} seq @param {string | null} fault @param {string} text
   * @param {{[name: string]: import('../findings.js').Value}} [values] @param {{expected?: string, actual?: string}} [more]
   */
  wrong(code, seq, fault, text, values = {}, { expected = '', actual = '' } = {}) {
    this.errors.push({ ...error(STEP, code, seq, fault, text, values), expected: expected || null, actual: actual || null });
  }

  /** @param {string} code @param {number} seq @param {number} [more] */
  note(code, seq, more = 1) {
    const found = this.counts.get(code) ?? { count: 0, seq };
    this.counts.set(code, { count: found.count + more, seq: Math.min(found.seq, seq) });
  }

  /** @returns {Promise<Report>} */
  async run() {
    const [first, ...others] = this.files;
    const receipts = [...(this.options.receipts ?? [])];
    let entry = first;
    if (first.name === 'event.checkpoint') {
      const bytes = this.next(first);
      if (!(await isWhole(bytes, first))) {
        this.wrongFile(first);
        return { ...nothingOf('fails', this.errors), kind: 'bundle', notChecked: [] };
      }
      receipts.push({ name: first.name, bytes });
      entry = /** @type {Entry} */ (others.shift());
    }
    const bytes = this.next(entry);
    const { report, log } = await verifyEvent(bytes, { ...this.options, receipts, progress: undefined });
    if (!(await isWhole(bytes, entry))) this.wrongFile(entry);
    if (this.errors.length > 0 || log === null || report.validPrefix !== report.events) return this.report(report, false);
    const whole = await this.rest(log, others);
    if (whole) this.missing(log);
    return this.report(report, whole);
  }

  /** @param {Entry} entry */
  wrongFile({ name }) {
    this.wrong('bundle.file', null, 'file', '{name} is not as the first line of the bundle says: the file is incomplete or damaged. Get it again.', {
      name,
    });
  }

  /**
   * Verifies the files after the event log. @param {EventLog} log @param {Entry[]} entries @returns {Promise<boolean>}
   * whether all are whole
   */
  async rest(log, entries) {
    /** @type {import('../log.js').Receipt[]} */
    let beside = [];
    for (const entry of entries) {
      const [, game, kind] = GAME.exec(entry.name) ?? [];
      const bytes = this.next(entry);
      await this.options.progress?.(this.at);
      const judged = kind === 'jsonl' && log.games.has(game) ? await this.judge(log, game, bytes, beside) : null;
      beside = kind === 'checkpoint' ? [{ name: entry.name, bytes }] : [];
      if (!(await isWhole(bytes, entry))) {
        this.wrongFile(entry);
        return false;
      }
      if (judged !== null) this.compare(log, game, bytes, judged);
      else if (kind === 'jsonl') {
        this.wrong('bundle.stranger', null, 'file', '{name} is the log of a game that this event did not open.', { name: entry.name });
      }
      if (entry.name === 'names.json') this.checkNames(log, bytes);
    }
    if (this.at === this.bytes.length) return true;
    this.wrong('bundle.file', null, 'file', 'Bytes follow the last file of the bundle.');
    return false;
  }

  /**
   * @param {EventLog} log @param {string} game that the event opened @param {Uint8Array} bytes @param {import('../log.js').Receipt[]} receipts
   * @returns {Promise<Report>}
   */
  async judge(log, game, bytes, receipts) {
    const report = await verifyLog(bytes, { game, receipts });
    const { opening, table } = /** @type {{opening: import('./log.js').Opening, table: import('./log.js').Opened}} */ (log.games.get(game));
    const { verdict, events } = report;
    const changes = report.state === null ? [] : changesOf(report.state);
    this.games.set(game, {
      round: opening.round,
      table: table.table,
      game,
      verdict,
      events,
      cancelled: table.cancelled,
      ...(changes.length === 0 ? {} : { changes: changes.slice(0, MAX_CHANGES) }),
    });
    return report;
  }

  /**
   * Compares a verified game with the event. @param {EventLog} log @param {string} game @param {Uint8Array} bytes
   * @param {Report} report
   */
  compare(log, game, bytes, report) {
    const { opening, table } = /** @type {{opening: import('./log.js').Opening, table: import('./log.js').Opened}} */ (log.games.get(game));
    const { seq, round } = opening;
    const where = { table: table.table, round };
    const { keeper } = log;
    if (report.verdict !== 'holds') {
      const found = report.findings.find(({ severity }) => severity === 'error');
      this.wrong('table.fails', seq, found?.fault ?? null, 'The log of table {table} in round {round} does not hold ({code}): {problem}', {
        ...where,
        code: found?.code ?? '',
        problem: found?.message ?? '',
      });
    }
    const first = lineAt(bytes, 0);
    const line = first?.terminated ? bytes.subarray(0, Math.min(first.end, MAX_LINE + 1)) : new Uint8Array(0);
    const differs = difference(line, eventZero(log, opening, table));
    if (differs !== null) {
      const text = 'Event 0 of table {table} in round {round} is not what the event says: {member} differs.';
      this.wrong('table.terms', seq, keeper, text, { ...where, member: differs.member }, differs);
    }
    for (const { seq: event, time, word } of report.state?.words ?? []) {
      const act = /** @type {string} */ (canonical(word));
      const line = log.words.get(act) ?? -1;
      if (line > seq) {
        const ended = log.ended.get(line);
        if (ended !== undefined && ended < time) this.note('table.ended', seq);
        continue;
      }
      const text =
        "Event {event} of table {table} in round {round} has an act of {by} that the event's log does not have, or not since the table was opened.";
      this.wrong('table.act', seq, keeper, text, { ...where, event, by: word.by }, { actual: [...act].slice(0, 400).join('') });
    }
    const root = table.size === 0 ? null : rootAt(bytes, table.size);
    if (table.size === 0) this.note('table.unsealed', seq);
    else if (root === null) {
      this.wrong('table.short', seq, 'file', 'The log of table {table} in round {round} is cut: {size} events were sealed.', {
        ...where,
        size: table.size,
      });
    } else if (root !== table.root) {
      const text = 'The log of table {table} in round {round} has other events than {keeper} sealed.';
      this.wrong('table.forked', seq, keeper, text, { ...where, keeper }, { expected: table.root, actual: root });
    }
    if (report.state === null) return;
    const changes = changesOf(report.state).length;
    if (changes > 0) this.note('table.changed', seq, changes);
    const { ended } = log.rounds[round - 1];
    if (report.state.phase !== 'closed') this.note('table.open', seq);
    if (ended !== '' && playedUntil(bytes) > ended) this.note('table.outside', seq);
  }

  /** @param {EventLog} log */
  missing(log) {
    for (const [game, { opening, table }] of log.games) {
      if (this.games.has(game)) continue;
      const values = { table: table.table, round: opening.round };
      this.wrong('table.missing', opening.seq, 'file', 'The game of table {table} in round {round} is not in the bundle.', values);
    }
    for (const { seq, round, tables } of log.openings.values()) {
      if (log.rounds[round - 1].state !== 'ended') continue;
      for (const { table, game, cancelled } of tables.values()) {
        if (game !== null || cancelled) continue;
        const text = '{keeper} named no game for table {table} in round {round}, which has ended.';
        this.wrong('table.unopened', seq, log.keeper, text, { table, round, keeper: log.keeper });
      }
    }
  }

  /** @param {EventLog} log @param {Uint8Array} bytes */
  checkNames(log, bytes) {
    const names = readNames(bytes);
    if (names === null) return this.wrong('bundle.names', null, 'file', 'The names file cannot be used.');
    if (names.event !== log.id) return this.wrong('bundle.names', null, 'file', 'The names file is that of another event.');
    const wrong = names.names.find(({ name, number, salt }) => log.players.get(number)?.name !== nameHash(name, salt));
    if (wrong === undefined) this.namesChecked = true;
    else {
      const text = 'Player {number} was not registered with the name that the names file has.';
      this.wrong('bundle.names', null, 'file', text, { number: wrong.number });
    }
    return undefined;
  }

  /** @param {Report} report on the event @param {boolean} whole the files behind it are @returns {Report} */
  report(report, whole) {
    const of = (/** @type {string} */ severity) => report.findings.filter((finding) => finding.severity === severity);
    const notices = [...NOTICES].flatMap(([code, { text }]) => {
      const found = this.counts.get(code);
      return found ? [notice(STEP, code, found.seq, null, text, { count: found.count })] : [];
    });
    /** @type {Message[]} */
    const checked = [...report.checked];
    if (whole) checked.push({ text: 'Games of tables, each by itself and with the event: {count}.', values: { count: this.games.size } });
    if (this.namesChecked) checked.push({ text: 'The names file: its names are those that were registered.' });
    return {
      ...report,
      kind: 'bundle',
      verdict: this.errors.length > 0 && report.verdict !== 'unreadable' ? 'fails' : report.verdict,
      findings: [...of('error'), ...this.errors, ...of('notice'), ...notices],
      checked,
      notChecked: whole
        ? [
            ...report.notChecked.slice(0, -1),
            {
              text: 'Rules: whether every event of the games was allowed, and what the dice mean. {command} checks them.',
              values: { command: 'rollproof verify' },
            },
          ]
        : report.notChecked,
      event: report.event && { ...report.event, games: [...this.games.values()] },
    };
  }
}

/**
 * Verifies an event with its games.
 * @param {Uint8Array} bytes of the bundle @param {Options} [options] receipts and policy are for the event log
 * @returns {Promise<Report>} @throws {import('../policy.js').PolicyError} where the policy is none
 */
export async function verifyBundle(bytes, options = {}) {
  const manifest = readManifest(bytes);
  if ('files' in manifest) return new Run(bytes, manifest.files, manifest.at, options).run();
  const malformed = error(0, 'bundle.malformed', null, null, 'This is no bundle of an event: {problem}.', { problem: manifest });
  return { ...nothingOf('unreadable', [malformed]), kind: 'bundle' };
}
