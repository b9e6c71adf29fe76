/**
 * Any dice: dice that a tap throws, a line to type and keys that build it; calls that wait for an answer, decks to draw from.
 * @module
 */

import { signedWords } from '../act.js';
import { Shape } from '../dice.js';
import { save } from '../files.js';
import { html, useEffect, useState } from '../html.js';
import { useLine } from '../fields.js';
import { Fold } from '../parts.js';
import { Reading } from '../reading.js';
import { RollBehind } from '../secrets.js';
import { t } from '../words.js';
import { addDie, changeAdd, changeCount, lineOfBody, partsOf, targetOf, turnAdvantage, turnExplode, turnKeep, withTarget } from './line.js';
import { Key, Keys, ownOf, ResultRows, Steps, Text, TypedLine, useKept } from './typed.js';

/** @typedef {import('../fields.js').Action} Action */
/** @typedef {import('../../core/advice.js').Advised} Advised */
/** @typedef {import('../../core/snapshot.js').Seated} Seated */
/** @typedef {import('./index.js').RollProps} RollProps */
/** @typedef {import('./index.js').QuickProps} QuickProps */
/** @typedef {import('./index.js').SceneProps} SceneProps */
/** @typedef {import('../../core/index.js').ScreenTable} Table */

/** Dice that a tap throws: what stands on the key, the notation that is signed, and the shape. @type {[string, string, number][]} */
const THROWN = [
  ['d4', 'd4', 4],
  ['d6', 'd6', 6],
  ['d8', 'd8', 8],
  ['d10', 'd10', 10],
  ['d12', 'd12', 12],
  ['d20', 'd20', 20],
  ['d%', 'd%', 100],
  ['4dF', '4dF', 6],
];
const DICE = ['d4', 'd6', 'd8', 'd10', 'd12', 'd20', 'd100', 'd%', 'dF'];
/** Lines that are kept to be rolled again. */
const LATEST = 5;
/** Favourites that a browser keeps, at most. */
const FAVOURITES = 40;
const KEPT = 'rollproof favourites dice-1';
/** Characters of a favourite's name and line. */
const LONGEST = 200;

/** @typedef {{line: string, body: {[name: string]: unknown}}} Rolled */

/** @typedef {{name: string, line: string}} Favourite */

/** @param {unknown} found what a browser or a file has @returns {Favourite[]} */
const favouritesOf = (found) =>
  (Array.isArray(found) ? found : [])
    .filter(
      (each) =>
        typeof each?.name === 'string' &&
        typeof each.line === 'string' &&
        each.name.trim() !== '' &&
        each.line.trim() !== '' &&
        each.name.length <= LONGEST &&
        each.line.length <= LONGEST,
    )
    .map(({ name, line }) => ({ name, line }))
    .slice(0, FAVOURITES);

/** @type {Favourite[] | null} favourites of this browser; null: not read yet */
let known = null;
/** Parts of the screen that show them. @type {Set<() => void>} */
const shownIn = new Set();

/** @returns {Favourite[]} */
function knownFavourites() {
  if (known !== null) return known;
  try {
    known = favouritesOf(JSON.parse(localStorage.getItem(KEPT) ?? '[]'));
  } catch {
    known = [];
  }
  return known;
}

/** @param {Favourite[]} next */
function keepFavourites(next) {
  known = next.slice(0, FAVOURITES);
  try {
    localStorage.setItem(KEPT, JSON.stringify(known));
  } catch {
    /* then until the page is left */
  }
  for (const show of shownIn) show();
}

/** Favourites of this browser, at every table. @returns {[Favourite[], (next: Favourite[]) => void]} */
function useFavourites() {
  const [, again] = useState(0);
  useEffect(() => {
    const show = () => again((count) => count + 1);
    shownIn.add(show);
    return () => {
      shownIn.delete(show);
    };
  }, []);
  return [knownFavourites(), keepFavourites];
}

/** The key that makes a line a favourite, or no longer one. @param {{line: string}} props */
function Star({ line }) {
  const [all, setAll] = useFavourites();
  const on = all.some((each) => each.line === line);
  return html`<button type="button" class="star" aria-pressed=${on ? 'true' : 'false'} aria-label=${t('Favourite: {line}', { line })}
    onclick=${() => setAll(on ? all.filter((each) => each.line !== line) : [{ name: line, line }, ...all])}><span aria-hidden="true">${on ? '★' : '☆'}</span> ${t('Favourite')}</button>`;
}

