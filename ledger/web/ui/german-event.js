/**
 * The German of what only an event says.
 * @module
 */

import { GERMAN } from './words-de-event.js';

export const WORDS = { ...GERMAN };
