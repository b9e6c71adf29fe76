/**
 * The 9th Age: what is rolled for, how many dice or one sum, the target, rerolls, Maximised and Minimised.
 * @module
 */

import { html, useState } from '../html.js';
import { Fold } from '../parts.js';
import { t } from '../words.js';
import { Key, Keys, Numbers, OneOf, Steps, Text, TypedLine } from './typed.js';

/** @typedef {import('../fields.js').Action} Action */
/** @typedef {import('../../core/snapshot.js').Seated} Seated */
/** @typedef {import('./index.js').RollProps} RollProps */
/** @typedef {import('./index.js').QuickProps} QuickProps */
/** @typedef {import('./index.js').SceneProps} SceneProps */
/** @typedef {import('../../core/index.js').ScreenTable} Table */

/**
 * @typedef {object} Meant
 * @property {string} preset
 * @property {string} source
 * @property {'throws' | 'sum'} how
 * @property {number} count throws, or dice of the sum
 * @property {string} die
 * @property {'' | 'successes' | 'failures'} of
 * @property {number | null} target
 * @property {'+' | '-'} side
 * @property {string} reroll
 * @property {boolean} may
 * @property {number} add
 * @property {number} maximised above 0 Maximised, below Minimised
 * @property {boolean} natural
 */

/** @type {Meant} */
const PLAIN = {
  preset: '',
  source: '',
  how: 'throws',
  count: 1,
  die: 'd6',
  of: '',
  target: null,
  side: '+',
  reroll: '',
  may: false,
  add: 0,
  maximised: 0,
  natural: false,
};

/**
 * The purposes of rolls. The words are those of the notation, which stand in the log: English in every language, as
 * typed.
 */
const PRESETS = () =>
  /** @type {{[id: string]: Partial<Meant> & {label: string}}} */ ({
    hit: { label: t('to hit'), source: 'To hit', target: 4, natural: true, count: 10 },
    wound: { label: t('to wound'), source: 'To wound', target: 4, natural: true, of: 'successes', count: 5 },
    armour: { label: t('Armour Save'), source: 'Armour Save', target: 4, of: 'successes', count: 3 },
    aegis: { label: t('Aegis Save'), source: 'Aegis Save', target: 5, of: 'failures', count: 3 },
    charge: { label: t('charge range'), source: 'Charge range', how: 'sum', count: 2, target: 8 },
    discipline: { label: t('Discipline Test'), source: 'Discipline Test', how: 'sum', count: 2, target: 8, side: '-' },
    break: { label: t('Break Test'), source: 'Break Test', how: 'sum', count: 2, target: 7, side: '-' },
    panic: { label: t('Panic Test'), source: 'Panic Test', how: 'sum', count: 2, target: 8, side: '-' },
    wounds: { label: t('Multiple Wounds D3'), source: 'Multiple Wounds', how: 'sum', count: 1, die: 'd3' },
  });
const REROLLS = () => [
  { value: '', label: t('none') },
  { value: 'failed', label: t('failed rolls') },
  { value: '1s', label: t('ones') },
  { value: '6s', label: t('sixes') },
  { value: 'successful', label: t('successful rolls') },
  { value: 'throw', label: t('the whole roll') },
];

/** Numbers on keys: attacks of a unit, additions to a charge, ranges, Disciplines. */
const HOW_MANY = [1, 3, 5, 6, 8, 10, 12, 15, 18, 20, 24, 30];
const ADDED = [-2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const RANGES = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18];
const DISCIPLINE = [4, 5, 6, 7, 8, 9, 10];

/** @param {number} number @returns {string} */
const signed = (number) => (number > 0 ? `+${number}` : String(number).replace('-', '−'));

const WORDS =
  /^[A-Za-z]+(?: (?!of\b|may\b|must\b|reroll\b|always\b|never\b|sum\b|target\b|at\b|later\b|zero\b|maximised\b|minimised\b|direction\b|dice\b)[A-Za-z]+)*$/iu;

