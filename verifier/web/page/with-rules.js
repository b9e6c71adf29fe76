/**
 * The page's report after the check of the rules: Python's words, with the data of these modules.
 * @module
 */

import { fromUtf8 } from '../bytes.js';
import { STEP_6 } from '../explain.js';
import { readPlain } from '../json.js';
import { lineAt } from '../lines.js';
import { agree } from '../python/rules.js';
import { mark } from '../words.js';

/** @typedef {import('../findings.js').Message} Message */
/** @typedef {import('../worker.js').Shown} Shown */
/**
 * @typedef {{state: 'asked'} | {state: 'unfinished', why: Message}
 *   | {state: 'told', told: import('../python/rules.js').Told, differ?: Message | null}} Rules what came of the rules
 */

/** @param {string} text in the language of the page @returns {Message} */
const verbatim = (text) => ({ text });

/** @param {Uint8Array} bytes @param {number} seq @returns {string | null} the type of an event, as its line says it */
function typeAt(bytes, seq) {
  let line = lineAt(bytes, 0);
  for (let i = 0; line !== null && i < seq; i++) line = lineAt(bytes, line.end + 1);
  const type = line && readPlain(fromUtf8(bytes.subarray(line.start, line.end)) ?? '')?.value?.type;
  return typeof type === 'string' ? type : null;
}

/** @param {Shown} own @param {Rules | null} rules @param {Uint8Array} bytes of the log @returns {Shown} */
export function withRules(own, rules, bytes) {
  if (rules === null) return own;
  if (rules.state !== 'told') return { ...own, rules };
  const { report } = rules.told;
  /** @type {Message | null} */
  const differ = agree(own, report, (seq) => typeAt(bytes, seq))
    ? null
    : {
        text: 'Two programs have judged this log, and they differ: one of them has a flaw. Trust neither, and tell its makers. The other one says: {verdict}.',
        values: { verdict: own.findings.find(({ severity }) => severity === 'error')?.code ?? own.verdict },
      };
  return {
    ...own,
    verdict: report.verdict,
    events: report.events,
    validPrefix: report.valid_prefix,
    head: report.head,
    findings: report.findings.map((/** @type {any} */ finding) => ({ ...finding, message: verbatim(finding.message) })),
    trust: verbatim(report.trust),
    checked: report.checked.map(verbatim),
    notChecked: report.not_checked.map(verbatim),
    rules: { ...rules, differ },
  };
}

/**
 * The steps of a roll, with what the rules made of its dice in the place of where that is said.
 * @param {import('../explain.js').Step[]} steps @param {[string | null, string][]} told @returns {import('../explain.js').Step[]}
 */
export const withStepOfRules = (steps, told) => [
  ...steps.map(({ title, parts }) => ({ title, parts: parts.filter((part) => !('say' in part && 'text' in part.say && part.say.text === STEP_6)) })),
  {
    title: { text: 'Step 6: the rules' },
    parts: [{ table: { head: ['clause', mark('what it says of this roll')], rows: told.map(([clause, words]) => [clause ?? '–', words]) } }],
  },
];
