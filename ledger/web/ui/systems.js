/**
 * What the page knows of the systems of rules: `systems.json`, which is made from the rules and stands in the manifest
 * (specs/page.md, "What a page knows of the rules").
 * @module
 */

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

/** @param {any} found what `systems.json` has */
export function knowSystems(found) {
  protocol = found.protocol;
  references = found.references;
  for (const [id, each] of Object.entries(found.systems)) known.set(id, { ...each, id });
}

/** @returns {System[]} any dice first */
export const systems = () => [...known.values()].sort((a, b) => Number(b.id === 'dice-1') - Number(a.id === 'dice-1'));

/** @param {string | null | undefined} id @returns {System | null} */
export const systemOf = (id) => known.get(id ?? '') ?? null;

/** How an event or an object is told. @param {System | null} system @param {string[]} keys the first that there is counts @returns {Way[] | null} */
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
    const kind = (Object.hasOwn(catalogue.events, type) ? catalogue.events[type] : []).find(({ tag }) => tag === null || body[tag.name] === tag.value);
    if (kind) return { kind, objects: catalogue.objects };
  }
  return null;
}
