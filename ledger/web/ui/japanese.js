/**
 * The Japanese of all that the page says.
 * @module
 */

import { JAPANESE as VERIFIER } from '../../../verifier/web/words-ja.js';
import { JAPANESE as SCENES } from './scenes/words-ja.js';
import { JAPANESE } from './words-ja.js';

export const WORDS = { ...VERIFIER, ...JAPANESE, ...SCENES };
