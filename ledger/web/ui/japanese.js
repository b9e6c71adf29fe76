/**
 * The Japanese of the first page's words; that of a table is in `japanese-game.js`, that of an event in
 * `japanese-event.js`.
 * @module
 */

import { JAPANESE } from './words-ja.js';

export const WORDS = { ...JAPANESE };
