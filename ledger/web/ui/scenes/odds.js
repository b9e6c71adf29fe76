/**
 * The outcomes of doubling down, counted over the twenty naturals of a d20 (specs/doubledown.md, R3 and R4).
 *
 * With modifier m against difficulty d, of the naturals 1 to 20:
 *
 *     2 (19, 20)                       are a critical success
 *     s = min(16, max(0, 19 − max(3, d − m)))   of 3 to 18 are a success: those that are d − m or more
 *     16 − s                           are a failure
 *     2 (1, 2)                         are a critical failure
 *
 * They move the first outcome, whose tier is t, to t + 2, t + 1, t − 1 and t − 2, within 0 and 7. The arithmetic is of whole
 * numbers; `tests/web/test_scenes.py` holds it against an enumeration by the rules themselves.
 * @module
 */

/** T1, from the lowest tier to the highest. */
export const OUTCOMES = [
  'legendary failure',
  'overwhelming failure',
  'critical failure',
  'failure',
  'success',
  'critical success',
  'overwhelming success',
  'legendary success',
];

/** @param {number} modifier @param {number} difficulty @returns {number} how many of the naturals 3 to 18 reach the difficulty */
const reaching = (modifier, difficulty) => Math.min(16, Math.max(0, 19 - Math.max(3, difficulty - modifier)));

/**
 * Returns how many of twenty first dice succeed.
 * @param {number} modifier
 * @param {number} difficulty
 * @returns {number}
 */
export const succeeding = (modifier, difficulty) => reaching(modifier, difficulty) + 2;

/**
 * @param {string} before the outcome of the first die @param {number} modifier @param {number} difficulty
 * @returns {{outcome: string, of20: number}[]} what it comes to with the second die, from the best on; in sum 20
 */
export function doubled(before, modifier, difficulty) {
  const tier = OUTCOMES.indexOf(before);
  const hits = reaching(modifier, difficulty);
  const found = new Map();
  for (const [shift, of20] of [
    [2, 2],
    [1, hits],
    [-1, 16 - hits],
    [-2, 2],
  ]) {
    const at = Math.min(OUTCOMES.length - 1, Math.max(0, tier + shift));
    found.set(at, (found.get(at) ?? 0) + of20);
  }
  return [...found]
    .filter(([, of20]) => of20 > 0)
    .sort(([a], [b]) => b - a)
    .map(([at, of20]) => ({ outcome: OUTCOMES[at], of20 }));
}
