/**
 * The page's view of an event and its bundle: people, rounds, tables, results, and the verdict on each game.
 * @module
 */

import { changeWords } from '../changes.js';
import { mark, render, shown, translate } from '../words.js';
import { element } from './dom.js';
import { say, SIGNS } from './views.js';

/** @typedef {import('../worker.js').Shown} Shown */
/** @typedef {import('../words.js').Language} Language */

/** @type {{[name: string]: string}} what a slip can say of a side */
const RESULTS = { conceded: mark('conceded'), drawn: mark('drawn'), points: mark('points'), won: mark('won') };

/** @param {number[][]} sides @returns {string} */
const sidesText = (sides) => sides.map((side) => side.join(' + ')).join(' – ');

/** @param {{[name: string]: number}[] | undefined} result @param {Language} language @returns {string} */
function resultText(result, language) {
  if (result === undefined) return '–';
  const names = Object.keys(result[0]);
  return names.map((name) => `${translate(RESULTS[name], language)} ${result.map((side) => side[name]).join(' – ')}`).join(', ');
}

/** @param {any} table @param {Language} language @returns {string} what else is to be said of it */
function moreText({ by, extended, left, by_hand: byHand }, language) {
  const said = [];
  if (by !== undefined && !/^p[0-9]+$/.test(by)) said.push(say('set by {name}', language, { name: by }));
  if (extended !== undefined) said.push(say('{minutes} minutes more', language, { minutes: extended }));
  if (byHand !== undefined) said.push(say('dice by hand: {text}', language, { text: byHand }));
  if (left !== undefined) said.push(say('left: {text}', language, { text: left }));
  return said.join('; ');
}

/** @param {any} game of a bundle; undefined: it has none @param {Language} language @returns {(Node | string)[]} */
function gameView(game, language) {
  if (game === undefined) return ['–'];
  const held = /** @type {'holds' | 'fails'} */ (game.verdict);
  const words = held === 'holds' ? say('holds, {events}', language, { events: { events: game.events } }) : say('does not hold', language);
  return [element('span', { class: `sign ${held}`, 'aria-hidden': 'true' }, SIGNS[held]), ` ${words}`];
}

/** @param {any} round @param {Map<string, any>} games of a bundle, by id @param {boolean} bundled @param {Language} language @returns {HTMLElement} */
function roundView({ round, state, byes, tables, paused }, games, bundled, language) {
  const head = [mark('Table'), mark('Players'), mark('Result'), ...(bundled ? [mark('Game')] : [])];
  const facts = [{ pairing: mark('being paired'), running: mark('running'), ended: mark('ended') }[/** @type {'ended'} */ (state)]].map((each) =>
    translate(each, language),
  );
  if (byes.length > 0) facts.push(say('byes: {numbers}', language, { numbers: byes.join(', ') }));
  if (paused !== undefined) facts.push(say('paused for {minutes} minutes', language, { minutes: paused }));
  const title = say('Round {round}', language, { round });
  return element(
    'section',
    {},
    element('h3', {}, title),
    element('p', { class: 'hint' }, facts.join('; ')),
    element(
      'div',
      { class: 'wide', tabindex: '0', role: 'group', 'aria-label': title },
      element(
        'table',
        { class: 'tables' },
        element('thead', {}, element('tr', {}, ...head.map((each) => element('th', { scope: 'col' }, translate(each, language))))),
        element(
          'tbody',
          {},
          ...tables.flatMap((/** @type {any} */ table) => {
            const said = moreText(table, language);
            const row = element(
              'tr',
              {},
              element('th', { scope: 'row' }, String(table.table)),
              element('td', {}, sidesText(table.sides)),
              element('td', {}, resultText(table.result, language)),
              bundled ? element('td', {}, ...gameView(games.get(table.game), language)) : null,
            );
            if (said === '') return [row];
            return [row, element('tr', {}, element('td', { class: 'said', colspan: String(head.length) }, element('bdi', {}, shown(said))))];
          }),
        ),
      ),
    ),
  );
}

/** @param {any[]} games of a bundle @param {Language} language @returns {HTMLElement | null} what was changed at their tables; null: nothing */
function changesView(games, language) {
  const sorted = [...games].sort((one, other) => one.round - other.round || one.table - other.table);
  const said = sorted.flatMap((game) => (game.changes ?? []).map((/** @type {any} */ change) => render(changeWords(change, game), language)));
  if (said.length === 0) return null;
  return element(
    'section',
    {},
    element('h3', {}, say('What judges and others changed at tables: {count}', language, { count: said.length })),
    element('ul', { class: 'changes' }, ...said.map((each) => element('li', {}, element('bdi', {}, each)))),
  );
}

/** @param {Shown} report @param {Language} language @returns {HTMLElement | null} null: it is about no event */
export function eventView({ event, kind }, language) {
  if (!event) return null;
  const { players, rounds, games = [], penalties } = event;
  const cancelled = games.filter((/** @type {any} */ each) => each.cancelled).length;
  const said = [say('Players: {registered} registered, {in} in, {dropped} dropped.', language, players)];
  if (penalties.length > 0) said.push(say('Penalties that stand: {count}.', language, { count: penalties.length }));
  if (cancelled > 0) said.push(say('Games of tables that were cancelled, which are in the bundle too: {count}.', language, { count: cancelled }));
  const byId = new Map(games.map((/** @type {any} */ each) => [each.game, each]));
  return element(
    'section',
    { 'aria-labelledby': 'event' },
    element('h2', { id: 'event' }, translate('The event', language)),
    element('p', {}, said.join(language === 'ja' ? '' : ' ')),
    element('p', { class: 'hint' }, translate('Players stand here by their numbers. Names are not in the record.', language)),
    changesView(games, language),
    ...rounds.map((/** @type {any} */ round) => roundView(round, byId, kind === 'bundle', language)),
  );
}
