/**
 * An event in this browser: follows and checks its log, signs and hands in its owner's acts
 * (specs/event.md, "At a server").
 * @module
 */

import { concat, toHex, utf8 } from '../../../verifier/web/bytes.js';
import { actMessage } from '../../../verifier/web/event/acts.js';
import { EventLog } from '../../../verifier/web/event/log.js';
import { Failure } from '../../../verifier/web/findings.js';
import { canonical } from '../../../verifier/web/json.js';
import { Connection } from './connection.js';
import { Away, Cheated, Refused, say } from './errors.js';
import { claimKey } from './event-link.js';
import { EventTable } from './event-table.js';
import { watchSeats } from './event-seats.js';
import { EventNames } from './event-names.js';
import { waitingTables, watchTables } from './event-waiting.js';
import { watchWitnesses } from './event-witness.js';
import { timeOf } from './guard.js';
import { newAccess } from './lobby.js';
import { tokenOf } from './links.js';
import { fromBase64Url, Signer } from './signer.js';
import { json, pauseOf } from './transport.js';

export class EventHere {
  /** @param {import('./here.js').Here} here @param {import('./event-link.js').EventLink} link */
  constructor(here, link) {
    this.here = here;
    this.id = link.event;
    /** A screen without actions. */
    this.wall = link.wall || link.stream === true;
    /** A screen for strangers, without names. */
    this.stream = link.stream === true;
    this.staff = link.staff;
    this.code = link.code;
    this.offered = link.offered;
    this.at = link.at;
    this.connection = new Connection(here.address, { fetch: here.fetch, language: () => here.language, times: here.times });
    this.log = new EventLog(link.event);
    this.named = new EventNames(this);
    /** @type {any} the own key, as it is stored; of several players who share this browser, that of who acts now */
    this.seat = null;
    /** @type {any[]} keys of players in this browser, by number */
    this.seats = [];
    /** @type {string | null} that staff got for its key */
    this.access = null;
    /** @type {import('./errors.js').Message | null} */
    this.problem = null;
    /** @type {'connecting' | 'live' | 'away' | 'over'} */
    this.line = 'connecting';
    /** Milliseconds by which the server's clock is ahead. */
    this.ahead = 0;
    this.cheated = false;
    /** @type {Uint8Array[]} */
    this.given = [];
    /** @type {import('./event-witness.js').Witnessed[]} that the server asks, on the wall and at the desk */
    this.witnesses = [];
    /** @type {import('./event-waiting.js').WaitingTable[]} as the server says, on the wall and at the desk */
    this.waiting = [];
    /** @type {Map<string, number[]>} the same: by game the players who have not sat down; of others it is not known */
    this.missing = new Map();
    /** @type {Map<number, number[]>} the same: by table the players whose new phones wait for a judge */
    this.phones = new Map();
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** @type {string | null} a game that was cancelled, and is looked at */
    this.past = null;
    /** Open tables, by game and own key. @type {Map<string, EventTable>} */
    this.tables = new Map();
    /** @type {EventTable | null} the one that a judge looks at */
    this.viewed = null;
    this.stop = new AbortController();
    this.telling = false;
  }

  /** @param {() => void} listener @returns {() => void} ends it */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  changed() {
    if (this.telling) return;
    this.telling = true;
    queueMicrotask(() => {
      this.telling = false;
      for (const listener of [...this.listeners]) listener();
    });
  }

  /** The storage name of the own key. */
  get seatAt() {
    return `event ${this.id}${this.staff ? ' staff' : ''}`;
  }

  /** The own player, by key or by code. @returns {Promise<import('../../../verifier/web/event/log.js').Player | null>} */
  async player() {
    if (this.seat?.number) return this.log.players.get(this.seat.number) ?? null;
    if (this.code === null || this.wall) return null;
    const claim = toHex((await claimKey(this.code)).publicKey);
    return [...this.log.players.values()].find((each) => each.claim === claim) ?? null;
  }

  /** @returns {number | null} of the own player, who has checked in with this browser's key */
  get number() {
    const { seat } = this;
    return seat?.number && this.log.players.get(seat.number)?.key === seat.key ? seat.number : null;
  }

  /** @returns {boolean} whether the desk has given the player of this browser's key another one */
  get isReplaced() {
    const { seat } = this;
    return Boolean(seat?.number) && this.number === null && this.log.keys.has(seat.key);
  }

  /** @returns {string | null} */
  get role() {
    return this.seat !== null && this.log.keyOf(this.seat.name) === this.seat.key ? this.log.roleOf(this.seat.name) : null;
  }

  /** The names of players that may be shown here. */
  get names() {
    return this.named.names;
  }

  /** @param {number} number @returns {string} */
  nameOf(number) {
    return this.names.get(number) ?? `${number}`;
  }

  // --- following ----------------------------------------------------------------------------------------------------

