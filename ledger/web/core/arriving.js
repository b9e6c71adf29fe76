/**
 * From a link to a game: the lobby, a seat, the start, and whether the game is the one that was agreed to (specs/network.md,
 * "The table").
 * @module
 */

import { fromUtf8, utf8 } from '../../../verifier/web/bytes.js';
import { canonical } from '../../../verifier/web/json.js';
import { Advice } from './advice.js';
import { newSealingKey } from './chains.js';
import { Connection } from './connection.js';
import { Away, Refused, say } from './errors.js';
import { canBeCalled, parseStart, parseState, parseTerms } from './forms.js';
import { formatLink, tokenOf } from './links.js';
import { checkLink, checkOpened, checkStart, newSeat, newStart, seatsThatHold } from './lobby.js';
import { Memory } from './memory.js';
import { seatKey, wrap } from './move.js';
import { Play } from './play.js';
import { Seat } from './seat.js';
import { newSigner, Signer } from './signer.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./errors.js').Message} Message */

export class Arriving {
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
    this.connected = false;
    this.stop = new AbortController();
  }

  /** Tells whoever shows it that something has changed. */
  changed() {}

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
    const [seat, host, known, refused] = await Promise.all([
      storage.get('seats', seatKey(table, role)), storage.get('hosts', table), storage.get('tables', seatKey(table, role)),
      storage.get('games', table),
    ]);
    this.files = refused?.files ?? [];
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
          if (event.name === 'table') await this.stands(readJson(event.data));
          this.setLine('live');
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
        await this.here.storage.write([{ store: 'games', key: this.link.table, value: { table: this.link.table, files: this.files } }]);
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
    // One at a time, in all tabs: whoever taps twice has one seat.
    await this.here.locks.request(`rollproof sit ${seatKey(this.link.table, this.link.role)}`, {}, () => this.takeSeat(name, passphrase));
  }

  /** @param {string} name @param {string} passphrase @throws {Refused | Away} */
  async takeSeat(name, passphrase) {
    this.seat = (await this.here.storage.get('seats', seatKey(this.link.table, this.link.role))) ?? null;
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
}

/** @param {Uint8Array} data @returns {any} */
function readJson(data) {
  try {
    return JSON.parse(fromUtf8(data) ?? '');
  } catch {
    throw new Away(say('The server gave an answer that is none of this protocol.'));
  }
}
