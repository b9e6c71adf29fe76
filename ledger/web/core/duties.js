/**
 * Does what the course of a game asks of a seat, which decides nothing: it opens, gives receipts, joins, commits, seals and
 * shows what it owes (specs/page.md, "What it does by itself, and what it asks for").
 * @module
 */

import { Cheated, Refused, say, Stopped, Unstored } from './errors.js';
import { Forked } from './guard.js';
import { comesBack, mayTake } from './lost.js';
import { Conflict } from './storage.js';
import { BY_ITSELF, CLOCK } from './warnings.js';

/** @typedef {import('./seat.js').Due} Due */
/** @typedef {import('./seat.js').Opening} Opening */
/** @typedef {import('./seat.js').Seat} Seat */

export class Duties {
  /** @param {Pick<import('./play.js').Parts, 'log' | 'connection' | 'life' | 'warnings' | 'tabs' | 'sync' | 'own' | 'inbox' | 'outbox'>} parts */
  constructor({ log, connection, life, warnings, tabs, sync, own, inbox, outbox }) {
    this.log = log;
    this.connection = connection;
    this.life = life;
    this.warnings = warnings;
    this.tabs = tabs;
    this.sync = sync;
    this.own = own;
    this.inbox = inbox;
    this.outbox = outbox;
    /** What `enter` does is under way. */
    this.entering = false;
    /** @type {Set<string>} openings for which a receipt was given */
    this.acknowledged = new Set();
  }

  /** Does all that is due now. Only the following tab does it. @throws {import('./errors.js').Away} */
  async act() {
    const { own } = this;
    if (!own.isAble || !this.tabs.leader || own.seat === null) return;
    const { game } = this.log;
    const place = game.place(own.seat.name);
    if (!place) return;
    try {
      if (game.phase === 'pending' && own.isParty) await this.openAndAnswer(own.seat);
      else if (game.phase === 'idle' && own.agreed && !place.left) await this.enterByItself();
      this.warnings.remove(BY_ITSELF);
    } catch (error) {
      if (error instanceof Forked) await this.sync.foundFork(error);
      else if (error instanceof Stopped) await own.recall();
      else if (error instanceof Unstored) this.sync.unstored(error);
      else if (error instanceof Refused) this.warnings.add(error.code === 'time.ahead' ? CLOCK : BY_ITSELF, error.words);
      else if (error instanceof Conflict) this.warnings.add(BY_ITSELF, say('This browser could not save what it must remember, so it sent nothing.'));
      else if (!(error instanceof Cheated)) throw error;
    }
  }

  /** Opens for the roll that waits, and gives receipts for others' openings. @param {Seat} seat */
  async openAndAnswer(seat) {
    const { roll } = this.log.game;
    const request = roll.leaf;
    if (this.mayOpen(roll, seat.name) && !this.outbox.hasOpening(request)) {
      const line = await this.sync.alone(() => this.open(request));
      if (line !== null) {
        void this.sync.background(() => this.outbox.handIn(request, line));
        await this.own.remembers();
      }
    }
    if (this.log.checkpoint?.size !== this.log.size) return; // no receipt before the keeper has taken the request
    for (const [author, { opening, line }] of this.inbox.openings) {
      if (author === seat.name || this.acknowledged.has(line)) continue;
      this.acknowledged.add(line);
      void this.sync.background(() => this.acknowledge(seat, request, opening));
    }
  }

  /**
   * Whether a party's turn to open has come: the keeper has taken the request, and the closer waits for the others.
   * @param {import('../../../verifier/web/game.js').Roll} roll that waits @param {string} name @returns {boolean}
   */
  mayOpen({ shares, closer }, name) {
    const keeper = this.log.game.terms.keeper.name;
    const names = shares.map((share) => share.name);
    if (!names.includes(name) || this.log.checkpoint?.size !== this.log.size) return false;
    return closer !== name || names.every((each) => each === name || each === keeper || this.inbox.openings.has(each));
  }

  /** Has the seat open for a roll. In `alone`. @param {string} request @returns {Promise<string | null>} null: it no longer waits, or was declined */
  async open(request) {
    const { phase, roll } = this.log.game;
    if (phase !== 'pending' || roll.leaf !== request) return null;
    const checked = new Map([...this.inbox.openings].map(([author, { opening }]) => [author, opening]));
    try {
      return await this.own.does((seat) => seat.open(checked));
    } catch (error) {
      if (error instanceof Refused && error.code === 'declined') return null;
      throw error;
    }
  }

  /**
   * Gives a receipt, which is worth something while the roll waits: most are over sooner, and what else is to be done for them comes first.
   * @param {Seat} seat @param {string} request @param {Opening} opening
   */
  async acknowledge(seat, request, opening) {
    await this.connection.sleep(this.connection.times.receipt);
    const receipt = await this.sync
      .alone(async () => {
        if (this.inbox.request !== request || !this.own.isAble) return null;
        const line = await seat.acknowledge(opening);
        if (seat.mayVoid(this.log.game.roll)) await this.own.recall(); // whom a void may name
        return line;
      })
      .catch(() => null);
    this.life.changed();
    if (receipt !== null) await this.outbox.acknowledge(receipt);
  }

  /** Joins, commits, seals and shows owed secrets, as long as one of these is due. */
  async enterByItself() {
    if (this.entering) return;
    if ((await this.enters()) !== null) void this.sync.background(() => this.enter());
  }

  /** @returns {Promise<Due | null>} what is due */
  async enters() {
    const { seat, isParty } = this.own;
    const { game } = this.log;
    const place = seat && game.place(seat.name);
    if (!seat || !place || place.left) return null;
    if (!isParty) return mayTake(game, place, seat.signer.key) ? 'join' : null;
    // A keeper that lets somebody in alone, or under another called name, is neither the host nor an event's organizer.
    const asked = place.late === null || ((place.late.byHost || place.late.appointedBy !== null) && place.party.called === seat.called);
    if (!place.joined && !asked) return null;
    if (!place.joined) return 'join';
    if (comesBack(game, place)) return 'back';
    const record = await seat.memory.look();
    if (seat.objects(record)) return 'object'; // before anything else: with its next event it can no more
    return seat.owesCommit(record) ? 'commit' : seat.holder.due(record);
  }

  /** Does one after the other what is due. @throws {Refused | import('./errors.js').Away | Cheated | Stopped} */
  async enter() {
    const { life, own } = this;
    if (this.entering) return;
    this.entering = true;
    try {
      for (let what = await this.enters(); what !== null; what = await this.enters()) {
        while (!own.isOpen) {
          if (life.ended || this.log.game.phase === 'closed') return;
          await life.change(1_000);
        }
        const due = what;
        const line = await this.sync.alone(async () => ((await this.enters()) === due && own.isOpen ? own.does((seat) => seat.enter(due)) : null));
        if (line !== null) await this.outbox.offer(line);
      }
    } finally {
      this.entering = false;
      life.changed();
    }
  }
}
