/**
 * The rules, as this page loads them: when, from where, and what it says meanwhile (specs/page.md, "The rules").
 * @module
 */

import { toHex } from '../../../verifier/web/bytes.js';
import { Python, Unfinished } from '../../../verifier/web/python/python.js';
import { html, useEffect, useState } from './html.js';
import { say, t } from './words.js';

/** @typedef {import('../core/snapshot.js').Snapshot} Snapshot */
/** @typedef {import('../core/index.js').ScreenTable} Table */
/** @typedef {{path: string, hash: string, size: number}} Named a file of the rules, as the document names it */

/**
 * Milliseconds that a page is left to itself before it loads anything for later, and the most that are added at random,
 * so that 400 phones of one hall do not come at once.
 */
const LATER = 1000;
const SPREAD = 4000;
/** The number of attempts for a file that the server has no room to send. */
const ATTEMPTS = 20;

/** The files that the document names: each path has the file's hash in it. @returns {Map<string, Named>} */
function named() {
  const told = document.querySelector('meta[name="rollproof-rules"]')?.getAttribute('content') ?? '';
  return new Map(
    told
      .split(' ')
      .filter(Boolean)
      .map((each) => {
        const [path, size] = each.split('=');
        const [hash, name] = path.split('/');
        return [name, { path: `/page/rules/${path}`, hash, size: Number(size) }];
      }),
  );
}

/** The address of the licences of the software that the rules run on. @returns {string | undefined} */
export const licences = () => named().get('licences.txt')?.path;

/** @param {number} time @returns {Promise<void>} */
const sleep = (time) =>
  new Promise((resolve) => {
    setTimeout(resolve, time);
  });

/**
 * Reads an answer piece by piece into the same memory, if the browser can: separate pieces would stay as garbage.
 * @param {Response} response @param {number} size what it should have @param {(bytes: number) => void} came
 * @returns {Promise<Uint8Array>} one byte more where it is longer
 */
async function bytesOf(response, size, came) {
  let bytes = new Uint8Array(size + 1);
  let reader;
  try {
    reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader({ mode: 'byob' });
  } catch {
    bytes = new Uint8Array(await response.arrayBuffer());
    came(bytes.length);
    return bytes;
  }
  let at = 0;
  while (at <= size) {
    const { done, value } = await reader.read(bytes.subarray(at));
    if (value === undefined) break;
    bytes = new Uint8Array(value.buffer);
    at += value.length;
    came(value.length);
    if (done) break;
  }
  return bytes.subarray(0, at);
}

/**
 * Fetches a file, and compares its hash: a file with another hash than the document names is refused.
 * @param {Named | undefined} file @param {(bytes: number) => void} came @returns {Promise<Uint8Array>}
 */
