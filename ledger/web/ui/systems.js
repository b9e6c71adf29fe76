/**
 * The page's knowledge of the systems of rules: `systems.json`, which is made from the rules and stands in the manifest
 * (specs/page.md, "What a page knows of the rules").
 * @module
 */

import { isObject } from '../../../verifier/web/json.js';
import { array, describe, integer, members, must, string } from '../../../verifier/web/schema.js';

/** @typedef {import('../../../verifier/web/schema.js').Check} Check */
/** @typedef {string} Text in English: `word` has it in the reader's language */
/** @typedef {{text: Text, when?: string, more?: Way[]}} Way to say something, see `rules/data/sentences.py` */
/**
 * @typedef {{kind: 'integer', least: number | null, most: number | null} | {kind: 'boolean'} | {kind: 'text', most: number | null, pattern: string | null}
 *   | {kind: 'literal', values: {value: any, title: Text}[]} | {kind: 'array', items: Value, least: number, most: number | null}
 *   | {kind: 'mapping', values: Value, most: number | null} | {kind: 'object', object: string} | {kind: 'one-of', values: Value[]} | {kind: 'any'}} Value
 */
/** @typedef {{name: string, title: Text | null, required: boolean, default: any, value: Value}} Member */
/** @typedef {{tag: {name: string, value: string} | null, title: Text, claims: string[], members: Member[], line: {grammar: string, example: string} | null}} Kind of a body */
/** @typedef {{[name: string]: {tag: {name: string, value: string, title: Text} | null, members: Member[]}}} Objects */
/** @typedef {{events: {[type: string]: Kind[]}, objects: Objects, sentences: {[key: string]: Way[]}}} Catalogue */
/** @typedef {Catalogue & {id: string, name: string, title: Text, roles: string[], rollers: string[], options: Member[]}} System */

// The form of `systems.json` (specs/page.md). All of it is checked once, so that nothing else has to check what is
// there.

/** Levels of values within values. */
const LEVELS = 16;
const MANY = 10_000;
const orNull = (/** @type {Check} */ check) => (/** @type {any} */ value) => (value === null ? null : check(value));
const boolean = must((value) => typeof value === 'boolean', 'true or false');
const count = orNull(integer(-Number.MAX_SAFE_INTEGER));
const list = (/** @type {Check} */ item) => array(item, 0, MANY);
const tag = { name: string, value: string };
const tooDeep = must(() => false, 'less deep');

/** @param {Check} item @returns {Check} of an object with any names */
const mapping = (item) => (value) => {
  if (!isObject(value)) return { path: '', text: 'must be an object' };
  for (const [name, each] of Object.entries(value)) {
    const problem = item(each);
    if (problem !== null) return { path: `.${name}${problem.path}`, text: problem.text };
  }
  return null;
};

/** @param {{[name: string]: unknown}} objects @param {Check} inner of values within @returns {Map<unknown, Check>} by kind */
function valueChecks(objects, inner) {
  const kinds = /** @type {{[kind: string]: {[name: string]: Check}}} */ ({
    integer: { least: count, most: count },
    boolean: {},
    text: { most: count, pattern: orNull(string) },
    any: {},
    literal: { values: list(members({ title: string, value: must((each) => typeof each !== 'object', 'no object') })) },
    array: { items: inner, least: integer(0), most: count },
    mapping: { values: inner, most: count },
    'one-of': { values: list(inner) },
    object: { object: must((name) => typeof name === 'string' && Object.hasOwn(objects, name), 'the name of an object') },
  });
  return new Map(Object.entries(kinds).map(([kind, more]) => [kind, members({ kind: string, ...more })]));
}

/** @param {{[name: string]: unknown}} objects @param {number} [levels] @returns {Check} of what a member takes */
function valueCheck(objects, levels = LEVELS) {
  /** @type {Map<unknown, Check> | null} made when the first is looked at */
  let checks = null;
  return (value) => {
    checks ??= valueChecks(objects, levels > 0 ? valueCheck(objects, levels - 1) : tooDeep);
    const check = isObject(value) ? checks.get(value.kind) : undefined;
    return check === undefined ? { path: '.kind', text: 'must be a kind' } : check(value);
  };
}