/** The form for a favourite that is typed. @param {{table: Table, request: object}} props */
function Add({ table, request }) {
  const [all, setAll] = useFavourites();
  const [line, setLine] = useState('');
  const [name, setName] = useState('');
  const { body, problem, lines, readAs, reading } = useLine(table, request, line);
  const text = line.trim();
  const add = () => {
    if (!body) return;
    setAll([{ name: (name.trim() || text).slice(0, LONGEST), line: text }, ...all.filter((each) => each.line !== text)]);
    setLine('');
    setName('');
  };
  const missing =
    text === '' ? t('first type what to roll') : reading ? t('being read…') : body && text.length <= LONGEST ? '' : t('cannot be read yet');
  return html`<div class="add-favourite"><h4>${t('Add a favourite')}</h4>
    <${Text} label=${t('What is rolled')} value=${line} onChange=${setLine} example="d20 + 7 for Longsword" />
    <${Text} label=${t('What it is called (may be left out)')} value=${name} onChange=${(/** @type {string} */ next) => setName(next.slice(0, LONGEST))} />
    <div aria-live="polite"><${Reading} problem=${problem} lines=${lines} readAs=${readAs} onLine=${setLine} /></div>
    <button type="button" class="sign" aria-disabled=${missing ? 'true' : null} onclick=${() => !missing && add()}><span class="verb">${t('Add to favourites')}</span>${missing && html`<span class="said">${missing}</span>`}</button></div>`;
}

/**
 * A favourite. Its line is read anew at each table, and a tap signs it.
 * @param {{table: Table, Act: Function, request: object, favourite: Favourite}} props
 */
const Kept = ({ table, Act, request, favourite }) =>
  html`<${TypedLine} table=${table} Act=${Act} request=${request} type="roll" line=${favourite.line} label="" made=${true} kind="" short=${favourite.name} />`;

/**
 * Favourites, their names, and the file that they go into.
 * @param {{all: Favourite[], setAll: (next: Favourite[]) => void, table: Table, Act: Function, request: object}} props
 */
function Favourites({ all, setAll, table, Act, request }) {
  const [problem, setProblem] = useState('');
  const take = async (/** @type {any} */ event) => {
    const [file] = event.currentTarget.files;
    event.currentTarget.value = '';
    try {
      const found = favouritesOf(JSON.parse(await file.text()).favourites);
      setAll([...found, ...all.filter((each) => !found.some(({ name }) => name === each.name))]);
      setProblem(found.length === 0 ? t('There are no favourites in this file.') : '');
    } catch {
      setProblem(t('There are no favourites in this file.'));
    }
  };
  const rename = (/** @type {Favourite} */ favourite, /** @type {string} */ name) =>
    setAll(all.map((each) => (each === favourite ? { ...each, name: name.slice(0, LONGEST) } : each)));
  return html`<div class="favourites">${all.length > 0 && html`<h3>${t('Favourites')}</h3>`}
    ${all.map((favourite, i) => html`<${Kept} key=${i} table=${table} Act=${Act} request=${request} favourite=${favourite.name.trim() === '' ? { ...favourite, name: favourite.line } : favourite} />`)}
    <${Fold} title=${t('Favourites: add, name, save')} hint=${t('or tap the star of a roll, here or in the log')} className="plain">
      <${Add} table=${table} request=${request} />
      ${all.map(
        (
          favourite,
          i,
        ) => html`<div class="favourite" key=${i}><${Text} label=${favourite.line} value=${favourite.name} onChange=${(/** @type {string} */ name) => rename(favourite, name)} />
        <button type="button" class="quiet" onclick=${() => setAll(all.filter((each) => each !== favourite))}>${t('Remove {name}', { name: favourite.name })}</button></div>`,
      )}
      <div class="row">${all.length > 0 && html`<button type="button" onclick=${() => save('rollproof-favourites.json', new Blob([`${JSON.stringify({ favourites: all }, null, 2)}\n`]))}>${t('Save favourites')}</button>`}
        <label class="file">${t('Take favourites from a file')} <input type="file" accept=".json,application/json" onchange=${take} /></label></div>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}<//></div>`;
}

/**
 * The event that each key signs, in words.
 * @param {{table: Table, snapshot: Seated, bodyOf: (dice: string) => {[name: string]: any}}} props
 */
