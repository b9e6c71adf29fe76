/**
 * A game's stream: followed by one tab of a seat, which tells the others (specs/network.md, "The stream"; specs/page.md, "Two
 * tabs").
 * @module
 */

import { utf8 } from '../../../verifier/web/bytes.js';
import { isObject } from '../../../verifier/web/json.js';
import { Coming } from './coming.js';
import { Away, Cheated, Refused, say, Stopped, Unstored } from './errors.js';
import { Forked } from './guard.js';
import { pauseOf } from './transport.js';
import { inTurn } from './turns.js';

/** @typedef {import('./errors.js').Message} Message */
/** @typedef {import('./stream.js').StreamEvent} StreamEvent */

/** The warning that the following tab is silent, and the milliseconds until it. */
const SILENT = 'silent';
const LONGEST = 10_000;

export class Following extends Coming {
  /**
   * @param {string} game hex @param {import('./connection.js').Connection} connection @param {import('./coming.js').Means} means
   * @param {() => void} told that something has changed
   */
  constructor(game, connection, means, told) {
    super(game, connection, means, told);
    this.leader = false;
    /** The following tab has sent something. */
    this.heard = false;
    /** @type {Message | null} why the server shows this game no more */
    this.gone = null;
    this.deleted = false;
    /** The game is closed, and the server has said that nothing more comes. */
    this.over = false;
    /** The log has been brought up to the server's once. */
    this.fetched = false;
    this.stop = new AbortController();
    /** @type {import('./turns.js').Channel | null} */
    this.channel = null;
    /** @type {string | null} of the table's link */
    this.linkToken = connection.token;
  }

  /** Following and automatic work have ended. */
  close() {
    this.ended = true;
    this.stop.abort();
    this.channel?.close();
    this.channel = null;
    for (const timer of this.timers) clearTimeout(timer);
    this.wake();
  }

  // --- following -------------------------------------------------------------------------------------------------------

  /** Whether the seat is a party of this game; set by the subclass. */
  get isParty() {
    return false;
  }

  /** Follows the game until `close`: one tab of a seat by itself, the others by what it tells them. */
  async run() {
    if (this.seat === null) return this.lead();
    const name = `${this.seat.signer.key} ${this.id}`;
    this.channel = this.means.channels(`rollproof ${name}`, (message) => void this.hear(message));
    const leading = inTurn(this.means.locks, `rollproof stream ${name}`, () => this.lead(), this.stop.signal);
    void this.background(async () => {
      await this.change(100);
      if (this.leader || this.ended) return;
      this.channel?.post({ name: '#hello' });
      await this.fetch();
      this.newRequest();
      this.fetched = true;
      await this.look();
      for (const end = Date.now() + LONGEST; !this.heard && !this.leader && !this.ended && Date.now() < end; ) await this.change(end - Date.now());
      if (!this.heard && !this.leader && !this.ended) {
        this.warn(
          SILENT,
          say(
            'Another tab of this browser follows this table, and does not pass on what comes. This tab shows nothing new. Close the other tabs of this table.',
          ),
        );
      }
    });
    try {
      await leading;
    } catch (error) {
      if (!this.ended) throw error;
    }
  }

  /** Follows the stream, for ever. */
  async lead() {
    this.leader = true;
    this.warnings.delete(SILENT);
    this.changed();
    for (let attempt = 0; !this.ended && this.trouble === null && !this.deleted && !this.over; attempt++) {
      /** @type {number | null} milliseconds that the server asks for */
      let pause = null;
      try {
        this.arrived.clear();
        await this.access();
        await this.fetch();
        this.newRequest();
        this.fetched = true;
        await this.look();
        void this.resend();
        await this.act();
        const party = this.isParty;
        for await (const event of this.connection.stream(`/v1/games/${this.id}/stream?from=${this.log.size}`, this.stop.signal)) {
          attempt = 0;
          this.gone = null;
          this.setLine('live');
          if (event.name === 'bye') {
            pause = pauseOf(event);
            this.over = pause === null && this.isOver;
            break;
          }
          await this.came(event);
          if (event.name !== '') this.channel?.post(event);
          if (this.isParty && !party) {
            // let in just now: the others are to see who is here
            pause = 0;
            break;
          }
        }
      } catch (error) {
        if (this.ended) return;
        await this.failed(error);
      }
      if (this.ended) return;
      if (this.trouble === null && !this.deleted && !this.over) {
        this.setLine('away');
        await this.connection.sleep(pause ?? this.connection.pause(attempt));
      }
    }
    if (!this.over) this.setLine('away');
    // Nothing more is followed, and no other tab of this seat has to.
    while (!this.ended) await this.change(2 ** 30);
  }

