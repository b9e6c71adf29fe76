/**
 * Says whether all games of the event hold, which this browser verifies by itself (specs/page.md, "An event").
 * @module
 */

import { bundle } from '../core/event-desk.js';
import { fetchModule } from './fetched.js';
import { html } from './html.js';
import { say, t } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('./event-check.js').Checked | 'now'} Verified `now`: it is being verified */

/** The number of flaws that are shown; all are in the report of the verifier. */
const MOST = 20;
/** Milliseconds that the page waits for the seals of a round, and milliseconds between two looks. */
const PATIENCE = 60_000;
const LOOK = 200;

/** @param {Uint8Array} bytes of a bundle @returns {Promise<import('./event-check.js').Checked>} */
export async function verified(bytes) {
  const { checkBundle } = await fetchModule('event-check.js', 'event-check');
  return checkBundle(bytes);
}

/** Verifies all games, once those of the latest round that have a result are sealed. @param {EventHere} event */
export async function verifyRounds(event) {
  const end = event.here.now() + PATIENCE;
  const { round } = event.log;
  const open = () =>
    [...(round?.tables.values() ?? [])].some(({ number, line, result }) => {
      const opened = line === null ? undefined : event.log.openings.get(line)?.tables.get(number);
      return result !== null && opened !== undefined && opened.size === 0;
    });
  while (open() && event.here.now() < end) await event.connection.sleep(LOOK);
  return verified(await bundle(event));
}

/** @param {{verified: Verified | null}} props null: nobody has asked */
export function VerifiedGames({ verified: found }) {
  if (found === null) return null;
  if (found === 'now') return html`<p class="quietly" role="status">${t('The games are being verified…')}</p>`;
  if (found.wrong.length === 0) {
    const hold = t('Verified here: {count} {count:game holds|games hold}.', { count: found.all });
    const cancelled = t('Cancelled of these: {count}, because the table was corrected or got another phone.', { count: found.cancelled });
    return html`<p role="status">${found.cancelled > 0 ? `${hold} ${cancelled}` : hold}</p>`;
  }
  return html`<div class="loud bad" role="alert"><p>${t('Verified here: {count} of {all} {all:game|games} {count:holds|hold}.', { count: found.held, all: found.all })}</p>
    <ul>${found.wrong.slice(0, MOST).map((message, at) => html`<li key=${at}>${say(message)}</li>`)}</ul>
    <p>${t('Save the bundle, and show it to whoever runs the server.')}</p></div>`;
}
