/**
 * Taking a seat at a table by its link (specs/network.md, "The table").
 * @module
 */

import { newSealingKey } from './chains.js';
import { Refused, say } from './errors.js';
import { canBeCalled } from './forms.js';
import { formatLink } from './links.js';
import { newSeat } from './lobby.js';
import { checkPassphrase, seatKey, wrap } from './move.js';
import { newSigner, Signer } from './signer.js';
import { inTurn } from './turns.js';

/** @typedef {(key: string) => {replaces: string, succession?: any}} Lost what a seat with this key has that asks to go on in the place of a lost one */

export class Sitting {
  /** @param {Pick<import('./table.js').Parts, 'here' | 'link' | 'connection' | 'status' | 'seat' | 'lobby' | 'entry'>} parts */
  constructor({ here, link, connection, status, seat, lobby, entry }) {
    this.here = here;
    this.link = link;
    this.connection = connection;
    this.status = status;
    this.seat = seat;
    this.lobby = lobby;
    this.entry = entry;
  }

  /**
   * Takes a seat of the link's role. Asked again with the same name after no answer came, it is the same seat.
   * @param {string} name of the key @param {{passphrase?: string, called?: string | null, own?: boolean, lost?: Lost}} [options] with a passphrase the seat can be moved; `called`: what the party is called; `own`: a key for this table alone; `lost`: it asks to go on in the place of a lost key @throws {Refused | Away}
   */
  async sit(name, { passphrase = '', called = null, own = false, lost } = {}) {
    if (this.here.ability !== null) throw new Refused('ability', this.here.ability);
    if (this.link.role === 'spectator') throw new Refused('table.seat', say('This link is for spectators, who have no seat.'));
    if (!canBeCalled(name)) {
      throw new Refused(
        'table.name',
        say('A name has 1 to 32 letters a–z, digits, dots, underscores and hyphens, and begins with a letter or a digit.'),
      );
    }
    if (passphrase !== '') checkPassphrase(passphrase);
    await this.entry.known();
    // One at a time, in all tabs: whoever taps twice has one seat. The server may take its time.
    const { answer, patience } = this.connection.times;
    const place = `rollproof sit ${seatKey(this.link.table, this.link.role)}`;
    await inTurn(this.here.locks, place, () => this.takeSeat(name, passphrase, called, own, lost), AbortSignal.timeout(answer + patience));
  }

  /** @param {string} name @param {string} passphrase @param {string | null} called @param {boolean} own @param {Lost} [lost] @throws {Refused | Away} */
  async takeSeat(name, passphrase, called, own, lost) {
    await this.seat.load();
    const { record, out } = this.seat;
    if (record !== null && (record.posted || record.name !== name || (record.called ?? null) !== called)) {
      if (record.posted && !out) throw new Refused('table.seat', say('You have a seat here already, as {name}.', { name: record.name }));
      this.seat.setAside();
    }
    if (this.seat.record === null) {
      const { signer, wrapping, wrapped } = await this.keyOfSeat(name, passphrase, lost ? (this.here.me?.called ?? null) : called, own);
      // before anything of it leaves
      await this.seat.begin({
        table: this.link.table,
        role: this.link.role,
        link: formatLink(this.link),
        key: signer.key,
        name,
        called,
        signing: signer.signing,
        sealing: await newSealingKey(this.here.storage.readsKeys),
        wrapping,
        wrapped,
        agreed: false,
        posted: false,
        left: false,
        moves: 0,
        terms: this.lobby.line,
        invites: this.lobby.invites.filter((each) => each.link.role === this.link.role),
        ...lost?.(signer.key),
      });
    }
    await this.post();
  }

  /**
   * The profile's key, or one for this table alone: where that is wanted, the seat is to be moved, the profile has another name,
   * or its key was taken out here or sits here in another role.
   * @param {string} name @param {string} passphrase @param {string | null} called @param {boolean} own
   * @returns {Promise<{signer: Signer, wrapping: CryptoKey | null, wrapped: import('./move.js').Wrapped | null}>}
   */
  async keyOfSeat(name, passphrase, called, own) {
    const { storage } = this.here;
    if (!own && passphrase === '' && !this.seat.out) {
      const signer = await this.here.profileSigner(name, called);
      const seats = signer === null ? [] : await storage.all('seats');
      const elsewhere = seats.some((each) => each.table === this.link.table && each.role !== this.link.role && each.key === signer?.key);
      if (signer !== null && !elsewhere) return { signer, wrapping: null, wrapped: null };
    }
    const { signer, secret } = await newSigner(name, storage.readsKeys);
    const { wrapping, wrapped } = passphrase === '' ? { wrapping: null, wrapped: null } : await wrap(passphrase, secret);
    secret.fill(0);
    return { signer, wrapping, wrapped };
  }

  /** Sends the seat, and forgets it where it is refused. @throws {Refused | Away} */
  async post() {
    const { key, signing, called, replaces, succession } = this.seat.record;
    const lost = { ...(replaces === undefined ? {} : { replaces }), ...(succession === undefined ? {} : { succession }) };
    const body = await newSeat(new Signer(key, signing), this.link, called ?? null, lost);
    try {
      await this.connection.atTable(this.link.table, 'seats', body);
    } catch (error) {
      if (error instanceof Refused && error.status !== 429) {
        await this.seat.remove();
        this.status.changed();
      }
      throw error;
    }
    await this.seat.store({ ...this.seat.record, posted: true });
    await this.entry.remember();
    this.status.changed();
  }

  /** Sends a seat of which it is not known whether it came: where it is refused this browser looks on. @throws {Away} */
  async postAgain() {
    if (this.seat.record === null || this.seat.record.posted) return;
    try {
      await this.post();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.status.warn('seat', error.words);
    }
  }
}
