/**
 * The results of a round, as a list for the tool that pairs.
 * @module
 */

import { csvText } from '../core/event-lists.js';
import { fileName, save } from './files.js';

/** @typedef {import('../core/event.js').EventHere} EventHere */
/** @typedef {import('../../../verifier/web/event/log.js').Round} Round */

/** @param {EventHere} event @param {string} what @param {string} text */
export const saveList = (event, what, text) => save(`${fileName(event.log.terms.title)}-${what}.csv`, new Blob([text], { type: 'text/csv' }));

/** @param {EventHere} event @param {Round} round */
export function saveResults(event, round) {
  const words = /** @type {string[]} */ (event.log.terms.results);
  const tables = [...round.tables.values()].sort((a, b) => a.number - b.number);
  const width = Math.max(2, ...tables.map(({ sides }) => sides.length));
  const headers = [
    'round',
    'table',
    ...Array.from({ length: width }, (_, i) => i + 1).flatMap((side) => [
      `player ${side} id`,
      `player ${side} name`,
      ...words.map((word) => `player ${side} ${word}`),
    ]),
  ];
  const rows = tables.map((table) => [
    round.number,
    table.number,
    ...table.sides.flatMap((side, at) => [
      side.length === 1 ? side[0] : side.join('+'),
      side.map((number) => event.names.get(number) ?? '').join(' + '),
      ...words.map((word) => table.result?.[at][word] ?? null),
    ]),
  ]);
  const byes = round.byes.map((bye) => [round.number, null, bye, event.names.get(bye) ?? '']);
  saveList(event, `round-${round.number}`, csvText(headers, [...rows, ...byes]));
}
