/**
 * The rules of a game, if this browser has them: Python in a worker, which follows the log line by line
 * (specs/page.md, "The rules"). Until then the server's advice is used, and compared afterwards.
 * @module
 */

import { fromUtf8, utf8 } from '../../../verifier/web/bytes.js';
import { Failure } from '../../../verifier/web/findings.js';
import { Unfinished } from '../../../verifier/web/python/python.js';
import { Cheated, Refused, say } from './errors.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./errors.js').Message} Message */
/** @typedef {import('./follower.js').Follower} Follower */
/** @typedef {{ask: (request: any, seconds?: number) => Promise<any>, ready: boolean}} Engine `Python`, or what answers like it */
/** @typedef {{language: string, size: number, latest: number, what: 'state' | 'offers' | 'reading' | 'reasons', request: any, told: any, checked: any}} Heard what a server advised about `size` lines, or some up to `latest`; `checked`: what the rules say of the same, undefined before they were asked */
/** @typedef {{what: Heard['what'], size: number}} Lie advice that the rules contradict */

/** Lines that the worker gets at once: others get their turn in between. */
const CHUNK = 64;
/** Seconds for work of milliseconds: after that the worker is replaced. */
const SECONDS = 10;
/** The most pieces of advice that are kept. */
const MOST_HEARD = 12;
/** How many times the worker is replaced before its owner must ask. */
const ATTEMPTS = 3;
/** A server reads what was typed on the lines that it has: some more than were here. */
const AHEAD = 2;

/** @param {any} a JSON @param {any} b @returns {boolean} */
export function same(a, b) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  return (
    Array.isArray(a) === Array.isArray(b) && names.length === others.length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  );
}

export class Rules {
  /**
   * @param {Pick<import('./play.js').Parts, 'log' | 'connection' | 'life' | 'sync'>} parts of the game
   * @param {() => string} language of what is said in words
   */
  constructor({ log, connection, life, sync }, language) {
    this.log = log;
    this.connection = connection;
    this.life = life;
    this.sync = sync;
    this.language = language;
    /** What knows them, as soon as somebody has begun to load it; what is advised before is kept all the same. @type {Engine | null} */
    this.loaded = null;
    /** @type {'loading' | 'ready' | 'unfinished'} */
    this.state = 'loading';
    /** The reason why there are no rules. @type {Message | null} */
    this.why = null;
    /** Lines that the worker has, and the leaf hash of the last one. */
    this.size = 0;
    this.leaf = '';
    /** @type {Heard[]} what the server advised and nobody has compared */
    this.heard = [];
    /** @type {Lie[]} */
    this.lies = [];
    /** @type {File[]} what shows them */
    this.files = [];
    this.starting = false;
  }

  get ready() {
    return this.state === 'ready';
  }

  get engine() {
    return /** @type {Engine} */ (this.loaded);
  }

  /** Uses an engine that is being loaded. @param {Engine} engine */
  use(engine) {
    if (this.loaded !== null) return;
    this.loaded = engine;
    void this.start();
  }

  // --- following -------------------------------------------------------------------------------------------------------

  /** Follows the log from its first line on, and anew after whatever ended badly. */
  async start() {
    if (this.starting) return;
    this.starting = true;
    try {
      for (let attempt = 0; attempt < ATTEMPTS && !this.life.ended && this.sync.trouble === null; attempt++) {
        this.state = 'loading';
        this.life.changed();
        try {
          await this.catchUp();
          return;
        } catch (error) {
          if (error instanceof Cheated) return;
          if (!(error instanceof Unfinished)) throw error;
          this.lost(error);
        }
        await this.connection.sleep(this.connection.pause(attempt + 2));
      }
    } finally {
      this.starting = false;
    }
  }

  /** The worker has ended: another one begins, and nothing waits for that. @returns {boolean} */
  hasEnded() {
    if (this.engine.ready) return false;
    this.lost(new Unfinished(say('The rules ended with an error, and are started anew.')));
    void this.start();
    return true;
  }

