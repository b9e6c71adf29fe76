/**
 * Takes what a stream brings besides lines and checkpoints: openings, receipts, presence; and keeps what belongs to the roll
 * that waits.
 * @module
 */

import { fromUtf8 } from '../../../verifier/web/bytes.js';
import { readCanonical } from '../../../verifier/web/json.js';
import { checkOpening, checkReceived } from '../../../verifier/web/openings.js';
import { Away, say } from './errors.js';
import { json, odd } from './transport.js';

/** @typedef {import('./seat.js').Opening} Opening */
/** @typedef {import('./stream.js').StreamEvent} StreamEvent */

export class Inbox {
  /** @param {Pick<import('./play.js').Parts, 'log' | 'now' | 'warnings' | 'uplink' | 'sync' | 'own'>} parts */
  constructor({ log, now, warnings, uplink, sync, own }) {
    this.log = log;
    this.now = now;
    this.warnings = warnings;
    this.uplink = uplink;
    this.sync = sync;
    this.own = own;
    /** @type {string[]} parties whose pages are here */
    this.here = [];
    /** @type {Map<string, {opening: Opening, line: string}>} of the roll that waits, checked */
    this.openings = new Map();
    /** @type {string[]} receipts for openings of the roll that waits, as they travel */
    this.receipts = [];
    /** The leaf hash of the request that waits, in hex; '' for none. */
    this.request = '';
    /** When the roll began to wait, in milliseconds by this clock. */
    this.since = 0;
  }

  /** Takes what the server sent, and fetches what lacks before it. @param {StreamEvent} event @throws {import('./errors.js').Cheated | Away} */
  async take({ name, id, data }) {
    let lacks = false;
    await this.sync.alone(async () => {
      this.sync.check();
      if (name === 'line') {
        const seq = seqOf(id);
        lacks = seq > this.log.size;
        await this.sync.takeLine(seq, data);
      } else if (name === 'checkpoint') {
        const note = json(data).checkpoint;
        if (typeof note !== 'string') throw odd();
        await this.sync.takeCheckpoint(note);
        lacks = this.sync.ahead !== null;
      } else if (name === 'opening') {
        await this.takeOpening(data);
      } else if (name === 'received') {
        await this.takeReceived(data);
      } else if (name === 'here') {
        const names = json(data).here;
        this.here = Array.isArray(names) ? names.filter((each) => typeof each === 'string') : [];
      }
      this.newRequest();
    });
    if (lacks) await this.sync.fetch();
  }

  /** What came for a roll is forgotten when another one waits, or none. */
  newRequest() {
    if (this.log.size === 0) return;
    const { phase, roll } = this.log.game;
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
    const now = this.now();
    const asked = this.uplink.isLive || !roll ? now : Date.parse(this.log.events[roll.seq].time);
    return Math.min(now, asked);
  }

  /** @param {Uint8Array} data */
  async takeOpening(data) {
    this.newRequest();
    const line = fromUtf8(data) ?? '';
    const value = /** @type {any} */ (readCanonical(line));
    const wrong = this.log.size === 0 ? 'request' : await checkOpening(this.log.game, data);
    if (wrong === null && value.request === this.request) {
      const { opening } = value;
      if (opening.author === this.own.name) await this.checkOwn(opening);
      this.openings.set(opening.author, { opening, line });
    } else if (wrong !== null && wrong !== 'game' && wrong !== 'request') {
      const author = String(value?.opening?.author ?? '?');
      this.warnings.add(
        `opening ${this.request} ${author} ${wrong}`,
        say('An opening came in the name of {author}, and it does not hold ({code}). It has no effect. If the roll waits, ask {author}.', {
          author,
          code: wrong,
        }),
        [{ name: 'given.opening', bytes: data }],
      );
    }
  }

  /** Stops the seat where an own opening that holds is none that it remembers. @param {Opening} opening */
  async checkOwn(opening) {
    const { seat, isParty } = this.own;
    if (seat === null || !isParty) return; // or it goes on under another key
    const { chains } = await seat.memory.look();
    if (chains.some((chain) => chain.opening !== '' && chain.request === this.request && JSON.parse(chain.opening).opening.link === opening.link))
      return;
    await seat.stop(
      say(
        "The server shows an opening by {me}'s key that {me} did not make in this browser. Either somebody else has the key and the seeds, or this browser lost what it remembered. It signs and opens nothing more in this game. Tell the others and the judge, without using this server.",
        { me: seat.name },
      ),
    );
    await this.own.recall();
  }

  /** @param {Uint8Array} data */
  async takeReceived(data) {
    if (this.log.size === 0 || !(await checkReceived(this.log.game, data))) return;
    const line = fromUtf8(data)?.trimEnd() ?? '';
    const { author, request, link } = JSON.parse(line);
    if (request !== this.request || this.receipts.includes(line)) return;
    const { seat } = this.own;
    if (author === seat?.name && this.openings.get(author)?.opening.link === link) await seat?.keepReceived(line);
    this.receipts.push(line);
  }
}

/** @param {string} id of a line in the stream @returns {number} its own @throws {Away} */
function seqOf(id) {
  if (!/^\d{1,15}$/.test(id)) throw new Away(say('The server sent a line without its number.'));
  return Number(id);
}
