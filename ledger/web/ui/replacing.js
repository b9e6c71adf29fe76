/**
 * Rolls that a judge's ruling voided, and the same rolls made again in their place (specs/page.md, "The tray"). The log does not
 * link the two: the first same request of the same party behind the ruling counts as the one in its place.
 * @module
 */

import { same } from '../core/rules.js';
import { t } from './words.js';

/** @typedef {import('../core/snapshot.js').ShownGame} ShownGame */
/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */
/** @typedef {{roll: ShownRoll, judge: string}} Voided */

/**
 * @param {ShownGame} game
 * @returns {{placed: Map<number, Voided>, due: Voided[]}} `placed`: what each roll was made in place of, by its number; `due`: what was not made again
 */
export function voidedRolls({ rolls, rulings }) {
  /** @type {Map<number, Voided>} */
  const placed = new Map();
  /** @type {Voided[]} */
  const due = [];
  for (const { ruling, subject, seq, judge, author, effect } of rulings) {
    const roll = rolls.find((each) => each.seq === subject);
    if (ruling !== 'void' || !effect || roll?.type !== 'roll' || roll.ended !== 'reveal') continue;
    const voided = { roll, judge: judge ?? author };
    const again = rolls.find(
      (each) =>
        each.seq > seq &&
        each.author === roll.author &&
        each.type === 'roll' &&
        each.ended !== 'void' &&
        !placed.has(each.seq) &&
        same(each.body, roll.body),
    );
    if (again === undefined) due.push(voided);
    else placed.set(again.seq, voided);
  }
  return { placed, due };
}

/** @param {Voided} voided @returns {string} */
export const inPlaceWords = ({ judge }) => t('In place of the roll that {judge} ruled void', { judge });
