/**
 * Messages in words, in English and Japanese. English is in the code, as a template that stands for the message; the
 * Japanese of each is in `words-ja.js`.
 * @module
 */

import { JAPANESE } from './words-ja.js';

/** @typedef {import('./findings.js').Message} Message */
/** @typedef {import('./findings.js').Value} Value */
/** @typedef {'en' | 'ja'} Language */

/** @param {string} text @param {Language} language @returns {string} */
export const translate = (text, language) => (language === 'ja' ? JAPANESE[text] ?? text : text);

/** @param {string[]} names @param {boolean} or @param {Language} language @returns {string} */
function join(names, or, language) {
  if (names.length < 2) return names.join('');
  const last = names[names.length - 1];
  const before = names.slice(0, -1);
  if (language === 'ja') return or ? `${before.join('、')}か${last}` : names.join('、');
  return `${before.join(', ')} ${or ? 'or' : 'and'} ${last}`;
}

/** @param {Value} value @param {Language} language @returns {string} */
function valueIn(value, language) {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value;
  if ('names' in value) return join(value.names.map((name) => translate(name, language)), value.or === true, language);
  if ('rolls' in value) return countedIn(value.rolls, 'roll', 'rolls', 'ロール{count}回', language);
  if ('events' in value) return countedIn(value.events, 'event', 'events', 'イベント{count}個', language);
  if ('list' in value) return value.list.map((each) => render(each, language)).join(language === 'ja' ? '；' : '; ');
  return render(value, language);
}

/** @param {number} count @param {string} one @param {string} many @param {string} japanese @param {Language} language */
const countedIn = (count, one, many, japanese, language) =>
  (language === 'ja' ? japanese.replace('{count}', String(count)) : `${count} ${count === 1 ? one : many}`);

/**
 * @param {Message} message @param {Language} language @returns {string}
 */
export function render(message, language) {
  if ('all' in message) return message.all.map((each) => render(each, language)).join(language === 'ja' ? '' : ' ');
  const { values = {} } = message;
  return translate(message.text, language).replace(/\{(\w+)\}/g, (whole, name) =>
    (Object.hasOwn(values, name) ? valueIn(values[name], language) : whole));
}
