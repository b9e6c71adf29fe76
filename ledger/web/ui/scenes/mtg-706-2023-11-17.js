/**
 * Magic: dice, a results table typed row by row, what cards do to a roll, results that are stored.
 * @module
 */

import { shownOf } from '../dice.js';
import { html, useState } from '../html.js';
import { Fold } from '../parts.js';
import { calledOf, mark, t } from '../words.js';
import { addDie, changeCount } from './line.js';
import { Key, Keys, ownOf, ResultRows, Steps, Text, TypedLine, useKept } from './typed.js';

/** @typedef {import('../../core/snapshot.js').InGame} InGame */
/** @typedef {import('../fields.js').Action} Action */
/** @typedef {import('../../core/snapshot.js').Seated} Seated */
/** @typedef {import('./index.js').RollProps} RollProps */
/** @typedef {import('./index.js').QuickProps} QuickProps */
/** @typedef {import('./index.js').SceneProps} SceneProps */
/** @typedef {import('../../core/index.js').ScreenTable} Table */

const DICE = ['d4', 'd6', 'd8', 'd10', 'd12', 'd20'];
/** Rolls that are kept, to be made again. */
const LATEST = 4;

/** Effects of cards on a roll, as they are typed in every language; the card is named last. */
const EFFECTS = [
  '+1 ignore lowest: Pixie Guide',
  '+1 ignore lowest: Barbarian Class',
  '+1 ignore lowest: Wyll, Blade of Frontiers',
  'ignore one of each pair: Krark’s Other Thumb',
  'may reroll any, mana {1}: Monitor Monitor',
  'may adjust +1/-1, cost "pay 1 life": Night Shift of the Living Dead',
];
/** Effects of cards on the table on each roll that they fit, as they are typed. */
const STANDING = [
  '+1 ignore lowest: Pixie Guide',
  '+1 ignore lowest: Barbarian Class',
  'ignore one of each pair only coin: Krark’s Thumb',
  'may reroll any, mana {1}: Monitor Monitor',
];
/** Triggers on rolls, as they are typed. */
const TRIGGERS = [
  'whenever you roll one or more dice: Brazen Dwarf',
  'whenever you roll a natural 20: Critical Hit',
  'whenever you win a coin flip: Chance Encounter',
];
/** Returns a ready line in the reader's words; the notation itself stands on the line. @param {string} line @returns {string} */
function lineWords(line) {
  const at = line.lastIndexOf(': ');
  const words = {
    '+1 ignore lowest': t('+1 ignore lowest'),
    'ignore one of each pair': t('ignore one of each pair'),
    'ignore one of each pair only coin': t('ignore one of each pair only coin'),
    'may reroll any, mana {1}': t('may reroll any, mana {1}'),
    'may adjust +1/-1, cost "pay 1 life"': t('may adjust +1/-1, cost "pay 1 life"'),
    'whenever you roll one or more dice': t('whenever you roll one or more dice'),
    'whenever you roll a natural 20': t('whenever you roll a natural 20'),
    'whenever you win a coin flip': t('whenever you win a coin flip'),
  }[line.slice(0, at)];
  return words === undefined ? line : t('{effect}: {card}', { effect: words, card: line.slice(at + 2) });
}

/** Rolls that cards ask for, in our own words. Each language has its own, since the log has what they do as it was typed. */
export const CARDS = [
  mark('d20 Delina, Wild Mage | 1-14: one token, tapped and attacking | 15-20: the same. You may roll again.'),
  mark('d20 Farideh, Devil’s Chosen: 10 or more: draw a card'),
  mark('2d6 Celebr-8000: a bonus for each number | doubles: it gains trample too'),
  mark('d6 Adorable Kitten: that much life'),
  mark('coin Mana Crypt: 3 damage if it is lost | call heads'),
  mark('random d7 Hymn to Tourach: the card to discard'),
  mark('d20 Contact Other Plane | 1-9: draw two | 10-19: scry, then draw two | 20: scry, then draw three'),
];

