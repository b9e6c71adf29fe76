/**
 * One table as this browser sees it, from the lobby to the closed game (the contract with the page: `index.js`).
 * @module
 */

import { fromUtf8, utf8 } from '../../../verifier/web/bytes.js';
import { explain } from '../../../verifier/web/explain.js';
import { canonical } from '../../../verifier/web/json.js';
import { Advice } from './advice.js';
import { newSealingKey } from './chains.js';
import { Connection } from './connection.js';
import { Away, Refused, say } from './errors.js';
import { canBeCalled, parseStart, parseState, parseTerms } from './forms.js';
import { checkLink, checkOpened, checkStart, nameOf, newClose, newDelete, newSeat, newStart, seatsThatHold } from './lobby.js';
import { formatLink, tokenOf } from './links.js';
import { Memory } from './memory.js';
import { fileOf, hasMoved, MOVED, seatKey, wrap } from './move.js';
import { Play } from './play.js';
import { Seat } from './seat.js';
import { newSigner, Signer } from './signer.js';
import { snapshotOf } from './snapshot.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./errors.js').Message} Message */
/** @typedef {import('./play.js').Prepared} Prepared */

/** Events that a program may sign anew by itself whenever its own verifier takes them: no rule of a system is about them. */
const OF_PROTOCOL = new Set(['leave', 'away', 'back']);

export class Table {
  /** @param {import('./here.js').Here} here @param {import('./links.js').Link} link */
  constructor(here, link) {
    this.here = here;
    this.link = link;
    this.connection = new Connection(link.address, { fetch: here.fetch, language: () => here.language, times: here.times });
    /** @type {import('./forms.js').Terms | null} */
    this.terms = null;
    this.termsLine = '';
    /** @type {import('./forms.js').Seat[]} that hold */
    this.seats = [];
    /** @type {import('./forms.js').Start | null} */
    this.started = null;
    /** @type {string | null} */
    this.gameId = null;
    /** @type {any} as it is stored */
    this.seat = null;
    this.isHost = false;
    this.deleted = false;
    /** @type {Message | null} */
    this.problem = null;
    /** @type {File[]} */
    this.files = [];
    /** @type {'connecting' | 'live' | 'away'} */
    this.line = 'connecting';
    /** @type {Map<string, {id: string, message: Message, files: File[]}>} */
    this.warnings = new Map();
    /** @type {Play | null} */
    this.play = null;
    /** @type {Advice | null} */
    this.advice = null;
    /** @type {Set<(snapshot: any) => void>} */
    this.listeners = new Set();
    this.last = snapshotOf(this);
    this.telling = false;
    this.connected = false;
    this.stop = new AbortController();
  }

  // --- what is shown ---------------------------------------------------------------------------------------------------

  get snapshot() {
    return this.last;
  }

  /** @param {(snapshot: any) => void} listener is called at once too @returns {() => void} ends it */
  subscribe(listener) {
    this.listeners.add(listener);
    listener(this.last);
    return () => void this.listeners.delete(listener);
  }

  changed() {
    if (this.telling) return;
    this.telling = true;
    queueMicrotask(() => {
      this.telling = false;
      this.last = snapshotOf(this);
      this.advice?.refresh();
      for (const listener of [...this.listeners]) listener(this.last);
    });
  }

  // --- from the link to the game -----------------------------------------------------------------------------------------

  /** Begins, and goes on by itself until `close`. @returns {Promise<void>} when something can be shown, or `close` came */
  async connect() {
    if (this.connected) return;
    this.connected = true;
    this.connection.token = await tokenOf(this.link.secret);
    await this.recall();
    void this.run();
  }

  /** What is known here already. */
  async recall() {
    const { table, role } = this.link;
    const { storage } = this.here;
    const [seat, host, known] = await Promise.all([
      storage.get('seats', seatKey(table, role)), storage.get('hosts', table), storage.get('tables', seatKey(table, role)),
    ]);
    this.seat = seat ?? null;
    this.isHost = host !== undefined;
    if (known?.terms) {
      this.termsLine = known.terms;
      this.terms = parseTerms(known.terms);
      this.gameId = known.game ?? null;
    }
    if (this.gameId !== null) {
      const play = this.newPlay(this.gameId);
      await play.restore();
      if (play.log.size > 0) {
        await this.begin(play);
        return;
      }
    }
    this.changed();
  }

  /** Until the game is followed, or cannot be. */
  async run() {
    for (let attempt = 0; this.play === null && !this.stop.signal.aborted && this.problem === null && !this.deleted; attempt++) {
      try {
        if (this.seat !== null && !this.seat.posted) await this.postAgain();
        for await (const event of this.connection.stream(`/v1/tables/${this.link.table}/stream`, this.stop.signal)) {
          attempt = 0;
          this.setLine('live');
          if (event.name === 'table') await this.stands(readJson(event.data));
          if (event.name === 'bye' || this.play !== null || this.problem !== null) break;
        }
      } catch (error) {
        this.failed(error);
      }
      if (this.play !== null || this.stop.signal.aborted || this.problem !== null || this.deleted) break;
      this.setLine('away');
      await this.connection.sleep(this.connection.pause(attempt));
    }
  }

