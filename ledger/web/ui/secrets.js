/**
 * Rolls behind a screen (specs/page.md, "Secret rolls"): the form to ask for one, the results of one's own, and what
 * everybody else reads.
 *
 * The purpose and the result of a secret roll stand on its holder's screen alone: nothing here asks a server.
 * @module
 */

import { canAct } from './act.js';
import { LargeDice } from './dice.js';
import { saveAll } from './files.js';
import { html, useMemo, useState } from './html.js';
import { Button, Fold } from './parts.js';
import { fixedDice, totalOf } from './scenes/fixed-dice.js';
import { listed, t } from './words.js';

/** @typedef {import('../core/holder.js').Outcome} Outcome */
/** @typedef {import('../core/snapshot.js').InGame} InGame */
/** @typedef {import('../core/snapshot.js').Seated} Seated */
/** @typedef {import('../core/snapshot.js').ShownRoll} ShownRoll */
/** @typedef {import('../core/index.js').ScreenTable} Table */

const EXAMPLE = '2d6 + 3';

/** Returns whether it is a secret roll whose dice only its holder knows. @param {ShownRoll} roll @returns {boolean} */
export const isBehind = (roll) => roll.holder !== null && roll.ended === 'reveal' && roll.shown === null;

/** The text that everybody reads of it. @param {ShownRoll} roll @returns {string} */
export const behindWords = ({ author, holder, body }) =>
  author === holder
    ? t('{holder} rolled behind the screen', { holder: String(holder) })
    : body?.source
      ? t('{author} rolled blind ({purpose}): {holder} alone sees the dice', { author, holder: String(holder), purpose: String(body.source) })
      : t('{author} rolled blind: {holder} alone sees the dice', { author, holder: String(holder) });

/**
 * Returns what everybody may read of a secret roll's purpose, and its dice if it was shown.
 * @param {{body: any, purpose?: string, shown?: number | null}} roll
 * @returns {string}
 */
export const secretPurpose = ({ body, purpose = '', shown = null }) =>
  [purpose || body.source, shown === null ? '' : body.dice]
    .filter(Boolean)
    .map((text) => t('{text}', { text }))
    .join(' · ');

/** The text of a secret roll that was shown. @param {ShownRoll} roll @returns {string} */
export const shownWords = ({ holder }) => t('It was rolled behind the screen; {holder} chose to show it.', { holder: String(holder) });

/**
 * The result of an own secret roll.
 * @param {InGame} snapshot
 * @param {ShownRoll} roll
 * @returns {Outcome | null} null where another holds it
 */
export const ownOutcome = (snapshot, roll) => snapshot.game.secrets.find((each) => each.request === roll.seq) ?? null;

/** @param {ShownRoll} roll @param {Outcome} outcome @returns {{dice: import('./dice.js').ShownDie[], total: number | null}} `total` null: these dice are not added up here */
function told(roll, { naturals, sides }) {
  const fixed = typeof roll.body?.dice === 'string' ? fixedDice(roll.body.dice) : null;
  const same = fixed !== null && fixed.sides.length === naturals.length;
  const { total, counts } = same ? totalOf(fixed, naturals) : { total: null, counts: naturals.map(() => true) };
  const faces = /^\d*dF/u.test(String(roll.body?.dice)) && sides.every((each) => each === 3) ? ['−', '', '+'] : null;
  return {
    total,
    dice: naturals.map((natural, i) => ({
      sides: sides[i],
      naturals: [natural],
      result: natural,
      status: counts[i] ? 'counted' : 'ignored',
      faces,
      card: '',
      drawn: false,
      number: i + 1,
      passed: false,
    })),
  };
}

/** @param {ShownRoll} roll @param {Outcome} outcome @returns {string} what it was for, as its holder knows it */
const purposeOf = (roll, { text }) => text ?? String(roll.body?.source ?? '');

/**
 * Returns it in words, for a button and for people who listen.
 * @param {ShownRoll} roll
 * @param {Outcome} outcome
 * @returns {string}
 */
