/**
 * The results of a round, as a list for the tool that pairs.
 * @module
 */

import { resultsText } from '../core/event-lists.js';
import { fileName, save } from './files.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').Round} Round */

/** @param {EventHere} event @param {string} what @param {string} text */
export const saveList = (event, what, text) => save(`${fileName(event.log.terms.title)}-${what}.csv`, new Blob([text], { type: 'text/csv' }));

/** @param {EventHere} event @param {Round} round */
export function saveResults(event, round) {
  saveList(event, `round-${round.number}`, resultsText(round, event.log.terms.results, event.names));
}
