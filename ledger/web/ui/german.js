/**
 * The German of the first page's words; that of a table is in `german-game.js`, that of an event in `german-event.js`.
 * @module
 */

import { GERMAN } from './words-de.js';

export const WORDS = { ...GERMAN };
