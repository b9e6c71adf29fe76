/**
 * The terms of a game: event 0, steps 10 and 13 of specs/verification.md, and the parties' rights.
 * @module
 */

import { Failure } from './findings.js';
import { isName, readVerifierKey } from './identities.js';
import { isObject, member } from './json.js';
import { PublicKey } from './signatures.js';
import { SYSTEMS } from './systems.js';
import { toHex } from './bytes.js';

/** @typedef {import('./schema.js').Event} Event */
/** @typedef {import('./systems.js').System} System */

/**
 * @typedef {object} Party
 * @property {string} name
 * @property {string} role
 * @property {string | null} called what it is called, where it says so
 * @property {string} verifierKey
 * @property {PublicKey} key
 */

/**
 * @typedef {object} Terms
 * @property {Party[]} parties in party order
 * @property {ReadonlyMap<string, Party>} byName
 * @property {Party} keeper
 * @property {'all' | 'roller' | string[]} contributors
 * @property {boolean} awayByOthers
 * @property {string} systemId
 * @property {System} system
 * @property {{game: string, root: string, size: number} | null} continues
 * @property {string | null} keepersJudge the judge that whoever runs the keeper runs too
 * @property {string} title
 * @property {string[]} admits the roles in which somebody may come later
 * @property {PublicKey | null} host whose word says who may come later
 * @property {{id: string, organizers: ReadonlyMap<string, PublicKey>} | null} event that this is a table of
 * @property {string[]} holders the roles that may hold secret rolls
 * @property {boolean} strikes all who play can take the latest roll back together
 */

const INVALID = "The game's terms are not valid: {problem}.";

/** @param {string} text @param {{[name: string]: import('./findings.js').Value}} [values] @returns {Failure} */
const invalid = (text, values = {}) => new Failure(10, 'open.terms', INVALID, { problem: { text, values } });

/**
 * Step 10, the terms.
 * @param {any} body of event 0, as step 9 has it
 * @returns {Promise<Terms>}
 * @throws {Failure} where the terms are not valid
 */
export async function readTerms(body) {
  const system = /** @type {System} */ (SYSTEMS.get(body.system));
  /** @type {Party[]} */
  const parties = [];
  const byName = new Map();
  const keys = new Set();
  for (const { key: text, role, called = null } of body.parties) {
    const identity = readVerifierKey(text);
    if (identity === null) throw invalid('{text} is no verifier key that is valid', { text });
    if (byName.has(identity.name)) throw invalid('two parties are called {name}', { name: identity.name });
    const hex = toHex(identity.publicKey);
    if (keys.has(hex)) throw invalid('{name} has the same key as another party', { name: identity.name });
    if (role === 'gm' && !system.gm) throw invalid('these rules have no {role}, but {name} is one', { role, name: identity.name });
    keys.add(hex);
    const party = { name: identity.name, role, called, verifierKey: text, key: await PublicKey.from(identity.publicKey) };
    parties.push(party);
    byName.set(party.name, party);
  }
  for (const party of parties) {
    const other = calledSo(party, parties);
    if (other !== null) throw invalid('{name} is called like {other}: {text}', { name: party.name, other, text: party.called ?? '' });
  }
  const keepers = parties.filter((party) => party.role === 'keeper');
  if (keepers.length !== 1 || !parties.some((party) => party.role === 'player')) {
    throw invalid('a game has exactly one keeper and at least one player');
  }
  if (Array.isArray(body.contributors)) checkList(body.contributors, parties, keepers[0]);
  const judge = body.judge ?? null;
  if (judge !== null && byName.get(judge)?.role !== 'judge') {
    throw invalid('{name}, whom the keeper runs as a judge, is none here', { name: judge });
  }
  return {
    parties,
    byName,
    keeper: keepers[0],
    contributors: body.contributors,
    awayByOthers: Object.hasOwn(body, 'away'),
    admits: body.admits ?? [],
    event: await checkEvent(body, keepers[0]),
    host: await checkAdmits(body, system, keepers[0]),
    holders: checkSealed(body, system, parties),
    strikes: body.strike !== undefined,
    systemId: body.system,
    system,
    continues: body.continues ?? null,
    keepersJudge: judge,
    title: body.title,
  };
}

/**
 * Returns another party whose name or called name equals this called name, code point by code point. @param {{name:
 * string, called: string | null}} party @param {Party[]} parties @returns {string | null}
 */
