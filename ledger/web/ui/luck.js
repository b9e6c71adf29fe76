/**
 * Luck: faces seen and expected, and what they can show and cannot (specs/luck.md).
 * @module
 */

import { html, useState } from './html.js';
import { Section } from './parts.js';
import { leftOut } from './secrets.js';
import { calledOf, t } from './words.js';

/** @typedef {import('../core/snapshot.js').InGame} InGame */

/** The number of kinds of dice that are shown one by one, for each player (specs/luck.md, `MAX_KINDS_EACH`). */
const KINDS = 20;
/** Dice with more faces than this are not shown face by face. */
const FACES = 30;

/** @typedef {{player: string, sides: number, dice: number, counts: Map<number, number>}} Tally */

/** @param {any[]} rolls verified @returns {Tally[]} of each player and kind of die, the most dice first */
export function tally(rolls) {
  /** @type {Map<string, Tally>} */
  const found = new Map();
  for (const roll of rolls) {
    // Of secret rolls their holder chooses which are known.
    if (roll.ended !== 'reveal' || !roll.naturals || roll.unaccepted.length > 0 || roll.holder !== null) continue;
    roll.naturals.forEach((/** @type {number} */ natural, /** @type {number} */ i) => {
      const sides = roll.sides[i];
      if (sides < 2) return;
      const key = `${sides} ${roll.author}`;
      const each = found.get(key) ?? { player: roll.author, sides, dice: 0, counts: new Map() };
      each.dice++;
      each.counts.set(natural, (each.counts.get(natural) ?? 0) + 1);
      found.set(key, each);
    });
  }
  return [...found.values()].sort((a, b) => b.dice - a.dice);
}

/** @param {number} number @returns {string} with one decimal place */
const decimal = (number) => (Number.isInteger(number) ? String(number) : number.toFixed(1));

/** @param {Tally} tally @returns {string} */
function average({ dice, sides, counts }) {
  const sum = [...counts].reduce((all, [face, count]) => all + face * count, 0);
  return t('average {seen}, to be expected {expected}', { seen: (sum / dice).toFixed(2), expected: ((sides + 1) / 2).toFixed(2) });
}

/** @param {{one: Tally}} props */
const Faces = ({ one }) => {
  const expected = one.dice / one.sides;
  const faces = Array.from({ length: one.sides }, (_, i) => i + 1);
  return html`<div class="wide" tabindex="0" role="group" aria-label=${t('{player}, d{sides}', { player: one.player, sides: one.sides })}><table class="faces">
    <thead><tr><th scope="col">${t('face')}</th>${faces.map((face) => html`<th scope="col">${face}</th>`)}</tr></thead>
    <tbody><tr><th scope="row">${t('seen')}</th>${faces.map((face) => html`<td>${one.counts.get(face) ?? 0}</td>`)}</tr>
      <tr><th scope="row">${t('to be expected')}</th>${faces.map(() => html`<td>${decimal(expected)}</td>`)}</tr></tbody></table></div>`;
};

/** @param {{snapshot: InGame}} props */
export function Luck({ snapshot }) {
  const all = tally(snapshot.game.rolls);
  const names = [...new Set(all.map(({ player }) => player))].sort();
  const [who, setWho] = useState('');
  const left = snapshot.game.rolls.filter((roll) => roll.unaccepted.length > 0).length;
  const shown = all.filter(({ player }) => who === '' || player === who).slice(0, KINDS);
  return html`<${Section} id="luck" title=${t('Luck')} className="luck">
    ${leftOut(snapshot.game.rolls) && html`<p class="hint">${leftOut(snapshot.game.rolls)}</p>`}
    ${left > 0 && html`<p class="hint">${t('Rolls that were made without somebody, who has not accepted them: {count}. Their dice are not counted here.', { count: left })}</p>`}
    ${
      all.length === 0
        ? html`<p class="quietly">${t('No dice yet.')}</p>`
        : html`
      ${
        names.length > 1 &&
        html`<div class="filters"><label class="unseen" for="lucky">${t('Whose')}</label>
        <select id="lucky" onchange=${(event) => setWho(event.currentTarget.value)}><option value="" selected=${who === ''}>${t('Everybody')}</option>
          ${names.map((name) => html`<option value=${name} selected=${who === name}>${calledOf(name)}</option>`)}</select></div>`
      }
      ${shown.map(
        (one) => html`<div class="tally" key=${`${one.player} ${one.sides}`}>
        <h3>${t('{player}, d{sides}', { player: one.player, sides: one.sides })} <small>${t('{count} {count:die|dice}', { count: one.dice })} · ${average(one)}</small></h3>
        ${one.sides <= FACES && html`<${Faces} one=${one} />`}</div>`,
      )}
      <p class="hint">${t('Every natural counts here, ignored and rerolled ones too, under the player who asked for it. These counts convict nobody: honest dice are uneven too, and few dice cannot show a small bias. Among many counts, some always look unusual.')}</p>
      <p class="hint">${t('The roll itself shows that its dice are fair, whatever it came to. {command} says of the saved log how unusual its counts are (p-values, corrected for their number).', { command: 'rollproof stats' })}</p>`
    }
  <//>`;
}
