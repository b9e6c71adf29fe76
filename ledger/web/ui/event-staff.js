/**
 * The judges' queue and the organizer's desk.
 * @module
 */

import {
  Clock,
  Contradicting,
  contradicting,
  countdown,
  leftOf,
  LongWaits,
  missingAt,
  moreWords,
  namesOf,
  penaltyWords,
  phonesToLetIn,
  Seated,
  sideWords,
  Slip,
  useTicking,
} from './event-parts.js';
import { Appointed } from './event-appoint.js';
import { Desk } from './event-desk.js';
import { AnotherPhone, Penalize, Penalties, People } from './event-people.js';
import { saveResults } from './event-results.js';
import { html, useState } from './html.js';
import { Button, Fold, Section } from './parts.js';
import { duration, listed, t, Told } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').Call} Call */
/** @typedef {import('../../../verifier/web/event/log.js').EventTableNow} EventTableNow */
/** @typedef {import('../../../verifier/web/event/log.js').Round} Round */

/** @param {EventHere} event @returns {[number, Call][]} calls that nobody has answered, the longest wait first; none for who has no office */
export const callsThatWait = (event) =>
  event.role === null || event.role === 'player' || event.log.closed
    ? []
    : [...event.log.calls].filter(([, { kind, done }]) => kind !== 'answer' && !done);

/**
 * The calls that wait, in view wherever staff has scrolled, and at a table.
 * @param {{event: EventHere, onQueue: () => void}} props
 */
export function Calling({ event, onQueue }) {
  const tables = [...new Set(callsThatWait(event).map(([, { table }]) => table))];
  return html`<div class="calling" role="status">${
    tables.length > 0 &&
    html`<button type="button" class="main" onclick=${onQueue}>${t('A judge is called: {names}', { names: listed(tables.map((table) => t('Table {table}', { table }))) })}</button>`
  }</div>`;
}

/** What an appeal is about: the call, and how it was answered. @param {{event: EventHere, call: Call}} props */
function Appealed({ event, call }) {
  const answer = event.log.calls.get(call.of ?? -1);
  const first = event.log.calls.get(answer?.of ?? -1);
  if (answer === undefined || first === undefined) return null;
  const caller = event.log.playerNamed(first.by)?.number;
  return html`<ul class="appealed"><li>${caller === undefined ? '' : t('{name} called:', { name: event.nameOf(caller) })} ${first.text ? html`<q>${first.text}</q>` : t('without a word')}</li>
    <li>${t('{judge} answered:', { judge: answer.by })} <q>${answer.text}</q></li></ul>`;
}

/** The new phones that a judge has to let into their games. @param {{event: EventHere, onTable: (table: number) => void}} props */
function Phones({ event, onTable }) {
  const waiting = phonesToLetIn(event);
  if (waiting.length === 0) return null;
  return html`<ul class="phones">${waiting.map(
    ({ table, players }) =>
      html`<li key=${table} class="card"><p>${t('Table {table}: a new phone of {names} waits for a judge, who lets it into the game.', { table, names: namesOf(event, players) })}</p>
      ${event.role !== 'organizer' && html`<p class="row"><button type="button" class="main" onclick=${() => onTable(table)}>${t('To the table')}</button></p>`}</li>`,
  )}</ul>`;
}

