/**
 * An event log from its first byte to its last (specs/event.md, "Verification").
 * @module
 */

import { fromHex, toHex } from '../bytes.js';
import { MAX_LINE } from '../constants.js';
import { error, Failure, notice } from '../findings.js';
import { readVerifierKey } from '../identities.js';
import { countLines, lineAt, readEvent, signedMessage } from '../lines.js';
import { checkReceipts, UNCHECKED } from '../receipts.js';
import { selfTest } from '../sha256.js';
import { PublicKey } from '../signatures.js';
import { LABEL_LINE } from './acts.js';
import { EventLog } from './log.js';
import { checkFirst, formatOf } from './terms.js';

/** @typedef {import('../findings.js').Finding} Finding */
/** @typedef {import('../findings.js').Message} Message */
/** @typedef {import('../log.js').Options} Options */
/** @typedef {import('../log.js').Report} Report */

/** Lines between two progress reports. */
const WINDOW = 256;

/** @type {Message[]} */
const NOT_CHECKED = [
  { text: 'Who is behind a number or a key, and whether what people signed is true.' },
  { text: "The tables' dice: they are in their own logs, which a bundle has." },
];

/** The words of each notice, in the order of a report. */
const NOTICES = new Map([
  ['event.desk', { text: 'Players whom staff checked in, without a claim code: {count}.' }],
  ['event.tablet', { text: "Players who were checked in on a device of staff's: {count}." }],
  ['event.rekeyed', { text: 'Keys of players that an organizer replaced: {count}.' }],
  ['event.repaired', { text: 'Tables that were cancelled or changed after their round had started: {count}.' }],
  ['event.judged', { text: 'Match results that staff set: {count}.' }],
  ['event.by-hand', { text: 'Tables at which dice were thrown by hand, without proof: {count}.' }],
  ['event.corrected', { text: 'Match results, penalties and drops that were corrected: {count}.' }],
  ['event.left', { text: 'Tables that were left without a match result when their round ended: {count}.' }],
]);

/** @param {Uint8Array} bytes @returns {Uint8Array | null} the first line without its line feed; null where there is none */
function firstOf(bytes) {
  const line = lineAt(bytes, 0);
  return line && bytes.subarray(line.start, line.end);
}

/** @param {Uint8Array} bytes of a file @returns {boolean} whether it is the log of an event, of this format or another */
export function isEventLog(bytes) {
  const first = firstOf(bytes);
  return first !== null && formatOf(first) !== null;
}

/** @param {Failure} failure @param {number | null} seq @param {string} fault @returns {Finding} */
const findingOf = ({ step, code, words, clause, expected, actual }, seq, fault) => ({
  ...error(step, code, seq, fault, ''),
  message: words,
  clause,
  expected,
  actual,
});

/**
 * Returns the fault of a line: the keeper's if it signed the line; never for line 0, or for lines that it could not
 * sign.
 * @param {EventLog} log before the line @param {Uint8Array} bytes of the line @param {Failure} failure @returns {Promise<string>}
 */
async function faultOf(log, bytes, { step }) {
  if (log.size === 0 || step <= 7 || bytes.length > MAX_LINE) return 'file';
  try {
    const event = readEvent(bytes);
    const signed = await log.holds(log.keeperKey, event.sig, signedMessage(bytes, event, LABEL_LINE));
    return signed && event.author === log.keeper ? log.keeper : 'file';
  } catch (failure) {
    if (failure instanceof Failure) return 'file';
    throw failure;
  }
}

/** Checks the id that the caller expects. @param {EventLog} log @param {Options} options @throws {Failure} */
function checkGame({ id }, { game: expected }) {
  if (!expected || expected === id) return;
  const values = { actual: id, expected };
  throw new Failure(10, 'expect.game', 'This is the log of game {actual}, not of the one asked for.', values, values);
}

/**
 * Checks the keys that the caller expects: any person's of the log, at any time. @param {EventLog} log @param {Options}
 * options @returns {Failure | null}
 */
function missingKey({ keys }, { keys: expected = [] }) {
  const names = new Set([...keys].map((key) => readVerifierKey(key)?.name));
  for (const key of expected) {
    if (keys.has(key)) continue;
    const { name } = /** @type {import('../identities.js').Identity} */ (readVerifierKey(key));
    const text = names.has(name)
      ? 'The {name} of this log has another key than the {name} you know: somebody may be posing.'
      : 'Nobody in this log has the key of {name} that you know, and no party is called {name}.';
    return new Failure(10, 'expect.key', text, { name }, { expected: key });
  }
  return null;
}

/** @param {EventLog} log @returns {Finding[]} */
function noticesOf(log) {
  const found = [];
  if (!log.closed) found.push(notice(29, 'event.unfinished', null, null, 'The event is not closed: more may follow, or its end is missing.'));
  for (const [code, { text }] of NOTICES) {
    const counted = log.counts.get(code);
    if (counted) found.push(notice(29, code, counted.seq, null, text, { count: counted.count }));
  }
  const ended = log.rounds.filter(({ state }) => state === 'ended');
  const count = ended.flatMap(({ tables }) => [...tables.values()]).filter(({ claim }) => claim !== null).length;
  if (count > 0) {
    found.push(notice(29, 'event.unagreed', null, null, 'Tables of ended rounds with a slip that not all sides signed: {count}.', { count }));
  }
  return found;
}