/** @typedef {{range: string, effect: string, again: '' | 'may again' | 'again'}} Row */

const plain = (/** @type {string} */ text) => text.trim().replace(/\s+/gu, ' ');
/**
 * A text of the notation, quoted if it has a character that ends one.
 * @param {string} text
 * @param {RegExp} ends
 * @returns {string}
 */
const quoted = (text, ends) => (ends.test(text) ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : text);

/** @param {string} dice @returns {number} how many, of one kind; else 0 */
const countOf = (dice) => (/^\d*d\d+$/u.test(dice) ? Number(/^\d+/u.exec(dice)?.[0] ?? 1) : 0);

/**
 * A roll as one line (specs/mtg.md, "Notation").
 * @param {{dice: string, source: string, use: string, rows: Row[], effects: string[], doubles: string, store: string, without?: number[], ignore?: '' | 'lowest' | 'highest'}} meant `ignore`: the card itself says so, of several dice @returns {string}
 */
export function rollLine({ dice, source, use, rows, effects, doubles, store, without = [], ignore = '' }) {
  if (dice === '' || plain(source) === '') return '';
  const head = `${dice} ${quoted(plain(source), /^(?:again|joins|random|dice)\b|^[\d+\-"“]|[:：|｜]/iu)}`;
  const segments = [
    ...rows
      .filter((row) => plain(row.range) !== '')
      .map((row) => `${plain(row.range)}: ${quoted(plain(row.effect), /^["“]|[|｜]/u)}${row.again ? ` [${row.again}]` : ''}`),
    ...(ignore !== '' && countOf(dice) > 1 ? [`ignore ${ignore}: ${quoted(plain(source), /^["“]|[|｜]/u)}`] : []),
    ...effects.map(plain).filter(Boolean),
    ...(plain(doubles) ? [`doubles: ${quoted(plain(doubles), /^["“]|[|｜]/u)}`] : []),
    ...(store ? [`store on ${store}`] : []),
    ...(without.length > 0 ? [`without ${without.join(', ')}`] : []),
  ];
  return [plain(use) ? `${head}: ${quoted(plain(use), /^["“]|[|｜]/u)}` : head, ...segments].join(' | ');
}

const AGAIN = () => ({ '': t('no more'), 'may again': t('you may roll again'), again: t('roll again') });

