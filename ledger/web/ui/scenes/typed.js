/**
 * A line that keys build, and the parts that scenes share: what is kept between rolls, small tables, odds in words.
 * @module
 */

import { useLine } from '../fields.js';
import { html, useEffect, useRef, useState } from '../html.js';
import { Reading } from '../reading.js';
import { t } from '../words.js';

/** @typedef {import('../../core/snapshot.js').InGame} InGame */
/** @typedef {import('../../core/index.js').ScreenTable} Table */
/** @typedef {import('../html.js').Content} Content */

/** The most characters that a browser keeps for a game: a list that grew beyond is begun anew. */
const MOST_KEPT = 20_000;

/**
 * The values that a scene keeps in this browser for a game. They are no secret, and nothing depends on them.
 * @template T @param {InGame} snapshot @param {string} name @param {T} start @returns {[T, (value: T) => void]}
 */
export function useKept(snapshot, name, start) {
  const key = `rollproof scene ${snapshot.table?.id ?? ''} ${snapshot.me?.name ?? ''} ${name}`;
  const [value, setValue] = useState(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '') ?? start;
    } catch {
      return start;
    }
  });
  return [
    value,
    (next) => {
      setValue(next);
      try {
        const text = JSON.stringify(next);
        if (text.length <= MOST_KEPT) localStorage.setItem(key, text);
      } catch {
        /* a browser that keeps nothing */
      }
    },
  ];
}

/** The number of lines that are offered at once to complete one. */
const OFFERED = 3;

/** @param {string[]} known @param {string} line as far as it was typed @returns {string[]} those that have it in them */
const completing = (known, line) => {
  const typed = line.trim().toLowerCase();
  return typed === '' ? [] : [...new Set(known)].filter((each) => each !== line && each.toLowerCase().includes(typed)).slice(0, OFFERED);
};

let ids = 0;
/** @returns {string} an id for a control of this component */
export const useId = () => useRef(`scene-${ids++}`).current;

/**
 * The field of a line, with lines that complete it, or an example, below.
 * @param {{id: string, line: string, label: string, rows: number, example: string, hint: Content, known: string[], onLine: (line: string) => void,
 *   onComplete: (line: string) => void, onEnter: (event: any) => void}} props
 */
function LineField({ id, line, label, rows, example, hint, known, onLine, onComplete, onEnter }) {
  const offered = completing(known, line);
  const attributes = {
    id,
    class: 'typed',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: false,
    value: line,
    'aria-describedby': `${id}-hint`,
    oninput: (/** @type {any} */ event) => onLine(event.currentTarget.value),
  };
  return html`<div class="field"><label for=${id}>${label}</label>
      ${rows > 1 ? html`<textarea rows=${rows} ...${attributes}></textarea>` : html`<input type="text" enterkeyhint="go" onkeydown=${onEnter} ...${attributes} />`}
      <p class="hint" id=${`${id}-hint`}>${
        offered.length > 0
          ? offered.map(
              (each) =>
                html`<button type="button" class="quiet small" key=${each} aria-label=${`${t('Use this')}: ${each}`} onclick=${() => onComplete(each)}>${each}</button>`,
            )
          : html`${hint}${example && html` ${t('such as {example}', { example })}`}`
      }
        ${example && line === '' && html` <button type="button" class="quiet small" onclick=${() => onLine(example)}>${t('Use this')}</button>`}</p></div>`;
}

/**
 * A line to type, which keys of the scene build too, and the act made from it. Enter signs, as a tap on the act does.
 * @param {{table: Table, Act: Function, request: object, type: string, line: string, setLine?: (line: string) => void, id?: string, label: string, example?: string,
 *   children?: any, made?: boolean, kind?: string, rows?: number, hint?: any, short?: string, missing?: string, onDone?: (body: any) => void, known?: string[]}} props
 *   `known`: lines that are offered while one is typed
 *   `rows`: more than one for a text that is pasted. `made`: the line is what a form made, and is not shown
 */
export function TypedLine(props) {
  const { table, Act, request, type, line, setLine, label, example = '', children = null, kind = 'main', rows = 1, made = false } = props;
  const { hint = null, short = '', missing = '', onDone, known = [] } = props;
  const own = useId();
  const id = props.id || own;
  const { body, problem, lines, words, readAs, reading } = useLine(table, request, line);
  const whole = useRef(/** @type {HTMLElement | null} */ (null));
  const told = useRef(/** @type {HTMLElement | null} */ (null));
  const submit = (/** @type {any} */ event) => {
    if (event.key !== 'Enter' || event.isComposing || rows > 1) return;
    event.preventDefault();
    if (problem) told.current?.scrollIntoView({ block: 'nearest' });
    else whole.current?.querySelector(/** @type {'button'} */ ('button.sign'))?.click();
  };
  const complete = (/** @type {string} */ text) => {
    setLine?.(text);
    document.getElementById(id)?.focus(); // Enter signs it there
  };
  return html`<div class="line typed-line" ref=${whole}>
    ${
      !made &&
      html`<${LineField} id=${id} line=${line} label=${label} rows=${rows} example=${example} hint=${hint} known=${known}
      onLine=${(/** @type {string} */ text) => setLine?.(text)} onComplete=${complete} onEnter=${submit} />`
    }
    <div aria-live="polite" ref=${told}><${Reading} problem=${problem} lines=${lines} readAs=${readAs} onLine=${setLine && complete} /></div>
    ${children}
    <${Act} type=${type} body=${body} kind=${kind} advice=${words} short=${short}
      missing=${reading ? t('being read…') : problem ? t('cannot be read yet') : missing || t('first type what to roll')} onDone=${() => onDone?.(body)} />
  </div>`;
}

