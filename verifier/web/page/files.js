/**
 * The files embedded in the page after its program: base64 of bytes with gzip, or of the bytes themselves.
 * @module
 */

import { concat } from '../bytes.js';
import { MAX_ROLL_FILE } from '../constants.js';

/** @returns {boolean} whether this page has the rules with it */
export const hasRules = () => document.documentElement.dataset.rules !== undefined;

/** @returns {boolean} whether this is the page of one roll, whose proof stands in it */
export const isOfRoll = () => document.documentElement.dataset.roll !== undefined;

/** @returns {Promise<void>} when the whole page is there */
const whole = () =>
  new Promise((resolve) => {
    if (document.readyState !== 'loading') resolve();
    else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });

/** @param {string} text @returns {Uint8Array} */
function decoded(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
async function unpacked(bytes) {
  const stream = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {string} name @returns {Promise<Uint8Array>} its contents @throws where it is missing */
export async function fileOfPage(name) {
  await whole();
  const each = /** @type {HTMLElement | null} */ (document.querySelector(`script[data-file="${name}"]`));
  if (each === null) throw new Error(`${name} is not in this page`);
  const bytes = decoded(each.textContent ?? '');
  return each.dataset.packed === undefined ? bytes : unpacked(bytes);
}

/** @param {string[]} names @returns {Map<string, Promise<Uint8Array>>} the contents of each */
export const filesOfPage = (names) => new Map(names.map((name) => [name, fileOfPage(name)]));

/**
 * The proof of a roll that a link has behind `#roll=`: base64url of deflate.
 * @param {string} packed @returns {Promise<Uint8Array>} @throws where it is none, or longer than such a proof can be
 */
export async function rollOfLink(packed) {
  const bytes = decoded(packed.replace(/-/g, '+').replace(/_/g, '/'));
  const reader = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const pieces = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concat(...pieces);
    pieces.push(value);
    size += value.length;
    if (size > MAX_ROLL_FILE) {
      await reader.cancel();
      throw new Error('too long');
    }
  }
}