  /** A seat of which it is not known whether it came: where it is refused this browser looks on. */
  async postAgain() {
    try {
      await this.postSeat();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.warnings.set('seat', { id: 'seat', message: error.words, files: [] });
    }
  }

  /** @param {'connecting' | 'live' | 'away'} line */
  setLine(line) {
    if (this.line === line) return;
    this.line = line;
    this.changed();
  }

  /** @param {unknown} error */
  failed(error) {
    if (error instanceof Away || this.stop.signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    if (error.status === 410) this.deleted = true;
    else this.problem = error.words;
    this.changed();
  }

  /** The table as the server says that it stands. @param {any} value @throws {Refused | Away} */
  async stands(value) {
    const state = parseState(value);
    const terms = parseTerms(state.terms);
    await checkLink(this.link, state.terms, terms);
    this.terms = terms;
    this.termsLine = state.terms;
    this.seats = await seatsThatHold(terms, this.link.table, state.seats);
    if (state.game === null || state.start === null) {
      await this.remember();
      this.changed();
      return;
    }
    await this.opened(state, terms);
  }

  /** The game has begun: it must be the one that was agreed to. @param {import('./forms.js').TableState} state @param {import('./forms.js').Terms} terms */
  async opened(state, terms) {
    const game = /** @type {string} */ (state.game);
    const { lines } = await this.connection.lines(game, 0);
    const line = lines[0] ?? new Uint8Array(0);
    try {
      if (this.gameId !== null && this.gameId !== game) {
        throw new Refused('table.opened', say('This table has started as game {known}, and the server shows game {game} now.', { known: this.gameId, game }));
      }
      const start = parseStart(canonical(state.start) ?? '');
      await checkOpened(terms, this.link.table, this.seats, start, line, game);
      this.started = start;
    } catch (error) {
      if (error instanceof Refused) {
        this.files = [{ name: 'table.json', bytes: utf8(JSON.stringify(state)) }, { name: 'given.jsonl', bytes: utf8(`${fromUtf8(line) ?? ''}\n`) }];
      }
      throw error;
    }
    this.gameId = game;
    await this.remember();
    const play = this.newPlay(game);
    await play.restore();
    if (play.log.size === 0) {
      await play.alone(async () => {
        await play.log.take(line);
        await play.store();
      });
    }
    await this.begin(play);
  }

  /** @param {string} game @returns {Play} */
  newPlay(game) {
    return new Play(game, this.connection, this.here, () => this.changed());
  }

  /** Follows a game of which event 0 is here. @param {Play} play */
  async begin(play) {
    this.play = play;
    this.advice = new Advice(play, () => this.changed());
    await this.sitDown();
    this.changed();
    play.run().catch((error) => {
      this.problem = say('This page has failed: {problem}. Load it anew.', { problem: String(error?.message ?? error) });
      this.changed();
      throw error;
    });
  }

  /** The seat that is stored takes part in the game. */
  async sitDown() {
    const { play } = this;
    const seat = (await this.here.storage.get('seats', seatKey(this.link.table, this.link.role))) ?? null;
    this.seat = seat;
    if (play === null || seat === null || seat.left) return;
    const signer = new Signer(seat.key, seat.signing);
    const memory = new Memory(this.here.storage, this.here.locks, play.id, seat.key);
    play.seat = new Seat(signer, seat.sealing, memory, play.log, this.here.now, this.here.chainLinks);
    play.agreed = seat.agreed;
    play.record = await memory.look();
  }

  /** Notes that this table is known here. */
  async remember() {
    const { terms, link } = this;
    if (terms === null) return;
    const key = seatKey(link.table, link.role);
    const known = await this.here.storage.get('tables', key);
    const value = {
      table: link.table, role: link.role, link: formatLink(link), game: this.gameId, title: terms.title, system: terms.system,
      name: this.seat?.name ?? null, host: this.isHost, opened: terms.time, terms: this.termsLine,
    };
    if (canonical(known ?? {}) === canonical(value)) return;
    await this.here.storage.write([{ store: 'tables', key, value }]);
  }

  /** Nothing is followed any more. */
  close() {
    this.stop.abort();
    this.play?.close();
    this.connection.close();
    this.here.shown.delete(seatKey(this.link.table, this.link.role));
  }

  /** The network came back, or the page is shown again: what waits tries again at once. */
  wake() {
    this.connection.wake();
    void this.play?.act();
  }

  // --- the lobby -----------------------------------------------------------------------------------------------------------

  /** @returns {Promise<import('./forms.js').Terms>} when the table is known @throws {Refused | Away} */
  async known() {
    if (this.terms === null) await this.stands(await this.connection.table(this.link.table));
    return /** @type {import('./forms.js').Terms} */ (this.terms);
  }

  /**
   * Takes a seat of the link's role. Asked again with the same name after no answer came, it is the same seat.
   * @param {string} name @param {{passphrase?: string}} [options] with a passphrase the seat can be moved @throws {Refused | Away}
   */
  async sit(name, { passphrase = '' } = {}) {
    if (this.here.ability !== null) throw new Refused('ability', this.here.ability);
    if (this.link.role === 'spectator') throw new Refused('table.seat', say('This link is for spectators, who have no seat.'));
    if (!canBeCalled(name)) {
      throw new Refused('table.name', say('A name has 1 to 32 letters a–z, digits, dots, underscores and hyphens, and begins with a letter or a digit.'));
    }
    await this.known();
    if (this.seat !== null && (this.seat.posted || this.seat.name !== name)) {
      if (this.seat.posted) throw new Refused('table.seat', say('You have a seat here already, as {name}.', { name: this.seat.name }));
      this.seat = null;
    }
    if (this.seat === null) {
      const { signer, secret } = await newSigner(name);
      const { wrapping, wrapped } = passphrase === '' ? { wrapping: null, wrapped: null } : await wrap(passphrase, secret);
      secret.fill(0);
      this.seat = {
        table: this.link.table, role: this.link.role, link: formatLink(this.link), key: signer.key, name, signing: signer.signing,
        sealing: await newSealingKey(), wrapping, wrapped, agreed: false, posted: false, left: false, moves: 0, terms: this.termsLine,
      };
      await this.storeSeat();
    }
    await this.postSeat();
  }

  async storeSeat() {
    await this.here.storage.write([{ store: 'seats', key: seatKey(this.link.table, this.link.role), value: this.seat }]);
  }

  /** @throws {Refused | Away} */
  async postSeat() {
    const body = await newSeat(new Signer(this.seat.key, this.seat.signing), this.link);
    try {
      await this.connection.atTable(this.link.table, 'seats', body);
    } catch (error) {
      if (error instanceof Refused && error.status !== 429) {
        this.seat = null;
        await this.here.storage.write([{ store: 'seats', key: seatKey(this.link.table, this.link.role), value: undefined }]);
        this.changed();
      }
      throw error;
    }
    this.seat.posted = true;
    await this.storeSeat();
    await this.remember();
    this.changed();
  }

  /** @returns {Promise<Signer>} of the host @throws {Refused} */
  async host() {
    const host = await this.here.storage.get('hosts', this.link.table);
    if (host === undefined) throw new Refused('table.host', say('Only the host of this table can do this, in the browser where it was opened.'));
    return new Signer(host.key, host.signing);
  }

  /** Starts with these seats. @param {string[]} keys verifier keys, in party order @throws {Refused | Away} */
  async start(keys) {
    const host = await this.host();
    const terms = await this.known();
    const parties = keys.map((key) => {
      const seat = this.seats.find((each) => each.key === key);
      if (seat === undefined) throw new Refused('table.start', say('Nobody sits here with the key {key}.', { key }));
      return { key, role: seat.role };
    });
    const start = await newStart(host, this.link.table, parties);
    await checkStart(terms, this.link.table, this.seats, parseStart(start));
    await this.connection.atTable(this.link.table, 'start', start);
  }

  // --- the game --------------------------------------------------------------------------------------------------------------

  /** @returns {Play} @throws {Refused} */
  playing() {
    if (this.play === null || this.play.log.size === 0) throw new Refused('table.started', say('The game has not begun.'));
    return this.play;
  }

  /** Agrees to the terms: joins, and commits. @returns {Promise<void>} when that is done @throws {Refused | Cheated | Away} */
  async agree() {
    const play = this.playing();
    play.mySeat();
    this.seat.agreed = true;
    await this.storeSeat();
    play.agreed = true;
    while (!play.ended && (await play.enters()) !== null) {
      play.check();
      if (play.entering) await play.change(1_000);
      else await play.enter();
    }
  }

  /** The very event that would be signed now. @param {string} type @param {any} body @returns {Prepared} @throws {Refused} */
  prepare(type, body) {
    return this.playing().prepare(type, body);
  }

  /** @param {Prepared} prepared @returns {Promise<{seq: number}>} */
  async sign(prepared) {
    return this.playing().sign(prepared, (each) => this.still(each));
  }

  /** @param {Prepared} prepared @returns {Promise<boolean>} whether it makes sense still */
  async still({ type, body }) {
    if (OF_PROTOCOL.has(type)) return true;
    return (await this.advice?.offers(type, body)) ?? false;
  }

  /** What a typed line says. @param {any} request @returns {Promise<{body: any, words: any}>} @throws {Refused | Away} */
  async read(request) {
    return this.connection.advice('POST', `/v1/games/${this.playing().id}/read`, request);
  }

  /**
   * Why a roll is what it is: steps of the own verifier, and as advice the reasons that the server gives.
   * @param {number} seq of its request @returns {Promise<{steps: any[], reasons: any[]}>}
   */
  async explain(seq) {
    const play = this.playing();
    const roll = play.game.rollAt.get(seq);
    if (roll === undefined) throw new Refused('roll', say('Event {seq} is no roll.', { seq }));
    const { sig } = JSON.parse(play.log.events[seq].line);
    const steps = explain(play.game, roll, this.save().name, { time: play.log.events[seq].time, sig });
    try {
      const { reasons } = await this.connection.advice('GET', `/v1/games/${play.id}/explain?roll=${seq}`);
      return { steps, reasons: Array.isArray(reasons) ? reasons : [] };
    } catch (error) {
      if (error instanceof Refused || error instanceof Away) return { steps, reasons: [] };
      throw error;
    }
  }

  /** Asks for advice anew: in another language. */
  advise() {
    if (this.advice === null) return;
    this.advice.askedSize = -1;
    this.advice.refresh();
  }

  /** Calls off the roll that waits, as its closer or as a judge. @param {string[]} [missing] @returns {Promise<{seq: number}>} */
  async void(missing = []) {
    return this.playing().void(missing);
  }

  /** As the closer: opens no more for the roll that waits. */
  async decline() {
    return this.playing().decline();
  }

  /** The host has the keeper close the game. @throws {Refused | Away} */
  async closeGame() {
    const play = this.playing();
    await this.connection.atTable(this.link.table, 'close', await newClose(await this.host(), this.link.table, play.id));
  }

  /** The host has everything deleted that the server has. @throws {Refused | Away} */
  async deleteTable() {
    await this.connection.atTable(this.link.table, 'delete', await newDelete(await this.host(), this.link.table));
    this.deleted = true;
    this.changed();
  }

  // --- moving and saving ---------------------------------------------------------------------------------------------------------

  /** Ends the seat here for good, and gives the file with which it goes on elsewhere. @returns {Promise<Blob>} @throws {Refused} */
  async move() {
    const { seat, play } = this;
    if (seat === null || seat.wrapped === null) throw new Refused('moved', say('This seat was given no passphrase, and cannot be moved.'));
    const memory = play === null ? null : new Memory(this.here.storage, this.here.locks, play.id, seat.key);
    const record = memory === null ? null : await memory.turn(async (turn) => {
      turn.record.stopped ??= MOVED;
      return { ...turn.record, stopped: hasMoved(turn.record) ? null : turn.record.stopped };
    });
    if (!seat.left) {
      this.seat = { ...seat, left: true, moves: (seat.moves ?? 0) + 1 };
      await this.storeSeat();
    }
    const file = await fileOf(this.seat, record, play?.id ?? null, this.link.address);
    if (play !== null) {
      play.seat = null;
      play.agreed = false;
    }
    this.changed();
    return new Blob([file], { type: 'application/json' });
  }

  /** @param {Uint8Array | Blob} file @param {string} passphrase @returns {Promise<void>} @throws {Refused} */
  async take(file, passphrase) {
    await this.here.take(file, passphrase, this.link);
    if (this.play === null) await this.recall();
    else await this.sitDown();
    this.changed();
  }

  /** The log as it stands, and the keeper's checkpoint of it. @returns {File & {checkpoint: File | null}} */
  save() {
    const { log } = this.playing();
    const title = (this.terms?.title ?? '').replace(/[^\p{L}\p{N} ._-]/gu, '').trim().slice(0, 80) || `game-${log.id.slice(0, 12)}`;
    const note = log.checkpoint?.note;
    return {
      name: `${title}.jsonl`, bytes: log.bytes(),
      checkpoint: note === undefined ? null : { name: `${title}.jsonl.checkpoint`, bytes: utf8(note) },
    };
  }

  /** Files to save where there is trouble. @returns {File[]} */
  evidence() {
    return [...(this.play?.trouble?.files ?? []), ...this.files, ...this.last.warnings.flatMap((/** @type {any} */ each) => each.files)];
  }

  /** @param {string[]} ids of warnings that were read */
  async told(ids) {
    for (const id of ids) this.warnings.delete(id);
    await this.play?.tell(ids);
    this.changed();
  }
}

/** @param {Uint8Array} data @returns {any} */
function readJson(data) {
  try {
    return JSON.parse(fromUtf8(data) ?? '');
  } catch {
    throw new Away(say('The server gave an answer that is none of this protocol.'));
  }
}
