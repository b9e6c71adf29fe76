/**
 * One game in this browser: does a seat's automatic work, and signs and sends its owner's events
 * (specs/page.md, "What it does by itself, and what it asks for").
 * @module
 */

import { Away, Changed, Cheated, Refused, say, Stopped, Unstored } from './errors.js';
import { UNSTORED } from './coming.js';
import { checkClock, Forked } from './guard.js';
import { comesBack, mayTake, placeOf } from './lost.js';
import { Sending } from './sending.js';
import { Conflict } from './storage.js';

/** @typedef {import('./seat.js').Opening} Opening */
/** @typedef {import('./seat.js').Seat} Seat */
/** @typedef {import('./seat.js').Unsigned} Unsigned */
/** @typedef {{type: string, body: any, event: Unsigned}} Prepared the very event that would be signed, unsigned */

export class Play extends Sending {
  /** Compares the memory with the log of this party. @param {boolean} [write] it is written down too */
  async look(write = false) {
    const { seat } = this;
    if (seat === null || this.log.size === 0 || this.trouble !== null || !this.isParty) return;
    await this.alone(async () => {
      try {
        this.record = await seat.look(write);
        this.secrets = await seat.holder.outcomes();
        checkClock(this.log, this.means.now());
        for (const id of ['clock', 'behind']) this.warnings.delete(id);
      } catch (error) {
        if (error instanceof Forked) await this.forked(error);
        if (error instanceof Unstored) return this.unstored(error);
        if (!(error instanceof Refused)) throw error;
        this.warn(error.code === 'time.ahead' ? 'clock' : 'behind', error.words);
      }
      return undefined;
    });
    this.changed();
  }

  /** Whether the seat is a party of this game; an asking seat is none yet. */
  get isParty() {
    const { seat } = this;
    return seat !== null && this.log.size > 0 && placeOf(this.game, seat.signer.key) !== undefined;
  }

  /** Whether a seat may do anything here. */
  get able() {
    return this.seat !== null && this.trouble === null && !this.ended && this.log.size > 0 && (this.record?.stopped ?? null) === null;
  }

  /** Does the automatic work of this seat, which decides nothing. Only the following tab does it. */
  async act() {
    const { seat } = this;
    if (!this.able || !this.leader || seat === null) return;
    const place = this.game.place(seat.name);
    if (!place) return;
    try {
      if (this.game.phase === 'pending' && this.isParty) await this.openAndAnswer(seat);
      else if (this.game.phase === 'idle' && this.agreed && !place.left) await this.enterByItself();
      this.warnings.delete('by itself');
    } catch (error) {
      if (error instanceof Forked) await this.alone(() => this.forked(error)).catch(() => {});
      else if (error instanceof Stopped) this.record = await seat.memory.look();
      else if (error instanceof Unstored) this.unstored(error);
      else if (error instanceof Refused) this.warn(error.code === 'time.ahead' ? 'clock' : 'by itself', error.words);
      else if (error instanceof Conflict) this.warn('by itself', say('This browser could not save what it must remember, so it sent nothing.'));
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
      if (line !== null) {
        void this.background(() => this.handIn(request, line));
        await this.remembers();
      }
    }
    for (const [author, { opening, line }] of this.openings) {
      if (author === name || this.acknowledged.has(line)) continue;
      this.acknowledged.add(line);
      void this.background(() => this.acknowledge(seat, request, opening));
    }
  }

  /**
   * Gives a receipt, which is worth something while the roll waits: most are over sooner, and what else is to be done for them comes first.
   * @param {Seat} seat @param {string} request @param {Opening} opening
   */
  async acknowledge(seat, request, opening) {
    await this.connection.sleep(this.connection.times.receipt);
    const receipt = await this.alone(async () => {
      if (this.request !== request || !this.able) return null;
      const line = await seat.acknowledge(opening);
      if (seat.mayVoid(this.game.roll)) this.record = await seat.memory.look(); // whom a void may name
      return line;
    }).catch(() => null);
    this.changed();
    if (receipt === null) return;
    try {
      await this.connection.acknowledge(this.id, receipt);
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error; // the roll has ended meanwhile
    }
  }

  /** Joins, commits, seals and shows owed secrets, as long as one of these is due. */
  async enterByItself() {
    if (this.entering) return;
    if ((await this.enters()) !== null) void this.background(() => this.enter());
  }

