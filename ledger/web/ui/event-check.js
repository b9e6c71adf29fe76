/**
 * Verifies a bundle at the desk. This module is fetched when it is wanted, and is served as one file with the verifier
 * (`ledger/page/assets.py`).
 * @module
 */

import { verifyBundle } from '../../../verifier/web/event/bundle.js';

/** @typedef {import('./words.js').Message} Message */
/** @typedef {{held: number, all: number, cancelled: number, wrong: Message[]}} Checked `cancelled`: of all, those whose table began anew or went away; `wrong`: what does not hold, and why; of the event too */

/**
 * Verifies an event with its games; the screen can be used meanwhile.
 * @param {Uint8Array} bytes of the bundle @returns {Promise<Checked>}
 */
export async function checkBundle(bytes) {
  const pause = () => new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve));
  const { event, findings } = await verifyBundle(bytes, { progress: pause });
  const wrong = findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  /** @type {{verdict: string, cancelled: boolean}[]} */
  const games = event?.games ?? [];
  const held = games.filter(({ verdict }) => verdict === 'holds').length;
  return { held, all: games.length, cancelled: games.filter(({ cancelled }) => cancelled).length, wrong };
}
