/**
 * What an event says, made from the event itself: its type, and each member of its body by what the member is called
 * (specs/page.md, "What it does by itself, and what it asks for"). Nothing here comes from what a server advises.
 * @module
 */

import { inLanguage, kindOf } from './systems.js';
import { language, mark, t } from './words.js';

/** @typedef {import('./systems.js').System} System */
/** @typedef {import('./systems.js').Member} Member */
/** @typedef {import('./systems.js').Objects} Objects */
/** @typedef {import('./systems.js').Value} Value */
/** @typedef {{title: string, value: string}} Part */
/** @typedef {{verb: string, parts: Part[]}} EventWords */

/** What each type of event is, as the one who signs it would say it. */
const VERBS = {
  join: mark('Agree to the terms'),
  commit: mark('Commit to a new seed chain'),
  roll: mark('Roll'),
  reroll: mark('Roll again'),
  ignore: mark('Ignore dice'),
  store: mark('Store results'),
  modify: mark('Modify'),
  resolve: mark('Put on record'),
  declare: mark('Declare'),
  void: mark('Call the roll off'),
  ruling: mark('Rule'),
  leave: mark('Leave the game'),
  away: mark('Be away'),
  back: mark('Come back'),
  open: mark('Open the game'),
  reveal: mark('Show the dice'),
  disclose: mark('Disclose openings'),
  close: mark('Close the game'),
  admit: mark('Let somebody in'),
  consent: mark('Consent to who came later'),
  object: mark('Show an opening that was called missing'),
};

/** The same where it is about somebody else. */
const ABOUT_OTHERS = {
  leave: mark('Take somebody out of the game'),
  away: mark('Sign somebody away'),
  back: mark('Say that somebody is back'),
};

/** What is only there for the machine, and says nothing to people: openings, links and tips. */
const UNTOLD = new Set(['burned', 'roll_index', 'opening', 'openings', 'length', 'tip', 'link', 'nonce', 'format']);

const comma = () => (language() === 'ja' ? '、' : ', ');
const semicolon = () => (language() === 'ja' ? '；' : '; ');

/** What a member is called, without the example that a form has behind it. */
const EXAMPLE = /(?:, such as |、たとえば).*$/u;

/** @param {Member | undefined} member @param {string} name @returns {string} */
const titleOf = (member, name) => (member?.title ? inLanguage(member.title, language()).replace(EXAMPLE, '') : t('{text}', { text: name }));

/** @param {{[name: string]: unknown}} value @param {Member[]} members @param {Objects} objects @param {string | null} tag @returns {Part[]} */
const partsOf = (value, members, objects, tag) => Object.entries(value)
  .filter(([name]) => name !== tag && !UNTOLD.has(name))
  .sort(([a], [b]) => members.findIndex((each) => each.name === a) - members.findIndex((each) => each.name === b))
  .map(([name, inner]) => {
    const member = members.find((each) => each.name === name);
    return { title: titleOf(member, name), value: told(inner, member?.value ?? { kind: 'any' }, objects) };
  });

/** @param {any} value @param {Value} kind @returns {Value} the one of several kinds that the value is of */
function kindFor(value, kind) {
  if (kind.kind !== 'one-of') return kind;
  const fits = (/** @type {Value} */ each) => ({
    integer: typeof value === 'number', boolean: typeof value === 'boolean', text: typeof value === 'string', array: Array.isArray(value),
    object: typeof value === 'object' && !Array.isArray(value), mapping: typeof value === 'object' && !Array.isArray(value), any: true,
    literal: each.kind === 'literal' && each.values.some((one) => one.value === value), 'one-of': true,
  }[each.kind]);
  return kind.values.find(fits) ?? { kind: 'any' };
}

/** @param {any} value @param {Value} of what it is @param {Objects} objects @returns {string} */
function told(value, of, objects) {
  const kind = kindFor(value, of);
  if (kind.kind === 'literal') {
    const found = kind.values.find((each) => each.value === value);
    if (found) return inLanguage(found.title, language());
  }
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return String(value).replace('-', '−');
  if (typeof value === 'string') return t('{text}', { text: value });
  if (value === null || value === undefined) return t('none');
  if (Array.isArray(value)) {
    const inner = kind.kind === 'array' ? kind.items : /** @type {Value} */ ({ kind: 'any' });
    return value.length === 0 ? t('none')
      : value.map((each) => told(each, inner, objects)).join(value.some((each) => typeof each === 'object') ? semicolon() : comma());
  }
  if (kind.kind === 'mapping') return Object.entries(value).map(([name, each]) => `${t('{text}', { text: name })}: ${told(each, kind.values, objects)}`).join(comma());
  const object = kind.kind === 'object' ? objects[kind.object] : undefined;
  const tagged = object?.tag ? `${inLanguage(object.tag.title, language())} ` : '';
  return tagged + partsOf(value, object?.members ?? [], objects, object?.tag?.name ?? null).map(({ title, value: text }) => `${title}: ${text}`).join(comma());
}

/** @param {string} type of an event @param {string | undefined} author @param {unknown} party whom it is about @returns {string} */
export function verbOf(type, author, party) {
  const others = author !== undefined && party !== author && Object.hasOwn(ABOUT_OTHERS, type);
  const verbs = /** @type {{[type: string]: string}} */ (others ? ABOUT_OTHERS : VERBS);
  return Object.hasOwn(verbs, type) ? t(verbs[type]) : t('{text}', { text: type });
}

/**
 * @param {System | null} system of the game @param {{author?: string, type: string, body: {[name: string]: any}}} event
 * @returns {EventWords}
 */
export function eventWords(system, { author, type, body }) {
  const verb = verbOf(type, author, body.party);
  const found = kindOf(system, type, body);
  if (!found) return { verb, parts: partsOf(body, [], {}, null) };
  const { kind, objects } = found;
  const parts = partsOf(body, kind.members, objects, kind.tag?.name ?? null);
  return { verb: kind.tag ? t('{verb}: {kind}', { verb, kind: inLanguage(kind.title, language()) }) : verb, parts };
}

/** What kind of event it is, as a log has it: “a call for a roll”. @param {System | null} system @param {{type: string, body: {[name: string]: any}}} event @returns {string} */
export const kindWords = (system, { type, body }) => {
  const found = kindOf(system, type, body);
  return found ? inLanguage(found.kind.title, language()) : t('{text}', { text: type });
};

/** The same on one line. @param {EventWords} words @returns {string} */
export const onOneLine = ({ verb, parts }) => [verb, ...parts.map(({ title, value }) => `${title}: ${value}`)].join(' · ');