  /** Whether the log ends with its `close`, and the keeper has signed for all of it. */
  get isOver() {
    return this.log.size > 0 && this.game.phase === 'closed' && this.log.taken === this.log.size;
  }

  /** The stream stands, or has fallen. */
  expectOpening() {}

  /** @param {unknown} error that ended a stream */
  async failed(error) {
    if (error instanceof Forked) return this.alone(() => this.forked(error)).catch(() => {});
    if (error instanceof Unstored) this.unstored(error);
    if (error instanceof Cheated || error instanceof Away || error instanceof Stopped || (error instanceof Refused && error.code === 'behind'))
      return undefined;
    if (!(error instanceof Refused)) throw error;
    if (error.status === 404 && this.connection.token !== this.linkToken) {
      this.connection.token = this.linkToken; // the server forgot the party's own
    } else if (error.status === 404 || error.status === 410) {
      this.deleted = error.status === 410;
      this.gone = error.words;
      this.changed();
      if (!this.deleted) await this.connection.sleep(this.connection.times.longest);
    }
    return undefined;
  }

  /** @param {'connecting' | 'live' | 'away'} line */
  setLine(line) {
    if (this.line === line) return;
    this.line = line;
    this.expectOpening();
    this.channel?.post({ name: '#line', line });
    this.changed();
  }

  /** A token of the party's own, so that the others see who is here. */
  async access() {
    if (this.seat === null || !this.isParty) return;
    try {
      this.connection.token = await this.connection.access(this.id, await this.seat.access());
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.connection.token = this.linkToken;
      if (error.code === 'access.time') this.warn('access.time', error.words);
    }
  }

  /** What this browser remembers has changed: each tab of this seat reads it anew, before the server tells of it. */
  async remembers() {
    this.channel?.post({ name: '#memory' });
    await this.readMemory();
  }

  async readMemory() {
    if (this.seat !== null) this.record = await this.seat.memory.look();
    this.changed();
  }

  cheatFound() {
    this.channel?.post({ name: '#trouble' });
  }

  /** What another tab of this seat tells: what has not its form, as of another version of the page, is nothing. @param {any} message */
  async hear(message) {
    if (this.ended || this.trouble !== null || !isTold(message)) return;
    this.heard = true;
    this.warnings.delete(SILENT);
    if (message.name === '#trouble') {
      await this.adoptTrouble();
    } else if (message.name === '#memory') {
      await this.readMemory();
    } else if (message.name === '#hello') {
      if (!this.leader) return;
      this.channel?.post({ name: '#line', line: this.line });
      this.channel?.post(event('here', { here: this.here }));
      for (const { line } of this.openings.values()) this.channel?.post({ name: 'opening', data: utf8(line), id: '' });
      for (const line of this.receipts) this.channel?.post({ name: 'received', data: utf8(line), id: '' });
    } else if (message.name === '#line') {
      if (!this.leader) this.line = message.line;
      this.changed();
    } else if (!this.leader) {
      await this.came(message).catch((error) => this.failed(error));
    }
  }
}

const LINES = ['connecting', 'live', 'away'];

/** @param {any} message @returns {boolean} whether one tab tells another so */
const isTold = (message) =>
  isObject(message) &&
  (message.name === '#trouble' ||
    message.name === '#hello' ||
    message.name === '#memory' ||
    (message.name === '#line' && LINES.includes(message.line)) ||
    (['line', 'checkpoint', 'opening', 'received', 'here'].includes(message.name) &&
      typeof message.id === 'string' &&
      message.data instanceof Uint8Array));

/** @param {string} name @param {any} value @returns {StreamEvent} */
const event = (name, value) => ({ name, data: utf8(JSON.stringify(value)), id: '' });