/** @param {number} [levels] @returns {Check} of a way to say something */
function wayCheck(levels = LEVELS) {
  const more = levels > 0 ? (/** @type {any} */ value) => wayCheck(levels - 1)(value) : tooDeep;
  return members({ text: string }, { when: string, more: list(more) });
}

/** @param {any} value of `protocol` or of a system @param {(member: Check) => {[name: string]: Check}} more members @returns {ReturnType<Check>} */
function catalogueProblem(value, more) {
  const objects = isObject(value) && isObject(value.objects) ? value.objects : {};
  const member = members({ name: string, title: orNull(string), required: boolean, default: () => null, value: valueCheck(objects) });
  const line = orNull(members({ grammar: string, example: string }));
  const kind = members({ tag: orNull(members(tag)), title: string, claims: list(string), members: list(member), line });
  const object = members({ tag: orNull(members({ ...tag, title: string })), members: list(member) });
  return members({ events: mapping(list(kind)), objects: mapping(object), sentences: mapping(list(wayCheck())), ...more(member) })(value);
}

/** @param {Check} member @returns {{[name: string]: Check}} */
const ofSystem = (member) => ({
  agreement: orNull(string),
  name: string,
  title: string,
  roles: list(string),
  rollers: list(string),
  options: list(member),
});

/** @param {any} value @returns {string | null} what is not in the form of `systems.json` */
export function systemsProblem(value) {
  const problem = members({
    protocol: (each) => catalogueProblem(each, () => ({ roles: mapping(string) })),
    references: mapping(array(string, 1, 2)),
    systems: mapping((each) => catalogueProblem(each, ofSystem)),
  })(value);
  return problem && describe(problem);
}

/** @type {Map<string, System>} */
const known = new Map();
/** @type {Catalogue} */
let protocol = { events: {}, objects: {}, sentences: {} };
/** @type {{[name: string]: Text[]}} how numbers are told that refer to something */
let references = {};

/** @param {string} address of `systems.json` */
export async function loadSystems(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  knowSystems(await answer.json());
}

/** @param {any} found what `systems.json` has @throws {Error} where it has another form */
export function knowSystems(found) {
  const problem = systemsProblem(found);
  if (problem !== null) throw new Error(`systems.json: ${problem}`);
  protocol = found.protocol;
  references = found.references;
  for (const [id, each] of Object.entries(found.systems)) known.set(id, { ...each, id });
}

/** @returns {System[]} any dice first */
export const systems = () => [...known.values()].sort((a, b) => Number(b.id === 'dice-1') - Number(a.id === 'dice-1'));

/** @param {string | null | undefined} id @returns {System | null} */
export const systemOf = (id) => known.get(id ?? '') ?? null;

/**
 * The words for an event or an object.
 * @param {System | null} system
 * @param {string[]} keys the first that there is counts
 * @returns {Way[] | null}
 */
export function sentencesFor(system, keys) {
  for (const { sentences } of system ? [system, protocol] : [protocol]) {
    for (const key of keys) if (Object.hasOwn(sentences, key)) return sentences[key];
  }
  return null;
}

/** @param {string} name of a member @returns {Text[]} how its number is told, and several */
export const referenceWords = (name) => (Object.hasOwn(references, name) ? references[name] : ['{number}', '{number}']);

/**
 * The kind of a body: the system's, else the protocol's.
 * @param {System | null} system @param {string} type @param {{[name: string]: unknown}} body @returns {{kind: Kind, objects: Objects} | null}
 */
export function kindOf(system, type, body) {
  for (const catalogue of system ? [system, protocol] : [protocol]) {
    const kind = (Object.hasOwn(catalogue.events, type) ? catalogue.events[type] : []).find(
      ({ tag }) => tag === null || body[tag.name] === tag.value,
    );
    if (kind) return { kind, objects: catalogue.objects };
  }
  return null;
}
