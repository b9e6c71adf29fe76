/**
 * An event in words, made from the event itself: its type, and each member of its body under the member's name
 * (specs/page.md, "What it does by itself, and what it asks for"). Nothing here comes from what a server advises.
 * @module
 */

import { kindOf } from './systems.js';
import { t, word } from './words.js';

/** @typedef {import('./systems.js').System} System */
/** @typedef {import('./systems.js').Member} Member */
/** @typedef {import('./systems.js').Objects} Objects */
/** @typedef {import('./systems.js').Value} Value */
/** @typedef {{name: string, title: string, value: string}} Part */
/** @typedef {{kind: string, parts: Part[]}} EventWords */

/** Members that only machines need, and that say nothing to people: openings, links and tips. */
export const UNTOLD = new Set(['burned', 'roll_index', 'opening', 'openings', 'length', 'tip', 'link', 'nonce', 'format']);

const comma = () => t(', ');

/** The example that a form has behind the name of a member; it is left out here. */
const EXAMPLE = /(?:, such as |、たとえば).*$/u;

/** The separator between values: a text that contains it stands in quotation marks. */
const SEPARATES = /[,;:、；：“”()]/u;

/** @param {Member | undefined} member @param {string} name @returns {string} */
const titleOf = (member, name) => (member?.title ? word(member.title).replace(EXAMPLE, '') : t('{text}', { text: name }));

/** @param {{[name: string]: unknown}} value @param {Member[]} members @param {Objects} objects @param {string | null} tag @param {boolean} [within] of an object among others @returns {Part[]} */
const partsOf = (value, members, objects, tag, within = false) =>
  Object.entries(value)
    .filter(([name]) => name !== tag && !UNTOLD.has(name))
    .sort(([a], [b]) => members.findIndex((each) => each.name === a) - members.findIndex((each) => each.name === b))
    .map(([name, inner]) => {
      const member = members.find((each) => each.name === name);
      return { name, title: titleOf(member, name), value: valueWords(inner, member?.value ?? { kind: 'any' }, objects, within) };
    });

/** @param {any} value @param {Value} kind @returns {Value} the one of several kinds that the value is of */
function kindFor(value, kind) {
  if (kind.kind !== 'one-of') return kind;
  const fits = (/** @type {Value} */ each) =>
    ({
      integer: typeof value === 'number',
      boolean: typeof value === 'boolean',
      text: typeof value === 'string',
      array: Array.isArray(value),
      object: typeof value === 'object' && !Array.isArray(value),
      mapping: typeof value === 'object' && !Array.isArray(value),
      any: true,
      literal: each.kind === 'literal' && each.values.some((one) => one.value === value),
      'one-of': true,
    })[each.kind];
  return kind.values.find(fits) ?? { kind: 'any' };
}

/** @param {any} value @param {Value} of what it is @param {Objects} objects @param {boolean} [inner] among others: then no text looks like two @returns {string} */
export function valueWords(value, of, objects, inner = false) {
  const kind = kindFor(value, of);
  if (kind.kind === 'literal') {
    const found = kind.values.find((each) => each.value === value);
    if (found) return word(found.title);
  }
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return String(value).replace('-', '−');
  if (typeof value === 'string')
    return inner && SEPARATES.test(value) ? `“${t('{text}', { text: value }).replaceAll('”', '””')}”` : t('{text}', { text: value });
  if (value === null || value === undefined) return t('none');
  const text = manyWords(value, kind, objects);
  return inner ? `(${text})` : text;
}

/** @param {any} value an array or an object @param {Value} kind @param {Objects} objects @returns {string} */
function manyWords(value, kind, objects) {
  if (Array.isArray(value)) {
    const items = kind.kind === 'array' ? kind.items : /** @type {Value} */ ({ kind: 'any' });
    return value.length === 0 ? t('none') : value.map((each) => valueWords(each, items, objects, true)).join(comma());
  }
  if (kind.kind === 'mapping') {
    const entries = Object.entries(value);
    return entries.length === 0
      ? t('none')
      : entries
          .map(([name, each]) => `${valueWords(name, { kind: 'any' }, objects, true)}: ${valueWords(each, kind.values, objects, true)}`)
          .join(comma());
  }
  const object = kind.kind === 'object' ? objects[kind.object] : undefined;
  const tagged = object?.tag ? `${word(object.tag.title)} ` : '';
  return (
    tagged +
    partsOf(value, object?.members ?? [], objects, object?.tag?.name ?? null, true)
      .map(({ title, value: text }) => `${title}: ${text}`)
      .join(comma())
  );
}

/**
 * Every member of the signed event, one by one.
 * @param {System | null} system of the game
 * @param {{type: string, body: {[name: string]: any}}} event
 * @returns {EventWords}
 */
export function eventWords(system, { type, body }) {
  const found = kindOf(system, type, body);
  if (!found) return { kind: t('{text}', { text: type }), parts: partsOf(body, [], {}, null) };
  const { kind, objects } = found;
  return { kind: word(kind.title), parts: partsOf(body, kind.members, objects, kind.tag?.name ?? null) };
}

/**
 * Returns the same on one line: two events that differ have different lines.
 * @param {EventWords} words
 * @returns {string}
 */
export const onOneLine = ({ kind, parts }) => [kind, ...parts.map(({ title, value }) => `${title}: ${value}`)].join(' · ');