/** A results table, row by row. @param {{rows: Row[], setRows: (rows: Row[]) => void}} props */
function Table({ rows, setRows }) {
  const set = (/** @type {number} */ at, /** @type {Partial<Row>} */ more) =>
    setRows(rows.map((/** @type {Row} */ row, /** @type {number} */ i) => (i === at ? { ...row, ...more } : row)));
  const turn = (/** @type {Row['again']} */ again) => /** @type {Row['again']} */ ({ '': 'may again', 'may again': 'again', again: '' }[again]);
  return html`${rows.map(
    (
      /** @type {Row} */ row,
      /** @type {number} */ i,
    ) => html`<fieldset class="table-row" key=${i}><legend class="unseen">${t('row {number}', { number: i + 1 })}</legend>
      <input type="text" inputmode="text" autocomplete="off" aria-label=${t('results of row {number}, such as 1-14', { number: i + 1 })} placeholder="1-14" value=${row.range} oninput=${(/** @type {any} */ event) => set(i, { range: event.currentTarget.value })} />
      <input type="text" autocomplete="off" aria-label=${t('what row {number} does', { number: i + 1 })} value=${row.effect} oninput=${(/** @type {any} */ event) => set(i, { effect: event.currentTarget.value })} />
      <${Key} on=${row.again !== ''} label=${t('row {number}: {again}', { number: i + 1, again: AGAIN()[row.again] })} onTap=${() => set(i, { again: turn(row.again) })}>${row.again ? AGAIN()[row.again] : t('roll again?')}<//></fieldset>`,
  )}
    <div class="row"><button type="button" class="quiet" onclick=${() => setRows([...rows, { range: '', effect: '', again: '' }])}>${rows.length === 0 ? t('A results table') : t('One more row')}</button>
      ${rows.length > 0 && html`<button type="button" class="quiet" onclick=${() => setRows(rows.slice(0, -1))}>${t('Without the last row')}</button>`}</div>`;
}

const BLANK = {
  dice: '',
  source: '',
  use: '',
  rows: /** @type {Row[]} */ ([]),
  effects: /** @type {string[]} */ ([]),
  doubles: '',
  store: '',
  without: /** @type {number[]} */ ([]),
  ignore: /** @type {'' | 'lowest' | 'highest'} */ (''),
};

/** @typedef {typeof BLANK} Meant */
/** The parts of a form: what is meant, and how it changes. @typedef {{meant: Meant, set: (more: Partial<Meant>) => void}} Part */

/** @template T @param {T[]} all @param {T} one @returns {T[]} with it, or without it where it was there */
const toggled = (all, one) => (all.includes(one) ? all.filter((each) => each !== one) : [...all, one]);

/** @param {Part & {planechase: boolean}} props */
function DiceKeys({ meant, set, planechase }) {
  const planar = /planar/u.test(meant.dice);
  const turnPlanar = () =>
    set({
      dice: planar ? meant.dice.replace(/\+?planar/u, '') : [meant.dice, 'planar'].filter(Boolean).join('+'),
      source: meant.source || 'Planechase',
    });
  return html`<${Keys} label=${t('Dice')} className="dice-keys">${DICE.map((die) => html`<${Key} key=${die} label=${t('one more {die}', { die })} onTap=${() => set({ dice: addDie(meant.dice, die).replaceAll(' ', '') })}>${die}<//>`)}
        ${planechase && html`<${Key} double=${true} on=${planar} onTap=${turnPlanar}>${t('planar die')}<//>`}
        ${meant.dice !== '' && html`<${Key} double=${true} onTap=${() => set({ dice: '' })}>${t('clear')}<//>`}<//>`;
}

/** How many dice of one kind, and which of them count. @param {Part & {count: number}} props */
function HowMany({ meant, set, count }) {
  const turn = (/** @type {'lowest' | 'highest'} */ ignore) =>
    count > 1 && meant.ignore === ignore ? set({ ignore: '' }) : set({ ignore, dice: count > 1 ? meant.dice : changeCount(meant.dice, 1) });
  return html`<div class="tuning"><${Steps} label=${t('how many')} value=${count} onLess=${() => set({ dice: changeCount(meant.dice, -1) })} onMore=${() => set({ dice: changeCount(meant.dice, 1) })} /></div>
        <${Keys} label=${t('Which dice count')} className="tune-keys">
          <${Key} on=${count > 1 && meant.ignore === 'lowest'} onTap=${() => turn('lowest')}>${count > 2 ? t('ignore the lowest') : t('two dice, ignore the lower')}<//>
          <${Key} on=${count > 1 && meant.ignore === 'highest'} onTap=${() => turn('highest')}>${count > 2 ? t('ignore the highest') : t('two dice, ignore the higher')}<//><//>`;
}

/** What cards do to this roll. @param {Part} props */
const CardEffects = ({
  meant,
  set,
}) => html`<${Fold} title=${t('Cards that bear on it')} hint=${meant.effects.map(lineWords).join('; ')} className="plain">
          <${Keys} label=${t('Cards that bear on it')} className="lines">${EFFECTS.map((effect) => html`<${Key} key=${effect} on=${meant.effects.includes(effect)} onTap=${() => set({ effects: toggled(meant.effects, effect) })}>${lineWords(effect)}<//>`)}<//>
          <div class="field"><label for="mtg-effects">${t('Or typed, one a line')}</label><textarea id="mtg-effects" class="typed" rows="3" autocapitalize="off" spellcheck=${false} value=${meant.effects.join('\n')} oninput=${(/** @type {any} */ event) => set({ effects: event.currentTarget.value.split('\n') })}></textarea></div>
          <${Text} label=${t('On doubles (may be left out)')} value=${meant.doubles} onChange=${(/** @type {string} */ doubles) => set({ doubles })} />
        <//>`;

