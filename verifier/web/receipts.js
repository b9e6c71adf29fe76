/**
 * Comparison of the caller's checkpoints with the log: steps 26 and 27 of specs/verification.md.
 * @module
 */

import { equal, toHex } from './bytes.js';
import { MAX_RECEIPTS } from './constants.js';
import { error, notice } from './findings.js';
import { isSignedBy, readCheckpoint, readNote } from './notes.js';
import { acceptsKeeper, asked, judgePolicy, parsePolicy, splitWords } from './policy.js';

/** @typedef {import('./findings.js').Finding} Finding */
/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./notes.js').Checkpoint} Checkpoint */

/** The code of a finding that says neither that the log holds nor that it fails. */
export const UNCHECKED = 'policy.unchecked';

const { text: UNCHECKED_WORDS } = {
  text: 'Policy: whether its quorum is met is not known. It takes ML-DSA-44 to check the cosignatures of {names}, and this browser does not have it.',
};

/**
 * @typedef {object} Kept what is known of a game, or of an event, whose keeper signs checkpoints
 * @property {Uint8Array} id
 * @property {string} phase
 * @property {number} lastOfKeeper the last event that it signed
 * @property {{keeper: {name: string, key: import('./signatures.js').PublicKey, verifierKey: string}}} terms
 *
 * @typedef {object} Verified the log as far as its lines hold
 * @property {Kept} game
 * @property {import('./hashes.js').Tree} tree
 * @property {number} size of the valid prefix, 1 or more
 * @property {number} events lines of the file
 * @property {boolean} whole no line failed
 */

/** @typedef {{name: string, note: import('./notes.js').Note, checkpoint: Checkpoint}} Held a receipt by the keeper */

/**
 * @param {Verified} log @param {{name: string, bytes: Uint8Array}} receipt
 * @returns {Promise<Held | Finding>} the receipt, or the first of the findings about its own form
 */
async function read(log, { name, bytes }) {
  const { keeper } = log.game.terms;
  const note = readNote(bytes);
  const checkpoint = note && readCheckpoint(note);
  if (note === null || checkpoint === null) {
    return error(26, 'receipt.malformed', null, 'file', '{name} is not a checkpoint of a game.', { name });
  }
  if (checkpoint.game !== toHex(log.game.id)) {
    return error(26, 'receipt.game', null, 'file', '{name} is a receipt of another game: it says nothing about this one.', { name });
  }
  if (!(await isSignedBy(note, keeper.name, keeper.key))) {
    return error(
      26,
      'receipt.signature',
      null,
      'file',
      '{name} has no signature of {keeper}, the keeper, that holds: anybody could have written it.',
      { name, keeper: keeper.name },
    );
  }
  return { name, note, checkpoint };
}

/**
 * The roots that the keeper signed for more lines than hold.
 * @param {Verified} log @param {{name: string, bytes: Uint8Array}[]} receipts
 * @returns {Promise<Map<number, Set<string>>>} hex, by size
 */
export async function rootsAhead(log, receipts) {
  /** @type {Map<number, Set<string>>} */
  const roots = new Map();
  for (const receipt of receipts) {
    const held = await read(log, receipt);
    if (!('note' in held) || held.checkpoint.size <= log.size) continue;
    const { size, root } = held.checkpoint;
    roots.set(size, (roots.get(size) ?? new Set()).add(toHex(root)));
  }
  return roots;
}

/**
 * @param {Verified} log @param {{name: string, bytes: Uint8Array}[]} receipts @param {Uint8Array | null} policyBytes
 * @returns {Promise<{findings: Finding[], notices: Finding[], vouched: number, checked: Message[], notChecked: Message[]}>}
 *   `vouched`: lines that a receipt which agrees vouches for
 * @throws {TypeError} where there are too many @throws {import('./policy.js').PolicyError} where the policy is none
 */
