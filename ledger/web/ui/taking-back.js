/**
 * Taking the latest roll back: a player asks in one tap, the others answer in one (specs/page.md, "Taking a roll
 * back").
 * @module
 */

import { Act, canAct } from './act.js';
import { diceOf, faceOf } from './dice.js';
import { html, useState } from './html.js';
import { listed, t } from './words.js';

/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */
/** @typedef {import('../core/index.js').ScreenTable} Table */

/** Dice that a question names one by one. */
const NAMED = 4;

/** @param {InGame['game']} game @param {ShownRoll} roll @returns {string} who took it back; empty where it stands */
export function takenBackWords({ takenBack }, roll) {
  const taken = takenBack.find((each) => each.roll === roll.seq);
  return taken ? t('{names} took it back: nothing comes of it.', { names: listed(taken.by) }) : '';
}

/** @param {ShownRoll} roll @returns {import('./words.js').Value} the dice of it, as they lie in this browser's own log */
function diceNamed(roll) {
  const faces = diceOf(roll, null, []).map((die) => String(faceOf(die)));
  return faces.length > NAMED ? t('{count} {count:die|dice}', { count: faces.length }) : listed(faces);
}

/**
 * The text in the place of a result while all are asked, and the button to ask. It has the height of the result.
 * @param {{table: Table, snapshot: InGame, roll: ShownRoll, purpose: string}} props
 */
export function TakingBack({ table, snapshot, roll, purpose }) {
  const { me, game, stage } = snapshot;
  const [refused, setRefused] = useState(-1);
  const strike = game.strike;
  if (stage !== 'playing' || strike?.roll !== roll.seq || !me?.seated) return null;
  const mine = strike.missing.includes(me.name);
  const body = { roll: roll.seq };
  if (strike.by.length === 0) {
    if (!mine || !canAct(snapshot)) return null;
    return html`<div class="take-back"><${Act} table=${table} snapshot=${snapshot} type="strike" body=${body} kind="quiet small" short=${t('Take this roll back')} face=${''} /></div>`;
  }
  if (!mine) {
    return html`<div class="take-back asked"><p role="status">${t('{names} would take it back. Waits for {missing}.', { names: listed(strike.by), missing: listed(strike.missing) })}</p></div>`;
  }
  if (refused === roll.seq) return null;
  return html`<div class="take-back asked" role="group" aria-labelledby="take-back-title">
    <p id="take-back-title" role="status"><strong>${t('Take back the {dice}? Asked by: {names}.', { dice: diceNamed(roll), names: listed(strike.by) })}</strong> <span class="purpose">${t('{author}: {purpose}', { author: roll.author, purpose: { text: purpose } })}</span></p>
    <div class="row"><${Act} table=${table} snapshot=${snapshot} type="strike" body=${body} kind="main" short=${t('Yes, take it back')} face=${''} />
      <button type="button" onclick=${() => setRefused(roll.seq)}>${t('No')}</button></div></div>`;
}
