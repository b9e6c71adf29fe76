/**
 * The refusal of an act by a rule of an event (specs/event.md, "Verification", step 29).
 * @module
 */

import { Failure } from '../findings.js';

const STEP = 29;

/**
 * @param {number} rule @param {string} code @param {string} text @param {{[name: string]: import('../findings.js').Value}} [values]
 * @returns {never} @throws {Failure}
 */
export function refuse(rule, code, text, values = {}) {
  throw new Failure(STEP, code, text, values, { clause: `E${rule}` });
}
