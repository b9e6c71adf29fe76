/**
 * The Japanese of what only an event says.
 * @module
 */

import { JAPANESE } from './words-ja-event.js';

export const WORDS = { ...JAPANESE };
