/**
 * The table: the people here, and what the system keeps.
 * @module
 */

import { Struck } from './dice.js';
import { html } from './html.js';
import { Links } from './lobby.js';
import { Fold, Handed, roleWords, Section } from './parts.js';
import { KeyName, Person } from './person.js';
import { sceneOf } from './scenes/index.js';
import { laterWords } from './terms.js';
import { listed, t } from './words.js';

/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').Me} Me */
/** @typedef {import('../core/snapshot.js').ShownParty} ShownParty */
/** @typedef {import('./systems.js').System} System */
/** @typedef {import('../core/index.js').ScreenHere} Here */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** @param {ShownParty} party @param {boolean} mine it is this browser's @param {string | undefined} judge the key of the server's @returns {{word: string, look: string}} */
function presence(party, mine, judge) {
  if (party.left) return { word: t('has left'), look: 'gone' };
  const here = party.here || mine;
  // Nobody asks a judge for anything, and the game goes on without one: another table is no lost connection.
  if (party.role === 'judge' && party.key !== judge && !(party.joined && here)) return { word: t('not at the table'), look: 'off' };
  if (!party.joined) return { word: t('has not agreed yet'), look: 'new' };
  if (party.away) return { word: t('away'), look: 'away' };
  if (party.key === judge) return { word: t('the server’s'), look: 'here' };
  if (party.role === 'keeper') return { word: t('keeps the log'), look: 'here' };
  return here ? { word: t('here'), look: 'here' } : { word: t('not connected'), look: 'off' };
}

/** @param {{parties: ShownParty[], me: Me | null, judge?: string}} props `judge`: the key of the server's, which needs no connection */
export const People = ({ parties, me, judge = undefined }) =>
  html`<ul class="people">${parties.map((party) => {
    const mine = party.name === me?.name && me.seated;
    const { word, look } = presence(party, mine, judge);
    return html`<li key=${party.name} class=${look}><span class="dot" aria-hidden="true"></span>
    <${Person} name=${party.name} className="" /><${KeyName} name=${party.name} />${mine && html` <span class="you">${t('(you)')}</span>`}
    <span class="role">${roleWords(party.role)}</span> <span class="presence">${word}</span></li>`;
  })}</ul>`;

/**
 * A table of the system's, as the server gives it.
 * @param {{title: string, columns: string[], rows: (string | number | null)[][]}} props
 */
export const Plain = ({ title, columns, rows }) => html`<div class="plain-table"><h3>${title}</h3>
  <div class="wide" tabindex="0" role="group" aria-label=${title}><table>
    <thead><tr>${columns.map((/** @type {string} */ each) => html`<th scope="col">${each}</th>`)}</tr></thead>
    <tbody>${rows.map(
      (/** @type {any[]} */ row) =>
        html`<tr>${row.map(
          (cell) => html`
      <td>${cell === null ? '–' : typeof cell === 'string' ? html`<${Struck} text=${cell} />` : cell}</td>`,
        )}</tr>`,
    )}</tbody></table></div></div>`;

/**
 * Links for newcomers: the host has them all, and players have the players’ link.
 * @param {{here: Here, table: Table, snapshot: InGame}} props
 */
function Invite({ here, table, snapshot }) {
  const { me, stage, table: terms } = snapshot;
  if (terms.mine) {
    return html`<${Fold} title=${t('Invite')} className="plain"><${Links} here=${here} table=${table} id=${terms.id} />
      ${stage === 'playing' && html`<p class="hint">${laterWords(terms)}</p>`}<//>`;
  }
  if (stage !== 'playing' || !me?.seated || me.role !== 'player' || terms.ended || !terms.admits.includes('player')) return null;
  return html`<${Fold} title=${t('Invite')} className="plain"><${Handed} text=${location.href} label=${t('Link for players')} />
    <p class="hint">${t('Anybody who opens it asks {host} to be let in.', { host: terms.host })}</p><//>`;
}

/** @param {{here: Here, table: Table, snapshot: InGame, system: System | null}} props */
export function TheTable({ here, table, snapshot, system }) {
  const scene = sceneOf(snapshot.table?.system);
  const tables = (snapshot.advice?.state?.tables ?? []).filter((/** @type {any} */ each) => each.rows.length > 0);
  return html`<${Section} id="table" title=${t('The table')} className="table">
    <${People} parties=${snapshot.game.parties} me=${snapshot.me} judge=${snapshot.table.serversJudge?.key} />
    <${Invite} here=${here} table=${table} snapshot=${snapshot} />
    ${snapshot.game.renewed.map(
      ({ seq, name, by }) =>
        html`<p class="hint" key=${seq}>${by.length === 0 ? t('{name} goes on under a new key, by the recovery key.', { name }) : t('{name} goes on under a new key, by the word of {names}: it may be somebody else.', { name, names: listed(by) })}</p>`,
    )}
    ${
      scene.table
        ? html`<${scene.table} table=${table} snapshot=${snapshot} system=${system} tables=${tables} Plain=${Plain} />`
        : tables.map((/** @type {any} */ each) => html`<${Plain} key=${each.title} ...${each} />`)
    }
  <//>`;
}
