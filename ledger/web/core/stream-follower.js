/**
 * Follows a game's stream in one tab of a seat, which tells the others (specs/network.md, "The stream"; specs/page.md, "Two
 * tabs").
 * @module
 */

import { Away, Cheated, Refused, say, Stopped, Unstored } from './errors.js';
import { Forked } from './guard.js';
import { isTold, streamEvent } from './tabs.js';
import { pauseOf } from './transport.js';

/** @typedef {import('./errors.js').Message} Message */
/** @typedef {import('./stream.js').StreamEvent} StreamEvent */

/** The warning that the following tab is silent, and the milliseconds until it. */
const SILENT = 'silent';
const LONGEST = 10_000;

export class StreamFollower {
  /** @param {Pick<import('./play.js').Parts, 'log' | 'connection' | 'life' | 'warnings' | 'tabs' | 'uplink' | 'sync' | 'own' | 'inbox' | 'outbox' | 'duties'>} parts */
  constructor({ log, connection, life, warnings, tabs, uplink, sync, own, inbox, outbox, duties }) {
    this.log = log;
    this.connection = connection;
    this.life = life;
    this.warnings = warnings;
    this.tabs = tabs;
    this.uplink = uplink;
    this.sync = sync;
    this.own = own;
    this.inbox = inbox;
    this.outbox = outbox;
    this.duties = duties;
    /** The following tab has sent something. */
    this.heard = false;
    /** @type {Message | null} why the server shows this game no more */
    this.gone = null;
    this.deleted = false;
    /** The game is closed, and the server has said that nothing more comes. */
    this.over = false;
  }

  /** Follows the game until its lifetime ends: one tab of a seat by itself, the others by what it tells them. */
  async run() {
    const { seat } = this.own;
    if (seat === null) return this.lead();
    const name = `${seat.signer.key} ${this.log.id}`;
    this.tabs.open(name, (message) => void this.hear(message));
    const leading = this.tabs.inTurn(name, () => this.lead(), this.life.signal);
    void this.sync.background(() => this.listen());
    try {
      await leading;
    } catch (error) {
      if (!this.life.ended) throw error;
    }
  }

  /** Where another tab leads: asks it for what it has, and warns where it is silent. */
  async listen() {
    const { life, tabs } = this;
    await life.change(100);
    if (tabs.leader || life.ended) return;
    tabs.post({ name: '#hello' });
    await this.catchUp();
    for (const end = Date.now() + LONGEST; !this.heard && !tabs.leader && !life.ended && Date.now() < end; ) await life.change(end - Date.now());
    if (!this.heard && !tabs.leader && !life.ended) {
      this.warnings.add(
        SILENT,
        say(
          'Another tab of this browser follows this table, and does not pass on what comes. This tab shows nothing new. Close the other tabs of this table.',
        ),
      );
    }
  }

  /** Brings the log up to the server's. */
  async catchUp() {
    await this.sync.fetch();
    this.inbox.newRequest();
    await this.own.look();
  }

  /** Follows the stream, for ever. */
  async lead() {
    const { connection, life, own, outbox } = this;
    this.tabs.lead();
    this.warnings.remove(SILENT);
    life.changed();
    for (let attempt = 0; !life.ended && this.comesMore; attempt++) {
      /** @type {number | null} milliseconds that the server asks for */
      let pause = null;
      try {
        outbox.reconnects();
        if (own.seat !== null && own.isParty) await this.uplink.identify(own.seat);
        await this.catchUp();
        void outbox.resend();
        await this.duties.act();
        const party = own.isParty;
        for await (const event of connection.stream(`/v1/games/${this.log.id}/stream?from=${this.log.size}`, life.signal)) {
          attempt = 0;
          this.gone = null;
          this.setLine('live');
          if (event.name === 'bye') {
            pause = pauseOf(event);
            this.over = pause === null && this.isOver;
            break;
          }
          await this.came(event);
          if (event.name !== '') this.tabs.post(event);
          if (own.isParty && !party) {
            // let in just now: the others are to see who is here
            pause = 0;
            break;
          }
        }
      } catch (error) {
        if (life.ended) return;
        await this.failed(error);
      }
      if (life.ended) return;
      if (this.comesMore) {
        this.setLine('away');
        await connection.sleep(pause ?? connection.pause(attempt));
      }
    }
    if (!this.over) this.setLine('away');
    // Nothing more is followed, and no other tab of this seat has to.
    while (!life.ended) await life.change(2 ** 30);
  }

  /** Whether the server may have more of this game. */
  get comesMore() {
    return this.sync.trouble === null && !this.deleted && !this.over;
  }

  /** Whether the log ends with its `close`, and the keeper has signed for all of it. */
  get isOver() {
    return this.log.size > 0 && this.log.game.phase === 'closed' && this.log.taken === this.log.size;
  }

  /** Takes something that the server sent, and does what is due then. @param {StreamEvent} event @throws {Cheated | Away} */
  async came(event) {
    const { name } = event;
    await this.inbox.take(event);
    // An opening is told of before its receipts are worked out, and a request opened before anything is shown of it.
    if (name === 'checkpoint' || name === 'opening' || name === '') await this.duties.act();
    this.life.changed();
    void this.sync.background(() => this.sync.store());
    if (name === 'checkpoint') await this.own.look();
  }

  /** @param {unknown} error that ended a stream */
  async failed(error) {
    if (error instanceof Forked) return this.sync.foundFork(error);
    if (error instanceof Unstored) this.sync.unstored(error);
    if (error instanceof Cheated || error instanceof Away || error instanceof Stopped || (error instanceof Refused && error.code === 'behind'))
      return undefined;
    if (!(error instanceof Refused)) throw error;
    if (!this.uplink.fallsBack(error) && (error.status === 404 || error.status === 410)) {
      this.deleted = error.status === 410;
      this.gone = error.words;
      this.life.changed();
      if (!this.deleted) await this.connection.sleep(this.connection.times.longest);
    }
    return undefined;
  }

  /** @param {import('./uplink.js').State} state */
  setLine(state) {
    if (!this.uplink.turn(state)) return;
    this.outbox.expectOpening();
    this.tabs.post({ name: '#line', line: state });
    this.life.changed();
  }

  /** Takes what another tab of this seat tells; ignores what has not its form, as of another version of the page. @param {any} message */
  async hear(message) {
    const { inbox, tabs, uplink } = this;
    if (this.life.ended || this.sync.trouble !== null || !isTold(message)) return;
    this.heard = true;
    this.warnings.remove(SILENT);
    if (message.name === '#trouble') {
      await this.sync.adoptTrouble();
    } else if (message.name === '#memory') {
      await this.own.readAnew();
    } else if (message.name === '#hello') {
      if (!tabs.leader) return;
      tabs.post({ name: '#line', line: uplink.state });
      tabs.post(streamEvent('here', JSON.stringify({ here: inbox.here })));
      for (const { line } of inbox.openings.values()) tabs.post(streamEvent('opening', line));
      for (const line of inbox.receipts) tabs.post(streamEvent('received', line));
    } else if (message.name === '#line') {
      if (!tabs.leader) uplink.turn(message.line);
      this.life.changed();
    } else if (!tabs.leader) {
      await this.came(message).catch((error) => this.failed(error));
    }
  }
}
