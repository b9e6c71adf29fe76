/**
 * The wall: a screen that everybody in the hall sees. It has no links and no secrets.
 * @module
 */

import { Clock, EventCode, LongWaits, missingAt, moreWords, namesOf, useTicking } from './event-parts.js';
import { html } from './html.js';
import { duration, t } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */

/** @param {{event: EventHere}} props */
export function Wall({ event }) {
  const { round, rounds, calls, closed, terms } = event.log;
  const waiting = [...calls.values()].filter(({ kind, done }) => kind !== 'answer' && !done);
  useTicking(waiting.length > 0);
  const players = [...event.log.players.values()];
  if (closed || round === null || round.state === 'ended') {
    const [first, then] =
      round === null
        ? [
            t('Check in with the code that you were given.'),
            t('{count} of {all} {all:player|players} {count:is|are} in.', {
              count: players.filter(({ state }) => state === 'in').length,
              all: players.length,
            }),
          ]
        : closed
          ? [t('The event is over'), t('Thank you for playing.')]
          : [
              t('Round {round} is over.', { round: round.number }),
              rounds.length < terms.rounds ? t('Your next table appears here by itself.') : t('It was the last round.'),
            ];
    return html`<div class="wall"><p class="lead">${first}</p><p class="lead">${then}</p><${EventCode} event=${event} /></div>`;
  }
  const rows = [...round.tables.values()].flatMap((table) =>
    table.sides.flatMap((side, at) =>
      side.map((number) => ({
        name: event.nameOf(number),
        table: t('Table {table}', { table: table.number }),
        against: t('against {names}', { names: namesOf(event, table.sides.filter((_, i) => i !== at).flat()) }),
        done: table.result !== null,
        more: table.result === null ? table.extended : 0,
        missing: missingAt(event, table)?.includes(number) ?? false,
      })),
    ),
  );
  for (const number of round.byes)
    rows.push({ name: event.nameOf(number), table: t('Bye'), against: t('no opponent in this round'), done: true, more: 0, missing: false });
  rows.sort((a, b) => a.name.localeCompare(b.name, document.documentElement.lang, { numeric: true }));
  const now = event.here.now() + event.ahead;
  return html`<div class="wall"><header class="row"><h2>${t('Round {round}', { round: round.number })}</h2>
      ${round.state === 'running' ? html`<${Clock} event=${event} round=${round} />` : html`<p class="clock">${t('Find your table')}</p>`}
      <p class="quietly">${t('{count} of {all} {all:table|tables} {count:is|are} done.', { count: [...round.tables.values()].filter(({ result }) => result !== null).length, all: round.tables.size })}</p></header>
    ${waiting.length > 0 && html`<p class="card due">${t('Judge, please:')} ${waiting.map((call) => t('table {table} ({time})', { table: call.table, time: duration(now - Date.parse(call.time)) })).join(' · ')}</p>`}
    <${LongWaits} event=${event} />
    <ul class="pairings">${rows.map((row) => html`<li key=${row.name} class=${row.done ? 'done' : ''}><strong>${row.name}</strong><b>${row.table}</b><span>${row.against}${row.more > 0 && html` · <strong>${moreWords(row.more)}</strong>`}${row.missing && html` · <em>${t('not there yet')}</em>`}</span></li>`)}</ul><${EventCode} event=${event} /></div>`;
}