  /** The worker gave no answer. Lines go on without the rules. @param {Unfinished} error */
  lost(error) {
    this.size = 0;
    this.leaf = '';
    this.state = 'unfinished';
    this.why = error.words;
    this.log.rules = null;
    this.life.changed();
  }

  /** Until the worker has all lines; from then on none is taken without it. @throws {Unfinished | Cheated} */
  async catchUp() {
    const { log, sync } = this;
    while (!this.life.ended) {
      // A worker that is being started takes its time: nothing waits for it meanwhile.
      if (this.size < log.size && (await this.feed()) === null && this.size < log.size) continue;
      const done = await sync.alone(async () => {
        sync.check();
        const failure = await this.feed();
        if (failure !== null) {
          await sync.cheated(
            say('Event {seq} breaks the rules of the game, but the server shows it as part of the game: {problem}', {
              seq: failure.seq,
              problem: failure.words,
            }),
          );
        }
        if (this.size < log.size || this.pending().length > 0) return false;
        this.state = 'ready';
        this.why = null;
        log.rules = this;
        return true;
      });
      if (done) break;
    }
    this.life.changed();
  }

  /** Gives the worker the next lines of the log. @returns {Promise<Failure | null>} why one of them does not hold @throws {Unfinished} */
  async feed() {
    const { log } = this;
    if (this.size > log.size || (this.size > 0 && log.leaf(this.size - 1) !== this.leaf)) this.size = 0; // they made room for others
    if (this.pending().some(({ latest }) => latest < this.size)) this.size = 0; // advice came when the worker was past its lines
    const at = this.size;
    const stop = Math.min(
      log.size,
      at + CHUNK,
      ...this.heard.flatMap(({ size, latest }) => [size, Math.max(size, at + 1)].filter((stop) => stop > at && stop <= latest)),
    );
    const some = log.events.slice(at, stop);
    if (some.length > 0) {
      const { size, refused } = await this.follow(
        at,
        some.map((event) => event.line),
      );
      this.size = size;
      this.leaf = size > at ? some[Math.min(size - at, some.length) - 1].leaf : this.leaf;
      if (refused !== null) return failureOf(refused);
    }
    await this.compare();
    return null;
  }

  /** @param {number} at @param {string[]} lines @returns {Promise<{size: number, refused: any}>} @throws {Unfinished} */
  follow(at, lines) {
    return this.engine.ask({ do: 'follow', at, lines, language: this.language() }, SECONDS);
  }

  /**
   * Whether the rules take lines that follow those of a log. Where the worker gives no answer they are taken without it, and
   * judged when it is back.
   * @param {Follower} log @param {Uint8Array[]} lines @param {number} [from] the number of the first @throws {Failure}
   */
  async take(log, lines, from = log.size) {
    if (this.hasEnded()) return;
    const texts = lines.map((line) => fromUtf8(line) ?? '');
    try {
      let { size, refused } = await this.follow(from, texts);
      if (refused === null && size < from + lines.length) {
        // another history was here
        const all = [...log.events.slice(0, from).map((event) => event.line), ...texts];
        for (size = 0; refused === null && size < all.length; ) ({ size, refused } = await this.follow(size, all.slice(size, size + CHUNK)));
      }
      this.size = size;
      if (refused !== null) throw failureOf(refused);
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error;
      this.lost(error);
      void this.start();
    }
  }

  /** The log has what was taken. @param {Follower} log */
  kept(log) {
    this.size = log.size;
    this.leaf = log.size > 0 ? log.leaf(log.size - 1) : '';
  }

  /** Whether the rules would take a line. @param {Uint8Array} line @throws {Failure | Refused} */
  async wouldTake(line) {
    const { refused } = await this.answer({ do: 'would', line: fromUtf8(line) ?? '', language: this.language() });
    if (refused !== null) throw failureOf(refused);
  }

