/**
 * Verifies a bundle at the desk: fetched when it is wanted, and served as one file with the verifier (`ledger/page/assets.py`).
 * @module
 */

import { verifyBundle } from '../../../verifier/web/event/bundle.js';

/** @typedef {import('./words.js').Message} Message */
/** @typedef {{held: number, all: number, wrong: Message[]}} Checked `wrong`: what does not hold, and why; of the event too */

/**
 * Verifies an event with its games; the screen stays at hand meanwhile.
 * @param {Uint8Array} bytes of the bundle @returns {Promise<Checked>}
 */
export async function checkBundle(bytes) {
  const pause = () => new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve));
  const { event, findings } = await verifyBundle(bytes, { progress: pause });
  const wrong = findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  const games = event?.games ?? [];
  return { held: games.filter((/** @type {{verdict: string}} */ { verdict }) => verdict === 'holds').length, all: games.length, wrong };
}
