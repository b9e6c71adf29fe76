/**
 * The German of the words that a table uses beyond the first page: the page's, the verifier's, and the scenes'.
 * @module
 */

import { GERMAN as VERIFIER } from '../../../verifier/web/words-de.js';
import { GERMAN as SCENES } from './scenes/words-de.js';
import { GERMAN as TABLE } from './words-de-game.js';

export const WORDS = { ...VERIFIER, ...TABLE, ...SCENES };
