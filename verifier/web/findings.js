/**
 * Findings: the results of steps, with messages that `words.js` translates.
 * @module
 */

/**
 * A message: a template and its values, or several that follow one another. Values may be messages too; `names` with `or`
 * are words (roles), without it names of parties.
 * @typedef {{text: string, values?: {[name: string]: Value}} | {all: Message[]}} Message
 * @typedef {string | number | Message | {names: string[], or?: boolean} | {rolls: number} | {events: number} | {list: Message[]}} Value
 */

/**
 * @typedef {object} Finding
 * @property {string} code
 * @property {'error' | 'notice'} severity
 * @property {number} step
 * @property {number | null} seq
 * @property {string | null} fault a party's name, or `file`
 * @property {string | null} clause
 * @property {Message} message
 * @property {string | null} expected
 * @property {string | null} actual
 */

/** A step that failed at some line; `log.js` adds the fault. */
export class Failure extends Error {
  /**
   * @param {number} step @param {string} code @param {string} text @param {{[name: string]: Value}} [values]
   * @param {{clause?: string | null, expected?: string, actual?: string, opener?: string}} [more] opener: whose opening
   */
  constructor(step, code, text, values = {}, more = {}) {
    super(code);
    this.step = step;
    this.code = code;
    /** @type {Message} */
    this.words = { text, values };
    this.clause = more.clause ?? null;
    this.expected = more.expected ?? null;
    this.actual = more.actual ?? null;
    this.opener = more.opener ?? null;
    /** @type {number} set by whoever knows the line */
    this.seq = 0;
    /** Whether the line passes every check that a seat without rules makes. */
    this.rulesAlone = false;
  }
}

/**
 * @param {number} step @param {string} code @param {number | null} seq @param {string | null} fault
 * @param {string} text @param {{[name: string]: Value}} [values] @returns {Finding}
 */
export const notice = (step, code, seq, fault, text, values = {}) => ({
  code,
  severity: 'notice',
  step,
  seq,
  fault,
  clause: null,
  message: { text, values },
  expected: null,
  actual: null,
});

/**
 * @param {number} step @param {string} code @param {number | null} seq @param {string | null} fault
 * @param {string} text @param {{[name: string]: Value}} [values] @returns {Finding}
 */
export const error = (step, code, seq, fault, text, values = {}) => ({
  ...notice(step, code, seq, fault, text, values),
  severity: 'error',
});
