/**
 * Checks the server's reading of typed text (specs/page.md, "What it does by itself, and what it asks for"): every text
 * of it was typed, or was in the request. So nobody adds a character to a body that its player did not type.
 * @module
 */

import { Refused, say } from './errors.js';

/** A word that a system's page defines, a number, or dice: there is nothing in it that cannot be seen. */
const PLAIN = /^[A-Za-z0-9_+-]{1,64}$/;

/** @param {unknown} value JSON @returns {string[]} the strings in it, and the names of members */
function stringsIn(value) {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [...(Array.isArray(value) ? [] : [name]), ...stringsIn(each)]);
}

/**
 * @param {{line?: string, typed?: {[name: string]: string | string[]}, given?: unknown, action?: unknown}} request
 * @param {unknown} body that the server gave back for it @throws {Refused}
 */
export function checkTyped({ line = '', typed = {}, given, action }, body) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refused('notation', say('The server gave back no event for what was typed.'));
  }
  const texts = [line, ...Object.values(typed).flat()];
  const asked = new Set([...stringsIn(given), ...stringsIn(action)]);
  const other = stringsIn(body).find(
    (text) => !PLAIN.test(text) && !asked.has(text) && !(text === text.trim() && texts.some((each) => each.includes(text))),
  );
  if (other === undefined) return;
  throw new Refused('notation', say('The server read the typed line as something else: {text}. It is not signed.', { text: other }));
}
