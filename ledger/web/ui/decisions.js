/**
 * Decisions about dice: the dice of a roll that an action is about, and the tap on these dice that decides it
 * (specs/page.md, "The tray").
 * @module
 */

import { Act } from './act.js';
import { diceOf, faceOf } from './dice.js';
import { isOfDice } from './fields.js';
import { html, useState } from './html.js';
import { rerollsOf, toldRolls } from './log.js';
import { t } from './words.js';

/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */
/** @typedef {import('../core/index.js').ScreenTable} Table */
/** @typedef {import('./dice.js').Picking} Picking */
/** @typedef {import('./dice.js').ShownDie} ShownDie */
/** @typedef {import('./fields.js').Action} Action */
/** @typedef {import('./fields.js').Field} Field */

/** @param {Action} action @returns {Field | null} its field that names dice of a roll */
export const dieField = ({ body, fields }) =>
  typeof body?.roll !== 'number' || !Array.isArray(fields)
    ? null
    : (fields.find(
        (field) =>
          isOfDice(field) && (field.kind === 'some-of' || field.kind === 'one-of') && field.options?.every((each) => typeof each?.value === 'number'),
      ) ?? null);

/** @param {InGame} snapshot @param {Action} action @returns {Map<number, ShownDie> | null} the dice of its roll by their numbers, where it is about dice */
export function diceFor(snapshot, action) {
  if (dieField(action) === null) return null;
  const { rolls } = snapshot.game;
  const roll = rolls.find(({ seq }) => seq === action.body.roll);
  if (!roll) return null;
  const dice = diceOf(roll, toldRolls(snapshot).get(roll.seq) ?? null, rerollsOf(rolls, roll));
  return new Map(dice.map((die) => [die.number, die]));
}

/** @param {ShownRoll} roll @returns {number} the event by which its dice came to all; a secret roll comes to the table when it is shown */
export const came = ({ seq, end, ended, shown }) => (ended === 'reveal' ? shown : null) ?? end ?? seq;

/**
 * Returns what the tray shows: the latest roll that is over, and the roll whose dice are drawn. A reroll changes another roll's dice.
 * @param {ShownRoll[]} rolls @returns {{latest: ShownRoll | undefined, roll: ShownRoll | undefined}}
 */
export function inTray(rolls) {
  const over = rolls.filter((roll) => roll.ended !== null);
  const latest = over.reduce((/** @type {ShownRoll | undefined} */ last, each) => (last && came(last) > came(each) ? last : each), undefined);
  const changed =
    latest?.type === 'reroll' && latest.ended === 'reveal' && rolls.find((roll) => roll.seq === latest.body?.roll && roll.ended === 'reveal');
  return { latest, roll: changed || latest };
}

/**
 * Returns the actions that a tap on dice of a roll decides: they have nothing else to choose.
 * @param {Action[]} actions
 * @param {number} seq of the roll
 * @returns {Action[]}
 */
export const decidedByDice = (actions, seq) =>
  actions
    .filter((action) => {
      const field = dieField(action);
      return action.type === 'reroll' && !action.held && field !== null && action.body.roll === seq && action.fields.length === 1;
    })
    .slice(0, 2);

/** @param {Field} field @param {number[]} chosen @param {number} number @returns {number[]} after a tap on a die */
function picked(field, chosen, number) {
  if (chosen.includes(number)) return chosen.filter((each) => each !== number);
  const most = field.kind === 'one-of' ? 1 : (field.most ?? Infinity);
  return [...chosen, number].slice(-most);
}

/**
 * The choice that a tap on dice of the tray makes.
 * @param {Action[]} actions that are decided by dice @param {number} seq of the roll @returns {Picking | null}
 */
export function usePicking(actions, seq) {
  const [state, setState] = useState({ seq, chosen: /** @type {number[]} */ ([]) });
  const field = actions.length > 0 ? dieField(actions[0]) : null;
  if (field === null) return null;
  const options = [...new Set(actions.flatMap((action) => (dieField(action)?.options ?? []).map(({ value }) => Number(value))))];
  const chosen = state.seq === seq ? state.chosen.filter((number) => options.includes(number)) : [];
  return { options, chosen, onPick: (number) => setState({ seq, chosen: picked(field, chosen, number) }) };
}

/**
 * The decisions below the dice: one tap for each, once dice are chosen. The server's name for each stands beside it.
 * @param {{table: Table, snapshot: InGame, actions: Action[], dice: ShownDie[], pick: Picking}} props
 */
export function Decide({ table, snapshot, actions, dice, pick }) {
  if (pick.chosen.length === 0) return html`<p class="decide hint">${t('Tap dice to roll them again.')}</p>`;
  const shown = pick.chosen.map((number) => dice.find((die) => die.number === number)).filter((die) => die !== undefined);
  const faces = shown.map(faceOf).join(t(', '));
  const fits = actions.filter(
    (action) =>
      pick.chosen.every((number) => dieField(action)?.options?.some(({ value }) => value === number)) &&
      pick.chosen.length >= (dieField(action)?.least ?? 1),
  );
  return html`<div class="decide">${fits.map((action) => {
    const field = /** @type {Field} */ (dieField(action));
    const chosen = [...pick.chosen].sort((a, b) => a - b);
    return html`<${Act} key=${JSON.stringify(action.body)} table=${table} snapshot=${snapshot} type=${action.type} kind="main" short=${t('Reroll the {faces}', { faces })}
      body=${{ ...action.body, [field.name]: field.kind === 'one-of' ? chosen[0] : chosen }} advice=${action.label} />`;
  })}</div>`;
}
