/**
 * The German of what the first page says; that of a table is in `german-game.js`.
 * @module
 */

import { GERMAN } from './words-de.js';

export const WORDS = { ...GERMAN };
