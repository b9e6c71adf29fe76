/**
 * One game as this browser plays it: the stream is followed, what a seat does by itself is done, what its owner wants is
 * signed and sent (specs/page.md, "What it does by itself, and what it asks for").
 * @module
 */

import { fromUtf8, utf8 } from '../../../verifier/web/bytes.js';
import { canonical, readCanonical } from '../../../verifier/web/json.js';
import { checkOpening, checkReceived } from '../../../verifier/web/openings.js';
import { Carrier } from './carrier.js';
import { Away, Changed, Cheated, Refused, say, Stopped } from './errors.js';
import { checkClock, Forked } from './guard.js';
import { Conflict } from './storage.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./errors.js').Message} Message */
/** @typedef {import('./memory.js').Record} Record */
/** @typedef {import('./seat.js').Opening} Opening */
/** @typedef {import('./seat.js').Seat} Seat */
/** @typedef {import('./seat.js').Unsigned} Unsigned */
/** @typedef {import('./stream.js').StreamEvent} StreamEvent */
/** @typedef {{type: string, body: any, event: Unsigned}} Prepared the very event that would be signed, unsigned */
/** @typedef {{id: string, message: Message, files: File[]}} Warning */

const EMPTY = new Uint8Array(0);

export class Play extends Carrier {
  /**
   * @param {string} game hex @param {import('./connection.js').Connection} connection
   * @param {{storage: import('./storage.js').Storage, locks: import('./turns.js').Locks, channels: import('./turns.js').Channels, now: () => number}} means
   * @param {() => void} told that something has changed
   */
  constructor(game, connection, means, told) {
    super(game, connection, means.storage);
    this.means = means;
    this.told = told;
    /** @type {Seat | null} */
    this.seat = null;
    /** @type {Record | null} what the seat remembered when it was looked at last */
    this.record = null;
    /** Its owner has agreed to the terms: it joins and commits by itself. */
    this.agreed = false;
    /** @type {'connecting' | 'live' | 'away'} */
    this.line = 'connecting';
    this.leader = false;
    /** @type {Message | null} why the server shows this game no more */
    this.gone = null;
    this.deleted = false;
    /** @type {string[]} */
    this.here = [];
    /** @type {Map<string, {opening: Opening, line: string}>} of the roll that waits, checked */
    this.openings = new Map();
    /** @type {string[]} receipts for openings of the roll that waits, as they travel */
    this.receipts = [];
    this.request = '';
    this.since = 0;
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
    /** The log was brought up to what the server had, once. */
    this.fetched = false;
    this.stop = new AbortController();
    /** @type {import('./turns.js').Channel | null} */
    this.channel = null;
    /** @type {Set<() => void>} */
    this.waiters = new Set();
    /** @type {string | null} of the table's link */
    this.linkToken = connection.token;
    /** @type {Set<ReturnType<typeof setTimeout>>} */
    this.timers = new Set();
  }

  get game() {
    return this.log.game;
  }

  /** Nothing is followed or done any more. */
  close() {
    this.ended = true;
    this.stop.abort();
    this.channel?.close();
    this.channel = null;
    for (const timer of this.timers) clearTimeout(timer);
    this.wake();
  }

  changed() {
    this.wake();
    this.told();
  }

  wake() {
    for (const waiter of [...this.waiters]) waiter();
  }

  /** Waits for a change, or for so long. @param {number} time @returns {Promise<void>} */
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

  // --- following -------------------------------------------------------------------------------------------------------

