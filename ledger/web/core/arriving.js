/**
 * From a link to a game: the table as the server shows it, and the check that the game is the agreed one
 * (specs/network.md, "The table"). Who comes later, or goes on with a new key, follows the same lobby with the same
 * checks: so that stands here too, and the file is longer than others.
 * @module
 */

import { fromUtf8, utf8 } from '../../../verifier/web/bytes.js';
import { canonical } from '../../../verifier/web/json.js';
import { Advice } from './advice.js';
import { Away, Refused, say, Unstored } from './errors.js';
import { parseStart, parseState, parseTerms } from './forms.js';
import { formatLink, tokenOf } from './links.js';
import { checkLink, checkOpened, invitesThatHold, isEnded, nameOf, newAdmit, seatsThatHold } from './lobby.js';
import { goingOn, lookAtSuccessions, mayTake, newReplace, placeOf, successionFor } from './lost.js';
import { Memory } from './memory.js';
import { seatKey } from './move.js';
import { Play } from './play.js';
import { Seat } from './seat.js';
import { Signer } from './signer.js';
import { Sitting } from './sitting.js';
import { json, pauseOf } from './transport.js';
import { UNSTORED } from './warnings.js';

/** @typedef {import('./errors.js').File} File */
/** @typedef {import('./errors.js').Message} Message */

export class Arriving extends Sitting {
  /** @param {import('./here.js').Here} here @param {import('./links.js').Link} link */
  constructor(here, link) {
    super(here, link);
    /** @type {import('./forms.js').Start | null} */
    this.started = null;
    /** @type {string | null} */
    this.gameId = null;
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
    /** @type {import('./rules.js').Engine | null} what knows the rules, as soon as somebody has begun to load it */
    this.engine = null;
    this.connected = false;
    /** Parties that ask are followed. */
    this.following = false;
    /** The stored data were read. */
    this.recalled = false;
    /** A wish of this browser's is being sent. */
    this.wishing = false;
    this.stop = new AbortController();
  }

  // --- from the link to the game -----------------------------------------------------------------------------------------

  /** Begins, and goes on by itself until `close`. @returns {Promise<void>} when something can be shown, or `close` came */
  async connect() {
    if (this.connected) return;
    this.connected = true;
    this.connection.token = await tokenOf(this.link.secret);
    try {
      await this.recall();
    } catch (error) {
      this.failed(error);
    }
    void this.run();
  }

  /** What is known here already. */
  async recall() {
    const { table, role } = this.link;
    const { storage } = this.here;
    const [seat, host, known, refused] = await Promise.all([
      storage.get('seats', seatKey(table, role)),
      storage.get('hosts', table),
      storage.get('tables', seatKey(table, role)),
      storage.get('games', table),
    ]);
    this.files = refused?.files ?? [];
    this.seat = seat ?? null;
    this.sat = seat?.posted === true && seat.left !== true;
    this.isHost = host !== undefined;
    if (known?.terms) {
      this.termsLine = known.terms;
      this.terms = parseTerms(known.terms);
      this.gameId = known.game ?? null;
    }
    if (this.gameId !== null) {
      const play = this.newPlay(this.gameId);
      await play.sync.restore();
      if (play.log.size > 0) {
        await this.begin(play);
        this.recalled = true;
        return;
      }
    }
    this.recalled = true;
    this.changed();
  }

  /** Until the game is followed, or cannot be. */
  async run() {
    for (let attempt = 0; this.play === null && !this.stop.signal.aborted && this.problem === null && !this.deleted; attempt++) {
      /** @type {number | null} milliseconds that the server asks for */
      let pause = null;
      try {
        if (!this.recalled) await this.recall();
        if (this.play !== null) break;
        if (this.seat !== null && !this.seat.posted) await this.postAgain();
        this.showsSeat();
        for await (const event of this.connection.stream(`/v1/tables/${this.link.table}/stream`, this.stop.signal)) {
          attempt = 0;
          if (event.name === 'table') await this.stands(json(event.data));
          this.setLine('live');
          if (event.name === 'bye') pause = pauseOf(event);
          if (event.name === 'bye' || this.play !== null || this.problem !== null) break;
        }
      } catch (error) {
        this.failed(error);
      }
      if (this.play !== null || this.stop.signal.aborted || this.problem !== null || this.deleted) break;
      this.setLine('away');
      await this.connection.sleep(pause ?? this.connection.pause(attempt));
    }
  }

