/**
 * The table: who is here, and what the system keeps.
 * @module
 */

import { Struck } from './dice.js';
import { html } from './html.js';
import { roleWords, Section } from './parts.js';
import { sceneOf } from './scenes/index.js';
import { t } from './words.js';

/** @param {any} party @returns {{word: string, look: string}} */
function presence(party) {
  if (party.left) return { word: t('has left'), look: 'gone' };
  if (!party.joined) return { word: t('has not agreed yet'), look: 'new' };
  if (party.away) return { word: t('away'), look: 'away' };
  if (party.role === 'keeper') return { word: t('keeps the log'), look: 'here' };
  return party.here ? { word: t('here'), look: 'here' } : { word: t('not connected'), look: 'off' };
}

/** @param {{parties: any[], me: any}} props */
export const People = ({ parties, me }) => html`<ul class="people">${parties.map((party) => {
  const { word, look } = presence(party);
  return html`<li key=${party.name} class=${look}><span class="dot" aria-hidden="true"></span>
    <strong>${party.name}</strong>${party.name === me?.name && html` <span class="you">${t('(you)')}</span>`}
    <span class="role">${roleWords(party.role)}</span> <span class="presence">${word}</span></li>`;
})}</ul>`;

/** A table of the system's, as the server tells it. */
export const Plain = ({ title, columns, rows }) => html`<div class="plain-table"><h3>${title}</h3>
  <div class="wide" tabindex="0" role="group" aria-label=${title}><table>
    <thead><tr>${columns.map((/** @type {string} */ each) => html`<th scope="col">${each}</th>`)}</tr></thead>
    <tbody>${rows.map((/** @type {any[]} */ row) => html`<tr>${row.map((cell) => html`
      <td>${cell === null ? '–' : typeof cell === 'string' ? html`<${Struck} text=${cell} />` : cell}</td>`)}</tr>`)}</tbody></table></div></div>`;

/** @param {{table: any, snapshot: any, system: any}} props */
export function TheTable({ table, snapshot, system }) {
  const scene = sceneOf(snapshot.table?.system);
  const tables = (snapshot.advice?.state?.tables ?? []).filter((/** @type {any} */ each) => each.rows.length > 0);
  return html`<${Section} id="table" title=${t('The table')} className="table">
    <${People} parties=${snapshot.game.parties} me=${snapshot.me} />
    ${scene.table ? html`<${scene.table} table=${table} snapshot=${snapshot} system=${system} tables=${tables} Plain=${Plain} />`
    : tables.map((/** @type {any} */ each) => html`<${Plain} key=${each.title} ...${each} />`)}
  <//>`;
}