/** What the dice are for, and what bears on them. @param {Part & {snapshot: Seated, action: Action}} props */
function Purpose({ meant, set, snapshot, action }) {
  const { permanents = {} } = ownOf(snapshot);
  const stores = action.fields.find(({ name }) => name === 'store')?.options ?? [];
  const standing = action.fields.find(({ name }) => name === 'without')?.options ?? [];
  const count = countOf(meant.dice);
  return html`
        ${count > 0 && html`<${HowMany} meant=${meant} set=${set} count=${count} />`}
        <${Text} label=${t('Card or ability that says so')} value=${meant.source} onChange=${(/** @type {string} */ source) => set({ source })} />
        ${meant.rows.length === 0 && html`<${Text} label=${t('What the result is for (may be left out)')} value=${meant.use} onChange=${(/** @type {string} */ use) => set({ use })} />`}
        <${Table} rows=${meant.rows} setRows=${(/** @type {Row[]} */ rows) => set({ rows, use: '' })} />
        <${CardEffects} meant=${meant} set=${set} />
        ${standing.length > 0 && html`<${Keys} label=${t('Stands, and is left out of this roll')} seen=${true}>${standing.map((/** @type {any} */ option) => html`<${Key} key=${option.value} on=${meant.without.includes(option.value)} onTap=${() => set({ without: toggled(meant.without, option.value) })}>${option.label}<//>`)}<//>`}
        ${stores.length > 0 && html`<${Keys} label=${t('Store the results on')} seen=${true}>${stores.map((/** @type {any} */ option) => html`<${Key} key=${option.value} on=${meant.store === option.value} onTap=${() => set({ store: meant.store === option.value ? '' : option.value })}>${permanents[option.value]?.name ?? option.label}<//>`)}<//>`}`;
}

/** @param {{table: Table, snapshot: Seated, action: Action, Act: Function, main: boolean}} props */
function Roll({ table, snapshot, action, Act, main }) {
  const [meant, setMeant] = useState(BLANK);
  const [edited, setEdited] = useState(/** @type {string | null} */ (null));
  const [latest, setLatest] = useKept(snapshot, 'lines', /** @type {{line: string, body: any}[]} */ ([]));
  const line = edited ?? rollLine(meant);
  const set = (/** @type {Partial<Meant>} */ more) => {
    setMeant({ ...meant, ...more });
    setEdited(null);
  };
  const done = (/** @type {any} */ body) => {
    setLatest([{ line, body }, ...latest.filter((each) => each.line !== line)].slice(0, LATEST));
    setMeant(BLANK);
    setEdited(null);
  };
  return html`<${TypedLine} table=${table} Act=${Act} request=${{ action }} type="roll" id="line" line=${line} setLine=${setEdited} label=${t('What to roll, and for what')} example=${line === '' ? t(CARDS[1]) : ''}
      missing=${meant.dice !== '' ? t('first the card or ability that says so') : t('first the dice, and what says so')} kind=${main ? 'main' : ''} onDone=${done}>
    ${
      edited === null &&
      html`
      <${DiceKeys} meant=${meant} set=${set} planechase=${snapshot.table?.options?.planechase === true} />
      ${meant.dice !== '' && html`<${Purpose} meant=${meant} set=${set} snapshot=${snapshot} action=${action} />`}`
    }
  <//>
  ${latest.length > 0 && html`<div class="again"><h3>${t('Rolled before: once more')}</h3>${latest.map(({ line: before, body }) => html`<${Act} key=${before} type="roll" body=${body} short=${before} />`)}</div>`}
  <${Fold} title=${t('Cards’ wordings')} hint=${t('to start from')} className="offer"><${Keys} label=${t('Cards’ wordings')} className="lines">${CARDS.map(
    (card) =>
      html`<${Key} key=${card} onTap=${() => {
        setMeant(BLANK);
        setEdited(t(card));
        document.getElementById('line')?.focus();
      }}>${t(card)}<//>`,
  )}<//><//>`;
}

