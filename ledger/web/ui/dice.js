/**
 * Dice as they look: drawn shapes with their number. Dice that no longer count are greyed and struck through, with a
 * word for it. The tray and the log draw the same dice. Only verified naturals are drawn: the server's word sorts them,
 * and adds none.
 * @module
 */

import { html } from './html.js';
import { t } from './words.js';

/** @typedef {import('../core/advice.js').Advised} Advised */
/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */

/** A text of the server's; the parts that do not count stand between `~~`. @param {{text: string}} props */
export const Struck = ({ text }) => text.split('~~').map((part, i) => (i % 2 ? html`<s>${part}</s>` : part));

/**
 * @typedef {object} ShownDie the last natural counts
 * @property {number} sides @property {number[]} naturals verified @property {number | null} result the server's
 * @property {string} status the server's: `counted` or `ignored` @property {string[] | null} faces of the die, from the signed notation
 * @property {string} card what was drawn, in the server's words @property {boolean} drawn from a deck
 * @property {number} number of the die in its roll, from 1 @property {boolean} passed whether it reaches its target, by the server's word
 */
/**
 * @typedef {object} Picking dice that can be chosen by a tap on them
 * @property {number[]} options numbers of dice @property {number[]} chosen of them @property {(number: number) => void} onPick
 */

/** Dice that a line shows; a tap shows the others. */
const SHOWN = 40;
/** From this number of dice on they are shown as a heap, which counts itself. */
export const HEAP = 30;
/** Different faces that a heap shows. */
const PILES = 24;

const FATE = /^\d*dF(?:\s*[+-]\s*\d+)?$/u;
const NAMED = /^\d*d\{([^{}[\]]+)\}$/u;

const UNNUMBERED = /^\d*(planar|coin)$/u;

/** The faces of dice that have words and no number: a coin, and the planar die (specs/mtg.md, 705 and 706.7). @param {number} sides @returns {string[]} */
const unnumbered = (sides) =>
  sides === 2 ? [t('heads'), t('tails')] : [t('planeswalk'), ...Array.from({ length: 4 }, () => t('blank')), t('chaos')];

/**
 * Returns the faces of the dice, if the signed notation has such dice alone.
 * @param {ShownRoll} roll
 * @returns {string[] | null}
 */
function facesOf({ body }) {
  const dice = typeof body?.dice === 'string' ? body.dice : '';
  const special = UNNUMBERED.exec(dice);
  if (special) return unnumbered(special[1] === 'coin' ? 2 : 6);
  if (FATE.test(dice)) return ['−', '', '+'];
  return (
    NAMED.exec(dice)?.[1]
      .split(',')
      .map((face) => face.trim().split('=')[0]) ?? null
  );
}

/**
 * Returns whether the server's dice of a roll are these very dice: all that were rolled, and none besides them and
 * those that rolled them again.
 * @param {Advised[]} told @param {ShownRoll} roll @param {ShownRoll[]} again its rerolls @returns {boolean}
 */
function areThese(told, roll, again) {
  if (told.some((die) => !Array.isArray(die?.naturals) || die.naturals.length === 0)) return false;
  /** @type {Map<string, number>} */
  const left = new Map();
  const add = (/** @type {string} */ key) => left.set(key, (left.get(key) ?? 0) + 1);
  const take = (/** @type {string} */ key) => {
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count > 0;
  };
  const keys = (/** @type {ShownRoll} */ each) => (each.naturals ?? []).map((natural, i) => `${each.sides?.[i] ?? 0} ${natural}`);
  told.forEach((die) => die.naturals.forEach((/** @type {number} */ natural) => add(`${die.sides} ${natural}`)));
  if (!keys(roll).every(take)) return false;
  again.flatMap(keys).forEach(take);
  return [...left.values()].every((count) => count === 0);
}

/**
 * The faces of one die among dice of several kinds, which the server sorts.
 * @param {Advised} die
 * @param {Advised} told of its roll
 * @returns {string[] | null}
 */
const facesOfOne = ({ sides, result }, { notation }) => (result === null && /planar|coin/u.test(String(notation ?? '')) ? unnumbered(sides) : null);

/**
 * Returns what one of the server's dice shows: its result, or the word on its face.
 * @param {Advised} die
 * @param {Advised} told of its roll
 * @returns {string}
 */
export const shownOf = (die, told) => String(die.result ?? facesOfOne(die, told)?.[die.naturals[die.naturals.length - 1] - 1] ?? '');

/** Returns the server's name for a card. @param {Advised} die @returns {string} */
function cardOf({ text, naturals }) {
  const words = String(text ?? '').replaceAll('~~', '');
  const natural = `${naturals[naturals.length - 1]} `;
  const at = words.lastIndexOf(natural);
  return at < 0 ? '' : words.slice(at + natural.length);
}

