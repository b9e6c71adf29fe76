/**
 * Python beside the page: it answers one question after the other, each with a time limit, and is replaced after any
 * failure. A failure is `Unfinished`, and never a verdict on a log.
 * @module
 */

import { scriptAddress } from '../trusted.js';
import { FILES, SCRIPTS, workerScript } from './runtime.js';

/** @typedef {import('../findings.js').Message} Message */
/** @typedef {Map<string, Promise<Uint8Array>>} Loaded the contents of SCRIPTS and FILES as they come; they are used up */

/** Seconds for one answer; and for the start, which on a slow device takes long. */
export const SECONDS = 120;
export const START_SECONDS = 180;

/** The reason for a missing answer. */
export class Unfinished extends Error {
  /** @param {Message} words @param {string} [detail] for whoever looks for the flaw */
  constructor(words, detail = '') {
    super(detail || 'unfinished');
    this.words = words;
  }
}

export class Python {
  /**
   * @param {(names: string[]) => Loaded} load gives the files, anew each time
   * @param {{seconds?: number}} [limits]
   */
  constructor(load, { seconds = SECONDS } = {}) {
    this.load = load;
    this.seconds = seconds;
    /** Milliseconds that the last start took, without the load. @type {number | null} */
    this.started = null;
    /** @type {Promise<Worker> | null} */
    this.worker = null;
    /** Whether there is a worker that has started, and not ended. */
    this.ready = false;
    /** @type {Promise<unknown>} */
    this.turn = Promise.resolve();
    /** Ends the current wait. @type {((why: Unfinished) => void) | null} */
    this.give = null;
    this.last = 0;
    /** Counts stops: a question from before a stop is not begun after it. */
    this.stops = 0;
  }

  /** Begins to start, ahead of the first question. */
  prepare() {
    const stops = this.stops;
    this.turn = this.turn
      .then(() => (stops === this.stops ? this.begun() : undefined))
      .then(
        () => undefined,
        () => undefined,
      );
  }

  /** @param {any} request JSON @param {number} [seconds] for its answer @returns {Promise<any>} JSON @throws {Unfinished} */
  ask(request, seconds = this.seconds) {
    const stops = this.stops;
    const asked = this.turn.then(async () => {
      if (stops !== this.stops) throw new Unfinished({ text: 'It was stopped.' });
      const worker = await this.begun();
      const id = ++this.last;
      const text = await this.waitFor(worker, { id, text: JSON.stringify(request) }, seconds, (data) => data.id === id);
      return JSON.parse(text.text);
    });
    this.turn = asked.then(
      () => undefined,
      () => undefined,
    );
    return asked;
  }

  /** Abandons the current question, and all waiting ones. */
  stop() {
    this.stops += 1;
    this.end(new Unfinished({ text: 'It was stopped.' }));
  }

  /** @param {Unfinished} why */
  end(why) {
    const { worker, give } = this;
    this.worker = null;
    this.ready = false;
    this.give = null;
    worker?.then(
      (each) => each.terminate(),
      () => undefined,
    );
    give?.(why);
  }

  /** @returns {Promise<Worker>} one that is ready */
  begun() {
    this.worker ??= this.begin();
    return this.worker;
  }

  async begin() {
    const stops = this.stops;
    try {
      const loaded = this.load([...SCRIPTS, ...FILES]);
      for (const file of loaded.values()) file.catch(() => undefined); // whoever waits for it first is told
      const came = (/** @type {string} */ name) => /** @type {Promise<Uint8Array>} */ (loaded.get(name));
      const decoder = new TextDecoder();
      const script = workerScript(await Promise.all(SCRIPTS.map(async (name) => decoder.decode(await came(name)))));
      const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
      const worker = new Worker(scriptAddress(address));
      try {
        const last = FILES[FILES.length - 1];
        for (const name of FILES) {
          const bytes = await came(name); // Python starts with the first ones while the others come
          if (stops !== this.stops) throw new Unfinished({ text: 'It was stopped.' });
          if (name !== last) worker.postMessage({ name, bytes }, [bytes.buffer]);
        }
        const rest = { name: last, bytes: await came(last) };
        const { ready } = await this.waitFor(worker, rest, START_SECONDS, (data) => data.ready !== undefined, [rest.bytes.buffer]);
        this.started = ready;
        this.ready = true;
      } catch (error) {
        worker.terminate();
        throw error;
      } finally {
        URL.revokeObjectURL(address);
      }
      return worker;
    } catch (error) {
      this.worker = null;
      if (error instanceof Unfinished) throw error;
      throw new Unfinished({ text: 'Python did not start in this browser.' }, String(error));
    }
  }

  /**
   * Sends a message, and waits for its answer.
   * @param {Worker} worker @param {any} message @param {number} seconds @param {(data: any) => boolean} answers
   * @param {Transferable[]} [given] what is handed over and not copied
   * @returns {Promise<any>} @throws {Unfinished}
   */
  waitFor(worker, message, seconds, answers, given = []) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.end(new Unfinished({ text: 'It took longer than {seconds} seconds.', values: { seconds } })),
        seconds * 1000,
      );
      this.give = (why) => {
        clearTimeout(timer);
        reject(why);
      };
      worker.onmessage = ({ data }) => {
        if (data.failed !== undefined) this.end(new Unfinished({ text: 'Python ended with an error in this browser.' }, data.failed));
        if (!answers(data)) return;
        clearTimeout(timer);
        this.give = null;
        resolve(data);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        this.end(new Unfinished({ text: 'Python ended with an error in this browser.' }, event.message));
      };
      worker.postMessage(message, given);
    });
  }
}
