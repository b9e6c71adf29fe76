/**
 * The Japanese of what only a table says: the verifier's, and what the scenes say.
 * @module
 */

import { JAPANESE as VERIFIER } from '../../../verifier/web/words-ja.js';
import { JAPANESE as SCENES } from './scenes/words-ja.js';

export const WORDS = { ...VERIFIER, ...SCENES };
