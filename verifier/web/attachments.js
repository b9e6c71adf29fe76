/**
 * Files that are verified beside a log: a policy, proofs of one event, openings and their receipts, shows of secret
 * rolls.
 * @module
 */

import { fromUtf8, toHex, utf8 } from './bytes.js';
import { MAX_NOTE, MAX_OPENING } from './constants.js';
import { readVerifierKey } from './identities.js';
import { readPlain } from './json.js';
import { lineAt } from './lines.js';
import { readNote } from './notes.js';
import { tellOpening } from './openings.js';
import { parsePolicy } from './policy.js';
import { checkProof, indexOf, provenWords } from './proof.js';
import { MAX_SHOWN, tellShown } from './shown.js';
import { PublicKey } from './signatures.js';

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./identities.js').Identity} Identity */
/** @typedef {import('./log.js').Report} Report */
/** @typedef {'receipt' | 'policy' | 'proof' | 'opening' | 'log'} Kind evidence is a log here, and a show of a secret roll is an opening */
/** @typedef {{name: string, bytes: Uint8Array}} File */
/** @typedef {{keys: string[], game: string | null, index: number | null}} Known what the caller knows, as it was typed */
/** @typedef {{name: string, verdict: 'holds' | 'fails' | 'unreadable' | 'unfinished', words: Message[]}} Judged */

const PROOF = 'c2sp.org/tlog-proof@';
const OPENINGS = new Set(['rollproof/opening/v1', 'rollproof/received/v1']);
const SHOW = 'rollproof/show/v1';

/** @param {string} text @returns {unknown} */
const formatOf = (text) => readPlain(text.trimEnd())?.value?.format;

/** @param {File} file @returns {boolean} whether it shows a secret roll */
const isShow = ({ name, bytes }) => name.endsWith('.show') || (bytes.length <= MAX_SHOWN + 1 && formatOf(fromUtf8(bytes) ?? '') === SHOW);

/** @param {Uint8Array} bytes @param {string} name @returns {Kind} what a file is, by its content, else by its name */
export function kindOf(bytes, name) {
  if (bytes.length > MAX_NOTE) return name.endsWith('.tlog-proof') ? 'proof' : 'log';
  const text = fromUtf8(bytes) ?? '';
  if (/^rollproof\/v1\/[0-9a-f]{64}\n/.test(text)) return 'receipt';
  if (text.startsWith(PROOF) || name.endsWith('.tlog-proof')) return 'proof';
  if (
    /\.(?:opening|received)$/.test(name) ||
    (bytes.length <= MAX_OPENING + 1 && OPENINGS.has(/** @type {any} */ (formatOf(text)))) ||
    isShow({ name, bytes })
  )
    return 'opening';
  if (name.endsWith('.policy') || (!text.startsWith('{') && /^[ \t]*quorum[ \t]/m.test(text))) return 'policy';
  return 'log';
}

/** @param {Uint8Array} log @param {number} size of its valid prefix @param {number} index @returns {Uint8Array | undefined} */
function lineOf(log, size, index) {
  if (index >= size) return undefined;
  let line = lineAt(log, 0);
  for (let i = 0; i < index && line !== null; i++) line = lineAt(log, line.end + 1);
  return line === null ? undefined : log.subarray(line.start, line.end);
}

/** @param {Uint8Array} proof @param {Identity[]} keys @returns {Identity | undefined} the one by which its checkpoint has a line */
function keeperOf(proof, keys) {
  const text = fromUtf8(proof) ?? '';
  const note = readNote(utf8(text.slice(text.indexOf('\n\n') + 2)));
  return keys.find((key) => note?.signatures.some((line) => line.name === key.name && toHex(line.keyId) === toHex(key.keyId)));
}

/**
 * Verifies a proof, with the log's game, keeper's key and line of that number, if there is a log. Without a log
 * the caller has to know the game, the keeper's key and the number.
 * @param {File} file @param {Known} known @param {Report | null} report @param {Uint8Array} log @param {Uint8Array | null} policyBytes
 * @returns {Promise<Judged>}
 */
async function judgeProof({ name, bytes }, known, report, log, policyBytes) {
  const typed = known.keys.flatMap((key) => readVerifierKey(key) ?? []);
  const terms = report?.state?.terms;
  const keys = [...typed, ...(terms?.parties ?? []).flatMap((party) => readVerifierKey(party.verifierKey) ?? [])];
  const keeper = terms ? readVerifierKey(terms.keeper.verifierKey) : (keeperOf(bytes, typed) ?? typed[0]);
  const game = known.game ?? report?.game ?? null;
  const index = known.index ?? (terms ? (indexOf(bytes) ?? 0) : null);
  if (!keeper || game === null || index === null) {
    return {
      name,
      verdict: 'unreadable',
      words: [
        {
          text: 'A proof of one event is checked with its log, or with what you know: the id of the game, the keeper’s key and the number of the event. Type them, one a line.',
        },
      ],
    };
  }
  const expected = {
    game,
    keeper: keeper.name,
    keeperKey: await PublicKey.from(keeper.publicKey),
    index,
    keys,
    line: terms ? lineOf(log, report?.validPrefix ?? 0, index) : undefined,
    policy: policyBytes === null ? undefined : parsePolicy(policyBytes),
  };
  const outcome = await checkProof(bytes, expected);
  if ('event' in outcome) return { name, verdict: 'holds', words: provenWords(outcome, expected) };
  const { result: code, step, words: message } = outcome;
  const values = { path: name, code, step, message };
  if (code === 'policy.unchecked') {
    return { name, verdict: 'unfinished', words: [{ text: '{path}: COULD NOT BE FINISHED ({code}, step {step}): {message}', values }] };
  }
  const verdict = code === 'proof.malformed' ? 'unreadable' : 'fails';
  return { name, verdict, words: [{ text: '{path}: FAILS (something is wrong; {code}, step {step}): {message}', values }] };
}

/** @param {File} file @param {Report | null} report @param {string} log its name @returns {Promise<Judged>} */
async function judgeOpening({ name, bytes }, report, log) {
  const shows = isShow({ name, bytes });
  if (report === null) {
    return {
      name,
      verdict: 'unreadable',
      words: [
        {
          text: shows
            ? 'A show of a secret roll is checked against a log: choose the log too.'
            : 'An opening is checked against a log: choose the log too.',
        },
      ],
    };
  }
  if (report.state === null || report.validPrefix < report.events) {
    return { name, verdict: 'unreadable', words: [{ text: '{log} does not hold, so nothing can be checked against it.', values: { log } }] };
  }
  return { name, ...(shows ? tellShown(report.state, name, bytes) : await tellOpening(report.state, name, bytes)) };
}

/**
 * @param {File[]} files proofs, openings, receipts for openings, shows @param {Known} known
 * @param {{report: Report | null, name: string, bytes: Uint8Array}} log @param {Uint8Array | null} policy
 * @returns {Promise<Judged[]>} @throws {import('./policy.js').PolicyError}
 */
export async function judgeBeside(files, known, log, policy) {
  const all = [];
  for (const file of files) {
    all.push(
      kindOf(file.bytes, file.name) === 'proof'
        ? await judgeProof(file, known, log.report, log.bytes, policy)
        : await judgeOpening(file, log.report, log.name),
    );
  }
  return all;
}
