/**
 * What players read of themselves at an event: penalties, corrected results, the day's results, and their table's news.
 * @module
 */

import { Clock, contradicting, namesOf, Outcome, penaltyWords, sideWords } from './event-parts.js';
import { html } from './html.js';
import { Section } from './parts.js';
import { t } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').EventTableNow} EventTableNow */
/** @typedef {import('../../../verifier/web/event/log.js').Round} Round */

/** A penalty that was taken back: by whom, and why. @param {{penalty: import('../../../verifier/web/event/log.js').Penalty & {back: {by: string, reason: string}}}} props */
export const TakenBack = ({ penalty: { penalty, back } }) =>
  html`<s>${penaltyWords(penalty)}</s> ${t('{judge} took it back. The reason: {reason}', { judge: back.by, reason: back.reason })}`;

/** The own penalties. @param {{event: EventHere}} props */
export function OwnPenalties({ event }) {
  const own = [...event.log.penalties].filter(([, { number }]) => number === event.number);
  const back = [...event.log.takenBack].filter(([, { number }]) => number === event.number);
  if (own.length + back.length === 0) return null;
  return html`<section class="loud doubt" aria-labelledby="penalties-title"><h2 id="penalties-title">${t('Your penalties')}</h2><ul>${own.map(
    ([line, { penalty, text, by }]) =>
      html`<li key=${line}><strong>${penaltyWords(penalty)}</strong> <q>${text}</q> <span class="quietly">${t('by {judge}', { judge: by })}</span></li>`,
  )}${back.map(([line, penalty]) => html`<li key=${line}><${TakenBack} penalty=${penalty} /></li>`)}</ul></section>`;
}

/** Says that the result of a table was corrected: by whom, why, and what it was. @param {{event: EventHere, table: EventTableNow}} props */
export function CorrectedResult({ event, table }) {
  const { corrected } = table;
  if (corrected === null) return null;
  const was = corrected.was.map((side, at) => t('{names} {result}', { names: namesOf(event, table.sides[at]), result: sideWords(side) })).join(' : ');
  return html`<div class="loud doubt corrected" role="status"><p>${t('{judge} corrected this result. The reason: {reason}', { judge: corrected.by, reason: corrected.reason })}</p>
    <p>${t('It was: {result}', { result: was })}</p></div>`;
}

/** The results of the own matches, when the event is over. @param {{event: EventHere}} props */
export function OwnResults({ event }) {
  const number = /** @type {number} */ (event.number);
  const rows = event.log.rounds.flatMap((round) => {
    const table = [...round.tables.values()].find(({ sides }) => sides.flat().includes(number)) ?? null;
    return table !== null || round.byes.includes(number) ? [{ round, table }] : [];
  });
  return html`<ul class="own-results">${rows.map(({ round, table }) => {
    if (table === null) return html`<li key=${round.number}><h3>${t('Round {round}', { round: round.number })}</h3><p>${t('Bye')}</p></li>`;
    const mine = table.sides.findIndex((side) => side.includes(number));
    return html`<li key=${round.number}><h3>${t('Round {round}, table {table}', { round: round.number, table: table.number })}</h3>
      ${table.result === null ? html`<p>${t('against {names}: no result', { names: namesOf(event, table.sides.filter((_, at) => at !== mine).flat()) })}</p>` : html`<${Outcome} event=${event} table=${table} sides=${table.result} mine=${mine} />`}
      <${CorrectedResult} event=${event} table=${table} /></li>`;
  })}</ul>`;
}

/** What the players of a table that throws its dice by hand do. @param {{table: EventTableNow}} props */
export const ByHandHere = ({
  table,
}) => html`<div class="loud doubt" role="status"><p><strong>${t('Throw your dice by hand at this table.')}</strong> ${t('A judge wrote down why: {why}', { why: /** @type {string} */ (table.byHand) })}</p>
  <p>${t('Nothing is rolled on the phones here any more. When the match is over, sign the result on your phone as usual.')}</p></div>`;

/**
 * What waits for a player on the page of the event, while the player is at the table: penalties, and a result to sign.
 * @param {{event: EventHere, table: EventTableNow, mine: number, onBack: () => void}} props
 */
function AtTheEvent({ event, table, mine, onBack }) {
  const penalties = [...event.log.penalties.values()].filter(({ number }) => number === event.number);
  const { claim } = table;
  const differ = contradicting(table).length > 0;
  const due = claim !== null && mine >= 0 && (differ || !claim.signed.includes(mine));
  const words = [
    ...(penalties.length > 0
      ? [t('Your penalties: {penalties}', { penalties: { text: penalties.map(({ penalty }) => penaltyWords(penalty)).join(t(', ')) } })]
      : []),
    ...(due ? [differ ? t('Your results differ') : t('A result waits for your signature.')] : []),
  ];
  return words.map(
    (text) =>
      html`<p class="loud doubt row" role="status" key=${text}><span>${text}</span> <button type="button" class="small" onclick=${onBack}>${t('Look at it')}</button></p>`,
  );
}

/**
 * The news of the event above a table: its time, and that nothing is left to play.
 * @param {{event: EventHere, round: Round, table: EventTableNow, onBack: () => void}} props
 */
export function TableNews({ event, round, table, onBack }) {
  const mine = event.number === null ? -1 : table.sides.findIndex((side) => side.includes(/** @type {number} */ (event.number)));
  if (table.result !== null)
    return html`<${Section} id="news" title=${t('The result stands')} className="at-event"><${Outcome} event=${event} table=${table} sides=${table.result} mine=${mine} /><${CorrectedResult} event=${event} table=${table} />
      <p>${t('Nothing is left to play at this table.')}</p><//>`;
  if (round.state === 'ended')
    return html`<p class="loud doubt" role="status">${t('Round {round} is over.', { round: round.number })} ${t('Sign the result on the page of the event.')}</p>`;
  return html`<div class="at-event"><${Clock} event=${event} round=${round} extended=${table.extended} />${table.byHand !== null && html`<${ByHandHere} table=${table} />`}${event.number !== null && html`<${AtTheEvent} event=${event} table=${table} mine=${mine} onBack=${onBack} />`}</div>`;
}
