/**
 * Policies: which cosignatures are enough (specs/checkpoints.md, "Policy").
 *
 * A policy is read as bytes, of which each is a character here: names are the same where their bytes are.
 * @module
 */

import { fromUtf8, toHex, utf8 } from './bytes.js';
import { MAX_NOTE, MAX_POLICY } from './constants.js';
import { readKey, readVerifierKey, TYPE_COSIGNATURE, TYPE_MLDSA } from './identities.js';
import { canCheck, isCosignedBy, isKeyName, linesBy, readNumber } from './notes.js';

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./identities.js').Identity} Identity */
/** @typedef {import('./notes.js').Note} Note */
/** @typedef {{witness: Identity} | {members: string[], least: number}} Member a witness, or a group */
/** @typedef {{logs: Identity[], members: Map<string, Member>, quorum: string | null}} Policy quorum null: none */

// Bytes below 0x20 other than tab and line feed, and 0x7f.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;
const MOST_NAME = 255;

/** A policy that must be refused: why, in words. */
export class PolicyError extends Error {
  /** @param {Message} words */
  constructor(words) {
    super('not a policy');
    this.words = words;
  }
}

/**
 * @param {string} text @param {{[name: string]: import('./findings.js').Value}} [values]
 * @returns {never} @throws {PolicyError}
 */
function refuse(text, values = {}) {
  throw new PolicyError({ text, values });
}

/** @param {string} item bytes @returns {string} what they say */
const told = (item) => fromUtf8(Uint8Array.from(item, (byte) => byte.charCodeAt(0))) ?? item;

/** @param {string} word @param {number} count of members @returns {number} @throws {PolicyError} */
function leastOf(word, count) {
  if (word === 'all') return count;
  if (word === 'any') return 1;
  const least = readNumber(word);
  if (least !== null && least >= 1 && least <= count) return least;
  return refuse('a group takes all, any or a number from 1 to that of its members, {count}', { count });
}

/** @param {string} text @returns {Identity | null} a witness's key, of either type */
export const readCosignerKey = (text) =>
  readKey(text, TYPE_COSIGNATURE, isKeyName) ?? readKey(text, TYPE_MLDSA, (name) => isKeyName(name) && utf8(name).length <= MOST_NAME);

/** A policy while it is read. */
class Reader {
  constructor() {
    /** @type {Identity[]} */
    this.logs = [];
    /** @type {Map<string, Member>} */
    this.members = new Map();
    /** @type {Set<string>} */
    this.grouped = new Set();
    /** @type {string | null | undefined} */
    this.quorum = undefined;
  }

  /** @param {string[]} items of a line, one or more @throws {PolicyError} */
  take([word, ...items]) {
    if (word === 'log') this.log(items);
    else if (word === 'witness') this.witness(items);
    else if (word === 'group') this.group(items);
    else if (word === 'quorum') this.asks(items);
    else refuse("'{word}' is not log, witness, group or quorum", { word: told(word).slice(0, 80) });
    const groups = [...this.members.values()].filter((each) => 'members' in each).length;
    if (Math.max(this.logs.length, groups, this.members.size - groups) > MAX_POLICY) {
      refuse('there are more than {most} of a kind', { most: MAX_POLICY });
    }
  }

  /** @param {Identity | null} key @param {Identity[]} others @returns {Identity} @throws {PolicyError} */
  fresh(key, others) {
    if (key === null) return refuse('this is not a key of the kind that is needed here: a key has the form name+hash+base64');
    if (others.some((other) => toHex(other.publicKey) === toHex(key.publicKey))) refuse('the key of {name} stands twice', { name: key.name });
    return key;
  }

  /** @param {string} name @returns {string} @throws {PolicyError} */
  freeName(name) {
    if (name === 'none' || this.members.has(name)) refuse("the name '{name}' is taken", { name: told(name).slice(0, 80) });
    return name;
  }

  /** @param {string} name @throws {PolicyError} */
  checkKnown(name) {
    if (!this.members.has(name)) refuse("no line above defines '{name}'", { name: told(name).slice(0, 80) });
  }

  /** @param {string[]} items */
  log(items) {
    if (items.length < 1 || items.length > 2) refuse('it has the form: log VKEY [URL]');
    this.logs.push(this.fresh(readVerifierKey(told(items[0])), this.logs));
  }

  /** @param {string[]} items */
  witness(items) {
    if (items.length < 2 || items.length > 3) refuse('it has the form: witness NAME VKEY [URL]');
    const name = this.freeName(items[0]);
    const others = [...this.members.values()].flatMap((each) => ('witness' in each ? [each.witness] : []));
    this.members.set(name, { witness: this.fresh(readCosignerKey(told(items[1])), others) });
  }

  /** @param {string[]} items */
  group(items) {
    if (items.length < 3) refuse('it has the form: group NAME all|any|K MEMBER…');
    const [name, how, ...members] = items;
    this.freeName(name);
    for (const member of members) {
      this.checkKnown(member);
      if (this.grouped.has(member)) refuse("'{name}' is a member of a group already", { name: told(member).slice(0, 80) });
      this.grouped.add(member);
    }
    this.members.set(name, { members, least: leastOf(how, members.length) });
  }