/**
 * Keys in a row, with a name for people who listen.
 * @param {{label: string, children?: Content, className?: string, seen?: boolean}} props
 */
export const Keys = ({ label, children, className = '', seen = false }) => html`<div class=${`keys ${className}`} role="group" aria-label=${label}>
  ${seen && html`<span class="keys-label" aria-hidden="true">${label}</span>`}${children}</div>`;

/**
 * A key that adds something, or is pressed. `on` undefined: it only adds.
 * @param {{onTap: () => void, children?: Content, on?: boolean, label?: string, off?: boolean, double?: boolean}} props `double`: it takes the room of two
 */
export const Key = ({
  onTap,
  children,
  on = undefined,
  label = undefined,
  off = false,
  double = false,
}) => html`<button type="button" class=${`key ${double ? 'double' : ''}`} aria-label=${label}
  aria-pressed=${on === undefined ? null : on ? 'true' : 'false'} aria-disabled=${off ? 'true' : null} onclick=${() => !off && onTap()}>${children}</button>`;

/**
 * Keys for less and more of something, with its value between them.
 * @param {{label: string, value: string | number, onLess: () => void, onMore: () => void, off?: boolean}} props `off`: there is nothing to change yet
 */
export const Steps = ({ label, value, onLess, onMore, off = false }) => html`<div class="steps-of" role="group" aria-label=${label}>
  <button type="button" aria-label=${t('one less: {what}', { what: label })} aria-disabled=${off ? 'true' : null} onclick=${() => !off && onLess()}>−</button>
  <span class="steps-value"><small aria-hidden="true">${label}</small><strong>${value}</strong></span>
  <button type="button" aria-label=${t('one more: {what}', { what: label })} aria-disabled=${off ? 'true' : null} onclick=${() => !off && onMore()}>+</button></div>`;

/**
 * A number in one tap, where players have a few in mind.
 * @param {{label: string, value: number | null, numbers: number[], words?: (number: number) => string, onChange: (value: number) => void, seen?: boolean}} props
 *   `seen` false: what stands above says it already
 */
export const Numbers = ({
  label,
  value,
  numbers,
  words = String,
  onChange,
  seen = true,
}) => html`<div class="keys numbers" role="group" aria-label=${label}>
  ${seen && html`<span class="keys-label" aria-hidden="true">${label}</span>`}
  ${numbers.map((number) => html`<button type="button" class="key" key=${number} aria-pressed=${value === number ? 'true' : 'false'} onclick=${() => onChange(number)}>${words(number)}</button>`)}</div>`;

/**
 * One of few options, as keys that look pressed.
 * @param {{label: string, options: {value: any, label: string}[], value: any, onChange: (value: any) => void, className?: string}} props
 */
export function OneOf({ label, options, value, onChange, className = '' }) {
  const name = useId();
  return html`<fieldset class="field"><legend>${label}</legend><div class=${`keys ${className}`}>${options.map(
    (option) => html`<label class="key" key=${String(option.value)}>
    <input type="radio" name=${name} checked=${value === option.value} onchange=${() => onChange(option.value)} /><span>${option.label}</span></label>`,
  )}</div></fieldset>`;
}

/**
 * A text of one line to fill in.
 * @param {{label: string, value: string, onChange: (value: string) => void, example?: string, inputmode?: string, size?: string}} props
 */
export function Text({ label, value, onChange, example = '', inputmode = 'text', size = undefined }) {
  const id = useId();
  return html`<div class="field ${size ?? ''}"><label for=${id}>${label}</label>
    <input id=${id} type="text" inputmode=${inputmode} autocomplete="off" autocapitalize="off" spellcheck=${false} placeholder=${example} value=${value}
      oninput=${(/** @type {any} */ event) => onChange(event.currentTarget.value)} /></div>`;
}

/** A list of rows of which some came up. @param {{title: string, rows: {range: string, effect: string, hit: boolean, note?: string}[]}} props */
export const ResultRows = ({ title, rows }) => html`<table class="rows"><caption class="unseen">${title}</caption><tbody>
  ${rows.map(
    ({ range, effect, hit, note }) => html`<tr class=${hit ? 'hit' : ''}><th scope="row">${range}</th>
    <td>${hit && html`<strong class="came">${t('came up')}</strong> `}${effect}${note && html` <em>${note}</em>`}</td></tr>`,
  )}</tbody></table>`;

/** A value that follows something given, until somebody changes it. @template T @param {T} given @returns {[T, (value: T) => void]} */
export function useFollowing(given) {
  const [value, setValue] = useState(given);
  const text = JSON.stringify(given);
  useEffect(() => setValue(given), [text]);
  return [value, setValue];
}

/** The state, as the system's page defines it. @param {InGame} snapshot @returns {any} */
export const ownOf = (snapshot) => snapshot.advice?.state?.own ?? {};