/** @param {Meant} meant @returns {string} the line (specs/t9a.md, "Notation") */
export function meantLine({ source, how, count, die, of, target, side, reroll, may, add, maximised, natural }) {
  if (source.trim() === '') return '';
  const called = WORDS.test(source.trim()) ? source.trim() : `"${source.trim().replaceAll('"', '""')}"`;
  const dice = how === 'sum' ? `sum ${count}${die}` : of ? '' : `${count}x${die}`;
  const kind = maximised > 0 ? 'maximised' : 'minimised';
  const parts = [
    dice,
    called,
    ...Array.from({ length: Math.abs(maximised) }, () => kind),
    add === 0 ? '' : add > 0 ? `+${add}` : `-${-add}`,
    target === null ? '' : `${target}${side}`,
    natural && target !== null && how === 'throws' ? 'always 6 never 1' : '',
    reroll === '' ? '' : `${may ? 'may ' : ''}reroll ${reroll}`,
    how === 'throws' && of ? `of ${of}` : '',
    reroll !== '' && !may ? 'at once' : '',
  ];
  return parts.filter(Boolean).join(' ');
}

/** @param {Action[]} actions @param {'successes' | 'failures'} of the roll before @returns {number} the most dice that can be rolled for them */
const mostOf = (actions, of) => {
  const action = actions.find(({ type, body }) => type === 'roll' && body.of === of);
  return action?.fields.find(({ name }) => name === 'times')?.most ?? 0;
};

/** The parts of a form: what is meant, and how it changes. @typedef {{meant: Meant, set: (more: Partial<Meant>) => void}} Part */

/** How many dice: a number, or those of the roll before. @param {Part & {counts: {successes: number, failures: number}}} props */
function HowMany({ meant, counts, set }) {
  const throws = meant.how === 'throws';
  return html`
      ${
        throws &&
        (counts.successes > 0 || counts.failures > 0) &&
        html`<${OneOf} label=${t('How many dice')} value=${meant.of} onChange=${(/** @type {any} */ of) => set({ of })} options=${[
          ...(counts.successes > 0 ? [{ value: 'successes', label: t('as many as succeeded: {count}', { count: counts.successes }) }] : []),
          ...(counts.failures > 0 ? [{ value: 'failures', label: t('as many as failed: {count}', { count: counts.failures }) }] : []),
          { value: '', label: t('another number') },
        ]} />`
      }
      ${(!throws || meant.of === '') && html`<div class="tuning"><${Steps} label=${throws ? t('how many') : t('dice added together')} value=${throws ? meant.count : `${meant.count}${meant.die.toUpperCase()}`} onLess=${() => set({ count: Math.max(1, meant.count - 1) })} onMore=${() => set({ count: meant.count + 1 })} /></div>`}
      ${throws && meant.of === '' && html`<${Numbers} label=${t('how many')} seen=${false} numbers=${HOW_MANY} value=${meant.count} onChange=${(/** @type {number} */ count) => set({ count })} />`}`;
}

/** What is added, and what has to be reached. @param {Part} props */
const Reaching = ({ meant, set }) =>
  meant.how === 'throws'
    ? html`<div class="tuning"><${Steps} label=${t('plus or minus')} value=${signed(meant.add)} onLess=${() => set({ add: meant.add - 1 })} onMore=${() => set({ add: meant.add + 1 })} /></div>
      <${Keys} label=${t('Target')} seen=${true}>${[2, 3, 4, 5, 6].map((target) => html`<${Key} key=${target} on=${meant.target === target} onTap=${() => set({ target })}>${target}+<//>`)}
        <${Key} on=${meant.natural} onTap=${() => set({ natural: !meant.natural })}>${t('6 always, 1 never')}<//><//>`
    : html`<${Numbers} label=${t('plus or minus')} numbers=${ADDED} words=${signed} value=${meant.add} onChange=${(/** @type {number} */ add) => set({ add: add === meant.add ? 0 : add })} />
      ${
        meant.target !== null &&
        html`<${Numbers} label=${meant.side === '+' ? t('this or more') : t('this or less')} numbers=${meant.side === '+' ? RANGES : DISCIPLINE} value=${meant.target}
        words=${(/** @type {number} */ number) => `${number}${meant.side.replace('-', '−')}`} onChange=${(/** @type {number} */ target) => set({ target })} />`
      }`;

