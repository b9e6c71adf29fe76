/**
 * Takes the events of a game besides its lines: openings, receipts, presence; and warns the owner.
 * @module
 */

import { fromUtf8, utf8 } from '../../../verifier/web/bytes.js';
import { readCanonical } from '../../../verifier/web/json.js';
import { checkOpening, checkReceived } from '../../../verifier/web/openings.js';
import { Carrier } from './carrier.js';
import { Away, Cheated, Refused, say, Stopped, Unstored } from './errors.js';
import { Forked } from './guard.js';
import { placeOf } from './lost.js';
import { json, odd } from './transport.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./errors.js').Message} Message */
/** @typedef {import('./memory.js').Record} Record */
/** @typedef {import('./seat.js').Opening} Opening */
/** @typedef {import('./seat.js').Seat} Seat */
/** @typedef {import('./stream.js').StreamEvent} StreamEvent */
/** @typedef {{id: string, message: Message, files: File[]}} Warning */
/**
 * @typedef {object} Means of this browser
 * @property {import('./storage.js').Storage} storage @property {import('./turns.js').Locks} locks @property {import('./turns.js').Channels} channels
 * @property {() => number} now milliseconds
 */

/** The warning that something was not stored. */
export const UNSTORED = 'unstored';

export class Coming extends Carrier {
  /**
   * @param {string} game hex @param {import('./connection.js').Connection} connection @param {Means} means
   * @param {() => void} told that something has changed
   */
  constructor(game, connection, means, told) {
    super(game, connection, means.storage);
    this.means = means;
    this.told = told;
    /** @type {Seat | null} */
    this.seat = null;
    /** @type {import('./rules.js').Rules | null} of this game, when it is followed */
    this.rules = null;
    /** @type {Record | null} what the seat remembered when it was looked at last */
    this.record = null;
    /** The owner has agreed to the terms: the seat joins and commits by itself. */
    this.agreed = false;
    /** @type {import('./holder.js').Outcome[]} what its secret rolls came to that it has not shown: for its owner's eyes alone */
    this.secrets = [];
    /** @type {string[]} */
    this.here = [];
    /** @type {Map<string, {opening: Opening, line: string}>} of the roll that waits, checked */
    this.openings = new Map();
    /** @type {string[]} receipts for openings of the roll that waits, as they travel */
    this.receipts = [];
    this.request = '';
    /** When the roll began to wait, in milliseconds by this clock. */
    this.since = 0;
    /** @type {'connecting' | 'live' | 'away'} */
    this.line = 'connecting';
    /** @type {Map<string, Warning>} until they are read */
    this.warnings = new Map();
    /** @type {Set<string>} */
    this.read = new Set();
    this.sending = 0;
    /** @type {Set<string>} requests for which an opening is on its way */
    this.handing = new Set();
    /** @type {Set<string>} requests for which one has arrived, as long as this connection stands */
    this.arrived = new Set();
    /** @type {Set<string>} openings for which a receipt was given */
    this.acknowledged = new Set();
    /** @type {Set<string>} lines that are being offered */
    this.offering = new Set();
    this.entering = false;
    /** @type {Set<() => void>} */
    this.waiters = new Set();
    /** @type {Set<ReturnType<typeof setTimeout>>} */
    this.timers = new Set();
    /** @type {ReturnType<typeof setTimeout> | null} until what was not stored is tried again */
    this.storing = null;
  }

  get game() {
    return this.log.game;
  }

  changed() {
    this.wake();
    this.told();
  }

  wake() {
    for (const waiter of [...this.waiters]) waiter();
  }

