/**
 * A roll for programs: dice verified here, and their result.
 * @module
 */

import { isObject } from '../../../verifier/web/json.js';

/** @typedef {import('./snapshot.js').Snapshot} Snapshot */
/** @typedef {import('./snapshot.js').ShownRoll} ShownRoll */

/**
 * @typedef {object} ToldRoll
 * @property {number} roll number of the request @property {string} author @property {string} called what people read for the author
 * @property {any} body @property {boolean} fair @property {string | null} ended the type of the event that ended it @property {string[]} contributors
 * @property {{natural: number, sides: number | undefined}[]} dice
 * @property {{summary: string | null, text: string | null, own: boolean, dice: any[] | null, values: any} | null} said `own`: the rules here say it, and
 *   not the server; `dice` and `values`: what became of each die, and what the system's page gives a roll, as specs/network.md, "Advice" has them
 */

/** The longest text of the server's that is passed on. */
const MAX_SAID = 2_000;

/** @param {unknown} value @returns {string | null} */
const text = (value) => (typeof value === 'string' ? value.slice(0, MAX_SAID) : null);

/**
 * Returns the advice about a roll. Advice about fewer lines was given before the dice. @param {Snapshot} snapshot
 * @param {ShownRoll} roll @returns {any} undefined: nothing yet
 */
export function meaningOf({ advice }, roll) {
  if (advice === null || advice.size <= (roll.end ?? Infinity) || !Array.isArray(advice.state?.rolls)) return undefined;
  return advice.state.rolls.find((/** @type {any} */ each) => each?.roll === roll.seq);
}

/** @param {Snapshot} snapshot @param {string} name of a key @returns {string} what people read for it */
export const calledName = ({ game }, name) => game?.parties.find((each) => each.name === name)?.called ?? name;

/** @param {Snapshot} snapshot @param {ShownRoll} roll @returns {ToldRoll} */
export function toldRoll(snapshot, roll) {
  const said = meaningOf(snapshot, roll);
  return {
    roll: roll.seq,
    author: roll.author,
    called: calledName(snapshot, roll.author),
    body: roll.body,
    fair: roll.fair,
    ended: roll.ended,
    contributors: roll.contributors,
    dice: (roll.naturals ?? []).map((natural, at) => ({ natural, sides: roll.sides?.[at] })),
    said:
      said === undefined
        ? null
        : {
            summary: text(said.summary),
            text: text(said.text),
            own: snapshot.advice?.own ?? false,
            dice: Array.isArray(said.dice) ? said.dice : null,
            values: isObject(said.own) ? said.own : null,
          },
  };
}
