/**
 * What keys do to a line of dice (specs/dice-1.md, "The notation"): each acts on its last dice, or adds some.
 * @module
 */

// A run of blanks or digits is looked at from its beginning alone, else a long one keeps the page busy for seconds.
/** What stands behind the dice: targets, what it is for, rows of a table. */
const TAIL = /(?<!\s)(?:\s+(?:vs|under|for)\s|\s*[|#])[\s\S]*$/u;
const CONSTANT = /(?<!\s)\s*([+\-−])\s*(\d+)$/u;
const TERM = /(?<!\d)(\d*)(d(?:%%|%|F|\d+))(adv|dis)?(!!p|!!|!p|!o|!)?(?:(k[hl])(\d*))?$/u;
const MOST = 99;

/** @typedef {{before: string, term: null | {count: number, die: string, adv: string, explode: string, keep: string, kept: number}, add: number, tail: string}} Parts */

/** @param {string} line @returns {Parts} */
export function partsOf(line) {
  const tail = TAIL.exec(line)?.[0] ?? '';
  const core = line.slice(0, line.length - tail.length).trimEnd();
  const constant = CONSTANT.exec(core);
  const dice = constant ? core.slice(0, constant.index) : core;
  const found = TERM.exec(dice);
  if (!found || dice.slice(0, found.index).endsWith(')')) return { before: core, term: null, add: 0, tail };
  const [text, count, die, adv = '', explode = '', keep = '', kept = ''] = found;
  const add = constant ? (constant[1] === '+' ? 1 : -1) * Number(constant[2]) : 0;
  return {
    before: dice.slice(0, dice.length - text.length),
    term: { count: Number(count || 1), die, adv, explode, keep, kept: Number(kept || 1) },
    add,
    tail,
  };
}

/** @param {Parts} parts @returns {string} */
export function lineOf({ before, term, add, tail }) {
  if (term === null) return before + tail;
  const { count, die, adv, explode, keep, kept } = term;
  const dice = `${count > 1 ? count : ''}${die}${adv}${explode}${keep ? keep + kept : ''}`;
  return `${before}${dice}${add === 0 ? '' : add > 0 ? ` + ${add}` : ` - ${-add}`}${tail}`;
}

/** @param {string} line @param {(term: NonNullable<Parts['term']>, parts: Parts) => Partial<NonNullable<Parts['term']>>} change @returns {string} */
function changed(line, change) {
  const parts = partsOf(line);
  return parts.term === null ? line : lineOf({ ...parts, term: { ...parts.term, ...change(parts.term, parts) } });
}

/**
 * Adds one more die of a kind: to the last dice if they are of it, otherwise as new ones.
 * @param {string} line
 * @param {string} die
 * @returns {string}
 */
export function addDie(line, die) {
  const parts = partsOf(line);
  if (parts.term?.die === die) return changeCount(line, 1);
  const [count, start] = die === 'dF' ? [4, '4dF'] : [1, die];
  if (parts.term === null) return `${parts.before && `${parts.before} + `}${start}${parts.tail}`;
  const before = lineOf({ ...parts, add: 0, tail: '' });
  return lineOf({ ...parts, before: `${before} + `, term: { count, die, adv: '', explode: '', keep: '', kept: 1 } });
}

/** @param {string} line @param {number} by @returns {string} */
export const changeCount = (line, by) =>
  changed(line, ({ count, keep, kept }) => {
    const next = Math.min(MOST, Math.max(1, count + by));
    return { count: next, adv: '', ...(next < 2 ? { keep: '' } : { kept: keep ? Math.min(kept, next - 1) : 1 }) };
  });

/** A line to change: without chosen dice it means a d20. @param {string} line @returns {string} */
const orD20 = (line) => (line.trim() === '' ? 'd20' : line);

/** @param {string} line @param {number} by @returns {string} */
export function changeAdd(line, by) {
  const parts = partsOf(orD20(line));
  return parts.term === null ? line : lineOf({ ...parts, add: parts.add + by });
}

/** A target right behind the dice. */
const TARGET = /^\s+(vs|under)\s+(-?\d+)(?=\s|$|[|#])/u;

/** Words that stand on a line as they are. */
const PLAIN = /^\p{L}[\p{L}’' ]*$/u;
/** Dice that hardly anybody means, and that a line has in quotation marks. */
const ODD = /[<=>]|d66/u;
const MEMBERS = new Set(['dice', 'least', 'most', 'source', 'table']);

/** @param {any} body of a roll @returns {string} the line that is read as it (specs/dice-1.md, "On one line"); empty where it is no such roll */
export function lineOfBody(body) {
  if (typeof body?.dice !== 'string' || Object.keys(body).some((name) => !MEMBERS.has(name))) return '';
  const words = (/** @type {string} */ text) => (PLAIN.test(text) ? text : JSON.stringify(text));
  const parts = [
    ODD.test(body.dice) ? JSON.stringify(body.dice) : body.dice,
    body.least === undefined ? '' : `vs ${body.least}`,
    body.most === undefined ? '' : `under ${body.most}`,
    body.source === undefined ? '' : `for ${words(body.source)}`,
    ...(body.table ?? []).map((/** @type {any} */ { range, effect }) => `| ${range} ${words(effect)}`),
  ];
  return parts.filter(Boolean).join(' ');
}

/** @typedef {{way: 'vs' | 'under', number: string}} Target `vs`: this or more; `under`: this or less */

/** @param {string} line @returns {Target | null} what it has to come to; null where it says nothing of that, or both */
export function targetOf(line) {
  const { tail } = partsOf(line);
  const found = TARGET.exec(tail);
  return found && !TARGET.test(tail.slice(found[0].length)) ? { way: /** @type {'vs'} */ (found[1]), number: found[2] } : null;
}

/** @param {string} line @param {Target | null} target @returns {string} with this target in the place of what it had */
export function withTarget(line, target) {
  const parts = partsOf(orD20(line));
  let { tail } = parts;
  while (TARGET.test(tail)) tail = tail.replace(TARGET, '');
  return lineOf({ ...parts, tail: `${target === null ? '' : ` ${target.way} ${target.number}`}${tail}` });
}

/**
 * Highest or lowest kept: of four dice first three, then fewer, then all again. One die becomes two.
 * @param {string} line @param {'kh' | 'kl'} keep @returns {string}
 */
export const turnKeep = (line, keep) =>
  changed(line, (term) => {
    if (term.count < 2) return { count: 2, adv: '', keep, kept: 1 };
    if (term.keep !== keep) return { adv: '', keep, kept: term.count - 1 };
    return term.kept > 1 ? { kept: term.kept - 1 } : { keep: '', kept: 1 };
  });

/** @param {string} line @param {'adv' | 'dis'} adv @returns {string} */
export const turnAdvantage = (line, adv) => changed(orD20(line), (term) => ({ adv: term.adv === adv ? '' : adv, count: 1, keep: '' }));

/** @param {string} line @returns {string} */
export const turnExplode = (line) => changed(line, (term) => ({ explode: term.explode ? '' : '!' }));