export async function checkReceipts(log, receipts, policyBytes) {
  if (receipts.length > MAX_RECEIPTS) throw new TypeError(`more than ${MAX_RECEIPTS} receipts`);
  const policy = policyBytes === null ? null : parsePolicy(policyBytes);
  const all = [];
  for (const receipt of receipts) all.push(await read(log, receipt));
  const held = all.filter((each) => 'note' in each);
  /** @type {Map<Held, boolean>} whether the root of so many lines is the receipt's */
  const agrees = new Map();
  for (const each of held) {
    if (each.checkpoint.size > log.size) continue;
    agrees.set(each, equal(log.tree.root(each.checkpoint.size), each.checkpoint.root));
  }
  const findings = all.flatMap((each) => ('note' in each ? compare(log, each, held, agrees) : [each]));
  const agreeing = held.filter((each) => agrees.get(each));
  const vouched = Math.max(0, ...agreeing.map((each) => each.checkpoint.size));
  /** @type {Message[]} */
  const checked = [];
  const keeper = log.game.terms.keeper.name;
  if (agreeing.length > 0) {
    checked.push({
      text: 'Receipts ({names}): the log has all that {keeper} signed in them, up to its first {size} events.',
      values: { names: { names: agreeing.map((each) => each.name) }, keeper, size: vouched },
    });
  }
  const between = held.filter(({ checkpoint }) => checkpoint.size > log.size && checkpoint.size <= log.events);
  /** @type {Message[]} */
  const notChecked =
    between.length === 0
      ? []
      : [{ text: 'Receipts ({names}): they are about events that do not hold.', values: { names: { names: between.map((each) => each.name) } } }];
  /** @type {Finding[]} */
  const notices = [];
  if (policy !== null && log.whole) {
    const unmet = await policyUnmet(log, policy, agreeing);
    if (unmet) findings.push(unmet);
    if (unmet?.code === UNCHECKED) notChecked.push(unmet.message);
    if (!unmet) checked.push({ text: 'Policy: the cosignatures that it asks for are there, for all {events} events.', values: { events: log.size } });
    const split = splitWords(policy);
    if (split !== null) notices.push({ ...notice(27, 'policy.split', null, null, ''), message: split });
  }
  return { findings, notices, vouched, checked, notChecked };
}

/** @param {Verified} log @param {import('./policy.js').Policy} policy @param {Held[]} agreeing @returns {Promise<Finding | null>} */
async function policyUnmet(log, policy, agreeing) {
  const { keeper } = log.game.terms;
  if (!acceptsKeeper(policy, keeper.key.bytes)) {
    return {
      ...error(27, 'policy.unmet', null, 'file', '{keeper}, the keeper of this game, is not one of the keepers that the policy accepts.', {
        keeper: keeper.name,
      }),
      actual: keeper.verifierKey,
    };
  }
  const whole = agreeing.filter((each) => each.checkpoint.size === log.size);
  const { missing, unchecked } = await judgePolicy(
    policy,
    whole.map(({ note }) => note),
  );
  if (missing === null) return null;
  const expected = asked(policy);
  if (unchecked.length > 0) {
    return { ...error(27, UNCHECKED, null, null, UNCHECKED_WORDS, { names: { names: unchecked } }), expected };
  }
  const values = { events: log.size, names: { names: missing } };
  return whole.length === 0
    ? { ...error(27, 'policy.unmet', null, 'file', 'The policy asks for a checkpoint of all {events} events, and none was given.', values), expected }
    : {
        ...error(27, 'policy.unmet', null, 'file', 'The policy asks for more cosignatures on all {events} events. Missing: {names}.', values),
        expected,
      };
}

/** @param {Verified} log @param {Held} each @param {Held[]} held @param {Map<Held, boolean>} agrees @returns {Finding[]} */
function compare(log, each, held, agrees) {
  const keeper = log.game.terms.keeper.name;
  const { size, root } = each.checkpoint;
  const contradicted = held.some((other) => other.checkpoint.size === size && !equal(other.checkpoint.root, root));
  const values = { name: each.name, keeper, size, events: log.events };
  if (agrees.get(each) === false) {
    const vouches = log.game.lastOfKeeper >= size - 1 || contradicted || held.some((other) => agrees.get(other) && other.checkpoint.size >= size);
    return [forked(values, vouches ? keeper : 'file')];
  }
  if (size > log.size && (log.game.phase === 'closed' || contradicted)) return [forked(values, keeper)];
  if (size > log.events) {
    return [
      error(
        26,
        'receipt.short',
        null,
        'file',
        '{keeper}, the keeper, signed in {name} for {size} events; this file has {events}: its end is missing.',
        values,
      ),
    ];
  }
  return [];
}

/** @param {{name: string, keeper: string, size: number}} values @param {string} fault @returns {Finding} */
function forked(values, fault) {
  /** @type {Message[]} */
  const words = [{ text: '{keeper}, the keeper, signed in {name} for a history of {size} events that this log does not have.', values }];
  words.push(
    fault === 'file'
      ? { text: '{keeper} has not signed the line that this file has in its place.', values }
      : { text: '{keeper} signed both histories: keep this file and {name}; together they show it to anybody.', values },
  );
  return { ...error(26, 'receipt.forked', null, fault, ''), message: { all: words } };
}