  /** @param {string[]} items */
  asks(items) {
    if (items.length !== 1) refuse('it has the form: quorum NAME');
    if (this.quorum !== undefined) refuse('there is a second quorum line');
    if (items[0] !== 'none') this.checkKnown(items[0]);
    this.quorum = items[0] === 'none' ? null : items[0];
  }
}

/** @param {Uint8Array} bytes @returns {Policy} @throws {PolicyError} which names the line */
export function parsePolicy(bytes) {
  if (bytes.length > MAX_NOTE) refuse('the policy is longer than {most} bytes', { most: MAX_NOTE });
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  if (CONTROL.test(text)) refuse('the policy has a control character');
  if (text !== '' && !text.endsWith('\n')) refuse("the policy's last line has no line feed");
  const reader = new Reader();
  text.split('\n').forEach((line, i) => {
    const items = line.split(/[ \t]+/).filter((item) => item !== '');
    if (items.length === 0 || items[0].startsWith('#')) return;
    try {
      reader.take(items);
    } catch (problem) {
      if (!(problem instanceof PolicyError)) throw problem;
      refuse('line {number} of the policy: {problem}', { number: i + 1, problem: problem.words });
    }
  });
  const { logs, members, quorum } = reader;
  return quorum === undefined ? refuse('the policy has no quorum line') : { logs, members, quorum };
}

/** @param {Uint8Array} bytes @returns {Policy | null} null where it must be refused */
export function readPolicy(bytes) {
  try {
    return parsePolicy(bytes);
  } catch (problem) {
    if (problem instanceof PolicyError) return null;
    throw problem;
  }
}

/** @param {Policy} policy @param {Uint8Array} keeper public key @returns {boolean} whether the policy accepts this keeper */
export const acceptsKeeper = (policy, keeper) => policy.logs.length === 0 || policy.logs.some((log) => toHex(log.publicKey) === toHex(keeper));

/** @param {Policy} policy @param {Set<string>} there @returns {boolean} whether these witnesses make up its quorum */
function makeUp(policy, there) {
  /** @type {Map<string, boolean>} members stand behind what they are members of, so each is known when it is asked for */
  const met = new Map();
  for (const [name, each] of policy.members) {
    met.set(name, 'witness' in each ? there.has(name) : each.members.filter((one) => met.get(one)).length >= each.least);
  }
  return policy.quorum === null || met.get(policy.quorum) === true;
}

/**
 * Who stands on a note: whose cosignature holds, and who has a line that this platform cannot check.
 * @param {Policy} policy @param {Note} note @returns {Promise<{there: Set<string>, open: Set<string>}>}
 */
async function standing(policy, note) {
  const [there, open] = [new Set(), new Set()];
  for (const [name, each] of policy.members) {
    if (!('witness' in each)) continue;
    if (await isCosignedBy(note, each.witness)) there.add(name);
    else if (!(await canCheck(each.witness)) && linesBy(note, each.witness).length > 0) open.add(name);
  }
  return { there, open };
}

/**
 * Whether one of these checkpoints has the quorum. `missing`: null if so, else the witnesses that the nearest to it
 * lacks; `unchecked`: those whose lines cannot be checked here and would make it up.
 * @param {Policy} policy @param {Note[]} notes
 * @returns {Promise<{missing: string[] | null, unchecked: string[]}>} in names of the policy
 */
export async function judgePolicy(policy, notes) {
  const witnesses = [...policy.members].filter(([, each]) => 'witness' in each).map(([name]) => name);
  if (policy.quorum === null) return { missing: null, unchecked: [] };
  let missing = witnesses;
  /** @type {string[]} */
  let unchecked = [];
  for (const note of notes) {
    const { there, open } = await standing(policy, note);
    if (makeUp(policy, there)) return { missing: null, unchecked: [] };
    const absent = witnesses.filter((name) => !there.has(name));
    if (absent.length < missing.length) missing = absent;
    if (unchecked.length === 0 && makeUp(policy, new Set([...there, ...open]))) unchecked = witnesses.filter((name) => open.has(name));
  }
  return { missing: missing.map(told), unchecked: unchecked.map(told) };
}

/** @param {Policy} policy @param {Note} note @returns {Promise<boolean>} whether its quorum is met */
export const isMet = async (policy, note) => (await judgePolicy(policy, [note])).missing === null;

/** @param {Policy} policy @returns {string} its quorum's name, for people */
export const asked = (policy) => told(policy.quorum ?? 'none');

/** @param {Policy} policy @returns {Message | null} why two sets of witnesses without one in common can each meet it */
export function splitWords(policy) {
  if (policy.quorum === null) {
    return {
      text: 'The policy asks for no witness, so two histories of one game can both meet it: name witnesses in its quorum line, and ask for more than half of them.',
    };
  }
  const twice = new Map();
  for (const [name, each] of policy.members) {
    twice.set(name, 'members' in each && 2 * each.least <= each.members.length + each.members.filter((one) => twice.get(one)).length);
  }
  if (twice.get(policy.quorum) !== true) return null;
  return {
    text: "The policy is split: two sets of witnesses without one in common can each meet {quorum}, so two histories of one game can both meet it though every witness is honest. Ask for more than half of a group's members.",
    values: { quorum: asked(policy) },
  };
}
