/**
 * Small parts that every screen has.
 * @module
 */

import { html, useEffect, useErrorBoundary, useRef, useState } from './html.js';
import { saveAll } from './files.js';
import { needTableWords, say, t } from './words.js';

/** @typedef {import('./html.js').Content} Content */
/** @typedef {import('../core/errors.js').File} File */

/** @typedef {import('./words.js').Message} Message */

/** Moves sight and focus to a part of the screen: the address keeps the link's secret, so there are no fragments to go to. @param {string} id */
export function go(id) {
  const title = document.getElementById(`${id}-title`);
  title?.scrollIntoView({ block: 'start' });
  title?.focus({ preventScroll: true });
}

/**
 * A part of a screen with a heading. `beside` stands in the heading's line.
 * @param {{id: string, title: string, className?: string, children?: Content, level?: number, beside?: Content}} props
 */
export const Section = ({ id, title, className = '', children, level = 2, beside = null }) => html`
  <section class=${`card ${className}`} aria-labelledby=${`${id}-title`}>
    ${beside ? html`<div class="headline"><h2 id=${`${id}-title`} tabindex="-1">${title}</h2>${beside}</div>` : level === 2 ? html`<h2 id=${`${id}-title`} tabindex="-1">${title}</h2>` : html`<h3 id=${`${id}-title`}>${title}</h3>`}
    ${children}
  </section>`;

/**
 * A part that may fail by itself: a server's advice can be anything, and the rest of the page stays. It is tried again
 * when `on` has changed. The console has the error.
 * @param {{on: unknown, children?: Content}} props
 */
export function Guarded({ on, children }) {
  const [failed, again] = useErrorBoundary((error) => console.error(error));
  useEffect(() => {
    if (failed) again();
  }, [on]);
  if (!failed) return children;
  const problem = failed instanceof Error ? failed.message : String(failed);
  return html`<p class="card problem" role="alert">${t('This part cannot be shown: {problem}. What was rolled is checked, and can be saved, all the same.', { problem })}</p>`;
}

/**
 * A part that opens at a tap. `onOpen` is called the first time.
 * @param {{title: Content, hint?: string, children?: Content, open?: boolean, className?: string, onOpen?: () => void}} props
 */
export function Fold({ title, hint = '', children, open = false, className = '', onOpen = undefined }) {
  const [opened, setOpened] = useState(open);
  const toggle = (/** @type {import('../vendor/htm-preact-standalone.module.js').Happening} */ event) => {
    if (event.currentTarget.open && !opened) {
      setOpened(true);
      onOpen?.();
    }
  };
  return html`<details class=${`fold ${className}`} open=${open} ontoggle=${toggle}>
    <summary><span>${title}${hint && html` <small>${hint}</small>`}</span></summary>
    <div class="inside">${opened && children}</div>
  </details>`;
}

/**
 * A page over the page. It opens at its top. If no heading took the focus, its first button would, wherever it stands.
 * @param {{id: string, title: string, onClose: () => void, children?: Content}} props
 */