const isAgain = (/** @type {any} */ action) => action.type === 'roll' && 'again' in action.body;
const isStop = (/** @type {any} */ action) => action.type === 'resolve' && action.body.again === false;
const isRoll = (/** @type {any} */ action) => action.type === 'roll' && action.line !== undefined && Object.keys(action.body).length === 0;
const isJoin = (/** @type {any} */ action) => action.type === 'roll' && 'joins' in action.body;
const isEffect = (/** @type {any} */ action) =>
  (action.type === 'reroll' && 'effect' in action.body) || (action.type === 'modify' && 'choice' in action.body);
const declares = (/** @type {string} */ what) => (/** @type {any} */ action) => action.type === 'declare' && action.body.what === what;
const [isStanding, isTrigger] = ['standing', 'trigger'].map(declares);
const isEnd = (/** @type {any} */ action) =>
  declares('ends')(action) && action.fields.some((/** @type {any} */ field) => field.name === 'standing' || field.name === 'trigger');
const isOfCards = (/** @type {any} */ action) => isStanding(action) || isTrigger(action) || isEnd(action);
const takes = (/** @type {any} */ action) =>
  isAgain(action) || isStop(action) || isRoll(action) || isJoin(action) || isOfCards(action) || (isEffect(action) && action.due);

/**
 * One way to answer an effect: its dice, its amount, the mana abilities that were activated for it, if any.
 * @param {{action: Action, Act: Function, inTray: boolean}} props `inTray`: its dice are chosen in the tray
 */
