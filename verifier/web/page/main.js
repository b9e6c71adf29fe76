/**
 * Where the program begins, in the page and in the worker, which is given the same text.
 * @module
 */

import { GERMAN } from '../words-de.js';
import { GERMAN as EVENT_GERMAN } from '../words-de-event.js';
import { JAPANESE } from '../words-ja.js';
import { JAPANESE as EVENT_JAPANESE } from '../words-ja-event.js';
import { addWords } from '../words.js';
import { startWorker } from '../worker.js';
import { startPage } from './page.js';

addWords('de', GERMAN);
addWords('ja', JAPANESE);
addWords('de', EVENT_GERMAN);
addWords('ja', EVENT_JAPANESE);
if (typeof document === 'undefined') startWorker();
else startPage(/** @type {HTMLElement} */ (document.currentScript).textContent ?? '');
