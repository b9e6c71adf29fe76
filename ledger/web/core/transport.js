/**
 * HTTP to a server: requests that are repeated for a while, and a stream that must not be silent (specs/network.md).
 * @module
 */

import { fromUtf8 } from '../../../verifier/web/bytes.js';
import { MAX_DEPTH } from '../../../verifier/web/constants.js';
import { Away, Refused, say } from './errors.js';
import { EventParser } from './stream.js';

/** @typedef {import('./stream.js').StreamEvent} StreamEvent */
/** @typedef {{status: number, headers: Headers, bytes: Uint8Array}} Answer */

/**
 * @typedef {object} Times in milliseconds
 * @property {number} first until a request is repeated @property {number} longest the same, at most
 * @property {number} answer until there is an answer @property {number} silence of a stream, until it is opened anew
 * @property {number} handOn until an own opening must have been handed on @property {number} missing somebody who plays, until the lobby is looked at @property {number} receipt until one is given for another's opening, where its roll waits still @property {number} patience of what a person waits for
 */

/** @type {Times} */
export const TIMES = { first: 500, longest: 30_000, answer: 30_000, silence: 45_000, handOn: 10_000, receipt: 250, missing: 3_000, patience: 30_000 };

const MAX_ANSWER = 1_000_000;
const AGAIN = new Set([429, 502, 503, 504]);
/** Codes with 503 for which waiting does not help. */
const FINAL = new Set(['keeper.behind', 'keeper.away', 'keeper.stopped']);

/** @param {unknown} value @returns {boolean} whether it can be the number of an event */
export const isSeq = (value) => Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;

/** @param {any} value @param {number} [depth] @returns {boolean} whether it nests at most so deep: all that walks it calls itself */
const isShallow = (value, depth = MAX_DEPTH) =>
  typeof value !== 'object' || value === null || (depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1)));

/** @param {Uint8Array} bytes @returns {any} @throws {Away} where it is no JSON object, or one that nests too deep */
export function json(bytes) {
  try {
    const value = JSON.parse(fromUtf8(bytes) ?? '');
    if (typeof value === 'object' && value !== null && isShallow(value)) return value;
  } catch {
    // told below
  }
  throw odd();
}

/** @param {{data: Uint8Array}} bye ends a stream @returns {number | null} milliseconds until it is opened again; null: the server says that nothing more comes */
export function pauseOf({ data }) {
  const { retry } = json(data);
  return retry === null ? null : Math.min(Math.max(Number(retry) || 1, 0.5), 30) * 1_000;
}

/** @returns {Away} where a server gives what is no answer */
export const odd = () => new Away(say('The answer of the server does not follow the protocol.'));

/** @param {number} status @param {Uint8Array} bytes @returns {Refused | Away} */
function problemOf(status, bytes) {
  let problem;
  try {
    problem = json(bytes);
  } catch {
    return odd();
  }
  const { code, detail, clause, size, lines } = problem;
  if (typeof code !== 'string' || typeof detail !== 'string') return odd();
  return new Refused(code, say('{detail}', { detail: detail.slice(0, 2_000) }), {
    status,
    clause: typeof clause === 'string' ? clause : null,
    size: isSeq(size) ? size : null,
    lines,
  });
}

/** @param {string | null} text of Retry-After @returns {number} milliseconds */
const millis = (text) => (text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : 0);

export class Transport {
  /**
   * @param {string} address @param {{fetch: typeof fetch, token?: string | null, language?: () => string | null, times?: Partial<Times>}} means
   */
  constructor(address, { fetch, token = null, language = () => null, times = {} }) {
    this.address = address;
    this.token = token;
    this.fetch = fetch;
    this.language = language;
    this.times = { ...TIMES, ...times };
    this.ended = new AbortController();
    /** @type {Set<() => void>} those who wait before they try again */
    this.sleepers = new Set();
  }

  /** Nothing is asked any more. */
  close() {
    this.ended.abort();
    this.wake();
  }

  /** Whoever waits tries again at once: the network came back, or the page is shown again. */
  wake() {
    for (const sleeper of [...this.sleepers]) sleeper();
  }