  /** Follows the game until `close`: one tab of a seat by itself, the others by what it tells them. */
  async run() {
    if (this.seat === null) return this.lead();
    const name = `${this.seat.signer.key} ${this.id}`;
    this.channel = this.means.channels(`rollproof ${name}`, (message) => void this.hear(message));
    const leading = this.means.locks.request(`rollproof stream ${name}`, { signal: this.stop.signal }, () => this.lead());
    void this.background(async () => {
      await this.change(100);
      if (this.leader || this.ended) return;
      this.channel?.post({ name: '#hello' });
      await this.fetch();
      this.fetched = true;
      await this.look();
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
    this.changed();
    for (let attempt = 0; !this.ended && this.trouble === null && !this.deleted; attempt++) {
      let pause = this.connection.pause(attempt);
      try {
        this.arrived.clear();
        await this.access();
        await this.fetch();
        this.fetched = true;
        await this.look();
        void this.resend();
        await this.act();
        for await (const event of this.connection.stream(`/v1/games/${this.id}/stream?from=${this.log.size}`, this.stop.signal)) {
          attempt = 0;
          this.gone = null;
          this.setLine('live');
          if (event.name === 'bye') {
            pause = Math.min(Number(readJson(event.data)?.retry) || 1, 30) * 1_000;
            break;
          }
          await this.came(event);
          if (event.name !== '') this.channel?.post(event);
        }
      } catch (error) {
        if (this.ended) return;
        await this.failed(error);
      }
      if (this.ended) return;
      if (this.trouble === null && !this.deleted) {
        this.setLine('away');
        await this.connection.sleep(pause);
      }
    }
    this.setLine('away');
    // Nothing more is followed, and no other tab of this seat has to.
    while (!this.ended) await this.change(2 ** 30);
  }

  /** @param {unknown} error that ended a stream */
  async failed(error) {
    if (error instanceof Forked) return this.alone(() => this.forked(error)).catch(() => {});
    if (error instanceof Cheated || error instanceof Away || error instanceof Stopped || error.code === 'behind') return undefined;
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
    this.channel?.post({ name: '#line', line });
    this.changed();
  }

  /** A token of the party's own, so that the others see who is here. */
  async access() {
    if (this.seat === null || this.log.size === 0 || this.log.game.place(this.seat.name)?.party.verifierKey !== this.seat.signer.key) return;
    try {
      this.connection.token = await this.connection.access(this.id, await this.seat.access());
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.connection.token = this.linkToken;
      if (error.code === 'access.time') this.warn('access.time', error.words);
    }
  }

  cheatFound() {
    this.channel?.post({ name: '#trouble' });
  }

  /** What another tab of this seat tells. @param {any} message */
  async hear(message) {
    if (this.ended || this.trouble !== null) return;
    if (message.name === '#trouble') {
      await this.adoptTrouble();
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
        const note = readJson(event.data)?.checkpoint;
        if (typeof note !== 'string') throw new Away(say('The server gave an answer that is none of this protocol.'));
        await this.takeCheckpoint(note);
        lacks = this.ahead !== null;
      } else if (event.name === 'opening') {
        await this.takeOpening(event.data);
      } else if (event.name === 'received') {
        await this.takeReceived(event.data);
      } else if (event.name === 'here') {
        const names = readJson(event.data)?.here;
        this.here = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
      }
      this.newRequest();
      await this.store();
    });
    if (lacks) await this.fetch();
    // An opening is told of before its receipts are worked out, and a request opened before anything is shown of it.
    if (event.name === 'checkpoint' || event.name === 'opening' || event.name === '') await this.act();
    if (event.name === 'checkpoint') await this.look();
    this.changed();
  }