function Answer({ action, Act, inTray }) {
  const of = (/** @type {string} */ name) => action.fields.find((/** @type {any} */ field) => field.name === name);
  const [dice, amount, mana] = [of('dice'), of('amount'), of('mana_abilities')];
  const [least, most] = [dice?.least ?? 0, dice?.most ?? 0];
  const only = dice?.options && least === dice.options.length ? dice.options.map((/** @type {any} */ option) => option.value) : null;
  const [picked, setPicked] = useState(/** @type {number[]} */ ([]));
  const [by, setBy] = useState(amount?.options?.length === 1 ? amount.options[0].value : undefined);
  const [abilities, setAbilities] = useState('');
  const turn = (/** @type {number} */ die) =>
    setPicked(picked.includes(die) ? picked.filter((one) => one !== die) : most === 1 ? [die] : [...picked, die].slice(-most));
  const chosen = only ?? picked;
  const missing = [dice?.required && chosen.length < least && dice.label, amount?.required && by === undefined && amount.label].filter(Boolean);
  const body =
    missing.length > 0
      ? null
      : {
          ...action.body,
          ...(dice && chosen.length > 0 ? { dice: chosen } : {}),
          ...(amount && by !== undefined ? { amount: by } : {}),
          ...(mana
            ? {
                mana_abilities: abilities
                  .split('\n')
                  .map((text) => text.trim())
                  .filter(Boolean),
              }
            : {}),
        };
  const decline = action.body.choice === 'decline';
  const short = decline ? t('Do without it') : action.type === 'reroll' ? t('Reroll') : t('Apply it');
  if (inTray && !only) return html`<p class="hint">${t('Tap the dice above that are rolled again.')}</p>`;
  return html`${dice && !only && html`<${Keys} label=${dice.label} seen=${true}>${dice.options?.map((/** @type {any} */ option) => html`<${Key} key=${option.value} on=${picked.includes(option.value)} onTap=${() => turn(option.value)}>${option.label}<//>`)}<//>`}
    ${amount?.options && amount.options.length > 1 && html`<${Keys} label=${amount.label} seen=${true}>${amount.options.map((/** @type {any} */ option) => html`<${Key} key=${option.value} on=${by === option.value} onTap=${() => setBy(option.value)}>${option.label}<//>`)}<//>`}
    <${Act} type=${action.type} body=${body} short=${short} kind=${decline ? '' : 'main'} missing=${t('first: {what}', { what: missing.join(t(', ')) })} />
    ${mana && html`<${Fold} title=${t('Mana abilities activated for it')} className="plain"><${Text} label=${t('Which (may be left out)')} value=${abilities} onChange=${setAbilities} /><//>`}`;
}

/**
 * Effects that are to be answered: one card for all actions of each.
 * @param {{snapshot: Seated, actions: Action[], Act: Function, isInTray: (action: Action) => boolean}} props
 */
function Answers({ snapshot, actions, Act, isInTray }) {
  const numbers = [...new Set(actions.map((/** @type {any} */ action) => action.body.effect))];
  const sourceOf = (/** @type {any} */ action) => {
    const told = snapshot.advice?.state.rolls.find((/** @type {any} */ roll) => roll.roll === action.body.roll);
    return told?.own?.effects?.[action.body.effect - 1]?.source ?? t('effect {number}', { number: action.body.effect });
  };
  return numbers.map((effect) => {
    const mine = actions.filter((/** @type {any} */ action) => action.body.effect === effect);
    return html`<div class="offer called" key=${effect}><h3>${sourceOf(mine[0])}</h3>${mine.map((/** @type {any} */ action) => html`<${Answer} key=${JSON.stringify(action.body)} action=${action} Act=${Act} inTray=${isInTray(action)} />`)}</div>`;
  });
}

/**
 * The effect of a card on the table from now on, typed as the card says it.
 * @param {{table: Table, snapshot: Seated, Act: Function, kind: 'standing' | 'trigger', label: string, short: string, lines: string[]}} props
 */
function Declared({ table, snapshot, Act, kind, label, short, lines }) {
  const [line, setLine] = useState('');
  return html`<${TypedLine} table=${table} Act=${Act} request=${{ type: 'declare', kind, party: snapshot.me.name }} type="declare" kind="" line=${line} setLine=${setLine} label=${label} short=${short}
    missing=${t('first what the card does, and its name')} onDone=${() => setLine('')}>
    <${Keys} label=${label} className="lines">${lines.map((each) => html`<${Key} key=${each} on=${line === each} onTap=${() => setLine(each)}>${lineWords(each)}<//>`)}<//><//>`;
}

/**
 * Cards whose effects stand, or trigger: players declare each when it comes into play, and again when it is gone.
 * @param {Pick<QuickProps, 'table' | 'snapshot' | 'actions' | 'Act'>} props
 */
function Cards({ table, snapshot, actions, Act }) {
  const { standing = [], triggers = [] } = ownOf(snapshot);
  const mine = [...standing, ...triggers].filter((/** @type {any} */ each) => each.controller === snapshot.me.name);
  const ends = actions.some(isEnd);
  return html`<${Fold} title=${t('Cards on the table that act on rolls')} hint=${mine.length > 0 ? mine.map((each) => each.source).join(t(', ')) : t('one more die, ignored dice, triggers')} className="offer">
    ${
      ends &&
      mine.map(({ source, standing: number, trigger }) => {
        const body = { what: 'ends', ...(trigger === undefined ? { standing: number } : { trigger }) };
        return html`<${Act} key=${JSON.stringify(body)} type="declare" body=${body} short=${t('{source} is gone', { source })} />`;
      })
    }
    ${actions.some(isStanding) && html`<${Declared} table=${table} snapshot=${snapshot} Act=${Act} kind="standing" lines=${STANDING} label=${t('What a card of mine does to rolls')} short=${t('It does so from now on')} />`}
    ${actions.some(isTrigger) && html`<${Declared} table=${table} snapshot=${snapshot} Act=${Act} kind="trigger" lines=${TRIGGERS} label=${t('What a card of mine triggers on')} short=${t('It triggers from now on')} />`}<//>`;
}

/** @param {QuickProps} props */
function quick({ table, snapshot, actions, Act }) {
  const roll = actions.find(isRoll);
  return html`
    ${roll && html`<${Roll} table=${table} snapshot=${snapshot} action=${roll} Act=${Act} main=${!actions.some(isAgain)} />`}
    ${actions.some(isOfCards) && html`<${Cards} table=${table} snapshot=${snapshot} actions=${actions} Act=${Act} />`}`;
}

/** Effects that are to be answered, and the choice to roll again. @param {QuickProps} props */
function next({ snapshot, actions, Act, ActionForm, isInTray }) {
  const again = actions.find(isAgain);
  const stop = actions.find(isStop);
  const effects = actions.filter((/** @type {any} */ action) => isEffect(action) && action.due);
  if (effects.length === 0 && !again && !stop) return null;
  return html`<div class="course">
    <${Answers} snapshot=${snapshot} actions=${effects} Act=${Act} isInTray=${isInTray} />
    ${
      again &&
      html`<${Act} type="roll" body=${again.body} kind="main" short=${t('Roll again')} />
      <${Fold} title=${t('Roll again, with changes')} className="plain"><${ActionForm} action=${again} kind="" /><//>`
    }
    ${stop && html`<${Act} type="resolve" body=${stop.body} short=${t('Do not roll again')} />`}</div>`;
}

/** The roll of another player that this one may join. @param {{snapshot: import('../../core/snapshot.js').InGame, actions: Action[]}} props @returns {any} undefined without one */
function joined({ snapshot, actions }) {
  const joins = actions.find(isJoin);
  return joins && snapshot.advice?.state?.rolls?.find((/** @type {any} */ each) => each.roll === joins.body.joins);
}

/**
 * A card that has each player roll is rare, and only players know it. So joining is offered, and the roll asks for
 * nothing and waits for nobody.
 * @param {QuickProps} props
 */
function asked({ snapshot, actions, Act }) {
  const first = joined({ snapshot, actions });
  if (!first || /planar/u.test(first.notation)) return null; // no card makes each player roll the planar die
  return html`<${Fold} title=${t('If {source} has each player roll', { source: first.source })} hint=${t('few cards do')} className="offer"><${Act} type="roll" body=${
    /** @type {Action} */ (actions.find(isJoin)).body
  } short=${t('Each player rolls for {source}: roll {dice}', { source: first.source, dice: first.notation })} /><//>`;
}