/** One call, with what the judge should know. @param {{event: EventHere, line: number, call: Call, onTable: (table: number) => void}} props */
function InQueue({ event, line, call, onTable }) {
  const [text, setText] = useState('');
  const table = event.log.rounds[call.round - 1].tables.get(call.table);
  const numbers = table?.sides.flat() ?? [];
  const before = [...event.log.penalties.values()].filter(({ number }) => numbers.includes(number));
  const now = event.here.now() + event.ahead;
  const appeal = call.kind === 'appeal';
  const mine = appeal && event.log.calls.get(call.of ?? -1)?.by === event.seat.name;
  const may = !appeal || (event.role !== 'judge' && !mine);
  const answer = async () => {
    await event.act('answer', { call: line, text: text.trim() || t('done') });
    setText('');
  };
  return html`<li class="card call"><h3>${t('Table {table}', { table: call.table })} <span class="quietly">${duration(now - Date.parse(call.time))}</span>${appeal && html` <b>${t('Appeal')}</b>`}</h3>
    <p>${t('{names}', { names: namesOf(event, numbers) })} ${call.text && html`<q>${call.text}</q>`}</p>
    ${appeal && html`<${Appealed} event=${event} call=${call} />`}
    ${table && html`<${Seated} event=${event} table=${table} /><${Contradicting} event=${event} table=${table} />`}
    ${before.length > 0 && html`<p class="quietly">${t('Penalties so far:')} ${before.map(({ number, penalty, text: why }) => t('{name}: {penalty} ({why})', { name: event.nameOf(number), penalty: penaltyWords(penalty), why })).join(' · ')}</p>`}
    ${
      may
        ? html`<div class="field"><label for=${`answer-${line}`}>${t('What came of it')}</label><input id=${`answer-${line}`} type="text" maxlength="400" value=${text} oninput=${(/** @type {any} */ e) => setText(e.currentTarget.value)} /></div>`
        : html`<p class="hint">${mine && event.role !== 'judge' ? t('You gave the answer: another head judge or organizer answers the appeal.') : t('A head judge or an organizer answers the appeal.')}</p>`
    }
    <p class="row">${may && html`<${Button} kind="main" onTap=${answer}>${t('Answered')}<//>`}
      <${Button} onTap=${() => event.act('extend', { minutes: 5, reason: t('a judge call'), round: call.round, table: call.table })}>${t('5 minutes more')}<//>
      ${table !== undefined && table.extended > 0 && html`<span role="status">${t('This table has {count} {count:minute|minutes} more now.', { count: table.extended })}</span>`}
      ${table?.line != null && html`<button type="button" onclick=${() => onTable(call.table)}>${t('To the table')}</button>`}</p></li>`;
}

/** A result that a judge writes, with a reason. @param {{event: EventHere, table: EventTableNow, round: number}} props */
function Written({ event, table, round }) {
  const [reason, setReason] = useState('');
  const [done, setDone] = useState(0);
  const senior = event.role !== 'judge';
  const told =
    done > 0 &&
    table.result !== null &&
    html`<p role="status">${t('Done: the result is {result} now.', { result: { text: table.result.map(sideWords).join(' : ') } })}</p>`;
  if (table.result !== null && !senior) return told || null;
  const sign = async (/** @type {any[]} */ sides) => {
    if (reason.trim() === '') throw new Told('Say why, in a few words.');
    await event.act(table.result === null ? 'slip' : 'correct-result', { reason: reason.trim(), round, sides, table: table.number });
    setReason('');
    setDone(done + 1);
  };
  return html`${told}<${Fold} key=${`${done} ${table.result === null}`} title=${table.result === null ? t('Write the result') : t('Correct the result')} className="plain">
    <div class="field"><label for=${`reason-${table.number}`}>${t('Why')}</label><input id=${`reason-${table.number}`} type="text" maxlength="400" value=${reason} oninput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} /></div>
    <${Slip} event=${event} table=${table} stands=${table.result} onSign=${sign} /><//>`;
}

/** Dice that are thrown by hand, as a judge writes it down. @param {{event: EventHere, table: EventTableNow, round: number}} props */
function ByHand({ event, table, round }) {
  const [text, setText] = useState('');
  if (table.byHand !== null || table.result !== null) return null;
  const write = async () => {
    if (text.trim() === '') throw new Told('Say why, in a few words.');
    await event.act('by-hand', { round, table: table.number, text: text.trim() });
  };
  return html`<${Fold} title=${t('Dice by hand')} className="plain"><p class="hint">${t('For players who cannot play with a phone. The record says so, and proves nothing of these dice.')}</p>
    <div class="field"><label for=${`hand-${table.number}`}>${t('Why, and who sees the dice')}</label><input id=${`hand-${table.number}`} type="text" maxlength="400" value=${text} oninput=${(/** @type {any} */ e) => setText(e.currentTarget.value)} /></div>
    <p class="row"><${Button} onTap=${write}>${t('Write it down')}<//></p><//>`;
}

/** More time for one table. @param {{event: EventHere, table: EventTableNow, round: number}} props */
function MoreTime({ event, table, round }) {
  const [minutes, setMinutes] = useState('5');
  const [reason, setReason] = useState('');
  if (table.result !== null) return null;
  const give = async () => {
    if (!/^[1-9][0-9]{0,2}$/.test(minutes.trim()) || Number(minutes) > 600) throw new Told('Type minutes from 1 to 600.');
    if (reason.trim() === '') throw new Told('Say why, in a few words.');
    await event.act('extend', { minutes: Number(minutes), reason: reason.trim(), round, table: table.number });
    setReason('');
  };
  return html`<${Fold} title=${t('More time')} className="plain">
    <div class="field"><label for=${`more-${table.number}`}>${t('Minutes')}</label><input id=${`more-${table.number}`} type="text" inputmode="numeric" value=${minutes} oninput=${(/** @type {any} */ e) => setMinutes(e.currentTarget.value)} /></div>
    <div class="field"><label for=${`more-why-${table.number}`}>${t('Why')}</label><input id=${`more-why-${table.number}`} type="text" maxlength="400" value=${reason} oninput=${(/** @type {any} */ e) => setReason(e.currentTarget.value)} /></div>
    <p class="row"><${Button} onTap=${give}>${t('Give more time')}<//></p>
    ${table.extended > 0 && html`<p role="status">${t('This table has {count} {count:minute|minutes} more now.', { count: table.extended })}</p>`}<//>`;
}

/**
 * Returns the state of a table of a round.
 * @param {EventHere} event
 * @param {Round} round
 * @param {EventTableNow} table
 * @returns {string}
 */
function standing(event, round, table) {
  if (table.result !== null) return table.result.map(sideWords).join(' : ');
  if (table.claim !== null) return contradicting(table).length > 0 ? '' : t('waits for a signature');
  if (table.left !== null) return t('left: {why}', { why: table.left });
  return round.state === 'running' ? countdown(leftOf(event, round, table.extended)) : '';
}

