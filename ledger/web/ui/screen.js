/**
 * This screen: it stays awake while somebody is seated, can show the dice alone, and shakes or sounds if its owner
 * wants it.
 * @module
 */

import { html, useEffect, useLayoutEffect, useRef, useState } from './html.js';
import { Fold } from './parts.js';
import { t } from './words.js';

/** @typedef {import('../core/snapshot.js').InGame} InGame */

/** Keeps the screen awake while `wanted` and seen; a browser without it, or with little power, lets it sleep. @param {boolean} wanted */
export function useAwake(wanted) {
  useEffect(() => {
    const { wakeLock } = /** @type {{wakeLock?: any}} */ (navigator);
    if (!wanted || !wakeLock) return undefined;
    /** @type {any} */
    let lock = null;
    let over = false;
    const ask = async () => {
      if (document.visibilityState !== 'visible' || (lock && !lock.released)) return;
      try {
        lock = await wakeLock.request('screen');
        if (over) await lock.release();
      } catch {
        /* then it sleeps as it always did */
      }
    };
    ask();
    document.addEventListener('visibilitychange', ask); // it is released whenever the page is hidden
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', ask);
      lock?.release().catch(() => undefined);
    };
  }, [wanted]);
}

/** The settings of what this browser does when dice come. */
const KEPT = { shake: 'rollproof shake', sound: 'rollproof sound' };
/** Milliseconds of shaking, as of dice on a table. */
const SHAKE = [30, 40, 20];

/** @param {keyof typeof KEPT} what @returns {boolean} */
function isOn(what) {
  try {
    return localStorage.getItem(KEPT[what]) === 'on';
  } catch {
    return false;
  }
}

/** @type {AudioContext | null} */
let audio = null;

/** Three knocks of wood, made here. */
function knock() {
  try {
    audio ??= new AudioContext();
    [0, 0.07, 0.16].forEach((at, i) => {
      const from = /** @type {AudioContext} */ (audio);
      const [tone, loud] = [from.createOscillator(), from.createGain()];
      const begin = from.currentTime + at;
      tone.type = 'triangle';
      tone.frequency.setValueAtTime(420 - 70 * i, begin);
      loud.gain.setValueAtTime(0.25 / (i + 1), begin);
      loud.gain.exponentialRampToValueAtTime(0.001, begin + 0.06);
      tone.connect(loud).connect(from.destination);
      tone.start(begin);
      tone.stop(begin + 0.07);
    });
  } catch {
    /* a browser without sound */
  }
}

/**
 * Shakes and sounds when other dice stand in the tray, if that is switched on.
 * @param {number | null} seq of the latest roll with dice
 */
export function useFelt(seq) {
  const seen = useRef(seq);
  useEffect(() => {
    if (seen.current === seq) return;
    seen.current = seq;
    if (isOn('shake')) navigator.vibrate?.(SHAKE);
    if (isOn('sound')) knock();
  }, [seq]);
}

/** @param {{what: keyof typeof KEPT, words: string}} props */
function Switch({ what, words }) {
  const [on, setOn] = useState(isOn(what));
  const turn = (/** @type {boolean} */ wanted) => {
    try {
      localStorage.setItem(KEPT[what], wanted ? 'on' : 'off');
    } catch {
      return;
    }
    setOn(wanted);
    if (wanted) (what === 'sound' ? knock : () => navigator.vibrate?.(SHAKE))();
  };
  return html`<label class="check"><input type="checkbox" checked=${on} onchange=${(event) => turn(event.currentTarget.checked)} /> <span>${words}</span></label>`;
}

/** Shows the dice alone, as on a screen for the whole table, until it is left. @param {{alone: boolean, setAlone: (alone: boolean) => void}} props */
export function Alone({ alone, setAlone }) {
  // Done before the next paint, so that whoever sees the dice alone can leave them at once.
  useLayoutEffect(() => {
    document.documentElement.classList.toggle('alone', alone);
    if (!alone) return undefined;
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape') setAlone(false);
    };
    document.addEventListener('keydown', key);
    return () => {
      document.removeEventListener('keydown', key);
      document.documentElement.classList.remove('alone');
    };
  }, [alone]);
  return html`<button type="button" class="only" aria-pressed=${alone ? 'true' : 'false'} aria-label=${alone ? t('Show everything again') : t('Show the dice alone')}
    title=${alone ? t('Show everything again') : t('Show the dice alone')} onclick=${() => setAlone(!alone)}><span aria-hidden="true">${alone ? '⤡' : '⤢'}</span></button>`;
}

/** The settings of what this screen does by itself. */
export const Settings = () => html`<${Fold} title=${t('This screen')} hint=${t('sound, vibration')} className="card">
  <${Switch} what="sound" words=${t('A knock when dice come')} />
  <${Switch} what="shake" words=${t('Vibrate when dice come')} />
  <p class="hint">${t('While you are seated this screen stays awake, where the browser allows it.')}</p><//>`;
