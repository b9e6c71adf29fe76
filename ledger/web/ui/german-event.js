/**
 * The German of what only an event says: the page's, and the verifier's.
 * @module
 */

import { GERMAN as VERIFIER } from '../../../verifier/web/words-de-event.js';
import { GERMAN } from './words-de-event.js';

export const WORDS = { ...VERIFIER, ...GERMAN };
