/**
 * The German of what only a table says: the verifier's, and what the scenes say.
 * @module
 */

import { GERMAN as VERIFIER } from '../../../verifier/web/words-de.js';
import { GERMAN as SCENES } from './scenes/words-de.js';

export const WORDS = { ...VERIFIER, ...SCENES };