/**
 * Returns the dice of a roll: verified naturals, and the server's words for each if there are any.
 * @param {ShownRoll} roll @param {Advised} told the server's, or null @param {ShownRoll[]} [again] requests that rolled dice of it again
 * @param {number[]} [passed] numbers of the dice that reach their target, in what the server tells @returns {ShownDie[]}
 */
export function diceOf(roll, told, again = [], passed = []) {
  if (roll.ended !== 'reveal') return [];
  const faces = facesOf(roll);
  const drawn = typeof roll.body?.deck === 'string';
  if (Array.isArray(told?.dice) && told.dice.length > 0 && roll.type !== 'reroll' && areThese(told.dice, roll, again)) {
    return told.dice.map((/** @type {Advised} */ die) => ({
      sides: die.sides,
      naturals: die.naturals,
      result: die.result,
      status: die.status,
      faces: faces ?? facesOfOne(die, told),
      card: drawn ? cardOf(die) : '',
      drawn,
      number: die.die,
      passed: passed.includes(die.die),
    }));
  }
  return (roll.naturals ?? []).map((natural, i) => ({
    sides: roll.sides?.[i] ?? 0,
    naturals: [natural],
    result: natural,
    status: 'counted',
    faces,
    card: '',
    drawn,
    number: i + 1,
    passed: false,
  }));
}

/** @param {ShownDie} die @returns {number} */
const lastOf = ({ naturals }) => naturals[naturals.length - 1];

/** @param {ShownDie} die @param {number} natural @returns {string} what it shows */
function faceWords({ faces, card }, natural) {
  if (card) return card;
  return faces === null ? String(natural) : faces[natural - 1] || t('blank');
}

/** @param {ShownDie} die @returns {string} what it shows in words */
export function dieWords(die) {
  const last = faceWords(die, lastOf(die));
  const earlier = die.naturals.slice(0, -1).map((natural) => t('{natural} (rerolled)', { natural: faceWords({ ...die, card: '' }, natural) }));
  const now = die.status === 'ignored' ? t('{natural} (does not count)', { natural: last }) : last;
  return [...earlier, now].join(', ');
}

/** @param {ShownDie[]} dice @returns {{sides: number, dice: ShownDie[]}[]} dice of one kind that stand together */
function runs(dice) {
  /** @type {{sides: number, dice: ShownDie[]}[]} */
  const found = [];
  for (const die of dice) {
    const last = found[found.length - 1];
    if (last && last.sides === die.sides && (last.dice[0].faces === null) === (die.faces === null)) last.dice.push(die);
    else found.push({ sides: die.sides, dice: [die] });
  }
  return found;
}

// --- how they are drawn, in a square of 100 ---------------------------------------------------------------------------

/** The outline, and the visible edges, by the number of sides. @type {{[sides: number]: [string, string]}} */
const SHAPES = {
  2: ['M50 3A47 47 0 1 1 50 97A47 47 0 1 1 50 3Z', 'M50 11A39 39 0 1 1 50 89A39 39 0 1 1 50 11Z'],
  4: ['M50 6L97 90H3Z', ''],
  6: ['M20 5H80A15 15 0 0 1 95 20V80A15 15 0 0 1 80 95H20A15 15 0 0 1 5 80V20A15 15 0 0 1 20 5Z', ''],
  8: ['M50 2L94 50L50 98L6 50Z', 'M6 50L50 74L94 50M50 74V98'],
  10: ['M50 3L96 44V56L50 97L4 56V44Z', 'M50 3L80 58L50 74L20 58ZM20 58L4 50M80 58L96 50M50 74V97'],
  12: [
    'M50 3L77.6 12L94.7 35.5V64.5L77.6 88L50 97L22.4 88L5.3 64.5V35.5L22.4 12Z',
    'M50 18L80.4 40.1L68.8 75.9H31.2L19.6 40.1ZM50 18V3M80.4 40.1L94.7 35.5M68.8 75.9L77.6 88M31.2 75.9L22.4 88M19.6 40.1L5.3 35.5',
  ],
  20: [
    'M50 3L92 26V74L50 97L8 74V26Z',
    'M50 19L81 71H19ZM50 19V3M50 19L92 26M50 19L8 26M81 71L92 26M81 71L92 74M81 71L50 97M19 71L8 26M19 71L8 74M19 71L50 97',
  ],
  100: ['M50 3A47 47 0 1 1 50 97A47 47 0 1 1 50 3Z', 'M50 18L88 50L50 82L12 50ZM50 18V3M88 50H97M50 82V97M12 50H3'],
};
const ROUND = SHAPES[2];

