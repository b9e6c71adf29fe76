/**
 * The Japanese of the words that only an event uses: the page's, and the verifier's.
 * @module
 */

import { JAPANESE as VERIFIER } from '../../../verifier/web/words-ja-event.js';
import { JAPANESE } from './words-ja-event.js';

export const WORDS = { ...VERIFIER, ...JAPANESE };
