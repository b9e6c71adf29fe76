/**
 * Dice that are known when they are requested, as a secret roll's are: sums of dice and numbers, with keep and drop
 * (specs/dice-1.md, "The notation", of which this is a part). So a holder's own screen computes the result of a secret
 * roll, and asks no server.
 * @module
 */

import { MAX_DICE } from '../../../../verifier/web/constants.js';

/** @typedef {{how: string, count: number}} Keep */
/** @typedef {{sign: 1 | -1, count: number, sides: number, least: number, keeps: Keep[]} | {sign: 1 | -1, number: number}} Term `least`: what the lowest face counts */
/** @typedef {{dice: string, sides: number[], terms: Term[]}} Fixed `dice` as it is signed */

const DICE = /^(\d{0,4})d(\d{1,6}|%|F)(adv|dis)?((?:(?:k[hl]?|d[hl]?)\d{0,4}){0,4})$/u;
const KEEP = /(k[hl]?|d[hl]?)(\d*)/gu;
const NUMBER = /^(?:0|[1-9]\d{0,8})$/u;
/** Characters of a line of dice. */
const LONGEST = 200;

/** @param {string} text @param {1 | -1} sign @returns {Term | null} */
function termOf(text, sign) {
  if (NUMBER.test(text)) return { sign, number: Number(text) };
  const found = DICE.exec(text);
  if (found === null) return null;
  const [, many, die, adv, behind] = found;
  const count = many === '' ? 1 : Number(many);
  const sides = die === '%' ? 100 : die === 'F' ? 3 : Number(die);
  if (/^0/u.test(many) || /^0/u.test(die) || count > MAX_DICE || (adv !== undefined && count !== 1)) return null;
  const keeps = [...behind.matchAll(KEEP)].map(([, how, number]) => ({ how: how.length === 1 ? `${how}${how === 'k' ? 'h' : 'l'}` : how, number }));
  if (keeps.some(({ number }, i) => /^0/u.test(number) || (number === '' && i < keeps.length - 1))) return null;
  return {
    sign,
    sides,
    least: die === 'F' ? -1 : 1,
    count: adv === undefined ? count : 2,
    keeps: [
      ...(adv === undefined ? [] : [{ how: adv === 'adv' ? 'kh' : 'kl', count: 1 }]),
      ...keeps.map(({ how, number }) => ({ how, count: Number(number || 1) })),
    ],
  };
}

/** @param {string} typed @returns {Fixed | null} null where it is none that is read here */
export function fixedDice(typed) {
  const dice = typed.normalize('NFKC').replaceAll('−', '-').replace(/D/gu, 'd').trim().replace(/\s+/gu, ' ');
  if (dice.length > LONGEST) return null;
  const parts = dice.split(/ ?([+-]) ?/u);
  const terms = parts.flatMap((part, i) => (i % 2 === 1 ? [] : [termOf(part, parts[i - 1] === '-' ? -1 : 1)]));
  const sides = terms.flatMap((term) => (term !== null && 'sides' in term ? Array.from({ length: term.count }, () => term.sides) : []));
  if (sides.length === 0 || sides.length > MAX_DICE) return null;
  return terms.includes(null) ? null : { dice, sides, terms: /** @type {Term[]} */ (terms) };
}

/** @param {number[]} values of throws, in the order of their drawing @param {Keep[]} keeps @returns {boolean[]} which count */
function keptOf(values, keeps) {
  let kept = values.map((_, i) => i);
  for (const { how, count } of keeps) {
    const high = how.endsWith('h') ? -1 : 1;
    const chosen = [...kept].sort((a, b) => high * (values[a] - values[b]) || a - b).slice(0, count);
    kept = kept.filter((i) => chosen.includes(i) === how.startsWith('k'));
  }
  return values.map((_, i) => kept.includes(i));
}

/** @param {Fixed} fixed @param {number[]} naturals @returns {{total: number, counts: boolean[]}} `counts`: of each die whether it does */
export function totalOf({ terms }, naturals) {
  let [at, total] = [0, 0];
  /** @type {boolean[]} */
  const counts = [];
  for (const term of terms) {
    if ('number' in term) {
      total += term.sign * term.number;
      continue;
    }
    const values = naturals.slice(at, at + term.count).map((natural) => natural - 1 + term.least);
    at += term.count;
    const kept = keptOf(values, term.keeps);
    counts.push(...kept);
    total += term.sign * values.reduce((sum, value, i) => sum + (kept[i] ? value : 0), 0);
  }
  return { total, counts };
}