/** Permanents with the results that they store. @param {SceneProps} props */
function table({ snapshot, tables, Plain }) {
  const { permanents = {}, triggers = [] } = ownOf(snapshot);
  return html`${Object.entries(permanents).map(
    ([id, permanent]) => html`<div class="thing" key=${id}><h3>${permanent.name} <small>${calledOf(permanent.controller)}</small></h3>
      ${
        permanent.stored.length === 0
          ? html`<p class="quietly">${t('stores nothing yet')}</p>`
          : html`<p class="dice">${permanent.stored.map((/** @type {any} */ stored) => html`<span class="throw"><b class="die">${stored.value}</b><span class="kind">${t('no. {number}', { number: stored.stored })}</span></span>`)}</p>`
      }</div>`,
  )}
    ${(triggers.length > 0 || tables.length > 0) && html`<${Fold} title=${t('All that the rules keep')} className="plain">${tables.map((/** @type {any} */ each) => html`<${Plain} key=${each.title} ...${each} />`)}<//>`}`;
}

/** The rows of a roll's table: its own, or those of the roll that it repeats. @param {InGame} snapshot @param {any} roll @returns {any[]} */
function rowsOf(snapshot, roll) {
  for (let body = roll.body; body; body = snapshot.game.rolls.find((/** @type {any} */ each) => each.seq === body.again)?.body) {
    if (body.table) return body.table;
    if (body.again === undefined) break;
  }
  return [];
}

