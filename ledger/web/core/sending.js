/**
 * Sending, byte for byte and again until it arrives: openings, receipts for them, lines (specs/network.md, "What
 * a client does by itself").
 * @module
 */

import { utf8 } from '../../../verifier/web/bytes.js';
import { canonical } from '../../../verifier/web/json.js';
import { checkReceived } from '../../../verifier/web/openings.js';
import { Away, Refused, say, Stopped, Unstored } from './errors.js';
import { Following } from './following.js';
import { Forked } from './guard.js';

/** @typedef {import('./seat.js').Seat} Seat */

export class Sending extends Following {
  /**
   * @param {string} game hex @param {import('./connection.js').Connection} connection @param {import('./coming.js').Means} means
   * @param {() => void} told that something has changed
   */
  constructor(game, connection, means, told) {
    super(game, connection, means, told);
    /** @type {{request: string, author: string, line: string, receipt: string} | null} an own opening that the keeper gave a receipt for */
    this.promised = null;
    /** @type {ReturnType<typeof setTimeout> | null} until it must have been handed on */
    this.expecting = null;
  }

  /** @returns {Seat} @throws {Refused} */
  mySeat() {
    if (this.seat === null) throw new Refused('no-seat', say('You have no seat in this game.'));
    return this.seat;
  }

  /** @template T @param {(seat: Seat) => Promise<T>} work in `alone` @returns {Promise<T>} */
  async seatDoes(work) {
    await this.adoptTrouble();
    this.check();
    try {
      return await work(this.mySeat());
    } catch (error) {
      if (error instanceof Forked) return this.forked(error);
      if (error instanceof Stopped) this.record = await this.mySeat().memory.look();
      if (error instanceof Unstored) this.unstored(error);
      throw error;
    }
  }

  /** Hands in an opening of the seat's, until it arrives or the roll has ended. @param {string} request @param {string} line */
  async handIn(request, line) {
    if (this.handing.has(request)) return;
    this.handing.add(request);
    this.onItsWay(1);
    try {
      while (!this.ended && this.trouble === null && this.waitsFor(request)) {
        try {
          const received = await this.connection.handIn(this.id, line);
          this.arrived.add(request);
          await this.handedIn(request, line, received);
          return;
        } catch (error) {
          if (await this.isMended(error)) continue;
          await this.fetch(); // the roll was called off, or shown
          if (this.waitsFor(request)) throw error;
        }
      }
    } finally {
      this.handing.delete(request);
      this.onItsWay(-1);
    }
  }

  /** @param {1 | -1} one more own line or opening, or one less */
  onItsWay(one) {
    this.sending += one;
    this.changed();
  }

  /**
   * Whether a refused message can be sent again at once. @param {unknown} error @returns {Promise<boolean>} @throws
   * {unknown} what is no refusal
   */
  async isMended(error) {
    if (error instanceof Unstored) {
      this.unstored(error);
      await this.connection.sleep(this.connection.times.longest);
    }
    if (error instanceof Away) return true;
    if (!(error instanceof Refused)) throw error;
    if (error.code === 'keeper.behind') {
      await this.giveLines();
      return true;
    }
    if (error.status !== 404 || this.connection.token === this.linkToken) return false;
    this.connection.token = this.linkToken; // the server forgot the party's own
    return true;
  }

  /** @param {string} request @returns {boolean} */
  waitsFor(request) {
    return this.game.phase === 'pending' && this.game.roll.leaf === request;
  }

  /** @param {string} request @param {string} line @param {any} received the server's receipt, unchecked, or null */
  async handedIn(request, line, received) {
    if (received === null) return; // the roll was ended before the keeper had signed one
    const receipt = canonical(received) ?? '';
    const { opening } = JSON.parse(line);
    const keeper = this.game.terms.keeper.name;
    await this.alone(async () => {
      const holds =
        (await checkReceived(this.game, utf8(receipt))) &&
        received.receiver === keeper &&
        received.request === request &&
        received.author === opening.author &&
        received.link === opening.link &&
        received.index === opening.index;
      if (!holds) {
        this.warn(`receipt ${request}`, say("The server's receipt for your opening does not hold: it is worthless."), [
          { name: 'given.received', bytes: utf8(receipt) },
        ]);
        return;
      }
      await this.mySeat().keepReceived(receipt);
      this.promised = { request, author: opening.author, line, receipt };
      this.expectOpening();
    });
  }

  /**
   * Waits for the own opening to be relayed, as long as one stream lasts. Each stream begins with all
   * openings of the roll that waits, so with each the wait begins anew, and while there is none nothing is late.
   */
  expectOpening() {
    if (this.expecting !== null) {
      clearTimeout(this.expecting);
      this.timers.delete(this.expecting);
      this.expecting = null;
    }
    const { promised } = this;
    if (promised === null || this.line !== 'live' || this.ended) return;
    const { request, author, line, receipt } = promised;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.expecting = null;
      if (this.ended || !this.waitsFor(request) || this.openings.has(author)) return;
      this.warn(
        `kept back ${request}`,
        say('The server gave a receipt for your opening, but does not pass the opening on. Show both to the judge, without using this server.'),
        [
          { name: 'my.opening', bytes: utf8(`${line}\n`) },
          { name: 'keeper.received', bytes: utf8(`${receipt}\n`) },
        ],
      );
    }, this.connection.times.handOn);
    this.expecting = timer;
    this.timers.add(timer);
  }

  /** Offers again own lines that may not have arrived: after a crash, a sleep, a reload. */
  async resend() {
    const { seat } = this;
    if (seat === null) return;
    await this.background(async () => {
      for (const line of (await seat.memory.look()).lines) {
        if (this.offering.has(line)) continue;
        const { seq, type } = JSON.parse(line);
        const taken = await this.offer(line);
        if (!taken && type !== 'join' && type !== 'commit' && type !== 'seal') {
          this.warn(
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
        this.check();
        if (this.ended) throw new Away();
        try {
          const taken = await this.connection.offer(this.id, utf8(line));
          return await this.offered(line, seq, taken);
        } catch (error) {
          if (await this.isMended(error)) continue;
          const { status } = /** @type {Refused} */ (error);
          if (status === 503) throw error;
          await this.mySeat().dropLine(line);
          if (status !== 409) throw error;
          await this.fetch();
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
    await this.alone(async () => {
      if (this.log.size === seq) await this.takeLine(seq, utf8(line));
      await this.takeCheckpoint(taken.checkpoint);
      this.newRequest();
      await this.store();
    });
    if (this.log.size <= seq || this.ahead !== null) await this.fetch();
    if (!this.log.has(line, seq) || this.log.taken <= seq || taken.seq !== seq) {
      await this.alone(() =>
        this.cheated(say('The server says that it took event {seq}, and gives no checkpoint for it.', { seq }), [
          { name: 'given.jsonl', bytes: utf8(`${line}\n`) },
          { name: 'given.checkpoint', bytes: utf8(taken.checkpoint) },
        ]),
      );
    }
    await this.look(true);
    void this.act();
    return true;
  }

  /** @param {import('./follower.js').Event[]} lost */
  async roomMade(lost) {
    const mine = lost.filter((event) => event.author === this.seat?.name);
    for (const { seq, type } of mine) {
      this.warn(
        `made room ${seq}`,
        say(
          'The server lost what you signed ({type}) before it was taken, and something else came first. Look at what has changed, and choose again.',
          { seq, type },
        ),
      );
    }
  }
}
