/**
 * From a link to a game, by the lobby: the table as the server shows it, and the check that the game is the agreed one
 * (specs/network.md, "The table").
 * @module
 */

import { fromUtf8, utf8 } from '../../../verifier/web/bytes.js';
import { canonical } from '../../../verifier/web/json.js';
import { Refused, say, Unstored } from './errors.js';
import { parseStart } from './forms.js';
import { formatLink, tokenOf } from './links.js';
import { checkOpened } from './lobby.js';
import { seatKey } from './move.js';
import { json } from './transport.js';

export class LobbyEntry {
  /** @param {Pick<import('./table.js').Parts, 'here' | 'link' | 'connection' | 'status' | 'seat' | 'lobby' | 'game'>} parts */
  constructor({ here, link, connection, status, seat, lobby, game }) {
    this.storage = here.storage;
    this.link = link;
    this.connection = connection;
    this.status = status;
    this.seat = seat;
    this.lobby = lobby;
    this.game = game;
    /** @type {string | null} hex */
    this.gameId = null;
    /** @type {import('./forms.js').Start | null} the start that was checked here */
    this.started = null;
    /** The table was opened in this browser. */
    this.isHost = false;
    /** What lets the own key in, by the log: nothing does, but the host. @type {'judge' | 'server' | null} */
    this.awaits = null;
  }

  /** Prepares the connection. */
  async open() {
    this.connection.token = await tokenOf(this.link.secret);
  }

  /** Takes up what is stored here: seat, terms, game. */
  async recall() {
    const { table, role } = this.link;
    const [host, known] = await Promise.all([
      this.storage.get('hosts', table),
      this.storage.get('tables', seatKey(table, role)),
      this.seat.recall(),
      this.status.recall(table),
    ]);
    this.isHost = host !== undefined;
    if (known?.terms) {
      this.lobby.recall(known.terms);
      this.gameId = known.game ?? null;
    }
    if (this.gameId !== null) await this.game.restore(this.gameId);
  }

  /**
   * Follows the lobby until the game begins here.
   * @param {() => void} heard the server has sent something @returns {Promise<number | null>} milliseconds that the server asks to wait
   * @throws {Refused | Away}
   */
  arrive(heard) {
    return this.lobby.follow(this.status.signal, async (event) => {
      heard();
      if (event.name === 'table') await this.stands(json(event.data));
      this.status.setLine('live');
      return this.game.play !== null || this.status.problem !== null;
    });
  }

  /** Asks for the table, where it is not known yet. @returns {Promise<import('./forms.js').Terms>} @throws {Refused | Away} */
  async known() {
    if (this.lobby.terms === null) await this.stands(await this.connection.table(this.link.table));
    return /** @type {import('./forms.js').Terms} */ (this.lobby.terms);
  }

  /** Takes the table as the server shows it. @param {any} value @throws {Refused | Away} */
  async stands(value) {
    const state = await this.lobby.take(value);
    if (state.game === null || state.start === null) {
      await this.remember();
      this.status.changed();
      return;
    }
    await this.opened(state, state.game);
  }

  /**
   * Enters the game that has begun: it must be the one that was agreed to.
   * @param {import('./forms.js').TableState} state @param {string} game @throws {Refused | Away}
   */
  async opened(state, game) {
    const { lines, size } = await this.connection.lines(game, 0);
    const line = lines[0] ?? new Uint8Array(0);
    try {
      await this.check(state, game, line);
    } catch (error) {
      if (error instanceof Refused) {
        await this.status.keepEvidence(this.link.table, [
          { name: 'table.json', bytes: utf8(JSON.stringify(state)) },
          { name: 'given.jsonl', bytes: utf8(`${fromUtf8(line) ?? ''}\n`) },
        ]);
      }
      throw error;
    }
    this.gameId = game;
    await this.remember();
    await this.game.enter(game, line, { from: 1, lines: lines.slice(1), size });
  }

  /** @param {import('./forms.js').TableState} state @param {string} game @param {Uint8Array} line event 0 @throws {Refused} */
  async check(state, game, line) {
    if (this.gameId !== null && this.gameId !== game) {
      throw new Refused(
        'table.opened',
        say('This table has started as game {known}, and the server shows game {game} now.', { known: this.gameId, game }),
      );
    }
    const { terms, seats, invites } = this.lobby;
    const start = parseStart(canonical(state.start) ?? '');
    await checkOpened(/** @type {import('./forms.js').Terms} */ (terms), this.link.table, seats, start, line, game, invites);
    this.started = start;
  }

  /** Stores that this table is known here. */
  async remember() {
    const { link, lobby } = this;
    const { terms } = lobby;
    if (terms === null) return;
    const key = seatKey(link.table, link.role);
    const known = await this.storage.get('tables', key);
    const value = {
      table: link.table,
      role: link.role,
      link: formatLink(link),
      game: this.gameId,
      title: terms.title,
      system: terms.system,
      name: this.seat.record?.name ?? null,
      host: this.isHost,
      opened: terms.time,
      terms: lobby.line,
    };
    if (canonical(known ?? {}) === canonical(value)) return;
    try {
      await this.storage.write([{ store: 'tables', key, value }]);
      this.status.stored();
    } catch (error) {
      if (!(error instanceof Unstored)) throw error;
      this.status.unstored(error); // it is known again from its link
    }
  }
}
