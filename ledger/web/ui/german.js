/**
 * The German of all that the page says.
 * @module
 */

import { GERMAN as VERIFIER } from '../../../verifier/web/words-de.js';
import { GERMAN as SCENES } from './scenes/words-de.js';
import { GERMAN } from './words-de.js';

export const WORDS = { ...VERIFIER, ...GERMAN, ...SCENES };