  /** @param {number} time @returns {Promise<void>} */
  sleep(time) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(), time);
      const done = () => {
        clearTimeout(timer);
        this.sleepers.delete(done);
        resolve();
      };
      this.sleepers.add(done);
      if (this.ended.signal.aborted) done();
    });
  }

  /** @param {number} attempt from 0 @returns {number} how long to wait before the next */
  pause(attempt) {
    return Math.min(this.times.first * 2 ** Math.min(attempt, 20), this.times.longest) * (0.5 + Math.random() / 2);
  }

  /** @param {{[name: string]: string}} more @returns {{[name: string]: string}} */
  headers(more) {
    const language = this.language();
    const headers = { ...more };
    if (language) headers['Accept-Language'] = language;
    if (this.token !== null) headers.Authorization = `Bearer ${this.token}`;
    return headers;
  }

  /**
   * An answer of 200 or 201; repeated where specs/network.md says so, byte for byte, as long as there is patience.
   * @param {string} method @param {string} path
   * @param {{body?: Uint8Array, type?: string, most?: number, patience?: number}} [how] `patience` in milliseconds
   * @returns {Promise<Answer>} @throws {Refused | Away}
   */
  async ask(method, path, { body, type = 'application/json', most = MAX_ANSWER, patience = this.times.patience } = {}) {
    const end = Date.now() + patience;
    for (let attempt = 0; ; attempt++) {
      let error;
      let after = 0;
      try {
        const answer = await this.once(method, path, body, type, most);
        if (answer.status === 200 || answer.status === 201) return answer;
        error = problemOf(answer.status, answer.bytes);
        if (!AGAIN.has(answer.status) || (error instanceof Refused && FINAL.has(error.code))) throw error;
        after = millis(answer.headers.get('Retry-After'));
      } catch (problem) {
        if (problem === error) throw problem;
        error = problem instanceof Away ? problem : new Away();
      }
      const pause = Math.max(after, this.pause(attempt));
      if (this.ended.signal.aborted || Date.now() + pause > end) throw error instanceof Away ? error : new Away(error.words);
      await this.sleep(pause);
    }
  }

  /** @param {string} method @param {string} path @param {Uint8Array | undefined} body @param {string} type @param {number} most @returns {Promise<Answer>} */
  async once(method, path, body, type, most) {
    const abort = new AbortController();
    const stop = () => abort.abort();
    const timer = setTimeout(stop, this.times.answer);
    this.ended.signal.addEventListener('abort', stop);
    try {
      const headers = this.headers(body === undefined ? {} : { 'Content-Type': type });
      const response = await this.request(path, { method, headers, body }, abort.signal);
      return { status: response.status, headers: response.headers, bytes: await bounded(response, most, abort.signal) };
    } finally {
      abort.abort();
      clearTimeout(timer);
      this.ended.signal.removeEventListener('abort', stop);
    }
  }

  /** @param {string} path @param {RequestInit} how @param {AbortSignal} signal @returns {Promise<Response>} */
  request(path, how, signal) {
    const { fetch } = this;
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Away()), { once: true });
      fetch(this.address + path, {
        ...how,
        signal,
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
      }).then(resolve, reject);
    });
  }

  /**
   * A live stream, to its end. A comment is an event without a name.
   * @param {string} path @param {AbortSignal} signal ends it
   * @returns {AsyncGenerator<StreamEvent>} @throws {Refused | Away} also where it is silent
   */
  async *stream(path, signal) {
    const abort = new AbortController();
    const stop = () => abort.abort();
    let timer = setTimeout(stop, this.times.silence);
    for (const each of [this.ended.signal, signal]) each.addEventListener('abort', stop);
    if (signal.aborted || this.ended.signal.aborted) stop();
    try {
      const response = await this.request(path, { headers: this.headers({ Accept: 'text/event-stream' }) }, abort.signal);
      if (response.status !== 200) {
        const error = problemOf(response.status, await bounded(response, MAX_ANSWER, abort.signal));
        throw AGAIN.has(response.status) && !(error instanceof Refused && FINAL.has(error.code)) ? new Away(error.words) : error;
      }
      const parser = new EventParser();
      for await (const chunk of chunksOf(response, abort.signal)) {
        clearTimeout(timer);
        yield* parser.feed(chunk);
        timer = setTimeout(stop, this.times.silence);
      }
    } catch (error) {
      if (error instanceof Refused || error instanceof Away) throw error;
      throw new Away();
    } finally {
      clearTimeout(timer);
      abort.abort();
      for (const each of [this.ended.signal, signal]) each.removeEventListener('abort', stop);
    }
  }
}

/**
 * The body of an answer, as it comes. It ends where `signal` says so, whatever the platform makes of that.
 * @param {Response} response @param {AbortSignal} signal @returns {AsyncGenerator<Uint8Array>}
 */
async function* chunksOf(response, signal) {
  if (response.body === null) return;
  const reader = response.body.getReader();
  let stop = () => {};
  const aborted = () => stop();
  signal.addEventListener('abort', aborted);
  try {
    for (;;) {
      const { done, value } = await new Promise((resolve, reject) => {
        stop = () => reject(new Away());
        if (signal.aborted) stop();
        else reader.read().then(resolve, reject);
      });
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', aborted);
    reader.cancel().catch(() => {});
  }
}

/** @param {Response} response @param {number} most bytes @param {AbortSignal} signal @returns {Promise<Uint8Array>} @throws {Away} where it is longer */
async function bounded(response, most, signal) {
  const chunks = [];
  let length = 0;
  for await (const chunk of chunksOf(response, signal)) {
    length += chunk.length;
    if (length > most) throw odd();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
