/**
 * Turns of several tabs, and their messages to each other: the Web Locks and BroadcastChannel of a browser, or, in
 * Node, of all
 * that use one storage in this program.
 * @module
 */

import { Refused, say } from './errors.js';

/**
 * @typedef {object} Locks
 * @property {<T>(name: string, options: {signal?: AbortSignal}, work: () => Promise<T>) => Promise<T>} request
 *   runs `work` alone among all who ask for this name; rejects where `signal` ends the waiting
 */

/** Milliseconds to wait for a turn: a turn is short, and a tab that was stopped during one may not come back. */
const LONGEST = 10_000;

/**
 * Does work exclusively among all tabs that ask for a name. If another tab steals the turn (`steal`), which no
 * page of ours does, the work goes on to its end: what it writes is only written over what it has read (storage.js).
 * @template T @param {Locks} locks @param {string} name @param {() => Promise<T>} work @param {AbortSignal} [signal] ends the waiting
 * @returns {Promise<T>} @throws {Refused} `turn`, where another tab does not end its own
 */
export async function inTurn(locks, name, work, signal = AbortSignal.timeout(LONGEST)) {
  /** @type {Promise<T> | null} */
  let begun = null;
  try {
    return await locks.request(name, { signal }, () => {
      begun = work();
      return begun;
    });
  } catch (error) {
    if (begun !== null) return begun;
    if (!signal.aborted || error !== signal.reason || signal.reason.name !== 'TimeoutError') throw error;
    throw new Refused(
      'turn',
      say(
        'Another tab of this browser holds this seat, and does not give it back. This tab signs and opens nothing. Close the other tabs of this table.',
      ),
    );
  }
}

/** @typedef {{post: (message: any) => void, close: () => void}} Channel */
/** @typedef {(name: string, listener: (message: any) => void) => Channel} Channels what is posted reaches all others of this name */

/** @implements {Locks} */
export class MemoryLocks {
  constructor() {
    /** @type {Map<string, Promise<void>>} when whoever is last in the row has ended */
    this.rows = new Map();
  }

  /** @template T @param {string} name @param {{signal?: AbortSignal}} options @param {() => Promise<T>} work @returns {Promise<T>} */
  async request(name, { signal }, work) {
    const before = this.rows.get(name) ?? Promise.resolve();
    /** @type {(value: void) => void} */
    let end = () => {};
    const own = new Promise((resolve) => {
      end = resolve;
    });
    this.rows.set(
      name,
      before.then(() => own),
    );
    try {
      await new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        if (signal?.aborted) reject(signal.reason);
        void before.then(resolve);
      });
      return await work();
    } finally {
      end();
    }
  }
}

/** @returns {Channels} of one program */
export function memoryChannels() {
  /** @type {Map<string, Set<(message: any) => void>>} */
  const all = new Map();
  return (name, listener) => {
    const listeners = all.get(name) ?? new Set();
    all.set(name, listeners);
    listeners.add(listener);
    return {
      post: (message) => {
        for (const each of listeners) if (each !== listener) queueMicrotask(() => listeners.has(each) && each(structuredClone(message)));
      },
      close: () => void listeners.delete(listener),
    };
  };
}

/** @type {Channels} */
export const browserChannels = (name, listener) => {
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event) => listener(event.data);
  return { post: (message) => channel.postMessage(message), close: () => channel.close() };
};

/** @type {WeakMap<object, {locks: Locks, channels: Channels}>} */
const ofStorage = new WeakMap();

/** @param {object} storage @returns {{locks: Locks, channels: Channels}} of all in this program who use it */
export function memoryTurns(storage) {
  const known = ofStorage.get(storage) ?? { locks: new MemoryLocks(), channels: memoryChannels() };
  ofStorage.set(storage, known);
  return known;
}