async function fetched(file, came) {
  if (file === undefined) throw new Error('this page names no rules');
  for (let attempt = 0; ; attempt++) {
    const how = { credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer', priority: 'low' };
    const response = await fetch(file.path, /** @type {RequestInit} */ (how));
    if (response.status === 429 && attempt < ATTEMPTS) {
      await sleep((Number(response.headers.get('Retry-After')) || 5) * 1000 * (1 + Math.random()));
      continue;
    }
    if (!response.ok) throw new Error(`${file.path}: ${response.status}`);
    const bytes = await bytesOf(response, file.size, came);
    const digest = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
    if (digest !== file.hash) {
      throw new Unfinished({ text: 'The server sent other rules than this page names: they are not used.' });
    }
    return bytes;
  }
}

/** Python with the rules, which is loaded when the page first asks it something. */
export class Loader {
  constructor() {
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    this.all = 0;
    this.come = 0;
    this.python = new Python((names) => this.load(names));
  }

  /**
   * Two files at once, so that a tap finds a connection that is free: a browser has six for a server.
   * @param {string[]} names @returns {Map<string, Promise<Uint8Array>>}
   */
  load(names) {
    const files = named();
    this.all = names.reduce((sum, name) => sum + (files.get(name)?.size ?? 0), 0);
    this.come = 0;
    const came = (/** @type {number} */ bytes) => {
      this.come += bytes;
      for (const listener of this.listeners) listener();
    };
    /** @type {Promise<Uint8Array>[]} */
    const loading = [];
    for (const [at, name] of names.entries()) {
      loading.push(Promise.resolve(loading[at - 2]).then(() => fetched(files.get(name), came)));
    }
    return new Map(names.map((name, at) => [name, loading[at]]));
  }

  /** The loaded part of the files, from 0 to 1. */
  get part() {
    return this.all === 0 ? 0 : Math.min(1, this.come / this.all);
  }
}

/** The network, if the browser says something about it. @returns {{saves: boolean, slow: boolean}} */
function line() {
  const { connection } = /** @type {any} */ (navigator);
  return { saves: connection?.saveData === true, slow: connection === undefined || connection.effectiveType !== '4g' };
}

/**
 * Returns whether somebody has looked at this tab: a tab that only waits in the background costs no memory for the
 * rules.
 * @returns {boolean}
 */
function useSeen() {
  const [seen, setSeen] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && setSeen(true);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return seen;
}

/**
 * Loads the rules when it is time. It never does so before somebody looks at the tab, nor in a browser that saves data,
 * unless its seat has said that it has the rules or its owner asks. On a slow line it does so when the first roll needs
 * them, otherwise some seconds after the table is on the screen.
 * @param {Table} table @param {Snapshot} snapshot @returns {{loader: Loader | null, offered: boolean, load: () => void}}
 */
export function useRules(table, snapshot) {
  const [loader, setLoader] = useState(/** @type {Loader | null} */ (null));
  const [, again] = useState(0);
  const seen = useSeen();
  const load = () => {
    if (loader !== null || named().size === 0) return;
    const now = new Loader();
    now.listeners.add(() => again((count) => count + 1));
    setLoader(now);
    now.python.prepare();
    table.game.know(now.python);
  };
  const { game, me, stage } = snapshot;
  const { saves, slow } = line();
  const rolled = (game?.rolls.length ?? 0) > 0;
  const there = stage === 'lobby' || stage === 'agreeing' || stage === 'playing';
  const due = there && seen && ((me?.bound ?? false) || (!saves && (rolled || !slow)));
  useEffect(() => {
    if (!due || loader !== null) return undefined;
    const timer = setTimeout(load, me?.bound ? 0 : LATER + Math.random() * SPREAD);
    return () => clearTimeout(timer);
  }, [due, loader, me?.bound]);
  return { loader, offered: there && saves && loader === null && named().size > 0, load };
}

/**
 * Says how far the rules have loaded, until they are here: quietly, below the keys.
 * @param {{table: Table, snapshot: Snapshot}} props
 */
export function RulesBar({ table, snapshot }) {
  const { loader, offered, load } = useRules(table, snapshot);
  const { rules, game, stage } = snapshot;
  if (game === null || stage === 'closed') return null;
  if (rules?.state === 'ready') return null;
  if (rules?.state === 'unfinished') {
    return html`<p class="rules-bar" role="status">${t('The rules could not be used in this browser: {why}', { why: say(rules.why) })} ${t('Until they can, results and offers are the server’s word.')}
      <button type="button" class="quiet small" onclick=${() => void table.game.knowAgain()}>${t('Try again')}</button></p>`;
  }
  if (loader !== null) {
    return html`<p class="rules-bar" role="status"><label>${t('The rules are being loaded. Until they are here, results and offers are the server’s word.')} <progress max="1" value=${loader.part}></progress></label></p>`;
  }
  if (!offered) {
    return (
      snapshot.advice &&
      html`<p class="rules-bar" role="status">${t('The rules are not here yet: until they are, results and offers are the server’s word.')}</p>`
    );
  }
  return html`<p class="rules-bar" role="status">${t('This browser is set to save data, so the rules were not loaded: results and offers are the server’s word.')}
    <button type="button" class="quiet small" onclick=${load}>${t('Load the rules (6 MB)')}</button></p>`;
}
