/**
 * The code of the table, which people compare by another way than this server (specs/disputes.md, "The code of a
 * table").
 * @module
 */

import { html, useState } from './html.js';
import { t } from './words.js';

/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** The outcome of a comparison. @param {{found: ReturnType<Table['game']['compareCode']>}} props */
function Verdict({ found }) {
  if (found === null)
    return html`<p class="problem">${t('This is not a code. A code has 30 digits; the number of events and a colon may stand before them.')}</p>`;
  const { size, mine, theirs } = found;
  if (mine === null)
    return html`<p class="problem">${t('This browser does not have {size} {size:event|events} yet. Wait, or tell the others your code.', { size })}</p>`;
  if (mine === theirs)
    return html`<p class="same"><strong>${t('The same: both have the same first {size} {size:event|events} of this game.', { size })}</strong></p>`;
  return html`<div class="loud bad"><p><strong>${t('Not the same.')}</strong> ${t('For {size} {size:event|events} the code here is {code}. Ask for theirs again, for the same number. If every digit is right, they were shown another history: save both logs, and compare them with rollproof compare.', { size, code: mine })}</p></div>`;
}

/** @param {{table: Table, snapshot: InGame}} props */
export function TableCode({ table, snapshot }) {
  const { size, code } = snapshot.game;
  const [text, setText] = useState('');
  const found = text.trim() === '' ? undefined : table.game.compareCode(text);
  return html`<div class="code">
    <h3>${t('Code of the table')}</h3>
    <p class="digits" id="code">${size}: ${code}</p>
    <p class="hint">${t('Read it to the others without using this server: aloud, or in a chat. People with the same code for the same number of events see the same log.')}</p>
    <div class="field"><label for="theirs">${t('Theirs')}</label>
      <input id="theirs" type="text" inputmode="text" autocomplete="off" autocapitalize="off" spellcheck=${false} value=${text} aria-describedby="theirs-found"
        oninput=${(event) => setText(event.currentTarget.value)} /></div>
    <div id="theirs-found" aria-live="polite">${found !== undefined && html`<${Verdict} found=${found} />`}</div>
  </div>`;
}
