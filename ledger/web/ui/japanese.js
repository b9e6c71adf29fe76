/**
 * The Japanese of what the first page says; that of a table is in `japanese-game.js`, that of an event in `japanese-event.js`.
 * @module
 */

import { JAPANESE } from './words-ja.js';

export const WORDS = { ...JAPANESE };