/** The `state` of a report on an event. @param {EventLog} log @returns {any} */
function stateOf(log) {
  const players = [...log.players.values()];
  return {
    title: log.terms.title,
    system: log.terms.system,
    keeper: log.keeper,
    closed: log.closed,
    players: {
      registered: players.length,
      in: players.filter(({ state }) => state === 'in').length,
      dropped: players.filter(({ state }) => state === 'dropped').length,
    },
    staff: [...log.people].map(([name, { role, since, until }]) => ({ name, role, since, ...(until === null ? {} : { until }) })),
    rounds: log.rounds.map((round) => roundOf(log, round)),
    calls: [...log.calls.values()].filter(({ kind, done }) => kind !== 'answer' && !done).length,
    penalties: [...log.penalties].sort(([one], [other]) => one - other).map(([line, { number, penalty }]) => ({ line, number, penalty })),
  };
}

/** @param {EventLog} log @param {import('./log.js').Round} round */
function roundOf(log, { number, state, byes, tables, paused }) {
  return {
    round: number,
    state,
    byes,
    tables: [...tables.values()]
      .sort((one, other) => one.number - other.number)
      .map((table) => {
        const game = table.line === null ? null : (log.openings.get(table.line)?.tables.get(table.number)?.game ?? null);
        return {
          table: table.number,
          sides: table.sides,
          ...(game === null ? {} : { game }),
          ...(table.extended === 0 ? {} : { extended: table.extended }),
          ...(table.byHand === null ? {} : { by_hand: table.byHand }),
          ...(table.result === null ? {} : { result: table.result, by: table.by }),
          ...(table.left === null ? {} : { left: table.left }),
        };
      }),
    ...(paused === 0 ? {} : { paused }),
  };
}

/**
 * @param {EventLog} log as far as it holds @param {number} events @param {Finding[]} errors @param {Finding[]} notices
 * @param {{checked: Message[], notChecked: Message[]}} compared with what was given beside it @returns {Report}
 */
function reportOf(log, events, errors, notices, compared) {
  if (log.size === 0) return { ...nothingOf('fails', errors), events, notChecked: NOT_CHECKED };
  const unfinished = errors.every(({ code }) => code === UNCHECKED);
  return {
    kind: 'event',
    verdict: errors.length === 0 ? 'holds' : unfinished ? 'unfinished' : 'fails',
    game: log.id,
    events,
    validPrefix: log.size,
    head: { size: log.size, leaf: log.head, root: toHex(log.tree.root(log.size)) },
    findings: [...errors, ...notices],
    trust: {
      text: "{keeper} ordered these lines, and could leave acts out, not write or change anybody else's.",
      values: { keeper: log.keeper },
    },
    checked: [{ text: "The keeper's signature on each line, the chain, each act's own signature, and rules E1 to E32." }, ...compared.checked],
    notChecked: [
      ...compared.notChecked,
      {
        text: 'Whether the options are such as the rules of {system} have: {command} checks that.',
        values: { system: log.terms.system, command: 'rollproof verify' },
      },
      ...NOT_CHECKED,
    ],
    state: null,
    people: [{ name: log.keeper, role: 'keeper', key: log.terms.keeper }, ...[...log.people].map(([name, { role, key }]) => ({ name, role, key }))],
    event: stateOf(log),
  };
}

/**
 * Returns a report in which nothing holds.
 * @param {Report['verdict']} verdict @param {Finding[]} findings @returns {Report}
 */
export const nothingOf = (verdict, findings) => ({
  kind: 'event',
  verdict,
  game: null,
  events: 0,
  validPrefix: 0,
  head: null,
  findings,
  trust: { all: [] },
  checked: [],
  notChecked: [{ text: 'Nothing in the file could be judged.' }],
  state: null,
});

/**
 * Steps 26 and 27.
 * @param {EventLog} log that holds @param {Options} options
 */
const compare = async (log, { receipts = [], policy = null }) =>
  checkReceipts(
    {
      game: {
        terms: { keeper: { name: log.keeper, key: await PublicKey.from(log.keeperKey), verifierKey: log.terms.keeper } },
        id: fromHex(log.id),
        phase: log.closed ? 'closed' : 'idle',
        lastOfKeeper: log.size - 1,
      },
      tree: log.tree,
      size: log.size,
      events: log.size,
      whole: true,
    },
    receipts,
    policy,
  );

/**
 * Verifies an event log.
 * @param {Uint8Array} bytes of the file @param {Options} [options]
 * @returns {Promise<{report: Report, log: EventLog | null}>} the log as far as it holds; null: nothing could be read
 * @throws {import('../policy.js').PolicyError} where the policy is none
 */
export async function verifyEvent(bytes, options = {}) {
  await selfTest();
  const log = new EventLog();
  const none = { checked: [], notChecked: [] };
  let line = lineAt(bytes, 0);
  try {
    checkFirst(firstOf(bytes));
    for (; line !== null; line = lineAt(bytes, line.end + 1)) {
      if (!line.terminated) throw new Failure(4, 'line.unterminated', 'The last line has no line feed: the file was cut inside it.');
      await log.take(bytes.subarray(line.start, line.end));
      if (log.size === 1) checkGame(log, options);
      if (log.size % WINDOW === 0) await options.progress?.(line.end);
    }
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.step <= 3) return { report: nothingOf('unreadable', [findingOf(failure, 0, 'file')]), log: null };
    const [seq, fault] = failure.code.startsWith('expect.')
      ? [0, 'file']
      : [log.size, await faultOf(log, line === null ? bytes : bytes.subarray(line.start, line.end), failure)];
    return { report: reportOf(log, countLines(bytes), [findingOf(failure, seq, fault)], [], none), log };
  }
  const late = missingKey(log, options);
  const compared = await compare(log, options);
  const errors = [...(late === null ? [] : [findingOf(late, null, 'file')]), ...compared.findings];
  return { report: reportOf(log, log.size, errors, [...noticesOf(log), ...compared.notices], compared), log };
}
