/**
 * Where the program begins, in the page and in the worker, which is given the same text.
 * @module
 */

import { GERMAN } from '../words-de.js';
import { JAPANESE } from '../words-ja.js';
import { addWords } from '../words.js';
import { startWorker } from '../worker.js';
import { startPage } from './page.js';

addWords('de', GERMAN);
addWords('ja', JAPANESE);
if (typeof document === 'undefined') startWorker();
else startPage(/** @type {HTMLElement} */ (document.currentScript).textContent ?? '');
