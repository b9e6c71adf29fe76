/**
 * Messages in words. English is in the code, as a template that stands for the message; the words of another language
 * (`words-de.js`, `words-ja.js`) are added by the program that shows them.
 * @module
 */

import { UNSEEN } from './unseen.js';

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./findings.js').Value} Value */
/** @typedef {'en' | 'de' | 'ja'} Language */

/** By language, the words of each template. @type {{[language: string]: {[text: string]: string}}} */
const WORDS = { de: {}, ja: {} };

/** Each language's own name. @type {{[language: string]: string}} */
export const LANGUAGES = { en: 'English', de: 'Deutsch', ja: '日本語' };

/** @param {readonly string[]} wanted languages as a browser names them, best first @returns {Language} the first that there is */
export const languageOf = (wanted) =>
  /** @type {Language} */ (wanted.map((each) => each.slice(0, 2)).find((each) => Object.hasOwn(LANGUAGES, each)) ?? 'en');

/** @param {string} text @param {Language} language @returns {string} */
export const translate = (text, language) => {
  const words = WORDS[language];
  return words !== undefined && Object.hasOwn(words, text) ? words[text] : text;
};

/** Marks a template that is translated where it is shown. @template {string} T @param {T} text @returns {T} */
export const mark = (text) => text;

/** Adds words of a language. @param {Language} language @param {{[text: string]: string}} more templates, and their words */
export const addWords = (language, more) => {
  Object.assign(WORDS[language], more);
};

// What breaks lines, reorders what is shown or stands unseen (specs/log.md, "Text"): a file that fails may have it.
const HIDDEN = new RegExp(`[${UNSEEN}\\ud800-\\udfff]`, 'gu');
// Blocks of scripts that are written from right to left.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** @param {string} text of a file @returns {string} as it may stand among other words: nothing in it is unseen, or turns what is around */
export function shown(text) {
  const visible = text.replace(HIDDEN, (character) => {
    const code = /** @type {number} */ (character.codePointAt(0)).toString(16);
    if (code.length > 4) return `\\u{${code}}`;
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
  return RIGHT_TO_LEFT.test(visible) ? `\u2068${visible}\u2069` : visible;
}

/** @param {string[]} names @param {boolean} or @param {Language} language @returns {string} */
function join(names, or, language) {
  if (names.length < 2) return names.join('');
  const last = names[names.length - 1];
  const before = names.slice(0, -1);
  if (language === 'ja') return or ? `${before.join('、')}か${last}` : names.join('、');
  const [and, other] = language === 'de' ? ['und', 'oder'] : ['and', 'or'];
  return `${before.join(', ')} ${or ? other : and} ${last}`;
}

/** @param {Value} value @param {Language} language @returns {string} */
function valueIn(value, language) {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return shown(value);
  if ('names' in value)
    return join(
      value.names.map((name) => (value.or ? translate(name, language) : shown(name))),
      value.or === true,
      language,
    );
  if ('rolls' in value) return countedIn(value.rolls, COUNTED.rolls, language);
  if ('events' in value) return countedIn(value.events, COUNTED.events, language);
  if ('list' in value) return value.list.map((each) => render(each, language)).join(language === 'ja' ? '；' : '; ');
  return render(value, language);
}

/** One and several, by language. @type {{[what: string]: {[language: string]: [string, string]}}} */
const COUNTED = {
  rolls: { en: ['{count} roll', '{count} rolls'], de: ['{count} Wurf', '{count} Würfe'], ja: ['ロール{count}回', 'ロール{count}回'] },
  events: { en: ['{count} event', '{count} events'], de: ['{count} Ereignis', '{count} Ereignisse'], ja: ['イベント{count}件', 'イベント{count}件'] },
};

/** @param {number} count @param {{[language: string]: [string, string]}} words @param {Language} language */
const countedIn = (count, words, language) => words[language][count === 1 ? 0 : 1].replace('{count}', String(count));

/**
 * A message in words. `{name}` in a template is a value; `{name:one|several}` is the first form where that value is 1, else the second.
 * @param {Message} message @param {Language} language @returns {string}
 */
export function render(message, language) {
  if ('all' in message) return message.all.map((each) => render(each, language)).join(language === 'ja' ? '' : ' ');
  const { values = {} } = message;
  return translate(message.text, language).replace(/\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/g, (whole, name, one, several) => {
    if (!Object.hasOwn(values, name)) return whole;
    return several === undefined ? valueIn(values[name], language) : Number(values[name]) === 1 ? one : several;
  });
}
