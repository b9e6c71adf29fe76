/**
 * Where the program begins, in the page and in the worker, which is given the same text.
 * @module
 */

import { startWorker } from '../worker.js';
import { startPage } from './page.js';

if (typeof document === 'undefined') startWorker();
else startPage(/** @type {HTMLElement} */ (document.currentScript).textContent ?? '');