  /** Waits for a change, or for this time. @param {number} time @returns {Promise<void>} */
  change(time) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, time);
      this.waiters.add(done);
    });
  }

  // --- what the subclasses do --------------------------------------------------------------------------------

  /** What the course of the game asks of this seat. */
  async act() {}

  /** A look at what the log shows of this party. @param {boolean} [_write] it is written down too */
  async look(_write = false) {}

  /** Own lines of which it is not known whether they came are offered again. */
  async resend() {}

  // --- what comes ----------------------------------------------------------------------------------------------------

  /** Something that the server sent. @param {StreamEvent} event @throws {Cheated | Away} */
  async came(event) {
    let lacks = false;
    await this.alone(async () => {
      this.check();
      if (event.name === 'line') {
        const { seq, line } = Carrier.lineOf(event);
        lacks = seq > this.log.size;
        await this.takeLine(seq, line);
      } else if (event.name === 'checkpoint') {
        const note = json(event.data).checkpoint;
        if (typeof note !== 'string') throw odd();
        await this.takeCheckpoint(note);
        lacks = this.ahead !== null;
      } else if (event.name === 'opening') {
        await this.takeOpening(event.data);
      } else if (event.name === 'received') {
        await this.takeReceived(event.data);
      } else if (event.name === 'here') {
        const names = json(event.data).here;
        this.here = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
      }
      this.newRequest();
    });
    if (lacks) await this.fetch();
    // An opening is told of before its receipts are worked out, and a request opened before anything is shown of it.
    if (event.name === 'checkpoint' || event.name === 'opening' || event.name === '') await this.act();
    this.changed();
    void this.background(() => this.store());
    if (event.name === 'checkpoint') await this.look();
  }

  /** What came for a roll is forgotten when another one waits, or none. */
  newRequest() {
    if (this.log.size === 0) return;
    const { phase, roll } = this.game;
    const request = phase === 'pending' || phase === 'voided' ? roll.leaf : '';
    if (request === this.request) return;
    this.request = request;
    this.since = this.sinceWhen(roll);
    this.openings.clear();
    this.receipts = [];
  }

  /**
   * A roll that was asked for before this page followed the table has waited since then, by the clock of who asked.
   * @param {import('../../../verifier/web/game.js').Roll | undefined} roll @returns {number}
   */
  sinceWhen(roll) {
    const now = this.means.now();
    const asked = this.line === 'live' || !roll ? now : Date.parse(this.log.events[roll.seq].time);
    return Math.min(now, asked);
  }

  /** @param {Uint8Array} data */
  async takeOpening(data) {
    this.newRequest();
    const line = fromUtf8(data) ?? '';
    const value = /** @type {any} */ (readCanonical(line));
    const wrong = this.log.size === 0 ? 'request' : await checkOpening(this.game, data);
    if (wrong === null && value.request === this.request) {
      const { opening } = value;
      if (opening.author === this.seat?.name) await this.checkOwn(opening);
      this.openings.set(opening.author, { opening, line });
    } else if (wrong !== null && wrong !== 'game' && wrong !== 'request') {
      const author = String(value?.opening?.author ?? '?');
      this.warn(
        `opening ${this.request} ${author} ${wrong}`,
        say('An opening came in the name of {author}, and it does not hold ({code}). It has no effect. If the roll waits, ask {author}.', {
          author,
          code: wrong,
        }),
        [{ name: 'given.opening', bytes: data }],
      );
    }
  }

  /** An opening of this party's own, that holds: it is one that it remembers. @param {Opening} opening */
  async checkOwn(opening) {
    const { seat } = this;
    if (seat === null || placeOf(this.game, seat.signer.key) === undefined) return; // or it goes on under another key
    const record = await seat.memory.look();
    if (
      record.chains.some((chain) => chain.opening !== '' && chain.request === this.request && JSON.parse(chain.opening).opening.link === opening.link)
    )
      return;
    await seat.stop(
      say(
        "The server shows an opening by {me}'s key that {me} did not make in this browser. Either somebody else has the key and the seeds, or this browser lost what it remembered. It signs and opens nothing more in this game. Tell the others and the judge, without using this server.",
        { me: seat.name },
      ),
    );
    this.record = await seat.memory.look();
  }

  /** @param {Uint8Array} data */
  async takeReceived(data) {
    if (this.log.size === 0 || !(await checkReceived(this.game, data))) return;
    const line = fromUtf8(data)?.trimEnd() ?? '';
    const { author, request, link } = JSON.parse(line);
    if (request !== this.request || this.receipts.includes(line)) return;
    const { seat } = this;
    if (author === seat?.name && this.openings.get(author)?.opening.link === link) await seat?.keepReceived(line);
    this.receipts.push(line);
  }

  /** @param {Forked} error @returns {Promise<never>} */
  forked(error) {
    return this.cheated(error.words, error.note === '' ? [] : [{ name: 'mine.checkpoint', bytes: utf8(error.note) }]);
  }

  /** Work beside the stream; what goes wrong is told. @param {() => Promise<any>} work */
  async background(work) {
    try {
      await work();
    } catch (error) {
      if (this.ended) return;
      if (error instanceof Forked) await this.alone(() => this.forked(error)).catch(() => {});
      else if (error instanceof Unstored) this.unstored(error);
      else if (error instanceof Refused || error instanceof Stopped) this.warn('by itself', error.words);
      else if (!(error instanceof Cheated) && !(error instanceof Away)) throw error;
    }
  }

  /** What was not stored is told, and tried again: with it what waits for that. @param {Unstored} error */
  unstored(error) {
    this.warn(UNSTORED, error.words);
    if (this.storing !== null || this.ended) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.storing = null;
      void this.background(() => this.storeAgain());
    }, this.connection.times.longest);
    this.storing = timer;
    this.timers.add(timer);
  }

  async storeAgain() {
    await this.alone(async () => {
      await this.storeGame();
      await this.store();
    });
    this.warnings.delete(UNSTORED);
    await this.look(true);
    await this.act();
    this.changed();
  }

  /** @param {string} id @param {Message} message @param {File[]} [files] */
  warn(id, message, files = []) {
    if (this.warnings.has(id) || this.read.has(id)) return;
    this.warnings.set(id, { id, message, files });
    this.changed();
  }
}