  /** @param {any} request @returns {Promise<any>} @throws {Refused} where the worker gives none */
  async answer(request) {
    try {
      if (!this.hasEnded()) return await this.engine.ask(request, SECONDS);
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error;
      this.lost(error);
      void this.start();
    }
    throw new Refused(
      'rules.unfinished',
      say('The rules gave no answer in this browser, and are started anew. Nothing was signed: try again in a moment.'),
    );
  }

  // --- what they say ---------------------------------------------------------------------------------------------------

  /** How the game stands, and what a party can do. @param {string | null} party @param {number} rolls @returns {Promise<{size: number, state: any, actions: any[]}>} @throws {Refused} */
  advise(party, rolls) {
    return this.answer({ do: 'advise', language: this.language(), rolls, ...(party === null ? {} : { party }) });
  }

  /** What was typed. @param {any} request as `read` has it @returns {Promise<any>} @throws {Refused} where it cannot be read */
  async read(request) {
    const { read, problem, lines } = await this.answer({ do: 'read', language: this.language(), request });
    if (read === null) throw new Refused('notation', say('{detail}', { detail: String(problem) }), { lines });
    return read;
  }

  /** Why a roll came to what it came to. @param {number} roll @returns {Promise<{clause: string | null, text: string}[]>} @throws {Refused} */
  async reasons(roll) {
    return (await this.answer({ do: 'reasons', language: this.language(), roll })).reasons;
  }

  // --- what the server said ----------------------------------------------------------------------------------------------

  /** The server has advised something, before the rules were there. @param {Heard['what']} what @param {number} size @param {any} request @param {any} told */
  hear(what, size, request, told) {
    if (this.ready) return;
    const latest = what === 'reading' ? size + AHEAD : size;
    this.heard = [...this.heard.slice(1 - MOST_HEARD), { what, size, latest, request, told, checked: undefined, language: this.language() }];
  }

  /** What the worker can be asked about, or could have been, and was not. @returns {Heard[]} */
  pending() {
    return this.heard.filter(({ size, checked }) => checked === undefined && size <= this.size);
  }

  /** Compares what was heard of the lines that the worker has now. @throws {Unfinished} */
  async compare() {
    const { size } = this;
    for (const each of this.heard) {
      if (size < each.size || size > each.latest) continue;
      each.checked = await this.says(each);
      if (same(each.checked, each.told)) this.heard = this.heard.filter((one) => one !== each);
    }
    const done = this.heard.filter((each) => each.checked !== undefined && (each.latest <= size || (each.size <= size && size === this.log.size)));
    this.heard = this.heard.filter((each) => !done.includes(each));
    for (const each of done) this.lie(each);
  }

  /** @param {Heard} heard @returns {Promise<any>} what the rules say of the same @throws {Unfinished} */
  async says({ what, language, request }) {
    if (what === 'reading') return (await this.engine.ask({ do: 'read', language, request }, SECONDS)).read;
    if (what === 'reasons') return (await this.engine.ask({ do: 'reasons', language, ...request }, SECONDS)).reasons;
    const { state, actions } = await this.engine.ask({ do: 'advise', language, ...request }, SECONDS);
    return what === 'state' ? state : actions;
  }

  /** @param {Heard} heard */
  lie({ what, size, request, told, checked }) {
    this.lies.push({ what, size });
    this.files.push({ name: `${what}-${size}.json`, bytes: utf8(JSON.stringify({ request, server: told, rules: checked }, null, 1)) });
    this.life.changed();
  }
}

/** @param {{seq: number, code: string, step: number, clause: string | null, problem: string}} refused @returns {Failure} */
function failureOf({ seq, code, step, clause, problem }) {
  const failure = new Failure(step, code, '{text}', { text: problem }, { clause });
  failure.seq = seq;
  return failure;
}
