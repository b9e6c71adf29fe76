/**
 * Rolls that a judge's ruling voided, and the same rolls made again in their place (specs/page.md, "The tray"). The log does not
 * link the two: the same party's next request behind the ruling counts as the one in its place, if it is the same; with any
 * other request of the party it is no longer asked for.
 * @module
 */

import { same } from '../core/rules.js';
import { t } from './words.js';

/** @typedef {import('../core/snapshot.js').ShownGame} ShownGame */
/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */
/** @typedef {{roll: ShownRoll, judge: string}} Voided */

/**
 * @param {Pick<ShownGame, 'rolls' | 'rulings'>} game
 * @returns {{placed: Map<number, Voided>, due: Voided[]}} `placed`: what each roll was made in place of, by its number; `due`: what can still be made again
 */
export function voidedRolls({ rolls, rulings }) {
  /** @type {Map<number, Voided>} */
  const placed = new Map();
  let due = rulings.flatMap(({ ruling, subject, seq, judge, author, effect }) => {
    const roll = rolls.find((each) => each.seq === subject);
    return ruling === 'void' && effect && roll?.type === 'roll' && roll.ended === 'reveal' ? [{ roll, judge: judge ?? author, seq }] : [];
  });
  for (const each of rolls) {
    const claims = due.filter(({ roll, seq }) => seq < each.seq && roll.author === each.author);
    if (each.ended === 'void' || claims.length === 0) continue; // a roll that was called off was never made
    const voided = each.type === 'roll' ? claims.findLast(({ roll }) => same(roll.body, each.body)) : undefined;
    if (voided !== undefined) placed.set(each.seq, voided);
    due = due.filter((claim) => (voided === undefined ? !claims.includes(claim) : claim !== voided));
  }
  return { placed, due };
}

/** @param {Voided} voided @returns {string} */
export const inPlaceWords = ({ judge }) => t('In place of the roll that {judge} ruled void', { judge });
