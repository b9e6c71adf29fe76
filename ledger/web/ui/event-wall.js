/**
 * The wall: a screen that everybody in the hall sees. It has no links and no secrets.
 * @module
 */

import { Clock, EventCode, LongWaits, namesOf, useTicking } from './event-parts.js';
import { html } from './html.js';
import { duration, t } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */

/** @param {{event: EventHere}} props */
export function Wall({ event }) {
  const { round, calls } = event.log;
  const waiting = [...calls.values()].filter(({ kind, done }) => kind !== 'answer' && !done);
  useTicking(waiting.length > 0);
  const players = [...event.log.players.values()];
  if (round === null || round.state === 'ended') {
    return html`<div class="wall"><p class="lead">${round === null ? t('Check in with the code that you were given.') : t('Round {round} is over.', { round: round.number })}</p>
      <p class="lead">${t('{count} of {all} {all:player|players} {count:is|are} in.', { count: players.filter(({ state }) => state === 'in').length, all: players.length })}</p><${EventCode} event=${event} /></div>`;
  }
  const rows = [...round.tables.values()].flatMap((table) =>
    table.sides.flatMap((side, at) =>
      side.map((number) => ({
        name: event.nameOf(number),
        table: `${table.number}`,
        against: namesOf(event, table.sides.filter((_, i) => i !== at).flat()),
        done: table.result !== null,
      })),
    ),
  );
  for (const number of round.byes) rows.push({ name: event.nameOf(number), table: '–', against: /** @type {any} */ (t('a bye')), done: true });
  rows.sort((a, b) => a.name.localeCompare(b.name, document.documentElement.lang, { numeric: true }));
  const now = event.here.now() + event.ahead;
  return html`<div class="wall"><header class="row"><h2>${t('Round {round}', { round: round.number })}</h2>
      ${round.state === 'running' ? html`<${Clock} event=${event} round=${round} />` : html`<p class="clock">${t('Find your table')}</p>`}
      <p class="quietly">${t('{count} of {all} {all:table|tables} {count:is|are} done.', { count: [...round.tables.values()].filter(({ result }) => result !== null).length, all: round.tables.size })}</p></header>
    ${waiting.length > 0 && html`<p class="card due">${t('Judge, please:')} ${waiting.map((call) => t('table {table} ({time})', { table: call.table, time: duration(now - Date.parse(call.time)) })).join(' · ')}</p>`}
    <${LongWaits} event=${event} />
    <ul class="pairings">${rows.map((row) => html`<li key=${row.name} class=${row.done ? 'done' : ''}><strong>${row.name}</strong><b>${row.table}</b><span>${t('against {names}', { names: row.against })}</span></li>`)}</ul><${EventCode} event=${event} /></div>`;
}
