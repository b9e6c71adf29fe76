/**
 * The German of the words that only an event uses: the page's, and the verifier's.
 * @module
 */

import { GERMAN as VERIFIER } from '../../../verifier/web/words-de-event.js';
import { GERMAN } from './words-de-event.js';

export const WORDS = { ...VERIFIER, ...GERMAN };
