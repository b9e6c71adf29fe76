/**
 * Parts that several screens of an event have: names, the clock, the slip.
 * @module
 */

import { canonical } from '../../../verifier/web/json.js';
import { gameOf } from '../core/event-waiting.js';
import { eventCode } from '../core/event-witness.js';
import { html, useEffect, useState } from './html.js';
import { Button, Fold } from './parts.js';
import { duration, listed, t } from './words.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').EventTableNow} EventTableNow */
/** @typedef {import('../../../verifier/web/event/log.js').Round} Round */

/** @param {EventHere} event @param {number[]} numbers @returns {import('./words.js').Value} */
export const namesOf = (event, numbers) => listed(numbers.map((number) => event.nameOf(number)));

/** Has Enter in a field do the same as the main button of its part. @param {any} event */
export const onEnter = (event) => {
  if (event.key !== 'Enter' || event.isComposing) return;
  event.preventDefault();
  event.currentTarget.closest('section, details').querySelector('button.main')?.click();
};

/** The event's code, and how much of the event each witness has cosigned. @param {{event: EventHere}} props */
export function EventCode({ event }) {
  const { size } = event.log;
  return html`<div class="event-code"><p>${t('Code of the event')} <b class="digits">${size}: ${eventCode(event.log)}</b></p>
    ${event.witnesses.map(
      (witness) =>
        html`<p key=${witness.name} class=${witness.size < size ? 'waits' : ''}>${
          witness.size === 0
            ? t('Waiting for the witness {witness}: nothing yet', { witness: witness.name })
            : witness.size < size
              ? t('Waiting for the witness {witness}: {count} of {all} {all:line|lines}', { witness: witness.name, count: witness.size, all: size })
              : t('The witness {witness} has seen all lines: {count}', { witness: witness.name, count: size })
        }</p>`,
    )}</div>`;
}

/** Milliseconds for which a roll waits before the wall shows it, and how many tables the wall shows. */
const LONG = 30_000;
const TABLES = 8;

/** The tables that have waited long, and the people they wait for. @param {{event: EventHere}} props */
export function LongWaits({ event }) {
  const now = event.here.now() + event.ahead;
  const { round } = event.log;
  const plays = (/** @type {number} */ table) => round?.tables.get(table)?.byHand == null;
  const long = round?.state === 'running' ? event.waiting.filter(({ time, table }) => now - time >= LONG && plays(table)) : [];
  useTicking(event.waiting.length > 0);
  if (long.length === 0) return null;
  return html`<ul class="card long-waits" aria-label=${t('Tables that wait')}>${long
    .slice(0, TABLES)
    .map(
      ({ table, time, players }) =>
        html`<li key=${table}>${t('Table {table} waits for {names} ({time})', { table, names: namesOf(event, players), time: duration(now - time) })}</li>`,
    )}
    ${long.length > TABLES && html`<li class="quietly">${t('and {count} {count:table|tables} more', { count: long.length - TABLES })}</li>`}</ul>`;
}

/**
 * @param {EventHere} event
 * @returns {{table: number, players: number[]}[]} the tables of the round that runs at which new phones wait for a judge, as the server says
 */
export function phonesToLetIn({ log, phones }) {
  if (log.round?.state !== 'running') return [];
  return [...log.round.tables.values()]
    .filter(({ number, result }) => result === null && phones.has(number))
    .map(({ number }) => ({ table: number, players: phones.get(number) ?? [] }));
}

/** @param {EventHere} event @param {EventTableNow} table @returns {number[] | null} who has not sat down at a table of the round that runs; null: it is over, not open yet, plays by hand, or is not known */
export function missingAt(event, table) {
  const game = event.log.round?.state === 'running' && table.result === null && table.byHand === null ? gameOf(event.log, table) : null;
  return game === null ? null : (event.missing.get(game) ?? null);
}

/** @param {number} count of minutes @returns {string} */
export const moreWords = (count) => t('{count} {count:minute|minutes} more', { count });

/** The players at a table. @param {{event: EventHere, table: EventTableNow}} props */
export function Seated({ event, table }) {
  const missing = missingAt(event, table);
  if (missing === null) return null;
  return missing.length === 0
    ? html`<span class="seated">${t('all are seated')}</span>`
    : html`<b class="seated missing">${t('not there yet: {names}', { names: namesOf(event, missing) })}</b>`;
}

/** @param {string} penalty @returns {string} */
export const penaltyWords = (penalty) =>
  ({
    warning: t('Warning'),
    'game-loss': t('Game loss'),
    'match-loss': t('Match loss'),
    disqualification: t('Disqualification'),
  })[penalty] ?? penalty;