export function Dialog({ id, title, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  return html`<dialog ref=${dialog} class="card explained" aria-labelledby=${`${id}-title`} onclose=${onClose}>
    <h2 id=${`${id}-title`} tabindex="-1">${title}</h2>${children}
    <button type="button" class="main" onclick=${() => dialog.current?.close()}>${t('Close')}</button></dialog>`;
}

/**
 * A button that says when it is working, and what went wrong.
 * @param {{onTap: () => unknown, children?: Content, kind?: string, disabled?: boolean, label?: string, describedBy?: string}} props
 */
export function Button({ onTap, children, kind = '', disabled = false, label = undefined, describedBy = undefined }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const here = useRef(true);
  const told = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  useEffect(() => told.current?.scrollIntoView({ block: 'nearest' }), [problem]); // the button may stand above its place
  const tap = async () => {
    if (busy || disabled) return;
    setBusy(true);
    setProblem(null);
    try {
      await onTap();
    } catch (error) {
      await needTableWords();
      if (here.current) setProblem(error);
    } finally {
      if (here.current) setBusy(false);
    }
  };
  return html`<button type="button" class=${`${kind} ${busy ? 'busy' : ''}`} aria-disabled=${busy || disabled ? 'true' : null}
    aria-label=${label} aria-describedby=${describedBy} onclick=${tap}>${children}</button>
    ${problem !== null && html`<p ref=${told} class="problem" role="alert">${problemWords(problem)}</p>`}`;
}

/** Milliseconds in which an ordinary roll is over: for its sake nothing on the screen moves. */
const ORDINARY = 900;

/** @param {number | null} seq of the roll that waits @returns {boolean} whether it has waited for longer than an ordinary one */
export function useLate(seq) {
  const [late, setLate] = useState(/** @type {number | null} */ (null));
  useEffect(() => {
    if (seq === null) return undefined;
    const timer = setTimeout(() => setLate(seq), ORDINARY);
    return () => clearTimeout(timer);
  }, [seq]);
  return seq !== null && late === seq;
}

/** @param {unknown} error @returns {string} what a person reads of it */
export function problemWords(error) {
  const told = /** @type {{detail?: string, words?: Message, message?: string | Message, clause?: string}} */ (error);
  const words = say(told.words) || told.detail || say(/** @type {string} */ (told.message)) || String(error);
  return told.clause ? t('{problem} (clause {clause})', { problem: words, clause: told.clause }) : words;
}

/** Files to save, as one button. @param {{files: File[], children?: Content, kind?: string}} props */
export const SaveFiles = ({ files, children, kind = '' }) =>
  files && files.length > 0 ? html`<${Button} kind=${kind} onTap=${() => saveAll(files)}>${children}<//>` : null;

/** A text to hand on: a link. @param {{text: string, label: string}} props */
export function Handed({ text, label }) {
  const [copied, setCopied] = useState(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      field.current?.select();
      document.execCommand('copy');
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 4000);
  };
  return html`<div class="handed">
    <input ref=${field} class="link" type="text" readonly value=${text} aria-label=${label} onfocus=${(event) => event.currentTarget.select()} />
    <${Button} onTap=${copy} label=${t('Copy: {what}', { what: label })}>${copied ? t('Copied') : t('Copy')}<//>
    ${
      typeof navigator.share === 'function' &&
      html`<${Button} label=${t('Share: {what}', { what: label })}
      onTap=${() => navigator.share({ title: label, url: text }).catch(() => undefined)}>${t('Share')}<//>`
    }
    <span class="unseen" role="status">${copied ? t('Copied') : ''}</span>
  </div>`;
}

/**
 * If the element that had the focus is gone (a button whose event was signed), the heading gets the focus: people who
 * use a keyboard, or listen, stay where they were.
 * @param {string} id of the section
 */
export function useKeptFocus(id) {
  const had = useRef(false);
  useEffect(() => {
    const section = document.getElementById(`${id}-title`)?.closest('section');
    const moved = (/** @type {FocusEvent} */ event) => {
      had.current = section?.contains(/** @type {Node} */ (event.target)) ?? false;
    };
    document.addEventListener('focusin', moved);
    return () => document.removeEventListener('focusin', moved);
  }, [id]);
  useEffect(() => {
    if (had.current && (document.activeElement === document.body || document.activeElement === null)) {
      const title = document.getElementById(`${id}-title`);
      title?.focus({ preventScroll: true });
      // The tapped part is gone with all around it, and the next part may be above the view.
      if ((title?.getBoundingClientRect().top ?? 0) < 0) title?.scrollIntoView({ block: 'start' });
    }
  });
}

/** The present time, which ticks. @param {number | null} since @returns {number} milliseconds that it is ago */
export function useAgo(since) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (since === null) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return since === null ? 0 : Math.max(0, now - since);
}

/**
 * The address at which everybody can read the closed game.
 * @param {string} address as the server says it
 * @returns {string}
 */
export const publicWords = (address) =>
  t(
    'When the game is closed, everybody can read all of it at {address}: names, dice, and what they were for. Copies that people made stay with them, even if the table is deleted.',
    {
      address,
    },
  );

/** The channel to which results are posted. @param {string} place as the server calls it @returns {string} */
export const postsWords = (place) => t('The server posts each result, with names and what it was for, to {place}.', { place });

/** @param {string} role @returns {string} */
export const roleWords = (role) =>
  ({
    keeper: t('server'),
    player: t('player'),
    gm: t('game master'),
    judge: t('judge'),
    witness: t('witness'),
    spectator: t('spectator'),
  })[role] ?? role;