export function outcomeWords(roll, outcome) {
  const { total } = told(roll, outcome);
  const came = total === null ? outcome.naturals.join(', ') : String(total).replace('-', '−');
  const purpose = purposeOf(roll, outcome);
  return purpose === ''
    ? t('{dice}: {came}', { dice: String(roll.body?.dice ?? ''), came })
    : t('{dice} for {purpose}: {came}', { dice: String(roll.body?.dice ?? ''), purpose, came });
}

/** Shows it to all, in words that say what they will read. @param {{table: Table, roll: ShownRoll, outcome: Outcome}} props */
const Show = ({ table, roll, outcome }) =>
  html`<${Button} kind="main" onTap=${() => table.game.show(roll.seq)}>${t('Show everybody: {what}', { what: outcomeWords(roll, outcome) })}<//>`;

/**
 * The holder's tray: the dice, with the mark that nobody else sees them. `felt` is the surface on which dice lie.
 * @param {{table: Table, snapshot: InGame, roll: ShownRoll, outcome: Outcome}} props
 */
export function OwnSecret({ table, snapshot, roll, outcome }) {
  const { dice, total } = told(roll, outcome);
  return html`<p class="only-you"><strong>${t('Only you see this')}</strong> ${purposeOf(roll, outcome) && html`<span class="purpose">${purposeOf(roll, outcome)}</span>`}</p>
    <div class="felt"><${LargeDice} key=${roll.seq} dice=${dice} /></div>
    <p class="outcome"><span class="quietly">${roll.body.dice}</span> ${total !== null && html`<span class="unseen">${t('total')}</span> <strong class="total">${String(total).replace('-', '−')}</strong>`}</p>
    ${canAct(snapshot) && html`<div class="to-show"><${Show} table=${table} roll=${roll} outcome=${outcome} /></div>`}`;
}

/** @param {{table: Table, snapshot: InGame, roll: ShownRoll, outcome: Outcome}} props */
function Held({ table, snapshot, roll, outcome }) {
  const { dice } = told(roll, outcome);
  return html`<div class="thing"><p>${outcomeWords(roll, outcome)}${roll.author !== roll.holder && html` <small>${t('asked for by {author}', { author: roll.author })}</small>`}</p>
    <${LargeDice} dice=${dice} />
    <div class="row">${canAct(snapshot) && html`<${Show} table=${table} roll=${roll} outcome=${outcome} />`}
      <${Button} onTap=${async () => saveAll([await table.game.showFile(roll.seq)])}>${t('As a file that shows it')}<//></div></div>`;
}

/**
 * The secret rolls that this party holds and has not shown, to show later, or after the game by a file.
 * @param {{table: Table, snapshot: InGame}} props
 */
export function BehindMyScreen({ table, snapshot }) {
  const { secrets, rolls } = snapshot.game;
  if (secrets.length === 0) return null;
  const held = secrets.flatMap((outcome) => rolls.filter((roll) => roll.seq === outcome.request).map((roll) => ({ roll, outcome }))).reverse();
  return html`<${Fold} title=${t('Behind my screen')} hint=${String(held.length)} className="offer behind">
    <p class="hint">${t('Only you see these. If you show some, the log says how many others are not shown. A file shows the same to anybody who has the log, even after the game.')}</p>
    ${held.map(({ roll, outcome }) => html`<${Held} key=${roll.seq} table=${table} snapshot=${snapshot} roll=${roll} outcome=${outcome} />`)}<//>`;
}

/**
 * The form to ask for a secret roll: an own one, or one that only a game master sees.
 * @param {{table: Table, snapshot: Seated, Act: Function}} props
 */