/** Draws anew each second. @param {boolean} on */
export function useTicking(on) {
  const [, again] = useState(0);
  useEffect(() => {
    if (!on) return undefined;
    const timer = setInterval(() => again((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, [on]);
}

/**
 * Returns the milliseconds that are left of a round for a table with its extension. The clock stands still in pauses.
 * @param {EventHere} event
 * @param {Round} round
 * @param {number} [extended] minutes
 */
export function leftOf(event, round, extended = 0) {
  const now = event.here.now() + event.ahead;
  const paused = round.pauses.reduce((sum, { begin, end }) => sum + Math.max(0, Math.min(now, end) - begin), 0);
  return Date.parse(round.started) + (round.minutes + extended) * 60_000 + paused - now;
}

/** @param {EventHere} event @param {Round} round @returns {number | null} when the pause that goes on ends */
const pauseEnds = (event, round) =>
  round.pauses.find(({ begin, end }) => begin <= event.here.now() + event.ahead && event.here.now() + event.ahead < end)?.end ?? null;

/** Formats a time as `12:05`, and as `-0:30` when time is over. @param {number} milliseconds @returns {string} */
export function countdown(milliseconds) {
  const seconds = Math.abs(Math.floor(milliseconds / 1_000));
  const minutes = Math.floor(seconds / 60);
  return `${milliseconds < 0 ? '−' : ''}${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The time that is left. @param {{event: EventHere, round: Round, extended?: number}} props */
export function Clock({ event, round, extended = 0 }) {
  useTicking(round.state === 'running');
  if (round.state !== 'running') return null;
  const left = leftOf(event, round, extended);
  const pause = pauseEnds(event, round);
  return html`<p class=${`clock ${left < 0 ? 'over' : ''}`} role="timer"><strong>${countdown(left)}</strong>
    ${pause !== null && html`<b>${t('Pause for {time}', { time: countdown(pause - event.here.now() - event.ahead) })}</b> `}<span class="quietly">${left < 0 ? t('Time is over') : t('left in round {round}', { round: round.number })}${extended > 0 ? ` · ${t('with {count} {count:minute|minutes} more for this table', { count: extended })}` : ''}</span></p>`;
}

/** Returns the result of a side in words. @param {any} side @returns {string} */
export function sideWords(side) {
  const { won, drawn, conceded, points } = side;
  return [
    won !== undefined && `${won}`,
    drawn && t('{count} drawn', { count: drawn }),
    points !== undefined && t('{count} {count:point|points}', { count: points }),
    conceded && t('conceded'),
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * Returns the outcome of a match between two, for one of its sides.
 * @param {any[]} sides
 * @param {number} mine
 * @returns {{own: number, other: number} | null} null: games won do not say it
 */
function gamesOf(sides, mine) {
  if (sides.length !== 2 || sides.some(({ won, conceded }) => won === undefined || conceded)) return null;
  return { own: sides[mine].won, other: sides[1 - mine].won };
}

/**
 * Returns the result that somebody signs, from their own side.
 * @param {any[]} sides
 * @param {number} mine
 * @returns {string}
 */
export function signWords(sides, mine) {
  const games = gamesOf(sides, mine);
  if (games === null) return t('Sign the result');
  if (games.own === games.other) return t('Sign: a draw, {own} : {other}', games);
  return games.own > games.other ? t('Sign: I won {own} : {other}', games) : t('Sign: I lost {own} : {other}', games);
}

/**
 * Returns the result of each side, the own one first.
 * @param {{event: EventHere, table: EventTableNow, sides: any[], mine: number}} props
 */
export const Outcome = ({ event, table, sides, mine }) =>
  html`<ul class="result">${ownFirst(sides, mine).map(({ side, at }) => html`<li key=${at}><strong>${at === mine ? t('You') : t('{names}', { names: namesOf(event, table.sides[at]) })}</strong> ${sideWords(side)}</li>`)}</ul>`;

/** @template T @param {T[]} sides @param {number | null} mine @returns {{side: T, at: number}[]} */
const ownFirst = (sides, mine) => sides.map((side, at) => ({ side, at })).sort((one, other) => Number(other.at === mine) - Number(one.at === mine));

/** @param {EventTableNow} table @returns {[number, any[]][]} what each side signed last, where they do not say the same */
export function contradicting(table) {
  const claims = [...table.claims].sort(([one], [other]) => one - other);
  const said = new Set(claims.map(([, sides]) => canonical(sides)));
  return table.result === null && said.size > 1 ? claims : [];
}

/**
 * The result that each side claims, for the judge who rules on it, in the order of the pairing.
 * @param {{event: EventHere, table: EventTableNow}} props
 */
export function Contradicting({ event, table }) {
  const claims = contradicting(table);
  if (claims.length === 0) return null;
  return html`<div class="contradicting"><p><b>${t('Their results differ:')}</b></p><ul>${claims.map(
    ([at, sides]) =>
      html`<li key=${at}>${t('{names} signed:', { names: namesOf(event, table.sides[at]) })} ${sides.map((side, i) => html`<span key=${i}>${i > 0 && ' · '}${t('{names}', { names: namesOf(event, table.sides[i]) })} <b>${sideWords(side)}</b></span>`)}</li>`,
  )}</ul></div>`;
}

/** The outcomes of most matches: first side, second side. */
const USUAL = [
  [2, 0],
  [2, 1],
  [1, 1],
  [1, 2],
  [0, 2],
];

/** A number to choose. @param {{label: string, value: number, onChange: (value: number) => void, least?: number}} props */
function Count({ label, value, onChange, least = 0 }) {
  return html`<div class="field count"><span class="label">${label}</span>
    <button type="button" aria-label=${t('{what}: one less', { what: label })} onclick=${() => onChange(Math.max(least, value - 1))}>−</button>
    <output aria-label=${label}>${value}</output>
    <button type="button" aria-label=${t('{what}: one more', { what: label })} onclick=${() => onChange(value + 1)}>+</button></div>`;
}

/** The usual outcomes, from the own side: won, lost, drawn. @returns {{words: string, games: number[][]}[]} */
const OWN = () => [
  { words: t('I won'), games: USUAL.filter(([own, other]) => own > other) },
  { words: t('I lost'), games: USUAL.filter(([own, other]) => own < other) },
  { words: t('A draw'), games: USUAL.filter(([own, other]) => own === other) },
];

/** @param {string} name @returns {string} */
const resultWords = (name) => ({ won: t('games won'), drawn: t('games drawn'), points: t('points'), conceded: t('conceded') })[name] ?? name;

/**
 * The slip: a usual outcome, or the result of each side; then it is signed. `mine` is the side of the player who signs,
 * which stands first. If it is null a judge writes the slip, with the sides as they were paired, and each side's result
 * beside its name. It begins with the result that stands, if there is one: that is not signed again.
 * @param {{event: EventHere, table: EventTableNow, mine?: number | null, stands?: any[] | null, onSign: (sides: any[]) => Promise<void>, children?: any}} props
 */
export function Slip({ event, table, mine = null, stands = null, onSign }) {
  const names = /** @type {string[]} */ (event.log.terms.results);
  const empty = () => table.sides.map(() => Object.fromEntries(names.map((name) => [name, 0])));
  const [sides, setSides] = useState(() => stands?.map((side, at) => ({ ...empty()[at], ...side })) ?? null);
  const [first] = useState(sides);
  const unchanged = stands !== null && JSON.stringify(sides) === JSON.stringify(first);
  const usual = names.includes('won') && table.sides.length === 2;
  // Outcomes have the own side first; the signed line has the sides in the order of the pairing.
  const filled = (/** @type {number[]} */ won) => empty().map((side, at) => ({ ...side, won: won[mine === 1 ? 1 - at : at] }));
  const same = (/** @type {number[]} */ won) => sides !== null && JSON.stringify(sides) === JSON.stringify(filled(won));
  const change = (/** @type {number} */ at, /** @type {string} */ name, /** @type {number} */ value) =>
    setSides((sides ?? empty()).map((side, i) => (i === at ? { ...side, [name]: value } : side)));
  const key = (/** @type {number[]} */ won) =>
    html`<button type="button" key=${won.join()} class=${same(won) ? 'main' : ''} aria-pressed=${same(won)} onclick=${() => setSides(filled(won))}>${won.join(' : ')}</button>`;
  const each = ownFirst(table.sides, mine).map(({ side, at }) => {
    const who = at === mine ? t('You') : t('{names}', { names: namesOf(event, side) });
    return html`<div class="of-side" role="group" key=${at} aria-label=${who}><strong aria-hidden="true">${who}</strong>
      ${names.map((name) =>
        name === 'conceded'
          ? html`<label class="check" key=${name}><input type="checkbox" checked=${sides?.[at].conceded === 1} onchange=${(/** @type {any} */ e) => change(at, name, e.currentTarget.checked ? 1 : 0)} /> ${resultWords(name)}</label>`
          : html`<${Count} key=${name} label=${resultWords(name)} value=${sides?.[at][name] ?? 0} least=${name === 'points' ? -1_000_000 : 0} onChange=${(/** @type {number} */ value) => change(at, name, value)} />`,
      )}</div>`;
  });
  return html`<div class="slip">
    ${
      usual &&
      mine !== null &&
      OWN().map(
        ({ words, games }) =>
          html`<div class="keys own-outcomes" role="group" key=${words} aria-label=${words}><span class="label" aria-hidden="true">${words}</span>${games.map(key)}</div>`,
      )
    }
    ${
      usual &&
      mine === null &&
      html`<div class="keys outcomes" role="group" aria-label=${t('{first} : {second}', { first: namesOf(event, table.sides[0]), second: namesOf(event, table.sides[1]) })}>${USUAL.map(key)}</div>`
    }
    ${mine === null ? each : html`<${Fold} title=${t('Another result')} open=${!usual} className="plain">${each}<//>`}
    <p class="row"><${Button} kind="main" disabled=${(sides === null && usual) || unchanged} onTap=${() => onSign(sides ?? empty())}>${mine === null || sides === null ? t('Sign the result') : signWords(sides, mine)}<//></p></div>`;
}
