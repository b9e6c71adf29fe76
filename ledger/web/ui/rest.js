/**
 * Taps that count: those of somebody who had time to read what they tap (specs/window.md, "The tap"). It is for the one
 * window that a foreign page may open, focus and close at any moment.
 * @module
 */

import { useEffect, useState } from './html.js';

/** Milliseconds that the window must have stood still. */
export const REST = 700;
/** The smallest window in which taps count, in pixels. */
export const MIN_WINDOW = { width: 280, height: 240 };

/** @type {Set<() => void>} */
const listeners = new Set();
let since = 0;
let pressed = false;

/** Notes that the view has changed: no tap counts for a while. */
export function rest() {
  since = performance.now();
  pressed = false;
  for (const listener of listeners) listener();
}

/** @returns {boolean} */
const isLarge = () => innerWidth >= MIN_WINDOW.width && innerHeight >= MIN_WINDOW.height;

/** @returns {boolean} whether a tap would count now */
const isRested = () => document.visibilityState === 'visible' && document.hasFocus() && isLarge() && performance.now() - since >= REST;

/** @param {Event} event */
function drop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Begins to drop taps that do not count, before anything hears of them. */
export function guardTaps() {
  rest();
  for (const name of ['focus', 'resize', 'pageshow']) addEventListener(name, rest);
  document.addEventListener('visibilitychange', rest);
  document.addEventListener(
    'pointerdown',
    () => {
      pressed = isRested();
    },
    true,
  );
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.repeat && (event.key === 'Enter' || event.key === ' ')) drop(event);
    },
    true,
  );
  document.addEventListener(
    'click',
    (event) => {
      // A click without a pointer comes from a key that was pressed or released just now.
      if (!event.isTrusted || !isRested() || (event.detail > 0 && !pressed)) drop(event);
    },
    true,
  );
}

/** @returns {'small' | 'soon' | 'rested'} whether taps count now; it draws anew when that changes */
export function useRest() {
  const [, again] = useState(0);
  useEffect(() => {
    let timer = 0;
    const look = () => {
      clearTimeout(timer);
      again((count) => count + 1);
      timer = setTimeout(() => again((count) => count + 1), REST + 20);
    };
    listeners.add(look);
    look();
    return () => {
      clearTimeout(timer);
      listeners.delete(look);
    };
  }, []);
  if (!isLarge()) return 'small';
  return performance.now() - since >= REST ? 'rested' : 'soon';
}