  /** A seat that the server took before a stream begins stands in it, or was taken away meanwhile: it may never be shown. */
  showsSeat() {
    this.sat ||= this.seat?.posted === true && this.seat.left !== true;
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
    if (error instanceof Unstored) this.unstored(error);
    if (error instanceof Away || this.stop.signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    if (error.status === 410) this.deleted = true;
    else this.problem = error.words;
    this.changed();
  }

  /** What was not stored is told, until something is. @param {Unstored} error */
  unstored(error) {
    this.warnings.set(UNSTORED, { id: UNSTORED, message: error.words, files: [] });
    this.changed();
  }

  /** Who sits at the table, as the server says. @param {any} value @returns {Promise<import('./forms.js').TableState>} @throws {Refused | Away} */
  async sees(value) {
    const state = parseState(value);
    const terms = parseTerms(state.terms);
    const invites = await invitesThatHold(terms, this.link.table, state.invites);
    await checkLink(this.link, state.terms, terms, invites);
    this.ended = await isEnded(terms, invites, this.link);
    this.invites = invites;
    this.terms = terms;
    this.termsLine = state.terms;
    this.seats = await seatsThatHold(terms, this.link.table, state.seats, invites);
    await lookAtSuccessions(this.seats);
    const sits = this.seats.some((each) => each.key === this.seat?.key);
    this.sat ||= sits;
    this.out = this.sat && !sits;
    return state;
  }

  /** The table as the server says that it stands. @param {any} value @throws {Refused | Away} */
  async stands(value) {
    const state = await this.sees(value);
    const terms = /** @type {import('./forms.js').Terms} */ (this.terms);
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
    const { lines, size } = await this.connection.lines(game, 0);
    const line = lines[0] ?? new Uint8Array(0);
    try {
      if (this.gameId !== null && this.gameId !== game) {
        throw new Refused(
          'table.opened',
          say('This table has started as game {known}, and the server shows game {game} now.', { known: this.gameId, game }),
        );
      }
      const start = parseStart(canonical(state.start) ?? '');
      await checkOpened(terms, this.link.table, this.seats, start, line, game, this.invites);
      this.started = start;
    } catch (error) {
      if (error instanceof Refused) {
        this.files = [
          { name: 'table.json', bytes: utf8(JSON.stringify(state)) },
          { name: 'given.jsonl', bytes: utf8(`${fromUtf8(line) ?? ''}\n`) },
        ];
        const value = { table: this.link.table, files: this.files };
        await this.here.storage.write([{ store: 'games', key: this.link.table, value }]).catch(() => {}); // it is shown all the same
      }
      throw error;
    }
    this.gameId = game;
    await this.remember();
    const play = this.newPlay(game);
    await play.sync.restore();
    await play.sync.begin(line, { from: 1, lines: lines.slice(1), size });
    await this.begin(play);
  }

  /** @param {string} game @returns {Play} */
  newPlay(game) {
    return new Play(game, this.connection, this.here, () => this.changed());
  }

  /** Follows a game of which event 0 is here. @param {Play} play */
  async begin(play) {
    await this.sitDown(play);
    this.play = play;
    void this.followAsking();
    this.advice = new Advice(play, () => this.changed());
    this.follow();
    this.warnings.delete(UNSTORED);
    this.changed();
    play.stream.run().catch((error) => {
      this.problem = say('This page has failed: {problem}. Load it anew.', { problem: String(error?.message || error?.name || error) });
      this.changed();
      throw error;
    });
  }

  /** Has the rules follow the game, where both are there. */
  follow() {
    if (this.engine !== null) this.play?.rules.use(this.engine);
  }

  /** Where the seat is stored. */
  get seatAt() {
    return seatKey(this.link.table, this.link.role);
  }

  /** The seat that is stored takes part in the game. @param {Play | null} [play] */
  async sitDown(play = this.play) {
    const seat = (await this.here.storage.get('seats', this.seatAt)) ?? null;
    this.seat = seat;
    if (play === null || seat === null || seat.left) return;
    const signer = new Signer(seat.key, seat.signing);
    const memory = new Memory(this.here.storage, this.here.locks, play.id, seat.key);
    const recovery = () => this.here.recoveryOf(seat.key);
    const own = new Seat(signer, seat.sealing, memory, play.log, this.here.now, this.here.chainLinks, seat.called ?? null, recovery);
    await play.own.sit(own, seat.agreed);
  }

  // --- who comes later ---------------------------------------------------------------------------------------------------

  /** Whether somebody may still come in by this link. */
  get admitsMore() {
    return this.play !== null && this.play.game.phase !== 'closed' && (this.terms?.admits ?? []).length > 0;
  }

  /** Whether this browser has a seat that asks to come in. */
  get asks() {
    const { seat, play } = this;
    return this.admitsMore && seat !== null && !seat.left && seat.replaces === undefined && play?.game.place(seat.name) === undefined;
  }

  /** Whether this browser has a seat that asks to go on in the place of a lost key. */
  get goesOn() {
    const { seat, play } = this;
    return this.isOn && seat?.replaces !== undefined && !seat.left && placeOf(/** @type {Play} */ (play).game, seat.key) === undefined;
  }

  /** What lets a key of this browser's in that is no party's yet, at an event's table. @returns {'judge' | 'server' | null} null: nothing has to */
  get awaits() {
    return null;
  }

  /** Whether the game goes on. */
  get isOn() {
    return this.play !== null && this.play.log.size > 0 && this.play.game.phase !== 'closed';
  }

  /** Whether somebody who plays is away, or its page is not here: its browser may be lost. */
  get missesSomebody() {
    const { play, seat } = this;
    if (!this.isOn || play === null || seat === null || placeOf(play.game, seat.key) === undefined) return false;
    return [...play.game.places.values()].some(
      ({ party, joined, left, away }) =>
        party.role !== 'keeper' && party.role !== 'judge' && joined && !left && (away || !play.inbox.here.includes(party.name)),
    );
  }

  /** Whether this browser follows the lobby of a game that has begun: who asks does when the server has its seat. */
  get followsLobby() {
    return this.followsAtOnce || this.missesSomebody;
  }

  /** Whether it waits for what the lobby shows. */
  get followsAtOnce() {
    const asks = this.seat?.posted === true && (this.asks || this.goesOn);
    return asks || (this.admitsMore && this.isHost);
  }

  /** When the game has begun the lobby is followed by its host and by who asks, and by all as long as somebody is missing. */
  async followAsking() {
    if (this.following || !this.followsLobby) return;
    this.following = true;
    // Whoever reads on is not here for a moment, and all are missing before the first word of who is.
    if (!this.followsAtOnce) await this.connection.sleep(this.connection.times.missing);
    for (let attempt = 0; !this.stop.signal.aborted && this.followsLobby; attempt++) {
      /** @type {number | null} milliseconds that the server asks for */
      let pause = null;
      try {
        this.showsSeat();
        for await (const event of this.connection.stream(`/v1/tables/${this.link.table}/stream`, this.stop.signal)) {
          attempt = 0;
          if (event.name === 'table') {
            await this.sees(json(event.data));
            this.changed();
          }
          if (event.name === 'bye') pause = pauseOf(event);
          if (event.name === 'bye' || !this.followsLobby) break;
        }
      } catch (error) {
        if (!(error instanceof Away) && !(error instanceof Refused)) throw error;
      }
      await this.connection.sleep(pause ?? this.connection.pause(attempt));
    }
    this.following = false;
  }

  /**
   * Asks to come in when the game has begun, and agrees to the terms: when the host has let it in this party joins by itself.
   * @param {string} name @param {{passphrase?: string, called?: string | null}} [options] @throws {Refused | Away}
   */
  async ask(name, options = {}) {
    await this.sit(name, options);
    await this.storeSeat({ ...this.seat, agreed: true });
    await this.sitDown();
    void this.followAsking();
    this.changed();
  }

  /**
   * As the host: lets in somebody who asks, when no roll waits; as a party, consents to it too.
   * @param {string} key a verifier key @throws {Refused | Away}
   */
  async letIn(key) {
    const host = await this.host();
    const play = /** @type {Play} */ (this.play);
    const seat = this.seats.find((each) => each.key === key);
    if (seat === undefined) throw new Refused('table.seat', say('Nobody asks with this key any more.'));
    await this.sendBetweenRolls('admit', () => newAdmit(host, play.id, play.log.events[play.log.size - 1].leaf, key, seat.role));
    await this.until(() => play.game.place(nameOf(key)) !== undefined);
  }

  /**
   * Sends a word when no roll waits, signed anew each time.
   * @param {'admit' | 'replace'} path @param {() => Promise<string>} sign @throws {Refused | Away}
   */
  async sendBetweenRolls(path, sign) {
    const play = /** @type {Play} */ (this.play);
    for (const end = Date.now() + this.connection.times.patience; ; ) {
      await play.settled();
      try {
        await this.connection.atTable(this.link.table, path, await sign());
        return;
      } catch (error) {
        // a roll came first, or the word came upon a line that made room
        if (!(error instanceof Refused) || !['state.pending', 'admit.word'].includes(error.code) || Date.now() >= end) throw error;
        await play.life.change(1_000);
      }
    }
  }

  /** Waits until the log here has something, or patience ends. @param {() => boolean} isThere */
  async until(isThere) {
    const end = Date.now() + this.connection.times.patience;
    while (!isThere() && Date.now() < end) await this.play?.life.change(1_000);
  }

  // --- a lost browser ----------------------------------------------------------------------------------------------------

  /**
   * Asks to go on as a party whose browser is lost, and agrees to the terms: when it may, this key joins by itself.
   * @param {string} name of the party @throws {Refused | Away}
   */
  async askToGoOn(name) {
    const place = /** @type {Play} */ (this.play).game.place(name);
    if (place === undefined) throw new Refused('table.seat', say('Nobody here is called {name}.', { name }));
    const chain = await this.here.successionsOf();
    await this.sit(name, {
      lost: (key) => {
        const succession = successionFor(place, key, chain);
        return { replaces: place.party.verifierKey, ...(succession === null ? {} : { succession }) };
      },
    });
    await this.storeSeat({ ...this.seat, agreed: true });
    await this.sitDown();
    void this.followAsking();
    void this.wishAgain();
    this.changed();
  }

  /** Where the recovery key has signed for this key: the wish that it go on, whenever the lost one is away. */
  async wishAgain() {
    const { play, seat } = this;
    if (play === null || !this.goesOn || this.wishing || seat?.succession === undefined || !this.sat || this.out) return;
    const place = play.game.place(seat.name);
    if (!place?.away || mayTake(play.game, place, seat.key) || !play.own.isOpen) return;
    this.wishing = true;
    try {
      await this.wish(seat.key, new Signer(seat.key, seat.signing));
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Away)) throw error;
      await this.connection.sleep(1_000); // a roll or its owner came first, or the server is away
    } finally {
      this.wishing = false;
      this.changed();
    }
  }

  /** Has the keeper write that a key goes on. @param {string} key @param {Signer} by @throws {Refused | Away} */
  async wish(key, by) {
    const play = /** @type {Play} */ (this.play);
    await this.sendBetweenRolls('replace', () => newReplace(by, play.id, key));
    await this.until(() => play.game.place(nameOf(key))?.asked?.key === key || placeOf(play.game, key) !== undefined);
  }

  /** Who asks to go on, and in whose place. @returns {import('./forms.js').Seat[]} */
  get goingOn() {
    return this.isOn ? goingOn(/** @type {Play} */ (this.play).game, this.seats) : [];
  }

  /** Notes that this table is known here. */
  async remember() {
    const { terms, link } = this;
    if (terms === null) return;
    const key = seatKey(link.table, link.role);
    const known = await this.here.storage.get('tables', key);
    const value = {
      table: link.table,
      role: link.role,
      link: formatLink(link),
      game: this.gameId,
      title: terms.title,
      system: terms.system,
      name: this.seat?.name ?? null,
      host: this.isHost,
      opened: terms.time,
      terms: this.termsLine,
    };
    if (canonical(known ?? {}) === canonical(value)) return;
    try {
      await this.here.storage.write([{ store: 'tables', key, value }]);
      this.warnings.delete(UNSTORED);
    } catch (error) {
      if (!(error instanceof Unstored)) throw error;
      this.unstored(error); // it is known again from its link
    }
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
    void this.play?.duties.act();
  }

  /** @returns {Promise<import('./forms.js').Terms>} when the table is known @throws {Refused | Away} */
  async known() {
    if (this.terms === null) await this.stands(await this.connection.table(this.link.table));
    return /** @type {import('./forms.js').Terms} */ (this.terms);
  }
}
