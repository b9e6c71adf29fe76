/**
 * A person as they look: a letter in their colour, and their name. Tray, log, lobby and table show the same.
 * @module
 */

import { html } from './html.js';
import { calledOf } from './words.js';

/** Colours of people (`--person-…` in style.css). */
const COLOURS = 8;

/** @param {string} name @returns {number} the same in every browser: from 0 */
export const colourOf = (name) => [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) % COLOURS;

/** @param {{name: string, className?: string}} props */
export const Person = ({ name, className = 'who' }) =>
  html`<span class="person"><span class=${`avatar p${colourOf(name)}`} data-letter=${[...calledOf(name)][0]?.toUpperCase() ?? ''} aria-hidden="true"></span><strong class=${className}><bdi>${calledOf(name)}</bdi></strong></span>`;

/** The name of a person's key, if it is not what the person is called. @param {{name: string}} props */
export const KeyName = ({ name }) => calledOf(name) !== name && html` <small class="key-name">${name}</small>`;
