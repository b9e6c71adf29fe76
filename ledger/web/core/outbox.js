/**
 * Sends what the seat signed, byte for byte and again until it arrives: lines, openings, and receipts for others' openings
 * (specs/network.md, "What a client does by itself").
 * @module
 */

import { utf8 } from '../../../verifier/web/bytes.js';
import { canonical } from '../../../verifier/web/json.js';
import { checkReceived } from '../../../verifier/web/openings.js';
import { Away, Refused, say, Unstored } from './errors.js';

export class Outbox {
  /** @param {Pick<import('./play.js').Parts, 'log' | 'connection' | 'life' | 'warnings' | 'uplink' | 'sync' | 'own' | 'inbox'> & {taken: () => Promise<void>}} parts */
  constructor({ log, connection, life, warnings, uplink, sync, own, inbox, taken }) {
    this.log = log;
    this.connection = connection;
    this.life = life;
    this.warnings = warnings;
    this.uplink = uplink;
    this.sync = sync;
    this.own = own;
    this.inbox = inbox;
    this.taken = taken;
    /** Own lines and openings that are on their way. */
    this.sending = 0;
    /** @type {Set<string>} lines that are being offered */
    this.offering = new Set();
    /** @type {Set<string>} requests for which an opening is on its way */
    this.handing = new Set();
    /** @type {Set<string>} requests for which one has arrived, as long as this connection stands */
    this.arrived = new Set();
    /** @type {{request: string, author: string, line: string, receipt: string} | null} an own opening that the keeper gave a receipt for */
    this.promised = null;
    /** @type {(() => void) | null} ends the wait for it to be handed on */
    this.expecting = null;
  }

  // --- openings ----------------------------------------------------------------------------------------------------------

  /** Whether an opening for a request is on its way, or has arrived. @param {string} request @returns {boolean} */
  hasOpening(request) {
    return this.handing.has(request) || this.arrived.has(request);
  }

  /** Counts on nothing that arrived over an earlier connection. */
  reconnects() {
    this.arrived.clear();
  }

  /** Hands in an opening of the seat's, until it arrives or the roll has ended. @param {string} request @param {string} line */
  async handIn(request, line) {
    if (this.handing.has(request)) return;
    this.handing.add(request);
    this.onItsWay(1);
    try {
      while (!this.life.ended && this.sync.trouble === null && this.waitsFor(request)) {
        try {
          const received = await this.connection.handIn(this.log.id, line);
          this.arrived.add(request);
          await this.handedIn(request, line, received);
          return;
        } catch (error) {
          if (await this.isMended(error)) continue;
          await this.sync.fetch(); // the roll was called off, or shown
          if (this.waitsFor(request)) throw error;
        }
      }
    } finally {
      this.handing.delete(request);
      this.onItsWay(-1);
    }
  }

  /** @param {string} request @returns {boolean} */
  waitsFor(request) {
    const { phase, roll } = this.log.game;
    return phase === 'pending' && roll.leaf === request;
  }

  /** @param {string} request @param {string} line @param {any} received the server's receipt, unchecked, or null */
  async handedIn(request, line, received) {
    if (received === null) return; // the roll was ended before the keeper had signed one
    const receipt = canonical(received) ?? '';
    const { opening } = JSON.parse(line);
    await this.sync.alone(async () => {
      const { game } = this.log;
      const holds =
        (await checkReceived(game, utf8(receipt))) &&
        received.receiver === game.terms.keeper.name &&
        received.request === request &&
        received.author === opening.author &&
        received.link === opening.link &&
        received.index === opening.index;
      if (!holds) {
        this.warnings.add(`receipt ${request}`, say("The server's receipt for your opening does not hold: it is worthless."), [
          { name: 'given.received', bytes: utf8(receipt) },
        ]);
        return;
      }
      await this.own.required().keepReceived(receipt);
      this.promised = { request, author: opening.author, line, receipt };
      this.expectOpening();
    });
  }

  /**
   * Waits for the own opening to be relayed, as long as one stream lasts. Each stream begins with all
   * openings of the roll that waits, so with each the wait begins anew, and while there is none nothing is late.
   */
  expectOpening() {
    this.expecting?.();
    this.expecting = null;
    if (this.promised === null || !this.uplink.isLive || this.life.ended) return;
    const { request, author, line, receipt } = this.promised;
    this.expecting = this.life.after(this.connection.times.handOn, () => {
      this.expecting = null;
      if (this.life.ended || !this.waitsFor(request) || this.inbox.openings.has(author)) return;
      this.warnings.add(
        `kept back ${request}`,
        say('The server gave a receipt for your opening, but does not pass the opening on. Show both to the judge, without using this server.'),
        [
          { name: 'my.opening', bytes: utf8(`${line}\n`) },
          { name: 'keeper.received', bytes: utf8(`${receipt}\n`) },
        ],
      );
    });
  }