/** The results table, with the rows that came up. @param {RollProps} props */
function roll({ snapshot, roll: verified, told }) {
  const rows = rowsOf(snapshot, verified);
  if (rows.length === 0) return null;
  const hits = new Set((told?.own?.rows ?? []).map((/** @type {any} */ row) => row.row));
  return html`<${ResultRows} title=${t('Its results table')} rows=${rows.map((/** @type {any} */ row, /** @type {number} */ i) => ({
    ...row,
    hit: hits.has(i + 1),
    note: /roll again|振り直/iu.test(row.effect) ? '' : row.again === true ? t('roll again') : row.again === 'may' ? t('you may roll again') : '',
  }))} />`;
}

/** Dice whose results are read at a glance. */
const GLANCE = 4;

/**
 * The dice in large, if not each is a number that counts: words on faces, and the dice that are left when some were
 * ignored.
 * @param {any} told
 * @returns {import('../html.js').Content}
 */
function shownLarge(told) {
  const dice = told?.dice ?? [];
  const counted = dice.filter((/** @type {any} */ die) => die.status === 'counted');
  if (counted.length === 0 || counted.length > GLANCE) return null;
  if (told.own?.doubles === true)
    return html`<strong class="total">${counted.map((/** @type {any} */ die) => die.result).join(t(', '))}</strong> <span class="natural high">${t('doubles')}</span>`;
  if (counted.length === dice.length && dice.every((/** @type {any} */ die) => die.result !== null)) return null;
  return html`<strong class="total">${counted.map((/** @type {any} */ die) => shownOf(die, told)).join(t(', '))}</strong>`;
}

/**
 * Why a die stays ignored after another was rolled again.
 * @param {any} told @returns {string} empty: there is no such die
 */
function stayWords(told) {
  const dice = told?.dice ?? [];
  const ignored = dice.filter((/** @type {any} */ die) => die.status === 'ignored' && die.naturals.length === 1);
  const again = dice.some((/** @type {any} */ die) => die.status === 'counted' && die.naturals.length > 1);
  if (!again || ignored.length === 0 || ignored.length > GLANCE) return '';
  const faces = ignored.map((/** @type {any} */ die) => shownOf(die, told));
  return t('still ignored: {faces}. Dice are ignored before any is rolled again (706.6)', { faces: { names: faces } });
}

/** The rows that came up, each once. @param {RollProps} props @returns {string[]} */
function rowsWords({ roll: verified, told, snapshot }) {
  if (told?.status === 'struck') return [];
  const rows = rowsOf(snapshot, verified);
  const came = (told?.own?.rows ?? []).map((/** @type {any} */ { row }) => rows[row - 1]);
  return [...new Set(came)].map((row) => (row ? t('{range}: {effect}', row) : t('in no row: nothing happens')));
}

/**
 * The tray also has the row that came up and what it triggers: the log has the table, and triggers among its notes.
 * @param {RollProps} props
 */
function result({ roll: verified, told, snapshot }) {
  const large = shownLarge(told);
  if (!snapshot) return large;
  const rows = rowsWords({ roll: verified, told, snapshot });
  const triggered = told?.own?.triggered ?? [];
  const stays = stayWords(told);
  if (rows.length + triggered.length === 0 && stays === '') return large;
  const names = triggered.map((/** @type {any} */ { source, times }) => (times > 1 ? t('{source} ×{times}', { source, times }) : source));
  return html`${large} ${rows.map((words) => html`<span class="means row-came">${words}</span>`)}
    ${stays && html`<small class="stays">${stays}</small>`}
    ${names.length > 0 && html`<span class="means">${t('triggers: {cards}', { cards: names.join(t(', ')) })}</span>`}`;
}

export const scene = { ignoredStay: true, resultTells: ['table'], quick, next, asked, table, roll, result, takes };