export function RollBehind({ table, snapshot, Act }) {
  const { holders } = snapshot.game;
  const [chosen, setHolder] = useState('');
  const [dice, setDice] = useState('');
  const [purpose, setPurpose] = useState('');
  const me = snapshot.me.name;
  const holder = holders.includes(chosen) ? chosen : holders[0];
  const fixed = useMemo(() => fixedDice(dice), [dice]);
  const own = holder === me;
  const words = purpose.trim();
  const { body, problem } = useMemo(() => {
    if (fixed === null || holder === undefined) return { body: null, problem: '' };
    try {
      const why = words === '' ? {} : own ? { hidden: table.game.hide(words) } : { source: words };
      return { body: { dice: fixed.dice, sealed: holder, sides: fixed.sides, ...why }, problem: '' };
    } catch (error) {
      return { body: null, problem: String(/** @type {Error} */ (error).message) };
    }
  }, [fixed, holder, words]);
  if (holder === undefined) return null;
  const title = holders[0] === me ? t('Roll behind the screen') : t('Roll blind: only the game master sees the dice');
  return html`<${Fold} title=${title} className="offer behind-screen">
    ${
      holders.length > 1 &&
      html`<fieldset class="field"><legend>${t('Who sees the dice')}</legend><div class="keys">${holders.map(
        (name) => html`
      <label class="key" key=${name}><input type="radio" name="holder" checked=${name === holder} onchange=${() => setHolder(name)} /><span>${name === me ? t('only me') : t('only {name}', { name })}</span></label>`,
      )}</div></fieldset>`
    }
    <div class="field"><label for="secret-dice">${t('Dice')}</label>
      <input id="secret-dice" class="typed" type="text" autocomplete="off" autocapitalize="off" spellcheck=${false} aria-describedby="secret-dice-hint" value=${dice} oninput=${(event) => setDice(event.currentTarget.value)} />
      <p class="hint" id="secret-dice-hint">${
        dice !== '' && fixed === null
          ? t('Dice with plus, minus, keep and drop, such as {example} or 4d6kh3; without rerolls and explosions. What they are for stands below.', {
              example: EXAMPLE,
            })
          : html`${t('such as {example}', { example: EXAMPLE })}${dice === '' && html` <button type="button" class="quiet small" onclick=${() => setDice(EXAMPLE)}>${t('Use this')}</button>`}`
      }</p></div>
    <div class="field"><label for="secret-for">${own ? t('What for: only you read it, until you show it') : t('What for: everybody reads it')} <small>${t('(may be left out)')}</small></label>
      <input id="secret-for" type="text" maxlength="200" autocomplete="off" value=${purpose} oninput=${(event) => setPurpose(event.currentTarget.value)} />
      ${problem && html`<p class="problem">${problem}</p>`}</div>
    <p class="hint">${t('Nothing in the game depends on such a roll: it is a record. The log counts those that are not shown.')}</p>
    <${Act} type="roll" body=${body} kind="main" short=${own ? t('Roll: only I see it') : t('Roll: only {name} sees it', { name: String(holder) })} missing=${t('first type what to roll')}
      onDone=${() => {
        setDice('');
        setPurpose('');
      }} /><//>`;
}

/**
 * The term of a table that says who may roll in secret.
 * @param {import('../core/snapshot.js').ShownTable} table
 * @returns {string[]}
 */
export const secretTerms = ({ sealed }) =>
  sealed === null
    ? []
    : [
        sealed === 'kept'
          ? t(
              'The game master may roll behind a screen. Only the game master sees such dice, and chooses whether to show them. Nothing in the game depends on them. The log counts the rolls that are not shown.',
            )
          : t(
              'The players and the game master may roll behind a screen. Only the holder sees such dice, and chooses whether to show them. Nothing in the game depends on them. The log counts the rolls that are not shown.',
            ),
      ];

/**
 * The number of secret rolls of each holder, beside statistics that leave them out.
 * @param {ShownRoll[]} rolls
 * @returns {string} empty where there were none
 */
export function leftOut(rolls) {
  const holders = [...new Set(rolls.flatMap((roll) => (roll.holder !== null && roll.ended === 'reveal' ? [roll.holder] : [])))];
  return holders.length === 0
    ? ''
    : t('Rolls behind a screen are left out: {rolls}.', {
        rolls: listed(
          holders.map((holder) => {
            const all = rolls.filter((roll) => roll.holder === holder && roll.ended === 'reveal');
            return t('{holder} {count}, of which {shown} shown', {
              holder,
              count: all.length,
              shown: all.filter((roll) => roll.shown !== null).length,
            });
          }),
        ),
      });
}
