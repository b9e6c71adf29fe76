/**
 * Names that look alike (specs/verification.md, "Keys that the caller expects"): no verdict depends on them.
 * @module
 */

/** What becomes what, in this order. @type {[RegExp, string][]} */
const REPLACEMENTS = [
  [/[._-]/g, ''], [/rn/g, 'm'], [/vv/g, 'w'], [/0/g, 'o'], [/[1i]/g, 'l'], [/2/g, 'z'], [/5/g, 's'],
];

/** @param {string} name @returns {string} */
const skeleton = (name) => REPLACEMENTS.reduce((text, [from, to]) => text.replace(from, to), name);

/** @param {string} one @param {string} other @returns {boolean} */
export const lookAlike = (one, other) => skeleton(one) === skeleton(other);
