/**
 * The Japanese of the words that a table uses beyond the first page: the page's, the verifier's, and the scenes'.
 * @module
 */

import { JAPANESE as VERIFIER } from '../../../verifier/web/words-ja.js';
import { JAPANESE as SCENES } from './scenes/words-ja.js';
import { JAPANESE as TABLE } from './words-ja-game.js';

export const WORDS = { ...VERIFIER, ...TABLE, ...SCENES };
