/**
 * One game in this browser: it is made of parts, and signs and sends what its owner wants (specs/page.md, "What it does by
 * itself, and what it asks for").
 * @module
 */

import { Duties } from './duties.js';
import { Changed, Refused, say } from './errors.js';
import { Follower } from './follower.js';
import { Inbox } from './inbox.js';
import { Lifetime } from './lifetime.js';
import { Outbox } from './outbox.js';
import { OwnSeat } from './own-seat.js';
import { Rules } from './rules.js';
import { StreamFollower } from './stream-follower.js';
import { Sync } from './sync.js';
import { Tabs } from './tabs.js';
import { Uplink } from './uplink.js';
import { Warnings } from './warnings.js';

/** @typedef {import('./seat.js').Unsigned} Unsigned */
/** @typedef {{type: string, body: any, event: Unsigned}} Prepared the very event that would be signed, unsigned */
/**
 * @typedef {object} Means of this browser
 * @property {import('./storage.js').Storage} storage @property {import('./turns.js').Locks} locks @property {import('./turns.js').Channels} channels
 * @property {() => number} now milliseconds @property {string | null} language of what is said in words; it may change
 */

/**
 * @typedef {object} Parts of a game, from the ground up: each knows only those above it in this list, and names them
 * @property {Follower} log which only `sync` changes @property {import('./connection.js').Connection} connection to its server @property {() => number} now milliseconds
 * @property {Lifetime} life who waits, what is due later, and the end @property {Warnings} warnings of its owner
 * @property {Tabs} tabs of the same seat @property {Uplink} uplink whether the stream stands, and the token
 * @property {Sync} sync changes and stores the log, one thing at a time @property {OwnSeat} own seat, and what it remembers
 * @property {Inbox} inbox openings, receipts, presence @property {Outbox} outbox own lines and openings, until they arrive
 * @property {Duties} duties what the seat does by itself
 */

export class Play {
  /**
   * @param {string} game hex @param {import('./connection.js').Connection} connection @param {Means} means
   * @param {() => void} told that something has changed
   */
  constructor(game, connection, means, told) {
    const { now, storage } = means;
    const log = new Follower(game);
    const life = new Lifetime(told);
    const warnings = new Warnings(life);
    const tabs = new Tabs(means);
    const uplink = new Uplink({ log, connection, warnings });
    const base = { log, connection, now, life, warnings, tabs, uplink };
    const sync = new Sync({
      ...base,
      storage,
      lost: (lines) => outbox.lost(lines),
      storedAgain: async () => {
        await own.look(true);
        await duties.act();
      },
    });
    const own = new OwnSeat({ ...base, sync });
    const inbox = new Inbox({ ...base, sync, own });
    const outbox = new Outbox({ ...base, sync, own, inbox, taken: () => duties.act() });
    /** @type {Duties} */
    const duties = new Duties({ ...base, sync, own, inbox, outbox });
    this.id = game;
    this.connection = connection;
    this.now = now;
    this.log = log;
    this.life = life;
    this.warnings = warnings;
    this.tabs = tabs;
    this.uplink = uplink;
    this.sync = sync;
    this.own = own;
    this.inbox = inbox;
    this.outbox = outbox;
    this.duties = duties;
    this.stream = new StreamFollower({ ...base, sync, own, inbox, outbox, duties });
    this.rules = new Rules({ ...base, sync }, () => means.language ?? 'en');
  }

  get game() {
    return this.log.game;
  }

  /** Following and automatic work have ended. */
  close() {
    this.life.end();
    this.tabs.close();
  }

  /** Agrees to the terms: joins, and commits. @returns {Promise<void>} when that is done @throws {Refused | Stopped | Cheated | Away} */
  async agree() {
    this.own.agree();
    while (!this.life.ended && (await this.duties.enters()) !== null) {
      this.sync.check();
      if (this.duties.entering) await this.life.change(1_000);
      else await this.duties.enter();
    }
  }

  /** @param {string} type @param {any} body @returns {Prepared} */
  prepare(type, body) {
    return { type, body, event: this.own.required().unsigned(type, body) };
  }