  /** What came for a roll is forgotten when another one waits, or none. */
  newRequest() {
    if (this.log.size === 0) return;
    const { phase, roll } = this.game;
    const request = phase === 'pending' || phase === 'voided' ? roll.leaf : '';
    if (request === this.request) return;
    this.request = request;
    this.since = this.means.now();
    this.openings.clear();
    this.receipts = [];
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
      this.warn(`opening ${this.request} ${author} ${wrong}`,
        say('An opening came in the name of {author} that does not hold ({code}). Nothing follows from it; if the roll waits, ask {author}.', { author, code: wrong }),
        [{ name: 'given.opening', bytes: data }]);
    }
  }

  /** An opening of this party's own, that holds: it is one that it remembers. @param {Opening} opening */
  async checkOwn(opening) {
    const { seat } = this;
    if (seat === null) return;
    const record = await seat.memory.look();
    if (record.chains.some((chain) => chain.opening !== '' && chain.request === this.request && JSON.parse(chain.opening).opening.link === opening.link)) return;
    await seat.stop(say("An opening is shown with {me}'s key that {me} did not make in this browser. Somebody else has key and seeds, or what this browser remembered was lost. Nothing more is signed or opened in this game: tell the others by another way, and whoever judges.",
      { me: seat.name }));
    this.record = await seat.memory.look();
  }

  /** @param {Uint8Array} data */
  async takeReceived(data) {
    if (this.log.size === 0 || !(await checkReceived(this.game, data))) return;
    const line = fromUtf8(data)?.trimEnd() ?? '';
    const { author, request, link } = JSON.parse(line);
    if (request !== this.request || this.receipts.includes(line)) return;
    this.receipts.push(line);
    if (author === this.seat?.name && this.openings.get(author)?.opening.link === link) await this.seat.keepReceived(line);
  }

  // --- what it does by itself ----------------------------------------------------------------------------------------------

  /** Looks at what is remembered, and at what the log shows of this party. @param {boolean} [write] it is written down too */
  async look(write = false) {
    const { seat } = this;
    if (seat === null || this.log.size === 0 || this.trouble !== null) return;
    await this.alone(async () => {
      try {
        this.record = await seat.look(write);
        checkClock(this.log, this.means.now());
        for (const id of ['clock', 'behind']) this.warnings.delete(id);
      } catch (error) {
        if (error instanceof Forked) await this.forked(error);
        if (!(error instanceof Refused)) throw error;
        this.warn(error.code === 'time.ahead' ? 'clock' : 'behind', error.words);
      }
    });
    this.changed();
  }

  /** @param {Forked} error @returns {Promise<never>} */
  forked(error) {
    return this.cheated(error.words, error.note === '' ? [] : [{ name: 'mine.checkpoint', bytes: utf8(error.note) }]);
  }

  /** Whether a seat may do anything here. */
  get able() {
    return this.seat !== null && this.trouble === null && !this.ended && this.log.size > 0 && (this.record?.stopped ?? null) === null;
  }

  /** What the course of the game asks of this seat, as far as it decides nothing. Only the tab that follows does it. */
  async act() {
    const { seat } = this;
    if (!this.able || !this.leader || seat === null) return;
    const place = this.game.place(seat.name);
    if (!place || place.party.verifierKey !== seat.signer.key) return;
    try {
      if (this.game.phase === 'pending') await this.openAndAnswer(seat);
      else if (this.game.phase === 'idle' && this.agreed && !place.left) await this.enterByItself();
      this.warnings.delete('by itself');
    } catch (error) {
      if (error instanceof Forked) await this.alone(() => this.forked(error)).catch(() => {});
      else if (error instanceof Stopped) this.record = await seat.memory.look();
      else if (error instanceof Refused) this.warn(error.code === 'time.ahead' ? 'clock' : 'by itself', error.words);
      else if (error instanceof Conflict) this.warn('by itself', say('What this browser remembers could not be written: nothing was sent.'));
      else if (!(error instanceof Cheated)) throw error;
    }
  }

  /** @param {Seat} seat */
  async openAndAnswer(seat) {
    const { name } = seat;
    const { roll } = this.game;
    const request = roll.leaf;
    const keeper = this.game.terms.keeper.name;
    const mine = roll.shares.some((share) => share.name === name);
    const others = roll.shares.map((share) => share.name).filter((each) => each !== name && each !== keeper);
    const due = mine && this.log.checkpoint?.size === this.log.size && (roll.closer !== name || others.every((each) => this.openings.has(each)));
    if (due && !this.handing.has(request) && !this.arrived.has(request)) {
      const line = await this.alone(async () => {
        if (this.game.phase !== 'pending' || this.game.roll.leaf !== request) return null;
        const checked = new Map([...this.openings].map(([author, { opening }]) => [author, opening]));
        try {
          return await this.seatDoes(() => seat.open(checked));
        } catch (error) {
          if (error instanceof Refused && error.code === 'declined') return null;
          throw error;
        }
      });
      if (line !== null) void this.background(() => this.handIn(request, line));
    }
    for (const [author, { opening, line }] of this.openings) {
      if (author === name || this.acknowledged.has(line)) continue;
      this.acknowledged.add(line);
      void this.background(() => this.acknowledge(seat, request, opening));
    }
  }

  /** @param {Seat} seat @param {string} request @param {Opening} opening */
  async acknowledge(seat, request, opening) {
    const receipt = await this.alone(async () => (this.request === request && this.able ? seat.acknowledge(opening) : null)).catch(() => null);
    if (receipt === null) return;
    try {
      await this.connection.acknowledge(this.id, receipt);
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error; // the roll has ended meanwhile
    }
  }

  /** Joins and commits, as long as that is due. */
  async enterByItself() {
    if (this.entering) return;
    if (await this.enters() !== null) void this.background(() => this.enter());
  }

  /** @returns {Promise<'join' | 'commit' | null>} what is due */
  async enters() {
    const { seat } = this;
    const place = seat && this.game.place(seat.name);
    if (!seat || !place || place.left) return null;
    if (!place.joined) return 'join';
    return seat.owesCommit(await seat.memory.look()) ? 'commit' : null;
  }

  /** @throws {Refused | Away | Cheated | Stopped} */
  async enter() {
    if (this.entering) return;
    this.entering = true;
    try {
      for (let what = await this.enters(); what !== null; what = await this.enters()) {
        while (!this.isOpen) {
          if (this.ended || this.game.phase === 'closed') return;
          await this.change(1_000);
        }
        const due = what;
        const line = await this.alone(async () => (await this.enters() === due && this.isOpen ? this.seatDoes((seat) => seat.enter(due)) : null));
        if (line !== null) await this.offer(line);
      }
    } finally {
      this.entering = false;
      this.changed();
    }
  }

  /** Work beside the stream; what goes wrong is told. @param {() => Promise<any>} work */
  async background(work) {
    this.sending++;
    this.changed();
    try {
      await work();
    } catch (error) {
      if (this.ended) return;
      if (error instanceof Forked) await this.alone(() => this.forked(error)).catch(() => {});
      else if (error instanceof Refused || error instanceof Stopped) this.warn('by itself', error.words);
      else if (!(error instanceof Cheated) && !(error instanceof Away)) throw error;
    } finally {
      this.sending--;
      this.changed();
    }
  }

  // --- sending --------------------------------------------------------------------------------------------------------------

  /** Hands in an opening of the seat's, until it arrives or the roll has ended. @param {string} request @param {string} line */
  async handIn(request, line) {
    if (this.handing.has(request)) return;
    this.handing.add(request);
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
    }
  }

  /** Whether what was refused can be sent again at once. @param {unknown} error @returns {Promise<boolean>} @throws {unknown} what is no refusal */
  async isMended(error) {
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
      const holds = (await checkReceived(this.game, utf8(receipt))) && received.receiver === keeper && received.request === request
        && received.author === opening.author && received.link === opening.link && received.index === opening.index;
      if (!holds) {
        this.warn(`receipt ${request}`, say("The server's receipt for your opening does not hold: it is worthless."), [{ name: 'given.received', bytes: utf8(receipt) }]);
        return;
      }
      await this.mySeat().keepReceived(receipt);
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        if (this.ended || !this.waitsFor(request) || this.openings.has(opening.author)) return;
        this.warn(`kept back ${request}`,
          say('The server gave a receipt for your opening, and does not hand it on. Show both to whoever judges, by another way than this server.'),
          [{ name: 'my.opening', bytes: utf8(`${line}\n`) }, { name: 'keeper.received', bytes: utf8(`${receipt}\n`) }]);
      }, this.connection.times.handOn);
      this.timers.add(timer);
    });
  }

  /** Offers own lines of which it is not known whether they came: after a crash, a sleep, a reload. */
  async resend() {
    const { seat } = this;
    if (seat === null) return;
    await this.background(async () => {
      for (const line of (await seat.memory.look()).lines) {
        if (this.offering.has(line)) continue;
        const { seq, type } = JSON.parse(line);
        const taken = await this.offer(line);
        if (!taken && type !== 'join' && type !== 'commit') {
          this.warn(`untaken ${seq}`, say('Your event {seq}, {type}, could not be sent before another one came first. Look at what has changed, and choose again.', { seq, type }));
        }
      }
    });
  }

  /**
   * Has the keeper take a line; it is sent again until there is an answer.
   * @param {string} line @returns {Promise<boolean>} false where another event came first, which is here then
   * @throws {Refused | Cheated | Away} Away where this ends first
   */
  async offer(line) {
    const { seq } = JSON.parse(line);
    this.offering.add(line);
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
      await this.alone(() => this.cheated(say('The server says that it took event {seq}, and gives no checkpoint for it.', { seq }),
        [{ name: 'given.jsonl', bytes: utf8(`${line}\n`) }, { name: 'given.checkpoint', bytes: utf8(taken.checkpoint) }]));
    }
    await this.look(true);
    void this.act();
    return true;
  }

  /** @param {import('./follower.js').Event[]} lost */
  async roomMade(lost) {
    const mine = lost.filter((event) => event.author === this.seat?.name);
    for (const { seq, type } of mine) {
      this.warn(`made room ${seq}`, say('Your event {seq}, {type}, had not been taken when the server lost it, and made room for another one. Look at what has changed, and choose again.', { seq, type }));
    }
  }

  // --- what its owner wants ---------------------------------------------------------------------------------------------------

  /** @returns {Seat} @throws {Refused} */
  mySeat() {
    if (this.seat === null) throw new Refused('no-seat', say('You have no seat in this game.'));
    return this.seat;
  }

  /** @param {string} type @param {any} body @returns {Prepared} */
  prepare(type, body) {
    return { type, body, event: this.mySeat().unsigned(type, body) };
  }

  /**
   * Signs and sends what was prepared.
   * @param {Prepared} prepared @param {(prepared: Prepared) => Promise<boolean>} still whether it makes sense upon the log as it stands now
   * @returns {Promise<{seq: number}>} when the keeper's checkpoint has it @throws {Refused | Changed | Stopped | Cheated | Away}
   */
  async sign(prepared, still) {
    let now = prepared;
    for (;;) {
      await this.settled(false);
      const line = await this.alone(async () => {
        this.check();
        return this.isCurrent(now.event) && this.isTaken ? this.seatDoes((seat) => seat.sign(this.dated(now.event))) : null;
      });
      if (line !== null && (await this.sent(line))) return { seq: now.event.seq };
      if (line === null && this.isCurrent(now.event)) continue;
      await this.settled();
      if (!(await still(prepared))) throw new Changed();
      now = this.prepare(prepared.type, prepared.body);
    }
  }

  /** @param {string} line @returns {Promise<boolean>} whether it was taken */
  async sent(line) {
    this.sending++;
    this.changed();
    try {
      return await this.offer(line);
    } finally {
      this.sending--;
      this.changed();
    }
  }

  /** @param {Unsigned} event @returns {boolean} whether it would still be the next one */
  isCurrent(event) {
    return event.seq === this.log.size && event.prev === this.log.events[event.seq - 1].leaf;
  }

  /** An event that waited long for its owner's word has the time of the word. @param {Unsigned} event @returns {Unsigned} */
  dated(event) {
    return this.means.now() - Date.parse(event.time) < 60_000 ? event : this.mySeat().unsigned(event.type, event.body);
  }

  /** Whether the keeper has taken all that is here, but for own events at the end. */
  get isTaken() {
    return this.log.events.slice(this.log.taken).every((event) => event.author === this.seat?.name);
  }

  /** Whether an event of any party's can come now. */
  get isOpen() {
    return this.fetched && this.game.phase === 'idle' && this.isTaken;
  }

  /** Waits for the keeper to take what came, and for a roll that came first to be over: both are soon. @param {boolean} [idle] the latter too */
  async settled(idle = true) {
    const end = Date.now() + this.connection.times.patience;
    while (!this.isTaken || (idle && (this.game.phase === 'pending' || this.game.phase === 'voided'))) {
      this.check();
      if (this.ended || Date.now() > end) throw new Changed();
      await this.change(end - Date.now());
    }
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
      throw error;
    }
  }

  /** @param {string[]} missing @returns {Promise<{seq: number}>} */
  async void(missing) {
    const line = await this.alone(async () => {
      this.check();
      return this.seatDoes((seat) => seat.void(missing));
    });
    if (!(await this.sent(line))) throw new Changed();
    return { seq: JSON.parse(line).seq };
  }

  /** @returns {Promise<void>} */
  async decline() {
    await this.alone(async () => {
      this.check();
      await this.seatDoes((seat) => seat.decline());
    });
    await this.look(true);
  }

  /** @param {string} id @param {Message} message @param {File[]} [files] */
  warn(id, message, files = []) {
    if (this.warnings.has(id) || this.read.has(id)) return;
    this.warnings.set(id, { id, message, files });
    this.changed();
  }

  /** @param {string[]} ids of warnings that were read */
  async tell(ids) {
    for (const id of ids) {
      if (this.warnings.delete(id) && id !== 'by itself' && id !== 'clock') this.read.add(id);
    }
    if (this.seat !== null) {
      await this.alone(() => this.mySeat().told(ids));
      this.record = await this.seat.memory.look();
    }
    this.changed();
  }
}

/** @param {Uint8Array} data @returns {any} undefined where it is no JSON */
function readJson(data) {
  try {
    return JSON.parse(fromUtf8(data) ?? '');
  } catch {
    return undefined;
  }
}

/** @param {string} name @param {any} value @returns {StreamEvent} */
const event = (name, value) => ({ name, data: value === undefined ? EMPTY : utf8(JSON.stringify(value)), id: '' });
