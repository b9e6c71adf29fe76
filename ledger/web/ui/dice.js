/**
 * Dice as text: naturals with their numbers, what no longer counts struck through, with a word for it.
 * @module
 */

import { html } from './html.js';
import { language, t } from './words.js';

/** @typedef {import('../core/advice.js').Advised} Advised */
/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */

/** A text of the server's in which what does not count stands between `~~`. @param {{text: string}} props */
export const Struck = ({ text }) => text.split('~~').map((part, i) => (i % 2 ? html`<s>${part}</s>` : part));

/** @typedef {{die: number | null, sides: number, naturals: number[], result: number | null, status: string, text?: string}} ShownDie the last natural counts */

/** Dice that a line shows; the others at a tap. */
const SHOWN = 40;

/**
 * The dice of a roll: verified naturals, and what the server says of each where it has said it.
 * @param {ShownRoll} roll @param {Advised} told the server's, or null @returns {ShownDie[]}
 */
export function diceOf(roll, told) {
  if (told && told.dice.length > 0 && roll.type !== 'reroll') return told.dice;
  return (roll.naturals ?? []).map((/** @type {number} */ natural, /** @type {number} */ i) => ({
    die: null, sides: roll.sides?.[i] ?? 0, naturals: [natural], result: natural, status: 'counted',
  }));
}

/** @param {ShownDie} die @returns {string} what it shows in words */
export function dieWords(die) {
  const last = die.naturals[die.naturals.length - 1];
  const earlier = die.naturals.slice(0, -1).map((natural) => t('{natural} (rerolled)', { natural }));
  const now = die.status === 'ignored' ? t('{natural} (does not count)', { natural: last }) : String(last);
  return [...earlier, now].join(', ');
}

/** @param {ShownDie[]} dice @returns {{sides: number, dice: ShownDie[]}[]} dice of one kind that stand together */
function runs(dice) {
  /** @type {{sides: number, dice: ShownDie[]}[]} */
  const found = [];
  for (const die of dice) {
    const last = found[found.length - 1];
    if (last && last.sides === die.sides) last.dice.push(die);
    else found.push({ sides: die.sides, dice: [die] });
  }
  return found;
}

/** One die. @param {{die: ShownDie}} props */
const Die = ({ die }) => {
  const last = die.naturals[die.naturals.length - 1];
  const out = die.status === 'ignored';
  const extreme = !out && die.sides > 2 && (last === die.sides ? 'top' : last === 1 ? 'low' : '');
  return html`<span class="throw">${die.naturals.slice(0, -1).map((natural) => html`<s class="die out">${natural}<span class="unseen"> ${t('rerolled')}</span></s> `)}
    ${out ? html`<s class="die out">${last}<span class="unseen"> ${t('does not count')}</span></s>` : html`<b class=${`die ${extreme || ''}`}>${last}</b>`}${
  !out && die.result !== null && die.result !== last ? html`<span class="becomes"><span aria-hidden="true">→</span><span class="unseen">${t('counts as')}</span> ${die.result}</span>` : ''}</span>`;
};

/** @param {{dice: ShownDie[], legend?: boolean}} props */
export function Dice({ dice, legend = true }) {
  const all = runs(dice.slice(0, SHOWN));
  return html`<p class="dice">${all.map(({ sides, dice: same }) => html`<span class="run"><span class="kind">${same.length === 1 ? '' : same.length}d${sides}</span>
    ${same.map((die) => html`<${Die} die=${die} /> `)}</span>`)}
    ${dice.length > SHOWN && html`<span class="kind">${t('and {count} more', { count: dice.length - SHOWN })}</span>`}</p>
    ${legend && dice.some((die) => die.status === 'ignored') && html`<p class="legend">${t('Struck through: does not count.')}</p>`}`;
}

/** @param {ShownDie[]} dice @returns {string} */
export const diceWords = (dice) => dice.slice(0, SHOWN).map(dieWords).join(language() === 'ja' ? '、' : ', ')
  + (dice.length > SHOWN ? ` ${t('and {count} more', { count: dice.length - SHOWN })}` : '');