  /** Sends a receipt for another's opening, once: it is worth something while the roll waits. @param {string} receipt */
  async acknowledge(receipt) {
    try {
      await this.connection.acknowledge(this.log.id, receipt);
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error; // the roll has ended meanwhile
    }
  }

  // --- lines -------------------------------------------------------------------------------------------------------------

  /** Offers again own lines that may not have arrived: after a crash, a sleep, a reload. */
  async resend() {
    const { seat } = this.own;
    if (seat === null) return;
    await this.sync.background(async () => {
      for (const line of (await seat.memory.look()).lines) {
        if (this.offering.has(line)) continue;
        const { seq, type } = JSON.parse(line);
        const taken = await this.offer(line);
        if (!taken && type !== 'join' && type !== 'commit' && type !== 'seal') {
          this.warnings.add(
            `untaken ${seq}`,
            say('What you signed ({type}) could not be sent before something else came first. Look at what has changed, and choose again.', {
              seq,
              type,
            }),
          );
        }
      }
    });
  }

  /**
   * Has the keeper take a line, and sends it until there is an answer.
   * @param {string} line @returns {Promise<boolean>} false where another event came first, which is here then
   * @throws {Refused | Cheated | Away} Away where this ends first
   */
  async offer(line) {
    const { seq } = JSON.parse(line);
    this.offering.add(line);
    this.onItsWay(1);
    try {
      for (;;) {
        this.sync.check();
        if (this.life.ended) throw new Away();
        try {
          const taken = await this.connection.offer(this.log.id, utf8(line));
          return await this.offered(line, seq, taken);
        } catch (error) {
          if (await this.isMended(error)) continue;
          const { status } = /** @type {Refused} */ (error);
          if (status === 503) throw error;
          await this.own.required().dropLine(line);
          if (status !== 409) throw error;
          await this.sync.fetch();
          return this.log.has(line, seq);
        }
      }
    } finally {
      this.offering.delete(line);
      this.onItsWay(-1);
    }
  }

  /** @param {string} line @param {number} seq @param {{checkpoint: string, seq: number}} taken as the server says @returns {Promise<boolean>} */
  async offered(line, seq, taken) {
    const { log, sync } = this;
    await sync.alone(async () => {
      if (log.size === seq) await sync.takeLine(seq, utf8(line));
      await sync.takeCheckpoint(taken.checkpoint);
      this.inbox.newRequest();
      await sync.store();
    });
    if (log.size <= seq || sync.ahead !== null) await sync.fetch();
    if (!log.has(line, seq) || log.taken <= seq || taken.seq !== seq) {
      await sync.alone(() =>
        sync.cheated(say('The server says that it took event {seq}, and gives no checkpoint for it.', { seq }), [
          { name: 'given.jsonl', bytes: utf8(`${line}\n`) },
          { name: 'given.checkpoint', bytes: utf8(taken.checkpoint) },
        ]),
      );
    }
    await this.own.look(true);
    void this.taken();
    return true;
  }

  /** Warns of own lines that the server lost. @param {import('./follower.js').Event[]} lost of all authors */
  lost(lost) {
    const mine = lost.filter((event) => event.author === this.own.name);
    for (const { seq, type } of mine) {
      this.warnings.add(
        `made room ${seq}`,
        say(
          'The server lost what you signed ({type}) before it was taken, and something else came first. Look at what has changed, and choose again.',
          { seq, type },
        ),
      );
    }
  }

  // --- both --------------------------------------------------------------------------------------------------------------

  /** @param {1 | -1} one more own line or opening, or one less */
  onItsWay(one) {
    this.sending += one;
    this.life.changed();
  }

  /**
   * Whether a refused message can be sent again at once. @param {unknown} error @returns {Promise<boolean>} @throws
   * {unknown} what is no refusal
   */
  async isMended(error) {
    if (error instanceof Unstored) {
      this.sync.unstored(error);
      await this.connection.sleep(this.connection.times.longest);
    }
    if (error instanceof Away) return true;
    if (!(error instanceof Refused)) throw error;
    if (error.code === 'keeper.behind') {
      await this.sync.giveLines();
      return true;
    }
    return this.uplink.fallsBack(error);
  }
}