  /**
   * Signs and sends what was prepared.
   * @param {Prepared} prepared @param {(prepared: Prepared) => Promise<boolean>} still whether it makes sense upon the log as it stands now
   * @param {boolean} [known] whether it did when it was prepared: if not, this is asked before it is signed
   * @returns {Promise<{seq: number}>} when the keeper's checkpoint has it @throws {Refused | Changed | Stopped | Cheated | Away}
   */
  async sign(prepared, still, known = true) {
    let now = prepared;
    const end = Date.now() + this.connection.times.patience;
    for (let sure = known; ; sure = true) {
      await this.settled();
      await this.ruled();
      let line = null;
      try {
        line = await this.sync.alone(async () => {
          this.sync.check();
          return sure && this.isCurrent(now.event) && this.own.isSettled ? this.own.does((seat) => seat.sign(this.dated(now.event))) : null;
        });
      } catch (error) {
        // A party is about to commit, or this one to object, which programs do by themselves; or the rules are begun anew.
        if (!(error instanceof Refused) || !['state.not-committed', 'object.first', 'rules.unfinished'].includes(error.code) || Date.now() >= end)
          throw error;
        await this.life.change(end - Date.now());
        continue;
      }
      if (line !== null && (await this.outbox.offer(line))) return { seq: now.event.seq };
      if (sure && line === null && this.isCurrent(now.event)) continue;
      await this.settled();
      if (!(await still(prepared))) throw new Changed();
      now = this.prepare(prepared.type, prepared.body);
    }
  }

  /** @param {Unsigned} event @returns {boolean} whether it would still be the next one */
  isCurrent(event) {
    return event.seq === this.log.size && event.prev === this.log.events[event.seq - 1].leaf;
  }

  /** An event that waited long for its owner's word has the time of the word. @param {Unsigned} event @returns {Unsigned} */
  dated(event) {
    return this.now() - Date.parse(event.time) < 60_000 ? event : this.own.required().unsigned(event.type, event.body);
  }

  /** @param {string[]} missing @returns {Promise<{seq: number}>} */
  async void(missing) {
    const line = await this.sync.alone(async () => {
      this.sync.check();
      return this.own.does((seat) => seat.void(missing));
    });
    if (!(await this.outbox.offer(line))) throw new Changed();
    return { seq: JSON.parse(line).seq };
  }

  /**
   * Shows a secret roll that this party holds, anew where another event comes first: it is about that roll alone.
   * @param {number} request @returns {Promise<{seq: number}>} @throws {Refused | Changed | Stopped | Cheated | Away}
   */
  async show(request) {
    for (;;) {
      await this.settled();
      const line = await this.sync.alone(async () => {
        this.sync.check();
        return this.own.isSettled ? this.own.does((seat) => seat.show(request)) : null;
      });
      if (line !== null && (await this.outbox.offer(line))) return { seq: JSON.parse(line).seq };
    }
  }

  /** @returns {Promise<void>} */
  async decline() {
    await this.sync.alone(async () => {
      this.sync.check();
      await this.own.does((seat) => seat.decline());
    });
    await this.own.remembers();
  }

  /** @param {string[]} ids of warnings that were read */
  async tell(ids) {
    this.warnings.markRead(ids);
    await this.own.tell(ids);
    this.life.changed();
  }

  /** Waits for the rules, where the seat has said that it checks them; and signs nothing where the server's advice was a lie. @throws {Refused} */
  async ruled() {
    const end = Date.now() + this.connection.times.patience;
    while (this.own.isBound && this.log.rules === null && !this.life.ended && Date.now() < end) await this.life.change(end - Date.now());
    if (this.rules.lies.length > 0) {
      throw new Refused(
        'advice.lied',
        say(
          'The server said something about this game that differs from its rules: nothing more is signed here. Save the evidence, and tell the others without using this server.',
        ),
      );
    }
  }

  /** Waits for the keeper to take what came, and for a roll that came first to be over: both are soon. @throws {Refused | Changed} */
  async settled() {
    const end = Date.now() + this.connection.times.patience;
    while (!this.own.isSettled) {
      this.sync.check();
      if (this.life.ended) throw new Changed();
      if (Date.now() >= end) throw new Refused('unsettled', say('Nothing was signed: the step before is not over. When it is, choose again.'));
      await this.life.change(end - Date.now());
    }
  }
}
