/**
 * Any dice: a line to type and keys to press; calls that wait for an answer, decks to draw from.
 * @module
 */

import { html, useState } from '../html.js';
import { Fold } from '../parts.js';
import { t } from '../words.js';
import { addDie, changeAdd, changeCount, partsOf, turnAdvantage, turnExplode, turnKeep } from './line.js';
import { Key, Keys, ownOf, ResultRows, Steps, TypedLine, useKept } from './typed.js';

/** @typedef {import('../fields.js').Action} Action */
/** @typedef {import('../../core/advice.js').Advised} Advised */
/** @typedef {import('../../core/snapshot.js').Seated} Seated */
/** @typedef {import('./index.js').RollProps} RollProps */
/** @typedef {import('./index.js').QuickProps} QuickProps */
/** @typedef {import('./index.js').SceneProps} SceneProps */
/** @typedef {import('../../core/table.js').Table} Table */

const DICE = ['d4', 'd6', 'd8', 'd10', 'd12', 'd20', 'd100', 'd%', 'dF'];
/** Lines that are kept to be rolled again. */
const LATEST = 5;

/** @typedef {{line: string, body: {[name: string]: unknown}}} Rolled */

/** @param {{table: Table, snapshot: Seated, Act: Function, action: Action, main: boolean}} props */
function Dice({ table, snapshot, Act, action, main }) {
  const [line, setLine] = useState('');
  const [latest, setLatest] = useKept(snapshot, 'lines', /** @type {Rolled[]} */ ([]));
  const { term, add } = partsOf(line);
  const rolled = (/** @type {any} */ body) => {
    setLatest([{ line, body }, ...latest.filter((each) => each.line !== line)].slice(0, LATEST));
    setLine((now) => (now === line ? '' : now)); // what was typed meanwhile stays
  };
  return html`
    <${TypedLine} table=${table} Act=${Act} request=${{ action }} id="line" type="roll" line=${line} setLine=${setLine} label=${t('What to roll')} example=${action.line?.example ?? ''}
      missing=${t('type it, or press dice')} onDone=${rolled} kind=${main ? 'main' : ''}>
      <${Keys} label=${t('Dice')} className="dice-keys">${DICE.map((die) => html`<${Key} key=${die} label=${t('one more {die}', { die })} onTap=${() => setLine(addDie(line, die))}>${die}<//>`)}<//>
      <div class="tuning">
        <${Steps} label=${t('how many')} value=${term ? term.count : '–'} onLess=${() => setLine(changeCount(line, -1))} onMore=${() => setLine(changeCount(line, 1))} />
        <${Steps} label=${t('plus or minus')} value=${add > 0 ? `+${add}` : String(add).replace('-', '−')} onLess=${() => setLine(changeAdd(line, -1))} onMore=${() => setLine(changeAdd(line, 1))} />
      </div>
      <${Keys} label=${t('Which dice count')} className="tune-keys">
        <${Key} on=${term?.adv === 'adv'} off=${!term} onTap=${() => setLine(turnAdvantage(line, 'adv'))}>${t('advantage')}<//>
        <${Key} on=${term?.adv === 'dis'} off=${!term} onTap=${() => setLine(turnAdvantage(line, 'dis'))}>${t('disadvantage')}<//>
        <${Key} on=${term?.keep === 'kh'} off=${!term} onTap=${() => setLine(turnKeep(line, 'kh'))}>${term?.keep === 'kh' ? t('keep the highest {count}', { count: term.kept }) : t('keep highest')}<//>
        <${Key} on=${term?.keep === 'kl'} off=${!term} onTap=${() => setLine(turnKeep(line, 'kl'))}>${term?.keep === 'kl' ? t('keep the lowest {count}', { count: term.kept }) : t('keep lowest')}<//>
        <${Key} on=${Boolean(term?.explode)} off=${!term} onTap=${() => setLine(turnExplode(line))}>${t('exploding')}<//>
        <${Key} off=${line === ''} onTap=${() => setLine('')}>${t('clear')}<//>
      <//>
    <//>
    ${latest.length > 0 && html`<div class="again"><h3>${t('Rolled before: once more')}</h3>
      ${latest.map(({ line: before, body }) => html`<${Act} key=${before} type="roll" body=${body} short=${before} />`)}</div>`}`;
}

/** Calls that this party has still to answer, and decks: in one tap where nothing has to be filled in. @param {QuickProps} props */
function quick({ table, snapshot, actions, Act, ActionForm }) {
  const roll = actions.find((/** @type {any} */ action) => action.type === 'roll' && action.line && Object.keys(action.body).length === 0);
  const answers = actions.filter((/** @type {any} */ action) => action.type === 'roll' && 'call' in action.body);
  const draws = actions.filter((/** @type {any} */ action) => action.type === 'roll' && 'deck' in action.body);
  const calling = actions.find((/** @type {any} */ action) => action.type === 'declare' && action.body.what === 'call');
  const calls = ownOf(snapshot).calls ?? [];
  const bonus = (/** @type {any} */ action) => calls.find((/** @type {any} */ call) => call.call === action.body.call);
  return html`
    ${answers.map((/** @type {any} */ action) => html`<div class="offer called" key=${action.body.call}><h3>${bonus(action)?.source ?? action.label}</h3>
      <p class="quietly">${action.label}</p><${ActionForm} action=${action} /></div>`)}
    ${roll && html`<${Dice} table=${table} snapshot=${snapshot} Act=${Act} action=${roll} main=${answers.length === 0} />`}
    ${draws.map((/** @type {any} */ action) => html`<${Act} key=${action.body.deck} type="roll" body=${{ ...action.body, draw: 1 }} short=${t('Draw one from {deck}', { deck: action.body.deck })} />`)}
    ${calling && html`<${Fold} title=${t('Call for a roll')} className="offer"><${ActionForm} action=${calling} /><//>`}`;
}

/** @param {{calls: Advised[]}} props */
const Calls = ({ calls }) => calls.map((/** @type {any} */ call) => html`<div class="thing" key=${call.call}>
  <h3>${call.source}</h3>
  <p>${t('Call {call} of {gm}.', { call: call.call, gm: call.gm })} ${call.dice ?? ''} ${call.least !== null ? t('{least} or more', { least: call.least }) : ''} ${call.most !== null ? t('{most} or less', { most: call.most }) : ''}</p>
  <p class="quietly">${Object.keys(call.answers).length > 0 && t('Answered: {names}.', { names: { names: Object.keys(call.answers) } })} ${call.waiting.length > 0 && t('Still to answer: {names}.', { names: { names: call.waiting } })}</p></div>`);

/** @param {{decks: {[name: string]: Advised}}} props */
const Decks = ({ decks }) => Object.entries(decks).map(([name, deck]) => html`<div class="thing" key=${name}>
  <h3>${name} <small>${t('declared by {owner}', { owner: deck.owner })}</small></h3>
  <p><strong>${t('{left} of {all} left', { left: deck.left, all: deck.items.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.count, 0) })}</strong></p>
  <ul class="tokens">${deck.items.map((/** @type {any} */ item) => html`<li class=${item.left === 0 ? 'gone' : ''}>${item.left === 0 ? html`<s>${item.item}</s> <span>${t('none left')}</span>` : html`${item.item}${item.count > 1 && html` <strong>×${item.left}</strong>`}`}</li>`)}</ul></div>`);

/** @param {SceneProps} props */
function table({ snapshot }) {
  const own = ownOf(snapshot);
  return html`<${Calls} calls=${own.calls ?? []} /><${Decks} decks=${own.decks ?? {}} />`;
}

/** The rows of the roll's table, with the one that came up. @param {RollProps} props */
function roll({ told }) {
  const rows = told?.own?.table ?? [];
  if (rows.length === 0) return null;
  const hits = new Set((told.own.results ?? []).map((/** @type {any} */ result) => result.row));
  return html`<${ResultRows} title=${t('Its table')} rows=${rows.map((/** @type {any} */ row, /** @type {number} */ i) => ({ ...row, hit: hits.has(i + 1) }))} />`;
}

/** What stands above, with all its fields, is not listed again. */
const takes = (/** @type {any} */ action) => (action.type === 'roll' && 'call' in action.body) || (action.type === 'declare' && action.body.what === 'call');

export const scene = { quick, table, roll, takes };