/** The places of the pips of a d6. @type {[number, number][][]} */
const PIPS = (() => {
  const [a, b, c] = [27, 50, 73];
  /** @type {[number, number][]} */
  const two = [
    [a, a],
    [c, c],
  ];
  /** @type {[number, number][]} */
  const four = [...two, [c, a], [a, c]];
  return [[], [[b, b]], two, [...two, [b, b]], four, [...four, [b, b]], [...four, [a, b], [c, b]]];
})();

/** A shape without a number, for keys and before the first roll. @param {{sides: number}} props */
export function Shape({ sides }) {
  const [outline, edges] = SHAPES[sides] ?? ROUND;
  return html`<svg class="shape" viewBox="0 0 100 100" aria-hidden="true" focusable="false"><path class="body" d=${outline} />${edges && html`<path class="edges" d=${edges} />`}</svg>`;
}

/** @param {ShownDie} die @returns {boolean} whether its faces are words, too long for a cube */
const isWorded = ({ faces }) => faces?.some((words) => words.length > 2) ?? false;

/** @param {ShownDie} die @param {number} natural @returns {import('./html.js').Content} what stands on it */
function face(die, natural) {
  if (die.drawn) return html`<span class="card-words">${die.card || html`<span aria-hidden="true">…</span>`}</span>`;
  if (die.faces !== null) {
    const words = die.faces[natural - 1] ?? '';
    if (isWorded(die)) return html`<span class="card-words">${words}</span>`;
    return html`<${Shape} sides=${6} /><span class="number">${words || html`<span class="unseen">${t('blank')}</span>`}</span>`;
  }
  if (die.sides === 6) {
    return html`<svg class="shape" viewBox="0 0 100 100" aria-hidden="true" focusable="false"><path class="body" d=${SHAPES[6][0]} />${(
      PIPS[natural] ?? []
    ).map(([x, y]) => html`<circle class="pip" cx=${x} cy=${y} r="9.5" />`)}</svg><span class="unseen">${natural}</span>`;
  }
  return html`<${Shape} sides=${die.sides} /><span class=${natural > 99 ? 'number long' : 'number'}>${natural}</span>`;
}

/** @param {number} sides @returns {string} */
const lookOf = (sides) => (SHAPES[sides] ? `d${sides}` : 'round');

/**
 * One die, with what was rerolled before it. `told`: a natural 20 or 1 of a d20 has its words below it.
 * @param {{die: ShownDie, told?: boolean}} props
 */
function Die({ die, told = false }) {
  const last = lastOf(die);
  const out = die.status === 'ignored';
  const plain = die.faces === null && !die.drawn;
  const look = `die ${die.drawn ? 'drawn' : isWorded(die) ? 'worded' : die.faces ? 'd6' : lookOf(die.sides)}`;
  const extreme = !out && plain && die.sides === 20 ? (last === 20 ? 'high' : last === 1 ? 'low' : '') : '';
  const natural = told && extreme ? t('natural {number}', { number: last }) : '';
  return html`<span class="throw">${die.naturals.slice(0, -1).map((each) => html`<s class=${`${look} out`}>${face({ ...die, card: '' }, each)}<span class="unseen"> ${t('rerolled')}</span></s> `)}
    ${
      out
        ? html`<s class=${`${look} out`}>${face(die, last)}<span class="unseen"> ${t('does not count')}</span></s>`
        : html`<b class=${`${look} ${extreme} ${die.passed ? 'passed' : ''}`}>${face(die, last)}${die.passed && html`<span class="tick" aria-hidden="true">✓</span><span class="unseen"> ${t('success')}</span>`}</b>`
    }${natural && html` <span class=${`natural ${extreme}`}>${natural}</span>`}${
      !out && plain && die.result !== null && die.result !== last
        ? html`<span class="becomes"><span aria-hidden="true">→</span><span class="unseen">${t('counts as')}</span> ${die.result}</span>`
        : ''
    }</span>`;
}

/** @param {{sides: number, dice: ShownDie[]}} run @returns {string} */
const kindOf = ({ sides, dice }) => (dice[0].drawn || dice[0].faces ? '' : `${dice.length === 1 ? '' : dice.length}d${sides}`);

/** @param {{dice: ShownDie[], legend?: boolean}} props */
export function Dice({ dice, legend = true }) {
  return html`<p class="dice">${runs(dice.slice(0, SHOWN)).map(
    (run) => html`<span class="run">${kindOf(run) && html`<span class="kind">${kindOf(run)}</span>`}
    ${run.dice.map((die) => html`<${Die} die=${die} /> `)}</span>`,
  )}
    ${dice.length > SHOWN && html`<span class="kind">${t('and {count} more', { count: dice.length - SHOWN })}</span>`}</p>
    ${legend && dice.some((die) => die.status === 'ignored') && html`<p class="legend">${t('Struck through: does not count.')}</p>`}`;
}