export const calledSo = ({ name, called }, parties) =>
  parties.find((other) => called !== null && other.name !== name && (called === other.name || called === other.called))?.name ?? null;

/** @param {any} body @param {System} system @param {Party[]} parties @returns {string[]} the roles that may hold secret rolls @throws {Failure} */
function checkSealed(body, system, parties) {
  if (body.sealed === undefined) return [];
  if (!system.seals)
    throw new Failure(10, 'open.terms', INVALID, { problem: { text: 'in these rules no roll is secret' } }, { clause: system.noSeals });
  if (body.sealed === 'everyone') return ['gm', 'player'];
  if (![...parties.map((party) => party.role), ...(body.admits ?? [])].includes('gm')) {
    throw invalid('game masters may hold secret rolls, and there is none, now or later');
  }
  return ['gm'];
}

/**
 * Checks the roles that may come later, and the host.
 * @param {any} body @param {System} system @param {Party} keeper @returns {Promise<PublicKey | null>} the host's key
 * @throws {Failure}
 */
async function checkAdmits(body, system, keeper) {
  /** @type {string[]} */
  const admits = body.admits ?? [];
  if (new Set(admits).size < admits.length) throw invalid('each role that may come later stands there once');
  const role = admits.find((each) => !['witness', 'judge', ...system.late].includes(each));
  if (role !== undefined) throw invalid('in these rules no {role} comes later', { role });
  if (body.host === undefined) return null;
  if (admits.length === 0) throw invalid('the game names a host who says who comes later, but nobody may come later');
  const host = readVerifierKey(body.host);
  if (host === null) throw invalid('{text} is no verifier key that is valid', { text: body.host });
  if (toHex(host.publicKey) === toHex(keeper.key.bytes)) throw invalid("the host has the keeper's key");
  return PublicKey.from(host.publicKey);
}

/** Checks the event that this is a table of. @param {any} body @param {Party} keeper @returns {Promise<Terms['event']>} @throws {Failure} */
async function checkEvent(body, keeper) {
  if (body.event === undefined) return null;
  /** @type {Map<string, PublicKey>} */
  const organizers = new Map();
  const keys = new Set();
  for (const text of body.event.organizers) {
    const identity = readVerifierKey(text);
    if (identity === null) throw invalid('{text} is no verifier key that is valid', { text });
    const { name, publicKey } = identity;
    const hex = toHex(publicKey);
    if (organizers.has(name) || keys.has(hex)) throw invalid('two organizers of the event share a name or a key');
    if (hex === toHex(keeper.key.bytes)) throw invalid("an organizer of the event has the keeper's key");
    organizers.set(name, await PublicKey.from(publicKey));
    keys.add(hex);
  }
  return { id: body.event.id, organizers };
}

/** @param {string[]} list @param {Party[]} parties @param {Party} keeper @returns {void} @throws {Failure} */
function checkList(list, parties, keeper) {
  const places = list.map((name) => parties.findIndex((party) => party.name === name));
  const ordered = places.every((place, i) => place >= 0 && (i === 0 || place > places[i - 1]));
  if (!ordered || list.length < 2 || !list.includes(keeper.name)) {
    throw invalid('contributors are parties in party order, each once, the keeper and at least one other');
  }
  if (places.some((place) => parties[place].role === 'judge')) throw invalid('a judge contributes to no roll');
}

/**
 * The parties of an event 0 that does not hold, as far as fault goes by them (specs/verification.md, "Fault").
 * @param {import('./json.js').Json | undefined} value of the line, as plain JSON
 * @returns {Promise<{byName: Map<string, PublicKey>, keeper: string | null}>}
 */
export async function readParties(value) {
  const body = isObject(value) ? member(value, 'body') : undefined;
  const list = isObject(body) ? member(body, 'parties') : undefined;
  /** @type {{name: string, role: any, key: PublicKey}[]} */
  const found = [];
  for (const entry of Array.isArray(list) ? list : []) {
    const text = isObject(entry) ? member(entry, 'key') : undefined;
    const identity = typeof text === 'string' ? readVerifierKey(text) : null;
    if (identity === null || !isName(identity.name)) continue;
    found.push({ name: identity.name, role: member(/** @type {any} */ (entry), 'role'), key: await PublicKey.from(identity.publicKey) });
  }
  const single = found.filter(({ name }) => found.filter((other) => other.name === name).length === 1);
  const keepers = single.filter(({ role }) => role === 'keeper');
  return {
    byName: new Map(single.map(({ name, key }) => [name, key])),
    keeper: keepers.length === 1 ? keepers[0].name : null,
  };
}