/** @param {EventTableNow} table @returns {string} its extra time, where it still plays */
const extra = ({ extended, result }) => (extended > 0 && result === null ? ` · ${moreWords(extended)}` : '');

/**
 * The tables of a round, and the actions of staff at them.
 * @param {{event: EventHere, round: Round, onTable: (table: number) => void}} props
 */
function Rows({ event, round, onTable }) {
  const { closed } = event.log;
  const latest = round === event.log.round;
  return html`<ul class="tables">${[...round.tables.values()]
    .sort((a, b) => a.number - b.number)
    .map(
      (table) => html`
    <li key=${table.number}><p><b>${table.number}</b> ${t('{first} : {second}', { first: namesOf(event, table.sides[0]), second: namesOf(event, table.sides.slice(1).flat()) })}
      <span class="quietly">${standing(event, round, table)}${extra(table)}${table.byHand !== null ? ` · ${t('dice by hand: {why}', { why: table.byHand })}` : ''}</span> ${latest && html`<${Seated} event=${event} table=${table} />`}${callsThatWait(event).some(([, call]) => call.round === round.number && call.table === table.number) && html` <b class="calls-here">${t('calls a judge')}</b>`}</p><${Contradicting} event=${event} table=${table} />
      ${round.state !== 'pairing' && !closed && html`<div class="row">${latest && event.role !== 'organizer' && table.line != null && html`<button type="button" onclick=${() => onTable(table.number)}>${t('To the table')}</button>`}<${Written} event=${event} table=${table} round=${round.number} />${round.state === 'running' && html`<${MoreTime} event=${event} table=${table} round=${round.number} /><${ByHand} event=${event} table=${table} round=${round.number} />`}</div>`}</li>`,
    )}</ul>`;
}

/**
 * Returns the number of tables at which all are seated, of those that play.
 * @param {{event: EventHere, round: Round}} props
 */
function SeatedCount({ event, round }) {
  const known = [...round.tables.values()].map((table) => missingAt(event, table)).filter((missing) => missing !== null);
  if (known.length === 0) return null;
  const count = known.filter((missing) => missing.length === 0).length;
  return html`<p class="quietly" role="status">${t('All are seated at {count} of {all} {all:table|tables} that {all:plays|play}.', { count, all: known.length })}</p>`;
}

/** The tables now, and below them those of earlier rounds. @param {{event: EventHere, onTable: (table: number) => void}} props */
function Tables({ event, onTable }) {
  const { round, rounds } = event.log;
  if (round === null) return null;
  const saved = (/** @type {Round} */ each) =>
    event.role === 'organizer' &&
    html`<p class="row"><${Button} label=${t('Save the results of round {round} (CSV)', { round: each.number })} onTap=${() => saveResults(event, each)}>${t('Save the results (CSV)')}<//></p>`;
  return html`<${Section} id="tables" title=${t('Round {round}: tables', { round: round.number })}><${SeatedCount} event=${event} round=${round} /><${Rows} event=${event} round=${round} onTable=${onTable} />${event.log.closed && saved(round)}<//>
    ${rounds
      .slice(0, -1)
      .reverse()
      .map(
        (each) =>
          html`<${Fold} key=${each.number} title=${t('Round {round}: tables', { round: each.number })} className="card"><${Rows} event=${event} round=${each} onTable=${onTable} />${saved(each)}<//>`,
      )}`;
}

/** @param {{event: EventHere, onTable: (table: number) => void}} props */
export function Staff({ event, onTable }) {
  const waiting = callsThatWait(event);
  useTicking(waiting.length > 0);
  if (event.role === null || event.role === 'player') return html`<${Appointed} event=${event} />`;
  const { round, closed } = event.log;
  const tables = html`<${Tables} key="tables" event=${event} onTable=${onTable} />`;
  if (closed) {
    return html`<div class="staff"><div class="column">${event.role === 'organizer' ? html`<${Desk} event=${event} />` : html`<${Section} id="over" title=${t('The event is closed')}><p>${t('Nothing more can be added or corrected.')}</p><//>`}<${Penalties} event=${event} /></div>
      <div class="column">${tables}</div></div>`;
  }
  return html`<div class="staff">
    <div class="column">${event.offered !== null && html`<${AnotherPhone} event=${event} />`}<${Section} id="queue" title=${t('Calls')}>${round !== null && html`<${Clock} event=${event} round=${round} />`}
      ${waiting.length === 0 ? html`<p class="quietly">${t('Nobody calls.')}</p>` : html`<ul class="calls">${waiting.map(([line, call]) => html`<${InQueue} key=${line} event=${event} line=${line} call=${call} onTable=${onTable} />`)}</ul>`}<${Phones} event=${event} onTable=${onTable} /><${LongWaits} event=${event} /><//>
      <${Penalize} event=${event} /><${Penalties} event=${event} /><${People} event=${event} />${event.offered === null && html`<${AnotherPhone} event=${event} />`}</div>
    <div class="column">${event.role === 'organizer' ? html`<${Desk} event=${event}>${tables}<//>` : tables}</div></div>`;
}