/** What the rules do to the dice. @param {Part} props */
function Changes({ meant, set }) {
  const rerolls = REROLLS().filter(({ value }) => value !== (meant.how === 'throws' ? 'throw' : 'successful'));
  return html`<${OneOf} label=${t('Reroll')} options=${rerolls} value=${meant.reroll} onChange=${(/** @type {string} */ reroll) => set({ reroll })} />
      ${meant.reroll !== '' && html`<${Keys} label=${t('How it is rerolled')}><${Key} on=${!meant.may} onTap=${() => set({ may: false })}>${t('at once')}<//><${Key} on=${meant.may} onTap=${() => set({ may: true })}>${t('I choose')}<//><//>`}
      <${Keys} label=${t('Maximised, Minimised')}>
        <${Key} on=${meant.maximised > 0} onTap=${() => set({ maximised: meant.maximised > 0 ? 0 : 1 })}>${t('Maximised')}<//>
        <${Key} on=${meant.maximised < 0} onTap=${() => set({ maximised: meant.maximised < 0 ? 0 : -1 })}>${t('Minimised')}<//><//>`;
}

/** @param {{table: Table, snapshot: Seated, actions: Action[], Act: Function}} props */
function Form({ table, snapshot, actions, Act }) {
  const [chosen, setChosen] = useState(PLAIN);
  const [edited, setEdited] = useState(/** @type {string | null} */ (null));
  const counts = { successes: mostOf(actions, 'successes'), failures: mostOf(actions, 'failures') };
  const meant = chosen.of && counts[chosen.of] === 0 ? { ...chosen, of: /** @type {''} */ ('') } : chosen;
  const set = (/** @type {Partial<Meant>} */ more) => {
    setChosen({ ...chosen, ...more });
    setEdited(null);
  };
  const choose = (/** @type {string} */ id) => {
    const { label: _, ...preset } = PRESETS()[id];
    set({ ...PLAIN, ...preset, preset: id, of: preset.of && counts[preset.of] > 0 ? preset.of : '' });
  };
  const line = edited ?? meantLine(meant);
  return html`<${TypedLine} table=${table} Act=${Act} request=${{ type: 'roll', party: snapshot.me.name }} type="roll" id="line" line=${line} setLine=${setEdited} label=${t('What to roll')}
      missing=${t('choose what it is for, or type it')} example=${line === '' ? t('10xd6 To hit 4+ reroll failed (Hatred)') : ''} onDone=${() => {
        setChosen(PLAIN);
        setEdited(null);
      }}>
    <${Keys} label=${t('What for')}>${Object.entries(PRESETS()).map(([id, { label }]) => html`<${Key} key=${id} on=${meant.preset === id} onTap=${() => choose(id)}>${label}<//>`)}<//>
    ${
      meant.source !== '' &&
      edited === null &&
      html`
      <${HowMany} meant=${meant} counts=${counts} set=${set} />
      <${Reaching} meant=${meant} set=${set} />
      <${Changes} meant=${meant} set=${set} />
      <${Text} label=${t('For what, in the log')} value=${meant.source} onChange=${(/** @type {string} */ source) => set({ source })} />`
    }
  <//>`;
}

const isReroll = (/** @type {any} */ action) => action.type === 'reroll';
const isKeep = (/** @type {any} */ action) => action.due && action.type === 'resolve';
const isDirection = 'direction Direction of flight';