/** A die on a key: its last face. @param {{die: ShownDie}} props */
export const OnKey = ({ die }) =>
  html`<b class=${`die ${die.drawn ? 'drawn' : isWorded(die) ? 'worded' : die.faces ? 'd6' : lookOf(die.sides)}`}>${face(die, lastOf(die))}</b>`;

/** @param {ShownDie} die @returns {string} what it shows now, in words */
export const faceOf = (die) => faceWords(die, lastOf(die));

/**
 * A die of the tray; one that can be chosen is a key.
 * @param {{die: ShownDie, dice?: ShownDie[], pick: Picking | null}} props `dice`: those of its pile, of which a tap takes the next
 */
function Pickable({ die, dice = [die], pick }) {
  const free = pick ? dice.filter(({ number }) => pick.options.includes(number)) : [];
  if (!pick || free.length === 0) return html`<${Die} die=${die} told=${dice.length === 1} />`;
  const chosen = free.filter(({ number }) => pick.chosen.includes(number));
  const next = free.find(({ number }) => !pick.chosen.includes(number)) ?? free[0];
  return html`<button type="button" class="pick" aria-pressed=${chosen.length > 0 ? 'true' : 'false'} aria-label=${dice.length === 1 ? t('die {number}: {face}', { number: die.number, face: faceOf(die) }) : t('{count} {count:die|dice}: {face}', { count: dice.length, face: faceOf(die) })} onclick=${() => pick.onPick(next.number)}>
    <${Die} die=${die} told=${dice.length === 1} />${chosen.length > 1 && html` <span class="times">${chosen.length}</span>`}</button>`;
}

/** The size of dice by the number of faces to show. @param {number} count @returns {string} */
const sizeOf = (count) => (count <= 1 ? 'one' : count <= 3 ? 'few' : count <= 8 ? 'some' : count <= 15 ? 'many' : 'most');

/** A heap: one die for each face, and how many dice show it. @param {{dice: ShownDie[], pick: Picking | null}} props */
function Heap({ dice, pick }) {
  /** @type {Map<string, {die: ShownDie, all: ShownDie[]}>} */
  const piles = new Map();
  for (const die of dice) {
    const only = { ...die, naturals: [lastOf(die)] };
    const key = `${die.sides} ${lastOf(die)} ${die.status} ${die.result} ${die.card} ${die.passed}`;
    piles.set(key, { die: only, all: [...(piles.get(key)?.all ?? []), die] });
  }
  const sorted = [...piles.values()].sort(
    (a, b) => Number(a.die.status === 'ignored') - Number(b.die.status === 'ignored') || a.die.sides - b.die.sides || lastOf(b.die) - lastOf(a.die),
  );
  const rest = sorted.slice(PILES).reduce((sum, { all }) => sum + all.length, 0);
  return html`<p class=${`dice heap ${sizeOf(Math.min(sorted.length, PILES) * 2)}`}>${sorted.slice(0, PILES).map(({ die, all }) => html`<span class="pile"><${Pickable} die=${die} dice=${all} pick=${pick} /> <span class="times">×${all.length}</span></span> `)}
    ${rest > 0 && html`<span class="kind">${t('and {count} more', { count: rest })}</span>`}</p>`;
}

/** The dice of the tray, in the largest size that fits. @param {{dice: ShownDie[], pick?: Picking | null}} props */
export const LargeDice = ({ dice, pick = null }) =>
  dice.length >= HEAP
    ? html`<${Heap} dice=${dice} pick=${pick} />`
    : html`<p class=${`dice ${sizeOf(dice.reduce((sum, die) => sum + die.naturals.length, 0))}`}>${dice.map((die) => html`<${Pickable} die=${die} pick=${pick} /> `)}</p>`;

/**
 * @param {{naturals: number[] | null, body: any}} roll @param {any} told the server's words for it
 * @returns {boolean} whether its result is only what its one die shows, which this browser has checked
 */
export const showsResult = ({ naturals, body }, told) =>
  naturals?.length === 1 && body?.deck === undefined && String(told?.summary ?? '').replace(/^= /, '') === String(naturals[0]);

/** @param {ShownDie[]} dice @returns {string} */
export const diceWords = (dice) =>
  dice.slice(0, SHOWN).map(dieWords).join(t(', ')) + (dice.length > SHOWN ? ` ${t('and {count} more', { count: dice.length - SHOWN })}` : '');
