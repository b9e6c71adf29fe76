/**
 * The German of what the first page says; that of a table is in `german-game.js`, that of an event in `german-event.js`.
 * @module
 */

import { GERMAN } from './words-de.js';

export const WORDS = { ...GERMAN };
