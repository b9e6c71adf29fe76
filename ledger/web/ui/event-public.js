/**
 * The public view of an event: rounds, results and byes, by the numbers of players (specs/event.md, "Names and
 * claims").
 * @module
 */

import { Clock, namesOf, sideWords } from './event-parts.js';
import { html } from './html.js';
import { Fold } from './parts.js';
import { listed, t } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').Round} Round */

/** @param {{event: EventHere, round: Round}} props */
const OneRound = ({ event, round }) => html`<h3>${t('Round {round}', { round: round.number })}</h3><${Clock} event=${event} round=${round} />
  <ul class="tables">${[...round.tables.values()]
    .sort((a, b) => a.number - b.number)
    .map(
      ({
        number,
        sides,
        result,
      }) => html`<li key=${number}><p><b>${t('Table {table}', { table: number })}</b> ${sides.map((side) => t('{names}', { names: namesOf(event, side) })).join(' – ')}
      <span class="quietly">${result === null ? '' : result.map(sideWords).join(' : ')}</span></p></li>`,
    )}</ul>
  ${round.byes.length > 0 && html`<p>${t('With a bye: {names}', { names: listed(round.byes.map((each) => t('number {number}', { number: each }))) })}</p>`}`;

/** The page for people who have no seat here. @param {{event: EventHere}} props */
export const LookOn = ({
  event,
}) => html`<${Fold} title=${t('Only looking on')} className="card"><p class="hint">${t('Players stand here by their numbers.')}</p>
  ${event.log.rounds.length === 0 && html`<p>${t('No round has been paired yet.')}</p>`}
  ${[...event.log.rounds].reverse().map((round) => html`<${OneRound} key=${round.number} event=${event} round=${round} />`)}<//>`;