/** Roles that may write a type (specs/protocol.md, "The state table"). @type {ReadonlyMap<string, string[]>} */
const WRITES = new Map([
  ['open', ['keeper']],
  ['join', ['player', 'gm', 'judge', 'witness']],
  ['commit', ['keeper', 'player', 'gm', 'witness']],
  ['roll', ['player', 'gm']],
  ['reroll', ['player', 'gm']],
  ['reveal', ['keeper']],
  ['void', ['player', 'gm', 'judge', 'witness']],
  ['disclose', ['keeper']],
  ['ignore', ['player', 'gm']],
  ['store', ['player', 'gm']],
  ['modify', ['player', 'gm']],
  ['resolve', ['player', 'gm']],
  ['declare', ['player', 'gm']],
  ['ruling', ['judge']],
  ['away', ['keeper', 'player', 'gm', 'judge', 'witness']],
  ['back', ['player', 'gm', 'judge', 'witness']],
  ['leave', ['player', 'gm', 'judge', 'witness']],
  ['admit', ['keeper']],
  ['replace', ['keeper']],
  ['consent', ['player', 'gm', 'witness']],
  ['object', ['player', 'gm', 'witness']],
  ['strike', ['player', 'gm', 'judge']],
  ['seal', ['player', 'gm']],
  ['show', ['player', 'gm']],
  ['close', ['keeper']],
]);

/** @param {string} type @returns {boolean} whether it asks for dice */
export const isRequest = (type) => type === 'roll' || type === 'reroll';

/**
 * Step 13.
 * @param {Terms} terms @param {Party} author @param {string} type @throws {Failure}
 */
export function checkRole(terms, author, type) {
  let may = /** @type {string[]} */ (WRITES.get(type));
  let clause = null;
  if (type === 'away' && !terms.awayByOthers) may = may.filter((role) => role !== 'keeper');
  if (isRequest(type) && !terms.system.gmRolls) {
    may = may.filter((role) => role !== 'gm');
    if (author.role === 'gm') clause = terms.system.gmClause;
  }
  if (type === 'seal' || type === 'show') {
    may = may.filter((role) => terms.holders.includes(role));
    if (may.length === 0)
      throw new Failure(13, 'author.role', 'In this game no roll is secret, so {author} writes no {type}.', { author: author.name, type });
  }
  if (type === 'strike' && !terms.strikes) {
    throw new Failure(13, 'author.role', 'By the terms of this game no roll is taken back, so {author} writes no {type}: a judge rules.', {
      author: author.name,
      type,
    });
  }
  if (may.includes(author.role)) {
    if (author.name !== terms.keepersJudge || type === 'join' || type === 'void') return;
    throw new Failure(13, 'author.role', '{author} is the judge that {keeper} runs, and writes join and void alone, not {type}.', {
      author: author.name,
      keeper: terms.keeper.name,
      type,
    });
  }
  const shown = may.filter((role) => role !== 'gm' || terms.system.gm).sort();
  throw new Failure(
    13,
    'author.role',
    '{author} is a {role}; only a {may} may write {type}.',
    { author: author.name, role: { text: author.role }, may: { names: shown, or: true }, type },
    { clause },
  );
}

/** @param {Terms} terms @param {Party} party @returns {boolean} whether the party's role asks for dice */
export const mayRoll = (terms, party) => party.role === 'player' || (party.role === 'gm' && terms.system.gmRolls);

/** @param {Terms} terms @param {Party} party @returns {boolean} whether it is a contributor of some roll that is allowed */
export function mayContribute(terms, party) {
  if (terms.contributors === 'all') return party.role !== 'judge';
  if (terms.contributors === 'roller') return party.role === 'keeper' || party.role === 'witness' || mayRoll(terms, party);
  return terms.contributors.includes(party.name);
}

/** @param {Terms} terms @param {Party} party @param {string} roller @returns {boolean} whether it contributes, if present */
export function contributes(terms, party, roller) {
  if (terms.contributors === 'all') return party.role !== 'judge';
  if (terms.contributors === 'roller') return party.role === 'keeper' || party.role === 'witness' || party.name === roller;
  return terms.contributors.includes(party.name);
}