  /** Begins, and goes on by itself until `close`. */
  async connect() {
    const { storage } = this.here;
    this.seat = (await storage.get('seats', this.seatAt)) ?? null;
    if (!this.staff && !this.wall) await this.findSeats();
    try {
      for (const line of await storage.lines(this.id)) await this.log.take(line);
    } catch {
      // what is kept here was changed: it is fetched anew
      this.log = new EventLog(this.id);
    }
    if (!this.staff && !this.wall) await this.takeCode();
    this.code ??= this.seat?.code ?? null;
    void this.run();
    this.openTables();
    if ((this.wall && !this.stream) || this.staff) {
      void watchWitnesses(this);
      void watchTables(this);
    }
    if (this.staff) void watchSeats(this);
    this.changed();
  }

  /** Takes the server's word for who and what is waited for, as it is now. @throws {Refused | Away} */
  async lookAtTables() {
    Object.assign(this, await waitingTables(this));
    this.changed();
  }

  /** @param {Uint8Array[]} given what shows it @param {import('./errors.js').Message} problem */
  cheats(given, problem) {
    this.given = given;
    this.cheated = true;
    this.problem = problem;
    this.changed();
  }

  /** The keys of players that this browser has for this event. */
  async findSeats() {
    const all = await this.here.storage.all('seats');
    const own = new Map(all.filter(({ event, number }) => event === this.id && number !== undefined).map((each) => [each.key, each]));
    this.seats = [...own.values()].sort((one, other) => one.number - other.number);
  }

  /** A code in the address says who acts: another player of this browser, or somebody who has not checked in yet. */
  async takeCode() {
    if (this.code === null || this.seat === null || this.seat.code === this.code) return;
    const claim = toHex((await claimKey(this.code)).publicKey);
    const player = [...this.log.players.values()].find((each) => each.claim === claim);
    if (player?.number === this.seat.number) {
      if (this.number !== null) this.code = null; // the desk has given the player this phone: the code opens nothing more
      return;
    }
    await this.act_(this.seats.find(({ code, number }) => code === this.code || number === player?.number) ?? null);
  }

  /** @param {any} seat of this browser, who acts from now on; null: somebody who has no key here yet */
  async act_(seat) {
    await this.here.storage.write([{ store: 'seats', key: this.seatAt, value: seat ?? undefined }]);
    this.seat = seat;
    this.access = null;
  }

  /** Another player of those who share this browser acts from now on. @param {number | null} number null: somebody who has no key here yet */
  async change(number) {
    await this.act_(this.seats.find((each) => each.number === number) ?? null);
    this.code = this.seat?.code ?? null;
    this.connection.token = (await this.token()) ?? this.connection.token;
    this.openTables();
    this.changed();
  }

  /** A key that was made for a player here, and is still good: the player's now, or nobody's yet. @param {number} number @returns {any} undefined: none */
  keptSeat(number) {
    const key = this.log.players.get(number)?.key;
    return this.seats.find((each) => each.number === number && (each.key === key || !this.log.keys.has(each.key)));
  }

  /** The tables of all players who share this browser are open: each opens for the other's rolls too. */
  openTables() {
    if (this.staff || this.wall || this.cheated) return;
    const wanted = new Set();
    for (const seat of this.seats) {
      const { opening, opened } = this.log.place(seat.number) ?? {};
      if (opening == null || opened == null || opened.game === null) continue;
      // An open table goes on with the key that it has, until a judge lets the player's new one in.
      const sits = opened.keys.includes(seat.key);
      if (!sits && this.log.players.get(seat.number)?.key !== seat.key) continue;
      wanted.add(`${opened.game} ${seat.key}`);
      if (this.seats.length > 1 || !sits) void this.openTable(seat, opening, opened).table.connect();
    }
    for (const [at, { gameId, table }] of this.tables) {
      if (wanted.has(at) || gameId === this.past) continue;
      table.close();
      this.tables.delete(at);
    }
  }

  /**
   * @param {any} seat @param {import('../../../verifier/web/event/log.js').Opening} opening @param {import('../../../verifier/web/event/log.js').Opened} opened
   * that has a game @returns {EventTable} the same as long as it is open
   */
  openTable(seat, opening, opened) {
    const at = `${opened.game} ${seat?.key}`;
    const table = this.tables.get(at) ?? new EventTable(this, seat, opening, opened);
    this.tables.set(at, table);
    return table;
  }

  /** @param {EventTable} open */
  closeTable(open) {
    open.table.close();
    for (const [at, each] of this.tables) if (each === open) this.tables.delete(at);
  }

  /** @param {import('./event-table.js').Former} former that has a game @returns {EventTable} to look at what was rolled there */
  lookBack({ opening, opened }) {
    this.past = opened.game;
    return this.openTable(this.seat, opening, opened);
  }

  async run() {
    for (let attempt = 0; !this.stop.signal.aborted && !this.cheated && this.line !== 'over'; attempt++) {
      /** @type {number | null} milliseconds that the server asks for */
      let pause = null;
      try {
        this.connection.token = await this.token();
        await this.fetchClock();
        this.named.fetchMissing(); // lines that were kept here need no new one
        for await (const event of this.connection.stream(`/v1/events/${this.id}/stream?from=${this.log.size}`, this.stop.signal)) {
          attempt = 0;
          this.setLine('live');
          if (event.name === 'line') await this.came(event.data);
          if (event.name === 'bye') {
            pause = pauseOf(event);
            if (this.log.closed) this.setLine('over');
            break;
          }
        }
      } catch (error) {
        this.failed(error);
      }
      if (this.stop.signal.aborted || this.cheated || this.isOver) break;
      if (this.line !== 'live' || attempt > 0) this.setLine('away');
      await this.connection.sleep(pause ?? this.connection.pause(attempt));
    }
  }

