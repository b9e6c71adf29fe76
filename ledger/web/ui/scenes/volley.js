/**
 * What a roll of Warhammer 40,000 came to: the dice that pass, and a volley from its shots to its damage on one line.
 * @module
 */

import { html } from '../html.js';
import { t } from '../words.js';
import { ownOf } from './typed.js';

/** @typedef {import('../../core/advice.js').Advised} Advised */
/** @typedef {import('./index.js').RollProps} RollProps */

/**
 * Returns the damage of failed saves, without the limit that a slain model loses no more wounds than it had.
 * @param {any} sequence @param {any[]} rolls told, of this volley @returns {number | null} null where something else changes it, or is not decided yet
 */
function dealt(sequence, rolls) {
  if (sequence.unsaved || sequence.mortal.length > 0 || rolls.some(({ own }) => own.for === 'ignore' || own.for === 'mortal')) return null;
  const fixed = sequence.groups.map((/** @type {any} */ { D, failed }) => (typeof D.value === 'number' ? D.value * failed : 0));
  const rolled = rolls.filter(({ own }) => own.for === 'damage').map(({ own }) => own.parts[0]?.result ?? 0);
  return [...fixed, ...rolled].reduce((all, each) => all + each, 0);
}

/** @param {any} sequence @param {number | null} dealt @returns {string[]} 20 shots, 14 hits, 9 wounds, 4 saves failed (with those whose damage is to be rolled), 4 damage; as far as it came */
function volleyWords(sequence, dealt) {
  const sum = (/** @type {string} */ name) =>
    sequence.groups.reduce((/** @type {number} */ all, /** @type {any} */ group) => all + (group[name] ?? 0), 0);
  const damage = sequence.damage.reduce((/** @type {number} */ all, /** @type {any} */ each) => all + each.normal + each.mortal, 0);
  const melee = sequence.groups.every((/** @type {any} */ group) => group.type === 'melee');
  const stages = [
    [
      sum('attacks'),
      (/** @type {number} */ count) => (melee ? t('{count} {count:attack|attacks}', { count }) : t('{count} {count:shot|shots}', { count })),
    ],
    [sum('hits'), (/** @type {number} */ count) => t('{count} {count:hit|hits}', { count })],
    [sum('wounds'), (/** @type {number} */ count) => t('{count} {count:wound|wounds}', { count })],
    [sum('failed') + (sequence.rolled?.failed ?? 0), (/** @type {number} */ count) => t('{count} {count:save|saves} failed', { count })],
    [
      damage,
      (/** @type {number} */ count) =>
        dealt !== null && dealt > count && count > 0
          ? t('{dealt} damage, {count} lost: no model loses more wounds than it has', { dealt, count })
          : t('{count} damage', { count }),
    ],
  ];
  let last = stages.findLastIndex(([count]) => /** @type {number} */ (count) > 0);
  if (sequence.status !== 'open' && last < stages.length - 1) last += 1;
  return stages.slice(0, last + 1).map(([count, words]) => /** @type {any} */ (words)(count));
}

/** The volley on one line. @param {{sequence: Advised, rolls: any[]}} props `rolls`: all that are told */
const Volley = ({ sequence, rolls }) =>
  html`<p class="volley">${volleyWords(
    sequence,
    dealt(
      sequence,
      rolls.filter(({ own }) => own?.sequence === sequence.sequence),
    ),
  ).map(
    (words, i) =>
      html`${i > 0 && html`<span class="then" aria-hidden="true">→</span><span class="unseen">, </span>`}<span class="stage">${words}</span>`,
  )}</p>`;

/**
 * Returns the parts of a test that are not decided, and those of them that pass if nobody rerolls their dice. Only plus and minus are
 * computed here.
 * @param {any} own of the roll @returns {{open: any[], passed: any[]} | null} null where they are not known
 */
function asTheyLie({ for: test, parts, modifiers, passes, fails, at_most: atMost }) {
  const open = parts.filter((/** @type {any} */ { needs, passed }) => needs !== null && passed === null);
  const steps = modifiers.map((/** @type {any} */ { op, amount }) => (op === 'add' ? amount : op === 'subtract' ? -amount : Number.NaN));
  const sum = steps.reduce((/** @type {number} */ all, /** @type {number} */ each) => all + each, 0);
  if (open.length === 0 || atMost || Number.isNaN(sum)) return null;
  const plus = test === 'save' ? sum : Math.max(-1, Math.min(1, sum));
  const isPassed = (/** @type {any} */ { unmodified, needs }) =>
    !fails.includes(unmodified) &&
    (passes.includes(unmodified) || (unmodified !== 1 && ((unmodified === 6 && test !== 'save') || unmodified + plus >= needs)));
  return { open, passed: open.filter(isPassed) };
}

/** Returns the outcome of a test if nobody rerolls its dice: players who may reroll have to know it before. @param {any} own of the roll @returns {string} empty: nothing to say */
function soFarWords(own) {
  const found = asTheyLie(own);
  if (found === null) return '';
  const count = found.passed.length;
  if (own.for === 'hit') return t('as they lie: {count} {count:hit|hits}', { count });
  if (own.for === 'wound') return t('as they lie: {count} {count:wound|wounds}', { count });
  return own.for === 'save' ? t('as they lie: {count} {count:save fails|saves fail}', { count: found.open.length - count }) : '';
}

/** Returns the dice that pass, decided or as they lie: an attack that hits, a save that is made. @param {Advised} told @returns {number[]} */
export function passed(told) {
  const own = told?.own;
  if (!Array.isArray(own?.parts)) return [];
  const sure = own.parts.filter((/** @type {any} */ part) => part.needs !== null && part.passed);
  return [...sure, ...(asTheyLie(own)?.passed ?? [])].flatMap((/** @type {any} */ { dice }) => dice);
}

/** The number that passed, large; in the tray, the outcome of a volley. @param {RollProps} props */
export function result({ told, snapshot }) {
  const { sequence, sequences = [] } = snapshot ? ownOf(snapshot) : {};
  const number = told?.own?.sequence ?? null;
  const volley = number === null ? undefined : [sequence, ...sequences].find((each) => each?.sequence === number);
  if (volley)
    return html`<${Volley} sequence=${volley} rolls=${snapshot?.advice?.state.rolls ?? []} />${told.status === 'open' && html`<span class="means so-far">${soFarWords(told.own)}</span>`}`;
  const judged = (told?.own?.parts ?? []).filter((/** @type {any} */ part) => part.passed !== null && part.needs !== null);
  if (judged.length < 2) return null;
  const passed = judged.filter((/** @type {any} */ part) => part.passed).length;
  const needs = [...new Set(judged.map((/** @type {any} */ part) => part.needs))];
  return html`<strong>${t('{passed} of {count}', { passed, count: judged.length })}</strong> ${needs.length === 1 && (told.own.at_most ? t('on {needs} or less', { needs: needs[0] }) : t('on {needs}+', { needs: needs[0] }))}`;
}

/** The outcome of a volley, under its last roll. @param {RollProps} props */
export function roll({ snapshot, roll: verified, told }) {
  const number = told?.own?.sequence ?? null;
  if (number === null) return null;
  const rolls = (snapshot.advice?.state.rolls ?? []).filter((/** @type {any} */ each) => each.own?.sequence === number);
  if (rolls[rolls.length - 1]?.roll !== verified.seq) return null;
  const { sequence, sequences = [] } = ownOf(snapshot);
  const whole = [sequence, ...sequences].find((each) => each?.sequence === number);
  return whole ? html`<${Volley} sequence=${whole} rolls=${snapshot.advice?.state.rolls ?? []} />` : null;
}