const Signs = ({ table, snapshot, bodyOf }) =>
  html`<dl>${THROWN.map(
    ([short, dice]) => html`
      <div key=${dice}><dt>${short}</dt><dd>${signedWords(table, snapshot, { type: 'roll', body: bodyOf(dice) })}</dd></div>`,
  )}</dl>`;

/**
 * The target of the dice: a number, and whether more or less than it passes.
 * @param {{line: string, setLine: (line: string) => void}} props
 */
function Against({ line, setLine }) {
  const [under, setUnder] = useState(false);
  const target = targetOf(line);
  const way = (target ? target.way === 'under' : under) ? 'under' : 'vs';
  const turn = (/** @type {boolean} */ next) => {
    setUnder(next);
    if (target) setLine(withTarget(line, { way: next ? 'under' : 'vs', number: target.number }));
  };
  const set = (/** @type {string} */ text) => {
    const number = text.replace(/[^\d]/gu, '').slice(0, 9);
    setUnder(way === 'under'); // if the number is gone, its direction stays
    if (number !== '' || target) setLine(withTarget(line, number === '' ? null : { way, number: String(Number(number)) }));
  };
  return html`<div class="against"><${Text} label=${t('Target')} inputmode="numeric" value=${target?.number ?? ''} onChange=${set} example=${t('none')} />
    <${Keys} label=${t('Target')}><${Key} on=${way === 'vs'} onTap=${() => turn(false)}>${t('or more')}<//><${Key} on=${way === 'under'} onTap=${() => turn(true)}>${t('or less')}<//><//></div>`;
}

/**
 * The keys, which come first; then the calls that wait for this party, and all else.
 * @param {{table: Table, snapshot: Seated, Act: Function, action: Action, main: boolean, children?: import('../html.js').Content}} props
 */
