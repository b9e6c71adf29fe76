/**
 * The fields of an action, and the body made from them (specs/rules.md, "Actions").
 * @module
 */

import { OnKey } from './dice.js';
import { html, useEffect, useRef, useState } from './html.js';
import { problemWords } from './parts.js';
import { calledOf, t } from './words.js';

/** @typedef {import('../core/index.js').ScreenTable} Table */

/** @typedef {{value: string | number | boolean, label: string}} Option */
/**
 * @typedef {object} Field of an action, as a server sends it
 * @property {string} name
 * @property {string} label
 * @property {boolean} required
 * @property {unknown} default
 * @property {'one-of' | 'range' | 'some-of' | 'records' | 'free'} kind
 * @property {Option[]} [options]
 * @property {number} [least]
 * @property {number} [most]
 * @property {Field[]} [fields]
 * @property {string} [grammar]
 * @property {{example: string, lines: boolean}} [typed]
 * @property {boolean} [told] the page's own: what stands beside it says that it may be left out
 */
/** @typedef {Required<Pick<Field, 'least' | 'most'>>} Bounds */
/** @typedef {{type: string, label: string, clause: string | null, due: boolean, body: {[name: string]: any}, fields: Field[], line?: {example: string, grammar: string}, held?: boolean}} Action `held`: it cannot be done while another has to decide */
/** @typedef {{[name: string]: any}} Values what was filled in, by field; of a free field its text */

/** @typedef {Map<number, import('./dice.js').ShownDie>} Dice dice of a roll by their numbers */

/** Fields whose options are such numbers. @param {Field} field @returns {boolean} */
export const isOfDice = ({ name }) => name === 'dice' || name === 'throws' || name === 'die';

/** Grammars whose text is the value itself: nothing has to parse it. */
const PLAIN = new Set(['text', 'words']);
/** More options than this become a list to choose from, not buttons. */
const BUTTONS = 8;

/** @param {Field} field @returns {any} the one value that it can have, else undefined */
function only(field) {
  if (field.kind === 'one-of' && field.options?.length === 1) return field.options[0].value;
  if (field.kind === 'range' && field.least === field.most) return field.least;
  if (field.kind === 'some-of' && field.least === field.options?.length) return field.options?.map((each) => each.value);
  return undefined;
}

/** @param {Field[]} fields @returns {Values} what is decided before anybody fills anything in */
export const startValues = (fields) =>
  Object.fromEntries(fields.filter((field) => field.required && only(field) !== undefined).map((field) => [field.name, only(field)]));

/** @param {Field} field @param {any} value @returns {boolean} whether something was filled in, as it has to be */
function isFilled(field, value) {
  const { kind, required, fields = [], least = -Infinity, most = Infinity } = field;
  switch (kind) {
    case 'free':
      return typeof value === 'string' && value.trim() !== '';
    case 'range':
      return Number.isSafeInteger(value) && value >= least && value <= most;
    case 'some-of':
      return Array.isArray(value) && value.length >= least && value.length <= most && (value.length > 0 || required);
    case 'records':
      return (
        Array.isArray(value) &&
        value.length >= Math.max(1, least) &&
        value.length <= most &&
        value.every((each) => fields.every((inner) => !inner.required || isFilled(inner, each[inner.name])))
      );
    default:
      return value !== undefined;
  }
}

/** @param {any} value @returns {boolean} whether a field was left alone */
const isEmpty = (value) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** @param {Action} action @param {Values} values @returns {string[]} labels of what is still to be filled in */
export const missingOf = (action, values) =>
  action.fields
    .filter((field) => !isFilled(field, values[field.name]) && (field.required || !isEmpty(values[field.name])))
    .map((field) => field.label);

/** @param {Action} action @param {Values} values @returns {{[name: string]: any}} the members that need no reading */
function bound(action, values) {
  /** @type {{[name: string]: any}} */
  const body = {};
  for (const field of action.fields) {
    const value = values[field.name];
    if (!isFilled(field, value)) continue;
    if (field.kind !== 'free') body[field.name] = value;
    else if (PLAIN.has(field.grammar ?? '') && !field.typed?.lines) body[field.name] = value.trim();
  }
  return body;
}

