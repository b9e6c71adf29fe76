/**
 * The files that stand in the page behind its program: base64 of bytes with gzip, or of the bytes themselves.
 * @module
 */

/** @returns {boolean} whether this page has the rules with it */
export const hasRules = () => document.documentElement.dataset.rules !== undefined;

/** @returns {Promise<void>} when the whole page is there */
const whole = () => new Promise((resolve) => {
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

/** @param {string[]} names @returns {Promise<{[name: string]: Uint8Array}>} their contents, by name @throws where one is missing */
export async function filesOfPage(names) {
  await whole();
  return Object.fromEntries(await Promise.all(names.map(async (name) => {
    const each = /** @type {HTMLElement | null} */ (document.querySelector(`script[data-file="${name}"]`));
    if (each === null) throw new Error(`${name} is not in this page`);
    const bytes = decoded(each.textContent ?? '');
    return [name, each.dataset.packed === undefined ? bytes : await unpacked(bytes)];
  })));
}