  /** Whether the event is closed, and all of it is here. */
  get isOver() {
    return this.line === 'over';
  }

  async fetchClock() {
    const { time } = await this.here.server();
    const told = Date.parse(time);
    if (Number.isFinite(told)) this.ahead = told - this.here.now();
  }

  /** @param {Uint8Array} line */
  async came(line) {
    const at = this.log.size;
    const players = this.log.players.size;
    try {
      await this.log.take(line);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.cheats(
        [line],
        say('The server shows an event that cannot be ({code}). Nothing more is signed on it: tell the organizer, and save what shows it.', {
          code: error.code,
        }),
      );
      throw new Cheated(/** @type {any} */ (this.problem));
    }
    await this.here.storage.putLines(this.id, at, [line]).catch(() => {}); // it is fetched again
    if (this.log.players.size !== players) this.named.take();
    this.named.fetchMissing();
    this.openTables();
    this.changed();
  }

  /** What shows that the server cheats. @returns {import('./errors.js').File[]} */
  files() {
    if (this.given.length === 0) return [];
    const [given] = this.given;
    // A checkpoint ends with a line feed, a line does not.
    return [
      {
        name: given.at(-1) === 10 ? 'event.checkpoint' : 'event-given.jsonl',
        bytes: given.at(-1) === 10 ? given : concat(...this.given, utf8('\n')),
      },
    ];
  }

  /** @returns {Promise<string | null>} */
  async token() {
    if (this.access !== null) return this.access;
    if (this.code !== null) return tokenOf(/** @type {Uint8Array} */ (fromBase64Url(this.code)));
    return this.role !== null ? this.ask() : null;
  }

  /** A token for the own key. @returns {Promise<string | null>} */
  async ask() {
    const body = await newAccess(new Signer(this.seat.key, this.seat.signing), this.id, timeOf(this.here.now()));
    try {
      const { token } = json((await this.connection.ask('POST', `/v1/events/${this.id}/access`, { body: utf8(body) })).bytes);
      this.access = token;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    return this.access;
  }

  /** @param {unknown} error */
  failed(error) {
    if (error instanceof Away || error instanceof Cheated || this.stop.signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    if (error.status !== 429) this.problem = error.words;
    this.changed();
  }

  /** @param {'connecting' | 'live' | 'away' | 'over'} line */
  setLine(line) {
    if (this.line === line) return;
    this.line = line;
    if (line === 'live') this.problem = null;
    this.changed();
  }

  close() {
    this.stop.abort();
    for (const { table } of this.tables.values()) table.close();
    this.connection.close();
  }

  wake() {
    this.connection.wake();
    for (const { table } of this.tables.values()) table.wake();
  }

  // --- acts ---------------------------------------------------------------------------------------------------------

  /**
   * Signs an act upon what was seen last, and hands it in; when this returns it stands, and is seen here.
   * @param {string} type @param {any} act @returns {Promise<number>} the number of its line @throws {Refused | Away}
   */
  async act(type, act) {
    if (this.seat === null) throw new Refused('no-seat', say('You have no seat in this game.'));
    if (this.cheated) throw new Cheated(/** @type {any} */ (this.problem));
    const signer = new Signer(this.seat.key, this.seat.signing);
    const members = { act, at: timeOf(this.here.now()), by: signer.name, event: this.id, type, upon: this.log.head };
    const body = canonical({ ...members, sig: await signer.sign(actMessage(members)) });
    const { seq } = json((await this.connection.ask('POST', `/v1/events/${this.id}/acts`, { body: utf8(/** @type {string} */ (body)) })).bytes);
    await this.seen(seq);
    return seq;
  }

  /** Waits until a line is seen here. @param {number} seq */
  async seen(seq) {
    const end = this.here.now() + this.connection.times.patience;
    while (this.log.size <= seq && !this.cheated && !this.stop.signal.aborted && this.here.now() < end) await this.connection.sleep(50);
  }

  // --- tables -------------------------------------------------------------------------------------------------------

  /** The own table now, or a given one of the latest round. @param {number | null} [number] of the table @returns {EventTable | null} null: it has no game yet */
  table(number = null) {
    const round = this.log.round;
    const place = number === null ? this.log.place(/** @type {number} */ (this.number)) : null;
    const now = number === null ? place?.table : round?.tables.get(number);
    const opening = now?.line == null ? undefined : this.log.openings.get(now.line);
    const opened = now && opening?.tables.get(now.number);
    if (!opening || !opened || opened.game === null) return null;
    const table = this.openTable(this.seat, opening, opened);
    if (!this.staff) return table;
    // a judge goes from table to table
    this.viewed = table;
    for (const other of [...this.tables.values()]) if (other !== table) this.closeTable(other);
    return table;
  }
}
