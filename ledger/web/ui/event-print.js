/**
 * What an organizer prints: pairings by name and by table, result slips, codes for the tables, and a card with the own
 * code for each player (specs/page.md, "An event"). Paper still works when everything else fails.
 * @module
 */

import { namesOf } from './event-parts.js';
import { html, useEffect, useState } from './html.js';
import { Fold } from './parts.js';
import { Qr } from './qr.js';
import { t } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').EventTableNow} EventTableNow */
/** @typedef {import('../../../verifier/web/event/log.js').Round} Round */
/** @typedef {'names' | 'tables' | 'slips' | 'codes'} Sheet */

/** @typedef {{name: string, number: number, link: string}} Handed what one person gets */

/** Milliseconds that printing waits for the codes, and the additional time for each code. */
const PATIENCE = 5_000;
const PATIENCE_A_CODE = 50;

/** The code on a table: event and number, and no secret. @param {EventHere} event @param {number} table @returns {string} */
const tableLink = (event, table) => `${event.here.address}/e/${event.id}#table.${table}`;

/** @param {Round} round @returns {EventTableNow[]} */
const inOrder = (round) => [...round.tables.values()].sort((a, b) => a.number - b.number);

/** @param {{event: EventHere, round: Round}} props */
function ByName({ event, round }) {
  const rows = inOrder(round).flatMap((table) =>
    table.sides.flatMap((side, at) =>
      side.map((number) => ({
        name: event.nameOf(number),
        table: `${table.number}`,
        against: t('{names}', { names: namesOf(event, table.sides.filter((_, i) => i !== at).flat()) }),
      })),
    ),
  );
  for (const number of round.byes) rows.push({ name: event.nameOf(number), table: '–', against: t('a bye') });
  rows.sort((a, b) => a.name.localeCompare(b.name, document.documentElement.lang, { numeric: true }));
  return html`<table><thead><tr><th>${t('Name')}</th><th>${t('Table')}</th><th>${t('Opponent')}</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.name}><td>${row.name}</td><td class="number">${row.table}</td><td>${row.against}</td></tr>`)}</tbody></table>`;
}

/** @param {{event: EventHere, round: Round}} props */
const ByTable = ({ event, round }) => html`<table><thead><tr><th>${t('Table')}</th><th colspan="2">${t('Who plays')}</th></tr></thead>
  <tbody>${inOrder(round).map((table) => html`<tr key=${table.number}><td class="number">${table.number}</td>${table.sides.map((side, at) => html`<td key=${at}>${t('{names}', { names: namesOf(event, side) })}</td>`)}</tr>`)}
  ${round.byes.length > 0 && html`<tr><td class="number">–</td><td colspan="2">${t('With a bye: {names}', { names: namesOf(event, round.byes) })}</td></tr>`}</tbody></table>`;

/** A slip for a match: who plays, boxes for each result, lines to sign on. @param {{event: EventHere, round: Round}} props */
const Slips = ({ event, round }) =>
  html`<div class="slips">${inOrder(round).map(
    (table) => html`<section class="paper-slip" key=${table.number}>
  <header><h2>${t('Table {table}', { table: table.number })}</h2><p>${event.log.terms.title} · ${t('Round {round}', { round: round.number })}</p><${Qr} text=${tableLink(event, table.number)} label=${t('Table {table}', { table: table.number })} /></header>
  <table><thead><tr><th></th>${event.log.terms.results.map((/** @type {string} */ name) => html`<th key=${name}>${resultName(name)}</th>`)}<th>${t('Signature')}</th></tr></thead>
  <tbody>${table.sides.map((side, at) => html`<tr key=${at}><td>${t('{names}', { names: namesOf(event, side) })}</td>${event.log.terms.results.map((/** @type {string} */ name) => html`<td class="box" key=${name}></td>`)}<td class="sign"></td></tr>`)}</tbody></table></section>`,
  )}</div>`;

/** @param {string} name @returns {string} */
const resultName = (name) => ({ won: t('games won'), drawn: t('games drawn'), points: t('points'), conceded: t('conceded') })[name] ?? name;

/** A card for each table, which stays there all day. @param {{event: EventHere, round: Round}} props */
const Codes = ({ event, round }) =>
  html`<div class="table-codes">${inOrder(round).map(
    (table) => html`<section key=${table.number}>
  <${Qr} text=${tableLink(event, table.number)} label=${t('Table {table}', { table: table.number })} /><p class="number">${table.number}</p><p>${event.log.terms.title}</p></section>`,
  )}</div>`;

/** A card for each player, to cut out: name, number, and the own link as a code. @param {{event: EventHere, players: Handed[], onDone: () => void}} props */
export const PlayerCards = ({ event, players, onDone }) =>
  html`<${Paper} codes=${players.length} onDone=${onDone}><div class="player-cards">${players.map(
    ({ name, number, link }) => html`<section key=${number}>
  <${Qr} text=${link} label=${t('Link of {name}', { name })} /><div><h2>${name}</h2><p>${event.log.terms.title} · ${t('Number {number}', { number })}</p>
  <p>${t('Scan this when you are there. It is for you alone: whoever has it can check in as you.')}</p><p class="link">${link}</p></div></section>`,
  )}</div><//>`;

/**
 * The sheet, which is on paper only and not on the screen. It is printed as soon as its codes are drawn.
 * @param {{codes: number, onDone: () => void, children?: any}} props `codes`: how many there are
 */
function Paper({ codes, onDone, children }) {
  useEffect(() => {
    addEventListener('afterprint', onDone);
    // Codes are drawn when the module that draws them has loaded. Paper without codes is better than none.
    const end = Date.now() + PATIENCE + codes * PATIENCE_A_CODE;
    let timer = setTimeout(function look() {
      if (document.querySelectorAll('.paper .qr').length >= codes || Date.now() > end) print();
      else timer = setTimeout(look, 50);
    }, 0);
    return () => {
      clearTimeout(timer);
      removeEventListener('afterprint', onDone);
    };
  }, []);
  return html`<article class="paper" lang=${document.documentElement.lang}>${children}</article>`;
}

/** @param {{event: EventHere, round: Round, sheet: Sheet, onDone: () => void}} props */
function RoundPaper({ event, round, sheet, onDone }) {
  const title = { names: t('Pairings by name'), tables: t('Pairings by table'), slips: '', codes: '' }[sheet];
  const Content = { names: ByName, tables: ByTable, slips: Slips, codes: Codes }[sheet];
  return html`<${Paper} key=${sheet} codes=${sheet === 'slips' || sheet === 'codes' ? round.tables.size : 0} onDone=${onDone}>${title && html`<h1>${event.log.terms.title} · ${t('Round {round}', { round: round.number })} · ${title}</h1>`}
    <${Content} event=${event} round=${round} /><//>`;
}

/** @param {{event: EventHere}} props */
export function Print({ event }) {
  const [sheet, setSheet] = useState(/** @type {Sheet | null} */ (null));
  const { round } = event.log;
  if (round === null) return null;
  const button = (/** @type {Sheet} */ each, /** @type {string} */ words) =>
    html`<button type="button" onclick=${() => setSheet(each)}>${words}</button>`;
  return html`<${Fold} title=${t('Print')} className="card"><p class="hint">${t('Paper is what is left when everything else fails.')}</p>
    <p class="row">${button('names', t('Pairings by name'))}${button('tables', t('Pairings by table'))}${button('slips', t('Result slips'))}${button('codes', t('Codes for the tables'))}</p><//>
    ${sheet !== null && html`<${RoundPaper} event=${event} round=${round} sheet=${sheet} onDone=${() => setSheet(null)} />`}`;
}