/** @param {QuickProps} props */
function quick({ table, snapshot, actions, Act }) {
  if (!actions.some((/** @type {any} */ action) => action.type === 'roll' && !action.body.of)) return null;
  return html`<${Form} table=${table} snapshot=${snapshot} actions=${actions} Act=${Act} />
    <${Fold} title=${t('A direction')} hint=${t('the direction die')} className="offer"><${Direction} table=${table} snapshot=${snapshot} Act=${Act} /><//>`;
}

/** The dice of an open roll that are rolled again, or left as they lie. @param {QuickProps} props */
function next({ snapshot, actions, Act, ActionForm, isInTray }) {
  const open = (snapshot.advice?.state?.rolls ?? []).find((/** @type {any} */ each) =>
    actions.some((/** @type {any} */ action) => action.type === 'reroll' && action.body.roll === each.roll),
  );
  const rule = (/** @type {any} */ action) => open?.own?.rerolls?.[action.body.rule - 1]?.source ?? '';
  const rerolls = actions.filter(isReroll);
  const keep = actions.find(isKeep);
  if (rerolls.length === 0 && !keep) return null;
  return html`<div class="course">
    ${rerolls.map((/** @type {any} */ action) =>
      action.fields.some((/** @type {any} */ field) => field.required)
        ? html`<div class="offer" key=${action.body.rule}><h3>${t('Reroll: {rule}', { rule: rule(action) })}</h3>${isInTray(action) ? html`<p class="hint">${t('Tap the dice above that are rolled again.')}</p>` : html`<${ActionForm} action=${action} />`}</div>`
        : html`<div key=${action.body.rule}><${Act} type="reroll" body=${action.body} kind="main" short=${t('Reroll: {rule}', { rule: rule(action) })} />
        ${
          action.fields.length > 0 &&
          (isInTray(action)
            ? html`<p class="hint">${t('Or tap the dice above that are rolled again.')}</p>`
            : html`<${Fold} title=${t('Choose the dice')} className="plain"><${ActionForm} action=${action} kind="" /><//>`)
        }</div>`,
    )}
    ${keep && html`<${Act} type="resolve" body=${keep.body} short=${t('Go on: no re-roll')} kind=${rerolls.length === 0 ? 'main' : ''} />`}</div>`;
}

/** @param {{table: Table, snapshot: Seated, Act: Function}} props */
function Direction({ table, snapshot, Act }) {
  const [line, setLine] = useState(isDirection);
  return html`<${TypedLine} table=${table} Act=${Act} request=${{ type: 'roll', party: snapshot.me.name }} type="roll" line=${line} setLine=${setLine} label=${t('What to roll')} kind="" />`;
}

/**
 * The number of throws that succeeded, large; of one throw its total, its target, and whether it succeeded.
 * @param {RollProps} props
 */
function result({ told }) {
  const own = told?.own;
  if (!own || typeof own.successes !== 'number' || own.target === null) return null;
  if (own.times === 1) {
    const [calculation, rest] = String(told.summary ?? '').split(/ = (?=[^=]*$)/u);
    return html`${rest !== undefined && html`<span class="quietly">${calculation}</span> `}<strong class="total">${String(own.throws[0]?.total ?? '').replace('-', '−')}</strong>
      <span class="means">${own.target.replace('-', '−')} · ${own.successes > 0 ? t('succeeds') : t('fails')}</span>`;
  }
  return html`<strong>${t('{passed} of {count}', { passed: own.successes, count: own.times })}</strong> ${t('on {target}', { target: own.target.replace('-', '−') })}`;
}

/** Returns the dice that succeed by themselves; no die of a sum does. @param {any} told @returns {number[]} */
const passed = (told) =>
  told?.own?.target == null
    ? []
    : (told.own.throws ?? [])
        .filter((/** @type {any} */ { kept, success }) => success && kept.length === 1)
        .flatMap((/** @type {any} */ { kept }) => kept);

const takes = (/** @type {any} */ action) => isReroll(action) || isKeep(action);

export const scene = { ignoredStay: true, quick, next, result, passed, takes };