/** @param {Action} action @param {Values} values @returns {{[name: string]: string | string[]}} what the server has to read */
function typed(action, values) {
  /** @type {{[name: string]: string | string[]}} */
  const found = {};
  for (const field of action.fields) {
    if (field.kind !== 'free' || !isFilled(field, values[field.name])) continue;
    if (PLAIN.has(field.grammar ?? '') && !field.typed?.lines) continue;
    const text = values[field.name].trim();
    found[field.name] = field.typed?.lines
      ? text
          .split('\n')
          .map((/** @type {string} */ line) => line.trim())
          .filter(Boolean)
      : text;
  }
  return found;
}

const READ_AFTER = 150;

/**
 * Returns the body made from an action and the filled-in values.
 * @param {Table} table @param {Action} action @param {Values} values
 * @returns {{body: {[name: string]: any} | null, words: string, readAs: string, problem: string, reading: boolean, missing: string[]}}
 */
export function useBody(table, action, values) {
  const missing = missingOf(action, values);
  const texts = typed(action, values);
  const toRead = missing.length === 0 && Object.keys(texts).length > 0;
  const given = bound(action, values);
  const asked = JSON.stringify([action.type, action.body, toRead ? [texts, given] : null]);
  const [read, setRead] = useState(/** @type {{asked: string, body: any, words: string, readAs: string, problem: string} | null} */ (null));
  useEffect(() => {
    if (!toRead || read?.asked === asked) return undefined;
    let over = false;
    const timer = setTimeout(async () => {
      try {
        const { body, words, reading } = await table.game.read({ action, typed: texts, given });
        if (!over) setRead({ asked, body, words: words ?? '', readAs: reading ?? '', problem: '' });
      } catch (error) {
        if (!over) setRead({ asked, body: null, words: '', readAs: '', problem: problemWords(error) });
      }
    }, READ_AFTER);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [asked]);
  if (missing.length > 0) return { body: null, words: '', readAs: '', problem: '', reading: false, missing };
  if (!toRead) return { body: { ...action.body, ...given }, words: '', readAs: '', problem: '', reading: false, missing };
  if (read?.asked !== asked) return { body: null, words: '', readAs: '', problem: '', reading: true, missing };
  return { body: read.body, words: read.words, readAs: read.readAs, problem: read.problem, reading: false, missing };
}

const NOTHING = { body: null, words: '', readAs: '', problem: '', lines: [] };

/**
 * Says what a line means, while it is typed.
 * @param {Table} table
 * @param {object} request without the line
 * @param {string} line
 * @returns {{body: {[name: string]: any} | null, words: string, readAs: string, problem: string, lines: string[], reading: boolean}}
 *   `lines`: those that would be read in its place
 */
export function useLine(table, request, line) {
  const text = line.trim();
  const asked = JSON.stringify([request, text]);
  const [read, setRead] = useState(
    /** @type {{asked: string, body: any, words: string, readAs: string, problem: string, lines: string[]} | null} */ (null),
  );
  useEffect(() => {
    if (text === '' || read?.asked === asked) return undefined;
    let over = false;
    const timer = setTimeout(async () => {
      try {
        const { body, words, reading } = await table.game.read({ ...request, line: text });
        if (!over) setRead({ ...NOTHING, asked, body, words: words ?? '', readAs: reading ?? '' });
      } catch (error) {
        const { lines = [] } = /** @type {{lines?: string[]}} */ (error);
        if (!over) setRead({ ...NOTHING, asked, problem: problemWords(error), lines });
      }
    }, READ_AFTER);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [asked]);
  if (text === '') return { ...NOTHING, reading: false };
  return read?.asked === asked ? { ...read, reading: false } : { ...NOTHING, reading: true };
}

let ids = 0;
/** @returns {string} an id for a control of this component */
const useId = () => useRef(`field-${ids++}`).current;

/** @param {{fields: Field[], values: Values, onChange: (values: Values) => void, dice?: Dice | null}} props `dice`: of the roll that the action is about */
export const Fields = ({ fields, values, onChange, dice = null }) =>
  html`${fields
    .filter((field) => !(field.required && only(field) !== undefined))
    .map(
      (field) => html`<${FieldView} key=${field.name} field=${field} dice=${dice} value=${values[field.name]}
    onChange=${(/** @type {any} */ value) => {
      const { [field.name]: _, ...others } = values;
      onChange(value === undefined ? others : { ...others, [field.name]: value });
    }} />`,
    )}`;

const optional = (/** @type {Field} */ field) =>
  field.required || field.told
    ? ''
    : html` <small>${
        typeof field.default === 'string' || typeof field.default === 'number'
          ? t('(may be left out: {value})', { value: field.default })
          : t('(may be left out)')
      }</small>`;

/** @param {{field: Field, value: any, onChange: (value: any) => void, dice: Dice | null}} props */
function FieldView({ field, value, onChange, dice }) {
  const id = useId();
  const { options = [] } = field;
  switch (field.kind) {
    case 'one-of':
      return options.length <= BUTTONS
        ? html`<${Choice} field=${field} value=${value} onChange=${onChange} dice=${isOfDice(field) ? dice : null} />`
        : html`<div class="field"><label for=${id}>${field.label}${optional(field)}</label>
        <select id=${id} onchange=${(event) => onChange(options[Number(event.currentTarget.value || -1)]?.value)}>
          <option value="" selected=${value === undefined}>${t('choose…')}</option>
          ${options.map((option, i) => html`<option value=${i} selected=${option.value === value}>${optionWords(option, field)}</option>`)}
        </select></div>`;
    case 'range':
      return html`<${Stepper} id=${id} field=${field} value=${value} onChange=${onChange} />`;
    case 'some-of':
      return html`<${Several} field=${field} value=${value ?? []} onChange=${onChange} dice=${isOfDice(field) ? dice : null} />`;
    case 'records':
      return html`<${Groups} field=${field} value=${value ?? []} onChange=${onChange} />`;
    default:
      return html`<${Free} id=${id} field=${field} value=${value ?? ''} onChange=${onChange} />`;
  }
}

/**
 * One of few options: radio buttons that look like keys.
 * @param {{field: Field & {options: Option[]}, value: any, onChange: (value: any) => void, dice: Dice | null}} props
 */
function Choice({ field, value, onChange, dice }) {
  const name = useId();
  return html`<fieldset class="field"><legend>${field.label}${optional(field)}</legend><div class="keys">
    ${!field.required && html`<label class="key"><input type="radio" name=${name} checked=${value === undefined} onchange=${() => onChange(undefined)} /><span>${t('leave out')}</span></label>`}
    ${field.options.map(
      (option) => html`<label class="key" key=${String(option.value)}><input type="radio" name=${name} checked=${value === option.value}
      onchange=${() => onChange(option.value)} /><span><${OptionWords} option=${option} field=${field} dice=${dice} /></span></label>`,
    )}
  </div></fieldset>`;
}

/** Fields whose options are people. */
const PEOPLE = new Set(['party', 'parties', 'player', 'players', 'roller']);

/** @param {{value: any, label: string}} option @param {Field} field @returns {string} */
const optionWords = ({ value, label }, { name }) =>
  typeof value === 'boolean' && label.toLowerCase() === String(value) ? (value ? t('yes') : t('no')) : PEOPLE.has(name) ? calledOf(label) : label;

/** The name of an option; a die is drawn. @param {{option: Option, field: Field, dice: Dice | null}} props */
function OptionWords({ option, field, dice }) {
  const die = dice?.get(Number(option.value));
  return die ? html`<span class="unseen">${t('die {number}:', { number: die.number })} </span><${OnKey} die=${die} />` : optionWords(option, field);
}

/** A whole number: by steps, or typed. @param {{id: string, field: Field & Bounds, value: any, onChange: (value: any) => void}} props */
function Stepper({ id, field, value, onChange }) {
  const small = field.most - field.least <= 1000;
  const step = (/** @type {number} */ by) => {
    const from = value ?? (typeof field.default === 'number' ? field.default : by > 0 ? Math.max(field.least, 0) - by : Math.min(field.most, 0) - by);
    onChange(Math.min(field.most, Math.max(field.least, from + by)));
  };
  return html`<div class="field"><label for=${id}>${field.label}${optional(field)}</label>
    <div class="stepper">
      <button type="button" onclick=${() => step(-1)} aria-label=${t('one less: {what}', { what: field.label })} aria-disabled=${value === field.least ? 'true' : null}>−</button>
      <input id=${id} type="text" inputmode=${field.least < 0 ? 'text' : 'numeric'} autocomplete="off" value=${value === undefined ? '' : String(value)}
        aria-describedby=${small ? `${id}-hint` : null} aria-invalid=${value !== undefined && !isFilled(field, value) ? 'true' : null}
        oninput=${(event) => {
          const text = event.currentTarget.value.trim().replace(/^[−–]/, '-');
          onChange(text === '' ? undefined : /^-?\d{1,16}$/.test(text) ? Number(text) : text);
        }} />
      <button type="button" onclick=${() => step(1)} aria-label=${t('one more: {what}', { what: field.label })} aria-disabled=${value === field.most ? 'true' : null}>+</button>
    </div>
    ${small && html`<p class="hint" id=${`${id}-hint`}>${t('{least} to {most}', { least: field.least, most: field.most })}</p>`}</div>`;
}

/**
 * Some of several options, such as dice: keys that stay pressed.
 * @param {{field: Field & Bounds & {options: Option[]}, value: any[], onChange: (value: any) => void, dice: Dice | null}} props
 */
function Several({ field, value, onChange, dice }) {
  const press = (/** @type {any} */ each) => onChange(value.includes(each) ? value.filter((one) => one !== each) : [...value, each]);
  const [least, most] = [field.least, Math.min(field.most, field.options.length)];
  return html`<fieldset class="field"><legend>${field.label}${optional(field)}</legend>
    <div class="keys">${field.options.map(
      (option) => html`<button type="button" key=${String(option.value)} class="key" aria-pressed=${value.includes(option.value) ? 'true' : 'false'}
      onclick=${() => press(option.value)}><${OptionWords} option=${option} field=${field} dice=${dice} /></button>`,
    )}
      ${most === field.options.length && most > 2 && html`<button type="button" class="quiet" onclick=${() => onChange(field.options.map((option) => option.value))}>${t('all')}</button>`}
    </div>
    <p class="hint">${
      least === most
        ? t('{count} of these: {chosen} chosen', { count: least, chosen: value.length })
        : t('{least} to {most} of these: {chosen} chosen', { least, most, chosen: value.length })
    }</p></fieldset>`;
}

/** Objects with fields of their own, one after the other. @param {{field: Field & Bounds & {fields: Field[]}, value: Values[], onChange: (value: Values[]) => void}} props */
function Groups({ field, value, onChange }) {
  return html`<fieldset class="field groups"><legend>${field.label}${optional(field)}</legend>
    ${value.map(
      (each, i) => html`<fieldset class="group" key=${i}><legend>${t('number {number}', { number: i + 1 })}</legend>
      <${Fields} fields=${field.fields} values=${each} onChange=${(/** @type {Values} */ inner) => onChange(value.map((one, k) => (k === i ? inner : one)))} />
      <button type="button" class="quiet" onclick=${() => onChange(value.filter((_, k) => k !== i))}>${t('remove number {number}', { number: i + 1 })}</button></fieldset>`,
    )}
    ${value.length < field.most && html`<button type="button" class="quiet" onclick=${() => onChange([...value, startValues(field.fields)])}>${t('one more')}</button>`}
  </fieldset>`;
}

/**
 * A field to type in.
 * @param {{id: string, field: Field, value: any, onChange: (value: string | undefined) => void}} props
 */
function Free({ id, field, value, onChange }) {
  const example = PLAIN.has(field.grammar ?? '') ? '' : (field.typed?.example ?? '');
  const attributes = {
    id,
    value,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: PLAIN.has(field.grammar ?? ''),
    'aria-describedby': example ? `${id}-hint` : null,
    oninput: (/** @type {any} */ event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value),
  };
  return html`<div class="field"><label for=${id}>${field.label}${optional(field)}</label>
    ${field.typed?.lines ? html`<textarea rows="3" ...${attributes}></textarea>` : html`<input type="text" ...${attributes} />`}
    ${example && html`<p class="hint" id=${`${id}-hint`}>${field.typed?.lines ? t('such as {example}; several, one a line', { example }) : t('such as {example}', { example })}</p>`}</div>`;
}