function Dice({ table, snapshot, Act, action, main, children = null }) {
  const [line, setLine] = useState('');
  const [latest, setLatest] = useKept(snapshot, 'lines', /** @type {Rolled[]} */ ([]));
  const [favourites, setFavourites] = useFavourites();
  const { term, add } = partsOf(line);
  const rolled = (/** @type {any} */ body) => {
    setLatest([{ line, body }, ...latest.filter((each) => each.line !== line)].slice(0, LATEST));
    setLine((now) => (now === line ? '' : now)); // text that was typed meanwhile stays
  };
  const dead = !term && line.trim() !== ''; // these keys cannot read it; without a line they mean a d20
  const thrown = (/** @type {string} */ dice) => ({ ...action.body, dice });
  return html`
    <div class="thrown" role="group" aria-label=${t('Throw at once')}>${THROWN.map(
      ([short, dice, sides]) => html`
      <${Act} key=${dice} type="roll" body=${thrown(dice)} short=${short} face=${html`<span class="blank"><${Shape} sides=${sides} /></span>`}
        onAdd=${() => setLine(addDie(line, short === '4dF' ? 'dF' : short))} />`,
    )}</div>
    <${Fold} title=${t('What a tap signs')} className="plain signs"><${Signs} table=${table} snapshot=${snapshot} bodyOf=${thrown} /><//>
    ${children}
    <${TypedLine} table=${table} Act=${Act} request=${{ action }} id="line" type="roll" line=${line} setLine=${setLine} label=${t('What to roll')} example=${action.line?.example ?? ''} known=${[...latest.map((each) => each.line), ...favourites.map((each) => each.line)]}
      missing=${t('type it, or open “More dice”')} onDone=${rolled} kind=${main ? 'main' : ''}>
      <${Fold} title=${t('More dice, plus and minus, advantage, target')} className="plain">
      <${Keys} label=${t('Dice')} className="dice-keys">${DICE.map((die) => html`<${Key} key=${die} label=${t('one more {die}', { die })} onTap=${() => setLine(addDie(line, die))}>${die}<//>`)}<//>
      <div class="tuning">
        <${Steps} label=${t('how many')} off=${!term} value=${term ? term.count : '–'} onLess=${() => setLine(changeCount(line, -1))} onMore=${() => setLine(changeCount(line, 1))} />
        <${Steps} label=${t('plus or minus')} off=${dead} value=${add > 0 ? `+${add}` : String(add).replace('-', '−')} onLess=${() => setLine(changeAdd(line, -1))} onMore=${() => setLine(changeAdd(line, 1))} />
      </div>
      <${Keys} label=${t('Which dice count')} className="tune-keys">
        <${Key} on=${term?.adv === 'adv'} off=${dead} onTap=${() => setLine(turnAdvantage(line, 'adv'))}>${t('advantage')}<//>
        <${Key} on=${term?.adv === 'dis'} off=${dead} onTap=${() => setLine(turnAdvantage(line, 'dis'))}>${t('disadvantage')}<//>
        <${Key} on=${term?.keep === 'kh'} off=${!term} onTap=${() => setLine(turnKeep(line, 'kh'))}>${term?.keep === 'kh' ? t('keep the highest {count}', { count: term.kept }) : t('keep highest')}<//>
        <${Key} on=${term?.keep === 'kl'} off=${!term} onTap=${() => setLine(turnKeep(line, 'kl'))}>${term?.keep === 'kl' ? t('keep the lowest {count}', { count: term.kept }) : t('keep lowest')}<//>
        <${Key} on=${Boolean(term?.explode)} off=${!term} onTap=${() => setLine(turnExplode(line))}>${t('exploding')}<//>
        <${Key} off=${line === ''} onTap=${() => setLine('')}>${t('clear')}<//>
      <//>
      <${Against} line=${line} setLine=${setLine} /><//>
    <//>
    ${
      latest.length > 0 &&
      html`<div class="again"><h3>${t('Rolled before: once more')}</h3>
      ${latest.map(
        ({ line: before, body }) =>
          html`<div class="with-star" key=${before}><${Act} type="roll" body=${body} short=${before} /><${Star} line=${before} /></div>`,
      )}</div>`
    }
    <${Favourites} all=${favourites} setAll=${setFavourites} table=${table} Act=${Act} request=${{ action }} />`;
}

/**
 * Calls that this party must still answer, and decks: with one tap if nothing has to be filled in.
 * @param {QuickProps} props
 */
function quick({ table, snapshot, actions, Act, ActionForm }) {
  const roll = actions.find((/** @type {any} */ action) => action.type === 'roll' && action.line && Object.keys(action.body).length === 0);
  const answers = actions.filter((/** @type {any} */ action) => action.type === 'roll' && 'call' in action.body);
  const draws = actions.filter((/** @type {any} */ action) => action.type === 'roll' && 'deck' in action.body);
  const plays = actions.filter((/** @type {any} */ action) => action.type === 'declare' && action.body.what === 'play');
  const calling = actions.find((/** @type {any} */ action) => action.type === 'declare' && action.body.what === 'call');
  const calls = ownOf(snapshot).calls ?? [];
  const bonus = (/** @type {any} */ action) => calls.find((/** @type {any} */ call) => call.call === action.body.call);
  const called = answers.map(
    (
      /** @type {any} */ action,
      /** @type {number} */ at,
    ) => html`<div class="offer called" key=${action.body.call}><h3 id=${at === 0 ? 'asked-title' : null} tabindex="-1">${bonus(action)?.source ?? action.label}</h3>
      <p class="quietly">${action.label}</p><${ActionForm} action=${action} /></div>`,
  );
  return html`
    ${roll ? html`<${Dice} table=${table} snapshot=${snapshot} Act=${Act} action=${roll} main=${answers.length === 0}>${called}<//>` : called}
    ${draws.map(
      (
        /** @type {any} */ action,
      ) => html`<${Act} key=${action.body.deck} type="roll" body=${{ ...action.body, draw: 1 }} short=${t('Draw one from {deck}', { deck: action.body.deck })} />
      <${Act} key=${`${action.body.deck} to hand`} type="roll" body=${{ ...action.body, draw: 1, hand: true }} short=${t('Draw one from {deck} to the hand', { deck: action.body.deck })} />`,
    )}
    ${plays.map((/** @type {any} */ action) => html`<${Fold} key=${action.body.deck} title=${t('Play from the hand, of {deck}', { deck: action.body.deck })} className="offer"><${ActionForm} action=${action} /><//>`)}
    <${RollBehind} table=${table} snapshot=${snapshot} Act=${Act} />
    ${calling && html`<${Fold} title=${t('Call for a roll')} className="offer"><${ActionForm} action=${calling} /><//>`}`;
}

/** @param {{calls: Advised[]}} props */
const Calls = ({ calls }) =>
  calls.map(
    (/** @type {any} */ call) => html`<div class="thing" key=${call.call}>
  <h3>${call.source}</h3>
  <p>${t('Call {call} of {gm}.', { call: call.call, gm: call.gm })} ${call.dice ?? ''} ${call.least !== null ? t('{least} or more', { least: call.least }) : ''} ${call.most !== null ? t('{most} or less', { most: call.most }) : ''}</p>
  <p class="quietly">${Object.keys(call.answers).length > 0 && t('Answered: {names}.', { names: { names: Object.keys(call.answers) } })} ${call.waiting.length > 0 && t('Still to answer: {names}.', { names: { names: call.waiting } })}</p></div>`,
  );

/** @param {{decks: {[name: string]: Advised}}} props */
const Decks = ({ decks }) =>
  Object.entries(decks).map(
    ([name, deck]) => html`<div class="thing" key=${name}>
  <h3>${name} <small>${t('declared by {owner}', { owner: deck.owner })}</small></h3>
  <p><strong>${t('{left} of {all} left', { left: deck.left, all: deck.items.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.count, 0) })}</strong></p>
  <ul class="tokens">${deck.items.map((/** @type {any} */ item) => html`<li class=${item.left === 0 ? 'gone' : ''}>${item.left === 0 ? html`<s>${item.item}</s> <span>${t('none left')}</span>` : html`${item.item}${item.count > 1 && html` <strong>×${item.left}</strong>`}`}</li>`)}</ul>
  ${Object.entries(deck.hands).map(
    ([
      holder,
      hand,
    ]) => html`<p key=${holder}>${t('{holder} holds {count}:', { holder, count: hand.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.count, 0) })}
    ${' '}${hand.map((/** @type {any} */ each) => (each.count > 1 ? `${each.count} ${each.item}` : each.item)).join(', ')}</p>`,
  )}</div>`,
  );

/** @param {SceneProps} props */
function table({ snapshot }) {
  const own = ownOf(snapshot);
  return html`<${Calls} calls=${own.calls ?? []} /><${Decks} decks=${own.decks ?? {}} />`;
}

/** The rows of the roll's table, with the one that came up; and its star. @param {RollProps} props */
function roll({ snapshot, roll: verified, told }) {
  const line = snapshot.me?.seated && verified.ended === 'reveal' ? lineOfBody(verified.body) : '';
  const star = line !== '' && line.length <= LONGEST && html`<${Star} line=${line} />`;
  const rows = told?.own?.table ?? [];
  if (rows.length === 0) return star;
  const hits = new Set((told.own.results ?? []).map((/** @type {any} */ result) => result.row));
  return html`${star}<${ResultRows} title=${t('Its table')} rows=${rows.map((/** @type {any} */ row, /** @type {number} */ i) => ({ ...row, hit: hits.has(i + 1) }))} />`;
}

/** Returns the dice that count as successes, and a die that reaches the target of its roll by itself. @param {any} told @returns {number[]} */
function passed(told) {
  const results = told?.own?.results ?? [];
  return results.flatMap((/** @type {any} */ result) => {
    const throws = result.terms.flatMap((/** @type {any} */ term) => term.throws);
    const counted = throws.filter((/** @type {any} */ each) => each.successes > 0);
    const kept = throws.filter((/** @type {any} */ each) => each.kept);
    const alone = result.passed && kept.length === 1 && kept[0].dice.length === 1 ? kept : [];
    return [...counted, ...alone].flatMap((/** @type {any} */ { dice }) => dice);
  });
}

/** Actions that stand above, with all their fields, are not listed again. */
const takes = (/** @type {any} */ action) =>
  (action.type === 'roll' && 'call' in action.body) || (action.type === 'declare' && (action.body.what === 'call' || action.body.what === 'play'));

/** A call that waits for this party's answer. */
const asks = (/** @type {any} */ action) => action.type === 'roll' && action.body?.call !== undefined; // also of a server's advice that makes no sense

/** @param {{snapshot: import('../../core/snapshot.js').InGame, actions: Action[]}} props @returns {string} the oldest call that waits */
function says({ snapshot, actions }) {
  const { calls = [] } = ownOf(snapshot);
  const call = calls.find((/** @type {any} */ each) => actions.some((action) => asks(action) && action.body.call === each.call));
  return call ? t('A call for you: {source}', { source: call.source }) : '';
}

export const scene = { quick, asks, says, table, roll, passed, takes };