  /** @returns {Promise<import('./seat.js').Due | null>} what is due */
  async enters() {
    const { seat } = this;
    const place = seat && this.game.place(seat.name);
    if (!seat || !place || place.left) return null;
    if (!this.isParty) return mayTake(this.game, place, seat.signer.key) ? 'join' : null;
    // A keeper that lets somebody in alone, or under another called name, is neither the host nor an event's organizer.
    const asked = place.late === null || ((place.late.byHost || place.late.appointedBy !== null) && place.party.called === seat.called);
    if (!place.joined && !asked) return null;
    if (!place.joined) return 'join';
    if (comesBack(this.game, place)) return 'back';
    const record = await seat.memory.look();
    if (seat.objects(record)) return 'object'; // before anything else: with its next event it can no more
    return seat.owesCommit(record) ? 'commit' : seat.holder.due(record);
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
        const line = await this.alone(async () => ((await this.enters()) === due && this.isOpen ? this.seatDoes((seat) => seat.enter(due)) : null));
        if (line !== null) await this.offer(line);
      }
    } finally {
      this.entering = false;
      this.changed();
    }
  }

  // --- what its owner wants ---------------------------------------------------------------------------------------------

  /** @param {string} type @param {any} body @returns {Prepared} */
  prepare(type, body) {
    return { type, body, event: this.mySeat().unsigned(type, body) };
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
        line = await this.alone(async () => {
          this.check();
          return sure && this.isCurrent(now.event) && this.isSettled ? this.seatDoes((seat) => seat.sign(this.dated(now.event))) : null;
        });
      } catch (error) {
        // A party is about to commit, or this one to object, which programs do by themselves; or the rules are begun anew.
        if (!(error instanceof Refused) || !['state.not-committed', 'object.first', 'rules.unfinished'].includes(error.code) || Date.now() >= end)
          throw error;
        await this.change(end - Date.now());
        continue;
      }
      if (line !== null && (await this.offer(line))) return { seq: now.event.seq };
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
    return this.means.now() - Date.parse(event.time) < 60_000 ? event : this.mySeat().unsigned(event.type, event.body);
  }

  /** @param {string[]} missing @returns {Promise<{seq: number}>} */
  async void(missing) {
    const line = await this.alone(async () => {
      this.check();
      return this.seatDoes((seat) => seat.void(missing));
    });
    if (!(await this.offer(line))) throw new Changed();
    return { seq: JSON.parse(line).seq };
  }

  /**
   * Shows a secret roll that this party holds, anew where another event comes first: it is about that roll alone.
   * @param {number} request @returns {Promise<{seq: number}>} @throws {Refused | Changed | Stopped | Cheated | Away}
   */
  async show(request) {
    for (;;) {
      await this.settled();
      const line = await this.alone(async () => {
        this.check();
        return this.isSettled ? this.seatDoes((seat) => seat.show(request)) : null;
      });
      if (line !== null && (await this.offer(line))) return { seq: JSON.parse(line).seq };
    }
  }

  /** @returns {Promise<void>} */
  async decline() {
    await this.alone(async () => {
      this.check();
      await this.seatDoes((seat) => seat.decline());
    });
    await this.remembers();
  }

  /** @param {string[]} ids of warnings that were read */
  async tell(ids) {
    for (const id of ids) {
      if (this.warnings.delete(id) && id !== 'by itself' && id !== 'clock' && id !== UNSTORED) this.read.add(id);
    }
    if (this.seat !== null) {
      await this.alone(() => this.mySeat().told(ids));
      this.record = await this.seat.memory.look();
    }
    this.changed();
  }

  /** Whether the keeper has taken all that is here, but for own events at the end. */
  get isTaken() {
    return this.log.events.slice(this.log.taken).every((event) => event.author === this.seat?.name);
  }

  /** Whether the keeper has taken all that is here, and no roll waits. */
  get isSettled() {
    return this.isTaken && this.game.phase !== 'pending' && this.game.phase !== 'voided';
  }

  /** Whether an event of any party's can come now. */
  get isOpen() {
    return this.fetched && this.game.phase === 'idle' && this.isTaken;
  }

  /** Whether the seat has said that it checks the rules. */
  get isBound() {
    return this.seat !== null && this.log.size > 0 && (this.game.place(this.seat.name)?.checks ?? false);
  }

  /** Waits for the rules, where the seat has said that it checks them; and signs nothing where the server's advice was a lie. @throws {Refused} */
  async ruled() {
    const end = Date.now() + this.connection.times.patience;
    while (this.isBound && this.log.rules === null && !this.ended && Date.now() < end) await this.change(end - Date.now());
    if ((this.rules?.lies ?? []).length > 0) {
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
    while (!this.isSettled) {
      this.check();
      if (this.ended) throw new Changed();
      if (Date.now() >= end) throw new Refused('unsettled', say('Nothing was signed: the step before is not over. When it is, choose again.'));
      await this.change(end - Date.now());
    }
  }
}
