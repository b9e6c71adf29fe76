/**
 * What stands above every screen.
 * @module
 */

import { languageOf, LANGUAGES } from '../../../verifier/web/words.js';
import { Glossary } from './glossary.js';
import { html } from './html.js';
import { Line } from './alerts.js';
import { language } from './words.js';

/** @typedef {import('../core/snapshot.js').Snapshot} Snapshot */

/** What stands above every screen. @param {{title: string, snapshot: Snapshot | null, words?: [string, string][], onLanguage: (language: import('./words.js').Language) => void}} props */
export function Top({ title, snapshot, words = [], onLanguage }) {
  return html`<header class="top"><a class="brand" href="/">Rollproof</a>
    ${title && html`<h1 class=${title === 'Rollproof' ? 'unseen' : 'title'}>${title}</h1>`}
    ${snapshot && html`<${Line} snapshot=${snapshot} />`}
    <${Glossary} more=${words} /><select class="language" aria-label="Language, Sprache, 言語" onchange=${(event) => onLanguage(languageOf([event.currentTarget.value]))}>
      ${Object.entries(LANGUAGES).map(([each, name]) => html`<option value=${each} lang=${each} selected=${each === language()}>${name}</option>`)}</select></header>`;
}
