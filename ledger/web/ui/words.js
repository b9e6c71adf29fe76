/**
 * Words of the page, in English and other languages. English is in the code, as the template that stands for the
 * message. Other languages are in files, by the page that fetches them: `words-LANGUAGE.js` for the first page,
 * `words-LANGUAGE-game.js` for a table, `words-LANGUAGE-event.js` for an event, `scenes/words-LANGUAGE.js` for the
 * scenes. The verifier's words are in files of its own. `german.js` and `japanese.js`, with `-game` and `-event`, put
 * together what is fetched.
 * @module
 */

import { addWords, languageOf, LANGUAGES, render, translate } from '../../../verifier/web/words.js';
import { fetchModule } from './fetched.js';

export { mark } from '../../../verifier/web/words.js';

/** @typedef {import('../../../verifier/web/words.js').Language} Language */
/** @typedef {import('../../../verifier/web/findings.js').Message} Message */
/** @typedef {import('../../../verifier/web/findings.js').Value} Value */

const KEPT = 'rollproof language';

/** @type {Set<string>} files of words that are here */
const here = new Set();

/**
 * Fetches words of a language, once.
 * @param {Language} language @param {string} part of them @returns {Promise<void>}
 */
async function fetchPart(language, part) {
  const wanted = `${language}${part}`;
  if (here.has(wanted)) return;
  const { WORDS } = await fetchModule(`words-${wanted}.js`, `words-${wanted}`);
  addWords(language, WORDS);
  here.add(wanted);
}

/** The files of words that this page needs: the first page fewer than a table, and a table fewer than an event. */
const path = globalThis.location?.pathname ?? '/'; // there is none in Node
const parts = new Set(path.startsWith('/e/') ? ['', '-game', '-event'] : path.startsWith('/t/') ? ['', '-game'] : ['']);

/** @param {Language} language @returns {Promise<void>} */
async function fetchWords(language) {
  if (language !== 'en') await Promise.all([...parts].map((part) => fetchPart(language, part)));
}

/**
 * Fetches the words of a table too, for the first page: it needs them for the tables that it knows, and for refusals of
 * what it tried.
 */
export async function needTableWords() {
  parts.add('-game');
  try {
    await fetchWords(current);
  } catch {
    /* then in English */
  }
}

/** @returns {Language} what the reader chose here before, else what the browser prefers */
function preferred() {
  try {
    const kept = localStorage.getItem(KEPT);
    if (kept !== null && Object.hasOwn(LANGUAGES, kept)) return languageOf([kept]);
  } catch {
    /* a browser that keeps nothing */
  }
  return languageOf(navigator.languages);
}

/** @type {Language} */
let current = 'en';

/** @returns {Language} */
export const language = () => current;

/** @param {Language} chosen @param {boolean} [keep] @param {boolean} [given] its words are here already */
export async function setLanguage(chosen, keep = true, given = false) {
  try {
    if (!given) await fetchWords(chosen);
  } catch {
    return;
  } // the page goes on in the language that is here
  current = chosen;
  document.documentElement.lang = chosen;
  if (!keep) return;
  try {
    localStorage.setItem(KEPT, chosen);
  } catch {
    /* then until the page is left */
  }
}

/** The language that this reader has from the start. */
export const startLanguage = () => setLanguage(preferred(), false);

/** The names by which people are called, by the names of their keys. @type {ReadonlyMap<string, string>} */
let called = new Map();
/** Values of templates that are names of people. */
const OF_PEOPLE = new Set([
  'name',
  'names',
  'author',
  'party',
  'judge',
  'keeper',
  'host',
  'holder',
  'closer',
  'gm',
  'missing',
  'owner',
  'other',
  'others',
  'player',
  'roller',
  'waiting',
  'who',
]);

/**
 * Shows people by the names by which they are called, from here on.
 * @param {{name: string, called: string | null}[]} people
 */
export function callPeople(people) {
  called = new Map(people.flatMap(({ name, called: text }) => (text === null ? [] : [[name, text]])));
}

/** @param {string} name of a key @returns {string} what its party is called */
export const calledOf = (name) => called.get(name) ?? name;

/**
 * A text of the rules with people by what they are called in it.
 * @param {string} text @param {unknown[]} names of keys that it can have, among other values @returns {string}
 */
export const calledIn = (text, names) =>
  names.reduce((/** @type {string} */ found, name) => {
    if (typeof name !== 'string' || calledOf(name) === name) return found;
    return found.replace(new RegExp(`(?<![\\w.-])${name.replaceAll('.', '\\.')}(?![\\w-])`, 'gu'), () => calledOf(name));
  }, text);

/** @param {string} name of a key @returns {string} what its party is called, and the name: where somebody decides who somebody is */
export const fullName = (name) => (calledOf(name) === name ? name : `${calledOf(name)} (${name})`);

/** @param {{[name: string]: Value}} values @returns {{[name: string]: Value}} with people by what they are called */
const withCalled = (values) =>
  called.size === 0
    ? values
    : Object.fromEntries(
        Object.entries(values).map(([key, value]) => {
          if (!OF_PEOPLE.has(key)) return [key, value];
          if (typeof value === 'string') return [key, calledOf(value)];
          return [key, typeof value === 'object' && 'names' in value && !value.or ? { ...value, names: value.names.map(calledOf) } : value];
        }),
      );

/** @param {string} text an English template @param {{[name: string]: Value}} [values] @returns {string} */
export const t = (text, values = {}) => render({ text, values: withCalled(values) }, current);

/** A text of the catalogue of systems. @param {string} text in English @returns {string} */
export const word = (text) => translate(text, current);

/** @param {Message | string | null | undefined} message @returns {string} a text of the server's stays as it is */
export const say = (message) => (!message ? '' : typeof message === 'string' ? message : render(message, current));

/** A message about what somebody has still to do, or cannot do, in the reader's language. */
export class Told extends Error {
  /** @param {string | Message} text an English template, or the message itself @param {{[name: string]: Value}} [values] */
  constructor(text, values = {}) {
    super(typeof text === 'string' ? text : undefined);
    /** @type {Message} */
    this.words = typeof text === 'string' ? { text, values } : text;
  }
}

/**
 * The format of times, made once: making it anew for each time would take longer than all else of an entry.
 * @type {Map<string, Intl.DateTimeFormat>}
 */
const formats = new Map();

/** @param {boolean} today @returns {Intl.DateTimeFormat} */
function timeFormat(today) {
  const key = `${current} ${today}`;
  const known =
    formats.get(key) ??
    new Intl.DateTimeFormat({ en: 'en-GB', de: 'de-DE', ja: 'ja-JP' }[current], {
      ...(today ? {} : { day: 'numeric', month: 'short' }),
      hour: '2-digit',
      minute: '2-digit',
    });
  formats.set(key, known);
  return known;
}

/** @param {string} time of an event @returns {string} on this reader's clock */
export function clock(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return timeFormat(new Date().toDateString() === date.toDateString()).format(date);
}

/** @param {string[]} names @returns {Value} `alice, bob and carol` */
export const listed = (names) => ({ names });

/** @param {number} milliseconds @returns {string} */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return t('{count} s', { count: seconds });
  if (seconds < 3600) return t('{minutes} min {seconds} s', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
  return t('{hours} h {minutes} min', { hours: Math.floor(seconds / 3600), minutes: Math.floor(seconds / 60) % 60 });
}
