/**
 * A log with the rules: Python's report, whose signatures the verifier of these modules has checked, beside its own.
 * @module
 */

import { fromBase64, toBase64 } from '../bytes.js';
import { MLDSA_KEY, mldsaIsAvailable, mldsaVerify } from '../mldsa.js';
import { PublicKey } from '../signatures.js';
import { START_SECONDS, Unfinished } from './python.js';

/** @typedef {import('../findings.js').Finding} Finding */
/** @typedef {import('./python.js').Python} Python */
/** @typedef {[string, string, string]} Question key, signature and message, base64 */
/** @typedef {(asked: Question[]) => Promise<boolean[]>} Check */

/**
 * @typedef {object} Told what Python says of a log
 * @property {any} report as `rollproof verify --json` has it
 * @property {string} headline
 * @property {[number, string][]} rolls of each that the state keeps, the number of its request, and its dice in words
 */

/** Signatures that are checked together. One that does not hold takes the platform's time, and then much of ours. */
const WINDOW = 128;

/**
 * Whether signatures hold, in their order, up to the first window in which one does not: what stands behind it Python will
 * not ask again. Between two windows the page gets its turn.
 * @param {Question[]} asked @returns {Promise<boolean[]>} of the first ones, or of all
 */
export async function checkSignatures(asked) {
  /** @type {Map<string, Promise<PublicKey>>} */
  const keys = new Map();
  /** @param {Question} question @returns {Promise<boolean>} */
  const holds = async ([key, ...rest]) => {
    const [signature, message] = rest.map((text) => /** @type {Uint8Array} */ (fromBase64(text)));
    const bytes = /** @type {Uint8Array} */ (fromBase64(key));
    if (bytes.length === MLDSA_KEY) return mldsaVerify(bytes, signature, message);
    if (!keys.has(key)) keys.set(key, PublicKey.from(bytes));
    return (await /** @type {Promise<PublicKey>} */ (keys.get(key))).verify(signature, message);
  };
  /** @type {boolean[]} */
  const found = [];
  while (found.length < asked.length && found.every(Boolean)) {
    found.push(...(await Promise.all(asked.slice(found.length, found.length + WINDOW).map(holds))));
    await new Promise((resume) => {
      setTimeout(resume);
    });
  }
  return found;
}

/**
 * Has a log verified with the rules. Python assumes signatures to hold and names them; if one does not, it learns so,
 * and verifies again. All of it together has the time of one answer: a log could have it asked as often as it has
 * lines.
 * @param {Python} python @param {string} name @param {Uint8Array} bytes @param {import('../log.js').Options} options
 * @param {import('../words.js').Language} language @param {Check} check
 * @returns {Promise<Told>} @throws {Unfinished}
 */
export async function verifyWithRules(python, name, bytes, options, language, check) {
  const request = {
    do: 'verify',
    log: toBase64(bytes),
    name,
    language,
    mldsa: await mldsaIsAvailable(),
    ...(options.game ? { game: options.game } : {}),
    keys: options.keys ?? [],
    receipts: Object.fromEntries((options.receipts ?? []).map((receipt) => [receipt.name, toBase64(receipt.bytes)])),
    ...(options.policy ? { policy: toBase64(options.policy) } : {}),
  };
  const { stops, seconds } = python;
  const end = performance.now() + seconds * 1000 + (python.started === null ? START_SECONDS * 1000 : 0);
  for (;;) {
    if (python.stops !== stops) throw new Unfinished({ text: 'It was stopped.' });
    if (performance.now() > end) throw new Unfinished({ text: 'It took longer than {seconds} seconds.', values: { seconds } });
    const { asked, ...told } = await python.ask(request);
    const limit = told.report.findings.find((/** @type {any} */ finding) => finding.code.startsWith('limit.'));
    if (limit) throw new Unfinished({ text: limit.message });
    if (asked.length === 0) return told;
    const holds = await check(asked);
    if (python.stops !== stops) throw new Unfinished({ text: 'It was stopped.' });
    await python.ask({ do: 'learn', signatures: holds.map((each, i) => [...asked[i], each]) });
    if (holds.length === asked.length && holds.every(Boolean)) return told;
  }
}

/** @param {Python} python @param {Uint8Array} bytes @param {number} size @param {number} seq @param {import('../words.js').Language} language
 * @returns {Promise<[string | null, string][]>} clause and words of each step of the rules @throws {Unfinished} */
export const explainByRules = async (python, bytes, size, seq, language) =>
  (await python.ask({ do: 'explain', log: toBase64(bytes), size, seq, language })).rules;

const COMPARED = /** @type {const} */ (['code', 'severity', 'step', 'seq', 'fault', 'clause']);
/** Types of events whose bodies only the rules know. */
const DOMAIN = new Set(['open', 'roll', 'reroll', 'ignore', 'store', 'modify', 'resolve', 'declare']);
/** The codes that step 15 checks after an owed request. */
const AFTER_OWED = new Set(['state.contributors', 'state.not-committed']);

/** @param {any[]} findings @returns {string} */
const comparedOf = (findings) => JSON.stringify(findings.map((finding) => COMPARED.map((member) => finding[member] ?? null)));

/**
 * Whether two reports on a log can both be right: the same, or they differ by what takes the rules (specs/web.md).
 * @param {{verdict: string, events: number, validPrefix: number, head: any, findings: Finding[], undecided: number[]}} own of these modules
 * @param {any} told of Python @param {(seq: number) => string | null} typeOf the type of an event
 * @returns {boolean}
 */
export function agree(own, told, typeOf) {
  if (
    own.verdict === told.verdict &&
    own.events === told.events &&
    own.validPrefix === told.valid_prefix &&
    own.head?.root === told.head?.root &&
    comparedOf(own.findings) === comparedOf(told.findings)
  )
    return true;
  const error = told.findings.find((/** @type {any} */ each) => each.severity === 'error' || each.code === 'log.offer');
  if (!error || error.seq === null) return false;
  if (error.code === 'log.offer') return own.verdict === 'holds';
  const found = own.findings.find(({ severity }) => severity === 'error');
  const at = found?.seq ?? null;
  if (found && at !== null && at < error.seq) return false;
  if (found && at === error.seq && found.fault !== error.fault) return false;
  if (error.step === 23) return true;
  if (error.code === 'state.owed')
    return (at === error.seq && AFTER_OWED.has(/** @type {Finding} */ (found).code)) || own.undecided.includes(error.seq);
  return error.code === 'body.malformed' && DOMAIN.has(typeOf(error.seq) ?? '');
}
